"""Closed days of the journal in one file each: the same records, whoever asks for them."""

from __future__ import annotations

import contextlib
import json
import random
import time
from pathlib import Path

import pytest

from conftest import Holdfast
from holdfast.config import Config
from holdfast.memory import Memory
from holdfast.model import Note
from holdfast.storage.packing import packed, rewritten, unpacked
from holdfast.storage.writing import Past
from upkept import ago

ONE, TWO = "20261101-090000-000000-aaaaaaaa", "20261101-090000-000001-aaaaaaaa"
BODIES = [b"", b"\n", b"x", b"ends\n", b"\xff\xfe no utf-8", b"<!-- packed: %s 3 -->\nabc\n" % TWO.encode(), "记".encode() * 9]


@pytest.mark.parametrize("body", BODIES)
def test_what_is_packed_is_unpacked_to_the_byte(body: bytes) -> None:
    """Whatever a record says, also what looks like the beginning of another."""
    records = {ONE: body, TWO: b"the other"}
    assert unpacked(packed(records)) == records


def test_a_torn_pack_gives_what_is_left_of_it() -> None:
    """Cut or garbled anywhere, no exception, and the records before and after the damage are served."""
    records = {f"20261101-09000{n}-000000-aaaaaaaa": b"record %d " % n * 20 for n in range(6)}
    data, chance = packed(records), random.Random(1)
    for cut in range(len(data)):
        whole = [name for name, found in unpacked(data[:cut]).items() if records.get(name) == found]
        assert len(whole) >= data[:cut].count(b"<!-- packed") - 1
    for _ in range(200):
        at, length = chance.randrange(len(data)), chance.randrange(1, 60)
        spoilt = data[:at] + bytes(chance.randrange(256) for _ in range(length)) + data[at + length :]
        assert sum(records.get(name) == found for name, found in unpacked(spoilt).items()) >= 4


def test_a_pack_can_be_rewritten_record_by_record() -> None:
    """Lengths follow."""
    assert unpacked(rewritten(packed({ONE: b"my secret", TWO: b"x"}), lambda text: text.replace("secret", "…"))) == {
        ONE: "my …".encode(), TWO: b"x"
    }  # fmt: skip


def old_records(workspace: Path, *texts: str) -> list[str]:
    noon = time.mktime(time.strptime(f"{ago(20)} 12:00", "%Y-%m-%d %H:%M"))
    with contextlib.closing(Memory(str(workspace), Config(), write=True)) as memory:
        return [memory.note("default", Note(text), Past(noon, text)).id for text in texts]


def test_packed_records_are_found_by_every_command(holdfast: Holdfast, workspace: Path) -> None:
    """`show ID`, `search` and what comes to that day later; one file is left of the day."""
    first, second = old_records(workspace, "the lamp is mended", "the glue is dry")
    before = [holdfast("show", one).out for one in (first, second)]
    assert "closed days of the journal" in holdfast("upkeep").out
    journal = workspace / ".holdfast/journal"
    assert [path.name for path in journal.iterdir()] == [f"{ago(20)}.md"]
    assert [holdfast("show", one).out for one in (first, second)] == before
    found = json.loads(holdfast("search", "glue", "--json").out)["results"]
    assert any("glue" in hit["text"] for hit in found)
    assert old_records(workspace, "the lamp is mended") == [first], "it is known, and not brought in again"
    (late,) = old_records(workspace, "it fell down again")
    assert "fell" in holdfast("show", late).out
    assert "done" in holdfast("upkeep").out
    assert [path.name for path in journal.iterdir()] == [f"{ago(20)}.md"]
    assert "fell" in holdfast("show", late).out
    assert holdfast("show", first).out == before[0]


def test_a_torn_pack_is_not_packed_over(holdfast: Holdfast, workspace: Path) -> None:
    """What is left of it stays as it is, health says so, and what comes later stays beside it."""
    old_records(workspace, "one", "two")
    holdfast("upkeep")
    pack = workspace / f".holdfast/journal/{ago(20)}.md"
    pack.write_bytes(torn := pack.read_bytes()[:-9])
    old_records(workspace, "three")
    holdfast("upkeep")
    assert pack.read_bytes() == torn
    assert "WANTING  records can be read" in holdfast("health").out


