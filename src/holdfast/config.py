"""Where the workspace is, and its settings: read once at the edge, passed down, never changed.

Which folder is meant, first match: `--workspace`; `HOLDFAST_WORKSPACE`; `OPENCLAW_WORKSPACE`; the nearest folder upwards
(below the home folder) that is *trusted*: `holdfast init` was run there, for a worktree also in its main checkout; for a command
in the home folder or at the root OpenClaw's workspace, where it is on this machine; else a folder of its own for this project in
the user's state folder, known by its repository (projects.py). So a command works in a project that nobody has set up, and
leaves no file in it. A cloned repository that brings its own `.holdfast/` has no effect before `holdfast init` was run there. One
that has lost it (`git clean -fdx`) is still the workspace: to go elsewhere without a word would look like a memory that is lost.

The user's list (`trusted` in the state folder) has a line for each workspace that `init` was told yes about, and one for each
link in it: the workspace, `memory` or `MEMORY.md`, and the place that the link led to, with tabs between.
"""

from __future__ import annotations

import errno
import os

from .errors import BadSetting, reason
from .model import Value
from .projects import find_memory, find_repository, remember_memory
from .storage.disk import Folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class Config(Value):
    """Every setting, with its default."""

    contextDir: str = "memory"  # noqa: N815 - the seed's own spelling, the same in OpenClaw's plugin settings
    maxHistoryLines: int = 30  # noqa: N815
    maxDecisions: int = 20  # noqa: N815
    briefMaxChars: int = 9000  # noqa: N815
    recentMinutes: int = 60  # noqa: N815
    archiveDays: int = 30  # noqa: N815
    compressDays: int = 90  # noqa: N815
    bufferLines: int = 80  # noqa: N815
    memoryLines: int = 60  # noqa: N815
    promoteDays: int = 2  # noqa: N815
    trashDays: int = 90  # noqa: N815
    tags: str = ""
    autoUpkeep: str = "when-due"  # noqa: N815
    autoExtract: str = "at-boundaries"  # noqa: N815
    gitCommit: str = "never"  # noqa: N815
    briefOnStart: str = "auto"  # noqa: N815
    briefOnClear: str = "auto"  # noqa: N815
    briefOnCompaction: str = "full"  # noqa: N815
    agreements: str = ""  # no setting: the user's list of what was agreed to, which no workspace can name
    wrong: tuple[str, ...] = ()  # no setting: what is set and cannot be used, a sentence each

    def refuse_wrong(self) -> None:
        """Raise where a setting cannot be used: for the few commands that must not go on with a default."""
        if self.wrong:
            raise BadSetting("\n".join([*self.wrong, "Nothing was changed. Mend it, and run the command again."]))


WORDS = {  # of the settings that take one of some words
    "autoUpkeep": ("when-due", "on-heartbeat", "never"),
    "autoExtract": ("at-boundaries", "never"),
    "gitCommit": ("after-upkeep", "never"),
    "briefOnStart": ("auto", "full", "short", "none"),  # auto: short in coding agents, full in OpenClaw
    "briefOnClear": ("auto", "full", "short", "none"),
    "briefOnCompaction": ("full", "short", "none"),
}
SETTINGS = tuple(name for name in Config._fields if name not in ("agreements", "wrong"))
LEAST, MOST = {"briefMaxChars": 500}, 1_000_000_000  # of the settings that take a number; the others take 1 and more
BRIEF_SIZE = "HOLDFAST_BRIEF_MAX_CHARS"


# By which a command that an agent runs is told of which session that is; and the host that does.
OWN_SESSION = (
    ("OPENCLAW_SESSION_ID", "openclaw"),
    ("HOLDFAST_SESSION", ""),  # whoever will: our plugin in opencode, an agent of your own
    ("CLAUDE_CODE_SESSION_ID", "claude-code"),
    ("CODEX_THREAD_ID", "codex"),
    ("GEMINI_SESSION_ID", "gemini"),
)


def own_session(env: Mapping[str, str]) -> tuple[str, str]:
    """(the session in which we are run, and its host); both empty where no host says so, or several do: one that was started by
    another's agent has the other's name for it as well. OpenClaw's counts in any case: it runs other hosts for its own sessions.
    """
    named = [(env[name], host) for name, host in OWN_SESSION if env.get(name)]
    return named[0] if len(named) == 1 or (named and named[0][1] == "openclaw") else ("", "")


