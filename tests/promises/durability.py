"""The commands that durability is tried on, the workspaces they work in, and the one judgement after every fault.

A command is done once without a fault, and once not at all; each time a second command follows, so that there is something
to catch up for. That gives two pictures of the whole workspace: *with* and *without*. After any fault and the same second
command, the workspace must be one of the two, file by file and byte by byte: *with* where the command was acknowledged,
either of them where it was not. What is lost, torn, doubled, half done or left lying about makes a third picture.

Ids and times differ from run to run, so a picture has marks in their place; files that the command does not touch are
compared as they are.
"""

from __future__ import annotations

import contextlib
import dataclasses
import difflib
import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import holdfast
from holdfast.commands.views import shown
from holdfast.config import read_config
from holdfast.errors import HoldfastError
from holdfast.memory import Memory
from holdfast.model import Note
from holdfast.storage import disk, journal
from holdfast.storage.cache import Cache
from lab.command import ROOT, Command, Report, tree
from lab.inject import Fault, trace_on_copy
from lab.trace import words

MAIN, OTHER = "default", "other"
MARK = "MARK"
AFTER = "what came afterwards"
FAULTY = str(Path(__file__).with_name("faulty.py"))
# Without `site`, whose own start makes most of the system calls that strace stops at: twice as many points a second.
PYTHON = (sys.executable, "-S")
SOURCE = {"PYTHONPATH": os.pathsep.join(str(Path(file).parent.parent) for file in (holdfast.__file__, __file__))}
_ELSEWHERE = "/a/workspace"  # the cache only makes its file name of it, and that must be the same in every copy
_RUNTIME = "runtime"  # the cache's folder lies inside the tree, so that it is copied, cut and judged with it


# ---- what is tried -----------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Scenario:
    """A command, and how often its mark must stand in which document afterwards (`today` is the day's file)."""

    words: tuple[str, ...]
    marks: Mapping[str, int]
    session: str = MAIN
    stdin: bytes = b""

    def command(self, broken: str = "") -> Command:
        """The real command line, or the one that is broken on purpose."""
        program = (FAULTY, broken, "--") if broken else ("-m", "holdfast")
        about = ("--workspace", _ELSEWHERE if self.words[0] == "cache" else ROOT, "--session", self.session)
        return Command((*PYTHON, *program, *about, *self.words), {"XDG_RUNTIME_DIR": f"{ROOT}/{_RUNTIME}", **SOURCE}, self.stdin)


STATE, CLASSIC, BUFFER = "memory/session-state.md", "SESSION-STATE.md", "memory/working-buffer.md"
_STATE = {STATE: 1, BUFFER: 1}
_ALL_STATE = {**_STATE, CLASSIC: 1}
_WHOLE = (
    "checkpoint", "--task", f"{MARK} the parser", "--exchange", "User: go on", "--unanswered", "none", "--in-flight", "none",
    "--tone", "calm", "--next", "write the tests",
)  # fmt: skip
_ONE_LINE: dict[str, tuple[str, ...]] = {
    "task": ("task", f"{MARK} rewrite the parser"),
    "decide": ("decide", f"{MARK} no regular expressions"),
    "context": ("context", "deadline", f"{MARK} Friday"),
    "pending": ("pending", f"{MARK} tell Anna"),
    "blocker": ("blocker", f"{MARK} the build is red"),
}
_WRITE = Scenario(("write", "notes/plan.md"), {"notes/plan.md": 1}, stdin=f"{MARK} and a plan\n".encode())

ON_EMPTY: dict[str, Scenario] = {
    **{name: Scenario(words, _STATE) for name, words in _ONE_LINE.items()},
    "done": Scenario(("done", f"{MARK} shipped"), _STATE),
    "note": Scenario(("note", f"{MARK} the cat is called Minka", "--type", "TECH"), {"today": 1}),
    "checkpoint": Scenario(_WHOLE, {"today": 1, STATE: 1}),
    "checkpoint-topic": Scenario(
        (*_WHOLE, "--topic", "alpha", "--status", f"{MARK} under way", "--history", f"{MARK} begun"),
        {"today": 2, STATE: 2, "memory/context-alpha.md": 2, "memory/context-session-map.json": 0},
    ),
    "snapshot": Scenario(("snapshot",), {}),
    "bind": Scenario(("topic", "bind", f"{MARK}-topic"), {"memory/context-session-map.json": 1}),
    "write": _WRITE,
    "cache": Scenario(("cache", "set", "key", f"{MARK} value"), {}),
}

