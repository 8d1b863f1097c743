"""K4: the index may be deleted, stale, corrupt or from the future: a search answers as with a fresh one.

A workspace of a few hundred passages is searched with its index in every state that an index file may get into: missing, empty,
cut off anywhere, with bytes overwritten anywhere, older and newer than this program, somebody else's database, a folder, a link,
an old copy put back with its moment, half written by a process that was killed or by a power cut, written by many at once, held
by a process that was stopped, not writable at all. The hits must be those of a fresh build, score by score. The controls believe
any index that opens, or change it without breaking its seal first, and are found out.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from holdfast.config import Config
from holdfast.recall import answering as recall
from holdfast.recall import index
from holdfast.recall.answering import Result
from holdfast.storage.disk import Folder

WORDS = [a + b + c for a in ("ka", "lo", "mi", "ne", "su") for b in ("r", "t", "v", "") for c in ("an", "el", "is", "ok", "um")]
QUESTIONS = [" ".join(WORDS[i : i + 3]) for i in range(0, 90, 9)] + ["河流 森林", '"one phrase"', "shouldCondense"]
LATER = 3600.0  # by then every file has settled


@pytest.fixture
def full(workspace: Path) -> Path:
    """A workspace with thirty documents."""
    chance = random.Random(4)
    for number in range(30):
        lines = [f"- {' '.join(chance.choices(WORDS, k=12))}" for _ in range(12)]
        path = workspace / "memory" / f"2026-{number % 12 + 1:02}-{number % 27 + 1:02}-{number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        lines += [f"- 河流穿过森林 {number}", f"- one phrase shouldCondense {number}"]
        path.write_text("\n\n".join(["# Day", *lines]) + "\n")
    return workspace


def answers(workspace: Path, now: float = 0, *, anew: bool = True) -> list[Result]:
    """Every question, asked one after another; what is to be known besides is not compared.

    By a process that has never seen the index; or, not `anew`, by one that remembers what the last whole one knew.
    """
    moment = now or time.time() + LATER
    if anew:
        index._held.clear()
    return [recall.search(str(workspace), question, Config(), moment).replaced(note="") for question in QUESTIONS]


def fresh(workspace: Path) -> list[Result]:
    """What a workspace without any index answers."""
    (workspace / ".holdfast" / index.NAME).unlink(missing_ok=True)
    found = answers(workspace)
    assert all(result.hits for result in found)
    return found


def file_of(workspace: Path) -> Path:
    return workspace / ".holdfast" / index.NAME


def overwritten(at: float, data: bytes) -> Callable[[Path], None]:
    def do(workspace: Path) -> None:
        with file_of(workspace).open("r+b") as file:
            file.seek(int(file_of(workspace).stat().st_size * at))
            file.write(data)

    return do


def reworded(workspace: Path) -> None:
    """A word that is another in every page: all of it is sound, and what it says is not what the files say."""
    whole = file_of(workspace).read_bytes()
    file_of(workspace).write_bytes(whole.replace(b"one phrase", b"any phrase"))


def cut(share: float) -> Callable[[Path], None]:
    def do(workspace: Path) -> None:
        os.truncate(file_of(workspace), int(file_of(workspace).stat().st_size * share))

    return do


def versioned(version: int) -> Callable[[Path], None]:
    """An index of another version, whole and sealed: only its number tells."""

    def do(workspace: Path) -> None:
        seal = file_of(workspace).stat().st_mtime_ns
        db = sqlite3.connect(file_of(workspace))
        db.execute("delete from file where id % 2")
        db.execute(f"pragma user_version = {version}")
        db.commit()
        db.close()
        os.utime(file_of(workspace), ns=(seal, seal))

    return do


def foreign(workspace: Path) -> None:
    """Somebody else's database under our name."""
    file_of(workspace).unlink()
    db = sqlite3.connect(file_of(workspace))
    db.execute("create table about(seal, files, passages)")
    db.commit()
    db.close()


def in_the_way(workspace: Path) -> None:
    file_of(workspace).unlink()
    file_of(workspace).mkdir()


