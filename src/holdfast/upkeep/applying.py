"""A plan carried out, change by change, through the store: each is looked at again before it is made.

Under the lock, and for each change anew: everything that it rests on must still be what was read when the plan was made;
otherwise a person has edited it since, and the change is dropped and reported. Then its edits are made in their order. A document
that loses lines by it is in the trash as it was before, with the reason; one that goes, goes there. A crash between two edits
leaves a text in both its places, never in none, and the next plan finishes it.
"""

from __future__ import annotations

from collections import Counter

from ..errors import UserError
from ..guard.entering import redacted
from ..model import Value
from ..storage.days import uncompressed
from ..storage.exchange import encoded
from ..storage.packing import packed
from ..storage.writing import PATIENCE
from ..util import compute_digest, make_id
from .brought import remember
from .plan import mark_of
from .surveying import Found
from .trash import empty

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..memory import Memory
    from ..storage.disk import Folder
    from .plan import Change, Edit


class Outcome(Value):
    """What became of a plan."""

    done: tuple[Change, ...]
    dropped: tuple[tuple[Change, str], ...]  # with the reason


def apply(memory: Memory, changes: list[Change], progress: Callable[[int], None] = lambda _done: None) -> Outcome:
    """Carry a plan out. A disk that refuses raises; what was done until then stands, and the next run goes on."""
    done: list[Change] = []
    dropped: list[tuple[Change, str]] = []
    for number, change in enumerate(changes):
        why = _made(memory, change)
        if why:
            dropped.append((change, why))
        else:
            done.append(change)
        progress(number + 1)
    return Outcome(tuple(done), tuple(dropped))


def _made(memory: Memory, change: Change) -> str:
    """Make one change; returns why not, where it was not made."""
    if memory.lock is None or not memory.lock.take(PATIENCE):
        return "another process is writing here; run it again"
    try:
        if change.edits and memory.store.vanished():
            raise UserError("memory/ is missing or empty: moved away, or not mounted. Nothing was changed. Bring it back.")
        stale = _stale(memory, change)
        if stale:
            return f"{stale} was changed since the plan was made"
        empty(memory, change.let_go)
        for day in change.packs:
            _pack(memory, day)
        if change.receipts:
            _rotate_receipts(memory, change)
        why = _edited(memory, change)
        if change.at_home and not why:
            remember(memory, change.at_home)
        return why
    finally:
        memory.lock.release()


def _pack(memory: Memory, day: str) -> None:
    """A closed day of the journal into one file. What only kept the state from one turn to the next goes to the trash."""
    outdated = memory.journal.outdated(day)
    if outdated:
        why = f"the state at the end of {len(outdated)} turns, each replaced by a later one\nfrom: .holdfast/journal/{day}.md"
        memory.store.keep_in_trash(packed(outdated), f"{day}.md", why, make_id(memory.clock(), ""))
    memory.journal.pack(day, without=outdated)


def _edited(memory: Memory, change: Change) -> str:
    """Make the edits of a change in their order; returns which file was in the way, where one was.

    What is new is durable before anything goes. One sync of a folder serves all the files that came to it or went from it.
    """
    store, change_id = memory.store, make_id(memory.clock(), "")
    gone = [edit for edit in change.edits if edit.after is None and edit.before]
    drafts = _drafted(memory, change)
    try:
        for edit in change.edits:
            if gone and edit is gone[0]:
                store.explain(change_id, _explained(change, gone))
                store.settle()
            draft = drafts.pop(edit.path, "")
            folder, name = _place(memory, edit.path)
            if not (store.bring(folder, name, draft) if draft else _is_made(memory, change, edit, change_id)):
                store.settle()
                return f"{edit.path} was changed, or is being written, at this moment"
        store.settle()
        return ""
    finally:
        for path, draft in drafts.items():
            store.swap_for(_place(memory, path)[0]).remove(draft)


