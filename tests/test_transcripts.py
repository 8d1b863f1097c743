"""The hosts' transcripts: what is read out of them, where reading goes on, and that nothing in them can stop it."""

from __future__ import annotations

import collections
import gzip
import importlib.util
import io
import itertools
import json
import os
import re
import sqlite3
import subprocess
import sys
import zlib
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from holdfast.briefing import brief
from holdfast.model import Checkpoint
from holdfast.transcripts import HOSTS, Event, Transcript, find, lines, packed
from holdfast.transcripts.words import without_ours

FIXTURES = Path(__file__).parent / "fixtures" / "transcripts"
SHARED = Path(__file__).parents[2] / "shared"
FILES = {path.name.split(".")[0]: path for path in sorted(FIXTURES.iterdir())}
OURS = "# Where we left off (Holdfast)"
_FIELDS = ("call", "tool", "command", "edits", "moves", "reads", "todos", "task", "failed", "refusal", "branch")

relaxed = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def told(event: Event) -> str:
    """An event in one line: its kind, its text, and what else it has."""
    more = [f"{name}={getattr(event, name)!r}" for name in _FIELDS if getattr(event, name)]
    return " ".join([event.kind, repr(event.text[:40]), *more])


def all_of(event: Event) -> tuple[Any, ...]:
    """Everything in an event, to compare it by."""
    return tuple(getattr(event, name) for name in Event.__slots__)


def read(path: Path | str, **how: str) -> tuple[list[Event], Transcript]:
    """All events of a transcript, and the transcript with its counters."""
    with Transcript(str(path), **how) as transcript:
        return list(transcript.events()), transcript


def said(path: Path | str, kind: str = "user", **how: str) -> list[str]:
    """The texts of one kind of event."""
    return [event.text for event in read(path, **how)[0] if event.kind == kind]


# ---- what each host's file says ------------------------------------------------------------------------------------------

LAMP = "branch='feature/lamp'"
TOLD = {
    "claude-code": [
        "user 'make the lamp blink'",
        f"user 'make the lamp blink' {LAMP}",
        f"agent 'I will look at the lamp.' {LAMP}",
        "call '/w/lamp.txt' call='t1' tool='Read' reads=('/w/lamp.txt',)",
        "result '     1\\toff' call='t1'",
        "call '/w/lamp.txt\\noff\\nblink' call='t2' tool='Edit' edits=(('/w/lamp.txt', 'off', 'blink'),)",
        "result \"The user doesn't want to proceed with th\" call='t2' failed=True",
        "user 'keep a copy first' refusal=True",
        "call 'cp lamp.txt lamp.bak\\nCopy' call='t3' tool='Bash' command='cp lamp.txt lamp.bak'",
        "result 'Exit code 1\\ncp: cannot create lamp.bak' call='t3' failed=True",
        f"user 'try another folder' {LAMP}",
        "call 'copy\\ncompleted\\nblink\\nin_progress' call='t4' tool='TodoWrite' "
        "todos=(('copy', 'completed'), ('blink', 'in_progress'))",
        "call 'test the lamp\\nd' call='t5' tool='TaskCreate' task=('', 'test the lamp', 'pending')",
        "call '1\\ncompleted' call='t6' tool='TaskUpdate' task=('1', '', 'completed')",
        "call 'Fast or slow?' call='t7' tool='AskUserQuestion'",
        "result 'User has answered your questions' call='t7'",
        "user 'Fast or slow? → Slow'",
        f"user '/review only the lamp' {LAMP}",
        "call 'ls /w' call='own' tool='!' command='ls /w'",
        "result 'lamp.txt' call='own' tool='!'",
        f"user 'now <b>slower</b>' {LAMP}",
        f"user 'like here' {LAMP}",
        "compaction ''",
        "summary 'This session is being continued from a p'",
    ],
    "codex": [
        f"user 'make the lamp blink' {LAMP}",
        f"agent 'I will look at the lamp.' {LAMP}",
        "call 'sed -n 1,9p lamp.txt\\n/w' call='c1' tool='exec_command' command='sed -n 1,9p lamp.txt'",
        "result 'off\\nProcess exited with code 7\\n' call='c1' reads=('lamp.txt',)",
        "call 'bash\\n-lc\\nmake lamp' call='c2' tool='shell' command='make lamp'",
        "result 'make: no rule' call='c2' failed=True",
        "call 'exec\\n/bin/zsh\\n-lc\\nls -l' call='c3' tool='local_shell' command='ls -l'",
        "result 'no' call='c3' failed=True",
        "call '*** Begin Patch\\n*** Update File: /w/lamp' call='c4' tool='apply_patch' "
        "edits=(('/w/lamp.txt', 'a lamp\\noff', 'a lamp\\nblink'), ('new.txt', 'x', 'y'), ('note.md', '', '# Note')) "
        "moves=(('old.txt', 'new.txt'), ('gone.txt', ''))",
        "result 'apply_patch verification failed: Failed ' call='c4' failed=True",
        "call \"git commit -m 'Blink'\" call='c5' tool='exec_command' command=\"git commit -m 'Blink'\"",
        "result '…'",
        "begun 'session 77' call='c5' tool='by itself'",
        "call '' call='c6' tool='write_stdin'",
        "result '[main 1] Blink' call='c5'",
        "call 'look\\ncompleted\\nblink\\nin_progress' call='c7' tool='update_plan' "
        "todos=(('look', 'completed'), ('blink', 'in_progress'))",
        "result 'Plan updated' call='c7'",
        "interruption ''",
        "woken ''",
        "compaction ''",
        "summary 'Another language model started … THE-SUM'",
        "compaction ''",
        f"user 'slower, please' {LAMP}",
    ],
    "gemini": [
        "user 'make the lamp blink'",
        "agent 'I will look at the lamp.'",
        "call 'cat lamp.txt' call='c1' tool='run_shell_command' command='cat lamp.txt'",
        "result 'off' call='c1'",
        "call 'make lamp' call='c2' tool='run_shell_command' command='make lamp'",
        "result 'no rule' call='c2' failed=True",
        "call '/w/lamp.txt\\noff\\nblink' call='c3' tool='replace' edits=(('/w/lamp.txt', 'off', 'blink'),)",
        "result 'not found' call='c3' failed=True",
        "call '/w/lamp.txt' call='c4' tool='read_file' reads=('/w/lamp.txt',)",
        "result 'off' call='c4'",
        "compaction ''",
        "summary '<state_snapshot>lamp</state_snapshot>'",
        "user 'slower, please'",
        "agent 'Done.'",
    ],
    "pi": [
        "user 'make the lamp blink'",
        "agent 'I will look at the lamp.'",
        "call 'lamp.txt' call='c1' tool='read' reads=('lamp.txt',)",
        "result 'off' call='c1' tool='read'",
        "call 'lamp.txt\\noff\\nblink' call='c2' tool='edit' edits=(('lamp.txt', 'off', 'blink'),)",
        "result 'Could not find the exact text' call='c2' tool='edit' failed=True",
        "call 'make lamp' call='c3' tool='bash' command='make lamp'",
        "result 'no rule' call='c3' tool='bash' failed=True",
        "call 'note.md\\n# Note' call='c4' tool='write' edits=(('note.md', '', '# Note'),)",
        "result 'ok' call='c4' tool='write'",
        "call 'Lamu' call='c5' tool='weather'",
        "result 'sunny' call='c5' tool='tool_call'",
        "call 'ls' call='e15' tool='!' command='ls'",
        "result 'lamp.txt\\n' call='e15' tool='!' failed=True",
        "interruption ''",
        "woken ''",
        "compaction ''",
        "summary '## Goal\\nlamp'",
        "summary 'left a branch'",
        "user 'slower, please'",
    ],
    "openclaw": [
        "user 'make the lamp blink'",
        "agent 'Blinking.'",
        "user 'slower, please'",
        "user 'the log says\\n[Sun 2026-03-01 10:01 UTC] '",
        "woken ''",
        "woken ''",
        "woken ''",
        "woken ''",
        "user '/compact keep the lamp'",
        "reset 'new'",
    ],
}


@pytest.mark.parametrize("name", sorted(TOLD))
def test_a_file_gives_the_events_of_its_host(name: str) -> None:
    """Words, calls, results, edits, plans and boundaries come out; what the host and we put in does not."""
    events, transcript = read(FILES[name])
    assert [told(event) for event in events] == TOLD[name]
    assert transcript.damaged == transcript.unreadable == 0
    assert transcript.reasons == []


@pytest.mark.parametrize("name", sorted(TOLD))
def test_every_event_has_the_time_that_the_host_wrote(name: str) -> None:
    """Times are ISO text."""
    assert all(re.fullmatch(r"2026-03-01T10:00:\d\d\.000Z", event.time) for event in read(FILES[name])[0])


