"""The documents, exactly: each format to the letter, and each place where text was once taken for structure.

That every text comes back, and that nobody's lines are lost, is proved in tests/promises (K2 and K3); here are the cases by
name, so that whoever breaks one sees which.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.documents import codecs, markdown, sections, topic_pages
from holdfast.model import Checkpoint, Record, tidy
from holdfast.storage import journal

ID = "20261115-140509-317042-k3f9q2ab"
STAMP = {"written at": "2026-11-15T14:05:09", "trigger": "agent", "session": "main", "record": ID}
STATE = Checkpoint(
    goal="Ship the gauge, because the harbour waits.", status="Parser done.", phase="testing", branch="fix/gauge",
    blocked="no access", progress="half", task="Negative levels", exchanges=("user: why?", "I: because"),
    unanswered=("Shall I merge?",), decisions=("metres -- asked for",), in_flight=("which datum",), corrections=("not feet",),
    files=(("/srv/read.py", "parser"), ("/srv/a`b", "")), done=("tests pass",), code="x = 1\n\n## no heading",
    names=(("Env var", "GAUGE_URL"),), blockers=("buoy",), questions=("when?",), next_steps=("test", "merge"),
    pending=(("order", False), ("ask", True)), timeline=("14:00 began",), tone="calm", context=(("due: on", "Friday"),),
)  # fmt: skip

# ---- the formats, to the letter ----------------------------------------------------------------------------------------

BLOCK = f"""<!-- BIG-MEMORY-SNAPSHOT v1 -->
<!-- timestamp: 2026-11-15T14:05:09 -->
<!-- snapshot-id: 2026-11-15-01 -->
<!-- holdfast: {ID} -->

### [SNAPSHOT] Active Goal
Ship the gauge, because the harbour waits.

### [SNAPSHOT] Current State
- Phase: testing
- Branch: fix/gauge
- Blocked: yes -- no access
- Progress: half

