"""pi itself: what it writes down when somebody stops it, forks a session or goes back in its tree; and what we tell of it.

It has no hooks of ours: its sessions are read where it keeps them. It is driven by its own protocol (`--mode rpc`), and where
that has no word for something, by keys. Only the model is ours.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hosts.chat_model import ANSWER, Model
from hosts.programs import installed, node
from hosts.screen import ENTER, UP, Screen

PACKAGE = "@earendil-works/pi-coding-agent@0.87.1"
ASK, ORDER, INSTEAD = "never touch the old invoices", "always use mongo, and never sqlite", "use postgres, and never a file"


class Host:
    """pi in a home of its own."""

    def __init__(self, folder: Path) -> None:
        self.model = Model()
        self.home, self.project = folder / "of the host", folder / "project"
        self.project.mkdir()
        own = self.home / ".pi" / "agent"
        own.mkdir(parents=True)
        about = {"baseUrl": f"{self.model.url}/v1", "api": "openai-completions", "apiKey": "none", "models": [{"id": "one"}]}
        (own / "models.json").write_text(json.dumps({"providers": {"ours": about}}))
        (own / "settings.json").write_text(json.dumps({"defaultProvider": "ours", "defaultModel": "one", "quietStartup": True}))
        path = f"{node().parent}:{os.environ['PATH']}"
        self.env = {"PATH": path, "HOME": str(self.home), "PI_OFFLINE": "1", "PI_SKIP_VERSION_CHECK": "1"}
        self.argv = [str(node()), str(installed(PACKAGE) / "dist" / "cli.js")]

    def recovered(self) -> str:
        """What we tell of the session that was had last."""
        argv = [sys.executable, "-m", "holdfast", "recover", "--host", "pi"]
        return subprocess.run(argv, cwd=self.project, env=self.env, capture_output=True, text=True, check=True).stdout


class Spoken:
    """A process of pi that is spoken with: JSON, a line each way."""

    def __init__(self, host: Host) -> None:
        self.host, self._number = host, 0
        self._lines: queue.Queue[str] = queue.Queue()

    def __enter__(self) -> Spoken:
        self.process = subprocess.Popen(
            [*self.host.argv, "--mode", "rpc"], cwd=self.host.project, env=self.host.env,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        return self

    def _listen(self) -> None:
        for line in self.process.stdout or ():
            self._lines.put(line)

    def ask(self, until: str = "", **command: Any) -> dict[str, Any]:
        """One command; what it answers, once `until` was told too."""
        self._number += 1
        assert self.process.stdin
        self.process.stdin.write(json.dumps({"id": str(self._number), **command}) + "\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = {}
        while not answer or until:
            told = json.loads(self._lines.get(timeout=60))
            if told.get("type") == "response" and told.get("id") == str(self._number):
                assert told["success"], told
                answer = told
            elif told.get("type") == until:
                until = ""
        return dict(answer.get("data") or {})

    def says(self, prompt: str) -> None:
        """One prompt, until all of it is done."""
        self.ask("agent_settled", type="prompt", message=prompt)

    def __exit__(self, *_: object) -> None:
        if self.process.stdin:
            self.process.stdin.close()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(10)
        self._listener.join(10)
        if self.process.stdout:
            self.process.stdout.close()


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    """A host with a model of our own."""
    found = Host(tmp_path)
    yield found
    found.model.close()


def test_what_the_user_stopped_in_its_midst_is_stopped_and_a_fork_has_what_came_before_it(host: Host) -> None:
    """What a command had printed until then is no error, and what was to follow is not done."""
    begun = host.project / "begun"
    with Spoken(host) as pi:
        pi.says(ASK)
        pi.ask(type="prompt", message="publish it\nRUN: touch begun; echo 1 failing; sleep 60; npm publish")
        patience = time.monotonic() + 60
        while not begun.exists() and time.monotonic() < patience:
            time.sleep(0.05)
        pi.ask("agent_settled", type="abort")
        told = host.recovered()
        assert "the user interrupted this" in told
        assert "Last error" not in told
        assert ASK in told
        pi.says(ORDER)
        prompts = pi.ask(type="get_fork_messages")["messages"]
        pi.ask(type="fork", entryId=prompts[1]["entryId"])
        pi.says(INSTEAD)
    told = host.recovered()
    assert ASK in told
    assert INSTEAD in told
    assert ORDER not in told


def test_who_goes_back_in_the_tree_has_taken_back_what_came_below(host: Host) -> None:
    """To what a command gave back, in the midst of a turn, below which another branch grows in the same file."""
    with Spoken(host) as pi:
        for prompt in (f"{ASK}\nRUN: echo one", ORDER, "and an index on the date"):
            pi.says(prompt)
    with Screen([*host.argv, "--continue"], host.project, host.env) as terminal:
        terminal.wait("and an index on the date")
        terminal.rest()
        at = len(terminal.words)
        terminal.type("/tree")
        terminal.wait("Session Tree", at)
        for place in ("(7/8)", "(6/8)", "(5/8)", "(4/8)", "(3/8)"):  # from the last answer to the result
            at = len(terminal.words)
            terminal.type(UP, then="")
            terminal.wait(place, at)
        at = len(terminal.words)
        terminal.type(ENTER, then="")
        terminal.wait("No summary", at)
        terminal.type(ENTER, then="")
        terminal.wait("Navigated to selected point", at)
        terminal.says(INSTEAD, host.model.requests, ANSWER.split("\n")[-1])
    told = host.recovered()
    assert ASK in told
    assert INSTEAD in told
    assert "mongo" not in told
    assert "index on the date" not in told
