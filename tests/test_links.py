"""Links, agreed to and not, second names, and the names that a folder takes."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conftest import Holdfast
from holdfast.config import Config
from holdfast.memory import Memory
from holdfast.storage.disk import Folder, Lock


@pytest.fixture
def elsewhere(workspace: Path, tmp_path: Path) -> Path:
    """A folder outside, and a workspace whose `memory/` is a link to it."""
    place = tmp_path / "elsewhere" / "memory"
    place.mkdir(parents=True)
    workspace.mkdir()
    (workspace / "memory").symlink_to(place)
    return place


def journal(workspace: Path) -> str:
    """All that the journal has."""
    return "".join(path.read_text() for path in (workspace / ".holdfast" / "journal").rglob("*.md"))


# ---- memory/ -----------------------------------------------------------------------------------------------------------

SAVING = [
    ["task", "mend the lamp"],
    ["note", "mend the lamp"],
    ["checkpoint", "--task", "mend the lamp", "--topic", "lamp"],
    ["topic", "bind", "mend the lamp"],
]


@pytest.mark.parametrize("words", SAVING, ids=" ".join)
def test_a_linked_memory_waits_for_a_yes_and_loses_nothing(
    holdfast: Holdfast, workspace: Path, elsewhere: Path, words: list[str]
) -> None:
    """Before `init`: the record is in the journal, nothing goes through the link, and it is said. After it, all is caught up."""
    answer = holdfast(*words)
    assert answer.code == 74
    assert answer.err.startswith("holdfast: Saved as ")
    assert f"memory could not be brought up to date: it is a link to {elsewhere}, which nobody has agreed to." in answer.err
    assert f"Run `holdfast init` in {workspace}" in answer.err
    assert re.search("mend.the.lamp", journal(workspace))
    assert list(elsewhere.iterdir()) == []
    assert holdfast("init", "--yes").code == 0
    assert re.search("mend.the.lamp", "".join(path.read_text() for path in elsewhere.rglob("*") if path.is_file()))
    assert (workspace / "memory").is_symlink()
    answer = holdfast(*words)
    assert answer.code == 0
    assert "link" not in answer.err


def test_reading_commands_say_in_one_line_that_memory_is_linked(holdfast: Holdfast, workspace: Path, elsewhere: Path) -> None:
    """They answer from the journal, and name the link and what to run."""
    (elsewhere / "heron.md").write_text("- the heron\n")
    holdfast("task", "mend the lamp")
    for words in (["status"], ["show", "state"], ["recover"], ["topic", "list"]):
        answer = holdfast(*words)
        assert answer.code == 0
        (line,) = answer.err.splitlines()
        assert line.startswith(
            f"note: {workspace / 'memory'} was not read: it is a link to {elsewhere}, which nobody has agreed to. "
        )
        assert "`holdfast init`" in line
    assert "mend the lamp" in holdfast("recover").out
    assert "1 link was not followed" in holdfast("recover").out
    found = json.loads(holdfast("search", "heron", "--json").out)
    assert found["results"] == []
    assert f"it is a link to {elsewhere}" in json.dumps(found)
    holdfast("init", "--yes")
    assert json.loads(holdfast("search", "heron", "--json").out)["results"][0]["path"] == "memory/heron.md"
    assert holdfast("status").err == ""
    assert "not followed" not in holdfast("recover").out


def test_a_hook_saves_to_the_journal_and_says_so_in_its_receipt(holdfast: Holdfast, workspace: Path, elsewhere: Path) -> None:
    """It never fails its host, and what it has told once it does not tell again with each call."""
    from sessions import STORY, claude_code

    transcript = workspace.parent / "s1.jsonl"
    entries = claude_code("s1", str(workspace), STORY, "2026-11-15T09:00:00")
    transcript.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    payload = json.dumps({"session_id": "s1", "transcript_path": str(transcript), "cwd": str(workspace), "source": "compact"})
    for _ in range(3):
        answer = holdfast("hook", "claude-code", "PreCompact", stdin=payload.encode())
        assert (answer.code, answer.err) == (0, "")
    told = [json.loads(line)["did"] for line in (workspace / ".holdfast" / "receipts.jsonl").read_text().splitlines()]
    assert told[0].startswith("saved in the journal, and not in the files: Saved as ")
    assert "nobody has agreed to" in told[0]
    assert [did.partition("; ")[0] for did in told[1:]] == ["nothing new to save"] * 2
    assert list(elsewhere.iterdir()) == []
    assert "Where we left off" in holdfast("hook", "claude-code", "SessionStart", stdin=payload.encode()).out


def test_init_shows_where_a_link_leads_and_takes_no_silence_for_a_yes(
    holdfast: Holdfast, workspace: Path, elsewhere: Path
) -> None:
    """Without `--yes` and without anybody to ask, nothing is agreed to."""
    answer = holdfast("init")
    assert answer.code == 2
    assert f"memory/ is a link to {elsewhere}; from now on it is read and written there" in answer.out
    assert holdfast("task", "x").code == 74
    holdfast("init", "--yes")
    assert f"memory/ is a link to {elsewhere}; as you have agreed" in holdfast("init").out


def test_a_yes_is_to_one_place_alone(holdfast: Holdfast, workspace: Path, elsewhere: Path, tmp_path: Path) -> None:
    """A link that is turned elsewhere afterwards is asked about again; turned back, it is the one that was agreed to."""
    holdfast("init", "--yes")
    assert holdfast("task", "one").code == 0
    other = tmp_path / "other"
    other.mkdir()
    (workspace / "memory").unlink()
    (workspace / "memory").symlink_to(other)
    assert f"link to {other}, which nobody has agreed to" in holdfast("task", "two").err
    assert list(other.iterdir()) == []
    (workspace / "memory").unlink()
    (workspace / "memory").symlink_to(elsewhere)
    assert holdfast("task", "three").code == 0
    assert "task: two" in (elsewhere / "working-buffer.md").read_text()


def test_a_link_on_the_way_to_the_agreed_place_is_not_followed(
    holdfast: Holdfast, workspace: Path, elsewhere: Path, tmp_path: Path
) -> None:
    """What was agreed to is a place, and not whatever its path may come to mean."""
    holdfast("init", "--yes")
    (tmp_path / "trap" / "memory").mkdir(parents=True)
    elsewhere.parent.rename(tmp_path / "moved")
    elsewhere.parent.symlink_to(tmp_path / "trap")
    assert f"link to {tmp_path / 'trap' / 'memory'}, which nobody has agreed to" in holdfast("task", "x").err
    assert list((tmp_path / "trap" / "memory").iterdir()) == []


def test_to_name_a_workspace_agrees_to_no_link(
    holdfast: Holdfast, workspace: Path, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The flag and the variable trust a workspace; where a link in it leads, nobody has been shown. No setting agrees to it."""
    monkeypatch.setenv("HOLDFAST_WORKSPACE", str(workspace))
    assert holdfast("task", "x").code == 74
    (workspace / ".holdfast" / "config.toml").write_text(f'agreements = "{workspace}/list"\n')
    (workspace / "list").write_text(f"{workspace}\tmemory\t{elsewhere}\n")
    answer = holdfast("task", "x")
    assert answer.code == 74
    assert "there is no setting agreements" in answer.err
    assert list(elsewhere.iterdir()) == []
    assert "agreements" not in answer.err.partition("Known: ")[2]


