"""What in the words of an OpenClaw turn is a person's own (pi.py): the host puts much into their place, and around what they say.

Turns that nobody has spoken in begin with sentences of the host's: heartbeats, jobs by the clock, what became of a command or a
subagent, mails and web hooks, its memory flush, a turn that it takes up again after a restart. Newer versions mark them too
(`provenance`), and store a short name in the place of the prompt (`[OpenClaw heartbeat poll]`). A heartbeat may have any words,
since the user sets them: it is known by the time, which the host writes below what it says itself, and below no person's words.

Around a person's words stand who sent them and when (an envelope, a stamp, the channel), events, what else was said in the room,
what they reply to, that they had to wait in a queue, and how to send a picture back.
"""

from __future__ import annotations

import re

from .words import without_ours

_DAY = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)? [^\]\n]{1,40}"
_STAMP = re.compile(rf"^\[{_DAY}\] ?", re.M)
_CHANNEL = re.compile(rf"\A\[[A-Z][^\[\]\n]{{1,200}}? {_DAY}\] ?")  # `[Telegram Ada id:7 +2m Sun 2026-11-15 19:58 UTC] `
_ENVELOPE = re.compile(r"^[A-Z][^\n]{0,80}\(untrusted[^\n)]*\):\n```json\n.*?\n```\n*", re.M | re.S)
_INTERNAL = re.compile(r"<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>.*?(?:<<<END_OPENCLAW_INTERNAL_CONTEXT>>>|\Z)", re.S)
# Events that the host puts before a turn: a line each, or several, of which the first has the time.
_SYSTEM_LINE = re.compile(
    r"\A(?:System(?: \(untrusted\))?: \[[^\n]*+(?:\nSystem(?: \(untrusted\))?:(?! \[)[^\n]*+){0,999}\n*+"
    r"|\[Queued user message (?:that arrived|from a previous active turn)[^\]\n]*\]\n*+)++"
)
_COMMAND = re.compile(r"/[\w:-]+\Z|/(?:holdfast|big-memory)\s")  # to the host alone, or to us
_AFTER_EVENTS = (  # what the host says behind events which nobody else has anything to add to
    "An async command you ran earlier has completed.",
    "An async command you ran earlier completed without captured stdout/stderr.",
    "An async command completion event was triggered",
    "A scheduled reminder has been triggered.",
    "A scheduled cron event was triggered",
)
_MACHINE = (
    "Continue the OpenClaw runtime event",
    "Pre-compaction memory flush.",
    "[cron:",
    "Read HEARTBEAT.md if it exists",
    "Follow the heartbeat monitor scratch context",
    "Run the following periodic tasks (only those due based on their intervals):",
    "[OpenClaw heartbeat poll]",
    "[OpenClaw exec completion]",
    "[OpenClaw cron wake]",
    "[OpenClaw session event]",
    "[OpenClaw room event]",
    "[OpenClaw runtime event]",
    "[System Message] [sessionId:",
    "[System] Your previous turn was interrupted by a gateway re",
    "[System] Your previous reply was not delivered to the conversation because",
    "[System] Continue from the recovered transcript and finish the interrupted work.",
    "[Queued announce messages while agent was busy]",
    "[Inter-session message]",
    "[Internal task completion event]\nsource: ",
    "[Subagent Context] Your prior run ended while waiting for descendant",
    "[Subagent Context] Every subagent spawned from this session has now settled",
    "OpenClaw runtime context (internal):\nThis context is runtime-generated, not user-authored.",
    "A completed subagent task is ready for parent review.",
    "Agent-to-agent announce step.",
    "An async command the user already approved has completed.\nDo not run the command again.",
    "An async command did not run.\nDo not run the command again.",
    "An approved async command has an unknown execution outcome.",
    "An approved async command was not dispatched and did not run.",
    "An approved async exec completed; load the authenticated completion handoff.",
    *_AFTER_EVENTS,
)
SAVES = re.compile(r"/(?:holdfast|big[-_]?memory)(?:@\w{1,80})?\s+save\b")  # a command of ours behind which the agent goes on
_BEGUN = ("A new session was started via /new or /reset.", "[OpenClaw session new]", "[OpenClaw session reset]")
_FLUSH = "\nPre-compaction memory flush. Store durable memories"  # behind what a plugin prepended
# Below what the host says itself. The day is spelt out: “Thursday, April 16th, 2026 - 10:02 AM (UTC)”.
_NOW = re.compile(
    r"\nCurrent time: \w{3,20}, [^\n]{5,60} \([^()\n]{1,60}\)"
    r"(?:(?: / |\nReference UTC: )\d{4}-\d\d-\d\d \d\d:\d\d UTC)?\Z"
)
# What came from outside, by a mail or a web hook, in the frame in which the host hands it over.
_FROM_OUTSIDE = re.compile(
    r"\A(?:Job ID: [^\n]{1,400}\n\n)?SECURITY NOTICE: The following content is from an EXTERNAL, UNTRUSTED source"
)
_SUBAGENT = re.compile(
    r"\A\[Subagent Context\] You are running as a subagent .{1,4000}?^\[Subagent Task\]:?\s+(.+?)"
    r"(?:\s+Begin\. Execute the assigned task to completion\.)?\Z",
    re.M | re.S,
)
_WAITED = "[Queued messages while agent was busy]\n"
_WAITING = re.compile(r"^---\nQueued #\d{1,4}(?: \(from [^\n]{1,200}\))?\n", re.M)
_AGAIN = "[Retry after the previous model attempt failed or timed out]\n"
_ROOM, _CURRENT = "[Chat messages since your last reply - for context]\n", "\n[Current message - respond to this]\n"
_REPLIES_TO = re.compile(r"\n*^\[(Replying|Quoting)(?: to)? [^\n]{1,300}\]\n.{0,5000}?\n\[/\1\]$", re.M | re.S)
_SENDS_BACK = re.compile(r"^To send an image back, prefer the message tool \(media/path/filePath\)\.[^\n]{0,1000}\n?", re.M)
_MUCH = 20_000  # characters: who types or quotes so much is not looked through for it
_SKILL = re.compile(r'<skill name="([^"\n]{1,200})" location="[^"\n]{0,4000}">')


