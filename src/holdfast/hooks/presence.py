"""The program of the host that calls a hook: its process, how it was started, and so whether anybody is there.

Only Linux tells it (`/proc`). Elsewhere nothing is known, and nothing may depend on it.
"""

from __future__ import annotations

import os

from ..hosts import Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ..hosts import Call

_SHELLS = ("sh", "bash", "dash", "zsh", "ksh", "fish", "busybox", "env")  # by which hosts run hooks
_STEPS = 4
_FIRST_LINE = 1 << 20  # bytes of a transcript's first line, which may have the instructions to the model in it


def with_presence(call: Call, adapter: Any, env: Mapping[str, str]) -> Call:
    """Return the call with the host's process, and whether anybody is there who could answer."""
    process = _find_process(env.get(getattr(adapter, "PROCESS", ""), ""))
    if not hasattr(adapter, "is_attended"):
        return call.replaced(process=process)
    arguments = _read_arguments(process)
    first = _read_first_line(call.transcript) if getattr(adapter, "SAYS_IN_TRANSCRIPT", False) else b""
    program = Program(tuple(arguments), _has_terminal(process), first)
    return call.replaced(process=process, attended=adapter.is_attended(env, program))


def _find_process(named: str) -> int:
    """Return the id that the host gives for itself, else that of the nearest process above us that is no shell; 0 if unknown."""
    if named.isascii() and named.isdecimal():
        return int(named)
    parent = os.getppid()
    for _ in range(_STEPS):
        name, above = _read_stat(parent)
        if not name or parent < 2:
            return 0
        if name not in _SHELLS:
            return parent
        parent = above
    return 0


def _read_arguments(process: int) -> list[str]:
    """Return the command line of a process; empty where the system does not tell."""
    try:
        with open(f"/proc/{process}/cmdline", "rb") as file:
            return [word for word in os.fsdecode(file.read(65536)).split("\0") if word]
    except (OSError, ValueError):
        return []


def _has_terminal(process: int) -> bool | None:
    """Return whether the standard input of a process is a terminal; None where the system does not tell."""
    try:
        return os.readlink(f"/proc/{process}/fd/0").startswith(("/dev/pts/", "/dev/tty"))
    except (OSError, ValueError):
        return None


def _read_first_line(path: str) -> bytes:
    """Return the first line of a transcript; empty where there is none."""
    try:
        with open(path, "rb") as file:
            return file.readline(_FIRST_LINE)
    except (OSError, ValueError):
        return b""


def _read_stat(process: int) -> tuple[str, int]:
    """Return the name of a process and the id of its parent; ("", 0) where the system does not tell."""
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            head, _, rest = file.read(4096).rpartition(b")")
        return os.fsdecode(head.partition(b"(")[2]), int(rest.split()[1])
    except (OSError, ValueError, IndexError):
        return "", 0
