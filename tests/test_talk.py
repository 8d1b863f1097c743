"""A conversation without a single tool call is memory, and small talk replaces neither its task nor its open question."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from holdfast.briefing import brief
from holdfast.capture.condense import Message, condense, condense_all
from holdfast.capture.draft import Capture
from holdfast.capture.small_talk import is_offer_of_help, is_small_talk
from holdfast.config import read_config
from holdfast.memory import Memory
from holdfast.model import Checkpoint
from holdfast.transcripts import Event
from test_openclaw import Host

if TYPE_CHECKING:
    from pathlib import Path

MAIN = "agent:main:main"
# A plan for a summer holiday: dates, a budget, a name, an instruction, a proposal, an agreement. No tool, no question.
TALK = [
    ("We want to go to Lisbon from 14 to 21 June with the two kids.", "Lisbon in June is warm and busy. Book early."),
    ("The budget is 2,400 euros for everything, flights included.", "That is tight. A flat in Graça would cost about 900 euros."),
    ("My mother Helena comes along, she cannot climb stairs.", "Then I would look at Campo de Ourique, which is flat."),
    ("Fine, Campo de Ourique it is.", "Noted: a ground-floor flat in Campo de Ourique."),
    ("Please never suggest a rental car, I get sick in cars.", "No rental car. Tram 28 and the metro cover all of it."),
    ("Great, the trams sound fun for the kids.", "They will love them. I will put together a plan for each day."),
]
TOLD = ("14 to 21 June", "2,400 euros", "Helena", "Campo de Ourique", "never suggest a rental car", "plan for each day")


@pytest.fixture
def host(tmp_path: Path) -> Host:
    """A gateway in which the talk was had."""
    host = Host(tmp_path)
    for said, reply in TALK:
        host.says(said, reply)
    return host


BOUNDARIES = {
    "a compaction": [("before_compaction", {"before": 12}), ("after_compaction", {"before": 12, "after": 1})],
    "/new": [("before_reset", {"before": 12, "reason": "new"}), ("session_start", {"follows": "id of agent:main:main"})],
    "a reset that only its end tells": [("session_end", {"reason": "reset"})],
}


@pytest.mark.parametrize("boundary", BOUNDARIES)
def test_a_conversation_is_saved_and_given_back(host: Host, boundary: str) -> None:
    """E10: what the user told, what was proposed and agreed, both sides of the last exchanges; no words of a build log."""
    for event, about in BOUNDARIES[boundary]:
        host.tells(event, trigger="user", **about)
    given = host.tells("before_prompt_build", prompt="go on", trigger="user")["context"]
    for fact in TOLD:
        assert fact in given, fact
        assert fact in host.file("memory/session-state.md"), fact
    for word in ("phase", "Files changed", "Commands", "Names elsewhere", "Last error"):
        assert word not in given, word
    told = given.partition("\nLast exchanges, oldest first:\n")[2]  # the rest of a brief is “newest first”
    assert -1 < told.find("never suggest a rental car") < told.find("No rental car. Tram 28"), told


def test_a_conversation_is_given_back_to_who_asks_where_we_were(host: Host) -> None:
    """No boundary was ever seen: the end of each turn has saved it."""
    host.tells("agent_end", trigger="user")
    given = host.tells("before_prompt_build", prompt="where were we?", trigger="user")["context"]
    assert all(fact in given for fact in ("2,400 euros", "Campo de Ourique"))


NOTHING_TO_LOSE = {
    "a greeting": [("hi", "Hello! How can I help you today?")],
    "a greeting in Chinese": [("在吗", "在的，有什么可以帮你？")],
    "a question": [("what is the capital of Austria", "Vienna.")],
    "a question with its mark": [("How many grams are in an ounce?", "28.35 grams.")],
    "a greeting, a question and a thanks": [("hello", "Hi!"), ("what is a monad?", "A monoid."), ("thanks, bye", "Bye!")],
}
WORTH_A_SAVE = {
    "one statement": [("My daughter's birthday is on 12 May.", "Noted.")],
    "two questions": [("what is a monad?", "A monoid."), ("and in which category?", "That of endofunctors.")],
    "a question that tells": [("I fly to Oslo on 3 March. What should I pack?", "Warm clothes.")],
    "an order": [("always answer in French", "D'accord.")],
    "a question that waits": [("which flat is better?", "The first. Shall I write to the owner?")],
    "a long question": [(f"what do you think of this plan: {'first the roof, then the walls, ' * 10}?", "Good.")],
}


@pytest.mark.parametrize(("talk", "saved"), [*((t, False) for t in NOTHING_TO_LOSE), *((t, True) for t in WORTH_A_SAVE)])
def test_only_a_greeting_or_a_one_line_question_is_passed_over(tmp_path: Path, talk: str, saved: bool) -> None:
    """And the topic's history claims a save only where there was one."""
    host = Host(tmp_path)
    for said, reply in (NOTHING_TO_LOSE | WORTH_A_SAVE)[talk]:
        host.says(said, reply)
    host.tells("before_compaction", before=2, trigger="user")
    assert bool(host.file("memory/session-state.md")) is saved
    history = host.file("memory/context-agent-main-main.md")
    assert ("Auto-saved before compaction (2 messages)" in history) is saved
    assert ("Nothing to save before compaction (2 messages)" in history) is not saved


