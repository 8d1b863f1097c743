"""`holdfast init openclaw` on OpenClaw itself: it takes the settings, lists the skill, loads the plugin, schedules the review.

Each version runs in a throw-away home, as a command and once as a gateway; no model is asked for anything.
"""

from __future__ import annotations

import json
import os
import shlex
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from holdfast.installs import shipped
from hosts.programs import installed, node

SETTINGS = """\
// the owner's
{
  gateway: { mode: "local", port: %d, bind: "loopback", auth: { mode: "token", token: "t-123" } }, // this machine alone
  agents: {
    defaults: {
      compaction: { memoryFlush: { softThresholdTokens: 4000 } },
    },
  },
}
"""


class Claw:
    """An OpenClaw of one version in a home of its own, which has made its workspace."""

    def __init__(self, version: str, home: Path) -> None:
        program = installed(f"openclaw@{version}")
        self.home, self.state = home, home / ".openclaw"
        self.path = f"{program.parent / '.bin'}:{node().parent}:/usr/bin:/bin"
        (self.state / "workspace").mkdir(parents=True)
        (self.state / "workspace" / "AGENTS.md").write_text("# Mine\n")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.settings = self.state / "openclaw.json"
        self.settings.write_text(SETTINGS % self.port)
        self.before = self.kept()

    def run(self, *argv: str) -> subprocess.CompletedProcess[str]:
        """One command line in this home."""
        env = {"HOME": str(self.home), "PATH": self.path, "NO_COLOR": "1"}
        return subprocess.run(argv, env=env, cwd=self.home, capture_output=True, text=True, timeout=180, check=False)

    def holdfast(self, *argv: str) -> str:
        """One command of ours; what it printed."""
        done = self.run(sys.executable, "-m", "holdfast", *argv)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def json(self, *argv: str) -> Any:
        """What a command of OpenClaw's prints as JSON."""
        done = self.run("openclaw", *argv, "--json")
        assert "{" in done.stdout, done.stdout + done.stderr
        return json.loads(done.stdout[done.stdout.index("{") :])

    def kept(self) -> dict[str, bytes]:
        """The files that are the owner's, and whatever stands where ours would."""
        places = (self.settings, self.state / "workspace" / "AGENTS.md", self.state / "holdfast", self.state / "skills")
        files = [path for place in places for path in (place, *place.rglob("*")) if path.is_file()]
        return {str(path): path.read_bytes() for path in files}


@pytest.fixture(scope="module", params=["2026.9.6", "2026.7.1"])
def claw(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Claw:
    """With Holdfast in it."""
    if not shipped.files("openclaw"):
        pytest.skip("there is no plugin for OpenClaw in this Holdfast")
    claw = Claw(request.param, tmp_path_factory.mktemp("home"))
    claw.holdfast("init", "openclaw", "--yes")
    return claw


def test_openclaw_accepts_the_settings(claw: Claw) -> None:
    """Its schema is strict: one key that it does not know, and it would not start."""
    done = claw.run("openclaw", "config", "validate")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Config valid" in done.stdout


def test_openclaw_lists_the_skill_for_the_model(claw: Claw) -> None:
    """Eligible as it stands, whatever is on PATH."""
    (skill,) = [skill for skill in claw.json("skills", "list")["skills"] if skill["name"] == "holdfast"]
    assert (skill["eligible"], skill["disabled"], skill["source"]) == (True, False, "openclaw-managed")


def test_openclaw_loads_the_plugin(claw: Claw) -> None:
    """From the folder that init has put it in, because the settings say so."""
    plugin = claw.json("plugins", "inspect", "holdfast")["plugin"]
    assert (plugin["status"], plugin["enabled"], plugin["origin"]) == ("loaded", True, "config")
    assert plugin["rootDir"] == str(claw.state / "holdfast" / "plugin")


def test_a_second_init_has_nothing_to_do_and_uninstall_gives_the_bytes_back(claw: Claw) -> None:
    """Though OpenClaw has run on them."""
    assert "nothing to do" in claw.holdfast("init", "openclaw", "--yes")
    claw.holdfast("uninstall", "openclaw", "--yes")
    assert claw.kept() == claw.before


def test_the_control_what_one_version_knows_is_a_fault_to_another(tmp_path: Path) -> None:
    """Were the words to the flush written for 2026.9.6 too, it would refuse its settings."""
    claw = Claw("2026.9.6", tmp_path)
    claw.settings.write_text('{agents: {defaults: {compaction: {memoryFlush: {prompt: "words"}}}}}')
    assert claw.run("openclaw", "config", "validate").returncode != 0


@pytest.fixture
def gateway(tmp_path: Path) -> Iterator[tuple[Claw, Path, str]]:
    """A gateway that was started after init, with its log and what init said."""
    if not shipped.files("openclaw"):
        pytest.skip("there is no plugin for OpenClaw in this Holdfast")
    claw, log = Claw("2026.9.6", tmp_path), tmp_path / "gateway.log"
    said = claw.holdfast("init", "openclaw", "--yes")
    env = {"HOME": str(claw.home), "PATH": claw.path, "NO_COLOR": "1"}
    program = next(path for folder in claw.path.split(":") if os.path.exists(path := f"{folder}/openclaw"))
    argv = [program, "gateway", "run", "--port", str(claw.port), "--bind", "loopback"]
    with log.open("wb") as out:
        process = subprocess.Popen(argv, env=env, cwd=claw.home, stdin=subprocess.DEVNULL, stdout=out, stderr=out)
    try:
        _wait_for(claw.port, process, log)
        yield claw, log, said
    finally:
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(30)


def _wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + 180
    while time.monotonic() < deadline:
        assert process.poll() is None, log.read_text()[-2000:]
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.5)
    pytest.fail(f"the gateway did not come up: {log.read_text()[-2000:]}")


def test_the_gateway_runs_with_it(gateway: tuple[Claw, Path, str]) -> None:
    """The plugin is loaded, `/holdfast` is its command and no other's, and the review that init names is scheduled and runs."""
    claw, log, said = gateway
    assert ", holdfast," in next(line for line in log.read_text().splitlines() if "http server listening" in line)
    assert "allowConversationAccess" not in log.read_text()
    commands = claw.json("gateway", "call", "commands.list", "--params", "{}")["commands"]
    assert [command["source"] for command in commands if command["name"] == "holdfast"] == ["plugin"]
    (line,) = [line for line in said.splitlines() if line.startswith("  openclaw cron add")]
    job = claw.json(*shlex.split(line)[1:])
    done = claw.run("openclaw", "cron", "run", job["id"], "--wait")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "No meaningful changes" in done.stdout + claw.run("openclaw", "cron", "runs", "--id", job["id"]).stdout
    claw.holdfast("uninstall", "openclaw", "--yes")
    assert claw.kept() == claw.before
