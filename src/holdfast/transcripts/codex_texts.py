"""What the texts of a Codex transcript say (codex.py): what of a message is a person's own, and how a command went.

Text that the host puts in (AGENTS.md, environment, notices) comes as role user: newer files name the kind of each part
(`content_item_kinds`, a person's is `user.text`), in older ones it is known by how it begins. An editor puts the open files
before what a person typed. What came back of a command is a text under a banner; in older files an object, or a text that is one.
"""

from __future__ import annotations

import re

from . import Event
from .words import dict_of, dicts_of, joined, strings, text_of, without_ours

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MACHINE = (
    "<environment_context",
    "<user_instructions",
    "# AGENTS.md instructions",
    "<INSTRUCTIONS",
    "<turn_aborted",
    "<subagent_",
    "<skill>\n",
    "<skills_",
    "<permissions instructions",
    "<hook_prompt",
    "<model_switch",
    "<collaboration_mode",
    "<personality_spec",
    "<user_action",
    "<recommended_plugins",
    "<goal_context",
    "<codex_internal_context",
    "<internal_model_context",
    "<additional_context",
    "<agent_message_board_notification",
    "<component_context>\n",
    "<image_resize_notice",
    "<external_",
    "<image name=",
    "</image>",
    "Warning: apply_patch was requested via",
    "Warning: The maximum number of unified exec",
    "Another language model started to solve this problem",
)
_PICTURE = ("<image name=", "</image>")  # the host's, even among what a person typed
SHELL = "<user_shell_command>"
_REPLY = "<send_user_message_question_reply>"
# What comes by itself, also where it is told as typed: an automation of the app's, by the clock, and another thread's words.
_AUTOMATED = re.compile(r"\s*<heartbeat>\s*<automation_id>")
_DELEGATED = re.compile(r"(?s)\s*<codex_delegation>\s*<source_thread_id>([^<]{0,100})</source_thread_id>\s*<input>(.*)</input>")
_SPOKEN = re.compile(r"(?s)<realtime_delegation>\s*(<source>[^<]{0,100}</source>)?\s*<input>(.*?)</input>")
# What lets the agent go on: a hook that does not let it stop, its goal, other agents. All else comes with somebody's words.
_WAKES = ("<hook_prompt", "<goal_context", "<codex_internal_context", "<agent_message_board_notification")
_NOT_TYPED = ("user.heartbeat", "user.goal")  # the host's, whatever their kinds begin with
_PAYLOAD = re.compile(r"Message Type: FINAL_ANSWER\n(?:[^\n]*\n){0,9}?Payload:\n")
_AROUND = ("# Context from my IDE setup:", "# Files mentioned by the user:", "This block is automatically supplied")
_REQUEST = "\n## My request for Codex:"
_OUTPUT = re.compile(r"^Wall time: [^\n]*\n(?:[^\n]*\n){0,5}?Output:\n", re.M)
_CODE = re.compile(r"^(?:Process exited with code|Exit code:) (-?\d+)$", re.M)
_RUNNING = re.compile(r"^Process running with session ID (\S+)$", re.M)
NO_RESULT = re.compile(
    r"(?:Wall time: [^\n]{0,80}\n)?(?:(?:\w+ ){1,4}failed\b|unsupported (?:custom tool )?call|execution error|aborted by user"
    r"|(?:exec )?command rejected|patch rejected|failed to |\w{1,60} was cancelled before)",
    re.I,
)
_OWN = ("user.", "unknown", "shell.user_command")


def parts_of(item: dict[str, Any]) -> list[tuple[str, str]]:
    """The texts of a message, each with its kind where the file tells it."""
    content = item.get("content")
    parts = [text_of(part.get("text")) for part in dicts_of(content)] if isinstance(content, list) else [text_of(content)]
    kinds = dict_of(item.get("internal_chat_message_metadata_passthrough")).get("content_item_kinds")
    if not isinstance(kinds, list) or len(kinds) != len(parts):
        return [(part, "") for part in parts]
    return [(part, text_of(kind)) for part, kind in zip(parts, kinds, strict=True)]


def begins(part: tuple[str, str], tag: str) -> bool:
    """Whether a part is a notice of the host's; what a person typed is none, whatever it begins with."""
    return part[0].lstrip().startswith(tag) and not part[1].startswith("user.")


def wakes(part: tuple[str, str]) -> bool:
    """Whether a part lets the agent go on, without a word of the user's."""
    text, kind = part
    return kind.startswith(_NOT_TYPED) or bool(_AUTOMATED.match(text)) or any(begins(part, tag) for tag in _WAKES)


