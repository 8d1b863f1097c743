"""Gemini CLI: hooks and the server in `settings.json`, the command /holdfast, and the rules in the user's GEMINI.md.

All of it in `~/.gemini`, or in the `.gemini` of `GEMINI_CLI_HOME`. A project's settings are part of its repository, where no path
of this machine belongs; so there is nothing for one project alone.
"""

from __future__ import annotations

import shlex

from . import Edit, Place, Plan, Refused, State, edit, hook_lists, own, rules, servers, settings, shipped

NAME = "Gemini CLI"
HOST = "gemini"
_COMMAND = "commands/holdfast.toml"
# A command that is gone exits with 127, and the host takes any code but 0 and 1 for a no: it would refuse every prompt. And one
# that hangs is ended by the host through its shell alone, so that the shell must hand that on. What runs behind `&` would read
# from nowhere, were it not told where from.
_WHATEVER_HAPPENS = "exec 3<&0; {} <&3 & trap 'kill $!' TERM; wait $! || exit 0"
# Milliseconds. A hook takes a fifth of a second; the host would wait for a minute.
EVENTS = {
    "BeforeAgent": 10_000,
    "AfterTool": 5_000,
    "AfterAgent": 10_000,
    "PreCompress": 10_000,
    "SessionEnd": 5_000,
}


def install(place: Place) -> Plan:
    """All of it; nothing where the extension brings it already."""
    if place.project:
        raise Refused("Gemini CLI has a project's settings in its repository, where no path of yours belongs: without --project.")
    if _extension(place):
        return Plan(then=("The extension holdfast is installed, and brings the hooks, the command, the tools and the rules.",))
    why = "hooks: a checkpoint at the end of each turn, the brief at first and after a compression"
    why += f"; {servers.WHY}" if place.server else ""
    edits = edit(place, _settings(place), why, lambda text: _with_all(text, place))
    text, what = shipped.text(f"gemini/{_COMMAND}"), "the command /holdfast save, recall, status"
    command, others = own(place, f"{_folder(place)}/{_COMMAND}", text, what, _is_ours)
    edits += command
    return Plan(edits, rules.put_in(place, _context(place), HOST), (*_then(place, edits), *others), hooks=tuple(EVENTS))


def _is_ours(command: str) -> bool:
    """Whether the command /holdfast is the one that we bring, of whatever version."""
    return "(Holdfast): save | recall | status" in command


def _with_all(text: str, place: Place) -> str:
    call = _WHATEVER_HAPPENS.format(f"{place.command} hook {HOST}")
    hooks = {
        event: {"name": "holdfast", "type": "command", "command": call, "timeout": timeout} for event, timeout in EVENTS.items()
    }
    text = hook_lists.with_hooks(text, HOST, hooks)
    if not place.server:
        return text
    command, *more = shlex.split(place.command)
    return servers.with_server(text, ("mcpServers",), {"command": command, "args": [*more, "mcp"]})


def _then(place: Place, edits: tuple[Edit, ...]) -> tuple[str, ...]:
    lines = ["Sessions that are open go on without it; it begins with the next one that you start."] if edits else []
    lines += ["Gemini CLI runs hooks only in folders that you trust (/permissions)."] if edits else []
    return (*lines, *servers.wanting(place))


def remove(place: Place) -> Plan:
    """Our handlers, our server, our command, our section."""

    def change(text: str) -> str:
        return servers.without_server(hook_lists.without_hooks(text, HOST), ("mcpServers",))

    edits = edit(place, _settings(place), "our hooks and our server", change)
    path = f"{_folder(place)}/{_COMMAND}"
    before = place.read(path)
    if before is not None and _is_ours(before):
        edits += (Edit(path, before, None, "ours altogether", ours=True),)
    then = ("The extension holdfast stays: `gemini extensions uninstall holdfast`.",) if _extension(place) else ()
    return Plan(edits, rules.taken_out(place, _context(place)), then)


def state(place: Place) -> State:
    """Whether it is there, and what would keep it from working."""
    there = bool(place.listed(_folder(place)))
    set_to = settings(place, _settings(place)).get("hooksConfig")
    about = set_to if isinstance(set_to, dict) else {}
    events = {event for event, _, _ in hook_lists.ours_in(place.read(_settings(place)) or "", HOST)}
    said = []
    if about.get("enabled") is False:
        said.append(f"hooksConfig.enabled is false in {_settings(place)}: no hook runs.")
    if isinstance(about.get("disabled"), list) and "holdfast" in about["disabled"]:
        said.append(f"hooksConfig.disabled in {_settings(place)} names holdfast: our hooks do not run.")
    if events and _extension(place):
        said.append("The extension holdfast is installed too, and each hook runs twice: `holdfast uninstall gemini`.")
    said += hook_lists.doubts(HOST, events, EVENTS, "")
    call = hook_lists.call(place.read(_settings(place)) or "", HOST)
    return State(there, bool(events) or _extension(place), not install(place.replaced(project=False)).edits, tuple(said), call)


def _folder(place: Place) -> str:
    return f"{place.named_by('GEMINI_CLI_HOME') or place.home}/.gemini"


def _settings(place: Place) -> str:
    return f"{_folder(place)}/settings.json"


def _extension(place: Place) -> bool:
    return place.read(f"{_folder(place)}/extensions/holdfast/gemini-extension.json") is not None


def _context(place: Place) -> str:
    """The file that the host reads for the user's own rules: GEMINI.md, unless the settings name others."""
    about = settings(place, _settings(place)).get("context")
    named = about.get("fileName") if isinstance(about, dict) else None
    names = [name for name in (named if isinstance(named, list) else [named]) if isinstance(name, str) and "/" not in name]
    return f"{_folder(place)}/{'GEMINI.md' if 'GEMINI.md' in names or not names else names[0]}"
