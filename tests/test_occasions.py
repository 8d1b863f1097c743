"""What an agent is given follows the occasion: who is there, is it at work, was its context lost or cleared."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import Holdfast
from holdfast.briefing.threads import HEADING
from holdfast.guard.echo import GO_ON, QUESTION
from holdfast.transcripts.words import without_ours
from kept_receipts import by_hooks
from sessions import Machine, Turn
from test_handoff import LAMP, RATES, Project, working_on
from test_openclaw import Host as Gateway

BRIEF = "# Where we left off (Holdfast)"
EXPORT = (
    Turn("build the ledger export", "/w/export.py", "", "The writer is next."),
    Turn("write it as CSV, and never use pandas", "/w/csv_writer.py", "", "Writing it."),
    Turn("add the totals row as well", "/w/totals.py", "", "I am at it."),
)
TITLE = Turn("change the title in the README to Ledger", "/w/README.md", "title", "The title is changed.")
BADGE = Turn("add a badge to the README", "/w/README.md", "badge", "The badge is there.")


@pytest.fixture
def project(tmp_path: Path, workspace: Path, holdfast: Holdfast) -> Project:
    """A folder in which agents of several hosts work, with the settings that nobody has changed."""
    workspace.mkdir()
    return Project(Machine(tmp_path / "home"), workspace, holdfast)


def settings(project: Project, **given: str) -> None:
    """What the owner of the folder wants."""
    path = project.workspace / ".holdfast" / "config.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(f'{name} = "{value}"\n' for name, value in given.items()))


def did(project: Project) -> str:
    """What the last hook said that it did."""
    return str(by_hooks(project.workspace / ".holdfast" / "receipts.jsonl")[-1]["did"])


# ---- the ending of a brief ---------------------------------------------------------------------------------------------

TURN = {"gemini": "AfterAgent", "opencode": "turn"}
GOES_ON: dict[str, tuple[str, list[tuple[str, dict[str, Any]]], dict[str, str]]] = {
    "Claude Code compacts by itself": (
        "claude-code", [("PreCompact", {"trigger": "auto"}), ("SessionStart", {"source": "compact"})], {},
    ),
    "Claude Code with -p": (
        "claude-code", [("PreCompact", {"trigger": "manual"}), ("SessionStart", {"source": "compact"})],
        {"CLAUDE_CODE_SESSION_ATTENDED": "0", "CLAUDE_CODE_ENTRYPOINT": "sdk-cli"},
    ),
    "Claude Code with -p, of a version that does not say so": (
        "claude-code", [("PreCompact", {"trigger": "manual"}), ("SessionStart", {"source": "compact"})],
        {"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"},
    ),
    "a prompt and no end of its turn, where no hook told of the compaction": (
        "claude-code", [("UserPromptSubmit", {"prompt": "go on"}), ("SessionStart", {"source": "compact"})], {},
    ),
    "Codex compacts by itself": ("codex", [("PreCompact", {"trigger": "auto"}), ("SessionStart", {"source": "compact"})], {}),
    "opencode compacts by itself": ("opencode", [("start", {"source": "compact", "trigger": "auto"})], {}),
    "opencode run": ("opencode", [("start", {"source": "compact", "trigger": "manual", "attended": False})], {}),
}  # fmt: skip
ASKS: dict[str, tuple[str, list[tuple[str, dict[str, Any]]], dict[str, str]]] = {
    "/compact in Claude Code": (
        "claude-code", [("PreCompact", {"trigger": "manual"}), ("SessionStart", {"source": "compact"})],
        {"CLAUDE_CODE_SESSION_ATTENDED": "1", "CLAUDE_CODE_ENTRYPOINT": "cli"},
    ),
    "/compact after a turn that the user stopped": (
        "claude-code", [("UserPromptSubmit", {"prompt": "go on"}), ("PreCompact", {"trigger": "manual"}),
                        ("SessionStart", {"source": "compact"})], {},
    ),
    "a turn that has ended, where no hook told of the compaction": (
        "claude-code", [("UserPromptSubmit", {"prompt": "x"}), ("Stop", {}), ("SessionStart", {"source": "compact"})], {},
    ),
    "/compact in Codex": ("codex", [("PreCompact", {"trigger": "manual"}), ("SessionStart", {"source": "compact"})], {}),
    "/compact in opencode": ("opencode", [("start", {"source": "compact", "trigger": "manual"})], {}),
}  # fmt: skip


def after(project: Project, monkeypatch: pytest.MonkeyPatch, host: str, steps: Any, env: dict[str, str]) -> str:
    """What a session is given by the last of some hooks."""
    session = project.had(host, RATES)
    project.fire(host, TURN.get(host, "Stop"), session)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    return [project.fire(host, event, session, **more) for event, more in steps][-1]


@pytest.mark.parametrize("case", GOES_ON)
def test_an_agent_that_nobody_answers_is_told_to_go_on(project: Project, monkeypatch: pytest.MonkeyPatch, case: str) -> None:
    """It says that context was restored, and puts the question, when it next speaks to the user."""
    brief = after(project, monkeypatch, *GOES_ON[case])
    ending = brief.rpartition("--- end ")[2]
    assert QUESTION not in brief
    assert "tell the user where things stand" not in ending
    for part in ("go on with the next action", "say in one line that context was restored", "question above then", GO_ON):
        assert part in ending
    assert ("When a user next speaks with you" in ending) == ("-p" in case or " run" in case)


@pytest.mark.parametrize("case", ASKS)
def test_where_the_user_is_next_the_agent_tells_and_asks(project: Project, monkeypatch: pytest.MonkeyPatch, case: str) -> None:
    """Seed B; and it is sent to next steps only where there are some."""
    brief = after(project, monkeypatch, *ASKS[case])
    ending = brief.rpartition("--- end ")[2]
    assert ending.endswith(f"and ask: “{QUESTION}”\n")
    assert "Put the unanswered question above to the user again, word for word, unless they answer it." in ending
    assert GO_ON not in ending
    assert "next steps" not in ending


def test_next_steps_are_named_where_there_are_some(project: Project) -> None:
    """Set by an agent, or still to be done."""
    session = project.had("claude-code", RATES)
    project.fire("claude-code", "Stop", session)
    project.run("pending", "write the tests", "--session", session)
    assert "go on from the next steps" in project.fire("claude-code", "SessionStart", session, source="compact")


def test_codex_exec_is_known_by_its_rollout_where_the_system_does_not_show_the_process(project: Project) -> None:
    """Its payload and its environment say nothing of it."""
    session = project.had("codex", RATES)
    path = project.machine.path("codex", session)
    path.write_text(path.read_text().replace('"source": "cli"', '"source": "exec"'))
    project.fire("codex", "Stop", session)
    assert GO_ON in project.fire("codex", "SessionStart", session, source="compact")


SPOKEN = {"a person": ({}, False), "another session": ({"provenance": "inter_session"}, True),
          "a turn that was too long": ({"trigger": "overflow"}, True)}  # fmt: skip


@pytest.mark.parametrize("who", SPOKEN)
def test_in_openclaw_the_ending_goes_by_who_has_spoken(tmp_path: Path, who: str) -> None:
    """After a reset the brief comes with the next prompt, whoever has written that."""
    more, goes_on = SPOKEN[who]
    gateway = Gateway(tmp_path)
    gateway.turn("set the reduced rate to 7 percent, and never touch the old invoices")
    gateway.tells("before_reset", reason="new")
    brief = gateway.tells("before_prompt_build", prompt="hello", **{"trigger": "user", **more})["context"]
    assert BRIEF in brief
    assert (GO_ON in brief, QUESTION in brief) == (goes_on, not goes_on)


def test_every_ending_is_known_again_as_ours(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a transcript nothing of it is taken for somebody's words, and what stands around it is."""
    given = [after(project, monkeypatch, *case) for case in (*GOES_ON.values(), *ASKS.values())]
    given.append(project.begun())
    for text in given:
        assert without_ours(f"mine\n{text}theirs") == "mine\ntheirs"


