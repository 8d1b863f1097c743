"""U3: nothing outside our own folders is written but by an edit that was shown, and the way back gives the bytes.

Every command is watched for what it changes: the workspace, our folders in the user's state and runtime folders, nothing else.
`init HOST` and `uninstall HOST` change besides only files that a diff names, into just what the diff says; files that are ours
altogether are named with their sizes, and are diffs too where `--full` asks for them. `uninstall` leaves
each of them, and every folder, as it was. Both are killed before each of their changes: each file is whole at every moment, a
second run finishes, and the way back still leads to the same bytes. The controls show too little, show other lines, write beside
it, forget the originals, and keep them too late; each is found out.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from durability import changing_points, tell

from holdfast.commands import installing
from lab.command import Report
from lab.inject import strike_all
from promises.every_door import COMMANDS, prepared, run, verdict
from promises.host_files import BEFORE, SECRET, applied, laid_out, seen
from promises.host_judge import DISTURBED, Judge, broken, command
from promises.outside import needs_strace, opened, watched

NO_CACHE = {"PYTHONDONTWRITEBYTECODE": "1"}  # what Python keeps of its own is none of ours
PLACELESS = re.compile(r"/dev/(?:null|tty|pts/\d+)$|/proc/|(?:pipe|socket|anon_inode):")


# ---- every command ------------------------------------------------------------------------------------------------------


def changed_outside(folder: Path, words: list[str], *, program: tuple[str, ...] = ("-m", "holdfast")) -> list[str]:
    """The paths that a command changes, but for those in the workspace and in our own folders."""
    env, payload = prepared(folder)
    ours = [f"{env['HOME']}/.local", f"{env['XDG_RUNTIME_DIR']}/holdfast-{os.getuid()}"]
    ours += [f"{folder}/project/{name}" for name in (".holdfast", "memory", "MEMORY.md", "notes")]
    ours += [env["TMPDIR"]] if words == ["doctor"] else []
    log = folder / "strace.log"
    done = run(words, folder, {**env, **NO_CACHE}, payload, program=program, watch=watched(log))
    verdict(words, done)
    paths = {path for changes, path in opened(log) if changes and not PLACELESS.search(path)}
    return sorted(path for path in paths if not any(path == name or path.startswith(f"{name}/") for name in ours))


PLAIN = [words for words in COMMANDS if words[0] != "uninstall" and (words[0] != "init" or words[1] == "--yes")]


@needs_strace
@pytest.mark.parametrize("words", PLAIN, ids=" ".join)
def test_no_command_writes_outside_our_own_folders(tmp_path: Path, words: list[str]) -> None:
    """Not beside them, not into a host's."""
    assert changed_outside(tmp_path, words) == []


@needs_strace
def test_control_a_file_written_beside_is_found_out(tmp_path: Path) -> None:
    """The same look at a program that leaves something in the home."""
    program = ("-c", "import os; open(os.path.expanduser('~/left'), 'w')")
    assert changed_outside(tmp_path, [], program=program) == [str(tmp_path / "of the user" / "left")]


# ---- what init and uninstall write --------------------------------------------------------------------------------------

CASES = [(host, name) for host, cases in BEFORE.items() for name in cases]


def watched_run(home: Path, *words: str, program: tuple[str, ...] = ("-m", "holdfast")) -> tuple[str, set[str]]:
    """A command in a home: what it said, and the paths that it changed there, but for our own."""
    log = home.parent / "strace.log"
    env = {"HOME": str(home), "PATH": "/usr/bin:/bin", "PYTHONPATH": ":".join(sys.path), **NO_CACHE}
    argv = [*watched(log), sys.executable, *program, *words]
    done = subprocess.run(argv, cwd=home.parent, env=env, capture_output=True, check=True)
    own = f"{home}/.local"
    paths = {path for changes, path in opened(log) if changes and not PLACELESS.search(path) and path != own}
    paths = {path for path in paths if not path.startswith(f"{own}/") and ".holdfast" not in path.split("/")}
    return done.stdout.decode("utf-8", "surrogateescape"), paths


