"""One commit for one upkeep: what upkeep did and nothing else, whatever state the repository is in; and no program but git."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import Holdfast
from upkept import ago, write

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
ON = 'gitCommit = "after-upkeep"\n'
YESTERDAY, OLD = f"memory/{ago(1)}.md", f"memory/{ago(40)}.md"
ARCHIVED = f"memory/archive/{ago(40)[:4]}/{ago(40)[5:7]}/{ago(40)}.md"
TEXTS = {
    YESTERDAY: f"# {ago(1)}\n\n- [PREF] small commits\n",
    f"memory/{ago(2)}.md": f"# {ago(2)}\n\n- [PREF] small commits\n",
    OLD: f"# {ago(40)}\n\n- an old walk\n",
    "MEMORY.md": "# Mine\n\n## [PREF] How I like it\n- short answers\n\n## Below\n- the end\n",
    "src/main.py": "print(1)\n",
}


def git(folder: Path, *words: str) -> str:
    """Git as a person runs it there; what it prints."""
    done = subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


@pytest.fixture
def repository(holdfast: Holdfast, workspace: Path) -> Path:
    """A workspace in a repository of its own, everything committed, the setting on."""
    write(workspace, {**TEXTS, ".gitignore": ".holdfast/\n", ".holdfast/config.toml": ON})
    git(workspace, "init", "-q", "-b", "main")
    git(workspace, "config", "user.name", "Ida")
    git(workspace, "config", "user.email", "ida@example.org")
    git(workspace, "add", ".")
    git(workspace, "commit", "-qm", "mine")
    assert holdfast("init", "--yes").code == 0
    return workspace


def said(holdfast: Holdfast, *words: str) -> str:
    """What upkeep says of git; upkeep itself has done its work in any case."""
    answer = holdfast("upkeep", *words)
    assert answer.code == 0, answer.err
    assert "done " in answer.out
    return "\n".join(re.findall(r"(?m)^git      (.*)$", answer.out))


@pytest.mark.parametrize(
    ("settings", "words", "is_said"),
    [("", ("review",), True), ("", (), False), ('gitCommit = "never"\n', ("review",), False), (ON, ("review",), False)],
)
def test_a_review_says_once_how_it_is_committed(
    settings: str, words: tuple[str, ...], is_said: bool, holdfast: Holdfast, repository: Path
) -> None:
    """Where its owner has not chosen. What they have chosen is not asked again, and a quiet week says nothing."""
    (repository / ".holdfast/config.toml").write_text(settings)
    assert ('`gitCommit = "after-upkeep"` in .holdfast/config.toml' in said(holdfast, *words)) is is_said
    assert "git  " not in holdfast("upkeep", "review").out


def test_a_review_outside_a_repository_says_nothing_of_git(holdfast: Holdfast, workspace: Path) -> None:
    """There is nothing to commit to."""
    write(workspace, TEXTS)
    assert said(holdfast, "review") == ""


def test_what_upkeep_did_is_one_commit_that_says_so(holdfast: Holdfast, repository: Path) -> None:
    """The subject counts, the body gives the reasons, the tree is what is on the disk, and nothing is left to be committed."""
    assert re.fullmatch("committed [0-9a-f]{10}", said(holdfast))
    assert git(repository, "rev-list", "--count", "HEAD").strip() == "2"
    message = git(repository, "log", "-1", "--format=%an <%ae>%n%B")
    assert message.startswith("Ida <ida@example.org>\nHoldfast upkeep: archive 1, close 2, promote 1\n\n- archive: ")
    assert "older than 30 days" in message
    files = git(repository, "show", "--name-status", "--no-renames", "--format=", "HEAD").split("\n")
    assert {f"D\t{OLD}", f"A\t{ARCHIVED}", "M\tMEMORY.md", f"M\t{YESTERDAY}"} <= set(files)
    assert git(repository, "status", "--porcelain") == ""
    assert git(repository, "for-each-ref", "--format=%(refname)").split() == ["refs/heads/main"]
    git(repository, "fsck", "--strict")


def test_a_second_run_commits_nothing(holdfast: Holdfast, repository: Path) -> None:
    """Nothing to do is nothing to commit."""
    said(holdfast)
    assert holdfast("upkeep").out == "Nothing to do: everything is in order.\n"
    assert git(repository, "rev-list", "--count", "HEAD").strip() == "2"


def test_without_the_setting_git_is_left_alone(holdfast: Holdfast, repository: Path) -> None:
    """The default."""
    (repository / ".holdfast/config.toml").unlink()
    assert said(holdfast) == ""
    assert git(repository, "rev-list", "--count", "HEAD").strip() == "1"


def test_what_a_person_has_staged_and_changed_stays_as_it_is(holdfast: Holdfast, repository: Path) -> None:
    """In other files and in the same ones: the commit has what upkeep did, and `git diff` shows the rest as before."""
    write(repository, {"src/main.py": "print(2)\n", "staged.txt": "x\n", "loose.txt": "y\n"})
    git(repository, "add", "staged.txt")
    mine = TEXTS["MEMORY.md"].replace("- the end\n", "- the end\n- by hand, not committed\n")
    write(repository, {"MEMORY.md": mine, YESTERDAY: TEXTS[YESTERDAY] + "- written since\n"})
    staged, loose = git(repository, "diff", "--cached"), git(repository, "diff", "src/main.py")
    assert said(holdfast).startswith("committed ")
    assert git(repository, "diff", "--cached") == staged
    assert git(repository, "diff", "src/main.py") == loose
    assert "?? loose.txt" in git(repository, "status", "--porcelain")
    shown = git(repository, "show", "HEAD")
    assert "small commits (from " in shown
    assert "by hand, not committed" not in shown
    assert "written since" not in shown
    assert re.findall(r"(?m)^[+-](?!\+\+|--).*", git(repository, "diff", "MEMORY.md")) == ["+- by hand, not committed"]
    assert "+- written since" in git(repository, "diff", YESTERDAY)


def test_a_file_of_which_something_is_staged_is_left_out_and_named(holdfast: Holdfast, repository: Path) -> None:
    """Its index entry is the person's, whatever upkeep did to the file."""
    write(repository, {"MEMORY.md": TEXTS["MEMORY.md"] + "- staged\n"})
    git(repository, "add", "MEMORY.md")
    before = git(repository, "ls-files", "-s", "MEMORY.md")
    assert re.fullmatch(r"committed \w+; left out MEMORY\.md: something of it is staged", said(holdfast))
    assert git(repository, "ls-files", "-s", "MEMORY.md") == before
    assert "MEMORY.md" not in git(repository, "show", "--name-only", "--format=", "HEAD").split()


