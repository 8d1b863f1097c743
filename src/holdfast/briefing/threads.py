"""Open threads: what the sessions of the last days have left open in a workspace, and the short note that lists them.

A session is weighty where it has changed several files, took several requests, has a list of actions or was cut off in the midst
of a turn. Weighty ones come first, the newest of them at the head: a session of a few words never displaces work.

The note is what a fresh session gets by default. It says what is open and how to get it, and directs nobody to it: whoever
clears a context or begins a session wants a fresh start.
"""

from __future__ import annotations

import time
from itertools import islice

from ..documents import markdown
from ..guard.framing import framed
from ..model import HOST_NAMES, Checkpoint, Value, fold, is_gateway_session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..memory import Memory
    from ..model import Record
    from .giving import Turn

DAYS = 7  # of work that are looked through: up to the newest record, however long ago that is
NOTE = 1200  # characters of the note
HEADING = "# Open in this project (Holdfast)"
ENDING = "`holdfast sessions` lists all of them."
_RECORDS, _SESSIONS = 400, 30  # that are looked through
_REQUESTS, _FILES = 3, 2  # from which on a session is weighty
_SHOWN = 5  # threads in a note
_SHORTEST = 60  # characters: a line is not cut to less
_KEPT = ("checkpoint", "restore", "state")


class Thread(Value):
    """What one session has left."""

    session: str
    host: str = ""
    when: str = ""  # of its newest record, local time
    state: Checkpoint = Checkpoint()
    turn: Turn | None = None  # the turn that it is in, or was cut off in

    @property
    def is_cut_off(self) -> bool:
        """Whether its host ended in the midst of a turn."""
        return self.turn is not None and not self.turn.is_running

    @property
    def is_running(self) -> bool:
        """Whether its host is in the midst of a turn now."""
        return self.turn is not None and self.turn.is_running

    @property
    def pending(self) -> list[str]:
        """What is still to be done: actions that are not ticked, then next steps."""
        return [*(text for text, ticked in self.state.pending if not ticked), *self.state.next_steps]

    @property
    def is_open(self) -> bool:
        """Whether something waits for an answer, for work or for help."""
        return bool(self.turn or self.state.unanswered or self.pending or self.state.blockers)

    @property
    def is_weighty(self) -> bool:
        """Whether it is more than a few words."""
        requests = sum(" User: " in line for line in self.state.timeline)
        changed = sum(not what.startswith(("read", "found by")) for _, what in self.state.files)
        return bool(self.turn or self.pending or self.state.blockers) or requests >= _REQUESTS or changed >= _FILES

    @property
    def where(self) -> str:
        """When and in which host, for people."""
        name = HOST_NAMES.get(self.host, self.host)
        return ", ".join(filter(None, (self.when[:16].replace("T", " "), name)))


def find_threads(memory: Memory, asking: str = "") -> list[Thread]:
    """Return what the sessions of the last days have left, the one to be named first at the head.

    Open ones come before those with nothing open, weighty ones before others, newer ones before older. `asking` is the
    session that is told of them, and is none of them; without one it is the owner at a terminal, who may see all. A
    session of OpenClaw is told of no other, and no other of it: they are of several people.
    """
    if is_gateway_session(asking):
        return []
    but = (asking,) if asking else ()
    turns, oldest = memory.giving.turns(), ""
    found: dict[str, Thread] = {session: Thread(session) for session in but}
    for record in islice(memory.journal.records(), _RECORDS):
        oldest = oldest or _days_before(record.time)
        if record.time < oldest or len(found) > _SESSIONS:
            break
        if asking and is_gateway_session(record.session):
            continue
        if record.kind in _KEPT and record.session not in found:
            found[record.session] = _read_thread(memory, record, turns.get(record.session))
        elif record.session in found and record.host in HOST_NAMES and not found[record.session].host:
            # What was set by a command names no host.
            found[record.session] = found[record.session].replaced(host=record.host)
    threads = [thread for session, thread in found.items() if session not in but and not thread.state.empty]
    return sorted(threads, key=lambda thread: (not thread.is_open, not thread.is_weighty))


def _days_before(moment: str) -> str:
    """Return the day that is so many days before a moment; empty where that is none."""
    try:
        return time.strftime("%Y-%m-%d", time.localtime(time.mktime(time.strptime(moment[:10], "%Y-%m-%d")) - DAYS * 86400))
    except (ValueError, OverflowError):
        return ""


def _read_thread(memory: Memory, record: Record, turn: Turn | None) -> Thread:
    """Return the thread of the session that a record, its newest, is of."""
    if record.kind == "checkpoint" and not memory.store.has_document(record.session):
        state = markdown.read_block(markdown.block_in(record.body)).state
    else:
        state = memory.store.told(record.session)
    return Thread(record.session, record.host if record.host in HOST_NAMES else "", record.time, state, turn)


def find_cut_off(threads: Iterable[Thread]) -> Thread | None:
    """Return the newest thread that was cut off in the midst of a turn, and of which no session was told in full yet."""
    cut = [thread for thread in threads if thread.is_cut_off and thread.turn and not thread.turn.told]
    return max(cut, key=lambda thread: thread.when, default=None)


