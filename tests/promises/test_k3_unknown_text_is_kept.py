"""K3: what is not ours comes out again byte for byte and in its order.

Documents as anybody may have left them (unknown sections, stray lines in our lists, odd spacing, CRLF, a byte-order mark, no
final line end, conflict markers, bytes that are no UTF-8, front matter that does not parse) go through every function that
writes a document. A second, much simpler reading of the grammar in this file says which of their lines are not ours; each of
these must stand in the result, with its own line end, in the same order.

The control writes documents the way one of the seed systems does, from its own sections alone, and normalises line ends.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from difflib import SequenceMatcher
from itertools import groupby
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.documents import bindings, codecs, markdown, sections, topic_pages
from holdfast.model import Checkpoint
from holdfast.storage import merging
from nasty import CHARACTERS, CHECKPOINTS, TEXTS, documents, tries

STAMP = {"written at": "2026-11-15T10:00:00", "trigger": "agent", "session": "main", "record": "20261115-100000-000000-aaaaaaaa"}
LISTS = {name for name, codec in markdown.STATE.items() if isinstance(codec, codecs.Items)}
FULL = Checkpoint(
    goal="Ship", status="Nearly", phase="testing", task="3 bugs left", exchanges=("u: hi", "a: ho"), unanswered=("Shall I?",),
    decisions=("d1", "d2"), in_flight=("f",), corrections=("not X",), files=(("a.py", "edited"),), done=("x",), code="print()",
    names=(("Env", "HOME"),), blockers=("b",), questions=("q?",), next_steps=("n1", "n2"), pending=(("p", False),),
    timeline=("10:00 began",), tone="calm", context=(("deadline", "Friday"),),
)  # fmt: skip

# ---- which lines are not ours ------------------------------------------------------------------------------------------


def lines_of(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", text.removeprefix("\ufeff"))


def name_in(line: str) -> str | None:
    """The name that a heading line has, read more simply than the program reads it."""
    line = line.rstrip("\r\n")
    for opening, closing in (("##", ""), ("**", "**"), ("<strong>", "</strong>")):
        inner = line.removeprefix(opening)
        if not line.startswith(opening) or not inner.strip(" \t"):
            continue
        if opening == "##" and inner[0] in " \t" and inner.lstrip(" \t")[0].strip():  # a heading has a name that can be seen
            return inner.strip().rstrip(" \t#") or inner.strip()
        tail = inner.rstrip(" \t")
        if closing and tail.endswith(closing) and tail != closing and not set(tail.removesuffix(closing)) & set(closing[0]):
            return tail.removesuffix(closing).strip()
    return None


_OUR_STAMP = re.compile(r"(\*\*|<strong>)(Written at|Trigger|Session):(\*\*|</strong>)|<!-- holdfast: ", re.I)


def not_ours(text: str, ours: Iterable[str], stamped: bool = False) -> list[str]:
    """The lines outside our sections, and inside them the headings and what is no item of a list."""
    waiting = {name.casefold() for name in ours}
    found: list[str] = []
    body: list[str] = []
    inside = ""
    for number, line in enumerate([*lines_of(text), "## the end\n"]):
        if stamped and number < 60 and _OUR_STAMP.match(line):
            continue
        name = name_in(line)
        if name is None:
            (body if inside else found).append(line)
            continue
        stamped = False  # stamps stand above the first section; further down such a line is somebody's own
        found += strays(body) if inside in LISTS else []
        body = []
        known = markdown.ALIASES.get(name, name)
        inside = next((n for n in ours if n.casefold() == known.casefold() and n.casefold() in waiting), "")
        waiting.discard(inside.casefold())
        found.append(line)
    return found[:-1]


def strays(body: list[str]) -> list[str]:
    """The lines of a list that belong to none of its items. A body without a single list mark is text, and ours."""
    marked = [bool(re.match(r"([-*+]|\d{1,9}[.)])[ \t]+\S", line)) for line in body]
    if not any(marked):
        return []
    found, in_item = [], False
    for line, mark in zip(body, marked, strict=True):
        if mark:
            in_item = True
        elif line.rstrip("\r\n") and not (in_item and line.startswith(("  ", "\t"))):
            in_item = False
            if line.strip().casefold() not in sections.PLACEHOLDERS:
                found.append(line)
    return found


def assert_kept(lines: list[str], text: str, result: str) -> None:
    """Every line is there, in order; only the last one may have got a line end, and only if something follows it."""
    assert result.startswith("\ufeff") == text.startswith("\ufeff"), "the byte-order mark has moved"
    text, result = text.removeprefix("\ufeff"), result.removeprefix("\ufeff")
    at = iter(lines_of(result))
    for line in lines:
        forms = (line,) if line.endswith("\n") else (line, line + sections.line_end(text))
        assert any(other in forms for other in at), f"lost: {line!r}"


# ---- the working state -------------------------------------------------------------------------------------------------


def check_state(text: str, state: Checkpoint) -> None:
    if not text.strip("\ufeff \r\n\t"):
        return  # a blank file has no line of anybody's
    result = markdown.write_state(text, state, STAMP)
    assert_kept(not_ours(text, markdown.STATE, stamped=True), text, result)
    assert result.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape") == result


def check_classic(text: str, state: Checkpoint) -> None:
    assert_kept(not_ours(text, markdown.CLASSIC), text, markdown.write_classic(text, state))


@tries(250)
@given(documents(), CHECKPOINTS)
def test_session_state_keeps_every_line_that_is_not_ours(text: str, state: Checkpoint) -> None:
    """Whatever stands in session-state.md, bringing it up to date leaves what is not ours."""
    check_state(text, state)


@tries(250)
@given(documents(), CHECKPOINTS)
def test_the_classic_state_keeps_every_line_that_is_not_ours(text: str, state: Checkpoint) -> None:
    """Whatever stands in SESSION-STATE.md, bringing it up to date leaves what is not ours."""
    check_classic(text, state)


HAND_WRITTEN = {
    "unknown section": "# S\n\n## Current Task\nold\n\n## My own\n\n   odd   spacing\t\n\n\n## Blockers\nnone\n",
    "stray line in a list": "## Blockers\nSee the board.\n- old\nand this, too\n## Recent Decisions\n- d1\n",
    "stray line with another line end": "## Blockers\n- old\nstray\r\n- older\nstray again\r\r\n",
    "crlf": "# S\r\n\r\n## Current Task\r\nold\r\n\r\n## Mine\r\nx\r\n",
    "byte-order mark": "\ufeff# S\n\n## Mine\nx\n",
    "byte-order mark before a stamp": "\ufeff**Written at:** then\n\n## Mine\nx\n",
    "byte-order mark and no title": "\ufeffjust a line\n\n## Mine\nx\n",
    "byte-order mark in the middle": "## Blockers\n- old\n\ufeffstray\n",
    "no final line end": "# S\n\n## Mine\nx",
    "heading without a line end": "# S\n\n## Mine",
    "conflict": "# S\n<<<<<<< HEAD\n## Current Task\na\n=======\n## Current Task\nb\n>>>>>>> theirs\n",
    "conflict in a list": "## Blockers\n<<<<<<< HEAD\n- a\n=======\n- b\n>>>>>>> theirs\n",
    "no utf-8": "# S\udcff\n\n## Mine\udc80\n\udcc3(\n",
    "front matter": "---\ntitle: [unclosed\n\tx: : :\n---\n# S\n\n## Mine\nx\n",
    "front matter that never ends": "---\ntitle: x\n\n## Mine\n---- x\n",
    "form feed and line separator": "# S\x0c\n\n## Mine\na\u2028b\x85c\x0bd\n",
    "a stamp of somebody's own": "# S\n\n## Mine\n**Session:** the one in May\n<!-- holdfast: x -->\n\n## Blockers\n- b\n",
    "our heading twice": "## Current Task\na\n\n## Current Task\nb\n",
    "headings of seed E": "<strong>Current Task</strong>\n\nold\n\n<strong>Mine</strong>\n\nx\n",
    "chinese headings": "# 会话\n\n## 当前任务\n旧\n\n## 我的\nx\n",
    "long preamble": "".join(f"line {n}\n" for n in range(100)) + "## Mine\nx\n",
    "nested and loose list": "## Recent Decisions\n- a\n\n    - nested\n\n\tcode\n\n* b\n+ c\n7) d\nstray\n",
}


@pytest.mark.parametrize("name", HAND_WRITTEN)
@pytest.mark.parametrize("state", [FULL, Checkpoint()], ids=["full", "empty"])
def test_hand_written_documents_keep_what_is_not_ours(name: str, state: Checkpoint) -> None:
    """Each oddity by itself, filled and emptied, twice over."""
    text = HAND_WRITTEN[name]
    check_state(text, state)
    check_classic(text, state)
    once = markdown.write_state(text, state, STAMP)
    assert markdown.write_state(once, state, STAMP) == once
    assert once.endswith("\n") == text.endswith("\n")


def test_stamps_stand_below_front_matter_and_are_found_again() -> None:
    """Front matter counts only on line 1, so nothing of ours may be put above it; and nothing grows from write to write."""
    for text in HAND_WRITTEN.values():
        result = markdown.write_state(text, FULL, STAMP)
        assert result.startswith("---\ntitle: [") == text.startswith("---\ntitle: [")
        assert markdown.stamps(result) == STAMP


# ---- between our own items ---------------------------------------------------------------------------------------------

TABLE = "\n| a | b |\n|---|---|\n| 1 | 2 |\n\n"
BETWEEN = {
    # name: (section, its body as a person left it, the change, the body afterwards)
    "a table between decisions": (
        "Recent Decisions", f"- d1\n{TABLE}- d2\n", {"decisions": ("d3",)}, f"- d1\n{TABLE}- d2\n- d3\n",
    ),
    "a list with air": ("Blockers", "- a\n\n- b\n", {"blockers": ("c",)}, "- a\n\n- b\n- c\n"),
    "an action that is ticked": (
        "Pending Actions", "- [ ] a\nsee the board\n\n- [ ] b\nmine\n", {"pending": (("a", True), ("b", True))},
        "- [x] a\nsee the board\n\n- [x] b\nmine\n",
    ),
    "a value that is another": (
        "Key Context", "- k: old\n\nmine\n\n- l: same\n", {"context": (("k", "new"),)}, "- k: new\n\nmine\n\n- l: same\n",
    ),
    "a list that is replaced": (
        "Next Steps", "1. a\n\nmine\n\n2. b\n", {"next_steps": ("x", "y", "z")}, "1. x\n\nmine\n\n2. y\n3. z\n",
    ),
    "a list that is cleared": ("Blockers", "- a\n\nmine\n\n- b\n", {"blockers": ()}, "- none\n\nmine\n"),
    "numbers of one's own style": ("Next Steps", "1) a\n2) b\n", {"next_steps": ("b", "c")}, "1) b\n2. c\n"),
    "an item twice, and with space behind it": ("Blockers", "- a  \n- a\n* b\n", {"blockers": ("c",)}, "- a  \n- a\n* b\n- c\n"),
    "a phase of one's own": (
        "Current State", "- Phase: Testing the importer\n- Owner: me\n\n- Branch: main\nmine\n", {"progress": "most"},
        "- Phase: Testing the importer\n- Owner: me\n\n- Branch: main\n- Progress: most\nmine\n",
    ),
    "a trait that is another": (
        "Current State", "* phase:  testing\n- Owner: me\n- Blocked: no\n", {"phase": "reviewing", "blocked": "CI"},
        "- Phase: reviewing\n- Owner: me\n- Blocked: yes -- CI\n",
    ),
    "traits without a mark": (
        "Current State", "Phase: testing\nmine\n", {"progress": "most"}, "Phase: testing\nmine\nProgress: most\n",
    ),
    "one of several traits without a mark": (
        "Current State", "Phase: testing\nBranch: a\nProgress: x\n", {"branch": "b"}, "Phase: testing\nBranch: b\nProgress: x\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BETWEEN)
def test_what_stands_between_our_items_stays_where_it_is(name: str) -> None:
    """Blank lines, tables, lines and traits of a person's own are neither moved nor taken away when an item is."""
    heading, body, change, expected = BETWEEN[name]
    text = f"# S\n\n## {heading}\n{body}\n## Mine\nx\n"
    written = markdown.write_state(text, markdown.read_state(text).after(change), STAMP)
    assert f"## {heading}\n{expected}\n## Mine\nx\n" in written


