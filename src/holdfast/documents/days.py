"""A day's file as upkeep reads it: its date, its entries, its closure block. Pure.

An *entry* is something noted in the day outside snapshot blocks and code: a list item (`- [PREF] small commits`, `- 14:02
[LESSON] measure first`), a line that begins with its type (`[PREF] small commits`), or what stands below a heading with a type
(`## [LESSON] Never on a Friday`). Below such a heading every item of a plain list is an entry of that type, with the title in
front; a lesson, a passing note and text that is no list are one entry, with its title. Blocks are checkpoints, owned by the
journal, and are never taken apart.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import lru_cache

from ..guard.entering import redacted
from ..model import TYPES, Value, fold
from . import markdown
from . import sections as s

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable

_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)$")
_TAG = rf"(?:\*\*)?\[(?P<type>{'|'.join(TYPES)})\]:?(?:\*\*)?:?[ \t]*"
_ENTRY = re.compile(rf"(?P<clock>\d\d:\d\d(?::\d\d)?[ \t]+)?(?:{_TAG})?")
_TAGGED_LINE = re.compile(rf"(?:\d\d:\d\d(?::\d\d)?[ \t]+)?{_TAG}(?=\S)")
_TITLED = re.compile(rf"(?P<marks>#{{1,6}})[ \t]+(?P<clock>\d\d:\d\d(?::\d\d)?[ \t]+)?(?:[-–—][ \t]+)?{_TAG}(?P<title>.*)")
_HEADING = re.compile(r"(#{1,6})[ \t]")
_FENCE = ("```", "~~~")
_OURS = ("## Task Snapshot", "## Working Buffer -- rotated", markdown.NOTES)  # headings that end a section of any level
_RULE = re.compile(r"(?:-{3,}|\*{3,}|_{3,})[ \t]*$")
_NO_PROSE = re.compile(r"[-*+>|#`~]|\d{1,9}[.)][ \t]")  # a line that cannot go on behind a title
# Titles that only repeat the type: what stands below says it all.
_GENERIC = frozenset(
    "pref preference preferences user projects project active technical technology tech details notes note lesson lessons "  # noqa: SIM905
    "learned learnt people person contacts temp temporary and the 偏好 用户偏好 项目 活跃项目 技术 技术细节 经验 教训 "
    "经验教训 人物 临时 笔记".split()
)
_CLOSURE = tuple(
    re.compile(rf"[-*]?[ \t]*(\*\*)?{name}(\*\*)?:", re.I) for name in ("Updated", "Decisions?", "Signals?", "Open")
)
_DECIDED = re.compile(
    r"(?i)(?:\*\*)?(?:(?:decided|decision|decide|决定|决策)(?:\*\*)?[:：](?:\*\*)?[ \t]*"
    r"|(?=(?:(?:we|i)[ \t]+)?decided[ \t]+(?:to|on|against|that|for)\b))(?P<said>\S.*)",
    re.S,
)
_SET = re.compile(r"(\d{4}-\d\d-\d\d) \d\d:\d\d (decide|pending|done): (.+)", re.S)  # as the buffer has what commands set
_CORRECTION = re.compile(r"(?i)(?:correction|纠正|更正)[ \t]*[:：]")
_SAID = 400  # characters of one line of a closure block
REFERENCE = "→ "


class Entry(Value):
    """One entry of a day: the lines that it takes up (from, to), its type and what it says."""

    start: int
    stop: int
    clock: str
    type: str
    text: str
    marks: str = "-"  # what its first line begins with where it is rewritten: `-`, or `##` of a heading
    title: str = ""  # of the heading that it stands below; its text begins with it

    @property
    def summary(self) -> str:
        """What names it in a line: of a whole section the title."""
        return self.title if self.title and self.marks != "-" else self.text

    @property
    def said(self) -> str:
        """What it says; of a reference, what that still tells of the fact that has gone home."""
        return self.text.partition(": ")[2] if self.is_reference else self.text

    @property
    def decision(self) -> str:
        """What it says was decided; empty where it is no such entry."""
        said = self.said
        own = said[len(self.title) :].lstrip(" –\n") if self.title else said
        found = _DECIDED.match(own)
        return _with_title(self.title, found["said"].strip()) if found else ""

    def line(self, text: str) -> str:
        """The line that stands for it in a day, with another text."""
        return f"{self.marks} {self.clock}[{self.type}] {text}"

    @property
    def is_reference(self) -> bool:
        """Whether it only says where the fact has its home."""
        return self.text.startswith(REFERENCE)


def day_of(name: str) -> date | None:
    """The date that a day's file is named after; None where the name is no date, such as `2026-13-45.md`."""
    found = _DAY.match(name.removesuffix(".gz").removesuffix(".md"))
    try:
        return date(int(found[1]), int(found[2]), int(found[3])) if found else None
    except ValueError:
        return None


