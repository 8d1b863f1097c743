"""What a draft says is so where Gemini CLI or opencode wrote the session down: what was undone, stopped, refused, answered.

Each case is a short session in the form that the host writes, read by its reader; a Gemini file both in one go and line by line, an
opencode database as it stood at each reading.
"""
# ruff: noqa: E501

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

from holdfast.capture.draft import Capture
from holdfast.transcripts import Event, Transcript

if TYPE_CHECKING:
    from pathlib import Path

Line = dict[str, Any]
Draft = dict[str, Any]


class Gemini:
    """A session file as Gemini CLI writes it."""

    def __init__(self, *, empty: bool = False) -> None:
        self.lines: list[Line] = [{"sessionId": "s", "projectHash": "10c7", "kind": "main"}]
        self.count = 0
        if not empty:
            self.replaced("<session_context>\nThis is the Gemini CLI.\n</session_context>")

    def stamp(self) -> Line:
        """An id and a time of its own."""
        self.count += 1
        return {"id": f"m{self.count}", "timestamp": f"2026-11-16T10:{self.count // 60:02}:{self.count % 60:02}.000Z"}

    def user(self, *texts: str, shown: bool = True) -> str:
        """What stands where a person's words do; `shown` where the host says what they saw of it."""
        content = [{"text": text} for text in texts]
        self.lines.append({**self.stamp(), "type": "user", "content": content, **({"displayContent": content[:1]} if shown else {})})
        return str(self.lines[-1]["id"])

    def agent(self, text: str) -> None:
        """What the agent says."""
        self.lines.append({**self.stamp(), "type": "gemini", "content": text})

    def tool(self, name: str, given: Line, output: Any, status: str = "success") -> None:
        """A tool that it calls; first without its result, then with it, and the result a second time."""
        about = {**self.stamp(), "type": "gemini", "content": ""}
        call = f"{name}_{about['id']}"
        response = output if isinstance(output, dict) else {"output": output}
        result = [{"functionResponse": {"id": call, "name": name, "response": response}}]
        made = {"id": call, "name": name, "args": given, "status": status}
        self.lines += [about, {**about, "toolCalls": [{**made, "result": result}]}]
        self.lines.append({**self.stamp(), "type": "user", "content": result})

    def ran(self, command: str, output: str, **more: Any) -> None:
        """A command and what came of it, in the host's fields."""
        text = f"<untrusted_context>\n{output}\n</untrusted_context>"
        self.tool("run_shell_command", {"command": command, **more}, text)

    def info(self, text: str) -> None:
        """What the host tells the person."""
        self.lines.append({**self.stamp(), "type": "info", "content": text})

    def replaced(self, *texts: str) -> None:
        """A list in the place of all messages: the person's first, then by turns."""
        kinds = ("user", "gemini")
        self.lines.append(
            {"$set": {"messages": [{**self.stamp(), "type": kinds[n % 2], "content": [{"text": text}]} for n, text in enumerate(texts)]}}
        )

    def events(self, tmp_path: Path) -> list[Event]:
        """All that happened."""
        path = tmp_path / "session.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in self.lines))
        with Transcript(str(path), host="gemini") as transcript:
            return list(transcript.events())

    def draft(self, tmp_path: Path) -> Draft:
        """The draft; the same where it was read in one go and where it was kept after each line."""
        whole, kept, position = Capture(), Capture(), None
        whole.feed(self.events(tmp_path))
        path = tmp_path / "growing.jsonl"
        path.write_text("")
        for line in self.lines:
            with path.open("a") as file:
                file.write(json.dumps(line) + "\n")
            with Transcript(str(path), host="gemini") as transcript:
                kept.feed(transcript.events(position))
                position = json.loads(json.dumps(transcript.position))
            kept = Capture.from_data(json.loads(json.dumps(kept.as_data())))
        assert kept.draft() == whole.draft()
        return whole.draft()


class Opencode:
    """A database as opencode writes it, and what was learnt of it at each reading."""

    def __init__(self, tmp_path: Path, *, reverts: bool = True) -> None:
        self.path, self.session, self.count, self.time = tmp_path / "opencode.db", "ses_1", 0, 1794772200000
        self.base = sqlite3.connect(self.path, isolation_level=None)
        self.base.executescript(
            f"CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, time_updated INTEGER{', revert TEXT' if reverts else ''});"
            "CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, data TEXT);"
            "CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, data TEXT);"
            "INSERT INTO session (id, time_updated) VALUES ('ses_1', 1);"
        )
        self.capture, self.position = Capture(), None

    def __del__(self) -> None:
        self.base.close()

    def message(self, role: str, session: str = "", **more: Any) -> str:
        """A message, without parts yet."""
        self.count, self.time = self.count + 1, self.time + 7000
        name, clock = f"msg_{self.count:04}", {"created": self.time, **({"completed": self.time + 500} if role == "assistant" else {})}
        data = json.dumps({"role": role, "time": clock, **more})
        self.base.execute("INSERT INTO message VALUES (?, ?, ?)", (name, session or self.session, data))
        return name

    def part(self, message: str, session: str = "", **data: Any) -> None:
        """A part of a message."""
        self.count += 1
        self.base.execute(
            "INSERT INTO part VALUES (?, ?, ?, ?)", (f"prt_{self.count:04}", message, session or self.session, json.dumps(data))
        )

    def user(self, text: str, session: str = "", **more: Any) -> str:
        """What stands where a person's words do."""
        message = self.message("user", session)
        self.part(message, session, type="text", text=text, **more)
        return message

    def agent(self, text: str, **more: Any) -> str:
        """What the agent says."""
        message = self.message("assistant", **more)
        self.part(message, type="step-start")
        self.part(message, type="text", text=text, time={"start": 1, "end": 2})
        return message

    def tool(self, name: str, given: Line, output: str = "", *, refused: str = "", about: Line | None = None, **more: Any) -> None:
        """A tool that it calls, and what came of it."""
        state = {"status": "error" if refused else "completed", "input": given, "time": {"start": self.time + 1, "end": self.time + 2}}
        state |= {"error": refused} if refused else {"output": output, "metadata": about or {}}
        message = self.message("assistant", **more)
        self.part(message, type="step-start")
        self.part(message, type="tool", tool=name, callID=f"call_{self.count}", state=state)

    def ran(self, command: str, output: str = "ok", code: int | None = 0) -> None:
        """A command of the agent's."""
        self.tool("bash", {"command": command}, output, about={"exit": code})

    def pends(self, message: str | None, *, restores: bool = True) -> None:
        """An undo that waits for what the person says next; None where they have taken it back. Outside of git no files are."""
        about = {"messageID": message, **({"snapshot": "f49a"} if restores else {})}
        self.base.execute("UPDATE session SET revert = ?", (message and json.dumps(about),))

    def undone(self, message: str) -> None:
        """What opencode does to the messages of an undo as soon as something else is said."""
        for table, column in (("part", "message_id"), ("message", "id")):
            self.base.execute(f"DELETE FROM {table} WHERE session_id = ? AND {column} >= ?", (self.session, message))
        self.pends(None)

    def read(self) -> list[Event]:
        """What is new, taken in as a hook does."""
        with Transcript(str(self.path), session=self.session) as transcript:
            events = list(transcript.events(self.position))
            self.position = json.loads(json.dumps(transcript.position))
        self.capture.feed(events)
        self.capture = Capture.from_data(json.loads(json.dumps(self.capture.as_data())))
        return events

    def draft(self) -> Draft:
        """The draft of all that was read."""
        self.read()
        assert not self.read()  # what was read is not read again
        return self.capture.draft()


