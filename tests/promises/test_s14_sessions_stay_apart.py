"""S14: sessions and people stay apart: what was said in one conversation is not told in another unasked, and in a group or a
channel not at all.

A canary is planted in every kind of session by every way that words come into memory, and in every place that belongs to no
session. Then each session has a compaction, asks for the past, and calls every tool and command; all that it is given is
searched for the canaries of the others.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conftest import Holdfast
from holdfast.briefing import attribution, recovery, threads
from holdfast.briefing.attribution import Attribution
from holdfast.capture.gleaning import gleaned
from holdfast.config import Config
from holdfast.memory import Memory
from holdfast.model import Note
from holdfast.storage.topics import Topics
from sessions import Machine, Turn
from test_openclaw import Host

TODAY = time.strftime("%Y-%m-%d")
GATEWAY = {
    "owner": "agent:main:main",
    "named": "agent:main:planning",
    "peer": "agent:main:telegram:direct:4711",
    "group": "agent:main:discord:group:4",
    "channel": "agent:main:slack:channel:c7",
    "agent": "agent:work:main",
}
PAST = "you forgot what I told you about the tour"
ROOMS = ("group", "channel")
WAYS = ("talk", "topic", "decision", "buffer", "note", "gleaned")
BLOCK = """
<!-- BIG-MEMORY-SNAPSHOT v1 -->
<!-- timestamp: {stamp} -->

### [SNAPSHOT] Active Goal
ship the zknobodygoal exporter

### [SNAPSHOT] Decisions Made
1. zknobodydecision goes first

### [SNAPSHOT] Next Steps
1. ask about zknobodystep

