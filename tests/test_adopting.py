"""Blocks that were written into a day by hand: adopted into the journal once, and left as they are."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest

import sessions
from conftest import Holdfast
from holdfast.config import Config
from holdfast.memory import Memory

TODAY = time.strftime("%Y-%m-%d")
BLOCK = """<!-- BIG-MEMORY-SNAPSHOT v1 -->
<!-- timestamp: {day}T00:00:01 -->
<!-- snapshot-id: {day}-07 -->

### [SNAPSHOT] Active Goal
ship the {what} parser, because the old one drops lines

### [SNAPSHOT] My Own Section
kept as it is

### [SNAPSHOT] Next Steps
1. run the tests

<!-- /BIG-MEMORY-SNAPSHOT -->
"""


def block(what: str, day: str = TODAY) -> str:
    """A block as an agent writes it after seed B."""
    return BLOCK.format(what=what, day=day)


def written(workspace: Path, text: str, day: str = TODAY) -> Path:
    """A day's file, by hand."""
    path = workspace / "memory" / f"{day}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(f"# {day}\n\nmine\n\n{text}".encode())
    return path


def adopted(workspace: Path) -> list[str]:
    """The journal's records of what was written by hand, the oldest first."""
    files = sorted((workspace / ".holdfast" / "journal").rglob("*.md"), key=lambda path: path.name)
    return [text for path in files if "<!-- origin: hand -->" in (text := path.read_text())]


@pytest.mark.parametrize("command", [("recover",), ("recover", "--session", "any"), ("import",)])
def test_a_block_is_adopted_once_and_the_file_stays_as_it_is(
    command: tuple[str, ...], holdfast: Holdfast, workspace: Path
) -> None:
    """In the journal with its own sections, known by its id; not a byte of the day has changed."""
    path = written(workspace, block("new"))
    before = path.read_bytes()
    for _ in range(3):
        assert holdfast(*command).code == 0
    (record,) = adopted(workspace)
    assert path.read_bytes() == before
    assert "ship the new parser" in record
    assert "### [SNAPSHOT] My Own Section\nkept as it is" in record
    number = re.search(r"<!-- id: (\S+) -->", record)
    assert number
    assert f"<!-- holdfast: {number[1]} -->" in record
    assert number[1].startswith(TODAY.replace("-", "") + "-000001-000000-")
    assert not list(workspace.glob("memory/session-state.md"))
    assert not list(workspace.glob("memory/context-*"))


def test_an_adopted_block_survives_the_loss_of_its_day(holdfast: Holdfast, workspace: Path) -> None:
    """The journal is the second copy of what stood in one file alone."""
    path = written(workspace, block("new"))
    holdfast("recover")
    path.write_bytes(b"\0" * 4096)
    assert "ship the new parser" in holdfast("recover").out


def test_an_altered_block_is_adopted_as_it_is_then(holdfast: Holdfast, workspace: Path) -> None:
    """The later form is the newer record, although both name the same second."""
    names = ("first", "second", "third", "fourth", "fifth")
    for name in names:
        written(workspace, block(name))
        holdfast("recover")
    assert [name for record, name in zip(adopted(workspace), names, strict=True) if name in record] == list(names)
    assert "ship the fifth parser" in holdfast("recover").out


def test_a_block_that_is_deleted_stays_deleted(holdfast: Holdfast, workspace: Path) -> None:
    """From its day; the journal keeps its record, and no later command brings it back."""
    written(workspace, block("new"))
    holdfast("recover")
    path = written(workspace, "")
    holdfast("task", "something else")
    holdfast("checkpoint", "--task", "more")
    holdfast("recover")
    assert "ship the new parser" not in path.read_text()
    assert len(adopted(workspace)) == 1


NOT_ADOPTED = {
    "not closed yet": block("new").replace("<!-- /BIG-MEMORY-SNAPSHOT -->\n", ""),
    "ours": block("new").replace("\n\n", "\n<!-- holdfast: 20260301-100000-000000-aaaaaaaa -->\n\n", 1),
    "no block": "BIG-MEMORY-SNAPSHOT is a word\n",
}


@pytest.mark.parametrize("text", NOT_ADOPTED.values(), ids=NOT_ADOPTED)
def test_what_is_unfinished_or_ours_is_not_adopted(text: str, holdfast: Holdfast, workspace: Path) -> None:
    """A block that is still being written waits; one with our mark is in the journal already."""
    written(workspace, text)
    holdfast("recover")
    assert not adopted(workspace)


