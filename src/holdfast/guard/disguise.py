"""What a text says once simple disguises are undone, with a map back to where it stood.

Undone once, side by side: invisible characters are left out, look-alikes become what they look like (NFKC), JSON escapes, percent
and base64 are decoded. Only the neighbourhood of a disguise is undone: a text without one costs a look, no more.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache

from .entering import foreign_letters, is_left_out, is_printable
from .rules import expression

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

AROUND = 2000  # characters on either side of a disguise that are read with it: what it belongs to may begin before it

# Control characters are left out with what a terminal makes of them: memory drops them later, and would put together what they
# keep apart. What may begin a disguise is looked for first, by its first character alone: hardly any place has one.
_BEGINS = r"\\%\x00-\x08\x0b\x0c\x0e-\x1f\x7f"
_ESCAPES = (
    r"\x1b\[[0-9;?]{0,20}[A-Za-z]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]+|%[0-9a-fA-F]{2}(?:%[0-9a-fA-F]{2})*+"
    r"|\\\\?(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|/)(?:\\{1,2}(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|/))*+"
)
_ONE = r"\\{1,2}(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(/))"
# Base64 of a text shows in its first and third letters, whose upper bits are those of ASCII: hashes and names mostly lack that.
_FIRST = frozenset("CDIJKLMNOPQRSTUVWXYZabcdef")
_THIRD = frozenset("ABEFIJMNQRUVYZcdghklopstwx014589")
_BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_"
_MARKED = bytes(1 if byte in _BASE64 else 0 for byte in range(256))
_RUN = bytes([1]) * 20
_TELLING = r"[A-Za-z0-9_<>]"


class View:
    """A part of a text with its disguises undone."""

    __slots__ = ("_found", "_original", "_pieces", "_start", "_starts", "text")

    def __init__(self, original: str, start: int, end: int, found: list[tuple[int, int, str]]) -> None:
        self._original, self._start, self._found = original, start, [*found, (end, end, "")]
        self._pieces: list[tuple[int, int, bool]] = []  # (where it began, where it ended, whether letter stands for letter)
        self._starts: list[int] = []
        parts: list[str] = []
        for begin, stop, said in self._found:
            parts += (original[start:begin], said)
            start = stop
        self.text = "".join(parts)

    def _map(self) -> None:
        """Made when it is first asked for: most views have nothing in them that anybody asks about."""
        start, length = self._start, 0
        for begin, stop, said in self._found:
            alike = len(said) == stop - begin and not self._original[begin : begin + 1].isascii()
            for size, piece in ((begin - start, (start, begin, True)), (len(said), (begin, stop, alike))):
                if size:
                    self._pieces.append(piece)
                    self._starts.append(length)
                    length += size
            start = stop

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The span of the original that carries this span of the view."""
        if not self._starts:
            self._map()
        return self._place(start)[0], self._place(end - 1)[1]

    def _place(self, at: int) -> tuple[int, int]:
        number = bisect_right(self._starts, at) - 1
        begin, end, alike = self._pieces[number]
        here = begin + at - self._starts[number]
        return (here, here + 1) if alike else (begin, end)


def _is_disguise(letter: str) -> bool:
    """Whether a character looks like one of ASCII, or like nothing."""
    said = _plain(letter)
    return said != letter and said.isascii()


def _plain(text: str) -> str:
    """Without invisible characters, and each look-alike as what it looks like."""
    if text.isascii():
        return text
    from unicodedata import normalize

    return normalize("NFKC", "".join(c for c in text if not is_left_out(c)))


def _from_json(text: str) -> str:
    """JSON escapes undone; two of them may make one character."""
    said = "".join("/" if slash else chr(int(four or two, 16)) for four, two, slash in expression(_ONE).findall(text))
    return _plain(said.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"))


def _from_percent(text: str) -> str:
    return _plain(bytes.fromhex(text.replace("%", "")).decode("utf-8", "replace"))


def _disguises(text: str) -> Iterator[tuple[int, int, str, bool]]:
    """(start, end, what it says, whether it could hide anything) of every disguise."""
    if text.isascii() and "%" not in text and "\\" not in text and is_printable(text):
        return
    odd = {letter: _plain(letter) for letter in foreign_letters(text) if _is_disguise(letter)}
    whole = expression("|".join((_ESCAPES, *_runs(odd))))
    begins = expression(f"[{_BEGINS}{''.join(odd)}]")
    end = 0
    while begun := begins.search(text, end):
        end = begun.end()
        found = whole.match(text, begun.start())
        if found is None:
            continue
        start, end = found.span()
        if text[start] == "\\":
            said = _from_json(found[0])
            yield start, end, said, any(" " <= c <= "~" or c.isalnum() for c in said) or not said
        elif text[start] == "%":
            yield start, end, _from_percent(found[0]), True
        elif text[start] < " " or text[start] == "\x7f":
            yield start, end, "", True
        else:
            said = "".join(map(odd.__getitem__, found[0]))
            beside = _plain(text[max(0, start - 1) : start] + text[end : end + 1])
            yield start, end, said, bool(expression(_TELLING).search(said or beside))


def _runs(odd: Mapping[str, str]) -> Iterator[str]:
    """Expressions for runs of look-alikes, for runs of what is invisible, and for a letter that looks like several: what stands
    for a letter each, or for nothing, can be taken as one. Emoji have invisible parts that hide nothing.
    """
    for length in (1, 0):
        letters = "".join(letter for letter, said in odd.items() if len(said) == length)
        if letters:
            yield f"[{letters}]+"
    yield from (letter for letter, said in odd.items() if len(said) > 1)


@lru_cache(maxsize=2)
def views(text: str) -> tuple[View, ...]:
    """The neighbourhoods of all disguises in a text, each undone; kept, since what is private is looked for there too."""
    return tuple(_neighbourhoods(text))


def _neighbourhoods(text: str) -> Iterator[View]:
    found: list[tuple[int, int, str]] = []
    reached = -1  # how far the neighbourhood goes on; -1 where there is none yet
    begun = 0
    for start, end, said, hides in _disguises(text):
        if reached >= 0 and start > reached:
            yield View(text, begun, reached, found)
            found, reached = [], -1
        if reached < 0:
            if not hides:
                continue
            begun = max(0, start - AROUND)
        found.append((start, end, said))
        if hides:
            reached = min(len(text), end + AROUND)
    if reached >= 0:
        yield View(text, begun, reached, found)


def decoded(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, what it says) of every run of base64 that is a text. Pictures and hashes are not."""
    marks = text.encode("ascii", "replace").translate(_MARKED)  # a byte a character: found there is found here
    start = marks.find(_RUN)
    while start >= 0:
        end = marks.find(0, start)
        end = len(text) if end < 0 else end
        at = start + (text[start] in "+-")  # the line of a diff
        if text[at] in _FIRST and text[at + 2] in _THIRD and text[at + 4] in _FIRST and text[at + 6] in _THIRD:
            said = _from_base64(text[at:end])
            if said:
                padded = end + (text[end : end + 1] == "=") + (text[end : end + 2] == "==")
                yield at, padded, said
        start = marks.find(_RUN, end)


def _from_base64(run: str) -> str:
    """What a run of base64 says; empty where that is no text."""
    from binascii import a2b_base64

    run = run.replace("-", "+").replace("_", "/")
    if any(byte < 9 or 13 < byte < 32 or byte == 127 for byte in a2b_base64(run[:16])):
        return ""
    run = run[: len(run) - (len(run) % 4 == 1)]
    said = a2b_base64(run + "=" * (-len(run) % 4)).decode("utf-8", "replace")
    return "" if "\ufffd" in said[:-1] else said
