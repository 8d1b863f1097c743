"""A script by which Codex calls its tools: which calls stand in it, and what it says of how they went.

Newer versions have one tool, `exec`, whose input is JavaScript: `const r = await tools.exec_command({cmd: "ls"}); text(r)`.
Nothing of it is run or worked out. A call is read where what it is given stands there as it is: a text in any quotes, texts put
together by `+` or by `[…].join`, a `const` that is one of these, an object or a list of such values. Any other is passed over.

What came back of a call is whatever the script chose to show, so that it can be told only for a call that stands alone, and that
was made whatever happened: no condition, loop or function before it, and nothing that catches its failure.
"""

from __future__ import annotations

import re

from .words import dict_of, strings, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from . import Event

    _Token = tuple[str, str]  # its kind (text, made, word, sign), and what it says; of a text as it is meant

_LONGEST, _DEEPEST = 400_000, 20
_BLANK = r"\s{1,1000}"
_WORD = r"[\w$]{1,1000}"
_REGEX = r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.){0,200}\]){1,1000}/\w{0,8}"
_BEFORE_REGEX = frozenset("(,=:[!&|?{};+")  # behind anything else a stroke divides
_ENDS = {"'": r"['\\\n]", '"': r'["\\\n]', "`": r"[`\\]|\$\{"}  # what ends a text, or is not itself in it
_ESCAPE = r"(?s)\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|.))"
_MEANT = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": "", "\r\n": ""}
_PLAIN = {"true": True, "false": False, "null": None, "undefined": None}
_MAYBE = frozenset("if else for while do switch case try function return throw exit".split())  # noqa: SIM905
_CAUGHT = frozenset(("catch", "allSettled", "any", "race", "finally"))

_BANNER = (
    r"Script (completed|failed|terminated|running with cell ID (\S{1,256}))[^\S\n]{0,9}"
    r"(?:\nWall time [^\n]{0,80})?(?:\n(?:Final o|O)utput:)?(?:\n|\Z)"
)
_STATUS = r"(?m)\"exit_code\"\s{0,4}:\s{0,4}(-?\d{1,12})|^(?:Process exited with code|Exit code:) (-?\d{1,12})$"
_READ = 20_000  # characters of what was shown, from either end


class _Unreadable(ValueError):
    """Something that would have to be worked out."""


class Shown:
    """What a script has shown: its text, whether something failed, what still runs, and whether a status was told at all."""

    __slots__ = ("failed", "known", "running", "text")

    def __init__(self, text: str, *, failed: bool = False, running: str = "", known: bool = False) -> None:
        self.text, self.failed, self.running, self.known = text, failed, running, known


def shown(output: str) -> Shown | None:
    """What stands below the banner of a script; None where there is none."""
    banner = re.match(_BANNER, output) if output.startswith("Script ") else None
    if not banner:
        return None
    text = output[banner.end() :].lstrip("\n")
    if banner[2]:
        return Shown(text, running=f"cell {banner[2]}")
    if banner[1] != "completed":
        return Shown(text, failed=True, known=True)
    if text.startswith("{"):
        from json import loads

        try:
            whole = loads(text)
        except (ValueError, RecursionError):
            whole = None
        if isinstance(whole, dict):
            return _whole(text, whole)
    codes = [one or other for part in (text[:_READ], text[_READ:][-_READ:]) for one, other in re.findall(_STATUS, part)]
    return Shown(text, failed=any(code.lstrip("-0") for code in codes))


def _whole(text: str, result: dict[str, Any]) -> Shown:
    """A result of a command as it is: without a status it still runs, and says where."""
    printed, code = result.get("output"), result.get("exit_code")
    text = printed if isinstance(printed, str) else text
    if isinstance(code, int) and not isinstance(code, bool):
        return Shown(text, failed=code != 0, known=True)
    return Shown(text, running=text_of(result.get("session_id")) if isinstance(printed, str) else "")


def files_of(event: Event) -> list[str]:
    """The files that a patch changes or takes away, each once."""
    return list(dict.fromkeys([*(path for path, _, _ in event.edits), *(path for path, _ in event.moves)]))


def patches_in(known: Any) -> list[list[str]]:
    """The patches of a script that have not ended, as they were remembered: each with its call and its files."""
    left = dict_of(known).get("left")
    return [strings(patch) for patch in left if strings(patch)] if isinstance(left, list) else []


def not_applied(patches: list[list[str]], error: str, *, at_once: bool) -> set[str] | None:
    """Which of the patches of a script that failed were not applied, by their numbers; None where it failed at something else.

    Each is its number and its files. The first that the error names is the one that failed, and those behind it were not
    tried, unless all were made at once. Where it names none, nobody knows which of them was applied: so none is said to be.
    """
    for place, (number, *files) in enumerate(patches):
        if any(re.search(rf"(?<![\w.-]){re.escape(path.removeprefix('./'))}(?![\w-]|\.\w)", error) for path in files):
            return {number} if at_once else {later for later, *_ in patches[place:]}
    spoken = "patch" in error or not error.startswith("Script error:")
    return {number for number, *_ in patches} if spoken else None


