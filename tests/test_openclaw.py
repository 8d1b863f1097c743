"""OpenClaw's side of Holdfast without OpenClaw: what its plugin says, as its host would say it, and what comes of it."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from holdfast import __version__
from holdfast.cli import Words
from holdfast.config import SETTINGS, Config, read_config
from holdfast.hooks.gateway import HEADING, answered
from holdfast.hooks.mishaps import kept_elsewhere
from holdfast.hooks.receipts import by_host, read
from holdfast.mcp.offered import for_openclaw
from holdfast.memory import Memory
from holdfast.storage.disk import Folder, Lock
from holdfast.transcripts.words import without_ours

PLUGIN = Path(__file__).parent.parent / "src" / "holdfast" / "integrations" / "openclaw"
SHARED = Path(__file__).parents[2] / "shared" / "hosts" / "samples" / "openclaw"
MAIN = "agent:main:main"
BRIEF = "# Where we left off (Holdfast)"
RATE = "set the reduced rate to 7 percent, and never touch the old invoices"
QUESTION = "The rate is set.\n\nShall I round per line or per invoice?"


class Host:
    """A gateway with a workspace, a database, and one of us that remembers which sessions it has looked through."""

    def __init__(self, folder: Path) -> None:
        self.workspace, self.state = folder / "workspace", folder / "state"
        self.workspace.mkdir()
        (self.state / "agents" / "main" / "agent").mkdir(parents=True)
        self.database = self.state / "agents" / "main" / "agent" / "openclaw-agent.sqlite"
        self.env = {"HOME": str(folder / "home"), "PATH": os.environ["PATH"], "OPENCLAW_STATE_DIR": str(self.state)}
        self.looked: set[str] = set()
        with closing(sqlite3.connect(self.database)) as database, database:
            database.executescript(
                "CREATE TABLE session_nodes (session_key TEXT PRIMARY KEY, current_session_id TEXT, updated_at INTEGER);"
                "CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, event_zstd BLOB);"
            )

    def adds(self, entry: dict[str, Any] | None, session: str = MAIN, packed: bytes | None = None) -> None:
        """An entry that the host writes down."""
        text = json.dumps({"timestamp": f"2026-11-15T10:00:{self.rows():02d}.000Z", **entry}) if entry else None
        with closing(sqlite3.connect(self.database)) as database, database:
            database.execute("INSERT OR REPLACE INTO session_nodes VALUES (?, ?, 1)", (session, f"id of {session}"))
            database.execute("INSERT INTO transcript_events VALUES (?, ?, ?, ?)", (f"id of {session}", self.rows(), text, packed))

    def rows(self) -> int:
        """How many entries there are."""
        with closing(sqlite3.connect(self.database)) as database, database:
            return int(database.execute("SELECT count(*) FROM transcript_events").fetchone()[0])

    def says(self, text: str, reply: str = QUESTION, session: str = MAIN) -> None:
        """A turn that the host writes down."""
        self.adds({"type": "message", "message": {"role": "user", "content": text}}, session)
        content = [{"type": "text", "text": reply}]
        self.adds({"type": "message", "message": {"role": "assistant", "content": content}}, session)

    def tells(self, event: str, session: str = MAIN, **more: Any) -> dict[str, Any]:
        """One hook; the answer."""
        said = {"event": event, "sessionKey": session, "agentId": "main", "workspace": str(self.workspace), **more}
        return answered(Words("hook", ["openclaw"], {}), self.env, said, self.looked)

    def turn(self, text: str, session: str = MAIN) -> dict[str, Any]:
        """A whole turn; what was put into its prompt."""
        given = self.tells("before_prompt_build", session, prompt=text, trigger="user")
        self.says(text, session=session)
        self.tells("agent_end", session, trigger="user", delivered=given.get("mark", ""))
        return given

    def file(self, name: str) -> str:
        """A file of the workspace; empty where there is none."""
        path = self.workspace / name
        return path.read_text() if path.exists() else ""

    def day(self) -> str:
        """The days' files, one behind the other."""
        return "".join(path.read_text() for path in sorted((self.workspace / "memory").glob("20*.md")))

    def did(self, event: str) -> list[str]:
        """What our hooks did."""
        lines = map(json.loads, self.file(".holdfast/receipts.jsonl").splitlines())
        return [line["did"] for line in lines if line["event"] == event]

    def receipts(self) -> list[dict[str, Any]]:
        """All of them."""
        return read(self.file(".holdfast/receipts.jsonl").splitlines())

    def process(self, *words: str) -> subprocess.Popen[bytes]:
        """Us, as the plugin starts us."""
        argv = [sys.executable, "-m", "holdfast", "hook", "openclaw", *words]
        return subprocess.Popen(argv, env=self.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


@pytest.fixture
def host(tmp_path: Path) -> Host:
    """A host at work."""
    return Host(tmp_path)


# ---- what is left alone ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("event", ["before_prompt_build", "agent_end", "before_compaction", "before_reset", "session_end"])
@pytest.mark.parametrize(
    ("session", "about"),
    [
        (MAIN, {"trigger": "heartbeat"}),
        (MAIN, {"trigger": "cron"}),
        (MAIN, {"trigger": "memory"}),
        (MAIN, {"provenance": "internal_system"}),
        ("agent:main:cron:17:run:4", {}),
        ("agent:main:subagent:17", {}),
        ("agent:main:internal-session-effects:17", {}),
        ("agent:main:discord:group:4", {"ignoreSessions": ["agent:*:group:*"]}),
    ],
)
def test_runs_that_nobody_has_with_a_person_leave_nothing(host: Host, event: str, session: str, about: dict[str, Any]) -> None:
    """A6: no file, no topic, not even a receipt."""
    host.says(RATE, session=session)
    assert host.tells(event, session, prompt="you forgot", reason="new", **about) == {}
    assert list(host.workspace.iterdir()) == []


@pytest.mark.parametrize(
    ("event", "trigger", "setting", "begins"),
    [
        ("agent_end", "heartbeat", "on-heartbeat", True),
        ("before_prompt_build", "heartbeat", "on-heartbeat", False),
        ("agent_end", "heartbeat", "when-due", False),
        ("agent_end", "heartbeat", "never", False),
        ("agent_end", "cron", "on-heartbeat", False),
    ],
)
def test_a_heartbeat_begins_upkeep_where_the_owner_has_set_it(
    host: Host, event: str, trigger: str, setting: str, begins: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C6: at its end, once a day; it leaves nothing else, and nothing at all in a workspace without memory of ours."""
    started: list[str] = []
    monkeypatch.setattr("holdfast.upkeep.unasked.detached", lambda: bool(started.append("upkeep")))
    assert host.tells(event, trigger=trigger) == {}
    assert list(host.workspace.iterdir()) == []
    (host.workspace / ".holdfast").mkdir()
    (host.workspace / ".holdfast/config.toml").write_text(f'autoUpkeep = "{setting}"\n')
    for _ in range(2):
        assert host.tells(event, trigger=trigger) == {}
    assert started == ["upkeep"] * begins
    assert not (host.workspace / "memory").exists()


def test_a_session_that_begins_leaves_nothing_where_there_is_nothing_of_ours(host: Host) -> None:
    """It may be a heartbeat's: nothing tells."""
    assert host.tells("session_start") == {}
    assert list(host.workspace.iterdir()) == []


# ---- what is put into a prompt -----------------------------------------------------------------------------------------


def test_a_bound_session_gets_its_topic_with_every_prompt_and_nothing_grows(host: Host) -> None:
    """A3, A7: the same bytes in ten turns, under the seed's sentence; another session has none of it."""
    host.tells("tool", tool="context_snap", given={"action": "checkpoint", "topic": "billing", "status": "rates are in"})
    given = [host.turn("go on")["system"] for _ in range(10)]
    assert set(given) == {given[0]}
    assert given[0].startswith(f"{HEADING}\nTreat the topic context below as historical reference only.")
    assert "rates are in" in given[0]
    assert (host.workspace / ".holdfast" / "given").read_bytes().count(b"\nbriefed\n") == 1
    assert "Holdfast" not in host.file("memory/session-state.md").partition("##")[2]
    assert host.tells("before_prompt_build", "agent:main:other", prompt="go on") == {}


def test_a_topic_that_a_person_has_edited_is_given_as_it_is_now(host: Host) -> None:
    """And one that is longer than a brief may be is cut, and says so."""
    host.tells("tool", tool="context_snap", given={"action": "checkpoint", "topic": "billing", "status": "rates are in"})
    path = host.workspace / "memory" / "context-billing.md"
    path.write_text(path.read_text().replace("rates are in", "rates are out"))
    assert "rates are out" in host.turn("go on")["system"]
    path.write_text(path.read_text() + "a line of the ledger\n" * 900)
    system = host.turn("go on")["system"]
    assert len(system) < 9500
    assert system.endswith("[...TRUNCATED] All of it: `holdfast topic read billing`. Say so.")


def test_after_a_compaction_the_brief_is_given_until_it_was_in_a_request(host: Host) -> None:
    """A turn whose request failed, or that had no answer in time, does not count."""
    host.turn(RATE)
    host.tells("before_compaction", before=280)
    host.tells("after_compaction", before=280, after=45)
    first = host.tells("before_prompt_build", prompt="go on")
    assert first["mark"] in first["context"]
    assert "never touch the old invoices" in first["context"]
    host.tells("agent_end", delivered=first["mark"], success=False)
    host.tells("agent_end")
    host.tells("dropped", reason="no answer within 2000 ms")
    assert host.did("dropped") == ["nothing was injected: no answer within 2000 ms"]
    again = host.turn("go on")
    assert BRIEF in again["context"]
    assert "context" not in host.turn("and then?")


def test_a_question_that_the_prompt_may_answer_is_not_ordered_to_be_put_again(host: Host) -> None:
    """It is shown as what was asked last, and put again only where these words do not answer it."""
    host.turn(RATE)
    host.tells("after_compaction")
    given = host.tells("before_prompt_build", prompt="the second, please")["context"]
    assert "Asked last, word for word:\n- " in given
    assert "Shall I round per line or per invoice?" in given
    assert "Put the unanswered question" not in given
    assert "does not answer the question that was asked last, put it again" in given


def test_a_compaction_within_a_turn_is_not_paid_off_by_the_brief_before_it(host: Host) -> None:
    """What was lost after a brief was given is still owed when that turn ends."""
    host.turn(RATE)
    host.tells("after_compaction")
    first = host.tells("before_prompt_build", prompt="go on")
    time.sleep(0.01)
    host.tells("after_compaction")
    host.tells("agent_end", delivered=first["mark"])
    assert BRIEF in host.turn("go on")["context"]


def test_a_session_of_which_nothing_is_known_is_told_nothing_of_another(host: Host) -> None:
    """A group's session must not begin with what was said in private, whatever it asks; nor with its own words as its past."""
    host.turn(RATE)
    other = "agent:main:discord:group:4"
    host.tells("session_end", other, reason="new")
    assert host.turn("you forgot what we were doing", other) == {}
    assert host.turn("go on", other) == {}


def test_a_boundary_that_no_hook_told_of_is_found_in_the_transcript(host: Host) -> None:
    """D6: we were not there; the first prompt that we see has the brief, and it is looked for once."""
    host.turn(RATE)
    host.adds({"type": "compaction", "summary": "They worked.", "timestamp": "2030-01-01T00:00:00.000Z"})
    assert host.tells("before_prompt_build", prompt="go on") == {}
    host.looked.clear()  # a gateway that was started anew
    assert "never touch the old invoices" in host.tells("before_prompt_build", prompt="go on")["context"]


def test_a_user_who_asks_for_the_past_gets_it(host: Host) -> None:
    """Within an ordinary turn, in the session's own words."""
    host.turn(RATE)
    assert "The user asks for what was before." in host.turn("you forgot what I told you about the invoices")["context"]


@pytest.mark.parametrize("session", [MAIN, "agent:main:discord:group:4", "agent:main:telegram:direct:42"])
@pytest.mark.parametrize("said", [("Do not remember this: Kim is ill.",), ("Kim is ill, poor thing.", "Off the record.")])
def test_what_is_not_to_be_remembered_is_in_no_file_and_no_brief(host: Host, said: tuple[str, ...], session: str) -> None:
    """In private and in a room; what was said around it is there."""
    host.turn(RATE, session)
    for text in said:
        host.says(text, "I am sorry that Kim is ill.", session=session)
    host.turn("and round the sums to cents", session)
    host.tells("before_reset", session)
    brief = host.tells("before_prompt_build", session, prompt="where were we?")["context"]
    assert ("reduced rate" in brief, "round the sums" in brief, "Kim" in brief) == (True, True, False)
    files = [path for path in host.workspace.rglob("*") if path.is_file()]
    assert [path for path in files if b"Kim" in path.read_bytes()] == []


# ---- what is saved -----------------------------------------------------------------------------------------------------


def test_an_unbound_session_is_bound_at_its_first_compaction(host: Host) -> None:
    """A4, A5: to a topic of its key, with both lines; also where nothing new was said, and then without a second snapshot."""
    host.turn(RATE)
    for _ in range(2):
        host.tells("before_compaction", before=280)
        host.tells("after_compaction", before=280, after=45)
    topic = host.file("memory/context-agent-main-main.md")
    assert topic.count("Auto-saved before compaction (280 messages)") == 2
    assert topic.count("Compaction completed (280→45 messages)") == 2
    assert json.loads(host.file("memory/context-session-map.json")) == {MAIN: "agent-main-main"}
    (day,) = (host.workspace / "memory").glob("20*.md")
    assert day.read_text().count("[SNAPSHOT] Session") == 1


def test_a_compaction_of_which_no_transcript_is_there_is_in_the_history_all_the_same(host: Host) -> None:
    """Both lines, once: also where the plugin is asked for the messages first."""
    host.database.unlink()
    assert host.tells("before_compaction", before=280, handsOver=True) == {"want": "messages"}
    host.tells("before_compaction", before=280, messages=[{"role": "user", "content": "hello"}])
    host.tells("after_compaction", before=280, after=45)
    host.tells("before_compaction", before=90)
    text = host.file("memory/context-agent-main-main.md")
    for line in ("Nothing to save before compaction (280 ", "Compaction completed (280→45 ", "Not saved before compaction (90 "):
        assert text.count(line) == 1, line


def test_a_reset_gives_an_unbound_session_a_checkpoint_and_no_topic(host: Host) -> None:
    """A5; the end of the session that follows says nothing twice."""
    host.turn(RATE)
    host.tells("before_reset", reason="new", before=2)
    host.adds({"type": "reset", "reason": "new"})
    host.tells("session_end", reason="new")
    assert host.file("memory/context-session-map.json") == ""
    (day,) = (host.workspace / "memory").glob("20*.md")
    assert day.read_text().count("[SNAPSHOT] Session") == 1
    assert "The context was cleared." in host.turn("hello")["context"]


@pytest.mark.parametrize("event", ["before_compaction", "before_reset", "session_end"])
def test_what_the_user_has_plainly_said_goes_into_the_day_at_a_boundary(host: Host, event: str) -> None:
    """C10: by a process of its own, once; a turn that ends saves none of it."""
    said = "Always run the linter before you commit."
    host.says("mend the rates in rates.py")
    host.says(said)

    def told(event: str) -> None:
        about = {"event": event, "sessionKey": MAIN, "agentId": "main", "workspace": str(host.workspace), "reason": "new"}
        process = host.process()
        process.communicate(json.dumps(about).encode(), timeout=60)

    def notes() -> list[str]:
        days = (host.workspace / "memory").glob("20*.md")
        return [line for day in days for line in day.read_text().splitlines() if line == f"- [PREF] {said}"]

    told("agent_end")
    assert not [one for one in host.receipts() if one["event"] == "extract"]
    told(event)
    until = time.monotonic() + 60
    while not [one for one in host.receipts() if one["event"] == "extract"] and time.monotonic() < until:
        time.sleep(0.05)
    told(event)
    assert len(notes()) == 1


# ---- snapshot blocks that name no session ----

OTHER = "agent:main:heat"
TALK = "compare three heat pumps for the old house near Bremen, and never exceed 14,000 euros for all of it"
FLUSHED = """
<!-- BIG-MEMORY-SNAPSHOT v1 -->

### [SNAPSHOT] Active Goal
{goal}

### [SNAPSHOT] Next Steps
1. ask the plumber

<!-- /BIG-MEMORY-SNAPSHOT -->
"""
UNRELATED, CLOSE = "ship the CSV exporter", "compare three heat pumps for the house near Bremen, below 14,000 euros"


def wrote(host: Host, text: str) -> None:
    """Somebody, or the host's own flush, writes into today's file."""
    day = host.workspace / "memory" / time.strftime("%Y-%m-%d.md")
    day.write_text((day.read_text() if day.exists() else "") + text)


def brief_of(host: Host, session: str) -> str:
    """What a session is told of where it stands."""
    return str(host.tells("tool", session, tool="holdfast_recall", given={})["text"])


def merged(brief: str) -> bool:
    """Whether the block is a part of what the brief tells of its session."""
    return "ask the plumber" in brief


def flush(host: Host, session: str, text: str) -> None:
    """The host's own flush of a session, as the plugin tells of it."""
    host.tells("memory_flush", session, reason="begins")
    wrote(host, text)
    host.tells("memory_flush", session, reason="ended")


def early_flush(host: Host, session: str, text: str) -> None:
    """The same before the turn begins by which the plugin knows the session; another session has a turn in between."""
    flush(host, "flush:17", text)
    host.turn("good morning", "agent:main:fourth")
    host.tells("memory_flush", session, reason="named", words="flush:17")


BY_WHOM: dict[str, tuple[str, Any, list[str]]] = {
    "by a hand": (UNRELATED, wrote, []),
    "by a hand, about one of them": (CLOSE, wrote, [OTHER]),
    "by a flush": (UNRELATED, lambda host, text: flush(host, OTHER, text), [OTHER]),
    "by a flush before its turn": (UNRELATED, lambda host, text: early_flush(host, OTHER, text), [OTHER]),
    "by a flush of the other one": (UNRELATED, lambda host, text: flush(host, MAIN, text), [MAIN]),
}


@pytest.mark.parametrize("name", BY_WHOM)
def test_a_block_without_a_session_is_told_in_the_session_that_it_belongs_to(host: Host, name: str) -> None:
    """B13: and in no other; of one that belongs to none there is a line."""
    goal, write, whose = BY_WHOM[name]
    host.turn(RATE)
    host.turn(TALK, OTHER)
    write(host, FLUSHED.format(goal=goal))
    host.turn("thanks", "agent:main:third")
    for session in (MAIN, OTHER):
        host.tells("before_compaction", session, before=9)
        host.tells("after_compaction", session, before=9, after=2, seesFlushes=True)
    assert [session for session in (MAIN, OTHER) if merged(brief_of(host, session))] == whose
    assert [f"“{goal}”" in brief_of(host, session) for session in (MAIN, OTHER)] == [not whose, not whose]


ASKERS = [(MAIN, True), ("agent:main:telegram:direct:42", True), ("agent:main:discord:group:4", False)]


@pytest.mark.parametrize(("session", "is_told"), ASKERS)
@pytest.mark.parametrize("prompt", ["hello, what were we doing?", "you forgot"])
def test_who_comes_from_another_memory_and_asks_for_the_past_is_offered_its_block(
    host: Host, prompt: str, session: str, is_told: bool
) -> None:
    """B2: in the very first prompt, before anything of this session was saved; in private alone, and only where it is asked."""
    (host.workspace / "memory").mkdir()
    wrote(host, FLUSHED.format(goal=UNRELATED))
    assert host.tells("before_prompt_build", session, prompt="good morning", trigger="user") == {}
    given = host.tells("before_prompt_build", session, prompt=prompt, trigger="user").get("context", "")
    assert ("There is a snapshot without a session: from " in given, f"“{UNRELATED}”" in given) == (is_told, is_told)
    assert not merged(given)
    told = brief_of(host, session)
    assert f"There is no record of session {session} here." in told
    assert ("There is a snapshot without a session, from " in told) == is_told


SWITCHED = {  # what a person brings along: (files, commands at a terminal, what the brief has of it)
    "set at a terminal": ({}, [("task", "Paint the buoy"), ("decide", "it is red")], ["Paint the buoy", "it is red"]),
    "SESSION-STATE.md": (
        {"SESSION-STATE.md": "# Session State\n\n## Current Task\nPaint the buoy\n\n## Recent Decisions\n- it is red\n"},
        [],
        ["Paint the buoy", "it is red"],
    ),
    "a working buffer": (
        {"memory/working-buffer.md": "# Working Buffer\n\n## [2026-11-15 10:00] Human\npaint the buoy at Cuxhaven\n"},
        [],
        ["paint the buoy at Cuxhaven"],
    ),
    "MEMORY.md": ({"MEMORY.md": "# Memory\n\n- The buoy is painted red.\n"}, [], ["The buoy is painted red."]),
}


@pytest.mark.parametrize(("session", "is_told"), ASKERS)
@pytest.mark.parametrize("name", SWITCHED)
def test_the_first_prompt_that_asks_for_the_past_gets_what_recover_gives(
    host: Host, name: str, session: str, is_told: bool
) -> None:
    """Before anything of this session was saved. A room is told nothing of what its owner has set."""
    files, commands, told = SWITCHED[name]
    for path, text in files.items():
        (host.workspace / path).parent.mkdir(exist_ok=True)
        (host.workspace / path).write_text(text)
    for words in commands:
        run(host, *words)
    assert host.tells("before_prompt_build", session, prompt="good morning", trigger="user") == {}
    given = host.tells("before_prompt_build", session, prompt="where were we?", trigger="user").get("context", "")
    assert [text in given for text in told] == [is_told] * len(told)
    recalled = [brief_of(host, session), run(host, "recover", "--session", session)]
    assert [framed(text) for text in recalled] == [framed(given)] * 2


def run(host: Host, *words: str) -> str:
    """What a command prints at a terminal."""
    argv = [sys.executable, "-m", "holdfast", *words, "--workspace", str(host.workspace)]
    return subprocess.run(argv, env=host.env, capture_output=True, check=True, text=True).stdout


def framed(brief: str) -> str:
    """What stands inside the frame; empty where there is none."""
    return (*re.split(r"--- (?:memory|end) \w{10} ---\n", brief), "", "")[1]


def test_a_block_that_turns_up_before_a_compaction_is_of_the_session_that_is_compacted(host: Host) -> None:
    """Where the host's flushes are not told of: the one that after_compaction names."""
    host.turn(RATE)
    host.turn(TALK, OTHER)
    wrote(host, FLUSHED.format(goal=UNRELATED))
    host.tells("before_compaction", OTHER, before=9)
    host.tells("after_compaction", OTHER, before=9, after=2)
    host.tells("before_compaction", MAIN, before=9)
    host.tells("after_compaction", MAIN, before=9, after=2)
    assert merged(brief_of(host, OTHER))
    assert not merged(brief_of(host, MAIN))
    assert UNRELATED not in brief_of(host, MAIN)


def test_what_a_flush_has_noted_is_told_in_its_session_alone(host: Host) -> None:
    """Plain lines that the host's flush appends to the day; those of the owner's own hand are told in both."""
    host.turn(RATE)
    host.turn(TALK, OTHER)
    wrote(host, "- bought stamps\n")
    flush(host, OTHER, "- the boiler is from 1994\n")
    wrote(host, "- called the bank\n")
    for session, noted in ((MAIN, False), (OTHER, True)):
        brief = brief_of(host, session)
        assert ("the boiler is from 1994" in brief) == noted
        assert "bought stamps" in brief
        assert "called the bank" in brief


def test_a_session_that_follows_another_gets_the_brief_whatever_its_end_has_said(host: Host) -> None:
    """Until 2026.3 `/new` is told by nothing else. A session that just begins owes nothing, and one that is not known neither."""
    host.turn(RATE)
    host.tells("session_end")
    assert "context" not in host.tells("before_prompt_build", prompt="hello")
    host.tells("session_start")
    assert "context" not in host.tells("before_prompt_build", prompt="hello")
    host.tells("session_start", resumedFrom="s1")
    host.tells("session_start", "agent:main:other", resumedFrom="s1")
    assert "The context was cleared." in host.turn("hello")["context"]
    assert "context" not in host.turn("hello", "agent:main:other")


def test_who_sent_a_prompt_and_when_is_no_part_of_what_was_asked(host: Host) -> None:
    """Until 2026.3 it stands before the words."""
    envelope = 'Sender (untrusted metadata):\n```json\n{\n  "label": "you forgot"\n}\n```\n\n[Sun 2026-11-15 19:59 UTC] '
    host.turn(RATE)
    assert "context" not in host.tells("before_prompt_build", prompt=f"{envelope}go on")
    assert BRIEF in host.tells("before_prompt_build", prompt=f"{envelope}what were we doing?")["context"]


def test_what_cannot_be_read_is_asked_for(host: Host) -> None:
    """A row that is packed in a way that we cannot unpack: the messages are wanted, saved, and the same ones not told twice.

    Nothing is saved of the rest before: what is older than that would pass for known.
    """
    host.says(RATE)
    host.adds(None, packed=b"no zstd at all")
    assert host.tells("agent_end", handsOver=True) == {"want": "messages"}
    said = [RATE, "and never write to the archive"]
    messages = [{"role": "user", "content": text, "timestamp": 1794700000000 + at} for at, text in enumerate(said)]
    assert host.tells("agent_end", messages=messages) == {}
    assert said[1] in host.file("memory/session-state.md")
    host.tells("agent_end", messages=messages)
    assert host.did("agent_end")[1].startswith("saved ")
    assert host.did("agent_end")[2] == "nothing new to save"


def test_a_transcript_in_a_file_that_is_put_aside_is_followed(host: Host) -> None:
    """Until 2026.7 `/new` renames the file while the hooks run: what the turns before owed is told in the day, once."""
    host.database.unlink()
    path = host.state / "agents" / "main" / "sessions" / "s1.jsonl"
    path.parent.mkdir()
    content = [{"type": "text", "text": QUESTION}]
    messages = [{"role": "user", "content": RATE}, {"role": "assistant", "content": content}]
    lines = [{"type": "session", "version": 3, "id": "s1", "cwd": "/w"}]
    lines += [{"type": "message", "timestamp": "2026-11-15T10:00:00.000Z", "message": one} for one in messages]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    host.tells("agent_end", sessionId="s1")
    path.rename(f"{path}.reset.2026-11-15T19-58-00.661Z")
    host.tells("before_reset", sessionId="s1", sessionFile=str(path), reason="new")
    assert [did.partition(" ")[0] for event in ("agent_end", "before_reset") for did in host.did(event)] == ["saved", "saved"]
    (day,) = (host.workspace / "memory").glob("20*.md")
    assert day.read_text().count("[SNAPSHOT] Session") == 1


@pytest.mark.skipif(not SHARED.is_dir(), reason="the folder with recordings of the host is not beside the checkout")
@pytest.mark.parametrize(
    "name",
    [
        "2026.3.31-9f5ecb04-f211-40ea-a6dc-08747bd4e3c4.jsonl",
        "2026.7.1-b409efac-693a-4ef3-97cf-c6f95cd91078.jsonl.reset.2026-11-15T19-58-00.661Z",
    ],
)
def test_recorded_files_of_older_versions_are_read(host: Host, name: str) -> None:
    """What was asked is known, too little for a checkpoint; what the probe's plugin put before it is none of it."""
    host.database.unlink()
    host.tells("before_compaction", sessionFile=str(SHARED / name), before=8)
    (cursor,) = (host.workspace / ".holdfast" / "cursors").glob("*.json")
    asked = [request[1] for request in json.loads(cursor.read_text())["capture"]["requests"]]
    assert asked
    assert not [text for text in asked if "PROBE-" in text]
    assert "Auto-saved before compaction (8 messages)" in host.file("memory/context-agent-main-main.md")


@pytest.mark.parametrize("broken", ["a file in its place", "no such place", "garbage"])
def test_a_hook_that_fails_says_so_and_breaks_nothing(host: Host, broken: str) -> None:
    """A10."""
    about: dict[str, Any] = {}
    if broken == "a file in its place":
        (host.workspace / ".holdfast").write_text("mine")
    elif broken == "no such place":
        about = {"workspace": "/proc/nowhere"}
    else:
        about = {"sessionKey": 17, "agentId": ["x"], "messages": "none", "before": "many", "ignoreSessions": 4, "sessionId": None}
        about["sessionFile"] = "/a\0b/\ud83d"
        host.database.unlink()
    answer = host.tells("before_compaction", **about)
    assert ("error" in answer) == (broken != "garbage")
    assert "Traceback" not in json.dumps(answer)


def test_what_failed_is_in_the_receipt_and_the_next_brief_says_it_once(host: Host) -> None:
    """H2 in OpenClaw: a disk that refuses the checkpoint of a compaction; told by the brief behind it, and by none after that."""
    host.turn(RATE)
    host.says("and keep the archive as it is")
    (host.workspace / ".holdfast" / "journal").rename(host.workspace / ".holdfast" / "away")
    (host.workspace / ".holdfast" / "journal").write_text("in the way")
    assert "not saved" in host.tells("before_compaction", before=4)["error"]
    (host.workspace / ".holdfast" / "journal").unlink()
    (host.workspace / ".holdfast" / "away").rename(host.workspace / ".holdfast" / "journal")
    host.tells("after_compaction", before=4, after=1)
    (seen,) = by_host(host.receipts()).values()
    assert [why.partition(":")[0] for _, why, *_ in seen.failures] == ["not bound to a topic", "not saved"]
    assert seen.failing == ("before_compaction",)
    first = host.turn("go on")["context"]
    assert "hooks of Holdfast failed, the last at" in first
    assert "(before_compaction: not saved" in first
    host.tells("after_compaction", before=6, after=1)
    assert "hook of Holdfast failed" not in host.turn("go on")["context"]


def test_a_workspace_that_refuses_even_the_receipt_has_it_in_the_users_state_folder(host: Host) -> None:
    """A10: where doctor looks for it."""
    (host.workspace / ".holdfast").write_text("mine")
    assert "error" in host.tells("agent_end")
    (kept,) = [json.loads(line) for line in kept_elsewhere(host.env) if line]
    assert (kept["host"], kept["event"], kept["workspace"]) == ("openclaw", "agent_end", str(host.workspace))
    assert kept["failed"][0].startswith("memory could not be opened")


# ---- what doctor goes by -----------------------------------------------------------------------------------------------


def test_what_was_put_into_a_prompt_and_became_of_it_is_in_the_receipts(host: Host) -> None:
    """The plugin compares the marks with the request; a run that failed, and a host that shows no system part, prove nothing."""
    host.tells("tool", tool="context_snap", given={"action": "checkpoint", "topic": "lamp", "status": "rates are in"})
    given = host.tells("before_prompt_build", prompt="go on")
    assert given["topicMark"] in given["system"]
    for told, arrived in (
        ({"success": False, "missing": ["topic"]}, None),
        ({"arrived": [], "missing": []}, None),
        ({"arrived": "topic", "missing": 17}, None),
        ({"arrived": ["topic"], "missing": []}, True),
        ({"arrived": ["topic"], "missing": ["brief"]}, False),
    ):
        host.tells("before_prompt_build", prompt="go on")
        before = len(host.receipts())
        host.tells("agent_end", **told)
        put = by_host(host.receipts()[before - 1 :])["openclaw"].put
        assert put
        assert (put.parts, put.arrived) == (("topic",), arrived), told


def test_a_turn_under_way_takes_nothing_from_the_one_before_it() -> None:
    """Doctor, asked in the midst of a turn, says what is known of the last one that is over; of another session's end nothing."""
    one = {"host": "openclaw", "event": "before_prompt_build", "session": "a", "time": "1", "put": ["topic"]}
    over = {"host": "openclaw", "event": "agent_end", "session": "a", "time": "2", "arrived": ["topic"]}
    for receipts, when, arrived in (
        ([one], "1", None),
        ([one, over], "1", True),
        ([one, over, {**one, "time": "3"}], "1", True),
        ([one, {**over, "session": "b"}], "1", None),
        ([one, over, {**one, "time": "3"}, {**over, "arrived": [], "missing": ["topic"]}], "3", False),
    ):
        put = by_host(receipts)["openclaw"].put
        assert put
        assert (put.when, put.arrived) == (when, arrived)


def test_a_prompt_that_went_out_without_memory_counts_until_one_has_it_again(host: Host) -> None:
    """Told at once it is how things stand; told late, by a plugin that nobody answered, it is only how they stood."""
    host.turn(RATE)
    host.tells("dropped", reason="no answer within 2000 ms")
    assert by_host(host.receipts())["openclaw"].failing == ("before_prompt_build",)
    host.turn("go on")
    assert by_host(host.receipts())["openclaw"].failing == ()
    host.tells("dropped", reason="no answer within 2000 ms, at 2026-11-15T10:00:00Z", late=True)
    seen = by_host(host.receipts())["openclaw"]
    assert seen.failing == ()
    assert seen.failures[-1][:2] == ("dropped", "nothing was injected: no answer in time")


def test_a_plugin_that_is_loaded_says_so_where_there_is_memory(host: Host) -> None:
    """Each agent's workspace once; one without memory gets nothing. The reviews are named where the owner wants them."""
    two = [str(host.workspace), str(host.workspace / "other"), str(host.workspace), 17]
    about = {"workspaces": two, "plugin": __version__, "gateway": "2026.9.6", "command": ["/py", "-m", "holdfast"]}
    assert host.tells("gateway_start", weeklyReview=True, **about) == {"workspaces": [], "reviews": []}
    assert list(host.workspace.iterdir()) == []
    host.turn(RATE)
    assert host.tells("gateway_start", **about) == {"workspaces": [str(host.workspace)]}
    assert host.did("gateway_start") == [f"the plugin {__version__} was loaded by OpenClaw 2026.9.6"]
    (review,) = host.tells("gateway_start", weeklyReview=True, **about)["reviews"]
    assert review["argv"] == ["/py", "-m", "holdfast", "--workspace", str(host.workspace), "upkeep", "review"]
    assert re.fullmatch(r"holdfast-review-[0-9a-f]{8}", review["name"])
    seen = by_host(host.receipts())["openclaw"]
    assert seen.loaded
    assert seen.loaded[:2] == (__version__, "2026.9.6")
    assert seen.sessions == {MAIN}


def test_a_turn_that_begins_leaves_nothing_but_a_child_that_is_ready(host: Host) -> None:
    """What a prompt with a brief needs is loaded by then, and no file is touched."""
    done = subprocess.run(
        [sys.executable, "-c", READY, json.dumps({"event": "wake", "workspace": str(host.workspace)})],
        env=host.env, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert json.loads(done.stdout) == [{}, []]
    assert list(host.workspace.iterdir()) == []


# Wakes one of us, then gives a session a past and a boundary in another process, and says what its prompt had still to load.
READY = """
import json, subprocess, sys
from holdfast.cli import Words
from holdfast.hooks.gateway import answered
import os
wake = json.loads(sys.argv[1])
print(end="[" + json.dumps(answered(Words("hook", ["openclaw"], {}), os.environ, wake, set())) + ", ")
import tempfile
with tempfile.TemporaryDirectory() as place:
    about = {"workspace": place, "sessionKey": "agent:main:a"}
    snap = {"event": "tool", "tool": "context_snap", "given": {"action": "checkpoint", "topic": "lamp", "status": "on"}}
    for said in (snap, {"event": "after_compaction", "before": 2, "after": 1}):
        given = json.dumps({**about, **said}).encode()
        subprocess.run([sys.executable, "-m", "holdfast", "hook", "openclaw"], input=given, capture_output=True, check=True)
    before = set(sys.modules)
    told = answered(Words("hook", ["openclaw"], {}), os.environ, {**about, "event": "before_prompt_build", "prompt": "go"}, set())
    assert told["system"] and told["context"], told
    print(json.dumps(sorted(name for name in sys.modules if name not in before and name.startswith("holdfast"))) + "]")
"""


def test_no_secret_gets_by_whichever_way_it_comes(host: Host) -> None:
    """S1 by OpenClaw's doors: the transcript, the messages handed over, a tool, a command, what a person wrote into a topic."""
    secret = "sk-ant-api03-" + "a1B2" * 20
    host.says(f"never use {secret} again", reply=f"I will not use {secret}.\n\nShall I take another?")
    host.tells("agent_end", prompt=secret)
    host.tells("before_reset", reason="new")
    said = {"role": "user", "content": f"and never {secret}", "timestamp": 1894771197427}
    host.tells("agent_end", messages=[said])
    answers = [
        host.tells("tool", tool="context_snap", given={"action": "checkpoint", "topic": "keys", "status": f"key {secret}"}),
        host.tells("tool", tool="holdfast_checkpoint", given={"task": f"rotate {secret}"}),
        host.tells("command", words=f"recall {secret}"),
        host.tells("command", words=f"save {secret}"),
        host.tells("dropped", reason=secret),
        host.tells("before_prompt_build", prompt=f"you forgot {secret}"),
    ]
    kept = b"".join(path.read_bytes() for path in host.workspace.rglob("*") if path.is_file())
    assert b"[redacted:" in kept
    assert secret.encode() not in kept
    assert not [path.name for path in host.workspace.rglob("*a1B2*")]
    topic = host.workspace / "memory" / "context-keys.md"
    topic.write_text(topic.read_text() + f"- by hand: {secret}\n")
    answers.append(host.tells("before_prompt_build", prompt="go on"))
    assert "by hand" in answers[-1]["system"]
    assert secret not in json.dumps(answers)


# ---- what is called by name --------------------------------------------------------------------------------------------


def test_a_tool_works_for_its_callers_own_session(host: Host) -> None:
    """Whatever session the model names; the record says which host it was."""
    given = {"action": "checkpoint", "topic": "billing", "status": "in", "sessionId": "somebody else"}
    assert host.tells("tool", tool="context_snap", given=given)["text"] == "✅ Context saved: context-billing.md"
    assert json.loads(host.file("memory/context-session-map.json")) == {MAIN: "billing"}
    (record,) = (host.workspace / ".holdfast" / "journal").rglob("*.md")
    assert "host: openclaw" in record.read_text()


@pytest.mark.parametrize(
    ("tool", "given", "said"),
    [
        ("context_snap", {"action": "list"}, "billing"),
        ("context_snap", {"action": "read", "topic": "billing"}, "rates are in"),
        ("context_snap", {"action": "checkpoint"}, "checkpoint needs a topic"),
        ("holdfast_recall", {"query": "rates"}, "rates are in"),
        ("holdfast_recall", {}, BRIEF),
        ("holdfast_checkpoint", {"task": "mend the lamp"}, "saved  "),
        ("holdfast_unknown", {}, "There is no tool"),
    ],
)
def test_every_tool_answers(host: Host, tool: str, given: dict[str, Any], said: str) -> None:
    """In words, also where it refuses."""
    host.tells("tool", tool="context_snap", given={"action": "checkpoint", "topic": "billing", "status": "rates are in"})
    assert said in host.tells("tool", tool=tool, given=given)["text"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("", "working on  set the reduced rate"),
        ("status", "topic none"),
        ("save", "memory/session-state.md"),
        ("save billing", "memory/context-billing.md"),
        ("recall", BRIEF),
        ("recall old invoices", "memory/"),
        ("forget everything", "There is no /holdfast forget."),
    ],
)
def test_the_slash_command_answers(host: Host, words: str, said: str) -> None:
    """B7: status by default; what was saved is named by its files."""
    host.turn(RATE)
    assert said in host.tells("command", words=words)["text"]


def test_the_slash_command_names_the_files_where_nothing_is_new(host: Host) -> None:
    """B7: of a second save the day that has it already; of a topic that is given then, that it was bound to it."""
    host.turn(RATE)
    day = host.tells("command", words="save")["text"].partition(": ")[2].partition(",")[0]
    assert day.startswith("memory/20")
    assert f", in {day}." in host.tells("command", words="save")["text"]
    said = host.tells("command", words="save new rates")["text"]
    assert said.startswith("Bound to the topic new-rates: memory/context-new-rates.md. Saved already")


TEMPLATE = "# Fill in the snapshot (Holdfast)"
SMALL = "hi, how are you?"


@pytest.mark.parametrize("words", ["save", "save lamp"])
def test_a_save_by_the_user_goes_on_to_the_agent_with_the_template(host: Host, words: str) -> None:
    """B12: saved at once from the transcript; then the agent gets the eight sections, told which of them are empty."""
    host.turn(RATE)
    answer = host.tells("command", words=words)
    assert answer["goOn"] is True
    assert answer["text"].startswith("Saved ")
    given = host.tells("before_prompt_build", prompt=f"/holdfast {words}", trigger="user")["context"]
    assert given.startswith(TEMPLATE)
    record = answer["text"].split()[1].rstrip(":")
    assert f"saved already, as {record}." in given, "one record, not two"
    eight = ["Active Goal", "Current State", "Files In Play", "Decisions Made", "Code Context", "Key Names & Values",
             "Blockers & Open Questions", "Next Steps"]  # fmt: skip
    assert [line[3:] for line in given.splitlines() if line.startswith("## ")][:8] == eight
    assert "- next_steps: empty -- " in given
    assert "- task: filled -- " in given
    assert "lamp" not in given.partition("--- memory ")[0], "outside the frame stand fixed words alone"
    assert "memory/20" in given.partition("--- memory ")[2]
    assert "Saved already" in given.partition("--- memory ")[2], "the agent passes these words on to the user"
    assert ("memory/context-lamp.md" in given.partition("--- memory ")[2]) == ("lamp" in words)
    assert "context" not in host.tells("before_prompt_build", prompt="go on", trigger="user"), "for this turn alone"


SAVE = ["checkpoint", "Save snapshot, please.", "存一下", "先存一下，然后继续", "/big-memory save", "big-memory save"]


@pytest.mark.parametrize("prompt", SAVE)
def test_who_asks_to_save_in_a_prompt_gets_it_saved_and_the_agent_the_template(host: Host, prompt: str) -> None:
    """B3, B12: the save does not wait for the model; the template is in this turn's request."""
    host.turn(RATE)
    assert "BIG-MEMORY-SNAPSHOT" not in host.day()
    given = host.tells("before_prompt_build", prompt=prompt, trigger="user")["context"]
    assert given.startswith(TEMPLATE)
    assert "never touch the old invoices" in host.day()
    assert "trigger user" in host.day()
    assert "asked to save: saved " in host.did("before_prompt_build")[-1]


def test_a_brief_that_is_owed_comes_before_the_template(host: Host) -> None:
    """After a compaction, “checkpoint” as the first word."""
    host.turn(RATE)
    host.tells("before_compaction", before=4)
    host.tells("after_compaction", before=4, after=1)
    given = host.tells("before_prompt_build", prompt="checkpoint", trigger="user")
    assert given["context"].index(BRIEF) < given["context"].index(TEMPLATE)
    assert given["mark"] in given["context"]


def test_work_on_checkpoints_is_no_request_to_save(host: Host) -> None:
    """Whoever speaks of checkpoints and snapshots in their own work is not interrupted."""
    host.turn(RATE)
    for prompt in ("add a checkpoint to the training loop", "why does the snapshot test fail?", "把文件存一下", "save the file"):
        assert "context" not in host.tells("before_prompt_build", prompt=prompt, trigger="user")
    assert "BIG-MEMORY-SNAPSHOT" not in host.day()


@pytest.mark.parametrize("how", ["command", "prompt"])
def test_an_explicit_save_is_never_refused(host: Host, how: str) -> None:
    """B12: also of a chat that no boundary would save."""
    host.says(SMALL, reply="Fine.")
    host.tells("agent_end", trigger="user")
    assert host.day() == ""
    if how == "command":
        assert host.tells("command", words="save")["text"].startswith("Saved ")
    else:
        host.tells("before_prompt_build", prompt="checkpoint", trigger="user")
    assert SMALL in host.day()


def test_where_there_is_nothing_to_save_it_is_said(host: Host) -> None:
    """No claim of a save that was none; the agent is asked for what it knows all the same."""
    answer = host.tells("command", words="save")
    assert answer["text"].startswith("There is nothing to save yet: nothing was said in this session, and nothing is set.")
    given = host.tells("before_prompt_build", prompt="/holdfast save", trigger="user")["context"]
    assert "Nothing of it is saved yet." in given
    assert "- task: empty" in given


def test_what_was_set_is_saved_where_nothing_was_said(host: Host) -> None:
    """By one-line commands, in a session without a transcript, and after the newest checkpoint."""
    with closing(Memory(str(host.workspace), Config(), write=True)) as memory:
        memory.change(MAIN, {"task": "mend the lamp"})
    assert host.tells("command", words="save")["text"].startswith("Saved ")
    assert "mend the lamp" in host.day()
    with closing(Memory(str(host.workspace), Config(), write=True)) as memory:
        memory.change(MAIN, {"decisions": ("a brass foot",)})
    assert host.tells("command", words="save")["text"].startswith("Saved ")
    assert "a brass foot" in host.day()
    assert host.tells("command", words="save")["text"].startswith("Saved already")


@pytest.mark.parametrize("prompt", ["checkpoint", "存一下", "/holdfast save"])
def test_a_save_is_no_task_and_answers_no_question(host: Host, prompt: str) -> None:
    """Nor does the agent's word that it saved."""
    host.turn(RATE)
    host.tells("before_prompt_build", prompt=prompt, trigger="user")
    host.says(prompt, reply="Saved, in memory/2026-11-15.md.")
    host.tells("agent_end", trigger="user")
    state = host.file("memory/session-state.md")
    assert state.partition("## Current Task\n")[2].startswith("set the reduced rate")
    assert QUESTION.rpartition("\n")[2] in state.partition("## Pending Proposals/Questions\n")[2].partition("##")[0]


BACK = ["recall back", "recall back 1", "recall --back 1", "recall 1", "recall the one before", "recall 上一个"]


@pytest.mark.parametrize("words", BACK)
def test_the_slash_command_recalls_the_one_before(host: Host, words: str) -> None:
    """B5: the next one back on request; and the tool by its argument."""
    host.tells("tool", tool="holdfast_checkpoint", given={"task": "mend the lamp"})
    host.tells("tool", tool="holdfast_checkpoint", given={"task": "paint the door"})
    for answer in (host.tells("command", words=words), host.tells("tool", tool="holdfast_recall", given={"back": 1})):
        assert "Working on: mend the lamp" in answer["text"]
        assert "paint the door" not in answer["text"].partition("Notes of today")[0]
    assert "Working on: paint the door" in host.tells("command", words="recall")["text"]
    assert "no 7 checkpoints before the newest" in host.tells("command", words="recall 7")["text"]


@pytest.mark.parametrize("lost", [True, False])
def test_recall_speaks_of_a_compaction_only_where_there_was_one(host: Host, lost: bool) -> None:
    """For the user, and for the model by its tool."""
    host.turn(RATE)
    if lost:
        host.tells("before_compaction", before=4)
        host.tells("after_compaction", before=4, after=1)
    for answer in (host.tells("command", words="recall"), host.tells("tool", tool="holdfast_recall", given={})):
        assert ("Context was compacted." in answer["text"]) == lost
        assert ("Recalled on request." in answer["text"]) != lost


def test_a_number_of_three_digits_is_searched_for(host: Host) -> None:
    """`recall 8080` is a port, no step back."""
    host.tells("tool", tool="holdfast_checkpoint", given={"task": "mend the lamp on port 8080"})
    assert "port 8080" in host.tells("command", words="recall 8080")["text"]


def test_a_command_of_ours_is_no_request_to_the_agent(host: Host) -> None:
    """The host writes it down as the user's words."""
    host.turn(RATE)
    host.says("/holdfast recall the old invoices", reply="found it")
    host.tells("agent_end")
    assert "/holdfast" not in host.file("memory/session-state.md")


def test_the_summary_is_the_brief_and_its_echo_is_known(host: Host) -> None:
    """For the owner who wants no model to summarise."""
    host.turn(RATE)
    assert "never touch the old invoices" in host.tells("summarize")["text"]
    assert host.tells("summarize", "agent:main:unknown") == {"text": ""}
    summary = host.tells("summarize")["text"]
    host.adds({"type": "compaction", "summary": f"## Latest\n{summary}", "timestamp": "2026-11-15T11:00:00.000Z"})
    host.tells("after_compaction", before=9, after=2)
    assert "context" not in host.turn("go on")  # it has its brief: the summary


# ---- the process -------------------------------------------------------------------------------------------------------


def test_the_child_answers_by_number_and_survives_garbage(host: Host) -> None:
    """Every line has an answer; it ends when its standard input does; between two lines it holds no lock and sees every edit."""
    topic = host.workspace / "memory" / "context-billing.md"
    child = host.process("--stay")
    assert child.stdin
    assert child.stdout

    def asked(line: bytes) -> dict[str, Any]:
        assert child.stdin
        assert child.stdout
        child.stdin.write(line + b"\n")
        child.stdin.flush()
        return dict(json.loads(child.stdout.readline()))

    about = {"sessionKey": MAIN, "agentId": "main", "workspace": str(host.workspace)}
    snap = {"event": "tool", "tool": "context_snap", "given": {"action": "checkpoint", "topic": "billing", "status": "in"}}
    assert asked(json.dumps({"id": 7, **about, **snap}).encode())["id"] == 7
    for garbage in (b"{", b"[1]", b'"x"', b"\xff\xfe", b"[" * 100_000):
        assert asked(garbage) == {"id": None, "error": "This line is no JSON object."}
    assert asked(b'{"id": "a", "event": "before_prompt_build", "sessionKey": 4}')["id"] == "a"
    with Folder.open(str(host.workspace)) as root, root.child(".holdfast") as home:
        lock = Lock(home)
        assert lock.take(0)
        lock.release()
        lock.close()
    topic.write_text(topic.read_text().replace("\nin\n", "\nout\n"))
    prompt = json.dumps({"id": 8, "event": "before_prompt_build", **about}).encode()
    assert "\nout\n" in asked(prompt)["system"]
    once = host.process()
    said, _ = once.communicate(prompt)
    assert {"id": 8, **json.loads(said)} == asked(prompt)
    assert child.communicate() == (b"", None)
    assert child.returncode == 0


def test_a_child_whose_files_an_update_has_replaced_ends_unasked(host: Host, tmp_path: Path) -> None:
    """It answers with nothing that is half of one version and half of another: the plugin asks a process of its own instead."""
    package = tmp_path / "site" / "holdfast"
    shutil.copytree(Path(sys.modules["holdfast"].__path__[0]), package)
    host.env |= {"PYTHONPATH": str(package.parent), "PYTHONDONTWRITEBYTECODE": "1"}
    child = host.process("--stay")
    prompt = json.dumps({"id": 8, "event": "before_prompt_build", "sessionKey": MAIN, "workspace": str(host.workspace)}).encode()
    assert child.stdin
    assert child.stdout
    for _ in range(2):  # as long as nothing is replaced, it stays
        child.stdin.write(prompt + b"\n")
        child.stdin.flush()
        assert json.loads(child.stdout.readline())["id"] == 8
    new = package / "new.py"
    shutil.copy(package / "model.py", new)
    new.replace(package / "model.py")
    assert child.communicate(prompt + b"\n") == (b"", None)
    assert child.returncode == 0
    assert json.loads(host.process().communicate(prompt)[0]) == {}


def test_settings_of_the_plugin_count_above_those_of_the_workspace(host: Host) -> None:
    """A9: given by the environment; a bad one is said, and does not count."""
    (host.workspace / ".holdfast").mkdir()
    (host.workspace / ".holdfast" / "config.toml").write_text('contextDir = "here"\nmaxDecisions = 3\n')
    host.env["HOLDFAST_SETTINGS"] = json.dumps({"contextDir": "there", "maxHistoryLines": 2})
    config = read_config(str(host.workspace), host.env)
    assert (config.contextDir, config.maxDecisions, config.maxHistoryLines) == ("there", 3, 2)
    host.tells("tool", tool="context_snap", given={"action": "checkpoint", "topic": "billing", "status": "in"})
    assert host.file("there/context-billing.md")
    for bad in ('{"contextDir": "../out"}', '{"maxDecisions": 0}', '{"colour": 1}', "[]", "{"):
        host.env["HOLDFAST_SETTINGS"] = bad
        assert "error" not in host.tells("before_compaction")
        config = read_config(str(host.workspace), host.env)
        assert (config.contextDir, config.maxDecisions, config.maxHistoryLines) == ("here", 3, 30)
        assert ["HOLDFAST_SETTINGS" in sentence for sentence in config.wrong] == [True]


def test_what_the_plugin_ships_is_what_python_says() -> None:
    """The tools, their names in the manifest, the settings of A9, and one version."""
    manifest = json.loads((PLUGIN / "openclaw.plugin.json").read_text())
    tools = json.loads((PLUGIN / "tools.json").read_text())
    assert tools == for_openclaw()
    assert manifest["contracts"]["tools"] == [tool["name"] for tool in tools]
    settings = set(manifest["configSchema"]["properties"])
    assert settings == set(manifest["uiHints"])
    ours = {"command", "ignoreSessions", "compactionProvider", "promptSupplement", "weeklyReview", "pausedJobs"}
    assert {"contextDir", "maxHistoryLines", "maxDecisions", "briefMaxChars"} == settings - ours <= set(SETTINGS)
    assert json.loads((PLUGIN / "package.json").read_text())["version"] == __version__
    assert "context_snap" in [tool["name"] for tool in tools if tool.get("catalogMode") == "direct-only"]


def test_a_line_of_history_is_a_record_like_any_other(host: Host) -> None:
    """Applied once, pruned into the archive, and made again where the documents are lost."""
    host.env["HOLDFAST_SETTINGS"] = '{"maxHistoryLines": 3}'
    memory = Memory(str(host.workspace), read_config(str(host.workspace), host.env), write=True)
    assert memory.log(MAIN, "nobody hears it") is None
    memory.bind(MAIN, "billing")
    for number in range(4):
        memory.log(MAIN, f"line {number}: a colon, and **bold**")
    topic = host.file("memory/context-billing.md")
    assert topic.count("a colon, and **bold**") == 3
    assert "line 0" in host.file("memory/archive/context-billing.md")
    (host.workspace / "memory" / "context-billing.md").unlink()
    memory.rebuild()
    memory.close()
    assert host.file("memory/context-billing.md").count("a colon, and **bold**") == 3


def test_the_template_is_taken_out_of_a_transcript_that_keeps_it(host: Host) -> None:
    """Until 2026.3 the host wrote down what was put before a prompt: none of it is the user's word."""
    host.turn(RATE)
    given = host.tells("before_prompt_build", prompt="checkpoint", trigger="user")["context"]
    assert without_ours(f"{given}\nmend the lamp") == "mend the lamp"
    framed = "--- memory 0123456789 ---\nx\n--- end 0123456789 ---\nReplaced in this memory, x.\nmend it"
    assert without_ours(framed) == "mend it"
