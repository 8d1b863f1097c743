"""A model that does as it is told: it speaks chat completions on loopback, as a stream, and writes down every request.

`CALL: tool {"its": "arguments"}` in the user's last words makes it call that tool; asked to fill in a snapshot, it calls
`holdfast_checkpoint` with `FILLED`, behind the host's tool search; `LONG` makes it answer at length; asked for a
summary, it says the fixed sentence that a model under pressure says; to the host's memory flush it has nothing to say, or where
the user has said `FLUSH` before, it writes a snapshot block and a note into the day; to anything else it answers with a sentence
that ends in a question.
"""

from __future__ import annotations

import json
import re
from typing import Any

from hosts.serving import Served

SUMMARY = "\n".join(
    f"## {heading}\n- {text}"
    for heading, text in (
        ("Decisions", "none"),
        ("Open TODOs", "none"),
        ("Constraints/Rules", "none"),
        ("Pending user asks", "none"),
        ("Exact identifiers", "none"),
        ("Critical Context", "The user and the assistant worked on the billing service."),
    )
)
ANSWER = "The rate is set.\n\nShall I round per line or per invoice?"
FLUSHED = """
- the attic hatch is sealed

<!-- BIG-MEMORY-SNAPSHOT v1 -->

### [SNAPSHOT] Active Goal
insulate the attic before winter

### [SNAPSHOT] Next Steps
1. order mineral wool

<!-- /BIG-MEMORY-SNAPSHOT -->
"""
LONG = "The ledger has one more row, and nothing in it is out of the ordinary. " * 900


TEMPLATE = "# Fill in the snapshot (Holdfast)"
FILLED = {
    "goal": "close the ledger for the auditors",
    "next_steps": ["send the ledger to the auditors"],
    "decisions": ["Friday -- the bank is shut on Thursday"],
}


class ChatModel(Served):
    """The server, and all that it was asked."""

    listing = b'{"object": "list", "data": [{"id": "a-model", "object": "model"}]}'

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.reply = ANSWER  # what it says to anything else
        super().__init__()
        self.url += "/v1"

    def answer(self, path: str, asked: dict[str, Any]) -> tuple[str, bytes]:
        """What it says next, as a stream."""
        self.requests.append(asked)
        return "text/event-stream", stream(answer(asked, self.reply), len(self.requests), len(json.dumps(asked)) // 4)


def text_of(message: dict[str, Any]) -> str:
    """What a message says."""
    content = message.get("content") or ""
    return content if isinstance(content, str) else "\n".join(part.get("text", "") for part in content)


def system_of(asked: dict[str, Any]) -> str:
    """What a request says before the conversation."""
    return "\n".join(text_of(one) for one in asked["messages"] if one["role"] in ("system", "developer"))


def said_of(asked: dict[str, Any]) -> str:
    """All the rest of a request."""
    return "\n".join(text_of(one) for one in asked["messages"] if one["role"] not in ("system", "developer"))


def answer(asked: dict[str, Any], reply: str = ANSWER) -> dict[str, Any]:
    """What it says next: text, or a call of a tool."""
    messages = asked.get("messages", [])
    spoken = max((at for at, one in enumerate(messages) if one["role"] == "assistant" and not one.get("tool_calls")), default=-1)
    since = messages[spoken + 1 :]
    heard = "\n".join(text_of(one) for one in since if one["role"] == "user")
    heard = heard.rpartition("before I continue?")[2]  # what our brief quotes was said before
    tools = [tool["function"]["name"] for tool in asked.get("tools", [])]
    called = re.search(r"CALL: (\w+) (\{.*\})", heard)
    if not tools and "summar" in (system_of(asked) + heard).lower():
        return {"text": SUMMARY}
    came_back = any(one["role"] == "tool" for one in since)
    if TEMPLATE in heard and "tool_call" in tools and not came_back:
        return {"tool": "tool_call", "given": json.dumps({"id": "holdfast_checkpoint", "args": FILLED})}
    if TEMPLATE in heard:
        files = heard.rpartition("--- memory ")[2].partition("\n")[2].partition("\n--- end ")[0]
        return {"text": f"It is saved. {files}"}
    if called and called[1] in tools and not came_back:
        return {"tool": called[1], "given": called[2]}
    day = re.search(r"memory/\d{4}-\d\d-\d\d\.md", heard)
    wants = any("FLUSH" in text_of(one) for one in messages if one["role"] == "user")
    if "memory flush" in heard.lower() and wants and day and "write" in tools and not any(one["role"] == "tool" for one in since):
        return {"tool": "write", "given": json.dumps({"path": day[0], "content": FLUSHED})}
    if "memory flush" in heard.lower() or "HEARTBEAT" in heard:
        return {"text": "NO_REPLY"}
    return {"text": LONG if "LONG" in heard else reply}


def stream(said: dict[str, Any], number: int, size: int) -> bytes:
    """An answer as the events of a stream."""
    if "tool" in said:
        function = {"name": said["tool"], "arguments": said["given"]}
        call = {"index": 0, "id": f"call_{number}", "type": "function", "function": function}
        deltas: list[dict[str, Any]] = [{"tool_calls": [call]}]
        end = "tool_calls"
    else:
        deltas, end = [{"content": said["text"]}], "stop"
    about = {"id": f"c{number}", "object": "chat.completion.chunk", "created": 1, "model": "a-model"}
    chunks: list[dict[str, Any]] = [
        {**about, "choices": [{"index": 0, "delta": {"role": "assistant", **delta}, "finish_reason": None}]} for delta in deltas
    ]
    chunks.append({**about, "choices": [{"index": 0, "delta": {}, "finish_reason": end}]})
    used = {"prompt_tokens": size, "completion_tokens": 20, "total_tokens": size + 20}
    chunks.append({**about, "choices": [], "usage": used})
    return "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks).encode() + b"data: [DONE]\n\n"
