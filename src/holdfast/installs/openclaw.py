"""OpenClaw: the plugin with its permissions, the skill, the room for a last checkpoint, the rules in each workspace's AGENTS.md.

The plugin is copied to `holdfast/plugin` in OpenClaw's own state folder and named there in `plugins.load.paths`: a path into
the Python package would break with its next upgrade, and `extensions/` is where OpenClaw's own installer keeps its books. With
the state folder it moves, is backed up and is thrown away; an upgrade of Holdfast shows as a diff at the next `holdfast init`.

What a version's strict schema does not know is a fault in its settings, so that each key is written only where it is known, and
one that the version has retired is taken out: with it OpenClaw refuses all of its settings. Of what the owner has set nothing is
lowered or switched on: a flush that is off stays off, and that is said.

Other memories that would fight with ours are switched off in the same diff (older_memories.py), unless the user keeps them.
"""

from __future__ import annotations

import os
import re
import shlex
from typing import Any

from ..documents.markdown import new_state_file
from ..upkeep.scheduling import schedules
from . import Edit, Place, Plan, Refused, State, Unusable, json_text, marked, older_memories, rules, shipped, skill
from .included import INCLUDE, Settings
from .older_memories import OlderMemory, SetAside

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
_PAUSED = (*_ENTRY, "config", "pausedJobs")
_FLUSH_WORDS = ("systemPrompt", "prompt")

# Of a longer AGENTS.md the middle is cut; agents.defaults.bootstrapMaxChars is another number. _HEAD of it is the beginning.
_SHOWN_CHARS, _HEAD = 20_000, 0.45
_OCCASIONS = ("a prompt", "the end of a turn", "before and after a compaction", "/new and /reset", "a session's start and end")


def install(place: Place) -> Plan:
    """All of it, as this version of OpenClaw knows it."""
    config = _settings(place)
    version = version_of(place, config)
    made, waiting = _workspaces(place, config)
    found = older_memories.find(place, config, state_folder(place), made) if place.switch else []
    older = [one for one in found if not one.job or _schedules_itself(version)]
    summary = [*(_in_a_line(one) for one in older), *_refused_words(place, config, version)]
    aside, said = _switch_off(place, config, older)
    said = [*said, *_put(config, place, version)]
    edits = _copies(place, version)
    told: tuple[Edit, ...] = ()
    for workspace in made:
        edits += _template(place, workspace)
        edit, sections, notes = _rules(place, config, version, workspace) if place.rules else ((), {}, [])
        told += edit
        said += notes
        if sections:
            path = os.path.join(workspace, "AGENTS.md")
            summary.append(f"the older rules for checkpoints in {path}: set aside, ours say the same")
            aside = aside.replaced(sections=tuple({**dict(aside.sections), **sections}.items()))
    edits += _keep_aside(place, aside)
    # Last: a gateway that runs takes its settings up at once, and looks for the plugin that they name.
    edits += config.edits("the plugin with its permissions, and room for a checkpoint before a compaction")
    for one in (one for one in found if one not in older):  # plugins cannot reach the scheduler of this version
        said.append(f"{one.name} does what `holdfast upkeep review` does: openclaw cron disable {one.job}")
    for workspace in waiting:
        said.append(f"{workspace} is not there yet: start OpenClaw once, and run this again for the rules in its AGENTS.md.")
    if not edits and not told:
        return Plan(workspaces=tuple(made))
    for folder in older_memories.find_scripts(place, made):
        said.append(f"The scripts in {folder} stay; `holdfast health`, `holdfast upkeep` and `holdfast write` do their work.")
    return Plan(
        edits,
        told,
        (*_afterwards(place, config, version, made), *said),
        hooks=_OCCASIONS,
        older=tuple(summary),
        taken_up=_taken_up(version),
        check=("openclaw", "config", "validate"),
        workspaces=tuple(made),
    )