### [SNAPSHOT] Files In Play
- `/srv/read.py` -- parser
- ``/srv/a`b``

### [SNAPSHOT] Decisions Made
1. metres -- asked for

### [SNAPSHOT] Code Context
x = 1

\\## no heading

### [SNAPSHOT] Key Names & Values
- Env var: `GAUGE_URL`

### [SNAPSHOT] Blockers & Open Questions
- Blocker: buoy
- Question: when?

### [SNAPSHOT] Next Steps
1. test
2. merge

### [SNAPSHOT] Session
- main, topic gauge, trigger agent

### [SNAPSHOT] Task
Negative levels

### [SNAPSHOT] Last Exchanges
- user: why?
- I: because

### [SNAPSHOT] Unanswered
- Shall I merge?

### [SNAPSHOT] Decisions in Flight
- which datum

### [SNAPSHOT] Corrections
- not feet

### [SNAPSHOT] Done
- tests pass

### [SNAPSHOT] Pending Actions
- [ ] order
- [x] ask

### [SNAPSHOT] Timeline
- 14:00 began

### [SNAPSHOT] Tone
calm

### [SNAPSHOT] Status
Parser done.

### [SNAPSHOT] Context
- due:: on: Friday

<!-- /BIG-MEMORY-SNAPSHOT -->
"""


def test_a_snapshot_block_is_what_the_seed_has_and_ours_below() -> None:
    """The eight sections in the seed's order and words, then our own, between its markers."""
    block = markdown.Block(STATE, "2026-11-15T14:05:09", "2026-11-15-01", ID, "main", "gauge", "agent")
    assert markdown.show_block(block) == BLOCK
    assert markdown.read_block(BLOCK) == block


def test_an_empty_block_omits_no_field() -> None:
    """All eight sections are there, and the five mandatory ones of ours; `none` where nothing is known."""
    text = markdown.show_block(markdown.Block(Checkpoint()))
    names = [line.split("] ")[1] for line in text.split("\n") if line.startswith("### [SNAPSHOT] ")]
    assert names[:8] == [name for name, _ in markdown.EIGHT]
    assert names[8:] == ["Session", "Task", "Last Exchanges", "Unanswered", "Decisions in Flight", "Tone"]
    assert text.count("\nnone\n") == 12


def test_a_new_session_state_has_the_sections_of_the_seed_in_its_order() -> None:
    """Title, what it is, three stamps, then every section, `none` where it is empty, the recovery path last."""
    text = markdown.write_state("", Checkpoint(), STAMP)
    assert text.startswith("# Session State\n\nThis file is a pre-compaction snapshot -- ")
    assert "just before compaction fires, at the end of a turn, and whenever something of it is set.\n" in text
    head = f"**Written at:** 2026-11-15T14:05:09\n**Trigger:** agent\n**Session:** main\n<!-- holdfast: {ID} -->\n"
    assert head in text
    names = [section.name for section in sections.parse(text)[1:]]
    assert names == ["How to use this file", *(name for name, _ in markdown.TEMPLATE), "Recovery Path"]
    assert text.count("\nnone\n") == len(markdown.TEMPLATE)


def test_further_sections_stand_before_the_recovery_path() -> None:
    """What the seed has no section for is there where it is filled, and the path stays last."""
    names = [section.name for section in sections.parse(markdown.write_state("", STATE, STAMP))[1:]]
    assert names[8:] == [*(name for name, _ in markdown.FURTHER), "Recovery Path"]


def test_a_new_topic_is_what_the_seed_writes() -> None:
    """Title, meta, status, decisions and history, each entry with its date; one that has a date keeps it."""
    change = topic_pages.TopicChange("gauge", "2026-11-15", "main", "Half.", ("2026-11-01: metres", "datum"), ("began",))
    assert topic_pages.write_topic("", change)[0] == (
        "# gauge\n\n## Meta\n- **created**: 2026-11-15\n- **updated**: 2026-11-15\n- **session**: main\n\n"
        "## Current Status\nHalf.\n\n## Key Decisions\n- 2026-11-01: metres\n- 2026-11-15: datum\n\n"
        "## History\n- 2026-11-15: Context created\n- 2026-11-15: began\n"
    )


def test_what_a_topic_must_give_up_is_handed_over_oldest_first() -> None:
    """Beyond the limits the oldest entries go, whole, with the lines that belong to them."""
    text = ""
    pruned = ""
    for number in range(5):
        change = topic_pages.TopicChange("t", "2026-11-15", decisions=(f"d{number}\nand why",), max_decisions=2)
        text, gone = topic_pages.write_topic(text, change)
        pruned += gone
    assert topic_pages.read_topic(text).decisions == ("2026-11-15: d3\nand why", "2026-11-15: d4\nand why")
    assert pruned == "".join(f"- 2026-11-15: d{n}\n  and why\n" for n in range(3))


def test_a_day_begins_with_its_date_and_has_notes_and_blocks_one_below_the_other() -> None:
    """Notes stand tight in a list; a snapshot stands below a rule and its heading."""
    day = markdown.day_with("", "2026-11-15", markdown.note_lines("tea", "PREF"), tight=True)
    day = markdown.day_with(day, "2026-11-15", markdown.note_lines("rope", ""), tight=True)
    day = markdown.day_with(day, "2026-11-15", markdown.snapshot_lines(BLOCK, "14:05"))
    day = markdown.day_with(day, "2026-11-15", markdown.note_lines("later", ""), tight=True)
    assert day == f"# 2026-11-15\n\n- [PREF] tea\n- rope\n\n---\n\n## Task Snapshot -- 14:05\n\n{BLOCK}\n- later\n"
    assert markdown.blocks(day) == [(10, BLOCK)]
    assert markdown.next_snapshot_id(day, "2026-11-15") == "2026-11-15-02"


@pytest.mark.parametrize("end", ["\n---\n\n## Task Snapshot -- 15:00\n", "\n" + markdown.OPENING + "\n", ""])
def test_a_block_that_is_never_closed_ends_before_the_next(end: str) -> None:
    """A crash or a hand that forgot the closing marker costs no other block."""
    torn = BLOCK.removesuffix(markdown.CLOSING + "\n")
    day = f"# d\n\n{torn}{end}"
    assert markdown.read_block(markdown.blocks(day)[0][1]).state == STATE


# ---- text that was once taken for structure ----------------------------------------------------------------------------

LOOKALIKES = {
    "a heading with a tab": "##\tGoal",
    "a heading behind a byte-order mark": "\ufeff## Goal",
    "a byte-order mark": "\ufefftext",
    "a block heading with two blanks": "###  [SNAPSHOT] Task",
    "an indented closing marker": "first\n  " + markdown.CLOSING + "\nlast",
    "an indented opening marker": "first\n  " + markdown.OPENING + "\nlast",
    "a placeholder behind a backslash": "first\n\\none",
    "a placeholder alone": "(none yet)",
    "a backslash before a heading": "\\## x",
    "a stamp": "**Session:** somebody else",
    "a comment": f"<!-- holdfast: {ID} -->",
    "lines that are none": "a\x0cb\u2028c\x85d",
    "bytes that are no UTF-8": "\udcff\udc80",
}


@pytest.mark.parametrize("name", LOOKALIKES)
def test_what_looks_like_structure_is_only_text(name: str) -> None:
    """As prose, as an item, as a name, as a value: it comes back, and cuts nothing."""
    text = LOOKALIKES[name]
    state = Checkpoint(goal=text, task=text, decisions=(f"x {text}", text), context=(("k", text),), pending=((text, True),))
    assert state.goal == text
    assert markdown.read_state(markdown.write_state("", state, STAMP)) == state
    block = markdown.show_block(markdown.Block(state))
    assert markdown.read_block(block).state == state
    day = markdown.day_with("", "2026-11-15", markdown.snapshot_lines(block, "10:00"))
    assert [found for _, found in markdown.blocks(day)] == [block]


NAMES = [
    ("Env", "HOME"), ("a: `b", "c"), ("a: `b`", "c"), ("a:", "`"), ("x: ``", "b``"), ("Error", "a\nb"), (": `", "` `"),
    ("a: b", "c: d"),
]  # fmt: skip