def told(draft: Draft) -> str:
    """All that a draft says, to look for what it must not say."""
    return json.dumps(draft, ensure_ascii=False)


def task(draft: Draft) -> str:
    """What is being worked on, in the user's words alone: what it answers stands in the lines behind."""
    return str(draft["task"]).partition("\n(")[0]


PLAN, REDIS, DICT = "add a cache to the rates service", "drop users_old and use redis instead, always with a TTL", "use a dict for the cache"


# ---- undone ------------------------------------------------------------------------------------------------------------


def begun(host: Opencode | Gemini) -> str:
    """A turn that stands, and one that will be undone: its message."""
    host.user(PLAN)
    host.agent("I made a plan for the cache.")
    message = host.user(REDIS)
    host.agent("I'll use redis for the cache. Shall I remove the old client as well?")
    return message


@pytest.mark.parametrize("reused", [True, False])
def test_what_opencode_has_undone_is_not_worked_on_and_what_came_after_it_is_read(tmp_path: Path, reused: bool) -> None:
    """SQLite gives the rows of what was deleted to what is new, unless another session has written since."""
    host = Opencode(tmp_path)
    message = begun(host)
    host.read()
    if not reused:
        host.user("something else", session="ses_2")
    host.undone(message)
    host.user(DICT)
    host.tool("edit", {"filePath": "/w/dict_cache.py", "oldString": "a", "newString": "DictCache()"}, "ok")
    host.agent("The dict is in.")
    draft = host.draft()
    assert task(draft) == DICT
    assert "redis" not in told(draft)
    assert "/w/dict_cache.py" in told(draft)
    assert "unanswered" not in draft


def test_a_second_undo_goes_further_back(tmp_path: Path) -> None:
    """What was said in the place of something can be undone as well, and the turn before it."""
    host = Opencode(tmp_path)
    host.user("name the release")
    message = begun(host)
    host.read()
    host.undone(message)
    again = host.user(DICT)
    host.agent("The dict is in.")
    host.read()
    host.undone(again)
    host.user("use memcached")
    assert task(host.draft()) == "use memcached"
    assert DICT not in told(host.draft())
    host.undone("msg_0003")
    host.user("call it v3")
    draft = host.draft()
    assert task(draft) == "call it v3"
    assert PLAN not in told(draft)
    assert "name the release" in told(draft)


def test_who_undoes_more_than_is_remembered_is_followed_as_far_as_it_is(tmp_path: Path) -> None:
    """Of sixty turns fifty are known; whatever was undone, what is said then is read."""
    host = Opencode(tmp_path)
    host.user("name the release")
    message = begun(host)
    for number in range(60):
        host.user(f"and case number {number}")
    host.read()
    assert len(json.dumps(host.position)) < 6000
    host.undone(message)
    host.user(DICT)
    draft = host.draft()
    assert task(draft) == DICT
    assert "case number 59" not in told(draft)
    assert host.position["asked"][0][1] == "msg_0001"  # type: ignore[index]


def test_a_position_of_before_is_read_on_from(tmp_path: Path) -> None:
    """One that knows a row alone, or no messages: nothing comes a second time, and nothing is lost."""
    host = Opencode(tmp_path)
    begun(host)
    host.read()
    row = host.position["row"]  # type: ignore[index]
    host.user(DICT)
    for position in (row, {"session": "ses_1", "row": row, "open": {}}, {"session": "ses_1", "row": row, "asked": [[], [1, 2], 3, ["a", "b", "c"]]}):
        with Transcript(str(host.path), session="ses_1") as transcript:
            assert [event.text for event in transcript.events(position)] == [DICT]


def test_a_session_that_was_deleted_has_not_been_taken_back(tmp_path: Path) -> None:
    """Who clears up the host's list has not said that the work was for nothing."""
    host = Opencode(tmp_path)
    begun(host)
    host.read()
    host.undone("msg_0000")
    assert task(host.draft()) == REDIS


