"""Two hands in one file: what we wrote and what a person saved meanwhile, in one text."""

from __future__ import annotations

from ..documents import sections as s

TYPE_CHECKING = False
if TYPE_CHECKING:
    from difflib import SequenceMatcher


def merged(base: str, ours: str, theirs: str) -> str:
    """Their text with our changes made to it: what a person saved while we were writing, and what we wrote, in one.

    Lines that either side added are there; a line that either side took out is gone. A line is known by its place, not by its
    text alone: the `- same` that we take out of a list must not be the `- same` of somebody else's list.
    """
    if base == theirs:
        return ours
    old, new, out = (s.lines_of(s.closed(text)) for text in (base, ours, theirs))
    place = {a + k: b + k for a, b, length in _alike(old, out).get_matching_blocks() for k in range(length)}
    # From the last change to the first, so that the places of the earlier ones stay what they are.
    for tag, i1, i2, j1, j2 in reversed(_alike(old, new).get_opcodes()):
        if tag == "equal":
            continue
        anchor = next((place[i] for i in range(i1 - 1, -1, -1) if i in place), -1 if i1 < len(old) else len(out) - 1)
        for i in reversed(range(i1, i2)):
            if i in place:
                del out[place[i]]
        out[anchor + 1 : anchor + 1] = new[j1:j2]
    return s.like(theirs, "".join(out))


def _alike(one: list[str], other: list[str]) -> SequenceMatcher[str]:
    from difflib import SequenceMatcher

    return SequenceMatcher(None, one, other, autojunk=False)


def kept(before: str, after: str) -> str:
    """What of a text is still there after a change."""
    lines, changed = s.lines_of(s.closed(before)), s.lines_of(s.closed(after))
    return "".join("".join(lines[a : a + length]) for a, _, length in _alike(lines, changed).get_matching_blocks())


def united(text: str, strayed: str) -> str:
    """A text with the lines of another that it lacks, each at the place that it has there; none twice."""
    here, there = s.lines_of(s.closed(text)), s.lines_of(s.closed(strayed))
    lacking = {line: there.count(line) - here.count(line) for line in there if line.strip()}
    out: list[str] = []
    for _, i1, i2, j1, j2 in _alike(here, there).get_opcodes():
        out += here[i1:i2]
        run: list[str] = []
        for line in there[j1:j2] if here[i1:i2] != there[j1:j2] else ():
            if not line.strip() or lacking[line] > 0:
                run.append(line)
                lacking[line] = lacking.get(line, 0) - 1
        if any(line.strip() for line in run):
            out += run
    return "".join(out)
