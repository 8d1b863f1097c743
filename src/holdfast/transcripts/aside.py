"""What other agents did for this one: the files that a subagent changed are changed files of the work, and told as its doing.

Hosts keep what a subagent does apart: opencode in a session of its own, the others in a file beside that of the session.
All else that it said, planned and ran is its own; what it came to, the tool that called it brings back.

Claude Code  `<session>/subagents/agent-<id>.jsonl`; before, `agent-<id>.jsonl` beside the session; those of a workflow
             `<session>/subagents/workflows/<run>/agent-<id>.jsonl`
Codex        `sessions/YYYY/MM/DD/rollout-<time>-<thread>.jsonl`, of the day on which it was spawned; its id begins with that time
Gemini CLI   `chats/<session>/<id>.jsonl`
"""

from __future__ import annotations

import os
import re

from . import Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from . import Reader

DEEPEST = 4  # agents, one below the other
_BY = "a subagent"
_NAME = re.compile(r"[\w.-]{1,128}")


def changes(events: Iterable[Event]) -> list[Event]:
    """Of what another agent did, what it did to files: the calls that change some, and what came of them."""
    found: list[Event] = []
    waiting: dict[str, str] = {}
    for event in events:
        if event.by:
            found.append(event)
        elif event.kind == "forked":
            found, waiting = [], {}  # all before it was done by the agent that called it
        elif event.kind == "call" and (event.edits or event.moves or _moves_files(event.command)):
            waiting[event.call] = f"{_BY} {event.call}"
            found.append(_of_another(event, waiting[event.call]))
        elif event.kind == "result" and event.call in waiting:
            found.append(_of_another(event, waiting.pop(event.call)))
    return found


def inline(events: Iterable[Event]) -> list[Event]:
    """The same of events that stand among those of the session; what came back may have been called in another line."""
    acts = [event for event in events if event.kind == "result" or (event.kind == "call" and (event.edits or event.moves))]
    return [_of_another(event, f"{_BY} {event.call}") for event in acts]


def _moves_files(command: str) -> bool:
    return "rm " in command or "mv " in command or "checkout" in command or "restore" in command


def _of_another(event: Event, call: str) -> Event:
    event.by, event.call = _BY, call  # its calls may be numbered as ours are
    return event


def members(path: str, host: str, agent: str) -> list[str]:
    """The agents that a name stands for: those of a workflow by the name of its run, each behind that; of any other, itself."""
    if host != "claude-code" or not agent.startswith("wf_") or not _NAME.fullmatch(agent):
        return [agent]
    names = sorted(_names(os.path.join(path.removesuffix(".jsonl"), "subagents", "workflows", agent)))
    return [f"{agent}.{name[6:-6]}" for name in names if name.startswith("agent-") and name.endswith(".jsonl")]


def read(path: str, host: str, agent: str, start: Any, depth: int) -> tuple[list[Event], Any]:
    """The changes of an agent since a position, and how far it was read now; none where its transcript is not found."""
    if depth >= DEEPEST or not _NAME.fullmatch(agent):
        return [], start
    there = next((place for place in _places(path, host, agent) if os.path.isfile(place)), "")
    if not there or there == path:
        return [], start
    from . import Tally
    from .files import Lines, reader_of

    reader = reader_of(host)
    try:
        with open(there, "rb") as file:
            lines = Lines(os.dup(file.fileno()), _Own(reader) if reader else None, Tally(), there, host, depth + 1)
    except OSError:
        return [], start
    try:
        return changes(lines.events(start)), lines.position
    finally:
        lines.close()


class _Own:
    """A reader to which the lines of a subagent are those of the session."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.trimmed = getattr(reader, "trimmed", None)

    @property
    def state(self) -> dict[str, Any]:
        return self._reader.state

    @state.setter
    def state(self, state: dict[str, Any]) -> None:
        self._reader.state = state

    def events(self, entry: dict[str, Any]) -> list[Event] | None:
        """The events of one line."""
        entry.pop("isSidechain", None)
        return self._reader.events(entry)


def _places(path: str, host: str, agent: str) -> Iterator[str]:
    folder = os.path.dirname(path)
    if host == "claude-code":
        run, _, own = agent.rpartition(".")
        below = os.path.join(path.removesuffix(".jsonl"), "subagents", *(("workflows", run) if run else ()))
        yield os.path.join(below, f"agent-{own}.jsonl")
        yield os.path.join(folder, f"agent-{agent}.jsonl")
    elif host == "gemini":
        yield from (os.path.join(folder, name, f"{agent}.jsonl") for name in _folders(folder))
    elif host == "codex":
        for day in _days(folder, agent):
            yield from (os.path.join(day, name) for name in _names(day) if name.endswith(f"-{agent}.jsonl"))


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _folders(folder: str) -> list[str]:
    return [name for name in _names(folder) if not name.endswith((".json", ".jsonl"))]


def _days(folder: str, agent: str) -> Iterator[str]:
    """The folder of the session, and those of the days around the time with which an id begins: its zone is not known."""
    from time import gmtime, strftime

    yield folder
    digits = agent.replace("-", "")[:12]
    root = os.path.dirname(os.path.dirname(os.path.dirname(folder)))
    if re.fullmatch("[0-9a-f]{12}", digits):
        for day in (0, -1, 1):
            yield os.path.join(root, strftime("%Y/%m/%d", gmtime(min(int(digits, 16) / 1000, 4e9) + day * 86_400)))