def test_what_a_turn_before_has_written_since_is_not_read_again(tmp_path: Path) -> None:
    """Words that came while the agent was at work stand among the rows of that work, and are undone alone."""
    host = Opencode(tmp_path)
    host.user(PLAN)
    working = host.message("assistant")
    message = host.user(REDIS)
    host.part(working, type="text", text="I made a plan for the cache.", time={"start": 1, "end": 2})
    host.agent("With redis then.")
    host.read()
    host.undone(message)
    host.user(DICT)
    assert [(event.kind, event.text) for event in host.read()] == [("rewound", ""), ("user", DICT)]


def test_an_undo_that_waits_counts_and_can_be_taken_back(tmp_path: Path) -> None:
    """The host keeps what was undone until something else is said, and brings it back on demand."""
    host = Opencode(tmp_path)
    message = begun(host)
    host.read()
    host.pends(message)
    draft = host.draft()
    assert task(draft) == PLAN
    assert "redis" not in told(draft)
    host.pends(None)
    assert task(host.draft()) == REDIS
    host.pends(message)
    host.read()
    host.undone(message)
    host.user(DICT)
    assert task(host.draft()) == DICT
    assert "redis" not in told(host.draft())


@pytest.mark.parametrize("restores", [True, False])
def test_what_was_undone_and_brought_back_was_changed_once(tmp_path: Path, restores: bool) -> None:
    """Where it keeps snapshots the host takes the files back as well, and brings them back with the rest."""
    host = Opencode(tmp_path)
    host.user(PLAN)
    host.tool("edit", {"filePath": "/w/rates.py", "oldString": "a", "newString": "first_rate"}, "ok")
    message = host.user(REDIS)
    host.tool("edit", {"filePath": "/w/rates.py", "oldString": "a", "newString": "redis_rate"}, "ok")
    host.tool("edit", {"filePath": "/w/redis.py", "oldString": "a", "newString": "redis_client"}, "ok")
    host.tool("edit", {"filePath": "/w/redis.py", "oldString": "b", "newString": "c"}, refused="oldString not found")
    host.tool("apply_patch", {"patchText": "*** Begin Patch\n*** Delete File: old.py\n*** End Patch"}, "Success")
    changed = {"/w/rates.py": "edited 2 times", "/w/redis.py": "edited 1 time", "old.py": "deleted"}
    before = {"/w/rates.py": "edited 1 time"} if restores else changed

    def files() -> dict[str, str]:
        return {path: what.partition("; ")[0] for path, what in host.draft()["files"]}

    assert files() == changed
    for _ in range(2):
        host.pends(message, restores=restores)
        assert files() == before
        host.pends(None)
        assert files() == changed
    host.pends(message, restores=restores)
    host.read()
    host.undone(message)
    host.user(DICT)
    host.tool("edit", {"filePath": "/w/rates.py", "oldString": "a", "newString": "dict_rate"}, "ok")
    assert files() == ({"/w/rates.py": "edited 2 times"} if restores else {**changed, "/w/rates.py": "edited 3 times"})


def test_an_undo_that_waits_is_seen_by_who_reads_for_the_first_time(tmp_path: Path) -> None:
    """And a host without the column has none."""
    host = Opencode(tmp_path)
    host.pends(begun(host))
    assert [event.text for event in host.read()] == [PLAN, "I made a plan for the cache."]
    (tmp_path / "old").mkdir()
    host = Opencode(tmp_path / "old", reverts=False)
    begun(host)
    assert task(host.draft()) == REDIS


def test_what_gemini_has_rewound_was_not_said(tmp_path: Path) -> None:
    """Whether or not something else was said since."""
    host = Gemini()
    message = begun(host)
    host.user("yes, go ahead")
    host.agent("I began with redis.")
    host.lines.append({"$rewindTo": message})
    draft = host.draft(tmp_path)
    assert task(draft) == PLAN
    assert "redis" not in told(draft)
    assert "unanswered" not in draft
    host.user(DICT)
    host.agent("Working on the dict.")
    draft = host.draft(tmp_path)
    assert task(draft) == DICT
    assert "redis" not in told(draft)


def test_rewinding_to_what_nobody_knows_does_nothing(tmp_path: Path) -> None:
    """Of messages long ago, or of another kind of record."""
    host = Gemini()
    message = begun(host)
    host.lines += [{"$rewindTo": "x"}, {"$rewindTo": {"id": message}}, {"$rewindTo": None}]
    assert task(host.draft(tmp_path)) == REDIS


def test_a_resumed_message_is_rewound_under_its_new_id(tmp_path: Path) -> None:
    """On resuming, the host repeats what was said under new ids."""
    host = Gemini()
    begun(host)
    host.replaced("<session_context>\n", "ok", PLAN, "I made a plan for the cache.", REDIS, "I'll use redis for the cache.")
    host.lines.append({"$rewindTo": host.lines[-1]["$set"]["messages"][4]["id"]})
    assert task(host.draft(tmp_path)) == PLAN


def test_a_shorter_list_of_geminis_goes_back(tmp_path: Path) -> None:
    """What is not in the list any more was taken back; the list repeats the rest, and is no news."""
    host = Gemini()
    begun(host)
    host.replaced("<session_context>\n", "ok", PLAN, "I made a plan for the cache.")
    assert task(host.draft(tmp_path)) == PLAN
    assert "redis" not in told(host.draft(tmp_path))
    host.user(DICT)
    assert task(host.draft(tmp_path)) == DICT


KEPT = {
    "resumed, as it was": (PLAN, "I made a plan.", REDIS, "I'll use redis."),
    "resumed, without what was said before": (REDIS, "I'll use redis."),
    "nothing of it can be found": ("something else", "ok"),
    "an empty list": (),
}


