"""Every number of docs/performance.md, measured in one run and printed as ratios: these machines are noisy, ratios less so.

    make bench

Commands are timed as whole processes from an installed wheel, interleaved with a bare `python -I -c pass` of the same
installation, and compared by their medians. Needs nothing but what `make` has set up; strace, where it is there, counts syncs.
"""

from __future__ import annotations

import json
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
import server
import upkeep

ROUNDS = int(os.environ.get("BENCH_ROUNDS", "60"))
HERE = Path(__file__).parent.parent
RECORDS = 10_000
GIGABYTES = float(os.environ.get("BENCH_GIGABYTES", "2"))


def main() -> int:
    """Measure, print, and say whether every number is within its reach."""
    with tempfile.TemporaryDirectory(prefix="holdfast-bench-") as folder:
        python, holdfast = installed(Path(folder))
        small, large = Path(folder) / "small", Path(folder) / "large"
        fill(small, 20)
        fill(large, RECORDS)
        rows = [
            *start_up(python, holdfast, small, large),
            syncs(python, small),
            *tail_read(holdfast, Path(folder)),
            *importing(python, holdfast, Path(folder)),
            *short_hooks(python, holdfast, Path(folder)),
            *hooks(python, holdfast, Path(folder)),
            *redaction(),
            *search.rows(python, holdfast, medians),
            *upkeep.rows(),
            *server.rows(),
        ]
    print(
        f"\n{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, "
        f"{ROUNDS} rounds, {time.strftime('%Y-%m-%d')}\n"
    )
    print("| what | measured | reach | |\n|---|---|---|---|")
    for what, measured, reach in rows:
        verdict = "" if measured is None else "ok" if measured <= reach else "MISSED"
        print(f"| {what} | {'not measured' if measured is None else f'{measured:.2f}'} | ≤ {reach:g} | {verdict} |")
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


def spent(argv: list[str], given: str = os.devnull) -> float:
    """Wall time of one process, with a file for its standard input."""
    sink, source = os.open(os.devnull, os.O_RDWR), os.open(given, os.O_RDONLY)
    begun = time.perf_counter()
    streams = [(os.POSIX_SPAWN_DUP2, source, 0), (os.POSIX_SPAWN_DUP2, sink, 1), (os.POSIX_SPAWN_DUP2, sink, 2)]
    pid = os.posix_spawn(argv[0], argv, os.environ, file_actions=streams)
    _, status = os.waitpid(pid, 0)
    taken = time.perf_counter() - begun
    os.close(sink)
    os.close(source)
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


def importing(python: str, holdfast: str, folder: Path) -> list[tuple[str, float | None, float]]:
    """A first import and one with nothing new, against one process that parses the same lines with `json`."""
    import json
    import random

    chance, sessions = random.Random(7), folder / "home" / ".claude" / "projects" / "-w"  # noqa: S311 - the same words each time
    words = ["".join(chance.choices("etaoinshrdlu", k=chance.randint(2, 9))) for _ in range(800)]
    words += [f"{word}_{number}" for number, word in enumerate(words[:60])]  # about one word in fifteen is a name
    sessions.mkdir(parents=True)
    for number in range(20):
        about = {
            "sessionId": f"s{number}",
            "cwd": "/w",
            "isSidechain": False,
            "timestamp": f"2026-03-{number + 1:02d}T10:00:00.000Z",
        }
        entries = []
        for turn in range(120):
            text = " ".join(chance.choices(words, k=500))
            call = {"type": "tool_use", "id": f"t{turn}", "name": "Edit", "input": {"file_path": f"/w/{turn % 9}.py"}}
            call["input"] |= {"old_string": text[:300], "new_string": text[300:600]}
            result = {
                "type": "tool_result",
                "tool_use_id": f"t{turn}",
                "content": "\n".join([text] * 6),
            }  # most of a real session
            entries += [("user", f"please change {words[turn]} once more"), ("assistant", [call]), ("user", [result])]
            entries.append(("assistant", [{"type": "text", "text": text[:600]}]))
        lines = [json.dumps({**about, "type": who, "message": {"role": who, "content": said}}) for who, said in entries]
        (sessions / f"s{number}.jsonl").write_text("\n".join(lines) + "\n")
    size = sum(path.stat().st_size for path in sessions.iterdir())
    parse = "import json, pathlib, sys; [json.loads(l) for p in pathlib.Path(sys.argv[1]).iterdir() for l in p.open('rb')]"
    environ, os.environ["HOME"] = os.environ.get("HOME", ""), str(folder / "home")
    times: dict[str, list[float]] = {"json": [], "first": [], "again": []}
    try:
        for turn in range(5):
            command = [holdfast, "--workspace", str(folder / f"import-{turn}"), "import", "--all"]
            times["json"].append(spent([python, "-I", "-c", parse, str(sessions)]))
            times["first"].append(spent(command))
            times["again"].append(spent(command))
    finally:
        os.environ["HOME"] = environ
    found = {name: statistics.median(values) for name, values in times.items()}
    print(f"import of 20 sessions, {size / 1e6:.0f} MB: {found['first']:.2f} s, {size / 1e6 / found['first']:.0f} MB/s")
    return [
        (
            f"first `import` of 20 sessions, {size / 1e6:.0f} MB / parsing their lines with `json`",
            found["first"] / found["json"],
            20,
        ),
        ("the same `import` again, nothing new / parsing", found["again"] / found["json"], 1),
    ]


