"""A file system in memory that knows which of its parts would survive a power cut now.

1. A name operation (create, rename, exchange, link, unlink, mkdir …) is atomic, also across two
   folders. It is certain once a later fsync on one of its folders has returned.
2. Name operations that are not yet certain survive in any subset, except that operations on the
   same directory entry reach the disk in the order in which they were made.
3. The bytes of a file are certain once a later fsync on the file has returned. Until then none,
   some, half or all of them are there, or zeros in their place.
4. Modes are not modelled as pending: they are as they were last set.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

Entry = tuple[int, str]
"""A place for a name: the number of the folder's inode, and the name."""

_MOST_PENDING = 6
_MOST_COMBINATIONS = 64
ROOT_NUMBER = 0


class NotModelled(Exception):
    """The command did something to the folder that the model cannot replay."""


@dataclass(frozen=True)
class Edit:
    """Bytes written at an offset, or, without bytes, a truncation to that offset."""

    offset: int
    data: bytes | None

    def on(self, content: bytes) -> bytes:
        padded = content.ljust(self.offset, b"\0")
        if self.data is None:
            return padded[: self.offset]
        return padded[: self.offset] + self.data + padded[self.offset + len(self.data) :]


@dataclass
class Inode:
    """A file, a folder or a symlink; `certain` is the content (the target) that survives."""

    kind: str
    mode: int
    certain: bytes = b""
    edits: list[Edit] = field(default_factory=list)

    def now(self) -> bytes:
        return _edited(self.certain, self.edits)

    def possible(self) -> list[bytes]:
        """The contents a power cut may leave, without repetition."""
        steps = self.edits if len(self.edits) <= 4 else self.edits[:1]
        found = [self.certain, self.now()]
        found += [_edited(self.certain, steps[:count]) for count in range(len(steps))]
        if written := sum(len(edit.data or b"") for edit in self.edits):
            half = _edited(self.certain, _first_bytes(self.edits, written // 2))
            found += [half, half.ljust(len(self.now()), b"\0")]
            found += [self.certain.ljust(len(self.now()), b"\0")]
        return list(dict.fromkeys(found))


def _edited(content: bytes, edits: Sequence[Edit]) -> bytes:
    for edit in edits:
        content = edit.on(content)
    return content


def _first_bytes(edits: Sequence[Edit], count: int) -> list[Edit]:
    kept: list[Edit] = []
    for edit in edits:
        part = edit
        if edit.data is not None:
            part = Edit(edit.offset, edit.data[:count])
            count -= len(part.data or b"")
        kept.append(part)
    return kept


@dataclass(frozen=True)
class NameOperation:
    """What entries an operation sets (None: empties); all of them or none survive."""

    sets: dict[Entry, int | None]

    def shares_entry(self, other: NameOperation) -> bool:
        return not self.sets.keys().isdisjoint(other.sets)


@dataclass
class OpenFile:
    inode: int
    offset: int
    append: bool


@dataclass(frozen=True)
class State:
    """One possible tree: per path its kind, mode, content, and a number that hard links share."""

    names: tuple[tuple[str, str, int, bytes, int], ...]
    acked: bool

    def build(self, folder: Path) -> None:
        """Make this state a real folder."""
        made: dict[int, Path] = {}
        for name, kind, mode, content, number in self.names:
            path = folder / name
            if kind == "folder":
                path.mkdir()
            elif kind == "link":
                path.symlink_to(os.fsdecode(content))
            elif number in made:
                path.hardlink_to(made[number])
            else:
                path.write_bytes(content)
                path.chmod(mode)
            made[number] = path
        for name, kind, mode, _, _ in reversed(self.names):
            if kind == "folder":
                (folder / name).chmod(mode)


class Model:
    """The abstract file system below one folder: what is there, and what of it is certain."""

    def __init__(self, prepared: Path, root: Path) -> None:
        self.root = root
        self.inodes: list[Inode] = [Inode("folder", 0o700)]
        self.certain: dict[Entry, int] = {}
        self.pending: list[NameOperation] = []
        self.open: dict[tuple[int, int], OpenFile] = {}
        self._load(prepared, ROOT_NUMBER)
        self.now: dict[Entry, int] = dict(self.certain)

    def _load(self, folder: Path, number: int) -> None:
        for item in sorted(os.scandir(folder), key=lambda item: item.name):
            mode = item.stat(follow_symlinks=False).st_mode & 0o7777
            if item.is_symlink():
                inode = Inode("link", mode, os.fsencode(os.readlink(item.path)))
            elif item.is_dir():
                inode = Inode("folder", mode)
            else:
                inode = Inode("file", mode, Path(item.path).read_bytes())
            self.certain[number, item.name] = self.add(inode)
            if inode.kind == "folder":
                self._load(Path(item.path), self.certain[number, item.name])

    def add(self, inode: Inode) -> int:
        self.inodes.append(inode)
        return len(self.inodes) - 1

    def entry(self, path: str) -> Entry:
        """The entry a path names at this moment; its folder must be known to the model."""
        relative = os.path.relpath(path, self.root)
        *folders, name = relative.split(os.sep)
        number = ROOT_NUMBER
        for folder in folders:
            if folder == ".." or (number, folder) not in self.now:
                raise NotModelled(f"{path} is not below the folder, or not by a plain path")
            number = self.now[number, folder]
        return number, name

    def inode(self, path: str) -> int:
        if path == str(self.root):
            return ROOT_NUMBER
        entry = self.entry(path)
        if entry not in self.now:
            raise NotModelled(f"{path} is unknown to the model")
        return self.now[entry]

    def rename(self, sets: dict[Entry, int | None]) -> None:
        """Do a name operation now; it stays pending until a folder of it is synced."""
        self.pending.append(NameOperation(sets))
        _set(self.now, sets)

    def sync_folder(self, number: int) -> None:
        """Make certain what was done in a folder, and what the same entries need before it."""
        wanted: list[NameOperation] = []
        for operation in reversed(self.pending):
            here = any(folder == number for folder, _ in operation.sets)
            if here or any(operation.shares_entry(later) for later in wanted):
                wanted.insert(0, operation)
        for operation in wanted:
            _set(self.certain, operation.sets)
        self.pending = [operation for operation in self.pending if operation not in wanted]

    def sync_all(self) -> None:
        for inode in self.inodes:
            self.sync_file(inode)
        for operation in self.pending:
            _set(self.certain, operation.sets)
        self.pending = []

    def sync_file(self, inode: Inode) -> None:
        inode.certain = inode.now()
        inode.edits.clear()

    def states(self, acked: bool) -> Iterator[State]:
        """Every state that a power cut at this moment may leave."""
        for kept in _survivors(self.pending):
            names = dict(self.certain)
            for operation in kept:
                _set(names, operation.sets)
            places = list(_walk(names, self.inodes))
            unsure = sorted({number for _, number in places if self.inodes[number].edits})
            for contents in _combinations([self.inodes[n].possible() for n in unsure]):
                given = dict(zip(unsure, contents, strict=True))
                yield State(tuple(self._describe(places, given)), acked)

    def _describe(
        self, places: list[tuple[str, int]], given: dict[int, bytes]
    ) -> Iterator[tuple[str, str, int, bytes, int]]:
        first: dict[int, int] = {}  # counted anew: the same tree must compare as the same state
        for name, number in places:
            inode = self.inodes[number]
            same = first.setdefault(number, len(first))
            yield name, inode.kind, inode.mode, given.get(number, inode.certain), same


def _set(names: dict[Entry, int], sets: dict[Entry, int | None]) -> None:
    for entry, number in sets.items():
        names.pop(entry, None)
        if number is not None:
            names[entry] = number


def _walk(names: dict[Entry, int], inodes: list[Inode]) -> Iterator[tuple[str, int]]:
    """The paths that can be reached from the root, folders before what is in them."""
    inside: dict[int, list[tuple[str, int]]] = {}
    for (folder, name), number in names.items():
        inside.setdefault(folder, []).append((name, number))
    waiting = [("", ROOT_NUMBER)]
    while waiting:
        above, folder = waiting.pop()
        for name, number in sorted(inside.get(folder, [])):
            yield above + name, number
            if inodes[number].kind == "folder":
                waiting.append((f"{above}{name}/", number))


def _survivors(pending: list[NameOperation]) -> Iterator[list[NameOperation]]:
    """The sets of pending operations that may have reached the disk, each in order."""
    count = len(pending)
    if count <= _MOST_PENDING:
        choices = set(itertools.product((False, True), repeat=count))
    else:
        prefixes = {tuple(i < cut for i in range(count)) for cut in range(count + 1)}
        choices = prefixes | {tuple(i != drop for i in range(count)) for drop in range(count)}
    for choice in sorted(choices):
        kept: list[NameOperation] = []
        dropped: list[NameOperation] = []
        for operation, survives in zip(pending, choice, strict=True):
            lacks = any(operation.shares_entry(earlier) for earlier in dropped)
            (kept if survives and not lacks else dropped).append(operation)
        yield kept


def _combinations(choices: list[list[bytes]]) -> Iterator[tuple[bytes, ...]]:
    """All combinations, or, where they are too many, one file at a time between none and all."""
    total = 1
    for some in choices:
        total *= len(some)
    if total <= _MOST_COMBINATIONS:
        yield from itertools.product(*choices)
        return
    for others in (0, 1):  # `possible` begins with none, then all
        plain = [some[min(others, len(some) - 1)] for some in choices]
        for index, some in enumerate(choices):
            for content in some:
                yield (*plain[:index], content, *plain[index + 1 :])
