"""One commit for one upkeep, where the workspace is a git repository and its owner has asked for it (`gitCommit`).

The commit has what upkeep did and nothing else. Git is given every byte through its standard input and never looks at the working
tree: so no filter runs, and what a person has changed and not committed stays changed and not committed, in the same file too.
What is staged stays staged; a file of which something is staged is left out.

This is the one place that starts a program, and so it is narrow (docs/decisions/0016-one-commit-for-one-upkeep.md): git alone, at
an absolute path, with words that are all written below; in a workspace that `holdfast init` was told yes about; with everything
off by which a repository's settings could start another program. Whatever goes wrong, upkeep is done: the answer says why
there is no commit.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections import Counter

from ..config import is_trusted
from ..guard.entering import printable, redacted
from ..model import Value, fold
from ..storage.exchange import decoded, encoded
from ..storage.merging import merged
from .applying import as_stored

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..memory import Memory
    from .plan import Change, There

SECONDS = 30  # for each call; a repository on a dead mount must not keep upkeep
_OFF = (
    "core.hooksPath=/dev/null", "core.fsmonitor=false", "core.attributesFile=/dev/null", "core.editor=false",
    "core.askPass=false", "credential.helper=", "commit.gpgSign=false", "gc.auto=0", "protocol.allow=never",
    "user.useConfigOnly=true",
)  # fmt: skip
_SAFE = (*(word for setting in _OFF for word in ("-c", setting)), "--no-replace-objects", "--no-pager")
_DRAFT = "refs/holdfast/upkeep"  # the commit between being made and being the branch's
_UNDER_WAY = {
    "MERGE_HEAD": "a merge", "CHERRY_PICK_HEAD": "a cherry-pick", "REVERT_HEAD": "a revert", "rebase-merge": "a rebase",
    "rebase-apply": "a rebase", "BISECT_LOG": "a bisection", "index.lock": "another git command",
}  # fmt: skip
_FILES = ("100644", "100755")
_LINES = 60  # of a message


class NoCommit(Exception):
    """Why there is no commit, in words that go on from “not committed:”."""


class Written(Value):
    """What upkeep has made of one file: its bytes as they were read and as they are now; None where there is none."""

    path: str
    before: bytes | None
    after: bytes | None


class Blob(Value):
    """One file in a tree or in the index."""

    mode: str
    id: str
    stage: str = "0"


class Going(Value):
    """What becomes of one file by the commit."""

    path: str
    was: Blob | None  # in the last commit
    now: bytes | None
    mode: str


def committed(memory: Memory, there: There, done: Iterable[Change], env: Mapping[str, str]) -> str:
    """Commit what upkeep did; what came of that, in words. Empty where nobody has asked for commits, or no document changed."""
    changes = [change for change in done if change.edits]
    if memory.config.gitCommit == "never" or not changes:
        return ""
    try:
        if not is_trusted(memory.config, memory.workspace):
            raise NoCommit("nobody has agreed to this workspace yet; `holdfast init` asks")
        return _Repository(memory.workspace, env).commit(_written(there, changes), message(changes))
    except NoCommit as why:
        return f"not committed: {why}"


def message(changes: list[Change]) -> str:
    """What a commit says: how much of what, and each change with its reason."""
    much = ", ".join(f"{kind} {number}" for kind, number in Counter(change.kind for change in changes).items())
    lines = [f"- {change.kind}: {fold(printable(redacted(change.reason)[0]), 200)}" for change in changes[:_LINES]]
    more = [f"- and {len(changes) - _LINES} more"] if len(changes) > _LINES else []
    return "\n".join([f"Holdfast upkeep: {much}", "", *lines, *more]) + "\n"


def _written(there: There, changes: list[Change]) -> list[Written]:
    """Every file that these changes made, changed or took away, with what it was before the first of them."""
    after = {edit.path: edit.after for change in changes for edit in change.edits}
    found = []
    for path, text in after.items():
        was = there.texts.get(path)
        stored = None if text is None else as_stored(path, encoded(text))
        found.append(Written(path, None if was is None else as_stored(path, encoded(was)), stored))
    return found


class _Repository:
    """The repository that a workspace lies in, asked and changed through git's plumbing alone."""

    def __init__(self, workspace: str, env: Mapping[str, str]) -> None:
        self.workspace = workspace
        self.program = _program(env.get("PATH", os.defpath), os.path.realpath(workspace))
        own = ("HOME", "XDG_CONFIG_HOME", "TZ")  # the user's own settings say who commits; nothing else comes along
        self.env = {name: env[name] for name in own if name in env}
        self.env |= {"PATH": os.defpath, "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1"}
        for name in ("memory", "MEMORY.md"):
            if os.path.islink(os.path.join(workspace, name)):
                raise NoCommit(f"{name} is a link to somewhere else")
        told = self._git("rev-parse", "--show-prefix", "--absolute-git-dir", "--show-object-format")
        if told is None:
            raise NoCommit(f"git sees no repository here that it may use ({self.said})")
        self.prefix, self.folder, self.format = (*told.split(b"\n"), b"", b"")[:3]

    def _git(self, *words: str, given: bytes = b"") -> bytes | None:
        """What git answers; None where it said no, and `said` then has why."""
        argv = [self.program, *_SAFE, *words]
        try:
            done = subprocess.run(
                argv, cwd=self.workspace, env=self.env, input=given, capture_output=True, timeout=SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            raise NoCommit(f"git did not answer within {SECONDS} seconds") from None
        except OSError as error:
            raise NoCommit(f"git could not be started ({error.strerror})") from None
        why = done.stderr.decode("utf-8", "replace").strip().split("\n")[0] or f"exit {done.returncode}"
        self.said, self.code = fold(printable(redacted(why)[0]), 200), done.returncode
        return done.stdout if done.returncode == 0 else None

    def commit(self, written: list[Written], said: str) -> str:
        """Commit these files; returns the answer for the user."""
        self._is_free()
        old = (self._git("rev-parse", "--quiet", "--verify", "HEAD^{commit}") or b"").strip().decode()
        who = self._git("var", "GIT_COMMITTER_IDENT")
        if who is None:
            raise NoCommit("git does not know who commits; set user.name and user.email")
        going, left = self._compared(written, old)
        if not going:
            raise NoCommit("; ".join(left) or "git has all of it already")
        new = self._drafted(going, said, who.strip(), old)
        self._moved(going, new, old)
        return "; ".join([f"committed {new[:10]}", *left])

    def _is_free(self) -> None:
        """Whether this is a moment for a commit: on a branch, with nothing half done."""
        if self._git("symbolic-ref", "--quiet", "HEAD") is None:
            raise NoCommit("no branch is checked out (HEAD is detached)")
        for name, what in _UNDER_WAY.items():
            if os.path.lexists(os.path.join(os.fsdecode(self.folder), name)):
                raise NoCommit(f"{what} is under way")

    # ---- what goes into it ----

    def _compared(self, written: list[Written], old: str) -> tuple[list[Going], list[str]]:
        """What goes into the commit; and what is left out of it, in words."""
        head = _blobs(self._git("ls-tree", "-r", "-z", "HEAD", "--", "memory", "MEMORY.md") or b"", tree=True) if old else {}
        listed = self._git("ls-files", "-s", "-z", "--", "memory", "MEMORY.md")
        if listed is None:
            raise NoCommit(self.said)
        index = _blobs(listed, tree=False)
        ignored = self._ignored([one.path for one in written if one.path not in head and one.after is not None])
        staged = [one.path for one in written if index.get(one.path) != head.get(one.path)]
        odd = [one.path for one in written if one.path in head and head[one.path].mode not in _FILES]
        usual = [one for one in written if one.path not in {*staged, *odd, *ignored}]
        changed = {one.path for one in usual if one.after and one.path in head and head[one.path].id != self._id(one.before)}
        texts = self._texts({head[path].id for path in changed})
        found = []
        for one in usual:
            was = head.get(one.path)
            now = one.after if was is None or one.path not in changed else _without_theirs(one, texts[was.id])
            if (was.id if was else "") != self._id(now):
                found.append(Going(one.path, was, now, was.mode if was else _FILES[0]))
        whys = (("something of it is staged", staged), ("git ignores it", sorted(ignored)), ("it is no file to git", odd))
        return found, [f"left out {_named(paths)}: {why}" for why, paths in whys if paths]

    def _id(self, data: bytes | None) -> str:
        """The name that git has for these bytes; empty for none."""
        if data is None:
            return ""
        return hashlib.new(self.format.decode() or "sha1", b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()

    def _ignored(self, paths: list[str]) -> set[str]:
        told = self._git("check-ignore", "-z", "--stdin", given=b"".join(os.fsencode(path) + b"\0" for path in paths))
        if told is None and self.code != 1:  # 1: none of them
            raise NoCommit(self.said)
        return {os.fsdecode(path) for path in (told or b"").split(b"\0") if path}

    def _texts(self, ids: set[str]) -> dict[str, bytes]:
        """What the last commit has of the files that were changed since, by whomever."""
        told = self._git("cat-file", "--batch", given="".join(f"{one}\n" for one in sorted(ids)).encode()) if ids else b""
        found: dict[str, bytes] = {}
        rest = told or b""
        while rest:
            head, _, rest = rest.partition(b"\n")
            name, kind, size = (*head.decode("ascii", "replace").split(" "), "", "")[:3]
            if kind != "blob" or not size.isdecimal():
                raise NoCommit("the last commit cannot be read")
            found[name], rest = rest[: int(size)], rest[int(size) + 1 :]
        if found.keys() != ids:
            raise NoCommit("the last commit cannot be read")
        return found

    # ---- and how it is made ----

    def _drafted(self, going: list[Going], said: str, who: bytes, old: str) -> str:
        """The commit, under a name of our own that is nobody's branch yet."""
        files = [(one.path, one.now, one.mode) for one in going if one.now is not None]
        parts = [b"blob\nmark :%d\ndata %d\n%b\n" % (n, len(now), now) for n, (_, now, _) in enumerate(files, 2)]
        text = encoded(said)
        parts.append(b"commit %b\nmark :1\ncommitter %b\ndata %d\n%b\n" % (_DRAFT.encode(), who, len(text), text))
        parts += [b"from %b\n" % old.encode()] if old else []
        parts += [b"M %b :%d %b\n" % (mode.encode(), n, self._quoted(path)) for n, (path, _, mode) in enumerate(files, 2)]
        parts += [b"D %b\n" % self._quoted(one.path) for one in going if one.now is None]
        told = self._git("fast-import", "--quiet", "--force", "--done", given=b"".join([*parts, b"\nget-mark :1\ndone\n"]))
        if told is None:
            raise NoCommit(self.said)
        return told.strip().decode()

    def _moved(self, going: list[Going], new: str, old: str) -> None:
        """The index first, then the branch. Killed in between, our files are staged; the other way round they would be staged to
        be taken back by the next commit.
        """
        moved = self._indexed({one.path: Blob(one.mode, self._id(one.now)) if one.now is not None else None for one in going})
        if moved:
            steps = f"start\nupdate HEAD {new} {old or '0' * len(new)}\ndelete {_DRAFT}\nprepare\ncommit\n"
            if self._git("update-ref", "-m", "holdfast upkeep", "--stdin", given=steps.encode()) is not None:
                return
        why = self.said
        if moved:
            self._indexed({one.path: one.was for one in going})
        self._git("update-ref", "-d", "refs/holdfast/upkeep")
        raise NoCommit(why)

    def _indexed(self, files: Mapping[str, Blob | None]) -> bool:
        """Put these files into the index, or (None) take them out of it; nothing else in it is touched."""
        none = "0" * (64 if self.format == b"sha256" else 40)
        lines = [(blob.mode, blob.id, path) if blob else ("0", none, path) for path, blob in files.items()]
        given = b"".join(f"{mode} {name} 0\t".encode() + self._full(path) + b"\0" for mode, name, path in lines)
        return self._git("update-index", "-z", "--index-info", given=given) is not None

    def _full(self, path: str) -> bytes:
        return self.prefix + os.fsencode(path)

    def _quoted(self, path: str) -> bytes:
        """A path as fast-import takes any."""
        return b'"%b"' % self._full(path).replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")


def _program(path: str, workspace: str) -> str:
    """Git, by the first absolute folder of PATH that has it; one inside the workspace is whatever came with that."""
    for folder in path.split(os.pathsep):
        program = os.path.realpath(os.path.join(folder, "git"))
        if os.path.isabs(folder) and not program.startswith(workspace + os.sep) and os.access(program, os.X_OK):
            return os.path.join(folder, "git")
    raise NoCommit("git is not installed")


def _without_theirs(one: Written, last: bytes) -> bytes:
    """What upkeep changed, made to what the last commit has: what a person or a command has written since is not in it."""
    if one.after is None or one.before is None or one.path.endswith(".gz"):
        return one.after or b""
    return encoded(merged(decoded(one.before), decoded(one.after), decoded(last)))


def _blobs(told: bytes, *, tree: bool) -> dict[str, Blob]:
    """A list of files as `ls-tree` (mode kind id) or `ls-files` (mode id stage) gives it."""
    found: dict[str, Blob] = {}
    for line in told.split(b"\0"):
        about, tab, path = line.partition(b"\t")
        if tab:
            mode, second, third = about.decode("ascii", "replace").split(" ")[:3]
            found[os.fsdecode(path)] = Blob(mode, third) if tree else Blob(mode, second, third)
    return found


def _named(paths: list[str]) -> str:
    shown = ", ".join(printable(path) for path in paths[:3])
    return shown + (f" and {len(paths) - 3} more" if len(paths) > 3 else "")
