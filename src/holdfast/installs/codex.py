"""Codex: hooks in `hooks.json`, the server in `config.toml`, the rules in `AGENTS.md`, all in `CODEX_HOME` (else `~/.codex`).

A hook runs only once the user has trusted it, in Codex itself; that is the user's check, and nothing here goes round it. Codex
knows a trusted hook by its words, so that what is written here must not change without need.

`config.toml` is changed as a text: Codex itself writes into it (trust, projects), so that there are no marks around our section;
it goes from its header to the next one, and that nothing else has changed is read back with `tomllib` before anybody sees it.
"""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from typing import Any

from . import Place, Plan, Refused, State, Unusable, edit, hook_lists, passed_over, rules, servers, settings

NAME = "Codex"
HOST = "codex"
# Seconds. Codex allows the last one three at most.
EVENTS = {"SessionStart": 10, "UserPromptSubmit": 10, "Stop": 10, "PreCompact": 10, "PostCompact": 10, "SessionEnd": 3}
_REVIEW = "Codex runs only hooks that you trust, and does not say so: start `codex` once, and trust them there, or by /hooks."
_HEADER = r"(?m)^[ \t]*\[\[?[^\]\r\n]+\]\]?[ \t]*(?:#[^\r\n]*)?\r?$"
_OURS = r"""(?m)^[ \t]*\[[ \t]*mcp_servers[ \t]*\.[ \t]*(?:holdfast|"holdfast")[ \t]*\][ \t]*(?:#[^\r\n]*)?\r?$"""


def install(place: Place) -> Plan:
    """Hooks, server and rules."""
    if place.project:
        raise Refused("Codex keeps a project's hooks in the repository, where no path of yours belongs; leave --project out.")
    told = rules.put_in(place, _agents(place), HOST)
    plugin = _plugin(place)
    if plugin:
        return Plan((), told, (f"The plugin {plugin} is enabled and brings the hooks and the skill already. {_REVIEW}",))
    hooks = hook_lists.handlers(place, HOST, EVENTS)
    edits = edit(place, _hooks(place), hook_lists.WHY, lambda text: hook_lists.with_hooks(text, HOST, hooks))
    if place.server:
        edits += edit(place, _config(place), servers.WHY, lambda text: _with_server(text, place))
    then = (_REVIEW,) if edits or _untrusted(place) else ()
    said = (*then, *servers.wanting(place), *passed_over(place, _hooks(place), NAME))
    return Plan(edits, told, said, hooks=tuple(EVENTS))


def _plugin(place: Place) -> str:
    """Our plugin, where it is enabled."""
    plugins = _read(_config(place), place).get("plugins")
    rows = plugins.items() if isinstance(plugins, dict) else ()
    enabled = [name for name, row in rows if isinstance(row, dict) and row.get("enabled", True)]
    return next((name for name in enabled if name.split("@")[0] == "holdfast"), "")


def remove(place: Place) -> Plan:
    """Our handlers, our server, our section. What Codex has noted of their trust is Codex's."""
    edits = edit(place, _hooks(place), "our hooks", lambda text: hook_lists.without_hooks(text, HOST))
    edits += edit(place, _config(place), "our server", _without_server)
    return Plan(edits, rules.taken_out(place, _agents(place)))


def state(place: Place) -> State:
    """Whether it is there, and whether the user has trusted it."""
    there = bool(place.listed(_folder(place)))
    events = {event for event, _, _ in _ours(place)}
    plugin = _plugin(place)
    said = [*passed_over(place, _hooks(place), NAME), *hook_lists.doubts(HOST, events, EVENTS, plugin)]
    if _read(_config(place), place).get("features", {}).get("hooks") is False:
        said.append(f"hooks = false is set in {_config(place)}: no hook runs.")
    untrusted = _untrusted(place)
    if untrusted:
        said.append(f"Not trusted yet: {', '.join(untrusted)}. {_REVIEW}")
    call = hook_lists.call(place.read(_hooks(place)) or "", HOST)
    return State(there, bool(events or plugin), not install(place.replaced(project=False)).edits, tuple(said), call)


def _ours(place: Place) -> list[tuple[str, int, int]]:
    settings(place, _hooks(place))  # says which file it is that cannot be read
    return hook_lists.ours_in(place.read(_hooks(place)) or "", HOST)


