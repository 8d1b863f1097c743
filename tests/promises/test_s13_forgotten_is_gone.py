"""S13: what `holdfast forget` was told is in no byte of the memory any more, nothing else has changed, and it does not come back.

A canary goes in by every door: each command, hooks, import, a person's own hand, packed archives, the trash, what a dead process
left. Then it is forgotten, and every byte of the workspace, the cache and the state folder is searched for it. Then all is done
that could bring it back: the same hooks on the same transcript, import, adoption, rebuilding from the journal, the agent that
says it again. And the command is killed before each of its changes, and run again.
"""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from durability import SOURCE, changing_points, noon, prepared, shop, tell

from holdfast.config import read_config
from holdfast.forgetting import erasing
from holdfast.memory import Memory
from holdfast.model import slug
from holdfast.storage.disk import Folder, Lock
from holdfast.storage.journal import parse
from lab.command import ROOT, Command, Report, tree
from lab.inject import Outcome, strike_all
from sessions import Turn, claude_code

__all__ = ["noon", "shop"]

CANARIES = {
    "a sentence": "the heron nests behind the Karlsberg mill",
    "quotes and a backslash": 'it is "C:\\thunder7\\nest" they said',
    "over lines": "the first half of it\nand the other half",
    "digits": "4711-0815",
    "letters of other scripts": "Gräfin Ünal wohnt bei 鈴木さん",
}
RUN = "import sys; from holdfast.cli import main; sys.exit(main(sys.argv[1:]))"
UNWASHED = "import holdfast.memory as m; m.Memory.without_forgotten = lambda _self, value: value\n" + RUN


