"""Events → what a session shows: who asked for what, what was said, done, decided, changed, read and printed.

It goes by structure (who said it, what was edited, what came back) and by the form of words (signs.py); nothing in it knows the
tools, the language or the project of a session. All that is learnt is plain data, so that it can be kept between two hooks and
gone on with: a long session is read once. What it comes to is draft.py's.

Every name is kept with its place: the file in which it was changed, read or found, or the command that printed it. A name
without its place is a word in a bag; with it, it is where to look.
"""

from __future__ import annotations

from collections import deque
from itertools import takewhile

from ..guard.echo import without_our_question
from ..model import FORKED
from ..transcripts.shell import acts, fed, runs_holdfast, shown_by, steps_of
from ..transcripts.words import PLAN_BEGUN, PLAN_PUT
from .errands import Errands
from .naming import by_place, ends, mentioned, names_in
from .outcomes import as_shown, own_lines, refused_by_host, refused_by_user
from .pasted import typed
from .replies import (
    ANSWER,
    ASKS_BACK,
    agrees,
    is_confirmation,
    is_courtesy,
    is_goodbye,
    judge_reply,
    picked,
    refuses,
    shares_words,
)
from .save_requests import only_asks_to_save
from .signs import choices_in, is_choice, is_qualified, is_yes, proposal_in, question_in, takes_back
from .small_talk import is_offer_of_help, is_small_talk
from .working import KEEP_LIST, all_of_it, shortened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, Self

    from ..transcripts import Event
    from .working import News

    # event, source, text; of a result (file read, command), of an edit (file, text before); its time
    _Text = tuple[int, str, str, tuple[str, str], str]


_WEIGHT = {
    "user": 4.0, "pasted": 0.8, "edit": 5.0, "beside": 1.0, "agent": 2.0, "report": 2.0, "call": 1.5, "result": 0.8,
    "failure": 0.8,
}  # fmt: skip
_WHOLE = ("agent", "report")  # by this agent, or by one that it had sent: longer than most outputs, and meant to be read
_SAID = ("user", "pasted", "agent")  # washed when it was said, and looked at for what we gave
_HALF_LIFE = 60.0  # events after which a mention counts half: what was in use last is what is needed next
_SINCE_ASKED = 1.5  # times as much counts what was mentioned since the last request
_LOOK_BACK = 400  # texts: about six half-lives
_KEEP_NAMES, _KEEP_REQUESTS, _KEEP_ANSWERS = 600, 300, 12
SAYS_LITTLE = 40  # columns: a message that is shorter is shown, and the one before it as well
# A transcript may be of any size, what is known of it at once may not: 44 MB of ever new names once took half a gigabyte.
_READ_AT_MOST = 4000  # characters of one output: its beginning and its end tell the names that matter
_STOOD = (
    "question", "asking", "put", "spoken", "during", "thanks", "asked_back", "picked", "stopped", "woken", "checked", "unheard",
    "asked_since", "reports",
)  # what changes when the user speaks  # fmt: skip
_REQUEST = 4000  # characters of what a person said
_REPORTS = 2  # of other agents
_A_FEW = 5  # calls: who has looked at more things than that, to review or to find out, has more to lose than an answer
_PASTED = 1500  # characters beyond which most of it was not typed
_LONGEST = 20_000  # characters of what the agent says or writes
LEFT_OUT = "left out"  # the kind of an event: what the user said last is not to be remembered
PARENT = "the agent that it was forked from"
_TOO_MANY = 10_000  # files, commands or open calls; then those used longest ago are forgotten