@pytest.mark.parametrize("pair", NAMES)
def test_a_name_and_its_value_are_told_apart(pair: tuple[str, str]) -> None:
    """Colons and backticks may stand in both."""
    assert codecs.name_pair(codecs.name_text(pair)) == pair


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("API: POST /x", ("API", "POST /x")),
        ("API: `POST /x` (main)", ("API", "`POST /x` (main)")),
        ("`alone`", ("Name", "alone")),
        ("alone", ("Name", "alone")),
    ],
)
def test_names_written_by_others_are_understood(text: str, pair: tuple[str, str]) -> None:
    """With or without backticks, with or without a kind."""
    assert codecs.name_pair(text) == pair


COLLECTED = tuple(("Name", f"lamp_{number}") for number in range(40))


def test_names_that_come_by_the_dozen_stand_side_by_side() -> None:
    """A person reads past them in a few lines; a command, and what somebody named, has a line of its own."""
    first = (("Command", "make"), ("Command", "make test"), ("File", "a.py"), ("File", "b.py"))
    state = Checkpoint(names=(*first, *COLLECTED, ("Env", "A"), ("Env", "B"), ("Printed by make", "oil"), ("Name", "wick")))
    lines = codecs.Names("names").show(state)
    assert lines[:3] == ["- Command: `make`", "- Command: `make test`", "- File: `a.py`, `b.py`"]
    assert lines[-4:] == ["- Env: `A`", "- Env: `B`", "- Printed by make: `oil`", "- Name: `wick`"]
    assert [line.startswith("- Name: `lamp_") and len(line) <= 240 for line in lines[3:-4]] == [True] * 2
    assert codecs.Names("names").read(lines)["names"] == state.names


@pytest.mark.parametrize(
    ("body", "names", "lines"),
    [
        (["- Name: `a`, `b`, `c`"], "a c", ["- Name: `a`, `c`"]),  # one has gone
        (["- Name: `a`\r\n", "- Name: `b`\r\n"], "a b d", ["- Name: `a`, `b`, `d`"]),  # as it was written before
        (["- Name: `a`, `b`", "mine", "- Name: `c`"], "a b c d", ["- Name: `a`, `b`", "mine", "- Name: `c`, `d`"]),
        (["- Name: a", "- Name: `b`"], "a b c", ["- Name: a", "- Name: `b`, `c`"]),  # in somebody's own way
        (["- Name: `b`, `a`"], "a b", ["- Name: `a`, `b`"]),
    ],
)
def test_names_side_by_side_are_changed_one_by_one(body: list[str], names: str, lines: list[str]) -> None:
    """What has gone is gone, what is new stands beside the others, and somebody's own lines stay as they are."""
    state = Checkpoint(names=tuple(("Name", name) for name in names.split()))
    assert [sections.unended(line) for line in codecs.Names("names").revise(body, state)] == lines


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("Name: `a`, `b`", [("Name", "a"), ("Name", "b")]),
        ("Printed by go test ./...: `a`, `b`", [("Printed by go test ./...", "a"), ("Printed by go test ./...", "b")]),
        ("Env: `A`, `B`", [("Env", "`A`, `B`")]),  # somebody's own: as it was always read
        ("Name: `a`, b", [("Name", "`a`, b")]),
        ("Name: `a`, ``b``", [("Name", "`a`, ``b``")]),
        ("Name: `a`", [("Name", "a")]),
    ],
)
def test_names_side_by_side_are_told_apart(text: str, pairs: list[tuple[str, str]]) -> None:
    """Only of the kinds that we write so, and only where each stands in backticks."""
    assert codecs.name_pairs(text) == pairs


