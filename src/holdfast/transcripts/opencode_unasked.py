"""What opencode says to its agent in the user's place: a message of which every part is the host's, or a plugin's (`synthetic`).

It lets the agent go on after a compaction or with what a subagent brought, and tells that one in the background has come back. A
few such messages are a person's doing, told by the host: a command of their own, another folder, a yes to a plan.
"""

from __future__ import annotations

import re

from . import Event
from .words import dict_of, text_of, without_ours

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

OWN_SHELL = "The following tool was executed by the user"
_DONE_BY_A_PERSON = (OWN_SHELL, "<system-reminder>The user has changed the current working directory to ", "The plan at ")
_TASK = re.compile(r'<task id="([\w-]{1,100})" state="(running|completed|error)">\n')
_RESULT = re.compile(r"(?s)<(task_result|task_error)>(.*)</\1>")


def goes_on(state: dict[str, Any], output: str) -> str:
    """The session of a subagent that goes on in the background, where a call came back with no more than that."""
    task = _TASK.match(output)
    return task[1] if task and task[2] == "running" and dict_of(state.get("metadata")).get("background") is True else ""


def is_unasked(part: dict[str, Any], others: list[dict[str, Any]]) -> bool:
    """Whether a part, with the others of its message, is nobody's word and nobody's doing."""
    text = without_ours(text_of(part.get("text")).strip())  # our own brief lets nobody go on
    is_hosts = all(other.get("type") == "text" and other.get("synthetic") for other in (part, *others))
    return bool(text) and is_hosts and not text.startswith(_DONE_BY_A_PERSON)


def came_back(part: dict[str, Any], calls: dict[str, Any], time: str) -> list[Event]:
    """What a subagent in the background came to, as the answer to the call that began it."""
    text = text_of(part.get("text"))
    task, found = _TASK.match(text), _RESULT.search(text)
    if not task or not found or not text_of(calls.get(task[1])):
        return []
    back = Event("result", without_ours(found[2]).strip(), time=time, call=text_of(calls[task[1]]), failed=task[2] == "error")
    back.agent = task[1]
    return [back]
