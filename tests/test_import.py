"""Importing: sessions from before come in once, in their own day, and disturb nothing that is newer."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import Holdfast
from holdfast import transcripts
from holdfast.capture import missed
from holdfast.config import read_config
from holdfast.memory import Memory
from holdfast.storage import disk
from holdfast.transcripts import HOSTS, find
from holdfast.transcripts.heads import about, seconds
from sessions import FACTS, STORY, Machine, Turn, claude_code

LATER = Turn("now the invoices of Austria, please", "/w/austria.py", "Austria", "Which rate has Austria for books?")
CHAT = (Turn("what is the capital of Austria", answer="Vienna."),)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """The home folder of whoever runs the command."""
    return Machine(tmp_path / "home")


def day(workspace: Path, name: str = "2026-03-01") -> str:
    """A day's file."""
    path = workspace / "memory" / f"{name}.md"
    return path.read_text() if path.exists() else ""


def picture(workspace: Path) -> dict[str, bytes]:
    """Every file but the lock's hint and the cursors, which are derived."""
    files = [path for path in workspace.rglob("*") if path.is_file() and path.name != "lock" and path.parent.name != "cursors"]
    return {str(path.relative_to(workspace)): path.read_bytes() for path in files}


def records(workspace: Path) -> list[str]:
    """The names of the journal's files."""
    return sorted(path.name for path in (workspace / ".holdfast" / "journal").rglob("*.md"))


def forget_cursors(workspace: Path) -> None:
    """Cursors are derived: whoever deletes them loses nothing."""
    for path in (workspace / ".holdfast" / "cursors").glob("*"):
        path.unlink()


# ---- what comes in -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", HOSTS)
def test_a_session_of_each_host_lands_in_its_own_day(host: str, machine: Machine, holdfast: Holdfast, workspace: Path) -> None:
    """The checkpoint and the entry stand in the day of the last event, with what was asked, done and still open."""
    session = machine.had(host, workspace)
    answer = holdfast("import")
    assert (answer.code, answer.out) == (0, "imported  1 session  1 day\n"), answer.err
    text = day(workspace)
    assert text.count("BIG-MEMORY-SNAPSHOT v1") == 1
    assert f"- {session}, topic none, trigger import" in text
    for fact in (*FACTS, "commit “sums are rounded”", "Should the page name the law?"):
        assert fact in text
    entry = text.partition("---")[0]
    assert re.search(r"^- \d\d:\d\d–\d\d:\d\d .*, session 0a1b2c3d-0000$", entry, re.M), entry
    assert "  - asked: set the reduced rate to 7 percent" in entry
    assert "  - at last: per invoice, and write a page about it" in entry
    assert "  - done: commit “page about rounding”" in entry


def test_each_session_of_a_database_is_its_own(machine: Machine, holdfast: Holdfast, workspace: Path) -> None:
    """Hosts that keep all sessions in one file."""
    machine.had("opencode", workspace)
    machine.had("opencode", workspace, (LATER,), number=2, begin="2026-03-02T10:00:00")
    assert holdfast("import").out == "imported  2 sessions  2 days\n"
    assert "austria" not in day(workspace)
    assert "rounding" not in day(workspace, "2026-03-02")


def test_a_packed_session_comes_in_by_its_folder_and_once(machine: Machine, holdfast: Holdfast, workspace: Path) -> None:
    """Codex packs its old sessions."""
    zstandard = pytest.importorskip("zstandard", reason="the zstandard package is not installed")
    path = machine.path("codex", machine.had("codex", workspace))
    path.with_name(path.name + ".zst").write_bytes(zstandard.compress(path.read_bytes()))
    path.unlink()
    assert holdfast("import").out == "imported  1 session  1 day\n"
    assert "page about rounding" in day(workspace)
    assert holdfast("import").out == "imported  0 sessions  0 days  (passed over: 1 known already)\n"


