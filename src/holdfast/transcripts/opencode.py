"""opencode: SQLite, `~/.local/share/opencode/opencode.db`. A session has messages (a role), a message has parts, as JSON.

Parts: text (`synthetic` where a plugin or the host put it in), tool (`state`: input, output, status, and the exit code in its
metadata), compaction, and ones that say nothing (step-start, reasoning, patch, …). A part is written again while it goes on: a
tool is pending, running, then completed or error; a text ends when it has `time.end`. So a position is the last row with the rows
that were still open, which are looked at again, and the last messages of the user: an undo deletes messages, with their parts, as
soon as something else is said (until then `session.revert` names the first of them), and SQLite gives their rows to what is new.
Where it has a `snapshot`, the files were taken back too. Until they are deleted, the person can have all of it back.
The summary of a compaction is a message of the agent marked `summary`.
Subagents have sessions of their own (`parent_id`); the tool that called one names it, and what it changed is read there. One in
the background comes back later, in a message of the host's (opencode_unasked.py).
A person's own `!cmd` is a tool part like the agent's, behind a part of theirs that says so. A message that they stopped has an
error of that name.
"""

from __future__ import annotations

import re

from . import Entry, Event, Tally
from .calls import called
from .databases import BATCH, text
from .files import objects, shortened
from .opencode_unasked import OWN_SHELL, came_back, goes_on, is_unasked
from .words import PLAN_APPROVED, dict_of, dicts_of, iso, strings, text_of, without_ours

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from .databases import Database

_SILENT = frozenset("step-start step-finish reasoning snapshot patch file agent subtask retry".split())  # noqa: SIM905
_REMEMBERED = 64
_PROMPTS = 50  # to which a person may go back
_NO_END = 2**62
_OWN = "!"
_SHELLS = ("bash", "shell")
_ABORTED = "MessageAbortedError"
_ENDED = ("terminated command after exceeding timeout", "aborted")
_REFUSED = "The user rejected permission to use this specific tool call with the following feedback: "
_APPROVED = "User approved switching to build agent"
# The host's own tools. It keeps a refusal as the error of the call, in its own words and with no other sign; a tool of a server's
# or a plugin's may fail with any words. Names of tools of a server have the server's name before them, with an underscore.
_HOSTS_OWN = frozenset(
    "apply_patch bash batch codesearch edit external_directory glob grep list lsp multiedit patch plan_enter plan_exit question "  # noqa: SIM905
    "read shell skill task todoread todowrite webfetch websearch write".split()
)
_LONG_MESSAGE = 1 << 18  # what a message holds beside its parts is small; where it is not, nobody learns its role
_REPORT = re.compile(r"(?s)<task_result>(.*)</task_result>")
_ROW = re.compile(r"[0-9]{1,18}")
_JOINED = "FROM part LEFT JOIN message ON message.id = part.message_id"
_ONE = f"SELECT part.data, message.data, part.message_id {_JOINED} WHERE part.rowid = ? AND part.session_id = ?"
_FIRST = f"SELECT min(part.rowid), message.data {_JOINED} WHERE"
_NEXT = f"SELECT rowid FROM part WHERE session_id = ? AND rowid > ? AND rowid < ? ORDER BY rowid LIMIT {BATCH}"  # noqa: S608
_PARTS = f"SELECT data FROM part WHERE message_id = ? AND session_id = ? LIMIT {BATCH}"  # noqa: S608
_LAST = "SELECT id, data FROM message WHERE session_id = ? ORDER BY rowid DESC LIMIT 1"
_HEADS = (
    "SELECT part.rowid, substr(CAST(part.data AS BLOB), 1, ?), length(CAST(part.data AS BLOB)), "
    f"CASE WHEN length(message.data) < {_LONG_MESSAGE} THEN message.data END "
    f"{_JOINED} WHERE part.session_id = ? AND part.rowid < ? ORDER BY part.rowid DESC LIMIT {BATCH}"
)


