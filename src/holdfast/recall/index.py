"""The full-text index: files → passages → SQLite. Derived: delete `.holdfast/index.sqlite` whenever you like.

Rule 1: the files are the truth. Every search first looks at each file's moment and size, reads what has changed, and asks an
        index that is up to date; a person's edit is found by the next search.
Rule 2: what has changed is changed in place, at the cost of the change and not of the corpus. Whoever reads holds SQLite's lock
        for reading as long as they read, and so see a whole index; whoever writes is alone for some milliseconds.
Rule 3: nobody waits for long. A lock that is not to be had within a moment (its holder was stopped) is left alone: the next index
        is made beside the old one and renamed into its place, which is also how the first one is made.
Rule 4: an index is believed only with its *seal*: the moment (mtime) that its writer gave it and wrote into it. Whoever changes a
        byte of it afterwards moves that moment. A writer breaks the seal, durably, before its first change, and sets it after the
        last has reached the disk. Missing, torn, altered, older or newer than this program: it is built anew.
Rule 5: no search fails for the index. Where it cannot be kept (a read-only workspace, a full disk), a private one in memory
        answers, and the search says so.
        A first build that takes longer than a moment answers with what it has by then, the newest first, and says what is
        still coming; the rest is read by one process beside, which makes a whole index and puts it in the place of this one.
Rule 6: no other descriptor of the index file is opened in this process: closing one would end SQLite's locks on it (POSIX).

What it gets of a file is corpus.py's.
"""

from __future__ import annotations

import marshal
import os
import stat
import sys
import time

from ..errors import reason
from ..storage.disk import Folder, Lock
from ..storage.tree import Tree, settled, stamped
from ..util import compute_digest
from .asking import Index, within
from .corpus import PLACE, prepared
from .wording import parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Generator, Iterable

    from ..config import Config
    from ..storage.tree import Mark
    from .corpus import Cells
else:
    from .asking import sqlite3

VERSION = 7
NAME = "index.sqlite"
_MANY = 200  # files from which on another process reads them, ahead of the one that fills the index
LONG_MESSAGE = 8000  # characters of one message in a transcript
ROOM = 32 << 20  # characters of transcripts that one search reads
PATIENCE = 0.25  # seconds for a lock: many times what a writer needs it for
AT_ONCE = 2.0  # seconds for which a search reads what the index lacks before it answers with what it has
_BUILDER = "index.lock"  # held by the one process beside that makes the whole index
ROUNDS = 3  # times that somebody else may be first with bringing it up to date
# look: what the look found that it was made from, in one word, where all of it was settled; newest: the last moment in that.
# apart: what is compared file by file and is few: a record in a day of the journal never changes, and its folder answers for it.
# hashsize: words are held back in memory up to so many bytes before they are written as one piece. A few large pieces need not be
# joined for a question's sake; and only a first build ever comes near it.
_SCHEMA = f"""
pragma user_version = {VERSION};
create table about(seal integer, files integer, passages integer, look text, newest integer);
create table file(id integer primary key, path blob unique, stamp text, digest text, origin text, date text, topic text,
    tags text, passages integer, trouble text, record integer);
create index apart on file(path) where record = 0;
create index troubled on file(path) where trouble != '';
create table folder(path blob primary key, stamp text) without rowid;
create virtual table passage using fts5(text, parts, about, kind, date unindexed, first unindexed, last unindexed,
    heading unindexed, tokenize="porter unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'");
insert into passage(passage, rank) values('hashsize', 64000000);
"""
# The first build writes its pieces one after another and joins them once: joining them on the way, as FTS5 does for small
# changes, would touch every word several times, and the more often the larger the corpus is. Whoever searches first waits for
# it, so it goes on for a tenth of a second and no longer: the pieces of some 20,000 passages become one. What is left of a larger
# corpus are a few large pieces, which FTS5 joins with later changes, some pages each (docs/decisions/0008-recall.md).
_APART = (("automerge", 0), ("crisismerge", 1999))
_JOINED = (("merge", -2_000), ("automerge", 4), ("crisismerge", 4))  # pages of 4 kB; below zero: of all pieces together
# How an index is made that nobody sees yet. Anew: the pieces that are joined need not be wiped out, as some SQLites do: what they
# say is still there. Large: pages of four times the size, a tenth less work; an almost empty index would be the larger for it.
_BESIDE = ("journal_mode=off", "synchronous=off")
_ANEW = ("secure_delete=off",)
_LARGE = ("page_size=16384",)
_LIFTS = 4  # each two levels; four pieces of one become one of the next, so that it takes a quarter of a million changes

