"""A project is known by its repository: its memory is found from any worktree, any path, any clone, and by no other project."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import Answer, Holdfast, _stream, _text
from holdfast.cli import main
from holdfast.config import find_workspace, read_config
from holdfast.memory import Memory
from holdfast.projects import LIST, find_branch, find_remote, shorten_address

Told = Callable[[Path], str]
Change = Callable[[Path], Path]
ME = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    **{f"GIT_{who}_{what}": "me@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
}


def git(folder: Path, *words: str) -> None:
    """Run git in a folder."""
    subprocess.run(["git", *words], cwd=folder, env={**os.environ, **ME}, check=True, capture_output=True)


def repository(path: Path, remote: str = "") -> Path:
    """A repository with one commit."""
    path.mkdir(parents=True)
    git(path, "init", "-q", "-b", "main")
    (path / "name").write_text(os.urandom(8).hex())
    git(path, "add", "name")
    git(path, "commit", "-qm", "begin")
    if remote:
        git(path, "remote", "add", "origin", remote)
    return path


@pytest.fixture
def holdfast(monkeypatch: pytest.MonkeyPatch) -> Holdfast:
    """`holdfast ARGS` in the folder that we stand in, which alone says what workspace is meant."""

    def run(*argv: str) -> Answer:
        monkeypatch.setattr(sys, "stdin", io.StringIO())
        for name in ("stdout", "stderr"):
            monkeypatch.setattr(sys, name, _stream())
        code = main(list(argv))
        return Answer(code, _text(sys.stdout), _text(sys.stderr))

    return run


@pytest.fixture
def box(tmp_path: Path) -> Path:
    """A place for projects, beside the home folder."""
    return tmp_path


@pytest.fixture
def told(holdfast: Holdfast, monkeypatch: pytest.MonkeyPatch) -> Told:
    """Say which task is known in a folder."""

    def ask(folder: Path) -> str:
        monkeypatch.chdir(folder)
        return str(json.loads(holdfast("show", "state", "--json").out).get("task", ""))

    return ask


def work(folder: Path, task: str, holdfast: Holdfast, monkeypatch: pytest.MonkeyPatch) -> None:
    """Set a task in a folder."""
    monkeypatch.chdir(folder)
    assert holdfast("task", task).code == 0


REMOTE = "https://example.org/me/shop.git"


def move_away(box: Path) -> Path:
    """The folder has another name."""
    return (box / "one").rename(box / "renamed")


def move_elsewhere(box: Path) -> Path:
    """It was copied to another disk, and the old one is gone: no time of a file is what it was."""
    shutil.copytree(box / "one", box / "disk", copy_function=shutil.copy)
    shutil.rmtree(box / "one")
    return box / "disk"


def worktree(box: Path) -> Path:
    """A second worktree."""
    git(box / "one", "worktree", "add", "-q", "../second", "-b", "feature/x")
    return box / "second"


def below(box: Path) -> Path:
    """A folder within it."""
    (box / "one" / "src").mkdir()
    return box / "one" / "src"


def cloned_again(box: Path) -> Path:
    """A new clone of the same remote, reached in another way, in another place."""
    git(box, "clone", "-q", "one", "again")
    git(box / "again", "remote", "set-url", "origin", "git@example.org:me/shop.git")
    shutil.rmtree(box / "one")
    return box / "again"


def cloned_twice(box: Path) -> Path:
    """A second clone beside the first."""
    git(box, "clone", "-q", "one", "two")
    git(box / "two", "remote", "set-url", "origin", REMOTE)
    return box / "two"


def cloned_shallow(box: Path) -> Path:
    """A clone without the history."""
    git(box, "clone", "-q", "--depth", "1", (box / "one").as_uri(), "two")
    git(box / "two", "remote", "set-url", "origin", REMOTE)
    return box / "two"


def another_remote(box: Path) -> Path:
    """The same repository, pushed elsewhere from now on."""
    git(box / "one", "remote", "set-url", "origin", "https://example.org/team/shop.git")
    return box / "one"


def no_repository_any_more(box: Path) -> Path:
    """The same folder, without its history."""
    shutil.rmtree(box / "one" / ".git")
    return box / "one"


SAME = [(move_away, ""), (move_away, REMOTE), (cloned_again, REMOTE), (move_elsewhere, ""), (worktree, ""), (below, ""),
        (cloned_twice, REMOTE), (cloned_shallow, REMOTE), (another_remote, REMOTE), (no_repository_any_more, "")]  # fmt: skip


@pytest.mark.parametrize(("change", "remote"), SAME, ids=lambda value: getattr(value, "__name__", value or "no remote"))
def test_a_project_finds_its_memory(
    box: Path, told: Told, holdfast: Holdfast, monkeypatch: pytest.MonkeyPatch, change: Change, remote: str
) -> None:
    """Wherever it lies now, and what is saved there is known from then on."""
    repository(box / "one", remote)
    work(box / "one", "round the invoices", holdfast, monkeypatch)
    here = change(box)
    assert told(here) == "round the invoices"
    work(here, "name the law", holdfast, monkeypatch)
    assert told(here) == "name the law"
    assert len(list((box / "home/.local/state/holdfast/projects").iterdir())) == 1


def copied(box: Path) -> Path:
    """A copy beside the original."""
    shutil.copytree(box / "one", box / "copy")
    return box / "copy"


def from_a_template(box: Path) -> Path:
    """A clone with the same first commit that belongs to nobody else yet."""
    git(box, "clone", "-q", "one", "own")
    git(box / "own", "remote", "remove", "origin")
    return box / "own"


def forked(box: Path) -> Path:
    """A fork: the same first commit, another remote."""
    git(box, "clone", "-q", "one", "fork")
    git(box / "fork", "remote", "set-url", "origin", "https://example.org/you/shop.git")
    return box / "fork"


def in_its_place(box: Path) -> Path:
    """Another project where the old one was."""
    shutil.rmtree(box / "one")
    return repository(box / "one", "https://example.org/me/garden.git")


def in_its_place_without_remote(box: Path) -> Path:
    """Another project where the old one was, that was never pushed."""
    shutil.rmtree(box / "one")
    return repository(box / "one")


def claims_to_be_a_worktree(box: Path) -> Path:
    """A folder with a file `.git` that leads into the repository of another, which knows nothing of it."""
    git(box / "one", "worktree", "add", "-q", "../second")
    (box / "forged").mkdir()
    shutil.copy(box / "second" / ".git", box / "forged" / ".git")
    return box / "forged"


def without_commits(box: Path) -> Path:
    """A new repository in which nothing was done."""
    (box / "new").mkdir()
    git(box / "new", "init", "-q")
    return box / "new"


OTHERS = [(copied, ""), (from_a_template, ""), (from_a_template, REMOTE), (forked, REMOTE), (in_its_place, REMOTE),
          (in_its_place, ""), (in_its_place_without_remote, ""), (claims_to_be_a_worktree, ""),
          (without_commits, "")]  # fmt: skip


@pytest.mark.parametrize(("change", "remote"), OTHERS, ids=lambda value: getattr(value, "__name__", value or "no remote"))
def test_two_projects_never_share_a_memory(
    box: Path, told: Told, holdfast: Holdfast, monkeypatch: pytest.MonkeyPatch, change: Change, remote: str
) -> None:
    """However much alike they are."""
    repository(box / "one", remote)
    work(box / "one", "round the invoices", holdfast, monkeypatch)
    here = change(box)
    assert told(here) == ""
    work(here, "water the roses", holdfast, monkeypatch)
    assert told(here) == "water the roses"
    assert len(list((box / "home/.local/state/holdfast/projects").iterdir())) == 2


@pytest.mark.parametrize("leaves", ["one", "two"])
def test_two_clones_of_a_template_part_when_one_of_them_gets_its_own_remote(
    leaves: str, box: Path, told: Told, holdfast: Holdfast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As long as both are clones of one remote nobody can tell them apart; from then on anybody can."""
    repository(box / "one", REMOTE)
    work(box / "one", "round the invoices", holdfast, monkeypatch)
    two = cloned_twice(box)
    work(two, "name the law", holdfast, monkeypatch)
    own, other = (box / "one", two) if leaves == "one" else (two, box / "one")
    git(own, "remote", "set-url", "origin", "https://example.org/me/own.git")
    assert (told(own), told(other)) == ("", "name the law")
    work(own, "water the roses", holdfast, monkeypatch)
    assert (told(own), told(other)) == ("water the roses", "name the law")


