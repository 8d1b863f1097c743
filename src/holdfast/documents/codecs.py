"""Codecs: the body of a section ⇄ fields of a checkpoint, and the texts of single items.

Rules for editors of this file:
1. Reading is total: any text gives some answer, none raises.
2. `show` then `read` gives back the same value, for every valid value (tests/test_markdown.py proves it by hypothesis).
3. `revise` keeps to the letter what somebody wrote and what still holds.
"""

from __future__ import annotations

import re

from ..model import PHASES, Checkpoint, is_collected, settled
from .sections import MARK, STRUCTURE, Chunk, chunks, content, is_placeholder, item_lines, unended

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

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
    if STRUCTURE.match(line) or ((alone or line.startswith("\\")) and is_placeholder(line.lstrip("\\"))):
        return "\\" + line
    return line


def _unescaped(line: str) -> str:
    if line.startswith("\\") and (STRUCTURE.match(line) or is_placeholder(line.lstrip("\\"))):
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
        mark = MARK.match(old.lines[0]) if old else None
        if old is None or mark is None:
            return item_lines(self.text(value), f"{number}." if self.mark == "1." else self.mark)
        if self.mark == "1." and mark[1][:-1].isdigit():
            return [f"{number}{old.lines[0][mark.end(1) - 1 :]}", *old.lines[1:]]
        return old.lines


def _is_own(chunk: Chunk) -> bool:
    """A line of somebody's own: no item, no blank, and none of the ways to say that there is nothing."""
    return not chunk.item and bool(chunk.text) and not is_placeholder(chunk.text)


_WIDE = 240  # characters of a line with names side by side


class Names(Items):
    """Names and values. What is collected by the dozen stands side by side, so that a person can read past it: files, names, what
    a command printed. What somebody names has a line of its own.
    """

    def __init__(self, field: str) -> None:
        super().__init__(field, text=name_text, value=name_pair)

    def read(self, body: list[str]) -> dict[str, Any]:
        """Body → {field: (kind, value) pairs}."""
        return {self.fields[0]: tuple(pair for chunk in chunks(body) if chunk.item for pair in name_pairs(chunk.text))}

    def show(self, state: Checkpoint) -> list[str]:
        """Pairs → lines; `none` where there are none."""
        return _side_by_side((pair, item_lines(name_text(pair))) for pair in getattr(state, self.fields[0])) or ["none"]

    def revise(self, body: list[str], state: Checkpoint) -> list[str]:
        """The lines that replace a body. What is all ours is written anew; else as any list, and side by side again."""
        if [unended(line) for line in body] == self.show(Checkpoint(**self.read(body))):
            return self.show(state)
        apart: list[str] = []
        for chunk in chunks(body):
            pairs = name_pairs(chunk.text) if chunk.item else []
            apart += [f"- {name_text(pair)}" for pair in pairs] if pairs[1:] else chunk.lines
        return _side_by_side((_as_we_write_it(chunk), chunk.lines) for chunk in chunks(super().revise(apart, state)))


def _as_we_write_it(chunk: Chunk) -> tuple[str, str]:
    """The pair of an item that is to the letter what we would write; no pair where somebody wrote it otherwise."""
    pair = name_pair(chunk.text) if chunk.item else ("", "")
    return pair if f"- {name_text(pair)}" == unended(chunk.lines[0]) and not chunk.lines[1:] else ("", "")


def _side_by_side(items: Iterable[tuple[tuple[str, str], list[str]]]) -> list[str]:
    """Items, each a pair and its lines, with what is collected of one kind in lines that are not too long to look at."""
    found: list[str] = []
    above = ""  # the kind of the line above, where it can be gone on with
    for (kind, value), lines in items:
        plain = is_collected(kind) and "`" not in value and "\n" not in value and ": `" not in kind
        if plain and kind == above and len(found[-1]) + len(value) + 4 <= _WIDE:
            found[-1] += f", `{value}`"
        else:
            found += [unended(lines[0])] if plain else lines
        above = kind if plain else ""
    return found


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
    # Others write the names bold, or the four lines without a list's marks.
    _LINE = r"(?i)(\*\*)?(?P<name>Phase|Branch|Blocked|Progress)(?(1)(?::\*\*|\*\*:)|:)"

    def read(self, body: list[str]) -> dict[str, Any]:
        """Body → the four fields, as far as they are there."""
        found: dict[str, Any] = {}
        for chunk in _one_by_one(body):
            name = self._named(chunk)
            if name:
                found[name] = re.sub(self._LINE, "", chunk.text, count=1).strip()
        phase = found.get("phase", "").casefold()
        found |= {"phase": phase} if phase in PHASES else {}
        found["blocked"] = Checkpoint(blocked=found.get("blocked", "")).blocked
        return found

    def passed_over(self, body: list[str]) -> list[str]:
        """What stands there and is none of the four."""
        return [chunk.text for chunk in _one_by_one(body) if chunk.item and not self._named(chunk)]

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
        stays, and so does a phase in a person's own words. Where no line has a list's mark ours has none either: the lines below
        it would be read as its own.
        """
        told, marked = Checkpoint(**self.read(body)), any(map(MARK.match, body))
        new = {n: line for n, line in zip(self.fields, self.show(state), strict=True) if getattr(told, n) != getattr(state, n)}
        parts = [chunk for chunk in _one_by_one(body) if not is_placeholder(chunk.text)]
        spoken = {name: number for number, chunk in enumerate(parts) if (name := self._named(chunk))}  # the last one speaks
        if not spoken:
            return [*self.show(state), *(line for chunk in parts for line in chunk.lines)]
        new = new if marked else {name: line.removeprefix("- ") for name, line in new.items()}
        last = max(spoken.values()) if marked else max(number for number, chunk in enumerate(parts) if chunk.text.strip())
        lines: list[str] = []
        for number, chunk in enumerate(parts):
            name = self._named(chunk)
            lines += [new.pop(name)] if name in new and spoken[name] == number else chunk.lines
            if number == last:
                lines += [line for name, line in new.items() if name not in spoken]
        return lines

    def _named(self, chunk: Chunk) -> str:
        """Which of the four an item is; empty for any other line."""
        line = re.match(self._LINE, chunk.text) if chunk.item else None
        return line["name"].casefold() if line else ""


def _one_by_one(body: list[str]) -> list[Chunk]:
    """Items and other lines; of a body without a list's marks each line is an item."""
    if any(MARK.match(line) for line in body):
        return chunks(body)
    return [part for line in body for part in chunks([line])]