ON_PREPARED: dict[str, Scenario] = {
    **{name: Scenario(words, _ALL_STATE) for name, words in _ONE_LINE.items()},
    "done": Scenario(("done", "ship it"), {}),
    "note": ON_EMPTY["note"],
    "checkpoint-topic": Scenario(
        (*_WHOLE, "--topic", "gamma", "--decision", f"{MARK} two passes"),
        {"today": 2, STATE: 2, CLASSIC: 2, "memory/context-gamma.md": 1},
    ),
    "checkpoint-rebinding": Scenario(
        (*_WHOLE, "--topic", "beta", "--status", f"{MARK} taken over"),
        {"today": 2, STATE: 2, CLASSIC: 1, "memory/context-beta.md": 1},
    ),
    "checkpoint-bound": Scenario(
        (*_WHOLE, "--decision", f"{MARK} two passes"), {"today": 2, STATE: 2, CLASSIC: 2, "memory/context-alpha.md": 1}
    ),
    "checkpoint-parking": Scenario(_WHOLE, {"today": 1, STATE: 1, CLASSIC: 1}, OTHER),
    "task-parking": Scenario(_ONE_LINE["task"], _ALL_STATE, "a third one"),
    "checkpoint-pruning": Scenario(
        (*_WHOLE, "--topic", "full", "--decision", f"{MARK} the 21st"),
        {"today": 2, STATE: 2, CLASSIC: 2, "memory/context-full.md": 1, "memory/archive/context-full.md": 0},
    ),
    "snapshot": ON_EMPTY["snapshot"],
    "restore": Scenario(("restore",), {}),
    "bind": ON_EMPTY["bind"],
    "unbind": Scenario(("topic", "unbind"), {}),
    "rename": Scenario(("topic", "rename", "alpha", f"{MARK}-omega"), {"memory/context-session-map.json": 1}),
    "write": _WRITE,
}


# ---- where it is tried -------------------------------------------------------------------------------------------------


def far_from_midnight() -> str:
    """A time zone in which it is noon: a test that runs into the next day would see two days' files and call it a loss."""
    return f"LAB{time.gmtime().tm_hour - 12:+d}"


@functools.cache
def _compiled() -> None:
    """The program as it is after its first run. Compiling itself anew at each of thousands of starts takes half the time."""
    names = ("memory", "commands.other", "commands.views", "commands.keeping", "briefing.recovery", "storage.cache")
    names += ("upkeep.applying", "upkeep.planning")
    modules = ", ".join(f"holdfast.{name}" for name in names)
    env = {**os.environ, **SOURCE, "PYTHONDONTWRITEBYTECODE": ""}
    subprocess.run([*PYTHON, "-c", f"import lab.broken, {modules}"], env=env, check=True)


@pytest.fixture(autouse=True)
def noon(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Noon, here and in every process that is started; and the judge's own commands, which are not on trial, need no disk."""
    _compiled()
    monkeypatch.setenv("TZ", far_from_midnight())
    monkeypatch.setattr(disk, "full_sync", lambda _fd: None)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def shop() -> Iterator[Path]:
    """A folder to work in, in memory where the system has such a place: what is tried here asks the kernel, not the disk."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(prefix="holdfast-", dir=memory if os.access(memory, os.W_OK) else None) as folder:
        yield Path(folder).resolve()


def empty(folder: Path) -> Path:
    """A workspace in which nothing has happened yet."""
    folder.mkdir(parents=True)
    return folder


def steady(folder: Path) -> Path:
    """A workspace in daily use, with the folders and the day that every command needs."""
    memory = Memory(str(empty(folder)), read_config(str(folder)), write=True)
    memory.checkpoint(MAIN, {"task": "the first task"}, topic="alpha")
    memory.change(MAIN, {"task": "the second task"})
    memory.close()
    return folder


def prepared(folder: Path) -> Path:
    """A workspace with a past: days, topics, a person's own lines, two sessions (one parked), a snapshot, a full topic."""
    folder.mkdir(parents=True)
    today = time.strftime("%Y-%m-%d")
    by_hand = {
        CLASSIC: "# Ours\r\n\r\n## Current Task\r\n[None]\r\n\r\n## My own\r\n- keep me\r\n",
        "MEMORY.md": "# Agent Memory\n#tags: all\n\n## [PREF] short answers\n",
        "memory/2026-01-02.md": "# 2026-01-02\n\n- [PREF] tabs, never spaces\n",
        f"memory/{today}.md": f"# {today}\n\n- a line by hand, without an end",
        "memory/semantic/build.md": "# Build\n#tags: make\n\nmake all\n",
        "notes/plan.md": "the old plan\n",
    }
    for name, text in by_hand.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode())
    memory = Memory(str(folder), read_config(str(folder)), write=True)
    decisions = [f"decision {n}" for n in range(1, 21)]
    memory.checkpoint(MAIN, {"task": "the twenty", "decisions": decisions}, topic="full", history=("twenty at once",))
    memory.checkpoint(OTHER, {"task": "the other's task", "next_steps": ["the other's next"]}, topic="beta")
    memory.checkpoint(MAIN, {"task": "the first task", "status": "begun", "next_steps": ["an old step"]}, topic="alpha")
    memory.snapshot(MAIN)
    memory.change(MAIN, {"pending": (("ship it", False),)})
    memory.change(MAIN, {"context": (("deadline", "Monday"),)})
    memory.note(MAIN, Note("a note from before", "LESSON"))
    memory.close()
    return folder


