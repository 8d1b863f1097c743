"""The full-text index: files → passages → SQLite. Derived: delete `.holdfast/index.sqlite` whenever you like.

Rule 1: the files are the truth. Every search first looks at each file's moment and size, reads what has changed, and asks an
        index that is up to date; a person's edit is found by the next search.
Rule 2: an index file is never changed once it has its name. An update copies it, changes the copy and renames it into place, so
        that a reader holds a whole index, whoever writes beside it; nobody waits for a lock, and a crash leaves the old one.
        Copying costs about as much as asking it does.
Rule 3: an index is believed only with its *seal*: the moment (mtime) that its writer gave it and wrote into it. Whoever changes a
        byte of it afterwards moves that moment. Missing, torn, altered, older or newer than this program: it is built anew.
Rule 4: no search fails for the index. Where it cannot be kept (a read-only workspace, a full disk), a private one in memory
        answers, and the search says so.

A passage's row number is its file's number and its place in the file (`file << 20 | place`): its neighbours and its file are
known without looking them up.
"""

from __future__ import annotations

import os
import stat
import time

from .disk import Folder
from .errors import reason
from .journal import digest, parse
from .model import Value, slug
from .wording import parts, words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator

    from .config import Config
else:
    try:  # the package around it loads datetime, a third of an interpreter start, to convert dates that we have none of
        import _sqlite3 as sqlite3
    except ImportError:
        import sqlite3

VERSION = 1
NAME = "index.sqlite"
PLACE = 20  # bits of a row number that count the passages of one file
LONG = 64 << 20  # bytes that are read of one file
LONG_MESSAGE = 8000  # characters of one message in a transcript
ROOM = 32 << 20  # characters of transcripts that one search reads
_SETTLED = 2_000_000_000  # nanoseconds: a file that was written so lately may change again without its moment showing it
# hashsize: words are held back in memory up to so many bytes before they are written; the first build is a fifth faster for it.
_SCHEMA = """
create table about(seal integer, files integer, passages integer);
create table file(id integer primary key, path blob unique, stamp text, digest text, origin text, date text, topic text,
    tags text, passages integer, trouble text);
create table folder(path blob primary key, stamp text) without rowid;
create virtual table passage using fts5(text, parts, about, kind, date unindexed, first unindexed, last unindexed,
    heading unindexed, tokenize="porter unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'");
insert into passage(passage, rank) values('hashsize', 16000000);
"""


_INSERT = "insert into passage(rowid, text, parts, about, kind, date, first, last, heading) values(?,?,?,?,?,?,?,?,?)"
_DOCUMENT = "select id, path, origin, tags, trouble from file"
_JOURNAL = b".holdfast/journal/"
Broken = sqlite3.DatabaseError  # what asking an index raises that is not whole after all


class Row:
    """A passage as the index holds it. A plain class: hundreds are made for every search."""

    __slots__ = ("date", "first", "heading", "id", "kind", "last", "text")

    def __init__(self, number: int, text: str, kind: str, date: str, first: int, last: int, heading: str) -> None:
        self.id, self.text, self.kind, self.date = number, text, kind, date
        self.first, self.last, self.heading = first, last, heading


class Document:
    """A file as the index knows it."""

    __slots__ = ("origin", "path", "tags", "trouble")

    def __init__(self, path: bytes, origin: str, tags: str, trouble: str) -> None:
        self.path, self.origin, self.tags, self.trouble = os.fsdecode(path), origin, tuple(tags.split()), trouble


class Wanted(Value):
    """Which passages count: of a note type, of a topic, from a day on."""

    kind: str = ""
    topic: str = ""
    since: str = ""


