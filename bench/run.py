"""Every number of docs/performance.md, measured in one run and printed as ratios: these machines are noisy, ratios less so.

    make bench

Commands are timed as whole processes from an installed wheel, interleaved with a bare `python -I -c pass` of the same
installation, and compared by their medians. Needs nothing but what `make` has set up; strace, where it is there, counts syncs.
"""

from __future__ import annotations

import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import search

ROUNDS = int(os.environ.get("BENCH_ROUNDS", "60"))
HERE = Path(__file__).parent.parent
RECORDS = 10_000


def main() -> int:
    """Measure, print, and say whether every number is within its reach."""
    with tempfile.TemporaryDirectory(prefix="holdfast-bench-") as folder:
        python, holdfast = installed(Path(folder))
        small, large = Path(folder) / "small", Path(folder) / "large"
        fill(small, 20)
        fill(large, RECORDS)
        rows = [*start_up(python, holdfast, small, large), syncs(python, small), *search.rows(python, holdfast, medians)]
    print(
        f"\n{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, "
        f"{ROUNDS} rounds, {time.strftime('%Y-%m-%d')}\n"
    )
    print("| what | measured | reach | |\n|---|---|---|---|")
    for what, measured, reach in rows:
        verdict = "" if measured is None else "ok" if measured <= reach else "MISSED"
        print(f"| {what} | {'not measured: no strace' if measured is None else f'{measured:.2f}'} | ≤ {reach:g} | {verdict} |")
    return int(any(measured is not None and measured > reach for _, measured, reach in rows))


def installed(folder: Path) -> tuple[str, str]:
    """A fresh environment with the wheel in it, as a user has it."""
    pip = [sys.executable, "-m", "pip", "-q", "--disable-pip-version-check"]
    wheels = folder / "wheels"
    subprocess.run([*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", str(wheels), str(HERE)], check=True)
    subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
    bin_ = folder / "venv" / "bin"
    (wheel,) = wheels.glob("*.whl")
    subprocess.run(
        [bin_ / "python", "-m", "pip", "-q", "--disable-pip-version-check", "install", "--no-deps", "--no-index", wheel],
        check=True,
    )
    return str(bin_ / "python"), str(bin_ / "holdfast")


def fill(workspace: Path, count: int) -> None:
    """A workspace with that many records over a month: half changes of the state, notes, every tenth a checkpoint."""
    from holdfast.config import Config
    from holdfast.memory import Memory
    from holdfast.model import Note

    start = time.time() - 30 * 86400
    now = [start]
    sync, os.fsync = os.fsync, lambda _fd: None  # what is measured comes later; filling need not be durable
    try:
        memory = Memory(str(workspace), Config(), write=True, clock=lambda: now[0])
        for i in range(count):
            now[0] = start + i * 30 * 86400 / count
            session = f"agent:main:{i % 3}"
            if i % 10 == 0:
                memory.checkpoint(
                    session, {"task": f"task {i}", "decisions": (f"decision {i}",), "goal": "fill"}, topic=f"topic-{i % 5}"
                )
            elif i % 2:
                memory.change(session, {"context": ((f"key {i % 20}", f"value {i}"),)})
            else:
                memory.note(session, Note(f"note {i} about something that happened", "PROJ"))
        memory.close()
    finally:
        os.fsync = sync


def spent(argv: list[str]) -> float:
    """Wall time of one process."""
    sink = os.open(os.devnull, os.O_RDWR)
    begun = time.perf_counter()
    streams = [(os.POSIX_SPAWN_DUP2, sink, number) for number in (0, 1, 2)]
    pid = os.posix_spawn(argv[0], argv, os.environ, file_actions=streams)
    _, status = os.waitpid(pid, 0)
    taken = time.perf_counter() - begun
    os.close(sink)
    assert status == 0, argv
    return taken


def medians(commands: dict[str, list[str]]) -> dict[str, float]:
    """The commands, one after another, round by round, so that a busy minute hits them all alike."""
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(ROUNDS):
        for name, argv in commands.items():
            times[name].append(spent(argv))
    return {name: statistics.median(values) for name, values in times.items()}


def start_up(python: str, holdfast: str, small: Path, large: Path) -> list[tuple[str, float | None, float]]:
    """One-line commands and checkpoints against a bare interpreter, and with ten thousand records against few."""
    checkpoint = ["checkpoint", "--topic", "topic-1", "--status", "s", "--task", "t", "--goal", "g", "--session", "agent:main:1"]
    task = ["task", "x", "--session", "agent:main:1"]
    found = medians(
        {
            "bare": [python, "-I", "-c", "pass"],
            "task": [holdfast, "--workspace", str(small), *task],
            "task large": [holdfast, "--workspace", str(large), *task],
            "checkpoint": [holdfast, "--workspace", str(small), *checkpoint],
            "checkpoint large": [holdfast, "--workspace", str(large), *checkpoint],
            "recover": [holdfast, "--workspace", str(small), "recover", "--session", "agent:main:1"],
            "recover large": [holdfast, "--workspace", str(large), "recover", "--session", "agent:main:1"],
        }
    )
    print(", ".join(f"{name} {1000 * seconds:.1f} ms" for name, seconds in found.items()))
    return [
        ("`holdfast task x` / bare interpreter", found["task"] / found["bare"], 4),
        (f"`task`, {RECORDS:,} records / 20", found["task large"] / found["task"], 4 / 3),
        (f"`checkpoint`, {RECORDS:,} records / 20", found["checkpoint large"] / found["checkpoint"], 4 / 3),
        (f"`recover`, {RECORDS:,} records / 20 (it has more to say)", found["recover large"] / found["recover"], 2),
    ]


def syncs(python: str, workspace: Path) -> tuple[str, float | None, float]:
    """How often a durable checkpoint, with all its documents, syncs in the steady state."""
    what = "fsyncs of a checkpoint with topic, day, state and journal"
    if not shutil.which("strace"):
        return what, None, 12
    argv = [
        python,
        "-m",
        "holdfast",
        "--workspace",
        str(workspace),
        "checkpoint",
        "--topic",
        "topic-1",
        "--status",
        "s",
        "--task",
        "t",
        "--decision",
        "d",
        "--session",
        "agent:main:1",
    ]
    subprocess.run(argv, check=True, capture_output=True)
    done = subprocess.run(["strace", "-f", "-e", "trace=fsync,fdatasync", *argv], check=True, capture_output=True, text=True)
    return what, float(done.stderr.count("sync(")), 12


if __name__ == "__main__":
    sys.exit(main())
