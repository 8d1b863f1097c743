"""Hypothesis strategies for what people and programs really put into memory: texts that look like our own structure.

`HOLDFAST_EXAMPLES=20` makes every hypothesis test of these files try twenty times as many values.
"""

from __future__ import annotations

import os
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from holdfast.documents.markdown import ALIASES, CLOSING, OPENING, STATE
from holdfast.model import PHASES, Checkpoint

_TIMES = float(os.environ.get("HOLDFAST_EXAMPLES", "1"))


def tries(number: int) -> settings:
    """So many examples, the same ones in every run unless more are asked for; time is no criterion on a shared machine."""
    return settings(
        max_examples=max(1, int(number * _TIMES)),
        deadline=None,
        derandomize=_TIMES == 1,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


# What a line of somebody's text may look like, though it is only text.
STRUCTURE = (
    "## Current Task", "##\tGoal", "## ", "##", "# Title", "### [SNAPSHOT] Active Goal", "###  [SNAPSHOT]\tNext Steps",
    "**Goal**", "**Session:** other", "<strong>Blockers</strong>", "<strong>Session:</strong> x", OPENING, CLOSING,
    "<!-- holdfast: 20260101-000000-000000-aaaaaaaa -->", "<!-- timestamp: 1 -->", "-->", "---", "## Task Snapshot -- 14:05",
    "none", "None", "(none yet)", "(no status yet)", "[None]", "- [ ] None", "n/a", "\\none", "\\\\## x", "\\", "\\## y",
    "- item", "* item", "+ item", "1. first", "12) twelfth", "- [ ] open", "- [x] ticked", "- ", "-", "  - nested",
    "`", "``", "a`b", "`a`", " `` ", "```python", "a: b", "a:: b", ":", "::", ": `", "a:", "http://x/y", "C:\\new",
    "\ufeff", "\ufeff## Goal", "\ufeff- x", "\x0c", "\x0b", "\x85", "\u2028", "\u2029", "\x1c", "\u3000", "\xa0",
    "Blocker: x", "Question: y", "Phase: testing", " -- ", "a -- b", "`p` -- what", "no", "yes", "yes -- no",
    "日本語テキスト", "مرحبا", "\u202eabc\u202c", "👩‍👩‍👧‍👦", "e\u0301", "\udcff\udc80", "\x00", "\x1b[31m", "%0A%25", "--%3E",
    "<<<<<<< HEAD", "=======", ">>>>>>> theirs", "1 bug", "\\1 \\g<0>", "{}", "%s", "$(x)", "last_active: never", "{\"a\": 1}",
)  # fmt: skip
# Any character that a file can hold: all of Unicode, and bytes that are no UTF-8 (as surrogateescape shows them).
CHARACTERS = st.one_of(
    st.characters(exclude_categories=["Cs"]),
    st.sampled_from("\udc80\udcc3\udcff\x85\u2028\ufeff\x0c`:-#*[]\\ \t\n\r"),
)
_WORDS = st.one_of(st.sampled_from(STRUCTURE), st.text(CHARACTERS, max_size=12))
_LINES = st.builds(lambda parts, gap: gap.join(parts), st.lists(_WORDS, max_size=3), st.sampled_from(["", " ", "  "]))
_ENDS = st.sampled_from(["\n", "\n", "\n\n", "\r\n", "\r", "\n \n", "\n  "])


@st.composite
def texts(draw: st.DrawFn, lines: int = 4) -> str:
    """A text of several lines, each of which may pose as structure."""
    out: str = draw(_LINES)
    for _ in range(draw(st.integers(0, lines))):
        out += draw(_ENDS) + draw(_LINES)
    return out


_REPEATED = st.sampled_from(["x ", "`", "- a\n", "## b\n", "語", "\n", ": `", "#", " "])
LONG = st.builds(lambda word, times: word * times, _REPEATED, st.integers(0, 2000))
TEXTS = st.one_of(texts(), texts(), st.sampled_from(STRUCTURE), LONG)
_LISTS = st.lists(texts(2), max_size=3).map(tuple)
_PAIRS = st.lists(st.tuples(texts(1), texts(2)), max_size=3).map(tuple)
_KINDS = st.sampled_from(["Name", "Name", "File", "Printed by make: `x`", "Printed by a: b", "Command", "Env", "Name: `"])
_VALUES = st.one_of(texts(2), st.sampled_from(["lamp_oil", "x", ", ", "a`, `b", "`", "a,", "src/a b.py", "`, `", "w" * 235]))
_NAMES = st.one_of(_PAIRS, st.lists(st.tuples(_KINDS, _VALUES), max_size=12).map(tuple))
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    **dict.fromkeys(("goal", "status", "task", "code", "tone"), TEXTS),
    **dict.fromkeys(("branch", "blocked", "progress"), texts(1)),
    "phase": st.sampled_from(("", *PHASES)),
    **dict.fromkeys(("exchanges", "unanswered", "decisions", "in_flight", "corrections", "done"), _LISTS),
    **dict.fromkeys(("blockers", "questions", "next_steps", "timeline"), _LISTS),
    **dict.fromkeys(("files", "context"), _PAIRS),
    "names": _NAMES,
    "pending": st.lists(st.tuples(texts(2), st.booleans()), max_size=3).map(tuple),
}


@st.composite
def changes(draw: st.DrawFn, fields: int = 4) -> dict[str, Any]:
    """A few fields of a working state, with such texts in them."""
    chosen = draw(st.lists(st.sampled_from(sorted(FIELDS)), max_size=fields, unique=True))
    return {name: draw(FIELDS[name]) for name in chosen}


CHECKPOINTS = st.one_of(changes(), changes(len(FIELDS))).map(lambda change: Checkpoint(**change))

# ---- documents that somebody else has written --------------------------------------------------------------------------

_HEADS = st.one_of(
    st.sampled_from([*STATE, *ALIASES, "Meta", "Current Status", "Key Decisions", "History", "Recovery Path", "My own", "笔记"]),
    st.text(CHARACTERS, max_size=8),
)
_HEADINGS = st.builds(
    lambda form, name: form.format(name.replace("\n", " ").replace("\r", " ")),
    st.sampled_from(["## {}", "##  {} ##", "**{}**", "<strong>{}</strong>", "# {}", "### [SNAPSHOT] {}"]),
    _HEADS,
)
_BESIDE = st.sampled_from(["- Name: `a`, `b`", "- File: `x`, `y", "- Name: `a`, ``b``", "* Printed by m: `a`, `b`"])
_BODY = st.one_of(_LINES, _LINES.map(lambda text: "- " + text), _LINES.map(lambda text: "  " + text), st.just(""), _BESIDE)
FRONT_MATTER = st.sampled_from(["", "", "---\ntitle: [unclosed\n\tkey: : :\n---\n", "---\na: 1\n", "---\r\n\"x: {\r\n---\r\n"])


@st.composite
def documents(draw: st.DrawFn) -> str:
    """A document as anybody may have left it: any sections, stray lines, line ends of all kinds, perhaps no end at all."""
    end = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    out = draw(st.sampled_from(["", "", "\ufeff"])) + draw(FRONT_MATTER)
    for _ in range(draw(st.integers(0, 6))):
        lines = [draw(_HEADINGS), *draw(st.lists(_BODY, max_size=4))]
        out += "".join(line + draw(st.sampled_from([end, end, end, end + end, "\n", " " + end])) for line in lines)
    return out if draw(st.booleans()) else out.rstrip("\r\n")
