"""S3: `<private>…</private>` is dropped: in any case, nested, spaced, split or disguised; unclosed it reaches to the end. What
the user asks not to be remembered is left out of all that is written.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import Holdfast
from holdfast.guard import unremembered
from holdfast.guard.entering import redacted
from holdfast.guard.unremembered import leave_out
from sessions import Machine, Turn

INSIDE = "KimIsIll"
CASES = {
    "plain": (f"a<private>{INSIDE}</private>b", "ab"),
    "upper case": (f"a<PRIVATE>{INSIDE}</Private>b", "ab"),
    "nested": (f"a<private>x<private>y</private>{INSIDE}</private>b", "ab"),
    "unclosed": (f"a<private>{INSIDE} and all that follows", "a"),
    "spaced": (f"a< private >{INSIDE}</ private >b", "ab"),
    "newline in the close": (f"a<private>{INSIDE}</private\n>b", "ab"),
    "with an attribute": (f'a<private reason="health">{INSIDE}</private>b', "ab"),
    "split tag": (f"a<pri<private></private>vate>{INSIDE}</private>b", "ab"),
    "twice": (f"a<private>{INSIDE}</private>b<private>{INSIDE}</private>c", "abc"),
    "zero width": (f"a<pri\u200bvate>{INSIDE}</private>b", "ab"),
    "full width": (f"a＜private＞{INSIDE}＜／private＞b", "ab"),
    "json": (f"a\\u003cprivate\\u003e{INSIDE}\\u003c/private\\u003eb", "ab"),
    "nested and unclosed": (f"a<private><private>{INSIDE}</private>{INSIDE}", "a"),
}


@pytest.mark.parametrize("case", CASES)
def test_every_trick_is_seen_through(case: str) -> None:
    """What was private is gone, what stood around it is there."""
    text, left = CASES[case]
    assert redacted(text) == (left, ("private",))


@pytest.mark.parametrize(("deep", "left"), [(1, "ab"), (8, "ab"), (9, "a"), (10, "a<pri"), (12, "a<pri<pri<pri")])
def test_tags_that_make_up_others_are_taken_apart_or_all_is_private(deep: int, left: str) -> None:
    """What is taken out may have stood in the midst of another tag. Who builds more of them than anybody needs loses the rest."""
    text = f"<private>{INSIDE}</private>"
    for _ in range(deep - 1):
        text = f"<pri{text}vate>{INSIDE}</private>"
    assert redacted(f"a{text}b") == (left, ("private",))


def test_a_stray_end_takes_nothing_with_it() -> None:
    """Without a beginning there is nothing to drop."""
    assert redacted("a</private>b") == ("a</private>b", ())


OPENS = ["<private>", "<PRIVATE>", "< private >", "<private\n>", "<Private x>", "\\u003cprivate\\u003e", "<pri\u200dvate>"]
ENDS = ["</private>", "</PRIVATE>", "</ private >", "</private\n>"]


@st.composite
def tales(draw: st.DrawFn) -> tuple[str, str]:
    """A text with private parts, grown by the grammar, and what must be left of it."""
    text = left = ""
    for _ in range(draw(st.integers(1, 4))):
        outside = draw(st.sampled_from(["said ", "done. ", "\n", "é "]))
        inner = INSIDE
        for _ in range(draw(st.integers(0, 2))):
            inner = f"{draw(st.sampled_from(OPENS))}{inner}{draw(st.sampled_from(ENDS))}{INSIDE}"
        text += outside + draw(st.sampled_from(OPENS)) + inner + draw(st.sampled_from(ENDS))
        left += outside
    if draw(st.booleans()):
        text += "end " + draw(st.sampled_from(OPENS)) + INSIDE
        left += "end "
    return text, left


def leaks(tale: tuple[str, str], drop: Callable[[str], str]) -> bool:
    """Whether anything private is left, or anything else is gone."""
    return drop(tale[0]) != tale[1]


@settings(max_examples=2000, deadline=None)
@given(tales())
def test_nothing_private_is_left_of_any_tale(tale: tuple[str, str]) -> None:
    """Whatever the nesting: what was outside is left, byte for byte."""
    assert not leaks(tale, lambda text: redacted(text)[0])


def test_control_a_lazy_expression_leaks() -> None:
    """Control: the usual way to do it falls for most tricks."""
    fooled = [case for case, tale in CASES.items() if leaks(tale, lambda text: re.sub(r"<private>[\s\S]*?</private>", "", text))]
    assert len(fooled) > 6


# ---- “do not remember this” --------------------------------------------------------------------------------------------

REST = "Now mend the lamp in lamp.py."
NOT_TO_REMEMBER = {  # what the user says → what is left of it, and whether the message before is meant
    "with a colon": (f"Do not remember this: {INSIDE}.", "", False),
    "and more": (f"Do not remember this: {INSIDE}. She is in Bern. {REST}", REST, False),
    "an abbreviation": (f"Do not remember this: Dr. {INSIDE} is ill. {REST}", REST, False),
    "a wrapped line": (f"Do not remember this: Kim and\nher son {INSIDE}.\n{REST}", REST, False),
    "a list": (f"Do not remember this:\n- {INSIDE}\n- Bo too\n\n{REST}", REST, False),
    "behind it": (f"{INSIDE}, but don’t remember this. {REST}", REST, False),
    "the sentence before": (f"{REST} {INSIDE}. Do not remember this.", REST, False),
    "and those that it goes on from": (f"{REST} {INSIDE}. She is in Bern. Please don't remember that.", REST, False),
    "a clause": (f"Do not remember that my sister {INSIDE}. {REST}", REST, False),
    "all of it": (f"Don't remember any of this. {INSIDE}. {REST}", "", False),
    "off the record": (f"off the record, {INSIDE}. {REST}", REST, False),
    "off the record, what follows": (f"This is off the record. {INSIDE}. {REST}", REST, False),
    "what follows": (f"Do not remember this. Kim is {INSIDE}. {REST}", REST, False),
    "your memory": (f"Don't put this into your memory: {INSIDE}. {REST}", REST, False),
    "the message before": ("Do not remember this.", "", True),
    "the message before, and more": (f"Actually, don't remember that. {REST}", REST, True),
    "what I said": ("Please do not remember what I just said.", "", True),
    "Chinese": (f"不要记住：{INSIDE}。修一下灯。", "修一下灯。", False),
    "Chinese, before": (f"修一下灯。{INSIDE}。别记。", "修一下灯。", False),
    "Chinese, traditional": (f"{INSIDE}，這個不要記下來", "", False),
    "German": (f"Merk dir das nicht: {INSIDE}.", "", False),
    "German, before": (f"{INSIDE}. Bitte nicht merken.", "", False),
    "French": (f"Ne retiens pas ça : {INSIDE}.", "", False),
    "Spanish": (f"No recuerdes esto: {INSIDE}.", "", False),
    "Portuguese": (f"Não te lembres disto: {INSIDE}.", "", False),
    "Italian": (f"Non ricordare questo: {INSIDE}.", "", False),
    "Dutch": (f"Onthoud dit niet: {INSIDE}.", "", False),
    "Polish": (f"Nie zapamiętuj tego: {INSIDE}.", "", False),
    "Russian": (f"Не запоминай это: {INSIDE}.", "", False),
    "Ukrainian": (f"Не запам'ятовуй це: {INSIDE}.", "", False),
    "Turkish": (f"Bunu hatırlama: {INSIDE}.", "", False),
    "Arabic": (f"لا تتذكر هذا: {INSIDE}.", "", False),
    "Hindi": (f"इसे याद मत रखना: {INSIDE}.", "", False),
    "Vietnamese": (f"Đừng nhớ điều này: {INSIDE}.", "", False),
    "Indonesian": (f"Jangan ingat ini: {INSIDE}.", "", False),
    "Japanese": (f"{INSIDE}。これは覚えないでください。", "", False),
    "Korean": (f"{INSIDE}. 이건 기억하지 마.", "", False),
}
WORK = [
    "don't log this", "don't commit this", "don't save this", "remember not to push", "don't forget this", "don't remember",
    "I don't remember this function", "don't remember this being slow", "The form should not remember this.",
    "Do not remember the scroll position between tabs", "Do not remember this across sessions", "why do you not remember this?",
    "you don't remember this?", "add an off the record mode", 'handle "do not remember this" in the guard',
    "“Do not remember this: …” is honoured by extract alone", "keep this out of the memory map", "不要记录日志", "不要忘记测试",
    "别记错了", "登录页不要记住密码", "Die Nutzer werden es nicht merken.",
]  # fmt: skip


@pytest.mark.parametrize("case", NOT_TO_REMEMBER)
def test_what_is_not_to_be_remembered_is_left_out(case: str) -> None:
    """With the request itself; the rest of the message stays."""
    text, left, before = NOT_TO_REMEMBER[case]
    found = leave_out(text)
    assert (found.asked, found.text, found.before) == (True, left, before)


@pytest.mark.parametrize("text", WORK)
def test_work_is_not_taken_for_such_a_request(text: str) -> None:
    """Nothing of it is lost."""
    assert leave_out(text) == unremembered.LeftOut(text)


def written(folder: Path) -> list[str]:
    """The files below a folder in which what is private stands."""
    return [str(path) for path in folder.rglob("*") if path.is_file() and INSIDE.encode() in path.read_bytes()]


def talked(tmp_path: Path, workspace: Path, host: str, *turns: Turn) -> tuple[str, str]:
    """A session as its host has written it; its name and its transcript."""
    machine = Machine(tmp_path / "home")
    begin = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(time.time() - 600))
    session = machine.had(host, workspace, turns, begin=begin)
    return session, str(machine.path(host, session))


BEFORE = Turn("From now on always use brass for the lamps, never tin", answer="Brass it is, always.")
AFTER = Turn("paint the buoy red, never blue", "/w/buoy.py", "", "It is red.")
HOOKS = {
    "claude-code": ("UserPromptSubmit", "Stop", "PreCompact", "SessionEnd"),
    "codex": ("UserPromptSubmit", "Stop", "PreCompact"),
    "gemini": ("BeforeAgent", "AfterAgent", "PreCompress", "SessionEnd"),
}


def hooked(holdfast: Holdfast, workspace: Path, host: str, session: str, path: str) -> None:
    """Every hook that saves, one after the other."""
    for event in HOOKS[host]:
        about = {"session_id": session, "transcript_path": path, "cwd": str(workspace), "hook_event_name": event}
        payload = {**about, "prompt": "and now?", "reason": "exit", "trigger": "manual"}
        assert holdfast("hook", host, event, stdin=json.dumps(payload).encode()).code == 0
    time.sleep(0.5)  # what was heard is looked at beside the hooks


SOME = ["with a colon", "and more", "off the record", "Chinese", "the message before"]
SAID = {name: text for name, (text, _, before) in NOT_TO_REMEMBER.items() if not before}


@pytest.mark.parametrize("host", HOOKS)
@pytest.mark.parametrize("case", [*SOME, "the sentence before"])
def test_what_the_user_asks_not_to_remember_is_written_nowhere(
    tmp_path: Path, workspace: Path, holdfast: Holdfast, host: str, case: str
) -> None:
    """No checkpoint, note, day, state, digest or cursor has it, nor what the agent says to it; what stands around it is there."""
    workspace.mkdir()
    answer = f"I will not remember that {INSIDE}. The lamp burns."
    said = [Turn(SAID[case], answer=answer)] if case in SAID else []
    bare = Turn("Do not remember this.", answer=answer)
    said = said or [Turn(f"My sister {INSIDE} is always in Bern now", answer=answer), bare]
    session, path = talked(tmp_path, workspace, host, BEFORE, *said, AFTER)
    hooked(holdfast, workspace, host, session, path)
    brief = holdfast("recover", "--session", session).out
    assert ("never tin" in brief, "never blue" in brief, INSIDE in brief) == (True, True, False)
    assert written(workspace) == []


def test_control_without_the_rule_it_is_written(
    tmp_path: Path, workspace: Path, holdfast: Holdfast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Control: the same session leaves it in many files."""
    monkeypatch.setattr(unremembered, "leave_out", unremembered.LeftOut)
    workspace.mkdir()
    session, path = talked(tmp_path, workspace, "claude-code", BEFORE, Turn(SAID["with a colon"]), AFTER)
    hooked(holdfast, workspace, "claude-code", session, path)
    assert len(written(workspace)) > 2