class _Kept:
    """What a position holds: how far it was read, and what must be known to go on from there."""

    def __init__(self, session: str, start: Any) -> None:
        known = start if isinstance(start, dict) and start.get("session") == session else {}
        row = start if isinstance(start, int) else known.get("row")
        self.session, self.row = session, row if isinstance(row, int) and not isinstance(row, bool) else 0
        self.left = {key: told for key, told in dict_of(known.get("open")).items() if _ROW.fullmatch(key)}
        asked = known.get("asked")
        # The last messages of the user: [row, id, time].
        self.asked = [item for item in asked if _is_message(item)] if isinstance(asked, list) else []
        said = known.get("said")  # up to which row the words of a message were given: [its id, row]
        self.said: list[Any] = said if isinstance(said, list) and [*map(type, said)] == [str, int] else ["", 0]
        self.own = known.get("own") is True  # whether the next command is one of the person's own shell
        self.stopped = text_of(known.get("stopped"))  # the message of which it was told that the user stopped it
        self.children = dict_of(known.get("children"))  # session of a subagent → how far it was read
        self.tasks = dict_of(known.get("tasks"))  # session of a subagent that goes on in the background → the call that began it
        again = known.get("again")  # [first row, last row, first part] of what was undone without its files, and may come back
        self.again: list[Any] = again if isinstance(again, list) and [*map(type, again)] == [int, int, str] else []
        self.read, self.since = 0, ""  # where the user has gone back: how far it had been read, and to before which time

    def position(self) -> dict[str, Any]:
        """As plain JSON, none of which changes any more."""
        known = {"session": self.session, "row": self.row, "open": dict(self.left), "asked": list(self.asked)}
        more = {**({"again": self.again} if self.again else {}), **({"children": self.children} if self.children else {})}
        more |= {"tasks": self.tasks} if self.tasks else {}
        return {**known, "said": self.said, "own": self.own, "stopped": self.stopped, **more}

    def heard(self, number: int, message: str, time: str) -> None:
        """A message of the user: whoever undoes goes back to before one."""
        if message and all(item[1] != message for item in self.asked):
            self.asked = [*self.asked, [number, message, time]][-_PROMPTS:]

    def is_own(self, part: dict[str, Any], told: Any) -> bool:
        """Whether a part is a command that the person ran: the host says so in a part of theirs, and keeps no exit status."""
        if told is not None:
            return bool(told == _OWN)
        about = dict_of(dict_of(part.get("state")).get("metadata"))
        own = self.own and part.get("type") == "tool" and part.get("tool") in _SHELLS and "exit" not in about
        if part.get("type") in ("text", "tool"):
            self.own = bool(part.get("synthetic")) and text_of(part.get("text")).startswith(OWN_SHELL)
        return own

    def stops(self, message: dict[str, Any], name: str) -> list[Event]:
        """That the user has stopped it, once for a message."""
        if dict_of(message.get("error")).get("name") != _ABORTED or self.stopped == name:
            return []
        self.stopped = name
        return [Event("interruption", time=_time(message))]

    def go_back(self, before: int, since: str) -> None:
        """As if nothing from a row on had been read.

        Where the oldest message that we know is gone, so may others be that we do not: what is new can stand in any row.
        """
        known, self.said = bool(self.asked) and self.asked[0][0] < before, ["", 0]
        self.read, self.since, self.row = self.row, since, before - 1 if known else 0
        self.left = {key: told for key, told in self.left.items() if int(key) < before}
        self.asked = [item for item in self.asked if item[0] < before]

    def had(self, number: int, time: str) -> bool:
        """Whether a row behind the place to which we went back had been read, and is of a message that stands."""
        return number <= self.read and bool(time) and time < self.since