def _untrusted(place: Place) -> list[str]:
    """The events of our hooks for which Codex has noted no trust. Whether it is to today's words only Codex can say."""
    noted = _read(_config(place), place).get("hooks", {})
    trust = noted.get("state", {}) if isinstance(noted, dict) else {}
    found = []
    for event, group, number in _ours(place):
        name = re.sub(r"(?<!^)(?=[A-Z])", "_", event).lower()
        ends = f"hooks.json:{name}:{group}:{number}"
        if not any(key.endswith(ends) and isinstance(row, dict) and row.get("trusted_hash") for key, row in trust.items()):
            found.append(event)
    return found


# ---- where things are ---------------------------------------------------------------------------------------------------


def _folder(place: Place) -> str:
    return place.named_by("CODEX_HOME") or f"{place.home}/.codex"


def _hooks(place: Place) -> str:
    return f"{_folder(place)}/hooks.json"


def _config(place: Place) -> str:
    return f"{_folder(place)}/config.toml"


def _agents(place: Place) -> str:
    return f"{_folder(place)}/AGENTS.md"


# ---- the server, in TOML ------------------------------------------------------------------------------------------------


def _read(path: str, place: Place) -> dict[str, Any]:
    try:
        return tomllib.loads(place.read(path) or "")
    except tomllib.TOMLDecodeError as error:
        raise Unusable(path, str(error)) from error


def _with_server(text: str, place: Place) -> str:
    """The text with our section, or with what has changed in it."""
    was = tomllib.loads(text)
    command, *more = shlex.split(place.command)
    wanted: dict[str, Any] = {"command": command, "args": [*more, "mcp"]}
    servers = was.get("mcp_servers")
    there = servers.get("holdfast") if isinstance(servers, dict) else None
    if isinstance(there, dict) and {**there, **wanted} == there:
        return text
    expected = {**was, "mcp_servers": {**(servers if isinstance(servers, dict) else {}), "holdfast": {**(there or {}), **wanted}}}
    end = "\r\n" if "\r\n" in text else "\n"
    lines = {name: f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in wanted.items()}
    if there is None:
        lead = "" if not text.strip() else ("" if text.endswith("\n") else end) + end
        return _checked(text + lead + end.join(["[mcp_servers.holdfast]", *lines.values()]) + end, expected)
    begin, until = _section(text)
    section = text[begin:until]
    for name, line in lines.items():
        old = re.search(rf"(?m)^[ \t]*{name}[ \t]*=[^\r\n]*", section)
        section = section[: old.start()] + line + section[old.end() :] if old else f"{section.rstrip()}{end}{line}{end}"
    return _checked(text[:begin] + section + text[until:], expected)


def _without_server(text: str) -> str:
    """The text without our section, and the empty line that was put before it."""
    was = tomllib.loads(text)
    servers = was.get("mcp_servers")
    if not isinstance(servers, dict) or "holdfast" not in servers:
        return text
    left = {name: server for name, server in servers.items() if name != "holdfast"}
    begin, until = _section(text, with_tables=True)
    lines = text[begin:until].splitlines(keepends=True)
    while not lines[-1].strip() or lines[-1].lstrip().startswith("#"):  # of what comes behind our section
        until -= len(lines.pop())
    head, tail = text[:begin], re.sub(r"\A(?:[ \t]*\r?\n)+", "", text[until:])
    if not tail.strip():
        head = re.sub(r"(?<=\n)\r?\n\Z", "", head)
    kept = left or re.search(r"(?m)^[ \t]*\[[ \t]*mcp_servers[ \t]*\]", head + tail)  # a header of theirs, with nothing below it
    others = {name: value for name, value in was.items() if name != "mcp_servers"}
    return _checked(head + tail, {**others, "mcp_servers": left} if kept else others)


def _section(text: str, *, with_tables: bool = False) -> tuple[int, int]:
    """Where our section begins, and where the next one does; with the tables that somebody has put into it, if so wished."""
    header = re.search(_OURS, text)
    if not header:
        raise ValueError("the server holdfast is written there in a way of its own; change it by hand")
    for after in re.compile(_HEADER).finditer(text, header.end()):
        if not with_tables or not re.match(r'\s*\[\s*mcp_servers\s*\.\s*"?holdfast"?\s*\.', after[0]):
            return header.start(), after.start()
    return header.start(), len(text)


def _checked(text: str, expected: dict[str, Any]) -> str:
    """A text that says just what is expected of it; else it is not for us to change."""
    try:
        said = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        said = {}
    if said != expected:
        raise ValueError("the server holdfast cannot be put there, or taken out, without changing more; do it by hand")
    return text
