"""`holdfast forget`: what it finds, what it refuses, what it says, and what a record takes with it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import Holdfast
from holdfast.config import read_config
from holdfast.forgetting.forgotten import Forgotten, folded, line_for, placeholder_for, spans_of
from holdfast.memory import Memory
from holdfast.storage.disk import Folder

KEY = b"k" * 32
TEXT = "the heron nests at the mill"


def files(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def holders(folder: Path, text: str = TEXT) -> list[str]:
    """The files that have a text in their bytes."""
    return [name for name, data in files(folder).items() if text.encode() in data]


# ---- what is found -----------------------------------------------------------------------------------------------------

FOUND = {
    "as it is": ("a secret word here", "secret word", ["secret word"]),
    "twice": ("secret word secret word", "secret word", ["secret word", "secret word"]),
    "within a word": ("xhunter2x", "hunter2", ["hunter2"]),
    "re-wrapped": ("a secret\n    word here", "secret word", ["secret\n    word"]),
    "re-wrapped the other way": ("a secret word here", "secret\nword", ["secret word"]),
    "with CRLF": ("a secret\r\nword", "secret word", ["secret\r\nword"]),
    "escaped by markdown": ("first\n\\## second", "first\n## second", ["first\n\\## second"]),
    "behind a backslash": ("in C:\\thunder7 it is", "thunder7", ["thunder7"]),
    "cut off": ("User: the heron nests at…", TEXT, ["the heron nests at"]),
    "cut off at a space": ("User: the heron nests…", TEXT, ["the heron nests"]),
    "cut off too early to tell": ("the he…", TEXT, []),
    "other capitals": ("a Secret Word here", "secret word", []),
    "a part of it": ("a secret", "secret word", []),
    "four digits in an id": ("<!-- holdfast: 20261115-140509-317042-k3f9q2ab -->", "3170", []),
    "four digits in a moment": ("at 2026-11-15T14:05:09 it was", "2026", []),
    "four digits beside them": ("2026-11-15T14:05:09 PIN 2026.", "2026", ["2026"]),
    "a whole moment": ("at 2026-11-15T14:05:09.", "2026-11-15T14:05:09", ["2026-11-15T14:05:09"]),
    "in a placeholder": ("[forgotten:3f9a] [redacted:aws-key:3f9a]", "forgotten", []),
}


@pytest.mark.parametrize("case", FOUND)
def test_a_text_is_found_exactly_and_re_wrapped(case: str) -> None:
    """Spaces and line ends are one; capitals count; ids, moments and placeholders of ours are no text."""
    text, wanted, spans = FOUND[case]
    assert [text[start:end] for start, end in spans_of(text, {wanted})] == spans


@settings(max_examples=300, deadline=None)
@given(st.text(min_size=4, max_size=60), st.text(max_size=40), st.text(max_size=40))
def test_the_fingerprint_finds_what_the_text_itself_finds(secret: str, before: str, after: str) -> None:
    """Whatever the text and wherever it stands; and it finds nothing in what stands around it."""
    if len(folded(secret)) < 4:
        return
    text = f"{before} {secret} {after}"
    known = Forgotten(line_for(secret, KEY).encode() + b"\n", lambda: KEY)
    spans = [span for span in spans_of(text, {secret}) if folded(text[slice(*span)]) == folded(secret)]
    assert (known.washed(text) != text) == bool(spans)
    assert known.washed(before) == before or spans_of(before, {secret})


def test_without_the_key_a_fingerprint_says_nothing() -> None:
    """The same text under another key has another line: nobody can try words without it."""
    assert set(line_for(TEXT, KEY).split()[2:]).isdisjoint(line_for(TEXT, b"o" * 32).split()[2:])
    assert Forgotten(line_for(TEXT, KEY).encode(), lambda: b"o" * 32).washed(TEXT) == TEXT


def test_all_texts_of_a_value_are_washed_and_damaged_lines_are_passed_over() -> None:
    """Lists, pairs and mappings keep their form; a torn file of fingerprints stops nothing."""
    known = Forgotten(b"text 9\nrecord x\n\xff\n" + line_for(TEXT, KEY).encode(), lambda: KEY)
    mark = placeholder_for(TEXT, KEY)
    assert known.clean({"a": (TEXT, [f"x {TEXT}"]), TEXT: 1}) == {"a": (mark, [f"x {mark}"]), mark: 1}


def test_a_receipt_says_nothing_that_was_forgotten(holdfast: Holdfast, workspace: Path) -> None:
    """Whatever a hook has to say of its host."""
    holdfast("forget", "--yes", TEXT)
    memory = Memory(str(workspace), read_config(str(workspace)), write=True)
    memory.receipt(event="after-compaction", dropped={"files": [TEXT]}, did=f"heard that {TEXT}")
    memory.close()
    assert holders(workspace) == []


# ---- what is refused, and what is asked --------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["abc", "…… ——", "Current Task", "BIG-MEMORY-SNAPSHOT", "### [SNAPSHOT]", "session", "  \n "])
def test_what_would_take_half_of_memory_with_it_is_refused(holdfast: Holdfast, workspace: Path, text: str) -> None:
    """Too short, or part of what our own files are built of: exit 2, and not a byte is changed."""
    holdfast("checkpoint", "--task", "abc Current Task", "--topic", "lamp")
    before = files(workspace)
    answer = holdfast("forget", "--yes", "--", text)
    assert answer.code == 2
    assert "Nothing was changed" in answer.err
    assert files(workspace) == before


OUR_WORDS = (
    "default", "fault", "state", "note", "checkpoint", "transcript", "agent", "hand", "import", "missed-hook", "turn-end",
    "pre-compaction", "task", "decide", "blocker", "pending", "done", "context", "bind", "unbind", "rename",
)  # fmt: skip


@pytest.mark.parametrize("text", OUR_WORDS)
def test_words_by_which_records_are_told_apart_are_refused(holdfast: Holdfast, workspace: Path, text: str) -> None:
    """Whose a record is, of which kind and what it does: without these words a state is cut off from its session for good."""
    holdfast("task", "the harbour gauge")
    holdfast("topic", "bind", "lamp")
    before = files(workspace)
    assert holdfast("forget", "--yes", "--", text).code == 2
    assert files(workspace) == before
    assert "the harbour gauge" in holdfast("status").out


@pytest.mark.parametrize("text", ["task force", "the default gateway", "agent hand", "family-dinner"])
def test_what_only_begins_with_such_a_word_can_be_forgotten(holdfast: Holdfast, workspace: Path, text: str) -> None:
    """A longer text, and the name that a person gave to a session."""
    holdfast("task", "about the task force, the default gateway and an agent hand", "--session", "family-dinner")
    assert holdfast("forget", "--yes", "--", text).code == 0
    assert not any(text.encode() in data for data in files(workspace).values())


def test_without_somebody_to_ask_nothing_is_done(holdfast: Holdfast, workspace: Path) -> None:
    """Exit 2, the places are shown all the same, and how to say yes; no memory is made by it either."""
    assert holdfast("forget", TEXT).code == 2
    assert list(workspace.iterdir()) == []
    holdfast("note", f"so {TEXT}.")
    before = files(workspace)
    answer = holdfast("forget", TEXT)
    assert (answer.code, files(workspace)) == (2, before)
    assert "--yes" in answer.err
    assert "memory/" in answer.out
    assert TEXT not in answer.out + answer.err


@pytest.mark.parametrize(("said", "code", "left"), [(b"y\n", 0, 0), (b"no\n", 2, 2), (b"\n", 2, 2), (b"\x04", 2, 2)])
def test_at_a_terminal_it_asks(holdfast: Holdfast, workspace: Path, said: bytes, code: int, left: int) -> None:
    """Only a yes is a yes."""
    holdfast("note", TEXT)
    ours, theirs = os.openpty()
    os.write(ours, said)
    argv = [sys.executable, "-m", "holdfast", "--workspace", str(workspace), "forget", TEXT]
    done = subprocess.run(
        argv, stdin=theirs, capture_output=True, check=False, env={**os.environ, "PYTHONPATH": ":".join(sys.path)}
    )
    os.close(ours)
    os.close(theirs)
    assert (done.returncode, len(holders(workspace))) == (code, left), done.stderr
    assert b"Forget it for good? [y/N]" in done.stdout + done.stderr


def test_a_dry_run_names_path_and_line_and_changes_nothing(holdfast: Holdfast, workspace: Path) -> None:
    """For people and for programs; the text is not repeated."""
    holdfast("note", "before")
    holdfast("note", f"so {TEXT}.")
    before = files(workspace)
    day = next(path.relative_to(workspace) for path in (workspace / "memory").glob("2*.md"))
    shown = holdfast("forget", "--dry-run", TEXT)
    assert f"{day}:4\n" in shown.out
    data = json.loads(holdfast("forget", "--dry-run", "--json", TEXT).out)
    assert {"path": str(day), "lines": [4]} in data["places"]
    assert (data["forgotten"], data["left"], len(data["places"])) == (False, [], 2)
    assert files(workspace) == before
    assert TEXT not in shown.out + shown.err + json.dumps(data)


def test_the_text_may_come_from_stdin(holdfast: Holdfast, workspace: Path) -> None:
    """`-` keeps it out of the shell's history; its line end is not part of it."""
    holdfast("note", TEXT)
    assert holdfast("forget", "--yes", "-", stdin=TEXT.encode() + b"\n").code == 0
    assert holders(workspace) == []


