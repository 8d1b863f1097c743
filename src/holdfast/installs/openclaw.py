"""OpenClaw: the plugin with its permissions, the skill, the room for a last checkpoint, the rules in each workspace's AGENTS.md.

The plugin is copied to `holdfast/plugin` in OpenClaw's own state folder and named there in `plugins.load.paths`: a path into
the Python package would break with its next upgrade, and `extensions/` is where OpenClaw's own installer keeps its books. With
the state folder it moves, is backed up and is thrown away; an upgrade of Holdfast shows as a diff at the next `holdfast init`.

What a version's strict schema does not know is a fault in its settings, so that each key is written only where it is known.
Of what the owner has set nothing is lowered or switched on: a flush that is off stays off, and that is said.
"""

from __future__ import annotations

import os
import re
import shlex
from typing import Any

from ..documents.markdown import new_state_file
from ..upkeep.scheduling import schedules
from . import Edit, Place, Plan, Refused, State, Unusable, json_text, marked, rules, shipped
from .included import INCLUDE, Settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

NAME = "OpenClaw"
HOST = "openclaw"
PLUGIN = "holdfast"
SOFT_THRESHOLD, LARGE_WINDOW = 12_000, 40_000  # tokens before a compaction; the host's own 4000 is too few to write in

Version = tuple[int, ...]
_ASKS_FOR_ACCESS: Version = (2026, 5)  # before that the key is unknown, and the hooks run without it
_RUNS_COMMANDS: Version = (2026, 7)  # its scheduler, without a model; and lets plugins add jobs
_FIXED_FLUSH: Version = (2026, 8)  # from here on the flush has no prompt of its own in the settings
_TAKES_UP_CHANGES: Version = (2026, 9)  # plugins too, without a restart

_FLUSH = ("agents", "defaults", "compaction", "memoryFlush")
_ENTRY = ("plugins", "entries", PLUGIN)
_PATHS = ("plugins", "load", "paths")
_REVIEW = (*_ENTRY, "config", "weeklyReview")


def install(place: Place) -> Plan:
    """All of it, as this version of OpenClaw knows it."""
    config = _settings(place)
    version = version_of(place, config)
    said = _put(config, place, version)
    edits = _copies(place) + config.edits("the plugin with its permissions, and room for a checkpoint before a compaction")
    told: tuple[Edit, ...] = ()
    made, waiting = _workspaces(place, config)
    for workspace in made:
        edits += _template(place, workspace)
        told += _rules(place, workspace)
    for workspace in waiting:
        said.append(f"{workspace} is not there yet: start OpenClaw once, and run this again for the rules in its AGENTS.md.")
    then = (*_afterwards(place, config, version, made), *said) if edits or told else ()
    return Plan(edits, told, then, tuple(made))


def remove(place: Place) -> Plan:
    """Our entry, our path, our words to the flush, our files, our sections. Numbers that the owner may rely on stay."""
    config = _settings(place) if place.read(config_path(place)) is not None else _no_settings(place)
    for name in ("prompt", "systemPrompt"):
        if PLUGIN in str(config.get((*_FLUSH, name))).casefold():
            config.drop((*_FLUSH, name))
    config.drop_from(_PATHS, plugin_folder(place))
    config.drop_from(("plugins", "allow"), PLUGIN)
    config.drop(_ENTRY)
    for way in (_PATHS, _PATHS[:-1], _ENTRY[:-1], _ENTRY[:1]):
        if config.get(way) in ({}, []):
            config.drop(way)
    edits = config.edits("the plugin's entry and path, and our words to the flush")
    for path in _copied(place):
        before = place.read(path)
        edits += (Edit(path, before, None, "ours"),) if before is not None else ()
    told: tuple[Edit, ...] = ()
    for workspace in _workspaces(place, config)[0]:
        path = os.path.join(workspace, "AGENTS.md")
        before = place.read(path)
        without = marked.without_section(before) if before else before
        told += (Edit(path, before, without or None, "our section"),) if without != before else ()
    review = "The weekly review is OpenClaw's job: openclaw cron list names it (holdfast-review-…), openclaw cron rm ID ends it."
    return Plan(edits, told, (review, "Your memory stays where it is: MEMORY.md, memory/ and .holdfast/ in the workspace."))