def linked(workspace: Path) -> None:
    target = workspace / "elsewhere.sqlite"
    file_of(workspace).rename(target)
    with target.open("r+b") as file:
        file.write(b"x" * 100)
    file_of(workspace).symlink_to(target)


def beside(ending: str, data: bytes) -> Callable[[Path], None]:
    """What another program left behind, and would play back into the index; and the index is spoilt, so that it is made anew."""

    def do(workspace: Path) -> None:
        file_of(workspace).with_name(index.NAME + ending).write_bytes(data)
        overwritten(0.5, b"z")(workspace)

    return do


HOT = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + (1).to_bytes(4, "big") + bytes(4) + (8).to_bytes(4, "big")  # of a rollback journal
HOT += (512).to_bytes(4, "big") + (4096).to_bytes(4, "big") + bytes(512 - 28) + (2).to_bytes(4, "big") + bytes(4096) + bytes(4)


STATES: dict[str, Callable[[Path], None]] = {
    "deleted": lambda workspace: file_of(workspace).unlink(),
    "empty": cut(0),
    **{f"cut at {share}": cut(share) for share in (0.001, 0.1, 0.5, 0.9, 0.999)},
    **{f"overwritten at {at}": overwritten(at, b"\xa5" * 600) for at in (0, 0.02, 0.1, 0.25, 0.4, 0.55, 0.7, 0.85, 0.97)},
    "one letter": overwritten(0.5, b"z"),
    "zeros": overwritten(0.05, b"\0" * 50_000),
    "other words": reworded,
    "older": versioned(index.VERSION - 1),
    "newer": versioned(index.VERSION + 1),
    "far in the future": versioned(2_000_000),
    "somebody else's": foreign,
    "a folder": in_the_way,
    "a link": linked,
    "with a journal beside it": beside("-journal", HOT),
    "with a write-ahead log beside it": beside("-wal", b"x" * 9000),
}


@pytest.mark.parametrize("anew", [True, False], ids=["a new process", "one that goes on"])
@pytest.mark.parametrize("state", STATES)
def test_whatever_the_index_is_the_answer_is_that_of_a_fresh_one(state: str, anew: bool, full: Path) -> None:
    """The same hits with the same scores, at once and again."""
    expected = fresh(full)
    STATES[state](full)
    assert answers(full, anew=anew) == expected
    assert answers(full, anew=anew) == expected


def test_an_old_copy_put_back_answers_for_the_files_as_they_are(full: Path) -> None:
    """A stale index with its seal (a restored backup) is brought up to date, not believed."""
    answers(full)
    shutil.copy2(file_of(full), full / "backup.sqlite")
    for number, path in enumerate(sorted((full / "memory").iterdir())[:20]):
        if number % 2:
            path.unlink()
        else:
            path.write_text(f"# Day\n\n- {' '.join(WORDS[number : number + 9])}\n")
    answers(full)
    shutil.copy2(full / "backup.sqlite", file_of(full))
    stale = answers(full)
    assert stale == fresh(full)


def test_a_builder_that_is_killed_leaves_nothing_half(full: Path) -> None:
    """Killed at twenty moments of its build, it leaves the old index or the new one, and no debris after the next search."""
    expected = fresh(full)
    program = f"import sys; from holdfast.cli import main; sys.exit(main(['--workspace', {str(full)!r}, 'search', 'karan']))"
    for number in range(20):
        file_of(full).unlink(missing_ok=True)
        child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.DEVNULL)
        time.sleep(0.03 + number * 0.006)
        child.send_signal(signal.SIGKILL)
        child.wait()
        assert answers(full) == expected
    assert [path.name for path in (full / ".holdfast").iterdir()] == [index.NAME]


DYING = """
import os, sys, time
from holdfast.recall import index
from holdfast.recall import answering as recall
from holdfast.config import Config
workspace, sealed = sys.argv[1], sys.argv[2] == "sealed"
made, put = index.Changes._made, index.Changes.put_into
def dying(self, number):
    for count, rows in enumerate(made(self, number), 1):
        yield rows
        if count == 29:  # and they are in the index
            os.kill(os.getpid(), 9)
def unbroken(self, db):
    db.execute("update about set seal = ?", (self.seal,))  # as if it had not been broken first
    return put(self, db)
index.Changes._made = dying
if not sealed:
    index.Changes.put_into = unbroken
recall.search(workspace, "karan", Config(), time.time() + 7200)
"""


