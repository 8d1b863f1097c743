"""Gemini CLI: hooks of settings.json or of an extension, JSON on stdin, JSON or nothing on stdout.

Ground truth (0.61.0): every payload has `session_id`, `transcript_path`, `cwd`, `hook_event_name`; BeforeAgent has `prompt`,
AfterAgent `prompt_response`, PreCompress `trigger`, SessionEnd `reason`.

- What is printed and is no JSON is shown to the user as a message. So nothing is printed but a reply.
- PreCompress comes before every turn of the model, whether or not anything is compressed: what is new is saved as at the end of
  a turn, and only a compression that the user asked for (`manual`) is one.
- Nothing follows a compression. The transcript has it, and the brief comes with the next prompt or, within a turn that goes on,
  with the next result of a tool.
- Nothing is said at SessionStart; the brief comes with the first prompt. After a clear it would not reach the model, and without
  a terminal it would be put before the user's first words, which the host then leaves out when the session is resumed.
- What other hooks said at a start stands at the head of such a prompt, in `<hook_context>`: these are not the user's words.
- SessionEnd comes up to three times. `<` and `>` in what we say arrive as `&lt;` and `&gt;`.
- Neither payload nor environment says whether anybody is there. It runs without a person with `-p`, and where its standard input
  is no terminal, unless an editor speaks with it (`--acp`).
"""

from __future__ import annotations

import re

from . import Call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from . import Program

HOST = "gemini"
IN_BYTES = False
BEGUN_IN = "GEMINI_PROJECT_DIR"
SIGN = b"<hook_context>"
BOUNDARIES = (b"<state_snapshot>",)
LATE = 0.0  # a brief always comes after the boundary was read in the transcript, and both have the same clock
WITH_PROMPTS = True
_EVENTS = {
    "BeforeAgent": "prompt",
    "AfterTool": "tool",
    "AfterAgent": "turn",
    "PreCompress": "turn",
    "SessionEnd": "end",
}
_OTHERS = ("SessionStart", "BeforeModel", "AfterModel", "BeforeToolSelection", "BeforeTool", "Notification")  # not for us
_ESCAPED = "(Gemini CLI writes &lt; and &gt; here for the two angle brackets.)"
_GIVEN = r"(?s)<hook_context>.*?</hook_context>\s*"


def read(payload: Mapping[str, Any], event: str) -> Call:
    """The payload of a hook; what we do not know is said to be unknown, never guessed."""
    name = event or str(payload.get("hook_event_name") or "")
    meant = _EVENTS.get(name, "" if name in _OTHERS else "unknown")
    if name == "PreCompress" and payload.get("trigger") == "manual":
        meant = "before-compaction"
    return Call(
        meant,
        str(payload.get("session_id") or "default"),
        str(payload.get("transcript_path") or ""),
        str(payload.get("cwd") or ""),
        str(payload.get("reason") or "") if meant == "end" else "",
        prompt=re.sub(_GIVEN, "", str(payload.get("prompt") or "")),
        name=(name or "(no event is named)") if meant == "unknown" else "",
        trigger=str(payload.get("trigger") or ""),
    )


def is_attended(_env: Mapping[str, str], program: Program) -> bool:
    """Return whether a person can answer, by how the host was started."""
    words = program.arguments
    if not any(word.rpartition("/")[2].startswith("gemini") for word in words[:4]):
        return True  # some other program has started us
    if any(word.startswith(("--acp", "--experimental-acp")) for word in words):
        return True
    if any(word in ("-p", "--prompt") or word.startswith("--prompt=") for word in words):
        return False
    return program.terminal is not False


def reply(call: Call, text: str) -> str:
    """What is given, as the host takes it; where the host will escape something in it, it says so."""
    import json

    name = {"prompt": "BeforeAgent", "tool": "AfterTool"}.get(call.event)
    if not name or not text:
        return ""
    text = f"{_ESCAPED}\n{text}" if "<" in text or ">" in text else text
    return json.dumps({"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}}, ensure_ascii=False)
