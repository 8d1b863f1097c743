"""S7: no name, link or race leads out of the workspace: nothing outside is read or written because of one.

The accident is that of every program which looks at a path and then opens it: what was a folder at the look is a link when it
is opened. Names are tried first, then links that stand there, then what each command opens at all, then links that come and go.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from conftest import Holdfast
from holdfast.config import Config
from holdfast.memory import Memory
from holdfast.storage.disk import Folder
from holdfast.storage.links import memory_folder
from holdfast.storage.tree import Tree
from promises import outside as world
from promises.every_door import COMMANDS, prepared, run, verdict
from promises.outside import (
    FILES,
    FOLDERS,
    HERON,
    NAMES,
    Planting,
    has,
    lived_in,
    needs_strace,
    opened,
    placed,
    seen,
    sound,
    watched,
)

# ---- names -------------------------------------------------------------------------------------------------------------

# Every command that takes a name; NAME stands for it.
NAMING: list[list[str]] = [
    ["write", "NAME"],
    ["show", "NAME"],
    ["topic", "read", "NAME"],
    ["topic", "bind", "NAME"],
    ["topic", "rename", "lamp", "NAME"],
    ["topic", "rename", "NAME", "lamp"],
    ["checkpoint", "--topic", "NAME", "--task", "x"],
    ["restore", "NAME"],
    ["cache", "set", "NAME", "x"],
    ["cache", "get", "NAME"],
    ["search", "--topic", "NAME", "heron"],
    ["tags", "NAME"],
    ["--session", "NAME", "task", "x"],
    ["--session", "NAME", "checkpoint", "--task", "x"],
    ["--session", "NAME", "snapshot"],
    ["--session", "NAME", "recover"],
    ["--session", "NAME", "topic", "bind", "lamp"],
    ["--session", "NAME", "cache", "set", "a", "b"],
    ["--session", "NAME", "import"],
    ["tail", "--session", "NAME"],
]
GIVEN = ("session_id", "transcript_path", "cwd", "source", "hook_event_name", "prompt")


@pytest.mark.parametrize("words", NAMING, ids=" ".join)
def test_no_name_leads_out(holdfast: Holdfast, workspace: Path, words: list[str]) -> None:
    """Each hostile name, given to each command: what is outside stays as it is, and is not told."""
    lived_in(holdfast, workspace)
    outside = placed(workspace)
    before, ours = seen(outside), sorted(path.name for path in workspace.parent.iterdir())
    for told, name in NAMES.items():
        given = [name.format(outside=outside) if word == "NAME" else word for word in words]
        answer = holdfast(*given, stdin=b"from within")
        sound(answer, [told, *given])
        assert seen(outside) == before, told
        assert HERON not in answer.out + answer.err, told
    assert has(workspace, HERON) == []
    assert sorted({path.name for path in workspace.parent.iterdir()} - {"runtime"}) == sorted({*ours} - {"runtime"})
    assert holdfast("task", "still at work").code == 0


@pytest.mark.parametrize("key", GIVEN)
@pytest.mark.parametrize("event", ["PreCompact", "SessionStart", "UserPromptSubmit"])
def test_nothing_in_a_hooks_payload_leads_out(holdfast: Holdfast, workspace: Path, event: str, key: str) -> None:
    """A hook takes what its host says; a transcript may be anywhere, and still nothing outside is written. It never fails."""
    lived_in(holdfast, workspace)
    outside = placed(workspace)
    before = seen(outside)
    for told, name in {**NAMES, "NUL": "a\0../outside/note.md"}.items():
        payload = {"session_id": "s1", "cwd": str(workspace), "source": "compact", key: name.format(outside=outside)}
        answer = holdfast("hook", "claude-code", event, stdin=json.dumps(payload).encode())
        assert answer.code == 0, told
        assert seen(outside) == before, told
        assert HERON not in answer.out + answer.err, told
    assert has(workspace, HERON) == []


@pytest.mark.parametrize("key", ["topic", "session", "trigger", "anything"])
def test_nothing_in_a_checkpoints_json_leads_out(holdfast: Holdfast, workspace: Path, key: str) -> None:
    """JSON can hold what no command line can: NUL."""
    lived_in(holdfast, workspace)
    outside = placed(workspace)
    before = seen(outside)
    for told, name in {**NAMES, "NUL": "a\0../outside/note.md"}.items():
        given = json.dumps({"task": "x", key: name.format(outside=outside)}).encode()
        sound(holdfast("checkpoint", "-", stdin=given), [told])
        assert seen(outside) == before, told
    assert has(workspace, HERON) == []


@pytest.mark.parametrize(
    "place", ["../outside", "{outside}", "a/../../outside", "door", "door/deep", ".holdfast", ".Holdfast/x", "a\\u0000b"]
)
def test_a_setting_cannot_lead_out(holdfast: Holdfast, workspace: Path, place: str) -> None:
    """`contextDir` is the one setting that names a folder."""
    lived_in(holdfast, workspace)
    outside = placed(workspace)
    before = seen(outside)
    (workspace / ".holdfast" / "config.toml").write_text(f'contextDir = "{place.format(outside=outside)}"\n')
    for words in (
        ["checkpoint", "--topic", "lamp", "--task", "x"],
        ["topic", "list"],
        ["topic", "read", "lamp"],
        ["search", HERON],
    ):
        answer = holdfast(*words)
        sound(answer, words)
        assert seen(outside) == before
        assert "note.md" not in answer.out


def test_control_a_writer_that_looks_at_the_name_is_found_out(
    holdfast: Holdfast, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same names, given to a `write` that refuses `..` and absolute paths and opens the rest: the door is open."""

    def credulous(memory: Memory, path: str, data: bytes) -> None:
        if not path.startswith(("/", "~")) and ".." not in path.split("/"):
            Path(memory.workspace, path).write_bytes(data)

    lived_in(holdfast, workspace)
    outside = placed(workspace)
    before = seen(outside)
    monkeypatch.setattr(Memory, "write_file", credulous)
    harmed = set()
    for told, name in NAMES.items():
        holdfast("write", name.format(outside=outside), stdin=b"from within")
        if seen(outside) != before:
            harmed.add(told)
            shutil.rmtree(outside)
            for door in ("door", "door.md", "ours"):
                (workspace / door).unlink()
            before = seen(placed(workspace))
    assert harmed == {"through a link", "through a link, new", "a link"}