def test_a_record_that_a_document_lacks_keeps_its_day_open(holdfast: Holdfast, workspace: Path) -> None:
    """What is waiting is not packed away."""
    (waiting,) = old_records(workspace, "one")
    (workspace / ".holdfast/pending" / waiting).touch()
    with contextlib.closing(Memory(str(workspace), Config(), write=False)) as memory:
        assert memory.journal.loose_days() == []


def test_what_kept_the_state_from_turn_to_turn_is_thinned(holdfast: Holdfast, workspace: Path, tmp_path: Path) -> None:
    """Of a day's turns the last one stays in the journal, and what was saved at a boundary; the others are in the trash."""
    noon = time.mktime(time.strptime(f"{ago(20)} 12:00", "%Y-%m-%d %H:%M"))
    transcript, saved = tmp_path / "session.jsonl", []
    for turn, trigger in enumerate(("turn-end", "turn-end", "pre-compaction", "turn-end", "turn-end")):
        words = f"never touch invoice {turn}, and set the rate to {turn} percent"
        asked = {"type": "user", "message": {"role": "user", "content": words}}
        with transcript.open("a") as file:
            file.write(json.dumps(asked) + "\n")
        with contextlib.closing(Memory(str(workspace), Config(), write=True, clock=lambda at=noon + turn: at)) as memory:
            saved.append(memory.capture("s", str(transcript), host="claude-code", trigger=trigger))
    ids = [one.id for one in saved if one]
    assert len(ids) == 5
    assert holdfast("upkeep").code == 0
    left = unpacked((workspace / ".holdfast/journal" / f"{ago(20)}.md").read_bytes())
    assert sorted(left) == [ids[2], ids[4]]
    (thinned,) = (path for path in (workspace / ".holdfast/trash").iterdir() if path.name.endswith(f"{ago(20)}.md"))
    assert sorted(unpacked(thinned.read_bytes())) == [ids[0], ids[1], ids[3]]
    assert "never touch invoice 4" in holdfast("recover", "--session", "s").out


@pytest.mark.parametrize("by", ["text", "id"])
def test_what_is_packed_can_be_forgotten(by: str, holdfast: Holdfast, workspace: Path) -> None:
    """By a text, record by record, with lengths and digests that fit again; by its id, whole. The others stay as they were."""
    first, second = old_records(workspace, "the lamp is mended, PIN 4711-0815", "the glue is dry")
    assert holdfast("upkeep").code == 0
    pack = workspace / ".holdfast/journal" / f"{ago(20)}.md"
    other = unpacked(pack.read_bytes())[second]
    assert holdfast("forget", "--yes", "4711-0815" if by == "text" else first).code == 0
    left = unpacked(pack.read_bytes())
    assert packed(left) == pack.read_bytes()
    assert left[second] == other
    assert set(left) == ({first, second} if by == "text" else {second})
    assert not [path for path in workspace.rglob("*") if path.is_file() and b"4711-0815" in path.read_bytes()]
    if by == "text":
        assert "the lamp is mended" in holdfast("show", first).out
    assert "the glue is dry" in holdfast("show", second).out


def test_more_packed_days_than_are_held_at_once_are_all_read(workspace: Path) -> None:
    """Each record of each day, in order, and over again; a year of them is not kept in memory for it."""
    with contextlib.closing(Memory(str(workspace), Config(), write=True)) as memory:
        for days in range(40, 40 - 12, -1):
            noon = time.mktime(time.strptime(f"{ago(days)} 12:00", "%Y-%m-%d %H:%M"))
            memory.note("default", Note(f"{days} days ago"), Past(noon, f"{days}"))
        for day in memory.journal.loose_days():
            memory.journal.pack(day)
        assert memory.journal.loose_days() == []
        said = [f"- {days} days ago\n" for days in range(29, 41)]
        for _ in range(2):
            assert [record.body for record in memory.journal.records()] == said
            assert 0 < len(memory.journal._packs) < len(said)