def delegated(text: str) -> str | None:
    """What another thread tells this one to do, in whose name stands before it; None in any other text."""
    found = _DELEGATED.match(text)
    return f"(from another thread, {found[1].strip()}) {found[2].strip()}" if found else None


def own_words(part: str, kind: str) -> str:
    """What is a person's own in a part of their message."""
    text = _typed(without_ours(part).strip())
    if kind.startswith(_NOT_TYPED) or _AUTOMATED.match(text):
        return ""
    if kind.startswith("user."):
        return "" if text.startswith(_PICTURE) else text
    return "" if text.startswith(_MACHINE) or text == "<image>" or (kind and not kind.startswith(_OWN)) else text


def _typed(text: str) -> str:
    """What a person typed: an editor puts the open files before it. The one before their eyes may be what “this” means. What was
    said aloud comes in a frame, with all that was said before; at the end of a talk the host hands over only that.
    """
    if spoken := _SPOKEN.match(text):
        said = "" if spoken[1] else spoken[2].strip()
        return said.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    if not text.startswith(_AROUND) or _REQUEST not in text:
        return text
    around, _, own = text.partition(_REQUEST)
    active = around.partition("## Active file: ")[2].partition("\n")[0].strip()
    return f"{own.strip()}\n(open in the editor: {active})" if own.strip() and active else own.strip()


def ran(text: str, time: str) -> list[Event]:
    """A person's own `!cmd`, with what it printed."""
    command = text.partition("<command>")[2].partition("</command>")[0].strip()
    output, failed, _ = result_of(text.partition("<result>")[2].rpartition("</result>")[0].strip())
    printed, call = output.partition("\nOutput:\n"), f"!{time}"
    return [
        Event("call", command, time=time, call=call, tool="!", command=command),
        Event("result", without_ours(printed[2] or output), time=time, call=call, tool="!", failed=failed),
    ]


def replies_in(text: str) -> list[tuple[str, str]]:
    """The questions that a person has answered where the host shows them, each with its answer; none in any other text."""
    if not text.startswith(_REPLY):
        return []
    from json import loads

    try:
        given = dicts_of(loads(text.removeprefix(_REPLY).rpartition("</")[0]))
    except (ValueError, RecursionError):
        return []
    found = [(text_of(one.get("question")).strip(), text_of(one.get("answer")).strip()) for one in given]
    return [(question, answer) for question, answer in found if question and answer]


def final_answer(item: dict[str, Any]) -> str:
    """What another agent came to, where its message says that it is that."""
    text = joined(item.get("content"))
    head = _PAYLOAD.match(text)
    return text[head.end() :].strip() if head else ""


def printed_by(item: dict[str, Any]) -> str:
    """What the host says that a command or a patch has printed."""
    whole = text_of(item.get("aggregated_output"))
    return without_ours(whole or f"{text_of(item.get('stdout'))}{text_of(item.get('stderr'))}")


def decoded(arguments: Any) -> dict[str, Any]:
    """What a call was given, or a tool gives back, as an object; a text that is none stands alone in one."""
    if not isinstance(arguments, str):
        return dict_of(arguments)
    from json import loads

    try:
        given = loads(arguments)
    except (ValueError, RecursionError):
        return {"input": arguments}
    return given if isinstance(given, dict) else {"input": arguments}


def result_of(output: Any) -> tuple[str, bool, str]:
    """What came back, whether it failed, and the session in which the command still runs."""
    if isinstance(output, dict):
        body = output.get("content", output.get("output"))
        text = body if isinstance(body, str) else "\n".join(strings(body))
        return text, output.get("success") is False or _code(output.get("metadata")), ""
    output = joined(output)  # newer ones come as a list of texts and pictures
    if output.startswith("{"):
        found = decoded(output)
        if isinstance(found.get("output"), str):
            return found["output"], _code(found.get("metadata")), ""
        return output, False, ""
    banner = _OUTPUT.search(output, 0, 20_000)
    if not banner:
        code = _CODE.match(output)
        return output, int(code[1]) != 0 if code else bool(NO_RESULT.match(output)), ""
    head, rest = output[: banner.end()], output[banner.end() :]
    codes, running = _CODE.findall(head), _RUNNING.findall(head)
    if not codes and not running and _CODE.match(rest):  # a patch in the place of a command has a banner of its own
        return result_of(rest)
    failed = bool(codes) and codes[-1].lstrip("-0") != ""
    return rest, failed, running[-1] if running and not codes else ""


def _code(metadata: Any) -> bool:
    return dict_of(metadata).get("exit_code") not in (0, None)
