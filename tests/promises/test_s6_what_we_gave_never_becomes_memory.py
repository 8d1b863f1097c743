"""S6: what we put into a context, and what hosts put there, never becomes memory.

A session is compacted again and again. Each time the brief goes in through the real hook, comes back in one of the dresses in
which briefs come back (whole, in part, quoted, as bullets, wrapped anew, in a tool's output, in the host's summary, pasted by a
person), and is captured by the real hook. After a thousand turns the store is what it was after the first. What only looks like
an echo is kept: a table below says what.
"""

from __future__ import annotations

import json
import os
import pydoc_data.topics
import random
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import test_truth as truth
import test_truth_codex as truth_codex
import test_truth_gemini_opencode as truth_others
import test_truth_pi as truth_pi
from holdfast.briefing import brief
from holdfast.briefing.giving import Giving
from holdfast.capture.draft import Capture
from holdfast.cli import taken_apart
from holdfast.config import Config
from holdfast.documents import markdown
from holdfast.guard.echo import HEADINGS, Given, as_known, entry
from holdfast.hooks.dispatch import answered
from holdfast.memory import Memory
from holdfast.model import Checkpoint, Note
from holdfast.transcripts import Event, Transcript
from sessions import STORY, claude_code

DECIDED = "I'll use Decimal for the rates of all invoices, as floats lose cents. Settled on half-even rounding of every sum."
ASKED = "Shall I round per line or per invoice?"
AGAIN = "the question that we told it to ask, and a yes"


# ---- the dresses -------------------------------------------------------------------------------------------------------


def plain(text: str) -> list[str]:
    """The lines of a brief that say something."""
    return [line for line in text.split("\n") if line.strip()]


def inside(text: str) -> str:
    """What stands between the marks, and a little less."""
    lines = text.split("\n")
    marks = [number for number, line in enumerate(lines) if line.startswith("--- ")]
    return "\n".join(lines[marks[0] + 2 : marks[1] - 1])


