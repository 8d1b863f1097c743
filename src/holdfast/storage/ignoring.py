"""What git takes of `.holdfast/`: nothing, unless somebody has said otherwise there.

Journal, cursors and key are this machine's, and say more than the documents do: `git add -A` must not take them along, nor
`git stash -u` away. So the file is there from the beginning: a folder may become a repository later.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .disk import Folder

IGNORED = "# Holdfast's own: the journal, the key and what is derived. Remove this file where git is to have them.\n*\n"
_LARGEST = 1 << 28  # bytes of an index
_SHORTENED = b"\0\0\0\x04"  # the version of an index that shortens names


def wants_ignoring(workspace: str) -> bool:
    """Whether nobody has said in a workspace what git is to take of `.holdfast/`."""
    return not os.path.lexists(os.path.join(workspace, ".holdfast", ".gitignore"))


def is_in_repository(workspace: str) -> bool:
    """Whether a workspace lies in a git repository; git itself is not asked."""
    folder = os.path.realpath(workspace)
    while not os.path.lexists(os.path.join(folder, ".git")):
        folder, name = os.path.split(folder)
        if not name:
            return False
    return True


def came_with_git(workspace: str) -> bool:
    """Whether git has a file below `.holdfast/` of a workspace in its index: then the folder came with a clone, or goes with one.

    The index is read as it is, and no program is run in a repository that nobody trusts.
    """
    folder = os.path.realpath(workspace)
    below = ".holdfast/"
    while not os.path.lexists(os.path.join(folder, ".git")):
        folder, name = os.path.split(folder)
        if not name:
            return False
        below = f"{name}/{below}"
    try:
        with open(os.path.join(_git_folder(os.path.join(folder, ".git")), "index"), "rb") as file:
            index = file.read(_LARGEST)
    except OSError:
        return False
    if index[4:8] == _SHORTENED:  # what a name has in common with the one before it is left out
        return _last_part(below) in index
    return os.fsencode(below) in index


def _git_folder(path: str) -> str:
    """Git's own folder: of a second work tree or a submodule, `.git` is a file that names it."""
    if os.path.isdir(path):
        return path
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        named = file.read(4096).partition("gitdir:")[2].strip()
    return os.path.join(os.path.dirname(path), named)


def _last_part(below: str) -> bytes:
    """The end of a path that stands in such an index wherever one of its files does."""
    return os.fsencode(below[-len("fast/") :])


def ignored(home: Folder, swap: Folder) -> None:
    """Have git leave `.holdfast/` alone; what somebody has put there in between stays."""
    try:
        swap.place(swap.prepare(IGNORED.encode()), home, ".gitignore")
        home.sync()
    except FileExistsError:
        pass
