"""Render raw transcript entries for reading: who spoke, what was said, which tool was called with what, what came back.

One renderer serves all hosts, because it goes by the shape of an entry and not by its host: a message has a role and a content
(a text or a list of parts), a call has a name and arguments, a result has an output. What has none of these is the host's own
bookkeeping and becomes one short line, so that it takes no room from the conversation.

Rule 1: nothing is filtered. An entry that is not understood still gives its type; `holdfast tail --raw` shows its bytes.
Rule 2: nothing here raises. An entry may be cut off anywhere, nested deeply, or no JSON at all.
"""

from __future__ import annotations

import json
import re

from .words import dict_of, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CALL, RESULT, FAILED = "→", "←", "← failed:"
_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*("|\\?\Z)|[{}\[\]:,]', re.S)
_HALF_ESCAPE = re.compile(r"(?<!\\)((?:\\\\)*)\\(?:u[0-9A-Fa-f]{0,3})?\Z")
_DEEPEST = 100  # levels of nesting of an entry that was cut
_GIST, _THOUGHT = 60, 160  # characters
_ONE_LINE = 200  # characters of arguments that are written beside each other
_TEXTS = ("text", "input_text", "output_text", "summary_text")
_THOUGHTS = ("thinking", "reasoning", "redacted_thinking")
_CALLS = ("tool_use", "toolCall", "tool_call", "function_call", "custom_tool_call", "local_shell_call", "mcp_tool_call")
_RESULTS = ("tool_result", "toolResult", "function_call_output", "custom_tool_call_output", "local_shell_call_output")
_ASSISTANTS = ("assistant", "gemini", "model")
_TOOLS = ("tool", "toolResult")
# What a host tells of itself in few words: titles, modes, links.
_GISTS = (
    *("summary", "customTitle", "aiTitle", "title", "mode", "permissionMode"),
    *("prUrl", "reason", "operation", "content", "text"),
)
_COPY = "toolUseResult"  # Claude Code's second copy of a result, behind the message


class Rendered:
    """An entry for reading. Without a text it is the host's bookkeeping: `gist` says as much of it as fits a short line."""

    __slots__ = ("complete", "gist", "record", "speaker", "text", "time")

    def __init__(self, speaker: str, text: str = "", *, time: str = "", gist: str = "") -> None:
        self.speaker, self.text, self.time, self.gist = speaker, text, time, gist
        self.record = ""  # the id under which some hosts write one message again and again
        self.complete = True  # False where the part that is rendered was cut off


def render_entry(raw: str, *, is_cut: bool = False) -> Rendered | None:
    """Render one raw entry, or its beginning; None where it is no JSON object, or says nothing of what it is."""
    try:
        entry, open_key = parse_beginning(raw) if is_cut else (json.loads(raw, strict=False), "")
        if not isinstance(entry, dict):
            return None
        found = _render(entry)
    except (ValueError, RecursionError):
        return None
    if not found.speaker:
        return None
    found.record = text_of(entry.get("id")) if "content" in entry and "role" not in entry else ""
    found.complete = not is_cut or open_key == _COPY
    return found


def parse_beginning(text: str) -> tuple[Any, str]:
    """Parse the beginning of a JSON object: return what is there, and the key of the object in which the text breaks off.

    Raises ValueError where even that cannot be made sense of.
    """
    closers: list[str] = []
    end, closing = 0, ""  # up to here it is whole, with these brackets still open
    top_key, is_key = "", False
    for found in _TOKEN.finditer(text):
        sign = found[0]
        if sign in ("{", "["):
            closers.append("}" if sign == "{" else "]")
            is_key, end, closing = sign == "{", found.end(), "".join(reversed(closers))
            if len(closers) > _DEEPEST:
                raise ValueError("nested too deeply")
        elif sign in ("}", "]"):
            if not closers:
                raise ValueError("closes what was never opened")
            closers.pop()
            is_key, end, closing = False, found.end(), "".join(reversed(closers))
        elif sign == ",":
            is_key, end, closing = closers[-1:] == ["}"], found.start(), "".join(reversed(closers))
        elif sign == ":":
            is_key = False
        elif is_key:
            top_key = sign[1:-1] if len(closers) == 1 else top_key
        elif found[1] == '"':
            end, closing = found.end(), "".join(reversed(closers))
        else:  # a text that breaks off
            whole = _HALF_ESCAPE.sub(r"\1", sign)
            return json.loads(f'{text[: found.start()]}{whole}"{"".join(reversed(closers))}', strict=False), top_key
    return json.loads(text[:end] + closing, strict=False), top_key


def _render(entry: dict[str, Any]) -> Rendered:
    kind, time = text_of(entry.get("type")), text_of(entry.get("timestamp"))
    payload, message = entry.get("payload"), entry.get("message")
    if isinstance(payload, dict):  # Codex
        return _render_payload(kind, payload, time)
    if kind == "attachment":
        return _render_attachment(entry, time)
    if kind == "queue-operation" and text_of(entry.get("content")):
        return Rendered(f"user {text_of(entry.get('operation'))}", text_of(entry["content"]), time=time)
    if kind in ("compaction", "branch_summary") and text_of(entry.get("summary")):
        return Rendered(kind, text_of(entry["summary"]), time=time)
    body = message if isinstance(message, dict) else entry
    said = _render_message(body, time, kind)
    if said is None:
        return _bookkeeping(kind, text_of(entry.get("subtype")) or text_of(entry.get("customType")), entry)
    if entry.get("isMeta"):
        return Rendered("host", gist=_fold(said.text, _GIST), time=time)
    if entry.get("isCompactSummary"):
        said.speaker = "summary"
    if entry.get("isSidechain"):
        said.speaker = f"{said.speaker} subagent"
    return said


def _render_payload(kind: str, payload: dict[str, Any], time: str) -> Rendered:
    """A line of Codex: items are the conversation, events repeat it in a second form."""
    if kind == "compacted":
        return Rendered("compaction", text_of(payload.get("message")), time=time)
    said = _render_message(payload, time, text_of(payload.get("type"))) if kind == "response_item" else None
    return said or _bookkeeping(kind, text_of(payload.get("type")), payload)


def _render_attachment(entry: dict[str, Any], time: str) -> Rendered:
    """What Claude Code attaches: a person's words that waited in the queue, else its own notes."""
    given = dict_of(entry.get("attachment"))
    kind = text_of(given.get("type"))
    if kind == "queued_command":
        return Rendered("user queued", _join_parts(given.get("prompt")), time=time)
    return _bookkeeping("attachment", kind, given)


def _render_message(body: dict[str, Any], time: str, kind: str) -> Rendered | None:
    """Somebody's words, calls and results; None where there are none."""
    role = text_of(body.get("role"))
    if role in ("developer", "system", "custom"):
        return Rendered("host", gist=_fold(_join_parts(body.get("content")), _GIST))
    if kind in _CALLS or kind == "tool":  # Codex; a part of opencode
        return Rendered("assistant", _render_part(body), time=time)
    if kind in _RESULTS:
        return Rendered("tool", _render_part(body), time=time)
    if kind in _THOUGHTS:
        thought = _render_part(body)
        return Rendered("assistant", thought, time=time) if thought else None
    if role in _TOOLS:
        speaker, text = f"tool {text_of(body.get('toolName'))}".strip(), _render_result(body)
    elif role == "bashExecution":
        speaker, text = "user shell", f"$ {text_of(body.get('command'))}\n{text_of(body.get('output'))}".strip()
    else:
        speaker, text = _name_speaker(role or kind), _join_parts(body.get("content"))
        if kind in _TEXTS and "content" not in body:  # a part of opencode
            text = text_of(body.get("text"))
        elif not role and speaker not in ("user", "assistant"):
            return None
        text = "\n".join(filter(None, (text, *map(_render_call, _dicts(body.get("toolCalls"))))))
        if speaker == "user" and _begins_with_result(body.get("content")):
            speaker = "tool"
    return Rendered(speaker, text, time=time) if text else None


def _begins_with_result(content: Any) -> bool:
    """Whether a message in the user's place gives a tool's result; by its shape, for anybody can write an arrow."""
    first = content[0] if isinstance(content, list) and content else content
    return isinstance(first, dict) and (first.get("type") in _RESULTS or "functionResponse" in first)


def _name_speaker(role: str) -> str:
    return "assistant" if role in _ASSISTANTS else role


def _bookkeeping(kind: str, detail: str, entry: dict[str, Any]) -> Rendered:
    """The host's own entry: its type, and its title or the like where it has one."""
    gist = next((text_of(entry[name]) for name in _GISTS if isinstance(entry.get(name), str)), "")
    keys = [name[1:] for name in entry if name.startswith("$")]  # Gemini CLI's changes to what stands before
    kind = kind or ("session" if "sessionId" in entry else "")
    return Rendered(" ".join(filter(None, (kind, detail if detail != kind else "", *keys))), gist=_fold(gist, _GIST))


def _join_parts(content: Any) -> str:
    """The parts of a content, each on lines of its own."""
    if isinstance(content, list):
        return "\n".join(filter(None, map(_render_part, content)))
    return _render_part(content)


def _render_part(part: Any) -> str:
    if isinstance(part, str):
        return part.strip("\n")
    if not isinstance(part, dict):
        return ""
    kind = text_of(part.get("type"))
    if kind in _CALLS or kind == "tool":
        return _render_call(part)
    if kind in _RESULTS or "functionResponse" in part:
        return _render_result(dict_of(part.get("functionResponse")) or part)
    if kind in _THOUGHTS:
        thought = text_of(part.get("thinking")) or text_of(part.get("text")) or _join_parts(part.get("summary"))
        return f"(thinking) {_fold(thought, _THOUGHT)}" if thought else ""
    if kind in _TEXTS or "text" in part:
        return text_of(part.get("text")).strip("\n")
    return f"({kind})" if kind else ""


def _render_call(call: dict[str, Any]) -> str:
    """A call with its arguments, and its result where the host keeps the two together (opencode, Gemini CLI)."""
    state = dict_of(call.get("state"))
    name = text_of(call.get("name")) or text_of(call.get("tool")) or text_of(call.get("type"))
    given = next(
        (value for value in (*map(call.get, ("input", "arguments", "args", "action")), state.get("input")) if value), ""
    )
    lines = [f"{CALL} {name} {_render_arguments(given)}".rstrip()]
    status = text_of(state.get("status")) or text_of(call.get("status"))
    output = state.get("output") or state.get("error") or call.get("result")
    if output:
        responses = [dict_of(part.get("functionResponse")).get("response") for part in _dicts(output)]
        text = "\n".join(_render_output(part) for part in responses if part) or _render_output(output)
        lines.append(_mark_result(text, failed=status == "error"))
    elif status and status not in ("completed", "success"):
        lines.append(f"({status})")
    return "\n".join(lines)


def _render_arguments(given: Any) -> str:
    """Arguments as `name: value`: on one line where they are short."""
    if isinstance(given, str):
        text = given
        if not text.startswith("{"):
            return text
        try:
            given, _ = parse_beginning(text)
        except ValueError:
            return text
    if not isinstance(given, dict):
        return _dump(given)
    pairs = [f"{name}: {value if isinstance(value, str) else _dump(value)}" for name, value in given.items()]
    beside = ", ".join(pairs)
    return beside if len(beside) <= _ONE_LINE and "\n" not in beside else "\n".join(pairs)


def _render_result(result: dict[str, Any]) -> str:
    output = next((result[name] for name in ("output", "content", "response") if result.get(name)), "")
    text, code = _render_output(output), dict_of(result.get("details")).get("exitCode")
    failed = bool(result.get("is_error") or result.get("isError"))
    return _mark_result(f"{text}\n(exit code {code})" if code else text, failed=failed)


def _mark_result(text: str, *, failed: bool) -> str:
    return f"{FAILED if failed else RESULT} {text}".rstrip()


def _render_output(output: Any) -> str:
    """What a tool gave back: its text where it has one, else as it is."""
    if isinstance(output, str) and output.startswith('{"output":'):  # Codex wraps it, with the exit code beside
        try:
            output, _ = parse_beginning(output)
        except ValueError:
            return str(output)
    if isinstance(output, dict):
        inner = next((output[name] for name in ("output", "content", "error") if isinstance(output.get(name), str)), None)
        code = dict_of(output.get("metadata")).get("exit_code")
        if inner is None:
            return _dump(output)
        return f"{inner}\n(exit code {code})" if code else str(inner)
    return _join_parts(output)


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) if value not in ("", None) else ""


def _fold(text: str, limit: int) -> str:
    """One line, at most so long."""
    text = " ".join(text[: 4 * limit].split())
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
