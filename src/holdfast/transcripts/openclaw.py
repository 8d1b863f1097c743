"""OpenClaw since 2026.8: `agents/<id>/agent/openclaw-agent.sqlite`, one row an entry; the entries are those of `pi`.

`transcript_events(session_id, seq, event_json | event_zstd)`: long entries are packed with zstd and have no text beside it.
`session_nodes` has the current session of each key (`agent:main:main`). `/new` and `/reset` keep the session and write a `reset`
entry; compaction deletes nothing. A session that has rested long is moved into a cold archive, a packed file beside the
database or a blob in it (`session_transcript_cold_archives`, up to `last_seq`); its rows are then gone. A position is the session
with its last row, and the reader's memory where it has one: where the key has moved on to another session, reading begins there
anew.
"""

from __future__ import annotations

import os
import re

from . import Entry, Event
from .databases import BATCH, text
from .files import objects, reader_of, shortened
from .packed import event_of, records, unpacked
from .words import dict_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from . import Tally
    from .databases import Database

_LARGEST = 8 * 1024 * 1024  # the host keeps entries below 4 MB
_ARCHIVE = re.compile(r"[a-f0-9]{64}\.jsonl\.zst")
# Sessions that nobody has with a person: scheduled runs, subagents, the host's own.
ASIDE = re.compile(r":(?:cron|subagent|internal-session-effects)(?::|$)")


