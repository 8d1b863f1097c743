"""The brief: what is known, made to a budget, in a form that reads well."""

from __future__ import annotations

import re
from typing import Any

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


CODE = "def rate(user: User) -> int:\n    if user.reduced:\n        return 7\n\n    return 19"


@pytest.mark.parametrize("code", [CODE, f"```py\n{CODE}\n```", CODE + "\n    # the end" * 12])
def test_code_that_was_set_stays_code(code: str) -> None:
    """With its lines, indents, empty lines and fences."""
    assert code in brief.make(brief.Known(Checkpoint(task="mend the rate", code=code)), 6000)


OCCASIONS = [
    ("compact", "Context was compacted."), ("clear", "The context was cleared."), ("startup", "A new session begins"),
    ("asked", "The user asks for what was before."), ("recall", "Recalled on request."), ("", "Recalled on request."),
]  # fmt: skip


@pytest.mark.parametrize(("occasion", "said"), OCCASIONS)
def test_a_brief_says_that_context_was_compacted_only_where_it_was(occasion: str, said: str) -> None:
    """A terminal and a tool do not know of any compaction."""
    made = brief.make(brief.Known(Checkpoint(task="mend the lamp"), occasion=occasion), 6000)
    assert said in made
    assert ("Context was compacted" in made) == (occasion == "compact")


def test_what_is_left_out_is_counted_and_can_be_read() -> None:
    """E7: the agent is told to say so to the user, with the command that shows all; where nothing is cut, nothing is said."""
    text = brief.make(known(long_session()), 3000)
    assert re.search(
        r"tell the user where things stand, that \d+ lines are left out here \(`holdfast show 20261115-100000`, ", text
    )
    assert "left out" not in brief.make(known(Checkpoint(task="one thing")), 3000)


GUESSED = [("planning", True, (), False), ("planning", True, ("phase",), True), ("planning", False, (), True),
           ("implementing", True, (), True)]  # fmt: skip


@pytest.mark.parametrize(("phase", "from_transcript", "others", "told"), GUESSED)
def test_planning_is_told_only_where_somebody_has_said_so(
    phase: str, from_transcript: bool, others: tuple[str, ...], told: bool
) -> None:
    """A transcript without an edit does not prove it: files are written by the shell as well."""
    state = Checkpoint(task="add the export", phase=phase, names=(("Command", "python -m py_compile export.py"),))
    made = brief.make(brief.Known(state, from_transcript=from_transcript, others=others), 6000)
    assert (f"phase {phase}" in made) == told


def test_names_stand_with_the_file_that_they_were_changed_in() -> None:
    """And a folder that the files share is named once."""
    text = brief.make(known(long_session(files=3, names=3)), 9000)
    assert text.count("/home/me/project/src/") == 1
    line = next(line for line in text.split("\n") if line.startswith("- `part1/rates_b.py`"))
    assert "rate_b_a" in line
    assert "rate_a_a" not in line


PATHS = [
    (["/w/app/a.py", "/w/app/b.py", "/w/app/c/d.py"], "/w/app/"),
    (["app/tax/a.py", "app/tax/b.py", "app/tax/c.py", "/tmp/try.py"], "app/tax/"),
    (["app/a.py", "lib/b.py", "/tmp/try.py"], ""),
    (["/w/app/a.py", "/w/app/b.py", "lib/c.py"], "/w/app/"),
]


@pytest.mark.parametrize(("paths", "folder"), PATHS)
def test_the_shared_folder_is_where_most_files_are(paths: list[str], folder: str) -> None:
    """A script that was tried out elsewhere does not move the project there."""
    files = tuple((path, "edited 1 time; touches rate_of") for path in paths)
    text = brief.make(known(Checkpoint(task="t", files=files, names=(("Name", "rate_of"),))), 9000)
    assert f"Files changed{f' in `{folder}`' if folder else ''}:\n" in text
    assert all(f"`{path.removeprefix(folder)}`" in text for path in paths)


