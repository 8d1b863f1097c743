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
    import json

    try:
        found = json.loads(text.lstrip("\ufeff")) if text.strip("\ufeff \r\n\t") else {}
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
    import json

    try:
        return not text.strip("\ufeff \r\n\t") or isinstance(json.loads(text.lstrip("\ufeff")), dict)
    except (ValueError, RecursionError):
        return False


def write_bindings(text: str, changes: Mapping[str, str | None]) -> str:
    """The session map with bindings set or (None) taken away; keys that we do not know stay."""
    import json

    found: dict[str, Any] = dict(read_bindings(text))
    if bindings_are_sound(text) and text.strip("\ufeff \r\n\t"):
        found = json.loads(text.lstrip("\ufeff"))
    for session, topic in changes.items():
        if topic is None:
            found.pop(session, None)
        else:
            found[session] = topic
    text = json.dumps(found, indent=2, ensure_ascii=False) + "\n"
    return re.sub(LONE, lambda lone: f"\\u{ord(lone[0]):04x}", text)