class Parts:
    """The parts of one session, in the order in which they came."""

    def __init__(self, database: Database, session: str, tally: Tally, depth: int = 0) -> None:
        self._database, self._key, self._tally = database, session, tally
        self._depth = depth  # how many agents stand above this one
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
        kept = _Kept(session, start)
        self.position = kept.position()
        end, time, restored = self._pending(session)
        yield from self._went_back(kept, end, time, restored)
        for key in sorted(kept.left, key=int):
            yield from self._given(int(key), kept)
        while batch := self._database.rows(_NEXT, session, kept.row, end):
            for (number,) in batch:  # one at a time: parts have megabytes
                kept.row = number
                yield from self._given(number, kept)
        if end == _NO_END:
            yield from self._stopped(kept)
        if not kept.row and end == _NO_END and not self._database.failed:
            self._tally.note("There is no session of that key here, or nothing in it.")

    def _stopped(self, kept: _Kept) -> Iterator[Event]:
        """That the user has stopped it after all its parts were read: none of them says so."""
        for name, message in self._database.rows(_LAST, kept.session):
            for event in kept.stops(_object(message), text(name)):
                self.position = kept.position()
                yield event

    def _pending(self, session: str) -> tuple[int, str, bool]:
        """The row from which on the user has undone what was said, its message's time, and whether files were taken back with it.

        The host keeps all that until something else is said, and until then they can have it back.
        """
        if "revert" not in self._database.columns("session"):
            return _NO_END, "", False
        found = self._database.rows("SELECT revert FROM session WHERE id = ?", session)
        revert = _object(found[0][0]) if found else {}
        message, part = text_of(revert.get("messageID")), text_of(revert.get("partID"))
        column, value = ("id", part) if part else ("message_id", message)
        found = self._database.rows(f"{_FIRST} part.{column} = ?", value) if value else []
        if not found or found[0][0] is None:
            return _NO_END, "", False
        return found[0][0], _time(_object(found[0][1])), bool(revert.get("snapshot"))

    def _went_back(self, kept: _Kept, end: int, time: str, restored: bool) -> Iterator[Event]:
        """Where the user has undone something that was read: to before it.

        The rows of what is undone are deleted, and what is said then may stand in rows of the same numbers. Ids do not go by
        the order in which rows were written; so it is by the messages that are gone that an undo is known.
        """
        before, since = (end, time) if kept.row >= end else (_NO_END, "")
        for number, _, moment in self._gone(kept):
            before, since = min((before, since), (number, moment))
        if kept.again and self._part(kept.again[0]) != kept.again[2]:
            kept.again = []  # deleted since: what stands in its rows is new
        if before < _NO_END and not self._database.failed:
            back = Event("rewound", instead=since)
            if before == end and restored:
                back.edits, back.moves = self._undone(kept, end)
            elif before == end:
                kept.again = [end, kept.row, self._part(end)]
            kept.go_back(before, since)
            self.position = kept.position()
            yield back

    def _undone(self, kept: _Kept, row: int) -> tuple[tuple[tuple[str, str, str], ...], tuple[tuple[str, str], ...]]:
        """The changes of files that were told from a row on."""
        calls: dict[str, Event] = {}
        while batch := self._database.rows(_NEXT, kept.session, row - 1, kept.row + 1):
            for (number,) in batch:
                for part, message, _ in self._database.rows(_ONE, number, kept.session):
                    for event in _events(_object(part), _object(message), f"{number}", own=False)[0] or ():
                        if event.kind == "call":
                            calls[event.call] = event
                        elif event.failed:
                            calls.pop(event.call, None)
            row = batch[-1][0] + 1
        edits = (edit for call in calls.values() for edit in call.edits)
        return tuple(edits), tuple(move for call in calls.values() for move in call.moves)

    def _part(self, row: int) -> str:
        found = self._database.rows("SELECT id FROM part WHERE rowid = ?", row)
        return text(found[0][0]) if found else ""

    def _gone(self, kept: _Kept) -> list[list[Any]]:
        """The first of the user's messages that is no longer there. Of a session that was deleted none is, which is no undo."""
        if not kept.asked:
            return []
        places = ", ".join("?" * len(kept.asked))
        query = f"SELECT id FROM message WHERE session_id = ? AND id IN ({places})"  # noqa: S608
        there = {text(row[0]) for row in self._database.rows(query, kept.session, *(item[1] for item in kept.asked))}
        if not there and not self._database.rows("SELECT id FROM message WHERE session_id = ? LIMIT 1", kept.session):
            return []
        return [] if self._database.failed else [item for item in kept.asked if item[1] not in there][:1]

    def _given(self, number: int, kept: _Kept) -> Iterator[Event]:
        """The events of a part that were not given yet; what goes on stays in `left`, with whether its call was given."""
        for part, message, name in self._database.rows(_ONE, number, kept.session):
            about = next(iter(objects(message, self._tally)), {}) if isinstance(message, bytes) else {}
            if about.get("role") == "user":
                kept.heard(number, text(name), _time(about))
            if kept.had(number, _time(about)):
                self.position = kept.position()
                continue
            told = kept.left.pop(str(number), None)
            found: list[Event] = []
            for entry in objects(part, self._tally) if isinstance(part, bytes) else ():
                own = kept.is_own(entry, told)
                events, going_on = _events(entry, about, f"{number}", own)
                if told is None:
                    self._tally.took(entry, events)
                if about.get("role") == "user" and entry.get("synthetic"):
                    events = self._unasked(entry, text(name), kept, _time(about))
                for event in events or ():
                    if event.kind == "begun":
                        kept.tasks = dict([*kept.tasks.items(), (event.text, event.call)][-_REMEMBERED:])
                if events and about.get("role") == "user" and events[0].kind == "user":
                    events = self._whole(events[0], number, text(name), kept)
                found += (events or [])[1 if told else 0 :]
                if kept.again and kept.again[0] <= number <= kept.again[1]:
                    for event in found:  # its files are as they were: that they were changed is known
                        event.edits, event.moves = (), ()
                if going_on and len(kept.left) < _REMEMBERED:
                    kept.left[str(number)] = _OWN if own and (told or events) else bool(told or events)
            found += [event for told in found if told.agent for event in self._done_aside(told.agent, kept)]
            found += kept.stops(about, text(name))
            yield from found[:-1]
            self.position = kept.position()
            yield from found[-1:]

    def _unasked(self, part: dict[str, Any], message: str, kept: _Kept, time: str) -> list[Event]:
        """What the host says in the user's place: that it lets the agent go on, and what has come back."""
        rows = self._database.rows(_PARTS, message, kept.session) if message else []
        if not is_unasked(part, [_object(row[0]) for row in rows]):
            return []
        back = came_back(part, kept.tasks, time)
        kept.tasks = {session: call for session, call in kept.tasks.items() if all(call != event.call for event in back)}
        return [Event("woken", time=time), *back]

    def _done_aside(self, child: str, kept: _Kept) -> list[Event]:
        """The files that a subagent has changed since its session was read last."""
        from .aside import DEEPEST, changes

        if self._depth >= DEEPEST or child == kept.session:
            return []
        parts = Parts(self._database, child, Tally(), self._depth + 1)
        found = changes(parts.events(kept.children.get(child)))
        kept.children = dict([*kept.children.items(), (child, parts.position)][-_REMEMBERED:])
        return found

    def _whole(self, event: Event, number: int, message: str, kept: _Kept) -> list[Event]:
        """A person's words with those of the other parts of their message: an editor sends what stands around a file apart."""
        if message and kept.said[0] == message and number <= kept.said[1]:
            return []
        said, kept.said = [event.text], [message, number]
        for (row,) in self._database.rows(_NEXT, kept.session, number, _NO_END) if message else ():
            for part, _, name in self._database.rows(_ONE, row, kept.session):
                if text(name) != message:
                    event.text = "\n".join(said)
                    return [event]
                words = _words(_object(part))
                said, kept.said = [*said, words] if words else said, [message, row]
        event.text = "\n".join(said)
        return [event]

    def from_end(self, limit: int, head: int) -> Iterator[Entry]:
        """Raw parts, newest first, each with its role."""
        self._database.begin()
        session, before, given = self.session(), _NO_END, 0
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
        for part, message, _ in self._database.rows(_ONE, number, self.session()):
            if isinstance(part, bytes):
                raw = _with(_role(message), part)
                return Entry(number, raw.decode("utf-8", "replace"), len(raw), False)
        return None

    def close(self) -> None:
        """Give the database back."""
        self._database.close()


