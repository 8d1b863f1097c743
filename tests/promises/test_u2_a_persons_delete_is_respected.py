"""U2: what a person deletes stays deleted; a folder that has vanished is not taken for a deletion.

A person takes out a note, a decision of a topic, a whole day, a whole topic, a line of the working buffer, a task or a
binding. Whatever commands come afterwards, and whether or not they crash at any of their syncs and renames, it does not come
back. But `memory/` as a whole, gone or empty as an unmounted folder is, was not deleted line by line: a command then saves to the
journal, says with exit 74 that the documents are behind, and writes nothing there. When the folder is back, or when `init`
makes it anew from the journal, everything is there exactly once.

The controls apply the whole journal again with every command, and write into the empty folder as if it were the real one.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sharing import Crash, crashing, days, holdfast, journal_ids, left_over, lines_in, opened, saved_id, text_of

from holdfast.memory import Memory
from holdfast.model import Note
from holdfast.storage.store import Store

SESSION = "agent:main"


def _day(workspace: Path) -> Path:
    return workspace / "memory" / time.strftime("%Y-%m-%d.md")


def _without_line(path: Path, line: str) -> None:
    """Take one line out of a file, as a person would, and leave all else as it is."""
    lines = text_of(path).split("\n")
    found = [text for text in lines if text.endswith(line)]
    assert len(found) == 1, (line, found)
    lines.remove(found[0])
    path.write_text("\n".join(lines))


def _without_binding(workspace: Path) -> None:
    path = workspace / "memory/context-session-map.json"
    found = json.loads(path.read_text())
    del found["bound"]
    path.write_text(json.dumps(found))


def _lines_of(pattern: str) -> Callable[[Path], list[str]]:
    return lambda workspace: lines_in(workspace.glob(pattern))


TOPIC = "memory/context-harbour.md"
# what a person deletes: (how, where it must not come back, how its line would end there)
DELETIONS: dict[str, tuple[Callable[[Path], None], Callable[[Path], list[str]], str]] = {
    "a note": (lambda w: _without_line(_day(w), "- note 2"), _lines_of("memory/2*.md"), "- note 2"),
    "a decision of a topic": (lambda w: _without_line(w / TOPIC, ": decision 2"), _lines_of(TOPIC), ": decision 2"),
    "a day": (lambda w: _day(w).unlink(), _lines_of("memory/2*.md"), "- note 1"),
    "a topic": (lambda w: (w / TOPIC).unlink(), _lines_of(TOPIC), ": decision 1"),
    "a line of the buffer": (
        lambda w: _without_line(w / "memory/working-buffer.md", " decide: choice 2"),
        _lines_of("memory/working-buffer.md"),
        " decide: choice 2",
    ),
    "a decision of the state": (
        lambda w: _without_line(w / "memory/session-state.md", "- choice 2"),
        _lines_of("memory/session-state.md"),
        "- choice 2",
    ),
    "a binding": (_without_binding, lambda w: list(json.loads(text_of(w / "memory/context-session-map.json"))), "bound"),
}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A workspace with three of everything."""
    found = tmp_path / "workspace"
    memory = opened(found)
    memory.bind("bound", "harbour")
    for n in (1, 2, 3):
        memory.note(SESSION, Note(f"note {n}"))
        memory.checkpoint(SESSION, {"task": f"task {n}"}, topic="harbour", history=(f"history {n}",))
        memory.checkpoint(SESSION, {"decisions": (f"decision {n}",)}, topic="harbour")
        memory.change(SESSION, {"decisions": (f"choice {n}",)})
    memory.close()
    return found


LATER: list[Callable[[Memory, int], Any]] = [
    lambda memory, n: memory.note(SESSION, Note(f"later note {n}")),
    lambda memory, n: memory.change(SESSION, {"task": f"later task {n}"}),
    lambda memory, n: memory.checkpoint(SESSION, {"goal": f"later {n}"}, topic="harbour", history=(f"later history {n}",)),
    lambda memory, n: memory.change("another", {"task": f"its task {n}"}),
    lambda memory, n: memory.snapshot(SESSION),
    lambda memory, n: memory.bind("third", "harbour"),
    lambda memory, n: memory.change(SESSION, {"decisions": (f"later choice {n}",)}),
]


def _came_back(workspace: Path, what: str) -> bool:
    _, lines, end = DELETIONS[what]
    return any(line.endswith(end) for line in lines(workspace))


@pytest.mark.parametrize("what", DELETIONS)
def test_what_a_person_deletes_stays_deleted(workspace: Path, what: str) -> None:
    """No later command of any kind brings back what a person took out of a document."""
    DELETIONS[what][0](workspace)
    for n, later in enumerate(LATER):
        memory = opened(workspace)
        later(memory, n)
        memory.close()
        assert not _came_back(workspace, what), f"after later command {n}"


