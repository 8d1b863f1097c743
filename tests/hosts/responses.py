"""A model that does as it is told, for Codex: it speaks the Responses API on loopback, and writes down every request.

`RUN: command` in the user's last words makes it call the shell, `CALL: tool {…}` a tool of our server, `TOOL: namespace/tool {…}`
one of the host's, `SCRIPT: code` a script that calls tools, which Codex gives to some models in their place. To an agent that it
has called, what that one was told are the user's words. Asked for a summary, it says a fixed sentence; to anything else
it answers with a sentence that ends in a question.
"""

from __future__ import annotations

import json
import re
from typing import Any

from hosts.model import ANSWER
from hosts.serving import Served

SUMMARY = "The user and the assistant worked on the billing service."


class Responses(Served):
    """The server, all that it was asked, and how full it says that the context is: until it is asked for a summary."""

    listing = b'{"data": [], "models": []}'

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.tokens = 100
        super().__init__()
        self.url += "/v1"

    def answer(self, path: str, asked: dict[str, Any]) -> tuple[str, bytes] | None:
        """One item as a stream."""
        if not path.endswith("/responses"):
            return None
        self.requests.append(asked)
        number = len(self.requests)
        item = answer(asked, number)
        if item.get("content", [{}])[0].get("text") == SUMMARY:
            self.tokens = 100
        return "text/event-stream", stream(item, number, self.tokens)


def answer(asked: dict[str, Any], number: int) -> dict[str, Any]:
    """One item: a call, the summary, or the sentence."""
    items = asked.get("input", [])
    said = [item for item in items if item.get("type", "message") == "message" and item.get("role") == "user"]
    text = "\n".join(part.get("text", "") for part in said[-1]["content"]) if said else ""
    if items and items[-1].get("type") == "agent_message":
        text = "\n".join(part.get("text") or part.get("encrypted_content", "") for part in items[-1]["content"])
    waiting = bool(items) and items[-1].get("type") in ("message", "agent_message")
    called = {"type": "function_call", "id": f"fc_{number}", "call_id": f"call_{number}", "status": "completed"}
    command, tool = re.search(r"RUN: (.+)", text), re.search(r"CALL: (\w+) (.+)", text)
    script, own = re.search(r"SCRIPT: (.+)", text), re.search(r"TOOL: (\w+)/(\w+) (.+)", text)
    if own and waiting:
        return {**called, "name": own[2], "namespace": own[1], "arguments": own[3]}
    if script and waiting:
        return {**called, "type": "custom_tool_call", "name": "exec", "input": script[1]}
    if command and waiting:
        return {**called, "name": "exec_command", "arguments": json.dumps({"cmd": command[1]})}
    if tool and waiting:
        return {**called, "name": tool[1], "namespace": "mcp__holdfast", "arguments": tool[2]}
    words = SUMMARY if "CONTEXT CHECKPOINT" in text else ANSWER
    content = [{"type": "output_text", "text": words, "annotations": []}]
    return {"type": "message", "id": f"msg_{number}", "role": "assistant", "status": "completed", "content": content}


def stream(item: dict[str, Any], number: int, tokens: int) -> bytes:
    """An item as the events of a stream."""
    usage = {
        "input_tokens": tokens, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 20,
        "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": tokens + 20,
    }  # fmt: skip
    about = {"id": f"resp_{number}", "object": "response", "created_at": 1}
    response = {**about, "status": "completed", "output": [item], "usage": usage}
    events: list[dict[str, Any]] = [
        {"type": "response.created", "response": {**response, "status": "in_progress", "output": []}},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": response},
    ]
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events).encode()
