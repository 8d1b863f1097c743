"""Hooks: the real command with the payloads that a host sends, in a folder that nobody has set up."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from holdfast.config import own_session
from kept_receipts import by_hooks

TURNS = [
    {"type": "user", "message": {"role": "user", "content": "set the reduced rate to 7 percent, and never touch old invoices"}},
    {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "Edit", "input": {
        "file_path": "/w/rates.py", "old_string": "REDUCED_RATE = 0.05", "new_string": "REDUCED_RATE = 0.07"}}]}},
    {"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": "ok"}]}},
    {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text":
        "The rate is set, and the key is sk-ant-api03-" + "a1B2" * 8 + ".\n\nShall I round per line or per invoice?"}]}},
]  # fmt: skip


class Host:
    """A host with one session and its transcript."""

    def __init__(self, folder: Path) -> None:
        self.project = folder / "project"
        self.project.mkdir()
        self.transcript = folder / "session.jsonl"
        self.env = {"HOME": str(folder / "home"), "PATH": os.environ["PATH"], "HOLDFAST_HOOK_SECONDS": "600"}

    def says(self, *turns: object) -> None:
        """Turns that the host writes down."""
        with self.transcript.open("a") as file:
            file.writelines(json.dumps(turn) + "\n" for turn in turns)

    def fire(self, event: str, stdin: bytes | None = None, told: bytes = b"", **more: object) -> str:
        """One hook; what it printed. `told`: what stands on stderr where even the receipt could be written nowhere."""
        payload = {
            "session_id": "s1",
            "transcript_path": str(self.transcript),
            "cwd": str(self.project),
            "hook_event_name": event,
            **more,
        }
        done = subprocess.run(
            [sys.executable, "-m", "holdfast", "hook", "claude-code", event],
            input=json.dumps(payload).encode() if stdin is None else stdin,
            capture_output=True,
            check=False,
            cwd=self.project,
            env=self.env,
        )
        assert done.returncode == 0, done.stderr.decode()
        assert done.stderr == b"" if not told else told in done.stderr, done.stderr.decode()
        return done.stdout.decode()

    def runs(self, *words: str, given: str = "") -> None:
        """A command of ours, of this session."""
        command = [sys.executable, "-m", "holdfast", *([] if "--session" in words else ["--session", "s1"]), *words]
        subprocess.run(command, input=given.encode(), cwd=self.project, env=self.env, check=True, capture_output=True)

    def brief(self, source: str = "compact") -> str:
        """What the host's next prompt gets."""
        reply = self.fire("SessionStart", source=source)
        return str(json.loads(reply)["hookSpecificOutput"]["additionalContext"]) if reply else ""

    def written(self) -> str:
        """Every byte that was written anywhere."""
        files = [path for path in Path(self.env["HOME"]).rglob("*") if path.is_file()]
        return "\n".join(path.read_bytes().decode("utf-8", "replace") for path in files)


@pytest.fixture
def host(tmp_path: Path) -> Host:
    """A host at work."""
    found = Host(tmp_path)
    found.says(*TURNS)
    return found


def test_the_end_of_a_turn_keeps_the_state_and_leaves_the_day_alone(host: Host) -> None:
    """A turn that changed nothing writes nothing; the day tells of it at the next boundary, once, though nothing came since."""

    def blocks() -> int:
        return host.written().count("[SNAPSHOT] Session")

    def days() -> list[Path]:
        return list(Path(host.env["HOME"]).rglob("memory/20*.md"))

    assert host.fire("Stop") == ""
    assert "REDUCED_RATE" in next(Path(host.env["HOME"]).rglob("session-state.md")).read_text()
    kept = blocks()
    assert kept == 1
    assert not days()
    host.fire("SessionEnd", reason="other")  # of a prompt by the command line, which the next one resumes
    host.says({"type": "system", "subtype": "turn_duration", "durationMs": 5})
    host.fire("Stop")
    assert blocks() == kept
    assert not days()
    host.fire("PreCompact", trigger="auto")
    assert days()[0].read_text().count("[SNAPSHOT] Session") == 1
    host.fire("Stop")
    host.brief()
    assert days()[0].read_text().count("[SNAPSHOT] Session") == 1


@pytest.mark.parametrize("cursor", ["kept", "lost"])
def test_what_changes_nothing_is_not_saved_again(host: Host, cursor: str) -> None:
    """A summary that the host wrote is new in the transcript, and no news."""
    host.transcript.unlink()
    host.says(*({**turn, "timestamp": "2026-11-15T09:00:00.000Z"} for turn in TURNS))
    host.fire("Stop")
    if cursor == "lost":
        shutil.rmtree(next(Path(host.env["HOME"]).rglob("cursors")))
    host.says({**later("user", "This session is being continued."), "isCompactSummary": True})
    host.fire("Stop")
    assert len(list(Path(host.env["HOME"]).rglob("journal/*/*.md"))) == 1
    host.says(later("user", "now write the export"))
    host.fire("Stop")
    assert len(list(Path(host.env["HOME"]).rglob("journal/*/*.md"))) == 2


@pytest.mark.parametrize("boundary", ["SessionEnd", "killed"])
def test_a_session_that_ends_after_its_turn_is_told_in_its_day(host: Host, boundary: str) -> None:
    """Whether the host says that it ends, or is killed and another session finds out."""
    if boundary == "SessionEnd":
        host.fire("Stop")
        host.fire("SessionEnd", reason="prompt_input_exit")
    else:
        sessions = Path(host.env["HOME"], ".claude", "projects", "".join(c if c.isalnum() else "-" for c in str(host.project)))
        sessions.mkdir(parents=True)
        about = {"sessionId": "s1", "cwd": str(host.project), "timestamp": "2026-11-15T10:00:00.000Z"}
        host.transcript = sessions / "s1.jsonl"
        host.says(*({**turn, **about} for turn in TURNS))
        host.fire("Stop")
        host.fire("SessionStart", source="startup", session_id="s2", transcript_path=str(sessions / "s2.jsonl"))
    (day,) = Path(host.env["HOME"]).rglob("memory/20*.md")
    assert day.read_text().count("[SNAPSHOT] Session") == 1
    assert "trigger session-left" in day.read_text()  # all of it was told: no hook was missed


