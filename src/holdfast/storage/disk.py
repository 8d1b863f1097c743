"""Durable bytes.

Rule 1: this is the only module that creates, replaces or removes files.
Rule 2: a file's bytes are synced before it gets its name, and a name counts only once its folder is synced (`Folder.sync`).
        Nothing may be acknowledged earlier. One sync of a folder serves all names that were made in it.
Rule 3: a step that fails leaves the old bytes in place and takes its temporary file away.
Rule 4: a file is named by one name in an open folder, never by a path, and no link is followed: not in the name, and not on the
        way to the folder below the one that the user named. So no name leads out, and nobody can swap a link in after a look:
        there is no look, the opening itself refuses (docs/decisions/0011-no-name-leads-out.md).
Rule 5: what has a second name (a hard link) is never written in place: the other name is somebody else's file, or a backup.

Temporary files live in the workspace's own swap folder and carry the process id of their writer. They used to be the place
where other systems lose data: a shared `note.tmp` lets two writers rename each other's half-written file.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ctypes
    from collections.abc import Callable
    from typing import BinaryIO

_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_OLD_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK  # non-blocking: a FIFO must not hang us
_LOG = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_TURN = 1 << 30  # the byte of a lock file by which somebody is the next to have it
_WAY = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_CLOEXEC  # a folder that is only gone through


class Folder:
    """An open folder. All that is done to files is done through one."""

    __slots__ = ("fd", "path")

    def __init__(self, fd: int, path: str) -> None:
        self.fd, self.path = fd, path

    @classmethod
    def open(cls, path: str, *, make: bool = False) -> Folder:
        """The folder at a path that the user named; its own links are followed."""
        if make:
            _make_all(path)
        return cls(os.open(path, _FOLDER), path)

    @classmethod
    def exactly(cls, path: str) -> Folder:
        """The folder at an absolute path that has no link in it; one that has come into it since is refused."""
        if hasattr(os, "O_NOFOLLOW_ANY"):  # macOS
            return cls(os.open(path, _FOLDER | os.O_NOFOLLOW_ANY), path)
        way = cls(os.open("/", _WAY), "/")
        for name in filter(None, path.split("/")):
            with way as above:
                way = cls(above._open(name, _WAY | os.O_NOFOLLOW), above.at(name))
        with way:
            return cls(os.open(".", _FOLDER, dir_fd=way.fd), path)

    def descend(self, path: str, *, make: bool = False) -> Folder:
        """A folder further below, by its path from here, step by step."""
        first, _, rest = path.partition("/")
        folder = self.child(first, make=make)
        if not rest:
            return folder
        with folder:
            return folder.descend(rest, make=make)

    def child(self, name: str, *, make: bool = False) -> Folder:
        """A folder inside this one; made durable where it was missing and `make` is given."""
        flags = _FOLDER | os.O_NOFOLLOW
        try:
            return Folder(self._open(name, flags), self.at(name))
        except FileNotFoundError:
            if not make:
                raise
        try:
            os.mkdir(name, 0o700, dir_fd=self.fd)
        except FileExistsError:
            pass
        except OSError as error:
            error.filename = self.at(name)
            raise
        self.sync()
        return Folder(self._open(name, flags), self.at(name))

    def _open(self, name: str, flags: int, mode: int = 0o600) -> int:
        """Open an entry of this folder; errors name the whole path."""
        try:
            return os.open(self._entry(name), flags, mode, dir_fd=self.fd)
        except OSError as error:
            if error.errno == errno.ENOTDIR and self.is_link(name):  # as Linux says it where a folder was wanted
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), self.at(name)) from None
            error.filename = self.at(name)
            raise

    def _entry(self, name: str) -> str:
        """A name, where it can be that of an entry of this folder: with `/`, `..` or NUL it would lead elsewhere, or nowhere."""
        if "/" in name or "\0" in name or name in ("", ".", ".."):
            raise OSError(errno.EINVAL, "no file in a folder can have that name", self.at(name))
        return name

    def __enter__(self) -> Folder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def again(self) -> Folder:
        """The same folder once more, to be closed by itself."""
        return Folder(os.dup(self.fd), self.path)

    def close(self) -> None:
        """Give the descriptor back."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def sync(self) -> None:
        """Make every name in this folder durable."""
        try:
            full_sync(self.fd)
        except OSError as error:
            error.filename = self.path
            raise

    def names(self) -> list[str]:
        """What is in the folder, sorted."""
        return sorted(os.listdir(self.fd))

    def stat(self, name: str) -> os.stat_result | None:
        """What the system says of an entry, or None where there is none."""
        try:
            return os.stat(self._entry(name), dir_fd=self.fd, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def is_link(self, name: str) -> bool:
        """Whether an entry is a symbolic link."""
        found = self.stat(name)
        return found is not None and stat.S_ISLNK(found.st_mode)

    def link(self, name: str) -> str:
        """Where a symbolic link leads in the end, links on its way followed; empty where it is none."""
        try:
            told = os.readlink(self._entry(name), dir_fd=self.fd)
        except OSError:
            return ""
        return os.path.realpath(os.path.join(os.path.realpath(self.path), told))

    def entries(self) -> list[os.DirEntry[str]]:
        """What is in the folder, sorted by name, with what the system says of each; good while the folder is open."""
        with os.scandir(self.fd) as found:
            return sorted(found, key=lambda entry: entry.name)

    def file(self, name: str) -> BinaryIO:
        """A file, open for reading; refused as `read` does."""
        return os.fdopen(self._open_file(name), "rb")

    def open_to_lock(self, name: str) -> int:
        """A descriptor of a file, or of the folder itself where there is no such file, that is open for nothing but a lock."""
        try:
            return self._open(name, _OLD_FILE)
        except FileNotFoundError:
            return os.open(".", _FOLDER, dir_fd=self.fd)

    def device(self) -> int:
        """The file system that the folder lies on."""
        return os.fstat(self.fd).st_dev

    def read(self, name: str) -> bytes:
        """A whole file. A link, a folder, a FIFO or a device is refused with the error that names it."""
        fd = self._open_file(name)
        try:
            return _read_all(fd)
        finally:
            os.close(fd)

    def read_or_none(self, name: str) -> bytes | None:
        """A whole file, or None where there is none."""
        try:
            return self.read(name)
        except FileNotFoundError:
            return None

    def _open_file(self, name: str) -> int:
        fd = self._open(name, _OLD_FILE)
        mode = os.fstat(fd).st_mode
        if not stat.S_ISREG(mode):
            os.close(fd)
            wrong = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
            raise OSError(wrong, os.strerror(wrong) if wrong == errno.EISDIR else "it is not a regular file", self.at(name))
        return fd

    def at(self, name: str) -> str:
        """The path of an entry, for messages."""
        return os.path.join(self.path, name)

    def touch(self, name: str) -> None:
        """An empty new file (0600); its name counts once the folder is synced."""
        os.close(self._open(name, _NEW_FILE))

    def append(self, name: str, data: bytes) -> None:
        """Add a line to a log of ours, in one write. Not synced: only for what may be lost."""
        fd = self._open(name, _LOG)
        try:
            found = os.fstat(fd)
            if not stat.S_ISREG(found.st_mode):
                raise OSError(errno.EINVAL, "it is not a regular file", self.at(name))
            if found.st_nlink > 1:
                self.place(self.prepare(_read_all(fd) + data, found), self, name, over=True)
            else:
                write_all(fd, data)
        finally:
            os.close(fd)

    def remove(self, name: str) -> None:
        """Take a file of our own away; one that is gone already is fine."""
        try:
            os.unlink(self._entry(name), dir_fd=self.fd)
        except FileNotFoundError:
            pass

    def is_gone(self) -> bool:
        """Whether somebody has removed this folder since it was opened."""
        return os.fstat(self.fd).st_nlink == 0

    def remove_folder(self, name: str) -> None:
        """Take an empty folder of our own away; one that is gone already, or not empty after all, is fine."""
        try:
            os.rmdir(name, dir_fd=self.fd)
        except FileNotFoundError:
            pass
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise

    def prepare(self, data: bytes, like: os.stat_result | None = None) -> str:
        """A synced temporary file in this folder, with mode and owner of the file that it will stand for. Returns its name."""
        name = _temporary()
        fd = self._open(name, _NEW_FILE)
        try:
            try:
                write_all(fd, data)
                if like:
                    _wear(fd, like)
                full_sync(fd)
            finally:
                os.close(fd)
        except BaseException:
            self.remove(name)
            raise
        return name

    def prepare_all(self, texts: list[bytes]) -> list[str]:
        """Synced temporary files, their names in the same order. All are written before the first is synced: what waits together
        is made durable together, in about half the time.
        """
        made: dict[str, int] = {}
        try:
            try:
                for data in texts:
                    name = _temporary()
                    made[name] = self._open(name, _NEW_FILE)
                    write_all(made[name], data)
                for fd in made.values():
                    full_sync(fd)
            finally:
                for fd in made.values():
                    os.close(fd)
        except BaseException:
            for name in made:
                self.remove(name)
            raise
        return list(made)

    def date_back(self, name: str, like: os.stat_result | None) -> None:
        """Give a prepared file the moment of the one that it will stand for."""
        if like:
            os.utime(name, ns=(like.st_atime_ns, like.st_mtime_ns), dir_fd=self.fd, follow_symlinks=False)

    def draft(self) -> str:
        """An empty temporary file for others to write into. Returns its name."""
        name = _temporary()
        self.touch(name)
        return name

    def sealed(self, draft: str, moment: int) -> None:
        """Sync what others have written into a draft, and give it the moment (nanoseconds) by which its writer will know it."""
        fd = self._open_file(draft)
        try:
            full_sync(fd)
        finally:
            os.close(fd)
        self.dated(draft, moment)

    def dated(self, name: str, moment: int) -> None:
        """Give a file a moment (nanoseconds). By its name: to open it would end the locks on it that this process has."""
        os.utime(name, ns=(moment, moment), dir_fd=self.fd, follow_symlinks=False)

    def clear_up(self) -> None:
        """Take away the temporary files of writers that died."""
        for name in self.names():
            parts = name.split("-")
            if len(parts) == 3 and parts[0] == "tmp" and parts[1].isdigit() and not process_is_alive(int(parts[1])):
                self.remove(name)

    def place(self, temporary: str, target: Folder, name: str, *, over: bool = False) -> None:
        """Give a prepared file its name. Without `over`, a name that is taken is an error and nothing changes."""
        try:
            if over:
                os.rename(temporary, target._entry(name), src_dir_fd=self.fd, dst_dir_fd=target.fd)
            else:
                _rename_new(self, temporary, target, name)
        except BaseException:
            self.remove(temporary)
            raise

    def move(self, name: str, target: Folder, as_name: str) -> None:
        """Another name for a file, in this folder or another. A name that is taken is an error, and then nothing changes."""
        _rename_new(self, name, target, as_name)

    def exchange(self, temporary: str, target: Folder, name: str) -> bool:
        """Swap two files in one step: a reader sees one or the other. False where the system cannot."""
        return _renameat2(self, temporary, target, name, _SWAP)

    def copy_of(self, source: Folder, name: str, as_name: str) -> None:
        """A second name for a file (or a synced copy where the system has no hard links)."""
        try:
            os.link(source._entry(name), self._entry(as_name), src_dir_fd=source.fd, dst_dir_fd=self.fd, follow_symlinks=False)
        except OSError as error:
            if error.errno not in (errno.EPERM, errno.EXDEV, errno.ENOTSUP, errno.EMLINK):
                raise
            self.place(self.prepare(source.read(name)), self, as_name)


class Missing(Folder):
    """A folder that is not there: for reading, the same as an empty one."""

    __slots__ = ()

    def __init__(self, path: str) -> None:
        super().__init__(-1, path)

    def child(self, name: str, *, make: bool = False) -> Folder:  # noqa: ARG002
        """Nothing is in a folder that is not there."""
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), self.at(name))

    def again(self) -> Folder:
        """The same."""
        return self

    def names(self) -> list[str]:
        """Nothing."""
        return []

    def entries(self) -> list[os.DirEntry[str]]:
        """Nothing."""
        return []

    def link(self, name: str) -> str:  # noqa: ARG002
        """Nothing."""
        return ""

    def stat(self, name: str) -> os.stat_result | None:  # noqa: ARG002
        """Nothing."""
        return None

    def _open_file(self, name: str) -> int:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), self.at(name))