@pytest.mark.parametrize("name", sorted(TOLD))
def test_the_host_is_recognised_by_what_the_file_holds(name: str) -> None:
    """A file that says nothing of its host in its name is read all the same; OpenClaw's older files are pi's."""
    assert read(FILES[name])[1].host == ("pi" if name == "openclaw" else name)


@pytest.mark.parametrize(
    ("name", "types"),
    [
        ("claude-code", {"from-the-future": 1}),
        ("codex", {"from_the_future": 1}),
        ("gemini", {"from-the-future": 1}),
        ("pi", {"from_the_future": 1, "message": 1}),
    ],
)
def test_what_is_not_understood_is_counted_by_its_type(name: str, types: dict[str, int]) -> None:
    """A newer host's entries give no event and are not hidden."""
    transcript = read(FILES[name])[1]
    assert transcript.unknown == types
    assert transcript.understood + sum(types.values()) == FILES[name].read_text().count("\n")


CALLS = [
    ({"command": ["bash", "-lc", "a | b"]}, "command", "a | b"),
    ({"command": ["/usr/bin/env", "python3", "x y"]}, "command", "/usr/bin/env python3 'x y'"),
    ({"command": ["ls", "-l"]}, "command", "ls -l"),
    ({"cmd": "ls"}, "command", "ls"),
    ({"command": "view", "path": "/w/a.txt"}, "command", ""),
    ({"command": "create", "path": "/w/a.txt", "file_text": "x"}, "edits", (("/w/a.txt", "", "x"),)),
    ({"file_path": "a", "edits": [{"old_string": "x", "new_string": "y"}, {"old_string": "p", "new_string": "q"}]}, "edits",
     (("a", "x", "y"), ("a", "p", "q"))),
    ({"filePath": "a", "oldString": "x", "newString": "y"}, "edits", (("a", "x", "y"),)),
    ({"notebook_path": "n.ipynb", "new_source": "z"}, "edits", (("n.ipynb", "", "z"),)),
    ({"cmd": "apply_patch <<'E'\n*** Begin Patch\n*** Add File: a\n+x\n*** End Patch\n+not this\nE"}, "edits", (("a", "", "x"),)),
    ({"patchText": "*** Begin Patch\n*** Update File: a\n-x\n+y\n"}, "edits", (("a", "x", "y"),)),
    ({"patchText": "*** Begin Patch\n*** Update File: a\n@@ def r\n s\n-x\n+y\n t\n"}, "edits", (("a", "s\nx\nt", "s\ny\nt"),)),
    ({"command": ["apply_patch", "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch"]}, "command", ""),
    ({"command": ["apply_patch", "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch"]}, "edits", (("a", "", "x"),)),
    ({"command": "cd w && cat > a/b.py <<'END'\nx\ny\nEND\npython a/b.py"}, "edits", (("a/b.py", "", "x\ny"),)),
    ({"cmd": "cat <<E > 'a.md'\nx\nE"}, "edits", (("a.md", "", "x"),)),
    ({"cmd": "tee -a a.ini <<E >/dev/null\nx\nE"}, "edits", (("a.ini", "", "x"),)),
    ({"cmd": "cat > \"$T/a\" <<E\nx\nE"}, "edits", ()),
    ({"cmd": "cat > '' <<E\nx\nE"}, "edits", ()),
    ({"cmd": "cat <<-E >> 'a.md'\nx\n\tE\nls"}, "edits", (("a.md", "", "x"),)),
    ({"cmd": "python - <<E\ncat > b.py <<F\nE\ntee c.md <<F\ny\nF"}, "edits", (("c.md", "", "y"),)),
    ({"cmd": "cat > a.py <<E\nnever ended"}, "edits", (("a.py", "", "never ended"),)),
    ({"cmd": "cat <<< word > a.py; echo $((1 << 2))"}, "edits", ()),
    ({"cmd": "cat <<E | psql\nx > y\nE"}, "edits", ()),
    ({"cmd": "git commit -m \"$(cat <<'E'\nx > y\nE\n)\""}, "edits", ()),
    ({"pattern": "x", "path": "/w"}, "reads", ()),
    ({"todos": [{"description": "a", "status": "pending"}]}, "todos", (("a", "pending"),)),
    ({"todos": "none"}, "todos", None),
    ({"plan": "# A plan"}, "todos", None),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "field", "value"), CALLS)
def test_a_call_is_taken_apart_by_its_form(arguments: dict[str, Any], field: str, value: Any) -> None:
    """Whatever a host calls its arguments: a command is text, an edit has a path, a before and an after."""
    from holdfast.transcripts.calls import called

    assert getattr(called("tool", arguments), field) == value


OUTPUTS = [
    ("Exit code: 3\nWall time: 1 seconds\nOutput:\nx", "x", True),
    ("Exit code: 0\nWall time: 1 seconds\nTotal output lines: 9\nOutput:\nx", "x", False),
    ("Command: sh -c 'echo\nExit code: 5'\nChunk ID: a\nWall time: 1 s\nProcess exited with code 0\nOutput:\nx", "x", False),
    ("Wall time: 1 seconds\nProcess exited with code -1\nOutput:\n", "", True),
    ('{"output":"x","metadata":{"exit_code":0}}', "x", False),
    ('{"agent_id":"1"}', '{"agent_id":"1"}', False),
    ([{"type": "input_text", "text": "x"}], "x", False),
    ([{"type": "input_text", "text": "Wall time: 1 seconds\nProcess exited with code 2\nOutput:\nx"}], "x", True),
    ({"content": [{"type": "text", "text": "x"}], "success": True}, "text\nx", False),
    ("collab spawn failed: too many", "collab spawn failed: too many", True),
    ("the test failed", "the test failed", True),
    ("Plan updated", "Plan updated", False),
    (None, "", False),
]  # fmt: skip


@pytest.mark.parametrize(("output", "text", "failed"), OUTPUTS)
def test_codex_tells_failure_by_the_exit_status_and_not_by_the_output(output: Any, text: str, failed: bool) -> None:
    """The status stands in the banner above the output, or beside it; the same words in the output mean nothing."""
    from holdfast.transcripts.codex import Reader

    item = {"type": "response_item", "payload": {"type": "function_call_output", "call_id": "c", "output": output}}
    [event] = Reader().events(item) or []
    assert (event.text, event.failed, event.call) == (text, failed, "c")


IDE = "# Context from my IDE setup:\n\n## Active file: a.py\n\n## Open tabs:\n- b.py: src/b.py\n\n## My request for Codex:\n"
SHELL = "<user_shell_command>\n<command>\nmake test\n</command>\n<result>\nExit code: {}\nDuration: 1 s\nOutput:\n{}\n</result>\n"
PROMPTS = [
    ("fix the parser", ["user 'fix the parser'"]),
    (f"{IDE}explain this", ["user 'explain this\\n(open in the editor: a.py)'"]),
    ("# Files mentioned by the user:\n\n## a.png:\n/t/a.png\n\n## My request for Codex:\nsee it", ["user 'see it'"]),
    ("say “## My request for Codex:” to me", ["user 'say “## My request for Codex:” to me'"]),
    (
        SHELL.format(2, "no rule"),
        ["call 'make test' call='!t' tool='!' command='make test'", "result 'no rule' call='!t' tool='!' failed=True"],
    ),
    ("<recommended_plugins>\nx\n</recommended_plugins>", []),
    ("<image name=[Image #1]>", []),
]


@pytest.mark.parametrize(("text", "events"), PROMPTS)
def test_a_codex_prompt_is_what_the_person_typed(text: str, events: list[str], tmp_path: Path) -> None:
    """Not what an editor or the host puts around it; a command that they ran themselves is a command."""
    message = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}
    meta = {"timestamp": "t", "type": "session_meta", "payload": {"id": "T"}}
    found, _ = read(written(tmp_path, meta, {"timestamp": "t", "type": "response_item", "payload": message}))
    assert [told(event) for event in found] == events


FIELDS = [
    ("Output: no rule\nin lamp\nExit Code: 2", "no rule\nin lamp", True),
    ("Command: make\nDirectory: (root)\nOutput: a\nError: (none)\nExit Code: 0\nSignal: (none)\nBackground PIDs: 7", "a", False),
    ("Command: make\nOutput: (empty)\nError: spawn make ENOENT\nExit Code: 1", "Error: spawn make ENOENT", True),
    ("the line\nOutput: a", "the line\nOutput: a", False),
]


@pytest.mark.parametrize(("output", "text", "failed"), FIELDS)
def test_gemini_tells_what_a_command_printed(output: str, text: str, failed: bool) -> None:
    """Without the names of the fields, which would hide the first line of an error."""
    from holdfast.transcripts.gemini import Reader

    result = [{"functionResponse": {"id": "c", "response": {"output": output}}}]
    call = {"id": "c", "name": "run_shell_command", "args": {"command": "make"}, "status": "success", "result": result}
    [_, event] = Reader().events({"id": "m", "type": "gemini", "content": "", "toolCalls": [call]}) or []
    assert (event.text, event.failed) == (text, failed)


