"""What a draft says of a Codex session is so: what was stopped or refused was not done.

Each case is a short session as Codex writes it (a rollout), read by its reader.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from holdfast.transcripts.codex import Reader
from test_truth import drafted

if TYPE_CHECKING:
    from pathlib import Path

    from holdfast.transcripts import Event

Line = dict[str, Any]

META: Line = {"type": "session_meta", "payload": {"id": "s", "cwd": "/w"}}


def item(**payload: Any) -> Line:
    """An item of the conversation."""
    return {"type": "response_item", "payload": payload}


def said(text: str, *kinds: str, role: str = "user", **more: Any) -> Line:
    """A message; newer files say of which kind its part is."""
    about = {"internal_chat_message_metadata_passthrough": {"content_item_kinds": list(kinds)}} if kinds else {}
    content = [{"type": "output_text" if role == "assistant" else "input_text", "text": text}]
    return item(type="message", role=role, content=content, **about, **more)


def tool(name: str, output: Any, **given: Any) -> list[Line]:
    """A tool that is called by its name, and what came back."""
    return [
        item(type="function_call", name=name, call_id="f", arguments=json.dumps(given)),
        item(type="function_call_output", call_id="f", output=output),
    ]


def events(*lines: Line) -> list[Event]:
    """What one reader makes of these lines."""
    reader = Reader()
    return [event for line in lines for event in reader.events({"timestamp": "t", **line}) or []]


ASK = said("release the new rates")

# ---- what was not done -------------------------------------------------------------------------------------------------

STOPPED = {
    "in the middle": "Wall time: 4.2 seconds\naborted by user",
    "with its time behind it": "aborted by user after 12.1s",
    "before it began": "exec command rejected by user",
}


@pytest.mark.parametrize("case", STOPPED)
def test_a_command_that_the_user_stopped_is_not_done(tmp_path: Path, case: str) -> None:
    """Whatever stands above the words that say so."""
    lines = [META, ASK, *tool("exec_command", STOPPED[case], cmd="git push origin main")]
    assert "done" not in drafted(tmp_path, lines, "codex")
    assert [event.failed for event in events(*lines) if event.kind == "result"] == [True]


def test_output_that_speaks_of_an_abort_is_no_abort() -> None:
    """Below `Output:` stands what the command printed."""
    output = "Wall time: 1 seconds\nProcess exited with code 0\nOutput:\naborted by user"
    assert [event.failed for event in events(*tool("exec_command", output, cmd="cat log")) if event.kind == "result"] == [False]


def test_a_patch_that_the_user_rejected_changed_nothing() -> None:
    """It comes back without a status."""
    patch = "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** End Patch"
    call = item(type="custom_tool_call", name="apply_patch", call_id="p", input=patch)
    found = events(call, item(type="custom_tool_call_output", call_id="p", output="patch rejected by user"))
    assert [(event.kind, event.call, event.failed) for event in found] == [("call", "p", False), ("result", "p", True)]
