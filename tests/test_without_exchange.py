"""Systems without an atomic exchange, without leases or without hard links: slower, and just as safe."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest

from conftest import Holdfast
from holdfast.storage import disk, leases


@pytest.fixture(params=["no exchange", "no exchange, no hard links", "no leases"])
def poorer(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """A system that lacks something."""

    def refused(*_args: object, **_how: object) -> None:
        raise OSError(errno.EPERM, "no hard links here")

    if "exchange" in request.param:
        monkeypatch.setattr(disk, "_renameat2", lambda *_args: False)
    if "hard links" in request.param:
        monkeypatch.setattr(os, "link", refused)
        # Without links and without a conditional rename, a new name is given by a plain one: ids are unique.
        monkeypatch.setattr(disk, "_rename_new", _plain_rename)
    if "leases" in request.param:
        monkeypatch.setattr(leases, "_asked", lambda _fd: None)
    return str(request.param)


def _plain_rename(source: disk.Folder, name: str, target: disk.Folder, target_name: str) -> None:
    os.rename(name, target_name, src_dir_fd=source.fd, dst_dir_fd=target.fd)


def test_every_document_takes_on_every_record_once(holdfast: Holdfast, workspace: Path, poorer: str) -> None:
    """Notes, state, topic and day are what they are elsewhere, and nothing is left behind but what must wait."""
    for number in range(3):
        assert holdfast("note", f"note {number}").code == 0
        assert holdfast("decide", f"decision {number}").code == 0
        assert holdfast("checkpoint", "--topic", "t", "--decision", f"made {number}", "--task", "x").code == 0
    day = next((workspace / "memory").glob("2*.md")).read_text()
    topic = (workspace / "memory" / "context-t.md").read_text()
    assert [day.count(f"- note {number}\n") for number in range(3)] == [1, 1, 1]
    assert [topic.count(f": made {number}\n") for number in range(3)] == [1, 1, 1]
    state = json.loads(holdfast("show", "state", "--json").out)
    assert state["decisions"] == [f"{word} {number}" for number in range(3) for word in ("decision", "made")]
    assert not list((workspace / ".holdfast" / "pending").iterdir())
    left = list((workspace / ".holdfast" / "swap").iterdir())
    assert not left or poorer == "no leases"  # there a displaced file is kept for a minute


def test_a_save_between_reading_and_replacing_is_not_lost(
    holdfast: Holdfast, workspace: Path, poorer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person saves the day while its new text is being prepared; both are there afterwards."""
    holdfast("note", "first")
    day = next((workspace / "memory").glob("2*.md"))
    prepare = disk.Folder.prepare
    saved: list[bool] = []

    def saving(self: disk.Folder, data: bytes, like: os.stat_result | None = None) -> str:
        if b"- second" in data and b"# 2" in data and not saved:
            saved.append(True)
            day.write_text(day.read_text() + "- by hand\n")
        return prepare(self, data, like)

    monkeypatch.setattr(disk.Folder, "prepare", saving)
    assert holdfast("note", "second").code == 0
    assert saved
    holdfast("note", "third")
    for line in ("- first\n", "- second\n", "- by hand\n", "- third\n"):
        assert day.read_text().count(line) == 1, line


def test_what_is_forgotten_is_gone_at_once(holdfast: Holdfast, workspace: Path, poorer: str) -> None:
    """Where the system cannot tell who has a displaced file open, it waits a minute otherwise; here it must not."""
    holdfast("note", "the heron nests at the mill")
    holdfast("checkpoint", "--task", "the heron nests at the mill")
    assert holdfast("forget", "--yes", "the heron nests at the mill").code == 0
    left = [path for path in workspace.rglob("*") if path.is_file() and b"heron" in path.read_bytes()]
    assert (left, poorer) == ([], poorer)
