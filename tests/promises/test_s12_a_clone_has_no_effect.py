"""S12: hostile project files are inert: a repository that brings its own `.holdfast/` has no effect before `holdfast init`.

The clone is a real one, made by git, of a repository with everything that a workspace can have: records and a working state that
speak of a heron, settings, documents, topics, a key, an index, and links that lead out of it.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from conftest import Holdfast
from holdfast.config import find_workspace, read_config
from promises.every_door import COMMANDS, prepared, run
from promises.outside import HERON, lived_in, needs_strace, opened, seen, watched

pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")

# Settings that would show: a topic folder of its own, a brief of 600 characters; and one that would stop every command.
SETTINGS = {"odd": 'contextDir = "topics"\nbriefMaxChars = 600\n', "broken": "nonsense = 1\n"}
READING = [
    ["recover"], ["status"], ["show", "state"], ["show", "latest"], ["show", "today"], ["show", "heron"], ["topic", "list"],
    ["topic", "read", "heron"], ["restore", "--list"], ["search", "pond"], ["tags"], ["cache", "list"], ["import", "--dry-run"],
]  # fmt: skip


@pytest.fixture
def repository(holdfast: Holdfast, workspace: Path, tmp_path: Path) -> Path:
    """A workspace that somebody has put under version control, whole."""
    lived_in(holdfast, workspace)
    holdfast("task", HERON)
    holdfast("checkpoint", "--topic", "heron", "--task", HERON, "--goal", HERON)
    holdfast("note", HERON)
    (workspace / "MEMORY.md").write_text(f"# Memory\n#tags: {HERON}\n\n- {HERON} is at the pond\n")
    (workspace / "memory" / "out").symlink_to(tmp_path / "home")
    (workspace / ".gitignore").unlink(missing_ok=True)
    for words in (["init", "-q"], ["add", "-Af"], ["commit", "-qm", "memory and all"]):
        subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x@x", *words], cwd=workspace, check=True)
    shutil.rmtree(tmp_path / "home" / ".local")  # nobody has trusted anything on this machine
    for name in ("of the user", "project"):
        shutil.rmtree(tmp_path / name)
    return workspace


def cloned(repository: Path, folder: Path, settings: str) -> tuple[Path, dict[str, str], bytes]:
    """(the clone, the environment of somebody who has just made it, what the hooks of their host say)."""
    env, payload = prepared(folder)
    clone = folder / "project"
    own = {path: path.read_bytes() for path in clone.iterdir()}  # what its user puts beside it
    shutil.rmtree(clone)
    subprocess.run(["git", "clone", "-q", str(repository), str(clone)], check=True)
    for path, text in own.items():
        path.write_bytes(text)
    (clone / ".holdfast" / "config.toml").write_text(SETTINGS[settings])
    assert (clone / ".holdfast" / "journal").is_dir()
    return clone, env, payload


def effects(folder: Path, clone: Path, env: dict[str, str], payload: bytes, below: str = ".") -> list[str]:
    """Every command and every hook, run in the clone: which of them told of the heron, failed, or changed a file of the clone."""
    found = []
    before = {name: about for name, about in seen(clone).items() if not name.startswith(".git")}
    for words in [*(words for words in COMMANDS if words[0] != "init"), *READING]:
        done = run(words, folder, env, payload, within=clone / below)
        said = done.stdout.decode(errors="replace") + done.stderr.decode(errors="replace")
        if HERON in said:
            found.append(f"{' '.join(words)} told of it")
        if "config.toml" in said:
            found.append(f"{' '.join(words)} read its settings")
        if {name: about for name, about in seen(clone).items() if not name.startswith(".git")} != before:
            found.append(f"{' '.join(words)} changed it")
            break
    state = Path(env["HOME"]) / ".local" / "state" / "holdfast"
    if [path for path in state.rglob("*") if path.is_file() and HERON.encode() in path.read_bytes()]:
        found.append("it was taken over")
    if list(state.rglob("topics")):
        found.append("its settings counted")
    return found


@pytest.mark.parametrize(("settings", "below"), [("odd", "."), ("broken", "."), ("odd", "memory/semantic"), ("odd", ".holdfast")])
def test_a_clone_has_no_effect_before_init(repository: Path, tmp_path: Path, settings: str, below: str) -> None:
    """Every command and hook, at the top of the clone, below it and inside its `.holdfast/`: nothing is told, nothing changed."""
    clone, env, payload = cloned(repository, tmp_path, settings)
    assert effects(tmp_path, clone, env, payload, below) == []


def traced(folder: Path, clone: Path, env: dict[str, str], payload: bytes, words: list[str]) -> set[tuple[bool, str]]:
    """Every file of the clone that a command opens or changes, as the system knows it."""
    log = folder / "strace.log"
    run(words, folder, env, payload, watch=watched(log))
    return {(changed, path) for changed, path in opened(log) if path.startswith(f"{clone}/")}


@needs_strace
@pytest.mark.parametrize("words", [words for words in COMMANDS if words[0] != "init"], ids=" ".join)
def test_no_file_of_a_clone_is_so_much_as_opened(repository: Path, tmp_path: Path, words: list[str]) -> None:
    """That it has no effect is no accident: nobody looks into it."""
    clone, env, payload = cloned(repository, tmp_path, "odd")
    named = {(False, str(clone / word)) for word in words[1:]}  # files beside it that its user has named
    git = {(False, str(clone / ".git" / name)) for name in ("config", "logs/HEAD", "HEAD")}  # git's own, no file of the project
    assert traced(tmp_path, clone, env, payload, words) - named - git == set()


def test_status_tells_of_it_and_init_shows_what_it_sets(repository: Path, tmp_path: Path) -> None:
    """Who has cloned their own workspace finds out how to use it; and sees what it would bring before saying yes."""
    clone, env, _ = cloned(repository, tmp_path, "odd")
    told = run(["status"], tmp_path, env, b"").stderr.decode()
    assert f"{clone} has a .holdfast/ that you have not trusted; it has no effect before you run `holdfast init` there." in told
    shown = run(["init"], tmp_path, env, b"")
    assert shown.returncode == 2
    for line in (
        ".holdfast/ is there already and nobody has trusted it",
        "it sets contextDir = 'topics'",
        "it sets briefMaxChars = 600",
    ):
        assert line in shown.stdout.decode()
    assert not (Path(env["HOME"]) / ".local" / "state" / "holdfast" / "trusted").exists()
    assert HERON not in run(["recover"], tmp_path, env, b"").stdout.decode()


def test_settings_that_cannot_be_are_not_trusted(repository: Path, tmp_path: Path) -> None:
    """`init` refuses, and says which."""
    _, env, _ = cloned(repository, tmp_path, "broken")
    done = run(["init", "--yes"], tmp_path, env, b"")
    assert done.returncode == 2
    assert b"there is no setting nonsense" in done.stderr
    assert not (Path(env["HOME"]) / ".local" / "state" / "holdfast" / "trusted").exists()


def test_a_clone_inside_a_trusted_workspace_has_no_effect(repository: Path, tmp_path: Path) -> None:
    """A workspace is trusted, and not whatever is put below it: the clone's memory stays inert, and the trusted one serves."""
    env, payload = prepared(tmp_path)
    project = tmp_path / "project"
    run(["init", "--yes"], tmp_path, env, b"")
    subprocess.run(["git", "clone", "-q", str(repository), str(project / "clone")], check=True)
    before = seen(project / "clone")
    for words in COMMANDS[1:]:
        done = run(words, tmp_path, env, payload, within=project / "clone")
        assert HERON.encode() not in done.stdout + done.stderr, words
    assert seen(project / "clone") == before
    assert find_workspace("", env, str(project / "clone")) == str(project)


