"""Where a text has telltales of secrets: three engines, one answer.

A short text is searched for each telltale in turn, which needs nothing compiled. A long one is searched for all of them at
once: by two expressions, or by Hyperscan where it is installed (the extra `fast`). They give the same places, so what is a
secret does not depend on what is installed (docs/decisions/0007-redaction.md has the figures).
"""

from __future__ import annotations

from functools import lru_cache

from .entering import foreign_letters
from .rules import ALPHABETS, ARMOUR, FORMS, KEY_WORDS, NAMES, PASSWORD_WORDS, PLAIN, SHAPES, TOKENS, expression

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    Places = tuple[Iterable[int], Iterable[int]]  # where a prefix of a token begins, and where another telltale does

SHORT = 4096  # up to here, in all texts of a process, looking for each telltale is cheaper than compiling one expression for all
LONG = 500_000  # and up to here the expressions are cheaper than loading Hyperscan and compiling for it
_searched = [0]
_chosen: list[Callable[[str, str], Places]] = []

PREFIXES: tuple[str, ...] = tuple(prefix for _, prefixes, _, _ in TOKENS for prefix in prefixes.split())
WORDS: tuple[str, ...] = tuple(
    dict.fromkeys((*(word.lower() for _, words, _, _ in SHAPES for word in words), *ARMOUR, *PASSWORD_WORDS, *KEY_WORDS, *NAMES))
)
_PLAIN_WORDS = [word for word in WORDS if word.isascii()]
_FOREIGN_WORDS = [word for word in WORDS if not word.isascii()]
_ASSIGNED = frozenset((*PASSWORD_WORDS, *KEY_WORDS, *NAMES)).difference(
    ARMOUR, (word.lower() for _, words, _, _ in SHAPES for word in words)
)  # words that are nothing without a value; a few are telltales of a shape besides
ESCAPED = ("n", "r", "t", "b", "f")  # behind a backslash these are no letters of a word


@lru_cache(maxsize=2)
def lowered(text: str) -> str:
    """The text in lower case, character for character: the one letter whose lower case is two is replaced first. Kept, since
    what is private is looked for in it as well as what is secret.
    """
    return text.lower() if text.isascii() else text.replace("\u0130", "I").lower()


def engine_for(length: int) -> Callable[[str, str], Places]:
    """The engine for a text of that length, after all that were searched before it."""
    _searched[0] += length
    if _searched[0] <= LONG:
        return by_finding if _searched[0] <= SHORT else by_expression
    if not _chosen:
        try:
            import hyperscan  # type: ignore[import-not-found,unused-ignore]  # noqa: F401

            _chosen.append(by_hyperscan)
        except ImportError:
            _chosen.append(by_expression)
    return _chosen[0]


# ---- one by one --------------------------------------------------------------------------------------------------------


def by_finding(text: str, lower: str) -> Places:
    """Each telltale looked for by itself."""
    tokens = {place for prefix in PREFIXES if prefix in text for place in every(text, prefix)}
    return tokens, {place for word in WORDS if word in lower for place in every(lower, word)}


def every(text: str, word: str) -> Iterator[int]:
    """Every place at which a word stands in a text."""
    place = text.find(word)
    while place >= 0:
        yield place
        place = text.find(word, place + 1)


# ---- all at once, with the standard library ----------------------------------------------------------------------------

