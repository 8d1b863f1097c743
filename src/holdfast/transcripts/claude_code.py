"""Claude Code: `~/.claude/projects/<slug>/<session>.jsonl`, one object a line.

A line has `type`, and in a conversation `uuid`, `parentUuid`, `timestamp`, `gitBranch`, `isSidechain` and `message`, whose
`content` is a text or a list of blocks. One answer of the model is split into a line for each block. A person's words come
through several channels: user messages, text beside a tool's result, a refusal of a tool with a reason, the answers to
questions that the agent put, the approval of its plan, a slash command that begins work, with its arguments, and messages queued
while the agent worked (`queue-operation`, `enqueue`; `popAll` where the person takes them back into the input).
The host writes a queued message a second time when it delivers it: as a turn of its own, or into a running one as an `attachment`
(`queued_command`), which newer versions may write alone.

Lines form a tree by `parentUuid`. A person who goes back (`/rewind`, Esc twice) and says something else leaves a branch behind:
the new words have the same parent as those that they replace, and the branch stays in the file. Whether the files went back too
is not written down; but with each prompt comes a `file-history-snapshot` of those that the agent has changed, which has no backup
of one that is not there.

Not the person's: lines of subagents (`isSidechain`), the host's own notes (`isMeta`, `<system-reminder>`), prompts that newer
versions say were not typed by anybody (`origin`, `promptSource`), what the agent arranged to be told (arranged.py), what hooks
put in (`attachment`), what is open in an editor (`<ide_…>`), the summary after a compaction (`isCompactSummary`). A person's own
shell (`!cmd`) is a line with `<bash-input>` and below it, as its child, one with `<bash-stdout>`, without an exit status.
"""

from __future__ import annotations

import re

from . import Event, arranged
from .background import begun, followed, noticed
from .calls import called
from .words import PLAN_APPROVED, PLAN_PUT, dict_of, dicts_of, joined, mark_of, text_of, without_ours

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# What the host itself writes into the place of a person's words.
_MACHINE = (
    "<command-",
    "<local-command",
    "Caveat:",
    "<bash-",
    "<user-memory-input>",
    "<user-prompt-submit-hook>",
    "<teammate-message",
    "Stop hook feedback:",
    "Operation stopped by hook:",
)
_NOT_KNOWN = r"Unknown (?:slash )?(?:command|skill): /?[\w:.-]+\.?(?: Did you mean /?[\w:.-]+\?)?\Z"  # its answer to a slip
_EMPTY = ("(no content)", "No response requested.")  # what it writes where nothing was said
# Who sent a prompt, where the host says so: another agent, a task that has ended, the host itself.
_SENDERS = ("task-notification", "coordinator", "peer", "auto-continuation")
_BY_THE_CLOCK, _WAKEUP = "scheduled", "loop_wakeup"  # what the agent itself has arranged to be told
_DENIED = ("user-rejected", "permission-rule", "cancelled")  # of a call: it was never run
_REMINDER = r"(?s)<system-reminder>.*?(?:</system-reminder>|\Z)"  # these are compiled where they are needed
_EDITOR = r"(?s)<(ide_\w+)>.*?(?:</\1>|\Z)"  # what is open or selected in an editor
_COMMAND = r"<command-name>\s*/?([^\s<]{1,100})"
_BEGINS_WORK = "<command-message>"  # what stands first in a command that is a prompt; in one of the host's own its name does
# The host's own commands that take arguments: they set something in the host, and ask nothing of the agent.
_SETTINGS = frozenset(
    "add-dir agents branch clear color compact config context copy cost effort exit export fast feedback fork help hooks ide "  # noqa: SIM905
    "keybindings login logout mcp memory model output-style permissions plugin privacy-settings quit reload-plugins rename "
    "resume rewind sandbox stats status statusline tasks terminal-setup theme usage vim".split()
)
_GIVEN_UP = tuple(f"goal {word}" for word in ("clear", "stop", "off", "reset", "none", "cancel"))
_PLANNED = "\n\n\nIf you need specific details from before exiting plan mode"  # the host's, behind a plan that begins a session
_SHELL = r"(?s)<bash-(input|stdout|stderr)>(.*?)(?:</bash-\1>|\Z)"
_TYPED_COMMAND = r"/([\w:-]+)(?:\Z|(\s))"
# A call that a person refused says so in the host's own field; before that version the result's text alone does. There the host's
# whole sentence must stand first, behind which the error of no tool of the host's can begin: a shell's begins with `Exit code`.
_DENIAL, _DENIAL_SINCE = "toolDenialKind", (2, 1, 186)
_REFUSED_BY_USER = "user-rejected"
_REFUSED, _REFUSAL = "the user said:\n", "The user doesn't want to proceed with this tool use. The tool use was rejected"
_ASKS, _PLANS, _FOREIGN = "AskUserQuestion", "ExitPlanMode", "mcp__"  # how the names of tools begin that are not the host's
_CALLS = 100  # that may be under way at once
_CLARIFIES = "The user wants to clarify these questions"  # the host's words, and no answer
_APPROVED, _PLAN = "User has approved your plan", r"(?s)\A.*?\n## Approved Plan[^\n]*:\n"
_ADVICE = "\n\nNote: The user's next message may"
_AGENT, _AROUND_AGENT = r"(?:\A|\n)agentId: ([\w-]{1,64})\b", 1000
_HANDED_BACK = "The report follows:\n"
_INTERRUPTED, _NOTIFIED = "[Request interrupted", "<task-notification"
_PROMPTS = 50  # to which a person may go back
_CONTINUED = "This session is being continued from a previous conversation"

