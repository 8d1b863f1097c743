"""The tools that an agent can call. offered.py says of each when to use it and what it takes; server.py speaks the protocol.

Rule 1: a tool does what the command of its name does, by the same functions; what a command checks is not checked here again.
Rule 2: a Memory lives for one call. A server that runs for weeks holds no lock between calls and has no stale view.
Rule 3: memory goes out in its frame. What a client may read instead of the text, the data, is as visible and as disarmed; and
        nothing leaves that looks like a secret, not even one that a person wrote into a document by hand.
"""

from __future__ import annotations

from functools import lru_cache

from .. import cli
from ..cli import Words
from ..commands import other as commands
from ..errors import HoldfastError, UserError, not_saved
from ..guard.entering import harmless, redacted, redacted_beside, safe
from ..guard.framing import disarmed, explain_changes, framed, visible
from ..model import MCP, Value
from .offered import TOOLS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from ..memory import Memory
    from ..storage.writing import Saved

ROOM = 40_000  # characters of one answer: what a context can take, as in the tail read
PASSAGE = 1_000  # characters of one hit
_REPEATED = 80  # characters of what may well be said again
SHORT = 16  # characters from which on a word may be a secret


class Answer(Value):
    """What a call came to: a text for the model, the same as data, and whether it is a refusal."""

    text: str
    data: Mapping[str, Any]
    failed: bool = False


class Asked(Words):
    """The arguments of a call, as the words of the command that it means. Standard input is the client's, and is not read."""

    __slots__ = ()

    def number(self, flag: str, otherwise: int, least: int = 0) -> int:
        """An argument as a whole number."""
        try:
            return super().number(flag, otherwise, least)
        except UserError as error:
            raise UserError(str(error).replace(f"--{flag}", flag.replace("-", "_"), 1)) from error

    def text(self, what: str) -> str:
        """The text of a call, as it is."""
        text = " ".join(self.texts)
        if not text.strip():
            raise UserError(f"Say {what}: the argument is missing or empty. Nothing was changed.")
        return text


def called(name: str, words: Words, given: Mapping[str, Any], env: Mapping[str, str]) -> Answer:
    """The answer to a call. Whatever was given, it is a sentence: the one that the command would print."""
    try:
        for session in ("session", "sessionId"):
            safe(str(given.get(session) or ""))  # a host names its sessions; here an agent does, and it goes to disk as it is
        return RUN[name](words, given, env)
    except HoldfastError as error:
        return refusal(str(error))
    except OSError as error:
        return refusal(str(not_saved(error, str(error.filename or "the workspace"), "What you gave")))


def refusal(said: str) -> Answer:
    """An answer that says what went wrong. Messages quote what they were given, and that may be a secret."""
    return Answer(outgoing(said), {}, failed=True)


# ---- what goes out -----------------------------------------------------------------------------------------------------


def outgoing(text: str) -> str:
    """A text that may leave: visible, disarmed, without secrets, and with a sign in place of bytes that are no UTF-8."""
    if len(text) < SHORT and text.isascii() and text.replace("_", "").isalpha():
        return text  # one short word, such as the name of a field: most of what leaves, and alone nothing that these would change
    return _same_again(text) if len(text) < _REPEATED else _made_fit(text)


@lru_cache(maxsize=512)
def _same_again(text: str) -> str:
    """For what ten hits of one search have in common: their days, headings and origins."""
    return _made_fit(text)


def _made_fit(text: str) -> str:
    return disarmed(visible(_without_secrets(text)))


