"""A closed day of the journal in one file: the same records, byte for byte, one below the other. Pure.

    <!-- holdfast-journal: 1 -->
    <!-- packed: 20261115-140509-317042-k3f9q2ab 412 -->
    <the 412 bytes of the record>

Every record keeps its own header and digest, so a pack needs none: what is torn in it is known record by record, and what is
whole is served. Where a length no longer fits, the next line that begins a record is looked for.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_START = b"<!-- packed: "
_HEAD = b"<!-- holdfast-journal: 1 -->\n"
_RECORD = re.compile(rb"<!-- packed: ([0-9]{8}-[0-9]{6}-[0-9]{6}-[0-9a-z]{8}) ([0-9]{1,12}) -->\n")
_HEADERS = re.compile(
    r"(?m)^<!-- (?:holdfast-journal|packed|holdfast-record|id|kind|session|topic|host|time|origin|trigger|after|digest): .*-->$"
)


def packed(records: Mapping[str, bytes]) -> bytes:
    """Records by their ids, as one file."""
    parts = [b"<!-- packed: %s %d -->\n%s\n" % (name.encode("ascii"), len(data), data) for name, data in sorted(records.items())]
    return _HEAD + b"".join(parts)


def unpacked(data: bytes) -> dict[str, bytes]:
    """The records of a pack, by their ids; of one that is torn, as far as they can be found."""
    found: dict[str, bytes] = {}
    at = len(_HEAD) if data.startswith(_HEAD) else 0
    while head := _RECORD.match(data, at) or _RECORD.search(data, at):
        end = head.end() + int(head[2])
        following = _RECORD.search(data, head.end())
        within = following is not None and following.start() <= end  # text that looks like one, or a length that was garbled
        if data[end : end + 1] != b"\n" or (within and not _START.startswith(data[end + 1 :][: len(_START)])):
            end = following.start() - 1 if following else len(data)
        found.setdefault(head[1].decode("ascii"), data[head.end() : end])
        at = end + 1
    return found


def rewritten(data: bytes, change: Callable[[str], str]) -> bytes:
    """A pack whose records were each put through a change, such as that of one who wants a text forgotten."""
    texts = {name: change(record.decode("utf-8", "surrogateescape")) for name, record in unpacked(data).items()}
    return packed({name: text.encode("utf-8", "surrogateescape") for name, text in texts.items()})


def bodies(text: str) -> str:
    """A pack as text for searching: every line in its place, the headers of its records blank."""
    return _HEADERS.sub("", text)
