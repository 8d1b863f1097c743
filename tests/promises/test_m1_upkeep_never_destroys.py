"""M1: upkeep never destroys. Merges and archives are new files, and what they replace is kept until its owner empties the trash.

Upkeep with something to do for every duty is killed before each of its changes, and every call of it fails once, the realistic
errors taking turns. Whatever has happened, every line that was there can still be reached (in a document, in the archive, in the
trash), no document is torn, an answer with exit 74 says what is intact, and the next run ends where an undisturbed one would have
ended, with nothing told twice. The control removes the original instead of moving it, and is found out.
"""

from __future__ import annotations

import contextlib
import re
import shutil
import time
from pathlib import Path

import pytest
from durability import FAULTY, PYTHON, SOURCE, changing_points, noon, shop, tell

from holdfast.config import Config, read_config
from holdfast.memory import Memory
from holdfast.model import Note
from holdfast.storage.writing import Past
from holdfast.upkeep.applying import apply
from holdfast.upkeep.planning import plan
from holdfast.upkeep.surveying import survey
from lab.command import ROOT, Command, Report
from lab.inject import Fault, Outcome, strike_all
from lab.nth_fault import nth_faults
from upkept import BUFFER, ago, documents, lines_of, write

__all__ = ["noon", "shop"]
pytestmark = pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")


def upkeep(*words: str, broken: str = "") -> Command:
    """The real command, or the one that is broken on purpose."""
    program = (FAULTY, broken, "--") if broken else ("-m", "holdfast")
    return Command((*PYTHON, *program, "--workspace", ROOT, "upkeep", *words), {**SOURCE})


def small(folder: Path) -> Path:
    """As little as gives every duty something to do: each call of it is a point to strike at."""
    before = {
        ".holdfast/config.toml": "bufferLines = 5\n",
        "MEMORY.md": "# Mine\n\n## [PREF] How I like it\n- short answers",
        f"memory/{ago(1)}.md": f"# {ago(1)}\n\n- [PREF] small commits\n- [TEMP] a passing thing\n",
        f"memory/{ago(0)}.md": f"# {ago(0)}\n\n- [PREF] small commits\n",
        f"memory/{ago(40)}.md": f"# {ago(40)}\n\n- [LESSON] never on Friday\n- an old walk\n",
        f"memory/archive/{ago(40)[:4]}/{ago(40)[5:7]}/{ago(40)}.md": f"# {ago(40)}\n\n- archived earlier\n",
        f"memory/archive/{ago(120)[:4]}/{ago(120)[5:7]}/{ago(120)}.md": f"# {ago(120)}\n\n- not packed\n",
        "memory/working-buffer.md": BUFFER + "- step 1\n- step 2\n",
    }
    return write(folder, before)


def run(folder: Path) -> int:
    """Upkeep, undisturbed, in this process; returns how many changes it made."""
    config = read_config(str(folder))
    with contextlib.closing(Memory(str(folder), config, write=True)) as memory:
        memory.catch_up()
        outcome = apply(memory, plan(survey(memory), config))
    assert not outcome.dropped, outcome.dropped
    return len(outcome.done)


class Judge:
    """Knows every line that there was, and how an undisturbed run ends."""

    def __init__(self, before: Path, work: Path) -> None:
        self.lines = lines_of(before)
        shutil.copytree(before, work / "whole")
        assert run(work / "whole") == 6
        self.end = self.picture(work / "whole")
        shutil.rmtree(work / "whole")

    @staticmethod
    def picture(folder: Path) -> dict[str, bytes]:
        """The documents, without the clock of the rotation."""
        return {name: re.sub(rb"rotated \d\d:\d\d", b"rotated", data) for name, data in documents(folder).items()}

    def check(self, outcome: Outcome) -> None:
        """Nothing lost now, nothing lost after the next run, and that run comes to the same end."""
        err = outcome.stderr.decode()
        assert "Traceback" not in err, err
        if outcome.returncode == 74:
            assert "intact" in err or "Nothing is lost" in err, err
        lost = self.lines - lines_of(outcome.folder)
        assert not lost, f"lost at once: {sorted(lost)[:3]}"
        run(outcome.folder)
        lost = self.lines - lines_of(outcome.folder)
        assert not lost, f"lost by the next run: {sorted(lost)[:3]}"
        assert self.picture(outcome.folder) == self.end, "the next run came to another end"
        assert run(outcome.folder) == 0
        left = [str(path) for name in ("swap", "pending") for path in (outcome.folder / ".holdfast" / name).iterdir()]
        assert not left, f"left behind: {left}"