def test_a_session_that_was_imported_goes_on_under_hooks(machine: Machine, holdfast: Holdfast, workspace: Path) -> None:
    """Resumed after the import: the next hook reads on, and the working state is of now."""
    session = machine.had("claude-code", workspace)
    holdfast("import")
    machine.had("claude-code", workspace, (*STORY, LATER))
    payload = {"session_id": session, "transcript_path": str(machine.path("claude-code", session)), "cwd": str(workspace)}
    holdfast("hook", "claude-code", "PreCompact", stdin=json.dumps(payload).encode())
    state = json.loads(holdfast("show", "state", "--json", "--session", session).out)
    assert state["task"].startswith("now the invoices of Austria")
    assert state["unanswered"] == ["Which rate has Austria for books?"]
    assert "commit “sums are rounded”" in state["done"]
    assert "now the invoices of Austria" in (workspace / "memory" / "session-state.md").read_text()
    before = len(records(workspace))
    holdfast("import")
    assert len(records(workspace)) == before


def test_the_oldest_comes_first_and_the_newest_is_the_newest(machine: Machine, holdfast: Holdfast, workspace: Path) -> None:
    """Whatever order hosts and files have, the brief is of the session that was had last."""
    machine.had("pi", workspace, (LATER,), number=3, begin="2026-03-05T10:00:00")
    machine.had("codex", workspace, number=1, begin="2026-02-01T10:00:00")
    machine.had("claude-code", workspace, number=2, begin="2026-03-01T10:00:00")
    assert holdfast("import").out == "imported  3 sessions  3 days\n"
    assert "austria" in holdfast("show", "latest").out
    brief = holdfast("recover").out
    assert "now the invoices of Austria" in brief
    assert "2026-03-05" in brief


@pytest.mark.parametrize("host", ["claude-code", "codex"])
def test_subagents_are_left_out(host: str, machine: Machine, holdfast: Holdfast, workspace: Path) -> None:
    """Nobody had these sessions: their work is in the session that started them."""
    machine.had(host, workspace, side=True)
    assert holdfast("import", "--all").out == "imported  0 sessions  0 days  (passed over: 1 of subagents)\n"


def test_mere_question_and_answer_leaves_nothing_and_is_not_read_again(
    machine: Machine, holdfast: Holdfast, workspace: Path
) -> None:
    """B10: a day full of small talk is no memory."""
    machine.had("claude-code", workspace, CHAT)
    assert "1 trivial" in holdfast("import").out
    assert not records(workspace)
    assert "1 known already" in holdfast("import").out


def test_no_secret_of_a_transcript_reaches_the_disk(machine: Machine, holdfast: Holdfast, workspace: Path) -> None:
    """Entry, block, journal and cursor are as clean as any checkpoint."""
    secret = "sk-ant-api03-" + "a1B2" * 8
    machine.had("claude-code", workspace, (Turn(f"put the key {secret} into the settings", "/w/settings.py"),))
    holdfast("import")
    written = b"".join(path.read_bytes() for path in workspace.rglob("*") if path.is_file())
    assert b"[redacted:" in written
    assert b"a1B2a1B2" not in written


def test_a_clock_that_ran_ahead_does_not_put_memory_into_the_future(
    machine: Machine, holdfast: Holdfast, workspace: Path
) -> None:
    """What comes after it is still the newest, and has an id of its own time."""
    machine.had("claude-code", workspace, begin="2093-03-01T10:00:00")
    holdfast("import")
    assert not day(workspace, "2093-03-01")
    assert not holdfast("task", "after that").id.startswith("2093")


# ---- which sessions ----------------------------------------------------------------------------------------------------


def test_only_sessions_of_this_folder_come_in_unless_all_are_asked_for(
    machine: Machine, holdfast: Holdfast, workspace: Path, tmp_path: Path
) -> None:
    """The memory of one project is not told to another."""
    machine.had("claude-code", tmp_path / "elsewhere")
    machine.had("codex", workspace / "src", number=2)
    assert holdfast("import").out == "imported  1 session  1 day  (passed over: 1 of other folders: --all takes them)\n"
    assert "imported  1 session" in holdfast("import", "--all").out


