"""Claude Code: hooks in its settings, the server among its servers, a command and a skill, and the rules in CLAUDE.md.

For all of the user's sessions that is `~/.claude` (or `CLAUDE_CONFIG_DIR`) and `.claude.json`; for one project what Claude Code
keeps from the repository: `.claude/settings.local.json`, `CLAUDE.local.md`, and the project's own entry in `.claude.json`.
"""

from __future__ import annotations

import shlex
from typing import Any

from . import Edit, Place, Plan, State, edit, hook_lists, json_text, marked, passed_over, rules, settings, shipped

NAME = "Claude Code"
HOST = "claude-code"
# Seconds. A hook takes a fifth of one; the host would wait for ten minutes, and kill the last one after a second and a half.
EVENTS = {"SessionStart": 10, "UserPromptSubmit": 10, "Stop": 10, "PreCompact": 10, "PostCompact": 10, "SessionEnd": 5}
# Folders of the package that go into the configuration folder, and what for.
_OWN = {"commands": "the command /holdfast save, recall, status", "skills": "the skill: when to save and how to recover"}


def install(place: Place) -> Plan:
    """All of it; nothing but the rules where the plugin does it already."""
    told = _rules(place, with_them=True)
    plugin = _plugin(place)
    if plugin:
        return Plan((), told, (f"The plugin {plugin} is enabled and brings the hooks, the command and the skill already.",))
    hooks = {
        event: {"type": "command", "command": f"{place.command} hook {HOST}", "timeout": seconds}
        for event, seconds in EVENTS.items()
    }
    why = "hooks: a checkpoint at the end of each turn and before a compaction, the brief after it"
    edits = edit(place, _settings(place), why, lambda text: hook_lists.with_hooks(text, HOST, hooks))
    edits += _server(place)
    taken = []
    for path, (after, what) in _own(place).items():
        before = place.read(path)
        if before is not None and not marked.is_ours(before):
            taken.append(f"{path} is somebody else's and stays as it is; without it there is not {what}.")
        elif before != after:
            edits += (Edit(path, before, after, what),)
    return Plan(edits, told, (*_then(place, edits), *taken, *passed_over(place, _settings(place), NAME)))


def _own(place: Place) -> dict[str, tuple[str, str]]:
    """The files that are ours altogether, with what they are to be and what for. One project alone has none."""
    return {
        f"{_folder(place)}/{folder}/{name}": (marked.as_ours(text), what)
        for folder, what in _OWN.items()
        for name, text in ({} if place.project else shipped.files(f"{HOST}/{folder}")).items()
    }


def _then(place: Place, edits: tuple[Edit, ...]) -> tuple[str, ...]:
    lines = ["Sessions that are open go on without it; it begins with the next one that you start."] if edits else []
    if not place.server:
        lines.append("For the tools over MCP: pip install 'holdfast[mcp]', and this command again.")
    return tuple(lines)


def remove(place: Place) -> Plan:
    """Our handlers, our server, our section; files that are ours altogether go."""
    edits = edit(place, _settings(place), "our hooks", lambda text: hook_lists.without_hooks(text, HOST))
    edits += edit(place, _servers(place), "our server", lambda text: _without_server(text, place))
    for path in _own(place):
        before = place.read(path)
        edits += (Edit(path, before, None, "ours altogether"),) if marked.is_ours(before) else ()
    return Plan(edits, _rules(place, with_them=False))


def state(place: Place) -> State:
    """Whether it is there, and what would keep it from working."""
    there = bool(place.listed(_folder(place))) or place.read(_servers(place)) is not None
    set_to = settings(place, _settings(place))  # and says which file it is that cannot be read
    plugin = _plugin(place)
    events = {event for event, _, _ in hook_lists.ours_in(place.read(_settings(place)) or "", HOST)}
    said = list(passed_over(place, _settings(place), NAME))
    if plugin and events:
        said.append(f"The plugin {plugin} is enabled too, and each hook runs twice: disable it, or `holdfast uninstall {HOST}`.")
    if set_to.get("disableAllHooks") is True:
        said.append(f"disableAllHooks is set in {_settings(place)}: no hook runs.")
    missing = [event for event in EVENTS if event not in events]
    if events and missing:
        said.append(f"No hook for {', '.join(missing)}.")
    current = bool(plugin) or not install(place).edits
    return State(there, bool(events or plugin), current, tuple(said))


# ---- where things are ---------------------------------------------------------------------------------------------------


def _folder(place: Place) -> str:
    return place.env.get("CLAUDE_CONFIG_DIR") or f"{place.home}/.claude"


def _settings(place: Place) -> str:
    return f"{place.folder}/.claude/settings.local.json" if place.project else f"{_folder(place)}/settings.json"


def _servers(place: Place) -> str:
    """The file with the user's servers; it stands in the configuration folder only where the user has named one."""
    named = place.env.get("CLAUDE_CONFIG_DIR")
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
    entry = {"type": "stdio", "command": command, "args": [*more, "mcp"], "env": {}}

    def change(text: str) -> str:
        there = _at(json_text.read(text), (*_way(place), "holdfast"))
        if isinstance(there, dict):  # what a user has set besides stays
            for name in ("command", "args"):
                text = json_text.put(text, (*_way(place), "holdfast", name), entry[name])
            return text
        return json_text.put(text, (*_way(place), "holdfast"), entry)

    return edit(place, _servers(place), "the tools over MCP: checkpoint, recover, search and more", change)


def _without_server(text: str, place: Place) -> str:
    way = _way(place)
    text = json_text.drop(text, (*way, "holdfast"))
    while way and _at(json_text.read(text), way) == {}:
        text, way = json_text.drop(text, way), way[:-1]
    return text


def _at(value: Any, way: json_text.Path) -> Any:
    for name in way:
        value = value.get(name) if isinstance(value, dict) else None
    return value


# ---- the rules ----------------------------------------------------------------------------------------------------------


def _rules(place: Place, *, with_them: bool) -> tuple[Edit, ...]:
    path = f"{place.folder}/CLAUDE.local.md" if place.project else f"{_folder(place)}/CLAUDE.md"
    if not with_them:
        return edit(place, path, "our section", marked.without_section)
    why = "the rules for the agent: what to save when, and how to recover"
    return edit(place, path, why, lambda text: marked.with_section(text, rules.text(HOST)))
