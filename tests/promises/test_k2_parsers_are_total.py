"""K2: every text can be read, and what we write reads back as what it was.

Totality: any text at all (and any JSON, for checkpoints) goes into every reading function; the only exceptions allowed out
are our own. Cutting a text into sections and joining them gives back the text.
Round trips: working states full of texts that look like our own structure (headings, markers, placeholders, list marks, code
spans, colons, control and bidirectional characters, bytes that are no UTF-8) are written and read again in every form in
which we keep them, and come back equal; writing the same state twice changes no byte.
Long lines: lines that an expression could go back and forth over are read as well. Nothing is measured there: a reader that
needs the square of the length does not come back in any time that a test run has.

The control reads and writes with the escapes taken out. `tests/fuzz.py` goes on where this file stops.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fuzz import TARGETS
from holdfast.cli import taken_apart
from holdfast.commands.other import understood
from holdfast.documents import codecs, markdown, sections, topic_pages
from holdfast.errors import HoldfastError
from holdfast.model import EMPTY, KINDS, Checkpoint, Note, Record
from holdfast.storage import journal
from nasty import CHARACTERS, CHECKPOINTS, STRUCTURE, TEXTS, changes, documents, texts, tries

ID = "20261115-100000-000000-aaaaaaaa"
STAMP = {"written at": "2026-11-15T10:00:00", "trigger": "agent", "session": "[main] x", "record": ID}

# ---- any text ----------------------------------------------------------------------------------------------------------

ANY_BYTES = st.binary().map(lambda data: data.decode("utf-8", "surrogateescape"))
ANY_TEXT = st.one_of(documents(), TEXTS, st.text(CHARACTERS), ANY_BYTES)


@pytest.mark.parametrize("target", TARGETS)
@tries(60)
@given(ANY_TEXT)
@example("")
@example("\n".join(STRUCTURE))
def test_any_text_can_be_read(target: str, text: str) -> None:
    """No reading function raises anything but our own errors, and each keeps its invariant."""
    TARGETS[target](text)


@tries(300)
@given(st.one_of(ANY_TEXT, st.builds(lambda a, b: a + journal.render(record(b)), TEXTS, TEXTS)))
@example("<!-- holdfast-record: ² -->\n\n")
@example(f"<!-- holdfast-record: {'9' * 5000} -->\n<!-- id: {ID} -->\n\n")
def test_any_text_can_be_tried_as_a_record(text: str) -> None:
    """A torn, altered or foreign file is no record, and no accident."""
    found = journal.parse(text)
    assert found is None or journal.parse(journal.render(found)) == found


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(st.characters(), max_size=4), inner, max_size=3),
    max_leaves=8,
)
_NAMES = st.one_of(
    st.sampled_from(["topic", "history", "historyLine", "session", "sessionId", "trigger", "goal", "task", "code", "phase"]),
    st.sampled_from(["file", "files", "name", "names", "pending", "context", "next", "next_steps", "decisions", "exchange"]),
    st.sampled_from(["unanswered", "done", "in_flight", "blocked"]),
    st.text(st.characters(), max_size=6),
)


@tries(300)
@given(st.dictionaries(_NAMES, _JSON, max_size=5))
@example({"files": [{"path": None}], "names": [{"kind": [[]]}], "topic": [], "trigger": None, "session": [[]]})
def test_any_json_makes_a_checkpoint_or_an_error_that_says_why(told: dict[str, Any]) -> None:
    """Whatever an agent sends as JSON, there is a valid working state afterwards, or a sentence."""
    try:
        given_fields, topic, history, about = understood(told)
    except HoldfastError:
        return
    state = EMPTY.after(given_fields)
    assert isinstance(topic, str)
    assert all(isinstance(line, str) for line in (*history, *about.values()))
    assert Checkpoint(**state.__dict__) == state


def test_json_that_is_nested_without_end_is_refused_in_words() -> None:
    """A thousand brackets are an error of the sender, not a traceback of ours."""
    deep: Any = "x"
    for _ in range(900):
        deep = [deep]
    with pytest.raises(HoldfastError, match="nested"):
        understood({"task": deep})


_WORDS = st.one_of(st.sampled_from(["--", "-", "--back", "--json", "--session", "-h", "--=", "show", "checkpoint"]), texts(1))


@tries(300)
@given(st.lists(_WORDS))
def test_any_command_line_can_be_taken_apart(argv: list[str]) -> None:
    """Words, or one of our errors."""
    try:
        words = taken_apart(argv)
        words.number("back", 0)
    except HoldfastError:
        return
    assert all(isinstance(text, str) for text in words.texts)


@pytest.mark.parametrize("number", ["²", "٣", "-1", "1e3", "9" * 5000, "", " 1", "１"])
def test_a_number_is_written_in_plain_digits(number: str) -> None:
    """What Python calls a digit but cannot count with is refused in words."""
    with pytest.raises(HoldfastError):
        taken_apart(["recover", f"--back={number}"]).number("back", 0)


# ---- round trips -------------------------------------------------------------------------------------------------------


def record(body: str) -> Record:
    return Record(ID, "note", "main", "2026-11-15T10:00:00+00:00", body)


def check_state(state: Checkpoint) -> None:
    text = markdown.write_state("", state, STAMP)
    assert markdown.read_state(text) == state
    assert markdown.stamps(text) == STAMP
    assert not markdown.is_torn(text)
    assert markdown.write_state(text, state, STAMP) == text, "the same state written twice changes the file"


def check_block(state: Checkpoint) -> None:
    block = markdown.Block(state, "2026-11-15T10:00:00", "2026-11-15-01", ID, "a, topic b, trigger c", "my-topic", "reset")
    text = markdown.show_block(block)
    assert markdown.read_block(text) == block
    day = markdown.day_with("# 2026-11-15\n\n- a note\n", "2026-11-15", markdown.snapshot_lines(text, "10:00"))
    day = markdown.day_with(day, "2026-11-15", markdown.snapshot_lines(text, "10:01"))
    assert [found for _, found in markdown.blocks(day)] == [text, text], "a block is cut by its own text"


@tries(250)
@given(CHECKPOINTS)
def test_a_working_state_comes_back_from_its_document(state: Checkpoint) -> None:
    """session-state.md gives back every field, and is stable."""
    check_state(state)


@tries(250)
@given(CHECKPOINTS)
def test_a_working_state_comes_back_from_its_snapshot_block(state: Checkpoint) -> None:
    """The block gives back every field, wherever it stands in a day."""
    check_block(state)


@tries(150)
@given(CHECKPOINTS, documents())
def test_a_document_is_stable_once_it_is_up_to_date(state: Checkpoint, text: str) -> None:
    """On anybody's document, writing the same state a second time changes no byte."""
    once = markdown.write_state(text, state, STAMP)
    assert markdown.write_state(once, state, STAMP) == once
    classic = markdown.write_classic(text, state)
    assert markdown.write_classic(classic, state) == classic


