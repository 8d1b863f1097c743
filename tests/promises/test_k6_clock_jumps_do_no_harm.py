"""K6: clocks that jump, and many records in one moment, do no harm.

A memory is given a clock that is set back by a day, forward by ten years and back again in the middle of its work; the real
command runs through the hour that Berlin has twice in October; ten thousand ids are made for one and the same microsecond.
After each: no two ids are the same, the journal tells the records in the order in which they were acknowledged, `show
latest` is the last one acknowledged, the working state has every change, and each record stands in the file of the day that
the wall clock showed.

The control makes ids from the clock alone, as most programs do.
"""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from holdfast.commands.views import shown
from holdfast.config import Config
from holdfast.memory import Memory
from holdfast.model import Note
from holdfast.storage import journal, writing
from holdfast.util import make_id

NOON = 1794744000.0  # 2026-11-15 12:00 UTC
DAY, YEAR = 86400.0, 365.25 * 86400
JUMPS = {
    "set back by a day": [0, 1, -DAY, -DAY + 1, -DAY + 2],
    "ten years ahead and back": [0, 10 * YEAR, 10 * YEAR + 1, 1, 2, 3],
    "to and fro": [0, DAY, -DAY, 2 * DAY, -2 * DAY, 0, 1],
    "standing still": [0.0] * 6,
    "one microsecond back at a time": [-n / 1e6 for n in range(6)],
    "to the end of a second": [0.999999, 0.999999, 0.999999, 0.5],
    "to the end of a year": [46.5 * DAY - 1e-6, 46.5 * DAY - 1e-6, 0, 0],
    "before 1970": [-NOON - 5, 0, -NOON - 4],
}


@pytest.fixture(autouse=True)
def _utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One time zone for the clocks that are made up here."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


HINTS = [b"", b"\0" * 32, b"29991231-235959-999999-zzzzzzzz\n", b"20000101-000000-000000-aaaaaaaa\n"]


def at(workspace: Path, moment: float) -> Memory:
    return Memory(str(workspace), Config(), write=True, clock=lambda: moment)


def jump_about(workspace: Path, offsets: list[float]) -> list[str]:
    """A checkpoint and a decision at each moment, each in a memory opened anew, as commands are. The ids, in order."""
    ids = []
    for number, offset in enumerate(offsets):
        memory = at(workspace, NOON + offset)
        ids.append(memory.checkpoint("main", {"goal": f"goal {number}", "task": f"task {number}"}).id)
        memory.close()
        memory = at(workspace, NOON + offset)
        ids.append(memory.change("main", {"decisions": (f"decision {number}",)}).id)
        memory.close()
    return ids


def check(workspace: Path, offsets: list[float], ids: list[str]) -> None:
    last = len(offsets) - 1
    assert len(set(ids)) == len(ids), "two records have one id"
    memory = at(workspace, NOON + offsets[-1])
    try:
        assert list(memory.journal.newest_first()) == ids[::-1], "the journal's order is not the order of what happened"
        assert shown(memory, "main", "latest")[1]["id"] == ids[-2]
        assert f"goal {last}" in memory.recover("main")
        state = memory.state("main")
        assert (state.goal, state.task) == (f"goal {last}", f"task {last}")
        assert state.decisions == tuple(f"decision {n}" for n in range(last + 1)), "a change is lost or out of order"
        for number, offset in enumerate(offsets):
            day = time.strftime("%Y-%m-%d", time.localtime(NOON + offset))
            assert f"goal {number}\n" in (workspace / "memory" / f"{day}.md").read_text()
    finally:
        memory.close()


@pytest.mark.parametrize("name", JUMPS)
def test_the_last_acknowledged_is_the_newest_whatever_the_clock_says(name: str, tmp_path: Path) -> None:
    """Order is by cause, days are by wall clock."""
    check(tmp_path, JUMPS[name], jump_about(tmp_path, JUMPS[name]))


@pytest.mark.parametrize("name", JUMPS)
def test_a_lost_hint_does_not_break_the_order(name: str, tmp_path: Path) -> None:
    """The lock file's hint only saves looking: without it, or with nonsense in it, the order is the same."""
    offsets = JUMPS[name]
    ids: list[str] = []
    for number, offset in enumerate(offsets):
        hint = tmp_path / ".holdfast" / "lock"
        if hint.exists():
            hint.write_bytes(HINTS[number % len(HINTS)])
        memory = at(tmp_path, NOON + offset)
        ids.append(memory.note("main", Note(f"note {number}")).id)
        assert list(memory.journal.newest_first()) == ids[::-1]
        memory.close()


def test_notes_of_one_moment_keep_their_order_in_the_day(tmp_path: Path) -> None:
    """A hundred notes at a clock that stands still are there once each, in order."""
    memory = at(tmp_path, NOON)
    for number in range(100):
        memory.note("main", Note(f"note {number}"))
    memory.close()
    lines = (tmp_path / "memory" / "2026-11-15.md").read_text().splitlines()
    assert [line for line in lines if line.startswith("- note")] == [f"- note {n}" for n in range(100)]


# ---- ids ---------------------------------------------------------------------------------------------------------------

MOMENTS = {
    "plain": NOON + 0.5,
    "end of a second": NOON + 0.999999,
    "end of a day": NOON + DAY / 2 - 1e-6,
    "end of the 28th of February 2028": 1835395199.999999,
}


