r"""Text as sections and lists, every byte kept: the grammar that all our documents share.

A document is a list of sections (a heading line and the lines below it). Only the part that changes is written anew; every
other line, whoever wrote it and however oddly, stays as it was. Text is bytes decoded as UTF-8 with `surrogateescape`, so
that even invalid bytes come out again as they went in.

Rules for editors of this file:
1. Reading is total: any text gives some answer, none raises.
2. `show` then `read` gives back the same value, for every valid value (tests/test_markdown.py proves it by hypothesis).
3. A line is split at `\n` only. `str.splitlines` also splits at form feeds and U+2028, which people paste.
"""

from __future__ import annotations

import re

from ..model import Checkpoint, settled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

PLACEHOLDERS = frozenset(("none", "(none yet)", "(no status yet)", "[none]", "[none yet]", "- [ ] none", "- none", "n/a"))
# Seed E's template says in brackets what belongs where; as long as that stands there, nothing does.
_HINTS = (
    "[what you're actively working on", "[paraphrase the actual conversation", "[anything you said that the user",
    "[things being discussed but not yet", "[is the user frustrated?", "[any other important state",
)  # fmt: skip
_MARK = re.compile(r"([-*+]|\d{1,9}[.)])[ \t]+(?=\S)")
_INDENTED = re.compile(r"  |\t")
# What a line of free text must not be mistaken for: a heading, one of our markers, or a placeholder.
_STRUCTURE = re.compile(r"\\*(##[ \t]|###[ \t]+\[SNAPSHOT\]|<!--|\*\*|<strong>)")


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
    return text in PLACEHOLDERS or (text.startswith(_HINTS) and text.endswith("]"))


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
    if not any(_MARK.match(line) for line in body):
        return _paragraphs(body)
    found: list[Chunk] = []
    blanks: list[str] = []
    for raw in body:
        line = unended(raw)
        mark = _MARK.match(line)
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


# ---- codecs: a section's body ⇄ fields of a checkpoint -----------------------------------------------------------------


class Prose:
    """Free text. Lines that would read as structure are escaped with the backslash that markdown itself uses."""

    def __init__(self, field: str) -> None:
        self.fields = (field,)

    def read(self, body: list[str]) -> dict[str, Any]:
        """Body → {field: text}."""
        start, stop = content(body)
        lines = [unended(line) for line in body[start:stop]]
        if len(lines) == 1 and is_placeholder(lines[0]):
            return {self.fields[0]: ""}
        return {self.fields[0]: "\n".join(_unescaped(line) for line in lines)}

    def show(self, state: Checkpoint) -> list[str]:
        """Field → lines; `none` where it is empty."""
        text = getattr(state, self.fields[0])
        if not text:
            return ["none"]
        lines = text.split("\n")
        return [_escaped(line, alone=len(lines) == 1) for line in lines]

    def revise(self, _body: list[str], state: Checkpoint) -> list[str]:
        """The lines that replace a body."""
        return self.show(state)


def _escaped(line: str, *, alone: bool) -> str:
    if _STRUCTURE.match(line) or ((alone or line.startswith("\\")) and is_placeholder(line.lstrip("\\"))):
        return "\\" + line
    return line


def _unescaped(line: str) -> str:
    if line.startswith("\\") and (_STRUCTURE.match(line) or is_placeholder(line.lstrip("\\"))):
        return line[1:]
    return line


