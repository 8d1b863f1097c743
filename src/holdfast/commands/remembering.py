"""The shell of `holdfast extract`: what to read, what to print, and a model's answer brought in as notes.

Whatever is read is washed before anything looks at it: our own brief is cut out, secrets are replaced, what is private is
dropped. Of a very large text only the beginning is read, and that is said.
"""

from __future__ import annotations

import os
import re
import stat
import sys

from .. import cli
from ..capture.extracting import PASSING, Extracted, Item, Said, asks_to_forget, extracted, must_not_be_kept, prompt, understood
from ..errors import HoldfastError, UserError, reason
from ..guard.entering import printable, redacted
from ..model import Value, fold
from ..transcripts import HOSTS, Tally, Transcript
from ..transcripts.files import host_of, objects, reader_of
from ..transcripts.words import without_ours

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

    from ..cli import Words
    from ..memory import Memory
    from ..transcripts import Event

READ_AT_MOST = 4_000_000  # bytes of a text, characters of what was said in a session
PROMPT_CHARS = 60_000  # what a model is given, unless --max-chars says otherwise
LONG_SESSION = 20  # turns from which on a model finds more than these rules
_SQLITE, _ZSTD = b"SQLite format 3\0", b"\x28\xb5\x2f\xfd"
_DAY_IN_NAME = re.compile(r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)")


class Read(Value):
    """What was read: its passages, what it is, how many turns it has, and what is to be said about the reading."""

    passages: tuple[Said, ...]
    what: str
    turns: int = 0
    asides: tuple[str, ...] = ()


def remember(words: Words, env: Mapping[str, str]) -> int:
    """Carry out the command."""
    if len(words.texts) > 1:
        raise UserError("extract takes one file, or reads standard input: `holdfast extract [FILE]`. Nothing was changed.")
    if words.has("prompt") and words.has("apply"):
        raise UserError("--prompt and --apply are two steps: the one prints what to give a model, the other takes its answer.")
    name = (words.texts or ["-"])[0]
    if words.has("apply"):
        return _applied(words, env, name)
    read = _read(name, words)
    for aside in read.asides:
        print(f"note: {aside}", file=sys.stderr)
    if words.has("prompt"):
        return _prompted(read, words.number("max-chars", PROMPT_CHARS, 1000))
    return _shown(extracted(read.passages), read, words)


# ---- reading -----------------------------------------------------------------------------------------------------------


def _read(name: str, words: Words) -> Read:
    """A text or a transcript, from a file or from standard input."""
    day = _given_day(words.one("date")) or (found[0] if (found := _DAY_IN_NAME.search(os.path.basename(name))) else "")
    data, size = _bytes(name)
    host = _named_host(words.one("host"))
    if name != "-" and (host or data.startswith((_SQLITE, _ZSTD)) or _is_lines_of_json(data)):
        with Transcript(name, host=host, session=words.one("session")) as transcript:
            if transcript.host:
                return _session(transcript.events(), transcript.host, lambda: transcript.reasons)
    elif host := host or _host(data):
        cut = ["Only the first 4 MB of standard input were read; name the file to have all of it."] if size > len(data) else []
        return _session(_events(data, host), host, lambda: cut)
    return _text(data, size, day, "standard input" if name == "-" else name)


def _bytes(name: str) -> tuple[bytes, int]:
    """The beginning of what is to be read, and how much there is in all (as far as that is known)."""
    if name == "-":
        data = sys.stdin.buffer.read(READ_AT_MOST + 1)
        return data[:READ_AT_MOST], len(data)
    try:
        found = os.stat(name)
        if not stat.S_ISREG(found.st_mode):  # a pipe without a writer would be waited for forever
            raise UserError(f"{name} is not a file. Nothing was extracted, nothing was changed.")
        with open(name, "rb") as file:
            return file.read(READ_AT_MOST), found.st_size
    except (OSError, ValueError) as error:
        why = reason(error)[0] if isinstance(error, OSError) else "that is no name of a file"
        raise UserError(f"{name} could not be read: {why}. Nothing was extracted, nothing was changed.") from error


