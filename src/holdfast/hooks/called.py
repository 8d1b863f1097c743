"""What is called by name in OpenClaw: the tools by the model, `/holdfast` by the user. The answer is a text, whatever happens."""

from __future__ import annotations

from .. import cli
from ..cli import Words
from ..commands import other as commands
from ..errors import HoldfastError, UserError, not_saved
from ..guard.entering import redacted, safe
from ..hosts.openclaw import HOST
from ..mcp.tools import called, refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ..hosts.openclaw import Said
    from ..memory import Memory

_HELP = "/holdfast [status] · save [TOPIC] · recall [WORDS]"


def spoken(said: Said, workspace: str, env: Mapping[str, str]) -> dict[str, Any]:
    """The answer to a call of a tool or a command."""
    flags = {"workspace": [workspace], "session": [said.session], "host": [HOST]}
    if said.event == "tool":
        # Whatever session the model names: it is the caller's own.
        given = {name: value for name, value in said.given.items() if name not in ("session", "sessionId")}
        name = {"holdfast_checkpoint": "checkpoint", "context_snap": "context_snap"}.get(said.tool, "")
        if said.tool == "holdfast_recall":
            name = "search" if str(given.get("query") or "").strip() else "recover"
            given = {key: value for key, value in given.items() if name == "search" and key != "max_chars"}
        answer = called(name, Words(name, [], flags), given, env) if name else refusal(f"There is no tool {said.tool[:80]}.")
        return {"text": answer.text, **({"failed": True} if answer.failed else {})}
    try:
        return {"text": redacted(_command(said, Words("", [], flags), env))[0]}
    except HoldfastError as error:
        return {"text": redacted(str(error))[0], "failed": True}
    except OSError as error:
        said_why = not_saved(error, str(error.filename or workspace), "What you asked for")
        return {"text": redacted(str(said_why))[0], "failed": True}


def _command(said: Said, words: Words, env: Mapping[str, str]) -> str:
    verb, _, rest = said.words.strip().partition(" ")
    words.texts = [rest.strip()] if rest.strip() else []
    words.command = verb or "status"
    if words.command == "save":
        return _saved(said, words, env)
    if words.command == "recall" and words.texts:
        from ..commands.searching import found, told

        return told(found(words, env))
    if words.command == "recall":
        from ..commands.recovering import recovered

        return recovered(words, env, lambda: commands.reading(words, env))[0]
    if words.command == "status":
        from ..commands.views import status

        memory = commands.reading(words, env)
        try:
            return status(memory, said.session)[0]
        finally:
            memory.close()
    raise UserError(f"There is no /holdfast {verb[:40]}. {_HELP}. Nothing was changed.")


def _saved(said: Said, words: Words, env: Mapping[str, str]) -> str:
    """The working state as the transcript tells it, saved now and told in the day."""
    memory = cli.opened(words, env, write=True)
    try:
        if words.texts:
            memory.bind(said.session, safe(words.texts[0]))  # it becomes the name of a file
        saved = memory.capture(said.session, said.transcript, host=HOST, trigger="user", history="Saved by the user")
        topic = memory.topics.bound_to(said.session)
        page = [f"{memory.config.contextDir}/context-{topic}.md"] if topic else []
        if saved:
            return f"Saved {saved.id}: {', '.join([_day_of(memory, saved.id), 'memory/session-state.md', *page])}"
        if words.texts:
            memory.log(said.session, "Saved by the user")
        newest = memory.latest(said.session)
        since = f"the newest checkpoint is {newest.id}" if newest else "there is nothing in this session yet that is worth one"
        where = [] if newest is None or newest.ends_a_turn else [f", in {_day_of(memory, newest.id)}"]
        bound = f"Bound to the topic {topic}: {page[0]}. " if words.texts and topic else ""
        return f"{bound}Nothing new to save: {since}{''.join(where)}."
    finally:
        memory.close()


def _day_of(memory: Memory, record_id: str) -> str:
    """The file of the day that a record lies in."""
    return "/".join(memory.days.path(f"{record_id[:4]}-{record_id[4:6]}-{record_id[6:8]}"))