def state_folder(env: Mapping[str, str]) -> str:
    """The user's own folder for what belongs to no project."""
    base = env.get("XDG_STATE_HOME") or os.path.join(env.get("HOME") or os.path.expanduser("~"), ".local", "state")
    return os.path.join(base, "holdfast")


def find_workspace(named: str, env: Mapping[str, str], here: str) -> str:
    """The folder whose memory is meant. It need not exist yet."""
    given = named or env.get("HOLDFAST_WORKSPACE") or env.get("OPENCLAW_WORKSPACE")
    if given:
        return os.path.abspath(os.path.join(here, os.path.expanduser(given)))
    trusted = trusted_workspaces(env)
    home = os.path.realpath(env.get("HOME") or os.path.expanduser("~"))
    for start in (here, find_repository(here).place if trusted else here):
        folder = os.path.realpath(start)
        while folder not in (home, os.path.dirname(folder)):
            if folder in trusted:
                return folder
            folder = os.path.dirname(folder)
    return project_folder(env, here)


def text_of(path: str) -> str | None:
    """The text of a settings file of a host's; None where there is none that can be read."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
            return file.read()
    except OSError:
        return None


def is_no_project(env: Mapping[str, str], here: str) -> bool:
    """Whether a folder is the user's home or the root: whoever runs a command there means no folder in particular."""
    home = os.path.realpath(env.get("HOME") or os.path.expanduser("~"))
    return os.path.realpath(here) in (home, "/")


def bereft_folder(env: Mapping[str, str], here: str) -> str:
    """The workspace that is found from here, where `init` made it and its `.holdfast/` is gone since; else empty."""
    folder = find_workspace("", env, here)
    gone = not os.path.lexists(os.path.join(folder, ".holdfast"))
    return folder if gone and folder in trusted_workspaces(env) else ""


def untrusted_folder(env: Mapping[str, str], here: str) -> tuple[str, str]:
    """(the nearest folder upwards with a `.holdfast/` or a `memory/` of ours that nobody has trusted, and which); else empty.

    Git takes no `.holdfast/` along where `init` has told it so: what a clone and a second work tree have is `memory/` alone.
    """
    folder = os.path.realpath(here)
    home = os.path.realpath(env.get("HOME") or os.path.expanduser("~"))
    while folder not in (home, os.path.dirname(folder)):
        for name, sign in ((".holdfast", ""), ("memory", "session-state.md"), ("memory", "working-buffer.md")):
            if os.path.exists(os.path.join(folder, name, sign)):
                return ("", "") if folder in trusted_workspaces(env) else (folder, name)
        folder = os.path.dirname(folder)
    return "", ""


def project_folder(env: Mapping[str, str], here: str) -> str:
    """The workspace of a project that nobody has set up here: by its repository, else by the folder itself."""
    return find_memory(state_folder(env), here, trusted_workspaces(env))


def remember_workspace(workspace: str, env: Mapping[str, str], here: str) -> None:
    """Write down that this workspace is the memory of the project in a folder, so that a moved or new clone finds it."""
    if not env.get("HOLDFAST_WORKSPACE") and not env.get("OPENCLAW_WORKSPACE"):
        remember_memory(state_folder(env), here, workspace)


def trust_list(env: Mapping[str, str]) -> str:
    """The file that has what the user has agreed to."""
    return os.path.join(state_folder(env), "trusted")