@pytest.mark.parametrize(
    ("told", "new", "said", "records", "blocks"),
    [
        (True, False, "", 1, 0),  # an ordinary turn: the hooks have told all of it
        (True, True, "note: what no hook had told of this session was read", 2, 0),  # in the midst of the next turn
        (False, False, "note: what no hook had told of this session was read", 1, 1),  # no hook ever came
    ],
)
def test_recover_saves_only_what_is_new(host: Host, told: bool, new: bool, said: str, records: int, blocks: int) -> None:
    """No hook is called missed that came, nothing is saved twice, and the day waits for a boundary of a session under way."""
    sessions = Path(host.env["HOME"], ".claude", "projects", "".join(c if c.isalnum() else "-" for c in str(host.project)))
    sessions.mkdir(parents=True)
    about = {"sessionId": "s1", "cwd": str(host.project), "timestamp": "2026-11-15T10:00:00.000Z"}
    host.transcript = sessions / "s1.jsonl"
    host.says(*({**turn, **about} for turn in TURNS))
    if told:
        host.fire("Stop")
    if new:
        host.says({**later("user", "now write the export"), **about, "timestamp": "2999-11-15T11:00:00.000Z"})
    command = [sys.executable, "-m", "holdfast", "recover", "--session", "s1"]
    both = []
    for _ in range(2):
        both.append(subprocess.run(command, cwd=host.project, env=host.env, capture_output=True, text=True, check=True))
    first, second = both
    assert ("now write the export" if new else "set the reduced rate to 7 percent") in first.stdout
    assert first.stderr.startswith(said) if said else first.stderr == ""
    assert second.stderr == ""
    assert len(list(Path(host.env["HOME"]).rglob("journal/*/*.md"))) == records
    days = "".join(day.read_text() for day in Path(host.env["HOME"]).rglob("memory/20*.md"))
    assert days.count("[SNAPSHOT] Session") == blocks
    assert days.count("missed-hook") == blocks


def test_a_compaction_is_survived_in_a_folder_that_nobody_set_up(host: Host) -> None:
    """PreCompact saves; the session start after it gives the brief; the project has no file of ours."""
    host.fire("PreCompact", trigger="auto")
    brief = host.brief()
    for part in (
        "set the reduced rate to 7 percent",
        "never touch old invoices",
        "Shall I round per line or per invoice?",
        "/w/rates.py",
    ):
        assert part in brief
    assert len(brief) <= 9000
    assert not list(host.project.iterdir())


def test_a_missed_hook_loses_nothing(host: Host) -> None:
    """D6: without PreCompact, the session start reads the transcript itself."""
    assert "set the reduced rate to 7 percent" in host.brief()


def test_no_secret_of_the_transcript_reaches_the_disk(host: Host) -> None:
    """What the agent said is redacted before it is written."""
    host.fire("PreCompact")
    assert "[redacted:" in host.written()
    assert "a1B2a1B2" not in host.written() + host.brief()


def test_the_second_compaction_loses_no_more_than_the_first(host: Host) -> None:
    """Read on from where it stopped; what was said before the first compaction is still there after the second."""
    host.fire("PreCompact")
    host.says({"type": "system", "subtype": "compact_boundary"})
    host.says({"type": "user", "message": {"role": "user", "content": "per invoice, and write the docs"}})
    host.fire("PreCompact")
    brief = host.brief()
    assert "per invoice, and write the docs" in brief
    assert "never touch old invoices" in brief
    assert "/w/rates.py" in brief


def test_what_an_agent_has_set_wins_over_the_transcript(host: Host) -> None:
    """The transcript fills what nobody has said; it does not overrule."""
    host.runs("task", "the agent's own words")
    host.fire("PreCompact")
    assert "Working on (as set): the agent's own words" in host.brief()
    assert "/w/rates.py" in host.brief()


SET = {
    "task": "the agent's own words", "unanswered": ["Round per line?"], "exchanges": ["User: hm"], "tone": "calm",
    "in_flight": ["the rounding"], "status": "half done", "next_steps": ["add tests"], "decisions": ["use Decimal"],
}  # fmt: skip
LATER = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() + 3600))


def later(who: str, text: str) -> dict[str, object]:
    """What is said an hour after anything is set here."""
    return {"type": who, "timestamp": LATER, "message": {"role": who, "content": [{"type": "text", "text": text}]}}


GONE_ON: dict[str, tuple[list[dict[str, object]], list[str], list[str]]] = {  # said since → what is told, and what is not
    "nothing": (
        [],
        ["Working on (as set): the agent's own words", "word for word (as set):\n- Round per line?", "Next up (as set):"],
        ["before the last request"],
    ),
    "another request, and a question": (
        [later("user", "per line. now write the export for the accountants"), later("assistant", "Semicolon or comma?")],
        [
            "Working on: per line. now write the export", "word for word:\n- Semicolon or comma?", "- use Decimal",
            "Task as set: the agent's own words",
            "Next up (as set before the last request):", "Status (as set before the last request): half done",
        ],
        ["Working on (as set", "Round per line?", "User: hm", "calm"],
    ),
    "a yes": ([later("user", "yes")], ["Working on (as set): the agent's own words"], ["Round per line?"]),
}  # fmt: skip


@pytest.mark.parametrize("cursor", ["kept", "lost"])
@pytest.mark.parametrize("since", GONE_ON)
def test_what_an_agent_has_set_wins_until_the_user_goes_on_from_there(host: Host, since: str, cursor: str) -> None:
    """What it was working on, what was said and which question waited are of the moment in which they were set; the rest stays,
    and says that it is from before.
    """
    said, told, not_told = GONE_ON[since]
    host.fire("Stop")
    host.runs("checkpoint", "-", given=json.dumps(SET))
    host.fire("Stop")
    host.says(*said)
    if cursor == "lost":
        shutil.rmtree(next(Path(host.env["HOME"]).rglob("cursors")))
    host.fire("PreCompact")
    brief = host.brief()
    for part in told:
        assert part in brief
    for part in not_told:
        assert part not in brief


