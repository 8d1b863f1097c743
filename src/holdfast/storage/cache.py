"""The session cache: values for one session, in the user's runtime folder, gone with it (a reboot at the latest)."""

from __future__ import annotations

import errno
import json
import os

from ..errors import NotFound, UserError, not_saved
from ..model import slug
from ..util import compute_digest
from .disk import Folder, Lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Cache:
    """The values of one session of one workspace."""

    def __init__(self, env: Mapping[str, str], workspace: str, session: str) -> None:
        base = env.get("XDG_RUNTIME_DIR") or env.get("TMPDIR") or "/tmp"  # noqa: S108 - checked below
        self.path = os.path.join(base, f"holdfast-{os.geteuid()}")
        mark = compute_digest(os.fsencode(f"{workspace}\0{session}"))[:12]
        self.name = f"{slug(session)[:60]}-{mark}.json"

    def _folder(self) -> Folder:
        """Our folder, 0700. In a folder that others can write to, somebody else may have put theirs there first."""
        base, name = os.path.split(self.path)
        foreign = UserError(f"{self.path} is not a private folder of yours. Nothing was written; set XDG_RUNTIME_DIR.")
        try:
            with Folder.open(base, make=True) as parent:
                folder = parent.child(name, make=True)
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.ENOTDIR):
                raise foreign from error
            raise not_saved(error, self.path, "The cache") from error
        found = os.fstat(folder.fd)  # of what is open, and not of what has that name by now
        if found.st_uid != os.geteuid() or found.st_mode & 0o077:
            folder.close()
            raise foreign
        return folder

    def all(self) -> dict[str, str]:
        """Every value by its key."""
        folder = self._folder()
        try:
            data = folder.read_or_none(self.name) or b"{}"
            found = json.loads(data.decode("utf-8", "surrogateescape"))  # as it was written: what a shell gives may be any bytes
        except (OSError, ValueError):
            found = {}
        finally:
            folder.close()
        return {str(k): str(v) for k, v in found.items()} if isinstance(found, dict) else {}

    def get(self, key: str) -> str:
        """One value."""
        found = self.all()
        if key not in found:
            raise NotFound(f"The cache has no {key}.")
        return found[key]

    def set(self, key: str, value: str) -> None:
        """Set a value."""
        self._replace(lambda found: {**found, key: value})

    def clear(self) -> None:
        """Drop every value."""
        self._replace(lambda _found: {})

    @classmethod
    def every(cls, env: Mapping[str, str]) -> list[Cache]:
        """What this user's sessions have, of every workspace: the names of the files do not say whose they are."""
        one = cls(env, "", "")
        try:
            names = os.listdir(one.path)
            folder = one._folder()
        except (OSError, UserError):
            return []  # none, or somebody else's
        folder.clear_up()
        folder.close()
        found = []
        for name in sorted(name for name in names if name.endswith(".json")):
            other = cls(env, "", "")
            other.name = name
            found.append(other)
        return found

    def change(self, change: Callable[[dict[str, str]], dict[str, str]]) -> None:
        """Make a change to all values at once."""
        self._replace(change)

    def _replace(self, change: Mapping[str, str] | object) -> None:
        folder = self._folder()
        lock = Lock(folder, f"{self.name}.lock")
        try:
            if not lock.take(2.0):
                raise UserError("The cache is busy. Nothing was changed; try again.")
            folder.clear_up()
            new = change(self.all())  # type: ignore[operator]
            if new:
                data = json.dumps(new, ensure_ascii=False).encode("utf-8", "surrogateescape")
                folder.place(folder.prepare(data), folder, self.name, over=True)
            else:
                folder.remove(self.name)
            folder.sync()
        except OSError as error:
            raise not_saved(error, self.path, "The value") from error
        finally:
            lock.close()
            folder.close()
