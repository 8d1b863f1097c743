"""Two hands in one file: what a person saved while we were writing, and what we wrote."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conftest import Holdfast
from holdfast.documents.bindings import united_bindings

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
