"""How a document takes on a record: exactly once, whatever happens, and without losing what a person saves meanwhile.

Under the workspace's lock:
  1. read it, once nobody is in the middle of saving it, and work out its new text;
  2. write that to the swap folder as `<record>.<digest of new>.<digest of old>.<role>`, synced;
  3. exchange the two files in one step, while nobody can begin to save (leases.py). If it is not what was read, or somebody waits
     to save it, it stays where it was, and what was saved is merged before the next try;
  4. sync the folders; take the record's mark away, synced; and only then let the displaced file go, if nobody has it open
     for writing and nothing was written into it. Otherwise its lines are merged back, at the latest by the next command.

After a crash the swap file tells how far things went: holding the new text, the exchange had not happened yet; holding
anything else, it had. So a record is never applied twice and never skipped, and a line that a person deletes stays deleted.
"""

from __future__ import annotations

import errno
import os
import re

from ..documents.bindings import united_bindings
from ..model import Record, Value
from ..util import compute_digest
from .disk import Folder
from .journal import Journal
from .leases import PATIENCE, Lease, read_at_rest
from .merging import kept, merged, united

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    _Stood = tuple[bytes, bytes, bytes]  # what was read, ours that stood there for an instant, and what was given back then

MAX_ROUNDS = 50  # a person cannot save faster than we merge for long; a runaway script can
_SWAPPED = (  # most commands meet none: it is compiled where there is one
    r"(?P<record>\d{8}-\d{6}-\d{6}-[0-9a-z]{8})\.(?P<new>[0-9a-f]{16})\.(?P<old>[0-9a-f]{16})\.(?P<role>[a-z]+)(?:-(?P<named>[0-9a-f]{8}))?(?P<kept>~?)$"
)
_ROLES = frozenset("day buffer state classic parked unparked snapshot topic map pruned renamed".split())  # noqa: SIM905
# What must be durable before what: a text is in its new place before it leaves its old one. A power cut may keep the second
# exchange and lose the first, and a disk may refuse the first alone; then a parked state or pruned lines would be nowhere.
_FIRST = {"state": "parked", "unparked": "state", "classic": "state", "topic": "pruned", "renamed": "topic"}
_SAVED_MEANWHILE = "saved while it was being replaced"
_TRIES = 5  # times that a file may be made or taken away while it is overwritten
_UNWATCHED = 60.0  # seconds after which a displaced file is let go on systems that cannot tell who has it open


class Document(Value):
    """A file that takes on a record: where it is and what becomes of its text."""

    role: str
    folder: Folder
    name: str
    change: Callable[[str], str]
    dated: bool = False  # the new text keeps the moment of the old one

    def label(self) -> str:
        """By what a displaced file is known as this document's: its role, and where no record tells that, its name too."""
        return self.role if self.role in _ROLES else f"{self.role}-{compute_digest(os.fsencode(self.name))[:8]}"


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


