"""`holdfast hook openclaw --stay`: one process for as long as the gateway runs, one JSON object a line in and one out.

A process that is already there answers a prompt in a few milliseconds; starting one takes fifty. An answer carries the `id` of
its question. Nothing is kept open between two of them: no lock, no file, no view of memory that a person's edit could make
stale. What is no object is answered all the same, and whatever is wrong with it, the next line is read. It ends when its standard
input is closed, which the system does for a gateway that was killed; and unasked when an update has replaced its files: what it
has not loaded yet would be of another version. Then the plugin asks a process of its own, and starts a child anew.
"""

from __future__ import annotations

import json
import os
import sys

from .gateway import answered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ..cli import Words


def stayed(words: Words, env: Mapping[str, str]) -> int:
    """Answer until nobody asks any more."""
    looked: set[str] = set()
    files: dict[str, Any] = {}
    for line in iter(sys.stdin.buffer.readline, b""):
        if _is_replaced(files):
            break
        if line.strip():
            sys.stdout.buffer.write(_reply(words, env, line, looked) + b"\n")
            sys.stdout.buffer.flush()
    return 0


def _is_replaced(files: dict[str, Any]) -> bool:
    """Whether a file that we were loaded from is another one now. `files`: what each was when it was looked at first."""
    for name, module in list(sys.modules.items()):
        path = getattr(module, "__file__", None) if name.startswith("holdfast") else None
        if path and files.setdefault(path, mark := _mark(path)) != mark:
            return True
    return False


def _mark(path: str) -> tuple[int, int, int] | None:
    try:
        found = os.stat(path)
    except OSError:  # it is in an archive, or gone
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


def _reply(words: Words, env: Mapping[str, str], line: bytes, looked: set[str]) -> bytes:
    said: Any = None
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        pass
    if not isinstance(said, dict):
        return b'{"id": null, "error": "This line is no JSON object."}'
    number = said.get("id") if isinstance(said.get("id"), (int, str)) else None
    return json.dumps({"id": number, **answered(words, env, said, looked)}).encode("utf-8", "replace")
