"""pi, and OpenClaw on top of it: JSONL (`version` 3; before, without ids), and the same entries in OpenClaw's database (4).

The first entry is `session`; a `message` has a role: user, assistant (blocks text, thinking, toolCall), toolResult (`isError`,
`details`), bashExecution (a person's own `!cmd`, with its exit code), and roles that the host makes (custom, summaries). An
answer that the user has stopped has the `stopReason` aborted. `compaction` has the summary in itself. `reset` (OpenClaw, since
2026.8) begins anew within the same session; before, `/new` renamed the file to `<id>.jsonl.reset.<time>` and took a new one.
Entries form a tree by `parentId`; a branch that was left is read too, since what was done there was done. Who goes back says the
new words below the entry that stood above those which they replace, or below a `branch_summary` in their place; entries that only
set something (another model, a label) may stand between. They can go back into the midst of a turn as well: below any entry.

OpenClaw puts things into the person's place and around their words (openclaw_texts.py). A turn that is all the host's lets the
agent go on. Its own answers to commands have the model `gateway-injected`; `NO_REPLY` means that nothing was said.
`__openclaw` tells who has spoken (`senderId`), whether that is the agent's owner (`senderIsOwner`) and, in newer versions,
whether it is a bot.

A command of OpenClaw's `exec` that outlives its first answer comes back as `running`, with a session, and one that needs a yes
as `approval-pending`: these answers are linked to no call. It ends in the answer to a later `process`, which has an exit code or
says that there is no such session any more, or in an event that the host puts before a turn (`Exec completed (ember-wi, code 0)`,
the session by its first eight letters): these are linked to the call that began it. Newer versions store no more of that than
that one has ended. A subagent (`sessions_spawn`) comes back in a turn of the host's, or in one without any words before it, whose
run is named by it.
"""

from __future__ import annotations

import re

from . import Event
from .calls import called
from .openclaw_texts import SAVES, own
from .words import BY_ITSELF, dict_of, dicts_of, iso, joined, text_of, without_ours

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SILENT = frozenset(
    "session model_change thinking_level_change custom custom_message label session_info leaf active_tools_change title "  # noqa: SIM905
    "title_change".split()
)
_SILENT_ROLES = frozenset("custom hookMessage compactionSummary branchSummary system".split())  # noqa: SIM905
_NOTHING = ("NO_REPLY", "HEARTBEAT_OK")
_ENDED = re.compile(r"^System(?: \(untrusted\))?: \[[^\]\n]{1,80}\] Exec (\w{1,20}) \(([^()\n]{1,300})\)([^\n]{0,2000})", re.M)
_STATUS = re.compile(r"\b(?:code (-?\d{1,9})|signal \w{1,20})$")
_NO_MORE = re.compile(r"(?:Termination requested for|Killed|Cleared|Removed|No(?: active)?) session\b")
_ONE_ENDED = "[OpenClaw exec completion]"
_SPAWNS, _ANNOUNCES = "sessions_spawn", "announce:"  # the tool that begins a subagent, and the runs in which it comes back
_SHORT = 8  # letters of a session's name in the host's events
_BROKEN_OFF = ("aborted", "error")  # how an answer ended that the user stopped or the provider cut: its calls are never made
_STOPPED, _ABORTED = "operation was aborted", "Command aborted"  # of the answer, and of a command in its midst
_BY_USER = "aborted by user"  # as others say it
_REMEMBERED = 64  # of each kind: commands that run, prompts to which a person may go back, entries between two that say something
_LONGEST = 200  # letters of a name
_TOP = "."  # above the first entry
_CHAIN = 8000  # letters of the last entries with their times


