"""Where a text has telltales of secrets: three engines, one answer.

A short text is searched for each telltale in turn, which needs nothing compiled. A long one is searched for all of them at
once: by two expressions, or by Hyperscan where it is installed (the extra `fast`). They give the same places, so what is a
secret does not depend on what is installed (docs/decisions/0007-redaction.md has the figures).
"""

from __future__ import annotations

from .rules import ARMOUR, KEY_WORDS, NAMES, PASSWORD_WORDS, SHAPES, TOKENS, expression

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    Places = tuple[Iterable[int], Iterable[int]]  # where a prefix of a token begins, and where another telltale does

SHORT = 4096  # up to here, in all texts of a process, looking for each telltale is cheaper than compiling one expression for all
_searched = [0]
_chosen: list[Callable[[str, str], Places]] = []

PREFIXES: tuple[str, ...] = tuple(prefix for _, prefixes, _, _ in TOKENS for prefix in prefixes.split())
WORDS: tuple[str, ...] = tuple(
    dict.fromkeys((*(word.lower() for _, words, _, _ in SHAPES for word in words), *ARMOUR, *PASSWORD_WORDS, *KEY_WORDS, *NAMES))
)
ESCAPED = ("n", "r", "t", "b", "f")  # behind a backslash these are no letters of a word


def lowered(text: str) -> str:
    """The text in lower case, character for character: the one letter whose lower case is two is replaced first."""
    return text.lower() if text.isascii() else text.replace("\u0130", "I").lower()


def engine_for(length: int) -> Callable[[str, str], Places]:
    """The engine for a text of that length, after all that were searched before it."""
    _searched[0] += length
    if _searched[0] <= SHORT:
        return by_finding
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
    tokens = {place for prefix in PREFIXES if prefix in text for place in _every(text, prefix)}
    return tokens, {place for word in WORDS if word in lower for place in _every(lower, word)}


def _every(text: str, word: str) -> Iterator[int]:
    place = text.find(word)
    while place >= 0:
        yield place
        place = text.find(word, place + 1)


# ---- all at once, with the standard library ----------------------------------------------------------------------------

_RARITY = "etaoinsrldcmuphgf ybwv-._/k0123456789x:=qzj|@$?~"  # from frequent to rare, in notes and code
_RUN = r"[A-Za-z0-9_.,$|:=!*+/%~\\^\[\]-]{16}"
_LONG_RUN = rf"[^A-Za-z0-9](?={_RUN})"
_TWO, _THREE = (frozenset(prefix for prefix in PREFIXES if len(prefix) == length) for length in (2, 3))
_FOUR = frozenset(prefix[:4] for prefix in PREFIXES)
_made: dict[str, tuple[str, dict[str, list[tuple[str, int]]]]] = {}  # expressions by their name, with their words by anchor


def by_expression(text: str, lower: str) -> Places:
    """All telltales by one expression for prefixes and one for words, made so that hardly any place is worth a look.

    A prefix stands behind what is no letter or digit, with sixteen characters of a token from there on: few words are that long,
    and of those few begin as a prefix does. (An expression of all prefixes would take longer to compile than it saves.)
    A word is looked for by its rarest letter (`token` by its k): few places have one.
    """
    if not _made:
        _made["words"] = _anchored([word for word in WORDS if word.isascii()])
        _made["foreign"] = _anchored([word for word in WORDS if not word.isascii()])
    runs = [0, *[found.end() for found in expression(_LONG_RUN).finditer(text)]]
    runs += [place + 1 for place in runs if text[place : place + 1] in ESCAPED]
    tokens = [at for at in runs if text[at : at + 4] in _FOUR or text[at : at + 2] in _TWO or text[at : at + 3] in _THREE]
    others: set[int] = set()
    for source, words in (_made["words"],) if text.isascii() else (_made["words"], _made["foreign"]):
        for found in expression(source).finditer(lower):
            at = found.start()
            others.update(at - before for word, before in words[lower[at]] if lower.startswith(word, at - before))
    return tokens, others


def _anchored(words: list[str]) -> tuple[str, dict[str, list[tuple[str, int]]]]:
    """An expression for the rarest letter of each word with the rest of the word around it, and the words by that letter."""
    ways: dict[str, list[str]] = {}
    by_anchor: dict[str, list[tuple[str, int]]] = {}
    for word in words:
        if any(word != other and word.startswith(other) for other in words):
            continue  # where `pass` is looked for, `password` is found
        anchor = max(range(len(word)), key=lambda i, word=word: _RARITY.find(word[i]) if word.isascii() else -i)  # type: ignore[misc]
        by_anchor.setdefault(word[anchor], []).append((word, anchor))
        behind = f"(?<={_escaped(word[: anchor + 1])})" if anchor else ""
        ways.setdefault(word[anchor], []).append(f"{behind}(?={_escaped(word[anchor + 1 :])})")
    return "|".join(f"{_escaped(letter)}(?:{'|'.join(around)})" for letter, around in ways.items()), by_anchor


def _escaped(text: str) -> str:
    from re import escape

    return escape(text)


# ---- all at once, with Hyperscan ---------------------------------------------------------------------------------------

_databases: list[tuple[Any, list[int]]] = []


def by_hyperscan(text: str, lower: str) -> Places:
    """All telltales at the speed of memory. It counts in bytes, so offsets are counted back where characters have several."""
    if text.isascii():
        return _scanned(text.encode(), words=True)
    original, folded = text.encode("utf-8", "surrogatepass"), lower.encode("utf-8", "surrogatepass")
    return _characters(original, _scanned(original, words=False)[0]), _characters(folded, _scanned(folded, words=True)[1])


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

    def met(number: int, _start: int, end: int, _flags: int, _context: object) -> None:
        if number < len(PREFIXES):
            tokens.append(end - lengths[number])
        elif words:
            others.append(end - lengths[number])

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