class Index:
    """An index that is up to date."""

    def __init__(self, db: sqlite3.Connection, unkept: str = "") -> None:
        self._db, self.unkept = db, unkept  # unkept: why the index could not be kept, where it could not
        self.files, self.passages = db.execute("select files, passages from about").fetchone()

    def close(self) -> None:
        """Give the database back."""
        self._db.close()

    def count(self, words: str, wanted: Wanted) -> int:
        """In how many passages the words stand (FTS5 syntax)."""
        where, values = _where(words, wanted)
        return int(self._db.execute(f"select count(*) from passage where {where}", values).fetchone()[0])  # noqa: S608

    def counted(self, words: str, wanted: Wanted) -> dict[int, int]:
        """In how many passages of each file the words stand (FTS5 syntax)."""
        where, values = _where(words, wanted)
        return dict(self._db.execute(f"select rowid >> {PLACE}, count(*) from passage where {where} group by 1", values))  # noqa: S608

    def best(self, words: str, wanted: Wanted, limit: int) -> list[tuple[int, float]]:
        """The best passages by BM25, with their scores; more is better."""
        where, values = _where(words, wanted)
        # As a `rank`, the tokeniser's own sorter keeps the best; an expression would have SQLite sort every passage that matches.
        query = f"select rowid, -rank from passage where {where} and rank match 'bm25(1, 1, 1, 0)' order by rank limit ?"  # noqa: S608
        return self._db.execute(query, (*values, limit)).fetchall()

    def rows(self, numbers: Iterable[int]) -> dict[int, Row]:
        """Passages by their row numbers."""
        query = f"select rowid, text, kind, date, first, last, heading from passage where rowid in ({_listing(numbers)})"  # noqa: S608
        return {row[0]: Row(*row) for row in self._db.execute(query)}

    def lengths(self, numbers: Iterable[int]) -> dict[int, int]:
        """How many passages files have."""
        return dict(self._db.execute(f"select id, passages from file where id in ({_listing(numbers)})"))  # noqa: S608

    def documents(self, numbers: Iterable[int]) -> dict[int, Document]:
        """Files by their numbers."""
        return {row[0]: Document(*row[1:]) for row in self._db.execute(f"{_DOCUMENT} where id in ({_listing(numbers)})")}

    def tagged(self) -> list[Document]:
        """The files that have tags."""
        return [Document(*row[1:]) for row in self._db.execute(f"{_DOCUMENT} where tags != '' order by path")]

    def troubled(self) -> list[Document]:
        """The files that could not be searched."""
        return [Document(*row[1:]) for row in self._db.execute(f"{_DOCUMENT} where trouble != '' order by path")]

    def terms(self, beginning: str, least: int, most: int) -> list[str]:
        """The words of the index (as stems) that begin so and are so long."""
        self._db.execute("create virtual table if not exists temp.term using fts5vocab(main, passage, row)")
        query = "select term from temp.term where term >= ? and term < ? and length(term) between ? and ?"
        return [term for (term,) in self._db.execute(query, (beginning, beginning + "\U0010ffff", least, most))]


def _listing(numbers: Iterable[int]) -> str:
    return ",".join(map(str, numbers))


def _where(words: str, wanted: Wanted) -> tuple[str, tuple[str, ...]]:
    where, values = ["passage match ?"], [f'({words}) AND kind : "{wanted.kind}"' if wanted.kind else words]
    if wanted.topic:
        where.append(f"rowid >> {PLACE} in (select id from file where topic = ?)")  # noqa: S608
        values.append(wanted.topic)
    if wanted.since:
        where.append("date >= ?")
        values.append(wanted.since)
    return " and ".join(where), tuple(values)


# ---- bringing it up to date --------------------------------------------------------------------------------------------


def up_to_date(workspace: str, config: Config, now: float, *, anew: bool = False, private: bool = False) -> Index:
    """The index of a workspace as its files are now.

    `anew` where the one that is there has turned out to be broken, `private` where even a new one on this disk has.
    """
    kept, why = None if anew else _believed(workspace), "what is read from the disk is not what was written"
    changes = Changes(workspace, config, kept, now)
    if kept and not changes:
        return Index(kept)
    try:
        if not private:
            return Index(_replaced(workspace, kept, changes))
    except (OSError, sqlite3.Error, ValueError) as error:
        why = reason(error)[0] if isinstance(error, OSError) else str(error)
    return Index(_in_memory(workspace, config, kept, changes, now), why)


def _in_memory(
    workspace: str, config: Config, kept: sqlite3.Connection | None, changes: Changes, now: float
) -> sqlite3.Connection:
    """The next index, for one search alone."""
    private = sqlite3.connect(":memory:", isolation_level=None)
    try:
        if kept:
            kept.backup(private)
        else:
            private.executescript(_SCHEMA)
        changes.put_into(private)
    except sqlite3.DatabaseError:  # what was believed is broken after all
        private.close()
        private = sqlite3.connect(":memory:", isolation_level=None)
        private.executescript(_SCHEMA)
        Changes(workspace, config, None, now).put_into(private)
    if kept:
        kept.close()
    return private


