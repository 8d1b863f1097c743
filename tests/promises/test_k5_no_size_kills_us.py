"""K5: no size kills us.

Transcripts of hundreds of megabytes, with one line of 150 MB, with a million lines, with ever new names, beyond 4 GB; host
databases with rows of megabytes; documents of 100,000 lines. Every command that reads them runs in a process that may have
192 MB of address space (an interpreter has 15 of them to begin with), the tail read 60, so that reading a whole file into memory
is fatal. The commands must come to the same end as on small files: the newest words are there, the checkpoint is saved, and what
was passed over is said.

The controls run on the same files under the same limit: a reader that takes in the whole file, and a capture that never forgets.
"""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kept_receipts import by_hooks

LIMIT, TAIL_LIMIT = 192_000_000, 60_000_000  # bytes
CORRECTION = "don't touch the fuse box, always use lamp_driver instead"
UNDER = f"import resource, sys; resource.setrlimit(resource.RLIMIT_AS, ({LIMIT}, {LIMIT})); "
HOLDFAST = UNDER + "from holdfast.cli import main; sys.exit(main(sys.argv[1:]))"
TAIL = HOLDFAST.replace(str(LIMIT), str(TAIL_LIMIT))
SLURP = UNDER + "print(len(open(sys.argv[1], 'rb').read().splitlines()[-400:]))"
UNFORGETTING = UNDER + (
    "from holdfast import cli; from holdfast.capture import learning; learning._LOOK_BACK = None; "
    "learning.ends = lambda text, most: text; learning.Learnt._forget = lambda self: None; sys.exit(cli.main(sys.argv[1:]))"
)