def words(text: str, *, enveloped: bool) -> str:
    """A person's words, without what OpenClaw and its plugins put around them; empty where nothing is theirs.

    The versions that stored envelopes store lists of blocks; the later ones store the words alone, as a text.
    """
    return own(text, enveloped) or ""


def own(text: str, enveloped: bool) -> str | None:
    """The same; None where all of it is the host's, and empty where a person has said nothing to the agent."""
    inside = "<<<BEGIN_OPENCLAW" in text
    if inside:
        text = _INTERNAL.sub("", text)
    if enveloped and "(untrusted" in text:
        text = _ENVELOPE.sub("", text)
    text = without_ours(_stripped(text, enveloped)).strip()
    events = _SYSTEM_LINE.match(text)
    if events:
        text = text[events.end() :].strip()
    if text.startswith(_BEGUN) or _COMMAND.match(text):
        return ""
    if text.startswith(_MACHINE) or _FLUSH in text or _NOW.search(text) or _FROM_OUTSIDE.match(text):
        return None
    if events and any(f"\n{said}" in text for said in _AFTER_EVENTS):
        return None
    return _asked_for(_bare(text)) or (None if events or inside else "")


def _stripped(text: str, enveloped: bool) -> str:
    """A text without the stamp, or the name of the channel with one, and what stands before it: all that was put there."""
    stamp = _STAMP.search(text) if enveloped else _STAMP.match(text)
    stamp = stamp or _CHANNEL.match(text)
    return text[stamp.end() :] if stamp else text


def _bare(text: str) -> str:
    """A person's words without what else was said in the room, what they reply to, and the host's remarks."""
    if task := _SUBAGENT.match(text):  # in the subagent's own session
        return f"(task of a subagent) {task[1]}"
    text = text.removeprefix(_AGAIN).lstrip()
    if text.startswith(_WAITED) and (waiting := _WAITING.split(text)[1:]):
        return "\n".join(part for said in waiting if (part := _bare(_stripped(said, enveloped=False).strip())))
    if text.startswith(_ROOM) and _CURRENT in text:
        text = _stripped(text.rpartition(_CURRENT)[2].strip(), enveloped=False)
    if "To send an image back" in text:
        text = _SENDS_BACK.sub("", text)
    return _REPLIES_TO.sub("", text).strip() if "\n[/" in text and len(text) < _MUCH else text


def _asked_for(text: str) -> str:
    """Words behind the name of a skill: pi puts all that the skill says before them, and none of it is the person's order."""
    skill = _SKILL.match(text)
    _, end, said = text[skill.end() :].partition("\n</skill>") if skill else ("", "", "")
    return f"(skill {skill[1]}) {said.strip()}".strip() if skill and end else text
