"""`holdfast demo`: a session works, loses its context, and gets it back. Real commands on a throw-away workspace."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile

from ..config import Config
from ..memory import Memory
from ..model import Note

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

SESSION = "agent:main:demo"
SUMMARY = "The user and the assistant worked on the billing service. Some tests were fixed and a migration was discussed."
CHECKPOINT = {
    "goal": "Move invoices to the new tax rates before Friday's release, so that no customer is billed wrongly",
    "phase": "debugging",
    "branch": "tax-2027",
    "progress": "two of three failing tests fixed",
    "exchanges": (
        "User: the reduced rate is 7 %, not 5 %, and please never touch the old invoices.",
        "Assistant: fixed the rate in rates.py, two tests are green; test_rounding still fails with 0.01 too much.",
    ),
    "unanswered": ("Shall I round per line, as the old system did, or per invoice, as the new law says?",),
    "in_flight": ("rounding per line or per invoice",),
    "corrections": ("The reduced rate is 7 %, not 5 %.", "Never touch the old invoices."),
    "files": (("/srv/billing/rates.py", "REDUCED_RATE set to 0.07"), ("/srv/billing/invoice.py", "Invoice.total(), rounding")),
    "done": ("pytest tests/test_rates.py: 14 passed", "commit 4f1c2ab “reduced rate is 7 %”"),
    "names": (("Function", "Invoice.total"), ("Env var", "BILLING_DB_URL")),
    "next_steps": ("Ask about the rounding", "Mend Invoice.total() and run tests/test_rounding.py"),
    "tone": "focused, a little pressed for time",
}


class Stage:
    """Prints, in colour where there is a terminal."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self.colour = sys.stdout.isatty() and "NO_COLOR" not in env

    def say(self, text: str, colour: int = 0) -> None:
        """One line of the story."""
        print(f"\033[{colour}m{text}\033[0m" if self.colour and colour else text)

    def command(self, line: str) -> None:
        """A command as the agent gives it."""
        self.say(f"  $ holdfast {line}", 36)


def tell(env: Mapping[str, str]) -> int:
    """The whole story."""
    folder = tempfile.mkdtemp(prefix="holdfast-demo-")
    stage = Stage(env)
    try:
        _before(folder, stage)
        _compaction(stage)
        _after(folder, stage)
        _files(folder, stage)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


def _before(folder: str, stage: Stage) -> None:
    stage.say("1. A session works, and writes down what matters before it answers.", 1)
    memory = Memory(folder, Config(), write=True)
    stage.command("task 'new tax rates in the billing service'")
    memory.change(SESSION, {"task": "new tax rates in the billing service"})
    stage.command("decide 'rates live in rates.py, not in the database -- they change once a year'")
    memory.change(SESSION, {"decisions": ("rates live in rates.py, not in the database -- they change once a year",)})
    stage.command("note --type PREF 'wants small commits, one thought each'")
    memory.note(SESSION, Note("wants small commits, one thought each", "PREF"))
    stage.command("checkpoint --topic billing -   (goal, exchanges, corrections, the open question, …)")
    saved = memory.checkpoint(SESSION, CHECKPOINT, topic="billing", trigger="pre-compaction")
    stage.say(f"  saved  {saved.id}\n", 32)
    memory.close()


def _compaction(stage: Stage) -> None:
    stage.say("2. Its context fills up and is compacted. This is all that the host's summary keeps:", 1)
    stage.say(f"  {SUMMARY}\n", 33)


def _after(folder: str, stage: Stage) -> None:
    stage.say("3. The brief brings it back: no model, no key, no server.", 1)
    stage.command("recover")
    memory = Memory(folder, Config(), write=False)
    for line in memory.recover(SESSION, budget=4000).rstrip("\n").split("\n"):
        stage.say(f"  {line}", 32 if line.startswith(">") else 0)
    memory.close()


def _files(folder: str, stage: Stage) -> None:
    stage.say("\n4. All of it stands in files that a person can read:", 1)
    for base, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = os.path.relpath(os.path.join(base, name), folder)
            if name.endswith((".md", ".json")) and not path.startswith(".holdfast"):
                stage.say(f"  {path}")
    stage.say("  .holdfast/journal/   one file for every record, durable before it was acknowledged")
    stage.say("\nNext: `holdfast init` in a folder of yours, then `holdfast help`.")