def days_before(today: str, days: int) -> str:
    """The day so many days ago."""
    try:
        return (date.fromisoformat(today) - timedelta(days=days)).isoformat()
    except OverflowError:
        return "0001-01-01"


class _Titled(Value):
    """A heading with a type, and the lines below it that it speaks for."""

    start: int
    stop: int
    clock: str
    type: str
    title: str
    marks: str


@lru_cache(maxsize=4096)
def entries(text: str) -> tuple[Entry, ...]:
    """The entries of a day, in order. Several duties ask for those of one text."""
    lines = s.lines_of(text)
    apart = _apart(text, lines)
    titled = _titled_sections(text, lines) if "[" in text else []
    found: list[Entry] = []
    at = 0
    for start, stop, section in _cuts(apart, titled):
        found += _entries_between(lines, at, start)
        if section:
            found += _entries_below(lines, section)
        at = stop
    return tuple(found)


def _cuts(apart: list[tuple[int, int]], titled: list[_Titled]) -> list[tuple[int, int, _Titled | None]]:
    """What is no plain list of notes, in order: blocks, code, and sections with a type (with the code that they have)."""
    inside = {number for section in titled for number in range(section.start, section.stop)}
    cuts: list[tuple[int, int, _Titled | None]] = [(section.start, section.stop, section) for section in titled]
    cuts += [(start, stop, None) for start, stop in apart if start not in inside]
    return sorted(cuts, key=lambda cut: cut[:2])


def _entries_between(lines: list[str], start: int, stop: int) -> list[Entry]:
    """The entries among lines that stand below no heading with a type."""
    found: list[Entry] = []
    at = number = start
    while number < stop:
        if not _TAGGED_LINE.match(lines[number]):
            number += 1
            continue
        end = number + 1
        while end < stop and _goes_on(lines[end]):
            end += 1
        found += _list_items(lines, at, number)
        found.append(_entry(number, s.Chunk("".join(lines[number:end]).rstrip(), lines[number:end], item=True)))
        at = number = end
    return found + _list_items(lines, at, stop)


def _goes_on(line: str) -> bool:
    """Whether a line goes on with the paragraph above it."""
    return bool(line.strip()) and not (s.MARK.match(line) or _HEADING.match(line) or _TAGGED_LINE.match(line))


def _list_items(lines: list[str], at: int, stop: int) -> list[Entry]:
    """The list items among lines."""
    found: list[Entry] = []
    for chunk in s.chunks(lines[at:stop]) if any(map(_is_item, lines[at:stop])) else ():
        if chunk.item and _is_item(chunk.lines[0]):
            found.append(_entry(at, chunk))
        at += len(chunk.lines)
    return found


def _is_item(line: str) -> bool:
    return line.startswith(("- ", "* ", "+ "))


def _entry(at: int, chunk: s.Chunk) -> Entry:
    head = _ENTRY.match(chunk.text)
    assert head  # every part of it may be missing
    return Entry(at, at + len(chunk.lines), head["clock"] or "", head["type"] or "", chunk.text[head.end() :].strip())


# ---- headings with a type ----------------------------------------------------------------------------------------------


def _titled_sections(text: str, lines: list[str]) -> list[_Titled]:
    """The sections of a day whose heading has a type, each up to the next heading of its level, a rule, the closure block or a
    snapshot block.
    """
    in_blocks = _lines_of_blocks(text, lines)
    found: list[_Titled] = []
    begun: re.Match[str] | None = None
    start, fenced = 0, False

    def end_section(stop: int) -> None:
        if begun:
            while stop > start + 1 and not lines[stop - 1].strip():
                stop -= 1
            title = begun["title"].strip().rstrip("#").strip().strip("*").strip(" \t:")
            found.append(_Titled(start, stop, begun["clock"] or "", begun["type"], title, begun["marks"]))

    for number, line in enumerate(lines):
        if number in in_blocks:
            end_section(number)
            begun, fenced = None, False
        elif line.startswith(_FENCE):
            fenced = not fenced
        elif not fenced:
            opens = _TITLED.match(s.unended(line))
            if opens or (begun and _ends_section(line, len(begun["marks"]))):
                end_section(number)
                begun, start = opens, number
    end_section(len(lines))
    return found


