"""A workspace with a past that wants upkeep, and what may never happen to it: shared by the tests of upkeep."""

from __future__ import annotations

import gzip
import time
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

NOW = time.mktime(time.strptime("2026-11-16 12:00", "%Y-%m-%d %H:%M"))


def ago(days: int, today: str = "") -> str:
    """The day so many days ago."""
    return (date.fromisoformat(today or time.strftime("%Y-%m-%d")) - timedelta(days=days)).isoformat()


# Touched this week, whenever that is: one that lies idle is rotated for it, however short.
BUFFER = f"# Working Buffer\ncreated: 2026-11-01T09:00:00\nlast_active: {ago(2)}T09:00:00\n\n"


def write(workspace: Path, files: dict[str, str]) -> Path:
    """Files by their paths, byte for byte."""
    for name, text in files.items():
        path = workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
    return workspace


def past(workspace: Path, days: Callable[[int], str] = ago, *, episodic: bool = False) -> Path:
    """Days old and new, facts that recur, passing notes, a long buffer, an archive: something for every duty."""
    folder = "memory/episodic" if episodic else "memory"
    files = {
        "MEMORY.md": "# My agent\n\n## [PREF] How I like it\n- short answers\n\n## Mine\n- keep me, unmarked",
        f"{folder}/{days(1)}.md": f"# {days(1)}\n\n- [PREF] small commits\n- [TEMP] tab {days(1)}\n- by hand\n",
        f"{folder}/{days(2)}.md": f"# {days(2)}\n\n- 09:30 [PREF] Small commits.\n- [TECH] port: 8080\n",
        f"{folder}/{days(3)}.md": f"# {days(3)}\r\n\r\n- [TECH] port: 8080\r\n- [LESSON] measure first\r\n",
        f"{folder}/{days(40)}.md": f"# {days(40)}\n\n- [LESSON] never on Friday\n  and never at night\n- an old walk\n",
        f"{folder}/{days(41)}.md": f"# {days(41)}\n\n- [PREF] tea, not coffee\n\n```\n- [PREF] in code\n```\n",
        f"{folder}/{days(200)}.md": f"# {days(200)}\n\n- [LESSON] ship it\n- long ago",
        f"{folder}/2026-13-45.md": "no date\n",
        "memory/notes.md": "- [PREF] not a day\n",
        "memory/working-buffer.md": BUFFER + "".join(f"- 2026-11-10 09:0{n % 10} step {n}\n" for n in range(85)),
        f"memory/archive/{days(120)[:4]}/{days(120)[5:7]}/{days(120)}.md": f"# {days(120)}\n\n- in the archive, not packed\n",
        f"memory/archive/{days(40)[:4]}/{days(40)[5:7]}/{days(40)}.md": f"# {days(40)}\n\n- archived earlier\n",
    }
    return write(workspace, files)


def lines_of(workspace: Path, *, trash: bool = True) -> set[bytes]:
    """Every line that can be reached: in documents, in the archive (unpacked) and in the trash."""
    found: set[bytes] = set()
    for path in workspace.rglob("*"):
        inside = path.relative_to(workspace).parts
        if path.is_file() and (inside[0] != ".holdfast" or (trash and inside[1] == "trash")):
            data = path.read_bytes()
            found |= set((gzip.decompress(data) if path.suffix == ".gz" else data).replace(b"\r\n", b"\n").split(b"\n"))
    return found


def documents(workspace: Path) -> dict[str, bytes]:
    """What a person sees, byte for byte: everything outside `.holdfast/`."""
    files = (path for path in workspace.rglob("*") if path.is_file() and ".holdfast" not in path.relative_to(workspace).parts)
    return {str(path.relative_to(workspace)): path.read_bytes() for path in files}
