"""Claude Code: hooks in its settings, the server among its servers, a command and a skill, and the rules in CLAUDE.md.

For all of the user's sessions that is `~/.claude` (or `CLAUDE_CONFIG_DIR`) and `.claude.json`; for one project what Claude Code
keeps from the repository: `.claude/settings.local.json`, `CLAUDE.local.md`, and the project's own entry in `.claude.json`.
"""

from __future__ import annotations

import shlex

from . import (
    Edit,
    Place,
    Plan,
    State,
    edit,
    hook_lists,
    json_text,
    marked,
    own,
    passed_over,
    rules,
    servers,
    settings,
    shipped,
    skill,
)

NAME = "Claude Code"
HOST = "claude-code"
# Seconds. A hook takes a fifth of one; the host would wait for ten minutes, and kill the last one after a second and a half.
EVENTS = {"SessionStart": 10, "UserPromptSubmit": 10, "Stop": 10, "PreCompact": 10, "PostCompact": 10, "SessionEnd": 5}
# What the files are for that go into the configuration folder.
_COMMAND, _SKILL = "the command /holdfast save, recall, status", "the skill: when to save and how to recover"


def install(place: Place) -> Plan:
    """All of it; nothing but the rules where the plugin does it already."""
    told = rules.put_in(place, _rules(place), HOST)
    plugin = _plugin(place)
    if plugin:
        return Plan((), told, (f"The plugin {plugin} is enabled and brings the hooks, the command and the skill already.",))
    hooks = hook_lists.handlers(place, HOST, EVENTS)
    edits = edit(place, _settings(place), hook_lists.WHY, lambda text: hook_lists.with_hooks(text, HOST, hooks))
    edits += _server(place)
    taken: tuple[str, ...] = ()
    for path, (after, what) in _own(place).items():
        change, others = own(place, path, after, what, marked.is_ours)
        edits, taken = edits + change, taken + others
    then = (*_then(place, edits), *taken, *passed_over(place, _settings(place), NAME))
    return Plan(edits, told, then, hooks=tuple(EVENTS))


def _own(place: Place) -> dict[str, tuple[str, str]]:
    """The files that are ours altogether, with what they are to be and what for. One project alone has none."""
    if place.project:
        return {}
    commands = {f"commands/{name}": (text, _COMMAND) for name, text in shipped.files(f"{HOST}/commands").items()}
    skills = {f"skills/{skill.NAME}/{name}": (text, _SKILL) for name, text in skill.files(HOST).items()}
    return {f"{_folder(place)}/{name}": (marked.as_ours(text), what) for name, (text, what) in {**commands, **skills}.items()}


def _then(place: Place, edits: tuple[Edit, ...]) -> tuple[str, ...]:
    begins = "Sessions that are open go on without it; it begins with the next one that you start."
    return (*((begins,) if edits else ()), *servers.wanting(place))


def remove(place: Place) -> Plan:
    """Our handlers, our server, our section; files that are ours altogether go."""
    edits = edit(place, _settings(place), "our hooks", lambda text: hook_lists.without_hooks(text, HOST))
    edits += edit(place, _servers(place), "our server", lambda text: servers.without_server(text, _way(place)))
    for path in _own(place):
        before = place.read(path)
        edits += (Edit(path, before, None, "ours altogether", ours=True),) if marked.is_ours(before) else ()
    return Plan(edits, rules.taken_out(place, _rules(place)))


def state(place: Place) -> State:
    """Whether it is there, and what would keep it from working."""
    there = bool(place.listed(_folder(place))) or place.read(_servers(place)) is not None
    set_to = settings(place, _settings(place))  # and says which file it is that cannot be read
    plugin = _plugin(place)
    events = {event for event, _, _ in hook_lists.ours_in(place.read(_settings(place)) or "", HOST)}
    said = [*passed_over(place, _settings(place), NAME), *hook_lists.doubts(HOST, events, EVENTS, plugin)]
    if set_to.get("disableAllHooks") is True:
        said.append(f"disableAllHooks is set in {_settings(place)}: no hook runs.")
    current = bool(plugin) or not install(place).edits
    call = hook_lists.call(place.read(_settings(place)) or "", HOST)
    return State(there, bool(events or plugin), current, tuple(said), call)


# ---- where things are ---------------------------------------------------------------------------------------------------


def _folder(place: Place) -> str:
    return place.named_by("CLAUDE_CONFIG_DIR") or f"{place.home}/.claude"


def _settings(place: Place) -> str:
    return f"{place.folder}/.claude/settings.local.json" if place.project else f"{_folder(place)}/settings.json"


def _servers(place: Place) -> str:
    """The file with the user's servers; it stands in the configuration folder only where the user has named one."""
    named = place.named_by("CLAUDE_CONFIG_DIR")
    return f"{named}/.claude.json" if named else f"{place.home}/.claude.json"


def _plugin(place: Place) -> str:
    """Our plugin, where it is enabled."""
    enabled = settings(place, f"{_folder(place)}/settings.json").get("enabledPlugins")
    names = [name for name, on in enabled.items() if on and name.split("@")[0] == "holdfast"] if isinstance(enabled, dict) else []
    return names[0] if names else ""


# ---- the server ---------------------------------------------------------------------------------------------------------


def _way(place: Place) -> json_text.Path:
    return ("projects", place.folder, "mcpServers") if place.project else ("mcpServers",)


def _server(place: Place) -> tuple[Edit, ...]:
    if not place.server:
        return ()
    command, *more = shlex.split(place.command)
    wanted, beside = {"command": command, "args": [*more, "mcp"]}, {"type": "stdio", "env": {}}
    return edit(place, _servers(place), servers.WHY, lambda text: servers.with_server(text, _way(place), wanted, beside))


def _rules(place: Place) -> str:
    return f"{place.folder}/CLAUDE.local.md" if place.project else f"{_folder(place)}/CLAUDE.md"