class Asked:
    """Blockers and open questions in one list, told apart by their first word."""

    fields = ("blockers", "questions")
    _WORD = r"(\*\*)?(Blocker|Question)(?(1)(?::\*\*|\*\*:)|:)"

    def read(self, body: list[str]) -> dict[str, Any]:
        """Body → blockers and questions; an item without the word is a question."""
        blockers, questions = [], []
        for chunk in chunks(body):
            word = re.match(self._WORD, chunk.text)
            if chunk.item and word and word[2] == "Blocker":
                blockers.append(chunk.text[word.end() :])
            elif chunk.item:
                questions.append(chunk.text[word.end() if word else 0 :])
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


def name_pairs(text: str) -> list[tuple[str, str]]:
    """“kind: `value`, `value`” → (kind, value) pairs, of a kind that is collected; else the one pair that it is."""
    begin = text.find(": `")
    if begin > 0 and text[-1] == "`" and "`, `" in text and is_collected(text[:begin]):
        values = text[begin + 3 : -1].split("`, `")
        if all(value and "`" not in value for value in values):
            return [(text[:begin], value) for value in values]
    return [name_pair(text)]


_BOLD_KEY = re.compile(r"(\*\*|__)(?P<key>[^*_:\n][^*:\n]*?)(?:\1[ \t]*:|:\1)(?=[ \t\n]|$)[ \t]*")


def context_text(pair: tuple[str, str]) -> str:
    """(key, value) → “key: value”; a colon inside a key is written twice, and one that would read as bold has a backslash."""
    text = f"{pair[0].replace(':', '::')}: {pair[1]}" if pair[1] else f"{pair[0].replace(':', '::')}:"
    return f"\\{text}" if _BOLD_KEY.match(text.lstrip("\\")) else text


def context_pair(text: str) -> tuple[str, str]:
    """“key: value” → (key, value), also where the key is in bold; a text without a colon is a key without a value."""
    bold = _BOLD_KEY.match(text)
    if bold:
        return bold["key"].strip(), text[bold.end() :]
    if text.startswith("\\") and _BOLD_KEY.match(text.lstrip("\\")):
        text = text[1:]
    found = re.match(r"((?:[^:]|::)+?):(?:[ \t]+|$|(?=\n))(.*)", text, re.S)
    if not found:
        return text.replace("::", ":"), ""
    return found[1].replace("::", ":"), found[2]


class Context(Items):
    """Keys and values. A key that somebody has written in bold stays so with a new value; where all are, a new key is too."""

    def __init__(self, field: str) -> None:
        super().__init__(field, text=context_text, value=context_pair)

    def revise(self, body: list[str], state: Checkpoint) -> list[str]:
        """The lines that replace a body, in its own style."""
        lines = super().revise(body, state)
        items = [chunk.text for chunk in chunks(body) if chunk.item and not is_placeholder(chunk.text)]
        bold = {found["key"].strip() for found in map(_BOLD_KEY.match, items) if found}
        if len(bold) == len(items):
            bold |= {key for key, _ in getattr(state, self.fields[0])}
        there = {unended(line) for line in body}
        pairs = [pair for pair in getattr(state, self.fields[0]) if items and pair[0] in bold]
        plain = {f"- {context_text(pair)}".partition("\n")[0]: pair for pair in pairs}
        return [_in_bold(plain[line]) if line in plain and line not in there else line for line in lines]


def _in_bold(pair: tuple[str, str]) -> str:
    """The first line of an item with its key in bold, where that reads back as the same key."""
    first = f"**{pair[0]}**: {pair[1]}".partition("\n")[0].rstrip(" ")
    found = _BOLD_KEY.match(first)
    return f"- {first}" if found and found["key"] == pair[0] else f"- {context_text(pair)}".partition("\n")[0]


def action_text(pair: tuple[str, bool]) -> str:
    """(action, ticked) → “[x] action”."""
    return f"[{'x' if pair[1] else ' '}] {pair[0]}"


def action_pair(text: str) -> tuple[str, bool]:
    """“[ ] action” → (action, ticked); without a box it is still to be done."""
    box = re.match(r"\[([ xX])\][ \t]+", text)
    return (text[box.end() :], box[1] != " ") if box else (text, False)
