"""What lets an agent of Claude Code go on by itself: what it has arranged to be told later, by jobs (`CronCreate`) and a wake-up
(`ScheduleWakeup`), and the aim without which the host does not let it stop (`/goal`, written down as `goal_status`).

When the time has come, the host puts the prompt into its queue just as it puts a person's words there, and says only when it is
delivered that nobody spoke (`turnOrigin`, `isMeta`). Taken for the user's, it would be what they ask for, once a minute, and an
answer to what the agent asked. So what was arranged in this session is known by its words. A job of another session is not: it
is taken for the user's, and taken back when it is delivered.
"""

from __future__ import annotations

import re

from . import Event
from .words import dict_of, joined, mark_of, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_KNOWN = 50  # prompts that are known at a time
_JOB = r"Scheduled (?:recurring job|one-shot task) ([\w-]+) \(([^()]{1,100})\)"
_WAKEUP, _STOPPED = r"Next wakeup scheduled for (\d\d:\d\d(?::\d\d)?)", "Loop stopped — any dynamic loop"


def called(event: Event, given: dict[str, Any]) -> None:
    """A call that arranges something: what it is for, the prompt as it will come, and whether it comes only once."""
    prompt = text_of(given.get("prompt")).strip()
    if event.tool == "CronCreate" and prompt:
        event.purpose, event.later = " ".join(prompt.split()), (prompt, given.get("recurring") is False)
    elif event.tool == "ScheduleWakeup" and prompt:
        event.purpose, event.later = text_of(given.get("reason")), (prompt, True)


def set_up(text: str, call: str, time: str) -> Event | None:
    """That it is arranged, by what the call gave back: `purpose` says when. There is one wake-up at a time, without a name."""
    if found := re.match(_JOB, text):
        return Event("arranged", found[1], time=time, call=call, purpose=found[2])
    if found := re.match(_WAKEUP, text):
        return Event("arranged", time=time, call=call, purpose=f"at {found[1]}")
    return Event("arranged", time=time, call=call) if text.startswith(_STOPPED) else None


def aimed(status: dict[str, Any], time: str) -> Event:
    """What the host checks before the agent may stop, and what it found wanting; nothing where it holds, or was given up."""
    over = status.get("met") is True or status.get("failed") is True
    aim, lacks = text_of(status.get("condition")), text_of(status.get("reason"))
    return Event("aim", "" if over else aim, time=time, purpose="" if over else lacks)


def come(found: list[Event], entry: dict[str, Any], state: dict[str, Any]) -> tuple[list[Event], dict[str, Any]]:
    """The events without words that nobody said, and what to remember then."""
    prompts = dict_of(state.get("prompts"))
    for event in found:
        if event.later:
            prompts = dict([*prompts.items(), (mark_of(event.later[0]), [event.call, event.later[1]])][-_KNOWN:])
            state = {**state, "prompts": prompts}
    if entry.get("type") == "user" and (entry.get("isMeta") or not found or found[0].kind == "woken"):
        return _taken_back(found, entry, state)
    if not found or found[0].kind != "user" or "turnOrigin" in entry:  # who typed the same words has said them
        return found, state
    known = prompts.get(mark_of(found[0].text))
    if not isinstance(known, list) or len(known) != 2:
        return found, state
    over = [Event("ended", time=found[0].time, call=text_of(known[0]))] if known[1] else []
    return [Event("woken", time=found[0].time), *over], state


def _taken_back(found: list[Event], entry: dict[str, Any], state: dict[str, Any]) -> tuple[list[Event], dict[str, Any]]:
    """What was taken for the user's when it was queued, and is not: the host delivers it as its own."""
    queued = state.get("queued")
    if not isinstance(queued, list) or not queued:
        return found, state
    text = joined(dict_of(entry.get("message")).get("content")).strip()
    if not text or (mark := mark_of(text)) not in queued:
        return found, state
    time = text_of(entry.get("timestamp"))
    left = {**state, "queued": [other for other in queued if other != mark]}
    return [Event("unsaid", text, time=time), *(found or [Event("woken", time=time)])], left
