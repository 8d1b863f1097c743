"""What came of a command, by what it printed: whether it went well, what is wrong where it did not, and what has mended that.

Rule: as in shell.py, an expression is compiled when it is first needed, and a plain `in` is asked before it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise, takewhile

from ..transcripts.shell import bare, steps_of
from .naming import OTHERS

_made = lru_cache(maxsize=None)(re.compile)

_PASSED = (
    r"(?im)\d (?:tests? )?passed\b|\btest result: ok\b|\ball tests pass|\b0 fail(?:ed|ures)\b|^ok\s+\S|^PASS\b|\bbuild succe"
    r"|\bbuilt in \d|\bcompiled succe"
)
_PASSING = (  # the same, in small letters
    "passed", "tests pass", "\npass", "\nok", "0 fail", "result: ok", "build succ", "built in ", "compiled succ",
)  # fmt: skip
_ERROR = (
    r"(?i)error|fail|panic|exception|undefined|cannot|can't|could not|unable|not found|no such|denied|refused|expected|fatal"
    r"|invalid|\btrace"
)
_BANNER = (
    r"Exit code|\[\w+\] \$|Chunk ID|Wall time|Process exited|Original token|Output:|Total output|Command exited with code|"
    r"Command aborted|\(no output\)"
)
_STATUS = r"Exit code (\d+)\n"
_FAILS = r"(?im)(?<!port )\b[1-9]\d* (?:tests? )?(?:failed|failures|errors?)\b|^FAIL|^error\b"  # not: “port 8111 failed: refused”
_BROKE = r"(?im)(?<!port )\b[1-9]\d* (?:tests? )?(?:failed|failures)\b|^(?:--- )?FAIL(?:ED)?\b"
_COMMITTED = r"(?m)^\[(detached HEAD|[^\s\]]{1,200})(?: \(root-commit\))? [0-9a-f]{4,40}\] (\S.{0,400})$"
_SWITCHED = r"(?m)^Switched to (?:a new )?branch '([^'\n]{1,200})'"
_WENT_WRONG = (  # at the beginning of a line, behind a word or two: a title such as “[main 3fa9] Fix the error” is none
    r"(?im)^[^\w\n]{0,8}(?:\w{1,40}[ :!-]{1,4}){0,2}?(?:err!|(?:error|fatal|failed|rejected|aborted)\b)|!\s{0,4}\[\w* ?rejected"
    r"|\bexit(?:ed)? (?:with )?(?:code |status )?[1-9]|\bnothing (?:added )?to commit\b|\bno changes added to commit\b"
)
_PACKED = 1000  # characters of a line that nobody has written by hand
_READ = 20_000  # characters of an output, from either end
_COLOURS = r"\x1b(?:\[[0-?]{0,40}[ -/]{0,4}[@-~]|\][^\x07\x1b\n]{0,400}(?:\x07|\x1b\\)|[@-Z\\-_])"  # or else told to a terminal
_OVERWRITTEN = r"(?m)^[^\n]*\r(?=[^\n])"
_JOINS = r"\bgit (?:-C \S+ )?(?:merge|rebase|cherry-pick|revert|pull|am|stash (?:pop|apply))\b"
_LONGEST_ERROR, _ERROR_LINES = 240, 3
_MESSAGES = (  # where a JSON object has the message of an error
    "error", "errors", "message", "errorMessage", "error_message", "error_description", "reason", "detail", "details", "stderr",
    "cause", "result", "output", "content", "text",
)  # fmt: skip
_JSON_MESSAGE = r'"(?:error|message|error_?[mM]essage|reason|detail|stderr)"\s*:\s*"((?:[^"\\]|\\.)+)"'
_LONGEST_JSON, _DEEPEST_MESSAGE = 200_000, 6
# What only announces an error, shows code, counts errors or says where it passed: a line with its number, a rule or a title
# in one, a line that ends in a colon, a frame of a trace, the totals, and the complaint of whoever had called what failed.
_HEADLINE = (
    r"^(?:> *)?\d+ *[|│]"
    r"|^([=_*#~-])\1{2,}+.*\1{3,}$|^\W*$|^[^:]*\([^:]*\):$|^[\w ]*:$|^at \S|^File \"|^(?:FAIL|FAILED|FAILURE|ERROR|Error)S?[:!]?$"
    r"|\b\d+ (?:tests? )?(?:failed|failures?|errors?|passed|warnings?|problems?)\b.*(?:\d|\bin\b|generated|emitted|found|$)"
    r"|(?i:\bdue to (?:\d+ )?previous error|\bexit (?:status|code)\b|\bmake(?:\[\d+\])?: \*\*\*|^exited with|\bcompleted with)"
)
_AT_PLACE = r"(?:\S*[/\w])?\w\.\w{1,8}[:(]\d+(?:[:,]\d+)?\)?:? \S"  # main.go:10:2: said of this place
_RUN_BY = r"(?:\[[\w:./@-]{1,40}\] +|[\w./@-]{1,40} +\| +)?"  # the task that it is of, put before each line by what runs several
_NAMED = r"(?:\w+[.:]+)*[A-Z]\w*(?:Error|Exception|Failure|Fault|Interrupt|Exit|Iteration|Warning|Timeout|Refused|Denied)"
_LABELLED = r"[\w ./-]{1,60}:\s"
_WARNS = r"(?<![\w.])(?:\w+\.)*[A-Z]\w*Warning: "  # said on the way; a test that fell over a warning prints it behind an E
_TELLING = (
    # The error by its name with what it says; the same without a word; a test or a target that failed, by its name.
    (4, rf"(?:^|^E +|^Caused by: |^Uncaught |[\s'\"])(?:\w+ )?{_NAMED}(?: \[\w+\])?: \S"),
    (4, r"(?:^|[\s:\]])(?i:(?:fatal |syntax |internal |build )?error)(?:\[\w+\]| [A-Z]+\d+)?(?: in \S+)?:\s+\S"),
    (4, r"^(?:panic|fatal|FATAL|Fatal)(?: error)?: \S|\bpanicked at\b|^\w[\w -]* fault\b"),
    (3, rf"^(?:E +)?{_NAMED}$"),
    (3, r"^(?:-+ )?(?:FAIL|FAILED|ERROR|not ok|✗|✕|✘|×|●)(?:[: ]|ED )\s*\S*[\w/]"),
    (3, r"^(?:\S*/)?[\w.+-]+: .{0,120}(?i:not found|no such|denied|refused|cannot|can't|unable|invalid|unknown|unrecogni)"),
    (2, _AT_PLACE),
)
_TEST_FAILED = r"^(?:-+ )?(?:FAIL|FAILED|not ok)(?:[: ]|ED )\s*\S*[\w/]"  # by its name
_BESIDE = 2  # lines of what failed beside the last error
_OF_A_PLACE = 2  # what a line weighs, at least, that says what is wrong and not only a word of it
# What a host's own tools refuse is no error of the work.
_HOST_REFUSES = (
    "has not been read yet", "String to replace not found", "has been modified since", "InputValidationError",
    "File does not exist", "exceeds maximum", "matches of the string to replace", "user doesn't want", "was rejected",
    "tool_use_error", "verification failed: ", "spawn failed: ", "failed to parse function arguments", "rejected by user",
    "Could not find the exact text", "could not find the string to replace", "oldString not found", "must read file",
    "Could not find oldString", "No changes made to", "multiple matches for oldString",
    "rejected permission", "[Operation Cancelled]", "Tool execution aborted", "aborted by user", "Could not find edits[",
    "0 occurrences found for", "The user has specified a rule which prevents", "Tool execution denied by policy",
    "rejected by BeforeTool hook", "The user dismissed this question", "User dismissed ask_user dialog",
    "was cancelled before receiving a response",
)  # fmt: skip
_STOPPED = "<error>Command was aborted before completion</error>"  # by the user, in the midst of it
_NOT_LET = (  # through: by a rule, a hook or whoever was to allow it
    "Permission to use ", "Permission for this ", "Claude requested permissions", "PreToolUse:",
)  # fmt: skip
_TOOL_REFUSES = ("File not found", "Failed to edit")  # what a program may print as well, and then it is its error
_USER_REFUSES = (
    "user doesn't want", "rejected by user", "rejected permission", "aborted by user", "[Operation Cancelled]", "User denied",
)  # fmt: skip


def as_shown(text: str) -> str:
    """An output as a terminal shows it: without colours, and of a line that was written over only what it came to."""
    if "\x1b" in text:
        text = _made(_COLOURS).sub("", text)
    return _made(_OVERWRITTEN).sub("", text.replace("\r\n", "\n")) if "\r" in text else text


def passed_in(text: str) -> str:
    """The line of an output that says that tests or a build went well."""
    text = text[-4000:]
    low = text.lower()
    if not any(word in low for word in _PASSING) and not low.startswith(("ok", "pass")):
        return ""  # nearly all outputs; the expression below would try every place of them
    return next((line for line in text.split("\n") if _made(_PASSED).search(line)), "")


def error_in(text: str) -> str:
    """The lines of an output that say what is wrong, as they were printed: not the banner or the headline above them.

    Of those that tell most, the first and the last ones: compilers say the cause first, programs that fall over say it last.
    Where tests are named that failed, the first of these, and what stands at it: those that passed print errors as well.
    """
    message = message_in_json(text)
    if message:
        return message if message[0] == "{" else error_in(message) or message.strip()[:_LONGEST_ERROR]
    parts = (text[:_READ], text[_READ:][-_READ:])
    # No more of a line than is shown: the expressions below go through one again from many of its places.
    lines = [line.strip()[:_LONGEST_ERROR] for part in parts for line in part.split("\n")]
    lines = [line for line in dict.fromkeys(lines) if line and not _made(_BANNER).match(line)]
    weights = {line: weight for line in lines if (weight := _tells(line))}
    if not weights:
        long = [line for line in lines if len(line) > 12]
        line = next((line for line in long if not _made(_HEADLINE).search(line)), (long or [""])[0])[:_LONGEST_ERROR]
        status = _made(_STATUS).match(text) if line else None  # alone it would be taken for the error
        return f"{line} (exit code {status[1]})" if status else line
    most = max(weights.values())
    best = [line for line, weight in weights.items() if weight == most][: None if most > 1 else 1]  # a word alone: the first
    test, says = _failed_test(lines, weights)
    near = says or [line for line, weight in weights.items() if weight == most - 1]
    shown = {*best[: _ERROR_LINES - 1], best[-1], *near[: max(0, _ERROR_LINES - len(best))]}
    if test and test not in best:
        shown = {test, *(says[: _ERROR_LINES - 1] or (best[0], best[-1]))}
    elif most == _OF_A_PLACE and near and lines.index(near[0]) < lines.index(best[0]):  # what it is that failed at these places
        shown = {near[0], best[0], *near[: max(0, _ERROR_LINES - len(best))]}
    if len(shown) < _ERROR_LINES and not says:  # and what was labelled first: often the place
        shown.update([line for line in weights if _made(_LABELLED).match(line)][:1])
    shown |= {after for line, after in pairwise(lines) if line in shown and line.endswith(":")}
    kept = [line for line in lines if line in shown]
    # One that another repeats says nothing more.
    kept = [line for line in kept if not any(line != other and line.lstrip("E ") in other for other in kept)]
    room = _LONGEST_ERROR // len(kept)
    return "\n".join(line if len(line) <= room else f"{line[:room]}…" for line in kept)


def message_in_json(text: str) -> str:
    """What a tool says went wrong, where its result is a JSON object; empty where it is none, or says nothing. One that has no
    message and is short is told as it is, in one line.

    A result that was cut off is no JSON any more: then the first message in it that can be read whole.
    """
    begin = text.find("{")
    above = text[: max(begin, 0)].split("\n") if begin < 400 else ["of something else"]
    if begin < 0 or any(line.strip() and not _made(_BANNER).match(line) for line in above):
        return ""
    import json

    try:
        found, end = json.JSONDecoder(strict=False).raw_decode(text[begin : begin + _LONGEST_JSON])
    except (ValueError, RecursionError):
        cut = _made(_JSON_MESSAGE).search(text[begin : begin + _READ])
        try:
            return str(json.loads(f'"{cut[1]}"', strict=False)) if cut else ""
        except ValueError:
            return ""
    if text[begin + end :].strip():
        return ""
    short = json.dumps(found, ensure_ascii=False)
    return _message_of(found) or (short if found.keys() - {"status"} and len(short) <= _LONGEST_ERROR else "")


def _message_of(found: object, depth: int = 0) -> str:
    """The message of an object that tells of an error: by the names that hosts and services give it, the most telling first."""
    if isinstance(found, str):
        return found if depth else ""
    if isinstance(found, list) and depth < _DEEPEST_MESSAGE:
        return next(filter(None, (_message_of(item, depth + 1) for item in found[:5])), "")
    if not isinstance(found, dict) or depth >= _DEEPEST_MESSAGE:
        return ""
    return next(filter(None, (_message_of(found[name], depth + 1) for name in _MESSAGES if name in found)), "")


def beside(error: str) -> str:
    """What of an error is told beside another: of a test its name, by which it can be run again; else the last lines."""
    lines = error.split("\n")
    test = next((line for line in lines if _made(_TEST_FAILED).match(line)), "")
    return test or "\n".join(lines[-_BESIDE:])


def _failed_test(lines: list[str], weights: dict[str, int]) -> tuple[str, list[str]]:
    """The first test that is named as failed, and what is said of it right behind its name, or else right before it."""
    at = next((n for n, line in enumerate(lines) if line in weights and _made(_TEST_FAILED).match(line)), -1)
    if at < 0:
        return "", []
    says = {line for line, weight in weights.items() if weight >= _OF_A_PLACE}.__contains__
    return lines[at], list(takewhile(says, lines[at + 1 :])) or list(takewhile(says, reversed(lines[:at])))


def _tells(line: str) -> int:
    """How much a line says of what is wrong; 0: nothing."""
    if len(line) > 12 and not _made(_ERROR).search(line) and not _made(_RUN_BY + _AT_PLACE).match(line):
        return 0
    if _made(_HEADLINE).search(line):
        return 0
    if "Warning: " in line and not line.startswith("E ") and _made(_WARNS).search(line):
        return 1
    weights = (weight for weight, form in _TELLING if _made(form).search(line))
    return max(weights, default=1 if len(line) > 12 and _made(_ERROR).search(line) else 0)


def mends(command: str, failing: str, output: str) -> bool:
    """Whether a command that went well has run what failed before, as a part of it.

    It is known to have gone well where nothing hides its status: each step behind the one before (`&&`), or it is the last one.
    Behind a pipe the output must say it. Steps on the way to the last one may have been given other things (`gofmt a b && test`,
    then `gofmt a && test`).
    """
    failed, steps = steps_of(failing), steps_of(command)
    if not failed or failed[-1] not in steps or not {_kind(step) for step in failed} <= {_kind(step) for step in steps}:
        return False
    plain = bare(command)
    if "||" in plain or (failed[-1] != steps[-1] and (";" in plain or "\n" in plain.strip())):
        return False
    return "|" not in plain or (bool(passed_in(output)) and not fails_in(output))


def own_lines(text: str) -> str:
    """What failed, without lines of packed code, and without what a trace shows of code that others have made."""
    kept: list[str] = []
    others = False
    for line in text.split("\n"):
        frame = line.lstrip().startswith('File "')
        others = any(mark in line for mark in OTHERS) if frame or not (others and line.startswith("    ")) else others
        if not others and len(line) < _PACKED and "(node:" not in line:
            kept.append(line)
    return "\n".join(kept)


def concludes(command: str, failing: str, output: str) -> bool:
    """Whether what could not be joined by itself (a merge with conflicts) has been since: it was committed, or told to go on."""
    if not _made(_JOINS).search(failing):
        return False
    return bool(commits_in(output)) or (" --continue" in command and not hides_status(command))


def _kind(step: str) -> str:
    """What a step does, whatever it is given: `make lint` is not `make test`."""
    return " ".join(step.split()[:2])


def fails_in(output: str) -> bool:
    """Whether an output counts failures, or names one."""
    return bool(_made(_FAILS).search(output[-_READ:]))


def hides_status(command: str) -> bool:
    """Whether the status of a command is another's: behind a pipe, `||` or `;` that of what stands there."""
    plain = bare(command)
    return "|" in plain or ";" in plain or "\n" in plain.strip()