@pytest.mark.parametrize("target", ["nowhere", "file", "a\x1b[2Jb"])
def test_a_link_to_what_is_no_folder_is_not_agreed_to(holdfast: Holdfast, workspace: Path, tmp_path: Path, target: str) -> None:
    """`init` says so and changes nothing."""
    workspace.mkdir()
    (tmp_path / "file").write_text("")
    (workspace / "memory").symlink_to(tmp_path / target)
    answer = holdfast("init", "--yes")
    assert answer.code == 2
    assert "memory is a link to" in answer.err
    assert "\x1b" not in answer.err + answer.out
    assert not (tmp_path / "home" / ".local").exists()


def test_a_linked_folder_of_ours_is_not_trusted(holdfast: Holdfast, workspace: Path, tmp_path: Path) -> None:
    """The journal is where it is said to be: `init` refuses, and every command says what stands there."""
    (tmp_path / "theirs").mkdir()
    workspace.mkdir()
    (workspace / ".holdfast").symlink_to(tmp_path / "theirs")
    answer = holdfast("init", "--yes")
    assert answer.code == 2
    assert ".holdfast is a link" in answer.err
    answer = holdfast("task", "x")
    assert answer.code == 74
    assert "was not saved: it is a symbolic link, which is not followed" in answer.err
    assert list((tmp_path / "theirs").iterdir()) == []
    assert not (tmp_path / "home" / ".local").exists()


