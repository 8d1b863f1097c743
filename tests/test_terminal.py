"""Nothing that a command prints steers a terminal, whatever documents, names and errors hold."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import Holdfast
from holdfast.terminal import clean_text, escape_json

ESCAPE, BELL, C1, BIDI = "\x1b[2J\x1b]0;owned", "\x07", "\x9b31m", "\u202egnp.exe\u2066"
NASTY = f"a{ESCAPE}{BELL}b{C1}c{BIDI}d"
STEERING = "\x1b\x07\x9b\u202e\u2066\x08\x7f\r"
RUN = "import sys; from holdfast.cli import program; program()"


def steers(text: str) -> list[str]:
    """The characters of a text that a terminal would obey."""
    return [character for character in STEERING if character in text]


def test_control_a_text_that_steers_is_found_out() -> None:
    assert steers(NASTY)
    assert not steers(clean_text(NASTY))


@pytest.fixture
def planted(holdfast: Holdfast, workspace: Path) -> Path:
    """A workspace whose documents and names were written by somebody who means harm."""
    assert holdfast("checkpoint", "--task", "carry over the rates", "--topic", "rates").code == 0
    assert holdfast("snapshot").code == 0
    memory = workspace / "memory"
    (memory / "2026-11-01.md").write_text(f"# 2026-11-01\n\n- [TECH] the lamp {NASTY}\n")
    (memory / f"context-x{ESCAPE}{BELL}y.md").write_text(f"# {NASTY}\n\n## Current Status\n\nlamp {NASTY}\n")
    (memory / f"lamp {NASTY}.md").write_text("# lamp\n\nthe lamp is here\n")
    (workspace / "MEMORY.md").write_text(f"# Memory\n#tags: x{NASTY}\n\n- lamp {NASTY}\n")
    return workspace


COMMANDS = [
    ["show", "2026-11-01"],
    ["show", "state"],
    ["show", f"no{NASTY}"],
    ["topic", "list"],
    ["topic", "read", f"x{ESCAPE}{BELL}y"],
    ["topic", "read", f"none{NASTY}"],
    ["restore", "--list"],
    ["restore", f"none{NASTY}"],
    ["forget", "--dry-run", "lamp"],
    ["search", "lamp"],
    ["tags"],
    ["health"],
    ["status"],
    ["recover"],
    ["upkeep", "--dry-run"],
    ["tail", f"none{NASTY}"],
    ["import", f"none{NASTY}"],
    ["cache", "get", f"none{NASTY}"],
    ["note", "--type", f"X{NASTY}", "text"],
    ["recover", "--back", NASTY],
    [f"no{NASTY}"],
    ["task", f"--{NASTY}"],
    ["write", f"../{NASTY}"],
]


@pytest.mark.parametrize("argv", COMMANDS, ids=lambda argv: " ".join(argv)[:20].encode("unicode_escape").decode())
def test_no_command_lets_a_document_or_a_name_steer_the_terminal(
    holdfast: Holdfast, planted: Path, argv: list[str]
) -> None:
    """Neither on standard output nor on standard error."""
    answer = holdfast(*argv)
    assert answer.out + answer.err
    assert steers(answer.out) == steers(answer.err) == []


def test_what_was_planted_is_shown_as_its_code(holdfast: Holdfast, planted: Path) -> None:
    """So that a reader sees that something is there."""
    shown = holdfast("show", "2026-11-01").out
    assert r"the lamp a\x1b[2J\x1b]0;owned\x07b\x9b31mc\u202egnp.exe\u2066d" in shown


@pytest.mark.parametrize("argv", [["show", "2026-11-01"], ["topic", "list"], ["search", "lamp"]])
def test_json_says_the_same_and_has_none_of_it_raw(holdfast: Holdfast, planted: Path, argv: list[str]) -> None:
    """As JSON escapes, which a reader undoes."""
    answer = holdfast(*argv, "--json")
    assert steers(answer.out) == []
    assert json.loads(answer.out)


def test_json_escapes_say_the_same() -> None:
    data = {"text": NASTY, "other": "naïve 日本 👩‍💻"}
    assert json.loads(escape_json(json.dumps(data, ensure_ascii=False))) == data


def test_ordinary_text_of_any_language_is_left_alone() -> None:
    for text in ("naïve\n\tדוגמה مثال 日本語　全角 👩‍💻️ né", "a\u00a0b", ""):
        assert clean_text(text) == text


def test_a_pipe_gets_what_redact_reads_byte_for_byte(holdfast: Holdfast) -> None:
    """It is a filter."""
    assert holdfast("redact", stdin=NASTY.encode()).out == NASTY


def at_a_terminal(argv: list[str], folder: Path, stdin: bytes) -> bytes:
    """What a command sends to a terminal that it believes to have."""
    ours, theirs = pty.openpty()
    env = {"PATH": os.environ["PATH"], "HOME": str(folder), "HOLDFAST_WORKSPACE": str(folder / "w"),
           "PYTHONPATH": str(Path(__file__).parent.parent / "src")}  # fmt: skip
    command = [sys.executable, "-c", RUN, *argv]
    subprocess.run(command, input=stdin, stdout=theirs, stderr=theirs, env=env, cwd=folder, check=False)
    os.close(theirs)
    sent = b""
    try:
        while chunk := os.read(ours, 65536):
            sent += chunk
    except OSError:  # the other end is closed, and all of it was read
        pass
    os.close(ours)
    return sent


@pytest.mark.parametrize("argv", [["redact"], ["show", f"no{NASTY}"]], ids=["redact", "an error"])
def test_a_terminal_gets_none_of_it_even_from_a_filter(tmp_path: Path, argv: list[str]) -> None:
    sent = at_a_terminal(argv, tmp_path, NASTY.encode()).replace(b"\r\n", b"\n").decode()
    assert sent
    assert steers(sent) == []