<!-- /BIG-MEMORY-SNAPSHOT -->
"""


def canary(place: str, way: str) -> str:
    """A word that nobody else says."""
    return f"zk{place}{way}"


class World:
    """One workspace in which a gateway and a coding agent work, with a canary of each kind."""

    def __init__(self, folder: Path, holdfast: Holdfast) -> None:
        self.host, self.run, self.machine = Host(folder), holdfast, Machine(folder / "home")
        self.host.workspace.joinpath("memory").mkdir()
        self.coding = self._code()
        for place, session in GATEWAY.items():
            self._speak(place, session)
        self._speak_alone()

    # ---- planting ----

    def _code(self) -> str:
        word = canary("coding", "talk")
        turn = Turn(f"build the {word} parser, and never use pandas for it", "/w/lamp.py", word, f"Shall I add {word}?")
        session = self.machine.had("claude-code", self.host.workspace, (turn,))
        self._hook("PreCompact", session, trigger="auto")
        self.run("decide", f"use {canary('coding', 'buffer')} for it", "--session", session)
        self.run("note", f"the {canary('coding', 'note')} is slow", "--session", session)
        return session

    def _hook(self, event: str, session: str, **more: str) -> str:
        about = {"session_id": session, "cwd": str(self.host.workspace), "hook_event_name": event}
        about["transcript_path"] = str(self.machine.path("claude-code", session))
        answer = self.run("hook", "claude-code", event, stdin=json.dumps({**about, **more}).encode())
        assert (answer.code, answer.err) == (0, "")
        return answer.out

    def _speak(self, place: str, session: str) -> None:
        host, word = self.host, {way: canary(place, way) for way in WAYS}
        host.turn(f"book the {word['talk']} tour for Friday, and never change the {word['talk']} budget", session)
        topic = "tour" if place in ("owner", *ROOMS) else f"{place} tour"  # whoever names the same one in private shares it
        given = {"action": "checkpoint", "topic": topic, "status": f"{word['topic']} is open", "decisions": [word["topic"]]}
        assert "✅" in host.tells("tool", session, tool="context_snap", given=given)["text"]
        given = {"task": f"plan the {word['decision']} trip", "decisions": [f"{word['decision']} by train"]}
        host.tells("tool", session, tool="holdfast_checkpoint", given=given)
        memory = Memory(str(host.workspace), Config(), write=True)
        memory.change(session, {"decisions": (f"pay for {word['buffer']} at once",)})
        memory.note(session, Note(f"the {word['note']} closes at five", "TECH"))
        gleaned(memory, session, "openclaw", [(f"I prefer {word['gleaned']} to all other teas.", f"{TODAY}T00:00:01.000Z")])
        memory.close()
        host.says(f"and mind the {word['talk']} deadline", session=session)
        host.tells("agent_end", session)

    def _speak_alone(self) -> None:
        """In places that name no session, and in a run that nobody has with a person."""
        host = self.host
        host.says(f"sweep {canary('cron', 'talk')}", session="agent:main:cron:17:run:4")
        host.tells("agent_end", "agent:main:cron:17:run:4", trigger="cron")
        day, stamp = host.workspace / "memory" / f"{TODAY}.md", time.strftime("%Y-%m-%dT%H:%M:%S")
        day.write_text(day.read_text() + f"\n- bought zkhandline by myself\n{BLOCK.format(stamp=stamp)}")
        buffer = host.workspace / "memory" / "working-buffer.md"
        buffer.write_text(buffer.read_text() + f"- {TODAY} 00:01 decide: zkhandbuffer by hand\n")
        (host.workspace / "MEMORY.md").write_text("# Memory\n\n- the owner keeps zkmemory at home\n")
        host.tells("agent_end", GATEWAY["owner"])  # a block that was there before is not what the next compaction is about
        (host.workspace / "SESSION-STATE.md").write_text("# Session State\n\n## Current Task\nmend the zkclassic lamp\n")

    # ---- looking ----

    def unasked(self, place: str) -> Iterator[tuple[str, str]]:
        """(way, text) of all that is put into a session's context by itself, or that it is shown of itself."""
        host, session = self.host, GATEWAY[place]
        yield "asked for the past", json.dumps(host.tells("before_prompt_build", session, prompt=PAST))
        host.tells("before_compaction", session, before=9)
        host.tells("after_compaction", session, before=9, after=2)
        yield "after a compaction", json.dumps(host.tells("before_prompt_build", session, prompt="go on"))
        host.tells("before_reset", session, reason="new", before=9)
        yield "after a reset", json.dumps(host.tells("before_prompt_build", session, prompt="hello"))
        yield "as a summary", host.tells("summarize", session)["text"]
        yield "holdfast_recall", host.tells("tool", session, tool="holdfast_recall", given={})["text"]
        for words in ("", "status", "recall"):
            yield f"/holdfast {words}", host.tells("command", session, words=words)["text"]
        yield "recover --session", self.run("recover", "--session", session).out

    def asked(self, place: str) -> Iterator[tuple[str, str]]:
        """(way, text) of what it gets by asking for a thing by name."""
        host, session = self.host, GATEWAY[place]
        words = [canary(other, way) for other in GATEWAY for way in ("talk", "topic", "note")]
        for word in (*words, "zkhandline", "zknobodydecision", "zkmemory", "tour", "tea"):
            yield f"search {word}", host.tells("tool", session, tool="holdfast_recall", given={"query": word})["text"]
        yield "recall", host.tells("command", session, words="recall tour trip")["text"]
        yield "list", host.tells("tool", session, tool="context_snap", given={"action": "list"})["text"]
        for topic in ("tour", *(path.name[8:-3] for path in (host.workspace / "memory").glob("context-*.md"))):
            given = {"action": "read", "topic": topic}
            yield f"read {topic}", host.tells("tool", session, tool="context_snap", given=given)["text"]
        for what in ("latest", "today", "tour", "state"):
            yield f"show {what}", self.run("show", what, "--session", session).out
        yield "topic list", self.run("topic", "list", "--session", session).out
        yield "sessions", self.run("sessions", "--session", session).out

    def words(self) -> set[str]:
        """Every canary that there is."""
        files = [path for path in self.host.workspace.rglob("*") if path.is_file()]
        return set(re.findall(r"\bzk[a-z]+", " ".join(path.read_text(errors="replace") for path in files)))


def is_meant_for(place: str, word: str) -> bool:
    """Whether a session may be told a word unasked: it is its own, or the owner's and this is no room."""
    if word.startswith(f"zk{place}"):
        return True
    for_all = ("zkhandline", "zkhandbuffer", "zkmemory", "zkclassic")
    preferences = [canary(other, "gleaned") for other in ("owner", "named", "agent")]
    return place not in ROOMS and word in (*for_all, *preferences, "zknobodygoal")


