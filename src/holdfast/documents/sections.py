r"""Text as sections and lists, every byte kept: the grammar that all our documents share.

A document is a list of sections (a heading line and the lines below it). Only the part that changes is written anew; every
other line, whoever wrote it and however oddly, stays as it was. Text is bytes decoded as UTF-8 with `surrogateescape`, so
that even invalid bytes come out again as they went in.

Rules for editors of this file:
1. Reading is total: any text gives some answer, none raises.
2. A line is split at `\n` only. `str.splitlines` also splits at form feeds and U+2028, which people paste.
"""

from __future__ import annotations

import re

from ..model import is_none

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

PLACEHOLDERS = frozenset(("none", "(none yet)", "(no status yet)", "[none]", "[none yet]", "- [ ] none", "- none", "n/a"))
# Seed E's template says in brackets what belongs where; as long as that stands there, nothing does.
_HINTS = (
    "[what you're actively working on", "[paraphrase the actual conversation", "[anything you said that the user",
    "[things being discussed but not yet", "[is the user frustrated?", "[any other important state",
)  # fmt: skip
MARK = re.compile(r"([-*+]|\d{1,9}[.)])[ \t]+(?=\S)")
_INDENTED = re.compile(r"  |\t")
# What a line of free text must not be mistaken for: a heading, one of our markers, or a placeholder.
STRUCTURE = re.compile(r"\\*(##[ \t]|###[ \t]+\[SNAPSHOT\]|<!--|\*\*|<strong>)")


def lines_of(text: str) -> list[str]:
    """The lines with their ends, so that joining them gives back the text."""
    parts = text.split("\n")
    lines = [part + "\n" for part in parts[:-1]]
    return [*lines, parts[-1]] if parts[-1] else lines


def unended(line: str) -> str:
    """A line without its end."""
    return line.rstrip("\r\n")


def bare(line: str) -> str:
    """A line without its end and without the byte-order mark that a document's first line may have."""
    return unended(line).lstrip("\ufeff")


def marked(text: str) -> tuple[str, str]:
    """The byte-order mark of a document, where it has one, and the text behind it."""
    return ("\ufeff", text[1:]) if text.startswith("\ufeff") else ("", text)


def line_end(text: str) -> str:
    """How this document ends its lines."""
    first = text.find("\n")
    return "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"


def closed(text: str) -> str:
    """The text with a final line end, so that something can be put below it."""
    return text if not text or text.endswith("\n") else text + line_end(text)


def like(old: str, new: str) -> str:
    """The new text with a final line end only if the old one had it: what a person left open stays open."""
    return new if not old.strip() or old.endswith("\n") else new.removesuffix(line_end(new))


def is_placeholder(line: str) -> bool:
    """One of the seeds' ways to write “nothing here”."""
    text = unended(line).strip().casefold()
    return text in PLACEHOLDERS or is_none(text.strip("()[]（）【】")) or (text.startswith(_HINTS) and text.endswith("]"))


# ---- sections ----------------------------------------------------------------------------------------------------------


class Section:
    """A heading with the lines below it; the first section of a document has no heading."""

    __slots__ = ("body", "head", "name")

    def __init__(self, name: str, head: str, body: list[str]) -> None:
        self.name, self.head, self.body = name, head, body


# Greedy and stripped afterwards: a lazy `.*?` before `[ \t#]*$` takes hours for a line of a million hash signs.
_HEADING = re.compile(r"##[ \t]+(?P<hash>\S.*)|\*\*(?P<bold>[^*]+)\*\*[ \t]*$|<strong>(?P<strong>[^<]+)</strong>[ \t]*$")
_SNAPSHOT_HEADING = r"###[ \t]+\[SNAPSHOT\][ \t]+(\S.*)"


def heading(line: str) -> str | None:
    """The name in a `## …`, `**…**` or `<strong>…</strong>` line that stands alone."""
    if line[:1] not in "#*<":
        return None
    found = _HEADING.match(unended(line))
    if found is None:
        return None
    name = found[found.lastgroup or 0].strip()
    return name.rstrip(" \t#") or name


def snapshot_heading(line: str) -> str | None:
    """The name in a `### [SNAPSHOT] …` line."""
    found = re.match(_SNAPSHOT_HEADING, unended(line)) if line.startswith("###") else None
    return found[1].rstrip(" \t") if found else None


