"""`holdfast import`: checkpoints and day entries from the sessions that are already on this machine.

The oldest comes first, each session gives one checkpoint and one line of its day, and what is done is done: a run that is
interrupted or killed is gone on with by the next, and a run with nothing new writes nothing.
"""

from __future__ import annotations

import os
import sys

from .. import cli
from ..capture import missed
from ..capture.adopting import adopt
from ..capture.told import Told
from ..capture.whereabouts import Belonging, name_of
from ..errors import HoldfastError, UserError
from ..model import fold
from ..transcripts import HOSTS, Transcript, find
from ..transcripts.heads import About, about
from . import progress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from ..cli import Words
    from ..memory import Memory
    from ..transcripts.find import Found



class Outcome:
    """What a run has come to so far."""

    def __init__(self) -> None:
        self.checkpoints: list[tuple[Found, str]] = []
        self.days: set[str] = set()
        self.adopted = 0
        self.passed_over: dict[str, int] = {}  # why → how many sessions

    def passed(self, why: str) -> None:
        """A session that gave nothing."""
        self.passed_over[why] = self.passed_over.get(why, 0) + 1

    def __str__(self) -> str:
        parts = [_counted(len(self.checkpoints), "session"), _counted(len(self.days), "day")]
        if self.adopted:
            parts.append(f"{_counted(self.adopted, 'hand-written block')} adopted")
        why = ", ".join(f"{number} {reason}" for reason, number in self.passed_over.items())
        return "imported  " + "  ".join(parts) + (f"  (passed over: {why})" if why else "")

    def as_data(self) -> dict[str, Any]:
        """The same for programs."""
        saved = [{"host": found.host, "session": name_of(found), "id": number} for found, number in self.checkpoints]
        return {"imported": saved, "days": sorted(self.days), "adopted": self.adopted, "passed_over": self.passed_over}


def imported(words: Words, env: Mapping[str, str]) -> int:
    """Carry out the command."""
    outcome = Outcome()
    workspace = cli.workspace_of(words, env)
    chosen = _chosen(words, env, workspace, outcome)
    if not chosen and not os.path.isdir(workspace):
        return _told(outcome, words)  # nothing to bring in, and so no workspace to make for it
    memory = cli.opened(words, env, write=not words.has("dry-run"))
    try:
        if words.has("dry-run"):
            return _listed(memory, chosen, words, outcome)
        try:
            memory.catch_up()  # a run that was killed left a record; where that is the last news, nothing else would
            outcome.adopted = adopt(memory, every=True)
            _bring_in(memory, chosen, outcome)
        except (KeyboardInterrupt, HoldfastError):
            print(f"{outcome}\nThe next `holdfast import` goes on from here.", file=sys.stderr)
            raise
    finally:
        memory.close()
    return _told(outcome, words)


def _told(outcome: Outcome, words: Words) -> int:
    if words.has("json"):
        print(cli.in_json(outcome.as_data()))
    else:
        print(outcome)
    return 0


# ---- which sessions ----------------------------------------------------------------------------------------------------


def _chosen(words: Words, env: Mapping[str, str], workspace: str, outcome: Outcome) -> list[tuple[Found, About]]:
    """The sessions that are meant, the oldest first."""
    since = _since(words.one("since"))
    hosts = tuple(text for text in words.texts if text in HOSTS)
    files = [text for text in words.texts if text not in HOSTS]
    chosen = [(found, about(found)) for found in map(_named, files)]
    belonging = Belonging(workspace, env, cli.here())
    home = env.get("HOME") or os.path.expanduser("~")
    for host in hosts or (() if files else HOSTS):
        for found in find.sessions(host, env, home):
            if found.modified < since:
                outcome.passed("before that date")
                continue
            told = about(found)
            if told.aside:
                outcome.passed("of subagents")
            elif not words.has("all") and not belonging.has(told):
                outcome.passed("of other folders: --all takes them")
            elif words.has("session") and words.one("session") not in (found.session, found.key):
                outcome.passed("of other names")
            elif told.ended < since:
                outcome.passed("before that date")
            else:
                chosen.append((found, told))
    return sorted(chosen, key=lambda pair: (pair[1].ended, pair[0].path))


def _since(date: str) -> float:
    """The beginning of a day, as seconds since 1970."""
    import time

    try:
        return time.mktime(time.strptime(date, "%Y-%m-%d")) if date else 0.0
    except (ValueError, OverflowError) as error:
        raise UserError(f"--since takes a date such as 2026-11-15, not {date!r}. Nothing was changed.") from error


def _named(path: str) -> Found:
    """The session in a file that was named."""
    if not os.path.exists(path):
        raise UserError(f"{path} is neither a host ({', '.join(HOSTS)}) nor a file that is there. Nothing was changed.")
    with Transcript(path) as transcript:
        host, why = transcript.host, "; ".join(transcript.reasons)
    if host not in HOSTS:
        raise UserError(f"{path} cannot be imported: {why or 'it is no transcript of a host that we know.'} Nothing was changed.")
    if path.endswith((".db", ".sqlite")):
        raise UserError(f"{path} holds many sessions: name the host instead, `holdfast import {host}`. Nothing was changed.")
    return find.of_file(path, host)


# ---- bringing them in --------------------------------------------------------------------------------------------------


def _bring_in(memory: Memory, chosen: list[tuple[Found, About]], outcome: Outcome) -> None:
    told = Told(memory)
    for found, _ in _shown(chosen):
        brought = missed.bring_in(memory, found, "import", told)
        if isinstance(brought, str):
            outcome.passed(brought)
        else:
            outcome.checkpoints.append((found, brought.id))
            outcome.days.add(f"{brought.id[:4]}-{brought.id[4:6]}-{brought.id[6:8]}")


def _shown(chosen: list[tuple[Found, About]]) -> Iterator[tuple[Found, About]]:
    """The sessions one by one, with a bar on a terminal that says how far it is: by size, which is what takes the time."""
    whole, done = sum(told.size for _, told in chosen), 0
    for number, (found, told) in enumerate(chosen):
        progress.show(done, whole, f"{number + 1}/{len(chosen)}  {_day(told)}  {found.host} {found.session[:36]}")
        try:
            yield found, told
        finally:
            done += told.size
            progress.clear()


def _listed(memory: Memory, chosen: list[tuple[Found, About]], words: Words, outcome: Outcome) -> int:
    """What would be imported."""
    rows = []
    for found, told in chosen:
        if missed.has_more(memory, found):
            rows.append((found, told))
        else:
            outcome.passed(missed.KNOWN)
    if words.has("json"):
        data = [
            {"host": f.host, "session": name_of(f), "date": _day(a), "size": a.size, "folder": a.folder, "path": f.path}
            for f, a in rows
        ]
        print(cli.in_json({"would_import": data, "passed_over": outcome.passed_over}, indent=2))
        return 0
    for found, told in rows:
        name = fold(name_of(found), 60)
        print(f"{_day(told)}  {found.host:<11}  {_size(told.size):>8}  {name}  {told.folder or 'folder unknown'}")
    why = ", ".join(f"{number} {reason}" for reason, number in outcome.passed_over.items())
    print(f"{_counted(len(rows), 'session')} would be looked at" + (f"  (passed over: {why})" if why else ""))
    return 0


def _day(told: About) -> str:
    from time import localtime, strftime

    return strftime("%Y-%m-%d", localtime(told.ended)) if told.ended else "undated   "


def _size(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 1e5 else f"{size / 1e3:.1f} kB"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
