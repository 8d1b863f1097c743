"""OpenClaw's gateway: what its plugin says, carried out. `holdfast hook openclaw`, once or (`--stay`, residing.py) for as long as
the gateway runs.

before_prompt_build  the bound topic, the same bytes until it changes, so that prompt caches hold; and where a boundary has gone
                     by, or the user asks for the past, the brief; where the user asks to save, it is saved, and the template
                     of a snapshot is given (explicit_save.py)
agent_end            what the turn has changed is saved; a brief that was in its request is owed no longer
before_compaction    saved, with a line in the topic's history; a session without a topic is bound to one named after its key
after_compaction     the same line of what it came to, what the host's summary has dropped, and a brief is owed
before_reset         saved, and a brief is owed
memory_flush         the host's own flush of a session begins or has ended: what it wrote into the day is that session's
session_start        snapshot blocks that the host's own memory flush wrote are adopted; where it follows another, a brief is owed
session_end          as before_reset, where the context is lost by it; at a shutdown what the last turn has changed
tool, command        what the model or the user calls by name
summarize            the brief, as the host's own summary (where the owner has set it so)
dropped              the plugin's word that it waited in vain; the receipt says so
gateway_start, wake  the plugin is loaded; a turn begins, and its prompt will come (loading.py)

The answer is an object: `system` and `context` to be put into the prompt, with the `mark` by which the plugin knows the brief
again in a request; `text` to be shown; `want: messages` where the transcript cannot be read and the conversation is needed.
"""

from __future__ import annotations

import os
import time

from ..briefing.brief import REFERENCE_ONLY
from ..briefing.delivery import ARRIVED, OVERTAKEN, Delivery, given
from ..capture.save_requests import asks_to_save, named_topic
from ..config import read_config
from ..errors import HoldfastError, not_saved
from ..guard.entering import redacted, safe
from ..hosts import Call, openclaw
from ..memory import Memory
from ..model import TURN_END, session_key
from ..transcripts.words import OURS
from .mishaps import PAUSED, keep_elsewhere, why
from .occasions import SHORT, Hook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ..capture.following import Following
    from ..cli import Words
    from ..hosts.openclaw import Said

HEADING = "## Topic memory (Holdfast)"
_ENDED = ("new", "reset", "idle", "daily")  # reasons of a session's end by which its context is lost
_GONE_ON = ("shutdown", "restart", "unknown")
_LATE = 120.0  # seconds by which a host may date a boundary after the brief that followed it
_CHECKPOINT_TOOL = "holdfast_checkpoint"
_ASKED = 4000  # characters of a brief in the midst of a session


def answered(words: Words, env: Mapping[str, str], given: Mapping[str, Any], looked: set[str]) -> dict[str, Any]:
    """The answer to what the plugin says; empty where there is nothing to say. Whatever went wrong is a sentence in it.

    `looked`: sessions whose transcript was looked through for a boundary that no hook has told of; from then on the hooks tell.
    """
    try:
        said = openclaw.read(given, env)
        if not said.event:
            if openclaw.ends_heartbeat(given):
                _keep_in_order_at_heartbeat(openclaw.workspace(said, words.one("workspace"), env), env)
            return {}
        said = said.replaced(session=session_key(said.session))
        workspace = openclaw.workspace(said, words.one("workspace"), env)
        if said.event in ("tool", "command"):
            from .called import spoken

            return spoken(said, workspace, env)
        if said.event in ("gateway_start", "wake"):
            from .loading import loaded, warmed

            return loaded(given, said, words.one("workspace"), env) if said.event == "gateway_start" else warmed()
        if said.event in ("session_start", "memory_flush") and not os.path.isdir(os.path.join(workspace, ".holdfast")):
            return {}  # it may be a heartbeat's, and that leaves nothing
        return _remembered(said, workspace, env, looked)
    except HoldfastError as error:
        return {"error": redacted(str(error))[0]}
    except OSError as error:
        return {"error": redacted(str(not_saved(error, str(error.filename or "the workspace"), "What this hook tells")))[0]}
    except Exception as error:  # a fault of ours, or what no host says: neither may become the host's
        return {"error": f"A fault of Holdfast ({type(error).__name__}: {redacted(str(error))[0]}). What was saved is intact."}


