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


def wants_ignoring(workspace: str) -> bool:
    """Whether nobody has said in a workspace what git is to take of `.holdfast/`."""
    return not os.path.lexists(os.path.join(workspace, ".holdfast", ".gitignore"))


def ignored(home: Folder, swap: Folder) -> None:
    """Have git leave `.holdfast/` alone; what somebody has put there in between stays."""
    try:
        swap.place(swap.prepare(IGNORED.encode()), home, ".gitignore")
        home.sync()
    except FileExistsError:
        pass
