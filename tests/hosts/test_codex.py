"""Codex itself: a session in a folder that nobody set up is compacted, goes on, and has its past again.

The host is the real program; only the model is ours. It is driven by its own server (`codex app-server`), over which its clients
speak to it too: several turns in one process, a compaction on command, and what it says of its hooks.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hosts.model import ANSWER
from hosts.programs import installed
from hosts.responses import SUMMARY, Responses
from hosts.screen import DOWN, ENTER, Screen
from kept_receipts import by_hooks

PACKAGE, OLDER = "@openai/codex@0.169.0-linux-x64", "@openai/codex@0.166.0-linux-x64"
BRIEF, NOTE = "# Where we left off (Holdfast)", "# Open in this project (Holdfast)"
GO_ON, QUESTION = "Until then do not stop to ask.", "Does this match where we left off?"
ROOT = Path(__file__).parents[2]
SETTINGS = """\
model = "a-model"
model_provider = "ours"  # ours
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.ours]
name = "ours"
base_url = "{url}"
wire_api = "responses"
env_key = "NO_KEY"
"""


class Host:
    """Codex in a home of its own."""

    def __init__(self, folder: Path) -> None:
        self.package = PACKAGE
        self.model = Responses()
        self.home, self.project = folder / "of the host", folder / "project"
        self.config = self.home / ".codex" / "config.toml"
        self.config.parent.mkdir(parents=True)
        self.config.write_text(SETTINGS.format(url=self.model.url))
        self.project.mkdir()
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        self.env = {"PATH": path, "HOME": str(self.home), "NO_KEY": "none", "HOLDFAST_HOOK_SECONDS": "9"}

    @property
    def program(self) -> Path:
        """The program itself, without the script that chooses it."""
        return installed(self.package) / "vendor/x86_64-unknown-linux-musl/bin/codex"

    def holdfast(self, *words: str) -> str:
        """A command of ours, in the same home."""
        argv = [sys.executable, "-m", "holdfast", *words]
        return subprocess.run(argv, cwd=self.project, env=self.env, capture_output=True, text=True, check=True).stdout

    def run(self, *words: str) -> str:
        """The program itself."""
        done = subprocess.run(
            [str(self.program), *words], cwd=self.project, env=self.env, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=120, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    def trust_all(self) -> None:
        """What a user does who chooses “Trust all”: the digest that Codex shows is noted in its settings."""
        with Client(self) as client:
            rows = [f'\n[hooks.state."{hook["key"]}"]\ntrusted_hash = "{hook["currentHash"]}"\n' for hook in client.hooks()]
        self.config.write_text(self.config.read_text() + "".join(rows))

    def says(self, terminal: Screen, prompt: str) -> str:
        """One prompt by keys. Returns the requests that the model got for it."""
        return json.dumps(terminal.says(prompt, self.model.requests, ANSWER.split("\n")[-1]), ensure_ascii=False)

    def end_what_stays(self) -> None:
        """The processes that Codex leaves behind, each known by the program in this home."""
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(OSError):
                if path.read_bytes().startswith(os.fsencode(self.home)):
                    os.kill(int(path.parent.name), signal.SIGKILL)
        shutil.rmtree(self.home / ".codex" / "packages", ignore_errors=True)  # where it has put a copy of itself

    def receipts(self) -> list[dict[str, str]]:
        """What our hooks did."""
        return [receipt for path in self.home.rglob("receipts.jsonl") for receipt in by_hooks(path)]


class Client:
    """One process of Codex, and the session that is had in it."""

    def __init__(self, host: Host, *more: str, session: str = "") -> None:
        self.host, self.session = host, session
        self.process = subprocess.Popen(
            [str(host.program), "app-server", *more], cwd=host.project, env=host.env, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        self.lines: queue.Queue[str] = queue.Queue()
        self.listener = threading.Thread(target=self._listen, daemon=True)
        self.listener.start()
        self.asked = 0

    def _listen(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.lines.put(line)

    def __enter__(self) -> Client:
        self.ask("initialize", clientInfo={"name": "test", "title": "test", "version": "1"})
        if self.session:
            self.ask("thread/resume", threadId=self.session)
        return self

    def __exit__(self, *_: object) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(10)
        self.listener.join(10)
        assert self.process.stdout
        self.process.stdout.close()

    def ask(self, method: str, until: str = "", **given: Any) -> dict[str, Any]:
        """One request. Returns its result, or what `until` brings after it."""
        assert self.process.stdin
        self.asked += 1
        self.process.stdin.write(json.dumps({"id": self.asked, "method": method, "params": given}) + "\n")
        self.process.stdin.flush()
        patience, answered = time.monotonic() + 120, False
        while time.monotonic() < patience:
            told = json.loads(self.lines.get(timeout=120))
            if told.get("id") == self.asked:
                assert "error" not in told, told
                answered = True
                if not until:
                    return dict(told["result"])
            if answered and until and told.get("method") == until and told["params"].get("threadId") == given["threadId"]:
                return dict(told["params"])  # of this session: another agent's turns end too
        raise TimeoutError(method)

    def hooks(self) -> list[dict[str, Any]]:
        """What Codex knows of hooks here."""
        return list(self.ask("hooks/list", cwds=[str(self.host.project)])["data"][0]["hooks"])

    def says(self, prompt: str) -> str:
        """One turn. Returns every request that the model got for it."""
        if not self.session:
            self.session = self.ask("thread/start", cwd=str(self.host.project))["thread"]["id"]
        before = len(self.host.model.requests)
        given = [{"type": "text", "text": prompt}]
        turn = self.ask("turn/start", "turn/completed", threadId=self.session, input=given)["turn"]
        assert turn["error"] is None, turn
        self.answer, self.turn = turn["items"][-1]["text"], turn["id"]
        return json.dumps(self.host.model.requests[before:], ensure_ascii=False)

    def compact(self) -> None:
        """The compaction that a user asks for."""
        self.ask("thread/compact/start", "turn/completed", threadId=self.session)


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[Host]:
    """A host with a model, and without us."""
    host = Host(tmp_path)
    yield host
    host.model.close()


@pytest.fixture
def host(bare: Host) -> Host:
    """A host with us in it, by a user who has trusted our hooks."""
    bare.holdfast("init", "codex", "--yes")
    bare.trust_all()
    return bare


WORDS = "set the reduced rate to 7 percent, and never touch the old invoices\nRUN: echo REDUCED_RATE=0.07 > rates.txt"


def test_a_session_that_is_compacted_on_command_carries_on(host: Host) -> None:
    """The brief is in the next request to the model; the project has no file of ours; nothing failed."""
    with Client(host) as codex:
        codex.says(WORDS)
        assert BRIEF not in codex.says("is it set?")
        codex.compact()
        asked = codex.says("go on")
    assert SUMMARY in asked  # all that the host's own summary kept
    assert asked.count(BRIEF) == 1
    for fact in ("never touch the old invoices", "Shall I round per line or per invoice?", "rates.txt"):
        assert fact in asked[asked.index(BRIEF) :]
    assert [path.name for path in host.project.iterdir()] == ["rates.txt"]
    did = [(receipt["event"], receipt["did"]) for receipt in host.receipts()]
    assert [event for event, what in did if "fail" in what or "not saved" in what] == []
    assert [event for event, _ in did].count("before-compaction") == 1
    assert any(event == "after-compaction" and "the host's summary kept" in what for event, what in did)


def test_what_the_agent_sets_by_a_command_is_of_its_session(host: Host) -> None:
    """Codex tells a command which thread it runs in."""
    with Client(host) as codex:
        codex.says(f"round it\nRUN: {Path(sys.executable).parent}/holdfast decide 'round per line, not per invoice'")
        codex.compact()
        asked = codex.says("go on")
    assert "Decisions (as set):\\n- round per line, not per invoice" in asked[asked.index(BRIEF) :]


def test_a_session_that_codex_compacts_by_itself_carries_on(host: Host) -> None:
    """In the midst of a turn: the brief is in the same turn's next request."""
    with Client(host, "-c", "model_auto_compact_token_limit=50000") as codex:
        codex.says(WORDS)
        host.model.tokens = 60000
        asked = codex.says("write it down\nRUN: echo done")
    assert host.model.tokens == 100  # it was compacted
    last = json.loads(asked)[-1]
    assert json.dumps(last).count(BRIEF) == 1
    assert "never touch the old invoices" in json.dumps(last)
    assert (GO_ON in json.dumps(last), QUESTION in json.dumps(last)) == (True, False)  # in the midst of a turn