def calls_in(code: str) -> tuple[list[tuple[str, dict[str, Any]]], str]:
    """The calls in a script, each by its name with what it is given.

    And whether it is one `alone`, whose failure is the script's, or even `seen`: what the script shows may be its result.
    """
    tokens = _tokens(code) if "tools" in code and len(code) <= _LONGEST else None
    if not tokens:
        return [], ""
    named = _named(tokens)
    found: list[tuple[str, dict[str, Any]]] = []
    places = [at for at, token in enumerate(tokens) if token == ("word", "tools") and tokens[at - 1 : at] != [("sign", ".")]]
    for at in places:
        name = tokens[at + 2][1] if [kind for kind, _ in tokens[at + 1 : at + 4]] == ["sign", "word", "sign"] else ""
        if not name or tokens[at + 1][1] != "." or tokens[at + 3][1] != "(":
            continue
        try:
            found.append((name, _given(tokens, at + 4, named)))
        except _Unreadable:
            continue
    hidden = any(kind == "made" and "tools" in text for kind, text in tokens)
    alone = len(places) == len(found) == 1 and not hidden and _surely(tokens, places[0])
    return found, "" if not alone else "seen" if _is_seen(tokens, places[0]) else "alone"


def _surely(tokens: list[_Token], at: int) -> bool:
    """Whether what stands there was done if the script came to its end, and was waited for."""
    words = [text if kind == "word" else "" for kind, text in tokens]
    signs = "".join(text if kind == "sign" else " " for kind, text in tokens[:at])
    maybe = not _MAYBE.isdisjoint(words[:at]) or any(sign in signs for sign in ("=>", "&&", "||", "?"))
    return "await" in words and not maybe and _CAUGHT.isdisjoint(words)


def _is_seen(tokens: list[_Token], at: int) -> bool:
    """Whether something is done with what comes back: it is given on, or to a name that is used below."""
    before = [text for _, text in tokens[:at] if text != "await"][-2:]
    if before[-1:] != ["="]:
        return before[-1:] in (["("], ["["], [","])
    return before[0] in ("]", "}") or ("word", before[0]) in tokens[at:]


def _tokens(code: str) -> list[_Token] | None:
    """A script in its texts, words and signs, without its remarks; None where one of them never ends."""
    blank, word, regex = re.compile(_BLANK), re.compile(_WORD), re.compile(_REGEX)
    found: list[_Token] = []
    at = 0
    while at < len(code):
        sign = code[at]
        if sign in _ENDS:
            kind, text, at = _text(code, at)
            if not kind:
                return None
            raw = sign == "`" and found[-3:] == [("word", "String"), ("sign", "."), ("word", "raw")]
            if raw:
                del found[-3:]
            found.append((kind, text if raw or kind == "made" else _meant(text)))
        elif code.startswith(("//", "/*"), at):
            ends = "\n" if code[at + 1] == "/" else "*/"
            at = code.find(ends, at)
            if at < 0:
                return found if ends == "\n" else None
            at += len(ends)
        elif sign == "/" and (not found or found[-1][1] in _BEFORE_REGEX) and (match := regex.match(code, at)):
            at = match.end()
            found.append(("made", ""))
        elif match := blank.match(code, at):
            at = match.end()
        elif match := word.match(code, at):
            at = match.end()
            found.append(("word", match[0]))
        else:
            at += 1
            found.append(("sign", sign))
    return found


def _text(code: str, at: int) -> tuple[str, str, int]:
    """The text that begins there: its kind (none: it never ends), what stands between its quotes, and where it ends."""
    start, quote, kind = at + 1, code[at], "text"
    ends = re.compile(_ENDS[quote])
    at = start
    while match := ends.search(code, at):
        if match[0] == quote:
            return kind, code[start : match.start()], match.end()
        if match[0] == "\n":
            break
        at = match.end() + (match[0] == "\\")
        if match[0] == "${":  # worked out as the script runs
            kind, inner = "made", code.find("}", at)
            if inner < 0 or "`" in code[at:inner]:
                break
            at = inner + 1
    return "", "", len(code)


def _meant(text: str) -> str:
    """What stands between quotes as it is meant."""
    if "\\" not in text:
        return text
    # Two halves of a letter stand there as two numbers, and a half alone is none.
    return re.sub(_ESCAPE, _letter, text).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _letter(found: re.Match[str]) -> str:
    number = found[1] or found[2] or found[3]
    if not number:
        return _MEANT.get(found[4], found[4])
    return chr(int(number, 16)) if int(number, 16) < 0x110000 else ""