def _opened(path: str, flags: str) -> sqlite3.Connection:
    escaped = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return sqlite3.connect(os.fsencode(f"file:{escaped}?{flags}"), uri=True, isolation_level=None)


def _believed(workspace: str) -> sqlite3.Connection | None:
    """The index that is there, where its seal says that it is whole and ours."""
    path = os.path.join(workspace, ".holdfast", NAME)
    try:
        found = os.stat(path, follow_symlinks=False)
        if not stat.S_ISREG(found.st_mode):
            return None
        db = _opened(path, "immutable=1")
    except (OSError, sqlite3.Error, ValueError):
        return None
    try:
        (version,), (seal,) = db.execute("pragma user_version").fetchone(), db.execute("select seal from about").fetchone()
        if (version, seal) == (VERSION, found.st_mtime_ns):
            return db
    except (sqlite3.Error, TypeError, ValueError):
        pass
    db.close()
    return None


def _replaced(workspace: str, kept: sqlite3.Connection | None, changes: Changes) -> sqlite3.Connection:
    """The next index, under its name; read from the file that has it."""
    root = Folder.open(workspace)
    try:
        home = root.child(".holdfast", make=True)
    finally:
        root.close()
    try:
        home.clear_up()
        draft = home.draft(NAME if kept else "")
        try:
            db = _opened(home.at(draft), "mode=rw")
            try:
                db.execute("pragma journal_mode=off")
                db.execute("pragma synchronous=off")
                if not kept:
                    db.executescript(f"begin; {_SCHEMA} pragma user_version={VERSION}; commit")
                seal = changes.put_into(db)
            finally:
                db.close()
            opened = _opened(home.at(draft), "immutable=1")
            home.sealed(draft, NAME, seal)
        except BaseException:
            home.remove(draft)
            raise
        if kept:
            kept.close()
        return opened
    finally:
        home.close()


class Changes:
    """What the files have that the index has not, and the other way round."""

    def __init__(self, workspace: str, config: Config, kept: sqlite3.Connection | None, now: float) -> None:
        self.workspace, self._now = workspace, int(now * 1e9)
        self.new: list[tuple[str, str, bytes | None]] = []  # (path, stamp, content); None: read when its turn comes, one by one
        self.gone: list[int] = []
        self.settled: list[tuple[str, int]] = []  # (stamp, file) of files that are what they were, and now known to stay so
        self.folders: dict[str, str] = {}
        self._troubles: dict[str, str] = {}
        self._known: dict[str, tuple[int, str, str]] = {}
        if kept:
            self.folders = {os.fsdecode(path): stamp for path, stamp in kept.execute("select path, stamp from folder")}
        self._look(config, kept)

    def __bool__(self) -> bool:
        return bool(self.new or self.gone or self.settled)

    def _look(self, config: Config, kept: sqlite3.Connection | None) -> None:
        """Compare every file with what is known of it; days of the journal that are as they were are not looked into."""
        there = set()
        folders: dict[str, str] = {}
        files = list(_files(self.workspace, config, self.folders, folders, self._now))
        if kept:
            self._known = _known(kept, self.folders.keys() - {path for path, found in files if found is None})
        for path, found in files:
            if found is None:
                continue
            there.add(path)
            number, stamp, mark = self._known.get(path, (0, "", ""))
            fresh = _stamp(found, self._now)
            if fresh == stamp and not stamp.endswith("?"):
                continue
            if not number:
                self.new.append((path, fresh, None))
                continue
            data = self._read(path)
            if digest(data) != mark:
                self.new.append((path, fresh, data))
                self.gone.append(number)
            elif not fresh.endswith("?"):
                self.settled.append((fresh, number))
        self.gone += [number for path, (number, _, _) in self._known.items() if path not in there]
        if any(known.endswith("?") and not folders.get(path, "?").endswith("?") for path, known in self.folders.items()):
            self.settled.append(("", 0))
        self.folders = folders

    def _read(self, path: str) -> bytes:
        try:
            return _content(os.path.join(self.workspace, path))
        except OSError as error:
            self._troubles[path] = reason(error)[0]
        except (ValueError, EOFError) as error:
            self._troubles[path] = str(error)
        return b""

    def put_into(self, db: sqlite3.Connection) -> int:
        """Bring a database up to date; returns its new seal."""
        db.execute("begin")
        for number in self.gone:
            db.execute("delete from passage where rowid between ? and ?", (number << PLACE, (number + 1 << PLACE) - 1))
            db.execute("delete from file where id = ?", (number,))
        (number,) = db.execute("select coalesce(max(id), 0) from file").fetchone()
        for path, stamp, data in self.new:
            number += 1
            self._add(db, number, path, stamp, self._read(path) if data is None else data)
        db.executemany("update file set stamp = ? where id = ?", self.settled)
        db.execute("delete from folder")
        db.executemany("insert into folder values(?, ?)", [(os.fsencode(p), s) for p, s in self.folders.items()])
        # Any moment but now: whoever changes the file later gives it the moment of the change, and so breaks the seal.
        seal = self._now - 3_600_000_000_000 - int.from_bytes(os.urandom(4), "big")
        db.execute("delete from about")
        db.execute("insert into about select ?, count(*), coalesce(sum(passages), 0) from file", (seal,))
        db.execute("commit")
        return seal

    def _add(self, db: sqlite3.Connection, number: int, path: str, stamp: str, data: bytes) -> None:
        from .passages import passages, spoken_date

        trouble = self._troubles.get(path, "")
        if b"\0" in data[:8000]:
            trouble, data = "it is not text", b""
        about = described(path, data.decode("utf-8", "replace").replace("\r\n", "\n").lstrip("\ufeff"), stamp)
        count = 0
        rows = []
        for passage in passages(about.text):
            if count == 1 << PLACE:
                trouble = "it is too long; only its beginning is searched"
                break
            words = f"{passage.heading} {about.words} {spoken_date(passage.date or about.date)}"
            lines = passage.first + about.above, passage.last + about.above
            day = passage.date or about.date or about.changed
            besides = parts(f"{passage.text} {passage.heading}")
            rows.append((number << PLACE | count, passage.text, besides, words, passage.kind, day, *lines, passage.heading))
            count += 1
        db.executemany(_INSERT, rows)
        values = (number, os.fsencode(path), stamp, digest(data) if not trouble else "", about.origin, about.date, about.topic)
        db.execute("insert into file values(?,?,?,?,?,?,?,?,?,?)", (*values, " ".join(about.tags), count, trouble))


