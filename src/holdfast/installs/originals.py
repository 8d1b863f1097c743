"""What hosts' files were before us: the bytes that `holdfast uninstall` gives back.

`installs/<host>.json` in the user's state folder has a row for each file that was written: where it is, what stood there before
the first time (or that nothing did), and the digests of what we have left there. It is durable before the first file is written.
While a file is as we left it, its old bytes are what is given back. Once somebody has edited it, they are not: then only our
parts go, and the old bytes are kept here for whoever wants them. Paths in the home folder are written with `~`: a home may move.
"""

from __future__ import annotations

import json

from ..errors import UserError
from ..model import Value
from ..storage.disk import Folder
from ..util import compute_digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


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
    return compute_digest(text.encode("utf-8", "surrogateescape"))


def kept(folder: Folder, host: str, home: str) -> dict[tuple[str, str], Original]:
    """The originals of a host's files, by path and scope: a file may have what is for all and what is for projects."""
    data = folder.read_or_none(f"{host}.json")
    if data is None:
        return {}
    try:
        rows = [_read(row, home) for row in json.loads(data)["files"]]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise UserError(
            f"{folder.at(f'{host}.json')}, which has what your files were before, cannot be read: {error}. Nothing was changed. "
            f"Move it away; `holdfast uninstall {host}` then takes out our parts alone."
        ) from error
    return {(row.path, row.scope): row for row in rows}


def _read(row: dict[str, Any], home: str) -> Original:
    def far(path: str) -> str:
        return f"{home}{path[1:]}" if path.startswith("~/") else path

    folders = tuple(far(path) for path in row["folders"])
    return Original(far(row["path"]), far(row["scope"]), row["before"], row["mode"], tuple(row["left"]), folders)


def _written(original: Original, home: str) -> dict[str, Any]:
    def near(path: str) -> str:
        return f"~{path[len(home) :]}" if path.startswith(f"{home}/") else path

    row = {name: getattr(original, name) for name in Original._fields}
    return {**row, "path": near(row["path"]), "scope": near(row["scope"]), "folders": [near(path) for path in row["folders"]]}


def keep(folder: Folder, host: str, originals: Iterable[Original], home: str) -> None:
    """Write the originals of a host's files, durably; no file where there are none."""
    rows = [_written(row, home) for row in originals]
    if rows:
        data = json.dumps({"host": host, "files": rows}, indent=1).encode() + b"\n"
        folder.place(folder.prepare(data), folder, f"{host}.json", over=True)
    else:
        folder.remove(f"{host}.json")
    folder.sync()
