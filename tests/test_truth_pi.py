"""What a draft says of pi and of OpenClaw is so: what still runs, what was stopped, who has gone back, and whose words they are.

Each case is a short session as these hosts write it: lines of pi, the same entries in OpenClaw's database, or as it hands them over.
"""
# ruff: noqa: E501

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from holdfast.capture.draft import Capture
from holdfast.transcripts import Transcript, packed
from holdfast.transcripts.pi import Reader
from test_transcripts import openclaw
from test_truth import drafted

if TYPE_CHECKING:
    from pathlib import Path

Line = dict[str, Any]


def message(role: str, content: Any, **more: Any) -> Line:
    """An entry with a message; its id and its parent where it stands in a tree."""
    about = {key: more.pop(key) for key in ("id", "parentId") if key in more}
    return {"type": "message", **about, "message": {"role": role, "content": content, **more}}


def user(text: str, **more: Any) -> Line:
    """What stands where a person's words do."""
    return message("user", [{"type": "text", "text": text}], **more)


def agent(text: str, *calls: Line, **more: Any) -> Line:
    """What the agent says, and what it calls."""
    return message("assistant", [*([{"type": "text", "text": text}] if text else []), *calls], **more)


def call(number: str, tool: str, **given: Any) -> Line:
    """A tool that it calls."""
    return {"type": "toolCall", "id": number, "name": tool, "arguments": given}


def result(number: str, tool: str, text: str, **details: Any) -> Line:
    """What comes back."""
    block = {"type": "text", "text": text}
    return message("toolResult", [block], toolCallId=number, toolName=tool, isError=False, details=details)


ASK = user("release the new rates")
SAID = agent("Here is where it stands.")

# ---- what still runs ---------------------------------------------------------------------------------------------------

STILL = "Command still running (session ember-willow, pid 866). Use process (list/poll/log/write/kill) for follow-up."
BEGUN = [
    agent("", call("x", "exec", command="npm publish")),
    result("x", "exec", STILL, status="running", sessionId="ember-willow"),
]
POLL = agent("", call("y", "process", action="poll", sessionId="ember-willow"))
WELL, BADLY = {"status": "completed", "exitCode": 0}, {"status": "failed", "exitCode": 1}
PENDING = "Approval required (id 1f3a). Approve to run; updates will arrive after completion."
NOTICE = (
    "System (untrusted): [2026-04-16 09:58:10 UTC] Exec {} (ember-wi, {}) :: {}\n\nAn async command you ran earlier has completed. The "
    "result is shown in the system messages above. Handle the result internally.\nCurrent time: Thursday, April 16th, 2026 - 10:02 AM (UTC)"
)
RUNNING = {
    "one that still runs": ([], ()),
    "one that still runs when it is asked for": ([POLL, result("y", "process", "(no new output)", status="running", sessionId="ember-willow")], ()),
    "one that failed": ([POLL, result("y", "process", "npm ERR! code E403", **BADLY)], ()),
    "one that ended well": ([POLL, result("y", "process", "+ rates@2.0.0", **WELL)], ("`npm publish`",)),
    "one that ended well, named by the result alone": (
        [agent("", call("y", "process", action="poll")), result("y", "process", "+ rates@2.0.0", sessionId="ember-willow", **WELL)],
        ("`npm publish`",)),
    "one that ended well when it was asked for twice": (
        [POLL, result("y", "process", "(no new output)", status="running", sessionId="ember-willow"),
         agent("", call("z", "process", action="poll", sessionId="ember-willow")), result("z", "process", "+ rates@2.0.0", **WELL)],
        ("`npm publish`",)),
    "one that was only forgotten": ([agent("", call("y", "process", action="clear", sessionId="ember-willow")), result("y", "process", "Cleared.", status="completed")], ()),
    "another that ended well": ([agent("", call("y", "process", action="poll", sessionId="b")), result("y", "process", "ok", **WELL)], ()),
    "one of which the host tells that it ended well": ([user(NOTICE.format("completed", "code 0", "+ rates@2.0.0"))], ("`npm publish`",)),
    "one of which the host tells that it failed": ([user(NOTICE.format("failed", "signal SIGKILL", "npm ERR! killed"))], ()),
}  # fmt: skip


