"""Memory, the one way in: every command, hook and tool goes through here. What can be saved, what can be read.

How a record is kept is writing.py's: each thing to be saved here says only how it is composed, once the lock was had.
"""

from __future__ import annotations

import os
from functools import cached_property

from .documents import markdown
from .documents.codecs import context_text
from .documents.sections import item_lines
from .errors import BehindJournal, HoldfastError, NotFound, UserError, not_saved
from .guard import entering as guard
from .model import (
    ADDED,
    LEFT,
    MANDATORY,
    OPEN,
    PAUSE_MARK,
    PHASES,
    TURN_END,
    Checkpoint,
    Note,
    actions_with,
    crowded_out,
    fold,
    slug,
    step_back,
)
from .storage.writing import Past, Saved, Writer
from .util import format_time, is_id_of, make_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from .briefing.attribution import Attribution
    from .briefing.giving import Giving
    from .capture.following import Following
    from .model import Record
    from .recall.answering import Result

_SESSION_ENDS = (LEFT, "session-end")  # triggers at which a day gets the digest of a session
_AUTO_SAVED = {"session-end": "Auto-saved at the end of the session", "": "Auto-saved before compaction"}
_LONGEST_PATH = 4096  # bytes: step by step we could make a longer one, and nobody could open it


class Memory(Writer):
    """The memory of one workspace."""

    followed: Following | None = None  # the transcript of the last capture
    unread = ""  # what the last capture could not read, in words: a receipt says so even where nothing was saved

    # ---- what can be saved ----

    def change(self, session: str, change: Mapping[str, Any]) -> Saved:
        """One change of the working state: a task, a decision, a context key, a pending action, a blocker."""
        said = _crowding(self.store.state(session), change) if change.get("pending") else ""
        return self._save("state", session, lambda _id, _time: (markdown.show_change(change), "")).replaced(said=said)

    def done(self, session: str, text: str) -> Saved:
        """Tick the pending action that is meant, or record the text as done where none is alike.

        Raises UserError where several are: to say that one is done, or all, would be a guess.
        """
        meant = actions_with(self.store.state(session), text)
        if meant[1:]:
            each = "".join(f"\n  {fold(action, 100)}" for action in meant[:10]) + ("\n  …" if meant[10:] else "")
            which = f"“{fold(text, 60)}” may be any of {len(meant)} pending actions. Say which:"
            raise UserError(f"{which}{each}\nNothing was changed.")
        saved = self.change(session, {"pending": ((meant[0] if meant else text, True),)})
        return saved.replaced(said=f"ticked: {meant[0]}" if meant else "recorded as done; no pending action matched")

    def note(self, session: str, note: Note, past: Past | None = None, **about: str) -> Saved:
        """One remembered fact, into the day's file; of the past, into that day's."""
        return self._save("note", session, lambda _id, _time: (markdown.note_lines(note.text, note.type), ""), past, **about)

    def adopt(self, session: str, body: Callable[[str], str], past: Past) -> Saved:
        """A block that somebody wrote into a day by hand, kept in the journal too. No document changes by it."""
        about = {"origin": "hand", "trigger": "hand"}
        return self._save("checkpoint", session, lambda record_id, _time: (body(record_id), ""), past, **about)

    def checkpoint(
        self, session: str, given: Mapping[str, Any], *, topic: str = "", history: tuple[str, ...] = (), **about: str
    ) -> Saved:
        """The whole working state, from what is given and what is known; complete in itself."""
        known = self.store.state(session)
        given, forbidden = guard.remembered(given)
        missing, vague = guard.shortfall({**_filled(known), **given})
        every = self.without_forgotten({**_with_odd_phase(given), " topic": topic, " history": history})
        change, redacted = guard.clean(every, self.key)
        topic, history = " ".join(change.pop(" topic").split()), change.pop(" history")
        trigger = about.setdefault("trigger", "agent")

        def compose(record_id: str, stamp: str) -> tuple[str, str]:
            from .guard.echo import as_known, unsaid

            file = self.topics.file_for(topic, session) if topic else self.topics.bound_to(session)
            state = self.store.state_for(record_id, session)
            told = {**change, **{name: as_known(change[name], getattr(state, name)) for name in ADDED if change.get(name)}}
            number = self.days.next_number(stamp[:10])
            block = markdown.Block(state.after(told), stamp[:19], number, record_id, session, file, trigger)
            decided = self.topics.decisions(file) if file and told.get("decisions") else ()
            told["decisions"] = unsaid(told.get("decisions", ()), decided)
            head = _topic_part(topic or self.topics.title(file), told, history) if file else ""
            return head + markdown.show_block(block), file

        saved = self._save("checkpoint", session, compose, **about)
        return saved.replaced(
            missing=missing, vague=vague, redacted=(*saved.redacted, *redacted, *forbidden), said=_crowding(known, change)
        )

    def capture(
        self,
        session: str,
        transcript: str,
        *,
        host: str = "",
        trigger: str = "pre-compaction",
        said: str = "",
        history: str = "",
        messages: list[Any] | None = None,
        whole: bool = False,
        asked: bool = False,
        dated: Callable[[Following], Past] | None = None,
    ) -> Saved | None:
        """A checkpoint from the host's own transcript; None where it tells nothing new, or nothing worth one.

        `said`: the agent's last words, where the host tells them before it has written them. `history` is what the topic's
        history says of it, `messages` the conversation where the host hands it over itself. `whole`: nothing is saved where some
        of it cannot be read, for the host can hand it over. `asked`: somebody asks for it, and it is saved however little it is.
        `dated`: when it was, where that is not now.
        """
        from .capture import following as followed

        following = self.followed = followed.Following(self, session, transcript, host, messages=messages)
        owed = following.owes_block and trigger != TURN_END
        news = (owed or asked or following.hears(said) or not following.at_its_end()) and following.read_on(said)
        self.unread = "; ".join(following.reasons)
        if whole and following.unreadable:
            return None
        if asked and following.is_unsaved():
            return self.captured(following, session, host=host, trigger=trigger, history=history)
        if not news and not owed:
            if trigger in _SESSION_ENDS and following.was_saved:
                following.read_on()
                self._digest(following, host, trigger, dated(following) if dated else None)
            return None
        if following.trivial or (following.says_the_same and not owed):
            following.keep()
            return None
        past = dated(following) if dated else None
        if past:
            self.log(session, _AUTO_SAVED["session-end"])  # now: what is of the past tells its topic nothing
        saved = self.captured(following, session, host=host, trigger=trigger, history=history, past=past)
        if trigger in _SESSION_ENDS:
            self._digest(following, host, trigger, past)
        return saved

    def _digest(self, following: Following, host: str, trigger: str, past: Past | None) -> None:
        """Write what a session did into its day; the session itself is saved already, whatever becomes of this."""
        from .capture.session_digest import write_digest

        note = Past(past.moment, f"{past.mark}\0note", can_wait=past.can_wait) if past else None
        try:
            write_digest(self, following, host, trigger, note)
        except (HoldfastError, OSError) as error:
            self.unread = "; ".join(filter(None, (self.unread, f"no digest in the day: {error}")))

    def follow(self, session: str, transcript: str, host: str) -> Following:
        """A transcript read on, without saving. How far is kept for the next hook, unless that would make what was saved before
        look like somebody else's: a field is the transcript's while it is what the transcript said when it was saved.
        """
        from .capture import following as followed

        following = followed.Following(self, session, transcript, host)
        if not following.at_its_end():
            new = following.read_on()
            if self.lock and (not new or not following.was_saved):
                following.keep(saved=not new)
        return following

    def captured(
        self,
        following: Following,
        session: str,
        *,
        host: str,
        trigger: str,
        past: Past | None = None,
        unknown: bool = False,
        history: str = "",
    ) -> Saved:
        """The checkpoint of what was read of a transcript; dated back where it is of the past. Unknown: of a new session."""
        kinds: list[str] = []
        topic = following.claimed_topic if not past else ""
        if topic and slug(topic) in self.topics.all() and not self.topics.bound_to(session):
            self.bind(session, topic)

        def compose(record_id: str, stamp: str) -> tuple[str, str]:
            known = self.store.told if past else lambda one: self.store.state_for(record_id, one)
            before = Checkpoint() if past and unknown else known(session)
            state, others = following.state(before)
            clean, found = guard.clean(state.__dict__, self.key)
            kinds.extend(found)
            file = self.topics.bound_to(session)
            number = self.days.next_number(stamp[:10], record_id if past else "")
            shown = state if clean == state.__dict__ else Checkpoint(**clean)
            block = markdown.Block(shown, stamp[:19], number, record_id, session, file, trigger)
            block = block.replaced(source=f"the transcript; set by others: {', '.join(others)}" if others else "the transcript")
            if past or trigger == TURN_END:
                return markdown.show_block(block), ""  # what the topic says now is newer; or nothing has come to an end
            line = history or _AUTO_SAVED.get(trigger, _AUTO_SAVED[""])
            head = _topic_part(self.topics.title(file), {}, (line,)) if file else ""
            return head + markdown.show_block(block), file

        try:
            saved = self._save("checkpoint", session, compose, past, host=host, trigger=trigger, origin="transcript")
        except BehindJournal:  # saved all the same: it must not be told once more by each hook until the documents have it
            following.keep_if_possible(owes_block=trigger == TURN_END)
            raise
        following.keep_if_possible(owes_block=trigger == TURN_END)
        return saved.replaced(redacted=(*saved.redacted, *kinds), said="; ".join(following.reasons))

    def snapshot(self, session: str) -> Saved:
        """Keep the working state as it is, to come back to it."""

        def compose(record_id: str, stamp: str) -> tuple[str, str]:
            about = {"written at": stamp[:19], "trigger": "snapshot", "session": session, "record": record_id}
            return markdown.write_state("", self.store.state(session), about), ""

        return self._save("snapshot", session, compose)

    def restore(self, session: str, name: str = "") -> Saved:
        """Bring a kept working state back; without a name the newest. What stood before stays in the journal.

        What a person has written is in no record. It is kept in the trash, durable before the restore is; not so where it is the
        very state that is brought back.
        """
        names = self.snapshots()
        wanted = [n for n in names if n in (name, f"{name}.md", f"session-{name}.md") or (not name and self._is_mine(n, session))]
        if not wanted:
            what = f"no snapshot {name}" if name else "no snapshot yet; `holdfast snapshot` makes one"
            raise NotFound(f"There is {what}. The working state is as it was. `holdfast restore --list` names what there is.")
        # Whatever is wrong with it is said: to take it for empty would wipe the working state.
        text = self.store.text(self.store.folder("memory/session-snapshots"), wanted[0])
        state = markdown.read_state(text)
        self.catch_up()  # a record that its documents only wait for is no edit
        unsaved = self.store.state(session) not in (self.store.replayed(session), state)
        said = f"restored from {wanted[0]}" + (self._kept_before_restore(session) if unsaved else "")
        saved = self._save("restore", session, lambda _id, _time: (markdown.show_classic(state), ""))
        return saved.replaced(said=said)

    def _kept_before_restore(self, session: str) -> str:
        """Keep a state that no record has, and say where: a person edited it, or wrote it before we were there."""
        try:
            kept = self.store.keep_edited(session, make_id(self.clock(), ""))
        except OSError as error:
            what = "The working state that no record has, and the restore with it,"
            raise not_saved(error, self.home.at("trash"), what) from error
        how = f"`holdfast upkeep trash --restore {kept}` brings it back"
        return f"; what it replaced was written by hand and in no record, so it is in the trash: {how}"

    def _is_mine(self, snapshot: str, session: str) -> bool:
        """Whether a kept state is of this session, or of seed C, which knew only one."""
        text = self.store.text_or_empty("memory/session-snapshots", snapshot)
        return markdown.stamps(text).get("session", session) == session

    def snapshots(self) -> list[str]:
        """The kept working states, ours and seed C's, the newest first."""
        try:
            names = self.store.folder("memory/session-snapshots", make=False).names()
        except OSError as error:
            self.store.pass_over(error)
            return []
        return sorted((n for n in names if n.startswith("session-") and n.endswith(".md")), key=lambda n: n[:-3], reverse=True)

    # ---- topics ----

    def bind(self, session: str, topic: str | None, *, shared: bool = False) -> Saved:
        """Bind a session to a topic, or (None) to none. Shared: also to one that is read in a room, as the owner may want."""
        topic = self.without_forgotten(topic)
        file = self.topics.file_for(topic, "" if shared else session) if topic else ""
        lines = [("action", "bind" if topic else "unbind"), ("topic", file)]
        return self._save("topic", session, lambda _id, _time: (_said(lines), file))

    def log(self, session: str, line: str) -> Saved | None:
        """A line for the history of the topic that a session is bound to; None where it is bound to none."""
        file = self.topics.bound_to(session)
        if not file:
            return None
        lines = [("action", "log"), ("topic", file), ("line", self.without_forgotten(line))]
        return self._save("topic", session, lambda _id, _time: (_said(lines), file))

    def rename_topic(self, session: str, old: str, new: str) -> Saved:
        """Give a topic another name; its sessions stay bound to it."""
        new = self.without_forgotten(new)
        file, target = self.topics.known(old), slug(new)
        if not target or target in self.topics.all():
            taken = "is taken" if target else "has no letter or digit in it"
            raise UserError(f"The name {new} {taken}. The topic {old} is as it was; choose another name.")
        lines = [("action", "rename"), ("from", file), ("topic", target), ("name", new)]
        return self._save("topic", session, lambda _id, _time: (_said(lines), target))

    # ---- reading ----

    def state(self, session: str) -> Checkpoint:
        """The working state of a session."""
        return self.store.state(session)

    def latest(self, session: str = "", back: int = 0) -> Record | None:
        """The newest checkpoint, or the one `back` steps before it."""
        return step_back(filter(self.stands, self.journal.records(kind="checkpoint", session=session)), back)

    def stands(self, record: Record) -> bool:
        """Whether a checkpoint counts. One that was adopted does while its block is in its day, or its day is lost."""
        if record.origin != "hand":
            return True
        day = self.days.text(record.time[:10])
        return not day.strip() or any(is_id_of(record.id, markdown.block_key(block)) for _, block in markdown.blocks(day))

    def recover(
        self,
        session: str,
        *,
        back: int = 0,
        budget: int = 0,
        empty: str | None = None,
        occasion: str = "",
        summary: str = "",
        question: str = "",
        failures: str = "",
        topic: bool = True,
        prompted: bool = False,
        others: bool | None = None,
        attended: bool = True,
        mid_turn: bool = False,
        **more: Any,
    ) -> str:
        """The brief: what is known, made to a budget; `empty` (or an honest sentence) where nothing is.

        Without the topic: for a host that is given it with every prompt. Others: whether the work of another session is told
        where this one has none. After a compaction it never is.
        """
        from .briefing import brief
        from .briefing.recovery import find_files_by_tags, found_for, known

        about = {"occasion": occasion, "summary": summary, "failures": failures, "prompted": prompted}
        about |= {"attended": attended, "mid_turn": mid_turn}
        others = occasion != "compact" if others is None else others
        found = known(self, session, back, others=others, **more).replaced(**about)
        found = found if topic else found.replaced(topic_text="")
        question = question or (self.topics.title(found.topic) if found.topic and occasion == "startup" else "")
        work = (found.state.task, found.state.goal, *found.state.next_steps, found.topic, question)
        tagged = find_files_by_tags(self, " ".join(work), session)
        asked = found_for(self, question, session) if question else ()
        found = found.replaced(notes=(*found.notes, *asked, *tagged))
        return brief.make(found, budget or self.config.briefMaxChars, empty)

    @cached_property
    def attribution(self) -> Attribution:
        """Which session a block, a line of a day or a passage belongs to."""
        from .briefing.attribution import Attribution

        return Attribution(self)

    @property
    def giving(self) -> Giving:
        """What sessions were given, and what they are owed."""
        from .briefing.giving import Giving

        return Giving(self)

    def recall(self, question: str, **limits: Any) -> Result:
        """The passages that answer a question, the best first; `limits` are those of `recall.search`."""
        from .recall.answering import search

        return search(self.workspace, question, self.config, self.clock(), **limits)

    def receipt(self, **said: object) -> bool:
        """One line that says what a hook did, or why it did not. Losing it loses no memory, so it is not synced.

        False where the disk refuses even that; a hook must not fail its host for it.
        """
        import json

        line = json.dumps({"time": format_time(self.clock()), **self.without_forgotten(said)}, ensure_ascii=False)
        try:
            self.home.append("receipts.jsonl", line.encode("utf-8", "replace") + b"\n")
        except OSError:
            return False
        return True

    def receipts(self) -> list[str]:
        """The newest receipts, as lines, the oldest of them first."""
        data = b"".join(self.home.read_or_none(name) or b"" for name in ("receipts.old.jsonl", "receipts.jsonl"))
        return data[-400_000:].decode("utf-8", "replace").split("\n")

    # ---- pausing ----

    @property
    def paused_since(self) -> str:
        """Since when hooks do nothing here (`holdfast pause`); empty where they do their work."""
        return self.store.text_or_empty(".holdfast", PAUSE_MARK).strip()

    def pause(self) -> None:
        """Have hooks do nothing here: nothing is saved and nothing is given until `resume`."""
        if not self.paused_since:
            self.home.append(PAUSE_MARK, f"{format_time(self.clock())}\n".encode())
            self.home.sync()

    def resume(self) -> bool:
        """Have hooks do their work again; whether they were paused."""
        was = bool(self.paused_since)
        if was:
            self.home.remove(PAUSE_MARK)
            self.home.sync()
        return was

    # ---- an agent's own files ----

    def write_file(self, path: str, data: bytes, by: str = "`holdfast write`") -> None:
        """Crash-safe write of a file inside the workspace; what stood there goes to the trash, replaced `by` this.

        An absolute path is taken too, where it leads into the workspace. It goes the way of any other from there.
        """
        given, path = path, self._inside(path)
        parts = path.split("/")
        odd = any(p in ("", ".", "..") or p.casefold() == ".holdfast" or "\0" in p for p in parts)
        long = len(os.fsencode(self.root.at(path))) >= _LONGEST_PATH
        if odd or long or path.startswith("~") or self._is_home(parts[0]):
            raise UserError(f"{given[:200]} does not name a file inside {self.workspace}. Nothing was written.")
        try:
            folder, name = self.store.place("/".join(parts[:-1]), parts[-1], make=True)
            why = f"replaced by {by}\nfrom: {path}"
            self.store.overwrite(folder, name, data, why, make_id(self.clock(), ""))
        except OSError as error:
            raise not_saved(error, os.path.join(self.workspace, path), "The file") from error

    def _inside(self, path: str) -> str:
        """An absolute path as it is named from the workspace; any other path, and one that leads elsewhere, as it is."""
        for root in (self.workspace, os.path.realpath(self.workspace)):
            if path.startswith(root.rstrip("/") + "/"):
                return path[len(root.rstrip("/")) :].lstrip("/")
        return path

    def _is_home(self, name: str) -> bool:
        """Whether a name is one more for `.holdfast`: file systems that fold case and forms give a folder many names."""
        try:
            found = self.root.stat(name)
        except OSError:
            return False
        return found is not None and os.path.samestat(found, os.fstat(self.home.fd))


