"""What a draft says is so of what goes on and comes by itself in Claude Code: workflows, watches, agents that are sent on, jobs by the
clock and wake-ups.

Each case is a short session as the host writes it (2.1.326), read by its reader in one go and line by line (`drafted`).
"""
# ruff: noqa: E501

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest

from test_truth import agent, call, drafted, result, user
from test_truth_claude_code import ASK, NOTICE, changed, told

if TYPE_CHECKING:
    from pathlib import Path

    from test_truth import Line

RUN = "wf_201b03d3-13a"
STARTED = f"Workflow launched in background. Task ID: w1\nSummary: Sweep the docs in batches\nTranscript dir: /s/subagents/workflows/{RUN}\nScript file: /s/workflows/scripts/sweep.js\nRun ID: {RUN}\nTo resume after editing the script: Workflow({{scriptPath: \"/s/workflows/scripts/sweep.js\"}})"
SWEEP = [call("w", "Workflow", script="export const meta = { name: 'sweep' }"), result("w", STARTED)]
OVER = '<task-notification>\n<task-id>w1</task-id>\n<tool-use-id>w</tool-use-id>\n<status>completed</status>\n<summary>Dynamic workflow "Sweep the docs in batches" completed</summary>\n<result>{"pages":42,"broken":["rates.md"]}</result>\n<diagnostics>Per-agent results: journal.jsonl</diagnostics>\n</task-notification>'


def queued(text: str) -> Line:
    """What comes into the host's queue: a person's words, a notice, a prompt whose time has come."""
    return {"type": "queue-operation", "operation": "enqueue", "content": text, "timestamp": "2026-11-17T21:28:17.000Z"}


def delivered(text: str, **more: object) -> Line:
    """The same as the host hands it to the agent when its time has come."""
    return {**user(text), "timestamp": "2026-11-17T21:28:17.100Z", "isMeta": True, "promptSource": "system", "turnOrigin": "scheduled", **more}


def test_a_workflow_that_goes_on_is_said_and_what_it_came_to(tmp_path: Path) -> None:
    """Whoever does not know of it begins it again, with all its agents."""
    assert drafted(tmp_path, [ASK, *SWEEP])["status"] == "Left running in the background, and not seen to end: “Sweep the docs in batches” (w1)"
    draft = drafted(tmp_path, [ASK, *SWEEP, agent("It runs."), queued(OVER), {**user(OVER), "origin": {"kind": "task-notification"}}])
    assert "status" not in draft
    assert draft["exchanges"][-1] == 'Workflow (Sweep the docs in batches): {"pages":42,"broken":["rates.md"]}'
    failed = OVER.replace("completed</status>", "failed</status>").replace('completed</summary>\n<result>{"pages":42,"broken":["rates.md"]}</result>', "failed: Error: no such batch</summary>")
    draft = drafted(tmp_path, [ASK, *SWEEP, queued(failed)])
    assert "status" not in draft
    assert "no such batch" in draft["code"]


def test_what_the_agents_of_a_workflow_changed_is_changed(tmp_path: Path) -> None:
    """Each has a file of its own among those of the run; what another run did is not asked for."""
    for run, name in ((RUN, "a1"), (RUN, "a2"), ("wf_other-1", "a3")):
        folder = tmp_path / "session" / "subagents" / "workflows" / run
        folder.mkdir(parents=True, exist_ok=True)
        lines = [call("x", "Write", file_path=f"/w/{name}.md", content="a_page of_it"), result("x", "File created")]
        (folder / f"agent-{name}.jsonl").write_text("".join(json.dumps({**line, "isSidechain": True}) + "\n" for line in lines))
        (folder / "journal.jsonl").write_text("{}\n")
    draft = drafted(tmp_path, [ASK, *SWEEP, queued(OVER)])
    assert changed(draft) == {"/w/a1.md", "/w/a2.md"}
    assert dict(draft["files"])["/w/a1.md"].startswith("edited 1 time by a subagent")
    assert not changed(drafted(tmp_path, [ASK, *SWEEP]))


