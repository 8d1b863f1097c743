"""Capture: who said what when, what was answered, what was taken back, and what is still open."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from holdfast.briefing import brief
from holdfast.briefing.summarising import paragraph
from holdfast.capture.draft import Capture
from holdfast.capture.hearing import asks_for_the_past
from holdfast.capture.replies import is_confirmation, is_courtesy, picked
from holdfast.capture.signs import is_yes, tone_of
from holdfast.guard.echo import QUESTION
from holdfast.model import Checkpoint
from holdfast.transcripts import Event, Transcript
from holdfast.transcripts.calls import called

if TYPE_CHECKING:
    from pathlib import Path

FAILING = [
    ("pytest -q", "pip install respx && pytest -q", "6 passed in 0.8s", True),
    ("cd /w && pytest -q", "cd /w/ && pytest -q", "6 passed", True),
    ("make lint && make test", "make lint && make test && git status", "ok", True),
    ("pytest -q", "pytest -q tests/one.py", "1 passed", False),
    ("pytest -q", "pytest -q; make docs", "docs are made", False),
    ("pytest -q", "pytest -q || true", "1 failed, 5 passed", False),
    ("pytest -q", "pytest -q | tail -3", "1 failed, 5 passed", False),
    ("pytest -q", "pytest -q 2>&1 | tail -3", "6 passed in 0.8s", True),
    ("make lint && make test", "make test", "ok", False),
]


@pytest.mark.parametrize(("failing", "command", "output", "passed"), FAILING)
def test_an_error_is_gone_when_what_failed_went_well_as_a_part(failing: str, command: str, output: str, passed: bool) -> None:
    """Of a longer command too, where its status or its output says so; not where a pipe or a `;` hides how it went."""
    capture = Capture()
    capture.feed(
        [
            Event("call", call="1", command=failing),
            Event("result", "E   ModuleNotFoundError: No module named 'respx'", call="1", failed=True),
            Event("call", call="2", command=command),
            Event("result", output, call="2"),
        ]
    )
    assert capture.draft()["code"].endswith("(passed since)") is passed


LONG = "I have read docs/http.md. Shall I make a section of its own, or put it under Errors?"
ANSWER = "A section of its own please."


@pytest.mark.parametrize("last", ["Done.", "It failed: EACCES.", "已经加好了。", "The section is in place, with its examples."])
def test_the_last_message_counts_however_short_it_is(last: str) -> None:
    """In the order in which things were said, both sides, short ones with the longer one that they followed."""
    capture = Capture()
    capture.feed([Event("user", "write the docs"), Event("agent", LONG), Event("user", ANSWER)])
    assert capture.draft()["exchanges"] == ("User: write the docs", f"Assistant: {LONG}", f"User: {ANSWER}")
    capture.feed([Event("call", edits=(("/w/d.md", "", "x"),)), Event("agent", last)])
    said = list(capture.draft()["exchanges"])
    assert said == ["User: write the docs", f"Assistant: {LONG}", f"User: {ANSWER}", f"Assistant: {last}"]


def test_of_what_was_said_on_the_way_the_last_messages_stay() -> None:
    """Their beginnings; of the request before, only the answer."""
    way = [f"I have looked at part {number} of the invoices, and it is right: {'x ' * 200}" for number in range(6)]
    answer = "The totals are right now, and the archive is in its place."
    capture = Capture()
    run = Event("call", command="make sums")
    capture.feed([Event("user", "mend the totals"), run, Event("agent", "I look at each month first."), Event("agent", answer)])
    capture.feed([Event("user", "check the invoices"), *(Event("agent", text) for text in (*way, "Part seven is next."))])
    said = capture.draft()["exchanges"]
    assert said[:3] == ("User: mend the totals", f"Assistant: {answer}", "User: check the invoices")
    assert [text[:35] for text in said[3:-2]] == [f"Assistant: I have looked at part {number} " for number in range(1, 5)]
    assert max(map(len, said[3:-2])) <= 311
    assert said[-2:] == (f"Assistant: {' '.join(way[5].split())}", "Assistant: Part seven is next.")


ASKED_FOR = [
    ([("agent", LONG), ("user", ANSWER)], ", in answer to: “I have read docs/http.md. Shall I"),
    ([("agent", LONG), ("user", "One of its own, with an example for each status code that there is.")], "Shall I make"),
    ([("agent", "All of the tests pass now."), ("user", "go on")], "(then: “go on”, after: “All of the tests pass now.”)"),
    ([("agent", "It is off.\n\nTo light it:\n\n```sh\nlamp on\n```"), ("user", "lamp on")], "(after: “To light it: lamp on”)"),
    ([("agent", "off\n```"), ("user", "go on")], "(then: “go on”, after: “off ```”)"),
    ([("agent", "All pass."), ("user", "Write the section on timeouts next, in the same style as the one above.")], ""),
    ([("agent", LONG), ("user", ANSWER), ("user", "and hurry")], ""),
    ([("agent", LONG), ("user", "x " * 150)], ""),
]


@pytest.mark.parametrize(("said", "meant"), ASKED_FOR)
def test_an_answer_stands_with_the_question_right_before_it(said: list[tuple[str, str]], meant: str) -> None:
    """A short one with whatever was said; a longer one where a question was asked; none with what was said turns before."""
    capture = Capture()
    capture.feed([Event("user", "write the docs"), *(Event(kind, text.strip()) for kind, text in said)])
    task = capture.draft()["task"]
    assert meant in task
    assert ("in answer to: “" in task or "after: “" in task) is bool(meant)


ALIAS = "Should the old name stay as an alias until v3?"


@pytest.mark.parametrize(
    ("after", "waits"),
    [
        ([], True),
        ([Event("call", call="2", command="ls -la x")], True),  # beside it
        ([Event("result", "The user doesn't want to proceed", call="q", failed=True)], True),
        ([Event("result", "User has answered", call="q")], False),
        ([Event("user", "remove it at once")], False),
    ],
)
def test_a_question_asked_by_a_tool_waits_for_its_answer(after: list[Event], waits: bool) -> None:
    """Until it comes back, or the user speaks."""
    capture = Capture()
    capture.feed([Event("user", "rename it"), Event("call", call="q", asks=f"{ALIAS} (Keep / Remove)"), *after])
    assert capture.draft().get("unanswered", ()) == ((f"{ALIAS} (Keep / Remove)",) if waits else ())
    kept = Capture.from_data(json.loads(json.dumps(capture.as_data())))
    assert kept.draft() == capture.draft()


def test_what_takes_back_stands_behind_what_it_takes_back() -> None:
    """Word for word, however short, and so it is told to the summariser."""
    capture = Capture()
    said = ["Actually use DuckDB instead of SQLite.", "Forget DuckDB, go back to SQLite after all.", "never mind", "now the docs"]
    capture.feed([*(Event("user", text) for text in said), Event("call", command="make sums")])
    state = Checkpoint(**capture.draft())
    assert state.corrections == tuple(said[:3])
    told = paragraph(state)
    assert told.index(said[1]) < told.index(said[0])  # the newest first
    shown = brief.make(brief.Known(state), 4000)
    assert shown.index(said[1]) < shown.index(said[0])


def test_a_proposal_is_a_decision_when_the_user_agrees() -> None:
    """And none before."""
    capture = Capture()
    capture.feed([Event("user", "cache the rates"), Event("agent", "I will keep them in Redis, if that suits you.")])
    assert "decisions" not in capture.draft()
    capture.feed([Event("user", "yes, do that")])
    assert capture.draft()["decisions"] == ("User agreed (“yes, do that”) to: I will keep them in Redis, if that suits you.",)


CALLS = [
    ("AskUserQuestion", {"questions": [{"question": ALIAS, "options": [{"label": "Keep"}, {"label": "Remove"}]}]}, True),
    ("request_user_input", {"questions": [{"question": ALIAS, "options": [{"label": "Keep"}, {"label": "Remove"}]}]}, True),
    ("question", {"questions": [{"header": "Alias", "question": ALIAS, "options": ["Keep", "Remove"]}]}, True),
    ("ask_followup_question", {"question": ALIAS, "options": ["Keep", "Remove"]}, True),
    ("ask_docs", {"repo": "x/y", "question": ALIAS, "options": ["Keep", "Remove"]}, False),
    ("Bash", {"command": "ls"}, False),
    ("odd", {"questions": ["x", 3, {"question": None}, {"question": {}}], "options": 3}, False),
]


@pytest.mark.parametrize(("tool", "given", "asks"), CALLS)
def test_a_call_that_asks_the_user_is_known_by_its_form(tool: str, given: dict[str, object], asks: bool) -> None:
    """Whatever a host calls the tool; a question to somebody else is none."""
    assert called(tool, given).asks == (f"{ALIAS} (Keep / Remove)" if asks else "")


def test_what_was_said_before_the_request_is_not_shown_as_its_answer() -> None:
    """The brief shows the newest first, and says of the agent's words when they came before the request that stands above."""
    capture = Capture()
    report = "Both are changed now: no retry, and the mail goes to ops only."
    capture.feed([Event("user", "set up the job"), Event("agent", report)])
    docs = "Now the docs please, in docs/export.md, in simple words, and with one example for each of the flags."
    capture.feed([Event("user", docs), Event("call", edits=(("/w/d.md", "", "x"),))])
    assert f"- Assistant, before the request: {report}\n" in brief.make(brief.Known(Checkpoint(**capture.draft())), 4000)
    capture.feed([Event("agent", "Done.")])
    shown = brief.make(brief.Known(Checkpoint(**capture.draft())), 4000)
    assert "- Assistant: Done.\n- Assistant, before the request: " in shown