_INSERT = "insert into passage(rowid, text, parts, about, kind, date, first, last, heading) values(?,?,?,?,?,?,?,?,?)"
_FILE = "insert into file values(?,?,?,?,?,?,?,?,?,?,?)"


def up_to_date(
    workspace: str, config: Config, now: float, *, anew: bool = False, private: bool = False, seconds: float = float("inf")
) -> Index:
    """The index of a workspace as its files are now.

    `anew` where the one that is there has turned out to be broken, `private` where even a new one on this disk has.
    `seconds`: how long it may take to read what is new; what is left over then is counted in the index's `coming`.
    """
    until = time.monotonic() + seconds
    kept = None if anew else _believed(workspace)
    changes = Changes(workspace, config, kept, now, until)
    for _ in range(ROUNDS):
        if kept and not changes:
            return Index(kept, links=changes.links, shut=changes.shut)
        if kept is None or private:
            break
        kept.close()  # our own lock for reading would keep us from writing
        done = _changed(workspace, changes)
        kept = _believed(workspace)
        if done and kept:
            return Index(kept, links=changes.links, shut=changes.shut, coming=len(changes.left))
        changes = Changes(workspace, config, kept, now, until)
    why = "what is read from the disk is not what was written"
    try:
        if not private:
            made = _replaced(workspace, kept, changes)
            return Index(made, links=changes.links, shut=changes.shut, coming=len(changes.left))
    except (OSError, sqlite3.Error, ValueError) as error:
        why = reason(error)[0] if isinstance(error, OSError) else str(error)
    changes.until, changes.is_wanted = float("inf"), lambda: True  # what is not kept is not read on by anybody
    return Index(_in_memory(workspace, config, kept, changes, now), why, changes.links, changes.shut)


def finish_beside(workspace: str, config: Config, now: float) -> bool:
    """Have the whole index made by one process beside this one; returns at once, and whether one is at it.

    In a program with threads there is none: its copy would have only the thread that asked.
    """
    threads = sys.modules.get("threading")
    if threads and threads.active_count() > 1:
        return False
    from ..storage.processes import detached

    try:
        with _home(workspace) as home:
            lock = Lock(home, _BUILDER)
    except OSError:
        return False
    try:
        if not lock.take(0):
            return True  # another one is at it
        if detached():  # the copy holds the lock, until it is gone
            try:
                os.nice(10)
                _replaced(workspace, None, Changes(workspace, config, None, now))
            finally:
                os._exit(0)
        return True
    except OSError:
        return False
    finally:
        lock.close()


def _in_memory(
    workspace: str, config: Config, kept: sqlite3.Connection | None, changes: Changes, now: float
) -> sqlite3.Connection:
    """The next index, for one search alone."""
    private = sqlite3.connect(":memory:", isolation_level=None)
    try:
        _begun(private, kept)
        changes.put_into(private)
    except sqlite3.DatabaseError:  # what was believed is broken after all
        private.close()
        private = sqlite3.connect(":memory:", isolation_level=None)
        _begun(private, None)
        Changes(workspace, config, None, now).put_into(private)
    if kept:
        kept.close()
    return private


def _begun(db: sqlite3.Connection, kept: sqlite3.Connection | None) -> None:
    """A new database, with what is kept or with nothing."""
    if kept:
        kept.backup(db)
    else:
        db.executescript(f"begin; {_SCHEMA} commit")


def _opened(path: str, flags: str) -> sqlite3.Connection:
    escaped = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return sqlite3.connect(os.fsencode(f"file:{escaped}?{flags}"), uri=True, isolation_level=None, timeout=PATIENCE)


def _believed(workspace: str) -> sqlite3.Connection | None:
    """The index that is there, where its seal says that it is whole and ours; locked for reading until it is closed.

    SQLite opens by path. Should a link have come into it since we looked, what it opens lacks the seal that we have seen.
    """
    path = os.path.join(workspace, ".holdfast", NAME)
    try:
        with _home(workspace) as home:
            found = home.stat(NAME)
        if found is None or not stat.S_ISREG(found.st_mode):
            return None
        db = _opened(path, "mode=ro")
    except (OSError, sqlite3.Error, ValueError):
        return None
    try:
        db.execute("begin")
        (version,), (seal,) = db.execute("pragma user_version").fetchone(), db.execute("select seal from about").fetchone()
        # Seen again under the lock: it may have been replaced, or brought up to date, since we looked first.
        if version == VERSION and seal in (found.st_mtime_ns, os.stat(path, follow_symlinks=False).st_mtime_ns):
            return db
    except (OSError, sqlite3.Error, TypeError, ValueError):
        pass
    db.close()
    return None


