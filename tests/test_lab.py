"""The laboratory finds each seeded bug of the toy, and finds nothing in the right one."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lab import acks, crash_states, disk_model, kill_points, nth_fault, power, racers, toy, trace
from lab.command import ROOT, Command, Report, tree
from lab.inject import Fault, Outcome, strike, trace_on_copy

TEXT = "what must not be lost, " * 40
OLD = b"saved long ago"
TOY = str(Path(toy.__file__))
BROKEN = str(Path(toy.__file__).with_name("broken.py"))


def save(bug: str = "") -> Command:
    """The toy, saving the note `new`."""
    return Command((sys.executable, "-S", TOY, ROOT, "new", TEXT, *([bug] if bug else [])))


def save_broken(variant: str) -> Command:
    """The right toy, broken from outside by broken.py."""
    return Command((sys.executable, BROKEN, variant, "--main", "toy:main", "--", ROOT, "new", TEXT))


@pytest.fixture
def prepared(tmp_path: Path) -> Path:
    """A store with one note in it."""
    folder = tmp_path / "prepared"
    (folder / "notes").mkdir(parents=True)
    (folder / "notes" / "old").write_bytes(OLD)
    return folder


def check_store(folder: Path, acked: bool) -> None:
    """The toy's promise: whole or not there; there if acknowledged; the old note untouched."""
    found = tree(folder)
    assert found.get("notes/old") == OLD, "the old note is damaged"
    assert found.get("notes/new") in (None, TEXT.encode()), "the new note is torn"
    assert not acked or "notes/new" in found, "the acknowledged note is lost"


def check_outcome(outcome: Outcome) -> None:
    check_store(outcome.folder, outcome.acked)


def check_failure(outcome: Outcome) -> None:
    """A failed call is an error that is said, and never an acknowledgement of nothing."""
    check_store(outcome.folder, outcome.acked)
    assert outcome.acked or (outcome.returncode, bool(outcome.stderr)) == (74, True)


def by_kill(command: Command, prepared: Path, work: Path) -> Report:
    return kill_points.kill_everywhere(command, prepared, work, check_outcome)


def by_nth_fault(command: Command, prepared: Path, work: Path) -> Report:
    return nth_fault.fail_everywhere(command, prepared, work, check_failure)


def by_crash_states(command: Command, prepared: Path, work: Path) -> Report:
    return crash_states.examine(command, prepared, work, check_store)


Method = Callable[[Command, Path, Path], Report]


@pytest.mark.parametrize("method", [by_kill, by_nth_fault, by_crash_states])
def test_nothing_is_found_in_the_right_toy(method: Method, prepared: Path, tmp_path: Path) -> None:
    """A finding is never the laboratory's own fault: the right protocol passes every method."""
    method(save(), prepared, tmp_path / "work").raise_if_any()
    assert list((tmp_path / "work").iterdir()) == []