def test_of_a_question_that_a_tool_asked_the_answer_is_what_finds_room() -> None:
    """Under “Earlier” lines are shortened at their end."""
    asked = "2026-11-15 10:00 User: Shall the exporter write the old columns as well, or only the new ones? → Only the new ones"
    shown = brief.make(brief.Known(Checkpoint(task="write the notes", timeline=(asked,))), 4000)
    assert "Only the new ones (asked: Shall the exporter write the old columns as well, or only the new ones?)" in shown


WAYS = (
    "There are three ways:\n\n1. **Shrink retention** to 7 days.\n2. **Resize the volume** to 200Gi.\n"
    "3. **Move chunks** to S3.\n\nWhich one?"
)
LETTERS = "### Option A: One file\nAs it is.\n\n### Option B: Two files\n\nWhich?"
# Two lists, of which only the first is one of ways; and steps in which things with numbers of their own are spoken of.
RAILS = (
    "### Option 1: Coloured rails\n\nMinimal.\n\n### Option 2: A graph like git's\n\nClear.\n\nI would take option 1:\n\n"
    "1. Track the session\n2. Compare it with the one before\n\nShall I?"
)
SCENARIO = "1. Commit 1 is made\n2. A new prompt comes, and the id is cleared\n3. Commit 2 finds no id\n\nShall I mend that?"
PLANS = "有两个方案：\nA. 柱状图\nB、折线图\n\n你想用哪个？"
REPLIES = [
    ("2", WAYS, "2: “Resize the volume to 200Gi.”"),
    ("let's try 2=", WAYS, "2: “Resize the volume to 200Gi.”"),
    ("2, and tell Marco when it is done", WAYS, "2: “Resize the volume to 200Gi.”"),
    ("do 1 and 3", WAYS, "1: “Shrink retention to 7 days.”; 3: “Move chunks to S3.”"),
    ("the second one please", WAYS, "2: “Resize the volume to 200Gi.”"),
    ("Nimm die dritte.", WAYS, "3: “Move chunks to S3.”"),
    ("1番でお願い", WAYS, "1: “Shrink retention to 7 days.”"),
    ("第二个", WAYS, "2: “Resize the volume to 200Gi.”"),
    ("4", WAYS, ""),
    ("make 2 commits of it", WAYS, ""),
    ("implement all 3. I want to see it before we ship", WAYS, ""),
    ("3个都要", WAYS, ""),
    ("before that, look at this:\n[Image #2]\n\nthey are shown twice", WAYS, ""),
    ("[Pasted text #1 +20 lines] what does it say?", WAYS, ""),
    ("merge PR #2 and close issue #3", WAYS, ""),
    ("go with #2", WAYS, "2: “Resize the volume to 200Gi.”"),
    ("all right, 3", WAYS, "3: “Move chunks to S3.”"),
    ("set it to 2.5", WAYS, ""),
    ("first write the tests", WAYS, ""),
    ("can that wait?\n\nsecond, where do I see the size of the volume?", WAYS, ""),
    ("First, stop the job. Second: tell me what it cost.", WAYS, ""),
    ("第一，先停掉任务；第二，告诉我花了多少", WAYS, ""),
    ("the second, please", WAYS, "2: “Resize the volume to 200Gi.”"),
    ("Second, please", WAYS, "2: “Resize the volume to 200Gi.”"),
    ("take the first, then the third", WAYS, "1: “Shrink retention to 7 days.”; 3: “Move chunks to S3.”"),
    ("use v2", WAYS, ""),
    ("all of it as in Heading 2", WAYS, ""),
    ("only for Python 3", WAYS, ""),
    ("do Step 2 first", WAYS, "2: “Resize the volume to 200Gi.”"),
    ("mach erst Punkt 3", WAYS, "3: “Move chunks to S3.”"),
    ("Try 3", WAYS, "3: “Move chunks to S3.”"),
    ("b", LETTERS, "B: “Two files”"),
    ("go with option a", LETTERS, "A: “One file As it is.”"),
    ("A section of its own please", LETTERS, ""),
    ("lines in parallel, in the style of option 2?", RAILS, "2: “A graph like git's”"),
    ("2, go on", RAILS, "2: “Compare it with the one before”"),
    ("Commit 2 is irrelevant in this scenario...?", SCENARIO, ""),
    ("but commit 2, then, has no id", SCENARIO, ""),
    ("start with 2", SCENARIO, "2: “A new prompt comes, and the id is cleared”"),
    ("B吧", PLANS, "B: “折线图”"),
    ("2", "All 14 tests pass. How many workers?", ""),
    ("2 " + "x" * 200, WAYS, ""),
]


