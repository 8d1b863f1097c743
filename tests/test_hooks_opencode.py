"""opencode's hooks: what the plugin tells the real command, beside a database as the host writes it."""

from __future__ import annotations

import json
import re
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest

from conftest import Holdfast
from kept_receipts import by_hooks
from sessions import NUMBER, Machine

SESSION = NUMBER.format(1)
CONSTRAINT = "never touch old invoices"


class Host:
    """opencode with one session, had in a folder that nobody set up."""

    def __init__(self, machine: Machine, workspace: Path, holdfast: Holdfast) -> None:
        self.workspace, self.run = workspace, holdfast
        machine.had("opencode", workspace)
        self.database = machine.home / ".local/share/opencode/opencode.db"

    def compacts(self) -> None:
        """As the host writes it down: a part that says so, and the summary."""
        base = sqlite3.connect(self.database)
        now = int(time.time() * 1000)
        rows = ({"role": "user"}, {"type": "compaction"}), (
            {"role": "assistant", "summary": True}, {"type": "text", "text": "We set rates."},
        )  # fmt: skip
        for number, (message, part) in enumerate(rows):
            about = {**message, "time": {"created": now, "completed": now}}
            base.execute("INSERT INTO message VALUES (?, ?, ?)", (f"z{number}", SESSION, json.dumps(about)))
            base.execute("INSERT INTO part VALUES (?, ?, ?, ?)", (f"pz{number}", f"z{number}", SESSION, json.dumps(part)))
        base.commit()
        base.close()

    def fire(self, event: str, session: str = SESSION, **more: Any) -> str:
        """What the plugin is given to pass on."""
        answer = self.run("hook", "opencode", event, stdin=json.dumps({"session_id": session, **more}).encode())
        assert (answer.code, answer.err) == (0, "")
        return answer.out

    def receipt(self) -> str:
        """What the last hook did."""
        return str(by_hooks(self.workspace / ".holdfast" / "receipts.jsonl")[-1]["did"])


@pytest.fixture
def host(tmp_path: Path, workspace: Path, holdfast: Holdfast) -> Host:
    """A host at work."""
    workspace.mkdir()
    return Host(Machine(tmp_path / "home"), workspace, holdfast)


def test_the_database_is_found_by_the_session(host: Host) -> None:
    """The plugin names no file; the turn is saved, and so is the end, once."""
    assert host.fire("turn") == ""
    assert host.receipt().startswith("saved")
    for event, did in (("turn", "nothing new"), ("end", "saved"), ("end", "nothing new")):
        assert host.fire(event) == ""
        assert host.receipt().startswith(did)


def test_the_summariser_hears_the_names_and_the_next_request_has_the_brief(host: Host) -> None:
    """Plain words in both: the plugin passes on what is printed."""
    names = host.fire("before-compaction")
    assert "/w/rates.py" in names
    assert not names.startswith("{")
    host.compacts()
    assert host.fire("after-compaction") == ""
    assert "the host's summary kept" in host.receipt()
    brief = host.fire("start", source="compact")
    assert brief.startswith("# Where we left off (Holdfast)")
    assert CONSTRAINT in brief


def test_a_session_that_is_resumed_gets_what_its_conversation_has_lost(host: Host) -> None:
    """Nothing while it was never compacted; afterwards each time the same, for a system prompt is kept nowhere."""
    host.fire("turn")
    assert host.fire("start", source="resume") == ""
    host.compacts()
    host.fire("turn")
    first = host.fire("start", source="resume")
    assert CONSTRAINT in first
    assert host.fire("start", source="resume") == first


@pytest.mark.parametrize(("prompt", "asks"), [("you forgot what I said about old invoices", True), ("now add a test", False)])
def test_a_prompt_gets_something_only_where_it_asks_for_the_past(host: Host, prompt: str, asks: bool) -> None:
    """Also after a compaction: that brief stands in the system prompt."""
    host.fire("turn")
    host.compacts()
    assert bool(host.fire("prompt", prompt=prompt)) is asks


BECAME = [
    ("arrived", "arrived", False), ("cut", "cut", False), ("vanished", "vanished", True),  # which is offered once more
    ("from the future", None, False), (None, None, False), (["arrived"], None, False),
]  # fmt: skip


@pytest.mark.parametrize(("told", "known", "again"), BECAME)
def test_what_became_of_a_brief_is_known_by_what_the_plugin_saw(host: Host, told: Any, known: str | None, again: bool) -> None:
    """The host writes no system prompt down. Of a brief that was given since, or of none of ours, that says nothing."""
    host.fire("turn")
    host.compacts()
    (mark,) = re.findall(r"(?m)^--- memory (\w+) ---$", host.fire("start", source="compact"))
    host.fire("turn", seen={"0123456789": "vanished"})
    host.fire("turn", seen={mark: told})
    host.fire("turn", seen={mark: told})
    kept = by_hooks(host.workspace / ".holdfast" / "receipts.jsonl")
    assert [one["delivery"] for one in kept if "delivery" in one] == ([{"mark": mark, "is": known}] if known else [])
    assert bool(host.fire("prompt", prompt="now add a test")) is again


@pytest.mark.parametrize("odd", ["arrived", 3, ["arrived"], None])
def test_what_the_plugin_cannot_have_seen_is_passed_over(host: Host, odd: Any) -> None:
    """An older plugin, or one that somebody has changed."""
    host.fire("turn", seen=odd)
    assert host.receipt().startswith("saved")


def test_a_new_session_is_told_where_the_last_one_left_off(host: Host) -> None:
    """What no hook has seen of it is saved."""
    assert CONSTRAINT in host.fire("start", "ses_new", source="startup")


@pytest.mark.parametrize("stdin", [b"", b"{}", b"{", b"[]", b'{"session_id": ""}'])
@pytest.mark.parametrize("event", ["turn", "start", "from-the-future"])
def test_what_was_cut_off_is_nobodys_session(host: Host, event: str, stdin: bytes) -> None:
    """A host that ends may have sent nothing yet: nothing is printed, and nothing saved under some other name."""
    answer = host.run("hook", "opencode", event, stdin=stdin)
    assert (answer.code, answer.out) == (0, "")
    assert not list(host.workspace.rglob("memory/*.md"))
