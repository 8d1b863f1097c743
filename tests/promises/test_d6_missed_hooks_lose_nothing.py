"""D6: with any hook missed, or all of them, and the host killed in the midst of a turn, nothing up to the last entry is lost.

A session is cut after each of its entries, and in the middle of the next line. Before the cut some hooks came, or none did; the
cursor may be lost. Then each way of recovery must give everything that the cut transcript says: what was asked, which files were
changed, what was done, and the question that waits. More than that it must not give. The control goes by what hooks have
left behind, and by that alone.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from durability import PYTHON, SOURCE, changing_points, tell

from conftest import Holdfast
from holdfast.capture import missed
from holdfast.config import read_config
from holdfast.memory import Memory
from holdfast.transcripts.heads import seconds
from lab.command import ROOT, Command
from lab.inject import Outcome, strike_all
from sessions import NUMBER, STORY, Machine

SESSION = NUMBER.format(1)
WAITS = "Put the unanswered question above to the user again"
EARLY = 6  # entries that were there when the early hook came: the first turn


class Cut:
    """A session of Claude Code that is written entry by entry, and the ways back into it."""

    def __init__(self, machine: Machine, workspace: Path, holdfast: Holdfast, host: str = "claude-code") -> None:
        self.machine, self.workspace, self.holdfast, self.host = machine, workspace, holdfast, host
        machine.had(host, workspace)
        self.path = machine.path(host, SESSION)
        self.lines = self.path.read_text().splitlines(keepends=True)
        self.path.write_text("")
        self.now = seconds("2026-03-01T09:59:00Z")

    def reaches(self, count: int, torn: bool = False) -> None:
        """So many entries are there, and half of the next where it is torn."""
        half = self.lines[count][: len(self.lines[count]) // 2] if torn and count < len(self.lines) else ""
        self.path.write_text("".join(self.lines[:count]) + half)
        if count:
            self.now = seconds(json.loads(self.lines[count - 1])["timestamp"]) + 1

    def hook(self, event: str, **more: str) -> None:
        """A hook that came."""
        about = {"session_id": SESSION, "transcript_path": str(self.path), "cwd": str(self.workspace), "hook_event_name": event}
        self.holdfast("hook", "claude-code", event, stdin=json.dumps({**about, **more}).encode())

    def forget(self) -> None:
        """Cursors and receipts are derived, and may go."""
        for path in (*self.workspace.glob(".holdfast/cursors/*"), *self.workspace.glob(".holdfast/receipts.jsonl")):
            path.unlink()


def told(lines: list[str]) -> tuple[set[str], set[str]]:
    """(what recovery must give, what it must not) of a session of so many entries."""
    text, must, later = "".join(lines), set(), set()
    for turn in STORY:
        file, commit = turn.edit.rsplit("/", 1)[-1], f"commit “{turn.commit}”"
        for fact, sign in ((turn.request[:40], turn.request), (file, turn.edit), (commit, turn.commit)):
            (must if sign in text else later).add(fact)
    # The commit is done once its result is there; a question waits while it is the last thing that was said.
    if lines and "git commit" in lines[-1]:
        subject = next(turn.commit for turn in STORY if turn.commit in lines[-1])
        must.discard(f"commit “{subject}”")
    waiting = [turn.answer for turn in STORY if turn.answer.endswith("?") and turn.answer in lines[-1]]
    must |= {*waiting, *([WAITS] if waiting else [])}
    return must, later | (set() if waiting else {WAITS})


HOOKS: dict[str, Callable[[Cut], None]] = {
    "all were missed": lambda _cut: None,
    "only SessionStart came": lambda cut: cut.hook("SessionStart", source="startup"),
    "one PreCompact came early": lambda cut: (cut.reaches(EARLY), cut.hook("PreCompact", trigger="auto"))[1],
    "one came early, and its traces are lost": lambda cut: (cut.reaches(EARLY), cut.hook("PreCompact"), cut.forget())[2],
}


def by_session(cut: Cut) -> str:
    """`holdfast recover --session`."""
    return cut.holdfast("recover", "--session", SESSION).out


def by_folder(cut: Cut) -> str:
    """`holdfast recover`, in the folder."""
    return cut.holdfast("recover").out


def at_the_next_start(cut: Cut) -> str:
    """What the next session's start brings in."""
    memory = Memory(str(cut.workspace), read_config(str(cut.workspace)), write=True)
    try:
        missed.previous(memory, "the next", cut.host, {"HOME": str(cut.machine.home)}, str(cut.workspace))
        return memory.recover("the next")
    finally:
        memory.close()


def by_import(cut: Cut) -> str:
    """`holdfast import`, then the brief."""
    cut.holdfast("import")
    return cut.holdfast("recover", "--session", SESSION).out