@pytest.mark.parametrize(("reply", "said", "meant"), REPLIES)
def test_a_reply_by_number_or_letter_says_what_it_picks(reply: str, said: str, meant: str) -> None:
    """“2” is nothing to who has lost the list; a number that counts something picks nothing."""
    assert picked(reply, said) == meant
    capture = Capture()
    capture.feed([Event("user", "free some space"), Event("agent", said), Event("user", reply)])
    draft = capture.draft()
    assert (f"\n({meant})" in draft["task"]) is bool(meant)
    assert any(meant and meant in text for text in draft.get("decisions", ())) is bool(meant)


@pytest.mark.parametrize(
    ("word", "busy", "shown"),
    [
        ("not all tests at the end", True, True),
        ("not all tests at the end", False, False),
        ("write the page on rounding as well, with one example for each of the three rates", True, False),
    ],
)
def test_a_word_on_the_way_stands_with_what_was_being_done(word: str, busy: bool, shown: bool) -> None:
    """What is said while the agent works changes how it works; what it works on is still the request before."""
    capture = Capture()
    capture.feed([Event("user", "add session ends to both agents"), Event("call", command="make build", call="1")])
    capture.feed([Event("result", "ok", call="1"), *([] if busy else [Event("agent", "It is built.")]), Event("user", word)])
    assert ("(while at: “add session ends to both agents”)" in capture.draft()["task"]) is shown
    capture.feed([Event("call", command="make build", call="2"), Event("user", "and quickly")])
    assert ("(while at: “add session ends to both agents”)" in capture.draft()["task"]) is busy
    assert Capture.from_data(json.loads(json.dumps(capture.as_data()))).draft() == capture.draft()


