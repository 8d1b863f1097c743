"""The context-safe tail read: the end of a transcript, cut so that it never floods the context it is read into.

The newest entries are taken from the end of the file backwards, each with its beginning, until there are enough of them or their
characters are used up; they are printed in the order of time, every type of entry, rendered for reading. Each is headed by the
id that `--full` takes, its time and who spoke; the host's own bookkeeping is one short line:

    [40213 2026-11-15T10:00:02Z user] make the lamp blink
    [40390 2026-11-15T10:00:04Z assistant] → Bash command: cat lamp.txt
    [41022 api-request]

With `--raw` an entry is one line, as the host wrote it.

A transcript is somebody else's text. Secrets are replaced and control characters removed before anything is measured, and no
entry can begin a line of its own (what has several lines is indented), so none of them can pass for our closing words. These say
what was cut, how to read it whole, and that the user is to be told: a summary that hides its gaps is how an agent comes to invent
what stood in them.

Nothing is written, no workspace is needed, and memory stays bounded whatever the size of the file or of a line in it.
"""

from __future__ import annotations

import os
import re

from ..config import own_session
from ..errors import NotFound, UserError
from ..guard.entering import printable, redacted
from ..transcripts import HOSTS, Entry, Tally, Transcript
from ..transcripts.rendering import render_entry
from .whereabouts import of_session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ..transcripts.find import Found

View = tuple[str, dict[str, "Any"], list[str]]  # for the terminal, for --json, and what stderr says besides