# ---- small talk --------------------------------------------------------------------------------------------------------

ASKED = "I found two flats. Shall I write to the owner of the one in Rua Saraiva?"
SMALL_TALK = [
    "hi", "Hey there!", "在吗", "brb lunch", "what time is it?", "back again", "lol ok one sec",
    "good morning!", "哈哈",
    "我先去吃个饭", "现在几点了？", "早上好", "等我一下", "you there?", "brb 5 mins",
    "guten Morgen", "bin gleich wieder da",
    "un momento", "je reviens", "привет", "минутку", "ただいま", "잠시만요", "how are you?",
    "morning", "good night, see you tomorrow",
    "where were we?", "so where did we stop?", "what were we talking about?", "我们上次聊到哪了？", "刚才说到哪里了？",
    "wo waren wir?", "où en étions-nous ?",
]  # fmt: skip
ANSWERS = [
    "yes please", "go ahead", "no, not now", "sounds good, do that", "好的，就这样", "可以",
    "先不用", "yes, one sec", "the other one",
    "write to both owners", "you decide", "in the morning", "tomorrow", "oui", "нет",
    "never mind the flats",
]  # fmt: skip


@pytest.mark.parametrize("text", SMALL_TALK)
def test_small_talk_leaves_task_and_question_as_they_are(text: str) -> None:
    """Also behind the agent's reply to it, whatever that asks to be polite."""
    capture = Capture()
    capture.feed([Event("user", "find us a flat in Lisbon"), Event("agent", ASKED), Event("user", text)])
    for reply in ("Hello!", "It is noon. How can I help?", "Hi again. The flat is still there."):
        assert capture.draft()["task"].startswith("find us a flat in Lisbon")
        assert capture.draft()["unanswered"] == (ASKED,)
        capture.feed([Event("agent", reply), Event("user", "hello")])
    kept = Capture.from_data(json.loads(json.dumps(capture.as_data())))
    kept.feed([Event("user", "yes please")])
    assert "unanswered" not in kept.draft()


@pytest.mark.parametrize("text", ANSWERS)
def test_what_can_be_an_answer_closes_the_question(text: str) -> None:
    """A yes, a no, a choice, a few words of content, a refusal to decide."""
    capture = Capture()
    capture.feed([Event("user", "find us a flat in Lisbon"), Event("agent", ASKED), Event("user", text)])
    assert not is_small_talk(text, ASKED)
    assert "unanswered" not in capture.draft()


LATER = "Please also look for a restaurant near the castle for the evening of the 16th, five of us."
GOES_ON = [
    ([Event("user", "what does the flat of that owner cost?")], True),
    ([Event("user", "what does the flat of that owner cost?"), Event("agent", "It is 870 euros.")], True),
    ([Event("user", "what does the flat cost?"), Event("call", tool="web", text="price"), Event("agent", "870.")], True),
    ([Event("user", "what does the flat cost?"), Event("agent", "870. Shall I ask for less?")], False),
    ([Event("user", "what does the flat cost?"), Event("call", edits=(("/w/letter.md", "", "x"),))], False),
    ([Event("user", "so, what now?"), Event("agent", "OK.")], True),
    ([Event("user", LATER)], True),
    ([Event("user", LATER), Event("agent", "Chapitô has a table for five on the 16th.")], False),
]


@pytest.mark.parametrize(("after", "waits"), GOES_ON)
def test_a_question_waits_until_it_is_answered_or_the_agent_goes_on(after: list[Event], waits: bool) -> None:
    """Who asks back owes an answer still; who speaks of something else does so until the agent has gone on to that."""
    capture = Capture()
    capture.feed([Event("user", "find us a flat in Lisbon"), Event("agent", ASKED), *after])
    assert (ASKED in capture.draft().get("unanswered", ())) is waits


def test_small_talk_leaves_a_question_that_the_agent_has_set(tmp_path: Path) -> None:
    """What an agent checkpoints as unanswered waits for an answer too."""
    host = Host(tmp_path)
    host.says("plan the trip to Lisbon", "I have a first plan.")
    host.tells("agent_end", trigger="user")
    memory = Memory(str(host.workspace), read_config(str(host.workspace), host.env), write=True)
    memory.checkpoint(MAIN, {"unanswered": ["Tram or metro on the 16th?"], "task": "plan the trip to Lisbon"})
    memory.close()
    for text in ("hi", "brb lunch", "在吗"):
        host.says(text, "Hello!")
        host.tells("agent_end", trigger="user")
    state = host.file("memory/session-state.md")
    assert "Tram or metro on the 16th?" in state.partition("Pending Proposals/Questions")[2].partition("##")[0]
    assert "plan the trip to Lisbon" in state.partition("Current Task")[2].partition("##")[0]


