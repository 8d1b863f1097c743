"""Gemini CLI itself: a session in a folder that nobody set up is compressed, goes on, and has its past again.

The host is the real program, with a model of ours on loopback, in a home of its own into which `holdfast init gemini` has
written. A prompt by the command line is a process that resumes the session of the one before; many prompts go over the protocol
by which editors speak with it, in one process.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hosts.gemini_model import ANSWER, LITTLE, MUCH, Model
from hosts.programs import installed, node
from hosts.screen import ESCAPE, Screen
from kept_receipts import by_hooks

PACKAGE, OLDER = "@google/gemini-cli@0.61.0", "@google/gemini-cli@0.59.0"
BRIEF, NOTE = "# Where we left off (Holdfast)", "# Open in this project (Holdfast)"
GO_ON, QUESTION = "Until then do not stop to ask.", "Does this match where we left off?"
ASKED = "set the reduced rate to 7 percent, and never touch the old invoices\nRUN: echo REDUCED_RATE=0.07 | tee rates.txt"
OWN = {  # what a user's settings may have
    "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
    "general": {"enableAutoUpdate": False},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
}


class Host:
    """Gemini CLI in a home of its own."""

    def __init__(self, folder: Path, model: Model) -> None:
        self.model, self.more, self.package = model, ["--yolo"], PACKAGE
        self.home, self.project = folder / "of the host", folder / "project"
        self.settings = self.home / ".gemini" / "settings.json"
        self.settings.parent.mkdir(parents=True)
        self.project.mkdir()
        self.settings.write_text(json.dumps(OWN, indent=2) + "\n")
        # Without NO_RELAUNCH it starts itself a second time, with more memory: twice as long, and two processes to end.
        own = {"GEMINI_API_KEY": "none", "GEMINI_CLI_NO_RELAUNCH": "true", "GOOGLE_GEMINI_BASE_URL": model.url}
        self.env = {"PATH": os.environ["PATH"], "HOME": str(self.home), "HOLDFAST_HOOK_SECONDS": "9", **own}

    def holdfast(self, *words: str) -> str:
        """A command of ours, as the user of this home gives it."""
        argv = [sys.executable, "-m", "holdfast", *words]
        return subprocess.run(argv, cwd=self.project, env=self.env, check=True, capture_output=True, text=True).stdout

    def gemini(self, *words: str) -> subprocess.CompletedProcess[str]:
        """The program."""
        main = installed(self.package) / "bundle" / "gemini.js"
        return subprocess.run(
            [str(node()), str(main), *words],
            cwd=self.project, env=self.env,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip

    def says(self, prompt: str, *, session: str = "latest", new: bool = False) -> list[dict[str, Any]]:
        """One prompt, in the session of the one before; what the model was asked for it."""
        before = len(self.model.requests)
        resumed = [] if new or not before else ["--resume", session]
        done = self.gemini("-p", prompt, "--output-format", "json", *resumed, *self.more)
        assert done.returncode == 0, done.stdout + done.stderr
        assert json.loads(done.stdout)["response"].startswith("The rate is set.")
        return self.model.requests[before:]

    def receipts(self) -> list[dict[str, Any]]:
        """What our hooks did."""
        (path,) = self.home.rglob("receipts.jsonl")
        return by_hooks(path)


class Spoken:
    """A process of the host that is spoken with, as editors do: JSON, a line each way. Nothing of it is left behind."""

    def __init__(self, host: Host) -> None:
        self.host, self._number = host, 0

    def __enter__(self) -> Spoken:
        argv = [str(node()), str(installed(PACKAGE) / "bundle" / "gemini.js"), "--acp", "--yolo"]
        self.process = subprocess.Popen(
            argv, cwd=self.host.project, env=self.host.env,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self._late = threading.Timer(120, self.process.kill)
        self._late.start()
        place: dict[str, Any] = {"cwd": str(self.host.project), "mcpServers": []}
        self._ask("initialize", {"protocolVersion": 1, "clientCapabilities": {}})
        self.session = self._ask("session/new", place)["sessionId"]
        self._ask("session/set_mode", {"sessionId": self.session, "modeId": "yolo"})
        return self

    def says(self, prompt: str) -> list[dict[str, Any]]:
        """One prompt; what the model was asked for it."""
        before = len(self.host.model.requests)
        parts = [{"type": "text", "text": prompt}]
        assert self._ask("session/prompt", {"sessionId": self.session, "prompt": parts})["stopReason"] == "end_turn"
        return self.host.model.requests[before:]

    def _ask(self, method: str, params: dict[str, Any]) -> Any:
        self._number += 1
        assert self.process.stdin
        assert self.process.stdout
        asked = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        self.process.stdin.write(json.dumps(asked).encode() + b"\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            answer = json.loads(line)
            if answer.get("id") == self._number and "method" not in answer:
                assert "result" in answer, answer
                return answer["result"]
        raise AssertionError(f"the host has ended at {method}")

    def __exit__(self, *_: object) -> None:
        self._late.cancel()
        self.process.kill()
        self.process.wait(20)
        for stream in (self.process.stdin, self.process.stdout):
            if stream:
                stream.close()


def texts(asked: dict[str, Any]) -> str:
    """All that a request says, with the instructions to the model."""
    return json.dumps([asked["contents"], asked.get("systemInstruction")], ensure_ascii=False)


def given(asked: dict[str, Any], what: str = BRIEF) -> list[str]:
    """Our briefs in a request."""
    parts = [part for content in asked["contents"] for part in content["parts"]]
    return [json.dumps(part, ensure_ascii=False) for part in parts if what in json.dumps(part, ensure_ascii=False)]


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    """A host with a model, into which Holdfast is installed."""
    model = Model()
    found = Host(tmp_path, model)
    found.holdfast("init", "gemini", "--yes")
    yield found
    model.close()


def test_a_session_that_is_compressed_carries_on(host: Host) -> None:
    """The brief comes with the next prompt and, within a turn, with the next result; once for each compression."""
    host.says(ASKED)
    host.model.used = MUCH
    _, compressed = host.says("is it set?\nRUN: cat rates.txt")
    assert "billing service" in texts(compressed)  # all that the host's own summary kept
    assert "never touch the old invoices" not in texts(compressed)
    (asked,) = host.says("go on")
    for fact in ("never touch the old invoices", "Shall I round per line or per invoice?", "REDUCED_RATE"):
        assert fact in given(asked)[0]
    assert len(given(asked)) == 1
    assert (GO_ON in given(asked)[0], QUESTION in given(asked)[0]) == (True, False)  # with `-p` nobody is there
    host.model.used = MUCH
    before_it, compressed, after_it = host.says("look at it\nRUN: echo one\nRUN: echo two")
    assert len(given(before_it)) == 1
    assert "state_snapshot" in texts(compressed)
    assert "functionResponse" in given(after_it)[-1]  # what the second command gave back
    assert [receipt["event"] for receipt in host.receipts() if "gave" in receipt] == ["prompt", "tool"]
    assert [receipt["did"] for receipt in host.receipts() if "failed" in receipt] == []
    assert sorted(path.name for path in host.project.iterdir()) == ["rates.txt"]


def test_what_the_agent_sets_by_a_command_is_of_its_session(host: Host) -> None:
    """Gemini CLI does not tell a command which session it runs in; the transcript shows the command, and our answer."""
    host.says(f"round it\nRUN: {Path(sys.executable).parent}/holdfast decide 'round per line, not per invoice'")
    host.model.used = MUCH
    host.says("is it set?\nRUN: true")
    (asked,) = host.says("go on")
    assert "Decisions (as set):\\n- round per line, not per invoice" in given(asked)[0]


def test_what_a_hook_wants_before_the_agent_may_stop_is_not_what_the_user_wants(host: Host) -> None:
    """The host puts it under the prompt that the agent is at; what waits for the user still does, and a command goes on."""
    said = "Never stop before the tests have run: run them."
    blocks = f"""import json, os, sys
