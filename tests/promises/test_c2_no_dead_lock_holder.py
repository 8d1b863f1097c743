"""C2: nobody waits for a dead holder of the lock, and nobody waits for ever for a living one.

The holder is the real command. It is killed (SIGKILL) before each of its system calls that changes something, and the next
writer must find the lock free: it says nothing of waiting, and what was acknowledged is in the documents exactly once. Then
the holder is stopped (SIGSTOP) with the lock in its hand, at several places of its work: another command waits out its
patience, acknowledges all the same, says why the files are not up to date, and its record is in the journal. Once the holder
goes on (SIGCONT), both records are in the documents exactly once, brought there by whichever command comes next.

The controls are a lock file that its holder makes and removes, and an acknowledgement without a record.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import sharing
from sharing import days, holdfast, journal_ids, left_over, lines_in, saved_id

from lab.command import Command
from lab.inject import Fault, Outcome, strike
from lab.kill_points import kill_everywhere

BUSY = "another process holds the lock"
CHANGES = ("flock", "fsync", "renameat2", "rename", "linkat", "unlinkat", "pwrite64", "exit_group")
HOLDERS = {
    "note": ("note", "the holder's note"),
    "checkpoint": ("checkpoint", "--topic", "harbour", "--decision", "the holder's decision", "--task", "hold"),
}

needs_strace = pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed")


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A workspace with something in it."""
    found = tmp_path / "workspace"
    saved_id(holdfast(found, "note", "the first note"))
    saved_id(holdfast(found, "task", "the first task"))
    return found


def _in_the_day(workspace: Path, line: str) -> int:
    return lines_in(days(workspace)).count(line)


def _next_writer_finds_it_free(outcome: Outcome) -> None:
    """The check after a kill: the next command has the lock at once, and nothing acknowledged is missing or doubled."""
    after = holdfast(outcome.folder, "note", "the next note")
    saved_id(after)
    assert BUSY not in after.stderr
    assert left_over(outcome.folder) == []
    for line in ("- the first note", "- the next note"):
        assert _in_the_day(outcome.folder, line) == 1, line
    held = _in_the_day(outcome.folder, "- the holder's note") + _in_the_day(outcome.folder, "1. the holder's decision")
    assert held == 1 if b"saved" in outcome.stdout else held <= 1


@needs_strace
@pytest.mark.parametrize("words", [pytest.param(words, id=name) for name, words in HOLDERS.items()])
def test_a_killed_holder_holds_nothing(workspace: Path, tmp_path: Path, words: tuple[str, ...]) -> None:
    """Wherever the holder of the lock is killed, the next command proceeds at once and finds everything."""
    holder = Command((sys.executable, "-m", "holdfast", *words, "--workspace", "{root}"))
    report = kill_everywhere(holder, workspace, tmp_path / "runs", _next_writer_finds_it_free, only=CHANGES)
    print(f"{report.examined} points")
    report.raise_if_any()


@needs_strace
def test_control_a_lock_file_outlives_its_holder(workspace: Path, tmp_path: Path) -> None:
    """The same check fails where the lock is a file: its holder is dead, and the next command waits in vain."""
    holder = Command((*sharing.command("lock-by-file"), "note", "the holder's note", "--workspace", "{root}"))
    outcome = strike(holder, workspace, tmp_path / "runs", Fault("fsync", 3))
    assert outcome.on_target
    after = holdfast(outcome.folder, "note", "the next note", variant="lock-by-file")
    assert BUSY in after.stderr
    assert _in_the_day(outcome.folder, "- the next note") == 0


def _stopped(workspace: Path, sync: int, words: tuple[str, ...]) -> subprocess.Popen[bytes]:
    """The real command, stopped before its n-th sync."""
    argv = [*sharing.command(f"stop-at-sync-{sync}"), *words, "--workspace", str(workspace)]
    holder = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    _, status = os.waitpid(holder.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status), "the holder ended before it could be stopped: it makes fewer syncs"
    return holder


# A note syncs: the mark, the record, the journal's day (now it is acknowledged to be), the new day file, the swap's
# document, the folders, the mark's removal.
@pytest.mark.parametrize("sync", [1, 3, 4, 5, 6])
def test_a_stopped_holder_does_not_stop_the_record(workspace: Path, sync: int) -> None:
    """While the holder is stopped a command still acknowledges into the journal; later both are in the day, once each."""
    holder = _stopped(workspace, sync, ("note", "the holder's note"))
    try:
        meanwhile = holdfast(workspace, "note", "written meanwhile")
        assert saved_id(meanwhile) in journal_ids(workspace)
        assert BUSY in meanwhile.stderr
    finally:
        holder.send_signal(signal.SIGCONT)
    out, err = holder.communicate(timeout=60)
    assert holder.returncode == 0, err
    assert out.startswith(b"saved  ")
    saved_id(holdfast(workspace, "task", "the next command"))
    for line in ("- the holder's note", "- written meanwhile", "- the first note"):
        assert _in_the_day(workspace, line) == 1, line
    assert left_over(workspace) == []


def test_a_checkpoint_written_beside_a_stopped_holder_loses_neither(workspace: Path) -> None:
    """Two checkpoints of one session, written without each other, are both in the day, the topic and the working state."""
    words = ("checkpoint", "--topic", "harbour", "--decision")
    holder = _stopped(workspace, 4, (*words, "decided by the holder"))
    try:
        meanwhile = holdfast(workspace, *words, "decided meanwhile")
        assert saved_id(meanwhile) in journal_ids(workspace)
        assert BUSY in meanwhile.stderr
    finally:
        holder.send_signal(signal.SIGCONT)
    holder.communicate(timeout=60)
    assert holder.returncode == 0
    saved_id(holdfast(workspace, "note", "the next command"))
    state = holdfast(workspace, "show", "state").stdout.split("\n")
    topic = [line.partition(": ")[2] for line in lines_in([workspace / "memory/context-harbour.md"])]
    for decision in ("decided by the holder", "decided meanwhile"):
        assert state.count(f"- {decision}") == 1, decision
        assert topic.count(decision) == 1, decision
    assert left_over(workspace) == []


def test_control_an_acknowledgement_without_a_record_is_found_out(workspace: Path) -> None:
    """The same check fails where a busy lock is answered with an acknowledgement and nothing is written."""
    meanwhile = holdfast(workspace, "note", "written meanwhile", variant="ack-without-journal")
    assert BUSY in meanwhile.stderr
    assert saved_id(meanwhile) not in journal_ids(workspace)
