"""U1: a person's edit is never lost, whoever saves first and however their editor saves.

Every document that we write is edited by a person at the same time. First without luck: a person's save is put exactly
between our reading and our exchange, right behind the exchange, and into a file that we have displaced while the editor still
had it open; after the next command the person's line and ours must both be in the document, once, and nothing that was
replaced may come back. Then with real editors (in place, by rename, `vim`, `sed -i`, `git checkout`) that save all the time
while we write: afterwards no line of the person is nowhere, and in documents that are only added to it is in the document
itself. At last, what a person's file is made of (unknown sections, CRLF, a byte-order mark, no final newline, conflict
markers, bytes that are no UTF-8, mode and owner) survives every command that writes.

The controls replace files blindly, as most programs do, and must lose lines.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import stat
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sharing import blind_swap_in, left_over, opened, text_of

from holdfast.errors import BehindJournal
from holdfast.memory import Memory
from holdfast.model import Note, Record
from holdfast.storage import disk, leases
from holdfast.storage.journal import Journal
from holdfast.storage.store import Store
from holdfast.upkeep import trash
from lab import racers

SESSION = "agent:main"
PERSON = "person line 1"

# ---- the documents and what we write into them -------------------------------------------------------------------------

Write = Callable[[Memory, int], Any]
_note: Write = lambda memory, n: memory.note(SESSION, Note(f"fact {n}"))  # noqa: E731
_task: Write = lambda memory, n: memory.change(SESSION, {"task": f"task {n}"})  # noqa: E731
_checkpoint: Write = lambda memory, n: memory.checkpoint(  # noqa: E731
    SESSION, {"status": f"status {n}", "decisions": (f"decision {n}",)}, topic="harbour"
)
_bind: Write = lambda memory, n: memory.bind(f"{SESSION}:{n}", f"topic {n}")  # noqa: E731
_parking: Write = lambda memory, n: memory.change(f"session {n}", {"task": f"task {n}"})  # noqa: E731

# document: (where it is, how we write it, what must be there once after the n-th write, what must not be there any more)
DOCUMENTS: dict[str, tuple[str, Write, Callable[[int], str], Callable[[int], str]]] = {
    "day": ("memory/{day}.md", _note, lambda n: f"- fact {n}", lambda n: ""),
    "snapshots": ("memory/{day}.md", _checkpoint, lambda n: f"{n}. decision {n}", lambda n: ""),
    "topic": ("memory/context-harbour.md", _checkpoint, lambda n: f"status {n}", lambda n: f"status {n - 1}"),
    "state": ("memory/session-state.md", _task, lambda n: f"task {n}", lambda n: f"task {n - 1}"),
    "classic": ("SESSION-STATE.md", _task, lambda n: f"task {n}", lambda n: f"task {n - 1}"),
    "buffer": ("memory/working-buffer.md", _task, lambda n: f" task: task {n}", lambda n: ""),
    "map": ("memory/context-session-map.json", _bind, lambda n: f'  "{SESSION}:{n}": "topic-{n}"', lambda n: ""),
}
APPENDED = ("day", "buffer", "topic")


def _path(workspace: Path, name: str) -> Path:
    return workspace / DOCUMENTS[name][0].format(day=time.strftime("%Y-%m-%d"))


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A workspace in which every document has been written once."""
    found = tmp_path / "workspace"
    found.mkdir()
    (found / "SESSION-STATE.md").write_text("# Session State\n\n## Current Task\n[None]\n\n## Mine\nkeep this\n")
    memory = opened(found)
    for write in (_note, _checkpoint, _task, _bind):
        write(memory, 1)
    memory.close()
    return found


def _with_line(data: bytes, name: str) -> bytes:
    """The document as the person's editor would save it, with one line more."""
    if name == "map":
        return json.dumps({**json.loads(data), PERSON: {"deep": 1}}, indent=2).encode() + b"\n"
    return data + PERSON.encode() + b"\n"


