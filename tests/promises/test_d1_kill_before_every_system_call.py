"""D1: what was acknowledged survives a kill at any moment.

Between two system calls a process changes nothing outside itself, so a kill before each of its calls is a kill everywhere.
Every command is run under strace, once a call, and killed there with SIGKILL; then the next command runs, and the whole
workspace must be what it would have been with the command, or (where nothing was acknowledged) without it: nothing lost,
torn, doubled or left lying about. Two commands are killed before every single call, the others before every call that
changes something. The control says “saved” too early, and is found out.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import durability
import pytest
from durability import CASES, ON_EMPTY, ON_PREPARED, WORKSPACES, Judge, Scenario, changing_points, noon, shop, tell

from lab.command import Report
from lab.inject import Outcome, strike_all, trace_on_copy
from lab.kill_points import kill_everywhere
from lab.trace import count_fsyncs

__all__ = ["noon", "shop"]
pytestmark = pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")


def killed(scenario: Scenario, before: Path, work: Path, *, everywhere: bool = False, broken: str = "") -> Report:
    """Kill a command at its points and judge what each kill has left."""
    judge = Judge(scenario, before, work / "judge")

    def check(outcome: Outcome) -> None:
        judge.check(outcome.folder, acked=outcome.acked)

    command = scenario.command(broken)
    if everywhere:
        return kill_everywhere(command, before, work, check)
    return strike_all(command, before, work, list(changing_points(command, before, work)), check)


@pytest.mark.parametrize(("where", "name"), CASES)
def test_a_kill_before_any_change_keeps_what_was_acknowledged(where: str, name: str, shop: Path) -> None:
    """Whichever command is killed before whichever change, its record is there whole and once, or was never acknowledged."""
    make, scenarios = WORKSPACES[where]
    report = killed(scenarios[name], make(shop / "before"), shop / "work")
    tell(f"{name} on {where}", report)
    report.raise_if_any()


@pytest.mark.parametrize("name", ["note", "checkpoint-topic"])
def test_a_kill_before_any_system_call_at_all_keeps_what_was_acknowledged(name: str, shop: Path) -> None:
    """Also before calls that only read, lock or sync: the argument that they do not matter is itself put to the test."""
    report = killed(ON_EMPTY[name], durability.steady(shop / "before"), shop / "work", everywhere=True)
    tell(f"{name}, every call", report)
    report.raise_if_any()


def test_an_acknowledgement_that_comes_too_early_is_found_out(shop: Path) -> None:
    """The control: a program that says “saved” before anything is written fails the same check."""
    report = killed(ON_PREPARED["note"], durability.prepared(shop / "before"), shop / "work", broken="early-ack")
    tell("control early-ack", report)
    assert report.missed == ()
    assert report.violations


@pytest.mark.parametrize(("name", "budget"), [("task", 8), ("checkpoint-topic", 12)])
def test_durability_stays_within_its_budget_of_syncs(name: str, budget: int, shop: Path) -> None:
    """In the steady state a command asks the disk for no more than this: durability that costs too much gets switched off."""
    before = durability.steady(shop / "before")
    run = trace_on_copy(ON_EMPTY[name].command(), before, shop / "work")
    print(f"{name}: {count_fsyncs(run.calls)} syncs")
    assert 0 < count_fsyncs(run.calls) <= budget
    assert os.listdir(shop / "work") == []
