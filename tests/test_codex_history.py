"""A Codex session that goes on from another file has its past: who goes back, or forks, begins a new file that copies nothing."""

from __future__ import annotations

import io
import json
import zlib
from typing import TYPE_CHECKING, Any

import pytest

from holdfast.capture.draft import Capture
from holdfast.transcripts import Transcript, packed
from holdfast.transcripts.find import sessions, transcript
from test_truth_codex import agent, said, script

if TYPE_CHECKING:
    from pathlib import Path

Line = dict[str, Any]

FIRST, PART, FORK = (f"01a1e9e6-{n}6c5-7e02-9813-b82691680c4e" for n in (5, 6, 7))
TODAY = "sessions/2026/11/17"
ASK, ORDER = "build the store of rates", "always use mongo, and never sqlite"
PATCH = "*** Begin Patch\\n*** Add File: store.py\\n+x = 1\\n*** End Patch"
BEFORE = [said(ASK), agent("It needs a place to keep them.")]
SINCE = [said(ORDER), *script(f'text(await tools.apply_patch("{PATCH}"))', "{}"), agent("Mongo it is.")]
INSTEAD = [said("use postgres, and never a file"), agent("Postgres.")]


class Home:
    """A home of Codex; each line is a second later than the one before, in whatever file it stands."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.seconds = folder, 0

    def write(self, name: str, thread: str, lines: list[Line], base: Line | None = None, place: str = TODAY, **more: Any) -> Path:
        """A file of a session, by the last part of its name."""
        path = self.folder / place / f"rollout-2026-11-17T10-{self.seconds:02}-00-{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        about = {"id": thread, "cwd": "/w", "history_mode": "paginated", **({"history_base": base} if base else {}), **more}
        self.append(path, {"type": "session_meta", "payload": {**about, "timestamp": self.now}}, *lines)
        return path

    @property
    def now(self) -> str:
        """The moment of the next line."""
        return f"2026-11-17T10:{self.seconds:02}:00.000Z"

    def append(self, path: Path, *lines: Line) -> None:
        """More of it."""
        with path.open("a") as file:
            for line in lines:
                file.write(json.dumps({"timestamp": self.now, **line}) + "\n")
                self.seconds += 1

    def first(self, place: str = TODAY) -> tuple[Path, Line]:
        """A session, and what a file says that goes on from it before the order."""
        path = self.write(FIRST, FIRST, BEFORE, place=place)
        base = {"thread_id": FIRST, "end_ordinal_exclusive": 3, "end_byte_offset": path.stat().st_size}
        self.append(path, *SINCE)
        return path, base


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """An empty one."""
    return Home(tmp_path)


def drafted(path: Path) -> dict[str, Any]:
    """What is drafted of a file."""
    capture = Capture()
    with Transcript(str(path)) as found:
        capture.feed(found.events())
    return capture.draft()


def kinds(path: Path) -> list[str]:
    """What is read of a file, in short."""
    with Transcript(str(path)) as found:
        return [event.text if event.kind == "user" else event.kind for event in found.events()]


PLACES = [TODAY, "sessions/2026/11/16", "archived_sessions"]


@pytest.mark.parametrize("place", PLACES)
def test_who_goes_back_keeps_what_was_said_before_and_done_since(home: Home, place: str) -> None:
    """Wherever the older file stands. What was said since is taken back, as on any host."""
    _, base = home.first(place)
    draft = drafted(home.write(f"{FIRST}_{PART}", FIRST, INSTEAD, base))
    assert draft["goal"] == ASK
    assert draft["corrections"] == ("use postgres, and never a file",)
    assert [path for path, _ in draft["files"]] == ["store.py"]


def test_who_has_gone_back_and_said_nothing_yet_has_taken_it_back_too(home: Home) -> None:
    """The file is begun at once."""
    _, base = home.first()
    draft = drafted(home.write(f"{FIRST}_{PART}", FIRST, [], base))
    assert draft["task"] == ASK
    assert "corrections" not in draft


def test_a_fork_has_what_came_before_it_and_nothing_of_what_came_later(home: Home) -> None:
    """The other session goes its own way; a fork of one in which somebody went back has its past as it was then."""
    _, base = home.first()
    assert kinds(home.write(FORK, FORK, INSTEAD, base)) == [ASK, "agent", "use postgres, and never a file", "agent"]
    part = home.write(f"{FIRST}_{PART}", FIRST, INSTEAD, base)
    end = {"thread_id": PART, "end_byte_offset": part.stat().st_size}
    home.append(part, said("go on"))
    told = kinds(home.write("01a1e9e6-86c5-7e02-9813-b82691680c4e", "another", [said("try sqlite")], end))
    since = ["rewound", "use postgres, and never a file", "agent", "try sqlite"]
    assert told == [ASK, "agent", ORDER, "call", "result", "agent", *since]


def test_of_a_subagent_that_was_forked_what_came_before_is_its_parents(home: Home) -> None:
    """It knows of it, and has none of it to do."""
    _, base = home.first()
    review = [said("Review the store."), agent("I look at it.")]
    fork = home.write(FORK, FORK, review, base, source={"subagent": {"thread_spawn": {"parent_thread_id": FIRST}}})
    assert kinds(fork) == [ASK, "agent", "forked", "Review the store.", "agent"]
    assert drafted(fork)["goal"] == "Review the store."


def test_reading_on_repeats_nothing(home: Home) -> None:
    """What is in other files is read once, before the first line of its own."""
    _, base = home.first()
    path = home.write(f"{FIRST}_{PART}", FIRST, [], base)
    position, found = None, []
    for line in [*INSTEAD, said("go on")]:
        with Transcript(str(path)) as part:
            found += [event.text for event in part.events(position) if event.kind == "user"]
            position = json.loads(json.dumps(part.position))
        home.append(path, line)
    assert found == [ASK, ORDER, "use postgres, and never a file"]


BROKEN: dict[str, Any] = {
    "a file that is gone": {"thread_id": PART, "end_byte_offset": 10},
    "itself": {"thread_id": FORK, "end_byte_offset": 10},
    "no number": {"thread_id": FIRST, "end_byte_offset": "10"},
    "no name": {"thread_id": "../../x", "end_byte_offset": 10},
    "nothing that is known": {"thread_id": ["x"]},
}


@pytest.mark.parametrize("case", BROKEN)
def test_what_cannot_be_found_is_said_and_the_rest_is_read(home: Home, case: str) -> None:
    """Half of a session is better than none of it."""
    home.first()
    path = home.write(FORK, FORK, INSTEAD, BROKEN[case])
    assert kinds(path) == ["use postgres, and never a file", "agent"]
    with Transcript(str(path)) as found:
        list(found.events())
        assert "goes on from another file" in found.reasons[0]


def test_a_session_in_which_somebody_went_back_is_listed_once(home: Home) -> None:
    """By the newest of its files; a fork is another session."""
    older, base = home.first()
    home.write(f"{FIRST}_{PART}", FIRST, INSTEAD, base)
    newest = home.write(f"{FIRST}_01a1e9e6-96c5-7e02-9813-b82691680c4e", FIRST, INSTEAD, base)
    fork = home.write(FORK, FORK, INSTEAD, base)
    environ = {"CODEX_HOME": str(home.folder)}
    assert {found.path for found in sessions("codex", environ, "")} == {str(newest), str(fork)}
    assert older.exists()
    found = transcript("codex", FIRST, environ, "")
    assert found is not None
    assert found.path == str(newest)


def pack(path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same file as Codex packs it, with zlib in the place of zstd, which need not be installed here."""
    monkeypatch.setattr(packed, "stream", lambda source: io.BytesIO(zlib.decompress(source.read()[4:])))
    there = path.with_name(f"{path.name}.zst")
    there.write_bytes(b"\x28\xb5\x2f\xfd" + zlib.compress(path.read_bytes()))
    path.unlink()
    return there


