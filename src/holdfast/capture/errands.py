"""What is under way beside the talk: to-do items, calls that go on in the background, what a connected service was told to do."""

from __future__ import annotations

import re

from ..transcripts.heads import local
from ..transcripts.shell import acts, steps_of
from ..transcripts.words import BY_ITSELF
from .working import Work, all_of_it, shortened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..transcripts import Event
    from .working import News

_AT_ONCE = 20  # things in the background, and states of the to-do list, that are remembered
_LONGEST = 100  # characters by which an errand is known
# What a service has made, changed or sent stays so: to do it a second time does harm.
_MAKES = (
    r"(?:create|add|send|post|publish|delete|remove|update|merge|close|comment|reply|upload|submit|assign|archive|transition|approve)"
    r"(?![a-z])"
)


class Errands(Work):
    """To-do items and errands, as far as the session was read."""

    def __init__(self, wash: Callable[[list[str]], list[str]] = list, news: News = all_of_it) -> None:
        super().__init__(wash, news)
        self.todos: list[list[str]] = []
        self.todos_before: list[Any] = []  # [the call that set them, what they were]: a host may not accept it
        self.tasks: dict[str, list[str]] = {}
        self.listed = 0  # the event by which the to-do list was set or ticked last
        self.planned: list[list[Any]] = []  # [since when, to-do list, to-do items], as they were when the user spoke
        self.errands: dict[str, list[str]] = {}  # call → [tool, what it is for] of those that run no command and change no file
        self.background: dict[str, list[Any]] = {}  # call → [command, what it is for, its name there, whether it goes on]
        self.arranged: dict[str, list[str]] = {}  # call → [what it will be told later, when, its name until then, since when]
        self.aim: list[str] = []  # [what must hold before the host lets it stop, what it still lacks]

    # ---- to-do items ---------------------------------------------------------------------------------------------------

    def _task(self, number: str, subject: str, status: str, call: str) -> None:
        if not number:
            self.tasks[call or str(len(self.tasks) + 1)] = [subject, "pending"]  # by the call, until the host has numbered it
        elif number in self.tasks:
            known = self.tasks[number]
            self.tasks[number] = [subject or known[0], status or known[1]]

    def _numbered(self, event: Event) -> None:
        """A to-do item that the host has made, by the number that it gave it; one that it has not made is none."""
        task, number = self.tasks.pop(event.call), re.search(r"#(\d+)", event.text[:80])
        if not event.failed:
            self.tasks[number[1] if number else str(len(self.tasks) + 1)] = task

    def open_tasks(self) -> list[tuple[str, bool]]:
        """To-do items as (text, ticked)."""
        known = self.tasks.values() or self.todos
        tasks = [(text, status) for text, status in known if status not in ("deleted", "cancelled")]
        if all(status == "completed" for _, status in tasks):
            return []  # the last of it is progress
        return [(shortened(text, 300), status == "completed") for text, status in tasks if text.strip()]

    def _note_plan(self, time: str) -> None:
        """Remember what was to be done when the user spoke, for they may go back to it."""
        if time and (not self.planned or self.planned[-1][1:] != [self.todos, self.tasks]):
            tasks = {number: list(task) for number, task in self.tasks.items()}
            self.planned = [*self.planned, [time, [list(todo) for todo in self.todos], tasks]][-_AT_ONCE:]

    def _plan_of(self, since: str) -> None:
        """What was to be done is what it was at a moment; where that is too long ago to be known, it stays."""
        known = [kept for kept in self.planned if kept[0] <= since]
        if known:
            _, self.todos, tasks = known[-1]
            self.tasks, self.planned = {number: list(task) for number, task in tasks.items()}, known

    # ---- errands -------------------------------------------------------------------------------------------------------

    def _errand(self, event: Event) -> None:
        """Remember what a call is for, until it has come back."""
        if event.purpose:
            self.errands[event.call] = [event.tool, shortened(event.purpose, _LONGEST)]

    def _goes_on(self, event: Event) -> None:
        """A call that goes on in the background, by the name that it has there. Where the host puts there whatever takes longer
        than a moment, who only looks leaves nothing behind.
        """
        command = self.calls.get(event.call, [""])[0]
        if event.tool == BY_ITSELF and not steps_of(command) and not acts(command):
            return
        told = shortened(event.purpose, _LONGEST) or self.errands.get(event.call, ["", ""])[1]
        self.background = dict([*self.background.items(), (event.call, [command, told, event.text, True])][-_AT_ONCE:])

    def _has_ended(self, call: str) -> None:
        """How it went is another thing."""
        if call in self.background:
            self.background[call][3] = False
        self.arranged.pop(call, None)

    def _will_come(self, event: Event) -> None:
        """What the agent will be told later. A wake-up has no name, and the next one stands in its place."""
        told = self.errands.pop(event.call, ["", ""])[1]
        self.arranged = {call: known for call, known in self.arranged.items() if known[2] != event.text}
        if event.purpose:
            new = [told, event.purpose, event.text, event.time]
            self.arranged = dict([*self.arranged.items(), (event.call, new)][-_AT_ONCE:])

    def _begins_again(self, command: str) -> None:
        """Whoever runs the same anew no longer waits for what was left running."""
        steps = set(steps_of(command))
        for known in self.background.values():
            known[3] = known[3] and known[0] != command and steps.isdisjoint(steps_of(known[0]))

    def running(self) -> str:
        """What was left running in the background, as far as anybody has seen; whether it still does, only a look can tell. And
        what will come by itself, and what the host wants to see before the agent stops: who does not know of it begins it again.
        """
        left = [
            (f"`{shortened(command, 80)}`" if command else f"“{told}”") + (f" ({name})" if name else "")
            for command, told, name, goes_on in self.background.values()
            if goes_on and (command or told)
        ]
        comes = [
            f"“{told}”, {when}" + (f" (job {name})" if name else f" (a wake-up, set {local(since)})")
            for told, when, name, since in self.arranged.values()
        ]
        said = [f"Left running in the background, and not seen to end: {'; '.join(left)}"] if left else []
        said += [f"Comes by itself: {'; '.join(comes)}"] if comes else []
        if self.aim:
            aim, lacks = self.aim[0], f" (still lacking: {self.aim[1]})" if self.aim[1] else ""
            said.append(f"The host lets the agent stop only when this holds: “{aim}”{lacks}")
        return ". ".join(said)

    def _served(self, event: Event, tool: str, told: str) -> None:
        """What a connected service was told to do, and has done: `mcp__linear__create_issue`."""
        verb = tool.rpartition("__")[2]
        if "__" in tool and told and re.match(_MAKES, verb):
            self._did(f"`{verb}` “{told}”", event.time)
