"""The small duties of upkeep: the buffer is rotated, days that are over are closed, passing notes expire. Pure."""

from __future__ import annotations

import re

from ..documents import sections as s
from ..documents.days import (
    close_day,
    day_of,
    days_before,
    entries,
    is_closed,
    is_correction,
    set_in,
    without,
)
from ..documents.markdown import blocks, day_with, read_block
from ..documents.statements import statements_of
from ..model import fold
from .deciding import is_decision
from .homes import meaning
from .plan import Change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..config import Config
    from .plan import View

BUFFER = "memory/working-buffer.md"
IDLE_DAYS = 7
RECEIPTS = 1 << 20  # bytes of receipts before they begin a new file
_POINTS, _CARRIED = 5, 70  # open points that an earlier day hands on, and their characters: they fit on the line
_HEADING = "## Working Buffer -- rotated"
_HEAD = ("# ", "created:", "last_active:")
_DATED = re.compile(r"(?:[-*+][ \t]+)?(?:\[[ xX]\][ \t]+)?\[?(\d{4}-\d\d-\d\d)\b")


def buffer_lines(text: str) -> tuple[list[str], list[str]]:
    """The buffer's head, and the lines below it from the first that says something."""
    lines = s.lines_of(text)
    at = 0
    while at < len(lines) and (not lines[at].strip() or s.bare(lines[at]).startswith(_HEAD)):
        at += 1
    return lines[:at], lines[at:]


def idle_since(view: View) -> str:
    """The day on which the buffer was last touched, where that is more than a week ago and something is in it."""
    last = _last_touched(view)
    is_filled = buffer_lines(view.text(BUFFER) or "")[1]
    return last if is_filled and last and last < days_before(view.there.today, IDLE_DAYS) else ""


def _last_touched(view: View) -> str:
    """The newest day that the buffer names: its `last_active:`, and the lines that begin with a date. Where it has no
    `last_active:` and ends with a line without a date, the day on which its file was saved counts too.
    """
    head, body = buffer_lines(view.text(BUFFER) or "")
    active = [line.partition(":")[2].strip()[:10] for line in head if line.startswith("last_active:")]
    active = [day for day in active if day_of(day)]
    lines = [line for line in body if line.strip()]
    dated = [found[1] if (found := _DATED.match(line)) else "" for line in lines]
    saved = [view.there.buffer_saved] if not active and not (dated and day_of(dated[-1])) else []
    return max((day for day in (*active, *dated, *saved) if day_of(day) and day <= view.there.today), default="")


def _due(view: View, config: Config) -> str:
    """Why the buffer is to be rotated; empty where it is not."""
    text = view.text(BUFFER) or ""
    if text.count("\n") > config.bufferLines and buffer_lines(text)[1]:
        return f"has {text.count(chr(10))} lines, more than {config.bufferLines}"
    return f"lies idle since {since}" if (since := idle_since(view)) else ""


def deferred(view: View, config: Config) -> str:
    """Why the buffer stays as it is although it is due; empty where it does not wait."""
    why = _due(view, config)
    task = view.there.under_way
    return f"rotate: the buffer {why}; it is left alone while “{task}” is under way" if why and task else ""


def rotate(view: View, config: Config) -> Iterator[Change]:
    """The buffer into the day, beyond its lines or after a week in which nobody touched it; not in the midst of a task."""
    text = view.text(BUFFER) or ""
    head, body = buffer_lines(text)
    why = _due(view, config)
    path = f"{view.there.days}/{view.there.today}.md"
    if not why or view.there.under_way or not view.is_whole(path):
        return
    day = view.text(path) or ""
    moved = "".join(line.replace("\r\n", "\n") for line in _lacking(day, body))
    clock = view.there.now[11:16]
    below = f"{_HEADING} {clock}\n\n{s.closed(moved)}"
    after = {path: day_with(day, view.there.today, below)} if moved.strip() else {}
    emptied = "".join(head) or f"# Working Buffer{s.line_end(text)}"
    edits = {**after, BUFFER: emptied}
    yield view.change("rotate", f"the buffer {why}; its lines go into the day", edits, [path])


def _lacking(day: str, body: list[str]) -> list[str]:
    """The lines of the buffer that the day has not got yet: a crash may have come after the day and before the buffer."""
    known = s.lines_of(day.replace("\r\n", "\n"))
    at = max((i for i, line in enumerate(known) if line.startswith(_HEADING)), default=-1)
    if at < 0:
        return body
    rotated = [s.unended(line) for line in known[at + 1 :] if line.strip()]
    wanted = [line for line in body if line.strip()]
    same = 0
    while same < min(len(rotated), len(wanted)) and rotated[same] == s.unended(wanted[same]):
        same += 1
    return wanted[same:] if same == len(rotated) else body