ENTRIES, ENTRY_CHARS, MAX_CHARS = 400, 2_000, 40_000
CUT = "[...TRUNCATED]"
_BEYOND = 1_000  # characters read behind the cut: of half a secret, nobody could tell that it is one
_WORTHWHILE = 200  # with less room than this left, an entry is left out rather than cut down to a stump
_LOOKED_INTO = 200  # of the sessions of a machine, the newest, when the one of a folder is asked for
_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*("|\\?\Z)|[{}\[\]:,]', re.S)
_READ_CHARS = 8_000  # of an entry, to render it: what is to be read stands behind the host's own fields
_INDENT = "    "
_PLAIN = re.compile(r"[\w.:+-]{1,40}")


class Shown:
    """An entry as it is printed."""

    __slots__ = ("cut", "id", "kind", "length", "text", "time")

    def __init__(self, entry: Entry, text: str, *, cut: bool, time: str = "", kind: str = "") -> None:
        self.id, self.length, self.text, self.cut, self.time, self.kind = entry.id, entry.length, text, cut, time, kind

    @property
    def head(self) -> str:
        """What stands before an entry's text."""
        return f"[{' '.join(filter(None, (self.id, self.time, self.kind)))}] "

    @property
    def line(self) -> str:
        """The entry with its heading; whatever lines it has are indented below it."""
        text = self.text.replace("\n", f"\n{_INDENT}")
        return f"{self.head}{text}{CUT if self.cut else ''}".rstrip(" ")


def show_raw(entry: Entry, chars: int, secrets: set[str]) -> Shown:
    """An entry as the host wrote it, on one line."""
    text, kinds = redacted(entry.text[: chars + _BEYOND])
    secrets.update(kinds)
    text = printable(text).replace("\n", " ").strip()
    time, kind = about(text)
    cut = entry.cut or len(entry.text) > chars + _BEYOND or len(text) > chars
    return Shown(entry, text[:chars], cut=cut, time=time, kind=kind)


def show_rendered(entry: Entry, chars: int, secrets: set[str], written_later: set[str]) -> Shown:
    """An entry for reading. `written_later` has the messages that newer entries hold again, and more of them (Gemini CLI)."""
    found = render_entry(entry.text, is_cut=entry.cut)
    if found is None:
        return show_raw(entry, chars, secrets)
    if found.record and found.record in written_later:
        found.text, found.gist = "", "(written again below)"
    elif found.record:
        written_later.add(found.record)
    text, kinds = redacted((found.text or found.gist)[: chars + _BEYOND])
    secrets.update(kinds)
    text = printable(text).strip()
    cut = bool(found.text) and (not found.complete or len(found.text) > chars + _BEYOND or len(text) > chars)
    kind = " ".join(filter(None, map(_plain, found.speaker.split())))
    return Shown(entry, text[:chars], cut=cut, time=_plain(found.time) if found.text else "", kind=kind or "entry")


class Tail:
    """What a tail read came to: the entries in the order of time, how many of those that were asked for were shortened or left
    out, and whether there are older ones still.
    """

    __slots__ = ("entries", "left_out", "older", "secrets", "shortened")

    def __init__(self, entries: list[Shown], left_out: int, older: bool, secrets: set[str]) -> None:
        self.entries, self.left_out, self.older, self.secrets = entries, left_out, older, secrets
        self.shortened = [entry.id for entry in entries if entry.cut]

    def disclosure(self, again: str, limit: int) -> str:
        """What was cut, how to read it, and that the user must be told; nothing where nothing was cut."""
        shown, cut, left = len(self.entries), len(self.shortened), self.left_out
        said, tell = [], []
        if cut:
            which, one = ("was", "it") if cut == 1 else ("were", "one")
            number = self.shortened[0] if cut == 1 else "ID"
            said.append(f"{cut} of {shown} entries {which} truncated; read {one} in full: holdfast tail {again} --full {number}")
            tell.append(f"{cut} {'entry was' if cut == 1 else 'entries were'} truncated")
        if left:
            said.append(
                f"{left} older of the last {shown + left} entries {'is' if left == 1 else 'are'} not shown, {limit:,} characters "
                f"being reached; see more: holdfast tail {again} --max-chars {2 * limit}"
            )
            tell.append(f"{left} older {'one was' if left == 1 else 'ones were'} left out")
        if self.older:
            asked = shown + left
            said.append(
                f"There are older entries than the last {asked}, which were asked for; "
                f"see more: holdfast tail {again} --entries {2 * asked}"
            )
            tell.append("what is older was not read")
        if said:
            said.append(
                "Tell the user in your first message: when you read back the recent conversation, "
                f"{' and '.join(tell)} for length; offer to read any of them in full."
            )
        return "\n".join(said)


def read(transcript: Transcript, entries: int, entry_chars: int, max_chars: int, *, raw: bool = False) -> Tail:
    """The last entries of a transcript, within their bounds. Older ones than there is room for are only counted.

    Those before the last that were asked for are not: it would take to read all of the file. One is looked for.
    """
    found: list[Shown] = []
    secrets: set[str] = set()
    written_later: set[str] = set()
    raw = raw or not transcript.host
    left_out, room, older = 0, max_chars, False
    for entry in transcript.entries_from_end(entries + 1, entry_chars + _BEYOND if raw else max(4 * entry_chars, _READ_CHARS)):
        if len(found) + left_out == entries:
            older = True
            break
        if left_out:
            left_out += 1
            continue
        if not transcript.host and "\0" in entry.text:
            raise UserError(f"{_place(transcript)} is neither a transcript nor text. Nothing was changed; name another file.")
        item = show_raw(entry, entry_chars, secrets) if raw else show_rendered(entry, entry_chars, secrets, written_later)
        if len(item.line) + 1 > room:
            chars = room - len(item.head) - len(CUT) - 1
            if chars < (_WORTHWHILE if found else 0):
                left_out, room = 1, 0
                continue
            item.cut, item.text = True, _fit(item.text, chars)
        room -= len(item.line) + 1
        found.append(item)
    return Tail(found[::-1], left_out, older, secrets)


def _fit(text: str, chars: int) -> str:
    """The beginning of a text that takes so many characters with its lines indented."""
    text = text[:chars]
    while (over := len(text) + len(_INDENT) * text.count("\n") - chars) > 0:
        text = text[: -max(1, over // (1 + len(_INDENT)))]
    return text


def view(
    transcript: Transcript, chosen: Chosen, entries: int, entry_chars: int, max_chars: int, *, raw: bool = False
) -> View:
    """The tail read for a terminal, and as data."""
    tail = read(transcript, entries, entry_chars, max_chars, raw=raw)
    if not tail.entries:
        why = " ".join(transcript.reasons) or "There is nothing in it."
        raise NotFound(
            f"No entry of {_place(transcript)} can be shown. {why} Nothing was changed. "
            "`holdfast recover` gives what was saved before."
        )
    told = tail.disclosure(f"{chosen.again} --raw" if raw else chosen.again, max_chars)
    names = ("id", "time", "kind", "text", "length")
    data = {
        **_about_source(transcript),
        "entries": [{**{name: getattr(item, name) for name in names}, "truncated": item.cut} for item in tail.entries],
        "truncated": len(tail.shortened),
        "left_out": tail.left_out,
        "older": tail.older,
        "disclosure": told,
    }
    aside = f"read: {_place(transcript)}" + (f" ({chosen.said})" if chosen.said else "")
    text = "\n".join([*(item.line for item in tail.entries), *([told] if told else [])])
    return text, data, [aside, *_asides(transcript, tail.secrets)]


def full_view(transcript: Transcript, number: str, *, raw: bool = False) -> View:
    """One entry in full, for a terminal and as data; the host's own bookkeeping is shown as it was written."""
    entry = transcript.entry(number)
    if entry is None:
        why = "".join(f" {reason}" for reason in transcript.reasons)
        raise NotFound(
            f"There is no entry {_plain(number) or 'of that id'} in {_place(transcript)}.{why} Nothing was changed. "
            "`holdfast tail` shows the ids."
        )
    rendered = None if raw else render_entry(entry.text, is_cut=entry.cut)
    text, kinds = redacted((rendered.text if rendered else "") or entry.text)
    text = printable(text)
    aside = _asides(transcript, set(kinds))
    if entry.cut:
        aside.append(f"note: The entry has {entry.length:,} bytes, more than is held at once; this is its beginning.")
    data = {**_about_source(transcript), "id": entry.id, "text": text, "length": entry.length, "truncated": entry.cut}
    return text + (CUT if entry.cut else ""), data, aside


def _place(transcript: Transcript) -> str:
    """A transcript in words."""
    named = f" session {transcript.session}," if transcript.session else " transcript"
    return _line(f"{transcript.host}{named} {transcript.path}" if transcript.host else transcript.path)


def _line(text: str) -> str:
    """A name for our own lines: file names, too, can hold whatever moves a terminal's cursor."""
    return printable(text).replace("\n", " ")


def _about_source(transcript: Transcript) -> dict[str, Any]:
    return {"host": transcript.host, "session": transcript.session, "path": transcript.path}


def _asides(transcript: Transcript, secrets: set[str]) -> list[str]:
    """What is to be known besides, for stderr."""
    return [f"note: {reason}" for reason in transcript.reasons] + ([f"redacted: {', '.join(sorted(secrets))}"] if secrets else [])


def about(text: str) -> tuple[str, str]:
    """Time and kind of an entry, from as much of its beginning as there is; empty where that does not tell them.

    A walk over the signs of the JSON and no parse: most of what is to be headed ends in the middle.
    """
    told: dict[str, str] = {}
    keys: list[str] = []
    key, expected = "", False
    for found in _TOKEN.finditer(text):
        sign = found[0]
        if sign in "{[":
            keys.append(key if sign == "{" or not key else f"{key}*")
            key, expected = "", sign == "{"
        elif sign in "}]":
            key, expected = "", False
            if keys:
                keys.pop()
        elif sign == ",":
            key, expected = "", bool(keys) and not keys[-1].endswith("*")
        elif sign == ":":
            expected = False
        elif expected:
            key = sign[1:-1]
        elif key and len(keys) <= 5 and len(sign) <= 42 and found[1] == '"':
            told.setdefault(".".join(filter(None, (*keys, key))), sign[1:-1])
    return _plain(told.get("timestamp", "")), _kind(told)


def _kind(told: Mapping[str, str]) -> str:
    """Who speaks, else the type of the entry; and what the first part of its content is, for a user's entry may be a result."""
    who = told.get("message.role") or told.get("payload.role") or told.get("role")
    kind = who or told.get("payload.type") or told.get("type", "")
    part = next((value for name, value in told.items() if name.endswith("content*.type")), "") or (who and told.get("type")) or ""
    return " ".join(dict.fromkeys(filter(None, (_plain(kind), _plain(part if part != "message" else "")))))


def _plain(value: str) -> str:
    """A value that can stand in a heading: a word, a time."""
    return value if _PLAIN.fullmatch(value) else ""


# ---- which transcript --------------------------------------------------------------------------------------------------


class Chosen:
    """A transcript that was asked for: what to open it with, how to name it on the next command line, and why it is this one."""

    __slots__ = ("again", "host", "path", "said", "session")

    def __init__(self, path: str, host: str = "", session: str = "", *, again: str, said: str = "") -> None:
        self.path, self.host, self.session, self.again, self.said = path, host, session, again, said


def chosen(named: str, session: str, host: str, env: Mapping[str, str], here: str) -> Chosen:
    """The transcript that is meant: a file, a session by its id, key or the beginning of one, or the one of this place."""
    if host and host not in HOSTS:
        raise UserError(f"There is no host {host}; the hosts are {', '.join(HOSTS)}. Nothing was changed.")
    path = os.path.expanduser(named)
    if named and os.path.exists(path) and not os.path.isdir(path):
        return Chosen(path, host, session, again=_words(named, "--session" if session else "", session, host=host))
    if named and session:
        raise UserError(f"There is no file {named}. Name a session in one place only. Nothing was changed.")
    wanted = _line(named or session)
    home = env.get("HOME") or os.path.expanduser("~")
    tally = Tally()
    if wanted:
        return _found(_by_name(wanted, host, env, home, tally), "")
    found, why = _of_this_place(host, env, home, here, tally)
    return _found(found, why)


def _found(found: Found, why: str) -> Chosen:
    again = _words(found.path if found.archived else found.session, host=found.host)
    return Chosen(found.path, found.host, found.session, again=again, said=why)


def _words(*words: str, host: str) -> str:
    """Words for a shell to read again."""
    given = [_line(word) for word in (*words, *(("--host", host) if host else ())) if word]
    return " ".join(word if re.fullmatch(r"[\w./:@%+,-]+", word) else "'" + word.replace("'", "'\\''") + "'" for word in given)


def _by_name(wanted: str, host: str, env: Mapping[str, str], home: str, tally: Tally) -> Found:
    """A session by its id or key; else by the beginning of one, where only one begins so."""
    from ..transcripts import find

    hosts = (host,) if host else HOSTS
    exact = [found for one in hosts if (found := find.transcript(one, wanted, env, home))]
    fitting = exact
    if not exact and len(wanted) >= 4:
        every = [found for one in hosts for found in find.sessions(one, env, home, tally=tally)]
        fitting = [item for item in every if not item.archived and f"\n{wanted}" in f"\n{item.session}\n{item.key}"]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        names = _line(", ".join(f"{item.session} ({item.host})" for item in fitting[:5]) + (", …" if len(fitting) > 5 else ""))
        raise UserError(f"{wanted} may be any of {len(fitting)} sessions: {names}. Say more, or --host. Nothing was changed.")
    if os.path.isdir(wanted):
        raise UserError(f"{wanted} is a folder. Name a transcript in it, or a session. Nothing was changed.")
    what = "file" if os.sep in wanted and not wanted.startswith("sqlite:") else "file and no session"
    why = "".join(f" {reason}" for reason in tally.why)
    raise NotFound(f"There is no {what} {wanted} here.{why} Nothing was changed. `holdfast tail` alone reads the newest session.")


def _of_this_place(host: str, env: Mapping[str, str], home: str, here: str, tally: Tally) -> tuple[Found, str]:
    """The session that this command runs in, where its host says so; else the newest of this folder; else the newest of all."""
    from ..transcripts import find

    session, own = own_session(env)
    if session and (not host or own in ("", host)) and (found := of_session(session, own or host, env)):
        return found, "the session that this command runs in"
    every = [item for one in ((host,) if host else HOSTS) for item in find.sessions(one, env, home, tally=tally)]
    if not every:
        why = "".join(f" {reason}" for reason in tally.why)
        raise NotFound(
            f"No session of {host or 'any host'} is known on this machine.{why} Nothing was changed. "
            "Name a transcript: `holdfast tail FILE`."
        )
    every.sort(key=lambda item: -item.modified)
    best, depth = every[0], -1
    place = os.path.realpath(here) if here else ""
    for item in every[:_LOOKED_INTO] if place else ():
        folder = find.folder_of(item)
        if not os.path.isabs(folder):
            continue
        folder = os.path.realpath(folder)
        inside = place == folder or place.startswith(folder.rstrip(os.sep) + os.sep)
        if inside and len(folder) > depth:
            best, depth = item, len(folder)
    return best, "the newest session of this folder" if depth >= 0 else "the newest on this machine; none of this folder is known"
