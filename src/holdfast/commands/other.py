"""The commands that are not on the path of a hook: from checkpoint, recover and import to redact, write, init and demo."""

from __future__ import annotations

import os
import sys

from .. import cli
from ..errors import UserError
from ..model import MANDATORY, TEXTS, is_none

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from ..cli import Words
    from ..memory import Memory
    from ..storage.writing import Saved

# What a checkpoint calls its fields, on the command line and in JSON, and what the model calls them.
FIELDS = {
    "exchange": "exchanges", "decision": "decisions", "in-flight": "in_flight", "correction": "corrections", "file": "files",
    "name": "names", "blocker": "blockers", "question": "questions", "next": "next_steps", "next-step": "next_steps",
    "next-steps": "next_steps", "unanswered": "unanswered", "done": "done", "timeline": "timeline", "pending": "pending",
    "context": "context",
}  # fmt: skip


_SECRETS_NAMED = 5  # secrets of a text that are named where it is refused


def reading(words: Words, env: Mapping[str, str]) -> Memory:
    """Memory for a command that only reads; documents that a crash left behind catch up first, where that is possible."""
    from ..errors import HoldfastError

    memory = cli.opened(words, env, write=False)
    if memory.is_behind():
        try:
            writing = cli.opened(words, env, write=True)
            writing.catch_up()
            writing.close()
        except (HoldfastError, OSError):
            pass  # reading goes on with what is there; the next writing command says what is wrong
    return memory


def _done_with(memory: Memory) -> None:
    """Give it back. What is to be known of what was met and not read goes to stderr."""
    for sentence in memory.store.not_read():
        print(f"note: {sentence}", file=sys.stderr)
    memory.close()


# ---- checkpoint --------------------------------------------------------------------------------------------------------


def run_checkpoint(words: Words, env: Mapping[str, str]) -> int:
    """Save the whole working state."""
    if words.texts not in ([], ["-"]):
        raise UserError("checkpoint takes flags, or JSON on stdin with `-`, and no loose words. Nothing was changed.")
    told: dict[str, Any] = {name: list(values) for name, values in words.flags.items() if name not in cli.ANYWHERE}
    if words.texts:
        told = {**_json_from_stdin(), **told}
    if words.has("session"):
        told["session"] = words.one("session")
    return cli.acknowledged(checkpointed(told, words, env), words)


def checkpointed(told: Mapping[str, Any], words: Words, env: Mapping[str, str], **more: str) -> Saved:
    """The checkpoint of what flags, JSON or a tool's arguments tell."""
    given, topic, history, about = understood(told)
    session = about.pop("session", "") or cli.session_of(words, env)
    memory = cli.opened(words, env, write=True)
    try:
        if not (given or topic or history):
            saved = _from_transcript(memory, session, words, env)
            if saved:
                return _with_its_files(saved)
        if not (given or topic or history) and memory.state(session).empty:  # else the state is saved as it stands
            asked = ", ".join(name.replace("_", "-").removesuffix("s") for name in MANDATORY)
            raise UserError(
                f"There is nothing to save: nothing was given, and nothing is set. Nothing was changed. Say at least {asked} "
                "(`none` is an answer); `holdfast help checkpoint` shows what else there is."
            )
        saved = memory.checkpoint(session, given, topic=topic, history=history, **about, **more)
    finally:
        cli.warn_of_settings(memory.config)
        memory.close()
    return _with_its_files(saved)


def _with_its_files(saved: Saved) -> Saved:
    files = [f"context-{saved.topic}.md"] if saved.topic else []
    said = [f"{saved.day}.md", "session-state.md", *files, saved.said]
    return saved.replaced(said="  ".join(filter(None, said)))


def _from_transcript(memory: Memory, session: str, words: Words, env: Mapping[str, str]) -> Saved | None:
    """The checkpoint of a session that a host has, where somebody asks for one and says nothing else; None where there is no
    transcript, or nothing new in it.
    """
    from ..capture.whereabouts import of_session
    from ..config import own_session

    if not (words.has("session") or own_session(env)[0]):
        return None
    found = of_session(session, words.one("host"), env)
    if not found or not found.path:
        return None
    return memory.capture(session, found.path, host=found.host, trigger="user", history="Saved by the user", asked=True)


