"""What upkeep costs on ten years of days, and that it grows with them and not faster.

    python bench/upkeep.py            the rows of docs/performance.md (part of `make bench`)

A day has some notes of each type, facts that recur, a passing note and a checkpoint; it is the worst case, a first run with
nothing archived yet: every day is expired, brought home, moved and packed. The second run has nothing left to do.

A plan, with the health check that comes before it, is reckoning, so its row counts the processor's time, which others on the
machine change least. A run waits for the disk: its row is a multiple of what the same number of small files cost by themselves,
each written, synced, named, and another moved, just before it.
"""

from __future__ import annotations

import os
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


def bare(folder: Path, files: int) -> float:
    """Seconds for so many small files, each written, synced and named, and another one moved."""
    new, old = folder / "new", folder / "old"
    for place in (new, old):
        place.mkdir(parents=True)
    for number in range(files):
        (old / str(number)).write_bytes(b"x" * 1500)
    begun = time.perf_counter()
    for number in range(files):
        fd = os.open(new / "draft", os.O_WRONLY | os.O_CREAT, 0o600)
        os.write(fd, b"x" * 600)
        os.fsync(fd)
        os.close(fd)
        (new / "draft").rename(new / str(number))
        (old / str(number)).rename(old / f"gone-{number}")
    return time.perf_counter() - begun


class Timed:
    """What one upkeep took, in seconds: health and the plan, in all and of the processor; carrying it out; and how many changes
    it made.
    """

    def __init__(self, workspace: Path) -> None:
        from holdfast.config import Config
        from holdfast.memory import Memory
        from holdfast.upkeep.applying import apply
        from holdfast.upkeep.examining import checked
        from holdfast.upkeep.planning import plan
        from holdfast.upkeep.surveying import survey

        memory = Memory(str(workspace), Config(), write=True)
        try:
            begun, busy = time.perf_counter(), time.process_time()
            there = survey(memory)
            checked(memory, there, secrets=False)
            changes = plan(there, Config())
            self.plan, self.reckoned = time.perf_counter() - begun, time.process_time() - busy
            begun = time.perf_counter()
            outcome = apply(memory, changes)
            self.run, self.changes = time.perf_counter() - begun, len(outcome.done)
        finally:
            memory.close()
        assert not outcome.dropped


def rows() -> list[Row]:
    """Plan and run, each against what can be asked of it, and their growth."""
    found: dict[int, tuple[Timed, float]] = {}
    with tempfile.TemporaryDirectory(prefix="holdfast-upkeep-") as folder:
        for days in (40, DAYS // 4, DAYS):  # the first is only there to have everything loaded
            workspace = Path(folder) / str(days)
            fill(workspace, days)
            files = bare(Path(folder) / f"bare-{days}", days)
            first, again = Timed(workspace), Timed(workspace)
            found[days] = first, files
            print(
                f"upkeep of {days} days: plan {first.plan:.2f} s ({first.reckoned:.2f} of the processor), {first.changes} "
                f"changes in {first.run:.2f} s (bare files {files:.2f} s); again: plan {again.plan:.2f} s, {again.changes}"
            )
    (quarter, few), (whole, many) = found[DAYS // 4], found[DAYS]
    return [
        (f"`upkeep`, plan for {DAYS:,} days, seconds of the processor", whole.reckoned, 3),
        (f"`upkeep`, first run on {DAYS:,} days / as many bare files", whole.run / many, 3),
        (f"`upkeep`, plan for {DAYS:,} days / four times {DAYS // 4}, processor", whole.reckoned / quarter.reckoned / 4, 1.5),
        (f"`upkeep`, run on {DAYS:,} days / four times {DAYS // 4}, per bare file", whole.run / many / (quarter.run / few), 1.5),
    ]


if __name__ == "__main__":
    for what, measured, reach in rows():
        print(f"| {what} | {measured:.2f} | ≤ {reach:g} |")