def _home(workspace: str, *, make: bool = False) -> Folder:
    with Folder.open(workspace) as root:
        return root.child(".holdfast", make=make)


def _changed(workspace: str, changes: Changes) -> bool:
    """Bring the index up to date in place. False where somebody else has done so since, or where it is not to be had."""
    try:
        home = _home(workspace)
    except OSError:
        return False
    try:
        found = home.stat(NAME)
        if found is None or found.st_nlink > 1:
            return False  # a file that has another name is never written in place
        db = _opened(home.at(NAME), "mode=rw")
        try:
            # Exclusive: the lock of the first of the two commits is kept until the database is closed, so that nobody sees it
            # without its seal. The journal in memory undoes a change that fails; one that is cut off is known by the seal.
            for pragma in ("locking_mode=exclusive", "journal_mode=memory", "synchronous=full"):
                db.execute(f"pragma {pragma}")
            db.execute("begin exclusive")
            if db.execute("select seal from about").fetchone() != (changes.seal,):
                return False
            db.execute("update about set seal = 0")
            db.execute("commit")
            home.dated(NAME, changes.put_into(db))
        finally:
            db.close()
        return True
    except (OSError, sqlite3.Error, ValueError):
        return False
    finally:
        home.close()


def _replaced(workspace: str, kept: sqlite3.Connection | None, changes: Changes) -> sqlite3.Connection:
    """The next index, made beside the old one and given its name; locked for reading."""
    home = _home(workspace, make=True)
    try:
        home.clear_up()
        draft = home.draft()
        try:
            changes.is_wanted = lambda: home.stat(draft) is not None  # `forget` takes it away: what was read may not be kept
            db = _opened(home.at(draft), "mode=rw")
            try:
                for pragma in (*_BESIDE, *(() if kept else _ANEW), *(_LARGE if len(changes.new) > _MANY else ())):
                    db.execute(f"pragma {pragma}")
                _begun(db, kept)
                seal = changes.put_into(db)
            finally:
                db.close()
            home.sealed(draft, seal)
            opened = _opened(home.at(draft), "mode=ro")
            opened.execute("begin")
            opened.execute("select seal from about").fetchone()
            if changes.left and (fuller := _fuller(workspace, opened)):
                opened.close()
                home.remove(draft)
                return fuller
            for left in ("-journal", "-wal", "-shm"):  # of another program: SQLite would take it for this file's and play it back
                home.remove(NAME + left)
            home.place(draft, home, NAME, over=True)
        except BaseException:
            home.remove(draft)
            raise
        if kept:
            kept.close()
        return opened
    finally:
        home.close()


def _fuller(workspace: str, made: sqlite3.Connection) -> sqlite3.Connection | None:
    """The index that somebody else has put in place meanwhile, where it has more than the unfinished one that was made here."""
    other = _believed(workspace)
    if other is None:
        return None
    (there,), (here,) = (db.execute("select files from about").fetchone() for db in (other, made))
    if there > here:
        return other
    other.close()
    return None