def _is_message(item: Any) -> bool:
    return isinstance(item, list) and [*map(type, item)] == [int, str, str] and item[1].isascii()


def _object(raw: Any) -> dict[str, Any]:
    """What a column holds, where that is an object."""
    return next(iter(objects(raw, Tally())), {}) if isinstance(raw, bytes) else {}


def _time(message: dict[str, Any]) -> str:
    return iso(dict_of(message.get("time")).get("created"))


def _role(message: Any) -> bytes:
    role = text_of(_object(message).get("role"))
    return role.encode() if role.isalpha() else b""


def _with(role: bytes, raw: bytes) -> bytes:
    """A part's text with the role of its message: without it nobody could tell who speaks."""
    return b'{"role":"' + role + b'",' + raw[1:] if role and raw[:1] == b"{" else raw


def _events(part: dict[str, Any], message: dict[str, Any], number: str, own: bool) -> tuple[list[Event] | None, bool]:
    """The events of a part, and whether it still goes on. The first event of a tool is its call."""
    kind, role = part.get("type"), message.get("role")
    time = _time(message)
    if role == "user" and kind in ("text", "subtask"):
        words = _words(part)
        return ([Event("user", words, time=time)] if words else []), False
    if kind == "text":
        words = text_of(part.get("text")).strip()
        clock = dict_of(part.get("time"))
        if "start" in clock and "end" not in clock and "completed" not in dict_of(message.get("time")):
            return [], True
        said = "summary" if message.get("summary") is True else "agent"
        return ([Event(said, words, time=time)] if words and not part.get("synthetic") else []), False
    if kind == "tool":
        return _tool(part, number, time, own)
    if kind == "compaction":
        return [Event("compaction", time=time)], False
    return ([] if isinstance(kind, str) and kind in _SILENT else None), False


