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
    from collections.abc import Callable, Iterator
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


def beside(
    work: Callable[[Callable[[bytes], None]], None],
    patience: float,
    meanwhile: Callable[[], None] | None = None,
    after: float = 0.0,
) -> bytes:
    """What a piece of work hands over, within so many seconds; empty where it takes longer. It is not stopped: what it has
    begun to save, it saves. Where it takes longer than `after` seconds, `meanwhile` is done here while it goes on.

    In a process of its own, since no timer would do: whoever waits for a disk hears no signal, and who waits for him waits too.
    """
    pid, ours, theirs = _copied()
    if not pid:
        try:
            os.close(ours)
            _on_its_own()
            work(lambda data: _handed_over(theirs, data))
        finally:
            os._exit(0)
    os.close(theirs)
    until = time.monotonic() + patience
    parts: list[bytes] = []
    try:
        if meanwhile and after < patience and not _receive(ours, time.monotonic() + after, parts):
            meanwhile()
        return b"".join(parts) if _receive(ours, until, parts) else b""
    finally:
        os.close(ours)
        os.waitpid(pid, os.WNOHANG)


def ahead(items: Iterator[Any]) -> Iterator[Any]:
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


def _receive(fd: int, until: float, parts: list[bytes]) -> bool:
    """Take what comes until a moment; whether all of it has come. It may be asked again for the rest, or after the end."""
    from select import select

    while select([fd], [], [], max(0.0, until - time.monotonic()))[0]:
        part = os.read(fd, 1 << 16)
        if not part:
            return True
        parts.append(part)
    return False