WORKSPACES = {"empty": (empty, ON_EMPTY), "prepared": (prepared, ON_PREPARED)}
CASES = [(where, name) for where, (_, scenarios) in WORKSPACES.items() for name in scenarios]


# ---- the judgement -----------------------------------------------------------------------------------------------------

_ID = re.compile(r"\d{8}-\d{6}-\d{6}-[0-9a-z]{8}")
_VARIES = (
    (re.compile(r"session-\d{8}-\d{6}(-\d{6}-[0-9a-z]{8})?\.md"), "session-‹time›.md"),
    (re.compile(r"<!-- (after|digest): .* -->"), r"<!-- \1 -->"),
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?([+-]\d\d:\d\d)?"), "‹time›"),
    (re.compile(r"(## Task Snapshot -- )\d\d:\d\d"), r"\1‹clock›"),
    (re.compile(r"(trash/‹[^›]*›\.)[0-9a-f]{8}"), r"\1‹digest›"),
)
Picture = dict[str, str]


def go_on(folder: Path) -> None:
    """The second command, as the next one would come: a minute later, with everything left behind to be caught up with."""
    for mark in (folder / ".holdfast" / "pending").glob("*"):
        os.utime(mark, (time.time() - 120,) * 2)
    try:
        with contextlib.closing(Memory(str(folder), read_config(str(folder)), write=True)) as memory:
            memory.note(MAIN, Note(AFTER))
        Cache({"XDG_RUNTIME_DIR": str(folder / _RUNTIME)}, _ELSEWHERE, MAIN).set("after", AFTER)
    except (HoldfastError, OSError) as error:
        raise AssertionError(f"the next command failed: {error}") from error