COURTESIES = [
    ("ok thanks", True),
    ("ok danke, bis morgen", True),
    ("perfect, thank you. see you tomorrow", True),
    ("gracias, hasta mañana", True),
    ("好的，谢谢", True),
    ("thanks, now fix the tests", False),
    ("thanks for that, but no", False),
    ("great", False),
    ("tomorrow", False),
    ("谢谢，再加一个测试", False),
]


@pytest.mark.parametrize(("text", "is_one"), COURTESIES)
def test_a_thanks_is_no_request(text: str, is_one: bool) -> None:
    """What was worked on before it is what was worked on."""
    capture = Capture()
    capture.feed([Event("user", "move the posts"), Event("agent", "All 80 posts are moved."), Event("user", text)])
    assert is_courtesy(text) is is_one
    assert capture.draft()["task"].startswith("move the posts" if is_one or text == "great" else text)
    assert text in capture.draft()["task"]


def test_a_goodbye_answers_no_question() -> None:
    """The question waits for the next day, also behind the agent's own goodbye; a plain thanks may have answered it."""
    capture = Capture()
    capture.feed([Event("user", "check the dates"), Event("agent", "May 3 or May 8. Which one is right?")])
    capture.feed([Event("user", "ok thanks, see you tomorrow"), Event("agent", "See you! The date is still open.")])
    assert capture.draft()["unanswered"] == ("May 3 or May 8. Which one is right?",)
    capture.feed([Event("user", "the 8th")])
    assert "unanswered" not in capture.draft()