def _named(tokens: list[_Token]) -> dict[str, str]:
    """The texts that a script gives a name to, once and for good."""
    found: dict[str, str] = {}
    twice = set()
    for at in range(len(tokens) - 3):
        if tokens[at] == ("word", "const") and tokens[at + 1][0] == "word" and tokens[at + 2] == ("sign", "="):
            name = tokens[at + 1][1]
            twice.update({name} & found.keys())
            try:
                value, end = _value(tokens, at + 3, found, 0)
            except _Unreadable:
                value, end = None, at + 3
            ended = end >= len(tokens) or tokens[end][0] == "word" or tokens[end][1] in ";,"
            found[name] = value if isinstance(value, str) and ended else ""
    return {name: text for name, text in found.items() if text and name not in twice}


def _given(tokens: list[_Token], at: int, named: dict[str, str]) -> dict[str, Any]:
    """What stands between the brackets of a call."""
    if tokens[at : at + 1] == [("sign", ")")]:
        return {}
    value, end = _value(tokens, at, named, 0)
    end += tokens[end : end + 1] == [("sign", ",")]
    if tokens[end : end + 1] != [("sign", ")")] or not isinstance(value, (str, dict)):
        raise _Unreadable
    return {"input": value} if isinstance(value, str) else value


def _value(tokens: list[_Token], at: int, named: dict[str, str], depth: int) -> tuple[Any, int]:
    """The value that begins there, and where it ends."""
    value, at = _one(tokens, at, named, depth)
    if not isinstance(value, str) or tokens[at : at + 1] != [("sign", "+")]:
        return value, at
    parts = [value]
    while tokens[at : at + 1] == [("sign", "+")]:
        value, at = _one(tokens, at + 1, named, depth)
        if not isinstance(value, str):
            raise _Unreadable
        parts.append(value)
    return "".join(parts), at


def _one(tokens: list[_Token], at: int, named: dict[str, str], depth: int) -> tuple[Any, int]:
    if at >= len(tokens) or depth > _DEEPEST:
        raise _Unreadable
    kind, text = tokens[at]
    if kind == "text":
        return text, at + 1
    if kind == "word":
        if text[0].isdigit():
            return _number(tokens, at)
        if text in named or text in _PLAIN:
            return named[text] if text in named else _PLAIN[text], at + 1
    if (kind, text) == ("sign", "{"):
        return _object(tokens, at + 1, named, depth + 1)
    if (kind, text) == ("sign", "["):
        return _list(tokens, at + 1, named, depth + 1)
    raise _Unreadable


def _number(tokens: list[_Token], at: int) -> tuple[Any, int]:
    text, end = tokens[at][1], at + 1
    if tokens[end : end + 1] == [("sign", ".")] and end + 1 < len(tokens):
        text, end = f"{text}.{tokens[end + 1][1]}", end + 2
    try:
        return (float(text[:40]) if "." in text else int(text[:40])), end
    except ValueError:
        raise _Unreadable from None


def _object(tokens: list[_Token], at: int, named: dict[str, str], depth: int) -> tuple[dict[str, Any], int]:
    found: dict[str, Any] = {}
    while tokens[at : at + 1] != [("sign", "}")]:
        if at + 1 >= len(tokens) or tokens[at][0] not in ("text", "word"):
            raise _Unreadable
        key = tokens[at][1]
        if tokens[at + 1] == ("sign", ":"):
            found[key], at = _value(tokens, at + 2, named, depth)
        else:
            found[key], at = _one(tokens, at, named, depth)  # {cmd}: the name is the key
        at = _behind(tokens, at, "}")
    return found, at + 1


def _list(tokens: list[_Token], at: int, named: dict[str, str], depth: int) -> tuple[Any, int]:
    found: list[Any] = []
    while tokens[at : at + 1] != [("sign", "]")]:
        value, at = _value(tokens, at, named, depth)
        found.append(value)
        at = _behind(tokens, at, "]")
    joins = tokens[at + 1 : at + 4] == [("sign", "."), ("word", "join"), ("sign", "(")]
    if not joins:
        return found, at + 1
    (kind, between), *closed = tokens[at + 4 : at + 6] or [("", "")]
    if kind != "text" or closed != [("sign", ")")] or not all(isinstance(part, str) for part in found):
        raise _Unreadable
    return between.join(found), at + 6


def _behind(tokens: list[_Token], at: int, close: str) -> int:
    """Where the next part begins: behind a comma, or at the sign that closes them all."""
    if tokens[at : at + 1] == [("sign", ",")]:
        return at + 1
    if tokens[at : at + 1] == [("sign", close)]:
        return at
    raise _Unreadable
