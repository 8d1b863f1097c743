"""The first search of a big memory answers at once, says what is still coming, and has the rest read beside."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from conftest import Holdfast
from holdfast.config import Config
from holdfast.recall import answering, index
from holdfast.storage import processes

FILES = 240  # more than are read in one go


@pytest.fixture
def big(workspace: Path) -> Path:
    """A workspace with many documents, each newer than the one before, and a journal."""
    memory = workspace / "memory"
    memory.mkdir(parents=True)
    for number in range(FILES):
        path = memory / f"lamp-{number:03}.md"
        path.write_text(f"# Lamp {number}\n\n- the lamp number{number} is lit\n")
        os.utime(path, (1_700_000_000 + number, 1_700_000_000 + number))
    return workspace


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """No time to read more than one file, and no process beside."""
    monkeypatch.setattr(answering, "AT_ONCE", -1.0)
    monkeypatch.setattr(processes, "detached", lambda: False)


def search(workspace: Path, words: str) -> answering.Result:
    return answering.search(str(workspace), words, Config(), time.time())


def test_what_there_was_no_time_for_is_said(big: Path, hurried: None) -> None:
    """The newest document is found at once; how many are still coming stands before all else that is said."""
    found = search(big, f"number{FILES - 1}")
    assert [hit.path for hit in found.hits] == [f"memory/lamp-{FILES - 1:03}.md"]
    assert found.note.startswith(f"Not searched yet: {FILES - 1} of {FILES} files, the older ones; they ")
    assert "beside" in found.note
    older = search(big, "number3")
    assert "memory/lamp-003.md" not in [hit.path for hit in older.hits]
    assert "Not searched yet" in older.note


def test_every_search_brings_it_further_and_the_end_says_nothing(big: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no process beside can be had; nothing is read twice, and nothing is missing in the end."""
    monkeypatch.setattr(answering, "finish_beside", lambda *_: False)
    monkeypatch.setattr(answering, "AT_ONCE", -1.0)
    assert "are read by the next searches" in search(big, "lamp").note
    assert search(big, "lamp").files == 2
    monkeypatch.undo()
    whole = search(big, "number3")
    assert [hit.path for hit in whole.hits] == ["memory/lamp-003.md"]
    assert whole.files == FILES
    assert "Not searched yet" not in whole.note


def test_an_edit_is_found_while_much_is_still_coming(big: Path, hurried: None) -> None:
    """What a person has changed comes before what was never read."""
    search(big, "lamp")
    newest = big / "memory" / f"lamp-{FILES - 1:03}.md"
    newest.write_text("# Lamp\n\n- the lamp is a hippopotamus now\n")
    assert [hit.path for hit in search(big, "hippopotamus").hits] == [f"memory/{newest.name}"]


def test_records_of_a_day_that_was_read_in_part_are_read_later(
    holdfast: Holdfast, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A day of the journal is a folder; one that lacks some of its records is looked into again."""
    for number in range(6):
        assert holdfast("note", f"record{number} of the lamp").code == 0
    monkeypatch.setattr(answering, "finish_beside", lambda *_: False)
    monkeypatch.setattr(answering, "AT_ONCE", -1.0)
    for _ in range(30):
        result = search(workspace, "lamp")
        if "Not searched yet" not in result.note:
            break
    monkeypatch.undo()
    assert result.files == search(workspace, "lamp").files >= 7


RUN = (
    "import sys; from holdfast.recall import answering; answering.AT_ONCE = -1.0\n"
    "from holdfast.cli import main; sys.exit(main(sys.argv[1:]))"
)


def test_the_rest_is_read_by_a_process_beside(big: Path) -> None:
    """It goes on after the command has answered, and the next search has all of it."""
    env = {**os.environ, "PYTHONPATH": str(Path(index.__file__).parent.parent.parent)}
    argv = [sys.executable, "-c", RUN, "--workspace", str(big), "search", "number3"]
    (big / ".holdfast").mkdir()
    first = subprocess.run(argv, env=env, capture_output=True, text=True, check=True)
    assert f"Not searched yet: {FILES - 1} of {FILES} files, the older ones; they are being read beside." in first.stdout
    for _ in range(600):
        db = index._believed(str(big))
        files = db.execute("select files from about").fetchone()[0] if db else 0
        if db:
            db.close()
        if files == FILES:
            break
        time.sleep(0.05)
    then = subprocess.run(argv, env=env, capture_output=True, text=True, check=True)
    assert "memory/lamp-003.md" in then.stdout
    assert "Not searched yet" not in then.stdout


def test_two_searches_begin_one_process(big: Path, hurried: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever holds the lock is at it; another one is begun only when it is gone."""
    search(big, "lamp")
    begun: list[str] = []
    monkeypatch.setattr(processes, "detached", lambda: begun.append("one"))
    with index._home(str(big)) as home:
        lock = index.Lock(home, index._BUILDER)
    assert lock.take(0)
    assert index.finish_beside(str(big), Config(), time.time())
    assert begun == []
    lock.close()
    assert index.finish_beside(str(big), Config(), time.time())
    assert begun == ["one"]


def test_an_unfinished_index_never_takes_the_place_of_a_fuller_one(
    big: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While one search made a part of it, the whole was put in place: that one answers, and stays."""
    made = index._begun

    def overtaken(db: object, kept: object) -> None:
        monkeypatch.setattr(index, "_begun", made)
        index.up_to_date(str(big), Config(), time.time()).close()
        made(db, kept)  # type: ignore[arg-type]

    monkeypatch.setattr(index, "_begun", overtaken)
    found = index.up_to_date(str(big), Config(), time.time(), seconds=-1.0)
    assert found.files == FILES
    found.close()
    assert search(big, "number3").hits


def test_what_is_forgotten_while_the_index_is_made_is_not_in_it(
    holdfast: Holdfast, big: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its maker has read the text already: the unfinished index goes with the rest, and is given up."""
    made = index._begun

    def interrupted(db: object, kept: object) -> None:
        made(db, kept)  # type: ignore[arg-type]
        monkeypatch.setattr(index, "_begun", made)
        assert holdfast("forget", "--yes", "number7 is").code == 0

    holdfast("note", "tea")
    monkeypatch.setattr(index, "_begun", interrupted)
    index.up_to_date(str(big), Config(), time.time()).close()
    kept = [path for path in (big / ".holdfast").iterdir() if path.is_file()]
    assert not [path.name for path in kept if path.name.startswith(("tmp-", "index.sqlite"))]
    assert not [path.name for path in kept if b"number7" in path.read_bytes()]
