"""What was forgotten for good, and how it is known when it comes again: by a fingerprint; the text itself is nowhere.

A host's transcript still has it, and so may an agent's context. `.holdfast/forgotten` keeps, of each text, its length, a keyed
sum of its bytes and a keyed digest. Whatever enters is looked through for places that have all three, and gets the placeholder
`[forgotten:3f9a]` there: the same that `holdfast forget` leaves in the files.

A text is looked for on a view with runs of white space folded to one space, so that it is found re-wrapped over lines. Nothing
else is forgiven: capitals count, and a part of it is another text.
"""

from __future__ import annotations

import re
from itertools import accumulate
from operator import sub

from ..guard.disguise import View
from ..util import compute_digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    Span = tuple[int, int]

NAME = "forgotten"
_TELLING = 8  # characters of a text that was cut off by which it is known
SHORTEST = 4  # characters: shorter ones stand in half of all words
# The backslash is markdown's own: free text that would read as structure gets one at the start of its line (sections.py).
_SPACES = re.compile(r"(?: \s+|[^\S ]\s*)(?:\\(?=##|\*\*|<!--|<strong>))?")  # a space alone is as it should be
_ESCAPED = re.compile(r"(?:\s|\\[nrt])+")  # as JSON writes it
# Ids, moments and placeholders are ours, and what a file is held together by: four digits may well stand in one of them.
_OWN = re.compile(
    r"\d{8}-\d{6}-\d{6}-[0-9a-z]{8}|\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?|<!-- snapshot-id: [0-9-]{1,30} -->"
    r"|\[(?:redacted:[a-z0-9-]{1,40}|forgotten):[0-9a-f]{4}\]"
)
_LONGEST_OWN = 70
_LINE = re.compile(r"text (\d{1,9}) (\d{1,12}) ([0-9a-f]{32})$")


# ---- where a text stands -----------------------------------------------------------------------------------------------


def folded(text: str, spaces: re.Pattern[str] = _SPACES) -> str:
    """A text with every run of white space as one space."""
    return spaces.sub(" ", text).strip()


def spans_of(text: str, wanted: Iterable[str], *, json: bool = False) -> list[Span]:
    """Where one of some texts stands, re-wrapped or not, or its beginning where the rest was cut off (`…`).

    JSON: also across line ends as JSON writes them.
    """
    found: list[Span] = []
    for spaces in (_SPACES, _ESCAPED) if json else (_SPACES,):
        forms = {folded(one, spaces) for one in wanted} - {""}
        # Folding is what takes the time, and most files have not one word of it. A word is never broken by what is folded.
        if "…" not in text and not any(max(one.split(" "), key=len) in text for one in forms):
            continue
        view = spaces.sub(" ", text)
        spots: list[Span] = []
        for one in forms:
            at = view.find(one)
            while at >= 0:
                spots.append((at, at + len(one)))
                at = view.find(one, at + len(one))
            spots += _cut_off(view, one)
        found += _in_original(text, spots, spaces)
    return apart(text, found)