def emptied(folder: Path) -> None:
    """A workspace as it was before."""
    for path in sorted(folder.rglob("*"), reverse=True) if folder.exists() else ():
        path.rmdir() if path.is_dir() else path.unlink()


def violations(cut: Cut, hooks: Callable[[Cut], None], way: Callable[[Cut], str], first: int = 1) -> list[str]:
    """Every cut, and what was lost or made up there."""
    found = []
    for count in range(first, len(cut.lines) + 1):
        for torn in (False, True):
            emptied(cut.workspace)
            cut.reaches(0)
            hooks(cut)
            cut.reaches(count, torn)
            brief = way(cut)
            must, later = told(cut.lines[:count])
            found += [f"{count}{' torn' if torn else ''} lost: {fact}" for fact in sorted(must) if fact not in brief]
            found += [f"{count}{' torn' if torn else ''} made up: {fact}" for fact in sorted(later) if fact in brief]
            again = way(cut)
            found += [f"{count} is not the same when it is asked again"] if again != brief else []
    return found


@pytest.fixture
def cut(tmp_path: Path, workspace: Path, holdfast: Holdfast, monkeypatch: pytest.MonkeyPatch) -> Cut:
    """A session that is yet to be had; it is always one second after its last entry."""
    found = Cut(Machine(tmp_path / "home"), workspace, holdfast)
    assert Memory.__init__.__kwdefaults__
    monkeypatch.setitem(Memory.__init__.__kwdefaults__, "clock", lambda: found.now)
    return found


@pytest.mark.parametrize("way", [by_session, by_folder, at_the_next_start, by_import], ids=lambda way: way.__name__)
@pytest.mark.parametrize("hooks", HOOKS)
def test_whatever_hooks_were_missed_the_transcript_gives_it_back(hooks: str, way: Callable[[Cut], str], cut: Cut) -> None:
    """Cut after each entry and in the middle of each line, on every way back."""
    first = EARLY + 1 if "early" in hooks else 1
    assert violations(cut, HOOKS[hooks], way, first) == []


@pytest.mark.parametrize("host", ["codex", "gemini", "pi"])
def test_a_host_whose_hooks_never_come_loses_nothing_either(
    host: str, tmp_path: Path, workspace: Path, holdfast: Holdfast
) -> None:
    """The same of other hosts' transcripts, whose first entry is about the session itself."""
    assert violations(Cut(Machine(tmp_path / "home"), workspace, holdfast, host), HOOKS["all were missed"], by_session, 2) == []


def test_an_entry_that_was_half_there_is_read_when_it_is_whole(cut: Cut) -> None:
    """Recovered while the host was writing, and again afterwards."""
    for count in range(1, len(cut.lines)):
        cut.reaches(count, torn=True)
        by_session(cut)
        cut.reaches(count + 1)
        brief = by_session(cut)
        assert [fact for fact in told(cut.lines[: count + 1])[0] if fact not in brief] == []


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_an_import_that_is_killed_before_any_change_is_gone_on_with(tmp_path: Path) -> None:
    """A real process, killed before each call that changes something: the next import brings in each session, once."""
    before, work = tmp_path / "before", tmp_path / "work"
    work.mkdir()
    for number in (1, 2):
        Machine(before / "home").had("claude-code", "/w", number=number)
    words = ("-m", "holdfast", "--workspace", f"{ROOT}/workspace", "import", "--all")
    command = Command((*PYTHON, *words), {**SOURCE, "HOME": f"{ROOT}/home"})

    def check(outcome: Outcome) -> None:
        folder = outcome.folder
        again = subprocess.run(command.argv_for(folder), env=command.env_for(folder), capture_output=True, check=False)
        assert again.returncode == 0, again.stderr.decode()
        text = (folder / "workspace" / "memory" / "2026-03-01.md").read_text()
        assert text.count("BIG-MEMORY-SNAPSHOT v1") == text.count("- asked: ") == 2, text[:2000]
        assert len(list((folder / "workspace" / ".holdfast" / "journal").rglob("*.md"))) == 4
        assert not list((folder / "workspace" / ".holdfast" / "pending").iterdir())

    report = strike_all(command, before, work, list(changing_points(command, before, work)), check)
    tell("import", report)
    report.raise_if_any()
    assert report.examined > 40


def test_a_recovery_that_goes_by_what_hooks_left_is_found_out(cut: Cut, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: receipts, cursor and journal alone, without a look at the transcript."""
    monkeypatch.setattr(missed, "is_all_saved", lambda _memory, _found: True)
    for hooks in HOOKS.values():
        assert any("lost" in line for line in violations(cut, hooks, by_session, EARLY + 1))
