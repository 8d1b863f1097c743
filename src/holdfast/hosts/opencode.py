"""opencode: a plugin of ours runs in it (integrations/opencode/holdfast.js) and speaks in our own words.

The payload has `session_id`, `cwd`, and with `start` the `source` (startup, resume, compact), with `prompt` what the user said,
with `before-compaction`, and `start` after it, its `trigger` (manual, auto), with each `attended`, false for `opencode run`;
with `turn` and `end` what became of our briefs, by their marks: the plugin has seen what the requests were made of.
What is printed is what the plugin passes on: a brief into the system prompt, names to the summariser, the past into a prompt.

Ground truth (1.18.33): there is no file of a session; the transcript is the database, found by the session's id. The system
prompt is made anew for each request and is kept nowhere, so a session that was compacted and is resumed has lost our brief.
"""

from __future__ import annotations

from . import Call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

HOST = "opencode"
IN_BYTES = False
STEERS = True
FLEETING = True
PROCESS = "OPENCODE_PID"
_BECAME = ("arrived", "cut", "vanished")
_EVENTS = ("start", "prompt", "turn", "end", "before-compaction", "after-compaction")


def read(payload: Mapping[str, Any], event: str) -> Call:
    """The payload of the plugin; without a session it was cut off, for the host has just ended."""
    name, session = event or str(payload.get("hook_event_name", "")), str(payload.get("session_id") or "")
    seen = payload.get("seen")
    return Call(
        "" if not session else name if name in _EVENTS else "unknown",
        session or "default",
        "",
        str(payload.get("cwd") or ""),
        str(payload.get("source") or ""),
        str(payload.get("prompt") or ""),
        name=name if name not in _EVENTS else "",
        seen={mark: what for mark, what in seen.items() if what in _BECAME} if isinstance(seen, dict) else {},
        trigger=str(payload.get("trigger") or ""),
        attended=payload.get("attended") is not False,
    )


def reply(call: Call, text: str) -> str:
    """What is given, as it is."""
    return text if call.event in ("start", "prompt", "before-compaction") else ""
