"""A section of ours in a text file that is somebody else's, between two marks that say whose it is and how to be rid of it."""

from __future__ import annotations

import re

BEGIN = "<!-- holdfast: begin (`holdfast uninstall` removes this section) -->"
END = "<!-- holdfast: end -->"
# With the empty line before it. One that has lost its end mark does not reach to that of the next: what is between is a person's.
SECTION = re.compile(
    r"(?:(?<=\n)\r?\n)?<!-- holdfast: begin(?:(?!<!-- holdfast: begin).)*?<!-- holdfast: end -->[ \t]*(?:\r?\n)?", re.DOTALL
)


_OWN = "<!-- holdfast: this file (`holdfast uninstall` removes it) -->\n"


def as_ours(text: str) -> str:
    """The text of a file that is ours altogether, with the mark by which it is told from one that somebody else wrote."""
    return f"{text.rstrip()}\n\n{_OWN}"


def is_ours(text: str | None) -> bool:
    """Whether a file is ours altogether."""
    return text is not None and "<!-- holdfast: this file" in text


def with_section(text: str | None, body: str, *, at_top: bool = False) -> str:
    """The text with the section, in its place where it has one, else at the end, an empty line before it.

    At the top, below the title, where it is wanted there: wherever it stood before.
    """
    lines = [BEGIN, *body.strip("\n").split("\n"), END]
    end = "\r\n" if text and "\r\n" in text else "\n"
    section = end.join(lines) + end
    if not text:
        return section
    if at_top:
        return _put_below_title(without_section(text), section, end)
    found = SECTION.search(text)
    if found:
        lead = found[0][: len(found[0]) - len(found[0].lstrip("\r\n"))]
        return text[: found.start()] + lead + section + text[found.end() :]
    return text + ("" if text.endswith("\n") else end) + end + section


def _put_below_title(text: str, section: str, end: str) -> str:
    title = re.match(r"# [^\r\n]*\r?\n", text)
    return title[0] + end + section + text[title.end() :] if title else section + text


def without_section(text: str) -> str:
    """The text without any section of ours, and without the empty line that was put before it."""
    return SECTION.sub("", text)


def has_section(text: str | None, body: str) -> bool:
    """Whether the section stands there as it would be written today."""
    return text is not None and with_section(text, body) == text