@pytest.mark.parametrize("case", KEPT)
def test_a_list_that_may_be_all_there_is_takes_nothing_back(tmp_path: Path, case: str) -> None:
    """Where it cannot be told whether the user went back, they have not."""
    host = Gemini()
    begun(host)
    host.replaced(*KEPT[case])
    assert task(host.draft(tmp_path)) == REDIS


@pytest.mark.parametrize("said", ["<hook_context>You are at home.</hook_context>\n\n" + DICT, "/release v3"])
def test_what_the_host_leaves_out_on_resuming_was_not_taken_back(tmp_path: Path, said: str) -> None:
    """Prompts that begin with a hook's text or a slash are in no such list."""
    host = Gemini()
    begun(host)
    host.user(said, shown=False)
    host.agent("It is done.")
    host.replaced("<session_context>\n", "ok", PLAN, "I made a plan.", REDIS, "I'll use redis.")
    assert task(host.draft(tmp_path)) == said.rpartition("\n")[2]


def test_a_file_that_begins_compressed_tells_what_stands_behind_the_snapshot(tmp_path: Path) -> None:
    """Nothing before it has said that; the host's thanks for the snapshot are nobody's words."""
    host = Gemini(empty=True)
    snapshot = "<state_snapshot>round sums</state_snapshot>"
    host.replaced(snapshot, "Got it. Thanks for the additional context!", DICT, "Got it. Shall I also cache the drafts?")
    kinds = [(event.kind, event.text) for event in host.events(tmp_path)]
    assert kinds == [("compaction", ""), ("summary", snapshot), ("user", DICT), ("agent", "Got it. Shall I also cache the drafts?")]
    assert host.draft(tmp_path)["unanswered"] == ("Got it. Shall I also cache the drafts?",)
    host.replaced(snapshot, "Got it. Thanks for the additional context!", DICT, "Got it. Shall I also cache the drafts?")
    assert len(host.events(tmp_path)) == 4


# ---- done --------------------------------------------------------------------------------------------------------------

CANCELLED = "Command was automatically cancelled because it exceeded the timeout of 5.0 minutes without output. Below is the output before it was cancelled:\n"
GEMINI_DONE: dict[str, tuple[tuple[str, str, Line], tuple[str, ...]]] = {
    "a push that went well": (("git push origin main", "Output: 1..2 main -> main\nProcess Group PGID: 33", {}), ("`git push origin main`",)),
    "a push that ran out of time": (("git push origin main", CANCELLED.partition(" Below")[0], {}), ()),
    "tests that ran out of time": (("pytest -q", CANCELLED + "12 passed so far", {}), ()),
    "a publish that the user cancelled": (
        ("npm publish", "Command was cancelled by user before it could complete. There was no output before it was cancelled.", {}), ()),
    "a publish that was killed": (("npm publish", "Output: npm notice packing\nSignal: 9\nProcess Group PGID: 33", {}), ()),
    "a publish that no signal ended": (("npm publish", "Output: + rates@2\nExit Code: 0\nSignal: (none)\nProcess Group PGID: 33", {}), ("`npm publish`",)),
    "a publish that goes on": (
        ("npm publish", "Command moved to background (PID: 4711). Output hidden. Press Ctrl+B to view.", {}), ()),
    "a publish in the background": (("npm publish", "Output: (empty)", {"is_background": True}), ()),
    "what a program prints like a field": (
        ("git commit -m 'Round sums' && docker inspect web", "Output: [main 1] Round sums\nState:\nExit Code: 137\nSignal: 9\nRunning: false\nProcess Group PGID: 33", {}),
        ("commit “Round sums”",)),
    "what a program prints like a field, last of all": (
        ("npm publish", "Output: + rates@2\nExit Code: 137\nExit Code: 0\nSignal: (none)\nProcess Group PGID: 33", {}), ("`npm publish`",)),
    "a commit that a hook refused": (("git commit -m 'Round sums'", "Output: husky\nError: (none)\nExit Code: 1\nSignal: (none)\nProcess Group PGID: 3", {}), ()),
}  # fmt: skip


@pytest.mark.parametrize("case", GEMINI_DONE)
def test_done_with_gemini_is_what_ended_and_went_well(tmp_path: Path, case: str) -> None:
    """Its status is “success” where a command was cancelled, killed, or sent to the background too."""
    (command, output, more), done = GEMINI_DONE[case]
    host = Gemini()
    host.user("release the new rates")
    host.ran(command, output, **more)
    host.agent("Here is where it stands.")
    assert host.draft(tmp_path).get("done", ()) == done


def test_an_error_is_current_until_what_gemini_runs_in_the_background_has_ended(tmp_path: Path) -> None:
    """To begin a build again is not to have built it."""
    host = Gemini()
    host.user("release the new rates")
    host.ran("make build", "Output: main.c:3: error: no such type\nExit Code: 2")
    host.ran("make build", "Command moved to background (PID: 4711). Output hidden.", is_background=True)
    assert "passed since" not in host.draft(tmp_path)["code"]


def test_a_command_in_the_background_that_was_refused_is_refused(tmp_path: Path) -> None:
    """It does not go on, and its call has come back."""
    host = Gemini()
    refused = {"error": "[Operation Cancelled] Reason: User denied execution."}
    host.tool("run_shell_command", {"command": "npm publish", "is_background": True}, refused, "cancelled")
    call, result = host.events(tmp_path)
    assert (result.call, result.failed) == (call.call, True)


