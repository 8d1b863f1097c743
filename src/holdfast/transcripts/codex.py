"""Codex: `$CODEX_HOME/sessions/YYYY/MM/DD/rollout-<time>-<thread>.jsonl`, one `{timestamp, type, payload}` a line.

The conversation is in `response_item`: `message` (role user, assistant, developer), `function_call`, `custom_tool_call` and
`local_shell_call`, each with its output under the same `call_id`. `event_msg` repeats it in a second form and is passed over, but
for the files that a command read (`parsed_cmd`), how a command of a script ended, a turn that the user stopped (`turn_aborted`)
and turns that they took back (`thread_rolled_back`). `compacted` is the boundary; its `message` is the summary, or empty where
the summary is kept by the provider, and its `replacement_history` repeats what was there before. What in a message is a person's
own, and how a command went, is told by their texts (codex_texts.py). Developer messages are the host's, or hooks'. Where several
agents write into one file, `author` says whose words they are: ours is `/root`.

A command that outlives its first answer says `Process running with session ID N` and ends in the answer to a later `write_stdin`:
the answer that ends it is linked to the call that began it, the ones before to none. The same goes for a script (`exec`, see
code_mode.py) that is `running with cell ID N` and ends in the answer to a `wait`. The first files (2025) have the payload as the
line itself.

The newest models ask without waiting (`request_user_input_async`): the answer comes as words of the user's, in a form of the
host's where it was given beside the question. And they call other agents by a path (the first is `/root`, another `/root/sums`):
by which id the file of one is known, and that it has ended, `SubAgentActivity` tells; what it came to, an `agent_message`. The
goal that a session may have is told beside the conversation (codex_goals.py); another thread can send words to this one, which
are not the user's.

The file of a subagent that was forked begins with a copy of all that its parent did, written at once, with the times of then: its
own begins with the first turn that is younger than itself, as the ids tell, or where the host tells it that it was spawned. Or it
copies nothing, and goes on from another file, which holds all that came before (inherited.py).
"""

from __future__ import annotations

import re

from . import Event, codex_goals
from .calls import asked, called, changed, command_of, patched
from .codex_texts import (
    NO_RESULT,
    SHELL,
    begins,
    decoded,
    delegated,
    final_answer,
    own_words,
    parts_of,
    printed_by,
    ran,
    replies_in,
    result_of,
    wakes,
)
from .shell import runs_holdfast
from .words import BY_ITSELF, dict_of, dicts_of, joined, strings, text_of, without_ours

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SILENT = frozenset(
    "turn_context world_state token_usage_record retained_context inter_agent_communication_metadata "  # noqa: SIM905
    "dynamic_tools_updated security_risk_score".split()
)
_SILENT_ITEMS = frozenset(
    "reasoning web_search_call ghost_snapshot compaction compaction_summary image_generation_call additional_tools "  # noqa: SIM905
    "tool_search_call tool_search_output local_shell_call_output configuration_update compaction_trigger context_compaction "
    "other".split()
)
_CALLS = ("function_call", "custom_tool_call", "local_shell_call")
_OUTPUTS = ("function_call_output", "custom_tool_call_output")
_ITEMS = _SILENT_ITEMS.union(_CALLS, _OUTPUTS, ("message", "agent_message"))
_ABORTED, _NOTIFIED, _NOTE = "<turn_aborted", "<subagent_notification", "user_note: "
_SCRIPT = ("Script completed\n", "Script failed\n", "Script running with cell ID ")
_NESTED = "exec-"  # how the ids of what a script calls begin
_ALONE = ("alone", "seen")  # of a script: it makes one call
_REMEMBERED, _TURNS = 64, 50  # things that are open, and messages to which a person may go back
_QUESTION = 500  # characters of one
_ASKS = ("request_user_input", "request_user_input_async")  # the host's own: in what they give back a person speaks
_NOT_REACHED, _GONE = "write_stdin failed: ", "Unknown process id"
_SERVER = "mcp__"  # how the names of servers begin
_SPAWNED = "You are the newly spawned agent."
_BY_TIME = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7")  # an id that begins with its time