@tries(150)
@given(CHECKPOINTS)
def test_a_state_comes_back_from_what_is_shown(state: Checkpoint) -> None:
    """What `show state` prints, and a restore keeps, is the whole state."""
    assert markdown.read_state(markdown.show_classic(state)) == state


@tries(250)
@given(changes())
def test_a_change_comes_back_from_its_record(change: dict[str, Any]) -> None:
    """A change tells the fields that it names, cleared ones included, and no others."""
    found = markdown.read_change(markdown.show_change(change))
    assert EMPTY.replaced(**found) == EMPTY.replaced(**change)
    named = {field for codec in markdown.STATE.values() if set(codec.fields) & set(change) for field in codec.fields}
    assert set(found) <= named
    assert set(change) - {"phase", "branch", "progress", "blocked"} <= set(found)


_HEADER = st.text(CHARACTERS, min_size=1, max_size=20)
_FILE = _HEADER.map(lambda text: text.replace("/", "|"))


@tries(250)
@given(TEXTS, st.sampled_from(KINDS), _HEADER, _FILE, _HEADER)
def test_a_record_comes_back_from_the_journal(body: str, kind: str, session: str, topic: str, trigger: str) -> None:
    """Header and body are read as they were written, whatever is in them."""
    one = Record(ID, kind, session, "2026-11-15T10:00:00+00:00", body, topic, trigger=trigger, after=ID)
    data = journal.render(one).encode("utf-8", "surrogateescape")
    assert journal.parse(data.decode("utf-8", "surrogateescape")) == one


