"""What health must know of a workspace besides its documents: journal, bindings, index, secrets, sizes, room on the disk."""

from __future__ import annotations

import os
import re
import time

from ..documents import bindings, markdown
from ..documents.sections import merge_left_open
from ..errors import reason
from ..guard.redaction import places
from ..model import fold
from ..storage.exchange import decoded
from ..storage.store import buffer_line
from ..storage.tree import Tree
from .health import ROOM, Facts, findings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..memory import Memory
    from ..model import Record
    from .health import Finding
    from .plan import There

A_FEW = 3  # records that are in no document: fewer are what a person has taken out
NOT_TEXT = 8000  # bytes that are looked at for a zero byte, as by the index
_COPIES = ("conflicted copy", ".sync-conflict-", "(sfconflict ")  # Dropbox and Nextcloud, Syncthing, Seafile
VERDICT = "integrity"  # `.holdfast/integrity`: what the last health check found that cannot be relied on


def checked(memory: Memory, there: There, *, secrets: bool = True) -> tuple[list[Finding], Facts]:
    """Every check with its verdict, and what it rests on; what cannot be relied on is kept for the brief to say.

    Secrets: whether they are looked for. It is reading every word once more, and what upkeep does next does not depend on it.
    """
    facts = examine(memory, there, secrets=secrets)
    found = findings(there, facts, memory.config)
    if memory.home.stat("lock"):
        remember(memory, [f"not all {f.check} ({len(f.where)} wanting)" for f in found if f.integrity and f.where])
    return found, facts


def examine(memory: Memory, there: There, *, secrets: bool) -> Facts:
    """Look at everything that health judges."""
    records = sum(memory.journal.read(record_id) is not None for record_id in memory.journal.newest_first())
    state = memory.store.text_or_empty("memory", "session-state.md")
    return Facts(
        tuple(sorted(memory.journal.damaged)),
        (*memory.journal.unapplied(), *records_by_day(in_no_document(memory, there))),
        (*_unread(memory), *_torn(memory, there, state)),
        tuple(_unbound(memory)),
        markdown.stamps(state).get("written at", "") if markdown.read_state(state).task else "",
        tuple(_secrets(memory, there)) if secrets else None,
        _index_is_broken(memory),
        _free(memory),
        tuple(_sizes(memory)),
        records,
        tuple(_in_the_way(memory)),
        tuple(_conflicts(memory, there, state)),
    )


def in_no_document(memory: Memory, there: There) -> list[Record]:
    """The records that no document has, the oldest first: a sync that took the other machine's file, a stash, a restored backup.

    A person may have taken a line out, and that is theirs to do: where only a few lines are missing, that is what is believed.
    """
    every = [fold(text) for text in there.texts.values()]
    waiting = set(memory.journal.unapplied())
    days: dict[str, str] = {}
    found: list[Record] = []
    for record in filter(None, map(memory.journal.read, memory.journal.newest_first())):
        line = _line_of(record)
        day = record.time[:10]
        if not line or record.id in waiting:
            continue
        if day not in days:
            days[day] = fold(memory.days.text(day))
        if line not in days[day] and not any(line in text for text in every):
            found.append(record)
    return found[::-1] if len(found) >= A_FEW else []


def _line_of(record: Record) -> str:
    """By what a record is known in the documents; empty for one that leaves nothing there that stays."""
    if record.kind == "checkpoint" and record.origin != "hand" and not record.ends_a_turn and not record.is_past:
        return f"<!-- holdfast: {record.id} -->"
    if record.kind == "state":
        return fold(buffer_line(record))
    if record.kind == "note" and "[TEMP]" not in record.body:
        first = next((line for line in record.body.split("\n") if line.strip()), "")
        return fold(re.sub(r"\A\s*[-*]\s+(?:\[[A-Z]{3,8}\]\s*)?", "", first))
    return ""


def records_by_day(records: list[Record]) -> list[str]:
    """How many records of which day, in words."""
    days = [record.time[:10] for record in records]
    return [f"{day}: {days.count(day)} of its records are in no document" for day in dict.fromkeys(days)]


def loaded(memory: Memory, there: There) -> dict[str, str]:
    """What a session begins with, as far as files say it: by name, with its text."""
    days = [time.strftime("%Y-%m-%d", time.localtime(memory.clock() - ago)) for ago in (0, 86400)]
    names = ["MEMORY.md", "memory/working-buffer.md", *(f"{there.days}/{day}.md" for day in days)]
    found = {name: there.texts.get(name, "") for name in names}
    return {**found, "memory/session-state.md": memory.store.text_or_empty("memory", "session-state.md")}


def _unread(memory: Memory) -> Iterator[str]:
    """Documents that upkeep leaves alone and records go into: what stands in their way is said, not passed over."""
    topics = memory.config.contextDir
    for path, names in (("", ["SESSION-STATE.md"]), ("memory", ["session-state.md"]), (topics, _of_topics(memory, topics))):
        for name in names:
            try:
                memory.store.text(*memory.store.place(path, name))
            except FileNotFoundError:
                pass
            except OSError as error:
                yield f"{path}/{name}: {reason(error)[0]}".removeprefix("/")


def _in_the_way(memory: Memory) -> Iterator[str]:
    """What stands in the place of a folder that a record goes through, or of the lock: then nothing at all can be saved, and what
    reads takes such a folder for one that is still to be made.
    """
    if memory.home.stat("lock") and not os.access(memory.home.path, os.W_OK):
        yield ".holdfast: nothing can be written there: the file system is read-only, or you have no permission"
    today = time.strftime("%Y-%m-%d", time.localtime(memory.clock()))
    for path in (".holdfast", ".holdfast/swap", ".holdfast/pending", ".holdfast/journal", f".holdfast/journal/{today}"):
        try:
            memory.store.folder(path, make=False)
        except FileNotFoundError:
            pass
        except OSError as error:
            yield f"{path}: {reason(error)[0]}"
            if path in (".holdfast", ".holdfast/journal"):
                return  # what is below it would say the same
    try:
        memory.home.read_or_none("lock")
    except OSError as error:
        yield f".holdfast/lock: {reason(error)[0]}"