_RARITY = " etaoinsrldcumphg/f._ybwv-k:=0123456789x,qzj|@$?~+"  # from frequent to rare, in notes and code
_LETTERS, _OTHERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", b"_.,$|:=!*+/%~\\^[]-"
_KINDS = bytes(1 if byte in _LETTERS else 2 if byte in _OTHERS else 0 for byte in range(256))
_MARKED = bytes(map(bool, _KINDS))
_RUN = bytes([1]) * 16
_TWO, _THREE = (frozenset(prefix for prefix in PREFIXES if len(prefix) == length) for length in (2, 3))
_FOUR = frozenset(prefix[:4] for prefix in PREFIXES)
# What stands behind a telltale at the least, in lower case: most places are refused by it in C, which the rules would refuse a
# hundred times as slowly. Whatever a rule can find it lets through; a test holds it against an engine that does without.
_SIGNED = r"[a-z0-9_.-]{0,52}+[\\\"'`*\])]{0,16}+[ \t:=!>→：,(是为為はが는은이]"  # the rest of the name, what closes it, a sign
_CALLED = r"(?:[ \t]{1,4}|=)?[\"']?[^\s:\"']{0,80}+[\"']?:[\"']?[^\s\"']{3}"
_HASHED = r"[./a-z0-9]{2}"
_ARMOURED = "[a-z0-9 ]{0,40}private key"
_CLOSED = "[a-z0-9+/]{5,6}=="
_BEHIND = {
    "private-lines:": " [0-9]", "rwrty0iy": "[a-z0-9+/=]{40}", "eyj": "[a-z0-9_=+/-]{10}", ":aa": "[a-z0-9_-]{30}",
    "eyjrijoi": "[a-z0-9+/=_-]{40}", "-us": "[0-9]", ".atlasv1.": "[a-z0-9_=-]{50}", "q~": "[a-z0-9_~.-]{31}",
    "facebook": r"[^\n|]{0,40}?[0-9]{13}", "/api/webhooks/": "[0-9]{15}",
    ".webhook.office.com/": "webhookb2/", "/open-apis/bot/": "v2/hook/", "/webhook/send?key=": "[a-z0-9-]{20}",
    "hooks.zapier.com/": "hooks/catch/[0-9]{4}", "maker.ifttt.com/": "(?:use|trigger)/", "sig=": "[a-z0-9%/+_-]{30}",
    "x-amz-signature=": "[0-9a-f]{64}", "://": r"[^\s/\"'<>]{3,303}@", " -u": _CALLED, "--user": _CALLED, "--proxy-user": _CALLED,
    "curl ": r"[^\n]{0,200}?-u[ \t]", "machine": r"\s", "login": r"\s", "mysql": r"(?:dump|admin)?[ \t]",
    "mariadb": r"(?:dump|admin)?[ \t]", ":5432:": r"[^\s:]{1,60}+:", "$apr1$": _HASHED, "$2y$": "[0-9]{2}", "$2b$": "[0-9]{2}",
    "+ast": _CLOSED, "+aba": _CLOSED, "+acr": _CLOSED, "acdb": _CLOSED, "azfu": "[a-z0-9_-]{5,6}==",
    "azse": "[a-z0-9]{5,6}+(?![a-z0-9])", "azdo": "[a-z0-9]{4}(?![a-z0-9])", "jqqj99": "[a-z0-9]{20}",
    "_mmk": "(?![a-z0-9])", ":apa91b": "[a-z0-9_-]{100}", "wandb login": " ",
    "ssws 00": "[a-z0-9_-]{40}", "$2a$": "[0-9]{2}", "$6$": _HASHED, "$5$": _HASHED, "-----begin ": _ARMOURED,
    "---- begin ": _ARMOURED,
}  # fmt: skip
_BEFORE = {  # and before it
    "q~": "[0-9]", ":aa": "[0-9]", "-us": "[0-9a-f]", "sig=": "[?&;]", "_mmk": "_[a-z0-9]{29}", "eyj": "(?<![a-z0-9_-]{2})",
}  # fmt: skip
_made: dict[str, tuple[str, dict[str, list[tuple[str, int]]]]] = {}  # expressions by their words, with those by anchor


