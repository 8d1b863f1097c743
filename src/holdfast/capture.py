"""Events → draft checkpoint: what a session was doing, told by its own transcript, without a model.

`Capture` is fed events in order and can be asked for a draft at any moment. It goes by structure (who said it, what was edited,
what came back) and by the form of words; nothing in it knows the tools, the language or the project of a session. All that it has
learnt is plain data, so that it can be kept between two hooks and gone on with: a long session is read once.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from .transcripts import Event

# ---- names and files ---------------------------------------------------------------------------------------------------

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{5,60}")
_NAME = re.compile(r"[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]")
_PATH = re.compile(r"(?<![\w/.@-])(?:~?/)?(?:[\w.@-]+/)*[\w@-][\w.@-]*\.[A-Za-z]\w{0,7}\b(?!\()")
# Without a folder before it, `c.Hash` is code and `main.c` a file: the ending must be one that files have.
_ENDINGS = re.compile(
    r"\.(?:[chmr]|cc|cpp|cs|css|csv|cfg|conf|db|diff|env|ex|exs|go|gradle|h|hpp|hs|html?|ini|ipynb|java|jsx?|json[lc5]?|kts?|lock|log|lua|"
    r"md|mdx|mjs|ml|nix|php|pl|png|proto|ps1|py|pyi|rb|rs|rst|sass|scala|scss|sh|sql|sqlite|svelte|svg|swift|tex|tf|toml|ts|tsx|txt|vue|"
    r"xml|ya?ml|zig)$"
)
_READ_AT_MOST = 4000  # characters of one output: its beginning and its end tell the names that matter


_ID = re.compile(r"(?:\d.*){4}|\d.*[A-Z].*\d.*[a-z]|_[A-Za-z0-9]{20,}")


def names_in(text: str) -> set[str]:
    """Identifiers: words of several parts, as programs have them. Ids of single runs are no names: nobody types them again."""
    return {word for word in _WORD.findall(text) if _NAME.search(word) and not _ID.search(word)}


def files_in(text: str) -> set[str]:
    """Names of files: with an ending, with or without folders before them."""
    found = {path for path in _PATH.findall(text) if "/" in path or _ENDINGS.search(path)}
    return {path.rsplit("/", 1)[-1] for path in found}


def _ends(text: str, most: int = _READ_AT_MOST) -> str:
    return text if len(text) <= most else text[: most * 3 // 4] + "\n" + text[-most // 4 :]


# ---- a person's words --------------------------------------------------------------------------------------------------

_CORRECTION = re.compile(
    r"\b(?:don'?t|do not|never|always|instead|actually|must(?:n'?t)?|should(?:n'?t)?|rather|wrong|not what|stop|only use|prefer|"
    r"no need|avoid|revert|undo|nicht|niemals|nie|immer|stattdessen|sondern|nunca|siempre|jamais|toujours|plutôt|ne pas|sempre)\b"
    r"|不要|别|不用|必须|应该|不是|改成|总是|而不是|しないで|必ず|ではなく|하지 ?마|반드시|нельзя|всегда|никогда",
    re.I,
)
_YES = re.compile(
    r"(?:yes|yep|yeah|ok(?:ay)?|sure|go ahead|do it|sounds good|approved?|lgtm|ja|oui|sí|да|好|可以|是的|はい|네)\b[\s.!,]*",
    re.I,
)
_PRESSED = re.compile(r"!!|\b(?:again|still|wrong|why (?:did|do|is|are) you|already told|frustrat\w*|annoy\w*)\b|又|还是不", re.I)
_PLEASED = re.compile(r"\b(?:thanks?|thank you|great|perfect|nice|awesome|danke|merci|gracias)\b|谢谢|太好了|ありがとう", re.I)


def is_correction(text: str) -> bool:
    """A person setting the course: short, in their own words, with a word that forbids, demands or replaces."""
    return len(text) < 600 and bool(_CORRECTION.search(text))


def question_in(text: str) -> str:
    """The question or proposal that a message ends with, word for word; empty where it ends otherwise."""
    paragraphs = [part.strip() for part in re.split(r"\n\s*\n", text.strip()) if part.strip()]
    for number, paragraph in enumerate(reversed(paragraphs[-2:])):
        if re.search(r"[?？؟][\s)\"'”’*_`]*$", paragraph):
            return "\n\n".join(paragraphs[len(paragraphs) - 1 - number :])[:2000]
    return ""


# ---- commands and what came of them ------------------------------------------------------------------------------------

_HEREDOC = re.compile(r"<<-?\s*['\"]?(\w+)['\"]?.*?^\s*\1\b", re.S | re.M)
_QUOTED = re.compile(r"(['\"])(.*?)\1", re.S)
_HIDDEN = {ord("\n"): " ", ord("|"): "\x01", ord(";"): "\x02", ord("&"): "\x03"}  # inside quotes they separate nothing
_SHOWN = {1: "|", 2: ";", 3: "&"}
# Commands that look, move or glue; what they were given is seldom typed again.
_LOOKING = frozenset(
    [
        "cd",
        "echo",
        "cat",
        "ls",
        "head",
        "tail",
        "grep",
        "sed",
        "git",
        "rg",
        "wc",
        "find",
        "done",
        "do",
        "then",
        "fi",
        "if",
        "for",
        "nl",
        "export",
        "awk",
        "sort",
        "pwd",
        "mkdir",
        "test",
        "sleep",
        "true",
        "which",
        "xargs",
        "while",
        "printf",
        "cut",
        "tr",
        "uniq",
    ]
)
_COMMIT = re.compile(r"\bgit\b[^\n;&|]*\bcommit\b")
_SUBJECTS = (
    re.compile(r"<<-?\s*['\"]?\w+['\"]?\s*\n\s*(\S[^\n]*)"),
    re.compile(r"(?:-m|--message)[ =]?(['\"])(?!\$\()(.+?)(?:\n|\1)", re.S),
)
_PUBLISHED = re.compile(r"\bgit\s+(?:push|merge|tag|rebase)\b(?!-)|\b(?:pr|mr|release)\s+create\b|\b(?:publish|deploy)\b")
_PASSED = re.compile(
    r"^.*(?:\b\d+ (?:tests? )?passed\b|\btest result: ok\b|\ball tests pass\w*\b|\b0 fail(?:ed|ures)\b|^ok\s+\S|^PASS\b|"
    r"\bbuild succe\w+).*$",
    re.I | re.M,
)
_ERROR = re.compile(r"error|fail|panic|exception|undefined|cannot|not found|denied|refused|expected|fatal|invalid|trace", re.I)
_BANNER = re.compile(r"Exit code|\[\w+\] \$|Chunk ID|Wall time|Process exited|Original token|Output:|Total output")
# What a host's own tools refuse is no error of the work.
_HOST_GUARD = re.compile(
    r"has not been read yet|String to replace not found|has been modified since|InputValidationError|File does not exist|"
    r"exceeds maximum|Found \d+ matches|user doesn't want|was rejected|tool_use_error"
)


def steps_of(command: str) -> list[str]:
    """The single commands in a shell line that do something, without what is only fed to them."""
    plain = _HEREDOC.sub("", command.replace("\\\n", " "))
    plain = _QUOTED.sub(lambda found: found[0].translate(_HIDDEN), plain)
    found = []
    for part in re.split(r"&&|\|\||;|\n|\|", plain):
        words = part.translate(_SHOWN).split()
        if len(words) >= 2 and re.fullmatch(r"[\w./~-]+", words[0]) and words[0] not in _LOOKING:
            found.append(" ".join(words)[:160])
    return found


def commit_subject(command: str) -> str:
    """The subject of the commit that a command makes; empty where it makes none."""
    if not _COMMIT.search(command):
        return ""
    for pattern in _SUBJECTS:
        found = pattern.search(command)
        if found:
            return " ".join(str(found[found.lastindex or 0]).split())
    return ""


def error_in(text: str) -> str:
    """The first line of an output that looks like the error, not the banner above it."""
    lines = [line.strip() for line in text.split("\n") if len(line.strip()) > 12 and not _BANNER.match(line.strip())]
    return next((line for line in lines if _ERROR.search(line)), lines[0] if lines else "")[:400]


# ---- decisions ---------------------------------------------------------------------------------------------------------

_CHOICE = re.compile(
    r"\b(?:I(?:'ll| will| am going to|'m going to) (?:use|go with|keep|switch|take|make)|decided (?:to|on|that)|going with|"
    r"we(?:'ll| will) (?:use|go with|keep)|chose|choosing|the (?:right|best|simplest) (?:fix|approach|way) is|instead of|cause)\b"
    r"|决定|采用|选择了|方針|採用",
    re.I,
)
_SENTENCE = re.compile(r"[^.!?。！？\n]+(?:[.!?。！？](?=\s|$)|\n|$)")


def choices_in(text: str) -> list[str]:
    """Sentences in which the agent says what it has chosen, or what it found to be the cause."""
    found = [" ".join(sentence.split()) for sentence in _SENTENCE.findall(text) if _CHOICE.search(sentence)]
    return [sentence.lstrip("-*#> 0123456789.") for sentence in found if 20 <= len(sentence) <= 300][:3]


# ---- capture -----------------------------------------------------------------------------------------------------------

_WEIGHT = {"user": 4.0, "edit": 3.0, "agent": 2.0, "call": 1.5, "result": 0.8}
_HALF_LIFE = 60.0  # events after which a mention counts half: what was in use last is what is needed next
_KEEP_NAMES, _KEEP_REQUESTS, _KEEP_LIST = 1500, 300, 60
# A transcript may be of any size, what is known of it at once may not: 44 MB of ever new names once took half a gigabyte.
_LONGEST = 100_000  # characters of one event; of a longer one, its beginning and its end
_TOO_MANY = 10_000  # names, files or commands; then those used least or longest ago are forgotten


class Capture:
    """What has been learnt of a session so far."""

    def __init__(self) -> None:
        self.count = 0
        self.worked = False  # edited a file or ran a command
        self.requests: list[list[Any]] = []  # [time, text, what the agent had said before, whether it refused a tool]
        self.answers: list[str] = []  # the agent's last messages of some length
        self.spoken = ""  # its very last words
        self.question = ""  # with which it stopped, and which nobody has answered
        self.files: dict[str, list[Any]] = {}  # path → [edits, event of the last edit, event of the last read, {name: event}]
        self.names: dict[str, list[float]] = {}  # name → [weight at its last mention, event of that mention]
        self.mentions: dict[str, list[float]] = {}  # file name → the same
        self.seen: dict[str, str] = {}  # name → the file in which it was read last
        self.commands: dict[str, list[int]] = {}  # command → [times, event of the last]
        self.done: dict[str, str] = {}  # what → its time
        self.decisions: list[str] = []
        self.boundaries: list[str] = []
        self.error = ""
        self.failing = ""  # the command that gave the error
        self.todos: list[list[str]] = []
        self.tasks: dict[str, list[str]] = {}
        self.branch = ""
        self.recent: list[str] = []  # the kinds of the last events, for the phase
        self.calls: dict[str, list[str]] = {}  # call → [command, file read] of what has not come back yet

    def as_data(self) -> dict[str, Any]:
        """Everything, as JSON takes it."""
        self._forget()
        return dict(self.__dict__)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Capture:
        """What was kept; a field that is missing or new begins empty."""
        capture = cls()
        capture.__dict__.update((k, v) for k, v in data.items() if k in capture.__dict__ and type(v) is type(capture.__dict__[k]))
        return capture

    def feed(self, events: Iterable[Event]) -> None:
        """Take in what happened next."""
        takers = {"user": self._user, "agent": self._agent, "call": self._call, "result": self._result}
        for event in events:
            self.count += 1
            event.text = _ends(event.text, _LONGEST)
            growing = (self.names, self.mentions, self.seen, self.files, self.commands, self.calls)
            if any(len(known) > _TOO_MANY for known in growing):
                self._forget()
            self.branch = event.branch or self.branch
            taker = takers.get(event.kind)
            if taker:
                taker(event)
            elif event.kind in ("compaction", "reset"):
                self.boundaries = [*self.boundaries, f"{_clock(event.time)}: {event.kind}".lstrip(": ")][-_KEEP_LIST:]

    def _forget(self) -> None:
        """Keep the names that weigh most, and the files, commands and open calls that were used last."""
        self.names = dict(self._ranked(self.names)[:_KEEP_NAMES])
        self.seen = {name: path for name, path in self.seen.items() if name in self.names}
        self.mentions = dict(self._ranked(self.mentions)[:_KEEP_NAMES])
        if len(self.files) > _KEEP_NAMES:
            used = sorted(self.files.items(), key=lambda item: (bool(item[1][0]), max(item[1][1:3])))
            self.files = dict(used[-_KEEP_NAMES:])
        for file in self.files.values():
            if len(file[3]) > _KEEP_NAMES:
                file[3] = dict(sorted(file[3].items(), key=lambda item: item[1])[-_KEEP_NAMES:])
        self.commands = dict(list(self.commands.items())[-_KEEP_NAMES:])
        self.calls = dict(list(self.calls.items())[-_KEEP_NAMES:])

    def _mention(self, text: str, source: str) -> None:
        weight = _WEIGHT[source]
        self._count(self.names, names_in(text), weight)
        if source != "edit":
            self._count(self.mentions, files_in(text), weight)

    def _count(self, known: dict[str, list[float]], found: Iterable[str], weight: float) -> None:
        now = self.count
        for name in found:
            entry = known.get(name)
            if entry is None:
                known[name] = [weight, now]
            else:
                entry[0] = entry[0] * 0.5 ** ((now - entry[1]) / _HALF_LIFE) + weight
                entry[1] = now

    def _ranked(self, known: dict[str, list[float]]) -> list[tuple[str, list[float]]]:
        now = self.count
        return sorted(known.items(), key=lambda item: -item[1][0] * 0.5 ** ((now - item[1][1]) / _HALF_LIFE))

    def _user(self, event: Event) -> None:
        text = event.text.strip()
        if self.question and len(text) < 80 and _YES.match(text):
            self.decisions = [*self.decisions, f"User agreed (“{text}”) to: {_line(self.question, 300)}"][-_KEEP_LIST:]
        self.question = ""
        # A request that is made again stands where it was made last.
        self.requests = [request for request in self.requests if request[1] != text]
        self.requests = [*self.requests, [event.time, text[:4000], self.spoken[-800:], event.refusal]][-_KEEP_REQUESTS:]
        self._mention(_ends(text), "user")

    def _agent(self, event: Event) -> None:
        self.spoken, self.question = event.text, question_in(event.text)
        if len(event.text) >= 40:
            self.answers = [*self.answers, event.text[:4000]][-5:]
        for choice in choices_in(event.text):
            if choice not in self.decisions:
                self.decisions = [*self.decisions, choice][-_KEEP_LIST:]
        self._mention(event.text, "agent")

    def _call(self, event: Event) -> None:
        self.question = ""  # it did not wait for an answer
        if event.call:
            self.calls[event.call] = [event.command, event.reads[0] if event.reads else ""]
        self.worked = self.worked or bool(event.edits or event.command)
        self._note("edit" if event.edits else "command" if event.command else "read")
        for path, before, after in event.edits:
            self._edited(path, before, after)
        for path in event.reads:
            self._file(path)[2] = self.count
        for step in steps_of(event.command):
            times = self.commands.pop(step, [0, 0])[0]
            self.commands[step] = [times + 1, self.count]
        if event.todos is not None:
            self.todos = [list(item) for item in event.todos]
        if event.task:
            self._task(*event.task)
        if not event.edits:
            self._mention(_ends(event.text), "call")

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

    def _edited(self, path: str, before: str, after: str) -> None:
        file = self._file(path)
        file[0] += 1
        file[1] = self.count
        old, new = names_in(_ends(before, _LONGEST)), names_in(_ends(after, _LONGEST))
        for name in old ^ new:
            file[3][name] = self.count
        self._count(self.names, old | new, _WEIGHT["edit"])

    def _result(self, event: Event) -> None:
        command, path = self.calls.pop(event.call, ["", ""])
        self._mention(_ends(event.text), "result")
        if path and not event.failed:
            self.seen.update(dict.fromkeys(names_in(_ends(event.text)), path))
        if event.failed:
            if not _HOST_GUARD.search(event.text[:2000]):
                self.error, self.failing = error_in(event.text) or self.error, command
                self._note("failure")
            return
        if command:
            self._succeeded(command, event)

    def _succeeded(self, command: str, event: Event) -> None:
        if command == self.failing:
            self.error, self.failing = f"{self.error} (passed since)" if self.error else "", ""
        subject = commit_subject(command)
        if subject:
            self._did(f"commit “{subject}”", event.time)
        elif _PUBLISHED.search(_HEREDOC.sub("", command)):
            self._did(f"`{_line(command, 120)}`", event.time)
        else:
            passed = _PASSED.search(event.text[-4000:])
            steps = steps_of(command)
            if passed and steps:
                self._note("pass")
                self._did(f"`{steps[-1]}`: {_line(passed[0], 120)}", event.time)

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
        corrected = any(refused or is_correction(text) for _, text, _, refused in self.requests)
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
        texts = [text for _, text, _, _ in self.requests]
        corrections = [text for _, text, _, refused in self.requests if len(text) >= 12 and (refused or is_correction(text))]
        tasks = self.open_tasks()
        found: dict[str, Any] = {
            "goal": _line(texts[0], 400) if texts else "",
            "task": self._last_request(),
            "branch": self.branch,
            "phase": self._phase(),
            "progress": f"{sum(done for _, done in tasks)} of {len(tasks)} to-do items done" if tasks else "",
            "exchanges": tuple(self._exchanges()),
            "unanswered": (self.question,) if self.question else (),
            "in_flight": (_line(self.question, 300),) if re.search(r"\b(?:or|oder|ou|o)\b|还是", self.question) else (),
            "corrections": tuple(corrections[-40:]),
            "decisions": tuple(self.decisions[-25:]),
            "files": tuple(self._files()),
            "done": tuple(list(self.done)[-25:]),
            "code": f"$ {_line(self.failing, 300)}\n{self.error}".removeprefix("$ \n") if self.error else "",
            "names": tuple(self._names()),
            "pending": tuple(tasks),
            "timeline": tuple(self._timeline()),
            "tone": self._tone(),
        }
        return {name: value for name, value in found.items() if value}

    def _last_request(self) -> str:
        if not self.requests:
            return ""
        _, text, before, _ = self.requests[-1]
        if len(text) < 60 and before:  # “yes” means nothing without the question that it answers
            return f"{text}\n(in answer to: “{_line(question_in(before) or before, 400)}”)"
        return str(text)

    def _exchanges(self) -> list[str]:
        said = [f"User: {_line(text, 400)}" for _, text, _, _ in self.requests[-3:-1]]
        if self.requests:
            said.append(f"User: {_line(self.requests[-1][1], 400)}")
        return [*said, f"Assistant: {_line(self.answers[-1], 1000)}"] if self.answers else said

    def _files(self) -> list[tuple[str, str]]:
        rank = {name: place for place, (name, _) in enumerate(self._ranked(self.names))}
        found = []
        for path, (edits, _, _, names) in sorted(self.files.items(), key=lambda item: (-item[1][1], -item[1][2])):
            if edits:
                touched = sorted(names, key=lambda name: rank.get(name, len(rank)))[:25]
                what = f"edited {edits} time{'s' if edits > 1 else ''}"
                found.append((path, f"{what}; touches {', '.join(touched)}" if touched else what))
        here: dict[str, list[str]] = {}
        for name in rank:
            here.setdefault(self.seen.get(name, ""), []).append(name)
        read = sorted((path for path, file in self.files.items() if not file[0]), key=lambda path: -self.files[path][2])
        found += [(path, f"read; has {', '.join(here[path][:15])}" if here.get(path) else "read") for path in read[:25]]
        return found[:80]

    def _names(self) -> list[tuple[str, str]]:
        """Commands, files and names in use, each kind by use and recency."""
        commands = sorted(self.commands, key=lambda command: -self.commands[command][1])[:20]
        found = [("Command", command) for command in commands]
        found += [("File", name) for name, _ in self._ranked(self.mentions)[:80]]
        return found + [("Name", name) for name, _ in self._ranked(self.names)[:250]]

    def _timeline(self) -> list[str]:
        asked = [(time, text) for time, text, _, _ in self.requests if len(text) >= 12]
        said = [(time, f"{_clock(time)} User: {_line(text, 300)}".strip()) for time, text in asked]
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
        for _, text, _, _ in reversed(self.requests[-3:]):
            if len(text) < 400:
                if _PRESSED.search(text):
                    return f"pressing: “{_line(text, 160)}”"
                if _PLEASED.search(text):
                    return f"pleased: “{_line(text, 160)}”"
        return "matter-of-fact" if self.requests else ""


def _line(text: str, limit: int) -> str:
    folded = " ".join(text.split())
    return folded if len(folded) <= limit else folded[: limit - 1].rstrip() + "…"


def _clock(time: str) -> str:
    """2026-11-15T14:05:09.123Z → 2026-11-15 14:05."""
    return time[:16].replace("T", " ")