_OWN_LINES = st.sampled_from(["", "", "| a | b |", "mine", "> quoted", "- Owner: me", "* Size: 3"])


@tries(300)
@given(st.data())
def test_hand_edits_between_our_items_outlast_a_change(data: st.DataObject) -> None:
    """Every line of a person's own in our lists and traits is there afterwards, blank ones included, in its order; twice over."""
    heading, own, change = data.draw(st.sampled_from([
        ("Recent Decisions", ["- d1", "- d2", "* d3"], {"decisions": ("new",)}),
        ("Pending Actions", ["- [ ] p1", "- [x] p2", "- [ ] p3"], {"pending": (("p1", True), ("new", False))}),
        ("Key Context", ["- k: 1", "- l: 2"], {"context": (("l", "3"), ("m", "4"))}),
        ("Corrections", ["- c1", "- c2"], {"corrections": ("new",)}),
        ("Current State", ["- Phase: testing", "- Branch: main", "- Blocked: no"], {"progress": "most", "branch": "other"}),
    ]))  # fmt: skip
    lines = list(own)
    for _ in range(data.draw(st.integers(1, 6))):
        lines.insert(data.draw(st.integers(1, len(lines) - 1)), data.draw(_OWN_LINES))
    text = f"## {heading}\n" + "".join(f"{line}\n" for line in lines) + "\n## Mine\nx\n"
    for _ in range(2):
        text = markdown.write_state(text, markdown.read_state(text).after(change), STAMP)
        section = sections.find(sections.parse(text), heading)
        assert section is not None
        there = [line.rstrip("\n") for line in section.body]
        at = iter(there)
        theirs = [line for line in lines if line not in own]
        assert all(any(line == other for other in at) for line in theirs), (theirs, there)
        gaps = [len(list(group)) for blank, group in groupby(lines, key=lambda line: not line) if blank]
        left = [len(list(group)) for blank, group in groupby(there[: len(there) - 1], key=lambda line: not line) if blank]
        assert left == gaps


