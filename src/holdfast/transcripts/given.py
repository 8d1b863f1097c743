"""A conversation that a host hands over itself, for where its own record cannot be read: messages in the form of `pi`.

A position is the moment of the last message that was taken in, with the reader's memory where it has one: what is handed over is
the whole window each time.
"""

from __future__ import annotations

from . import Entry, Event
from .pi import Reader
from .words import dict_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from . import Tally


class Messages:
    """The messages of a window, the oldest first."""

    def __init__(self, messages: list[Any], tally: Tally) -> None:
        self._messages, self._tally, self._reader = messages, tally, Reader()
        self.position: Any = None

    def events(self, start: Any) -> Iterator[Event]:
        """Events from a position on."""
        until = start.get("until") if isinstance(start, dict) else None
        until = until if isinstance(until, (int, float)) else 0
        self._reader.state = dict(dict_of(start.get("state"))) if isinstance(start, dict) else {}
        self.position = self._at(until)
        for message in self._messages:
            moment = message.get("timestamp") if isinstance(message, dict) else None
            if not isinstance(moment, (int, float)) or isinstance(moment, bool) or moment <= until:
                continue
            entry = {"type": "message", "timestamp": moment, "message": message}
            found = self._tally.took(entry, self._reader.events(entry))
            yield from found[:-1]
            self.position = self._at(max(self.position["until"], moment))
            yield from found[-1:]

    def _at(self, until: float) -> dict[str, Any]:
        state = self._reader.state
        return {"until": until, **({"state": dict(state)} if state else {})}

    def from_end(self, _limit: int, _head: int) -> Iterator[Entry]:
        """Nothing: a tail is read where the host keeps it."""
        return iter(())

    def entry(self, _number: int) -> Entry | None:
        """Nothing."""
        return None

    def close(self) -> None:
        """Nothing is open."""