def _words(part: dict[str, Any]) -> str:
    """What a person says in a part: a text, or a command whose work a subagent does."""
    if part.get("type") == "subtask":
        command, prompt = text_of(part.get("command")).strip(), text_of(part.get("prompt")).strip()
        return f"/{command} {prompt}" if command and prompt else ""
    if part.get("type") != "text" or part.get("synthetic") or part.get("ignored"):
        return ""
    return without_ours(text_of(part.get("text")).strip()).strip()


def _tool(part: dict[str, Any], number: str, time: str, own: bool) -> tuple[list[Event], bool]:
    state = dict_of(part.get("state"))
    status, clock = state.get("status"), dict_of(state.get("time"))
    if status == "pending":
        return [], True
    call, name = text_of(part.get("callID")) or number, text_of(part.get("tool"))
    began = iso(clock.get("start")) or time
    found = [called(name, dict_of(state.get("input")), call=call, time=began)]
    found[0].tool = _OWN if own else name
    if status == "running":
        return found, True
    code, ended = dict_of(state.get("metadata")).get("exit"), iso(clock.get("end")) or began
    output, about = _bare(without_ours(text_of(state.get("output")) or text_of(state.get("error"))))
    failed = status == "error" or code not in (0, None) or (code is None and any(sign in about for sign in _ENDED))
    found.append(Event("result", output, time=ended, call=call, failed=failed, tool=_OWN if own else ""))
    if found[0].handed and (child := goes_on(state, output)):
        found[1].call = ""  # that it was begun says nothing of what it came to
        found[1].text = ""
        return [*found, Event("begun", child, time=ended, call=call, purpose=text_of(found[0].handed))], False
    if found[0].handed:
        found[1].agent = text_of(dict_of(state.get("metadata")).get("sessionId"))
        reported = _REPORT.search(output)
        found[1].text = reported[1].strip() if reported else output.partition("<task_metadata>")[0].rstrip()
    return [*found, *_decided(name, state, output, ended)], False


def _bare(output: str) -> tuple[str, str]:
    """What a command printed, without the block that the host may set behind it, and what that says.

    Where nothing was printed, it is what there is to say: a failure without a word is no error.
    """
    for tag in ("bash_metadata", "shell_metadata"):
        printed, begun, about = output.rstrip().rpartition(f"<{tag}>")
        if begun and about.endswith(f"</{tag}>"):
            about = about.removesuffix(f"</{tag}>").strip()
            return printed.rstrip() or about, about
    return output, ""


def _decided(name: str, state: dict[str, Any], output: str, time: str) -> list[Event]:
    """What the user has said by what a tool brought back: the reason of a refusal, a yes to a plan, answers to questions."""
    if state.get("status") == "error":
        refused = name in _HOSTS_OWN and output.startswith(_REFUSED)
        reason = output[len(_REFUSED) :].strip() if refused else ""
        return [Event("user", reason, time=time, refusal=True)] if reason else []
    if name == "plan_exit" and output.startswith(_APPROVED):
        return [Event("user", PLAN_APPROVED, time=time)]
    answers = dict_of(state.get("metadata")).get("answers")
    if name != "question" or not isinstance(answers, list):
        return []
    found = []
    for asked, answer in zip(dicts_of(dict_of(state.get("input")).get("questions")), answers, strict=False):
        question, said = text_of(asked.get("question")).strip(), ", ".join(filter(None, map(str.strip, strings(answer))))
        if question and said:
            found.append(Event("user", f"{question} → {said}", time=time, reply=True))
    return found