def test_the_first_codex_files_without_envelopes_are_read(tmp_path: Path) -> None:
    """Files of 2025 have each item as the line itself."""
    lines = [
        {"id": "T", "timestamp": "t", "instructions": None, "git": {}},
        {"record_type": "state"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hello"}]},
        {"type": "function_call", "name": "shell", "arguments": '{"command":["bash","-lc","ls"]}', "call_id": "c"},
    ]
    events, transcript = read(written(tmp_path, *lines))
    assert [told(event) for event in events] == ["user 'hello'", "call 'bash\\n-lc\\nls' call='c' tool='shell' command='ls'"]
    assert (transcript.host, transcript.unknown) == ("codex", {})


def written(folder: Path, *entries: Any, name: str = "session.jsonl") -> Path:
    """A file with one entry a line; bytes are put as they are."""
    path = folder / name
    path.write_bytes(b"".join(e if isinstance(e, bytes) else json.dumps(e).encode() + b"\n" for e in entries))
    return path


def user(text: str, **more: Any) -> dict[str, Any]:
    """A line of Claude Code with a person's words."""
    return {"type": "user", "sessionId": "S", "uuid": text, "message": {"role": "user", "content": text}, **more}


# ---- our own text --------------------------------------------------------------------------------------------------------

BRIEF = f"{OURS}\n\nRestoring.\n\n> goal: the old lamp\n\nGo on from the next steps."


@pytest.mark.parametrize(
    "entry",
    [
        user(BRIEF),
        user(f"<system-reminder>{BRIEF}</system-reminder>"),
        {"type": "queue-operation", "operation": "enqueue", "sessionId": "S", "content": BRIEF},
        {
            "type": "response_item",
            "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": BRIEF}]},
        },
        {"sessionId": "S", "projectHash": "p", "messages": [{"id": "1", "type": "user", "content": BRIEF}]},
        {"type": "message", "message": {"role": "user", "content": BRIEF}},
    ],
)
def test_our_own_brief_is_never_read_as_a_persons_words(entry: dict[str, Any], tmp_path: Path) -> None:
    """A memory that reads its own brief again would feed on itself."""
    assert read(written(tmp_path, entry))[0] == []


def test_our_own_brief_is_cut_out_of_what_a_tool_printed(tmp_path: Path) -> None:
    """An agent that runs `holdfast recover` gets the brief as a result; what stood before it stays."""
    block = {"type": "tool_result", "tool_use_id": "t", "content": f"saved\n{BRIEF}"}
    [event] = read(written(tmp_path, user("x", message={"role": "user", "content": [block]})))[0]
    assert event.text == "saved"


def prompt_command(name: str, given: str = "") -> str:
    return f"<command-message>{name}</command-message>\n<command-name>/{name}</command-name>" + (
        f"\n<command-args>{given}</command-args>" if given else ""
    )


def own_command(name: str, given: str = "") -> str:
    inside = f"            <command-message>{name}</command-message>\n            <command-args>{given}</command-args>"
    return f"<command-name>/{name}</command-name>\n{inside}"


PLAN_NOTE = "\n\n\nIf you need specific details from before exiting plan mode (like code), read the transcript at: /h/1.jsonl"
TYPED = [
    (prompt_command("github-pr-review"), ["/github-pr-review"]),
    (prompt_command("review", "this branch"), ["/review this branch"]),
    (prompt_command("superpowers:execute-plan", "whole commits\nplease"), ["/superpowers:execute-plan whole commits\nplease"]),
    ("<command-message>fix is running…</command-message>\n<command-name>/fix</command-name>", ["/fix"]),
    (own_command("exit"), []),
    (own_command("model", "sonnet"), []),
    (own_command("compact", "focus on the parser"), []),
    (own_command("deploy", "to staging"), ["/deploy to staging"]),
    ("<command-message>fix is running…</command-message>\n<command-args>the lamp</command-args>", ["the lamp"]),
    ("This session is being continued from a previous conversation that ran out of context. Fix the lamp.", []),
    ("<local-command-stdout>Set model to sonnet</local-command-stdout>", []),
    ("/exit", []),
    ("/srv/app is the folder that I mean", ["/srv/app is the folder that I mean"]),
    (f"Implement the following plan:\n\n# Parser{PLAN_NOTE}", ["Implement the following plan:\n\n# Parser"]),
]


@pytest.mark.parametrize(("text", "words"), TYPED)
def test_a_slash_command_that_begins_work_is_a_request(text: str, words: list[str], tmp_path: Path) -> None:
    """With its name, as it was typed; one that sets something in the host asks nothing, and what it adds is not the user's."""
    assert said(written(tmp_path, user(text))) == words


SYSTEM = [
    ({"subtype": "compact_boundary"}, ["compaction"]),
    ({"subtype": "compact_boundary", "isSidechain": True}, []),  # a subagent's
    ({"subtype": "turn_duration", "durationMs": 5}, []),
    ({"subtype": "turn_duration", "isSidechain": True}, []),
]


@pytest.mark.parametrize(("line", "kinds"), SYSTEM)
def test_only_the_sessions_own_boundary_is_a_compaction(line: dict[str, Any], kinds: list[str], tmp_path: Path) -> None:
    """Of what else the host notes, nothing was lost."""
    found = read(written(tmp_path, {"type": "system", **line}), host="claude-code")[0]
    assert [event.kind for event in found] == kinds


def whole_brief() -> str:
    """A brief as a host gets it, with a text in it that looks like the end of one."""
    told = "Anything to update before I continue?” never blink"
    state = Checkpoint(task="mend the lamp\n--- end 0123456789 ---", corrections=(told,))
    return brief.make(brief.Known(state, "2026-11-15 10:00", "20261115-100000-000000-abcdefgh"), 3000)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"{whole_brief()}\nand now paint it red", "and now paint it red"),
        (f"before\n{whole_brief()}\nbetween\n{whole_brief()}after", "before\n\nbetween\nafter"),
        (whole_brief()[whole_brief().index("--- memory") :].partition("Do not redo")[0], ""),
        (whole_brief()[:400], ""),
        ("see\n> --- memory 0123456789 ---\n> Working on: it\n> --- end 0123456789 ---\nwhy?", "see\nwhy?"),
        ("see\n> --- memory 0123456789 ---\n> Working on: it\nwhy?", "see\n> --- memory 0123456789 ---\n> Working on: it\nwhy?"),
        ("a rule\n--- memory lane ---\nand on", "a rule\n--- memory lane ---\nand on"),
    ],
)
def test_what_stands_beside_our_brief_stays(text: str, left: str) -> None:
    """It ends with its frame and our question, whatever is said in it; cut off, it goes to the end; a frame alone is ours too."""
    assert without_ours(text) == left


def test_a_sentence_that_names_our_heading_stays(tmp_path: Path) -> None:
    """Only a line that begins with the heading is ours."""
    words = f"what does “{OURS}” mean?"
    assert said(written(tmp_path, user(words))) == [words]


# ---- rough files ---------------------------------------------------------------------------------------------------------


def line(entry: Any) -> bytes:
    """An entry as a line without its end."""
    return json.dumps(entry).encode()


A, B = line(user("one")), line(user("two"))
LUMPS = [
    b"\n",
    b"\n",
    b"\n\n",
    A,
    B,
    A[:40],
    A[30:],
    b"\xc3\xa9" * 9,
    b"\xff",
    b"x" * 300,
    b" ",
    b"\0",
    b"{",
    b"}",
    "é漢字".encode(),
]
lumps = st.lists(st.sampled_from(LUMPS), max_size=12).map(b"".join)
DEEP = b'{"type":"user","sessionId":"S","message":' + b"[" * 50 + b"]" * 50 + b"}"
ROUGH = [
    ("two objects on one line", A + B + b"\n", ["one", "two"], 0),
    ("two objects with a space", A + b" " + B + b"\n", ["one", "two"], 0),
    ("a torn line with a whole one behind it", A[:-20] + B + b"\n", ["two"], 1),
    ("a torn line between", A + b"\n" + A[:40] + b"\n" + B + b"\n", ["one", "two"], 1),
    ("the end of a torn line", A[30:] + b"\n" + B + b"\n", ["two"], 1),
    ("zero bytes before a line", A + b"\n" + b"\0" * 5000 + B + b"\n", ["one", "two"], 0),
    ("blank lines", b"\n\n  \n" + A + b"\r\n\n" + B + b"\n\n", ["one", "two"], 0),
    ("a byte order mark", b"\xef\xbb\xbf" + A + b"\n", ["one"], 0),
    ("a last line without its end", A + b"\n" + B, ["one", "two"], 0),
    ("a torn last line", A + b"\n" + B[:-9], ["one"], 0),
    ("bytes that are no text", A + b"\n" + B.replace(b"two", b"t\xffo") + b"\n", ["one", "t\ufffdo"], 1),
    ("half of a surrogate pair", A + b"\n" + B.replace(b"two", b"t\\ud800o") + b"\n", ["one", "t\ufffdo"], 0),
    ("lines that are no objects", b"[1]\n2\nnull\n" + A + b"\n", ["one"], 3),
    ("fifty levels deep", DEEP + b"\n" + A + b"\n", ["one"], 0),
    ("a hundred thousand levels deep", b"[" * 100_000 + b"\n" + A + b"\n", ["one"], 1),
    ("a number of many digits", b'{"type":' + b"9" * 9000 + b"}\n" + A + b"\n", ["one"], 1),
    ("a line of three megabytes", line(user("x", pad="y" * 3_000_000)) + b"\n" + A + b"\n", ["x", "one"], 0),
    ("blanked messages", line(user("", message=None)) + b"\n" + line(user("", message={"content": 0})) + b"\n" + A, ["one"], 0),
]  # fmt: skip


