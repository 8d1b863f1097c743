"""What is known at the moment of need: the layers of recovery, gathered for the brief.

Layer 1 is the newest checkpoint of the session and what came after it, MEMORY.md, today, yesterday and the buffer. The
journal and the documents are each other's second copy: where the journal has no checkpoint (a block written by hand, a
journal that was lost), the newest block of the newest days serves; where a document is torn, the journal does.
"""

from __future__ import annotations

import re
import time

from . import markdown
from .brief import Known
from .model import Checkpoint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .memory import Memory

_DAYS_BACK = 30  # how many day files are looked through for a block when the journal has none
_BUFFER_LINES = 80
_DAY_FILE = re.compile(r"\d{4}-\d\d-\d\d\.md$")


def known(memory: Memory, session: str, back: int = 0) -> Known:
    """Everything that the brief is made of."""
    block = newest_block(memory, session, back)
    state = memory.state(session) if not back else block.state if block else Checkpoint()
    if block and state.empty:
        state = block.state
    now = memory.clock()
    topic = memory.bound_topic(session) or (block.topic if block else "")
    return Known(
        state,
        block.timestamp if block else "",
        block.record if block else "",
        session,
        bool(block and block.session in ("", session) and _is_recent(block.timestamp, now, memory.config.recentMinutes)),
        topic,
        memory.topic_text(topic) if topic else "",
        _notes(memory, now),
    )


def newest_block(memory: Memory, session: str, back: int) -> markdown.Block | None:
    """The newest checkpoint of the session, of any session where it has none, or the newest block in the days."""
    record = memory.latest(session, back) or memory.latest("", back)
    if record is None:
        return _block_in_days(memory, back)
    block = markdown.read_block(markdown.block_in(record.body))
    if not back and any(damaged > record.id for damaged in memory.journal.damaged):
        block = _second_copy(memory, session, record.id) or block
    written = _block_in_days(memory, 0, by_hand=True) if not back else None
    return written if written and written.timestamp > block.timestamp else block


def _second_copy(memory: Memory, session: str, than: str) -> markdown.Block | None:
    """The newest block in the days whose record is damaged in the journal, of this session and newer than another record."""
    for damaged in sorted(memory.journal.damaged, reverse=True):
        day = f"{damaged[:4]}-{damaged[4:6]}-{damaged[6:8]}"
        for _, text in markdown.blocks(memory.day_text(day)) if damaged > than else ():
            block = markdown.read_block(text)
            if block.record == damaged and session in ("", block.session):
                return block
    return None


def _block_in_days(memory: Memory, back: int, *, by_hand: bool = False) -> markdown.Block | None:
    """The newest snapshot block in the day files, by its timestamp; of those that an agent wrote by hand, where wanted."""
    found: list[markdown.Block] = []
    try:
        names = [name for name in memory.store.days(make=False).names() if _DAY_FILE.match(name)]
    except OSError:
        return None
    for name in reversed(names[-1:] if by_hand else names[-_DAYS_BACK:]):
        texts = [text for _, text in markdown.blocks(memory.day_text(name[:-3]))]
        found += [markdown.read_block(text) for text in texts if not (by_hand and "\n<!-- holdfast: " in text)]
        if len(found) > back:
            break
    found.sort(key=lambda block: block.timestamp, reverse=True)
    return found[back] if len(found) > back else None


def _is_recent(timestamp: str, now: float, minutes: int) -> bool:
    return timestamp >= time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(now - 60 * minutes))


def _notes(memory: Memory, now: float) -> tuple[tuple[str, str], ...]:
    """MEMORY.md, today, yesterday and the buffer; the snapshots in the days are left out, the newest being there already."""
    days = [time.strftime("%Y-%m-%d", time.localtime(now - ago)) for ago in (0, 86400)]
    return (
        ("MEMORY.md", memory.store.text_or_empty("", "MEMORY.md")),
        (f"Notes of today, {days[0]}", notes_of(memory.day_text(days[0]))),
        (f"Notes of yesterday, {days[1]}", notes_of(memory.day_text(days[1]))),
        ("Working buffer", _lines_of_buffer(memory.store.text_or_empty("memory", "working-buffer.md"))),
    )


def notes_of(day: str) -> str:
    """A day without its title and its snapshot blocks."""
    for _, block in markdown.blocks(day):
        day = day.replace(block, "", 1)
    lines = [line for line in day.split("\n") if line.strip() and not line.startswith(("# ", "---", "## Task Snapshot"))]
    return "\n".join(lines)


def _lines_of_buffer(text: str) -> str:
    """The newest lines of the buffer, as many as it should have at most."""
    lines = [line for line in text.split("\n") if line.strip() and not line.startswith(("# ", "created:", "last_active:"))]
    return "\n".join(lines[-_BUFFER_LINES:])
