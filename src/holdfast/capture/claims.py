"""Records that were saved for no session in particular, claimed by the one in which they were.

Over MCP nobody tells us the session, and not every host tells it to a command. But the transcript shows what the agent called and
what we answered, with the record's id: whoever reads it knows whose the record is. So what an agent has checkpointed is in the
next brief of its session, and in no other's.
"""

from __future__ import annotations

import re

from ..model import NO_SESSION, REPLACED, TEXTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from ..memory import Memory
    from ..model import Checkpoint, Record
    from ..transcripts import Event

_ID = r"\d{8}-\d{6}-\d{6}-[0-9a-z]{8}\b"
# Our answers: of a tool as data or in words, of a command. What we show of memory has ids too, and acknowledges nothing.
_SAVED = rf'(?m)\A\s*\{{"id": ?"({_ID})|^[Ss]aved {{1,2}}({_ID})'
_MOST = 100


class Claims:
    """The ids in our answers to an agent, as far as no record of its session has taken them up."""

    def __init__(self, ids: Any = ()) -> None:
        self.ids = [str(one) for one in ids] if isinstance(ids, list) else []
        self._called: set[str] = set()

    def look(self, event: Event) -> None:
        """See an event go by."""
        if event.by:
            return
        if event.kind == "call" and ("holdfast" in event.tool or "holdfast" in event.command):
            self._called.add(event.call)
        elif event.kind == "result" and event.call in self._called and not event.failed:
            found = (one or other for one, other in re.findall(_SAVED, event.text[:4000]))
            self.ids = [*self.ids, *found][-_MOST:]


def claimed(memory: Memory, ids: Iterable[str], state: Checkpoint) -> Checkpoint:
    """A state with what the records behind some ids have changed of that which all share."""
    from ..storage.store import after

    for record in _records(memory, ids):
        before = memory.store.replayed(NO_SESSION, until=record.id, but=record.id)
        state = state.after(_difference(before, after(before, record)))
    return state


def topic_of(memory: Memory, ids: Iterable[str]) -> str:
    """The topic that the last of those records was saved with; empty where none was."""
    return next((record.topic for record in reversed(list(_records(memory, ids))) if record.topic), "")


def _records(memory: Memory, ids: Iterable[str]) -> Iterator[Record]:
    for record in filter(None, map(memory.journal.read, ids)):
        if record.session == NO_SESSION and record.kind in ("state", "checkpoint") and record.origin != "transcript":
            yield record


def _difference(before: Checkpoint, now: Checkpoint) -> dict[str, Any]:
    """What has been set, and added, between two states."""
    found: dict[str, Any] = {}
    for name in now._fields:
        was, new = getattr(before, name), getattr(now, name)
        if new and new != was:
            found[name] = new if name in TEXTS or name in REPLACED else tuple(item for item in new if item not in was)
    return {name: value for name, value in found.items() if value}
