"""H1: whatever is wrong with us, the host goes on: exit 0, an answer that it understands, a receipt or a reason, and no waiting.

Every hook with a dead store, a full disk, a lock that is held, settings that cannot be read, and garbage for a payload. That
nobody waits is shown without a clock: a sync takes so long that only a hook which does not wait for it can be done before it is,
and the work is done all the same. The control waits, and is found out.

How long a hook may take goes by the occasion, and a brief that is due is never left empty for want of time: shown beside eight
busy loops with what each host sends at a compaction. The control, which has no time and no brief in reserve, gives nothing.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from afflicted import EVENTS, FAULTS, Host, host_for, understood

from sessions import STORY, Machine, Turn

GARBAGE = [b"{", b"[]", b"\xff\x00", b'"x"', b"[" * 50_000, b"null", b'{"session_id": {"a": 1}, "transcript_path": 7}']
SLOW = {"Stop": 5, "PreCompact": 14, "SessionStart": 14}  # seconds that a sync takes; the host is let go after two, or after ten
PATIENCE = 90.0


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_leaves_the_host_alone_and_a_reason_behind(fault: str, event: str, tmp_path: Path) -> None:
    """Claude Code's hooks; and what was there before the fault is there after it."""
    with host_for(fault, tmp_path) as host:
        before = len(host.receipts())
        with FAULTS[fault](host):
            done = host.fire(event)
        assert done.returncode == 0
        assert understood(event, done.stdout), done.stdout
        written = len(host.receipts()) - before
        assert written == 1 or (written == 0 and done.stderr), (host.receipts(), done.stderr)
        assert b"Traceback" not in done.stderr
        brief = host.brief("s2")
        assert "never touch old invoices" in brief


@pytest.mark.parametrize("event", ["Stop", "PreCompact", "SessionStart", "UserPromptSubmit"])
@pytest.mark.parametrize("fault", [fault for fault in FAULTS if fault != "full disk"])
def test_codex_too(fault: str, event: str, tmp_path: Path) -> None:
    """The same payloads; before a compaction it is told nothing."""
    with host_for(fault, tmp_path) as host:
        before = len(host.receipts())
        with FAULTS[fault](host):
            done = host.fire(event, "codex")
        assert (done.returncode, done.stderr) == (0, b"")
        assert understood(event, done.stdout)
        assert len(host.receipts()) == before + 1


@pytest.mark.parametrize("stdin", GARBAGE)
@pytest.mark.parametrize("event", ["Stop", "PreCompact", "SessionStart"])
def test_garbage_is_answered_with_silence_and_a_receipt(event: str, stdin: bytes, tmp_path: Path) -> None:
    """What is no JSON object is said to be none; what is one, with odd things in it, is taken as far as it goes."""
    host = Host(tmp_path, tmp_path / "workspace")
    before = len(host.receipts())
    done = host.fire(event, stdin=stdin)
    assert (done.returncode, done.stderr) == (0, b"")
    assert understood(event, done.stdout)
    (receipt,) = host.receipts()[before:]
    assert receipt.get("failed") == (None if stdin.startswith(b"{\"") else ["what the host sent is no JSON object"])


# ---- nobody waits ------------------------------------------------------------------------------------------------------

needs_strace = pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
# The first sync is held up before it begins. The tracer runs beside (-D), so that the program is our child, as it is a host's.
STRACE = ["strace", "-D", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync", "-e"]
WAITING = """
import sys
from holdfast.storage import processes
def beside(work, patience, reserve=None, after=0.0):
    handed = []
    work(handed.append)
    return handed[0]
processes.beside = beside
from holdfast.cli import main
sys.exit(main(sys.argv[1:]))
"""


def slowly(host: Host, event: str, *, waits: bool) -> tuple[bytes, list[dict[str, object]]]:
    """A hook whose first sync is slow: its reply, and the receipts that there are when it is done."""
    before = len(host.receipts())
    program = [sys.executable, "-c", WAITING] if waits else [sys.executable, "-m", "holdfast"]
    reply = host.folder / "reply"
    delay = f"inject=fsync:delay_enter={SLOW[event]}000000:when=1"
    with reply.open("wb") as out:  # no pipe: the tracer would hold its other end
        argv = [*STRACE, delay, *program, "hook", "claude-code", event]
        host_waits = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=out, cwd=host.project, env=host.env)
        host_waits.communicate(host.payload(event), timeout=PATIENCE)
    assert host_waits.returncode == 0
    return reply.read_bytes(), host.receipts()[before:]


@needs_strace
@pytest.mark.parametrize("event", ["Stop", "PreCompact", "SessionStart"])
def test_a_host_does_not_wait_for_a_disk_that_takes_its_time(event: str, tmp_path: Path) -> None:
    """It is let go while the work goes on; then the work is done, and what came too late for it is given with the next prompt."""
    host = Host(tmp_path, tmp_path / "workspace")
    before = len(host.receipts())
    reply, receipts = slowly(host, event, waits=False)
    if event == "SessionStart":  # a brief is due: it is made of what was saved before
        assert b"never touch old invoices" in reply
        assert b"never before the sum is taken" not in reply
    else:
        assert (reply, receipts) == (b"", [])
    until = time.monotonic() + PATIENCE
    while not any("ms" in receipt for receipt in host.receipts()[before:]) and time.monotonic() < until:
        time.sleep(0.1)
    *others, receipt = host.receipts()[before:]
    assert "saved " in receipt["did"]
    assert ["of what was saved before" in other["did"] for other in others] == [True] * (event == "SessionStart")
    assert receipt["ms"] >= 1000 * SLOW[event]
    if event == "SessionStart":
        assert any("too late" in why for why in receipt["failed"])
        assert b"never before the sum is taken" in host.fire("UserPromptSubmit", prompt="go on").stdout
    assert "never before the sum is taken" in host.run("--session", "s1", "show", "state").stdout.decode()


