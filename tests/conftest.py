"""What all tests share: a workspace of their own, and the command as a user gives it."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from holdfast.cli import _NEEDS_MEMORY, main
from holdfast.config import OWN_SESSION

# Other programs, fetched over the network: `make test-hosts`.
collect_ignore = [] if os.environ.get("HOLDFAST_HOSTS") else ["hosts"]


class Answer:
    """What a command printed, and its exit code."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def id(self) -> str:
        """The id in the acknowledgement."""
        assert self.out.startswith("saved  "), self.out + self.err
        return self.out.split()[1]


Holdfast = Callable[..., Answer]


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees the settings, sessions or workspaces of whoever runs it."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOLDFAST_HOOK_SECONDS", "600")  # what a hook does is looked at when it is done
    ours = ("HOLDFAST_WORKSPACE", "OPENCLAW_WORKSPACE", "XDG_STATE_HOME", "HOLDFAST_BRIEF_MAX_CHARS", "CLAUDE_PROJECT_DIR")
    hosts = ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "XDG_DATA_HOME", "OPENCLAW_STATE_DIR", "PI_CODING_AGENT_DIR")
    around = ("CLAUDE_CODE_SESSION_ATTENDED", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_PID", "OPENCODE_PID")
    for name in (*ours, *hosts, *around, *(name for name, _ in OWN_SESSION)):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "runtime"))


@pytest.fixture(autouse=True)
def _nothing_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hook that is called in this process starts no other to save notes: a test would race with it. Its own tests run hooks as
    hosts do.
    """
    monkeypatch.setattr("holdfast.capture.gleaning.detached", lambda: False)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A folder that does not exist yet."""
    return tmp_path / "workspace"


@pytest.fixture
def holdfast(workspace: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Holdfast:
    """`holdfast --workspace … ARGS`, in this process. For a command that only reads the folder is made: it must be there."""

    def run(*argv: str, stdin: bytes = b"") -> Answer:
        if argv and argv[0] in (*_NEEDS_MEMORY, "topic") and not os.path.lexists(workspace):
            workspace.mkdir()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        monkeypatch.setattr(sys, "stdout", _stream())
        monkeypatch.setattr(sys, "stderr", _stream())
        code = main(["--workspace", str(workspace), *argv])
        return Answer(code, _text(sys.stdout), _text(sys.stderr))

    return run


def _stream() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="surrogateescape", write_through=True)


def _text(stream: object) -> str:
    assert isinstance(stream, io.TextIOWrapper)
    stream.flush()
    return stream.buffer.getvalue().decode("utf-8", "surrogateescape")  # type: ignore[attr-defined, no-any-return]
