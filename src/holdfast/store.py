"""Documents: brought up to date from the journal, exactly once a record; the person's edits are law.

How a document takes on a record, under the workspace's lock:
  1. read it, once nobody is in the middle of saving it, and work out its new text;
  2. write that to the swap folder as `<record>.<digest of new>.<digest of old>.<role>`, synced;
  3. exchange the two files in one step. Now the swap file holds what was displaced. If that is not what was read, a person
     saved in between: merge the two and exchange again, until what comes out is what was expected;
  4. sync the folders; take the record's mark away, synced; and only then let the displaced file go, if nobody has it open
     for writing and nothing was written into it. Otherwise it stays, and the next command merges it back.

After a crash the swap file tells how far things went: holding the new text, the exchange had not happened yet; holding
anything else, it had. So a record is never applied twice and never skipped, and a line that a person deletes stays deleted.
"""

from __future__ import annotations

import errno
import os
import re

from . import markdown
from .disk import Folder, at_rest, read_at_rest
from .journal import Journal, digest
from .model import Checkpoint, Record, Value, slug
from .sections import context_pair

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from .config import Config

MAX_ROUNDS = 50  # a person cannot save faster than we merge for long; a runaway script can
_SWAPPED = re.compile(
    r"(?P<record>\d{8}-\d{6}-\d{6}-[0-9a-z]{8})\.(?P<new>[0-9a-f]{16})\.(?P<old>[0-9a-f]{16})\.(?P<role>[a-z-]+)(?P<kept>~?)$"
)
_ROLES = frozenset("day buffer state classic parked unparked snapshot topic map pruned renamed".split())  # noqa: SIM905
# What must be durable before what: a text is in its new place before it leaves its old one. A power cut may keep the second
# exchange and lose the first, and a disk may refuse the first alone; then a parked state or pruned lines would be nowhere.
_FIRST = {"state": "parked", "unparked": "state", "classic": "state", "topic": "pruned", "renamed": "topic"}
_FOR_NOW = (errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM)
_UNWATCHED = 60.0  # seconds after which a displaced file is let go on systems that cannot tell who has it open


class Document(Value):
    """A file that takes on a record: where it is and what becomes of its text."""

    role: str
    folder: Folder
    name: str
    change: Callable[[str], str]


class Trouble(Value):
    """A document that could not be brought up to date."""

    path: str
    error: OSError


def decoded(data: bytes) -> str:
    """Bytes as text from which the same bytes can be made again."""
    return data.decode("utf-8", "surrogateescape")


def encoded(text: str) -> bytes:
    """The bytes of a text."""
    return text.encode("utf-8", "surrogateescape")


