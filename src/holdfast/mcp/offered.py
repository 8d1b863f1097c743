"""What is offered to agents: every tool with when to use it, what it takes and what it answers. Pure.

The descriptions are all that a model knows when it chooses: each says when to call it, in as few words as do. The schemas are
an offer, not a check: what is given is understood as the commands understand it, and what cannot be is answered in words.
"""

from __future__ import annotations

from ..model import ADDED, CODE_LINES, MANDATORY, PHASES, REPLACED, TEXTS, TYPES, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class Tool(Value):
    """One tool."""

    name: str
    title: str
    what: str
    takes: Mapping[str, Mapping[str, Any]]
    needs: tuple[str, ...]
    answers: Mapping[str, Mapping[str, Any]]
    writes: bool = False


def _text(what: str, **more: Any) -> dict[str, Any]:
    return {"type": "string", "description": what, **more}


def _texts(what: str) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "string"}, "description": what}


def _number(what: str, least: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": least, "description": what}


_SESSION = _text("The session's key, where you know it; else the host's own, else one that all share.")
_ID: Mapping[str, Any] = {"type": "string"}
_WORDS: Mapping[str, Any] = {"type": "array", "items": _ID}
_SAVED = {"id": _ID, "topic": _ID, "said": _ID, "missing": _WORDS, "vague": _WORDS, "redacted": _WORDS, "waiting": _ID}

_FIELDS: dict[str, dict[str, Any]] = {
    "task": _text("What is being worked on, or waited for."),
    "exchanges": _texts("The last 3 to 5 exchanges, both sides, with what was said."),
    "unanswered": _texts("Questions or proposals of yours that the user has not answered, word for word."),
    "in_flight": _texts("What is being decided and is not settled."),
    "tone": _text("How the conversation feels: what the user is pleased or annoyed with."),
    "goal": _text("What all of it is for."),
    "status": _text("Where it stands; also the topic's current status."),
    "phase": _text("Which phase.", enum=list(PHASES)),
    "next_steps": _texts("What comes next, the first first."),
    "decisions": _texts("Decisions with their reasons."),
    "corrections": _texts("What the user told you to do or not to do, word for word."),
    "done": _texts("What is done, with evidence, so that it is not done twice."),
    "files": _texts("'PATH -- what is happening there'."),
    "names": _texts("'KIND: exact value' of names, endpoints, ids and numbers in use."),
    "code": _text(f"The code that is being worked on, as it stands; at most {CODE_LINES} lines."),
    "topic": _text("The thread of work that this belongs to; the session is bound to it."),
    "history": _texts("Lines for the topic's history."),
    "session": _SESSION,
}
_FIELDS |= {name: _text("One line.") for name in TEXTS if name not in _FIELDS}
_FIELDS |= {name: _texts("One item each.") for name in (*REPLACED, *ADDED) if name not in _FIELDS}

_SNAP = {
    "action": _text("What to do.", enum=["checkpoint", "list", "read"]),
    "topic": _text("The topic's name; checkpoint and read need it."),
    "status": _text("Where it stands now; replaces what stood there."),
    "decisions": _texts("Decisions to add, such as '2026-03-15: webhooks, not polling'."),
    "historyLine": _text("A line to add to the history."),
    "sessionId": _SESSION,
    "offset": _number("Where to begin in a long topic.", 0),
}

TOOLS: dict[str, Tool] = {
    tool.name: tool
    for tool in (
        Tool(
            "recover", "Where we left off",
            "The brief of where we left off: task, open question, decisions, corrections, files, what is done. Call it first "
            "after a compaction, a reset or the start of a session, and when the user asks what you were doing.",
            {
                "session": _SESSION,
                "back": _number("So many checkpoints before the newest.", 0),
                "max_chars": _number("The room for the brief, in characters.", 500),
            },
            (), {"brief": _ID, "session": _ID, "note": _ID}, writes=True,
        ),
        Tool(
            "checkpoint", "Save the working state",
            "Save the whole working state. Call it before the context runs out, before a long or risky step, and when a piece of "
            f"work is finished. Mandatory: {', '.join(MANDATORY)} (`none` is an answer). What falls short is saved all the "
            "same, and the answer says what is missing.",
            _FIELDS, (), _SAVED, writes=True,
        ),
        Tool(
            "context_snap", "Topic snapshots",
            "Topic snapshots. Call it with action checkpoint when the user says “checkpoint”, “save context” or “存一下”, when a "
            "key decision is made and when a milestone is reached. list names the topics and the sessions bound to them, read "
            "gives one.",
            _SNAP, ("action",),
            {**_SAVED, "action": _ID, "text": _ID, "topics": {"type": "array", "items": {"type": "object"}}},
            writes=True,
        ),
        Tool(
            "note", "Remember one fact",
            "Remember one fact for good. Call it when you learn a preference, a lesson, a technical detail, or something about a "
            "person or a project. One at a time, complete in itself. Never a secret: say where it is kept.",
            {"text": _text("The fact."), "type": _text("What kind of fact.", enum=list(TYPES)), "session": _SESSION},
            ("text",), _SAVED, writes=True,
        ),
        Tool(
            "search", "Find it again",
            "Find what was said, decided or noted earlier, by any words, in any language; \"an exact phrase\" in quotes. Call it "
            "before you say that you do not remember.",
            {
                "query": _text("What to look for."),
                "limit": _number("The most hits; 10 where none is given.", 1),
                "type": _text("Only notes of this type.", enum=list(TYPES)),
                "topic": _text("Only this topic."),
                "since": _text("Only from this day on: 2026-11-15, today, yesterday, 14d."),
                "transcripts": {"type": "boolean", "description": "Also in the hosts' own transcripts on this machine; slower."},
            },
            ("query",),
            {"results": {"type": "array", "items": {"type": "object"}}, "searched": {"type": "object"}, "note": _ID},
        ),
        Tool(
            "show", "One thing, whole",
            "One thing as it is kept, whole. Call it when a brief or a hit was cut, or when you know what you want.",
            {
                "what": _text("latest (checkpoint), state, an id, a topic, or a day: 2026-11-15, today, yesterday."),
                "offset": _number("Where to begin in a long one.", 0),
                "session": _SESSION,
            },
            ("what",), {"what": _ID, "text": _ID},
        ),
        Tool(
            "status", "What is saved",
            "What is saved, how old it is and what to do next. Call it to see that saving works, and before relying on memory.",
            {"session": _SESSION},
            (),
            {"session": _ID, "topic": _ID, "task": _ID, "newest": _ID, "next": _ID, "state_has_moved_on": {"type": "boolean"}},
        ),
    )
}  # fmt: skip

# What OpenClaw's plugin offers (integrations/openclaw/tools.json). The host hides tools behind a search of its own; the two that
# a model must know of without searching stay in sight.
_RECALL = (
    "What was said, decided or noted earlier. With a query: the passages that answer it, by any words, in any language; \"an "
    "exact phrase\" in quotes. Without one: the brief of where we left off, or with back that of an earlier snapshot. Call it "
    "before you say that you do not remember, and when the user asks what you were doing."
)


def for_openclaw() -> list[dict[str, Any]]:
    """The tools as OpenClaw takes them. The session is the caller's own, which the host knows; A8 has it as an argument."""
    search = TOOLS["search"]
    takes = {**search.takes, "back": _number("Without a query: so many snapshots before the newest.", 0)}
    recall = Tool("holdfast_recall", "Recall", _RECALL, takes, (), {})
    checkpoint = TOOLS["checkpoint"].replaced(name="holdfast_checkpoint")
    found = []
    for tool in (TOOLS["context_snap"], recall, checkpoint):
        takes = {name: about for name, about in tool.takes.items() if name != "session"}
        schema = {"type": "object", "properties": takes, "required": list(tool.needs)}
        about = {"name": tool.name, "label": tool.title, "description": tool.what, "parameters": schema}
        found.append(about if tool is checkpoint else {**about, "catalogMode": "direct-only"})
    return found
