"""What Codex itself writes down when somebody goes back, forks, stops it, is asked, or lets it run scripts and other agents; and
what we tell of it.

As in test_codex.py, with a model that Codex knows by its name: it gives that one scripts in the place of tools.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hosts.test_codex import BRIEF, SETTINGS, Client, Host

MODEL = "gpt-6.1-sol"
ASK = "set the reduced rate to 7 percent, and never touch the old invoices"
PATCH = "*** Begin Patch\n*** {} File: {}\n{}*** End Patch"


class Thread(Client):
    """One process of Codex that offers all that it can do with a session."""

    def __enter__(self) -> Thread:
        about = {"name": "test", "title": "test", "version": "1"}
        self.ask("initialize", clientInfo=about, capabilities={"experimentalApi": True})
        return self

    def stopped(self, prompt: str, begun: Path) -> None:
        """A turn that the user stops as soon as what it runs has made a file."""
        given = [{"type": "text", "text": prompt}]
        turn = self.ask("turn/start", threadId=self.session, input=given)["turn"]["id"]
        patience = time.monotonic() + 60
        while not begun.exists() and time.monotonic() < patience:
            time.sleep(0.05)
        self.ask("turn/interrupt", "turn/completed", threadId=self.session, turnId=turn)


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    """A host with us in it, and with the model that is given scripts."""
    found = Host(tmp_path)
    found.config.write_text(SETTINGS.format(url=found.model.url).replace('"a-model"', f'"{MODEL}"'))
    found.holdfast("init", "codex", "--yes")
    found.trust_all()
    yield found
    found.model.close()


def patch(how: str, path: str, text: str = "") -> str:
    """A script that changes a file."""
    return f"SCRIPT: text(await tools.apply_patch({json.dumps(PATCH.format(how, path, text))}));"


def brief_after_compaction(codex: Thread) -> str:
    """What the model is given when the context is cut."""
    codex.compact()
    asked = codex.says("go on")
    assert asked.count(BRIEF) == 1
    return asked[asked.index(BRIEF) :]


def test_who_goes_back_or_forks_has_the_past_and_not_what_was_taken_back(host: Host) -> None:
    """Each begins a file that copies nothing; what was done in the turn that was taken back is done."""
    with Thread(host) as codex:
        codex.says(ASK)
        codex.says(f"always use mongo, and never sqlite\n{patch('Add', 'store.py', '+x = 1' + chr(10))}")
        codex.ask("thread/revert", threadId=codex.session, beforeTurnId=codex.turn)
        codex.says("use postgres, and never a file")
        forked = codex.ask("thread/fork", threadId=codex.session)["thread"]["id"]
        brief = brief_after_compaction(codex)
        for fact in ("never touch the old invoices", "use postgres, and never a file", "store.py"):
            assert fact in brief
        assert "mongo" not in brief
        first, codex.session = codex.session, forked
        codex.says("in the fork, try redis")
        brief = brief_after_compaction(codex)
        assert "never touch the old invoices" in brief
        assert "in the fork, try redis" in brief
    assert "in the fork" not in host.holdfast("recover", "--session", first)
    assert [receipt["did"] for receipt in host.receipts() if "failed" in receipt] == []


def test_what_scripts_have_done_is_told_and_what_was_stopped_is_not_done(host: Host) -> None:
    """A command that a script puts together, a file that it deletes; a command that the user stops in its midst."""
    git = "git init -q . && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m"
    loop = f"for (const what of ['Round']) {{ await tools.exec_command({{cmd: `{git} '${{what}} sums'`}}); }}"
    with Thread(host) as codex:
        codex.says(f"{ASK}\n{patch('Add', 'old.py', '+x = 1' + chr(10))}")
        codex.says(f"commit it\nSCRIPT: {loop}")
        codex.says(f"drop the old module\n{patch('Delete', 'old.py')}")
        begun = host.project / "begun"
        wait = "{cmd: 'touch begun; sleep 60; npm publish', yield_time_ms: 30000}"
        codex.stopped(f"publish it\nSCRIPT: const r = await tools.exec_command({wait}); text(r.output);", begun)
        told = host.holdfast("recover", "--session", codex.session)
    assert "commit “Round sums”" in told
    assert "- deleted: old.py" in told
    assert "the user interrupted this" in told
    assert "Last error" not in told
    assert not [line for line in told.split("\n") if "npm publish" in line and "SCRIPT" not in line]


def test_what_is_asked_without_waiting_is_told_until_it_is_answered(host: Host) -> None:
    """The answer comes as words, in a form of the host's where it was given beside the question."""
    title = "Shall the old invoices be rounded too?"
    asked = json.dumps({"questions": [{"title": title, "options": ["yes", "no"]}, {"title": "Which currency?"}]})
    reply = json.dumps([{"answer": "no", "question": title, "questionItemId": "[]"}])
    with Thread(host) as codex:
        codex.says(f"{ASK}\nTOOL: functions/request_user_input_async {asked}")
        told = host.holdfast("recover", "--session", codex.session)
        assert f"{title} (yes / no)" in told
        codex.says(f"<send_user_message_question_reply>\n{reply}\n</send_user_message_question_reply>")
        told = host.holdfast("recover", "--session", codex.session)
    assert f"{title} → no" in told
    assert "Which currency?" in told
    assert "send_user_message" not in told


@pytest.mark.parametrize("past", ["none", "all"])
def test_what_an_agent_did_that_was_given_a_name_is_told(host: Host, past: str) -> None:
    """With or without the past of the one that called it."""
    task = json.dumps({"task_name": "sums", "message": patch("Add", "sums.py", "+x = 1\n"), "fork_turns": past})
    with Thread(host) as codex:
        codex.says(f"{ASK}\nTOOL: collaboration/spawn_agent {task}")
        codex.says('go on\nTOOL: collaboration/wait_agent {"timeout_ms": 20000}')
        told = host.holdfast("recover", "--session", codex.session)
    assert "`sums.py`: edited 1 time by a subagent" in told
    assert "Subagent (subagent: sums): The rate is set." in told
    assert [receipt["did"] for receipt in host.receipts() if "failed" in receipt] == []


def test_a_goal_is_what_the_user_asks_for_and_the_turns_that_it_begins_are_not(host: Host) -> None:
    """The host lets the agent go on by itself, until it is told otherwise; what waits for the user still does."""
    aim = "every rate test passes, and no old invoice is touched"
    must_hold = f"The host lets the agent stop only when this holds: “{aim}”"
    with Thread(host) as codex:
        codex.says(ASK)
        codex.ask("thread/goal/set", "turn/completed", threadId=codex.session, objective=aim, status="active")
        told = host.holdfast("recover", "--session", codex.session)
        codex.ask("thread/goal/set", threadId=codex.session, status="paused")
        paused = host.holdfast("recover", "--session", codex.session)
    assert f"/goal {aim}" in told
    assert must_hold in told
    assert "Continue working toward the active thread goal" not in told
    assert "Unanswered, word for word:\n- Shall I round per line or per invoice?" in told
    assert must_hold not in paused
    assert f"/goal {aim}" in paused
