"""Upkeep that nobody asked for: begun by a hook when the limits of seed C are passed, in a process of its own.

Never inside a prompt, never twice within a day, and not where the settings say `autoUpkeep = "never"`, nor where one of them
cannot be used: upkeep moves things by its settings, and the default may not be what its owner meant. Where they say
`"on-heartbeat"`, a heartbeat of the host's begins it too, whatever the limits. What it did is a receipt.
"""

from __future__ import annotations

import os

from ..config import read_config
from ..errors import HoldfastError
from ..guard.entering import redacted
from ..memory import Memory
from ..storage.processes import detached

MEMORY_LINES, DAYS, PAUSE = 200, 50, 86400.0
_MARK = "upkept"  # `.holdfast/upkept`: its moment is that of the last run that nobody asked for


def due(memory: Memory, *, heartbeat: bool = False) -> str:
    """Why upkeep is due, in words; empty where it is not."""
    last = memory.home.stat(_MARK)
    if memory.config.wrong or memory.config.autoUpkeep == "never" or (last and memory.clock() - last.st_mtime < PAUSE):
        return ""
    if heartbeat:
        return "a heartbeat" if memory.config.autoUpkeep == "on-heartbeat" else ""
    lines = memory.store.text_or_empty("", "MEMORY.md").count("\n")
    if lines > MEMORY_LINES:
        return f"MEMORY.md has {lines} lines"
    try:
        days = sum(name[:2] == "20" and name.endswith(".md") for name in memory.store.days(make=False).names())
    except OSError:
        return ""
    return f"there are {days} days" if days > DAYS else ""


def begin(memory: Memory, why: str) -> None:
    """Run upkeep beside whoever called; returns at once. It opens the workspace anew: nothing that is open here is shared."""
    try:
        memory.home.remove(_MARK)
        memory.home.touch(_MARK)
    except OSError:
        return  # without the mark every hook would begin it again
    if detached():
        try:
            _run(memory.workspace, why)
        finally:
            os._exit(0)


def _run(workspace: str, why: str) -> None:
    from .applying import apply
    from .committing import committed
    from .examining import checked
    from .planning import plan
    from .surveying import survey

    memory = Memory(workspace, read_config(workspace, os.environ), write=True)
    try:
        memory.catch_up()
        there = survey(memory)
        unsound = [finding.check for finding in checked(memory, there, secrets=False)[0] if finding.integrity and not finding.ok]
        outcome = apply(memory, plan(there, memory.config))
        git = committed(memory, there, outcome.done, os.environ)
        health = f"integrity check failed: not all {', not all '.join(unsound)}" if unsound else ""
        said = "; ".join(filter(None, [health, f"{len(outcome.done)} changes, {len(outcome.dropped)} dropped", git]))
    except (HoldfastError, OSError) as error:
        said = f"stopped: {redacted(str(error))[0]}"
    memory.receipt(event="upkeep", did=f"{why}; {said}")
    memory.close()