@pytest.mark.parametrize(
    ("text", "agrees"),
    [
        ("yes", True),
        ("yes, can you also add a test?", True),
        ("yeah at this stage why are we even bothering with it at all?", False),
        ("yes, but why two files?", False),
        ("ok is that the right thing to do?", False),
        ("好，可以再加一个测试吗？", True),
    ],
)
def test_who_asks_back_has_not_agreed(text: str, agrees: bool) -> None:
    """Only a yes that stands for itself is one, where a question follows."""
    assert is_yes(text) is agrees


@pytest.mark.parametrize(("text", "tone"), [("that's great", "pleased"), ("panics are not great either, any other way?", "")])
def test_not_great_is_no_praise(text: str, tone: str) -> None:
    """A tone that is not there is worse than none."""
    assert tone_of(text) == tone


@pytest.mark.parametrize("stops", [(), (3,), (5,), (6,), (3, 6, 7)])
@pytest.mark.parametrize("back", [True, False])
def test_what_the_user_went_back_from_is_no_longer_so(back: bool, stops: tuple[int, ...], tmp_path: Path) -> None:
    """Of a branch that was left, no request, no question and no decision is told; where nobody went back, all of them. However
    often it is read on between.
    """
    first = "Use memcached and never cache for more than 5 minutes"
    said = [
        ("user", "Add caching to the price endpoint"),
        ("assistant", "There are several caches that would do."),
        ("user", first),
        ("assistant", "I'll use memcached with a TTL of 300."),
        ("assistant", "Memcached is wired. Should it be in the compose file too?"),
        ("user", "Use an LRU cache in the process, with 1000 entries"),
        ("assistant", "The LRU cache is in place, with 1000 entries."),
    ]
    lines = []
    for number, (kind, text) in enumerate(said):
        above = 1 if back and number == 5 else number - 1
        about = {"uuid": f"u{number}", "parentUuid": f"u{above}" if number else None, "sessionId": "S", "isSidechain": False}
        message = {"role": kind, "content": text}
        lines.append(json.dumps({"type": kind, **about, "timestamp": f"2026-11-14T09:00:0{number}.000Z", "message": message}))
    path, capture, position = tmp_path / "s.jsonl", Capture(), None
    for stop in (*stops, len(lines)):
        path.write_text("\n".join(lines[:stop]) + "\n")
        with Transcript(str(path), host="claude-code") as transcript:
            capture.feed(transcript.events(position))
            position = json.loads(json.dumps(transcript.position))
        capture = Capture.from_data(json.loads(json.dumps(capture.as_data())))
    draft = capture.draft()
    assert draft["task"].startswith("Use an LRU cache")
    assert ("(in answer to: “" in draft["task"], first in draft.get("corrections", ())) == (not back, not back)
    assert (first in str(draft["timeline"]), "memcached" in str(draft.get("decisions", ()))) == (not back, not back)
    assert draft["exchanges"][-1] == "Assistant: The LRU cache is in place, with 1000 entries."
    assert draft["timeline"][0].endswith("Add caching to the price endpoint")


