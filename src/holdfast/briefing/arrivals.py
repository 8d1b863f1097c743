"""Whether what was given has arrived, and whether a boundary has gone by: what a transcript's newest lines tell of both.

A host whose requests our own plugin has seen tells the first by itself.

Only lines that were written since the last look are read, a few megabytes at a time; what they mean is said by `delivery`.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..hosts import Call
    from .delivery import Delivery

_LOOKED_AT = 8 << 20  # bytes of a transcript that are looked at together
_NO_LINES = (".db", ".sqlite", ".zst")


def looked(delivery: Delivery, call: Call, adapter: Any) -> Delivery:
    """What is known of a delivery, and of a boundary, after a look at the lines that the host has written since."""
    signs, now = getattr(adapter, "BOUNDARIES", ()), delivery
    if delivery.is_open and delivery.mark in call.seen:
        return delivery.replaced(verdict=call.seen[delivery.mark])
    if not call.transcript or call.transcript.endswith(_NO_LINES):
        return delivery
    while True:
        lines, since = _lines_since(call.transcript, now.since)
        now = now.after(lines, getattr(adapter, "SIGN", b""), call.event) if now.is_open else now
        now = now.replaced(since=since, boundary=now.boundary or any(sign in lines for sign in signs))
        if len(lines) < _LOOKED_AT // 2:
            return now


def size(path: str) -> int:
    """How many bytes a transcript has by now; 0 where there is none."""
    try:
        return os.stat(path).st_size if path else 0
    except OSError:
        return 0


def _lines_since(path: str, since: int) -> tuple[bytes, int]:
    """The whole lines of a transcript since a place in it, as many as one hook looks at, and where they end."""
    try:
        with open(path, "rb") as file:
            start = since if since <= os.fstat(file.fileno()).st_size else 0  # written anew
            file.seek(start)
            data = file.read(_LOOKED_AT)
    except OSError:
        return b"", since
    end = data.rfind(b"\n") + 1 or (len(data) if len(data) == _LOOKED_AT else 0)
    return data[:end], start + end
