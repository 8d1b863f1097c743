"""`holdfast hook HOST [EVENT]`: what a host's hook says, carried out. It exits 0 always, and every hook leaves a receipt.

turn               what the turn has changed is saved, so that whatever comes next loses at most the turn under way
end                what the transcript has is saved, and the day tells of it
before-compaction  the same; a host whose summariser listens is told which exact names to keep
start              after a compaction: saved once more (the host writes its last lines late), and the brief is given; at the
                   beginning of a session, or after a clear: what no hook saw of the session before it is saved, and a short note
                   of what is open is given, or the brief where that session was cut off in the midst of a turn; where a session
                   goes on: only what it lacks
prompt             the brief, where the user asks for the past, or where a boundary has gone by or a brief has vanished; and what
                   memory surely has for words that refer to it
tool               in the midst of a turn: the brief, where a boundary has gone by
after-compaction   what the host's summary has kept and dropped goes into the receipt

Rule 1: nobody waits for us longer than two seconds, and at a compaction longer than nine, counted from the start of the process.
        What saves is done in a process of its own: where it takes longer, the host is let go, and what is being saved is saved
        all the same. A brief that is due is then made of what was saved before. What only reads is done at once.
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
from ..model import PAUSE_MARK, Value, session_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from ..cli import Words
    from ..memory import Memory
    from .occasions import Hook, SpareHook

# Seconds, counted from the start of the process, after which the host is let go: less than two, and less than the ten that our
# hooks are installed with. A summary takes half a minute, so at a compaction somebody has time; at a prompt nobody has.
SHORT_WAIT, LONG_WAIT = 1.8, 9.0
_MEANWHILE = 0.5  # of it after which a brief of what is saved already is made beside the one that is still being made
_UNKNOWN_AGE, _ODD_AGE = 0.1, 2.0  # seconds: some containers have two clocks
_FOR_THE_LOCK = 1.0  # seconds that may go by waiting for another writer


class Said(Value):
    """What a host has said: decoded once for all who ask."""

    host: str
    adapter: Any  # its module in hosts/; None where we know no such host
    call: Call
    fault: str = ""  # what is wrong with the payload


def replied(words: Words, env: Mapping[str, str]) -> int:
    """A host's hook from the command line: the payload on stdin, the reply on stdout, never a failure."""
    from ..storage.processes import beside

    begun = time.monotonic() - _process_age()
    gc.disable()  # a short life with many small objects and no cycles: looking for them takes a tenth of the time
    payload = sys.stdin.buffer.read()
    said = _decode(words, env, payload)
    found = _look_at_prompt(words, env, said)
    if found == NOTHING:
        return 0
    until = begun + _patience(env, said.call, payload if said.host == "openclaw" else b"")
    reply = ["", ""]  # and what could be written nowhere

    def work(hand_over: Callable[[bytes], None]) -> None:
        def handed(*told: str) -> None:
            hand_over("\0".join(told).encode("utf-8", "surrogateescape"))

        _answer(words, env, said, payload, until, handed)

    def here(*told: str) -> None:
        reply[:] = told

    if _only_reads(words, env, said):
        _answer(words, env, said, payload, float("inf"), here)  # the host waits for it: what is made is given
    else:
        owed = found == BOUNDARY or _is_owed_a_brief(said.call)
        reserve = _brief_in_reserve(words, env, said, lost=found == BOUNDARY) if owed else None
        patience = until - time.monotonic()
        try:
            told = beside(work, patience, reserve, _MEANWHILE * patience)
            reply = told.decode("utf-8", "surrogateescape").split("\0") if told else reply
        except OSError:  # the system gives us no process more: then here, and it takes as long as it takes
            _answer(words, env, said, payload, float("inf"), here)
    print(reply[0], end="")
    if reply[1]:
        print(f"holdfast: {reply[1]}", file=sys.stderr)
    return 0


def _process_age() -> float:
    """Return for how many seconds this process has been there: on a busy machine an interpreter takes a second to start."""
    try:
        with open("/proc/self/stat", "rb") as file:
            ticks = int(file.read(4096).rpartition(b")")[2].split()[19])
        age = time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
    except (AttributeError, IndexError, OSError, ValueError):
        return _UNKNOWN_AGE
    return age if 0 <= age < _ODD_AGE else _UNKNOWN_AGE


def _patience(env: Mapping[str, str], call: Call, of_openclaw: bytes = b"") -> float:
    """How long the host is kept waiting at most: a machine that is slow throughout may be given more."""
    given = env.get("HOLDFAST_HOOK_SECONDS", "")
    if given.isascii() and given.isdigit():
        return float(min(max(1, int(given)), 600))
    compacts = call.event == "before-compaction" or (call.event == "start" and call.source == "compact")
    if of_openclaw:
        compacts = (_object(of_openclaw) or {}).get("event") in ("before_compaction", "after_compaction", "summarize")
    return LONG_WAIT if compacts else SHORT_WAIT