class Changes:
    """What the files have that the index has not, and the other way round.

    Files are put in until `until` (monotonic), and one at least; those that are `left` are as unknown afterwards as before.
    """

    def __init__(
        self, workspace: str, config: Config, kept: sqlite3.Connection | None, now: float, until: float = float("inf")
    ) -> None:
        self.until = until
        self.is_wanted: Callable[[], bool] = lambda: True
        self.left: list[str] = []  # files that there was no time for
        self._tree, self._now = Tree(workspace, config), int(now * 1e9)
        self.new: list[tuple[str, str, bytes | None]] = []  # (path, stamp, content); None: read when its turn comes, one by one
        self.gone: list[int] = []
        self.settled: list[tuple[str, int]] = []  # (stamp, file) of files that are what they were, and now known to stay so
        self.folders: dict[str, str] = {}
        self._troubles: dict[str, str] = {}
        self._known: dict[str, tuple[int, str, str]] = {}
        self.seal = 0  # of the index that it was compared with
        self._seen = self._tree.look()
        if not (kept and self._is_as_it_was(kept)):
            self._compared(workspace, kept)
        self._tree.close()
        self.links, self.shut = tuple(self._tree.links), tuple(self._tree.shut)

    def __bool__(self) -> bool:
        return bool(self.new or self.gone or self.settled)

    def _is_as_it_was(self, kept: sqlite3.Connection) -> bool:
        """Whether the look found what that did which the index was made from: then there is nothing to compare file by file."""
        self.seal, look, newest = kept.execute("select seal, look, newest from about").fetchone()
        return bool(look and self._is_settled(newest) and look == _summed(self._seen))

    def _is_settled(self, newest: int) -> bool:
        return settled((newest, newest, 0), self._now)

    def _asked(self, workspace: str, kept: sqlite3.Connection) -> None:
        """What an index knows of the files."""
        if workspace not in _held or _held[workspace][0] != self.seal:
            _held.clear()
            _held[workspace] = self.seal, _folders(kept), _known(kept)
        _, self.folders, self._known = _held[workspace]

    def _compared(self, workspace: str, kept: sqlite3.Connection | None) -> None:
        """Compare every file with what is known of it; days of the journal that are as they were are not looked into."""
        if kept:
            self._asked(workspace, kept)
        there: set[str] = set()
        folders: dict[str, str] = {}
        files = list(self._tree.files(self.folders, folders, self._now, self._seen))
        moved = self.folders.keys() - {path for path, found in files if found is None}
        if kept and moved:
            self._known = self._known | _recorded(kept, moved)
        for path, found in files:
            if found is None:  # nothing has come or gone: its records never change
                continue
            there.add(path)
            number, stamp, mark = self._known.get(path, (0, "", ""))
            fresh = stamped(found, self._now)
            if fresh == stamp and not stamp.endswith("?"):
                continue
            if not number:
                self.new.append((path, fresh, None))
                continue
            data = self._read(path)
            if compute_digest(data) != mark:
                self.new.append((path, fresh, data))
                self.gone.append(number)
            elif not fresh.endswith("?"):
                self.settled.append((fresh, number))
        # Where time may run out: what was edited, then documents, then the journal, the newest of each first.
        if len(self.new) > _MANY and self.until < float("inf"):
            self.new.sort(key=lambda one: (one[2] is None, one[0].startswith("."), -int(one[1].partition(" ")[0])))
        self.gone += [number for path, (number, _, _) in self._known.items() if path not in there]
        if any(known.endswith("?") and not folders.get(path, "?").endswith("?") for path, known in self.folders.items()):
            self.settled.append(("", 0))
        self.folders = folders

    def _read(self, path: str) -> bytes:
        try:
            return self._tree.read(path)
        except OSError as error:
            self._troubles[path] = reason(error)[0]
        except (ValueError, EOFError) as error:
            self._troubles[path] = str(error)
        return b""

    def _made(self, number: int) -> Generator[tuple[list[Cells], Cells]]:
        """What the index gets of each new file, as rows; their numbers count from the one given."""
        for each, (path, stamp, data) in enumerate(self.new, number):
            content = self._read(path) if data is None else data
            yield prepared(each, path, stamp, content, self._troubles.get(path, ""))

    def put_into(self, db: sqlite3.Connection) -> int:
        """Bring a database up to date; returns its new seal."""
        db.execute("begin")
        first = not self.seal
        _set(db, _APART if first else ())
        for number in self.gone:
            db.execute("delete from passage where rowid between ? and ?", within(number))
            db.execute("delete from file where id = ?", (number,))
        (number,) = db.execute("select coalesce(max(id), 0) from file").fetchone()
        made = self._made(number + 1)
        if len(self.new) > _MANY:
            from ..storage.processes import ahead

            made = ahead(made)
        done = 0
        for rows, about in made:
            db.executemany(_INSERT, rows)
            db.execute(_FILE, about)
            done += 1
            if time.monotonic() > self.until or not self.is_wanted():
                break
        made.close()
        self._tree.close()
        self.left = [path for path, _, _ in self.new[done:]]
        # A day of the journal that lacks some of its records is looked into again.
        unfinished = {path[: path.rfind("/") + 1] for path in self.left}
        self.folders |= dict.fromkeys(unfinished & self.folders.keys(), "?")
        db.executemany("update file set stamp = ? where id = ?", self.settled)
        db.execute("delete from folder")
        db.executemany("insert into folder values(?, ?)", [(os.fsencode(p), s) for p, s in self.folders.items()])
        # Any moment but now: whoever changes the file later gives it the moment of the change, and so breaks the seal.
        seal = self._now - 3_600_000_000_000 - int.from_bytes(os.urandom(4), "big")
        db.execute("delete from about")
        newest = max((max(mark[:2]) for mark in self._seen.values()), default=0)
        look = _summed(self._seen) if self._is_settled(newest) and not self.left else ""
        db.execute("insert into about select ?, count(*), coalesce(sum(passages), 0), ?, ? from file", (seal, look, newest))
        if first:
            _joined(db)
        db.execute("commit")
        return seal