def _named_host(name: str) -> str:
    if name and name not in HOSTS:
        raise UserError(f"There is no host {name}; the hosts are {', '.join(HOSTS)}. Nothing was extracted, nothing was changed.")
    return name


def _is_lines_of_json(data: bytes) -> bool:
    return data.lstrip(b" \t\r\n\xef\xbb\xbf").startswith(b"{")


def _host(data: bytes) -> str:
    """The host whose transcript comes through standard input; empty for any other text."""
    if not _is_lines_of_json(data):
        return ""
    for line in data[:200_000].split(b"\n")[:64]:
        for entry in objects(line, Tally()):
            if host := host_of(entry):
                return host
    return ""


def _events(data: bytes, host: str) -> Iterator[Event]:
    """The events of a transcript that came through standard input."""
    reader, tally = reader_of(host), Tally()
    for line in data.split(b"\n"):
        for entry in objects(line, tally):
            yield from (reader.events(entry) or []) if reader else []


def _session(events: Iterable[Event], host: str, unread: Callable[[], list[str]]) -> Read:
    """What was said in a session, each message with its number and its time; `unread` says why something was not read."""
    said: list[Said] = []
    reasons: list[str] = []
    turns = size = 0
    for number, event in enumerate(events, 1):
        if event.kind not in ("user", "agent") or not event.text.strip():
            continue
        size += len(event.text)
        if size > READ_AT_MOST:
            reasons.append("The session is very long; what was said after its first 4 million characters was not read.")
            break
        turns += event.kind == "user"
        clock = event.time[:16].replace("T", " ")
        origin = ", ".join(filter(None, (f"event {number}", event.kind, clock)))
        said.append(Said(redacted(without_ours(event.text))[0], event.kind, origin, event.time[:10]))
    reasons += unread()
    if not said:
        why = " ".join(reasons) or "nobody says anything in it."
        raise UserError(f"There is nothing to extract from this transcript ({host}): {why} Nothing was changed.")
    return Read(tuple(said), f"what was said in a session of {host}", turns, tuple(reasons))


def _text(data: bytes, size: int, day: str, name: str) -> Read:
    """A text in paragraphs, each with the line on which it begins."""
    if b"\0" in data[:8192]:
        raise UserError(f"{name} is not a text: it has zero bytes in it. Nothing was extracted, nothing was changed.")
    asides = []
    if size > len(data) or len(data) >= READ_AT_MOST:
        cut = max(data.rfind(b"\n"), 0) or len(data)
        data = data[:cut]
        asides.append(f"only the first {len(data) / 1e6:.0f} MB of {name} were read; give the rest as a file of its own.")
    text = data.decode("utf-8", "replace").lstrip("\ufeff")
    if text.count("\ufffd") > len(text) // 20:
        raise UserError(f"{name} is not a text that can be read: it is not UTF-8. Nothing was extracted, nothing was changed.")
    if not text.strip():
        raise UserError(f"There is no text in {name}. Nothing was extracted, nothing was changed.")
    if _is_json(text):
        raise UserError(
            f"{name} is JSON, and no transcript of a host that we know. Nothing was extracted, nothing was changed.\n"
            "Give the text itself; a model's answer is taken with --apply."
        )
    clean = redacted(without_ours(text))[0]
    return Read(tuple(_paragraphs(text, clean, day)), "a text", 0, tuple(asides))


def _is_json(text: str) -> bool:
    """Whether a text is data, whole or in lines."""
    import json

    if text.lstrip()[:1] not in ("{", "["):
        return False
    for part in (text, text.lstrip().partition("\n")[0]):
        try:
            return isinstance(json.loads(part), (dict, list))
        except (ValueError, RecursionError):
            continue
    return False


