"""Gemini CLI: `~/.gemini/tmp/<project>/chats/session-<minute>-<id8>.jsonl`, a log of records that change one another.

The first line is about the session (`sessionId`, `projectHash`). A message is a record with `id`, `type` (user, gemini, info, …)
and `content`; it is written anew, whole and under the same id, each time its tool calls or their results change. `{"$set": …}`
patches what is known of the session, and `$set.messages` puts a list in the place of all messages: at the start, on resuming, on
going back, and when the host compresses (then it holds a `<state_snapshot>`). The list repeats, under new ids and times, what
the lines before it said, so it is read only where nothing came before it; a snapshot that is still the same was only resumed.
`{"$rewindTo": id}` takes back a message and all after it; so does a list in which they are missing. Who turns a tool away
makes the host drop the prompt that it was for: it writes all of the others anew, as records with new ids, the first of which has
the `<session_context>` in it, and then as a list. These say nothing new, and nobody went back.

Of a tool call, `status` and the result tell how it went; the user record behind it holds the same result a second time. Text of
hooks stands in `<hook_context>`, the host's own in `<session_context>` and the like; `displayContent` is what the person saw,
where that is something else. Where a hook does not let the agent stop, or the host thinks that it has more to say, it writes
other words under the prompt, or under the results of tools, that it is at: the person has not said that again, and nobody has
said the words. What they say while the agent works comes in a frame of the host's, and a command of their own shell as if they
had told of it. In the same frame comes that a command in the background has ended, by the number of its process; how it ended,
the list of them tells for which the agent asks.
A tool call that was a subagent's work has its `agentId`: what it did stands in a file of that name, in a folder beside this one.
"""

from __future__ import annotations

import re

from . import Event
from .calls import called
from .words import PLAN_APPROVED, dict_of, dicts_of, iso, mark_of, strings, text_of, without_ours

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_HOOK = re.compile(r"<hook_context>.*?(?:</hook_context>|\Z)", re.S)
_WRAPPED = re.compile(r"\A<untrusted_context>\n?(.*?)\n?</untrusted_context>\s*\Z", re.S)
_FIELDS = ("Output: ", "Command: ", "Error: ")
_BEHIND = ("Exit Code: ", "Signal: ", "Background PIDs: ", "Process Group PGID: ")  # what the host sets behind an output
_ABOUT = ("Command: ", "Directory: ", *_BEHIND)
_WELL = ("", "0", "(none)")
_STOPPED = ("Command was cancelled", "Command was automatically cancelled", "User dismissed ask_user dialog")
_GOES_ON = re.compile(r"Command moved to background \(PID: (\d{1,10})\)")
_LISTED = re.compile(r"^- \[PID (\d{1,10})\] EXITED: .{0,4000}?`( \(Exit Code: (-?\d{1,9})\))?( \(Signal: \w{1,20}\))?$", re.M)
_HAS_ENDED = re.compile(r"\[Background command completed .{0,500}?\. Output saved to [^\]\n]{0,999}?background-(\d{1,10})\.log\]")
_PLANNED, _APPROVED = "exit_plan_mode", "Plan approved"
_REJECTED, _STORED = "Plan rejected. User feedback: ", "\n\nThe plan is stored at:"
_ASKS = "ask_user"  # the host's own tool that asks: in what it gives back a person speaks
_EMPTY = (": (none)", ": (empty)")
_SNAPSHOT = "<state_snapshot>"
_THANKS = "Got it."  # the host's, in the agent's place, for a snapshot
_LEFT_OUT = ("<hook_context>", "/", "?")  # how prompts begin that are in no list, though nobody took them back
_PROMPTS = 50  # to which a person may go back
_TYPED = 5  # prompts at which the agent may still be
_LISTS = "list_background_processes"
_CARRIED = ("snapshot", "asked", "waits", "agents", "again", "typed", "runs")  # what is remembered beyond a message
_WAITING = 20  # calls
_TASK = 100  # characters of one that is handed to another agent
_CONTEXT = "<session_context>"  # in a record with somebody's words, only where the host writes all of them anew
_AT_ONCE = 5.0  # seconds in which it does so
_REFERENCED = "--- Content from referenced files ---"
_PUSHES = (  # whatever stands behind them, the agent goes on by itself
    "System: Please continue.",
    "System: Potential loop detected.",
    "Background execution update:\n<background_output>",
)
_MACHINE = (
    _CONTEXT,
    _SNAPSHOT,
    "<loaded_context>",
    "<environment_memory>",
    "This is the Gemini CLI.",
    *_PUSHES,
)
_PUSHED = "Please continue."  # the host's as well, where it does not say what the person saw
_STEERED, _STEERED_END = "User steering update:\n<user_input>\n", "\n</user_input>\nInternal instruction:"
_OWN_SHELL, _PRINTED = "I ran the following shell command:\n```sh\n", "\n```\n\nThis produced the following output:\n"
_CANCELLED = "Request cancelled."
_SILENT = ("info", "error", "warning")


