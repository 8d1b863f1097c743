"""A prompt with a log in it: what the person typed, and what was pasted. Pure.

People put a log, a trace or a file into a prompt and say before or behind it what they want. It is the saying that must not be
lost. What was pasted shows by its lines: many in a row that are indented, stamped or fenced, or hold few plain words. Of such a
row its ends stay, since they may be the person's after all, and the number of lines between.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ..model import beginning

_ROW = 6  # lines that look like a machine's, one behind the other: fewer are left as they are
_FIRST, _LAST = 2, 1  # lines of a row that stay
_PLAIN = 0.6  # of the words of a line that a person wrote, so many are plain ones
_END = 150  # characters of the end of a text that is cut
_FENCE = "```"
_made = lru_cache(maxsize=None)(re.compile)
_ITEM = r"\s*(?:[-*•–]|\d{1,2}[.)]) \S"  # people write lists, and indent them
_STAMPED = r"[\[{}<|=+/]|\d{1,4}[-/:.]\d|(?:ERROR|WARN|INFO|DEBUG|TRACE|FATAL|NOTICE|CRITICAL)"
_WORD = r"\W*(?:[A-Za-zÀ-ɏ][a-zà-ɏ'’-]*|[^\x00-ɏ]+)\W*"


@lru_cache(maxsize=512)
def typed(text: str, first: int = _FIRST) -> str:
    """A prompt without the inside of what was pasted into it, but for so many lines; the same text where nothing was."""
    if text.count("\n") < _ROW:
        return text
    lines, made = text.split("\n"), _made_lines(text)
    found: list[str] = []
    at = 0
    while at < len(lines):
        end = at
        while end < len(lines) and made[end]:
            end += 1
        if end - at >= max(_ROW, first + _LAST + 2):
            found += [*lines[at : at + first], f"[… {end - at - first - _LAST} pasted lines …]", *lines[end - _LAST : end]]
        else:
            end = max(end, at + 1)
            found += lines[at:end]
        at = end
    return "\n".join(found) if len(found) < len(lines) else text


@lru_cache(maxsize=8)
def _made_lines(text: str) -> list[bool]:
    """Of each line, whether a machine made it; in a fence every one is pasted."""
    found, fenced = [], False
    for line in text.split("\n"):
        fence = line.lstrip().startswith(_FENCE)
        fenced = fenced != fence
        found.append(fenced or fence or _is_made(line))
    return found


def _is_made(line: str) -> bool:
    bare = line.strip()
    if not bare or _made(_ITEM).match(line):
        return False
    if line[0] in " \t" or _made(_STAMPED).match(bare):
        return True
    words = bare.split()
    return sum(bool(_made(_WORD).fullmatch(word)) for word in words) < _PLAIN * len(words)


def both_ends(text: str, limit: int) -> str:
    """A text on one line; of a long one its beginning and its end, of which a quarter or a sentence or two is enough."""
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    end = min(limit // 4, _END)
    first, last = beginning(line, limit - end), line[len(beginning(line, len(line) - end + 3)) :]
    # A cut runs through no word, where words have spaces between them.
    first = first[: first.rfind(" ", len(first) - 40)] if " " in first[-40:] else first
    last = last[last.find(" ", 0, 40) + 1 :]
    return f"{first.rstrip()} … {last}"


def gist(text: str, limit: int) -> str:
    """A prompt on one line, within a limit: all that the person typed, and of what was pasted as much as there is room for."""
    if len(line := " ".join(text.split())) <= limit:
        return line
    shown, first = typed(text), _FIRST
    while len(more := typed(text, first + 1)) <= limit and first < limit:
        shown, first = more, first + 1
    return both_ends(shown, limit)
