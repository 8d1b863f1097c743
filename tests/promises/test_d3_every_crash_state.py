"""D3: what was acknowledged is in every state that POSIX allows the disk to be in after a power cut.

One run of each command is traced. From its system calls follow all the states that a power cut may leave: what was synced is
certain; names that were not may be there or not, in any combination; bytes that were not may be there, half, as zeros or
not at all (tests/lab/disk_model.py). Each state is built as a real folder, the next command runs in it, and the workspace
must be what it would have been with the command, or (where nothing was acknowledged yet) without it. The three classic bugs,
planted on purpose, are found: no sync, no sync of folders, and “saved” too early.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import durability
import pytest
from durability import CASES, ON_PREPARED, WORKSPACES, Judge, Scenario, noon, shop, tell

from lab.command import Report
from lab.crash_states import examine

__all__ = ["noon", "shop"]
pytestmark = pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")


def examined(scenario: Scenario, before: Path, work: Path, broken: str = "") -> Report:
    """Judge every crash state of a command."""
    judge = Judge(scenario, before, work / "judge")
    return examine(scenario.command(broken), before, work, lambda folder, acked: judge.check(folder, acked=acked))


# These make the same calls on the same files as `task` does, and a checkpoint without a topic fewer than one with it.
ALIKE = [(where, name) for where in WORKSPACES for name in ("decide", "context", "pending", "blocker", "done")]
ALIKE += [("empty", "checkpoint")]


@pytest.mark.parametrize(("where", "name"), [case for case in CASES if case not in ALIKE])
def test_every_crash_state_has_what_was_acknowledged(where: str, name: str, shop: Path) -> None:
    """Whatever a power cut leaves of a command, its record is there whole and once, or was never acknowledged."""
    make, scenarios = WORKSPACES[where]
    report = examined(scenarios[name], make(shop / "before"), shop / "work")
    tell(f"{name} on {where}", report)
    report.raise_if_any()


@pytest.mark.parametrize(("name", "bug"), [("write", "no-fsync"), ("bind", "no-folder-fsync"), ("bind", "early-ack")])
def test_each_classic_bug_is_found(name: str, bug: str, shop: Path) -> None:
    """The control: the same program with the bug planted loses an acknowledged record in some state."""
    report = examined(ON_PREPARED[name], durability.prepared(shop / "before"), shop / "work", bug)
    tell(f"control {bug}", report)
    assert report.violations
