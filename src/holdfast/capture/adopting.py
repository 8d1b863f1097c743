"""Snapshot blocks that an agent, a host's flush turn or a person wrote into a day by hand, adopted into the journal.

A block without our mark (`<!-- holdfast: ID -->`) is in its day and nowhere else: a torn file would lose it. So it is kept as a
record too, and the person's bytes stay as they are. The record's id is made of the block's own time and text: the same block is
adopted once, one that was altered is adopted as it is then, and one that is deleted stays deleted from its day.
A block that is not closed yet may still be being written, and waits. Nothing is bound by it, and no document changes.
One that names no session is kept for the session that the host names for it (attribution.py), else for none.
"""

from __future__ import annotations

import re
import time

from ..briefing.attribution import block_mark
from ..briefing.recovery import days
from ..documents import by_hand, markdown
from ..guard.entering import clean
from ..model import session_key
from ..storage.writing import Past
from ..util import make_past_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..memory import Memory

_MARK = re.compile(r"^<!--[ \t]*holdfast:", re.M)
_CLOSED = re.compile(r"<!--[ \t]*/[ \t]*BIG-MEMORY-SNAPSHOT\b.*-->\s*\Z")
_LATELY = 2  # days whose files are looked at when nobody asks for all of them


def waiting(memory: Memory, *, every: bool = False) -> Iterator[tuple[str, str, str]]:
    """(day, block, the time that it tells) of what was written by hand and is not adopted yet; of the last days, or every one."""
    today = time.strftime("%Y-%m-%d", time.localtime(memory.clock()))
    there = [day for day in days(memory) if day <= today]
    for day in there if every else there[-_LATELY:]:
        text = memory.days.text(day)
        if "BIG-MEMORY-SNAPSHOT" not in text:
            continue
        adopted = {record_id[23:] for record_id in memory.journal.of_day(day)}
        for first, block in markdown.blocks(text):
            mark = make_past_id(0.0, markdown.block_key(block))[23:]
            if not _MARK.search(block) and _CLOSED.search(block) and mark not in adopted:
                yield day, block, by_hand.moment_of(text, first, markdown.read_block(block, whole=False).timestamp, day)


def adopt(memory: Memory, *, every: bool = False, owner: str = "") -> int:
    """Adopt what is waiting; returns how many blocks that were.

    Owner: the session that the host names for blocks without one, because it has just flushed or compacted that session. What
    clearly speaks of another session stays out of it.
    """
    return sum(not _adopted(memory, *found, owner) for found in list(waiting(memory, every=every)))


def _adopted(memory: Memory, day: str, block: str, told: str, owner: str) -> bool:
    """Adopt one block; returns whether somebody else had done so already."""
    below = clean({"text": block.replace("\r\n", "\n").partition("\n")[2].rstrip()})[0]["text"]

    def body(record_id: str) -> str:
        """The block as the journal has it: under the marker that we know it by, with its record."""
        return f"{markdown.OPENING}\n<!-- holdfast: {record_id} -->\n{below}\n"

    read, mark = markdown.read_block(block), block_mark(block)
    if owner and not read.session and memory.attribution.owner_of_block(mark, read.state) in ("", owner):
        memory.attribution.attribute([mark], owner)
    session = session_key(read.session or memory.attribution.owner_known_of(mark))
    return memory.adopt(session, body, _past(memory, day, block, told)).known


def _past(memory: Memory, day: str, block: str, told: str) -> Past:
    """When the block says it was written, as far as its day allows, else the end of its day; one microsecond after its elder of
    the same second.
    """
    stamp = min(max(told, f"{day}T00:00:00"), f"{day}T23:59:59") if told else f"{day}T23:59:59"
    try:
        moment = time.mktime(time.strptime(stamp, "%Y-%m-%dT%H:%M:%S"))
    except (ValueError, OverflowError):
        moment = memory.clock()
    second = stamp.replace("-", "").replace(":", "").replace("T", "-")
    elder = [int(record_id[16:22]) for record_id in memory.journal.of_day(day) if record_id.startswith(second)]
    return Past(moment + (max(elder, default=-1) + 1) / 1e6, markdown.block_key(block))
