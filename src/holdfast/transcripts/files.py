"""Files of lines: opened, recognised, read from a position on, and from the end.

Real files are rough. Two objects stand on one line where a writer was killed and the next one went on; a line is torn, blank,
filled with zero bytes or megabytes long; the last one is half written. Whatever of a line is a whole object is read,
the rest is counted. A last line without its end is read if it is whole, and left for the next time if not.
"""

from __future__ import annotations

import os
import re
import stat
from importlib import import_module
from json import JSONDecoder

from . import HOSTS, Entry, Event, lines
from .words import whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from . import Reader, Source, Tally
    from .inherited import Base

_SQLITE = b"SQLite format 3\0"
_ZSTD = b"\x28\xb5\x2f\xfd"
_MODULES = {"claude-code": "claude_code", "codex": "codex", "gemini": "gemini", "openclaw": "pi", "pi": "pi"}
_CODEX = ("session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state")
_AGENTS = 64  # others whose work is followed
_SNIFFED, _SNIFFED_BYTES = 64, 16 * 1024 * 1024  # lines, and how far into the file
_STRING = rb'(?s)"(?:[^"\\]++|\\.)*+"'
_scan = JSONDecoder().raw_decode
_TORN = "A line is torn: what of it is whole was read."
_NO_TEXT = "A line holds bytes that are not text."
_LONG = "A line is longer than 8 MB and was passed over."
_UNFINISHED = "The last line is not finished; it will be read when it is."
_ELSEWHERE = "The file is not the one that was read before; it was read from its beginning."


def opened(path: str, host: str, session: str, tally: Tally) -> tuple[str, str, Source]:
    """The source for what is at a path, with its host and session as far as they are known."""
    host = host if host in HOSTS else ""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except (OSError, ValueError) as error:
        reason = "There is no such file." if isinstance(error, FileNotFoundError) else "The file could not be opened."
        tally.closed(reason)
        return host, session, Lines(-1, None, tally)
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        tally.closed("This is not a file.")
        return host, session, Lines(-1, None, tally)
    head = _pread(fd, len(_SQLITE), 0)
    if head == _SQLITE:
        os.close(fd)
        from .databases import database

        return database(path, host, session, tally)
    if head.startswith(_ZSTD):
        from .packed import Packed

        os.close(fd)
        return host or "openclaw", session, Packed(path, reader_of(host or "openclaw"), tally)
    host = host or _recognised(fd)
    if not host:
        tally.closed("The file is empty." if not head else "This is no transcript of a host that we know.")
    return host, session, Lines(fd, reader_of(host), tally, path, host)


def reader_of(host: str) -> Reader | None:
    """The reader of a host's lines."""
    name = _MODULES.get(host)
    reader: Reader | None = import_module(f".{name}", __package__).Reader() if name else None
    return reader


def host_of(entry: dict[str, Any]) -> str:
    """The host that writes entries of this shape; empty where none does."""
    kind, payload, message = entry.get("type"), entry.get("payload"), entry.get("message")
    if isinstance(payload, dict) and kind in _CODEX:
        return "codex"
    if "$set" in entry or "$rewindTo" in entry or ("sessionId" in entry and "projectHash" in entry):
        return "gemini"
    if kind == "session" and "cwd" in entry:
        return "openclaw" if entry.get("version") == 4 else "pi"
    if kind == "message" and isinstance(message, dict) and "role" in message:
        return "pi"
    if isinstance(kind, str) and ("sessionId" in entry or "parentUuid" in entry or ("uuid" in entry and "isSidechain" in entry)):
        return "claude-code"
    if kind in ("summary", "file-history-snapshot") and ("leafUuid" in entry or "snapshot" in entry):
        return "claude-code"
    if kind in ("user", "gemini") and "id" in entry and "content" in entry:
        return "gemini"
    if kind in ("message", "function_call") and ("role" in entry or "call_id" in entry):
        return "codex"
    return ""


def _recognised(fd: int) -> str:
    from . import Tally

    for number, line in enumerate(_all(fd, 0)):
        for entry in objects(_shape(line.text), Tally()):
            host = host_of(entry)
            if host:
                return host
        if number >= _SNIFFED or line.offset > _SNIFFED_BYTES:
            break
    return ""


def _shape(text: bytes) -> bytes:
    """A line without its long texts: who wrote it shows in its keys, and to decode megabytes of text takes ten times as many."""
    if len(text) < 64 * 1024:
        return text
    return re.sub(_STRING, lambda found: found[0] if len(found[0]) < 256 else b'""', text)


