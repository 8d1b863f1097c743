"""`holdfast doctor`: is it really working? What was promised is tried, what hooks did is counted, what they missed is found out.

1. A session is made up in a throw-away workspace, compacted and recovered, by the same code that the hosts' hooks run.
2. The workspace's own health, in one line.
3. Host by host: what is installed there, and what the receipts say, against the sessions that the host has on disk. A hook
   that nobody calls leaves no receipt, and no error either: only the sessions that it should have seen tell of it.

Exit 0 where it works, 1 where something is wanting; each thing with what to do about it.
"""

from __future__ import annotations

import json
import os
import time

from .. import cli
from ..errors import HoldfastError, reason
from ..guard.entering import printable, redacted
from ..hooks.dispatch import answered
from ..hooks.mishaps import kept_elsewhere
from ..hooks.receipts import Seen, by_host, read
from ..installs import State
from ..model import HOST_NAMES, Value, fold
from .installing import states
from .proving import proved

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ..cli import Words
    from ..memory import Memory

# A process that a hook starts beside itself would make the throw-away folder again after it was removed.
NOTHING_BESIDE = {"HOLDFAST_SETTINGS": '{"autoExtract": "never", "autoUpkeep": "never"}'}
_DAYS = 30  # of sessions that are looked at
_MOST = 100  # sessions of a host whose ends are read, the newest first
_MARGIN = 300.0  # seconds after the last hook within which a session may still be under way
_RECORD = 1 << 16  # bytes that a record and the documents it changes want, at least
_SHOWN = 4  # failures of a host that are shown
_FURTHER = {"codex": "Where it is set up already: Codex runs no hook before you have trusted it; open it and choose `/hooks`."}


class Verdict(Value):
    """One thing that was looked at."""

    ok: bool
    said: str
    more: tuple[str, ...] = ()


def run_doctor(words: Words, env: Mapping[str, str]) -> int:
    """Every verdict; exit 1 where something is wanting."""
    tried, health = _tried(), _health(words, env)
    hosts, settings = _hosts(words, env), _check_settings(words, env)
    every = [tried, health, *settings, *(verdict for verdict, _ in hosts.values())]
    wanting = [verdict for verdict in every if not verdict.ok]
    if words.has("json"):
        data = {
            "ok": not wanting,
            "tried": _as_data(tried),
            "health": _as_data(health),
            "settings": [_as_data(verdict) for verdict in settings],
            "hosts": {host: {**_as_data(verdict), **about} for host, (verdict, about) in hosts.items()},
        }
        print(cli.in_json(data, indent=2))
    else:
        for verdict in every:
            print(f"{'ok' if verdict.ok else 'WANTING':<8} {_clean(verdict.said)}")
            print("".join(f"           {_clean(line)}\n" for line in verdict.more), end="")
        print(f"wanting  {len(wanting)} of {len(every)}" if wanting else "well     it works")
    return int(bool(wanting))


def _as_data(verdict: Verdict) -> dict[str, Any]:
    return {"ok": verdict.ok, "said": _clean(verdict.said), "more": [_clean(line) for line in verdict.more]}


def _clean(text: str) -> str:
    return printable(redacted(text)[0])


# ---- the trial ---------------------------------------------------------------------------------------------------------


def _tried() -> Verdict:
    """A change saved, a session compacted and recovered, in a folder that is gone afterwards."""
    import shutil
    import tempfile

    begun = time.monotonic()
    try:
        folder = tempfile.mkdtemp(prefix="holdfast-doctor-")
    except OSError as error:
        return Verdict(False, f"A throw-away workspace could not be made: {reason(error)[0]}.", (reason(error)[1] + ".",))
    try:
        wrong = _trial(folder)
    except (HoldfastError, OSError, ValueError) as error:
        wrong = str(error)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    what = "saving, a compaction and recovery, tried in a throw-away workspace"
    if wrong:
        return Verdict(False, f"{what}: {fold(wrong, 300)}", ("Your memory was not touched. Is the disk of TMPDIR full?",))
    return Verdict(True, f"{what}: all of it came back ({1000 * (time.monotonic() - begun):.0f} ms)")


def _trial(folder: str) -> str:
    """What went wrong; empty where all came back."""
    from ..config import Config
    from ..memory import Memory
    from ..storage.disk import Folder

    word = os.urandom(4).hex()  # so that nothing but this trial can have said it
    memory = Memory(folder, Config(), write=True)
    memory.change("doctor", {"decisions": (f"the reduced rate is 7 percent, {word} has agreed",)})
    memory.close()
    said = [
        {"type": "user", "message": {"role": "user", "content": f"never touch the old invoices of {word}"}},
        {"type": "assistant", "message": {"role": "assistant", "content": f"Shall I round per line for {word}?"}},
    ]
    with Folder.open(folder) as place:
        place.append("session.jsonl", "".join(json.dumps(entry) + "\n" for entry in said).encode())
    about = {"session_id": "doctor", "transcript_path": os.path.join(folder, "session.jsonl"), "cwd": folder, "source": "compact"}
    flags = {"workspace": [folder]}
    env = {"HOME": folder, **NOTHING_BESIDE}
    for event in ("PreCompact", "SessionStart"):
        reply = answered(cli.Words("hook", ["claude-code", event], flags), env, json.dumps(about).encode())
    wanted = (f"{word} has agreed", f"never touch the old invoices of {word}", f"Shall I round per line for {word}?")
    brief = json.loads(reply)["hookSpecificOutput"]["additionalContext"] if reply else ""
    lost = [text.replace(word, "…") for text in wanted if text not in brief]
    return f"not in the brief: {'; '.join(lost)}" if lost else ""


