"""The documents of a workspace: where they are, what they say, and what each record does to which of them.

The person's edits are law: a document is read as it stands, and only the part that is ours is changed. Where a document is lost
or torn, the journal tells what it said. How a document takes on a record is in `exchange.py`.
"""

from __future__ import annotations

import errno
import os
import time
from functools import lru_cache

from ..documents import bindings, markdown
from ..documents.codecs import context_pair
from ..errors import LinkedElsewhere, reason
from ..model import NO_SESSION, Checkpoint, Record, is_room, slug
from ..util import compute_digest
from . import links
from .disk import Folder
from .exchange import Document, Exchange, decoded, encoded
from .journal import Journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

    from ..config import Config
    from ..documents.topic_pages import Topic

_SHOWN = "memory/session-state.md"
_EDITED = "written by hand, in no record, and replaced by `holdfast restore`"
_FOR_NOW = (errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM)


class Store(Exchange):
    """The documents of one workspace."""

    def __init__(self, root: Folder, home: Folder, swap: Folder, journal: Journal, config: Config) -> None:
        super().__init__()
        self.root, self.home, self.swap, self.journal, self.config = root, home, swap, journal, config
        self._open: dict[str, Folder] = {}
        self._memory_file: tuple[Folder, str] | None = None
        self.writing = False  # for a writing command; see `pass_over`
        self.washed = bytes
        self._edited = Checkpoint()  # what is in the trash before a restore
        self._composed = ("", Checkpoint())  # (record, the state that it was composed from)
        self.links_met: dict[str, str] = {}  # links that were not followed: where each is, and what is to be known of it
        self.shut: dict[str, str] = {}  # what may not be opened, likewise

    def close(self) -> None:
        """Give the folders back."""
        for folder in self._open.values():
            folder.close()
        self._open = {}
        self._memory_file = None

    # ---- where things are ----

    def folder(self, path: str, *, make: bool = True) -> Folder:
        """A folder of the workspace by its relative path. Only `memory` itself may be a link, its owner having agreed to it."""
        if path not in self._open:
            first, _, rest = path.partition("/")
            if first == ".holdfast" and rest:
                self._open[path] = self.home.descend(rest, make=make)
            elif first != "memory":
                self._open[path] = self.root.descend(path, make=make)
            elif rest:
                self._open[path] = self.folder("memory", make=make).descend(rest, make=make)
            else:
                self._open[path] = links.memory_folder(self.root, self.config, make=make)
        return self._open[path]

    def place(self, path: str, name: str, *, make: bool = False) -> tuple[Folder, str]:
        """The folder and the name of a file by its path in the workspace. `MEMORY.md` may be a link as `memory` may."""
        if path or name != "MEMORY.md":
            return self.folder(path, make=make) if path else self.root, name
        if self._memory_file is None:
            self._memory_file = links.memory_file(self.root, self.config)
            self._open["MEMORY.md"] = self._memory_file[0]  # to be closed with the others
        return self._memory_file

    def days(self, *, make: bool = True) -> Folder:
        """Where the days are: `memory/`, or `memory/episodic/` where its owner keeps them there."""
        memory = self.folder("memory", make=make)
        return self.folder("memory/episodic") if _is_folder(memory, "episodic") else memory

    def topics(self, *, make: bool = True) -> Folder:
        """Where the topic files and the session map are."""
        path = self.config.contextDir.replace(os.sep, "/")
        return self.folder(path, make=make) if path != "." else self.root

    def vanished(self) -> bool:
        """`memory/` is not there, or empty, although it once held documents: moved away or not mounted."""
        found = self.root.stat("memory")
        if found is None:
            return True
        try:
            with os.scandir(self.folder("memory").fd) as there:  # one is enough: there may be ten years of them
                return next(there, None) is None
        except LinkedElsewhere:
            return False  # it is there, and may not be looked into
        except OSError:
            return True

    def files(self) -> Iterator[tuple[Folder, str, str]]:
        """Every file of this memory, as (its open folder, the folder's path, its name). No link is followed but those that were
        agreed to; the file that `MEMORY.md` leads to has that for its path. Any other link stands for itself, and
        so does a folder that cannot be opened, to be named.
        """
        yield from ((self.root, "", name) for name in ("SESSION-STATE.md",) if self.root.stat(name))
        try:
            folder, name = self.place("", "MEMORY.md")
            if folder.stat(name):
                yield folder, "MEMORY.md" if self.root.is_link("MEMORY.md") else "", name
        except LinkedElsewhere:
            yield self.root, "", "MEMORY.md"
        topics = self.config.contextDir.replace(os.sep, "/")
        if topics == ".":  # they lie among the files of a project, which are none of ours
            yield from ((self.root, "", name) for name in self.root.names() if name.startswith("context-"))
        for path in ("memory", *([topics] if topics.split("/")[0] not in ("memory", ".") else ()), ".holdfast"):
            try:
                folder = self.folder(path, make=False)
            except FileNotFoundError:
                continue
            except OSError:  # a link, or no permission
                yield self.root, "", path
                continue
            yield from _below(folder, path)

    def document_of(self, named: str, new: str) -> Document | None:
        """The document whose digest begins so; or else, where it was changed since, the only one whose name's digest does."""
        alike: list[Document] = []
        for folder, path, name in self.files():
            if path.startswith(".holdfast") and path != ".holdfast/sessions":
                continue
            is_named = compute_digest(os.fsencode(name))[:8] == named
            if named and not is_named:
                continue
            try:
                document = Document("forgotten", self.folder(path) if path else self.root, name, str)
                if compute_digest(folder.read(name)).startswith(new):
                    return document
            except OSError:
                continue  # a link, a pipe, a bad sector: it is none that we exchanged
            alike += [document] if is_named else []
        return alike[0] if len(alike) == 1 else None

    # ---- reading ----

    def text(self, folder: Folder, name: str) -> str:
        """A document's text; empty where there is none. What follows a power cut's zero bytes is cut off."""
        data = folder.read_or_none(name)
        return decoded((data or b"").rstrip(b"\0"))

    def text_or_empty(self, path: str, name: str) -> str:
        """The same for reading commands: whatever is in the way, there is no text then."""
        try:
            return self.text(*self.place(path, name))
        except OSError as error:
            self.pass_over(error)
            return ""

    def pass_over(self, error: OSError) -> None:
        """Take what cannot be read for what is not there, unless a record is to be composed from it and it may well be there.

        A checkpoint made while the disk refused for a moment would lose its topic, or speak for another session.
        """
        if self.writing and error.errno in _FOR_NOW:
            raise error
        is_link = error.errno == errno.ELOOP
        if is_link or error.errno in (errno.EACCES, errno.EPERM):  # it is there: nobody may think that it is not
            told = f"{error.filename} was not read: {'. '.join(reason(error)) if is_link else reason(error)[0]}."
            told = "".join(c if c.isprintable() else "?" for c in told)  # a name may be anybody's
            (self.links_met if is_link else self.shut)[str(error.filename)] = told

    def not_read(self) -> list[str]:
        """What was met so far, is there and was not read, a sentence each."""
        return [*self.links_met.values(), *self.shut.values()]

    def state(self, session: str) -> Checkpoint:
        """The working state of a session: from its document, or from the journal where the document is lost or torn."""
        shown = self.text_or_empty("memory", "session-state.md")
        # A file that names no session is the owner's, and so is seed C's: neither is told in a room.
        owner = markdown.stamps(shown).get("session", "" if is_room(session) else session)
        mine = owner == session
        text = shown if mine and shown.strip() else self.text_or_empty(".holdfast/sessions", parked_name(session))
        state = markdown.read_torn(text, self.replayed(session)) if markdown.is_torn(text) else markdown.read_state(text)
        return self._with_classic(state) if mine and not is_room(session) else state

    def written_at(self, session: str) -> str:
        """When the document that tells the working state of a session says it was written; of seed C's, when it was saved."""
        if self._classic_speaks():
            classic = self.root.stat("SESSION-STATE.md")
            return time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(classic.st_mtime)) if classic else ""
        found = markdown.stamps(self.text_or_empty("memory", "session-state.md"))
        if found.get("session", session) != session:
            found = markdown.stamps(self.text_or_empty(".holdfast/sessions", parked_name(session)))
        return found.get("written at", "")

    def newest_told(self, session: str) -> str:
        """The newest record that the document of a session's working state has; empty where it names none."""
        found = markdown.stamps(self.text_or_empty("memory", "session-state.md"))
        if found.get("session", session) != session:
            found = markdown.stamps(self.text_or_empty(".holdfast/sessions", parked_name(session)))
        return found.get("record", "")

    def state_for(self, record_id: str, session: str) -> Checkpoint:
        """The working state that a record is composed from. What a person saves from now on it does not know of, and must not
        take for something that it has replaced.
        """
        self._composed = record_id, self.state(session)
        return self._composed[1]

    def _with_classic(self, state: Checkpoint) -> Checkpoint:
        """Seed C's SESSION-STATE.md speaks for its sections when it was saved after our own file."""
        if not self._classic_speaks():
            return state
        said = markdown.read_change(self.text_or_empty("", "SESSION-STATE.md"))
        if Checkpoint(**said).empty:
            return state  # a template that nobody has filled in says nothing, rather than that all is void
        return state.replaced(**said)

    def _classic_speaks(self) -> bool:
        classic = self.root.stat("SESSION-STATE.md")
        try:
            ours = self.folder("memory", make=False).stat("session-state.md")
        except OSError:
            ours = None
        if classic is None or ours is None or classic.st_mtime_ns > ours.st_mtime_ns:
            return classic is not None
        # The template that `init` puts beside it is younger, and says nothing: it must not silence what its owner wrote.
        text = self.text_or_empty("memory", "session-state.md")
        return "record" not in markdown.stamps(text) and markdown.read_state(text).empty

    def told(self, session: str) -> Checkpoint:
        """The working state of a session that may be long over: from a document only where that names it as its own.

        A session-state file that names no session is of whoever works now, and not of each session that ever was.
        """
        return self.state(session) if self.has_document(session) else self.replayed(session)

    def has_document(self, session: str) -> bool:
        """Whether a state file names a session as its own, shown or parked."""
        return self._is_shown(session) or self._is_parked(session)

    def _is_shown(self, session: str) -> bool:
        return markdown.stamps(self.text_or_empty("memory", "session-state.md")).get("session") == session

    def _is_parked(self, session: str) -> bool:
        return bool(self.text_or_empty(".holdfast/sessions", parked_name(session)).strip())

    def replayed(self, session: str, until: str = "~", but: str = "") -> Checkpoint:
        """The working state told by the journal alone, up to a record: the newest whole one, and what came after it."""
        changes: list[Record] = []
        for record in self.journal.records(session=session):
            if record.origin == "hand" or record.id > until or record.id == but:
                continue  # what was adopted from a day is told in briefs, and sets nothing: its owner may have deleted it since
            if record.kind in ("state", "checkpoint", "restore"):
                changes.append(record)
                if record.kind != "state":
                    break
        state = Checkpoint()
        for record in reversed(changes):
            state = after(state, record)
        return state

    # ---- what each record does to which document ----

    def documents(self, record: Record) -> list[Document]:
        """The documents that take on a record, in the order in which they must."""
        if record.kind == "note":
            return [self._day(record, markdown.day_with, record.body, tight=True)]
        if record.kind == "snapshot":
            folder = self.folder("memory/session-snapshots")
            name = f"session-{record.time[:19].replace('-', '').replace(':', '').replace('T', '-')}"
            if self.text(folder, f"{name}.md") not in ("", record.body):
                name += record.id[15:]  # two in one second
            return [Document("snapshot", folder, f"{name}.md", lambda _text: record.body)]
        if record.kind == "topic":
            return self._topic_documents(record)
        if record.origin == "hand":
            return []  # it is in its day already, as its owner wrote it
        found = self._past_documents(record) if record.is_past else self._state_documents(record)
        if record.kind == "state":
            found.insert(0, self._buffer(record))
        if record.kind == "checkpoint" and not record.ends_a_turn:
            lines = markdown.snapshot_lines(markdown.drop_repeats(markdown.block_in(record.body)), record.time[11:16])
            found.insert(0, self._day(record, markdown.day_with, lines))
            found += self._checkpointed_topic(record)
        return found

    def _day(self, record: Record, change: Callable[..., str], below: str, **how: bool) -> Document:
        day = record.time[:10]
        return Document("day", self.days(), f"{day}.md", lambda text: change(text, day, below, **how))

    def _buffer(self, record: Record) -> Document:
        line = buffer_line(record)
        return Document(
            "buffer", self.folder("memory"), "working-buffer.md", lambda text: markdown.buffer_with(text, record.time, line)
        )

    def _state_documents(self, record: Record) -> list[Document]:
        memory = self.folder("memory")
        shown = self.text(memory, "session-state.md")
        # What names no session is the owner's. A room takes it for nobody's: it is parked, and told in the owner's briefs.
        unnamed = NO_SESSION if is_room(record.session) and self.root.stat("SESSION-STATE.md") else record.session
        owner = markdown.stamps(shown).get("session", unnamed) if shown.strip() else unnamed
        own = self.text_or_empty(".holdfast/sessions", parked_name(record.session))
        base = shown if owner == record.session and shown.strip() else own
        said = self.text_or_empty("", "SESSION-STATE.md")
        state = self._after(record, markdown.stamps(base).get("record", ""))
        stamp = _stamp(record, base)
        # Our own file has the record, and SESSION-STATE.md has waited for it, and was saved by a person meanwhile.
        saved_since = self.catching_up and markdown.stamps(shown).get("record") == record.id and self._classic_speaks()
        found = []
        if owner != record.session:
            sessions = self.folder(".holdfast/sessions")
            # What its owner said in SESSION-STATE.md is parked with it: that file is about to speak of another session.
            parked = markdown.write_state(shown, self.state(owner), {})
            found.append(Document("parked", sessions, parked_name(owner), lambda _text: parked))

        def told(text: str, seen: str) -> Checkpoint:
            """The state after the record; on a text that a person saved since we looked, what that text says and the record."""
            if record.kind == "restore" and not self._is_kept(markdown.read_state(text).__dict__, record):
                self._keep_edited(text, _SHOWN, record.id)
            return state if text == seen else _upon(markdown.read_state(text), markdown.read_state(seen), state, record)

        def classic(text: str) -> str:
            written = self.text(memory, "session-state.md")
            known = markdown.read_state(written) if markdown.stamps(written).get("record") == record.id else state
            if saved_since or not (text == said or not text.strip()):
                if record.kind == "restore" and not self._is_kept(markdown.read_change(text), record):
                    self._keep_edited(text, "SESSION-STATE.md", record.id)
                theirs = markdown.read_state(text)
                known = after(theirs, record) if saved_since else _upon(theirs, markdown.read_state(said), state, record)
            return markdown.write_classic(text, known)

        def unparked(text: str) -> str:
            return "" if markdown.stamps(self.text(memory, "session-state.md")).get("session") == record.session else text

        def change(text: str) -> str:
            mine = text.strip() and markdown.stamps(text).get("session", record.session) == record.session
            return markdown.write_state(text, told(text, shown), stamp) if mine else markdown.write_state(base, state, stamp)

        found.append(Document("state", memory, "session-state.md", change))
        if own:
            # It is shown again. What was parked grows old from now on, and must not speak should the shown file be lost.
            found.append(Document("unparked", self.folder(".holdfast/sessions"), parked_name(record.session), unparked))
        if self.root.stat("SESSION-STATE.md") and not is_room(record.session):
            # Last, so that it is the younger of the two: what a person saves in it from now on is heard (`_with_classic`).
            found.append(Document("classic", self.root, "SESSION-STATE.md", classic))
        return found

    def keep_edited(self, session: str, record_id: str) -> str:
        """Keep the working state as it was edited in the trash, in the document that it stands in; by which id."""
        shown = self.text_or_empty("memory", "session-state.md")
        mine = bool(shown.strip()) and markdown.stamps(shown).get("session", session) == session
        text = shown if mine else self.text_or_empty(".holdfast/sessions", parked_name(session))
        self._edited = self.state(session)
        return self._keep_edited(markdown.write_state(text, self._edited, {}), _SHOWN if mine else "", record_id)

    def _keep_edited(self, text: str, path: str, record_id: str) -> str:
        why = _EDITED + (f"\nfrom: {path}" if path else "")
        return self.keep_in_trash(encoded(text), path.rpartition("/")[2] or "session-state.md", why, record_id)

    def _is_kept(self, said: Mapping[str, Any], record: Record) -> bool:
        """Whether what a document says is kept: in the journal, before a restore or by it, or in the trash.

        A person may save something else after `keep_edited` has looked, above all where a crash comes between.
        """
        told = Checkpoint(**said)
        before = self.replayed(record.session, until=record.id, but=record.id)
        states = (before, after(Checkpoint(), record), self._edited)
        return any(all(getattr(told, name) == getattr(state, name) for name in said) for state in states)

    def _past_documents(self, record: Record) -> list[Document]:
        """What was brought in from the past takes over from nobody: only a document that is of its own session takes it on."""
        if self._is_shown(record.session):
            return self._state_documents(record)
        name = parked_name(record.session)
        own = self.text_or_empty(".holdfast/sessions", name)
        if not own.strip():
            return []
        state = self._after(record, markdown.stamps(own).get("record", ""))
        stamp = _stamp(record, own)

        def change(text: str) -> str:
            return markdown.write_state(text, state if text == own else after(markdown.read_state(text), record), stamp)

        return [Document("parked", self.folder(".holdfast/sessions"), name, change)]

    def _after(self, record: Record, known: str) -> Checkpoint:
        """The working state after a record. A checkpoint was composed before, just now or before a crash: what a person has put
        in since must not go, what they took out not come back. So only what it changed is made to the state as it is now.
        """
        now = self.state(record.session)
        state = after(now, record, known)
        if record.kind != "checkpoint":
            return state
        if self.catching_up:
            return state.rebased(self.replayed(record.session, until=record.after, but=record.id), now)
        composed, before = self._composed
        return state if composed != record.id or before == now else state.rebased(before, now)

    def _checkpointed_topic(self, record: Record) -> list[Document]:
        if not record.topic:
            return []
        from ..documents.topic_pages import read_topic

        said = read_topic(record.body.removesuffix(markdown.block_in(record.body)))
        found = [self._bindings(record, {record.session: record.topic})] if record.binds else []
        return [*found, *self._topic_with(record, said)]

    def _topic_with(self, record: Record, said: Topic) -> list[Document]:
        """A topic that takes on what a record says of it, and the archive of what it has no more room for."""
        from ..documents.topic_pages import TopicChange, write_topic

        folder, name = self.topics(), f"context-{record.topic}.md"
        change = TopicChange(
            said.name or record.topic,
            record.time[:10],
            record.session,
            said.status,
            said.decisions,
            said.history,
            self.config.maxDecisions,
            self.config.maxHistoryLines,
        )
        topic = Document("topic", folder, name, lambda text: write_topic(text, change)[0])
        # One that had taken it on before a crash would seem to have too much by as many lines, and would give away its oldest.
        taken_on = self.catching_up and self._has_taken_on(record.id, topic)
        pruned = "" if taken_on else write_topic(self.text(folder, name), change)[1]
        if not pruned:
            return [topic]
        title = f"# {record.topic}: older decisions and history\n\n"
        return [Document("pruned", self.folder("memory/archive"), name, lambda text: (text or title) + pruned), topic]

    def _topic_documents(self, record: Record) -> list[Document]:
        from ..documents.topic_pages import Topic, retitled

        said = dict(context_pair(line[2:]) for line in record.body.split("\n") if line.startswith("- "))
        if said.get("action") == "log":
            return self._topic_with(record, Topic(history=(said.get("line", ""),)))
        if said.get("action") != "rename":
            bound = said["topic"] if said.get("action") == "bind" else None
            return [self._bindings(record, {record.session: bound})]
        folder = self.topics()
        old, new = f"context-{said['from']}.md", f"context-{said['topic']}.md"
        text = self.text(folder, old)
        map_text = self.text(folder, "context-session-map.json")
        moved = {k: said["topic"] for k, v in bindings.read_bindings(map_text).items() if v == said["from"]}
        found = [self._bindings(record, moved)] if moved else []
        if folder.stat(old):  # emptied already, where a crash came before its name went too
            found.insert(0, Document("topic", folder, new, lambda there: there or retitled(text, said["name"])))
            found.append(Document("renamed", folder, old, lambda _text: ""))
        return found

    def _bindings(self, record: Record, changes: Mapping[str, str | None]) -> Document:
        def change(text: str) -> str:
            if all(bindings.read_bindings(text).get(k) == v for k, v in changes.items()):
                return text
            if not bindings.bindings_are_sound(text):
                self.keep_in_trash(encoded(text), "context-session-map.json", "it was not JSON", record.id)
            return bindings.write_bindings(text, changes)

        return Document("map", self.topics(), "context-session-map.json", change)