def test_a_place_on_another_disk_works_once_it_is_agreed_to(holdfast: Holdfast, workspace: Path) -> None:
    """Documents are exchanged on the disk that they are on."""
    shared = Path("/dev/shm")
    if not os.access(shared, os.W_OK) or shared.stat().st_dev == workspace.parent.stat().st_dev:
        pytest.skip("there is no second file system here")
    workspace.mkdir()
    with tempfile.TemporaryDirectory(dir=shared) as place:
        (workspace / "memory").symlink_to(place)
        assert holdfast("init", "--yes").code == 0
        for number in range(3):
            assert holdfast("note", f"bird {number}").code == 0
        assert holdfast("show", "today").out.count("bird") == 3
        shutil.rmtree(place)
        answer = holdfast("note", "while it is not mounted")
        assert answer.code == 74
        assert "moved away, or not mounted" in answer.err
        Path(place).mkdir()


# ---- MEMORY.md ---------------------------------------------------------------------------------------------------------


def test_a_linked_memory_file_is_read_and_written_once_it_is_agreed_to(
    holdfast: Holdfast, workspace: Path, tmp_path: Path
) -> None:
    """MEMORY.md, which many keep with their other notes: the brief and the search have it after the yes, and the link stays."""
    curated = tmp_path / "notes" / "agent.md"
    curated.parent.mkdir()
    curated.write_text("# Memory\n\n- the heron is grey\n")
    holdfast("task", "look at birds")
    (workspace / "MEMORY.md").symlink_to(curated)
    assert "heron" not in holdfast("recover").out
    assert f"MEMORY.md was not read: it is a link to {curated}" in holdfast("recover").err
    assert json.loads(holdfast("search", "heron", "--json").out)["results"] == []
    assert holdfast("write", "MEMORY.md", stdin=b"- no heron\n").code == 74
    assert "heron is grey" in curated.read_text()
    holdfast("init", "--yes")
    assert "heron is grey" in holdfast("recover").out
    assert json.loads(holdfast("search", "heron", "--json").out)["results"][0]["path"] == "MEMORY.md"
    assert holdfast("write", "MEMORY.md", stdin=b"- the egret is white\n").code == 0
    assert curated.read_text() == "- the egret is white\n"
    assert (workspace / "MEMORY.md").is_symlink()
    assert "egret" in json.loads(holdfast("search", "egret", "--json").out)["results"][0]["text"]


# ---- links among the documents -----------------------------------------------------------------------------------------


def test_a_search_names_the_links_that_it_did_not_follow(holdfast: Holdfast, workspace: Path) -> None:
    """What is not searched is said, or nobody would look for it elsewhere."""
    holdfast("note", "the stork")
    for name in ("b.md", "c"):
        (workspace / "memory" / name).symlink_to(workspace.parent)
    (workspace / "SESSION-STATE.md").symlink_to(workspace.parent / "x")
    note = json.loads(holdfast("search", "stork", "--json").out)["note"]
    assert note == "Links are not followed: SESSION-STATE.md, and 2 more."


def test_our_own_folder_is_known_by_more_than_its_name(holdfast: Holdfast, workspace: Path) -> None:
    """A file system that folds case or forms gives it many names, and `write` goes in by none of them."""
    holdfast("task", "x")
    memory = Memory(str(workspace), Config(), write=True)
    assert [name for name in (".holdfast", "memory", "nothing", "a/b") if memory._is_home(name)] == [".holdfast"]
    memory.close()


# ---- second names ------------------------------------------------------------------------------------------------------


