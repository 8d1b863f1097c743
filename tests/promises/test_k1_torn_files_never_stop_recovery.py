"""K1: a torn or corrupt file never stops recovery; where a second copy exists, it serves.

A workspace is made by the real commands: two sessions, two topics, notes, snapshots, SESSION-STATE.md, settings, a parked
session. Then one file of it at a time (journal records, lock, marks, documents, map, settings) is damaged in one way:
cut at every 64th byte, the rest zeroed at every 64th byte, each bit of its first line flipped, emptied, taken away, replaced
by a folder, a FIFO or a link, or made unreadable. After each damage:

  1. every reading command answers with exit code 0 or 2 and no traceback, and none hangs;
  2. `recover` tells each session's newest goal, and `show latest` the newest checkpoint: from the other copy, where this
     one was damaged (the settings are the exception: what cannot be read there is said, exit 2, and nothing is guessed);
  3. a writing command works or says in words what is wrong (exit 74, settings: 2), and takes away nothing: every other
     journal record is still there to the byte, every other day begins with what it was, every other topic has its dated
     entries, and what (2) says still holds afterwards.

After a flipped bit, of which there are thousands, `recover` is asked each time, all reading commands every 16th and the writing
ones every 64th time; the bits of a record's header below its first line are tried on the parser alone.

The control takes the second copies away, and lets errors of the system through.
"""

from __future__ import annotations

import functools
import io
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import holdfast.storage.writing
from holdfast import cli
from holdfast.briefing import recovery
from holdfast.model import Checkpoint, Record
from holdfast.storage import disk, journal
from holdfast.storage.store import Store

READING = (["show", "state"], ["show", "latest"], ["recover"], ["status"], ["topic", "list"])
GOALS = {"main": "Goal of main, the newest.", "other": "Goal of the other, the newest."}
NEWEST = GOALS["main"]

# ---- the workspace -----------------------------------------------------------------------------------------------------


def run(workspace: Path, *words: str) -> tuple[int, str, str]:
    """A command in this process: exit code, stdout, stderr. What it raises, it raises."""
    before = sys.stdout, sys.stderr, sys.stdin
    said = io.BytesIO(), io.BytesIO()
    streams = [io.TextIOWrapper(stream, write_through=True) for stream in said]  # named: a forgotten one closes its bytes
    sys.stdout, sys.stderr = streams
    sys.stdin = io.TextIOWrapper(io.BytesIO())
    try:
        code = cli.main(["--workspace", str(workspace), *words])
    finally:
        sys.stdout, sys.stderr, sys.stdin = before
    out, err = (stream.getvalue().decode("utf-8", "replace") for stream in said)
    return code, out, err


def save(workspace: Path, *words: str, session: str = "main") -> str:
    code, out, err = run(workspace, *words, "--session", session)
    assert code == 0, err
    return out.split()[1]


@pytest.fixture(scope="module", autouse=True)
def _no_waiting_for_the_disk() -> Iterator[None]:
    """Power is not cut here; without syncs there is time for ten times as many damages."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(disk, "full_sync", lambda _fd: None)
        yield


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The workspace before the damage."""
    folder = tmp_path_factory.mktemp("sound")
    (folder / "SESSION-STATE.md").write_text("# Session State\n\n## Current Task\n[None]\n\n## Blockers\n[None yet]\n")
    (folder / "MEMORY.md").write_text("# Agent Memory\n#tags: x\n\n## [PREF] Style\n- tabs\n")
    for session in ("other", "main"):
        save(folder, "task", f"the task of {session}", session=session)
        save(folder, "checkpoint", "--topic", f"{session} work", "--goal", "an older goal", "--decision", "one", session=session)
        save(folder, "note", "--type", "PREF", f"a note of {session}", session=session)
        save(folder, "decide", "two", session=session)
        save(folder, "checkpoint", "--goal", GOALS[session], "--status", "fine", "--next", "go on", session=session)
        save(folder, "pending", "one more thing", session=session)
    save(folder, "snapshot")
    (folder / ".holdfast" / "config.toml").write_text("maxHistoryLines = 40\n")
    return folder