def after(state: Checkpoint, record: Record, known: str = "") -> Checkpoint:
    """The working state after a record. A whole checkpoint replaces it, unless it was written without knowing of it."""
    if record.kind == "state":
        return state.after(markdown.read_change(record.body))
    if record.kind == "restore":
        return markdown.read_state(record.body)
    whole = _whole(record.body)
    return whole if known <= record.after or known == record.id else state.union(whole)


def _upon(theirs: Checkpoint, seen: Checkpoint, state: Checkpoint, record: Record) -> Checkpoint:
    """The working state after a record, upon what a person has saved since we looked: what they changed, and what it does."""
    return state.rebased(seen, theirs) if record.kind == "checkpoint" else after(theirs, record)


@lru_cache(maxsize=4)
def _whole(body: str) -> Checkpoint:
    """The state in a checkpoint's body; several documents ask for that of one record."""
    return markdown.read_block(markdown.block_in(body)).state


def buffer_line(record: Record) -> str:
    """What the buffer says of a change, behind its moment."""
    return "; ".join(_told(markdown.read_change(record.body)))


_VERBS = {"task": "task", "decisions": "decide", "context": "context", "blockers": "blocker"}


def verbs(fields: Iterable[str]) -> set[str]:
    """The words by which the buffer begins what it says of changes to these fields."""
    return {*(_VERBS.get(field, field) for field in fields), "pending", "done"}


