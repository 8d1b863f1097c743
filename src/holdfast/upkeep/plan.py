"""A plan of upkeep is data: a list of changes, each with its kind, its reason, what it was made from and what it does. Pure.

A plan is made on a `View`: what was read, and on top of it what the changes planned so far will make of it. So the second change
to a document expects the text that the first one leaves, and the whole plan can be shown before any of it is done. Where an
earlier change is dropped because a person has edited its document, a later one no longer finds what it expects and is dropped
too; the next run plans them anew.

Rule for whoever writes a duty: within a change a text is in its new place before it leaves its old one, and a change of which a
crash left only the first half is planned again as its second half. That is what makes upkeep safe to kill and to repeat.
"""

from __future__ import annotations

from ..documents.days import day_of
from ..model import Value
from ..util import compute_digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class Edit(Value):
    """What a change does to one file."""

    path: str  # relative to the workspace; one that ends in .gz is packed when it is written
    before: str  # the digest of its text as it was read; empty: there was no such file
    after: str | None  # its new text; None: it goes to the trash


class Change(Value):
    """One thing that upkeep does, whole or not at all as far as anybody's edits are concerned."""

    kind: str
    reason: str
    edits: tuple[Edit, ...]
    sources: tuple[tuple[str, str], ...] = ()  # (path, digest as read) of what it was made from besides
    let_go: tuple[str, ...] = ()  # ids of things in the trash whose time is over
    packs: tuple[str, ...] = ()  # days of the journal that are packed
    receipts: bool = False  # the receipts begin a new file
    at_home: tuple[str, ...] = ()  # meanings of what a review leaves at home: deleted there, it is not to be brought again

    def expected(self) -> dict[str, str]:
        """Every file that it rests on, with the digest that it must have."""
        found = dict(self.sources)
        for edit in self.edits:
            found.setdefault(edit.path, edit.before)
        return found


class There(Value):
    """What upkeep has found in a workspace, read at one moment."""

    today: str  # 2026-11-16
    now: str  # 2026-11-16T09:00:00+01:00
    days: str  # the folder that new days are made in, `memory` or `memory/episodic`
    texts: Mapping[str, str]  # path → text of every document that upkeep may change or must know
    packed: frozenset[str] = frozenset()  # paths of archived days that are packed, whether or not they were read
    trash: tuple[tuple[str, str], ...] = ()  # (id, day) of what is in the trash
    receipts: int = 0  # bytes of the receipts
    journal: tuple[str, ...] = ()  # days of the journal that have records of their own, not packed
    under_way: str = ""  # the task that is being worked on just now
    unread: tuple[tuple[str, str], ...] = ()  # (path, why) of what could not be read: it is left alone
    brought: frozenset[str] = frozenset()  # digests, under the key, of what reviews have left at home before
    key: bytes = b""  # the workspace's own
    buffer_saved: str = ""  # the day on which the file of the buffer was written last


def mark_of(text: str | None) -> str:
    """The digest by which a text is known to be what was read; empty for a file that is not there."""
    return "" if text is None else compute_digest(text.encode("utf-8", "surrogateescape"))


def keyed(said: str, key: bytes) -> str:
    """By what a review knows again what it has brought home; it tells nothing to who has not the key."""
    return compute_digest(said.encode("utf-8", "surrogateescape"), key)


class View:
    """What is there, with what the changes planned so far will make of it."""

    def __init__(self, there: There) -> None:
        self.there = there
        self._texts: dict[str, str | None] = dict(there.texts)
        self._unread = {path for path, _ in there.unread}

    def text(self, path: str) -> str | None:
        """The text of a file as it will be by then; None where there will be none."""
        return self._texts.get(path)

    def is_whole(self, *places: str) -> bool:
        """Whether everything at and below these places could be read: a plan must not rest on half of what there is."""
        return not any(path == place or path.startswith(place + "/") for path in self._unread for place in places)

    def below(self, folder: str) -> list[str]:
        """The files in a folder and below it that are known, sorted."""
        return sorted(path for path, text in self._texts.items() if text is not None and path.startswith(folder + "/"))

    def days(self) -> list[tuple[str, str]]:
        """(day, path) of the days that are not archived, the oldest first. A name that is no date is none of them."""
        found = []
        for path in self.below("memory"):
            folder, _, name = path.rpartition("/")
            day = day_of(name) if folder in ("memory", "memory/episodic") else None
            if day is not None:
                found.append((day.isoformat(), path))
        return sorted(found)

    def was_at_home(self, said: str) -> bool:
        """Whether a review has left it at home before."""
        return keyed(said, self.there.key) in self.there.brought

    def change(
        self, kind: str, reason: str, edits: Mapping[str, str | None], sources: Iterable[str] = (), at_home: Iterable[str] = ()
    ) -> Change:
        """A change to these files, in this order; from now on the view shows what it makes of them."""
        made = [Edit(path, mark_of(self._texts.get(path)), after) for path, after in edits.items()]
        read = tuple((path, mark_of(self._texts.get(path))) for path in sources if path not in edits)
        self._texts.update(edits)
        return Change(kind, reason, tuple(made), read, at_home=tuple(at_home))