@pytest.mark.parametrize("case", RUNNING)
def test_a_command_that_goes_on_is_done_when_it_has_ended_well(tmp_path: Path, case: str) -> None:
    """Its first answer says only that it runs; the answer that ends it is another call's."""
    lines, done = RUNNING[case]
    draft = drafted(tmp_path, [ASK, *BEGUN, *lines, SAID], "pi")
    assert draft.get("done", ()) == done
    assert ("code E403" in draft.get("code", "")) is (case == "one that failed")


def test_a_command_that_waits_for_an_approval_is_not_done(tmp_path: Path) -> None:
    """It has not even begun."""
    waits = result("x", "exec", PENDING, status="approval-pending", approvalId="1f3a", command="npm publish")
    assert "done" not in drafted(tmp_path, [ASK, BEGUN[0], waits, SAID], "pi")


@pytest.mark.parametrize("source", ["database", "handed over", "packed"])
def test_a_command_that_goes_on_is_followed_wherever_the_entries_are(
    tmp_path: Path, source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between two readings too: it begins in one, and ends in the next."""
    monkeypatch.setattr(packed, "stream", lambda file: file)
    lines = [
        {"timestamp": number + 1, **line}
        for number, line in enumerate([ASK, *BEGUN, POLL, result("y", "process", "ok", **WELL), SAID])
    ]
    position, capture = None, Capture()
    for number in range(len(lines)):
        there, path = lines[: number + 1], tmp_path / str(number)
        if source == "database":
            transcript = Transcript(str(openclaw(path, [(n, json.dumps(line), None) for n, line in enumerate(there)])))
        elif source == "packed":
            path.write_bytes(b"".join(json.dumps(line).encode() + b"\n" for line in there))
            transcript = Transcript(str(path))
            transcript._source = packed.Packed(str(path), Reader(), transcript.tally)
        else:
            messages = [{**line["message"], "timestamp": line["timestamp"]} for line in there]
            transcript = Transcript("", host="openclaw", messages=messages)
        with transcript:
            capture.feed(transcript.events(position))
            position = json.loads(json.dumps(transcript.position))
        assert ("done" in capture.draft()) is (number > 3)
    assert capture.draft()["done"] == ("`npm publish`",)


def test_no_more_is_remembered_of_running_commands_than_there_is_room_for() -> None:
    """A position is kept in a file after each turn; an older one is not changed by what is read behind it."""
    reader = Reader()
    states = []
    for number in range(200):
        reader.events(result(f"x{number}", "exec", STILL, status="running", sessionId=f"s{number}"))
        reader.events({"type": "custom", "id": f"c{number}", "parentId": f"c{number - 1}"})
        reader.events(user("go on", id=f"u{number}", parentId=f"a{number}"))
        reader.events(agent("I did.", id=f"a{number + 1}", parentId=f"u{number}"))
        states.append((dict(reader.state), json.dumps(reader.state)))
    assert len(json.dumps(reader.state)) < 10_000
    assert all(json.dumps(state) == text for state, text in states)


# ---- what was stopped --------------------------------------------------------------------------------------------------


def test_pi_says_that_the_user_stopped_the_agent_too(tmp_path: Path) -> None:
    """By how the answer ended; what it was about to call has not been called."""
    lines = [user("drop the staging database and make it anew")]
    aborted = agent("I drop it now.", call("x", "bash", command="dropdb staging"), stopReason="aborted")
    draft = drafted(tmp_path, [*lines, aborted], "pi")
    assert draft["task"].endswith("(the user interrupted this, and has not said how to go on)")
    assert ("Command", "dropdb staging") not in draft.get("names", ())
    assert "interrupted" not in drafted(tmp_path, [*lines, aborted, user("only rename it, to staging_old")], "pi")["task"]


def test_a_command_that_the_user_stopped_in_pi_is_stopped(tmp_path: Path) -> None:
    """The host calls the answer that never came an error of the provider's; what was printed until then is none of the work's."""
    begun = agent("", call("x", "bash", command="npm test && npm publish"), stopReason="toolUse")
    back = message("toolResult", [{"type": "text", "text": "1 failing\n\nCommand aborted"}], toolCallId="x", toolName="bash", isError=True)
    ended = agent("", stopReason="error", errorMessage="This operation was aborted")
    draft = drafted(tmp_path, [ASK, begun, back, ended], "pi")
    assert "the user interrupted this" in draft["task"]
    assert "code" not in draft
    cut = agent("", stopReason="error", errorMessage="500 overloaded")
    assert "interrupted" not in drafted(tmp_path, [ASK, cut], "pi")["task"]


@pytest.mark.parametrize(
    ("reason", "ran"), [("aborted", False), ("error", False), ("toolUse", True), ("length", True), (["x"], True)]
)
def test_a_call_in_an_answer_that_broke_off_was_never_made(reason: Any, ran: bool) -> None:
    """The host calls tools when the answer is whole; that the provider failed is not the user's doing."""
    found = Reader().events(agent("Well.", call("x", "edit", path="a.py", oldText="a", newText="b"), stopReason=reason)) or []
    assert [event.kind for event in found] == [
        "agent",
        *(["call"] if ran else []),
        *(["interruption"] if reason == "aborted" else []),
    ]


# ---- who has gone back -------------------------------------------------------------------------------------------------

ORDER = "always use mongo, and never sqlite"
TREE = [
    user("build the store of rates", id="u1", parentId=None),
    agent("It needs a place to keep them.", id="a1", parentId="u1"),
    user(ORDER, id="u2", parentId="a1"),
    agent("Mongo it is.", id="a2", parentId="u2"),
]
INSTEAD = "use postgres, and never a file"


def setting(number: str, parent: str, kind: str = "model_change") -> Line:
    """An entry that says nothing, and stands between two that do."""
    return {"type": kind, "id": number, "parentId": parent}


SUMMARY = {"type": "branch_summary", "id": "b1", "parentId": "a1", "fromId": "a2", "summary": "Mongo was tried."}
BACK = {
    "beside the words that they replace": [*TREE, user(INSTEAD, id="u3", parentId="a1")],
    "below the summary of what was left": [*TREE, SUMMARY, user(INSTEAD, id="u3", parentId="b1")],
    "behind another model": [*TREE, setting("m1", "a1"), setting("m2", "m1", "label"), user(INSTEAD, id="u3", parentId="m2")],
    "where another model stood before": [
        *TREE[:2], setting("m1", "a1", "custom"), user(ORDER, id="u2", parentId="m1"), setting("m2", "u2"),
        agent("Mongo it is.", id="a2", parentId="m2"), user(INSTEAD, id="u3", parentId="a1")],
    "where what was left had been gone on with": [
        *TREE, user("and an index on the date", id="u4", parentId="a2"), agent("It has one.", id="a4", parentId="u4"),
        user(INSTEAD, id="u3", parentId="a1")],
    "behind a command of their own": [*TREE, message("bashExecution", "", id="x1", parentId="a1", command="ls", exitCode=0), user(INSTEAD, id="u3", parentId="x1")],
}  # fmt: skip


def long_turn(results: int, above: str = "a1") -> list[Line]:
    """A prompt of which much came, entry by entry."""
    made = [user("look through all files", id="w0", parentId=above)]
    for number in range(results):
        made.append({**result(f"c{number}", "read", "x"), "id": f"w{number + 1}", "parentId": f"w{number}"})
    return [*made, agent("All is well.", id="w", parentId=f"w{results}")]


NEXT = [user(ORDER, id="u4", parentId="w"), agent("Mongo it is.", id="a4", parentId="u4")]
INTO = {
    "to the answer before it": ([*TREE[:2], *long_turn(1), *NEXT], "w"),
    "to the midst of the turn before it": ([*TREE[:2], *long_turn(2), *NEXT], "w1"),
    "to before a turn that is longer than what is remembered": ([*TREE[:2], *long_turn(400), *NEXT], "a1"),
    "twice": ([*TREE[:2], *long_turn(1), *NEXT, user("use redis", id="u6", parentId="w"), agent("Redis.", id="a6", parentId="u6")], "w1"),
}  # fmt: skip


@pytest.mark.parametrize("case", INTO)
@pytest.mark.parametrize("long", [False, True])
def test_who_goes_back_to_any_entry_in_pi_has_taken_back_what_came_below_it(tmp_path: Path, case: str, long: bool) -> None:
    """`/tree` offers answers and results as well as prompts; ids may be long."""
    lines, above = INTO[case]
    lines = [*lines, user(INSTEAD, id="u3", parentId=above), agent("Postgres.", id="a3", parentId="u3"), user("now the tests", id="u5", parentId="a3")]
    if long:
        lines = [{**line, **{key: line[key] and f"01a1ea08-7486-7080-{line[key]}" for key in ("id", "parentId") if key in line}} for line in lines]
    path = tmp_path / "session.jsonl"
    path.write_text("".join(json.dumps({"timestamp": f"2026-11-15T10:{n // 60:02}:{n % 60:02}.000Z", **line}) + "\n" for n, line in enumerate(lines)))
    capture = Capture()
    with Transcript(str(path), host="pi") as transcript:
        capture.feed(transcript.events())
        assert len(json.dumps(transcript.position)) < 10_000
    draft = capture.draft()
    assert draft["corrections"] == (INSTEAD,)
    assert ("look through all files" in str(draft)) is (above != "a1")


@pytest.mark.parametrize("case", BACK)
def test_who_goes_back_in_pi_has_taken_back_what_was_said_since(tmp_path: Path, case: str) -> None:
    """The words on the branch that was left are in the file still, and no longer the user's order."""
    told = [*BACK[case], agent("Postgres.", id="a3", parentId="u3"), user("now the tests", id="u5", parentId="a3")]
    assert drafted(tmp_path, told, "pi")["corrections"] == (INSTEAD,)


def test_who_has_gone_back_and_said_nothing_yet_has_taken_it_back_too(tmp_path: Path) -> None:
    """What pi does first: it writes a summary of what was left before the user has typed a word."""
    assert drafted(tmp_path, TREE, "pi")["task"].startswith(ORDER)
    draft = drafted(tmp_path, [*TREE, SUMMARY], "pi")
    assert draft["task"] == "build the store of rates"


def test_who_begins_anew_has_taken_the_first_words_back(tmp_path: Path) -> None:
    """Nothing stands above them."""
    again = user("build the list of customers", id="u3", parentId=None)
    draft = drafted(tmp_path, [*TREE, again, agent("It is a list.", id="a3", parentId="u3")], "pi")
    assert draft["task"] == "build the list of customers"
    assert "corrections" not in draft


MIDST = [
    user("build the store of rates", id="u1", parentId=None),
    agent("I look at what is there.", call("c1", "read", path="/w/rates.ts"), id="a1", parentId="u1"),
    {**result("c1", "read", "export const rates = []"), "id": "r1", "parentId": "a1"},
    agent("It needs a place to keep them.", id="a2", parentId="r1"),
    user(ORDER, id="u2", parentId="a2"),
    agent("I'll use Mongo rather than a file for it.", call("c2", "read", path="/w/db.ts"), id="a3", parentId="u2"),
    {**result("c2", "read", "export const db = null"), "id": "r2", "parentId": "a3"},
    agent("I'll use a TTL index instead of a job. Shall I write the schema for Mongo as well?", id="a4", parentId="r2"),
]  # fmt: skip
DEEP = {  # what is said below an entry in the midst of a turn: whether the order before it stands, and what the agent said there
    "into an earlier turn": ([user(INSTEAD, id="u3", parentId="r1")], False, False),
    "into the last turn": ([user(INSTEAD, id="u3", parentId="r2")], True, True),
    "into the last turn, behind a setting": ([setting("m1", "r2"), user(INSTEAD, id="u3", parentId="m1")], True, True),
    "with a summary of what was left": ([{**SUMMARY, "parentId": "r1"}, user(INSTEAD, id="u3", parentId="b1")], False, False),
    "and forward again": (
        [user("use a file", id="u4", parentId="r2"), agent("A file it is then, with one rate a line.", id="a5", parentId="u4"), user(INSTEAD, id="u3", parentId="a4")], True, True),
}  # fmt: skip


@pytest.mark.parametrize("case", DEEP)
def test_who_goes_back_into_the_midst_of_a_turn_has_taken_back_what_came_after(tmp_path: Path, case: str) -> None:
    """The words that began the turn stand, and so does what the agent did until then."""
    told, stands, began = DEEP[case]
    draft = drafted(tmp_path, [*MIDST, *told, agent("Postgres.", id="a9", parentId="u3"), user("now the tests", id="u9", parentId="a9")], "pi")
    assert draft["goal"] == "build the store of rates"
    assert (ORDER in draft.get("corrections", ())) is stands
    said = f"{draft['exchanges']} {draft.get('decisions', ())}"
    assert ("rather than a file" in said) is began
    assert "TTL index" not in said  # where they have come back to it too: what was taken back once is not brought back
    assert "A file it is then" not in said
    assert "unanswered" not in draft


def test_the_entries_to_which_one_can_go_back_take_little_room() -> None:
    """However long a session is; and they are those of last."""
    reader = Reader()
    for number in range(2000):
        reader.events({**agent("I did.", id=f"a{number + 1}", parentId=f"a{number}"), "timestamp": "2026-11-15T10:00:00.000Z"})
    assert len(json.dumps(reader.state)) < 9000
    assert "\na1999 " in reader.state["chain"]


LINEAR = {
    "one below the other": [*TREE, user("and an index on the date", id="u3", parentId="a2")],
    "two prompts in a row": [*TREE[:3], user("and an index on the date", id="u3", parentId="u2")],
    "without a tree": [
        *TREE[:2], user(ORDER, id="u2", parentId="a1"), setting("m1", "u2"), user("and an index on the date", id="u3", parentId="a1")],
    "without ids": [{key: value for key, value in line.items() if key not in ("id", "parentId")} for line in TREE],
    "all with the same parent": [{**line, "parentId": None} for line in [*TREE, user("and an index on the date", id="u3")]],
    "a summary of something else": [*TREE, {**SUMMARY, "parentId": "a2"}, user("go on", id="u3", parentId="b1")],
}  # fmt: skip


@pytest.mark.parametrize("case", LINEAR)
def test_who_goes_on_has_taken_nothing_back(tmp_path: Path, case: str) -> None:
    """A host that keeps no tree, or repeats a prompt that nothing has come of, says nothing of going back."""
    told = [*LINEAR[case], agent("It has one."), user("now the tests")]
    assert ORDER in drafted(tmp_path, told, "pi")["corrections"]


# ---- whose words they are ----------------------------------------------------------------------------------------------

QUESTION = "The migration takes ten minutes. Should I run it now or wait for the night?"
HOSTS = {
    "a heartbeat": user("Read HEARTBEAT.md if it exists (workspace context). Follow it strictly."),
    "a turn that the host marks": user("beat", provenance={"kind": "internal_system", "sourceTool": "heartbeat"}),
    "a job on a schedule": user("[cron:17 night] look at the queue"),
    "its memory flush": user("Pre-compaction memory flush. Store durable memories only in memory/x.md"),
    "an event alone": user("System: [2026-04-16 09:58:10 UTC] Node: lamp connected"),
    "its internal context alone": user("<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nreview is done\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>"),
    "a command that was killed": user(NOTICE.format("failed", "signal SIGKILL", "").replace(" :: ", "")),
    "a command that has printed something": user(
        "System: [2026-04-16 09:58:10 UTC] Exec finished (gateway id=1f, session=calm-trail, code 0)\nbuild ok\n\nAn async command you ran "
        "earlier has completed. The result is shown in the system messages above. Please relay the command output to the user."),
    "an event of many lines": user(
        "System: [2026-04-16 19:36:14 UTC] Look at the queue.\nSystem: \nSystem: Never delete a job.\n\nA scheduled reminder has been "
        "triggered. The reminder content is:\n\nLook at the queue.\n\nNever delete a job.\n\nPlease relay this reminder to the user."),
    "a subagent": user(
        "[Tue 2026-02-24 23:04 UTC] [System Message] [sessionId: 8cf51e3e-7cce] A subagent task \"review\" just completed successfully.\n\n"
        "Result:\nNever merge it on a Friday."),
}  # fmt: skip


@pytest.mark.parametrize("case", HOSTS)
def test_what_openclaw_says_to_the_agent_is_no_word_of_the_user(tmp_path: Path, case: str) -> None:
    """It is neither what is worked on nor an order, and the question that the user was asked is still open."""
    lines = [ASK, agent(QUESTION), HOSTS[case], agent("The queue is empty, so nothing is to be done there.")]
    draft = drafted(tmp_path, lines, "pi")
    assert draft["task"] == "release the new rates"
    assert draft["unanswered"] == (QUESTION,)
    assert "corrections" not in draft
    assert "unanswered" not in drafted(tmp_path, [*lines, user("wait for the night")], "pi")


OWN = {
    "behind an event": "System: [2026-04-16 09:58:10 UTC] Node: lamp connected\n\nnow build the lamp",
    "behind events of many lines": "System: [2026-04-16 09:58 UTC] Cron: a\nSystem: b\nSystem (untrusted): [2026-04-16 09:59 UTC] c\n\nnow build the lamp",
    "that are about such an event": "An async command is what I need here: now build the lamp",
    "behind context": "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nx\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>\nnow build the lamp",
}


@pytest.mark.parametrize("case", OWN)
def test_the_words_of_a_person_stay_theirs_whatever_comes_with_them(tmp_path: Path, case: str) -> None:
    """What accompanies a person's turn wakes nobody: they have spoken, and the question is closed."""
    draft = drafted(tmp_path, [ASK, agent(QUESTION), user(OWN[case]), agent("It is built, and it burns.")], "pi")
    assert draft["task"].partition("\n(in answer to")[0].endswith("now build the lamp")
    assert "System" not in draft["task"]
    assert "unanswered" not in draft


@pytest.mark.parametrize("text", ["/new", "A new session was started via /new or /reset. Greet the user.", "/holdfast"])
def test_what_the_user_does_with_the_host_wakes_nobody(text: str) -> None:
    """They have done something, though not said anything to the agent."""
    assert Reader().events(user(text)) == []


@pytest.mark.parametrize("text", ["/holdfast save", "/big-memory save ledger"])
def test_the_agent_goes_on_after_a_save_and_its_question_still_waits(text: str) -> None:
    """The command hands it the template; that it was saved answers nothing."""
    assert [event.kind for event in Reader().events(user(text)) or ()] == ["woken"]


SKILL = '<skill name="release" location="/w/.pi/skills/release/SKILL.md">\nReferences are relative to /w.\n\nNever publish on Fridays.\n</skill>'


def test_what_a_skill_says_is_not_what_the_user_told(tmp_path: Path) -> None:
    """It is the host's, which puts its whole text before the words that were typed behind its name."""
    draft = drafted(tmp_path, [user(f"{SKILL}\n\nrelease 2.1 please"), SAID, user("go on")], "pi")
    assert "corrections" not in draft
    assert drafted(tmp_path, [user(f"{SKILL}\n\nrelease 2.1 please")], "pi")["task"] == "(skill release) release 2.1 please"
    assert drafted(tmp_path, [user(SKILL)], "pi")["task"] == "(skill release)"
    mine = '<skill name="x"> is what my parser chokes on, mend it'
    assert drafted(tmp_path, [user(mine)], "pi")["task"] == mine


@pytest.mark.parametrize(
    "state",
    [{"runs": 1, "polls": []}, {"prompt": [1], "asked": 3, "passed": "x"}, {"prompt": ["a", [], {}], "asked": {"a1": []}}],
)
def test_a_spoilt_memory_of_pi_does_no_harm(state: Line) -> None:
    """A position comes back from a file, and files are edited."""
    reader = Reader()
    reader.state = state
    for line in [*TREE, *BEGUN, POLL, result("y", "process", "ok", **WELL), SUMMARY, user(NOTICE, id="u3", parentId="a")]:
        assert reader.events(line) is not None


@pytest.mark.parametrize(
    "text",
    [
        "System: [" * 4000,
        "System: [x]\n" * 4000,
        "System: [x] Exec a (" * 2000,
        "System: [x] Exec a (b, code \n" * 2000,
        "System: [\nSystem: " * 3000,
        '<skill name="' * 3000,
        SKILL[:60] + "\n</skill" * 4000,
    ],
)
def test_looking_for_the_hosts_words_takes_no_time_worth_speaking_of(text: str) -> None:
    """Pages of almost such words: a search that went back from each would not end here."""
    reader = Reader()
    reader.events(BEGUN[1])
    assert reader.events(user(text)) is not None
