"""SQLite databases of hosts: opened for reading alone, never in the host's way.

Rule 1: `mode=ro`, so that nothing of ours can write; the wait for a lock is 200 ms at most, then we say that it was locked.
        A database that has a write-ahead log when it is in use, and has none beside it now, is in nobody's use: it is
        opened as immutable, for else SQLite makes a log and an index of it in the host's folder, and leaves them there.
Rule 2: rows are fetched a few at a time and no transaction stays open between them, so that the host's log can be folded in.
Rule 3: only the tables of the conversation are asked for; such a database holds credentials too.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from typing import Any

    from . import Source, Tally

BATCH = 32
_WAIT = 0.2  # seconds
_WITH_LOG = b"\x02\x02"  # in the file's header: written and read through a write-ahead log


class Database:
    """A database that is only read. What cannot be read gives no rows and a reason."""

    def __init__(self, path: str, tally: Tally) -> None:
        self._path, self._tally = path, tally
        self._connection: sqlite3.Connection | None = None
        self._columns: dict[str, frozenset[str]] = {}
        self.failed = self._still = False

    def begin(self) -> None:
        """A new reading: what failed may succeed now, and what stood still may have moved."""
        self.failed = False
        if self._still:
            self.close()

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """All rows of a query; texts come as bytes, for not all of them are text."""
        import sqlite3

        if self.failed:
            return []  # said once in a reading, not for each question
        if self._still and self._in_use():
            self.close()
        try:
            if self._connection is None:
                self._connection = self._connect()
            return self._connection.execute(query, values).fetchall()
        except (sqlite3.Error, sqlite3.Warning, OSError, OverflowError, MemoryError) as error:
            self.failed = True
            self._tally.closed(_reason(str(error)))
            return []

    def _connect(self) -> sqlite3.Connection:
        import sqlite3
        from urllib.parse import quote

        with open(self._path, "rb") as file:
            logged = file.read(20)[18:] == _WITH_LOG
        self._still = logged and not self._in_use()
        place = f"file:{quote(os.path.abspath(self._path))}?mode=ro" + ("&immutable=1" if self._still else "")
        connection = sqlite3.connect(place, uri=True, timeout=_WAIT, isolation_level=None)
        connection.text_factory = bytes
        return connection

    def _in_use(self) -> bool:
        return os.path.exists(self._path + "-wal")

    def columns(self, table: str) -> frozenset[str]:
        """The columns of a table; none where there is no such table."""
        if table not in self._columns:
            found = self.rows("SELECT name FROM pragma_table_info(?)", table)
            names = frozenset(text(row[0]) for row in found)
            if self.failed:
                return names
            self._columns[table] = names
        return self._columns[table]

    def close(self) -> None:
        """Give the database back."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def __del__(self) -> None:
        self.close()


def text(value: Any) -> str:
    """A column as text."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value if isinstance(value, str) else ""


def _reason(error: str) -> str:
    low = error.lower()
    if "locked" in low or "busy" in low:
        return "The host has locked its database; it was not read this time."
    if "no such table" in low or "no such column" in low:
        return "The database has a newer form than we know."
    return "The database is damaged or could not be opened."


def database(path: str, host: str, session: str, tally: Tally) -> tuple[str, str, Source]:
    """The source for a database, by the tables that it has."""
    from .openclaw import Sessions
    from .opencode import Parts

    found = Database(path, tally)
    if {"session_id", "seq"} <= found.columns("transcript_events"):
        source: Source = Sessions(found, path, session, tally)
        return "openclaw", session, source
    if "data" in found.columns("part") and "data" in found.columns("message"):
        return "opencode", session, Parts(found, session, tally)
    if not found.failed:
        tally.closed("This is no database of a host that we know, or one of a newer form.")
    return host, session, Parts(found, session, tally) if host == "opencode" else Sessions(found, path, session, tally)
