"""What a hook's event asks for, carried out: saved, given, looked for, compared. dispatch.py says what each event means.

A `Hook` is one call of a hook. It says in words what it did, which becomes the receipt, and has the text that is to be given.
"""

from __future__ import annotations

import os
import time

from ..briefing.arrivals import looked, size
from ..errors import BehindJournal, HoldfastError
from ..guard.entering import redacted
from ..model import LEFT, TURN_END
from .mishaps import kept_elsewhere, why

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from ..briefing.threads import Thread
    from ..capture.following import Following
    from ..hosts import Call
    from ..memory import Memory
    from ..storage.writing import Saved

_SAVED_AS = {"turn": TURN_END, "before-compaction": "pre-compaction", "end": "session-end"}  # event → trigger
_BOUNDARIES = ("before-compaction", "end")  # at which what the user has plainly said goes into the day
_ASKED = 4000  # characters of a brief in the midst of a session
SHORT = 2500  # and of one after a compaction where the settings want it short
_FOUND = 1200  # and of what was found for a prompt
_READING = 2.0  # seconds for a transcript of which nothing is saved, where time has run out
WRONG_SETTINGS = "A setting of Holdfast here cannot be used and does not count. `holdfast status` says which; tell the user."
_LATE = 120.0  # seconds by which a host may date a boundary after the brief that followed it


