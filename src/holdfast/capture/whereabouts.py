"""Which sessions on this machine are meant: by a session's key, or by the folder that they were had in.

Apart from what is done with them, because a command that finds none should not pay for reading any.
"""

from __future__ import annotations

import os

from ..config import find_workspace
from ..model import session_key
from ..transcripts import HOSTS, find
from ..transcripts.heads import About, about

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..transcripts.find import Found

_NAMED = ("HOLDFAST_WORKSPACE", "OPENCLAW_WORKSPACE")


def name_of(found: Found) -> str:
    """What memory calls a session: its key where it has one. An archive is a session of its own: the key has moved on."""
    return session_key(found.key if found.key and not found.archived else found.session)


class Belonging:
    """Which sessions belong to a workspace: those had in it, and those whose folder a hook would have taken to it."""

    def __init__(self, workspace: str, env: Mapping[str, str], here: str) -> None:
        self.workspace = os.path.realpath(workspace)
        self.env = {name: value for name, value in env.items() if name not in _NAMED}
        # A workspace that was named, by a flag or a variable, is that of the folder in which it was named.
        self.meant = {workspace, self.workspace, find_workspace("", self.env, here)}
        self.here = os.path.realpath(here)
        self._known: dict[str, bool] = {}

    def has(self, session: About) -> bool:
        """Whether a session belongs here."""
        if not session.folder:
            return bool(session.project) and session.project in self._hashes()
        if session.folder not in self._known:
            folder = os.path.realpath(session.folder)
            inside = folder == self.workspace or folder.startswith(self.workspace + os.sep)
            self._known[session.folder] = inside or find_workspace("", self.env, folder) in self.meant
        return self._known[session.folder]

    def _hashes(self) -> set[str]:
        """Gemini's marks of this folder and those above it."""
        from hashlib import sha256

        folder, found = self.here, {sha256(os.fsencode(self.workspace)).hexdigest()}
        while folder != os.path.dirname(folder):
            if find_workspace("", self.env, folder) in self.meant:
                found.add(sha256(os.fsencode(folder)).hexdigest())
            folder = os.path.dirname(folder)
        return found


def begun_in(session: str, host: str, env: Mapping[str, str]) -> str:
    """The folder in which a session was begun; empty where that is not known, or gone.

    Its memory is that folder's. An agent goes into others, which may be repositories of their own: what it saves from there
    would be looked for in vain after the next compaction.
    """
    found = find.transcript(host, session, env, env.get("HOME") or os.path.expanduser("~"))
    folder = find.folder_of(found) if found else ""
    return folder if os.path.isdir(folder) else ""


def of_session(session: str, host: str, env: Mapping[str, str]) -> Found | None:
    """The transcript of a session by its key or id: of one host, or of whichever has it."""
    home = env.get("HOME") or os.path.expanduser("~")
    for name in [host] if host else HOSTS:
        found = find.transcript(name, session, env, home) if session else None
        if found:
            return found
    return None


def newest_of(
    hosts: tuple[str, ...], env: Mapping[str, str], belonging: Belonging, but: str = "", beside: str = ""
) -> tuple[Found, About] | None:
    """The session of a folder that was written last, with what its ends tell. Of other folders only the ends are read."""
    home = env.get("HOME") or os.path.expanduser("~")
    every = [found for host in hosts for found in find.sessions(host, env, home, beside)]
    for found in sorted(every, key=lambda item: -item.modified):
        if but and but in (found.session, found.key):
            continue
        told = about(found)
        if not told.aside and belonging.has(told):
            return found, told
    return None
