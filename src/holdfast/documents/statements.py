"""What a day says in plain words of its own: its decisions, what was learnt, what is open. Pure.

People and agents write these by hand: the closure lines of seed D (`Decisions: …`, `Signal: …`,
`Open: …`), the same as headings with a list below, and entries such as `- decided: …`. Snapshot
blocks and code are not looked at: blocks are read as what they are. What upkeep itself writes into
closure lines is read as well; whoever asks must tell it from what is new.
"""

from __future__ import annotations

import re

from ..model import Value
from . import markdown
from . import sections as s
from .days import entries

_NAMES = {"updated": "", "decision": "decisions", "signal": "signals", "open": "open"}
_LINE = re.compile(
    r"(?i)(?:[-*+][ \t]+)?(?:\*\*|__)?(?P<name>Updated|Decision|Signal|Open)s?(?:\*\*|__)?"
    r"[:：](?:\*\*|__)?[ \t]*(?P<said>.*)"
)
_HEADING = re.compile(
    r"(?i)#{2,6}[ \t]+(?P<name>Decision|Signal|Open)s?"
    r"(?: (?:made|items|points|questions))?[ \t]*[:：]?[ \t]*$"
)
_NOTHING = frozenset(
    ("", "none", "n/a", "na", "nil", "nothing", "no", "no changes", "none yet", "no decisions",
     "nothing new", "nothing open", "tbd", "-", "–", "—", "无", "没有", "暂无", "keine", "nichts",
     "ninguna", "ninguno", "aucun", "aucune")
)  # fmt: skip


class Statements(Value):
    """What a day says by hand; `open` is what its last such line says, and None where it has none."""

    decisions: tuple[str, ...] = ()
    signals: tuple[str, ...] = ()
    open: tuple[str, ...] | None = None


def statements_of(text: str) -> Statements:
    """Read the closure lines and the decisions that are noted in a day."""
    found: dict[str, list[str]] = {"decisions": [], "signals": []}
    left_open: tuple[str, ...] | None = None
    lines = [s.unended(line) for line in _lines_by_hand(text)]
    for number, line in enumerate(lines):
        field, said = _begins(line)
        if not field or (_may_be_a_note(line, field) and not _is_among_others(lines, number)):
            continue
        items = _items(said) if said else _items_below(lines, number + 1)
        if field == "open":
            left_open = tuple(items)
        else:
            found[field] += items
    for entry in entries(text):
        if not entry.is_reference and _says_something(entry.decision):
            found["decisions"].append(entry.decision)
    unique = {field: tuple(dict.fromkeys(items)) for field, items in found.items()}
    return Statements(unique["decisions"], unique["signals"], left_open)


def _lines_by_hand(text: str) -> list[str]:
    """The lines of a day, with an empty one in the place of each line of a block or of code."""
    lines = s.lines_of(text)
    for first, block in markdown.blocks(text):
        stop = min(len(lines), first - 1 + len(s.lines_of(block)))
        lines[first - 1 : stop] = ["\n"] * (stop - first + 1)
    fenced = False
    for number, line in enumerate(lines):
        fence = line.startswith(("```", "~~~"))
        if fence or fenced:
            lines[number] = "\n"
        fenced ^= fence
    return lines


def _begins(line: str) -> tuple[str, str]:
    """(field, what stands on the same line) where a line begins a statement; empty where it does not."""
    heading = _HEADING.match(line)
    found = heading or _LINE.match(line)
    field = _NAMES[found["name"].casefold()] if found else ""
    single = found and not heading and s.MARK.match(line) and found["name"].casefold() == "decision"
    if not found or not field or single:  # `- decision: …` is an entry, and read as one
        return "", ""
    return field, "" if heading else found["said"].strip()


def _may_be_a_note(line: str, field: str) -> bool:
    return bool(s.MARK.match(line)) and field != "decisions"


def _is_among_others(lines: list[str], number: int) -> bool:
    """Whether the line above or below is of a closure block too: `- open: the door` alone is a
    note like any other.
    """
    above = next((lines[at] for at in range(number - 1, -1, -1) if lines[at].strip()), "")
    below = next((lines[at] for at in range(number + 1, len(lines)) if lines[at].strip()), "")
    return bool(_LINE.match(above) or _LINE.match(below))


def _items_below(lines: list[str], start: int) -> list[str]:
    """The items of the list that begins at a line, or after empty ones."""
    found: list[str] = []
    for at in range(start, len(lines)):
        line = lines[at]
        bare = line.strip()
        mark = s.MARK.match(bare)
        if not bare and not found:
            continue
        if _begins(line)[0] or not (mark or (found and line[:1] in " \t" and bare)):
            break
        if mark:
            found.append(bare[mark.end() :])
        else:
            found[-1] += " " + bare
    return [re.sub(r"\A\[[ xX]\][ \t]+", "", item) for item in found if _says_something(item)]


def _items(said: str) -> list[str]:
    """The items of a line, at each semicolon outside code, quotes and brackets."""
    parts, depth, code, begin = [], 0, False, 0
    for at, letter in enumerate(said):
        code ^= letter == "`"
        depth += (letter in "([“") - (letter in ")]”")
        if letter in ";；" and not code and depth <= 0:
            parts.append(said[begin:at])
            begin = at + 1
    return [part.strip() for part in (*parts, said[begin:]) if _says_something(part)]


def _says_something(text: str) -> bool:
    return text.strip().strip("()[].*_").casefold() not in _NOTHING