def _ignored(repository: Path) -> None:
    write(repository, {".gitignore": "memory/\nMEMORY.md\n.holdfast/\n"})
    git(repository, "rm", "-rq", "--cached", "memory", "MEMORY.md")
    git(repository, "commit", "-aqm", "memory is nobody's business")


def _merging(repository: Path) -> None:
    (repository / ".git/MERGE_HEAD").write_text(git(repository, "rev-parse", "HEAD"))


NO_COMMIT: dict[str, tuple[Callable[[Path], object], str]] = {
    "no repository": (lambda r: shutil.rmtree(r / ".git"), "git sees no repository here"),
    "detached": (lambda r: git(r, "checkout", "-q", "--detach"), "HEAD is detached"),
    "merge": (_merging, "a merge is under way"),
    "rebase": (lambda r: (r / ".git/rebase-merge").mkdir(), "a rebase is under way"),
    "locked index": (lambda r: (r / ".git/index.lock").touch(), "another git command is under way"),
    "locked branch": (lambda r: (r / ".git/refs/heads/main.lock").touch(), "refs/heads/main"),
    "nobody": (lambda r: git(r, "config", "--remove-section", "user"), "set user.name and user.email"),
    "ignored": (_ignored, "git ignores it"),
    "broken settings": (lambda r: (r / ".git/config").write_text("[core\n"), "git sees no repository here"),
    "lost objects": (lambda r: shutil.rmtree(r / ".git/objects"), "not committed"),
}