def _remembered(said: Said, workspace: str, env: Mapping[str, str], looked: set[str]) -> dict[str, Any]:
    """One hook, with its receipt: in the workspace, or where that cannot be opened, in the user's state folder."""
    about: dict[str, Any] = {"host": openclaw.HOST, "event": said.event, "session": said.session}
    try:
        memory = Memory(workspace, read_config(workspace, env), write=True)
    except (HoldfastError, OSError) as error:
        about |= {"did": f"nothing: {redacted(str(error))[0]}"}
        keep_elsewhere({**about, "failed": [f"memory could not be opened: {why(error)}"]}, env, workspace, time.time())
        raise
    begun = time.monotonic()
    run = Run(memory, said, env, looked)
    try:
        if memory.paused_since:
            run.did.append(PAUSED)
        else:
            run.carry_out()
    except Exception as error:  # the receipt says what it was
        run.answer = {}
        run.fail("failed", error)
    if run.failed:
        run.answer["error"] = "; ".join(run.failed)
        run.more["failed"] = run.failed
    about |= {"did": "; ".join(run.did), **run.more, "ms": round(1000 * (time.monotonic() - begun))}
    if not memory.receipt(**about):
        unwritten = keep_elsewhere(about, env, workspace, time.time())
        run.answer |= {"error": unwritten} if unwritten else {}
    if said.event != "before_prompt_build" and not memory.paused_since:
        _keep_in_order(memory)
    if run.gleans:
        from ..capture.gleaning import begin

        begin(memory)
    memory.close()
    return run.answer


def _keep_in_order_at_heartbeat(workspace: str, env: Mapping[str, str]) -> None:
    """Begin upkeep at the end of a heartbeat, where the owner has set it so. A heartbeat leaves nothing of ours otherwise."""
    if not os.path.isdir(os.path.join(workspace, ".holdfast")):
        return
    config = read_config(workspace, env)
    if config.autoUpkeep != "on-heartbeat":
        return
    memory = Memory(workspace, config, write=True)
    try:
        _keep_in_order(memory, heartbeat=True)
    finally:
        memory.close()


def _keep_in_order(memory: Memory, *, heartbeat: bool = False) -> None:
    """Begin upkeep that nobody has asked for, where it is due; never within a prompt."""
    from ..upkeep.unasked import begin, due

    try:
        wanted = due(memory, heartbeat=heartbeat)
    except OSError:
        return
    if wanted:
        begin(memory, wanted)


