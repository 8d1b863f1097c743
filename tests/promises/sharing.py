"""What the promises about sharing a workspace have in common: many processes, a person with an editor, and what is there.

    python sharing.py VARIANT -- ARGV...             one command, with one thing broken on purpose (`as-it-is`: nothing)
    python sharing.py VARIANT WORKSPACE WRITER COUNT  many commands in one process, each announced before it is tried

A writer says on stdout `try <what>` before each command, and the command itself says `saved …` when it acknowledges. So its
output, a file outside the workspace, is the list of what must be there, even if the writer dies in the middle.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from holdfast import cli
from holdfast.config import Config
from holdfast.memory import Memory
from holdfast.storage import disk, journal, store, writing
from holdfast.storage.packing import unpacked

SESSIONS = ("agent:main", "agent:two", "agent:three")
TOPICS = ("harbour", "lighthouse", "tide tables")


# ---- variants that are broken on purpose -------------------------------------------------------------------------------


def _blind_replace() -> None:
    """Read, modify, write: no lock, and the new text is renamed over whatever is there by then."""

    def no_lock(self: disk.Lock, patience: float) -> bool:
        self.held = True
        return True

    disk.Lock.take = no_lock  # type: ignore[method-assign]
    disk.Lock.release = lambda self: None  # type: ignore[method-assign]
    store.Store._swap_in = blind_swap_in  # type: ignore[method-assign]


def blind_swap_in(self: store.Store, document: store.Document, record_id: str, old: bytes, new: bytes) -> None:
    """The new text over the old one, whatever that is by now."""
    document.folder.place(document.folder.prepare(new), document.folder, document.name, over=True)


def _lock_by_file() -> None:
    """The lock is a file that its holder makes and removes: a holder that is killed holds it for ever."""

    def path_of(lock: disk.Lock) -> str:
        return os.readlink(f"/proc/self/fd/{lock.fd}") + ".pid"

    def take(self: disk.Lock, patience: float) -> bool:
        until = time.monotonic() + patience
        while not self.held:
            try:
                os.close(os.open(path_of(self), os.O_CREAT | os.O_EXCL))
                self.held = True
            except FileExistsError:
                if time.monotonic() >= until:
                    return False
                time.sleep(0.01)
        return True

    def release(self: disk.Lock) -> None:
        if self.held:
            os.unlink(path_of(self))
            self.held = False

    disk.Lock.take = take  # type: ignore[method-assign]
    disk.Lock.release = release  # type: ignore[method-assign]


def _ack_without_journal() -> None:
    """A busy lock is answered with an acknowledgement and nothing else."""
    disk.Lock.take = lambda self, patience: False  # type: ignore[method-assign]
    journal.Journal.write = lambda self, record: None  # type: ignore[method-assign]


def _stop_at(fsync: int) -> Callable[[], None]:
    """Nothing is broken, but the process stops itself (SIGSTOP) before one of its syncs, the lock in its hand."""

    def patch() -> None:
        import signal

        real, calls = os.fsync, 0

        def stopping(fd: Any) -> None:
            nonlocal calls
            calls += 1
            if calls == fsync:
                os.kill(os.getpid(), signal.SIGSTOP)
            real(fd)

        os.fsync = stopping

    return patch


VARIANTS: dict[str, Callable[[], None]] = {
    "as-it-is": lambda: None,
    "blind-replace": _blind_replace,
    "lock-by-file": _lock_by_file,
    "ack-without-journal": _ack_without_journal,
    **{f"stop-at-sync-{n}": _stop_at(n) for n in range(1, 20)},
}


# ---- writers -----------------------------------------------------------------------------------------------------------


def words_of(writer: int, number: int) -> tuple[str, list[str]]:
    """What a writer's command is about, and its words: seven notes, two decisions and a checkpoint in ten."""
    about = f"{('note', 'choice', 'plan')[_kind(number)]} {writer}-{number}."
    session = ["--session", SESSIONS[(writer + number) % 3]]
    if _kind(number) == 0:
        return about, ["note", *session, about]
    if _kind(number) == 1:
        return about, ["decide", *session, about]
    return about, ["checkpoint", *session, "--topic", TOPICS[number % 3], "--decision", about, "--task", f"task {about}"]