def test_the_block_of_a_checkpoint_is_found_though_its_topic_speaks_of_the_marker() -> None:
    """The topic's part stands above the block, and a decision may well be about the marker."""
    mark = markdown.OPENING
    head = f"# t\n\n## Current Status\n\\{mark}\n\n## Key Decisions\n- keep {mark}\n  {mark}\n\n"
    assert markdown.block_in(head + BLOCK) == BLOCK
    assert markdown.block_in(BLOCK) == BLOCK
    assert markdown.block_in(head) == ""


def test_a_cleared_list_does_not_make_items_of_the_lines_around_it() -> None:
    """“See the board.” stands in the section and is no blocker, before and after the last blocker is gone."""
    text = "## Blockers\nSee the board.\n- old\n"
    cleared = markdown.write_classic(text, Checkpoint())
    assert "See the board.\n- none\n" in cleared
    assert markdown.read_state(cleared).blockers == ()
    again = markdown.write_classic(cleared, Checkpoint(blockers=("new",)))
    assert "See the board.\n- new\n" in again
    assert "- none" not in again


def test_code_that_is_cut_to_nothing_is_nothing() -> None:
    """Fifty lines are kept; where only `none` is left of them, that is the empty text, as everywhere."""
    assert Checkpoint(code="none" + "\n" * 60 + "x").code == ""
    assert tidy(Checkpoint(code="a\n" * 60).code) == "\n".join(["a"] * 50)


# ---- torn session states -----------------------------------------------------------------------------------------------


def test_a_torn_session_state_is_completed_from_what_is_known_otherwise() -> None:
    """Cut anywhere, the sections that are whole are believed, and the rest comes from the journal."""
    text = markdown.write_state("", STATE, STAMP)
    for at in range(len(text) + 1):
        cut = text[:at]
        found = markdown.read_torn(cut, STATE) if markdown.is_torn(cut) else markdown.read_state(cut)
        assert found == STATE, cut[-40:]
    assert not markdown.is_torn(text)


def test_an_edit_in_a_file_that_has_lost_its_end_is_believed() -> None:
    """Somebody took the recovery path out and changed the last section: it says something else than what is known."""
    text = markdown.write_state("", STATE, STAMP)
    text = text[: text.index("## Recovery Path")].replace("x = 1", "y = 2").replace("Negative levels", "Positive levels")
    found = markdown.read_torn(text, STATE)
    assert (found.task, found.code) == ("Positive levels", STATE.code.replace("x = 1", "y = 2"))
    assert markdown.write_state(text, found, STAMP).rstrip().endswith("4. Carry on from here.")


def test_somebody_elses_file_is_not_torn() -> None:
    """A file that we have not written has no end of ours to lose."""
    assert not markdown.is_torn("# S\n\n## Current Task\nx\n")
    assert markdown.is_torn("# S\n\nnothing that we know\n")
    assert markdown.is_torn("")


# ---- the journal -------------------------------------------------------------------------------------------------------

SOUND = journal.render(Record(ID, "note", "main", "2026-11-15T14:05:09+00:00", "- a note\n", "gauge"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("holdfast-record: 1", "holdfast-record: ²"),
        ("holdfast-record: 1", "holdfast-record: " + "9" * 5000),
        ("kind: note", "kind: nose"),
        ("kind: note", "kind: "),
        ("time: 2026-11-15T", "time: 2026/11-15T"),
        ("topic: gauge", "topic: ../gauge"),
        (ID, ID.replace("k3f9q2ab", "K3F9Q2AB")),
        (ID, ID.replace("20261115", "２０２６1115")),
        ("- a note", "- a nose"),
        ("<!-- session", "<!- session"),
    ],
)
def test_a_record_that_was_altered_is_none(old: str, new: str) -> None:
    """What could be applied wrongly, or lead to another file, is not believed."""
    assert journal.parse(SOUND)
    assert journal.parse(SOUND.replace(old, new)) is None