def _lines_of_blocks(text: str, lines: list[str]) -> set[int]:
    return {
        number
        for first, block in markdown.blocks(text)
        for number in range(first - 1, min(len(lines), first - 1 + len(s.lines_of(block))))
    }


def _ends_section(line: str, level: int) -> bool:
    """Whether a line ends a section that was begun by a heading of a level. The day's own title is of level 1."""
    heading = _HEADING.match(line)
    if heading:
        return len(heading[1]) <= max(level, 2) or line.startswith(_OURS)
    if _RULE.match(line) or _TAGGED_LINE.match(line):
        return True
    return not s.MARK.match(line) and any(name.match(line) for name in _CLOSURE)


def _entries_below(lines: list[str], section: _Titled) -> list[Entry]:
    """The entries of a section with a type: the items of a plain list one by one, anything else as one entry."""
    body = lines[section.start + 1 : section.stop]
    shown = _without_code(body)
    if section.title.startswith(REFERENCE):
        alone = Entry(section.start, section.start + 1, section.clock, section.type, section.title, section.marks)
        return [alone, *_parts(lines, section.replaced(title=""))]
    generic = all(word.casefold() in _GENERIC for word in re.findall(r"\w+", section.title))
    tagged = any(_ENTRY.match(chunk.text)["type"] for chunk in s.chunks(shown))  # type: ignore[index]
    listed = shown == body and _is_list(body) and (generic or section.type != "LESSON") and section.type != "TEMP"
    if tagged or listed:
        return _parts(lines, section.replaced(title="") if generic else section)
    title = "" if generic and body else section.title
    text = _with_title(title, "".join(body).replace("\r\n", "\n"))
    whole = Entry(section.start, section.stop, section.clock, section.type, text, section.marks, title)
    return [whole] if text else []


def _without_code(body: list[str]) -> list[str]:
    """Lines with an empty one in the place of each line of fenced code."""
    found, fenced = [], False
    for line in body:
        fence = line.startswith(_FENCE)
        found.append("\n" if fenced or fence else line)
        fenced ^= fence
    return found


def _is_list(body: list[str]) -> bool:
    """Whether lines are items of a list and nothing besides."""
    parts = [chunk for chunk in s.chunks(body) if chunk.text.strip()]
    return bool(parts) and all(chunk.item and s.MARK.match(chunk.lines[0]) for chunk in parts)


def _parts(lines: list[str], section: _Titled) -> list[Entry]:
    """What stands below a heading with a type, part by part; a part with a type of its own keeps it."""
    at = section.start + 1
    found: list[Entry] = []
    for chunk in s.chunks(_without_code(lines[at : section.stop])):
        entry = _entry(at, chunk)
        at += len(chunk.lines)
        if not entry.text or _HEADING.match(chunk.lines[0]):
            continue
        if not entry.type:
            title = "" if entry.is_reference else section.title
            entry = entry.replaced(type=section.type, text=_with_title(title, entry.text), title=title)
        found.append(entry)
    return found


def _with_title(title: str, text: str) -> str:
    """A text below its title: on the same line where it goes on from it, else on the next."""
    text = text.strip("\r\n")
    if not title or not text.strip():
        return title or text.strip()
    if _NO_PROSE.match(text):
        return f"{title}\n{text}"
    between = " " if title.endswith(tuple(".!?。！？…")) else " – "  # a colon would make it the name of a value
    return f"{title}{between}{text.lstrip()}"


def _apart(text: str, lines: list[str]) -> list[tuple[int, int]]:
    """First and one-past-last line of what is no list of notes: snapshot blocks, and fenced code between them."""
    found: list[tuple[int, int]] = []
    at = 0
    blocks = [(first - 1, min(len(lines), first - 1 + len(s.lines_of(block)))) for first, block in markdown.blocks(text)]
    for start, stop in [*blocks, (len(lines), len(lines))]:
        fence = -1
        for number in range(at, start):
            if lines[number].startswith(("```", "~~~")):
                if fence >= 0:
                    found.append((fence, number + 1))
                fence = number if fence < 0 else -1
        found += [(fence, start)] if fence >= 0 else []  # never closed
        found.append((start, stop))
        at = stop
    return found