_END = 1000  # bytes of a line: behind the copy of a result stands what may be needed of it
_QUEUED = ("queue-operation", "attachment")

_SILENT = frozenset(
    "summary progress last-prompt mode permission-mode pr-link custom-title ai-title "  # noqa: SIM905
    "agent-name atis-latch api-request api-request-shape api-request-blob tools-used cost-state worktree-state agent-setting "
    "agent-color file-history-delta attribution-snapshot content-replacement isolation-latch bridge-session tag relocated".split()
)


class Reader:
    """Line by line; it remembers below which lines the last prompts stood, to know one that replaces another."""

    def __init__(self) -> None:
        self.state: dict[str, Any] = {}

    def events(self, entry: dict[str, Any]) -> list[Event] | None:
        """The events of one line; None where its type is not known."""
        found = events(entry, dict_of(self.state.get("calls")))
        if found and not entry.get("isSidechain"):
            self._remember_calls(found)
        if found is not None and (found or entry.get("isMeta")):
            found, self.state = arranged.come(found, entry, self.state)
        if entry.get("type") in _QUEUED:
            found = self._delivered(entry, found)
        if found and ("background" in self.state or any(event.kind in ("begun", "woken", "arranged") for event in found)):
            before = dict_of(self.state.get("background"))
            found, after = followed(found, before, notice=found[0].kind == "woken")
            self.state = {**self.state, "background": after} if after is not before else self.state
        if "parentUuid" in entry and (found or self._is_below_a_prompt(entry)):
            self._placed(entry, found or [])
        return found

    def _remember_calls(self, found: list[Event]) -> None:
        """Keep which tool was called until its result comes: only by that can it be told whose words are in it."""
        calls = dict_of(self.state.get("calls"))
        made = {event.call: event.tool for event in found if event.kind == "call" and event.tool != "!"}
        back = [event.call for event in found if event.kind != "call" and event.call in calls]
        if made or back:
            # Anew, not in place: an older position holds the older mapping.
            calls = {call: tool for call, tool in calls.items() if call not in back} | made
            others = {name: kept for name, kept in self.state.items() if name != "calls"}
            kept = dict(list(calls.items())[-_CALLS:])
            self.state = {**others, "calls": kept} if kept else others

    def _is_below_a_prompt(self, entry: dict[str, Any]) -> bool:
        last = self.state.get("prompt")
        return isinstance(last, list) and last[:1] == [entry["parentUuid"]]

    def _placed(self, entry: dict[str, Any], found: list[Event]) -> None:
        """Where a line stands in the tree: a prompt below the same line as an earlier one, or below none like it, replaces it."""
        above = text_of(entry["parentUuid"])
        if found and found[0].kind == "compaction":
            self.state = {name: kept for name, kept in self.state.items() if name not in ("asked", "prompt")}  # another root
            return
        last = self.state.get("prompt")  # (its line, the line above it, its time)
        if above and isinstance(last, list) and last[0] == above:
            # Something stands below it, so the lines are a tree. Anew, not in place: an older position holds the older mapping.
            asked = dict_of(self.state.get("asked"))
            kept = [(parent, time) for parent, time in asked.items() if parent != last[1]][-_PROMPTS:]
            asked = {**dict(kept), last[1]: text_of(asked.get(last[1])) or last[2]}
            self.state = {**{name: kept for name, kept in self.state.items() if name != "prompt"}, "asked": asked}
        if found and all(event.kind == "user" and not event.refusal and not event.reply for event in found):
            asked = dict_of(self.state.get("asked"))
            # Below a prompt that was taken back at once nothing stands; where lines are a tree, its place shows it.
            again = text_of(last[2]) if asked and isinstance(last, list) and last[1:2] == [above] else ""
            found[0].instead = text_of(asked.get(above)) or again
            self.state = {**self.state, "prompt": [text_of(entry.get("uuid")), above, found[0].time]}

    def _delivered(self, entry: dict[str, Any], found: list[Event] | None) -> list[Event] | None:
        """A queued message: when it is queued, or when it is delivered where nothing was said of that."""
        queued = self.state.get("queued")
        waiting = [mark for mark in queued if isinstance(mark, str)] if isinstance(queued, list) else []
        if not found or found[0].kind != "user":
            return found
        mark = mark_of(found[0].text)
        if entry.get("type") == "queue-operation":
            self.state = {**self.state, "queued": [*waiting, mark][-_PROMPTS:]}
            return found
        if mark not in waiting:
            return found
        self.state = {**self.state, "queued": [other for other in waiting if other != mark]}
        return []

    @staticmethod
    def trimmed(line: bytes) -> bytes:
        """A line without the host's second copy of a tool's result, which makes up most of a file and says nothing new.

        Inside a text the quotes would be escaped, so what is found here is a key. Answers to the agent's questions stand only
        in that copy, and older versions say behind it whose the line is: such a line is left whole.
        """
        at = line.find(b',"toolUseResult":')
        if at < 0 or line.find(b'"answers":', at) > 0 or line.find(b'"message":', 0, at) < 0:
            return line
        end = line[max(at, len(line) - _END) :]
        if line.find(b'"is_error":true', 0, at) > 0:
            return line  # how the host keeps a refusal tells it from a tool's own error, and it is short
        told = b'"isMeta":true' in end or b'"toolDenialKind":' in end or b'"isCompactSummary":true' in end
        return line if told or b'"isSidechain":true' in end else line[:at] + b"}"