def test_the_list_of_what_is_trusted_cannot_come_with_a_clone(repository: Path, tmp_path: Path) -> None:
    """The list is the user's: a file of that name in the clone, in its `.holdfast/` or in its own `.local`, says nothing."""
    clone, env, payload = cloned(repository, tmp_path, "odd")
    for place in (clone, clone / ".holdfast", clone / ".local" / "state" / "holdfast"):
        place.mkdir(parents=True, exist_ok=True)
        (place / "trusted").write_text(f"{clone}\n{clone}\tmemory\t{clone}/memory\n")
    assert effects(tmp_path, clone, env, payload) == []


@pytest.mark.parametrize("version", ["2", "4"])
def test_init_puts_a_state_that_came_with_a_clone_aside(repository: Path, tmp_path: Path, version: str) -> None:
    """What it knew of sessions, its settings and its key do not count; it stays beside, under a name that nobody reads."""
    clone, env, _ = cloned(repository, tmp_path, "odd")
    subprocess.run(["git", "update-index", "--index-version", version], cwd=clone, check=True)
    key = (clone / ".holdfast" / "key").read_bytes()
    records = sorted(path.name for path in clone.glob(".holdfast/journal/**/*.md"))
    (clone / ".holdfast" / "integrity").write_text(f"{HERON}\n")
    assert run(["init", "--yes"], tmp_path, env, b"").returncode == 0
    (aside,) = clone.glob(".holdfast-found-*")
    assert sorted(path.name for path in aside.glob("journal/**/*.md")) == records
    assert (aside / "config.toml").read_text() == SETTINGS["odd"]
    assert not list(clone.glob(".holdfast/journal/**/*.md"))
    run(["task", "mine"], tmp_path, env, b"")
    assert not [path for path in (clone / ".holdfast").rglob("*") if path.is_file() and path.read_bytes() == key]
    assert read_config(str(clone), env).briefMaxChars != 600
    status = subprocess.run(["git", "status", "--porcelain", "-uall"], cwd=clone, capture_output=True, check=True)
    assert b".holdfast-found" not in status.stdout
    assert run(["init", "--yes"], tmp_path, env, b"").returncode == 0  # it is trusted now, and stays
    assert len(list(clone.glob(".holdfast-found-*"))) == 1
    assert list(clone.glob(".holdfast/journal/**/*.md"))


def test_a_state_that_is_not_in_git_is_taken_over(repository: Path, tmp_path: Path) -> None:
    """One's own, moved or copied by a sync: `init` says that it is there, and it counts."""
    clone, env, _ = cloned(repository, tmp_path, "odd")
    subprocess.run(["git", "rm", "-rq", "--cached", ".holdfast"], cwd=clone, check=True)
    assert run(["init", "--yes"], tmp_path, env, b"").returncode == 0
    assert list(clone.glob(".holdfast/journal/**/*.md"))
    assert not list(clone.glob(".holdfast-found-*"))
    assert read_config(str(clone), env).briefMaxChars == 600


def test_control_a_clone_that_is_trusted_has_every_effect(repository: Path, tmp_path: Path) -> None:
    """The same look after `init --yes`: the words of its documents are told, its files are written."""
    clone, env, payload = cloned(repository, tmp_path, "odd")
    assert run(["init", "--yes"], tmp_path, env, b"").returncode == 0
    assert HERON.encode() in run(["recover", "--session", "default"], tmp_path, env, b"").stdout
    assert {path for changed, path in traced(tmp_path, clone, env, payload, ["task", "x"]) if changed}
    assert effects(tmp_path, clone, env, payload) == ["task mend the lamp changed it"]
