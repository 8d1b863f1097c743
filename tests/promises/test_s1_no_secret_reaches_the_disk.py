"""S1: no secret in a format that we know reaches the disk, a log, or standard output.

First the rules: one secret of each format, in six contexts and six guises. Then the doors: canaries are given to every
command and to the hook, and every buffer that the process hands to the system is searched for them, not only files.
"""
# ruff: noqa: E501

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from holdfast.guard import entering as guard
from secret_samples import CONTEXTS, DISGUISES, GENERIC, PROVIDERS, made, needle, put

SOURCE = Path(__file__).parent.parent.parent / "src"


def leaks(found: dict[str, list[str]]) -> dict[str, list[str]]:
    """Formats with the places in which they were not found."""
    return {name: places for name, places in found.items() if places}


def missed(secret: str, words: str, seen: str) -> list[str]:
    """The contexts and guises in which a secret is left, in whole or undisguised in part."""
    places = []
    for context_name, context in CONTEXTS.items():
        for guise, hide in DISGUISES.items():
            hidden = hide(put(words, secret))
            shown, kinds = guard.redacted(put(context, hidden))
            if not kinds or hidden in shown or seen in shown:
                places.append(f"{context_name}/{guise}")
    return places


def test_every_providers_key_is_found_in_every_context_and_guise() -> None:
    """At least 99 of 100; as built, all."""
    found = {name: missed(made(form), "@", needle(form, made(form))) for name, form in PROVIDERS.items()}
    count = len(PROVIDERS) * len(CONTEXTS) * len(DISGUISES)
    assert sum(map(len, found.values())) <= count // 100, leaks(found)


def test_secrets_without_a_form_of_their_own_are_found_by_the_words_before_them() -> None:
    """At least 90 of 100; as built, all."""
    found = {name: missed(made(form), words, made(form)) for name, (words, form) in GENERIC.items()}
    count = len(GENERIC) * len(CONTEXTS) * len(DISGUISES)
    assert sum(map(len, found.values())) <= count // 10, leaks(found)


# ---- through every door ------------------------------------------------------------------------------------------------

KEY = made(PROVIDERS["anthropic"], "canary")
WORD = made("{an 15}8", "canary")
HALF = KEY[len(KEY) // 2 :]  # what is left when a secret is cut in two before anybody looks
TALE = f"we use {KEY}, and the password is {WORD}"


def transcript(folder: Path) -> bytes:
    """A session that is full of secrets: asked, answered, called, returned, and cut short."""
    turns = [
        {"type": "user", "message": {"role": "user", "content": f"never print it. {TALE} <private>{WORD}</private>"}},
        {"type": "assistant", "message": {"role": "assistant", "content": [
            {"type": "text", "text": "x " * 1980 + TALE + " y" * 500},
            {"type": "tool_use", "id": "1", "name": "Bash", "input": {"command": f"export API_KEY={KEY}; mysql -u root -p{WORD} shop"}},
            {"type": "tool_use", "id": "2", "name": "Edit", "input": {
                "file_path": "/w/a.py", "old_string": "a", "new_string": f"DB_PASSWORD = '{WORD}'  # {TALE}"}}]}},
        {"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "is_error": True,
            "content": "z " * 1495 + f"Error: {TALE}\n{KEY}\n" + "z " * 900}]}},
        {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": f"Shall I keep {TALE}?"}]}},
    ]  # fmt: skip
    path = folder / "session.jsonl"
    about = {"sessionId": "s1", "cwd": str(folder), "timestamp": "2026-11-15T09:00:00.000Z"}
    path.write_text("".join(json.dumps({**turn, **about, "uuid": f"u{n}"}) + "\n" for n, turn in enumerate(turns)))
    payload = {"session_id": "s1", "transcript_path": str(path), "cwd": str(folder), "hook_event_name": "PreCompact"}
    spoken = dict.fromkeys(("prompt", "last_assistant_message", "prompt_response", "text", "reason"), TALE)  # as hosts name it
    return json.dumps({**payload, **spoken}).encode()


def calls() -> bytes:
    """What a client says to the MCP server: notes, checkpoints, names and questions with secrets in them, and a tool of that name."""
    about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    tools: list[tuple[str, dict[str, object]]] = [
        ("note", {"text": TALE}), ("checkpoint", {"task": TALE, "context": {"db password": WORD}}), ("search", {"query": KEY}),
        ("show", {"what": KEY}), ("context_snap", {"topic": f"on {KEY}", "status": TALE}), ("recover", {"session": KEY}), (KEY, {}),
    ]  # fmt: skip
    asked = [("tools/call", {"name": name, "arguments": given}) for name, given in tools]
    lines: list[dict[str, object]] = [{"id": 0, "method": "initialize", "params": about}, {"method": "notifications/initialized"}]
    lines += [{"id": n, "method": method, "params": params} for n, (method, params) in enumerate(asked, 1)]
    return b"".join(json.dumps({"jsonrpc": "2.0", **line}).encode() + b"\n" for line in lines)


