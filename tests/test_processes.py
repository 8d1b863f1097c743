"""A copy of this process beside it: what it makes ahead of us is what we would have made, whatever becomes of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from holdfast.config import Config
from holdfast.recall import index
from holdfast.storage import processes

ITEMS: list[Any] = [([(1, "text", "é \udc80 𝄞"), (2, "", "")], (7, b"\xff\x00", True)), ([], ()), ([("x" * 300_000,)], (0,))]


def made(work: Callable[[int], None]) -> Iterator[Any]:
    """Items, and what happens while they are made: `work` gets their number."""
    for number in range(40):
        work(number)
        yield [*ITEMS[number % 3], number]


EXPECTED = list(made(lambda number: None))


def nothing(_number: int) -> None:
    """Just make it."""


def dies(number: int) -> None:
    """Killed in the midst of it, in the copy alone."""
    if number == 25 and os.getpid() != HERE:
        os.kill(os.getpid(), signal.SIGKILL)


def fails(number: int) -> None:
    """Raises in the copy alone, as where memory runs out."""
    if number == 25 and os.getpid() != HERE:
        raise MemoryError


def unknown(number: int) -> None:
    """Makes something in the copy that no pipe carries."""
    if number == 25 and os.getpid() != HERE:
        ITEMS[number % 3] = (object(),)


HERE = os.getpid()
REFUSED = """
import os
from holdfast.storage import processes
left, fork = [{}], os.fork
def refusing():
    if not left[0]:
        raise BlockingIOError(11, "Resource temporarily unavailable")
    left[0] -= 1
    return fork()
os.fork = refusing
os.write(1, b"here" if not processes.detached() else b"there")
"""


@pytest.mark.parametrize("given", [0, 1])
def test_where_there_is_no_process_more_only_who_was_asked_goes_on(given: int) -> None:
    """Once, and without a failure: what nobody waits for is left to the next occasion."""
    done = subprocess.run([sys.executable, "-c", REFUSED.format(given)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "here", "")


@pytest.mark.parametrize("work", [nothing, dies, fails, unknown])
def test_what_a_copy_makes_ahead_is_what_we_would_have_made(work: Callable[[int], None]) -> None:
    """Each once and in order, also where the copy comes to a bad end."""
    assert list(processes.ahead(made(work))) == EXPECTED


def test_where_there_can_be_no_copy_it_is_made_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """The system gives no process more."""

    def refused() -> int:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(os, "fork", refused)
    before = os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else []
    assert list(processes.ahead(made(nothing))) == EXPECTED
    assert len(os.listdir("/proc/self/fd") if before else []) == len(before)


def test_a_program_with_threads_is_not_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of its threads a copy would have only one, and what the others held would never be given back."""
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("copied"))
    end = threading.Event()
    other = threading.Thread(target=end.wait)
    other.start()
    try:
        assert list(processes.ahead(made(nothing))) == EXPECTED
    finally:
        end.set()
        other.join()


def test_whoever_takes_no_more_leaves_no_process_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that is full ends the build in the midst of it."""
    copies, fork = [], os.fork

    def forked() -> int:
        copies.append(fork())
        return copies[-1]

    monkeypatch.setattr(os, "fork", forked)
    items = processes.ahead(made(nothing))
    next(items)
    items.close()
    (copy,) = copies
    with pytest.raises(ChildProcessError):
        os.waitpid(copy, os.WNOHANG)


def test_an_index_made_with_a_copy_is_the_same(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Row by row; with files that cannot be read, and names that are no text."""
    memory = workspace / "memory"
    memory.mkdir(parents=True)
    for day in range(30):
        (memory / f"{day}.md").write_text(f"# Day {day}\n\n- [TECH] kettle {day}\n- 一起去公园 shouldCondense {day}\n")
    (memory / "binary.md").write_bytes(b"\0\1\2")
    (memory / os.fsdecode(b"half-\xff.md")).write_text("- a name that is no text\n")
    (memory / "torn.md.gz").write_bytes(b"\x1f\x8b\x08 torn")
    forks = []
    fork = os.fork
    monkeypatch.setattr(os, "fork", lambda: forks.append(1) or fork())
    found = []
    for many in (10_000, 1):
        monkeypatch.setattr(index, "_MANY", many)
        opened = index.up_to_date(str(workspace), Config(), time.time() + 60, anew=True)
        found.append([opened._db.execute(f"select * from {table}").fetchall() for table in ("passage", "file")])
        opened.close()
    assert found[0] == found[1]
    assert len(found[0][1]) >= 33
    assert forks == [1]