if not os.path.exists({str(host.home / "blocked")!r}):
    open({str(host.home / "blocked")!r}, "w").close()
    print(json.dumps({{"decision": "deny", "reason": {said!r}}}))
"""
    (host.home / "blocks.py").write_text(blocks)
    settings = json.loads(host.settings.read_text())
    command = f"{sys.executable} '{host.home}/blocks.py'"
    settings["hooks"]["AfterAgent"].append({"hooks": [{"type": "command", "command": command}]})
    host.settings.write_text(json.dumps(settings))
    host.says("set the reduced rate")
    host.says('and the others\nCALL: run_shell_command {"command": "sleep 2 && make deploy", "is_background": true}')
    (record,) = host.home.rglob("session-*.jsonl")
    assert said in record.read_text()
    session = json.loads(record.read_text().partition("\n")[0])["sessionId"]
    told = host.holdfast("recover", "--session", session)
    assert "Never stop" not in told
    assert "Unanswered, word for word:\n- Shall I round per line or per invoice?" in told
    assert "Left running in the background, and not seen to end: `sleep 2 && make deploy` (PID " in told


def test_an_upgrade_of_gemini_loses_nothing_and_wants_nothing_done_again(host: Host) -> None:
    """Begun under an older one: the session goes on under the newer, is compressed, and has its past."""
    host.package = OLDER
    host.says(ASKED)
    assert "saved" in [receipt["did"].split(" ")[0] for receipt in host.receipts()]
    host.package = PACKAGE
    host.model.used = MUCH
    _, compressed = host.says("is it set?\nRUN: cat rates.txt")
    assert "never touch the old invoices" not in texts(compressed)
    (asked,) = host.says("go on")
    (brief,) = given(asked)
    assert "never touch the old invoices" in brief
    assert [receipt["did"] for receipt in host.receipts() if "failed" in receipt] == []
    assert "nothing to do" in host.holdfast("init", "gemini", "--yes")


def test_at_the_terminal_a_person_compresses_clears_and_leaves(host: Host) -> None:
    """`/compress` is a compaction, and its brief comes with the next prompt; after `/clear` a note does. The end of each session
    is told once, however often the host says it; a greeting alone is not saved.
    """
    host.model.used = MUCH // 3  # so much that it is worth compressing, and too little for the host to do it by itself
    argv = [str(node()), str(installed(PACKAGE) / "bundle" / "gemini.js"), "--yolo"]
    with Screen(argv, host.project, host.env) as terminal:

        def says(prompt: str) -> list[dict[str, Any]]:
            return terminal.says(prompt, host.model.requests, ANSWER.split("\n")[-1])

        terminal.wait("Tips for getting started")
        terminal.rest()
        assert [given(asked) for asked in says(ASKED.replace("\n", " "))] == [[], []]
        at = len(terminal.words)
        terminal.type("/compress")
        terminal.wait("Chat history compressed", at)
        terminal.rest()
        (after_it,) = says("go on")
        assert len(given(after_it)) == 1
        assert "never touch the old invoices" in given(after_it)[0]
        assert (GO_ON in given(after_it)[0], QUESTION in given(after_it)[0]) == (False, True)
        at = len(terminal.words)
        terminal.type("/clear")
        terminal.wait("Tips for getting started", at)
        terminal.rest()
        (cleared,) = says("hello")
        assert given(cleared) == []
        assert NOTE in texts(cleared)
        terminal.type("/quit")
        terminal.process.wait(30)
    did = host.receipts()
    assert [receipt["did"] for receipt in did if "failed" in receipt] == []
    assert [receipt["event"] for receipt in did].count("before-compaction") == 1
    ends = [(receipt["session"], receipt["did"].split(" ")[0]) for receipt in did if receipt["event"] == "end"]
    assert len({session for session, _ in ends}) == 2
    assert sorted(what for _, what in ends).count("saved") == 1
    (day,) = host.home.rglob("memory/20*.md")
    assert day.read_text().count("trigger session-") == 1, day.read_text()


def test_at_the_terminal_a_person_turns_a_tool_away(host: Host) -> None:
    """The host drops what was asked for then, and writes the rest of the conversation a second time; we keep the one and do not
    take the other for new.
    """
    with Screen([str(node()), str(installed(PACKAGE) / "bundle" / "gemini.js")], host.project, host.env) as terminal:
        terminal.wait("Tips for getting started")
        terminal.rest()
        terminal.says("never touch the old invoices", host.model.requests, ANSWER.split("\n")[-1])
        at = len(terminal.words)
        terminal.type("push it RUN: git push origin main")
        terminal.wait("Allow execution of", at)
        terminal.type(ESCAPE, then="")
        terminal.wait("Request cancelled", at)
        terminal.type("/quit")
        terminal.process.wait(30)
    (chat,) = host.home.rglob("chats/session-*.jsonl")
    assert chat.read_text().count('"text":"never touch the old invoices"') > 1  # else it does no such thing any more
    told = host.holdfast("recover")
    assert "Working on: push it" in told
    assert "the user interrupted this" in told
    assert "never touch the old invoices" in told


def test_ten_turns_and_two_resumes_grow_by_nothing_of_ours(host: Host) -> None:
    """A new session begins with one note in its first prompt, and has that one, byte by byte, from then on."""
    host.says(ASKED)
    with Spoken(host) as spoken:
        notes = [given(spoken.says(f"now part {number} of the work")[0], NOTE) for number in range(8)]
    notes += [given(host.says(f"now part {number} of the work", session=spoken.session)[0], NOTE) for number in (8, 9)]
    assert len(notes[0]) == 1
    assert notes == [notes[0]] * 10
    assert [receipt["delivery"]["is"] for receipt in host.receipts() if "delivery" in receipt] == ["arrived"]


FAULTS = {
    "it fails": "#!/bin/sh\necho garbled\necho garbled >&2\nexit 3\n",
    "it prints what is no answer": "#!/bin/sh\necho '{\"hookSpecificOutput\": 7, \"decision\": [}'\n",
    "it hangs": "#!/bin/sh\nexec sleep 60\n",
    "it is gone": "",
}


def test_a_broken_holdfast_changes_nothing_for_the_host(host: Host, tmp_path: Path) -> None:
    """Whatever it does, the answer is there, and no request has a word of it."""
    broken = tmp_path / "broken"
    settings = json.loads(host.settings.read_text())
    for (group,) in settings["hooks"].values():
        before, _, behind = group["hooks"][0]["command"].partition(" hook ")
        command = f"{before.partition('; ')[0]}; {broken} hook {behind}"  # as it was written, but for the program
        group["hooks"][0] |= {"command": command, "timeout": 500}
    host.settings.write_text(json.dumps(settings))
    with Spoken(host) as spoken:
        for number, (fault, program) in enumerate(FAULTS.items()):
            broken.unlink(missing_ok=True)
            if program:
                broken.write_text(program)
                broken.chmod(0o755)
            asked = spoken.says(f"go on\nRUN: echo {number} | tee ran.txt")
            assert (host.project / "ran.txt").read_text() == f"{number}\n", fault
            assert "garbled" not in texts(asked[-1]), fault


def test_a_session_that_no_hook_saw_is_captured(host: Host) -> None:
    """It was had before `init`, in a folder that nobody set up: the next one has a note of it."""
    host.holdfast("uninstall", "gemini", "--yes")
    host.says(ASKED)
    host.holdfast("init", "gemini", "--yes")
    asked = host.says("hello", new=True)[0]
    for fact in (NOTE, "never touch the old invoices", "Shall I round per line or per invoice?"):
        assert fact in texts(asked)
    assert given(asked) == []
    assert "of the session before" in host.receipts()[0]["did"]


def test_the_real_client_uses_the_tools(host: Host) -> None:
    """The model calls `note`, and the note is in memory; its answer goes back to the model."""
    call = 'CALL: mcp_holdfast_note {"text": "the ledger is closed on the third working day"}'
    first, second = host.says(f"remember this\n{call}")
    tools = {tool["name"] for entry in first["tools"] for tool in entry["functionDeclarations"]}
    assert {f"mcp_holdfast_{name}" for name in ("recover", "checkpoint", "note", "search", "show", "status")} <= tools
    assert "saved" in texts(second)
    assert "third working day" in host.holdfast("search", "ledger closed")


def test_the_extension_brings_all_of_it(host: Host) -> None:
    """Installed by the host's own command, with the plain name of ours: hooks, tools, rules."""
    host.holdfast("uninstall", "gemini", "--yes")
    package = Path(__file__).parents[2] / "src" / "holdfast" / "integrations" / "gemini"
    done = host.gemini("extensions", "install", str(package), "--consent")
    assert done.returncode == 0, done.stdout + done.stderr
    host.env["PATH"] = f"{Path(sys.executable).parent}:{host.env['PATH']}"
    host.says(ASKED)
    (asked,) = host.says("go on", new=True)
    assert NOTE in texts(asked)
    assert "mcp_holdfast_recover" in json.dumps(asked["tools"])
    assert "Memory that survives compaction (Holdfast)" in texts(asked)
    assert "nothing to do" in host.holdfast("init", "gemini", "--yes")


def test_uninstall_gives_the_bytes_back_though_the_host_has_run(host: Host) -> None:
    """The settings byte for byte; of what we made nothing is left."""
    assert host.says("hello")
    host.holdfast("uninstall", "gemini", "--yes")
    assert host.settings.read_text() == json.dumps(OWN, indent=2) + "\n"
    assert not [path for path in host.settings.parent.rglob("*") if path.name in ("GEMINI.md", "holdfast.toml", "commands")]
    host.says("hello again")
    assert host.model.used == LITTLE
