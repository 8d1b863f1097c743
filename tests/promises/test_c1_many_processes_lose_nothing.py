"""C1: many processes that write at once lose nothing.

Eight processes save 250 records each, and 32 save fewer, all into one workspace: notes, decisions and checkpoints with a
topic, over three sessions. A tenth of them is killed (SIGKILL) at a random moment. What each of them was told is saved is
written down outside the workspace. Afterwards one more command runs, and then every acknowledgement must be in the journal,
and exactly once in the documents that are only ever added to: notes and snapshots in the day, decisions in the working
buffer, a checkpoint's decisions in its topic or the topic's archive. What was tried and not acknowledged may be there, once.

The control is the usual way to change a file (read it, change it, rename it into place) without a lock.
"""

from __future__ import annotations

import random
import subprocess
import time
from pathlib import Path

import pytest
from sharing import acknowledged, holdfast, left_over, start_writer, wrong_with


def _raced(variant: str, folder: Path, processes: int, count: int, killed: int) -> tuple[Path, dict[str, str], list[str]]:
    """Let the processes write, kill some, run one more command: the workspace, what was acknowledged, what is unknown."""
    workspace = folder / "workspace"
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    said = [folder / f"writer-{n}.txt" for n in range(processes)]
    writers = [start_writer(variant, workspace, n, count, path) for n, path in enumerate(said)]
    try:
        # After how many acknowledgements each victim dies: by progress, not by the clock, so that it is in the middle.
        doomed = {n: chance.randrange(count // 10, count * 9 // 10) for n in chance.sample(range(processes), killed)}
        while doomed:
            for n, after in list(doomed.items()):
                assert writers[n].poll() is None, f"writer {n} ended before it could be killed: {_errors(said[n])}"
                if said[n].read_bytes().count(b"saved  ") >= after:
                    time.sleep(chance.random() * 0.02)
                    writers[n].kill()
                    del doomed[n]
            time.sleep(0.01)
        for n, writer in enumerate(writers):
            code = writer.wait(timeout=120)
            assert code in (0, -9), f"writer {n} ended with {code}: {_errors(said[n])}"
    finally:
        for writer in writers:
            if writer.poll() is None:
                writer.kill()
                writer.wait()
    assert sum(writer.returncode == -9 for writer in writers) == killed
    acks: dict[str, str] = {}
    unknown: list[str] = []
    for path in said:
        ok, tried = acknowledged(path.read_text())
        acks |= ok
        unknown += tried
    last = holdfast(workspace, "note", "the last one", variant="" if variant == "as-it-is" else variant)
    assert last.returncode == 0, last.stderr
    return workspace, acks, unknown


def _errors(said: Path) -> str:
    return said.with_suffix(".err").read_text()


@pytest.mark.parametrize(
    ("processes", "count", "killed"),
    [pytest.param(8, 250, 1, id="8x250"), pytest.param(32, 20, 3, id="32x20")],
)
def test_every_acknowledged_record_is_in_the_journal_and_once_in_the_documents(
    tmp_path: Path, processes: int, count: int, killed: int
) -> None:
    """Every acknowledged record of many processes, some of them killed, is there, and there once."""
    workspace, acks, unknown = _raced("as-it-is", tmp_path, processes, count, killed)
    print(f"{len(acks)} acknowledged, {len(unknown)} unknown")
    assert len(acks) >= (processes - killed) * count
    assert wrong_with(workspace, acks, unknown) == []
    assert left_over(workspace) == []


def test_ids_are_never_shared_between_processes(tmp_path: Path) -> None:
    """No two acknowledgements, of whatever process, name the same record."""
    said = [tmp_path / f"writer-{n}.txt" for n in range(4)]
    writers: list[subprocess.Popen[bytes]] = [start_writer("as-it-is", tmp_path / "w", n, 25, p) for n, p in enumerate(said)]
    assert [writer.wait(timeout=120) for writer in writers] == [0] * 4
    ids = [ack for path in said for ack in acknowledged(path.read_text())[0].values()]
    assert len(ids) == len(set(ids)) == 100


def test_control_read_modify_write_without_a_lock_loses_lines(tmp_path: Path) -> None:
    """The same check finds losses where documents are read, changed and renamed into place without a lock."""
    workspace, acks, unknown = _raced("blind-replace", tmp_path, 8, 40, 1)
    lost = [line for line in wrong_with(workspace, acks, unknown) if ": 0 times" in line]
    print(f"{len(lost)} of {len(acks)} lost by the control")
    assert lost