def test_what_goes_on_in_the_background_is_told_beside_how_things_stand(host: Host) -> None:
    """Who says how things stand says nothing of a server that runs on; and once it has ended, neither does the brief."""
    call = {"type": "tool_use", "id": "b", "name": "Bash", "input": {"command": "npm run dev", "run_in_background": True}}
    begun = {"type": "tool_result", "tool_use_id": "b", "content": "Command running in background with ID: b1."}
    host.says({"type": "assistant", "timestamp": LATER, "message": {"role": "assistant", "content": [call]}})
    host.says({"type": "user", "timestamp": LATER, "message": {"role": "user", "content": [begun]}})
    host.fire("Stop")
    assert "Status: Left running" in host.brief()
    host.runs("--session", "s1", "checkpoint", "--status", "half done")
    host.says(later("assistant", "It runs."))
    host.fire("PreCompact")
    brief = host.brief()
    assert "Status (as set): half done" in brief
    assert "Going on meanwhile: Left running in the background, and not seen to end: `npm run dev` (b1)" in brief
    assert "Context" not in brief.replace("Context was compacted", "")
    over = "<task-notification>\n<task-id>b1</task-id>\n<tool-use-id>b</tool-use-id>\n<status>killed</status></task-notification>"
    host.says(later("user", over))
    host.fire("PreCompact")
    assert "half done" in (brief := host.brief())
    assert "npm run dev` (b1)" not in brief


def test_of_several_questions_that_were_set_none_is_lost_to_one_answer(host: Host) -> None:
    """Which of them was answered, nobody knows."""
    host.runs("checkpoint", "-", given=json.dumps({**SET, "unanswered": ["Round per line?", "Which rate?"]}))
    host.says(later("user", "per line"))
    host.fire("PreCompact")
    assert "(asked before the last request) Which rate?" in host.brief()


def test_what_a_person_edits_into_the_state_stands_until_the_next_request(host: Host) -> None:
    """It is in no record; it is as of the moment in which it was found."""
    host.fire("Stop")
    state = next(Path(host.env["HOME"]).rglob("session-state.md"))
    text = state.read_text()
    asked = TURNS[0]["message"]["content"]  # type: ignore[index]
    state.write_text(text.replace(f"## Current Task\n{asked}", "## Current Task\nby hand"))
    assert state.read_text() != text
    host.fire("Stop")
    host.says(later("assistant", "On it."))
    assert "Working on (as set): by hand" in host.brief()
    host.says(later("user", "now write the export"))
    assert "Working on: now write the export" in host.brief()


NAMED = [
    ({}, ("", "")),
    ({"CLAUDE_CODE_SESSION_ID": "c"}, ("c", "claude-code")),
    ({"CODEX_THREAD_ID": "x", "CLAUDE_CODE_SESSION_ID": "c"}, ("", "")),  # one was started by the other's agent: which?
    ({"OPENCLAW_SESSION_ID": "o", "CLAUDE_CODE_SESSION_ID": "c"}, ("o", "openclaw")),  # which runs it for its own session
    ({"HOLDFAST_SESSION": "h"}, ("h", "")),
]


@pytest.mark.parametrize(("env", "session"), NAMED)
def test_a_command_is_of_the_one_session_that_its_host_names(env: dict[str, str], session: tuple[str, str]) -> None:
    """Where two hosts are named, it is of none."""
    assert own_session(env) == session


def test_what_the_agent_sets_is_of_its_session_wherever_it_has_gone(tmp_path: Path) -> None:
    """A nested repository has a memory of its own, for sessions that begin there; what another session sets is not told here."""
    host = Host(tmp_path)
    nested = host.project / "nested"
    (nested / ".git").mkdir(parents=True)
    host.transcript = Path(host.env["HOME"]) / ".claude/projects/-project/s1.jsonl"
    host.transcript.parent.mkdir(parents=True)
    host.says(*({**turn, "cwd": str(host.project)} for turn in TURNS))
    host.fire("Stop")

    def runs(session: str, *words: str) -> None:
        env = {**host.env, "CLAUDE_CODE_SESSION_ID": session}
        subprocess.run([sys.executable, "-m", "holdfast", *words], cwd=nested, env=env, check=True, capture_output=True)

    runs("s1", "decide", "correction: round per line, not per invoice")
    runs("s1", "blocker", "the tax office has not answered")
    runs("s2", "decide", "something of another session, begun in the nested one")
    host.env["CLAUDE_PROJECT_DIR"] = str(host.project)
    host.fire("Stop", cwd=str(nested))
    host.fire("PreCompact", cwd=str(nested))
    brief = host.brief()
    assert "Decisions (as set):\n- correction: round per line, not per invoice" in brief
    assert "Blockers (as set):\n- the tax office has not answered" in brief
    assert "something of another session" not in brief
    (receipts,) = Path(host.env["HOME"]).rglob("receipts.jsonl")
    assert receipts.parents[1].name.startswith("project-")


GIVEN = {**SET, "topic": "billing"}
ANSWERED_BY_US = {
    "a tool, as data": ("mcp__holdfast__checkpoint", GIVEN, '{{"id":"{}","day":"2026-11-17"}}', True),
    "a tool, in words": ("mcp_holdfast_checkpoint", GIVEN, "saved  {}  checkpoint  2026-11-17.md", True),
    "control: a tool that shows": ("mcp__holdfast__search", {"query": "x"}, "saved  {}  checkpoint", False),
    "control: what is shown of memory": ("Bash", {"command": "holdfast status"}, "snapshots   1 today; newest: {}", False),
}
PRINTED = [  # a command, what it prints, whether that acknowledges what the agent saved
    ("holdfast decide 'use Decimal'", "saved  {}  decide", True),
    ("cd api && ~/.local/bin/holdfast --workspace .. decide 'use Decimal'", "saved  {}  decide", True),
    ("holdfast decide 'use Decimal'", "decided, as in saved  {}", False),
    ("holdfast status --verbose", "saved  {}  decide", False),
    ("make release", "saved  {}  release", False),
    ("make holdfast task", "saved  {}  release", False),
    ("cd ~/holdfast && cat log", "saved  {}  decide", False),
    ("holdfast", "saved  {}  decide", False),
]


