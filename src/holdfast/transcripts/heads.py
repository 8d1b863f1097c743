"""What the two ends of a transcript tell: the folder that the session was had in, when it began and ended, whose it is.

Only the first and the last kilobytes are read and nothing is taken apart, so that thousands of sessions can be gone through for
the few that belong to a folder. `"cwd":` cannot be met inside a text: there its quotes are escaped.
"""

from __future__ import annotations

import os
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO

    from .find import Found

_ZSTD = b"\x28\xb5\x2f\xfd"
_HEAD, _TAIL = 128 * 1024, 64 * 1024
_TEXT = rb'"((?:[^"\\]|\\.)*)"'
_FOLDER = re.compile(rb'"cwd":\s*' + _TEXT)
_STAMP = re.compile(rb'"(?:timestamp|startTime)":\s*"([^"\\]{10,40})"')
_HASH = re.compile(rb'"projectHash":\s*"([0-9a-f]{64})"')
# Sessions that no person had: a subagent's. What counts is the first entry that says so, one way or the other.
_SIDE = re.compile(rb'"isSidechain":\s*(true|false)')
_ASIDE = re.compile(rb'"source":\s*\{\s*"sub_?agent"|"thread_source":\s*"sub_?agent"|"kind":\s*"sub_?agent"', re.I)


class About:
    """What is known of a session without reading it. Moments are seconds since 1970, 0 where nothing tells them."""

    __slots__ = ("aside", "began", "ended", "folder", "project", "size")

    def __init__(self, folder: str, began: float, ended: float, size: int, *, aside: bool = False, project: str = "") -> None:
        self.folder, self.began, self.ended, self.size = folder, began, ended, size
        self.aside = aside  # a subagent's
        self.project = project  # Gemini's mark of a folder, its SHA-256, where it does not tell the folder itself

    def __repr__(self) -> str:
        return f"About({self.folder}, {self.size})"


def seconds(moment: str) -> float:
    """A moment in ISO form as seconds since 1970; 0 where it is none. Without an offset it is taken for UTC, as hosts mean it."""
    from datetime import UTC, datetime

    try:
        found = datetime.fromisoformat(moment)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return 0.0


def local(moment: str) -> str:
    """A moment of a transcript as a clock here shows it, 2026-11-15 14:05; empty where it is none. Hosts write it in UTC."""
    from time import localtime, strftime

    found = seconds(moment)
    return strftime("%Y-%m-%d %H:%M", localtime(found)) if found else ""


def about(found: Found) -> About:
    """What the ends of a transcript tell; what they do not is empty, and its end is then when it was last written."""
    if found.path.endswith((".db", ".sqlite")):
        return _in_database(found)
    head, tail, size = _ends(found.path)
    folder, began, stamps = _FOLDER.search(head), _STAMP.search(head), _STAMP.findall(tail)
    side, project = _SIDE.search(head), _HASH.search(head)
    return About(
        _plain(folder[1]) if folder else _project_root(found),
        seconds(began[1].decode("ascii", "replace")) if began else 0.0,
        (seconds(stamps[-1].decode("ascii", "replace")) if stamps else 0.0) or found.modified,
        size,
        aside=bool(side and side[1] == b"true") or bool(_ASIDE.search(head.split(b"\n", 1)[0])),
        project=project[1].decode() if project else "",
    )


def _ends(path: str) -> tuple[bytes, bytes, int]:
    try:
        with open(path, "rb") as file:
            head = file.read(_HEAD)
            size = os.fstat(file.fileno()).st_size
            if head.startswith(_ZSTD):
                file.seek(0)
                return _unpacked(file), b"", size
            file.seek(max(0, size - _TAIL))
            return head, file.read(_TAIL), size
    except OSError:
        return b"", b"", 0


def _unpacked(file: BinaryIO) -> bytes:
    """The head of a packed file; its end could only be had by unpacking all of it."""
    from .packed import read, stream

    text = stream(file)
    return (read(text, _HEAD) or b"") if text else b""


def _plain(text: bytes) -> str:
    from json import loads

    try:
        return str(loads(b'"' + text + b'"'))
    except ValueError:
        return ""


def _project_root(found: Found) -> str:
    """Gemini keeps the folder in a file beside the chats."""
    if found.host != "gemini":
        return ""
    try:
        with open(os.path.join(os.path.dirname(os.path.dirname(found.path)), ".project_root"), encoding="utf-8") as file:
            return file.read(4096).strip()
    except (OSError, ValueError):
        return ""


def _in_database(found: Found) -> About:
    from . import Tally
    from .databases import Database, text

    database = Database(found.path, Tally())
    folder, began, size = "", 0.0, 0
    try:
        if found.host == "opencode":
            rows = database.rows("SELECT directory, time_created FROM session WHERE id = ?", found.session)
            folder = text(rows[0][0]) if rows else ""
            began = rows[0][1] / 1000 if rows and isinstance(rows[0][1], (int, float)) else 0.0
            sizes = database.rows("SELECT sum(length(data)) FROM part WHERE session_id = ?", found.session)
        else:
            query = "SELECT substr(event_json, 1, 4096) FROM transcript_events WHERE session_id = ? ORDER BY seq LIMIT 1"
            head = text(rows[0][0]).encode() if (rows := database.rows(query, found.session)) else b""
            told, stamp = _FOLDER.search(head), _STAMP.search(head)
            folder, began = _plain(told[1]) if told else "", seconds(stamp[1].decode("ascii", "replace")) if stamp else 0.0
            sizes = database.rows("SELECT sum(length(event_json)) FROM transcript_events WHERE session_id = ?", found.session)
        size = sizes[0][0] if sizes and isinstance(sizes[0][0], int) else 0
    finally:
        database.close()
    return About(folder, began, found.modified, size)
