"""A model that does as it is told, for opencode: it speaks chat completions on loopback, and writes down every request.

`RUN: command` in the user's last words makes it run that command, `CALL: tool {…}` makes it call that tool, one after the other;
asked for a summary, it gives the sentence of a model under pressure; to anything else a sentence that ends in a question.
`used` is how many tokens it says that a request had: when the window is full, the host compacts.
"""

from __future__ import annotations

import json
import re
from typing import Any

from hosts.serving import Served

SUMMARY = "## Goal\n- The user and the assistant worked on the billing service.\n"
ANSWER = "The rate is set.\n\nShall I round per line or per invoice?"
LITTLE, MUCH = 100, 99_000  # tokens; the window of `settings` has 100,000


class Model(Served):
    """The server, and what it was asked in the conversation; titles and summaries stand apart."""

    def __init__(self) -> None:
        super().__init__()
        self.requests: list[dict[str, Any]] = []
        self.titles: list[dict[str, Any]] = []
        self.summaries: list[dict[str, Any]] = []
        self.used = LITTLE

    def settings(self) -> dict[str, Any]:
        """What the host's settings say of this model."""
        model = {"name": "one", "limit": {"context": 100_000, "output": 4096}}
        about = {"npm": "@ai-sdk/openai-compatible", "name": "Ours", "options": {"baseURL": f"{self.url}/v1", "apiKey": "none"}}
        provider = {"ours": {**about, "models": {"one": model}}}
        return {"autoupdate": False, "share": "disabled", "model": "ours/one", "small_model": "ours/one", "provider": provider}

    def answer(self, path: str, asked: dict[str, Any]) -> tuple[str, bytes]:
        """One message: a call, a summary, a title, or the sentence; as a stream."""
        said = self._said(asked)
        usage = {"prompt_tokens": self.used, "completion_tokens": 5, "total_tokens": self.used + 5}
        if said.get("content") == SUMMARY:
            self.used = LITTLE  # the history is short now
        about = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "one"}
        chunks: list[dict[str, Any]] = [
            {**about, "choices": [{"index": 0, "delta": {"role": "assistant", **said}, "finish_reason": None}]},
            {**about, "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls" if "tool_calls" in said else "stop"}]},
            {**about, "choices": [], "usage": usage},
        ]
        stream = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"
        return "text/event-stream", stream.encode()

    def _said(self, asked: dict[str, Any]) -> dict[str, Any]:
        messages = asked.get("messages", [])
        asks = max((at for at, message in enumerate(messages) if message.get("role") == "user"), default=0)
        done = sum(message.get("role") == "tool" for message in messages[asks:])
        words = _text(messages[asks]).partition("# Where we left off")[0] if messages else ""  # without what we put beside them
        told = re.findall(r"(RUN|CALL): (.+)", words)
        system = "\n".join(_text(message) for message in messages if message.get("role") == "system")
        if "title generator" in system:
            self.titles.append(asked)
            return {"content": "Billing"}
        if not asked.get("tools"):
            self.summaries.append(asked)
            return {"content": SUMMARY}
        self.requests.append(asked)
        if done >= len(told):
            return {"content": ANSWER}
        how, what = told[done]
        name, _, given = what.partition(" ")
        return _call(name, json.loads(given)) if how == "CALL" else _call("bash", {"command": what, "description": "as told"})


def _text(message: dict[str, Any]) -> str:
    content = message.get("content") or ""
    return content if isinstance(content, str) else "\n".join(part.get("text", "") for part in content)


def _call(name: str, args: dict[str, Any]) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(args)}
    return {"content": None, "tool_calls": [{"index": 0, "id": f"call_{name}", "type": "function", "function": function}]}
