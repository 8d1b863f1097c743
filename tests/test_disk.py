"""Durable bytes: what a step that fails leaves behind, whose temporary files go, what a log gets, what is durable first."""

from __future__ import annotations

import contextlib
import errno
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conftest import Holdfast
from holdfast.config import Config
from holdfast.memory import Memory
from holdfast.storage.disk import Folder, process_is_alive


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Folder]:
    """An open folder with nothing in it."""
    (tmp_path / "folder").mkdir()
    with Folder.open(str(tmp_path / "folder")) as opened:
        yield opened


def descriptors() -> list[str]:
    """What this process has open, but for the look itself."""
    found = {name: os.path.realpath(f"/dev/fd/{name}") for name in os.listdir("/dev/fd")}
    return sorted(path for path in found.values() if "/fd" not in path)


# ---- a step that fails -------------------------------------------------------------------------------------------------

LIKE = os.stat(__file__)
STEPS: dict[str, tuple[str, int, Callable[[Folder], object]]] = {  # a call, which one of it the disk refuses, what was asked for
    "a file, its bytes": ("write", 1, lambda folder: folder.prepare(b"text")),
    "a file, its sync": ("fsync", 1, lambda folder: folder.prepare(b"text")),
    "a file, its mode": ("fchmod", 1, lambda folder: folder.prepare(b"text", LIKE)),
    "several, the bytes of one": ("write", 2, lambda folder: folder.prepare_all([b"one", b"two", b"three"])),
    "several, the sync of one": ("fsync", 2, lambda folder: folder.prepare_all([b"one", b"two", b"three"])),
    "its name": ("rename", 1, lambda folder: folder.place(folder.prepare(b"text"), folder, "name", over=True)),
    "a draft, its sync": ("fsync", 1, lambda folder: folder.sealed("draft", 0)),
}


@pytest.mark.parametrize("step", STEPS)
def test_a_step_that_fails_leaves_nothing_behind(folder: Folder, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    """No temporary file and no open descriptor: a disk that is full would be filled by them, and a server run out of them."""
    name, which, asked = STEPS[step]
    folder.touch("draft")
    before, call, calls = descriptors(), getattr(os, name), []

    def refused(*args: object, **how: object) -> object:
        calls.append(args)
        if len(calls) == which:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return call(*args, **how)

    monkeypatch.setattr(os, name, refused)
    with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
        asked(folder)
    assert folder.names() == ["draft"]
    assert descriptors() == before


# ---- temporary files ---------------------------------------------------------------------------------------------------


def test_temporary_files_go_with_their_writer_and_no_sooner(folder: Folder) -> None:
    """Those of a process that runs stay, and it is let alone; those of one that died go; what only looks like one stays."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as writer:
        names = [f"tmp-{writer.pid}-0a1b2c", "tmp-of-mine", "notes.md"]
        for name in names:
            folder.touch(name)
        folder.clear_up()
        assert folder.names() == sorted(names)
        assert process_is_alive(writer.pid)
        writer.communicate(b"\n")
        assert writer.returncode == 0, "it was disturbed"
    assert not process_is_alive(writer.pid)
    folder.clear_up()
    assert folder.names() == sorted(names[1:])


def test_a_number_that_no_process_can_have_is_none(folder: Folder) -> None:
    """A temporary file may be called anything; one of nobody's goes, and stops nothing."""
    folder.touch(f"tmp-{10**30}-0a1b2c")
    folder.clear_up()
    assert folder.names() == []


# ---- a log -------------------------------------------------------------------------------------------------------------


def test_a_log_with_a_second_name_is_written_anew(folder: Folder, tmp_path: Path) -> None:
    """The other name is somebody else's file, or a backup: it stays as it was, and the log has all its lines."""
    for line in (b"one\n", b"two\n"):
        folder.append("log", line)
    os.link(folder.at("log"), tmp_path / "backup")
    os.chmod(folder.at("log"), 0o640)
    for line in (b"three\n", b"four\n"):
        folder.append("log", line)
    assert folder.read("log") == b"one\ntwo\nthree\nfour\n"
    assert (tmp_path / "backup").read_bytes() == b"one\ntwo\n"
    assert os.stat(folder.at("log")).st_mode & 0o777 == 0o640
    assert folder.names() == ["log"]


def test_nothing_is_added_to_what_is_no_file(folder: Folder) -> None:
    """A pipe would swallow it, or hold us up for ever; it is refused with its path."""
    os.mkfifo(folder.at("log"))
    before = descriptors()
    with pytest.raises(OSError, match="it is not a regular file") as told:
        folder.append("log", b"one\n")
    assert told.value.filename == folder.at("log")
    assert descriptors() == before


# ---- what must be durable before what ----------------------------------------------------------------------------------


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is done to folders, in order: `sync memory`, `exchange memory/2026-11-15.md`, `remove swap/…`."""
    done: list[str] = []

    def noted(name: str, told: Callable[..., str]) -> None:
        real = getattr(Folder, name)

        def noting(self: Folder, *given: object, **how: object) -> object:
            answer = real(self, *given, **how)
            done.append(f"{name} {told(self, *given)}")
            return answer

        monkeypatch.setattr(Folder, name, noting)

    noted("sync", lambda self: os.path.basename(self.path))
    noted("remove", lambda self, name: f"{os.path.basename(self.path)}/{name}")
    for way in ("exchange", "place"):
        noted(way, lambda _self, _temporary, target, name: f"{os.path.basename(target.path)}/{name}")
    return done


def test_what_goes_to_the_trash_is_durable_with_its_reason(workspace: Path, steps: list[str]) -> None:
    """Also where one who kept it died before it was: what it was taken out of may be gone for good after a power cut."""
    with contextlib.closing(Memory(str(workspace), Config(), write=True)) as memory:
        memory.store.folder(".holdfast/trash")
        steps.clear()
        stem = memory.store.keep_in_trash(b"- a fact\n", "notes.md", "why", "20261115-140509-317042-k3f9q2ab")
        assert steps == [f"place trash/{stem}.why", f"place trash/{stem}.notes.md", "sync trash"]
        steps.clear()
        assert memory.store.keep_in_trash(b"- a fact\n", "notes.md", "why", "20261115-140509-317042-k3f9q2ab") == stem
        assert steps == ["sync trash"]


def test_what_is_forgotten_stays_so_after_a_power_cut(holdfast: Holdfast, workspace: Path, steps: list[str]) -> None:
    """Of each document the new name is durable before the displaced text goes, and that it went is durable before the answer."""
    assert holdfast("note", "the heron nests at the mill").code == 0
    steps.clear()
    assert holdfast("forget", "the heron nests at the mill", "--yes").code == 0
    (day,) = (path.name for path in (workspace / "memory").glob("2*.md"))
    begun = steps.index(f"exchange memory/{day}")
    gone = next(at for at, step in enumerate(steps) if at > begun and step.startswith("remove swap/") and "forgotten" in step)
    assert "sync memory" in steps[begun:gone]
    assert "sync swap" in steps[gone:]
