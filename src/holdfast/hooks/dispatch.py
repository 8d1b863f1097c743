"""`holdfast hook HOST [EVENT]`: what a host's hook says, carried out. It exits 0 always, and every hook leaves a receipt.

turn               what the turn has changed is saved, so that whatever comes next loses at most the turn under way
end                what the transcript has is saved, and the day tells of it
before-compaction  the same; a host whose summariser listens is told which exact names to keep
start              after a compaction: saved once more (the host writes its last lines late), and the brief is given; at the
                   beginning of a session, or after a clear: what no hook saw of the session before it is saved, and its brief;
                   where a session goes on: only what it lacks
prompt             the brief, where the user asks for the past, or where a boundary has gone by or a brief has vanished; and what
                   memory surely has for words that refer to it
tool               in the midst of a turn: the brief, where a boundary has gone by
after-compaction   what the host's summary has kept and dropped goes into the receipt

Rule 1: nobody waits for us longer than two seconds. What saves is done in a process of its own: where it takes longer, the host
        is let go with an empty answer, and what is being saved is saved all the same. What only reads is done at once.
Rule 2: whatever goes wrong is one line in `.holdfast/receipts.jsonl`; where the workspace refuses that, in the user's state
        folder; where that refuses too, on stderr. A hook that fails would fail its host, and one that is silent would leave
        nobody the wiser: the next brief says it, once, and so does `holdfast doctor` (receipts.py).
Rule 3: what we do not know is said to be unknown, and never guessed.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import time

from ..config import find_workspace, read_config, remember_workspace
from ..errors import HoldfastError
from ..guard.entering import printable, redacted
from ..hosts import HOSTS, Call, adapter_of
from ..model import session_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from ..cli import Words
    from ..memory import Memory
    from .occasions import Hook

HARD_STOP = 1.8  # seconds after which the host is let go; with the start of the interpreter that is less than two
_FOR_THE_LOCK = 1.0  # seconds of it that may go by waiting for another writer


def replied(words: Words, env: Mapping[str, str]) -> int:
    """A host's hook from the command line: the payload on stdin, the reply on stdout, never a failure."""
    from ..storage.processes import beside

    gc.disable()  # a short life with many small objects and no cycles: looking for them takes a tenth of the time
    payload = sys.stdin.buffer.read()
    patience = _patience(env)
    until = time.monotonic() + patience
    if _nothing_to_do(words, env, payload):
        return 0
    said = ["", ""]  # the reply, and what could be written nowhere

    def work(hand_over: Callable[[bytes], None]) -> None:
        def handed(*told: str) -> None:
            hand_over("\0".join(told).encode("utf-8", "surrogateescape"))

        _answer(words, env, payload, until, handed)

    def here(*told: str) -> None:
        said[:] = told

    if _only_reads(words, env, payload):
        _answer(words, env, payload, until, here)
    else:
        try:
            told = beside(work, patience).decode("utf-8", "surrogateescape")
            said = told.split("\0") if told else said
        except OSError:  # the system gives us no process more: then here, and it takes as long as it takes
            _answer(words, env, payload, until, here)
    print(said[0], end="")
    if said[1]:
        print(f"holdfast: {said[1]}", file=sys.stderr)
    return 0


def _patience(env: Mapping[str, str]) -> float:
    """How long the host is kept waiting at most: a machine that is slow throughout may be given more."""
    given = env.get("HOLDFAST_HOOK_SECONDS", "")
    return float(min(max(1, int(given)), 600)) if given.isascii() and given.isdigit() else HARD_STOP


def answered(words: Words, env: Mapping[str, str], payload: bytes) -> str:
    """The reply to a hook, in this process; empty where there is nothing to say, or where it went wrong."""
    said: list[str] = []
    _answer(words, env, payload, float("inf"), lambda *told: said.extend(told))
    return said[0] if said else ""


