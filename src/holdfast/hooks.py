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

from .config import find_workspace, read_config, state_folder
from .errors import BadSetting, BehindJournal, HoldfastError, reason
from .guard import printable, redacted
from .hosts import Call, claude_code, codex, gemini, opencode
from .model import TURN_END, session_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from .cli import Words
    from .delivery import Delivery
    from .following import Following
    from .memory import Memory

# host → its adapter (hosts/__init__.py)
HOSTS: dict[str, Any] = {"claude-code": claude_code, "codex": codex, "gemini": gemini, "opencode": opencode}
HARD_STOP = 1.8  # seconds after which the host is let go; with the start of the interpreter that is less than two
ELSEWHERE = "receipts.jsonl"  # in the user's state folder
_FOR_THE_LOCK = 1.0  # seconds of it that may go by waiting for another writer
_SAVED_AS = {"turn": TURN_END, "before-compaction": "pre-compaction", "end": "session-end"}  # event → trigger
_BOUNDARIES = ("before-compaction", "end")  # at which what the user has plainly said goes into the day
_ASKED = 4000  # characters of a brief in the midst of a session
_FOUND = 1200  # and of what was found for a prompt
_LATE = 120.0  # seconds by which a host may date a boundary after the brief that followed it
_LOOKED_AT = 8 << 20  # bytes of a transcript that are looked at together for a brief's mark and for a boundary
_LARGEST = 1 << 20  # bytes of receipts elsewhere
_NO_LINES = (".db", ".sqlite", ".zst")


def replied(words: Words, env: Mapping[str, str]) -> int:
    """A host's hook from the command line: the payload on stdin, the reply on stdout, never a failure."""
    from .processes import beside

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
    """One hook, from its payload to its receipt; then the answer is handed over, and upkeep begun where it is due."""
    begun = time.monotonic()
    host, event = (*words.texts, "", "")[:2]
    if host == "openclaw":
        from .gateway import answered as told

        hand_over(json.dumps(told(words, env, _object(payload) or {}, set())), "")
        return
    adapter = HOSTS.get(host)
    if adapter is None:
        hand_over("", f"There is no host {printable(host)!r}; known: {', '.join(HOSTS)}. Nothing was done.")
        return
    call, fault = _understood(adapter, payload, event)
    if not call.event:
        hand_over("", "")
        return
    session = session_key(words.one("session") or call.session)
    about: dict[str, Any] = {"host": host, "event": call.event, "session": session}
    from .memory import Memory

    workspace = ""
    try:
        workspace = _workspace(words, env, call)
        memory = Memory(workspace, read_config(workspace, env), write=True)
    except (HoldfastError, OSError) as error:
        about |= {"did": f"nothing: {redacted(str(error))[0]}", "failed": [f"memory could not be opened: {_why(error)}"]}
        hand_over("", _kept_elsewhere(about, env, workspace))
        return
    memory.until = min(until, begun + _FOR_THE_LOCK)
    if call.event == "unknown" and not fault:
        _note_unknown(memory, about, call.name)
        hand_over("", "")
        memory.close()
        return
    hook = Hook(memory, session, call, host, env, until)
    reply = ""
    try:
        if fault:
            hook.fail(fault)
        else:
            hook.carry_out()
            reply = str(adapter.reply(call, hook.text))
    except Exception as error:  # a fault of ours must not become the host's; the receipt says what it was
        hook.fail("failed", error)
    wanted = _upkeep_due(hook)
    about |= {"did": "; ".join(hook.did), **hook.more, **({"failed": hook.failed} if hook.failed else {})}
    about |= {"ms": round(1000 * (time.monotonic() - begun)), **({"upkeep": wanted} if wanted else {})}
    unwritten = "" if memory.receipt(**about) else _kept_elsewhere(about, env, workspace)
    hand_over(reply, unwritten)
    if wanted:
        from .unasked import begin

        begin(memory, wanted)
    if hook.heard:
        from .gleaning import begin as glean

        glean(memory, session, host, hook.heard)
    memory.close()


def _workspace(words: Words, env: Mapping[str, str], call: Call) -> str:
    return find_workspace(words.one("workspace"), env, call.folder if os.path.isdir(call.folder) else os.getcwd())