def parse(text: str, name_of: Callable[[str], str | None] = heading) -> list[Section]:
    """The sections of a text; joining them gives back the text."""
    sections = [Section("", "", [])]
    for number, line in enumerate(lines_of(text)):
        name = name_of(line if number else bare(line))  # further down, a byte-order mark is a character of somebody's text
        if name is None:
            sections[-1].body.append(line)
        else:
            sections.append(Section(name, line, []))
    return sections


def join(sections: Iterable[Section]) -> str:
    """The text that these sections make."""
    return "".join(section.head + "".join(section.body) for section in sections)


def find(sections: list[Section], name: str, aliases: dict[str, str] | None = None) -> Section | None:
    """The first section of that name, in any case and under any of its other names."""
    for section in sections[1:]:
        known = (aliases or {}).get(section.name, section.name)
        if known.casefold() == name.casefold():
            return section
    return None


def content(body: list[str]) -> tuple[int, int]:
    """First and one-past-last line of what is not blank at the edges."""
    start, stop = 0, len(body)
    while start < stop and not body[start].strip():
        start += 1
    while stop > start and not body[stop - 1].strip():
        stop -= 1
    return start, stop


def refill(section: Section, new: list[str], end: str) -> None:
    """Put new lines into a section, keeping the blank lines around the old ones and the ends that lines have already."""
    start, stop = content(section.body)
    if [unended(line) for line in section.body[start:stop]] == [unended(line) for line in new]:
        return
    below = section.body[stop:] or [end]
    if not section.head.endswith("\n"):
        section.head += end
    section.body = [*section.body[:start], *(line if line.endswith("\n") else line + end for line in new), *below]


# ---- list items --------------------------------------------------------------------------------------------------------


class Chunk:
    """An item of a list with its continuation lines, or (item false) lines that are none."""

    __slots__ = ("item", "lines", "text")

    def __init__(self, text: str, lines: list[str], *, item: bool) -> None:
        self.text, self.lines, self.item = text, lines, item


def chunks(body: list[str]) -> list[Chunk]:
    """A section's body as items and other lines. A body without any list mark is one item a paragraph."""
    if not any(MARK.match(line) for line in body):
        return _paragraphs(body)
    found: list[Chunk] = []
    blanks: list[str] = []
    for raw in body:
        line = unended(raw)
        mark = MARK.match(line)
        current = found[-1] if found and found[-1].item else None
        if mark:
            _leave(found, blanks)
            found.append(Chunk(line[mark.end() :], [raw], item=True))
        elif not line:
            blanks.append(raw)
        elif current and _INDENTED.match(line):
            current.lines += [*blanks, raw]
            current.text += "\n" * (len(blanks) + 1) + _outdented(line, current.lines[0])
            blanks = []
        else:
            _leave(found, blanks)
            found.append(Chunk(line, [raw], item=False))
    _leave(found, blanks)
    return found


def _leave(found: list[Chunk], blanks: list[str]) -> None:
    """Blank lines that turned out not to be inside an item."""
    if blanks:
        found.append(Chunk("", list(blanks), item=False))
        blanks.clear()


def _outdented(line: str, first: str) -> str:
    """A continuation line without the indent that `item_lines` gives it."""
    width = 2 if first[:1] in "-*+" else 3
    spaces = len(line) - len(line.lstrip(" "))
    return line[min(width, spaces) :] if spaces else line[1:]


def _paragraphs(body: list[str]) -> list[Chunk]:
    found: list[Chunk] = []
    for raw in body:
        blank = not raw.strip() or is_placeholder(raw)
        if blank or not found or not found[-1].item:
            found.append(Chunk(unended(raw), [raw], item=not blank))
        else:
            found[-1].lines.append(raw)
            found[-1].text += "\n" + unended(raw)
    return found


def item_lines(text: str, mark: str = "-") -> list[str]:
    """An item as lines: continuation lines indented under the mark, blank lines left blank."""
    first, *rest = text.split("\n")
    indent = "  " if len(mark) == 1 else "   "
    return [f"{mark} {first}", *(indent + line if line else "" for line in rest)]


# ---- what git has left -------------------------------------------------------------------------------------------------


def merge_left_open(text: str) -> int:
    """The line from which on git has left two sides to choose from; 0 where it has not. In fenced code it is a quote."""
    begun, apart, fenced = 0, False, False
    for number, line in enumerate(text.split("\n") if "<<<<<<< " in text else (), 1):
        if line.startswith("```"):
            fenced = not fenced
        elif fenced:
            continue
        elif line.startswith("<<<<<<< "):
            begun, apart = number, False
        elif line.rstrip("\r") == "=======":
            apart = True
        elif begun and apart and line.startswith(">>>>>>> "):
            return begun
    return 0