def _kind(number: int) -> int:
    return (0, 0, 1, 0, 0, 2, 0, 0, 1, 0)[number % 10]


def write_many(workspace: str, writer: int, count: int) -> int:
    """One process that saves one thing after the other; an exit code other than 0 ends it."""
    for number in range(count):
        about, words = words_of(writer, number)
        print(f"try {about}", flush=True)
        code = cli.main([*words, "--workspace", workspace])
        if code:
            return code
    return 0


def start_writer(variant: str, workspace: Path, writer: int, count: int, said: Path) -> subprocess.Popen[bytes]:
    """A writer as a process of its own, its words going to a file outside the workspace."""
    argv = [sys.executable, __file__, variant, str(workspace), str(writer), str(count)]
    with said.open("wb") as out, said.with_suffix(".err").open("wb") as err:
        return subprocess.Popen(argv, stdout=out, stderr=err, stdin=subprocess.DEVNULL)


def acknowledged(said: str) -> tuple[dict[str, str], list[str]]:
    """What a writer's words promise: ({what: record id}, what was tried and not acknowledged)."""
    acks: dict[str, str] = {}
    open_tries: list[str] = []
    for line in said.splitlines():
        if line.startswith("try "):
            open_tries.append(line[4:])
        elif line.startswith("saved  "):
            acks[open_tries.pop()] = line.split("  ")[1]
    return acks, open_tries


# ---- one command -------------------------------------------------------------------------------------------------------


def holdfast(workspace: Path, *words: str, variant: str = "", stdin: bytes = b"") -> subprocess.CompletedProcess[str]:
    """The real command, or a variant of it; never raises."""
    done = subprocess.run(
        [*command(variant), *words, "--workspace", str(workspace)], input=stdin, capture_output=True, check=False, timeout=60
    )
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
    )


def command(variant: str = "") -> list[str]:
    """The command line that the words go behind."""
    return [sys.executable, __file__, variant, "--"] if variant else [sys.executable, "-m", "holdfast"]


def saved_id(done: subprocess.CompletedProcess[str]) -> str:
    """The id that a command acknowledged."""
    assert done.returncode == 0, done.stderr
    found = re.match(r"saved  (\S+)", done.stdout)
    assert found, done.stdout
    return found[1]


def opened(workspace: Path, clock: Callable[[], float] = time.time) -> Memory:
    """The memory of a workspace, for writing, in this process."""
    return Memory(str(workspace), Config(), write=True, clock=clock)


# ---- a process that dies ------------------------------------------------------------------------------------------------


class Crash(BaseException):
    """A process that ends here: nothing that it would still have done is done."""


NO_PROCESS = (1 << 22) + 1  # above every process id that Linux gives