class Judge:
    """Knows how one scenario ends, with and without the command, and judges what a fault has left of it."""

    def __init__(self, scenario: Scenario, before: Path, work: Path) -> None:
        self.scenario, self.before = scenario, tree(before)
        self.known = {Path(name).stem for name in self.before if "/journal/" in name}
        work.mkdir(parents=True, exist_ok=True)
        undone, done = work / "without", work / "with"
        for folder in (undone, done):
            shutil.copytree(before, folder, symlinks=True)
        self._do(done)
        go_on(undone)
        go_on(done)
        self.without, self.with_it = self.picture(undone), self.picture(done)
        assert self.without != self.with_it, "the command has no effect; nothing would be proved by it"
        after = tree(done)
        self.untouched = [name for name, data in self.before.items() if data is not None and after.get(name) == data]
        self._count(done)
        for folder in (undone, done):
            shutil.rmtree(folder)

    def _do(self, folder: Path) -> None:
        """The command itself, undisturbed."""
        command = self.scenario.command()
        argv, env = command.argv_for(folder), command.env_for(folder)
        said = subprocess.run(argv, env=env, input=command.stdin, capture_output=True, check=False)
        assert said.returncode == 0, said.stderr.decode()

    def _count(self, folder: Path) -> None:
        """The undisturbed run has each mark as often as the table says: the pictures rest on that."""
        for name, times in self.scenario.marks.items():
            path = folder / name.replace("today", f"memory/{time.strftime('%Y-%m-%d')}.md")
            assert path.read_text().count(MARK) == times, f"{name} has the mark {path.read_text().count(MARK)} times"

    def picture(self, folder: Path) -> Picture:
        """Every file with its text, and what the reading commands say; ids and times replaced by marks."""
        return self._picture(folder, _files(folder))

    def _picture(self, folder: Path, found: Mapping[str, bytes]) -> Picture:
        new = sorted({Path(name).stem for name in found if "/journal/" in name} - self.known)
        numbers = {record: f"‹record {n}›" for n, record in enumerate(new, 1)}

        def still(text: str) -> str:
            text = _VARIES[0][0].sub(_VARIES[0][1], text)
            text = _ID.sub(lambda m: m[0] if m[0] in self.known else numbers.get(m[0], "‹record›"), text)
            for pattern, instead in _VARIES[1:]:
                text = pattern.sub(instead, text)
            return text

        texts = {name: still(data.decode("utf-8", "surrogateescape")) for name, data in found.items()}
        picture = {name if name in self.before else still(name): text for name, text in texts.items()}
        memory = Memory(str(folder), read_config(str(folder)), write=False)
        for session, thing in ((MAIN, "state"), (OTHER, "state"), (MAIN, "latest")):
            try:
                picture[f"show {thing} of {session}"] = still(shown(memory, session, thing)[0])
            except HoldfastError as error:
                picture[f"show {thing} of {session}"] = str(error)
        memory.close()
        return picture

    def check(self, folder: Path, *, acked: bool) -> None:
        """Go on with the next command, then compare with what may be."""
        go_on(folder)
        self.compare(folder, [self.with_it] if acked else [self.with_it, self.without])

    def compare(self, folder: Path, allowed: list[Picture]) -> None:
        """The workspace is one of the pictures; its journal is whole, and nothing is waiting or left over."""
        found = _files(folder)
        left = [name for name in found if re.search(r"holdfast/(swap|pending)/|holdfast-swap/", name)]
        assert not left, f"left behind: {left}"
        for name, data in found.items():
            if "/journal/" in name:
                assert journal.parse(data.decode("utf-8", "surrogateescape")), f"{name} is torn"
        spoilt = [name for name in self.untouched if found.get(name) != self.before[name]]
        assert not spoilt, f"changed, although the command has nothing to do with it: {spoilt}"
        picture = self.without_copies(self._picture(folder, found))
        wanted = [self.without_copies(one) for one in allowed]
        assert picture in wanted, _difference(wanted[0], picture)

    def without_copies(self, picture: Picture) -> Picture:
        """Without what `write` laid into the trash: a copy of what still stands there is no harm, and no effect.

        `restore` lays one there where the journal cannot be read: nobody knows then whether what stands there was edited by hand.
        """
        if self.scenario.words[0] not in ("write", "restore"):
            return picture
        return {name: text for name, text in picture.items() if "holdfast/trash/" not in name}


def _files(folder: Path) -> dict[str, bytes]:
    return {name: data for name, data in tree(folder).items() if data is not None}


def _difference(wanted: Picture, found: Picture) -> str:
    lines: list[str] = []
    for name in sorted(wanted.keys() | found.keys()):
        if wanted.get(name) != found.get(name):
            old, new = (one[name].splitlines() if name in one else ["(no file)"] for one in (wanted, found))
            lines += [f"{name}:", *list(difflib.unified_diff(old, new, "wanted", "found", lineterm="", n=0))[2:]]
    return "\n".join(lines[:40])


def changing_points(command: Command, before: Path, work: Path) -> Iterator[Fault]:
    """The calls that change the folder, the acknowledgement and the end.

    A kill before a call that only reads, locks or syncs leaves the same folder as a kill before the next one that changes
    something; to try each of them is for the two commands that are tried at all points.
    """
    run = trace_on_copy(command, before, work)
    for call in run.calls:
        makes = call.name != "openat" or "O_CREAT" in call.args[2]
        if call.name == "exit_group" or call.is_write_to_stdout() or (call.touches(run.root) and call.name in _CHANGES and makes):
            yield Fault(call.name, call.ordinal)


_CHANGES = words("fchmod fchown ftruncate linkat mkdir mkdirat openat pwrite64 rename renameat renameat2 unlink unlinkat write")


def tell(what: str, report: Report) -> None:
    """How much was examined, for `pytest -rP` and the page of numbers."""
    print(f"{what}: {report.examined} examined, {len(report.violations)} violations")