def remove(place: Place) -> Plan:
    """Our entry, our path, our words to the flush, our files, our sections; and what was switched off is put back.

    Numbers that the owner may rely on stay.
    """
    config = _settings(place) if place.read(config_path(place)) is not None else _no_settings(place)
    aside = older_memories.read_set_aside(place.read(_aside_path(place)))
    for name in _FLUSH_WORDS:
        if PLUGIN in str(config.get((*_FLUSH, name))).casefold():
            config.drop((*_FLUSH, name))
    _switch_on(config, aside)
    config.drop_from(_PATHS, plugin_folder(place))
    config.drop_from(("plugins", "allow"), PLUGIN)
    config.drop(_ENTRY)
    for way in (_PATHS, _PATHS[:-1], _ENTRY[:-1], _ENTRY[:1]):
        if config.get(way) in ({}, []):
            config.drop(way)
    edits = config.edits("the plugin's entry and path, and our words to the flush")
    for path in (*_copied(place), _aside_path(place)):
        before = place.read(path)
        edits += (Edit(path, before, None, "ours", ours=True),) if before is not None else ()
    told: tuple[Edit, ...] = ()
    for workspace in _workspaces(place, config)[0]:
        path = os.path.join(workspace, "AGENTS.md")
        before = place.read(path)
        without = older_memories.put_guide_back(marked.without_section(before), dict(aside.sections)) if before else before
        told += (Edit(path, before, without or None, "our section"),) if without != before else ()
    review = (
        "The weekly review stays, where there is one. In OpenClaw, openclaw cron list names it (holdfast-review-…) and "
        "openclaw cron rm ID ends it; a line in your crontab you take out with crontab -e."
    )
    back = [f"The job that was paused for it runs again after this: openclaw cron enable {job}" for job in aside.jobs]
    kept = "Your memory stays where it is: MEMORY.md, memory/ and .holdfast/ in the workspace."
    return Plan(edits, told, (*back, review, kept))


def state(place: Place) -> State:
    """What can be told without asking OpenClaw: whether all of it is there, and as this Holdfast would write it."""
    if place.read(config_path(place)) is None:
        return State(there=bool(place.listed(state_folder(place))), installed=False, said=("OpenClaw has no settings here.",))
    try:
        config = _settings(place)
        wrong = _wanting(place, config)
        plan = install(place)
        fights = _fights(place, config)
    except Unusable as error:
        return State(there=True, installed=False, current=False, said=(f"{error.path}: {error.why}",))
    installed = isinstance(config.get(_ENTRY), dict)
    call = config.get((*_ENTRY, "config", "command"))
    words = tuple(str(word) for word in (call if isinstance(call, list) else [call] if isinstance(call, str) else []))
    missing, in_place = _read_back(place, config) if installed else ([], [])
    return State(
        True,
        installed and not wrong,
        not plan.edits and not plan.rules,
        tuple(wrong if installed else ()),
        words,
        fights=tuple(fights if installed else ()),
        missing=tuple(missing),
        in_place=tuple(in_place),
    )


# ---- other memories -------------------------------------------------------------------------------------------------------


def _in_a_line(one: OlderMemory) -> str:
    """What is done to another memory, for the summary."""
    carried = f"; {' and '.join(name for name, _ in one.carried)} carried over" if one.carried else ""
    return f"{one.name} ({one.off}){carried}"


def _switch_off(place: Place, config: Settings, older: list[OlderMemory]) -> tuple[SetAside, list[str]]:
    """Change the settings so that other memories are off; returns what was changed, and what the user should know of it."""
    aside = older_memories.read_set_aside(place.read(_aside_path(place)))
    settings, jobs = list(aside.settings), list(aside.jobs)
    said: list[str] = []
    for one in older:
        for way, value in one.settings:
            settings = [row for row in settings if row[0] != way] + [(way, config.get(way), value)]
            config.put(way, value)
        for name, value in one.carried:
            config.put((*_ENTRY, "config", name), value)
        if one.job:
            config.add(_PAUSED, one.job)
            jobs = list(dict.fromkeys([*jobs, one.job]))
        said += one.notes
    return aside.replaced(settings=tuple(settings), jobs=tuple(jobs)), said


