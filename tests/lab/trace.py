"""Which system calls a command makes on a folder, read from an strace log.

The log is written with `-xx`: every string and every path in it is spelt `\\x2f\\x61`, so no file
name and no file content can be mistaken for the log's own punctuation.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

_WHOLE_DATA = 1 << 26
_PATIENCE = 60.0
_TRACED = "trace=%file,%desc,%process,sync"


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_BY_PATH = words(
    "access acct chdir chmod chown chroot creat execve getxattr lchown lgetxattr link listxattr"
    " llistxattr lremovexattr lsetxattr lstat mkdir mknod open readlink removexattr rename rmdir"
    " setxattr stat statfs symlink truncate unlink utime utimes"
)
_BY_FOLDER = words(
    "execveat faccessat faccessat2 fchmodat fchmodat2 fchownat futimesat linkat mkdirat mknodat"
    " name_to_handle_at newfstatat openat openat2 readlinkat renameat renameat2 statx symlinkat"
    " unlinkat utimensat"
)
FSYNCS = words("fsync fdatasync syncfs sync")

_FINISHED = re.compile(r"(\d+) +(\w+)\((.*)\) += (.*)")
_STARTED = re.compile(r"(\d+) +(\w+)\((.*) <unfinished \.\.\.>")
_RESUMED = re.compile(r"(\d+) +<\.\.\. \w+ resumed>(.*)\) += (.*)")
_DESCRIPTOR = re.compile(r"(\d+|AT_FDCWD)<([^>]*)>")
_STRING = re.compile(r'"([^"]*)"')


class Hung(AssertionError):
    """The command did not end: a finding like any other."""


@dataclass(frozen=True)
class Call:
    """One system call. `ordinal` is what strace's `when=N` counts: calls of this name, per task."""

    pid: int
    name: str
    ordinal: int
    args: tuple[str, ...]
    result: str
    paths: tuple[str, ...]

    @property
    def value(self) -> int:
        """The result as a number; -1 for a failed call and for one that never returned."""
        number = re.match(r"-?\d+", self.result)
        return int(number[0]) if number else -1

    @property
    def injected(self) -> bool:
        return self.result.endswith("(INJECTED)")

    def fd(self, index: int = 0) -> int:
        """The descriptor in argument `index`; -1 when it is not one."""
        found = re.match(r"\d+", self.args[index]) if index < len(self.args) else None
        return int(found[0]) if found else -1

    def data(self) -> bytes:
        """All strings of the arguments, joined: the bytes of a write, also of a writev."""
        return b"".join(_unhex(text) for text in _STRING.findall(",".join(self.args)))

    def touches(self, root: Path) -> bool:
        inside = f"{root}/"
        return any(path == str(root) or path.startswith(inside) for path in self.paths)

    def is_write_to_stdout(self) -> bool:
        return self.name in {"write", "writev"} and self.fd() == 1


@dataclass(frozen=True)
class Trace:
    """One traced run: every call it made, and what it said."""

    root: Path
    calls: tuple[Call, ...]
    returncode: int
    stdout: bytes
    stderr: bytes

    @property
    def on_root(self) -> list[Call]:
        return [call for call in self.calls if call.touches(self.root)]


def record(
    argv: Sequence[str],
    root: Path,
    *,
    env: dict[str, str] | None = None,
    stdin: bytes = b"",
    options: Sequence[str] = ("-e", _TRACED),
    whole_data: bool = False,
) -> Trace:
    """Run `argv` under strace. `root` must be a real path: the log only knows real paths."""
    cwd = os.getcwd()
    with tempfile.TemporaryDirectory(prefix="lab-trace-") as scratch:
        log = Path(scratch, "log")
        size = str(_WHOLE_DATA if whole_data else 32)
        strace = ["strace", "-f", "-y", "-xx", "-s", size, "-o", str(log), *options, "--"]
        returncode, stdout, stderr = _run([*strace, *argv], env, stdin)
        text = log.read_text("ascii") if log.exists() else ""
    assert text, f"strace wrote no log: {stderr.decode(errors='replace')}"
    return Trace(root, tuple(parse(text, cwd)), returncode, stdout, stderr)


