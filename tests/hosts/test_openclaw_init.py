"""`holdfast init openclaw` on OpenClaw itself: it takes the settings, lists the skill, loads the plugin, schedules the review.
`holdfast doctor` proves it.

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

from holdfast import __version__
from holdfast.hosts.openclaw import HOOKS
from holdfast.installs import marked, rules
from hosts.chat import system_of
from hosts.gateway import PLUGIN, Gateway, until
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


class Ours(Gateway):
    """A gateway without a plugin of ours in its settings, which has made its workspace; and our command in its home."""

    def __init__(self, version: str, folder: Path) -> None:
        super().__init__(version, folder)
        self.config.pop("plugins")
        self.write_config()
        (self.workspace / "AGENTS.md").write_text("# Mine\n")
        self.settings = self.state / "openclaw.json"

    def holdfast(self, *argv: str, code: int = 0) -> str:
        """One command of ours; what it printed."""
        ours = [sys.executable, "-m", "holdfast", *argv]
        done = subprocess.run(ours, env=self.env, cwd=self.home, capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout

    def doctor(self, code: int = 0) -> dict[str, Any]:
        """What doctor says of OpenClaw."""
        found = json.loads(self.holdfast("--workspace", str(self.workspace), "doctor", "--json", code=code))
        return dict(found["hosts"]["openclaw"])

    def reviews(self) -> list[dict[str, Any]]:
        """The jobs of ours in the host's scheduler."""
        jobs = json.loads(self.run("cron", "list", "--all", "--json"))["jobs"]
        return [job for job in jobs if job["name"].startswith("holdfast-review-")]


@pytest.fixture
def gateway(tmp_path: Path) -> Iterator[Ours]:
    """The newest."""
    yield from at_work("2026.9.6", tmp_path)


@pytest.fixture
def older(tmp_path: Path) -> Iterator[Ours]:
    """The last kind that keeps its transcripts in files."""
    yield from at_work("2026.7.1", tmp_path)


def at_work(version: str, folder: Path) -> Iterator[Ours]:
    gateway = Ours(version, folder / "of the host")
    yield gateway
    gateway.stop()
    gateway.model.close()


def test_the_gateway_runs_with_it(gateway: Ours) -> None:
    """The model is given rules, skill and tools, and a command that it runs is of its own session."""
    settings = gateway.settings.read_bytes()
    gateway.holdfast("init", "openclaw", "--yes")
    gateway.start()
    (asked, *_) = gateway.turn("hello")
    system = system_of(asked)
    assert rules.text("openclaw") in system
    assert "Working memory that survives compaction" in system
    assert "context_snap" in {tool["function"]["name"] for tool in asked["tools"]}
    assert "allowConversationAccess" not in gateway.said()
    run = json.dumps({"command": f"{shlex.quote(sys.executable)} -m holdfast decide 'round per invoice'"})
    gateway.turn(f"CALL: exec {run}")
    state = gateway.holdfast("--workspace", str(gateway.workspace), "--session", "agent:main:main", "show", "state")
    assert "\n- round per invoice\n" in state
    commands = json.loads(gateway.call("commands.list"))["commands"]
    assert [command["source"] for command in commands if command["name"] == "holdfast"] == ["plugin"]
    gateway.stop()
    gateway.holdfast("uninstall", "openclaw", "--yes")
    assert gateway.settings.read_bytes() == settings
    assert (gateway.workspace / "AGENTS.md").read_text() == "# Mine\n"
    assert not (gateway.state / "holdfast").exists()


