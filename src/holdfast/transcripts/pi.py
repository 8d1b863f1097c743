"""pi, and OpenClaw on top of it: JSONL (`version` 3; before, without ids), and the same entries in OpenClaw's database (4).

The first entry is `session`; a `message` has a role: user, assistant (blocks text, thinking, toolCall), toolResult (`isError`,
`details`), bashExecution (a person's own `!cmd`, with its exit code), and roles that the host makes (custom, summaries).
`compaction` has the summary in itself. `reset` (OpenClaw, since 2026.8) begins anew within the same session; before, `/new`
renamed the file to `<id>.jsonl.reset.<time>` and took a new one. Entries form a tree by `parentId`; a branch that was left is
read too, since what was done there was done.

OpenClaw puts things into the person's place: until 2026.3 it stored what plugins prepended, an envelope of who sent it, and a
stamp `[Sun 2026-11-15 19:58 UTC]` before the words; until 2026.7 the turns of its memory flush and of its runtime. Its own
answers to commands have the model `gateway-injected`; `NO_REPLY` means that nothing was said.
"""

from __future__ import annotations

import re

from . import Event
from .calls import called
from .words import dict_of, dicts_of, iso, joined, text_of, without_ours

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SILENT = frozenset(
    "session model_change thinking_level_change custom custom_message label session_info leaf active_tools_change".split()  # noqa: SIM905
)
_SILENT_ROLES = frozenset("custom hookMessage compactionSummary branchSummary system".split())  # noqa: SIM905
_STAMP = re.compile(r"^\[(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)? [^\]\n]{1,40}\] ?", re.M)
_ENVELOPE = re.compile(r"^[A-Z][^\n]{0,80}\(untrusted[^\n)]*\):\n```json\n.*?\n```\n*", re.M | re.S)
_INTERNAL = re.compile(r"<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>.*?(?:<<<END_OPENCLAW_INTERNAL_CONTEXT>>>|\Z)", re.S)
_SYSTEM_LINE = re.compile(r"\A(?:System: \[[^\n]*\n*|\[Queued user message that arrived [^\]\n]*\]\n*)+")
_COMMAND = re.compile(r"/[\w:-]+\Z|/(?:holdfast|big-memory)\s")  # to the host alone, or to us
_MACHINE = (
    "Continue the OpenClaw runtime event",
    "Pre-compaction memory flush.",
    "[cron:",
    "Read HEARTBEAT.md if it exists",
    "A new session was started via /new or /reset.",
)
_FLUSH = "\nPre-compaction memory flush. Store durable memories"  # behind what a plugin prepended
_NOTHING = ("NO_REPLY", "HEARTBEAT_OK")


class Reader:
    """Entry by entry; nothing needs to be remembered between them."""

    def __init__(self) -> None:
        self.state: dict[str, Any] = {}

    def events(self, entry: dict[str, Any]) -> list[Event] | None:
        """The events of one entry; None where its type is not known."""
        kind, time = entry.get("type"), iso(entry.get("timestamp"))
        if kind == "message":
            return _message(dict_of(entry.get("message")), time, text_of(entry.get("id")))
        if kind == "compaction":
            return [Event("compaction", time=time), Event("summary", text_of(entry.get("summary")), time=time)]
        if kind == "branch_summary":
            return [Event("summary", text_of(entry.get("summary")), time=time)]
        if kind == "reset":
            return [Event("reset", text_of(entry.get("reason")), time=time)]
        return [] if isinstance(kind, str) and kind in _SILENT else None


def _message(message: dict[str, Any], time: str, number: str) -> list[Event] | None:
    role = message.get("role")
    time = time or iso(message.get("timestamp"))
    if role == "user":
        return _heard(message, time)
    if role == "assistant":
        return _said(message, time)
    if role == "toolResult":
        details = dict_of(message.get("details"))
        ended = details.get("exitCode") not in (0, None) or details.get("status") in ("failed", "error")
        failed = message.get("isError") is True or ended
        text, call = without_ours(joined(message.get("content"))), text_of(message.get("toolCallId"))
        return [Event("result", text, time=time, call=call, tool=text_of(message.get("toolName")), failed=failed)]
    if role == "bashExecution":
        command, output = text_of(message.get("command")), without_ours(text_of(message.get("output")))
        call = number or f"!{time}"
        failed = message.get("exitCode") not in (0, None) or message.get("cancelled") is True
        return [
            Event("call", command, time=time, call=call, tool="!", command=command),
            Event("result", output, time=time, call=call, tool="!", failed=failed),
        ]
    return [] if not message or (isinstance(role, str) and role in _SILENT_ROLES) else None


def _heard(message: dict[str, Any], time: str) -> list[Event]:
    if dict_of(message.get("provenance")).get("kind") in ("internal_system", "inter_session"):
        return []
    content = message.get("content")
    text = words(joined(content), enveloped=not isinstance(content, str))
    return [Event("user", text, time=time)] if text else []


def words(text: str, *, enveloped: bool) -> str:
    """A person's words, without what OpenClaw and its plugins put around them; empty where nothing is theirs.

    The versions that stored envelopes store lists of blocks; the later ones store the words alone, as a text.
    """
    if "<<<BEGIN_OPENCLAW" in text:
        text = _INTERNAL.sub("", text)
    if enveloped and "(untrusted" in text:
        text = _ENVELOPE.sub("", text)
    stamp = _STAMP.search(text) if enveloped else _STAMP.match(text)
    if stamp:
        text = text[stamp.end() :]  # all that stands before the stamp was put there
    text = _SYSTEM_LINE.sub("", without_ours(text).strip()).strip()
    return "" if text.startswith(_MACHINE) or _FLUSH in text or _COMMAND.match(text) else text


def _said(message: dict[str, Any], time: str) -> list[Event]:
    if message.get("model") == "gateway-injected":
        return []
    content = message.get("content")
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    found: list[Event] = []
    for block in dicts_of(content):
        if block.get("type") == "text":
            text = text_of(block.get("text")).strip()
            if text and text not in _NOTHING:
                found.append(Event("agent", text, time=time))
        elif block.get("type") == "toolCall":
            name, given = text_of(block.get("name")), dict_of(block.get("arguments"))
            if name == "tool_call" and isinstance(given.get("args"), dict):
                name, given = text_of(given.get("id")), given["args"]  # OpenClaw's Tool Search: the call within the call
            found.append(called(name, given, call=text_of(block.get("id")), time=time))
    return found
