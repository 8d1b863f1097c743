"""Changing one value in a settings file, and no other byte: JSON with comments, trailing commas and the rest of JSON5.

The text is read into nodes that know where they stand; a change is a few characters put in or taken out there. What a person
has written, their comments, order, indents and line ends, stays as it is. What is put in follows the indents that it finds.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

Path = tuple[str | int, ...]  # names in objects, numbers in lists

_GAP = re.compile(r"(?:[\s\ufeff]|//[^\r\n\u2028\u2029]*|/\*.*?\*/)*", re.DOTALL)
_REST_OF_LINE = re.compile(r"[ \t]*,?[ \t]*(?:/\*[^\r\n]*?\*/[ \t]*)*(?://[^\r\n]*)?(?=\r?\n|$)")
_NAME = re.compile(r"[\w$]+")
_WORD = re.compile(r"[^\s,\]}:/]+")
_STRING = re.compile(r'"(?:[^"\\\r\n]|\\(?:\r\n|.))*"|\'(?:[^\'\\\r\n]|\\(?:\r\n|.))*\'', re.DOTALL)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\r\n|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": "", "\r\n": "", "\u2028": ""}
_WORDS = {"true": True, "false": False, "null": None}  # infinities are left to `float`
_DEEPEST = 200


class NotJson(ValueError):
    """A text that cannot be read, with the line at which that shows."""

    def __init__(self, text: str, at: int, wanted: str) -> None:
        self.line = text.count("\n", 0, at) + 1
        super().__init__(f"line {self.line}: {wanted} was expected")


class Node(NamedTuple):
    """A value and where it stands. `members` has name, where the name begins, and the value; in a list the name is empty."""

    start: int
    end: int
    kind: str  # object, list, or plain
    value: Any
    members: list[tuple[str, int, Node]]


def read(text: str) -> Any:
    """What the text says; an empty one says `{}`."""
    return _value(_parsed(text))


def put(text: str, path: Path, value: Any) -> str:
    """The text with a value at a path; the objects on the way are made where they are missing."""
    root = _parsed(text)
    if not text.strip("\ufeff \t\r\n"):
        return _shown(_wrapped(path, value), "  ", "", "\n") + "\n"
    node, left = _down(root, path)
    if not left:
        if _value(node) == value:
            return text
        new = _shown(value, _step(text, root), _indent(text, node.start), _line_end(text))
        return text[: node.start] + new + text[node.end :]
    if node.kind != "object" or isinstance(left[0], int):
        raise NotJson(text, node.start, "an object")
    return _added(text, root, node, left[0], _wrapped(left[1:], value))


def add(text: str, path: Path, value: Any) -> str:
    """The text with a value at the end of a list, which is made where it is missing; the same text where it is there."""
    node, left = _down(_parsed(text), path) if text.strip("\ufeff \t\r\n") else (None, path)
    if node is None or left:
        return put(text, path, [value])
    if node.kind != "list":
        raise NotJson(text, node.start, "a list")
    if any(_value(item) == value for _, _, item in node.members):
        return text
    return _added(text, _parsed(text), node, "", value)


def drop(text: str, path: Path) -> str:
    """The text without the value at a path, and its name; the same text where there is none."""
    if not text.strip("\ufeff \t\r\n"):
        return text
    parent, left = _down(_parsed(text), path[:-1])
    last = path[-1]
    if isinstance(last, int):
        return _without(text, parent, last) if not left and parent.kind == "list" and last < len(parent.members) else text
    if left or parent.kind != "object":
        return text
    for number, (name, _, _) in reversed(list(enumerate(parent.members))):
        if name == path[-1]:
            return drop(_without(text, parent, number), path)  # a name may stand there twice
    return text


def drop_from(text: str, path: Path, wanted: Any) -> str:
    """The text without each item of a list for which `wanted(item)` holds."""
    node, left = _down(_parsed(text), path) if text.strip("\ufeff \t\r\n") else (None, path)
    if node is None or left or node.kind != "list":
        return text
    for number in reversed(range(len(node.members))):
        if wanted(_value(node.members[number][2])):
            return drop_from(_without(text, node, number), path, wanted)
    return text


# ---- reading ------------------------------------------------------------------------------------------------------------


def _parsed(text: str) -> Node:
    if not text.strip("\ufeff \t\r\n"):
        return Node(0, 0, "object", {}, [])
    node = _node(text, _gap(text, 0), 0)
    if _gap(text, node.end) != len(text):
        raise NotJson(text, _gap(text, node.end), "the end")
    return node


def _gap(text: str, at: int) -> int:
    found = _GAP.match(text, at)
    return found.end() if found else at


def _node(text: str, at: int, depth: int) -> Node:
    if depth > _DEEPEST:
        raise NotJson(text, at, "something less deep")
    if text[at : at + 1] in ("{", "["):
        return _container(text, at, depth)
    found = _STRING.match(text, at)
    if found:
        return Node(at, found.end(), "plain", _string(found[0]), [])
    found = _WORD.match(text, at)
    if not found:
        raise NotJson(text, at, "a value")
    return Node(at, found.end(), "plain", _word(text, at, found[0]), [])


def _container(text: str, at: int, depth: int) -> Node:
    is_object = text[at] == "{"
    start, closing = at, "}" if is_object else "]"
    members: list[tuple[str, int, Node]] = []
    at = _gap(text, at + 1)
    while text[at : at + 1] != closing:
        begun, name = at, ""
        if is_object:
            name, at = _name(text, at)
            at = _gap(text, at)
            if text[at : at + 1] != ":":
                raise NotJson(text, at, "“:”")
            at = _gap(text, at + 1)
        node = _node(text, at, depth + 1)
        members.append((name, begun, node))
        at = _gap(text, node.end)
        if text[at : at + 1] == ",":
            at = _gap(text, at + 1)
        elif text[at : at + 1] != closing:
            raise NotJson(text, at, f"“,” or “{closing}”")
    return Node(start, at + 1, "object" if is_object else "list", None, members)


def _name(text: str, at: int) -> tuple[str, int]:
    found = _STRING.match(text, at)
    if found:
        return _string(found[0]), found.end()
    found = _NAME.match(text, at)
    if not found:
        raise NotJson(text, at, "a name")
    return found[0], found.end()


def _string(quoted: str) -> str:
    if quoted[0] == '"':
        try:
            return str(json.loads(quoted))  # also joins the halves of a surrogate pair
        except ValueError:
            pass

    def meant(found: re.Match[str]) -> str:
        what = found[1]
        return chr(int(what[1:], 16)) if what[0] in "ux" and len(what) > 1 else _ESCAPED.get(what, what)

    return _ESCAPE.sub(meant, quoted[1:-1])


def _word(text: str, at: int, word: str) -> Any:
    if word in _WORDS:
        return _WORDS[word]
    sign, bare = (-1, word[1:]) if word[0] == "-" else (1, word.removeprefix("+"))
    for kind in (int, float):
        try:
            return sign * (int(bare, 16) if bare[:2] in ("0x", "0X") else kind(bare))
        except ValueError:
            continue
    raise NotJson(text, at, "a value")


def _value(node: Node) -> Any:
    if node.kind == "object":
        return {name: _value(item) for name, _, item in node.members}
    return [_value(item) for _, _, item in node.members] if node.kind == "list" else node.value


def _down(node: Node, path: Path) -> tuple[Node, Path]:
    """As far down a path as there is something, and what is left of it. Of a name that stands there twice the last one counts."""
    while path and node.kind != "plain":
        first, wanted = path[0], "list" if isinstance(path[0], int) else "object"
        found = [item for number, (name, _, item) in enumerate(node.members) if first == (number if wanted == "list" else name)]
        if not found or node.kind != wanted:
            break
        node, path = found[-1], path[1:]
    return node, path


# ---- writing ------------------------------------------------------------------------------------------------------------


def _added(text: str, root: Node, node: Node, name: str, value: Any) -> str:
    """The text with one more member at the end of an object or a list."""
    step, line_end = _step(text, root), _line_end(text)
    label = f"{json.dumps(name, ensure_ascii=False)}: " if node.kind == "object" else ""
    outer = _indent(text, node.start)
    if not node.members:
        inner = outer + step
        within = text[node.start + 1 : node.end - 1].rstrip()  # a comment may stand there
        new = f"{within}{line_end}{inner}{label}{_shown(value, step, inner, line_end)}{line_end}{outer}"
        return text[: node.start + 1] + new + text[node.end - 1 :]
    _, begun, last = node.members[-1]
    if "\n" not in text[node.start : node.members[0][1]]:  # all in one line, and to stay so
        new = label + json.dumps(value, ensure_ascii=False)
        return text[: last.end] + ", " + new + text[last.end :]
    inner = _indent(text, begun)
    new = f"{line_end}{inner}{label}{_shown(value, step, inner, line_end)}"
    # A comment behind the last member is that member's: the comma goes before it, what is new behind it.
    found = _REST_OF_LINE.match(text, last.end)
    rest = found[0] if found and found.end() < node.end else ""
    comma_is_there = text[_gap(text, last.end) : _gap(text, last.end) + 1] == ","
    if comma_is_there and "," not in rest:  # it stands on a later line
        return text[: last.end] + "," + new + text[last.end :]
    behind = last.end + len(rest)
    return text[: last.end] + ("" if comma_is_there else ",") + rest + new + ("," if comma_is_there else "") + text[behind:]


def _without(text: str, node: Node, number: int) -> str:
    """The text without one member, its comma, and its line where it had one to itself."""
    _, begun, item = node.members[number]
    start, end = begun, item.end
    after = _gap(text, end)
    if text[after : after + 1] == ",":
        end = after + 1
    elif number:  # the last one, so the comma before it goes too
        comma = _gap(text, node.members[number - 1][2].end)
        text = text[:comma] + text[comma + 1 :]
        start, end = start - 1, end - 1
    line = re.compile(r"[ \t]*(?:\r?\n|$)").match(text, end)
    margin = len(text[:start]) - len(text[:start].rstrip(" \t"))
    if line and text[:start].rstrip(" \t").endswith("\n"):
        return text[: start - margin] + text[line.end() :]
    if len(node.members) == 1:
        return text[: node.start + 1] + text[node.start + 1 : start].rstrip() + text[end : node.end].lstrip() + text[node.end :]
    return text[:start].rstrip(" \t") + text[end:] if number == len(node.members) - 1 else text[:start] + text[end:].lstrip(" \t")


def _shown(value: Any, step: str, outer: str, line_end: str) -> str:
    """A value as it is written at an indent."""
    text = json.dumps(value, indent=step or None, ensure_ascii=False)
    return text.replace("\n", line_end + outer)


def _wrapped(path: Path, value: Any) -> Any:
    for name in reversed(path):
        value = {name: value}
    return value


def _indent(text: str, at: int) -> str:
    """What the line of a place begins with."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _step(text: str, root: Node) -> str:
    """By how much one level is indented here."""
    first = root.members[0][1] if root.members else 0
    return (_indent(text, first) if "\n" in text[:first] else "") or "  "


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
