"""A save that somebody asks for: what is known is saved at once, and the agent is handed a template for the rest.

The transcript tells what was said and done. What it was for, why it was decided so and what comes next only the agent knows.
The template names each field of a snapshot, whether it is filled or empty, and the tool that takes them. It holds no text from
memory but the names of the files, which stand in a frame.
"""

from __future__ import annotations

from ..guard.framing import framed
from ..model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..memory import Memory
    from ..model import Record

HEADING = "# Fill in the snapshot (Holdfast)"
_TRIGGER, _HISTORY = "user", "Saved by the user"
# Seed B's eight sections, and what seed E adds: (section, its fields: (name, what belongs there)).
_SECTIONS: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    ("Active Goal", (("goal", "one sentence: what the user wants to reach, and why"),)),
    (
        "Current State",
        (
            ("phase", "planning, implementing, debugging, testing, reviewing or deploying"),
            ("branch", "the git branch"),
            ("blocked", "by what, or no"),
            ("progress", "how far it is"),
        ),
    ),
    ("Files In Play", (("files", "'PATH -- what is happening there'"),)),
    ("Decisions Made", (("decisions", "each with its reason"),)),
    ("Code Context", (("code", "only what stands in no file: a signature, the exact error"),)),
    ("Key Names & Values", (("names", "'KIND: exact value'; never a secret"),)),
    ("Blockers & Open Questions", (("blockers", "what stands in the way"), ("questions", "what is open, with the choices"))),
    ("Next Steps", (("next_steps", "in order, each one something that can be begun at once"),)),
    (
        "The conversation",
        (
            ("task", "what you are doing or waiting for right now"),
            ("exchanges", "the last 3 to 5, both sides, with what was said"),
            ("unanswered", "what you asked and nobody has answered, word for word"),
            ("in_flight", "what is being discussed and is not decided"),
            ("tone", "how the user is, and how you talk with each other"),
        ),
    ),
)


class SaveResult(Value):
    """What an explicit save came to."""

    record: str = ""  # the checkpoint that now has the state; empty: there is none
    is_new: bool = False  # saved just now; else an earlier one has all of it
    files: tuple[str, ...] = ()  # where it can be read, from the workspace
    bound: str = ""  # the topic to which the session was bound by this save
    note: str = ""  # what of the transcript could not be read

    def __str__(self) -> str:
        """The answer to the user."""
        said = "There is nothing to save yet: nothing was said in this session, and nothing is set."
        if self.is_new:
            said = f"Saved {self.record}: {', '.join(self.files)}"
        elif self.record:
            said = f"Saved already, and nothing is new since: {self.record}, in {self.files[0]}."
        if self.bound and not self.is_new:
            said = f"Bound to the topic {self.bound}: {self.files[-1]}. {said}"
        return f"{said} ({self.note})" if self.note else said


def save_now(
    memory: Memory, session: str, transcript: str, host: str, *, topic: str = "", messages: list[Any] | None = None
) -> SaveResult:
    """Save what the transcript and the working state have, however little it is; bind the session to a topic where one is named.

    Raises what `Memory.capture` and `Memory.checkpoint` raise.
    """
    bound = memory.topics.file_for(topic) if topic else ""
    if bound and memory.topics.bound_to(session) != bound:
        memory.bind(session, topic)
    saved = None
    if transcript or messages is not None:
        about: dict[str, Any] = {"host": host, "trigger": _TRIGGER, "history": _HISTORY}
        saved = memory.capture(session, transcript, messages=messages, asked=True, **about)
    newest = memory.latest(session)
    if saved is None and _has_moved_on(memory, session, newest):
        saved = memory.checkpoint(session, {}, history=(_HISTORY,), trigger=_TRIGGER, host=host)
    elif saved is None and bound:
        memory.log(session, _HISTORY)
    record = saved.id if saved else newest.id if newest else ""
    file = memory.topics.bound_to(session)
    page = [f"{memory.config.contextDir}/context-{file}.md"] if file and (record or bound) else []
    in_its_day = saved is not None or (newest is not None and not newest.ends_a_turn)
    files = [*([_day_of(memory, record)] if in_its_day else []), "memory/session-state.md"] if record else []
    return SaveResult(record, saved is not None, (*files, *page), bound, memory.unread)


def _has_moved_on(memory: Memory, session: str, newest: Record | None) -> bool:
    """Whether the working state says something that the newest checkpoint does not."""
    from ..documents import markdown

    state = memory.state(session)
    if newest is None or state.empty:
        return not state.empty
    return newest.origin != "hand" and markdown.read_block(markdown.block_in(newest.body)).state != state


def template(memory: Memory, session: str, result: SaveResult, tool: str) -> str:
    """What the agent is asked to fill in, and by which tool."""
    state = memory.state(session)
    saved = "Nothing of it is saved yet."
    if result.record:
        saved = f"What the transcript tells is saved already, as {result.record}."
    lines = [
        HEADING,
        f"The user asks you to save where things stand. {saved}",
        f"You know what the transcript does not say. Call the tool {tool} once, now (with `tool_call` where it is not in your "
        "list): give every field marked empty, and any other that is wrong or incomplete. Leave out what is right; `none` is an "
        "answer. Then tell the user that it is saved, with the names of the files below. Do not begin other work for this.",
    ]
    for section, fields in _SECTIONS:
        lines.append(f"\n## {section}")
        for name, hint in fields:
            lines.append(f"- {name}: {_is_filled(getattr(state, name), name)} -- {hint}")
    # The topic's page is named after somebody's text: as all of memory, the names stand in a frame.
    return "\n".join(lines) + "\n\n" + framed(str(result), memory.key())


def _is_filled(value: object, name: str) -> str:
    if name == "blocked" and not value:
        return "no"
    if not value:
        return "empty"
    return f"{len(value)} filled" if isinstance(value, tuple) else "filled"


def _day_of(memory: Memory, record_id: str) -> str:
    """The file of the day that a record lies in."""
    return "/".join(memory.days.path(f"{record_id[:4]}-{record_id[4:6]}-{record_id[6:8]}"))
