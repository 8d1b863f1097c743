"""The digest of a session in its day: one note that says when it was, what was asked, done, decided and left open.

It is written when a session ends, and when a session is brought in whose end no hook has seen. A session that went on after
its digest gets another, which says only what the days do not say yet.
"""

from __future__ import annotations

import re
import time
from itertools import islice

from ..guard.entering import clean
from ..model import HOST_NAMES, Checkpoint, Note, fold
from ..transcripts.heads import local

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..memory import Memory
    from ..storage.writing import Past
    from .following import Following

_LONGEST = 160  # characters of a line
_COMMITS, _OPEN = 4, 2  # how many of them are listed
_RECORDS = 400  # of a session, the newest, among which its digests are looked for
_STAMP = re.compile(r"(\d{4}-\d\d-\d\d) (\d\d:\d\d) ")


def write_digest(memory: Memory, session: Following, host: str, trigger: str, past: Past | None = None) -> None:
    """Note in the day what a session did, as far as no digest of it says so already."""
    now = past.moment if past else memory.clock()
    state = Checkpoint(**session.draft)
    name = f"{HOST_NAMES.get(host, host)}, session {_shorten_name(session.session)}"
    known = _find_digests(memory, session.session, name)
    lines = _describe(state, known)
    if not lines:
        return
    head = f"{_find_span(state, session, now)} {name}{', went on' if known else ''}".strip()
    text = clean({"text": "\n".join([head, *lines])})[0]["text"]
    memory.note(session.session, Note(text), past, origin="transcript", host=host, trigger=trigger)


def _find_digests(memory: Memory, session: str, name: str) -> str:
    """Return the digests of a session that were written before."""
    records = islice(memory.journal.records(session=session), _RECORDS)
    notes = (record.body for record in records if record.kind == "note" and record.origin == "transcript")
    return "\n".join(body for body in notes if f" {name}" in body.partition("\n")[0])


def _describe(state: Checkpoint, known: str) -> list[str]:
    """Return the lines below the head of a digest, without what an earlier digest says."""
    requests = [line.partition(" User: ")[2] for line in state.timeline]
    asked = [fold(text, _LONGEST) for text in (state.goal, *requests) if text]
    told = max((at for at, text in enumerate(asked, start=1) if text in known), default=0)
    asked = asked[told:]  # what was asked since the digest before
    asked = asked or [fold(text, _LONGEST) for text in (state.task,) if text and not known]
    lines: list[str] = []
    if asked:
        lines.append(f"- asked: {next((text for text in asked if len(text) >= 40), asked[0])}")
        lines += [f"- at last: {asked[-1]}"] if asked[-1] not in lines[-1] else []
    # A commit says more than a test that passed, of which the last one tells it all.
    commits = [what for what in state.done if what.startswith("commit ")][-_COMMITS:]
    done = [*commits, *[what for what in state.done if what not in commits][-1:]]
    lines += [f"- done: {fold(what, _LONGEST)}" for what in done]
    choices = [choice for choice in state.decisions if _is_whole(choice)]
    agreed = [choice for choice in choices if choice.startswith("User agreed")]
    lines += [f"- decided: {fold(choice, _LONGEST)}" for choice in (agreed or choices)[-2:]]
    to_do = [text for text, ticked in state.pending if not ticked]
    lines += [f"- open: {fold(text, _LONGEST)}" for text in (*state.unanswered[:1], *to_do[:_OPEN])]
    return [line for line in lines if line not in known]


def _is_whole(sentence: str) -> bool:
    """Return whether a sentence stands by itself: one cut out of the midst of code or a list says nothing in a day."""
    is_cut = sentence.endswith(":") or sentence.startswith(("//", "/*"))
    return not is_cut and sentence.count("`") % 2 == 0 and sentence.count("**") % 2 == 0


def _shorten_name(session: str) -> str:
    """Return a session's name; of a UUID its beginning, to the millisecond where it is made of time. The block has all of it."""
    return session[:13] if len(session) == 36 and session.count("-") == 4 else session


def _find_span(state: Checkpoint, session: Following, now: float) -> str:
    """Return from when to when a session was, as a local clock shows it; with the date where it began on another day."""
    ended = local(session.ended) or time.strftime("%Y-%m-%d %H:%M", time.localtime(now))
    stamps = [f"{stamp[1]} {stamp[2]}" for stamp in map(_STAMP.match, state.timeline) if stamp]
    began = min(filter(None, (local(session.began), *stamps[:1])), default=ended)
    shown = began if began[:10] != ended[:10] else began[11:]
    return "–".join(dict.fromkeys((shown, ended[11:])))