def _answer(words: Words, env: Mapping[str, str], payload: bytes, until: float, hand_over: Callable[[str, str], None]) -> None:
    """One hook, from its payload to its receipt; then the answer is handed over, and what is due besides is begun."""
    begun = time.monotonic()
    host, event = (*words.texts, "", "")[:2]
    if host == "openclaw":
        from .gateway import answered as told

        hand_over(json.dumps(told(words, env, _object(payload) or {}, set())), "")
        return
    adapter = adapter_of(host)
    if adapter is None:
        shown = printable(redacted(host)[0])
        hand_over("", f"There is no host {shown!r}; known: {', '.join(HOSTS)}, openclaw. Nothing was done.")
        return
    call, fault = _understood(adapter, payload, event)
    if not call.event:
        hand_over("", "")
        return
    from ..memory import Memory
    from .mishaps import keep_elsewhere, why

    session = session_key(words.one("session") or call.session)
    about: dict[str, Any] = {"host": host, "event": call.event, "session": session}
    workspace = ""
    try:
        workspace = _workspace(words, env, call, adapter)
        if not words.one("workspace"):
            remember_workspace(workspace, env, _folder(env, call, adapter))
        memory = Memory(workspace, read_config(workspace, env), write=True)
    except (HoldfastError, OSError) as error:
        about |= {"did": f"nothing: {redacted(str(error))[0]}", "failed": [f"memory could not be opened: {why(error)}"]}
        hand_over("", keep_elsewhere(about, env, workspace, time.time()))
        return
    memory.until = min(until, begun + _FOR_THE_LOCK)
    if call.event == "unknown" and not fault:
        _note_unknown(memory, about, call.name)
        hand_over("", "")
    else:
        hook, reply = _carried_out(memory, session, call, adapter, env, until, fault)
        wanted = _upkeep_due(hook)
        about |= {"did": "; ".join(hook.did), **hook.more, **({"failed": hook.failed} if hook.failed else {})}
        about |= {"ms": round(1000 * (time.monotonic() - begun)), **({"upkeep": wanted} if wanted else {})}
        unwritten = "" if memory.receipt(**about) else keep_elsewhere(about, env, workspace, time.time())
        hand_over(reply, unwritten)
        _begin_beside(hook, wanted)
    memory.close()


def _carried_out(
    memory: Memory, session: str, call: Call, adapter: Any, env: Mapping[str, str], until: float, fault: str
) -> tuple[Hook, str]:
    """What the event asks for, done; and the reply."""
    from .occasions import Hook

    hook = Hook(memory, session, call, adapter, env, until)
    try:
        if fault:
            hook.fail(fault)
        else:
            hook.carry_out()
            return hook, str(adapter.reply(call, hook.text))
    except Exception as error:  # a fault of ours must not become the host's; the receipt says what it was
        failed = error.with_traceback(None)
        failed.__context__ = None
    else:
        return hook, ""
    # What was read is let go first: where memory has run out, the receipt needs some.
    memory.followed = None
    hook.fail("failed", failed)
    return hook, ""


def _begin_beside(hook: Hook, wanted: str) -> None:
    """What nobody waits for, each in a process of its own: upkeep that is due, and a look at what was heard."""
    if wanted:
        from ..upkeep.unasked import begin

        begin(hook.memory, wanted)
    if hook.gleans:
        from ..capture.gleaning import begin as glean

        glean(hook.memory)


def _workspace(words: Words, env: Mapping[str, str], call: Call, adapter: Any) -> str:
    """The workspace of the session, wherever its agent has gone since: the host's payload names the folder that it is in now."""
    return find_workspace(words.one("workspace"), env, _folder(env, call, adapter))


def _folder(env: Mapping[str, str], call: Call, adapter: Any) -> str:
    """The folder in which the session was begun, as its host tells it."""
    folders = (env.get(getattr(adapter, "BEGUN_IN", ""), ""), call.folder)
    return next(filter(os.path.isdir, folders), "") or os.getcwd()