def _is_owed_a_brief(call: Call) -> bool:
    """Return whether a call must not be answered with nothing while memory has something."""
    if call.event == "start":
        return call.source not in ("resume", "fork")
    if call.event != "prompt":
        return False
    from ..capture.hearing import asks_for_the_past

    return asks_for_the_past(call.prompt)


def _brief_in_reserve(words: Words, env: Mapping[str, str], said: Said, *, lost: bool) -> Any:
    """Return what makes a brief of what is saved already, for the case that saving the rest takes too long.

    `lost`: the transcript has a boundary of which no hook has told.
    """
    from ..storage.processes import Reserve

    class Brief(Reserve):
        hook: SpareHook | None = None

        def make(self) -> bytes:
            """It only reads; and whatever is wrong with it, the other one may still come."""
            from ..memory import Memory
            from .occasions import SpareHook

            try:
                workspace = _workspace(words, env, said.call, said.adapter)
                memory = Memory(workspace, read_config(workspace, env), write=False)
                session = session_key(words.one("session") or said.call.session)
                self.hook = SpareHook(memory, session, said.call, said.adapter, env)
                text = "" if memory.paused_since else self.hook.make(lost=lost)
                reply = str(said.adapter.reply(said.call, text)) if text else ""
            except Exception:  # a fault of ours must not become the host's, and the other process tells of it
                return b""
            return f"{reply}\0".encode("utf-8", "surrogateescape") if reply else b""

        def confirm(self) -> None:
            if self.hook:
                self.hook.hand_over()
                about = {"host": said.host, "event": said.call.event, "session": self.hook.session}
                self.hook.memory.receipt(**about, did="; ".join(self.hook.did), **self.hook.more)

    return Brief()


def answered(words: Words, env: Mapping[str, str], payload: bytes) -> str:
    """The reply to a hook, in this process; empty where there is nothing to say, or where it went wrong."""
    reply: list[str] = []
    _answer(words, env, _decode(words, env, payload), payload, float("inf"), lambda *told: reply.extend(told))
    return reply[0] if reply else ""


def _answer(
    words: Words, env: Mapping[str, str], said: Said, payload: bytes, until: float, hand_over: Callable[[str, str], None]
) -> None:
    """One hook, from its payload to its receipt; then the answer is handed over, and what is due besides is begun."""
    begun = time.monotonic()
    host, adapter, call, fault = said.host, said.adapter, said.call, said.fault
    if host == "openclaw":
        from .gateway import answered as told

        hand_over(json.dumps(told(words, env, _object(payload) or {}, set())), "")
        return
    if adapter is None:
        shown = printable(redacted(host)[0])
        hand_over("", f"There is no host {shown!r}; known: {', '.join(HOSTS)}, openclaw. Nothing was done.")
        return
    if not call.event:
        hand_over("", "")
        return
    from .mishaps import PAUSED, keep_elsewhere, why

    session = session_key(words.one("session") or call.session)
    about: dict[str, Any] = {"host": host, "event": call.event, "session": session}
    workspace = ""
    try:
        workspace = _workspace(words, env, call, adapter)
        if not words.one("workspace"):
            remember_workspace(workspace, env, _folder(env, call, adapter))
        memory, refused = _open_memory(workspace, env)
    except (HoldfastError, OSError) as error:
        about |= {"did": f"nothing: {redacted(str(error))[0]}", "failed": [f"memory could not be opened: {why(error)}"]}
        hand_over("", keep_elsewhere(about, env, workspace, time.time()))
        return
    memory.until = min(until, begun + _FOR_THE_LOCK)
    if memory.paused_since:
        memory.receipt(**about, did=PAUSED)
        hand_over("", "")
    elif call.event == "unknown" and not fault:
        _note_unknown(memory, about, call.name)
        hand_over("", "")
    else:
        hook, reply = _carried_out(memory, session, call, adapter, env, until, fault, refused)
        wanted = _upkeep_due(hook)
        about |= {"did": "; ".join(hook.did), **hook.more, **({"failed": hook.failed} if hook.failed else {})}
        about |= {"ms": round(1000 * (time.monotonic() - begun)), **({"upkeep": wanted} if wanted else {})}
        unwritten = "" if memory.receipt(**about) else keep_elsewhere(about, env, workspace, time.time())
        hand_over(reply, unwritten)
        _begin_beside(hook, wanted)
    memory.close()


