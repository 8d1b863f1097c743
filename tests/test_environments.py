"""The command as machines really run it: permissions that are missing, streams that refuse, locales that are not UTF-8."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from conftest import Holdfast

_NO_CAPABILITY = ["--bounding-set=-all", "--inh-caps=-all", "--ambient-caps=-all", "--securebits=+noroot,+noroot_locked"]
_UNPRIVILEGED = ["setpriv", *_NO_CAPABILITY, "--"]
needs_permissions = pytest.mark.skipif(os.geteuid() == 0 and not shutil.which("setpriv"), reason="root may read everything")


def ran(workspace: Path, *argv: str | bytes, **given: object) -> subprocess.CompletedProcess[bytes]:
    """`holdfast --workspace … ARGS` in a process of its own, which may do no more than what permissions say."""
    before = _UNPRIVILEGED if os.geteuid() == 0 and shutil.which("setpriv") else []
    command = [*before, sys.executable, "-m", "holdfast", "--workspace", str(workspace), *argv]
    streams: dict[str, object] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL, **given}
    if "input" in streams:
        del streams["stdin"]
    return subprocess.run(command, check=False, timeout=60, **streams)  # type: ignore[call-overload, no-any-return]


# ---- permissions -------------------------------------------------------------------------------------------------------


@needs_permissions
@pytest.mark.parametrize("folder", ["memory", ".holdfast/journal", "topics/deep"])
@pytest.mark.parametrize("flag", ["--yes", "--dry-run"])
def test_forget_never_says_that_all_is_gone_where_a_folder_cannot_be_opened(workspace: Path, folder: str, flag: str) -> None:
    """What may still have the text is named, and the exit code says so."""
    (workspace / ".holdfast").mkdir(parents=True)
    (workspace / ".holdfast" / "config.toml").write_text('contextDir = "topics/deep"\n')
    told = ("--task", "call Agnes Marlow", "--topic", "calls", "--status", "Agnes Marlow")
    assert ran(workspace, "checkpoint", *told).returncode == 0
    (workspace / folder).chmod(0)
    try:
        answer = ran(workspace, "forget", "Agnes Marlow", flag)
    finally:
        (workspace / folder).chmod(0o700)
    assert (answer.returncode, f"left: {folder}: permission was denied" in answer.stderr.decode()) == (74, True), answer


@needs_permissions
@pytest.mark.parametrize("folder", ["memory", "memory/semantic", ".holdfast/journal"])
def test_search_names_the_folder_that_it_may_not_open(workspace: Path, folder: str) -> None:
    """Somebody ran a command as root: what is in there now is not told as what is nowhere, time and again."""
    assert ran(workspace, "note", "the heron").returncode == 0
    (workspace / "memory" / "semantic").mkdir()
    assert ran(workspace, "search", "kingfisher").returncode == 0
    (workspace / folder).chmod(0)
    try:
        answers = [ran(workspace, "search", "kingfisher").stdout.decode() for _ in range(2)]
    finally:
        (workspace / folder).chmod(0o700)
    assert all(f"Not searched: {folder} (permission was denied)" in answer for answer in answers), answers
    assert "Not searched" not in ran(workspace, "search", "kingfisher").stdout.decode()


@needs_permissions
def test_search_does_not_call_a_memory_empty_that_it_may_not_open(workspace: Path) -> None:
    """It says that it does not know."""
    assert ran(workspace, "note", "the heron").returncode == 0
    workspace.chmod(0)
    try:
        answer = ran(workspace, "search", "heron").stdout.decode()
    finally:
        workspace.chmod(0o700)
    assert answer.startswith("Nothing of this memory could be searched; what it has is not known. Not searched: "), answer
    assert "permission was denied" in answer


@needs_permissions
@pytest.mark.parametrize("words", ["status", "show today", "show state", "topic list", "restore --list", "recover"])
def test_what_may_not_be_opened_is_named_by_every_command_that_reads(workspace: Path, words: str) -> None:
    """“There is no topic” is false where nobody could look: what was not read is said beside the answer."""
    assert ran(workspace, "checkpoint", "--topic", "herons", "--task", "count them").returncode == 0
    assert b"was not read" not in ran(workspace, *words.split()).stderr
    (workspace / "memory").chmod(0)
    try:
        answer = ran(workspace, *words.split())
    finally:
        (workspace / "memory").chmod(0o700)
    assert f"{workspace}/memory was not read: permission was denied" in answer.stderr.decode(), answer


@needs_permissions
@pytest.mark.parametrize("below", ["", "not/there"])
def test_doctor_says_so_where_a_workspace_can_never_be_made(tmp_path: Path, below: str) -> None:
    """In a container the home folder is often read-only: nothing is ever saved, and all was told to be well."""
    home = tmp_path / "home"
    home.chmod(0o500)
    try:
        answer = ran(home / below / "workspace", "doctor")
    finally:
        home.chmod(0o700)
    assert answer.returncode == 1
    assert f"WANTING  nothing can be saved here: {home} cannot be written to" in answer.stdout.decode()


# ---- bytes that are no UTF-8 -------------------------------------------------------------------------------------------


def test_the_cache_keeps_bytes_that_are_no_utf8_and_all_that_was_there_before(workspace: Path) -> None:
    """One such value, and every other of the session was gone."""
    for key, value in ((b"port", b"80"), (b"name", b"caf\xe9"), (b"host", b"db")):
        assert ran(workspace, "cache", "set", key, value).returncode == 0
    kept = [ran(workspace, "cache", "get", key).stdout for key in ("port", "name", "host")]
    assert kept == [b"80\n", b"caf\xe9\n", b"db\n"]


_READING = ["recover", "show latest", "show state", "show today", "show café", "topic list", "search tea", "status"]


@pytest.mark.parametrize("words", _READING)
def test_json_is_json_whatever_bytes_memory_has(workspace: Path, words: str) -> None:
    """A shell gives any bytes as a text; a strict reader takes nothing of an answer that has them raw."""
    for argv in ((b"note", b"tea in the caf\xe9"), (b"checkpoint", b"--topic", "café".encode(), b"--task", b"tea \xff")):
        assert ran(workspace, *argv).returncode == 0
    assert json.loads(ran(workspace, *words.split(), "--json").stdout.decode("utf-8", "strict"))


def test_in_a_locale_that_is_not_utf8_texts_and_names_are_what_was_given(workspace: Path) -> None:
    """Hosts and agents speak UTF-8 whatever the locale is: a checkpoint was lost to a traceback, and words were garbled."""
    ascii_only = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    told = '{"task": "café ☕", "topic": "存一下"}'.encode()
    assert ran(workspace, "checkpoint", "-", env=ascii_only, input=told).returncode == 0
    assert ran(workspace, "note", "tea ☕ for café".encode(), env=ascii_only).returncode == 0
    answer = ran(workspace, "show", "state", env=ascii_only).stdout.decode()
    assert "café ☕" in answer
    assert (workspace / "memory" / "context-存一下.md").exists()
    assert ran(workspace, "search", "café".encode(), "--json", env=ascii_only).stdout.decode().count("tea ☕ for café") >= 1


# ---- streams and limits ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("refusing", ["full", "broken"])
@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["checkpoint", "--task", "the lamp"], 0, b"saved  "),  # what is missing goes to standard error
        (["tail", "{transcript}"], 0, b"the heron"),
        (["show", "nothing"], 2, b""),
    ],
)
def test_a_standard_error_that_takes_nothing_changes_no_answer(
    workspace: Path, tmp_path: Path, refusing: str, words: list[str], code: int, says: bytes
) -> None:
    """A log on a full disk, a reader that has gone: the answer and the exit code are what they would be."""
    transcript = tmp_path / "session.jsonl"
    transcript.write_text('{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","content":"the heron"}}\n')
    reader, writer = os.pipe()
    os.close(reader)
    with open("/dev/full", "wb") as full:
        stderr = full if refusing == "full" else writer
        answer = ran(workspace, *(word.format(transcript=transcript) for word in words), stderr=stderr)
    os.close(writer)
    assert (answer.returncode, says in answer.stdout) == (code, True), answer


def test_who_stops_reading_is_still_told_by_the_exit_code(workspace: Path) -> None:
    """`holdfast health | head -1` in a script with `pipefail`: wanting is wanting."""
    assert ran(workspace, "note", "tea").returncode == 0
    (workspace / "memory" / "semantic").mkdir()
    (workspace / "memory" / "semantic" / "a.md").write_text("# A\nno tags\n")
    reader, writer = os.pipe()
    os.close(reader)
    codes = ran(workspace, "health").returncode, ran(workspace, "health", stdout=writer).returncode
    os.close(writer)
    assert codes == (1, 1)


@pytest.mark.parametrize(
    ("happens", "words", "code", "says"),
    [
        ("bytes(1 << 62)", ["health"], 70, "holdfast: There is too little memory to go on. What was acknowledged is saved"),
        ("1 // 0", ["health"], 70, "holdfast: A fault of Holdfast (ZeroDivisionError in <string>, line 1). What was"),
        ("__import__('none_such')", ["health"], 70, "holdfast: A part of the program could not be loaded: No module named"),
        ("1 // 0", ["hook", "codex"], 0, "holdfast: A fault of Holdfast"),
    ],
)
def test_what_nobody_foresaw_is_said_and_is_no_verdict(
    workspace: Path, happens: str, words: list[str], code: int, says: str
) -> None:
    """Python makes a traceback of it and an exit code 1, which here means: found wanting."""
    script = f"from holdfast import cli; cli.run = lambda *_: {happens}; cli.program()"
    command = [sys.executable, "-c", script, "--workspace", str(workspace), *words]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (answer.returncode, says in answer.stderr, "Traceback" in answer.stderr) == (code, True, False), answer


# ---- a workspace that can only be read, and a payload that names no file ------------------------------------------------


def call_hook_read_only(workspace: Path, folder: Path, payload: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """`holdfast hook` on a read-only file system; for whoever may not mount one, in a folder without permission."""
    argv = [sys.executable, "-m", "holdfast", "hook", "claude-code", payload["hook_event_name"]]
    env = {**os.environ, "HOLDFAST_WORKSPACE": str(workspace), "HOME": str(folder), "HOLDFAST_HOOK_SECONDS": "600"}
    if os.geteuid() == 0:
        script = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'
        argv = ["unshare", "-m", "sh", "-c", script, str(workspace), *argv]
    else:
        (workspace / ".holdfast").chmod(0o500)
    try:
        return subprocess.run(
            argv, input=json.dumps(payload), env=env, capture_output=True, text=True, check=False
        )
    finally:
        (workspace / ".holdfast").chmod(0o700)


@pytest.mark.parametrize("source", ["startup", "compact", "clear"])
def test_a_read_only_workspace_gives_its_brief_to_the_hook(
    source: str, holdfast: Holdfast, workspace: Path, tmp_path: Path
) -> None:
    """As `recover` does; and the brief and a receipt say that nothing can be saved."""
    holdfast("checkpoint", "--task", "carry over the rates", "--session", "s1")
    transcript = tmp_path / "s1.jsonl"
    said = {"type": "user", "message": {"role": "user", "content": "please carry over the rates"}}
    transcript.write_text(json.dumps(said) + "\n")
    payload = {"session_id": "s1", "cwd": str(workspace), "source": source, "hook_event_name": "SessionStart",
               "transcript_path": str(transcript)}  # fmt: skip
    done = call_hook_read_only(workspace, tmp_path / "home", payload)
    assert (done.returncode, done.stderr) == (0, "")
    brief = json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]
    assert "carry over the rates" in brief
    assert "A hook of Holdfast failed" in brief
    (receipt,) = kept_elsewhere_in(tmp_path / "home")
    assert "gave a brief" in receipt["did"]
    assert len(receipt["failed"]) == 1
    assert receipt["failed"][0].startswith("memory could not be opened for writing: ")


def kept_elsewhere_in(home: Path) -> list[dict[str, Any]]:
    """The receipts that the workspace refused."""
    paths = home.rglob("receipts.jsonl")
    return [json.loads(line) for path in paths for line in path.read_text().splitlines()]


@pytest.mark.parametrize("field", ["transcript_path", "cwd"])
@pytest.mark.parametrize("event", ["PreCompact", "SessionStart", "Stop", "UserPromptSubmit"])
def test_a_path_with_a_nul_in_it_is_told_in_a_receipt(
    event: str, field: str, holdfast: Holdfast, workspace: Path
) -> None:
    """No file has such a name: that is the host's slip, and no fault of ours."""
    payload = {"session_id": "s1", "transcript_path": str(workspace / "t.jsonl"), "cwd": str(workspace)}
    payload |= {"hook_event_name": event, "prompt": "where were we?", field: f"{workspace}/a\0b"}
    assert holdfast("hook", "claude-code", event, stdin=json.dumps(payload).encode()).code == 0
    receipt = json.loads((workspace / ".holdfast" / "receipts.jsonl").read_text().splitlines()[-1])
    assert receipt["failed"] == [
        "what the host sent names a path with a NUL character in it, which no file has"
    ]