class Reader:
    """Record by record; it remembers what it has given of the message that may still be written anew."""

    def __init__(self) -> None:
        self.state: dict[str, Any] = {}

    def events(self, entry: dict[str, Any]) -> list[Event] | None:
        """The events of one record; None where its type is not known."""
        if "$set" in entry or ("sessionId" in entry and "type" not in entry):
            return self._patched(dict_of(entry.get("$set", entry)))
        if "$rewindTo" in entry:
            return self._rewound(text_of(entry["$rewindTo"]))
        kind = entry.get("type")
        if kind in ("user", "gemini") and self._is_said_again(entry):
            return []
        if kind == "user":
            return self._heard(entry)
        if kind == "gemini":
            return self._said(entry)
        if kind == "info" and "".join(_texts(entry.get("content"))).strip() == _CANCELLED:
            return [Event("interruption", time=iso(entry.get("timestamp")))]
        return [] if kind in _SILENT else None

    def _is_said_again(self, entry: dict[str, Any]) -> bool:
        """Whether a record is one of those that the host writes anew: from the first on, and for as long as that takes."""
        from .heads import seconds

        moment, texts = seconds(iso(entry.get("timestamp"))), _texts(entry.get("content"))
        if self.state.get("begun") and entry.get("type") == "user" and texts and texts[0].lstrip().startswith(_CONTEXT):
            self.state = {**self.state, "again": moment}
        began = self.state.get("again")
        return isinstance(began, float) and moment - began < _AT_ONCE

    def _patched(self, patch: dict[str, Any]) -> list[Event]:
        messages, begun = dicts_of(patch.get("messages")), self.state.get("begun")
        again = self.state.get("again") if messages else None
        if again is not None:
            self.state = {name: value for name, value in self.state.items() if name != "again"}
        for number, message in enumerate(messages):
            text = "\n".join(_texts(message.get("content")))
            if text.lstrip().startswith(_SNAPSHOT):
                if self.state.get("snapshot") == mark_of(text):
                    return []
                self.state = {**self.state, "snapshot": mark_of(text)}
                time = iso(message.get("timestamp"))
                thanked = "".join(_texts([*messages, {}][number + 1].get("content"))).startswith(_THANKS)
                behind = [] if begun else self._listed(messages[number + 1 + thanked :])
                return [Event("compaction", time=time), Event("summary", text.strip(), time=time), *behind]
        if not begun:
            return self._listed(messages)
        missed = self._missed(messages)
        return self._rewound(missed) if missed and again is None else []

    def _listed(self, messages: list[dict[str, Any]]) -> list[Event]:
        """The events of a list that repeats nothing."""
        found: list[Event] = []
        for message in messages:
            if message.get("type") == "user":
                found += self._heard(message)
            elif message.get("type") == "gemini":
                found += self._said(message)
        return found

    def _missed(self, messages: list[dict[str, Any]]) -> str:
        """The first prompt that is missing behind the last one in a list of what is known: the user has gone back to before it.

        Where none is in it, nothing can be told. What is in it has new ids, by which it may be taken back later.
        """
        ids: dict[str, list[str]] = {}
        for message in messages:
            if message.get("type") == "user":
                ids.setdefault(_known_by(message), []).append(text_of(message.get("id")))
        asked, last = {}, -1
        for number, (name, (time, mark)) in enumerate(self._asked().items()):
            new = ids.get(mark) if mark else None
            last = number if new else last
            asked[new.pop(0) if new else name] = [time, mark]
        if last < 0:
            return ""
        self.state = {**self.state, "asked": asked}
        return next((name for name, (_, mark) in list(asked.items())[last + 1 :] if mark), "")

    def _rewound(self, name: str) -> list[Event]:
        """As if a prompt and all after it had not been said."""
        asked = self._asked()
        if name not in asked:
            return []
        before = list(asked)[: list(asked).index(name)]
        self.state = {**self.state, "asked": {known: asked[known] for known in before}}
        return [Event("rewound", instead=asked[name][0])]

    def _asked(self) -> dict[str, list[str]]:
        """The last prompts: id → [time, what they are known by in a list]."""
        known = dict_of(self.state.get("asked"))
        return {name: item for name, item in known.items() if isinstance(item, list) and [*map(type, item)] == [str, str]}

    def _heard(self, entry: dict[str, Any]) -> list[Event]:
        time = iso(entry.get("timestamp"))
        found = []
        for part in dicts_of(entry.get("content")):
            response = dict_of(part.get("functionResponse"))
            call = text_of(response.get("id"))
            if response and call not in self._given("results"):
                found += self._came_back(call, response.get("response"), text_of(response.get("name")), "", time)
                self._give(text_of(self.state.get("id")), "results", call)
        shown, told = _texts(entry.get("displayContent")), _texts(entry.get("content"))
        text = _words(shown or told)
        found += self._ended(told, time)
        untyped = bool(dicts_of(entry.get("displayContent"))) and not shown  # what a tool gave back was all that was seen
        if (untyped and text) or self._is_pushed(shown, told):
            return [*found, Event("woken", time=time)]
        if not shown and text.startswith(_OWN_SHELL):
            self.state = {**self.state, "begun": True}
            return [*found, *_own_shell(text, text_of(entry.get("id")), time)]
        if text and (shown or text != _PUSHED):
            found.append(Event("user", text, time=time))
            others = [item for item in self._asked().items() if item[0] != text_of(entry.get("id"))]
            asked = dict([*others, (text_of(entry.get("id")), [time, _known_by(entry)])][-_PROMPTS:])
            typed = [*self._given("typed"), [mark_of(text), mark_of(_words(told))]][-_TYPED:]
            self.state = {**self.state, "begun": True, "asked": asked, "typed": typed}
        return found

    def _is_pushed(self, shown: list[str], told: list[str]) -> bool:
        """Whether the host lets the agent go on: it says so, or puts other words under a prompt that has been said."""
        text, words = _words(shown), _words(told)
        if not shown:
            return bool(told) and (words == _PUSHED or (told[0].startswith((*_PUSHES, _STEERED)) and not words))
        said = [item for item in self._given("typed") if isinstance(item, list) and len(item) == 2]
        known = any(item[0] == mark_of(text) for item in said)
        return known and text not in words and not any(item[1] == mark_of(words) for item in said)

    def _ended(self, told: list[str], time: str) -> list[Event]:
        """What the host tells by itself of commands in the background: that they have ended. “Successfully” means no more."""
        pids = [pid for text in told if text.startswith(_STEERED) for pid in _HAS_ENDED.findall(text)]
        return [Event("ended", time=time, call=call) for pid in pids if (call := self._over(pid))]

    def _listed_as_over(self, text: str, time: str) -> list[Event]:
        """What a list says of how commands in the background ended; of one without a status nobody knows."""
        found = []
        for pid, _, code, signal in _LISTED.findall(text):
            if call := self._over(pid):
                kind, failed = "result" if code or signal else "ended", bool(signal) or code not in _WELL
                found.append(Event(kind, time=time, call=call, failed=failed))
        return found

    def _over(self, pid: str) -> str:
        """The call that began a process which is no more; empty where none is known."""
        runs = dict_of(self.state.get("runs"))
        if pid in runs:
            self.state = {**self.state, "runs": {known: call for known, call in runs.items() if known != pid}}
        return text_of(runs.get(pid))

    def _said(self, entry: dict[str, Any]) -> list[Event]:
        number, time = text_of(entry.get("id")), iso(entry.get("timestamp"))
        if number != self.state.get("id"):
            carried = {name: self.state[name] for name in _CARRIED if name in self.state}
            self.state = {"id": number, "begun": True, **carried}
        found = []
        text = "\n".join(_texts(entry.get("content"))).strip()
        if text and (mark := mark_of(text)) not in self._given("said"):
            found.append(Event("agent", text, time=time))
            self.state = {**self.state, "said": [mark]}
        calls = [dict_of(part.get("functionCall")) for part in dicts_of(entry.get("content")) if "functionCall" in part]
        for item in calls + dicts_of(entry.get("toolCalls")):
            call = text_of(item.get("id"))
            if call not in self._given("calls"):
                self._give(number, "calls", call)
                moment = iso(item.get("timestamp")) or time
                found.append(called(text_of(item.get("name")), dict_of(item.get("args")), call=call, time=moment))
                if item.get("agentId") and not found[-1].handed:  # a tool that is an agent
                    what = " ".join("\n".join(strings(item.get("args"))).split())
                    found[-1].handed = f"{text_of(item.get('name'))}: {what[:_TASK]}"
                self._wait(call, text_of(item.get("name")), dict_of(item.get("args")))
            if item.get("result") and call not in self._given("results"):
                self._give(number, "results", call)
                answers = [dict_of(part.get("functionResponse")).get("response") for part in dicts_of(item.get("result"))]
                moment, name = iso(item.get("timestamp")) or time, text_of(item.get("name"))
                found += self._came_back(call, answers, name, text_of(item.get("status")), moment)
                back = next(event for event in reversed(found) if event.kind == "result")
                back.agent = text_of(item.get("agentId"))
        return found

    def _wait(self, call: str, name: str, given: dict[str, Any]) -> None:
        """Remember what must be known of a call when it comes back: its questions, or that it runs in the background."""
        put = dicts_of(given.get("questions")) if name == _ASKS else []
        asked = [text_of(item.get("question")).strip() for item in put]
        if asked or given.get("is_background") is True:
            waits = [*dict_of(self.state.get("waits")).items(), (call, asked)]
            self.state = {**self.state, "waits": dict(waits[-_WAITING:])}

    def _came_back(self, call: str, response: Any, name: str, status: str, time: str) -> list[Event]:
        """A result, with what the user has said by it."""
        result, waits = _result(call, response, status, time), dict_of(self.state.get("waits"))
        asked = waits.get(call)
        if asked is not None:
            self.state = {**self.state, "waits": {known: item for known, item in waits.items() if known != call}}
        if result.failed:
            return [result]
        if goes_on := _GOES_ON.match(result.text):
            runs = [*dict_of(self.state.get("runs")).items(), (goes_on[1], call)]
            self.state, result.call = {**self.state, "runs": dict(runs[-_WAITING:])}, ""
            return [result, Event("begun", f"PID {goes_on[1]}", time=time, call=call)]
        if asked == []:
            result.call = ""  # that it was begun says nothing of how it went
        if name == _LISTS:
            return [result, *self._listed_as_over(result.text, time)]
        if name == _PLANNED:
            return [result, *_decided(result.text, time)]
        return [result, *_answered(asked, result.text, time)] if isinstance(asked, list) else [result]

    def _given(self, name: str) -> list[Any]:
        known = self.state.get(name)
        return known if isinstance(known, list) else []

    def _give(self, number: str, name: str, call: str) -> None:
        self.state = {**self.state, "id": number, name: [*self._given(name), call]}  # anew: an older position holds the older