def test_exec_is_told_to_go_on_and_nobody_is_asked(host: Host) -> None:
    """By itself and on the user's command nobody is there to answer what it prints."""
    limit = ("-c", "model_auto_compact_token_limit=50000")
    host.model.tokens = 60000
    host.run("exec", "--skip-git-repo-check", *limit, WORDS)
    asked = json.dumps(host.model.requests[-1])
    assert asked.count(BRIEF) == 1
    assert ("When a user next speaks with you" in asked, QUESTION in asked) == (True, False)


def test_an_upgrade_of_codex_loses_nothing_and_wants_nothing_done_again(bare: Host) -> None:
    """Set up, trusted and begun under an older one: the session goes on under the newer, is compacted, and has its past."""
    bare.package = OLDER
    bare.holdfast("init", "codex", "--yes")
    bare.trust_all()
    with Client(bare) as codex:
        codex.says(WORDS)
    before = bare.receipts()
    assert [receipt["event"] for receipt in before if receipt["did"].startswith("saved")] == ["turn"]
    bare.package = PACKAGE
    with Client(bare, session=codex.session) as codex:
        assert [hook["trustStatus"] for hook in codex.hooks()] == ["trusted"] * 6
        codex.says("is it set?")
        codex.compact()
        asked = codex.says("go on")
    assert asked.count(BRIEF) == 1
    assert "never touch the old invoices" in asked[asked.index(BRIEF) :]
    assert [receipt["did"] for receipt in bare.receipts() if "failed" in receipt] == []
    assert "trust them" not in bare.holdfast("init", "codex", "--yes")