SPANS = [
    ("`a` -- b", ("a", " -- b")),
    ("`a``b` c", ("a``b", " c")),
    ("``a`b`` c", ("a`b", " c")),
    ("`` `x` ``", ("`x`", "")),
    ("`a", ("", "`a")),
    ("``", ("", "``")),
    ("a `b`", ("", "a `b`")),
]


@pytest.mark.parametrize(("text", "found"), SPANS)
def test_a_code_span_ends_where_as_many_backticks_stand_as_began_it(text: str, found: tuple[str, str]) -> None:
    """One on either side, as nearly all have, or several around what has some itself."""
    assert codecs.read_span(text) == found


STAMPED = [
    ("**Session:** [the session's key]\n**Trigger:** [why]\n", {}),  # the hints of a template that nobody has filled in
    ("**Session:** main\n**Trigger:** [why]\n", {"session": "main"}),
    (
        "**Session:** [main]\n<!-- holdfast: 20261115-100000-000000-abcdefgh -->\n",  # a session may be called so
        {"session": "[main]", "record": "20261115-100000-000000-abcdefgh"},
    ),
]


@pytest.mark.parametrize(("head", "said"), STAMPED)
def test_what_stands_in_brackets_is_a_hint_until_we_have_written_the_file(head: str, said: dict[str, str]) -> None:
    """Else a template would be somebody's state, or the state of a session nobody's."""
    assert markdown.stamps(f"# Session State\n\n{head}\n## Current Task\nmend the lamp\n") == said


NOTHING = ["none", "None.", "无", "無", "没有", "沒有", "暂无", "なし", "없음", "нет", "немає", "keine", "aucun", "ninguno",
           "nessuno", "nenhum", "geen", "brak", "yok", "لا يوجد", "कोई नहीं", "không có", "tidak ada"]  # fmt: skip


@pytest.mark.parametrize("word", NOTHING)
def test_none_in_any_language_is_none(word: str) -> None:
    """As prose, as an item, as an action: in a block that somebody wrote, and from a tool."""
    state = Checkpoint(goal=word, decisions=(word,), blockers=(word,), pending=((word, False),), next_steps=(word, "go on"))
    assert state == Checkpoint(next_steps=("go on",))
    block = f"{markdown.OPENING}\n### [SNAPSHOT] Active Goal\n{word}\n### [SNAPSHOT] Decisions Made\n1. {word}\n"
    block += f"### [SNAPSHOT] Blockers & Open Questions\n{word}\n### [SNAPSHOT] Next Steps\n（{word}）\n{markdown.CLOSING}\n"
    assert markdown.read_block(block).state.empty


BLOCKED = [
    ("no", ""), ("no -- ", ""), ("no --", ""), ("no — none", ""), ("No - nothing", ""), ("no, for now", ""), ("否", ""),
    ("无", ""), ("没有", ""), ("not blocked", ""), ("n/a", ""), ("nein", ""), ("нет", ""),
    ("yes", "yes"), ("yes -- ", "yes"), ("yes — the buoy is out", "the buoy is out"), ("yes: the buoy is out", "the buoy is out"),
    ("是——等待审批", "等待审批"), ("the CI -- it is red", "the CI -- it is red"),
    ("waiting 10–20 minutes", "waiting 10–20 minutes"), ("note of the bank is missing", "note of the bank is missing"),
]  # fmt: skip


@pytest.mark.parametrize(("said", "by"), BLOCKED)
def test_blocked_is_read_as_it_is_meant(said: str, by: str) -> None:
    """However the verdict and the reason are put together."""
    assert Checkpoint(blocked=said).blocked == by
    text = f"{markdown.OPENING}\n### [SNAPSHOT] Current State\n- Phase: testing\n- Blocked: {said}\n{markdown.CLOSING}\n"
    assert markdown.read_block(text).state.blocked == by


@given(st.text(max_size=30) | st.lists(st.sampled_from(["yes", "no", " -- ", "—", ", ", "x", "-", " "]), max_size=6).map("".join))
def test_what_blocks_stays_what_it_is(said: str) -> None:
    """Settled once, it is settled; and it comes back from the document."""
    state = Checkpoint(blocked=said)
    assert Checkpoint(**state.__dict__) == state
    assert markdown.read_block(markdown.show_block(markdown.Block(state))).state == state