@pytest.mark.parametrize(("data", "words", "damaged"), [case[1:] for case in ROUGH], ids=[case[0] for case in ROUGH])
def test_of_a_rough_file_everything_whole_is_read(data: bytes, words: list[str], damaged: int, tmp_path: Path) -> None:
    """What is torn is counted, what is whole is read, and nothing is read twice."""
    events, transcript = read(written(tmp_path, data))
    assert [event.text for event in events] == words
    assert transcript.damaged == damaged
    assert bool(transcript.reasons) == bool(damaged or "last" in str(transcript.reasons))


def test_a_torn_list_of_messages_gives_no_words_a_second_time(tmp_path: Path) -> None:
    """What a host repeats inside a line is not taken for entries when that line is torn."""
    item = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "old words"}]}
    whole = line({"type": "compacted", "payload": {"message": "", "replacement_history": [item, item]}})
    first = {"type": "session_meta", "payload": {}}
    events, transcript = read(written(tmp_path, first, whole[:-10] + b"\n"))
    assert (events, transcript.damaged) == ([], 1)


def test_a_line_longer_than_we_hold_is_passed_over_and_said(tmp_path: Path) -> None:
    """Memory stays bounded; the lines around it are read."""
    events, transcript = read(written(tmp_path, A + b"\n", b'{"a":"' + b"x" * 9_000_000 + b'"}\n', B + b"\n"))
    assert [event.text for event in events] == ["one", "two"]
    assert transcript.unreadable == 1
    assert transcript.reasons == ["A line is longer than 8 MB and was passed over."]


FOREIGN = [
    (b"", "The file is empty."),
    (b"\x7fELF\x01\x02\x03" * 100, "This is no transcript of a host that we know."),
    (b"# Notes\n\nSome text.\n", "This is no transcript of a host that we know."),
    (b'{"name": "package", "version": 1}\n', "This is no transcript of a host that we know."),
    (b"SQLite format 3\0" + b"x" * 200, "The database is damaged or could not be opened."),
]


@pytest.mark.parametrize(("data", "reason"), FOREIGN)
def test_what_is_no_transcript_gives_nothing_and_a_reason(data: bytes, reason: str, tmp_path: Path) -> None:
    """An empty, binary or foreign file is no error, and no silence either."""
    events, transcript = read(written(tmp_path, data))
    assert events == []
    assert any(given.startswith(reason) for given in transcript.reasons)
    assert transcript.unreadable


@pytest.mark.parametrize("host", ["", *HOSTS])
def test_a_path_without_a_file_gives_nothing_and_a_reason(host: str, tmp_path: Path) -> None:
    """Hosts make the file after the first hook has run; folders, pipes and impossible names are met too."""
    os.mkfifo(tmp_path / "pipe")
    for name in ("absent", ".", "pipe", "a\0b"):
        events, transcript = read(f"{tmp_path}/{name}", host=host)
        assert events == []
        assert len(transcript.reasons) == 1
        assert list(transcript.entries_from_end(9, 9)) == []
        assert transcript.entry("0") is None


# ---- positions -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(TOLD))
def test_reading_goes_on_exactly_where_it_stopped(name: str, tmp_path: Path) -> None:
    """Between any two entries, through JSON and back, with another reader; within one, at its beginning."""
    raw = FILES[name].read_bytes().splitlines(keepends=True)
    ends = {len(read(written(tmp_path, *raw[:count]), host=name)[0]) for count in range(len(raw) + 1)}
    every = [all_of(event) for event in read(FILES[name])[0]]
    for stop in range(len(every) + 1):
        first = Transcript(str(FILES[name]))
        head = [all_of(event) for event in itertools.islice(first.events(), stop)]
        rest = [all_of(event) for event in Transcript(str(FILES[name])).events(json.loads(json.dumps(first.position)))]
        begin = len(every) - len(rest)
        assert head[:begin] + rest == every
        assert begin == max(end for end in ends if end <= stop)


@relaxed
@given(data=st.data(), name=st.sampled_from(sorted(TOLD)))
def test_a_growing_file_gives_each_event_once(data: st.DataObject, name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Wherever the host was in writing when we looked, reading on gives the rest."""
    content = FILES[name].read_bytes()
    cuts = [*sorted(data.draw(st.lists(st.integers(0, len(content)), max_size=5))), len(content)]
    path = tmp_path_factory.mktemp("grow") / "session.jsonl"
    position, found = None, []
    for cut in cuts:
        path.write_bytes(content[:cut])
        with Transcript(str(path), host=name) as transcript:
            found += [all_of(event) for event in transcript.events(position)]
            position = json.loads(json.dumps(transcript.position))
    assert found == [all_of(event) for event in read(FILES[name], host=name)[0]]


@relaxed
@given(data=lumps, cuts=st.lists(st.integers(0, 2000), max_size=4), block=st.sampled_from([7, 64, 4096]))
def test_a_rough_file_that_grows_gives_each_event_once(
    data: bytes, cuts: list[int], block: int, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Torn lines, two on one, no ends: what is whole is read once, however often we look in between."""
    monkeypatch.setattr(lines, "BLOCK", block)
    path = tmp_path_factory.mktemp("rough") / "session.jsonl"
    position, found = None, []
    for cut in [*sorted(cuts), len(data)]:
        path.write_bytes(data[:cut])
        transcript = Transcript(str(path), host="claude-code")
        found += [event.text for event in transcript.events(position)]
        position = transcript.position
        transcript.close()
    assert found == said(path, host="claude-code")


@pytest.mark.parametrize("start", [99_999, -1, True, "x", [], {}, {"offset": "x"}, {"offset": 99_999}, {"offset": 7}, 1.5])
def test_a_position_that_does_not_fit_reads_from_the_beginning(start: Any, tmp_path: Path) -> None:
    """A file that was cut or exchanged is read anew, and that is said."""
    transcript = Transcript(str(written(tmp_path, A + b"\n")))
    assert [event.text for event in transcript.events(start)] == ["one"]
    assert transcript.reasons == ["The file is not the one that was read before; it was read from its beginning."]


@pytest.mark.parametrize(
    "state", [{}, {"runs": 1, "polls": [], "reads": {"c": 3}}, {"id": [], "calls": 1, "branch": {}}, {"polls": {"c6": [[], {}]}}]
)
@pytest.mark.parametrize("name", ["codex", "gemini"])
def test_a_spoilt_memory_in_a_position_does_no_harm(name: str, state: dict[str, Any]) -> None:
    """A position comes back from a file, and files are edited."""
    first = len(FILES[name].read_bytes().split(b"\n", 1)[0]) + 1
    assert [e.kind for e in Transcript(str(FILES[name])).events({"offset": first, "state": state})]


# ---- from the end --------------------------------------------------------------------------------------------------------


@relaxed
@given(data=st.one_of(st.binary(max_size=400), lumps), block=st.sampled_from([1, 7, 64, 4096]))
@example(data=b"", block=7)
@example(data=b"\n", block=7)
@example(data=b"a\nb", block=1)
def test_from_the_end_agrees_with_reading_forward(
    data: bytes, block: int, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Newest first is oldest first turned round, whatever the block, and each entry can be had whole by its id."""
    monkeypatch.setattr(lines, "BLOCK", block)
    path = tmp_path_factory.mktemp("end") / "session.jsonl"
    path.write_bytes(data)
    forward = [raw for raw in data.split(b"\n") if raw.strip(b" \t\r\0")]
    with Transcript(str(path), host="claude-code") as transcript:
        if data.startswith((b"SQLite format 3\0", b"\x28\xb5\x2f\xfd")):
            return
        entries = list(transcript.entries_from_end(1000, 400_000))
        assert [entry.text for entry in reversed(entries)] == [raw.decode("utf-8", "replace") for raw in forward]
        assert [entry.length for entry in reversed(entries)] == [len(raw) for raw in forward]
        for entry in entries:
            whole = transcript.entry(entry.id)
            assert whole is not None
            assert (whole.text, whole.length, entry.cut) == (entry.text, entry.length, False)
        assert [entry.id for entry in transcript.entries_from_end(2, 10)] == [entry.id for entry in entries[:2]]


@pytest.mark.parametrize("head", [0, 1, 5, 100])
def test_a_long_entry_is_shortened_to_whole_characters(head: int, tmp_path: Path) -> None:
    """The head counts characters, the length bytes, and `cut` says that there is more."""
    words = "漢字é" * 40
    transcript = Transcript(str(written(tmp_path, words.encode() + b"\n")), host="pi")
    [entry] = transcript.entries_from_end(9, head)
    assert (entry.text, entry.length, entry.cut) == (words[:head], len(words.encode()), True)


@pytest.mark.parametrize("number", ["1", "999999", "-1", "x", "", "²", "9" * 40])
def test_an_id_that_is_none_gives_no_entry(number: str, tmp_path: Path) -> None:
    """Ids come from people."""
    assert Transcript(str(written(tmp_path, A + b"\n"))).entry(number) is None


# ---- nothing raises ------------------------------------------------------------------------------------------------------


def exhausted(path: Path, host: str) -> Transcript:
    """A transcript of which all was asked that can be asked."""
    with Transcript(str(path), host=host) as transcript:
        list(transcript.events())
        json.dumps([transcript.position, transcript.reasons, transcript.unknown])
        for entry in transcript.entries_from_end(50, 100):
            transcript.entry(entry.id)
        list(transcript.events(transcript.position))
    return transcript


@relaxed
@given(
    data=st.tuples(st.sampled_from([b"", b"", b"SQLite format 3\0", b"\x28\xb5\x2f\xfd"]), st.binary(max_size=300)).map(b"".join),
    host=st.sampled_from(["", *HOSTS]),
)
def test_any_bytes_are_read_without_a_raise(data: bytes, host: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Whatever a file holds, and whichever host it is said to be of."""
    path = tmp_path_factory.mktemp("any") / "session"
    path.write_bytes(data)
    exhausted(path, host)


KEYS = sorted(set(re.findall(r'"(\$?\w+)":', "".join(path.read_text() for path in FIXTURES.iterdir()))))
WORDS = sorted(set(re.findall(r'": "([\w-]{2,30})"', "".join(path.read_text() for path in FIXTURES.iterdir()))))
leaves = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.sampled_from(WORDS), st.text(max_size=9)
)
values = st.recursive(
    leaves,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(KEYS), inner, max_size=5)),
    max_leaves=12,
)


