"""How memory goes out into a context: visible, without power, and between two marks that it cannot forge.

Rule 1: what a person cannot see, a model must not read: control, invisible and bidirectional characters, tags and fillers are
        left out. What scripts and emoji need of them stays: joiners between letters that join, the selector behind a symbol,
        three flags.
Rule 2: words by which hosts and models mark their own parts (`<system-reminder>`, `[INST]`, `Human:` at the start of a line)
        are disarmed, a character for a character, so that they can still be read and the length stays; and so are our own marks,
        wherever in a line they stand. Claude Code and Gemini CLI put what we give between tags of their own, which such a word
        would close; models know the others wherever they stand. Code is none of it: `List<User>` and a fence that is closed
        stay as they are. No host puts memory into a fence; one that is left open would run over the end of the frame.
        `explain_changes` says what was replaced.
Rule 3: the marks are made of the text itself under the workspace's key. Whoever wrote a line of it, knowing all but the key,
        cannot write the line that ends it.
"""

from __future__ import annotations

import re

from ..util import compute_digest
from .entering import ASIDE, foreign_letters, is_invisible, is_left_out, printable, without_secrets

_JOINERS, _SELECTORS, _KEYCAPS = "\u200c\u200d", "\ufe0e\ufe0f", "0123456789#*"
_NEEDED = _JOINERS + _SELECTORS  # by scripts and emoji
_FLAGS = tuple("\U0001f3f4" + "".join(chr(0xE0000 + ord(c)) for c in name) + "\U000e007f" for name in ("gbeng", "gbsct", "gbwls"))
_ASIDE = ord(ASIDE)  # flags wait there, and nothing else comes out of it
_HOST_TAGS = (
    "system-reminder|user_instructions|environment_context|hook_context|"
    "hook_prompt|persisted-output|turn_aborted|task-notification|local-command-[a-z]+|command-[a-z]+|tool_result|tool_use|"
    "function_calls?|function_results|invoke|antml:[a-z_]+|thinking|private"
)
# Words that programs use as well, there with a capital: `<User>` is a type or a component, `<user>` and `<USER>` a speaker.
_WORD_TAGS = "system|assistant|user|human|developer|instructions?|subagent[a-z_-]*|skill[a-z_-]*|permissions?"
_TAGS = f"{_HOST_TAGS}|{_WORD_TAGS}"
_ROLES = ("human", "assistant", "system", "user", "developer")
_RESERVED = (
    rf"<(?=[\s/]{{0,4}}(?:{_HOST_TAGS})\b|\||<SYS|</SYS|/?s>)|\[(?=/?INST\])"
    rf"|<(?=[\s/]{{0,4}}(?:{_WORD_TAGS})\b)(?!/?(?-i:[A-Z][a-z]))"
    rf"|---(?=[^\S\n]+(?:memory|end)\b)|^[^\S\n]*(?:{'|'.join(_ROLES)})[^\S\n]*:"
)
# How what is reserved begins behind its sign, as plain text: at most more than the expression finds, never less.
_TAG_WORDS = (*(tag.partition("[")[0].removesuffix("s?") for tag in _TAGS.split("|")), "|", "<", "s>")
_BEHIND = {"<": _TAG_WORDS, "---": ("memory", "end")}
_INSTEAD = {"<": "‹", "[": "⟦", "-": "–--"}  # by what a reserved word begins with


def visible(text: str) -> str:
    """A text as a person sees it."""
    text = printable(text)
    if not any(is_left_out(c) for c in foreign_letters(text)):
        return text
    flags = [flag for flag in _FLAGS if flag in text]
    text = "".join(c for c in text if c < ASIDE)
    for number, flag in enumerate(flags):
        text = text.replace(flag, chr(_ASIDE + number))
    shown = "".join(c for c in text if c.isascii() or c >= ASIDE or c in _NEEDED or not is_left_out(c))
    # Selectors before joiners, which look at them; so that what is left does not change if it is looked at again.
    for signs, has_place in ((_SELECTORS, _selects), (_JOINERS, _joins_two)):
        shown = "".join(c for at, c in enumerate(shown) if c not in signs or has_place(shown, at))
    for number, flag in enumerate(flags):
        shown = shown.replace(chr(_ASIDE + number), flag)
    return shown


def _selects(text: str, at: int) -> bool:
    """Whether the selector here stands behind what has two looks: a symbol, or a digit that becomes a key."""
    before = text[max(0, at - 1) : at]
    return bool(before) and (before in _KEYCAPS or not (before.isascii() or before.isalpha() or is_invisible(before)))


def _joins_two(text: str, at: int) -> bool:
    """Whether the joiner here has something on either side that joins."""
    before, behind = text[max(0, at - 1) : at], text[at + 1 : at + 2]
    return _joins(before) and (_joins(behind) or _is_mark(before))


def _joins(letter: str) -> bool:
    """Whether a joiner beside it has something to join: letters that are not of ASCII, marks, symbols."""
    return bool(letter) and not letter.isascii() and (letter in _SELECTORS or not is_invisible(letter))


def _is_mark(letter: str) -> bool:
    """A sign that ends a consonant: a joiner behind it says which form that takes, also at the end of a word."""
    from unicodedata import category

    return category(letter) == "Mn"


