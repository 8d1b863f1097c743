"""Who writes by which knowledge of what is forgotten: nobody may write what was forgotten while they were at it.

`.holdfast/forgotten` is never changed in place: each version of it is a file of its own. Whoever opens memory for writing holds a
shared lock on the version that is there, or on the folder while there is none. `holdfast forget` puts a new version there and
then waits until nobody holds the old one. Who opens memory from then on knows the new one, and is not waited for: so the wait has
an end, however many there are.
"""

from __future__ import annotations

import fcntl
import os
import time

from .disk import try_flock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .disk import Folder

_FORGOTTEN = "forgotten"
_TRIES = 50
_PAUSE = 0.01  # seconds


class Gate:
    """A shared lock on the version of what is forgotten that a writer knows."""

    __slots__ = ("_fd", "_home")

    def __init__(self, home: Folder) -> None:
        self._home, self._fd = home, -1
        self._enter()

    def _enter(self) -> None:
        """Hold the version that is there. Where the system has no such locks, nothing is held: no record is stopped by it."""
        for _ in range(_TRIES):
            try:
                self._fd = self._home.open_to_lock(_FORGOTTEN)
                if try_flock(self._fd, fcntl.LOCK_SH) and self._is_current():
                    return
            except OSError:
                self.close()
                return
            self.close()
            time.sleep(_PAUSE)

    def _is_current(self) -> bool:
        there = self._home.stat(_FORGOTTEN) or os.fstat(self._home.fd)
        held = os.fstat(self._fd)
        return (there.st_dev, there.st_ino) == (held.st_dev, held.st_ino)

    def wait_for_others(self, patience: float) -> bool:
        """Wait until nobody else holds the version that this one holds, and hold the new one; whether they have all gone."""
        until, gone = time.monotonic() + patience, self._fd < 0
        try:
            while not gone and not (gone := try_flock(self._fd, fcntl.LOCK_EX)) and time.monotonic() < until:
                time.sleep(_PAUSE)
        except OSError:
            gone = True  # no such locks here
        self.close()
        self._enter()
        return gone

    def close(self) -> None:
        """Let go."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
