"""opencode: SQLite, `~/.local/share/opencode/opencode.db`. A session has messages (a role), a message has parts, as JSON.

Parts: text (`synthetic` where a plugin or the host put it in), tool (`state`: input, output, status, and the exit code in its
metadata), compaction, and ones that say nothing (step-start, reasoning, patch, …). A part is written again while it goes on: a
tool is pending, running, then completed or error; a text ends when it has `time.end`. So a position is the last row with the rows
that were still open, which are looked at again. The summary of a compaction is a message of the agent marked `summary`.
Subagents have sessions of their own (`parent_id`). A person's own `!cmd` is a tool part like the agent's.
"""

from __future__ import annotations

import re

from . import Entry, Event
from .calls import called
from .databases import BATCH, text
from .files import objects, shortened
from .words import dict_of, iso, text_of, without_ours

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from . import Tally
    from .databases import Database

_SILENT = frozenset("step-start step-finish reasoning snapshot patch file agent subtask retry".split())  # noqa: SIM905
_REMEMBERED = 64
_LONG_MESSAGE = 1 << 18  # what a message holds beside its parts is small; where it is not, nobody learns its role
_ROW = re.compile(r"[0-9]{1,18}")
_QUERY = "SELECT part.rowid, part.data, message.data FROM part LEFT JOIN message ON message.id = part.message_id WHERE "
_NEXT = f"SELECT rowid FROM part WHERE session_id = ? AND rowid > ? ORDER BY rowid LIMIT {BATCH}"  # noqa: S608
_HEADS = (
    "SELECT part.rowid, substr(CAST(part.data AS BLOB), 1, ?), length(CAST(part.data AS BLOB)), "  # noqa: S608
    f"CASE WHEN length(message.data) < {_LONG_MESSAGE} THEN message.data END "
    "FROM part LEFT JOIN message ON message.id = part.message_id "
    f"WHERE part.session_id = ? AND part.rowid < ? ORDER BY part.rowid DESC LIMIT {BATCH}"
)


class Parts:
    """The parts of one session, in the order in which they came."""

    def __init__(self, database: Database, session: str, tally: Tally) -> None:
        self._database, self._key, self._tally = database, session, tally
        self.position: Any = None

    def session(self) -> str:
        """The session that is meant, or the one used last that is no subagent's."""
        if self._key:
            return self._key
        there = self._database.columns("session")
        top = "WHERE parent_id IS NULL" if "parent_id" in there else ""
        order = "time_updated" if "time_updated" in there else "rowid"
        found = self._database.rows(f"SELECT id FROM session {top} ORDER BY {order} DESC LIMIT 1")  # noqa: S608
        return text(found[0][0]) if found else ""

    def events(self, start: Any) -> Iterator[Event]:
        """Events from a position on: first those of rows that were still open, then the new ones."""
        self._database.begin()
        session = self.session()
        self.position = start
        if not session:
            if not self._database.failed:
                self._tally.note("There is no session in it.")
            return
        known = start if isinstance(start, dict) and start.get("session") == session else {}
        row = known.get("row")
        after = row if isinstance(row, int) and not isinstance(row, bool) else 0
        left = {key: told for key, told in dict_of(known.get("open")).items() if _ROW.fullmatch(key)}
        self.position = {"session": session, "row": after, "open": dict(left)}
        for key in sorted(left, key=int):
            for number, part, message in self._database.rows(f"{_QUERY} part.rowid = ?", int(key)):
                yield from self._given(number, part, message, session, after, left)
        while batch := self._database.rows(_NEXT, session, after):
            for (after,) in batch:  # one at a time: parts have megabytes
                for number, part, message in self._database.rows(f"{_QUERY} part.rowid = ?", after):
                    yield from self._given(number, part, message, session, after, left)
        if not after and not self._database.failed:
            self._tally.note("There is no session of that key here, or nothing in it.")

    def _given(self, number: int, part: Any, message: Any, session: str, after: int, left: dict[str, Any]) -> Iterator[Event]:
        """The events of a part that were not given yet; what goes on stays in `left`, with whether its call was given."""
        told = left.pop(str(number), None)
        found: list[Event] = []
        about = next(iter(objects(message, self._tally)), {}) if isinstance(message, bytes) else {}
        for entry in objects(part, self._tally) if isinstance(part, bytes) else ():
            events, going_on = _events(entry, about, f"{number}")
            if told is None:
                self._tally.took(entry, events)
            found += (events or [])[1 if told else 0 :]
            if going_on and len(left) < _REMEMBERED:
                left[str(number)] = bool(told or events)
        yield from found[:-1]
        self.position = {"session": session, "row": after, "open": dict(left)}
        yield from found[-1:]

    def from_end(self, limit: int, head: int) -> Iterator[Entry]:
        """Raw parts, newest first, each with its role."""
        self._database.begin()
        session, before, given = self.session(), 2**62, 0
        while given < limit:
            batch = self._database.rows(_HEADS, 4 * head + 4, session, before)
            for number, content, length, message in batch[: limit - given]:
                raw, role = content if isinstance(content, bytes) else b"", _role(message)
                given += 1
                yield shortened(number, _with(role, raw), (length or 0) + len(_with(role, raw)) - len(raw), head)
            if not batch:
                return
            before = batch[-1][0]

    def entry(self, number: int) -> Entry | None:
        """One raw part, whole."""
        self._database.begin()
        for _, part, message in self._database.rows(f"{_QUERY} part.rowid = ? AND part.session_id = ?", number, self.session()):
            if isinstance(part, bytes):
                raw = _with(_role(message), part)
                return Entry(number, raw.decode("utf-8", "replace"), len(raw), False)
        return None

    def close(self) -> None:
        """Give the database back."""
        self._database.close()