def crashing(at: int, patch: pytest.MonkeyPatch) -> list[str]:
    """Let this process end before its n-th step that changes the disk; the list grows by each step that it comes to.

    From then on every step raises: a process that is dead does not clear up behind itself either. Its id is one that nobody
    has, as a dead process's is.
    """
    done: list[str] = []

    def counted(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            done.append(name)
            if len(done) >= at:
                raise Crash
            return real(*args, **kwargs)

        return call

    for name in ("fsync", "unlink", "mkdir", "rmdir", "write", "pwrite", "rename", "link"):
        patch.setattr(os, name, counted(name, getattr(os, name)))
    patch.setattr(disk, "_renameat2", counted("renameat2", disk._renameat2))
    patch.setattr(os, "getpid", lambda: NO_PROCESS)
    return done


# ---- what is there -----------------------------------------------------------------------------------------------------


def journal_ids(workspace: Path) -> list[str]:
    """Every id in the journal, oldest first, packed or not."""
    packs = {record for path in workspace.glob(".holdfast/journal/*.md") for record in unpacked(path.read_bytes())}
    return sorted(packs.union(path.stem for path in workspace.glob(".holdfast/journal/*/*.md")))


def left_over(workspace: Path) -> list[str]:
    """Records that a document still lacks, and files in the swap folder. A mark whose record never came is no record."""
    ids = set(journal_ids(workspace))
    pending = [path.name for path in (workspace / ".holdfast/pending").glob("*") if path.name in ids]
    return sorted([*pending, *(f"swap/{path.name}" for path in (workspace / ".holdfast/swap").glob("*"))])


def text_of(path: Path) -> str:
    """A document, whatever its bytes; empty where there is none."""
    return path.read_bytes().decode("utf-8", "surrogateescape") if path.exists() else ""


def lines_in(paths: Iterable[Path]) -> list[str]:
    """All the lines of some documents."""
    return [line for path in paths for line in text_of(path).split("\n")]


def days(workspace: Path) -> list[Path]:
    """The day files."""
    return sorted((workspace / "memory").glob("[0-9]*-[0-9]*-[0-9]*.md"))


def times_in_documents(workspace: Path) -> Iterator[tuple[Callable[[str, str], bool], Callable[[str, str], int], str]]:
    """For each kind of record: whose it is, how often a document that is only ever added to has it, and which document."""
    day, buffer = lines_in(days(workspace)), lines_in([workspace / "memory/working-buffer.md"])
    topics = [*(workspace / "memory").glob("context-*.md"), *(workspace / "memory/archive").glob("context-*.md")]
    decisions = [line.partition(": ")[2] for line in lines_in(topics)]
    blocks = [line[len("<!-- holdfast: ") : -len(" -->")] for line in day if line.startswith("<!-- holdfast: ")]
    buffered = [line.partition(" decide: ")[2] for line in buffer]
    counts = [_counted(found) for found in (day, buffered, decisions, blocks)]
    yield lambda what, _: what.startswith("note"), lambda what, _: counts[0].get(f"- {what}", 0), "the day"
    yield lambda what, _: what.startswith("choice"), lambda what, _: counts[1].get(what, 0), "the buffer"
    yield lambda what, _: what.startswith("plan"), lambda what, _: counts[2].get(what, 0), "the topics and their archive"
    yield lambda what, ack: what.startswith("plan") and bool(ack), lambda _, ack: counts[3].get(ack, 0), "the day's snapshots"


def _counted(values: Iterable[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for value in values:
        found[value] = found.get(value, 0) + 1
    return found


def wrong_with(workspace: Path, acks: dict[str, str], unknown: Iterable[str] = ()) -> list[str]:
    """Every acknowledgement that is not in the journal, or not exactly once in its documents."""
    ids = set(journal_ids(workspace))
    wrong = [f"{what}: {ack} is not in the journal" for what, ack in acks.items() if ack not in ids]
    for concerns, times, where in times_in_documents(workspace):
        for what, ack in acks.items():
            if concerns(what, ack) and times(what, ack) != 1:
                wrong.append(f"{what}: {times(what, ack)} times in {where}")
        wrong += [f"{what}: twice in {where}" for what in unknown if concerns(what, "") and times(what, "") > 1]
    return wrong


def main(arguments: list[str]) -> int:
    """Run as a script: see the docstring of the module."""
    variant, *rest = arguments
    # A long-held lock is told apart from a dead one by patience; nothing here may depend on how long that is.
    assert writing.PATIENCE > 0
    VARIANTS[variant]()
    if rest[0] == "--":
        return cli.main(rest[1:])
    workspace, writer, count = rest
    return write_many(workspace, int(writer), int(count))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