def _joined(db: sqlite3.Connection) -> None:
    """Join the pieces of a first build, as far as nobody minds waiting, on a level that later changes do not come to.

    FTS5 joins pieces with others of their level. On the lowest, where it would be, all of a first build was joined anew with
    every few hundred changes, and a search waited for it, a second in a large workspace. What is joined comes to stand above all
    levels that there are; so a small piece and a page of joining before that, a few times over, make it two more each time. A
    first build that is one piece is written once more for it.
    """
    for number in range(-1, -1 - _LIFTS, -1):  # backwards, which has FTS5 write each before the next
        db.execute("insert into passage(rowid, text) values(?, 'x')", (number,))
        _set(db, (("merge", -1),))
    db.execute("delete from passage where rowid < 0")
    _set(db, _JOINED)


def _set(db: sqlite3.Connection, settings: Iterable[tuple[str, int | None]]) -> None:
    """Settings of FTS5, and the one thing it is told to do."""
    for name, value in settings:
        db.execute("insert into passage(passage, rank) values(?, ?)", (name, value))


def of_sessions(sessions: Iterable[tuple[str, str, str]], room: int = ROOM) -> tuple[Index, int]:
    """A private index of what was said in hosts' sessions, given as (host, path, session), and how many there was room for.

    In memory only: a transcript has secrets in it, and we write none of them to the disk. A passage is one message, and its
    “lines” are the number of the message.
    """
    from ..transcripts import Transcript
    from .passages import date_in, spoken_date

    db = sqlite3.connect(":memory:", isolation_level=None)
    db.executescript(_SCHEMA + "begin")
    number = 0
    for host, path, session in sessions:
        if room <= 0:
            break
        number += 1
        rows = []
        with Transcript(path, host=host, session=session) as transcript:
            for place, event in enumerate(event for event in transcript.events() if event.kind in ("user", "agent", "summary")):
                text = event.text[:LONG_MESSAGE].encode("utf-8", "replace").decode()
                room -= len(text)
                row = (number << PLACE | place, text, parts(text), f"{host} {spoken_date(date_in(event.time[:10]))}", "")
                rows.append((*row, date_in(event.time[:10]) or "1970-01-01", place + 1, place + 1, event.kind))
                if room <= 0 or place + 1 == 1 << PLACE:
                    break
        db.executemany(_INSERT, rows)
        values = (number, os.fsencode(path if session in path else f"{path}#{session}"), "", "", "transcript", "", "")
        db.execute(_FILE, (*values, "", len(rows), "", 0))
    db.execute("insert into about select 0, count(*), coalesce(sum(passages), 0), '', 0 from file")
    db.execute("commit")
    return Index(db), number


_Known = dict[str, tuple[int, str, str]]  # (id, stamp, digest) of files, by their paths
_KNOWN = "select path, id, stamp, digest from file where"


# Of the workspace that was asked last, with the seal: to fetch it takes longer than the look, and a server is asked again while
# a file is too new to be sure of. Nobody changes what is known; an index that was changed has another seal.
_held: dict[str, tuple[int, dict[str, str], _Known]] = {}


def _summed(seen: dict[str, Mark]) -> str:
    """What a look found, in one word. In marshal's first format, whose bytes are the same in every process."""
    return compute_digest(marshal.dumps(seen, 0))


def _folders(kept: sqlite3.Connection) -> dict[str, str]:
    """The stamps of the journal's days."""
    return {os.fsdecode(path): stamp for path, stamp in kept.execute("select path, stamp from folder")}


def _known(kept: sqlite3.Connection) -> _Known:
    """The files that the index has, but for the records in days of the journal.

    A year of ten thousand notes is as many records, and to fetch them all takes longer than to find the answer.
    """
    return {os.fsdecode(path): (number, *about) for path, number, *about in kept.execute(f"{_KNOWN} record = 0")}


def _recorded(kept: sqlite3.Connection, days: Iterable[str]) -> _Known:
    """The records in some days of the journal."""
    found: _Known = {}
    for folder in map(os.fsencode, days):
        rows = kept.execute(f"{_KNOWN} path >= ? and path < ?", (folder, _behind(folder)))
        found |= {os.fsdecode(path): (number, *about) for path, number, *about in rows}
    return found


def _behind(folder: bytes) -> bytes:
    """The first path that can come behind all that are in a folder: “0” follows “/”."""
    return folder[:-1] + b"0"