def test_prompts_below_one_line_of_which_nothing_came_are_all_kept(tmp_path: Path) -> None:
    """Where no line stands below a prompt, the lines are not the tree that a rewind is read from: nobody went back from it."""
    said = ("never delete a migration", "add the totals as well", "and write the docs")
    path = tmp_path / "s.jsonl"
    with path.open("w") as file:
        for number, text in enumerate(said):
            about = {"uuid": f"u{number}", "parentUuid": "root", "timestamp": f"2026-11-14T09:00:0{number}.000Z"}
            print(json.dumps({"type": "user", **about, "message": {"role": "user", "content": text}}), file=file)
    capture = Capture()
    with Transcript(str(path), host="claude-code") as transcript:
        capture.feed(transcript.events(None))
    draft = capture.draft()
    assert all(text in str(draft["timeline"]) for text in said)
    assert draft["corrections"][0].startswith("never delete a migration")


@pytest.mark.parametrize(
    ("reply", "confirms"),
    [
        ("yes", True),
        ("Yes, that's right. Go on please.", True),
        ("ja, stimmt, weiter", True),
        ("sí, continúa", True),
        ("对的，继续吧", True),
        ("はい、続けてください", True),
        ("yes, and add the totals as well", False),
        ("对，再加一个测试", False),
        ("no, XLSX", False),
    ],
)
def test_a_yes_to_our_brief_is_not_what_is_worked_on(reply: str, confirms: bool) -> None:
    """After a compaction the agent asks whether the brief is right. At the next one, the work is still the work."""
    capture = Capture()
    capture.feed([Event("user", "write the invoice exporter"), Event("call", edits=(("/w/exporter.py", "", "x"),))])
    capture.feed([Event("compaction"), Event("agent", f"The CSV writer is next. {QUESTION}"), Event("user", reply)])
    assert is_confirmation(reply) is confirms
    assert capture.draft()["task"].startswith("write the invoice exporter" if confirms else reply)
    capture.feed([Event("agent", "Shall the writer quote all cells?"), Event("user", "yes")])
    task = "write the invoice exporter" if confirms else reply
    assert capture.draft()["task"].startswith(f"{task}\n(then: “yes”, in answer to: “Shall the writer quote all cells?”)")


ASKED = "move the invoices to the new rates"
OPENINGS = [
    ("yeah let's do it", True), ("go on", True),
    ("thanks", True), ("/superpowers:brainstorm", True), ("hello, what were we doing?", True), ("wo waren wir?", True),
    ("do you remember the old rates? they must go", False),
    ("/review the branch", False), ("fix it", False), ("hi, the build is red", False), ("what is this?", False),
]  # fmt: skip


@pytest.mark.parametrize(("opening", "says_nothing"), OPENINGS)
def test_what_was_asked_first_is_the_first_request_that_asks_something(opening: str, says_nothing: bool) -> None:
    """A greeting is no goal, nor is a yes to what stood in a context that is gone; where it is all that was said, it stands,
    unless it asks for the past.
    """
    capture = Capture()
    capture.feed([Event("user", opening), Event("agent", "At your service.")])
    assert capture.draft().get("goal", "") == ("" if says_nothing and asks_for_the_past(opening) else opening)
    capture.feed([Event("user", ASKED), Event("agent", "Done.")])
    assert capture.draft()["goal"] == (ASKED if says_nothing else opening)
