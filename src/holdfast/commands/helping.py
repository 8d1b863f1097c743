"""`holdfast help`: the commands in the order in which one needs them; each with its flags in words and a line to copy.

The commands and flags themselves stand in cli.py, which every hook loads; the words about them are loaded only here.
"""

from __future__ import annotations

from textwrap import wrap

from .. import cli
from ..errors import UserError

GROUPS = {
    "Begin": ("demo", "init", "import", "status", "doctor", "uninstall"),
    "Save the working state": ("task", "decide", "context", "pending", "done", "blocker", "note", "checkpoint"),
    "Get it back": ("recover", "sessions", "search", "show", "tail", "tags"),
    "Work in threads": ("topic", "snapshot", "restore", "cache"),
    "Keep it in order": ("health", "upkeep", "extract", "forget", "pause", "resume"),
    "For hosts and scripts": ("hook", "mcp", "redact", "write"),
}
_LEFT, _WIDTH = 34, 100  # columns of the command, and of the whole line

_TYPE = "the note's type"
_HOST = "whose session it is: claude-code, codex, gemini, opencode, openclaw, pi"
FLAGS: dict[str, dict[str, str]] = {
    "init": {
        "yes": "agree without being asked, for scripts",
        "layout": "make the tree of Memory v4: semantic/, procedural/, episodic/",
        "project": "for the project in this folder alone (claude-code)",
        "no-rules": "leave out the rules for the agent",
        "no-switch": "leave other memory tools of OpenClaw on",
        "full": "show our own files whole too, not only their sizes",
    },
    "uninstall": {
        "yes": "agree without being asked, for scripts",
        "project": "what was put in for this project",
        "full": "show our own files whole too, not only their sizes",
        "purge": "delete memory as well: the journal and what only Holdfast writes; asks first",
    },
    "checkpoint": {
        "topic": "the thread of work; binds this session to it",
        "goal": "what it is all for",
        "phase": "planning, implementing, debugging, testing, reviewing or deploying",
        "branch": "the git branch",
        "blocked": "no, yes, or by what",
        "progress": "how far it is",
        "status": "the topic's status, in a sentence",
        "task": "what is being worked on",
        "exchange": "one of the last exchanges; repeat it",
        "unanswered": "a question that waits for the user, word for word; repeat it, or none",
        "decision": "a decision that was made; repeat it",
        "in-flight": "what is being discussed and not decided; repeat it, or none",
        "correction": "what the user corrected or forbade; repeat it",
        "file": "a file in play; repeat it",
        "code": "code to remember, at most 50 lines",
        "name": "an exact name or value, as 'Function: Invoice.total'; repeat it",
        "blocker": "what stands in the way; repeat it",
        "question": "an open question; repeat it",
        "next": "a next step; repeat it",
        "tone": "how the user works and talks just now",
        "history": "a line for the topic's history; repeat it",
        "done": "what is done; repeat it",
        "trigger": "why now: agent, user, …",
    },
    "import": {
        "all": "the sessions of every folder, not only of this one",
        "since": "only those that went on after the beginning of that day",
        "dry-run": "only list them",
    },
    "recover": {
        "back": "the checkpoint that many before the newest",
        "max-chars": "the brief's budget, 9000 characters unless it is set",
        "host": _HOST,
    },
    "tail": {
        "entries": "at most that many, 400 unless it is said",
        "entry-chars": "of each at most that much, 2,000 unless it is said",
        "max-chars": "in all at most that much, 40,000 unless it is said",
        "full": "one entry, whole",
        "raw": "entries as the host wrote them, one line each",
        "host": _HOST,
    },
    "search": {
        "limit": "at most that many hits, 10 unless it is said",
        "type": "only notes of that type",
        "topic": "only what belongs to that topic",
        "since": "only from that day on: 2026-11-15, yesterday, monday, last week, 14d, 2w",
        "transcripts": "look into the hosts' own sessions too",
    },
    "note": {"type": _TYPE},
    "restore": {"list": "only name what is kept"},
    "upkeep": {
        "dry-run": "only show the plan, with its reasons",
        "summary": "classify: how many notes have which type",
        "days": "archive: days older than that, for once",
        "restore": "trash: bring one thing back",
        "empty": "trash: let go of all of it for good",
    },
    "health": {"fix": "first mend what needs no judgement"},
    "hook": {"stay": "OpenClaw: answer a line each, until stdin is closed"},
    "extract": {
        "date": "when the text was written: 2026-11-15, today",
        "host": _HOST,
        "prompt": "print what to give a model instead",
        "apply": "save a model's answer, or what --json gave, as notes",
        "max-chars": "with --prompt: the newest that many characters of the text",
    },
    "forget": {
        "yes": "agree without being asked, for scripts",
        "dry-run": "only show the places",
        "allow": "let a forgotten text in again",
    },
    "redact": {"check": "say line and kind of each secret instead, and exit 1 where there is one"},
}
EXAMPLES = {
    "init": "holdfast init claude-code",
    "checkpoint": 'holdfast checkpoint --topic billing --task "new tax rates" --unanswered "Round per line or per invoice?"',
    "import": "holdfast import --all --dry-run",
    "recover": "holdfast recover --session agent:main:main",
    "tail": "holdfast tail --entries 20",
    "search": 'holdfast search "rate limit" --since 14d',
    "note": 'holdfast note --type PREF "wants small commits"',
    "decide": 'holdfast decide "rates live in rates.py, not in the database"',
    "context": "holdfast context deadline Friday",
    "topic": "holdfast topic bind billing",
    "upkeep": "holdfast upkeep --dry-run",
    "extract": "holdfast extract notes.txt",
    "forget": "holdfast forget - --dry-run",
    "show": "holdfast show yesterday",
    "redact": "holdfast redact < notes.txt",
    "write": "date | holdfast write notes/plan.md",
}


