"""A process of our own beside the one that was asked: for what must not keep a host waiting, and must not be cut off either.

The other process is a copy of this one; no program is started, and nobody's text has a part in it.
"""

from __future__ import annotations

import os
import sys
import time

from .disk import write_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from typing import Any, BinaryIO

_ROOM = 1 << 16  # bytes that one of two processes may be ahead of the other, besides what the pipe holds


def detached() -> bool:
    """Go on in a process of our own: True there, False in the one that was asked and goes home. Nobody waits for the other.

    It is in a session of its own and has no terminal and no pipe: a host waits until the last holder of its pipe is gone. Its
    parent ends at once, so that it is nobody's child: a process that stays would have to bury it.

    Where the system gives us none, nobody goes on: who was asked has done its part, and must not fail for this.
    """
    try:
        parent = os.fork()
    except OSError:
        return False
    if parent:
        os.waitpid(parent, 0)
        return False
    try:
        if os.fork():
            os._exit(0)
    except OSError:
        os._exit(0)  # a second one of who was asked would go home here
    _on_its_own()
    return True


def _on_its_own() -> None:
    os.setsid()
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)


def _copied() -> tuple[int, int, int]:
    """A copy of this process (0 there, its id here), and a pipe from it: our end and its."""
    ours, theirs = os.pipe()
    try:
        return os.fork(), ours, theirs
    except OSError:
        os.close(ours)
        os.close(theirs)
        raise


def is_running(process: int, since: float, now: float) -> bool:
    """Return whether a process that ran at a moment may still run. After a restart of the machine its id is another's."""
    try:
        if since < now - time.clock_gettime(time.CLOCK_BOOTTIME):
            return False
    except (AttributeError, OSError):
        pass  # a system that does not tell
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True  # somebody else's
    return True


def beside(
    work: Callable[[Callable[[bytes], None]], None],
    patience: float,
    reserve: Reserve | None = None,
    after: float = 0.0,
) -> bytes:
    """What a piece of work hands over, within so many seconds; empty where it takes longer. It is not stopped: what it has
    begun to save, it saves. Where it takes longer than `after` seconds, what is held in reserve is made beside it, and is what
    comes back when time has run out.

    In a process of its own, since no timer would do: whoever waits for a disk hears no signal, and who waits for him waits too.
    """
    now = time.monotonic()
    until = now + patience
    worker = _Child(work)
    stand_in = None
    try:
        if reserve and after < patience and not worker.wait(now + after):
            stand_in = _start_reserve(reserve)
        if worker.wait(until) and worker.data:
            return worker.data
        return stand_in.use() if stand_in and stand_in.wait(until) else b""
    finally:
        worker.close()
        if stand_in:
            stand_in.close()


class Reserve:
    """What is given where the work itself does not come in time."""

    def make(self) -> bytes:
        """Return it; empty where there is nothing to give."""
        raise NotImplementedError

    def confirm(self) -> None:
        """It was given: what is to be noted of it is noted. Nobody waits for that."""


class _Child:
    """A piece of work in a process of its own, and what it hands over."""

    def __init__(self, work: Callable[[Callable[[bytes], None]], None]) -> None:
        self.data = b""
        self._over = False
        self._pid, self._fd, theirs = _copied()
        if not self._pid:
            try:
                os.close(self._fd)
                _on_its_own()
                work(lambda data: _handed_over(theirs, data))
            finally:
                os._exit(0)
        os.close(theirs)

    def wait(self, until: float) -> bool:
        """Take what comes until a moment; whether all of it has come."""
        from select import select

        while not self._over and select([self._fd], [], [], max(0.0, until - time.monotonic()))[0]:
            part = os.read(self._fd, 1 << 16)
            self._over = not part
            self.data += part
        return self._over

    def close(self) -> None:
        """Let it go on alone."""
        os.close(self._fd)
        os.waitpid(self._pid, os.WNOHANG)


class _StandIn(_Child):
    """What is held in reserve: it waits until it is known whether it was wanted."""

    def __init__(self, reserve: Reserve) -> None:
        heard, self._tell = os.pipe()

        def work(hand_over: Callable[[bytes], None]) -> None:
            os.close(self._tell)
            hand_over(reserve.make())
            if os.read(heard, 1):
                reserve.confirm()

        try:
            super().__init__(work)
        except OSError:
            os.close(self._tell)
            raise
        finally:
            os.close(heard)

    def use(self) -> bytes:
        """Return what it has made, and tell it that this was given."""
        if self.data:
            try:
                write_all(self._tell, b"1")
            except BrokenPipeError:
                pass  # it is gone: then nothing is noted
        return self.data

    def close(self) -> None:
        os.close(self._tell)
        super().close()


def _start_reserve(reserve: Reserve) -> _StandIn | None:
    """Begin to make it; None where the system gives us no process more."""
    try:
        return _StandIn(reserve)
    except OSError:
        return None


def ahead(items: Iterator[Any]) -> Generator[Any]:
    """The items of a generator, made in a copy of this process ahead of whoever takes them: two processors instead of one.

    They are plain values, as `marshal` knows them. Where there can be no copy, or it comes to a bad end, they are made here. In a
    program with threads there is none: it would have only the thread that asked, and might wait for ever for what another held.
    """
    taken = 0
    threads = sys.modules.get("threading")
    if not threads or threads.active_count() == 1:
        try:
            for item in _made_in_a_copy(items):
                taken += 1
                yield item
            return
        except (OSError, EOFError, TypeError, ValueError):
            pass
    for number, item in enumerate(items):
        if number >= taken:
            yield item


def _made_in_a_copy(items: Iterator[Any]) -> Iterator[Any]:
    import marshal

    pid, ours, theirs = _copied()
    if not pid:
        try:
            os.close(ours)
            with os.fdopen(theirs, "wb", _ROOM) as pipe:
                for item in items:
                    data = marshal.dumps(item)
                    pipe.write(len(data).to_bytes(8, "big"))
                    pipe.write(data)
                pipe.write(bytes(8))
        finally:
            os._exit(0)
    os.close(theirs)
    with os.fdopen(ours, "rb", _ROOM) as pipe:
        try:
            # As bytes: of a file, `marshal` asks for every word and number by itself, and takes fifteen times as long.
            while length := int.from_bytes(_whole(pipe, 8), "big"):
                yield marshal.loads(_whole(pipe, length))  # noqa: S302 - nobody but our own copy writes into it
        finally:
            pipe.close()  # whoever takes no more, and ends so, has the copy end too
            os.waitpid(pid, 0)


def _whole(pipe: BinaryIO, length: int) -> bytes:
    data = pipe.read(length)
    if len(data) < length:
        raise EOFError
    return data


def _handed_over(fd: int, data: bytes) -> None:
    """All at once, and the end of it: what comes after keeps nobody waiting."""
    try:
        write_all(fd, data)
    except BrokenPipeError:
        pass  # nobody waits any longer
    os.close(fd)
