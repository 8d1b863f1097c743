"""The command as machines really run it: permissions that are missing, streams that refuse, locales that are not UTF-8."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

_UNPRIVILEGED = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", "--ambient-caps=-all", "--securebits=+noroot,+noroot_locked", "--"]
needs_permissions = pytest.mark.skipif(os.geteuid() == 0 and not shutil.which("setpriv"), reason="root may read everything")


def ran(workspace: Path, *argv: str | bytes, **given: object) -> subprocess.CompletedProcess[bytes]:
    """`holdfast --workspace … ARGS` in a process of its own, which may do no more than what permissions say."""
    before = _UNPRIVILEGED if os.geteuid() == 0 and shutil.which("setpriv") else []
    command = [*before, sys.executable, "-m", "holdfast", "--workspace", str(workspace), *argv]
    streams: dict[str, object] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL, **given}
    return subprocess.run(command, check=False, timeout=60, **streams)  # type: ignore[call-overload, no-any-return]


# ---- permissions -------------------------------------------------------------------------------------------------------


@needs_permissions
@pytest.mark.parametrize("folder", ["memory", ".holdfast/journal", "topics/deep"])
@pytest.mark.parametrize("flag", ["--yes", "--dry-run"])
def test_forget_never_says_that_all_is_gone_where_a_folder_cannot_be_opened(workspace: Path, folder: str, flag: str) -> None:
    """What may still have the text is named, and the exit code says so."""
    (workspace / ".holdfast").mkdir(parents=True)
    (workspace / ".holdfast" / "config.toml").write_text('contextDir = "topics/deep"\n')
    assert ran(workspace, "checkpoint", "--task", "call Agnes Marlow", "--topic", "calls", "--status", "Agnes Marlow").returncode == 0
    (workspace / folder).chmod(0)
    try:
        answer = ran(workspace, "forget", "Agnes Marlow", flag)
    finally:
        (workspace / folder).chmod(0o700)
    assert (answer.returncode, f"left: {folder}: permission was denied" in answer.stderr.decode()) == (74, True), answer
