"""Shorten what was said to the sentences that say most, within a number of characters. Pure.

A conversation is longer than the room that a brief has for it. Cutting every message at the same
length keeps its polite opening and loses its end. So messages are taken apart into sentences and
list items, and these are chosen one by one: each time the one that brings most words that nobody
has said yet, for the characters that it costs. Numbers and names count more than other words, since
nobody can guess them. What is chosen stands in its old order, and “…” stands where something is left
out.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ..model import beginning
from .signs import is_correction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_compiled = lru_cache(maxsize=None)(re.compile)

# A sentence ends behind its mark; a full stop within a number or behind a list's number ends none.
_SENTENCE_END = r"(?<=[.!?؟।])(?<!^\d\.)(?<!^\d\d\.)(?<!\s\d\.)\s+|(?<=[。！？])"
_LIST_MARK = r"^\s*(?:>+\s*)?(?:[#*+•–-]+(?=\s)|\|)?\s*"
_EMPHASIS = r"\*\*|(?<!\w)__|__(?!\w)|(?<!\w)\*(?=\w)|(?<=\w)\*(?!\w)"
_RULE = r"[-=*_|:\s]*"
_WORDS = r"\d[\d.,:/%-]*|[^\W\d_][^\W_]*(?:['’-][^\W\d_]+)*"
_UNSPACED = "\u2e80"  # from here on scripts write without spaces
_NUMERAL = r"[一二三四五六七八九十百千万亿两半〇零]+(?=[元块塊万亿日月号號点點人间間天周週年岁歲个個桌次])"
_NAME = r"(?<=[a-zà-ÿа-яё,;:0-9\"'’(] )[^\W\d_a-zà-ÿа-яё][\w'’-]+"
_UNSPACED_END = ("。", "！", "？", "；", "，", "、", "：")
_GAP = "… "
_SHORT_WORD = 3  # letters: shorter words hold a sentence together
_NUMBER, _NAMED, _WORD, _COMMON = 3.0, 2.0, 1.0, 0.15
_DEMAND, _FACT, _ASKED, _PUT = 1.6, 1.4, 0.6, 1.6  # times as much counts an order, a fact, a user's and an agent's question
_EVERYWHERE = 0.5  # a word that stands in more than this share of the messages says little
_LONGEST_PIECE = 240  # characters; a longer sentence is divided at its commas


@lru_cache(maxsize=256)
def split_pieces(text: str) -> tuple[str, ...]:
    """Take a message apart into sentences and list items, each on one line and without markup."""
    found: list[str] = []
    plain = _compiled(_EMPHASIS).sub("", text)
    for line in plain.split("\n"):
        bare = _compiled(_LIST_MARK).sub("", line).strip()
        if not bare or _compiled(_RULE).fullmatch(bare):
            continue
        for piece in _compiled(_SENTENCE_END).split(bare):
            found += _divide(" ".join(piece.split()))
    return tuple(piece for piece in found if piece)


def _divide(piece: str) -> list[str]:
    """Divide a sentence that is too long to be chosen as a whole; at commas, as evenly as they allow."""
    if len(piece) <= _LONGEST_PIECE:
        return [piece]
    parts: list[str] = []
    for part in re.split(r"(?<=[,;:，；、])\s*", piece):
        joined = f"{parts[-1]} {part}" if parts else part
        if parts and len(joined) <= _LONGEST_PIECE // 2:
            parts[-1] = joined
        else:
            parts.append(part)
    return [beginning(part, 2 * _LONGEST_PIECE) for part in parts]


@lru_cache(maxsize=2048)
def weigh_words(piece: str) -> dict[str, float]:
    """Map each word of a sentence that says something to its weight: a number, a name, or another word."""
    found: dict[str, float] = {}
    names = {name.casefold() for name in _compiled(_NAME).findall(piece)}
    for token in _compiled(_WORDS).findall(piece):
        word = token.casefold()
        if word[0].isdigit():
            found[word.rstrip(".,:/-")] = _NUMBER
        elif word[0] >= _UNSPACED:
            found.update((word[at : at + 2], _WORD / 2) for at in range(len(word) - 1))
        elif word in names:
            found[word] = _NAMED
        elif len(word) > _SHORT_WORD:
            found.setdefault(word, _WORD)
    if not piece.isascii():
        found.update(dict.fromkeys(_compiled(_NUMERAL).findall(piece), _NUMBER))
    return found


def has_facts(piece: str) -> bool:
    """Return whether a sentence has a number or a name in it."""
    return any(weight >= _NAMED for weight in weigh_words(piece).values())


@lru_cache(maxsize=512)
def favour_facts(piece: str) -> float:
    """Return how much more a person's sentence counts: what it tells or demands, and no polite words or questions."""
    if is_correction(piece):
        return _DEMAND
    if piece.endswith(("?", "？", "؟")):
        return _ASKED
    return _FACT if has_facts(piece) else 1.0