def chained(new_id: Callable[[float, str], str], moment: float, number: int) -> list[str]:
    ids, newest = [], ""
    for _ in range(number):
        newest = new_id(moment, newest)
        ids.append(newest)
    return ids


def check_ids(ids: list[str]) -> None:
    assert len(set(ids)) == len(ids)
    assert all(a < b for a, b in itertools.pairwise(ids))


@pytest.mark.parametrize("name", MOMENTS)
def test_ten_thousand_ids_of_one_microsecond_differ_and_are_in_order(name: str) -> None:
    """Each is later than the one before, and each is an id."""
    ids = chained(make_id, MOMENTS[name], 10_000)
    check_ids(ids)
    assert all(journal.ID.match(one) for one in ids)
    assert all(time.strptime(one[:15], "%Y%m%d-%H%M%S") for one in ids[::997])


def test_ten_thousand_writers_that_know_nothing_of_each_other_do_not_collide() -> None:
    """Forty bits of chance keep ids of one microsecond apart: five in a hundred thousand runs of this test may see two alike."""
    assert len({make_id(NOON, "") for _ in range(10_000)}) == 10_000


# ---- the hour that comes twice -----------------------------------------------------------------------------------------

_TWICE = """
import sys, time
time.tzset()
from holdfast.config import Config
from holdfast.memory import Memory
from holdfast.commands.views import shown
before = 1792886400.0 + 40 * 60  # 2026-10-25 02:40 in Berlin, still summer time
ids = []
for n, moment in enumerate([before, before + 1800, before + 3600, before + 5400]):
    memory = Memory(sys.argv[1], Config(), write=True, clock=lambda: moment)
    ids.append(memory.checkpoint("main", {"goal": f"goal {n}", "task": "t"}).id)
    print(memory.journal.read(ids[-1]).time)
    assert list(memory.journal.newest_first()) == ids[::-1], ids
    assert shown(memory, "main", "latest")[1]["id"] == ids[-1]
    memory.close()
"""


def test_the_hour_that_comes_twice_in_october_keeps_the_order(tmp_path: Path) -> None:
    """02:40 summer time, 02:10 and 02:40 winter time, 03:10: told in this order, with their offsets, in one day."""
    env = {**os.environ, "TZ": "Europe/Berlin"}
    done = subprocess.run([sys.executable, "-c", _TWICE, str(tmp_path)], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    if "+02:00" not in done.stdout:
        pytest.skip("this system has no time zone data for Europe/Berlin")
    assert done.stdout.split() == [
        "2026-10-25T02:40:00+02:00", "2026-10-25T02:10:00+01:00", "2026-10-25T02:40:00+01:00", "2026-10-25T03:10:00+01:00",
    ]  # fmt: skip
    assert [path.name for path in (tmp_path / "memory").glob("2026-*.md")] == ["2026-10-25.md"]


def test_the_real_command_survives_a_clock_that_was_ahead(tmp_path: Path) -> None:
    """A record from a clock ten years ahead is in the journal already; commands at today's time come after it."""
    memory = at(tmp_path, time.time() + 10 * YEAR)
    early = memory.checkpoint("default", {"goal": "from the future", "task": "t"}).id
    memory.close()
    base = [sys.executable, "-m", "holdfast", "--workspace", str(tmp_path)]
    said = subprocess.run([*base, "checkpoint", "--goal", "of today"], capture_output=True, text=True, check=True).stdout
    assert said.split()[1] > early
    latest = subprocess.run([*base, "show", "latest"], capture_output=True, text=True, check=True).stdout
    status = subprocess.run([*base, "status"], capture_output=True, text=True, check=True).stdout
    assert "of today" in latest
    assert said.split()[1] in status
    assert (tmp_path / "memory" / time.strftime("%Y-%m-%d.md")).exists()


# ---- the control -------------------------------------------------------------------------------------------------------


def _by_clock_alone(now: float, _newest: str) -> str:
    return make_id(now, "")




@pytest.mark.parametrize("name", ["set back by a day", "ten years ahead and back", "to and fro"])
def test_control_ids_from_the_clock_alone_are_found_out(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same check fails when ids do not look at what was there before."""
    monkeypatch.setattr(writing, "make_id", _by_clock_alone)
    with pytest.raises(AssertionError):
        check(tmp_path, JUMPS[name], jump_about(tmp_path, JUMPS[name]))


def test_control_ids_of_one_moment_without_order_are_found_out() -> None:
    """The same check of ids fails for ids that differ by chance alone."""
    with pytest.raises(AssertionError):
        check_ids(chained(_by_clock_alone, NOON, 100))


@pytest.mark.parametrize("years", [8000, 100_000])
def test_a_clock_beyond_the_last_year_of_four_digits_makes_records_that_can_be_read(years: int, workspace: Path) -> None:
    """What is acknowledged then is read back, stands in a day's document, and the next one comes after it."""
    ids = []
    for number, offset in enumerate((0, years * YEAR, years * YEAR, 1)):
        memory = at(workspace, NOON + offset)
        ids.append(memory.note("main", Note(f"note {number}")).id)
        memory.close()
    memory = at(workspace, NOON)
    assert [record.id for record in memory.journal.records()] == ids[::-1]
    assert not memory.journal.damaged
    memory.close()
    days = {path.name: path.read_text() for path in workspace.glob("memory/*.md")}
    assert sorted(days) == ["2026-11-15.md", "9999-12-30.md"]
    assert all(f"note {number}" in "".join(days.values()) for number in range(4))
