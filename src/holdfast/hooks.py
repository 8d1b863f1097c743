"""`holdfast hook HOST [EVENT]`: what a host's hook says, carried out. It exits 0 always, and every hook leaves a receipt.

Whatever goes wrong is one line in `.holdfast/receipts.jsonl`: a hook that fails would fail its host, and one that is silent
would leave nobody the wiser.
"""

from __future__ import annotations

import json
import os
import time

from .config import find_workspace, read_config
from .errors import HoldfastError
from .guard import redacted
from .hosts import Call, claude_code
from .memory import Memory
from .model import session_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from .cli import Words

HOSTS = {"claude-code": claude_code}


def answered(words: Words, env: Mapping[str, str], payload: bytes) -> str:
    """The reply to a hook; empty where there is nothing to say, or where it went wrong."""
    begun = time.monotonic()
    host = (words.texts or [""])[0]
    try:
        given = json.loads(payload or b"{}")
    except (ValueError, RecursionError):
        given = {}
    adapter = HOSTS.get(host)
    if adapter is None or not isinstance(given, dict):
        return ""
    call = adapter.read(given, (words.texts[1:] or [""])[0])
    if not call.event:
        return ""
    session = session_key(words.one("session") or call.session)
    try:
        workspace = find_workspace(words.one("workspace"), env, call.folder if os.path.isdir(call.folder) else os.getcwd())
        memory = Memory(workspace, read_config(workspace), write=True)
    except (HoldfastError, OSError):
        return ""
    reply = ""
    try:
        did, brief = _carried_out(memory, session, call, host, env)
        reply = str(adapter.reply(call, brief))
    except Exception as error:  # a fault of ours must not become the host's; the receipt says what it was
        did = f"failed: {type(error).__name__}: {redacted(str(error))[0]}"
    memory.receipt(host=host, event=call.event, session=session, did=did, ms=round(1000 * (time.monotonic() - begun)))
    memory.close()
    return reply


def _carried_out(memory: Memory, session: str, call: Call, host: str, env: Mapping[str, str]) -> tuple[str, str]:
    """(what was done, the brief where one is due)."""
    did: list[str] = []
    if call.transcript and (call.event == "before-compaction" or call.source == "compact"):
        try:
            saved = memory.capture(session, call.transcript, host=host)
            did.append("; ".join(filter(None, (f"saved {saved.id}", saved.said))) if saved else "nothing new to save")
        except (HoldfastError, OSError) as error:
            did.append(f"not saved: {redacted(str(error))[0]}")
    if call.event != "start" or call.source == "resume":
        return "; ".join(did), ""
    limit = env.get("HOLDFAST_BRIEF_MAX_CHARS", "")
    try:
        brief = memory.recover(session, budget=int(limit) if limit.isdigit() else 0, empty="")
    except (HoldfastError, OSError) as error:
        return "; ".join([*did, f"no brief: {redacted(str(error))[0]}"]), ""
    return "; ".join([*did, f"gave a brief of {len(brief)} characters" if brief else "nothing to say"]), brief
