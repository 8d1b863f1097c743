"""A model that does as it is told: it speaks the Messages API on loopback, and writes down every request.

`RUN: command` in the user's last words makes it call Bash with that command, `CALL: tool {…}` makes it call that tool; asked
for a summary, it says the fixed sentence that a model under pressure says; to anything else it answers with a sentence that
ends in a question.
"""

from __future__ import annotations

import json
import re
from typing import Any

from hosts.serving import Served

SUMMARY = "<analysis>x</analysis><summary>The user and the assistant worked on the billing service.</summary>"
ANSWER = "The rate is set.\n\nShall I round per line or per invoice?"


class Model(Served):
    """The server, and all that it was asked."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        super().__init__()

    def answer(self, path: str, asked: dict[str, Any]) -> tuple[str, bytes]:
        """One message as a stream; to whoever counts tokens a number."""
        if "/v1/messages" not in path or "count_tokens" in path:
            return "application/json", b'{"input_tokens": 1000}'
        self.requests.append(asked)
        return "text/event-stream", stream(answer(asked), len(self.requests))


def answer(asked: dict[str, Any]) -> dict[str, Any]:
    """One block: a call of Bash, the summary, or the sentence."""
    said = [message for message in asked.get("messages", []) if message.get("role") == "user"]
    content = said[-1]["content"] if said else ""
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    text = "\n".join(block.get("text", "") for block in blocks if block.get("type") == "text")
    if "detailed summary of the conversation" in text:
        return {"type": "text", "text": SUMMARY}
    # What the host shows of a command of its own (`/compact`, with what our hook told the summariser) are not the user's words.
    told = re.search(r"(RUN|CALL): (.+)", re.sub(r"(?s)<local-command-stdout>.*?</local-command-stdout>", "", text))
    if told and not any(block.get("type") == "tool_result" for block in blocks) and asked.get("tools"):
        tool, _, given = told[2].partition(" ")
        name, what = (tool, json.loads(given)) if told[1] == "CALL" else ("Bash", {"command": told[2], "description": "as told"})
        return {"type": "tool_use", "id": f"toolu_{len(asked['messages'])}", "name": name, "input": what}
    return {"type": "text", "text": ANSWER}


def stream(block: dict[str, Any], number: int) -> bytes:
    """A block as the events of a stream."""
    usage = {"input_tokens": 100, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 20}
    message = {
        "id": f"msg_{number}", "type": "message", "role": "assistant", "model": "a-model", "content": [], "stop_reason": None,
        "stop_sequence": None, "usage": usage,
    }  # fmt: skip
    if block["type"] == "text":
        begin, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": block["text"]}
    else:
        begin, delta = {**block, "input": {}}, {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    stop = {"stop_reason": "tool_use" if block["type"] == "tool_use" else "end_turn", "stop_sequence": None}
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": begin},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": stop, "usage": usage},
        {"type": "message_stop"},
    ]
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events).encode()
