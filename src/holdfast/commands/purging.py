"""`holdfast uninstall HOST --purge`: delete memory once the host is rid of us. It asks, and says what goes and what stays.

Memory in the user's state folder goes whole: nobody but Holdfast writes there. In a workspace go the journal with all that
belongs to it (`.holdfast/`) and the files that only Holdfast writes. Days, topics and MEMORY.md stay: a person writes there
too, and nobody could tell their lines from ours for certain.
"""

from __future__ import annotations

import os
import stat
import sys

from ..config import state_folder
from ..errors import NotSaved, reason
from ..storage.disk import Folder, Lock
from .setting_up import agreed
from .showing import say, tilde

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..installs import Place

OURS = (".holdfast", "memory/session-state.md", "memory/working-buffer.md", "memory/session-snapshots")
_PATIENCE = 10.0  # seconds for whoever writes at that moment


def purge(place: Place, env: Mapping[str, str], *, is_agreed: bool) -> bool:
    """Delete the memory of a place, if the user agrees; return whether it is gone."""
    workspace = place.workspace
    is_whole = os.path.dirname(workspace) == os.path.join(state_folder(env), "projects")
    paths = [workspace] if is_whole else [os.path.join(workspace, name) for name in OURS]
    paths = [path for path in paths if os.path.lexists(path)]
    if not paths:
        say("There is no memory to delete.")
        return True
    say("This deletes memory for good:")
    for path in paths:
        files = sum(1 for _ in _list_files(path))
        say(f"  {tilde(path, place)}  {files} file{'' if files == 1 else 's'}")
    if not is_whole:
        say(f"Days, topics and MEMORY.md in {tilde(workspace, place)} stay: they are yours to delete.")
    if not is_agreed and not sys.stdin.isatty():
        say("There is nobody to ask, so memory stays as it is; `--yes` says yes.")
        return False
    if not is_agreed and not agreed("Delete it?"):
        say("memory stays as it is")
        return False
    _delete(workspace, paths)
    say("deleted")
    return True


def _list_files(path: str) -> Iterator[str]:
    if os.path.islink(path) or not os.path.isdir(path):
        yield path
        return
    for folder, _, names in os.walk(path):
        yield from (os.path.join(folder, name) for name in names)


def _delete(workspace: str, paths: list[str]) -> None:
    """Delete what is listed, while nobody else writes there; the journal last, so that a second run finds what is left."""
    try:
        with Folder.open(os.path.join(workspace, ".holdfast")) as home:
            lock = Lock(home)
            if not lock.take(_PATIENCE):
                raise NotSaved("Another process writes to this memory. Nothing of it was deleted; run this again after it.")
            try:
                for path in reversed(paths):
                    with Folder.open(os.path.dirname(path)) as parent:
                        _delete_tree(parent, os.path.basename(path))
            finally:
                lock.release()
                lock.close()
    except OSError as error:
        left = f"Not all of it could be deleted ({reason(error)}). Run this again, or delete {workspace} by hand."
        raise NotSaved(left) from error


def _delete_tree(parent: Folder, name: str) -> None:
    """Delete a file, a link or a folder with all that is in it. No link is followed."""
    found = parent.stat(name)
    if found is None or not stat.S_ISDIR(found.st_mode):
        parent.remove(name)
        return
    with parent.child(name) as folder:
        for inside in folder.names():
            _delete_tree(folder, inside)
    parent.remove_folder(name)
