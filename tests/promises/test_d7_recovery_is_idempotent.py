"""D7: recovery may itself be killed anywhere, and may run as often as it likes: the result is the same.

A command is killed while it brings the documents up to its record, at each of the exchanges that it makes. What it leaves is
the patient. The recovery, `holdfast status` (reading commands catch up too), is then killed before every system call, and
the next command recovers again: the workspace must be, byte for byte, what it would have been had nobody ever been
killed. The control recovers without looking how far the dead command got, and writes things twice.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import durability
import pytest
from durability import ON_EMPTY, ON_PREPARED, Judge, Scenario, changing_points, noon, shop, tell

from lab.command import Report, tree
from lab.inject import Fault, Outcome, strike, strike_all
from lab.kill_points import kill_everywhere, kill_points

__all__ = ["noon", "shop"]
pytestmark = pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")

RECOVERY = Scenario(("status",), {})
NAMES = ("checkpoint-pruning", "task-parking", "rename", "task")


def exchanges(scenario: Scenario, before: Path, work: Path) -> list[Fault]:
    """The points where a document is exchanged; the first renameat2 gives the record its name."""
    points = kill_points(scenario.command(), before, work, only=("renameat2",))
    return [point for point in points if point != Fault("renameat2", 1)]


def patient(scenario: Scenario, before: Path, work: Path, point: Fault, into: Path) -> Path:
    """The workspace that a kill at that point leaves behind."""
    outcome = strike(scenario.command(), before, work, point)
    assert outcome.on_target
    shutil.copytree(outcome.folder, into)
    shutil.rmtree(outcome.folder.parent)
    return into


def recovered(judge: Judge, before: Path, work: Path, *, everywhere: bool, broken: str = "") -> Report:
    """Kill the recovery at its points, recover again, and compare with a life without kills."""

    def check(outcome: Outcome) -> None:
        judge.check(outcome.folder, acked=True)

    command = RECOVERY.command(broken)
    if everywhere:
        return kill_everywhere(command, before, work, check)
    return strike_all(command, before, work, list(changing_points(command, before, work)), check)


@pytest.mark.parametrize("name", NAMES)
def test_a_recovery_that_is_killed_and_repeated_changes_nothing(name: str, shop: Path) -> None:
    """From every half-done exchange, through a kill before every change that the recovery makes: the same bytes."""
    before, work = durability.prepared(shop / "before"), shop / "work"
    judge, examined = Judge(ON_PREPARED[name], before, work / "judge"), 0
    for number, point in enumerate(exchanges(ON_PREPARED[name], before, work)):
        left = patient(ON_PREPARED[name], before, work, point, shop / f"patient-{number}")
        report = recovered(judge, left, work, everywhere=False)
        report.raise_if_any()
        examined += report.examined
    print(f"{name}: {examined} kills of the recovery of {number + 1} patients")


def test_a_recovery_that_is_killed_before_any_system_call_at_all_changes_nothing(shop: Path) -> None:
    """The same at every single call, for a command that was killed in the middle of its documents."""
    before, work = durability.steady(shop / "before"), shop / "work"
    scenario = ON_EMPTY["task"]
    left = patient(scenario, before, work, Fault("renameat2", 3), shop / "patient")
    report = recovered(Judge(scenario, before, work / "judge"), left, work, everywhere=True)
    tell("every call of a recovery", report)
    report.raise_if_any()


@pytest.mark.parametrize("name", NAMES)
def test_a_second_recovery_writes_nothing(name: str, shop: Path) -> None:
    """Recovering what is recovered leaves every file as it is, to the byte."""
    before, work = durability.prepared(shop / "before"), shop / "work"
    left = patient(ON_PREPARED[name], before, work, Fault("renameat2", 2), shop / "patient")
    trees = []
    for _ in range(2):
        command = RECOVERY.command()
        subprocess.run(command.argv_for(left), env=command.env_for(left), check=True, capture_output=True)
        trees.append(tree(left))
    assert trees[0] == trees[1]


def test_a_recovery_that_ignores_how_far_it_got_is_found_out(shop: Path) -> None:
    """The control: a recovery that does everything anew writes the record's lines a second time."""
    before, work = durability.prepared(shop / "before"), shop / "work"
    scenario = ON_PREPARED["task"]
    left = patient(scenario, before, work, Fault("renameat2", 3), shop / "patient")
    report = recovered(Judge(scenario, before, work / "judge"), left, work, everywhere=False, broken="ignore-proof")
    tell("control ignore-proof", report)
    assert report.violations