TIMED_OUT = "bash tool terminated command after exceeding timeout 120000 ms. If this command is expected to take longer, retry."
OPENCODE_DONE = {
    "a push that went well": ("git push origin main", "1..2 main -> main", 0, ("`git push origin main`",)),
    "a push without a status": ("git push origin main", "1..2 main -> main", None, ("`git push origin main`",)),
    "a push that ran out of time": ("git push origin main", f"\n\n<bash_metadata>\n{TIMED_OUT}\n</bash_metadata>", None, ()),
    "tests that ran out of time": ("pytest -q", f"12 passed\n\n<shell_metadata>\nshell {TIMED_OUT[5:]}\n</shell_metadata>", None, ()),
    "a publish that the user aborted": ("npm publish", "npm notice\n\n<bash_metadata>\nUser aborted the command\n</bash_metadata>", None, ()),
    "what a program prints like a block": (
        "npm publish", "<bash_metadata>\nUser aborted the command\n</bash_metadata>\n+ rates@2", None, ("`npm publish`",)),
    "a block that says something else": (
        "npm publish", "+ rates@2\n\n<bash_metadata>\nThe output was long.\n</bash_metadata>", 0, ("`npm publish`",)),
}  # fmt: skip


@pytest.mark.parametrize("case", OPENCODE_DONE)
def test_done_with_opencode_is_what_ended_and_went_well(tmp_path: Path, case: str) -> None:
    """What was stopped has no exit status, and stands as completed."""
    command, output, code, done = OPENCODE_DONE[case]
    host = Opencode(tmp_path)
    host.user("release the new rates")
    host.ran(command, output, code)
    assert host.draft().get("done", ()) == done


def test_what_the_host_says_about_a_command_is_not_what_it_printed(tmp_path: Path) -> None:
    """The block at the end is taken off."""
    host = Opencode(tmp_path)
    host.ran("make build", f"cc main.c\n\n<bash_metadata>\n{TIMED_OUT}\n</bash_metadata>", None)
    _, result = host.read()
    assert (result.text, result.failed) == ("cc main.c", True)
    host.ran("make build", f"\n\n<bash_metadata>\n{TIMED_OUT}\n</bash_metadata>", None)
    assert "exceeding timeout" in host.draft()["code"]


OWN = "The following tool was executed by the user"


def own_shell(host: Opencode, command: str, output: str) -> None:
    """A command that the person ran in opencode (`!cmd`): no exit status is kept for it."""
    host.user(OWN, synthetic=True)
    host.tool("bash", {"command": command}, output, about={"output": output, "description": ""})


def test_of_the_persons_own_shell_what_was_printed_tells(tmp_path: Path) -> None:
    """A push that was rejected was not made, and tests that fail pass no longer."""
    host = Opencode(tmp_path)
    host.user("prepare the release")
    host.ran("pytest -q", "41 passed in 2s")
    own_shell(host, "git push origin main", " ! [rejected] main -> main (fetch first)\nerror: failed to push some refs to 'origin'\n")
    own_shell(host, "pytest -q", "E   KeyError: 'rate'\n1 failed, 40 passed in 2s\n")
    assert "done" not in host.draft()


def test_the_persons_own_shell_is_told_apart_from_the_agents(tmp_path: Path) -> None:
    """Also where the command is still running when it is read; and only the next command is theirs."""
    host = Opencode(tmp_path)
    host.user(OWN, synthetic=True)
    state: Line = {"status": "running", "input": {"command": "make"}, "metadata": {}, "time": {"start": 1}}
    host.part(host.message("assistant"), type="tool", tool="bash", callID="c", state=state)
    assert [(event.kind, event.tool) for event in host.read()] == [("call", "!")]
    state |= {"status": "completed", "output": "ok", "metadata": {"output": "ok"}}
    data = json.dumps({"type": "tool", "tool": "bash", "callID": "c", "state": state})
    host.base.execute("UPDATE part SET data = ? WHERE data LIKE '%running%'", (data,))
    host.tool("bash", {"command": "ls"}, "a", about={})
    found = [(event.kind, event.text, event.tool) for event in host.read()]
    assert found == [("result", "ok", "!"), ("call", "ls", "bash"), ("result", "a", "")]


# ---- stopped, refused, answered, approved ------------------------------------------------------------------------------

ABORTED = {"error": {"name": "MessageAbortedError", "data": {"message": "The operation was aborted."}}}


def test_what_the_user_stopped_in_gemini_is_said_to_be_stopped(tmp_path: Path) -> None:
    """The host says so in a line of its own; what else it tells them is nothing."""
    host = Gemini()
    host.user("delete all branches that were merged")
    host.info("Update available! 0.61.1")
    assert "interrupted" not in host.draft(tmp_path)["task"]
    host.ran("git branch --merged", "Output: a")
    host.info("Request cancelled.")
    assert "the user interrupted this" in host.draft(tmp_path)["task"]
    host.user("only list them")
    assert task(host.draft(tmp_path)) == "only list them"


def written_anew(host: Gemini, moment: str, *said: str) -> None:
    """What the host does with a prompt of which nothing came: it drops it, and writes all that is left under new ids."""
    context = "<session_context>\nThis is the Gemini CLI.\n</session_context>"
    messages: list[Line] = []
    for number, text in enumerate(said):
        parts = [{"text": part} for part in ((context, text) if not number else (text,))]
        about = {**host.stamp(), "timestamp": moment}
        messages.append({**about, "type": "gemini" if number % 2 else "user", "content": parts})
    host.lines += [*messages, {"$set": {"messages": messages}}]


@pytest.mark.parametrize("whole", [True, False])
def test_a_prompt_whose_tool_was_turned_away_was_said_and_the_others_are_not_said_again(tmp_path: Path, whole: bool) -> None:
    """Gemini CLI forgets it and repeats the rest; where it dies in the midst of that, what is said later is heard."""
    host = Gemini()
    host.user("build the store of rates")
    host.agent("It needs a place to keep them.")
    host.user("never touch the old invoices, and push it")
    host.tool("run_shell_command", {"command": "git push"}, {"error": "[Operation Cancelled] Reason: User denied execution."}, "cancelled")
    host.lines.append({**host.stamp(), "type": "info", "content": "Request cancelled."})
    written_anew(host, str(host.lines[-1]["timestamp"]), "build the store of rates", "It needs a place to keep them.")
    if not whole:
        del host.lines[-2:]
    draft = host.draft(tmp_path)
    assert draft["task"].startswith("never touch the old invoices, and push it\n(the user interrupted this")
    assert draft["goal"] == "build the store of rates"
    for _ in range(6):
        host.stamp()
    host.user("only tag it")
    assert host.draft(tmp_path)["task"].startswith("only tag it")


