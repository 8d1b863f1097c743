r"""The last step before a terminal: characters that steer one are shown, not sent.

A document, a file's name or an error may hold escape sequences, bells, C1 controls and marks that turn the direction of
writing. A terminal obeys them: it can hide lines, rewrite what was said before, or set its own title. So all that a command
prints passes through `CleanStream`, and such a character comes out as its code: `\x1b`, `\u202e`.

What programs read is left as it is unless it goes to a terminal: the replies of `hook` and `mcp`, and what `redact`, `cache get`
and `--raw` hand through byte for byte. JSON loses nothing either way: `cli.in_json` writes these characters as JSON escapes.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TextIO

BYTE_FOR_BYTE = ("hook", "mcp", "redact")  # commands whose output is for programs

_STEERING = (
    *(code for code in range(0x20) if code not in (0x09, 0x0A)),
    *range(0x7F, 0xA0),  # delete, and the C1 controls
    0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A),  # directions of writing
    0x2028, 0x2029, *range(0xFFF9, 0xFFFC),  # separators and annotations
    *range(0xE0000, 0xE0080),  # tags, which no font draws
)  # fmt: skip
_BROKEN = range(0xDC80, 0xDCA0)  # bytes that are no UTF-8, and that a terminal may take for C1 controls


def _code(number: int) -> str:
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


_SHOWN = {number: _code(number) for number in _STEERING} | {number: _code(number - 0xDC00) for number in _BROKEN}
_ESCAPED = {number: f"\\u{number:04x}" for number in _STEERING if 0x7F <= number < 0x10000}


def clean_text(text: str) -> str:
    """The text with every character that steers a terminal shown as its code; a line may end with CR LF."""
    if text.isprintable() or text.replace("\n", " ").replace("\t", " ").isprintable():
        return text
    return text.replace("\r\n", "\n").translate(_SHOWN)


def escape_json(text: str) -> str:
    """A JSON text with the same characters as JSON escapes: it says the same to whoever reads it."""
    return text if text.isascii() and "\x7f" not in text else text.translate(_ESCAPED)


class CleanStream:
    """A text stream that shows what would steer a terminal. `raw` is the stream beneath, for colours of our own."""

    def __init__(self, raw: TextIO) -> None:
        self.raw = raw

    def write(self, text: str) -> int:
        """Write a text, cleaned; returns how long it was."""
        self.raw.write(clean_text(text))
        return len(text)

    def writelines(self, lines: Any) -> None:
        """Write several texts, cleaned."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.raw, name)


def raw_stream(stream: Any) -> Any:
    """The stream to which our own colours and cursor movements go; never what was read from somewhere."""
    return getattr(stream, "raw", stream) if isinstance(stream, CleanStream) else stream
