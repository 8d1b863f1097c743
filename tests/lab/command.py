"""What is put through the faults, and the report of what was found."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = "{root}"
"""Stands for the folder in an argument or an environment value; every run gets its own copy."""

_STEADY = {
    # The n-th call must be the same call in every run. Hash order changes what a program does
    # first, and a run that writes .pyc files makes calls that the next run does not make.
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
}


@dataclass(frozen=True)
class Command:
    """A command line that works on a folder, written as `{root}` in `argv` and `env`.

    Name the real interpreter (`sys.executable`): a version manager's `python` is a shell script,
    and its own system calls would be counted and hit.
    """

    argv: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    stdin: bytes = b""

    def argv_for(self, root: Path) -> list[str]:
        return [part.replace(ROOT, str(root)) for part in self.argv]

    def env_for(self, root: Path) -> dict[str, str]:
        own = {name: value.replace(ROOT, str(root)) for name, value in self.env.items()}
        return {**os.environ, **_STEADY, **own}


@dataclass(frozen=True)
class Violation:
    """One broken promise: at which fault, and what the check said."""

    where: str
    message: str


@dataclass(frozen=True)
class Report:
    """How much was examined, what was broken, and which faults never struck the folder."""

    examined: int
    violations: tuple[Violation, ...]
    missed: tuple[str, ...] = ()

    def raise_if_any(self) -> None:
        """Fail on a violation, on a fault that missed, and on having examined nothing."""
        # A laboratory that examines nothing finds nothing: that must not look like a pass.
        assert self.examined > 0, "nothing was examined"
        lines = [f"{v.where}: {v.message}" for v in self.violations]
        lines += [f"{where}: the fault did not strike the folder" for where in self.missed]
        assert not lines, f"{len(lines)} of {self.examined} failed:\n" + "\n".join(lines[:20])


def tree(folder: Path) -> dict[str, bytes | None]:
    """Every name below `folder`: a file's bytes, a symlink's target, or None for a folder."""
    found: dict[str, bytes | None] = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_symlink():
            found[name] = os.fsencode(os.readlink(path))
        else:
            found[name] = None if path.is_dir() else path.read_bytes()
    return found
