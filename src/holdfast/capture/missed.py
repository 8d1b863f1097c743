"""What no hook has told: sessions that are on this machine, brought in from their transcripts.

Hooks are missed: the host was killed, the hook was not trusted, Holdfast was not there yet. The transcript was written all the
same. It is found by the session's key, or by the folder that the session was had in, and what it has more than the journal is
saved as a checkpoint.

Rule 1: what is brought in is dated by its last event, its id included. So it lands in its own day, and the newest is still the
        newest: nothing from the past takes the place of what is being done now (docs/decisions/0006-importing.md).
Rule 2: the id is made of that moment and the session's name, and is looked for under the lock. So the same thing comes in once,
        whether the import before was killed, the cursor was lost, or two run side by side.
Rule 3: where nothing is new, nothing is parsed: a cursor that stands at the end of the file says so.
"""

from __future__ import annotations

from ..guard.entering import clean
from ..model import LEFT, TURN_END, Checkpoint
from ..storage.writing import Past
from ..transcripts.heads import seconds
from .following import Following, moment_of
from .session_digest import write_digest
from .told import Told
from .whereabouts import Belonging, name_of, newest_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..memory import Memory
    from ..storage.writing import Saved
    from ..transcripts.find import Found

KNOWN, TRIVIAL, EMPTY = "known already", "trivial", "without a word that could be read"


# ---- bringing it in ----------------------------------------------------------------------------------------------------


def bring_in(memory: Memory, found: Found, trigger: str, told: Told | None = None, *, settle: bool = True) -> Saved | str:
    """Save what a transcript has more than the journal; or why there is nothing to save.

    `settle`: the session has come to an end, so its day tells of it. Without it, what hooks have saved stays as it is, and
    what is new of a session that they follow is saved as the end of a turn is: a hook that is still to come was not missed.
    """
    unread = _following(memory, found, told)
    owed = settle and unread.owes_block
    if unread.at_its_end() and not owed:
        return KNOWN
    new = unread.read_on() or owed
    if not unread.capture.count:
        return EMPTY
    if not new or unread.trivial or (unread.says_the_same and not owed):
        unread.keep()  # so that it is not read again and again
        return TRIVIAL if new and unread.trivial else KNOWN
    moment = _last(unread, found.modified)
    mark = f"{unread.session}\0{unread.ended or unread.capture.count}"
    every = told or unread.told or Told(memory)
    unknown = not unread.grown and not every.knows(unread.session)
    about = {"host": found.host, "trigger": trigger}
    if not settle and unread.was_saved and _is_newest(memory, moment):
        return memory.captured(unread, unread.session, host=found.host, trigger=TURN_END)
    if settle:
        write_digest(memory, unread, found.host, trigger, Past(moment, f"{mark}\0note"))
    saved = memory.captured(unread, unread.session, past=Past(moment, mark), unknown=unknown, **about)
    every.has_come(unread.session)
    return KNOWN if saved.known else saved


def _is_newest(memory: Memory, moment: float) -> bool:
    """Whether nothing in the journal is newer than a moment: what is saved as of now then displaces nothing."""
    from time import localtime, strftime

    return next(memory.journal.newest_first(), "")[:15] <= strftime("%Y%m%d-%H%M%S", localtime(moment))


def left_at(unread: Following) -> Past:
    """When a session was at work last. That its window is closed says nothing new, and must not put it before what was done in
    another one since. Only where somebody else writes here in that instant it is saved as of now: better so than not at all.
    """
    moment = _last(unread, unread.memory.clock())
    return Past(moment, f"{unread.session}\0{moment}\0left", can_wait=False)


def _last(unread: Following, otherwise: float) -> float:
    """The moment of the last thing in a session that says something."""
    told = 0.0 if unread.says_the_same else seconds(unread.ended) or otherwise
    return max(told, _after(unread)) or otherwise


def _following(memory: Memory, found: Found, told: Told | None = None) -> Following:
    return Following(memory, name_of(found), found.path, found.host, inside=found.session, told=told)


def has_more(memory: Memory, found: Found) -> bool:
    """Whether a transcript may have more than was read and saved; for a file that is a look at its size."""
    unread = _following(memory, found)
    return unread.owes_block or not unread.at_its_end()


def is_all_saved(memory: Memory, found: Found) -> bool:
    """Whether hooks have saved all that a transcript says: then what is missing is at most its block in the day."""
    return _following(memory, found).at_its_end()


def _after(unread: Following) -> float:
    """The moment before which what is new cannot have been, whatever the clock said: that of what was told before."""
    record = unread.told_before() if unread.grown else None
    return moment_of(record) + 1e-6 if record else 0.0


def as_known(memory: Memory, found: Found) -> Checkpoint | None:
    """The working state with what is new, for a memory that cannot be written to; None where nothing is."""
    unread = _following(memory, found)
    if unread.at_its_end() or not unread.read_on() or unread.trivial:
        return None
    return Checkpoint(**clean(unread.state(memory.store.told(unread.session))[0].__dict__)[0])


def read_for(memory: Memory, session: str, transcript: str, host: str, seconds_left: float) -> Checkpoint | None:
    """Return the working state of a session as far as its transcript can be read in so many seconds; nothing of it is kept."""
    import time

    memory.reading_until = time.monotonic() + seconds_left
    unread = Following(memory, session, transcript, host)
    unread.read_on()
    if unread.trivial:
        return None
    return Checkpoint(**clean(unread.state(memory.store.told(session))[0].__dict__)[0])


def previous(memory: Memory, session: str, host: str, env: Mapping[str, str], folder: str, transcript: str = "") -> Saved | str:
    """At the start of a session: bring in the one before it in this folder, where its end was not seen. Hand-written blocks too.

    Where there is nothing new it costs the list of the host's sessions, the ends of one file and a cursor. With the transcript of
    the session that starts, a host that keeps a folder's sessions together is asked for that folder's alone.
    """
    from .adopting import adopt

    adopt(memory)
    found = newest_of((host,), env, Belonging(memory.workspace, env, folder), but=session, beside=transcript)
    if not found:
        return "there is no session before it"
    return bring_in(memory, found[0], LEFT if is_all_saved(memory, found[0]) else "missed-hook")