WATCH = [call("m", "Monitor", command="tail -f deploy.log", description="errors in deploy.log"), result("m", "Monitor started (task b7, expires in 30m unless the source ends first). You will be notified on each event.")]


def test_a_watch_goes_on_until_it_ends_or_is_stopped(tmp_path: Path) -> None:
    """What it reports on the way ends nothing, and is no word of the user's."""
    event = '<task-notification>\n<task-id>b7</task-id>\n<summary>Monitor event: "errors in deploy.log"</summary>\n<event>ERROR 502</event>\n</task-notification>'
    draft = drafted(tmp_path, [ASK, *WATCH, queued(event), user(event)])
    assert draft["status"] == "Left running in the background, and not seen to end: `tail -f deploy.log` (b7)"
    assert draft["task"] == "release the new rates"
    assert "status" not in drafted(tmp_path, [ASK, *WATCH, queued(NOTICE.format("b7", "m", "completed", "stream ended"))])
    stop = [call("k", "TaskStop", task_id="b7"), result("k", '{"message":"Successfully stopped task: b7 (tail -f deploy.log)","task_id":"b7"}')]
    assert "status" not in drafted(tmp_path, [ASK, *WATCH, *stop])


def test_an_agent_that_is_sent_on_goes_on_again_and_comes_back_again(tmp_path: Path) -> None:
    """By the call that said more to it; one that was only told something while it works has not come back."""
    sent = [call("a", "Agent", description="Audit the rates", prompt="look", subagent_type="general-purpose"), result("a", "Async agent launched successfully.\nagentId: ag1 (internal ID)\nThe agent is working in the background.")]
    back = queued(NOTICE.format("ag1", "a", "completed", "finished").replace("</task-notification>", "<result>All 12 rates are right.</result>\n</task-notification>"))
    more = call("m", "SendMessage", to="ag1", summary="look at the totals too", message="and the totals?")
    resumed = result("m", '{"success":true,"message":"Resuming agent ag1","resumedAgentId":"ag1"}')
    lines = [ASK, *sent, back, agent("The rates are right."), more, resumed]
    assert drafted(tmp_path, lines)["status"] == "Left running in the background, and not seen to end: “look at the totals too” (ag1)"
    again = queued(NOTICE.format("ag1", "m", "completed", "finished").replace("</task-notification>", "<result>Two totals are wrong.</result>\n</task-notification>"))
    draft = drafted(tmp_path, [*lines, again])
    assert "status" not in draft
    assert draft["exchanges"][-1] == "Subagent (agent ag1: look at the totals too): Two totals are wrong."
    heard = result("m", '{"success":true,"message":"Message queued for delivery to ag1"}')
    assert "queued for delivery" not in told(drafted(tmp_path, [ASK, *sent, more, heard]))


@pytest.mark.parametrize("printed", ["Monitor started on port 8080", "Loop stopped after 5 rounds", "Workflow launched: deploy"])
def test_what_a_command_prints_is_not_what_the_host_says(tmp_path: Path, printed: str) -> None:
    """It begins alike: nothing goes on or comes later by it, and a command that has passed its tests has done so."""
    draft = drafted(tmp_path, [ASK, call("x", "Bash", command="npm test"), result("x", f"{printed}\nTests: 212 passed")])
    assert "status" not in draft
    assert draft["done"] == ("`npm test`: Tests: 212 passed",)