# ---- links that stand there --------------------------------------------------------------------------------------------

AFTER: list[list[str]] = [
    *COMMANDS,
    ["show", "today"],
    ["show", "latest"],
    ["show", "lamp"],
    ["topic", "read", "lamp"],
    ["topic", "rename", "lamp", "lantern"],
    ["restore", "--list"],
    ["--session", "other", "task", "takes over"],
    ["--session", "third", "recover"],
    ["search", HERON],
    ["tags", "bird"],
]


def lead_nowhere(holdfast: Holdfast, workspace: Path, plant: Planting, name: str, told: str) -> None:
    """Every command, with one thing in the workspace linked outside: that stays as it is. `told` is what may not be read."""
    payload = lived_in(holdfast, workspace)
    outside = workspace.parent / "outside"
    outside.mkdir()
    plant(workspace, outside, name)
    before = seen(outside)
    for words in AFTER:
        if words == ["init", "--yes"]:
            continue  # that is the yes to a link; see below
        answer = holdfast(*words, stdin=payload)
        sound(answer, words)
        assert seen(outside) == before, words
        if words != ["search", HERON]:  # which says what was looked for
            assert told not in answer.out + answer.err, words
    inside = [path for path in has(workspace, told) if not os.path.samefile(workspace / path, outside / Path(name).name)]
    assert not inside


@pytest.mark.parametrize("name", [*FOLDERS, *FILES])
def test_nothing_goes_through_a_symbolic_link(holdfast: Holdfast, workspace: Path, name: str) -> None:
    """A link in the place of each folder and each file: nothing behind it is read or written by any command."""
    lead_nowhere(holdfast, workspace, world.symlinked, name, HERON)


@pytest.mark.parametrize("name", FILES)
def test_the_other_name_of_a_hard_link_is_never_written(holdfast: Holdfast, workspace: Path, name: str) -> None:
    """A backup made with hard links stays as it was made, and so does a file that somebody linked in."""
    lead_nowhere(holdfast, workspace, world.hard_linked, name, "\0 all of it may be read")


@pytest.mark.parametrize("follow", ["", "O_NOFOLLOW"])
def test_control_without_the_refusal_of_links_it_is_found_out(
    holdfast: Holdfast, workspace: Path, monkeypatch: pytest.MonkeyPatch, follow: str
) -> None:
    """The same look, with the one flag taken out of the opening of files and folders: what is outside is told or changed."""
    from holdfast.storage import disk

    def credulous(name: str, flags: int, mode: int = 0o600, *, dir_fd: int | None = None) -> int:
        return real(name, flags & ~getattr(os, follow) if follow else flags, mode, dir_fd=dir_fd)

    real = os.open
    monkeypatch.setattr(disk.os, "open", credulous)
    if not follow:
        lead_nowhere(holdfast, workspace, world.symlinked, "memory/semantic", HERON)
        return
    with pytest.raises(AssertionError):
        lead_nowhere(holdfast, workspace, world.symlinked, "memory/session-state.md", HERON)


# ---- what a command opens ----------------------------------------------------------------------------------------------