# ---- topics ------------------------------------------------------------------------------------------------------------

CHANGE = topic_pages.TopicChange("t", "2026-11-15", "main", "new status", ("one",), ("line",), 3, 3)
TOPIC = ("Meta", "Current Status", "Key Decisions", "History")


def check_topic(text: str, change: topic_pages.TopicChange) -> None:
    if not text.strip("\ufeff \r\n\t"):
        return
    result, pruned = topic_pages.write_topic(text, change)
    assert_kept(not_ours(text, TOPIC), text, result)
    inside = [line for line in lines_of(text) if name_in(line) is None and line.strip()]
    have = [line.rstrip("\r\n") for line in lines_of(result) + lines_of(pruned)]
    for line in inside:
        ours = sections.is_placeholder(line) or re.match(r"[-*][ \t]+\*\*(created|updated|session)\*\*:", line, re.I)
        if not ours and line not in status_of(text):
            assert line.rstrip("\r\n") in have, f"lost from a list: {line!r}"


def status_of(text: str) -> list[str]:
    """The lines of Current Status, which is overwritten."""
    found: list[str] = []
    inside = False
    for line in lines_of(text):
        name = name_in(line)
        inside = name.casefold() == "current status" if name is not None else inside
        found += [line] if inside else []
    return found


@tries(300)
@given(documents(), TEXTS, st.lists(TEXTS, max_size=2), st.integers(1, 4))
def test_a_topic_keeps_every_line_that_is_not_ours(text: str, status: str, entries: list[str], limit: int) -> None:
    """A topic file keeps what is not ours; what its lists must give up is handed over for the archive."""
    lines = Checkpoint(decisions=tuple(entries)).decisions
    status = Checkpoint(status=status).status
    check_topic(text, topic_pages.TopicChange("t", "2026-11-15", "main", status, lines, lines, limit, limit))


