"""What almost is a secret, for every rule: its telltale again and again, with too little behind it, with words behind it.

`python bench/near_matches.py` measures what they cost; test_s11_rules_are_linear.py counts how the work grows.
"""
# ruff: noqa: E501

from __future__ import annotations

from collections.abc import Iterator

from holdfast.guard import rules


def _units() -> Iterator[tuple[str, str]]:
    """(name, what is repeated)."""
    for kind, prefixes, least, _ in rules.TOKENS:
        prefix = prefixes.split()[0]
        yield f"{kind}, again", prefix
        yield f"{kind}, too short", prefix + "a1" * (least // 2 - 1) + " "
        yield f"{kind}, words", prefix + "some-long-words-of-a-name-"
    for kind, telltale in ((kind, telltale) for kind, telltales, _, _ in rules.SHAPES for telltale in telltales):
        yield f"{kind} {telltale}, again", telltale
        yield f"{kind} {telltale}, begun", telltale + "a:b "
        yield f"{kind} {telltale}, digits", telltale + "1" * 14
    for word in (*rules.PASSWORD_WORDS[::6], *rules.KEY_WORDS[::4], rules.NAMES[0]):
        yield f"{word}, again", word
        yield f"{word}, assigned", f"{word}="
        yield f"{word}, quoted", f'{word} : "'
        yield f"{word}, in words", f"{word} "
    for unit in ("%41", "\\u0041", "\\/", "QUFB", "eyJ.", "-eyJ", "\u200b", "ａ", "\x1b[", "<private", "<private>", "[redacted:a:0000]"):
        yield repr(unit), unit
    yield "all prefixes", "".join(prefixes.split()[0] for _, prefixes, _, _ in rules.TOKENS)
    yield "headers", "-----BEGIN RSA PRIVATE KEY-----\n"
    yield "keys without footer", "-----BEGIN RSA PRIVATE KEY-----\n" + "A" * 64 + "\n"


UNITS = dict(_units())
NESTED = "private in private"  # what is taken out leaves another tag, and so on to the end


def text_of(case: str, length: int) -> str:
    """That many characters of a near-match."""
    if case == NESTED:
        depth = length // 22
        return "<pri" * depth + "<private></private>" + "vate></private>" * depth
    unit = UNITS[case]
    return (unit * (length // len(unit) + 1))[:length]


CASES = (*UNITS, NESTED)
