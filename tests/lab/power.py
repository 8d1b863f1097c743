"""Real power cuts: a loop-mounted ext4 or XFS that forgets what it had not yet written.

`FS_IOC_SHUTDOWN` without a log flush stops the file system at once: the page cache and the
unflushed journal never reach the image. What a remount shows is what a power cut leaves. It does
not show torn sectors or a disk that lies about its own cache.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import functools
import os
import select
import shutil
import struct
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from .command import Command

KINDS = ("ext4", "xfs")
_FS_IOC_SHUTDOWN = 0x8004587D
_NO_LOG_FLUSH = struct.pack("I", 2)
_IMAGE_BYTES = 320 << 20  # sparse; mkfs.xfs refuses less than 300 MiB
_CLONE_NEWNS = 0x00020000
_PATIENCE = 60.0


@dataclass(frozen=True)
class Cut:
    """A run and the cut that ended it.

    `acked` are the lines that reached us before the cut: their effects must be there. `unknown`
    are those that came later: the process runs on for a moment after the cut and its fsync may
    still say yes, so a late line proves nothing either way (4 of 153 such lines were false on
    XFS; a harness that counts them reports losses that are not).
    """

    acked: list[str]
    unknown: list[str]
    stderr: str


@dataclass(frozen=True)
class Disk:
    """A file system in an image file, mounted at `root`, that can lose its power."""

    kind: str
    image: Path
    root: Path

    def settle(self) -> None:
        """Make all that is there durable: what the test prepared is not what it tests."""
        fd = os.open(self.root, os.O_RDONLY)
        try:
            if ctypes.CDLL(None, use_errno=True).syncfs(fd) != 0:
                raise OSError(ctypes.get_errno(), "syncfs", str(self.root))
        finally:
            os.close(fd)

    def cut(self) -> None:
        """Switch the power off. Nothing more reaches the image until `revive`."""
        fd = os.open(self.root, os.O_RDONLY)
        try:
            fcntl.ioctl(fd, _FS_IOC_SHUTDOWN, _NO_LOG_FLUSH)
        finally:
            os.close(fd)

    def revive(self) -> None:
        """Mount again what the cut has left; the file system replays its journal."""
        unmount(self.root)
        _run("mount", "-o", "loop", str(self.image), str(self.root))


@contextlib.contextmanager
def disk(kind: str, work: Path | None = None) -> Iterator[Disk]:
    """A fresh file system, mounted in a private mount namespace, gone again afterwards.

    The namespace belongs to this thread and the processes it starts: should the test run itself
    be killed, the mount and its loop device go with it.
    """
    folder = Path(tempfile.mkdtemp(prefix="lab-power-", dir=work)).resolve()
    image, root = folder / "image", folder / "root"
    try:
        root.mkdir()
        with open(image, "wb") as file:
            file.truncate(_IMAGE_BYTES)
        _run(f"mkfs.{kind}", "-q", "-F" if kind == "ext4" else "-f", str(image))
        with _private_mounts():
            _run("mount", "-o", "loop", str(image), str(root))
            try:
                yield Disk(kind, image, root)
            finally:
                unmount(root)
    finally:
        shutil.rmtree(folder)


@functools.cache
def why_not(kind: str) -> str | None:
    """Why this machine cannot cut the power of such a file system, in one sentence, or None."""
    if os.geteuid() != 0:
        return "a power cut needs root: it mounts a file system"
    for tool in (f"mkfs.{kind}", "mount", "umount"):
        if shutil.which(tool) is None:
            return f"a power cut on {kind} needs {tool}, which is not installed"
    try:
        with disk(kind) as here:
            here.cut()
            here.revive()
    except (OSError, subprocess.CalledProcessError) as error:
        said = getattr(error, "stderr", None) or str(error)
        return f"this machine cannot loop-mount {kind} and cut it: {str(said).strip()}"
    return None


def cut_after_ack(here: Disk, command: Command, root: Path, acks: int = 1) -> Cut:
    """Run the command, cut as soon as it has said `acks` lines (or has ended), mount again.

    This is the cut that finds a missing folder fsync: under load, later fsyncs rescue earlier
    renames, and 20 random cuts found 1 loss in 3 261.
    """
    end = time.monotonic() + _PATIENCE
    return _cut_when(here, command, root, lambda heard: heard >= acks, end)


def cut_under_load(here: Disk, command: Command, root: Path, seconds: float) -> Cut:
    """Run the command, cut after `seconds` wherever it then is, mount again.

    The choice of the time belongs to the caller, so that a seed can repeat it.
    """
    return _cut_when(here, command, root, lambda _: False, time.monotonic() + seconds)


def _cut_when(
    here: Disk, command: Command, root: Path, enough: Callable[[int], bool], end: float
) -> Cut:
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as errors:
        given.write(command.stdin)
        given.seek(0)
        process = subprocess.Popen(
            command.argv_for(root),
            env=command.env_for(root),
            stdin=given,
            stdout=subprocess.PIPE,
            stderr=errors,
        )
        assert process.stdout is not None
        with process:
            try:
                before = _listen(process.stdout.fileno(), enough, end)
                here.cut()
            finally:
                process.kill()
            after = process.stdout.read()
        here.revive()
        errors.seek(0)
        said = errors.read().decode(errors="replace")
    # A line that was cut in the middle belongs to what came late.
    whole, _, begun = before.rpartition(b"\n")
    return Cut(_lines(whole), _lines(begun + after), said)


def _listen(fd: int, enough: Callable[[int], bool], end: float) -> bytes:
    """What the process says until it has said enough, has ended, or the time has come."""
    heard = b""
    while not enough(heard.count(b"\n")):
        left = end - time.monotonic()
        ready, _, _ = select.select([fd], [], [], max(0.0, left))
        # At the end of the time one last read takes what is in the pipe: it was said before.
        said = os.read(fd, 1 << 16) if ready else b""
        heard += said
        if not said or left <= 0:
            break
    return heard


def _lines(said: bytes) -> list[str]:
    return said.decode(errors="replace").splitlines()


@contextlib.contextmanager
def _private_mounts() -> Iterator[None]:
    """Move this thread into a mount namespace of its own, and back."""
    libc = ctypes.CDLL(None, use_errno=True)
    cwd = os.getcwd()
    outside = os.open("/proc/thread-self/ns/mnt", os.O_RDONLY)
    try:
        if libc.unshare(_CLONE_NEWNS) != 0:
            raise OSError(ctypes.get_errno(), "no private mount namespace")
        try:
            # Without this the mounts below are propagated to the whole machine.
            _run("mount", "--make-rprivate", "/")
            yield
        finally:
            if libc.setns(outside, _CLONE_NEWNS) != 0:
                raise OSError(ctypes.get_errno(), "cannot leave the private mount namespace")
            os.chdir(cwd)
    finally:
        os.close(outside)


def unmount(root: Path, seconds: float = 1.0) -> None:
    """Give a file system back, as soon as nobody holds a file of it."""
    for _ in range(int(seconds * 50)):
        if subprocess.run(["umount", str(root)], capture_output=True, check=False).returncode == 0:
            return
        # A killed process holds its files until the kernel has reaped its last thread.
        time.sleep(0.02)
    # Better detached than left: somebody still holds a file. The caller is told by the error.
    _run("umount", "--lazy", str(root))
    raise OSError(f"{root} was still in use and had to be detached")


def _run(*argv: str) -> None:
    subprocess.run(argv, check=True, capture_output=True, text=True)
