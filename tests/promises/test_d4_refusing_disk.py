"""D4: a disk that refuses is answered with a clear error; what was saved before is intact, and nothing false is acknowledged.

SQLite's loop: every system call of a command on the workspace fails once, with each error that is realistic for it (disk full,
quota used up, read-only, input/output error, too many files). Then real obstacles: a file system with ever fewer free pages and
inodes until the command gets through, one that is read-only, a limit on file sizes, a folder, a FIFO or a file in the way,
no permission. The answer must be exit 74 with a sentence that names the path, says what is intact and what to do; “was not
saved” must be true, and so must “saved in the journal”. So for what `init HOST` and `uninstall HOST` write into a user's files.
The controls take failed syncs for good ones, and keep originals too late; both are found out.
"""

from __future__ import annotations

import contextlib
import os
import re
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import durability
import pytest
from durability import ON_EMPTY, ON_PREPARED, Judge, Scenario, noon, shop, tell

from lab import power
from lab.command import Report
from lab.inject import Outcome, strike_all
from lab.nth_fault import fail_everywhere, nth_faults
from promises import host_judge
from promises.host_files import seen

__all__ = ["noon", "shop"]
needs_strace = pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="mounting and dropping privileges need root")
NOBODY = 65534


def judged(judge: Judge, folder: Path, returncode: int, stdout: str, stderr: str) -> None:
    """An answer is true in every word: done, or safe in the journal, or not saved at all."""
    assert "Traceback" not in stderr, stderr
    if returncode == 0:
        judge.check(folder, acked=True)
        return
    assert returncode == 74, f"exit {returncode}: {stderr}"
    assert not stdout, f"acknowledged, and exit 74: {stdout}"
    assert str(folder) in stderr, f"names no path: {stderr}"
    safe = "in the journal, but" in stderr
    intact = "Nothing is lost." if safe else "Everything saved before is intact."
    remedy = "the next command catches up" if safe else "run the command again"
    assert intact in stderr, f"does not say what is intact: {stderr}"
    assert remedy in stderr, f"does not say what to do: {stderr}"
    durability.go_on(folder)
    # A record whose last sync failed is taken back. A file that has its new text already cannot be: it is whole, only its
    # durability is unknown, and to write it again is what the message asks for.
    overwritten = [judge.with_it] if judge.scenario.words[0] in ("write", "cache") else []
    judge.compare(folder, [judge.with_it] if safe else [judge.without, *overwritten])


# ---- every call fails once ---------------------------------------------------------------------------------------------

FAILED = ["note", "task-parking", "checkpoint-pruning", "rename", "restore", "write"]


def failed(scenario: Scenario, before: Path, work: Path, broken: str = "") -> Report:
    """Fail every call of a command with every realistic error and judge the answers."""
    judge = Judge(scenario, before, work / "judge")

    def check(outcome: Outcome) -> None:
        judged(judge, outcome.folder, outcome.returncode, outcome.stdout.decode(), outcome.stderr.decode())

    return fail_everywhere(scenario.command(broken), before, work, check)


@needs_strace
@pytest.mark.parametrize("name", FAILED)
def test_every_call_that_fails_is_answered_truly(name: str, shop: Path) -> None:
    """Whichever call fails with whichever error, the answer says what became of the record, and that is what became of it."""
    report = failed(ON_PREPARED[name], durability.prepared(shop / "before"), shop / "work")
    tell(f"{name}: calls that failed", report)
    report.raise_if_any()


@needs_strace
def test_the_cache_answers_truly_too(shop: Path) -> None:
    """The session cache has its own folder, and the same manners."""
    report = failed(ON_EMPTY["cache"], durability.empty(shop / "before"), shop / "work")
    tell("cache: calls that failed", report)
    report.raise_if_any()


# ---- what is written into hosts ----------------------------------------------------------------------------------------


def answered_truly(judge: host_judge.Judge, way: str, outcome: Outcome) -> None:
    """Done, or refused with the path, with what is intact and with what to do; and each file as it was or as it was to be."""
    told, home = outcome.stderr.decode(), outcome.folder
    assert "Traceback" not in told, told
    if outcome.returncode == 0:
        assert seen(home) == seen(judge.after if way == "init" else judge.before), "called done, and it is not"
    else:
        assert outcome.returncode == 74, f"exit {outcome.returncode}: {told}"
        assert str(home) in told or "~/" in told, f"names no path: {told}"
        assert re.search("Nothing was changed|is as it was|as they were before", told), f"does not say what is intact: {told}"
        assert "run the command again" in told, f"does not say what to do: {told}"
        started, done = (judge.before, judge.after) if way == "init" else (judge.after, judge.before)
        named = re.search(r"~/(\S+) (was not|is) written", told)
        if named:
            one = seen(started if named[2] == "was not" else done).get(named[1])
            assert seen(home).get(named[1]) == one, f"says so, and it is not so: {told}"
        else:
            whole = started if "Nothing was changed" in told else done
            assert files(home) == files(whole), f"says so, and it is not so: {told}"
    judge.check(outcome)


