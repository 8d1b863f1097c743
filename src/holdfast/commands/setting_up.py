"""`holdfast init`: make a workspace, trust it, and say so before doing so.

What it makes is shown first, with what was saved for this project before and is brought in (bringing_in.py); on yes (or `--yes`)
it is made. Nothing that is there is changed. A workspace whose `memory/` has vanished is made whole again from the journal.

What is there already and would count from now on is shown too: a `.holdfast/` that came with a clone or an archive, with its
settings, and where a linked `memory/` or `MEMORY.md` leads. The yes is written into the user's own list, out of the reach of
whatever comes with a folder; and it is to what was shown, should a link be turned elsewhere in between.
"""

from __future__ import annotations

import os
import sys
import time

from ..config import (
    SETTINGS,
    Config,
    agreed_links,
    read_config,
    remember_workspace,
    state_folder,
    trust_list,
    trusted_workspaces,
)
from ..errors import UserError, not_saved
from ..guard.entering import printable
from ..memory import Memory
from ..model import Value
from ..storage.disk import Folder, Lock
from ..storage.ignoring import came_with_git, ignored, wants_ignoring
from ..storage.links import MAY_BE_LINKED
from .bringing_in import bring_in, find_earlier

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..cli import Words
    from ..model import Record

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
    for flag in ("project", "no-rules", "no-switch", "full"):
        if words.has(flag):
            raise UserError(f"--{flag} is for a host: `holdfast init claude-code --{flag}`. Nothing was changed.")
    if words.one("layout", "v4") != "v4":
        raise UserError(f"There is no layout {words.one('layout')}; the only one is v4. Nothing was changed.")
    named = words.one("workspace") or env.get("HOLDFAST_WORKSPACE") or env.get("OPENCLAW_WORKSPACE") or "."
    new = wanted(named, env, v4=words.has("layout"))
    for line in announced(new, env):
        print(printable(line))
    if not words.has("yes") and not agreed("Make it so?"):
        print("nothing was changed")
        return 2
    make(new, env)
    print(f"ready  {new.workspace}")
    print("`holdfast init HOST` puts it into openclaw, claude-code, codex, gemini or opencode; `holdfast init schedule` has it")
    print("reviewed once a week. Both show what they would write first.")
    return 0


class Wanted(Value):
    """A workspace as it is to be set up."""

    workspace: str
    files: dict[str, str]  # that are missing, with their texts
    links: dict[str, str]  # what is a link in it, and where it leads
    config: Config
    missing: int = 0  # records of the journal that are in no document
    ignored: bool = False  # whether git is to be told to leave `.holdfast/` alone
    aside: str = ""  # the new name of a `.holdfast/` that came with a clone, and is not taken over
    earlier: str = ""  # where this project's memory was so far
    records: int = 0  # that it has and the workspace lacks


def wanted(named: str, env: Mapping[str, str], *, v4: bool = False) -> Wanted:
    """What setting up a folder would make, and what would count from then on; nothing is changed yet."""
    workspace = os.path.realpath(os.path.expanduser(named))
    if _has_controls(workspace):
        raise UserError(f"{workspace!r} has control characters in its name. Nothing was changed; rename the folder.")
    files, links = _missing(workspace, v4=v4), _links(workspace)
    config = read_config(workspace, env)
    config.refuse_wrong()
    missing = _in_no_document(workspace, config) if is_set_up(workspace, env) else 0
    aside = _aside(workspace) if workspace not in trusted_workspaces(env) and came_with_git(workspace) else ""
    ignored_too = bool(aside) or wants_ignoring(workspace)
    earlier, records = find_earlier(workspace, env)
    return Wanted(workspace, files, links, config, missing, ignored_too, aside, earlier, records)


def _aside(workspace: str) -> str:
    """A name for a `.holdfast/` that is put aside; empty where there is none."""
    if not os.path.isdir(os.path.join(workspace, ".holdfast")):
        return ""
    return time.strftime(".holdfast-found-%Y%m%d-%H%M%S", time.localtime())


def _in_no_document(workspace: str, config: Config) -> int:
    """How many records of a workspace no document has."""
    memory = Memory(workspace, config, write=False)
    try:
        return len(_lost(memory))
    finally:
        memory.close()


def _lost(memory: Memory) -> list[Record]:
    from ..upkeep.examining import in_no_document
    from ..upkeep.surveying import survey

    return in_no_document(memory, survey(memory))


def is_set_up(workspace: str, env: Mapping[str, str]) -> bool:
    """Whether a folder is a workspace that is trusted."""
    real = os.path.realpath(workspace)
    return real in trusted_workspaces(env) and os.path.isdir(os.path.join(real, ".holdfast"))


def _missing(workspace: str, *, v4: bool) -> dict[str, str]:
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


def _links(workspace: str) -> dict[str, str]:
    """What is a link in the workspace, and where it leads."""
    if not os.path.isdir(workspace):
        return {}
    with Folder.open(workspace) as root:
        if root.is_link(".holdfast"):
            raise UserError(".holdfast is a link, and none is followed to it. Nothing was changed. Put the folder itself there.")
        found = {name: target for name in MAY_BE_LINKED if (target := root.link(name))}
    for name, target in found.items():
        kind, there = ("folder", os.path.isdir(target)) if name == "memory" else ("file", os.path.isfile(target))
        if not there or _has_controls(target):
            raise UserError(
                f"{name} is a link to {target!r}, which is no {kind}. Nothing was changed. Mend the link, or remove it."
            )
    return found