def struck(before: Path, work: Path, *, kill: bool, broken: str = "") -> Report:
    """Kill upkeep before each of its changes, or fail each of its calls."""
    work.mkdir()
    judge, command = Judge(before, work), upkeep(broken=broken)
    if kill:
        return strike_all(command, before, work, list(changing_points(command, before, work)), judge.check)
    return strike_all(command, before, work, one_a_call(command, before, work), judge.check)


def one_a_call(command: Command, before: Path, work: Path) -> list[Fault]:
    """Every call fails once, each error in its turn: all of them at every call take four times as long."""
    every = nth_faults(command, before, work)
    calls: dict[tuple[str, int], list[Fault]] = {(fault.syscall, fault.n): [] for fault in every}
    for fault in every:
        calls[fault.syscall, fault.n].append(fault)
    return [ways[n % len(ways)] for n, ways in enumerate(calls.values())]


def test_a_kill_before_any_change_destroys_nothing(shop: Path) -> None:
    """SIGKILL before each call that changes something."""
    report = struck(small(shop / "before"), shop / "work", kill=True)
    tell("upkeep, killed", report)
    report.raise_if_any()


def test_a_disk_that_refuses_destroys_nothing(shop: Path) -> None:
    """Every call fails once; the realistic errors take turns."""
    report = struck(small(shop / "before"), shop / "work", kill=False)
    tell("upkeep, refused", report)
    report.raise_if_any()


def with_records(folder: Path) -> Path:
    """Records of three days: two that are closed for long, one of them packed already and come to since, and today."""
    for ago_, text in ((20, "the first"), (20, "the second"), (15, "the third"), (0, "today's")):
        with contextlib.closing(Memory(str(folder), Config(), write=True)) as memory:
            memory.note("default", Note(text), Past(time.time() - 86400 * ago_, text))
    with contextlib.closing(Memory(str(folder), Config(), write=True)) as memory:
        memory.journal.pack(ago(20))
        memory.note("default", Note("came late"), Past(time.time() - 86400 * 20, "late"))
    (folder / ".holdfast/config.toml").write_text("archiveDays = 1000\n")  # the journal alone is on trial here
    return folder


def records(folder: Path) -> list[str]:
    """The notes of the journal, in order; and every one of them can be read by its id."""
    with contextlib.closing(Memory(str(folder), Config(), write=False)) as memory:
        ids = list(memory.journal.newest_first())
        found = [memory.journal.find(record_id).body for record_id in ids]
        assert not memory.journal.damaged
    return found


@pytest.mark.parametrize("kill", [True, False])
def test_packing_the_journal_loses_and_doubles_no_record(kill: bool, shop: Path) -> None:
    """Killed or refused at any point, every record is there once, before and after the next run."""
    before = with_records(shop / "before")
    known = records(before)
    assert len(known) == 5
    command = upkeep()

    def check(outcome: Outcome) -> None:
        assert records(outcome.folder) == known
        run(outcome.folder)
        assert records(outcome.folder) == known
        assert sorted(path.name for path in (outcome.folder / ".holdfast/journal").iterdir()) == [
            f"{ago(20)}.md", f"{ago(15)}.md", ago(0)
        ]  # fmt: skip

    points = list(changing_points(command, before, shop / "work")) if kill else one_a_call(command, before, shop / "work")
    report = strike_all(command, before, shop / "work", points, check)
    tell("packing", report)
    report.raise_if_any()


def test_control_an_original_that_is_removed_is_found_out(shop: Path) -> None:
    """The same look at a program that removes what it should move to the trash."""
    report = struck(small(shop / "before"), shop / "work", kill=True, broken="no-trash")
    assert report.violations
