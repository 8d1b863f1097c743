"""A model that does as it is told, for Gemini CLI: it speaks the Gemini API on loopback, and writes down every request.

`RUN: command` in the user's last words makes it run that command, `CALL: tool {…}` makes it call that tool, one after the other;
asked for a snapshot of the state, it gives the sentence of a model under pressure; to anything else a sentence that ends in a
question. `used` is how many tokens it says that a request had: with more than half of the window, the host compresses.
"""

from __future__ import annotations

import json
import re
from typing import Any

from hosts.serving import Served

SUMMARY = "<state_snapshot>The user and the assistant worked on the billing service. ({})</state_snapshot>"
ANSWER = "The rate is set.\n\nShall I round per line or per invoice?"
LITTLE, MUCH = 100, 990_000  # tokens


class Model(Served):
    """The server, and what it was asked in the conversation; what the host asks for itself stands apart."""

    def __init__(self) -> None:
        super().__init__()
        self.requests: list[dict[str, Any]] = []
        self.asides: list[dict[str, Any]] = []
        self.used = LITTLE

    def answer(self, path: str, asked: dict[str, Any]) -> tuple[str, bytes]:
        """One part: a call, a snapshot of the state, or the sentence."""
        if "countTokens" in path:
            return "application/json", json.dumps({"totalTokens": self.used}).encode()
        part = self._part(asked)
        usage = {"promptTokenCount": self.used, "candidatesTokenCount": 5, "totalTokenCount": self.used + 5}
        candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
        said = json.dumps({"candidates": [candidate], "usageMetadata": usage, "modelVersion": "a-model", "responseId": "r"})
        if "streamGenerateContent" in path:
            return "text/event-stream", f"data: {said}\r\n\r\n".encode()
        return "application/json", said.encode()

    def _part(self, asked: dict[str, Any]) -> dict[str, Any]:
        if "application/json" in str(asked.get("generationConfig", {}).get("responseMimeType")):  # which model is to answer
            self.asides.append(asked)
            routed = {"reasoning": "x", "model_choice": "flash", "complexity_reasoning": "x", "complexity_score": 1}
            return {"text": json.dumps({**routed, "next_speaker": "user"})}
        if "state_snapshot" in json.dumps(asked.get("systemInstruction", "")):
            self.asides.append(asked)
            self.used = LITTLE  # the history is short now
            return {"text": SUMMARY.format(len(self.asides))}
        self.requests.append(asked)
        every = [part for content in asked.get("contents", []) for part in content.get("parts", [])]
        spoken = [at for at, part in enumerate(every) if _told(part.get("text", ""))]
        done = sum("functionCall" in part for part in every[spoken[-1] :]) if spoken else 0
        told = _told(every[spoken[-1]]["text"]) if spoken and not _answered(every[spoken[-1] :]) else []
        if done >= len(told):
            return {"text": ANSWER}
        how, what = told[done]
        name, _, given = what.partition(" ")
        return _call(name, json.loads(given)) if how == "CALL" else _call("run_shell_command", {"command": what})


def _told(text: str) -> list[tuple[str, str]]:
    """What a user's words tell it to do; what hooks put beside them is not the user's."""
    return [] if text.startswith("<hook_context>") else re.findall(r"(RUN|CALL): (.+)", text)


def _answered(parts: list[dict[str, Any]]) -> bool:
    return any(part.get("text") == ANSWER for part in parts)


def _call(name: str, args: dict[str, Any]) -> dict[str, Any]:
    return {"functionCall": {"name": name, "args": args}}