# ---- a fresh start -----------------------------------------------------------------------------------------------------

FRESH: dict[str, Callable[[Project], str]] = {
    "Claude Code begins": lambda project: project.begun(),
    "Claude Code is cleared": lambda project: project.begun(source="clear"),
    "Codex begins": lambda project: project.begun("codex"),
    "Codex is cleared": lambda project: project.begun("codex", source="clear"),
    "Gemini CLI begins": lambda project: project.fire("gemini", "BeforeAgent", project.had("gemini", ago=1), prompt="hello"),
    "opencode begins": lambda project: project.fire("opencode", "start", "ses_new", source="startup"),
}


@pytest.mark.parametrize("case", FRESH)
def test_a_fresh_start_gets_a_note_that_directs_nobody(project: Project, case: str) -> None:
    """What is open, when, in which host and how to get it, in at most 1,200 characters."""
    session = project.had("claude-code", RATES)
    project.fire("claude-code", "Stop", session)
    project.fire("claude-code", "SessionEnd", session, reason="clear")
    note = FRESH[case](project)
    assert note.startswith(f"{HEADING}\n")
    assert len(note) <= 1200
    for part in (RATES.request, f"Unanswered: {RATES.answer}", "Claude Code", "`holdfast recover 1`", "`holdfast sessions`"):
        assert part in note
    for order in ("to the user again", "go on", QUESTION, "Working on", "First tell"):
        assert order not in note


