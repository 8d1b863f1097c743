"""S9: nothing leaves the machine, and nothing listens: no command opens a socket, and all of them work without a network."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from promises.every_door import COMMANDS, prepared, run, verdict

SOCKETS = "socket,connect,bind,listen,sendto,sendmsg,accept,accept4"
CALLS_HOME = ("-c", "import socket, sys; s = socket.socket(); s.setblocking(False); s.connect_ex(('127.0.0.1', 9))")
# The event loop of `holdfast mcp` is woken by its own threads, over a pair that nobody else has an end of.
WAKES_ITSELF = re.compile(r'sendto\(\d+, "\\0", 1, 0, NULL, 0\)')
needs_strace = pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed")
alone = ("unshare", "-rn")
needs_unshare = pytest.mark.skipif(
    not shutil.which("unshare") or subprocess.run([*alone, "true"], check=False, capture_output=True).returncode != 0,
    reason="this system lets nobody have a network of their own",
)


def sockets(folder: Path, words: list[str], *, program: tuple[str, ...] = ("-m", "holdfast")) -> list[str]:
    """The system calls of a command that have to do with a network."""
    env, payload = prepared(folder)
    log = folder / "strace.log"
    done = run(words, folder, env, payload, program=program, watch=("strace", "-f", "-e", f"trace={SOCKETS}", "-o", str(log)))
    verdict(words, done)
    lines = [line for line in log.read_text().splitlines() if not WAKES_ITSELF.search(line)]
    return [line for line in lines if re.search(rf"\b(?:{SOCKETS.replace(',', '|')})\(", line)]


@needs_strace
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_no_command_opens_a_socket(tmp_path: Path, words: list[str]) -> None:
    """Not even one to itself."""
    assert sockets(tmp_path, words) == []


@needs_strace
@pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")
def test_a_commit_after_upkeep_opens_no_socket(tmp_path: Path) -> None:
    """Also where the repository has a remote, and settings that would fetch what is missing from there."""
    env, payload = prepared(tmp_path)
    project, log = tmp_path / "project", tmp_path / "strace.log"
    for name, text in {".holdfast/config.toml": 'gitCommit = "after-upkeep"\n', "memory/2026-01-01.md": "# Old\n"}.items():
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text(text)
    settings = ["user.name=Ida", "user.email=i@example.org"]
    settings += ["remote.origin.url=https://localhost:9/x", "remote.origin.promisor=true"]
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    for name, _, value in (setting.partition("=") for setting in settings):
        subprocess.run(["git", "config", name, value], cwd=project, check=True)
    assert run(["init", "--yes"], tmp_path, env, payload).returncode == 0
    done = run(["upkeep"], tmp_path, env, payload, watch=("strace", "-f", "-e", f"trace={SOCKETS},execve", "-o", str(log)))
    assert b"git      committed " in done.stdout, done.stdout
    assert "fast-import" in log.read_text()
    assert [line for line in log.read_text().splitlines() if re.search(rf"\b(?:{SOCKETS.replace(',', '|')})\(", line)] == []


@needs_unshare
def test_every_command_works_without_a_network(tmp_path: Path) -> None:
    """The same answers with no network interface at all."""
    env, payload = prepared(tmp_path)
    for words in COMMANDS:
        done = run(words, tmp_path, env, payload, watch=alone)
        assert done.returncode == 0, (words, done.stderr)


@needs_strace
def test_control_a_program_that_calls_home_is_found_out(tmp_path: Path) -> None:
    """The same look at a program that tries to reach somebody."""
    found = sockets(tmp_path, [], program=CALLS_HOME)
    assert any("connect(" in line for line in found)