PYTHON = (*filter(None, sys.path), sys.prefix, sys.base_prefix, "/usr", "/lib", "/etc/ld.so.cache", "/etc/locale.alias")
SYSTEM = ("/dev/urandom", "/etc/localtime")
IMPORTED = ["/etc/ssl/openssl.cnf", "/etc/mime.types", "/sys/fs/cgroup"]  # looked at by what the SDK imports
HOSTS = (".claude", ".codex", ".gemini", ".openclaw", ".pi", ".local/share/opencode", ".config/opencode")


def astray(folder: Path, words: list[str], *, program: tuple[str, ...] = ("-m", "holdfast")) -> list[str]:
    """What a command opens or changes beyond what it has any business with."""
    env, payload = prepared(folder)
    home, project, log = folder / "of the user", folder / "project", folder / "strace.log"
    run(["init", "--yes"], folder, env, b"")
    ours = [project / ".holdfast", project / "memory", project / "notes", home / ".local" / "state" / "holdfast"]
    changes = [*map(str, ours), str(folder / f"holdfast-{os.geteuid()}"), "/dev/null"]
    if words[0:1] in (["init"], ["uninstall"]) and words[1:] != ["--yes"]:  # what of it, and that it was shown, is U3's
        changes += [str(home / name) for name in (".claude", ".claude.json", ".codex", ".gemini", ".config")]
    named = [str(project / word) for word in words[1:]]  # files that the user has named
    named += [str(project)] if words[:1] == ["forget"] else []  # which says where else in the workspace a text stands
    named += IMPORTED if words == ["mcp"] else []
    changes += [env["TMPDIR"]] if words == ["doctor"] else []
    reads = [*changes, *named, *(str(home / name) for name in HOSTS), *PYTHON, *SYSTEM]
    done = run(words, folder, env, payload, program=program, watch=watched(log))
    verdict(words, done)
    found = []
    for changed, path in opened(log):
        if path in (str(project), str(folder), str(home)) and not changed:
            continue  # the folders themselves: opened to go on from, and synced
        if words == ["mcp"] and re.fullmatch(r"/proc/\d+/cgroup", path) and not changed:
            continue  # how many processors there are, asked by what the SDK imports
        if words[:1] in (["hook"], ["doctor"]) and re.fullmatch(r"/proc/\d+/(?:stat|cmdline)", path) and not changed:
            continue  # when this process began, and by which host: whether anybody is there to answer
        if not any(path == place or path.startswith(f"{place}/") for place in (changes if changed else reads)):
            found.append(f"{'changed' if changed else 'read'} {path}")
    return found


@needs_strace
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_command_opens_nothing_beyond_its_business(tmp_path: Path, words: list[str]) -> None:
    """Its own folders, the hosts' transcripts, and what Python is made of."""
    assert astray(tmp_path, words) == []


@needs_strace
def test_control_a_program_that_looks_elsewhere_is_found_out(tmp_path: Path) -> None:
    """The same look at a program that reads a file of the user's, and writes another."""
    (tmp_path / "key").write_text("secret")
    program = ("-c", "open('../key').read(); open('../left', 'w')")
    assert astray(tmp_path, [], program=program) == [f"read {tmp_path / 'key'}", f"changed {tmp_path / 'left'}"]


# ---- links that come and go --------------------------------------------------------------------------------------------

ATTEMPTS = int(os.environ.get("HOLDFAST_RACES", "20000"))
ENOUGH = 1000  # of them done, and as many refused
COMMANDS_RACED = 240
# Two names of a folder change places, as fast as the system can. Each pair is (folder, name, other name).
SWAPS = """
import sys
from holdfast.storage.disk import Folder
pairs = [(Folder.open(path), one, other) for path, one, other in zip(*[iter(sys.argv[1:])] * 3)]
print("ready", flush=True)
while True:
    for folder, one, other in pairs:
        folder.exchange(other, folder, one)
"""


class Arena:
    """A workspace in which `memory/`, a folder in it and a file in it turn into links that lead outside, and back."""

    def __init__(self, folder: Path) -> None:
        self.workspace, self.outside = folder / "workspace", folder / "outside"
        for place, text in ((self.workspace / "memory", "within"), (self.outside, HERON)):
            (place / "deep").mkdir(parents=True)
            for name in ("note.md", "deep/note.md", f"{world.TODAY}.md"):
                (place / name).write_text(f"# Note\n\n- {text}\n")
        memory = self.workspace / "memory"
        (self.workspace / "memory-link").symlink_to(self.outside)
        (memory / "deep-link").symlink_to(self.outside / "deep")
        (memory / "note-link").symlink_to(self.outside / "note.md")
        self.swaps = [  # the inner ones first: they open `memory/` while it is still what it seems
            [str(memory), "deep", "deep-link", str(memory), "note.md", "note-link"],
            [str(self.workspace), "memory", "memory-link"],
        ]

    @contextmanager
    def raced(self) -> Iterator[None]:
        """With the swapping under way, in processes of their own."""
        swappers: list[subprocess.Popen[bytes]] = []
        try:
            for swaps in self.swaps:
                swappers.append(subprocess.Popen([sys.executable, "-c", SWAPS, *swaps], stdout=subprocess.PIPE))
                assert (said := swappers[-1].stdout)
                assert said.readline()
            yield
            assert all(swapper.poll() is None for swapper in swappers)
        finally:
            for swapper in swappers:
                swapper.kill()
                swapper.communicate()


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[Arena]:
    """On a disk in memory where there is one: syncs would make the race slow."""
    shared = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=shared if os.access(shared, os.W_OK) else tmp_path) as folder:
        arena = Arena(Path(folder))
        with Folder.open(str(arena.workspace)) as root:
            if not root.exchange("memory-link", root, "memory") or not root.exchange("memory-link", root, "memory"):
                pytest.skip("this file system cannot exchange two names")
        yield arena


