"""What almost is a secret, for every rule: its telltale again and again, with too little behind it, with words behind it.

`python bench/near_matches.py` measures what they cost; test_s11_rules_are_linear.py counts how the work grows.
"""
# ruff: noqa: E501

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from holdfast.guard import rules


def _units() -> Iterator[tuple[str, str, str]]:
    """(name, telltale, what stands behind it): both are repeated."""
    for kind, prefixes, least, _ in rules.TOKENS:
        prefix = prefixes.split()[0]
        yield f"{kind}, again", prefix, ""
        yield f"{kind}, too short", prefix, "a1" * (least // 2 - 1) + " "
        yield f"{kind}, words", prefix, "some-long-words-of-a-name-"
    for kind, telltale in ((kind, telltale) for kind, telltales, _, _ in rules.SHAPES for telltale in telltales):
        yield f"{kind} {telltale}, again", telltale, ""
        yield f"{kind} {telltale}, begun", telltale, "a:b "
        yield f"{kind} {telltale}, digits", telltale, "1" * 14
    for word in (*rules.PASSWORD_WORDS[::6], *rules.KEY_WORDS[::4], rules.NAMES[0]):
        yield f"{word}, again", word, ""
        yield f"{word}, assigned", word, "="
        yield f"{word}, quoted", word, ' : "'
        yield f"{word}, in words", word, " "
    for unit in ("%41", "\\u0041", "\\/", "QUFB", "eyJ.", "-eyJ", "\u200b", "ａ", "\x1b[", "<private", "<private>", "[redacted:a:0000]"):
        yield repr(unit), unit, ""
    for head in ("MIIEpQIBAAKCAQEA", "MIIEvgIBADANBgkqhkiG9w0BAQEFAASC", "MHcCAQEEI", "MC4CAQAwBQYDK2V", "GCSqGSIb3DQEFD", "b3BlbnNzaC1rZXktdjEA"):
        yield f"{head}, again", head, ""
        yield f"{head}, begun", head, "\n"
        yield f"{head}, a line", head, "A" * 40 + "\n"
    yield "all prefixes", "".join(prefixes.split()[0] for _, prefixes, _, _ in rules.TOKENS), ""
    yield "headers", "-----BEGIN RSA PRIVATE KEY-----\n", ""
    yield "keys without footer", "-----BEGIN RSA PRIVATE KEY-----\n", "A" * 64 + "\n"


PARTS = {name: (telltale, behind) for name, telltale, behind in _units()}
UNITS = {name: telltale + behind for name, (telltale, behind) in PARTS.items()}
NESTED = "private in private"  # what is taken out leaves another tag, and so on to the end


def text_of(case: str, length: int) -> str:
    """That many characters of a near-match."""
    if case == NESTED:
        depth = length // 22
        return "<pri" * depth + "<private></private>" + "vate></private>" * depth
    unit = UNITS[case]
    return (unit * (length // len(unit) + 1))[:length]


CASES = (*UNITS, NESTED)
_WORDS = ["some", "name", "of", "a", "thing", "that", "was", "here", "for", "one", "day", "and", "then", "went", "on", "with", "its", "work", "as", "if", "all", "were", "well", "again"]


def varied(case: str, length: int) -> str:
    """So many characters of a near-match of which no two are alike: behind each telltale stand other words, letters and digits than
    behind the one before. What is known again costs less, and nobody who means it says the same thing over and over.
    """
    dice = random.Random(case)
    telltale, behind = PARTS[case]

    def other(found: re.Match[str]) -> str:
        said = found[0]
        if said.isdigit():
            return "".join(dice.choices("0123456789", k=len(said)))
        return dice.choice(_WORDS) if len(said) > 1 else dice.choice("abcdefghijklmnopqrstuvwxyz")

    parts: list[str] = []
    made = 0
    while made < length:
        said = re.sub(r"[A-Za-z]+|[0-9]+", other, behind) if re.search(r"[A-Za-z0-9]", behind) else behind + dice.choice(_WORDS) + " "
        parts.append(telltale + said)
        made += len(parts[-1])
    return "".join(parts)[:length]
