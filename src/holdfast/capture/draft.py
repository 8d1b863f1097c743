"""What was learnt of a session → the draft of a checkpoint: what it was doing, told by its own transcript, without a model.

`Capture` is fed events in order (learning.py) and can be asked for a draft at any moment. What is said here is put before an
agent as true: each part says what the transcript shows, and no more.
"""

from __future__ import annotations

from functools import partial

from ..model import ANSWERED, FORKED, PRINTED_BY
from ..transcripts.heads import local
from ..transcripts.words import PLAN_APPROVED, PLAN_BEGUN, WORKFLOW
from .condense import condense, favour_facts
from .hearing import asks_for_the_past
from .learning import PARENT, SAYS_LITTLE, Learnt, own_words
from .pasted import both_ends, gist
from .replies import ANSWER, asks_something, is_confirmation, is_no_alone, is_step, judge_reply, picks_option
from .signs import (
    begins_as_question,
    columns,
    is_choice,
    is_correction,
    orders_in,
    question_in,
    sentences_in,
    takes_back,
    tone_of,
)
from .working import KEEP_LIST, shortened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

_CLOSED = "the user closed without a word: turned down, or taken on in a new session"
_ANSWERS = 200  # characters of what may be the answer to a question, and not stand alone
_ORDER = 8  # columns: “no, why?” sets no course, “don't push” does
_FEW = 3  # characters, in scripts where one is a word
_WORD = 60  # characters of what means little without what was said or done before it
_DELETED = 20  # files
_QUESTION = 200  # columns of a question that may be all that a session was about
_LAST_EXCHANGES, _MESSAGE = 5, 2400  # of a conversation; and characters of each message
_TALKED = 5  # requests without a command or a change of a file, after which a session is a conversation
_PICK = 40  # characters of a reply that only names an item of a list
_FENCE = "```"  # around code
_REPORT, _TOLD_REPORT = 240, 120  # characters of what another agent came to; and where the agent has spoken since
_DETACHED = "HEAD"  # what git and hosts say where there is no branch
_A_WHILE = 200  # events, after which a list that is finished, or an error that nobody came back to, says nothing of the work
_BEGINNING, _ON_THE_WAY = 300, 4  # characters of what was said before the last message, and how many such on the way