def trust_lines(path: str) -> list[str]:
    """What the user has agreed to, line by line; nothing where there is no list."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as lines:
            return [line.rstrip("\n") for line in lines if line.strip()]
    except OSError:
        return []


def trusted_workspaces(env: Mapping[str, str]) -> frozenset[str]:
    """The workspaces that `init` was told yes about."""
    return frozenset(line for line in trust_lines(trust_list(env)) if "\t" not in line)


def is_trusted(config: Config, workspace: str) -> bool:
    """Whether `init` was told yes about a workspace; it may have been named otherwise since (`--workspace`)."""
    return bool(config.agreements) and os.path.realpath(workspace) in trust_lines(config.agreements)


def agreed_links(path: str, workspace: str) -> dict[str, str]:
    """The links in a workspace that its owner has agreed to, with the place that each led to then."""
    parts = [line.split("\t") for line in trust_lines(path)] if path else []
    return {part[1]: part[2] for part in parts if len(part) == 3 and part[0] == workspace}


def read_config(workspace: str, env: Mapping[str, str] | None = None) -> Config:
    """The settings of a workspace; the default of each that is not set, or cannot be used (`wrong` says which, and why).

    It never raises: a slip in a setting must not keep a hook from saving.
    """
    path = os.path.join(workspace, ".holdfast", "config.toml")
    config = Config(agreements="" if env is None else trust_list(env))
    if os.path.lexists(path):
        config = _apply_settings(config, *_read_file(workspace, path), path)
    given = (env or {}).get("HOLDFAST_SETTINGS", "")
    if given:
        config = _apply_settings(config, *_read_given(given), "HOLDFAST_SETTINGS")
    size = (env or {}).get(BRIEF_SIZE, "")
    if size:
        is_number = size.isascii() and size.isdigit() and len(size) < 12
        found = {"briefMaxChars": int(size) if is_number else size}
        config = _apply_settings(config, found, "", BRIEF_SIZE)
    return config


def _read_file(workspace: str, path: str) -> tuple[dict[str, Any], str]:
    """(what config.toml sets, why it cannot be read). A linked file, or one in a linked folder, is none of this workspace."""
    import tomllib

    try:
        with Folder.open(workspace) as root, root.child(".holdfast") as home:
            return tomllib.loads(home.read("config.toml").decode()), ""
    except OSError as error:
        why = reason(error)[0] if error.errno != errno.EINVAL else str(error.strerror)
        return {}, f"{error.filename or path} cannot be read: {why}"
    except (ValueError, RecursionError) as error:
        return {}, f"{path} cannot be read: {error}"


def _read_given(given: str) -> tuple[dict[str, Any], str]:
    """(what whoever started us has set, as a JSON object, why it cannot be read): a host's plugin has settings too."""
    import json

    try:
        found = json.loads(given)
    except (ValueError, RecursionError):
        found = None
    return (found, "") if isinstance(found, dict) else ({}, "HOLDFAST_SETTINGS is no JSON object of settings")


def _apply_settings(config: Config, found: Mapping[str, Any], unread: str, source: str) -> Config:
    """The settings with those on top that can be used; what is wrong with the others is added to `wrong`."""
    wrong, good = [], {}
    if unread:
        wrong.append(f"{unread}. What it sets does not count.")
    for name, value in found.items():
        fault = _find_fault(name, value)
        if fault:
            wrong.append(f"{source}: {fault}")
        else:
            good[name] = os.path.normpath(value) if name == "contextDir" else value
    return config.replaced(**good, wrong=(*config.wrong, *wrong))


def _find_fault(name: str, value: Any) -> str:
    """What is wrong with a setting, and what counts instead; empty where it can be used."""
    if name not in SETTINGS:
        return f"there is no setting {name}, so it has no effect. Known: {', '.join(SETTINGS)}."
    default = getattr(Config, name)
    if type(default) is int:
        least = LEAST.get(name, 1)
        fine = type(value) is int and least <= value <= MOST
        wanted = f"a whole number from {least} to {MOST}"
    elif name in WORDS:
        fine = value in WORDS[name]
        wanted = " or ".join(f'"{word}"' for word in WORDS[name])
    elif name == "contextDir":
        fine = isinstance(value, str) and _is_inside(os.path.normpath(value))
        wanted = "a folder inside the workspace, and not .holdfast"
    else:
        fine, wanted = isinstance(value, str), "a text in quotes"
    return "" if fine else f"{name} must be {wanted}, not {str(value)[:80]!r}. The default counts: {default!r}."


def _is_inside(folder: str) -> bool:
    """Whether a folder that a setting names is in the workspace, and none of ours."""
    return not (os.path.isabs(folder) or "\0" in folder or folder.partition(os.sep)[0].casefold() in ("..", ".holdfast"))