class Machine:
    """A user's folder with a workspace, a cache and a host's session that speaks of the canary."""

    def __init__(self, folder: Path, canary: str) -> None:
        self.folder, self.canary = folder, canary
        self.workspace, home = folder / "workspace", folder / "home"
        sessions = home / ".claude" / "projects" / "-workspace"
        sessions.mkdir(parents=True)
        self.workspace.mkdir()
        self.transcript = sessions / "s1.jsonl"
        turns = (
            Turn(f"never write down that {canary}, please", "/w/rates.py", f"note {canary}", f"Shall I keep {canary}?"),
            Turn("x" * 390 + f" {canary} " + "y" * 400, "/w/rounding.py", "sums are rounded", f"So {canary}, I will not."),
        )
        entries = claude_code("s1", str(self.workspace), turns, "2026-11-15T09:00:00")
        self.transcript.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
        self.env = {"HOME": str(home), "XDG_RUNTIME_DIR": str(folder / "runtime"), "PATH": "/usr/bin:/bin", **SOURCE}
        self.env["HOLDFAST_HOOK_SECONDS"] = "600"
        payload = {"session_id": "s1", "transcript_path": str(self.transcript), "cwd": str(self.workspace), "source": "compact"}
        self.payload = json.dumps({**payload, "prompt": "what were we doing?", "compact_summary": f"{canary}."}).encode()

    def run(self, *words: str, stdin: bytes = b"", program: str = RUN) -> str:
        """One command, in a process of its own."""
        argv = [sys.executable, "-c", program, "--workspace", str(self.workspace), *words]
        done = subprocess.run(argv, cwd=self.workspace, env=self.env, input=stdin, capture_output=True, check=False)
        assert done.returncode == 0, (words, done.stderr.decode())
        return done.stdout.decode() + done.stderr.decode()

    def say_it(self, program: str = RUN) -> None:
        """By every door that takes a text."""
        for command in ("task", "decide", "pending", "blocker", "note", "done"):
            self.run(command, f"{command} of {self.canary}, and so on", program=program)
        self.run("context", "where", self.canary, program=program)
        self.run("cache", "set", "where", self.canary, program=program)
        given = {"goal": self.canary, "code": f"# {self.canary}", "exchanges": [f"User: {self.canary}"], "odd": [self.canary]}
        self.run("checkpoint", "-", stdin=json.dumps(given).encode(), program=program)
        self.run("checkpoint", "--topic", "lamp", "--decision", self.canary, "--history", f"why {self.canary}", program=program)
        self.run("snapshot", program=program)
        self.run("task", f"of another session: {self.canary}", "--session", "other", program=program)
        self.hear_it(program)

    def hear_it(self, program: str = RUN) -> None:
        """By what brings it in from the host's transcript."""
        for event in ("PreCompact", "PostCompact", "SessionStart", "UserPromptSubmit"):
            self.run("hook", "claude-code", event, stdin=self.payload, program=program)
        self.run("import", "--all", program=program)
        self.run("recover", "--session", "s1", program=program)
        self.run("search", "heron other thunder7 4711 wohnt", program=program)

    def write_it(self) -> None:
        """By a person's own hand, and by what upkeep, editors and dead processes leave."""
        memory = self.workspace / "memory"
        block = f"<!-- BIG-MEMORY-SNAPSHOT v1 -->\n\n### [SNAPSHOT] Active Goal\n{self.canary}\n\n<!-- /BIG-MEMORY-SNAPSHOT -->\n"
        wrapped = "\r\n    ".join(self.canary.split(" "))
        by_hand = {
            "MEMORY.md": f"# Mine\r\n\r\n- kept before {wrapped} kept after\r\n\r\n## Last, without an end",
            "SESSION-STATE.md": f"# Ours\n\n## Current Task\n{self.canary}\n\n## My own\n- keep me\n",
            "memory/2026-11-14.md": f"# 2026-11-14\n\n- before\n\n{block}\n- after\n",
            "memory/semantic/places.md": f"---\ntitle: {self.canary}\n---\n#tags: places\n\n\udcff {self.canary}{self.canary}\n",
            "memory/odd.json": json.dumps({"n": [4711, 4711.0815], "said": self.canary, self.canary: 1}, indent=1),
            ".holdfast/swap/tmp-999999-00": f"half a record: {self.canary}",
        }
        for name, text in by_hand.items():
            (self.workspace / name).parent.mkdir(parents=True, exist_ok=True)
            (self.workspace / name).write_bytes(text.encode("utf-8", "surrogateescape"))
        state = self.folder / "home" / ".local" / "state" / "holdfast"
        state.mkdir(parents=True, exist_ok=True)
        refused = {"time": "2026-11-15T10:00:00", "did": f"not saved: {self.canary}", "workspace": str(self.workspace)}
        (state / "receipts.jsonl").write_text(json.dumps(refused, ensure_ascii=False) + "\n" + json.dumps(refused) + "\n")
        archive = memory / "archive" / "2025" / "01"
        archive.mkdir(parents=True)
        old = f"# 2025-01-02\n\n- kept\n- {self.canary}\n".encode()
        (archive / "2025-01-02.md.gz").write_bytes(gzip.compress(old))
        try:
            import zstandard

            (archive / "2025-01-03.md.zst").write_bytes(zstandard.compress(old))
        except ImportError:
            print("no zstandard package here: packed archives were tried as .gz alone")
        for text in ("the first plan", "the second plan", "the third"):  # two of them go into the trash
            self.run("write", "memory/plan.md", stdin=f"{text} has {self.canary}\n".encode())

    def held(self) -> list[str]:
        """Every file that has the canary in its name or its bytes, packed or not, re-wrapped, or as JSON writes it."""
        forms = {self.canary, json.dumps(self.canary)[1:-1], json.dumps(self.canary, ensure_ascii=False)[1:-1]}
        forms |= {f"{self.canary[:size].rstrip()}…" for size in range(8, len(self.canary))}
        patterns = [re.compile(rb"(?:\s|\\n)+".join(re.escape(part.encode()) for part in form.split())) for form in forms]
        found = []
        for place in (self.workspace, self.folder / "runtime", self.folder / "home" / ".local"):
            for name, packed in tree(place).items():
                data = unpacked(name, packed or b"")
                if any(pattern.search(data) or pattern.search(name.encode()) for pattern in patterns):
                    found.append(name)
        return found

    def forget(self) -> str:
        """The command itself; the placeholder that it names."""
        said = self.run("forget", "--yes", "-", stdin=self.canary.encode())
        assert self.canary not in said
        mark = re.search(r"\[forgotten:[0-9a-f]{4}\]", said)
        assert mark, said
        return mark[0]


