"""`holdfast init openclaw` on OpenClaw itself: it takes the settings, lists the skill, loads the plugin, schedules the review.

Each version runs in a throw-away home, as a command; the newer one as a gateway too, with a model of ours.
"""

from __future__ import annotations

import json
import shlex
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from holdfast.installs import rules
from hosts.chat import system_of
from hosts.gateway import Gateway
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
    (skill,) = [skill for skill in claw.json("skills", "list")["skills"] if skill["name"] == "holdfast-memory"]
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
def gateway(tmp_path: Path) -> Iterator[Gateway]:
    """A gateway without a plugin of ours, which has made its workspace."""
    gateway = Gateway("2026.9.6", tmp_path / "of the host")
    gateway.config.pop("plugins")
    gateway.write_config()
    (gateway.workspace / "AGENTS.md").write_text("# Mine\n")
    yield gateway
    gateway.stop()
    gateway.model.close()


def test_the_gateway_runs_with_it(gateway: Gateway) -> None:
    """The model is given rules, skill and tools, a command that it runs is of its own session, and the review is scheduled."""

    def holdfast(*argv: str) -> str:
        ours = [sys.executable, "-m", "holdfast", *argv]
        done = subprocess.run(ours, env=gateway.env, cwd=gateway.home, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    settings = (gateway.state / "openclaw.json").read_bytes()
    said = holdfast("init", "openclaw", "--yes")
    gateway.start()
    (asked, *_) = gateway.turn("hello")
    system = system_of(asked)
    assert rules.text("openclaw") in system
    assert "Working memory that survives compaction" in system
    assert "context_snap" in {tool["function"]["name"] for tool in asked["tools"]}
    assert "allowConversationAccess" not in gateway.said()
    run = json.dumps({"command": f"{shlex.quote(sys.executable)} -m holdfast decide 'round per invoice'"})
    gateway.turn(f"CALL: exec {run}")
    state = holdfast("--workspace", str(gateway.workspace), "--session", "agent:main:main", "show", "state")
    assert "\n- round per invoice\n" in state
    commands = json.loads(gateway.call("commands.list"))["commands"]
    assert [command["source"] for command in commands if command["name"] == "holdfast"] == ["plugin"]
    (line,) = [line for line in said.splitlines() if line.startswith("  openclaw cron add")]
    job = json.loads(gateway.run(*shlex.split(line)[1:], "--json"))["id"]
    gateway.run("cron", "run", job, "--wait")
    assert "No meaningful changes" in gateway.run("cron", "runs", "--id", job)
    gateway.stop()
    holdfast("uninstall", "openclaw", "--yes")
    assert (gateway.state / "openclaw.json").read_bytes() == settings
    assert (gateway.workspace / "AGENTS.md").read_text() == "# Mine\n"
    assert not (gateway.state / "holdfast").exists()