STEPS = ["ok", "go on", "yes", "no, not now", "/compact", "/model", "好的", "weiter", "thanks"]


@pytest.mark.parametrize("step", STEPS)
def test_a_step_on_the_way_is_not_the_task(step: str) -> None:
    """The task is what work is about; what was said on the way stands below it."""
    capture = Capture()
    capture.feed([Event("user", "plan the trip to Lisbon"), Event("agent", "Day one is done."), Event("user", step)])
    assert capture.draft()["task"].partition("\n")[0] == "plan the trip to Lisbon"
    assert step in capture.draft()["task"]


def test_an_offer_of_help_is_no_question_that_waits() -> None:
    """At the beginning of a talk; “shall I write to the owner?” is one."""
    assert is_offer_of_help("Hello! How can I help you today?")
    assert not is_offer_of_help(ASKED)


# ---- how it is shortened -----------------------------------------------------------------------------------------------


def test_a_message_is_shortened_to_the_sentences_that_say_most() -> None:
    """In their order, within the limit, with a mark where something is left out."""
    text = (
        "Thank you so much for the kind message, it really made our day. I am very happy to help with all of this. "
        "The flat costs 870 euros and Mrs. Pereira hands over the keys on 14 June at 15:00. "
        "Of course it is always good to be early, as you know very well. Bring the passports of Ana and Rui."
    )
    short = condense(text, 160)
    assert len(short) <= 160
    assert "870 euros" in short
    assert "passports of Ana and Rui" in short
    assert short.index("870") < short.index("passports")
    assert "…" in short
    assert condense(text, 1000) == text


@pytest.mark.parametrize("room", [60, 200, 800, 5000])
def test_messages_are_shortened_together_to_the_room_that_there_is(room: int) -> None:
    """Each word is paid for once: who repeats what was said leaves room for who does not."""
    again = "We fly on 14 June from Porto. We fly on 14 June from Porto, as I said."
    messages = [Message("- User: ", again), Message("- User: ", "The cat stays with Marta until the 21st.")]
    lines = condense_all(messages, room)
    assert sum(len(line) + 1 for line in lines if line) <= room
    assert room < 200 or "Marta" in lines[1]


def test_a_brief_of_a_long_talk_keeps_early_facts_and_late_words() -> None:
    """Forty turns, of which the first told the dates: at 4,000 characters both are there."""
    capture = Capture()
    for number in range(40):
        said = f"Tell me more about sight {number} of the town."
        said = f"My flight number is TP{number + 1200}." if number % 10 == 0 else said
        capture.feed([Event("user", said), Event("agent", f"Sight {number} is lovely. " + "It is old and worth a visit. " * 20)])
    shown = brief.make(brief.Known(Checkpoint(**capture.draft())), 4000)
    assert len(shown) <= 4000
    for told in ("TP1200", "TP1210", "TP1220", "TP1230", "sight 39"):
        assert told in shown, told


WHOLE_TALKS = {
    "in English": ("The inn. She cannot stand long.", "Understood. The inn it is."),
    "in Chinese": ("住洱海边吧。我妈妈也一起去。", "明白！两位，不爬山。"),
    "in Japanese": ("京都にします。母も行きます。", "はい！二名ですね。"),
    "with a message of marks alone": ("---", "Understood. A line."),
}


@pytest.mark.parametrize("talk", WHOLE_TALKS)
def test_a_brief_that_has_all_of_a_talk_does_not_say_that_lines_are_left_out(talk: str) -> None:
    """Otherwise the agent has to tell the user so."""
    said, reply = WHOLE_TALKS[talk]
    state = Checkpoint(
        task="plan the birthday of my mother", exchanges=(f"User: {said}", f"Assistant: {reply}"),
        timeline=("2026-11-18 12:30 User: 五月去。带孩子。", "2026-11-18 12:31 User: In May. With the kids."),
    )  # fmt: skip
    shown = brief.make(brief.Known(state), 9000)
    assert all(sentence in shown for sentence in (reply, "五月去。带孩子。"))
    assert "left out" not in shown


PICKS = [
    ("brass", "Shall I use brass or steel?", True), ("the brass one please", "Do you want the brass one or the steel one?", True),
    ("per line", "Shall I round per line or per invoice?", True), ("Messing", "Soll ich Messing oder Stahl nehmen?", True),
    ("brass, and paint it red", "Shall I use brass or steel?", False), ("use tin", "Shall I use brass or steel?", False),
    ("brass", "Shall I use brass?", False),
]  # fmt: skip


@pytest.mark.parametrize(("reply", "question", "picks"), PICKS)
def test_a_choice_between_two_ways_is_no_task(reply: str, question: str, picks: bool) -> None:
    """It says how; what is worked on is what was asked for before."""
    capture = Capture()
    capture.feed([Event("user", "mend the lamp so that it burns"), Event("agent", question), Event("user", reply)])
    capture.feed([Event("call", edits=(("/w/lamp.py", "", "x"),))])
    first, _, below = capture.draft()["task"].partition("\n")
    assert first == ("mend the lamp so that it burns" if picks else reply)
    assert question in below
