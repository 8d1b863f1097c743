"""Every system call on the folder fails once, with every errno that is realistic for it.

SQLite's loop: fail the n-th operation, for n = 1, 2, 3 …, until a run passes clean.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from .command import Command, Report
from .inject import Fault, Outcome, strike_all, trace_on_copy
from .trace import Call

_NAME_ERRORS = ("ENOSPC", "EIO", "EROFS", "EDQUOT")
REALISTIC: Mapping[str, tuple[str, ...]] = {
    "write": ("ENOSPC", "EIO", "EDQUOT"),
    "pwrite64": ("ENOSPC", "EIO", "EDQUOT"),
    "ftruncate": ("ENOSPC", "EIO", "EDQUOT"),
    # ENOSPC and EDQUOT come as late as fsync where blocks are allocated late; EROFS where an
    # earlier error made the file system read-only.
    "fsync": _NAME_ERRORS,
    "fdatasync": _NAME_ERRORS,
    "openat": ("EIO", "EMFILE"),
    **dict.fromkeys(("rename", "renameat", "renameat2"), _NAME_ERRORS),
    **dict.fromkeys(("link", "linkat", "mkdir", "mkdirat"), _NAME_ERRORS),
}


def nth_faults(command: Command, prepared: Path, work: Path) -> list[Fault]:
    """Every (system call, n, errno) that is realistic for the command on its folder."""
    run = trace_on_copy(command, prepared, work)
    faults = {
        Fault(call.name, call.ordinal, error) for call in run.on_root for error in _errors_of(call)
    }
    return sorted(faults)


def fail_everywhere(
    command: Command, prepared: Path, work: Path, check: Callable[[Outcome], None]
) -> Report:
    """Fail each call with each errno, each time on a fresh copy, and check the copy."""
    return strike_all(command, prepared, work, nth_faults(command, prepared, work), check)


def _errors_of(call: Call) -> tuple[str, ...]:
    errors = REALISTIC.get(call.name, ())
    if call.name == "openat":
        flags = call.args[2]
        if "O_CREAT" in flags:
            errors += ("ENOSPC", "EDQUOT")
        if "O_CREAT" in flags or "O_WRONLY" in flags or "O_RDWR" in flags:
            errors += ("EROFS",)
    return errors