def _nothing_to_do(words: Words, env: Mapping[str, str], payload: bytes) -> bool:
    """Whether this is an ordinary prompt, or result, in a session in which nothing is due: it has its receipt, and is done with.

    Most hooks are such. It takes a look at the words, at what was given last and at the lines written since; nothing is synced,
    nothing of memory is opened, and no process is begun. Whatever is out of the ordinary goes the long way.
    """
    from .delivery import file_of, from_data
    from .disk import Folder
    from .hearing import asks_for_the_past, refers_to_memory
    from .journal import iso

    begun, (host, event) = time.monotonic(), (*words.texts, "", "")[:2]
    adapter = HOSTS.get(host)
    call = _understood(adapter, payload, event)[0] if adapter else None
    if not call or call.event not in ("prompt", "tool") or not getattr(adapter, "BOUNDARIES", ()) or not call.transcript:
        return False
    if asks_for_the_past(call.prompt) or refers_to_memory(call.prompt):
        return False
    session = session_key(words.one("session") or call.session)
    try:
        with Folder.open(_workspace(words, env, call)) as root, root.child(".holdfast") as home, home.child("cursors") as cursors:
            kept = from_data(dict(json.loads(cursors.read(file_of(session)))))
            now = _looked(kept, call, adapter)
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
    adapter = HOSTS.get(host)
    call = _understood(adapter, payload, event)[0] if adapter else None
    if not call or call.event != "start" or call.source not in ("compact", "resume") or not call.transcript:
        return False
    from .config import Config
    from .following import Following
    from .memory import Memory

    try:
        memory = Memory(_workspace(words, env, call), Config(), write=False)
        read = Following(memory, session_key(words.one("session") or call.session), call.transcript, host)
        quiet = read.at_its_end() and not read.owes_block and memory.home.stat("key") is not None
        memory.close()
    except (HoldfastError, OSError):
        return False
    return quiet


def _looked(delivery: Delivery, call: Call, adapter: Any) -> Delivery:
    """What is known of a delivery, and of a boundary, after a look at the lines that the host has written since."""
    signs, now = getattr(adapter, "BOUNDARIES", ()), delivery
    if not call.transcript or call.transcript.endswith(_NO_LINES):
        return delivery
    while True:
        lines, since = _lines_since(call.transcript, now.since)
        now = now.after(lines, getattr(adapter, "SIGN", b""), call.event) if now.is_open else now
        now = now.replaced(since=since, boundary=now.boundary or any(sign in lines for sign in signs))
        if len(lines) < _LOOKED_AT // 2:
            return now


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


def _why(error: BaseException | None) -> str:
    """Why something failed, in few and fixed words: a brief says them, and paths and names are others' words."""
    cause = error if isinstance(error, OSError) or error is None else error.__cause__
    if isinstance(cause, OSError):
        return reason(OSError(cause.errno, ""))[0]
    return "the settings cannot be read" if isinstance(error, BadSetting) else f"a fault of ours, {type(error).__name__}"


def _kept_elsewhere(about: Mapping[str, Any], env: Mapping[str, str], workspace: str) -> str:
    """A receipt that the workspace does not take goes to the user's state folder; what to say where that refuses too."""
    from .disk import Folder
    from .journal import iso

    failed = about.get("failed") or ["the receipt could not be written there"]
    line = json.dumps({"time": iso(time.time()), **about, "failed": failed, "workspace": workspace}, ensure_ascii=False)
    try:
        with Folder.open(state_folder(env), make=True) as folder:
            found = folder.stat(ELSEWHERE)
            if found and found.st_size > _LARGEST:
                folder.remove(ELSEWHERE)
            folder.append(ELSEWHERE, line.encode("utf-8", "replace") + b"\n")
    except OSError as error:
        return f"{'; '.join(failed)}. No receipt could be written either: {_why(error)}. `holdfast doctor` looks into it."
    return ""


