"""What upkeep costs on ten years of days, and that it grows with them and not faster.

    python bench/upkeep.py            the rows of docs/performance.md (part of `make bench`)

A day has some notes of each type, facts that recur, a passing note and a checkpoint; it is the worst case, a first run with
nothing archived yet: every day is expired, brought home, moved and packed. The second run has nothing left to do.
"""

from __future__ import annotations

import tempfile
import time
from datetime import date, timedelta
from pathlib import Path

Row = tuple[str, float | None, float]
DAYS = 3000


def fill(workspace: Path, days: int) -> None:
    """So many days up to today, one file each, and a journal record for each."""
    memory = workspace / "memory"
    memory.mkdir(parents=True)
    today = date.fromisoformat(time.strftime("%Y-%m-%d"))
    for number in range(days):
        day = (today - timedelta(days=number)).isoformat()
        notes = [f"- [PREF] preference {number % 40}", f"- [LESSON] lesson {number}", f"- [TECH] port: {number % 7}"]
        notes.append("- [TEMP] a tab")
        prose = [f"- 10:{n:02} walked through part {n} of the plan, and wrote down what came of it" for n in range(25)]
        (memory / f"{day}.md").write_text("\n".join([f"# {day}", "", *notes, *prose]) + "\n")


def timed(workspace: Path) -> tuple[float, float, int, float]:
    """Seconds for the plan and for carrying it out, how many changes there were, and how much of it the processor was ours."""
    from holdfast.applying import apply
    from holdfast.config import Config
    from holdfast.memory import Memory
    from holdfast.surveying import survey
    from holdfast.upkeep import plan

    memory = Memory(str(workspace), Config(), write=True)
    try:
        begun, busy = time.perf_counter(), time.process_time()
        changes = plan(survey(memory), Config())
        planned = time.perf_counter()
        outcome = apply(memory, changes)
        done, busy = time.perf_counter(), time.process_time() - busy
    finally:
        memory.close()
    assert not outcome.dropped
    return planned - begun, done - planned, len(outcome.done), busy


def rows() -> list[Row]:
    """Plan and apply, in seconds and in growth."""
    found = {}
    with tempfile.TemporaryDirectory(prefix="holdfast-upkeep-") as folder:
        for days in (DAYS // 4, DAYS):
            workspace = Path(folder) / str(days)
            fill(workspace, days)
            first, again = timed(workspace), timed(workspace)
            found[days] = first
            print(
                f"upkeep of {days} days: plan {first[0]:.2f} s, {first[2]} changes in {first[1]:.2f} s, "
                f"of which the processor was ours for {first[3]:.2f} s; "
                f"again: plan {again[0]:.2f} s, {again[2]} changes"
            )
    quarter, whole = found[DAYS // 4], found[DAYS]
    return [
        (f"`upkeep`, plan for {DAYS:,} days, seconds", whole[0], 3),
        (f"`upkeep`, first run on {DAYS:,} days, seconds", whole[1], 10),
        (f"`upkeep`, plan and run, {DAYS:,} days / four times {DAYS // 4}", sum(whole[:2]) / sum(quarter[:2]) / 4, 1.5),
    ]


if __name__ == "__main__":
    for what, measured, reach in rows():
        print(f"| {what} | {measured:.2f} | ≤ {reach:g} |")
