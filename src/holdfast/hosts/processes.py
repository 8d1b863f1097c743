"""The process of the host that calls a hook: its id and its arguments, as far as the system tells.

Only Linux tells it (`/proc`). Elsewhere nothing is known, and nobody may depend on it.
"""

from __future__ import annotations

import os

_SHELLS = ("sh", "bash", "dash", "zsh", "ksh", "fish", "busybox", "env")  # by which hosts run hooks
_STEPS = 4


def find_host_process(named: str) -> int:
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


def read_arguments(process: int) -> list[str]:
    """Return the command line of a process; empty where the system does not tell."""
    try:
        with open(f"/proc/{process}/cmdline", "rb") as file:
            return os.fsdecode(file.read(65536)).rstrip("\0").split("\0")
    except (OSError, ValueError):
        return []


def has_terminal(process: int) -> bool | None:
    """Return whether the standard input of a process is a terminal; None where the system does not tell."""
    try:
        return os.readlink(f"/proc/{process}/fd/0").startswith(("/dev/pts/", "/dev/tty"))
    except (OSError, ValueError):
        return None


def is_running(process: int, since: float) -> bool:
    """Return whether a process that ran at a moment may still run. After a restart of the machine its id is another's."""
    import time

    if process <= 0:
        return False
    try:
        booted = time.time() - time.clock_gettime(time.CLOCK_BOOTTIME)
        if since < booted:
            return False
    except (AttributeError, OSError):
        pass
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _read_stat(process: int) -> tuple[str, int]:
    """Return the name of a process and the id of its parent; ("", 0) where the system does not tell."""
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            head, _, rest = file.read(4096).rpartition(b")")
        return os.fsdecode(head.partition(b"(")[2]), int(rest.split()[1])
    except (OSError, ValueError, IndexError):
        return "", 0
