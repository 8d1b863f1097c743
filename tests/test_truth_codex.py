"""What a draft says of a Codex session is so: what was stopped, refused or gone back on is told as what it was.

Each case is a short session as Codex writes it (a rollout), read by its reader.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from holdfast.transcripts.codex import Reader
from test_truth import drafted

if TYPE_CHECKING:
    from pathlib import Path

    from holdfast.transcripts import Event

Line = dict[str, Any]

META: Line = {"type": "session_meta", "payload": {"id": "s", "cwd": "/w"}}


def item(**payload: Any) -> Line:
    """An item of the conversation."""
    return {"type": "response_item", "payload": payload}


def told(kind: str, **more: Any) -> Line:
    """What the host tells beside it."""
    return {"type": "event_msg", "payload": {"type": kind, **more}}


def said(text: str, *kinds: str, role: str = "user", **more: Any) -> Line:
    """A message; newer files say of which kind its part is."""
    about = {"internal_chat_message_metadata_passthrough": {"content_item_kinds": list(kinds)}} if kinds else {}
    content = [{"type": "output_text" if role == "assistant" else "input_text", "text": text}]
    return item(type="message", role=role, content=content, **about, **more)


def agent(text: str, **more: Any) -> Line:
    """What the agent says."""
    return said(text, role="assistant", **more)


def tool(name: str, output: Any, **given: Any) -> list[Line]:
    """A tool that is called by its name, and what came back."""
    return [
        item(type="function_call", name=name, call_id="f", arguments=json.dumps(given)),
        item(type="function_call_output", call_id="f", output=output),
    ]


def events(*lines: Line) -> list[Event]:
    """What one reader makes of these lines."""
    reader = Reader()
    return [event for line in lines for event in reader.events({"timestamp": "t", **line}) or []]


ASK = said("release the new rates")

# ---- what was not done -------------------------------------------------------------------------------------------------

STOPPED = {
    "in the middle": "Wall time: 4.2 seconds\naborted by user",
    "with its time behind it": "aborted by user after 12.1s",
    "before it began": "exec command rejected by user",
}


@pytest.mark.parametrize("case", STOPPED)
def test_a_command_that_the_user_stopped_is_not_done(tmp_path: Path, case: str) -> None:
    """Whatever stands above the words that say so."""
    lines = [META, ASK, *tool("exec_command", STOPPED[case], cmd="git push origin main")]
    assert "done" not in drafted(tmp_path, lines, "codex")
    assert [event.failed for event in events(*lines) if event.kind == "result"] == [True]


def test_output_that_speaks_of_an_abort_is_no_abort() -> None:
    """Below `Output:` stands what the command printed."""
    output = "Wall time: 1 seconds\nProcess exited with code 0\nOutput:\naborted by user"
    assert [event.failed for event in events(*tool("exec_command", output, cmd="cat log")) if event.kind == "result"] == [False]


def test_a_patch_that_the_user_rejected_changed_nothing() -> None:
    """It comes back without a status."""
    patch = "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** End Patch"
    call = item(type="custom_tool_call", name="apply_patch", call_id="p", input=patch)
    found = events(call, item(type="custom_tool_call_output", call_id="p", output="patch rejected by user"))
    assert [(event.kind, event.call, event.failed) for event in found] == [("call", "p", False), ("result", "p", True)]


# ---- what the user did -------------------------------------------------------------------------------------------------

ABORTED = "<turn_aborted>\nThe previous turn was interrupted on purpose.\n</turn_aborted>"
STOPS = {
    "in the place of the host": said(ABORTED, "generic.turn_aborted", role="developer"),
    "in the place of the user": said(ABORTED, "generic.turn_aborted"),
    "by the host's own event": told("turn_aborted", reason="interrupted"),
}


@pytest.mark.parametrize("case", STOPS)
def test_what_the_user_stopped_is_said_to_be_stopped(tmp_path: Path, case: str) -> None:
    """Newer files say it as developer, by the kind, and a second time beside the conversation."""
    assert "the user interrupted this" in drafted(tmp_path, [META, ASK, STOPS[case]], "codex")["task"]
    assert "interrupted" not in drafted(tmp_path, [META, ASK, STOPS[case], said("go on")], "codex")["task"]


@pytest.mark.parametrize("reason", ["replaced", "review_ended", None])
def test_a_turn_that_ended_for_another_reason_was_not_stopped_by_the_user(tmp_path: Path, reason: Any) -> None:
    """One that another turn took the place of goes on in that."""
    assert drafted(tmp_path, [META, ASK, told("turn_aborted", reason=reason)], "codex")["task"] == "release the new rates"


def test_who_goes_back_has_not_said_what_came_after(tmp_path: Path) -> None:
    """Codex tells by how many of the user's messages."""
    lines = [
        META,
        ASK,
        agent("Shall I begin?"),
        said("drop the old table"),
        agent("Dropped."),
        said("and never make it anew"),
        agent("No."),
    ]
    assert drafted(tmp_path, lines, "codex")["corrections"] == ("and never make it anew",)
    draft = drafted(tmp_path, [*lines, told("thread_rolled_back", num_turns=2)], "codex")
    assert (draft["task"], draft.get("corrections", ())) == ("release the new rates", ())
    twice = [*lines, told("thread_rolled_back", num_turns=1), told("thread_rolled_back", num_turns=1)]
    assert drafted(tmp_path, twice, "codex")["task"] == "release the new rates"


