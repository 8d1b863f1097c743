"""Our MCP server in a settings file: one entry among the user's own. What somebody has set in it besides stays."""

from __future__ import annotations

from typing import Any

from . import json_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "holdfast"


def with_server(text: str, way: json_text.Path, wanted: Mapping[str, Any], beside: Mapping[str, Any] | None = None) -> str:
    """The settings with our entry; `beside` is what a new one says too, and an old one is free to say otherwise."""
    there = _at(json_text.read(text), (*way, NAME))
    if not isinstance(there, dict):
        return json_text.put(text, (*way, NAME), {**wanted, **(beside or {})})
    for name, value in wanted.items():
        text = json_text.put(text, (*way, NAME, name), value)
    return text


def without_server(text: str, way: json_text.Path) -> str:
    """The settings without our entry, and without the object that has nothing left in it then."""
    if _at(json_text.read(text), (*way, NAME)) is None:
        return text
    text = json_text.drop(text, (*way, NAME))
    return json_text.drop(text, way) if _at(json_text.read(text), way) == {} else text


def _at(value: Any, way: json_text.Path) -> Any:
    for name in way:
        value = value.get(name) if isinstance(value, dict) else None
    return value