@pytest.mark.parametrize("case", NO_COMMIT)
def test_upkeep_never_fails_for_git_and_says_why_there_is_no_commit(holdfast: Holdfast, repository: Path, case: str) -> None:
    """Upkeep is done, the branch and the index are as they were, and the reason is said."""
    prepare, why = NO_COMMIT[case]
    prepare(repository)
    index = (repository / ".git/index").read_bytes() if (repository / ".git/index").exists() else b""
    branch = repository / ".git/refs/heads/main"
    tip = branch.read_text() if branch.exists() else ""
    answer = said(holdfast)
    assert answer.startswith("not committed: ")
    assert why in answer
    assert (branch.read_text() if branch.exists() else "") == tip
    assert not (repository / ".git/refs/holdfast/upkeep").exists()
    if index and case not in ("locked index", "locked branch", "broken settings", "lost objects"):
        assert (repository / ".git/index").read_bytes() == index
    if case == "locked branch":
        assert git(repository, "diff", "--cached") == ""


def test_without_git_upkeep_says_so(holdfast: Holdfast, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And a `git` in the workspace, or in a folder that PATH names from here, is not the one that is meant."""
    trap = repository / "bin/git"
    write(repository, {"bin/git": "#!/bin/sh\ntouch ran\n"})
    trap.chmod(0o755)
    monkeypatch.chdir(repository)
    monkeypatch.setenv("PATH", f"bin:{trap.parent}")
    assert said(holdfast) == "not committed: git is not installed"
    assert not (repository / "ran").exists()


def test_a_workspace_that_nobody_has_agreed_to_gets_no_commit(holdfast: Holdfast, repository: Path, tmp_path: Path) -> None:
    """A clone may bring the setting along, and settings of git with it; only `init` makes it count."""
    (tmp_path / "home/.local/state/holdfast/trusted").unlink()
    assert said(holdfast).startswith("not committed: nobody has agreed to this workspace")
    assert git(repository, "rev-list", "--count", "HEAD").strip() == "1"


PROGRAMS = ("core.fsmonitor", "core.editor", "gpg.program", "filter.trap.clean", "core.askPass", "diff.external")
HOOKS = ("pre-commit", "commit-msg", "post-commit", "reference-transaction", "post-index-change", "prepare-commit-msg")


def _trapped(repository: Path) -> Path:
    """Every program that a repository can make git start leaves a trace; returns where."""
    trap, ran = repository / ".git/trap", repository / ".git/ran"
    trap.write_text(f'#!/bin/sh\necho "$0 $@" >> "{ran}"\ncat >/dev/null\nexit 0\n')
    trap.chmod(0o755)
    (repository / ".git/hooks").mkdir(exist_ok=True)
    for hook in HOOKS:
        os.symlink(trap, repository / ".git/hooks" / hook)
    for name in PROGRAMS:
        git(repository, "config", name, str(trap))
    git(repository, "config", "commit.gpgSign", "true")
    (repository / ".git/info").mkdir(exist_ok=True)
    (repository / ".git/info/attributes").write_text("*.md filter=trap\n")
    return ran


def test_nothing_that_a_repository_names_is_started(holdfast: Holdfast, repository: Path) -> None:
    """Hooks, the file-system monitor, filters, signing, editors: none of them runs, and the bytes are those on the disk."""
    ran = _trapped(repository)
    ran.unlink(missing_ok=True)  # setting the trap may have sprung it
    assert said(holdfast).startswith("committed ")
    assert not ran.exists(), ran.read_text()
    shutil.rmtree(repository / ".git/info")
    for name in PROGRAMS:
        git(repository, "config", "--unset", name)
    assert git(repository, "show", "HEAD:MEMORY.md") == (repository / "MEMORY.md").read_text()


def test_control_the_trap_springs_for_a_plain_commit(repository: Path) -> None:
    """Git as a person runs it does start them."""
    ran = _trapped(repository)
    (repository / "MEMORY.md").write_text("changed\n")
    subprocess.run(["git", "commit", "-qam", "x"], cwd=repository, capture_output=True, check=False)
    assert "trap" in ran.read_text()


def test_a_workspace_below_the_top_of_the_repository(holdfast: Holdfast, repository: Path, tmp_path: Path) -> None:
    """Only its own files, under their full paths; those of the same name above are not meant."""
    shutil.rmtree(repository / ".git")
    write(tmp_path, {"MEMORY.md": "# above\n", ".gitignore": ".holdfast/\nhome/\nruntime/\n"})
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "config", "user.name", "Ida")
    git(tmp_path, "config", "user.email", "ida@example.org")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "all")
    assert said(holdfast).startswith("committed ")
    changed = git(tmp_path, "show", "--name-only", "--format=", "HEAD").split()
    assert all(name.startswith("workspace/mem") or name == "workspace/MEMORY.md" for name in changed)
    assert git(tmp_path, "status", "--porcelain") == ""


def test_a_branch_without_a_commit_and_files_that_git_does_not_know(holdfast: Holdfast, repository: Path) -> None:
    """The first commit of a repository may be ours; a document that upkeep changed comes in whole, others do not."""
    shutil.rmtree(repository / ".git")
    git(repository, "init", "-q", "-b", "main")
    git(repository, "config", "user.name", "Ida")
    git(repository, "config", "user.email", "ida@example.org")
    assert said(holdfast).startswith("committed ")
    assert git(repository, "show", f"HEAD:{YESTERDAY}") == (repository / YESTERDAY).read_text()
    assert "?? src/" in git(repository, "status", "--porcelain")
    assert OLD not in git(repository, "ls-tree", "-r", "--name-only", "HEAD").split()


def test_a_linked_worktree_commits_to_its_own_branch(holdfast: Holdfast, repository: Path, tmp_path: Path) -> None:
    """And the branch of the first one stays where it was."""
    tip = git(repository, "rev-parse", "main")
    git(repository, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    write(tmp_path / "side", {".holdfast/config.toml": ON})
    assert holdfast("--workspace", str(tmp_path / "side"), "init", "--yes").code == 0
    answer = holdfast("--workspace", str(tmp_path / "side"), "upkeep")
    assert "git      committed " in answer.out
    assert git(repository, "rev-parse", "main") == tip
    assert git(repository, "rev-list", "--count", "side").strip() == "2"
    assert git(tmp_path / "side", "status", "--porcelain") == ""


@pytest.mark.parametrize("name", ['o"dd\\name.md', "neu\nline.md", "-m.md", "日本.md", ":(top)x.md"])
def test_a_name_is_a_name(holdfast: Holdfast, repository: Path, name: str) -> None:
    """Whatever a person calls a home: it is one path to git, and never an option or a pattern."""
    home = f"memory/semantic/{name}"
    write(repository, {home: "# Preferences\n\n- tea\n"})
    git(repository, "add", "--", "memory/semantic")
    git(repository, "commit", "-qm", "one more")
    write(repository, {YESTERDAY: TEXTS[YESTERDAY] + "- [PREF] tea\n"})
    assert said(holdfast).startswith("committed ")
    assert git(repository, "show", f"HEAD:{home}") == "# Preferences\n\n- tea\n"
    git(repository, "fsck", "--strict")


def test_a_secret_in_a_reason_does_not_reach_the_message(holdfast: Holdfast, repository: Path) -> None:
    """A reason quotes notes; a message is washed as everything is that leaves."""
    secret = "ghp_" + "aZ3kQ9xW7mB2vN5cR8tY1uI4oP6sD0fG2hJk"
    write(repository, {YESTERDAY: f"# {ago(1)}\n\n- [TEMP] token {secret}\n"})
    said(holdfast)
    assert secret not in git(repository, "log", "-1", "--format=%B")
    assert "[redacted:" in git(repository, "log", "-1", "--format=%B")
