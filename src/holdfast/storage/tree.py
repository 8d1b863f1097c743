"""The files of a workspace that are searched, found and read without leaving it.

Folder by folder, each opened from the one above it: a link is passed over and told of, and one that is swapped in while we look
is refused by the opening itself. To list by path and to read by path are two looks, and what is a note at the first may be a link
to somebody's key at the second.
"""

from __future__ import annotations

import errno
import os
import stat

from ..errors import reason
from . import links
from .disk import Folder, Missing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from ..config import Config

    Mark = tuple[int, int, int]  # of a file: the moment of its content, the moment of anything about it, its size

LONG = 64 << 20  # bytes that are read of one file
_SETTLED = 2_000_000_000  # nanoseconds: a file that was written so lately may change again without its moment showing it
_JOURNAL = ".holdfast/journal"
_TEXTS = (".md", ".md.gz", ".md.zst")


class Tree:
    """The files of one workspace."""

    def __init__(self, workspace: str, config: Config) -> None:
        self._workspace, self._config = workspace, config
        self.links: list[str] = []  # those that were passed over, in words
        self.shut: list[str] = []  # what is there and cannot be opened, in words
        self._open: dict[str, Folder] = {}  # the workspace, and the folder that was read from last: files come folder by folder

    def close(self) -> None:
        """Give back what is open; it is opened again when somebody asks."""
        for folder in self._open.values():
            folder.close()
        self._open = {}

    @property
    def _root(self) -> Folder:
        if "" not in self._open:
            there = os.path.isdir(self._workspace)
            self._open[""] = Folder.open(self._workspace) if there else Missing(self._workspace)
        return self._open[""]

    # ---- which there are ----

    def look(self) -> dict[str, Mark]:
        """Every file that is searched, in order, and of the journal every day's folder (its path ends with `/`): by their paths.

        Every search looks, at hundreds of files, so that each costs its place in a listing, a call of the system and no more.
        """
        seen: dict[str, Mark] = {}
        for name in ("MEMORY.md", "SESSION-STATE.md"):
            if (found := self._beside_memory(name)) and stat.S_ISREG(found.st_mode):
                seen[name] = _mark(found)
        places = ["memory"]
        if self._config.contextDir.split(os.sep)[0] != "memory":
            places.append(self._config.contextDir.replace(os.sep, "/"))
        for place in places:
            if folder := self._opened_or_none(place):
                with folder:
                    self._below(place, folder, seen)
        if folder := self._opened_or_none(_JOURNAL):
            with folder:
                _days(folder, seen)
        return seen

    def files(
        self, known: dict[str, str], folders: dict[str, str], now: int, seen: dict[str, Mark] | None = None
    ) -> Iterator[tuple[str, Mark | None]]:
        """Every file that is searched; of a journal day that is as it was, the folder alone, with None."""
        for path, mark in (self.look() if seen is None else seen).items():
            if not path.endswith("/"):
                yield path, mark
                continue
            folders[path] = stamp = stamped(mark, now)
            if known.get(path) == stamp and not stamp.endswith("?"):
                yield path, None
                continue
            try:
                with self._opened(path[:-1]) as folder:
                    for entry in filter(_is_text, folder.entries()):
                        yield path + entry.name, _mark(entry.stat(follow_symlinks=False))
            except OSError:
                continue  # it is no folder, or it went while we looked

    def waiting(self) -> frozenset[str]:
        """The ids of records that some document still lacks: after a full disk, a crash, or beside a busy writer."""
        folder = self._opened_or_none(".holdfast/pending")
        self.close()
        if folder is None:
            return frozenset()
        with folder:
            return frozenset(folder.names())

    def _below(self, place: str, folder: Folder, seen: dict[str, Mark]) -> None:
        """Every document in a folder and below it."""
        entries = folder.entries()
        entries.reverse()
        while entries:  # each is let go once it is seen: it keeps all that the system said of it, a kilobyte, beyond the caches
            entry = entries.pop()
            name = entry.name
            path = f"{place}/{name}"
            try:
                if name.endswith(_TEXTS) and entry.is_file(follow_symlinks=False):
                    found = entry.stat(follow_symlinks=False)
                    seen[path] = found.st_mtime_ns, found.st_ctime_ns, found.st_size  # _mark, but a call for each file shows
                elif entry.is_symlink():
                    self.links.append(path)
                elif entry.is_dir(follow_symlinks=False) and not name.startswith("."):
                    with folder.child(name) as below:
                        self._below(path, below, seen)
            except OSError as error:
                self._pass_over(path, error)

    def _beside_memory(self, name: str) -> os.stat_result | None:
        """What the system says of a file beside `memory/`."""
        try:
            folder, there = self._at_top(name)
            with folder:
                found = folder.stat(there)
        except OSError as error:
            self._pass_over(name, error)
            return None
        if found and stat.S_ISLNK(found.st_mode):
            self.links.append(name)
        return found

    def _at_top(self, name: str) -> tuple[Folder, str]:
        """The folder and the name of a file beside `memory/`."""
        return links.memory_file(self._root, self._config) if name == "MEMORY.md" else (self._root.again(), name)

    def _opened_or_none(self, place: str) -> Folder | None:
        try:
            return self._opened(place)
        except OSError as error:
            self._pass_over(place, error)
            return None

    def _opened(self, place: str) -> Folder:
        """A folder of the workspace, to be closed by whoever asked for it."""
        first, _, rest = place.partition("/")
        if first in ("", "."):
            return self._root.again()
        if first != "memory":
            return self._root.descend(place)
        memory = links.memory_folder(self._root, self._config)
        if not rest:
            return memory
        with memory:
            return memory.descend(rest)

    def _pass_over(self, place: str, error: OSError) -> None:
        """What cannot be opened is not searched, and is told; what is not there, or went while we looked, is not."""
        if error.errno == errno.ELOOP:
            self.links.append(f"{place} ({'. '.join(reason(error))})")
        elif error.errno != errno.ENOENT:
            self.shut.append(f"{place} ({reason(error)[0]})")

    # ---- what they say ----

    def read(self, path: str) -> bytes:
        """The bytes of one of them, unpacked where it is packed."""
        place, _, name = path.rpartition("/")
        if not place:
            folder, name = self._at_top(name)
            with folder, folder.file(name) as file:
                return _content(file, name)
        if place not in self._open:
            self.close()
            self._open[place] = self._opened(place)
        with self._open[place].file(name) as file:
            return _content(file, name)