def claims(host: Host, tool: str, given: object, answer: str, between: str = "") -> None:
    """A call and what came back; between them perhaps a hook."""
    call = {"type": "tool_use", "id": "9", "name": tool, "input": given}
    host.says({"type": "assistant", "message": {"role": "assistant", "content": [call]}})
    if between:
        host.fire(between)
    result = {"type": "tool_result", "tool_use_id": "9", "content": answer}
    host.says({"type": "user", "message": {"role": "user", "content": [result]}})


def newest_record(host: Host, has: str) -> str:
    """The id of the newest record with some words in it."""
    files = [path for path in Path(host.env["HOME"]).rglob("journal/*/*.md") if has in path.read_text()]
    return max(path.stem for path in files)


@pytest.mark.parametrize("between", ["", "Stop"])
@pytest.mark.parametrize("how", ANSWERED_BY_US)
def test_what_an_agent_saved_without_naming_its_session_is_in_its_brief(host: Host, how: str, between: str) -> None:
    """Over MCP nobody tells us the session; the transcript shows the call, and our answer with the record's id."""
    tool, given, answer, ours = ANSWERED_BY_US[how]
    host.fire("Stop")
    host.runs("--session", "default", "decide", "of somebody else, and before")
    host.runs("--session", "default", "checkpoint", "--topic", "billing", "-", given=json.dumps(SET))
    claims(host, tool, given, answer.format(newest_record(host, "half done")), between)
    host.fire("UserPromptSubmit", prompt="what did we decide about the rates?")  # which reads, and saves nothing
    host.fire("PreCompact")
    brief = host.brief()
    for part in ("Working on (as set): the agent's own words", "Next up (as set):\n- add tests", "- use Decimal"):
        assert (part in brief) is ours
    assert "Decisions (as set):\n- of somebody else" not in brief
    bound = json.loads(next(Path(host.env["HOME"]).rglob("context-session-map.json")).read_text())
    assert ("s1" in json.dumps(bound)) is ours
    host.says(later("user", "now write the export"))
    host.fire("PreCompact")
    brief = host.brief()
    assert "Working on: now write the export" in brief
    assert ("Decisions (as set):\n- use Decimal" in brief) is ours


@pytest.mark.parametrize(("command", "printed", "ours"), PRINTED)
def test_only_what_a_command_of_ours_acknowledges_is_claimed(host: Host, command: str, printed: str, ours: bool) -> None:
    """Also where a prompt has read it first, which keeps what it has read and saves nothing."""
    host.runs("--session", "default", "decide", "use Decimal")
    claims(host, "Bash", {"command": command}, printed.format(newest_record(host, "use Decimal")))
    host.says(BOUNDARY)
    host.fire("UserPromptSubmit", prompt="go on")
    host.fire("PreCompact")
    assert ("Decisions (as set):\n- use Decimal" in host.brief()) is ours


def test_what_was_saved_for_another_session_is_never_claimed(host: Host) -> None:
    """The agent may name one; what it saves after that without naming any is its own."""
    host.fire("Stop")
    for session, text in (("s2", "of another session"), ("default", "use Decimal")):
        host.runs("--session", session, "decide", text)
        claims(host, "Bash", {"command": f"holdfast decide '{text}'"}, f"saved  {newest_record(host, text)}  decide")
    host.fire("PreCompact")
    brief = host.brief()
    assert "Decisions (as set):\n- use Decimal" in brief
    assert "\n- of another session" not in brief


def test_what_a_session_has_set_itself_since_is_not_undone_by_a_claim(host: Host) -> None:
    """The claimed record is the older one."""
    host.fire("Stop")
    host.runs("--session", "default", "checkpoint", "-", given=json.dumps(SET))
    record = newest_record(host, "half done")
    host.runs("task", "set by the session itself")
    claims(host, "mcp__holdfast__checkpoint", SET, f'{{"id":"{record}"}}')
    host.fire("PreCompact")
    brief = host.brief()
    assert "Working on (as set): set by the session itself" in brief
    assert "Next up (as set):\n- add tests" in brief


def test_what_is_set_again_after_a_detour_is_as_of_now(host: Host) -> None:
    """The same words, said anew."""
    host.runs("task", "the parser")
    host.fire("Stop")
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    host.says({**later("user", "look at the docs first"), "timestamp": now})
    host.fire("Stop")
    assert "Working on: look at the docs first" in host.brief()
    host.runs("task", "the parser")
    host.fire("Stop")
    assert "Working on (as set): the parser" in host.brief()


@pytest.mark.parametrize("kept", [{"task": ["m"]}, {"task": ["m", None]}, {"task": 3}, [], "x"])
def test_a_damaged_cursor_stops_no_hook(host: Host, kept: object) -> None:
    """It is only derived."""
    host.runs("task", "the parser")
    host.fire("Stop")
    path = next(Path(host.env["HOME"]).rglob("cursors/s1-*.json"))
    found = json.loads(path.read_text())
    if isinstance(kept, dict) and isinstance(kept["task"], list):
        kept["task"][0] = found["set"]["task"][0]
    path.write_text(json.dumps({**found, "set": kept, "claims": {"open": 3, "made": [["../x", {}], 4]}}))
    host.says(later("assistant", "On it."))
    host.fire("PreCompact")
    assert "Working on (as set): the parser" in host.brief()


def test_a_hook_in_a_folder_that_is_gone_saves_all_the_same(host: Host) -> None:
    """The host names the folder of the session; the one that it stands in may have been a worktree."""
    gone = host.project / "gone"
    gone.mkdir()
    script = f"cd {gone} && rmdir {gone} && exec {sys.executable} -m holdfast hook claude-code PreCompact"
    payload = {"session_id": "s1", "transcript_path": str(host.transcript), "cwd": str(gone), "hook_event_name": "PreCompact"}
    env = {**host.env, "CLAUDE_PROJECT_DIR": str(host.project)}
    subprocess.run(["sh", "-c", script], input=json.dumps(payload).encode(), env=env, check=True, capture_output=True)
    assert "set the reduced rate to 7 percent" in host.written()