def of_sessions(sessions: Iterable[tuple[str, str, str]], room: int = ROOM) -> tuple[Index, int]:
    """A private index of what was said in hosts' sessions, given as (host, path, session), and how many there was room for.

    In memory only: a transcript has secrets in it, and we write none of them to the disk. A passage is one message, and its
    “lines” are the number of the message.
    """
    from .passages import date_in, spoken_date
    from .transcripts import Transcript

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
        db.execute("insert into file values(?,?,?,?,?,?,?,?,?,?)", (*values, "", len(rows), ""))
    db.execute("insert into about select 0, count(*), coalesce(sum(passages), 0) from file")
    db.execute("commit")
    return Index(db), number


# ---- the files ---------------------------------------------------------------------------------------------------------


class Described(Value):
    """What a file is, from its path and its text."""

    text: str
    origin: str
    date: str = ""
    topic: str = ""
    tags: tuple[str, ...] = ()
    words: str = ""  # of its name and its tags
    above: int = 0  # lines above the text
    changed: str = ""  # the day on which it was last written


def described(path: str, text: str, stamp: str) -> Described:
    """What a file is. A journal record is its body; one that is torn says nothing, its document is the second copy."""
    from .passages import date_in, tags_in

    changed = time.strftime("%Y-%m-%d", time.localtime(int(stamp.partition(" ")[0]) // 1_000_000_000))
    if path.startswith(".holdfast/"):
        record = parse(text)
        if record is None:
            return Described("", "journal")
        lines = text.partition("\n\n")[0].count("\n") + 2
        return Described(record.body, "journal", record.time[:10], record.topic.casefold(), (), record.kind, lines, changed)
    name = os.path.basename(path).encode("utf-8", "replace").decode()  # SQLite takes no half characters
    while name.endswith((".md", ".gz", ".zst")):
        name = name[: name.rindex(".")]
    topic = slug(name.removeprefix("context-")).casefold() if name.startswith("context-") else ""
    tags = tuple(tags_in(text))
    words = f"{words_of(name)} {' '.join(tags)}"
    date = date_in(name)
    return Described(text, _origin(path, name, topic, date), date, topic, tags, words, 0, changed)


def _origin(path: str, name: str, topic: str, date: str) -> str:
    """Where a passage comes from, in one word."""
    folders = path.split("/")[:-1]
    for folder in ("archive", "semantic", "procedural"):
        if folder in folders:
            return folder
    if not folders:
        return "state" if name.lower() == "session-state" else "memory"
    named = {"session-state": "state", "working-buffer": "buffer"}.get(name)
    return named or ("topic" if topic else "day" if date else "document")


def _behind(folder: bytes) -> bytes:
    """The first path that can come behind all that are in a folder: “0” follows “/”."""
    return folder[:-1] + b"0"


def _known(kept: sqlite3.Connection, moved: set[str]) -> dict[str, tuple[int, str, str]]:
    """(id, stamp, digest) of the files that the index has; of the journal, only those in folders that are not as they were.

    A year of ten thousand notes is as many records, and to fetch them all takes longer than to find the answer.
    """
    query = "select path, id, stamp, digest from file where path >= ? and path < ?"
    rows = [*kept.execute(query, (b"", _JOURNAL)), *kept.execute(query, (_behind(_JOURNAL), b"\xff" * 8))]
    for folder in map(os.fsencode, moved):
        rows += kept.execute(query, (folder, _behind(folder)))
    return {os.fsdecode(path): (number, stamp, mark) for path, number, stamp, mark in rows}


def _files(
    workspace: str, config: Config, known: dict[str, str], folders: dict[str, str], now: int
) -> Iterator[tuple[str, os.stat_result | None]]:
    """Every file that is searched; of a journal day that is as it was, the folder alone, with None."""
    for name in ("MEMORY.md", "SESSION-STATE.md"):
        try:
            found = os.stat(os.path.join(workspace, name), follow_symlinks=False)
        except OSError:
            continue
        if stat.S_ISREG(found.st_mode):
            yield name, found
    places = ["memory"]
    if config.contextDir.split(os.sep)[0] != "memory":
        places.append(config.contextDir)
    for place in places:
        yield from _below(workspace, place)
    journal = os.path.join(workspace, ".holdfast", "journal")
    for day in _listed(journal):
        path = f".holdfast/journal/{day.name}/"
        try:
            stamp = _stamp(day.stat(follow_symlinks=False), now)
        except OSError:
            continue
        folders[path] = stamp
        if known.get(path) == stamp and not stamp.endswith("?"):
            yield path, None
        else:
            yield from ((path + entry.name, entry.stat(follow_symlinks=False)) for entry in _listed(day.path) if _is_text(entry))


def _below(workspace: str, place: str) -> Iterator[tuple[str, os.stat_result]]:
    """Every document in a folder and below it. Links are not followed: they may lead out of the workspace."""
    for entry in _listed(os.path.join(workspace, place)):
        try:
            if entry.is_dir(follow_symlinks=False):
                if not entry.name.startswith("."):
                    yield from _below(workspace, f"{place}/{entry.name}")
            elif _is_text(entry):
                yield f"{place}/{entry.name}", entry.stat(follow_symlinks=False)
        except OSError:
            continue  # it went while we looked


def _listed(path: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(path) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return []


def _is_text(entry: os.DirEntry[str]) -> bool:
    return entry.name.endswith((".md", ".md.gz", ".md.zst")) and entry.is_file(follow_symlinks=False)


def _stamp(found: os.stat_result, now: int) -> str:
    """By what a file is known to be as it was; with a question mark where it was written too lately to be sure."""
    latest = max(found.st_mtime_ns, found.st_ctime_ns)
    return f"{found.st_mtime_ns} {found.st_ctime_ns} {found.st_size}{'?' if latest > now - _SETTLED else ''}"


def _content(path: str) -> bytes:
    """The bytes of a file, unpacked where it is packed."""
    with open(path, "rb") as file:
        if path.endswith(".gz"):
            import gzip

            with gzip.open(file) as packed:
                return packed.read(LONG)
        if path.endswith(".zst"):
            from .transcripts.packed import MISSING, SPOILT, read, stream

            unpacked = stream(file)
            if unpacked is None:
                raise ValueError(MISSING)
            data = read(unpacked, LONG)
            if data is None:
                raise ValueError(SPOILT)
            return data
        return file.read(LONG)