@pytest.mark.parametrize("which", ["the older", "the newer", "both"])
def test_a_file_that_was_packed_since_counts_as_it_was(home: Home, which: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Codex packs what nobody has touched for a while."""
    older, base = home.first()
    path = home.write(f"{FIRST}_{PART}", FIRST, INSTEAD, base)
    before = kinds(path), drafted(path)
    if which != "the newer":
        pack(older, monkeypatch)
    if which != "the older":
        path = pack(path, monkeypatch)
    with Transcript(str(path), host="codex") as found:
        assert [event.text if event.kind == "user" else event.kind for event in found.events()] == before[0]
        assert found.reasons == []


def test_what_is_packed_and_cannot_be_unpacked_is_said(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest is read."""
    older, base = home.first()
    path = home.write(f"{FIRST}_{PART}", FIRST, INSTEAD, base)
    pack(older, monkeypatch)
    monkeypatch.setattr(packed, "stream", lambda source: None)
    with Transcript(str(path)) as found:
        assert [event.kind for event in found.events()] == ["user", "agent"]
        assert found.reasons == [packed.MISSING]


@pytest.mark.parametrize("which", ["none", "the older", "the newer", "both"])
def test_the_end_of_a_session_reaches_back_into_the_files_before_it(
    home: Home, which: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As far as they count. Each entry has a number of its own, by which it is read whole."""
    older, base = home.first()
    path = home.write(f"{FIRST}_{PART}", FIRST, INSTEAD, base)
    if which in ("the older", "both"):
        pack(older, monkeypatch)
    if which in ("the newer", "both"):
        path = pack(path, monkeypatch)
    texts = ["Postgres.", "use postgres, and never a file", "session_meta", "It needs a place to keep them.", ASK, "session_meta"]
    for limit in (1, 2, 3, 4, 6, 100):
        with Transcript(str(path), host="codex") as found:
            entries = list(found.entries_from_end(limit, 2000))
            assert len(entries) == min(limit, len(texts))
            for entry, text in zip(entries, texts, strict=False):
                assert text in entry.text
                whole = found.entry(entry.id)
                assert whole is not None
                assert (whole.id, whole.text) == (entry.id, entry.text)
            numbers = [int(entry.id) for entry in entries]
            assert numbers == sorted(set(numbers), reverse=True)
            assert [found.entry(number) for number in ("1", "999999", str(numbers[0] + 1))] == [None] * 3


def test_the_end_of_a_fork_says_nothing_of_what_came_later_elsewhere(home: Home) -> None:
    """Nor of another fork; one of one in which somebody went back has the files of both before it."""
    _, base = home.first()
    part = home.write(f"{FIRST}_{PART}", FIRST, INSTEAD, base)
    end = {"thread_id": PART, "end_byte_offset": part.stat().st_size}
    home.append(part, said("go on"))
    path = home.write("01a1e9e6-86c5-7e02-9813-b82691680c4e", "another", [said("try sqlite")], end)
    with Transcript(str(path)) as found:
        shown = [entry.text for entry in found.entries_from_end(100, 2000)]
    told = [next((text for text in ("sqlite", "Postgres", "postgres", "place", ASK) if text in entry), "") for entry in shown]
    assert told == ["sqlite", "", "Postgres", "postgres", "", "place", ASK, ""]
    assert not [entry for entry in shown if "mongo" in entry or "go on" in entry]