def test_an_auto_save_leaves_lists_and_placeholders_as_they_are() -> None:
    """A change that adds nothing to a list does not restyle it."""
    text = "# t\n\n## Meta\n- **created**: 2026-01-01\n\n## Current Status\n(no status yet)\n\n"
    text += "## Key Decisions\n(none yet)\n\n## History\n* x\n"
    result = topic_pages.write_topic(text, topic_pages.TopicChange("t", "2026-11-15"))[0]
    assert result.replace("- **updated**: 2026-11-15\n", "") == text


# ---- days, buffer, titles, the map -------------------------------------------------------------------------------------


@tries(200)
@given(documents(), CHECKPOINTS, TEXTS)
def test_a_day_is_only_ever_added_to(text: str, state: Checkpoint, note: str) -> None:
    """Every byte of a day is the beginning of what it is afterwards."""
    block = markdown.show_block(markdown.Block(state, "2026-11-15T10:00:00", "2026-11-15-01", "r", "s", "t", "agent"))
    for below in (markdown.snapshot_lines(block, "10:00"), markdown.note_lines(note, "PREF")):
        for tight in (False, True):
            assert markdown.day_with(text, "2026-11-15", below, tight=tight).startswith(text)


@tries(200)
@given(documents(), TEXTS)
def test_the_buffer_keeps_its_lines(text: str, line: str) -> None:
    """All but the line that says when it was last active comes out as it went in."""
    if text.strip("\ufeff \r\n\t"):
        result = markdown.buffer_with(text, "2026-11-15T10:00:00+00:00", line)
        kept, active = [], False
        for old in lines_of(text):
            if old.startswith("last_active:") and not active:
                active = True
            else:
                kept.append(old)
        assert_kept(kept, text, result)