def announced(new: Wanted, env: Mapping[str, str]) -> list[str]:
    """What will be made and will count, a line each."""
    workspace = new.workspace
    lines = [f"In {workspace}:"]
    lines += [f"  + {folder}/" for folder in (".holdfast", "memory") if not os.path.lexists(os.path.join(workspace, folder))]
    lines += [f"  + {path}" for path in new.files]
    lines += ["  + .holdfast/.gitignore, so that git takes nothing of that folder along"] if new.ignored else []
    if new.missing:
        lines.append(f"  {new.missing} records of the journal are in no document; they are put back into their days")
    agreed = agreed_links(trust_list(env), workspace)
    for name, target in new.links.items():
        said = "as you have agreed" if agreed.get(name) == target else "from now on it is read and written there"
        lines.append(f"  {name}{'/' if name == 'memory' else ''} is a link to {target}; {said}")
    if workspace not in trusted_workspaces(env):
        lines += _brought(workspace, new)
        lines.append("  and it is trusted: commands run below this folder will use it")
    if new.earlier:
        few = "1 record" if new.records == 1 else f"{new.records} records"
        lines.append(f"  + what was saved for this project so far is brought in: {few} and their files, copied from")
        lines.append(f"    {new.earlier}")
    return [*lines, f"Nothing {'else ' if new.missing or new.aside else ''}that is there is changed."]


def _brought(workspace: str, new: Wanted) -> list[str]:
    """What a `.holdfast/` that nobody has trusted yet would bring with it."""
    if not os.path.isdir(os.path.join(workspace, ".holdfast")):
        return []
    lines = ["  .holdfast/ is there already and nobody has trusted it so far; if it came with a clone, look at it first"]
    if new.aside:
        lines.append(f"  git has it, so it came with a clone: it is put aside as {new.aside}/, and a new one begins;")
        lines.append("  its records and settings do not count. If it is your own, first run `git rm -r --cached .holdfast`")
    set_here = [name for name in SETTINGS if getattr(new.config, name) != getattr(Config, name)]
    return [*lines, *(f"    it sets {name} = {getattr(new.config, name)!r}" for name in set_here)]


def _has_controls(path: str) -> bool:
    """Whether a path would break the list, which has one a line."""
    return any(ord(character) < 32 or ord(character) == 127 for character in path)


def agreed(question: str) -> bool:
    """Whether the user says yes."""
    if not sys.stdin.isatty():
        raise UserError("There is nobody to ask. Nothing was changed; `--yes` says yes.")
    try:
        return input(f"{question} [y/N] ").strip().casefold() in ("y", "yes")
    except EOFError:  # Ctrl-D is a no
        return False


def make(new: Wanted, env: Mapping[str, str]) -> None:
    """Make a workspace, and trust it."""
    try:
        if new.aside:
            _put_aside(new)
        _trust(new.workspace, new.links, env)  # first: what is made may lie behind a link
        memory = Memory(new.workspace, read_config(new.workspace, env) if new.aside else new.config, write=True)
        try:
            vanished = bool(memory.home.stat("has-documents")) and memory.store.vanished()
            memory.store.folder("memory")
            if new.ignored:
                ignored(memory.home, memory.swap)
            for folder in LAYOUT_V4_FOLDERS if new.files else ():
                memory.store.folder(folder)
            for path, text in new.files.items():
                memory.write_file(path, text.encode(), "`holdfast init`")
            if vanished:
                print(f"memory/ had vanished; {memory.rebuild()} records were put back from the journal")
            memory.catch_up()  # with what was saved while a link stood in the way
            if new.missing and (lost := _lost(memory)):
                print(f"{memory.put_back(lost)} records that were in no document are back in their days")
            if new.earlier:
                came, unread = bring_in(memory, new.earlier, env)
                left = f"; {unread} could not be read and stay there" if unread else ""
                print(printable(f"brought in  {came} records from {new.earlier}, which is kept as it is{left}"))
            else:
                remember_workspace(new.workspace, env, new.workspace)
        finally:
            memory.close()
    except OSError as error:
        raise not_saved(error, str(error.filename or new.workspace), "The workspace") from error


def _put_aside(new: Wanted) -> None:
    """Give a `.holdfast/` that came with a clone another name, under which nobody reads it; git is to leave that alone too."""
    with Folder.open(new.workspace) as root:
        root.move(".holdfast", root, new.aside)
        root.sync()
        with root.child(new.aside) as found, found.child("swap", make=True) as swap:
            ignored(found, swap)


def _trust(workspace: str, links: dict[str, str], env: Mapping[str, str]) -> None:
    """Write into the user's own list what was agreed to: a workspace, and the links in it as they were shown."""
    with Folder.open(state_folder(env), make=True) as folder:
        lock = Lock(folder, "trusted.lock")
        try:
            lock.take(2.0)
            # Read so that a list which cannot be read is an error: to take it for empty would take back every other yes.
            known = (folder.read_or_none("trusted") or b"").decode("utf-8", "surrogateescape").split("\n")
            others = {line for line in known if line.strip() and line.split("\t")[0] != workspace}
            own = {workspace, *("\t".join((workspace, name, target)) for name, target in links.items())}
            data = "".join(f"{line}\n" for line in sorted(others | own)).encode("utf-8", "surrogateescape")
            folder.place(folder.prepare(data), folder, "trusted", over=True)
            folder.sync()
        finally:
            lock.close()
