"""Two hands in one file: what a person saved while we were writing, and what we wrote."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path

import pytest

from conftest import Holdfast
from holdfast.config import Config
from holdfast.documents.bindings import united_bindings
from holdfast.memory import Memory
from holdfast.storage.disk import Folder
from holdfast.storage.merging import merged, united
from holdfast.util import compute_digest

# ---- the session map ---------------------------------------------------------------------------------------------------

STRAYED: dict[str, tuple[bytes, dict[str, object]]] = {  # what was saved into the displaced map, and what the map has of it
    "one more session": (b'{"telegram:7": "mill"}', {"telegram:7": "mill"}),
    "a key that we do not know": (b'{"version": 3}', {"version": 3}),
    "another topic for a session that was bound since": (b'{"default": "mill"}', {}),
    "emptied": (b"", {}),
    "emptied but for a line break": (b"\n", {}),
    "emptied but for a mark of its encoding": (b"\xef\xbb\xbf\r\n", {}),
    "behind a mark of its encoding": (b'\xef\xbb\xbf{"telegram:7": "mill"}', {"telegram:7": "mill"}),
    "half a character": (b'{"telegram:\\ud83d": "mill"}', {"telegram:\ud83d": "mill"}),
    "no JSON": (b'{"telegram:7": "mi', {}),
    "a list": (b'["mill"]', {}),
}


@pytest.mark.parametrize("case", STRAYED)
def test_a_map_saved_while_it_was_replaced_is_merged_back_and_stops_nothing(
    holdfast: Holdfast, workspace: Path, case: str
) -> None:
    """Whatever a person's program left in the displaced map, the next command saves its record, and no binding is lost."""
    strayed, lacking = STRAYED[case]
    bound = holdfast("topic", "bind", "lamp").id
    (workspace / ".holdfast/swap" / f"{bound}.{'0' * 16}.{'1' * 16}.map").write_bytes(strayed)
    answer = holdfast("note", "the heron is back")
    assert answer.code == 0, answer.err
    assert json.loads((workspace / "memory/context-session-map.json").read_bytes()) == {"default": "lamp", **lacking}
    assert list((workspace / ".holdfast/swap").iterdir()) == []
    kept = [file.read_bytes() for file in (workspace / ".holdfast/trash").glob("*.json")]
    assert kept == [strayed], "what was saved there is in the trash as it was"


UNITED = [  # a map, what strayed from it, both in one
    ("", '{"a": "x"}', '{"a": "x"}'),
    ("\n", '{"a": "x"}', '{"a": "x"}'),
    ("\n", " ", "\n"),
    ("", '{"a": ', '{"a": '),
    ('{"a": ', '{"b": "y"}', '{"a": '),
    ('{"a":"x"}', '{"a": "y"}', '{"a":"x"}'),
    ('{"a":"x"}', '{"é": "y"}', '{\n  "a": "x",\n  "é": "y"\n}\n'),
]


@pytest.mark.parametrize(("text", "strayed", "both"), UNITED)
def test_two_maps_in_one_lose_no_binding_and_are_not_written_anew_for_nothing(text: str, strayed: str, both: str) -> None:
    """One that lacks nothing stays as its owner wrote it, and so does one that is no JSON; an empty one takes the other."""
    assert united_bindings(text, strayed) == both


# ---- lines -------------------------------------------------------------------------------------------------------------

LINES = {  # a document, what strayed from it, both in one
    "one more at the end": ("a\n", "a\nx\n", "a\nx\n"),
    "one more at the start": ("a\nb\n", "x\na\nb\n", "x\na\nb\n"),
    "one more in the midst": ("a\nb\n", "a\nx\nb\n", "a\nx\nb\n"),
    "the same twice": ("a\n", "a\nx\nx\n", "a\nx\nx\n"),
    "the same thrice, and one is there": ("a\nx\n", "a\nx\nx\nx\n", "a\nx\nx\nx\n"),
    "moved": ("a\nx\n", "x\na\n", "a\nx\n"),
    "moved, and once more": ("x\na\nb\n", "a\nb\nx\nx\n", "x\na\nb\nx\n"),
    "there by now, and twice": ("a\nx\nx\n", "a\nx\n", "a\nx\nx\n"),
    "taken out of it": ("a\nb\n", "a\n", "a\nb\n"),
    "a paragraph": ("a\nb\n", "a\n\nx\n\nb\n", "a\n\nx\n\nb\n"),
    "blank lines alone": ("a\nb\n", "a\n\n\nb\n", "a\nb\n"),
    "nothing there": ("", "x\ny\n", "x\ny\n"),
    "nothing strayed": ("a\n", "", "a\n"),
    "no line end": ("a", "a\nx", "a\nx\n"),
}


@pytest.mark.parametrize("case", LINES)
def test_what_strayed_comes_back_as_often_as_it_was_there(case: str) -> None:
    """Each line that the document lacks, as many times as it lacks it, in its place; and none that it has already."""
    text, strayed, both = LINES[case]
    assert united(text, strayed) == both


