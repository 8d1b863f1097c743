"""Hosts' files after `init` or `uninstall` was disturbed: each is whole, a second run finishes, the way back gives the bytes."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from durability import FAULTY, PYTHON, SOURCE

from lab.command import ROOT, Command
from lab.inject import Outcome
from promises.host_files import BEFORE, laid_out, seen

DISTURBED = {"claude-code": "comments and other hooks", "codex": "settings"}


def broken(what: str) -> tuple[str, ...]:
    """The program with one thing broken on purpose."""
    return (FAULTY, what, "--")


def command(*words: str, what: str = "") -> Command:
    """A command in the home that is `{root}`."""
    program = broken(what) if what else ("-m", "holdfast")
    return Command((*PYTHON, *program, *words), {**SOURCE, "HOME": ROOT})


def undisturbed(home: Path, *words: str) -> None:
    env = command().env_for(home)
    subprocess.run([*PYTHON, "-m", "holdfast", *words], env=env, capture_output=True, check=True)


class Judge:
    """Knows every file before and after, and how each way ends."""

    def __init__(self, host: str, folder: Path) -> None:
        self.host = host
        self.before = folder / "before"
        self.before.mkdir(parents=True)
        laid_out(self.before, BEFORE[host][DISTURBED[host]])
        self.after = folder / "after"
        shutil.copytree(self.before, self.after)
        undisturbed(self.after, "init", host, "--yes")

    def check(self, outcome: Outcome) -> None:
        """Each file is whole; a second run finishes; the way back leads to the same bytes."""
        home = outcome.folder
        assert "Traceback" not in outcome.stderr.decode(), outcome.stderr
        before, after = seen(self.before), seen(self.after)
        for name, (_, data) in seen(home).items():
            known = [way[name][1] for way in (before, after) if name in way]
            assert data in known, f"{name} is neither what it was nor what it was to be"
        assert before.keys() - after.keys() <= seen(home).keys(), "something has gone"
        twin = home.parent / "twin"
        shutil.copytree(home, twin, symlinks=True)
        undisturbed(twin, "uninstall", self.host, "--yes")
        assert seen(twin) == before, "uninstall does not give the bytes back"
        left = [path.name for path in (twin / ".local/state/holdfast/installs").rglob("*") if path.is_file()]
        assert left == ["lock"], f"left behind: {left}"
        undisturbed(home, "init", self.host, "--yes")
        assert seen(home) == after, "a second run does not finish"
