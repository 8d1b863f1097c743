"""D5: a sync that has failed is never asked again until it says yes.

After a failed sync the kernel takes the bytes for clean and forgets them; a second sync then succeeds and means nothing
(that is how PostgreSQL lost data in 2018). So each sync of a command fails once with EIO. Where the command says all the same
that its record is safe, the record must be there in every state that a power cut may leave, with every later sync of the same
file or folder counted for nothing. The control tries failed syncs again, and is found out.
"""

from __future__ import annotations

import dataclasses
import shutil
import tempfile
from pathlib import Path

import durability
import pytest
from durability import ON_PREPARED, Judge, Scenario, noon, shop

from lab.crash_states import crash_states
from lab.trace import FSYNCS, Trace, record

__all__ = ["noon", "shop"]
pytestmark = pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
NAMES = ["note", "task-parking", "rename"]
_CALLS = "trace=%file,%desc,%process,sync"


def with_failing_sync(scenario: Scenario, before: Path, work: Path, n: int, broken: str) -> Trace:
    """One run in which the n-th sync fails, and what was asked of the same file later counts for nothing."""
    folder = Path(tempfile.mkdtemp(prefix="run-", dir=work)).resolve() / "root"
    shutil.copytree(before, folder, symlinks=True)
    command = scenario.command(broken)
    argv, env = command.argv_for(folder), command.env_for(folder)
    options = ("-e", _CALLS, "-e", f"inject=fsync:error=EIO:when={n}")
    run = record(argv, folder, env=env, stdin=command.stdin, options=options, whole_data=True)
    shutil.rmtree(folder.parent)
    struck = next((index for index, call in enumerate(run.calls) if call.injected), len(run.calls))
    if struck == len(run.calls):
        return dataclasses.replace(run, calls=())
    path = run.calls[struck].paths[0]
    later = [
        dataclasses.replace(call, result="-1 EIO") if call.name in FSYNCS and call.paths[:1] == (path,) else call
        for call in run.calls[struck:]
    ]
    return dataclasses.replace(run, calls=(*run.calls[:struck], *later))


def false_acks(scenario: Scenario, before: Path, work: Path, broken: str = "") -> tuple[int, int, list[str]]:
    """(syncs that failed, states that were judged, what was acknowledged and is not there)."""
    judge = Judge(scenario, before, work / "judge")
    wrong: list[str] = []
    judged = 0
    for n in range(1, 100):
        run = with_failing_sync(scenario, before, work, n, broken)
        if not run.calls:
            return n - 1, judged, wrong
        safe = run.returncode == 0 or b"in the journal, but" in run.stderr
        if not safe:
            assert run.returncode == 74, run.stderr
            assert not run.stdout, f"sync {n} failed, exit 74, and yet: {run.stdout!r}"
            continue
        # The last states of the run are the ones after its word, whether that came on stdout or with exit 74.
        states = [state for state in crash_states(dataclasses.replace(run, returncode=0), before) if state.acked]
        for state in states:
            folder = Path(tempfile.mkdtemp(dir=work))
            state.build(folder)
            judged += 1
            try:
                judge.check(folder, acked=True)
            except AssertionError as error:
                wrong.append(f"sync {n}: {error}")
            shutil.rmtree(folder)
    raise AssertionError("a hundred syncs and no end")


@pytest.mark.parametrize("name", NAMES)
def test_no_sync_that_failed_is_believed_later(name: str, shop: Path) -> None:
    """Whichever sync fails, what is said to be safe is safe without that file or folder ever being synced again."""
    syncs, states, wrong = false_acks(ON_PREPARED[name], durability.prepared(shop / "before"), shop / "work")
    print(f"{name}: {syncs} syncs failed, {states} states judged")
    assert syncs > 0
    assert not wrong, "\n".join(wrong[:10])


def test_a_sync_that_is_tried_again_is_found_out(shop: Path) -> None:
    """The control: a program that asks again believes a yes that means nothing, and the same check says so."""
    before, work = durability.prepared(shop / "before"), shop / "work"
    syncs, states, wrong = false_acks(ON_PREPARED["note"], before, work, "retry-sync")
    print(f"control retry-sync: {syncs} syncs failed, {states} states judged, {len(wrong)} false")
    assert wrong
