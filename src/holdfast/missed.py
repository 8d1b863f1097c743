"""What no hook has told: sessions that are on this machine, brought in from their transcripts.

Hooks are missed: the host was killed, the hook was not trusted, Holdfast was not there yet. The transcript was written all the
same. It is found by the session's key, or by the folder that the session was had in, and what it has more than the journal is
saved as a checkpoint.

Rule 1: what is brought in is dated by its last event, its id included. So it lands in its own day, and the newest is still the
        newest: nothing from the past takes the place of what is being done now (docs/decisions/0006-importing.md).
Rule 2: the id is made of that moment and the session's name, and is looked for under the lock. So the same thing comes in once,
        whether the import before was killed, the cursor was lost, or two run side by side.
Rule 3: where nothing is new, nothing is parsed: a cursor that stands at the end of the file says so.
"""

from __future__ import annotations

import os

from .following import Following
from .guard import clean
from .memory import Past
from .model import Checkpoint, Note, fold
from .transcripts import Transcript
from .transcripts.heads import seconds
from .whereabouts import Belonging, name_of, newest_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .memory import Memory, Saved
    from .model import Record
    from .transcripts import Event
    from .transcripts.find import Found

KNOWN, TRIVIAL, EMPTY = "known already", "trivial", "without a word that could be read"
_HOST_NAMES = {"claude-code": "Claude Code", "codex": "Codex", "gemini": "Gemini CLI", "openclaw": "OpenClaw"}
_SHORT, _ITEMS = 160, 4  # characters of a line, and commits, in what a day says of a session


# ---- what is new in it -------------------------------------------------------------------------------------------------


class Told:
    """Which sessions the journal knows, and the newest record of each that came from its transcript.

    The journal is gone through once, from its newest record, and only as far as somebody asks.
    """

    def __init__(self, memory: Memory) -> None:
        self._records = memory.journal.records()
        self._found: dict[str, Record | None] = {}  # None: only others have spoken, so far

    def record(self, session: str) -> Record | None:
        """The newest record of a session that came from its transcript."""
        while not self._found.get(session) and (record := next(self._records, None)):
            if not self._found.get(record.session):
                from_transcript = record.origin == "transcript" and record.kind == "checkpoint"
                self._found[record.session] = record if from_transcript else None
        return self._found.get(session)

    def knows(self, session: str) -> bool:
        """Whether the journal has anything of a session."""
        return self.record(session) is not None or session in self._found

    def has_come(self, session: str) -> None:
        """A session that came in just now."""
        self._found.setdefault(session, None)


class Unread(Following):
    """A transcript as far as it was not read yet."""

    def __init__(self, memory: Memory, found: Found, told: Told | None = None) -> None:
        self.session, self.found = name_of(found), found
        super().__init__(memory, self.session, found.path, found.host)
        self.told = told or Told(memory)
        self.began = self.ended = ""  # of what is new
        self.grown = self.position is not None  # some of it was told before

    @property
    def has_more(self) -> bool:
        """Whether there may be more than was read; for a file that is a look at its size. A packed one is written once."""
        if self.found.path.endswith(".zst"):
            return self.position is None
        offset = self.position.get("offset") if isinstance(self.position, dict) else self.position
        if not isinstance(offset, int) or self.found.path.endswith((".db", ".sqlite")):
            return True
        try:
            return os.stat(self.path).st_size != offset
        except OSError:
            return False

    def read_on(self) -> int:
        """Take in what is new; returns how many events that were.

        Without a cursor the transcript is read from its start, and what was told of it before is known from the journal: up to
        that moment it is read as it was then. So a field that the transcript had filled is still the transcript's to change.
        """
        with Transcript(self.path, host=self.host, session=self.found.session) as transcript:
            events = transcript.events(self.position)
            later: list[Event] = []
            if self.position is None and (record := self.told.record(self.session)):
                self.capture.feed(_until(events, _moment(record), later))
                self.last = Checkpoint(**clean(self.capture.draft())[0])
                self.grown = True
            before = self.capture.count
            self.capture.feed(self._dated(iter(later)))
            self.capture.feed(self._dated(events))
            self.position, self.reasons = transcript.position, list(transcript.reasons)
        return self.capture.count - before

    def _dated(self, events: Iterator[Event]) -> Iterator[Event]:
        for event in events:
            self.began, self.ended = self.began or event.time, event.time or self.ended
            yield event

    @property
    def says_the_same(self) -> bool:
        """Whether what is new has changed nothing: the host's own summary, say, or the end of an interrupted call."""
        return self.grown and Checkpoint(**clean(self.capture.draft())[0]) == self.last

    def after(self) -> float:
        """The moment before which what is new cannot have been, whatever the clock said: that of what was told before."""
        record = self.told.record(self.session) if self.grown else None
        return _moment(record) + 1e-6 if record else 0.0

    def as_known(self) -> Checkpoint:
        """The working state with what is new, for a memory that cannot be written to."""
        return Checkpoint(**clean(self.state(self.memory.store.told(self.session)).__dict__)[0])