# ---- this workspace ----------------------------------------------------------------------------------------------------


def _health(words: Words, env: Mapping[str, str]) -> Verdict:
    """The workspace in one line. What only wants doing is said; what cannot be read is wanting."""
    from ..upkeep.health import SAVING
    from .keeping import examined

    try:
        found, _ = examined(words, env)
        refused = _refused(cli.workspace_of(words, env))
    except (HoldfastError, OSError) as error:
        return Verdict(False, f"memory here cannot be looked at: {fold(str(error), 300)}")
    if refused:
        return Verdict(False, f"nothing can be saved here: {refused}", ("What was saved before is intact, and can be read.",))
    wrong = [finding for finding in found if not finding.ok]
    stuck = next((finding for finding in wrong if finding.check == SAVING), None)
    if stuck:
        return Verdict(False, f"nothing can be saved here: {'; '.join(stuck.where)}", (f"mend: {stuck.mend}",))
    broken = [finding.check for finding in wrong if finding.integrity]
    if broken:
        remedy = "`holdfast health` says what, where, and what mends it."
        return Verdict(False, f"memory here is not whole: {', '.join(broken)}", (remedy,))
    if wrong:
        return Verdict(True, f"memory here is whole; {len(wrong)} of {len(found)} checks want doing: `holdfast health`")
    return Verdict(True, f"memory here is whole and in order: {len(found)} checks")


def _check_settings(words: Words, env: Mapping[str, str]) -> list[Verdict]:
    """A verdict for each setting that cannot be used; none where all can."""
    from ..config import read_config

    return [Verdict(False, f"settings: {wrong}") for wrong in read_config(cli.workspace_of(words, env), env).wrong]


def _refused(workspace: str) -> str:
    """Why this workspace can take no record; empty where it can. One that is still to be made is looked at in its parent."""
    folder = os.path.join(workspace, ".holdfast")
    while not os.path.isdir(folder) and folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
    if not os.access(folder, os.W_OK | os.X_OK):
        return f"{folder} cannot be written to"
    disk = os.statvfs(folder)
    return f"the disk of {folder} is full" if disk.f_bavail * disk.f_frsize < _RECORD else ""


# ---- the hosts ---------------------------------------------------------------------------------------------------------


def _hosts(words: Words, env: Mapping[str, str]) -> dict[str, tuple[Verdict, dict[str, Any]]]:
    """Each host with its verdict, and with what programs want to know."""
    memory = cli.opened(words, env, write=False)
    try:
        lines = memory.receipts()
        mine = [one for one in read(kept_elsewhere(env)) if one.get("workspace") == memory.workspace]
        # Of one second, what the workspace took is the later: it is whole again.
        seen = by_host(sorted([*mine, *read(lines)], key=lambda one: str(one.get("time", ""))))
        there = {host: _sessions(memory, host, env) for host in HOST_NAMES}
    except OSError as error:
        return {"hosts": (Verdict(False, f"the receipts cannot be read: {reason(error)[0]}"), {})}
    finally:
        memory.close()
    found, put_in = {}, states(words, env)
    for host in dict.fromkeys((*HOST_NAMES, *seen)):
        told, sessions, state = seen.get(host, Seen(host)), there.get(host, []), put_in.get(host, State(False, False))
        about = {name: value for name, value in told.__dict__.items() if name not in ("host", "sessions", "put")}
        about |= {"put": told.put.__dict__} if told.put else {}
        about |= {"not_known_yet": told.open, "sessions_here": len(sessions), "installed": state.installed}
        found[host] = (_verdict(host, told, sessions, state), about)
    return found


def _sessions(memory: Memory, host: str, env: Mapping[str, str]) -> list[tuple[str, float]]:
    """(session, when it was written last) of those that were had here lately, the newest first."""
    from ..capture.whereabouts import Belonging, name_of
    from ..transcripts import find
    from ..transcripts.heads import about

    home, since = env.get("HOME") or os.path.expanduser("~"), time.time() - _DAYS * 86400
    here = Belonging(memory.workspace, env, cli.here())
    newest = [found for found in find.sessions(host, env, home)[:_MOST] if found.modified > since]
    ends = [(found, about(found)) for found in newest]
    return [(name_of(found), found.modified) for found, told in ends if not told.aside and here.has(told)]