def test_a_block_without_a_time_and_with_crlf_is_adopted_too(holdfast: Holdfast, workspace: Path) -> None:
    """Once, whatever its line ends and comments are like."""
    text = re.sub(r"<!-- (?:timestamp|snapshot-id).*\n", "", block("new")).replace("\n", "\r\n")
    path = written(workspace, text, "2026-03-01")
    before = path.read_bytes()
    for _ in range(2):
        holdfast("recover")
    (record,) = adopted(workspace)
    assert "<!-- id: 20260301-235959-" in record
    assert "\r" not in record
    assert path.read_bytes() == before


def test_no_secret_comes_into_the_journal_with_a_block(holdfast: Holdfast, workspace: Path) -> None:
    """What a person has in a file of theirs is theirs; what we write is clean."""
    written(workspace, block("sk-ant-api03-" + "a1B2" * 8))
    holdfast("recover")
    (record,) = adopted(workspace)
    assert "[redacted:" in record
    assert "a1B2a1B2" not in record


def test_import_adopts_the_blocks_of_every_day_and_recover_the_last(holdfast: Holdfast, workspace: Path) -> None:
    """A workspace of years is gone through once, not at each start of a session."""
    for number in range(1, 6):
        written(workspace, block(f"old{number}", f"2026-03-0{number}"), f"2026-03-0{number}")
    holdfast("recover")
    assert len(adopted(workspace)) == 2
    assert holdfast("import").out == "imported  0 sessions  0 days  3 hand-written blocks adopted\n"
    assert holdfast("import").out == "imported  0 sessions  0 days\n"


def test_an_adopted_block_does_not_take_over_the_working_state(holdfast: Holdfast, workspace: Path) -> None:
    """Nothing is bound, and what is being worked on stays what it is."""
    holdfast("checkpoint", "--task", "the work under way", "--topic", "billing")
    shown = (workspace / "memory" / "session-state.md").read_bytes()
    written(workspace, block("old", "2026-03-01"), "2026-03-01")
    holdfast("import")
    assert len(adopted(workspace)) == 1
    assert (workspace / "memory" / "session-state.md").read_bytes() == shown
    assert "the work under way" in holdfast("show", "latest").out


# ---- a block beside a state that is set --------------------------------------------------------------------------------

HAND = """
<!-- BIG-MEMORY-SNAPSHOT v1 -->
<!-- timestamp: {stamp} -->

### [SNAPSHOT] Active Goal
the goal by hand

### [SNAPSHOT] Decisions Made
1. the decision by hand

### [SNAPSHOT] Next Steps
1. the step by hand

<!-- /BIG-MEMORY-SNAPSHOT -->
"""
SAID = ("the goal by hand", "the decision by hand", "the step by hand")
SESSIONS = {"no session is named": (), "a session of a host": ("--session", "agent:main")}
OF_A_SESSION = "### [SNAPSHOT] Session\n- {session}, topic none, trigger hand\n\n<!-- /BIG-MEMORY-SNAPSHOT -->"


def told(brief: str) -> list[str]:
    """What of the block is in a brief."""
    return [text for text in SAID if text in brief]


@pytest.fixture(params=SESSIONS.values(), ids=SESSIONS)
def session(request: pytest.FixtureRequest, workspace: Path) -> tuple[str, ...]:
    """A session with a checkpoint, and a block by hand that is younger and names the session, where there is one."""
    words: tuple[str, ...] = request.param
    memory = Memory(str(workspace), Config(), write=True, clock=lambda: time.time() - 20)
    given = {"task": "the task before", "goal": "the goal before", "next_steps": ("the step before",)}
    memory.checkpoint(words[-1] if words else "default", given)
    memory.close()
    stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(time.time() - 10))
    with (workspace / f"memory/{TODAY}.md").open("a") as day:
        text = HAND.format(stamp=stamp)
        if words:
            text = text.replace("<!-- /BIG-MEMORY-SNAPSHOT -->", OF_A_SESSION.format(session=words[-1]))
        day.write(text)
    return words


