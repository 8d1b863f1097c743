"""Texts out of entries, whatever shape they turn out to have: nothing here trusts a type."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Our own brief, and what stands in its frame alone. Put into a conversation or printed by a tool, it would be read again as
# news: a memory that eats itself. It ends behind the mark that ends its frame, with the last of our own words (brief.py and
# threads.py); where that was cut off, at the end of the text, unless it is quoted. What has lost its marks is known by its words
# (echo.py).
OURS, FRAMED = "# Where we left off (Holdfast)", "--- memory "
_OURS = (  # compiled where it is met
    r"(?ms)^# (?:Where we left off|Open in this project) \(Holdfast\)"
    r"(?:(?:(?!^--- memory ).)*?^--- memory (\w{10}) ---$.*?^--- end \1 ---$.*?"
    r"(?:before I continue\?”|do not stop to ask\.|lists all of them\.)[ \t]*\n?|.*\Z)"
    r"|^# Fill in the snapshot \(Holdfast\)$(?:(?!^--- memory ).)*?^--- memory (?P<t>\w{10}) ---$.*?^--- end (?P=t) ---$\n?"
    r"|^--- memory (?P<f>\w{10}) ---$.*?(?:^--- end (?P=f) ---$\n?(?:^Replaced in this memory, [^\n]*\n?)?|\Z)"
    r"|^>[> \t]{0,9}--- memory (?P<q>\w{10}) ---$.*?^>[> \t]{0,9}--- end (?P=q) ---$\n?"
)
PLAN_APPROVED = "(approved the agent's plan)"  # the user's yes to what follows, which are the agent's words
PLAN_BEGUN = "Implement the following plan:"  # the host's, where a plan begins a session: what follows are the agent's words too
PLAN_PUT = "(the agent's plan, put to the user for approval)"
BY_ITSELF = "by itself"  # how a call went into the background: the agent did not ask for it, it only took longer than a moment
WORKFLOW = "workflow"  # to which a task was handed: a script that calls many agents
_LONE = "[\ud800-\udfff]"
_DEEP = 60


def text_of(value: Any) -> str:
    """A text or a number as text; anything else is none."""
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else ""


def dict_of(value: Any) -> dict[str, Any]:
    """A mapping, or an empty one."""
    return value if isinstance(value, dict) else {}


def dicts_of(value: Any) -> list[dict[str, Any]]:
    """The mappings in a list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def joined(content: Any) -> str:
    """The text of a content: a string, or the text blocks in a list."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(
            part if isinstance(part, str) else text_of(part.get("text")) for part in content if isinstance(part, (str, dict))
        )
    return ""


def strings(value: Any) -> list[str]:
    """The texts in a value, without its keys: argument names are no names of the work."""
    found: list[str] = []
    left = [value]
    while left:
        item = left.pop()
        if isinstance(item, str):
            found.append(item)
        elif isinstance(item, dict):
            left.extend(reversed(item.values()))
        elif isinstance(item, list):
            left.extend(reversed(item))
    return found


def mark_of(text: str) -> str:
    """What stands for a text that was given: positions stay small."""
    from zlib import crc32

    return f"{len(text)}-{crc32(text.encode('utf-8', 'replace')):x}"


def without_ours(text: str) -> str:
    """A text without our own brief in it, whole or as far as it was echoed."""
    if OURS not in text and FRAMED not in text:
        return text
    shown = re.sub(_OURS, "", text)
    return shown.strip() if shown != text else text


def whole(value: Any, depth: int = 0) -> Any:
    """A value without halves of surrogate pairs: JSON can hold them, no file of ours can."""
    if isinstance(value, str):
        return re.sub(_LONE, "\ufffd", value)
    if depth > _DEEP:
        return None
    if isinstance(value, dict):
        return {whole(key, depth + 1): whole(item, depth + 1) for key, item in value.items()}
    return [whole(item, depth + 1) for item in value] if isinstance(value, list) else value


def iso(moment: Any) -> str:
    """A moment as ISO text: as the host has it, or from its milliseconds since 1970."""
    if isinstance(moment, str):
        return moment
    if not isinstance(moment, (int, float)) or isinstance(moment, bool) or not 0 < moment < 1e14:
        return ""
    from time import gmtime, strftime

    return strftime("%Y-%m-%dT%H:%M:%S", gmtime(moment / 1000)) + f".{int(moment) % 1000:03d}Z"