def _open_memory(workspace: str, env: Mapping[str, str]) -> tuple[Memory, Exception | None]:
    """The memory of a workspace, and why it cannot be written to, where it can only be read: a brief is given all the same.

    Raises where there is none to read.
    """
    from ..memory import Memory

    config = read_config(workspace, env)
    try:
        return Memory(workspace, config, write=True), None
    except (HoldfastError, OSError) as error:
        if not os.path.isdir(os.path.join(workspace, ".holdfast")):
            raise
        return Memory(workspace, config, write=False), error


def _carried_out(
    memory: Memory,
    session: str,
    call: Call,
    adapter: Any,
    env: Mapping[str, str],
    until: float,
    fault: str,
    refused: Exception | None = None,
) -> tuple[Hook, str]:
    """What the event asks for, done; and the reply. `refused`: why nothing can be saved here, where nothing can."""
    from .occasions import Hook

    hook = Hook(memory, session, call, adapter, env, until)
    if refused:
        hook.fail("memory could not be opened for writing", refused)
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


NOTHING, BOUNDARY, MORE = "nothing is due", "a boundary was seen", "more is to be done"


def _look_at_prompt(words: Words, env: Mapping[str, str], said: Said) -> str:
    """Whether this is an ordinary prompt, or result, in a session in which nothing is due: it has its receipt, and is done with.

    Most hooks are such. It takes a look at the words, at what was given last and at the lines written since; nothing is synced,
    nothing of memory is opened, and no process is begun. Whatever is out of the ordinary goes the long way.
    """
    begun, host, adapter, call = time.monotonic(), said.host, said.adapter, said.call
    if call.event not in ("prompt", "tool") or not getattr(adapter, "BOUNDARIES", ()) or not call.transcript:
        return MORE
    from ..briefing.arrivals import looked
    from ..briefing.delivery import file_of, from_data
    from ..briefing.giving import turn_data, turn_file
    from ..capture.hearing import asks_for_the_past, refers_to_memory
    from ..storage.disk import Folder
    from ..util import format_time

    if asks_for_the_past(call.prompt) or refers_to_memory(call.prompt):
        return MORE
    session = session_key(words.one("session") or call.session)
    try:
        workspace = _workspace(words, env, call, adapter)
        with Folder.open(workspace) as root, root.child(".holdfast") as home, home.child("cursors") as cursors:
            kept = from_data(dict(json.loads(cursors.read(file_of(session)))))
            now = looked(kept, call, adapter)
            if now.boundary:
                return BOUNDARY
            if home.stat("forgotten") or home.stat(PAUSE_MARK) or now.verdict != kept.verdict or now.wants_another:
                return MORE
            if now != kept:
                cursors.remove(file_of(session))
                cursors.append(file_of(session), json.dumps(now.__dict__).encode())
            if call.event == "prompt":
                cursors.remove(turn_file(session))
                cursors.append(turn_file(session), turn_data(session, call.process, time.time()))
            about = {"time": format_time(time.time()), "host": host, "event": call.event, "session": session}
            about["did"] = "nothing to say"
            line = json.dumps({**about, "ms": round(1000 * (time.monotonic() - begun))}, ensure_ascii=False)
            home.append("receipts.jsonl", line.encode("utf-8", "replace") + b"\n")
    except (HoldfastError, OSError, TypeError, ValueError, RecursionError):
        return MORE
    return NOTHING


def _only_reads(words: Words, env: Mapping[str, str], said: Said) -> bool:
    """Whether a brief is to be given and nothing to be saved: then nothing is synced, no lock is waited for, and a process of its
    own, which costs as much as the brief itself, is not needed. After a compaction that was told beforehand it is so.
    """
    host, adapter, call = said.host, said.adapter, said.call
    if call.event != "start" or call.source not in ("compact", "resume") or not call.transcript:
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


def _decode(words: Words, env: Mapping[str, str], payload: bytes) -> Said:
    """Return what the host says, and what is wrong with it. Who is there is found out here, while the host is our parent."""
    host, event = (*words.texts, "", "")[:2]
    adapter = adapter_of(host)
    if adapter is None:
        return Said(host, None, Call("", ""))
    given = _object(payload)
    call: Call = adapter.read({} if given is None else given, event)
    wrong = "what the host sent is no JSON object" if given is None else ""
    if "\0" in call.transcript or "\0" in call.folder:
        call = call.replaced(transcript=call.transcript.partition("\0")[0], folder=call.folder.partition("\0")[0])
        wrong = "what the host sent names a path with a NUL character in it, which no file has"
    if call.event in ("start", "prompt", "tool", "before-compaction"):
        from .presence import with_presence

        call = with_presence(call, adapter, env)
    return Said(host, adapter, call, wrong)


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