def state(place: Place) -> State:
    """What can be told without asking OpenClaw: whether all of it is there, and as this Holdfast would write it."""
    if place.read(config_path(place)) is None:
        return State(there=bool(place.listed(state_folder(place))), installed=False, said=("OpenClaw has no settings here.",))
    try:
        config = _settings(place)
        wrong = _wanting(place, config)
        plan = install(place)
    except Unusable as error:
        return State(there=True, installed=False, current=False, said=(f"{error.path}: {error.why}",))
    installed = isinstance(config.get(_ENTRY), dict)
    call = config.get((*_ENTRY, "config", "command"))
    words = tuple(str(word) for word in (call if isinstance(call, list) else [call] if isinstance(call, str) else []))
    return State(True, installed and not wrong, not plan.edits and not plan.rules, tuple(wrong if installed else ()), words)


def _wanting(place: Place, config: Settings) -> list[str]:
    """Why the plugin would not be loaded, or would be loaded without power."""
    folder = plugin_folder(place)
    wrong = []
    if place.read(f"{folder}/openclaw.plugin.json") is None:
        wrong.append(f"the plugin is not in {folder}")
    if folder not in _listed(config, _PATHS):
        wrong.append("plugins.load.paths does not name it")
    if config.get((*_ENTRY, "enabled")) is not True:
        wrong.append("plugins.entries.holdfast is not enabled")
    for name in _permissions(version_of(place, config)):
        if config.get((*_ENTRY, "hooks", name)) is not True:
            wrong.append(f"plugins.entries.holdfast.hooks.{name} is not true: the host drops the hooks that need it")
    return wrong + _forbidding(config)


def _forbidding(config: Settings) -> list[str]:
    """What the owner has set against plugins, which we do not undo."""
    said = []
    if config.get(("plugins", "enabled")) is False:
        said.append("plugins.enabled is false: OpenClaw loads no plugin at all")
    if PLUGIN in _listed(config, ("plugins", "deny")):
        said.append("plugins.deny names holdfast: take it out there, or the plugin is not loaded")
    return said


def _listed(config: Settings, way: tuple[str, ...]) -> list[Any]:
    found = config.get(way)
    return found if isinstance(found, list) else []


# ---- what is on this machine --------------------------------------------------------------------------------------------


def state_folder(place: Place) -> str:
    """OpenClaw's state folder."""
    named = place.env.get("OPENCLAW_STATE_DIR")
    if named:
        return _absolute(place, named)
    profile = place.env.get("OPENCLAW_PROFILE") or "default"
    home = _absolute(place, place.env.get("OPENCLAW_HOME") or place.home)
    return os.path.join(home, ".openclaw" if profile == "default" else f".openclaw-{profile}")


def config_path(place: Place) -> str:
    """OpenClaw's settings."""
    named = place.env.get("OPENCLAW_CONFIG_PATH")
    return _absolute(place, named) if named else os.path.join(state_folder(place), "openclaw.json")


def plugin_folder(place: Place) -> str:
    """Where our plugin goes."""
    return os.path.join(state_folder(place), "holdfast", "plugin")


def version_of(place: Place, config: Settings) -> Version:
    """The newest version that is known to have been here: of the program on PATH, and of whoever wrote the settings last.

    The newest, because a key that it has retired is a fault, and one that it does not need does no harm. Empty: not known.
    """
    return max(_numbers(config.get(("meta", "lastTouchedVersion"))), _numbers(_installed(place)))


def _installed(place: Place) -> Any:
    """The version of the program on PATH, by the package that stands beside it: a link of npm's, in a prefix or in `.bin`."""
    for folder in place.env.get("PATH", "").split(os.pathsep):
        if os.path.isabs(folder) and "openclaw" in place.listed(folder):
            for package in ("lib/node_modules/openclaw/package.json", "openclaw/package.json"):
                try:
                    found = json_text.read(place.read(os.path.join(os.path.dirname(folder.rstrip("/")), package)) or "")
                except ValueError:
                    continue
                if isinstance(found, dict) and found.get("version"):
                    return found["version"]
            return ""
    return ""


def _numbers(text: Any) -> Version:
    found = re.match(r"(\d+)\.(\d+)(?:\.(\d+))?", text) if isinstance(text, str) else None
    return tuple(int(number or 0) for number in found.groups()) if found else ()


def _absolute(place: Place, path: str) -> str:
    path = place.home + path[1:] if path == "~" or path.startswith("~/") else path
    return os.path.normpath(os.path.join(place.folder, path))


def _settings(place: Place) -> Settings:
    if place.project:
        raise Refused("OpenClaw has no settings for one folder alone: leave out --project, and all its agents have it.")
    path = config_path(place)
    if place.read(path) is None:
        raise Unusable(path, "it is not there; `openclaw onboard` makes it")
    return Settings(place, path)


