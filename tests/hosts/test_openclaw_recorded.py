"""What three versions of OpenClaw have really said to a plugin, said again to ours: the plugin under node, without its host.

2026.3.31 can be tested in no other way: it cannot be fetched whole any more. The recordings are of another plugin: of what was
put into their requests nothing is ours.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from holdfast.hooks.receipts import read
from hosts.gateway import PLUGIN
from hosts.programs import node

RECORDED = Path(__file__).parents[3] / "shared" / "hosts" / "samples" / "openclaw"
HOME = "/home/user/.openclaw"  # as the recordings have it
MAIN = "agent:main:main"
TOPIC, BRIEF = "## Topic memory (Holdfast)", "# Where we left off (Holdfast)"

pytestmark = pytest.mark.skipif(not RECORDED.is_dir(), reason="the folder with recordings of the host is not beside the checkout")


class Replay:
    """A recording, with the files of its host where it had them, and our plugin."""

    def __init__(self, version: str, place: Path) -> None:
        self.state, self.workspace = place / "state", place / "state" / "workspace"
        sessions = self.state / "agents" / "main" / "sessions"
        sessions.mkdir(parents=True)
        self.workspace.mkdir()
        for path in RECORDED.glob(f"{version}-*.jsonl*"):
            shutil.copy(path, sessions / path.name.removeprefix(f"{version}-"))
        self.env = {"HOME": str(place), "PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path)}
        text = (RECORDED / f"{version}-hooks.jsonl").read_text().replace(HOME, str(self.state))
        self.hooks = [one for one in map(json.loads, text.splitlines()) if isinstance(one.get("ctx"), dict)]
        for one in self.hooks:
            one["ctx"] = {name: value for name, value in one["ctx"].items() if name != "getCron"}  # what it was is not recorded
            if one["ctx"].get("workspaceDir"):
                one["ctx"]["workspaceDir"] = str(self.workspace)
        self.version, self.answers = version, list[dict[str, Any]]()

    def run(self, *more: dict[str, Any]) -> None:
        """The recording, and what else is to be said behind it."""
        settings = json.dumps({"command": [sys.executable, "-m", "holdfast"]})
        argv = [str(node()), str(Path(__file__).parent / "replay.mjs"), str(PLUGIN), settings, str(self.state), self.version]
        lines = "".join(json.dumps(one) + "\n" for one in (*self.hooks, *more))
        done = subprocess.run(argv, input=lines, env=self.env, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stderr
        self.answers = [json.loads(line) for line in done.stdout.splitlines()]

    def receipts(self) -> list[dict[str, Any]]:
        """What our hooks did."""
        return read((self.workspace / ".holdfast" / "receipts.jsonl").read_text().splitlines())


@pytest.fixture(params=["2026.3.31", "2026.7.1", "2026.9.6"])
def replay(request: pytest.FixtureRequest, tmp_path: Path) -> Replay:
    """A recording in which the main session is bound to a topic."""
    replay = Replay(request.param, tmp_path)
    words = ["--session", MAIN, "checkpoint", "--topic", "lamp", "--status", "rates are in", "--decision", "round per invoice"]
    ours = [sys.executable, "-m", "holdfast", "--workspace", str(replay.workspace), *words]
    subprocess.run(ours, env=replay.env, capture_output=True, check=True)
    return replay


def test_what_real_hosts_have_said_is_understood(replay: Replay) -> None:
    """No hook fails, none is waited for in vain; every prompt of a person has the topic, and a run of the host's own nothing."""
    replay.run()
    assert [one["warned"] for one in replay.answers if "warned" in one] == []
    assert [one for one in replay.receipts() if "failed" in one] == []
    prompts = [one for one in replay.answers if one.get("hook") == "before_prompt_build"]
    assert len(prompts) > 10
    for one in prompts:
        given = json.dumps(one["answer"], ensure_ascii=False) if one["answer"] else ""
        assert ("rates are in" in given) is (one["session"] == MAIN and one["trigger"] == "user"), one
        assert not given or (TOPIC in given and one["trigger"] == "user"), one
    seen = {one["event"] for one in replay.receipts()}
    assert seen >= {"gateway_start", "session_start", "before_prompt_build", "agent_end", "session_end"}


def test_a_new_session_is_followed_by_the_brief_on_every_version(replay: Replay) -> None:
    """Also where `/new` fires no `before_reset` and its end has no reason: the session that begins in its place tells of it."""
    ends = [at for at, one in enumerate(replay.hooks) if one["hook"] == "session_start" and one["event"].get("resumedFrom")]
    del replay.hooks[ends[0] + 1 :]
    (first, *_) = [one for one in replay.hooks if one["hook"] == "before_prompt_build" and one["ctx"]["sessionKey"] == MAIN]
    replay.run(first)
    assert BRIEF in replay.answers[-1]["answer"]["prependContext"]
    assert "round per invoice" in replay.answers[-1]["answer"]["prependContext"]
    assert "The context was cleared." in replay.answers[-1]["answer"]["prependContext"]
