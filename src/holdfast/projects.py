"""Which memory a project has that nobody has set up: known by its repository, wherever that lies.

The user's list (`projects` in the state folder) has a line for each place from which something was saved: the memory's folder,
the place, and what the repository there was known by, with tabs between. What a repository is known by is read from the files in
`.git`, never by running git, for hooks must answer at once:

remote  a digest of the address that it is cloned from (`origin`, else the first), without user names and passwords
root    the first commit, where the reflog still tells it
birth   when the repository was made here: the time of a file that git writes once; moving keeps it, cloning does not

Rule 1: a place keeps its memory while its repository is the same one. Another one in that place has another memory.
Rule 2: the same remote is the same project: a second clone, a new clone, a worktree. Two first commits that differ are not.
Rule 3: without a remote, only a repository that was moved is the same one: the old place is gone. A copy is another project, and
        so are two that were made from one template.
Rule 4: a worktree is of the repository that it belongs to, where that one says so too: a file `.git` alone claims nothing.
"""

from __future__ import annotations

import os
import re

from .model import Value, slug
from .storage.disk import Folder
from .util import compute_digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container

LIST = "projects.tsv"
_LONGEST = 1_000_000  # bytes of a file in `.git` that we read
_REMOTE = re.compile(r'\A\[remote "(.*)"\]\Z')
_WITH_SCHEME = re.compile(r"\A[a-z+]+://(?:[^/@]*@)?([^/:]+)(?::\d+)?/+(.*)\Z", re.I)
_LIKE_SCP = re.compile(r"\A(?:[^/@:]+@)?([^/@:]+):(?!/)(.*)\Z")


class Repository(Value):
    """A repository: its place (the main checkout, also for a worktree), its git folder, and what it is known by."""

    place: str
    git: str = ""  # empty: there is none, and the place is a folder as any other
    remote: str = ""
    root: str = ""
    birth: str = ""

    @property
    def marks(self) -> tuple[str, str, str]:
        """What it is known by, wherever it lies."""
        return self.remote, self.root, self.birth


class Entry(Value):
    """A line of the list: which memory was used from a place, and what the repository there was known by then."""

    memory: str
    place: str
    remote: str = ""
    root: str = ""
    birth: str = ""

    def is_at_home(self, here: Repository) -> bool:
        """Whether the repository that is in this place now is the one that was there then (rule 1)."""
        if not any(here.marks) or not any((self.remote, self.root, self.birth)):
            return True  # there was none, or is none any more: it goes by the place
        if self.birth and self.birth == here.birth:
            return True
        if self.remote or here.remote:
            return self.remote == here.remote
        return bool(self.root) and self.root == here.root

    def is_same_project(self, here: Repository) -> bool:
        """Whether the repository in another place is the same project (rules 2 and 3)."""
        if self.root and here.root and self.root != here.root:
            return False
        if self.remote and self.remote == here.remote:
            return True
        if os.path.lexists(self.place):
            return False
        if self.birth and self.birth == here.birth:
            return True
        return bool(self.root) and self.root == here.root and not (self.remote and here.remote)


def find_repository(folder: str) -> Repository:
    """The repository that a folder is in; the folder itself where it is in none."""
    start = folder = os.path.realpath(folder)
    while folder != os.path.dirname(folder):
        git = os.path.join(folder, ".git")
        if os.path.isdir(git):
            return _read_marks(folder, git)
        if os.path.isfile(git):
            return _follow_git_file(folder, git)
        folder = os.path.dirname(folder)
    return Repository(start)


def _follow_git_file(folder: str, git: str) -> Repository:
    """The repository of a worktree (the main one), or of a submodule (its own)."""
    named = _read(git).removeprefix("gitdir:").strip()
    real = os.path.realpath(os.path.join(folder, named)) if named else ""
    common = _read(os.path.join(real, "commondir")).strip() if real else ""
    if not real or not os.path.isdir(real):
        return Repository(folder)
    if not common:
        return _read_marks(folder, real)
    back = _read(os.path.join(real, "gitdir")).strip()
    if not back or os.path.realpath(os.path.join(real, back)) != os.path.realpath(git):
        return Repository(folder)  # rule 4
    main = os.path.realpath(os.path.join(real, common))
    return _read_marks(os.path.dirname(main) if os.path.basename(main) == ".git" else main, main)


def _read_marks(place: str, git: str) -> Repository:
    remote = find_remote(_read(os.path.join(git, "config")))
    first = _read(os.path.join(git, "logs", "HEAD"), 500).partition("\n")[0]
    before, _, after = first.partition(" ")
    began = "\tcommit (initial)" in first and not before.strip("0")
    try:
        birth = str(os.stat(os.path.join(git, "description")).st_mtime_ns)
    except OSError:
        birth = ""
    mark = compute_digest(remote.encode("utf-8", "surrogateescape"))[:16] if remote else ""
    return Repository(place, git, mark, after[:40] if began else "", birth)


