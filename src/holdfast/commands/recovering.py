"""`holdfast recover`: what a hook has missed is brought in from the transcript, then the brief is made.

The transcript is that of the session which was named; where none was, that of the newest session had in this folder. A workspace
that cannot be written to gives the brief all the same, and says that nothing was saved. A session that was named and of which
nothing is known is told so, and not what another one has done.
"""

from __future__ import annotations

import re

from .. import cli
from ..briefing.recovery import has_record, known, latest_elsewhere, newest_block, unowned_block
from ..briefing.threads import find_displaced, find_threads
from ..capture.adopting import adopt, waiting
from ..capture.whereabouts import Belonging, name_of, newest_of, of_session
from ..config import LEAST, own_session
from ..errors import BehindJournal, HoldfastError, NotFound, UserError
from ..model import fold, is_gateway_session, is_room, session_key
from ..transcripts import HOSTS
from ..transcripts.heads import about

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ..briefing.threads import Thread
    from ..cli import Words
    from ..memory import Memory
    from ..model import Checkpoint
    from ..transcripts.find import Found


# A block may be written by anybody: of its fields only those stand outside the frame that can be nothing but a date or a number.
_WRITTEN = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d")
_BLOCK_NAME = re.compile(r"\d{8}-\d{6}|\d{4}-\d\d-\d\d-\d{1,4}")
_PLAIN_NAME = re.compile(r"[\w.:@/+-]{1,120}")  # a session's name that can stand in a command as it is


def recovered(words: Words, env: Mapping[str, str], reading: Callable[[], Memory]) -> tuple[str, str, str]:
    """(the brief, its session, what is to be said beside it)."""
    host = words.one("host")
    if host and host not in HOSTS:
        raise UserError(f"There is no host {host}; known are {', '.join(HOSTS)}. Nothing was changed.")
    back = words.number("back", 0)
    session = cli.session_of(words, env)
    named = words.has("session") or bool(own_session(env)[0])
    memory = reading()
    try:
        if words.texts:
            session, named = _pick_by_number(memory, words, env), True
        budget = words.number("max-chars", memory.config.briefMaxChars, LEAST["briefMaxChars"])
        # Back: from what would be told without it, and so in the same session. What nobody has saved yet is no step.
        found = _transcript(memory, session if named else "", host, env)
        unsaved, said = (None, "") if back else _brought_in(memory, found, lambda: cli.opened(words, env, write=True))
    finally:
        memory.close()
    memory = cli.opened(words, env, write=False)
    try:
        beneath = name_of(found) if found else ""
        if beneath == session or (not named and not unsaved and not _is_newest(memory, session, beneath)):
            beneath = ""
        if found and beneath and not named and not _spoke_since(memory, session, about(found).began):
            session, beneath = beneath, ""
        # What few words have displaced is told all the same, unless a session was asked for by its name.
        asked = words.has("session") or words.texts or beneath or unsaved
        own = named and memory.store.has_document(session)
        left = "" if asked or own else find_displaced(find_threads(memory))
        if back and not named and newest_block(memory, left or beneath or session, back, others=False) is None:
            session, beneath, left = cli.session_of(words, env), "", ""  # none that is older in there: of all that there are
        if back and newest_block(memory, left or beneath or session, back, others=not named) is None:
            before = f"are no {back} checkpoints" if back > 1 else "is no checkpoint"
            raise NotFound(f"There {before} before the newest one. Nothing was changed. Give a smaller --back.")
        if named and not unsaved and not has_record(memory, beneath or session):
            told = _say_no_record(memory, session)
            for_all = _tell_what_is_for_all(memory, session, budget) if is_gateway_session(session) else ""
            memory.giving.remember(for_all, session)
            return told + for_all, session, said
        lost = memory.giving.owed(beneath or session)  # what a boundary has taken from it, and no brief has given back yet
        brief = memory.recover(
            session, back=back, budget=budget, beneath=beneath, unsaved=unsaved, others=not named, occasion=lost or "recall",
            left=left,
        )  # fmt: skip
        memory.giving.remember(brief, beneath or session)  # into whose context it goes is not known; that it may come back is
        return brief, beneath or session, " ".join(filter(None, (said, *memory.store.not_read())))
    finally:
        memory.close()