def test_a_note_of_much_stays_short(project: Project) -> None:
    """Ten sessions with long texts: the first in most detail, the rest by the command that the note names."""
    for number in range(10):
        long = Turn(f"task {number}: " + "write the chapter on rounding and taxes " * 20, "/w/a.py", "", "Which one is it? " * 30)
        session = project.had("claude-code", long, Turn("and the index", "/w/b.py"), long, ago=5000 - 400 * number)
        project.fire("claude-code", "Stop", session)
    note = project.begun()
    assert len(note) <= 1200
    assert "1. " in note
    assert "task 9" in note
    assert "`holdfast sessions`" in note


PAST = ["where were we?", "where did we stop?", "我们上次聊到哪了？", "what did we decide about the invoices?", "wo waren wir?"]


@pytest.mark.parametrize("prompt", PAST)
@pytest.mark.parametrize("source", ["startup", "clear"])
def test_the_first_prompt_that_refers_to_the_past_gets_the_brief(project: Project, source: str, prompt: str) -> None:
    """Whole, and of the session before; also where this one has done a little since."""
    project.fire("claude-code", "Stop", project.had("claude-code", *EXPORT, RATES))
    new = project.had("claude-code", TITLE, ago=5)
    assert project.fire("claude-code", "SessionStart", new, source=source).startswith(HEADING)
    assert project.fire("claude-code", "UserPromptSubmit", new, prompt="change the title") == ""
    project.fire("claude-code", "Stop", new)
    brief = project.fire("claude-code", "UserPromptSubmit", new, prompt=prompt)
    assert brief.startswith(BRIEF)
    assert working_on(brief).startswith(RATES.request)
    assert "never use pandas" in brief
    assert "`export.py`" in brief


def test_a_session_with_a_memory_of_its_own_begins_with_that(project: Project) -> None:
    """As one that its user has named: what others have left open since does not take its place."""
    own = project.had("claude-code", LAMP, ago=900)
    project.run("checkpoint", "--task", LAMP.request, "--session", own)
    project.fire("codex", "Stop", project.had("codex", *EXPORT, RATES, ago=60))
    assert working_on(project.fire("claude-code", "SessionStart", own, source="startup")) == LAMP.request


def test_a_first_prompt_in_gemini_that_refers_to_the_past_gets_the_brief_at_once(project: Project) -> None:
    """There the note comes with the first prompt: not both."""
    project.fire("claude-code", "Stop", project.had("claude-code", RATES))
    brief = project.fire("gemini", "BeforeAgent", project.had("gemini", ago=1), prompt="where were we?")
    assert brief.startswith(BRIEF)
    assert HEADING not in brief


def ended() -> str:
    """The id of a process that is no more."""
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    return str(gone.pid)