PROMPT = "check the nightly build"
DAILY = [call("c", "CronCreate", cron="7 9 * * *", prompt=PROMPT, recurring=True), result("c", "Scheduled recurring job e1874e59 (Every day at 9:07 AM). Next run: Nov 18 9:37am. Auto-expires after 7 days. Use CronDelete to cancel sooner.")]
ONCE = [call("c", "CronCreate", cron="8 9 * * *", prompt=PROMPT, recurring=False), result("c", "Scheduled one-shot task dbe98afd (Nov 18 at 9:08 AM). It will fire once then auto-delete.")]
SOON = [call("l", "ScheduleWakeup", delaySeconds=1200, reason="waiting for the CI run 4711", prompt="/loop watch CI"), {**result("l", "Next wakeup scheduled for 21:44:00 (in 1258s). If you owe the user a status update, write it now."), "timestamp": "2026-11-17T21:23:02.000Z"}]
FIRED = {**user("<command-message>loop</command-message>\n<command-name>/loop</command-name>\n<command-args>watch CI</command-args>"), "turnOrigin": "scheduled"}
WAITS = agent("Done so far.\n\nShall I round per line or per invoice?")
COMES: dict[str, tuple[list[Line], str]] = {
    "a job": (DAILY, "“check the nightly build”, Every day at 9:07 AM (job e1874e59)"),
    "a job whose time has come": ([*DAILY, queued(PROMPT), delivered(PROMPT)], "“check the nightly build”, Every day at 9:07 AM (job e1874e59)"),
    "a job that was cancelled": ([*DAILY, call("d", "CronDelete", id="e1874e59"), result("d", "Cancelled job e1874e59.")], ""),
    "a job that was not": ([*DAILY, call("d", "CronDelete", id="e1874e59"), result("d", "No such job", failed=True)], "“check the nightly build”, Every day at 9:07 AM (job e1874e59)"),
    "one that comes once": (ONCE, "“check the nightly build”, Nov 18 at 9:08 AM (job dbe98afd)"),
    "one that came": ([*ONCE, queued(PROMPT), delivered(PROMPT)], ""),
    "a wake-up": (SOON, "“waiting for the CI run 4711”, at 21:44:00 (a wake-up, set 2026-11-17 21:23)"),
    "a wake-up that came": ([*SOON, queued("/loop watch CI"), FIRED], ""),
    "a wake-up that the host words itself": ([*SOON, queued("Look for work."), delivered("Look for work.", wakeupSource="loop_wakeup")], ""),
    "a loop that was ended": ([*SOON, call("s", "ScheduleWakeup", stop=True), result("s", "Loop stopped — any dynamic loop in this session is ended.")], ""),
    "a later wake-up": (
        [*SOON, call("n", "ScheduleWakeup", delaySeconds=9, reason="4712", prompt="/loop watch CI"), {**result("n", "Next wakeup scheduled for 21:55:00 (in 9s)."), "timestamp": "2026-11-17T21:30:00.000Z"}],
        "“4712”, at 21:55:00 (a wake-up, set 2026-11-17 21:30)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", COMES)
def test_what_comes_by_itself_is_said_until_it_has_come(tmp_path: Path, case: str) -> None:
    """Whoever does not know of it arranges it again, or waits for nothing. It is never taken for what the user says."""
    lines, comes = COMES[case]
    draft = drafted(tmp_path, [ASK, WAITS, user("not yet, go on"), *lines[:2], WAITS, *lines[2:]])
    assert draft.get("status", "") == (f"Comes by itself: {comes}" if comes else "")
    assert draft["task"].startswith("not yet, go on")
    went_on = any(line["type"] == "assistant" for line in lines[2:])  # and did not wait for an answer
    assert ("unanswered" in draft) is not went_on


ZONES = [("Asia/Shanghai", "2026-11-18 05:23"), ("Europe/Berlin", "2026-11-17 22:23"), ("America/Los_Angeles", "2026-11-17 13:23")]


@pytest.mark.parametrize(("zone", "here"), ZONES)
def test_moments_are_told_as_the_clock_on_the_wall_shows_them(
    tmp_path: Path, zone: str, here: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hosts write UTC. Told as it is, what was asked this morning would be of last night, beside a state that is dated by the clock."""
    asked = {**user("and now the rounding of the invoices"), "timestamp": "2026-11-17T21:23:00.000Z"}
    with monkeypatch.context() as there:
        there.setenv("TZ", zone)
        time.tzset()
        draft = drafted(tmp_path, [ASK, asked, *SOON])
    time.tzset()
    assert draft["timeline"][-1] == f"{here} User: and now the rounding of the invoices"
    assert f"(a wake-up, set {here})" in draft["status"]


def aimed(**status: object) -> Line:
    """What the host writes down of the aim that the user has set."""
    return {"type": "attachment", "attachment": {"type": "goal_status", "condition": "all tests pass", **status}}


def commanded(words: str) -> Line:
    """A slash command with its arguments."""
    return user(f"<command-name>/goal</command-name>\n<command-message>goal</command-message>\n<command-args>{words}</command-args>")


SET = [aimed(met=False, sentinel=True), commanded("all tests pass"), agent("I begin.")]
AIM = "The host lets the agent stop only when this holds: “all tests pass”"
AIMS: dict[str, tuple[list[Line], str]] = {
    "set": (SET, AIM),
    "not yet reached": ([*SET, aimed(met=False, reason="2 of 40 fail")], f"{AIM} (still lacking: 2 of 40 fail)"),
    "reached": ([*SET, aimed(met=False, reason="2 of 40 fail"), aimed(met=True, reason="all pass", iterations=3)], ""),
    "given up by the host": ([*SET, aimed(met=False, failed=True, reason="too many turns")], ""),
    "cleared by the user": ([*SET, aimed(met=True, sentinel=True), commanded("clear")], ""),
}  # fmt: skip


@pytest.mark.parametrize("case", AIMS)
def test_the_aim_without_which_the_host_lets_nobody_stop_is_said(tmp_path: Path, case: str) -> None:
    """It holds on over any number of compactions, and what it still lacks is what is to be done."""
    lines, status = AIMS[case]
    draft = drafted(tmp_path, [ASK, *lines])
    assert draft.get("status", "") == status
    assert draft["task"].startswith("/goal all tests pass")


def test_what_a_review_has_found_is_what_the_agent_said(tmp_path: Path) -> None:
    """The host shows it, and the agent does not say it again: who asks for “the second one” means this list."""
    findings = [{"file": "src/rates.py", "line": 12, "summary": "rounds twice", "failure_scenario": "10.005 becomes 10.02"}, {"file": "src/cart.py", "summary": "leaks a session", "outcome": "fixed"}]
    lines = [ASK, call("f", "ReportFindings", level="high", findings=findings), result("f", "2 findings reported.")]
    assert drafted(tmp_path, lines)["exchanges"][-1] == "Assistant: Findings of the review: 1. src/rates.py:12: rounds twice; 10.005 becomes 10.02 2. src/cart.py: leaks a session (fixed)"
    assert "exchanges" in drafted(tmp_path, [ASK, call("f", "ReportFindings", findings=[]), result("f", "0 findings reported.")])
    draft = drafted(tmp_path, [*lines, user("fix the first one")])
    assert "rounds twice" in draft["task"]


OTHERS = "check the weekly build"
SAID: dict[str, tuple[list[Line], str]] = {
    "of another session": ([queued(OTHERS), delivered(OTHERS)], ""),
    "of another session, in an older version": ([queued(OTHERS), delivered(OTHERS, turnOrigin=None)], ""),
    "of another session, and the agent answers": ([queued(OTHERS), delivered(OTHERS), agent("It is green.")], ""),
    "by the user": ([queued(OTHERS), {**user(OTHERS), "promptSource": "typed", "turnOrigin": "human"}], OTHERS),
    "by the user, and not yet delivered": ([queued(OTHERS)], OTHERS),
    "by the user, in the words of a job": ([*DAILY, {**user(PROMPT), "promptSource": "typed", "turnOrigin": "human"}], PROMPT),
}  # fmt: skip


@pytest.mark.parametrize("case", SAID)
def test_a_prompt_that_nobody_said_answers_nothing(tmp_path: Path, case: str) -> None:
    """In the queue it looks like a person's words; what is delivered says whose it is."""
    lines, task = SAID[case]
    draft = drafted(tmp_path, [ASK, WAITS, *lines])
    assert draft["task"].startswith(task or "release the new rates")
    if not task:
        assert draft["unanswered"] == ("Shall I round per line or per invoice?",)
        assert OTHERS not in told(draft)
