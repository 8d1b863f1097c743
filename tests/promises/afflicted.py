"""A host whose hooks find something wrong: a dead store, a full disk, a lock that somebody holds, a payload that is none.

What H1 and H2 look at. A fault comes and goes again, and what was there before is as it was.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kept_receipts import by_hooks
from lab import power

TURNS = [
    {"type": "user", "message": {"role": "user", "content": "set the reduced rate to 7 percent, and never touch old invoices"}},
    {"type": "assistant", "message": {"role": "assistant", "content": "It is set.\n\nShall I round per line or per invoice?"}},
]
NEWS = {"type": "user", "message": {"role": "user", "content": "per invoice, and never before the sum is taken"}}
EVENTS: dict[str, dict[str, object]] = {
    "Stop": {"last_assistant_message": "Per invoice, then.\n\nShall I write the page now?"},
    "StopFailure": {},
    "PreCompact": {"trigger": "auto"},
    "PostCompact": {"trigger": "auto", "compact_summary": "We set a rate."},
    "SessionStart": {"source": "compact"},
    "UserPromptSubmit": {"prompt": "what were we doing?"},
    "SessionEnd": {"reason": "prompt_input_exit"},
}


class Host:
    """A host with a session in a workspace that was lived in."""

    def __init__(self, folder: Path, workspace: Path) -> None:
        self.folder, self.workspace, self.transcript = folder, workspace, folder / "session.jsonl"
        self.home = folder / "of the user"
        self.home.mkdir()
        self.project = folder / "project"
        self.project.mkdir()
        self.env = {"HOME": str(self.home), "PATH": os.environ["PATH"], "HOLDFAST_WORKSPACE": str(workspace)}
        self.says(*TURNS)
        self.fire("Stop")
        self.says(NEWS)  # so that every hook has something to do

    def says(self, *turns: object) -> None:
        """Turns that the host writes down."""
        with self.transcript.open("a") as file:
            file.writelines(json.dumps(turn) + "\n" for turn in turns)

    def payload(self, event: str, **more: object) -> bytes:
        """What the host sends."""
        about = {"session_id": "s1", "transcript_path": str(self.transcript), "cwd": str(self.project), "hook_event_name": event}
        return json.dumps({**about, **EVENTS.get(event, {}), **more}).encode()

    def fire(
        self, event: str, host: str = "claude-code", stdin: bytes | None = None, **more: object
    ) -> subprocess.CompletedProcess[bytes]:
        """One hook."""
        return self.run("hook", host, event, stdin=self.payload(event, **more) if stdin is None else stdin)

    def run(self, *words: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        """One command."""
        argv = [sys.executable, "-m", "holdfast", *words]
        return subprocess.run(argv, input=stdin, cwd=self.project, env=self.env, capture_output=True, check=False)

    def brief(self, session: str) -> str:
        """What a new session is told at its start."""
        path = str(self.folder / f"{session}.jsonl")
        said = self.fire("SessionStart", session_id=session, source="startup", transcript_path=path)
        return str(json.loads(said.stdout)["hookSpecificOutput"]["additionalContext"]) if said.stdout else ""

    def receipts(self) -> list[dict[str, Any]]:
        """What hooks said that they did, in the workspace and where it refused."""
        paths = [self.workspace / ".holdfast" / "receipts.jsonl", self.home / ".local" / "state" / "holdfast" / "receipts.jsonl"]
        found = []
        for path in paths:
            with contextlib.suppress(OSError):
                found += by_hooks(path)
        return found


def understood(event: str, reply: bytes) -> bool:
    """Whether the host understands what was printed: nothing, its own JSON, or prose for its summariser."""
    if not reply:
        return True
    if event == "PreCompact":
        return reply.startswith(b"In the summary, keep ") and reply.count(b"\n--- memory ") == 1
    given = json.loads(reply)
    return event in ("SessionStart", "UserPromptSubmit") and given["hookSpecificOutput"]["hookEventName"] == event


# ---- faults ------------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def dead_store(host: Host) -> Iterator[None]:
    """Something else stands in the place of `.holdfast`."""
    home, aside = host.workspace / ".holdfast", host.folder / "aside"
    home.rename(aside)
    home.write_text("somebody's file\n")
    try:
        yield
    finally:
        home.unlink()
        aside.rename(home)


@contextlib.contextmanager
def full_disk(host: Host) -> Iterator[None]:
    """The workspace's disk has no byte left."""
    there = os.statvfs(host.workspace)
    filler = host.workspace.parent / "filler"
    filler.write_bytes(b"\0" * there.f_bsize * there.f_bavail)
    try:
        yield
    finally:
        filler.unlink()


@contextlib.contextmanager
def locked_store(host: Host) -> Iterator[None]:
    """Somebody holds the lock and does not let go."""
    with (host.workspace / ".holdfast" / "lock").open("r+b") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextlib.contextmanager
def broken_settings(host: Host) -> Iterator[None]:
    """Settings that cannot be read."""
    path = host.workspace / ".holdfast" / "config.toml"
    path.write_text("briefMaxChars = [")
    try:
        yield
    finally:
        path.unlink()


Fault = Callable[[Host], contextlib.AbstractContextManager[None]]
FAULTS: dict[str, Fault] = {
    "dead store": dead_store,
    "full disk": full_disk,
    "locked store": locked_store,
    "broken settings": broken_settings,
}


@contextlib.contextmanager
def host_for(fault: str, folder: Path) -> Iterator[Host]:
    """A host in a workspace in which that fault can be made: a disk that fills up is a small one of its own."""
    if fault != "full disk":
        yield Host(folder, folder / "workspace")
        return
    if os.geteuid() != 0:
        pytest.skip("mounting needs root")
    disk = folder / "disk"
    disk.mkdir()
    with power._private_mounts():
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)], check=True)
        try:
            yield Host(folder, disk / "workspace")
        finally:
            power.unmount(disk, 60)  # what a hook began beside itself may still be at work
