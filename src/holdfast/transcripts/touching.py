"""What a shell's command does to files by itself: which it changes or takes away, and what of the work it undoes; by its form.

Apart from shell.py, since few commands do: whoever asks has looked for one of the words before.
"""

from __future__ import annotations

import re
from functools import lru_cache

from .shell import FILE_ENDINGS, QUOTED, REDIRECTED, apart, fed

_OPENING = frozenset(("do", "then", "else", "{", "(", "sudo"))
_EXPANDED = frozenset("*?[]{}$`")
_STAYS = frozenset(("--cached", "--dry-run", "-n", "-t", "--target-directory"))  # in its place, or it goes who knows where
_NO_PATH = frozenset(" \t\n*?$(){}[]^|;&<>,\\`=:")
_EVERYTHING = (".", "./", ":/", "*")
_BACK = r"HEAD(?:~(\d+)|(\^+)|~)\Z"
_PUT_ASIDE = ("pop", "apply", "list", "show", "drop", "clear", "branch", "create", "store")  # what else is done with what is


@lru_cache(maxsize=8)  # the same one is asked for several things in a row
def _commands(command: str) -> list[list[str]]:
    """The words of each single command; what is quoted and no plain word, a script say, is left out."""
    plain = re.sub(QUOTED, lambda found: "''" if _NO_PATH.intersection(found[2]) else found[2], fed(command)[0])
    return [words for part in apart(plain.replace("|", "\n")) if (words := part.split())]


def _files(words: list[str]) -> list[str]:
    return [word for word in words if word[:1] != "-" and not _NO_PATH.intersection(word) and word != "''"]


def changed_by(command: str) -> tuple[str, ...]:
    """The files that a command changes in place: `sed -i … a.py`."""
    found: list[str] = []
    for words in _commands(command):
        if words[0] == "sed" and any(word.startswith(("-i", "--in-place")) for word in words):
            found += [word for word in _files(words[1:]) if _ending(word) in FILE_ENDINGS]
    return tuple(found)


def _ending(path: str) -> str:
    return path.rpartition(".")[2]


def taken_away_by(command: str) -> list[tuple[str, str, bool]]:
    """The files and folders that a command deletes or moves: (path, new path or nothing, whether git does it).

    What is expanded (`*.pyc`, `$OUT`) is passed over, and so is what is done only where something else has failed.
    """
    if "rm " not in command and "mv " not in command:
        return []
    from shlex import split

    found: list[tuple[str, str, bool]] = []
    folder = ""
    for part in fed(command)[0].replace("||", "\n| ").replace("&&", "\n").replace(";", "\n").split("\n"):
        try:
            words = split(re.sub(REDIRECTED, "", part.split(" |", 1)[0])) if part[:1] != "|" else []
        except ValueError:  # a quote that does not end here
            continue
        while words[:1] and words[0] in _OPENING:
            del words[0]
        if words[:1] == ["cd"] and len(words) == 2:
            folder = _below(folder, words[1])
        elif words:
            found += _taken_away(words, folder)
    return found


def _taken_away(words: list[str], folder: str) -> list[tuple[str, str, bool]]:
    by_git = words[0] == "git"
    if by_git and words[1:2] == ["-C"]:
        folder, words = _below(folder, words[2] if words[2:] else ""), [words[0], *words[3:]]
    verb, *given = words[1:] if by_git and words[1:] else words
    if verb not in ("rm", "mv") or not _STAYS.isdisjoint(given):
        return []
    named = [word for word in given if word[:1] != "-"]
    if any(_EXPANDED.intersection(word) for word in named):
        return []
    paths = [_below(folder, word) for word in named]
    if verb == "rm":
        return [(path, "", by_git) for path in paths]
    *sources, target = paths or [""]
    into = len(sources) > 1 or named[-1:] == ["."] or "".join(named[-1:]).endswith(("/", ".."))
    return [(path, f"{target}/{path.rsplit('/', 1)[-1]}" if into else target, by_git) for path in sources]


def _below(folder: str, path: str) -> str:
    """A path as it is called from where the command was begun."""
    path = path if not folder or path[:1] in ("/", "~") else f"{folder}/{path}"
    parts: list[str] = []
    for part in path.split("/"):
        if part == ".." and parts and parts[-1] not in ("", ".."):
            parts.pop()
        elif part != "." and (part or not parts):
            parts.append(part)
    return "/".join(parts)


def reverted_by(command: str) -> tuple[str, ...]:
    """The files that a command gives their last committed text again: `git checkout -- a.py`, `git restore b.py`."""
    if "git" not in command or ("checkout" not in command and "restore" not in command):
        return ()
    found: list[str] = []
    for part in apart(fed(command)[0]):
        words = [word.strip("'\"") for word in part.split()]
        if words[:2] == ["git", "checkout"] and "--" in words:
            found += words[words.index("--") + 1 :]
        elif words[:2] == ["git", "restore"] and "--staged" not in words:
            found += [word for word in words[2:] if word[:1] != "-"]
    return tuple(path for path in found if path and path not in _EVERYTHING)


def discarded_by(command: str) -> int | None:
    """Of a command that throws away or puts aside all that is not committed, the number of commits that go too; else None."""
    found: int | None = None
    for words in _commands(command) if "git" in command else ():
        if words[0] != "git" or len(words) < 2:
            continue
        verb, given = words[1], words[2:]
        if verb in ("checkout", "restore") and given and given[-1] in _EVERYTHING:
            found = None if "--staged" in given and "--worktree" not in given else found or 0
        elif verb == "reset" and "--hard" in given:
            found = max(found or 0, *(_commits(word) for word in given))
        elif verb == "stash" and not set(given).intersection(_PUT_ASIDE) and "--" not in given:
            found = found or 0
    return found


def discards_a_folder(command: str) -> bool:
    """Whether what a command discards is only what lies in the folder in which it is run."""
    return any(words[0] == "git" and words[-1] in _EVERYTHING for words in _commands(command))


def went_to(command: str) -> str:
    """The folder to which a command goes before it does something, by its whole path; empty where it names none."""
    given = (words[1] for words in _commands(command) if words[0] == "cd" and words[1:])
    return next((folder.rstrip("/") for folder in given if folder.startswith("/")), "")


def _commits(revision: str) -> int:
    """How many commits before the last one a revision is: HEAD~2."""
    back = re.match(_BACK, revision)
    return int(back[1] or 0) or len(back[2] or "") or 1 if back else 0


def is_taken_up(command: str) -> bool:
    """Whether a command takes up again what was put aside."""
    return any(words[:2] == ["git", "stash"] and words[2:3] in (["pop"], ["apply"]) for words in _commands(command))