@pytest.mark.parametrize("turns", [None, 0, -1, "2", True, 1.5, [2]])
def test_who_goes_back_by_no_number_has_not_gone_back(turns: Any) -> None:
    """Half a line is better than a guess."""
    assert [event.kind for event in events(ASK, told("thread_rolled_back", num_turns=turns))] == ["user"]


def test_only_the_last_messages_can_be_gone_back_on() -> None:
    """The memory is bounded, and who goes back further goes back to its beginning."""
    reader = Reader()
    for number in range(200):
        reader.events({"timestamp": f"t{number:03}", **said(f"do {number}")})
    [event] = reader.events({"timestamp": "u", **told("thread_rolled_back", num_turns=180)}) or []
    assert (event.kind, event.instead) == ("rewound", "t150")
    assert events(told("thread_rolled_back", num_turns=1)) == []


# ---- what is open ------------------------------------------------------------------------------------------------------

CHOICE = {
    "id": "db",
    "header": "Store",
    "question": "Where shall the rates be kept?",
    "options": [{"label": "Redis"}, {"label": "SQL"}],
}


def test_the_answer_to_a_question_is_what_the_user_said(tmp_path: Path) -> None:
    """With the note that they put beside the choice."""
    answers = {"answers": {"db": {"answers": ["Redis", "user_note: never keep rates longer than one day"]}}}
    lines = [META, ASK, *tool("request_user_input", json.dumps(answers), questions=[CHOICE])]
    draft = drafted(tmp_path, lines, "codex")
    assert draft["task"] == "Where shall the rates be kept? → Redis, never keep rates longer than one day"
    assert "unanswered" not in draft


NOT_ANSWERED = [
    "request_user_input was cancelled before receiving a response",
    '{"answers":{}}',
    '{"answers":{"db":{"answers":[]}}}',
]


@pytest.mark.parametrize("output", NOT_ANSWERED)
def test_a_question_that_nobody_answered_stays_open(tmp_path: Path, output: str) -> None:
    """Whoever turned it away has said nothing."""
    draft = drafted(tmp_path, [META, ASK, *tool("request_user_input", output, questions=[CHOICE])], "codex")
    assert draft["unanswered"] == ("Where shall the rates be kept? (Redis / SQL)",)
    assert draft["task"] == "release the new rates"


def test_a_secret_in_a_question_is_not_kept_between_two_readings() -> None:
    """What a reader remembers is written down as it is: of a question all but the words that may be one."""
    for secret in ("password horse", "ghp_0123456789abcdefABCDEF0123456789abcd", "pw=x", "https://me:pw@host", "q" * 30):
        reader = Reader()
        reader.events(tool("request_user_input", "", questions=[{**CHOICE, "question": f"Shall I use {secret} for it?"}])[0])
        assert reader.state["asked"]["f"]["db"].startswith("Shall I use ")
        assert secret.split()[-1] not in json.dumps(reader.state)


# ---- who said it -------------------------------------------------------------------------------------------------------

TYPED = [
    "<image> elements on the start page need lazy loading, and never touch the logo",
    "<subagent> tags in the docs must be renamed",
    "<skill> is the tag that the page must show",
]


@pytest.mark.parametrize(
    "text", [*TYPED, "<turn_aborted> must be handled in the importer", "<permissions> of the bucket are wrong"]
)
def test_words_that_begin_like_a_tag_are_the_users_where_the_host_says_so(text: str) -> None:
    """The kind of a part is told in newer files."""
    assert [(event.kind, event.text) for event in events(said(text, "user.text"))] == [("user", text)]


@pytest.mark.parametrize("text", TYPED)
def test_words_that_begin_with_a_tag_of_nobodys_are_the_users(text: str) -> None:
    """A host's tag has its own name, or stands on a line of its own."""
    assert [(event.kind, event.text) for event in events(said(text))] == [("user", text)]


HOSTS = [
    ("<image name=[Image #1]>", ("user.text",)),
    ("</image>", ("user.text",)),
    ("<image>", ()),
    ("</image>", ()),
    ("<skill>\n<name>ship</name>\n</skill>", ()),
    ("<skills_instructions>\n## Skills", ()),
    ("<permissions instructions>\nx", ()),
]


@pytest.mark.parametrize(("text", "kinds"), HOSTS)
def test_a_tag_of_the_hosts_is_nobodys_word(text: str, kinds: tuple[str, ...]) -> None:
    """With a kind or without one."""
    assert events(said(text, *kinds)) == []


@pytest.mark.parametrize(("author", "own"), [("/root", True), ("", True), ("/root/reviewer", False)])
def test_what_another_agent_says_is_not_the_agents_own(author: str, own: bool) -> None:
    """Several agents write into one file."""
    found = events(agent("I have dropped the table.", author=author, recipient="/root"))
    assert [event.kind for event in found] == (["agent"] if own else [])