class Reader:
    """Line by line; it remembers the branch, what runs or is asked, the files that a command read, and when the user spoke."""

    def __init__(self) -> None:
        self.state: dict[str, Any] = {}

    def events(self, entry: dict[str, Any]) -> list[Event] | None:
        """The events of one line; None where its type is not known."""
        kind, payload = entry.get("type"), entry.get("payload")
        if not isinstance(payload, dict):
            return self._bare(entry, kind)
        time = text_of(entry.get("timestamp"))
        if "forked" in self.state and self._is_own(kind, payload):
            self.state.pop("forked")
            return [Event("forked", time=time), *(self._taken(kind, payload, entry) or ())]
        return self._taken(kind, payload, entry)

    def _taken(self, kind: Any, payload: dict[str, Any], entry: dict[str, Any]) -> list[Event] | None:
        time = text_of(entry.get("timestamp"))
        if kind == "response_item":
            if dict_of(entry.get("metadata")).get("compaction_output"):
                return []  # the summary, which `compacted` has as well
            return self._item(payload, time)
        if kind == "compacted":
            summary = text_of(payload.get("message"))
            return [Event("compaction", time=time), *([Event("summary", summary, time=time)] if summary else [])]
        if kind == "session_meta":
            branch = text_of(dict_of(payload.get("git")).get("branch"))
            if not self.state and _is_forked(payload):
                self.state["forked"] = text_of(payload.get("id"))
            if branch and "branch" not in self.state:  # its own comes first; those below are of what a fork has copied
                self.state["branch"] = branch
            return []
        if kind == "event_msg":
            return self._told(payload, time)
        return [] if isinstance(kind, str) and kind in _SILENT else None

    def _is_own(self, kind: Any, payload: dict[str, Any]) -> bool:
        """Whether a subagent's own begins here, behind what it was forked from."""
        if kind == "response_item":
            return payload.get("type") in _OUTPUTS and joined(payload.get("output")).startswith(_SPAWNED)
        turn, own = text_of(payload.get("turn_id")), text_of(self.state["forked"])
        return bool(_BY_TIME.match(turn) and _BY_TIME.match(own)) and turn > own

    def _bare(self, entry: dict[str, Any], kind: Any) -> list[Event] | None:
        """The first format: items without an envelope, a header without a type."""
        if isinstance(kind, str) and kind in _ITEMS and "message" not in entry:
            return self._item(entry, text_of(entry.get("timestamp")))
        return [] if "record_type" in entry or ("instructions" in entry and "timestamp" in entry) else None

    def _item(self, item: dict[str, Any], time: str) -> list[Event] | None:
        kind = item.get("type")
        if kind == "message":
            return self._message(item, time)
        if kind == "agent_message":
            return [] if _is_root(item) else [Event("woken", time=time), *self._sent(item, time)]
        if kind in _OUTPUTS:
            return self._came_back(item, time)
        if kind in _CALLS:
            return self._called(item, time)
        return [] if isinstance(kind, str) and kind in _SILENT_ITEMS else None

    def _message(self, item: dict[str, Any], time: str) -> list[Event]:
        branch = text_of(self.state.get("branch"))
        if item.get("role") == "assistant":
            if not _is_root(item):
                return [Event("woken", time=time)]
            text = joined(item.get("content")).strip()
            return [Event("agent", text, time=time, branch=branch)] if text else []
        parts = parts_of(item)
        if any(begins(part, _ABORTED) for part in parts):
            return [Event("interruption", time=time)]
        own = [text for part in parts if (text := own_words(*part))] if item.get("role") == "user" else []
        if own and (task := delegated("\n".join(own))) is not None:
            return self._delegated(task, time)
        if own and own[0].startswith(SHELL):
            return ran("\n".join(own), time)
        if own and (replies := replies_in("\n".join(own))):
            return [self._settled(question, answer, time) for question, answer in replies]
        if own:
            self.state.pop("aside", None)  # whoever speaks has answered, or will not
            turns = self.state.get("turns")
            self.state["turns"] = [*(turns if isinstance(turns, list) else ()), time][-_TURNS:]
            return [Event("user", "\n".join(own), time=time, branch=branch)]
        notes = [part[0].partition(">")[2].rpartition("<")[0].strip() for part in parts if begins(part, _NOTIFIED)]
        found = [Event("woken", time=time)] if notes or (item.get("role") == "user" and any(map(wakes, parts))) else []
        for note in map(decoded, notes):
            status = dict_of(note.get("status"))
            if "completed" in status:
                found += self._reported(text_of(note.get("agent_id")), text_of(status["completed"]), time)
        return found

    def _delegated(self, task: str, time: str) -> list[Event]:
        """What another thread wants done: what is worked on where this one begins with it, and else no word of the user's."""
        if self.state.get("turns"):
            return [Event("woken", time=time)]
        self.state["turns"] = [time]
        return [Event("user", task, time=time, branch=text_of(self.state.get("branch")))]

    def _told(self, payload: dict[str, Any], time: str) -> list[Event]:
        """What stands beside the conversation and not in it."""
        kind = payload.get("type")
        if kind == "thread_goal_updated":
            return codex_goals.updated(dict_of(payload.get("goal")), self.state, time)
        if kind == "task_started":
            return codex_goals.begun(payload, self.state, time)
        if kind == "turn_aborted":
            return [Event("interruption", time=time)] if payload.get("reason") == "interrupted" else []
        if kind == "thread_rolled_back":
            return self._went_back(payload.get("num_turns"), time)
        item = dict_of(payload.get("item")) if kind == "item_completed" else payload
        if item.get("type") == "SubAgentActivity":
            return self._known_as(item, time)
        patched = self._patched(item, time) if item.get("changes") and "patches" in self.state else []
        return patched or self._looked(item, time)

    def _went_back(self, count: Any, time: str) -> list[Event]:
        turns = self.state.get("turns")
        if type(count) is not int or count < 1 or not isinstance(turns, list) or not turns:
            return []
        return self.taken_back(text_of(turns[-min(count, len(turns))]), time)

    def taken_back(self, since: str, time: str) -> list[Event]:
        """The user has gone back to before a moment: by so many turns, or into a new file (inherited.py)."""
        turns = self.state.get("turns")
        self.state["turns"] = [turn for turn in turns if text_of(turn) < since] if isinstance(turns, list) else []
        return [Event("rewound", time=time, instead=since)]

    def _called(self, item: dict[str, Any], time: str) -> list[Event]:
        name, call = text_of(item.get("name")), text_of(item.get("call_id")) or text_of(item.get("id"))
        if item.get("type") == "custom_tool_call":
            text = text_of(item.get("input"))
            if name.rpartition(".")[2] == "exec":
                return self._scripted(text, call, time)
            edits, moves = patched(text)
            return [Event("call", text, time=time, call=call, tool=name, edits=edits, moves=moves)]
        if item.get("type") == "local_shell_call":
            return [called("local_shell", dict_of(item.get("action")), call=call, time=time)]
        server = text_of(item.get("namespace"))
        if server.startswith(_SERVER):  # newer files name the tool of a server and the server apart
            name = f"{server.rstrip('_')}__{name}"
        return [self._tool(name, decoded(item.get("arguments")), call, time)]

    def _tool(self, name: str, given: dict[str, Any], call: str, time: str) -> Event:
        session = text_of(given.get("session_id")) if name == "write_stdin" else f"cell {text_of(given.get('cell_id'))}"
        waiting = self._open("runs").get(session) if name in ("write_stdin", "wait") else None
        if waiting:
            self._keep("polls", call, [session, waiting])
        many = dicts_of(given.get("questions"))[:9] if name.rpartition(".")[2] in _ASKS else []
        questions = {text_of(one.get("id")): text_of(one.get("question"))[:_QUESTION].strip() for one in many}
        if any(questions):
            self._keep("asked", call, questions)
        elif many and name.endswith("_async"):  # nobody waits for the answer, which comes as words of the user's
            self._keep("aside", call, [asked(name, {"questions": [one]})[:_QUESTION] for one in many])
        event = called(name, given, call=call, time=time)
        if name == codex_goals.MADE:
            codex_goals.made(given, self.state)
        if name == "spawn_agent":  # its work comes back later, with its id; where it has a name, its task may be encrypted
            task = text_of(given.get("task_name")) or text_of(given.get("message"))[:100]
            self._keep("spawned", call, event.handed or f"subagent: {task}")
            event.handed = ""
        return event

    def _scripted(self, code: str, call: str, time: str) -> list[Event]:
        """The calls of a script. What comes back is linked to one that stands alone; of several it cannot be told whose it is."""
        from .code_mode import calls_in, files_of

        calls, alone = calls_in(code)
        found = [
            self._tool(name, given, call if alone else f"{call}#{number}", time)
            for number, (name, given) in enumerate(calls[:_REMEMBERED])
        ]
        for event in found:
            if event.command:
                self._keep("began", event.call, _print(event.command))
                self._keep("read", str(_print(event.command)), True)
        self.state["patched"] = any(event.edits or event.moves for event in found)
        self._keep("scripts", call, alone)
        if not alone and any(event.ours or runs_holdfast(event.command) for event in found):
            self._keep("ours", call, True)
        patches = [[event.call, *files] for event in found if (files := files_of(event))]
        if patches and not alone:
            self._keep("patches", call, {"at_once": "Promise." in code, "told": False, "left": patches})
        return found

    def _patched(self, item: dict[str, Any], time: str) -> list[Event]:
        """How a patch of a script went, where the host tells it as it ends."""
        changes = item["changes"]
        ended = list(changes) if isinstance(changes, dict) else [text_of(change.get("path")) for change in dicts_of(changes)]
        from .code_mode import patches_in

        for script, known in self._open("patches").items():
            for patch in (left := patches_in(known)):
                if any(f"/{end}".endswith(f"/{path.removeprefix('./')}") for end in ended for path in patch[1:]):
                    others = [other for other in left if other is not patch]
                    self._keep("patches", script, {**known, "told": True, "left": others})
                    well = item.get("success") is not False and item.get("status") not in ("failed", "declined")
                    return [Event("result", time=time, call=patch[0], failed=not well)]
        return []

    def _applied(self, script: str, event: Event) -> list[Event]:
        """What came of the patches of a script that has ended, of which it was not told yet."""
        from .code_mode import not_applied, patches_in

        known = dict_of(self._take("patches", script))
        left = patches_in(known)
        failed: set[str] | None = {patch[0] for patch in left} if event.failed else set()
        if event.failed and not known.get("told"):
            failed = not_applied(left, event.text, at_once=known.get("at_once") is True)
        if failed is None:
            return []
        return [Event("result", time=event.time, call=name, failed=name in failed) for name, *_ in left]

    def _came_back(self, item: dict[str, Any], time: str) -> list[Event]:
        call = text_of(item.get("call_id"))
        if not call and (task := delegated(joined(item.get("output")))) is not None:  # newer versions let it come so
            return self._delegated(task, time)
        if not call and item.get("name") == codex_goals.GIVEN:
            return codex_goals.given(joined(item.get("output")), self.state, time)
        polled = self._take("polls", call)
        session, began = (text_of(polled[0]), text_of(polled[1])) if isinstance(polled, list) and len(polled) == 2 else ("", call)
        script = began if session.startswith("cell ") else call
        if script in self._open("scripts") or joined(item.get("output")).startswith(_SCRIPT):
            event, running = self._showed(item.get("output"), script, began)
        else:
            text, failed, running = result_of(item.get("output"))
            event = Event("result", text, call=began, failed=failed)
        event.ours = self._take("ours", script) is True
        reads = self._take("reads", script)
        event.text, event.time, event.reads = without_ours(event.text), time, tuple(strings(reads))
        if running:
            return self._goes_on(event, running, began)
        if event.failed and event.text.startswith(_NOT_REACHED):
            return self._not_reached(event, session, began)
        if session and event.call:
            self._take("runs", session)
        if call in self._open("aside") and not event.failed:
            event.call = ""  # that it was put is no answer
        patches = self._applied(script, event) if script in self._open("patches") else []
        others = self._from_others(event.text, call, time) if "agent" in event.text or "status" in event.text[:20] else []
        return [event, *patches, *others, *self._answered(event, script)]

    def _goes_on(self, event: Event, running: str, began: str) -> list[Event]:
        """What a command has printed that still runs. By its session the agent can go back to it, which a summary seldom tells;
        how a script ends is not always seen, so of one nobody can say that it has not.
        """
        self._keep("runs", running, began)
        event.call = ""
        begun = Event("begun", f"session {running}", time=event.time, call=began, tool=BY_ITSELF)
        return [event] if running.startswith("cell ") else [event, begun]

    def _not_reached(self, event: Event, session: str, began: str) -> list[Event]:
        """A look at a command that found none there, or one that takes no input: no error of the work, and none of the command,
        of which nobody knows how it ended.
        """
        if not session or _GONE not in event.text:
            return []
        self._take("runs", session)
        return [Event("ended", time=event.time, call=began)]

    def _from_others(self, text: str, call: str, time: str) -> list[Event]:
        """What other agents came to, where this is what was waited for; and where one was spawned, by which id it is known."""
        told = decoded(text) if text.startswith("{") else {}
        spawned = self._take("spawned", call) if told.get("agent_id") else None
        if spawned:
            self._keep("agents_for", text_of(told["agent_id"]), spawned)
            return []
        found: list[Event] = []
        for agent, status in dict_of(told.get("status")).items():
            if "completed" in dict_of(status):
                found += self._reported(agent, text_of(status["completed"]), time)
        return found

    def _known_as(self, item: dict[str, Any], time: str) -> list[Event]:
        """By which id an agent is known that was begun by its path; one that has ended has changed what it has changed, whether
        or not its answer has come.
        """
        agent, spawned = text_of(item.get("agent_thread_id")), self._take("spawned", text_of(item.get("id")))
        if spawned:
            self._keep("agents_for", agent, spawned)
            self._keep("paths", text_of(item.get("agent_path")), agent)
        if item.get("kind") == "started" or agent not in self._open("agents_for"):
            return []
        back = Event("result", time=time)
        back.agent = agent
        return [back]

    def _sent(self, item: dict[str, Any], time: str) -> list[Event]:
        """What an agent came to that is known by its path."""
        agent, text = text_of(self._open("paths").get(text_of(item.get("author")))), final_answer(item)
        return self._reported(agent, text, time) if agent and text else []

    def _reported(self, agent: str, text: str, time: str) -> list[Event]:
        """What another agent came to, once, as the answer to a call that handed it its task."""
        task = self._open("agents_for").get(agent)
        mark = f"{agent} {_print(text)}"
        if not task or mark in self._open("reported"):
            return []
        self._keep("reported", mark, True)
        back = Event("result", without_ours(text), time=time, call=mark)
        back.agent = agent
        return [Event("call", time=time, call=mark, tool="spawn_agent", handed=text_of(task)), back]

    def _showed(self, output: Any, script: str, began: str) -> tuple[Event, str]:
        """What came back of a script, linked to its call where that is known to have ended so; and what still runs.

        A script that shows what a command printed has dropped its status. Files that tell the end of each command have it;
        in others what was printed tells, as in a person's own shell, and where nothing was, nothing is known.
        """
        from .code_mode import Shown, shown

        found = shown(joined(output))
        if not found:  # it was not run, or stopped
            text, failed, _ = result_of(output)
            found = Shown(text, failed=failed)
        if found.running:
            if not found.running.startswith("cell "):  # a command, which outlives its script
                self._take("scripts", script)
            return Event("result", found.text), found.running
        how, told, command = self._take("scripts", script), self._take("told", script), script in self._open("began")
        alone = how in _ALONE
        if isinstance(told, bool):
            found.failed, found.known = found.failed or told, True
        if not found.known:
            found.failed = found.failed or bool(NO_RESULT.match(found.text))
            silent = command and (self.state.get("ends") or not found.text or how != "seen")
            alone = alone and (found.failed or not (silent or began != script))  # else it may still run
        for call in (script, began) if alone else ():
            self._take("began", call)
        unsure = command and not found.known
        return Event("result", found.text, call=began if alone else "", tool="!" if unsure else "", failed=found.failed), ""

    def _answered(self, event: Event, call: str) -> list[Event]:
        """What the user answered to questions that were put to them; a question that has no answer stays open."""
        asked = self._take("asked", call)
        if not isinstance(asked, dict):
            return []
        found = []
        for key, given in dict_of(decoded(event.text).get("answers")).items():
            texts = strings(dict_of(given).get("answers"))
            answer = ", ".join(text.removeprefix(_NOTE).strip() for text in texts if text.strip())
            if answer:
                found.append(Event("user", f"{text_of(asked.get(key)) or key} → {answer}", time=event.time, reply=True))
        if not found:
            event.text, event.failed = "", True  # nobody has answered, which is no error of the work
        return found

    def _settled(self, question: str, answer: str, time: str) -> Event:
        """An answer to one of the questions for which the agent does not wait; the others stay open."""
        for call, texts in self._open("aside").items():
            left = [text for text in strings(texts) if not text.startswith(question[:_QUESTION])]
            self._take("aside", call)
            if left:
                self._keep("aside", call, left)
        waiting = dict.fromkeys(text for texts in self._open("aside").values() for text in strings(texts))
        call = next(reversed(self._open("aside")), "")
        return Event("user", f"{question} → {answer}", time=time, call=call, reply=True, asks="\n".join(waiting))

    def _looked(self, item: dict[str, Any], time: str) -> list[Event]:
        """`exec_command_end`, or the same as `item_completed`, tells of a command, just before its output: the files that it
        read, and how it ended, which is all that is known of one of several in a script.
        """
        ended = self._ended(item)
        if not ended and text_of(item.get("id")).startswith(_NESTED):
            return self._unread(item, time)
        call = ended or text_of(item.get("call_id")) or text_of(item.get("id"))
        read = [text_of(step.get("path")) for step in dicts_of(item.get("parsed_cmd")) if step.get("type") == "read"]
        reads = [path for path in read if path]
        failed = item.get("exit_code") != 0 or item.get("status") in ("failed", "declined")
        if not ended or self._open("scripts").get(ended) in _ALONE:  # its output is still to come
            if call and reads:
                self._keep("reads", call, reads)
            if ended:
                self._keep("told", ended, failed)
            return []
        self._take("began", ended)
        return [Event("result", printed_by(item), time=time, call=ended, reads=tuple(reads), failed=failed)]

    def _unread(self, item: dict[str, Any], time: str) -> list[Event]:
        """A command or a patch of a script that could not be read in it, since it was put together as the script ran."""
        call, command = text_of(item.get("id")), command_of(item)
        failed = item.get("status") in ("failed", "declined")
        if command and str(_print(command)) not in self._open("read"):
            found = called("exec_command", {"cmd": command}, call=call, time=time)
            failed = failed or item.get("exit_code") != 0
        elif (changes := dict_of(item.get("changes"))) and not self.state.get("patched"):
            edits, moves = changed(changes)
            found = Event("call", time=time, call=call, tool="apply_patch", edits=edits, moves=moves)
        else:
            return []
        return [found, Event("result", printed_by(item), time=time, call=call, failed=failed)]

    def _ended(self, item: dict[str, Any]) -> str:
        """The call of a script whose command has ended here; of two that ran the same, the newer one."""
        if "exit_code" not in item or "command" not in item:
            return ""
        self.state["ends"] = True
        known = {_print(command) for command in (command_of(item), *strings(item["command"])[-1:])}
        return next((call for call, mark in reversed(self._open("began").items()) if type(mark) is int and mark in known), "")

    def _open(self, name: str) -> dict[str, Any]:
        return dict_of(self.state.get(name))

    def _take(self, name: str, key: str) -> Any:
        if key not in self._open(name):
            return None
        left = dict(self.state.pop(name))  # anew, not in place: an older position holds the older mapping
        taken = left.pop(key)
        if left:
            self.state[name] = left
        return taken

    def _keep(self, name: str, key: str, value: Any) -> None:
        kept = {**self._open(name), key: value}
        while len(kept) > _REMEMBERED:
            kept.pop(next(iter(kept)))
        self.state[name] = kept


def _is_root(item: dict[str, Any]) -> bool:
    """Whether words are the agent's own: several may write into one file, each by its path."""
    return text_of(item.get("author")) in ("", "/root", "root")


def _is_forked(meta: dict[str, Any]) -> bool:
    """Whether a file is a subagent's that was forked from its parent. A person who forks one goes on with what is theirs."""
    return is_subagents(meta) and bool(meta.get("forked_from_id"))


def is_subagents(meta: dict[str, Any]) -> bool:
    """Whether a file is a subagent's, by what its first line says."""
    return "subagent" in dict_of(meta.get("source")) or meta.get("thread_source") == "subagent"


def _print(command: str) -> int:
    """By which a command is known again: what is remembered is written down, and a command may hold a secret."""
    from zlib import crc32

    return crc32(command.encode("utf-8", "replace"))