class Reader:
    """Entry by entry; it remembers the commands that still run, and below which entries the last prompts stood."""

    def __init__(self) -> None:
        self.state: dict[str, Any] = {}

    def events(self, entry: dict[str, Any]) -> list[Event] | None:
        """The events of one entry; None where its type is not known."""
        kind, time = entry.get("type"), iso(entry.get("timestamp"))
        silent = isinstance(kind, str) and kind in _SILENT
        instead = self._instead(entry, time, silent)
        if kind == "message":
            found = self._message(dict_of(entry.get("message")), time, text_of(entry.get("id")))
            if found and found[-1].kind == "user":
                found[-1].instead = instead
                self._asked(entry, found[-1].time)
            return found
        if kind == "compaction":
            return [Event("compaction", time=time), Event("summary", text_of(entry.get("summary")), time=time)]
        if kind == "branch_summary":
            back = [Event("rewound", time=time, instead=instead)] if instead else []
            return [*back, Event("summary", text_of(entry.get("summary")), time=time)]
        if kind == "reset":
            return [Event("reset", text_of(entry.get("reason")), time=time)]
        if kind == "custom_message":  # an extension's words to the agent, which may let it go on
            return [Event("woken", time=time)]
        return [] if silent else None

    def _instead(self, entry: dict[str, Any], time: str, silent: bool) -> str:
        """The time of what stood first where this entry stands; empty where nothing did."""
        place = self._place(entry)
        if place is None:
            return ""
        number, above = place
        role = dict_of(entry.get("message")).get("role")
        if silent or role == "bashExecution":  # a command of their own says nothing to the agent: what they say next does
            self._keep("passed", number, above)
            return ""
        last = self.state.get("prompt")  # (its entry, the one above it, its time)
        if isinstance(last, list) and len(last) == 3 and last[0] == above:
            # Something stands below it, so the entries are a tree.
            first = text_of(self._take("asked", text_of(last[1]))) or text_of(last[2])
            self._keep("asked", text_of(last[1]), first)
        behind = self._behind(above, number, time, is_prompt=role == "user")
        return text_of(self._open("asked").get(above)) or behind

    def _behind(self, above: str, number: str, time: str, *, is_prompt: bool) -> str:
        """The time of what came behind the entry above this one; empty where this came, or a prompt, to which nothing was said.

        The last entries are kept as one text: it is cheaply made anew, and an older position holds the older.
        """
        chain = text_of(self.state.get("chain"))
        place = chain.rfind(f"\n{above} ")
        behind = chain.find("\n", place + 1) if place >= 0 else -1
        came = chain[behind + 1 :].partition("\n")[0].partition(" ")[2] if behind >= 0 else ""
        chain = chain if place >= 0 else ""  # no tree that we know of, or a new one
        if len(chain) > _CHAIN:
            chain = chain[chain.index("\n", _CHAIN // 4) :]
        self.state = {**self.state, "chain": f"{chain}\n{number} {'' if is_prompt and behind < 0 else time}"}
        return came

    def _asked(self, entry: dict[str, Any], time: str) -> None:
        place = self._place(entry)
        if place:
            self.state = {**self.state, "prompt": [*place, time]}

    def _place(self, entry: dict[str, Any]) -> tuple[str, str] | None:
        """An entry's id, and that of the last one above it which says something; None where the entries are no tree."""
        number, above = entry.get("id"), entry.get("parentId", "")
        above = _TOP if above is None else above
        if not all(isinstance(name, str) and 0 < len(name) <= _LONGEST for name in (number, above)):
            return None
        return text_of(number), text_of(self._open("passed").get(above)) or above

    def _message(self, message: dict[str, Any], time: str, number: str) -> list[Event] | None:
        role = message.get("role")
        time = time or iso(message.get("timestamp"))
        if role in ("user", "toolResult") and "over" in self.state:
            self.state = {name: held for name, held in self.state.items() if name != "over"}
        if role == "user":
            return self._heard(message, time)
        if role == "assistant":
            return self._said(message, time)
        if role == "toolResult":
            return self._came_back(message, time)
        if role == "bashExecution":
            return _ran(message, time, number or f"!{time}")
        return [] if not message or (isinstance(role, str) and role in _SILENT_ROLES) else None

    def _heard(self, message: dict[str, Any], time: str) -> list[Event]:
        content = message.get("content")
        told = joined(content)
        found, text = self._ended(told, time), own(told, not isinstance(content, str))
        origin = dict_of(message.get("provenance"))
        if text is None or origin.get("kind") in ("internal_system", "inter_session"):
            source = f"{text_of(origin.get('sourceSessionKey'))}\n{told}"
            return [Event("woken", time=time), *found, *self._has_come(source, time), *self._one_is_over(told, time)]
        if text and self._is_anothers(dict_of(message.get("__openclaw"))):
            return [*found, Event("woken", time=time)]
        if not text and SAVES.search(told):  # after this command the agent goes on, and nothing else was asked of it
            found = [*found, Event("woken", time=time)]
        return [*found, Event("user", text, time=time)] if text else found

    def _is_anothers(self, sender: dict[str, Any]) -> bool:
        """Whether the host says that somebody else has spoken than whom the agent works for: another bot, or one who is not its
        owner, in a channel in which that one has spoken. Where nobody was seen to be the owner, none may be set: all are heard.
        """
        identity = dict_of(sender.get("senderIdentity"))
        if identity.get("senderKind") == "bot":
            return True
        named, channel = bool(text_of(sender.get("senderId"))), text_of(identity.get("pluginId"))[:_LONGEST]
        if not named or identity.get("type") == "profile":  # at the host's own page, where whoever may is its owner
            return False
        owned = self._open("owned")
        if sender.get("senderIsOwner") is True and channel not in owned:
            self.state = {**self.state, "owned": {**owned, channel: True}}
        return sender.get("senderIsOwner") is False and channel in owned

    def _said(self, message: dict[str, Any], time: str) -> list[Event]:
        if message.get("model") == "gateway-injected":
            return []
        content, reason = message.get("content"), message.get("stopReason")
        if isinstance(content, str):
            content = [{"type": "text", "text": content}]
        found = self._announced(text_of(dict_of(message.get("__openclaw")).get("runId")), time)
        for block in dicts_of(content):
            if block.get("type") == "text":
                text = text_of(block.get("text")).strip()
                if text and text not in _NOTHING:
                    found.append(Event("agent", text, time=time))
            elif block.get("type") == "toolCall" and reason not in _BROKEN_OFF:
                found.append(self._called(block, time))
        if reason == "stop":
            self.state = {**self.state, "over": True}
        return [*found, Event("interruption", time=time)] if reason == "aborted" or _is_stopped(message) else found

    def _called(self, block: dict[str, Any], time: str) -> Event:
        name, given, call = text_of(block.get("name")), dict_of(block.get("arguments")), text_of(block.get("id"))
        if name == "tool_call" and isinstance(given.get("args"), dict):
            name, given = text_of(given.get("id")), given["args"]  # OpenClaw's Tool Search: the call within the call
        session = text_of(given.get("sessionId"))
        if name == "process" and session in self._open("runs"):
            self._keep("polls", call, session)
        event = called(name, given, call=call, time=time)
        if name == _SPAWNS:  # what it hands over comes back later, or not at all
            event.purpose, event.handed = text_of(given.get("label")) or " ".join(text_of(given.get("task")).split()), ""
        return event

    def _announced(self, run: str, time: str) -> list[Event]:
        """That the agent goes on because a subagent has come back: newer versions say so by the name of the run alone, and those
        before by nothing. Then a turn begins behind one that was over, and nobody has said a word. Each comes back
        once: of several all have when there were as many such turns.
        """
        if run.startswith(_ANNOUNCES):
            return [Event("woken", time=time), *self._has_come(run, time)]
        if not self.state.get("over"):
            return []
        children, turns = self._open("children"), self.state.get("turns")
        turns = (turns if isinstance(turns, int) else 0) + 1
        others = {name: held for name, held in self.state.items() if name != "turns"}
        if turns < len(children):  # which of them it was, nothing tells
            self.state = {**others, "turns": turns}
            return [Event("woken", time=time)]
        self.state = others
        return [Event("woken", time=time), *self._has_come("\n".join(children), time)]

    def _has_come(self, told: str, time: str) -> list[Event]:
        """The subagents whose names stand in a text have come back; what they came to, the agent says."""
        children = [child for child in self._open("children") if child in told]
        return [Event("ended", time=time, call=text_of(self._take("children", child))) for child in children]

    def _came_back(self, message: dict[str, Any], time: str) -> list[Event]:
        details = dict_of(message.get("details"))
        status, code = text_of(details.get("status")), details.get("exitCode")
        call, tool = text_of(message.get("toolCallId")), text_of(message.get("toolName"))
        began, polled = call, text_of(self._take("polls", call))
        session, asked = text_of(details.get("sessionId")) or polled, bool(polled) or tool == "process"
        begun: list[Event] = []
        text = without_ours(joined(message.get("content")))
        child = text_of(details.get("childSessionKey"))
        if tool == _SPAWNS and child and status == "accepted":
            self._keep("children", child, call)
            return [Event("result", time=time, tool=tool), Event("begun", child, time=time, call=call)]
        if polled and _NO_MORE.match(text):  # how it ended, nobody has seen; and that it is gone is no error of the work
            return [Event("ended", time=time, call=text_of(self._take("runs", polled)))]
        if status == "running" or status.startswith("approval"):
            if not asked:
                self._keep("runs", session or text_of(details.get("approvalId")), call)
            if not asked and status == "running":
                begun = [Event("begun", f"session {session}", time=time, call=call, tool=BY_ITSELF)]
            began = ""  # it says nothing of how it went
        elif asked and code is not None:
            began = text_of(self._take("runs", session)) or call
        failed = message.get("isError") is True or code not in (0, None) or status in ("failed", "error")
        if failed and text.rstrip().endswith(_ABORTED):
            text = _BY_USER  # what it had printed until then is no error
        return [Event("result", text, time=time, call=began, tool=tool, failed=failed), *begun]

    def _one_is_over(self, text: str, time: str) -> list[Event]:
        """That a command has ended, where the host does not say which: where one alone went on, it was that."""
        runs = self._open("runs")
        if not text.startswith(_ONE_ENDED) or len(runs) != 1:
            return []
        return [Event("ended", time=time, call=text_of(self._take("runs", next(iter(runs)))))]

    def _ended(self, text: str, time: str) -> list[Event]:
        """What came of commands that went on, where the host tells it before a turn."""
        found: list[Event] = []
        for how, about, printed in _ENDED.findall(text) if self._open("runs") and "] Exec " in text else ():
            status, names = _STATUS.search(about), about.replace(",", " ").replace("=", " ").split()
            runs = [run for run in self._open("runs") if run in names or run[:_SHORT] in names]
            if status and len(runs) == 1:  # of two that begin alike, nothing tells which it was
                call, output = text_of(self._take("runs", runs[0])), without_ours(printed.strip(" :"))
                failed = how == "failed" or status[1] is None or int(status[1]) != 0
                found.append(Event("result", output, time=time, call=call, failed=failed))
        return found

    def _open(self, name: str) -> dict[str, Any]:
        return dict_of(self.state.get(name))

    def _take(self, name: str, key: str) -> Any:
        taken = self._open(name).get(key)
        if taken is not None:  # anew, not in place: an older position holds the older mapping
            left = {known: value for known, value in self._open(name).items() if known != key}
            others = {other: held for other, held in self.state.items() if other != name}
            self.state = {**others, name: left} if left else others
        return taken

    def _keep(self, name: str, key: str, value: Any) -> None:
        if 0 < len(key) <= _LONGEST:
            kept = [(known, held) for known, held in self._open(name).items() if known != key][1 - _REMEMBERED :]
            self.state = {**self.state, name: {**dict(kept), key: value}}


def _ran(message: dict[str, Any], time: str, call: str) -> list[Event]:
    """A person's own `!cmd`, with what it printed."""
    command, output = text_of(message.get("command")), without_ours(text_of(message.get("output")))
    failed = message.get("exitCode") not in (0, None) or message.get("cancelled") is True
    return [
        Event("call", command, time=time, call=call, tool="!", command=command),
        Event("result", output, time=time, call=call, tool="!", failed=failed),
    ]


def _is_stopped(message: dict[str, Any]) -> bool:
    """Whether an answer ended because the user has stopped it: while a tool ran, pi calls it an error of the provider's."""
    return message.get("stopReason") == "error" and _STOPPED in text_of(message.get("errorMessage"))
