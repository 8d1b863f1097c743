"""The marks of the journal: which records the documents have still to take on."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import Holdfast


def _unreadable(record: Path) -> None:
    """What stands there cannot be looked at now, as on a bad sector; it may be whole all the same."""
    record.unlink()
    record.mkdir()


def _torn(record: Path) -> None:
    record.write_bytes(record.read_bytes()[:40])


MARKS: dict[str, tuple[Callable[[Path], None], float, bool]] = {  # what became of it, how old its mark is, whether that stays
    "the record was never written": (Path.unlink, 3600, False),
    "the record is still being written": (Path.unlink, 1, True),
    "the record is torn": (_torn, 3600, False),
    "the record cannot be read now": (_unreadable, 3600, True),
}


@pytest.mark.parametrize("case", MARKS)
def test_a_mark_goes_only_with_a_writer_that_died(holdfast: Holdfast, workspace: Path, case: str) -> None:
    """Taken away too early, what it stands for would be in no document for good."""
    happens, age, stays = MARKS[case]
    assert holdfast("task", "the first").code == 0
    (record,) = (workspace / ".holdfast/journal").glob("*/*.md")
    mark = workspace / ".holdfast/pending" / record.stem
    mark.touch()
    os.utime(mark, (time.time() - age,) * 2)
    happens(record)
    holdfast("decide", "something else")
    assert mark.exists() is stays
