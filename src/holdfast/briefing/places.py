"""Files in the brief, and names at their places: a name without its place is a word in a bag; with it, it is where to look."""

from __future__ import annotations

import re

from ..model import PRINTED_BY, fold, is_collected

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..model import Checkpoint

DELETED = "deleted"  # all that is said of a file that is no longer there
_NAMES_A_LINE = 20
_PARTS_SHOWN = 3  # of the path of a file that was only spoken of
_SAYS_LITTLE = re.compile(r"(?:edited \d+ times?|read|found by a search)?")


def is_listed(kind: str) -> bool:
    """Whether a kind of name has its own place in the brief."""
    return kind == "Command" or is_collected(kind)


_Told = tuple[str, dict[str, list[str]]]  # what is said of a file, and the names that it touches and has


class Files:
    """Files with the names that belong to them, and the names that belong to none.

    Only the first so many names are admitted, by rank, whatever their place. Changed files of which there is nothing more
    to say share a line, behind the latest ones, and so do those that were deleted; such files that were only read go with those
    that were only spoken of. A name that the brief has `above` is left out.
    """

    def __init__(self, state: Checkpoint, how_many: int, above: str) -> None:
        ranked = [(kind, value) for kind, value in state.names if kind == "Name" or kind.startswith(PRINTED_BY)]
        self.left = {value: kind for kind, value in ranked[:how_many]}
        told = {path: _clauses(what) for path, what in state.files}
        for verb in ("touches", "has"):  # a name belongs to the file in which it was changed before any in which it was seen
            for _, names in told.values():
                names[verb] = [name for name in names[verb] if self.left.pop(name, None)]
        own = [path for path, what in state.files if any(told[path][1].values()) or not _only_seen(what)]
        self.folder = _common_folder(own, [path for path, what in state.files if not _only_seen(what)])
        self.root = f" in `{self.folder}`" if self.folder else ""
        gone = [_seen_from(self.folder, path) for path, what in state.files if what == DELETED]
        changed, alone = self._lines([(p, told[p]) for p, what in state.files if not _only_seen(what) and what != DELETED], 4)
        self.changed = [*changed, *([_prose(gone, "- deleted:")] if gone else []), *_in_lines(alone)]
        self.read, seen = self._lines([(p, told[p]) for p, what in state.files if _only_seen(what)], 0)
        said = set(re.findall(r"\w{6,}", above))
        # What stands above has more around it there than its name.
        self.left = {name: kind for name, kind in self.left.items() if name not in said}
        self.elsewhere = self._elsewhere()
        shown = "\n".join([*self.changed, *self.read])
        named = [value for kind, value in state.names if kind == "File" and value.rsplit("/", 1)[-1] not in shown]
        spoken = [_short_of(self.folder, path) for path in named]
        self.others = _in_lines(list(dict.fromkeys([*spoken, *seen]))[:56])

    def _lines(self, files: list[tuple[str, _Told]], at_least: int) -> tuple[list[str], list[str]]:
        """(lines for each file of which there is something to say, the files of which there is not)."""
        lines: list[str] = []
        alone: list[str] = []
        for path, (plain, names) in self._once_each(files):
            short = path
            if len(lines) >= at_least and not any(names.values()) and _SAYS_LITTLE.fullmatch(plain):
                alone.append("/".join(short.split("/")[-2:]))
                continue
            said = [] if not plain or (any(names.values()) and _SAYS_LITTLE.fullmatch(plain)) else [plain]
            for verb, listed in names.items():
                for i in range(0, len(listed), _NAMES_A_LINE):
                    if i:  # nobody reads a longer line to its end
                        lines.append(f"- `{short}`: {'; '.join(said)}")
                        short, said = f"…/{short.rsplit('/', 1)[-1]}", []  # the same one
                    said.append(_prose(listed[i : i + _NAMES_A_LINE], verb))
            lines.append(f"- `{short}`: {'; '.join(said)}" if said else f"- `{short}`")
        return lines, alone

    def _once_each(self, files: list[tuple[str, _Told]]) -> list[tuple[str, _Told]]:
        """The files as they are called from the folder: one that a search called by another path than an editor is one file."""
        found: dict[str, _Told] = {}
        for path, (plain, names) in files:
            short = _seen_from(self.folder, path)
            known = found.setdefault(short, (plain, {"touches": [], "has": []}))[1]
            for verb, listed in names.items():
                known[verb] += listed
        return list(found.items())

    def _elsewhere(self) -> list[str]:
        by_place: dict[str, list[str]] = {}
        for name, kind in self.left.items():
            by_place.setdefault(kind, []).append(name)
        said = by_place.pop("Name", [])
        for kind in [kind for kind, names in by_place.items() if len(names) < 3]:
            said += by_place.pop(kind)
        lines = [_prose(names, f"- {kind[0].lower()}{kind[1:]}:") for kind, names in by_place.items()]
        return [*(_prose(said[i : i + _NAMES_A_LINE], "- spoken of:") for i in range(0, len(said), _NAMES_A_LINE)), *lines]