def agent(text: str) -> dict[str, Any]:
    return {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": text}]}}


def person(text: str) -> dict[str, Any]:
    return {"type": "user", "message": {"role": "user", "content": text}}


def tool(text: str) -> list[dict[str, Any]]:
    call = {"type": "tool_use", "id": "r", "name": "Bash", "input": {"command": "holdfast recover"}}
    return [
        {"type": "assistant", "message": {"role": "assistant", "content": [call]}},
        {"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "r", "content": text}]}},
        agent(ASKED),
    ]


DRESSES: dict[str, Callable[[str], list[dict[str, Any]]]] = {
    "put in by the host": lambda text: [
        {"type": "attachment", "attachment": {"type": "hook_additional_context", "content": [text]}}
    ],
    "recited whole": lambda text: [agent(text)],
    "recited in part": lambda text: [agent("\n".join(plain(text)[5:-6]))],
    "quoted": lambda text: [agent("As I was told:\n\n" + "\n".join(f"> {line}" for line in text.split("\n")))],
    "wrapped at 46": lambda text: [agent(textwrap.fill(inside(text), 46))],
    "wrapped at 24": lambda text: [agent(textwrap.fill(inside(text), 24))],
    "in one paragraph": lambda text: [agent(" ".join(inside(text).split()))],
    "as bullets": lambda text: [agent("\n".join(f"* **{line.lstrip('- ')}**" for line in plain(inside(text))))],
    "numbered, the last first": lambda text: [
        agent("\n".join(f"{n}. {line.lstrip('- ')}" for n, line in enumerate(reversed(plain(inside(text))), 1)))
    ],
    "in a table": lambda text: [agent("\n".join(f"| {line} | |" for line in plain(inside(text))))],
    "printed by a tool": tool,
    "the end of it, printed": lambda text: tool("\n".join(plain(text)[8:])),
    "printed and wrapped": lambda text: tool(textwrap.fill(inside(text), 60)),
    "printed as JSON": lambda text: tool(json.dumps({"brief": text})),
    "in the summary": lambda text: [
        {"type": "user", "isCompactSummary": True, "message": {"role": "user", "content": f"Summary:\n{inside(text)}"}}
    ],
    "pasted in quotes": lambda text: [person("\n".join(f"> {line}" for line in inside(text).split("\n")))],
    "pasted with its headings": lambda text: [person(inside(text))],
    AGAIN: lambda text: [agent(f"{inside(text)}\n\n{ASKED}\n\n{brief.QUESTION}"), person("yes")],
}


# ---- a thousand turns --------------------------------------------------------------------------------------------------


class Loop:
    """A session that is compacted for ever, in one workspace, with hooks in this process or in processes of their own."""

    def __init__(self, folder: Path, *, processes: bool = False) -> None:
        self.workspace, self.transcript, self.processes = folder / "workspace", folder / "s1.jsonl", processes
        self.moment = time.time()
        memory = self.memory()
        memory.bind("s1", "billing")
        memory.note("s1", Note("the billing service listens on port 8443 behind the old proxy", "TECH"))
        memory.close()
        story = claude_code("s1", str(folder), STORY, "2026-11-15T09:00:00")
        looked = [entry for _ in range(20) for entry in tool("Nothing yet.")]  # it looks often: no new look changes the phase
        self.says(*story, *looked, person("go on"), agent(f"{DECIDED}\n\n{ASKED}"), dated=False)
        self.told = self.fire("PreCompact")  # what the summariser is told to keep: it may be recited too

    def memory(self) -> Memory:
        return Memory(str(self.workspace), Config(), write=True)

    def says(self, *entries: dict[str, Any], dated: bool = True) -> None:
        """What the host writes down."""
        with self.transcript.open("a") as file:
            for one in entries:
                self.moment += 0.001
                stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(self.moment)) + f".{int(self.moment * 1000) % 1000:03}Z"
                file.write(json.dumps({**({"timestamp": stamp} if dated else {}), **one}) + "\n")

    def fire(self, event: str, **more: object) -> str:
        """One hook; what it gave."""
        payload = {"session_id": "s1", "transcript_path": str(self.transcript), "hook_event_name": event, **more}
        words = ["--workspace", str(self.workspace), "hook", "claude-code", event]
        data = json.dumps(payload).encode()
        if self.processes:
            done = subprocess.run([sys.executable, "-m", "holdfast", *words], input=data, capture_output=True, check=True)
            reply = done.stdout.decode()
        else:
            reply = answered(taken_apart(words), {}, data)
        if event == "PreCompact":
            return reply
        return str(json.loads(reply)["hookSpecificOutput"]["additionalContext"]) if reply else ""

    def turn(self, dress: str) -> None:
        """The brief goes in, comes back, and the context is lost once more."""
        text = self.fire("SessionStart", source="compact")
        assert "Working on:" in text
        self.moment = max(self.moment, time.time())
        boundary = {"type": "system", "subtype": "compact_boundary", "content": "Conversation compacted"}
        assert self.told.startswith("In the summary, keep")
        self.says(boundary, agent(self.told), *DRESSES[dress](text))
        self.fire("Stop")
        self.told = self.fire("PreCompact", trigger="auto")

    def size(self) -> dict[str, int]:
        """How much memory there is: records, what the days and topics say, and how many items each field has."""
        memory = self.memory()
        state = memory.state("s1")
        days = [path.read_text() for path in (self.workspace / "memory").glob("2*.md")]
        found = {
            "records": len(list(memory.journal.newest_first())),
            "days": sum(len(text) for text in days),
            "snapshots": sum(len(markdown.blocks(text)) for text in days),
            "topics": sum(len(path.read_text()) for path in (self.workspace / "memory").glob("context-*.md")),
            **{name: len(value) for name, value in state.__dict__.items()},
        }
        memory.close()
        return found


def grown(before: dict[str, int], after: dict[str, int]) -> dict[str, tuple[int, int]]:
    """What there is more of."""
    return {name: (before[name], after[name]) for name in after if after[name] > before[name]}


def test_after_a_thousand_turns_the_store_is_what_it_was_after_the_first(tmp_path: Path) -> None:
    """Every dress in turn, through the real hooks."""
    loop = Loop(tmp_path)
    names = [AGAIN, *DRESSES]
    loop.turn(names[0])
    first = loop.size()
    for number in range(1, 1000):
        loop.turn(names[number % len(names)])
        if number in (1, 2, 5, 20, 100, 300, 999):
            assert grown(first, loop.size()) == {}, (number, names[number % len(names)])
    assert (loop.workspace / ".holdfast" / "given").stat().st_size < 200_000


@pytest.mark.parametrize("dress", DRESSES)
def test_no_dress_adds_anything(tmp_path: Path, dress: str) -> None:
    """Each by itself, so that it is known which one fails."""
    loop = Loop(tmp_path)
    loop.turn(AGAIN)
    first = loop.size()
    for _ in range(2):
        loop.turn(dress)
    assert grown(first, loop.size()) == {}
    assert ASKED in loop.fire("SessionStart", source="compact")


def test_the_same_in_processes_of_their_own(tmp_path: Path) -> None:
    """Two dozen turns with the command as hosts call it."""
    loop = Loop(tmp_path, processes=True)
    names = [AGAIN, *DRESSES]
    loop.turn(names[0])
    first = loop.size()
    for number in range(1, 24):
        loop.turn(names[number % len(names)])
    assert grown(first, loop.size()) == {}


@pytest.mark.parametrize("dress", ["recited in part", "quoted", "as bullets", "pasted in quotes", "pasted with its headings"])
def test_control_without_fingerprints_memory_eats_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dress: str) -> None:
    """The same loop with the fingerprints switched off: it must be found to grow."""
    monkeypatch.setattr(Giving, "fingerprints", lambda _self: b"")
    loop = Loop(tmp_path)
    first = loop.size()
    loop.turn(dress)
    loop.turn(dress)
    assert grown(first, loop.size())


