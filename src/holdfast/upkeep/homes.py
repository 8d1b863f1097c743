"""Where facts live: the home of each class of fact, what stands in it, and what goes there. Pure.

Each class of fact has one home: its file under `memory/semantic/` or `memory/procedural/` where there is one, else its section
of `MEMORY.md` as long as that stays within its lines, else the file is made. A fact at home is an item; what we put there says
from which days it comes: `- small commits (from 2026-11-03, 2026-11-09)`.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ..documents import sections as s
from ..documents.days import REFERENCE
from ..model import Value, fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .plan import View

MEMORY = "MEMORY.md"
PLACES = (MEMORY, "memory/semantic", "memory/procedural")
# class of fact: (its file, title, tag, title of its section in MEMORY.md)
HOMES = {
    "PREF": ("memory/semantic/preferences.md", "Preferences", "preferences", "[PREF] Preferences"),
    "PROJ": ("memory/semantic/projects.md", "Projects", "projects", "[PROJ] Projects"),
    "TECH": ("memory/semantic/infrastructure.md", "Infrastructure", "infrastructure", "[TECH] Technical"),
    "LESSON": ("memory/procedural/lessons-learned.md", "Lessons Learned", "lessons", "[LESSON] Lessons"),
    "PEOPLE": ("memory/semantic/people.md", "People", "people", "[PEOPLE] People"),
    "DECISION": ("memory/semantic/decisions.md", "Decisions", "decisions", "Active Decisions"),
}
COLLECTED = "From the days"  # the section for what comes from the days, in a file that has sections
_NAMED = 5  # days that a fact at home names as its sources: the first and the latest
_NO_SETTINGS = ("LESSON", "DECISION")  # “deploys: in pairs” is no value that “deploys: not on Friday” replaces
_LATER = ("Active Decisions", "Open Questions")  # the sections of MEMORY.md that stand below those of the types
_FROM = re.compile(r"\s*\(from ([\d, -]+)\)$")
_STRUCK = re.compile(r"~~(.*)~~")
_OVER = re.compile(r"(?m)^- ~~(.*)~~ \(from [\d, -]+; superseded (\d{4}-\d\d-\d\d)\)\r?$")
_TAG = re.compile(r"\[[A-Z]+\][ \t]+")
_FRICTION = re.compile(r"#friction:[ \t]*(?=\S)")  # a tag of a note as well: what rubs is one fact with it and without
_DECIDED = re.compile(r"(?i)(?:decided|decision|decide|决定|决策)[:：][ \t]*(?=\S)")  # so is a decision
_WORDS = re.compile(r"[^\W_]+", re.U)
_KEYED = re.compile(r"([^:=\n]{2,60}?)[ \t]*(?::[ \t]|=[ \t])[ \t]*(\S.*)", re.S)
_NOW = re.compile(r"(.{2,60}?)[ \t](?:is|are)[ \t](?:now[ \t])?(\S.*)", re.S | re.I)
# What stands before a colon without being a thing that has a value.
_NO_THING = frozenset(
    "note notes remember reminder todo fix bug tip important warning lesson rule always never idea question decision correction "  # noqa: SIM905
    "friction update example fyi nb ps why because also problem solution cause result next done step".split()
)


class Fact(Value):
    """A fact on its way home: what it says and the days that say it."""

    type: str
    text: str
    days: tuple[str, ...]


@lru_cache(maxsize=8192)  # those of the homes are asked for again with each month that is archived
def meaning(text: str) -> str:
    """What two texts must have in common to be one fact: their words, whatever the case and the punctuation."""
    text = _TAG.sub("", _FROM.sub("", text.strip()), count=1)
    text = text[found.end() :] if (found := _FRICTION.match(text) or _DECIDED.match(text)) else text
    return " ".join(_WORDS.findall(text.casefold())) or text.casefold()


@lru_cache(maxsize=8192)
def subject(text: str) -> tuple[str, str]:
    """(what a fact is about, what it says of it) where that is plain: `editor: vim`, `the branch is now main`; else empty.

    Deliberately narrow. “Anna is a designer” and “Anna is on leave” do not contradict each other.
    """
    bare = _FROM.sub("", text.strip())
    found = _KEYED.match(bare) or (_NOW.match(bare) if re.search(r"\b(is|are) now\b", bare, re.I) else None)
    about = meaning(found[1]) if found else ""
    return (about, meaning(found[2])) if found and about not in _NO_THING else ("", "")


def items(text: str) -> list[str]:
    """The facts of a home, one an item; those that were superseded and mere references are none."""
    found = (chunk.text.strip() for chunk in s.chunks(s.lines_of(text)) if chunk.item and chunk.lines[0][:1] in "-*+")
    return [item for item in found if item and not _STRUCK.match(item) and not item.startswith(REFERENCE)]


def settings(path: str, text: str) -> str:
    """What of a home may say which value a thing has: not what was learnt, decided or is asked."""
    if path != MEMORY:
        return "" if path in [HOMES[kind][0] for kind in _NO_SETTINGS] else text
    return s.join([one for one in s.parse(s.closed(text)) if not _no_settings(one.name)])


def _no_settings(section: str) -> bool:
    return section.startswith(("[LESSON]", *_LATER))


def homes(view: View) -> list[str]:
    """Every file that facts live in."""
    there = [MEMORY] if view.text(MEMORY) is not None else []
    return there + [path for folder in PLACES[1:] for path in view.below(folder)]


def known(view: View) -> dict[str, str]:
    """Meaning → the home that has it, for every fact that is at home."""
    found: dict[str, str] = {}
    for path in homes(view):
        for item in items(view.text(path) or ""):
            found.setdefault(meaning(item), path)
    return found


def superseded(view: View) -> dict[str, tuple[str, str]]:
    """Meaning → (home, day) of the facts that are struck through there: known, and over since that day."""
    found: dict[str, tuple[str, str]] = {}
    for path in homes(view):
        for struck in _OVER.finditer(view.text(path) or ""):
            found[meaning(struck[1])] = (path, struck[2])
    return found


def home_for(view: View, kind: str, limit: int, more: int = 0) -> str:
    """The home of a class of fact, with room for so many lines more."""
    file = HOMES[kind][0]
    memory = view.text(MEMORY) or ""
    if view.text(file) is not None:
        return file
    return MEMORY if memory.count("\n") + more <= limit else file


class Settled(Value):
    """What has become of homes to which facts were brought."""

    texts: dict[str, str]  # path → text: that home, and another one where a value of the same thing stood
    said: list[str]  # of the facts that contradict each other
    over: dict[str, tuple[str, str]]  # meaning → (home, day) of those that were struck through


def settled(texts: dict[str, str | None], path: str, facts: list[Fact], today: str) -> Settled:
    """A home with facts brought to it, the oldest first. A thing may have a value in the other home of its class: the file was
    made when MEMORY.md was full, and what is there by then stays there.
    """
    text = texts.get(path) or _new(path, facts[0].type, today)
    named = {fact.type for fact in facts if fact.type not in _NO_SETTINGS and subject(fact.text)[0]}
    others = {MEMORY, *(HOMES[kind][0] for kind in named)} - {path} if named else set()
    shelf, beside = _Shelf(text), {other: _Shelf(texts.get(other) or "") for other in sorted(others) if texts.get(other)}
    for fact in facts:
        newer = [held for other in beside.values() if (held := other.give_way(fact))]
        shelf.put(fact, newer[0] if newer else None)
    text = s.like(text, "".join(shelf.lines))
    for kind, new in shelf.new.items():
        lines = [line for item in new for line in item]
        text = _in_section(text, HOMES[kind][3], lines) if path == MEMORY else _below(text, lines)
    done = {path: _redated(text, today)}
    done |= {other: s.like(texts[other] or "", "".join(one.lines)) for other, one in beside.items() if one.said}
    over = {said: (home, day) for home, one in ((path, shelf), *beside.items()) for said, day in one.over.items()}
    return Settled(done, [*shelf.said, *(said for one in beside.values() for said in one.said)], over)


_Held = tuple[str, str, str, list[str], int]  # what is said of a thing: its value, the text, its days, and the line that says it


class _Shelf:
    """A home while facts are put into it: what stands there, what is new by its type, and who says what of which thing."""

    def __init__(self, text: str) -> None:
        self.end = s.line_end(text)
        self.lines = s.lines_of(s.closed(text))
        self.new: dict[str, list[list[str]]] = {}
        self.said: list[str] = []
        self.over: dict[str, str] = {}  # meaning → the day since which it is struck through
        self._holds: dict[str, _Held] = {}
        under = ""
        for number, line in enumerate(self.lines):
            under = line[3:].strip() if line.startswith("## ") else under
            may_name = ":" in line or "=" in line or "now" in line.casefold()  # a home of ten years has thousands that do not
            is_item = may_name and line[:2] in ("- ", "* ", "+ ") and not line.startswith("- ~~") and not _no_settings(under)
            about, says = subject(line[2:]) if is_item else ("", "")
            if about:
                dated = _FROM.search(line.rstrip())
                if dated:  # without our dates it is a person's line: theirs to change
                    self._holds[about] = (says, _FROM.sub("", line[2:].strip()), dated[1], self.lines, number)

    def give_way(self, fact: Fact) -> _Held | None:
        """Strike through what is said here of the thing that a fact elsewhere has another value of; what is newer stands, and is
        returned.
        """
        about, says = subject(fact.text) if fact.type not in _NO_SETTINGS else ("", "")
        held = self._holds.get(about) if about else None
        if held is None or held[0] == says:
            return None
        if held[2].split(", ")[-1] > fact.days[-1]:
            return held
        self._strike(held, fact)
        del self._holds[about]
        return None

    def _strike(self, held: _Held, fact: Fact) -> None:
        held[3][held[4]] = f"- ~~{fold(held[1])}~~ (from {held[2]}; superseded {fact.days[-1]}){self.end}"
        if held[3] is not self.lines:
            del held[3][1:]  # what it said on further lines is folded into the one that is struck through
        self.said.append(f"“{fold(held[1], 60)}” is superseded by “{fold(fact.text, 60)}”")
        self.over[meaning(held[1])] = fact.days[-1]

    def put(self, fact: Fact, newer: _Held | None = None) -> None:
        """Put a fact in; of two values of one thing the newer one stands, here or elsewhere, and the older one is struck out."""
        days = ", ".join(fact.days if len(fact.days) <= _NAMED else (fact.days[0], *fact.days[1 - _NAMED :]))
        between = "\n" if fact.text.rpartition("\n")[2].startswith(("```", "~~~")) else " "  # a fence ends its line
        item = [part + self.end for part in s.item_lines(f"{fact.text}{between}(from {days})")]
        about, says = subject(fact.text) if fact.type not in _NO_SETTINGS else ("", "")
        held = newer or (self._holds.get(about) if about else None)
        if held and held[0] != says and held[2].split(", ")[-1] > fact.days[-1]:
            self.over[meaning(fact.text)] = held[2].split(", ")[0]
            item = [f"- ~~{fold(fact.text)}~~ (from {days}; superseded {held[2].split(', ')[0]}){self.end}"]
            self.said.append(f"“{fold(fact.text, 60)}” was superseded already by “{fold(held[1], 60)}”")
        else:
            if held and held[0] != says:
                self._strike(held, fact)
            if about:
                self._holds[about] = (says, fact.text, days, item, 0)
        self.new.setdefault(fact.type, []).append(item)


def _below(text: str, new: list[str]) -> str:
    """Lines at the end of a file, directly below a list or after an empty line. Where its owner has divided it by headings, they
    have a section of their own: what comes from the days must not stand below the heading of something else.
    """
    end, whole = s.line_end(text), s.closed(text)
    if any(line.startswith("## ") for line in s.lines_of(whole)):
        return _in_section(text, COLLECTED, new)
    last = whole.rstrip("\r\n").rsplit("\n", 1)[-1]
    gap = "" if last.startswith(("- ", "  ")) or whole.endswith((end + end, "\n\n")) else end
    return whole + gap + "".join(new)


def _in_section(text: str, title: str, new: list[str]) -> str:
    """Lines at the end of a section of MEMORY.md, which is made where it is missing."""
    end = s.line_end(text)
    found = s.parse(s.closed(text))
    tag = title.split(maxsplit=1)[0] if title.startswith("[") else title
    section = next((one for one in found[1:] if one.name.casefold().startswith(tag.casefold())), None)
    if section is None:
        at = next((i for i, one in enumerate(found) if i and one.name in _LATER and title not in _LATER), len(found))
        above = found[at - 1].body or [found[at - 1].head]
        if above[-1].strip():
            found[at - 1].body.append(end)
        section = s.Section(title, f"## {title}{end}", [])
        found.insert(at, section)
    start, stop = s.content(section.body)
    kept = [line for line in section.body[start:stop] if not s.is_placeholder(line)]
    s.refill(section, [*kept, *new], end)
    whole = s.join(found)
    while whole.endswith(end + end) and not text.endswith(end + end):
        whole = whole.removesuffix(end)
    return s.like(text, whole)


def _new(path: str, kind: str, today: str) -> str:
    if path == MEMORY:
        return f"# Agent Memory\n#tags: memory\nlast_verified: {today}\nlast_updated: {today}\n"
    return f"# {HOMES[kind][1]}\n#tags: {HOMES[kind][2]}\nlast_verified: {today}\n\n"


def _redated(text: str, today: str) -> str:
    """`last_updated:` in the head of MEMORY.md, where its owner has that line."""
    head, below = text[:600], text[600:]
    return re.sub(r"(?m)^last_updated:[^\r\n]*", f"last_updated: {today}", head, count=1) + below


def reference(path: str, text: str) -> str:
    """What is left in a day in the place of a fact that has gone home."""
    return f"{REFERENCE}{path}: {fold(text, 60)}"
