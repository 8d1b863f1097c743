"""Gemini CLI's hooks: the real command with the payloads that the host sends, beside a transcript as the host writes it."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from conftest import Holdfast
from holdfast.hosts import gemini
from sessions import STORY, Machine, Turn
from sessions import gemini as written

SESSION = "1b2c3d4e-0000-4000-8000-000000000002"
CONSTRAINT = "never touch old invoices"


class Host:
    """Gemini CLI with a session under way, which began a minute ago."""

    def __init__(self, machine: Machine, workspace: Path, holdfast: Holdfast) -> None:
        self.machine, self.workspace, self.run = machine, workspace, holdfast
        self.path = machine.path("gemini", SESSION)
        self.path.parent.mkdir(parents=True)
        (self.path.parent.parent / ".project_root").write_text(str(workspace))
        self.clock, self.count = time.time() - 60, 0

    def begins(self, turns: tuple[Turn, ...] = STORY) -> None:
        """Turns that were had in this session."""
        begin = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(self.clock - 300))
        self.path.write_text("".join(json.dumps(entry) + "\n" for entry in written(SESSION, "", turns, begin)))

    def writes(self, **entry: Any) -> None:
        """One more record, a second later."""
        self.clock, self.count = self.clock + 1, self.count + 1
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S.250Z", time.gmtime(self.clock))
        with self.path.open("a") as file:
            file.write(json.dumps({"id": f"more{self.count}", "timestamp": stamp, **entry} if "type" in entry else entry) + "\n")

    def compresses(self, summary: str = "We set rates.") -> None:
        """The list of messages in the place of all others, as at a compression and at each resume."""
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S.500Z", time.gmtime(self.clock))
        text = f"<state_snapshot>{summary}</state_snapshot>"
        self.writes(**{"$set": {"messages": [{"id": "s", "timestamp": stamp, "type": "user", "content": [{"text": text}]}]}})

    def fire(self, event: str, **more: str) -> str:
        """One hook; what the model is given."""
        about = {"session_id": SESSION, "transcript_path": str(self.path), "cwd": str(self.workspace), "hook_event_name": event}
        answer = self.run("hook", "gemini", stdin=json.dumps({**about, **more}).encode())
        assert (answer.code, answer.err) == (0, "")
        if not answer.out:
            return ""
        reply = json.loads(answer.out)["hookSpecificOutput"]
        assert reply["hookEventName"] == event
        return str(reply["additionalContext"])

    def did(self) -> list[str]:
        """What the hooks did."""
        receipts = self.workspace / ".holdfast" / "receipts.jsonl"
        return [json.loads(line)["did"] for line in receipts.read_text().splitlines()]


@pytest.fixture
def host(tmp_path: Path, workspace: Path, holdfast: Holdfast) -> Host:
    """A host, and a workspace of its own."""
    workspace.mkdir()
    return Host(Machine(tmp_path / "home"), workspace, holdfast)


MEANT = [
    ("BeforeAgent", {}, "prompt"),
    ("AfterTool", {}, "tool"),
    ("AfterAgent", {}, "turn"),
    ("PreCompress", {"trigger": "auto"}, "turn"),
    ("PreCompress", {"trigger": "manual"}, "before-compaction"),
    ("SessionEnd", {"reason": "exit"}, "end"),
    ("SessionStart", {"source": "startup"}, ""),
    ("BeforeModel", {}, ""),
    ("AfterCompress", {}, "unknown"),
]


@pytest.mark.parametrize(("event", "more", "meant"), MEANT)
def test_each_event_means_one_thing(event: str, more: dict[str, str], meant: str) -> None:
    """What we do not know is said to be unknown, and not guessed."""
    call = gemini.read({"hook_event_name": event, "session_id": "s", **more}, "")
    assert (call.event, call.name) == (meant, event if meant == "unknown" else "")


def test_what_a_hook_said_at_the_start_is_not_taken_for_the_users_words() -> None:
    """Without a terminal the host puts it before the prompt."""
    prompt = "<hook_context>you forgot &lt;all&gt;\nof it</hook_context>\n\nnow add a test"
    assert gemini.read({"hook_event_name": "BeforeAgent", "prompt": prompt}, "").prompt == "now add a test"


@pytest.mark.parametrize("event", ["BeforeAgent", "AfterTool"])
def test_a_compression_is_noticed_by_the_next_hook_that_can_speak(host: Host, event: str) -> None:
    """Once: nothing else tells of it. A resume writes the same snapshot again, with a new time, and is none."""
    host.begins()
    host.fire("PreCompress", trigger="auto")
    assert host.fire(event, prompt="go on") == ""
    host.compresses()
    given = host.fire(event, prompt="go on")
    assert "Context was compacted" in given
    assert CONSTRAINT in given
    host.clock = time.time() + 5
    host.compresses()
    assert host.fire(event, prompt="go on") == ""
    host.compresses("We rounded sums.")
    assert CONSTRAINT in host.fire(event, prompt="go on")


def test_a_session_begins_with_where_the_last_one_left_off(host: Host) -> None:
    """A note of what is open, with the first prompt, and not with the second; what the last session had is saved, though no hook
    saw it.
    """
    host.machine.had("gemini", host.workspace)
    host.path.write_text(json.dumps({"sessionId": SESSION, "projectHash": "0" * 64, "kind": "main"}) + "\n")
    assert host.fire("SessionStart", source="startup") == ""
    given = host.fire("BeforeAgent", prompt="hello")
    assert given.startswith("# Open in this project (Holdfast)")
    assert CONSTRAINT in given
    assert len(given) <= 1200
    host.writes(type="user", content=[{"text": "hello"}, {"text": f"<hook_context>{given}</hook_context>"}])
    assert host.fire("BeforeAgent", prompt="and now?") == ""


@pytest.mark.parametrize(("event", "prompted"), [("BeforeAgent", True), ("AfterTool", False)])
def test_a_question_that_the_prompt_may_answer_is_not_ordered_to_be_put_again(host: Host, event: str, prompted: bool) -> None:
    """It is shown as what was asked last, and put again only where these words do not answer it; in the midst of a turn, when the
    agent next speaks to the user.
    """
    host.begins(STORY[:1])
    host.writes(type="gemini", content="Shall I round per line or per invoice?")
    host.fire("AfterAgent", prompt_response="Shall I round per line or per invoice?")
    host.compresses()
    given = host.fire(event, **({"prompt": "per line"} if prompted else {}))
    asked, waits = "Asked last, word for word:\n- Shall I round", "Unanswered, word for word:\n- Shall I round"
    assert (asked in given, waits in given) == (prompted, not prompted)
    assert ("Put the unanswered question above then" in given) == (not prompted)
    assert ("Where the user's message does not answer the question that was asked last, put it again" in given) == prompted


def test_what_comes_often_writes_once(host: Host) -> None:
    """PreCompress before each turn of the model, SessionEnd three times: one record each, and one block in the day."""
    host.begins()
    for _ in range(3):
        host.fire("PreCompress", trigger="auto")
    for _ in range(3):
        host.fire("SessionEnd", reason="exit")
    assert [what.split()[0] for what in host.did()] == ["saved", "nothing", "nothing", "saved", "nothing", "nothing"]
    (day,) = host.workspace.glob("memory/20*.md")
    assert day.read_text().count("[SNAPSHOT] Session") == 1


def test_what_was_looked_at_between_two_saves_is_not_called_somebody_elses(host: Host) -> None:
    """A hook that only looks must not make of the transcript's own words what an agent has set, and what stays for good."""
    host.begins(STORY[:1])
    host.fire("AfterAgent")
    host.writes(type="user", content=[{"text": "now round the sums of each invoice to cents"}])
    host.fire("AfterTool")
    host.fire("AfterAgent")
    host.writes(type="user", content=[{"text": "and write a page about it"}])
    host.compresses()
    given = host.fire("BeforeAgent", prompt="go on")
    assert "as set" not in given
    assert "Working on: and write a page about it" in given


@pytest.mark.parametrize(("text", "said"), [("a < b", True), ("a > b", True), ("a = b", False)])
def test_signs_that_the_host_escapes_are_explained(text: str, said: bool) -> None:
    """Whoever copies `&gt;` into a shell has another command."""
    call = gemini.read({"hook_event_name": "BeforeAgent"}, "")
    given = json.loads(gemini.reply(call, text))["hookSpecificOutput"]["additionalContext"]
    assert given.endswith(text)
    assert ("&gt;" in given) is said


@pytest.mark.parametrize("stdin", [b"", b"{", b"[]", b"\xff\x00", b'{"session_id": 3}', b'{"hook_event_name": ["x"]}'])
def test_garbage_is_answered_with_silence(host: Host, stdin: bytes) -> None:
    """What is printed and is no reply would be shown to the user."""
    answer = host.run("hook", "gemini", "BeforeAgent", stdin=stdin)
    assert (answer.code, answer.out) == (0, "")