class Items:
    """A list, one item a value. Items that stay are not rewritten, and lines that are no items stay where they are."""

    def __init__(
        self, field: str, mark: str = "-", text: Callable[[Any], str] = str, value: Callable[[str], Any] = str
    ) -> None:
        self.fields, self.mark, self.text, self.value = (field,), mark, text, value

    def read(self, body: list[str]) -> dict[str, Any]:
        """Body → {field: values}."""
        found = (self.value(chunk.text) for chunk in chunks(body) if chunk.item)
        return {self.fields[0]: tuple(value for value in found if value is not None)}

    def show(self, state: Checkpoint) -> list[str]:
        """Values → lines; `none` where there are none."""
        return self.revise([], state)

    def revise(self, body: list[str], state: Checkpoint) -> list[str]:
        """The lines that replace a body. What stays is kept to the letter, in its place; what is new stands where an item has
        gone, or last.
        """
        values = getattr(state, self.fields[0])
        parts = [(chunk, self._meant(chunk)) for chunk in chunks(body)]
        if not values and not any(_is_own(chunk) for chunk, _ in parts):
            return ["none"]
        wanted = values or (None,)  # `- none`, with a mark, so that the lines around it are not taken for items
        places = {value: number for number, value in enumerate(values)}
        old = {value: chunk for chunk, value in reversed(parts) if value is not None}
        met: set[Any] = set()
        shown, text = 0, _Spaced()
        for chunk, value in parts:
            if value in met or _is_own(chunk):  # said twice, or somebody's own line
                text.put(chunk.lines)
            elif not chunk.item:
                text.space([] if chunk.text else chunk.lines)
            else:
                in_its_place = shown < len(wanted) and wanted[shown] not in old
                stop = max(shown, places[value] + 1 if value in places else shown + in_its_place)
                text.put(self._lines(wanted, shown, stop, old))
                shown = stop
            if value in places:
                met.add(value)
        text.put(self._lines(wanted, shown, len(wanted), old))
        return text.lines

    def _meant(self, chunk: Chunk) -> Any:
        """The value of an item in the form that a state has it; None where it says nothing."""
        found = settled(self.fields[0], (self.value(chunk.text),)) if chunk.item else ()
        return found[0] if found else None

    def _lines(self, values: tuple[Any, ...], start: int, stop: int, old: dict[Any, Chunk]) -> list[str]:
        found: list[str] = []
        for number, value in enumerate(values[start:stop], start + 1):
            found += self._item(value, number, old.get(value))
        return found

    def _item(self, value: Any, number: int, old: Chunk | None) -> list[str]:
        if value is None:
            return ["- none"]
        mark = _MARK.match(old.lines[0]) if old else None
        if old is None or mark is None:
            return item_lines(self.text(value), f"{number}." if self.mark == "1." else self.mark)
        if self.mark == "1." and mark[1][:-1].isdigit():
            return [f"{number}{old.lines[0][mark.end(1) - 1 :]}", *old.lines[1:]]
        return old.lines


def _is_own(chunk: Chunk) -> bool:
    """A line of somebody's own: no item, no blank, and none of the ways to say that there is nothing."""
    return not chunk.item and bool(chunk.text) and not is_placeholder(chunk.text)