@pytest.mark.parametrize(
    ("method", "command"),
    [
        (by_kill, save("early-ack")),
        (by_kill, save_broken("early-ack")),
        (by_nth_fault, save("early-ack")),
        (by_nth_fault, save("swallow-errors")),
        (by_crash_states, save("no-fsync")),
        (by_crash_states, save("no-folder-fsync")),
        (by_crash_states, save("early-ack")),
        (by_crash_states, save_broken("no-fsync")),
        (by_crash_states, save_broken("no-folder-fsync")),
        (by_crash_states, save_broken("early-ack")),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_each_seeded_bug_is_found(
    method: Method, command: Command, prepared: Path, tmp_path: Path
) -> None:
    """Each bug is found by each method that can see it."""
    report = method(command, prepared, tmp_path / "work")
    assert report.violations
    assert report.missed == ()


def test_a_missing_folder_is_made_durable_too(tmp_path: Path) -> None:
    """The model sees the name of a new folder in its parent, not only the names inside it."""
    empty = tmp_path / "prepared"
    empty.mkdir()

    def check(folder: Path, acked: bool) -> None:
        assert not acked or (folder / "notes" / "new").is_file()

    work = tmp_path / "work"
    crash_states.examine(save(), empty, work, check).raise_if_any()
    assert crash_states.examine(save("no-folder-fsync"), empty, work, check).violations


SHUFFLE = """
import ctypes, os, sys
root = sys.argv[1]
libc = ctypes.CDLL(None)
notes = os.open(root + "/notes", os.O_RDONLY | os.O_DIRECTORY)
fd = os.open("new", os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600, dir_fd=notes)
os.write(fd, b"one"); os.pwrite(fd, b"T", 1); os.lseek(fd, 3, 0); os.write(fd, b"!")
os.writev(fd, [b"a", b"b"]); os.ftruncate(fd, 5); os.fchmod(fd, 0o640)
assert libc.renameat2(notes, b"new", notes, b"old", 2) == 0
os.link("old", "also", src_dir_fd=notes, dst_dir_fd=notes)
os.mkdir("deep", 0o700, dir_fd=notes)
os.rename("new", "deep/older", src_dir_fd=notes, dst_dir_fd=notes)
os.chdir(root + "/notes")
os.unlink("also")
os.symlink if len(sys.argv) < 3 else os.symlink("old", "sym")
with open("deep/log", "a") as log: log.write("x"); log.flush(); log.write("y")
print("done")
"""


def test_the_model_of_a_run_without_a_cut_is_the_folder_itself(
    prepared: Path, tmp_path: Path
) -> None:
    """Replaying every kind of call gives byte for byte what the kernel made of them."""
    argv = (sys.executable, "-c", SHUFFLE, ROOT)
    run = trace_on_copy(Command(argv), prepared, tmp_path / "work", whole_data=True)
    assert run.returncode == 0, run.stderr
    real = tmp_path / "real"
    real.mkdir()
    subprocess.run(["cp", "-a", f"{prepared}/.", str(real)], check=True)
    subprocess.run([part.replace(ROOT, str(real)) for part in argv], check=True)

    built = tmp_path / "built"
    trees = []
    for number, state in enumerate(crash_states.crash_states(run, prepared)):
        folder = built / str(number)
        folder.mkdir(parents=True)
        state.build(folder)
        trees.append(tree(folder))
    assert tree(real) in trees
    assert tree(prepared) in trees


def test_what_the_model_cannot_replay_is_refused(prepared: Path, tmp_path: Path) -> None:
    """A call the model does not know stops the examination instead of looking safe."""
    command = Command((sys.executable, "-c", SHUFFLE, ROOT, "with a symlink"))
    with pytest.raises(disk_model.NotModelled, match="symlink"):
        crash_states.examine(command, prepared, tmp_path / "work", check_store)


def test_the_trace_names_files_by_descriptor_folder_and_relative_path(
    prepared: Path, tmp_path: Path
) -> None:
    """Every way to name a file below the folder is recognised, with strace's own count."""
    command = Command((sys.executable, "-c", SHUFFLE, ROOT))
    run = trace_on_copy(command, prepared, tmp_path / "work")
    names = {call.name for call in run.on_root}
    assert names >= {"openat", "write", "pwrite64", "writev", "ftruncate", "fchmod", "renameat2"}
    assert names >= {"linkat", "mkdirat", "renameat", "chdir", "unlink", "close"}
    assert trace.count_fsyncs(run.calls) == 0
    opens = [call for call in run.calls if call.name == "openat"]
    assert [call.ordinal for call in opens] == list(range(1, len(opens) + 1))
    assert f"{run.root}/notes/also" in [p for c in run.calls if c.name == "unlink" for p in c.paths]


def test_the_toy_syncs_the_file_and_the_folder(prepared: Path, tmp_path: Path) -> None:
    """The count of fsyncs is the count of the protocol: the file and its folder."""
    right = trace_on_copy(save(), prepared, tmp_path / "work")
    assert trace.count_fsyncs(right.on_root) == 2
    none = trace_on_copy(save("no-fsync"), prepared, tmp_path / "work")
    assert trace.count_fsyncs(none.on_root) == 0


def test_a_fault_that_strikes_elsewhere_is_not_counted_as_examined(
    prepared: Path, tmp_path: Path
) -> None:
    """A point that was never reached is reported as missed, not as safe."""
    outcome = strike(save(), prepared, tmp_path / "work", Fault("renameat2", 99))
    assert outcome.struck is None
    assert not outcome.on_target
    with pytest.raises(AssertionError, match="did not strike"):
        Report(1, (), (str(outcome.fault),)).raise_if_any()


COMMIT = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1] + "/db")
db.execute("PRAGMA synchronous = " + sys.argv[2])
with db: db.execute("INSERT INTO t VALUES ('new')")
print("saved")
"""


@pytest.mark.parametrize(
    ("synchronous", "found"), [("OFF", True), ("FULL", True), ("EXTRA", False)]
)
def test_the_model_agrees_with_what_is_known_of_sqlite(
    synchronous: str, found: bool, tmp_path: Path
) -> None:
    """With a rollback journal SQLite loses its last commit below EXTRA, which exists for that."""
    prepared = tmp_path / "prepared"
    prepared.mkdir()
    db = sqlite3.connect(prepared / "db")
    with db:
        db.execute("CREATE TABLE t (text)")
        db.execute("INSERT INTO t VALUES ('old')")
    db.close()

    def check(folder: Path, acked: bool) -> None:
        db = sqlite3.connect(folder / "db")
        try:
            rows = [row[0] for row in db.execute("SELECT text FROM t")]
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        except sqlite3.DatabaseError as damaged:
            raise AssertionError("damaged") from damaged
        finally:
            db.close()
        assert rows == ["old", "new"] or (rows == ["old"] and not acked)

    command = Command((sys.executable, "-c", COMMIT, ROOT, synchronous))
    report = crash_states.examine(command, prepared, tmp_path / "work", check)
    assert bool(report.violations) == found, report.violations[:3]


def test_a_command_that_hangs_is_a_finding_and_is_ended(
    prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault that makes the command wait for ever is reported, and nothing is left running."""
    monkeypatch.setattr(trace, "_PATIENCE", 0.5)
    command = Command((sys.executable, "-c", "import time; time.sleep(3600)", ROOT))
    with pytest.raises(trace.Hung):
        trace_on_copy(command, prepared, tmp_path / "work")
    assert list((tmp_path / "work").iterdir()) == []