def test_what_was_claimed_and_then_deleted_stays_deleted(host: Host) -> None:
    """Also where the transcript is read from the start again."""
    now = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() - 60))
    host.runs("--session", "default", "decide", "use Decimal")
    (record,) = Path(host.env["HOME"]).rglob("journal/*/*.md")
    call = {"type": "tool_use", "id": "9", "name": "Bash", "input": {"command": "holdfast decide 'use Decimal'"}}
    result = {"type": "tool_result", "tool_use_id": "9", "content": f"saved  {record.stem}  decide"}
    host.says({"type": "assistant", "timestamp": now, "message": {"role": "assistant", "content": [call]}})
    host.says({"type": "user", "timestamp": now, "message": {"role": "user", "content": [result]}})
    host.fire("PreCompact")
    assert "Decisions (as set):\n- use Decimal" in host.brief()
    state = next(Path(host.env["HOME"]).rglob("memory/session-state.md"))
    state.write_text("".join(line for line in state.read_text().splitlines(keepends=True) if "use Decimal" not in line))
    shutil.rmtree(next(Path(host.env["HOME"]).rglob("cursors")))
    host.says(later("user", "now write the export"))
    host.fire("PreCompact")
    assert "Working on: now write the export" in (brief := host.brief())
    assert "Decisions (as set)" not in brief


def test_trivial_talk_leaves_no_snapshot(tmp_path: Path) -> None:
    """B10: question and answer is not worth one."""
    host = Host(tmp_path)
    host.says({"type": "user", "message": {"role": "user", "content": "what is a monad"}})
    host.fire("PreCompact")
    assert "BIG-MEMORY-SNAPSHOT" not in host.written()
    assert host.brief("startup") == ""


@pytest.mark.parametrize("seen", [True, False], ids=["passed over by a hook", "seen by none"])
def test_a_checkpoint_that_is_asked_for_is_never_refused_as_trivial(tmp_path: Path, seen: bool) -> None:
    """`holdfast checkpoint` and nothing else: what the session's transcript has is saved, however little it is."""
    host = Host(tmp_path)
    host.transcript = tmp_path / "home" / ".claude" / "projects" / "p" / "s1.jsonl"
    host.transcript.parent.mkdir(parents=True)
    host.says({"type": "user", "sessionId": "s1", "message": {"role": "user", "content": "hello there"}})
    if seen:
        host.fire("PreCompact")
        assert "BIG-MEMORY-SNAPSHOT" not in host.written()
    host.runs("checkpoint")
    assert "hello there" in host.written().partition("BIG-MEMORY-SNAPSHOT")[2]
    assert "trigger user" in host.written()


@pytest.mark.parametrize("cursor", ["kept", "lost"])
def test_talk_of_which_memory_has_a_question_is_not_trivial_when_it_was_answered(tmp_path: Path, cursor: str) -> None:
    """Else the question would wait for ever, and what was saved then be told as set by others."""
    host = Host(tmp_path)
    for who, text in (("user", "how are the rates rounded?"), ("assistant", "Per line. Shall I look for where they are read?")):
        host.says(later(who, text))
    host.fire("Stop")
    assert "Shall I look" in host.brief()
    for who, text in (("user", "leave it, thank you for looking"), ("assistant", "Then I leave it.")):
        host.says(later(who, text))
    if cursor == "lost":
        shutil.rmtree(next(Path(host.env["HOME"]).rglob("cursors")))
    host.fire("Stop")
    assert "Unanswered" not in host.brief()
    for who, text in (("user", "and which file has the taxes?"), ("assistant", "They are in taxes.py.")):
        host.says(later(who, text))
    host.fire("Stop")
    assert "Working on: and which file has the taxes?" in (brief := host.brief())
    assert "(as set)" not in brief


def test_resume_gets_nothing_twice_and_subagents_are_left_alone(host: Host) -> None:
    """The first copy is still in a resumed history, and a subagent's compaction is not the session's."""
    host.fire("PreCompact")
    assert host.fire("SessionStart", source="resume") == ""
    assert host.fire("SessionStart", source="compact", agent_id="a1") == ""
    assert host.fire("SomethingNew") == ""


@pytest.mark.parametrize("stdin", [b"", b"{", b"[]", b"\xff\x00", b'{"session_id": 3}', b"[" * 50_000, b'"x"'])
@pytest.mark.parametrize("event", ["PreCompact", "SessionStart"])
def test_garbage_never_fails_the_host(host: Host, event: str, stdin: bytes) -> None:
    """Exit 0, nothing on stderr, and nothing that the host would not understand."""
    reply = host.fire(event, stdin=stdin)
    assert not reply or json.loads(reply)


@pytest.mark.parametrize(
    "content", [b"", b"\0" * 5000, b"{\n", b"not json\n" * 50, b'{"type": "user", "message": {"content": "' + b"x" * 300_000]
)
def test_a_rough_transcript_never_fails_the_host(host: Host, content: bytes) -> None:
    """Empty, binary, torn or foreign: whatever is readable is used, and the receipt says what was not."""
    host.transcript.write_bytes(content)
    host.fire("PreCompact")
    host.brief()
    assert '"event": "before-compaction"' in host.written()


def test_a_read_only_home_never_fails_the_host(host: Host) -> None:
    """Nothing can be kept, not even a receipt: the host does not notice, and whoever looks at stderr is told why."""
    host.env["XDG_STATE_HOME"] = "/proc/nowhere"
    assert host.fire("PreCompact", told=b"No receipt could be written") == ""
    assert host.fire("SessionStart", source="compact", told=b"No receipt could be written") == ""


def broken(host: Host, tmp_path: Path, how: str) -> None:
    """Every process of ours from here on begins with some lines of Python."""
    folder = tmp_path / "broken"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(how)
    host.env["PYTHONPATH"] = str(folder)


def test_a_fault_of_ours_is_in_the_receipt_and_not_in_the_host(host: Host, tmp_path: Path) -> None:
    """Whatever is raised inside, the host sees exit 0 and silence, and the receipt names it."""
    fault = "def fault(*_a, **_k): raise KeyError('a fault of ours')"
    broken(host, tmp_path, f"from holdfast.memory import Memory\n{fault}\nMemory.capture = fault\n")
    assert host.fire("PreCompact") == ""
    assert "failed: KeyError" in host.written()


