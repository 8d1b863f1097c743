"""opencode: the plugin among its plugins, the server in its settings, and the rules in the user's AGENTS.md.

All of it in `$XDG_CONFIG_HOME/opencode`, else `~/.config/opencode`. What a project has for opencode is part of its repository,
where no path of this machine belongs; so there is nothing for one project alone.
"""

from __future__ import annotations

import json
import re
import shlex

from . import Edit, Place, Plan, Refused, State, edit, json_text, own, rules, servers, settings, shipped

NAME = "opencode"
HOST = "opencode"
_CALL = 'const COMMAND = ["holdfast"]\n'
_SCHEMA = "https://opencode.ai/config.json"  # opencode puts it in where it is missing: so it is there from the beginning


def install(place: Place) -> Plan:
    """The plugin with the path of the command, the server, the rules."""
    if place.project:
        raise Refused("opencode keeps what a project has in its repository, where no path of yours belongs: without --project.")
    what = "the plugin: the turn is saved at its end and before a compaction, the brief is given at a start and after it"
    edits, others = own(place, _plugin(place), _ours(place), what, _is_ours)
    if place.server:
        edits += edit(place, _settings(place), servers.WHY, lambda text: _with_server(text, place))
    told: tuple[Edit, ...] = ()
    then = ["opencode loads it when it is started next."] if edits else []
    if _is_lent(place):
        then.append("opencode goes by your ~/.claude/CLAUDE.md as long as it has no rules of its own: none were made.")
        then.append("`holdfast init claude-code` puts them there, for both.")
    else:
        told = rules.put_in(place, _agents(place), HOST)
    hooks = ("a session's first request", "a prompt", "before and after a compaction", "the end of a turn")
    return Plan(edits, told, (*then, *others, *servers.wanting(place)), hooks=hooks)


def _ours(place: Place) -> str:
    """The plugin as it is written here."""
    call = json.dumps(shlex.split(place.command), ensure_ascii=False)
    return shipped.text("opencode/holdfast.js").replace(_CALL, f"const COMMAND = {call}\n")


def _is_ours(plugin: str | None) -> bool:
    """Whether the plugin there is ours, of whatever version."""
    return plugin is not None and plugin.startswith("// Holdfast in opencode")


def _with_server(text: str, place: Place) -> str:
    text = text if text.strip() else json_text.put("", ("$schema",), _SCHEMA)
    wanted = {"type": "local", "command": [*shlex.split(place.command), "mcp"]}
    return servers.with_server(text, ("mcp",), wanted, {"enabled": True})


def remove(place: Place) -> Plan:
    """The plugin, our server, our section."""
    before = place.read(_plugin(place))
    edits: tuple[Edit, ...] = (Edit(_plugin(place), before, None, "ours altogether", ours=True),) if _is_ours(before) else ()
    for path in _every_settings(place):
        edits += edit(place, path, "our server", lambda text: servers.without_server(text, ("mcp",)))
    return Plan(edits, rules.taken_out(place, _agents(place)))


def state(place: Place) -> State:
    """Whether it is there, and as this Holdfast would write it."""
    there = bool(place.listed(_folder(place)) or place.listed(_data(place)))
    installed = _is_ours(place.read(_plugin(place)))
    entry = settings(place, _settings(place)).get("mcp")
    server = entry.get(servers.NAME) if isinstance(entry, dict) else None
    off = isinstance(server, dict) and server.get("enabled") is False
    said = (f"The server holdfast is not enabled in {_settings(place)}: its tools are not there.",) if off else ()
    return State(there, installed, not install(place.replaced(project=False)).edits, said, _call(place))


def _call(place: Place) -> tuple[str, ...]:
    """The words by which our plugin starts holdfast; none where somebody has written them in another way."""
    line = re.search(r"(?m)^const COMMAND = (\[.*\])$", place.read(_plugin(place)) or "")
    try:
        return tuple(str(word) for word in json.loads(line[1])) if line else ()
    except ValueError:
        return ()


def _folder(place: Place) -> str:
    return f"{place.named_by('XDG_CONFIG_HOME') or f'{place.home}/.config'}/opencode"


def _data(place: Place) -> str:
    return f"{(place.env.get('XDG_DATA_HOME') or f'{place.home}/.local/share').rstrip('/')}/opencode"


def _plugin(place: Place) -> str:
    return f"{_folder(place)}/plugins/holdfast.js"


def _agents(place: Place) -> str:
    return f"{_folder(place)}/AGENTS.md"


def _is_lent(place: Place) -> bool:
    """Whether the host goes by Claude Code's rules: it does while it has no AGENTS.md of its own."""
    return place.read(_agents(place)) is None and place.read(f"{place.home}/.claude/CLAUDE.md") is not None


def _settings(place: Place) -> str:
    """The settings that win where there are several: those with comments."""
    there = [path for path in _every_settings(place) if place.read(path) is not None]
    return there[-1] if there else f"{_folder(place)}/opencode.json"


def _every_settings(place: Place) -> list[str]:
    return [f"{_folder(place)}/opencode.json", f"{_folder(place)}/opencode.jsonc"]
