"""Following a transcript: read on from where the last hook stopped, and keep what was learnt.

`.holdfast/cursors/<session>.json` holds the position and what capture had learnt by then; so also what it told the working state
last. It is derived: without it the transcript is read from the start.
"""

from __future__ import annotations

import json
import os

from .guard import clean
from .journal import digest
from .model import REPLACED, TEXTS, Checkpoint, slug

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .memory import Memory


class Following:
    """A session's transcript, as far as it has been read."""

    def __init__(self, memory: Memory, session: str, path: str, host: str) -> None:
        self.memory, self.path, self.host = memory, path, host
        mark = digest(f"{session}\0{path}".encode("utf-8", "surrogateescape"))[:8]
        self.name = f"{slug(session)[:60]}-{mark}.json"
        self.kept = self._kept()
        self.reasons: list[str] = []

    def _kept(self) -> dict[str, Any]:
        try:
            found = json.loads(self.memory.store.text_or_empty(".holdfast/cursors", self.name) or "{}")
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}

    def at_its_end(self) -> bool:
        """Whether all of it was read and saved: then there is no need to look at it, or to learn how."""
        seen = self._seen() if self.path.endswith(".jsonl") else []
        return bool(seen) and self.kept.get("seen") == seen and bool(self.kept.get("saved"))

    def _seen(self) -> list[int]:
        try:
            found = os.stat(self.path)
        except OSError:
            return []
        return [found.st_size, found.st_mtime_ns]

    def read_on(self) -> bool:
        """Take in what is new; whether there is something that has not been saved."""
        from .capture import Capture
        from .transcripts import Transcript

        start = self.kept.get("position")
        try:
            self.capture = Capture.from_data(self.kept.get("capture", {}))
            self.last = Checkpoint(**self.capture.draft())
        except (AttributeError, LookupError, TypeError, ValueError):  # damaged, or of another version: it is only derived
            self.capture, self.last, start = Capture(), Checkpoint(), None
        before = self.capture.count
        self.seen = self._seen()  # before the reading: what is written while we read is new the next time
        with Transcript(self.path, host=self.host) as transcript:
            self.capture.feed(transcript.events(start))
            self.position, self.reasons = transcript.position, list(transcript.reasons)
        self.draft = self.capture.draft()
        return self.capture.count > before or not self.kept.get("saved", True)

    def state(self, known: Checkpoint) -> Checkpoint:
        """The working state with what the transcript tells beneath it: what an agent or a person has set stays and wins.

        A field is the transcript's where it is empty, or still what the transcript said last time. In a list that others have
        added to, theirs comes first.
        """
        draft = Checkpoint(**self.draft)
        change: dict[str, Any] = {}
        for name in draft._fields:
            theirs, before, told = getattr(known, name), getattr(self.last, name), getattr(draft, name)
            if not theirs or theirs == before:
                change[name] = told
            elif name not in TEXTS and name not in REPLACED:
                own = tuple(item for item in theirs if item not in before)
                change[name] = (*own, *(item for item in told if item not in own))
        return known.replaced(**change)

    def keep(self, *, saved: bool = True) -> None:
        """Remember how far it was read, what it came to, and whether that was saved."""
        learnt = {"position": self.position, "seen": self.seen, "saved": saved, "capture": self.capture.as_data()}
        # What was learnt is kept as clean as what was saved: a transcript is full of other people's secrets.
        data, _ = clean(learnt)
        folder = self.memory.store.folder(".holdfast/cursors")
        text = json.dumps(data, ensure_ascii=False).encode("utf-8", "surrogateescape")
        self.memory.swap.place(self.memory.swap.prepare(text), folder, self.name, over=True)