class Store:
    """The documents of one workspace."""

    def __init__(self, root: Folder, home: Folder, swap: Folder, journal: Journal, config: Config) -> None:
        self.root, self.home, self.swap, self.journal, self.config = root, home, swap, journal, config
        self._open: dict[str, Folder] = {}
        self._touched: set[Folder] = set()
        self.writing = False  # for a writing command; see `pass_over`
        self._merged: set[str] = set()  # digests of displaced texts that are in their document already

    def close(self) -> None:
        """Give the folders back."""
        for folder in self._open.values():
            folder.close()
        self._open = {}

    # ---- where things are ----

    def folder(self, path: str, *, make: bool = True) -> Folder:
        """A folder of the workspace by its relative path. Only `memory` itself may be a link: its owner put it elsewhere."""
        if path not in self._open:
            folder = self.root
            for i, name in enumerate(path.split("/")):
                above = folder
                try:
                    folder = above.child(name, make=make, follow=i == 0 and name == "memory")
                finally:
                    if above is not self.root:
                        above.close()
            self._open[path] = folder
        return self._open[path]

    def days(self, *, make: bool = True) -> Folder:
        """Where the days are: `memory/`, or `memory/episodic/` where its owner keeps them there."""
        memory = self.folder("memory", make=make)
        return self.folder("memory/episodic") if _is_folder(memory, "episodic") else memory

    def topics(self, *, make: bool = True) -> Folder:
        """Where the topic files and the session map are."""
        return self.folder(self.config.contextDir.replace(os.sep, "/"), make=make)

    def vanished(self) -> bool:
        """`memory/` is not there, or empty, although it once held documents: moved away or not mounted."""
        found = self.root.stat("memory")
        if found is None:
            return True
        try:
            return not os.listdir(self.folder("memory").fd)
        except OSError:
            return True

    # ---- reading ----

    def text(self, folder: Folder, name: str) -> str:
        """A document's text; empty where there is none. What follows a power cut's zero bytes is cut off."""
        data = folder.read_or_none(name)
        return decoded((data or b"").rstrip(b"\0"))

    def text_or_empty(self, path: str, name: str) -> str:
        """The same for reading commands: whatever is in the way, there is no text then."""
        try:
            return self.text(self.folder(path, make=False) if path else self.root, name)
        except OSError as error:
            self.pass_over(error)
            return ""
        except ValueError:  # a name that no file can have, with a NUL in it
            return ""

    def pass_over(self, error: OSError) -> None:
        """Take what cannot be read for what is not there, unless a record is to be composed from it and it may well be there.

        A checkpoint made while the disk refused for a moment would lose its topic, or speak for another session.
        """
        if self.writing and error.errno in _FOR_NOW:
            raise error

    def state_text(self, session: str) -> str:
        """The session-state file of a session: the one in `memory/`, or the one that was parked when another took over."""
        text = self.text_or_empty("memory", "session-state.md")
        owner = markdown.stamps(text).get("session", "")
        if owner in ("", session):
            return text
        return self.text_or_empty(".holdfast/sessions", _parked(session))

    def state(self, session: str) -> Checkpoint:
        """The working state of a session: from its document, or from the journal where the document is lost or torn."""
        shown = self.text_or_empty("memory", "session-state.md")
        mine = markdown.stamps(shown).get("session", session) == session
        text = shown if mine and shown.strip() else self.text_or_empty(".holdfast/sessions", _parked(session))
        state = markdown.read_torn(text, self.replayed(session)) if markdown.is_torn(text) else markdown.read_state(text)
        return self._with_classic(state) if mine else state

    def _with_classic(self, state: Checkpoint) -> Checkpoint:
        """Seed C's SESSION-STATE.md speaks for its sections when it was saved after our own file."""
        classic = self.root.stat("SESSION-STATE.md")
        if classic is None:
            return state
        try:
            ours = self.folder("memory", make=False).stat("session-state.md")
        except OSError:
            ours = None
        if ours and classic.st_mtime_ns <= ours.st_mtime_ns:
            return state
        said = markdown.read_change(self.text_or_empty("", "SESSION-STATE.md"))
        if Checkpoint(**said).empty:
            return state  # a template that nobody has filled in says nothing, rather than that all is void
        return state.replaced(**said)

    def replayed(self, session: str) -> Checkpoint:
        """The working state told by the journal alone: the newest whole one, and what came after it."""
        changes: list[Record] = []
        for record in self.journal.records(session=session):
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
        found = self._state_documents(record)
        if record.kind == "state":
            found.insert(0, self._buffer(record))
        if record.kind == "checkpoint":
            lines = markdown.snapshot_lines(markdown.block_in(record.body), record.time[11:16])
            found.insert(0, self._day(record, markdown.day_with, lines))
            found += self._checkpointed_topic(record)
        return found

    def _day(self, record: Record, change: Callable[..., str], below: str, **how: bool) -> Document:
        day = record.time[:10]
        return Document("day", self.days(), f"{day}.md", lambda text: change(text, day, below, **how))

    def _buffer(self, record: Record) -> Document:
        line = "; ".join(_told(markdown.read_change(record.body)))
        return Document(
            "buffer", self.folder("memory"), "working-buffer.md", lambda text: markdown.buffer_with(text, record.time, line)
        )

    def _state_documents(self, record: Record) -> list[Document]:
        memory = self.folder("memory")
        shown = self.text(memory, "session-state.md")
        owner = markdown.stamps(shown).get("session", record.session) if shown.strip() else record.session
        own = self.text_or_empty(".holdfast/sessions", _parked(record.session))
        base = shown if owner == record.session and shown.strip() else own
        said = self.text_or_empty("", "SESSION-STATE.md")
        state = after(self.state(record.session), record, known=markdown.stamps(base).get("record", ""))
        stamp = {"written at": record.time[:19], "trigger": record.trigger, "session": record.session, "record": record.id}
        found = []
        if owner != record.session:
            sessions = self.folder(".holdfast/sessions")
            # What its owner said in SESSION-STATE.md is parked with it: that file is about to speak of another session.
            parked = markdown.write_state(shown, self.state(owner), {})
            found.append(Document("parked", sessions, _parked(owner), lambda _text: parked))

        def told(text: str, seen: str) -> Checkpoint:
            """The state after the record; on a text that a person saved since we looked, what that text says and the record."""
            return state if text == seen else after(markdown.read_state(text), record)

        def classic(text: str) -> str:
            written = self.text(memory, "session-state.md")
            known = markdown.read_state(written) if markdown.stamps(written).get("record") == record.id else state
            return markdown.write_classic(text, known if text == said or not text.strip() else told(text, said))

        def unparked(text: str) -> str:
            return "" if markdown.stamps(self.text(memory, "session-state.md")).get("session") == record.session else text

        def change(text: str) -> str:
            mine = text.strip() and markdown.stamps(text).get("session", record.session) == record.session
            return markdown.write_state(text, told(text, shown), stamp) if mine else markdown.write_state(base, state, stamp)

        found.append(Document("state", memory, "session-state.md", change))
        if own:
            # It is shown again. What was parked grows old from now on, and must not speak should the shown file be lost.
            found.append(Document("unparked", self.folder(".holdfast/sessions"), _parked(record.session), unparked))
        if self.root.stat("SESSION-STATE.md"):
            # Last, so that it is the younger of the two: what a person saves in it from now on is heard (`_with_classic`).
            found.append(Document("classic", self.root, "SESSION-STATE.md", classic))
        return found

    def _checkpointed_topic(self, record: Record) -> list[Document]:
        if not record.topic:
            return []
        folder, name = self.topics(), f"context-{record.topic}.md"
        said = markdown.read_topic(record.body.removesuffix(markdown.block_in(record.body)))
        change = markdown.TopicChange(
            said.name or record.topic,
            record.time[:10],
            record.session,
            said.status,
            said.decisions,
            said.history,
            self.config.maxDecisions,
            self.config.maxHistoryLines,
        )
        pruned = markdown.write_topic(self.text(folder, name), change)[1]
        found = [self._bindings(record, {record.session: record.topic})]
        if pruned:
            archive = self.folder("memory/archive")
            title = f"# {record.topic}: older decisions and history\n\n"
            found.append(Document("pruned", archive, name, lambda text: (text or title) + pruned))
        return [*found, Document("topic", folder, name, lambda text: markdown.write_topic(text, change)[0])]

    def _topic_documents(self, record: Record) -> list[Document]:
        said = dict(context_pair(line[2:]) for line in record.body.split("\n") if line.startswith("- "))
        if said.get("action") != "rename":
            bound = said["topic"] if said.get("action") == "bind" else None
            return [self._bindings(record, {record.session: bound})]
        folder = self.topics()
        old, new = f"context-{said['from']}.md", f"context-{said['topic']}.md"
        text = self.text(folder, old)
        map_text = self.text(folder, "context-session-map.json")
        moved = {k: said["topic"] for k, v in markdown.read_bindings(map_text).items() if v == said["from"]}
        found = [self._bindings(record, moved)] if moved else []
        if folder.stat(old):  # emptied already, where a crash came before its name went too
            found.insert(0, Document("topic", folder, new, lambda there: there or markdown.retitled(text, said["name"])))
            found.append(Document("renamed", folder, old, lambda _text: ""))
        return found

    def _bindings(self, record: Record, changes: Mapping[str, str | None]) -> Document:
        def change(text: str) -> str:
            if all(markdown.read_bindings(text).get(k) == v for k, v in changes.items()):
                return text
            if not markdown.bindings_are_sound(text):
                self.keep_in_trash(encoded(text), "context-session-map.json", "it was not JSON", record.id)
            return markdown.write_bindings(text, changes)

        return Document("map", self.topics(), "context-session-map.json", change)

    # ---- applying ----

    def apply(self, record: Record, roles: Iterable[str] = (), *, again: bool = False) -> list[Trouble]:
        """Bring the documents up to a record; what could not be brought up is returned and tried again by the next command."""
        wanted = set(roles)
        if not wanted <= _ROLES:
            wanted = set()  # a damaged mark: all documents rather than none
        troubles: list[Trouble] = []
        left: list[str] = []
        try:
            documents = [d for d in self.documents(record) if not wanted or d.role in wanted]
        except OSError as error:
            return [Trouble(str(error.filename or self.root.path), error)]
        for document in documents:
            first = _FIRST.get(document.role)
            if first in left:
                left.append(document.role)
                continue
            try:
                if any(first == earlier.role for earlier in documents):
                    self._sync_touched()
            except OSError as error:
                return [*troubles, Trouble(str(error.filename or self.root.path), error)]
            try:
                if not (again and self._has_taken_on(record.id, document)):
                    self._take_on(document, record.id)
                self._touched.add(document.folder)
            except OSError as error:
                troubles.append(Trouble(document.folder.at(document.name), error))
                left.append(document.role)
        return troubles + self._settle(record.id, left, documents)

    def _sync_touched(self) -> None:
        """Make every exchange so far durable. A sync that failed is not asked again: its second yes would be worth nothing."""
        touched, self._touched = self._touched, set()
        for folder in touched:
            folder.sync()

    def _settle(self, record_id: str, left: list[str], documents: list[Document]) -> list[Trouble]:
        """Sync the folders, then the mark; the proof in the swap folder may go only after both."""
        try:
            self._sync_touched()
            self._finish_renames(documents)
            if left:
                if len(left) < len(documents):
                    self.journal.applied_but_for(record_id, left)
            else:
                self.journal.applied(record_id)
        except OSError as error:
            return [Trouble(str(error.filename or self.root.path), error)]
        for swap in self._swaps():
            for name in swap.names():
                swapped = _SWAPPED.match(name)
                if swapped and swapped["record"] == record_id and swapped["role"] not in left:
                    self._let_go(swap, name)
        return []

    def _finish_renames(self, documents: list[Document]) -> None:
        """A renamed topic's text is in its new file and its old file was emptied; now the old name goes too."""
        for document in documents:
            if document.role == "renamed" and document.folder.read_or_none(document.name) == b"":
                document.folder.remove(document.name)
                document.folder.sync()

    def _has_taken_on(self, record_id: str, document: Document) -> bool:
        """Whether the exchange had happened before a crash: the swap file then holds something else than the new text."""
        for swap in self._swaps():
            names = [name for name in swap.names() if name.startswith(record_id)]
            for name in names:
                swapped = _SWAPPED.match(name)
                if not swapped or swapped["role"] != document.role:
                    continue
                if swapped["kept"]:
                    if name[:-1] not in names:
                        return True
                elif digest(swap.read(name))[:16] != swapped["new"]:
                    return True
        return False

    def _take_on(self, document: Document, record_id: str) -> None:
        for _ in range(MAX_ROUNDS):
            raw = read_at_rest(document.folder, document.name)
            old = raw or b""
            if old.endswith(b"\0"):
                self.keep_in_trash(old, document.name, "it ended in zero bytes, as after a power cut", record_id)
            new = encoded(document.change(decoded(old.rstrip(b"\0"))))
            if new == old:
                return
            try:
                if raw is None:
                    document.folder.touch(document.name)
                self._swap_in(document, record_id, old, new)
                return
            except (FileExistsError, FileNotFoundError):
                continue  # made or taken away by somebody else since we looked
        raise OSError(16, "it is being changed all the time by another program")

    def _swap_in(self, document: Document, record_id: str, old: bytes, new: bytes) -> None:
        """Exchange until what comes out is what was read; what a person saved in between is merged in."""
        for _ in range(MAX_ROUNDS):
            name = f"{record_id}.{digest(new)[:16]}.{digest(old)[:16]}.{document.role}"
            swap = self._swap_for(document.folder)
            swap.place(swap.prepare(new, document.folder.stat(document.name)), swap, name, over=True)
            if document.folder.read(document.name) != old:
                swap.remove(name)  # saved since we read it
                theirs = read_at_rest(document.folder, document.name) or b""
                old, new = theirs, self._merge(document, old, new, theirs)
                continue
            displaced = self._exchanged(swap, name, document)
            if displaced in (old, None):
                return
            if swap.exchange(name, document.folder, document.name):
                # Saved in the last moment, and given back at once: an editor that reads the document while it lacks what was
                # saved in it saves it again without that. Where yet another save came out instead of ours, it stays in the
                # swap folder and is merged back by the next command.
                if swap.read(name) == new:
                    swap.remove(name)
                old, new = displaced, self._merge(document, old, new, displaced)
                continue
            self.keep_in_trash(displaced, document.name, "saved while it was being replaced", record_id)
            old, new = new, self._merge(document, old, new, displaced)
            self._merged.add(digest(displaced)[:16])
            if new == old:
                return
        raise OSError(16, "it is being changed all the time by another program")

    def _merge(self, document: Document, base: bytes, ours: bytes, theirs: bytes) -> bytes:
        """Ours and theirs in one. The session map is no list of lines: our change is made again on theirs."""
        if document.role == "map":
            return encoded(document.change(decoded(theirs)))
        return encoded(markdown.merged(decoded(base), decoded(ours), decoded(theirs)))

    def _exchanged(self, swap: Folder, name: str, document: Document) -> bytes | None:
        """Exchange, and give what was displaced; None while somebody is still writing it, for then it is half a text.

        Where the system cannot exchange, keep the old file under a second name.
        """
        try:
            if swap.exchange(name, document.folder, document.name):
                displaced = read_at_rest(swap, name)
                return None if at_rest(swap, name) is False else displaced
        except FileNotFoundError:
            swap.remove(name)
            raise
        kept = name + "~"
        swap.remove(kept)
        swap.copy_of(document.folder, document.name, kept)
        swap.place(name, document.folder, document.name, over=True)
        return swap.read(kept)

    def _swap_for(self, folder: Folder) -> Folder:
        """The swap folder on the same file system: a linked `memory/` may lie on another."""
        if folder.device() == self.swap.device():
            return self.swap
        return self.folder("memory/.holdfast-swap")

    def _swaps(self) -> list[Folder]:
        """Every swap folder that there is."""
        found = [self.swap]
        try:
            memory = self.folder("memory", make=False)
            if memory.stat(".holdfast-swap"):
                found.append(self.folder("memory/.holdfast-swap"))
        except OSError:
            pass  # no memory folder, so nothing was swapped there
        return found

    # ---- afterwards ----

    def sweep(self, now: float) -> None:
        """Clear up behind processes that died, and merge back what a person wrote into a file that we had displaced."""
        waiting = set(self.journal.unapplied())
        for swap in self._swaps():
            swap.clear_up()
            for name in swap.names():
                swapped = _SWAPPED.match(name)
                if swapped and swapped["record"] not in waiting:
                    self._let_go(swap, name, now)

    def _let_go(self, swap: Folder, name: str, now: float = 0.0) -> None:
        """Remove a displaced file if it is what was read and nobody writes to it; merge it back if it has changed."""
        swapped = _SWAPPED.match(name)
        try:
            quiet = at_rest(swap, name)
            data = swap.read_or_none(name)
            if swapped is None or data is None or quiet is False:
                return
            found = digest(data)[:16]
            known = found == swapped["old"] or found in self._merged
            if known and quiet is None and not _is_old(swap, name, now):
                return
            if not known and found != swapped["new"]:
                self._merge_back(swapped["record"], swapped["role"], data)
            swap.remove(name)
        except OSError:
            pass  # it stays where it is, nothing is lost, and the next command tries again

    def _merge_back(self, record_id: str, role: str, data: bytes) -> None:
        """Lines that a person wrote into a displaced file go back into the document; the file itself into the trash."""
        record = self.journal.read(record_id)
        document = next((d for d in self.documents(record) if d.role == role), None) if record else None
        self.keep_in_trash(data, document.name if document else role, "written while it was being replaced", record_id)
        if document:
            strayed, unite = decoded(data), markdown.united_bindings if role == "map" else markdown.united
            # It was displaced by this record; what the record replaced in it must not come back with the person's lines.
            strayed = strayed if role == "map" else markdown.kept(strayed, document.change(strayed))
            before = self.swap.names()
            self._take_on(document.replaced(change=lambda text: unite(text, strayed)), record_id)
            document.folder.sync()
            for swap in self._swaps():
                for name in swap.names():
                    if name.startswith(record_id) and name not in before:
                        self._let_go(swap, name)

    def keep_in_trash(self, data: bytes, name: str, why: str, record_id: str) -> None:
        """Bytes that are taken out of a document, kept with the reason. Nothing is ever destroyed."""
        folder = self.folder(".holdfast/trash")
        stem = f"{record_id}.{digest(data)[:8]}"
        if folder.stat(f"{stem}.{name}") is None:
            self.swap.place(self.swap.prepare(data), folder, f"{stem}.{name}", over=True)
            self.swap.place(self.swap.prepare(encoded(why + "\n")), folder, f"{stem}.why", over=True)
            folder.sync()


