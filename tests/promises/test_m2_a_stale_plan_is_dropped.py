"""M2: a plan that was made before a person's edit is looked at again before it is carried out.

A plan is made; then files that it rests on are edited, deleted, made anew or replaced at random, as during a long wait; then it
is carried out. Every change that rests on a file that is not what was read must be dropped and reported, every other one made,
and what the person saved must stand as it was saved. The control does not look again, and is found out.
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import tempfile
import threading
from pathlib import Path
from typing import Any

import pytest

from holdfast.config import Config
from holdfast.memory import Memory
from holdfast.model import Note
from holdfast.storage.disk import Folder
from holdfast.storage.exchange import Exchange
from holdfast.storage.leases import Lease
from holdfast.upkeep import applying
from holdfast.upkeep.applying import apply
from holdfast.upkeep.plan import Change
from holdfast.upkeep.planning import plan
from holdfast.upkeep.surveying import survey
from holdfast.util import make_id
from lab import racers
from upkept import ago, documents, lines_of, past, write

SEEDS = range(40)


def edit(workspace: Path, names: list[str], chance: random.Random) -> dict[str, bytes | None]:
    """A person at work on some of these files: {path: what it is now, None where it was deleted}."""
    done: dict[str, bytes | None] = {}
    for name in chance.sample(names, chance.randint(1, 3)):
        path = workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        old = path.read_bytes() if path.exists() else b""
        mine = b"- mine %d\n" % chance.randrange(10**9)
        done[name] = chance.choice([old + mine, mine + old, mine, old.replace(b"a", b"b") + mine, None if old else mine])
        text = done[name]
        if text is None:
            path.unlink()
        elif chance.random() < 0.5:
            path.write_bytes(text)
        else:  # saved by rename, as vim does
            path.with_name("their-own").write_bytes(text)
            path.with_name("their-own").rename(path)
    return done


def judged(workspace: Path, seed: int) -> None:
    """One plan, one person, one verdict."""
    chance = random.Random(seed)
    past(workspace, episodic=chance.random() < 0.3)
    with contextlib.closing(Memory(str(workspace), Config(), write=True)) as memory:
        changes = plan(survey(memory), Config())
        names = sorted({path for change in changes for path in change.expected() if not path.endswith(".gz")})
        edited = edit(workspace, names, chance)
        known = lines_of(workspace)
        outcome = apply(memory, changes)
    stale = _stale(changes, set(edited))
    assert [change for change, _ in outcome.dropped] == stale
    assert all(why for _, why in outcome.dropped)
    assert list(outcome.done) == [change for change in changes if change not in stale]
    assert stale, "the edit struck nothing; nothing is proved by it"
    now = documents(workspace)
    for name, text in edited.items():
        assert now.get(name) == text, f"{name} is not as the person left it"
    lost = known - lines_of(workspace)
    assert not lost, lost


def _stale(changes: list[Change], spoilt: set[str]) -> list[Change]:
    """The changes that rest on an edited file, and those that rest on what such a change would have made."""
    found = []
    for change in changes:
        if spoilt & set(change.expected()):
            found.append(change)
            spoilt |= {edit.path for edit in change.edits}
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_a_change_that_rests_on_an_edited_file_is_dropped_and_reported(seed: int, tmp_path: Path) -> None:
    """Whatever was edited since, that stands, and the rest is done."""
    judged(tmp_path / "workspace", seed)


@pytest.mark.parametrize("kind", ["in-place", "rename", "sed"])
def test_no_line_of_a_busy_editor_is_lost_to_upkeep(kind: str, tmp_path: Path) -> None:
    """An editor saves line after line into a day that upkeep closes again and again: each line is in the day, once."""
    path = tmp_path / "memory" / f"{ago(1)}.md"
    write(tmp_path, {f"memory/{ago(1)}.md": f"# {ago(1)}\n\n- [TEMP] a tab\n"})
    editor = racers.start(kind, path, 60, 0.002)
    done = dropped = 0
    while editor.poll() is None:
        with contextlib.closing(Memory(str(tmp_path), Config(), write=True)) as memory:
            outcome = apply(memory, plan(survey(memory), Config()))
            done, dropped = done + len(outcome.done), dropped + len(outcome.dropped)
    assert editor.returncode == 0
    with contextlib.closing(Memory(str(tmp_path), Config(), write=True)) as memory:
        memory.note("default", Note("the next command"))
        apply(memory, plan(survey(memory), Config()))
    print(f"{kind}: {done} changes made, {dropped} dropped")
    lines = path.read_text().split("\n")
    assert [lines.count(racers.line(n)) for n in range(1, 61)] == [1] * 60


def test_a_save_as_a_file_goes_to_the_trash_has_it_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An editor opens a file in the moment in which upkeep moves it: it goes back, and has what was saved."""
    write(tmp_path, {"memory/old.md": "- a fact\n"})
    path, real = tmp_path / "memory/old.md", Folder.move
    editor = threading.Thread(target=path.write_text, args=("- a fact\n- mine\n",))

    def move(self: Folder, *given: Any) -> None:
        if not editor.ident:
            editor.start()
            racers.wait_until(lambda: racers.is_waited_for(path.stat()))
        real(self, *given)

    monkeypatch.setattr(Folder, "move", move)
    with contextlib.closing(Memory(str(tmp_path), Config(), write=True)) as memory:
        assert not memory.store.retire(memory.store.folder("memory"), "old.md", b"- a fact\n", "a-change")
    editor.join(30)
    assert path.read_text() == "- a fact\n- mine\n"
    assert not list((tmp_path / ".holdfast/trash").iterdir())


