"""Text → passages. Pure.

A *passage* is what one search hit shows: a list item with what is indented below it, a paragraph, a code block, cut where it gets
longer than a screen. It knows its lines, the headings above it, its note type and its date.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

SCREEN = 1000  # characters of a passage; a longer one says too much to be one answer
_HEADING = re.compile(r"(#{1,6})[ \t]+(.*)")
_ITEM = re.compile(r"(?:[-*+]|[0-9]{1,4}[.)])[ \t]")
_TYPE = re.compile(r"\[(PREF|PROJ|TECH|LESSON|PEOPLE|TEMP)\]")
_DAY = re.compile(r"(?<![0-9])((?:19|20)[0-9]{2})-(0[1-9]|1[0-2])-([0-2][0-9]|3[01])(?![0-9])")
_SNAPSHOT = re.compile(r"<!--[ \t]*BIG-MEMORY-SNAPSHOT\b")
_END = "<!-- /BIG-MEMORY-SNAPSHOT -->"
_MONTHS = "January February March April May June July August September October November December".split()  # noqa: SIM905


class Passage:
    """One answer: its lines, counted from 1, and its text."""

    __slots__ = ("date", "first", "heading", "kind", "last", "text")

    def __init__(self, first: int, last: int, heading: str, text: str) -> None:
        self.first, self.last, self.heading, self.text = first, last, heading, text
        self.kind = self.date = ""


def passages(text: str) -> Iterator[Passage]:
    """The passages of a document, in order."""
    heading, kind, date = "", "", ""  # what the heading says goes for all that stands below it, and is read once
    for passage in _cut(text):
        if passage.heading != heading:
            heading = passage.heading
            kind, date = _found(_TYPE.search(heading), 1), _found(_DAY.search(heading), 0)
        start = passage.text[:60]
        if start.startswith("<!--") and _SNAPSHOT.match(start):
            passage.kind = "SNAPSHOT"
        else:
            passage.kind = _found(_TYPE.search(start), 1) or kind if "[" in start else kind
        passage.date = _found(_DAY.search(start, 0, 24), 0) or date if "20" in start or "19" in start else date
        if passage.text[-1:] == ")" and " (from " in passage.text:
            passage.date = _brought_home(passage.text) or passage.date
        yield passage


def _brought_home(text: str) -> str:
    """The last of the days that upkeep puts behind a fact which it brings home: `small commits (from 2026-11-03, 2026-11-09)`."""
    days = text[text.rindex(" (from ") + 7 : -1]
    return "" if days.strip("0123456789, -") else _found(_DAY.fullmatch(days[-10:]), 0)


def _found(found: re.Match[str] | None, group: int) -> str:
    return found[group] if found else ""


def _cut(text: str) -> Iterator[Passage]:
    """Passages without what their words say of them."""
    above: list[tuple[int, str]] = []  # the headings that we stand below
    outside = above  # those that a snapshot stands below: what follows it is no part of it
    heading, bare, fence = "", 0, ""  # bare: the line of a heading below which nothing has come yet
    held: list[str] = []
    begun = size = number = 0
    for number, line in enumerate(text.split("\n"), 1):
        word = line.strip()
        if fence:
            ends = word == fence
            fence = "" if ends else fence
        elif word in ("", "---", _END):
            if word == _END:
                if held:
                    yield from _sized(begun, number - 1, heading, held, size)
                    held, size = [], 0
                above, heading, bare = outside, _path(outside), 0
            ends, word = True, ""
        elif word[0] == "#" and (found := _HEADING.match(word)):
            if held:
                yield from _sized(begun, number - 1, heading, held, size)
                held, size = [], 0
            elif bare and len(found[1]) <= above[-1][0]:
                yield Passage(bare, bare, heading, above[-1][1])
            above = _below(above, len(found[1]), found[2])
            heading, bare = _path(above), number
            continue
        else:
            ends = False
            if word[:4] == "<!--" and _SNAPSHOT.match(word):
                outside = above[:-1] if bare else above
            if held and (line[0] not in " \t" or size > SCREEN) and (word[:2] == "- " or _ITEM.match(word)):
                yield from _sized(begun, number - 1, heading, held, size)
                held, size = [], 0
            if word[:3] in ("```", "~~~"):
                fence = word[:3]
        if word or fence:
            if not held:
                begun = number
            held.append(line)
            size += len(line) + 1
        if held and (ends or size > SCREEN):
            yield from _sized(begun, number if word else number - 1, heading, held, size)
            held, size = [], 0
        bare = 0 if word else bare
    if held:
        yield from _sized(begun, number, heading, held, size)
    elif bare:
        yield Passage(bare, bare, heading, above[-1][1])


def _below(above: list[tuple[int, str]], depth: int, title: str) -> list[tuple[int, str]]:
    """The headings that we stand below once another has come: it ends those of its own depth and deeper."""
    return [*(known for known in above if known[0] < depth), (depth, title.strip("# \t"))]


def _path(above: list[tuple[int, str]]) -> str:
    return " > ".join(title for _, title in above)


def _sized(first: int, last: int, heading: str, lines: list[str], size: int) -> list[Passage]:
    """A passage, or several where a single line is longer than a screen: its pieces end at a space where there is one."""
    text = "\n".join(lines).rstrip("\r\n")
    if text[:1] == "\n":  # the rest of a code block may begin with empty lines
        first += len(text) - len(text.lstrip("\n"))
        text = text.lstrip("\n")
    if size <= 2 * SCREEN:
        return [Passage(first, last, heading, text)] if text else []
    start, pieces = 0, []
    while start < len(text):
        end = min(start + SCREEN, len(text))
        if end < len(text):
            space = max(text.rfind(" ", start + SCREEN // 2, end), text.rfind("\n", start + SCREEN // 2, end))
            end = space + 1 if space > 0 else end
        pieces.append(Passage(first, first + text.count("\n", start, end - 1), heading, text[start:end]))
        first += text.count("\n", start, end)
        start = end
    return pieces


def spoken_date(date: str) -> str:
    """A date as people ask for it."""
    return f"{date} {int(date[8:])} {_MONTHS[int(date[5:7]) - 1]} {date[:4]}" if date else ""


def date_in(name: str) -> str:
    """The first date in a file's name."""
    found = _DAY.search(name)
    return found[0] if found else ""


def tags_in(text: str) -> list[str]:
    """The tags of a document: `#tags: a, b` on its second line, or another of its first five."""
    for line in text[:2000].split("\n")[:5]:
        word = line.strip().lstrip("\ufeff")
        if word[:6].lower() == "#tags:":
            return [tag for tag in re.split(r"[\s,;]+", word[6:].replace("#", " ")) if tag]
    return []