def set_by_commands(view: View) -> list[tuple[str, str, str]]:
    """(day, verb, what) of what one-line commands have set: in the buffer, and in the days that it was rotated into."""
    return [one for path in (*(path for _, path in view.days()), BUFFER) for one in set_in(view.text(path) or "")]


def close(view: View, config: Config) -> Iterator[Change]:
    """The closure block of every day that is over and has none. Days on their way to the archive go as they are."""
    oldest = days_before(view.there.today, config.archiveDays)
    due = [path for day, path, text in _over(view) if day >= oldest and text.strip() and not is_closed(text)]
    was_set = set_by_commands(view) if due else []
    elsewhere = open_elsewhere(view) if due else set()
    before: set[str] = set()
    still_open: list[str] = []
    for day, path, text in _over(view) if due else ():
        if path in due:
            on_it = [(verb, what) for when, verb, what in was_set if when == day]
            reason = f"{day} is over and has no closure block"
            said = before | {what for when, verb, what in was_set if when < day and verb == "decide"} | _no_decisions(text)
            yield view.change("close", reason, {path: close_day(text, day, on_it, said, still_open)}, [BUFFER] if on_it else [])
        if path == due[-1]:
            return
        left = statements_of(view.text(path) or "").open
        if left is not None:
            still_open = [fold(one, _CARRIED) for one in left if meaning(one) not in elsewhere][:_POINTS]
        for _, block in blocks(text):
            state = read_block(block).state
            before.update(state.decisions, state.corrections)


def open_elsewhere(view: View) -> set[str]:
    """Meanings of the open points that blocks and commands say: there it also stands when they are done."""
    texts = [said for _, verb, said in set_by_commands(view) if verb in ("pending", "done")]
    for _, path in view.days():
        for _, block in blocks(view.text(path) or ""):
            state = read_block(block).state
            texts += [*state.unanswered, *state.questions, *(action for action, _ in state.pending)]
    return {meaning(fold(text)) for text in texts} | {meaning(fold(text, 120).rstrip("…")) for text in texts}


def _no_decisions(text: str) -> set[str]:
    """What stands among the decisions of a day's blocks and decides nothing."""
    told = {said for _, block in blocks(text) for said in read_block(block).state.decisions}
    return {said for said in told if not is_decision(said) and not is_correction(said)}


def expire(view: View, _config: Config) -> Iterator[Change]:
    """TEMP notes of days that are over, out of the day; the day as it was is in the trash."""
    for day, path, text in _over(view):
        gone = [entry for entry in entries(text) if entry.type == "TEMP"] if "[TEMP]" in text else []
        if gone:
            what = fold("; ".join(entry.text for entry in gone), 100)
            yield view.change("expire", f"passing notes of {day}, which is over: {what}", {path: without(text, gone, {})})


def _over(view: View) -> Iterator[tuple[str, str, str]]:
    """(day, path, text) of every day that is over and not archived."""
    for day, path in view.days():
        if day < view.there.today:
            yield day, path, view.text(path) or ""


def pack(view: View, _config: Config) -> Iterator[Change]:
    """The days of the journal that have been closed for a week, each into one file; and the receipts, when they are many."""
    oldest = days_before(view.there.today, IDLE_DAYS)
    months: dict[str, list[str]] = {}  # a month at a time, so that nobody waits long for the lock
    for day in view.there.journal:
        if day < oldest:
            months.setdefault(day[:7], []).append(day)
    for month, days in months.items():
        yield Change("pack", f"{len(days)} closed days of the journal in {month}, each into one file", (), packs=tuple(days))
    if view.there.receipts > RECEIPTS:
        yield Change("receipts", f"{view.there.receipts >> 10} KB of receipts; they begin a new file", (), receipts=True)


def outlived(view: View, config: Config) -> Iterator[Change]:
    """What has been in the trash for longer than it is kept there."""
    oldest = days_before(view.there.today, config.trashDays)
    gone = tuple(thing for thing, day in view.there.trash if day < oldest)
    if gone:
        yield Change("trash", f"{len(gone)} in the trash for more than {config.trashDays} days, let go for good", (), let_go=gone)