def _check(workspace: Path, name: str, last: int) -> None:
    """The person's line and all of ours are in the document, once, and what was replaced has stayed away."""
    text = text_of(_path(workspace, name))
    lines = [line.rstrip(",") for line in text.split("\n")]
    _, _, ours, gone = DOCUMENTS[name]
    if name == "map":
        found = json.loads(text)
        assert found.pop(PERSON) == {"deep": 1}
        assert found == {SESSION: "harbour", **{f"{SESSION}:{n}": f"topic-{n}" for n in range(1, last + 1)}}
        return
    assert lines.count(PERSON) == 1, text
    for n in range(1, last + 1):
        wanted = ours(n)
        times = sum(line.endswith(wanted) if wanted.startswith(" ") else line == wanted for line in lines)
        if gone(n) and n < last:
            assert times == 0, f"{wanted} has come back:\n{text}"
        elif name != "snapshots" or n == last:
            assert times == 1, f"{wanted}: {times} times\n{text}"
    if name == "snapshots":
        assert text.count("<!-- BIG-MEMORY-SNAPSHOT v1 -->") == text.count("<!-- /BIG-MEMORY-SNAPSHOT -->") == last


# ---- a race without luck -----------------------------------------------------------------------------------------------


class Editor:
    """An editor in a thread of its own: it reads and opens at one moment and writes at another, or waits where it must."""

    def __init__(self, path: Path, name: str, how: str) -> None:
        self.path, self.name, self.how = path, name, how
        self.may_write = threading.Event()
        self.thread = threading.Thread(target=self._save, daemon=True)

    def open(self) -> None:
        """Read the document; in place, also open it for writing, or (`truncating`) empty it at once as `O_TRUNC` does."""
        self.data = _with_line(self.path.read_bytes(), self.name)
        self.about, self.opened = self.path.stat(), threading.Event()
        self.thread.start()
        racers.wait_until(lambda: self.opened.is_set() or racers.is_waited_for(self.about))

    def write(self) -> None:
        """Save, now or as soon as the file is open."""
        self.may_write.set()
        racers.wait_until(lambda: not self.thread.is_alive() or racers.is_waited_for(self.about))

    def _save(self) -> None:
        fd = os.open(self.path, os.O_WRONLY | (os.O_TRUNC if self.how == "truncating" else 0)) if self.how != "rename" else -1
        self.opened.set()
        self.may_write.wait(30)
        if self.how == "rename":
            beside = self.path.with_name(".person~")
            beside.write_bytes(self.data)
            beside.replace(self.path)
        else:
            os.ftruncate(fd, 0)
            os.write(fd, self.data)
            os.close(fd)


@contextlib.contextmanager
def moments(target: Path, events: dict[str, list[Callable[[], None]]]) -> Iterator[None]:
    """Let things happen right before (`read`) and right after (`exchanged`) the first exchange of a document."""
    real = disk.Folder.exchange

    def exchange(self: disk.Folder, temporary: str, folder: disk.Folder, name: str) -> bool:
        ours = folder.at(name) == str(target)
        for event in events.pop("read", []) if ours else []:
            event()
        done = real(self, temporary, folder, name)
        for event in events.pop("exchanged", []) if ours else []:
            event()
        return done

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(disk.Folder, "exchange", exchange)
        yield
    assert not {"read", "exchanged"} & events.keys(), "the document was never exchanged"


# (when the editor reads and opens, when it writes), each with the ways of saving for which that is another race
MOMENTS = [
    ("before", "exchanged", ("in place",)),
    ("before", "done", ("in place",)),
    ("read", "read", ("rename", "in place")),
    ("read", "exchanged", ("in place", "truncating")),
    ("read", "done", ("in place", "truncating")),
    ("exchanged", "exchanged", ("rename", "in place")),
    ("exchanged", "done", ("rename", "in place", "truncating")),
    ("done", "done", ("rename", "in place")),
]
RACES = [(name, opens, writes, how) for name in DOCUMENTS for opens, writes, hows in MOMENTS for how in hows]


