"""`holdfast hook HOST [EVENT]`: what a host's hook says, carried out. It exits 0 always, and every hook leaves a receipt.

turn               what the turn has changed is saved, so that whatever comes next loses at most the turn under way
end                what the transcript has is saved, and the day tells of it
before-compaction  the same
start              after a compaction: saved once more (the host writes its last lines late), and the brief is given; at the
                   beginning of a session, or after a clear: what no hook saw of the session before it is saved, and its brief
prompt             the brief, where the user asks for the past, or where a boundary has gone by without one
after-compaction   what the host's summary has kept and dropped goes into the receipt

Whatever goes wrong is one line in `.holdfast/receipts.jsonl`: a hook that fails would fail its host, and one that is silent
would leave nobody the wiser.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import time

from .config import find_workspace, read_config
from .errors import BehindJournal, HoldfastError
from .guard import redacted
from .hosts import Call, claude_code, codex
from .memory import Memory
from .model import TURN_END, session_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from .cli import Words
    from .following import Following

HOSTS = {"claude-code": claude_code, "codex": codex}
_SAVED_AS = {"turn": TURN_END, "before-compaction": "pre-compaction", "end": "session-end"}  # event → trigger
_BOUNDARIES = ("before-compaction", "end")  # at which what the user has plainly said goes into the day
_ASKED = 4000  # characters of a brief in the midst of a session
_LATE = 120.0  # seconds by which a host may date a boundary after the brief that followed it


def replied(words: Words, env: Mapping[str, str]) -> int:
    """A host's hook from the command line: the payload on stdin, the reply on stdout, never a failure."""
    gc.disable()  # a short life with many small objects and no cycles: looking for them takes a tenth of the time
    print(answered(words, env, sys.stdin.buffer.read()), end="")
    return 0


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
        memory = Memory(workspace, read_config(workspace, env), write=True)
    except (HoldfastError, OSError):
        return ""
    hook = Hook(memory, session, call, host, env)
    reply = ""
    try:
        hook.carry_out()
        reply = str(adapter.reply(call, hook.brief))
    except Exception as error:  # a fault of ours must not become the host's; the receipt says what it was
        hook.did.append(f"failed: {type(error).__name__}: {redacted(str(error))[0]}")
    about = {"host": host, "event": call.event, "session": session, "did": "; ".join(hook.did), **hook.more}
    wanted = _upkeep_due(hook)
    memory.receipt(**about, ms=round(1000 * (time.monotonic() - begun)), **({"upkeep": wanted} if wanted else {}))
    if wanted:
        from .unasked import begin

        begin(memory, wanted)
    if hook.heard:
        from .gleaning import begin as glean

        glean(memory, session, host, hook.heard)
    memory.close()
    return reply


def _upkeep_due(hook: Hook) -> str:
    """Whether memory wants upkeep that nobody has asked for; never looked at within a prompt."""
    if hook.call.event == "prompt":
        return ""
    from .unasked import due

    try:
        return due(hook.memory)
    except OSError:
        return ""


class Hook:
    """One call of a hook: what it did, in words, and the brief where one is due."""

    def __init__(self, memory: Memory, session: str, call: Call, host: str, env: Mapping[str, str]) -> None:
        self.memory, self.session, self.call, self.host, self.env = memory, session, call, host, env
        self.did: list[str] = []
        self.more: dict[str, Any] = {}  # what the receipt says besides
        self.heard: list[tuple[str, str]] = []  # what the user said that may be worth a note: looked at beside this hook
        self.brief = ""

    def carry_out(self) -> None:
        """What the event asks for."""
        call = self.call
        if call.event in _SAVED_AS:
            self._save(_SAVED_AS[call.event])
            if call.event in _BOUNDARIES and self.memory.followed and self.memory.config.autoExtract != "never":
                self.heard = self._worth_a_look(self.memory.followed.hand_over())
        elif call.event == "after-compaction":
            self._compare()
        elif call.event == "prompt":
            self._hear()
        elif call.source == "resume":
            self.did.append("nothing: a session that is resumed has its context still")
        elif call.source == "compact":
            self._save()
            self._give("compact", summary=self._summary())
        else:
            self._look_back()
            self._give("clear" if call.source == "clear" else "startup", share=0.5)

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
            self.did.append(f"the session before could not be read: {redacted(str(error))[0]}")

    def _save(self, trigger: str = "pre-compaction") -> None:
        if not self.call.transcript:
            self.did.append("nothing to save: the host names no transcript")
            return
        try:
            saved = self.memory.capture(self.session, self.call.transcript, host=self.host, trigger=trigger)
            told = (f"saved {saved.id}", saved.said) if saved else ("nothing new to save", self.memory.unread)
            self.did.append("; ".join(filter(None, told)))
        except BehindJournal as error:
            self.did.append(redacted(str(error))[0])
        except (HoldfastError, OSError) as error:
            self.did.append(f"not saved: {redacted(str(error))[0]}")

    def _give(self, occasion: str, *, share: float = 1.0, most: int = 0, summary: str = "", question: str = "") -> None:
        """Make the brief. Where the host counts bytes, it is made again smaller until it fits."""
        limit = self.env.get("HOLDFAST_BRIEF_MAX_CHARS", "")
        whole = int(limit) if limit.isdecimal() and limit.isascii() else self.memory.config.briefMaxChars
        budget = room = min(int(whole * share), most or whole)
        try:
            for _ in range(8):
                brief = self.memory.recover(
                    self.session, budget=room, empty="", occasion=occasion, summary=summary, question=question
                )
                size = len(brief.encode("utf-8", "replace")) if HOSTS[self.host].IN_BYTES else len(brief)
                if size <= budget:
                    break
                room = room * budget // size - 20
        except (HoldfastError, OSError) as error:
            self.did.append(f"no brief: {redacted(str(error))[0]}")
            return
        self.brief = brief
        self.did.append(f"gave a brief of {len(brief)} characters" if brief else "nothing to say")
        if brief:
            self.memory.briefed(self.session)
            self.memory.gave(brief, self.session)

    # ---- what the host's summary has lost ----

    def _summary(self) -> str:
        """The host's summary, where the transcript has it already."""
        followed = self.memory.followed or (self.call.transcript and self._follow())
        return followed.summary if followed else ""

    def _follow(self) -> Following:
        return self.memory.follow(self.session, self.call.transcript, self.host)

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
        from .signs import asks_for_the_past

        lost = self._lost_unnoticed()
        if lost:
            self._save()
            self._give("compact")
        elif asks_for_the_past(self.call.prompt):
            self._give("asked", most=_ASKED, question=self.call.prompt[:300])
        else:
            self.did.append("nothing to say")

    def _lost_unnoticed(self) -> bool:
        """Whether the transcript has a boundary after which no brief was given."""
        from .transcripts.heads import seconds

        if not self.call.transcript:
            return False
        boundaries = self._follow().boundaries
        return bool(boundaries) and seconds(boundaries[-1]) > self.memory.last_briefed(self.session) + _LATE