def objects(text: bytes, tally: Tally) -> list[dict[str, Any]]:
    """The whole objects on a line: one, as a rule."""
    try:
        line = text.decode()
    except UnicodeDecodeError:
        line = text.decode("utf-8", "replace")
        tally.torn(_NO_TEXT)
    line = line.strip(" \t\r\n\0\ufeff")
    if not line:
        return []
    try:
        entry, end = _scan(line, 0)
    except (ValueError, RecursionError):
        return _rescued(line, 0, tally)
    if end != len(line):
        return [*([_safe(entry, line)] if isinstance(entry, dict) else []), *_rescued(line, end, tally)]
    if isinstance(entry, dict):
        return [_safe(entry, line)]
    tally.torn("A line is not an object.")
    return []


def _alone(text: bytes) -> dict[str, Any] | None:
    """The object that is all of a line; None where it is not so."""
    try:
        line = text.decode()
        entry, end = _scan(line, 0)
    except (ValueError, RecursionError):
        return None
    return _safe(entry, line) if isinstance(entry, dict) and end == len(line) else None


def _rescued(line: str, at: int, tally: Tally) -> list[dict[str, Any]]:
    """The objects on a line of which something is torn.

    A piece of a torn entry must not pass for an entry: what is rescued has to have the shape of one, and to end where a line or
    another object can begin. (A torn list of messages would otherwise give words a second time.)
    """
    found: list[dict[str, Any]] = []
    tries, torn = 0, False
    while at < len(line):
        begin = line.find("{", at)
        torn = torn or bool(line[at : begin if begin >= 0 else len(line)].strip(" \t\0"))
        if begin < 0 or tries > 64:
            break
        try:
            entry, end = _scan(line, begin)
        except (ValueError, RecursionError):
            tries, torn, at = tries + 1, True, begin + 1
            continue
        at = end
        if not torn or (host_of(entry) and line[end : end + 4].lstrip(" \t\0")[:1] in ("", "{")):
            found.append(_safe(entry, line))
        else:
            torn = True
    if torn:
        tally.torn(_TORN)
    return found


def _safe(entry: dict[str, Any], line: str) -> dict[str, Any]:
    if "\\u" in line and ("\\ud" in line or "\\uD" in line):
        cleaned: dict[str, Any] = whole(entry)
        return cleaned
    return entry


def _pread(fd: int, size: int, at: int) -> bytes:
    try:
        return os.pread(fd, size, at)
    except (OSError, OverflowError):
        return b""


def _all(fd: int, start: int) -> Iterator[lines.Line]:
    """Lines from an offset on; one that the disk refuses is the end."""
    try:
        yield from lines.forward(fd, start)
    except OSError:
        return


