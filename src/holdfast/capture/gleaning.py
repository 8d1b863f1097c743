"""What a user has plainly said to last goes into the day as notes, by itself, at the next boundary; and no note is saved twice.

A hook that reads a transcript on keeps the user's messages that may be worth it (following.py). Before a compaction, and at the
end of a session, they are put into `.holdfast/heard/`, and a process of its own looks at them, so that no host waits for it;
never for a prompt. A file goes when all of it is saved: what a killed process has left, the next boundary goes on with. What it
saved is a receipt. `autoExtract = "never"` in the settings turns it off.
"""

from __future__ import annotations

import json
import os

from ..config import read_config
from ..documents.days import entries
from ..errors import HoldfastError, UserError, not_saved
from ..guard.entering import printable, redacted
from ..memory import Memory
from ..model import Note
from ..storage.disk import Lock
from ..storage.processes import detached
from ..storage.writing import Past
from ..upkeep.homes import PLACES, items, meaning
from ..util import format_time
from .extracting import likeness
from .following import WAITING, waiting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .extracting import Item

WAIT = 20.0  # seconds for another process that is saving what it has extracted


def begin(memory: Memory) -> None:
    """Look at what was heard beside whoever called; returns at once. Nothing that is open here is shared."""
    if detached():
        try:
            _run(memory.workspace)
        finally:
            os._exit(0)


def _run(workspace: str) -> None:
    memory = Memory(workspace, read_config(workspace, os.environ), write=True)
    for name in waiting(memory):
        _finish(memory, name)
    memory.close()


def _finish(memory: Memory, name: str) -> None:
    """Glean one file of what was heard, and take it away. Two at once save nothing twice."""
    try:
        folder = memory.store.folder(WAITING)
        told = _understood(folder.read(name))
    except OSError:
        return  # another process has finished it, or the next boundary tries again
    session, host, heard = told or ("", "", [])
    try:
        saved = gleaned(memory, session, host, heard)
        folder.remove(name)
        did = f"saved {', '.join(saved)}" if saved else ""
    except (HoldfastError, OSError) as error:
        did = f"stopped, and the next boundary tries again: {redacted(str(error))[0]}"
    if not told:
        did = f"let go of {name}, which could not be read; `holdfast extract` looks at the transcript"
    if did:
        memory.receipt(event="extract", host=host, session=session, did=did)


def _understood(data: bytes) -> tuple[str, str, list[tuple[str, str]]] | None:
    """(session, host, what was heard) of a file; None where it is damaged."""
    try:
        told = json.loads(data.decode("utf-8", "surrogateescape"))
        return str(told["session"]), str(told["host"]), [(str(text), str(time)) for text, time in told["heard"]]
    except (LookupError, TypeError, ValueError, RecursionError):
        return None


def gleaned(memory: Memory, session: str, host: str, heard: list[tuple[str, str]]) -> list[str]:
    """Save what was plainly said of what was heard; the ids of the notes. Each is dated by when it was said."""
    from .lasting import is_worth_a_look

    if not any(is_worth_a_look(text) for text, _ in heard):
        return []  # so it is most of the time, and the words of ten languages need not be learnt for it
    from ..transcripts.heads import seconds
    from .extracting import Said
    from .lasting import plain

    found: list[tuple[Item, Past | None]] = []
    for item in plain([Said(text, "user", time, time[:10]) for text, time in heard]):
        moment = seconds(item.origin)
        found.append((item, Past(moment, f"{session}\0{item.likeness}") if moment else None))
    return [record_id for record_id, _ in saved_once(memory, session, found, host=host, origin="transcript")]


def saved_once(
    memory: Memory, session: str, found: list[tuple[Item, Past | None]], **about: str
) -> Iterator[tuple[str, Item]]:
    """Save as notes what memory does not have yet; (id, item) of each as it is saved.

    One process at a time looks and saves: of two that have extracted the same, each would find it missing.
    """
    if not found:
        return
    try:
        lock = Lock(memory.home, "extract.lock")
    except OSError as error:
        raise not_saved(error, memory.home.at("extract.lock"), "What was extracted") from error
    try:
        if not lock.take(WAIT):
            raise UserError("Another process is saving what it has extracted. Nothing was saved here; run it again.")
        there = known(memory)
        for item, past in found:
            same = likeness(meaning(item.note))
            if same in there:
                continue
            there.add(same)
            saved = memory.note(session, Note(printable(item.note), item.type), past, trigger="extract", **about)
            if not saved.known:
                yield saved.id, item
    finally:
        lock.close()


def known(memory: Memory) -> set[str]:
    """What memory has already, by its letters: every note of the journal, the entries of the newest days, the facts at home."""
    from ..documents.markdown import read_note

    found = {read_note(record.body)[1] for record in memory.journal.records(kind="note")}
    for ago in (0, 1):
        day = format_time(memory.clock() - 86400 * ago)[:10]
        found |= {entry.text for entry in entries(memory.days.text(day))}
    found |= {item for text in _homes(memory) for item in items(text)}
    return {likeness(meaning(text)) for text in found}


def _homes(memory: Memory) -> Iterator[str]:
    file, *folders = PLACES
    yield memory.store.text_or_empty("", file)
    for path in folders:
        try:
            names = memory.store.folder(path, make=False).names()
        except OSError as error:
            memory.store.pass_over(error)
            continue
        yield from (memory.store.text_or_empty(path, name) for name in names if name.endswith(".md"))