def test_files_that_were_deleted_are_said_to_be_on_one_line() -> None:
    """There is nothing to look at in them; but who does not know that they are gone looks for them."""
    files = (("/w/app/a.py", "edited 1 time; touches rate_of"), *((f"/w/app/old/{name}.py", "deleted") for name in "bcd"))
    text = brief.make(known(Checkpoint(task="t", files=files, names=(("Name", "rate_of"),))), 9000)
    assert "- deleted: b.py, c.py and d.py\n" in text


def test_what_subagents_came_to_does_not_stand_between_the_last_exchanges() -> None:
    """It was said to the agent and not to the user, and its own last words come before all."""
    said = ("User: round the sums", "Assistant: I have handed it on.", "Subagent (general: round the sums): All are rounded.")
    text = brief.make(known(Checkpoint(task="t", exchanges=said)), 9000)
    assert "Reported by subagents:\n- Subagent (general: round the sums): All are rounded." in text
    assert text.count("All are rounded") == 1
    assert text.index("I have handed it on") < text.index("All are rounded")


SEEN = [
    (["/w/app/docs/a.md", "/w/app/tax/b.py"], ["lib/x.py", "lib/y.py", "lib/z.py", "lib/q.py", "lib/p.py"], "/w/app/"),
    (["/w/app/src/tax/a.py", "/w/app/src/tax/b.py"], ["src/x.py", "tests/y.py"], "/w/app/"),
    (["/w/app/src/tax/a.py", "/w/app/src/tax/b.py"], ["/w/app/src/tax/c.py"], "/w/app/src/tax/"),
    (["src/tax/a.py", "src/tax/b.py"], ["/usr/lib/x.py", "/usr/lib/y.py", "/usr/lib/z.py"], "src/tax/"),
]


@pytest.mark.parametrize(("changed", "seen", "folder"), SEEN)
def test_the_folder_that_is_named_is_one_of_what_was_changed(changed: list[str], seen: list[str], folder: str) -> None:
    """A shell calls what it reads by paths that begin nowhere: they do not name the folder of what an editor changed, and are
    in the one that is named.
    """
    files = [(path, "edited 1 time; touches rate_of") for path in changed]
    files += [(path, f"read; has sum_of_{path[-4]}") for path in seen]
    names = (("Name", "rate_of"), *(("Name", f"sum_of_{path[-4]}") for path in seen))
    text = brief.make(known(Checkpoint(task="t", files=tuple(files), names=names)), 9000)
    assert f"Files changed in `{folder}`:\n" in text
    assert f"- `{changed[0].removeprefix(folder)}`" in text
    assert f"- `{seen[0].removeprefix(folder)}`" in text


def test_an_error_that_passed_since_does_not_make_another_pass() -> None:
    """What fails behind a pipe stands below the error before it, each with its own end."""
    code = "error: no rate\nerror: no tax (passed since)\n$ npm test | tail\nFAIL rates.test.ts\n2 failed"
    text = brief.make(known(Checkpoint(task="t", code=code)).replaced(from_transcript=True), 9000)
    assert "Last error:\nerror: no rate (passed since)\n$ npm test | tail\nFAIL rates.test.ts\n2 failed\n" in text