def short_hooks(python: str, holdfast: str, folder: Path) -> list[tuple[str, float | None, float]]:
    """Hooks in a session of a few turns, against a bare interpreter: an ordinary prompt, the end of a turn, briefs."""
    path, workspace = folder / "short.jsonl", folder / "short"
    session_of_work(path, 60_000)
    sent = {
        "an ordinary prompt": {"hook_event_name": "UserPromptSubmit", "prompt": "now add a test for the rounding"},
        "the end of a turn": {"hook_event_name": "Stop"},
        "after a compaction": {"hook_event_name": "SessionStart", "source": "compact"},
        "a new session": {"hook_event_name": "SessionStart", "source": "startup", "session_id": "s2"},
    }
    about = {"session_id": "s1", "transcript_path": str(path), "cwd": str(folder)}
    files = {name: folder / f"payload-{number}.json" for number, name in enumerate(sent)}
    for name, payload in sent.items():
        files[name].write_text(json.dumps({**about, **payload}))
    hook = [holdfast, "--workspace", str(workspace), "hook", "claude-code"]
    times: dict[str, list[float]] = {"bare": [], **{name: [] for name in sent}}
    for _ in range(3 + ROUNDS):  # the first ones save, make folders, and are left out
        times["bare"].append(spent([python, "-I", "-c", "pass"]))
        for name, file in files.items():
            times[name].append(spent(hook, str(file)))
    found = {name: statistics.median(values[3:]) for name, values in times.items()}
    print("hooks: " + ", ".join(f"{name} {1000 * one:.1f} ms ({one / found['bare']:.2f})" for name, one in found.items()))
    return [
        ("a hook with nothing to say (an ordinary prompt) / bare interpreter", found["an ordinary prompt"] / found["bare"], 2.5),
        ("a hook with a brief to give (after a compaction) / bare interpreter", found["after a compaction"] / found["bare"], 3.5),
    ]


