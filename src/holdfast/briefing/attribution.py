"""Whose words these are: the session that a snapshot block, a line of a day or a passage belongs to, and who may be told of it.

Rule 1: a session is told what was said in it, and what is meant for all: the owner's own lines and preferences.
Rule 2: a room (a group or a channel, `model.is_room`) is told what was said in it, and nothing else.
Rule 3: a block without a session belongs to the session that the host names for it, or whose transcript shows that it was
        written there, or whose words it clearly shares (`_clear_owner`). Otherwise it belongs to nobody.

What the host named and transcripts showed is kept in `.holdfast/cursors/written-by`, a line for each block or line of a day. It
is derived: to lose it loses no memory, and then the words decide.
"""

from __future__ import annotations

import re
from itertools import islice

from ..documents import markdown
from ..documents import sections as s
from ..model import NO_SESSION, fold, is_gateway_session, is_owners_session, is_room
from ..storage.store import buffer_line
from ..util import compute_digest, make_past_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..memory import Memory
    from ..model import Checkpoint
    from ..recall.hits import Hit

_FOLDER, _FILE = ".holdfast/cursors", "written-by"
_UNNAMED = "flush:"  # how the name of a session begins that the host has not told yet
_MOST_LINES = 2000  # of that file; then the older half goes
_RECORDS_BACK = 400  # records in which the words of sessions are looked for
_SHARED, _SHARE = 5, 0.4  # words that a block has in common with its session, at least, and which part of its own words
_LONG = 4  # letters of a word that says something
_WORD = re.compile(r"[^\W_]+")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")  # scripts without spaces: pairs of signs are their words
_DAY = re.compile(r"(\d{4}-\d\d-\d\d)\.md")
_HEAD = re.compile(r"(?:\d\d:\d\d(?::\d\d)?[ \t]+)?(?:\[[A-Z]+\][ \t]*)?")  # the time and the type of a note
_REFERENCE = "→ "  # a note whose text has its home elsewhere: upkeep has left its beginning
_TITLES = ("# ", "---", "## Task Snapshot")  # lines of a day that only part it
_SET_LINE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d ")  # how a line begins that a one-line command has written
_CLOSING = re.compile(r"[-*]?[ \t]*(?:\*\*)?(?:Updated|Decisions|Signal|Open):", re.I)  # the lines that close a day
_DIGEST = re.compile(r"(?:\d{4}-\d\d-\d\d )?\d\d:\d\d(?:–\d\d:\d\d)? [^,\n]{1,40}, session \S")  # a session's digest
# Words that any two sessions have in common.
_COMMON = frozenset(
    re.findall(
        r"\w+",
        """about after again agent also always because been before between both code could does done each file files first
        from goal have here into just last like line lines make more most must need never next none only open other over
        project read same session should snapshot some state step steps still task test tests than that their them then
        there these they this time under until user using very want what when where which while will with work would
        write your""",
    )
)


def block_mark(block: str) -> str:
    """Return the mark of a block that was written by hand: the end of the id that its record has or would have."""
    return make_past_id(0.0, markdown.block_key(block))[23:]


def _line_mark(line: str) -> str:
    return compute_digest(f"line\0{fold(line)}".encode("utf-8", "surrogateescape"))[:10]


