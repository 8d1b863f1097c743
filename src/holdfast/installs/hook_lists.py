"""Hooks as Claude Code, Codex and Gemini CLI write them: for each event a list of groups, in each group a list of handlers.

Ours are known by their command, whatever path it had. Other people's handlers, groups and comments stay as and where they are;
where ours are there already, what has changed in them is changed in its place.
"""

from __future__ import annotations

import re
import shlex
from typing import Any

from . import json_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from . import Place


def is_ours(handler: Any, host: str) -> bool:
    """Whether a handler calls `holdfast hook HOST`, by whatever path."""
    command = handler.get("command") if isinstance(handler, dict) else None
    return isinstance(command, str) and bool(re.search(rf"""holdfast["']?\s+hook\s+{re.escape(host)}(?![\w-])""", command))


WHY = "hooks: a checkpoint at the end of each turn and before a compaction, the brief after it"


def handlers(place: Place, host: str, seconds: Mapping[str, int]) -> dict[str, dict[str, Any]]:
    """A handler for each event, as Claude Code and Codex have it; `seconds` says how long each may take."""
    command = f"{place.command} hook {host}"
    return {event: {"type": "command", "command": command, "timeout": most} for event, most in seconds.items()}


def doubts(host: str, events: set[str], wanted: Iterable[str], plugin: str) -> list[str]:
    """What is to be known of the events that we have handlers for: twice by a plugin, or not all of them."""
    said = [f"The plugin {plugin} is enabled too, and each hook runs twice: disable it, or `holdfast uninstall {host}`."]
    missing = [event for event in wanted if event not in events]
    return [*(said if plugin and events else ()), *([f"No hook for {', '.join(missing)}."] if events and missing else ())]


def with_hooks(text: str, host: str, wanted: Mapping[str, Mapping[str, Any]]) -> str:
    """The settings with one handler of ours for each event; `wanted` has what each of them says."""
    for event in sorted({event for event, _, _ in ours_in(text, host)} - set(wanted)):
        text = without_hooks(text, host, event)  # an event that an earlier version listened to
    for event, handler in wanted.items():
        places = [(group, number) for name, group, number in ours_in(text, host) if name == event]
        if not places:
            text = json_text.add(text, ("hooks", event), {"hooks": [dict(handler)]})
            continue
        for group, number in reversed(places[1:]):
            text = json_text.drop(text, ("hooks", event, group, "hooks", number))
        group, number = places[0]
        for name, value in handler.items():
            text = json_text.put(text, ("hooks", event, group, "hooks", number, name), value)
    return text


def without_hooks(text: str, host: str, only: str = "") -> str:
    """The settings without our handlers, and without the groups, lists and objects that have nothing left in them then."""
    for event, group, number in reversed(ours_in(text, host)):
        if only and event != only:
            continue
        text = json_text.drop(text, ("hooks", event, group, "hooks", number))
        hooks = json_text.read(text)["hooks"]
        if not hooks[event][group]["hooks"]:
            text = json_text.drop(text, ("hooks", event, group))
            if len(hooks[event]) == 1:
                text = json_text.drop(text, ("hooks", event))
                if len(hooks) == 1:
                    text = json_text.drop(text, ("hooks",))
    return text


def ours_in(text: str, host: str) -> list[tuple[str, int, int]]:
    """(event, number of the group, number in the group) of each handler of ours, in the order of the text."""
    settings = json_text.read(text)
    hooks = settings.get("hooks") if isinstance(settings, dict) else None
    return [
        (event, group, number)
        for event, groups in (hooks.items() if isinstance(hooks, dict) else ())
        for group, inner in enumerate(groups if isinstance(groups, list) else ())
        for number, handler in enumerate(_handlers(inner))
        if is_ours(handler, host)
    ]


def call(text: str, host: str) -> tuple[str, ...]:
    """The words by which our handlers start holdfast, as a shell understands them; none where that cannot be told."""
    hooks = json_text.read(text)["hooks"] if ours_in(text, host) else {}
    for event, group, number in ours_in(text, host):
        try:
            words = shlex.split(hooks[event][group]["hooks"][number]["command"])
        except ValueError:
            continue
        at = next((at for at in range(1, len(words)) if words[at : at + 2] == ["hook", host]), 0)
        begin = at - 3 if words[max(0, at - 2) : at] == ["-m", "holdfast"] else at - 1
        if begin >= 0:
            return tuple(words[begin:at])
    return ()


def _handlers(group: Any) -> list[Any]:
    handlers = group.get("hooks") if isinstance(group, dict) else None
    return handlers if isinstance(handlers, list) else []
