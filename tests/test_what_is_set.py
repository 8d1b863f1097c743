"""What a person or an agent has set stands above what was read in a transcript, in every brief of its project."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from conftest import Holdfast
from sessions import Machine, Turn
from test_handoff import Project

WORK = (
    Turn("mend the lamp so that it burns", "/w/lamp.py", "", "Shall I use brass?"),
    Turn("yes", "/w/brass.py", "", "It is of brass."),
)
FOR_THE_PROJECT = "Set for this project:\n- Task: ship by Friday\n- Decided: CSV it is\n- To do: ask Ada\n- (last changed 2"


@pytest.fixture
def project(tmp_path: Path, workspace: Path, holdfast: Holdfast) -> Project:
    """A folder for which its owner has set a task, a decision and an action at a terminal."""
    workspace.mkdir()
    for words in (("task", "ship by Friday"), ("decide", "CSV it is"), ("pending", "ask Ada")):
        holdfast(*words)
    return Project(Machine(tmp_path / "home"), workspace, holdfast)


def framed(brief: str) -> str:
    """What stands inside the frame."""
    return re.split(r"--- (?:memory|end) \w{10} ---\n", brief)[1]


def compacted(project: Project, session: str, host: str = "claude-code") -> str:
    """What a session is given after a compaction."""
    project.fire(host, "PreCompact", session, trigger="manual")
    return framed(project.fire(host, "SessionStart", session, source="compact"))


@pytest.mark.parametrize("host", ["claude-code", "codex"])
def test_what_is_set_for_the_project_is_in_each_brief_above_what_was_captured(project: Project, host: str) -> None:
    """As a field of its own, and not as lines of the buffer; `recover` prints the same, word for word."""
    session = project.had(host, *WORK)
    brief = compacted(project, session, host)
    assert FOR_THE_PROJECT in brief
    assert brief.index("Set for this project") < brief.index("Files changed")
    assert "Working buffer" not in brief
    assert framed(project.run("recover", "--session", session).out) == brief


def test_what_is_set_stands_apart_from_what_was_captured(project: Project) -> None:
    """A decision that was read in the transcript is not told as one that somebody has set."""
    session = project.had("claude-code", *WORK)
    project.run("decide", "lit at five", "--session", session)
    brief = compacted(project, session)
    assert "Decisions (as set):\n- lit at five\n\n" in brief
    captured = brief.partition("\nDecisions:\n")[2].partition("\n\n")[0]
    assert "brass" in captured
    assert "lit at five" not in captured


def test_what_a_session_has_set_as_well_is_not_said_twice(project: Project) -> None:
    """The same task, set for the project and in the session, stands once."""
    session = project.had("claude-code", *WORK)
    project.run("task", "ship by Friday", "--session", session)
    assert compacted(project, session).count("ship by Friday") == 1


@pytest.mark.parametrize(("session", "is_told"), [("agent:main:main", True), ("agent:main:discord:group:7", False)])
def test_a_room_is_not_told_what_its_owner_has_set_at_a_terminal(project: Project, session: str, is_told: bool) -> None:
    """Others read there; a private session of the owner is told."""
    project.run("task", "water the plants", "--session", session)
    assert ("ship by Friday" in project.run("recover", "--session", session).out) == is_told