def kept_elsewhere(env: Mapping[str, str]) -> list[str]:
    """The receipts that their workspaces did not take, as lines."""
    from .disk import Folder

    try:
        with Folder.open(state_folder(env)) as folder:
            return (folder.read_or_none(ELSEWHERE) or b"").decode("utf-8", "replace").split("\n")
    except OSError:
        return []


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
    from .unasked import due

    try:
        return due(hook.memory)
    except OSError:
        return ""


class Hook:
    """One call of a hook: what it did, in words, and what it gives where something is due."""

    def __init__(
        self, memory: Memory, session: str, call: Call, host: str, env: Mapping[str, str], until: float = float("inf")
    ) -> None:
        self.memory, self.session, self.call, self.host, self.env = memory, session, call, host, env
        self.until = until  # when the host is let go (monotonic)
        self.did: list[str] = []
        self.failed: list[str] = []  # in fixed words
        self.more: dict[str, Any] = {}  # what the receipt says besides
        self.heard: list[tuple[str, str]] = []  # what the user said that may be worth a note: looked at beside this hook
        self.text = ""
        self._transcript = call.transcript

    def fail(self, what: str, error: BaseException | None = None) -> None:
        """Something went wrong: the receipt has all of it, and in fixed words what a brief may say."""
        self.failed.append(f"{what}: {_why(error)}" if error else what)
        kind = f"{type(error).__name__}: " if error and not isinstance(error, (HoldfastError, OSError)) else ""
        self.did.append(f"{what}: {kind}{redacted(str(error))[0]}" if error else what)

    def carry_out(self) -> None:
        """What the event asks for."""
        call = self.call
        self._look()
        if call.event in _SAVED_AS:
            self._save(_SAVED_AS[call.event])
            if call.event in _BOUNDARIES and self.memory.followed and self.memory.config.autoExtract != "never":
                self.heard = self._worth_a_look(self.memory.followed.hand_over())
            if call.event == "before-compaction" and self._of_host("STEERS", False):
                self._steer()
        elif call.event == "after-compaction":
            self._compare()
        elif call.event == "prompt":
            self._hear()
        elif call.event == "tool":
            if not self._gave_what_was_lost():
                self.did.append("nothing to say")
        elif call.source in ("resume", "fork"):
            self._go_on()
        elif call.source == "compact":
            self._save()
            self._give("compact", summary=self._summary())
        else:
            self._look_back()
            self._give("clear" if call.source == "clear" else "startup", share=0.5)

    def _of_host(self, name: str, otherwise: Any) -> Any:
        """What the host's adapter says of it, where it has such a thing."""
        return getattr(HOSTS[self.host], name, otherwise)

    @property
    def transcript(self) -> str:
        """Where the host writes; found by the session's id where it does not say. Not for a prompt: that would list them all."""
        if not self._transcript and self.call.event != "prompt":
            from .whereabouts import of_session

            found = of_session(self.call.session, self.host, self.env)
            self._transcript = found.path if found else ""
        return self._transcript

    # ---- saving ----

    def _worth_a_look(self, heard: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """What was heard, where there is something in it: most is nothing, and is not worth a process."""
        if heard:
            from .lasting import is_worth_a_look

            return heard if any(is_worth_a_look(text) for text, _ in heard) else []
        return []

    def _look_back(self) -> None:
        """Bring in the session before this one, where no hook has seen its end."""
        from .missed import previous

        try:
            folder = self.call.folder or os.getcwd()
            saved = previous(self.memory, self.session, self.host, self.env, folder, self.call.transcript)
            if not isinstance(saved, str):
                self.did.append(f"saved {saved.id} of the session before")
        except (HoldfastError, OSError) as error:
            self.fail("the session before could not be read", error)

    def _save(self, trigger: str = "pre-compaction") -> None:
        if not self.transcript:
            self.did.append("nothing to save: the host names no transcript")
            return
        try:
            saved = self.memory.capture(
                self.session, self.transcript, host=self.host, trigger=trigger, said=self.call.said
            )
            told = (f"saved {saved.id}", saved.said) if saved else ("nothing new to save", self.memory.unread)
            self.did.append("; ".join(filter(None, told)))
            if saved and saved.waiting:
                self.fail(f"saved, and not yet in the files: {saved.waiting.split(';')[0]}")
        except BehindJournal as error:
            self.fail("saved in the journal, and not in the files", error)
        except (HoldfastError, OSError) as error:
            self.fail("not saved", error)

    # ---- giving ----

    def _give(self, occasion: str, *, share: float = 1.0, most: int = 0, again: bool = False, **about: Any) -> None:
        """Make the brief. Where the host counts bytes, it is made again smaller until it fits."""
        limit = self.env.get("HOLDFAST_BRIEF_MAX_CHARS", "")
        whole = int(limit) if limit.isdecimal() and limit.isascii() else self.memory.config.briefMaxChars
        budget = room = min(int(whole * share), most or whole)
        failures = self._failures()
        try:
            for _ in range(8):
                brief = self.memory.recover(self.session, budget=room, empty="", occasion=occasion, failures=failures, **about)
                size = len(brief.encode("utf-8", "replace")) if HOSTS[self.host].IN_BYTES else len(brief)
                if size <= budget:
                    break
                room = room * budget // size - 20
        except (HoldfastError, OSError) as error:
            self.fail("no brief", error)
            return
        self._given(brief, f"gave a brief of {len(brief)} characters", occasion=occasion, room=budget, again=again)
        if failures and self.text:
            self.more["told"] = True

    def _given(self, text: str, said: str, **about: Any) -> None:
        """Hand a text over, and remember what is to be looked for in the transcript; or that it came too late."""
        from .delivery import VANISHED, given

        if not text:
            self.did.append("nothing to say")
            return
        delivery = given(text, since=_size(self._transcript), moment=self.memory.clock(), **about)
        if time.monotonic() > self.until:
            self.memory.briefed(self.session, delivery.replaced(moment=0.0, verdict=VANISHED))
            self.fail("too late: the host had gone on; what was to be given comes with the next prompt")
            return
        self.text = text
        self.did.append(said)
        self.more["gave"] = delivery.mark or "a line"
        self.memory.briefed(self.session, delivery)
        self.memory.gave(text, self.session)

    def _failures(self) -> str:
        """What hooks have failed to do since a brief told of it last, this one too."""
        from .receipts import in_a_line, untold

        try:
            found = untold(self.memory.receipts(), kept_elsewhere(self.env), self.memory.workspace)
        except OSError:
            found = []
        from .journal import iso

        now = iso(self.memory.clock())
        return in_a_line([*((now, self.call.event, why) for why in self.failed), *found])

    def _steer(self) -> None:
        """Tell the summariser which exact names to keep; what is said there is ours, and no memory."""
        from .summarising import paragraph

        try:
            self.text = paragraph(self.memory.state(self.session))
        except (HoldfastError, OSError) as error:
            self.fail("the summariser was told nothing", error)
            return
        if self.text:
            self.did.append(f"told the summariser what to keep, in {len(self.text)} characters")
            self.memory.gave(self.text, self.session, framed=False)

    # ---- whether it arrived ----

    def _look(self) -> None:
        """Whether what was given last has arrived, as far as the transcript tells by now."""
        delivery = self.memory.last_brief(self.session)
        if not delivery.is_open and self.call.event not in ("prompt", "tool", "start"):
            return
        judged = _looked(delivery, self.call, HOSTS[self.host])
        if judged != delivery:
            self.memory.briefed(self.session, judged)
        if judged.verdict != delivery.verdict:
            self.more["delivery"] = {"mark": judged.mark, "is": judged.verdict}

    def _gave_again(self) -> bool:
        """Offer once more, smaller, what has vanished; whether there was something to offer."""
        delivery = self.memory.last_brief(self.session)
        if not delivery.wants_another:
            return False
        self._give(delivery.occasion, most=delivery.wants_another, again=True)
        return True

    def _go_on(self) -> None:
        """A session that is resumed has its context still: it gets what it lacks, and nothing twice. A fork is a copy of one."""
        from .delivery import ARRIVED, Delivery

        if self.call.source == "fork":
            self.memory.briefed(self.session, Delivery(moment=self.memory.clock(), verdict=ARRIVED))
            self.did.append("nothing: a copy of a session has its context")
        elif self._of_host("FLEETING", False):
            self._say_again()
        elif not self._gave_what_was_lost() and not self._gave_again():
            self.did.append("nothing: a session that is resumed has its context still")

    def _say_again(self) -> None:
        """Where a brief is no part of the conversation, a session that was compacted once needs it for as long as it goes on."""
        if self.transcript and self._follow().boundaries:
            self._give("compact", summary=self._summary())
        else:
            self.did.append("nothing: a session that is resumed has its context still")

    # ---- what the host's summary has lost ----

    def _summary(self) -> str:
        """The host's summary, where the transcript has it already."""
        followed = self.memory.followed or (self.transcript and self._follow())
        return followed.summary if followed else ""

    def _follow(self) -> Following:
        return self.memory.follow(self.session, self.transcript, self.host)

    def _compare(self) -> None:
        from .losses import in_words, losses

        summary = self.call.summary or self._summary()
        if not summary:
            self.did.append("nothing: the host's summary cannot be read")
            return
        found = losses(self.memory.state(self.session), summary)
        self.more["kept"] = {loss.kind: [loss.kept, loss.total] for loss in found}
        self.more["dropped"] = {loss.kind: [redacted(thing)[0][:200] for thing in loss.dropped[:10]] for loss in found}
        self.did.append(f"the host's summary kept {in_words(found)}" if found else "nothing to compare: no checkpoint")

    # ---- what the user's words, or the transcript, tell of a boundary that no hook has told ----

    def _hear(self) -> None:
        from .hearing import asks_for_the_past, refers_to_memory

        if self._gave_what_was_lost() or self._gave_again():
            return
        if self._begins_here():
            self._look_back()
            self._give("startup", share=0.5)
        elif asks_for_the_past(self.call.prompt):
            self._give("asked", most=_ASKED, question=self.call.prompt[:300])
        elif refers_to_memory(self.call.prompt):
            self._find()
        else:
            self.did.append("nothing to say")

    def _find(self) -> None:
        """What memory surely has for the user's words."""
        from .recovery import sure_of

        try:
            found = sure_of(self.memory, self.call.prompt, _FOUND)
        except (HoldfastError, OSError) as error:
            self.fail("memory could not be searched", error)
            return
        if not found:
            self.did.append("nothing to say: memory has nothing that is surely meant")
            return
        self._given(found, f"gave what was found, {len(found)} characters")

    def _gave_what_was_lost(self) -> bool:
        """Save and give the brief where a boundary went by without one; whether it did."""
        lost = self._lost_unnoticed()
        if lost:
            self._save()
            self._give("compact", summary=self._summary())
        return lost

    def _begins_here(self) -> bool:
        """Whether this is the first prompt of a session at whose start nothing can be said."""
        if not self._of_host("WITH_PROMPTS", False) or self.memory.last_brief(self.session).moment:
            return False
        return bool(self._transcript) and not self._follow().requests

    def _lost_unnoticed(self) -> bool:
        """Whether the transcript has a boundary after which no brief was given."""
        delivery = self.memory.last_brief(self.session)
        seen = delivery.boundary or not self._of_host("BOUNDARIES", ())
        boundaries = self._follow().boundaries if self.transcript and seen else ()
        lost = False
        if boundaries:
            from .transcripts.heads import seconds

            lost = seconds(boundaries[-1]) > delivery.moment + self._of_host("LATE", _LATE)
        if delivery.boundary and not lost:
            self.memory.briefed(self.session, delivery.replaced(boundary=False))
        return lost


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size if path else 0
    except OSError:
        return 0


def _lines_since(path: str, since: int) -> tuple[bytes, int]:
    """The whole lines of a transcript since a place in it, as many as one hook looks at, and where they end."""
    try:
        with open(path, "rb") as file:
            start = since if since <= os.fstat(file.fileno()).st_size else 0  # written anew
            file.seek(start)
            data = file.read(_LOOKED_AT)
    except OSError:
        return b"", since
    end = data.rfind(b"\n") + 1 or (len(data) if len(data) == _LOOKED_AT else 0)
    return data[:end], start + end