def _temporary() -> str:
    """A name that nobody else has, and that tells whose it is."""
    return f"tmp-{os.getpid()}-{os.urandom(6).hex()}"


def full_sync(fd: int) -> None:
    """A sync that reaches the platter: macOS needs its own call for that."""
    if hasattr(fcntl, "F_FULLFSYNC"):
        fcntl.fcntl(fd, fcntl.F_FULLFSYNC)
    else:
        os.fsync(fd)


def write_all(fd: int, data: bytes) -> None:
    """Write everything. The count that `write` returns is no formality: 100 of 5,000 bytes is a legal answer."""
    left = memoryview(data)
    while left:
        written = os.write(fd, left)
        if written == 0:
            raise OSError(errno.EIO, "the disk took no more bytes")
        left = left[written:]


def _read_all(fd: int) -> bytes:
    parts = []
    while part := os.read(fd, 1 << 20):
        parts.append(part)
    return b"".join(parts)


def _wear(fd: int, like: os.stat_result) -> None:
    """Mode and owner of an existing file, for the one that takes its place."""
    os.fchmod(fd, stat.S_IMODE(like.st_mode))
    if (like.st_uid, like.st_gid) != (os.geteuid(), os.getegid()):
        try:
            os.fchown(fd, like.st_uid, like.st_gid)
        except PermissionError:
            pass  # only root may give files away; the mode is kept, and the owner could write it before


