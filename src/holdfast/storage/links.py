"""Where `memory/` and `MEMORY.md` are: in the workspace, or where a link leads that their owner has agreed to.

No link is followed. What `init` has shown and been told yes about is kept in the user's own list, as the place that the link led
to. That place is opened, by a path that has no link in it, while the link still says the same. So whoever plants a link, or swaps
one in under our eyes, gets nothing read and nothing written: what is opened is the workspace's own folder or the place that was
agreed to, and else there is an error that says where the link leads.
"""

from __future__ import annotations

import errno
import os

from ..config import agreed_links
from ..errors import LinkedElsewhere
from .disk import Folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..config import Config

MAY_BE_LINKED = ("memory", "MEMORY.md")


def memory_folder(root: Folder, config: Config, *, make: bool = False) -> Folder:
    """`memory/` of a workspace."""
    try:
        return root.child("memory", make=make)
    except OSError as error:
        if error.errno != errno.ELOOP:
            raise
    return Folder.exactly(_agreed(root, "memory", config))


def memory_file(root: Folder, config: Config) -> tuple[Folder, str]:
    """`MEMORY.md` of a workspace: the folder that it is in, to be closed by whoever asked, and its name there."""
    if not root.is_link("MEMORY.md"):
        return root.again(), "MEMORY.md"
    folder, name = os.path.split(_agreed(root, "MEMORY.md", config))
    return Folder.exactly(folder), name


def _agreed(root: Folder, name: str, config: Config) -> str:
    """The place that a link leads to, where that is the one which was agreed to."""
    target = root.link(name)
    if not target:
        raise OSError(errno.ELOOP, "it was a link a moment ago", root.at(name))
    if agreed_links(config.agreements, os.path.realpath(root.path)).get(name) != target:
        raise LinkedElsewhere(root.at(name), target, root.path)
    return target