def _say_no_record(memory: Memory, session: str) -> str:
    """Return that nothing is known of a session, and for the owner of a project how to get the newest one that there is.

    OpenClaw's sessions are of several people: none is told the name of another.
    """
    told = f"There is no record of session {fold(session, 80)} here."
    if is_room(session):
        return f"{told} What is said in it is saved from now on.\n"
    newest = latest_elsewhere(memory, session)
    if is_gateway_session(session):
        told += " What is said in it is saved from now on."
    elif newest and _PLAIN_NAME.fullmatch(newest.session):
        saved = newest.time[:16].replace("T", " ")
        told += f" The newest session here is {newest.session}, saved {saved}: `holdfast recover --session {newest.session}`."
    block = unowned_block(memory)
    if block and _WRITTEN.match(block.timestamp):
        written = block.timestamp[:16].replace("T", " ")
        shown = next(filter(_BLOCK_NAME.fullmatch, (block.record[:15], block.snapshot_id)), block.timestamp[:10])
        told += f" There is a snapshot without a session, from {written}: `holdfast show {shown}`."
    return f"{told}\n"


def _tell_what_is_for_all(memory: Memory, session: str, budget: int) -> str:
    """Return the brief of what is set and noted for every private session; empty where nothing is, and in a room.

    OpenClaw's first prompt that asks for the past gets the same.
    """
    from ..briefing import brief

    found = known(memory, session, others=False).replaced(occasion="recall", offer="")  # the offer is made already
    return brief.make(found, budget, "")


def listed_threads(memory: Memory, words: Words, env: Mapping[str, str]) -> list[Thread]:
    """Return the threads that `holdfast sessions` lists; an agent's own session is not among those that it asks for."""
    own = words.one("session") or own_session(env)[0]
    return find_threads(memory, session_key(own) if own else "")


def _pick_by_number(memory: Memory, words: Words, env: Mapping[str, str]) -> str:
    """Return the session that a number of that list means."""
    text = words.texts[0]
    threads = listed_threads(memory, words, env)
    if words.texts[1:] or not (text.isascii() and text.isdigit()) or not 0 < int(text[:9]) <= len(threads):
        there = f"there are {len(threads)}" if threads else "there are none"
        raise NotFound(
            f"recover takes the number of a session that `holdfast sessions` lists ({there}); a session's own name goes behind "
            "--session. Nothing was changed."
        )
    return threads[int(text) - 1].session


def _transcript(memory: Memory, session: str, host: str, env: Mapping[str, str]) -> Found | None:
    """The transcript of the session, or of the newest one of this folder."""
    if session:
        return of_session(session, host, env)
    hosts = (host,) if host else HOSTS
    newest = newest_of(hosts, env, Belonging(memory.workspace, env, cli.here()))
    return newest[0] if newest else None


def _brought_in(memory: Memory, found: Found | None, opened: Callable[[], Memory]) -> tuple[Checkpoint | None, str]:
    """Save what is new, hand-written blocks too. Where that is not possible: (the state that would have been saved, why)."""
    if found:
        from ..capture import missed
    more = found is not None and not missed.is_all_saved(memory, found)
    if not more and not any(waiting(memory)):
        return None, ""
    try:
        writing = opened()
        try:
            adopt(writing)
            saved = missed.bring_in(writing, found, "missed-hook", settle=False) if found and more else ""
            if isinstance(saved, str):
                return None, ""
            return None, f"what no hook had told of this session was read from its transcript, and saved as {saved.id}"
        finally:
            writing.close()
    except BehindJournal as error:
        return None, str(error)
    except (HoldfastError, OSError) as error:
        if not (found and more):
            return None, ""  # a block that waits is read from its day all the same
        unsaved = missed.as_known(memory, found)
        why = str(error).split("\n", maxsplit=1)[0]
        return unsaved, f"the transcript was read, and nothing was saved of it: {why}" if unsaved else ""


def _is_newest(memory: Memory, *sessions: str) -> bool:
    """Whether the newest checkpoint is of one of these sessions; what was had in another and later goes before them."""
    newest = memory.latest()
    return newest is None or newest.session in sessions


def _spoke_since(memory: Memory, session: str, moment: float) -> bool:
    """Whether anything was set in a session since a moment."""
    from time import localtime, strftime

    begun = strftime("%Y%m%d-%H%M%S", localtime(moment))
    for record_id in memory.journal.newest_first():
        if record_id < begun:
            return False
        record = memory.journal.read(record_id)
        if record and record.session == session:
            return True
    return False
