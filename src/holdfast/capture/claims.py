"""Records that were saved for no session in particular, claimed by the one in which they were.

Over MCP nobody tells us the session, and not every host tells it to a command. But the transcript shows what the agent called and
what we answered, with the record's id: whoever reads it knows whose the record is. So what an agent has checkpointed is in the
next brief of its session, and in no other's. Of a tool what it was *given* is claimed, which the call shows: the record has all
that the shared state had besides. What the session itself, or a person, has set since stands.
"""

from __future__ import annotations

import re
from itertools import islice

from ..documents.markdown import read_change
from ..model import ADDED, NO_SESSION, REPLACED, STATE_KINDS, TEXTS, Checkpoint, is_none
from ..storage.journal import ID
from ..transcripts.shell import steps_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..memory import Memory
    from ..model import Record
    from ..transcripts import Event

_ID = r"\d{8}-\d{6}-\d{6}-[0-9a-z]{8}\b"
# Our answers: of a tool as data or in words, of a command. What we show of memory has ids too, and acknowledges nothing.
_SAVED = rf'(?m)\A\s*\{{"id": ?"({_ID})|^saved  ({_ID})'
_SNAPSHOT = "BIG-MEMORY-SNAPSHOT"
_VERBS = ("task", "decide", "context", "pending", "done", "blocker")
_MOST, _OPEN = 50, 20
RECORDS = 200  # of the newest, that are looked through for what was set, and when


def _blocks_written(event: Event) -> list[str]:
    """Return the marks of the snapshot blocks that a call writes into a file, the last of each text: those above it may have
    been there before.
    """
    from ..briefing.attribution import block_mark
    from ..documents.markdown import blocks

    texts = [after for _, before, after in event.edits if _SNAPSHOT not in before] + [event.command]
    found = [blocks(text)[-1:] for text in texts if _SNAPSHOT in text]
    return [block_mark(block) for last in found for _, block in last]


class Claims:
    """What our answers to an agent have acknowledged, as far as no record of its session has taken it up."""

    def __init__(self, kept: Any = None, *, nobodys: bool = False) -> None:
        kept = kept if isinstance(kept, dict) else {}
        self._nobodys = nobodys  # the session is the shared one itself, and has nothing to claim
        open_calls, made = kept.get("open"), kept.get("made")
        self._open: dict[str, dict[str, Any]] = open_calls if isinstance(open_calls, dict) else {}  # call → what it was given
        self.made = [one for one in made if _is_claim(one)] if isinstance(made, list) else []  # [record's id, what was given]
        self.blocks: list[str] = []  # marks of the snapshot blocks that the agent has written by hand

    def as_data(self, *, taken_up: bool) -> dict[str, Any]:
        """What is to be kept; what the session's record has taken up is not."""
        return {"open": dict(list(self._open.items())[-_OPEN:]), "made": [] if taken_up else self.made}

    def look(self, event: Event) -> None:
        """See an event go by."""
        if self._nobodys or event.by or not event.call:
            return
        if event.kind == "call" and (_SNAPSHOT in event.command or any(_SNAPSHOT in after for _, _, after in event.edits)):
            self.blocks += _blocks_written(event)
        if event.kind == "call" and (event.given is not None or _is_ours(event.command)):
            self._open[event.call] = _texts(event.given or {})
        elif event.kind == "result" and event.call in self._open:
            given = self._open.pop(event.call)
            found = re.findall(_SAVED, event.text[:4000]) if not event.failed else []
            self.made = [*self.made, *([one or other, given] for one, other in found)][-_MOST:]


def _is_claim(kept: Any) -> bool:
    return isinstance(kept, list) and len(kept) == 2 and bool(ID.match(str(kept[0]))) and isinstance(kept[1], dict)


def _is_ours(command: str) -> bool:
    """Whether a command saves something by us: a step of it is `holdfast decide …`, whatever the path of the program."""
    if "holdfast" not in command:
        return False
    words = (step.split() for step in steps_of(command))
    return any(len(step) > 1 and step[0].rpartition("/")[2] == "holdfast" and set(step[1:4]) & set(_VERBS) for step in words)


def _texts(given: dict[str, Any]) -> dict[str, Any]:
    """What a tool was given of the working state, as far as it is text; “none” says nothing that would have to be claimed."""
    found: dict[str, Any] = {}
    for name in (*TEXTS, *REPLACED, *ADDED, "topic"):
        value = given.get(name)
        texts = [value] if isinstance(value, str) else value if isinstance(value, list) else []
        kept = [text for text in texts if isinstance(text, str) and text.strip() and not is_none(text)]
        if kept:
            found[name] = kept[0] if name in (*TEXTS, "topic") else kept
    return found


def claimed(
    memory: Memory, session: str, claims: Claims, known: Checkpoint, last: Checkpoint
) -> tuple[Checkpoint, dict[str, Record]]:
    """A state with what was claimed, and the record behind each field that it has set. `last`: as the transcript told it."""
    state, by = known, dict[str, "Record"]()
    own = _set_by(memory, session) if claims.made else {}
    for record_id, given in claims.made:
        record = memory.journal.read(record_id)
        if record is None or record.session != NO_SESSION or record.origin == "transcript" or record.kind not in STATE_KINDS:
            continue
        change = read_change(record.body) if record.kind == "state" else {k: v for k, v in given.items() if k != "topic"}
        for name, value in change.items():
            theirs = getattr(known, name)
            by_hand = name in (*TEXTS, *REPLACED) and theirs and theirs != getattr(last, name) and name not in own
            if value and own.get(name, "") < record.id and not by_hand:
                state, by[name] = state.after({name: value}), record
    return state, by


def topic_of(claims: Claims) -> str:
    """The topic that a claimed record was saved with by name; empty where none was."""
    return next((str(given["topic"]) for _, given in reversed(claims.made) if given.get("topic")), "")


def _set_by(memory: Memory, session: str) -> dict[str, str]:
    """Field → the newest record of a session by which an agent or a person has set it."""
    found: dict[str, str] = {}
    journal = memory.journal
    for record in filter(None, map(journal.read, islice(journal.newest_first(), RECORDS))):
        if record.session == session and record.origin != "transcript" and record.kind in STATE_KINDS:
            for name in read_change(record.body) if record.kind == "state" else Checkpoint._fields:
                found.setdefault(name, record.id)
    return found
