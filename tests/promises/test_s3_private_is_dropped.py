"""S3: `<private>…</private>` is dropped: in any case, nested, spaced, split or disguised; unclosed it reaches to the end."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.guard.entering import redacted

INSIDE = "KimIsIll"
CASES = {
    "plain": (f"a<private>{INSIDE}</private>b", "ab"),
    "upper case": (f"a<PRIVATE>{INSIDE}</Private>b", "ab"),
    "nested": (f"a<private>x<private>y</private>{INSIDE}</private>b", "ab"),
    "unclosed": (f"a<private>{INSIDE} and all that follows", "a"),
    "spaced": (f"a< private >{INSIDE}</ private >b", "ab"),
    "newline in the close": (f"a<private>{INSIDE}</private\n>b", "ab"),
    "with an attribute": (f'a<private reason="health">{INSIDE}</private>b', "ab"),
    "split tag": (f"a<pri<private></private>vate>{INSIDE}</private>b", "ab"),
    "twice": (f"a<private>{INSIDE}</private>b<private>{INSIDE}</private>c", "abc"),
    "zero width": (f"a<pri\u200bvate>{INSIDE}</private>b", "ab"),
    "full width": (f"a＜private＞{INSIDE}＜／private＞b", "ab"),
    "json": (f"a\\u003cprivate\\u003e{INSIDE}\\u003c/private\\u003eb", "ab"),
    "nested and unclosed": (f"a<private><private>{INSIDE}</private>{INSIDE}", "a"),
}


@pytest.mark.parametrize("case", CASES)
def test_every_trick_is_seen_through(case: str) -> None:
    """What was private is gone, what stood around it is there."""
    text, left = CASES[case]
    assert redacted(text) == (left, ("private",))


@pytest.mark.parametrize(("deep", "left"), [(1, "ab"), (8, "ab"), (9, "a"), (10, "a<pri"), (12, "a<pri<pri<pri")])
def test_tags_that_make_up_others_are_taken_apart_or_all_is_private(deep: int, left: str) -> None:
    """What is taken out may have stood in the midst of another tag. Who builds more of them than anybody needs loses the rest."""
    text = f"<private>{INSIDE}</private>"
    for _ in range(deep - 1):
        text = f"<pri{text}vate>{INSIDE}</private>"
    assert redacted(f"a{text}b") == (left, ("private",))


def test_a_stray_end_takes_nothing_with_it() -> None:
    """Without a beginning there is nothing to drop."""
    assert redacted("a</private>b") == ("a</private>b", ())


OPENS = ["<private>", "<PRIVATE>", "< private >", "<private\n>", "<Private x>", "\\u003cprivate\\u003e", "<pri\u200dvate>"]
ENDS = ["</private>", "</PRIVATE>", "</ private >", "</private\n>"]


@st.composite
def tales(draw: st.DrawFn) -> tuple[str, str]:
    """A text with private parts, grown by the grammar, and what must be left of it."""
    text = left = ""
    for _ in range(draw(st.integers(1, 4))):
        outside = draw(st.sampled_from(["said ", "done. ", "\n", "é "]))
        inner = INSIDE
        for _ in range(draw(st.integers(0, 2))):
            inner = f"{draw(st.sampled_from(OPENS))}{inner}{draw(st.sampled_from(ENDS))}{INSIDE}"
        text += outside + draw(st.sampled_from(OPENS)) + inner + draw(st.sampled_from(ENDS))
        left += outside
    if draw(st.booleans()):
        text += "end " + draw(st.sampled_from(OPENS)) + INSIDE
        left += "end "
    return text, left


def leaks(tale: tuple[str, str], drop: Callable[[str], str]) -> bool:
    """Whether anything private is left, or anything else is gone."""
    return drop(tale[0]) != tale[1]


@settings(max_examples=2000, deadline=None)
@given(tales())
def test_nothing_private_is_left_of_any_tale(tale: tuple[str, str]) -> None:
    """Whatever the nesting: what was outside is left, byte for byte."""
    assert not leaks(tale, lambda text: redacted(text)[0])


def test_control_a_lazy_expression_leaks() -> None:
    """Control: the usual way to do it falls for most tricks."""
    fooled = [case for case, tale in CASES.items() if leaks(tale, lambda text: re.sub(r"<private>[\s\S]*?</private>", "", text))]
    assert len(fooled) > 6