def _make_all(path: str) -> None:
    """A folder with its parents, each 0700 and durable."""
    path = os.path.abspath(path)
    if os.path.isdir(path):
        return
    parent = os.path.dirname(path)
    if parent != path:
        _make_all(parent)
    try:
        os.mkdir(path, 0o700)
    except FileExistsError:
        return
    fd = os.open(parent, _FOLDER)
    try:
        full_sync(fd)
    finally:
        os.close(fd)


# ---- rename with conditions --------------------------------------------------------------------------------------------

_KEEP, _SWAP = 1, 2  # RENAME_NOREPLACE and RENAME_EXCHANGE
_MAC = {_KEEP: 4, _SWAP: 2}  # RENAME_EXCL and RENAME_SWAP
_library: list[ctypes.CDLL] = []  # opened once, at the first rename
_UNSUPPORTED = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EPERM)


def _renameat2(source: Folder, name: str, target: Folder, target_name: str, flag: int) -> bool:
    """renameat2 (Linux) or renameatx_np (macOS). False where neither the system nor the file system has it."""
    import ctypes

    if not _library:
        _library.append(ctypes.CDLL(None, use_errno=True))
    call = getattr(_library[0], "renameat2", None) or getattr(_library[0], "renameatx_np", None)
    if call is None:
        return False
    flags = flag if hasattr(_library[0], "renameat2") else _MAC[flag]
    target._entry(target_name)
    if call(source.fd, os.fsencode(name), target.fd, os.fsencode(target_name), flags) == 0:
        return True
    code = ctypes.get_errno()
    if code in _UNSUPPORTED:
        return False
    raise OSError(code, os.strerror(code), target.at(target_name))