def test_a_backup_of_hard_links_stays_as_it_was_made_and_memory_goes_on(holdfast: Holdfast, workspace: Path) -> None:
    """`cp -al`: nothing is written in place. What has a second name is read as ever: a backup must not make an agent forget."""
    holdfast("task", "before")
    holdfast("note", "before")
    holdfast("hook", "claude-code", "SessionStart", stdin=b'{"session_id": "s"}')
    backup = workspace.parent / "backup"
    subprocess.run(["cp", "-al", workspace, backup], check=True)
    before = {path: path.read_bytes() for path in backup.rglob("*") if path.is_file()}
    assert "before" in holdfast("show", "today").out
    ids = [holdfast("task", "after").id, holdfast("note", "after").id]
    holdfast("hook", "claude-code", "SessionStart", stdin=b'{"session_id": "s"}')
    assert {path: path.read_bytes() for path in before} == before
    assert ids == sorted(ids)
    assert holdfast("show", "today").out.count("before") == 1
    assert len((workspace / ".holdfast" / "receipts.jsonl").read_text().splitlines()) == 2


def test_a_lock_with_a_second_name_locks_and_is_not_written(tmp_path: Path) -> None:
    """The hint in the lock file is the only thing that is ever written in place."""
    (tmp_path / "theirs").write_bytes(b"20261116-120000-000000-aaaaaaaa\n")
    os.link(tmp_path / "theirs", tmp_path / "lock")
    with Folder.open(str(tmp_path)) as folder:
        lock, other = Lock(folder), Lock(folder)
        assert lock.take(0)
        assert not other.take(0)
        lock.newest = "20261117-120000-000000-bbbbbbbb"
        assert lock.newest == ""
        lock.close()
        other.close()
    assert (tmp_path / "theirs").read_bytes() == b"20261116-120000-000000-aaaaaaaa\n"


def test_a_log_that_is_a_pipe_holds_nobody_up(tmp_path: Path) -> None:
    """A FIFO in the place of the receipts must not make a hook wait for a reader."""
    os.mkfifo(tmp_path / "log")
    with Folder.open(str(tmp_path)) as folder, pytest.raises(OSError, match=r"regular file|No such device"):
        folder.append("log", b"x\n")


# ---- the names that a folder takes -------------------------------------------------------------------------------------

ODD = ["", ".", "..", "a/b", "/etc/hostname", "../x", "a\0b"]
WAYS: dict[str, Callable[[Folder, str], object]] = {
    "child": lambda folder, name: folder.child(name),
    "child, made": lambda folder, name: folder.child(name, make=True),
    "read": lambda folder, name: folder.read(name),
    "file": lambda folder, name: folder.file(name),
    "stat": lambda folder, name: folder.stat(name),
    "touch": lambda folder, name: folder.touch(name),
    "append": lambda folder, name: folder.append(name, b"x"),
    "remove": lambda folder, name: folder.remove(name),
    "place": lambda folder, name: folder.place(folder.prepare(b"x"), folder, name),
    "place over": lambda folder, name: folder.place(folder.prepare(b"x"), folder, name, over=True),
    "exchange": lambda folder, name: folder.exchange(folder.prepare(b"x"), folder, name),
    "copy": lambda folder, name: folder.copy_of(folder, "there", name),
    "copy of": lambda folder, name: folder.copy_of(folder, name, "new"),
    "lock": Lock,
    "descend": lambda folder, name: folder.descend(f"below/{name}"),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_folder_takes_a_name_and_no_path(tmp_path: Path, way: str) -> None:
    """Whoever calls it with whatever: no entry of a folder has such a name, and nothing is done."""
    (tmp_path / "folder" / "below").mkdir(parents=True)
    (tmp_path / "folder" / "there").write_text("x")
    for name in ODD:
        if way == "descend" and name in ("", "a/b"):
            continue  # one step, and two steps
        with (
            Folder.open(str(tmp_path / "folder")) as folder,
            pytest.raises(OSError, match="no file in a folder can have that name"),
        ):
            WAYS[way](folder, name)
        assert sorted(path.name for path in tmp_path.iterdir() if path.name != "home") == ["folder"]


def test_the_exact_place_has_no_link_in_its_path(tmp_path: Path) -> None:
    """Not at its end, and not on the way."""
    (tmp_path / "real" / "deep").mkdir(parents=True)
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "real" / "end").symlink_to("deep")
    real = os.path.realpath(tmp_path)
    with Folder.exactly(f"{real}/real/deep") as folder:
        assert os.path.samestat(os.fstat(folder.fd), (tmp_path / "real" / "deep").stat())
    for path in (f"{real}/link/deep", f"{real}/real/end"):
        with pytest.raises(OSError) as refused:  # noqa: PT011 - the number is looked at below
            Folder.exactly(path)
        assert refused.value.errno == errno.ELOOP


