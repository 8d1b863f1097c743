"""S8: only the owner can read what we write: new files are 0600 in folders 0700, whatever the umask and wherever they stand."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from promises.every_door import COMMANDS, prepared, run


def open_to_others(folder: Path, before: set[Path]) -> list[str]:
    """Every file and folder that came since, and that somebody else could look into."""
    found = []
    for path in sorted(set(folder.rglob("*")) - before):
        try:
            mode = path.lstat().st_mode
        except FileNotFoundError:  # what works beside a hook has taken it away since it was listed
            continue
        if not stat.S_ISLNK(mode) and mode & 0o077:
            found.append(f"{path.relative_to(folder)} {stat.S_IMODE(mode):o}")
    return found


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_whatever_the_umask(tmp_path: Path, umask: int) -> None:
    """Every command, one after another; looked at after each, so that nothing is seen to close only later."""
    env, payload = prepared(tmp_path)
    (tmp_path / "project").chmod(0o777)  # a folder that is open to all
    before = {*tmp_path.rglob("*")}
    old = os.umask(umask)
    try:
        for words in COMMANDS:
            done = run(words, tmp_path, env, payload)
            assert done.returncode in (0, 2), (words, done.stderr)
            assert open_to_others(tmp_path, before) == [], words
    finally:
        os.umask(old)
    assert len(set(tmp_path.rglob("*")) - before) > 20


def test_control_a_file_that_is_written_in_the_usual_way_is_found_out(tmp_path: Path) -> None:
    """The same look at a file that any program makes."""
    before = {*tmp_path.rglob("*")}
    old = os.umask(0o022)
    try:
        (tmp_path / "usual.md").write_text("x")
    finally:
        os.umask(old)
    assert open_to_others(tmp_path, before) == ["usual.md 644"]
