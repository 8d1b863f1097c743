"""S11: no rule takes more than linear time, whatever it is given.

Every rule is given its own worst near-match, over and over: its telltale again and again, its telltale with almost enough
behind it. Four times the text may take four times the time; it takes sixteen where a rule goes back to where it began. Processor
time of this process, compared with itself, and measured again before it counts as a finding.
"""
# ruff: noqa: E501

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator

import pytest

from holdfast import rules
from holdfast.guard import redacted

SMALL = 6_000
QUADRATIC = 10.0  # between four, which is linear, and sixteen


def near_matches() -> Iterator[tuple[str, str]]:
    """(name, what is repeated)."""
    for kind, prefixes, least, _ in rules.TOKENS:
        prefix = prefixes.split()[0]
        yield f"{kind}, again", prefix
        yield f"{kind}, too short", prefix + "a1" * (least // 2 - 1) + " "
        yield f"{kind}, words", prefix + "some-long-words-of-a-name-"
    for kind, telltales, _, _ in rules.SHAPES:
        yield f"{kind}, again", telltales[0]
        yield f"{kind}, begun", telltales[0] + "a:b "
        yield f"{kind}, digits", telltales[0] + "1" * 14
    for word in (*rules.PASSWORD_WORDS[::6], *rules.KEY_WORDS[::4], rules.NAMES[0]):
        yield f"{word}, again", word
        yield f"{word}, assigned", f"{word}="
        yield f"{word}, quoted", f'{word} : "'
    for unit in ("%41", "\\u0041", "\\/", "QUFB", "eyJ.", "-eyJ", "\u200b", "ａ", "\x1b[", "<private", "<private>", "[redacted:a:0000]"):
        yield repr(unit), unit
    yield "headers", "-----BEGIN RSA PRIVATE KEY-----\n"
    yield "keys without footer", "-----BEGIN RSA PRIVATE KEY-----\n" + "A" * 64 + "\n"


CASES = dict(near_matches())


def spent(search: Callable[[str], object], unit: str, length: int) -> float:
    """Processor time for the unit repeated to that length."""
    text = (unit * (length // len(unit) + 1))[:length]
    begun = time.process_time()
    search(text)
    return time.process_time() - begun


def growth(search: Callable[[str], object], unit: str) -> float:
    """How much longer four times the text takes. What takes under a few milliseconds is measured on more of it."""
    length = SMALL
    while (small := spent(search, unit, length)) < 0.004 and length < 200_000:
        length *= 4
    return spent(search, unit, 4 * length) / max(small, 0.001)


@pytest.mark.parametrize("case", CASES)
def test_four_times_the_near_match_takes_about_four_times_as_long(case: str) -> None:
    """No rule goes back to where it began."""
    assert any(growth(redacted, CASES[case]) < QUADRATIC for _ in range(4))


def test_control_a_rule_that_goes_back_is_found_out() -> None:
    """Control: an expression that looks to the end from every place."""
    assert growth(re.compile(r"a[a-z]*=").search, "a") > QUADRATIC