def _clauses(what: str) -> _Told:
    """What is said of a file: its lists of names, and the rest."""
    names: dict[str, list[str]] = {"touches": [], "has": []}
    plain = []
    for clause in fold(what, 4000).split("; "):
        verb, _, rest = clause.partition(" ")
        if verb in names:
            names[verb] += rest.split(", ")
        else:
            plain.append(clause)
    return fold("; ".join(plain), 200), names


def _only_seen(what: str) -> bool:
    return what.startswith(("read", "found by a search"))


def _common_folder(paths: list[str], changed: list[str]) -> str:
    """The folder that is worth being named once instead of in each line: the one that saves most characters.

    Paths that begin nowhere are taken to be in it, or to lead into it from above. Where most of what was changed begins nowhere,
    an absolute path beside it says nothing of where.
    """
    absolute = [path.startswith("/") for path in changed or paths]
    is_whole = 2 * sum(absolute) >= len(absolute)
    nowhere = [path for path in paths if not path.startswith("/")]
    saved: dict[str, int] = {}
    for path in [path for path in paths if path.startswith("/")] if is_whole else nowhere:
        parts = path.split("/")
        for depth in range(2, len(parts)):
            folder = "/".join(parts[:depth]) + "/"
            saved[folder] = saved.get(folder, -len(folder)) + len(folder)
    worth = [folder for folder, value in saved.items() if value > 0]
    if is_whole:
        worth = [folder for folder in worth if _may_hold(folder, nowhere)]
    return max(worth, key=lambda folder: saved[folder], default="")


def _may_hold(folder: str, nowhere: list[str]) -> bool:
    """Whether paths that begin nowhere can be in a folder: `src/a.go` shows that they begin above `/w/src/tax/`."""
    begins = [at for path in nowhere if (at := folder.find(f"/{path.partition('/')[0]}/")) >= 0]
    return not begins or all(path.startswith(folder[min(begins) + 1 :]) for path in nowhere)


def _seen_from(folder: str, path: str) -> str:
    """A path as it is called in a folder, where that is shorter."""
    if not folder or path.startswith(folder):
        return path.removeprefix(folder)
    there, here = path.split("/"), folder.rstrip("/").split("/")
    if not path.startswith("/"):  # from above the folder, as a search calls it
        ends = (i for i in range(len(there) - 1, 0, -1) if folder.endswith(f"/{'/'.join(there[:i])}/"))
        return "/".join(there[next(ends, 0) :])
    shared = next((i for i, (a, b) in enumerate(zip(there, here, strict=False)) if a != b), len(here))
    return min(path, "/".join([".."] * (len(here) - shared) + there[shared:]), key=len) if shared > 1 else path


def _short_of(folder: str, path: str) -> str:
    """A file that was only spoken of: its path as it was called, seen from the folder of the work. Of a long one the end, behind
    a sign that it is the end.
    """
    inside = bool(folder) and path.startswith(folder)
    parts = (path.removeprefix(folder) if inside else path).split("/")
    return "/".join(parts) if len(parts) <= _PARTS_SHOWN else "…/" + "/".join(parts[-2:])


def _in_lines(paths: list[str]) -> list[str]:
    """Files of which nothing else is to be said, a few to a line, those of one folder together."""
    lines = []
    for i in range(0, len(paths), 8):
        by_folder: dict[str, list[str]] = {}
        for path in paths[i : i + 8]:
            folder, _, name = path.rpartition("/")
            by_folder.setdefault(folder, []).append(name)
        alone = [f"{folder}/{names[0]}".lstrip("/") for folder, names in by_folder.items() if not folder or not names[1:]]
        alone += by_folder.get("", [])[1:]
        said = [_prose(names, f"in {folder}/") for folder, names in by_folder.items() if folder and names[1:]]
        lines.append("- " + "; ".join([*([_prose(alone, "also")] if alone else []), *said]))
    return lines


def _prose(names: list[str], verb: str) -> str:
    """Names as a clause of a sentence, three to a breath where they are many: a bag of words is read by nobody."""
    size = 3 if len(names) > 5 else 5
    parts = [names[i : i + size] for i in range(0, len(names), size)]
    said = [", ".join(part[:-1]) + (" and " if part[1:] else "") + part[-1] for part in parts]
    return f"{verb} " + ", plus ".join(said)
