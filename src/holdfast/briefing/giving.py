"""What sessions were given, what they are owed, and the fingerprints by which an echo of it is known.

It stands in `.holdfast/` and is derived: nothing of it is synced, and to lose it loses no memory. So none of it may fail a hook.
"""

from __future__ import annotations

import json

from ..model import Value
from .delivery import Delivery, file_of, from_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..memory import Memory

_CURSORS = ".holdfast/cursors"
_FINGERPRINTS = "given"
_BELIEVED = 3600.0  # seconds for which a turn is taken to go on where no process is known
_MOST = 96 * 1024  # bytes of fingerprints: some sixteen briefs; then the older half of them is forgotten


class Turn(Value):
    """A turn that has not ended, as the hooks tell: its prompt has come, and its end has not."""

    session: str
    began: float
    process: int = 0  # of its host; 0 where it is not known
    told: bool = False  # whether another session was given the brief of it since it was cut off
    is_running: bool = True  # whether its host may still be at work on it; otherwise it was cut off


class Giving:
    """What was put into the contexts of a workspace's sessions."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    # ---- the last brief of a session, and what is known of its arrival ----

    def last(self, session: str) -> Delivery:
        """What a session was given last; of the moment 0 where it was given nothing."""
        try:
            folder, name = self._memory.store.folder(_CURSORS), file_of(session)
            data, found = folder.read_or_none(name), folder.stat(name)
        except OSError:
            return Delivery()
        if not data or not found:
            return Delivery(moment=found.st_mtime if found else 0.0)  # an empty file, as it was before: only its moment tells
        try:
            return from_data(dict(json.loads(data)))
        except (ValueError, TypeError, RecursionError):
            return Delivery(moment=found.st_mtime)

    def keep(self, session: str, given: Delivery) -> None:
        """Remember what a session was given last. Where that fails, it is offered once more."""
        self._put(file_of(session), json.dumps(given.__dict__).encode())

    # ---- what is owed: from the boundary on until a brief is known to have been in a request. A host that is killed in between,
    # or whose patience ended, is offered it again.

    def owe(self, session: str, occasion: str) -> None:
        """Remember that a session has lost its context, and why. Where that fails, the transcript has the boundary as well."""
        self._put(_owed(session), occasion.encode())

    def owed(self, session: str) -> str:
        """Why a session is owed a brief; empty where it is not."""
        return self._memory.store.text_or_empty(_CURSORS, _owed(session)).strip()

    def arrived(self, session: str) -> None:
        """The last brief that was given was in a request; what was lost since then is still owed."""
        try:
            folder = self._memory.store.folder(_CURSORS)
            owed, given = folder.stat(_owed(session)), folder.stat(file_of(session))
            if owed and not (given and owed.st_mtime_ns > given.st_mtime_ns):
                folder.remove(_owed(session))
        except OSError:
            pass  # then it is given once more

    # ---- the turn that a session is in: where its host is killed, nobody ends it

    def begin_turn(self, session: str, process: int) -> None:
        """Remember that a session is in a turn."""
        self._put(turn_file(session), turn_data(session, process, self._memory.clock()))

    def end_turn(self, session: str) -> None:
        """Remember that it is not any longer."""
        try:
            self._memory.store.folder(_CURSORS).remove(turn_file(session))
        except OSError:
            pass

    def turn(self, session: str) -> Turn | None:
        """Return the turn that a session is in, or was cut off in; None where its last one has ended."""
        return self._read_turn(turn_file(session))

    def turns(self) -> dict[str, Turn]:
        """Return the turns that have not ended, by their sessions."""
        try:
            names = self._memory.store.folder(_CURSORS, make=False).names()
        except OSError:
            return {}
        found = (self._read_turn(name) for name in names if name.endswith(".turn"))
        return {turn.session: turn for turn in found if turn}

    def _read_turn(self, name: str) -> Turn | None:
        """Return what a file tells; None where it tells nothing that could be read. It is derived, and may be torn."""
        from ..storage.processes import is_running

        try:
            data = json.loads(self._memory.store.text_or_empty(_CURSORS, name) or "null")
            turn = Turn(str(data["session"]), float(data["began"]), int(data["process"]), data.get("told") is True)
        except (AttributeError, KeyError, OverflowError, RecursionError, TypeError, ValueError):
            return None
        now = self._memory.clock()
        runs = is_running(turn.process, turn.began, now) if turn.process > 0 else now - turn.began < _BELIEVED
        return turn.replaced(is_running=runs)

    def tell_turn(self, turn: Turn) -> None:
        """Remember that another session was given the brief of a turn that was cut off."""
        self._put(turn_file(turn.session), turn_data(turn.session, turn.process, turn.began, told=True))

    def _put(self, name: str, data: bytes) -> None:
        try:
            folder = self._memory.store.folder(_CURSORS)
            folder.remove(name)
            folder.append(name, data)
        except OSError:
            pass

    # ---- what may come back ----

    def remember(self, text: str, session: str, *, framed: bool = True) -> None:
        """Remember by its fingerprint what is put into a context of a session, so that its echo is known (echo.py).

        Once: a topic that is given with every prompt, or a brief that is offered again, is the same words. Also where memory was
        opened for reading: it is no memory. A sentence that nothing was found has no frame, and nothing to come back.
        """
        from ..guard.echo import WHEN, entry, newest

        if framed and "--- memory " not in text:
            return
        memory = self._memory
        given, new = self.fingerprints(), entry(text, memory.clock(), session)
        if new[WHEN:] in given:
            return
        try:
            memory.home.append(_FINGERPRINTS, new)
            if len(given) + len(new) > _MOST:
                fresh = memory.swap.prepare(newest(self.fingerprints(), _MOST // 2))
                memory.swap.place(fresh, memory.home, _FINGERPRINTS, over=True)
        except OSError:
            pass

    def fingerprints(self) -> bytes:
        """Those of the newest briefs."""
        try:
            found = self._memory.home.stat(_FINGERPRINTS)
            return self._memory.home.read(_FINGERPRINTS) if found and found.st_size < 4 * _MOST else b""  # larger, it is not ours
        except OSError:
            return b""


def _owed(session: str) -> str:
    return file_of(session).removesuffix("briefed") + "owed"


def turn_file(session: str) -> str:
    """Return the name of the file in `.holdfast/cursors` that tells of the turn that a session is in."""
    return file_of(session).removesuffix("briefed") + "turn"


def turn_data(session: str, process: int, began: float, *, told: bool = False) -> bytes:
    """Return what it says."""
    return json.dumps({"session": session, "began": began, "process": process, "told": told}).encode()