def _known_by(entry: dict[str, Any]) -> str:
    """What a prompt is known by in a list; empty for one that is in none."""
    texts = _texts(entry.get("content"))
    words = _words(texts)
    return mark_of(words) if words and not texts[0].lstrip().startswith(_LEFT_OUT) else ""


def _texts(content: Any) -> list[str]:
    """The texts of a content: a string, one part, or parts; thoughts are none."""
    if isinstance(content, str):
        return [content] if content else []
    parts = [content] if isinstance(content, dict) else content if isinstance(content, list) else []
    texts = [part if isinstance(part, str) else text_of(part.get("text")) for part in parts if _speaks(part)]
    return [text for text in texts if text]


def _speaks(part: Any) -> bool:
    return isinstance(part, str) or (isinstance(part, dict) and not part.get("thought"))


def _words(texts: list[str]) -> str:
    """A person's words, without what hooks and the host put beside them."""
    own: list[str] = []
    for raw in texts:
        text = without_ours(_HOOK.sub("", raw)).strip()
        if text.startswith(_REFERENCED):
            break
        if text.startswith(_STEERED):  # said while it was at work
            text = text[len(_STEERED) :].partition(_STEERED_END)[0].strip()
            ended = _HAS_ENDED.search(text)  # and what it printed, in the same line: what stands before it is theirs
            text = text[: ended.start()].strip() if ended else text
        if text and not text.startswith(_MACHINE):
            own.append(text)
    return "\n".join(own)