def test_allowed_again_it_comes_in_again(holdfast: Holdfast, workspace: Path) -> None:
    """A mistake can be mended for what comes; what was taken out is gone."""
    holdfast("note", TEXT)
    holdfast("forget", "--yes", TEXT)
    assert "allowed again" in holdfast("forget", "--allow", TEXT).out
    assert "not forgotten here" in holdfast("forget", "--allow", TEXT).out
    holdfast("note", f"and {TEXT}")
    assert len(holders(workspace)) == 2


def test_who_says_a_forgotten_text_is_told_so(holdfast: Holdfast) -> None:
    """It is saved with the placeholder, and stderr says that something was taken out."""
    holdfast("forget", "--yes", TEXT)
    answer = holdfast("task", f"watch: {TEXT}")
    assert (answer.code, answer.err) == (0, "redacted: forgotten\n")
    assert "watch: [forgotten:" in holdfast("show", "state").out


# ---- a person's files --------------------------------------------------------------------------------------------------


def test_what_a_person_saves_meanwhile_is_kept_and_the_text_goes_out_of_it(
    holdfast: Holdfast, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Saved between our reading and our replacing, with the text still in it: their lines stay, the text is nowhere."""
    holdfast("note", TEXT)
    day = next((workspace / "memory").glob("2*.md"))
    real = Folder.prepare
    saved = []

    def saving(self: Folder, data: bytes, like: os.stat_result | None = None) -> str:
        if b"[forgotten:" in data and like and not saved and b"# 2" in data[:5]:
            saved.append(day.write_text(f"{day.read_text()}- of a person, and {TEXT}\n"))
        return real(self, data, like)

    monkeypatch.setattr(Folder, "prepare", saving)
    assert holdfast("forget", "--yes", TEXT).code == 0
    assert saved
    assert holders(workspace) == []
    assert "- of a person, and [forgotten:" in day.read_text()


def test_what_was_displaced_when_we_died_is_merged_back_without_the_text(holdfast: Holdfast, workspace: Path) -> None:
    """A person's last save, swapped out by a forget that was killed: the next command brings their lines back alone."""
    from holdfast.util import compute_digest, make_id

    holdfast("note", TEXT)
    holdfast("forget", "--yes", TEXT)
    day = next((workspace / "memory").glob("2*.md"))
    theirs = f"{day.read_text()}- of a person\n".replace("[forgotten:", f"{TEXT} [forgotten:")
    name = f"{make_id(0.0, '')}.{compute_digest(day.read_bytes())[:16]}.{compute_digest(b'what we read')[:16]}.forgotten"
    (workspace / ".holdfast" / "swap" / name).write_text(theirs)
    holdfast("task", "the next command")
    assert "- of a person\n" in day.read_text()
    assert holders(workspace) == []
    assert os.listdir(workspace / ".holdfast" / "swap") == []


def test_what_a_person_wrote_again_goes_into_the_trash_without_it(holdfast: Holdfast, workspace: Path) -> None:
    """Their file is law as long as it is theirs; the copy that we keep of it is ours."""
    holdfast("forget", "--yes", TEXT)
    (workspace / "memory").mkdir()
    (workspace / "memory" / "plan.md").write_text(f"and yet {TEXT}\n")
    holdfast("note", "a command that has nothing to do with it")
    assert holders(workspace) == ["memory/plan.md"]
    holdfast("write", "memory/plan.md", stdin=b"another plan\n")
    assert holders(workspace) == []
    assert any(b"and yet [forgotten:" in data for name, data in files(workspace).items() if "/trash/" in name)


def test_of_two_state_files_the_one_that_spoke_still_speaks(holdfast: Holdfast, workspace: Path) -> None:
    """SESSION-STATE.md, saved by a person and not read yet, is the younger; forgetting in our own file does not change that."""
    holdfast("decide", TEXT)
    holdfast("checkpoint", "--tone", TEXT)
    (workspace / "SESSION-STATE.md").write_text("# Mine\n\n## Current Task\nset by hand\n")
    assert holdfast("forget", "--yes", TEXT).code == 0
    assert "set by hand" in holdfast("show", "state").out


def test_mode_and_links_are_as_they_were(holdfast: Holdfast, workspace: Path, tmp_path: Path) -> None:
    """A file keeps its mode; what a link leads to outside is not touched, and not followed."""
    outside = tmp_path / "outside.md"
    outside.write_text(TEXT)
    holdfast("note", TEXT)
    (workspace / "memory" / "link.md").symlink_to(outside)
    (workspace / "memory" / "mine.md").write_text(TEXT)
    (workspace / "memory" / "mine.md").chmod(0o640)
    answer = holdfast("forget", "--yes", TEXT)
    assert (answer.code, "left: memory/link.md: it is a symbolic link" in answer.err) == (1, True)
    assert (outside.read_text(), (workspace / "memory" / "mine.md").stat().st_mode & 0o777) == (TEXT, 0o640)


@pytest.mark.parametrize("agreed", [True, False])
def test_what_its_owner_has_linked_elsewhere_is_cleaned_once_it_is_agreed_to(
    holdfast: Holdfast, workspace: Path, tmp_path: Path, agreed: bool
) -> None:
    """`memory/`, and `MEMORY.md`, of another name there: through the link after a yes to it; without one both are named."""
    holdfast("note", TEXT)
    place, curated = tmp_path / "elsewhere", tmp_path / "agent.md"
    (workspace / "memory").rename(place)
    (workspace / "memory").symlink_to(place)
    curated.write_text(f"# Mine\n\n- {TEXT}\n")
    (workspace / "MEMORY.md").symlink_to(curated)
    if agreed:
        holdfast("init", "--yes")
    answer = holdfast("forget", "--yes", TEXT)
    shown = [line for line in answer.err.splitlines() if line.startswith("left:")]
    if agreed:
        assert (answer.code, shown, holders(tmp_path)) == (0, [], [])
        assert re.fullmatch(r"# Mine\n\n- \[forgotten:....\]\n", curated.read_text())
        assert "MEMORY.md:3\n" in answer.out
    else:
        assert answer.code == 1
        assert [line.split(": ")[1] for line in shown] == ["MEMORY.md", "memory"]
        assert all("which nobody has agreed to" in line and TEXT not in line for line in shown)
        assert TEXT in curated.read_text()
        assert holders(place)
    assert (workspace / "MEMORY.md").is_symlink()


def test_a_record_is_taken_out_of_a_linked_memory(holdfast: Holdfast, workspace: Path, tmp_path: Path) -> None:
    """By its id; the places are named as they are called in the workspace."""
    place = tmp_path / "elsewhere"
    holdfast("note", "something else")
    (workspace / "memory").rename(place)
    (workspace / "memory").symlink_to(place)
    holdfast("init", "--yes")
    record = holdfast("note", TEXT).out.split()[1]
    answer = holdfast("forget", "--yes", record)
    assert (answer.code, holders(tmp_path)) == (0, [])
    assert re.search(r"^memory/\d{4}-\d\d-\d\d\.md$", answer.out, re.M)


def test_a_name_that_has_it_is_changed_too(holdfast: Holdfast, workspace: Path) -> None:
    """A topic called by it: file, map and records agree on the new name, and what is printed does not say the old one."""
    holdfast("checkpoint", "--topic", "bluebird", "--task", "go on")
    answer = holdfast("forget", "--yes", "bluebird")
    assert answer.code == 0
    assert "bluebird" not in answer.out + answer.err
    assert holders(workspace, "bluebird") == [name for name in files(workspace) if "bluebird" in name] == []
    topic = json.loads((workspace / "memory" / "context-session-map.json").read_text())["default"]
    assert (workspace / "memory" / f"context-{topic}.md").is_file()
    assert holdfast("checkpoint", "--decision", "still bound").code == 0
    assert "still bound" in (workspace / "memory" / f"context-{topic}.md").read_text()


# ---- what is left, and what is not ours --------------------------------------------------------------------------------


def test_what_cannot_be_changed_is_named(holdfast: Holdfast, workspace: Path) -> None:
    """A file that is no text, one that cannot be unpacked, a folder in a place of ours: exit 1, and the rest is done."""
    holdfast("note", TEXT)
    (workspace / "memory" / "picture.png").write_bytes(b"\x89PNG\0" + TEXT.encode())
    (workspace / "memory" / "old.md.gz").write_bytes(b"no gzip at all")
    answer = holdfast("forget", "--yes", TEXT)
    assert answer.code == 1
    assert "left: memory/picture.png: it is not text" in answer.err
    assert "left: memory/old.md.gz: it could not be unpacked" in answer.err
    assert holders(workspace) == ["memory/picture.png"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_what_cannot_be_read_is_named(holdfast: Holdfast, workspace: Path) -> None:
    """Exit 74, and the rest is done."""
    holdfast("note", TEXT)
    (workspace / "memory" / "mine.md").write_text("x")
    (workspace / "memory" / "mine.md").chmod(0)
    answer = holdfast("forget", "--yes", TEXT)
    assert (answer.code, "left: memory/mine.md" in answer.err) == (74, True)


def test_transcripts_and_files_that_are_no_memory_are_named_and_left_alone(holdfast: Holdfast, workspace: Path) -> None:
    """They are the host's and the user's; the output says where they are."""
    transcript = Path(os.environ["HOME"]) / ".claude" / "projects" / "-w" / "s1.jsonl"
    transcript.parent.mkdir(parents=True)
    transcript.write_text(json.dumps({"type": "user", "message": {"role": "user", "content": TEXT}}) + "\n")
    holdfast("note", TEXT)
    holdfast("write", "notes/plan.md", stdin=TEXT.encode())
    before = transcript.read_bytes()
    answer = holdfast("forget", "--yes", TEXT)
    assert answer.code == 0
    assert f"transcript, which we only read, has it still: {transcript}" in answer.err
    assert "not memory, and so yours to change, has it still: notes/plan.md" in answer.err
    assert (holders(workspace), transcript.read_bytes()) == (["notes/plan.md"], before)


def test_a_busy_workspace_is_let_alone(holdfast: Holdfast, workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody else writes: nothing is changed, and the answer says so."""
    holdfast("note", TEXT)
    monkeypatch.setattr("holdfast.forgetting.erasing.PATIENCE", 0.05)
    other = Memory(str(workspace), read_config(str(workspace)), write=True)
    assert other.lock
    assert other.lock.take(1.0)
    before = files(workspace)
    answer = holdfast("forget", "--yes", TEXT)
    other.close()
    after = files(workspace)
    after.pop(".holdfast/key", None)
    assert (answer.code, after) == (2, before)


def test_where_the_key_cannot_be_kept_nothing_is_done(holdfast: Holdfast, workspace: Path) -> None:
    """Without it the text could not be kept out."""
    holdfast("note", TEXT)
    (workspace / ".holdfast" / "key").mkdir()
    answer = holdfast("forget", "--yes", TEXT)
    assert answer.code in (2, 74)
    assert len(holders(workspace)) == 2


# ---- a record by its id ------------------------------------------------------------------------------------------------

DAY = "memory/2*.md"
RECORDS: dict[str, tuple[tuple[str, ...], str, str]] = {
    "a note": (("note", "taken back"), DAY, "- kept\n"),
    "a task": (("task", "taken back"), "memory/session-state.md", "## Current Task\nthe first\n"),
    "a line of the buffer": (("task", "taken back"), "memory/working-buffer.md", "task: the first\n"),
    "a decision": (("decide", "taken back"), "memory/session-state.md", "- the decision\n"),
    "a block in the day": (("checkpoint", "--goal", "taken back"), DAY, "- kept\n"),
    "a decision of a topic": (("checkpoint", "--topic", "lamp", "--decision", "taken back"), "memory/context-lamp.md", "begun\n"),
    "a pending action": (("pending", "taken back"), "memory/session-state.md", "- the decision\n"),
}


@pytest.mark.parametrize("case", RECORDS)
def test_a_record_goes_with_what_it_put_into_documents(holdfast: Holdfast, workspace: Path, case: str) -> None:
    """And nothing else does; forgotten twice it is an error that says so."""
    words, pattern, stays = RECORDS[case]
    for line in (
        ("note", "kept"),
        ("task", "the first"),
        ("decide", "the decision"),
        ("checkpoint", "--topic", "lamp", "--history", "begun"),
    ):
        assert holdfast(*line).code == 0
    record = holdfast(*words).id
    assert any(b"taken back" in path.read_bytes() for path in workspace.glob(pattern))
    answer = holdfast("forget", "--yes", record)
    assert answer.code == 0, answer.err
    assert holders(workspace, "taken back") == []
    assert any(stays in path.read_text() for path in workspace.glob(pattern))
    assert holdfast("forget", "--yes", "20260101-000000-000000-00000000").code == 2
    assert holdfast("note", "the next one").code == 0


def test_a_twin_of_what_a_record_put_there_stays(holdfast: Holdfast, workspace: Path) -> None:
    """Two notes with the same words: one record, one line."""
    holdfast("note", "the same")
    record = holdfast("note", "the same").id
    holdfast("forget", "--yes", record)
    assert [path.read_text().count("- the same\n") for path in workspace.glob(DAY)] == [1]


def test_a_block_goes_by_its_snapshot_id_too(holdfast: Holdfast, workspace: Path) -> None:
    """As the day shows it."""
    holdfast("checkpoint", "--goal", "kept")
    holdfast("checkpoint", "--goal", "taken back")
    (day,) = workspace.glob(DAY)
    assert holdfast("forget", "--yes", f"{day.stem}-02").code == 0
    assert holders(workspace, "taken back") == []
    assert day.read_text().count("kept") == 1


def test_a_snapshot_goes_by_its_name_too(holdfast: Holdfast, workspace: Path) -> None:
    """Its record, and its file."""
    holdfast("task", "kept")
    holdfast("snapshot")
    (name,) = os.listdir(workspace / "memory" / "session-snapshots")
    assert holdfast("forget", "--yes", name.removesuffix(".md")).code == 0
    assert os.listdir(workspace / "memory" / "session-snapshots") == []
    assert "kept" in holdfast("show", "state").out


def test_what_a_person_has_changed_since_is_not_taken_with_a_record(holdfast: Holdfast, workspace: Path) -> None:
    """A task that was set later stays; so does a line that a person wrote."""
    record = holdfast("task", "the old one").id
    holdfast("task", "the new one")
    state = workspace / "memory" / "session-state.md"
    state.write_text(state.read_text() + "\n## My own\n- mine\n")
    holdfast("forget", "--yes", record)
    assert "## Current Task\nthe new one\n" in state.read_text()
    assert "- mine" in state.read_text()


def test_what_was_imported_and_forgotten_by_its_id_stays_out(holdfast: Holdfast, workspace: Path, tmp_path: Path) -> None:
    """Its id is made of when and what it was, and is remembered."""
    from sessions import STORY, claude_code

    path = tmp_path / "s1.jsonl"
    entries = claude_code("s1", str(workspace), STORY, "2026-11-15T09:00:00")
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    assert holdfast("import", str(path)).code == 0
    records = [file.stem for file in (workspace / ".holdfast" / "journal").rglob("*.md")]
    for record in records:
        assert holdfast("forget", "--yes", record).code == 0
    for file in (workspace / ".holdfast" / "cursors").iterdir():
        file.unlink()
    assert holdfast("import", str(path)).code == 0
    assert list((workspace / ".holdfast" / "journal").rglob("*.md")) == []


def test_receipts_that_the_workspace_did_not_take_lose_it_too(workspace: Path, holdfast: Holdfast, tmp_path: Path) -> None:
    """They stand in the user's state folder; every other byte of them stays, also what is torn."""
    holdfast("note", f"{TEXT}, they say")
    elsewhere = tmp_path / "home" / ".local" / "state" / "holdfast" / "receipts.jsonl"
    elsewhere.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps({"did": f"not saved: {TEXT}", "workspace": "/w"}), '{"did": "well"}', '{"torn']
    elsewhere.write_bytes("\n".join(lines).encode() + b" \xff")
    shown = holdfast("forget", "--dry-run", TEXT)
    assert f"{elsewhere}:1" in shown.out
    assert TEXT in elsewhere.read_text(errors="replace")
    assert holdfast("forget", "--yes", TEXT).code == 0
    found = re.sub(rb"\[forgotten:[0-9a-f]{4}\]", TEXT.encode(), elsewhere.read_bytes())
    assert TEXT.encode() not in elsewhere.read_bytes()
    assert found == "\n".join(lines).encode() + b" \xff"
