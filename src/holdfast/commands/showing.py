"""What `holdfast init HOST` and `holdfast uninstall HOST` show before they ask: a summary, then the edits as diffs.

The summary is short enough for one screen. The diffs are of the user's own files; files that are ours altogether are listed with
their sizes, and shown whole where that is asked for. At a terminal there is colour, and what is longer than the screen goes
through the user's pager.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys

from ..guard.entering import printable
from ..installs import Edit, Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_LESS = "-FRX -Psspace shows more, q leaves and asks$"  # where the user has set nothing of their own
_RED, _GREEN, _CYAN, _BOLD = "31", "32", "36", "1"


def say(line: str) -> None:
    """Print a line, without whatever would move the terminal's cursor."""
    print(printable(line))


def tilde(path: str, place: Place) -> str:
    """A path as people write it."""
    return f"~{path[len(place.home) :]}" if path.startswith(place.home + "/") else path


# ---- the summary ----------------------------------------------------------------------------------------------------------


def summarise(rows: Iterable[tuple[str, list[str]]]) -> list[str]:
    """A table of two columns: what it is about, and each thing; rows with nothing in them are left out."""
    from textwrap import wrap

    width = max(40, shutil.get_terminal_size((100, 24)).columns - 1)
    lines = []
    for name, items in rows:
        for number, item in enumerate(items):
            label = f"  {name if not number else '':<12} "
            lines += wrap(
                item, width, initial_indent=label, subsequent_indent=" " * (len(label) + 2),
                break_long_words=False, break_on_hyphens=False,
            )  # fmt: skip
    return lines


def describe(edit: Edit, place: Place) -> str:
    """One edit in a line: the file, what happens to it, and what for."""
    return f"{tilde(edit.path, place)}{_linked(edit, place)} ({_what_happens(edit)}): {edit.why}"


def _what_happens(edit: Edit) -> str:
    if edit.before is None:
        return f"new, {_count(len((edit.after or '').splitlines()), 'line')}"
    if edit.after is None:
        return "removed"
    changes = [
        line
        for line in diff(edit.before, edit.after, edit.path)
        if not line.startswith(("---", "+++"))
    ]
    added, gone = (sum(line.startswith(sign) for line in changes) for sign in "+-")
    return f"{_count(added, 'line')} added" + (f", {gone} taken out" if gone else "")


def list_ours(edits: list[Edit], place: Place) -> list[str]:
    """The files that are ours altogether: each folder once, with how many and how large."""
    folders: dict[str, list[Edit]] = {}
    for edit in edits:
        folders.setdefault(_shared_folder(edit.path, edits), []).append(edit)
    lines = []
    for folder, found in folders.items():
        size = sum(
            len((edit.after or edit.before or "").encode("utf-8", "surrogateescape"))
            for edit in found
        )
        lines.append(f"{tilde(folder, place)}/: {_count(len(found), 'file')}, {_size(size)}")
    return lines


def _shared_folder(path: str, edits: list[Edit]) -> str:
    """The outermost folder of a file that others of ours are in too."""
    folders = {os.path.dirname(edit.path) for edit in edits}
    above = [folder for folder in folders if path.startswith(folder + os.sep)]
    return min(above, key=len)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _size(number: int) -> str:
    return f"{number} bytes" if number < 1000 else f"{number / 1000:.1f} kB"


# ---- the edits ------------------------------------------------------------------------------------------------------------


def show(
    edits: Iterable[Edit], place: Place, *, whole: bool, page: bool, summary: Iterable[str] = ()
) -> None:
    """The summary, then every edit: a diff of a file of the user's, a line for one of ours; all as diffs where `whole`.

    In one text, so that a pager opens with the summary.
    """
    edits, head = list(edits), [printable(line) for line in summary]
    ours = [edit for edit in edits if edit.ours and not whole]
    text = "".join(f"{render_edit(edit, place)}\n" for edit in edits if edit not in ours)
    if ours:
        text += "".join(f"{_listed(edit, place)}\n" for edit in ours) + "\n"
    paint = _wants_colour(place.env)
    text = "\n".join(_colour_line(line) if paint else line for line in printable(text).split("\n"))
    text = "".join(f"{line}\n" for line in [*head, *([""] if head else [])]) + text
    if not (page and _show_in_pager(text, place.env)):
        print(text, end="")


def _listed(edit: Edit, place: Place) -> str:
    """A file that is ours altogether, in a line with its size."""
    sign = "+" if edit.before is None else "-" if edit.after is None else "~"
    size = len((edit.after or edit.before or "").encode("utf-8", "surrogateescape"))
    return f"{sign} {tilde(edit.path, place)}  {_size(size)}"


