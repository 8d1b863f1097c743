"""`holdfast init` in a project that has a memory already: what was saved in the user's state folder is brought in.

It is copied, never moved: the old folder stays as it is, and the list of projects says where its memory went. What stands in the
new workspace is not changed. Records that it lacks are written into its journal; its documents take them up as they would after a
crash, unless all the documents came along.
"""

from __future__ import annotations

import os
import stat

from ..config import read_config, state_folder
from ..errors import UserError
from ..memory import Memory
from ..projects import find_memory, find_repository, remember_memory, remember_move
from ..storage.writing import PATIENCE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..storage.disk import Folder

_LEFT_BEHIND = ("lock", "swap", "pending", "journal", "has-documents")  # of `.holdfast/`: they are of the place, or come apart
_RECEIPTS = ("receipts.old.jsonl", "receipts.jsonl")


def find_earlier(workspace: str, env: Mapping[str, str]) -> tuple[str, int]:
    """(the folder in the state folder where this project's memory was so far, how many records the workspace lacks)."""
    if find_repository(workspace).place != os.path.realpath(workspace):
        return "", 0  # a part of a repository, whose memory is that of the whole
    source = find_memory(state_folder(env), workspace)
    if not os.path.isdir(os.path.join(source, ".holdfast")) or os.path.realpath(source) == os.path.realpath(workspace):
        return "", 0
    old = Memory(source, read_config(source), write=False)
    new = Memory(workspace, read_config(workspace), write=False)
    try:
        count = sum(not new.journal.has(record_id) for record_id in old.journal.newest_first())
        return (source, count) if count else ("", 0)
    finally:
        old.close()
        new.close()


def bring_in(memory: Memory, source: str, env: Mapping[str, str]) -> tuple[int, int]:
    """Copy what was saved elsewhere into a workspace: (how many records came, how many could not be read)."""
    old = Memory(source, read_config(source), write=False)
    try:
        if memory.lock is None or not memory.lock.take(PATIENCE):
            raise UserError("Another process is writing here. Nothing was brought in; run `holdfast init` again.")
        try:
            is_empty = not any(_files(memory.root, "memory"))
            _copy_home(old, memory)
            for path in [*_files(old.root, "memory"), *(["MEMORY.md"] if old.root.stat("MEMORY.md") else [])]:
                folder, name = os.path.split(path)
                with old.root.descend(folder) if folder else old.root.again() as held:
                    if not os.path.lexists(os.path.join(memory.workspace, path)):
                        memory.write_file(path, held.read(name), "`holdfast init`")
            came, lost = _copy_records(old, memory, has_documents=is_empty)
            if is_empty and came:
                memory.home.touch("has-documents")
        finally:
            memory.lock.release()
    finally:
        old.close()
    memory.catch_up()
    remember_move(state_folder(env), source, memory.workspace)
    remember_memory(state_folder(env), memory.workspace, memory.workspace)
    return came, lost


def _copy_records(old: Memory, new: Memory, *, has_documents: bool) -> tuple[int, int]:
    came = lost = 0
    for record_id in reversed(list(old.journal.newest_first())):
        if new.journal.has(record_id):
            continue
        record = old.journal.read(record_id)
        if record is None:
            lost += 1
            continue
        new.journal.write(record)
        came += 1
        if has_documents and old.journal.pending.stat(record_id) is None:
            new.journal.applied(record_id)
    return came, lost


def _copy_home(old: Memory, new: Memory) -> None:
    """What stands beside the journal: the key, cursors, sessions that are not shown, the trash, receipts of hooks, settings."""
    for entry in old.home.entries():
        if entry.name in (*_LEFT_BEHIND, *_RECEIPTS) or entry.name.startswith("index.sqlite"):
            continue
        if entry.is_dir(follow_symlinks=False):
            for path in _files(old.home, entry.name):
                _copy_missing(old.home, new.home, path, new)
        elif entry.is_file(follow_symlinks=False):
            _copy_missing(old.home, new.home, entry.name, new)
    receipts = b"".join(old.home.read_or_none(name) or b"" for name in _RECEIPTS)
    if receipts:
        new.home.append(_RECEIPTS[0], receipts)


def _copy_missing(source: Folder, target: Folder, path: str, new: Memory) -> None:
    folder, name = os.path.split(path)
    with (
        source.descend(folder) if folder else source.again() as held,
        target.descend(folder, make=True) if folder else target.again() as there,
    ):
        if there.stat(name) is None:
            new.swap.place(new.swap.prepare(held.read(name)), there, name)


def _files(folder: Folder, path: str) -> Iterator[str]:
    """The files below a folder, by their paths; links are passed over."""
    found = folder.stat(path) if os.sep not in path else None
    if found is not None and not stat.S_ISDIR(found.st_mode):
        return
    try:
        with folder.descend(path) as held:
            entries = held.entries()
    except OSError:
        return
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            yield from _files(folder, os.path.join(path, entry.name))
        elif entry.is_file(follow_symlinks=False):
            yield os.path.join(path, entry.name)