class Run(Hook):
    """One hook of the gateway, and the answer to it."""

    def __init__(self, memory: Memory, said: Said, env: Mapping[str, str], looked: set[str]) -> None:
        call = Call(said.event, said.session, said.transcript, said.folder, prompt=said.prompt)
        super().__init__(memory, said.session, call, openclaw, env)
        self.said, self.looked = said, looked
        self.answer: dict[str, Any] = {}

    def carry_out(self) -> None:
        """What the event asks for."""
        known = {
            "before_prompt_build": self._prompt,
            "agent_end": self._turn,
            "before_compaction": self._before_compaction,
            "after_compaction": self._after_compaction,
            "before_reset": self._before_reset,
            "session_start": self._begin,
            "memory_flush": self._flush,
            "session_end": self._end,
            "summarize": self._summarize,
            "dropped": self._dropped,
        }
        if self.said.event in known:
            known[self.said.event]()
        else:
            self.did.append("nothing: this event means nothing to us")

    # ---- what is put into a prompt ----

    def _prompt(self) -> None:
        topic = self._topic()
        if topic:
            self.answer |= {"system": topic, "topicMark": _mark(topic)}
            self.memory.giving.remember(topic, self.session)
            self.did.append(f"gave the topic, {len(topic)} characters")
        why = self.memory.giving.owed(self.session) or self._lost_unseen()
        how = self.memory.config.briefOnCompaction if why == "compact" else self.memory.config.briefOnClear
        if why and how == "none":
            self.memory.giving.arrived(self.session)
            self.did.append("no brief: the settings want none here")
        elif why and self._is_known():
            self._brief(why, summary=self._summary(), most=SHORT if how == "short" else 0)
        elif why:
            self.memory.giving.arrived(self.session)  # nothing is known of this session: what it says from now on is not its past
        elif self._asks():
            self._brief("asked", most=_ASKED if self._is_known() else 0, question=self.said.prompt[:300])
        if asks_to_save(self.said.prompt):
            self._save_on_request()
        put = [name for name, part in (("topic", "system"), ("brief", "mark")) if part in self.answer]
        if put:
            self.more["put"] = put
        if not self.did:
            self.did.append("nothing to say")

    def _save_on_request(self) -> None:
        """Save at once what is known, and hand the agent the template for the rest, in this turn."""
        from .explicit_save import SaveResult, save_now, template

        said, memory = self.said, self.memory
        result = SaveResult()

        def save() -> None:
            nonlocal result
            topic = safe(named_topic(said.prompt))  # it becomes the name of a file
            result = save_now(memory, self.session, said.transcript, self.host, topic=topic)
            how = "saved" if result.is_new else "nothing new, the newest is"
            self.did.append(f"asked to save: {how} {result.record or 'none'}")

        self.attempt(save)
        text = template(memory, self.session, result, _CHECKPOINT_TOOL)
        memory.giving.remember(text, self.session)
        self.answer["context"] = "\n".join(filter(None, (self.answer.get("context", ""), text)))
        self.did.append("gave the template of a snapshot")

    def _topic(self) -> str:
        """The bound topic in its frame; the same topic gives the same bytes."""
        from ..mcp.tools import in_frame

        file = self.memory.topics.bound_to(self.session)
        text = self.memory.topics.text(file) if file else ""
        if not text.strip():
            return ""
        room, rest = self.memory.config.briefMaxChars, ""
        if len(text) > room:
            text, rest = text[:room].rpartition("\n")[0], f"\n[...TRUNCATED] All of it: `holdfast topic read {file}`. Say so."
        return f"{HEADING}\n{REFERENCE_ONLY}\n{in_frame(text, self.memory)}{rest}"

    def _lost_unseen(self) -> str:
        """Whether the transcript has a boundary of which no hook has told: we were not there, or the host was killed."""
        if self.session in self.looked or not self.said.transcript:
            return ""
        self.looked.add(self.session)
        lost = self._owed_for_a_boundary(self._follow())
        if lost:
            self._save()
        return lost

    def _owed_for_a_boundary(self, following: Following | None) -> str:
        """Owe a brief where the transcript, as far as it was read, has a boundary after which none was given."""
        from ..transcripts.heads import seconds

        boundaries = following.boundaries if following else []
        if not boundaries or seconds(boundaries[-1]) <= self.memory.giving.last(self.session).moment + _LATE:
            return ""
        if not self.memory.giving.owed(self.session):
            self.memory.giving.owe(self.session, "compact")
        return "compact"

    def _asks(self) -> bool:
        """Return whether the user asks for the past. A session without a record of its own is told what is meant for all."""
        from ..capture.hearing import asks_for_the_past

        return asks_for_the_past(self.said.prompt)

    def _brief(self, occasion: str, *, most: int = 0, summary: str = "", question: str = "") -> None:
        """The brief, for this turn alone. The topic, which every prompt has, is not in it."""
        whole, failures = self.brief_size(), self._failures()
        room = max(whole - len(self.answer.get("system", "")), whole * 2 // 3)  # both stand in one prompt
        try:
            brief = self.memory.recover(
                self.session, budget=min(room, most or room), empty="", occasion=occasion, summary=summary, question=question,
                topic="system" not in self.answer, failures=failures, prompted=bool(self.said.prompt), others=False,
                attended=self.said.attended, mid_turn=self.said.mid_turn,
            )  # fmt: skip
        except (HoldfastError, OSError) as error:
            self.fail("no brief", error)
            return
        if not brief:
            return
        self.answer |= {"context": brief, "mark": _mark(brief)}
        if failures:
            self._note_told(failures)
        before = self.memory.giving.last(self.session)
        if before.is_open:
            self.more["delivery"] = {"mark": before.mark, "is": OVERTAKEN}
        delivery = given(brief, moment=self.memory.clock(), occasion=occasion, room=room)
        self.memory.giving.keep(self.session, delivery)
        self.memory.giving.remember(brief, self.session)
        self.more["gave"] = delivery.mark
        self.did.append(f"gave a brief of {len(brief)} characters")

    # ---- what is saved ----

    def _save(self, trigger: str = "pre-compaction", history: str = "") -> None:
        """Save what the transcript has, or what the host has handed over."""
        said, memory = self.said, self.memory
        handed, path = said.messages, "" if said.messages is not None else said.transcript
        asks = said.hands_over and handed is None

        def save() -> None:
            if not path and handed is None:
                self._want("nothing to save: the host names no transcript", asks)
                if history and not asks:
                    memory.log(self.session, history.replace("Auto-saved", "Not saved"))
                return
            about = {"host": self.host, "trigger": trigger, "history": history}
            saved = memory.capture(self.session, path, messages=handed, whole=asks, **about)
            if asks and memory.followed and memory.followed.unreadable:
                self._want(f"not all of the transcript can be read: {memory.unread}", asks)
                return
            self.tell(saved)
            if saved is None and history:  # all of it was saved before, or there was nothing worth it
                was_saved = memory.store.has_document(self.session)
                memory.log(self.session, history if was_saved else history.replace("Auto-saved", "Nothing to save"))

        self.attempt(save)

    def _hand_over(self) -> None:
        """What the user has plainly said since the last boundary, to be looked at beside this hook."""
        if self.memory.followed and self.memory.config.autoExtract != "never" and "want" not in self.answer:
            self.gleans = self.memory.followed.hand_over()

    def _want(self, why: str, asks: bool) -> None:
        """Say why nothing was saved, and ask for the conversation itself where the plugin has it."""
        self.did.append(why + ("; asked for the messages" if asks else ""))
        if asks:
            self.answer["want"] = "messages"

    def _turn(self) -> None:
        if self.said.delivered and self.said.success:
            self.memory.giving.arrived(self.session)
            delivery = self.memory.giving.last(self.session).replaced(verdict=ARRIVED)
            self.memory.giving.keep(self.session, delivery)
            self.more["delivery"] = {"mark": delivery.mark, "is": ARRIVED}
            self.did.append("the brief was in the request")
        # Of a run that failed nothing is known: it may never have come to a request.
        seen = {"arrived": self.said.arrived, "missing": self.said.missing} if self.said.success else {}
        self.more |= {name: list(parts) for name, parts in seen.items() if parts}
        self._save(TURN_END)
        self._owed_for_a_boundary(self.memory.followed)
        self._adopt()  # what somebody wrote until now is not what the next flush or compaction is about

    def _before_compaction(self) -> None:
        try:
            if not self.memory.topics.bound_to(self.session):
                self.memory.bind(self.session, self.session)
                self.did.append("bound to a topic named after its key")
        except (HoldfastError, OSError) as error:  # what was said is saved without a topic
            self.fail("not bound to a topic", error)
        self._save(history=f"Auto-saved before compaction ({self.said.before} messages)")
        self._hand_over()

    def _after_compaction(self) -> None:
        self.memory.log(self.session, f"Compaction completed ({self.said.before}→{self.said.after} messages)")
        if self.said.transcript:
            self._compare()
        if OURS in self._summary():
            # The summary is our own brief (`summarize`).
            self.memory.giving.keep(self.session, Delivery(moment=self.memory.clock(), verdict=ARRIVED))
        else:
            self.memory.giving.owe(self.session, "compact")
        # Where nobody tells of the host's flush, what has turned up since the last turn is taken for what it wrote.
        self._adopt("" if self.said.sees_flushes else self.session)

    def _before_reset(self) -> None:
        self._save("session-end", f"Auto-saved before a reset ({self.said.before} messages)")
        self._hand_over()
        self.memory.giving.owe(self.session, "clear")

    def _end(self) -> None:
        if self.said.reason in _ENDED:
            self._save("session-end")
            self._hand_over()
            self.memory.giving.owe(self.session, "clear")
        elif self.said.reason in _GONE_ON:
            self._save(TURN_END)
        elif not self.said.reason:
            self._save("session-end")  # whether the context is lost by it, the session that follows tells
            self._hand_over()
        else:
            self.did.append(f"nothing: the session ended ({self.said.reason or 'for no reason given'})")

    def _begin(self) -> None:
        if self.said.follows and self._is_known() and not self.memory.giving.owed(self.session):
            self.memory.giving.owe(self.session, "clear")
            self.did.append("a brief is owed: it follows another session")
        self._adopt()

    def _flush(self) -> None:
        """Tell what the host's flush of this session writes from what was there before it."""
        if self.said.reason == "named":
            self.memory.attribution.rename(self.said.words, self.session)
            self.did.append("the session of a flush is known")
            return
        ended = self.said.reason == "ended"
        today = time.strftime("%Y-%m-%d", time.localtime(self.memory.clock()))
        self._adopt(self.session if ended else "")
        self.memory.attribution.attribute_lines(today, self.session if ended else "")

    def _adopt(self, owner: str = "") -> None:
        from ..capture.adopting import adopt

        try:
            adopted = adopt(self.memory, owner=owner)
        except (HoldfastError, OSError) as error:
            self.fail("a block that was written by hand was not adopted", error)
            return
        if adopted or self.said.event != "agent_end":
            self.did.append(f"adopted {adopted} blocks" if adopted else "no block to adopt")

    # ---- the rest ----

    def _summarize(self) -> None:
        """The brief as the summary: what it drops is in the journal, and what it has was never in a model's hands."""
        self._save()
        known = self._is_known()  # a summary stands in the midst of the work: whoever reads it goes on
        text = self.memory.recover(self.session, empty="", occasion="compact", mid_turn=True) if known else ""
        self.memory.giving.remember(text, self.session)
        self.answer = {"text": text}
        self.did.append(f"gave a summary of {len(text)} characters")

    def _is_known(self) -> bool:
        return self.memory.store.has_document(self.session)

    def _dropped(self) -> None:
        """A prompt went out without memory. Where that could not be told at once, it is no word on how things stand now."""
        self.did.append(f"nothing was injected: {redacted(self.said.reason)[0][:200]}")
        self.failed.append("nothing was injected: no answer in time")
        if self.said.late:
            self.more["late"] = True


def _mark(text: str) -> str:
    """The line by which the plugin knows it again in a request."""
    return next((line for line in text.split("\n") if line.startswith("--- memory ")), "")