def cut_off(workspace: Path, how: str) -> None:
    """A power cut in the middle of a large change in place: pages are written, the file's moment is not; then the old files."""
    kept, old = {path: path.read_bytes() for path in (workspace / "memory").iterdir()}, file_of(workspace).stat()
    for number, (path, data) in enumerate(kept.items()):
        path.write_bytes(data.replace(b"kar", b"zor") * 40 + b"\n- %d\n" % number)
    child = subprocess.run([sys.executable, "-c", DYING, str(workspace), how], check=False)
    assert child.returncode == -signal.SIGKILL
    changed = file_of(workspace).stat()
    assert (changed.st_ino, changed.st_size > old.st_size) == (old.st_ino, True)
    for path, data in kept.items():
        path.write_bytes(data)
    os.utime(file_of(workspace), ns=(old.st_mtime_ns, old.st_mtime_ns))


def test_a_change_in_place_that_is_cut_off_is_known_by_its_broken_seal(full: Path) -> None:
    """The seal is broken before the first page is changed, so that no moment of the file can make a torn index look whole."""
    expected = fresh(full)
    cut_off(full, "sealed")
    assert index._believed(str(full)) is None
    assert answers(full) == expected


def test_control_a_change_in_place_without_breaking_the_seal_is_found_out(full: Path) -> None:
    """The control: the same power cut, the seal unbroken: a torn index is believed."""
    fresh(full)
    cut_off(full, "unsealed")
    believed = index._believed(str(full))
    assert believed
    try:
        said = believed.execute("pragma integrity_check").fetchall()
    except sqlite3.DatabaseError as error:
        said = [(str(error),)]
    believed.close()
    print(f"control: {said[0][0]}")
    assert said != [("ok",)]


def test_an_edit_changes_few_pages_of_the_index_whatever_its_size(full: Path) -> None:
    """Brought up to date in place: an edit costs what has changed, and not what the corpus has."""
    changed = []
    for copies in (1, 8):
        for number in range(30 * copies):
            source = sorted((full / "memory").glob("2026-*"))[number % 30]
            (full / "memory" / f"copy-{number}.md").write_text(f"# {number}\n\n{source.read_text()}")
        moment = time.time() + LATER * copies
        recall.search(str(full), "karan", Config(), moment)
        before, inode = file_of(full).read_bytes(), file_of(full).stat().st_ino
        (full / "memory" / "copy-7.md").write_text("# Day\n\n- karan edited\n")
        recall.search(str(full), "karan", Config(), moment)
        after = file_of(full).read_bytes()
        assert file_of(full).stat().st_ino == inode
        pages = range(0, max(len(before), len(after)), 4096)
        changed.append(sum(before[at : at + 4096] != after[at : at + 4096] for at in pages))
        print(f"{changed[-1]} of {len(pages)} pages")
    assert changed[1] < 2 * changed[0] < len(pages) // 4