def mutated(entry: Any, draw: Any, depth: int = 0) -> Any:
    """An entry in which something is of another type than it was."""
    if depth and draw(st.integers(0, 7)) == 0:
        return draw(values)
    if isinstance(entry, dict):
        return {key: mutated(value, draw, depth + 1) for key, value in entry.items() if draw(st.integers(0, 12))}
    return [mutated(value, draw, depth + 1) for value in entry] if isinstance(entry, list) else entry


@relaxed
@given(data=st.data(), name=st.sampled_from(sorted(TOLD)))
def test_entries_of_any_shape_are_read_without_a_raise(
    data: st.DataObject, name: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Every key of a format, with a value of any type in its place."""
    entries = [json.loads(raw) for raw in FILES[name].read_text().splitlines()]
    chosen = data.draw(st.lists(st.sampled_from(entries), min_size=1, max_size=4))
    shapes = [mutated(entry, data.draw) for entry in chosen] + [data.draw(values)]
    path = tmp_path_factory.mktemp("shape") / "session.jsonl"
    path.write_bytes(b"\n".join(map(line, shapes)) + b"\n")
    transcript = exhausted(path, name)
    for event in transcript.events():
        assert all(
            isinstance(getattr(event, field), str) for field in ("kind", "text", "time", "call", "tool", "command", "branch")
        )
        assert isinstance(event.failed, bool)
        assert all(isinstance(part, str) for edit in event.edits for part in edit)


# ---- databases -----------------------------------------------------------------------------------------------------------


def openclaw(path: Path, rows: list[tuple[int, Any, Any]], *, key: str = "agent:main:main", session: str = "s1") -> Path:
    """A database of OpenClaw, as far as the conversation goes."""
    database = sqlite3.connect(path)
    database.executescript(
        "CREATE TABLE session_nodes (session_key TEXT PRIMARY KEY, current_session_id TEXT, entry_json TEXT, updated_at INTEGER);"
        "CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER, event_zstd BLOB,"
        " event_utf8_bytes INTEGER, PRIMARY KEY (session_id, seq));"
        "CREATE TABLE session_transcript_cold_archives (session_id TEXT PRIMARY KEY, archive_name TEXT, last_seq INTEGER,"
        " storage TEXT, archive_blob BLOB);"
    )
    database.execute("INSERT INTO session_nodes VALUES (?, ?, '{}', 2000)", (key, session))
    database.execute("INSERT INTO session_nodes VALUES ('agent:main:cron:1:run:c', 'c', '{}', 9000)")
    for number, plain, blob in rows:
        database.execute("INSERT INTO transcript_events VALUES (?, ?, ?, 0, ?, NULL)", (session, number, plain, blob))
    database.commit()
    database.close()
    return path


PI_LINES = FILES["pi"].read_text().splitlines()


def test_openclaws_database_says_what_its_files_said(tmp_path: Path) -> None:
    """The rows hold the same entries; the session is found by its key, by its id, or as the one used last."""
    path = openclaw(tmp_path / "a.sqlite", [(n, text, None) for n, text in enumerate(PI_LINES)])
    for session in ("agent:main:main", "s1", ""):
        events, transcript = read(path, session=session)
        assert [told(event) for event in events] == TOLD["pi"]
        assert transcript.host == "openclaw"
        assert (transcript.position["session"], transcript.position["row"]) == ("s1", len(PI_LINES) - 1)


def test_openclaws_database_is_read_on_from_its_last_row(tmp_path: Path) -> None:
    """Only what was added is read; a key that moved on to another session begins there."""
    path = openclaw(tmp_path / "a.sqlite", [(0, PI_LINES[2], None)])
    transcript = Transcript(str(path))
    assert [event.text for event in transcript.events()] == ["make the lamp blink"]
    position = transcript.position
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("INSERT INTO transcript_events VALUES ('s1', 1, ?, 0, NULL, NULL)", (PI_LINES[3],))
    assert [event.text for event in transcript.events(position)] == ["I will look at the lamp."]
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE session_nodes SET current_session_id = 's2' WHERE session_key = 'agent:main:main'")
        database.execute("INSERT INTO transcript_events VALUES ('s2', 0, ?, 0, NULL, NULL)", (PI_LINES[2],))
    assert [event.text for event in transcript.events(transcript.position)] == ["make the lamp blink"]
    assert (transcript.position["session"], transcript.position["row"]) == ("s2", 0)
    database.close()


def test_openclaws_rows_come_newest_first_from_the_end(tmp_path: Path) -> None:
    """Over the size of a batch, shortened, and whole by their id."""
    rows = [(n, json.dumps({"type": "message", "n": n, "pad": "é" * 500}, ensure_ascii=False), None) for n in range(100)]
    transcript = Transcript(str(openclaw(tmp_path / "a.sqlite", rows)))
    entries = list(transcript.entries_from_end(70, 40))
    assert [entry.id for entry in entries] == [str(n) for n in range(99, 29, -1)]
    assert all(entry.text == rows[int(entry.id)][1][:40] and entry.cut for entry in entries)
    assert all(entry.length == len(rows[int(entry.id)][1].encode()) for entry in entries)
    whole = transcript.entry("42")
    assert whole is not None
    assert whole.text == rows[42][1]


def squeezed(source: Any) -> io.BytesIO:
    """In the place of zstd, which need not be installed here: the same interface over zlib."""
    try:
        return io.BytesIO(zlib.decompress(source.read()))
    except zlib.error as error:
        raise OSError from error


def test_without_zstandard_packed_rows_are_counted_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows that can be read are read; how many could not, and what would help, is said."""
    monkeypatch.setattr(packed, "stream", lambda source: None)
    path = openclaw(tmp_path / "a.sqlite", [(0, PI_LINES[2], None), (1, None, b"..."), (2, None, b"..."), (3, PI_LINES[3], None)])
    events, transcript = read(path)
    assert [event.text for event in events] == ["make the lamp blink", "I will look at the lamp."]
    assert transcript.unreadable == 2
    assert transcript.reasons == ["It is packed with zstd, which needs the zstandard package. (2 times)"]
    assert (transcript.position["session"], transcript.position["row"]) == ("s1", 3)


def test_packed_rows_are_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long entry has no text in its row but the packed one; a spoilt one is counted and passed over."""
    monkeypatch.setattr(packed, "stream", squeezed)
    blob = zlib.compress(PI_LINES[2].encode())
    transcript = Transcript(str(openclaw(tmp_path / "a.sqlite", [(0, None, blob), (1, PI_LINES[3], None)])))
    assert [event.text for event in transcript.events()] == ["make the lamp blink", "I will look at the lamp."]
    assert [entry.text[:16] for entry in transcript.entries_from_end(9, 16)] == [PI_LINES[3][:16], PI_LINES[2][:16]]
    whole = transcript.entry("0")
    assert whole is not None
    assert whole.text == PI_LINES[2]


def cold(rows: list[tuple[int, str]]) -> bytes:
    """A cold archive, with zlib in the place of zstd."""
    events = [{"kind": "event", "row": {"seq": n, "event_json": text, "created_at": 0}} for n, text in rows]
    header, rest = {"kind": "header", "version": 1, "sessionId": "s1", "generation": "g"}, {"kind": "fts", "row": {"text": "x"}}
    return zlib.compress(b"\n".join(map(line, [header, *events, rest])))


@pytest.mark.parametrize("storage", ["file", "sqlite"])
def test_a_session_in_cold_storage_is_read_before_its_rows(storage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Archives lie beside the database or in it, and reading goes on from either."""
    monkeypatch.setattr(packed, "stream", squeezed)
    (tmp_path / "agent").mkdir()
    (tmp_path / "sessions" / "cold").mkdir(parents=True)
    path, name = openclaw(tmp_path / "agent" / "openclaw-agent.sqlite", [(2, PI_LINES[21], None)]), "a" * 64 + ".jsonl.zst"
    archive = cold([(0, PI_LINES[2]), (1, PI_LINES[3])])
    (tmp_path / "sessions" / "cold" / name).write_bytes(archive)
    with closing(sqlite3.connect(path)) as database, database:
        blob = archive if storage == "sqlite" else None
        database.execute("INSERT INTO session_transcript_cold_archives VALUES ('s1', ?, 1, ?, ?)", (name, storage, blob))
    database.close()
    transcript = Transcript(str(path))
    assert [event.text for event in transcript.events()] == ["make the lamp blink", "I will look at the lamp.", "slower, please"]
    assert [event.text for event in transcript.events({"session": "s1", "row": 0})] == [
        "I will look at the lamp.",
        "slower, please",
    ]
    assert [entry.id for entry in transcript.entries_from_end(9, 9)] == ["2", "1", "0"]
    assert transcript.reasons == []


def test_a_packed_file_is_read_like_a_plain_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cold archive that was kept, or a host's own packed lines."""
    monkeypatch.setattr(packed, "stream", lambda source: io.BytesIO(zlib.decompress(source.read()[4:])))
    for content in (cold(list(enumerate(PI_LINES))), zlib.compress(FILES["pi"].read_bytes())):
        path = written(tmp_path, b"\x28\xb5\x2f\xfd" + content, name="a.jsonl.zst")
        events, transcript = read(path)
        assert [told(event) for event in events] == TOLD["pi"]
        first = Transcript(str(path))
        head = [told(event) for event in itertools.islice(first.events(), 5)]
        assert head + [told(event) for event in Transcript(str(path)).events(first.position)] == TOLD["pi"]
        entries = list(transcript.entries_from_end(3, 20))
        assert [entry.text for entry in entries] == [text[:20] for text in reversed(PI_LINES[-3:])]
        whole = transcript.entry(entries[0].id)
        assert whole is not None
        assert whole.text == PI_LINES[-1]


def test_what_zstandard_packs_is_read_where_it_is_installed(tmp_path: Path) -> None:
    """The real thing, in the place of the stand-in above."""
    zstandard = pytest.importorskip("zstandard", reason="zstandard is an extra, and it is not installed here")
    path = written(tmp_path, zstandard.compress(FILES["pi"].read_bytes()), name="a.jsonl.zst")
    assert [told(event) for event in read(path)[0]] == TOLD["pi"]
    blob = zstandard.compress(PI_LINES[2].encode())
    rows = [(0, None, blob), (1, None, blob[:9] + b"spoilt"), (2, PI_LINES[3], None)]
    events, transcript = read(openclaw(tmp_path / "a.sqlite", rows))
    assert [event.text for event in events] == ["make the lamp blink", "I will look at the lamp."]
    assert transcript.reasons == ["What is packed with zstd could not be unpacked."]


def opencode(path: Path, parts: list[tuple[dict[str, Any], Any]], *, session: str = "ses_1") -> Path:
    """A database of opencode: (message, part) for each part."""
    database = sqlite3.connect(path)
    database.executescript(
        "CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, time_updated INTEGER);"
        "CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, data TEXT);"
        "CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, data TEXT);"
    )
    database.execute("INSERT INTO session VALUES (?, NULL, 1), ('ses_sub', ?, 9)", (session, session))
    database.commit()
    database.close()
    more(path, parts, session=session)
    return path


def more(path: Path, parts: list[tuple[dict[str, Any], Any]], *, session: str = "ses_1") -> None:
    """Add parts."""
    database = sqlite3.connect(path)
    for message, part in parts:
        number = database.execute("SELECT count(*) FROM part").fetchone()[0]
        database.execute("INSERT INTO message VALUES (?, ?, ?)", (f"msg_{number}", session, json.dumps(message)))
        data = part if isinstance(part, (str, bytes)) else json.dumps(part)
        database.execute("INSERT INTO part VALUES (?, ?, ?, ?)", (f"prt_{number}", f"msg_{number}", session, data))
    database.commit()
    database.close()


YOU, IT = {"role": "user", "time": {"created": 1772359200123}}, {"role": "assistant", "time": {"created": 1772359201000}}


def tool(name: str, status: str, output: str = "", exit: int | None = None, **given: Any) -> dict[str, Any]:
    """A tool part."""
    state = {"status": status, "input": given, "output": output, "metadata": {"exit": exit}, "time": {"start": 1772359202000}}
    return {"type": "tool", "tool": name, "callID": f"call_{name}", "state": state}


def test_opencodes_database_gives_the_events_of_its_parts(tmp_path: Path) -> None:
    """Text, tools with their exit codes, edits, plans, compaction; what was put in is left out."""
    broken = tool("edit", "error", filePath="/w/lamp.txt", oldString="off", newString="blink")
    broken["state"]["error"] = "not found"
    parts = [
        (YOU, {"type": "text", "text": "make the lamp blink"}),
        (YOU, {"type": "text", "text": BRIEF, "synthetic": True}),
        (IT, {"type": "step-start"}),
        (IT, {"type": "text", "text": "I will look.", "time": {"start": 1, "end": 2}}),
        (IT, tool("bash", "completed", "no rule", 2, command="make lamp")),
        (IT, broken),
        (IT, tool("read", "completed", "off", filePath="/w/lamp.txt")),
        (IT, tool("todowrite", "completed", "[]", todos=[{"content": "blink", "status": "pending"}])),
        (YOU, {"type": "compaction", "auto": True}),
        ({**IT, "summary": True}, {"type": "text", "text": "## Goal", "time": {"start": 1, "end": 2}}),
        (IT, {"type": "from-the-future"}),
    ]
    events, transcript = read(opencode(tmp_path / "opencode.db", parts))
    assert [told(event) for event in events] == [
        "user 'make the lamp blink'",
        "agent 'I will look.'",
        "call 'make lamp' call='call_bash' tool='bash' command='make lamp'",
        "result 'no rule' call='call_bash' failed=True",
        "call '/w/lamp.txt\\noff\\nblink' call='call_edit' tool='edit' edits=(('/w/lamp.txt', 'off', 'blink'),)",
        "result 'not found' call='call_edit' failed=True",
        "call '/w/lamp.txt' call='call_read' tool='read' reads=('/w/lamp.txt',)",
        "result 'off' call='call_read'",
        "call 'blink\\npending' call='call_todowrite' tool='todowrite' todos=(('blink', 'pending'),)",
        "result '[]' call='call_todowrite'",
        "compaction ''",
        "summary '## Goal'",
    ]
    assert (events[0].time, events[2].time) == ("2026-03-01T10:00:00.123Z", "2026-03-01T10:00:02.000Z")
    assert (transcript.host, transcript.unknown, transcript.reasons) == ("opencode", {"from-the-future": 1}, [])
    assert [entry.text[:24] for entry in transcript.entries_from_end(2, 24)] == ['{"role":"assistant","typ'] * 2
    whole = transcript.entry("1")
    assert whole is not None
    assert json.loads(whole.text) == {"role": "user", "type": "text", "text": "make the lamp blink"}


def test_opencodes_parts_that_go_on_are_looked_at_again(tmp_path: Path) -> None:
    """A running tool gives its call now and its result when it has ended; a text is given once it is whole."""
    path = opencode(
        tmp_path / "opencode.db",
        [(IT, tool("bash", "running", command="make")), (IT, {"type": "text", "text": "I", "time": {"start": 1}})],
    )
    transcript = Transcript(str(path))
    assert [event.kind for event in transcript.events()] == ["call"]
    position = json.loads(json.dumps(transcript.position))
    assert [event.kind for event in transcript.events(position)] == []
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(
            "UPDATE part SET data = ? WHERE id = 'prt_0'", (json.dumps(tool("bash", "completed", "ok", 0, command="make")),)
        )
        database.execute(
            "UPDATE part SET data = ? WHERE id = 'prt_1'",
            (json.dumps({"type": "text", "text": "I am done", "time": {"start": 1, "end": 2}}),),
        )
    database.close()
    more(path, [(YOU, {"type": "text", "text": "thanks"})])
    assert [(event.kind, event.text) for event in transcript.events(position)] == [
        ("result", "ok"),
        ("agent", "I am done"),
        ("user", "thanks"),
    ]
    assert list(transcript.events(transcript.position)) == []


def test_a_locked_database_gives_a_reason_and_keeps_the_position(tmp_path: Path) -> None:
    """The host is never waited for longer than a moment; the next reading goes on from the same place."""
    path = openclaw(tmp_path / "a.sqlite", [(0, PI_LINES[2], None)])
    host = sqlite3.connect(path, isolation_level=None)
    transcript = Transcript(str(path), host="openclaw")
    host.execute("BEGIN EXCLUSIVE")
    position = {"session": "s1", "row": -1}
    assert list(transcript.events(position)) == []
    assert "The host has locked its database; it was not read this time." in transcript.reasons[0]
    held = transcript.position
    host.execute("ROLLBACK")
    assert [event.text for event in transcript.events(held)] == ["make the lamp blink"]
    host.close()


def test_reading_leaves_the_hosts_database_to_the_host(tmp_path: Path) -> None:
    """While we are in the middle of reading, the host writes and folds its log in; and we can write nothing."""
    path = openclaw(tmp_path / "a.sqlite", [(n, PI_LINES[2], None) for n in range(100)])
    host = sqlite3.connect(path, isolation_level=None, timeout=0)
    host.execute("PRAGMA journal_mode=WAL")
    transcript = Transcript(str(path))
    events = transcript.events()
    next(events)
    host.execute("INSERT INTO transcript_events VALUES ('s1', 100, ?, 0, NULL, NULL)", (PI_LINES[3],))
    assert host.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
    assert [event.text for event in events][-1] == "I will look at the lamp."
    host.close()
    own = transcript._source._database._connect()  # type: ignore[attr-defined]
    with closing(own), pytest.raises(sqlite3.OperationalError):
        own.execute("DELETE FROM transcript_events")
    transcript.close()


def test_reading_a_database_leaves_nothing_beside_it(tmp_path: Path) -> None:
    """Where the host is not running, no write-ahead log is made for it; where it runs again, its log is read."""
    path = openclaw(tmp_path / "a.sqlite", [(0, PI_LINES[2], None)])
    host = sqlite3.connect(path, isolation_level=None)
    host.execute("PRAGMA journal_mode=WAL")
    host.close()
    with Transcript(str(path)) as transcript:
        assert [event.text for event in transcript.events()] == ["make the lamp blink"]
        assert [entry.name for entry in tmp_path.iterdir() if entry.is_file()] == ["a.sqlite"]
        host = sqlite3.connect(path, isolation_level=None)
        host.execute("INSERT INTO transcript_events VALUES ('s1', 1, ?, 0, NULL, NULL)", (PI_LINES[3],))
        assert [event.text for event in transcript.events(transcript.position)] == ["I will look at the lamp."]
    host.close()


def test_a_database_of_a_newer_form_gives_what_it_still_has(tmp_path: Path) -> None:
    """Missing tables and columns cost what was in them, and foreign ones everything, with a reason."""
    path = tmp_path / "a.sqlite"
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT)")
    database.execute("INSERT INTO transcript_events VALUES ('s1', 0, ?)", (PI_LINES[2],))
    database.commit()
    assert said(path) == ["make the lamp blink"]
    database.execute("DROP TABLE transcript_events")
    database.execute("CREATE TABLE other (x)")
    database.commit()
    database.close()
    for host in ("", "openclaw", "opencode"):
        events, transcript = read(path, host=host)
        assert (events, bool(transcript.reasons), list(transcript.entries_from_end(5, 5))) == ([], True, [])


