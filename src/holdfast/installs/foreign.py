"""A file that is somebody else's: looked at, and put in the place of what was looked at, or left alone.

A host's settings are a person's own file. It is replaced in one step, keeps its mode and owner, and where it is a link (to a
folder of dotfiles, say) the file that it leads to is replaced and the link stays. What is written takes the place of just the
bytes that were shown: the two are exchanged, and where something else comes out, or somebody waits to save it (leases.py), it
goes back and nothing has happened.

What is prepared lies in a folder of ours, so that a process that dies leaves nothing of it beside files that are not ours.
"""

from __future__ import annotations

import errno
import os

from ..model import Value
from ..storage.disk import Folder
from ..storage.leases import Lease


class Found(Value):
    """A file as it was when it was looked at."""

    path: str  # as it was named
    target: str  # where that leads, links followed
    data: bytes | None  # None: there is none
    about: os.stat_result | None


def found(path: str) -> Found:
    """What there is at a path. A link that leads nowhere is an error: whoever made it meant some file."""
    target = os.path.realpath(path)
    if os.path.islink(path) and not os.path.lexists(target):
        raise OSError(errno.ENOENT, f"it is a link to {target}, and nothing is there", path)
    try:
        with Folder.open(os.path.dirname(target)) as folder:
            name = os.path.basename(target)
            return Found(path, target, folder.read_or_none(name), folder.stat(name))
    except FileNotFoundError:
        return Found(path, target, None, None)


def missing_folders(path: str) -> list[str]:
    """The folders on the way to a file that are not there, the outermost first."""
    way, folder = [], os.path.dirname(path)
    while not os.path.isdir(folder):
        way.append(folder)
        folder = os.path.dirname(folder)
    return way[::-1]


def replaced(was: Found, data: bytes | None, swap: Folder) -> bool:
    """Put new bytes (None: no file) in the place of those that were found. False where others are there: then nothing changes."""
    name = os.path.basename(was.target)
    with Folder.open(os.path.dirname(was.target), make=was.data is None) as folder:
        room = swap if swap.device() == folder.device() else folder
        if was.data is None:
            done = data is None or _made(room, folder, name, data)
        elif data is None:
            done = _taken_away(room, folder, name, was.data)
        else:
            done = _exchanged(room, folder, name, was, data)
        folder.sync()
        return done


def _made(room: Folder, folder: Folder, name: str, data: bytes) -> bool:
    try:
        room.place(room.prepare(data), folder, name)
        return True
    except FileExistsError:
        return False


def _taken_away(room: Folder, folder: Folder, name: str, expected: bytes) -> bool:
    aside = f"tmp-{os.getpid()}-{os.urandom(6).hex()}"
    try:
        with Lease(folder, name) as lease:
            if lease.granted is False:
                return False  # an editor is in the midst of saving it
            folder.move(name, room, aside)
            if room.read(aside) != expected or lease.is_wanted():
                room.move(aside, folder, name)
                return False
    except FileNotFoundError:
        return True
    room.remove(aside)
    return True


def _exchanged(room: Folder, folder: Folder, name: str, was: Found, data: bytes) -> bool:
    new = room.prepare(data, was.about)
    try:
        with Lease(folder, name) as lease:
            if lease.granted is False or lease.read() != was.data:
                done = False
            elif not room.exchange(new, folder, name):  # a file system that cannot
                room.place(new, folder, name, over=True)
                return True
            else:
                done = room.read(new) == was.data and not lease.is_wanted()
                if not done:
                    _given_back(room, new, folder, name)
    except FileNotFoundError:
        done = False  # it has gone meanwhile
    finally:
        if room.read_or_none(new) in (data, was.data):
            room.remove(new)
    return done


def _given_back(room: Folder, new: str, folder: Folder, name: str) -> None:
    """What was displaced goes back, also where somebody has taken away by now what we had put there."""
    try:
        room.exchange(new, folder, name)
    except FileNotFoundError:
        room.move(new, folder, name)


def without_folders(folders: list[str]) -> None:
    """Take away folders that we made, the innermost first; one that has something in it stays, and those around it."""
    for path in reversed(folders):
        try:
            with Folder.open(os.path.dirname(path)) as above:
                above.remove_folder(os.path.basename(path))
                above.sync()
        except FileNotFoundError:
            continue