def cut_off(project: Project, monkeypatch: pytest.MonkeyPatch, process: str, *turns: Turn) -> str:
    """A session whose host was in the midst of a turn, in a process of that id."""
    monkeypatch.setenv("CLAUDE_PID", process)
    session = project.had("claude-code", *turns, ago=300)
    project.fire("claude-code", "UserPromptSubmit", session, prompt=turns[-1].request)
    monkeypatch.delenv("CLAUDE_PID")
    return session


def test_after_a_session_that_was_killed_in_a_turn_the_next_one_gets_the_brief_once(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one after that gets the note, in which it still stands first."""
    cut_off(project, monkeypatch, ended(), *EXPORT)
    brief = project.begun()
    assert "cut off in the midst of a turn" in brief.partition("--- memory")[0]
    assert working_on(brief).startswith(EXPORT[-1].request)
    assert "Left by another session, which was cut off: Claude Code " in brief
    assert "may still be at work" not in brief
    note = project.begun()
    assert note.startswith(HEADING)
    assert "cut off in the midst of a turn: add the totals row" in note
    assert "may still be at work" not in project.run("recover").out


def test_a_session_that_is_at_work_beside_is_not_taken_for_one_that_was_killed(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its host is still there."""
    cut_off(project, monkeypatch, str(os.getpid()), *EXPORT)
    note = project.begun()
    assert note.startswith(HEADING)
    assert "at work now: add the totals row" in note


def test_a_session_of_a_few_words_never_displaces_work(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """An export that was killed in a turn, then two sessions about the README: in the note, the brief and for people."""
    export = cut_off(project, monkeypatch, ended(), *EXPORT)
    project.begun()
    for number, turn in enumerate((TITLE, BADGE)):
        project.fire("claude-code", "Stop", project.had("claude-code", turn, ago=60 - 10 * number))
    note = project.begun()
    assert "1. " in note
    assert EXPORT[-1].request in note.partition("1. ")[2].partition("\n")[0]
    new = project.had("claude-code", ago=1)
    for brief in (project.fire("claude-code", "UserPromptSubmit", new, prompt="where were we?"), project.run("recover").out):
        assert working_on(brief).startswith(EXPORT[-1].request)
    listed = json.loads(project.run("sessions", "--json").out)["sessions"]
    assert (listed[0]["session"], listed[0]["cut_off"], listed[0]["number"]) == (export, True, 1)
    assert EXPORT[-1].request in project.run("sessions").out.split("\n")[0]


def test_sessions_lists_threads_of_every_host_and_recover_takes_one_by_its_number(project: Project) -> None:
    """With the question that waits, what is still to be done, when and where."""
    rates = project.had("codex", RATES, *EXPORT[:1], ago=900)
    project.fire("codex", "Stop", rates)
    project.run("pending", "tell the accountant", "--session", rates)
    project.fire("gemini", "AfterAgent", project.had("gemini", LAMP, ago=60))
    shown = project.run("sessions").out
    listed = json.loads(project.run("sessions", "--json").out)["sessions"]
    assert [one["host"] for one in listed] == ["codex", "gemini"]
    assert listed[0]["pending"] == ["tell the accountant"]
    assert listed[1]["unanswered"] == [LAMP.answer]
    for part in ("Codex", "Gemini CLI", LAMP.answer, "tell the accountant", "holdfast recover 2"):
        assert part in shown
    assert working_on(project.run("recover", "2").out) == LAMP.request
    assert working_on(project.run("recover", "1").out).startswith(EXPORT[0].request)


@pytest.mark.parametrize("text", ["3", "0", "x", "-- -1", "99999999999999999999", "1 2"])
def test_recover_says_what_is_wrong_with_a_number(project: Project, text: str) -> None:
    """And that nothing was changed."""
    project.fire("codex", "Stop", project.had("codex", RATES))
    answer = project.run("recover", *text.split(" "))
    assert answer.code == 2
    assert "`holdfast sessions` lists" in answer.err
    assert "Nothing was changed" in answer.err


# ---- settings, and a pause ---------------------------------------------------------------------------------------------

WANTED = [
    ({"briefOnStart": "full"}, "startup", BRIEF), ({"briefOnStart": "none"}, "startup", ""),
    ({"briefOnStart": "short"}, "startup", HEADING), ({"briefOnStart": "full"}, "clear", HEADING),
    ({"briefOnClear": "full"}, "clear", BRIEF), ({"briefOnClear": "none"}, "clear", ""),
    ({"briefOnCompaction": "none"}, "compact", ""), ({"briefOnCompaction": "short"}, "compact", BRIEF),
]  # fmt: skip


@pytest.mark.parametrize(("given", "source", "begins"), WANTED)
def test_settings_say_what_is_given_on_which_occasion(project: Project, given: dict[str, str], source: str, begins: str) -> None:
    """What was switched off does not come with the next prompt instead."""
    settings(project, **given)
    session = project.had("claude-code", *EXPORT, RATES)
    project.fire("claude-code", "Stop", session)
    own = session if source == "compact" else project.had("claude-code", ago=1)
    text = project.fire("claude-code", "SessionStart", own, source=source)
    assert text.startswith(begins) if begins else text == ""
    assert len(text) <= (9000 if "full" in given.values() else 2500)
    if not begins:
        assert "the settings want no brief" in did(project)
        assert project.fire("claude-code", "UserPromptSubmit", own, prompt="now add a test") == ""


def test_a_word_that_no_setting_knows_is_said_by_name(project: Project) -> None:
    """With the words that it knows."""
    settings(project, briefOnClear="sometimes")
    answer = project.run("status")
    assert answer.code == 0
    assert 'briefOnClear must be "auto" or "full" or "short" or "none"' in answer.out


@pytest.mark.parametrize("how", ["none", "short"])
def test_settings_hold_in_openclaw_too_where_the_default_is_the_whole_brief(tmp_path: Path, how: str) -> None:
    """A5, C12, E1: a session lives on through a reset."""
    gateway = Gateway(tmp_path)
    gateway.turn("set the reduced rate to 7 percent, and never touch the old invoices")
    gateway.tells("before_reset", reason="new")
    assert BRIEF in gateway.tells("before_prompt_build", prompt="hello", trigger="user")["context"]
    (gateway.workspace / ".holdfast" / "config.toml").write_text(f'briefOnClear = "{how}"\n')
    gateway.tells("before_reset", reason="new")
    given = gateway.tells("before_prompt_build", prompt="hello", trigger="user").get("context", "")
    assert len(given) <= 2500
    assert bool(given) == (how == "short")


def test_while_it_is_paused_hooks_do_nothing_and_say_so(project: Project) -> None:
    """Nothing is saved or given; commands work, status tells of it, and afterwards nothing is lost."""
    session = project.had("claude-code", RATES)
    assert "paused" in project.run("pause").out
    for event, more in (("UserPromptSubmit", {"prompt": "where were we?"}), ("Stop", {}), ("PreCompact", {"trigger": "auto"}),
                        ("SessionStart", {"source": "compact"})):  # fmt: skip
        assert project.fire("claude-code", event, session, **more) == ""
        assert did(project).startswith("nothing: Holdfast is paused here")
    assert not list((project.workspace / ".holdfast").rglob("journal/*/*.md"))
    assert "paused      since" in project.run("status").out
    assert json.loads(project.run("status", "--json").out)["paused"]
    project.run("note", "the ledger is closed on Friday")
    assert "resumed" in project.run("resume").out
    assert "was not paused" in project.run("resume").out
    assert "paused      since" not in project.run("status").out
    assert RATES.answer in project.fire("claude-code", "SessionStart", session, source="compact")


def test_a_pause_holds_in_openclaw(tmp_path: Path) -> None:
    """The answer is empty, and the receipt says why."""
    gateway = Gateway(tmp_path)
    gateway.turn("set the reduced rate to 7 percent")
    gateway.tells("before_reset", reason="new")
    (gateway.workspace / ".holdfast" / "paused").write_text("2026-11-18T10:00:00\n")
    assert gateway.tells("before_prompt_build", prompt="hello", trigger="user") == {}
    assert "paused" in by_hooks(gateway.workspace / ".holdfast" / "receipts.jsonl")[-1]["did"]