def test_a_gateway_that_runs_takes_it_up_and_doctor_proves_it(gateway: Ours) -> None:
    """Loaded without a restart, the review scheduled once and run; every hook seen, the last injection in the request.

    And the control: without the permission doctor finds out, from what the other hooks tell, that prompts are not heard of.
    """
    gateway.start()
    gateway.holdfast("init", "openclaw", "--yes")
    (job,) = until(gateway.reviews)
    assert (job["schedule"]["expr"], job["enabled"]) == ("0 9 * * 1", True)
    gateway.run("cron", "run", job["id"], "--wait")
    assert "No meaningful changes" in gateway.run("cron", "runs", "--id", job["id"])
    assert "gateway_start" in gateway.doctor()["events"]
    session = "agent:main:main"
    gateway.turn('CALL: context_snap {"action": "checkpoint", "topic": "lamp", "status": "rates are in"}', session)
    gateway.turn("set the reduced rate to 7 percent, and never touch the old invoices", session)
    gateway.says("/compact", session)
    gateway.settled(session, "after_compaction")
    gateway.turn("go on", session)
    gateway.settled(session, "agent_end", 3)
    found = gateway.doctor()
    assert found["put"] == {"parts": ["topic", "brief"], "when": found["put"]["when"], "arrived": True}
    gateway.call("sessions.reset", key=session, reason="new")
    gateway.settled(session, "session_end")
    found = gateway.doctor()
    assert found["ok"], found
    assert set(HOOKS) <= set(found["events"])
    assert not [line for line in found["more"] if line.startswith("not fired here yet")]
    assert any(line.startswith(f"loaded: plugin {__version__} by OpenClaw 2026.9.6") for line in found["more"])
    settings = json.loads(gateway.settings.read_text())
    entry = settings["plugins"]["entries"]["holdfast"]
    entry["hooks"] = {}
    entry["config"]["weeklyReview"] = False
    gateway.config = settings
    gateway.reconfigure()
    until(lambda: gateway.reviews() == [])
    gateway.turn("hello", session)
    gateway.call("sessions.reset", key=session, reason="new")
    gateway.settled(session, "session_end", 2)
    found = gateway.doctor(code=1)
    assert "plugins.entries.holdfast.hooks.allowConversationAccess" in found["said"]


def test_the_review_is_scheduled_in_the_time_of_files_too(older: Ours) -> None:
    """2026.7.1: once, however often it starts; a time that a person has chosen stays."""
    older.holdfast("init", "openclaw", "--yes")
    older.start()
    (job,) = until(older.reviews)
    older.run("cron", "edit", job["id"], "--cron", "0 7 * * 2")
    older.stop()
    older.start()
    until(lambda: older.doctor()["events"]["gateway_start"][0] == 2)
    (again,) = older.reviews()
    assert (again["id"], again["schedule"]["expr"]) == (job["id"], "0 7 * * 2")
    older.run("cron", "run", job["id"])
    until(lambda: "No meaningful changes" in older.run("cron", "runs", "--id", job["id"]))


# ---- beside another memory, and instead of it --------------------------------------------------------------------------------

SNAP_MEMORY = Path(__file__).parent.parent / "fixtures" / "snap-memory"
CONFLICT = "plugin tool name conflict (holdfast): context_snap"
SNAP = 'CALL: context_snap {"action": "checkpoint", "topic": "lamp", "status": "rates are in"}'
WEEKLY = "Weekly memory review: run scripts/health-check.sh and scripts/archive-old-episodic.sh 30"


def put_older_memories(gateway: Ours) -> None:
    """The plugin snap-memory and the skill Big Memory, as their users have them."""
    entry = {"enabled": True, "hooks": {"allowConversationAccess": True}, "config": {"maxHistoryLines": 12}}
    gateway.config["plugins"] = {"load": {"paths": [str(SNAP_MEMORY)]}, "entries": {"snap-memory": entry}}
    gateway.write_config()
    skill = gateway.workspace / "skills" / "big-memory" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("---\nname: big-memory\ndescription: Task snapshots\n---\n\n<!-- BIG-MEMORY-SNAPSHOT v1 -->\n")


def test_two_memories_that_fight_are_found_out(gateway: Ours) -> None:
    """With both plugins on the older tool wins and the topic is injected twice; the host's log alone says so. And doctor does."""
    put_older_memories(gateway)
    gateway.holdfast("init", "openclaw", "--yes", "--no-switch")
    gateway.start()
    (_, answered, *_) = gateway.turn(SNAP)
    assert "(by snap-memory)" in json.dumps(answered["messages"], ensure_ascii=False)
    (asked, *_) = gateway.turn("hello")
    assert system_of(asked).count("rates are in") == 2
    assert CONFLICT in gateway.said()
    found = gateway.doctor(code=1)
    assert "two memories fight: the plugin snap-memory is on beside Holdfast" in found["said"]
    assert any("the skill big-memory is on beside Holdfast" in line for line in found["more"])