# ---- lines -------------------------------------------------------------------------------------------------------------


def rows(line: str) -> list[str]:
    """Every four words of a line, by a way of our own."""
    words = [word.strip("`*_\"'“”‘’()[]{}<>|#~….,;:!?—–-•+=/\\").lower().replace("’", "'") for word in line.split()]
    said = [word for word in words if word]
    return [" ".join(said[i : i + 4]) for i in range(len(said) - 3)]


def memory_lines() -> tuple[list[str], list[str]]:
    """Lines of prose, of the language reference that comes with Python: those that were given, and others."""
    topics = [text.split("\n") for _, text in sorted(pydoc_data.topics.topics.items())]
    half = len(topics) // 2
    parts = ([line for topic in topics[n : n + 30] for line in topic if len(rows(line)) > 1] for n in (0, half))
    return next(parts), next(parts)


def altered(line: str, chance: random.Random) -> str:
    """A line with some words changed, left out or put in, or its end cut off, in some dress."""
    words = line.split()
    for _ in range(chance.choice((0, 0, 1, 1, 2))):
        place = chance.choice((0, len(words) - 1, chance.randrange(len(words))))
        words[place : place + 1] = chance.choice(([], ["however"], [words[place], "perhaps"]))
        words = words or ["perhaps"]
    words = words[: chance.choice((len(words), len(words), max(5, len(words) // 2)))]
    dress = chance.choice(("{}", "> {}", "- {}", "  * {}", "> > {}", "12. {}", "**{}**", "| {} |"))
    return str(dress.format(" ".join(words)))


def test_of_lines_that_are_four_fifths_ours_at_least_95_in_100_are_dropped() -> None:
    """Altered a little and dressed up; and of lines that are less than half ours, none but one in a thousand."""
    ours, others = memory_lines()
    given = Given(entry("\n".join(ours), 1.0, "s"))
    known = set(rows(" ".join(ours)))
    chance, alike, unlike = random.Random(6), [], []
    for line in (altered(line, chance) for _ in range(3) for line in ours + others):
        found = rows(line)
        share = sum(row in known for row in found) / len(found) if len(found) > 1 else 0.6
        if share >= 0.8:
            alike.append(line)
        elif share < 0.5:
            unlike.append(line)
    gone = "So far so good.\n\nWhat else?"
    missed = [line for line in alike if given.news(f"So far so good.\n\n{line}\n\nWhat else?") != gone]
    wrong = [line for line in unlike if given.news(f"So far so good.\n\n{line}\n\nWhat else?") == gone]
    print(f"dropped {len(alike) - len(missed)} of {len(alike)}; {len(wrong)} of {len(unlike)} by mistake")
    assert len(alike) > 1000
    assert len(unlike) > 1000
    assert len(missed) <= 0.05 * len(alike), missed[:5]
    assert len(wrong) <= 0.001 * len(unlike), wrong[:5]


SCRIPTS = [
    "不要改动旧的发票，请把每一行的税率都核对一遍，然后再提交。",
    "古い請求書には手を付けないで、すべての行の税率を確認してください。",
    "이전 송장은 절대 건드리지 말고 모든 줄의 세율을 확인해 주세요",
    "никогда не трогай старые счета и проверь ставку в каждой строке",
    "ห้ามแตะต้องใบแจ้งหนี้เก่าและตรวจสอบอัตราภาษีทุกบรรทัด",
    "لا تلمس الفواتير القديمة وتحقق من السعر في كل سطر من فضلك",
]


@pytest.mark.parametrize("text", SCRIPTS)
def test_an_echo_is_known_in_scripts_with_and_without_spaces(text: str) -> None:
    """Quoted, in bold, in two halves; and what somebody else said in the same script stays."""
    given = Given(entry(f"Told by the user:\n- {text}\n", 1.0, "s"))
    middle = len(text) // 2 if " " not in text else text.index(" ", len(text) // 2)
    for dressed in (text, f"> {text}", f"* **{text}**", f"{text[:middle]}\n{text[middle:]}"):
        assert given.news(f"OK.\n\n{dressed}") == "OK."
    for other in SCRIPTS:
        assert given.news(other) == ("" if other == text else other)


# ---- what is no echo ---------------------------------------------------------------------------------------------------

STATE = Checkpoint(
    task="set the reduced rate to 7 percent, and never touch old invoices",
    goal="new tax rates in the billing service",
    decisions=("I'll use Decimal for the rates", "set the reduced rate for all of the invoices of the year to 7"),
    corrections=("never round before the sum is taken", "please don't amend commits that are pushed"),
    unanswered=("Shall I round per line or per invoice?",),
    done=("`pytest -q tests`: 2 passed in all of the modules",),
)
GIVEN = brief.make(brief.Known(STATE, "2026-11-15T10:00", "id", key=b"key"), 9000)

NO_ECHO = [
    ("typed", "set the reduced rate to 7 percent, and never touch old invoices", "a request made again in the same words"),
    ("typed", "never round before the sum is taken\nplease don't amend commits that are pushed", "two of them"),
    ("typed", "Working on rates: set the reduced rate to 7 percent, and never touch old invoices", "no heading of ours"),
    ("typed", "> never round before the sum is taken\n\nwhy did you?", "one quoted line"),
    ("typed", "- never round before the sum is taken\n- please don't amend commits that are pushed\n"
     "- new tax rates in the billing service", "a list that was typed again"),
    ("said", "I'll use Decimal for the totals", "a decision that shares a few words"),
    ("said", "I'll use Decimal for the rates and drop the old table of floats", "a decision that goes on"),
    ("said", "set the reduced rate for all of the invoices of the year to 8", "another figure"),
    ("said", "don't set the reduced rate for all of the invoices of the year to 7", "the contrary"),
    ("said", "never touch old invoices", "a short line"),
    ("said", "please don't amend commits that are pushed++", "a sign that makes another word of it"),
    ("said", "The user wants old invoices left alone, and 7 percent as the reduced rate.", "other words: not promised"),
    ("shown", "FAILED tests/test_rates.py::test_reduced_rate - assert 0.05 == 0.07", "a tool's own output"),
]  # fmt: skip


@pytest.mark.parametrize(("how", "text", "why"), NO_ECHO)
def test_what_is_no_echo_is_kept(how: str, text: str, why: str) -> None:
    """To the letter."""
    assert Given(entry(GIVEN, 1.0, "s")).news(text, how=how) == text, why


def test_what_is_new_beside_an_echo_is_kept() -> None:
    """The echo goes, line by line and sentence by sentence; every other word stays."""
    given = Given(entry(GIVEN, 1.0, "s"))
    said = f"I'll keep the old table. Set {STATE.decisions[1].removeprefix('set ')}. Next the docs."
    said = f"I have read it.\n\n{inside(GIVEN)}\n\n{said}"
    assert given.news(said) == "I have read it.\n\nI'll keep the old table. Next the docs."


def test_a_long_new_sentence_beside_an_echo_is_kept() -> None:
    """In one line with what we gave: only what is an echo goes out of it, however long the others are."""
    given = Given(entry(GIVEN, 1.0, "s"))
    new = "The printer in the office on the second floor wants a new cartridge before Friday."
    said = f"{new} Set {STATE.decisions[1].removeprefix('set ')}. {new.replace('printer', 'scanner')}"
    assert given.news(said) == f"{new} {new.replace('printer', 'scanner')}"


KNOWN = "never round before the sum is taken, also not for the totals"
REPEATED = {  # an item that an agent gives back, and whether it is the known one
    KNOWN: True,
    f"- **{KNOWN}**": True,
    f"> {KNOWN}": True,
    KNOWN.replace(" ", "\n", 1): True,
    "never round before the sum…": True,
    "never round before the …": True,
    "never round before th…": True,  # 21 characters before the cut
    "never round before t…": True,
    "never round before …": False,  # it may be the beginning of many things
    "never round before…": False,
    "never round before the day…": False,
    "never round before the suN…": False,
    "never round before the sum": False,
    "never round before the sum is taken, also not for the total": False,
}


@pytest.mark.parametrize("item", REPEATED)
def test_an_item_is_taken_for_a_known_one_only_where_it_is_that(item: str) -> None:
    """In another dress, or as far as the brief showed it; one that ends otherwise, even by a letter, is somebody's own."""
    assert as_known([item, "something else"], ["the first", KNOWN]) == (KNOWN if REPEATED[item] else item, "something else")


def test_what_was_changed_in_a_list_that_is_recited_is_kept() -> None:
    """The one line among ours that is not as we gave it."""
    given = Given(entry(GIVEN, 1.0, "s"))
    assert given.news(inside(GIVEN).replace("commits that are pushed", "commits that are tagged")) == (
        "- please don't amend commits that are tagged"
    )


def test_a_text_that_no_file_can_hold_is_not_made() -> None:
    """Half an emoji, and control characters, inside JSON stay as they are spelt."""
    given = Given(entry(GIVEN, 1.0, "s"))
    text = json.dumps({"brief": f"one\ntwo\nthree 😀\x00 four\n{GIVEN}"})
    assert "\\ud83d\\ude00\\u0000 four" in given.news(text, how="shown")


def test_the_headings_are_those_of_the_brief() -> None:
    """A person's words below one of them are ours: so nobody else should write them, and none of ours is forgotten."""
    talk = Checkpoint(task="plan the trip", exchanges=("User: plan the trip",), timeline=("User: in June",))
    known = (
        brief.Known(STATE),
        brief.Known(STATE, prompted=True),
        brief.Known(STATE, from_transcript=True),
        brief.Known(talk),
        brief.Known(STATE, of="Codex s2", cut_off=True),
        brief.Known(STATE, of="Codex s2", at_work=True),
    )
    sections = [section.heading for one in known for section in brief._sections(one, 10)]
    notes = ("Notes of today", "Notes of yesterday", "Working buffer", "Found in memory")
    assert [heading for heading in HEADINGS if heading not in notes and heading not in sections] == []
    assert [heading for heading in sections if " " in heading.strip() and heading not in HEADINGS] == []


def test_what_is_done_again_is_done_again(tmp_path: Path) -> None:
    """A file that is edited again, an error that comes back, a request and a yes in the same words: all of it is news."""
    loop = Loop(tmp_path)
    loop.turn("recited whole")
    edit = {"type": "tool_use", "id": "e", "name": "Edit", "input": {
        "file_path": "/w/rates.py", "old_string": "a", "new_string": "reduced_rate_of"}}  # fmt: skip
    error = "error: the sum of the reduced rates is off by one"
    failed = {"type": "tool_result", "tool_use_id": "x", "is_error": True, "content": error}
    run = {"type": "tool_use", "id": "x", "name": "Bash", "input": {"command": "pytest -q"}}
    work = [
        person(STORY[0].request), {"type": "assistant", "message": {"content": [edit, run]}},
        {"type": "user", "message": {"content": [failed]}}, agent(ASKED), person("yes"),
    ]  # fmt: skip
    for _ in range(2):
        loop.says(*work)
        loop.fire("PreCompact")
        loop.fire("SessionStart", source="compact")
    memory = loop.memory()
    state = memory.state("s1")
    memory.close()
    assert dict(state.files)["/w/rates.py"].startswith("edited 3 times; touches reduced_rate_of")
    assert "off by one" in state.code
    assert state.task.endswith("\n(then: “yes”, in answer to: “Shall I round per line or per invoice?”)")
    assert state.decisions.count("User answered (“yes”): Shall I round per line or per invoice?") == 1
    assert any(STORY[0].request in line for line in state.timeline)


@pytest.mark.parametrize("fork", [False, True])
def test_what_a_brief_was_made_of_is_no_echo_of_it(tmp_path: Path, fork: bool) -> None:
    """Where the cursor is lost, or a host copies a session under a new name, the same words are read again, and come in again."""
    loop = Loop(tmp_path)
    story = claude_code("s2", str(tmp_path), STORY, "2026-11-15T09:00:00")
    clocked = [{**agent(f"{DECIDED}\n\n{ASKED}"), "timestamp": "2026-11-15T10:00:00Z"}]
    transcript = tmp_path / "s2.jsonl"
    transcript.write_text("".join(json.dumps(one) + "\n" for one in [*story, *clocked]))
    memory = loop.memory()
    memory.capture("s2", str(transcript), host="claude-code")
    before = memory.state("s2")
    memory.giving.remember(memory.recover("s2"), "s2")
    if fork:
        memory.capture("s3", str(transcript), host="claude-code")
        after = memory.state("s3")
    else:
        for cursor in (loop.workspace / ".holdfast" / "cursors").iterdir():
            cursor.unlink()
        with transcript.open("a") as file:
            file.write(json.dumps({**person("and never round the totals"), "timestamp": "2026-11-15T10:00:05Z"}) + "\n")
        memory.capture("s2", str(transcript), host="claude-code")
        after = memory.state("s2")
    memory.close()
    assert before.decisions == after.decisions
    assert [text for text in before.exchanges if text.startswith("Assistant")] == [
        text for text in after.exchanges if text.startswith("Assistant")
    ]


@pytest.mark.parametrize(
    "data", [b"", b"\0" * 5000, b"\nbriefed\n", b"\nbriefed\n" + b"x" * 13, b"\xff" * 999, entry(GIVEN, 1.0, "s")[:-3]]
)
def test_a_torn_file_of_fingerprints_stops_nothing(tmp_path: Path, data: bytes) -> None:
    """It is derived: whatever stands in it, capture goes on, and the next brief is known again."""
    loop = Loop(tmp_path)
    (loop.workspace / ".holdfast" / "given").write_bytes(data)
    loop.turn("quoted")
    first = loop.size()
    loop.turn("quoted")
    assert grown(first, loop.size()) == {}


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo])
def test_where_no_fingerprint_can_be_kept_the_brief_is_given_all_the_same(tmp_path: Path, make: Callable[[Path], None]) -> None:
    """A folder or a pipe in its place: nothing hangs, nothing fails."""
    loop = Loop(tmp_path)
    (loop.workspace / ".holdfast" / "given").unlink()  # what the summariser was told is in it
    make(loop.workspace / ".holdfast" / "given")
    loop.turn("quoted")
    assert ASKED in loop.fire("SessionStart", source="compact")


def test_a_checkpoint_that_repeats_the_brief_adds_nothing(tmp_path: Path) -> None:
    """An agent that gives back what it was given: the same items, dressed, or cut where the brief cut them; and a topic too."""
    memory = Memory(str(tmp_path / "workspace"), Config(), write=True)
    long = "round every sum half to even, and keep the unrounded sums beside them, so that a later correction can begin there"
    given = {"decisions": ("oak for the table, not pine", long), "corrections": ("never touch the old invoices again",)}
    memory.checkpoint("s1", given, topic="billing")
    state, topic = memory.state("s1"), memory.topics.text("billing")
    memory.checkpoint("s1", given)
    memory.checkpoint("s1", {"decisions": (f"{long[:70]}…", "- **oak for the table, not pine**")})
    memory.checkpoint("s1", {"corrections": ("> never touch the old invoices again",)})
    assert (memory.state("s1").decisions, memory.state("s1").corrections) == (state.decisions, state.corrections)
    assert memory.topics.text("billing").partition("## History")[0] == topic.partition("## History")[0]
    memory.checkpoint("s1", {"decisions": ("oak for the table, not pine++",)})
    assert memory.state("s1").decisions[-1] == "oak for the table, not pine++"
    memory.checkpoint("s1", {"decisions": ("pine for the table, not oak",)})
    memory.checkpoint("s1", {"decisions": ("oak for the table, not pine",)})  # who comes back to it has decided
    assert memory.topics.text("billing").count("oak for the table, not pine\n") == 2
    memory.close()


def test_what_recover_printed_is_known_again(tmp_path: Path) -> None:
    """An agent that runs the command has the brief in its context as much as one that got it from a hook."""
    loop = Loop(tmp_path)
    words = ["--workspace", str(loop.workspace), "--session", "s1", "recover"]
    done = subprocess.run([sys.executable, "-m", "holdfast", *words], capture_output=True, check=True, text=True)
    first = loop.size()
    loop.says(*DRESSES["recited in part"](done.stdout))
    loop.fire("PreCompact")
    assert grown(first, loop.size()) == {}


# ---- what our tools and commands print ---------------------------------------------------------------------------------

PRINTED = json.dumps({
    "workspace": "/w", "last_compaction": "2026-11-15T10:00:00Z", "newest_id": "20261115-100000-000000-abcdefgh",
    "snapshots_today": 3, "moved_on": True, "day": "memory/2026-11-15.md", "brief": "Error: PrintedByUs is in printed_by_us.py",
})  # fmt: skip
NOT_NAMES = ("last_compaction", "newest_id", "snapshots_today", "moved_on", "PrintedByUs", "printed_by_us")
OWN_WORDS = "the port of InvoiceServer is in invoice_port.toml"


def claude_code_prints(tool: str, given: dict[str, Any], printed: str, folder: Path) -> list[Event]:
    failed = "failed" in given
    lines = [truth.user("fix the rounding"), truth.call("t", tool, **given), truth.result("t", printed, failed=failed)]
    path = folder / "session.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with Transcript(str(path), host="claude-code") as transcript:
        return list(transcript.events())


def codex_prints(tool: str, given: dict[str, Any], printed: str, folder: Path) -> list[Event]:
    if tool == "exec":
        lines = truth_codex.script(str(given["code"]), printed)
    else:
        lines = truth_codex.tool(tool.rpartition(" ")[2], printed, **given)
        lines[0]["payload"] |= {"namespace": tool.partition(" ")[0]} if " " in tool else {}
    return truth_codex.events(truth_codex.META, truth_codex.said("fix the rounding"), *lines)


def gemini_prints(tool: str, given: dict[str, Any], printed: str, folder: Path) -> list[Event]:
    host = truth_others.Gemini()
    host.user("fix the rounding")
    host.tool(tool, given, printed)
    return host.events(folder)


def opencode_prints(tool: str, given: dict[str, Any], printed: str, folder: Path) -> list[Event]:
    host = truth_others.Opencode(folder)
    host.user("fix the rounding")
    host.tool(tool, given, printed)
    return host.read()


def pi_prints(tool: str, given: dict[str, Any], printed: str, folder: Path) -> list[Event]:
    reader, call = truth_pi.Reader(), truth_pi.call("t", tool, **given)
    lines = [truth_pi.user("fix the rounding"), truth_pi.agent("", call), truth_pi.result("t", tool, printed)]
    return [event for line in lines for event in reader.events(line) or ()]


NOTED = {"text": OWN_WORDS}
SHOWN = f"holdfast status --json  # {OWN_WORDS}"
BOTH = "const a = await tools.mcp__holdfast__status({}); const b = await tools.exec_command({cmd: 'make'}); "
BOTH += f'text(a); text(b); await tools.mcp__holdfast__note({{text: "{OWN_WORDS}"}})'
OURS: dict[str, tuple[Callable[..., list[Event]], str, dict[str, Any]]] = {
    "Claude Code, our server": (claude_code_prints, "mcp__holdfast__status", NOTED),
    "Claude Code, our plugin": (claude_code_prints, "mcp__plugin_holdfast_holdfast__recover", NOTED),
    "Claude Code, our server, which fails": (claude_code_prints, "mcp__holdfast__note", {**NOTED, "failed": "x"}),
    "Claude Code, a resource": (claude_code_prints, "ReadMcpResourceTool", {**NOTED, "server": "holdfast", "uri": "holdfast://x"}),
    "Claude Code, a command": (claude_code_prints, "Bash", {"command": SHOWN}),
    "Claude Code, a command that fails": (claude_code_prints, "Bash", {"command": SHOWN, "failed": "x"}),
    "Claude Code, a command among others": (claude_code_prints, "Bash", {"command": f"cd /w && make build; {SHOWN}"}),
    "Codex, our server": (codex_prints, "mcp__holdfast status", NOTED),
    "Codex, our server, older": (codex_prints, "mcp__holdfast__status", NOTED),
    "Codex, a script": (codex_prints, "exec", {"code": f'text(await tools.mcp__holdfast__note({{text: "{OWN_WORDS}"}}))'}),
    "Codex, a script of several": (codex_prints, "exec", {"code": BOTH}),
    "Codex, a command": (codex_prints, "exec_command", {"cmd": SHOWN}),
    "Codex, a command, older": (codex_prints, "shell", {"command": ["bash", "-lc", SHOWN]}),
    "Gemini CLI, our server": (gemini_prints, "mcp_holdfast_status", NOTED),
    "Gemini CLI, our server, older": (gemini_prints, "holdfast__status", NOTED),
    "Gemini CLI, a command": (gemini_prints, "run_shell_command", {"command": SHOWN}),
    "opencode, our server": (opencode_prints, "holdfast_status", NOTED),
    "opencode, a command": (opencode_prints, "bash", {"command": SHOWN}),
    "OpenClaw, our plugin": (pi_prints, "holdfast_recall", NOTED),
    "OpenClaw, topics": (pi_prints, "context_snap", NOTED),
    "OpenClaw, our plugin, by its tool search": (pi_prints, "tool_call", {"id": "holdfast_recall", "args": NOTED}),
    "OpenClaw, a command": (pi_prints, "exec", {"command": SHOWN}),
    "pi, a command": (pi_prints, "bash", {"command": SHOWN}),
}  # fmt: skip


@pytest.mark.parametrize("case", OURS)
def test_what_our_tools_and_commands_print_is_no_news(tmp_path: Path, case: str) -> None:
    """Neither as names, nor as errors, files or what is done; what the agent gave to them was its own word."""
    make, tool, given = OURS[case]
    capture = Capture()
    capture.feed(make(tool, given, PRINTED, tmp_path))
    draft = json.dumps(capture.draft())
    assert [name for name in NOT_NAMES if name in draft] == []
    assert "InvoiceServer" in draft
    kept = json.dumps(capture.as_data())
    assert [name for name in NOT_NAMES if name in kept] == []


@pytest.mark.parametrize("case", ["mcp__warehouse__status", "Bash"])
def test_control_what_others_print_is_news(tmp_path: Path, case: str) -> None:
    """The same words by a tool or a command that is not ours."""
    capture = Capture()
    capture.feed(claude_code_prints(case, {"command": "warehouse status"} if case == "Bash" else NOTED, PRINTED, tmp_path))
    assert "last_compaction" in json.dumps(capture.draft())