def test_a_project_that_nobody_set_up_gets_its_own_sessions(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the same rule as a hook: a folder below the git root belongs to the project, the neighbour does not."""
    from holdfast.cli import main

    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    (project / "src").mkdir()
    monkeypatch.chdir(project)
    machine.had("claude-code", project / "src")
    machine.had("codex", tmp_path / "neighbour", number=2)
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(out := io.BytesIO(), write_through=True))
    monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(io.BytesIO()))
    assert main(["import"]) == 0
    assert out.getvalue() == b"imported  1 session  1 day  (passed over: 1 of other folders: --all takes them)\n"
    assert {path.name for path in project.iterdir()} == {".git", "src"}


def test_hosts_files_and_dates_narrow_it_down(machine: Machine, holdfast: Holdfast, workspace: Path, tmp_path: Path) -> None:
    """`import codex`, `import --since`, `import FILE`, `import --session`."""
    session = machine.had("claude-code", tmp_path / "elsewhere", begin="2026-02-01T10:00:00")
    machine.had("codex", workspace, number=2)
    machine.had("pi", workspace, number=3, begin="2026-04-01T10:00:00")
    assert holdfast("import", "gemini").out == "imported  0 sessions  0 days\n"
    assert "imported  1 session  1 day" in holdfast("import", "--since", "2026-03-15").out
    assert day(workspace, "2026-04-01")
    assert not day(workspace)
    assert "imported  1 session" in holdfast("import", "codex").out
    assert "imported  1 session" in holdfast("import", str(machine.path("claude-code", session))).out
    assert session in day(workspace, "2026-02-01")


def test_dry_run_lists_and_writes_nothing(machine: Machine, holdfast: Holdfast, workspace: Path) -> None:
    """Date, host, size, session and folder of what would be looked at."""
    session = machine.had("claude-code", workspace)
    line, last, _ = holdfast("import", "--dry-run").out.split("\n")
    assert re.fullmatch(rf"2026-03-01  claude-code +[\d.]+ kB  {session}  {re.escape(str(workspace))}", line)
    assert last == "1 session would be looked at"
    told = json.loads(holdfast("import", "--dry-run", "--json").out)["would_import"][0]
    assert (told["host"], told["session"], told["date"], told["folder"]) == ("claude-code", session, "2026-03-01", str(workspace))
    assert not workspace.exists()


WRONG = [
    (("import", "emacs"), "emacs is neither a host"),
    (("import", "--since", "yesterday"), "--since takes a date"),
    (("import", "{folder}/text.md"), "cannot be imported"),
    (("recover", "--host", "emacs"), "There is no host emacs"),
]


@pytest.mark.parametrize(("words", "said"), WRONG)
def test_a_request_that_cannot_be_carried_out_says_so_and_changes_nothing(
    words: tuple[str, ...], said: str, holdfast: Holdfast, workspace: Path, tmp_path: Path
) -> None:
    """One sentence, exit 2, no workspace made."""
    (tmp_path / "text.md").write_text("just a text\n")
    answer = holdfast(*(word.format(folder=tmp_path) for word in words))
    assert answer.code == 2
    assert said in answer.err
    assert "Nothing was changed" in answer.err
    assert not list(workspace.glob("*"))  # nor anything in it, where the test has made the folder


# ---- once --------------------------------------------------------------------------------------------------------------


def test_importing_again_writes_nothing(machine: Machine, holdfast: Holdfast, workspace: Path) -> None:
    """With its cursors and without them."""
    for number, host in enumerate(HOSTS):
        machine.had(host, workspace, number=number + 1, begin=f"2026-03-0{number + 1}T10:00:00")
    holdfast("import")
    before = picture(workspace)
    assert holdfast("import").out == "imported  0 sessions  0 days  (passed over: 6 known already)\n"
    assert picture(workspace) == before
    forget_cursors(workspace)
    assert holdfast("import").out == "imported  0 sessions  0 days  (passed over: 6 known already)\n"
    assert picture(workspace) == before


@pytest.mark.parametrize("lost", [False, True], ids=["cursor kept", "cursor lost"])
@pytest.mark.parametrize("host", ["claude-code", "codex", "pi"])
def test_a_session_that_has_grown_gives_its_new_state(
    host: str, lost: bool, machine: Machine, holdfast: Holdfast, workspace: Path
) -> None:
    """The task and the open question are the new ones, what was done before is still known, and the entry tells what is new."""
    machine.had(host, workspace)
    holdfast("import")
    session = machine.had(host, workspace, (*STORY, LATER))
    if lost:
        forget_cursors(workspace)
    assert "imported  1 session" in holdfast("import").out
    state = json.loads(holdfast("show", "latest", "--json").out)["state"]
    assert state["task"].startswith("now the invoices of Austria")
    assert state["unanswered"] == ["Which rate has Austria for books?"]
    assert "commit “sums are rounded”" in state["done"]
    entry = day(workspace).partition("went on")[2].partition("---")[0]
    assert "asked: now the invoices of Austria" in entry
    assert "set the reduced rate" not in entry
    assert json.loads(holdfast("recover", "--json", "--session", session).out)["session"] == session


def test_what_an_agent_has_set_wins_over_an_import(machine: Machine, holdfast: Holdfast, workspace: Path) -> None:
    """The transcript speaks beneath the agent, in a session that is imported too; with the cursor lost as well."""
    session = machine.had("claude-code", workspace)
    holdfast("import")
    holdfast("task", "the agent's own words", "--session", session)
    machine.had("claude-code", workspace, (*STORY, LATER))
    forget_cursors(workspace)
    holdfast("import")
    state = json.loads(holdfast("show", "state", "--json", "--session", session).out)
    assert state["task"] == "the agent's own words"
    assert state["unanswered"] == ["Which rate has Austria for books?"]


def test_what_changes_nothing_gives_no_checkpoint(machine: Machine, holdfast: Holdfast, workspace: Path) -> None:
    """The host's own summary after a compaction is no news, however often `recover` is asked."""
    session = machine.had("claude-code", workspace)
    holdfast("recover", "--session", session)
    boundary = {"type": "system", "subtype": "compact_boundary", "timestamp": "2026-03-01T11:00:00.000Z", "sessionId": session}
    with machine.path("claude-code", session).open("a") as file:
        file.write(json.dumps(boundary) + "\n")
    assert holdfast("recover", "--session", session).err == ""
    assert len(records(workspace)) == 1


def test_what_came_later_is_the_newer_whatever_the_hosts_clock_said(
    machine: Machine, holdfast: Holdfast, workspace: Path
) -> None:
    """A host whose clock was set back between two turns: its last turn is still its last."""
    session = machine.had("claude-code", workspace)
    holdfast("import")
    path = machine.path("claude-code", session)
    more = claude_code(session, str(workspace), (LATER,), "2026-02-01T10:00:00")
    path.write_text(path.read_text() + "".join(json.dumps(entry) + "\n" for entry in more))
    holdfast("import")
    assert "now the invoices of Austria" in holdfast("show", "latest").out


class Killed(BaseException):
    """The process is gone: nothing catches it."""


@pytest.mark.parametrize("fault", [Killed(), OSError(28, "No space left on device")], ids=["killed", "disk full"])
@pytest.mark.parametrize("live", [False, True], ids=["over", "live"])
@pytest.mark.parametrize("step", ["place", "touch", "sync", "remove", "exchange"])
def test_stopped_anywhere_and_repeated_gives_no_doubles(
    step: str,
    live: bool,
    fault: BaseException,
    machine: Machine,
    holdfast: Holdfast,
    workspace: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """At every write of an import it is killed, or the disk refuses; the next one goes on, and each session is there one time.

    A live session has a state file of its own, which takes on what was brought in, once too.
    """
    session = machine.had("claude-code", workspace)
    machine.had("codex", workspace, (LATER,), number=2, begin="2026-03-01T12:00:00")
    real = getattr(disk.Folder, step)
    count = killed = 0

    def dying(self: disk.Folder, *given: object, **more: object) -> object:
        nonlocal count
        count -= 1
        if not count:
            raise fault
        return real(self, *given, **more)

    while True:
        killed += 1
        for path in sorted(workspace.rglob("*"), reverse=True) if workspace.exists() else ():
            path.rmdir() if path.is_dir() else path.unlink()
        if live:
            holdfast("context", "deadline", "Friday", "--session", session)
        count = killed
        monkeypatch.setattr(disk.Folder, step, dying)
        with contextlib.suppress(Killed):
            answer = holdfast("import")
            assert answer.code in (0, 74), answer.err
        monkeypatch.setattr(disk.Folder, step, real)
        if count > 0:
            break
        assert holdfast("import").code == 0
        text = day(workspace)
        assert text.count("BIG-MEMORY-SNAPSHOT v1") == 2, f"{step} {killed}"
        assert (text.count("session 0a1b2c3d"), len(records(workspace))) == (2, 4 + live), f"{step} {killed}"
        state = json.loads(holdfast("show", "state", "--json", "--session", session).out)
        assert state["task"].startswith("per invoice, and write"), f"{step} {killed}"
        assert state["context"] == ({"deadline": "Friday"} if live else {}), f"{step} {killed}"
    assert killed > 4, f"only {killed - 1} calls of {step} were hit"


def test_two_imports_side_by_side_bring_in_each_session_once(machine: Machine, workspace: Path) -> None:
    """The id is looked for under the lock."""
    for number in range(8):
        machine.had("claude-code", workspace, number=number + 1, begin=f"2026-03-0{number + 1}T10:00:00")
    command = [sys.executable, "-m", "holdfast", "--workspace", str(workspace), "import"]
    for _ in range(4):
        for running in [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)]:
            running.communicate()
        forget_cursors(workspace)
    assert len(records(workspace)) == 16
    assert [day(workspace, f"2026-03-0{n + 1}").count("BIG-MEMORY-SNAPSHOT v1") for n in range(8)] == [1] * 8


def test_an_interrupted_import_keeps_what_is_done_and_goes_on(
    machine: Machine, holdfast: Holdfast, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C in the second of three sessions."""
    for number in range(3):
        machine.had("claude-code", workspace, number=number + 1, begin=f"2026-03-0{number + 1}T10:00:00")
    real, count = missed.bring_in, 0

    def interrupted(*given: object, **more: object) -> object:
        nonlocal count
        count += 1
        if count == 2:
            raise KeyboardInterrupt
        return real(*given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(missed, "bring_in", interrupted)
    answer = holdfast("import")
    assert answer.code == 130
    assert "imported  1 session  1 day" in answer.err
    assert "goes on from here" in answer.err
    monkeypatch.setattr(missed, "bring_in", real)
    assert "imported  2 sessions  2 days" in holdfast("import").out


def test_a_terminal_sees_how_far_it_is_and_a_pipe_does_not(machine: Machine, holdfast: Holdfast, workspace: Path) -> None:
    """One line that is written over and gone in the end."""
    (workspace / "other").mkdir(parents=True)
    for number in range(2):
        machine.had("claude-code", workspace, number=number + 1)
    assert holdfast("import").err == ""
    import pty

    master, slave = pty.openpty()
    command = [sys.executable, "-m", "holdfast", "--workspace", str(workspace / "other"), "import", "--all"]
    running = subprocess.Popen(command, stderr=slave, stdout=subprocess.PIPE)
    out, _ = running.communicate()
    os.close(slave)
    told = b""
    with contextlib.suppress(OSError):  # so the end of a terminal is told; what was written to it may come in pieces
        while part := os.read(master, 10_000):
            told += part
    os.close(master)
    shown = told.decode()
    assert "1/2" in shown
    assert "2/2" in shown
    assert "claude-code" in shown
    assert shown.endswith("\r\x1b[K")
    assert out == b"imported  2 sessions  1 day\n"


# ---- the present -------------------------------------------------------------------------------------------------------


def test_an_import_does_not_disturb_the_present(machine: Machine, holdfast: Holdfast, workspace: Path) -> None:
    """The shown state, the newest checkpoint, the brief and the next checkpoint are those of the work under way."""
    holdfast("checkpoint", "--session", "live", "--task", "the work under way", "--unanswered", "now or later?")
    shown = (workspace / "memory" / "session-state.md").read_bytes()
    machine.had("claude-code", workspace)
    assert "imported  1 session" in holdfast("import").out
    assert (workspace / "memory" / "session-state.md").read_bytes() == shown
    assert "the work under way" in holdfast("show", "latest").out
    for words in ((), ("--session", "live")):
        brief = holdfast("recover", *words).out
        assert "the work under way" in brief
        assert "page about rounding" not in brief
    assert "The newest session here is live, saved " in holdfast("recover", "--session", "new").out
    holdfast("checkpoint", "--session", "live", "--unanswered", "none", "--task", "the next thing")
    assert json.loads(holdfast("show", "state", "--json", "--session", "live").out)["unanswered"] == []


def test_after_an_import_a_clock_set_back_still_does_no_harm(machine: Machine, workspace: Path) -> None:
    """The newest id stays the newest: an import leaves no older one as the hint."""
    moment = seconds("2026-11-15T12:00:00Z")
    memory = Memory(str(workspace), read_config(str(workspace)), write=True, clock=lambda: moment)
    first = memory.checkpoint("live", {"task": "one", "unanswered": ("a?",)})
    machine.had("claude-code", workspace)
    found = find.sessions("claude-code", {}, str(machine.home))[0]
    assert not isinstance(missed.bring_in(memory, found, "import"), str)
    moment -= 3600
    second = memory.checkpoint("live", {"task": "two", "unanswered": ()})
    assert second.id > first.id
    assert memory.state("live").unanswered == ()
    memory.close()


@pytest.mark.parametrize("parked", [False, True], ids=["shown", "parked"])
def test_a_session_with_a_state_file_of_its_own_goes_on_in_it(
    parked: bool, machine: Machine, holdfast: Holdfast, workspace: Path
) -> None:
    """What an import knows more of a live session is in its working state, whether that is the one shown or not."""
    session = machine.had("claude-code", workspace)
    newest = holdfast("context", "deadline", "Friday", "--session", session).id
    if parked:
        holdfast("task", "of another session", "--session", "other")
    holdfast("import")
    state = json.loads(holdfast("show", "state", "--json", "--session", session).out)
    assert state["context"] == {"deadline": "Friday"}
    assert state["task"].startswith("per invoice, and write")
    shown = (workspace / "memory" / "session-state.md").read_text()
    assert ("of another session" in shown) is parked
    assert ("per invoice, and write" in shown) is not parked
    files = [shown, *(path.read_text() for path in (workspace / ".holdfast" / "sessions").glob("*"))]
    assert any(f"<!-- holdfast: {newest} -->" in text for text in files), "the newest record is the one that it names"


@pytest.mark.parametrize("trigger", ["import", "missed-hook", "hand"])
def test_an_agents_own_checkpoint_is_of_now_whatever_it_calls_its_trigger(
    trigger: str, holdfast: Holdfast, workspace: Path
) -> None:
    """`--trigger` is a free word: it must not take the checkpoint for one from the past."""
    holdfast("checkpoint", "--session", "live", "--task", "the work under way", "--trigger", trigger)
    assert "the work under way" in (workspace / "memory" / "session-state.md").read_text()


def test_a_state_file_that_names_no_session_lends_nothing_to_an_import(
    machine: Machine, holdfast: Holdfast, workspace: Path
) -> None:
    """A file that somebody wrote by hand is of whoever works now, and stays as it is."""
    path = workspace / "memory" / "session-state.md"
    path.parent.mkdir(parents=True)
    path.write_text("# Session State\n\n## Current Task\nmine, by hand\n")
    machine.had("claude-code", workspace)
    holdfast("import")
    machine.had("claude-code", workspace, (*STORY, LATER))
    holdfast("import")
    assert day(workspace).count("BIG-MEMORY-SNAPSHOT v1") == 2
    assert path.read_text() == "# Session State\n\n## Current Task\nmine, by hand\n"
    assert "mine, by hand" not in day(workspace)


# ---- recover -----------------------------------------------------------------------------------------------------------


def test_recover_without_a_session_takes_the_newest_one_of_this_folder(
    machine: Machine, holdfast: Holdfast, workspace: Path, tmp_path: Path
) -> None:
    """Found by its folder, over all hosts, and saved with the reason."""
    machine.had("claude-code", workspace)
    machine.had("codex", workspace, (LATER,), number=2, begin="2026-03-02T10:00:00")
    machine.had("pi", tmp_path / "elsewhere", (Turn("something else", "/x.py"),), number=3, begin="2026-03-03T10:00:00")
    os.utime(machine.path("claude-code", find.sessions("claude-code", {}, str(machine.home))[0].session), (1e9, 1e9))
    os.utime(machine.path("codex", find.sessions("codex", {}, str(machine.home))[0].session), (2e9, 2e9))
    os.utime(machine.path("pi", find.sessions("pi", {}, str(machine.home))[0].session), (3e9, 3e9))
    answer = holdfast("recover")
    assert "now the invoices of Austria" in answer.out
    assert "something else" not in answer.out
    assert "read from its transcript" in answer.err
    assert "trigger missed-hook" in day(workspace, "2026-03-02")
    assert holdfast("recover").err == ""
    assert len(records(workspace)) == 1


def test_what_was_set_by_hand_since_the_session_began_stands_on_top(
    machine: Machine, holdfast: Holdfast, workspace: Path
) -> None:
    """An agent that uses plain commands names no session: its words and its transcript belong together."""
    machine.had("claude-code", workspace)
    holdfast("task", "the agent's own words")
    brief = holdfast("recover").out
    assert "Working on (as set): the agent's own words" in brief
    assert "rounding.py" in brief
    assert "Should the page name the law?" in brief


def test_back_goes_back_in_the_session_that_recover_tells_of(machine: Machine, holdfast: Holdfast, workspace: Path) -> None:
    """B5: at a terminal too, where what was saved under no session would otherwise be told as the one before."""
    memory = Memory(str(workspace), read_config(str(workspace)), write=True, clock=lambda: seconds("2026-02-01T10:00:00Z"))
    for goal in ("the first of last month", "the second of last month"):
        memory.checkpoint("default", {"goal": goal})
    memory.close()
    for turns in (STORY, (*STORY, LATER)):
        machine.had("claude-code", workspace, turns)
        newest = holdfast("recover").out
    assert "Working on: now the invoices of Austria" in newest
    before = holdfast("recover", "--back", "1").out
    assert "Working on: per invoice, and write a page about it" in before
    assert "last month" not in before


def test_what_was_set_before_the_session_began_does_not(machine: Machine, holdfast: Holdfast, workspace: Path) -> None:
    """A task of last month is not what this session is about."""
    memory = Memory(str(workspace), read_config(str(workspace)), write=True, clock=lambda: seconds("2026-02-01T10:00:00Z"))
    memory.change("default", {"task": "the task of last month"})
    memory.close()
    machine.had("claude-code", workspace)
    assert "Working on: per invoice, and write a page about it" in holdfast("recover").out


def test_beside_somebody_who_holds_the_lock_nothing_is_brought_in_and_nothing_is_lost(
    machine: Machine, holdfast: Holdfast, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the lock nobody could tell whether it is there already; the brief has it all the same."""
    session = machine.had("claude-code", workspace)
    other = Memory(str(workspace), read_config(str(workspace)), write=True)
    assert other.lock
    assert other.lock.take(1)
    monkeypatch.setattr("holdfast.storage.writing.PATIENCE", 0.0)
    answer = holdfast("import")
    assert (answer.code, records(workspace)) == (2, [])
    assert "nothing is lost; run it again" in answer.err
    answer = holdfast("recover", "--session", session)
    assert "per invoice, and write a page about it" in answer.out
    assert "nothing was saved" in answer.err
    other.close()
    assert "imported  1 session" in holdfast("import").out


def test_a_workspace_that_cannot_be_written_gives_the_brief_and_says_that_nothing_was_saved(
    machine: Machine, holdfast: Holdfast, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Made from the transcript, in the open."""
    session = machine.had("claude-code", workspace)
    workspace.mkdir()

    def refused(*_given: object, **_more: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(disk.Folder, "touch", refused)
    answer = holdfast("recover", "--session", session)
    assert answer.code == 0
    assert "per invoice, and write a page about it" in answer.out
    assert "rates.py" in answer.out
    assert "nothing was saved" in answer.err
    assert not records(workspace)


def test_the_session_before_is_brought_in_when_the_next_one_starts(machine: Machine, workspace: Path) -> None:
    """`previous`, as a hook calls it: once, and not the session that is starting."""
    machine.had("claude-code", workspace)
    machine.had("claude-code", "/elsewhere", (Turn("something else", "/x.py"),), number=3, begin="2026-03-03T10:00:00")
    starting = machine.had("claude-code", workspace, (LATER,), number=2, begin="2026-03-02T10:00:00")
    memory = Memory(str(workspace), read_config(str(workspace)), write=True)
    env = {"HOME": str(machine.home)}
    brought = missed.previous(memory, starting, "claude-code", env, str(workspace))
    assert not isinstance(brought, str)
    assert brought.id.startswith("20260301-")
    assert "per invoice, and write a page" in memory.recover(starting)
    assert missed.previous(memory, starting, "claude-code", env, str(workspace)) == missed.KNOWN
    memory.close()


def test_where_nothing_is_new_nothing_is_parsed(machine: Machine, workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The start of a session must not wait for a transcript that was read before."""
    machine.had("claude-code", workspace)
    memory = Memory(str(workspace), read_config(str(workspace)), write=True)
    env = {"HOME": str(machine.home)}
    missed.previous(memory, "new", "claude-code", env, str(workspace))
    monkeypatch.setattr(transcripts, "Transcript", None)
    assert missed.previous(memory, "new", "claude-code", env, str(workspace)) == missed.KNOWN
    memory.close()


# ---- the ends of a transcript ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", HOSTS)
def test_the_ends_tell_folder_and_times_without_reading_it(host: str, machine: Machine) -> None:
    """Of a file, and of a session in a database."""
    machine.had(host, '/w/with "quotes" and ümlaut')
    told = about(find.sessions(host, {}, str(machine.home))[0])
    assert told.folder == '/w/with "quotes" and ümlaut'
    assert told.began == pytest.approx(seconds("2026-03-01T10:00:00.250Z"), abs=1)
    assert not told.aside
    assert told.size > 500


def test_a_folder_that_is_only_spoken_of_is_not_the_session_s(machine: Machine) -> None:
    """A text that quotes another transcript does not move the session elsewhere."""
    entries = claude_code("s", "/real", (Turn('he wrote {"cwd": "/false", "isSidechain": true}'),), "2026-03-01T10:00:00")
    path = machine.path("claude-code", "s")
    path.parent.mkdir(parents=True)
    first = {key: entries[0][key] for key in ("type", "message", "sessionId", "cwd", "isSidechain", "timestamp")}
    path.write_text(json.dumps(first) + "\n")
    told = about(find.sessions("claude-code", {}, str(machine.home))[0])
    assert (told.folder, told.aside) == ("/real", False)