def _paragraphs(text: str, clean: str, day: str) -> Iterator[Said]:
    """The lines of a washed text, joined where they were only wrapped, each with its number in the text as it was.

    A paragraph in which somebody asks not to be remembered stays whole, so that it can be told which sentence that is about.
    """
    paragraph: list[tuple[int, str]] = []
    fenced = False
    for number, line in (*_numbered(text, clean), (0, "")):
        fence = line.lstrip().startswith("```")
        fenced ^= fence
        if heading := re.match(r"#+ (\d{4}-\d\d-\d\d)\b", line):
            day = heading[1]
        if line.strip() and not fence and not fenced:
            paragraph.append((number, line))
        elif paragraph:
            parts = list(_join_wrapped_lines(paragraph))
            if asks_to_forget(" ".join(line for _, line in paragraph)):
                parts = [(paragraph[0][0], "\n".join(part for _, part in _join_wrapped_lines(paragraph, _ENDS_NOWHERE)))]
            yield from (Said(part, "", f"line {begin}", day) for begin, part in parts)
            paragraph = []


def _numbered(text: str, clean: str) -> Iterator[tuple[int, str]]:
    """The lines of a washed text with their numbers in the text as it was: washing takes lines away, and puts none in."""
    numbers: dict[str, list[int]] = {}
    for number, line in enumerate(text.split("\n"), 1):
        numbers.setdefault(line.strip(), []).append(number)
    places = {line: iter(found) for line, found in numbers.items()}
    last = 1
    for line in clean.split("\n"):
        if line.strip():
            last = next((number for number in places.get(line.strip(), ()) if number >= last), last)
        yield last, line


def _join_wrapped_lines(lines: list[tuple[int, str]], goes_on: re.Pattern[str] | None = None) -> Iterator[tuple[int, str]]:
    """Lines joined where a sentence goes on in the next one; `goes_on` is how the end of such a line looks."""
    goes_on = goes_on or _GOES_ON
    begin, held = lines[0]
    for number, line in lines[1:]:
        if goes_on.search(held[-80:]) and not _BEGINS.match(line) and len(held) < 2000:
            held = f"{held.rstrip()} {line.strip()}"
        else:
            yield begin, held
            begin, held = number, line
    yield begin, held


_ENDS_NOWHERE = re.compile(r"[^.!?。！？:：;|\s]\s*\Z")  # however short: to keep half a sentence that was not to be kept is worse
_GOES_ON = re.compile(r"[^\n]{50}[^.!?。！？:：;|]\s*\Z")
_BEGINS = re.compile(r"\s*(?:[-*+>|#]|\d{1,3}[.)])\s|\s{4}")


def _given_day(text: str) -> str:
    """The day that --date names: on it the text was written."""
    import time

    if text in ("", "today"):
        return time.strftime("%Y-%m-%d") if text else ""
    try:
        return time.strftime("%Y-%m-%d", time.strptime(text, "%Y-%m-%d"))
    except ValueError as error:
        raise UserError(f"--date takes a day such as 2026-11-15, or today, not {text!r}. Nothing was changed.") from error


# ---- printing ----------------------------------------------------------------------------------------------------------


def _shown(found: Extracted, read: Read, words: Words) -> int:
    if words.has("json"):
        items = [{name: value for name, value in item.__dict__.items() if value} for item in found.items]
        print(cli.in_json({"memories": items, "left_out": found.left_out}, indent=2))
    elif found.items:
        for item in found.items:
            print(printable(f"{item.kind:<10}  [{item.type}] {item.note}\n            {item.origin}  {item.confidence:.2f}"))
    else:
        print("Nothing that is clearly worth remembering was found.")
    if found.left_out:
        why = ", ".join(f"{number} × {why}" for why, number in found.left_out.items())
        print(f"left out: {why}", file=sys.stderr)
    if read.turns >= LONG_SESSION:
        hint = "`holdfast extract --prompt FILE` prints what to give it"
        print(f"note: a session of {read.turns} turns; a model finds more in it: {hint}.", file=sys.stderr)
    return 0