def unpacked(name: str, data: bytes) -> bytes:
    """A file's bytes as they were before they were packed."""
    if name.endswith(".gz"):
        return gzip.decompress(data)
    if name.endswith(".zst"):
        import zstandard

        return zstandard.ZstdDecompressor().decompress(data, max_output_size=1 << 20)
    return data


def expected(name: str, data: bytes, canary: str, mark: str) -> bytes:
    """What a file must be afterwards: worked out here in another way than there."""
    space = r"(?:\s|\\n)+" if name.endswith((".json", ".jsonl")) else r"\s+"
    forms = {canary, json.dumps(canary)[1:-1], json.dumps(canary, ensure_ascii=False)[1:-1]}
    text = unpacked(name, data).decode("utf-8", "surrogateescape")
    for form in sorted(forms, key=len, reverse=True):
        text = re.sub(space.join(map(re.escape, form.split())), mark, text)
        for size in range(len(form) - 1, min(8, len(form) // 2 + 1) - 1, -1):
            text = re.sub(space.join(map(re.escape, form[:size].split())) + "…", f"{mark}…", text)
    return re.sub(r"<!-- digest: .* -->", "", text).encode("utf-8", "surrogateescape")


DERIVED = re.compile(r"\.holdfast/(index\.sqlite|receipts\.jsonl|forgotten|given|lock|swap/)")


@pytest.mark.parametrize("kind", CANARIES)
def test_it_is_in_no_byte_and_nothing_else_has_changed(tmp_path: Path, kind: str) -> None:
    """By every door it goes in; afterwards each file is what it was, with a placeholder in its place."""
    machine = Machine(tmp_path, CANARIES[kind])
    machine.say_it()
    machine.write_it()
    before = tree(machine.workspace)
    assert len(machine.held()) > 25, machine.held()
    mark = machine.forget()
    assert machine.held() == []
    after = tree(machine.workspace)
    assert {name for name in before if not DERIVED.match(name)} <= set(after)
    for name, data in before.items():
        if data is not None and not DERIVED.match(name):
            now = re.sub(rb"<!-- digest: .* -->", b"", unpacked(name, after[name] or b""))
            assert now == expected(name, data, machine.canary, mark), name
            assert "/journal/" not in name or parse((after[name] or b"").decode("utf-8", "surrogateescape")), name
    json.loads((machine.workspace / "memory" / "odd.json").read_text())


@pytest.mark.parametrize("kind", CANARIES)
def test_it_does_not_come_back(tmp_path: Path, kind: str) -> None:
    """Not from the transcript, whole or read anew, not from an agent, a day's block, the journal, a search or a merge."""
    machine = Machine(tmp_path, CANARIES[kind])
    machine.say_it()
    machine.write_it()
    machine.forget()
    machine.hear_it()
    machine.say_it()
    shutil.rmtree(machine.workspace / ".holdfast" / "cursors")
    machine.hear_it()
    shutil.rmtree(machine.workspace / "memory")
    machine.run("init", "--yes")
    machine.run("recover")
    assert machine.held() == []


def test_it_does_not_come_back_where_it_was_never_written(tmp_path: Path) -> None:
    """Forgotten before the first hook: the transcript has it, and memory never gets it."""
    machine = Machine(tmp_path, CANARIES["a sentence"])
    assert "nowhere in this memory" in machine.run("forget", "--yes", machine.canary)
    machine.hear_it()
    machine.say_it()
    assert machine.held() == []
    assert "[forgotten:" in machine.run("recover", "--session", "s1")


def test_control_without_the_fingerprint_it_comes_back(tmp_path: Path) -> None:
    """Control: the same look finds it again where the guard does not know what was forgotten."""
    machine = Machine(tmp_path, CANARIES["a sentence"])
    machine.say_it()
    machine.forget()
    shutil.rmtree(machine.workspace / ".holdfast" / "cursors")
    machine.hear_it(UNWASHED)
    assert machine.held()


def test_control_who_edits_the_documents_alone_leaves_it_in_many_places(tmp_path: Path) -> None:
    """Control: what a person would do by hand is found wanting."""
    machine = Machine(tmp_path, CANARIES["a sentence"])
    machine.say_it()
    for path in (machine.workspace / "memory").rglob("*.md"):
        path.write_text(path.read_text().replace(machine.canary, "[gone]"))
    assert len(machine.held()) > 8


# ---- killed ------------------------------------------------------------------------------------------------------------

WORDS = "a note from before"  # of the prepared workspace: in the journal, the day and below
NEEDS_STRACE = pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")


def planted(folder: Path) -> Path:
    """A workspace with a past, and the words in the trash, a cursor, an archive and a person's file too."""
    prepared(folder)
    memory = Memory(str(folder), read_config(str(folder)), write=True)
    memory.key()
    memory.change("other", {"task": WORDS})
    memory.change("default", {"task": f"{WORDS}, twice"})
    memory.write_file("memory/plan.md", f"{WORDS}\n".encode())
    memory.write_file("memory/plan.md", b"another plan\n")
    memory.receipt(event="test", did=WORDS)
    memory.close()
    (folder / "MEMORY.md").write_text(f"# Agent Memory\r\n- {WORDS}\r\n- and more", newline="")
    (folder / "memory" / "archive").mkdir()
    (folder / "memory" / "archive" / "old.md.gz").write_bytes(gzip.compress(f"- {WORDS}\n- kept\n".encode(), mtime=0))
    (folder / ".holdfast" / "cursors").mkdir(exist_ok=True)
    (folder / ".holdfast" / "cursors" / "a-00000000.json").write_text(json.dumps({"capture": {"said": [WORDS]}}))
    (folder / ".holdfast" / "index.sqlite").write_bytes(b"SQLite format 3\0" + WORDS.encode())
    return folder


def forgetting(what: str) -> Command:
    """The command line, on a copy of the workspace."""
    argv = (sys.executable, "-S", "-m", "holdfast", "--workspace", ROOT, "forget", "--yes", what)
    return Command(argv, {"XDG_RUNTIME_DIR": f"{ROOT}/runtime", "HOME": f"{ROOT}/home", "HOLDFAST_HOOK_SECONDS": "600", **SOURCE})


def told(folder: Path) -> dict[str, bytes | None]:
    """Every file, without what says when."""
    return {name: data for name, data in tree(folder).items() if name != ".holdfast/receipts.jsonl" and data is not None}


def killed(what: str, before: Path, work: Path) -> Report:
    """Kill the command before each of its changes; then run it again, and compare with a run that nobody disturbed."""
    command = forgetting(what)
    shutil.copytree(before, work / "done")
    old = told(before)

    def again(folder: Path) -> None:
        argv, env = command.argv_for(folder), command.env_for(folder)
        said = subprocess.run(argv, env=env, capture_output=True, check=False)
        assert said.returncode == 0, said.stderr.decode()

    again(work / "done")
    new = told(work / "done")
    shutil.rmtree(work / "done")

    def check(outcome: Outcome) -> None:
        for name, data in told(outcome.folder).items():
            if not re.match(r"\.holdfast/(swap/|forgotten$|tmp-)", name):
                assert data in (old.get(name), new.get(name)), f"{name} is neither what it was nor what it should be"
        again(outcome.folder)
        now = told(outcome.folder)
        assert now == new, [name for name in now.keys() | new.keys() if now.get(name) != new.get(name)]
        assert what not in (outcome.folder / ".holdfast" / "receipts.jsonl").read_text() or what[0].isdigit()

    return strike_all(command, before, work, list(changing_points(command, before, work)), check)


@NEEDS_STRACE
def test_killed_before_any_change_and_run_again_it_is_gone(shop: Path) -> None:
    """Whatever the moment: each file is whole, old or new; the second run leaves what an undisturbed one does."""
    report = killed(WORDS, planted(shop / "before"), shop / "work")
    tell("forget a text", report)
    report.raise_if_any()


@NEEDS_STRACE
def test_killed_before_any_change_and_run_again_a_record_is_gone(shop: Path) -> None:
    """The same for a record by its id: its twin in another record stays, however often the command is begun."""
    before = planted(shop / "before")
    memory = Memory(str(before), read_config(str(before)), write=True)
    record = memory.checkpoint("default", {"goal": "to be taken back", "decisions": ("twice",)}, topic="alpha")
    memory.checkpoint("default", {"decisions": ("twice", "once")}, topic="alpha")
    memory.close()
    report = killed(record.id, before, shop / "work")
    tell("forget a record", report)
    report.raise_if_any()


@NEEDS_STRACE
def test_control_a_command_that_rewrites_in_place_is_found_out(shop: Path) -> None:
    """Control: with files truncated and written again, as most programs do it, a kill leaves half of one."""
    before = planted(shop / "before")
    script = (
        "import pathlib, sys\nfor path in sorted(pathlib.Path(sys.argv[1]).rglob('*.md')):\n"
        "    data = path.read_bytes()\n    if sys.argv[2].encode() in data:\n"
        "        path.write_bytes(data.replace(sys.argv[2].encode(), b'x'))"
    )
    command = Command((sys.executable, "-S", "-c", script, ROOT, WORDS))
    old = told(before)

    def check(outcome: Outcome) -> None:
        for name, data in told(outcome.folder).items():
            assert data in (old[name], (old[name] or b"").replace(WORDS.encode(), b"x")), name

    report = strike_all(command, before, shop / "work", list(changing_points(command, before, shop / "work")), check)
    assert report.violations


# ---- whoever writes at that moment -------------------------------------------------------------------------------------


def started(machine: Machine, *words: str, stdin: bytes) -> subprocess.Popen[bytes]:
    """A command that runs beside us."""
    argv = [sys.executable, "-c", RUN, "--workspace", str(machine.workspace), *words]
    process = subprocess.Popen(
        argv, cwd=machine.workspace, env=machine.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin
    process.stdin.write(stdin)
    process.stdin.close()
    process.stdin = None
    return process


@pytest.mark.parametrize("again", [False, True], ids=["the first that is forgotten", "the second"])
def test_who_opened_memory_before_is_waited_for(tmp_path: Path, again: bool) -> None:
    """A process that knows nothing of it yet writes the text when the fingerprint is there already: it is gone all the same."""
    machine = Machine(tmp_path, CANARIES["a sentence"])
    machine.run("task", f"find out why {machine.canary}")
    if again:
        machine.run("forget", "--yes", "something else altogether")
    before = (machine.workspace / ".holdfast" / "forgotten").read_bytes() if again else b""
    writer = Memory(str(machine.workspace), read_config(str(machine.workspace)), write=True)
    process = started(machine, "forget", "--yes", "-", stdin=machine.canary.encode())
    path = machine.workspace / ".holdfast" / "forgotten"
    while process.poll() is None and not (path.exists() and path.read_bytes() != before):
        time.sleep(0.01)
    assert process.poll() is None  # it waits
    for folder, name in ((".holdfast/cursors", "s9.json"), ("memory", "2026-11-13.md"), (".holdfast/gleaning", "1.json")):
        place = writer.store.folder(folder)
        writer.swap.place(writer.swap.prepare(json.dumps({"said": machine.canary}).encode()), place, name)
    writer.close()
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err.decode()
    assert b"forgot  " in out
    assert machine.held() == []


def test_a_process_that_does_not_end_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not said to be gone while somebody may still write it."""
    monkeypatch.setattr(erasing, "OTHERS", 0.2)
    machine = Machine(tmp_path, CANARIES["a sentence"])
    machine.run("task", f"find out why {machine.canary}")
    config = read_config(str(machine.workspace))
    stopped, memory = (Memory(str(machine.workspace), config, write=True) for _ in range(2))
    erased = erasing.erase(memory, erasing.Secret(machine.canary, memory.key()))
    assert [one.path for one in erased.left] == [".holdfast"]
    stopped.close()
    assert erasing.erase(memory, erasing.Secret(machine.canary, memory.key())).left == ()
    memory.close()


def test_a_hook_that_runs_beside_it_does_not_leave_it_in_a_cursor(tmp_path: Path) -> None:
    """Hooks that read the transcript, begun a little before, at different moments of theirs."""
    for number in range(6):
        machine = Machine(tmp_path / str(number), CANARIES["a sentence"])
        machine.run("task", "mend the lamp")
        hook = started(machine, "hook", "claude-code", "PreCompact", stdin=machine.payload)
        time.sleep(number * 0.06)
        forget = started(machine, "forget", "--yes", "-", stdin=machine.canary.encode())
        assert hook.communicate(timeout=60)
        _, err = forget.communicate(timeout=120)
        assert forget.returncode == 0, err.decode()
        assert machine.held() == [], number


BUSY = """
import sys, time
from holdfast.storage.disk import Folder, Lock
lock = Lock(Folder.open(sys.argv[1]))
until = time.monotonic() + 60
print("ready", flush=True)
while time.monotonic() < until:
    if lock.take(5):
        time.sleep(0.02)
        lock.release()
"""


def test_it_gets_its_turn_among_eight_busy_writers(tmp_path: Path) -> None:
    """However many want the lock: whoever begins to wait later comes later."""
    argv = [sys.executable, "-c", BUSY, str(tmp_path)]
    writers = [subprocess.Popen(argv, env={"PATH": "/usr/bin:/bin", **SOURCE}, stdout=subprocess.PIPE) for _ in range(8)]
    try:
        for writer in writers:
            assert writer.stdout
            assert writer.stdout.readline() == b"ready\n"
        lock = Lock(Folder.open(str(tmp_path)))
        for _ in range(10):
            assert lock.take_next(20.0)
            lock.release()
    finally:
        for writer in writers:
            writer.kill()
            writer.communicate()
    assert lock.take(1.0)  # and nothing is left of them


# ---- as a name ---------------------------------------------------------------------------------------------------------

NAMED = {
    "a topic of that name": "Acme merger talks",
    "with signs": "Frau Dr. Ünal / Karlsberg (mill)",
}


@pytest.mark.parametrize("kind", NAMED)
def test_it_is_gone_as_a_name_too(tmp_path: Path, kind: str) -> None:
    """Topics and files are named by a slug: in file names, in the journal, in the map of sessions and wherever they are told."""
    text = NAMED[kind]
    machine = Machine(tmp_path, text)
    machine.run("checkpoint", "--topic", text, "--status", "going on", "--session", "s1")
    machine.run("checkpoint", "--topic", f"about {text} again", "--status", "open", "--session", "s2")
    machine.run("recover", "--session", "s1")
    machine.canary = slug(text)
    held = machine.held()
    assert any("context-" in name for name in held)
    assert any("/journal/" in name for name in held)
    assert any("session-map" in name for name in held)
    mark = machine.run("forget", "--yes", "-", stdin=text.encode()).rpartition("[forgotten:")[2][:4]
    assert machine.held() == []
    listed = machine.run("topic", "list")
    assert f"forgotten-{mark}" in listed
    assert "going on" in machine.run("topic", "read", f"forgotten-{mark}")
    machine.run("checkpoint", "--topic", text, "--status", "said again", "--session", "s1")
    machine.run("checkpoint", "--topic", slug(text), "--status", "said again", "--session", "s3")
    assert machine.held() == []
    machine.canary = text
    assert machine.held() == []
    assert all(parse(path.read_text()) for path in machine.workspace.glob(".holdfast/journal/*/*.md"))


def test_a_word_that_only_resembles_the_name_stays(tmp_path: Path) -> None:
    """A name is a row of whole words; a longer word is another."""
    machine = Machine(tmp_path, "Acme merger")
    machine.run("checkpoint", "--topic", "Acme mergers of old", "--status", "fine")
    machine.run("forget", "--yes", "-", stdin=b"Acme merger")
    assert list((machine.workspace / "memory").glob("context-Acme-mergers-of-old.md"))