def _told(change: Mapping[str, object]) -> list[str]:
    """A change of the working state in words, for the buffer."""
    lines: list[str] = []
    for field, value in change.items():
        if field == "pending":
            lines += [f"{'done' if ticked else 'pending'}: {text}" for text, ticked in value]  # type: ignore[attr-defined]
        elif field == "context":
            lines += [f"context: {key} = {text}" for key, text in value]  # type: ignore[attr-defined]
        elif isinstance(value, str):
            lines.append(f"{_VERBS.get(field, field)}: {value or 'none'}")
        else:
            lines += [f"{_VERBS.get(field, field)}: {text}" for text in value] or [f"{field}: none"]  # type: ignore[attr-defined]
    return lines


def _stamp(record: Record, text: str) -> dict[str, str]:
    """What a session-state file says of its last record. One that was brought in from the past may not be the last."""
    if record.is_past and markdown.stamps(text).get("record", "") > record.id:
        return {}
    return {"written at": record.time[:19], "trigger": record.trigger, "session": record.session, "record": record.id}


def parked_name(session: str) -> str:
    """The file name of a session's parked state; the digest keeps sessions apart whose names look alike."""
    return f"{slug(session)[:60]}-{compute_digest(encoded(session))[:8]}.md"


def _below(folder: Folder, path: str) -> Iterator[tuple[Folder, str, str]]:
    """The files of a folder and of those in it; one that cannot be opened stands for itself, so that reading it says why."""
    for name in folder.names():
        if not _is_folder(folder, name):
            yield folder, path, name
            continue
        try:
            inner = folder.child(name)
        except OSError:
            yield folder, path, name
            continue
        try:
            yield from _below(inner, f"{path}/{name}")
        finally:
            inner.close()


def _is_folder(folder: Folder, name: str) -> bool:
    found = folder.stat(name)
    return found is not None and found.st_mode & 0o170000 == 0o040000
