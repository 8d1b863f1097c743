"""Lines of a file that may be of any size and is being written by somebody else: from an offset, or from the end.

Read by `pread` in blocks, never by mmap: a file that is truncated under a mapping kills the process that maps it. Memory
stays bounded whatever the size of the file or of a line: of a line longer than `LONG`, only the beginning is read.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

BLOCK = 256 * 1024
LONG = 8 * 1024 * 1024


class Line:
    """A line by its place: where it begins, how long it is, and its text as far as it was read."""

    __slots__ = ("length", "offset", "text")

    def __init__(self, offset: int, length: int, text: bytes) -> None:
        self.offset, self.length, self.text = offset, length, text


def forward(fd: int, start: int = 0) -> Iterator[Line]:
    """Whole lines from an offset on. A last line without its end is not given: it is still being written."""
    offset, kept, length = start, bytearray(), 0
    at = start
    while block := os.pread(fd, BLOCK, at):
        begin = 0
        while (end := block.find(b"\n", begin)) >= 0:
            if length:
                if len(kept) < LONG:
                    kept += block[begin:end]
                yield Line(offset, length + end - begin, bytes(kept))
                kept, length = bytearray(), 0
            else:
                yield Line(offset, end - begin, block[begin:end])
            offset = at + end + 1
            begin = end + 1
        length += len(block) - begin
        if len(kept) < LONG:
            kept += block[begin:]
        at += len(block)


def backward(fd: int, head: int, before: int | None = None) -> Iterator[Line]:
    """Lines from the last one back, or from the last before an offset, each with its first `head` bytes. A last line without its
    end is given too.
    """
    size = os.fstat(fd).st_size
    end = size if before is None else min(max(before, 0), size)
    if end and os.pread(fd, 1, end - 1) == b"\n":
        end -= 1
    at = end
    while end > 0:
        block_start = max(0, at - BLOCK)
        block = os.pread(fd, at - block_start, block_start)
        found = block.rfind(b"\n")
        while found >= 0:
            offset = block_start + found + 1
            yield Line(offset, end - offset, _head(fd, offset, end, head, block, block_start))
            end = block_start + found
            found = block.rfind(b"\n", 0, found)
        at = block_start
        if at == 0:
            yield Line(0, end, _head(fd, 0, end, head, block, block_start))
            return


def _head(fd: int, offset: int, end: int, head: int, block: bytes, block_start: int) -> bytes:
    """The beginning of a line, from the block in hand where it has it."""
    want = min(head, end - offset)
    begin = offset - block_start
    return block[begin : begin + want] if begin + want <= len(block) else os.pread(fd, want, offset)