def test_a_block_by_hand_is_told_beside_what_was_set_before(holdfast: Holdfast, session: tuple[str, ...]) -> None:
    """What it says anew is told in its place, what it does not speak of stays; adopted or not."""
    for _ in range(2):
        brief = holdfast("recover", *session).out
        assert told(brief) == list(SAID)
        assert "the task before" in brief
        assert "the goal before" not in brief
        assert "the step before" not in brief


def test_a_change_after_a_block_by_hand_is_told_with_it(holdfast: Holdfast, session: tuple[str, ...]) -> None:
    """The task that was set later, and all of the block."""
    holdfast("recover", *session)
    holdfast("task", "the task after", *session)
    holdfast("decide", "the decision after", *session)
    brief = holdfast("recover", *session).out
    assert told(brief) == list(SAID)
    assert "Working on: the task after" in brief
    assert "the decision after" in brief


def test_a_block_that_is_deleted_from_its_day_is_not_told(holdfast: Holdfast, workspace: Path, session: tuple[str, ...]) -> None:
    """Though it was told and adopted before: the newest checkpoint is told again, as the one that it is."""
    assert told(holdfast("recover", *session).out)
    assert len(adopted(workspace)) == 1
    path = workspace / f"memory/{TODAY}.md"
    text = path.read_text()
    path.write_text(text[: text.rindex("<!-- BIG-MEMORY-SNAPSHOT v1 -->")])
    brief = holdfast("recover", *session).out
    assert told(brief) == []
    assert "the goal before" in brief
    assert told(holdfast("show", "latest").out) == []


def test_a_block_whose_day_is_lost_is_told_beside_the_state(holdfast: Holdfast, workspace: Path) -> None:
    """Torn is not deleted: the journal has the second copy."""
    holdfast("task", "the task before")
    written(workspace, block("new"))
    holdfast("recover")
    (workspace / f"memory/{TODAY}.md").write_bytes(b"\0" * 4096)
    brief = holdfast("recover").out
    assert "the task before" in brief
    assert "ship the new parser" in brief


def test_a_checkpoint_after_a_block_by_hand_has_the_last_word(holdfast: Holdfast, session: tuple[str, ...]) -> None:
    """It is the whole state, and newer."""
    holdfast("checkpoint", "--goal", "the goal after", *session)
    brief = holdfast("recover", *session).out
    assert told(brief) == []
    assert "the goal after" in brief


def test_what_is_read_of_a_transcript_does_not_hide_a_block_by_hand(workspace: Path, tmp_path: Path) -> None:
    """The hook at the end of the very turn in which an agent wrote the block knows nothing of it. What both say is told as it was
    read last.
    """
    stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(time.time() - 60))
    path, block = written(workspace, HAND.format(stamp=stamp)), HAND.format(stamp=stamp)
    entries = sessions.claude_code("s", str(workspace), sessions.STORY, f"{TODAY}T00:00:00")
    content = [{"type": "tool_use", "id": "t9", "name": "Write", "input": {"file_path": str(path), "content": block}}]
    call = {"type": "assistant", "message": {"role": "assistant", "content": content}}
    entries.insert(len(entries) - 1, {**entries[-1], "uuid": "u9", **call})
    transcript = tmp_path / "s.jsonl"
    transcript.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    memory = Memory(str(workspace), Config(), write=True)
    assert memory.capture("s", str(transcript), host="claude-code")
    brief = memory.recover("s")
    memory.close()
    assert sessions.FACTS[0] in brief
    assert told(brief) == list(SAID[1:])
    assert "Next up (as set):\n- the step by hand" in brief


def test_status_does_not_ask_for_a_checkpoint_that_would_save_nothing(holdfast: Holdfast, workspace: Path) -> None:
    """A block by hand sets nothing: with nothing set besides, there is nothing to be saved."""
    written(workspace, block("new"))
    holdfast("recover")
    assert "holdfast checkpoint" not in holdfast("status").out.partition("\nnext ")[2]
    assert "There is nothing to save" in holdfast("checkpoint").err


def test_status_does_not_take_a_block_by_hand_for_what_the_state_was_saved_as(
    holdfast: Holdfast, session: tuple[str, ...]
) -> None:
    """The state is as the checkpoint has it."""
    holdfast("recover", *session)
    assert "nothing has changed" in holdfast("status", *session).out
    holdfast("task", "another", *session)
    assert holdfast("status", *session).out.endswith("save a snapshot: `holdfast checkpoint`\n")
