"""OpenClaw's settings, of which parts may stand in other files: `{"$include": "./plugins.json5"}` in the place of a value.

A value is read and changed in the file that has it. Where that cannot be told (several files, or others beside them), nothing is
guessed: OpenClaw itself refuses to write there, too.
"""

from __future__ import annotations

import os

from . import Edit, Unusable, json_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from . import Place

    Way = tuple[str, ...]

INCLUDE = "$include"
_DEEPEST = 10  # includes within includes; OpenClaw's own limit


class Settings:
    """A settings file with those that it includes, changed in memory."""

    def __init__(self, place: Place, path: str) -> None:
        self.place, self.path = place, path
        self._before: dict[str, str] = {}
        self._now: dict[str, str] = {}

    def get(self, way: Way) -> Any:
        """The value at a path; None where there is none."""
        file, left = self._home(way)
        value = self._value(file)
        for name in left:
            value = value.get(name) if isinstance(value, dict) else None
        return value

    def put(self, way: Way, value: Any) -> None:
        """Have a value at a path."""
        self._change(way, lambda text, left: json_text.put(text, left, value))

    def add(self, way: Way, value: Any) -> None:
        """Have a value in a list."""
        self._change(way, lambda text, left: json_text.add(text, left, value))

    def drop(self, way: Way) -> None:
        """Have nothing at a path. What is a file of its own stays, though there is nothing in it: the other one names it."""
        self._change(way, lambda text, left: json_text.drop(text, left) if left else text)

    def drop_from(self, way: Way, unwanted: Any) -> None:
        """Have a value no longer in a list."""
        self._change(way, lambda text, left: json_text.drop_from(text, left, lambda item: item == unwanted))

    def edits(self, why: str) -> tuple[Edit, ...]:
        """The files that are to be different."""
        changed = [file for file, text in self._now.items() if text != self._before[file]]
        return tuple(Edit(file, self._before[file], self._now[file], why) for file in changed)

    def _change(self, way: Way, change: Callable[[str, Way], str]) -> None:
        file, left = self._home(way)
        try:
            self._now[file] = change(self._now[file], left)
        except ValueError as error:
            raise Unusable(file, str(error)) from error

    def _home(self, way: Way) -> tuple[str, Way]:
        """The file that has the value at a path, or is to have it, and the path in that file."""
        file, start, value, includes = self.path, 0, self._value(self.path), 0
        for at in range(len(way) + 1):
            while isinstance(value, dict) and INCLUDE in value:
                includes += 1
                file = self._included(file, value, ".".join(way[:at]) or "all of it", includes)
                start, value = at, self._value(file)
            if at == len(way) or not isinstance(value, dict) or way[at] not in value:
                break
            value = value[way[at]]
        return file, way[start:]

    def _included(self, file: str, value: dict[str, Any], what: str, depth: int) -> str:
        named, folder = value[INCLUDE], os.path.dirname(self.path)
        by_hand = "so what is ours must be put in by hand (docs/hosts.md has it)"
        if not isinstance(named, str) or len(value) > 1:
            raise Unusable(file, f"`{what}` is put together of several files by $include, {by_hand}")
        path = os.path.normpath(os.path.join(os.path.dirname(file), named))
        if not path.startswith(folder + os.sep) or depth > _DEEPEST:
            raise Unusable(file, f"`{what}` comes from {named} by $include, outside of its own folder, {by_hand}")
        return path

    def _value(self, file: str) -> Any:
        if file not in self._now:
            text = self.place.read(file)
            if text is None:
                raise Unusable(file, "it is not there")
            self._before[file] = self._now[file] = text
        try:
            return json_text.read(self._now[file])
        except ValueError as error:
            raise Unusable(file, str(error)) from error