@tries(200)
@given(TEXTS, st.lists(texts(1), max_size=3), st.lists(texts(1), max_size=3))
def test_a_topic_comes_back_from_its_file(status: str, decisions: list[str], history: list[str]) -> None:
    """Status, decisions and history of a topic are read as they were given, with the date that each entry has."""
    status = Checkpoint(status=status).status
    lines, told = (Checkpoint(decisions=tuple(f"2026-11-15: {text}" for text in some)).decisions for some in (decisions, history))
    change = topic_pages.TopicChange("My topic", "2026-11-15", "main", status, lines, told)
    topic = topic_pages.read_topic(topic_pages.write_topic("", change)[0])
    assert topic == topic_pages.Topic(
        "My topic", "2026-11-15", "2026-11-15", "main", status, lines, ("2026-11-15: Context created", *told)
    )


@tries(200)
@given(TEXTS, st.sampled_from(["", "PREF", "LESSON"]))
def test_a_note_comes_back_from_its_record(text: str, kind: str) -> None:
    """A note's type and text are read as they were given."""
    note = Note(text, kind)
    if note.text and not note.text.startswith("["):  # a text that begins with a tag has the type that it says
        assert markdown.read_note(markdown.note_lines(note.text, kind)) == (kind, note.text)


# ---- long lines --------------------------------------------------------------------------------------------------------

LINES = {
    "a heading of hash signs": "## x{}y".format("#" * 20_000),
    "a heading of blanks": "## x{}y".format(" " * 20_000),
    "a block heading of blanks": "### [SNAPSHOT] x{}y".format(" " * 20_000),
    "a stamp of blanks": "**Session:** x{}y".format(" " * 20_000),
    "a comment of blanks": "<!-- timestamp: x{}y".format(" " * 20_000),
    "a code span of backticks": "- a: `" + "` ``" * 5_000,
    "a list item of colons": "- " + ":: " * 7_000,
}


@pytest.mark.parametrize("name", LINES)
def test_a_long_line_takes_no_longer_than_its_length(name: str) -> None:
    """No expression goes back and forth over a line: 20,000 characters a line would be 200 million steps, and a hang."""
    for heading in ("", "## Names & Values\n", "## Key Context\n", "## Files In Play\n", "### [SNAPSHOT] Key Names & Values\n"):
        for target in TARGETS.values():
            target(heading + (LINES[name] + "\n") * 3)


# ---- the control -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["_escaped", "span", "item_lines"])
def test_control_writing_without_escapes_is_found_out(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """The same round trips fail as soon as one of the three escapes is missing."""
    broken: dict[str, Callable[..., Any]] = {
        "_escaped": lambda line, *, alone: line,
        "span": lambda text: f"`{text}`",
        "item_lines": lambda text, mark="-": [f"{mark} {line}" if n == 0 else line for n, line in enumerate(text.split("\n"))],
    }
    monkeypatch.setattr(codecs, name, broken[name])
    failed = 0
    for text in STRUCTURE:
        state = Checkpoint(task=text, names=((text, text),), decisions=(f"first\n{text}",))
        for check in (check_state, check_block):
            try:
                check(state)
            except AssertionError:
                failed += 1
    assert failed > 5, "the check cannot tell a broken writer from a right one"


def test_control_a_reader_that_raises_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The targets let no exception pass in silence."""
    monkeypatch.setattr(sections, "heading", lambda line: line.index("#") and None)
    monkeypatch.setattr(sections.parse, "__defaults__", (sections.heading,))
    with pytest.raises(ValueError, match="substring"):
        TARGETS["state"]("no heading here")
    assert sys.exc_info() == (None, None, None)
