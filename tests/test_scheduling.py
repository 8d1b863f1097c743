"""The review on a schedule: what cron, systemd and OpenClaw are given comes out as the same command, whatever the paths are."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from holdfast.upkeep.scheduling import CALENDAR, Schedule, schedules

ODD = ["plain", "two words", "50% off", "it's \"quoted\"", "dollar $HOME `x` $(y)", "back\\slash\\", "#hash; & |", "日本"]
ODD += ["-dash", "a%%b'%'", "a=b"]


def made(folder: Path, odd: str) -> tuple[str, str, dict[str, Schedule]]:
    """A program at an odd path that says with which words it was called, an odd workspace, and the schedules of both."""
    program, workspace = folder / odd / "holdfast", folder / f"of {odd}"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\nfor word in "$@"; do printf "%s\\n" "$word" >> "$SAID"; done\n')
    program.chmod(0o755)
    return str(program), str(workspace), {schedule.by: schedule for schedule in schedules(str(program), str(workspace))}


def ran(line: str, folder: Path) -> list[str]:
    """What a shell makes of a line: the words that the program got."""
    said = folder / "said"
    done = subprocess.run(["/bin/sh", "-c", line], env={"SAID": str(said), "PATH": os.defpath}, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    return said.read_text().splitlines()


@pytest.mark.parametrize("odd", ODD)
def test_a_crontab_runs_the_review(odd: str, tmp_path: Path) -> None:
    """The line has its five fields, no sign that cron would take for its end, and the shell runs the very command."""
    _, workspace, found = made(tmp_path, odd)
    line = found["crontab"].line
    assert line.startswith("0 9 * * 1 ")
    assert "%" not in line
    assert "\n" not in line
    assert ran(line.split(" ", 5)[5], tmp_path) == ["--workspace", workspace, "upkeep", "review"]
    assert line.endswith(f"# {found['crontab'].mark}")


@pytest.mark.parametrize("odd", ODD)
def test_openclaw_is_given_the_review_as_a_command_of_its_own(odd: str, tmp_path: Path) -> None:
    """The words of the line as a shell splits them; and the command among them, as the host's shell runs it."""
    _, workspace, found = made(tmp_path, odd)
    words = shlex.split(found["openclaw"].line)
    assert words[:3] == ["openclaw", "cron", "add"]
    given = dict(zip(words[3:-1:2], words[4::2], strict=True))
    assert given["--cron"] == "0 9 * * 1"
    assert given["--name"] == found["openclaw"].mark
    assert words[-1] == "--no-deliver"
    assert ran(given["--command"], tmp_path) == ["--workspace", workspace, "upkeep", "review"]


def taken_apart(line: str) -> list[str]:
    """An ExecStart line as systemd.service(5) says that it is read: quotes, C escapes, specifiers, variables."""
    words = []
    for raw in re.findall(r'"(?:[^"\\]|\\.)*"|\S+', line):
        word = raw[1:-1] if raw.startswith('"') else raw
        word = re.sub(r"\\(.)", lambda found: {"\\": "\\", '"': '"'}[found[1]], word)
        assert not re.search(r"(?<!%)(?:%%)*%(?!%)", word), "a specifier"
        assert not re.search(r"(?<!\$)(?:\$\$)*\$(?!\$)", word), "a variable"
        words.append(word.replace("%%", "%").replace("$$", "$"))
    return words


@pytest.mark.parametrize("odd", ODD)
def test_a_unit_runs_the_review(odd: str, tmp_path: Path) -> None:
    """Service and timer by the same name; run with the words of ExecStart, the command gets its own."""
    _, workspace, found = made(tmp_path, odd)
    (service, text), (timer, when) = found["systemd"].files
    assert service.removesuffix(".service") == timer.removesuffix(".timer")
    assert Path(timer).name in found["systemd"].line
    exec_start = re.search(r"(?m)^ExecStart=(.*)$", text)
    assert exec_start
    assert ran(shlex.join(taken_apart(exec_start[1])), tmp_path) == ["--workspace", workspace, "upkeep", "review"]
    assert f"OnCalendar={CALENDAR}\n" in when
    assert all("\\\n" not in unit for unit in (text, when)), "a line that goes on"


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
@pytest.mark.parametrize("odd", ODD)
def test_systemd_itself_finds_nothing_wrong(odd: str, tmp_path: Path) -> None:
    """Whatever the paths; and a plain program it looks for, and says so where it is not there."""
    program, _, found = made(tmp_path, odd)
    (tmp_path / "units").mkdir()
    for name, text in found["systemd"].files:
        (tmp_path / "units" / Path(name).name).write_text(text)
    units = sorted(str(path) for path in (tmp_path / "units").iterdir())

    def verdict() -> str:
        done = subprocess.run(["systemd-analyze", "verify", "--man=no", *units], capture_output=True, text=True, check=False)
        return "\n".join(line for line in done.stderr.splitlines() if "holdfast-review" in line)

    assert verdict() == ""
    if re.fullmatch(r"[\w/.+-]+", program, re.A):
        Path(program).unlink()
        assert "not executable" in verdict()  # the control: it does look


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_the_moment_is_monday_at_nine() -> None:
    """As systemd reads it."""
    done = subprocess.run(["systemd-analyze", "calendar", CALENDAR], capture_output=True, text=True, check=True)
    assert "Mon *-*-* 09:00:00" in done.stdout


@pytest.mark.parametrize("path", ["relative/holdfast", "/with\nline", "/with\0nul", ""])
def test_what_fits_on_no_line_is_refused(path: str) -> None:
    """Rather than written in part."""
    with pytest.raises(ValueError, match="absolute path"):
        schedules(path, "/w")
    with pytest.raises(ValueError, match="absolute path"):
        schedules("/usr/bin/holdfast", path)


def test_bytes_that_are_no_utf8_are_escaped_in_a_unit() -> None:
    """A unit that is no UTF-8 would be refused as a whole."""
    found = {schedule.by: schedule for schedule in schedules("/usr/bin/holdfast", os.fsdecode(b"/w/\xff"))}
    assert '"/w/\\xff"' in found["systemd"].files[0][1]
    found["systemd"].files[0][1].encode()


def test_each_workspace_has_its_own_mark() -> None:
    """By which its schedule is known again, whatever the command is called by then."""
    pairs = [(command, place) for command in ("/a/holdfast", "/b/holdfast") for place in ("/w", "/v")]
    marks = [{one.mark for one in schedules(*pair)} for pair in pairs]
    assert marks[0] == marks[2] != marks[1]
    assert all(len(each) == 1 for each in marks)
