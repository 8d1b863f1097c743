"""What we put into a context does not come back as memory: it is known again by its words, where its marks are lost.

Every brief is remembered as a fingerprint: the hashes of all rows of four words in it, never the words (`.holdfast/given`,
written by Memory.gave). Where capture reads what was said and what came back, a line is an echo when four fifths of its rows
are among them. How it is dressed does not matter: quoted, as bullets, in bold, in a table, wrapped at another width, whole or a
piece of it.

Rule 1: a brief holds only what memory has. So an echo that is dropped loses nothing; what is new in a message stays.
Rule 2: a person's words are theirs, also the same words again: “go on with the rates” is a request each time. Of what a person
        typed only what is dressed as ours is dropped: three or more quoted lines (`> `), or lines with a heading of ours.
Rule 3: what was done is no echo: files, commands, to-do items and errors are taken as they are. An agent's question is a
        question also where it asks it again: the brief told it to.
Rule 4: a short line alone is no echo, and neither is one with a figure, or a word that forbids or replaces, that we did not give.
Rule 5: an echo comes after what it echoes. Where a transcript is read a second time, what is older than a brief is no echo of it.

What an agent checkpoints is complete in itself and may repeat all that it was given: there an item in another dress is taken
for the one that is known, and a topic is not given again what it was given last.

Not recognised: the same thing in other words, and single lines of fewer than five words, or of twenty in what a tool shows.
"""

from __future__ import annotations

import re
from itertools import accumulate, groupby

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

QUESTION = "Does this match where we left off? Anything to update before I continue?"
GO_ON = "Until then do not stop to ask."  # how a brief ends where nobody waits for an answer
# Of the brief's headings, those that nobody else would write (tests/promises/test_s6_… holds them against the brief's own).
HEADINGS = (
    "Working on", "Task as set", "Unanswered, word for word", "Asked last, word for word", "Asked first", "Told by the user",
    "Told by the user earlier", "Next up", "Set for this project",
    "Still to be done", "Last error", "Code to remember", "Last exchanges", "Last exchanges, oldest first", "Files changed",
    "In flight, not decided yet",
    "Open questions", "Files seen", "Names elsewhere", "Other files", "Further files", "Notes of today", "Notes of yesterday",
    "Working buffer", "Found in memory", "Said on the way", "Reported by subagents", "Going on meanwhile",
    "Asked before the fork, of another agent", "Left by another session, which may still be at work",
    "Left by another session, which was cut off", "Left by another session",
    "There is a snapshot without a session",
)  # fmt: skip
_FIXED = (
    "# Where we left off (Holdfast)", "# Open in this project (Holdfast)", "# Found in memory (Holdfast)",
    "# Fill in the snapshot (Holdfast)", "--- memory ", "--- end ",
)  # fmt: skip

_ROW = 4  # words that are hashed together
_MOST = 0.8  # of the rows of a line
_SHORT = 5  # words; a shorter line is an echo only as a piece of a longer row
_LONG_ROW = 8  # words that stand side by side as we gave them
_QUOTED_LINES = 3
_SAMPLED = 16
_CUT = 20  # characters; what is cut to less may be the beginning of many things
_BETWEEN = b"\nbriefed\n"  # before each brief: whatever is torn, the next one is found again
_HEAD = 12  # bytes: when it was given, in milliseconds, and to whom
WHEN = len(_BETWEEN) + 8  # bytes of an entry up to the moment; the rest of it is the same for the same words

# What dresses a word. Signs that may be part of it are not: `C++` is not `C`, `<5` not `>5`, `-1` not `1`.
_EDGES = " \t\r`*_\"'“”‘’«»„()[]{}|~…‥.,;:!?•·\\。，、！？：；「」『』（）【】《》"
_NO_WORDS = frozenset(("", ">", ">>", "-", "--", "---", "–", "—", "+", "#", "##", "###", "####", "=", "/", "→", "&"))
# Scripts without spaces: each letter is a word of its own, and two of them make up as much as one of ours.
_WIDE = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff"
# Expressions are compiled where they are used: to remember a brief takes none, and a hook is fought over by the millisecond.
_PARTS = rf"[{_WIDE}]|[^{_WIDE}]+"
_DRESS = r"\A[\s>|]*(?:[*+-]?\s*\d{1,3}[.)]\s)?"
_ESCAPED = r"\\u(?!00[0-9]|[dD][89a-fA-F])([0-9a-fA-F]{4})"  # no control character, and no half of a pair: no file can hold it
_SENTENCE = r"(?<=[.!?])\s+|(?<=[。！？])"
_TURNS = frozenset(("not", "no", "without", "kein", "keine", "ohne", "sans", "sin", "non", "не", "без", "不", "没", "別", "别"))
_ALWAYS = float("inf")