# ---- the user's own list -----------------------------------------------------------------------------------------------


@pytest.fixture
def trusted(tmp_path: Path) -> Iterator[Path]:
    """The list."""
    return tmp_path / "home" / ".local" / "state" / "holdfast" / "trusted"


@pytest.mark.parametrize("name", ["a\n{other}", "a\tmemory\t{other}", "a\rb", "a\x1b[2Jb"])
def test_no_folders_name_can_write_a_line_of_its_own(tmp_path: Path, trusted: Path, name: str) -> None:
    """A folder that is called like two lines of the list would have a second folder trusted that nobody was asked about."""
    folder = tmp_path / name.format(other=tmp_path / "other")
    folder.mkdir(parents=True)
    done = subprocess.run(
        [sys.executable, "-m", "holdfast", "init", "--yes"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "control characters in its name" in done.stderr
    assert "\x1b" not in done.stderr + done.stdout
    assert not trusted.exists()


def test_a_list_that_cannot_be_read_is_not_written_anew(holdfast: Holdfast, workspace: Path, trusted: Path) -> None:
    """To take it for empty would take back every yes that was given before."""
    trusted.mkdir(parents=True)
    answer = holdfast("init", "--yes")
    assert answer.code == 74
    assert "trusted" in answer.err
    assert trusted.is_dir()


def test_a_link_with_a_hostile_name_does_not_move_the_cursor(holdfast: Holdfast, workspace: Path) -> None:
    """What is said of a link is said in characters that can be seen."""
    holdfast("checkpoint", "--topic", "lamp", "--task", "x")
    (workspace / "memory" / "context-a\x1b[2J\nb.md").symlink_to("/etc/hostname")
    answer = holdfast("topic", "list")
    assert "was not read: it is a symbolic link" in answer.err
    assert "\x1b" not in answer.err
    assert len(answer.err.splitlines()) == 1


def test_the_list_keeps_what_others_were_told_yes_about(
    holdfast: Holdfast, elsewhere: Path, workspace: Path, trusted: Path
) -> None:
    """One workspace's lines are written anew; the others stay as they are, also those that are not understood."""
    trusted.parent.mkdir(parents=True)
    trusted.write_text(f"/b\tmemory\t/c\n/a\n/z\tsomething\tnewer\tthan this\n{workspace}\tmemory\t/gone\n")
    holdfast("init", "--yes")
    lines = ["/a", "/b\tmemory\t/c", "/z\tsomething\tnewer\tthan this", f"{workspace}", f"{workspace}\tmemory\t{elsewhere}"]
    assert trusted.read_text().splitlines() == sorted(lines)
    (workspace / "memory").unlink()
    holdfast("init", "--yes")
    assert trusted.read_text().splitlines() == sorted(lines[:-1])


@pytest.mark.parametrize(("said", "made"), [(b"y\n", True), (b"no\n", False), (b"\n", False), (b"\x04", False)])
def test_init_asks_at_a_terminal_and_only_a_yes_is_a_yes(workspace: Path, said: bytes, made: bool) -> None:
    """Ctrl-D is a no too, and no traceback."""
    workspace.mkdir()
    ours, theirs = os.openpty()
    os.write(ours, said)
    done = subprocess.run(
        [sys.executable, "-m", "holdfast", "init"], cwd=workspace, stdin=theirs, capture_output=True, check=False,
        env={**os.environ, "PYTHONPATH": ":".join(sys.path)},
    )  # fmt: skip
    os.close(ours)
    os.close(theirs)
    assert b"Traceback" not in done.stderr
    assert (workspace / ".holdfast").is_dir() == made
    assert done.returncode == (0 if made else 2)