def _of_topics(memory: Memory, path: str) -> list[str]:
    try:
        return [name for name in memory.store.folder(path, make=False).names() if name.startswith("context-")]
    except OSError:
        return []  # upkeep has said so of the folder


def _texts(memory: Memory, there: There, state: str) -> dict[str, str]:
    """Every document by its path: those that upkeep reads, the topics and the session state."""
    context = memory.config.contextDir
    topics = [name for name in _of_topics(memory, context) if name.endswith(".md")]
    texts = {f"{context}/{name}": memory.store.text_or_empty(context, name) for name in topics}
    return {**there.texts, **texts, "memory/session-state.md": state}


def _torn(memory: Memory, there: There, state: str) -> Iterator[str]:
    for path, text in _texts(memory, there, state).items():
        if "\0" in text.rstrip("\0")[:NOT_TEXT]:
            yield f"{path}: it is not text (saved as UTF-16, perhaps), and is not searched"
        elif text.endswith("\0"):
            yield f"{path}: it ends in zero bytes, as after a power cut"
    if state.strip() and "record" in markdown.stamps(state) and markdown.is_torn(state):
        yield "memory/session-state.md: it has lost its end"
    text = memory.store.text_or_empty(memory.config.contextDir, "context-session-map.json")
    if not bindings.bindings_are_sound(text):
        yield f"{memory.config.contextDir}/context-session-map.json: it is not JSON"


def _conflicts(memory: Memory, there: There, state: str) -> Iterator[str]:
    """Where git has left two sides in a document, and documents that a sync has put beside ours because both were written.

    Nothing of it is lost, and all of it is searched; but a record goes into one of the sides, and who drops that drops it too.
    """
    for path, text in _texts(memory, there, state).items():
        if line := merge_left_open(text):
            yield f"{path}:{line} (the marks of a merge)"
    for path in dict.fromkeys(("memory", "memory/episodic", memory.config.contextDir)):
        try:
            names = memory.store.folder(path, make=False).names()
        except OSError:
            continue  # said elsewhere, where there is something to say
        copies = [name for name in names if any(mark in name.casefold() for mark in _COPIES)]
        yield from (f"{path}/{name} (a copy made by a sync)" for name in copies)


def _unbound(memory: Memory) -> Iterator[str]:
    topics = memory.topics.all()
    for session, topic in memory.topics.bindings().items():
        if topic not in topics and memory.topics.bound_to(session) not in topics:
            yield f"{session} → {topic}"


def _secrets(memory: Memory, there: There) -> Iterator[str]:
    """Where secrets stand, never what they are. What is private is not a secret: its owner marked it."""
    for path, text in {**there.texts, **_other_documents(memory, there)}.items():
        for kind, line, _, _ in places(text):
            if kind != "private":
                yield f"{path}:{line} ({kind})"


def _other_documents(memory: Memory, there: There) -> dict[str, str]:
    """The documents that upkeep does not read and a search finds: topics, the working state, whatever else a person wrote."""
    found: dict[str, str] = {}
    tree = Tree(memory.workspace, memory.config)
    try:
        for path in tree.look():
            if path.startswith(".holdfast/") or path.endswith("/") or path in there.texts:
                continue
            try:
                data = tree.read(path)
            except (OSError, ValueError):
                continue  # the checks of what can be read tell of it
            if b"\0" not in data[:NOT_TEXT]:
                found[path] = decoded(data)
    finally:
        tree.close()
    return found


def _index_is_broken(memory: Memory) -> bool:
    from ..recall.index import NAME, _believed

    if memory.home.stat(NAME) is None:
        return False  # it is built by the first search
    kept = _believed(memory.workspace)
    if kept is None:
        return True
    kept.close()
    return False


def _free(memory: Memory) -> int:
    try:
        found = os.statvfs(memory.workspace)
    except OSError:
        return ROOM
    return found.f_bavail * found.f_frsize


def _sizes(memory: Memory) -> Iterator[tuple[str, int]]:
    for name in ("memory", "memory/archive", ".holdfast/journal", ".holdfast/trash", ".holdfast/index.sqlite"):
        yield name, _size(os.path.join(memory.workspace, name))
    yield ".holdfast/receipts.jsonl", _size(os.path.join(memory.workspace, ".holdfast", "receipts.jsonl"))


def _size(path: str) -> int:
    """The bytes of a file, or of all files below a folder; links are not followed."""
    try:
        if not os.path.isdir(path):
            return os.lstat(path).st_size
        with os.scandir(path) as entries:
            return sum(_size(entry.path) if entry.is_dir(follow_symlinks=False) else entry.stat(follow_symlinks=False).st_size
                       for entry in entries)  # fmt: skip
    except OSError:
        return 0


def remember(memory: Memory, failed: list[str]) -> None:
    """Keep what failed, for the brief to say; nothing failed: nothing is kept. Where it cannot be kept, health has said it.

    In fixed words: the brief says it outside its frame, and whoever made a file has chosen its name.
    """
    try:
        if failed:
            data = "\n".join(failed).encode("utf-8", "surrogateescape") + b"\n"
            if memory.home.read_or_none(VERDICT) != data:
                memory.swap.place(memory.swap.prepare(data), memory.home, VERDICT, over=True)
        else:
            memory.home.remove(VERDICT)
    except OSError:
        pass