def events(entry: dict[str, Any], calls: dict[str, Any]) -> list[Event] | None:
    """The events of one line; None where its type is not known. `calls` maps each call under way to its tool."""
    kind = entry.get("type")
    if kind in ("assistant", "user"):
        if entry.get("isSidechain"):
            return _aside(entry)
        message = entry.get("message")
        if not isinstance(message, dict):
            return []
        content = message.get("content")
        time, branch = text_of(entry.get("timestamp")), text_of(entry.get("gitBranch"))
        if kind == "assistant":
            own = message.get("model") != "<synthetic>" and not entry.get("isApiErrorMessage")  # or what the service answers
            return _said(content, time, branch) if own else []
        if entry.get("isCompactSummary"):
            return [Event("summary", joined(content), time=time)]
        if entry.get("turnOrigin") == _BY_THE_CLOCK:
            over = [Event("arranged", time=time)] if entry.get("wakeupSource") == _WAKEUP else []  # whatever its words are by now
            return [Event("woken", time=time), *over]
        if entry.get("isMeta") or entry.get("turnCompanion"):
            return []
        if ("origin" in entry or "promptSource" in entry) and _is_sent(entry):
            return [Event("woken", time=time), *noticed(joined(content), time)]
        return _heard(entry, content, time, branch, calls)
    if kind == "system":
        boundary = entry.get("subtype") == "compact_boundary" and not entry.get("isSidechain")
        return [Event("compaction", time=text_of(entry.get("timestamp")))] if boundary else []
    if kind == "queue-operation":
        if entry.get("operation") == "popAll" and not entry.get("isSidechain"):  # taken back into the input, unsent
            return [Event("unsaid", joined(entry.get("content")).strip(), time=text_of(entry.get("timestamp")))]
        if entry.get("operation") != "enqueue" or entry.get("isSidechain"):
            return []
        return _words(joined(entry.get("content")), text_of(entry.get("timestamp")), "")
    if kind == "file-history-snapshot":
        return _missing(dict_of(entry.get("snapshot"))) if entry.get("isSnapshotUpdate") is False else []
    if kind == "attachment":
        return _steered(entry)
    return [] if entry.get("isSidechain") or (isinstance(kind, str) and kind in _SILENT) else None