def test_where_the_system_gives_no_second_process_the_hook_does_it_itself(host: Host, tmp_path: Path) -> None:
    """It takes as long as it takes, and what it says arrives."""
    broken(host, tmp_path, "import os\ndef fork(): raise BlockingIOError(11, 'no process more')\nos.fork = fork\n")
    host.fire("PreCompact")
    host.says(*EDITED)  # so that the next one has something to save, too
    assert "never round before the sum is taken" in host.brief()


@pytest.mark.parametrize("argv", [["--bogus"], [], ["claude-code", "PreCompact", "--workspace"], ["nobody", "Nothing"]])
def test_a_hook_that_is_set_up_wrongly_never_fails_the_host(host: Host, argv: list[str]) -> None:
    """A wrong flag or an unknown host is exit 0 too."""
    command = [sys.executable, "-m", "holdfast", "hook", *argv]
    done = subprocess.run(command, input=b"{}", cwd=host.project, env=host.env, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, b"")


def test_a_host_that_takes_no_answer_is_not_failed(host: Host) -> None:
    """Standard output on a full disk."""
    host.fire("PreCompact")
    payload = {"session_id": "s1", "transcript_path": str(host.transcript), "cwd": str(host.project), "source": "compact"}
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "holdfast", "hook", "claude-code", "SessionStart"],
            input=json.dumps(payload).encode(), stdout=full, stderr=subprocess.PIPE, cwd=host.project, env=host.env, check=False,
        )  # fmt: skip
    assert done.returncode == 0


def test_a_position_that_cannot_be_kept_is_not_called_a_checkpoint_lost(host: Host) -> None:
    """The checkpoint is saved, and the receipt says so and what else went wrong."""
    host.fire("PreCompact")
    (cursors,) = Path(host.env["HOME"]).rglob("cursors")
    for file in cursors.iterdir():
        file.unlink()
        file.mkdir()  # a folder where the file should be
    host.says({"type": "user", "message": {"role": "user", "content": "per invoice, and never per line"}})
    host.fire("PreCompact")
    assert "how far it was read could not be kept" in host.written()
    assert "per invoice, and never per line" in host.brief()


@pytest.mark.parametrize(
    "data",
    ["", "[]", "{", '{"capture": {"names": {"a": 1}, "files": {"b": []}}}', '{"position": {"offset": "x"}, "seen": 3}',
     '{"last": 3}', '{"last": {"names": 3}}', '{"last": {"task": 5}}', '{"last": {"lamp": "x"}, "capture": {}}',
     '{"last": {"task": "x"}, "capture": {"requests": [["", "of three", ""]]}}',
     '{"last": {"task": "x"}, "capture": {"background": {"c1": ["sleep 9"]}, "files": {"/w/lamp.py": [1]}}}',
     '{"position": {"offset": 0, "state": {"agents": 3, "asked": 5}}, "last": {"task": "x"}, "capture": {"done": {"a": 1}}}'],
)  # fmt: skip
def test_a_damaged_cursor_costs_a_reading_and_nothing_else(host: Host, data: str) -> None:
    """It is derived: whatever stands in it, the next hook tells what the transcript tells."""
    host.fire("PreCompact")
    (cursor,) = Path(host.env["HOME"]).rglob("cursors/*.json")
    cursor.write_text(data)
    host.says({"type": "user", "message": {"role": "user", "content": "and never round the totals"}})
    host.fire("PreCompact")
    brief = host.brief()
    assert "and never round the totals" in brief
    assert "never touch old invoices" in brief
    assert "failed" not in host.written().split("receipts")[-1]


def receipts(host: Host) -> list[dict[str, object]]:
    """What the hooks said that they did, the oldest first."""
    (path,) = Path(host.env["HOME"]).rglob("receipts.jsonl")
    return by_hooks(path)


def test_what_the_hosts_summary_dropped_is_in_the_receipt_and_in_status(host: Host) -> None:
    """The loss receipt: how much of which kind was kept, and what was dropped. Nothing of it is printed into the context."""
    host.says(*EDITED)
    host.fire("PreCompact")
    summary = "The user wants the reduced rate at 7 percent. We changed rates.py and ran the tests."
    assert host.fire("PostCompact", trigger="auto", compact_summary=summary) == ""
    receipt = receipts(host)[-1]
    assert receipt["kept"] == {"files": [1, 2], "commands": [0, 1], "corrections": [0, 2], "names": [0, 3]}
    assert receipt["dropped"]["files"] == ["/w/invoice.py"]  # type: ignore[index]
    command = [sys.executable, "-m", "holdfast", "--session", "s1", "status"]
    done = subprocess.run(command, cwd=host.project, env=host.env, check=True, capture_output=True, text=True)
    assert "the host's summary kept 1 of 2 files, 0 of 1 commands" in done.stdout
    assert "dropped files: /w/invoice.py" in done.stdout
    assert "what it dropped is in the snapshot" in done.stdout


def test_where_nothing_could_be_dropped_status_does_not_say_that_something_was(host: Host) -> None:
    """A talk without a file, a number or an order: there is nothing to hold the host's summary against."""
    host.transcript.write_text("")
    host.says({"type": "user", "timestamp": "2026-11-15T10:00:00Z", "message": {
        "role": "user", "content": "we pick a licence today, MIT or Apache, I lean to Apache"}})  # fmt: skip
    host.fire("PreCompact")
    host.fire("PostCompact", trigger="auto", compact_summary="The user picks a licence.")
    command = [sys.executable, "-m", "holdfast", "--session", "s1", "status"]
    done = subprocess.run(command, cwd=host.project, env=host.env, check=True, capture_output=True, text=True)
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("compacted")]
    assert line.endswith("; nothing was saved that the host's summary could have dropped")
    assert "what it dropped" not in done.stdout


EDITED = [
    {"type": "user", "timestamp": "2026-11-15T10:00:00Z", "message": {
        "role": "user", "content": "never round before the sum is taken"}},
    {"type": "assistant", "timestamp": "2026-11-15T10:00:01Z", "message": {"role": "assistant", "content": [
        {"type": "tool_use", "id": "2", "name": "Edit", "input": {
            "file_path": "/w/invoice.py", "old_string": "total_of()", "new_string": "total_of(round_late)"}},
        {"type": "tool_use", "id": "3", "name": "Bash", "input": {"command": "pytest -q tests"}}]}},
    {"type": "user", "timestamp": "2026-11-15T10:00:02Z", "message": {"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": "2", "content": "ok"},
        {"type": "tool_result", "tool_use_id": "3", "content": "2 passed"}]}},
]  # fmt: skip
BOUNDARY = {
    "type": "system",
    "subtype": "compact_boundary",
    "timestamp": "2026-11-15T11:00:00Z",
    "content": "Conversation compacted",
}