def without(text: str, gone: list[Entry], instead: dict[int, str]) -> str:
    """A day in which entries are replaced by a line, or (none given) taken out; every other byte as it was."""
    lines, end = s.lines_of(text), s.line_end(text)
    for entry in reversed(gone):
        line = instead.get(entry.start, "")
        lines[entry.start : entry.stop] = [line + end] if line else []
        if not line and entry.marks != "-" and not "".join(lines[entry.start - 1 : entry.start + 1]).strip():
            del lines[entry.start - 1 : entry.start]  # one of the empty lines around a section that is gone
    return s.like(text, "".join(lines))


def typed(text: str, types: dict[int, str]) -> str:
    """A day in which the entries that begin at these lines have a type; every other byte as it was."""
    lines = s.lines_of(text)
    for at, kind in types.items():
        item = lines[at][:2]
        clock = _ENTRY.match(lines[at][2:])
        head = item + (clock["clock"] or "" if clock else "")
        lines[at] = f"{head}[{kind}] {lines[at][len(head) :].lstrip(' ' + chr(9))}"
    return s.like(text, "".join(lines))


# ---- the closure block of seed D ---------------------------------------------------------------------------------------


def is_closed(text: str) -> bool:
    """Whether a day ends with its four lines; what was added below them has opened it again."""
    last = [line for line in s.lines_of(text[-4 * _SAID * 4 :]) if line.strip()][-4:]
    return len(last) == 4 and all(name.match(line) for name, line in zip(_CLOSURE, last, strict=True))


def is_correction(text: str) -> bool:
    """Whether what stands among decisions corrects something, as seed C has it: `decide "correction: X not Y"`."""
    return _CORRECTION.match(text) is not None


def set_in(text: str) -> list[tuple[str, str, str]]:
    """(day, verb, what) of what one-line commands have set, as a buffer has it, or a day that one was rotated into."""
    found = (_SET.match(entry.text) for entry in entries(text))
    return [(line[1], line[2], line[3]) for line in found if line]


def close_day(
    text: str,
    day: str,
    was_set: Iterable[tuple[str, str]] = (),
    before: Container[str] = (),
    still_open: Iterable[str] = (),
) -> str:
    """A day with its closure block: what was decided, learnt and left open on it.

    `was_set`: (verb, what) of what commands set that day, wherever the buffer has gone since. `before`: what earlier days have
    decided and been told. A session that lasts for weeks says it again in each of its blocks. `still_open`: what somebody has
    left open on an earlier day and nobody has closed since.
    """
    blocks = [markdown.read_block(block).state for _, block in markdown.blocks(text)]
    noted = [entry for entry in entries(text) if not _SET.match(entry.text)]
    decided = [d for state in blocks for d in state.decisions if d not in before]
    decided += [what for verb, what in was_set if verb == "decide"]
    decided += [entry.decision for entry in noted]
    learnt = [entry.said for entry in noted if entry.type == "LESSON"]
    learnt += [c for state in blocks for c in state.corrections if c not in before]
    learnt += filter(is_correction, decided)
    decided = [said for said in decided if not is_correction(said)]
    last = blocks[-1:]
    left = [*still_open, *(q for state in last for q in (*state.unanswered, *state.questions))]
    ticked = {what for verb, what in was_set if verb == "done"} | {text for state in last for text, done in state.pending if done}
    todo = [text for state in last for text, _ in state.pending] + [what for verb, what in was_set if verb == "pending"]
    left += [action for action in todo if action not in ticked]
    said = (("Decisions", decided), ("Signal", learnt), ("Open", left))
    lines = [f"Updated: {day}", *(f"{name}: {_listed(items)}" for name, items in said)]
    return markdown.day_with(text, day, "\n".join(lines) + "\n")


def _listed(items: list[str]) -> str:
    """The items on one line, each once; `none` where there are none. A semicolon ends an item, so none has one inside."""
    shown = (re.sub("[;；]", ",", redacted(item)[0]) for item in items if item.strip())
    once = dict.fromkeys(fold(item, 120) for item in shown)
    return fold("; ".join(once), _SAID) or "none"
