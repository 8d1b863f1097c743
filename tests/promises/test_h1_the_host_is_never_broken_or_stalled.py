"""H1: whatever is wrong with us, the host goes on: exit 0, an answer that it understands, a receipt or a reason, and no waiting.

Every hook with a dead store, a full disk, a lock that is held, settings that cannot be read, and garbage for a payload. That
nobody waits is shown without a clock: a sync takes so long that only a hook which does not wait for it can be done before it is,
and the work is done all the same. The control waits, and is found out.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from afflicted import EVENTS, FAULTS, Host, host_for, understood

GARBAGE = [b"{", b"[]", b"\xff\x00", b'"x"', b"[" * 50_000, b"null", b'{"session_id": {"a": 1}, "transcript_path": 7}']
SLOW = 5  # seconds that a sync takes; the host is let go after two
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
DELAY = f"inject=fsync:delay_enter={SLOW}000000:when=1"
STRACE = ["strace", "-D", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync", "-e", DELAY]
WAITING = """
import sys
from holdfast.storage import processes
def beside(work, patience):
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
    with reply.open("wb") as out:  # no pipe: the tracer would hold its other end
        host_waits = subprocess.Popen(
            [*STRACE, *program, "hook", "claude-code", event], stdin=subprocess.PIPE, stdout=out, cwd=host.project, env=host.env
        )
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
    assert (reply, receipts) == (b"", [])
    until = time.monotonic() + PATIENCE
    while len(host.receipts()) == before and time.monotonic() < until:
        time.sleep(0.1)
    (receipt,) = host.receipts()[before:]
    assert "saved " in receipt["did"]
    assert receipt["ms"] >= 1000 * SLOW
    if event == "SessionStart":
        assert any("too late" in why for why in receipt["failed"])
        assert b"never before the sum is taken" in host.fire("UserPromptSubmit", prompt="go on").stdout
    assert "never before the sum is taken" in host.run("--session", "s1", "show", "state").stdout.decode()


@needs_strace
def test_control_a_hook_that_waits_is_found_out(tmp_path: Path) -> None:
    """The same look at a hook that does its work itself: it is done only when the work is."""
    _, receipts = slowly(Host(tmp_path, tmp_path / "workspace"), "Stop", waits=True)
    assert receipts != []