def test_a_file_with_more_names_than_a_line_takes_is_not_taken_for_two() -> None:
    """The second line says that it is the same one."""
    many = tuple(f"rate_of_{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(30))
    files = (("/w/app/tax/rates.py", f"edited 2 times; touches {', '.join(many)}"), ("/w/app/main.py", "edited 1 time"))
    text = brief.make(known(Checkpoint(task="t", files=files, names=tuple(("Name", name) for name in many))), 9000)
    assert "- `…/rates.py`: touches" in text
    assert many[-1] in text


def test_a_file_that_was_called_by_two_paths_has_one_line() -> None:
    """An editor calls it by another than a search; and where nothing was changed, the folder stands with what was read."""
    read = (("/w/app/tax/a.py", "read; has rate_of"), ("/w/app/tax/b.py", "read; has sum_of"))
    files = (*read, ("app/tax/a.py", "found by a search; has tax_of"))
    names = tuple(("Name", name) for name in ("rate_of", "sum_of", "tax_of"))
    text = brief.make(known(Checkpoint(task="t", files=files, names=names)), 9000)
    assert "Files seen in `/w/app/tax/`:\n- `a.py`: has rate_of and tax_of\n- `b.py`: has sum_of\n" in text


RUN = "python -m pytest -q tests/test_rates.py::test_that_has_a_very_long_name_which_nobody_types_a_second_time"
SAID_SO = [
    ({"done": (f"`{RUN}`: 1 passed",)}, "- `python -m pytest -q …`: 1 passed\n"),
    ({"done": ("`make test -j4`: ok", "`make test -j4 -k`: 9 passed")}, "- `make test -j4 -k`: 9 passed\n--- end"),
    ({"names": (("Command", RUN),)}, "- python -m pytest -q …\n"),
    ({"names": (("Command", "gofmt -w internal/strategy/manual/rates_of_every_month_test.go"),)}, "month_test.go\n"),
]


@pytest.mark.parametrize(("told", "line"), SAID_SO)
def test_a_command_is_cut_between_words_and_its_end_is_told(told: dict[str, Any], line: str) -> None:
    """Half a word is no command; that it passed says more than all that it was given."""
    assert line in brief.make(known(Checkpoint(task="t", **told)), 9000)


ENDS = [("also a.py, b.py and c.py", "also a.py, b.py…"), ("one; in app/ a.py", "one…"), ("in a", "in a")]


@pytest.mark.parametrize(("line", "shown"), ENDS)
def test_a_cut_ends_in_no_word_that_leads_over(line: str, shown: str) -> None:
    """“…; in” and “… and” promise what is not there."""
    assert brief._cut(line, len(line) - 4 if shown != line else 9) == shown


def test_what_was_said_on_the_way_takes_no_room_from_anything_else() -> None:
    """It stands where there is room left, behind all the rest."""
    said = ("User: go", *(f"Assistant: I have looked at part {i} of the invoices, and all is as it was." for i in range(5)))
    state = long_session().replaced(task="go", exchanges=said)
    small, large = brief.make(known(state), 3000), brief.make(known(state), 20_000)
    assert "part 4 of the invoices, and all" in small
    assert "part 3 of the invoices, and all" not in small
    assert large.index("Said on the way:\n- Assistant: I have looked at part 3") > large.index("Files changed")


def test_short_of_room_every_order_of_the_user_is_told_by_both_its_ends() -> None:
    """What was forbidden weeks ago still is, and people often say last what they forbid."""
    orders = tuple(f"Look at part {i} of it, {'and at the sums there, ' * 12}and never change part {i}." for i in range(6))
    text = brief.make(known(long_session().replaced(corrections=orders)), 3000)
    for i in range(6):
        assert re.search(rf"- Look at part {i} .* … .*never change part {i}\.\n", text)


def test_what_was_said_without_spaces_is_shortened_from_its_beginning() -> None:
    """A sentence is no path, of which the end is enough."""
    asked = tuple(f"2026-11-15 03:{i:02} User: 请看第{i}条发票，{'核对里面的每一笔金额，' * 20}" for i in range(30))
    assert "请看第29条发票，核对里面的每一笔金额，" in brief.make(known(Checkpoint(task="rounding", timeline=asked)), 3000)


def test_what_was_asked_before_a_fork_is_told_once_and_apart_from_what_was_asked_since() -> None:
    """It was asked of another agent, and when, nobody knows."""
    order, parent = "never touch the tax tables of the years before", "before the fork: "
    earlier = (f"{parent}{order}", f"{parent}round the sums", f"planned {parent}tag it", f"planned {parent}ship it")
    state = Checkpoint(
        task="review it", timeline=(*earlier, "2026-11-15 03:00 User: look at it"), corrections=(f"(to another) {order}",)
    )
    text = brief.make(known(state), 9000)
    assert "Earlier:\n- 2026-11-15 03:00 look at it\n" in text
    assert "Asked before the fork, of another agent:\n- planned: tag it\n- planned: ship it\n- round the sums\n" in text
    assert text.count(order) == 1


def test_a_name_that_stands_above_is_not_listed_again() -> None:
    """One without a place has more around it where it was said."""
    state = Checkpoint(task="call rate_of for each line", names=(("Name", "rate_of"), ("Name", "sum_of")))
    assert "Names elsewhere: - spoken of: sum_of\n" in brief.make(known(state), 9000).replace("elsewhere:\n", "elsewhere: ")


def test_nothing_is_said_twice() -> None:
    """A request that is the task and a correction at once stands once."""
    text = brief.make(known(long_session()), 9000)
    assert text.count("never touch the old invoices") == 1


@pytest.mark.parametrize("field", ["task", "corrections", "timeline"])
def test_the_words_by_which_a_tone_shows_are_not_said_twice(field: str) -> None:
    """Where they are the task or an order, the tone alone is news."""
    said = "why is this still broken?? never touch the old invoices, I said"
    given = {"task": said, "corrections": (said,), "timeline": (f"2026-11-15 03:00 User: {said}",)}[field]
    text = brief.make(known(Checkpoint(**{"task": "rounding", field: given}, tone=f"frustrated: “{said}”")), 9000)
    assert ("Tone: frustrated\n" if field != "timeline" else f"Tone: frustrated: “{said}”\n") in text


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


CODE = [  # what is known, and under which heading the code stands
    ({}, "def total(): return 1", "Code to remember"),
    ({"from_transcript": True}, "$ make\nE: no rule", "Last error"),
    ({"from_transcript": True}, "E: no rule", "Last error"),
    ({"from_transcript": True, "others": ("code",)}, "def total(): return 1", "Code to remember (as set)"),
    ({}, "$ make\nE: no rule", "Last error"),
]


@pytest.mark.parametrize(("about", "code", "heading"), CODE)
def test_code_that_somebody_has_set_is_not_called_an_error(about: dict[str, Any], code: str, heading: str) -> None:
    """What was read in a transcript is one, also after a checkpoint has taken it over."""
    headings = [line.partition(":")[0] for line in brief.make(brief.Known(Checkpoint(code=code), **about), 4000).split("\n")]
    assert [one for one in headings if one.startswith(("Code", "Last error"))] == [heading]


@pytest.mark.parametrize("heading", ["Notes of today, 2026-11-15", "Notes of yesterday, 2026-11-14", "Working buffer"])
def test_short_of_room_the_newest_of_what_is_appended_to_is_told(heading: str) -> None:
    """A buffer of two months told its first week, and left out what was decided yesterday. What stays is in its order."""
    lines = [f"- 2026-11-{n:02} 09:00 decide: choice number {n} of many" for n in range(1, 31)]
    text = brief.make(known(long_session()).replaced(notes=((heading, "\n".join(lines)),)), 4000)
    shown = [line for line in text.split("\n") if "decide: choice" in line]
    whole = [line for line in shown if not line.endswith("…")]
    assert 1 < len(shown) < len(lines)
    assert whole == lines[-len(whole) :]
    assert len(shown) - len(whole) <= 1


def test_short_of_room_the_beginning_of_what_is_curated_is_told() -> None:
    """MEMORY.md has its most important things on top."""
    lines = [f"- fact number {n} that is worth keeping in every session" for n in range(1, 31)]
    text = brief.make(known(long_session()).replaced(notes=(("MEMORY.md, saved 2026-11-15 10:00", "\n".join(lines)),)), 4000)
    assert lines[0] in text
    assert lines[-1] not in text
