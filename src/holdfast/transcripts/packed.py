"""Text packed with zstd: rows of OpenClaw's database, its cold archives `sessions/cold/<sha256>.jsonl.zst`, old files of Codex.

A cold archive holds one record a line: `{"kind": "header", …}`, then `{"kind": "event", "row": {"seq", "event_json"}}` for each
entry, then what the host's own indexes need (identity, active, index, fts). The standard library unpacks zstd from Python
3.14 on; before, the `zstandard` package does, where it is installed.
"""

from __future__ import annotations

import sys
from collections import deque
from importlib import import_module

from . import Entry, Event
from .files import objects, shortened
from .lines import BLOCK, LONG
from .words import dict_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, BinaryIO

    from . import Reader, Tally
    from .inherited import Base

MISSING = "It is packed with zstd, which needs the zstandard package."
SPOILT = "What is packed with zstd could not be unpacked."


def stream(source: BinaryIO) -> Any:
    """What is packed in a binary stream, as a stream; None where nothing can unpack it here."""
    try:
        return import_module("compression.zstd").ZstdFile(source)
    except ImportError:
        pass
    try:
        return import_module("zstandard").ZstdDecompressor().stream_reader(source, read_across_frames=True)
    except ImportError:
        return None


def packed(data: bytes) -> bytes | None:
    """Bytes packed with zstd; None where nothing can pack them here."""
    try:
        pack = import_module("compression.zstd").compress
    except ImportError:
        try:
            pack = import_module("zstandard").ZstdCompressor().compress
        except ImportError:
            return None
    return bytes(pack(data))


def read(unpacked: Any, size: int) -> bytes | None:
    """The next bytes of a stream; None where what is packed is damaged."""
    own = [getattr(sys.modules.get(name), "ZstdError", OSError) for name in ("compression.zstd", "zstandard")]
    try:
        block: bytes = unpacked.read(size)
    except (*own, OSError, EOFError, ValueError, MemoryError):
        return None
    return block


def unpacked(blob: bytes, size: int, tally: Tally) -> bytes | None:
    """At most `size` bytes of a packed text."""
    from io import BytesIO

    source = stream(BytesIO(blob))
    if source is None:
        tally.closed(MISSING)
        return None
    found = read(source, size)
    if not found:
        tally.closed(SPOILT)  # an unfinished frame gives nothing, and no error
    return found or None


def records(source: BinaryIO, tally: Tally) -> Iterator[tuple[int, bytes]]:
    """The lines of a packed file, each with its offset in the text."""
    text = stream(source)
    if text is None:
        tally.closed(MISSING)
        return
    kept, offset, skipping = b"", 0, False
    while block := read(text, BLOCK):
        *ended, rest = (kept + block).split(b"\n")
        for line in ended:
            if not skipping:
                yield offset, line
            offset, skipping = offset + len(line) + 1, False
        kept = rest
        if len(kept) > LONG:
            if not skipping:
                tally.closed("A line is longer than 8 MB and was passed over.")
            offset, kept, skipping = offset + len(kept), b"", True
    if block is None or (not offset and not kept):
        tally.closed(SPOILT)
    elif kept and not skipping:
        yield offset, kept


def event_of(record: dict[str, Any]) -> tuple[int, bytes] | None:
    """The number and the text of the entry in a record of a cold archive; None where it holds none."""
    row = dict_of(record.get("row"))
    number, text = row.get("seq"), row.get("event_json")
    if record.get("kind") != "event" or not isinstance(number, int) or not isinstance(text, str):
        return None
    return number, text.encode("utf-8", "replace")


class Packed:
    """A packed file of lines. It is written once; a position is the offset in its text, with the reader's memory where it has
    one, and getting there unpacks it again.
    """

    def __init__(self, path: str, reader: Reader | None, tally: Tally) -> None:
        self._path, self._reader, self._tally = path, reader, tally
        self._taken_back = getattr(reader, "taken_back", None)
        self.position: Any = 0

    def _bases(self) -> list[Base]:
        """The files that it goes on from, where its host keeps what came before in others."""
        if not self._taken_back:
            return []
        from .inherited import bases

        return bases(self._path, self._tally)

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        try:
            with open(self._path, "rb") as source:
                yield from records(source, self._tally)
        except OSError:
            self._tally.closed("The file could not be opened.")

    def events(self, start: Any) -> Iterator[Event]:
        """Events from a position on."""
        offset, state = (start.get("offset"), start.get("state")) if isinstance(start, dict) else (start, None)
        begin = offset if isinstance(offset, int) and offset > 0 else 0
        if self._reader:
            self._reader.state = dict(dict_of(state)) if begin else {}
        self.position = self._at(begin)
        if not begin and self._taken_back:
            from .inherited import events

            yield from events(self._bases(), self._tally, lambda line: self._taken(line.text), self._taken_back)
        for offset, line in self._lines():
            if offset >= begin:
                found = self._taken(line)
                yield from found[:-1]
                self.position = self._at(offset + len(line) + 1)
                yield from found[-1:]

    def _taken(self, line: bytes) -> list[Event]:
        found: list[Event] = []
        for record in objects(line, self._tally):
            found += self._read(record)
        return found

    def _at(self, offset: int) -> Any:
        state = self._reader.state if self._reader else None
        return {"offset": offset, "state": dict(state)} if state else offset

    def _read(self, record: dict[str, Any]) -> list[Event]:
        if "kind" not in record:
            return self._tally.took(record, self._reader.events(record) if self._reader else None)
        entry = event_of(record)
        if entry is None:
            return self._tally.took(record, [])
        found: list[Event] = []
        for inner in objects(entry[1], self._tally):
            found += self._tally.took(inner, self._reader.events(inner) if self._reader else None)
        return found

    def from_end(self, limit: int, head: int, before: int | None = None) -> Iterator[Entry]:
        """Raw lines, newest first, before an offset where it is given; then those of the files that it goes on from.

        The file can only be gone through forward, so that the last ones are kept on the way.
        """
        kept: deque[Entry] = deque(maxlen=max(limit, 0))
        bases = self._bases()
        start = sum(base.end for base in bases)
        for offset, line in self._lines():
            if before is not None and offset >= before:
                break
            raw = self._bare(line)
            if raw.strip():
                kept.append(shortened(start + offset, raw, len(raw), head))
        yield from reversed(kept)
        if bases:
            from .inherited import from_end

            yield from from_end(bases, limit - len(kept), head, self._tally)

    def _bare(self, line: bytes) -> bytes:
        """A line, or the entry in it; nothing where it is a record of the host's indexes."""
        if b'"kind"' not in line[:40]:
            return line
        found = [event_of(record) for record in objects(line, self._tally)]
        return found[0][1] if found and found[0] else b""

    def entry(self, number: int) -> Entry | None:
        """The line at an offset, whole."""
        from .inherited import entry_in

        found, place = entry_in(self._bases(), number, self._tally)
        for offset, line in self._lines() if place >= 0 else ():
            if offset == place:
                raw = self._bare(line)
                found = Entry(number, raw.decode("utf-8", "replace"), len(raw), False)
                break
        if found:
            found.id = str(number)
        return found

    def close(self) -> None:
        """Nothing stays open between two readings."""
