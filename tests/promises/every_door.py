"""Every command, as a user or a host would give it: what S8 and S9 run."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from sessions import STORY, claude_code

COMMANDS: list[list[str]] = [
    ["init", "--yes"],
    ["task", "mend the lamp"],
    ["decide", "oak, not pine"],
    ["context", "deadline", "Friday"],
    ["pending", "sand it"],
    ["done", "sand it"],
    ["blocker", "no glue"],
    ["note", "--type", "PREF", "likes oak"],
    ["checkpoint", "--topic", "lamp", "--goal", "light", "--task", "mend", "--unanswered", "Oak?"],
    ["snapshot"],
    ["restore"],
    ["topic", "list"],
    ["cache", "set", "a", "b"],
    ["import", "--all"],
    ["hook", "claude-code", "Stop"],
    ["hook", "claude-code", "PreCompact"],
    ["hook", "claude-code", "SessionEnd"],
    ["hook", "claude-code", "SessionStart"],
    ["hook", "claude-code", "UserPromptSubmit"],
    ["hook", "claude-code", "PostCompact"],
    ["hook", "codex", "SessionStart"],
    ["hook", "claude-code", "NobodyKnowsIt"],
    ["hook", "gemini", "AfterAgent"],
    ["hook", "gemini", "BeforeAgent"],
    ["hook", "opencode", "turn"],
    ["hook", "openclaw"],
    ["hook", "openclaw", "--stay"],
    ["recover"],
    ["show", "state"],
    ["status"],
    ["search", "oak"],
    ["search", "--transcripts", "rate"],
    ["tags"],
    ["tail"],
    ["extract", "talk.txt"],
    ["extract", "--prompt", "talk.txt"],
    ["extract", "--apply", "answer.json"],
    ["redact"],
    ["write", "notes/plan.md"],
    ["upkeep", "--dry-run"],
    ["upkeep"],
    ["upkeep", "trash"],
    ["health"],
    ["health", "--fix"],
    ["doctor"],
    ["forget", "--dry-run", "oak, not pine"],
    ["forget", "--yes", "oak, not pine"],
    ["mcp"],
    ["init", "claude-code", "--yes"],
    ["init", "codex", "--yes"],
    ["init", "gemini", "--yes"],
    ["init", "opencode", "--yes"],
    ["uninstall", "claude-code", "--yes"],
    ["uninstall", "codex", "--yes"],
]


def prepared(folder: Path) -> tuple[dict[str, str], bytes]:
    """A home with a session of Claude Code in it: (environment, the payload that its hooks get)."""
    home, project = folder / "of the user", folder / "project"
    slug = home / ".claude" / "projects" / "-project"
    slug.mkdir(parents=True)
    project.mkdir()
    (project / "talk.txt").write_text("I prefer oak. The lamp is due by Friday.\n")
    (project / "answer.json").write_text('[{"kind": "preference", "text": "Prefers oak."}]')
    path = slug / "s1.jsonl"
    entries = claude_code("s1", str(project), STORY, "2026-11-15T09:00:00")
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    payload = {
        "session_id": "s1", "transcript_path": str(path), "cwd": str(project), "source": "compact",
        "prompt": "what were we doing?", "compact_summary": "We set a rate.",
        # For OpenClaw, which names its agent's workspace.
        "event": "before_compaction", "sessionKey": "s1", "sessionFile": str(path), "before": 280,
        "workspace": str(home / ".local" / "state" / "holdfast" / "of the agent"),
    }  # fmt: skip
    env = {"HOME": str(home), "PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": str(folder), "PYTHONPATH": ":".join(sys.path)}
    env["HOLDFAST_HOOK_SECONDS"] = "600"  # what a hook does is looked at when it is done
    env["TMPDIR"] = str(folder / "passing")  # where doctor tries it out
    (folder / "passing").mkdir(exist_ok=True)
    return env, json.dumps(payload).encode()


# The exit codes that are not 0, and why: there is no snapshot yet to be restored, and Claude Code has a session here while
# its hooks are not installed.
WANTING = {"restore": (2, "There is no snapshot yet"), "doctor": (1, "Claude Code had 1 session here")}


def verdict(words: list[str], done: subprocess.CompletedProcess[bytes]) -> None:
    """The command ended as it should, with the reason that it should have, and wants nothing else."""
    code, why = WANTING.get(" ".join(words), (0, ""))
    said = (done.stdout + done.stderr).decode("utf-8", "surrogateescape")
    assert done.returncode == code, said
    assert why in said, said
    if words == ["doctor"]:
        wanting = [line for line in said.splitlines() if line.startswith("WANTING")]
        assert [why in line for line in wanting] == [True], said


def run(
    words: list[str],
    folder: Path,
    env: dict[str, str],
    stdin: bytes,
    *,
    program: tuple[str, ...] = ("-m", "holdfast"),
    watch: tuple[str, ...] = (),
    within: Path | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """One command, in a process of its own, behind whatever is to watch it."""
    argv = [*watch, sys.executable, *program, *words]
    return subprocess.run(argv, cwd=within or folder / "project", env=env, input=stdin, capture_output=True, check=False)