# ---- what is given -----------------------------------------------------------------------------------------------------


def entry(text: str, now: float, session: str) -> bytes:
    """A brief that was given to a session, as it is remembered."""
    rows = list(dict.fromkeys((*_rows(_words(text)), *filter(None, map(_short, map(_words, text.split("\n")))))))
    head = max(0, int(now * 1000)).to_bytes(8, "little") + _whose(session).to_bytes(4, "little")
    return _BETWEEN + head + b"".join([row.to_bytes(4, "little") for row in rows])


def newest(data: bytes, most: int) -> bytes:
    """The newest entries, as many as there is room for."""
    at = data.find(_BETWEEN, max(0, len(data) - most))
    return data[at:] if at >= 0 else b""


def _whose(session: str) -> int:
    from zlib import crc32

    return crc32(session.encode("utf-8", "surrogateescape"))


def _rows(words: list[str], step: int = 1) -> Iterator[int]:
    """The hash of every row of four words, or of every so many-th one."""
    from zlib import crc32

    text = " ".join(words)
    data = text.encode("utf-8", "surrogatepass")
    sizes = map(len, words if len(data) == len(text) else (word.encode("utf-8", "surrogatepass") for word in words))
    starts = list(accumulate(sizes, initial=0))  # and a space for each word before
    return (crc32(data[starts[i] + i : starts[i + _ROW] + i + _ROW - 1]) for i in range(0, len(words) - _ROW + 1, step))


def _samples(text: str) -> Iterator[int]:
    """The hash of a row of four words here and there in a text."""
    from zlib import crc32

    given = text.lower().replace("’", "'").split()
    for i in range(0, len(given), _SAMPLED):
        words = _undressed(given[i : i + _ROW + 2])
        if len(words) >= _ROW:
            yield crc32(" ".join(words[:_ROW]).encode("utf-8", "surrogatepass"))


def _short(words: list[str]) -> int:
    """The hash of a line that is too short for a row; 0 for any other."""
    from zlib import crc32

    return crc32(" ".join(words).encode("utf-8", "surrogatepass")) if 0 < len(words) < _ROW else 0


def _words(text: str) -> list[str]:
    """The words of a text, without what dresses them."""
    words = _undressed(text.lower().replace("’", "'").split())
    if not _is_wide(text):
        return words
    return _undressed([part for word in words for part in (re.findall(_PARTS, word) if not word.isascii() else (word,))])


def _undressed(given: list[str]) -> list[str]:
    # Most words need no stripping, and to ask is cheaper than to strip.
    return [word for one in given if (word := one if one.isalnum() else one.strip(_EDGES)) not in _NO_WORDS]


def _is_wide(text: str) -> bool:
    """Whether there are letters of a script without spaces in it."""
    if text.isascii():
        return False
    # Most of what is not ASCII is punctuation: no expression is compiled for that.
    letters = [c for c in set(text) if "\u0e00" <= c <= "\u9fff" and not "\u2000" <= c < "\u3000"]
    return bool(letters) and re.search(f"[{_WIDE}]", "".join(letters)) is not None


# ---- what comes back ---------------------------------------------------------------------------------------------------