def files(home: Path) -> dict[str, tuple[int, bytes]]:
    """What is in a home but for folders: one that was made for a file may still be there."""
    return {name: about for name, about in seen(home).items() if not (home / name).is_dir()}


def failed_in_hosts(host: str, way: str, folder: Path, what: str = "") -> Report:
    """Fail every call of `init` or `uninstall` with every realistic error."""
    judge = host_judge.Judge(host, folder)
    start = judge.before if way == "init" else judge.after
    command = host_judge.command(way, host, "--yes", what=what)
    faults = [one for one in nth_faults(command, start, folder / "work") if not what or one.syscall == "renameat2"]
    return strike_all(command, start, folder / "work", faults, lambda outcome: answered_truly(judge, way, outcome))


@needs_strace
@pytest.mark.parametrize("way", ["init", "uninstall"])
@pytest.mark.parametrize("host", ["codex"])  # of all hosts the one with the fewest files: what writes them is the same
def test_what_is_written_into_a_host_is_answered_truly_too(host: str, way: str, shop: Path) -> None:
    """Whichever call fails: every file of the user's is whole, a second run finishes, and the way back gives the bytes."""
    report = failed_in_hosts(host, way, shop)
    tell(f"{way} {host}: calls that failed", report)
    report.raise_if_any()


@needs_strace
def test_control_originals_that_are_kept_too_late_are_found_out(shop: Path) -> None:
    """A file of the user's is written, the next one is refused, and nobody has kept what was there."""
    report = failed_in_hosts("codex", "init", shop, what="keeps-originals-late")
    assert any("give the bytes back" in violation.message for violation in report.violations)


# ---- real obstacles ----------------------------------------------------------------------------------------------------

COMMANDS = ["note", "task", "checkpoint-topic"]


def run(scenario: Scenario, folder: Path, *prefix: str) -> subprocess.CompletedProcess[str]:
    """The real command in a folder."""
    command = scenario.command()
    argv, env = [*prefix, *command.argv_for(folder)], command.env_for(folder)
    return subprocess.run(argv, env=env, input=command.stdin.decode(), capture_output=True, text=True, check=False)


def answered(judge: Judge, folder: Path, said: subprocess.CompletedProcess[str]) -> None:
    judged(judge, folder, said.returncode, said.stdout, said.stderr)


@contextlib.contextmanager
def tmpfs(folder: Path, options: str) -> Iterator[Path]:
    """A small file system of our own, gone with the test even if that is killed."""
    folder.mkdir(parents=True)
    with power._private_mounts():
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], check=True)
        try:
            yield folder
        finally:
            power.unmount(folder, 60)


def fill_pages(folder: Path, free: int) -> Path:
    """A file that leaves only so many free pages."""
    there = os.statvfs(folder)
    filler = folder / "filler"
    filler.write_bytes(b"\0" * there.f_bsize * max(0, there.f_bavail - free))
    return filler


def fill_inodes(folder: Path, free: int) -> Path:
    """A folder of empty files that leaves only so many free inodes."""
    filler = folder / "filler"
    filler.mkdir()
    for n in range(max(0, os.statvfs(folder).f_favail - free)):
        (filler / str(n)).touch()
    return filler


@needs_root
@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize(("options", "fill"), [("size=1m", fill_pages), ("size=4m,nr_inodes=120", fill_inodes)])
def test_a_full_disk_is_answered_truly_however_full_it_is(
    options: str, fill: Callable[[Path, int], Path], name: str, shop: Path
) -> None:
    """With no free page or inode, with one, with two, until the command gets through: each answer is true."""
    before = durability.prepared(shop / "before")
    judge = Judge(ON_PREPARED[name], before, shop / "work")
    refused = 0
    with tmpfs(shop / "disk", options) as disk:
        for free in range(60):
            folder = disk / "workspace"
            shutil.copytree(before, folder, symlinks=True)
            filler = fill(disk, free)
            said = run(ON_PREPARED[name], folder)
            shutil.rmtree(filler) if filler.is_dir() else filler.unlink()
            answered(judge, folder, said)
            shutil.rmtree(folder)
            if said.returncode == 0:
                break
            refused += 1
    print(f"{name} with {options}: refused {refused} times, then through")
    assert refused > 0
    assert said.returncode == 0


@needs_root
@pytest.mark.parametrize("name", COMMANDS)
def test_a_read_only_disk_is_answered_truly(name: str, shop: Path) -> None:
    """A file system that was remounted read-only, as after an error of the disk."""
    before = durability.prepared(shop / "before")
    judge = Judge(ON_PREPARED[name], before, shop / "work")
    with tmpfs(shop / "disk", "size=4m") as disk:
        shutil.copytree(before, disk / "workspace", symlinks=True)
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        said = run(ON_PREPARED[name], disk / "workspace")
        subprocess.run(["mount", "-o", "remount,rw", str(disk)], check=True)
        assert said.returncode == 74
        assert "read-only" in said.stderr
        answered(judge, disk / "workspace", said)


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("limit", [0, 100, 1000, 2000, 3000])
def test_a_limit_on_file_sizes_is_answered_truly(name: str, limit: int, shop: Path) -> None:
    """A write that the system cuts short and then refuses."""
    before = durability.prepared(shop / "before")
    judge = Judge(ON_PREPARED[name], before, shop / "work")
    folder = shop / "workspace"
    shutil.copytree(before, folder, symlinks=True)
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    said = run(ON_PREPARED[name], folder, "prlimit", f"--fsize={limit}")
    assert resource.getrlimit(resource.RLIMIT_FSIZE) == old
    answered(judge, folder, said)