def test_a_memory_of_a_version_that_kept_no_list_is_found(
    box: Path, told: Told, holdfast: Holdfast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It goes by the path, as it did then."""
    repository(box / "one")
    work(box / "one", "round the invoices", holdfast, monkeypatch)
    (box / "home/.local/state/holdfast" / LIST).unlink()
    assert told(box / "one") == "round the invoices"


FORGED = ["{evil}\t{one}\t\t\t", "{evil}", "\t\t\t\t", "\udcff\t{one}\t\t\t", "{evil}\t{one}\tx\t\t"]


@pytest.mark.parametrize("line", FORGED)
def test_the_list_leads_to_no_folder_that_nobody_trusts(box: Path, line: str) -> None:
    """It names memories in the state folder, or workspaces that `init` was told yes about."""
    one = repository(box / "one")
    state = box / "home/.local/state/holdfast"
    state.mkdir(parents=True)
    (box / "evil").mkdir()
    filled = line.format(evil=box / "evil", one=one)
    (state / LIST).write_bytes(filled.encode("utf-8", "surrogateescape") + b"\n")
    assert find_workspace("", os.environ, str(one)).startswith(f"{state}/projects/")


ADDRESSES = {
    "example.org/me/shop": [
        "https://example.org/me/shop.git",
        "https://me:secret@Example.org/me/shop",
        "ssh://git@example.org:22/me/shop.git/",
        "git@example.org:me/shop.git",
        "git://example.org/me/shop",
    ],
    "/srv/git/shop": ["/srv/git/shop.git", "/srv/git/shop/"],
    "example.org/you/shop": ["https://example.org/you/shop?token=secret"],
}


@pytest.mark.parametrize(("short", "address"), [(short, one) for short, all_of in ADDRESSES.items() for one in all_of])
def test_a_remote_is_the_same_however_it_is_reached(short: str, address: str) -> None:
    """And no password of it is kept."""
    assert shorten_address(address) == short
    config = f'[core]\n\tbare = false\n[remote "upstream"]\n\turl = x\n[remote "origin"]\n\tfetch = +a:b\n\turl = {address}\n'
    assert find_remote(config) == short


# ---- init brings it in ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("has_notes", [False, True])
@pytest.mark.parametrize("is_repository", [False, True])
def test_init_brings_in_what_was_saved_before(
    box: Path, told: Told, holdfast: Holdfast, monkeypatch: pytest.MonkeyPatch, has_notes: bool, is_repository: bool
) -> None:
    """It is shown first; the old folder stays; what stands in the project is not changed; a second run has nothing to bring."""
    one = repository(box / "one") if is_repository else box / "one"
    one.mkdir(exist_ok=True)
    work(one, "round the invoices", holdfast, monkeypatch)
    holdfast("note", "rates are in rates.toml", "--type", "TECH")
    holdfast("decide", "round per line")
    (old,) = (box / "home/.local/state/holdfast/projects").iterdir()
    (day,) = (old / "memory").glob("20*.md")
    before = {path: path.read_bytes() for path in old.rglob("*") if path.is_file() and path.name != "lock"}
    if has_notes:
        (one / "memory").mkdir()
        (one / "memory" / day.name).write_text(f"# {day.stem}\n\n- [TECH] mine, from before\n")
    refused = holdfast("init")
    assert "what was saved for this project so far is brought in: 3 records" in refused.out
    assert not (one / ".holdfast").exists()
    assert "brought in  3 records" in holdfast("init", "--yes").out
    assert told(one) == "round the invoices"
    text = (one / "memory" / day.name).read_text()
    assert text.count("rates are in rates.toml") == 1
    assert ("mine, from before" in text) is has_notes
    assert "rates.toml" in holdfast("search", "rates").out
    assert str(one) in holdfast("status").out
    assert holdfast("health").code == 0
    assert {path: path.read_bytes() for path in before} == before
    assert "brought in" not in holdfast("init", "--yes").out
    assert len(list((one / ".holdfast/journal").rglob("*.md"))) == 3


def test_after_init_a_worktree_and_a_second_clone_find_the_workspace(
    box: Path, told: Told, holdfast: Holdfast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also a clone that had used the old folder."""
    one = repository(box / "one", REMOTE)
    work(one, "round the invoices", holdfast, monkeypatch)
    two = cloned_twice(box)
    work(two, "name the law", holdfast, monkeypatch)
    monkeypatch.chdir(one)
    assert holdfast("init", "--yes").code == 0
    for folder in (one, two, worktree(box)):
        assert told(folder) == "name the law"
        assert find_workspace("", os.environ, str(folder)) == str(one)


def test_a_folder_within_a_repository_does_not_take_the_memory_of_the_whole(
    box: Path, holdfast: Holdfast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was saved is of all of it."""
    one = repository(box / "one")
    work(one, "round the invoices", holdfast, monkeypatch)
    monkeypatch.chdir(below(box))
    assert "brought in" not in holdfast("init", "--yes").out


def test_the_branch_is_read_from_a_worktree_too(box: Path) -> None:
    """Without running git."""
    one = repository(box / "one")
    second = worktree(box)
    assert (find_branch(str(one)), find_branch(str(second)), find_branch(str(box))) == ("main", "feature/x", "")


def test_receipts_of_hooks_come_along(box: Path, holdfast: Holdfast, monkeypatch: pytest.MonkeyPatch) -> None:
    """So `doctor` misses no hook that it has seen before."""
    one = repository(box / "one")
    work(one, "round the invoices", holdfast, monkeypatch)
    (old,) = (box / "home/.local/state/holdfast/projects").iterdir()
    line = '{"time": "2026-11-15T10:00:00+00:00", "host": "codex", "event": "turn", "session": "s1", "did": "saved"}\n'
    (old / ".holdfast/receipts.jsonl").write_text(line)
    assert holdfast("init", "--yes").code == 0
    memory = Memory(str(one), read_config(str(one)), write=False)
    assert line.strip() in memory.receipts()
    memory.close()


def test_uninstall_says_where_memory_stays(box: Path, holdfast: Holdfast, monkeypatch: pytest.MonkeyPatch) -> None:
    """Taking Holdfast out of a host takes no memory away."""
    one = repository(box / "one")
    work(one, "round the invoices", holdfast, monkeypatch)
    answer = holdfast("uninstall", "codex", "--yes")
    assert "Memory stays where it is: ~/.local/state/holdfast/projects/one-" in answer.out
    assert holdfast("init", "--yes").code == 0
    answer = holdfast("uninstall", "codex", "--yes")
    assert f"Memory stays where it is: {one} (" in answer.out
    assert "That of other projects is in ~/.local/state/holdfast/projects\n" in answer.out


def test_a_purge_deletes_what_only_holdfast_writes(box: Path, holdfast: Holdfast, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a workspace the days and a person's files stay, and what a link leads to; in the state folder all of it goes."""
    one = repository(box / "one")
    work(one, "round the invoices", holdfast, monkeypatch)
    (kept,) = (box / "home/.local/state/holdfast/projects").iterdir()
    answer = holdfast("uninstall", "codex", "--purge")
    assert (answer.code, kept.exists()) == (2, True), "nobody was there to ask"
    assert "memory stays as it is" in answer.out
    assert holdfast("uninstall", "codex", "--purge", "--yes").code == 0
    assert not kept.exists()
    assert holdfast("init", "--yes").code == 0
    holdfast("task", "round the invoices")
    holdfast("note", "books are taxed at ten percent")
    (box / "elsewhere").mkdir()
    (box / "elsewhere" / "mine").write_text("mine")
    (one / ".holdfast" / "link").symlink_to(box / "elsewhere")
    answer = holdfast("uninstall", "codex", "--purge", "--yes")
    assert (answer.code, answer.err) == (0, "")
    assert "Days, topics and MEMORY.md" in answer.out
    assert not (one / ".holdfast").exists()
    left = [path.name for path in (one / "memory").iterdir()]
    assert [name for name in left if not name.startswith("20")] == []
    assert len(left) == 1
    assert (box / "elsewhere" / "mine").read_text() == "mine"


@pytest.mark.parametrize(("branch", "said"), [("main", ""), ("rates/austria", " (on branch rates/austria)")])
@pytest.mark.parametrize("is_set_up", [True, False], ids=["in the project", "in the state folder"])
def test_a_note_says_on_which_branch_it_was_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, branch: str, said: str, is_set_up: bool
) -> None:
    """What is true on a branch may be true there alone; of the main one it need not be said."""
    here = repository(tmp_path / "ledger")
    git(here, "checkout", "-q", "-B", branch)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(here)
    if is_set_up:
        assert main(["init", "--yes"]) == 0
    assert main(["note", "books are taxed at ten percent"]) == 0
    (day,) = (here if is_set_up else tmp_path / "home").rglob("memory/2*.md")
    assert f"- books are taxed at ten percent{said}\n" in day.read_text()
