"""The gateway has loaded the plugin, or begins a turn: said in a receipt, scheduled, made ready.

`holdfast doctor` knows by that receipt that the plugin runs, and which one. A workspace without memory gets neither receipt nor
review: nothing of ours begins by itself.
"""

from __future__ import annotations

import os
import time

from ..config import read_config
from ..guard.entering import redacted
from ..hosts import openclaw
from ..memory import Memory
from ..upkeep.scheduling import CRON, mark_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ..hosts.openclaw import Said

_MOST = 50  # agents of one gateway


def loaded(given: Mapping[str, Any], said: Said, named: str, env: Mapping[str, str]) -> dict[str, Any]:
    """A receipt in the workspace of each agent; and where the owner wants it, the weekly reviews that the host is to schedule."""
    begun, folders = time.monotonic(), given.get("workspaces")
    every = [folder for folder in folders if isinstance(folder, str)][:_MOST] if isinstance(folders, list) else []
    found = {folder: openclaw.workspace(said.replaced(folder=folder), named, env) for folder in (every or [said.folder])}
    known = [folder for folder, workspace in found.items() if os.path.isdir(os.path.join(workspace, ".holdfast"))]
    here = list(dict.fromkeys(found[folder] for folder in known))
    about = {name: redacted(str(given.get(name) or ""))[0][:40] for name in ("plugin", "gateway")}
    did = f"the plugin {about['plugin']} was loaded by OpenClaw {about['gateway']}"
    for workspace in here:
        memory = Memory(workspace, read_config(workspace, env), write=True)
        ms = round(1000 * (time.monotonic() - begun))
        memory.receipt(host=openclaw.HOST, event=said.event, session="", did=did, **about, ms=ms)
        memory.close()
    reviews = {"reviews": _reviews(given.get("command"), here)} if given.get("weeklyReview") is True else {}
    return {"workspaces": known, **reviews}


def _reviews(command: Any, workspaces: list[str]) -> list[dict[str, Any]]:
    """One job for each workspace, by the name that the same workspace always has: what is there is not added again."""
    words = [str(word) for word in command] if isinstance(command, list) and command else ["holdfast"]
    return [
        {"name": mark_of(workspace), "cron": CRON, "argv": [*words, "--workspace", workspace, "upkeep", "review"]}
        for workspace in workspaces
    ]


def warmed() -> dict[str, Any]:
    """Load what a prompt needs before it comes: the child was started for it, and it would wait for this too."""
    from ..briefing import attribution, giving, recovery
    from ..capture import draft, following, hearing, told, whereabouts
    from ..guard import redaction
    from ..mcp import tools
    from ..transcripts import calls, databases, opencode, pi
    from ..transcripts import openclaw as rows
    from . import receipts

    briefs, events = (attribution, giving, recovery, redaction, tools, receipts), (calls, databases, opencode, pi, rows)
    every = (*briefs, *events, draft, following, hearing, told, whereabouts)
    return {} if all(every) else {"error": "not all of Holdfast is there"}
