"""Claude Code itself: a session in a folder that nobody set up is compacted, goes on, and has its past again.

The host is the real program, taken from npm into a folder of the user's cache; only the model is ours. Without npm, or without
the network, this says so and is passed over.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from hosts.model import Model

VERSION = "2.1.325"
PACKAGE = f"@anthropic-ai/claude-code-linux-x64@{VERSION}"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "holdfast-hosts" / f"claude-code-{VERSION}"


@pytest.fixture(scope="session")
def program() -> Path:
    """The program, fetched once."""
    path = CACHE / "package" / "claude"
    if not path.exists():
        if not shutil.which("npm") or sys.platform != "linux":
            pytest.skip("Claude Code is fetched with npm, on Linux; there is none here")
        CACHE.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(["npm", "pack", PACKAGE], cwd=CACHE, capture_output=True, text=True, check=False)
        packed = next(CACHE.glob("*.tgz"), None)
        if packed is None:
            pytest.skip(f"{PACKAGE} could not be fetched: {done.stderr[-200:]}")
        with tarfile.open(packed) as archive:
            archive.extractall(CACHE, filter="data")
        packed.unlink()
    return path


class Host:
    """Claude Code in a home of its own, with our hooks in its settings."""

    def __init__(self, program: Path, folder: Path, model: Model) -> None:
        self.program, self.model = program, model
        self.home, self.project = folder / "of the host", folder / "project"
        self.home.mkdir()
        self.project.mkdir()
        command = f"{sys.executable} -m holdfast hook claude-code"
        hook = [{"hooks": [{"type": "command", "command": command, "timeout": 30}]}]
        events = ("SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "PostCompact", "SessionEnd")
        self.settings = folder / "settings.json"
        self.settings.write_text(json.dumps({"hooks": dict.fromkeys(events, hook)}))
        self.session = ""
        self.more: list[str] = []  # arguments besides
        self.env: dict[str, str] = {}  # and of the environment

    def says(self, prompt: str) -> str:
        """One prompt, in the same session as the one before; what the model was asked for it."""
        before = len(self.model.requests)
        env = {
            "PATH": os.environ["PATH"], "HOME": str(self.home), "IS_SANDBOX": "1", "ANTHROPIC_BASE_URL": self.model.url,
            "ANTHROPIC_API_KEY": "none", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1",
            "DISABLE_TELEMETRY": "1", "DISABLE_ERROR_REPORTING": "1", **self.env,
        }  # fmt: skip
        argv = [str(self.program), "-p", prompt, "--settings", str(self.settings), "--allowedTools", "Bash"]
        argv += ["--output-format", "json", *(["--resume", self.session] if self.session else []), *self.more]
        done = subprocess.run(
            argv, cwd=self.project, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=180, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        self.session = json.loads(done.stdout)["session_id"]
        return json.dumps(self.model.requests[before:], ensure_ascii=False)

    def receipts(self) -> list[dict[str, str]]:
        """What our hooks did."""
        (path,) = self.home.rglob("receipts.jsonl")
        return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture
def host(program: Path, tmp_path: Path) -> Iterator[Host]:
    """A host with a model."""
    model = Model()
    yield Host(program, tmp_path, model)
    model.close()


def test_a_session_that_is_compacted_carries_on(host: Host) -> None:
    """The brief is in the next request to the model; the project has no file of ours; nothing failed."""
    host.says("set the reduced rate to 7 percent, and never touch the old invoices\nRUN: echo REDUCED_RATE=0.07 > rates.txt")
    assert "Holdfast" not in host.says("is it set?")
    host.says("/compact")
    asked = host.says("go on")
    assert "worked on the billing service" in asked  # all that the host's own summary kept
    for fact in ("# Where we left off (Holdfast)", "never touch the old invoices", "Shall I round per line or per invoice?"):
        assert fact in asked
    assert asked.count("# Where we left off (Holdfast)") == 1
    assert sorted(path.name for path in host.project.iterdir()) == ["rates.txt"]
    did = [(receipt["event"], receipt["did"]) for receipt in host.receipts()]
    assert [event for event, _ in did if "fail" in _ or "not saved" in _] == []
    saved = [event for event, what in did if what.startswith("saved")]
    assert saved.count("before-compaction") == 1
    assert saved[0] == "turn"  # and nothing would be lost had no hook told of the compaction
    (day,) = host.home.rglob("memory/20*.md")
    assert day.read_text().count("[SNAPSHOT] Session") == 1
    assert any(event == "after-compaction" and "the host's summary kept" in what for event, what in did)


def test_the_summariser_is_told_what_to_keep_and_the_brief_is_known_to_have_arrived(host: Host) -> None:
    """The paragraph is in the request for the summary; the next hook finds the brief's mark in the transcript, once."""
    host.says("set the reduced rate to 7 percent, and never touch the old invoices\nRUN: echo REDUCED_RATE=0.07 > rates.txt")
    asked = host.says("/compact")
    assert "keep the following exactly as written here" in asked
    assert "The user's constraints: “set the reduced rate to 7 percent, and never touch the old invoices" in asked
    host.says("go on")
    host.says("and on")
    told = [receipt["delivery"]["is"] for receipt in host.receipts() if "delivery" in receipt]  # type: ignore[index]
    assert told == ["arrived"]
    assert sum("gave" in receipt for receipt in host.receipts()) == 1


def test_a_brief_that_the_host_cuts_is_known_to_be_cut(host: Host) -> None:
    """Beyond 10,000 characters the host puts it into a file and 2 KB of it into the context."""
    host.env["HOLDFAST_BRIEF_MAX_CHARS"] = "30000"
    host.says("never touch the old invoices\nRUN: true")
    notes = "".join(f"- the customer number {n} is billed in {n % 12 + 1} parts, each on the first\n" for n in range(400))
    command = [sys.executable, "-m", "holdfast", "write", "MEMORY.md"]
    env = {"PATH": os.environ["PATH"], "HOME": str(host.home)}
    subprocess.run(command, cwd=host.project, env=env, input=notes.encode(), check=True, capture_output=True)
    host.says("/compact")
    host.says("go on")
    told = [receipt["delivery"]["is"] for receipt in host.receipts() if "delivery" in receipt]  # type: ignore[index]
    assert told == ["cut"], [receipt["did"] for receipt in host.receipts()]


def test_a_user_who_asks_for_the_past_gets_it(host: Host) -> None:
    """In the same request as the question; an ordinary prompt gets nothing."""
    host.says("never touch the old invoices\nRUN: true")
    host.says("/compact")
    before = host.says("go on")
    after = host.says("you forgot what I told you about the invoices")
    assert after.count("# Where we left off (Holdfast)") == before.count("# Where we left off (Holdfast)") + 1


def test_the_tools_of_the_mcp_server_reach_the_model(host: Host) -> None:
    """It probes `server/discover` first and then begins as before; whatever it begins with, the tools are in the request."""
    server = {"command": sys.executable, "args": ["-m", "holdfast", "mcp"]}
    settings = host.settings.parent / "mcp.json"
    settings.write_text(json.dumps({"mcpServers": {"holdfast": server}}))
    host.more = ["--mcp-config", str(settings), "--strict-mcp-config"]
    asked = host.says("hello")
    for tool in ("recover", "checkpoint", "context_snap", "note", "search", "show", "status"):
        assert f"mcp__holdfast__{tool}" in asked