def test_what_was_written_anew_is_rewound_under_its_new_id(tmp_path: Path) -> None:
    """As after resuming."""
    host = Gemini()
    for text in ("build the store of rates", "always use mongo, and never sqlite"):
        host.user(text)
        host.agent("I do.")
    written_anew(host, str(host.lines[-1]["timestamp"]), "build the store of rates", "I do.", "always use mongo, and never sqlite", "I do.")
    host.lines.append({"$rewindTo": host.lines[-1]["$set"]["messages"][2]["id"]})
    draft = host.draft(tmp_path)
    assert draft["task"] == "build the store of rates"
    assert "corrections" not in draft


def test_what_the_user_stopped_in_opencode_is_said_to_be_stopped(tmp_path: Path) -> None:
    """Once for a message, however many parts it has."""
    host = Opencode(tmp_path)
    host.user("delete all branches that were merged")
    host.tool("bash", {"command": "git branch -D a b"}, refused="Tool execution aborted", **ABORTED)
    assert [event.kind for event in host.read()].count("interruption") == 1
    assert "the user interrupted this" in host.draft()["task"]
    host.user("only list them")
    assert task(host.draft()) == "only list them"


def test_a_stop_that_comes_after_all_was_read_is_seen(tmp_path: Path) -> None:
    """The host writes it into the message, and no part of it changes."""
    host = Opencode(tmp_path)
    host.user("delete all branches that were merged")
    message = host.agent("I begin with a.")
    host.read()
    data = json.dumps({"role": "assistant", "time": {"created": host.time}, **ABORTED})
    host.base.execute("UPDATE message SET data = ? WHERE id = ?", (data, message))
    assert "the user interrupted this" in host.draft()["task"]


def test_a_refusal_in_opencode_says_what_to_do_instead(tmp_path: Path) -> None:
    """The reason is the user's word; without one there is none."""
    refused = "The user rejected permission to use this specific tool call"
    for error, words in ((f"{refused} with the following feedback: only rename it", ["only rename it"]), (f"{refused}.", [])):
        folder = tmp_path / str(len(words))
        folder.mkdir()
        host = Opencode(folder)
        host.user("clean up the staging database")
        host.tool("bash", {"command": "dropdb staging"}, refused=error)
        events = host.read()
        assert [event.text for event in events if event.refusal] == words
        assert [event.failed for event in events if event.kind == "result"] == [True]
        assert ("Command", "dropdb staging") not in host.draft().get("names", ())


ASKED = {"questions": [{"question": "Which store?", "options": [{"label": "Redis"}, {"label": "In memory"}]}, {"question": "Which TTL?", "type": "text"}]}


def test_what_was_answered_to_gemini_is_what_the_user_said(tmp_path: Path) -> None:
    """Answers stand by the number of their question; what was not asked has none."""
    host = Gemini()
    host.user(PLAN)
    host.tool("ask_user", ASKED, '{"answers":{"0":"In memory","7":"x","1":" "}}')
    assert [event.text for event in host.events(tmp_path) if event.kind == "user"] == [PLAN, "Which store? → In memory"]
    assert "unanswered" not in host.draft(tmp_path)


@pytest.mark.parametrize("output", ["User dismissed ask_user dialog without answering.", {"error": "[Operation Cancelled]"}])
def test_a_question_that_was_dismissed_in_gemini_is_open(tmp_path: Path, output: Any) -> None:
    """Nobody has answered it."""
    host = Gemini()
    host.user(PLAN)
    host.tool("ask_user", ASKED, output)
    draft = host.draft(tmp_path)
    assert task(draft) == PLAN
    assert "Which store?" in draft["unanswered"][0]


@pytest.mark.parametrize("output", ["{", "[]", '{"answers":[]}', '{"answers":{"-1":"a","x":"b","²":"d","0":{}}}', "[" * 100_000, '{"answers":' * 9000])
def test_an_answer_of_another_form_is_none(tmp_path: Path, output: str) -> None:
    """It is only a result."""
    host = Gemini()
    host.tool("ask_user", ASKED, output)
    assert [event.kind for event in host.events(tmp_path)] == ["call", "result"]


def test_an_answer_is_found_where_the_call_stands_in_an_earlier_line(tmp_path: Path) -> None:
    """The host may write the result with the user's record alone."""
    host = Gemini()
    host.user(PLAN)
    host.tool("ask_user", ASKED, '{"answers":{"1":"5 minutes"}}')
    host.lines[-2]["toolCalls"][0].pop("result")
    host.lines.insert(-1, {**host.stamp(), "type": "gemini", "content": "I wait."})
    assert "Which TTL? → 5 minutes" in [event.text for event in host.events(tmp_path)]
    assert host.draft(tmp_path)["task"] == f"{PLAN}\n(answered: Which TTL? → 5 minutes)"


def test_what_was_answered_to_opencode_is_what_the_user_said(tmp_path: Path) -> None:
    """Answers stand in the order of the questions; one may have several."""
    host = Opencode(tmp_path)
    host.user(PLAN)
    host.tool("question", ASKED, 'User has answered your questions: "Which store?"=…', about={"answers": [["In memory", "Redis"], []]})
    assert host.draft()["task"] == f"{PLAN}\n(answered: Which store? → In memory, Redis)"
    assert "unanswered" not in host.draft()


PLANNED = "plan how to split the users table, and don't touch any code until I have approved it"
STORED = "\n\nThe plan is stored at: /w/.gemini/plans/split.md\nRevise the plan based on the feedback."


