"""Who else is at a file: whether somebody has it open for writing, and that nobody begins to while we look.

Linux tells us by a read lease. It is granted only while nobody has the file open for writing, and while we have it, whoever opens
the file to write into it waits, and we can see that somebody waits. Readers notice nothing. A process that is stopped with a
lease holds an editor up for the time that the system allows it (45 seconds); ours have one for the instant of an exchange.

Other systems, and some file systems, have no leases: there nothing can be said, and that is said (`None`).
"""

from __future__ import annotations

import errno
import fcntl
import os
import time

from .disk import Folder

PATIENCE = 0.05  # seconds for somebody who is in the middle of saving a file
_QUIET_SIGNAL = 23  # SIGURG. Who opens a leased file makes the kernel signal us; the default (SIGIO) kills, this one is ignored


class Lease:
    """A file that was open for writing nowhere when this was asked (`granted`), and is not until it is closed or `is_wanted`."""

    __slots__ = ("_file", "granted")

    def __init__(self, folder: Folder, name: str, patience: float = 0.0) -> None:
        until = time.monotonic() + patience
        while True:
            self._file = folder.file(name)  # anew each time: who saves by rename gives the name to another file
            self.granted = _asked(self._file.fileno())
            if self.granted is not False or time.monotonic() >= until:
                return
            self._file.close()
            time.sleep(0.002)

    def __enter__(self) -> Lease:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()  # and with it the lease: whoever waits goes on

    def is_wanted(self) -> bool:
        """Whether somebody waits for us to be gone to write into the file."""
        return bool(self.granted) and fcntl.fcntl(self._file, fcntl.F_GETLEASE) != fcntl.F_RDLCK

    def read(self) -> bytes:
        """The whole file, whatever its name is by now. Once only."""
        return self._file.read()

    def is_of(self, folder: Folder, name: str) -> bool:
        """Whether this is the file that has that name."""
        found, mine = folder.stat(name), os.fstat(self._file.fileno())
        return found is not None and (found.st_dev, found.st_ino) == (mine.st_dev, mine.st_ino)


def _asked(fd: int) -> bool | None:
    """Whether a read lease on a file is granted: False while somebody has it open for writing, None where there are no leases."""
    if not hasattr(fcntl, "F_SETLEASE"):
        return None
    try:
        fcntl.fcntl(fd, fcntl.F_SETSIG, _QUIET_SIGNAL)
        fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        return True
    except OSError as error:
        return False if error.errno == errno.EAGAIN else None


def read_at_rest(folder: Folder, name: str, patience: float = PATIENCE) -> tuple[bytes | None, bool]:
    """A document once nobody is in the middle of saving it; after a short patience, as it is, and False: half a text perhaps.

    An editor that saves in place truncates first and writes afterwards. So it is read while we have the lease: asked first and
    read afterwards, it could be empty by then.
    """
    try:
        with Lease(folder, name, patience) as lease:
            return lease.read(), lease.granted is not False
    except FileNotFoundError:
        return None, True
