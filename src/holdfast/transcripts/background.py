"""What goes on in the background of Claude Code: which call began it, and which later one asks for it, stops it or hears its end.

A call that goes on is answered at once, with a name for it (`bash_1`), which says nothing of how it went. That comes later, in
one of three ways: the host tells it by a notice that names the call (and writes that down twice, when it comes and when it is
delivered); the agent asks for it by its name; or it reads the file of that name into which the output goes.

Commands go on so, agents, workflows (a script that calls agents, each of which has a file among those of its run) and watches. To
an agent that has come back more can be said: then it goes on again, and the notice names the call that said it.
"""

from __future__ import annotations

import re

from . import Event
from .words import WORKFLOW, dict_of, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_GOES_ON = r"Command (?:running in background|was manually backgrounded|did not complete within .{0,60} was moved to the backg)"
_LAUNCHED = ("Async agent launched", "Workflow launched in background. Task ID: ", "Monitor started (task ")
_NAMED = r"(?:\bID: |\bagentId: |\(task )([\w-]+)"
_RUN, _WORKFLOW = r"(?m)^Run ID: ([\w-]+)", r"(?m)^Summary: (.{1,300})"
_AGAIN = r'"resumedAgentId":"([\w-]+)"'
_NOTICE = r"(?s)<status>(\w+)</status>(?:\s*<summary>(.*?)</summary>)?"
_ITS_NAME, _ITS_CALL = r"<task-id>([^<]+)</task-id>", r"<tool-use-id>([^<]+)</tool-use-id>"
_ASIDE = r"<(retrieval_status|task_id|task_type|status|exit_code|timestamp)>[^<]{0,200}</\1>\s*|</?(?:output|stdout|stderr)>\n?"
_TAGGED = ("<retrieval_status>", "<status>")
_NUMBERED = r"(?m)^ *\d+[→\t]"  # lines of a file, as the host shows them
_STOPPED, _CANCELLED = ("killed", "stopped", "cancelled"), "Cancelled job "
_AT_ONCE = 50  # names that are known at a time


def begun(text: str, call: str, time: str) -> Event | None:
    """That a call goes on in the background, by what it gave back at once; None where it does not."""
    if text.startswith("{") and (again := re.search(_AGAIN, text[:400])):
        return Event("begun", again[1], time=time, call=call, handed=f"agent {again[1]}")
    goes_on = text.startswith(_LAUNCHED) or (text.startswith("Command ") and re.match(_GOES_ON, text))
    if not goes_on:
        return None
    named = re.search(_NAMED, text[:400])
    event = Event("begun", named[1] if named else "", time=time, call=call)
    if text.startswith("Workflow") and (run := re.search(_RUN, text)):
        what = re.search(_WORKFLOW, text)
        event.agent, event.purpose, event.handed = run[1], what[1].strip() if what else run[1], WORKFLOW
    return event


def noticed(text: str, time: str) -> list[Event]:
    """What came of a call that went on, by the host's notice; `tool` is the name that it had: older notices name no call."""
    found, name, call = re.search(_NOTICE, text), re.search(_ITS_NAME, text), re.search(_ITS_CALL, text)
    if not found or not (name or call):
        return []
    status, summary = found.groups()
    result = text[found.end() :].partition("<result>")[2].partition("</result>")[0]  # a note of the host may stand between
    said = result or summary or ""  # the summary says that it came to something, the result to what
    for sign, meant in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&amp;", "&")):
        said = said.replace(sign, meant)
    told = Event("ended" if status in _STOPPED else "result", said, time=time, failed=status != "completed")
    told.call, told.tool = call[1] if call else "", name[1] if name else ""
    told.agent = told.tool  # where it is one, what it changed is read (aside.py)
    return [told]


def followed(events: list[Event], state: dict[str, Any], *, notice: bool) -> tuple[list[Event], dict[str, Any]]:
    """The events with what came of something in the background put to the call that began it, and what to remember then."""
    kept: list[Event] = []
    for event in events:
        names, asking, ended = dict_of(state.get("names")), dict_of(state.get("asking")), dict_of(state.get("ended"))
        if event.kind in ("begun", "arranged"):
            state = {**state, "names": _last({**names, event.text: event.call})} if event.text else state
            if event.agent:  # of a workflow: whose files are read when it is over
                state = {**state, "runs": _last({**dict_of(state.get("runs")), event.call: event.agent})}
                event.agent = ""
        elif event.kind == "call" and names and (name := _asked_for(event.text)) in names:
            state = {**state, "asking": _last({**asking, event.call: names[name]})}
            event.text = "" if not event.reads else event.text  # the host's name for it is no name of the work
        elif notice and event.kind in ("result", "ended"):
            event.call, event.tool = event.call or text_of(names.get(event.tool)), "&"
            if not event.call or event.call in ended:
                continue  # nobody's; the host's second copy; or what was asked for before it came
            state = {**state, "ended": _last({**ended, event.call: event.failed})}
            event.agent = text_of(dict_of(state.get("runs")).get(event.call)) or event.agent
        elif event.kind == "result" and event.call in asking:
            kept.append(_answered(event, text_of(asking[event.call]), ended))
            if kept[-1].call:
                state = {**state, "ended": _last({**ended, kept[-1].call: kept[-1].failed})}
            continue
        elif event.kind == "result" and event.text.startswith(_TAGGED):
            event.text = re.sub(_ASIDE, "", event.text)
        kept.append(event)
    return kept, state


def _last(known: dict[str, Any]) -> dict[str, Any]:
    return dict(list(known.items())[-_AT_ONCE:])


def _asked_for(given: str) -> str:
    """The name that a call may ask for: the first that it was given, or the file of that name."""
    return given.partition("\n")[0].rpartition("/")[2].removesuffix(".output")


def _answered(event: Event, begun_by: str, ended: dict[str, Any]) -> Event:
    """What a call that asks for something in the background gave back: how that went, or that it still goes on."""
    status, code = re.search(r"<status>(\w+)</status>", event.text), re.search(r"<exit_code>(-?\d+)</exit_code>", event.text)
    said = re.sub(_NUMBERED, "", re.sub(_ASIDE, "", event.text)).strip()
    stopped = status[1] in _STOPPED if status else any(word in event.text[:200] for word in _STOPPED) and not event.failed
    stopped = stopped or event.text.startswith(_CANCELLED)
    if stopped:
        return Event("ended", said, time=event.time, call=begun_by)
    if status and status[1] not in ("running", "pending"):
        failed = status[1] != "completed" or (bool(code) and code[1] != "0")  # type: ignore[index]
        return Event("result", said, time=event.time, call=begun_by, failed=failed)
    if not status and begun_by in ended and not event.failed:
        return Event("result", said, time=event.time, call=begun_by, failed=bool(ended[begun_by]))
    return Event("result", said, time=event.time, failed=event.failed)