def _no_settings(place: Place) -> Settings:
    """Those of an OpenClaw whose settings have gone; our files may be there still."""
    gone = config_path(place)
    return Settings(place.replaced(read=lambda path: "{}" if path == gone else place.read(path)), gone)


def _workspaces(place: Place, config: Settings) -> tuple[list[str], list[str]]:
    """The agents' workspaces: those that OpenClaw has made, and those that it will make.

    An AGENTS.md of ours in a workspace to be would keep OpenClaw from putting its own there.
    """
    agents = config.get(("agents",))
    agents = agents if isinstance(agents, dict) and INCLUDE not in agents else {}
    base = config.get(("agents", "defaults", "workspace"))
    base = base if isinstance(base, str) else ""
    own = place.env.get("OPENCLAW_WORKSPACE_DIR") or place.env.get("OPENCLAW_WORKSPACE")
    first = _absolute(place, base or own or os.path.join(state_folder(place), "workspace"))
    named, perhaps = [], []
    for name, workspace in _roster(agents):
        if workspace:
            named.append(_absolute(place, workspace))
        else:
            perhaps += [os.path.join(state_folder(place), f"workspace-{name}"), *([os.path.join(first, name)] if base else [])]
    if not named or perhaps:
        named.insert(0, first)
    told = list(dict.fromkeys(named))
    keeps_house = config.get(("agents", "defaults", "skipBootstrap")) is True
    made = [path for path in told if keeps_house or place.read(os.path.join(path, "AGENTS.md")) is not None]
    waiting = [path for path in told if path not in made]
    made += [path for path in perhaps if path not in told and place.read(os.path.join(path, "AGENTS.md")) is not None]
    return made, waiting if not made else []


def default_workspace(env: Mapping[str, str], read: Callable[[str], str | None]) -> str:
    """The folder that OpenClaw's default agent works in, by its settings; it need not be there."""
    home = (env.get("HOME") or os.path.expanduser("~")).rstrip("/")
    place = Place(home, home, "", "", env, read, lambda _folder: [])
    named: Any = ""
    try:
        config = _settings(place)
        agents = config.get(("agents",))
        named = _default_agent(agents if isinstance(agents, dict) else {}) or config.get(("agents", "defaults", "workspace"))
    except Unusable:
        pass  # it has no settings, or some that it would not read itself
    own = env.get("OPENCLAW_WORKSPACE_DIR") or os.path.join(state_folder(place), "workspace")
    return _absolute(place, named if isinstance(named, str) and named else own)


