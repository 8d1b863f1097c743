"""`holdfast recover`: what a hook has missed is brought in from the transcript, then the brief is made.

The transcript is that of the session which was named; where none was, that of the newest session had in this folder. A workspace
that cannot be written to gives the brief all the same, and says that nothing was saved.
"""

from __future__ import annotations

from .. import cli
from ..briefing.recovery import newest_block
from ..capture.adopting import adopt, waiting
from ..capture.whereabouts import Belonging, name_of, newest_of, of_session
from ..config import own_session
from ..errors import BehindJournal, HoldfastError, NotFound, UserError
from ..transcripts import HOSTS
from ..transcripts.heads import about

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ..cli import Words
    from ..memory import Memory
    from ..model import Checkpoint
    from ..transcripts.find import Found


def recovered(words: Words, env: Mapping[str, str], reading: Callable[[], Memory]) -> tuple[str, str, str]:
    """(the brief, its session, what is to be said beside it)."""
    host = words.one("host")
    if host and host not in HOSTS:
        raise UserError(f"There is no host {host}; known are {', '.join(HOSTS)}. Nothing was changed.")
    limit, back = env.get("HOLDFAST_BRIEF_MAX_CHARS", ""), words.number("back", 0)
    session = cli.session_of(words, env)
    named = words.has("session") or bool(own_session(env)[0])
    memory = reading()
    try:
        budget = words.number("max-chars", int(limit) if limit.isdecimal() else memory.config.briefMaxChars, 500)
        found = None if back else _transcript(memory, session if named else "", host, env)
        unsaved, said = _brought_in(memory, found, lambda: cli.opened(words, env, write=True))
    finally:
        memory.close()
    memory = cli.opened(words, env, write=False)
    try:
        beneath = name_of(found) if found else ""
        if beneath == session or (not named and not unsaved and not _is_newest(memory, session, beneath)):
            beneath = ""
        if found and beneath and not named and not _spoke_since(memory, session, about(found).began):
            session, beneath = beneath, ""
        if back and newest_block(memory, session, back) is None:
            before = f"are no {back} checkpoints" if back > 1 else "is no checkpoint"
            raise NotFound(f"There {before} before the newest one. Nothing was changed. Give a smaller --back.")
        brief = memory.recover(session, back=back, budget=budget, beneath=beneath, unsaved=unsaved)
        memory.giving.remember(brief, beneath or session)  # into whose context it goes is not known; that it may come back is
        return brief, beneath or session, " ".join(filter(None, (said, *memory.store.not_read())))
    finally:
        memory.close()


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