def test_a_machine_that_cannot_cut_the_power_says_why() -> None:
    """A skipped test names its reason in one sentence."""
    reason = power.why_not("a file system that nobody has")
    assert reason is not None
    assert "needs" in reason


@pytest.fixture(scope="module", params=power.KINDS)
def disk_kind(request: pytest.FixtureRequest) -> str:
    kind = str(request.param)
    if reason := power.why_not(kind):
        pytest.skip(reason)
    return kind


def lost_after_ack(kind: str, bug: str, cuts: int = 3) -> list[str]:
    """What is lost when the power goes right after each acknowledgement."""
    kept = acks.Acks()
    with power.disk(kind) as here:
        for n in range(cuts):
            argv = (sys.executable, "-S", TOY, ROOT, f"note-{n}", TEXT, *([bug] if bug else []))
            cut = power.cut_after_ack(here, Command(argv), here.root)
            assert cut.acked == [f"saved note-{n}"]
            kept.ok[f"notes/note-{n}"] = TEXT.encode()
        found = {name: data for name, data in tree(here.root).items() if data is not None}
    return kept.lost(found) + kept.torn(found)


def test_a_power_cut_right_after_the_acknowledgement_loses_nothing(disk_kind: str) -> None:
    """What the right toy acknowledged survives a real power cut on a real file system."""
    assert lost_after_ack(disk_kind, "") == []


@pytest.mark.parametrize("bug", ["no-fsync", "no-folder-fsync"])
def test_a_power_cut_right_after_the_acknowledgement_finds_a_missing_fsync(
    disk_kind: str, bug: str
) -> None:
    """The last note at least is lost: nothing came after it that could have rescued it."""
    assert "notes/note-2" in lost_after_ack(disk_kind, bug)


def lost_under_load(kind: str, bug: str, cuts: int) -> tuple[int, list[str]]:
    """How many notes were acknowledged under load, and which of them are lost or torn."""
    kept = acks.Acks()
    moments = random.Random(7)
    with power.disk(kind) as here:
        for n in range(cuts):
            root = here.root / str(n)
            root.mkdir()
            here.settle()
            argv = (sys.executable, "-S", TOY, ROOT, "--load", TEXT, *([bug] if bug else []))
            cut = power.cut_under_load(here, Command(argv), root, moments.uniform(0.1, 0.3))
            for lines, notes in ((cut.acked, kept.ok), (cut.unknown, kept.unknown)):
                for line in lines:
                    number = line.removeprefix("saved ")
                    notes[f"{n}/notes/{number}"] = f"{TEXT} {number}".encode()
        found = {name: data for name, data in tree(here.root).items() if data is not None}
    return len(kept.ok), kept.lost(found) + kept.torn(found)


def test_power_cuts_under_load_lose_nothing(disk_kind: str) -> None:
    """Every acknowledgement that reached us before the cut is kept."""
    count, lost = lost_under_load(disk_kind, "", cuts=4)
    assert count > 0
    assert lost == []


def test_power_cuts_under_load_find_a_missing_fsync(disk_kind: str) -> None:
    """Without fsync the notes of the last moments are lost or torn."""
    count, lost = lost_under_load(disk_kind, "no-fsync", cuts=2)
    assert count > 0
    assert lost


def test_a_disk_is_unmounted_and_removed_when_the_test_fails(
    disk_kind: str, tmp_path: Path
) -> None:
    """No mount and no image is left behind, whatever happens inside."""
    work = tmp_path / "disks"
    work.mkdir()

    def fail_after_a_cut() -> None:
        with power.disk(disk_kind, work) as here:
            here.cut()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_after_a_cut()
    assert list(work.iterdir()) == []
    assert str(tmp_path) not in Path("/proc/self/mounts").read_text()
    assert Path.cwd().exists()


@pytest.mark.parametrize("kind", sorted(racers.EDITORS))
def test_an_editor_alone_saves_every_line_once(kind: str, tmp_path: Path) -> None:
    """Without anybody else at work an editor loses nothing: a loss is the other's doing."""
    note = tmp_path / "note.md"
    note.write_text("first line\n")
    lines = 3 if kind in {"vim", "sed"} else 50
    assert racers.start(kind, note, lines, 0).wait(60) == 0
    assert note.read_text().splitlines() == ["first line", *map(racers.line, range(1, lines + 1))]
    assert racers.found_nowhere(tmp_path, lines) == []


def test_a_blind_replace_loses_the_lines_of_an_editor(tmp_path: Path) -> None:
    """The race is real: a writer that replaces without looking destroys what a person saved."""
    note = tmp_path / "note.md"
    note.write_text("first line\n")
    beside = tmp_path / "ours"
    editor = racers.start("rename", note, 50, 0.001)
    ended = None
    while ended is None:
        ended = editor.poll()  # asked before the replace: the last replace comes after all saves
        beside.write_text("ours\n")
        beside.replace(note)
    assert ended == 0
    assert racers.found_nowhere(tmp_path, 50)
