"""Who else is at a file: an editor waits while we look, and nobody else does."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from holdfast.storage import leases
from holdfast.storage.disk import Folder
from lab import racers

WHOLE = b"all of it\n"


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Folder]:
    """A folder with one file in it."""
    (tmp_path / "day.md").write_bytes(WHOLE)
    with Folder.open(str(tmp_path)) as found:
        yield found


def test_who_empties_a_file_waits_until_it_was_read_whole(folder: Folder) -> None:
    """The lease is seen to be wanted, the text is the old one, and the editor goes on when we are done."""
    path = Path(folder.at("day.md"))
    editor = threading.Thread(target=path.write_bytes, args=(b"new\n",))
    with leases.Lease(folder, "day.md") as lease:
        assert lease.granted
        assert not lease.is_wanted()
        assert path.read_bytes() == WHOLE  # a reader does not wait, and wants nothing
        assert not lease.is_wanted()
        editor.start()
        racers.wait_until(lease.is_wanted)
        assert lease.read() == WHOLE
    editor.join(30)
    assert path.read_bytes() == b"new\n"


def test_control_without_a_lease_the_file_is_read_empty(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same, where there are none: what is read is half a save."""
    monkeypatch.setattr(leases, "_asked", lambda _fd: None)
    with leases.Lease(folder, "day.md") as lease:
        fd = os.open(folder.at("day.md"), os.O_WRONLY | os.O_TRUNC)
        assert not lease.is_wanted()
        assert lease.read() == b""
    os.close(fd)


def test_what_somebody_has_open_is_read_as_it_is_and_said_to_be_half(folder: Folder) -> None:
    """After a short patience; once it is closed, it is whole."""
    fd = os.open(folder.at("day.md"), os.O_WRONLY | os.O_TRUNC)
    assert leases.read_at_rest(folder, "day.md") == (b"", False)
    os.write(fd, b"new\n")
    os.close(fd)
    assert leases.read_at_rest(folder, "day.md") == (b"new\n", True)
    assert leases.read_at_rest(folder, "no such file") == (None, True)


def test_a_lease_knows_its_file_by_any_name(folder: Folder) -> None:
    """It is the file that is leased: after a rename it has the other name, and the old name is another file's."""
    with leases.Lease(folder, "day.md") as lease:
        folder.move("day.md", folder, "displaced.md")
        Path(folder.at("day.md")).write_bytes(b"of somebody else\n")
        assert lease.is_of(folder, "displaced.md")
        assert not lease.is_of(folder, "day.md")
        assert not lease.is_of(folder, "no such file")
