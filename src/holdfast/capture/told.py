"""What the transcript of a session has told before, as the journal has it.

A cursor says so too, but it may be lost, or be of a version that did not keep it; and what was learnt then is worded otherwise by
the code of today. A field that is not what was told last looks like somebody's: the error of an hour ago would stand as the last
one for ever.
"""

from __future__ import annotations

from itertools import islice

from ..documents import markdown
from ..model import REPLACED, TEXTS, Checkpoint
from .claims import RECORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..memory import Memory
    from ..model import Record

_SET = frozenset(("blocked", "blockers", "questions", "next_steps", "context"))  # what no transcript tells


class Told:
    """Which sessions the journal knows, and the newest record of each that came from its transcript.

    The journal is gone through once, from its newest record, and only as far as somebody asks.
    """

    def __init__(self, memory: Memory) -> None:
        self._records = memory.journal.records()
        self._found: dict[str, Record | None] = {}  # None: only others have spoken, so far

    def record(self, session: str) -> Record | None:
        """The newest record of a session that came from its transcript."""
        while not self._found.get(session) and (record := next(self._records, None)):
            if not self._found.get(record.session):
                self._found[record.session] = record if _is_of_a_transcript(record) else None
        return self._found.get(session)

    def knows(self, session: str) -> bool:
        """Whether the journal has anything of a session."""
        return self.record(session) is not None or session in self._found

    def has_come(self, session: str) -> None:
        """A session that came in just now."""
        self._found.setdefault(session, None)


def as_told(memory: Memory, session: str, draft: Checkpoint) -> Checkpoint:
    """The draft in the words in which the newest records have told it, each field by the last one in which it was not others'.

    In a list it is each item that is theirs or the transcript's, so that there what is drafted now counts as told as well.
    """
    journal = memory.journal
    told: dict[str, Any] = {}
    for record in filter(None, map(journal.read, islice(journal.newest_first(), RECORDS))):
        if record.session == session and _is_of_a_transcript(record):
            block = markdown.read_block(markdown.block_in(record.body))
            others = {name.partition(" ")[0] for name in block.source.partition(": ")[2].split(", ")}
            for name in set(block.state._fields).difference(others, _SET, told):
                told[name] = getattr(block.state, name)
    for name, value in told.items():
        if name not in (*TEXTS, *REPLACED):
            told[name] = (*getattr(draft, name), *value)  # of a file that is in both, the last counts
    return draft.replaced(**told)


def _is_of_a_transcript(record: Record) -> bool:
    return record.origin == "transcript" and record.kind == "checkpoint"
