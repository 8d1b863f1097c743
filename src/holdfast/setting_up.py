"""`holdfast init`: make a workspace, trust it, and say so before doing so.

What it makes is shown first; on yes (or `--yes`) it is made. Nothing that is there is changed. A workspace whose `memory/`
has vanished is made whole again from the journal.
"""

from __future__ import annotations

import os
import sys
import time

from .config import read_config, state_folder, trusted_workspaces
from .disk import Folder, Lock
from .errors import UserError, not_saved
from .memory import Memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from .cli import Words

# The tree of seed D. `{day}` is the day on which it is made; the tags are the general words of each group.
LAYOUT_V4 = {
    "MEMORY.md": "# Agent Memory\n#tags: memory\nlast_verified: {day}\nlast_updated: {day}\n\n## [PREF] Preferences\n\n"
    "## [PROJ] Projects\n\n## [TECH] Technical\n\n## [LESSON] Lessons\n\n## [PEOPLE] People\n\n"
    "## Active Decisions\n\n## Open Questions\n",
    "memory/semantic/infrastructure.md": "# Infrastructure\n#tags: infrastructure\nlast_verified: {day}\n",
    "memory/semantic/preferences.md": "# Preferences\n#tags: preferences\nlast_verified: {day}\n",
    "memory/semantic/projects.md": "# Projects\n#tags: projects\nlast_verified: {day}\n",
    "memory/semantic/decisions.md": "# Decisions\n#tags: decisions\nlast_verified: {day}\n",
    "memory/procedural/lessons-learned.md": "# Lessons Learned\n#tags: lessons\nlast_verified: {day}\n",
    "memory/working-buffer.md": "# Working Buffer\ncreated: {now}\nlast_active: {now}\n\n",
}
LAYOUT_V4_FOLDERS = ("memory/episodic", "memory/archive")


def set_up(words: Words, env: Mapping[str, str]) -> int:
    """Show what will be made, ask, make it."""
    if words.texts:
        raise UserError(f"`init {words.texts[0]}` is not known; `holdfast init` sets up a workspace here. Nothing was changed.")
    if words.one("layout", "v4") != "v4":
        raise UserError(f"There is no layout {words.one('layout')}; the only one is v4. Nothing was changed.")
    named = words.one("workspace") or env.get("HOLDFAST_WORKSPACE") or env.get("OPENCLAW_WORKSPACE") or "."
    workspace = os.path.realpath(os.path.expanduser(named))
    files = _wanted(workspace, v4=words.has("layout"))
    for line in _announced(workspace, files, env):
        print(line)
    if not words.has("yes") and not _agreed():
        print("nothing was changed")
        return 2
    _make(workspace, files, env)
    print(f"ready  {workspace}")
    return 0


def _wanted(workspace: str, *, v4: bool) -> dict[str, str]:
    """The files that are missing, with their texts."""
    now = time.localtime()
    filled = {"{day}": time.strftime("%Y-%m-%d", now), "{now}": time.strftime("%Y-%m-%dT%H:%M:%S", now)}
    found: dict[str, str] = {}
    for path, template in (LAYOUT_V4 if v4 else {}).items():
        if not os.path.lexists(os.path.join(workspace, path)):
            text = template
            for mark, value in filled.items():
                text = text.replace(mark, value)
            found[path] = text
    return found


def _announced(workspace: str, files: dict[str, str], env: Mapping[str, str]) -> list[str]:
    lines = [f"In {workspace}:"]
    lines += [f"  + {folder}/" for folder in (".holdfast", "memory") if not os.path.isdir(os.path.join(workspace, folder))]
    lines += [f"  + {path}" for path in files]
    if os.path.islink(os.path.join(workspace, "memory")):
        lines.append(f"  memory/ is a link to {os.path.realpath(os.path.join(workspace, 'memory'))}; it will be written there")
    if workspace not in trusted_workspaces(env):
        lines.append("  and it is trusted: commands run below this folder will use it")
    return [*lines, "Nothing that is there is changed."]


def _agreed() -> bool:
    if not sys.stdin.isatty():
        raise UserError("There is nobody to ask. Nothing was changed; `--yes` says yes.")
    return input("Make it so? [y/N] ").strip().casefold() in ("y", "yes")


def _make(workspace: str, files: dict[str, str], env: Mapping[str, str]) -> None:
    try:
        memory = Memory(workspace, read_config(workspace), write=True)
        try:
            vanished = bool(memory.home.stat("has-documents")) and memory.store.vanished()
            memory.store.folder("memory")
            for folder in LAYOUT_V4_FOLDERS if files else ():
                memory.store.folder(folder)
            for path, text in files.items():
                memory.write_file(path, text.encode())
            if vanished:
                print(f"memory/ had vanished; {memory.rebuild()} records were put back from the journal")
        finally:
            memory.close()
        _trust(workspace, env)
    except OSError as error:
        raise not_saved(error, str(error.filename or workspace), "The workspace") from error


def _trust(workspace: str, env: Mapping[str, str]) -> None:
    """Add a workspace to the user's own list."""
    folder = Folder.open(state_folder(env), make=True)
    lock = Lock(folder, "trusted.lock")
    try:
        lock.take(2.0)
        lines = sorted(trusted_workspaces(env) | {workspace})
        data = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")
        folder.place(folder.prepare(data), folder, "trusted", over=True)
        folder.sync()
    finally:
        lock.close()
        folder.close()