def favour_questions(piece: str) -> float:
    """Return how much more an agent's sentence counts: what it asks is what the user's next words are about."""
    return _PUT if piece.endswith(("?", "？", "؟")) else 1.0


class Message:
    """One message, and which sentences of it are chosen.

    `prefix` says whose it is; `weight` what its words count; `favour` what a sentence of it counts.
    """

    def __init__(
        self, prefix: str, text: str, weight: float = 1.0, favour: Callable[[str], float] = favour_facts
    ) -> None:
        self.prefix, self.text, self.weight, self.favour = prefix, text, weight, favour
        self.pieces = split_pieces(text)
        self.chosen: set[int] = set()

    def cost(self, number: int) -> int:
        """Return how many characters one more sentence takes, with its prefix and gaps."""
        opening = 0 if self.chosen else len(self.prefix) + len(_GAP) + 1  # and the mark behind it, if its end is left out
        gap = 0 if number - 1 in self.chosen or not number else len(_GAP)
        return opening + gap + len(self.pieces[number]) + 1

    def show_whole(self) -> str:
        """Choose every sentence, and return them as they are shown."""
        self.chosen = set(range(len(self.pieces)))
        return self.show()

    def show(self) -> str:
        """Return the chosen sentences in their order; empty where none is."""
        if not self.chosen:
            return ""
        line, last = self.prefix, -1
        for number in sorted(self.chosen):
            spaced = " " if last >= 0 and not line.endswith(_UNSPACED_END) else ""
            line += spaced + (_GAP if number != last + 1 else "") + self.pieces[number]
            last = number
        return line + (" …" if last + 1 < len(self.pieces) else "")


def condense_all(messages: Sequence[Message], room: int, said: Iterable[str] = ()) -> list[str]:
    """Shorten messages together to a number of characters.

    `said` are texts that stand elsewhere: their words bring nothing new. Returns one line a message, in the same
    order; an empty one where nothing of it was chosen.
    """
    whole = [one.show_whole() for one in messages]
    if sum(len(line) + 1 for line in whole if line) <= room:
        return whole
    common = _find_common_words(messages)
    known = {word for text in said for piece in split_pieces(text) for word in weigh_words(piece)}
    waiting = []
    for one in messages:
        one.chosen = set()
        waiting += [(one, number, one.weight * one.favour(piece)) for number, piece in enumerate(one.pieces)]
    left = room
    while waiting:
        best, best_worth = -1, 0.0
        affordable = []
        for at, (one, number, weight) in enumerate(waiting):
            cost = one.cost(number)
            worth = weight * _count_new(one.pieces[number], known, common) / cost if cost <= left else 0.0
            if worth <= 0.0:
                continue
            affordable.append(at)
            if worth > best_worth:
                best, best_worth = at, worth
        if best < 0:
            break
        one, number, _ = waiting[best]
        left -= one.cost(number)
        one.chosen.add(number)
        known.update(weigh_words(one.pieces[number]))
        waiting = [waiting[at] for at in affordable if at != best]
    return [one.show() for one in messages]


def condense(text: str, limit: int, favour: Callable[[str], float] = favour_questions) -> str:
    """Shorten one message to a number of characters, on one line."""
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    return condense_all([Message("", text, favour=favour)], limit - 2)[0] or beginning(line, limit - 1).rstrip() + "…"


def _find_common_words(messages: Sequence[Message]) -> set[str]:
    """Find the words that stand in most messages: what everybody says all the time."""
    if len(messages) < 4:
        return set()
    counts: dict[str, int] = {}
    for one in messages:
        for word in {word for piece in one.pieces for word in weigh_words(piece)}:
            counts[word] = counts.get(word, 0) + 1
    return {word for word, count in counts.items() if count > _EVERYWHERE * len(messages)}


def _count_new(piece: str, known: set[str], common: set[str]) -> float:
    words = weigh_words(piece).items()
    return sum(weight * (_COMMON if word in common else 1.0) for word, weight in words if word not in known)