class Given:
    """What was put into contexts of this workspace, as it can be known again. Anything may stand in the file: it is derived."""

    def __init__(self, data: bytes, untold: str = "") -> None:
        """`untold`: a session of which memory has nothing yet. Whatever was given to it came before all that it says."""
        from struct import unpack

        self._since: dict[int, float] = {}  # the hash of a row → when it was given first
        mine = _whose(untold)
        for part in reversed(data.split(_BETWEEN)[1:]):
            count = (len(part) - _HEAD) // 4
            if count > 0:
                whose = int.from_bytes(part[8:_HEAD], "little")
                since = 0.0 if untold and whose == mine else int.from_bytes(part[:8], "little") / 1000
                self._since.update(dict.fromkeys(unpack(f"<{count}I", part[_HEAD : _HEAD + 4 * count]), since))

    def __bool__(self) -> bool:
        """Whether anything was given at all."""
        return bool(self._since)

    def news(self, text: str, moment: float = _ALWAYS, how: str = "said") -> str:
        """A text of a moment without its echoes; `how` is typed (by a person), said (by an agent) or shown (by a tool)."""
        if not self._since or not self._reminds(text, moment, how):
            return text
        lines = _lines(text)
        echoes = self._echoes(lines, [_words(_bare(line)) for line in lines], moment)
        if how == "typed":
            echoes = _dressed(lines, echoes)
        else:
            lines = [line if echo else self._new_sentences(line, moment) for line, echo in zip(lines, echoes, strict=True)]
        kept = "\n".join(line for line, echo in zip(lines, echoes, strict=True) if not echo)
        return re.sub(r"\n{3,}", "\n\n", kept).strip()

    def _reminds(self, text: str, moment: float, how: str) -> bool:
        """Whether any row of a text is ours. Of every two rows one is looked at, since no echo has but one.

        Tools show a hundred times as much as is said, and nearly all of it is none of ours: there it is one of sixteen.
        """
        rows = _rows(_words(text), 2) if how != "shown" or _is_wide(text) else _samples(text)
        return any(self._is_ours(row, moment) for row in rows)

    def _is_ours(self, row: int, moment: float) -> bool:
        return row in self._since and self._since[row] <= moment

    def _echoes(self, lines: list[str], said: list[list[str]], moment: float) -> list[bool]:
        """Which lines are echoes; each is given with its words."""
        words = [word for line in said for word in line]
        known = [self._is_ours(row, moment) for row in _rows(words)]
        known += [False] * (len(words) - len(known))
        beside = _beside(known)
        found: list[bool] = []
        likely: list[bool] = []
        ends = list(accumulate(map(len, said), initial=0))
        for line, start, end in zip(said, ends, ends[1:], strict=False):
            inside, ours = known[start : max(start, end - _ROW + 1)], [bool(size) for size in beside[start:end]]
            mostly = bool(line) and sum(ours) >= _MOST * len(line) and not _is_news(line, ours)
            whole = min(beside[start:end], default=0) >= _LONG_ROW
            found.append(mostly and (whole or (_size(line) >= _SHORT and sum(inside) >= _MOST * len(inside))))
            likely.append((mostly and all(ours)) or self._is_ours(_short(line), moment))
        return _with_what_joins_them(lines, said, found, likely)

    def _new_sentences(self, line: str, moment: float) -> str:
        """A line without its sentences that are echoes."""
        sentences = re.split(_SENTENCE, line)
        if len(sentences) < 2:
            return line
        said = [_words(text) for text in sentences]
        kept = [text for text, words in zip(sentences, said, strict=True) if not self._is_echo(text, words, moment)]
        return line if len(kept) == len(sentences) else " ".join(kept)

    def _is_echo(self, sentence: str, words: list[str], moment: float) -> bool:
        """In the midst of others a sentence must be longer to be known: “it is in the file” is anybody's."""
        return _size(words) >= _LONG_ROW and self._echoes([sentence], [words], moment)[0]


def _lines(text: str) -> list[str]:
    """The lines of a text, and those of a text that stands inside JSON in one line of it."""
    found: list[str] = []
    for line in text.split("\n"):
        inside = line.count("\\n") > 2
        found += re.sub(_ESCAPED, lambda code: chr(int(code[1], 16)), line).split("\\n") if inside else [line]
    return found


def _bare(line: str) -> str:
    """A line without the signs of a quotation or a table, and without the number that a list gives it."""
    return re.sub(_DRESS, "", line)


def _beside(known: list[bool]) -> list[int]:
    """For each word, how many stand side by side with it just as we gave them; by which rows are known."""
    found = [0] * len(known)
    at = 0
    for ours, group in groupby(known):
        rows = len(list(group))
        size = rows + _ROW - 1
        for place in range(at, min(at + size, len(known))) if ours else ():
            found[place] = max(found[place], size)
        at += rows
    return found


def _size(words: list[str]) -> int:
    """How many words that is, two letters of a script without spaces being one."""
    return len(words) - sum(len(word) == 1 and word > "\u0dff" for word in words) // 2