SPOKEN = [
    ("claude-code", "UserPromptSubmit"), ("claude-code", "SessionEnd"), ("codex", "Stop"), ("codex", "UserPromptSubmit"),
    ("gemini", "AfterAgent"), ("gemini", "BeforeAgent"), ("opencode", "session.idle"), ("openclaw", "agent_end"),
]  # fmt: skip
DOORS: dict[str, list[str]] = {
    **{f"{name} {i}": [name, text] for name in ("task", "decide", "pending", "blocker", "note") for i, text in enumerate((KEY, TALE))},
    "context": ["context", "password", WORD],
    "cache": ["cache", "set", "password", WORD],
    "topic": ["topic", "bind", KEY],
    "checkpoint": ["checkpoint", "--task", TALE, "--topic", f"on {KEY}", "--code", f"x = '{KEY}'", "--name", f"password: {WORD}"],
    "checkpoint -": ["checkpoint", "-"],
    "forget": ["forget", "--yes", KEY],
    "forget -": ["forget", "--yes", "-"],
    "write": ["write", "notes/plan.md"],
    "redact": ["redact"],
    "redact --json": ["redact", "--json"],
    "hook": ["hook", "claude-code", "PreCompact"],
    "hook Stop": ["hook", "claude-code", "Stop"],
    "hook start": ["hook", "claude-code", "SessionStart"],
    **{f"hook {host} {event}": ["hook", host, event] for host, event in SPOKEN},
    "hook of no host": ["hook", KEY, KEY],
    "hook of no event": ["hook", "claude-code", KEY],
    "search": ["search", KEY],
    "done": ["done", TALE],
    "restore": ["restore", KEY],
    "import": ["import", "session.jsonl"],
    "tail": ["tail", "session.jsonl"],
    "mcp": ["mcp"],
    "extract": ["extract"],
    "extract --json": ["extract", "--json"],
    "extract --prompt": ["extract", "--prompt"],
    "extract --apply": ["extract", "--apply"],
    "extract FILE": ["extract", "--host", "claude-code", "session.jsonl"],
    "extract --prompt FILE": ["extract", "--host", "claude-code", "--prompt", "session.jsonl"],
    "no command": [KEY],
    "no flag": ["task", f"--{KEY}"],
    "no number": ["recover", "--back", KEY],
    "no topic": ["topic", "read", KEY],
    "no record": ["show", KEY],
}  # fmt: skip
RUN = "import sys; from holdfast.cli import main; sys.exit(main(sys.argv[1:]))"
UNGUARDED = "import holdfast.guard.entering as g; g.redacted = lambda text, key=None: (text, ())\n" + RUN
WRITING = "write,pwrite64,writev,pwritev,sendto,sendmsg,openat,mkdir,mkdirat,rename,renameat,renameat2,link,linkat,symlinkat"


def seen(door: str, folder: Path, program: str = RUN) -> list[str]:
    """The canaries that are handed to the system, whole or as the half that a cut leaves."""
    stdin = {
        **dict.fromkeys([name for name in DOORS if name.startswith("hook") or name.endswith(" FILE")], transcript(folder)),
        "mcp": calls(),
        "extract --apply": json.dumps([{"kind": "tool", "text": TALE}, {"kind": "person", "text": "Ada is our boss"}]).encode(),
        "checkpoint -": json.dumps({"task": TALE, "context": {"db password": WORD}, "unknown": {"api_key": KEY}}).encode(),
    }.get(door, TALE.encode())
    log = folder / "strace.log"
    subprocess.run(
        ["strace", "-f", "-s", "1000000", "-e", f"trace={WRITING}", "-o", str(log), sys.executable, "-c", program, *DOORS[door]],
        input=stdin,
        capture_output=True,
        check=False,
        cwd=folder,
        env={
            "PATH": os.environ["PATH"], "PYTHONPATH": str(SOURCE), "HOME": str(folder), "HOLDFAST_WORKSPACE": str(folder / "w"),
            "HOLDFAST_HOOK_SECONDS": "600",
        },
    )
    text = log.read_text(errors="replace")
    assert "write" in text or "openat" in text
    return [name for name, canary in (("key", KEY), ("half of the key", HALF), ("password", WORD)) if canary in text]


needs_strace = pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed")


@needs_strace
@pytest.mark.parametrize("door", DOORS)
def test_no_canary_is_handed_to_the_system(tmp_path: Path, door: str) -> None:
    """Not to a file, not to a name, not to an error message."""
    assert seen(door, tmp_path) == []


@needs_strace
@pytest.mark.parametrize("door", ["task 0", "checkpoint", "hook", "hook Stop", "import", "tail", "mcp", "no command", "redact", "extract --apply", "extract --prompt FILE"])
def test_control_without_the_guard_the_canary_is_seen(tmp_path: Path, door: str) -> None:
    """Control: the same look at the same commands finds what leaks when nothing is replaced."""
    assert seen(door, tmp_path, UNGUARDED)


def test_control_rules_without_their_view_miss_what_is_disguised(monkeypatch: pytest.MonkeyPatch) -> None:
    """Control: with disguises left as they are, the matrix finds the holes."""
    monkeypatch.setattr("holdfast.guard.redaction.views", lambda text: [])
    monkeypatch.setattr("holdfast.guard.redaction.decoded", lambda text: [])
    assert len(missed(made(PROVIDERS["github"]), "@", made(PROVIDERS["github"]))) >= 4 * len(CONTEXTS)