def _filled(state: Checkpoint) -> dict[str, Any]:
    """The mandatory fields that are known already, set by one-line commands or an earlier checkpoint."""
    return {name: getattr(state, name) for name in MANDATORY if getattr(state, name)}


def _crowding(state: Checkpoint, change: Mapping[str, Any]) -> str:
    """What is to be said where more is still to be done than the working state has room for."""
    gone = crowded_out(state, change)
    if not gone:
        return ""
    few = "; ".join(fold(action, 60) for action in gone[:5]) + ("; …" if gone[5:] else "")
    return f"the working state has room for {OPEN} open actions; the oldest are in the journal alone from now on: {few}"


def _with_odd_phase(given: Mapping[str, Any]) -> dict[str, Any]:
    """A phase that is none of the six is kept as context: nothing is lost to a rule."""
    phase = str(given.get("phase", "")).strip()
    if not phase or phase in PHASES:
        return dict(given)
    return {**given, "context": (*given.get("context", ()), ("phase", phase))}


def _topic_part(name: str, change: Mapping[str, Any], history: tuple[str, ...]) -> str:
    """What a checkpoint does to its topic, in the topic file's own sections; the record carries it above its block."""
    parts = [f"# {' '.join(name.split())}\n"]
    if change.get("status"):
        parts.append("## Current Status\n" + "\n".join(markdown.STATE["Status"].show(Checkpoint(status=change["status"]))) + "\n")
    for heading, values in (("Key Decisions", change.get("decisions", ())), ("History", history)):
        items = [line for text in Checkpoint(decisions=values).decisions for line in item_lines(text)]
        if items:
            parts.append(f"## {heading}\n" + "\n".join(items) + "\n")
    return "\n".join(parts) + "\n"


def _said(pairs: list[tuple[str, str]]) -> str:
    """Pairs as a list, one a line."""
    return "".join(f"- {context_text((key, ' '.join(value.split())))}\n" for key, value in pairs)
