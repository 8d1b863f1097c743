"""The write-ahead journal: one new file a record, never rewritten.

    .holdfast/journal/2026-11-15/20261115-140509-317042-k3f9q2ab.md    the record
    .holdfast/pending/20261115-140509-317042-k3f9q2ab                  there until every document has it

The mark in `pending/` is durable before the record is, so a record that counts can never be forgotten by the documents; and
a workspace of any size is known to be up to date from one empty folder. A mark that names roles (“day”, “topic”) is a
record of which only those documents are still to be brought up to date.

Ids are local time and so sort by it, but never before an id that their writer had seen: when the clock is set back, the
next id is one microsecond after the newest, and the order stays the order of what caused what. The one exception is what is
brought in from the past: it is caused by nothing that stands here, and its id is of the moment at which it happened.
"""

from __future__ import annotations

import re

from ..errors import NotFound, not_saved
from ..model import KINDS, Record
from ..util import compute_digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator
    from typing import Any

    from .disk import Folder

VERSION = 1
ID = re.compile(r"[0-9]{8}-[0-9]{6}-[0-9]{6}-[0-9a-z]{8}\Z")
_DIGITS = str.maketrans("123456789", "000000000")  # by the shape of what is left, plain dates are known without an expression
_KEY = frozenset("abcdefghijklmnopqrstuvwxyz-")
_HELD = 8  # packs that are held in memory at once
_ABANDONED = 60.0  # seconds after which a mark without a record belongs to a writer that died


def _day_of(record_id: str) -> str:
    """The day that a record lies in."""
    return f"{record_id[:4]}-{record_id[4:6]}-{record_id[6:8]}"


# ---- a record as text --------------------------------------------------------------------------------------------------

_GIVEN = ("<!-- session: ", "<!-- topic: ", "<!-- host: ", "<!-- trigger: ")  # values that come from outside
_KEYS = ("id", "kind", "session", "topic", "host", "time", "origin", "trigger", "after")


def render(record: Record) -> str:
    """The header, a blank line, the body."""
    lines = [f"<!-- holdfast-record: {record.version} -->"]
    lines += [f"<!-- {key}: {quoted(getattr(record, key))} -->" for key in _KEYS if getattr(record, key)]
    return "\n".join([*lines, f"<!-- digest: {_digest_of(lines, record.body)} -->"]) + "\n\n" + record.body


def _digest_of(header: list[str], body: str) -> str:
    """Of the header too: a flipped bit there would give a record to another session, or put it out of order."""
    return compute_digest("\n".join([*header, "", body]).encode("utf-8", "surrogateescape"))


def parse(text: str) -> Record | None:
    """A record, or None where the text is torn, altered or not a record at all."""
    head, _, body = text.partition("\n\n")
    found: dict[str, str] = {}
    lines = head.split("\n")
    for line in lines:
        key, colon, value = line[5:-4].partition(": ")
        if not (line.startswith("<!-- ") and line.endswith(" -->") and key and colon and _KEY.issuperset(key)):
            return None
        found.setdefault(key, _plain(value))
    version = found.pop("holdfast-record", "")
    if not (_is_version(version) and ID.match(found.get("id", "")) and _is_time(found.get("time", ""))):
        return None
    if "/" in found.get("topic", "") or (int(version) <= VERSION and found.get("kind") not in KINDS):
        return None  # bits have flipped: a topic is a file's name, and an unknown kind would be applied as some other
    if found.pop("digest", "") != _digest_of(lines[:-1], body):
        return None
    known: dict[str, Any] = {"session": "default", "time": "", "body": body, "version": int(version)}
    known.update((key, found[key]) for key in _KEYS if key in found)
    return Record(**known)


def _is_version(text: str) -> bool:
    return len(text) <= 4 and text.isascii() and text.isdigit() and text[0] != "0"


def _is_time(text: str) -> bool:
    return text[:19].translate(_DIGITS) == "0000-00-00T00:00:00" and "/" not in text


def _is_day(name: str) -> bool:
    return name.translate(_DIGITS) == "0000-00-00"


def rewritten(text: str, change: Callable[[str], str]) -> str:
    """A record without a text that is forgotten: the one reason to touch what is written once. Its id, order and time stay."""
    if parse(text) is None:
        return change(text)  # torn or altered: it stays so
    head, gap, body = text.partition("\n\n")
    lines = [change(line) if line.startswith(_GIVEN) else line for line in head.split("\n")[:-1]]
    body = change(body)
    return "\n".join([*lines, f"<!-- digest: {_digest_of(lines, body)} -->"]) + gap + body


def quoted(value: str) -> str:
    """A value that cannot end its comment or its line."""
    return value.replace("%", "%25").replace("-->", "--%3E").replace("\n", "%0A").replace("\r", "%0D")


def _plain(value: str) -> str:
    return value.replace("%0D", "\r").replace("%0A", "\n").replace("--%3E", "-->").replace("%25", "%")


def _is_sound(data: bytes) -> bool:
    return parse(data.decode("utf-8", "surrogateescape")) is not None


