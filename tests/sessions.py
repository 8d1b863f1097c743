"""A machine on which hosts have left sessions: the same story in the form of each host, laid out where that host keeps it."""

from __future__ import annotations

import json
import sqlite3
import time
from pathlib import Path
from typing import Any

NUMBER = "0a1b2c3d-0000-4000-8000-{:012d}"
Entry = dict[str, Any]


class Turn:
    """One turn: a request, an edit, a commit, an answer; what is left empty did not happen."""

    def __init__(
        self, request: str, edit: str = "", commit: str = "", answer: str = "Done with that, all of it is in place now."
    ) -> None:
        self.request, self.edit, self.commit, self.answer = request, edit, commit, answer


STORY = (
    Turn("set the reduced rate to 7 percent, and never touch old invoices", "/w/rates.py", "reduced rate is 7 percent"),
    Turn(
        "round the sums of each invoice to cents", "/w/rounding.py", "sums are rounded", "Shall I round per line or per invoice?"
    ),
    Turn("per invoice, and write a page about it", "/w/docs/rounding.md", "page about rounding", "Should the page name the law?"),
)
FACTS = (
    "set the reduced rate",
    "round the sums",
    "per invoice, and write",
    "rates.py",
    "rounding.py",
    "rounding.md",
)


def stamps(begin: str) -> Any:
    """Moments ten seconds apart, in UTC."""
    moment = time.mktime(time.strptime(begin, "%Y-%m-%dT%H:%M:%S")) - time.timezone
    while True:
        yield time.strftime("%Y-%m-%dT%H:%M:%S.250Z", time.gmtime(moment))
        moment += 10


def claude_code(session: str, folder: str, turns: tuple[Turn, ...], begin: str, *, side: bool = False) -> list[Entry]:
    """As Claude Code writes it."""
    clock, found = stamps(begin), []

    def add(kind: str, content: Any) -> None:
        found.append({
            "type": kind, "uuid": f"u{len(found)}", "parentUuid": f"u{len(found) - 1}", "isSidechain": side, "sessionId": session,
            "cwd": folder, "gitBranch": "main", "timestamp": next(clock), "message": {"role": kind, "content": content},
        })  # fmt: skip

    for number, turn in enumerate(turns):
        add("user", turn.request)
        for call, name, given in (
            (f"e{number}", "Edit", {"file_path": turn.edit, "old_string": "a = 1", "new_string": "a = 2"} if turn.edit else None),
            (f"c{number}", "Bash", {"command": f'git commit -m "{turn.commit}"'} if turn.commit else None),
        ):
            if given:
                add("assistant", [{"type": "tool_use", "id": call, "name": name, "input": given}])
                add("user", [{"type": "tool_result", "tool_use_id": call, "content": "ok"}])
        add("assistant", [{"type": "text", "text": turn.answer}])
    return found


def codex(session: str, folder: str, turns: tuple[Turn, ...], begin: str, *, side: bool = False) -> list[Entry]:
    """As Codex writes it."""
    clock = stamps(begin)
    source: Any = {"subagent": {"thread_spawn": {"parent_thread_id": "x", "depth": 1}}} if side else "cli"
    about = {"id": session, "cwd": folder, "source": source, "git": {"branch": "main"}}
    found: list[Entry] = [{"timestamp": next(clock), "type": "session_meta", "payload": about}]

    def add(**payload: Any) -> None:
        found.append({"timestamp": next(clock), "type": "response_item", "payload": payload})

    for number, turn in enumerate(turns):
        add(type="message", role="user", content=[{"type": "input_text", "text": turn.request}])
        if turn.edit:
            patch = f"*** Begin Patch\n*** Update File: {turn.edit}\n@@\n-a = 1\n+a = 2\n*** End Patch\n"
            add(type="custom_tool_call", call_id=f"e{number}", name="apply_patch", input=patch)
            add(type="custom_tool_call_output", call_id=f"e{number}", output="ok")
        if turn.commit:
            given = json.dumps({"command": ["bash", "-lc", f'git commit -m "{turn.commit}"']})
            add(type="function_call", call_id=f"c{number}", name="shell", arguments=given)
            add(
                type="function_call_output",
                call_id=f"c{number}",
                output=json.dumps({"output": "ok", "metadata": {"exit_code": 0}}),
            )
        add(type="message", role="assistant", content=[{"type": "output_text", "text": turn.answer}])
    return found


def pi(session: str, folder: str, turns: tuple[Turn, ...], begin: str) -> list[Entry]:
    """As pi writes it, and OpenClaw before 2026.8."""
    clock = stamps(begin)
    found: list[Entry] = [{"type": "session", "version": 3, "id": session, "timestamp": next(clock), "cwd": folder}]

    def add(**message: Any) -> None:
        found.append({"type": "message", "id": f"e{len(found)}", "timestamp": next(clock), "message": message})

    for number, turn in enumerate(turns):
        add(role="user", content=[{"type": "text", "text": turn.request}])
        for call, name, given in (
            (f"e{number}", "edit", {"path": turn.edit, "oldText": "a = 1", "newText": "a = 2"} if turn.edit else None),
            (f"c{number}", "bash", {"command": f'git commit -m "{turn.commit}"'} if turn.commit else None),
        ):
            if given:
                add(role="assistant", content=[{"type": "toolCall", "id": call, "name": name, "arguments": given}])
                add(role="toolResult", toolCallId=call, toolName=name, content=[{"type": "text", "text": "ok"}], isError=False)
        add(role="assistant", content=[{"type": "text", "text": turn.answer}])
    return found


