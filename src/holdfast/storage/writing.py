"""The write path: one record, kept.

Take the lock; let the documents catch up with what a crash left behind; compose the record from what is there now; make it
durable in the journal (that is the acknowledgement); bring the documents up to it. A lock that cannot be had within two seconds
does not stop the record: it is written all the same, and the next command catches up.
"""

from __future__ import annotations

import os
import time

from ..config import Config
from ..errors import BehindJournal, UserError, not_saved, reason
from ..model import Record, Value, slug
from ..util import format_time, make_id, make_past_id
from . import journal
from .days import Days
from .disk import Folder, Lock, Missing
from .exchange import Trouble
from .gate import Gate
from .journal import ID, Journal
from .store import Store
from .topics import Topics

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

PATIENCE = 2.0  # seconds to wait for the lock
_LAST = 253_402_128_000.0  # 30 December 9999: with a year of five digits a record could not be read back
_LEAST = 0.05  # seconds, also where nobody waits any longer: a writer is done within milliseconds
_LINES, _STATE = ("day", "buffer"), ("state", "parked", "unparked", "classic")  # documents, by what they are to a record
BUSY = "another process holds the lock; the record is safe, and the next command brings the files up to date"


class Saved(Value):
    """The acknowledgement of a write: when it exists, the record survives a power cut."""

    id: str
    topic: str = ""
    missing: tuple[str, ...] = ()
    vague: tuple[str, ...] = ()
    redacted: tuple[str, ...] = ()
    waiting: str = ""  # why the documents are not up to date yet, where they are not
    said: str = ""
    known: bool = False  # it was there before: nothing was written
    day: str = ""  # whose document has it; the id may say the next, where it had to come after one of another time zone


class Past(Value):
    """Something that happened earlier and is brought in now: when, and what it is known by, so that it comes in once."""

    moment: float  # seconds since 1970
    mark: str
    can_wait: bool = True  # where another writes here, it is brought in later; else it is kept all the same, as of now