def _until(events: Iterator[Event], moment: float, later: list[Event]) -> Iterator[Event]:
    """The events up to a moment; the first one after it is put aside."""
    for event in events:
        if seconds(event.time) > moment:
            later.append(event)
            return
        yield event


def _moment(record: Record) -> float:
    """When a record was made, to the microsecond: its time has the offset, its id the rest."""
    digits = record.time[:19].replace("-", "").replace(":", "").replace("T", "-")
    return seconds(record.time) + (int(record.id[16:22]) / 1e6 if record.id.startswith(digits) else 0.999999) + 5e-7


# ---- bringing it in ----------------------------------------------------------------------------------------------------


def bring_in(memory: Memory, found: Found, trigger: str, told: Told | None = None) -> Saved | str:
    """Save what a transcript has more than the journal; or why there is nothing to save."""
    unread = Unread(memory, found, told)
    if not unread.has_more:
        return KNOWN
    new = unread.read_on()
    if not unread.capture.count:
        return EMPTY
    if not new or unread.capture.trivial or unread.says_the_same:
        unread.keep()  # so that it is not read again and again
        return TRIVIAL if new and unread.capture.trivial else KNOWN
    moment = max(seconds(unread.ended) or found.modified, unread.after())
    mark = f"{unread.session}\0{unread.ended or unread.capture.count}"
    unknown = not unread.grown and not unread.told.knows(unread.session)
    about = {"host": found.host, "trigger": trigger}
    if trigger == "import":
        text = clean({"text": entry(unread)})[0]["text"]
        memory.note(unread.session, Note(text), Past(moment, f"{mark}\0note"), origin="transcript", **about)
    saved = memory.captured(unread, unread.session, past=Past(moment, mark), unknown=unknown, **about)
    unread.told.has_come(unread.session)
    return KNOWN if saved.known else saved


def entry(unread: Unread) -> str:
    """What a day says of a session: when, and below it what was asked, done and decided; of one that has gone on, what is new."""
    now, before = Checkpoint(**unread.capture.draft()), unread.last
    said = [line.partition(" User: ")[2] for line in now.timeline if line not in before.timeline]
    said = said if unread.grown else [now.goal, *said]  # the timeline of a long session has lost its beginning
    asked = [fold(text, _SHORT) for text in said if text] or [fold(text, _SHORT) for text in (now.task or now.goal,) if text]
    span = "–".join(dict.fromkeys(filter(None, (_clock(unread.began, unread.ended), _clock(unread.ended)))))
    name = _HOST_NAMES.get(unread.host, unread.host)
    lines = [f"{span} {name}, session {_short(unread.session)}{', went on' if unread.grown else ''}".strip()]
    if asked:
        lines.append(f"- asked: {next((text for text in asked if len(text) >= 40), asked[0])}")
        lines += [f"- at last: {asked[-1]}"] if asked[-1] not in lines[-1] else []
    # A commit says more than a test that passed, of which the last one tells it all.
    done = [what for what in now.done if what not in before.done]
    kept = [what for what in done if what.startswith("commit ")][-_ITEMS:]
    lines += [f"- done: {fold(what, _SHORT)}" for what in (*kept, *[what for what in done if what not in kept][-1:])]
    choices = [choice for choice in now.decisions if choice not in before.decisions and _is_whole(choice)]
    agreed = [choice for choice in choices if choice.startswith("User agreed")]
    lines += [f"- decided: {fold(choice, _SHORT)}" for choice in (agreed or choices)[-2:]]
    return "\n".join(lines)


def _is_whole(sentence: str) -> bool:
    """Whether a sentence stands by itself: one cut out of the midst of code or a list says nothing in a day."""
    cut = sentence.endswith(":") or sentence.startswith(("//", "/*"))
    return not cut and sentence.count("`") % 2 == 0 and sentence.count("**") % 2 == 0


def _short(session: str) -> str:
    """A session's name: of a long number its beginning, to the millisecond where it is made of time. The block has all of it."""
    return session[:13] if len(session) == 36 and session.count("-") == 4 else session


def _clock(time: str, day_of: str = "") -> str:
    """A moment as a local clock shows it; with its date where it is of another day."""
    from time import localtime, strftime

    if not seconds(time):
        return ""
    here = localtime(seconds(time))
    other = bool(day_of) and strftime("%Y-%m-%d", here) != strftime("%Y-%m-%d", localtime(seconds(day_of)))
    return strftime("%Y-%m-%d %H:%M" if other else "%H:%M", here)


def previous(memory: Memory, session: str, host: str, env: Mapping[str, str], folder: str, transcript: str = "") -> Saved | str:
    """At the start of a session: bring in the one before it in this folder, where its end was not seen. Hand-written blocks too.

    Where there is nothing new it costs the list of the host's sessions, the ends of one file and a cursor. With the transcript of
    the session that starts, a host that keeps a folder's sessions together is asked for that folder's alone.
    """
    from .adopting import adopt

    adopt(memory)
    found = newest_of((host,), env, Belonging(memory.workspace, env, folder), but=session, beside=transcript)
    return bring_in(memory, found[0], "missed-hook") if found else "there is no session before it"