@needs_strace
def test_control_a_hook_that_waits_is_found_out(tmp_path: Path) -> None:
    """The same look at a hook that does its work itself: it is done only when the work is."""
    _, receipts = slowly(Host(tmp_path, tmp_path / "workspace"), "Stop", waits=True)
    assert receipts != []


# ---- beside eight busy loops -------------------------------------------------------------------------------------------

LOOPS, LOOP_SECONDS = 8, 240
TURNS_HAD = 5000  # a transcript of fifteen megabytes
BUSY = f"import time\nend = time.monotonic() + {LOOP_SECONDS}\nwhile time.monotonic() < end: sum(range(10000))"
COMPACTIONS: dict[str, list[tuple[str, dict[str, object]]]] = {
    "claude-code": [("PreCompact", {"trigger": "auto"}), ("SessionStart", {"source": "compact"})],
    "codex": [("PreCompact", {"trigger": "auto"}), ("SessionStart", {"source": "compact"})],
    "gemini": [("PreCompress", {"trigger": "manual"}), ("BeforeAgent", {"prompt": "where were we?"})],  # it has no hook after it
    "opencode": [("before-compaction", {"trigger": "auto"}), ("start", {"source": "compact", "trigger": "auto"})],
    "openclaw": [("before_compaction", {}), ("after_compaction", {}), ("before_prompt_build", {"prompt": "go on"})],
}
NO_TIME = """
import sys
from holdfast.hooks import dispatch
dispatch.LONG_WAIT = 0.01
dispatch._is_owed_a_brief = lambda call: False
from holdfast.cli import main
sys.exit(main(sys.argv[1:]))
"""


@contextmanager
def busy_machine(loops: int) -> Iterator[None]:
    """So many loops that want all of every processor, for as long as it takes."""
    running = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(loops)]
    try:
        yield
    finally:
        for loop in running:
            loop.kill()
            loop.wait()


ENDS_TURN = {"gemini": "AfterAgent", "opencode": "turn", "openclaw": "agent_end"}
MANY = tuple(
    Turn(f"request {number}: " + "set the rate of this line, and say why " * 8, f"/w/file{number}.py", f"change {number}")
    for number in range(TURNS_HAD)
)


def compact(folder: Path, host: str, program: list[str], loops: int) -> list[str]:
    """What each hook of a compaction prints, beside busy loops. A turn was saved before, and much was done since."""
    machine, project = Machine(folder / "of the user"), folder / "project"
    project.mkdir()
    session = machine.had(host, project, STORY[:1])
    env = {"HOME": str(machine.home), "PATH": os.environ["PATH"]}
    if host == "openclaw":
        about: dict[str, object] = {"sessionKey": "agent:main:main", "sessionId": session, "workspace": str(project)}
        about |= {"agentId": "main", "trigger": "user"}
    else:
        about = {"session_id": session, "cwd": str(project)}
        about |= {"transcript_path": str(machine.path(host, session))} if host != "opencode" else {}

    def fire(event: str, more: dict[str, object]) -> str:
        said = {**about, ("event" if host == "openclaw" else "hook_event_name"): event, **more}
        words = [host, "--stay"] if host == "openclaw" else [host, event]  # as its plugin asks it
        given = json.dumps(said).encode() + b"\n"
        done = subprocess.run([*program, "hook", *words], input=given, cwd=project, env=env, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, b"")
        return done.stdout.decode()

    fire(ENDS_TURN.get(host, "Stop"), {})
    if host == "opencode":
        (machine.home / ".local/share/opencode/opencode.db").unlink()
    since = MANY[: TURNS_HAD // 10] if host == "openclaw" else MANY  # its plugin waits half a minute at a compaction
    machine.had(host, project, (*STORY[:1], *since, *STORY[1:]))
    with busy_machine(loops):
        return [fire(event, more) for event, more in COMPACTIONS[host]]


@pytest.mark.parametrize("host", COMPACTIONS)
def test_on_a_busy_machine_no_compaction_goes_without_its_brief(host: str, tmp_path: Path) -> None:
    """It tells what is being worked on: now, or where that could not be read in time, when it was saved last."""
    printed = compact(tmp_path, host, [sys.executable, "-m", "holdfast"], LOOPS)
    assert "# Where we left off (Holdfast)" in printed[-1]
    assert STORY[-1].request in printed[-1] or STORY[0].request in printed[-1]


def test_control_without_time_and_without_a_reserve_the_brief_is_empty(tmp_path: Path) -> None:
    """The same hooks, let go at once: that nothing is given is seen."""
    printed = compact(tmp_path, "claude-code", [sys.executable, "-c", NO_TIME], LOOPS)
    assert printed == ["", ""]