def _race(workspace: Path, name: str, opens: str, writes: str, how: str) -> None:
    path, write = _path(workspace, name), DOCUMENTS[name][1]
    editor = Editor(path, name, how)
    events: dict[str, list[Callable[[], None]]] = {}
    events.setdefault(opens, []).append(editor.open)
    events.setdefault(writes, []).append(editor.write)
    memory = opened(workspace)
    for event in events.pop("before", []):
        event()
    with moments(path, events):
        write(memory, 2)
    if write is _task:
        # A replaced text that came back with the person's lines would be healed by the next command, and misread until then.
        assert memory.state(SESSION).task == "task 2"
    for event in events.pop("done", []):
        event()
    editor.thread.join(30)
    write(memory, 3)
    memory.close()


@pytest.mark.parametrize(("name", "opens", "writes", "how"), RACES, ids=["-".join(race).replace(" ", "_") for race in RACES])
def test_a_save_in_the_midst_of_ours_is_in_the_document_after_the_next_command(
    workspace: Path, name: str, opens: str, writes: str, how: str
) -> None:
    """Whenever the person's save comes, the document has their line and ours once after the next command."""
    _race(workspace, name, opens, writes, how)
    _check(workspace, name, 3)
    assert left_over(workspace) == []


class SecondSave(Editor):
    """An editor that saves, reads what there is by then, and saves again, as one that saves all the time does."""

    def _save(self) -> None:
        super()._save()
        self.again = self.path.read_bytes() + racers.line(2).encode() + b"\n"

    def write_again(self) -> None:
        """The second save."""
        self.thread.join(30)
        self.path.write_bytes(self.again)


def _saved_twice(workspace: Path) -> list[int]:
    """An editor opens the day right before our exchange, saves right after it, reads, and saves again when we are done."""
    path = _path(workspace, "day")
    editor, memory = SecondSave(path, "day", "in place"), opened(workspace)
    with moments(path, {"read": [editor.open], "exchanged": [editor.write]}):
        _note(memory, 2)
    editor.write_again()
    _note(memory, 3)
    memory.close()
    return [text_of(path).split("\n").count(racers.line(n)) for n in (1, 2)]


def test_an_editor_never_reads_a_document_that_lacks_what_it_has_just_saved(workspace: Path) -> None:
    """For it would save it again without that, and the line would be nowhere."""
    assert _saved_twice(workspace) == [1, 1]