class Hook:
    """One call of a hook: what it did, in words, and what it gives where something is due."""

    def __init__(
        self, memory: Memory, session: str, call: Call, adapter: Any, env: Mapping[str, str], until: float = float("inf")
    ) -> None:
        self.memory, self.session, self.call, self.env = memory, session, call, env
        self.adapter, self.host = adapter, adapter.HOST  # the host's module in hosts/, and its name
        self.until = until  # when the host is let go (monotonic)
        self.did: list[str] = []
        self.failed: list[str] = []  # in fixed words
        self.more: dict[str, Any] = {}  # what the receipt says besides
        self.gleans = False  # whether something that the user said waits to be looked at, beside this hook
        self.text = ""
        self._wrong_mark = ""  # by which a receipt says that a brief has told of these wrong settings
        self._transcript = call.transcript

    def fail(self, what: str, error: BaseException | None = None) -> None:
        """Something went wrong: the receipt has all of it, and in fixed words what a brief may say."""
        self.failed.append(f"{what}: {why(error)}" if error else what)
        kind = f"{type(error).__name__}: " if error and not isinstance(error, (HoldfastError, OSError)) else ""
        self.did.append(f"{what}: {kind}{redacted(str(error))[0]}" if error else what)

    def carry_out(self) -> None:
        """What the event asks for."""
        call = self.call
        self._follow_turn()
        self._look()
        if call.event in _SAVED_AS:
            left = call.event == "end" and call.source != "clear"
            self._save(LEFT if left else _SAVED_AS[call.event])
            if call.event in _BOUNDARIES and self.memory.followed and self.memory.config.autoExtract != "never":
                self.gleans = self.memory.followed.hand_over()
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
            self._give_after_compaction()
        else:
            self._look_back()
            self._give_at_start("clear" if call.source == "clear" else "startup")

    def _follow_turn(self) -> None:
        """Remember whether the session is in a turn: from its prompt until its end. A compaction by hand comes between two."""
        call, giving = self.call, self.memory.giving
        if call.event == "prompt" or (call.event == "before-compaction" and call.trigger == "auto"):
            giving.begin_turn(self.session, call.process)
        elif call.event == "before-compaction" or (call.event in ("turn", "end") and not call.trigger):
            giving.end_turn(self.session)

    @property
    def _is_mid_turn(self) -> bool:
        """Whether the agent is at work, and the user has not spoken just now."""
        if self.call.event != "start":
            return self.call.event == "tool"
        if self.call.source != "compact" or self.call.trigger == "manual":
            return False
        return self.call.trigger == "auto" or self.memory.giving.turn(self.session) is not None

    def _of_host(self, name: str, otherwise: Any) -> Any:
        """What the host's adapter says of it, where it has such a thing."""
        return getattr(self.adapter, name, otherwise)

    @property
    def transcript(self) -> str:
        """Where the host writes; found by the session's id where it does not say. Not for a prompt: that would list them all."""
        if not self._transcript and self.call.event != "prompt":
            from ..capture.whereabouts import of_session

            found = of_session(self.call.session, self.host, self.env)
            self._transcript = found.path if found else ""
        return self._transcript

    # ---- saving ----

    def _look_back(self) -> None:
        """Bring in the session before this one, where no hook has seen its end."""
        from ..capture.missed import previous

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

        def save() -> None:
            about: dict[str, Any] = {"host": self.host, "trigger": trigger, "said": self.call.said}
            if trigger == LEFT:
                from ..capture.missed import left_at

                about["dated"] = left_at
            self.tell(self.memory.capture(self.session, self.transcript, **about))

        self.attempt(save)

    def attempt(self, save: Callable[[], None]) -> None:
        """Save something; what went wrong with it is the receipt's to say."""
        if self.memory.lock is None:
            return  # opened for reading only, and why is in the receipt already
        try:
            save()
        except BehindJournal as error:
            self.fail("saved in the journal, and not in the files", error)
        except (HoldfastError, OSError) as error:
            self.fail("not saved", error)

    def tell(self, saved: Saved | None) -> None:
        """What was saved, for the receipt."""
        told = (f"saved {saved.id}", saved.said) if saved else ("nothing new to save", self.memory.unread)
        self.did.append("; ".join(filter(None, told)))
        if saved and saved.waiting:
            self.fail(f"saved, and not yet in the files: {saved.waiting.split(';')[0]}")

    # ---- giving ----

    def _give(self, occasion: str, *, share: float = 1.0, most: int = 0, again: bool = False, **about: Any) -> None:
        """Make the brief. Where the host counts bytes, it is made again smaller until it fits."""
        whole = self.brief_size()
        budget = room = min(int(whole * share), most or whole)
        failures = self._failures()
        about |= {"occasion": occasion, "failures": failures, "prompted": bool(self.call.event == "prompt" and self.call.prompt)}
        about |= {"attended": self.call.attended, "mid_turn": self._is_mid_turn}
        try:
            for _ in range(8):
                brief = self.memory.recover(self.session, budget=room, empty="", **about)
                size = len(brief.encode("utf-8", "replace")) if self.adapter.IN_BYTES else len(brief)
                if size <= budget:
                    break
                room = min(room, len(brief)) * budget // size - 20
        except (HoldfastError, OSError) as error:
            self.fail("no brief", error)
            return
        self._given(brief, f"gave a brief of {len(brief)} characters", occasion=occasion, room=budget, again=again)
        if failures and self.text:
            self._note_told(failures)

    def brief_size(self) -> int:
        """Return how many characters a brief may have."""
        return self.memory.config.briefMaxChars

    def _give_after_compaction(self) -> None:
        """What the settings say of a compaction: the brief, a shorter one, or nothing."""
        how = self.memory.config.briefOnCompaction
        if how == "none":
            self._give_nothing("compact")
        else:
            self._give("compact", most=SHORT if how == "short" else 0, summary=self._summary())

    def _give_at_start(self, occasion: str) -> None:
        """What a session gets that begins with an empty context: by default a note of what is open here.

        The brief comes with the first prompt that refers to the past; and at once where the last session was cut off in the midst
        of a turn, or where this one has a memory of its own, as one has that is named by its user.
        """
        from ..briefing.threads import find_cut_off, find_displaced, find_threads

        config = self.memory.config
        how = config.briefOnClear if occasion == "clear" else config.briefOnStart
        if how == "none":
            self._give_nothing(occasion)
            return
        if self._has_full_brief():
            self.did.append("nothing: the brief was given with the prompt")
            return
        threads = find_threads(self.memory, self.session)
        own = self._has_own_memory()
        cut = find_cut_off(threads) if occasion == "startup" and not own else None
        if how == "full" or (how == "auto" and (cut or own)):
            left = cut.session if cut else "" if own else find_displaced(threads)
            self._give("cut-off" if cut else occasion, share=0.5, left=left)
            if cut and cut.turn and self.text:
                self.memory.giving.tell_turn(cut.turn)
        else:
            self._give_note(threads, occasion)

    def _give_note(self, threads: list[Thread], occasion: str, *, again: bool = False) -> None:
        """Give the short note of what is open here."""
        from ..briefing.threads import NOTE, make_note

        failures = self._failures()
        try:
            note = make_note(self.memory, threads, failures)
        except (HoldfastError, OSError) as error:
            self.fail("no note", error)
            return
        said = f"gave a note of {len(note)} characters"
        self._given(note, said, occasion=occasion, room=NOTE, note=True, again=again)
        if failures and self.text:
            self._note_told(failures)

    def _give_nothing(self, occasion: str) -> None:
        """Give nothing, as the settings want it; and remember that, so that it is not taken for a brief that was lost."""
        from ..briefing.delivery import ARRIVED, Delivery

        self.memory.giving.keep(self.session, Delivery(moment=self.memory.clock(), occasion=occasion, verdict=ARRIVED))
        self.did.append("nothing: the settings want no brief here")

    def _has_own_memory(self) -> bool:
        return self.memory.store.has_document(self.session) or bool(self.memory.topics.bound_to(self.session))

    def _has_full_brief(self) -> bool:
        """Whether this session was given a brief already, and not only a note."""
        from ..briefing.delivery import VANISHED

        delivery = self.memory.giving.last(self.session)
        return bool(delivery.occasion and delivery.room) and not delivery.note and delivery.verdict != VANISHED

    def _given(self, text: str, said: str, **about: Any) -> None:
        """Hand a text over, and remember what is to be looked for in the transcript; or that it came too late."""
        from ..briefing.delivery import OVERTAKEN, VANISHED, given

        if not text:
            self.did.append("nothing to say")
            return
        before = self.memory.giving.last(self.session)
        if before.is_open:
            self.more["delivery"] = {"mark": before.mark, "is": OVERTAKEN}
        delivery = given(text, since=size(self._transcript), moment=self.memory.clock(), **about)
        if time.monotonic() > self.until:
            self.memory.giving.keep(self.session, delivery.replaced(moment=0.0, verdict=VANISHED))
            self.fail("too late: the host had gone on; what was to be given comes with the next prompt")
            return
        self.text = text
        self.did.append(said)
        self.more["gave"] = delivery.mark or "a line"
        self.memory.giving.keep(self.session, delivery)
        self.memory.giving.remember(text, self.session)

    def _failures(self) -> str:
        """What hooks have failed to do since a brief told of it last, this one too."""
        from .receipts import in_a_line, untold

        try:
            found = untold(self.memory.receipts(), kept_elsewhere(self.env), self.memory.workspace)
        except OSError:
            found = []
        from ..util import format_time

        now = format_time(self.memory.clock())
        failed = in_a_line([*((now, self.call.event, why) for why in self.failed), *found])
        return " ".join(filter(None, (failed, self._wrong_settings())))

    def _wrong_settings(self) -> str:
        """That a setting cannot be used, in fixed words; empty where no setting is wrong, or a brief has said so already."""
        wrong = self.memory.config.wrong
        if not wrong:
            return ""
        from ..util import compute_digest

        self._wrong_mark = compute_digest("\n".join(wrong).encode("utf-8", "replace"))[:16]
        try:
            is_told = any(f'"wrong_settings": "{self._wrong_mark}"' in line for line in self.memory.receipts())
        except OSError:
            is_told = False
        return "" if is_told else WRONG_SETTINGS

    def _note_told(self, failures: str) -> None:
        """Let the receipt say that a brief has told of failures, and of wrong settings."""
        self.more["told"] = True
        if WRONG_SETTINGS in failures:
            self.more["wrong_settings"] = self._wrong_mark

    def _steer(self) -> None:
        """Tell the summariser which exact names to keep; what is said there is ours, and no memory."""
        from ..briefing.summarising import paragraph

        try:
            self.text = paragraph(self.memory.state(self.session), self.memory.key())
        except (HoldfastError, OSError) as error:
            self.fail("the summariser was told nothing", error)
            return
        if self.text:
            self.did.append(f"told the summariser what to keep, in {len(self.text)} characters")
            self.memory.giving.remember(self.text, self.session, framed=False)

    # ---- whether it arrived ----

    def _look(self) -> None:
        """Whether what was given last has arrived, as far as the transcript tells by now."""
        delivery = self.memory.giving.last(self.session)
        if not delivery.is_open and self.call.event not in ("prompt", "tool", "start"):
            return
        judged = looked(delivery, self.call, self.adapter)
        if judged != delivery:
            self.memory.giving.keep(self.session, judged)
        if judged.verdict != delivery.verdict:
            self.more["delivery"] = {"mark": judged.mark, "is": judged.verdict}

    def _gave_again(self) -> bool:
        """Offer once more, smaller, what has vanished; whether there was something to offer."""
        delivery = self.memory.giving.last(self.session)
        if not delivery.wants_another:
            return False
        if delivery.note:
            from ..briefing.threads import find_threads

            self._give_note(find_threads(self.memory, self.session), delivery.occasion, again=True)
        else:
            self._give(delivery.occasion, most=delivery.wants_another, again=True)
        return True

    def _go_on(self) -> None:
        """A session that is resumed has its context still: it gets what it lacks, and nothing twice. A fork is a copy of one."""
        from ..briefing.delivery import ARRIVED, Delivery

        if self.call.source == "fork":
            self.memory.giving.keep(self.session, Delivery(moment=self.memory.clock(), verdict=ARRIVED))
            self.did.append("nothing: a copy of a session has its context")
        elif self._of_host("FLEETING", False):
            self._say_again()
        elif not self._gave_what_was_lost() and not self._gave_again():
            self.did.append("nothing: a session that is resumed has its context still")

    def _say_again(self) -> None:
        """Where a brief is no part of the conversation, a session that was compacted once needs it for as long as it goes on."""
        if self.transcript and self._follow().boundaries:
            self._give_after_compaction()
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
        from ..briefing.losses import in_words, losses

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
        from ..capture.hearing import asks_for_the_past, refers_to_memory

        if self._gave_what_was_lost() or self._gave_again():
            return
        asks = asks_for_the_past(self.call.prompt)
        begins = self._begins_here()
        if begins:
            self._look_back()
        if asks:
            self._give_what_is_asked_for()
        elif begins:
            self._give_at_start("startup")
        elif refers_to_memory(self.call.prompt):
            self._find()
        else:
            self.did.append("nothing to say")

    def _give_what_is_asked_for(self) -> None:
        """The brief: whole for the first prompt that refers to the past, smaller afterwards.

        A session that has lost nothing yet knows its own work. What is asked for then is what the sessions before it left.
        """
        from ..briefing.threads import find_displaced, find_threads

        begun_with_note = self.memory.giving.last(self.session).note
        left = ""
        if begun_with_note or not self._has_own_memory():
            threads = find_threads(self.memory, self.session)
            left = find_displaced(threads) or (threads[0].session if threads and begun_with_note else "")
        most = 0 if begun_with_note or not (self._has_own_memory() or self._has_full_brief()) else _ASKED
        self._give("asked", most=most, question=self.call.prompt[:300], left=left)

    def _find(self) -> None:
        """What memory surely has for the user's words."""
        from ..briefing.recovery import sure_of

        try:
            found = sure_of(self.memory, self.call.prompt, _FOUND, self.session)
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
            self._give_after_compaction()
        return lost

    def _begins_here(self) -> bool:
        """Whether this is the first prompt of a session at whose start nothing can be said."""
        if not self._of_host("WITH_PROMPTS", False) or self.memory.giving.last(self.session).moment:
            return False
        return bool(self._transcript) and not self._follow().requests

    def _lost_unnoticed(self) -> bool:
        """Whether the transcript has a boundary after which no brief was given."""
        delivery = self.memory.giving.last(self.session)
        seen = delivery.boundary or not self._of_host("BOUNDARIES", ())
        boundaries = self._follow().boundaries if self.transcript and seen else ()
        lost = False
        if boundaries:
            from ..transcripts.heads import seconds

            lost = seconds(boundaries[-1]) > delivery.moment + self._of_host("LATE", _LATE)
        if delivery.boundary and not lost:
            self.memory.giving.keep(self.session, delivery.replaced(boundary=False))
        return lost