def test_what_we_put_into_a_context_does_not_grow(host: Host) -> None:
    """Ten turns and two resumes after a compaction: the one brief, and no second one."""
    with Client(host) as codex:
        codex.says(WORDS)
        codex.compact()
        for number in range(10):
            assert codex.says(f"step {number}").count(BRIEF) == 1
    for number in range(2):
        with Client(host, session=codex.session) as again:
            assert again.says(f"after resume {number}").count(BRIEF) == 1


def test_hooks_that_nobody_trusted_do_nothing_and_it_can_be_told(bare: Host) -> None:
    """By Codex itself, and by us from what Codex has noted; what we write is what it trusts, and stays so."""
    assert "start `codex` once, and trust them there" in bare.holdfast("init", "codex", "--yes")
    with Client(bare) as codex:
        assert {hook["trustStatus"] for hook in codex.hooks()} == {"untrusted"}
        codex.says(WORDS)
    assert bare.receipts() == []
    bare.trust_all()
    assert "trust them" not in bare.holdfast("init", "codex", "--yes")
    with Client(bare) as codex:
        assert [hook["trustStatus"] for hook in codex.hooks()] == ["trusted"] * 6
        asked = codex.says("hello")
    assert "never touch the old invoices" in asked  # of the session that no hook saw
    assert [receipt["event"] for receipt in bare.receipts()][:2] == ["start", "prompt"]


def test_at_the_terminal_a_person_trusts_them_compacts_and_resumes(bare: Host) -> None:
    """What Codex notes of “Trust all” is what we read; the brief comes after `/compact`, and once; leaving ends no session.

    In the terminal Codex does its work in a process that stays, and that is begun by the first window.
    """
    bare.holdfast("init", "codex", "--yes")
    try:
        with Screen([str(bare.program)], bare.project, bare.env) as terminal:
            terminal.wait("6 hooks are new or changed")
            terminal.type(DOWN, then="")
            terminal.wait("› 2. Trust all and continue")
            terminal.type(ENTER, then="")
            terminal.wait("To get started, describe a task")
            bare.says(terminal, WORDS.replace("\n", " "))
            assert "trust them" not in bare.holdfast("init", "codex", "--yes")
            terminal.type("/compact")
            terminal.wait("Context compacted")
            asked = bare.says(terminal, "go on")
            assert (asked.count(BRIEF), QUESTION in asked, GO_ON in asked) == (1, True, False)
            terminal.type("/quit")
            terminal.process.wait(30)
        assert [receipt["event"] for receipt in bare.receipts() if "failed" in receipt] == []
        saved = [receipt["event"] for receipt in bare.receipts() if receipt["did"].startswith("saved")]
        assert saved[0] == "turn"
        with Screen([str(bare.program), "resume", "--last"], bare.project, bare.env) as terminal:
            terminal.wait("go on")
            assert bare.says(terminal, "and on").count(BRIEF) == 1
    finally:
        bare.end_what_stays()


