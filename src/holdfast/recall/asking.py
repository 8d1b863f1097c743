"""What an index can be asked: which passages have some words, how often, and what they say. How it comes to be is index.py's."""

from __future__ import annotations

import os
from collections import Counter

from ..model import Value
from .corpus import PLACE

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable
else:
    try:  # the package around it loads datetime, a third of an interpreter start, to convert dates that we have none of
        import _sqlite3 as sqlite3
    except ImportError:
        import sqlite3

Broken = sqlite3.DatabaseError  # what asking an index raises that is not whole after all
_DOCUMENT = "select id, path, origin, tags, trouble from file"
_ROW = "select rowid, text, kind, date, first, last, heading from passage"


class Row:
    """A passage as the index holds it. A plain class: hundreds are made for every search."""

    __slots__ = ("date", "first", "heading", "id", "kind", "last", "text")

    def __init__(self, number: int, text: str, kind: str, date: str, first: int, last: int, heading: str) -> None:
        self.id, self.text, self.kind, self.date = number, text, kind, date
        self.first, self.last, self.heading = first, last, heading


class Document:
    """A file as the index knows it."""

    __slots__ = ("origin", "path", "tags", "trouble")

    def __init__(self, path: bytes, origin: str, tags: str, trouble: str) -> None:
        self.path, self.origin, self.tags, self.trouble = os.fsdecode(path), origin, tuple(tags.split()), trouble


class Wanted(Value):
    """Which passages count: of a note type, of a topic, from a day on."""

    kind: str = ""
    topic: str = ""
    since: str = ""


class Index:
    """An index that is up to date."""

    def __init__(
        self,
        db: sqlite3.Connection,
        unkept: str = "",
        links: tuple[str, ...] = (),
        shut: tuple[str, ...] = (),
        coming: int = 0,
    ) -> None:
        self._db, self.unkept = db, unkept  # unkept: why the index could not be kept, where it could not
        self.links = links  # what was not searched because a link stands there, in words
        self.shut = shut  # and because it could not be opened
        self.coming = coming  # files that there was no time to read yet
        self.waiting: Callable[[], frozenset[str]] = frozenset  # the records that some document still lacks
        self.files, self.passages = db.execute("select files, passages from about").fetchone()
        self._counts: dict[tuple[str, Wanted], int] = {}
        self._terms: dict[str, list[str]] = {}

    def close(self) -> None:
        """Give the database back."""
        self._db.close()

    def count(self, words: str, wanted: Wanted) -> int:
        """In how many passages the words stand (FTS5 syntax)."""
        if (words, wanted) not in self._counts:
            where, values = _where(words, wanted)
            (count,) = self._db.execute(f"select count(*) from passage where {where}", values).fetchone()  # noqa: S608
            self._counts[words, wanted] = count
        return self._counts[words, wanted]

    def counted(self, words: str, wanted: Wanted) -> dict[int, int]:
        """In how many passages of each file the words stand (FTS5 syntax)."""
        where, values = _where(words, wanted)
        # In one piece, counted here: SQLite would sort what comes in order, and giving it row by row takes as long again.
        query = f"select group_concat(rowid >> {PLACE}) from passage where {where}"  # noqa: S608
        (files,) = self._db.execute(query, values).fetchone()
        return Counter(map(int, files.split(","))) if files else {}

    def best(self, words: str, wanted: Wanted, limit: int) -> list[tuple[int, float]]:
        """The best passages by BM25, with their scores; more is better."""
        where, values = _where(words, wanted)
        # As a `rank`, the tokeniser's own sorter keeps the best; an expression would have SQLite sort every passage that matches.
        query = f"select rowid, -rank from passage where {where} and rank match 'bm25(1, 1, 1, 0)' order by rank limit ?"  # noqa: S608
        return self._db.execute(query, (*values, limit)).fetchall()

    def rows(self, numbers: Iterable[int]) -> dict[int, Row]:
        """Passages by their row numbers."""
        return {row[0]: Row(*row) for row in self._db.execute(f"{_ROW} where rowid in ({_listing(numbers)})")}

    def lengths(self, numbers: Iterable[int]) -> dict[int, int]:
        """How many passages files have."""
        return dict(self._db.execute(f"select id, passages from file where id in ({_listing(numbers)})"))  # noqa: S608

    def documents(self, numbers: Iterable[int]) -> dict[int, Document]:
        """Files by their numbers."""
        return {row[0]: Document(*row[1:]) for row in self._db.execute(f"{_DOCUMENT} where id in ({_listing(numbers)})")}

    def text_of(self, paths: Iterable[str]) -> str | None:
        """What some files say, passage by passage in one piece; None where none of these is there."""
        query = "select group_concat(text, char(10)) from passage where rowid between ? and ?"
        files = self._files(paths)
        said = [self._db.execute(query, within(number)).fetchone()[0] or "" for number, _ in files]
        return "\n".join(said) if files else None

    def passages_of(self, paths: Iterable[str], having: str = "") -> list[tuple[Row, Document]]:
        """The passages of some files that have a text in them, in their order."""
        query = f"{_ROW} where rowid between ? and ? and instr(text, ?)"
        return [
            (Row(*row), document)
            for number, document in self._files(paths)
            for row in self._db.execute(query, (*within(number), having))
        ]

    def _files(self, paths: Iterable[str]) -> list[tuple[int, Document]]:
        blobs = tuple(map(os.fsencode, paths))
        query = f"{_DOCUMENT} where path in ({','.join('?' * len(blobs))}) order by id"
        return [(number, Document(*about)) for number, *about in self._db.execute(query, blobs)]

    def tagged(self) -> list[Document]:
        """The files that have tags."""
        return [Document(*row[1:]) for row in self._db.execute(f"{_DOCUMENT} where tags != '' order by path")]

    def troubled(self) -> list[Document]:
        """The files that could not be searched."""
        return [Document(*row[1:]) for row in self._db.execute(f"{_DOCUMENT} where trouble != '' order by path")]

    def terms(self, beginning: str, least: int, most: int) -> list[str]:
        """The words of the index (as stems) that begin so and are so long."""
        if beginning not in self._terms:  # asked once, for all words of a question: what begins so has to be read for it
            self._db.execute("create virtual table if not exists temp.term using fts5vocab(main, passage, row)")
            # In one piece: as rows, fifty thousand words take half as long again.
            query = "select group_concat(term, ' ') from temp.term where term >= ? and term < ?"
            (terms,) = self._db.execute(query, (beginning, beginning + "\U0010ffff")).fetchone()
            self._terms[beginning] = (terms or "").split()
        return [term for term in self._terms[beginning] if least <= len(term) <= most]


def within(number: int) -> tuple[int, int]:
    """The numbers of the passages of a file, from the first to the last that it could have."""
    return number << PLACE, (number + 1 << PLACE) - 1


def _listing(numbers: Iterable[int]) -> str:
    return ",".join(map(str, numbers))


def _where(words: str, wanted: Wanted) -> tuple[str, tuple[str, ...]]:
    where, values = ["passage match ?"], [f'({words}) AND kind : "{wanted.kind}"' if wanted.kind else words]
    if wanted.topic:
        where.append(f"rowid >> {PLACE} in (select id from file where topic = ?)")  # noqa: S608
        values.append(wanted.topic)
    if wanted.since:
        where.append("date >= ?")
        values.append(wanted.since)
    return " and ".join(where), tuple(values)
