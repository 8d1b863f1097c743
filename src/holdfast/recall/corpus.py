"""What a file is that is searched: where it comes from, its day, its topic, its tags; from its path and its text. Pure.

Which files these are, and how a change shows, is tree.py's.
"""

from __future__ import annotations

import os
import time

from ..model import Value, slug
from ..storage.journal import parse
from .wording import words_of


class Described(Value):
    """What a file is, from its path and its text."""

    text: str
    origin: str
    date: str = ""
    topic: str = ""
    tags: tuple[str, ...] = ()
    words: str = ""  # of its name and its tags
    above: int = 0  # lines above the text
    changed: str = ""  # the day on which it was last written


def described(path: str, text: str, stamp: str) -> Described:
    """What a file is. A journal record is its body; one that is torn says nothing, its document is the second copy."""
    from .passages import date_in, tags_in

    changed = time.strftime("%Y-%m-%d", time.localtime(int(stamp.partition(" ")[0]) // 1_000_000_000))
    if path.startswith(".holdfast/") and path.count("/") == 2:  # a day that is packed
        from ..storage.packing import bodies

        return Described(bodies(text), "journal", date_in(path), "", (), "", 0, changed)
    if path.startswith(".holdfast/"):
        record = parse(text)
        if record is None:
            return Described("", "journal")
        lines = text.partition("\n\n")[0].count("\n") + 2
        return Described(record.body, "journal", record.time[:10], record.topic.casefold(), (), record.kind, lines, changed)
    name = os.path.basename(path).encode("utf-8", "replace").decode()  # SQLite takes no half characters
    while name.endswith((".md", ".gz", ".zst")):
        name = name[: name.rindex(".")]
    topic = slug(name.removeprefix("context-")).casefold() if name.startswith("context-") else ""
    tags = tuple(tags_in(text))
    words = f"{words_of(name)} {' '.join(tags)}"
    date = date_in(name)
    return Described(text, _origin(path, name, topic, date), date, topic, tags, words, 0, changed)


def _origin(path: str, name: str, topic: str, date: str) -> str:
    """Where a passage comes from, in one word."""
    folders = path.split("/")[:-1]
    for folder in ("archive", "semantic", "procedural"):
        if folder in folders:
            return folder
    if not folders:
        return "state" if name.lower() == "session-state" else "memory"
    named = {"session-state": "state", "working-buffer": "buffer"}.get(name)
    return named or ("topic" if topic else "day" if date else "document")
