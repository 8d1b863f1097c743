"""A program in a terminal of our own: keys go in, what stands on its screen comes out, as words without colours or places.

A terminal is asked where its cursor is and what it can do, and hosts wait for the answer: it says the least that they go on with.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_ESCAPES = re.compile(
    rb"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[P_^X][^\x1b]*\x1b\\|\x1b\[[0-9;:?<=>!]*[ -/]*[@-~]|\x1b[()#][0-9A-Za-z]|\x1b."
)
_ASKED = {
    rb"\x1b\[6n": b"\x1b[1;1R",  # where the cursor is
    rb"\x1b\[0?c": b"\x1b[?62;c",  # what kind of terminal it is
}
ENTER, ESCAPE, DOWN, UP = "\r", "\x1b", "\x1b[B", "\x1b[A"


class Screen:
    """The program, and all that it has shown."""

    def __init__(self, argv: list[str], cwd: Path, env: Mapping[str, str]) -> None:
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 160, 0, 0))

        def own_terminal() -> None:
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            argv, cwd=cwd, env={**env, "TERM": "xterm-256color"}, stdin=slave, stdout=slave, stderr=slave,
            preexec_fn=own_terminal,  # noqa: PLW1509 - before any thread of ours is started
        )  # fmt: skip
        os.close(slave)
        self._shown, self._open = b"", True
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Screen:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self) -> None:
        while self._open:
            if not select.select([self.master], [], [], 0.2)[0]:
                continue
            try:
                part = os.read(self.master, 65536)
            except OSError:
                return
            self._shown += part
            for asked, answer in _ASKED.items():
                for _ in re.findall(asked, part):
                    os.write(self.master, answer)

    @property
    def words(self) -> str:
        """What was shown so far, without a single space: programs put words at places instead."""
        return re.sub(r"\s+", "", _ESCAPES.sub(b"", self._shown).decode("utf-8", "replace"))

    def wait(self, words: str, since: int = 0, seconds: float = 120) -> int:
        """Until some words stand there. Returns where what comes after them begins."""
        wanted, until = re.sub(r"\s+", "", words), time.monotonic() + seconds
        while time.monotonic() < until:
            at = self.words.find(wanted, since)
            if at >= 0:
                return at + len(wanted)
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        raise AssertionError(f"{words!r} was not shown; the last that was: {self.words[-1500:]}")

    def type(self, text: str, then: str = ENTER) -> None:
        """Type a line as a person does: the keys, and a moment later the one that sends it."""
        os.write(self.master, text.encode())
        time.sleep(0.5)
        os.write(self.master, then.encode())

    def says(self, prompt: str, requests: list[Any], answer: str) -> list[Any]:
        """One prompt by keys; what the model was asked for it, once its answer is shown. What was shown before may be again."""
        before, shown, until = len(requests), len(self.words), time.monotonic() + 120
        self.type(prompt)
        while len(requests) == before and time.monotonic() < until:
            shown = len(self.words)
            time.sleep(0.1)
        assert len(requests) > before, f"the model was not asked; the last that was shown: {self.words[-1500:]}"
        self.wait(answer, shown)
        self.rest()
        return requests[before:]

    def rest(self) -> None:
        """Until nothing moves any more: while hooks run, something does, and commands are not taken."""
        for _ in range(40):
            before = len(self._shown)
            time.sleep(3)
            if len(self._shown) == before:
                return

    def close(self) -> None:
        """End it, if it has not ended by itself."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGHUP)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.process.wait(10)
        self._open = False
        self._reader.join(5)
        os.close(self.master)