def _switch_on(config: Settings, aside: SetAside) -> None:
    """Put back what was switched off, where nobody has changed it since."""
    for way, before, after in aside.settings:
        if config.get(way) != after:
            continue
        if before is not None:
            config.put(way, before)
            continue
        config.drop(way)
        for above in (way[:-1], way[:-2], way[:-3]):
            if above and config.get(above) == {}:
                config.drop(above)


def _keep_aside(place: Place, aside: SetAside) -> tuple[Edit, ...]:
    path, text = _aside_path(place), aside.as_text()
    before = place.read(path)
    why = "what was switched off, for `holdfast uninstall openclaw` to put back"
    return (Edit(path, before, text, why, ours=True),) if text and text != before else ()


def _aside_path(place: Place) -> str:
    return os.path.join(state_folder(place), "holdfast", "set-aside.json")


def _fights(place: Place, config: Settings) -> list[str]:
    """The other memories that are on beside ours, a sentence each, with what to do."""
    how = "run `holdfast init openclaw`, which offers to switch it off"
    paused = _listed(config, _PAUSED)
    made = _workspaces(place, config)[0]
    found = older_memories.find(place, config, state_folder(place), made)
    said = [f"{one.name} is on beside Holdfast: {one.fight}; {how}" for one in found if one.job not in paused or not one.job]
    for workspace in made:
        path = os.path.join(workspace, "AGENTS.md")
        text = place.read(path) or ""
        if marked.SECTION.search(text) and older_memories.find_guide(text):
            beside = "stand beside ours: the agent is told everything twice"
            said.append(f"the older rules for checkpoints in {path} {beside}; {how}")
    return said


# ---- how it stands --------------------------------------------------------------------------------------------------------


def _read_back(place: Place, config: Settings) -> tuple[list[tuple[str, str]], list[str]]:
    """Template, rules and threshold: (file, what is missing or has no effect) and what is in its place."""
    missing: list[tuple[str, str]] = []
    there: list[str] = []
    how = "run `holdfast init openclaw`"
    tokens = config.get((*_FLUSH, "softThresholdTokens"))
    if config.get((*_FLUSH, "enabled")) is not False:  # an owner who wants no flush needs no room for it
        if isinstance(tokens, (int, float)) and tokens >= SOFT_THRESHOLD:
            there.append(f"softThresholdTokens {tokens}")
        else:
            said = f"softThresholdTokens is {'not set' if tokens is None else tokens}, and {SOFT_THRESHOLD} are needed: {how}"
            missing.append((config_path(place), said))
    for workspace in _workspaces(place, config)[0]:
        path = os.path.join(workspace, "memory", "session-state.md")
        if place.read(path) is None:
            missing.append((path, f"the template {path} is gone: {how}"))
        else:
            there.append(f"template {path}")
        path = os.path.join(workspace, "AGENTS.md")
        text = place.read(path) or ""
        if not marked.SECTION.search(text):
            missing.append((path, f"the rules are gone from {path}: {how}"))
        elif not _is_shown(text, _limit(config)):
            long = f"{path} has {_length(text)} characters, of which OpenClaw shows the agent {_limit(config)}"
            missing.append((path, f"{long}: it cuts the middle, our rules with it: {how}"))
        else:
            there.append(f"rules {path}")
    return missing, there


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
    elif version:
        for name in _FLUSH_WORDS:
            config.drop((*_FLUSH, name))
    return said


def _refused_words(place: Place, config: Settings, version: Version) -> list[str]:
    """The words to the flush that this version refuses together with all of its settings, in a line."""
    found = [name for name in _FLUSH_WORDS if config.get((*_FLUSH, name)) is not None]
    if not found or not version or version < _FIXED_FLUSH:
        return []
    by_schema = all("BIG-MEMORY-SNAPSHOT" in str(config.get((*_FLUSH, name))) for name in found)
    same = "the rules in AGENTS.md tell the flush turn the same"
    own = "what is still wanted of your own words belongs into AGENTS.md"
    names = " and ".join(f"memoryFlush.{name}" for name in found)
    instead = same if by_schema and place.rules else own
    return [f"{names}, with which OpenClaw {_format_version(version)} refuses all of its settings; {instead}"]


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


