"""What `holdfast mcp` costs: its start against a process that only imports the SDK, and a warm search through the whole of it.

    python bench/server.py            these rows alone (part of `make bench`)

The server is timed as a client sees it: from the start of the process to the answer to `initialize`, and from a call's line to
its answer's. The notes are saved as `holdfast note` saves them, each with its record in the journal.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import search

Row = tuple[str, float | None, float]
NOTES = 10_000
SDK = "import anyio, mcp_types; from mcp.server.lowlevel import Server; from mcp.server.stdio import stdio_server"


class Server:
    """A server, and a client that only writes and reads lines."""

    def __init__(self, workspace: Path) -> None:
        argv = [sys.executable, "-m", "holdfast", "--workspace", str(workspace), "mcp"]
        begun = time.perf_counter()
        self.process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
        assert self.ask("initialize", hello)["serverInfo"]["name"] == "holdfast"
        self.greeted = time.perf_counter() - begun

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """The result of a request."""
        assert self.process.stdin
        assert self.process.stdout
        line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()
        result: dict[str, Any] = json.loads(self.process.stdout.readline())["result"]
        return result

    def close(self) -> None:
        """Let it end."""
        self.process.communicate()


def fill(workspace: Path, language: search.Language) -> None:
    """So many notes over a year."""
    from holdfast.config import Config
    from holdfast.memory import Memory
    from holdfast.model import Note

    start = time.time() - 365 * 86400
    now = [start]
    sync, os.fsync = os.fsync, lambda _fd: None  # what is measured comes later; filling need not be durable
    try:
        memory = Memory(str(workspace), Config(), write=True, clock=lambda: now[0])
        for number in range(NOTES):
            now[0] = start + number * 365 * 86400 / NOTES
            memory.note("default", Note(language.passage(), "PROJ"))
        memory.close()
    finally:
        os.fsync = sync


def started(workspace: Path, rounds: int) -> tuple[float, float]:
    """Medians of (a process that only imports the SDK, the server's answer to `initialize`)."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        begun = time.perf_counter()
        subprocess.run([sys.executable, "-c", SDK], check=True)
        times[0].append(time.perf_counter() - begun)
        server = Server(workspace)
        times[1].append(server.greeted)
        server.close()
    return statistics.median(times[0]), statistics.median(times[1])


def asked(workspace: Path, questions: list[str]) -> float:
    """The median of a search through a server that has answered one before."""
    server = Server(workspace)
    times = []
    for question in questions:
        begun = time.perf_counter()
        result = server.ask("tools/call", {"name": "search", "arguments": {"query": question}})
        times.append(time.perf_counter() - begun)
        assert result["structuredContent"]["results"], question
    server.close()
    return statistics.median(times[3:])


def rows() -> list[Row]:
    """The rows of `make bench`."""
    with tempfile.TemporaryDirectory(prefix="holdfast-server-") as folder:
        workspace, language = Path(folder) / "workspace", search.Language(3)
        fill(workspace, language)
        sdk, server = started(workspace, max(5, search.ROUNDS // 6))
        kinds = [kind for _ in range(search.ROUNDS // 3 + 1) for kind in search.RANKS]  # by turns, as in bench/search.py
        warm = asked(workspace, [language.question(kind) for kind in kinds])
    print(f"mcp: the SDK alone {1000 * sdk:.0f} ms, initialize {1000 * server:.0f} ms, a warm search {1000 * warm:.1f} ms")
    return [
        ("`holdfast mcp` answers `initialize` / a process that only imports the SDK", server / sdk, 1.5),
        (f"ms for a warm `search` over MCP, {NOTES:,} notes", 1000 * warm, 20),
    ]


if __name__ == "__main__":
    for what, measured, reach in rows():
        print(f"| {what} | {measured:.2f} | ≤ {reach:g} |")