def test_what_was_saved_before_the_request_leaves_the_state_and_forget_removes_the_rest(
    tmp_path: Path, workspace: Path, holdfast: Holdfast
) -> None:
    """Nothing is deleted unasked; no brief tells it from then on."""
    workspace.mkdir()
    said = Turn(f"My sister {INSIDE} never eats fish", answer="I am sorry to hear that.")
    session, path = talked(tmp_path, workspace, "claude-code", BEFORE, said)
    hooked(holdfast, workspace, "claude-code", session, path)
    assert INSIDE in holdfast("recover", "--session", session).out
    session, path = talked(tmp_path, workspace, "claude-code", BEFORE, said, Turn("Do not remember this."), AFTER)
    hooked(holdfast, workspace, "claude-code", session, path)
    assert INSIDE not in holdfast("show", "state", "--session", session).out
    assert holdfast("forget", INSIDE, "--yes").code == 0
    assert written(workspace) == []


COMMANDS = [("note",), ("task",), ("decide",), ("pending",), ("blocker",), ("context", "kim")]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("case", SOME)
def test_a_one_line_command_refuses_it(workspace: Path, holdfast: Holdfast, words: tuple[str, ...], case: str) -> None:
    """With exit 2, and a sentence that says why; nothing is written."""
    workspace.mkdir()
    answer = holdfast(*words, NOT_TO_REMEMBER[case][0])
    assert (answer.code, "it is not to be remembered" in answer.err) == (2, True)
    assert written(workspace) == []
    assert holdfast(*words, "remember not to log this").code == 0


def test_a_checkpoint_leaves_it_out_and_says_so(workspace: Path, holdfast: Holdfast) -> None:
    """The rest is saved, and nothing that stood before is cleared by it."""
    workspace.mkdir()
    assert holdfast("task", "mend the lamp").code == 0
    given = {"task": SAID["with a colon"], "decisions": ["brass", SAID["behind it"]], "exchanges": [f"User: {SAID['and more']}"]}
    answer = holdfast("checkpoint", "-", stdin=json.dumps(given).encode())
    assert (answer.code, "not to be remembered" in answer.out + answer.err) == (0, True)
    state = json.loads(holdfast("show", "state", "--json").out)
    assert (state["task"], state["decisions"]) == ("mend the lamp", ["brass", REST])
    assert written(workspace) == []