def limited(program: str, *argv: str, stdin: str = "", home: Path) -> subprocess.CompletedProcess[str]:
    """A program in a process of its own that has no more memory than the limit."""
    env = {"HOME": str(home), "PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path), "LANG": "C.UTF-8"}
    env["HOLDFAST_HOOK_SECONDS"] = "600"
    return subprocess.run(
        [sys.executable, "-c", program, *argv], input=stdin, capture_output=True, text=True, env=env, cwd=home, check=False
    )


# ---- transcripts -------------------------------------------------------------------------------------------------------


def said(role: str, content: Any, number: int = 0) -> bytes:
    """A line of Claude Code."""
    message = {"role": role, "content": content}
    return json.dumps({"type": role, "sessionId": "s", "uuid": f"u{number}", "message": message}).encode() + b"\n"


def output(size: int) -> bytes:
    """A tool's output of that size, as the host writes it down."""
    return said("user", [{"type": "tool_result", "tool_use_id": "t", "content": "a line of a log that is long " * (size // 29)}])


def hundreds_of_megabytes() -> Iterator[bytes]:
    """What a year of work leaves."""
    line = output(200_000)
    for _ in range(1_200):
        yield line


def one_endless_line() -> Iterator[bytes]:
    """A tool that printed a disk image."""
    yield b'{"type":"user","sessionId":"s","message":{"role":"user","content":"'
    for _ in range(150):
        yield b"x" * 1_000_000
    yield b'"}}\n'


def a_million_lines() -> Iterator[bytes]:
    """Entries that say nothing, very many of them."""
    for _ in range(100):
        yield b'{"type":"mode","sessionId":"s"}\n' * 10_000


def ever_new_names() -> Iterator[bytes]:
    """A listing without end, in the agent's own words: a million names, none of them twice."""
    letters = "abcdefghijklmnop"
    for number in range(16**4):
        word = "".join(letters[number >> shift & 15] for shift in (12, 8, 4, 0))
        yield said("assistant", " ".join(f"{one}_{word}_name" for one in letters))


def long_lines_of_wide_letters() -> Iterator[bytes]:
    """Five megabytes a line that become twenty when they are decoded, from the first line on."""
    message = {"role": "user", "content": [{"type": "tool_result", "content": "a lamp 💡 and more " * 230_000}]}
    line = json.dumps({"message": message, "type": "user", "sessionId": "s"}, ensure_ascii=False).encode() + b"\n"
    for _ in range(40):
        yield line


TRANSCRIPTS: dict[str, Callable[[], Iterator[bytes]]] = {
    "hundreds of megabytes": hundreds_of_megabytes,
    "one endless line": one_endless_line,
    "a million lines": a_million_lines,
    "ever new names": ever_new_names,
    "long lines of wide letters": long_lines_of_wide_letters,
}


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """Makes one of the transcripts, a correction before and after it, and removes it in the end: the disk is not ours."""
    path = tmp_path / "transcript.jsonl"

    def make(name: str) -> Path:
        with path.open("wb") as file:
            file.writelines(TRANSCRIPTS[name]())
            file.write(said("user", "make the lamp blink"))
            file.write(said("user", CORRECTION))
            file.write(said("assistant", "Shall I use the newest words, or the lamp_driver of old?"))
        return path

    yield make
    path.unlink(missing_ok=True)


def hook(program: str, event: str, transcript: Path, home: Path, **more: str) -> tuple[str, str]:
    """(reply, receipt) of a hook of Claude Code."""
    payload = {"session_id": "s", "transcript_path": str(transcript), "cwd": str(home), "hook_event_name": event, **more}
    workspace = home / "workspace"
    done = limited(program, "--workspace", str(workspace), "hook", "claude-code", stdin=json.dumps(payload), home=home)
    assert done.returncode == 0, done.stderr
    receipts = by_hooks(workspace / ".holdfast" / "receipts.jsonl")
    return done.stdout, json.dumps(receipts[-1]) if receipts else ""


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_a_transcript_of_any_size_is_captured_recovered_and_tailed(
    made: Callable[[str], Path], tmp_path: Path, name: str
) -> None:
    """Checkpoint, brief, and tail read, each in a process that could not hold the file."""
    path, workspace = made(name), str(tmp_path / "workspace")
    _, receipt = hook(HOLDFAST, "PreCompact", path, tmp_path, trigger="auto")
    assert '"did": "saved ' in receipt
    assert ("longer than 8 MB and was passed over" in receipt) == (name == "one endless line")
    reply, receipt = hook(HOLDFAST, "SessionStart", path, tmp_path, source="compact")
    assert "gave a brief" in receipt
    assert CORRECTION in reply
    for argv in (["recover", "--session", "s"], ["show", "latest"], ["show", "state", "--session", "s"]):
        done = limited(HOLDFAST, "--workspace", workspace, *argv, home=tmp_path)
        assert (done.returncode, CORRECTION in done.stdout) == (0, True), done.stderr
    kept = sum(file.stat().st_size for file in (tmp_path / "workspace").rglob("*") if file.is_file())
    assert kept < 2_000_000, "what is kept grows with the transcript"


def test_what_was_passed_over_is_said_where_nothing_is_saved_too(tmp_path: Path) -> None:
    """A transcript whose only words are too long to hold gives no checkpoint, and no silence either."""
    path = tmp_path / "transcript.jsonl"
    with path.open("wb") as file:
        file.write(said("assistant", "Hello."))
        file.writelines(one_endless_line())
    _, receipt = hook(HOLDFAST, "PreCompact", path, tmp_path, trigger="auto")
    assert "nothing new to save; A line is longer than 8 MB and was passed over." in receipt
    path.unlink()


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_the_end_of_a_transcript_of_any_size_is_shown(made: Callable[[str], Path], tmp_path: Path, name: str) -> None:
    """The newest words, within their bounds, and each entry in full up to what we hold."""
    path = made(name)
    done = limited(TAIL, "tail", str(path), "--json", home=tmp_path)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert CORRECTION in told["entries"][-2]["text"]
    assert sum(len(entry["text"]) for entry in told["entries"]) <= 40_000
    for entry in (told["entries"][0], told["entries"][-1]):
        assert limited(HOLDFAST, "tail", str(path), "--full", entry["id"], home=tmp_path).returncode == 0
        full = limited(HOLDFAST, "tail", str(path), "--full", entry["id"], "--raw", home=tmp_path)
        assert full.returncode == 0, full.stderr
        assert len(full.stdout.encode()) > min(entry["length"], 8_000_000)
    if name == "one endless line":
        assert told["disclosure"].startswith("1 of 4 entries was truncated")
        assert told["entries"][0]["length"] > 150_000_000


def test_a_file_beyond_four_gigabytes_is_tailed(tmp_path: Path) -> None:
    """Places are counted in bytes that no 32 bits hold; the file is one hole, but for its end."""
    path = tmp_path / "huge.jsonl"
    with path.open("wb") as file:
        file.seek(5 * 1024**3)
        file.write(b"\n" + b"".join(said("user", f"number {n}", n) for n in range(500)))
    done = limited(HOLDFAST, "tail", str(path), "--host", "claude-code", "--entries", "300", "--json", home=tmp_path)
    told = json.loads(done.stdout)["entries"]
    assert [entry["text"] for entry in told] == [f"number {n}" for n in range(200, 500)]
    full = limited(HOLDFAST, "tail", str(path), "--host", "claude-code", "--full", told[0]["id"], home=tmp_path)
    assert full.stdout == told[0]["text"] + "\n"
    path.unlink()


# ---- databases ---------------------------------------------------------------------------------------------------------

BIG = "a row of a log that is long " * 200_000  # 5.6 MB


def openclaw(path: Path) -> list[str]:
    """The database of OpenClaw with 40 rows of megabytes; returns what to call its session."""
    database = sqlite3.connect(path)
    database.execute(
        "CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, PRIMARY KEY (session_id, seq))"
    )
    for number in range(40):
        entry = {"type": "message", "message": {"role": "toolResult", "content": [{"type": "text", "text": BIG}]}}
        database.execute("INSERT INTO transcript_events VALUES ('s', ?, ?)", (number, json.dumps(entry)))
    last = {"type": "message", "message": {"role": "user", "content": CORRECTION}}
    database.execute("INSERT INTO transcript_events VALUES ('s', 99, ?)", (json.dumps(last),))
    database.commit()
    database.close()
    return ["--session", "s"]


def opencode(path: Path) -> list[str]:
    """The database of opencode with 40 parts of megabytes."""
    database = sqlite3.connect(path)
    database.executescript(
        "CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, time_updated INTEGER);"
        "CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, data TEXT);"
        "CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, data TEXT);"
        "INSERT INTO session VALUES ('s', NULL, 1);"
        """INSERT INTO message VALUES ('m', 's', '{"role": "user"}');"""
    )
    for number in range(40):
        part = {"type": "tool", "tool": "read", "state": {"status": "completed", "input": {}, "output": BIG}}
        database.execute("INSERT INTO part VALUES (?, 'm', 's', ?)", (f"p{number}", json.dumps(part)))
    database.execute("INSERT INTO part VALUES ('last', 'm', 's', ?)", (json.dumps({"type": "text", "text": CORRECTION}),))
    database.commit()
    database.close()
    return ["--session", "s"]


EVENTS = UNDER + (
    "from holdfast.transcripts import Transcript\n"
    "with Transcript(sys.argv[1], session='s') as t: print([e.text for e in t.events() if e.kind == 'user'], t.reasons)"
)


@pytest.mark.parametrize("make", [openclaw, opencode])
def test_a_database_with_rows_of_megabytes_is_read(make: Callable[[Path], list[str]], tmp_path: Path) -> None:
    """Its events, and its end: never more than one row at a time."""
    path = tmp_path / "host.sqlite"
    which = make(path)
    done = limited(EVENTS, str(path), home=tmp_path)
    assert done.stdout == f"[{CORRECTION!r}] []\n", done.stderr
    done = limited(HOLDFAST, "tail", str(path), *which, home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert CORRECTION in done.stdout
    assert "left out" in done.stdout
    path.unlink()


# ---- documents ---------------------------------------------------------------------------------------------------------


def test_documents_of_a_hundred_thousand_lines_are_read_and_kept(tmp_path: Path) -> None:
    """MEMORY.md, the day, the topic, the buffer and the state, each with more than anybody reads: every command still works."""
    at = ["--workspace", str(tmp_path / "workspace"), "--session", "s"]
    first = limited(HOLDFAST, *at, "checkpoint", "--topic", "lamp", "--task", "blink", "--correction", CORRECTION, home=tmp_path)
    assert first.returncode == 0, first.stderr
    day = first.stdout.split()[1][:8]
    names = ["MEMORY.md", f"memory/{day[:4]}-{day[4:6]}-{day[6:]}.md", "memory/context-lamp.md", "memory/working-buffer.md"]
    mine = "\n## Mine\n\n" + "".join(f"- {number:08d} a line of notes that nobody will ever read\n" for number in range(100_000))
    for name in [*names, "memory/session-state.md"]:
        path = tmp_path / "workspace" / name
        path.write_text((path.read_text() if path.exists() else "# Title\n") + mine)
    for argv, says in (
        (["recover"], CORRECTION),
        (["status"], "blink"),
        (["show", "latest"], CORRECTION),
        (["show", "state"], CORRECTION),
        (["show", "today"], "00099999"),
        (["show", "lamp"], "00099999"),
        (["topic", "list"], "lamp"),
        (["note", "one more"], "saved"),
        (["task", "blink faster"], "saved"),
        (["checkpoint", "--topic", "lamp", "--task", "blink fastest"], "saved"),
        (["show", "state"], "blink fastest"),
    ):
        done = limited(HOLDFAST, *at, *argv, home=tmp_path)
        assert done.returncode == 0, (argv, done.stderr)
        assert says in done.stdout
    for name in [*names, "memory/session-state.md"]:
        assert mine.strip() in (tmp_path / "workspace" / name).read_text(), f"{name} has lost a person's lines"


# ---- controls ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["hundreds of megabytes", "one endless line"])
def test_control_a_reader_that_takes_in_the_whole_file_is_killed(made: Callable[[str], Path], tmp_path: Path, name: str) -> None:
    """The limit is one that matters."""
    done = limited(SLURP, str(made(name)), home=tmp_path)
    assert done.returncode != 0
    assert "MemoryError" in done.stderr


def test_control_a_capture_that_never_forgets_is_found_out(made: Callable[[str], Path], tmp_path: Path) -> None:
    """A million names that are all remembered do not fit, and the receipt says so."""
    _, receipt = hook(UNFORGETTING, "PreCompact", made("ever new names"), tmp_path, trigger="auto")
    assert "failed: MemoryError" in receipt
