"""The brief: what is known, made to a budget, in a form that reads well."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.briefing import brief
from holdfast.capture.draft import Capture
from holdfast.model import Checkpoint
from holdfast.transcripts import Event

_NAME = re.compile(r"[A-Za-z0-9]_[A-Za-z0-9]|[a-z][A-Z]|\w\.[a-z]{1,4}$")


def long_session(files: int = 12, names: int = 12, requests: int = 20) -> Checkpoint:
    """A session that has touched many files and names, and was asked for many things."""
    capture = Capture()
    events = []
    for i in range(requests):
        events += [
            Event(
                "user",
                f"please look at the invoices of month number {i} and tell me what the totals are",
                time=f"2026-11-15T{i:02}:00:00Z",
            ),
            Event("agent", f"The totals of month {i} are right; I will use the stored rate instead of a new one for part {i}."),
        ]
    for i in range(files):
        after = "\n".join(f"rate_{chr(97 + i)}_{chr(97 + j)} = compute_{chr(97 + i)}_{chr(97 + j)}()" for j in range(names))
        events += [
            Event("call", call=str(i), edits=((f"/home/me/project/src/part{i}/rates_{chr(97 + i)}.py", "", after),)),
            Event("result", "ok", call=str(i)),
        ]
    events.append(Event("user", "never touch the old invoices, use the archive instead"))
    capture.feed(events)
    return Checkpoint(**capture.draft())


def known(state: Checkpoint) -> brief.Known:
    """The state, with a snapshot to point to."""
    return brief.Known(state, "2026-11-15 10:00:00", "20261115-100000-000000-abcdefgh", "s1")


@pytest.mark.parametrize("budget", [1200, 2000, 4000, 9000, 40_000])
def test_no_part_is_a_bag_of_words(budget: int) -> None:
    """In any twenty words that follow one another, seven or more are no names of code and no files."""
    text = brief.make(known(long_session()), budget)
    words = [word for word in re.split(r"[\s,;/]+", text) if re.search(r"\w", word)]
    bare = [bool(_NAME.search(word.strip("`.:()“”"))) for word in words]
    for i in range(len(words) - 19):
        assert sum(bare[i : i + 20]) <= 13, " ".join(words[i : i + 20])


@pytest.mark.parametrize("budget", [2500, 4000, 9000])
def test_short_of_room_every_changed_file_is_still_named(budget: int) -> None:
    """Names are left out by rank before a file is; what is left out is said."""
    state = long_session()
    text = brief.make(known(state), budget)
    assert [path for path, _ in state.files if path.rsplit("/", 1)[-1] not in text] == []


def test_what_is_left_out_is_counted_and_can_be_read() -> None:
    """E7: the agent is told to say so to the user, with the command that shows all; where nothing is cut, nothing is said."""
    text = brief.make(known(long_session()), 3000)
    assert re.search(
        r"tell the user where things stand, that \d+ lines are left out here \(`holdfast show 20261115-100000`, ", text
    )
    assert "left out" not in brief.make(known(Checkpoint(task="one thing")), 3000)


def test_names_stand_with_the_file_that_they_were_changed_in() -> None:
    """And a folder that the files share is named once."""
    text = brief.make(known(long_session(files=3, names=3)), 9000)
    assert text.count("/home/me/project/src/") == 1
    line = next(line for line in text.split("\n") if line.startswith("- `part1/rates_b.py`"))
    assert "rate_b_a" in line
    assert "rate_a_a" not in line


def test_nothing_is_said_twice() -> None:
    """A request that is the task and a correction at once stands once."""
    text = brief.make(known(long_session()), 9000)
    assert text.count("never touch the old invoices") == 1


ASKED = "Shall I round per line, as the old system did, or per invoice, as the new law says?"


@pytest.mark.parametrize("field", ["in_flight", "questions"])
@pytest.mark.parametrize(
    ("text", "times"),
    [(ASKED, 1), (ASKED[:40] + "…", 0), ("Shall I round at all?", 1), ("Which law is the new one?", 1)],
    ids=["the same", "its beginning", "begins alike", "another"],
)
def test_the_open_question_is_not_said_again_as_what_is_being_decided(field: str, text: str, times: int) -> None:
    """It stands above, word for word; what is not the same is said."""
    said = brief.make(known(Checkpoint(task="rounding", unanswered=(ASKED,), **{field: (text,)})), 9000)
    assert said.count(f"- {ASKED}\n") == 1
    assert said.count(f"- {text}\n") == times


def test_a_day_is_named_once_in_what_came_before() -> None:
    """A time alone is of the day above it."""
    text = brief.make(known(long_session(files=1, requests=4)), 9000)
    assert re.findall(r"- ([\d :-]+)please", text) == ["2026-11-15 03:00 ", "02:00 ", "01:00 ", "00:00 "]


def test_a_name_counts_as_kept_only_as_a_word_of_its_own() -> None:
    """A longer word in the host's summary does not stand for it; a command that stands there as it is does."""
    names = (("Name", "rate_of"), ("Name", "sum_of"), ("Command", "make all"), ("Command", "make lint"))
    state = Checkpoint(task="mend it", names=names)
    text = brief.make(known(state).replaced(summary="We ran make all, and rate_of_today and sum_of are right."), 3000)
    assert [name for _, name in names if name in text] == ["rate_of", "make lint"]


_TEXT = st.text(max_size=300)
_TEXTS = st.lists(_TEXT, max_size=8).map(tuple)


@settings(max_examples=200, deadline=None)
@given(
    st.builds(
        Checkpoint,
        task=_TEXT,
        goal=_TEXT,
        code=_TEXT,
        corrections=_TEXTS,
        unanswered=_TEXTS,
        decisions=_TEXTS,
        timeline=_TEXTS,
        done=_TEXTS,
        exchanges=_TEXTS,
        files=st.lists(st.tuples(_TEXT, _TEXT), max_size=8).map(tuple),
        names=st.lists(
            st.tuples(st.sampled_from(["Name", "Command", "File", "Printed by make", "Port"]), _TEXT), max_size=30
        ).map(tuple),
    ),
    st.integers(900, 12_000),
)
def test_any_state_fits_any_budget_and_gives_the_same_bytes(state: Checkpoint, budget: int) -> None:
    """Whatever is in it: within the budget, the same twice, its frame closed once."""
    text = brief.make(known(state), budget, "")
    assert len(text) <= budget
    assert text == brief.make(known(state), budget, "")
    if text:
        (mark,) = set(re.findall(r"^--- (?:memory|end) (\w{10}) ---$", text, re.M)) or {""}
        assert text.count(f"--- end {mark} ---\n") == 1


@pytest.mark.parametrize(
    ("length", "budget", "whole"), [(500, 4000, True), (2500, 4000, True), (2500, 2000, False), (3900, 9000, True)]
)
def test_a_plan_is_shown_as_far_as_there_is_room(length: int, budget: int, whole: bool) -> None:
    """A long request takes the room that nothing else asks for; where it is cut all the same, the brief says where to read on."""
    plan = ("Implement the following plan: " + " ".join(f"step {number} of it," for number in range(1000)))[:length].rstrip()
    shown = brief.make(brief.Known(Checkpoint(task=plan, done=("commit “one”",)), record="20261116-120000-000000-x"), budget)
    assert (plan in shown) is whole
    assert ("left out here (`holdfast show 20261116-120000`" in shown) is not whole
    assert len(shown) <= budget
    assert "commit “one”" in shown
