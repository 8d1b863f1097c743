"""S11: no rule takes more than linear time, whatever it is given.

What is counted is work, not time: how often an expression is tried, and how many characters it went through. A try that fails
counts once where its expression is bounded, and to the end of the text where it is not. So four times the text is four times the
work, and sixteen times where a rule goes back to where it began. What it comes to in milliseconds is told by
`python bench/near_matches.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from re import _parser  # type: ignore[attr-defined]
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from holdfast.guard import assigned, disguise, judging, private_keys, redaction, rules, telltales
from holdfast.guard.entering import redacted
from near_matches import CASES, NESTED, UNITS, text_of

SMALL = 3_000
LINEAR = 5.5  # four is linear, with what lies about at the edges; sixteen is not


REACH = 50_000  # characters that one try may go through at most, whatever the text


def bounded(source: str) -> bool:
    """Whether an expression has an end, however long the text is."""
    return bool(_parser.parse(source).getwidth()[1] <= REACH)


class Counted:
    """An expression that counts what it is asked to look at."""

    work = 0

    def __init__(self, made: re.Pattern[str]) -> None:
        self._made = made
        self.groups = made.groups
        self._bounded = bounded(made.pattern)

    def match(self, text: str, at: int = 0, end: int = 1 << 60) -> re.Match[str] | None:
        found = self._made.match(text, at, end)
        Counted.work += 1 + (found.end() - at if found else 0 if self._bounded else min(end, len(text)) - at)
        return found

    def search(self, text: str, at: int = 0, end: int = 1 << 60) -> re.Match[str] | None:
        found = self._made.search(text, at, end)
        Counted.work += 1 + (found.end() if found else min(end, len(text))) - at
        return found

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """`sub`, `split`, `finditer`, `findall`: the whole text, once."""

        def whole(*given: Any, **named: Any) -> Any:
            Counted.work += 1 + max(len(part) for part in given if isinstance(part, str))
            return getattr(self._made, name)(*given, **named)

        return whole


@pytest.fixture(autouse=True)
def counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every expression of the guard counts; and texts are searched as the base install does it."""
    made: dict[str, Counted] = {}

    def expression(source: str) -> Counted:
        return made.get(source) or made.setdefault(source, Counted(re.compile(source)))

    for module in (assigned, disguise, judging, private_keys, redaction, telltales):
        monkeypatch.setattr(module, "expression", expression)
    monkeypatch.setattr(telltales, "_chosen", [telltales.by_vocabulary])
    monkeypatch.setattr(redaction, "_judged_before", redaction._judged)  # what comes again is judged again, and counted
    places = telltales._places

    def twice(lower: str, word: str) -> list[int]:
        """A word is looked for once, or twice where it stands close: counted as twice, since in a longer text it may."""
        before = Counted.work
        found = places(lower, word)
        Counted.work = before + 2 * len(lower)
        return found

    monkeypatch.setattr(telltales, "_places", twice)


def growth(search: Callable[[str], object], text: Callable[[int], str]) -> float:
    """How much more work four times the text is."""
    done = []
    for length in (SMALL, 4 * SMALL):
        Counted.work = 0
        search(text(length))
        done.append(Counted.work)
    return done[1] / max(1, done[0])


@pytest.mark.parametrize("case", CASES)
def test_four_times_the_near_match_is_four_times_the_work(case: str) -> None:
    """No rule goes back to where it began."""
    assert growth(redacted, partial(text_of, case)) < LINEAR


PIECES = st.sampled_from([*telltales.PREFIXES, *telltales.WORDS, *UNITS.values()])
JOINTS = st.sampled_from(["", " ", "=", ": ", '"', "-", "/", "\n", "a1b2c3d4", "some-long-name", "\u200b", "%41", "\\u0041"])


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(PIECES, JOINTS), min_size=1, max_size=6))
def test_near_matches_of_several_rules_at_once_are_linear_too(parts: list[tuple[str, str]]) -> None:
    """Grown from the telltales of all rules, with what may stand between them."""
    unit = "".join(map("".join, parts))
    assert growth(redacted, lambda length: (unit * (length // len(unit) + 1))[:length]) < LINEAR


def sources() -> list[str]:
    """The expressions that are tried at a telltale."""
    shapes = [source for _, _, _, source in rules.SHAPES]
    return [
        *shapes,
        *rules.FORMS.values(),
        assigned._SIGN,
        private_keys._BEGIN,
        private_keys._HEAD,
        redaction._TAG,
        *map(telltales._with_surroundings, telltales.WORDS),
    ]


@pytest.mark.parametrize("source", sources())
def test_what_is_tried_at_a_telltale_has_an_end(source: str) -> None:
    """However long the text is."""
    assert bounded(source)


def test_control_an_expression_without_an_end_is_found_out() -> None:
    """Control: a repeat that goes on for as long as it can."""
    assert not bounded(r"a[a-z]*=")


def test_control_a_rule_that_goes_back_is_found_out() -> None:
    """Control: what looks to the end of the text from every place."""
    goes_back = Counted(re.compile(r"[a-z<]*="))

    def search(text: str) -> None:
        for place in range(len(text)):
            goes_back.match(text, place)

    assert growth(search, partial(text_of, NESTED)) > LINEAR