def test_init_in_a_running_gateway_switches_the_older_memories_off(gateway: Ours) -> None:
    """Without a restart: our tool answers, the topic that snap-memory left is injected once, its job is paused; and back."""
    put_older_memories(gateway)
    settings = gateway.settings.read_bytes()
    gateway.start()
    gateway.turn(SNAP)
    added = gateway.run("cron", "add", "--name", "weekly", "--cron", "0 9 * * 1", "--session", "isolated",
                        "--message", WEEKLY, "--no-deliver", "--json")  # fmt: skip
    job = json.loads(added)["id"]
    told = gateway.holdfast("init", "openclaw", "--yes")
    for words in ("the plugin snap-memory", "the skill big-memory", "the scheduled job weekly", "maxHistoryLines carried over"):
        assert words in " ".join(told.split())
    until(gateway.reviews)
    (asked, *_) = gateway.turn("hello")
    assert system_of(asked).count("rates are in") == 1
    assert "snap-memory" not in system_of(asked)
    (_, answered, *_) = gateway.turn(SNAP.replace("rates are in", "rates are out"))
    assert "(by snap-memory)" not in json.dumps(answered["messages"][-3:], ensure_ascii=False)
    assert CONFLICT not in gateway.said()
    last = gateway.turn('CALL: exec {"command": "echo settings: $HOLDFAST_SETTINGS"}')[-1]
    assert 'settings: {\\"maxHistoryLines\\":12}' in json.dumps(last["messages"])
    until(lambda: not job_of(gateway, job)["enabled"])
    (skill,) = [one for one in json.loads(gateway.run("skills", "list", "--json"))["skills"] if one["name"] == "big-memory"]
    assert (skill["disabled"], skill["modelVisible"]) == (True, False)
    commands = json.loads(gateway.call("commands.list"))["commands"]
    assert [one["source"] for one in commands if one["name"] in ("big-memory", "big_memory")] == ["plugin"]
    assert gateway.doctor()["ok"]
    gateway.stop()
    assert f"openclaw cron enable {job}" in gateway.holdfast("uninstall", "openclaw", "--yes")
    assert gateway.settings.read_bytes() == settings


def job_of(gateway: Ours, job: str) -> dict[str, Any]:
    jobs = json.loads(gateway.run("cron", "list", "--all", "--json"))["jobs"]
    return dict(next(one for one in jobs if one["id"] == job))


def test_the_review_is_scheduled_for_a_workspace_that_was_not_there_yet(gateway: Ours) -> None:
    """The gateway makes it with its first turn: the job comes after that turn, and no restart is wanted."""
    (gateway.workspace / "AGENTS.md").unlink()
    assert "is not there yet" in gateway.holdfast("init", "openclaw", "--yes")
    gateway.start()
    assert gateway.reviews() == []
    gateway.turn("set the reduced rate to 7 percent, and never touch the old invoices")
    until(gateway.reviews)
    assert "gateway_start" in gateway.doctor()["events"]
    gateway.holdfast("init", "openclaw", "--yes")
    assert len(gateway.reviews()) == 1


def test_of_a_long_agents_md_the_model_is_given_our_rules_whole(gateway: Ours) -> None:
    """The host cuts the middle of what is longer than 20,000 characters. The control: at the end of it they would be cut."""
    agents = gateway.workspace / "AGENTS.md"
    agents.write_text("# Mine\n\n" + "Words of mine, and what I like on Sundays.\n" * 700)
    gateway.holdfast("init", "openclaw", "--yes")
    section = rules.text("openclaw")
    mine = agents.read_text()
    agents.write_text(marked.with_section(marked.without_section(mine), section))
    gateway.start()
    (asked, *_) = gateway.turn("hello")
    assert section not in system_of(asked)
    found = gateway.doctor(code=1)
    assert "it cuts the middle, our rules with it" in found["said"]
    agents.write_text(mine)
    (asked, *_) = gateway.turn("hello", "agent:main:other")
    assert section in system_of(asked)


