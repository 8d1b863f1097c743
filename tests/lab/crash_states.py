"""Every disk state that POSIX allows after a power cut, replayed from one trace (after ALICE).

The rules are in disk_model.py. What the model does not know raises NotModelled: a silent gap
would look like safety.
"""

from __future__ import annotations

import fnmatch
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .command import Command, Report, Violation
from .disk_model import ROOT_NUMBER, Edit, Inode, Model, NotModelled, OpenFile, State
from .inject import trace_on_copy
from .trace import Call, Trace, words


def _open(model: Model, call: Call) -> None:
    path = call.paths[-1]  # what came back: symlinks are resolved in it
    flags = " ".join(call.args)
    if "O_TMPFILE" in flags:
        raise NotModelled("O_TMPFILE")
    if path == str(model.root):
        number = ROOT_NUMBER
    else:
        entry = model.entry(path)
        if entry not in model.now:
            if "O_CREAT" not in flags and call.name != "creat":
                raise NotModelled(f"{path} is opened but unknown to the model")
            mode = re.search(r"\b0\d+\b", flags)
            bits = int(mode[0], 8) if mode else 0o600
            model.rename({entry: model.add(Inode("file", bits & ~_umask()))})
        number = model.now[entry]
    inode = model.inodes[number]
    if ("O_TRUNC" in flags or call.name == "creat") and inode.now():
        inode.edits.append(Edit(0, None))
    model.open[call.pid, call.value] = OpenFile(number, 0, "O_APPEND" in flags)


def _write(model: Model, call: Call) -> None:
    file = model.open.get((call.pid, call.fd()))
    if file is None:
        raise NotModelled(f"{call.name} through a descriptor that another process has opened")
    inode = model.inodes[file.inode]
    at_offset = call.name in {"pwrite64", "pwritev", "pwritev2"}
    offset = int(call.args[3]) if at_offset else file.offset
    if file.append:
        offset = len(inode.now())
    data = call.data()[: call.value]
    inode.edits.append(Edit(offset, data))
    if not at_offset:
        file.offset = offset + len(data)


def _truncate(model: Model, call: Call) -> None:
    inode = model.inodes[_number(model, call)]
    inode.edits.append(Edit(int(call.args[1]), None))


def _seek(model: Model, call: Call) -> None:
    if file := model.open.get((call.pid, call.fd())):
        file.offset = call.value if call.name == "lseek" else file.offset + call.value


def _fsync(model: Model, call: Call) -> None:
    number = _number(model, call)
    if model.inodes[number].kind == "folder":
        model.sync_folder(number)
    else:
        model.sync_file(model.inodes[number])


def _sync_all(model: Model, _: Call) -> None:
    model.sync_all()


def _rename(model: Model, call: Call) -> None:
    old, new = (model.entry(path) for path in call.paths[:2])
    moved = model.inode(call.paths[0])
    if "RENAME_EXCHANGE" in call.args[-1]:
        model.rename({old: model.inode(call.paths[1]), new: moved})
    elif model.now.get(new) != moved:  # renaming onto another name of the same file does nothing
        model.rename({old: None, new: moved})


def _link(model: Model, call: Call) -> None:
    model.rename({model.entry(call.paths[1]): model.inode(call.paths[0])})


def _unlink(model: Model, call: Call) -> None:
    model.rename({model.entry(call.paths[0]): None})


def _mkdir(model: Model, call: Call) -> None:
    mode = int(call.args[-1], 8) & ~_umask()
    model.rename({model.entry(call.paths[0]): model.add(Inode("folder", mode))})


def _chmod(model: Model, call: Call) -> None:
    mode = next(int(arg, 8) for arg in call.args if re.fullmatch(r"0\d*", arg))
    model.inodes[_number(model, call)].mode = mode


def _duplicate(model: Model, call: Call) -> None:
    if call.name == "fcntl" and "F_DUPFD" not in call.args[1]:
        return
    if file := model.open.get((call.pid, call.fd())):
        model.open[call.pid, call.value] = file


def _close(model: Model, call: Call) -> None:
    model.open.pop((call.pid, call.fd()), None)


def _map(_: Model, call: Call) -> None:
    if "MAP_SHARED" in call.args[3] and "PROT_WRITE" in call.args[2]:
        raise NotModelled(f"a shared writable mapping of {call.paths[0]}")


