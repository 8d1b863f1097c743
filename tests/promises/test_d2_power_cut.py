"""D2: what was acknowledged survives a power cut.

A real ext4 and a real XFS in an image file lose their power (the file system is stopped without writing its log), are
mounted again, and the next command runs. Sixty cuts: on each file system twenty right after the acknowledgement of a command,
which find a missing sync of a folder every time, and ten in the middle of a load of notes, tasks and checkpoints. Every line
that reached us before the cut must be true. The controls, without syncs and without syncs of folders, must lose.
"""

from __future__ import annotations

import random
import shutil
import time
from pathlib import Path

import durability
import pytest
from durability import FAULTY, MARK, ON_EMPTY, ON_PREPARED, PYTHON, SOURCE, Judge, go_on, noon

from holdfast.storage import journal
from lab import power
from lab.command import ROOT, Command

__all__ = ["noon"]
AFTER_ACK, UNDER_LOAD = 20, 10  # cuts on each file system: sixty in all
COMMANDS = [name for name in ON_PREPARED if name not in ("context", "blocker", "pending", "checkpoint-bound")]


@pytest.fixture(params=power.KINDS)
def disk_kind(request: pytest.FixtureRequest) -> str:
    """A file system that this machine can cut, or a sentence that says why it cannot."""
    kind = str(request.param)
    if reason := power.why_not(kind):
        pytest.skip(reason)
    return kind


def test_a_cut_right_after_the_acknowledgement_loses_nothing(disk_kind: str, tmp_path: Path) -> None:
    """The command has said “saved”, nothing comes after it that could rescue it, and the power goes."""
    before = durability.prepared(tmp_path / "before")
    judges = {name: Judge(ON_PREPARED[name], before, tmp_path / "work" / name) for name in COMMANDS}
    with power.disk(disk_kind) as here:
        for n in range(AFTER_ACK):
            name = COMMANDS[n % len(COMMANDS)]
            root = here.root / str(n)
            shutil.copytree(before, root, symlinks=True)
            here.settle()
            cut = power.cut_after_ack(here, ON_PREPARED[name].command(), root)
            assert cut.acked, f"{name}: {cut.stderr}"
            judges[name].check(root, acked=True)
    print(f"{disk_kind}: {AFTER_ACK} cuts right after the acknowledgement, nothing lost")


# A record's name is rescued by the syncs of the documents that come after it, so that only D3 sees its missing folder sync;
# the name of a file that `write` has written is the last thing that happens.
@pytest.mark.parametrize(("name", "bug"), [("note", "no-fsync"), ("checkpoint-topic", "no-fsync"), ("write", "no-folder-fsync")])
def test_a_cut_right_after_the_acknowledgement_finds_a_missing_sync(disk_kind: str, name: str, bug: str, tmp_path: Path) -> None:
    """The control: without its syncs the same command loses what it has acknowledged, and the same check says so."""
    before = durability.prepared(tmp_path / "before")
    judge = Judge(ON_PREPARED[name], before, tmp_path / "work")
    with power.disk(disk_kind) as here:
        root = here.root / "0"
        shutil.copytree(before, root, symlinks=True)
        here.settle()
        cut = power.cut_after_ack(here, ON_PREPARED[name].command(bug), root)
        assert cut.acked, cut.stderr
        with pytest.raises(AssertionError):
            judge.check(root, acked=True)


def true_lines(root: Path, cut: power.Cut) -> int:
    """How many acknowledged commands of a load there are, after checking that each is there whole, and once."""
    go_on(root)
    day = (root / "memory" / f"{time.strftime('%Y-%m-%d')}.md").read_text()
    buffer = (root / "memory" / "working-buffer.md").read_text() if (root / "memory" / "working-buffer.md").exists() else ""
    for n, line in enumerate(cut.acked):
        _, record_id, command, *_ = line.split()
        file = root / ".holdfast" / "journal" / f"{record_id[:4]}-{record_id[4:6]}-{record_id[6:8]}" / f"{record_id}.md"
        assert file.is_file(), f"{line}: not in the journal"
        record = journal.parse(file.read_text())
        assert record is not None, f"{line}: torn in the journal"
        assert f"{MARK}-{n}." in record.body, f"{line}: another record"
        if command == "checkpoint":
            assert day.count(f"<!-- holdfast: {record_id} -->") == 1, f"{line}: not once in the day"
        else:
            text = day if command == "note" else buffer
            assert len([one for one in text.splitlines() if one.endswith(f"{MARK}-{n}.") and one.startswith("- ")]) == 1, line
    left = [path.name for part in ("swap", "pending") for path in (root / ".holdfast" / part).iterdir()]
    assert not left, f"left behind: {left}"
    return len(cut.acked)


def loaded(kind: str, cuts: int, broken: str = "") -> int:
    """How many acknowledgements there were before the cuts; fails where one of them is not true."""
    moments, count = random.Random(7), 0
    command = Command((*PYTHON, FAULTY, *([broken] if broken else []), "load", ROOT), SOURCE)
    with power.disk(kind) as here:
        for n in range(cuts):
            root = here.root / str(n)
            root.mkdir()
            here.settle()
            cut = power.cut_under_load(here, command, root, moments.uniform(0.4, 0.8))
            count += true_lines(root, cut)
    return count


def test_a_cut_under_load_loses_nothing(disk_kind: str) -> None:
    """Wherever in the load the power goes, every line that was said before it is true."""
    count = loaded(disk_kind, UNDER_LOAD)
    print(f"{disk_kind}: {UNDER_LOAD} cuts under load, {count} acknowledgements, nothing lost")
    assert count > 0


def test_a_cut_under_load_finds_a_missing_sync(disk_kind: str) -> None:
    """The control: without syncs the lines of the last moments are not true, and the same check says so."""
    with pytest.raises((AssertionError, FileNotFoundError)):
        loaded(disk_kind, 2, "no-fsync")


def test_the_table_of_commands_is_cut_as_a_whole() -> None:
    """No command is left out because the number of cuts was made smaller one day."""
    assert len(COMMANDS) <= AFTER_ACK
    assert {"note", "task", "write"} <= set(COMMANDS) & set(ON_EMPTY)
