"""Hooks: the real command with the payloads that a host sends, in a folder that nobody has set up."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

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
        self.env = {"HOME": str(folder / "home"), "PATH": os.environ["PATH"]}

    def says(self, *turns: object) -> None:
        """Turns that the host writes down."""
        with self.transcript.open("a") as file:
            file.writelines(json.dumps(turn) + "\n" for turn in turns)

    def fire(self, event: str, stdin: bytes | None = None, **more: object) -> str:
        """One hook; what it printed."""
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
        assert (done.returncode, done.stderr) == (0, b""), done.stderr.decode()
        return done.stdout.decode()

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


def test_a_compaction_is_survived_in_a_folder_that_nobody_set_up(host: Host) -> None:
    """PreCompact prints nothing and saves; the session start after it gives the brief; the project has no file of ours."""
    assert host.fire("PreCompact", trigger="auto") == ""
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
    command = [sys.executable, "-m", "holdfast", "--session", "s1", "task", "the agent's own words"]
    subprocess.run(command, cwd=host.project, env=host.env, check=True, capture_output=True)
    host.fire("PreCompact")
    assert "Working on: the agent's own words" in host.brief()
    assert "/w/rates.py" in host.brief()


def test_trivial_talk_leaves_no_snapshot(tmp_path: Path) -> None:
    """B10: question and answer is not worth one."""
    host = Host(tmp_path)
    host.says({"type": "user", "message": {"role": "user", "content": "what is a monad"}})
    host.fire("PreCompact")
    assert "BIG-MEMORY-SNAPSHOT" not in host.written()
    assert host.brief("startup") == ""


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
    """Nothing can be kept; the host does not notice."""
    host.env["XDG_STATE_HOME"] = "/proc/nowhere"
    assert host.fire("PreCompact") == ""
    assert host.fire("SessionStart", source="compact") == ""


def test_a_fault_of_ours_is_in_the_receipt_and_not_in_the_host(host: Host, tmp_path: Path) -> None:
    """Whatever is raised inside, the host sees exit 0 and silence, and the receipt names it."""
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "sitecustomize.py").write_text(
        "from holdfast.memory import Memory\ndef fault(*_a, **_k): raise KeyError('a fault of ours')\nMemory.capture = fault\n"
    )
    host.env["PYTHONPATH"] = str(broken)
    assert host.fire("PreCompact") == ""
    assert "failed: KeyError" in host.written()


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
    "data", ["", "[]", "{", '{"capture": {"names": {"a": 1}, "files": {"b": []}}}', '{"position": {"offset": "x"}, "seen": 3}']
)
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
