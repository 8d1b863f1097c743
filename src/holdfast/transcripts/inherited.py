"""What a Codex session has in other files: since 0.166, who goes back in it, or forks it, gets a new file that copies nothing.

The first line of that file says what came before: `session_meta.history_base` names the other file (`thread_id`, the last id in
its name: `rollout-<time>-<thread>.jsonl`, or `rollout-<time>-<thread>_<part>.jsonl` where that one was begun so too) and how far
it counts (`end_byte_offset`). A fork has a thread of its own, and what came later in the other file is none of its business. Who
has gone back has the same thread: what came later there was done, but is no longer said. A file that Codex has packed since
(`.jsonl.zst`) counts as it was: offsets are those of its text.

To who asks for single entries, such a session is one long text: an entry is known by its place in that.
"""

from __future__ import annotations

import os
import re
from itertools import chain

from . import Event
from .lines import LONG, Line, forward
from .words import dict_of, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, BinaryIO

    from . import Entry, Tally
    from .files import Lines
    from .packed import Packed

_NAMED = r"rollout-.*?[-_]([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl(?:\.zst)?"
_DEEPEST = 64  # files, each of which goes on from the next
_GONE = "The session goes on from another file, which is not there: what came before is not read."
_CLOSED = "A file that the session goes on from could not be opened."


class Base:
    """A file that another goes on from: from where on, when, whether it is the same session, in which somebody went back, and
    whether it is the parent's of a subagent.
    """

    __slots__ = ("end", "is_parents", "is_same", "path", "time")

    def __init__(self, path: str, end: int, time: str, *, is_same: bool, is_parents: bool) -> None:
        self.path, self.end, self.time, self.is_same, self.is_parents = path, end, time, is_same, is_parents

    def lines(self, tally: Tally) -> Iterator[Line]:
        """All of its lines, also those behind the place from where on it no longer counts."""
        try:
            with open(self.path, "rb") as file:
                if not _is_packed(self.path):
                    yield from forward(file.fileno())
                    return
                from .packed import records

                for offset, text in records(file, tally):
                    yield Line(offset, len(text), text)
        except OSError:
            tally.closed(_CLOSED)

    def source(self, tally: Tally) -> Lines | Packed:
        """The file alone, for single entries."""
        if _is_packed(self.path):
            from .packed import Packed

            return Packed(self.path, None, tally)
        from .files import Lines

        try:
            with open(self.path, "rb") as file:
                return Lines(os.dup(file.fileno()), None, tally)
        except OSError:
            tally.closed(_CLOSED)
            return Lines(-1, None, tally)


def events(
    found: list[Base], tally: Tally, taken: Callable[[Line], list[Event]], taken_back: Callable[[str, str], list[Event]]
) -> Iterator[Event]:
    """What came before, as the reader takes it. Who has gone back has done what was done since, and said none of it."""
    for base in found:
        since = ""
        for line in base.lines(tally):
            if line.offset >= base.end and not base.is_same:
                break
            for event in taken(line):
                if line.offset >= base.end and event.kind == "user":
                    since = since or event.time
                yield event
        if since:
            yield from taken_back(since, base.time)
        if base.is_parents:
            yield Event("forked", time=base.time)


def from_end(found: list[Base], limit: int, head: int, tally: Tally) -> Iterator[Entry]:
    """Raw lines of the files that a session goes on from, as far as they count, newest first."""
    start = sum(base.end for base in found)
    for base in reversed(found):
        start -= base.end
        for entry in base.source(tally).from_end(limit, head, base.end):
            entry.id = str(start + int(entry.id))
            limit -= 1
            yield entry


def entry_in(found: list[Base], number: int, tally: Tally) -> tuple[Entry | None, int]:
    """The raw line at a place in one of these files; else the place in the file that goes on from them."""
    start = 0
    for base in found:
        if number < start + base.end:
            return base.source(tally).entry(number - start), -1
        start += base.end
    return None, number - start


def bases(path: str, tally: Tally) -> list[Base]:
    """The files that hold what came before a file, the oldest first; none for almost all of them."""
    from .codex import is_subagents

    found: list[Base] = []
    about, seen = _about(path), {os.path.basename(path)}
    while base := dict_of(about.get("history_base")):
        end, below = base.get("end_byte_offset"), _file(path, text_of(base.get("thread_id")))
        if not below or os.path.basename(below) in seen or not isinstance(end, int) or end < 0 or len(found) == _DEEPEST:
            tally.closed(_GONE)
            break
        before = _about(below)
        is_same = bool(before.get("id")) and before.get("id") == about.get("id")
        is_parents = is_subagents(about) and not is_same
        found.insert(0, Base(below, end, text_of(about.get("timestamp")), is_same=is_same, is_parents=is_parents))
        seen.add(os.path.basename(below))
        about = before
    return found


def _about(path: str) -> dict[str, Any]:
    """What the first line says of a session; a line that is not whole says nothing yet."""
    from . import Tally
    from .files import objects

    try:
        with open(path, "rb") as file:
            line = file.readline(LONG) if not _is_packed(path) else _first_packed(file)
    except OSError:
        return {}
    entry = next(iter(objects(line, Tally())), {}) if b'"history_base"' in line or b'"session_meta"' in line else {}
    return dict_of(entry.get("payload")) if entry.get("type") == "session_meta" else {}


def _is_packed(path: str) -> bool:
    return path.endswith(".zst")


def _first_packed(file: BinaryIO) -> bytes:
    from . import Tally
    from .packed import records

    return next((text for _, text in records(file, Tally())), b"")


def _file(path: str, number: str) -> str:
    """The file whose name ends with an id: beside the one that goes on from it, as a rule."""
    folder = os.path.dirname(os.path.abspath(path))
    home = re.match(r"(.*)/(?:archived_)?sessions(?:/|\Z)", folder)
    beside = next(os.walk(folder), (folder, [], []))
    every = (f"{home[1]}/sessions", f"{home[1]}/archived_sessions") if home else ()
    for base, _, names in chain([beside], *map(os.walk, every)):
        for name in names:
            if (named := re.fullmatch(_NAMED, name)) and named[1] == number:
                return os.path.join(base, name)
    return ""
