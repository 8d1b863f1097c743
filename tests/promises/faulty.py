"""The real program with one thing broken on purpose, and a load for power cuts to end. Imports nothing but what it needs.

`python faulty.py VARIANT -- ARGV...` runs a command with one of the variants of tests/lab/broken.py or of ours;
`python faulty.py [VARIANT] load WORKSPACE` saves notes, tasks and checkpoints without end.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import sys
from typing import TYPE_CHECKING

from holdfast import cli
from holdfast.storage import disk
from holdfast.storage.store import Store
from lab import broken

if TYPE_CHECKING:
    from _typeshed import FileDescriptorLike

MARK = "MARK"


def _retry_sync() -> None:
    """A sync that fails is tried again, and the second answer is believed: the kernel has dropped the bytes by then."""
    real = os.fsync

    def again(fd: FileDescriptorLike) -> None:
        try:
            real(fd)
        except OSError:
            real(fd)

    os.fsync = again


def _ignore_proof() -> None:
    """Recovery does not look how far the dead command got, and does everything anew."""
    Store._has_taken_on = lambda _self, _record_id, _document: False  # type: ignore[method-assign,assignment]


def _swallow_errors() -> None:
    """A sync that fails, and a rename that fails, is as good as one that succeeds."""
    real_sync, real_place = disk.full_sync, disk.Folder.place

    def sync(fd: int) -> None:
        with contextlib.suppress(OSError):
            real_sync(fd)

    def place(self: disk.Folder, temporary: str, target: disk.Folder, name: str, *, over: bool = False) -> None:
        with contextlib.suppress(OSError):
            real_place(self, temporary, target, name, over=over)

    disk.full_sync = sync
    disk.Folder.place = place  # type: ignore[method-assign]


def _no_trash() -> None:
    """Upkeep removes what it should move to the trash."""

    def removed(_self: Store, folder: disk.Folder, name: str, *_rest: object) -> bool:
        folder.remove(name)
        return True

    Store.retire = removed  # type: ignore[method-assign, assignment]


def _shows_too_little() -> None:
    """`init` shows the first edit alone."""
    from holdfast.commands import showing

    real = showing.show
    showing.show = lambda edits, *more, **given: real([one for one in edits if "hooks:" in one.why], *more, **given)


def _shows_other_lines() -> None:
    """`init` leaves lines out of its diffs."""
    from holdfast.commands import showing

    real = showing.diff
    showing.diff = lambda *given: [line for line in real(*given) if "timeout" not in line]


def _writes_beside() -> None:
    """`init` leaves a file in the host's folder that no diff has named."""
    from holdfast.commands import installing

    real = installing._written

    def beside(edits: object, looked: object, records: object, place: installing.Place) -> list[str]:
        with open(f"{place.home}/.claude/beside", "w"):
            return real(edits, looked, records, place)  # type: ignore[arg-type]

    installing._written = beside


def _forgets_originals() -> None:
    """`uninstall` knows no file again, and takes our parts out of each."""
    from holdfast.installs import originals

    originals.Original.is_as_left = lambda _self, _text: False  # type: ignore[method-assign]


def _keeps_originals_late() -> None:
    """`init` writes what was there before only after it has written what is there now."""
    from holdfast.commands import installing

    keep, written = installing.keep, installing._written
    waiting: list[tuple[object, ...]] = []

    def later(*given: object) -> None:
        waiting.append(given)

    def first(*given: object) -> list[str]:
        changed = written(*given)  # type: ignore[arg-type]
        for late in waiting:
            keep(*late)  # type: ignore[arg-type]
        return changed

    installing.keep, installing._written = later, first


VARIANTS = {
    "shows-too-little": _shows_too_little,
    "shows-other-lines": _shows_other_lines,
    "writes-beside": _writes_beside,
    "forgets-originals": _forgets_originals,
    "keeps-originals-late": _keeps_originals_late,
    "retry-sync": _retry_sync,
    "ignore-proof": _ignore_proof,
    "swallow-errors": _swallow_errors,
    "no-trash": _no_trash,
}


def load(workspace: str) -> None:
    """Commands without end in one process, each as the command line does it; the n-th line on stdout is the n-th command's."""
    for n in itertools.count():
        checkpoint = ("checkpoint", "--topic", "load", "--decision", f"{MARK}-{n}.")
        given = (("note", f"{MARK}-{n}."), ("task", f"{MARK}-{n}."), checkpoint)[n % 3]
        if cli.main(["--workspace", workspace, *given]):
            return


def main(arguments: list[str]) -> int:
    """See the head of this file."""
    broken.VARIANTS.update(VARIANTS)
    *variant, workspace = arguments
    if variant[-1:] == ["load"]:
        if variant[:-1]:
            broken.VARIANTS[variant[0]]()
        load(workspace)
        return 74
    return broken.run(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