def test_control_without_a_lease_the_editor_saves_over_its_own_line(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same race with a lease that only says that it was granted."""
    monkeypatch.setattr(leases, "_asked", lambda _fd: True)
    monkeypatch.setattr(leases.Lease, "is_wanted", lambda _self: False)
    assert _saved_twice(workspace) == [0, 1]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_that_was_emptied_to_be_saved_takes_our_record_on_once_it_is_saved(workspace: Path, name: str) -> None:
    """Our text would stand alone in it. The record is in the journal, that is said, and the next command catches up."""
    editor, write = Editor(_path(workspace, name), name, "truncating"), DOCUMENTS[name][1]
    editor.open()
    memory = opened(workspace)
    with pytest.raises(BehindJournal, match=r"another program is saving it") as behind:
        write(memory, 2)
    assert "Nothing is lost" in str(behind.value)
    assert _path(workspace, name).read_bytes() == b""
    editor.write()
    write(memory, 3)
    memory.close()
    _check(workspace, name, 3)
    assert left_over(workspace) == []


@pytest.mark.parametrize("name", [name for name in DOCUMENTS if name != "map"])
def test_an_old_text_saved_over_ours_leaves_the_persons_line_and_our_record(workspace: Path, name: str) -> None:
    """An editor that read before us and saves after us has the last word in the document; the record stays in the journal."""
    editor = Editor(_path(workspace, name), name, "rename")
    memory = opened(workspace)
    editor.open()
    saved = DOCUMENTS[name][1](memory, 2)
    editor.write()
    DOCUMENTS[name][1](memory, 3)
    assert memory.journal.read(saved.id) is not None
    memory.close()
    assert text_of(_path(workspace, name)).count(PERSON) == 1


@pytest.mark.parametrize("name", list(DOCUMENTS))
def test_control_a_blind_replace_loses_the_save(workspace: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same check fails where the new text is renamed over whatever is there."""
    path, write = _path(workspace, name), DOCUMENTS[name][1]
    editor = Editor(path, name, "rename")

    def blind(self: Store, document: Any, record_id: str, old: bytes, new: bytes) -> None:
        if document.folder.at(document.name) == str(path) and not hasattr(editor, "data"):
            editor.open()
            editor.write()
        blind_swap_in(self, document, record_id, old, new)

    monkeypatch.setattr(Store, "_swap_in", blind)
    memory = opened(workspace)
    write(memory, 2)
    write(memory, 3)
    memory.close()
    with pytest.raises((AssertionError, KeyError)):
        _check(workspace, name, 3)
    assert racers.found_nowhere(workspace, 1) == [PERSON] or name == "map"


def test_a_save_between_our_two_looks_at_the_state_is_heard(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A task that a person wrote into the state after we had looked and before we read it to change it is not overwritten."""
    path, real = _path(workspace, "state"), Store._take_on

    def take_on(self: Store, document: Any, record_id: str) -> None:
        if document.role == "state":
            path.write_text(text_of(path).replace("task 1", "the person's task"))
        real(self, document, record_id)

    monkeypatch.setattr(Store, "_take_on", take_on)
    memory = opened(workspace)
    memory.change(SESSION, {"decisions": ("ours",)})
    state = memory.state(SESSION)
    memory.close()
    assert (state.task, state.decisions) == ("the person's task", ("decision 1", "ours"))


def test_what_a_person_wrote_into_the_classic_file_outlives_a_change_of_session(workspace: Path) -> None:
    """A blocker that a person wrote into SESSION-STATE.md is still known of its session after another session has written."""
    path = _path(workspace, "classic")
    path.write_text(text_of(path).replace("## Blockers\nnone", "## Blockers\n- the person's blocker"))
    memory = opened(workspace)
    _parking(memory, 2)
    state = memory.state(SESSION)
    memory.close()
    assert state.blockers == ("the person's blocker",)


# ---- a restore ---------------------------------------------------------------------------------------------------------


def _before_restore(workspace: Path) -> Memory:
    """A state that was kept, and gone on from."""
    memory = opened(workspace)
    memory.snapshot(SESSION)
    memory.change(SESSION, {"decisions": ("ours",)})
    return memory


EDITS = {  # document: what a person writes into it
    "state": lambda text: text.replace("task 1", "the person's task").replace("- ours", "- ours\n- the person's decision"),
    "classic": lambda text: text.replace("task 1", "the person's task").replace("- ours", "- ours\n- the person's decision"),
}


@pytest.mark.parametrize("name", EDITS)
def test_what_was_edited_before_a_restore_is_kept_and_named_and_comes_back(workspace: Path, name: str) -> None:
    """The edits are in no record. The answer says how they come back from the trash."""
    memory, path = _before_restore(workspace), _path(workspace, name)
    path.write_text(EDITS[name](text_of(path)))
    edited = memory.state(SESSION)
    assert (edited.task, edited.decisions) == ("the person's task", ("decision 1", "ours", "the person's decision"))
    said = memory.restore(SESSION).said
    assert (memory.state(SESSION).task, memory.state(SESSION).decisions) == ("task 1", ("decision 1",))
    assert memory.restore(SESSION).said == said.partition(";")[0]
    assert memory.state(SESSION).task == "task 1"
    memory.close()
    _run(workspace, tuple(said.partition("`holdfast ")[2].partition("`")[0].split()))
    memory = opened(workspace)
    found = memory.state(SESSION)
    memory.close()
    assert found == edited


WHILE = {  # of a checkpoint: when a person saves, as a function of ours that comes right before
    "after it was composed": (Journal, "write"),
    "after its documents were looked at": (Store, "_take_on"),
}


@pytest.mark.parametrize("moment", WHILE)
@pytest.mark.parametrize("by", ["the agent", "the transcript"])
def test_a_save_in_the_midst_of_a_checkpoint_is_kept(
    workspace: Path, moment: str, by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A checkpoint replaces the state that it knew. What a person has put in or taken out since is none of its business."""
    memory = opened(workspace)
    for text in ("use Decimal", "keep old invoices"):
        memory.change(SESSION, {"decisions": (text,)})
    path, (owner, name) = workspace / "memory" / "session-state.md", WHILE[moment]
    real, left = getattr(owner, name), ["once"]

    def saved_before(*given: Any) -> Any:
        if left and text_of(path).count("- use Decimal"):
            left.clear()
            path.write_text(text_of(path).replace("- use Decimal\n", "- ask the bank first\n"))
        return real(*given)

    monkeypatch.setattr(owner, name, saved_before)
    if by == "the agent":
        memory.checkpoint(SESSION, {"decisions": ("round per invoice",), "task": "rates"})
    else:
        lines = [
            {"type": "user", "message": {"role": "user", "content": "mend the rates, and never touch old invoices"}},
            {"type": "assistant", "message": {"role": "assistant", "content": "I decided to round per invoice, as is law."}},
        ]
        transcript = workspace.parent / "session.jsonl"
        transcript.write_text("".join(json.dumps({"sessionId": SESSION, **line}) + "\n" for line in lines))
        memory.capture(SESSION, str(transcript), host="claude-code")
    state = memory.state(SESSION)
    memory.close()
    assert not left
    assert "ask the bank first" in state.decisions
    assert "use Decimal" not in state.decisions
    assert any("round per invoice" in text for text in state.decisions)


def test_a_restore_of_what_nobody_has_edited_keeps_nothing_more(workspace: Path) -> None:
    """What commands have set is in the journal."""
    memory = _before_restore(workspace)
    assert memory.restore(SESSION).said == f"restored from {memory.snapshots()[0]}"
    assert trash.things(memory) == []
    memory.close()


def test_what_was_edited_is_durable_before_the_restore_is(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A crash at the journal's door to the restore leaves the edits in the trash, where they are listed."""
    memory, path = _before_restore(workspace), _path(workspace, "state")
    path.write_text(EDITS["state"](text_of(path)))
    real = Journal.write

    def write(self: Journal, record: Record) -> None:
        if record.kind == "restore":
            raise KeyboardInterrupt
        real(self, record)

    monkeypatch.setattr(Journal, "write", write)
    with pytest.raises(KeyboardInterrupt):
        memory.restore(SESSION)
    (thing,) = trash.things(memory)
    memory.close()
    why = "written by hand, in no record, and replaced by `holdfast restore`"
    assert (thing.path, thing.why) == ("memory/session-state.md", why)
    assert "the person's decision" in text_of(workspace / f".holdfast/trash/{thing.id}.{thing.name}")


@pytest.mark.parametrize("name", EDITS)
def test_a_save_in_the_midst_of_a_restore_is_in_the_trash(workspace: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a person saves after the restore has looked, and before the document takes it on, is replaced and kept."""
    memory, path, real = _before_restore(workspace), _path(workspace, name), Store._take_on

    def take_on(self: Store, document: Any, record_id: str) -> None:
        if document.role == name:
            path.write_text(EDITS[name](text_of(path)))
        real(self, document, record_id)

    monkeypatch.setattr(Store, "_take_on", take_on)
    memory.restore(SESSION)
    memory.close()
    assert any("the person's task" in text_of(kept) for kept in (workspace / ".holdfast/trash").iterdir())


def test_an_edit_between_a_crash_and_the_restore_that_is_caught_up_with_is_in_the_trash(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The restore was in the journal, its document was not; the person edits that, and the next command catches up."""
    memory, path = _before_restore(workspace), _path(workspace, "state")
    with monkeypatch.context() as crash:
        crash.setattr(Store, "apply", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            memory.restore(SESSION)
    path.write_text(EDITS["state"](text_of(path)))
    memory.note(SESSION, Note("later"))
    memory.close()
    assert "the person's task" not in text_of(path)
    assert any("the person's decision" in text_of(kept) for kept in (workspace / ".holdfast/trash").iterdir())
OWN = "- d1\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- d2\n"


@pytest.mark.parametrize("name", ["state", "classic"])
def test_what_a_person_puts_between_our_items_stays_there(workspace: Path, name: str) -> None:
    """A table with its blank lines, a trait and a phase of a person's own are as they left them once we have written."""
    path = _path(workspace, name)
    text = text_of(path).replace("## Recent Decisions\n- decision 1\n", f"## Recent Decisions\n{OWN}")
    state = "- Phase: Testing the importer\n- Owner: me\n- Branch: n/a\n"
    path.write_text(text.replace("## Recovery Path", f"## Current State\n{state}\n## Recovery Path"))
    memory = opened(workspace)
    memory.change(SESSION, {"decisions": ("d3",), "progress": "most"})
    memory.close()
    assert f"## Recent Decisions\n{OWN}- d3\n" in text_of(path)
    assert name == "classic" or f"## Current State\n{state}- Progress: most\n" in text_of(path)


@pytest.mark.parametrize("again", [False, True])
@pytest.mark.parametrize("name", ["day", "buffer", "topic"])
def test_who_reads_ours_in_the_instant_in_which_it_stood_there_takes_nothing_out(
    workspace: Path, name: str, again: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An editor renames its text into place just before the exchange, reads the document before it is given back, and saves that
    with one line more, at once or only when we come again: all of its lines are there, and ours.
    """
    path, real, seen = _path(workspace, name), disk.Folder.exchange, []
    at = 3 if again else 2

    def renamed(data: bytes) -> None:
        beside = path.with_suffix(".new")
        beside.write_bytes(data)
        beside.replace(path)

    def exchange(self: disk.Folder, temporary: str, target: disk.Folder, called: str) -> bool:
        if called != path.name:
            return real(self, temporary, target, called)
        seen.append(path.read_bytes())
        if len(seen) == 1:
            renamed(seen[0].rstrip(b"\n") + b"\nperson one\n")
        if len(seen) == at == 3:
            renamed(seen[1].rstrip(b"\n") + b"\nperson two\n")
        done = real(self, temporary, target, called)
        if len(seen) == at == 2:
            renamed(seen[1].rstrip(b"\n") + b"\nperson two\n")
        return done

    memory = opened(workspace)
    monkeypatch.setattr(disk.Folder, "exchange", exchange)
    DOCUMENTS[name][1](memory, 2)
    memory.close()
    lines = text_of(path).split("\n")
    assert [lines.count(line) for line in ("person one", "person two")] == [1, 1]
    assert DOCUMENTS[name][2](2).strip() in text_of(path)


# ---- real editors, all the time ----------------------------------------------------------------------------------------

EDITORS = {"in-place": 60, "rename": 60, "vim": 12, "sed": 20}


def _edited(workspace: Path, name: str, kind: str, lines: int) -> tuple[list[str], list[str]]:
    """Write while an editor saves, then once more: the person's lines that are nowhere, and those not in the document."""
    path, write = _path(workspace, name), DOCUMENTS[name][1]
    memory = opened(workspace)
    editor = racers.start(kind, path, lines, 0.002)
    number = 2
    waits = [BehindJournal] if kind in ("in-place", "vim") else []  # emptied, and not written yet: the next one catches up
    while editor.poll() is None:
        with contextlib.suppress(*waits):
            write(memory, number)
        number += 1
    assert editor.returncode == 0
    write(memory, number)
    memory.close()
    there = text_of(path).split("\n")
    wanted = [racers.line(n) for n in range(1, lines + 1)]
    # A line below a list is part of its last item, and is shown so, indented.
    files = [path.read_text("utf-8", errors="replace") for path in workspace.rglob("*") if path.is_file()]
    anywhere = {line.lstrip("- ") for text in files for line in text.split("\n")}
    return [line for line in wanted if line not in anywhere], [line for line in wanted if there.count(line) != 1]


@pytest.mark.parametrize("kind", EDITORS)
@pytest.mark.parametrize("name", DOCUMENTS)
def test_no_line_of_a_busy_editor_is_lost(workspace: Path, name: str, kind: str) -> None:
    """An editor saves line after line while we write: none is nowhere, and what is only added to has each of them once."""
    if kind == "vim" and not shutil.which("vim"):
        pytest.skip("vim is not installed")
    nowhere, not_in_it = _edited(workspace, name, kind, EDITORS[kind])
    assert nowhere == []
    assert not_in_it == [] or name not in APPENDED


@pytest.mark.parametrize("kind", ["in-place", "rename"])
def test_control_a_blind_replace_loses_lines_of_a_busy_editor(
    workspace: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same check finds lost lines where the new text is renamed over whatever is there."""
    monkeypatch.setattr(Store, "_swap_in", blind_swap_in)
    _, not_in_it = _edited(workspace, "day", kind, 200)
    assert not_in_it


@pytest.mark.parametrize("name", DOCUMENTS)
def test_an_older_version_from_git_is_respected(workspace: Path, name: str) -> None:
    """`git checkout` of an older version has the last word: its lines are there, what it lacks stays away, ours go on."""
    path, write = _path(workspace, name), DOCUMENTS[name][1]

    def git(*words: str) -> None:
        about = ["-c", "user.name=person", "-c", "user.email=person@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", "-C", str(workspace), *about, *words], check=True, capture_output=True)

    path.write_bytes(_with_line(path.read_bytes(), name))
    git("init", "-q")
    git("add", str(path))
    git("commit", "-q", "-m", "older")
    older = text_of(path)
    memory = opened(workspace)
    write(memory, 2)
    assert text_of(path) != older
    git("checkout", "-q", "--", str(path))
    assert text_of(path) == older
    write(memory, 3)
    memory.close()
    text = text_of(path)
    assert PERSON in text
    assert DOCUMENTS[name][2](3).strip() in text
    if name == "snapshots":
        assert text.count("<!-- BIG-MEMORY-SNAPSHOT v1 -->") == 2
    else:
        assert DOCUMENTS[name][2](2).strip() not in text


# ---- what a person's file is made of -----------------------------------------------------------------------------------

ODD = (
    b"## Mine\n<<<<<<< HEAD\nmine\n=======\n\ttheirs  \n>>>>>>> branch\n"
    b"odd \xff\xfe\x80 bytes \xe2\x80\xa8 and \x0c feeds\n\n- a list\n   - of mine\n"
)
FEATURES: dict[str, Callable[[bytes], tuple[bytes, bytes]]] = {
    # what a document becomes, and the bytes in it that must still be there in one piece after every command
    "unknown section": lambda data: (data + b"\n" + ODD, ODD),
    "section in front": lambda data: (b"# Title\n\n" + ODD + b"\n" + data, ODD),
    "crlf": lambda data: ((data + b"\n" + ODD).replace(b"\n", b"\r\n"), ODD.replace(b"\n", b"\r\n")),
    "byte-order mark": lambda data: (b"\xef\xbb\xbf" + data + b"\n" + ODD, ODD),
    "no final newline": lambda data: (data + b"\n" + ODD[:-1], ODD[:-1]),
}
COMMANDS: list[tuple[str, ...]] = [
    ("note", "a fact"), ("task", "a task"), ("decide", "a decision"), ("context", "key", "value"), ("pending", "an action"),
    ("done", "an action"), ("blocker", "a blocker"), ("checkpoint", "--topic", "harbour", "--decision", "x", "--status", "y"),
    ("snapshot",), ("restore",), ("topic", "bind", "harbour"), ("topic", "unbind"), ("task", "another", "--session", "other"),
    ("task", "back again"), ("topic", "rename", "harbour", "haven"), ("upkeep",), ("upkeep", "review"),
]  # fmt: skip


def _run(workspace: Path, words: tuple[str, ...]) -> None:
    """One command in this process: its bytes are what matters here, and a process each would take minutes."""
    from holdfast import cli

    session = () if "--session" in words else ("--session", SESSION)
    assert cli.main([*words, *session, "--workspace", str(workspace)]) == 0, words


@pytest.mark.parametrize("feature", FEATURES)
@pytest.mark.parametrize("name", [name for name in DOCUMENTS if name not in ("map", "snapshots")])
def test_what_is_not_ours_survives_every_command_byte_for_byte(workspace: Path, name: str, feature: str) -> None:
    """Unknown sections, line ends, marks and bytes of a person are untouched after each of the commands that write."""
    path = _path(workspace, name)
    data, kept = FEATURES[feature](path.read_bytes())
    path.write_bytes(data)
    for words in COMMANDS:
        _run(workspace, words)
        if words[1:2] == ("rename",) and name == "topic":
            path = workspace / "memory/context-haven.md"
        found = path.read_bytes()
        if words[-1] == "other" and name == "state":
            continue  # the other session's state is shown; this one is parked and comes back with its own next command
        assert kept in found, f"{words}: {found!r}"
        if feature == "crlf":
            assert found.count(b"\n") == found.count(b"\r\n"), words
        if feature == "byte-order mark":
            assert found.startswith(b"\xef\xbb\xbf"), words
            assert found.count(b"\xef\xbb\xbf") == 1, words


def test_unknown_keys_of_the_session_map_survive_every_command(workspace: Path) -> None:
    """What else a person keeps in the session map stays there as it is."""
    path = _path(workspace, "map")
    mine = {"mine": {"deep": [1, None, "ü"]}, "number": 3}
    path.write_text(json.dumps({**json.loads(text_of(path)), **mine}))
    for words in COMMANDS:
        _run(workspace, words)
        found = json.loads(text_of(path))
        assert {key: found[key] for key in mine} == mine, words


@pytest.mark.parametrize("name", [name for name in DOCUMENTS if name != "snapshots"])
def test_existing_files_keep_their_mode_and_owner(workspace: Path, name: str) -> None:
    """A file that is there keeps its mode, and its owner where we may give files away."""
    path = _path(workspace, name)
    path.chmod(0o664)
    owner = (1234, 1235) if os.geteuid() == 0 else (os.geteuid(), os.getegid())
    os.chown(path, *owner)
    before = path.read_bytes()
    memory = opened(workspace)
    DOCUMENTS[name][1](memory, 2)
    memory.close()
    assert path.read_bytes() != before
    found = path.stat()
    assert (stat.S_IMODE(found.st_mode), found.st_uid, found.st_gid) == (0o664, *owner)


def test_control_a_document_written_anew_does_not_keep_what_is_not_ours(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same check fails where a document is made anew from what is known, as most programs do."""
    from holdfast.documents import markdown

    real = markdown.write_state
    monkeypatch.setattr(markdown, "write_state", lambda _text, state, stamp: real("", state, stamp))
    path = _path(workspace, "state")
    data, kept = FEATURES["unknown section"](path.read_bytes())
    path.write_bytes(data)
    _run(workspace, ("task", "a task"))
    assert kept not in path.read_bytes()
