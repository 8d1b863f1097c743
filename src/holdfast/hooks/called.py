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

_HELP = "/holdfast [status] · save [TOPIC] · recall [WORDS | back [N]]"
_ONE_BACK = ("back", "before", "previous", "the previous", "the previous one", "one before", "the one before", "上一个", "上一次",
             "上一份", "前一个", "前一次")  # fmt: skip


def spoken(said: Said, workspace: str, env: Mapping[str, str]) -> dict[str, Any]:
    """The answer to a call of a tool or a command."""
    flags = {"workspace": [workspace], "session": [said.session], "host": [HOST]}
    if said.event == "tool":
        # Whatever session the model names: it is the caller's own.
        given = {name: value for name, value in said.given.items() if name not in ("session", "sessionId")}
        name = {"holdfast_checkpoint": "checkpoint", "context_snap": "context_snap"}.get(said.tool, "")
        if said.tool == "holdfast_recall":
            name = "search" if str(given.get("query") or "").strip() else "recover"
            takes = ("back",) if name == "recover" else [key for key in given if key not in ("max_chars", "back")]
            given = {key: value for key, value in given.items() if key in takes}
        answer = called(name, Words(name, [], flags), given, env) if name else refusal(f"There is no tool {said.tool[:80]}.")
        return {"text": answer.text, **({"failed": True} if answer.failed else {})}
    try:
        text, goes_on = _command(said, Words("", [], flags), env)
        return {"text": redacted(text)[0], **({"goOn": True} if goes_on else {})}
    except HoldfastError as error:
        return {"text": redacted(str(error))[0], "failed": True}
    except OSError as error:
        said_why = not_saved(error, str(error.filename or workspace), "What you asked for")
        return {"text": redacted(str(said_why))[0], "failed": True}


def _command(said: Said, words: Words, env: Mapping[str, str]) -> tuple[str, bool]:
    """(the answer to the user, whether the agent is to go on from it). A save goes on: the next prompt hook has the template."""
    if said.words.split()[:1] == ["save"]:
        return _save(said, words, env), True
    return _show(said, words, env), False


def _show(said: Said, words: Words, env: Mapping[str, str]) -> str:
    verb, _, rest = said.words.strip().partition(" ")
    words.texts = [rest.strip()] if rest.strip() else []
    words.command = verb or "status"
    back = steps_back(rest)
    if words.command == "recall" and words.texts and not back:
        from ..commands.searching import found, told

        return told(found(words, env))
    if words.command == "recall":
        from ..commands.recovering import recovered

        words.texts, words.flags = [], {**words.flags, "back": [str(back)]}
        return recovered(words, env, lambda: commands.reading(words, env))[0]
    if words.command == "status":
        from ..commands.views import status

        memory = commands.reading(words, env)
        try:
            return status(memory, said.session)[0]
        finally:
            memory.close()
    raise UserError(f"There is no /holdfast {verb[:40]}. {_HELP}. Nothing was changed.")


def steps_back(words: str) -> int:
    """How many snapshots before the newest one are asked for: `back`, `back 2`, `--back 2`, `2`, `the one before`; 0: none."""
    said = words.strip().lower().replace("=", " ").removeprefix("--")
    if said in _ONE_BACK:
        return 1
    number = said.removeprefix("back").strip()
    return int(number) if number.isascii() and number.isdigit() and len(number) < 3 else 0


def _save(said: Said, words: Words, env: Mapping[str, str]) -> str:
    """Save what the transcript and the working state have, now."""
    from .explicit_save import save_now

    topic = " ".join(said.words.split()[1:])
    memory = cli.opened(words, env, write=True)
    try:
        return str(save_now(memory, said.session, said.transcript, HOST, topic=safe(topic)))  # it becomes the name of a file
    finally:
        memory.close()