ABROAD: dict[str, tuple[bytes, bytes, bool, bytes | None, bytes | None]] = {
    # saved once there is a copy of it, and once it has left its name; whether it goes; the document then, and the trash
    "nobody saves": (b"", b"", True, None, b"- a fact\n"),
    "saved before": (b"- mine\n", b"", False, b"- mine\n", None),
    "saved after": (b"", b"- mine\n", True, b"- mine\n", b"- a fact\n"),
    "saved before and after": (b"- mine\n", b"- mine again\n", False, b"- mine again\n", b"- mine\n"),
}


@pytest.mark.parametrize("case", ABROAD)
def test_a_save_as_a_file_goes_to_a_trash_on_another_disk_is_not_lost(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No file moves from one disk to another. What is saved between the copy and the removal stays, or is in the trash."""
    if not os.access("/dev/shm", os.W_OK) or os.stat("/dev/shm").st_dev == tmp_path.stat().st_dev:
        pytest.skip("there is no second file system here")
    before, after, goes, there, kept = ABROAD[case]
    moved, synced, copied = Folder.move, Folder.sync, list[bool]()
    with tempfile.TemporaryDirectory(dir="/dev/shm") as disk:
        path = Path(disk) / "old.md"
        path.write_bytes(b"- a fact\n")

        def save(data: bytes) -> None:
            if data:
                (tmp_path / "new").write_bytes(data)
                shutil.copy(tmp_path / "new", f"{path}~")
                os.replace(f"{path}~", path)

        def sync(self: Folder) -> None:
            synced(self)
            if self.path.endswith("trash") and not copied:
                copied.append(True)
                save(before)

        def move(self: Folder, *given: Any) -> None:
            moved(self, *given)
            save(after if self.path == disk else b"")

        monkeypatch.setattr(Folder, "sync", sync)
        monkeypatch.setattr(Folder, "move", move)
        with contextlib.closing(Memory(str(tmp_path), Config(), write=True)) as memory, Folder.open(disk) as folder:
            swap = folder.child("swap", make=True)
            monkeypatch.setattr(Exchange, "swap_for", lambda _self, _folder: swap)
            assert memory.store.retire(folder, "old.md", b"- a fact\n", "a-change") is goes
            assert swap.names() == []
            swap.close()
        assert (path.read_bytes() if path.exists() else None) == there
    trash = [file.read_bytes() for file in (tmp_path / ".holdfast/trash").iterdir()]
    assert trash == ([] if kept is None else [kept])


@pytest.mark.parametrize("twin", [False, True], ids=["one file", "two of the same name"])
def test_a_line_saved_into_what_upkeep_displaced_is_brought_home_by_another_process(twin: bool, tmp_path: Path) -> None:
    """Also where the document has changed since. Where it cannot be told whose line it is, the line is in the trash."""
    name, path = f"{ago(1)}.md", tmp_path / "memory" / f"{ago(1)}.md"
    write(tmp_path, {f"memory/{name}": "# a day\n\n- [TEMP] a tab\n"} | ({f"memory/archive/{name}": "- other\n"} if twin else {}))
    was = path.read_bytes()
    fds: list[int] = []
    with contextlib.closing(Memory(str(tmp_path), Config(), write=True)) as memory, pytest.MonkeyPatch.context() as patch:
        real = Folder.exchange

        def exchange(self: Folder, *given: Any) -> bool:
            done = real(self, *given)
            if not fds:  # as one that had found the file before it was exchanged, and came to the lease after we had looked
                patch.setattr(Lease, "is_wanted", lambda _self: False)
                opening = threading.Thread(target=lambda: fds.append(os.open(self.at(given[0]), os.O_WRONLY | os.O_APPEND)))
                opening.start()
                racers.wait_until(lambda: racers.is_waited_for(os.stat(self.at(given[0]))))
            return done

        patch.setattr(Folder, "exchange", exchange)
        assert memory.store.revise(memory.store.folder("memory"), name, was, b"# a day\n", make_id(0.0, ""))
    racers.wait_until(lambda: bool(fds))
    os.write(fds[0], b"- mine\n")
    os.close(fds[0])
    path.write_text("# a day\n\n- saved since\n")
    with contextlib.closing(Memory(str(tmp_path), Config(), write=True)) as memory:
        memory.note("default", Note("the next command"))
    kept = "".join(each.read_text() for each in (tmp_path / ".holdfast/trash").iterdir())
    assert ("- mine\n" in path.read_text()) is not twin
    assert "- saved since\n" in path.read_text()
    assert "- mine\n" in kept
    assert not list((tmp_path / ".holdfast/swap").iterdir())


def test_control_a_plan_that_is_not_looked_at_again_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same look at a program that trusts its plan: each seed finds it out.

    Besides the second look it lacks what would stop it later still: it writes over a file that somebody has made since, and of
    one that is gone it says that it was changed as planned.
    """
    made = applying._is_made
    monkeypatch.setattr(applying, "_stale", lambda _memory, _change: "")
    monkeypatch.setattr(applying, "mark_of", lambda _text: _Any())
    monkeypatch.setattr(applying, "_is_made", lambda *given: made(*given) or True)
    monkeypatch.setattr(Exchange, "bring", _over)
    found = [seed for seed in SEEDS if _is_found_out(tmp_path / str(seed), seed)]
    assert found == list(SEEDS)


def _is_found_out(workspace: Path, seed: int) -> bool:
    try:
        judged(workspace, seed)
    except AssertionError:
        return True
    return False


def _over(store: Exchange, folder: Folder, name: str, draft: str) -> bool:
    store.swap_for(folder).place(draft, folder, name, over=True)
    return True


class _Any:
    """Equal to everything: a digest that nobody compares."""

    def __eq__(self, _other: object) -> bool:
        return True

    def __ne__(self, _other: object) -> bool:
        return False

    __hash__ = None  # type: ignore[assignment]