class _Spaced:
    """Lines with the blank lines between them; what has gone takes those below it along, where there are others above it."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._blank: list[str] = []
        self._gone = False

    def put(self, lines: list[str]) -> None:
        """Lines come next; none: what stood here has gone."""
        self._gone = not lines
        if lines:
            self.lines += [*(self._blank if self.lines else ()), *lines]
            self._blank = []

    def space(self, blank: list[str]) -> None:
        """Blank lines stood here."""
        if not (self._gone and self._blank):
            self._blank += blank


class Traits:
    """Phase, branch, blocked and progress: the four lines of Current State."""

    fields = ("phase", "branch", "blocked", "progress")
    _LINE = r"(?i)(Phase|Branch|Blocked|Progress):"

    def read(self, body: list[str]) -> dict[str, Any]:
        """Body → the four fields, as far as they are there."""
        found: dict[str, Any] = {}
        for chunk in chunks(body):
            name = self._named(chunk)
            if name:
                found[name] = chunk.text.partition(":")[2].strip()
        verdict, _, by_what = found.get("blocked", "no").partition(" -- ")
        found["blocked"] = "" if verdict.strip().casefold() == "no" else by_what.strip() or verdict.strip()
        return found

    def show(self, state: Checkpoint) -> list[str]:
        """The four fields → four lines."""
        blocked = "no" if not state.blocked else "yes" if state.blocked == "yes" else f"yes -- {state.blocked}"
        return [
            f"- Phase: {state.phase or 'none'}",
            f"- Branch: {state.branch or 'n/a'}",
            f"- Blocked: {blocked}",
            f"- Progress: {state.progress or 'none'}",
        ]

    def revise(self, body: list[str], state: Checkpoint) -> list[str]:
        """The lines that replace a body: of the four those that say something else now, each in its place. What else stands there
        stays, and so does a phase in a person's own words.
        """
        told = Checkpoint(**self.read(body))
        new = {n: line for n, line in zip(self.fields, self.show(state), strict=True) if getattr(told, n) != getattr(state, n)}
        parts = [chunk for chunk in chunks(body) if not is_placeholder(chunk.text)]
        spoken = {name: number for number, chunk in enumerate(parts) if (name := self._named(chunk))}  # the last one speaks
        if not spoken:
            return [*self.show(state), *(line for chunk in parts for line in chunk.lines)]
        lines: list[str] = []
        for number, chunk in enumerate(parts):
            name = self._named(chunk)
            lines += [new.pop(name)] if name in new and spoken[name] == number else chunk.lines
            if number == max(spoken.values()):
                lines += [line for name, line in new.items() if name not in spoken]
        return lines

    def _named(self, chunk: Chunk) -> str:
        """Which of the four an item is; empty for any other line."""
        line = re.match(self._LINE, chunk.text) if chunk.item else None
        return line[1].casefold() if line else ""


class Asked:
    """Blockers and open questions in one list, told apart by their first word."""

    fields = ("blockers", "questions")

    def read(self, body: list[str]) -> dict[str, Any]:
        """Body → blockers and questions; an item without the word is a question."""
        blockers, questions = [], []
        for chunk in chunks(body):
            if chunk.item and chunk.text.startswith("Blocker:"):
                blockers.append(chunk.text[8:])
            elif chunk.item:
                questions.append(chunk.text.removeprefix("Question:"))
        return {"blockers": tuple(blockers), "questions": tuple(questions)}

    def show(self, state: Checkpoint) -> list[str]:
        """Both lists → lines."""
        found = [line for text in state.blockers for line in item_lines("Blocker: " + text)]
        found += [line for text in state.questions for line in item_lines("Question: " + text)]
        return found or ["none"]

    def revise(self, _body: list[str], state: Checkpoint) -> list[str]:
        """The lines that replace a body."""
        return self.show(state)


Codec = Prose | Items | Traits | Asked


# ---- the texts of single items -----------------------------------------------------------------------------------------


def span(text: str) -> str:
    """A code span: as many backticks around the text as it needs not to end early."""
    if "`" not in text:  # hundreds of names have none
        return f"`{text}`"
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def read_span(text: str) -> tuple[str, str]:
    """The code span at the start of a text, and what follows it."""
    if text[:1] != "`":
        return "", text
    end_of_plain = text.find("`", 1)
    if end_of_plain > 1 and text[end_of_plain + 1 : end_of_plain + 2] != "`":  # one backtick on either side, as nearly all have
        return text[1:end_of_plain], text[end_of_plain + 1 :]
    fence = len(text) - len(text.lstrip("`"))
    end = next((run for run in re.finditer("`+", text[fence:]) if len(run[0]) == fence), None)
    if end is None:
        return "", text
    inner = text[fence : fence + end.start()]
    if inner[:2] == " `" or inner[-2:] == "` ":
        inner = inner[1:-1]
    return inner, text[fence + end.end() :]


def file_text(pair: tuple[str, str]) -> str:
    """(path, what) → “`path` -- what”."""
    return span(pair[0]) + (f" -- {pair[1]}" if pair[1] else "")


def file_pair(text: str) -> tuple[str, str]:
    """“`path` -- what”, with or without backticks → (path, what)."""
    path, rest = read_span(text)
    if path and (not rest.strip() or rest.startswith(" -- ")):
        return path, rest[4:]
    path, _, what = text.partition(" -- ")
    return path.strip().strip("`"), what


def name_text(pair: tuple[str, str]) -> str:
    """(kind, value) → “kind: `value`”."""
    return f"{pair[0]}: {span(pair[1])}"


def name_pair(text: str) -> tuple[str, str]:
    """“kind: `value`”, with or without backticks → (kind, value)."""
    first = text.find(": `")
    if first > 0 and text.find(":") == first:
        value, tail = read_span(text[first + 2 :])
        if value and not tail.strip():
            return text[:first].strip(), value
    for colon in re.finditer(r":[ \t]*(?=`)", text):  # a kind may have colons and backticks in it; the value ends the text
        value, tail = read_span(text[colon.end() :])
        if value and not tail.strip():
            return text[: colon.start()].strip(), value
    kind, rest = text.split(":", 1) if ":" in text else ("Name", text)
    value, tail = read_span(rest)
    return kind.strip(), value if value and not tail.strip() else rest.strip()


def context_text(pair: tuple[str, str]) -> str:
    """(key, value) → “key: value”; a colon inside a key is written twice."""
    return f"{pair[0].replace(':', '::')}: {pair[1]}" if pair[1] else f"{pair[0].replace(':', '::')}:"


def context_pair(text: str) -> tuple[str, str]:
    """“key: value” → (key, value); a text without a colon is a key without a value."""
    found = re.match(r"((?:[^:]|::)+?):(?:[ \t]+|$|(?=\n))(.*)", text, re.S)
    if not found:
        return text.replace("::", ":"), ""
    return found[1].replace("::", ":"), found[2]


def action_text(pair: tuple[str, bool]) -> str:
    """(action, ticked) → “[x] action”."""
    return f"[{'x' if pair[1] else ' '}] {pair[0]}"


def action_pair(text: str) -> tuple[str, bool]:
    """“[ ] action” → (action, ticked); without a box it is still to be done."""
    box = re.match(r"\[([ xX])\][ \t]+", text)
    return (text[box.end() :], box[1] != " ") if box else (text, False)


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
