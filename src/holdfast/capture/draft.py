"""Events → draft checkpoint: what a session was doing, told by its own transcript, without a model.

`Capture` is fed events in order and can be asked for a draft at any moment. It goes by structure (who said it, what was edited,
what came back) and by the form of words (signs.py); nothing in it knows the tools, the language or the project of a session.
All that it has learnt is plain data, so that it can be kept between two hooks and gone on with: a long session is read once.

Every name is kept with its place: the file in which it was changed, read or found, or the command that printed it. A name
without its place is a word in a bag; with it, it is where to look.
"""

from __future__ import annotations

import re
from collections import deque

from ..guard.echo import without_our_question
from ..transcripts.shell import commit_subject, publishes, shown_by, steps_of
from .outcomes import error_in, mends, passed_in, refused_by_host
from .pasted import both_ends, gist, typed
from .replies import is_confirmation, is_courtesy, is_goodbye, picked
from .signs import (
    by_place,
    choices_in,
    ends,
    is_choice,
    is_correction,
    is_yes,
    mentioned,
    names_in,
    proposal_in,
    question_in,
    takes_back,
    tone_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, Protocol

    from ..transcripts import Event

    # event, source, text; of a result (file read, command), of an edit (file, text before); its time
    _Text = tuple[int, str, str, tuple[str, str], str]

    class News(Protocol):
        """Takes out of a text of some time what was in a brief of ours (echo.py)."""

        def __call__(self, text: str, time: str, how: str = "said") -> str:
            """What is new in it."""


_WEIGHT = {"user": 4.0, "pasted": 0.8, "edit": 5.0, "beside": 1.0, "agent": 2.0, "call": 1.5, "result": 0.8, "failure": 0.8}
_SAID = ("user", "pasted", "agent")  # washed when it was said, and looked at for what we gave
_HALF_LIFE = 60.0  # events after which a mention counts half: what was in use last is what is needed next
_LOOK_BACK = 400  # texts: about six half-lives
_KEEP_NAMES, _KEEP_REQUESTS, _KEEP_LIST, _KEEP_ANSWERS = 600, 300, 60, 12
_SAYS_LITTLE = 40  # columns: a message that is shorter is shown, and the one before it as well
# A transcript may be of any size, what is known of it at once may not: 44 MB of ever new names once took half a gigabyte.
_READ_AT_MOST = 4000  # characters of one output: its beginning and its end tell the names that matter
_REQUEST = 4000  # characters of what a person said
_ANSWERS = 200  # characters of what may be the answer to a question, and not stand alone
_WORD = 60  # characters of what means little without what was said or done before it
_BEGINNING, _ON_THE_WAY = 300, 4  # characters of what was said before the last message, and how many such on the way
# Of a failure, lines of packed code and of a trace through somebody else's name what is in nobody's hands here.
_PACKED, _FOREIGN = 1000, ("node_modules", "(node:", "site-packages", "/usr/lib/")
_PASTED = 1500  # characters beyond which most of it was not typed
_LONGEST = 20_000  # characters of what the agent says or writes
_TOO_MANY = 10_000  # files, commands or open calls; then those used longest ago are forgotten


_WENT_THERE = r"\A\s*cd \S+ && "  # where a command was run is not what was done


def _all_of_it(text: str, time: str, how: str = "said") -> str:  # noqa: ARG001 - what nobody has been given is news
    return text


class Capture:
    """What has been learnt of a session so far. `wash` takes out of texts what must not be kept, `news` what came from us."""

    def __init__(self, wash: Callable[[list[str]], list[str]] = list, news: News = _all_of_it) -> None:
        self._wash, self._news = wash, news
        self.count = 0
        self.worked = False  # edited a file or ran a command
        self.requests: list[list[Any]] = []  # [time, text, what the agent had said before, whether it refused a tool]
        self.answers: list[str] = []  # the agent's last messages
        self.after: list[str] = []  # of each of them, the beginning of the request that it came after
        self.spoken = ""  # its very last words, since the user spoke
        self.thanks = ""  # the user's thanks or goodbye behind the last request
        self.picked = ""  # what the last request picked out of a list, by its label
        self.during = ""  # the request that was being worked on when the last one came
        self.busy = False  # whether the agent was in the midst of it: it had called a tool, and said nothing since
        self.question = ""  # with which it stopped, and which nobody has answered
        self.asking = ""  # the call by which it asked, where a tool of the host did, until that comes back
        self.checked = False  # whether it asked besides if our brief is right, as that told it to: a yes means that alone
        self.files: dict[str, list[Any]] = {}  # path → [edits, event of the last edit, event of the last read, {name: event}]
        self.names: dict[str, list[float]] = {}  # name → [weight at its last mention, event of that mention]
        self.mentions: dict[str, list[float]] = {}  # file name → the same
        self.paths: dict[str, str] = {}  # file name → the path by which it was called last
        self.places: dict[str, str] = {}  # name → the file in which it was seen last, or the `command` that printed it
        self.commands: dict[str, list[int]] = {}  # command → [times, event of the last]
        self.done: dict[str, str] = {}  # what → its time
        self.decisions: list[str] = []
        self.decided: dict[str, str] = {}  # decision → its time
        self.boundaries: list[str] = []  # when the context was lost
        self.summary = ""  # what the host put in its place, as long as nothing has come after it
        self.error = ""
        self.failing = ""  # the command that gave the error
        self.asked_since = False  # whether the user has spoken since that error
        self.todos: list[list[str]] = []
        self.tasks: dict[str, list[str]] = {}
        self.branch = ""
        self.recent: list[str] = []  # the kinds of the last events, for the phase
        self.calls: dict[str, list[str]] = {}  # call → [command, file read, files edited] of what has not come back
        self._unread: deque[_Text] = deque(maxlen=_LOOK_BACK)  # the newest texts whose names have not been counted yet

    def as_data(self) -> dict[str, Any]:
        """Everything, as JSON takes it."""
        self._catch_up()
        self._forget()
        return {name: value for name, value in self.__dict__.items() if not name.startswith("_")}

    @classmethod
    def from_data(
        cls, data: Mapping[str, Any], wash: Callable[[list[str]], list[str]] = list, news: News = _all_of_it
    ) -> Capture:
        """What was kept; a field that is missing or new begins empty."""
        capture = cls(wash, news)
        capture.__dict__.update((k, v) for k, v in data.items() if k in capture.__dict__ and type(v) is type(capture.__dict__[k]))
        return capture

    def feed(self, events: Iterable[Event]) -> None:
        """Take in what happened next."""
        takers = {"user": self._user, "agent": self._agent, "call": self._call, "result": self._result}
        for event in events:
            self.count += 1
            if len(self.files) > _TOO_MANY or len(self.commands) > _TOO_MANY or len(self.calls) > _TOO_MANY:
                self._forget()
            self.branch = event.branch or self.branch
            taker = takers.get(event.kind)
            if taker:
                taker(event)
            elif event.kind in ("compaction", "reset"):
                self.boundaries = [*self.boundaries, event.time][-_KEEP_LIST:]
            self.summary = event.text[:_LONGEST] if event.kind == "summary" else "" if taker else self.summary

    def _forget(self) -> None:
        """Keep the names that weigh most, and the files, commands and open calls that were used last."""
        self.names = dict(self._ranked(self.names)[:_KEEP_NAMES])
        self.places = {name: place for name, place in self.places.items() if name in self.names}
        self.mentions = dict(self._ranked(self.mentions)[:_KEEP_NAMES])
        self.paths = {name: path for name, path in self.paths.items() if name in self.mentions}
        if len(self.files) > _KEEP_NAMES:
            used = sorted(self.files.items(), key=lambda item: (bool(item[1][0]), max(item[1][1:3])))
            self.files = dict(used[-_KEEP_NAMES:])
        for file in self.files.values():
            if len(file[3]) > _KEEP_NAMES:
                file[3] = dict(sorted(file[3].items(), key=lambda item: item[1])[-_KEEP_NAMES:])
        self.commands = dict(list(self.commands.items())[-_KEEP_NAMES:])
        self.calls = dict(list(self.calls.items())[-_KEEP_NAMES:])

    def _mention(self, text: str, source: str, came_from: tuple[str, str] = ("", ""), time: str = "") -> None:
        self._unread.append((self.count, source, ends(text, _LONGEST if source == "agent" else _READ_AT_MOST), came_from, time))

    def _catch_up(self) -> None:
        """Look at the newest texts for what they name. Of a long session that is read at once, those before them are passed
        over: after several half-lives a mention weighs next to nothing, and looking for it is most of the work of a hook.
        """
        unread = list(self._unread)
        self._unread.clear()
        raw = [(text, before if source == "edit" else "") for _, source, text, (_, before), _ in unread if source not in _SAID]
        clean = iter(self._wash([text for pair in raw for text in pair]))
        for moment, source, said, came_from, time in unread:
            text, before = (said, "") if source in _SAID else (next(clean), next(clean))
            if source == "edit":
                self._edited(moment, text, came_from[0], before)
                continue
            text = text if source in _SAID else self._news(text, time, "shown")
            if source == "agent":
                self._chose(text, time)
            names, files = mentioned(text)
            self._count(self.names, names, _WEIGHT[source], moment)
            if source == "pasted":
                continue  # a trace names a hundred files, and the person none of them
            self._count(self.mentions, files, _WEIGHT[source], moment)
            self.paths.update((name, called) for name, called in files.items() if "/" in called or name not in self.paths)
            if source == "result":
                self._placed(names, text, *came_from)

    def _edited(self, moment: int, after: str, path: str, before: str) -> None:
        old, new = names_in(before), names_in(after)
        self._file(path)[3].update(dict.fromkeys(old ^ new, moment))
        self.places.update(dict.fromkeys(old & new, path))
        self._count(self.names, old ^ new, _WEIGHT["edit"], moment)
        self._count(self.names, old & new, _WEIGHT["beside"], moment)

    def _chose(self, text: str, time: str) -> None:
        for choice in choices_in(text):
            if choice not in self.decisions:
                self._decided(choice, time)

    def _decided(self, what: str, time: str) -> None:
        """What is decided again stands where it was decided last."""
        self.decisions = [*(known for known in self.decisions if known != what), what][-_KEEP_LIST:]
        self.decided = {**{known: self.decided.get(known, "") for known in self.decisions}, what: time}

    def _went_back(self, since: str) -> None:
        """The user has gone back to before a moment: what was asked, answered and decided from there on is no longer so.

        What was done is: a file that was changed and a commit that was made are still there, unless the host took them back.
        """
        self._catch_up()
        self.requests = [request for request in self.requests if not request[0] or request[0] < since]
        asked = {"", *(request[1][:200] for request in self.requests)}
        left = [(said, after) for said, after in zip(self.answers, self.after, strict=False) if after in asked]
        self.answers, self.after = [said for said, _ in left], [after for _, after in left]
        self.decisions = [what for what in self.decisions if self.decided.get(what, "") < since]
        self.spoken = self.question = self.asking = self.thanks = self.picked = self.during = ""
        self.busy = False

    def _count(self, known: dict[str, list[float]], found: Iterable[str], weight: float, moment: int) -> None:
        for name in found:
            entry = known.get(name)
            if entry is None:
                known[name] = [weight, moment]
            elif moment >= entry[1]:
                entry[0] = entry[0] * 0.5 ** ((moment - entry[1]) / _HALF_LIFE) + weight
                entry[1] = moment
            else:
                entry[0] += weight * 0.5 ** ((entry[1] - moment) / _HALF_LIFE)

    def _ranked(self, known: dict[str, list[float]]) -> list[tuple[str, list[float]]]:
        now = self.count
        return sorted(known.items(), key=lambda item: (-item[1][0] * 0.5 ** ((now - item[1][1]) / _HALF_LIFE), item[0]))

    def _user(self, event: Event) -> None:
        text = self._news(event.text.strip(), event.time, "typed")
        if event.instead:
            self._went_back(event.instead)
        if not text:
            return
        if self.requests and is_courtesy(text) and (is_goodbye(text) or not self.question):
            self.thanks = text  # it asks for nothing, and what waits for an answer still does
            return
        if self.requests and self.checked and is_confirmation(text):
            self.checked, self.spoken = False, ""  # our brief is right, and what it says is being worked on still is
            return
        self.thanks, self.picked = "", picked(text, self.spoken)
        if not (self.checked and is_yes(text)):
            meant = self.question or proposal_in(self.spoken)
            if self.picked:
                self._decided(f"User picked (“{_line(text, 60)}”): {self.picked}", event.time)
            elif meant and is_yes(text):
                self._decided(f"User agreed (“{text}”) to: {_line(meant, 300)}", event.time)
            self.question = self.asking = ""
        self.checked = False
        self.during = (self.during or self.requests[-1][1][:_REQUEST]) if self.busy and self.requests else ""
        own = _own(text)
        kept = text if len(text) <= _REQUEST else ends(own, _REQUEST)
        # A request that is made again stands where it was made last.
        self.requests = [request for request in self.requests if request[1] != kept]
        self.requests = [*self.requests, [event.time, kept, self.spoken[-800:], event.refusal]][-_KEEP_REQUESTS:]
        self.spoken, self.asked_since = "", True  # what is said next answers nothing that was said before this
        self._mention(own, "user")
        if own != text:
            self._mention(text, "pasted")

    def _agent(self, event: Event) -> None:
        own = without_our_question(event.text)
        news, asked = self._news(own, event.time), question_in(own)
        self.checked, self.busy = own != event.text, False
        # Who recites, or returns a goodbye, has taken nothing back: what waits for an answer still does.
        if asked or (news == own and not self.asking and not self.thanks):
            self.question = asked
        # A question that is asked again is no news, and still what was said last.
        said = news if asked in news else f"{news}\n\n{asked}".strip()
        self.spoken = said or self.spoken
        if len(news) >= _SAYS_LITTLE or (news and news == own):  # of who recites, a few words around it are no message
            self.answers = [*self.answers, said[:4000]][-_KEEP_ANSWERS:]
            self.after = [*self.after, self.requests[-1][1][:200] if self.requests else ""][-_KEEP_ANSWERS:]
        self._mention(news, "agent", time=event.time)

    def _call(self, event: Event) -> None:
        if event.asks:
            self.question, self.asking = event.asks[:2000], event.call
        elif not self.asking:
            self.question = ""  # it did not wait for an answer
        reads = event.reads or (() if event.edits or not event.command else shown_by(event.command))
        if event.call:
            read = reads[0] if reads and (event.reads or len(reads) == 1) else ""
            self.calls[event.call] = [event.command, read, *(path for path, _, _ in event.edits)]
        self.worked, self.busy = self.worked or bool(event.edits or event.command), True
        self._note("edit" if event.edits else "command" if event.command else "read")
        for path, before, after in event.edits:
            file = self._file(path)
            file[0] += 1
            file[1] = self.count
            self._unread.append((self.count, "edit", ends(after, _LONGEST), (path, ends(before, _LONGEST)), event.time))
        for path in reads:
            self._file(path)[2] = self.count
        for step in steps_of(event.command):
            times = self.commands.pop(step, [0, 0])[0]
            self.commands[step] = [times + 1, self.count]
        if event.todos is not None:
            self.todos = [list(item) for item in event.todos]
        if event.task:
            self._task(*event.task)
        if event.todos is not None:
            planned = "\n".join(text for text, _ in event.todos)  # and not how hosts call their states
            self._mention(planned, "call", time=event.time)
        elif not event.edits:
            self._mention(event.task[1] if event.task else event.text, "call", time=event.time)

    def _note(self, what: str) -> None:
        self.recent = [*self.recent, what][-20:]

    def _task(self, number: str, subject: str, status: str) -> None:
        if not number:
            self.tasks[str(len(self.tasks) + 1)] = [subject, "pending"]
        elif number in self.tasks:
            known = self.tasks[number]
            self.tasks[number] = [subject or known[0], status or known[1]]

    def _file(self, path: str) -> list[Any]:
        return self.files.setdefault(path, [0, 0, 0, {}])

    def _result(self, event: Event) -> None:
        if self.asking and event.call == self.asking:
            self.asking, self.question = "", self.question if event.failed else ""  # who was turned away has no answer
        command, path, *edited = self.calls.pop(event.call, ["", ""])
        for read in event.reads:
            self._file(read)[2] = self.count
        if event.failed:
            for file in edited if not command else ():  # a shell may have written it before it failed
                self._file(file)[0] = max(0, self._file(file)[0] - 1)
            error = "" if refused_by_host(event.text) else self._wash([error_in(event.text)])[0][:400]
            if error:  # without a word it is no error: a search that finds nothing ends so too
                self.error, self.failing, self.asked_since = error, command, False
                self._note("failure")
            own = (line for line in event.text.split("\n") if len(line) < _PACKED and not any(mark in line for mark in _FOREIGN))
            self._mention("\n".join(own), "failure", time=event.time)
            return
        self._mention(event.text, "result", (path or (event.reads[0] if len(event.reads) == 1 else ""), command), event.time)
        if command:
            self._succeeded(command, event)

    def _placed(self, names: set[str], text: str, path: str, command: str) -> None:
        """Remember where names were seen: in the file that was read, in the one that a line names, or in an output."""
        step = "" if path else next(iter(steps_of(command)), "")
        place = path or (f"`{' '.join(step.split()[:3])}`" if step else "")
        if place:
            self.places.update(dict.fromkeys(names, place))
        if not path and names:
            for there, lines in by_place(text).items():
                self.places.update(dict.fromkeys(names_in(lines), there))

    def _succeeded(self, command: str, event: Event) -> None:
        if command == self.failing or mends(command, self.failing, event.text):
            self.error, self.failing = f"{self.error} (passed since)" if self.error else "", ""
        subject = commit_subject(command)
        if subject:
            self._did(f"commit “{subject}”", event.time)
        elif publishes(command):
            self._did(f"`{_line(re.sub(_WENT_THERE, '', command), 120)}`", event.time)
        else:
            found, steps = passed_in(event.text), steps_of(command)
            passed = self._news(self._wash([found])[0], event.time) if found and steps else ""
            if passed:
                self._note("pass")
                self._did(f"`{steps[-1]}`: {_line(passed, 120)}", event.time)

    def _did(self, what: str, time: str) -> None:
        key = what.split("`: ", maxsplit=1)[0]
        self.done = {k: v for k, v in self.done.items() if k.split("`: ")[0] != key}
        self.done[what] = time
        while len(self.done) > _KEEP_LIST:
            del self.done[next(iter(self.done))]

    # ---- what it comes to ----

    @property
    def trivial(self) -> bool:
        """Question and answer: no edit, no command, no correction, no open question. Nothing that a snapshot would be for."""
        corrected = any(refused or is_correction(_own(text)) for _, text, _, refused in self.requests)
        return not (self.worked or corrected or self.question or self.open_tasks())

    def open_tasks(self) -> list[tuple[str, bool]]:
        """To-do items as (text, ticked)."""
        known = self.tasks.values() or self.todos
        tasks = [(text, status) for text, status in known if status != "deleted"]
        if all(status == "completed" for _, status in tasks):
            return []
        return [(_line(text, 300), status == "completed") for text, status in tasks if text.strip()]

    def draft(self) -> dict[str, Any]:
        """The fields of a checkpoint, as far as the transcript tells them."""
        self._catch_up()
        texts = [text for _, text, _, _ in self.requests]
        said = [(_own(text), refused) for _, text, _, refused in self.requests]
        told = [text for text, refused in said if _columns(text) >= 12 and (refused or is_correction(text))]
        corrections = [text for text, _ in said if text in told or takes_back(text)]
        tasks = self.open_tasks()
        found: dict[str, Any] = {
            "goal": gist(texts[0], 400) if texts else "",
            "task": self._last_request(),
            "branch": self.branch,
            "phase": self._phase(),
            "progress": f"{sum(done for _, done in tasks)} of {len(tasks)} to-do items done" if tasks else "",
            "exchanges": tuple(self._exchanges()),
            "unanswered": (self.question,) if self.question else (),
            "in_flight": (_line(self.question, 300),) if is_choice(self.question) else (),
            "corrections": tuple(corrections[-40:]),
            "decisions": tuple(self.decisions[-25:]),
            "files": tuple(self._files()),
            "done": tuple(list(self.done)[-25:]),
            "code": self._code(),
            "names": tuple(self._names()),
            "pending": tuple(tasks),
            "timeline": tuple(self._timeline()),
            "tone": self._tone(),
        }
        return {name: value for name, value in found.items() if value}

    def _code(self) -> str:
        """The last error as it was printed, below its command; what came before the last request may be settled by now."""
        command = _line(self.failing, 70)
        before = " (before the last request)" if self.asked_since and command else ""
        return f"$ {command}{before}\n{self.error}".removeprefix("$ \n") if self.error else ""

    def _last_request(self) -> str:
        if not self.requests:
            return ""
        _, text, before, refused = self.requests[-1]
        said = [str(text)]
        if self.thanks:
            said.append(f"(and then: “{_line(self.thanks, 80)}”)")
        if self.picked:
            said.append(f"({self.picked})")
        asked = question_in(before)
        under_way = len(text) < _WORD and self.during not in ("", text)
        if under_way:  # a word on the way changes how, seldom what
            said.append(f"(while at: “{gist(self.during, 200)}”)")
        # “yes” means nothing without the question that it answers.
        if before and len(text) < (_ANSWERS if asked else _WORD) and (asked or refused or not under_way) and text[0] != "/":
            said.append(f"(in answer to: “{both_ends(asked or before.split(chr(10) * 2)[-1], 140)}”)")
        return "\n".join(said)

    def _exchanges(self) -> list[str]:
        """The last requests and the agent's last message, in the order in which they were said.

        Where that message is short, so is the last longer one before it: “Done.” means nothing without what was done. Of the
        other messages, the beginnings of those that were said on the way, and of the last one to each request before.
        """
        shown = {len(self.answers) - 1} if self.answers else set()
        if shown and _columns(self.answers[-1]) < _SAYS_LITTLE:
            longer = [i for i, text in enumerate(self.answers[:-1]) if _columns(text) >= _SAYS_LITTLE]
            shown.update(longer[-1:])
        after = dict(zip(range(len(self.answers) - 1, -1, -1), reversed(self.after), strict=False))
        asked = [text for _, text, _, _ in self.requests[-3:]]
        begins = {text[:200] for text in asked}
        long = [i for i in after if i not in shown and _columns(self.answers[i]) >= _SAYS_LITTLE and after[i] in begins]
        way = [i for i in sorted(long) if after[i] == asked[-1][:200]][-_ON_THE_WAY:]
        last = {after[i]: i for i in sorted(long) if i not in way and after[i] != asked[-1][:200]}
        kept = {**dict.fromkeys((*way, *last.values()), _BEGINNING), **dict.fromkeys(shown, 1000)}
        answers = [(after.get(i, ""), f"Assistant: {_line(self.answers[i], kept[i])}") for i in sorted(kept)]
        said = [answer for mark, answer in answers if mark not in begins]
        for text in asked:
            said += [f"User: {gist(text, 400)}", *(answer for mark, answer in answers if mark == text[:200])]
        return said

    def _files(self) -> list[tuple[str, str]]:
        """Files changed, then files read or found by a search, the latest first; each with the names that belong to it."""
        rank = {name: place for place, (name, _) in enumerate(self._ranked(self.names))}
        known = self._joined()
        here = self._names_by_file(rank, known)
        found = []
        for path, (edits, _, _, names) in sorted(self.files.items(), key=lambda item: (-item[1][1], -item[1][2])):
            if edits:
                touched = sorted(names, key=lambda name: (rank.get(name, len(rank)), name))[:_KEEP_LIST]
                near = [name for name in here.pop(path, ()) if name not in names][:30]
                said = (f"touches {', '.join(touched)}" if touched else "", f"has {', '.join(near)}" if near else "")
                found.append((path, "; ".join(filter(None, (f"edited {edits} time{'s' if edits > 1 else ''}", *said)))))
        read = [path for path, file in self.files.items() if not file[0] and file[2] and known[path] == path]
        read.sort(key=lambda path: -self.files[path][2])
        found += [(path, f"read; has {', '.join(here[path][:15])}" if here.get(path) else "read") for path in read[:25]]
        sought = [path for path in here if path not in self.files]
        return [*found[:80], *((path, f"found by a search; has {', '.join(here[path][:15])}") for path in sought[:15])]

    def _joined(self) -> dict[str, str]:
        """Path → the longest path by which the same file is called: a shell calls files by shorter paths than an editor."""
        longest = sorted(self.files, key=len, reverse=True)
        by_name: dict[str, list[str]] = {}
        for path in longest:
            by_name.setdefault(path.rsplit("/", 1)[-1], []).append(path)
        return {path: _same(path, by_name[path.rsplit("/", 1)[-1]]) for path in longest}

    def _names_by_file(self, rank: Iterable[str], known: Mapping[str, str]) -> dict[str, list[str]]:
        """Path → the names seen there, by rank."""
        by_name: dict[str, list[str]] = {}
        for path in known.values():
            by_name.setdefault(path.rsplit("/", 1)[-1], []).append(path)
        found: dict[str, list[str]] = {}
        for name in rank:
            place = self.places.get(name, "")
            if place and not place.startswith("`"):
                found.setdefault(_same(place, by_name.get(place.rsplit("/", 1)[-1], ())), []).append(name)
        return found

    def _names(self) -> list[tuple[str, str]]:
        """Commands, files and names in use, each kind by use and recency; a name that a command printed says which."""
        commands = sorted(self.commands, key=lambda command: -self.commands[command][1])[:20]
        found = [("Command", command) for command in commands]
        found += [("File", self.paths.get(name, name)) for name, _ in self._ranked(self.mentions)[:60]]
        for name, _ in self._ranked(self.names)[:160]:
            place = self.places.get(name, "")
            found.append((f"Printed by {place.strip('`')}" if place.startswith("`") else "Name", name))
        return found

    def _timeline(self) -> list[str]:
        asked = [(time, text) for time, text, _, _ in self.requests if len(text) >= 12]
        said = [(time, f"{_clock(time)} User: {gist(text, 400)}".strip()) for time, text in asked]
        did = [(time, f"{_clock(time)} {what}".strip()) for what, time in self.done.items() if what.startswith("commit ")]
        return [line for _, line in sorted(said[-40:] + did[-10:], key=lambda pair: pair[0])]

    def _phase(self) -> str:
        last = self.recent[-8:]
        if not last:
            return ""
        if last.count("failure") >= 2:
            return "debugging"
        if "pass" in last[-3:]:
            return "testing"
        return "implementing" if "edit" in self.recent else "planning"

    def _tone(self) -> str:
        """Simple signs in the user's last words, and the words themselves; never guessed beyond them."""
        for text in [self.thanks, *(text for _, text, _, _ in reversed(self.requests[-3:]))]:
            sign = tone_of(text)
            if sign:
                return f"{sign}: “{_line(text, 160)}”"
        return "matter-of-fact" if self.requests else ""


def _same(path: str, others: Iterable[str]) -> str:
    """The first of the paths that ends as this one does, or this one."""
    end = "/" + path.lstrip("./")
    return next((other for other in others if other == path or other.endswith(end)), path)


def _own(text: str) -> str:
    """What a person said, without a log that they pasted."""
    return typed(text) if len(text) > _PASTED else text


def _line(text: str, limit: int) -> str:
    folded = " ".join(text.split())
    return folded if len(folded) <= limit else folded[: limit - 1].rstrip() + "…"


def _columns(text: str) -> int:
    """The length of a text; a letter of a script without spaces says about as much as two of ours."""
    return len(text) + sum(letter >= "\u2e80" for letter in text[:200])


def _clock(time: str) -> str:
    """2026-11-15T14:05:09.123Z → 2026-11-15 14:05."""
    return time[:16].replace("T", " ")