def render_edit(edit: Edit, place: Place) -> str:
    """One line that says why, and the edit as a diff, without the secrets that stand around it."""
    from ..guard.redaction import replaced as hidden
    from ..guard.redaction import secrets_in

    name = tilde(edit.path, place)

    def safe(text: str | None) -> str | None:
        return text and hidden(text, secrets_in(text), b"")

    # Before it is taken apart: a secret is known by what stands before it.
    text = "\n".join(diff(safe(edit.before), safe(edit.after), name))
    return f"{name}{_linked(edit, place)}: {edit.why}\n{hidden(text, secrets_in(text), b'')}\n"


def _linked(edit: Edit, place: Place) -> str:
    return (
        f" (a link to {tilde(os.path.realpath(edit.path), place)})"
        if os.path.islink(edit.path)
        else ""
    )


def _wants_colour(env: Mapping[str, str]) -> bool:
    return sys.stdout.isatty() and "NO_COLOR" not in env and env.get("TERM") != "dumb"


def _colour_line(line: str) -> str:
    colour = {"+": _GREEN, "-": _RED, "@": _CYAN}.get(line[:1], "")
    if line.startswith(("--- ", "+++ ")):
        colour = _BOLD
    return f"\033[{colour}m{line}\033[0m" if colour else line


def _show_in_pager(text: str, env: Mapping[str, str]) -> bool:
    """Show a text in the user's pager, where somebody sits at a terminal that is too small for it; whether that was done."""
    import subprocess

    columns, rows = shutil.get_terminal_size()
    bare = re.sub(r"\033\[\d+m", "", text)
    height = sum(1 + len(line) // max(columns, 1) for line in bare.split("\n"))
    if (
        not (sys.stdin.isatty() and sys.stdout.isatty())
        or height < rows
        or env.get("TERM") == "dumb"
    ):
        return False
    wanted = env.get("PAGER") or "less"
    try:
        argv = shlex.split(wanted)
    except ValueError:
        return False
    if not argv or argv[0] == "cat" or not shutil.which(argv[0], path=env.get("PATH", os.defpath)):
        return False
    try:
        done = subprocess.run(
            argv, input=text.encode("utf-8", "replace"), env={"LESS": _LESS, **env}, check=False
        )
    except OSError:
        return False
    return done.returncode == 0


_LONGEST = 160  # characters of a line that is shown in one piece
_GOES_ON = "↩"  # at the end of a piece: the line goes on
_STRING_OR_END = re.compile(r'"(?:[^"\\]|\\.)*"|[,{[]\s*')


def _lines(text: str, name: str) -> list[str]:
    """The lines of a text; a long one of JSON in pieces, broken behind its commas and brackets and never within a string.

    Hosts write all their settings into one line: a diff of that says nothing to anybody.
    """
    lines = text.splitlines()
    if not name.endswith((".json", ".jsonc", ".json5")):
        return lines
    return [
        piece for line in lines for piece in ([line] if len(line) <= _LONGEST else _pieces(line))
    ]


def _pieces(line: str) -> list[str]:
    ends = [
        part.end()
        for part in _STRING_OR_END.finditer(line)
        if part[0][0] != '"' and part.end() < len(line)
    ]
    begins = [0, *ends]
    return [
        *(line[begin:end] + _GOES_ON for begin, end in zip(begins, ends, strict=False)),
        line[begins[-1] :],
    ]


def diff(before: str | None, after: str | None, name: str) -> list[str]:
    """What changes, as lines of a unified diff. Lines that are the same at both ends are passed over first: they may be many."""
    from difflib import unified_diff

    old, new = _lines(before or "", name), _lines(after or "", name)
    least = min(len(old), len(new))
    same = next((at for at in range(least) if old[at] != new[at]), least)
    tail = next((at for at in range(least - same) if old[-1 - at] != new[-1 - at]), least - same)
    first, behind = max(0, same - 3), max(0, tail - 3)
    names = ("/dev/null" if before is None else name, "/dev/null" if after is None else name)
    lines = unified_diff(
        old[first : len(old) - behind], new[first : len(new) - behind], *names, lineterm=""
    )

    def shift_numbers(line: str) -> str:
        return (
            re.sub(r"(?<=[-+])\d+", lambda number: str(int(number[0]) + first), line)
            if line.startswith("@@")
            else line
        )

    shown = [shift_numbers(line) for line in lines]
    if any(line.endswith(_GOES_ON) for line in shown):
        shown.insert(
            0,
            f"(lines that are too long to read are shown in pieces: {_GOES_ON} where one goes on)",
        )
    if before is not None and after is not None and before != after and old == new:
        shown.append("(only the ends of lines change)")
    return shown or [f"(an empty file: {name})"]