def broke(output: str) -> bool:
    """Whether tests say that some of them failed."""
    return bool(_made(_BROKE).search(output[-_READ:]))


def commits_in(output: str) -> list[tuple[str, str]]:
    """(branch, subject) of the commits that git says it has made; no branch where it is on none."""
    if "] " not in output:
        return []
    made = _made(_COMMITTED).findall(output[:_READ])
    return [("" if branch == "detached HEAD" else branch, " ".join(subject.split())) for branch, subject in made]


def switched_to(output: str) -> str:
    """The branch to which git says it has switched last."""
    return (_made(_SWITCHED).findall(output[:_READ]) or [""])[-1] if "Switched to" in output else ""


def went_wrong(output: str) -> bool:
    """Whether what was to be committed or given away was not, by what was printed."""
    return bool(_made(_WENT_WRONG).search(output[-_READ:]))


def refused_by_host(text: str, *, is_command: bool = False) -> bool:
    """Whether a failure is the host's own tool refusing, which is no error of the work."""
    head = text[:2000]
    by_tool = not is_command and head.startswith(_TOOL_REFUSES)
    return by_tool or _STOPPED in text[-200:] or any(said in head for said in _HOST_REFUSES)


def refused_by_user(text: str) -> bool:
    """Whether a call came back because the user, or a rule of theirs, did not let it happen."""
    head = text[:200]
    return head.startswith(_NOT_LET) or any(said in head for said in _USER_REFUSES)
