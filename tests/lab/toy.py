"""A small durable writer with seeded bugs: the laboratory is tested on it.

    python toy.py ROOT NAME TEXT [BUG]

writes ROOT/notes/NAME and then says `saved NAME`. With `--load` in place of NAME it saves notes
0, 1, 2 … (each with the text `TEXT N`) until it is stopped. The right way is: a unique temporary
file, a write loop, fsync, rename without replacing, fsync of the folder, and only then the word.
"""

from __future__ import annotations

import ctypes
import itertools
import os
import sys
from collections.abc import Iterable

BUGS = ("no-fsync", "no-folder-fsync", "early-ack", "swallow-errors")
_RENAME_NOREPLACE = 1
_EX_IOERR = 74


def save(root: str, name: str, text: str, bug: str = "") -> None:
    """Return when the note survives power loss; the bugs return too early or in spite of errors."""
    notes = os.path.join(root, "notes")
    if not os.path.isdir(notes):
        os.mkdir(notes, 0o700)
        _sync_folder(root, bug)
    temp = os.path.join(notes, f".{name}.{os.getpid()}.tmp")
    try:
        _write_temp(temp, text.encode(), bug)
        _rename_noreplace(temp, os.path.join(notes, name))
        _sync_folder(notes, bug)
    except OSError:
        if bug != "swallow-errors":
            if os.path.exists(temp):
                os.unlink(temp)
            raise


def _write_temp(temp: str, data: bytes, bug: str) -> None:
    fd = os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        while data:
            data = data[os.write(fd, data) :]
        if bug != "no-fsync":
            os.fsync(fd)
    finally:
        os.close(fd)


def _sync_folder(folder: str, bug: str) -> None:
    if bug in ("no-fsync", "no-folder-fsync"):
        return
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _rename_noreplace(old: str, new: str) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    here = -100  # AT_FDCWD
    if libc.renameat2(here, os.fsencode(old), here, os.fsencode(new), _RENAME_NOREPLACE) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), new)


def main(argv: list[str] | None = None) -> int:
    root, name, text, *rest = sys.argv[1:] if argv is None else argv
    bug = rest[0] if rest else ""
    notes: Iterable[tuple[str, str]] = [(name, text)]
    if name == "--load":
        notes = ((str(n), f"{text} {n}") for n in itertools.count())
    try:
        for one, content in notes:
            if bug == "early-ack":
                print(f"saved {one}", flush=True)
            save(root, one, content, bug)
            if bug != "early-ack":
                print(f"saved {one}", flush=True)
    except OSError as error:
        print(f"not saved: {error}", file=sys.stderr)
        return _EX_IOERR
    return 0


if __name__ == "__main__":
    sys.exit(main())