def find_remote(config: str) -> str:
    """The address that a repository is cloned from, by its settings: `origin`, else the first; empty where there is none."""
    found: dict[str, str] = {}
    section = ""
    for line in map(str.strip, config.splitlines()):
        if line.startswith("["):
            remote = _REMOTE.match(line)
            section = remote[1] if remote else ""
        elif section and line.partition("=")[0].strip().casefold() == "url":
            found.setdefault(section, shorten_address(line.partition("=")[2].strip().strip('"')))
    return found.get("origin", next(iter(found.values()), ""))


def shorten_address(address: str) -> str:
    """The host and the path of a remote, whichever way it is reached: `git@host:me/x.git` is `https://host/me/x`."""
    parts = _WITH_SCHEME.match(address) or _LIKE_SCP.match(address)
    if parts:
        address = f"{parts[1].casefold()}/{parts[2]}"
    return address.partition("?")[0].rstrip("/").removesuffix(".git").rstrip("/")


def find_branch(folder: str) -> str:
    """The branch that is checked out where a folder is; empty where there is none."""
    folder = os.path.realpath(folder)
    while folder != os.path.dirname(folder):
        git = os.path.join(folder, ".git")
        if os.path.lexists(git):
            if os.path.isfile(git):
                git = os.path.join(folder, _read(git).removeprefix("gitdir:").strip())
            head = _read(os.path.join(git, "HEAD"), 500).strip()
            return head.removeprefix("ref: refs/heads/") if head.startswith("ref: refs/heads/") else ""
        folder = os.path.dirname(folder)
    return ""


def find_memory(state: str, here: str, trusted: Container[str] = ()) -> str:
    """The folder of the memory of the project that a folder is in. It need not exist yet.

    It is one in the state folder, or one of the trusted workspaces: what the list says of any other counts for nothing.
    """
    found = find_repository(here)
    name, memories = slug(os.path.basename(found.place)) or "root", os.path.join(state, "projects")
    default = os.path.join(memories, f"{name}-{_mark(found.place)}")
    if not found.git:
        return default
    entries = [
        entry for entry in read_entries(state) if os.path.dirname(entry.memory) == memories or entry.memory in trusted
    ]
    return _follow(_choose(default, entries, found), entries)


def _choose(default: str, entries: list[Entry], here: Repository) -> str:
    own = [entry for entry in entries if entry.place == here.place]
    for entry in reversed(own):
        if entry.is_at_home(here):
            return _own_memory(default, entry, entries, here)
    if not own and os.path.isdir(default):
        return default  # of a version that kept no list
    for entry in reversed(entries):
        if entry.place != here.place and entry.is_same_project(here) and os.path.isdir(entry.memory):
            return entry.memory
    return f"{default[:-8]}{_mark(here.place, *here.marks)}" if own else default


def _follow(memory: str, entries: list[Entry]) -> str:
    """Where a memory was brought to since (`holdfast init`); itself where it was not."""
    moved = [entry.memory for entry in entries if entry.place == memory and os.path.isdir(entry.memory)]
    return moved[-1] if moved else memory


def _own_memory(default: str, entry: Entry, entries: list[Entry], here: Repository) -> str:
    """The memory that was used from this place; another one where its remote has changed and others still share that memory."""
    others = {other.remote for other in entries if other.memory == entry.memory and other.place != entry.place}
    if entry.remote == here.remote or not others - {here.remote}:
        return entry.memory
    return f"{default[:-8]}{_mark(here.place, here.remote)}" if entry.memory == default else default


def remember_memory(state: str, here: str, memory: str) -> None:
    """Write down which memory is used from here, where the list does not say so. Losing it loses no memory."""
    found = find_repository(here)
    is_shared = os.path.dirname(memory) == os.path.join(state, "projects")
    if found.git and (is_shared or memory == found.place):  # a workspace above may hold several projects
        _add_line(state, (memory, found.place, *found.marks))


def remember_move(state: str, source: str, target: str) -> None:
    """Write down that what was saved in one memory was brought into another."""
    _add_line(state, (target, source, "", "", ""))


def _add_line(state: str, parts: tuple[str, ...]) -> None:
    line = "\t".join(parts)
    if "\n" in line or line.count("\t") != 4 or line in _lines(state):
        return
    try:
        with Folder.open(state, make=True) as folder:
            folder.append(LIST, line.encode("utf-8", "surrogateescape") + b"\n")
    except OSError:
        pass


def read_entries(state: str) -> list[Entry]:
    """The list, the oldest line first."""
    return [Entry(*parts) for line in _lines(state) if len(parts := line.split("\t")) == 5]


def _lines(state: str) -> list[str]:
    return _read(os.path.join(state, LIST)).split("\n")


def _mark(*parts: str) -> str:
    return compute_digest(os.fsencode("\0".join(parts)))[:8]


def _read(path: str, limit: int = _LONGEST) -> str:
    if not os.path.isfile(path):  # a pipe would hold us up
        return ""
    try:
        with open(path, "rb") as file:
            return file.read(limit).decode("utf-8", "surrogateescape")
    except OSError:
        return ""
