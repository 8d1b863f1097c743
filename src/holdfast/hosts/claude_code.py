"""Claude Code: hooks of settings.json, JSON on stdin, JSON or nothing on stdout.

Ground truth (2.1.325): every payload has `session_id`, `transcript_path`, `cwd`, `hook_event_name`; SessionStart has `source`;
`agent_id` is there only inside a subagent. PreCompact takes no additionalContext, and what it prints goes to the summariser, so
we print nothing there. SessionStart(compact) comes before the next model call: the place to give the brief.
"""

from __future__ import annotations

from . import Call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_EVENTS = {"SessionStart": "start", "PreCompact": "before-compaction"}


def read(payload: Mapping[str, Any], event: str) -> Call:
    """The payload of a hook. Subagents are left alone."""
    name = event or str(payload.get("hook_event_name", ""))
    meant = _EVENTS.get(name, "") if not payload.get("agent_id") else ""
    return Call(
        meant,
        str(payload.get("session_id") or "default"),
        str(payload.get("transcript_path") or ""),
        str(payload.get("cwd") or ""),
        str(payload.get("source") or ""),
    )


def reply(call: Call, brief: str) -> str:
    """The brief as the host takes it."""
    import json

    if call.event != "start" or not brief:
        return ""
    return json.dumps({"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": brief}}, ensure_ascii=False)