def _default_agent(agents: dict[str, Any]) -> str:
    """The workspace of the agent that is marked as the default, or else is named first; empty where it has none of its own."""
    entries, listed = agents.get("entries"), agents.get("list")
    every = [one for one in entries.values() if isinstance(one, dict)] if isinstance(entries, dict) else []
    every += [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    chosen = [one for one in every if one.get("default") is True] or every
    return str(chosen[0].get("workspace") or "") if chosen else ""


def _roster(agents: dict[str, Any]) -> list[tuple[str, str]]:
    """(id, workspace) of each agent that is named: `agents.list` up to 2026.7, `agents.entries` since."""
    entries, listed = agents.get("entries"), agents.get("list")
    found = [(str(name), one) for name, one in entries.items() if name != INCLUDE] if isinstance(entries, dict) else []
    found += [(str(one.get("id")), one) for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    return [(name, str(one.get("workspace") or "") if isinstance(one, dict) else "") for name, one in found]


# ---- what is put there --------------------------------------------------------------------------------------------------


def _permissions(version: Version) -> tuple[str, ...]:
    old = version and version < _ASKS_FOR_ACCESS
    return ("allowPromptInjection",) if old else ("allowConversationAccess", "allowPromptInjection")


def _put(config: Settings, place: Place, version: Version) -> list[str]:
    """Change the settings; returns what is to be known of them."""
    config.add(_PATHS, plugin_folder(place))
    config.put((*_ENTRY, "enabled"), value=True)
    for name in _permissions(version):
        config.put((*_ENTRY, "hooks", name), value=True)
    words = shlex.split(place.command)
    config.put((*_ENTRY, "config", "command"), words[0] if len(words) == 1 else words)  # the plugin starts no shell
    if _schedules_itself(version) and config.get(_REVIEW) is None:
        config.put(_REVIEW, value=True)
    if config.get(("plugins", "allow")):  # a list that somebody keeps; to begin one would shut out all others
        config.add(("plugins", "allow"), PLUGIN)
    said = [f"{line}." for line in _forbidding(config)]
    if config.get((*_FLUSH, "enabled")) is False:
        said.append("memoryFlush.enabled is false in your settings and stays so: the hooks save without it.")
    elif config.get((*_FLUSH, "enabled")) is None:
        config.put((*_FLUSH, "enabled"), value=True)
    tokens = config.get((*_FLUSH, "softThresholdTokens"))
    if not isinstance(tokens, (int, float)) or tokens < SOFT_THRESHOLD:
        config.put((*_FLUSH, "softThresholdTokens"), SOFT_THRESHOLD)
    if not isinstance(tokens, (int, float)) or tokens < LARGE_WINDOW:
        way = ".".join((*_FLUSH, "softThresholdTokens"))
        said.append(f"Where the model's window is large, more room does no harm: openclaw config set {way} {LARGE_WINDOW}")
    if version and version < _FIXED_FLUSH:
        said += _put_words(config)
    return said


def _schedules_itself(version: Version) -> bool:
    """Whether the plugin can have the host run the weekly review. An unknown version is a new one."""
    return not version or version >= _RUNS_COMMANDS


def _put_words(config: Settings) -> list[str]:
    """Tell the flush turn what to write, unless the owner has told it something else."""
    block = " ".join(shipped.text("flush.md").split())
    block = block[0].upper() + block[1:]
    words = {
        "systemPrompt": "Pre-compaction turn (Holdfast). The context will be cut: write the note that the next one begins with.",
        "prompt": f"The context is about to be compacted (Holdfast). {block}",
    }
    said = []
    for name, text in words.items():
        there = config.get((*_FLUSH, name))
        if not there or PLUGIN in str(there).casefold():
            config.put((*_FLUSH, name), text)
        else:
            said.append(f"memoryFlush.{name} is your own and stays as it is; the rules in AGENTS.md say what Holdfast would.")
    return said


def _copied(place: Place) -> dict[str, tuple[str, str]]:
    """The files that are ours altogether, with what they are to be and what for."""
    homes = {
        "openclaw": (plugin_folder(place), "the plugin"),
        "claude-code/skills": (os.path.join(state_folder(place), "skills"), "the skill: when to save and how to recover"),
    }
    return {
        os.path.join(folder, *name.split("/")): (text, why)
        for source, (folder, why) in homes.items()
        for name, text in shipped.files(source).items()
    }


def _copies(place: Place) -> tuple[Edit, ...]:
    return tuple(
        Edit(path, before, text, why) for path, (text, why) in _copied(place).items() if (before := place.read(path)) != text
    )


def _template(place: Place, workspace: str) -> tuple[Edit, ...]:
    path = os.path.join(workspace, "memory", "session-state.md")
    why = "the template of the session state, for turns that can only write"
    return (Edit(path, None, new_state_file(), why),) if place.read(path) is None else ()


def _rules(place: Place, workspace: str) -> tuple[Edit, ...]:
    path = os.path.join(workspace, "AGENTS.md")
    before = place.read(path)
    found = f"\nWhere the shell does not find `holdfast`, it is `{place.command}`.\n"  # a service has a PATH of its own
    after = marked.with_section(before, rules.text(HOST) + found)
    why = "the rules for the agent: what to save when, and how to recover"
    return (Edit(path, before, after, why),) if after != before else ()


def _afterwards(place: Place, config: Settings, version: Version, workspaces: list[str]) -> list[str]:
    hot = version >= _TAKES_UP_CHANGES
    lines = [
        "OpenClaw takes this up by itself within seconds: openclaw plugins inspect holdfast shows it."
        if hot
        else "Restart the gateway, so that it loads the plugin: openclaw gateway restart"
    ]
    for workspace in workspaces:
        lines.append(f"After a turn, this proves that it works: {place.command} --workspace {shlex.quote(workspace)} doctor")
    if _schedules_itself(version):
        if config.get(_REVIEW) is True:
            lines.append("The plugin has OpenClaw run the weekly review, Mondays at nine: openclaw cron list shows it.")
        return lines
    for workspace in workspaces:
        where, line = weekly_review(place, workspace)
        lines += [f"For the weekly review, Mondays at nine, {where}:", f"  {line}"]
    return lines


def weekly_review(place: Place, workspace: str) -> tuple[str, str]:
    """Where it is scheduled and by which line, for a version whose own scheduler would start a model for it."""
    command, *more = shlex.split(place.command)
    try:
        found = [] if more else [one.line for one in schedules(command, workspace) if one.by == "crontab"]
    except ValueError:
        found = []
    line = found[0] if found else f"{place.command} --workspace {shlex.quote(workspace)} upkeep review"
    return "in your crontab" if found else "have this run", line
