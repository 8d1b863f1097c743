"""Delivery: has what we gave arrived? What was given + what the host has written since → arrived, cut, vanished, or not known.

Hosts write down what hooks put into a context, each in its own kind of line. A brief stands between two marks of its own
(framing.py), and so it is known again there: whole where both marks are in one such line with as many bytes between them as we
put there (escaping only adds to them), cut where they are not. Of what is too long Claude Code keeps 2 KB, Codex its beginning
and its end.

Rule 1: only what was written after it was given counts. The same state gives the same brief, so that an older one has its marks.
Rule 2: nothing is said too early. Hosts write late, so that a brief has vanished only when a turn went by and another hook still
        does not find it; where the host writes nothing down, it is never known.
Rule 3: what has vanished is offered once more, with half of the room, and then no more.
Rule 4: one at a time is looked for. What is not known when the next one is given is overtaken by it, and never known.
"""

from __future__ import annotations

from ..model import Value, slug
from ..util import compute_digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

ARRIVED, CUT, VANISHED, OVERTAKEN = "arrived", "cut", "vanished", "overtaken"
_BEGINS, _ENDS = "--- memory ", "--- end "
_MARK = 10  # characters
_TURN_OVER = ("turn", "end", "before-compaction")
_LEAST = 4000  # characters of a brief that is offered again


class Delivery(Value):
    """What was given to a session last, and what came of it."""

    mark: str = ""  # of its frame; empty where nothing can be looked for
    size: int = 0  # bytes from its first mark to its last
    since: int = 0  # bytes of the transcript that need not be looked at
    moment: float = 0.0  # when it was given, in seconds since 1970
    occasion: str = ""
    room: int = 0  # characters that it had
    again: bool = False  # it was the second offer
    looks: int = 0  # ends of turns at which it was not there
    verdict: str = ""  # empty: not known yet
    note: bool = False  # it was the short note of a session's start, and no brief
    boundary: bool = False  # whether lines were seen since that may tell of a compaction

    @property
    def is_open(self) -> bool:
        """Whether it is still to be found out."""
        return bool(self.mark) and not self.verdict

    @property
    def wants_another(self) -> int:
        """The room of a second offer, in characters; 0 where there is none to make."""
        return max(_LEAST, self.room // 2) if self.verdict == VANISHED and not self.again and self.occasion else 0

    def after(self, lines: bytes, sign: bytes, event: str) -> Delivery:
        """What is known after a look at lines that the host has written since; `sign`: what its lines of that kind have."""
        found = self._found(lines, sign)
        if found:
            return self.replaced(verdict=found)
        looks = self.looks + (event in _TURN_OVER and bool(lines))
        gone = looks > 1 or (looks and event not in _TURN_OVER)
        return self.replaced(looks=looks, verdict=VANISHED if gone else "")

    def _found(self, lines: bytes, sign: bytes) -> str:
        """Arrived or cut; empty where it is not there."""
        begins, ends = (f"{word}{self.mark} ---".encode() for word in (_BEGINS, _ENDS))
        verdict, at = "", lines.find(begins)
        while at >= 0 and verdict != ARRIVED:
            start, stop = lines.rfind(b"\n", 0, at) + 1, lines.find(b"\n", at)
            line = lines[start : stop if stop >= 0 else len(lines)]
            if sign in line:
                end = line.find(ends, at - start)
                verdict = ARRIVED if end >= 0 and end - (at - start) >= self.size else CUT
            at = lines.find(begins, stop) if stop >= 0 else -1
        return verdict


def file_of(session: str) -> str:
    """The file in `.holdfast/cursors` that has what a session was given last."""
    return f"{slug(session)[:60]}-{compute_digest(session.encode('utf-8', 'surrogateescape'))[:8]}.briefed"


def given(text: str, **about: Any) -> Delivery:
    """The delivery of a text that is given now; one without a frame cannot be looked for."""
    at = text.find(_BEGINS)
    mark = text[at + len(_BEGINS) :][:_MARK] if at >= 0 else ""
    end = text.find(f"{_ENDS}{mark} ---") if mark else -1
    return Delivery(mark if end >= 0 else "", len(text[at:end].encode("utf-8", "replace")), **about)


def from_data(data: Mapping[str, Any]) -> Delivery:
    """What was kept. It is derived: a field that is missing or odd has its default."""
    known = {name: getattr(Delivery, name) for name in Delivery._fields}
    return Delivery(**{name: data[name] for name in known if type(data.get(name)) is type(known[name])})