def _refuse(_: Model, call: Call) -> None:
    raise NotModelled(f"{call.name} on {call.paths}")


def _number(model: Model, call: Call) -> int:
    """The inode of a call on a descriptor, else on a path."""
    file = model.open.get((call.pid, call.fd()))
    return file.inode if file else model.inode(call.paths[0])


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


_REPLAY: dict[str, Callable[[Model, Call], None]] = {
    **dict.fromkeys(("open", "openat", "openat2", "creat"), _open),
    **dict.fromkeys(("write", "writev", "pwrite64", "pwritev", "pwritev2"), _write),
    **dict.fromkeys(("truncate", "ftruncate"), _truncate),
    **dict.fromkeys(("lseek", "read", "readv"), _seek),
    **dict.fromkeys(("fsync", "fdatasync"), _fsync),
    **dict.fromkeys(("sync", "syncfs"), _sync_all),
    **dict.fromkeys(("rename", "renameat", "renameat2"), _rename),
    **dict.fromkeys(("link", "linkat"), _link),
    **dict.fromkeys(("unlink", "unlinkat", "rmdir"), _unlink),
    **dict.fromkeys(("mkdir", "mkdirat"), _mkdir),
    **dict.fromkeys(("chmod", "fchmod", "fchmodat", "fchmodat2"), _chmod),
    **dict.fromkeys(("dup", "dup2", "dup3", "fcntl"), _duplicate),
    "close": _close,
    "mmap": _map,
    **dict.fromkeys(
        words("copy_file_range fallocate mknod mknodat sendfile splice symlink symlinkat"), _refuse
    ),
}
_WITHOUT_EFFECT = words("close dup dup2 dup3 fcntl lseek mmap read readv")


def crash_states(trace: Trace, prepared: Path, ignore: Sequence[str] = ()) -> list[State]:
    """The distinct states at every prefix of a trace that was recorded with whole data.

    `ignore` are patterns of paths below the folder (`index.db*`) that are not replayed: derived
    files that may vanish, above all a mapped database.
    """
    model = Model(prepared, trace.root)
    found = dict.fromkeys(model.states(acked=False))
    acked = False
    for call in trace.calls:
        if call.value < 0:
            continue
        is_ack = call.is_write_to_stdout() and call.pid == trace.calls[0].pid and call.value > 0
        replay = _REPLAY.get(call.name)
        relevant = call.touches(trace.root) or call.name == "sync"
        if replay and relevant and not _ignored(call, trace.root, ignore):
            replay(model, call)
        elif not is_ack:
            continue
        acked = acked or is_ack
        if is_ack or call.name not in _WITHOUT_EFFECT:
            found.update(dict.fromkeys(model.states(acked)))
    # A command that says nothing acknowledges by its exit status.
    found.update(dict.fromkeys(model.states(acked or trace.returncode == 0)))
    return list(found)


def _ignored(call: Call, root: Path, patterns: Sequence[str]) -> bool:
    names = [os.path.relpath(path, root) for path in call.paths]
    return any(fnmatch.fnmatch(name, pattern) for name in names for pattern in patterns)


def examine(
    command: Command,
    prepared: Path,
    work: Path,
    check: Callable[[Path, bool], None],
    ignore: Sequence[str] = (),
) -> Report:
    """Trace the command once, build every crash state and call `check(folder, acked)` on it."""
    trace = trace_on_copy(command, prepared, work, whole_data=True)
    assert trace.returncode == 0, f"the traced run failed: {trace.stderr.decode(errors='replace')}"
    states = crash_states(trace, prepared, ignore)

    def examine_one(numbered: tuple[int, State]) -> Violation | None:
        number, state = numbered
        folder = Path(tempfile.mkdtemp(prefix=f"state-{number}-", dir=work))
        try:
            state.build(folder)
            check(folder, state.acked)
        except AssertionError as wrong:
            said = "acknowledged" if state.acked else "not acknowledged"
            return Violation(f"state {number} ({said}): {[n[0] for n in state.names]}", str(wrong))
        finally:
            shutil.rmtree(folder)
        return None

    with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        results = list(pool.map(examine_one, enumerate(states)))
    return Report(len(states), tuple(result for result in results if result))
