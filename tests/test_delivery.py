"""Delivery: whether what was given has arrived, by what the host wrote down; and what is offered again."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from holdfast.briefing.delivery import Delivery, from_data, given
from holdfast.guard.framing import framed
from holdfast.hooks.receipts import by_host
from test_hooks import BOUNDARY, EDITED, Host, host, receipts

__all__ = ["host"]
BRIEF = "# Where we left off (Holdfast)\n" + framed("Working on: rates – “7 %”\n" * 40, b"key") + "Do not redo what is done.\n"
GIVEN = given(BRIEF, moment=1.0, occasion="compact", room=9000)
SIGN = b"hook_additional_context"


def attachment(text: str, kind: str = "hook_additional_context") -> bytes:
    """A line in which Claude Code writes down what a hook gave."""
    return json.dumps({"type": "attachment", "attachment": {"type": kind, "content": [text]}}).encode() + b"\n"


def codex(text: str) -> bytes:
    """And one of Codex."""
    kinds = {"content_item_kinds": ["hooks.additional_context"]}
    payload = {"role": "developer", "content": [{"text": text}], "internal_chat_message_metadata_passthrough": kinds}
    return json.dumps({"type": "response_item", "payload": payload}, ensure_ascii=False).encode() + b"\n"


NOISE = b'{"type": "user"}\n' * 5
LINES = [
    (attachment(BRIEF), "arrived"),
    (NOISE + attachment(BRIEF) + NOISE, "arrived"),
    (attachment(f"<persisted-output>{BRIEF[:400]}"), "cut"),
    (attachment(f"{BRIEF[:200]} … {BRIEF[-200:]}"), "cut"),  # both marks, and not what is between them
    (attachment(BRIEF[:300]) + attachment(BRIEF), "arrived"),
    (attachment(BRIEF, "hook_success"), ""),  # what the hook printed, not what the model got
    (json.dumps({"type": "user", "content": BRIEF}).encode() + b"\n", ""),  # a tool that shows it
    (attachment(BRIEF.replace("--- memory ", "--- memory 0")), ""),
    (NOISE, ""),
    (b"", ""),
]


@pytest.mark.parametrize(("lines", "verdict"), LINES)
def test_a_brief_is_known_by_its_marks_in_the_hosts_own_line(lines: bytes, verdict: str) -> None:
    """Whole where as much stands between its marks as we put there; what else shows it does not count."""
    assert GIVEN.after(lines, SIGN, "prompt").verdict == verdict


def test_codex_writes_it_into_a_line_of_its_own() -> None:
    """The same brief, unescaped, and with its middle taken out."""
    sign = b"hooks.additional_context"
    assert GIVEN.after(codex(BRIEF), sign, "turn").verdict == "arrived"
    assert GIVEN.after(codex(BRIEF[:500] + "… chars truncated …" + BRIEF[-200:]), sign, "turn").verdict == "cut"


ROWS = [
    (["prompt"], ""),  # the host has not written anything of this turn yet
    (["turn"], ""),
    (["turn", "prompt"], "vanished"),
    (["turn", "start"], "vanished"),
    (["turn", "turn"], "vanished"),
    (["prompt", "turn", "before-compaction"], "vanished"),
    (["prompt", "after-compaction", "prompt"], ""),
]


@pytest.mark.parametrize(("events", "verdict"), ROWS)
def test_a_brief_has_vanished_only_after_a_turn_went_by_without_it(events: list[str], verdict: str) -> None:
    """Hosts write late: one look is no look."""
    found = GIVEN
    for event in events:
        found = found.after(NOISE, SIGN, event)
    assert found.verdict == verdict


def test_where_the_host_writes_nothing_it_is_never_known() -> None:
    """A session without a transcript: no verdict, however often one looks."""
    found = GIVEN
    for _ in range(5):
        found = found.after(b"", SIGN, "turn")
    assert (found.verdict, found.looks) == ("", 0)


OFFERS = [(9000, False, 4500), (4000, False, 4000), (30_000, False, 15_000), (9000, True, 0)]


@pytest.mark.parametrize(("room", "again", "wanted"), OFFERS)
def test_what_vanished_is_offered_once_more_with_half_of_the_room(room: int, again: bool, wanted: int) -> None:
    """Not under 4,000 characters, and not a third time."""
    assert GIVEN.replaced(room=room, again=again, verdict="vanished").wants_another == wanted
    assert GIVEN.replaced(room=room, again=again, verdict="arrived").wants_another == 0


@pytest.mark.parametrize("data", [{}, {"mark": 3}, {"moment": "x", "looks": None}, {"unknown": 1}, GIVEN.__dict__])
def test_whatever_was_kept_can_be_read(data: dict[str, object]) -> None:
    """It is derived; what is odd has its default."""
    found = from_data(json.loads(json.dumps(data)))
    assert found == (GIVEN if "occasion" in data else Delivery())


def test_a_text_without_a_frame_is_not_looked_for() -> None:
    """A sentence that nothing was found, or that a hook failed."""
    assert not given("I couldn't find a structured snapshot here.").is_open


# ---- through the hooks -------------------------------------------------------------------------------------------------

ANSWERED = {"type": "assistant", "timestamp": "2026-11-15T12:00:00Z", "message": {"role": "assistant", "content": "It is done."}}


def verdicts(host: Host) -> list[str]:
    """What receipts say of deliveries."""
    return [str(receipt["delivery"]["is"]) for receipt in receipts(host) if "delivery" in receipt]  # type: ignore[index]


def test_a_brief_that_arrived_is_said_once_and_not_given_again(host: Host) -> None:
    """The hook that reads the transcript anyway looks for it; then nobody looks any more."""
    host.fire("PreCompact")
    brief = host.brief()
    host.says({"type": "attachment", "attachment": {"type": "hook_additional_context", "content": [brief]}}, ANSWERED)
    host.fire("Stop")
    assert host.fire("UserPromptSubmit", prompt="go on") == ""
    host.fire("Stop")
    assert verdicts(host) == ["arrived"]


def test_an_ordinary_prompt_remembers_how_far_it_has_looked(host: Host) -> None:
    """The lines that the host has written are looked at once, and nothing is forgotten of what was given."""
    host.fire("PreCompact")
    brief = host.brief()
    host.says({"type": "attachment", "attachment": {"type": "hook_additional_context", "content": [brief]}}, ANSWERED)
    host.fire("Stop")
    (kept,) = Path(host.env["HOME"]).rglob("cursors/*.briefed")
    before = json.loads(kept.read_text())
    for _ in range(2):
        host.says(ANSWERED)
        assert host.fire("UserPromptSubmit", prompt="go on") == ""
        assert json.loads(kept.read_text()) == {**before, "since": host.transcript.stat().st_size}
    assert [receipt["did"] for receipt in receipts(host)[-2:]] == ["nothing to say"] * 2


def test_a_brief_that_the_next_one_overtakes_is_not_waited_for(host: Host) -> None:
    """Nobody looks for it any more, and its receipt says so; the next one is looked for as ever."""
    host.fire("PreCompact")
    host.brief()
    brief = host.brief()
    assert verdicts(host) == ["overtaken"]
    host.says({"type": "attachment", "attachment": {"type": "hook_additional_context", "content": [brief]}}, ANSWERED)
    host.fire("Stop")
    assert verdicts(host) == ["overtaken", "arrived"]
    counted = by_host(receipts(host))["claude-code"]
    assert (counted.given, counted.arrived, counted.overtaken, counted.open) == (2, 1, 1, 0)


@pytest.mark.parametrize("event", ["UserPromptSubmit", "SessionStart"])
def test_a_brief_that_vanished_comes_again_smaller_once(host: Host, event: str) -> None:
    """With the next prompt, or where the session is resumed; and if that vanishes too, it is only noted."""
    (host.project / "MEMORY.md").write_text("")
    notes = "".join(f"- the customer {n} is billed on the {n % 28 + 1}th of each month\n" for n in range(300))
    command = [sys.executable, "-m", "holdfast", "write", "MEMORY.md"]
    subprocess.run(command, input=notes.encode(), cwd=host.project, env=host.env, check=True, capture_output=True)
    host.fire("PreCompact")
    first = host.brief()
    assert len(first) > 8000
    host.says(ANSWERED)
    host.fire("Stop")
    again = json.loads(host.fire(event, prompt="go on", source="resume"))["hookSpecificOutput"]["additionalContext"]
    assert "never touch old invoices" in again
    assert len(again) <= 4500
    host.says({**ANSWERED, "timestamp": "2026-11-15T12:01:00Z"})
    host.fire("Stop")
    assert host.fire(event, prompt="go on", source="resume") == ""
    assert verdicts(host) == ["vanished", "vanished"]


def test_a_session_that_was_compacted_while_no_hook_ran_gets_its_brief_when_it_is_resumed(host: Host) -> None:
    """Once: the prompt after it gets nothing, and a second resume neither."""
    host.fire("Stop")
    host.says(*EDITED, BOUNDARY)
    first = host.fire("SessionStart", source="resume")
    assert "never round before the sum is taken" in first
    assert host.fire("UserPromptSubmit", prompt="go on") == ""
    assert host.fire("SessionStart", source="resume") == ""


def test_a_fork_has_its_context(host: Host, tmp_path: Path) -> None:
    """A copy of a session that was compacted long ago gets nothing at its start, and nothing with its first prompt."""
    host.says(*EDITED, BOUNDARY)
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(host.transcript.read_bytes())
    about = {"session_id": "s2", "transcript_path": str(copy)}
    assert host.fire("SessionStart", source="fork", **about) == ""
    assert host.fire("UserPromptSubmit", prompt="go on", **about) == ""


def test_a_mark_of_an_older_holdfast_still_says_when(host: Host) -> None:
    """It was an empty file: its moment tells that there was a brief."""
    host.says(*EDITED, BOUNDARY)
    host.fire("UserPromptSubmit", prompt="go on")
    (mark,) = Path(host.env["HOME"]).rglob("cursors/*.briefed")
    mark.write_bytes(b"")
    assert host.fire("UserPromptSubmit", prompt="go on") == ""
    mark.write_bytes(b"{torn")
    assert host.fire("UserPromptSubmit", prompt="go on") == ""