def attempt(workspace: str, way: int) -> bytes:
    """One of the ways in which documents are read and written; what was read."""
    if way == 0:
        tree = Tree(workspace, Config())
        try:
            return b"".join(tree.read(path) for path, _ in tree.files({}, {}, 0))
        finally:
            tree.close()
    with Folder.open(workspace) as root, memory_folder(root, Config()) as memory:
        if way == 1:
            return memory.read("note.md")
        with memory.child("deep") as deep:
            if way == 2:
                return deep.read("note.md") + repr(deep.names()).encode()
            memory.place(memory.prepare(b"from within"), deep, "new.md", over=True)
            return b""


def looked_first(workspace: str, way: int) -> bytes:
    """The same by paths, looked at before they are opened, as most programs do."""
    path = os.path.join(workspace, "memory", ("", "note.md", "deep/note.md", "deep/new.md")[way])
    if os.path.realpath(path) != path:
        raise OSError("it leads elsewhere")
    if way == 3:
        Path(path).write_text("from within")
        return b""
    return Path(path).read_bytes() if way else "".join(os.listdir(path)).encode()


def race(arena: Arena, try_it: Callable[[str, int], bytes], attempts: int) -> tuple[int, int, bool]:
    """(how often it was done, how often it was refused, whether anything outside was read or written).

    On a busy machine whoever swaps the names may not be given a turn for seconds: then the race goes on, up to ten times as long,
    until enough was done and enough refused.
    """
    before, done, refused = seen(arena.outside), 0, 0
    harmed = False
    with arena.raced():
        for number in range(10 * attempts):
            if number >= attempts and min(done, refused) > ENOUGH:
                break
            try:
                harmed = HERON.encode() in try_it(str(arena.workspace), number % 4)
                done += 1
            except OSError:
                refused += 1
            if harmed or (number % 1000 == 0 and seen(arena.outside) != before):
                break
    return done, refused, harmed or seen(arena.outside) != before


def test_a_link_swapped_in_under_our_eyes_leads_nowhere(arena: Arena) -> None:
    """Reading, listing and writing while folders and files turn into links and back: not once outside."""
    done, refused, harmed = race(arena, attempt, ATTEMPTS)
    print(f"{done} done, {refused} refused")
    assert not harmed
    assert min(done, refused) > ENOUGH  # the race was run, and both ways


def test_control_to_look_first_and_open_then_loses_the_race(arena: Arena) -> None:
    """The same race with the usual check of a path."""
    done, refused, harmed = race(arena, looked_first, 10 * ATTEMPTS)  # it ends with the first harm
    print(f"control: outside after {done + refused} attempts")
    assert harmed


def test_commands_in_the_midst_of_the_race_stay_inside(holdfast: Holdfast, arena: Arena) -> None:
    """Whole commands: each answers in words, none reads or writes outside, and what was acknowledged is in the journal."""
    ways = [
        ["note", "seen {}"],
        ["search", "seen"],
        ["show", "today"],
        ["write", "memory/deep/plan.md"],
        ["recover"],
        ["task", "seen {}"],
    ]
    before, saved = seen(arena.outside), []
    with arena.raced():
        for number in range(COMMANDS_RACED):
            words = [word.format(number) for word in ways[number % len(ways)]]
            answer = holdfast("--workspace", str(arena.workspace), *words, stdin=b"from within")
            sound(answer, words)
            assert HERON not in answer.out + answer.err
            saved += re.findall(r"\d{8}-\d{6}-\d{6}-\w{8}", answer.out + answer.err) if words[0] in ("note", "task") else []
    assert seen(arena.outside) == before
    assert has(arena.workspace, HERON) == []
    assert len(saved) >= COMMANDS_RACED // len(ways)
    assert {*saved} <= {path.stem for path in (arena.workspace / ".holdfast" / "journal").rglob("*.md")}