PROMPTS = [
    ("you forgot what I said about old invoices", True),
    ("what were we doing?", True),
    ("你忘了我说的吗", True),
    ("wo waren wir?", True),
    ("now add a test", False),
    ("remember to run the linter", False),
]


@pytest.mark.parametrize(("prompt", "asks"), PROMPTS)
def test_a_user_who_asks_for_the_past_gets_it_before_the_agent(host: Host, prompt: str, asks: bool) -> None:
    """B4: by the user's words. Any other prompt adds nothing to the context."""
    host.fire("PreCompact")
    reply = host.fire("UserPromptSubmit", prompt=prompt)
    assert bool(reply) is asks
    if asks:
        given = json.loads(reply)["hookSpecificOutput"]
        assert given["hookEventName"] == "UserPromptSubmit"
        assert "never touch old invoices" in given["additionalContext"]
        assert len(given["additionalContext"]) <= 4000


def test_a_boundary_that_no_hook_has_told_is_found_in_the_transcript(host: Host) -> None:
    """B4, D6: the brief comes with the next prompt, once."""
    host.says(*EDITED, BOUNDARY)
    first = host.fire("UserPromptSubmit", prompt="go on")
    assert "never touch old invoices" in first
    assert "never round before the sum is taken" in first
    assert host.fire("UserPromptSubmit", prompt="go on") == ""
    assert "gave a brief" in str(receipts(host)[-2]["did"])


def test_what_a_prompt_has_read_is_still_saved_by_the_compaction_after_it(host: Host) -> None:
    """Reading is not saving: a hook that only looked must not leave the next one thinking that all is kept."""
    host.fire("UserPromptSubmit", prompt="go on")
    host.fire("PreCompact")
    assert "saved 2" in str(receipts(host)[-1]["did"])


def test_what_a_prompt_has_read_is_not_taken_for_saved(host: Host) -> None:
    """D6: the host was killed after a prompt. What that had looked at is in no checkpoint yet, and `recover` brings it in."""
    folder = Path(host.env["HOME"]) / ".claude" / "projects" / "".join(c if c.isalnum() else "-" for c in str(host.project))
    folder.mkdir(parents=True)
    host.transcript = folder / "s1.jsonl"
    host.says(*({**turn, "cwd": str(host.project), "sessionId": "s1", "timestamp": "2026-11-15T09:00:00Z"} for turn in TURNS))
    host.fire("PreCompact")
    host.says(*EDITED)
    host.fire("UserPromptSubmit", prompt="go on")
    assert "never round before the sum is taken" in run(host, "recover", "--session", "s1")


def test_a_second_and_third_compaction_lose_no_more_than_the_first(host: Host) -> None:
    """The brief is made of the journal and the transcript, never of an earlier brief or summary."""
    host.says(*EDITED)
    facts = (
        "never touch old invoices",
        "never round before the sum is taken",
        "rates.py",
        "invoice.py",
        "round_late",
        "2 passed",
    )
    for number in range(3):
        host.fire("PreCompact")
        brief = host.brief()
        assert [fact for fact in facts if fact not in brief] == [], number
        host.says(
            {**BOUNDARY, "timestamp": f"2026-11-15T1{number + 1}:00:00Z"},
            {"type": "user", "isCompactSummary": True, "message": {"role": "user", "content": "Summary: rates."}},
            {"type": "attachment", "attachment": {"type": "hook_additional_context", "content": [brief]}},
            {
                "type": "user",
                "timestamp": f"2026-11-15T1{number + 1}:30:00Z",
                "message": {"role": "user", "content": f"go on, step {number}"},
            },
        )


def test_a_new_session_is_told_where_the_one_before_it_left_off(host: Host, tmp_path: Path) -> None:
    """C12, D6: also where no hook has seen the end of the one before. By default in a note; whole where the settings want it."""
    home = Path(host.env["HOME"])
    folder = home / ".claude" / "projects" / "".join(c if c.isalnum() else "-" for c in str(host.project))
    folder.mkdir(parents=True)
    lines = [{**turn, "cwd": str(host.project), "sessionId": "old", "timestamp": "2026-11-15T09:00:00Z"} for turn in TURNS]
    (folder / "old.jsonl").write_text("".join(json.dumps(line) + "\n" for line in [*lines, *EDITED]))
    host.transcript = folder / "s1.jsonl"
    note = host.brief("startup")
    assert note.startswith("# Open in this project (Holdfast)")
    assert "never touch old invoices" in note
    assert len(note) <= 1200
    assert "of the session before" in str(receipts(host)[-1]["did"])
    host.env["HOLDFAST_SETTINGS"] = '{"briefOnStart": "full"}'
    brief = host.brief("startup")
    assert "A new session begins" in brief
    assert "round_late" in brief
    assert len(brief) <= 4500
    assert host.fire("SessionStart", source="resume") == ""


def test_codex_gets_its_brief_in_bytes(host: Host) -> None:
    """The host cuts at bytes: a brief in Chinese has a third of the letters."""
    host.transcript.write_text("")
    words = "不要改动旧的发票，" + "请把每一行的税率都核对一遍。" * 20
    said = [
        {
            "type": "response_item",
            "timestamp": f"2026-11-15T09:{n:02}:00Z",
            "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": f"第{n}条：{words}"}]},
        }
        for n in range(40)
    ]
    host.says({"type": "session_meta", "payload": {"id": "s1", "cwd": str(host.project)}}, *said)
    payload = {"session_id": "s1", "transcript_path": str(host.transcript), "cwd": str(host.project)}
    replies = []
    for event, more in (("PreCompact", {"trigger": "auto"}), ("SessionStart", {"source": "compact"})):
        done = subprocess.run(
            [sys.executable, "-m", "holdfast", "hook", "codex", event],
            input=json.dumps({**payload, "hook_event_name": event, **more}).encode(),
            capture_output=True, cwd=host.project, env=host.env, check=True,
        )  # fmt: skip
        replies.append(done.stdout.decode())
    assert replies[0] == ""
    brief = json.loads(replies[1])["hookSpecificOutput"]["additionalContext"]
    assert "不要改动旧的发票" in brief
    assert 6000 < len(brief.encode()) <= 9000