def _cut_off(view: str, text: str) -> Iterator[Span]:
    """Where a text begins that was shortened: half of a secret is more than nobody should know."""
    least = min(_TELLING, len(text) // 2 + 1)
    at = view.find("…")
    while at >= 0:
        for size in range(min(len(text) - 1, at), least - 1, -1):
            if view.endswith(begun := text[:size].rstrip(), 0, at):
                yield at - len(begun), at
                break
        at = view.find("…", at + 1)


def _in_original(text: str, spots: list[Span], spaces: re.Pattern[str]) -> list[Span]:
    """Places of the folded view, in the text as it is."""
    if not spots:
        return []
    runs = [(*run.span(), " ") for run in spaces.finditer(text)]
    view = View(text, 0, len(text), runs)
    return [view.original(start, end) for start, end in spots]


def apart(text: str, found: Iterable[Span]) -> list[Span]:
    """Spans in order and apart from each other, without those that are only a part of what is ours."""
    kept: list[Span] = []
    for start, end in sorted(found, key=lambda span: (span[0], -span[1])):
        if kept and start < kept[-1][1]:
            kept[-1] = (kept[-1][0], max(end, kept[-1][1]))
        elif not _is_inside_own(text, start, end):
            kept.append((start, end))
    return kept


def _is_inside_own(text: str, start: int, end: int) -> bool:
    begin = max(0, start - _LONGEST_OWN)
    for own in _OWN.finditer(text, begin, min(len(text), end + _LONGEST_OWN)):
        if own.start() <= start and end <= own.end() and end - start < own.end() - own.start():
            return True
    return False


def replaced(text: str, found: Iterable[Span], placeholder: str) -> str:
    """The text with a placeholder at those spans; not another character is changed."""
    parts, at = [], 0
    for start, end in found:
        parts += [text[at:start], placeholder]
        at = end
    return "".join([*parts, text[at:]])


# ---- what was forgotten ------------------------------------------------------------------------------------------------


class Forgotten:
    """The fingerprints of a workspace. `key` gives the workspace's key, and is asked only where there is one to compare."""

    def __init__(self, data: bytes, key: Callable[[], bytes]) -> None:
        told = [match for match in map(_LINE.match, data.decode("ascii", "replace").split("\n")) if match]
        self._prints = sorted(((int(match[1]), int(match[2]), match[3]) for match in told), reverse=True)
        self._key = key() if told else b""
        self._weights = _weights(self._key) if told else b""

    def clean(self, value: Any) -> Any:
        """A text (or a file's bytes), or all the texts of a value, with a placeholder where something forgotten stands."""
        if isinstance(value, str):
            return self.washed(value)
        if isinstance(value, bytes):
            return self.washed(value.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
        if isinstance(value, (list, tuple)):
            return type(value)(self.clean(item) for item in value)
        if isinstance(value, dict):
            return {self.clean(name): self.clean(item) for name, item in value.items()}
        return value

    def washed(self, text: str) -> str:
        """The text with placeholders; the longest texts are looked for first."""
        view = self._view(text)
        for size, total, mark in self._prints:
            spots = list(self._spots(*view, size, total, mark))
            if spots:
                text = replaced(text, apart(text, _in_original(text, spots, _SPACES)), placeholder(mark))
                view = self._view(text)
        return text

    def _view(self, text: str) -> tuple[bytes, list[int]]:
        """The folded text as bytes, and the sums of their weights up to each of them."""
        view = _SPACES.sub(" ", text).encode("utf-8", "surrogatepass")
        return view, list(accumulate(view.translate(self._weights), initial=0)) if self._prints else []

    def _spots(self, view: bytes, sums: list[int], size: int, total: int, mark: str) -> Iterator[Span]:
        """Where a text of this fingerprint stands in the view. The sums tell where to look: at one place in hundreds."""
        here = list(map(sub, sums[size:], sums))
        at = -1
        try:
            while True:
                at = here.index(total, at + 1)
                if compute_digest(view[at : at + size], self._key) == mark:
                    start = len(view[:at].decode("utf-8", "surrogatepass"))
                    yield start, start + len(view[at : at + size].decode("utf-8", "surrogatepass"))
                    at += size - 1
        except ValueError:
            return  # none further on


def _weights(key: bytes) -> bytes:
    """A number for each byte, known only with the key."""
    return bytes(int(compute_digest(bytes([byte]), key)[:2], 16) for byte in range(256))


def _as_bytes(text: str) -> bytes:
    return folded(text).encode("utf-8", "surrogatepass")


def placeholder(mark: str) -> str:
    """What stands where a forgotten text stood."""
    return f"[forgotten:{mark[:4]}]"


def placeholder_for(text: str, key: bytes) -> str:
    """The placeholder of a text."""
    return placeholder(compute_digest(_as_bytes(text), key))


def line_for(text: str, key: bytes) -> str:
    """The line by which a text is known again."""
    view = _as_bytes(text)
    return f"text {len(view)} {sum(view.translate(_weights(key)))} {compute_digest(view, key)}"