def _json_from_stdin() -> dict[str, Any]:
    import json

    try:
        found = json.loads(sys.stdin.buffer.read().decode("utf-8", "surrogateescape").lstrip("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise UserError(f"Stdin has no JSON: {error}. Nothing was saved; everything saved before is intact.") from error
    if not isinstance(found, dict):
        raise UserError("The JSON on stdin must be an object with the names of the flags. Nothing was saved.")
    return found


def understood(told: Mapping[str, Any]) -> tuple[dict[str, Any], str, tuple[str, ...], dict[str, str]]:
    """Flags or JSON → (fields, topic, history lines, about). A name that is not known is kept as context, not lost."""
    from ..model import one_line, session_key

    given: dict[str, Any] = {}
    topic = ""
    history: tuple[str, ...] = ()
    about: dict[str, str] = {}
    for key, value in told.items():
        name = key.replace("_", "-")
        if name == "topic":
            topic = one_line(_last(value))
        elif name in ("history", "historyLine"):
            history = tuple(_listed(value))
        elif name in ("session", "sessionId"):
            about["session"] = session_key(_last(value)) if value else ""
        elif name == "trigger":
            about["trigger"] = "".join(c for c in one_line(_last(value)) if c.isalnum() or c in " -_")[:60] or "agent"
        elif name == "blocked":
            said = _last(value)
            given[name] = {"true": "yes", "false": "no"}.get(said.casefold(), said)
        elif name in TEXTS:
            given[name] = "\n".join(_listed(value)) if name == "code" else _last(value)
        else:
            field = FIELDS.get(name) or FIELDS.get(name.removesuffix("s"))
            if field:
                given[field] = (*given.get(field, ()), *(() if _is_none(value) else _values(field, value)))
            else:
                given["context"] = (*given.get("context", ()), (key, "\n".join(_listed(value))))
    return given, topic, history, about


def _is_none(value: Any) -> bool:
    """Whether a list is given as `none`: then it is cleared."""
    return all(is_none(text) for text in _listed(value))


def _last(value: Any) -> str:
    """The text of a field that has one."""
    texts = _listed(value)
    return texts[-1] if texts else ""


def _listed(value: Any, depth: int = 0) -> list[str]:
    """The texts of a field, however they were given."""
    if depth > 100:
        raise UserError("The JSON is nested more than a hundred levels deep. Nothing was saved; give lists of texts.")
    if value is None:
        return []
    if isinstance(value, (list, tuple)):
        return [text for item in value for text in _listed(item, depth + 1)]
    if isinstance(value, dict):
        return ["; ".join(f"{key}: {' '.join(_listed(item, depth + 1))}" for key, item in value.items())]
    return [str(value)]


def _values(field: str, value: Any) -> Iterable[Any]:
    """The items of a list field, in the form that the model has."""
    from ..documents.codecs import action_pair, file_pair, name_pair

    if field == "context" and isinstance(value, dict):
        return [(key, " ".join(_listed(item))) for key, item in value.items()]
    items = value if isinstance(value, (list, tuple)) else [value]
    if field == "files":
        return [_two(item, "path", "what") or file_pair(_last(item)) for item in items]
    if field == "names":
        return [_two(item, "kind", "value") or name_pair(_last(item)) for item in items]
    if field == "pending":
        return [action_pair(text) for text in _listed(items)]
    if field == "context":
        return [tuple(text.partition(":")[::2]) for text in _listed(items)]
    return _listed(items)


def _two(item: Any, first: str, second: str) -> tuple[str, str] | None:
    if isinstance(item, dict) and first in item:
        return _last(item[first]), _last(item.get(second))
    return None


# ---- reading -----------------------------------------------------------------------------------------------------------


def run_recover(words: Words, env: Mapping[str, str]) -> int:
    """Print the brief; what the session's transcript has more than the journal is brought in first."""
    from .recovering import recovered

    brief, session, said = recovered(words, env, lambda: reading(words, env))
    tell_of_untrusted(cli.workspace_of(words, env), env)
    if said:
        print(f"note: {said}", file=sys.stderr)
    if words.has("json"):
        brief = cli.in_json({"brief": brief, "session": session, **({"note": said} if said else {})}) + "\n"
    print(brief, end="")
    return 0


def run_sessions(words: Words, env: Mapping[str, str]) -> int:
    """Print what the sessions of the last days have left open."""
    from ..briefing.threads import as_data, show_threads
    from .recovering import listed_threads

    memory = reading(words, env)
    try:
        threads = listed_threads(memory, words, env)
        text = show_threads(threads) or "no session of the last days has left anything here"
        return _print_clean(text, {"sessions": as_data(threads)}, words, memory)
    finally:
        _done_with(memory)


def run_pause(words: Words, env: Mapping[str, str]) -> int:
    """Have hooks do nothing here."""
    memory = cli.opened(words, env, write=True)
    try:
        memory.pause()
        where, since = memory.workspace, memory.paused_since
    finally:
        memory.close()
    told = f"paused  {where}: hooks save nothing and give nothing until `holdfast resume`; your own commands work as ever"
    return _printed(told, {"workspace": where, "paused": since}, words)


def run_resume(words: Words, env: Mapping[str, str]) -> int:
    """Have hooks do their work here again."""
    memory = cli.opened(words, env, write=True)
    try:
        was, where = memory.resume(), memory.workspace
    finally:
        memory.close()
    told = f"resumed  {where}: hooks save and give again" if was else f"{where} was not paused. Nothing was changed."
    return _printed(told, {"workspace": where, "was_paused": was}, words)


def run_import(words: Words, env: Mapping[str, str]) -> int:
    """Bring in the sessions that are on this machine."""
    from .importing import imported

    return imported(words, env)


def run_show(words: Words, env: Mapping[str, str]) -> int:
    """Print one thing, whole."""
    from .views import shown

    if len(words.texts) != 1:
        raise UserError("Say what to show: `holdfast show latest`, `state`, an ID, a TOPIC or a DAY (2026-11-15, today).")
    memory = reading(words, env)
    try:
        session = _session_to_show(memory, words, env) if words.texts[0] == "state" else cli.session_of(words, env)
        return _print_clean(*shown(memory, session, words.texts[0]), words, memory)
    finally:
        _done_with(memory)


def _session_to_show(memory: Memory, words: Words, env: Mapping[str, str]) -> str:
    """The session that is named, or that we run in; at a terminal, the newest one of this workspace."""
    from ..config import own_session
    from .views import newest_session

    named = words.has("session") or own_session(env)[0]
    return cli.session_of(words, env) if named else newest_session(memory)


def run_tail(words: Words, env: Mapping[str, str]) -> int:
    """Print the end of a transcript, or one entry of it whole. No workspace is needed, and nothing is written."""
    from ..capture import tail
    from ..transcripts import Transcript

    if len(words.texts) > 1:
        raise UserError("tail takes one session or one file: `holdfast tail [SESSION|FILE]`. Nothing was changed.")
    entries = words.number("entries", tail.ENTRIES, 1)
    chars, limit = words.number("entry-chars", tail.ENTRY_CHARS, 1), words.number("max-chars", tail.MAX_CHARS, 200)
    try:
        here = words.one("workspace") or os.getcwd()
    except OSError:
        here = ""  # the folder that we stand in is gone; sessions are still there
    chosen = tail.chosen((words.texts or [""])[0], words.one("session"), words.one("host"), env, here)
    with Transcript(chosen.path, host=chosen.host, session=chosen.session) as transcript:
        if words.has("full"):
            text, data, aside = tail.full_view(transcript, words.one("full"), raw=words.has("raw"))
        else:
            text, data, aside = tail.view(transcript, chosen, entries, chars, limit, raw=words.has("raw"))
    for line in aside:
        print(line, file=sys.stderr)
    return _printed(text, data, words)


def run_status(words: Words, env: Mapping[str, str]) -> int:
    """Print what is known and what to do next."""
    from .views import status

    memory = reading(words, env)
    tell_of_untrusted(memory.workspace, env)
    try:
        return _print_clean(*status(memory, _session_to_show(memory, words, env)), words, memory)
    finally:
        _done_with(memory)


def tell_of_untrusted(workspace: str, env: Mapping[str, str]) -> None:
    """Who has cloned a workspace, or moved one, wants to know why it is not the one that is used."""
    from ..config import project_folder, trusted_workspaces, untrusted_folder
    from ..guard.entering import printable

    here = cli.here()
    is_by_project = workspace == project_folder(env, here) and workspace not in trusted_workspaces(env)
    folder, name = untrusted_folder(env, here) if is_by_project else ("", "")
    if folder:
        told = f"has a {name}/ that you have not trusted; it has no effect before you run `holdfast init` there."
        print(f"note: {printable(folder)} {told}", file=sys.stderr)


def _printed(text: str, data: Mapping[str, Any] | list[Any], words: Words) -> int:
    if words.has("json"):
        text = cli.in_json(data, indent=2)
    print(text.rstrip("\n"))
    return 0


def _print_clean(text: str, data: Mapping[str, Any] | list[Any], words: Words, memory: Memory) -> int:
    """Print what memory has, without the secrets that a person wrote into it by hand."""
    from ..guard.entering import data_without_secrets, without_secrets

    if words.has("json"):
        return _printed("", data_without_secrets(data, memory.key), words)
    return _printed(without_secrets(text, memory.key), data, words)


def run_restore(words: Words, env: Mapping[str, str]) -> int:
    """Bring a kept working state back, or list what is kept."""
    if words.has("list"):
        memory = reading(words, env)
        names = memory.snapshots()
        _done_with(memory)
        return _printed("\n".join(names) or "no snapshots yet; `holdfast snapshot` makes one", {"snapshots": names}, words)
    memory = cli.opened(words, env, write=True)
    try:
        return cli.acknowledged(memory.restore(cli.session_of(words, env), " ".join(words.texts)), words)
    finally:
        memory.close()


# ---- topics, cache, files ----------------------------------------------------------------------------------------------


def run_topic(words: Words, env: Mapping[str, str]) -> int:
    """list, read, bind, unbind, rename."""
    from .views import topic_list

    action, rest = (words.texts or ["list"])[0], words.texts[1:]
    wanted = {"list": 0, "read": 1, "bind": 1, "unbind": 0, "rename": 2}
    if action not in wanted or len(rest) != wanted[action]:
        raise UserError("topic takes: list | read NAME | bind NAME | unbind | rename OLD NEW. Nothing was changed.")
    session = cli.session_of(words, env)
    if action in ("list", "read"):
        memory = reading(words, env)
        try:
            if action == "list":
                return _print_clean(*topic_list(memory, session), words, memory)
            file, text = memory.topics.read(rest[0], session)
            return _print_clean(text, {"topic": file, "text": text}, words, memory)
        finally:
            _done_with(memory)
    from ..config import own_session
    from ..guard.entering import safe

    rest = [safe(name) for name in rest]
    memory = cli.opened(words, env, write=True)
    try:
        shared = not own_session(env)[0]  # at a terminal the owner says it, and may share a topic with a room
        if action == "rename":
            saved = memory.rename_topic(session, *rest)
        else:
            saved = memory.bind(session, rest[0] if rest else None, shared=shared)
        said = {"bind": f"{session} → {saved.topic}", "unbind": f"{session} is bound to no topic", "rename": f"now {saved.topic}"}
        return cli.acknowledged(saved.replaced(said=said[action]), words)
    finally:
        memory.close()


def run_cache(words: Words, env: Mapping[str, str]) -> int:
    """Values for this session only."""
    from ..guard.entering import safe
    from ..storage.cache import Cache

    action, rest = (words.texts or [""])[0], words.texts[1:]
    cache = Cache(env, cli.workspace_of(words, env), cli.session_of(words, env))
    if action == "set" and len(rest) >= 2:
        key, value = rest[0], " ".join(rest[1:])
        safe(f"{key}: {value}")  # `password` and `hunter2` show what they are only when they stand together
        memory = cli.opened(words, env, write=False)
        cache.set(*memory.without_forgotten((safe(key), safe(value))))
        memory.close()
    elif action == "get" and len(rest) == 1:
        print(cache.get(rest[0]))
    elif action == "list" and not rest:
        found = cache.all()
        return _printed("\n".join(f"{k}: {v}" for k, v in found.items()), found, words)
    elif action == "clear" and not rest:
        cache.clear()
    else:
        raise UserError("cache takes: set KEY VALUE | get KEY | list | clear. Nothing was changed.")
    return 0


def run_write(words: Words, env: Mapping[str, str]) -> int:
    """Write a file of the workspace from stdin."""
    if len(words.texts) != 1:
        raise UserError("Say which file: `… | holdfast write notes/plan.md`. Nothing was written.")
    data = sys.stdin.buffer.read()
    _refuse_secrets(data)
    memory = cli.opened(words, env, write=True)
    try:
        memory.write_file(words.texts[0], data)
    finally:
        memory.close()
    print(f"wrote  {words.texts[0]}  {len(data)} bytes")
    return 0


def _refuse_secrets(data: bytes) -> None:
    """Raise where a file has a secret in it, between marks for what is private too: every byte of it would be written."""
    from ..errors import SecretRefused
    from ..guard.private_keys import KIND, has_header
    from ..guard.redaction import secrets_in

    text = data.decode("utf-8", "surrogateescape")
    lines = {text.count("\n", 0, start) + 1: kind for start, _, kind, _ in secrets_in(text)[:_SECRETS_NAMED]}
    found = [f"line {line}: {kind}" for line, kind in sorted(lines.items())]
    if not found and "BEGIN" in text and has_header(text):
        found = [KIND]
    if found:
        raise SecretRefused(
            f"Not written: the text has what looks like a secret in it ({', '.join(found)}).\n"
            "Nothing was changed; what stands in the file is as it was. Say where the secret is kept instead of what it is, "
            "and run the command again. `holdfast redact` puts a placeholder in its place."
        )


def run_extract(words: Words, env: Mapping[str, str]) -> int:
    """What is worth remembering; or the prompt for a model, or its answer."""
    from .remembering import remember

    return remember(words, env)


def run_redact(words: Words, env: Mapping[str, str]) -> int:
    """Standard input to standard output through the guard; or what was found and where, without the text."""
    if words.texts:
        raise UserError("redact reads standard input: `holdfast redact < notes.txt`. Nothing was changed.")
    text = sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
    if words.has("json") or words.has("check"):
        from ..guard.redaction import places

        found = [dict(zip(("kind", "line", "start", "end"), place, strict=True)) for place in places(text)]
        _printed("\n".join(f"line {place['line']}: {place['kind']}" for place in found), found, words)
        return int(bool(found) and words.has("check"))
    from ..guard.entering import redacted

    sys.stdout.write(redacted(text, lambda: _key(words, env))[0])
    return 0


def _key(words: Words, env: Mapping[str, str]) -> bytes:
    """The workspace's key. Where there can be no workspace, placeholders are stable within this run alone."""
    from ..errors import HoldfastError

    try:
        memory = cli.opened(words, env, write=True)
    except (HoldfastError, OSError):
        return os.urandom(32)
    try:
        return memory.key()
    finally:
        memory.close()


def run_mcp(words: Words, env: Mapping[str, str]) -> int:
    """Serve the tools to an MCP client, until it closes our standard input."""
    try:
        from ..mcp.server import serve
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] == __name__.split(".")[0]:
            raise  # a fault of ours, which no install mends
        raise UserError(
            f"`holdfast mcp` speaks by the MCP SDK, and {error.name} is not installed here. Nothing was changed. "
            "Install it with: pip install 'holdfast[mcp]'"
        ) from error
    return serve(words, env)


def run_init(words: Words, env: Mapping[str, str]) -> int:
    """Set up a workspace, or a host."""
    if words.texts:
        from .installing import install

        return install(words, env)
    from .setting_up import set_up

    return set_up(words, env)


def run_demo(_words: Words, env: Mapping[str, str]) -> int:
    """The whole story in one go."""
    from .demo import tell

    return tell(env)
