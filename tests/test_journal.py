"""The marks of the journal: which records the documents have still to take on, and who has them do so."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conftest import Holdfast
from holdfast.storage import writing
from holdfast.storage.disk import Folder, Lock


def _unreadable(record: Path) -> None:
    """What stands there cannot be looked at now, as on a bad sector; it may be whole all the same."""
    record.unlink()
    record.mkdir()


def _torn(record: Path) -> None:
    record.write_bytes(record.read_bytes()[:40])


MARKS: dict[str, tuple[Callable[[Path], None], float, bool]] = {  # what became of it, how old its mark is, whether that stays
    "the record was never written": (Path.unlink, 3600, False),
    "the record is still being written": (Path.unlink, 1, True),
    "the record is torn": (_torn, 3600, False),
    "the record cannot be read now": (_unreadable, 3600, True),
}


@pytest.mark.parametrize("case", MARKS)
def test_a_mark_goes_only_with_a_writer_that_died(holdfast: Holdfast, workspace: Path, case: str) -> None:
    """Taken away too early, what it stands for would be in no document for good."""
    happens, age, stays = MARKS[case]
    assert holdfast("task", "the first").code == 0
    (record,) = (workspace / ".holdfast/journal").glob("*/*.md")
    mark = workspace / ".holdfast/pending" / record.stem
    mark.touch()
    os.utime(mark, (time.time() - age,) * 2)
    happens(record)
    holdfast("decide", "something else")
    assert mark.exists() is stays


# ---- catching up -------------------------------------------------------------------------------------------------------


@pytest.fixture
def busy(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Lock]:
    """Another writer, who lets nobody in until it releases its lock; nobody waits long for it."""
    monkeypatch.setattr(writing, "PATIENCE", 0.01)
    (workspace / ".holdfast").mkdir(parents=True)
    with Folder.open(str(workspace / ".holdfast")) as home:
        lock = Lock(home)
    yield lock
    lock.close()


@pytest.mark.parametrize("words", [("show", "state"), ("status",), ("recover",)], ids=" ".join)
def test_who_reads_beside_a_writer_changes_no_document(
    holdfast: Holdfast, workspace: Path, busy: Lock, words: tuple[str, ...]
) -> None:
    """Two that bring a document up to date at once would undo each other's work; the one who reads leaves it to the writer."""
    assert holdfast("note", "the egret is white").code == 0
    assert busy.take(0)
    answer = holdfast("note", "the heron is grey")
    assert answer.code == 0
    (day,) = (workspace / "memory").glob("2*.md")
    before = day.read_bytes()
    assert holdfast(*words).code == 0
    assert day.read_bytes() == before
    assert [mark.name for mark in (workspace / ".holdfast/pending").iterdir()] == [answer.id]
    busy.release()
    assert holdfast(*words).code == 0
    assert day.read_text().count("- the heron is grey\n") == 1
    assert list((workspace / ".holdfast/pending").iterdir()) == []


def test_a_vanished_memory_is_made_anew_by_one_alone(holdfast: Holdfast, workspace: Path, busy: Lock) -> None:
    """Beside a writer nothing is put back, and that is said; afterwards all is, and the answer says how much that was."""
    for bird in ("heron", "egret", "stork"):
        assert holdfast("note", f"a {bird}").code == 0
    shutil.rmtree(workspace / "memory")
    assert busy.take(0)
    answer = holdfast("init", "--yes")
    assert answer.code != 0
    assert "Another process is writing here. Nothing was changed" in answer.err
    assert not list((workspace / "memory").glob("2*.md"))
    shutil.rmtree(workspace / "memory")
    busy.release()
    answer = holdfast("init", "--yes")
    assert answer.code == 0, answer.err
    assert "memory/ had vanished; 3 records were put back from the journal" in answer.out
    (day,) = (workspace / "memory").glob("2*.md")
    assert [day.read_text().count(f"- a {bird}\n") for bird in ("heron", "egret", "stork")] == [1, 1, 1]


def test_documents_that_never_were_are_not_taken_for_vanished(holdfast: Holdfast, workspace: Path) -> None:
    """Where something stood in the way of the first of them: once it is gone, all that was saved comes to its document."""
    workspace.mkdir()
    (workspace / "memory").write_text("not a folder")
    assert holdfast("note", "the first").code == 74
    (workspace / "memory").unlink()
    assert holdfast("note", "the second").code == 0
    (day,) = (workspace / "memory").glob("2*.md")
    assert [day.read_text().count(f"- the {which}\n") for which in ("first", "second")] == [1, 1]