def _aside(entry: dict[str, Any]) -> list[Event]:
    """The files that a subagent changes: older versions have its lines in the midst of the session's."""
    from .aside import inline

    return inline(events({**entry, "isSidechain": False}, {}) or [])


def _missing(snapshot: dict[str, Any]) -> list[Event]:
    """The files that the agent has changed and that are not there when the user speaks: deleted, or taken back by `/rewind`."""
    found = []
    for path, backup in dict_of(snapshot.get("trackedFileBackups")).items():
        told = dict_of(backup)
        if "backupFileName" in told and told["backupFileName"] is None:
            folder = text_of(told.get("realParentDir"))
            found.append((f"{folder}/{path.rpartition('/')[2]}" if folder else path, ""))
    return [Event("gone", time=text_of(snapshot.get("timestamp")), moves=tuple(found))] if found else []


def _is_sent(entry: dict[str, Any]) -> bool:
    """Whether a prompt was not a person's, by what the host says of who sent it."""
    return dict_of(entry.get("origin")).get("kind") in _SENDERS or entry.get("promptSource") == "system"


def _steered(entry: dict[str, Any]) -> list[Event]:
    """What a person has said into a running turn, and what they aim at; of all else that the host attaches, nothing."""
    given = dict_of(entry.get("attachment"))
    if given.get("type") == "goal_status" and not entry.get("isSidechain"):
        return [arranged.aimed(given, text_of(entry.get("timestamp")))]
    if given.get("type") != "queued_command" or entry.get("isSidechain") or given.get("isMeta"):
        return []
    time = text_of(entry.get("timestamp"))
    return [Event("woken", time=time)] if _is_sent(given) else _words(joined(given.get("prompt")), time, "")


def _words(text: str, time: str, branch: str) -> list[Event]:
    """A person's words, without what the host put around them."""
    text = _unreminded(text)
    if "<ide_" in text:
        text = re.sub(_EDITOR, "", text)
    text = without_ours(text).strip()
    if text.startswith("<command-"):
        text = _slash_command(text)
    elif text.startswith("/") and (typed := re.match(_TYPED_COMMAND, text)) and (typed[2] is None or typed[1] in _SETTINGS):
        text = ""  # as it was typed: it waited in the queue
    text = text.partition(_PLANNED)[0].rstrip()
    if text.startswith(_INTERRUPTED):
        return [Event("interruption", time=time)]
    if text.startswith(_NOTIFIED):
        return [Event("woken", time=time), *noticed(text, time)]
    if not text or text.startswith(_MACHINE) or text in _EMPTY or (text.startswith("Unknown ") and re.match(_NOT_KNOWN, text)):
        return []
    if text.startswith(_CONTINUED):
        return [Event("summary", text, time=time)]  # older versions do not mark it
    return [Event("user", text, time=time, branch=branch)]


