"""`memory/context-session-map.json`: which session is bound to which topic.

It is seed A's file, and other programs write it too: keys and values that we do not know stay, and one that is not JSON (a merge
conflict, a torn tail) is still read as far as it goes. `json` is imported where it is used: most commands bind nothing.
"""

from __future__ import annotations

import re

from ..model import LONE, encodable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def read_bindings(text: str) -> dict[str, str]:
    """The session map. One that is not JSON (a merge conflict, a torn tail) still gives the pairs that can be read."""
    try:
        found = _loaded(text)
    except (ValueError, RecursionError):
        pairs = re.findall(r'"((?:[^"\\\n]|\\.)+)"\s*:\s*"((?:[^"\\\n]|\\.)*)"', text)
        found = {_unquoted(key): _unquoted(value) for key, value in pairs}
    if not isinstance(found, dict):
        return {}
    return {encodable(key): encodable(value) for key, value in found.items() if isinstance(value, str)}


def _unquoted(text: str) -> str:
    import json

    try:
        return str(json.loads(f'"{text}"'))
    except ValueError:
        return text


def bindings_are_sound(text: str) -> bool:
    """Whether the session map is JSON that can be changed without losing anything in it."""
    try:
        return isinstance(_loaded(text), dict)
    except (ValueError, RecursionError):
        return False


def write_bindings(text: str, changes: Mapping[str, str | None]) -> str:
    """The session map with bindings set or (None) taken away; keys that we do not know stay."""
    found: dict[str, Any] = _loaded(text) if bindings_are_sound(text) else dict(read_bindings(text))
    for session, topic in changes.items():
        if topic is None:
            found.pop(session, None)
        else:
            found[session] = topic
    return _dumped(found)


def united_bindings(text: str, strayed: str) -> str:
    """A session map with the pairs of another that it lacks; as it is where either of them is no JSON."""
    if _is_blank(text):
        return text if _is_blank(strayed) else strayed
    if not (bindings_are_sound(text) and bindings_are_sound(strayed)):
        return text
    found: dict[str, Any] = _loaded(text)
    lacking = {key: value for key, value in _loaded(strayed).items() if key not in found}
    return _dumped({**found, **lacking}) if lacking else text


def _is_blank(text: str) -> bool:
    return not text.strip("\ufeff \r\n\t")


def _loaded(text: str) -> Any:
    """All that a session map says, also what we do not know; an error where it is no JSON."""
    import json

    return {} if _is_blank(text) else json.loads(text.lstrip("\ufeff"))


def _dumped(found: dict[str, Any]) -> str:
    """A session map as text; what no file can hold is written as JSON escapes it."""
    import json

    return re.sub(LONE, lambda lone: f"\\u{ord(lone[0]):04x}", json.dumps(found, indent=2, ensure_ascii=False) + "\n")
