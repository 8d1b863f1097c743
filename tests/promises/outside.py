"""A place outside the workspace, and every way in which something in the workspace could lead there: what S7 looks after."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conftest import Answer, Holdfast
from promises.every_door import prepared

HERON = "grey-heron-at-the-pond"  # stands in every file outside, and nowhere else

TODAY = time.strftime("%Y-%m-%d")

# What a name must not be able to do, whichever command is given it. {outside} is the place that must stay as it is.
NAMES: dict[str, str] = {
    "up": "../outside/note.md",
    "up from below": "memory/../../outside/note.md",
    "up alone": "..",
    "here": ".",
    "absolute": "{outside}/note.md",
    "absolute, new": "{outside}/new.md",
    "home": "~/note.md",
    "somebody's home": "~root/note.md",
    "proc": "/proc/self/cwd/../outside/note.md",
    "proc, relative": "proc/self/root",
    "through a link": "door/note.md",
    "through a link, new": "door/new.md",
    "a link": "door.md",
    "ours": ".holdfast/lock",
    "ours in capitals": ".HoldFast/lock",
    "ours by a link": "ours/lock",
    "percent": "..%2foutside%2fnote.md",
    "backslash": "..\\outside\\note.md",
    "Windows": "C:\\outside\\note.md",
    "a share": "\\\\server\\outside\\note.md",
    "a device of Windows": "CON",
    "a line": "a\n../outside/note.md",
    "a tab": "a\t/outside",
    "no bytes of UTF-8": "\udcff\udcfe",
    "turned round": "\u202e../outside/note.md",
    "long": "n" * 4096,
    "long, in folders": "/".join(["n" * 200] * 20),
    "nothing": " ",
}


def placed(workspace: Path) -> Path:
    """A folder outside with a file in it, and doors in the workspace that lead there."""
    outside = workspace.parent / "outside"
    outside.mkdir()
    (outside / "note.md").write_text(f"# Note\n\n- {HERON}\n")
    (workspace / "door").symlink_to(outside)
    (workspace / "door.md").symlink_to(outside / "note.md")
    (workspace / "ours").symlink_to(".holdfast")
    return outside


def seen(folder: Path) -> dict[str, tuple[object, ...]]:
    """All that there is in a folder: kind and mode, moment, and bytes of each entry. The moment of reading does not count."""
    found = {}
    for path in sorted([folder, *folder.rglob("*")]):
        about = path.lstat()
        data = path.read_bytes() if stat.S_ISREG(about.st_mode) else os.readlink(path) if path.is_symlink() else ""
        found[str(path.relative_to(folder))] = (about.st_mode, about.st_mtime_ns, about.st_ino, data)
    return found


def has(folder: Path, text: str) -> list[str]:
    """The files below a folder that have a text in them; links are not followed."""
    return [
        str(path.relative_to(folder))
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink() and text.encode() in path.read_bytes()
    ]


# ---- links that were planted -------------------------------------------------------------------------------------------

FOLDERS = (
    "memory", "memory/archive", "memory/session-snapshots", "memory/semantic", ".holdfast", ".holdfast/journal",
    f".holdfast/journal/{TODAY}", ".holdfast/pending", ".holdfast/swap", ".holdfast/cursors", ".holdfast/sessions",
    ".holdfast/trash", "notes",
)  # fmt: skip
FILES = (
    "MEMORY.md", "SESSION-STATE.md", f"memory/{TODAY}.md", "memory/session-state.md", "memory/working-buffer.md",
    "memory/context-lamp.md", "memory/context-session-map.json", "memory/semantic/birds.md", ".holdfast/lock",
    ".holdfast/receipts.jsonl", ".holdfast/key", ".holdfast/config.toml", ".holdfast/index.sqlite", ".holdfast/has-documents",
    "notes/plan.md",
)  # fmt: skip


def lived_in(holdfast: Holdfast, workspace: Path) -> bytes:
    """A workspace in which every one of these is there. Returns what a hook of its host says."""
    holdfast("init", "--yes")
    payload = json.loads(prepared(workspace.parent)[1])
    given = json.dumps({**payload, "cwd": str(workspace)}).encode()
    holdfast("hook", "claude-code", "SessionStart", stdin=given)
    for session in ("default", "other"):
        holdfast("--session", session, "task", "mend the lamp")
        holdfast("--session", session, "checkpoint", "--topic", "lamp", "--task", "mend", "--decision", "oak")
    holdfast("snapshot")
    holdfast("write", "notes/plan.md", stdin=b"one")
    holdfast("write", "notes/plan.md", stdin=b"two")
    holdfast("write", "memory/semantic/birds.md", stdin=b"# Birds\n#tags: bird\n\n- the stork\n")
    (workspace / "memory" / "archive").mkdir(exist_ok=True)
    (workspace / "MEMORY.md").write_text("# Memory\n\n- likes oak\n")
    (workspace / "SESSION-STATE.md").write_text("# SESSION-STATE.md\n\n## Current Task\nmend\n")
    (workspace / ".holdfast" / "config.toml").write_text("maxDecisions = 20\n")
    holdfast("search", "oak")
    assert [name for name in (*FOLDERS, *FILES) if not (workspace / name).exists()] == []
    return given


def carried_out(workspace: Path, outside: Path, name: str) -> Path:
    """Take one thing out of the workspace and let the heron into it: its new place."""
    there = outside / Path(name).name
    shutil.move(workspace / name, there)
    for path in [there, *there.rglob("*")] if there.is_dir() else [there]:
        if path.is_file() and path.name not in ("index.sqlite", "key", "lock"):
            path.write_bytes(path.read_bytes() + f"\n# {HERON}\n".encode())
    return there


def symlinked(workspace: Path, outside: Path, name: str) -> None:
    """A symbolic link in the place of something."""
    (workspace / name).symlink_to(carried_out(workspace, outside, name))


def hard_linked(workspace: Path, outside: Path, name: str) -> None:
    """A hard link in the place of a file."""
    os.link(carried_out(workspace, outside, name), workspace / name)


Planting = Callable[[Path, Path, str], None]


def sound(answer: Answer, words: list[str]) -> None:
    """Whatever a command was given: an answer in words, and an exit code of ours."""
    assert answer.code in (0, 1, 2, 74), words
    assert "Traceback" not in answer.err, words
    told = answer.out if words[0] in ("health", "doctor") else "left: " in answer.err and words[0] == "forget"
    found_wanting = answer.code == 1 and bool(told)  # a check says what is wanting, and forgetting what it had to leave
    assert answer.code == 0 or found_wanting or "holdfast: " in answer.err, (words, answer.err)


# ---- what a command opens ----------------------------------------------------------------------------------------------

needs_strace = pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed")
CHANGING = "mkdir,mkdirat,rename,renameat,renameat2,unlink,unlinkat,rmdir,link,linkat,symlink,symlinkat,chmod,fchmodat,truncate"
_OPENED = re.compile(r"open(?:at2?)?\(.*?(O_[A-Z_|]+).*= \d+<([^>]*)>")
_CHANGED = re.compile(rf"(?:{CHANGING.replace(',', '|')})\((.*)\) = 0")
_PLACED = re.compile(r'(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"((?:[^"\\]|\\.)*)"')


def watched(log: Path) -> tuple[str, ...]:
    """strace, with what `opened` reads."""
    return ("strace", "-f", "-y", "-s", "4096", "-e", f"trace=open,openat,openat2,creat,{CHANGING}", "-o", str(log))


def opened(log: Path) -> Iterator[tuple[bool, str]]:
    """(whether it was changed, path) of every file that a traced command opened or changed, as the system knows it."""
    for line in log.read_text(errors="replace").splitlines():
        if found := _OPENED.search(line):
            yield bool(re.search("O_WRONLY|O_RDWR|O_CREAT", found[1])), found[2].removesuffix("(deleted)").rstrip()
        elif found := _CHANGED.search(line):
            for folder, name in _PLACED.findall(found[1]):
                yield True, os.path.normpath(os.path.join(folder, name))