def _run(argv: Sequence[str], env: dict[str, str] | None, stdin: bytes) -> tuple[int, bytes, bytes]:
    pipe = subprocess.PIPE
    # A session of its own: to end strace alone would leave the traced command running.
    with subprocess.Popen(
        argv, env=env, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
    ) as process:
        try:
            stdout, stderr = process.communicate(stdin, timeout=_PATIENCE)
        except subprocess.TimeoutExpired:
            raise Hung(f"not ended after {_PATIENCE:.0f} s") from None
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
        return process.returncode, stdout, stderr


def count_fsyncs(calls: Iterable[Call]) -> int:
    """How many of the calls ask for durability, whether or not they succeeded."""
    return sum(call.name in FSYNCS for call in calls)


def parse(log: str, cwd: str) -> list[Call]:
    """The calls of an strace log (`-f -y -xx`), in the order in which they returned."""
    calls: list[Call] = []
    ordinals: Counter[tuple[int, str]] = Counter()
    open_calls: dict[int, tuple[str, int, str]] = {}
    folders: dict[int, str] = {}

    def add(pid: int, name: str, ordinal: int, text: str, result: str) -> None:
        args = _split(text)
        paths = _paths(name, args, result, folders.get(pid, cwd))
        calls.append(Call(pid, name, ordinal, args, result, paths))
        if name in {"chdir", "fchdir"} and result == "0":
            folders[pid] = paths[0]

    for line in log.splitlines():
        if found := _RESUMED.fullmatch(line):
            pid = int(found[1])
            # A call may be resumed whose start strace did not show: a child's first return.
            if started := open_calls.pop(pid, None):
                add(pid, started[0], started[1], started[2] + found[2], found[3])
        elif found := _STARTED.fullmatch(line) or _FINISHED.fullmatch(line):
            pid, name = int(found[1]), found[2]
            ordinals[pid, name] += 1
            if found.re is _STARTED:
                open_calls[pid] = (name, ordinals[pid, name], found[3])
            else:
                add(pid, name, ordinals[pid, name], found[3], found[4])
    for pid, (name, ordinal, text) in open_calls.items():
        add(pid, name, ordinal, text, "?")
    return calls


def _split(text: str) -> tuple[str, ...]:
    """Split arguments at the commas that are not inside a struct or an array."""
    args, depth, start = [], 0, 0
    for found in re.finditer(r"[][(){},]", text):
        if found[0] == ",":
            if depth == 0:
                args.append(text[start : found.start()].strip())
                start = found.end()
        else:
            depth += 1 if found[0] in "([{" else -1
    return (*args, text[start:].strip())


def _paths(name: str, args: tuple[str, ...], result: str, cwd: str) -> tuple[str, ...]:
    """The absolute paths a call names, by descriptor, by folder descriptor or by string."""
    paths: list[str] = []
    folder = cwd
    for index, arg in enumerate(args):
        descriptor = _DESCRIPTOR.match(arg)
        string = _STRING.match(arg)
        if descriptor:
            folder = os.fsdecode(_unhex(descriptor[2]))
            names_more = name in _BY_FOLDER and _STRING.match("".join(args[index + 1 : index + 2]))
            if not names_more:
                paths.append(folder)
        elif string and (name in _BY_PATH or name in _BY_FOLDER):
            given = os.fsdecode(_unhex(string[1]))
            paths.append(os.path.normpath(os.path.join(folder, given)) if given else folder)
    # An opened file is also named by what came back: that path has its symlinks resolved.
    if opened := _DESCRIPTOR.match(result):
        paths.append(os.fsdecode(_unhex(opened[2])))
    return tuple(paths)


def _unhex(text: str) -> bytes:
    return bytes.fromhex(text.replace("\\x", ""))