class Capture(Learnt):
    """A session as far as it was read, and what it comes to."""

    @property
    def trivial(self) -> bool:
        """Return whether there is nothing to lose: a greeting, or a one-line question and its answer, and nothing else."""
        if self.worked or self.done or self.stopped or self.open_tasks() or self.running():
            return False
        said = [text for _, text, _, refused in self.requests if refused or not is_step(text)]
        if len(said) > 1 or (self.question and (said or not self.thanks)):
            return False
        return all(_is_one_line_question(text) for text in said)

    @property
    def is_talk(self) -> bool:
        """Return whether people talk here and nothing is being built: no file was changed and no command run, not lately."""
        return not (self.built or self.commands) or self.talked >= _TALKED

    def redirected_when(self) -> str:
        """When the user has given the work another direction: by a request that led to work, or that may, in the midst of work.

        In a talk nothing does: a question, a remark and a story ask for an answer, and the task is still what it was set to.
        """
        last = self._asked_last()
        waits = self.unheard or bool(self.question)  # it was not begun yet, or the agent has asked something about it
        may_lead = waits and not self.is_talk and not _is_one_line_question(last)
        return self.asked_when(anew=True) if may_lead else self.worked_when()

    def _progress(self) -> str:
        """How far the to-do list is. One that was finished a while ago says nothing of what is being worked on."""
        if tasks := self.open_tasks():
            return f"{sum(done for _, done in tasks)} of {len(tasks)} to-do items done"
        done = [text for text, status in self.tasks.values() or self.todos if status == "completed" and text.strip()]
        recent = bool(self.listed) and self.count - self.listed < _A_WHILE
        return f"all {len(done)} to-do items done, the last: {shortened(done[-1], 100)}" if len(done) > 1 and recent else ""

    def draft(self) -> dict[str, Any]:
        """The fields of a checkpoint, as far as the transcript tells them."""
        self._catch_up()
        texts = [text for _, text, _, _ in self.requests]
        tasks = self.open_tasks()
        found: dict[str, Any] = {
            "goal": gist(next(filter(_sets_a_goal, texts), texts[0]), 400) if texts else "",
            "task": self._last_request(),
            "status": self.running(),
            "branch": self.branch if self.branch != _DETACHED else "",
            "phase": self._phase(),
            "progress": self._progress(),
            "exchanges": (*self._greeting(), *(self._talk() if self.is_talk else self._exchanges())),
            "unanswered": (self.question,) if self.question else (),
            "in_flight": self._in_flight(),
            "corrections": tuple(self._told()[-40:]),
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

    def _in_flight(self) -> tuple[str, ...]:
        """What is raised and not decided: a question with two ways, or a plan of which nobody knows what became of it."""
        if self.closed_plan:
            return (f"The agent's plan, which {_CLOSED}: {self.closed_plan}",)
        return (shortened(self.question, 300),) if is_choice(self.question) else ()

    def _told(self) -> list[str]:
        """What the user has told it to do or to leave, and what they took back; of a long message what it forbids. The last one
        is shown whole as what is being worked on, with the answers that came since.
        """
        last = self.requests[-1][1] if self.requests else ""
        asked = self.requests[: len(self.requests) - len(self._answers())]
        return [*(f"(to {PARENT}) {order}" for order in _orders(self.inherited, "")), *_orders(asked, last)]

    def _code(self) -> str:
        """The last error as it was printed, below its command; what came before the last request may be settled by now. Below it
        what failed since, where only what was printed tells.
        """
        command = shortened(self.failing, 70)
        before = " (before the last request)" if self.asked_since and command else ""
        stands = self.error and not (self.asked_since and self.count - self.erred > _A_WHILE)  # long ago, it is of something else
        found = [f"$ {command}{before}\n{self.error}".removeprefix("$ \n")] if stands else []
        if self.hidden:
            since = f" ({self.hidden[2]})" if self.hidden[2:] else ""
            found.append(f"$ {shortened(self.hidden[0], 70)}{since}\n{self.hidden[1]}")
        return "\n".join(found)

    def _last_request(self) -> str:
        """What is being worked on: the last request that asks for something, and below it what the user has said since.

        A yes, an “ok”, a bare slash command and a label picked from a list are steps on the way, and no task.
        """
        answers = self._answers()
        asked = self.requests[: len(self.requests) - len(answers)]
        if not asked:
            return "\n".join(answers)
        at = self._find_task(asked)
        _, text, before, refused = asked[at]
        said = [str(text), *(f"{ANSWERED}{answer})" for answer in answers)]
        if at + 1 < len(asked):
            said.append(_tell_reply(asked[-1]))
        if self.thanks:
            said.append(f"(and then: “{shortened(self.thanks, 80)}”)")
        if self.picked:
            said.append(f"({self.picked})")
        if self.closed_plan:
            said.append(f"(there is a plan for it, which {_CLOSED})")
        elif self.stopped:
            said.append("(the user interrupted this, and has not said how to go on)")
        asked_before = question_in(before)
        # A refusal says how not to do it: of what, stands nowhere else.
        under_way = len(text) < (_ANSWERS if refused else _WORD) and self.during not in ("", text) and at + 1 == len(asked)
        if under_way:  # a word on the way changes how, seldom what
            said.append(f"(while at: “{gist(self.during, 200)}”)")
        # “yes” means nothing without the question that it answers.
        alone = not under_way or is_confirmation(text)
        short = len(text) < (_ANSWERS if asked_before else _WORD)
        if before and short and (asked_before or refused or alone) and text[0] != "/":
            answers_it = refused or (asked_before and judge_reply(text, asked_before) == ANSWER)
            said.append(f"({'in answer to' if answers_it else 'after'}: “{_what_came_before(before)}”)")
        return "\n".join(said)

    def _find_task(self, asked: list[list[Any]]) -> int:
        """Find the last request that asks for something; the last of all where none does."""
        for at in range(len(asked) - 1, -1, -1):
            _, text, before, refused = asked[at]
            picks = self.picked and at == len(asked) - 1 and len(text) <= _PICK
            picks = picks or (len(text) <= _PICK and picks_option(text, question_in(before)))
            if refused or not (picks or is_step(text)):
                return at
        return len(asked) - 1

    def _answers(self) -> list[str]:
        """The answers to questions put by a tool that came after the last request: they serve it, and take no other's place."""
        found: list[str] = []
        for _, text, _, how in reversed(self.requests):
            if how != ANSWER:
                break
            found.append(str(text))
        return found[::-1]

    def _greeting(self) -> list[str]:
        """What the user said where they have asked for nothing yet: all that there is to save of it."""
        return [f"User: {shortened(self.thanks, 400)}"] if self.thanks and not self.requests else []

    def _exchanges(self) -> list[str]:
        """The last requests and the agent's last message, in the order in which they were said.

        Where that message is short, so is the last longer one before it: “Done.” means nothing without what was done. Of the
        other messages, the beginnings of those that were said on the way, and of the last one to each request before.
        """
        shown = {len(self.answers) - 1} if self.answers else set()
        if shown and columns(self.answers[-1]) < SAYS_LITTLE:
            longer = [i for i, text in enumerate(self.answers[:-1]) if columns(text) >= SAYS_LITTLE]
            shown.update(longer[-1:])
        after = dict(zip(range(len(self.answers) - 1, -1, -1), reversed(self.after), strict=False))
        asked = [text for _, text, _, _ in self.requests[-3:]]
        begins = {text[:200] for text in asked}
        long = [i for i in after if i not in shown and columns(self.answers[i]) >= SAYS_LITTLE and after[i] in begins]
        way = [i for i in sorted(long) if after[i] == asked[-1][:200]][-_ON_THE_WAY:]
        last = {after[i]: i for i in sorted(long) if i not in way and after[i] != asked[-1][:200]}
        kept = {**dict.fromkeys((*way, *last.values()), _BEGINNING), **dict.fromkeys(shown, 1000)}
        answers = [(after.get(i, ""), f"Assistant: {shortened(self.answers[i], kept[i])}") for i in sorted(kept)]
        said = [answer for mark, answer in answers if mark not in begins]
        for text in asked:
            said += [f"User: {gist(text, 400)}", *(answer for mark, answer in answers if mark == text[:200])]
        return self._with_reports(said)

    def _talk(self) -> list[str]:
        """The last exchanges of a conversation, both sides, in the order in which things were said.

        Here the words are the work: each message is kept whole, or as the sentences of it that say most.
        """
        waits = bool(self.requests) and self.after[-1:] != [self.requests[-1][1][:200]]
        last = self.requests[-(_LAST_EXCHANGES + waits) :]
        begins = {text[:200] for _, text, _, _ in last}
        answers: dict[str, list[str]] = {}
        for begin, text in zip(reversed(self.after), reversed(self.answers), strict=False):
            answers.setdefault(begin if begin in begins else "", []).insert(0, text)
        said = [f"Assistant: {condense(text, _MESSAGE)}" for text in answers.get("", ())[-1:] if not last]
        for _, text, _, _ in last:
            said.append(f"User: {condense(own_words(text), _MESSAGE, favour_facts)}")
            said += [f"Assistant: {condense(answer, _MESSAGE)}" for answer in answers.get(text[:200], ())]
        return self._with_reports(said)

    def _with_reports(self, said: list[str]) -> list[str]:
        """The exchanges with what other agents came to. Where this one has spoken since, it has told most of it itself."""
        last = self.said[-1] if self.said else ""
        new = [f"{_who(to)}: {shortened(text, _REPORT)}" for time, to, text in self.reports if time > last or not last]
        told = [f"{_who(to)}: {shortened(text, _TOLD_REPORT)}" for _, to, text in self.reports[-1:]]
        return [*said, *(new or told)]

    def _files(self) -> list[tuple[str, str]]:
        """Files changed, then files read or found by a search, the latest first; each with the names that belong to it."""
        rank = {name: place for place, (name, _) in enumerate(self._ranked(self.names))}
        known = self._joined()
        here = self._names_by_file(rank, known)
        found = []
        for path, (edits, _, _, names) in sorted(self.files.items(), key=lambda item: (-item[1][1], -item[1][2])):
            before = f"moved from {_from_there(self.moved[path], path)}" if path in self.moved else ""
            if edits or before:
                touched = sorted(names, key=lambda name: (rank.get(name, len(rank)), name))[:KEEP_LIST]
                near = [name for name in here.pop(path, ()) if name not in names][:30]
                said = (f"touches {', '.join(touched)}" if touched else "", f"has {', '.join(near)}" if near else "")
                found.append((path, "; ".join(filter(None, (self._times(path, edits), before, *said)))))
        changed = {path for path, _ in found}
        gone = [path for path in reversed(self.gone) if path not in changed]
        found += [(path, "deleted") for path in gone[:_DELETED]]
        unchanged = [path for path in self.files if path not in changed and path not in gone]
        read = [path for path in unchanged if self.files[path][2] and known[path] == path]
        read.sort(key=lambda path: -self.files[path][2])
        found += [(path, f"read; has {', '.join(here[path][:15])}" if here.get(path) else "read") for path in read[:25]]
        sought = [path for path in here if path not in self.files and path not in gone]
        return [*found[:80], *((path, f"found by a search; has {', '.join(here[path][:15])}") for path in sought[:15])]

    def _times(self, path: str, edits: int) -> str:
        """How often a file was changed, and by whom where it was not this agent."""
        if not edits:
            return ""
        who, theirs = self.others.get(path, ["", 0])
        whose = who if who == FORKED else f"by {who}"
        by = "" if not theirs else f" {whose}" if theirs >= edits else f", {theirs} of them {whose}"
        return f"edited {edits} time{'s' if edits > 1 else ''}{by}"

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
            found.append((f"{PRINTED_BY}{place.strip('`')}" if place.startswith("`") else "Name", name))
        return found

    def _timeline(self) -> list[str]:
        """What was asked and committed, each with its time. A fork copies what came before it with the time of the fork, which
        is none of theirs.
        """
        said = [(time, f"{FORKED}: {gist(text, 400)}") for time, text, _, _ in self.inherited if columns(text) >= _ORDER]
        said += [(self.forked, f"planned {FORKED}: {text}") for text in self.left_to_do]
        shorten = partial(condense, favour=favour_facts) if self.is_talk else gist
        own = [(time, shorten(text, 400)) for time, text, _, _ in self.requests if columns(text) >= _ORDER]
        said += [(time, f"{local(time)} User: {text}".strip()) for time, text in own]
        did = [(time, f"{local(time)} {what}".strip()) for what, time in self.done.items() if what.startswith("commit ")]
        return [line for _, line in sorted(said[-40:] + did[-10:], key=lambda pair: pair[0])]

    def _phase(self) -> str:
        last = self.recent[-8:]
        if not last or (self.is_talk and not self.files):
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
                return f"{sign}: “{shortened(text, 160)}”"
        return "matter-of-fact" if self.requests else ""


def _sets_a_goal(text: str) -> bool:
    """Return whether a message says what the user is after. “What were we doing?” asks for it."""
    return asks_something(text) and not (_is_one_line_question(text) and asks_for_the_past(text))


def _is_one_line_question(text: str) -> bool:
    """Return whether a message is a question on one line that tells nothing about who asks."""
    bare = text.strip()
    if "\n" in bare or columns(bare) > _QUESTION:
        return False
    return begins_as_question(bare) and len(sentences_in(bare)) == 1 and not is_correction(bare)


def _tell_reply(request: list[Any]) -> str:
    """Tell a short reply with what it replied to: it means nothing without."""
    _, text, before, _ = request
    if not before:
        return f"(then: “{shortened(text, 80)}”)"
    asked = question_in(before)
    how = "in answer to" if asked and judge_reply(text, asked) == ANSWER else "after"
    return f"(then: “{shortened(text, 80)}”, {how}: “{_what_came_before(before)}”)"


def _what_came_before(said: str) -> str:
    asked = question_in(said)
    return both_ends(_asking(asked) or _closing(said), 140)


def _orders(requests: Iterable[list[Any]], last: str) -> list[str]:
    told: list[str] = []
    for _, text, _, refused in requests:
        own = own_words(text)
        if text.startswith(PLAN_APPROVED):
            continue  # the agent's words
        if takes_back(own) or (_says_enough(own) and (refused or is_correction(own))):
            told.append(own)
        elif text != last and not text.startswith(PLAN_BEGUN):
            told += orders_in(own)
    return told


def _who(handed: str) -> str:
    """Who has come back, and with what it was sent."""
    kind, _, what = handed.partition(": ")
    return f"Workflow ({what})" if kind == WORKFLOW else f"Subagent ({handed})"


def _says_enough(own: str) -> bool:
    """Whether a message sets a course of its own: “no, why?” does not, “don't push” does, and so does “别提交”."""
    return columns(own) >= _ORDER or (columns(own) > len(own) and len(own) >= _FEW and not is_no_alone(own))


def _same(path: str, others: Iterable[str]) -> str:
    """The first of the paths that ends as this one does, or this one."""
    end = "/" + path.lstrip("./")
    return next((other for other in others if other == path or other.endswith(end)), path)


def _from_there(old: str, new: str) -> str:
    """The path that a file had, without the folders that it still is in but the last of them."""
    there, here = old.split("/"), new.split("/")
    shared = next((i for i, (a, b) in enumerate(zip(there, here, strict=False)) if a != b), 0)
    return "/".join(there[shared - 1 :]) if shared > 2 else old


def _asking(question: str) -> str:
    """The paragraph of a question that asks, without what it is about: that stands among what was said."""
    parts = question.split("\n\n")
    return next((part for part in reversed(parts) if any(mark in part for mark in "?？؟")), question)


def _closing(said: str) -> str:
    """The last paragraph of a message; where that is code in a fence, what stands above it and says what it is comes with it."""
    said = said.rstrip()
    begins = said.rfind(_FENCE, 0, -len(_FENCE)) if said.endswith(_FENCE) else -1
    if begins < 0:
        return said.split("\n\n")[-1]
    code = said[begins : -len(_FENCE)].partition("\n")[2]
    above = said[:begins].rstrip().split("\n\n")[-1]
    return f"{above}\n{code}"