def _unreminded(text: str) -> str:
    """A text without what the host reminds the agent of in it."""
    return re.sub(_REMINDER, "", text) if "<system-reminder>" in text else text


def _slash_command(text: str) -> str:
    """The slash command by which a person began work, as it was typed; empty for one that only sets something in the host.

    Without its name the request before it would be taken for what is being worked on, and its arguments say little alone.
    """
    name, given = re.search(_COMMAND, text), text.partition("<command-args>")[2].partition("</command-args>")
    arguments = given[0].strip() if given[1] else ""
    if not name:
        return arguments
    own = name[1] in _SETTINGS or not (arguments or text.startswith(_BEGINS_WORK)) or f"{name[1]} {arguments}" in _GIVEN_UP
    return "" if own else f"/{name[1]} {arguments}".strip()


def _heard(entry: dict[str, Any], content: Any, time: str, branch: str, calls: dict[str, Any]) -> list[Event]:
    if isinstance(content, str):
        return _own_shell(entry, content, time) if content.startswith("<bash-") else _words(content, time, branch)
    found: list[Event] = []
    for block in content if isinstance(content, list) else ():
        if isinstance(block, str):
            found += _words(block, time, branch)
        elif isinstance(block, dict):
            if block.get("type") == "tool_result":
                found += _came_back(entry, block, time, text_of(calls.get(text_of(block.get("tool_use_id")))))
            elif block.get("type") == "text":
                found += _words(text_of(block.get("text")), time, branch)
    return found


def _came_back(entry: dict[str, Any], block: dict[str, Any], time: str, tool: str) -> list[Event]:
    text = without_ours(_unreminded(joined(block.get("content"))))
    failed, call = block.get("is_error") is True, text_of(block.get("tool_use_id"))
    if not failed and (goes_on := begun(text, call, time) or arranged.set_up(text, call, time)):
        return [goes_on]
    agent = re.search(_AGENT, text[-_AROUND_AGENT:]) if "agentId: " in text[-_AROUND_AGENT:] else None
    denied = failed and entry.get(_DENIAL) in _DENIED
    found = [Event("result", text, time=time, call=call, failed=failed, refusal=denied)]
    if agent:
        found[0].agent, found[0].text = agent[1], _reported(text)
    if failed and _REFUSED in text[:600] and _is_refused_by_user(entry, text, tool):
        reason = text.split(_REFUSED, 1)[1].split(_ADVICE, 1)[0].strip()
        if reason and not reason.startswith(_CLARIFIES):
            found.append(Event("user", reason, time=time, refusal=True))
    if not failed and tool == _PLANS and text.startswith(_APPROVED):
        plan = re.sub(_PLAN, "", text) if "## Approved Plan" in text else ""
        found.append(Event("user", f"{PLAN_APPROVED} {plan}".strip(), time=time))
    if not failed and tool == _ASKS:
        found += _answered(dict_of(entry.get("toolUseResult")), time)
    return found


def _is_refused_by_user(entry: dict[str, Any], text: str, tool: str) -> bool:
    """Whether a person has refused a call, by the host's own field or, in versions without it, by the host's own words.

    A tool of somebody else's may answer with any words: of those versions, its refusal cannot be told from its answer.
    """
    if _DENIAL in entry:
        return bool(entry[_DENIAL] == _REFUSED_BY_USER)
    own_tool = bool(tool) and not tool.startswith(_FOREIGN)
    in_words = isinstance(entry.get("toolUseResult", ""), str)  # what a tool gives back is an object
    return own_tool and in_words and text.startswith(_REFUSAL) and _version(entry) < _DENIAL_SINCE


