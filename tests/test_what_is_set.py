"""What a person or an agent has set stands above what was read in a transcript, in every brief of its project."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest

from conftest import Holdfast
from sessions import Machine, Turn, claude_code, codex
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


DAY = Turn("Which day is it?", answer="It is Wednesday.")
REGARDS = Turn("Rui sends his regards.", answer="How kind.")
BUOY = Turn("now paint the buoy red", "/w/buoy.py", "", "It is red.")
TALK = (Turn("I go to Lisbon in May, for a week", answer="Lovely."), Turn("with my brother Rui", answer="Noted."))
SINCE = {  # what came before, what the user says once a task is set, and what the brief tells then
    "a question in a talk": (TALK, (DAY,), "Working on (as set before the last request): book the flight", ""),
    "small talk in a talk": (TALK, (REGARDS,), "Working on (as set before the last request): book the flight", ""),
    "a long talk": (TALK, (DAY, REGARDS, *TALK, *TALK), "Working on (as set before the last request): book the flight", ""),
    "a question in work": (WORK, (DAY,), "Working on (as set before the last request): book the flight", ""),
    "small talk in work": (WORK, (REGARDS,), "Working on (as set before the last request): book the flight", ""),
    "other work": (WORK, (BUOY,), "Working on: now paint the buoy red", "Task as set: book the flight"),
    "other work, and a question": (WORK, (BUOY, DAY), "Working on: Which day is it?", "Task as set: book the flight"),
}


def went_on(project: Project, host: str, session: str, *turns: Turn) -> None:
    """What is said in a session from now on, as its host writes it down."""
    begin = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(time.time() + 5))
    entries = {"claude-code": claude_code, "codex": codex}[host](session, str(project.workspace), turns, begin)
    path = project.machine.path(host, session)
    written = path.read_text().count("\n")
    for number, entry in enumerate(entries, written):
        entry.update({"uuid": f"u{number}", "parentUuid": f"u{number - 1}"} if "uuid" in entry else {})
    with path.open("a") as file:
        file.writelines(json.dumps(entry) + "\n" for entry in entries if entry["type"] != "session_meta")


@pytest.mark.parametrize("how", [("task",), ("checkpoint", "--task")], ids=" ".join)
@pytest.mark.parametrize("host", ["claude-code", "codex"])
@pytest.mark.parametrize("since", SINCE)
def test_a_task_that_is_set_stands_until_it_is_set_anew(project: Project, since: str, host: str, how: tuple[str, ...]) -> None:
    """A question and small talk ask for no other work. A request that led to work is told above what is set."""
    before, said, working_on, below = SINCE[since]
    session = project.had(host, *before)
    project.fire(host, "Stop", session)
    project.run(*how, "book the flight", "--session", session)
    project.fire(host, "Stop", session)
    went_on(project, host, session, *said)
    brief = compacted(project, session, host)
    assert working_on in brief
    assert below in brief
    project.run("task", "pack the bags", "--session", session)
    brief = framed(project.run("recover", "--session", session).out)
    assert "Working on (as set): pack the bags" in brief
    assert "Task as set" not in compacted(project, session, host)