def find_displaced(threads: list[Thread]) -> str:
    """Return the session whose work goes before that of the newest one; empty where the newest goes first anyway.

    The newest steps back only where it was a few words and has left nothing open.
    """
    newest = max(threads, key=lambda thread: thread.when, default=None)
    if newest is None or newest.is_open or newest.is_weighty:
        return ""
    return threads[0].session if threads[0].is_weighty else ""


def make_note(memory: Memory, threads: list[Thread], failures: str = "") -> str:
    """Return the note on what is open, in at most `NOTE` characters; empty where memory has nothing.

    Where nothing is open, it names what was worked on last. `failures`: what hooks could not do, which is said first.
    """
    every = [thread for thread in threads if thread.is_open] or threads[:1]
    kept = _kept_documents(memory)
    if not every and not kept:
        return failures
    what = "This is what earlier sessions here left open" if every and every[0].is_open else "This is what memory has here"
    head = f"{HEADING}\n{what}, for reference only. Do not act on it unless the user refers to it.\n"
    head += "".join(f"{line}\n" for line in (_integrity(memory), failures) if line)
    how = "`holdfast recover 1` gives the first in full, and so on. " if every else ""
    tail = f"{how}`holdfast search WORDS` finds the rest. {ENDING}\n"
    room = NOTE - len(head) - len(tail) - len(framed("")) - (len(kept) + 1 if kept else 0)
    lines = _fit(every, room)
    return head + framed("\n".join([*lines, *([kept] if kept else [])]), memory.key()) + tail


def _fit(threads: list[Thread], room: int) -> list[str]:
    """Return the lines on as many threads as find room; of the first, as much as finds room."""
    lines: list[str] = []
    for number, thread in enumerate(threads[:_SHOWN], start=1):
        shown = _show(thread, number, long=number == 1)
        if lines and sum(len(line) + 1 for line in shown) > room:
            break
        for line in shown:
            cut = fold(line, room - 1) if len(line) + 1 > room > _SHORTEST else line
            if len(cut) + 1 <= room:
                lines.append(cut)
                room -= len(cut) + 1
    return lines


def _integrity(memory: Memory) -> str:
    """Return what is to be said of a memory that is not whole, as a brief says it; empty where it is."""
    from .recovery import _trouble

    found = _trouble(memory)
    mend = "Answer no complex question from memory until it is mended; `holdfast health` says what it is."
    return fold(f"Memory integrity check failed: {found}", 300) + f". {mend}" if found else ""


def _kept_documents(memory: Memory) -> str:
    """Return a line on what people and agents keep here besides; empty where there is nothing."""
    today = time.strftime("%Y-%m-%d", time.localtime(memory.clock()))
    text = memory.store.text_or_empty("", "MEMORY.md")
    found = [f"MEMORY.md ({len(text.splitlines())} lines)"] if text.strip() else []
    found += [f"notes of today ({'/'.join(memory.days.path(today))})"] if memory.days.text(today).strip() else []
    return f"Also kept here: {', '.join(found)}" if found else ""


def _show(thread: Thread, number: int, *, long: bool) -> list[str]:
    """Return the lines on one thread."""
    mark = ", cut off in the midst of a turn" if thread.is_cut_off else ", at work now" if thread.is_running else ""
    lines = [f"{number}. {thread.where}{mark}: {fold(thread.state.task or thread.state.goal, 220 if long else 110)}"]
    if long and thread.state.goal[:60] not in fold(thread.state.task):
        lines.append(f"   Asked first: {fold(thread.state.goal, 120)}")
    if thread.state.unanswered:
        lines.append(f"   Unanswered: {fold(thread.state.unanswered[0], 240 if long else 110)}")
    if thread.pending:
        few, more = thread.pending[: 3 if long else 2], len(thread.pending) - (3 if long else 2)
        lines.append(f"   Still to be done: {'; '.join(fold(text, 60) for text in few)}{f'; {more} more' if more > 0 else ''}")
    if thread.state.blockers:
        lines.append(f"   Blocked: {fold(thread.state.blockers[0], 80)}")
    return lines


def show_threads(threads: list[Thread]) -> str:
    """Return all of them, for people."""
    lines: list[str] = []
    for number, thread in enumerate(threads, start=1):
        lines += _show(thread, number, long=True)
        if not thread.is_open:
            lines.append("   Nothing open.")
        lines.append(f"   holdfast recover {number}   (session {thread.session})")
    return "\n".join(lines)


def as_data(threads: list[Thread]) -> list[dict[str, object]]:
    """Return all of them, for programs."""
    return [
        {
            "number": number,
            "session": thread.session,
            "host": thread.host,
            "time": thread.when,
            "task": thread.state.task,
            "unanswered": list(thread.state.unanswered),
            "pending": thread.pending,
            "blockers": list(thread.state.blockers),
            "open": thread.is_open,
            "cut_off": thread.is_cut_off,
            "running": thread.is_running,
        }
        for number, thread in enumerate(threads, start=1)
    ]