@tries(150)
@given(documents())
def test_a_new_title_changes_the_title_alone(text: str) -> None:
    """Renaming a topic rewrites one line."""
    old, new = lines_of(text), lines_of(topic_pages.retitled(text, "other"))
    assert len(old) == len(new)
    assert sum(a != b for a, b in zip(old, new, strict=True)) <= 1


_LEAVES = st.none() | st.booleans() | st.integers() | st.text(st.characters())
_JSON = st.recursive(_LEAVES, lambda inner: st.lists(inner, max_size=2), max_leaves=3)


@tries(150)
@given(st.dictionaries(st.text(st.characters()), _JSON, max_size=4), st.text(CHARACTERS, min_size=1), st.booleans())
def test_the_map_keeps_every_key_and_can_be_written(there: dict[str, Any], session: str, ascii_only: bool) -> None:
    """Keys and values that we do not know stay, even half of a surrogate pair, which no file can hold but JSON can spell."""
    text = json.dumps(there, ensure_ascii=True) if ascii_only else bindings.write_bindings(json.dumps(there), {})
    result = bindings.write_bindings(text, {session: "topic"})
    again = json.loads(result.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape"))
    assert again == {**there, session: "topic"}


# ---- two hands in one file ---------------------------------------------------------------------------------------------

_FEW = st.lists(st.sampled_from(["- same\n", "none\n", "\n", "## A\n", "## B\n", "x\n", "y\r\n"]), max_size=8)


@tries(400)
@given(_FEW, st.data())
def test_a_merge_has_what_either_side_added(base: list[str], data: st.DataObject) -> None:
    """What a person added while we were writing is there, in order, and so is what we added."""

    def edited(mark: str) -> tuple[list[str], list[str]]:
        out, new = list(base), []
        for n in range(data.draw(st.integers(0, 3))):
            out.insert(data.draw(st.integers(0, len(out))), f"{mark} {n}\n")
        new = [line for line in out if line.startswith(mark)]
        return out, new

    ours, our_lines = edited("ours")
    theirs, their_lines = edited("theirs")
    result = lines_of(merging.merged("".join(base), "".join(ours), "".join(theirs)))
    assert [line for line in result if line.startswith("theirs")] == their_lines
    assert [line for line in result if line.startswith("ours")] == our_lines
    others = [line for line in result if not line.startswith(("ours", "theirs"))]
    assert all(others.count(line) >= base.count(line) for line in base)


MERGES = {
    # name: (base, ours, theirs, result)
    "a line that we take out is the one of our list": (
        "## Mine\n- same\n## Blockers\n- same\n",
        "## Mine\n- same\n## Blockers\nnone\n",
        "## Mine\n- same\nnew\n## Blockers\n- same\n",
        "## Mine\n- same\nnew\n## Blockers\nnone\n",
    ),
    "what they deleted stays deleted": ("a\nb\n", "a\nb\nc\n", "a\n", "a\nc\n"),
    "what they left open stays open": ("a\nb\n", "x\na\nb\n", "a\nb\nc", "x\na\nb\nc"),
    "nothing of theirs": ("a\n", "a\nb\n", "a\n", "a\nb\n"),
    "they emptied it": ("a\nb\n", "a\nb\nc\n", "", "c\n"),
}  # fmt: skip


@pytest.mark.parametrize("name", MERGES)
def test_merges_by_example(name: str) -> None:
    """A line is known by its place, and not by its text alone."""
    base, ours, theirs, result = MERGES[name]
    assert merging.merged(base, ours, theirs) == result


@tries(200)
@given(documents(), documents())
def test_what_strayed_is_united_without_losing_a_line(text: str, strayed: str) -> None:
    """Every line of the document stays in order; every line of what had strayed is there."""
    text, strayed = text.removeprefix("\ufeff"), strayed.removeprefix("\ufeff")
    result = merging.united(text, strayed)
    assert_kept(lines_of(text), text, result)
    have = {line.rstrip("\r\n") for line in lines_of(result)}
    assert all(line.rstrip("\r\n") in have for line in lines_of(strayed) if line.strip())


# ---- the control -------------------------------------------------------------------------------------------------------


def _own_sections_only(text: str, state: Checkpoint, wanted: dict[str, codecs.Codec], _always: list[str]) -> str:
    """As seed A writes its files: from what it knows, and nothing else."""
    return "".join(f"## {name}\n" + "\n".join(codec.show(state)) + "\n\n" for name, codec in wanted.items())


def _one_line_end(section: sections.Section, new: list[str], end: str) -> None:
    """As most programs write files: every line end the same."""
    section.body = [line.rstrip("\r\n") + end for line in new] + [end]


def _without_odd_lines(old: Callable[..., list[sections.Chunk]]) -> Callable[..., list[sections.Chunk]]:
    return lambda body: [chunk for chunk in old(body) if chunk.item]


@pytest.mark.parametrize(
    ("module", "name", "broken"),
    [
        (markdown, "_refilled", _own_sections_only),
        (sections, "refill", _one_line_end),
        (codecs, "chunks", _without_odd_lines(sections.chunks)),
    ],
    ids=["own sections only", "one line end", "items only"],
)
def test_control_a_writer_that_drops_or_restyles_is_found_out(
    monkeypatch: pytest.MonkeyPatch, module: Any, name: str, broken: Callable[..., Any]
) -> None:
    """The same checks on the same documents fail for writers that keep only what they know."""
    monkeypatch.setattr(module, name, broken)
    failed = 0
    for text in HAND_WRITTEN.values():
        try:
            check_state(text, FULL)
            check_classic(text, FULL)
        except AssertionError:
            failed += 1
    assert failed, "the check cannot tell a broken writer from a right one"


def _merged_by_text(base: str, ours: str, theirs: str) -> str:
    """Our changes made to theirs by looking for lines of the same text, wherever they stand."""
    old, new, out = lines_of(base), lines_of(ours), lines_of(theirs)
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            for line in old[i1:i2]:
                out.remove(line)
            out += new[j1:j2]
    return "".join(out)


def test_control_a_merge_by_text_alone_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Taking out the first line of the same text takes it out of somebody else's list."""
    monkeypatch.setattr(merging, "merged", _merged_by_text)
    with pytest.raises(AssertionError):
        test_merges_by_example("a line that we take out is the one of our list")