def gemini(session: str, _folder: str, turns: tuple[Turn, ...], begin: str) -> list[Entry]:
    """As Gemini CLI writes it; the folder stands beside it."""
    clock = stamps(begin)
    found: list[Entry] = [{"sessionId": session, "projectHash": "0" * 64, "startTime": next(clock), "kind": "main"}]
    for number, turn in enumerate(turns):
        found.append({"id": f"u{number}", "timestamp": next(clock), "type": "user", "content": [{"text": turn.request}]})
        calls: list[Entry] = []
        output = [{"functionResponse": {"response": {"output": "Output: ok"}}}]
        if turn.edit:
            given = {"file_path": turn.edit, "old_string": "a = 1", "new_string": "a = 2"}
            calls.append({"id": f"e{number}", "name": "replace", "args": given, "status": "success", "result": output})
        if turn.commit:
            given = {"command": f'git commit -m "{turn.commit}"'}
            calls.append({"id": f"c{number}", "name": "run_shell_command", "args": given, "status": "success", "result": output})
        found.append({"id": f"t{number}", "timestamp": next(clock), "type": "gemini", "content": "", "toolCalls": calls})
        found.append({"id": f"a{number}", "timestamp": next(clock), "type": "gemini", "content": turn.answer})
    return found


class Machine:
    """A home folder with hosts in it."""

    def __init__(self, home: Path) -> None:
        self.home = home

    def path(self, host: str, session: str) -> Path:
        """Where a host keeps the session."""
        places = {
            "claude-code": f".claude/projects/-w/{session}.jsonl",
            "codex": f".codex/sessions/2026/03/01/rollout-2026-03-01T10-00-00-{session}.jsonl",
            "gemini": f".gemini/tmp/proj/chats/session-2026-03-01T10-00-{session[:8]}.jsonl",
            "openclaw": f".openclaw/agents/main/sessions/{session}.jsonl",
            "pi": f".pi/agent/sessions/--w--/2026-03-01T10-00-00_{session}.jsonl",
        }
        return self.home / places[host]

    def had(self, host: str, folder: Path | str, turns: tuple[Turn, ...] = STORY, *, number: int = 1, **how: Any) -> str:
        """A session was had in a folder. Returns its name."""
        begin = how.pop("begin", "2026-03-01T10:00:00")
        session = NUMBER.format(number)
        if host == "opencode":
            return self._opencode(session, str(folder), turns, begin)
        ways: dict[str, Any] = {"claude-code": claude_code, "codex": codex, "gemini": gemini, "openclaw": pi, "pi": pi}
        path = self.path(host, session)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(entry) + "\n" for entry in ways[host](session, str(folder), turns, begin, **how)))
        if host == "gemini":
            (path.parent.parent / ".project_root").write_text(str(folder))
        return session

    def _opencode(self, session: str, folder: str, turns: tuple[Turn, ...], begin: str) -> str:
        path = self.home / ".local/share/opencode/opencode.db"
        path.parent.mkdir(parents=True, exist_ok=True)
        base = sqlite3.connect(path)
        base.executescript(
            "CREATE TABLE IF NOT EXISTS session "
            "(id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, time_created INTEGER, time_updated INTEGER);"
            "CREATE TABLE IF NOT EXISTS message (id TEXT PRIMARY KEY, session_id TEXT, data TEXT);"
            "CREATE TABLE IF NOT EXISTS part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, data TEXT);"
        )
        moment = int((time.mktime(time.strptime(begin, "%Y-%m-%dT%H:%M:%S")) - time.timezone) * 1000)
        base.execute("INSERT INTO session VALUES (?, NULL, ?, ?, ?)", (session, folder, moment, moment + 600_000))

        def add(role: str, **part: Any) -> None:
            nonlocal moment
            moment += 10_000
            name = f"{session}-{moment}"
            base.execute(
                "INSERT INTO message VALUES (?, ?, ?)",
                (name, session, json.dumps({"role": role, "time": {"created": moment, "completed": moment}})),
            )
            base.execute("INSERT INTO part VALUES (?, ?, ?, ?)", (f"p{name}", name, session, json.dumps(part)))

        def tool(name: str, **given: Any) -> None:
            clock = {"start": moment, "end": moment + 1}
            add(
                "assistant",
                type="tool",
                tool=name,
                callID=f"{name}{moment}",
                state={"status": "completed", "input": given, "output": "ok", "time": clock, "metadata": {"exit": 0}},
            )

        for turn in turns:
            add("user", type="text", text=turn.request)
            if turn.edit:
                tool("edit", filePath=turn.edit, oldString="a = 1", newString="a = 2")
            if turn.commit:
                tool("bash", command=f'git commit -m "{turn.commit}"')
            add("assistant", type="text", text=turn.answer, time={"start": moment, "end": moment})
        base.commit()
        base.close()
        return session