def _prompted(read: Read, most: int) -> int:
    """Print the template with the newest of the text in a frame of its own: nothing in it can give orders, or end it."""
    from ..guard.framing import framed

    parts: list[str] = []
    room = most
    for said in reversed(read.passages):
        part = f"({said.origin})\n{said.text.strip()}" if said.who else said.text.strip()
        room -= len(part) + 2
        if room < 0:
            break
        parts.append(part)
    left = len(read.passages) - len(parts)
    said_so = f"The first {left} passages were left out for want of room." if left else ""
    if not parts:  # one passage that is larger than all the room
        parts, said_so = [read.passages[-1].text[-most:]], "Only the end of it is here, for want of room."
    print(prompt(framed("\n\n".join(reversed(parts)), os.urandom(32)), read.what, said_so), end="")
    return 0


# ---- a model's answer --------------------------------------------------------------------------------------------------

_FENCE = re.compile(r"\A[^{\[]{0,400}?```(?:json)?[ \t]*\n(.*?)\n[ \t]*```", re.S)


def _applied(words: Words, env: Mapping[str, str], name: str) -> int:
    """Check a model's answer and save what is in it as notes; what must not be kept is left out, whoever wrote it."""
    items = _answer(name)
    kept: list[Item] = []
    left_out: list[dict[str, Any]] = []
    for item in items:
        why = PASSING if item.type == "TEMP" else must_not_be_kept(item.text)
        if why:
            left_out.append({"item": int(item.origin.removeprefix("item ")), "why": why})
        else:
            kept.append(item)
    saved: list[tuple[str, Item]] = []
    known = 0
    if kept:
        memory = cli.opened(words, env, write=True)
        try:
            saved = _saved(memory, cli.session_of(words, env), kept)
            known = len(kept) - len(saved)
        finally:
            memory.close()
    return _told(saved, known, left_out, words)


def _saved(memory: Memory, session: str, items: list[Item]) -> list[tuple[str, Item]]:
    """Save what memory does not have yet, each once; so a run that was killed is simply run again."""
    from ..capture.gleaning import saved_once

    saved: list[tuple[str, Item]] = []
    try:
        saved.extend(saved_once(memory, session, [(item, None) for item in items]))
    except HoldfastError:
        print(f"{len(saved)} items were saved before it; run the same command again for the others.", file=sys.stderr)
        raise
    return saved


def _answer(name: str) -> list[Item]:
    """The items of an answer. Where one is wrong nothing is saved, and the message says which and why."""
    import json

    data, size = _bytes(name)
    where = "Standard input" if name == "-" else name
    if size > len(data):
        raise UserError(f"{where} is larger than {READ_AT_MOST // 1_000_000} MB: that is no answer. Nothing was saved.")
    text = data.decode("utf-8", "replace").lstrip("\ufeff").strip()
    if not text:
        raise UserError(f"{where} is empty. Nothing was saved. `holdfast extract --prompt FILE` prints what to ask a model.")
    fenced = _FENCE.match(text)
    try:
        answer = json.loads(fenced[1] if fenced else text)
    except (ValueError, RecursionError) as error:
        raise UserError(
            f'{where} is no JSON ({fold(str(error), 120)}), and begins with “{fold(text, 60)}”.\n'
            'Nothing was saved. An answer is {"memories": [{"kind": "preference", "text": "..."}]}, alone or in a ```json block.'
        ) from error
    items, wrong = understood(answer)
    if wrong:
        more = f"\n- and {len(wrong) - 20} more" if len(wrong) > 20 else ""
        listed = "\n- ".join(wrong[:20])
        raise UserError(f"The answer does not have the form that was asked for:\n- {listed}{more}\nNothing was saved.")
    return items


def _told(saved: list[tuple[str, Item]], known: int, left_out: list[dict[str, Any]], words: Words) -> int:
    if words.has("json"):
        data = [{"id": number, "kind": item.kind, "type": item.type, "text": item.note} for number, item in saved]
        print(cli.in_json({"saved": data, "known": known, "left_out": left_out}, indent=2))
    else:
        for number, item in saved:
            print(printable(f"saved  {number}  [{item.type}] {item.note}"))
        if not saved:
            print("Nothing new to save.")
    for one in left_out:
        print(f"left out: item {one['item']}: {one['why']}", file=sys.stderr)
    if known:
        print(f"note: {known} of them {'is' if known == 1 else 'are'} known already", file=sys.stderr)
    return 0
