"""The files of a session: which were read, changed, moved and deleted, by an editor or a shell, and what of it was undone."""

from __future__ import annotations

from ..transcripts.shell import amends, goes_on
from .outcomes import hides_status, went_wrong

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from ..transcripts import Event

_COMMITS = 5  # that may be taken back
_FOR_A_WHILE = ("/tmp/", "/var/tmp/")  # noqa: S108 - where nobody keeps what they work on
_TOUCHING = ("checkout", "restore", "reset", "stash", "rm ", "mv ", "sed ")  # one of these is in every command that does


class Changes:
    """What has become of files, as far as the session was read."""

    def __init__(self) -> None:
        self.count = 0  # events
        self.files: dict[str, list[Any]] = {}  # path → [edits, event of the last edit, event of the last read, {name: event}]
        self.others: dict[str, list[Any]] = {}  # path → [which other agent changed it, or when; how many of the edits that are]
        self.moves: dict[str, list[list[str]]] = {}  # call → [path, new path] of what it takes away, until it has come back
        self.gone: dict[str, int] = {}  # path of what was deleted → the event
        self.moved: dict[str, str] = {}  # path → the one that it had before the session
        self.committed: list[list[Any]] = []  # [event, {path: edits}] as they were at the last commits
        self.stashed: dict[str, list[Any]] = {}  # path → [edits, names] of what was stashed last

    def _catch_up(self) -> None:
        """Settle which names were changed in which file, before something else becomes of it."""

    def _file(self, path: str) -> list[Any]:
        return self.files.setdefault(path, [0, 0, 0, {}])

    def _changed(self, path: str, by: str = "") -> None:
        """One more edit of a file, where another agent made it by that one."""
        file = self._file(path)
        file[0] += 1
        file[1] = self.count
        if by:
            self.others[path] = [by, self.others.get(path, ["", 0])[1] + 1]

    def _unchanged(self, path: str, by: str = "") -> None:
        """The last edit of a file was none."""
        file = self._file(path)
        file[0] = max(0, file[0] - 1)
        if by and path in self.others:
            self.others[path] = [by, max(0, self.others[path][1] - 1)]

    def _restored(self, event: Event) -> None:
        """The host has taken back changes of files, and not only what was said."""
        for path, _, _ in event.edits:
            self._unchanged(path)
        for path, new in reversed(event.moves):
            if new:
                self._left(new, path)
            else:
                self.gone.pop(path, None)

    def _left(self, path: str, new: str, *, told: bool = True) -> None:
        """A file or folder is no longer there. What is known of a file that was moved is known of it under its new name."""
        if new and any(there.startswith(f"{new}/") for there in self.files):
            new = f"{new}/{path.rsplit('/', 1)[-1]}"
        for root, old, below in self._known_at(path) or ([("", path, "")] if told else []):
            file, by = self.files.pop(old, [0, 0, 0, {}]), self.others.pop(old, None)
            first = self.moved.pop(old, old)
            self.gone.pop(old, None)
            if not new:
                self.gone[old] = self.count
                continue
            target = (new if new.startswith("/") else f"{root}{new}") + below
            there = self._file(target)
            there[:] = [there[0] + file[0], max(there[1], file[1]), max(there[2], file[2]), {**file[3], **there[3]}]
            self.gone.pop(target, None)
            if by:
                self.others[target] = by
            if first != target:
                self.moved[target] = first
            self._is_called(target, old)

    def _is_called(self, new: str, old: str) -> None:
        """A file has another name: whoever knows more of it can follow."""

    def _known_at(self, path: str) -> list[tuple[str, str, str]]:
        """The files that a path means, or a folder holds: (what stands before the path in theirs, their path, what behind it).

        A shell calls files from a folder that we do not know: of several that are called so, the one nearest to the root.
        """
        exact = [("", known, known[len(path) :]) for known in self.files if known == path or known.startswith(f"{path}/")]
        if exact or not path:
            return exact
        if path.startswith("/"):
            return [("", known, "") for known in self.files if known[:1] != "/" and path.endswith(f"/{known.removeprefix('./')}")]
        places = [(f"{known}/".find(f"/{path}/"), known) for known in self.files]
        nearest = min((at for at, _ in places if at >= 0), default=-1)
        found = [(known[: at + 1], known, known[at + 1 + len(path) :]) for at, known in places if at == nearest >= 0]
        return found if len({root for root, _, _ in found}) == 1 else []

    def _taken_back(self, paths: Iterable[str]) -> None:
        """Files that are again what they were before the session changed them."""
        for path in paths:
            end = f"/{path.removeprefix('./')}"
            for known, file in self.files.items():
                if known == path or known.endswith(end):
                    file[0], file[3] = 0, {}
                    self.others.pop(known, None)
            self.gone = {known: when for known, when in self.gone.items() if known != path and not known.endswith(end)}

    # ---- what a shell does to files ------------------------------------------------------------------------------------

    def _note_commit(self, command: str) -> None:
        """Remember what was changed until now: whoever throws away the rest comes back to it."""
        kept = self.committed[:-1] if amends(command) else self.committed
        self.committed = [*kept, [self.count, {path: file[0] for path, file in self.files.items() if file[0]}]][-_COMMITS:]

    def _changed_files(self, command: str, event: Event) -> None:
        """What a command has done to files by its own: changed them, taken them away, or given them their old text again."""
        if not any(word in command for word in _TOUCHING):
            return  # nearly all commands
        from ..transcripts.touching import changed_by, discarded_by, is_taken_up, reverted_by

        self._taken_back(reverted_by(command))
        self._taken_away(command, event)
        for path in changed_by(command):
            known = self._known_at(path)
            self._changed(known[0][1] if len(known) == 1 else path, event.by)
        back, taken_up = discarded_by(command), "stash" in command and is_taken_up(command)
        if back is not None and not taken_up:  # both in one go: as if nothing had been
            self._discarded(back, command, stashed="stash" in command)
        elif taken_up and back is None:
            for path, (edits, names) in self.stashed.items():
                self._file(path)[0] += edits
                self._file(path)[3].update(names)
            self.stashed = {}

    def _taken_away(self, command: str, event: Event) -> None:
        """What a shell has deleted or moved. Git does it to files of the work, and what becomes a source file is one; of others
        those in hand are told.
        """
        from ..transcripts.shell import FILE_ENDINGS
        from ..transcripts.touching import taken_away_by

        moves = taken_away_by(command)
        if not moves or goes_on(command):
            return
        if (event.tool == "!" or hides_status(command)) and went_wrong(event.text):
            return
        for path, new, by_git in moves:
            becomes_one = new.rpartition(".")[2] in FILE_ENDINGS and not new.startswith(_FOR_A_WHILE)
            self._left(path, new, told=by_git or becomes_one)

    def _discarded(self, back: int, command: str, *, stashed: bool) -> None:
        """All that was not committed is gone, or stashed; so many commits as well. Where the command goes to a folder first,
        `.` is that one; and what goes for a whole repository goes for ours only if something of ours is there.
        """
        from ..transcripts.touching import discards_a_folder, went_to

        folder = went_to(command)
        inside = {path for path in self.files if path.startswith(f"{folder}/")} if folder else set(self.files)
        if not inside:
            return
        self._catch_up()
        touched = inside if discards_a_folder(command) else set(self.files)
        self.committed = self.committed[: max(0, len(self.committed) - back)]
        when, stands = self.committed[-1] if self.committed else (-1, {})
        lost = {path: file for path, file in self.files.items() if path in touched and file[0] > stands.get(path, 0)}
        if stashed:
            self.stashed = {path: [file[0] - stands.get(path, 0), file[3]] for path, file in lost.items()}
        self.gone = {path: moment for path, moment in self.gone.items() if moment <= when}
        for path, file in lost.items():
            file[0], file[3] = stands.get(path, 0), file[3] if stands.get(path) else {}