def unannounced(home: Path, shown: str, changed: set[str]) -> set[str]:
    """What was changed and stands in no diff or list. A folder counts as announced with a file in it."""
    listed = r"(?m)^[-+~] ~/(.*)  [\d.]+ (?:bytes|kB)$"
    named = [*re.findall(r"(?m)^(?:---|\+\+\+) ~/(.*)$", shown), *re.findall(listed, shown)]
    named = {f"{home}/{name}" for name in named}
    return {path for path in changed if not any(name == path or name.startswith(f"{path}/") for name in named)}


def as_told(before: dict[str, str], shown: str, home: Path) -> bool:
    """Whether the files are what the diffs make of those that were there."""
    hidden = {path: text.replace(SECRET, "¤") for path, text in before.items()}
    for path, text in applied(hidden, re.sub(r"\[redacted:\w[^]]*\]", "¤", shown)).items():
        is_so = (home / path).read_bytes().decode("utf-8", "surrogateescape").replace(SECRET, "¤")
        if is_so.splitlines() != text.splitlines():
            return False
    return True


@needs_strace
@pytest.mark.parametrize(("host", "name"), CASES)
def test_what_is_written_was_shown_and_the_way_back_gives_the_bytes(tmp_path: Path, host: str, name: str) -> None:
    """Modes and folders too; and the way back changes no more than it shows."""
    home = tmp_path / "home"
    laid_out(home, BEFORE[host][name])
    before = seen(home)
    for whole in (["--full"], []):
        shown, changed = watched_run(home, "init", host, "--yes", *whole)
        assert changed
        assert unannounced(home, shown, changed) == set()
        assert as_told(BEFORE[host][name], shown, home)
        shown, changed = watched_run(home, "uninstall", host, "--yes")
        assert unannounced(home, shown, changed) == set()
        assert seen(home) == before


@needs_strace
@pytest.mark.parametrize("what", ["shows-too-little", "writes-beside", "shows-other-lines", "forgets-originals"])
def test_control_an_edit_that_was_not_shown_and_a_way_back_that_is_none_are_found_out(tmp_path: Path, what: str) -> None:
    """Each by the same look: the first two in what was changed, the third in what was told, the last in what is left."""
    home = tmp_path / "home"
    files = {".claude/settings.json": '{"hooks": {}}', ".claude/CLAUDE.md": "# Mine"}
    laid_out(home, files)
    before = seen(home)
    shown, changed = watched_run(home, "init", "claude-code", "--yes", program=broken(what))
    assert bool(unannounced(home, shown, changed)) == (what in ("shows-too-little", "writes-beside"))
    if what == "shows-other-lines":
        with pytest.raises((AssertionError, IndexError)):
            assert as_told(files, shown, home)
    watched_run(home, "uninstall", "claude-code", "--yes", program=broken(what))
    assert (seen(home) == before) == (what in ("shows-too-little", "shows-other-lines"))


# ---- killed in the midst of it ------------------------------------------------------------------------------------------

def struck(host: str, way: str, folder: Path, what: str = "") -> Report:
    """Kill a command before each of its changes."""
    judge = Judge(host, folder)
    start = judge.before if way == "init" else judge.after
    killed = command(way, host, "--yes", what=what)
    points = [point for point in changing_points(killed, start, folder / "work") if not what or point.syscall == "renameat2"]
    return strike_all(killed, start, folder / "work", points, judge.check)


@needs_strace
@pytest.mark.parametrize("way", ["init", "uninstall"])
@pytest.mark.parametrize("host", DISTURBED)
def test_a_kill_in_the_midst_of_it_leaves_every_file_whole_and_the_way_back_open(tmp_path: Path, host: str, way: str) -> None:
    """SIGKILL before each call that changes something."""
    report = struck(host, way, tmp_path)
    tell(f"{way} {host}, killed", report)
    report.raise_if_any()


@needs_strace
def test_control_originals_that_are_kept_too_late_are_found_out(tmp_path: Path) -> None:
    """The record is written after the files: a kill in between, and nobody knows what was there."""
    report = struck("claude-code", "init", tmp_path, what="keeps-originals-late")
    assert any("give the bytes back" in violation.message for violation in report.violations)


def test_every_host_that_can_be_installed_is_held_to_it() -> None:
    """It has its files here."""
    assert set(BEFORE) == set(installing.HOSTS)
