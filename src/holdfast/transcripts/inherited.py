"""What a Codex session has in other files: since 0.166, who goes back in it, or forks it, gets a new file that copies nothing.

The first line of that file says what came before: `session_meta.history_base` names the other file (`thread_id`, the last id in
its name: `rollout-<time>-<thread>.jsonl`, or `rollout-<time>-<thread>_<part>.jsonl` where that one was begun so too) and how far
it counts (`end_byte_offset`). A fork has a thread of its own, and what came later in the other file is none of its business. Who
has gone back has the same thread: what came later there was done, but is no longer said.
"""

from __future__ import annotations

import os
import re
from itertools import chain

from .lines import LONG
from .words import dict_of, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from . import Tally

_NAMED = r"rollout-.*?[-_]([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl"
_DEEPEST = 64  # files, each of which goes on from the next
_GONE = "The session goes on from another file, which is not there: what came before is not read."


class Base:
    """A file that another goes on from: from where on, when, whether it is the same session, in which somebody went back, and
    whether it is the parent's of a subagent.
    """

    __slots__ = ("end", "is_parents", "is_same", "path", "time")

    def __init__(self, path: str, end: int, time: str, *, is_same: bool, is_parents: bool) -> None:
        self.path, self.end, self.time, self.is_same, self.is_parents = path, end, time, is_same, is_parents


def bases(path: str, tally: Tally) -> list[Base]:
    """The files that hold what came before a file, the oldest first; none for almost all of them."""
    from .codex import is_subagents

    found: list[Base] = []
    about, seen = _about(path), {os.path.basename(path)}
    while base := dict_of(about.get("history_base")):
        end, below = base.get("end_byte_offset"), _file(path, text_of(base.get("thread_id")))
        if not below or os.path.basename(below) in seen or not isinstance(end, int) or len(found) == _DEEPEST:
            tally.closed(_GONE)
            break
        before = _about(below)
        is_same = bool(before.get("id")) and before.get("id") == about.get("id")
        is_parents = is_subagents(about) and not is_same
        found.insert(0, Base(below, end, text_of(about.get("timestamp")), is_same=is_same, is_parents=is_parents))
        seen.add(os.path.basename(below))
        about = before
    return found


def _about(path: str) -> dict[str, Any]:
    """What the first line says of a session; a line that is not whole says nothing yet."""
    from . import Tally
    from .files import objects

    try:
        with open(path, "rb") as file:
            line = file.readline(LONG)
    except OSError:
        return {}
    entry = next(iter(objects(line, Tally())), {}) if b'"history_base"' in line or b'"session_meta"' in line else {}
    return dict_of(entry.get("payload")) if entry.get("type") == "session_meta" else {}


def _file(path: str, number: str) -> str:
    """The file whose name ends with an id: beside the one that goes on from it, as a rule."""
    folder = os.path.dirname(os.path.abspath(path))
    home = re.match(r"(.*)/(?:archived_)?sessions(?:/|\Z)", folder)
    beside = next(os.walk(folder), (folder, [], []))
    every = (f"{home[1]}/sessions", f"{home[1]}/archived_sessions") if home else ()
    for base, _, names in chain([beside], *map(os.walk, every)):
        for name in names:
            if (named := re.fullmatch(_NAMED, name)) and named[1] == number:
                return os.path.join(base, name)
    return ""
