"""H2: what went wrong is said, once, in one line: by the next session's brief, and by `holdfast doctor` while receipts tell it.

Each fault of H1 strikes a hook and passes; then a new session begins. The control takes the failures out of the receipts, as
a hook that is silent about them would leave them, and the same look finds nothing said.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from afflicted import FAULTS, Host, host_for

# fault → the hook that it strikes, and what is said of it
STRUCK: dict[str, tuple[str, str]] = {
    "dead store": ("PreCompact", "before-compaction: memory could not be opened: there is a file where a folder should be"),
    "full disk": ("Stop", "turn: not saved: the disk is full"),
    "locked store": ("Stop", "turn: saved, and not yet in the files: another process holds the lock"),
    "garbage": ("Stop", "turn: what the host sent is no JSON object"),
}


def struck(fault: str, folder: Path) -> Iterator[Host]:
    """A host after a fault has come and gone."""
    event, _ = STRUCK[fault]
    with host_for(fault, folder) as host:
        if fault == "garbage":
            host.fire(event, stdin=b"{")
        else:
            with FAULTS[fault](host):
                host.fire(event)
        yield host


def lines_with(text: str, said: str) -> list[str]:
    """The lines of a text that say something."""
    return [line for line in text.splitlines() if said in line]


@pytest.mark.parametrize("fault", STRUCK)
def test_the_next_sessions_brief_and_doctor_say_what_failed_in_one_line(fault: str, tmp_path: Path) -> None:
    """The brief says it once and then no more; doctor says it, with its time and what it was."""
    said = STRUCK[fault][1]
    for host in struck(fault, tmp_path):
        briefs = [host.brief("s2"), host.brief("s3")]
        assert [len(lines_with(brief, "of Holdfast failed")) for brief in briefs] == [1, 0]
        (line,) = lines_with(briefs[0], "of Holdfast failed")
        assert said in line
        assert re.search(r"at \d{4}-\d\d-\d\d \d\d:\d\d \(", line)
        doctor = host.run("doctor")
        assert doctor.returncode in (0, 1)
        assert len(lines_with(doctor.stdout.decode(), f"failed: {said}")) == 1, doctor.stdout.decode()


@pytest.mark.parametrize("fault", STRUCK)
def test_what_fails_every_time_is_wanting_until_it_works_again(fault: str, tmp_path: Path) -> None:
    """Doctor exits 1 while the newest of its kind has failed, and 0 when one has gone well since."""
    event, _ = STRUCK[fault]
    for host in struck(fault, tmp_path):
        assert host.run("doctor").returncode == 1
        host.fire(event)
        well = host.run("doctor")
        assert well.returncode == 0, well.stdout.decode()


@pytest.mark.parametrize("event", ["PreCompact", "Stop"])
def test_settings_that_cannot_be_read_stop_no_hook_and_are_said_once(event: str, tmp_path: Path) -> None:
    """The hook saves, the next brief says it in fixed words, and doctor says it until the settings are mended."""
    said = "A setting of Holdfast here cannot be used"
    with host_for("broken settings", tmp_path) as host:
        before = set(host.workspace.glob(".holdfast/journal/*/*.md"))
        with FAULTS["broken settings"](host):
            host.fire(event)
            assert set(host.workspace.glob(".holdfast/journal/*/*.md")) > before
            briefs = [host.brief("s2"), host.brief("s3")]
            assert [len(lines_with(brief, said)) for brief in briefs] == [1, 0]
            doctor = host.run("doctor")
            assert doctor.returncode == 1
            assert "WANTING  settings: " in doctor.stdout.decode()
        assert said not in host.brief("s4")
        assert host.run("doctor").returncode == 0


def test_where_nothing_is_known_yet_the_failure_is_still_said(tmp_path: Path) -> None:
    """The very first hook found a dead store: there is nothing to restore, and the new session is told why."""
    host = Host(tmp_path, tmp_path / "workspace")
    empty = tmp_path / "empty"
    empty.mkdir()
    (empty / ".holdfast").write_text("somebody's file\n")
    host.env["HOLDFAST_WORKSPACE"] = str(empty)
    host.fire("PreCompact")
    (empty / ".holdfast").unlink()
    assert "A hook of Holdfast failed at " in host.brief("s2")
    assert host.brief("s3") == ""


def test_control_a_failure_that_is_in_no_receipt_is_not_said(tmp_path: Path) -> None:
    """The same look where hooks are silent about what failed."""
    for host in struck("garbage", tmp_path):
        path = host.workspace / ".holdfast" / "receipts.jsonl"
        silent = [{k: v for k, v in json.loads(line).items() if k != "failed"} for line in path.read_text().splitlines()]
        path.write_text("".join(json.dumps(receipt) + "\n" for receipt in silent))
        assert lines_with(host.brief("s2"), "of Holdfast failed") == []
        assert lines_with(host.run("doctor").stdout.decode(), "failed: ") == []