def _copied(place: Place, version: Version = ()) -> dict[str, tuple[str, str]]:
    """The files that are ours altogether, with what they are to be and what for."""
    skills = os.path.join(state_folder(place), "skills", skill.NAME)
    sources = (
        (plugin_folder(place), shipped.files("openclaw"), "the plugin"),
        (skills, skill.files(HOST, version), "the skill: when to save and how to recover"),
    )
    return {
        os.path.join(folder, *name.split("/")): (text, why) for folder, found, why in sources for name, text in found.items()
    }


def _copies(place: Place, version: Version) -> tuple[Edit, ...]:
    return tuple(
        Edit(path, before, text, why, ours=True)
        for path, (text, why) in _copied(place, version).items()
        if (before := place.read(path)) != text
    )


def _template(place: Place, workspace: str) -> tuple[Edit, ...]:
    path = os.path.join(workspace, "memory", "session-state.md")
    why = "the template of the session state, for turns that can only write"
    return (Edit(path, None, new_state_file(), why, ours=True),) if place.read(path) is None else ()


def _rules(
    place: Place, config: Settings, version: Version, workspace: str
) -> tuple[tuple[Edit, ...], dict[str, str], list[str]]:
    """The edit by which an AGENTS.md has our section where the agent is shown it.

    Besides: what of the guide's was set aside, and what the user should know.
    """
    path = os.path.join(workspace, "AGENTS.md")
    before = place.read(path)
    found = f"\nWhere the shell does not find `holdfast`, it is `{place.command}`.\n"  # a service has a PATH of its own
    episodic = "episodic" in place.listed(os.path.join(workspace, "memory"))
    body, limit = rules.text(HOST, version, episodic=episodic) + found, _limit(config)
    text, sections = older_memories.set_guide_aside(before or "") if place.switch else (before or "", {})
    after = marked.with_section(text, body)
    notes = []
    if _length(after) > limit:
        if not _is_shown(after, limit):
            after = marked.with_section(text, body, at_top=True)
        notes.append(
            f"{path} has {_length(after)} characters. OpenClaw shows an agent {limit} of them and cuts the middle: our "
            "section stands where it is kept, some of yours is not shown. Shorten it, or raise "
            "agents.defaults.bootstrapMaxChars."
        )
    why = "the rules for the agent: what to save when, and how to recover"
    return ((Edit(path, before, after, why),) if after != before else ()), sections, notes


def _limit(config: Settings) -> int:
    """The characters of AGENTS.md that OpenClaw shows an agent."""
    found = config.get(("agents", "defaults", "bootstrapMaxChars"))
    return int(found) if isinstance(found, (int, float)) and found >= 1 else _SHOWN_CHARS


def _length(text: str) -> int:
    """Its length as OpenClaw counts it: in UTF-16, without the white space at the end."""
    return len(text.rstrip().encode("utf-16-le", "surrogatepass")) // 2


def _is_shown(text: str, limit: int) -> bool:
    """Whether our section is in what OpenClaw shows of an AGENTS.md: all of it, or its beginning and its very end."""
    section = marked.SECTION.search(text)
    if not section:
        return False
    return _length(text) <= limit or _length(text[: section.end()]) <= int(limit * _HEAD)


def _taken_up(version: Version) -> str:
    if version >= _TAKES_UP_CHANGES:
        return "OpenClaw takes this up by itself within seconds: openclaw plugins inspect holdfast shows it."
    return "Restart the gateway, so that it loads the plugin: openclaw gateway restart"


def _format_version(version: Version) -> str:
    return ".".join(map(str, version))


def _afterwards(place: Place, config: Settings, version: Version, workspaces: list[str]) -> list[str]:
    lines = []
    for workspace in workspaces:
        lines.append(f"After a turn, this proves that it works: {place.command} --workspace {shlex.quote(workspace)} doctor")
    if _schedules_itself(version):
        if config.get(_REVIEW) is True:
            lines.append(
                "The plugin has OpenClaw run the weekly review, Mondays at nine: openclaw cron list shows it, at the "
                "latest after the first turn of each agent."
            )
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
