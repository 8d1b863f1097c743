"""OpenClaw's gateway as a program of its own: fetched once, started on loopback with a model of ours, ended by its own id."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hosts.chat import ChatModel, text_of
from hosts.programs import installed, node
from kept_receipts import by_hooks

PLUGIN = Path(__file__).parent.parent.parent / "src" / "holdfast" / "integrations" / "openclaw"
TOKEN = "of-the-test"


def until(found: Callable[[], Any], seconds: float = 60) -> Any:
    """What is found, as soon as it is there."""
    end = time.monotonic() + seconds
    while not (there := found()):
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.2)
    return there


class Gateway:
    """A gateway with a home of its own and our plugin in its settings."""

    def __init__(self, version: str, folder: Path, **settings: Any) -> None:
        self.argv = [str(node()), str(installed(f"openclaw@{version}") / "openclaw.mjs")]
        self.model = ChatModel()
        self.home, self.state, self.workspace = folder / "home", folder / "state", folder / "workspace"
        for place in (self.home, self.state, self.workspace):
            place.mkdir(parents=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.env = {
            "PATH": f"{node().parent}:{os.environ['PATH']}", "HOME": str(self.home), "OPENCLAW_STATE_DIR": str(self.state),
            "NO_COLOR": "1", "TMPDIR": str(folder), "PYTHONPATH": os.pathsep.join(sys.path),
        }  # fmt: skip
        self.config = self._config(settings)
        self.write_config()
        self.log = folder / "gateway.log"
        self.process: subprocess.Popen[bytes] | None = None

    def _config(self, settings: dict[str, Any]) -> dict[str, Any]:
        cost = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0}
        model = {
            "id": "a-model", "name": "A model", "reasoning": False, "input": ["text"], "contextWindow": 60000, "maxTokens": 4096,
            "cost": cost,
        }  # fmt: skip
        provider = {"baseUrl": self.model.url, "apiKey": "none", "api": "openai-completions", "models": [model]}
        own = {"command": [sys.executable, "-m", "holdfast"], **settings}
        entry = {"enabled": True, "hooks": {"allowConversationAccess": True}, "config": own}
        return {
            "gateway": {
                "mode": "local", "port": self.port, "bind": "loopback", "auth": {"mode": "token", "token": TOKEN},
                "http": {"endpoints": {"chatCompletions": {"enabled": True}}},
            },
            "models": {"mode": "merge", "providers": {"ours": provider}},
            "agents": {"defaults": {
                "model": {"primary": "ours/a-model"}, "workspace": str(self.workspace),
                "compaction": {"keepRecentTokens": 2000},
            }},
            "plugins": {"load": {"paths": [str(PLUGIN)]}, "entries": {"holdfast": entry}},
        }  # fmt: skip

    def write_config(self) -> None:
        """The settings as they are now."""
        (self.state / "openclaw.json").write_text(json.dumps(self.config, indent=1))

    def reconfigure(self) -> None:
        """The same while it runs. It takes them up a moment later; not while a turn is under way: then it wants them again."""
        applied, failed = "config hot reload applied", "config reload failed"
        before = self.said().count(applied)
        for _ in range(10):
            refused = self.said().count(failed)
            self.write_config()
            until(lambda refused=refused: self.said().count(applied) > before or self.said().count(failed) > refused)
            if self.said().count(applied) > before:
                return
            time.sleep(2)
        raise AssertionError(self.said()[-2000:])

    def start(self) -> None:
        """Begin, and wait until it answers."""
        with self.log.open("ab") as log:
            argv = [*self.argv, "gateway", "run", "--port", str(self.port), "--bind", "loopback"]
            self.process = subprocess.Popen(
                argv, cwd=self.workspace, env=self.env, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        until(self._answers, 300)

    def _answers(self) -> bool:
        assert self.process
        assert self.process.poll() is None, self.said()
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=5):
                return True
        except OSError:
            return False

    def stop(self) -> None:
        """End it, by its own id, and the model."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(10)

    def said(self) -> str:
        """What it has logged."""
        return self.log.read_text(errors="replace")

    def turn(self, text: str, session: str = "agent:main:main") -> list[dict[str, Any]]:
        """One turn of a person; what the model was asked for it."""
        before = len(self.model.requests)
        body = json.dumps({"model": "openclaw", "messages": [{"role": "user", "content": text}]}).encode()
        about = {"content-type": "application/json", "authorization": f"Bearer {TOKEN}", "x-openclaw-session-key": session}
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/v1/chat/completions", body, about)
        with urllib.request.urlopen(request, timeout=300) as reply:
            reply.read()
        return self.model.requests[before:]

    def says(self, text: str, session: str = "agent:main:main") -> None:
        """A person's words on a channel, where commands are heard. The host answers behind it."""
        self.call("chat.send", sessionKey=session, message=text, idempotencyKey=f"{text}-{time.monotonic()}")

    def shown(self, session: str) -> str:
        """What a person sees of a session."""
        found = json.loads(self.call("chat.history", sessionKey=session))["messages"]
        return "\n".join(text_of(one) for one in found if one["role"] == "assistant")

    def every_receipt(self) -> list[dict[str, Any]]:
        """What our hooks did."""
        return by_hooks(self.workspace / ".holdfast" / "receipts.jsonl")

    def receipts(self, session: str) -> list[dict[str, Any]]:
        """What our hooks did for a session."""
        return [one for one in self.every_receipt() if one.get("session") == session]

    def settled(self, session: str, event: str, times: int = 1) -> list[str]:
        """What our hook did, once it has done so: hooks run on behind the answer."""
        def done() -> list[str]:
            found = [one["did"] for one in self.receipts(session) if one["event"] == event]
            return found if len(found) >= times else []

        return until(done)

    def child(self) -> int:
        """The id of the process of ours that stays."""
        for place in Path("/proc").iterdir():
            try:
                words = (place / "cmdline").read_bytes().split(b"\0")
                above = (place / "stat").read_text().rpartition(")")[2].split()[1]
            except (OSError, IndexError):
                continue
            if b"--stay" in words and self.process and int(above) == self.process.pid:
                return int(place.name)
        return 0

    def run(self, *words: str) -> str:
        """The host's own command line."""
        done = subprocess.run(
            [*self.argv, *words], cwd=self.workspace, env={**self.env, "OPENCLAW_GATEWAY_TOKEN": TOKEN}, capture_output=True,
            text=True, timeout=240, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def call(self, method: str, **given: Any) -> str:
        """A method of the gateway."""
        return self.run("gateway", "call", method, "--params", json.dumps(given), "--json", "--timeout", "60000")
