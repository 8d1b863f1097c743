"""Following a transcript: read on from where the last hook stopped, and keep what was learnt.

`.holdfast/cursors/<session>.json` holds the position, what capture has learnt so far, and the draft that went into the working
state last. It is derived: without it the transcript is read from the start.
"""

from __future__ import annotations

import json

from .capture import Capture
from .guard import clean, redacted
from .journal import digest
from .model import REPLACED, TEXTS, Checkpoint, slug
from .transcripts import Event, Transcript

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from .memory import Memory


class Following:
    """A session's transcript, as far as it has been read."""

    def __init__(self, memory: Memory, session: str, path: str, host: str) -> None:
        self.memory, self.path, self.host = memory, path, host
        mark = digest(f"{session}\0{path}".encode("utf-8", "surrogateescape"))[:8]
        self.name = f"{slug(session)[:60]}-{mark}.json"
        kept = self._kept()
        self.capture = Capture.from_data(kept.get("capture", {}))
        self.position: Any = kept.get("position")
        self.last = _checkpoint(kept.get("draft", {}))
        self.reasons: list[str] = []

    def _kept(self) -> dict[str, Any]:
        try:
            found = json.loads(self.memory.store.text_or_empty(".holdfast/cursors", self.name) or "{}")
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}

    def read_on(self) -> int:
        """Take in what is new; returns how many events that were."""
        before = self.capture.count
        with Transcript(self.path, host=self.host) as transcript:
            self.capture.feed(self._washed(transcript.events(self.position)))
            self.position, self.reasons = transcript.position, list(transcript.reasons)
        return self.capture.count - before

    def _washed(self, events: Iterable[Event]) -> Iterator[Event]:
        """The events without secrets and what is private, some dozens looked at together: most have none.

        Before capture sees them: what is shortened, or taken apart into names, no longer shows that it was a secret.
        """
        waiting: list[Event] = []
        size = 0
        for event in events:
            waiting.append(event)
            size += sum(map(len, _texts_of(event)))
            if size > _TOGETHER:
                yield from self._clean(waiting)
                waiting, size = [], 0
        yield from self._clean(waiting)

    def _clean(self, events: list[Event]) -> list[Event]:
        if redacted("\n\n".join(text for event in events for text in _texts_of(event)))[1]:
            for event in events:
                self._clean_one(event)
        return events

    def _clean_one(self, event: Event) -> None:
        def clean_text(text: str) -> str:
            return redacted(text, self.memory.key)[0] if text else text

        event.text = clean_text(event.text)
        event.command = clean_text(event.command)
        event.edits = tuple((path, clean_text(before), clean_text(after)) for path, before, after in event.edits)
        if event.todos is not None:
            event.todos = tuple((clean_text(text), state) for text, state in event.todos)
        if event.task:
            number, subject, status = event.task
            event.task = (number, clean_text(subject), status)

    def state(self, known: Checkpoint) -> Checkpoint:
        """The working state with what the transcript tells beneath it: what an agent or a person has set stays and wins.

        A field is the transcript's where it is empty, or still what the transcript said last time. In a list that others have
        added to, theirs comes first.
        """
        draft = Checkpoint(**self.capture.draft())
        change: dict[str, Any] = {}
        for name in draft._fields:
            theirs, before, told = getattr(known, name), getattr(self.last, name), getattr(draft, name)
            if not theirs or theirs == before:
                change[name] = told
            elif name not in TEXTS and name not in REPLACED:
                own = tuple(item for item in theirs if item not in before)
                change[name] = (*own, *(item for item in told if item not in own))
        return known.replaced(**change)

    def keep(self) -> None:
        """Remember how far it was read, and what it came to."""
        # What was learnt is kept as clean as what was saved: a transcript is full of other people's secrets.
        learnt = {"position": self.position, "capture": self.capture.as_data(), "draft": self.capture.draft()}
        data, _ = clean(learnt, self.memory.key)
        folder = self.memory.store.folder(".holdfast/cursors")
        text = json.dumps(data, ensure_ascii=False).encode("utf-8", "surrogateescape")
        self.memory.swap.place(self.memory.swap.prepare(text), folder, self.name, over=True)


_TOGETHER = 200_000  # characters


def _texts_of(event: Event) -> Iterator[str]:
    """All that is said in an event."""
    yield event.text
    yield event.command
    for _, before, after in event.edits:
        yield before
        yield after
    for text, _ in event.todos or ():
        yield text
    if event.task:
        yield event.task[1]


def _checkpoint(data: object) -> Checkpoint:
    """A draft as it was kept; JSON knows lists only."""
    try:
        return Checkpoint(**data) if isinstance(data, dict) else Checkpoint()
    except (TypeError, ValueError):
        return Checkpoint()
