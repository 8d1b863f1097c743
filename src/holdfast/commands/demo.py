"""`holdfast demo`: a session works, loses its context, and gets it back. The real hooks, on a throw-away workspace."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile

from .. import cli
from ..config import Config
from ..hooks.dispatch import answered
from ..memory import Memory
from ..storage.disk import Folder
from ..terminal import clean_text, raw_stream
from .doctor import NOTHING_BESIDE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

SESSION = "billing"
SUMMARY = "The user and the assistant worked on the billing service. Some tests were fixed and rounding was discussed."
DECISION = "rates live in rates.py, not in the database"
RATES = "/srv/billing/rates.py"
FAILED = "Exit code 1\nFAILED tests/test_rounding.py - assert 19.99 == 20.00\n1 failed"  # as Claude Code tells of what failed
# (who, what was said), or (tool, what it was given, what it answered), as in the transcript of a host.
STORY: tuple[tuple[Any, ...], ...] = (
    ("user", "Move the invoices to the new tax rates before Friday's release. Never touch the old invoices."),
    ("Edit", {"file_path": RATES, "old_string": "REDUCED_RATE = 0.05", "new_string": "REDUCED_RATE = 0.06"}, "Updated."),
    ("agent", "The reduced rate is 6 % now."),
    ("user", "No, the reduced rate is 7 %, not 6 %."),
    ("Edit", {"file_path": RATES, "old_string": "REDUCED_RATE = 0.06", "new_string": "REDUCED_RATE = 0.07"}, "Updated."),
    ("Bash", {"command": "pytest tests/test_rates.py"}, "14 passed in 0.31s"),
    ("Bash", {"command": 'git commit -a -m "The reduced rate is 7 %"'}, "[tax-2027 4f1c2ab] The reduced rate is 7 %"),
    ("agent", "Done and committed."),
    ("user", "Now make the rounding in Invoice.total() right."),
    ("Bash", {"command": "pytest tests/test_rounding.py"}, FAILED),
    ("agent", "Shall I round per line, as the old system did, or per invoice, as the new law says?"),
)
# What counts in a brief: what it was doing, the question still open, what it was told, what is done, failing and decided.
TELLING = ("Working on", "Unanswered", "Told by the user", "Done", "Last error", "Earlier", "Decisions")


class Stage:
    """Prints, in colour where there is a terminal."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self.colour = sys.stdout.isatty() and "NO_COLOR" not in env

    def say(self, text: str, colour: int = 0) -> None:
        """One line of the story."""
        if self.colour and colour:
            print(f"\033[{colour}m{clean_text(text)}\033[0m", file=raw_stream(sys.stdout))
        else:
            print(text)


def tell(env: Mapping[str, str]) -> int:
    """The whole story."""
    folder = tempfile.mkdtemp(prefix="holdfast-demo-")
    stage = Stage(env)
    try:
        _before(folder, stage)
        _compaction(folder, stage)
        _after(folder, stage)
        _files(folder, stage)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


def _before(folder: str, stage: Stage) -> None:
    stage.say("1. An agent works. Nobody has to remember to save: the host writes its own transcript, as always.", 1)
    for who, what, *answer in STORY:
        if answer:
            came = answer[0].splitlines()[answer[0] is FAILED]
            stage.say(f"     {who.lower():<6} {what.get('command') or what['new_string']}  →  {came}", 2)
        else:
            stage.say(f"  {who:<6} {what}")
    with Folder.open(folder) as place:
        place.append("session.jsonl", "".join(json.dumps(entry) + "\n" for entry in _transcript()).encode())
    stage.say("\n   What it wants to be sure of, it writes down itself. When the command returns, that survives a power cut:")
    stage.say(f"  $ holdfast decide '{DECISION}'", 36)
    memory = Memory(os.path.join(folder, "work"), Config(), write=True)
    saved = memory.change(SESSION, {"decisions": (DECISION,)})
    memory.close()
    stage.say(f"  saved  {saved.id}  decide\n", 32)


def _transcript() -> Iterator[dict[str, Any]]:
    """The story as Claude Code would have written it down."""
    for number, (who, what, *answer) in enumerate(STORY):
        if answer:
            call = {"type": "tool_use", "id": f"call-{number}", "name": who, "input": what}
            failed = {"is_error": answer[0] is FAILED}
            result = {"type": "tool_result", "tool_use_id": f"call-{number}", "content": answer[0], **failed}
            yield {"type": "assistant", "message": {"role": "assistant", "content": [call]}}
            yield {"type": "user", "message": {"role": "user", "content": [result]}}
        else:
            role = "user" if who == "user" else "assistant"
            yield {"type": role, "message": {"role": role, "content": what}}


def _compaction(folder: str, stage: Stage) -> None:
    stage.say("2. Its context fills up. Before the compaction, the host calls our hook, which reads the transcript and saves.", 1)
    _hook(folder, "PreCompact")
    stage.say("   This is all that the host's own summary keeps:")
    stage.say(f"  {SUMMARY}\n", 33)


def _after(folder: str, stage: Stage) -> None:
    stage.say("3. The brief brings it back. The new context begins with this; no model was asked, no key, no server:", 1)
    brief = json.loads(_hook(folder, "SessionStart"))["hookSpecificOutput"]["additionalContext"]
    telling = False
    for line in brief.rstrip("\n").split("\n"):
        telling = bool(line) and not line.startswith("---") and (telling or line.startswith(TELLING))
        stage.say(f"  {line}", 32 if telling else 2)


def _hook(folder: str, event: str) -> str:
    """What our hook answers to the host."""
    about = {"session_id": SESSION, "transcript_path": os.path.join(folder, "session.jsonl"), "cwd": folder, "source": "compact"}
    words = cli.Words("hook", ["claude-code", event], {"workspace": [os.path.join(folder, "work")]})
    return answered(words, {"HOME": folder, **NOTHING_BESIDE}, json.dumps(about).encode())


def _files(folder: str, stage: Stage) -> None:
    stage.say("\n4. All of it stands in files that a person can read, edit and delete:", 1)
    for name in sorted(os.listdir(os.path.join(folder, "work", "memory"))):
        stage.say(f"  memory/{name}")
    stage.say("  .holdfast/journal/   one file for every record, durable before it was acknowledged")
    stage.say("\nNext: `holdfast init claude-code` (or openclaw, codex, gemini, opencode) shows every edit before it is made.")