def test_a_session_that_is_not_there_is_said(tmp_path: Path) -> None:
    """A key that nobody has gives no events of somebody else's."""
    for path in (
        openclaw(tmp_path / "a.sqlite", [(0, PI_LINES[2], None)]),
        opencode(tmp_path / "b.db", [(YOU, {"type": "text", "text": "x"})]),
    ):
        events, transcript = read(path, session="nobody")
        assert (events, transcript.reasons) == ([], ["There is no session of that key here, or nothing in it."])


def test_a_database_cut_anywhere_is_read_without_a_raise(tmp_path: Path) -> None:
    """A torn copy gives what its whole pages hold, or a reason."""
    rows = [(n, json.dumps({"type": "message", "message": {"role": "user", "content": "x" * 900}}), None) for n in range(60)]
    for whole in (
        openclaw(tmp_path / "a.sqlite", rows),
        opencode(tmp_path / "b.db", [(YOU, {"type": "text", "text": "x" * 900})] * 60),
    ):
        data = whole.read_bytes()
        for cut in range(16, len(data), len(data) // 23):
            exhausted(written(tmp_path, data[:cut], name="cut.sqlite"), "")
        for at in range(100, len(data), len(data) // 23):
            exhausted(written(tmp_path, data[:at] + b"\xff" * 64 + data[at + 64 :], name="cut.sqlite"), "")


@settings(relaxed, max_examples=25)
@given(
    contents=st.lists(
        st.one_of(
            st.none(),
            st.binary(max_size=40),
            st.integers(-(2**62), 2**62),
            values.map(json.dumps),
            values.map(lambda v: json.dumps({"type": "tool", "state": v})),
        ),
        max_size=4,
    )
)
def test_rows_of_any_content_are_read_without_a_raise(contents: list[Any], tmp_path_factory: pytest.TempPathFactory) -> None:
    """Texts that are no text, numbers, nothing, and JSON of any shape."""
    folder = tmp_path_factory.mktemp("rows")
    exhausted(openclaw(folder / "a.sqlite", [(n, content, b"x") for n, content in enumerate(contents)]), "")
    path = opencode(folder / "b.db", [])
    database = sqlite3.connect(path)
    for number, content in enumerate(contents):
        database.execute("INSERT INTO message VALUES (?, 'ses_1', ?)", (f"m{number}", content))
        database.execute("INSERT INTO part VALUES (?, ?, 'ses_1', ?)", (f"p{number}", f"m{number}", content))
    database.commit()
    database.close()
    exhausted(path, "")


# ---- where they are ------------------------------------------------------------------------------------------------------

ID = "0123abcd-0000-4000-8000-000000000000"


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A home in which every host has left something."""
    home = tmp_path / "house"
    for name, host in (
        (f".claude/projects/-w/{ID}.jsonl", "claude-code"),
        (f".claude/projects/-w/{ID}/subagents/agent-1.jsonl", "claude-code"),
        (".claude/projects/-w/agent-2.jsonl", "claude-code"),
        (f".codex/sessions/2026/03/01/rollout-2026-03-01T10-00-00-{ID}.jsonl", "codex"),
        (".gemini/tmp/w/chats/session-2026-03-01T10-00-0123abcd.jsonl", "gemini"),
        (f".pi/agent/sessions/--w--/2026-03-01T10-00-00-000Z_{ID}.jsonl", "pi"),
        (".openclaw/agents/main/sessions/s9.jsonl", "openclaw"),
        (".openclaw/agents/main/sessions/s9.trajectory.jsonl", "openclaw"),
        (".openclaw/agents/main/sessions/s9.jsonl.reset.2026-03-01T10-00-00.000Z", "openclaw"),
        (".openclaw/agents/main/sessions/s8.jsonl.reset.2026-03-01T09-00-00.000Z", "openclaw"),
    ):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_bytes(FILES[host].read_bytes())
    (home / ".openclaw/agents/main/sessions/sessions.json").write_text(
        json.dumps({"agent:main:old": {"sessionId": "s9"}, "x": 1})
    )
    (home / ".openclaw/agents/main/agent").mkdir()
    openclaw(home / ".openclaw/agents/main/agent/openclaw-agent.sqlite", [(0, PI_LINES[2], None)])
    (home / ".local/share/opencode").mkdir(parents=True)
    opencode(home / ".local/share/opencode/opencode.db", [(YOU, {"type": "text", "text": "make the lamp blink"})])
    return home


PLACES = [
    ("claude-code", ID, f".claude/projects/-w/{ID}.jsonl"),
    ("codex", ID, f".codex/sessions/2026/03/01/rollout-2026-03-01T10-00-00-{ID}.jsonl"),
    ("gemini", ID, ".gemini/tmp/w/chats/session-2026-03-01T10-00-0123abcd.jsonl"),
    ("pi", ID, f".pi/agent/sessions/--w--/2026-03-01T10-00-00-000Z_{ID}.jsonl"),
    ("opencode", "ses_1", ".local/share/opencode/opencode.db"),
    ("openclaw", "agent:main:main", ".openclaw/agents/main/agent/openclaw-agent.sqlite"),
    ("openclaw", "s1", ".openclaw/agents/main/agent/openclaw-agent.sqlite"),
    ("openclaw", "sqlite:main:s1:/x/agents/main/sessions/sessions.json", ".openclaw/agents/main/agent/openclaw-agent.sqlite"),
    ("openclaw", "agent:main:old", ".openclaw/agents/main/sessions/s9.jsonl"),
    ("openclaw", "s8", ".openclaw/agents/main/sessions/s8.jsonl.reset.2026-03-01T09-00-00.000Z"),
]


@pytest.mark.parametrize(("host", "session", "path"), PLACES)
def test_the_transcript_of_a_session_is_found_and_read(host: str, session: str, path: str, house: Path) -> None:
    """By its id, its key or OpenClaw's mark; of a session that goes on, not its archive."""
    found = find.transcript(host, session, {}, str(house))
    assert found is not None
    assert (found.host, found.path) == (host, str(house / path))
    assert "make the lamp blink" in said(found.path, host=found.host, session=found.session)


@pytest.mark.parametrize("host", HOSTS)
def test_without_a_session_the_last_one_is_found(host: str, house: Path) -> None:
    """`holdfast tail` needs no id; a session that nobody has is none."""
    assert find.transcript(host, "", {}, str(house)) is not None
    assert find.transcript(host, "nobody", {}, str(house)) is None
    assert find.transcript(host, f"../-w/{ID}", {}, str(house)) is None
    assert find.transcript(host, "", {}, str(house / "elsewhere")) is None


def test_all_sessions_of_a_host_are_listed_without_subagents_and_side_files(house: Path) -> None:
    """`holdfast import` sees what people had, archives too."""
    listed = {host: sorted((found.session, found.archived) for found in find.sessions(host, {}, str(house))) for host in HOSTS}
    assert listed == {
        "claude-code": [(ID, False)],
        "codex": [(ID, False)],
        "gemini": [(ID, False)],
        "pi": [(ID, False)],
        "opencode": [("ses_1", False)],
        "openclaw": [("s1", False), ("s8", True), ("s9", False), ("s9", True)],
    }
    assert find.sessions("nothing", {}, str(house)) == []


@pytest.mark.parametrize(
    ("host", "variable", "inside"),
    [
        ("claude-code", "CLAUDE_CONFIG_DIR", ".claude"),
        ("codex", "CODEX_HOME", ".codex"),
        ("gemini", "GEMINI_CLI_HOME", ""),
        ("opencode", "XDG_DATA_HOME", ".local/share"),
        ("openclaw", "OPENCLAW_STATE_DIR", ".openclaw"),
        ("pi", "PI_CODING_AGENT_DIR", ".pi/agent"),
    ],
)
def test_a_host_that_was_moved_by_its_variable_is_found_there(host: str, variable: str, inside: str, house: Path) -> None:
    """The environment is an argument, and it wins over the home folder."""
    assert find.transcript(host, "", {variable: str(house / inside)}, "/nowhere") is not None


def test_opening_the_package_loads_nothing_heavy() -> None:
    """Hooks import it on every prompt: json, sqlite3 and zstd come when there is something to read."""
    program = "import sys; import holdfast.transcripts; print([m for m in ('json', 'sqlite3', 're', 'zlib') if m in sys.modules])"
    source = str(Path(__file__).parent.parent / "src")
    done = subprocess.run(
        [sys.executable, "-S", "-c", program], capture_output=True, text=True, check=True, env={"PYTHONPATH": source}
    )
    assert done.stdout.strip() == "[]"


# ---- the real thing ------------------------------------------------------------------------------------------------------

needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason="the folder with real sessions and recordings is not beside the checkout"
)
REAL = sorted((SHARED / "data" / "transcripts").glob("*/*.jsonl.gz"))
SAMPLES = SHARED / "hosts" / "samples"
RECORDED = [
    path
    for pattern in (
        "claude-code/transcript-*",
        "codex/rollout*",
        "gemini-cli/session*",
        "openclaw/2026*.jsonl*",
        "openclaw/*.sqlite",
    )
    for path in sorted(SAMPLES.glob(pattern))
    if "hooks" not in path.name
]


def unzipped(path: Path, folder: Path) -> Path:
    """A real session, as its host had it."""
    plain = folder / path.name[:-3]
    plain.write_bytes(gzip.decompress(path.read_bytes()))
    return plain


def continuity() -> ModuleType:
    """The benchmark, whose own readers say what counts."""
    spec = importlib.util.spec_from_file_location("continuity", SHARED / "bench" / "continuity.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["continuity"] = module
    spec.loader.exec_module(module)
    return module


@needs_shared
def test_every_real_session_is_read_whole(tmp_path: Path) -> None:
    """Nothing damaged, nothing unknown, and every result is linked to its call."""
    assert REAL
    for path in REAL:
        events, transcript = read(unzipped(path, tmp_path))
        assert (transcript.damaged, transcript.unreadable, transcript.unknown, transcript.reasons) == (0, 0, {}, []), path.name
        assert transcript.host == path.parent.name
        calls = {event.call for event in events if event.kind == "call"}
        results = [event.call for event in events if event.kind == "result" and event.call]
        assert len(set(results) - calls) <= 1 + transcript.understood // 500, path.name
        assert {"user", "agent", "call", "result"} <= {event.kind for event in events}


@needs_shared
def test_every_recording_of_a_host_is_read() -> None:
    """Also those of older and newer versions; the probe's own hook texts never come out as a person's."""
    assert RECORDED
    for path in RECORDED:
        events, transcript = read(path)
        assert (transcript.damaged, transcript.unknown) == (0, {}), path.name
        assert transcript.unreadable == 0 or "zstd" in str(transcript.reasons), path.name
        assert not [event.text for event in events if event.kind == "user" and "CTX-" in event.text], path.name


@needs_shared
def test_the_recorded_opencode_session_is_read_out_of_a_database(tmp_path: Path) -> None:
    """The export, put back into the tables it came from."""
    exported = json.loads((SAMPLES / "opencode" / "export.json").read_text())
    parts = [(message["info"], part) for message in exported["messages"] for part in message["parts"]]
    events, transcript = read(opencode(tmp_path / "opencode.db", parts))
    assert (transcript.damaged, transcript.unknown, transcript.reasons) == (0, {}, [])
    kinds = collections.Counter(event.kind for event in events)
    assert kinds["user"] == 2
    assert kinds["call"] == kinds["result"] > 0
    assert kinds["compaction"] == kinds["summary"] > 0


@needs_shared
def test_a_persons_words_agree_with_the_benchmarks_reader(tmp_path: Path) -> None:
    """Every word that the benchmark's readers find is found, and more only where it is a person's.

    The benchmark counts the person's own shell (`<bash-…>`), bare commands (`/exit`) and what the host adds to a plan as words,
    and neither slash commands that begin work nor the answers to questions; here it is the other way round.
    """
    theirs_of, compared = continuity(), 0
    for path in REAL:
        if path.parent.name == "pi":
            continue
        plain = unzipped(path, tmp_path)
        entries = [json.loads(raw) for raw in plain.read_bytes().splitlines()]
        theirs = collections.Counter(
            event.text.partition("\n\n\nIf you need specific details from before exiting plan mode")[0]
            for entry in entries
            for event in (theirs_of.codex(entry) if "payload" in entry else theirs_of.claude(entry))
            if event.kind in ("human", "refusal") and not re.match(r"<bash-|/[\w:-]+\Z|Operation stopped by hook:", event.text)
        )
        ours = collections.Counter(said(plain))
        commands = {
            f"{name} {given.strip()}".strip()
            for name, given in re.findall(
                r"<command-message>[^<]*</command-message>\\n<command-name>(/[^<]+)</command-name>"
                r"(?:\\n<command-args>(.*?)</command-args>)?",
                json.dumps(entries, ensure_ascii=False),
            )
        }
        extra = [
            text for text in ours - theirs if " → " not in text and json.dumps(text, ensure_ascii=False)[1:-1] not in commands
        ]
        assert (dict(theirs - ours), extra) == ({}, []), path.name
        compared += sum(len(text.split()) for text in theirs.elements())
    assert compared > 5000


@needs_shared
def test_the_real_sessions_read_the_same_in_two_halves(tmp_path: Path) -> None:
    """A position in the middle of a real session loses and repeats nothing."""
    for path in REAL:
        plain = unzipped(path, tmp_path)
        every = [all_of(event) for event in read(plain)[0]]
        content = plain.read_bytes()
        half = Transcript(str(written(tmp_path, content[: len(content) // 2], name="half.jsonl")), host=path.parent.name)
        head = [all_of(event) for event in half.events()]
        rest = [all_of(event) for event in Transcript(str(plain)).events(json.loads(json.dumps(half.position)))]
        assert head + rest == every, path.name
