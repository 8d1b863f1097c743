"""Gemini CLI: hooks of settings.json or of an extension, JSON on stdin, JSON or nothing on stdout.

Ground truth (0.61.0): every payload has `session_id`, `transcript_path`, `cwd`, `hook_event_name`; SessionStart has `source`
(startup, resume, clear), BeforeAgent `prompt`, AfterAgent `prompt_response`, PreCompress `trigger`, SessionEnd `reason`.

- What is printed and is no JSON is shown to the user as a message. So nothing is printed but a reply.
- PreCompress comes before every turn of the model, whether or not anything is compressed: what is new is saved as at the end of
  a turn, and only a compression that the user asked for (`manual`) is one.
- Nothing follows a compression. The transcript has it, and the brief comes with the next prompt or, within a turn that goes on,
  with the next result of a tool.
- What SessionStart says after a clear never reaches the model: its brief comes with the next prompt.
- Without a terminal, what SessionStart said stands at the head of the first prompt, in `<hook_context>`. These are our own words.
- SessionEnd comes up to three times. `<` and `>` in what we say arrive as `&lt;` and `&gt;`.
"""

from __future__ import annotations

import re

from . import Call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

IN_BYTES = False
LATE = 0.0  # a brief always comes after the boundary was read in the transcript, and both have the same clock
UNHEARD = ("clear",)  # how a session starts whose first words from us do not reach the model
KEPT = True  # what we say stays in the conversation
_EVENTS = {
    "SessionStart": "start",
    "BeforeAgent": "prompt",
    "AfterTool": "tool",
    "AfterAgent": "turn",
    "PreCompress": "turn",
    "SessionEnd": "end",
}
_GIVEN = re.compile(r"<hook_context>.*?</hook_context>\s*", re.DOTALL)


def read(payload: Mapping[str, Any], event: str) -> Call:
    """The payload of a hook."""
    name = event or str(payload.get("hook_event_name", ""))
    asked_for = name == "PreCompress" and payload.get("trigger") == "manual"
    return Call(
        "before-compaction" if asked_for else _EVENTS.get(name, ""),
        str(payload.get("session_id") or "default"),
        str(payload.get("transcript_path") or ""),
        str(payload.get("cwd") or ""),
        str(payload.get("source") or ""),
        _GIVEN.sub("", str(payload.get("prompt") or "")),
    )


def reply(call: Call, brief: str) -> str:
    """The brief as the host takes it."""
    import json

    name = {"start": "SessionStart", "prompt": "BeforeAgent", "tool": "AfterTool"}.get(call.event)
    if not name or not brief:
        return ""
    return json.dumps({"hookSpecificOutput": {"hookEventName": name, "additionalContext": brief}}, ensure_ascii=False)
