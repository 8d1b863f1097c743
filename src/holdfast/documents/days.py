"""A day's file as upkeep reads it: its date, its entries, its closure block. Pure.

An *entry* is a list item of the day that stands outside snapshot blocks and code: `- [PREF] small commits`, `- 14:02 [LESSON]
measure first`. Blocks are checkpoints, owned by the journal, and are never taken apart.
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
_ENTRY = re.compile(rf"(?P<clock>\d\d:\d\d(?::\d\d)?[ \t]+)?(?:\[(?P<type>{'|'.join(TYPES)})\][ \t]*)?")
_CLOSURE = tuple(re.compile(rf"[-*]?[ \t]*(\*\*)?{name}:", re.I) for name in ("Updated", "Decisions", "Signal", "Open"))
_SET = re.compile(r"(\d{4}-\d\d-\d\d) \d\d:\d\d (decide|pending|done): (.+)", re.S)  # as the buffer has what commands set
_SAID = 400  # characters of one line of a closure block
REFERENCE = "→ "


class Entry(Value):
    """One entry of a day: the lines that it takes up (from, to), its type and what it says."""

    start: int
    stop: int
    clock: str
    type: str
    text: str

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


@lru_cache(maxsize=4096)
def entries(text: str) -> tuple[Entry, ...]:
    """The entries of a day, in order. Several duties ask for those of one text."""
    lines = s.lines_of(text)
    found: list[Entry] = []
    at = 0
    for start, stop in _apart(text, lines):
        for chunk in s.chunks(lines[at:start]) if any(map(_is_item, lines[at:start])) else ():
            if chunk.item and _is_item(chunk.lines[0]):
                found.append(_entry(at, chunk))
            at += len(chunk.lines)
        at = stop
    return tuple(found)


def _is_item(line: str) -> bool:
    return line.startswith(("- ", "* ", "+ "))


def _entry(at: int, chunk: s.Chunk) -> Entry:
    head = _ENTRY.match(chunk.text)
    assert head  # every part of it may be missing
    return Entry(at, at + len(chunk.lines), head["clock"] or "", head["type"] or "", chunk.text[head.end() :].strip())


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


def set_in(text: str) -> list[tuple[str, str, str]]:
    """(day, verb, what) of what one-line commands have set, as a buffer has it, or a day that one was rotated into."""
    found = (_SET.match(entry.text) for entry in entries(text))
    return [(line[1], line[2], line[3]) for line in found if line]


def closed(text: str, day: str, was_set: Iterable[tuple[str, str]] = (), before: Container[str] = ()) -> str:
    """A day with its closure block: what was decided, learnt and left open on it.

    `was_set`: (verb, what) of what commands set that day, wherever the buffer has gone since. `before`: what earlier days have
    decided and been told. A session that lasts for weeks says it again in each of its blocks.
    """
    blocks = [markdown.read_block(block).state for _, block in markdown.blocks(text)]
    noted = [entry for entry in entries(text) if not _SET.match(entry.text)]
    decided = [d for state in blocks for d in state.decisions if d not in before]
    decided += [what for verb, what in was_set if verb == "decide"] + [e.text.partition("decide: ")[2] for e in noted]
    learnt = [e.text.partition(": ")[2] if e.is_reference else e.text for e in noted if e.type == "LESSON"]
    learnt += [c for state in blocks for c in state.corrections if c not in before]
    last = blocks[-1:]
    left = [q for state in last for q in (*state.unanswered, *state.questions)]
    ticked = {what for verb, what in was_set if verb == "done"} | {text for state in last for text, done in state.pending if done}
    todo = [text for state in last for text, _ in state.pending] + [what for verb, what in was_set if verb == "pending"]
    left += [action for action in todo if action not in ticked]
    said = (("Decisions", decided), ("Signal", learnt), ("Open", left))
    lines = [f"Updated: {day}", *(f"{name}: {_listed(items)}" for name, items in said)]
    return markdown.day_with(text, day, "\n".join(lines) + "\n")


def _listed(items: list[str]) -> str:
    """The items on one line, each once; `none` where there are none."""
    once = dict.fromkeys(fold(redacted(item)[0], 120) for item in items if item.strip())
    return fold("; ".join(once), _SAID) or "none"
