"""Claude Code: hooks of settings.json, JSON on stdin, JSON or nothing on stdout.

Ground truth (2.1.325): every payload has `session_id`, `transcript_path`, `cwd`, `hook_event_name`; SessionStart has `source`,
SessionEnd `reason`, UserPromptSubmit `prompt`, PostCompact `compact_summary`; `agent_id` is there only inside a subagent.
PreCompact takes no additionalContext, and what it prints goes to the summariser, so we print nothing there; what PostCompact
prints may stay in the context, so nothing there either. SessionStart(compact) comes before the next model call: the place to
give the brief.
"""

from __future__ import annotations

from . import Call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

IN_BYTES = False  # the host's limit on what is put into a context counts characters
LATE = 120.0  # seconds by which the host may date a boundary after the brief that followed it
UNHEARD: tuple[str, ...] = ()  # ways in which a session starts without hearing what we say
KEPT = True  # what we say stays in the conversation
_EVENTS = {
    "SessionStart": "start",
    "Stop": "turn",
    "StopFailure": "turn",
    "SessionEnd": "turn",
    "PreCompact": "before-compaction",
    "PostCompact": "after-compaction",
    "UserPromptSubmit": "prompt",
}
_LEFT = ("clear", "prompt_input_exit", "logout")  # what `-p` ends with (`other`) is no end: the next prompt resumes it


def read(payload: Mapping[str, Any], event: str) -> Call:
    """The payload of a hook. Subagents are left alone."""
    name = event or str(payload.get("hook_event_name", ""))
    meant = "end" if name == "SessionEnd" and payload.get("reason") in _LEFT else _EVENTS.get(name, "")
    return Call(
        meant if not payload.get("agent_id") else "",
        str(payload.get("session_id") or "default"),
        str(payload.get("transcript_path") or ""),
        str(payload.get("cwd") or ""),
        str(payload.get("source") or ""),
        str(payload.get("prompt") or ""),
        str(payload.get("compact_summary") or ""),
    )


def reply(call: Call, brief: str) -> str:
    """The brief as the host takes it."""
    import json

    name = {"start": "SessionStart", "prompt": "UserPromptSubmit"}.get(call.event)
    if not name or not brief:
        return ""
    return json.dumps({"hookSpecificOutput": {"hookEventName": name, "additionalContext": brief}}, ensure_ascii=False)