def test_exec_runs_them_where_the_user_says_so(bare: Host) -> None:
    """`--dangerously-bypass-hook-trust` is the user's own switch for one run; without it nothing is done and nothing said."""
    bare.holdfast("init", "codex", "--yes", "--no-rules")
    words = ("exec", "--skip-git-repo-check")
    assert "hook: " not in bare.run(*words, "hello")
    assert bare.receipts() == []
    assert "hook: Stop Completed" in bare.run(*words, "--dangerously-bypass-hook-trust", "hello")
    assert [receipt["event"] for receipt in bare.receipts()][:3] == ["start", "prompt", "turn"]


BROKEN = {"fails": "exit 3", "is gone": "", "prints what nobody understands": "echo '{]'", "never answers": "sleep 600"}


@pytest.mark.parametrize("how", BROKEN)
def test_a_command_that_does_not_work_changes_nothing_for_the_host(bare: Host, how: str) -> None:
    """The answer is the one that there would be without us, before and after a compaction."""
    script, hooks = bare.home / "holdfast", bare.home / ".codex" / "hooks.json"
    bare.holdfast("init", "codex", "--yes", "--no-rules")
    text = re.sub(r'"[^"]*holdfast hook', f'"\'{script}\' hook', hooks.read_text())
    if BROKEN[how]:
        script.write_text(f"#!/bin/sh\n{BROKEN[how]}\n")
        script.chmod(0o755)
    if how == "never answers":  # shorter, so that nobody waits for six times ten seconds
        text = re.sub(r'("timeout": )\d+', r"\g<1>1", text)
    hooks.write_text(text)
    bare.trust_all()
    with Client(bare) as codex:
        codex.says("hello")
        codex.compact()
        codex.says("go on")
        assert codex.answer == ANSWER


def test_the_tools_of_the_mcp_server_are_called_by_the_model(host: Host) -> None:
    """A tool writes, another one reads it back."""
    with Client(host, "-c", "mcp_servers.holdfast.required=true") as codex:
        assert "mcp__holdfast" in codex.says('CALL: note {"text": "the heron stands at the pond"}')
        asked = codex.says('CALL: search {"query": "heron pond"}')
        assert "the heron stands at the pond" in asked.split('"function_call_output"')[-1]
    (day,) = host.home.rglob("memory/20*.md")
    assert "the heron stands at the pond" in day.read_text()


def test_the_rules_reach_the_model(host: Host) -> None:
    """And the project's own AGENTS.md still does."""
    (host.project / "AGENTS.md").write_text("Speak of the heron.\n")
    with Client(host) as codex:
        asked = codex.says("hello")
    for text in ("Memory that survives compaction (Holdfast)", "Speak of the heron."):
        assert text in asked


def test_the_plugin_for_claude_code_works_unchanged(bare: Host) -> None:
    """From the same marketplace; its hooks want trust like any others, and know which host it is that calls them."""
    bare.run("plugin", "marketplace", "add", str(ROOT))
    bare.run("plugin", "add", "holdfast@holdfast")
    with Client(bare) as codex:
        assert {(hook["trustStatus"], hook["pluginId"]) for hook in codex.hooks()} == {("untrusted", "holdfast@holdfast")}
    bare.model.tokens = 60000
    limit = ("-c", "model_auto_compact_token_limit=50000")
    bare.run("exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", *limit, WORDS)
    asked = json.dumps(bare.model.requests[-1])
    assert "holdfast:holdfast-memory" in asked
    assert asked.count(BRIEF) == 1
    assert {receipt["host"] for receipt in bare.receipts()} == {"codex"}


def test_uninstall_gives_the_bytes_back_though_the_host_has_run(host: Host) -> None:
    """What Codex itself has written into its settings stays; our parts go."""
    with Client(host) as codex:
        codex.says("hello")
    host.holdfast("uninstall", "codex", "--yes")
    assert "holdfast" not in re.sub(r"\[hooks\.state.*\n.*\n", "", host.config.read_text())
    assert host.config.read_text().startswith(SETTINGS.format(url=host.model.url))
    assert not (host.home / ".codex" / "hooks.json").exists()
    assert not (host.home / ".codex" / "AGENTS.md").exists()
    before = len(host.receipts())
    with Client(host) as codex:
        assert codex.hooks() == []
        codex.says("hello again")
    assert len(host.receipts()) == before
