"""SIGKILL before every system call.

Between two system calls a process has no effect outside itself, so to kill it before each call is
to kill it everywhere. What SIGKILL cannot show is a missing fsync: the page cache survives it.
That is for crash_states.py and power.py.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path

from .command import Command, Report
from .inject import Fault, Outcome, is_ack_or_exit, strike_all, trace_on_copy
from .trace import words

CHANGING = words(
    "creat fallocate fchmod fchmodat fdatasync flock fsync ftruncate link linkat mkdir mkdirat"
    " open openat openat2 pwrite64 pwritev rename renameat renameat2 rmdir symlink symlinkat"
    " truncate unlink unlinkat write writev exit_group"
)
"""The calls that can change a folder, and the end: enough where reads are many."""


def kill_points(
    command: Command, prepared: Path, work: Path, only: Collection[str] | None = None
) -> list[Fault]:
    """Every (system call, n) of the command on its folder, its acknowledgement and its exit."""
    run = trace_on_copy(command, prepared, work)
    points = {
        Fault(call.name, call.ordinal)
        for call in run.calls
        if call.touches(run.root) or is_ack_or_exit(call)
    }
    return sorted(point for point in points if only is None or point.syscall in only)


def kill_everywhere(
    command: Command,
    prepared: Path,
    work: Path,
    check: Callable[[Outcome], None],
    only: Collection[str] | None = None,
) -> Report:
    """Kill the command at each of its points, each time on a fresh copy, and check the copy."""
    return strike_all(command, prepared, work, kill_points(command, prepared, work, only), check)
