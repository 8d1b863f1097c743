"""A record forgotten by its id: the record itself, and what it put into documents, as far as that can be known.

Its block in the day is known by its id; a note, a line of the buffer and the entries of a topic by their own words, of which as
many stay as other records have put there; the snapshot's file by the id in it. From the working state goes what it had changed
and nobody has changed since. What other records say too stays with them: `holdfast forget TEXT` is for a text, wherever it is.
"""

from __future__ import annotations

from ..documents import markdown, topic_pages
from ..documents import sections as s
from ..model import REPLACED, TEXTS, Checkpoint
from ..storage.exchange import Document
from ..storage.store import after, buffer_line, parked_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..memory import Memory
    from ..model import Record

    Change = tuple[str, str, Callable[[str], str]]  # (folder, name, what becomes of its text)


def documents(memory: Memory, record: Record) -> Iterator[Document]:
    """The documents that a record has put something into, each with the change that takes it out."""
    for path, name, change in _changes(memory, record):
        try:
            folder = memory.store.folder(path, make=False) if path else memory.root
        except OSError:
            continue
        text = memory.store.text(folder, name) if folder.stat(name) else ""
        if change(text) != text:
            yield Document("forgotten", folder, name, change, name.casefold() == "session-state.md")


def _changes(memory: Memory, record: Record) -> Iterator[Change]:
    if record.origin == "hand":
        return  # its owner wrote it into the day, and it is in no other document
    there = map(memory.journal.read, memory.journal.of_day(f"{record.id[:4]}-{record.id[4:6]}-{record.id[6:8]}"))
    others = [other for other in there if other and other.id != record.id]
    if record.kind == "note":
        same = sum(other.body == record.body for other in others)
        yield *memory.days.path(record.time[:10]), _lines_out(record.body, same)
    if record.kind == "state":
        line = _buffer(record)
        yield "memory", "working-buffer.md", _lines_out(line, sum(_buffer(other) == line for other in others))
    if record.kind == "checkpoint":
        yield *memory.days.path(record.time[:10]), lambda text: without_block(text, record.id)
        yield from _of_topic(memory, record, others)
    if record.kind in ("state", "checkpoint", "restore"):
        yield from _of_state(memory, record)


def snapshot_file(memory: Memory, record: Record) -> str:
    """The file of a snapshot; empty where it has none any more."""
    for name in memory.snapshots() if record.kind == "snapshot" else ():
        if markdown.stamps(memory.store.text_or_empty("memory/session-snapshots", name)).get("record") == record.id:
            return name
    return ""


def _buffer(record: Record) -> str:
    if record.kind != "state":
        return ""
    return "\n".join(s.item_lines(f"{record.time[:16].replace('T', ' ')} {buffer_line(record)}"))


def _lines_out(lines: str, stay: int) -> Callable[[str], str]:
    """Takes out lines that stand in a text together, from the last, but for as many times as others have put them there."""
    wanted = lines.rstrip("\n").split("\n")

    def change(text: str) -> str:
        found = s.lines_of(text)
        places = [i for i in range(len(found)) if [s.unended(line) for line in found[i : i + len(wanted)]] == wanted]
        for i in reversed(places[stay:]):
            del found[i : i + len(wanted)]
        return "".join(found)

    return change


def without_block(text: str, record_id: str) -> str:
    """A day without the block of a record, and without the rule and the heading above it."""
    lines = s.lines_of(text)
    for number, block in reversed(markdown.blocks(text)):
        if f"<!-- holdfast: {record_id} -->" in block:
            start, end = number - 1, number - 1 + len(s.lines_of(block))
            while start and (not lines[start - 1].strip() or lines[start - 1].startswith(("## Task Snapshot", "---"))):
                start -= 1
                if lines[start].startswith("---"):
                    break
            del lines[start:end]
    return "".join(lines)


def _of_topic(memory: Memory, record: Record, others: list[Record]) -> Iterator[Change]:
    """The decisions and the history that a checkpoint has added to its topic."""
    theirs = [entry for other in others if other.topic == record.topic for entry in _entries(other)]
    for entry in dict.fromkeys(_entries(record) if record.topic else ()):
        lines = "\n".join(s.item_lines(entry))
        yield memory.config.contextDir, f"context-{record.topic}.md", _lines_out(lines, theirs.count(entry))


def _entries(record: Record) -> list[str]:
    if record.kind != "checkpoint":
        return []
    said = topic_pages.read_topic(record.body.removesuffix(markdown.block_in(record.body)))
    return [topic_pages.dated(entry, record.time[:10]) for entry in (*said.decisions, *said.history)]


def _of_state(memory: Memory, record: Record) -> list[Change]:
    """The session-state files of the record's session."""
    prior = memory.store.replayed(record.session, until=record.id, but=record.id)
    with_it = after(prior, record)

    def change(text: str) -> str:
        if not text.strip() or markdown.stamps(text).get("session", record.session) != record.session:
            return text
        return markdown.write_state(text, undone(prior, with_it, markdown.read_state(text)), {})

    def classic(text: str) -> str:
        return markdown.write_classic(text, undone(prior, with_it, markdown.read_state(text))) if text.strip() else text

    found = [("memory", "session-state.md", change), (".holdfast/sessions", parked_name(record.session), change)]
    return [*found, ("", "SESSION-STATE.md", classic)]


def undone(prior: Checkpoint, with_it: Checkpoint, now: Checkpoint) -> Checkpoint:
    """The state as it is now without what a record had changed; what was changed since stays."""
    change: dict[str, object] = {}
    for name in now._fields:
        was, became, there = getattr(prior, name), getattr(with_it, name), getattr(now, name)
        if was == became:
            continue
        if name in TEXTS or name in REPLACED:
            change[name] = was if there == became else there
        else:
            change[name] = tuple(item for item in there if item in was or item not in became)
    return now.replaced(**change)