def by_expression(text: str, lower: str) -> Places:
    """Prefixes by the runs in which they stand, words by one expression for all of them: hardly any place is worth a look.

    A word is looked for by its rarest letter (`token` by its k): few places have one. Words in other letters than ours are
    looked for where the text has all their letters, which is to say hardly ever: not for an arrow or a tick.
    """
    words = "".join(_PLAIN_WORDS)
    sources = [_made.get(words) or _made.setdefault(words, _anchored(_PLAIN_WORDS))]
    letters = foreign_letters(lower)
    foreign = [word for word in _FOREIGN_WORDS if letters and letters.issuperset(c for c in word if not c.isascii())]
    if foreign:
        words = "".join(foreign)
        sources.append(_made.get(words) or _made.setdefault(words, _anchored(foreign)))
    others: set[int] = set()
    for source, by_anchor in sources:
        for found in expression(source).finditer(lower):
            at = found.start()
            for word, before in by_anchor[lower[at]]:
                if lower.startswith(word, at - before):
                    others.add(at - before)
    return _in_long_runs(text), others


def _in_long_runs(text: str) -> list[int]:
    """Where a prefix may begin: behind what is no letter or digit, with sixteen characters of a token from there on.

    Few words are that long, and of those few begin as a prefix does. The runs are found among bytes, one a character, since
    that is six times as fast as an expression. In a run that is longer than any path an expression looks on, which takes some
    milliseconds to compile and a tenth of the time for each place.
    """
    marks = text.encode("ascii", "replace").translate(_MARKED)
    places: list[int] = []
    start = marks.find(_RUN)
    while start >= 0:
        end = marks.find(0, start)
        end = len(text) if end < 0 else end
        run = text[start : min(end, start + _OFTEN)]
        places += [start + at for at in _in_known_run(run)]
        if end - start > _OFTEN:
            tokens = expression(f"{_SEPARATED}(?={_token_tree()})")
            places += [found.end() for found in tokens.finditer(text, start + _OFTEN - _OVERLAP, end)]
        start = marks.find(_RUN, end)
    return places


_OFTEN, _OVERLAP = 200, 20  # characters of a run that may come again: a session names the same paths over and over


@lru_cache(maxsize=4096)
def _in_known_run(run: str) -> list[int]:
    """Where a prefix may begin in one run."""
    kinds = run.encode().translate(_KINDS)
    places = []
    place, last = 0, len(run) - 16
    while True:
        head = run[place : place + 4]
        if head in _FOUR or head[:3] in _THREE or head[:2] in _TWO:
            places.append(place)
        if head[0] in ESCAPED and run[place - 1 : place] == "\\":
            places.append(place + 1)  # behind a line's end as JSON writes it
        place = kinds.find(2, place, last) + 1
        if not place:
            return places


_SEPARATED = r"[_.,$|:=!*+/%~\\^\[\]-](?:(?<=\\)[nrtbf])?"


@lru_cache(maxsize=1)
def _token_tree() -> str:
    """An expression for every prefix with as much of a token behind it as its rule wants, a letter at a time: a list of them
    would be tried one by one.
    """
    ends = []
    for kind, prefixes, least, _ in TOKENS:
        behind = FORMS.get(kind) or f"{ALPHABETS.get(kind, PLAIN)}{{{least}}}"
        ends += [(prefix, behind) for prefix in prefixes.split()]
    first = "".join(sorted({_escaped(prefix[0]) for prefix, _ in ends}))
    return f"(?=[{first}]){_tree(ends)}"


def _tree(ends: list[tuple[str, str]]) -> str:
    branches: dict[str, list[tuple[str, str]]] = {}
    for word, behind in ends:
        branches.setdefault(word[:1], []).append((word[1:], behind))
    whole = dict.fromkeys(behind for _, behind in branches.pop("", []))
    return f"(?:{'|'.join((*whole, *(_escaped(letter) + _tree(rest) for letter, rest in branches.items())))})"


