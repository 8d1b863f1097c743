"""Transcripts: the host's own record of a session → events, in one shape for all hosts. We only ever read.

Each host has one module with a `Reader` whose `events(entry) -> list[Event] | None` takes one decoded entry (a line, a row)
apart; None means that its type is not known. A `Transcript` puts the reader on a file or a database. What is understood is a
whitelist; everything else gives no event and is counted. None of it raises: a transcript is somebody else's file, it is being
written while we read, and half of it is better than nothing. What could not be read is counted, and said in one sentence each.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType
    from typing import Any, Protocol

    class Reader(Protocol):
        """Takes entries apart, in order. `state` is what it must remember between two readings, as plain JSON."""

        state: dict[str, Any]

        def events(self, entry: dict[str, Any]) -> list[Event] | None:
            """The events of one entry; None where its type is not known."""

    class Source(Protocol):
        """Where the entries are: a file of lines, a database."""

        position: Any

        def events(self, start: Any) -> Iterator[Event]:
            """Events from a position on."""

        def from_end(self, limit: int, head: int) -> Iterator[Entry]:
            """Raw entries, newest first."""

        def entry(self, number: int) -> Entry | None:
            """One raw entry, whole."""

        def close(self) -> None:
            """Give back what is open."""


HOSTS = ("claude-code", "codex", "gemini", "opencode", "openclaw", "pi")


class Event:
    """One thing in a transcript.

    kind is one of: user (a person's words), agent (what it said), call (a tool it called), result (what came back),
    compaction, summary (what the host put in the place of what it dropped), reset; interruption (the user has stopped it), unsaid
    (words that the user took back before they were sent), rewound (the user has gone back to before a moment, `instead`, and has
    said nothing yet), woken (the host lets it go on, without a word of the user), forked (all before it was another's), gone
    (files that the agent had changed are not there); begun (a call goes on in the background, by the name that it has there),
    ended (it was stopped there: how it went is not known); arranged (the agent will be told something later, by the name that it
    has until then: `purpose` says when, and where it says nothing nothing will come); aim (the host lets the agent stop only when
    this holds; `purpose` says what it still lacks, and without a text there is none any more).
    """

    __slots__ = (
        "agent",
        "asks",
        "branch",
        "by",
        "call",
        "command",
        "edits",
        "failed",
        "given",
        "handed",
        "instead",
        "kind",
        "later",
        "moves",
        "ours",
        "purpose",
        "reads",
        "refusal",
        "reply",
        "task",
        "text",
        "time",
        "todos",
        "tool",
    )

    def __init__(
        self,
        kind: str,
        text: str = "",
        *,
        time: str = "",
        call: str = "",
        tool: str = "",
        command: str = "",
        edits: tuple[tuple[str, str, str], ...] = (),
        moves: tuple[tuple[str, str], ...] = (),
        reads: tuple[str, ...] = (),
        todos: tuple[tuple[str, str], ...] | None = None,
        task: tuple[str, str, str] | None = None,
        failed: bool = False,
        refusal: bool = False,
        reply: bool = False,
        branch: str = "",
        asks: str = "",
        handed: str = "",
        purpose: str = "",
        instead: str = "",
    ) -> None:
        self.kind, self.text, self.time, self.call, self.tool = kind, text, time, call, tool
        self.command, self.edits, self.reads = command, edits, reads  # edits: (path, before, after)
        self.moves = moves  # (path, new path, or nothing where the file is deleted)
        self.todos = todos  # (text, status), the whole list, where this call sets it
        self.task = task  # (id or "" for a new one, subject, status)
        self.failed, self.refusal, self.branch = failed, refusal, branch
        self.reply = reply  # the answer to a question that a tool of the host put, in the form “question → answer”
        self.asks = asks  # the questions that this call puts to the user, or that a reply leaves open, word for word
        self.handed = handed  # what this call hands to another agent, and to which
        self.given: dict[str, Any] | None = None  # all that a tool of ours was given, to save it
        self.later: tuple[str, bool] | None = None  # the prompt that this call arranges to come later, and whether only once
        self.ours = False  # a call of a tool of ours, or a result in which its answer stands: none of it is news
        self.agent = ""  # the other agent whose work has come back here
        self.by = ""  # the other agent that has done it, where it was not this one
        self.purpose = purpose  # what this call is for, by the title that it was given
        self.instead = instead  # the time of the words that these stand instead of: the user has gone back to before them

    def __repr__(self) -> str:
        return f"Event({self.kind!r}, {self.text[:60]!r})"


class Entry:
    """A raw entry, as the host wrote it: where it is, its text as far as it was asked for, and its length in bytes."""

    __slots__ = ("cut", "id", "length", "text")

    def __init__(self, number: int, text: str, length: int, cut: bool) -> None:
        self.id, self.text, self.length, self.cut = str(number), text, length, cut

    def __repr__(self) -> str:
        return f"Entry({self.id}, {self.text[:60]!r}, {self.length})"


class Tally:
    """What a reading came to: how much was understood, and what was not and why."""

    __slots__ = ("damaged", "understood", "unknown", "unreadable", "why")

    def __init__(self) -> None:
        self.understood = self.damaged = self.unreadable = 0
        self.unknown: dict[str, int] = {}  # type → entries of it
        self.why: dict[str, int] = {}  # one sentence → how often

    def note(self, reason: str) -> None:
        """Remember why something was not read."""
        self.why[reason] = self.why.get(reason, 0) + 1

    def torn(self, reason: str) -> None:
        """An entry, or a part of one, that is lost."""
        self.damaged += 1
        self.note(reason)

    def closed(self, reason: str) -> None:
        """Something that is there, whole perhaps, and cannot be read by us."""
        self.unreadable += 1
        self.note(reason)

    def took(self, entry: dict[str, Any], found: list[Event] | None) -> list[Event]:
        """Count an entry by what the reader made of it."""
        if found is None:
            kind = entry.get("type")
            name = kind[:60] if isinstance(kind, str) else "(none)"
            if name in self.unknown or len(self.unknown) < 100:
                self.unknown[name] = self.unknown.get(name, 0) + 1
            return []
        self.understood += 1
        return found


class Transcript:
    """One session, opened from a file, or from a database with the session's key; or as its host hands it over.

    The host is recognised by the content where it is not named. Opening never fails: what is missing or foreign gives no
    events and a reason. `position` is plain JSON and always stands between two entries.
    """

    def __init__(self, path: str, *, host: str = "", session: str = "", messages: list[Any] | None = None) -> None:
        self.path, self.tally = path, Tally()
        self._source: Source
        if messages is not None:
            from .given import Messages

            self.host, self.session, self._source = host, session, Messages(messages, self.tally)
            return
        from .files import opened

        self.host, self.session, self._source = opened(path, host, session, self.tally)

    def events(self, start: Any = None) -> Iterator[Event]:
        """The events from a position on, in the order in which they were written. None: from the beginning."""
        return self._source.events(start)

    @property
    def position(self) -> Any:
        """Where the reading stands: give it to `events` next time. A byte offset, or for a database a row."""
        return self._source.position

    def entries_from_end(self, limit: int, head: int) -> Iterator[Entry]:
        """Raw entries of every type, newest first, each with its first `head` characters. Memory stays bounded."""
        return self._source.from_end(limit, head)

    def entry(self, number: str) -> Entry | None:
        """One raw entry by its id, whole up to 8 MB; None where there is none."""
        return self._source.entry(int(number)) if number.isascii() and number.isdecimal() and len(number) < 19 else None

    @property
    def understood(self) -> int:
        """Entries whose type is known, whether or not they say anything."""
        return self.tally.understood

    @property
    def unknown(self) -> dict[str, int]:
        """Entries whose type is not known, by type."""
        return self.tally.unknown

    @property
    def damaged(self) -> int:
        """Entries that are lost, wholly or in part."""
        return self.tally.damaged

    @property
    def unreadable(self) -> int:
        """Things that are there and that we cannot read."""
        return self.tally.unreadable

    @property
    def reasons(self) -> list[str]:
        """Why something was not read, one sentence each."""
        return [f"{reason} ({count} times)" if count > 1 else reason for reason, count in self.tally.why.items()]

    def close(self) -> None:
        """Give back what is open."""
        self._source.close()

    def __enter__(self) -> Transcript:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