def test_a_plan_that_was_approved_in_gemini_is_what_is_worked_on(tmp_path: Path) -> None:
    """And one that was rejected is not; the reason is the user's word, and without one there is none."""
    cases = {
        "Plan approved. Switching to Default mode (edits will require confirmation).\n\nThe approved implementation plan is stored at: /w/a.md": ("(approved the agent's plan)", False),
        f"Plan rejected. User feedback: never lock it.\n\nCopy in batches{STORED}": ("never lock it.\n\nCopy in batches", True),
        f"Plan rejected. No feedback provided.{STORED}": ("", False),
    }
    for output, (text, refusal) in cases.items():
        host = Gemini()
        host.user(PLANNED)
        host.tool("exit_plan_mode", {"plan_path": "/w/.gemini/plans/split.md"}, output)
        said = [(event.text, event.refusal) for event in host.events(tmp_path) if event.kind == "user"][1:]
        assert said == ([(text, refusal)] if text else [])
        host.draft(tmp_path)


def test_only_the_tool_that_ends_planning_tells_of_a_plan(tmp_path: Path) -> None:
    """What a file says of a plan is not the user's yes."""
    host = Gemini()
    host.tool("read_file", {"file_path": "/w/a.md"}, "Plan approved. Go on.")
    assert [event.kind for event in host.events(tmp_path)] == ["call", "result"]


def test_a_plan_that_was_approved_in_opencode_is_what_is_worked_on(tmp_path: Path) -> None:
    """The order to wait for it is over."""
    host = Opencode(tmp_path)
    host.user(PLANNED)
    host.agent("Here is the plan: 1. a new table 2. copy.")
    host.tool("plan_exit", {}, "User approved switching to build agent. Wait for further instructions.")
    host.user("The plan at .opencode/plans/split.md has been approved, you can now edit files. Execute the plan", synthetic=True)
    host.tool("edit", {"filePath": "/w/a.sql", "oldString": "a", "newString": "b"}, "ok")
    draft = host.draft()
    assert draft["task"].startswith("(approved the agent's plan)")
    assert draft["corrections"] == (PLANNED,)


# ---- who said it -------------------------------------------------------------------------------------------------------

STEERED = "User steering update:\n<user_input>\nkeep the old names as aliases\n</user_input>\nInternal instruction: Re-evaluate the active plan using this user steering update."
HOSTS_OWN = {
    "a loop that the host sees": ("System: Potential loop detected. Details: Repeated tool call. Please take a step back.", []),
    "its push to go on": ("Please continue.", []),
    "what was said while it worked": (STEERED, ["keep the old names as aliases"]),
    "a person who wants it to go on": ("Please continue. And never push.", ["Please continue. And never push."]),
}  # fmt: skip


@pytest.mark.parametrize("case", HOSTS_OWN)
def test_what_gemini_says_in_the_users_place_is_not_the_users(tmp_path: Path, case: str) -> None:
    """Of what it puts around a person's words, only those are theirs."""
    text, words = HOSTS_OWN[case]
    host = Gemini()
    host.user("rename the rates columns")
    host.user(text, shown=False)
    assert [event.text for event in host.events(tmp_path) if event.kind == "user"][1:] == words
    host.draft(tmp_path)


def test_who_types_that_it_shall_continue_has_said_so(tmp_path: Path) -> None:
    """What the person saw of it tells who it was."""
    host = Gemini()
    host.user("Please continue.")
    assert [event.text for event in host.events(tmp_path)] == ["Please continue."]


def test_the_persons_own_shell_in_gemini_is_no_request(tmp_path: Path) -> None:
    """It is a command and what it printed, and no status is kept for it."""
    said = "I ran the following shell command:\n```sh\ngit push origin main\n```\n\nThis produced the following output:\n```\n{}\n```"
    for output, done in (("error: failed to push some refs", ()), ("1..2 main -> main", ("`git push origin main`",))):
        host = Gemini()
        host.user("prepare the release")
        host.agent("Prepared. Shall I tag it v3 or wait?")
        host.user(said.format(output), shown=False)
        assert [(event.kind, event.text, event.tool) for event in host.events(tmp_path)][2:] == [
            ("call", "git push origin main", "!"),
            ("result", output, "!"),
        ]
        draft = host.draft(tmp_path)
        assert task(draft) == "prepare the release"
        assert draft.get("done", ()) == done


def test_the_parts_of_one_message_are_one_request(tmp_path: Path) -> None:
    """An editor sends the words before and behind a file apart; what the host puts between them is not said."""
    host = Opencode(tmp_path)
    message = host.message("user")
    host.part(message, type="text", text="rename the column in")
    host.part(message, type="file", mime="text/plain", url="file:///w/a.sql")
    host.part(message, type="text", text="Called the Read tool", synthetic=True)
    host.part(message, type="text", text="but never lock the table")
    host.user(DICT)
    assert [event.text for event in host.read()] == ["rename the column in\nbut never lock the table", DICT]
    host.part(message, type="text", text="nor its index")  # written after it was read
    assert [event.text for event in host.read()] == ["nor its index"]


def test_who_stops_between_two_parts_hears_nothing_twice(tmp_path: Path) -> None:
    """A position stands between any two rows."""
    host = Opencode(tmp_path)
    message = host.message("user")
    for text in ("rename it", "and its index"):
        host.part(message, type="text", text=text)
    with Transcript(str(host.path), session="ses_1") as transcript:
        next(transcript.events())
        position = json.loads(json.dumps(transcript.position))
    with Transcript(str(host.path), session="ses_1") as transcript:
        assert list(transcript.events(position)) == []


