"""How fresh a document says it is, and whether the links of MEMORY.md still lead somewhere. Pure.

The seeds write it in more than one way: `last_verified: 2026-11-03`,
`**Last updated:** 2026-11-03`, `_Last reviewed 2026-11-03_`,
`<!-- last_verified: 2026-11-03 -->`. Only the date is ever changed.
"""

from __future__ import annotations

import re

from ..documents import sections as s
from ..documents.days import day_of
from .homes import MEMORY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .plan import View

_HEAD = 15  # lines in which a document says how fresh it is, where it does not say `last …`
_STAMP = re.compile(
    r"(?i)(?:[^\w\n]|_){0,12}(?P<last>last[ _-]?)?"
    r"(?P<name>verified|reviewed|review|checked|freshness|updated)(?: (?:on|at|as of))?"
    r"(?:[^\w\n]|_){0,8}(?P<day>\d{4}-\d\d-\d\d)(?:[T ]\d\d:\d\d\S*)?"
    r"[ \t]*(?:[*_>)\]|(-].*)?\r?\n?\Z"
)
_LINK = re.compile(
    r"\[[^\]]*\]\(([^)\s]+)\)|(?<![\w/])((?:memory/)?(?:semantic|procedural)/[\w./-]+\.md)(#[\w-]+)?"
)


def freshness(text: str) -> str:
    """The day on which a document says that it was verified, or else updated; empty where it says none."""
    stamps = _stamps(text)
    verified = [found for _, found in stamps if found["name"].casefold() != "updated"]
    return max((found["day"] for found in verified or [found for _, found in stamps]), default="")


def redate(text: str, today: str) -> str:
    """A document with today in each place in which it says when it was verified or updated."""
    lines = s.lines_of(text)
    for number, found in _stamps(text):
        line = lines[number]
        lines[number] = line[: found.start("day")] + today + line[found.end("day") :]
    return "".join(lines)


def _stamps(text: str) -> list[tuple[int, re.Match[str]]]:
    found, fenced = [], False
    for number, line in enumerate(s.lines_of(text)):
        fenced ^= line.startswith(("```", "~~~"))
        stamp = _STAMP.match(line) if not fenced and len(line) < 200 else None
        if stamp and day_of(stamp["day"]) and (stamp["last"] or number < _HEAD):
            found.append((number, stamp))
    return found


def broken_links(view: View) -> list[str]:
    """Links of “Active Decisions” that lead to no file of ours, or to no heading in it."""
    section = s.find(s.parse(view.text(MEMORY) or ""), "Active Decisions")
    found = []
    for link in _LINK.finditer("".join(section.body) if section else ""):
        target, _, anchor = (link[1] or link[2] + (link[3] or "")).partition("#")
        if "://" in target:
            continue
        path = target if target.startswith(("memory/", MEMORY)) else f"memory/{target}"
        text = view.text(path)
        anchors = {_anchor(line) for line in (text or "").split("\n")}
        if text is None or (anchor and anchor.casefold() not in anchors):
            found.append(f"{MEMORY}: {target}{'#' if anchor else ''}{anchor}")
    return found


def _anchor(line: str) -> str:
    return re.sub(r"[^\w -]", "", line.lstrip("# ").casefold()).replace(" ", "-")