@pytest.fixture(scope="module")
def behind(sound: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with a record that the documents still lack, because somebody held the lock."""
    folder = tmp_path_factory.mktemp("behind") / "workspace"
    shutil.copytree(sound, folder)
    home = disk.Folder.open(str(folder / ".holdfast"))
    lock = disk.Lock(home)
    assert lock.take(0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(holdfast.storage.writing, "PATIENCE", 0)
        save(folder, "decide", "three")
        save(folder, "note", "from behind")
    lock.close()
    home.close()
    assert len(list((folder / ".holdfast" / "pending").iterdir())) == 2
    return folder


def files_of(workspace: Path) -> list[str]:
    return sorted(str(path.relative_to(workspace)) for path in workspace.rglob("*") if path.is_file())


# ---- the damage --------------------------------------------------------------------------------------------------------


def cuts(data: bytes) -> Iterator[bytes]:
    yield from (data[:at] for at in range(0, len(data), 64))


def zeroed_tails(data: bytes) -> Iterator[bytes]:
    yield from (data[:at] + b"\0" * (len(data) - at) for at in range(0, len(data), 64))


def flipped_bits(data: bytes) -> Iterator[bytes]:
    for bit in range(8 * (data.find(b"\n") + 1)):
        out = bytearray(data)
        out[bit // 8] ^= 1 << bit % 8
        yield bytes(out)


BYTES = {"cut": cuts, "zeroed tail": zeroed_tails, "flipped bit": flipped_bits}


def folder_instead(path: Path) -> None:
    path.unlink()
    path.mkdir()


def fifo_instead(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def gone(path: Path) -> None:
    path.unlink()


def link_instead(path: Path) -> None:
    path.unlink()
    path.symlink_to("/etc/hostname")


INSTEAD: dict[str, Callable[[Path], None]] = {
    "emptied": emptied, "folder": folder_instead, "fifo": fifo_instead, "gone": gone, "link": link_instead,
}  # fmt: skip


# ---- what must hold ----------------------------------------------------------------------------------------------------


@contextmanager
def not_hanging() -> Iterator[None]:
    """A FIFO that is waited for would be waited for until the end of days; this is no measurement, only a way out."""

    def out(_number: int, _frame: FrameType | None) -> None:
        raise AssertionError("it hangs")

    old = signal.signal(signal.SIGALRM, out)
    signal.alarm(60)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, old)


def check_reading(workspace: Path, damaged: str) -> None:
    """Claims 1 and 2."""
    settings = damaged.endswith("config.toml")
    for words in READING:
        for session in GOALS if words == ["recover"] else ["main"]:
            code, out, err = run(workspace, *words, "--session", session)
            assert code in (0, 2), f"{words}: exit {code}: {err}"
            assert "Traceback" not in err
            if settings and code == 2:
                assert "config.toml" in err
            elif words == ["recover"]:
                assert GOALS[session] in out, f"recover --session {session} lost the goal:\n{out}"
            elif words == ["show", "latest"]:
                assert NEWEST in out, f"show latest: {out}{err}"
            elif words == ["show", "state"]:
                assert code == 0
                assert "## Goal\n" + NEWEST in out, f"show state lost the goal:\n{out}"


def check_writing(workspace: Path, damaged: str, before: dict[str, bytes]) -> None:
    """Claim 3."""
    for words in (["task", "after the damage"], ["checkpoint", "--status", "after the damage"], ["note", "after"]):
        code, out, err = run(workspace, *words, "--session", "main")
        assert "Traceback" not in err
        if code == 0:
            saved = out.split()[1]
        else:
            assert code == (2 if damaged.endswith("config.toml") else 74), f"{words}: exit {code}: {err}"
            assert "was not saved" in err or "Nothing is lost" in err or "config.toml" in err, err
            saved = err.split("Saved as ")[1].split()[0] if "Saved as " in err else ""
        if saved:
            day = f"{saved[:4]}-{saved[4:6]}-{saved[6:8]}"
            record = (workspace / ".holdfast/journal" / day / f"{saved}.md").read_text()
            assert journal.parse(record), "what was acknowledged cannot be read"
    for name, data in before.items():
        if name == damaged or "/pending/" in name:
            continue
        now = (workspace / name).read_bytes()
        if "/journal/" in name:
            assert now == data, f"{name} was changed"
        elif name.startswith("memory/2") or "archive" in name or "snapshots" in name:
            assert now.startswith(data), f"{name} lost something"
        elif name.startswith("memory/context-") and name.endswith(".md"):
            entries = {line for line in data.split(b"\n") if line.startswith(b"- 2")}
            assert entries <= set(now.split(b"\n")), f"{name} lost an entry"
    check_reading(workspace, damaged)


@functools.cache
def bytes_of(workspace: Path) -> dict[str, bytes]:
    return {name: (workspace / name).read_bytes() for name in files_of(workspace)}


def examine(
    sound: Path, work: Path, damage: Callable[[Path], None], name: str, *, writing: bool = True, brief: bool = False
) -> str:
    """One damage to one file; what went wrong, in words. Brief: only what `recover` tells, for damages that are many."""
    workspace = work / "workspace"
    if writing or not workspace.exists():
        shutil.rmtree(workspace, ignore_errors=True)
        shutil.copytree(sound, workspace)
    before = bytes_of(sound)
    damage(workspace / name)
    try:
        with not_hanging():
            if brief:
                code, out, err = run(workspace, "recover", "--session", "main")
                assert (code == 0 and NEWEST in out) or (name.endswith("config.toml") and code == 2), f"{code}: {out}{err}"
            else:
                check_reading(workspace, name)
            if writing:
                check_writing(workspace, name, before)
    except Exception as error:  # whatever comes out of a command is a finding
        return f"{name}: {type(error).__name__}: {str(error)[:600]}"
    finally:
        if not writing:
            (workspace / name).write_bytes(before[name])
    return ""


def writes(data: bytes) -> Callable[[Path], None]:
    def damage(path: Path) -> None:
        path.write_bytes(data)

    return damage


def with_damaged_bytes(sound: Path, work: Path, way: str, names: list[str]) -> tuple[int, list[str]]:
    """Every damage of one way to some files: how many there were, and what went wrong."""
    number, found = 0, []
    for name in names:
        for nth, data in enumerate(BYTES[way]((sound / name).read_bytes())):
            # Bits are many: after each one `recover` is asked, after every 16th all that read, after every 64th all that write.
            bits = way == "flipped bit"
            how = {"writing": not bits or nth % 64 == 0, "brief": bits and nth % 16 > 0}
            found.append(examine(sound, work, writes(data), name, **how))
            number += 1
        shutil.rmtree(work / "workspace", ignore_errors=True)
    return number, [text for text in found if text]


def half(names: list[str], which: int) -> list[str]:
    return names[which::2]


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("way", BYTES)
def test_damaged_bytes_in_any_file_never_stop_recovery(
    way: str, which: int, sound: Path, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """One file at a time is cut, zeroed or bit-flipped; the other copy serves, and nothing crashes."""
    number, found = with_damaged_bytes(sound, tmp_path, way, half(files_of(sound), which))
    record_property("damages", number)
    assert number > 50
    assert not found, f"{len(found)} of {number}:\n" + "\n".join(found[:10])


def test_no_flipped_bit_in_a_header_makes_another_text_of_a_record(sound: Path) -> None:
    """Each bit of each record's header: what is still taken for a record says what it said, under the same id or none of ours."""
    number = 0
    for name in files_of(sound):
        data = (sound / name).read_bytes()
        whole = journal.parse(data.decode())
        if whole is None:
            continue
        for bit in range(8 * data.find(b"\n\n")):
            out = bytearray(data)
            out[bit // 8] ^= 1 << bit % 8
            found = journal.parse(out.decode("utf-8", "surrogateescape"))
            assert found is None or (found.body == whole.body and "/" not in found.topic + found.time)
            number += 1
    assert number > 10_000


@pytest.mark.parametrize("way", INSTEAD)
def test_something_else_in_place_of_any_file_never_stops_recovery(way: str, sound: Path, tmp_path: Path) -> None:
    """One file at a time is empty, gone, a folder, a FIFO or a link; nothing hangs, and the other copy serves."""
    found = [examine(sound, tmp_path, INSTEAD[way], name) for name in files_of(sound)]
    assert len(found) > 15
    assert not any(found), "\n".join([text for text in found if text][:10])


@pytest.mark.parametrize("way", [*INSTEAD, *BYTES])
def test_damage_to_what_is_still_to_be_applied_never_stops_recovery(way: str, behind: Path, tmp_path: Path) -> None:
    """The same for the marks of records that the documents lack, and for these records themselves."""
    marks = [f".holdfast/pending/{path.name}" for path in (behind / ".holdfast/pending").iterdir()]
    names = [*marks, *(f".holdfast/journal/{m[18:22]}-{m[22:24]}-{m[24:26]}/{m[18:]}.md" for m in marks)]
    found = []
    for name in names:
        if way in INSTEAD:
            found.append(examine(behind, tmp_path, INSTEAD[way], name))
            continue
        data = (behind / name).read_bytes() or b"day\nstate\n"
        found += [examine(behind, tmp_path, writes(bad), name) for nth, bad in enumerate(BYTES[way](data)) if nth % 8 == 0]
    assert not any(found), "\n".join([text for text in found if text][:10])


def test_a_mark_with_nonsense_in_it_does_not_keep_a_record_out_of_the_documents(behind: Path, tmp_path: Path) -> None:
    """A mark says which documents lack a record; one that cannot be understood means all of them."""
    workspace = tmp_path / "workspace"
    shutil.copytree(behind, workspace)
    for mark in (workspace / ".holdfast/pending").iterdir():
        mark.write_bytes(b"dax\0\0")
    assert run(workspace, "show", "today")[1].count("from behind") == 1
    assert "three" in run(workspace, "show", "state", "--session", "main")[1]


# ---- the real command, and a user who may not read ---------------------------------------------------------------------


def real(workspace: Path, *words: str, prefix: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    """The command as a process. A hang ends the test, after a time that no sound run needs."""
    return subprocess.run(
        [*prefix, sys.executable, "-m", "holdfast", "--workspace", str(workspace), *words],
        capture_output=True, text=True, errors="replace", timeout=120, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip


@pytest.mark.parametrize("name", ["memory/session-state.md", ".holdfast/lock", "memory/context-session-map.json"])
@pytest.mark.parametrize("way", ["fifo", "folder"])
def test_the_real_command_answers_too(name: str, way: str, sound: Path, tmp_path: Path) -> None:
    """A sample of the same damages, with the real command as a process."""
    workspace = tmp_path / "workspace"
    shutil.copytree(sound, workspace)
    INSTEAD[way](workspace / name)
    for session, goal in GOALS.items():
        done = real(workspace, "recover", "--session", session)
        assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
        assert goal in done.stdout
    done = real(workspace, "task", "x")
    assert done.returncode in (0, 74)
    assert "Traceback" not in done.stderr
    assert done.returncode == 0 or Path(name).name in done.stderr


def as_nobody() -> tuple[str, ...]:
    """How to run a command as nobody, or a skip that says why that cannot be done."""
    if os.geteuid() != 0 or not shutil.which("setpriv"):
        pytest.skip("only root can become nobody, and with setpriv")
    prefix = ("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups")
    tried = subprocess.run([*prefix, sys.executable, "-c", "import holdfast.cli"], capture_output=True, text=True, check=False)
    if tried.returncode:
        pytest.skip(f"nobody cannot run this interpreter: {tried.stderr.strip()[-200:]}")
    return prefix


def test_an_unreadable_file_never_stops_recovery(sound: Path) -> None:
    """Each file in turn has no permissions at all, and its owner runs the command."""
    prefix = as_nobody()
    owner = pwd.getpwnam("nobody")
    found = []
    with tempfile.TemporaryDirectory() as base:
        os.chmod(base, 0o755)
        workspace = Path(base) / "workspace"
        shutil.copytree(sound, workspace)
        for path in (workspace, *workspace.rglob("*")):
            os.chown(path, owner.pw_uid, owner.pw_gid)
        for name in files_of(workspace):
            path = workspace / name
            mode = path.stat().st_mode
            path.chmod(0)
            for words in (["recover", "--session", "main"], ["task", "x", "--session", "other"]):
                done = real(workspace, *words, prefix=prefix)
                fine = done.returncode in ((0, 2) if words[0] == "recover" else (0, 2, 74)) and "Traceback" not in done.stderr
                if words[0] == "recover" and not name.endswith("config.toml"):
                    fine = fine and NEWEST in done.stdout
                found += [] if fine else [f"{name}: {words}: {done.returncode}: {done.stderr[-600:]}"]
            if path.exists():
                path.chmod(mode)
    assert not found, "\n".join(found)


# ---- the control -------------------------------------------------------------------------------------------------------


def _through(self: Store, path: str, name: str) -> str:
    return self.text(self.folder(path, make=False) if path else self.root, name)


@pytest.mark.parametrize(
    ("owner", "attribute", "broken", "name", "way"),
    [
        (Store, "replayed", lambda _self, _session: Checkpoint(), "memory/session-state.md", "cut"),
        (recovery, "_only_in_days", lambda *_: [], "newest", "cut"),
        (Store, "text_or_empty", _through, "memory/session-state.md", "folder"),
        (journal, "parse", lambda text: Record(**dict(line.split(": ", 1) for line in text.split("\n"))), "newest", "cut"),
    ],
    ids=["no replay", "no second copy", "errors let through", "a parser that believes"],
)
def test_control_without_a_second_copy_or_with_errors_let_through_the_check_fails(
    owner: Any, attribute: str, broken: Any, name: str, way: str, sound: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same damages are found out when the program is made as careless as most are."""
    if name == "newest":
        checkpoints = [one for one in files_of(sound) if "/journal/" in one and NEWEST in (sound / one).read_text()]
        name = checkpoints[0]
    monkeypatch.setattr(owner, attribute, broken)
    if way == "cut":
        assert with_damaged_bytes(sound, tmp_path, "cut", [name])[1]
    else:
        assert examine(sound, tmp_path, INSTEAD[way], name)
