"""What a text names: identifiers, as programs have them, and files.

Plain functions over plain text, as in signs.py, and by the same rule: an expression is compiled when it is first needed. Nothing
here knows the tools, the language or the project of a session.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ..transcripts.shell import FILE_ENDINGS

_made = lru_cache(maxsize=None)(re.compile)

_PICTURES = ("png", "svg", "gif", "jpg", "jpeg", "ico", "webp")
_ENDED = r"\.(\w{1,10}+)(?![\w(])"  # and then one of those: to look for each of them takes ten times as long to compile
_BEFORE = r"[\w.@~/-]*\Z"
_APART = bytes(code if chr(code).isalnum() or chr(code) == "_" else 32 for code in range(128)) + b" " * 128
_LONGEST_NAME = 61
_LONGEST_PATH = 180  # characters that are looked at before a file's ending
_SIDES = ("diff ", "--- ", "+++ ")  # lines of a diff that name files
_PARTS = r"[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]"
_ID = r"(?:\d.*){4}|\d.*[A-Z].*\d.*[a-z]|_[A-Za-z0-9]{20,}|\A(?:[0-9A-Fa-f]{2}){3,4}\Z"  # the last is a colour
_SYLLABLE = r"[A-Z][a-z]*[aeiou][a-z]+|[A-Z][a-z]+[aeiou]|[a-z]+[aeiou][a-z]+"  # `Class` of MyClass2
_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-"  # the file of a single run
_FOUND_IN = r"([\w./@~+-]*\w\.\w{1,8})[:-]\d+[:-]"  # how searching tools name the place of a line
_FOUND = r"\.\w{1,8}[:-]\d+[:-]"  # what is in every text that has one
_CUT = r"…\)?[\w.-]+"  # what is left of a name that a program has shortened: (…)kens.json
_DIFF = ("diff ", "+++ ")
_DIFFERS = r"\+\+\+ (?:b/)?(\S+\.\w{1,8})$"
# An address with a long id in it, of which no part is a name: small and large letters and digits, as they are drawn.
_ADDRESS = r"://(?=[^\s\"'<>]*?[/=.?&-](?=[\w-]{20})(?=[\w-]{0,80}[0-9])(?=[\w-]{0,80}[a-z])[\w-]{0,80}[A-Z])[^\s\"'<>]+"
# Folders of what others have made: what a trace or a list names there is in nobody's hands here.
OTHERS = (
    "node_modules", "site-packages", "dist-packages", "/usr/lib/", "/lib/python3", "/pkg/mod/", "/.cargo/registry/", "/rustc/",
)  # fmt: skip
_nameless: set[bytes] = set()  # words that can be no names, met before: a session says the same words over and over
_MANY_WORDS = 20_000


def mentioned(text: str) -> tuple[set[str], dict[str, str]]:
    """(names, files) in a text; of `rates_test.go`, `rates_test` is no name."""
    if "…" in text:
        text = _made(_CUT).sub(" ", text)
    files = _files_in(text)
    return names_in(text) - {name.rpartition(".")[0] for name in files}, files


def names_in(text: str) -> set[str]:
    """Identifiers: words of several parts, as programs have them. Ids of single runs are no names: nobody types them again.

    Much of the time of a capture goes by here: words are found among bytes, one a character, and each is looked at once in a
    process, however often it occurs.
    """
    if "\\" in text:  # of an escaped text (`\\tFoo`) the escape belongs to no word
        text = text.replace("\\n", " ").replace("\\r", " ").replace("\\t", " ")
    if "://" in text:
        text = _made(_ADDRESS).sub(" ", text)
    words = set(text.encode("ascii", "replace").translate(_APART).split()) - _nameless
    telling = {word for word in words if len(word) > 5 and (b"_" in word or not word.islower())}
    if len(_nameless) > _MANY_WORDS:
        _nameless.clear()
    _nameless.update(words - telling)
    return {name for word in telling for name in _names_of(word)}


@lru_cache(maxsize=4096)
def _names_of(run: bytes) -> list[str]:
    """The name that a run of letters, digits and `_` is, if it is one: the pieces of a run that is too long for one are none."""
    word = run.decode().lstrip("0123456789")
    if not 5 < len(word) <= _LONGEST_NAME or (word.islower() and "_" not in word):
        return []
    return [word] if _made(_PARTS).search(word) and not _is_id(word) else []


def _is_id(word: str) -> bool:
    """Whether a word is an id of a single run. One that has no digits, and no `_` with much behind it, is not looked through."""
    if len(word) <= 20 and word.replace("_", "").isalpha():
        return False
    return bool(_made(_ID).search(word)) or _is_drawn(word)


def _is_drawn(word: str) -> bool:
    """Whether a word of digits and letters of both cases cannot be spoken: drawn at random, as names of passing folders are."""
    if len(word) < 8 or "_" in word or word.isupper() or word.islower():
        return False
    letters = [letter for letter in word if letter.isalpha()]
    vowels = sum(letter in "aeiouAEIOU" for letter in letters)
    if len(letters) > 15 and len(letters) > 10 * vowels:
        return True  # as long as that, a syllable comes about by chance
    return len(letters) > 5 * vowels and not _made(_SYLLABLE).search(word)


def _files_in(text: str) -> dict[str, str]:
    """Names of files, by their endings; each with the path by which it is called here, whole."""
    found: dict[str, str] = {}
    # From the endings back: to look for paths from their beginning takes six times as long.
    for ending in _made(_ENDED).finditer(text):
        if ending[1] not in FILE_ENDINGS:
            continue
        before = text[max(0, ending.start() - _LONGEST_PATH) : ending.start()].rsplit(None, 1)
        start = _made(_BEFORE).search(before[-1]) if before else None
        folder, _, name = ((start[0] if start else "") + ending[0]).rpartition("/")
        if name[0] == "." or ("-" in name and _made(_UUID).search(name)) or _is_no_file(folder, name, ending[1]):
            continue
        folder = _folder_meant(folder, text, ending.start() - len(start[0] if start else ""))
        if folder not in ("", ".", ".."):
            found[name] = f"{folder}/{name}"
        else:
            found.setdefault(name, name)
    return found


def _folder_meant(folder: str, text: str, begin: int) -> str:
    """The folders of a path that begins at a place of a text. Of an address, or a path too long to be seen whole, the last."""
    if begin and folder[:2] in ("a/", "b/", "a", "b") and text[text.rfind("\n", 0, begin) + 1 : begin].startswith(_SIDES):
        return folder[2:]  # git puts these two before the sides of a diff
    if begin and text[begin - 1] == "…":
        folder = folder.lstrip("/")  # shortened by whoever wrote it: where it begins nobody knows
    parts = folder.split("/")
    is_address = folder.startswith("//") or text[begin - 3 : begin] == "://"
    if is_address or len(folder) >= _LONGEST_PATH - _LONGEST_NAME:
        parts = parts[-1:]
    # `app.js/style.css` are two files, and a folder has no such ending.
    files = [at for at, part in enumerate(parts) if "." in part and part.rpartition(".")[2] in FILE_ENDINGS]
    parts = parts[files[-1] + 1 :] if files else parts
    return "/".join(parts[1:] if parts[:1] == ["."] else parts)


def _is_no_file(folder: str, name: str, ending: str) -> bool:
    """What only has the looks of a file: a field of a value (`r.r`, `this.diff`, `process.env`), a picture of a web page. And
    what is another's.
    """
    if folder:
        return (folder.startswith("//") and ending in _PICTURES) or any(others in folder for others in OTHERS)
    return len(name) == 3 or ending == "env" or name.startswith(("this.", "self."))


def ends(text: str, most: int) -> str:
    """The beginning and the end of a long text, without the words that the cut runs through."""
    if len(text) <= most:
        return text
    first, last = text[: most * 3 // 4], text[-most // 4 :]
    if "PRIVATE KEY" in text:
        last = ""  # the end of a key no longer shows what it is
    return first[: max(first.rfind(" "), first.rfind("\n"))] + "\n" + (last.split(None, 1) or [""])[-1]


def by_place(text: str) -> dict[str, str]:
    """What of an output belongs to which file by what it says itself, line by line, as searches and diffs do."""
    if not (text.startswith(_DIFF) or any(f"\n{head}" in text for head in _DIFF) or _made(_FOUND).search(text)):
        return {}  # nearly all outputs
    found: dict[str, list[str]] = {}
    place = ""
    for line in text.split("\n"):
        there = _made(_FOUND_IN).match(line)
        if there and not _made(_UUID).search(there[1]):
            found.setdefault(there[1], []).append(line[there.end() :])
        elif line.startswith(_DIFF):
            differs = _made(_DIFFERS).match(line)
            place = differs[1] if differs else ""
        elif place:
            found.setdefault(place, []).append(line)
    return {path: "\n".join(lines) for path, lines in found.items()}
