"""What a file is that is searched (where it comes from, its day, topic and tags), and the rows that the index gets of it. Pure.

Which files these are, and how a change shows, is tree.py's. A passage's row number is its file's number and its place in the file
(`file << 20 | place`): its neighbours and its file are known without looking them up.
"""

from __future__ import annotations

import os
import time

from ..model import Value, slug
from ..storage.journal import parse
from ..util import compute_digest
from .wording import parts, words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .passages import Passage

    Cells = tuple[int | str | bytes, ...]

_OWN = frozenset(("state", "topic", "journal"))  # files whose sections are ours; in others, only those of a snapshot are
PLACE = 20  # bits of a row number that count the passages of one file
_JOURNAL = ".holdfast/journal/"


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


def prepared(number: int, path: str, stamp: str, data: bytes, trouble: str) -> tuple[list[Cells], Cells]:
    """The rows of a file's passages, and its own. What is wrong with it is said there, and no other file is the worse for it."""
    from .passages import passages, spoken_date

    if b"\0" in data[:8000]:
        trouble, data = "it is not text", b""
    whole = data.decode("utf-8", "replace")
    about = described(path, (whole.replace("\r\n", "\n") if b"\r" in data else whole).lstrip("\ufeff"), stamp)
    rows: list[Cells] = []
    above, words, named = None, "", ""  # what stands above a passage, and what of it is indexed: made once for all below it
    saying = (passage for passage in passages(about.text) if not _says_nothing(passage, about.origin))
    for place, passage in enumerate(saying, number << PLACE):
        if place >> PLACE > number:
            trouble = "it is too long; only its beginning is searched"
            break
        text, heading, date = passage.text, passage.heading, passage.date or about.date
        if (heading, date) != above:
            above, words = (heading, date), f"{heading} {about.words} {spoken_date(date)}"
            named = parts(f"{heading} {about.words}" if not about.words.isascii() else heading)
        besides = f"{parts(text)} {named}" if named else parts(text)
        lines = passage.first + about.above, passage.last + about.above
        rows.append((place, text, besides, words, passage.kind, date or about.changed, *lines, heading))
    digest = "" if trouble else compute_digest(data)
    values = (number, os.fsencode(path), stamp, digest, about.origin, about.date, about.topic)
    record = path.startswith(_JOURNAL) and "/" in path[len(_JOURNAL) :]
    return rows, (*values, " ".join(about.tags), len(rows), trouble, record)


def _says_nothing(passage: Passage, origin: str) -> bool:
    """Whether a passage is an empty section of ours, or one of our own sentences. The “none” of all checkpoints was one hit, the
    best for “next steps”, and the steps came after it or not at all.
    """
    if not (origin in _OWN or "[SNAPSHOT] " in passage.heading):
        return False
    from ..documents.markdown import UNSAID

    return passage.text in UNSAID