def _role(message: Any) -> bytes:
    from . import Tally

    found = objects(message, Tally()) if isinstance(message, bytes) else []
    role = text_of(found[0].get("role")) if found else ""
    return role.encode() if role.isalpha() else b""


def _with(role: bytes, raw: bytes) -> bytes:
    """A part's text with the role of its message: without it nobody could tell who speaks."""
    return b'{"role":"' + role + b'",' + raw[1:] if role and raw[:1] == b"{" else raw


def _events(part: dict[str, Any], message: dict[str, Any], number: str) -> tuple[list[Event] | None, bool]:
    """The events of a part, and whether it still goes on. The first event of a tool is its call."""
    kind, role = part.get("type"), message.get("role")
    time = iso(dict_of(message.get("time")).get("created"))
    if kind == "text":
        words = text_of(part.get("text")).strip()
        if role == "user":
            words = "" if part.get("synthetic") or part.get("ignored") else without_ours(words).strip()
            return ([Event("user", words, time=time)] if words else []), False
        clock = dict_of(part.get("time"))
        if "start" in clock and "end" not in clock and "completed" not in dict_of(message.get("time")):
            return [], True
        said = "summary" if message.get("summary") is True else "agent"
        return ([Event(said, words, time=time)] if words and not part.get("synthetic") else []), False
    if kind == "tool":
        return _tool(part, number, time)
    if kind == "compaction":
        return [Event("compaction", time=time)], False
    return ([] if isinstance(kind, str) and kind in _SILENT else None), False


def _tool(part: dict[str, Any], number: str, time: str) -> tuple[list[Event], bool]:
    state = dict_of(part.get("state"))
    status, clock = state.get("status"), dict_of(state.get("time"))
    if status == "pending":
        return [], True
    call = text_of(part.get("callID")) or number
    began = iso(clock.get("start")) or time
    found = [called(text_of(part.get("tool")), dict_of(state.get("input")), call=call, time=began)]
    if status == "running":
        return found, True
    failed = status == "error" or dict_of(state.get("metadata")).get("exit") not in (0, None)
    output = without_ours(text_of(state.get("output")) or text_of(state.get("error")))
    found.append(Event("result", output, time=iso(clock.get("end")) or began, call=call, failed=failed))
    return found, False
