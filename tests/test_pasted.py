"""A prompt with a log in it: what the person typed is what counts."""

from __future__ import annotations

import pytest

from holdfast.briefing import brief, summarising
from holdfast.capture.draft import Capture
from holdfast.capture.pasted import both_ends, gist, typed
from holdfast.model import Checkpoint
from holdfast.transcripts import Event

WISH = "Why does worker 7 time out? Fix only that one, and don't touch broker-2."
LOGS = {
    "stamped": "\n".join(f"2026-11-16 10:{i // 60:02}:{i % 60:02} ERROR worker {i}: broker-2 timed out" for i in range(150)),
    "java": "java.lang.IllegalState: closed\n" + "\n".join(f"    at com.acme.S{i}.call(S{i}.java:{i})" for i in range(150)),
    "python": "Traceback (most recent call last):\n"
    + "\n".join(f'  File "/srv/app/part_{i}.py", line {i}, in run\n    go_on({i})' for i in range(90))
    + "\nKeyError: 'order_id'",
    "json": "\n".join(f'{{"time": "10:{i}", "level": "INFO", "msg": "hook called", "n": {i}}}' for i in range(150)),
    "fenced": "```\n" + "\n".join(f"some plain words of a program, number {i}" for i in range(150)) + "\n```",
    "one line": "x" * 9000,
    "prose": "\n\n".join(f"This is paragraph {i} of a long document that somebody has pasted whole." for i in range(120)),
}


@pytest.mark.parametrize("form", ["{log}\n\n{wish}", "{wish}\n\n{log}", "Here it is:\n{log}\n{wish}"])
@pytest.mark.parametrize("log", LOGS.values(), ids=LOGS)
def test_a_request_beside_a_pasted_log_is_kept_and_shown(log: str, form: str) -> None:
    """Before it or behind it, whatever was pasted: on disk, in the brief, and in what came before."""
    capture = Capture()
    capture.feed([Event("user", form.format(log=log, wish=WISH)), Event("call", edits=(("/w/worker.py", "a", "b"),))])
    state = Checkpoint(**capture.draft())
    assert WISH in state.task
    shown = brief.make(brief.Known(state), 4000)
    assert WISH in " ".join(shown.split("Working on:")[1].split("\n\n")[0].split())
    capture.feed([Event("user", "and now the docs please")])
    assert any(WISH[-60:] in line or WISH[:60] in line for line in capture.draft()["timeline"])


def test_a_pasted_trace_does_not_fill_the_files() -> None:
    """Of a hundred files that a trace names, the person has named none."""
    capture = Capture()
    capture.feed([Event("user", f"{LOGS['java']}\n\nMend it in Pool.java, and nowhere else.")])
    files = [value for kind, value in capture.draft()["names"] if kind == "File"]
    assert "Pool.java" in files
    assert len(files) <= 4


def test_what_is_forbidden_beside_a_pasted_log_is_told_too() -> None:
    """A long prompt whose own words are few is a correction as they are; the summariser hears it."""
    capture = Capture()
    capture.feed([Event("user", f"{LOGS['java']}\n\n{WISH}"), Event("call", edits=(("/w/worker.py", "a", "b"),))])
    state = Checkpoint(**capture.draft())
    assert [WISH in text for text in state.corrections] == [True]
    assert "don't touch broker-2" in summarising.paragraph(state)


WHOLE = [
    "a short one",
    "a list:\n" + "\n".join(f"- point {i} of `some_name` in a/b.py" for i in range(20)),
    "steps:\n" + "\n".join(f"{i}. do_this(x_{i})" for i in range(20)),
    "\n".join(f"line {i} that a person wrote by hand, in plain words" for i in range(20)),
    "\n".join("这是用户自己写的一句话，没有粘贴任何东西" for _ in range(20)),
    "five lines of code:\n    a_1 = 1\n    a_2 = 1\n    a_3 = 1\n    a_4 = 1\n    a_5 = 1\nchange them",
]


@pytest.mark.parametrize("text", WHOLE)
def test_what_a_person_wrote_is_left_as_it_is(text: str) -> None:
    """Lists, plain words in any script, and a few lines of code."""
    assert typed(text) == text


def test_a_prompt_that_finds_room_is_shown_whole() -> None:
    """What was pasted is shortened only where there is no room for it, and no further than it must be."""
    text = f"{LOGS['stamped'][:600]}\n\n{WISH}"
    assert gist(text, 840) == " ".join(text.split())
    assert 600 < len(gist(f"{LOGS['stamped']}\n\n{WISH}", 840)) <= 840


@pytest.mark.parametrize("budget", [2200, 3000, 4000, 9000])
def test_what_is_wanted_behind_a_log_is_in_every_brief(budget: int) -> None:
    """However little room there is: a brief that shows the first lines of a log has lost the request."""
    told = tuple(f"never touch part {i} of the exporter without a word to me, whatever the log of it says" for i in range(20))
    said = ("Assistant: " + "It is mended. " * 70,)
    state = Checkpoint(task=f"oh no\n\n{LOGS['stamped']}\n\n{WISH}", corrections=told, exchanges=said)
    assert WISH in brief.make(brief.Known(state), budget)


@pytest.mark.parametrize(
    ("transcript", "others", "heading"), [(True, (), "Asked first"), (True, ("goal",), "Goal (as set)"), (False, (), "Goal")]
)
def test_what_was_asked_first_is_no_goal_that_anybody_has_set(transcript: bool, others: tuple[str, ...], heading: str) -> None:
    """Of a long session it may be long done; a goal is what the agent or a person calls one."""
    known = brief.Known(Checkpoint(task="go on", goal="mend the button"), from_transcript=transcript, others=others)
    assert f"\n{heading}: mend the button\n" in brief.make(known, 4000)


def test_of_several_pushes_the_newest_is_told() -> None:
    """The commits between them are what must not be made again."""
    done = ("`git push 2>&1`", "commit “Round sums”", "`git -C /w push origin main`", "`git push origin main`", "`gh pr create`")
    shown = brief.make(brief.Known(Checkpoint(task="go on", done=done)), 4000)
    assert "Done:\n- `gh pr create`\n- `git push origin main`\n- commit “Round sums”\n" in shown


def test_a_line_that_is_cut_twice_says_so_once() -> None:
    """The gist of a long request has a gap in it, and may be shortened there again."""
    asked = [f"2026-11-15 1{i}:00 User: {gist(f'request {i} ' + 'some words of it ' * 60, 400)}" for i in range(9)]
    for budget in range(1500, 5000, 9):
        shown = brief.make(brief.Known(Checkpoint(task="go on", timeline=tuple(asked))), budget)
        assert "……" not in shown
        assert "… …" not in shown


@pytest.mark.parametrize("text", ["word " * 500, "x" * 3000, "字" * 3000, "a b " + "x" * 3000])
@pytest.mark.parametrize("limit", [60, 200, 840])
def test_both_ends_stay_within_the_limit(text: str, limit: int) -> None:
    """Beginning and end, in any script."""
    shown = both_ends(text, limit)
    assert limit // 3 < len(shown) <= limit
    assert " … " in shown