CRASHES = [(what, moment) for what in DELETIONS for moment in ("before", "after")]


@pytest.mark.parametrize(("what", "moment"), CRASHES)
def test_what_a_person_deletes_stays_deleted_through_crashes(workspace: Path, tmp_path: Path, what: str, moment: str) -> None:
    """A crash at any step of the command before the deletion, or of the one after it, does not bring it back either."""
    points = 0
    for at in range(1, 100):
        copy = tmp_path / f"crash-{at}"
        shutil.copytree(workspace, copy)
        if moment == "after":
            DELETIONS[what][0](copy)
        memory = opened(copy)
        with pytest.MonkeyPatch.context() as patch:
            done = crashing(at, patch)
            crashed = False
            try:
                memory.checkpoint(SESSION, {"goal": "crashed"}, topic="harbour", history=("crashed",))
            except Crash:
                crashed = True
        memory.close()
        if not crashed:
            break
        points += 1
        if moment == "before":
            DELETIONS[what][0](copy)
        for n, later in enumerate(LATER[:2]):
            memory = opened(copy)
            later(memory, n)
            memory.close()
        assert not _came_back(copy, what), f"step {at} ({done[-1]})"
        assert left_over(copy) == []
        shutil.rmtree(copy)
    print(f"{points} crashes")
    assert points > 20


