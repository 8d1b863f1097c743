"""What is searched: which files of a workspace, what each of them is, and how a change shows. Reads, and writes nothing.

MEMORY.md, everything in `memory/` (and in the context folder, where that lies elsewhere), and the journal; packed days are
unpacked on the way. Links are not followed: they may lead out of the workspace.
"""

from __future__ import annotations

import os
import stat
import time

from .journal import parse
from .model import Value, slug
from .wording import words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .config import Config

LONG = 64 << 20  # bytes that are read of one file
_SETTLED = 2_000_000_000  # nanoseconds: a file that was written so lately may change again without its moment showing it


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


def files(
    workspace: str, config: Config, known: dict[str, str], folders: dict[str, str], now: int
) -> Iterator[tuple[str, os.stat_result | None]]:
    """Every file that is searched; of a journal day that is as it was, the folder alone, with None."""
    for name in ("MEMORY.md", "SESSION-STATE.md"):
        try:
            found = os.stat(os.path.join(workspace, name), follow_symlinks=False)
        except OSError:
            continue
        if stat.S_ISREG(found.st_mode):
            yield name, found
    places = ["memory"]
    if config.contextDir.split(os.sep)[0] != "memory":
        places.append(config.contextDir)
    for place in places:
        yield from _below(workspace, place)
    journal = os.path.join(workspace, ".holdfast", "journal")
    for day in _listed(journal):
        path = f".holdfast/journal/{day.name}/"
        try:
            stamp = stamped(day.stat(follow_symlinks=False), now)
        except OSError:
            continue
        folders[path] = stamp
        if known.get(path) == stamp and not stamp.endswith("?"):
            yield path, None
        else:
            yield from ((path + entry.name, entry.stat(follow_symlinks=False)) for entry in _listed(day.path) if _is_text(entry))


def _below(workspace: str, place: str) -> Iterator[tuple[str, os.stat_result]]:
    """Every document in a folder and below it. Links are not followed: they may lead out of the workspace."""
    for entry in _listed(os.path.join(workspace, place)):
        try:
            if entry.is_dir(follow_symlinks=False):
                if not entry.name.startswith("."):
                    yield from _below(workspace, f"{place}/{entry.name}")
            elif _is_text(entry):
                yield f"{place}/{entry.name}", entry.stat(follow_symlinks=False)
        except OSError:
            continue  # it went while we looked


def _listed(path: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(path) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return []


def _is_text(entry: os.DirEntry[str]) -> bool:
    return entry.name.endswith((".md", ".md.gz", ".md.zst")) and entry.is_file(follow_symlinks=False)


def stamped(found: os.stat_result, now: int) -> str:
    """By what a file is known to be as it was; with a question mark where it was written too lately to be sure."""
    latest = max(found.st_mtime_ns, found.st_ctime_ns)
    return f"{found.st_mtime_ns} {found.st_ctime_ns} {found.st_size}{'?' if latest > now - _SETTLED else ''}"


def content(path: str) -> bytes:
    """The bytes of a file, unpacked where it is packed."""
    with open(path, "rb") as file:
        if path.endswith(".gz"):
            import gzip

            with gzip.open(file) as packed:
                return packed.read(LONG)
        if path.endswith(".zst"):
            from .transcripts.packed import MISSING, SPOILT, read, stream

            unpacked = stream(file)
            if unpacked is None:
                raise ValueError(MISSING)
            data = read(unpacked, LONG)
            if data is None:
                raise ValueError(SPOILT)
            return data
        return file.read(LONG)
