"""Our MCP server in a settings file: one entry among the user's own. What somebody has set in it besides stays."""

from __future__ import annotations

from typing import Any

from . import json_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from . import Place

NAME = "holdfast"
WHY = "the tools over MCP: checkpoint, recover, search and more"


def with_server(text: str, way: json_text.Path, wanted: Mapping[str, Any], beside: Mapping[str, Any] | None = None) -> str:
    """The settings with our entry; `beside` is what a new one says too, and an old one is free to say otherwise."""
    there = _at(json_text.read(text), (*way, NAME))
    if not isinstance(there, dict):
        return json_text.put(text, (*way, NAME), {**wanted, **(beside or {})})
    for name, value in wanted.items():
        text = json_text.put(text, (*way, NAME, name), value)
    return text


def without_server(text: str, way: json_text.Path) -> str:
    """The settings without our entry, and without the objects that have nothing left in them then."""
    if _at(json_text.read(text), (*way, NAME)) is None:
        return text
    text = json_text.drop(text, (*way, NAME))
    while way and _at(json_text.read(text), way) == {}:
        text, way = json_text.drop(text, way), way[:-1]
    return text


def wanting(place: Place) -> tuple[str, ...]:
    """What to do where the server cannot run yet."""
    return () if place.server else ("For the tools over MCP: pip install 'holdfast[mcp]', and this command again.",)


def _at(value: Any, way: json_text.Path) -> Any:
    for name in way:
        value = value.get(name) if isinstance(value, dict) else None
    return value