def test_control_a_journal_that_is_applied_again_brings_deletions_back(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same check fails where every command makes the documents anew from the journal."""
    DELETIONS["a note"][0](workspace)
    memory = opened(workspace)
    for record_id in journal_ids(workspace):
        memory.journal.pending.touch(record_id)
    LATER[0](memory, 0)
    memory.close()
    assert _came_back(workspace, "a note")


# ---- what upkeep has brought home --------------------------------------------------------------------------------------

HOMES = {
    "a decision": "memory/semantic/decisions.md",
    "a friction": "memory/procedural/lessons-learned.md",
    "a question": "MEMORY.md",
}
BROUGHT = {"a decision": "use uv", "a friction": "flaky test", "a question": "Which bank?"}


def _reviewed(workspace: Path, *words: str) -> None:
    done = holdfast(workspace, "upkeep", "review", *words)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def at_home(workspace: Path) -> Path:
    """A workspace of which a review has brought home a decision, what rubs and an open question."""
    (workspace / "MEMORY.md").write_text("# Mine\n\n## Open Questions\n- My own?\n")
    saved_id(holdfast(workspace, "checkpoint", "--task", "t", "--decision", "use uv", "--question", "Which bank?"))
    for _ in range(2):
        saved_id(holdfast(workspace, "note", "#friction: flaky test"))
    _reviewed(workspace)
    for what, home in HOMES.items():
        assert BROUGHT[what] in text_of(workspace / home)
    return workspace


@pytest.mark.parametrize("what", HOMES)
def test_what_a_person_deletes_at_home_stays_deleted(at_home: Path, what: str) -> None:
    """The blocks and the notes of the week still say it, also those that come later; no review brings it home again."""
    home = at_home / HOMES[what]
    home.write_text("".join(line for line in text_of(home).splitlines(True) if BROUGHT[what] not in line))
    for n in range(2):
        _reviewed(at_home)
        assert BROUGHT[what] not in text_of(home)
        saved_id(holdfast(at_home, "checkpoint", "--task", f"later {n}", "--decision", f"later {n}", "--question", f"Later {n}?"))
    _reviewed(at_home)
    assert "later 1" in text_of(at_home / HOMES["a decision"])
    assert "My own?" in text_of(at_home / "MEMORY.md")


def test_a_review_that_was_only_shown_has_brought_nothing_home(workspace: Path) -> None:
    """After a dry run the review brings home what it has shown."""
    saved_id(holdfast(workspace, "checkpoint", "--task", "t", "--decision", "use uv"))
    _reviewed(workspace, "--dry-run")
    _reviewed(workspace)
    assert "use uv" in text_of(workspace / HOMES["a decision"])


def test_nothing_is_left_of_what_was_brought_home_once_it_is_forgotten(at_home: Path) -> None:
    """What is remembered of it is a digest under the workspace's key, and `forget` takes even that away."""
    kept = at_home / ".holdfast/brought-home"
    assert kept.stat().st_size >= 3 * 33
    assert holdfast(at_home, "forget", "use uv", "--yes").returncode == 0
    assert not kept.exists()
    _reviewed(at_home)
    assert "use uv" not in text_of(at_home / HOMES["a decision"])


# ---- a folder that has vanished ----------------------------------------------------------------------------------------


def _moved_away(workspace: Path) -> None:
    (workspace / "memory").rename(workspace.parent / "elsewhere")


def _emptied(workspace: Path) -> None:
    _moved_away(workspace)
    (workspace / "memory").mkdir()


def _back(workspace: Path) -> None:
    shutil.rmtree(workspace / "memory", ignore_errors=True)
    (workspace.parent / "elsewhere").rename(workspace / "memory")


VANISHED = {"moved away": _moved_away, "emptied": _emptied}
COMMANDS: dict[str, tuple[str, ...]] = {
    "note": ("note", "while it was away"),
    "task": ("task", "while it was away"),
    "checkpoint": ("checkpoint", "--topic", "harbour", "--decision", "while it was away"),
}


def _written_there(workspace: Path) -> list[str]:
    return sorted(str(path.relative_to(workspace)) for path in (workspace / "memory").rglob("*"))


def _everything_once(workspace: Path, words: tuple[str, ...]) -> None:
    day, topic = lines_in(days(workspace)), lines_in([workspace / TOPIC])
    for n in (1, 2, 3):
        assert day.count(f"- note {n}") == 1, n
        assert sum(line.endswith(f": decision {n}") for line in topic) == 1, n
    if words[0] == "note":
        assert day.count("- while it was away") == 1
    elif words[0] == "task":
        assert text_of(workspace / "memory/working-buffer.md").count("task: while it was away") == 1
    else:
        assert sum(line.endswith(": while it was away") for line in topic) == 1
    ids = [line for line in day if line.startswith("<!-- holdfast: ")]
    assert len(ids) == len(set(ids)) == 6 + (words[0] == "checkpoint")
    assert left_over(workspace) == []


@pytest.mark.parametrize("words", [pytest.param(words, id=name) for name, words in COMMANDS.items()])
@pytest.mark.parametrize("how", VANISHED)
def test_a_vanished_folder_is_not_written_to_and_nothing_is_lost(workspace: Path, how: str, words: tuple[str, ...]) -> None:
    """While `memory/` is away records go to the journal, with exit 74; once it is back everything is there once."""
    before = journal_ids(workspace)
    VANISHED[how](workspace)
    for _ in range(2):
        done = holdfast(workspace, *words) if _ == 0 else holdfast(workspace, "note", "a second one")
        assert done.returncode == 74
        assert "Saved as " in done.stderr
        assert "could not be brought up to date" in done.stderr
        assert _written_there(workspace) == []
        assert (workspace / "memory").exists() == (how == "emptied")
    assert len(journal_ids(workspace)) == len(before) + 2
    _back(workspace)
    saved_id(holdfast(workspace, "note", "after it came back"))
    _everything_once(workspace, words)
    assert lines_in(days(workspace)).count("- a second one") == 1


@pytest.mark.parametrize("words", [pytest.param(words, id=name) for name, words in COMMANDS.items()])
@pytest.mark.parametrize("how", VANISHED)
def test_init_makes_a_vanished_folder_anew_from_the_journal(
    workspace: Path, how: str, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`init --yes` puts every record back, those saved while it was away too, each exactly once; nothing counts as deleted."""
    monkeypatch.setenv("XDG_STATE_HOME", str(workspace.parent / "state"))
    VANISHED[how](workspace)
    assert holdfast(workspace, *words).returncode == 74
    done = holdfast(workspace, "init", "--yes")
    assert done.returncode == 0, done.stderr
    saved_id(holdfast(workspace, "note", "after it was made anew"))
    _everything_once(workspace, words)
    memory = opened(workspace)
    state = memory.state(SESSION)
    memory.close()
    assert state.task == "task 3"
    assert {f"choice {n}" for n in (1, 2, 3)} <= set(state.decisions)


@pytest.mark.parametrize("words", [("status",), ("recover",), ("show", "state")])
def test_reading_writes_nothing_into_a_vanished_folder(workspace: Path, words: tuple[str, ...]) -> None:
    """A command that only reads makes no folder and no file where `memory/` has vanished, even with records waiting."""
    _moved_away(workspace)
    assert holdfast(workspace, "note", "waiting").returncode == 74
    assert holdfast(workspace, *words).returncode == 0
    assert not (workspace / "memory").exists()


def test_control_an_empty_folder_taken_for_the_real_one_is_found_out(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same check fails where an empty folder is written to as if nothing had happened."""
    monkeypatch.setattr(Store, "vanished", lambda self: False)
    _emptied(workspace)
    memory = opened(workspace)
    memory.note(SESSION, Note("while it was away"))
    memory.close()
    assert _written_there(workspace) != []