def test_what_the_hosts_summary_still_has_makes_room_for_what_it_lost(host: Host) -> None:
    """Where the summary stands in the transcript already, names that it has are not said again."""
    host.says(*EDITED)
    host.fire("PreCompact")
    assert "round_late" in host.brief()
    host.says(
        BOUNDARY, {"type": "user", "isCompactSummary": True, "message": {"role": "user", "content": "We use round_late now."}}
    )
    assert "round_late" not in host.brief()


def test_no_transcript_at_all_is_one_line_in_the_receipt(host: Host) -> None:
    """A host that names none, or one that is not there: nothing is printed, nothing fails."""
    assert host.fire("PreCompact", transcript_path=None) == ""
    assert "names no transcript" in str(receipts(host)[-1]["did"])
    assert host.fire("PreCompact", transcript_path="/nowhere/at/all.jsonl") == ""
    assert str(receipts(host)[-1]["did"])


def run(host: Host, *words: str) -> str:
    """A command in the host's folder."""
    command = [sys.executable, "-m", "holdfast", *words]
    return subprocess.run(command, cwd=host.project, env=host.env, check=True, capture_output=True, text=True).stdout


def test_the_third_layer_is_a_search(host: Host) -> None:
    """C12, B5: a session that is bound to a topic begins with what memory has for it; a user who asks gets what fits."""
    run(host, "note", "--type", "TECH", "the billing service listens on port 8443 behind the old proxy")
    run(host, "--session", "s1", "checkpoint", "--topic", "billing", "--task", "move the invoices", "--goal", "new rates")
    assert "Found in memory for “billing”" in host.brief("startup")
    reply = host.fire("UserPromptSubmit", prompt="do you remember which port the billing service had?")
    assert "port 8443" in json.loads(reply)["hookSpecificOutput"]["additionalContext"]


def test_a_new_session_does_not_go_through_the_whole_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten thousand records of others must not hold up its first prompt."""
    from holdfast.config import Config
    from holdfast.memory import Memory
    from holdfast.storage.journal import Journal

    memory = Memory(str(tmp_path / "w"), Config(), write=True)
    memory.checkpoint("old", {"task": "the old task"})
    for number in range(600):
        memory.change("old", {"context": (("step", str(number)),)})
    read: list[str] = []
    whole = Journal.read
    monkeypatch.setattr(Journal, "read", lambda self, record_id: read.append(record_id) or whole(self, record_id))
    memory.recover("new")
    assert len(set(read)) <= 610
    read.clear()
    from holdfast.briefing.recovery import _latest

    assert _latest(memory, "new", 0) is None
    assert len(read) == 400
    memory.close()


# ---- upkeep that nobody asked for --------------------------------------------------------------------------------------


def full_of_days(workspace: Path) -> Path:
    """A workspace with more days than may be outside the archive."""
    (workspace / "memory").mkdir(parents=True)
    for day in (f"2025-{month:02}-{day:02}" for month in (1, 2) for day in range(1, 29)):
        (workspace / "memory" / f"{day}.md").write_text(f"# {day}\n\n- an old walk\n")
    return workspace


def upkept(workspace: Path, *, awaited: bool) -> list[str]:
    """What the receipts say of upkeep; it runs beside, so where it is awaited it is given time."""
    until = time.monotonic() + 60
    while True:
        receipts = map(json.loads, (workspace / ".holdfast/receipts.jsonl").read_text().splitlines())
        found = [str(receipt["did"]) for receipt in receipts if receipt["event"] == "upkeep"]
        if found or not awaited or time.monotonic() > until:
            return found
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("event", "setting", "runs"),
    [("SessionStart", "", True), ("PreCompact", "", True), ("UserPromptSubmit", "", False),
     ("SessionStart", 'autoUpkeep = "never"\n', False)],
)  # fmt: skip
def test_upkeep_begins_by_itself_beside_the_hook_and_never_inside_a_prompt(
    event: str, setting: str, runs: bool, tmp_path: Path
) -> None:
    """With more than fifty days: the hook answers at once, and a process of its own brings them to the archive, once a day."""
    workspace = full_of_days(tmp_path / "workspace")
    if setting:
        (workspace / ".holdfast").mkdir()
        (workspace / ".holdfast/config.toml").write_text(setting)
    argv = [sys.executable, "-m", "holdfast", "--workspace", str(workspace), "hook", "claude-code", event]
    payload = json.dumps({"session_id": "s1", "cwd": str(tmp_path), "prompt": "go on", "source": "startup"})
    for _ in range(2):
        done = subprocess.run(argv, input=payload, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
    assert len(upkept(workspace, awaited=runs)) == int(runs)
    assert (workspace / "memory/archive/2025/01/2025-01-01.md.gz").exists() == runs


def test_health_comes_before_upkeep_that_nobody_asked_for(tmp_path: Path) -> None:
    """D9: it promotes as well. What is not whole stands in its receipt and is kept for the brief to say."""
    workspace = full_of_days(tmp_path / "workspace")
    holdfast = [sys.executable, "-m", "holdfast", "--workspace", str(workspace)]
    for text in ("one", "two"):
        subprocess.run([*holdfast, "note", text], check=True, capture_output=True)
    record = min((workspace / ".holdfast/journal").rglob("*.md"))
    record.write_bytes(record.read_bytes()[:-3])
    payload = json.dumps({"session_id": "s1", "cwd": str(tmp_path), "source": "startup"})
    subprocess.run([*holdfast, "hook", "claude-code", "SessionStart"], input=payload, check=True, capture_output=True, text=True)
    (did,) = upkept(workspace, awaited=True)
    assert did.startswith("there are 57 days; integrity check failed: not all records can be read; ")
    assert "0 changes" not in did
    assert (workspace / ".holdfast/integrity").read_text() == "not all records can be read (1 wanting)\n"