def _own_shell(text: str, number: str, time: str) -> list[Event]:
    """What the person ran in the agent's shell, and what it printed: no exit status is kept for it."""
    command, _, output = text[len(_OWN_SHELL) :].partition(_PRINTED)
    output = output.strip().removeprefix("```").removesuffix("```").strip("\n")
    call = Event("call", command.strip(), time=time, call=number, tool="!", command=command.strip())
    return [call, Event("result", output, time=time, call=number, tool="!")]


def _result(call: str, response: Any, status: str, time: str) -> Event:
    texts = "\n".join(strings(response))
    text = _HOOK.sub("", texts).strip()
    bare = _WRAPPED.match(text)
    text = without_ours(bare[1] if bare else text)
    answers = response if isinstance(response, list) else [response]
    failed = status in ("error", "cancelled") or any(dict_of(answer).get("error") for answer in answers)
    failed = failed or text.startswith(_STOPPED) or _went_wrong(text)
    return Event("result", _printed(text), time=time, call=call, failed=failed)


def _went_wrong(text: str) -> bool:
    """Whether the fields behind an output say so. What a program prints may look like one of them, and stands before them."""
    if not text.startswith((*_FIELDS, *_ABOUT)):
        return False
    fields: dict[str, str] = {}
    for line in reversed(text.rstrip().rsplit("\n", len(_BEHIND))):
        name, _, value = line.partition(": ")
        if not line.startswith(_BEHIND) or name in fields:
            break
        fields[name] = value.strip()
    return any(fields.get(name, "") not in _WELL for name in ("Exit Code", "Signal"))


def _decided(text: str, time: str) -> list[Event]:
    """What the user has said to a plan."""
    if text.startswith(_APPROVED):
        return [Event("user", PLAN_APPROVED, time=time)]
    reason = text[len(_REJECTED) :].partition(_STORED)[0].strip() if text.startswith(_REJECTED) else ""
    return [Event("user", reason, time=time, refusal=True)] if reason else []


def _answered(asked: list[Any], text: str, time: str) -> list[Event]:
    """What the user has answered to the questions of a call: by their numbers, as JSON."""
    import json

    try:
        answers = dict_of(dict_of(json.loads(text)).get("answers")) if asked else {}
    except (ValueError, RecursionError):
        return []
    said = [(text_of(question), text_of(answers.get(str(number))).strip()) for number, question in enumerate(asked)]
    return [Event("user", f"{question} → {answer}", time=time, reply=True) for question, answer in said if question and answer]


def _printed(text: str) -> str:
    """What a command printed, without the fields that the host sets around it: the first line of an error stands in one."""
    if not text.startswith(_FIELDS):
        return text
    lines = [line for line in text.split("\n") if not line.startswith(_ABOUT) and not line.endswith(_EMPTY)]
    return "\n".join(lines).removeprefix("Output: ")
