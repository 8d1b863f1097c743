"""What a person can hand to the agent by name: resources (the latest checkpoint, topics, days) and prompts (save, recall).

They are named by what they are, never by a path: `holdfast://checkpoint/latest`, `holdfast://topic/billing`,
`holdfast://day/2026-11-15`.
"""

from __future__ import annotations

import re

from ..commands import other as commands
from ..errors import NotFound
from ..model import MANDATORY, fold
from .tools import asked, called, outgoing, shown_in_frame

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..cli import Words
    from ..memory import Memory

LATEST, TOPIC, DAY = "holdfast://checkpoint/latest", "holdfast://topic/", "holdfast://day/"
NEWEST = 60  # days that are listed; older ones are read by their date
_PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

TEMPLATES = (
    (f"{TOPIC}{{name}}", "topic", "A thread of work: its status, key decisions and history."),
    (f"{DAY}{{date}}", "day", "What happened on a day, such as 2026-11-15: notes and snapshots."),
)

# name: (what it is for, the argument that it takes, what that is)
PROMPTS = {
    "save": ("Save the working state now", "topic", "The thread of work that this belongs to."),
    "recall": ("Bring back where we left off, or one thing from the past", "question", "What to look for; without it, all."),
}


def listed(words: Words, env: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """(address, name, what it is) of every resource."""
    memory = commands.reading(words, env)
    try:
        found = [(LATEST, "latest checkpoint", "The newest checkpoint, whole.")] if memory.latest() else []
        for file, topic in memory.topics.all().items():
            what = fold(topic.status, 100) or "A thread of work."
            found.append((TOPIC + quoted(file), outgoing(topic.name or file), outgoing(what)))
        return found + [(DAY + day, day, "What happened on that day.") for day in _days(memory)]
    finally:
        memory.close()


def _days(memory: Memory) -> list[str]:
    """The newest days that have a file."""
    try:
        days = memory.days.every()
    except OSError as error:
        memory.store.pass_over(error)
        return []
    return days[::-1][:NEWEST]


def text_of(uri: str, words: Words, env: Mapping[str, str]) -> str:
    """One resource, in its frame."""
    name = unquoted(uri)
    if name == LATEST:
        what = "latest"
    elif name.startswith(TOPIC):
        what = name.removeprefix(TOPIC)
    elif name.startswith(DAY) and re.fullmatch(r"\d{4}-\d\d-\d\d|today|yesterday", name.removeprefix(DAY)):
        what = name.removeprefix(DAY)
    else:
        raise NotFound(f"There is no resource {uri[:200]}. There are {LATEST}, {TOPIC}NAME and {DAY}2026-11-15.")
    return "\n".join(filter(None, shown_in_frame(asked("show", words, {}), env, what)))


def quoted(name: str) -> str:
    """A name as part of an address."""
    data = name.encode("utf-8", "surrogateescape")
    return "".join(chr(byte) if chr(byte) in _PLAIN else f"%{byte:02X}" for byte in data)


def unquoted(address: str) -> str:
    """An address as it is meant."""
    data = re.sub(rb"%([0-9A-Fa-f]{2})", lambda found: bytes.fromhex(found[1].decode()), address.encode("utf-8", "replace"))
    return data.decode("utf-8", "surrogateescape")


def prompt(name: str, given: Mapping[str, str], words: Words, env: Mapping[str, str]) -> str:
    """The text of a prompt. `recall` brings what it asks for with it: nobody has to call a tool first."""
    if name == "save":
        topic = f" with the topic {outgoing(fold(given['topic'], 80))}" if given.get("topic", "").strip() else ""
        return (
            f"Save the working state now: call the tool `checkpoint`{topic}. Give {', '.join(MANDATORY)}, word for word where it "
            "matters, and goal, status, decisions with reasons, corrections, files, done and next_steps as far as there are any. "
            "Then tell me what was saved, and what the answer says is missing."
        )
    if name != "recall":
        raise NotFound(f"There is no prompt {name[:80]}. The prompts are {', '.join(PROMPTS)}.")
    question = given.get("question", "").strip()
    tool, arguments = ("search", {"query": question}) if question else ("recover", {})
    answer = called(tool, words, arguments, env)
    if question:
        about = outgoing(fold(question, 200))
        return f"Here is what memory has about: {about}\n\n{answer.text}\n\nAnswer from it, and say what is not in it."
    return f"{answer.text}\nSay in a few sentences where we left off, what is open, and what you will do next."