def _anchored(words: list[str]) -> tuple[str, dict[str, list[tuple[str, int]]]]:
    """An expression for the rarest letter of each word with the rest of the word around it, and the words by that letter."""
    ways: dict[str, tuple[list[str], list[str]]] = {}  # by letter: words that want a sign behind them, and telltales of shapes
    by_anchor: dict[str, list[tuple[str, int]]] = {}
    for word in words:
        if any(word != other and word.startswith(other) and _goes_on(word, other) for other in words):
            continue  # where `pass` is looked for, `password` is found
        anchor = max(range(len(word)), key=lambda i, word=word: _RARITY.find(word[i]) if word.isascii() else -i)  # type: ignore[misc]
        by_anchor.setdefault(word[anchor], []).append((word, anchor))
        leads = _BEFORE.get(word, "") + _escaped(word[: anchor + 1])
        before = f"(?<={leads})" if anchor or word in _BEFORE else ""
        whole = before + _escaped(word[anchor + 1 :]) + _BEHIND.get(word, "")
        ways.setdefault(word[anchor], ([], []))[word not in _ASSIGNED].append(whole)
    sources = []
    for letter, (assigned, others) in ways.items():
        around = [f"(?:{'|'.join(assigned)}){_SIGNED}"] if assigned else []
        sources.append(f"{_escaped(letter)}(?={'|'.join((*around, *others))})")
    return "|".join(sources), by_anchor


def _goes_on(word: str, other: str) -> bool:
    """Whether what a longer word has more is what may follow the shorter one anyway."""
    if other not in _ASSIGNED:
        return other not in _BEFORE
    return all(c.isascii() and (c.isalnum() or c in "_.-") for c in word[len(other) :])


def _escaped(text: str) -> str:
    from re import escape

    return escape(text)


# ---- all at once, with Hyperscan ---------------------------------------------------------------------------------------

_databases: list[tuple[Any, list[int]]] = []
_DENSE = 50  # characters to a telltale, on average: where there are less, most are refused, which the expressions do in C


def by_hyperscan(text: str, lower: str) -> Places:
    """All telltales at the speed of memory. It counts in bytes, so offsets are counted back where characters have several.

    Every telltale is a call of Python, whatever stands behind it: where a text has them by the thousand the scan is broken off,
    and the expressions serve. So they do where another thread has its working space, which is for one scan at a time.
    """
    import hyperscan

    try:
        if text.isascii():
            return _scanned(text.encode(), words=True)
        original, folded = text.encode("utf-8", "surrogatepass"), lower.encode("utf-8", "surrogatepass")
        return _characters(original, _scanned(original, words=False)[0]), _characters(folded, _scanned(folded, words=True)[1])
    except hyperscan.error:
        return by_expression(text, lower)


def _scanned(data: bytes, *, words: bool) -> tuple[list[int], list[int]]:
    import hyperscan

    if not _databases:
        known = [word.encode() for word in (*PREFIXES, *WORDS)]
        made = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
        flags = [0] * len(PREFIXES) + [hyperscan.HS_FLAG_CASELESS] * len(WORDS)
        sources = [_escaped(word.decode()).encode() for word in known]
        made.compile(expressions=sources, ids=list(range(len(known))), elements=len(known), flags=flags)
        _databases.append((made, [len(word) for word in known]))
    database, lengths = _databases[0]
    tokens: list[int] = []
    others: list[int] = []

    left = [1000 + len(data) // _DENSE]

    def met(number: int, _start: int, end: int, _flags: int, _context: object) -> bool:
        at = end - lengths[number]
        if number >= len(PREFIXES):
            if words:
                others.append(at)
        elif not at or data[at - 1] not in _LETTERS:  # in the midst of a word none begins; `xxxx…` would be all places
            tokens.append(at)
        left[0] -= 1
        return left[0] < 0  # true: that is enough, and the scan fails

    database.scan(data, match_event_handler=met)
    return tokens, others


def _characters(data: bytes, offsets: list[int]) -> list[int]:
    """Offsets in bytes as offsets in characters, in one pass."""
    found = []
    at = count = 0
    for offset in sorted(set(offsets)):
        count += len(data[at:offset].decode("utf-8", "surrogatepass"))
        at = offset
        found.append(count)
    return found