def _verdict(host: str, seen: Seen, sessions: list[tuple[str, float]], state: State) -> Verdict:
    """What hooks did says more than what is installed; where nothing was heard of them, that is looked at."""
    name, how = HOST_NAMES.get(host, host), f"run `holdfast init {host}`"
    stale = (state.installed or state.call) and not state.current
    said = [*state.said, *([f"It is not as this Holdfast would write it: {how}."] if stale else [])]
    if state.fights:
        more = [*state.fights[1:], *([_counts(seen)] if seen.events else []), *_read_back(state), *said]
        return Verdict(False, f"{name}: two memories fight: {state.fights[0]}", tuple(more))
    if state.dead:
        heard = [_counts(seen)] if seen.events else []
        return Verdict(False, f"{name}: {state.dead}: {how}", (*heard, *state.said, *_unknown(seen)))
    if not seen.events and not sessions:
        return _unused(host, seen, state, said)
    if not seen.events:
        since = time.strftime("%Y-%m-%d", time.localtime(min(moment for _, moment in sessions)))
        further = said or ([_FURTHER[host]] if host in _FURTHER else [])
        what = "although it is installed" if state.installed else how
        told = f"{name} had {_number(sessions, 'session')} here since {since}, and no hook was seen: {what}"
        return Verdict(False, told, (*further, *_unknown(seen)))
    wrong, proof = proved(seen, state.said) if host == "openclaw" else ("", [])
    more = [_counts(seen), *proof, *_deliveries(seen), *_failures(seen), *_unknown(seen), *_read_back(state), *said]
    last = max(_moment(when) for _, when in seen.events.values())
    missed = [session for session, moment in sessions if session not in seen.sessions and moment > last + _MARGIN]
    if missed:
        return Verdict(False, f"{name}: no hook was seen in its last {_number(missed, 'session')} here: {how}", tuple(more))
    if wrong:
        return Verdict(False, f"{name}: {wrong}", tuple(more))
    if state.missing:
        return Verdict(False, f"{name}: {state.missing[0][1]}", tuple(more))
    if seen.failing:
        return Verdict(False, f"{name}: the last {' and '.join(seen.failing)} failed", tuple(more))
    return Verdict(True, f"{name}: hooks are seen, in {_number(seen.sessions, 'session')} so far", tuple(more))


def _unused(host: str, seen: Seen, state: State, said: list[str]) -> Verdict:
    """A host of which nothing was heard here, neither by us nor by its own files."""
    name = HOST_NAMES.get(host, host)
    if state.installed or state.call:  # or it was, and something of it has gone since
        more = (*_read_back(state), *said, *_unknown(seen))
        return Verdict(not (state.said or state.missing), f"{name}: installed, and not used here so far", more)
    hint = f"It is on this machine: `holdfast init {host}` shows what it would put there."
    more = (*said, *(() if said else (hint,))) if state.there else ()
    return Verdict(True, f"{name}: not used here", (*more, *_unknown(seen)))


def _read_back(state: State) -> list[str]:
    """What was put into the host, read back: what is in its place, and what is missing."""
    there = [f"in place: {', '.join(state.in_place)}"] if state.in_place else []
    return [*there, *(f"missing: {sentence}" for _, sentence in state.missing)]


def _number(things: Any, name: str) -> str:
    return f"{len(things)} {name}{'' if len(things) == 1 else 's'}"


def _moment(when: str) -> float:
    from ..transcripts.heads import seconds

    return seconds(when)


def _day(when: str) -> str:
    return when[:16].replace("T", " ")


def _counts(seen: Seen) -> str:
    told = [f"{event} {count} (last {_day(when)})" for event, (count, when) in sorted(seen.events.items())]
    return f"hooks: {', '.join(told)}"


def _deliveries(seen: Seen) -> list[str]:
    if not seen.given:
        return []
    told = f"{seen.arrived} arrived, {seen.cut} cut, {seen.vanished} vanished, {seen.open} not known yet"
    told += f", {seen.overtaken} overtaken by the next before it was known" if seen.overtaken else ""
    remedy = ["What was cut was longer than the host takes: set briefMaxChars lower, to 9000 or less."] if seen.cut else []
    return [f"briefs: {seen.given} given, {told}", *remedy]


def _failures(seen: Seen) -> list[str]:
    """What failed, each kind once with its last time."""
    told = [
        f"failed: {event}: {why} ({_day(when)}{f', {times} times' if times > 1 else ''})"
        for event, why, when, times in reversed(seen.failures)
    ]
    left = len(told) - _SHOWN
    return [*told[:_SHOWN], *([f"… and {left} more; `holdfast doctor --json` has them all"] if left > 0 else [])]


def _unknown(seen: Seen) -> list[str]:
    what = "an event that this Holdfast does not know"
    return [f"{what}: {name} (first {_day(when)}); is there a newer one?" for name, when in seen.unknown]