def help_text(command: str = "") -> str:
    """The list of commands, or one of them with its flags."""
    command = cli.ALIASES.get(command, (command,))[0]
    if command in cli.COMMANDS:
        return "\n".join([*_one(command), "", "Everywhere: --workspace DIR, --session KEY, --json (reading commands).", ""])
    if command and command != "help":
        raise UserError(f"{cli.unknown(command)} `holdfast help` lists the commands.")
    lines = ["Holdfast: the memory that lets a long-running AI agent survive compaction, reset and crash."]
    for heading, commands in GROUPS.items():
        lines += ["", f"{heading}:", *(line for name in commands for line in _row(name))]
    return "\n".join([
        *lines, "",
        "Everywhere: --workspace DIR, --session KEY, --json (reading commands), --help, --version.",
        "Text that begins with “-” goes behind “--”. `holdfast help COMMAND` shows a command's flags.", "",
    ])  # fmt: skip


def _row(name: str) -> list[str]:
    """A command in the list, with what it is for beside it."""
    takes, what, _ = cli.COMMANDS[name]
    left, right = f"  holdfast {name} {takes}".rstrip(), wrap(what, _WIDTH - _LEFT)
    first = [] if len(left) < _LEFT else [left]
    return [*first, *(f"{'' if first or number else left:<{_LEFT}}{text}" for number, text in enumerate(right))]


def _one(command: str) -> list[str]:
    """A command with its flags in words."""
    takes, what, flags = cli.COMMANDS[command]
    shown = {name: f"  --{name} {value}".rstrip() for name, value in flags.items()}
    column = max(map(len, shown.values()), default=0) + 2
    lines = [f"holdfast {command} {takes}".rstrip(), f"  {what}", *([""] if flags else [])]
    lines += [f"{left:<{column}}{FLAGS[command][name]}" for name, left in shown.items()]
    return lines + (["", f"For example: {EXAMPLES[command]}"] if command in EXAMPLES else [])
