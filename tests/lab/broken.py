"""The real program with its os functions broken on purpose: the control of every promise test.

    python tests/lab/broken.py VARIANT [--main MODULE:FUNCTION] -- ARGV...

breaks one thing and then calls `holdfast.cli.main(ARGV)`. A promise test that does not fail on
the variant made for it proves nothing.
"""

from __future__ import annotations

import importlib
import os
import stat
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import FileDescriptorLike

EARLY_LINE = "saved"


def _no_fsync() -> None:
    """Nothing is ever forced to the disk."""

    def nothing(fd: FileDescriptorLike) -> None:
        del fd

    os.fsync = nothing
    os.fdatasync = nothing


def _no_folder_fsync() -> None:
    """File contents are forced to the disk, the names of files are not."""
    real = os.fsync

    def files_only(fd: FileDescriptorLike) -> None:
        number = fd if isinstance(fd, int) else fd.fileno()
        if not stat.S_ISDIR(os.fstat(number).st_mode):
            real(number)

    os.fsync = files_only
    os.fdatasync = files_only


def _early_ack() -> None:
    """The acknowledgement is said before anything is written."""
    print(EARLY_LINE, flush=True)


VARIANTS: dict[str, Callable[[], None]] = {
    "no-fsync": _no_fsync,
    "no-folder-fsync": _no_folder_fsync,
    "early-ack": _early_ack,
}


def run(arguments: list[str]) -> int:
    cut = arguments.index("--")
    variant, *options = arguments[:cut]
    target = options[1] if options[:1] == ["--main"] else "holdfast.cli:main"
    # The patch comes first: a module that says `from os import fsync` must get the broken one.
    VARIANTS[variant]()
    module, _, function = target.partition(":")
    main: Callable[[list[str]], int] = getattr(importlib.import_module(module), function)
    return main(arguments[cut + 1 :])


if __name__ == "__main__":
    # Run as a script, this folder is first on the path, and its trace.py would hide the standard
    # library's `trace`. At the end of the path it hides nothing.
    sys.path.append(sys.path.pop(0))
    sys.exit(run(sys.argv[1:]))