def _nothing_to_do(words: Words, env: Mapping[str, str], payload: bytes) -> bool:
    """Whether this is an ordinary prompt, or result, in a session in which nothing is due: it has its receipt, and is done with.

    Most hooks are such. It takes a look at the words, at what was given last and at the lines written since; nothing is synced,
    nothing of memory is opened, and no process is begun. Whatever is out of the ordinary goes the long way.
    """
    begun, (host, event) = time.monotonic(), (*words.texts, "", "")[:2]
    adapter = adapter_of(host)
    call = _understood(adapter, payload, event)[0] if adapter else None
    if not call or call.event not in ("prompt", "tool") or not getattr(adapter, "BOUNDARIES", ()) or not call.transcript:
        return False
    from ..briefing.arrivals import looked
    from ..briefing.delivery import file_of, from_data
    from ..capture.hearing import asks_for_the_past, refers_to_memory
    from ..storage.disk import Folder
    from ..storage.journal import iso

    if asks_for_the_past(call.prompt) or refers_to_memory(call.prompt):
        return False
    session = session_key(words.one("session") or call.session)
    try:
        workspace = _workspace(words, env, call, adapter)
        with Folder.open(workspace) as root, root.child(".holdfast") as home, home.child("cursors") as cursors:
            kept = from_data(dict(json.loads(cursors.read(file_of(session)))))
            now = looked(kept, call, adapter)
            if home.stat("forgotten") or now.boundary or now.verdict != kept.verdict or now.wants_another:
                return False
            if now != kept:
                cursors.remove(file_of(session))
                cursors.append(file_of(session), json.dumps(now.__dict__).encode())
            about = {"time": iso(time.time()), "host": host, "event": call.event, "session": session, "did": "nothing to say"}
            line = json.dumps({**about, "ms": round(1000 * (time.monotonic() - begun))}, ensure_ascii=False)
            home.append("receipts.jsonl", line.encode("utf-8", "replace") + b"\n")
    except (HoldfastError, OSError, TypeError, ValueError, RecursionError):
        return False
    return True


def _only_reads(words: Words, env: Mapping[str, str], payload: bytes) -> bool:
    """Whether a brief is to be given and nothing to be saved: then nothing is synced, no lock is waited for, and a process of its
    own, which costs as much as the brief itself, is not needed. After a compaction that was told beforehand it is so.
    """
    host, event = (*words.texts, "", "")[:2]
    adapter = adapter_of(host)
    call = _understood(adapter, payload, event)[0] if adapter else None
    if not call or call.event != "start" or call.source not in ("compact", "resume") or not call.transcript:
        return False
    from ..capture.following import Following
    from ..config import Config
    from ..memory import Memory

    try:
        memory = Memory(_workspace(words, env, call, adapter), Config(), write=False)
        read = Following(memory, session_key(words.one("session") or call.session), call.transcript, host)
        quiet = read.at_its_end() and not read.owes_block and memory.home.stat("key") is not None
        memory.close()
    except (HoldfastError, OSError):
        return False
    return quiet


def _understood(adapter: Any, payload: bytes, event: str) -> tuple[Call, str]:
    """What the host says, and what is wrong with it."""
    given = _object(payload)
    if given is None:
        return adapter.read({}, event), "what the host sent is no JSON object"
    call: Call = adapter.read(given, event)
    return call, ""


def _object(payload: bytes) -> dict[str, Any] | None:
    try:
        given = json.loads(payload or b"{}")
    except (ValueError, RecursionError):
        return None
    return given if isinstance(given, dict) else None


def _note_unknown(memory: Memory, about: Mapping[str, Any], name: str) -> None:
    """One receipt for each event that we do not know: a host may fire it a hundred times an hour."""
    shown = printable(redacted(name)[0])[:100]
    mark = f'"name": {json.dumps(shown, ensure_ascii=False)}'
    try:
        known = any(mark in line for line in memory.receipts())
    except OSError:
        known = False
    if not known:
        memory.receipt(**about, name=shown, did=f"nothing: an event that this Holdfast does not know: {shown}")


def _upkeep_due(hook: Hook) -> str:
    """Whether memory wants upkeep that nobody has asked for; never looked at while a turn goes on."""
    if hook.call.event in ("prompt", "tool"):
        return ""
    from ..upkeep.unasked import due

    try:
        return due(hook.memory)
    except OSError:
        return ""