def hooks(python: str, holdfast: str, folder: Path) -> list[tuple[str, float | None, float]]:
    """A compaction of a session of 4 MB, saved, and its brief given; against parsing its lines.

    Once as the first that we see of it, once where the end of each turn was told: then there is only the last turn to read.
    """
    whole, path, home = folder / "whole.jsonl", folder / "session.jsonl", folder / "home"
    session_of_work(whole, 4_000_000)
    lines = whole.read_bytes().splitlines(keepends=True)
    env = {**os.environ, "HOME": str(home)}
    about = {"session_id": "s", "transcript_path": str(path), "cwd": str(folder), "source": "compact"}
    parsing = [python, "-c", "import json, sys\nfor line in open(sys.argv[1], 'rb'): json.loads(line)", str(path)]
    times: dict[str, list[float]] = {}

    def timed(name: str, argv: list[str], event: str = "") -> None:
        payload = json.dumps({**about, "hook_event_name": event}).encode()
        begun = time.perf_counter()
        subprocess.run(argv, input=payload, env=env, cwd=folder, check=True, capture_output=True)
        times.setdefault(name, []).append(time.perf_counter() - begun)

    for _ in range(max(7, ROUNDS // 4)):
        for way in ("seen first", "followed"):
            shutil.rmtree(home, ignore_errors=True)
            path.write_bytes(b"".join(lines[:-40]))
            if way == "followed":
                timed("the end of a turn, seen first", [holdfast, "hook", "claude-code", "Stop"], "Stop")
            path.write_bytes(b"".join(lines))
            timed("json", parsing)
            for event in ("PreCompact", "SessionStart"):
                timed(f"{event}, {way}", [holdfast, "hook", "claude-code", event], event)
    found = {name: statistics.median(values) for name, values in times.items()}
    print("hooks, 4 MB: " + ", ".join(f"{name} {1000 * seconds:.1f} ms" for name, seconds in found.items()))
    what = "PreCompact and SessionStart, 4 MB {} / a process that parses its lines"
    ways = {"seen first": ("", 9), "followed": ("of which the turns were followed", 5)}
    both = {way: found[f"PreCompact, {way}"] + found[f"SessionStart, {way}"] for way in ways}
    return [(" ".join(what.format(said).split()), both[way] / found["json"], reach) for way, (said, reach) in ways.items()]


def session_of_work(path: Path, size: int) -> None:
    """A session as Claude Code writes it: files read, edited and tested, talk about them, and every result twice.

    The files are the standard library's, not ours: our tables of secrets would be a session about nothing but secrets.
    """
    sources = sorted(path for path in Path(os.__file__).parent.glob("*.py") if 20_000 < path.stat().st_size < 200_000)
    number = 0
    with path.open("w") as file:
        while file.tell() < size:
            source = sources[number % len(sources)]
            text, call = source.read_text()[: 200 + 997 * (number % 9)], f"c{number}"
            name, given = (
                ("Read", {"file_path": str(source)}),
                ("Bash", {"command": f"pytest -q tests -k {source.stem}"}),
                ("Edit", {"file_path": str(source), "old_string": text[:80], "new_string": text[40:160]}),
            )[number % 3]
            said = f"Looking at `{source.stem}` for step {number}: " + " ".join(text.split()[:40])
            blocks = [{"type": "text", "text": said}, {"type": "tool_use", "id": call, "name": name, "input": given}]
            results = [{"type": "tool_result", "tool_use_id": call, "content": text}]
            lines: list[dict[str, object]] = [
                {"type": "assistant", "message": {"role": "assistant", "content": blocks}},
                {"type": "user", "message": {"role": "user", "content": results}, "toolUseResult": {"stdout": text}},
            ]
            if number % 12 == 0:
                asked = {"role": "user", "content": f"step {number}: please mend {source.stem}"}
                lines.insert(0, {"type": "user", "message": asked})
            for line in lines:
                about = {"parentUuid": "p", "isSidechain": False, "cwd": "/w", "sessionId": "s", "gitBranch": "main"}
                stamp = {"uuid": call, "timestamp": f"2026-11-15T{number // 600 % 24:02}:{number // 10 % 60:02}:00.000Z"}
                late = {"toolUseResult": line.pop("toolUseResult")} if "toolUseResult" in line else {}
                file.write(json.dumps({**about, **line, **stamp, **late}, separators=(",", ":")) + "\n")
            number += 1


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


def tail_read(holdfast: str, folder: Path) -> list[tuple[str, float | None, float]]:
    """The tail read of a transcript of 2 GB against `tail -n 400`, and the memory that it takes."""
    path = folder / "transcript.jsonl"
    long_lines(path, int(GIGABYTES * 1e9))
    times: dict[str, list[float]] = {"tail": [], "ours": []}
    most = 0.0
    for _ in range(7):
        times["tail"].append(spent([shutil.which("tail") or "tail", "-n", "400", str(path)]))
        times["ours"].append(spent([holdfast, "tail", str(path)]))
        most = max(most, resident([holdfast, "tail", str(path)]))
    path.unlink()
    plain, ours = statistics.median(times["tail"]), statistics.median(times["ours"])
    print(f"tail of {GIGABYTES:g} GB: `tail -n 400` {1000 * plain:.1f} ms, `holdfast tail` {1000 * ours:.1f} ms, {most:.1f} MB")
    return [
        (f"`holdfast tail`, {GIGABYTES:g} GB / `tail -n 400`", ours / plain, 5),
        (f"`holdfast tail`, {GIGABYTES:g} GB, MB of memory", most, 60),
    ]


def long_lines(path: Path, size: int) -> None:
    """A transcript with lines from a hundred bytes to five megabytes, as many of each order of size."""
    import random

    chance, words = random.Random(5), ("what a tool printed, line by line, without end; é " * 100_000).encode()  # noqa: S311
    head, foot = b'{"type":"user","sessionId":"s","message":{"role":"user","content":"', b'"}}\n'
    with path.open("wb") as file:
        while file.tell() < size:
            length = int(100 * 50_000 ** chance.random())
            file.write(head + words[: length - length % 51] + foot)  # 51 bytes: no letter is cut in two


def resident(argv: list[str]) -> float:
    """The most memory that a process has had, in MB. A small process starts it: a child's count begins with its parent's."""
    helper = "import sys, resource, subprocess as s; s.run(sys.argv[1:], stdout=-3, stderr=-3, check=True);"
    helper += "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", helper, *argv], check=True, capture_output=True, text=True)
    return int(done.stdout) / (1024 if sys.platform != "darwin" else 1024 * 1024)


def redaction() -> list[tuple[str, float | None, float]]:
    """How long notes take to be searched for secrets: prose and code, in pieces of a megabyte; the best of five."""
    from pydoc_data import topics

    from holdfast.guard import telltales
    from holdfast.guard.redaction import secrets_in

    notes = "\n".join([*(path.read_text() for path in sorted((HERE / "docs").rglob("*.md"))), *topics.topics.values()])
    piece = (notes * (1_000_000 // len(notes) + 1))[:1_000_000]
    rows: list[tuple[str, float | None, float]] = []
    for what, megabytes, engine in (("the base install", 5, "by_vocabulary"), ("the extra `fast`", 20, "by_hyperscan")):
        try:
            secrets_in(piece, getattr(telltales, engine))
        except ImportError:
            rows.append((f"seconds for {megabytes} MB of notes, {what}", None, 1))
            continue
        times = []
        for _ in range(5):
            begun = time.perf_counter()
            secrets_in(piece, getattr(telltales, engine))
            times.append(time.perf_counter() - begun)
        rows.append((f"seconds for {megabytes} MB of notes, {what}", min(times) * megabytes, 1))
    return rows


if __name__ == "__main__":
    sys.exit(main())