def _is_news(words: list[str], ours: list[bool]) -> bool:
    """Whether what we did not give changes what is said: a figure, or a word that forbids, demands or replaces."""
    from ..capture.signs import is_correction

    own = [word for word, given in zip(words, ours, strict=True) if not given]
    return any(any(map(str.isdigit, word)) or word in _TURNS for word in own) or is_correction(" ".join(own))


def _with_what_joins_them(lines: list[str], said: list[list[str]], found: list[bool], likely: list[bool]) -> list[bool]:
    """The echoes with what stands between or above them: our headings and marks, the joints of a text that was wrapped anew."""
    spoken = [i for i, words in enumerate(said) if words]
    for way in (spoken, spoken[::-1]):  # down, then up
        for place, i in enumerate(way):
            beside = any(found[way[j]] for j in (place - 1, place + 1) if 0 <= j < len(way))
            found[i] = found[i] or (likely[i] and beside) or _is_mark(lines[i])
    if any(found):
        before, behind = _nearest(said, found), _nearest(said[::-1], found[::-1])[::-1]
        for i, words in enumerate(said):
            if not words and (sign := lines[i].strip()[:1]):  # an empty quotation, a rule; a fence goes with what is in it
                found[i] = before[i] and behind[i] if sign in "`~" else before[i] or behind[i]
    return found


def _nearest(said: list[list[str]], found: list[bool]) -> list[bool]:
    """For each line, whether the last one before it that says something is an echo; so it is counted where there is none."""
    known = [True]
    for words, echo in zip(said, found, strict=True):
        known.append(echo if words else known[-1])
    return known[:-1]


def _is_mark(line: str) -> bool:
    return re.fullmatch(r"[\s>|*`-]*--- (?:memory|end) [0-9a-f]{10} ---[\s|*`]*", line) is not None


def _is_heading(line: str) -> bool:
    """Whether a line begins with a heading of ours."""
    plain = _bare(line).lstrip(" \t>|*#_-`")
    begun = next((heading for heading in HEADINGS if plain.startswith(heading)), "")
    rest = plain[len(begun) :].strip(" \t*_`|")
    return bool(begun) and rest.startswith((":", ",", "(as set)", "in ", "for "))


def _dressed(lines: list[str], echoes: list[bool]) -> list[bool]:
    """Of the echoes in a person's words, those that are dressed as ours: quoted lines in a row, or below a heading of ours."""
    dressed = list(echoes)
    for is_echo, group in groupby((i for i in range(len(lines)) if lines[i].strip()), lambda i: echoes[i]):
        run = list(group)
        quoted = len(run) >= _QUOTED_LINES and all(lines[i].lstrip().startswith(">") for i in run)
        ours = any(_is_heading(lines[i]) or _bare(lines[i]).lstrip(" >").startswith(_FIXED) for i in run)
        if is_echo and not quoted and not ours:
            for i in run:
                dressed[i] = False
    return dressed


def without_our_question(text: str) -> str:
    """An agent's words without the question that we told it to ask."""
    if "left off?" not in text:
        return text
    return re.sub(r"[“\"*_>]*" + r"\s+".join(map(re.escape, QUESTION.split())) + r"[”\"*_]*", "", text).strip()


# ---- what an agent gives back by itself --------------------------------------------------------------------------------


def as_known(items: Iterable[str], known: Iterable[str]) -> tuple[str, ...]:
    """Items of a list, each that repeats a known one in another dress, or as far as the brief showed it (`…`), as it is known."""
    every = tuple(known)
    return tuple(next((text for text in every if _repeats(item, text)), item) for item in items)


def _repeats(item: str, known: str) -> bool:
    """Whether it is the same to the letter, but for a bullet or quotation before it, emphasis around it, and where it breaks."""
    plain, whole = " ".join(item.lstrip("> \t").removeprefix("- ").removeprefix("* ").split()).strip("*"), " ".join(known.split())
    return plain == whole or (plain.endswith("…") and len(plain) > _CUT and whole.startswith(plain[:-1].rstrip()))


def unsaid(given: Iterable[str], said: Iterable[str]) -> tuple[str, ...]:
    """What is given, without what was said last, in whatever order: who gives the same again has read it, not decided it.

    Only the last ones count: who comes back to an earlier decision has decided.
    """
    items = tuple(given)
    last = [" ".join(re.sub(r"\A\d{4}-\d\d-\d\d\b:?", "", text).split()) for text in tuple(said)[-len(items) :]]
    return tuple(item for item in items if " ".join(item.split()) not in last)