def _days(journal: Folder, seen: dict[str, Mark]) -> None:
    """Every day of the journal: a folder of records, or a file where it is packed."""
    for day in journal.entries():
        try:
            path = f"{_JOURNAL}/{day.name}" if _is_text(day) else f"{_JOURNAL}/{day.name}/"
            found = day.stat(follow_symlinks=False)
            seen[path] = found.st_mtime_ns, found.st_ctime_ns, found.st_size
        except OSError:
            continue  # it went while we looked


def _is_text(entry: os.DirEntry[str]) -> bool:
    return entry.name.endswith(_TEXTS) and entry.is_file(follow_symlinks=False)


def _mark(found: os.stat_result) -> Mark:
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size


def settled(mark: Mark, now: int) -> bool:
    """Whether a file would show a change from now on: it was not written so lately that its moment may stay the same."""
    return max(mark[:2]) <= now - _SETTLED


def stamped(mark: Mark, now: int) -> str:
    """By what a file is known to be as it was; with a question mark where it was written too lately to be sure."""
    changed, touched, size = mark
    return f"{changed} {touched} {size}{'' if settled(mark, now) else '?'}"


def _content(file: BinaryIO, name: str) -> bytes:
    if name.endswith(".gz"):
        import gzip

        with gzip.open(file) as packed:
            return packed.read(LONG)
    if name.endswith(".zst"):
        from ..transcripts.packed import MISSING, SPOILT, read, stream

        unpacked = stream(file)
        if unpacked is None:
            raise ValueError(MISSING)
        data = read(unpacked, LONG)
        if data is None:
            raise ValueError(SPOILT)
        return data
    # No more than there is: room for all of LONG would be made, and given back, for every small file.
    return file.read(min(os.fstat(file.fileno()).st_size + 1, LONG))
