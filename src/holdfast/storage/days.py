"""Days: where the file of a day stands, what it says wherever it has gone since, and the next number of a snapshot in it."""

from __future__ import annotations

import re

from ..documents import markdown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .journal import Journal
    from .store import Store


_DAY_FILE = re.compile(r"\d{4}-\d\d-\d\d\.md$")


class Days:
    """The days of a workspace."""

    def __init__(self, store: Store, journal: Journal) -> None:
        self._store, self._journal = store, journal

    def path(self, day: str) -> tuple[str, str]:
        """(folder, name) of a day's file."""
        there = self._store.text_or_empty("memory/episodic", f"{day}.md")
        try:
            episodic = bool(there) or self._store.days(make=False) is not self._store.folder("memory", make=False)
        except OSError:
            episodic = False
        return ("memory/episodic" if episodic else "memory"), f"{day}.md"

    def text(self, day: str) -> str:
        """A day's file, whole; from the archive where upkeep has moved it there.

        Where days are kept in `memory/episodic/`, what lies in `memory/` of the day is part of it: OpenClaw's memory flush may
        write nowhere else.
        """
        own, beside = self._files(day)
        return _joined(own or self._archived(day), beside)

    def _files(self, day: str) -> tuple[str, str]:
        """(a day's own file, what lies beside the days of it)."""
        folder, name = self.path(day)
        beside = self._store.text_or_empty("memory", name) if folder != "memory" else ""
        return self._store.text_or_empty(folder, name), beside

    def every(self) -> list[str]:
        """The days that have a file outside the archive, the oldest first; OSError where there is no such folder."""
        folders = {folder.path: folder for folder in (self._store.days(make=False), self._store.folder("memory", make=False))}
        names = {name for folder in folders.values() for name in folder.names()}
        return sorted(name[:-3] for name in names if _DAY_FILE.match(name))

    def _archived(self, day: str) -> str:
        """A day that is in the archive, packed or not; empty where there is none. Most days that are asked for are not there."""
        for path in (f"memory/archive/{day[:4]}/{day[5:7]}", f"memory/archive/{day[:7]}"):
            text = self._store.text_or_empty(path, f"{day}.md")
            try:
                data = None if text else self._store.folder(path, make=False).read_or_none(f"{day}.md.gz")
            except (OSError, ValueError):
                continue
            if data is not None:
                try:
                    return uncompressed(".gz", data).decode("utf-8", "surrogateescape")
                except ValueError:
                    continue  # torn; the journal has what it said
            if text:
                return text
        return ""

    def next_number(self, day: str, past: str = "") -> str:
        """The next free snapshot id of a day; `past`: the id of a record that is dated back to it."""
        text = _joined(*self._files(day)) or self._in_journal(day, past)
        return markdown.next_snapshot_id(text, day)

    def _in_journal(self, day: str, past: str) -> str:
        """The checkpoints of a day whose file is missing or in the way: their numbers are taken all the same.

        For a record that is dated back, only its own day's: to read all that came since, for each of a thousand sessions, is
        too dear for a number.
        """
        found = []
        ids = (i for i in self._journal.newest_first() if not past or i[:8] <= past[:8])
        for record in filter(None, map(self._journal.read, ids)):
            if record.time[:10] < day:
                break
            found.append(record.body)
        return "".join(found)


def _joined(own: str, beside: str) -> str:
    return f"{own.rstrip()}\n\n{beside}" if own.strip() and beside.strip() else own or beside


def uncompressed(name: str, data: bytes) -> bytes:
    """The bytes of a document, unpacked where its name says that it is packed; ValueError where they cannot be."""
    if not name.endswith(".gz"):
        return data
    import gzip
    import zlib

    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError(f"it cannot be unpacked: {error}") from error
