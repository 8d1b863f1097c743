"""What `mutants.py` has pytest do: see which lines each test runs, run first those that run a line, give up on one that hangs.

`SEEN` names the file into which what was seen is written: of each test how long it took, and the lines of the modules in question
that it ran, also in the processes that it started. `WANTED` names the file that says which tests are to come first, and how long
each may take.
"""

from __future__ import annotations

import faulthandler
import json
import os
import resource
import sys
import time
from collections.abc import Generator
from pathlib import Path

import pytest

SEEN, WANTED = "HOLDFAST_MUTANTS_SEEN", "HOLDFAST_MUTANTS_WANTED"
# Put among the site packages of the interpreter that runs the tests: what its processes run is told in a folder, if it is there.
# A line at a time, and nothing is held open: they are killed, forked, and close what they do not know.
BELOW = """\
import os, sys
from os import O_APPEND, O_CLOEXEC, O_CREAT, O_WRONLY, close, getpid, open as opened, write  # tests have their own way with them
source, modules, told, known = {source!r}, {modules!r}, {told!r}, set()
def running(frame, what, _):
    line = f"{{frame.f_code.co_filename[len(source):]}}:{{frame.f_lineno}}"
    if what == "line" and line not in known:
        known.add(line)
        try:
            file = opened(f"{{told}}/{{getpid()}}", O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o666)
            write(file, f"{{line}}\\n".encode())
            close(file)
        except Exception:  # one that came out of here would be the end of all seeing
            pass
    return running
def entered(frame, what, _):
    return running if frame.f_code.co_filename in modules else None
if os.path.isdir(told):
    sys.settrace(entered)
"""
_MEMORY = 6 << 30  # bytes: a loop that a mistake made endless must not take the machine with it
_PROCESSOR = 900  # seconds of a process, for the same reason: one that we started may outlive its test


class Watching:
    """Which lines each test runs, and how long it takes."""

    def __init__(self, into: Path) -> None:
        self.into, self.seen = into, dict[str, tuple[float, list[str]]]()
        self.told = into.with_suffix(".told")  # where processes tell what they run: this one as well, from its start on
        self.trace = sys.gettrace()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """One test."""
        sys.settrace(self.trace)  # hypothesis, for one, may have put an end to it
        if self.trace:
            self.trace.__globals__["known"].clear()
        begun = time.monotonic()
        try:
            return (yield)
        finally:
            taken, files = time.monotonic() - begun, list(self.told.iterdir())
            lines = {line for file in files for line in file.read_text().splitlines()}
            self.seen[item.nodeid] = (taken, sorted(lines))
            for file in files:
                file.unlink()

    def pytest_sessionfinish(self) -> None:
        """All of them."""
        self.into.write_text(json.dumps(self.seen))


class Ordered:
    """The tests that find a mistake soonest come first, and none may take for ever."""

    def __init__(self, wanted: str) -> None:
        told = json.loads(Path(wanted).read_text())
        self.first = {name: place for place, name in enumerate(told["first"])}
        self.patience: dict[str, float] = told["patience"]

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Put them in order."""
        items.sort(key=lambda item: self.first.get(item.nodeid, len(self.first)))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """One test: where it hangs, that is the end of all, and the exit code says so."""
        faulthandler.dump_traceback_later(self.patience.get(item.nodeid, 60), exit=True, file=sys.__stderr__)
        try:
            return (yield)
        finally:
            faulthandler.cancel_dump_traceback_later()


def pytest_configure(config: pytest.Config) -> None:
    """Do what was asked for."""
    if os.environ.get(SEEN):
        config.pluginmanager.register(Watching(Path(os.environ[SEEN])))
    if os.environ.get(WANTED):
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (_PROCESSOR, _PROCESSOR))
        config.pluginmanager.register(Ordered(os.environ[WANTED]))