def _without_secrets(text: str) -> str:
    """A text without secrets, and with a sign in place of bytes that are no UTF-8."""
    return redacted(text)[0].encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def as_data(value: Any) -> Any:
    """Data that may leave: every text in it, the names too, and a value as what its name makes of it."""
    if isinstance(value, str):
        return outgoing(value)
    if isinstance(value, dict):
        return {outgoing(str(name)): _beside(str(name), item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        if len(value) == 2 and isinstance(value[0], str):
            return [outgoing(value[0]), _beside(value[0], value[1])]
        return [as_data(item) for item in value]
    return value


def _beside(name: str, value: Any) -> Any:
    """A value that may leave: what is assigned to `password` need not look like a secret. Our own fields have plain names."""
    plain = not isinstance(value, str) or _is_plain(name)
    return as_data(value if plain else redacted_beside(name, value)[0])


@lru_cache(maxsize=256)
def _is_plain(name: str) -> bool:
    return harmless(name)


def in_frame(text: str, memory: Memory) -> str:
    """Memory between its two marks, as the brief has it."""
    fit = _without_secrets(text)
    return f"{framed(fit, memory.key())}{explain_changes(fit)}".rstrip("\n")


def part_of(text: str, start: int, again: str) -> tuple[str, str]:
    """(as much of a text as one answer holds, what to say about the rest)."""
    part = text[start : start + ROOM]
    if len(part) == len(text):
        return text, ""
    end = start + len(part)
    rest = f"; for more, {again} offset {end}" if end < len(text) else ""
    return part, f"[...TRUNCATED] Characters {start:,} to {end:,} of {len(text):,}{rest}. Tell the user what you did not read."


# ---- what comes in -----------------------------------------------------------------------------------------------------


def asked(tool: str, words: Words, given: Mapping[str, Any], text: str = "") -> Asked:
    """The arguments of a call as words. `text` names the one that a command takes without a flag."""
    takes = TOOLS[tool].takes
    flags = {name: value for name, value in words.flags.items() if name in ("workspace", "session")}
    texts: list[str] = []
    for name, value in given.items():
        if name not in takes:
            raise UserError(f"{tool} takes no {name}; it takes {', '.join(takes)}. Nothing was changed.")
        if isinstance(value, (list, dict)):
            raise UserError(f"{name} must be {takes[name]['type']}, not a list or an object. Nothing was changed.")
        if value is None or value is False or value == "":
            continue
        said = str(int(value) if isinstance(value, float) and value.is_integer() else value)
        if name == text:
            texts.append(said)
        else:
            flags["session" if name == "sessionId" else name.replace("_", "-")] = [said]
    return Asked(tool, texts, flags)


# ---- the tools ---------------------------------------------------------------------------------------------------------


def _told(saved: Saved, first: str) -> Answer:
    """What a save came to: the first line says that it is saved, the others what is to be known besides."""
    lines = [first]
    if saved.missing:
        lines.append(f"missing: {', '.join(saved.missing)} (`none` is an answer); it is saved all the same, call again with them")
    lines += [f"vague: {sentence}" for sentence in saved.vague]
    if saved.redacted:
        lines.append(f"redacted: {', '.join(sorted(set(saved.redacted)))}")
    if saved.waiting:
        lines.append(f"note: {saved.waiting}")
    data = {key: value for key, value in saved.__dict__.items() if value}
    return Answer(outgoing("\n".join(lines)), as_data(data))


def _checkpoint(words: Words, given: Mapping[str, Any], env: Mapping[str, str]) -> Answer:
    saved = commands.checkpointed(given, asked("checkpoint", words, {}), env, host=words.one("host", MCP))
    return _told(saved, f"saved  {saved.id}  checkpoint  {saved.said}")


def _context_snap(words: Words, given: Mapping[str, Any], env: Mapping[str, str]) -> Answer:
    """Seed A's tool, by its own names."""
    action = given.get("action")
    if action == "checkpoint":
        told = {name: value for name, value in given.items() if name not in ("action", "offset")}
        if not str(told.get("topic") or "").strip():
            raise UserError("checkpoint needs a topic: the name of the thread of work. Nothing was changed.")
        saved = commands.checkpointed(told, asked("context_snap", words, {}), env, host=words.one("host", MCP))
        answer = _told(saved.replaced(missing=(), vague=()), f"✅ Context saved: context-{saved.topic}.md")
        return answer.replaced(data={**answer.data, "action": action})
    asking = asked("context_snap", words, {name: given.get(name) for name in ("topic", "offset")}, text="topic")
    if action not in ("list", "read"):
        raise UserError("action must be checkpoint, list or read. Nothing was changed.")
    memory = commands.reading(asking, env)
    try:
        if action == "list":
            from ..commands.views import topic_list

            text, data = topic_list(memory, cli.session_of(asking, env))
            topics = [{"topic": file, **about} for file, about in data.items()]
            return Answer(in_frame(text, memory), {"action": action, "topics": as_data(topics)})
        topic = memory.topics.known(asking.text("which topic"), cli.session_of(asking, env))
        text, rest = part_of(memory.topics.text(topic), asking.number("offset", 0), "call context_snap read with")
        text = "\n".join(filter(None, (in_frame(text, memory), rest)))
        return Answer(text, {"action": action, "topic": outgoing(topic), "text": text})
    finally:
        memory.close()


def _recover(words: Words, given: Mapping[str, Any], env: Mapping[str, str]) -> Answer:
    from ..commands.recovering import recovered

    asking = asked("recover", words, given)
    brief, session, said = recovered(asking, env, lambda: commands.reading(asking, env))
    brief = redacted(brief)[0].encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    note = {"note": outgoing(said)} if said else {}
    return Answer(brief + (f"note: {note['note']}\n" if said else ""), {"brief": brief, "session": outgoing(session), **note})


def _search(words: Words, given: Mapping[str, Any], env: Mapping[str, str]) -> Answer:
    from ..commands.searching import found, told
    from ..recall import answering as recall

    asking = asked("search", words, given, text="query")
    result = found(asking, env)
    memory = cli.opened(asking, env, write=False)
    try:
        return Answer(in_frame(told(result, asking.text("what to look for"), PASSAGE), memory), as_data(recall.as_data(result)))
    finally:
        memory.close()


def _show(words: Words, given: Mapping[str, Any], env: Mapping[str, str]) -> Answer:
    asking = asked("show", words, given, text="what")
    what = asking.text("what to show: latest, state, an id, a topic or a day (2026-11-15, today)")
    text, rest = shown_in_frame(asking, env, what)
    text = "\n".join(filter(None, (text, rest)))
    return Answer(text, {"what": outgoing(what), "text": text})


def shown_in_frame(asking: Asked, env: Mapping[str, str], what: str) -> tuple[str, str]:
    """(one thing in its frame, what to say about the rest of it)."""
    from ..commands.views import shown

    memory = commands.reading(asking, env)
    try:
        text, _ = shown(memory, cli.session_of(asking, env), what)
        text, rest = part_of(text, asking.number("offset", 0), "call show with")
        return in_frame(text, memory), rest
    finally:
        memory.close()


def _note(words: Words, given: Mapping[str, Any], env: Mapping[str, str]) -> Answer:
    asking = asked("note", words, given, text="text")
    asking.flags["host"] = [words.one("host", MCP)]
    memory = cli.opened(asking, env, write=True)
    try:
        saved = cli.ONE_LINE["note"](memory, cli.session_of(asking, env), asking)
    finally:
        memory.close()
    return _told(saved, f"saved  {saved.id}  note")


def _status(words: Words, given: Mapping[str, Any], env: Mapping[str, str]) -> Answer:
    from ..commands.views import status

    asking = asked("status", words, given)
    memory = commands.reading(asking, env)
    try:
        text, data = status(memory, cli.session_of(asking, env))
        return Answer(in_frame(text, memory), as_data(data))
    finally:
        memory.close()


RUN: dict[str, Callable[[Words, Mapping[str, Any], Mapping[str, str]], Answer]] = {
    "recover": _recover,
    "checkpoint": _checkpoint,
    "context_snap": _context_snap,
    "note": _note,
    "search": _search,
    "show": _show,
    "status": _status,
}