MERGED = {  # what was read, ours, theirs, both in one
    "ours at the start of what they changed at the end": ("a\nb\nc\n", "x\na\nb\nc\n", "a\nb\ny\n", "x\na\nb\ny\n"),
    "ours at the end of what they changed at the start": ("a\nb\nc\n", "a\nb\nc\nx\n", "y\nb\nc\n", "y\nb\nc\nx\n"),
    "ours behind a line that they took out": ("a\nb\nc\n", "a\nb\nx\nc\n", "a\nc\n", "a\nx\nc\n"),
    "ours behind two that they took out": ("a\nb\nc\nd\n", "a\nb\nc\nx\nd\n", "a\nd\n", "a\nx\nd\n"),
    "ours at the end, where they took out the last two": ("a\nb\nc\n", "a\nb\nc\nx\n", "a\ny\n", "a\nx\ny\n"),
    "ours before a line, where they took out all before it": ("a\nb\n", "a\nx\nb\n", "b\n", "x\nb\n"),
    "ours at the end of what they wrote anew": ("a\n", "a\nx\n", "p\nq\nr\n", "p\nq\nr\nx\n"),
    "ours at the start of what they wrote anew": ("a\n", "x\na\n", "p\nq\nr\n", "x\np\nq\nr\n"),
    "ours in place of a line that they moved down": ("a\nb\nc\n", "a\nx\nc\n", "a\nc\nb\n", "a\nx\nc\n"),
    "a line of ours taken out, one of theirs put beside it": ("a\nb\nc\n", "a\nc\n", "a\nb\ny\nc\n", "a\ny\nc\n"),
    "two changes of ours around one of theirs": ("a\nb\nc\n", "a\n1\nb\n2\nc\n", "a\nb\ny\nc\n", "a\n1\nb\n2\ny\nc\n"),
}


@pytest.mark.parametrize("case", MERGED)
def test_ours_stands_where_it_stood_in_what_they_saved(case: str) -> None:
    """Behind the nearest line before it that is still there; at the start or the end where it stood there."""
    base, ours, theirs, both = MERGED[case]
    assert merged(base, ours, theirs) == both


# ---- whose text it is --------------------------------------------------------------------------------------------------

FILES = {
    "memory/birds.md": "the heron is grey\n",
    "memory/fish.md": "the pike is green\n",
    "memory/archive/fish.md": "the carp is brown\n",
    ".holdfast/sessions/parked.md": "a session that waits\n",
    ".holdfast/trash/birds.md": "the heron is blue\n",
    ".holdfast/trash/gone.md": "the dodo is gone\n",
}
DISPLACED = {  # the name that it had, the text that it was given, whose it is
    "of a document": ("birds.md", "the heron is grey\n", "memory/birds.md"),
    "of a parked session": ("parked.md", "a session that waits\n", ".holdfast/sessions/parked.md"),
    "of a document that was changed since": ("birds.md", "the heron was white\n", "memory/birds.md"),
    "of a parked session that was changed since": ("parked.md", "a session that waited\n", ".holdfast/sessions/parked.md"),
    "of one of two documents": ("fish.md", "the carp is brown\n", "memory/archive/fish.md"),
    "of one of two documents that was changed since": ("fish.md", "the carp was red\n", ""),
    "of what is in the trash by now": ("gone.md", "the dodo is gone\n", ""),
    "of no name that is told": ("", "the pike is green\n", "memory/fish.md"),
    "of no name that is told, changed since": ("", "the pike was black\n", ""),
    "of another name": ("birds.md", "the pike is green\n", "memory/birds.md"),
}


@pytest.mark.parametrize("case", DISPLACED)
def test_what_was_displaced_is_known_as_its_documents(workspace: Path, case: str) -> None:
    """By its name and text; by its name alone where only one document has it. What is in the trash is no document."""
    for path, text in FILES.items():
        (workspace / path).parent.mkdir(parents=True, exist_ok=True)
        (workspace / path).write_text(text)
    name, text, whose = DISPLACED[case]
    with contextlib.closing(Memory(str(workspace), Config(), write=True)) as memory:
        found = memory.store.document_of(compute_digest(name.encode())[:8] if name else "", compute_digest(text.encode())[:16])
        assert (found.folder.at(found.name) if found else "") == (str(workspace / whose) if whose else "")


# ---- the last moment ---------------------------------------------------------------------------------------------------


def test_what_is_saved_in_the_last_moment_is_given_back_at_once(
    holdfast: Holdfast, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A day is renamed into its place as ours is exchanged for it: it stands there again before anything else is done.

    Who reads it without what was just saved, and saves that, would undo it; no later merge can tell that from a deletion.
    """
    assert holdfast("note", "the first").code == 0
    (day,) = (workspace / "memory").glob("2*.md")
    exchange, prepare, seen = Folder.exchange, Folder.prepare, list[bool]()

    def exchanging(self: Folder, temporary: str, target: Folder, name: str) -> bool:
        if name == day.name and not (workspace / "saved").exists():
            (workspace / "saved").write_text("once")
            (workspace / "mine").write_text(day.read_text() + "- by hand\n")
            (workspace / "mine").rename(day)
        return exchange(self, temporary, target, name)

    def preparing(self: Folder, data: bytes, like: os.stat_result | None = None) -> str:
        if (workspace / "saved").exists():
            seen.append("- by hand\n" in day.read_text())
        return prepare(self, data, like)

    monkeypatch.setattr(Folder, "exchange", exchanging)
    monkeypatch.setattr(Folder, "prepare", preparing)
    assert holdfast("note", "the second").code == 0
    assert seen
    assert all(seen)
    assert [day.read_text().count(line) for line in ("- the first\n", "- by hand\n", "- the second\n")] == [1, 1, 1]