def _rename_new(source: Folder, name: str, target: Folder, target_name: str) -> None:
    if _renameat2(source, name, target, target_name, _KEEP):
        return
    # No such call: a hard link fails just as well where the name is taken.
    os.link(name, target_name, src_dir_fd=source.fd, dst_dir_fd=target.fd, follow_symlinks=False)
    source.remove(name)


# ---- one writer of documents at a time ---------------------------------------------------------------------------------


def try_flock(fd: int, kind: int) -> bool:
    """Take a lock of the system's on an open file, if that can be done at once."""
    try:
        fcntl.flock(fd, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _poll(attempt: Callable[[], bool], patience: float) -> bool:
    """Try until it succeeds, for so many seconds at most."""
    until, pause = time.monotonic() + patience, 0.0005
    while not attempt():
        if time.monotonic() >= until:
            return False
        time.sleep(pause)
        pause = min(pause * 1.5, 0.02)
    return True


class Lock:
    """The workspace's lock file. A dead holder holds nothing: the kernel lets go of it at once.

    The file's text is the newest record id (`newest`), written while the lock is held: a hint that saves looking through
    the journal, checked before it is believed, never needed to be durable.
    """

    __slots__ = ("fd", "held", "shared")

    def __init__(self, folder: Folder, name: str = "lock") -> None:
        self.fd = folder._open(name, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
        self.held = False
        found = os.fstat(self.fd)
        self.shared = found.st_nlink > 1  # it has a second name (Rule 5): it locks as well as any, and takes no hint
        if not stat.S_ISREG(found.st_mode):
            self.close()
            raise OSError(errno.EINVAL, "it is not a regular file", folder.at(name))

    def take(self, patience: float) -> bool:
        """Wait for the lock, but never for ever: a holder that was stopped (not killed) keeps it."""
        return self.held or _poll(lambda: not self._is_promised() and self._try(), patience)

    def take_next(self, patience: float) -> bool:
        """Wait for the lock as the next one to have it: whoever begins to wait from now on comes later, however many they are."""
        until = time.monotonic() + patience
        first = _poll(lambda: self._try_turn(fcntl.LOCK_EX), patience)
        try:
            return self.held or (first and _poll(self._try, until - time.monotonic()))
        finally:
            self._end_turn()

    def _try(self) -> bool:
        self.held = try_flock(self.fd, fcntl.LOCK_EX)
        return self.held

    def _is_promised(self) -> bool:
        """Whether somebody waits who is next. One who was killed while waiting holds nothing."""
        try:
            free = self._try_turn(fcntl.LOCK_SH)
            self._end_turn()
        except OSError:
            return False  # the system has no such locks here: then all wait alike
        return not free

    def _try_turn(self, kind: int) -> bool:
        """Take the turn, which is a byte of the lock file that is never written: locks of this kind know nothing of the other."""
        try:
            fcntl.lockf(self.fd, kind | fcntl.LOCK_NB, 1, _TURN)
        except OSError as error:
            if error.errno in (errno.EACCES, errno.EAGAIN):
                return False
            raise
        return True

    def _end_turn(self) -> None:
        fcntl.lockf(self.fd, fcntl.LOCK_UN, 1, _TURN)

    @property
    def newest(self) -> str:
        """The hint as it stands."""
        return "" if self.shared else os.pread(self.fd, 100, 0).decode("ascii", "replace").partition("\n")[0].strip()

    @newest.setter
    def newest(self, record_id: str) -> None:
        if not self.shared:
            os.pwrite(self.fd, record_id.encode("ascii") + b"\n", 0)

    def release(self) -> None:
        """Let the next one in."""
        if self.held:
            fcntl.flock(self.fd, fcntl.LOCK_UN)
            self.held = False

    def close(self) -> None:
        """Let go for good."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd, self.held = -1, False


def process_is_alive(pid: int) -> bool:
    """Whether a process of that id runs, as far as we may know."""
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True
