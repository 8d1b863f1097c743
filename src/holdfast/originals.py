"""What hosts' files were before us: the bytes that `holdfast uninstall` gives back.

`installs/<host>.json` in the user's state folder has a row for each file that was written: where it is, what stood there before
the first time (or that nothing did), and the digests of what we have left there. It is durable before the first file is written.
While a file is as we left it, its old bytes are what is given back. Once somebody has edited it, they are not: then only our
parts go, and the old bytes are kept here for whoever wants them.
"""

from __future__ import annotations

import json

from .disk import Folder
from .errors import UserError
from .journal import digest
from .model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class Original(Value):
    """One file as it was, and as we have left it since."""

    path: str
    scope: str  # the project that it was written for; empty: for all of the user's
    before: str | None  # its text, with `surrogateescape`; None: it was not there
    mode: int = 0  # what it was allowed to whom
    left: tuple[str, ...] = ()  # digests of what we made of it, and of nothing else
    folders: tuple[str, ...] = ()  # made for it, the outermost first

    def is_as_left(self, text: str) -> bool:
        """Whether a text is the original with nothing but our own changes."""
        return marked(text) in self.left

    def then(self, before: str | None, after: str) -> Original:
        """The same original, with what is about to be left there. Where somebody has edited it, that counts for nothing."""
        ours = before == self.before or (before is not None and self.is_as_left(before))
        return self.replaced(left=(*self.left, marked(after))) if ours and marked(after) not in self.left else self


def marked(text: str) -> str:
    """By what a text is known again."""
    return digest(text.encode("utf-8", "surrogateescape"))


def kept(folder: Folder, host: str) -> dict[str, Original]:
    """The originals of a host's files, by path."""
    data = folder.read_or_none(f"{host}.json")
    if data is None:
        return {}
    try:
        rows = [
            Original(**{**row, "left": tuple(row["left"]), "folders": tuple(row["folders"])}) for row in json.loads(data)["files"]
        ]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise UserError(
            f"{folder.at(f'{host}.json')}, which has what your files were before, cannot be read: {error}. Nothing was changed. "
            f"Move it away; `holdfast uninstall {host}` then takes out our parts alone."
        ) from error
    return {row.path: row for row in rows}


def keep(folder: Folder, host: str, originals: Iterable[Original]) -> None:
    """Write the originals of a host's files, durably; no file where there are none."""
    rows = [{name: getattr(row, name) for name in Original._fields} for row in originals]
    if rows:
        data = json.dumps({"host": host, "files": rows}, indent=1).encode() + b"\n"
        folder.place(folder.prepare(data), folder, f"{host}.json", over=True)
    else:
        folder.remove(f"{host}.json")
    folder.sync()