def test_a_command_of_opencodes_that_a_subagent_works_on_is_a_request(tmp_path: Path) -> None:
    """By the name that was typed, with what it says; a subtask without a command is nobody's words."""
    host = Opencode(tmp_path)
    host.user("prepare the release")
    host.agent("Prepared.")
    host.part(host.message("user"), type="subtask", prompt="Look at rounding only, never at style.", command="review", agent="build")
    host.user("Summarize the task tool output above and continue with your task.", synthetic=True)
    host.part(host.message("user"), type="subtask", prompt="Find it.", agent="build")
    assert task(host.draft()) == "/review Look at rounding only, never at style."


JUNK: list[Any] = [None, True, -1, 2**70, "", "\ud800", "x", [], {}, [[]], [[1, "\ud800", "t"]], [[2**70, "m", "t"]], ["m", 2**70], {"a": 1}, {"a": ["t", "m"]}]


@pytest.mark.parametrize("junk", JUNK)
def test_a_position_of_any_form_can_be_read_on_from(tmp_path: Path, junk: Any) -> None:
    """A file of ours may be damaged; what the reader remembers is then not what it was."""
    host = Opencode(tmp_path)
    begun(host)
    own_shell(host, "ls", "a")
    for key in ("row", "open", "asked", "said", "own", "stopped"):
        with Transcript(str(host.path), session="ses_1") as transcript:
            list(transcript.events({"session": "ses_1", "row": 3, key: junk}))
            json.dumps(transcript.position)
    lines = Gemini()
    lines.lines.append({"$rewindTo": begun(lines)})
    lines.tool("ask_user", ASKED, '{"answers":{"0":"In memory"}}')
    lines.replaced(PLAN, "I made a plan.")
    lines.events(tmp_path)
    offset = len(json.dumps(lines.lines[0])) + 1
    for key in ("asked", "waits", "snapshot", "results", "calls", "said"):
        with Transcript(str(tmp_path / "session.jsonl"), host="gemini") as transcript:
            list(transcript.events({"offset": offset, "state": {key: junk}}))
            json.dumps(transcript.position)


# ---- what other agents did ---------------------------------------------------------------------------------------------


def test_what_a_subagent_of_opencode_changed_is_changed(tmp_path: Path) -> None:
    """In a session of its own, and in those of agents that it called itself; each time since it came back last."""
    host = Opencode(tmp_path)

    def task_of(session: str, child: str) -> None:
        given = {"description": "round the sums", "prompt": "Round all sums.", "subagent_type": "general"}
        output = f"task_id: {child} (for resuming)\n\n<task_result>\nThe sums are rounded.\n</task_result>"
        state = {"status": "completed", "input": given, "output": output, "metadata": {"sessionId": child}}
        host.part(host.message("assistant", session), session, type="tool", tool="task", callID=f"c{host.count}", state=state)

    def edit(session: str, path: str, status: str = "completed") -> None:
        state = {"status": status, "input": {"filePath": path, "oldString": "a", "newString": "new_rate"}, "output": "ok"}
        host.part(host.message("assistant", session), session, type="tool", tool="edit", callID="same", state=state)

    host.user(PLAN)
    host.user("round all sums", session="ses_2")
    edit("ses_2", "/w/rates.py")
    edit("ses_2", "/w/no.py", "error")
    edit("ses_3", "/w/deep.py")
    task_of("ses_2", "ses_3")
    task_of("ses_1", "ses_2")
    draft = host.draft()
    assert {path: what.partition(";")[0] for path, what in draft["files"]} == dict.fromkeys(("/w/deep.py", "/w/rates.py"), "edited 1 time by a subagent")
    assert draft["exchanges"][-1] == "Subagent (general: round the sums): The sums are rounded."
    assert task(draft) == PLAN
    edit("ses_2", "/w/rates.py")
    task_of("ses_1", "ses_2")
    assert dict(host.draft()["files"])["/w/rates.py"].startswith("edited 2 times by a subagent")


def test_agents_that_call_one_another_come_to_an_end(tmp_path: Path) -> None:
    """A database can say anything."""
    host = Opencode(tmp_path)
    host.user(PLAN)
    given = {"description": "x", "subagent_type": "general"}
    for session, child in (("ses_1", "ses_2"), ("ses_2", "ses_3"), ("ses_3", "ses_2"), ("ses_3", "ses_3"), ("ses_2", "ses_1")):
        state = {"status": "completed", "input": given, "output": "ok", "metadata": {"sessionId": child}}
        host.part(host.message("assistant", session), session, type="tool", tool="task", callID=child, state=state)
    assert host.read()


@pytest.mark.parametrize("place", ["chats/s", "chats/other"])
def test_what_a_subagent_of_gemini_changed_is_changed(tmp_path: Path, place: str) -> None:
    """The call by which it was made has its id, under which its file stands in a folder beside the session's."""
    aside = Gemini()
    aside.user("Round all sums.", shown=False)
    aside.tool("replace", {"file_path": "/w/rates.py", "old_string": "a", "new_string": "new_rate"}, "ok")
    aside.tool("replace", {"file_path": "/w/no.py", "old_string": "a", "new_string": "b"}, {"error": "not found"}, "error")
    (tmp_path / place).mkdir(parents=True)
    (tmp_path / place / "rounder-1.jsonl").write_text("".join(json.dumps(line) + "\n" for line in aside.lines))
    host = Gemini()
    host.user(PLAN)
    host.tool("rounder", {"objective": "round the sums"}, "The sums are rounded.")
    for line in host.lines:
        for made in line.get("toolCalls", ()):
            made["agentId"] = "rounder-1"
    host.agent("It is done, all of them are rounded as you wanted it.")
    draft = host.draft(tmp_path / "chats")
    assert dict(draft["files"])["/w/rates.py"].startswith("edited 1 time by a subagent")
    assert len(draft["files"]) == 1
    assert draft["exchanges"][-1] == "Subagent (rounder: round the sums): The sums are rounded."
