"""One project, several hosts and sessions: whose work a new session is told of, how old it is, and what was made of it since."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest

from conftest import Holdfast
from holdfast.storage.disk import Folder, Lock
from sessions import Machine, Turn

RATES = Turn("set the reduced rate to 7 percent", "/w/rates.py", "reduced rate is 7 percent", "Shall I round per line?")
LAMP = Turn("build the lamp export, and never use pandas", "/w/lamp.py", "lamp export", "Shall I add a header row?")


class Project:
    """A folder in which agents of several hosts work."""

    def __init__(self, machine: Machine, workspace: Path, holdfast: Holdfast) -> None:
        self.machine, self.workspace, self.run = machine, workspace, holdfast
        self.sessions = 0

    def had(self, host: str, *turns: Turn, ago: int = 600, number: int = 0) -> str:
        """A session that began so many seconds ago, as its host has written it down by now."""
        self.sessions += 1
        begin = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(time.time() - ago))
        return self.machine.had(host, self.workspace, turns, number=number or self.sessions, begin=begin)

    def fire(self, host: str, event: str, session: str, **more: Any) -> str:
        """One hook; what the model is given."""
        about = {"session_id": session, "cwd": str(self.workspace), "hook_event_name": event}
        if host != "opencode":
            about["transcript_path"] = str(self.machine.path(host, session))
        answer = self.run("hook", host, event, stdin=json.dumps({**about, **more}).encode())
        assert (answer.code, answer.err) == (0, "")
        if host == "opencode" or not answer.out.startswith("{"):
            return answer.out
        return str(json.loads(answer.out)["hookSpecificOutput"]["additionalContext"])

    def begun(self, host: str = "claude-code", source: str = "startup") -> str:
        """What a session is told that begins now."""
        return self.fire(host, "SessionStart", self.had(host, ago=1), source=source)

    def shown(self) -> str:
        """The working state that people read."""
        return (self.workspace / "memory" / "session-state.md").read_text()


@pytest.fixture
def project(tmp_path: Path, workspace: Path, holdfast: Holdfast) -> Project:
    """A folder of their own, whose owner wants the whole brief at a start: whose work it tells is what is looked at here."""
    (workspace / ".holdfast").mkdir(parents=True)
    (workspace / ".holdfast" / "config.toml").write_text('briefOnStart = "full"\nbriefOnClear = "full"\n')
    return Project(Machine(tmp_path / "home"), workspace, holdfast)


def working_on(brief: str) -> str:
    """What a brief says is being worked on."""
    found = re.search(r"^Working on[^:]*: (.*)$", brief, re.M)
    return found[1] if found else ""


# ---- whose work is told ------------------------------------------------------------------------------------------------

ENDS = {
    "claude-code": ("Stop", "SessionEnd", {"reason": "prompt_input_exit"}),
    "gemini": ("AfterAgent", "SessionEnd", {"reason": "exit"}),
    "opencode": ("turn", "end", {}),
}


@pytest.mark.parametrize("host", ENDS)
def test_a_window_that_is_closed_late_does_not_bring_its_old_work_back(project: Project, host: str) -> None:
    """Who closes a session has said nothing in it: what another one did since is where the work stands."""
    turn, end, about = ENDS[host]
    old = project.had(host, RATES, ago=7200)
    project.fire(host, turn, old)
    project.fire("codex", "Stop", project.had("codex", LAMP, ago=60))
    project.fire(host, end, old, **about)
    assert working_on(project.begun()) == LAMP.request
    assert LAMP.request in project.shown()
    assert working_on(project.run("recover").out) == LAMP.request
    days = "".join(path.read_text() for path in (project.workspace / "memory").glob("2*.md"))
    assert RATES.request in days  # it has its block all the same


def test_what_is_typed_to_leave_a_session_is_no_work_in_it(project: Project) -> None:
    """Claude Code writes down that it was left, with the moment."""
    old = project.had("claude-code", RATES, ago=7200)
    project.fire("claude-code", "Stop", old)
    project.fire("codex", "Stop", project.had("codex", LAMP, ago=60))
    now = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())
    said = "<command-name>/exit</command-name>\n<command-message>exit</command-message>\n<command-args></command-args>"
    with project.machine.path("claude-code", old).open("a") as file:
        for text in (said, "<local-command-stdout>See ya!</local-command-stdout>"):
            file.write(json.dumps({"type": "user", "timestamp": now, "message": {"role": "user", "content": text}}) + "\n")
    project.fire("claude-code", "SessionEnd", old, reason="prompt_input_exit")
    assert working_on(project.begun()) == LAMP.request


def test_a_session_that_is_cleared_is_the_one_that_is_told(project: Project) -> None:
    """Who clears it is there, whatever was done elsewhere since."""
    old = project.had("claude-code", RATES, ago=7200)
    project.fire("claude-code", "Stop", old)
    project.fire("codex", "Stop", project.had("codex", LAMP, ago=60))
    project.fire("claude-code", "SessionEnd", old, reason="clear")
    assert working_on(project.begun(source="clear")) == RATES.request


def test_a_session_that_is_left_is_still_told_in_the_history_of_its_topic(project: Project) -> None:
    """As it was when its end was dated by the closing of its window."""
    old = project.had("claude-code", RATES, ago=7200)
    project.fire("claude-code", "Stop", old)
    project.run("topic", "bind", "rates", "--session", old)
    project.fire("claude-code", "SessionEnd", old, reason="prompt_input_exit")
    assert "Auto-saved at the end of the session" in (project.workspace / "memory" / "context-rates.md").read_text()


def test_a_session_that_is_left_while_another_process_writes_is_saved_all_the_same(project: Project) -> None:
    """Then it is of now: to be told too early is better than not to be kept."""
    old = project.had("claude-code", RATES, ago=7200)
    project.fire("claude-code", "Stop", project.had("claude-code", LAMP))
    with Folder.open(str(project.workspace / ".holdfast")) as home:
        lock = Lock(home)
        assert lock.take(1.0)
        project.fire("claude-code", "SessionEnd", old, reason="prompt_input_exit")
        lock.release()
        lock.close()
    project.run("task", "something else", "--session", "third")  # the next command catches up
    days = "".join(path.read_text() for path in (project.workspace / "memory").glob("2*.md"))
    assert RATES.request in days


# ---- what is told of it ------------------------------------------------------------------------------------------------


def test_what_was_set_and_edited_since_the_last_turn_is_told_to_the_next_session(project: Project) -> None:
    """A person's edits are law in every brief, and what an agent has set last goes before what it set then."""
    old = project.had("claude-code", LAMP)
    project.fire("claude-code", "Stop", old)
    project.run("decide", "the separator is a semicolon", "--session", old)
    project.run("task", "write the header row", "--session", old)
    state = project.workspace / "memory" / "session-state.md"
    text = state.read_text()
    assert LAMP.answer in text
    state.write_text(text.replace(LAMP.answer, "none").replace("never use pandas", "never use polars"))
    for host in ("codex", "claude-code"):
        brief = project.begun(host)
        assert working_on(brief) == "write the header row"
        assert "Working on (as set)" in brief
        assert "- the separator is a semicolon" in brief.partition("Decisions (as set):")[2]
        assert "never use polars" in brief
        for gone in (LAMP.answer, "never use pandas", "Working buffer"):
            assert gone not in brief


