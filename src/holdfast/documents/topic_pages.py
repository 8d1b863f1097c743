"""The file of a topic: what was decided and done in it, told by all who worked on it.

Like every document (markdown.py): text in, text out, and what a person wrote into it stays. Most commands change no topic: it is
loaded where one is read or written.
"""

from __future__ import annotations

import re

from ..model import EMPTY, Value
from . import sections as s
from .codecs import Prose

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class Topic(Value):
    """What a topic file says."""

    name: str = ""
    created: str = ""
    updated: str = ""
    session: str = ""
    status: str = ""
    decisions: tuple[str, ...] = ()
    history: tuple[str, ...] = ()


_META = r"(?i)[-*][ \t]+\*\*(created|updated|session)\*\*:(.*)"
_DATED = r"\d{4}-\d\d-\d\d\b"
_STATUS = Prose("status")


def read_topic(text: str) -> Topic:
    """A topic file, as it is."""
    found = s.parse(text)
    title = next((s.bare(line)[2:].strip() for line in found[0].body if s.bare(line).startswith("# ")), "")
    meta = {m[1].casefold(): m[2].strip() for m in (re.match(_META, s.bare(line)) for line in _body(found, "Meta")) if m}
    return Topic(
        title,
        meta.get("created", ""),
        meta.get("updated", ""),
        meta.get("session", ""),
        _STATUS.read(_body(found, "Current Status"))["status"],
        _entries(found, "Key Decisions"),
        _entries(found, "History"),
    )


def _body(found: list[s.Section], name: str) -> list[str]:
    section = s.find(found, name)
    return section.body if section else []


def _entries(found: list[s.Section], name: str) -> tuple[str, ...]:
    return tuple(c.text for c in s.chunks(_body(found, name)) if c.item and not s.is_placeholder(c.text))


class TopicChange(Value):
    """What a checkpoint does to a topic file."""

    name: str
    today: str
    session: str = ""
    status: str = ""
    decisions: tuple[str, ...] = ()
    history: tuple[str, ...] = ()
    max_decisions: int = 20
    max_history: int = 30


def write_topic(text: str, change: TopicChange) -> tuple[str, str]:
    """The topic file after a change, and the lines that were pruned from it (oldest first, for the archive)."""
    history = change.history
    mark, text = s.marked(text)
    if not text.strip():
        text = _new_topic(change)
        history = ("Context created", *history)
    end = s.line_end(text)
    found = s.parse(s.closed(text))
    _date_meta(found, change, end)
    if change.status:
        state = EMPTY.replaced(status=change.status)
        s.refill(_section(found, "Current Status", end), _STATUS.show(state), end)
    pruned = _extend(_section(found, "Key Decisions", end), change.decisions, change.today, change.max_decisions, end)
    pruned += _extend(_section(found, "History", end), history, change.today, change.max_history, end)
    new = s.join(found)
    while new.endswith(end + end) and not text.endswith(end + end):
        new = new.removesuffix(end)
    return mark + s.like(text, new), "".join(pruned)


def _new_topic(change: TopicChange) -> str:
    meta = f"- **created**: {change.today}\n- **updated**: {change.today}\n- **session**: {change.session or 'none'}\n"
    return f"# {change.name}\n\n## Meta\n{meta}\n## Current Status\nnone\n\n## Key Decisions\nnone\n\n## History\nnone\n"


def _section(found: list[s.Section], name: str, end: str) -> s.Section:
    section = s.find(found, name)
    if section is None:
        section = s.Section(name, f"## {name}{end}", [end])
        if found[-1].body and found[-1].body[-1].strip():
            found[-1].body.append(end)
        found.append(section)
    return section


def _date_meta(found: list[s.Section], change: TopicChange, end: str) -> None:
    wanted = {"created": change.today, "updated": change.today, "session": change.session}
    section = _section(found, "Meta", end)
    start, stop = s.content(section.body)
    lines = section.body[start:stop]
    for i, line in enumerate(lines):
        meta = re.match(_META, s.unended(line))
        value = wanted.pop(meta[1].casefold(), "") if meta else ""
        if meta and value and meta[1].casefold() != "created":
            lines[i] = f"- **{meta[1]}**: {value}" + line[len(s.unended(line)) :]
    lines += [f"- **{key}**: {value}" for key, value in wanted.items() if value]
    s.refill(section, lines, end)


def dated(entry: str, today: str) -> str:
    """An entry of a topic with its day in front of it."""
    return entry if re.match(_DATED, entry) else f"{today}: {entry}"


def _extend(section: s.Section, entries: Iterable[str], today: str, limit: int, end: str) -> list[str]:
    """Append dated entries to a list section; the oldest beyond the limit are taken out and returned as they stood."""
    start, stop = s.content(section.body)
    body = [line for line in section.body[start:stop] if not s.is_placeholder(line)]
    if not entries and start < stop:
        return []  # nothing is added, so the section stays as its owner left it
    for entry in entries:
        body += [line + end for line in s.item_lines(dated(entry, today))]
    parts = s.chunks(body)
    items = [chunk for chunk in parts if chunk.item]
    gone = items[: max(0, len(items) - limit)]
    kept = [line for chunk in parts if chunk not in gone for line in chunk.lines]
    s.refill(section, kept or ["none"], end)
    return [s.closed(line) for chunk in gone for line in chunk.lines]


def retitled(text: str, title: str) -> str:
    """A topic file under another title."""
    lines = s.lines_of(text)
    for i, line in enumerate(lines):
        if s.bare(line).startswith("# "):
            lines[i] = ("\ufeff" if line.startswith("\ufeff") else "") + f"# {title}" + line[len(line.rstrip("\r\n")) :]
            break
    return "".join(lines)