@pytest.mark.parametrize("version", ["2026.9.6", "2026.7.1"])
def test_rules_say_of_sessions_history_what_the_host_does(version: str, tmp_path: Path) -> None:
    """On both it has what came before a compaction."""
    gateway = Ours(version, tmp_path / "of the host")
    try:
        gateway.start()
        gateway.turn("the first words, of heat pumps")
        for number in range(4):
            gateway.turn(f"more words {number} " + "and so on " * 600)
        gateway.says("/compact")
        until(lambda: "compact" in gateway.shown("agent:main:main").casefold())
        wanted = {"sessionKey": "agent:main:main", "limit": 50}
        hidden = json.dumps({"id": "sessions_history", "args": wanted})  # behind the newer one's tool search
        call = f"tool_call {hidden}" if version == "2026.9.6" else f"sessions_history {json.dumps(wanted)}"
        last = gateway.turn(f"CALL: {call}")[-1]
        assert "the first words, of heat pumps" in json.dumps([one for one in last["messages"] if one["role"] == "tool"][-1])
    finally:
        gateway.stop()
        gateway.model.close()
    assert "has what came before too" in rules.text("openclaw", tuple(map(int, version.split("."))))


BIG_FLUSH = """{agents: {defaults: {compaction: {memoryFlush: {enabled: true, softThresholdTokens: 40000,
  systemPrompt: "Follow the BIG-MEMORY-SNAPSHOT schema exactly.",
  prompt: "Append a BIG-MEMORY-SNAPSHOT block. Reply NO_FLUSH if nothing is worth storing."}%s}}}}"""


@pytest.mark.parametrize("version", ["2026.9.6", "2026.7.1"])
def test_the_flush_words_of_big_memory_are_mapped_where_the_version_refuses_them(version: str, tmp_path: Path) -> None:
    """After it the host accepts its settings, whatever it said of them before; and the way back gives the bytes."""
    claw = Claw(version, tmp_path)
    claw.settings.write_text(BIG_FLUSH % "")
    before = claw.settings.read_bytes()
    assert (claw.run("openclaw", "config", "validate").returncode != 0) is (version == "2026.9.6")
    assert "accepted by `openclaw config validate`" in claw.holdfast("init", "openclaw", "--yes")
    assert "Config valid" in claw.run("openclaw", "config", "validate").stdout
    claw.holdfast("uninstall", "openclaw", "--yes")
    assert claw.settings.read_bytes() == before


def test_settings_that_the_host_refuses_are_not_said_to_be_taken_up(tmp_path: Path) -> None:
    """A key that somebody has kept from an older version, which is none of ours."""
    claw = Claw("2026.9.6", tmp_path)
    claw.settings.write_text(BIG_FLUSH % ", reserveTokensFloor: 20000")
    done = claw.run(sys.executable, "-m", "holdfast", "init", "openclaw", "--yes")
    assert done.returncode == 1
    assert "reserveTokensFloor" in done.stdout.rpartition("REFUSED")[2]
    assert "takes this up" not in done.stdout


@pytest.mark.parametrize("how", [["--link"], []], ids=["linked", "copied"])
def test_the_hosts_own_command_installs_the_plugin_as_well(how: list[str], tmp_path: Path) -> None:
    """A11: linked or copied by `openclaw plugins install`, it is loaded at the next start, and the model's call saves."""
    gateway = Gateway("2026.9.6", tmp_path / "openclaw")
    entry = gateway.config.pop("plugins")["entries"]["holdfast"]
    gateway.write_config()
    argv = [*gateway.argv, "plugins", "install", *how, str(PLUGIN), "--force", "--accept-capabilities"]
    done = subprocess.run(argv, env=gateway.env, cwd=tmp_path, capture_output=True, text=True, timeout=180, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    gateway.config = json.loads((gateway.state / "openclaw.json").read_text())
    gateway.config["plugins"]["entries"]["holdfast"].update(entry)
    gateway.write_config()
    try:
        gateway.start()
        gateway.turn('CALL: context_snap {"action": "checkpoint", "topic": "lamp", "status": "rates are in"}')
    finally:
        gateway.stop()
        gateway.model.close()
    assert "rates are in" in (gateway.workspace / "memory" / "context-lamp.md").read_text()