def after(state: Checkpoint, record: Record, known: str = "") -> Checkpoint:
    """The working state after a record. A whole checkpoint replaces it, unless it was written without knowing of it."""
    if record.kind == "state":
        return state.after(markdown.read_change(record.body))
    if record.kind == "restore":
        return markdown.read_state(record.body)
    whole = markdown.read_block(markdown.block_in(record.body)).state
    return whole if known <= record.after or known == record.id else state.union(whole)


def _told(change: Mapping[str, object]) -> list[str]:
    """A change of the working state in words, for the buffer."""
    verbs = {"task": "task", "decisions": "decide", "context": "context", "blockers": "blocker"}
    lines: list[str] = []
    for field, value in change.items():
        if field == "pending":
            lines += [f"{'done' if ticked else 'pending'}: {text}" for text, ticked in value]  # type: ignore[attr-defined]
        elif field == "context":
            lines += [f"context: {key} = {text}" for key, text in value]  # type: ignore[attr-defined]
        elif isinstance(value, str):
            lines.append(f"{verbs.get(field, field)}: {value or 'none'}")
        else:
            lines += [f"{verbs.get(field, field)}: {text}" for text in value] or [f"{field}: none"]  # type: ignore[attr-defined]
    return lines


def _parked(session: str) -> str:
    """The file name of a session's parked state; the digest keeps sessions apart whose names look alike."""
    return f"{slug(session)[:60]}-{digest(encoded(session))[:8]}.md"


def _is_folder(folder: Folder, name: str) -> bool:
    found = folder.stat(name)
    return found is not None and found.st_mode & 0o170000 == 0o040000


def _is_old(swap: Folder, name: str, now: float) -> bool:
    found = swap.stat(name)
    return found is None or now - found.st_ctime > _UNWATCHED