@pytest.mark.parametrize("name", COMMANDS)
def test_an_answer_that_cannot_be_written_is_not_called_a_loss(name: str, shop: Path) -> None:
    """With standard output on a full disk the record stands, and nobody is told to repeat the command."""
    before = durability.prepared(shop / "before")
    judge = Judge(ON_PREPARED[name], before, shop / "work")
    folder = shop / "workspace"
    shutil.copytree(before, folder, symlinks=True)
    command = ON_PREPARED[name].command()
    with open("/dev/full", "wb") as full:
        argv, env = command.argv_for(folder), command.env_for(folder)
        said = subprocess.run(argv, env=env, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert said.returncode == 74
    assert "Nothing is lost; do not repeat the command." in said.stderr
    assert "not saved" not in said.stderr
    judge.check(folder, acked=True)


OBSTACLES: dict[str, Callable[[Path], None]] = {
    "a folder": Path.mkdir,
    "a FIFO": os.mkfifo,
    "a link": lambda path: path.symlink_to("elsewhere"),
}
IN_THE_WAY = ["memory/today.md", "memory/session-state.md", "memory/working-buffer.md", "memory/context-gamma.md",
              "memory/context-session-map.json", ".holdfast/lock"]  # fmt: skip
FOLDERS = [".holdfast", ".holdfast/swap", ".holdfast/pending", ".holdfast/journal", "memory"]


@contextlib.contextmanager
def moved_away(path: Path) -> Iterator[None]:
    """Something else stands where a thing of ours was; afterwards the thing is back."""
    kept = path.with_name("kept-aside")
    if path.exists():
        path.rename(kept)
    yield
    if path.is_dir() and not path.is_symlink():
        path.rmdir()
    else:
        path.unlink()
    if kept.exists():
        kept.rename(path)


@pytest.mark.parametrize("name", COMMANDS)
def test_something_else_in_the_place_of_a_file_or_folder_is_answered_truly(name: str, shop: Path) -> None:
    """A folder, a FIFO or a link where a file should be, a file where a folder should be: said, not followed, no hang."""
    before = durability.prepared(shop / "before")
    judge = Judge(ON_PREPARED[name], before, shop / "work")
    obstacles = [(file, what, put) for file in IN_THE_WAY for what, put in OBSTACLES.items()]
    obstacles += [(folder, "a file", Path.touch) for folder in FOLDERS]
    wrong = []
    for file, what, put in obstacles:
        folder = shop / "workspace"
        shutil.copytree(before, folder, symlinks=True)
        path = folder / file.replace("today", time.strftime("%Y-%m-%d"))
        with moved_away(path):
            put(path)
            said = run(ON_PREPARED[name], folder)
        try:
            answered(judge, folder, said)
        except AssertionError as error:
            wrong.append(f"{what} at {file}: {error}")
        shutil.rmtree(folder)
    print(f"{name}: {len(obstacles)} obstacles")
    assert not wrong, "\n".join(wrong)


@needs_root
@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("closed", [".", "memory", ".holdfast", ".holdfast/swap", ".holdfast/pending", ".holdfast/journal"])
def test_a_folder_without_permission_is_answered_truly(name: str, closed: str, shop: Path) -> None:
    """Another user, for root ignores permissions: everything belongs to nobody, but one folder."""
    if shutil.which("setpriv") is None:
        pytest.skip("setpriv is not installed")
    before = durability.prepared(shop / "before")
    judge = Judge(ON_PREPARED[name], before, shop / "work")
    folder = shop / "workspace"
    shutil.copytree(before, folder, symlinks=True)
    for path in [folder, *folder.rglob("*")]:
        os.chown(path, NOBODY, NOBODY)
    os.chown(folder / closed, 0, 0)
    (folder / closed).chmod(0o755)
    shop.chmod(0o755)
    said = run(ON_PREPARED[name], folder, "setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
    assert "No module named" not in said.stderr, f"nobody cannot read {sys.executable} or the source"
    for path in [folder, *folder.rglob("*")]:
        os.chown(path, 0, 0)
    answered(judge, folder, said)


# ---- the control -------------------------------------------------------------------------------------------------------


@needs_strace
def test_a_program_that_takes_failed_syncs_for_good_ones_is_found_out(shop: Path) -> None:
    """The control: with errors swallowed, some acknowledgement is no longer true, and the same check says so."""
    before, work = durability.prepared(shop / "before"), shop / "work"
    report = failed(ON_PREPARED["note"], before, work, "swallow-errors")
    tell("control swallow-errors", report)
    assert report.violations
