"""H3: a host that has changed is noticed: what is new is reported, what is said besides does no harm, and nothing is guessed.

Payloads of two hosts in the form that each of their versions sends, and the same with fields that are new, gone, renamed or of
another type, and with events and sources that nobody knows. An unknown event is one receipt and one line of `holdfast doctor`; it
changes no memory and gives nothing. The control guesses, and is found out.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conftest import Holdfast
from holdfast.hosts import claude_code
from kept_receipts import by_hooks
from promises.outside import seen

TURNS = [
    {"type": "user", "message": {"role": "user", "content": "set the reduced rate to 7 percent, and never touch old invoices"}},
    {"type": "assistant", "message": {"role": "assistant", "content": "It is set.\n\nShall I round per line or per invoice?"}},
]
COMMON = {"session_id": "0d8082ab-7f10-4c11-9d1a-2f5f3f0e9c01", "permission_mode": "default", "prompt_id": "d663c7b7"}

# (host, what its version sends, the event that we take it for)
CLAUDE, CODEX = "claude-code", "codex"
RECORDED: list[tuple[str, dict[str, Any], str]] = [
    (CLAUDE, {"hook_event_name": "SessionStart", "source": "startup"}, "start"),
    (CLAUDE, {"hook_event_name": "SessionStart", "source": "startup", "model": "opus", "session_title": "x"}, "start"),
    (CLAUDE, {"hook_event_name": "SessionStart", "source": "resume", "seconds_since_last_response": 4}, "start"),
    (CLAUDE, {"hook_event_name": "SessionStart", "source": "compact", "model": "opus"}, "start"),
    (CLAUDE, {"hook_event_name": "SessionStart", "source": "clear"}, "start"),
    (CLAUDE, {"hook_event_name": "SessionStart", "source": "fork"}, "start"),
    (CLAUDE, {"hook_event_name": "UserPromptSubmit", "prompt": "go on"}, "prompt"),
    (CLAUDE, {"hook_event_name": "UserPromptSubmit", "prompt": "go on", "source": "sdk"}, "prompt"),
    (CLAUDE, {"hook_event_name": "Stop", "stop_hook_active": False, "last_assistant_message": "Done."}, "turn"),
    (CLAUDE, {"hook_event_name": "StopFailure", "error": "overloaded"}, "turn"),
    (CLAUDE, {"hook_event_name": "PreCompact", "trigger": "manual", "custom_instructions": "on X"}, "before-compaction"),
    (CLAUDE, {"hook_event_name": "PreCompact", "trigger": "auto", "custom_instructions": None}, "before-compaction"),
    (CLAUDE, {"hook_event_name": "PostCompact", "trigger": "auto", "compact_summary": "x"}, "after-compaction"),
    (CLAUDE, {"hook_event_name": "SessionEnd", "reason": "other"}, "turn"),
    (CLAUDE, {"hook_event_name": "SessionEnd", "reason": "clear"}, "end"),
    (CODEX, {"hook_event_name": "SessionStart", "source": "startup", "model": "gpt-5"}, "start"),
    (CODEX, {"hook_event_name": "UserPromptSubmit", "prompt": "go on", "turn_id": "t1", "model": "gpt-5"}, "prompt"),
    (CODEX, {"hook_event_name": "Stop", "turn_id": "t1", "last_assistant_message": None}, "turn"),
    (CODEX, {"hook_event_name": "PreCompact", "turn_id": "t1", "trigger": "auto"}, "before-compaction"),
    (CODEX, {"hook_event_name": "PostCompact", "turn_id": "t1", "trigger": "auto"}, "after-compaction"),
    (CODEX, {"hook_event_name": "SessionEnd", "reason": "other"}, "turn"),
]
# What we know of and leave alone: no receipt, no reply.
LEFT_ALONE: list[tuple[str, dict[str, Any]]] = [
    (CLAUDE, {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {}}),
    (CLAUDE, {"hook_event_name": "SubagentStop", "agent_type": "", "agent_id": "a1"}),
    (CLAUDE, {"hook_event_name": "Stop", "agent_id": "a1", "agent_type": "Explore"}),
    (CLAUDE, {"hook_event_name": "SessionStart", "source": "compact", "agent_id": "a1"}),
    (CLAUDE, {"hook_event_name": "InstructionsLoaded", "file_path": "/w/CLAUDE.md"}),
    (CODEX, {"hook_event_name": "PreModelRequest"}),
    (CODEX, {"hook_event_name": "Interrupt"}),
]
UNKNOWN: list[tuple[str, dict[str, Any], str]] = [
    (CLAUDE, {"hook_event_name": "PreThinking"}, "PreThinking"),
    (CLAUDE, {"hook_event_name": "TurnStop", "last_assistant_message": "x"}, "TurnStop"),
    (CLAUDE, {"hook_event_name": "SessionStart", "source": "teleport"}, "SessionStart (teleport)"),
    (CLAUDE, {"event": "Stop"}, "(no event is named)"),
    (CLAUDE, {"hook_event_name": ["Stop"]}, "['Stop']"),
    (CODEX, {"hook_event_name": "BeforeCompaction"}, "BeforeCompaction"),
]
# A field of the payload as another version might have it.
CHANGED: list[dict[str, Any]] = [
    {"brand_new": {"deep": [1, 2, {"x": None}]}, "another": "y" * 10_000},
    {"transcript_path": None},
    {"transcript_path": 7},
    {"transcript_path": {"path": "/x"}},
    {"session_id": None},
    {"session_id": 12},
    {"cwd": None},
    {"cwd": "/nowhere/at/all"},
    {"source": None},
    {"prompt": ["go on"]},
    {"last_assistant_message": {"text": "x"}},
    {"compact_summary": ["x"]},
    {"agent_id": None},
]


class Session:
    """A session, and its hooks one after another."""

    def __init__(self, holdfast: Holdfast, workspace: Path) -> None:
        self.holdfast, self.workspace, self.transcript = holdfast, workspace, workspace.parent / "session.jsonl"
        self.transcript.write_text("".join(json.dumps(turn) + "\n" for turn in TURNS))

    def fire(self, host: str, payload: dict[str, Any]) -> str:
        """What one hook printed."""
        about = {**COMMON, "transcript_path": str(self.transcript), "cwd": str(self.workspace.parent), **payload}
        answer = self.holdfast("hook", host, stdin=json.dumps(about).encode())
        assert (answer.code, answer.err) == (0, "")
        return answer.out

    def receipts(self) -> list[dict[str, Any]]:
        """What hooks said that they did."""
        return by_hooks(self.workspace / ".holdfast" / "receipts.jsonl")


@pytest.mark.parametrize(("host", "payload", "event"), RECORDED)
def test_every_recorded_payload_is_understood(
    host: str, payload: dict[str, Any], event: str, holdfast: Holdfast, workspace: Path
) -> None:
    """As each event is sent, it is taken for what it is, and nothing fails."""
    session = Session(holdfast, workspace)
    session.fire(host, payload)
    (receipt,) = session.receipts()
    assert (receipt["event"], receipt.get("failed")) == (event, None)


@pytest.mark.parametrize(("host", "payload"), LEFT_ALONE)
def test_subagents_and_what_is_not_for_us_are_left_alone(
    host: str, payload: dict[str, Any], holdfast: Holdfast, workspace: Path
) -> None:
    """No reply, no receipt, no file at all."""
    session = Session(holdfast, workspace)
    assert session.fire(host, payload) == ""
    assert not workspace.exists()


@pytest.mark.parametrize("changed", CHANGED)
@pytest.mark.parametrize("event", ["SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "PostCompact", "SessionEnd"])
def test_fields_that_are_new_gone_or_of_another_type_fail_nothing(
    event: str, changed: dict[str, Any], holdfast: Holdfast, workspace: Path
) -> None:
    """What can be read of the payload is used; the receipt is there."""
    session = Session(holdfast, workspace)
    session.fire(CLAUDE, {"hook_event_name": event, "source": "compact", **changed})
    (receipt,) = session.receipts()
    assert "failed" not in receipt, receipt


def noticed(session: Session, host: str, payload: dict[str, Any], name: str) -> None:
    """An unknown event gives nothing, changes no memory, and is told once by a receipt and by doctor."""
    session.fire(CLAUDE, {"hook_event_name": "PreCompact"})
    before = {path: what for path, what in seen(session.workspace / "memory").items() if path.endswith((".md", ".json"))}
    for _ in range(3):
        assert session.fire(host, payload) == ""
    after = {path: what for path, what in seen(session.workspace / "memory").items() if path.endswith((".md", ".json"))}
    assert after == before
    told = [receipt["name"] for receipt in session.receipts() if receipt["event"] == "unknown"]
    assert told == [name]
    doctor = session.holdfast("doctor")
    line = f"an event that this Holdfast does not know: {name} "
    assert len([text for text in doctor.out.splitlines() if line in text]) == 1, doctor.out


@pytest.mark.parametrize(("host", "payload", "name"), UNKNOWN)
def test_what_is_unknown_is_reported_and_never_guessed(
    host: str, payload: dict[str, Any], name: str, holdfast: Holdfast, workspace: Path
) -> None:
    """A renamed event, a new source, an event under another key: one line each."""
    noticed(Session(holdfast, workspace), host, payload, name)


def test_control_a_host_that_is_guessed_at_is_found_out(
    holdfast: Holdfast, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same look at an adapter that takes whatever sounds like the end of a turn for one."""
    monkeypatch.setitem(claude_code._EVENTS, "TurnStop", "turn")
    with pytest.raises(AssertionError):
        noticed(Session(holdfast, workspace), "claude-code", {"hook_event_name": "TurnStop"}, "TurnStop")
