"""What upkeep finds in a workspace, read at one moment: the documents that it may change or must know.

Everything is read through open folders and no link is followed, so that nothing outside the workspace is ever planned for. What
cannot be read (a link, a folder or a FIFO in a file's place, a bad sector) is named, and left alone.
"""

from __future__ import annotations

import time

from ..documents.days import day_of
from ..errors import reason
from ..model import fold
from ..storage.days import uncompressed
from ..storage.disk import Folder
from ..storage.exchange import decoded
from ..util import format_time
from .archiving import IN_ARCHIVE
from .brought import digests
from .plan import There
from .tidying import BUFFER
from .trash import things

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..memory import Memory

LARGE = 64 << 20  # bytes: a document beyond that is nobody's note


def survey(memory: Memory) -> There:
    """What is there now."""
    now = memory.clock()
    receipts = memory.home.stat("receipts.jsonl")
    found = Found()
    found.read(memory.root, "", "MEMORY.md")
    folders = list(_folders(memory, found))
    days = "memory/episodic" if any(path == "memory/episodic" for path, _ in folders) else "memory"
    for path, folder in folders:
        for name in folder.names():
            if name.endswith(".md") and (path != "memory" or day_of(name) or name == "working-buffer.md"):
                found.read(folder, path, name)
            elif name.endswith(".md.gz") and IN_ARCHIVE.match(f"{path}/{name}"):
                found.packed.add(f"{path}/{name}")
    for path, folder in folders:
        for name in folder.names() if path.startswith("memory/archive") else ():
            beside = (f"{path}/{name[:-3]}", f"memory/{name[:-3]}", f"memory/episodic/{name[:-3]}")
            if name.endswith(".md.gz") and any(other in found.texts for other in beside):
                found.read(folder, path, name)
    return There(
        time.strftime("%Y-%m-%d", time.localtime(now)),
        format_time(now),
        days,
        found.texts,
        frozenset(found.packed),
        tuple((thing.id, thing.day) for thing in things(memory)),
        receipts.st_size if receipts else 0,
        tuple(memory.journal.loose_days()),
        _under_way(memory, found.texts.get(BUFFER, ""), now),
        tuple(found.unread),
        frozenset(digests(memory)),
        memory.key(),
        _day_of_buffer(memory),
    )


def _day_of_buffer(memory: Memory) -> str:
    """The day on which the file of the buffer was written last; empty where there is none."""
    try:
        found = memory.store.folder("memory", make=False).stat("working-buffer.md")
    except OSError:
        return ""
    return time.strftime("%Y-%m-%d", time.localtime(found.st_mtime)) if found else ""


class Found:
    """Texts by their paths, and what could not be read."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.packed: set[str] = set()
        self.unread: list[tuple[str, str]] = []

    def read(self, folder: Folder, path: str, name: str) -> None:
        """Read one file, unpacked where it is packed."""
        whole = f"{path}/{name}" if path else name
        try:
            there = folder.stat(name)
            if there is None:
                return
            if there.st_size > LARGE:
                self.unread.append((whole, f"it has more than {LARGE >> 20} MB"))
                return
            self.texts[whole] = decoded(uncompressed(name, folder.read(name)))
        except OSError as error:
            self.unread.append((whole, reason(error)[0]))
        except ValueError as error:
            self.unread.append((whole, str(error)))


def _folders(memory: Memory, found: Found) -> Iterator[tuple[str, Folder]]:
    """The folders that upkeep looks into: memory itself, its days, what is known, how things are done, the archive."""
    for path in ("memory", "memory/episodic", "memory/semantic", "memory/procedural"):
        yield from _below(memory, path, 0, found)
    yield from _below(memory, "memory/archive", 2, found)


def _below(memory: Memory, path: str, depth: int, found: Found) -> Iterator[tuple[str, Folder]]:
    """A folder, and those in it that are named after years and months."""
    try:
        folder = memory.store.folder(path, make=False)
        names = [name for name in folder.names() if name.replace("-", "").isdigit()] if depth else []
    except FileNotFoundError:
        return
    except OSError as error:
        found.unread.append((path, reason(error)[0]))
        return
    yield path, folder
    for name in names:
        yield from _below(memory, f"{path}/{name}", depth - 1, found)


def _under_way(memory: Memory, buffer: str, now: float) -> str:
    """The task that is being worked on just now: one is set, and something was said about it within the last hour."""
    state = memory.store.text_or_empty("memory", "session-state.md")
    from ..documents import markdown

    task = markdown.read_state(state).task
    since = time.strftime("%Y-%m-%dT%H:%M", time.localtime(now - 60 * memory.config.recentMinutes))
    last = [line.partition(":")[2].strip()[:16] for line in buffer.split("\n")[:10] if line.startswith("last_active:")]
    written = markdown.stamps(state).get("written at", "")[:16]
    return fold(task, 80) if task and max([written, *last], default="") >= since else ""