def leaks(world: World) -> list[str]:
    """Every word that a session was told and that is not meant for it."""
    found = []
    for place in GATEWAY:
        for way, text in world.unasked(place):
            words = set(re.findall(r"\bzk[a-z]+", text))
            found += [f"{place}, {way}: {word}" for word in sorted(words) if not is_meant_for(place, word)]
        for way, text in world.asked(place) if place in ROOMS else ():
            said = way.partition(" ")[2]
            words = set(re.findall(r"\bzk[a-z]+", text)) - {said}
            found += [f"{place}, {way}: {word}" for word in sorted(words) if not is_meant_for(place, word)]
    told = world._hook("SessionStart", world.coding, source="compact")
    found += [f"coding: {word}" for word in set(re.findall(r"\bzk[a-z]+", told)) if not is_meant_for("coding", word)]
    return found


def test_no_session_is_told_of_another(tmp_path: Path, holdfast: Holdfast) -> None:
    """Each is told its own words, and none of the others'; what nobody's run has said is nowhere."""
    world = World(tmp_path, holdfast)
    every = world.words()
    assert {canary(place, way) for place in GATEWAY for way in WAYS} <= every
    assert {canary("coding", way) for way in ("talk", "buffer", "note")} <= every
    assert canary("cron", "talk") not in every
    assert leaks(world) == []
    for place, session in GATEWAY.items():
        own = world.host.tells("tool", session, tool="holdfast_recall", given={})["text"]
        assert canary(place, "decision") in own
        assert canary(place, "topic") in own


def test_a_block_without_a_session_is_offered_in_one_line_and_to_no_room(tmp_path: Path, holdfast: Holdfast) -> None:
    """Its goal and how to read it, as data; nothing else of it."""
    world = World(tmp_path, holdfast)
    for place, session in GATEWAY.items():
        brief = world.host.tells("tool", session, tool="holdfast_recall", given={})["text"]
        offered = [line for line in brief.split("\n") if line.startswith("There is a snapshot without a session: ")]
        assert bool(offered) == (place not in ROOMS)
        assert all("zknobodygoal" in line and "holdfast show" in line for line in offered)
        assert "zknobodystep" not in brief


def test_what_is_found_elsewhere_says_where_it_is_from(tmp_path: Path, holdfast: Holdfast) -> None:
    """To whoever asks for it in private; a room is only told that there is something."""
    world = World(tmp_path, holdfast)
    word = canary("peer", "note")
    private = world.host.tells("tool", GATEWAY["owner"], tool="holdfast_recall", given={"query": word})["text"]
    assert f"the {word} closes at five" in private
    assert f"from session {GATEWAY['peer']}" in private
    room = world.host.tells("tool", GATEWAY["group"], tool="holdfast_recall", given={"query": word})["text"]
    assert "closes at five" not in room
    assert "not shown in a group or channel" in room


@pytest.mark.parametrize("session", ["agent:main:new", "agent:main:discord:group:99", "agent:main:telegram:direct:99"])
def test_a_session_without_a_record_is_told_so(session: str, tmp_path: Path, holdfast: Holdfast) -> None:
    """By every command and tool, and nothing of another one, not even its name; in private, of a block that is nobody's."""
    world = World(tmp_path, holdfast)
    answers = [world.host.tells("tool", session, tool="holdfast_recall", given={})["text"]]
    answers += [world.host.tells("command", session, words="recall")["text"], world.run("recover", "--session", session).out]
    for text in answers:
        known, offer, _ = text.partition(" There is a snapshot without a session, from ")
        assert known.rstrip() == f"There is no record of session {session} here. What is said in it is saved from now on."
        assert bool(offer) == (":group:" not in session)


def _merge_every_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Attribution, "owner_of_block", lambda *_: GATEWAY["owner"])


def _tell_all_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Attribution, "may_be_told", lambda *_: True)


def _share_topics(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Topics, "is_open_to", lambda *_: True)


def _show_all_hits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Attribution, "is_said_in", lambda *_: True)


def _find_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Attribution, "may_be_found_for", lambda *_: True)


def _know_no_rooms(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (attribution, recovery):
        monkeypatch.setattr(module, "is_room", lambda _: False)


def _list_all_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "is_gateway_session", lambda _: False)


BROKEN: list[Callable[[pytest.MonkeyPatch], None]] = [
    _merge_every_block, _tell_all_lines, _share_topics, _show_all_hits, _find_for_all, _know_no_rooms,
    _list_all_threads,
]  # fmt: skip


@pytest.mark.parametrize("broken", BROKEN)
def test_control_each_wall_that_is_taken_away_is_noticed(
    broken: Callable[[pytest.MonkeyPatch], None], tmp_path: Path, holdfast: Holdfast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same look finds canaries where they should not be."""
    broken(monkeypatch)
    assert leaks(World(tmp_path, holdfast)) != []