class Learnt(Errands):
    """What has been learnt of a session so far. `wash` takes out of texts what must not be kept, `news` what came from us."""

    def __init__(self, wash: Callable[[list[str]], list[str]] = list, news: News = all_of_it) -> None:
        super().__init__(wash, news)
        self.called = 0  # tools, of any kind
        self.worked = False  # edited a file, ran a command, or looked at more than a few things
        self.requests: list[list[Any]] = []  # [time, text, what the agent had said before, whether it refused a tool; or ANSWER]
        self.asked_at = 0  # the event of the last one
        self.stood: dict[str, Any] = {}  # what was so before it came
        self.inherited: list[list[Any]] = []  # the same that were made to the agent of which this one is a fork
        self.forked = ""  # when it was
        self.left_to_do: list[str] = []  # what that agent had to do then
        self.answers: list[str] = []  # the agent's last messages
        self.after: list[str] = []  # of each of them, the beginning of the request that it came after
        self.said: list[str] = []  # and when it was said
        self.spoken = ""  # its very last words, since the user spoke
        self.thanks = ""  # the user's thanks, goodbye or small talk behind the last request
        self.asked_back = False  # whether the user has answered the open question with one of their own
        self.built = False  # whether a file was changed or a command was run
        self.worked_under = ""  # when the user had spoken last before that; commands of ours are no work
        self.talked = 0  # requests since then
        self.picked = ""  # what the last request picked out of a list, by its label
        self.during = ""  # the request that was being worked on when the last one came
        self.busy = False  # whether the agent was in the midst of it: it had called a tool, and said nothing since
        self.unheard = False  # whether nothing has come of the last request yet: what is said next is added to it
        self.stopped = False  # whether the user has interrupted it, and said nothing since
        self.woken = False  # whether the host has let it go on, and not the user, since it asked
        self.question = ""  # with which it stopped, and which nobody has answered
        self.asking = ""  # the call by which it asked, where a tool of the host did, until that comes back
        self.closed_plan = ""  # one that the user has closed without a word, and said nothing since
        self.put = ""  # what it asked by that call: it may say and ask more before there is an answer
        self.checked = False  # whether it asked besides if our brief is right, as that told it to: a yes means that alone
        self.names: dict[str, list[float]] = {}  # name → [weight at its last mention, event of that mention]
        self.mentions: dict[str, list[float]] = {}  # file name → the same
        self.paths: dict[str, str] = {}  # file name → the path by which it was called last
        self.places: dict[str, str] = {}  # name → the file in which it was seen last, or the `command` that printed it
        self.decisions: list[str] = []
        self.decided: dict[str, str] = {}  # decision → its time
        self.handed: dict[str, str] = {}  # call → to which other agent it hands what, until that comes back
        self.reports: list[list[str]] = []  # [time, which other agent and for what, what it came to] since the last request
        self.ours: dict[str, str] = {}  # call of a tool or command of ours → how much of what comes back is ours
        self.boundaries: list[str] = []  # when the context was lost
        self.summary = ""  # what the host put in its place, as long as nothing has come after it
        self.tool_in_error: list[str] = []  # [tool, file] of the last error, where no command gave it
        self._unread: deque[_Text] = deque(maxlen=_LOOK_BACK)  # the newest texts whose names have not been counted yet

    def as_data(self) -> dict[str, Any]:
        """Everything, as JSON takes it."""
        self._catch_up()
        self._forget()
        return {name: value for name, value in self.__dict__.items() if not name.startswith("_")}

    @classmethod
    def from_data(
        cls, data: Mapping[str, Any], wash: Callable[[list[str]], list[str]] = list, news: News = all_of_it
    ) -> Self:
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
            if event.branch and event.branch != self.told_branch:
                self.branch = self.told_branch = event.branch
            taker = takers.get(event.kind) if not event.by else self._by_another
            if taker:
                taker(event)
            elif event.kind in ("compaction", "reset"):
                self.boundaries = [*self.boundaries, event.time][-KEEP_LIST:]
            elif event.kind == "unsaid":
                self._unsaid(event.text)
            elif event.kind == LEFT_OUT:
                self._leave_out_last()
            elif event.kind == "interruption":
                self.stopped, self.busy, self.unheard = True, False, False
            elif event.kind == "rewound" and event.instead:
                self._went_back(event.instead)
                self._restored(event)
            elif event.kind == "woken":
                self.woken = bool(self.question)
            elif event.kind == "forked":
                self._was_anothers(event.time)
            elif event.kind == "gone":
                for path, _ in event.moves:
                    self._left(path, "", told=False)
            elif event.kind == "begun":
                self._goes_on(event)
                if event.handed:
                    self.handed[event.call] = f"{event.handed}: {self.background[event.call][1]}"
            elif event.kind == "arranged":
                self._will_come(event)
            elif event.kind == "aim":
                self.aim = [shortened(event.text, 300), shortened(event.purpose, 200)] if event.text else []
            elif event.kind == "ended":
                self._has_ended(event.call)
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
            self.gone = {path: to for path, to in self.gone.items() if path in self.files}
        for file in self.files.values():
            if len(file[3]) > _KEEP_NAMES:
                file[3] = dict(sorted(file[3].items(), key=lambda item: item[1])[-_KEEP_NAMES:])
        self.commands = dict(list(self.commands.items())[-_KEEP_NAMES:])
        self.calls = dict(list(self.calls.items())[-_KEEP_NAMES:])
        self.moves = {call: moves for call, moves in self.moves.items() if call in self.calls}
        self.handed = {call: to for call, to in self.handed.items() if call in self.calls}
        self.gone = dict(list(self.gone.items())[-KEEP_LIST:])
        self.moved = {path: first for path, first in self.moved.items() if path in self.files}
        self.errands = dict(list(self.errands.items())[-_KEEP_NAMES:])

    def _mention(self, text: str, source: str, came_from: tuple[str, str] = ("", ""), time: str = "") -> None:
        self._unread.append((self.count, source, ends(text, _LONGEST if source in _WHOLE else _READ_AT_MOST), came_from, time))

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
            for name, path in files.items():
                if not f"/{self.paths.get(name, '')}".endswith(f"/{path}"):  # else it is the known path, or its end
                    self.paths[name] = path
            if source in ("result", "report"):
                self._placed(names, text, *came_from)

    def _edited(self, moment: int, after: str, path: str, before: str) -> None:
        old, new = names_in(before), names_in(after)
        if self.gone.get(path, -1) < moment:  # else it was deleted after that
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
        self.decisions = [*(known for known in self.decisions if known != what), what][-KEEP_LIST:]
        self.decided = {**{known: self.decided.get(known, "") for known in self.decisions}, what: time}

    def _went_back(self, since: str) -> None:
        """The user has gone back to before a moment: what was asked, answered and decided from there on is no longer so.

        What was done is: a file that was changed and a commit that was made are still there, unless the host took them back.
        """
        self._catch_up()
        self.requests = [request for request in self.requests if not request[0] or request[0] < since]
        asked = {"", *(request[1][:200] for request in self.requests)}
        times = [*[""] * (len(self.answers) - len(self.said)), *self.said]
        known = zip(self.answers, self.after, times, strict=False)
        left = [answer for answer in known if answer[1] in asked and (not answer[2] or answer[2] < since)]
        self.answers, self.after, self.said = ([answer[place] for answer in left] for place in range(3))
        self.decisions = [what for what in self.decisions if self.decided.get(what, "") < since]
        self._plan_of(since)
        self.spoken = self.question = self.asking = self.closed_plan = self.thanks = self.picked = self.during = ""
        self.busy = self.unheard = self.stopped = False

    def _was_anothers(self, time: str) -> None:
        """All that was read was asked of another agent, which said, planned and did it.

        What it names is still good to know, and what it has done is done. What the user forbade it may hold for this one too.
        What it was asked, and had still to do, is told as what came before.
        """
        self._catch_up()
        done, requests = {f"{what} ({FORKED})": when for what, when in self.done.items()}, self.requests
        left = [text for text, ticked in self.open_tasks() if not ticked]
        fresh = type(self)(self._wash, self._news)
        known = ("count", "files", "names", "mentions", "paths", "places", "commands", "branch", "told_branch")
        self.__dict__.update((name, value) for name, value in fresh.__dict__.items() if name not in known)
        self.done, self.inherited, self.forked, self.left_to_do = done, requests, time, left
        self.others = {path: [FORKED, file[0]] for path, file in self.files.items() if file[0]}

    def _count(self, known: dict[str, list[float]], found: Iterable[str], weight: float, moment: int) -> None:
        for name in found:
            entry = known.get(name)
            if entry is None:
                known[name] = [weight, moment]
            else:  # never of an earlier moment: texts are looked at in the order in which they came
                entry[0] = entry[0] * 0.5 ** ((moment - entry[1]) / _HALF_LIFE) + weight
                entry[1] = moment

    def _ranked(self, known: dict[str, list[float]]) -> list[tuple[str, list[float]]]:
        """What is known, by its weight now. The last request may be about something else than all that came before it."""

        def weight(name: str) -> float:
            weight, moment = known[name]
            since = _SINCE_ASKED if moment > self.asked_at else 1.0
            return float(weight * since * 0.5 ** ((self.count - moment) / _HALF_LIFE))

        return sorted(known.items(), key=lambda item: (-weight(item[0]), item[0]))

    def _user(self, event: Event) -> None:
        text = self._news(event.text.strip(), event.time, "typed")
        if event.instead:
            self._went_back(event.instead)
        if not text:
            return
        if only_asks_to_save(text) and text.strip(" .!").casefold() not in self.question.casefold():
            self.woken = bool(self.question)  # no other work and no answer: what waits still does, once it is saved too
            return
        stood = {name: self.__dict__[name] for name in _STOOD}
        self._note_plan(event.time)
        self._settle_plan(text, event.time)
        if event.reply:
            self._replied(event, text)
            return
        if self._asks_nothing(text):
            self.thanks = text  # what was being worked on still is, and what waits for an answer still does
            return
        if self.requests and self.checked and is_confirmation(text):
            self.checked, self.spoken = False, ""  # our brief is right, and what it says is being worked on still is
            return
        self.thanks, self.picked = "", picked(text, self.spoken)
        meant = self.question or proposal_in(self.spoken)
        goes_on = is_confirmation(text) and (self.stopped or not meant)  # with what was asked before
        self.stopped = self.woken = False
        if not (self.checked and is_yes(text)):
            if self.picked:
                self._decided(f"User picked (“{shortened(text, 60)}”): {self.picked}", event.time)
            elif meant and (is_yes(text) or agrees(text, meant) or refuses(text)):
                agreed = agrees(text, meant) and not is_qualified(text) and not is_choice(meant)
                how = "agreed (“{}”) to" if agreed else "answered (“{}”)"
                self._decided(f"User {how.format(text)}: {shortened(meant, 300)}", event.time)
            self._settle_question(text)
        self.checked = False
        last = self._asked_last()
        added = self.unheard and not takes_back(last) and not takes_back(text)
        self.during = last[:_REQUEST] if goes_on else (self.during or last[:_REQUEST]) if self.busy or added else ""
        own = own_words(text)
        kept = _kept(text)
        # A request that is made again stands where it was made last.
        self.requests = [request for request in self.requests if request[1] != kept]
        self.requests = [*self.requests, [event.time, kept, self.spoken[-800:], event.refusal]][-_KEEP_REQUESTS:]
        self.reports = []
        self.spoken, self.asked_since = "", True  # what is said next answers nothing that was said before this
        self.talked += 1
        self.unheard, self.asked_at, self.stood = True, self.count, stood
        self._mention(own, "user")
        if own != text:
            self._mention(text, "pasted")

    def _asks_nothing(self, text: str) -> bool:
        """Return whether a message is a thanks, a goodbye or small talk. A thanks may answer a question."""
        if is_small_talk(text, self.question):
            return True
        return bool(self.requests) and is_courtesy(text) and (is_goodbye(text) or not self.question)

    def _settle_question(self, text: str) -> None:
        """Close the open question where a message can be its answer.

        Who asks back still owes one, and it stays until the agent asks anew or goes on. Whatever has nothing
        to do with it leaves it open until the agent has gone on from there.
        """
        how = judge_reply(text, self.question) if self.question and not self.asking else ANSWER
        self.asked_back = how == ASKS_BACK
        if how == ANSWER:
            self.question = self.asking = ""

    def _unsaid(self, text: str) -> None:
        """Words that were not said after all: taken back out of the queue, or put there by the host. Where nothing has come
        since, all stands as it did: what was waiting for an answer still does.
        """
        if self.requests and self.requests[-1][1] == _kept(text) and self.count - self.asked_at == 1:
            stood = {name: value for name, value in self.stood.items() if type(value) is type(self.__dict__.get(name))}
            self.__dict__.update(stood)
        self.requests = [request for request in self.requests if request[1] != _kept(text)]

    def said_last(self) -> tuple[str, str]:
        """(when the user spoke last, and what they said), as far as it is kept."""
        if self.thanks:
            return "", self.thanks
        return (str(self.requests[-1][0]), str(self.requests[-1][1])) if self.requests else ("", "")

    def _leave_out_last(self) -> None:
        """Drop what the user said last, what the agent has said to it, and what was learnt of both. What was done is done."""
        time, text = self.said_last()
        if self.thanks:
            self.thanks = self.spoken = ""
        elif self.requests:
            spoken = [at for at, mark in enumerate(self.after) if mark == text[:200]]
            for told in (self.answers, self.after, self.said):
                told[:] = [one for at, one in enumerate(told) if at not in spoken]
            del self.requests[-1]
            self.decisions = [what for what in self.decisions if not time or self.decided.get(what, "") < time]
            self.spoken = self.question = self.asking = self.put = ""
            self.__dict__.update(self.stood if self.stood.keys() <= set(_STOOD) else {})
            self.stood, self.unheard, self.reports = {}, False, []
            self._unread = deque((one for one in self._unread if one[0] < self.asked_at or one[1] not in _SAID), _LOOK_BACK)
        names, files = mentioned(text)
        for name in (*names, *files):
            for known in (self.names, self.mentions):
                known.pop(name, None)
            for place in (self.places, self.paths):
                place.pop(name, None)

    def asked_when(self, *, anew: bool) -> str:
        """When the user spoke last; anew: and asked for something, which “yes” and an answer to a tool's question do not."""
        return next((str(time) for time, text, _, how in reversed(self.requests) if not anew or _asks_anew(text, how)), "")

    def worked_when(self) -> str:
        """When the user made the last request that led to a changed file or a command; empty where none has."""
        until = self.worked_under
        made = (time for time, text, _, how in reversed(self.requests) if time <= until and _asks_anew(text, how))
        return str(next(made, "")) if until else ""

    def _asked_last(self) -> str:
        """The last request that asks for something: no answer to a question put by a tool, and no “please continue”."""
        asked = [str(text) for _, text, _, how in self.requests if how != ANSWER]
        return next((text for text in reversed(asked) if not agrees(text, "")), asked[-1] if asked else "")

    def _replied(self, event: Event, text: str) -> None:
        """An answer to what the agent asked in the midst of its work: it is still at that work. It may have asked more."""
        self.thanks = self.picked = self.spoken = ""
        self.question, self.asking = event.asks[:2000], event.call if event.asks else ""
        self.put = self.question
        self.stopped = self.woken = self.checked = False
        others = [known for known in self.requests if known[1] != text]
        self.requests = [*others, [event.time, text[:_REQUEST], "", ANSWER]][-_KEEP_REQUESTS:]
        self._mention(text, "user")

    def _agent(self, event: Event) -> None:
        own = without_our_question(event.text)
        news, asked = self._news(own, event.time), question_in(own)
        polite = self.thanks or not self.requests  # then an offer of help is no question that waits for an answer
        asked = "" if polite and is_offer_of_help(asked) else asked
        self.checked, self.busy, self.unheard = own != event.text, False, False
        # Who recites, returns a goodbye, or takes note of what the host says has taken nothing back: what waits still does.
        waits = self.asking or self.woken or self.thanks or self.asked_back
        if asked and self.thanks and self.question:  # in the midst of small talk it may ask one thing more
            self.question = _add_question(self.question, asked)
        elif asked or (news == own and not waits):
            self.question = f"{self.put}\n{asked}" if self.asking and self.put else asked
            self.asked_back = False
        # A question that is asked again is no news, and still what was said last.
        said = news if asked in news else f"{news}\n\n{asked}".strip()
        self.spoken = said or self.spoken
        if len(news) >= SAYS_LITTLE or (news and news == own):  # of who recites, a few words around it are no message
            self.answers = [*self.answers, said[:4000]][-_KEEP_ANSWERS:]
            self.after = [*self.after, self.requests[-1][1][:200] if self.requests else ""][-_KEEP_ANSWERS:]
            self.said = [*self.said, event.time][-_KEEP_ANSWERS:]
        self._mention(news, "agent", time=event.time)

    def _call(self, event: Event) -> None:
        if event.asks:
            self.question, self.asking = event.asks[:2000], event.call
            self.put = self.question
        elif not self.asking and not self.woken and event.tool != "!" and (event.edits or not self._talks_on()):
            self.question = ""  # it did not wait for an answer
        reads = event.reads or (() if event.edits or not event.command else shown_by(event.command))
        if event.handed:
            self.handed[event.call] = event.handed
        if event.call and (ours := "all" if event.ours else runs_holdfast(event.command)):
            self.ours = dict([*self.ours.items(), (event.call, ours)][-KEEP_LIST:])
        if event.call:
            read = reads[0] if reads and (event.reads or len(reads) == 1) else ""
            self.calls[event.call] = [event.command, read, *(path for path, _, _ in event.edits)]
            if not (event.command or event.edits or reads):
                self._errand(event)
        self.called += 1
        self.unheard = self.unheard and event.tool == "!"
        if event.edits or event.moves or event.command:
            self.built, self.talked = True, 0
            if self.requests and event.tool != "!" and not event.ours and not runs_holdfast(event.command):
                self.worked_under = self.requests[-1][0]
        self.worked = self.worked or bool(event.edits or event.moves or event.command) or self.called > _A_FEW
        self.busy = self.busy or event.tool != "!"  # what the user runs is no work of the agent's
        self._note("edit" if event.edits or event.moves else "command" if event.command else "read")
        self._takes_in(event)
        for path in reads:
            self._file(path)[2] = self.count
        if event.command and self.background:
            self._begins_again(event.command)
        for step in steps_of(event.command):
            times = self.commands.pop(step, [0, 0])[0]
            self.commands[step] = [times + 1, self.count]
        if event.todos is not None or event.task:
            self.listed = self.count
        if event.todos is not None:
            self.todos_before, self.todos = [event.call, self.todos], [list(item) for item in event.todos]
        if event.task:
            self._task(*event.task, event.call)
        if event.todos is not None:
            planned = "\n".join(text for text, _ in event.todos)  # and not how hosts call their states
            self._mention(planned, "call", time=event.time)
        elif not event.edits:
            self._mention(event.task[1] if event.task else event.text, "call", time=event.time)

    def _talks_on(self) -> bool:
        """Return whether the agent only looks something up for small talk or a question that was asked back."""
        return bool(self.thanks) or self.asked_back

    def _by_another(self, event: Event) -> None:
        """What another agent did for this one: the files that it changed are changed, and all else is its own."""
        if event.kind == "call":
            self.worked = True
            self.calls[event.call] = [event.command, "", *(path for path, _, _ in event.edits)]
            self._takes_in(event)
            return
        command, _, *edited = self.calls.pop(event.call, ["", ""])
        moves = self.moves.pop(event.call, ())
        if event.failed:
            for file in edited if not command else ():
                self._unchanged(file, event.by)
            return
        for old, new in moves:
            self._left(old, new)
        if command:
            self._changed_files(command, event)

    def _takes_in(self, event: Event) -> None:
        """The files that a call changes, and those that it takes away if it goes well."""
        if event.moves:
            self.moves[event.call] = [list(move) for move in event.moves]
        for path, before, after in event.edits:
            self._changed(path, event.by)
            self._unread.append((self.count, "edit", ends(after, _LONGEST), (path, ends(before, _LONGEST)), event.time))

    def _result(self, event: Event) -> None:
        event.text = as_shown(event.text)
        if self.asking and event.call == self.asking:
            self._came_to(event)
        if event.tool == "&" and not any(event.call in known for known in (self.calls, self.background, self.errands)):
            return  # what went on behind a subagent: it is over with it, and no error of this agent's
        command, path, *edited = self.calls.pop(event.call, [self.background.get(event.call, [""])[0], ""])
        tool, told = self.errands.pop(event.call, ["", ""])
        moves = self.moves.pop(event.call, ())
        self._has_ended(event.call)
        source = "report" if event.call in self.handed else "result"
        self._reported(event)
        if event.call in self.tasks:
            self._numbered(event)
        for read in event.reads:
            self._file(read)[2] = self.count
        ours = self.ours.pop(event.call, "all" if event.ours else "")
        if ours == "all":
            return  # what we have printed is no news, whether or not it went well
        called = [event.tool or tool, path or next(iter(edited), "")]
        if event.failed:
            self._failed(event, command, edited, names=not ours)
            self.tool_in_error = called if not command and self.erred == self.count else self.tool_in_error
            return
        if not command:
            self._mend_tool_error(*called)
        if not ours:
            place = path or (event.reads[0] if len(event.reads) == 1 else "")
            self._mention(event.text, source, (place, command), event.time)
        self._served(event, tool, told)
        self.gone.pop(path, None)  # who could read it has found it there
        for old, new in moves:
            self._left(old, new)
        if command:
            self._succeeded(command, event)
            self._changed_files(command, event)

    def _reported(self, event: Event) -> None:
        """What another agent has come to."""
        to = self.handed.pop(event.call, "")
        if to and not event.failed:
            report = self._news(self._wash([ends(event.text, _REQUEST)])[0], event.time)
            self.reports = [*self.reports, [event.time, to, report]][-_REPORTS:] if report else self.reports

    def _is_called(self, new: str, old: str) -> None:
        self.places.update((name, new) for name, place in self.places.items() if place == old)
        for number, (*known, (path, before), time) in enumerate(self._unread):
            if path == old:
                self._unread[number] = (*known, (new, before), time)  # type: ignore[assignment]

    def _came_to(self, event: Event) -> None:
        """What came of a question that a tool put: who was turned away has no answer. A plan that was is no question any more."""
        closed = event.failed and self.question.startswith(PLAN_PUT) and refused_by_user(event.text)
        self.closed_plan = shortened(self.question.removeprefix(PLAN_PUT).strip(), 300) if closed else ""
        self.asking, self.question = "", self.question if event.failed and not closed else ""

    def _settle_plan(self, text: str, time: str) -> None:
        """What the user says next tells what closing a plan meant. Claude Code writes down the same refusal whether it was turned
        down or taken on in a new context: then the plan comes again, in a session of its own nearly always.
        """
        if self.closed_plan:
            self._decided(f"User {'approved' if text.startswith(PLAN_BEGUN) else 'turned down'}: {self.closed_plan}", time)
            self.closed_plan = ""

    def _failed(self, event: Event, command: str, edited: list[str], *, names: bool = True) -> None:
        for file in edited if not command else ():  # a shell may have written it before it failed
            self._unchanged(file)
        not_let = event.refusal or refused_by_user(event.text)
        if not_let:
            self._never_run(command)
        if event.call and self.todos_before[:1] == [event.call]:
            self.todos = self.todos_before[1]
        self._committed(command, event)  # `git commit … && git push`: the push failed, the commit is made
        if event.refusal or refused_by_host(event.text, is_command=bool(command)):
            return  # in the host's words
        # Who looks for what is not there, while something else fails, has not found another error.
        if steps_of(command) or acts(command) or fed(command)[1] or not steps_of(self.failing):
            self._remember_error(command, event.text)
        self._mention(own_lines(event.text) if names and not not_let else "", "failure", time=event.time)

    def _mend_tool_error(self, tool: str, path: str) -> None:
        """Forget the error of a tool that runs no command, once the same has gone well: the file that it was about was read or
        written, by whatever tool; or that tool, which was about no file, has done what it was called for.
        """
        if not self.error or self.failing or not self.tool_in_error:
            return
        failed, wanted = self.tool_in_error
        same_file = bool(wanted) and wanted.rpartition("/")[2] == path.rpartition("/")[2]
        if same_file or (not wanted and not path and failed == tool):
            self.error, self.tool_in_error = "", []

    def _placed(self, names: set[str], text: str, path: str, command: str) -> None:
        """Remember where names were seen: in the file that was read, in the one that a line names, or in an output."""
        step = "" if path else next(iter(steps_of(command)), "")
        words = takewhile(lambda word: "'" not in word and '"' not in word, step.split()[:3])  # whole ones: no half of a script
        place = path or (f"`{' '.join(words)}`" if step else "")
        if place:
            self.places.update(dict.fromkeys(names, place))
        if not path and names:
            for there, lines in by_place(text).items():
                self.places.update(dict.fromkeys(names_in(lines), there))


def _asks_anew(text: str, how: object) -> bool:
    """Return whether a request asks for something: no answer to a question put by a tool, and no “yes”."""
    return how != ANSWER and not agrees(text, "")


def _add_question(known: str, asked: str) -> str:
    """Put a second question below the one that is open; one that only says it again brings nothing."""
    return known if shares_words(asked, known) else f"{known}\n{asked}"[:2000]


def _kept(text: str) -> str:
    """As much of a request as is kept of it."""
    return text if len(text) <= _REQUEST else ends(own_words(text), _REQUEST)


def own_words(text: str) -> str:
    """What a person said, without a log that they pasted."""
    return typed(text) if len(text) > _PASTED else text