def disarmed(text: str) -> str:
    """A text in which no word of a host or a model stands as theirs; as long as it was, and still to be read."""
    if "```" in text or "~~~" in text:
        text = _without_open_fences(text)
    if not _may_have_reserved(text):
        return text
    return re.compile(_RESERVED, re.I | re.M).sub(lambda found: _INSTEAD.get(found[0][0]) or found[0][:-1] + "：", text)


_ROUNDS = 4
_FENCE_LINE = r"^[ \t>*+\-\d.)]*(`{3,}|~{3,})([^\n]*)$"


def _without_open_fences(text: str) -> str:
    """Replace the marks of every fence that is left open, as many as there were.

    To replace some may make a fence of others, so that it is done until nothing changes. What is still not closed after
    a few rounds was made to be so, and loses all its marks.
    """
    for _ in range(_ROUNDS):
        closed = _replace_open_fences(text)
        if closed == text:
            return text
        text = closed
    return re.sub(r"`{3,}|~{3,}", lambda run: "’" * len(run[0]), text)


def _replace_open_fences(text: str) -> str:
    """One round of it.

    Whoever reads markdown to the letter takes only a line of its own for the end of a fence, and whoever does not takes any three
    marks for one: neither finds a fence that is still open at the end.
    """
    lines = list(re.finditer(_FENCE_LINE, text, re.M))
    longest_below = _longest_closing_below(lines)
    gone: list[tuple[int, int]] = []
    fences: list[tuple[int, int]] = []  # from the first mark of each to its last
    opened: re.Match[str] | None = None
    for line, below in zip(lines, longest_below, strict=True):
        sign, size = line[1][0], len(line[1])
        if opened is None and (sign == "~" or "`" not in line[2]):
            if below[sign] >= size:
                opened = line
            else:
                gone.append(line.span(1))
        elif opened and sign == opened[1][0] and size >= len(opened[1]) and not line[2].strip():
            fences.append((opened.start(1), line.end(1)))
            opened = None
    gone += _unpaired_runs(text, fences, gone)
    parts: list[str] = []
    at = 0
    for start, end in sorted(gone):
        parts += [text[at:start], "’" * (end - start)]
        at = end
    return "".join([*parts, text[at:]])


def _longest_closing_below(lines: list[re.Match[str]]) -> list[dict[str, int]]:
    """For each line with marks of a fence, how many of a kind close one below it, at most."""
    found: list[dict[str, int]] = []
    longest = {"`": 0, "~": 0}
    for line in reversed(lines):
        found.append(dict(longest))
        if not line[2].strip():
            longest[line[1][0]] = max(longest[line[1][0]], len(line[1]))
    return found[::-1]


def _unpaired_runs(text: str, fences: list[tuple[int, int]], gone: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Three marks in the midst of a line that have no partner, outside of fences: of each kind one at most, the last."""
    last: dict[str, tuple[int, int]] = {}
    replaced = set(gone)
    among = iter([*fences, (len(text), len(text))])
    start, end = next(among)
    for run in re.finditer(r"`{3,}|~{3,}", text):
        while run.start() >= end and end < len(text):
            start, end = next(among)
        if start <= run.start() < end or run.span() in replaced:
            continue
        if last.pop(run[0][0], None) is None:
            last[run[0][0]] = run.span()
    return list(last.values())


def explain_changes(text: str) -> str:
    """A line that says which signs `framed` replaces in a text, in fixed words; empty where it leaves all as they are."""
    seen = visible(text)
    shown = disarmed(seen)
    if shown == seen:
        return ""
    pairs = sorted({(new, old) for old, new in zip(seen, shown, strict=True) if old != new})
    said = ", ".join(f"{new} stands for {old}" for new, old in pairs)
    return f"Replaced in this memory, where a host or a model could take it for a mark of its own: {said}.\n"


def _may_have_reserved(text: str) -> bool:
    """Whether a closer look is needed: for most briefs it is not, and compiling the expression takes as long as making one."""
    low = _folded(text)
    if "inst]" in low:
        return True
    for sign, words in _BEHIND.items():
        at = low.find(sign)
        while at >= 0:
            behind = low[at + len(sign) : at + len(sign) + 40].replace("/", " ").lstrip()
            if behind.startswith(words):
                return True
            at = low.find(sign, at + 1)
    return any(_is_a_role(line.lstrip()) for line in low.split("\n"))


def _is_a_role(line: str) -> bool:
    """Whether a line begins as a host marks who speaks: `user:`, but not `user picked`."""
    return line.startswith(_ROLES) and any(line.startswith(role) and line[len(role) :].lstrip()[:1] == ":" for role in _ROLES)


def _folded(text: str) -> str:
    """A text in which every letter that an expression takes for one of ASCII is that one, in lower case.

    Mostly a text has none but those of ASCII itself, and to fold these among bytes takes a tenth of the time.
    """
    if not any(letter in "\u0130\u0131" or not _is_foreign(letter.casefold()) for letter in foreign_letters(text)):
        return text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")
    # An expression takes these two for an i, and folding does not. By `replace`: `translate` takes fifty times as long.
    return text.replace("\u0130", "i").replace("\u0131", "i").casefold()


def _is_foreign(text: str) -> bool:
    return not any(letter.isascii() for letter in text)


def framed(text: str, key: bytes = b"") -> str:
    """Memory between its two marks, without secrets: a person may have written one into a document by hand."""
    text = disarmed(visible(without_secrets(text, lambda: key)))
    mark = compute_digest(text.encode("utf-8", "surrogateescape"), key)[:10]
    return f"--- memory {mark} ---\n{text}\n--- end {mark} ---\n"