def test_what_a_person_takes_out_of_the_state_stays_away(project: Project) -> None:
    """In the session itself as in the next one, also where only the block of the day is saved; a question may come again."""
    constraint = Turn("never use pandas in this project", "", "", LAMP.answer)
    session = project.had("claude-code", RATES, constraint)
    project.fire("claude-code", "Stop", session)
    state = project.workspace / "memory" / "session-state.md"
    parts = state.read_text().split("\n## ")
    taken = [i for i, part in enumerate(parts) if part.startswith(("Corrections", "Pending Proposals", "Decisions in Flight"))]
    for i in taken:
        parts[i] = f"{parts[i].partition(chr(10))[0]}\nnone\n"
    state.write_text("\n## ".join(parts))
    project.fire("claude-code", "PreCompact", session, trigger="manual")
    for brief in (project.fire("claude-code", "SessionStart", session, source="compact"), project.begun()):
        assert "Told by the user" not in brief
        assert "Unanswered" not in brief
    project.had("claude-code", RATES, constraint, LAMP, number=1)
    project.fire("claude-code", "Stop", session)
    brief = project.begun("codex")
    assert f"Unanswered, word for word:\n- {LAMP.answer}" in brief  # asked once more
    assert "never use pandas in this project" not in state.read_text().partition("## Corrections")[2].partition("\n## ")[0]


HOSTS = {"claude-code": "Claude Code", "codex": "Codex", "gemini": "Gemini CLI", "opencode": "opencode"}


@pytest.mark.parametrize("host", HOSTS)
def test_a_brief_says_whose_work_it_tells(project: Project, host: str) -> None:
    """Another session's is told as that, with its host and its name; a session's own is not."""
    session = project.had(host, LAMP)
    project.fire(host, {"gemini": "AfterAgent", "opencode": "turn"}.get(host, "Stop"), session)
    whose = f"Left by another session: {HOSTS[host]} {session}\n"
    assert whose in project.begun("codex")
    assert whose in project.begun()
    assert "another session" not in project.run("recover", "--session", session).out


def test_only_a_session_in_a_turn_may_still_be_at_work(project: Project) -> None:
    """Between its prompt and the end of the turn; afterwards it is only said whose work it is."""
    session = project.had("claude-code", LAMP)
    project.fire("claude-code", "Stop", session)
    project.fire("claude-code", "UserPromptSubmit", session, prompt="and the footer row")
    assert f"Left by another session, which may still be at work: Claude Code {session}\n" in project.begun("codex")
    project.fire("claude-code", "Stop", session)
    assert f"Left by another session: Claude Code {session}\n" in project.begun("codex")