class Sessions:
    """The entries of one session: its cold archive, where it has one, then its rows."""

    def __init__(self, database: Database, path: str, session: str, tally: Tally) -> None:
        self._database, self._path, self._key, self._tally = database, path, session, tally
        self._reader = reader_of("openclaw")
        self.position: Any = None

    def events(self, start: Any) -> Iterator[Event]:
        """Events from a position on."""
        self._database.begin()
        session = self.session()
        self.position = start
        if not session:
            if not self._database.failed:
                self._tally.note("There is no session in it.")
            return
        row = start.get("row") if isinstance(start, dict) and start.get("session") == session else None
        after = row if isinstance(row, int) and not isinstance(row, bool) else -1
        if self._reader:
            self._reader.state = dict(dict_of(start.get("state"))) if after == row else {}
        self.position = self._at(session, after)
        for number, content in self._rows(session, after):
            found: list[Event] = []
            for entry in objects(content, self._tally) if content is not None else ():
                found += self._tally.took(entry, self._reader.events(entry) if self._reader else None)
            yield from found[:-1]
            self.position = self._at(session, number)
            yield from found[-1:]
        if self.position["row"] < 0 and not self._database.failed:
            self._tally.note("There is no session of that key here, or nothing in it.")

    def _at(self, session: str, row: int) -> dict[str, Any]:
        state = self._reader.state if self._reader else None
        return {"session": session, "row": row, **({"state": dict(state)} if state else {})}

    def session(self) -> str:
        """The id of the session that is meant: by its key, by itself, or the one used last with a person."""
        rows = self._database.rows
        nodes = {"session_key", "current_session_id"} <= self._database.columns("session_nodes")
        if self._key:
            found = rows("SELECT current_session_id FROM session_nodes WHERE session_key = ?", self._key) if nodes else []
            return text(found[0][0]) if found else self._key
        if nodes:
            order = "updated_at" if "updated_at" in self._database.columns("session_nodes") else "rowid"
            found = rows(f"SELECT session_key, current_session_id FROM session_nodes ORDER BY {order} DESC LIMIT 1000")  # noqa: S608
            for key, session in found:
                if not ASIDE.search(text(key)):
                    return text(session)
        found = rows("SELECT session_id FROM transcript_events ORDER BY rowid DESC LIMIT 1")
        return text(found[0][0]) if found else ""

    def _rows(self, session: str, after: int) -> Iterator[tuple[int, bytes | None]]:
        """Number and text of each entry behind a row; no text where it could not be unpacked."""
        for number, content in self._cold(session):
            if number > after:
                yield number, content
                after = number
        which = "FROM transcript_events WHERE session_id = ? AND seq"
        while batch := self._database.rows(f"SELECT seq {which} > ? ORDER BY seq LIMIT {BATCH}", session, after):
            for (number,) in batch:  # one at a time: rows have megabytes
                for plain, packed, _ in self._database.rows(f"SELECT {self._columns()} {which} = ?", session, number):
                    yield number, self._content(plain, packed, _LARGEST)
            if not isinstance(batch[-1][0], int):
                return
            after = batch[-1][0]

    def _columns(self) -> str:
        there = self._database.columns("transcript_events")
        return ", ".join(name if name in there else "NULL" for name in ("event_json", "event_zstd", "event_utf8_bytes"))

    def _content(self, plain: Any, packed: Any, size: int) -> bytes | None:
        if isinstance(plain, (bytes, str)):
            return plain if isinstance(plain, bytes) else plain.encode("utf-8", "replace")
        if isinstance(packed, bytes):
            return unpacked(packed, size, self._tally)
        self._tally.torn("A row holds no entry.")
        return None

    def _cold(self, session: str) -> Iterator[tuple[int, bytes]]:
        if not {"archive_name", "archive_blob"} <= self._database.columns("session_transcript_cold_archives"):
            return
        query = "SELECT archive_name, archive_blob FROM session_transcript_cold_archives WHERE session_id = ?"
        for name, blob in self._database.rows(query, session):
            yield from self._archive(text(name), blob)

    def _archive(self, name: str, blob: Any) -> Iterator[tuple[int, bytes]]:
        from io import BytesIO

        if isinstance(blob, bytes):
            yield from self._archived(BytesIO(blob))
            return
        here = os.path.dirname(os.path.abspath(self._path))
        for folder in (os.path.join(os.path.dirname(here), "sessions"), here):
            if _ARCHIVE.fullmatch(name) and os.path.isfile(os.path.join(folder, "cold", name)):
                try:
                    with open(os.path.join(folder, "cold", name), "rb") as source:
                        yield from self._archived(source)
                except OSError:
                    break
                return
        self._tally.closed("The cold archive of this session could not be opened.")

    def _archived(self, source: Any) -> Iterator[tuple[int, bytes]]:
        for _, line in records(source, self._tally):
            for record in objects(line, self._tally):
                entry = event_of(record)
                if entry:
                    yield entry

    def from_end(self, limit: int, head: int) -> Iterator[Entry]:
        """Raw entries, newest first."""
        self._database.begin()
        session, given, before, size = self.session(), 0, 2**62, 4 * head + 4
        plain, packed, told = self._columns().split(", ")
        blob = f"CAST({plain} AS BLOB)"
        which = "FROM transcript_events WHERE session_id = ? AND seq"
        columns = f"seq, substr({blob}, 1, ?), coalesce({told}, length({blob}), 0)"
        query = f"SELECT {columns} {which} < ? ORDER BY seq DESC LIMIT {BATCH}"
        while given < limit:
            batch = self._database.rows(query, size, session, before)
            for number, beginning, length in batch[: limit - given]:
                # What is packed cannot be cut by the database: one at a time, for a batch of them would be a hundred megabytes.
                zstd = self._database.rows(f"SELECT {packed} {which} = ?", session, number) if beginning is None else []
                content = self._content(beginning, zstd[0][0] if zstd else None, size)
                given += 1
                if content is None:
                    yield Entry(number, "", length if isinstance(length, int) else 0, True)
                else:
                    yield shortened(number, content, max(length if isinstance(length, int) else 0, len(content)), head)
            if not batch or not isinstance(batch[-1][0], int):
                break
            before = batch[-1][0]
        if given < limit:
            from collections import deque

            older = (shortened(n, content, len(content), head) for n, content in self._cold(session) if n < before)
            yield from reversed(deque(older, maxlen=limit - given))

    def entry(self, number: int) -> Entry | None:
        """One raw entry, whole."""
        self._database.begin()
        session = self.session()
        query = f"SELECT seq, {self._columns()} FROM transcript_events WHERE session_id = ? AND seq = ?"  # noqa: S608
        found = [self._content(plain, packed, _LARGEST) for _, plain, packed, _ in self._database.rows(query, session, number)]
        found = found or [content for cold, content in self._cold(session) if cold == number]
        content = found[0] if found else None
        return Entry(number, content.decode("utf-8", "replace"), len(content), False) if content is not None else None

    def close(self) -> None:
        """Give the database back."""
        self._database.close()