class SpareHook(Hook):
    """A hook that only reads: what it makes of what is saved already is given when the other one does not come in time."""

    _made: tuple[str, str, dict[str, Any]] = ("", "", {})

    def make(self, *, lost: bool = False) -> str:
        """Return what the event is owed, or nothing. `lost`: the transcript has a boundary that no hook has told of."""
        if lost:
            self._give_after_compaction()
        else:
            self.carry_out()
        return self._made[0]

    def carry_out(self) -> None:
        """Make it."""
        if self.call.event == "prompt":
            self._give_what_is_asked_for()
        elif self.call.source != "compact":
            self._give_at_start("clear" if self.call.source == "clear" else "startup")
        elif self._has_own_memory() or self.memory.latest(self.session):
            self._give_after_compaction()
        else:
            self._give_what_can_be_read()

    def hand_over(self) -> None:
        """Remember that it was given, as the other one would have been."""
        text, said, about = self._made
        super()._given(text, f"{said}, of what was saved before: the rest took too long", **about)

    def _given(self, text: str, said: str, **about: Any) -> None:
        self._made = (text, said, about)

    def _summary(self) -> str:
        return ""  # to look for it would be to read the transcript

    def _give_what_can_be_read(self) -> None:
        """The brief where nothing was saved yet: of as much of the transcript as there is time to read."""
        from ..capture.missed import read_for

        if self.transcript:
            state = read_for(self.memory, self.session, self.transcript, self.host, _READING)
            if state:
                self._give("compact", unsaved=state)