def _drafted(memory: Memory, change: Change) -> dict[str, str]:
    """The files that a change makes, written and durable, without their names yet: path → draft in the swap folder."""
    new: dict[Folder, dict[str, bytes]] = {}
    for edit in change.edits:
        if edit.after is not None and not edit.before:
            folder, name = _place(memory, edit.path, make=True)
            new.setdefault(memory.store.swap_for(folder), {})[edit.path] = as_stored(name, encoded(edit.after))
    found: dict[str, str] = {}
    for swap, files in new.items():
        found.update(zip(files, swap.prepare_all([*files.values()]), strict=True))
    return found


def _explained(change: Change, gone: list[Edit]) -> str:
    """Why these files go, and where each of them was."""
    lines = [f"from {_mark(edit)}: {edit.path}" for edit in gone]
    return "\n".join([f"{change.kind}: {redacted(change.reason)[0]}", *lines, ""])


def _mark(edit: Edit) -> str:
    """By what a file is told apart from the others that go by the same change: the same day may go from two folders at once."""
    return compute_digest(encoded(f"{edit.path}\0{edit.before}"))[:8]


def _rotate_receipts(memory: Memory, change: Change) -> None:
    """The receipts go on in a new file; the older ones are read too, and those before them go to the trash."""
    home, older = memory.home, "receipts.old.jsonl"
    data = home.read_or_none(older)
    if data is not None:
        change_id = make_id(memory.clock(), "")
        memory.store.explain(change_id, f"{change.kind}: {change.reason}\nfrom: .holdfast/{older}\n")
        memory.store.retire(home, older, data, f"{change_id}.{compute_digest(data)[:8]}")
    if home.stat(older) is None:
        home.move("receipts.jsonl", home, older)
        home.sync()


def _stale(memory: Memory, change: Change) -> str:
    """The first file that is not what the change expects."""
    for path, expected in change.expected().items():
        found = _read(memory, path)
        if mark_of(found) != expected:
            return path
    return ""


def _place(memory: Memory, path: str, *, make: bool = False) -> tuple[Folder, str]:
    folder, _, name = path.rpartition("/")
    return (memory.store.folder(folder, make=make) if folder else memory.root), name


def _read(memory: Memory, path: str) -> str | None:
    """A file's text as the plan knows it; None where there is none. One that cannot be read any more is not what it was."""
    try:
        folder, name = _place(memory, path)
    except FileNotFoundError:
        return None
    found = Found()
    found.read(folder, "", name)
    return "\0unread" if found.unread else found.texts.get(name)


def _is_made(memory: Memory, change: Change, edit: Edit, change_id: str) -> bool:
    """Make one edit of a change to a file that is there, if that still is what was read."""
    folder, name = _place(memory, edit.path)
    was = folder.read_or_none(name)
    if was is None or mark_of(_text(name, was)) != edit.before:
        return was is None and not edit.before
    if edit.after is None:
        return memory.store.retire(folder, name, was, f"{change_id}.{_mark(edit)}")
    new, own_id = encoded(edit.after), make_id(memory.clock(), "")
    if _loses(uncompressed(name, was), new):
        memory.store.settle()  # what it loses is somewhere else by now, and that must be durable first
        memory.store.keep_in_trash(was, name, f"{change.kind}: {redacted(change.reason)[0]}\nfrom: {edit.path}", own_id)
    return memory.store.revise(folder, name, was, as_stored(name, new), own_id)


def _text(name: str, data: bytes) -> str:
    return uncompressed(name, data).decode("utf-8", "surrogateescape")


def _loses(old: bytes, new: bytes) -> bool:
    """Whether some line of the old text is not in the new one."""
    return bool(Counter(old.splitlines()) - Counter(new.splitlines()))


def as_stored(name: str, data: bytes) -> bytes:
    """A document's bytes as they are written: packed where the name says so, and the same for the same text at any time."""
    if not name.endswith(".gz"):
        return data
    import gzip

    return gzip.compress(data, 9, mtime=0)