HOLDING = """
import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute(sys.argv[2])
db.execute("select * from about").fetchall()
print("held", flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize("lock", ["begin", "begin immediate", "begin exclusive"])
def test_nobody_waits_for_a_process_that_was_stopped_with_a_lock(lock: str, full: Path) -> None:
    """A reader or a writer that never goes on: the next index is made beside its own, and takes the name."""
    fresh(full)
    child = subprocess.Popen([sys.executable, "-c", HOLDING, str(file_of(full)), lock], stdout=subprocess.PIPE)
    try:
        assert child.stdout
        assert child.stdout.readline() == b"held\n"
        (full / "memory" / "new.md").write_text("# Day\n\n- karan came later\n")
        grown = answers(full)
        assert any("karan came later" in hit.text for hit in recall.search(str(full), "karan later", Config(), time.time()).hits)
    finally:
        child.kill()
        child.communicate()
    assert grown == fresh(full)


def test_readers_see_a_whole_index_while_others_change_it(full: Path) -> None:
    """Six processes search while the files are edited forty times: every answer is that of the files before or after an edit."""
    program = (
        "import sys, time; from holdfast.recall import answering as recall; from holdfast.config import Config\n"
        "for _ in range(40):\n"
        "    result = recall.search(sys.argv[1], 'heron', Config(), time.time(), limit=50)\n"
        "    print(len({hit.path for hit in result.hits}), len({hit.text.split()[-1] for hit in result.hits}), result.note)\n"
    )
    for number in range(30):
        (full / "memory" / f"birds-{number}.md").write_text(f"# Day\n\n- heron {number} seen at pond 0\n")
    children = [subprocess.Popen([sys.executable, "-c", program, str(full)], stdout=subprocess.PIPE, text=True) for _ in range(6)]
    for turn in range(1, 41):
        day = full / "memory" / f"birds-{turn % 30}.md"
        (full / "swap").write_text(f"# Day\n\n- heron {turn % 30} seen at pond {turn}\n")
        (full / "swap").rename(day)
        time.sleep(0.01)
    lines = [line for child in children for line in child.communicate()[0].splitlines()]
    assert {child.returncode for child in children} == {0}
    assert len(lines) == 240
    assert {line.split()[0] for line in lines} == {"30"}
    assert {" ".join(line.split()[2:]) for line in lines} == {""}
    assert answers(full) == fresh(full)


def test_many_at_once_build_without_waiting_for_one_another(full: Path) -> None:
    """Eight processes find no index at the same time: all answer, all the same, and one index is left."""
    expected = fresh(full)
    file_of(full).unlink()
    words = ["--workspace", str(full), "search", "--json", "karan"]
    program = f"import sys; from holdfast.cli import main; sys.exit(main({words!r}))"
    children = [subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) for _ in range(8)]
    outputs = {child.communicate()[0] for child in children}
    assert {child.returncode for child in children} == {0}
    assert len(outputs) == 1
    assert answers(full) == expected
    assert [path.name for path in (full / ".holdfast").iterdir()] == [index.NAME]


@pytest.mark.parametrize("call", ["draft", "sealed", "child"])
def test_an_index_that_cannot_be_kept_is_made_for_the_one_search(
    call: str, full: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A read-only or full disk: the same answers, and a note that says why it was slow."""
    expected = fresh(full)
    file_of(full).unlink()

    real = Folder.child

    def refused(folder: Folder, name: str = "", *_: object, make: bool = False) -> Folder:
        if call == "child" and not make:
            return real(folder, name)  # only reading
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(Folder, call, refused)
    assert answers(full) == expected
    note = recall.search(str(full), "karan", Config(), time.time()).note
    assert "could not be kept (the file system is read-only)" in note
    assert not file_of(full).exists()


def test_a_file_in_the_place_of_our_folder_stops_no_search(full: Path) -> None:
    """Where `.holdfast` cannot even be a folder, memory serves."""
    expected = fresh(full)
    shutil.rmtree(full / ".holdfast")
    (full / ".holdfast").write_text("in the way")
    assert answers(full) == expected


def test_control_an_index_that_is_believed_without_its_seal_is_found_out(full: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: where any index that opens is believed, some of the states give other answers or none at all."""
    expected = fresh(full)
    believed = index._believed

    def credulous(workspace: str) -> sqlite3.Connection | None:
        try:
            db = sqlite3.connect(os.path.join(workspace, ".holdfast", index.NAME))
            os.utime(file_of(full), ns=(seal := db.execute("select seal from about").fetchone()[0], seal))
            db.close()
        except (sqlite3.Error, TypeError):
            pass
        return believed(workspace)

    monkeypatch.setattr(index, "_believed", credulous)
    deceived = []
    for state in [name for name in STATES if name.startswith("overwritten") or name in ("zeros", "one letter", "other words")]:
        file_of(full).unlink(missing_ok=True)
        answers(full)
        STATES[state](full)
        try:
            if answers(full) != expected:
                deceived.append(state)
        except (sqlite3.Error, TypeError, ValueError, KeyError):
            deceived.append(state)
    print(f"control: deceived by {', '.join(deceived)}")
    assert deceived