class Lines:
    """A file of lines. A position is the byte offset behind the last entry read, with the reader's memory where it has one.

    What it goes on from, in other files, is read before its own first line and has no position: who stops there begins anew.
    """

    def __init__(
        self, fd: int, reader: Reader | None, tally: Tally, path: str = "", host: str = "", depth: int = 0
    ) -> None:
        self._fd, self._reader, self._tally = fd, reader, tally
        self._path, self._host, self._depth = path, host, depth  # where other agents' files are looked for; how many stand above
        self._trimmed, self._taken_back = getattr(reader, "trimmed", None), getattr(reader, "taken_back", None)
        self.position: Any = 0

    def events(self, start: Any) -> Iterator[Event]:
        """Events from a position on."""
        offset = self._begin(start)
        self.position = self._at(offset)
        if self._fd < 0:
            return
        if not offset and self._taken_back:
            from .inherited import events

            yield from events(self._bases(), self._tally, self._taken, self._taken_back)
        end = offset
        for line in _all(self._fd, offset):
            end = line.offset + line.length + 1
            yield from self._given(self._taken(line), end)
        tail = _pread(self._fd, lines.LONG, end)
        if tail.strip(b" \t\r\0"):
            yield from self._last(tail, end)

    def _bases(self) -> list[Base]:
        """The files that it goes on from, where its host keeps what came before in others."""
        if not self._path or not self._taken_back or self._depth:  # a subagent's own work is asked for alone
            return []
        from .inherited import bases

        return bases(self._path, self._tally)

    def _last(self, tail: bytes, end: int) -> Iterator[Event]:
        """A last line without its end: an object that is whole will not grow, anything else may."""
        from . import Tally

        trial = Tally()
        entries = objects(tail, trial) if tail.rstrip(b" \t\r\0").endswith(b"}") and b"\n" not in tail else []
        if entries and not trial.damaged:
            yield from self._given(self._read(entries), end + len(tail.rstrip(b" \t\r\0")))
        else:
            self._tally.note(_UNFINISHED)

    def _taken(self, line: lines.Line) -> list[Event]:
        if line.length > len(line.text):
            self._tally.closed(_LONG)
            return []
        text = self._trimmed(line.text) if self._trimmed else line.text
        entry = _alone(text) if len(text) < len(line.text) else None
        return self._read([entry] if entry else objects(line.text, self._tally))

    def _read(self, entries: Iterable[dict[str, Any]]) -> list[Event]:
        found: list[Event] = []
        for entry in entries:
            found += self._tally.took(entry, self._reader.events(entry) if self._reader else None)
        agents = [event.agent for event in found if event.agent]
        return found + self._done_aside(agents) if agents else found

    def _done_aside(self, agents: list[str]) -> list[Event]:
        """The files that other agents have changed since they came back last. How far each was read, the reader remembers."""
        from .aside import members, read

        found: list[Event] = []
        state = self._reader.state if self._reader else {}
        known_by = [name for agent in agents for name in members(self._path, self._host, agent)] if self._path else []
        for agent in dict.fromkeys(known_by):
            agents_read = state.get("agents")
            known = agents_read if isinstance(agents_read, dict) else {}
            done, position = read(self._path, self._host, agent, known.get(agent), self._depth)
            found += done
            if position is not None:
                state = {**state, "agents": dict([*known.items(), (agent, position)][-_AGENTS:])}
        if self._reader:
            self._reader.state = state
        return found

    def _given(self, found: list[Event], end: int) -> Iterator[Event]:
        """An entry's events. The position moves on with the last of them, so that stopping there loses and repeats nothing."""
        yield from found[:-1]
        self.position = self._at(end)
        yield from found[-1:]

    def _at(self, offset: int) -> Any:
        state = self._reader.state if self._reader else None
        return {"offset": offset, "state": dict(state)} if state else offset

    def _begin(self, start: Any) -> int:
        """The offset of a position, where it still fits the file."""
        offset, state = (start.get("offset"), start.get("state")) if isinstance(start, dict) else (start, None)
        if self._reader:
            self._reader.state = {}
        if not isinstance(offset, int) or isinstance(offset, bool) or offset <= 0:
            if start is not None and offset != 0:
                self._tally.note(_ELSEWHERE)
            return 0
        if self._fd >= 0 and _pread(self._fd, 1, offset - 1) not in (b"\n", b"}"):
            self._tally.note(_ELSEWHERE)
            return 0
        if self._reader and isinstance(state, dict):
            self._reader.state = dict(state)
        return offset

    def from_end(self, limit: int, head: int, before: int | None = None) -> Iterator[Entry]:
        """Raw lines, newest first, before an offset where it is given; then those of the files that it goes on from."""
        if self._fd < 0:
            return
        bases = self._bases()
        given, start = 0, sum(base.end for base in bases)
        try:
            for line in lines.backward(self._fd, 4 * head + 4, before):
                if given >= limit:
                    return
                if line.text.strip(b" \t\r\0") or line.length > len(line.text):
                    given += 1
                    yield shortened(start + line.offset, line.text, line.length, head)
        except OSError:
            self._tally.closed("The end of the file could not be read.")
        if bases:
            from .inherited import from_end

            yield from from_end(bases, limit - given, head, self._tally)

    def entry(self, number: int) -> Entry | None:
        """The line that begins at an offset, whole; of one that is longer than we hold, the beginning."""
        from .inherited import entry_in

        found, place = entry_in(self._bases(), number, self._tally)
        found = found or self._line_at(place)
        if found:
            found.id = str(number)
        return found

    def _line_at(self, number: int) -> Entry | None:
        if number < 0:
            return None
        if self._fd < 0 or (number and _pread(self._fd, 1, number - 1) != b"\n"):
            return None
        kept, at, length = bytearray(), number, 0
        while block := _pread(self._fd, lines.BLOCK, at):
            end = block.find(b"\n")
            part = block[:end] if end >= 0 else block
            length += len(part)
            kept += part[: lines.LONG - len(kept)]
            if end >= 0:
                break
            at += len(block)
        if not kept.strip(b" \t\r\0"):
            return None
        whole = length == len(kept)
        return Entry(number, kept.decode("utf-8", "replace" if whole else "ignore"), length, not whole)

    def close(self) -> None:
        """Give the file back."""
        if self._fd >= 0:
            os.close(self._fd)
        self._fd = -1

    def __del__(self) -> None:
        self.close()  # here, and not with the transcript: its events may outlive it


def shortened(number: int, text: bytes, length: int, head: int) -> Entry:
    """An entry with the first `head` characters of its text."""
    shown = text.decode("utf-8", "ignore" if length > len(text) else "replace")
    return Entry(number, shown[:head], length, length > len(text) or len(shown) > head)