class Writer:
    """A workspace, open for reading or writing, and the one way by which a record is kept in it."""

    def __init__(self, workspace: str, config: Config, *, write: bool, clock: Callable[[], float] = time.time) -> None:
        self.workspace, self.config, self.clock = workspace, config, clock
        self.until = float("inf")  # the moment (monotonic) up to which there is time to wait: a hook's host waits for it
        self.reading_until = float("inf")  # and up to which there is time to read a transcript
        self._key = b""
        self._forgotten, self._wash = b"", _as_it_is
        try:
            self._open(write)
        except OSError as error:
            raise not_saved(error, str(error.filename or workspace), "Nothing was changed: what you gave") from error

    def _open(self, write: bool) -> None:
        def opened(parent: Folder, name: str) -> Folder:
            try:
                return parent.child(name, make=write)
            except OSError:
                if write:
                    raise
                return Missing(parent.at(name))

        if write or os.path.isdir(self.workspace):
            self.root = Folder.open(self.workspace, make=write)
        else:
            self.root = Missing(self.workspace)
        self.home = opened(self.root, ".holdfast")
        self.swap, pending = opened(self.home, "swap"), opened(self.home, "pending")
        self.journal = Journal(self.home, self.swap, pending)
        self.store = Store(self.root, self.home, self.swap, self.journal, self.config)
        self.store.writing, self.store.washed = write, self.without_forgotten
        self.topics = Topics(self.store, self.config)
        self.days = Days(self.store, self.journal)
        self.lock = Lock(self.home) if write else None
        self.gate = Gate(self.home) if write else None
        if write and self.home.stat("journal") is None and self.home.stat(".gitignore") is None:
            self._hide_from_git()  # before its first record; afterwards whoever has removed the file meant it

    def _hide_from_git(self) -> None:
        """Tell git to take nothing of a new `.holdfast/` along, whether or not it is in a work tree by now."""
        from .ignoring import ignored

        try:
            ignored(self.home, self.swap)
        except OSError:
            pass  # a record is never stopped by it

    def close(self) -> None:
        """Give everything back."""
        self.store.close()
        self.journal.close()
        for folder in (self.journal.pending, self.swap, self.home, self.root):
            folder.close()
        if self.lock:
            self.lock.close()
        if self.gate:
            self.gate.close()

    def key(self) -> bytes:
        """The workspace's own key, made when it is first needed: placeholders are stable under it, and tell others nothing.

        Of two processes that make it at once the first wins and the other takes that one. A key that cannot be read or kept
        (a folder in its place, a full disk) never stops a record: then placeholders are stable for this process alone.
        """
        if not self._key:
            try:
                if self.home.stat("key") is None and self.lock:
                    self.swap.place(self.swap.prepare(os.urandom(32)), self.home, "key")
                    self.home.sync()
            except OSError:
                pass
            try:
                self._key = self.home.read("key")[:64]
            except OSError:
                pass
            self._key = self._key or os.urandom(32)
        return self._key

    def without_forgotten(self, value: Any) -> Any:
        """A text, or all the texts of a value, without what was forgotten for good (`holdfast forget`).

        Asked anew each time: what another process has forgotten since must not come in through this one.
        """
        try:
            known = self.home.read_or_none("forgotten") or b""
        except OSError:
            known = b""  # like a key that cannot be read: it never stops a record
        if known != self._forgotten:
            from ..forgetting.forgotten import Forgotten

            self._forgotten, self._wash = known, Forgotten(known, self.key).clean
        return self._wash(value)

    # ---- the write path ----

    def _save(
        self, kind: str, session: str, compose: Callable[[str, str], tuple[str, str]], past: Past | None = None, /, **about: str
    ) -> Saved:
        """Compose and keep one record. `compose(id, time)` gives (body, topic) and runs under the lock where it was had."""
        if self.lock is None:
            raise UserError("This memory was opened for reading only.")
        held = self.lock.take(max(_LEAST, min(PATIENCE, self.until - time.monotonic())))
        try:
            past = past if held or not past or past.can_wait else None
            if past and not held:
                raise UserError("Another process is writing here. Nothing was brought in, nothing is lost; run it again.")
            troubles = self._catch_up() if held else []
            now, newest = min(self.clock(), _LAST), self._newest()
            if past:
                now = min(past.moment, now)  # a clock that ran ahead must not put all that comes after it into the future
            record_id, stamp = make_past_id(now, past.mark) if past else make_id(now, newest), format_time(now)
            if past and (self.journal.has(record_id) or self.is_forgotten(record_id)):
                return Saved(record_id, known=True)
            if past:
                self.journal.pending.remove(record_id)  # of one who was killed before his record was there: the lock is ours
            composed, topic = compose(record_id, stamp)
            body, named = self.without_forgotten(composed), self.without_forgotten(topic)
            topic = slug(named) if named != topic else topic
            saved = Saved(record_id, topic, redacted=("forgotten",) if body != composed else (), day=stamp[:10])
            record = Record(record_id, kind, session, stamp, body, topic, after=self._in_documents(newest)).replaced(**about)
            self.journal.write(record)
            if not held:
                return saved.replaced(waiting=BUSY)
            troubles += self._applied(record, newest)
        finally:
            self.lock.release()
        if troubles:
            raise _behind(record_id, troubles)
        return saved

    def is_forgotten(self, record_id: str) -> bool:
        """Whether a record was forgotten by its id: what is brought in from the past would have the same one again."""
        self.without_forgotten("")
        return b"record " + record_id.encode("ascii") in self._forgotten.split(b"\n")

    def _applied(self, record: Record, newest: str) -> list[Trouble]:
        """Bring the documents up to a record that is durable already: from here on nothing may say that it was not saved."""
        self._hint(max(record.id, newest))
        if self.home.stat("has-documents") and self.store.vanished():
            gone = OSError(2, "the folder is missing or empty: moved away, or not mounted")
            return [Trouble(self.root.at("memory"), gone)]
        troubles = self.store.apply(record)
        if not troubles and not self.home.stat("has-documents"):
            try:
                self.home.touch("has-documents")
            except OSError:
                pass  # it only tells a vanished folder from a new one; the next command makes it
        return troubles

    def _hint(self, record_id: str) -> None:
        """Leave the newest id in the lock file. A hint that could not be written is looked up in the journal."""
        try:
            if self.lock:
                self.lock.newest = record_id
        except OSError:
            pass

    def _newest(self) -> str:
        """The newest id that this workspace has seen. The lock file's hint is checked before it is believed."""
        hint = self.lock.newest if self.lock else ""
        if not (ID.match(hint) and self.journal.has(hint)):
            hint = next(self.journal.newest_first(), "")
        return max([hint, *self.journal.unapplied()])

    def _in_documents(self, newest: str) -> str:
        """The newest id up to which the documents have every record: so much a record that is composed now can know of.

        Beside a stopped holder the documents lack what is waiting. A checkpoint that claimed to know it would replace it.
        """
        waiting = self.journal.unapplied()
        return next((i for i in self.journal.newest_first() if i < waiting[0]), "") if waiting else newest

    def _catch_up(self) -> list[Trouble]:
        """Apply what a crash, a full disk or a busy lock left behind."""
        waiting = self.journal.unapplied()
        if not waiting and not self.swap.names():
            return []
        # The marks go now. Who died before leaving its hint would be forgotten, and a clock set back then breaks the order.
        self._hint(self._newest())
        troubles: list[Trouble] = []
        for record_id in waiting:
            try:
                record = self.journal.read(record_id)
                if record is None:
                    self.journal.forget_mark(record_id, self.clock())
                elif record.version <= journal.VERSION:
                    if self.home.stat("has-documents") and self.store.vanished():
                        break
                    troubles += self.store.apply(record, self.journal.roles_left(record_id), again=True)
            except OSError as error:  # the mark itself is damaged: that must not keep the next record from being saved
                troubles.append(Trouble(self.journal.pending.at(record_id), error))
        self.store.sweep(self.clock())
        return troubles

    def is_behind(self) -> bool:
        """Whether a crash, a full disk or a busy lock has left something for the documents to catch up with."""
        return bool(self.journal.unapplied() or self.swap.names())

    def catch_up(self) -> None:
        """Before reading: bring the documents up to the journal, where that can be done at once."""
        if self.lock and self.is_behind() and self.lock.take(0.2):
            try:
                self._catch_up()
            finally:
                self.lock.release()

    def put_back(self, records: Iterable[Record]) -> int:
        """Put records that are in no document, the oldest first, into their day or the buffer again, and into the working state
        where that knows of nothing newer. Returns how many were put there.
        """
        if self.lock is None or not self.lock.take(PATIENCE):
            raise UserError("Another process is writing here. Nothing was changed; try again.")
        count = 0
        try:
            for record in records:
                newer = record.kind != "note" and record.id > self.store.newest_told(record.session)
                count += not self.store.apply(record, [*_LINES, *(_STATE if newer else ())])
        finally:
            self.lock.release()
        return count

    def rebuild(self) -> int:
        """Every document made anew from the journal, for a `memory/` that has vanished. Returns how many records it took."""
        if self.lock is None or not self.lock.take(PATIENCE):
            raise UserError("Another process is writing here. Nothing was changed; try again.")
        try:
            ids = list(self.journal.newest_first())
            for record_id in ids:
                if self.journal.pending.stat(record_id) is None:
                    self.journal.pending.touch(record_id)
            self.home.remove("has-documents")
            self._catch_up()
            self.home.touch("has-documents")
        finally:
            self.lock.release()
        return len(ids)


def _as_it_is(value: Any) -> Any:
    return value


def _behind(record_id: str, troubles: list[Trouble]) -> BehindJournal:
    """The message for a record that is safe while a document is not up to date."""
    first = troubles[0]
    why, remedy = reason(first.error)
    if first.error.errno == 2:
        why = first.error.strerror or why
    return BehindJournal(
        f"Saved as {record_id} in the journal, but {first.path} could not be brought up to date: {why}.\n"
        f"Nothing is lost. {remedy}; the next command catches up, so do not repeat this one."
    )
