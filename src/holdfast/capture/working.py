"""What was run, and what came of it: done, passed, failed, mended. Each is told only where it is known.

Exit statuses tell, where nothing hides them; behind a pipe or in the user's own shell what was printed does; of what is left in
the background nothing does. Commits are known by what git prints of them.
"""

from __future__ import annotations

import re

from ..model import beginning
from ..transcripts.shell import acts, amends, commit_subject, goes_on, published_by, steps_of
from .changes import Changes
from .outcomes import (
    beside,
    broke,
    commits_in,
    concludes,
    error_in,
    fails_in,
    hides_status,
    mends,
    passed_in,
    switched_to,
    went_wrong,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    from ..transcripts import Event

    class News(Protocol):
        """Takes out of a text of some time what was in a brief of ours (echo.py)."""

        def __call__(self, text: str, time: str, how: str = "said") -> str:
            """What is new in it."""


KEEP_LIST = 60
OTHERS_PASSED = "other runs have passed since"
_TEXT = r"(?s)\s*[\"']?\$?\(?\s*(?:cat\s*)?<<.*\Z"  # what a command is fed is not what was done either
_BOTH_STREAMS = " 2>&1"
_TOLD = 80  # characters of a command that gave the work away; of a longer one, the step that did
_WENT_THERE = r"\A\s*cd \S+ && "  # where a command was run is not what was done


def all_of_it(text: str, time: str, how: str = "said") -> str:  # noqa: ARG001
    """What nobody has been given is news."""
    return text


class Work(Changes):
    """The work of a session as far as it was read. `wash` takes out of texts what must not be kept, `news` what came from us."""

    def __init__(self, wash: Callable[[list[str]], list[str]] = list, news: News = all_of_it) -> None:
        super().__init__()
        self._wash, self._news = wash, news
        self.commands: dict[str, list[int]] = {}  # command → [times, event of the last]
        self.done: dict[str, str] = {}  # what → its time
        self.error = ""
        self.failing = ""  # the command that gave the error
        self.hidden: list[str] = []  # [command, error] of what failed after it behind a pipe, or in the user's own shell; and
        # that something else has passed since, which may have had that in it
        self.erred = 0  # the event of that error
        self.asked_since = False  # whether the user has spoken since that error
        self.calls: dict[str, list[str]] = {}  # call → [command, file read, files edited] of what has not come back
        self.branch = ""
        self.told_branch = ""  # as the host told it last; some hosts tell it once, and the agent switches
        self.recent: list[str] = []  # the kinds of the last events, for the phase

    def _note(self, what: str) -> None:
        self.recent = [*self.recent, what][-20:]

    def _remember_error(self, command: str, text: str, *, hidden: bool = False) -> None:
        """Remember the last error. Without a word it is none: a search that finds nothing ends so too.

        Where the status is hidden, only what was printed says that it failed: it is told beside the last error, not in its place.
        """
        error = self._wash([error_in(text)])[0][:400]
        if not error or (hidden and command == self.failing):
            return
        if hidden:
            self.hidden = [command, beside(error)]
        else:
            self.error, self.failing, self.asked_since, self.hidden = error, command, False, []
            self.erred = self.count
        self._fails(steps_of(command))
        self._note("failure")

    def _succeeded(self, command: str, event: Event) -> None:
        """A command that came back without an error. Where its status is hidden, or is not kept, what it printed tells."""
        if goes_on(command):
            return  # in the background: what came back says nothing of how it went
        subject, steps, own_shell = commit_subject(command), steps_of(command), event.tool == "!"
        unsure, published = own_shell or hides_status(command), published_by(command)
        committed = self._committed(command, event)
        if own_shell and fails_in(event.text):
            self._fails(steps)
            if subject or published or broke(event.text):
                self._remember_error(command, event.text, hidden=True)
            return
        if unsure and (subject or published) and went_wrong(event.text):
            self._remember_error(command, event.text, hidden=True)
            return
        if self._mended(self.failing, command, event, unsure=unsure):
            self.error, self.failing = f"{self.error} (passed since)" if self.error else "", ""
        if self.hidden and self._mended(self.hidden[0], command, event, unsure=unsure):
            self.hidden = []
        if subject and not committed:
            self._did_commit(subject, command, event.time)
        if published:
            whole = re.sub(_TEXT, "", re.sub(_WENT_THERE, "", command)).removesuffix(_BOTH_STREAMS)
            self._did(f"`{shortened(whole if len(whole) <= _TOLD and not subject else published, 120)}`", event.time)
        if not subject and not published:
            self._tested(command, steps, event, unsure=unsure)

    def _mended(self, failing: str, command: str, event: Event, *, unsure: bool) -> bool:
        """Whether a command that came back without an error has put right what failed before."""
        if command == failing:
            return not (unsure and (fails_in(event.text) or went_wrong(event.text)))
        subject, published = commit_subject(command), _given_away(failing) if failing else ""
        if published and published == _given_away(command):
            return not (unsure and went_wrong(event.text))
        again = bool(subject) and subject == commit_subject(failing)
        return again or mends(command, failing, event.text) or concludes(command, failing, event.text)

    def _tested(self, command: str, steps: list[str], event: Event, *, unsure: bool) -> None:
        """What a command printed of tests or a build: that it passed, or that it did not where its status is hidden."""
        found = passed_in(event.text)
        if unsure and steps and (broke(event.text) or ((found or self._passes(steps)) and fails_in(event.text))):
            self._remember_error(command, event.text, hidden=True)
            self._fails(steps)
            return
        passed = self._news(self._wash([found])[0], event.time) if found and steps else ""
        if passed:
            self._note("pass")
            self.hidden = [*self.hidden[:2], OTHERS_PASSED] if self.hidden else []
            self._did(f"`{steps[-1]}`: {shortened(passed, 120)}", event.time)

    def _committed(self, command: str, event: Event) -> bool:
        """Commits by what git printed of them, whatever came of the rest of the command; and the branch that it is on since."""
        if "git" not in command:
            return False
        made = commits_in(event.text) if acts(command) else []
        for _, subject in made:
            self._did_commit(subject, command, event.time)
        switches = "checkout" in command or "switch" in command
        branch = (made[-1][0] if made else "") or (switched_to(event.text) if switches else "")
        self.branch = self._wash([branch])[0] if branch else self.branch
        return bool(made)

    def _did_commit(self, subject: str, command: str, time: str) -> None:
        """What a commit amends is no commit of its own any more."""
        last = next((what for what in reversed(self.done) if what.startswith("commit “")), "")
        if last and amends(command):
            del self.done[last]
        self._note_commit(command)
        self._did(f"commit “{self._wash([subject])[0]}”", time)

    def _passes(self, steps: list[str]) -> list[str]:
        """What is known of these steps to have passed."""
        return [what for what in self.done if what.startswith(tuple(f"`{step}`: " for step in steps))]

    def _fails(self, steps: list[str]) -> None:
        """What passed before does so no longer."""
        for what in self._passes(steps):
            del self.done[what]

    def _never_run(self, command: str) -> None:
        for step in steps_of(command):
            times, last = self.commands.pop(step, [0, 0])
            if times > 1:
                self.commands[step] = [times - 1, last]

    def _did(self, what: str, time: str) -> None:
        key = what.split("`: ", maxsplit=1)[0]
        self.done = {k: v for k, v in self.done.items() if k.split("`: ")[0] != key}
        self.done[what] = time
        while len(self.done) > KEEP_LIST:
            del self.done[next(iter(self.done))]


def _given_away(command: str) -> str:
    """The step of a command that gives the work away, without where its output goes."""
    return " ".join(word for word in published_by(command).split() if ">" not in word)


def shortened(text: str, limit: int) -> str:
    """A text on one line, no longer than that."""
    folded = " ".join(text.split())
    return folded if len(folded) <= limit else beginning(folded, limit - 1).rstrip() + "…"
