"""One run with one fault: SIGKILL or an errno at the n-th call of a name."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from .command import Command, Report, Violation
from .trace import Call, Trace, record

_ATTEMPTS = 3


@dataclass(frozen=True, order=True)
class Fault:
    """What happens at call number `n` of `syscall`: `error`, or death where `error` is empty."""

    syscall: str
    n: int
    error: str = ""

    def __str__(self) -> str:
        effect = f"error={self.error}" if self.error else "signal=SIGKILL"
        return f"{self.syscall}:{effect}:when={self.n}"


@dataclass(frozen=True)
class Outcome:
    """What was seen from outside: the words, the exit status and the folder left behind."""

    fault: Fault
    folder: Path
    returncode: int
    stdout: bytes
    stderr: bytes
    struck: Call | None

    @property
    def acked(self) -> bool:
        """Whether anybody could believe that it was saved: it said something, or exit 0."""
        return bool(self.stdout) or self.returncode == 0

    @property
    def on_target(self) -> bool:
        """Whether the fault struck the folder, the acknowledgement or the exit."""
        call = self.struck
        return call is not None and (call.touches(self.folder) or is_ack_or_exit(call))


def is_ack_or_exit(call: Call) -> bool:
    return call.is_write_to_stdout() or call.name == "exit_group"


def trace_on_copy(
    command: Command, prepared: Path, work: Path, *, whole_data: bool = False
) -> Trace:
    """Trace the command on a copy of the tree; the copy is removed again."""
    root = _copy(prepared, work)
    try:
        return record(
            command.argv_for(root),
            root,
            env=command.env_for(root),
            stdin=command.stdin,
            whole_data=whole_data,
        )
    finally:
        shutil.rmtree(root.parent)


def strike(command: Command, prepared: Path, work: Path, fault: Fault) -> Outcome:
    """Run on a fresh copy of the tree with the fault. The caller removes `folder.parent`."""
    root = _copy(prepared, work)
    options = ["-e", f"trace={fault.syscall}", "-e", f"inject={fault}"]
    if fault.error:
        # Twice as quick, but for errors only: strace 6.1 drops an injected signal with it.
        options.append("--seccomp-bpf")
    try:
        run = record(
            command.argv_for(root),
            root,
            env=command.env_for(root),
            stdin=command.stdin,
            options=options,
        )
    except BaseException:
        shutil.rmtree(root.parent)
        raise
    struck = [c for c in run.calls if (c.name, c.ordinal) == (fault.syscall, fault.n)]
    struck = [c for c in struck if (c.injected if fault.error else c.result.startswith("?"))]
    hit = struck[0] if struck else None
    return Outcome(fault, root, run.returncode, run.stdout, run.stderr, hit)


def strike_all(
    command: Command,
    prepared: Path,
    work: Path,
    faults: Sequence[Fault],
    check: Callable[[Outcome], None],
) -> Report:
    """Strike with every fault, one process per core; `check` raises AssertionError."""

    def examine(fault: Fault) -> str | Violation | None:
        for _ in range(_ATTEMPTS):
            try:
                outcome = strike(command, prepared, work, fault)
                try:
                    check(outcome)
                finally:
                    shutil.rmtree(outcome.folder.parent)
            except AssertionError as wrong:
                return Violation(str(fault), str(wrong))
            if outcome.on_target:
                return None
        # A run that makes other calls than the traced one was struck elsewhere. To count that
        # as examined would report a point as safe that nobody has looked at.
        return str(fault)

    with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        results = list(pool.map(examine, faults))
    violations = tuple(r for r in results if isinstance(r, Violation))
    return Report(len(faults), violations, tuple(r for r in results if isinstance(r, str)))


def _copy(prepared: Path, work: Path) -> Path:
    work.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="run-", dir=work)).resolve() / "root"
    shutil.copytree(prepared, folder, symlinks=True)
    return folder