# ---- the journal on disk -----------------------------------------------------------------------------------------------


class Journal:
    """The records of one workspace."""

    def __init__(self, home: Folder, swap: Folder, pending: Folder) -> None:
        self.home, self.swap, self.pending = home, swap, pending
        self.damaged: set[str] = set()  # records that are there and could not be read: the documents are their second copy
        self._days: dict[str, Folder] = {}
        self._packs: dict[str, tuple[tuple[int, int], dict[str, bytes]]] = {}  # the packs read last, with moment and size

    def close(self) -> None:
        """Give the day folders back."""
        for folder in self._days.values():
            folder.close()
        self._days = {}

    def _day(self, record_id: str, *, make: bool = False) -> Folder:
        name = _day_of(record_id)
        if make and name in self._days and self._days[name].is_gone():
            self._days.pop(name).close()  # its records were packed meanwhile; what comes to that day now needs a folder again
        if name not in self._days:
            journal = self.home.child("journal", make=make)
            try:
                self._days[name] = journal.child(name, make=make)
            finally:
                journal.close()
        return self._days[name]

    def write(self, record: Record) -> None:
        """Make a record durable. When this returns, it survives a power cut; when it raises, it was not acknowledged."""
        try:
            self._write(record)
        except OSError as error:
            self._take_back(record.id)
            raise not_saved(error, self.home.at("journal"), f"The {record.kind}") from error

    def _write(self, record: Record) -> None:
        data = render(record).encode("utf-8", "surrogateescape")
        day = self._day(record.id, make=True)
        self.pending.touch(record.id)
        self.pending.sync()
        self.swap.place(self.swap.prepare(data), day, record.id + ".md")
        day.sync()

    def _take_back(self, record_id: str) -> None:
        """A record whose last sync failed may be there or not after a crash; it must not be half believed now."""
        try:
            day = self._day(record_id)
            day.remove(record_id + ".md")
            day.sync()  # before its mark goes: a record that a power cut brings back without one never reaches the documents
            self.pending.remove(record_id)
        except OSError:
            pass  # the disk refuses even that; what was not acknowledged may stay

    def _bytes(self, record_id: str) -> bytes:
        """A record's bytes, from its own file or from the pack of its day."""
        try:
            return self._day(record_id).read(record_id + ".md")
        except FileNotFoundError:
            found = self._pack(_day_of(record_id)).get(record_id)
            if found is None:
                raise
            return found

    def read(self, record_id: str) -> Record | None:
        """A record, or None where there is none that can be believed."""
        try:
            record = parse(self._bytes(record_id).decode("utf-8", "surrogateescape"))
        except FileNotFoundError:
            return None
        except OSError:
            record = None
        if record is None or record.id != record_id:
            self.damaged.add(record_id)
            return None
        return record

    def has(self, record_id: str) -> bool:
        """Whether there is a file of that record, sound or not."""
        try:
            if self._day(record_id).stat(record_id + ".md") is not None:
                return True
        except OSError:
            pass
        return record_id in self._pack(_day_of(record_id))

    def newest_first(self) -> Iterator[str]:
        """All ids, the newest first."""
        try:
            journal = self.home.child("journal")
        except OSError:
            return
        days = sorted({name.removesuffix(".md") for name in journal.names() if _is_day(name.removesuffix(".md"))})
        journal.close()
        for name in reversed(days):
            yield from reversed(self.of_day(name))

    def of_day(self, day: str) -> list[str]:
        """The ids of one day, the oldest first."""
        try:
            names = self._day(day.replace("-", "")).names()
        except OSError:
            names = []
        loose = {name[:-3] for name in names if name.endswith(".md") and ID.match(name[:-3])}
        return sorted(loose.union(self._pack(day)))

    def records(self, *, kind: str = "", session: str = "") -> Iterator[Record]:
        """Records that can be read, the newest first."""
        for record_id in self.newest_first():
            record = self.read(record_id)
            if record and kind in ("", record.kind) and session in ("", record.session):
                yield record

    def find(self, prefix: str) -> Record:
        """The record whose id begins so; an error where none or several do."""
        found = [record_id for record_id in self.newest_first() if record_id.startswith(prefix)]
        if not found:
            raise NotFound(f"There is no record {prefix}. `holdfast status` names the newest; nothing was changed.")
        if len(found) > 1:
            raise NotFound(f"{len(found)} records begin with {prefix}, the newest being {found[0]}. Give more of the id.")
        record = self.read(found[0])
        if record is None:
            raise NotFound(f"The record {found[0]} is damaged; its day's file in memory/ is the second copy.")
        return record

    # ---- packed days ----

    def _pack(self, day: str) -> dict[str, bytes]:
        """The records of a day that are packed; none where there is no pack, or where it cannot be read."""
        try:
            journal = self.home.child("journal")
        except OSError:
            return {}
        try:
            found = journal.stat(f"{day}.md")
            if found is None:
                return {}
            stamp = (found.st_mtime_ns, found.st_size)
            if self._packs.get(day, ((), {}))[0] != stamp:
                from .packing import unpacked

                while len(self._packs) >= _HELD:
                    self._packs.pop(next(iter(self._packs)))
                self._packs[day] = (stamp, unpacked(journal.read(f"{day}.md")))
            return self._packs[day][1]
        except OSError:
            self.damaged.add(f"{day.replace('-', '')} (packed)")
            return {}
        finally:
            journal.close()

    def loose_days(self) -> list[str]:
        """The days that have records in files of their own, the oldest first; not those of which some document lacks one."""
        try:
            journal = self.home.child("journal")
        except OSError:
            return []
        days = [name for name in journal.names() if _is_day(name)]
        journal.close()
        waiting = {_day_of(record_id) for record_id in self.unapplied()}
        return [day for day in days if day not in waiting]

    def outdated(self, day: str) -> dict[str, bytes]:
        """The records of a day that kept the state at the end of a turn and are replaced by a later one of their session."""
        found: dict[str, bytes] = {}
        replaced: set[str] = set()
        for record_id in reversed(self.of_day(day)):
            record = self.read(record_id)
            if record and record.kind == "checkpoint":
                if record.ends_a_turn and record.session in replaced:
                    found[record_id] = self._bytes(record_id)
                replaced.add(record.session)
        return found

    def pack(self, day: str, without: Container[str] = ()) -> None:
        """Put the records of a day into one file. Their own files go only once it is durable and reads back the same.

        Whatever comes to that day later has a file of its own again, beside the pack, until the next packing.
        """
        from .packing import packed, unpacked

        folder = self._day(day.replace("-", ""))
        names = [name for name in folder.names() if name.endswith(".md") and ID.match(name[:-3])]
        loose = {name[:-3]: folder.read(name) for name in names}
        journal = self.home.child("journal")
        try:
            if loose:
                old = journal.read_or_none(f"{day}.md") or packed({})
                there = unpacked(old)
                if packed(there) != old:
                    return  # it is torn: what is left of it stays as it is, and the others beside it
                whole = {**loose, **{name: data for name, data in there.items() if _is_sound(data) or name not in loose}}
                whole = {name: data for name, data in whole.items() if name not in without}
                self.swap.place(self.swap.prepare(packed(whole)), journal, f"{day}.md", over=True)
                journal.sync()
                if unpacked(journal.read(f"{day}.md")) != whole:
                    raise OSError(5, "what was written is not what is read", journal.at(f"{day}.md"))
            for name in names:
                folder.remove(name)
            folder.sync()
            self._days.pop(day).close()
            journal.remove_folder(day)
            journal.sync()
        finally:
            journal.close()

    # ---- what the documents still lack ----

    def unapplied(self) -> list[str]:
        """Ids of records that some document still lacks, oldest first."""
        return [name for name in self.pending.names() if ID.match(name)]

    def roles_left(self, record_id: str) -> tuple[str, ...]:
        """The documents that still lack a record; none named means all of them."""
        data = self.pending.read_or_none(record_id) or b""
        return tuple(data.decode("ascii", "replace").split())

    def applied(self, record_id: str) -> None:
        """Every document has the record. Synced, because what proves it is thrown away afterwards."""
        self.pending.remove(record_id)
        self.pending.sync()

    def applied_but_for(self, record_id: str, roles: list[str]) -> None:
        """Some documents have the record, and these do not."""
        temporary = self.swap.prepare("\n".join(roles).encode("ascii"))
        self.swap.place(temporary, self.pending, record_id, over=True)
        self.pending.sync()

    def remove(self, record_id: str) -> None:
        """Take a record away for good. Its mark goes first: one without a record is that of a writer who died."""
        self.pending.remove(record_id)
        self.pending.sync()
        try:
            day = self._day(record_id)
            day.remove(record_id + ".md")
            day.sync()
        except FileNotFoundError:
            pass  # all of its day is packed
        if record_id in self._pack(_day_of(record_id)):
            self._remove_packed(record_id)

    def _remove_packed(self, record_id: str) -> None:
        from .packing import packed, unpacked

        name, journal = f"{_day_of(record_id)}.md", self.home.child("journal")
        try:
            kept = {one: data for one, data in unpacked(journal.read(name)).items() if one != record_id}
            self.swap.place(self.swap.prepare(packed(kept)), journal, name, over=True)
            journal.sync()
        finally:
            journal.close()

    def forget_mark(self, record_id: str, now: float) -> None:
        """Take away the mark of a writer that died before its record was there."""
        mark = self.pending.stat(record_id)
        if mark and now - mark.st_mtime > _ABANDONED and not self._may_be_sound(record_id):
            self.pending.remove(record_id)

    def _may_be_sound(self, record_id: str) -> bool:
        """Whether the record is there, or cannot be looked at now (a bad sector, too many open files): that is not the same."""
        try:
            return parse(self._bytes(record_id).decode("utf-8", "surrogateescape")) is not None
        except FileNotFoundError:
            return False
        except OSError:
            return True
