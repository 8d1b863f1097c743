"""The trash: what was taken out of a document, with the reason, until its time is over or its owner empties it.

`.holdfast/trash/<id>.<digest>.<name>` is what was taken, `<id>.<digest>.why` says why, and from where; for all that went by one
change of upkeep, `<id>.why`. A thing that is brought
back goes to where it was, and what stands there now goes to the trash in its turn.
"""

from __future__ import annotations

import re

from ..errors import NotFound, UserError
from ..model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container

    from ..memory import Memory
    from ..storage.disk import Folder

_NAME = re.compile(r"(?P<id>\d{8}-\d{6}-\d{6}-[0-9a-z]{8}\.[0-9a-f]{8})\.(?P<name>.+)$", re.S)


class Thing(Value):
    """Something in the trash."""

    id: str
    name: str
    why: str
    path: str  # where it was, relative to the workspace; empty where that is not known
    day: str
    size: int


def things(memory: Memory) -> list[Thing]:
    """What is in the trash, the newest first."""
    try:
        folder = memory.store.folder(".holdfast/trash", make=False)
        names = folder.names()
    except OSError:
        return []
    found = []
    for entry in names:
        parts = _NAME.match(entry)
        if parts and parts["name"] != "why":
            why, path = _reason(folder, parts["id"])
            there = folder.stat(entry)
            day = f"{entry[:4]}-{entry[4:6]}-{entry[6:8]}"
            found.append(Thing(parts["id"], parts["name"], why, path, day, there.st_size if there else 0))
    return sorted(found, key=lambda thing: thing.id, reverse=True)


def _reason(folder: Folder, thing: str) -> tuple[str, str]:
    """(why, from where) as the note beside a thing says, or that of the change by which it went with others."""
    change, _, mark = thing.partition(".")
    for note in (f"{thing}.why", f"{change}.why"):
        try:
            lines = folder.read(note).decode("utf-8", "surrogateescape").split("\n")
        except OSError:
            continue
        path = next((line.partition(": ")[2] for line in lines if line.startswith((f"from {mark}: ", "from: "))), "")
        return lines[0], path
    return "", ""


def restore(memory: Memory, wanted: str) -> Thing:
    """Bring a thing back to where it was; what stands there goes to the trash in its turn."""
    found = [thing for thing in things(memory) if thing.id.startswith(wanted)]
    if len(found) != 1:
        none = f"There is no {wanted} in the trash"
        said = f"{len(found)} things in the trash begin with {wanted}; give more of the id" if found else none
        raise NotFound(f"{said}. Nothing was changed. `holdfast upkeep trash` lists what is there.")
    thing = found[0]
    folder = memory.store.folder(".holdfast/trash")
    file = f"{thing.id}.{thing.name}"
    if not thing.path:
        raise UserError(f"Where {thing.name} was is not known. Nothing was changed; it is at {folder.at(file)}.")
    memory.write_file(thing.path, folder.read(file), "what was brought back from the trash")
    _let_go(folder, thing)
    folder.sync()
    return thing


def empty(memory: Memory, wanted: Container[str]) -> list[Thing]:
    """Let go of these things for good."""
    gone = [thing for thing in things(memory) if thing.id in wanted] if wanted else []
    if gone:
        folder = memory.store.folder(".holdfast/trash")
        for thing in gone:
            _let_go(folder, thing)
        folder.sync()
    return gone


def _let_go(folder: Folder, thing: Thing) -> None:
    """The reason goes last: a thing without one would be a riddle; that of several things, with the last of them."""
    folder.remove(f"{thing.id}.{thing.name}")
    folder.remove(f"{thing.id}.why")
    change = thing.id.partition(".")[0]
    if not any(name.startswith(change + ".") and name != f"{change}.why" for name in folder.names()):
        folder.remove(f"{change}.why")