class Attribution:
    """Who said what in one workspace. It lives as long as its `Memory`, and looks things up once."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._written_by: dict[str, str] | None = None
        self._words: dict[str, set[str]] | None = None
        self._days: dict[str, dict[str, tuple[str, str]]] = {}

    # ---- what hosts and transcripts have told ----

    def written_by(self, mark: str) -> str:
        """Return the session that a block or a line is known to be written in; empty where nobody has told."""
        if self._written_by is None:
            text = self._memory.store.text_or_empty(_FOLDER, _FILE)
            pairs = (line.partition(" ") for line in text.split("\n"))
            self._written_by = {mark: session for mark, _, session in pairs if session}
        return self._written_by.get(mark, "")

    def owner_known_of(self, mark: str) -> str:
        """Return the same, but for a session whose name is still to be told."""
        known = self.written_by(mark)
        return "" if known.startswith(_UNNAMED) else known

    def attribute(self, marks: Iterable[str], session: str) -> None:
        """Keep that blocks or lines were written in a session. Who was named first stays."""
        new = [mark for mark in dict.fromkeys(marks) if not self.written_by(mark)]
        if not new or self._written_by is None:
            return
        self._written_by.update(dict.fromkeys(new, session))
        if len(self._written_by) > _MOST_LINES:
            self._place()
            return
        try:
            told = "".join(f"{mark} {session}\n" for mark in new)
            self._memory.store.folder(_FOLDER).append(_FILE, told.encode("utf-8", "surrogateescape"))
        except OSError:
            pass  # then the words decide

    def rename(self, old: str, new: str) -> None:
        """Keep that what was written in a session of a passing name was written in this one."""
        self.written_by("")
        if self._written_by is None or not old.startswith(_UNNAMED) or old not in self._written_by.values():
            return
        self._written_by = {mark: new if known == old else known for mark, known in self._written_by.items()}
        self._place()

    def _place(self) -> None:
        lines = [f"{mark} {known}\n" for mark, known in (self._written_by or {}).items()]
        swap, kept = self._memory.swap, "".join(lines[-_MOST_LINES // 2 :])
        try:
            fresh = swap.prepare(kept.encode("utf-8", "surrogateescape"))
            swap.place(fresh, self._memory.store.folder(_FOLDER), _FILE, over=True)
        except OSError:
            pass  # then the words decide

    def attribute_lines(self, day: str, session: str) -> None:
        """Keep that all lines of a day that are nobody's yet were written in a session (empty: by the owner)."""
        text = without_blocks(self._memory.days.text(day))
        known = self._said_on(day)
        lines = [chunk.text for chunk in s.chunks(s.lines_of(text)) if chunk.text.strip()]
        marks = [_line_mark(line) for line in lines if _key(line) not in known]
        self.attribute(marks, session or NO_SESSION)

    # ---- blocks without a session ----

    def owner_of_block(self, mark: str, state: Checkpoint) -> str:
        """Return the session that a block belongs to which names none; empty where that is not clear."""
        return self.owner_known_of(mark) or self._clear_owner(state)

    def _clear_owner(self, state: Checkpoint) -> str:
        """Return the session that clearly shares its words with a block.

        It has five of the block's words at least, and two in five of them; and twice as many as any other session.
        """
        said = _words(" ".join(_texts(state)))
        shared = sorted(((len(said & words), name) for name, words in self._words_of_sessions().items()), reverse=True)
        if not shared or shared[0][0] < max(_SHARED, _SHARE * len(said)):
            return ""
        is_clear = len(shared) == 1 or shared[0][0] >= 2 * shared[1][0]
        return shared[0][1] if is_clear else ""

    def _words_of_sessions(self) -> dict[str, set[str]]:
        if self._words is None:
            self._words = {}
            for record in islice(self._memory.journal.records(), _RECORDS_BACK):
                if record.session != NO_SESSION and record.origin != "hand":
                    self._words.setdefault(record.session, set()).update(_words(record.body))
        return self._words

    # ---- lines of a day ----

    def notes_for(self, day: str, sessions: tuple[str, ...]) -> str:
        """Return the notes of a day that sessions may be told: theirs, and what is meant for all."""
        text = without_blocks(self._memory.days.text(day))
        if not any(line.strip() and not line.startswith(_TITLES) for line in text.split("\n")):
            return ""
        said = self._said_on(day)
        shown: list[str] = []
        for chunk in s.chunks(s.lines_of(text)):
            if not chunk.text.strip() or chunk.text.startswith(_TITLES):
                continue
            if _CLOSING.match(chunk.text) and (is_room(sessions[0]) or self._is_shared(day, sessions)):
                continue  # they sum up the day of all sessions
            owner, kind = self._said_by(chunk.text, said)
            if _DIGEST.match(chunk.text):
                continue  # for people: a brief tells of its own session, and a start of what others left open
            if self.may_be_told(owner, kind, sessions):
                shown += [line.rstrip("\r\n") for line in chunk.lines if line.strip()]
        return "\n".join(shown)

    def _said_by(self, line: str, said: dict[str, tuple[str, str]]) -> tuple[str, str]:
        """Return (session, type) of a line of a day; the session is empty where it was written by hand."""
        key = _key(line)
        if key.startswith(_REFERENCE):
            beginning = key.partition(": ")[2].removesuffix("…")
            return next((whose for text, whose in said.items() if beginning and text.startswith(beginning)), ("", ""))
        return said.get(key) or (self.written_by(_line_mark(line)), "")

    def session_of_line(self, line: str) -> str:
        """Return the session in which a line was set that begins with its time, as those of the buffer do."""
        return self._said_by(line, self._said_on(line[:10]))[0] if _SET_LINE.match(line) else ""

    def _is_shared(self, day: str, sessions: tuple[str, ...]) -> bool:
        """Return whether other sessions have written into a day."""
        owners = {owner for owner, _ in self._said_on(day).values()}
        blocks = markdown.blocks(self._memory.days.text(day))
        owners |= {markdown.read_block(block, whole=False).session for _, block in blocks}
        return bool(owners - {"", NO_SESSION, *sessions})

    def may_be_told(self, owner: str, kind: str, sessions: tuple[str, ...]) -> bool:
        """Return whether a session, and those that it goes on from, may be told unasked what was said in another one."""
        if owner in sessions:
            return True
        if is_room(sessions[0]):
            return False
        return owner in ("", NO_SESSION) or (kind == "PREF" and is_owners_session(owner))

    def _said_on(self, day: str) -> dict[str, tuple[str, str]]:
        """Return (session, type) of each note and one-line change of a day, by what it says."""
        if day not in self._days:
            found: dict[str, tuple[str, str]] = {}
            for record in filter(None, map(self._memory.journal.read, self._memory.journal.of_day(day))):
                if record.kind == "note":
                    kind, text = markdown.read_note(record.body)
                    found[_key(text)] = record.session, kind
                elif record.kind == "state":
                    line = f"{record.time[:16].replace('T', ' ')} {buffer_line(record)}"
                    found[_key(line)] = record.session, ""
            self._days[day] = found
        return self._days[day]

    # ---- what a search has found ----

    def owner_of_hit(self, hit: Hit) -> str:
        """Return the session that a passage is from; empty where it is the owner's, or nobody's in particular."""
        memory = self._memory
        if hit.origin == "journal":
            record = memory.journal.read(hit.path.rpartition("/")[2].removesuffix(".md"))
            return _named(record.session) if record else self._owner_by_text(hit)
        if hit.origin == "state":
            return _named(markdown.stamps(memory.store.text_or_empty("memory", "session-state.md")).get("session", ""))
        if hit.origin == "topic":
            bound = [session for session, topic in memory.topics.bindings().items() if topic == _topic_of(hit)]
            return bound[0] if bound else ""
        if hit.origin == "buffer":
            return self._owner_by_text(hit)
        found = _DAY.search(hit.path) if hit.origin in ("day", "archive") else None
        return self._owner_on_day(hit, found[1]) if found else ""

    def other_owner_of(self, hit: Hit, session: str) -> str:
        """Return the session that a passage is from, where it is another one and not of the topic that this one is bound to."""
        if hit.origin == "topic" and self._memory.topics.bound_to(session) == _topic_of(hit):
            return ""
        owner = self.owner_of_hit(hit)
        return owner if owner != session else ""

    def _owner_on_day(self, hit: Hit, day: str) -> str:
        folder, _, name = hit.path.rpartition("/")
        own = self._memory.store.text_or_empty(folder, name) if name.endswith(".md") else ""
        for first, block in markdown.blocks(own or self._memory.days.text(day)):
            if first <= hit.start_line <= first + block.rstrip().count("\n"):
                read = markdown.read_block(block)
                return _named(read.session or self.owner_of_block(block_mark(block), read.state))
        return self._owner_by_text(hit, day)

    def _owner_by_text(self, hit: Hit, day: str = "") -> str:
        text = next((chunk.text for chunk in s.chunks(s.lines_of(hit.text)) if chunk.text.strip()), hit.text)
        dated = _SET_LINE.match(text)
        known = self._said_on(day or (text[:10] if dated else hit.date)) if day or dated or hit.date else {}
        return _named(self._said_by(text, known)[0])

    def is_said_in(self, hit: Hit, session: str) -> bool:
        """Return whether a passage was surely said in a session, or stands in the topic that it is bound to."""
        if hit.origin == "topic":
            return self._memory.topics.is_open_to(_topic_of(hit), session)
        return self.owner_of_hit(hit) == session

    def may_be_found_for(self, hit: Hit, sessions: tuple[str, ...]) -> bool:
        """Return whether a passage may be put into a brief: never from elsewhere in a room, nor from one session of the gateway
        into another. In the coding agents, which have one owner and one project, it may, and says where it is from.
        """
        if hit.origin == "topic" and self._memory.topics.bound_to(sessions[0]) == _topic_of(hit):
            return True
        owner = self.owner_of_hit(hit)
        if self.may_be_told(owner, hit.type, sessions):
            return owner != "" or not (is_gateway_session(sessions[0]) and hit.origin == "topic")
        return not is_gateway_session(owner) and not is_gateway_session(sessions[0]) and not is_room(sessions[0])


def _topic_of(hit: Hit) -> str:
    return hit.path.rpartition("/")[2].removeprefix("context-").removesuffix(".md")


def _named(session: str) -> str:
    return "" if session == NO_SESSION else session


def without_blocks(day: str) -> str:
    """Return a day without its snapshot blocks."""
    for _, block in markdown.blocks(day):
        day = day.replace(block, "", 1)
    return day


def _key(text: str) -> str:
    """Return what a line says without its time and its type, which upkeep may have put there since."""
    return fold(_HEAD.sub("", text, count=1))


def _texts(state: Checkpoint) -> list[str]:
    found: list[str] = []
    for value in state.__dict__.values():
        if isinstance(value, str):
            found.append(value)
        else:
            found += [part if isinstance(part, str) else " ".join(map(str, part)) for part in value]
    return found


def _words(text: str) -> set[str]:
    low = text.casefold()
    words = {word for word in _WORD.findall(low) if len(word) >= _LONG and not _WIDE.match(word)} - _COMMON
    wide = {run[i : i + 2] for run in _WIDE.findall(low) for i in range(len(run) - 1)}
    return words | wide
