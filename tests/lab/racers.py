"""A person's editors, each a process of its own, saving while the command under test runs.

    python racers.py KIND FILE LINES PAUSE

appends `person line 1`, `person line 2` … to FILE, one per save. Nothing here takes a lock: no
editor does. A save that fails is tried again, as a person would; the process ends with exit 0
only when every line was saved once.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

_TRIES = 200


def line(n: int) -> str:
    return f"person line {n}"


def save_in_place(file: Path, text: str) -> None:
    """Read all, truncate the file, write all: nano, VS Code, many others."""
    whole = file.read_bytes() + text.encode() + b"\n"
    fd = os.open(file, os.O_WRONLY | os.O_TRUNC)
    try:
        os.write(fd, whole)
    finally:
        os.close(fd)


def save_by_rename(file: Path, text: str) -> None:
    """Read all, write a new file, rename it over the old one: vim's and gedit's usual way."""
    beside = file.with_name(f".{file.name}.person~")
    beside.write_bytes(file.read_bytes() + text.encode() + b"\n")
    beside.replace(file)


def save_with_vim(file: Path, text: str) -> None:
    """The real vim, without the person's settings, swap files and history."""
    # Where the file has changed since vim read it, vim asks first. Nobody answers here, so it ends without writing, and with
    # exit 0. What stands behind the write is only done where the write was.
    script = ["-c", f"call append('$', '{text}')", "-c", "w!", "-c", "call writefile(['ok'], '/dev/stdout')", "-c", "q!"]
    command = ["vim", "-es", "-n", "-u", "NONE", "-i", "NONE", *script, str(file)]
    done = subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=30)
    if b"ok" not in done.stdout:
        raise OSError("vim asked its user, and wrote nothing")


def save_with_sed(file: Path, text: str) -> None:
    """The real `sed -i`: reads the file and renames a new one over it. Needs one line or more."""
    subprocess.run(["sed", "-i", f"$a {text}", str(file)], check=True, timeout=30)


EDITORS: dict[str, Callable[[Path, str], None]] = {
    "in-place": save_in_place,
    "rename": save_by_rename,
    "vim": save_with_vim,
    "sed": save_with_sed,
}


def start(kind: str, file: Path, lines: int, pause: float) -> subprocess.Popen[bytes]:
    """Start an editor that appends `lines` lines, `pause` seconds apart; wait for it yourself."""
    arguments = [kind, str(file), str(lines), str(pause)]
    return subprocess.Popen([sys.executable, __file__, *arguments])


def wait_until(true: Callable[[], bool]) -> None:
    """Wait for another thread or process to come so far."""
    for _ in range(20_000):
        if true():
            return
        time.sleep(0.001)
    raise AssertionError("the editor never came so far")


def is_waited_for(about: os.stat_result) -> bool:
    """Whether somebody waits to write for the end of a lease on a file, as the kernel tells it."""
    return any(" BREAKING " in lock and f":{about.st_ino} " in lock for lock in Path("/proc/locks").read_text().split("\n"))


def where_found(folder: Path, lines: Iterable[str]) -> dict[str, list[Path]]:
    """In which files below `folder` (folders whose name begins with a dot too) each line is."""
    found: dict[str, list[Path]] = {text: [] for text in lines}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            held = set(path.read_text("utf-8", errors="replace").splitlines())
            for text in held & found.keys():
                found[text].append(path)
    return found


def found_nowhere(folder: Path, count: int) -> list[str]:
    """Which of the lines 1 … count an editor saved are in no file below `folder`."""
    places = where_found(folder, (line(n) for n in range(1, count + 1)))
    return [text for text, paths in places.items() if not paths]


def _save_until_saved(save: Callable[[Path, str], None], file: Path, text: str) -> None:
    for _ in range(_TRIES):
        # The file may be away for a moment while somebody else replaces it.
        with contextlib.suppress(OSError, subprocess.CalledProcessError):
            save(file, text)
            return
        time.sleep(0.005)
    raise SystemExit(f"{text!r} could not be saved to {file}")


def main(arguments: list[str]) -> int:
    kind, file, lines, pause = arguments
    for n in range(1, int(lines) + 1):
        _save_until_saved(EDITORS[kind], Path(file), line(n))
        time.sleep(float(pause))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