class Exchange:
    """The machinery by which a workspace's documents take on records. `Store` says which documents, and how they change."""

    swap: Folder
    journal: Journal
    washed: Callable[[bytes], bytes]  # without what was forgotten for good: neither the trash nor a merge may bring it back

    def __init__(self) -> None:
        self.catching_up = False  # a crash, a full disk or a busy lock came between a record and its documents
        self._touched: set[Folder] = set()
        self._merged: set[str] = set()  # digests of displaced texts that are in their document already

    def folder(self, path: str, *, make: bool = True) -> Folder:
        """A folder of the workspace by its relative path."""
        raise NotImplementedError

    def documents(self, record: Record) -> list[Document]:
        """The documents that take on a record, in the order in which they must."""
        raise NotImplementedError

    def document_of(self, named: str, new: str) -> Document | None:
        """The document that no record names, by the digest of its name and of the text that it was given."""
        raise NotImplementedError

    # ---- applying ----

    def apply(self, record: Record, roles: Iterable[str] = (), *, again: bool = False) -> list[Trouble]:
        """Bring the documents up to a record; what could not be brought up is returned and tried again by the next command."""
        self.catching_up = again
        wanted = set(roles)
        if not wanted <= _ROLES:
            wanted = set()  # a damaged mark: all documents rather than none
        troubles: list[Trouble] = []
        left: list[str] = []
        try:
            documents = [d for d in self.documents(record) if not wanted or d.role in wanted]
        except OSError as error:
            return [Trouble(str(error.filename or self.swap.path), error)]
        for document in documents:
            first = _FIRST.get(document.role)
            if first in left:
                left.append(document.role)
                continue
            try:
                if any(first == earlier.role for earlier in documents):
                    self._sync_touched()
            except OSError as error:
                return [*troubles, Trouble(str(error.filename or self.swap.path), error)]
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
            return [Trouble(str(error.filename or self.swap.path), error)]
        for swap in self._swaps():
            for name in swap.names():
                swapped = re.match(_SWAPPED, name)
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
                swapped = re.match(_SWAPPED, name)
                if not swapped or swapped["role"] != document.role:
                    continue
                if swapped["kept"]:
                    if name[:-1] not in names:
                        return True
                elif compute_digest(swap.read(name))[:16] != swapped["new"]:
                    return True
        return False

    def _take_on(self, document: Document, record_id: str) -> None:
        for _ in range(MAX_ROUNDS):
            raw, whole = read_at_rest(document.folder, document.name)
            old = raw or b""
            if not whole and not old:  # emptied, and not written yet: on this, our text would stand alone
                raise OSError(errno.EBUSY, "another program is saving it")
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
        raise OSError(errno.EBUSY, "another program is saving it")

    def _swap_in(self, document: Document, record_id: str, old: bytes, new: bytes) -> None:
        """Exchange until what comes out is what was read; what a person saves in between is merged in."""
        patient = True
        stood: list[_Stood] = []
        for _ in range(MAX_ROUNDS):
            name = f"{record_id}.{compute_digest(new)[:16]}.{compute_digest(old)[:16]}.{document.label()}"
            swap = self.swap_for(document.folder)
            like = document.folder.stat(document.name)
            swap.place(swap.prepare(new, like), swap, name, over=True)
            if document.dated:
                swap.date_back(name, like)
            try:
                exchanged = self._exchanged(swap, name, document, old, new, stood, patient=patient)
            except FileNotFoundError:
                _withdraw(swap, name, new)
                raise
            if exchanged:
                return
            if exchanged is None:
                displaced = self._placed(swap, name, document)
                if displaced == old:
                    return
                self.keep_in_trash(displaced, document.name, _SAVED_MEANWHILE, record_id)
                self._merged.add(compute_digest(displaced)[:16])
                old, new = new, self._merge(document, old, new, displaced)
            else:
                _withdraw(swap, name, new)
                theirs, patient = read_at_rest(document.folder, document.name)
                if patient:  # otherwise half a text: the next command merges back what becomes of it
                    old, new = theirs or b"", self._merged_with(document, old, new, theirs or b"", stood)
            if new == old:
                return
        raise OSError(errno.EBUSY, "another program is saving it")

    def _exchanged(
        self, swap: Folder, name: str, document: Document, old: bytes, new: bytes, stood: list[_Stood], *, patient: bool
    ) -> bool | None:
        """Exchange a document that is what was read. False, and it is where it was, while a person saves it, and where one has
        saved; `stood` gets what was given back then. None where the system cannot exchange.

        An editor must never read the document while it lacks what was just saved in it, for it would save it again without that.
        So nobody can begin to save it while it is exchanged: who opens it to write waits, is seen, and gets it back.
        """
        with Lease(document.folder, document.name) as lease:
            came_first = patient if lease.granted is False else lease.read() != old
            if came_first:
                return False
            if not swap.exchange(name, document.folder, document.name):
                return None
            if lease.granted and lease.is_of(swap, name):
                if lease.is_wanted():
                    swap.exchange(name, document.folder, document.name)
                    return False
                return True
        # Something was renamed into its place in the last moment, or somebody has it open all the time, or there are no leases.
        theirs, whole = read_at_rest(swap, name)
        if theirs == old or not whole:
            return True  # what is still being written is half a text: it stays, and the next command merges it back
        swap.exchange(name, document.folder, document.name)
        stood.append((old, new, theirs or b""))
        self.keep_in_trash(theirs or b"", document.name, _SAVED_MEANWHILE, name[: name.index(".")])
        return False

    def _placed(self, swap: Folder, name: str, document: Document) -> bytes:
        """Where the system cannot exchange: the new text goes over the old one, whose file is kept under a second name."""
        kept = name + "~"
        swap.remove(kept)
        swap.copy_of(document.folder, document.name, kept)
        swap.place(name, document.folder, document.name, over=True)
        return swap.read(kept)

    def _merged_with(self, document: Document, old: bytes, new: bytes, theirs: bytes, stood: list[_Stood]) -> bytes:
        """What somebody has saved since, with ours in it.

        Who read the document in an instant in which ours stood there, and saves that, saves it without what was given back then.
        It is known by our lines in it, and what it lacks is put in again.
        """
        for before, ours, given_back in stood:
            own = {*ours.split(b"\n")}.difference(before.split(b"\n"))
            if theirs != given_back and own and own.issubset(theirs.split(b"\n")):
                lacks = {*given_back.split(b"\n")}.difference(before.split(b"\n"), new.split(b"\n"))
                old, new = ours, self._merge(document, before, new, given_back) if lacks else new
        return self._merge(document, old, new, theirs)

    def _merge(self, document: Document, base: bytes, ours: bytes, theirs: bytes) -> bytes:
        """Ours and theirs in one. The session map is no list of lines, and what is to be forgotten may stand in theirs too: there
        our change is made again on theirs.
        """
        if document.role in ("map", "forgotten"):
            return encoded(document.change(decoded(theirs)))
        return encoded(merged(decoded(base), decoded(ours), decoded(theirs)))

    def take_out(self, document: Document, mark: str) -> bool:
        """Take something out of a document for good: what is displaced is kept nowhere, also where the system cannot tell who
        has it open. False while somebody has it open for writing: what is saved into it must not be lost, and it waits.
        """
        self._take_on(document, mark)
        document.folder.sync()
        waiting = False
        for swap in self._swaps():
            for name in swap.names():
                if name.startswith(mark):
                    self._let_go(swap, name, float("inf"))
            waiting = waiting or any(name.startswith(mark) for name in swap.names())
            swap.sync()
        return not waiting

    def swap_for(self, folder: Folder) -> Folder:
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
                swapped = re.match(_SWAPPED, name)
                if swapped and swapped["record"] not in waiting:
                    self._let_go(swap, name, now)

    def _let_go(self, swap: Folder, name: str, now: float = 0.0) -> None:
        """Remove a displaced file if it is what was read and nobody writes to it; merge it back if it has changed."""
        swapped = re.match(_SWAPPED, name)
        try:
            # What was displaced just now may still be written to: that is over soon.
            with Lease(swap, name, 0.0 if now else PATIENCE) as lease:
                found = compute_digest(data := lease.read())[:16]
                if swapped is None or lease.granted is False:
                    return
                known = found == swapped["old"] or found in self._merged
                if known and lease.granted is None and not _is_old(swap, name, now):
                    return
                if not known and found != swapped["new"]:
                    self._merge_back(swapped, self.washed(data))
                if not lease.is_wanted():
                    swap.remove(name)
        except OSError:
            pass  # it stays where it is, nothing is lost, and the next command tries again

    def _merge_back(self, swapped: re.Match[str], data: bytes) -> None:
        """Lines that a person wrote into a displaced file go back into the document; the file itself into the trash."""
        record_id, role = swapped["record"], swapped["role"]
        record = self.journal.read(record_id)
        if record:
            document = next((d for d in self.documents(record) if d.role == role), None)
        else:
            document = self.document_of(swapped["named"] or "", swapped["new"])
        self.keep_in_trash(data, document.name if document else role, "written while it was being replaced", record_id)
        if document:
            strayed, unite = decoded(data), united_bindings if role == "map" else united
            # It was displaced by this record; what the record replaced in it must not come back with the person's lines.
            strayed = strayed if role == "map" else kept(strayed, document.change(strayed))
            before = self.swap.names()
            self._take_on(document.replaced(change=lambda text: unite(text, strayed)), record_id)
            document.folder.sync()
            for swap in self._swaps():
                for name in swap.names():
                    if name.startswith(record_id) and name not in before:
                        self._let_go(swap, name)

    # ---- upkeep: a document gets a new text, or goes to the trash, only if it still is what was read ----

    def bring(self, folder: Folder, name: str, draft: str) -> bool:
        """Give a prepared file of the swap folder its name; False where there is such a file by now. It counts once `settle` was
        called.
        """
        try:
            self.swap_for(folder).place(draft, folder, name)
        except FileExistsError:
            return False
        self._touched.add(folder)
        return True

    def revise(self, folder: Folder, name: str, was: bytes, new: bytes, change_id: str) -> bool:
        """Give a document a new text; False, and nothing is changed, where it is not (or not for sure) what was read.

        Whoever has it open for writing may be about to add to it: that is waited for by coming back another time.
        """
        if read_at_rest(folder, name) != (was, True):
            return False
        document = Document("upkeep", folder, name, lambda text: text)
        try:
            if name.endswith(".gz"):  # nobody edits it by hand, and two of them cannot be merged
                swap = self.swap_for(folder)
                swap.place(swap.prepare(new, folder.stat(name)), folder, name, over=True)
            else:
                self._swap_in(document, change_id, was, new)
        except (FileExistsError, FileNotFoundError):
            return False  # taken away, or made anew, by somebody else since we looked
        folder.sync()
        for swap in self._swaps():
            for left in swap.names():
                if left.startswith(change_id):
                    self._let_go(swap, left)
        return True

    def overwrite(self, folder: Folder, name: str, new: bytes, why: str, change_id: str) -> None:
        """Give a file a new text, whatever it has by now. What stood there goes to the trash: as it was read, before anything is
        changed; and what somebody has saved since, which the exchange displaces.
        """
        for left in reversed(range(_TRIES)):
            try:
                self._overwritten(folder, name, new, why, change_id)
                break
            except (FileExistsError, FileNotFoundError):  # made, or taken away, since we looked
                if not left:
                    raise
        folder.sync()

    def _overwritten(self, folder: Folder, name: str, new: bytes, why: str, change_id: str) -> None:
        old = read_at_rest(folder, name)[0]
        if old not in (None, b"", new):
            self.keep_in_trash(old, name, why, change_id)
        swap = self.swap_for(folder)
        draft = swap.prepare(new, folder.stat(name))
        try:
            exchanged = old is not None and swap.exchange(draft, folder, name)
        except OSError:
            swap.remove(draft)
            raise
        if not exchanged:
            swap.place(draft, folder, name, over=old is not None)
            return
        try:
            displaced = read_at_rest(swap, draft)[0]
            if displaced not in (None, b"", old, new):
                self.keep_in_trash(displaced, name, why, change_id)
        except BaseException:  # the trash does not take it: then theirs stands, and ours was not written
            if swap.exchange(draft, folder, name):  # else theirs is in the swap folder still, and nowhere else
                swap.remove(draft)
            raise
        swap.remove(draft)

    def retire(self, folder: Folder, name: str, was: bytes, thing: str) -> bool:
        """Move a document into the trash; False, and it is where it was, where it is not (or not for sure) what was read.

        It is the file itself that moves: what somebody writes into it through an open descriptor is in the trash, not nowhere.
        The names count once `settle` was called; until then a power cut may put it back.
        """
        if read_at_rest(folder, name) != (was, True):
            return False
        trash, thing = self.folder(".holdfast/trash"), f"{thing}.{name}"
        self._touched |= {trash, folder}
        if folder.device() != trash.device():
            return self._retire_abroad(folder, name, was, thing)
        try:
            with Lease(folder, name) as lease:
                folder.move(name, trash, thing)
                if trash.read(thing) == was and not lease.is_wanted():
                    return True
                trash.move(thing, folder, name)  # saved in the last moment: it goes back, and waits for the next run
        except (FileExistsError, FileNotFoundError):
            pass  # gone before us; or saved anew besides: that one stands, and this one is in the trash
        return False

    def _retire_abroad(self, folder: Folder, name: str, was: bytes, thing: str) -> bool:
        """The same where the trash is on another disk: no file moves there, so a copy is durable there before the document goes.

        It leaves its name before it is looked at once more: what is saved between a look and a removal would be nowhere.
        """
        trash, aside = self.folder(".holdfast/trash"), self.swap_for(folder)
        self.swap.place(self.swap.prepare(was), trash, thing)
        trash.sync()
        try:
            with Lease(folder, name) as lease:
                folder.move(name, aside, thing)
                if lease.granted is not False and aside.read(thing) == was and not lease.is_wanted():
                    aside.remove(thing)
                    return True
                aside.move(thing, folder, name)
        except FileNotFoundError:
            pass  # gone before us
        except FileExistsError:  # saved anew besides: that one stands, and what was saved before it is in the trash
            self.swap.place(self.swap.prepare(aside.read(thing)), trash, thing, over=True)
            trash.sync()
            aside.remove(thing)
            return False
        trash.remove(thing)
        return False

    def explain(self, change_id: str, why: str) -> None:
        """Why things go to the trash, and from where: one note for all that go by one change, before the first of them goes."""
        trash = self.folder(".holdfast/trash")
        self.swap.place(self.swap.prepare(encoded(why)), trash, f"{change_id}.why", over=True)
        self._touched.add(trash)

    def settle(self) -> None:
        """Make every name that was given or taken so far durable."""
        self._sync_touched()

    def keep_in_trash(self, data: bytes, name: str, why: str, record_id: str) -> str:
        """Bytes that are taken out of a document, kept with the reason; by which id. Nothing is ever destroyed."""
        folder = self.folder(".holdfast/trash")
        data = self.washed(data)
        stem = f"{record_id}.{compute_digest(data)[:8]}"
        if folder.stat(f"{stem}.{name}") is None:
            # The reason first: where a crash comes between the two, whoever tries again finds the bytes only with their reason.
            self.swap.place(self.swap.prepare(encoded(why + "\n")), folder, f"{stem}.why", over=True)
            self.swap.place(self.swap.prepare(data), folder, f"{stem}.{name}", over=True)
        folder.sync()  # also of one who died before it: that a name is there does not say that it is durable
        return stem


def _withdraw(swap: Folder, name: str, new: bytes) -> None:
    """Take a prepared text away again. Anything else under its name is yet another save, which the next command merges back."""
    if read_at_rest(swap, name, 0.0) == (new, True):
        swap.remove(name)


def _is_old(swap: Folder, name: str, now: float) -> bool:
    found = swap.stat(name)
    return found is None or now - found.st_ctime > _UNWATCHED