def _version(entry: dict[str, Any]) -> tuple[int, ...]:
    """The version of the host that wrote a line; nothing where the line does not say."""
    numbers = text_of(entry.get("version")).partition("-")[0].split(".")
    return tuple(int(number) for number in numbers if number.isascii() and number.isdecimal() and len(number) < 9)


def _answered(given: dict[str, Any], time: str) -> list[Event]:
    """What the user answered to the questions that the agent put, with what they noted beside an answer."""
    answers = dict_of(given.get("answers")) if isinstance(given.get("questions"), list) else {}
    notes = dict_of(given.get("annotations"))
    found = []
    for question, answer in answers.items():
        if isinstance(answer, str) and answer.strip():
            noted = text_of(dict_of(notes.get(question)).get("notes")).strip()
            said = f"{question} → {answer.strip()}{f' ({noted})' if noted else ''}"
            found.append(Event("user", said, time=time, reply=True))
    return found


def _reported(text: str) -> str:
    """What a subagent came to, without what the host says around it."""
    report = text.rpartition("agentId: ")[0]
    framed = report.rpartition(_HANDED_BACK)
    return "\n".join(line.removeprefix("  ") for line in framed[2].split("\n")).strip() if framed[1] else report.strip()


def _own_shell(entry: dict[str, Any], text: str, time: str) -> list[Event]:
    """What the person ran in the agent's shell: the call is its line, the result names its parent's."""
    parts = {name: body.strip() for name, body in re.findall(_SHELL, text)}
    if "input" in parts:
        command = parts["input"]
        return [Event("call", command, time=time, call=text_of(entry.get("uuid")), tool="!", command=command)] if command else []
    output = without_ours("\n".join(part for part in (parts.get("stdout"), parts.get("stderr")) if part))
    return [Event("result", output, time=time, call=text_of(entry.get("parentUuid")), tool="!")]


def _said(content: Any, time: str, branch: str) -> list[Event]:
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    found: list[Event] = []
    for block in content if isinstance(content, list) else ():
        if not isinstance(block, dict):
            continue
        if block.get("type") == "tool_use":
            name, given = text_of(block.get("name")), dict_of(block.get("input"))
            if name == "ReportFindings" and (said := _findings(given)):
                found.append(Event("agent", said, time=time, branch=branch))
            found.append(_called(name, given, text_of(block.get("id")), time))
        elif block.get("type") == "text":
            text = text_of(block.get("text")).strip()
            if text and text not in _EMPTY:
                found.append(Event("agent", text, time=time, branch=branch))
    return found


def _findings(given: dict[str, Any]) -> str:
    """What a review has found: the host shows it to the user by itself, and the agent is told not to say it again."""
    lines = []
    for number, finding in enumerate(dicts_of(given.get("findings")), 1):
        where, line = text_of(finding.get("file")), finding.get("line")
        told = [text_of(finding.get(key)) for key in ("summary", "failure_scenario")]
        outcome = text_of(finding.get("outcome"))
        place = f"{where}:{line}" if isinstance(line, int) else where
        lines.append(f"{number}. {place}: {'; '.join(filter(None, told))}{f' ({outcome})' if outcome else ''}")
    return "\n".join(["Findings of the review:", *lines]) if lines else ""


def _called(name: str, given: dict[str, Any], call: str, time: str) -> Event:
    event = called(name, given, call=call, time=time)
    if name == "TaskCreate":
        event.task = ("", text_of(given.get("subject")), "pending")
    elif name == "TaskUpdate":
        event.task = (text_of(given.get("taskId")), text_of(given.get("subject")), text_of(given.get("status")))
    elif name == "ExitPlanMode":
        event.asks = f"{PLAN_PUT} {text_of(given.get('plan'))}".strip()
    else:
        arranged.called(event, given)
    return event
