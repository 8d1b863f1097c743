"""Where a text has telltales of secrets, and at what cost that is found out.

*Prefixes* of tokens stand in long runs of token characters, of which a text has few: the runs are found among its bytes, and what
begins in them is looked up. *Words* for secrets are asked for in the text's vocabulary, its words once each, which is a fraction
of it; only those that are there are looked for in the text itself. Neither needs an expression, which to compile would take
longer than to search what a hook brings. Where Hyperscan is installed (the extra `fast`) a long text is searched for all words
at once. Both give the same places, so what is a secret does not depend on what is installed (docs/decisions/0007-redaction.md
has the figures).
"""

from __future__ import annotations

from functools import cache, lru_cache

from .rules import (
    ALPHABETS,
    ARMOUR,
    BODIES,
    FORMS,
    IS,
    KEY_WORDS,
    NAMES,
    OF,
    PASSWORD_WORDS,
    PLAIN,
    SCHEMES,
    SHAPES,
    TO,
    TOKENS,
    expression,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    Sighted = dict[str, list[int]]  # word → where it stands, in order
    Engine = Callable[[str], Sighted]

LONG = 500_000  # characters from which on loading Hyperscan and compiling for it is worth it, in one text
LONG_IN_ALL = 2_000_000  # and in all texts of a process: nobody knows whether more will come
_searched = [0]
_chosen: list[Engine] = []

PREFIXES: tuple[str, ...] = tuple(prefix for _, prefixes, _, _ in TOKENS for prefix in prefixes.split())
_OF_SHAPES = [word.lower() for _, words, _, _ in SHAPES for word in words]
WORDS: tuple[str, ...] = tuple(
    dict.fromkeys((*_OF_SHAPES, *ARMOUR, *BODIES, *PASSWORD_WORDS, *KEY_WORDS, *NAMES))
)
# Words that are nothing without a value; a few are telltales of a shape besides.
_ASSIGNED = frozenset((*PASSWORD_WORDS, *KEY_WORDS, *NAMES)).difference(_OF_SHAPES)
UNSPACED = "\u2e80"  # from here on are the scripts of China, Japan and Korea
ESCAPED = ("n", "r", "t", "b", "f")  # behind a backslash these are no letters of a word


@lru_cache(maxsize=2)
def lowered(text: str) -> str:
    """The text in lower case, character for character: the one letter whose lower case is two is replaced first. Kept, since
    what is private is looked for in it as well as what is secret.
    """
    return text.lower() if text.isascii() else text.replace("\u0130", "I").lower()


def engine_for(length: int) -> Engine:
    """The engine for a text of that length, after all that were searched before it."""
    _searched[0] += length
    if length < LONG and _searched[0] < LONG_IN_ALL:
        return by_vocabulary
    if not _chosen:
        try:
            import hyperscan  # type: ignore[import-not-found,unused-ignore]  # noqa: F401

            _chosen.append(by_hyperscan)
        except ImportError:
            _chosen.append(by_vocabulary)
    return _chosen[0]


@cache
def longer(word: str) -> tuple[str, ...]:
    """The words for secrets that begin with another one, the longest last."""
    return tuple(sorted((other for other in _ASSIGNED if other.startswith(word) and other != word), key=len))


def stands_close(often: int, length: int) -> bool:
    """Whether what stands so often in a text of that length is worth an expression of its own, which takes long to compile."""
    return often > _SOME + length // _MANY


def every(text: str, word: str) -> Iterator[int]:
    """Every place at which a word stands in a text."""
    place = text.find(word)
    while place >= 0:
        yield place
        place = text.find(word, place + 1)


# ---- prefixes, in long runs --------------------------------------------------------------------------------------------

_LETTERS, _OTHERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", b"_.,$|:=!*+/%~\\^[]-"
_KINDS = bytes(1 if byte in _LETTERS else 2 if byte in _OTHERS else 0 for byte in range(256))
_MARKED = bytes(map(bool, _KINDS))
_RUN = bytes([1]) * 16
_TWO, _THREE = (frozenset(prefix for prefix in PREFIXES if len(prefix) == length) for length in (2, 3))
_FOUR = frozenset(prefix[:4] for prefix in PREFIXES)
LONG_RUN, _OVERLAP = 200, 20  # a run up to here may come again: a session names the same paths over and over


def runs(text: str) -> Iterator[tuple[int, int]]:
    """Where sixteen characters of a token, or more, stand in a row: few words are that long. They are found among bytes, one a
    character, since that is six times as fast as an expression.
    """
    marks = text.encode("ascii", "replace").translate(_MARKED)
    start = marks.find(_RUN)
    while start >= 0:
        end = marks.find(0, start)
        end = len(text) if end < 0 else end
        yield start, end
        start = marks.find(_RUN, end)


def beginnings(run: str) -> list[int]:
    """Where a prefix may begin in a run: at its start, and behind what is no letter or digit, with sixteen characters to go. Of a
    run that is longer than any path most is left to an expression, which takes some milliseconds to compile and a tenth of the
    time for each place.
    """
    kinds = run[:LONG_RUN].encode().translate(_KINDS)
    places = []
    place, last = 0, len(kinds) - 16
    while True:
        head = run[place : place + 4]
        if head in _FOUR or head[:3] in _THREE or head[:2] in _TWO:
            places.append(place)
        if head[0] in ESCAPED and run[place - 1 : place] == "\\":
            places.append(place + 1)  # behind a line's end as JSON writes it
        place = kinds.find(2, place, last) + 1
        if not place:
            break
    if len(run) > LONG_RUN:
        tokens = expression(f"{_SEPARATED}(?={_token_tree()})")
        places += [found.end() for found in tokens.finditer(run, LONG_RUN - _OVERLAP)]
    return places


ROW, _FEW = 1000, 8  # a run of so many characters may be a row of prefixes; so many of them are looked for one by one
_APART = bytes(byte if byte in _LETTERS else 32 for byte in range(256))


def few_prefixes(run: str) -> list[tuple[str, Callable[[str, int], re.Match[str] | None]]] | None:
    """(kind, search for one of its prefixes with as much behind it as its rule wants) of all prefixes that a run may have; None
    where those are more than a few, since each goes through the run again.
    """
    parts = set(run.encode().translate(_APART).split())
    parts.update([part[1:] for part in parts if part[:1] in b"nrtbf"])  # behind a line's end as JSON writes it
    heads = {part[:length] for part in parts for length in (2, 3, 4)}
    rules = [rule for head in heads for rule in _by_lead().get(head, ())] + _by_lead()[b""]
    rules = [rule for rule in rules if rule[0] in run]
    return [(kind, expression(source).search) for _, kind, source in rules] if len(rules) <= _FEW else None


@cache
def _by_lead() -> dict[bytes, list[tuple[str, str, str]]]:
    """(prefix, kind, expression) of all prefixes by the letters and digits that they begin with, four at most."""
    by_lead: dict[bytes, list[tuple[str, str, str]]] = {b"": []}
    for kind, prefixes, least, _ in TOKENS:
        behind = FORMS.get(kind) or f"{ALPHABETS.get(kind, PLAIN)}{{{least}}}"
        for prefix in prefixes.split():
            known = _escaped(prefix)
            begins = rf"{known}(?:(?<![A-Za-z0-9]{known})|(?<=\\[nrtbf]{known}))(?={behind})"
            lead = prefix.encode().translate(_APART).partition(b" ")[0][:4]
            by_lead.setdefault(lead if len(lead) > 1 else b"", []).append((prefix, kind, begins))
    return by_lead


_SEPARATED = r"[_.,$|:=!*+/%~\\^\[\]-](?:(?<=\\)[nrtbf])?"


@cache
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


def _escaped(text: str) -> str:
    from re import escape

    return escape(text)


# ---- words, by the text's vocabulary -----------------------------------------------------------------------------------

# What stands behind a telltale at the least, in lower case: most places are refused by it in C, which the rules would refuse a
# hundred times as slowly. Whatever a rule can find it lets through; a test holds it against an engine that does without.
# Behind a word for a secret that is a name's rest, its end, and a sign.
_SIGNED = r"[a-z0-9_.-]{0,52}+[\\\"'`*\])]{0,16}+(?:[\s:=!>→：,(是为為は就改设設变變が는은이ค]|[s’]|value|</key>)"
# What stands there where a rule would refuse it at once (assigned._hopeless says the same of what it is given): nothing, a word
# of prose, a sentence in quotes, behind a space what is too short for a key. A link, such as `is`, may have the value behind it.
_NAMED, _WITHIN = r"[a-z0-9_.-]{0,40}+", "a-z0-9_.-"
_SPACED, _EQUALS = r"[ \t]{1,4}", r"[ \t]{0,8}[=:](?![=:>*])[ \t]{0,8}"
_LETTER = "[a-zß-öø-ɏά-ώа-џא-תء-غف-يぁ-ゖァ-ヺー-ヾ一-鿿가-힣]"
_LINK = (
    rf"(?:{OF}|{IS}|{TO}|{SCHEMES.lower()}|api|value|from|такой|такий)(?!\w)|[是为為は就改设設变變が는은이]|คือ"
    r"|[bru](?=[\"'])"
)
_WORDS_IN_A_ROW = r"[^\W\d_]{4,12}(?:[ \t-]{1,40}[^\W\d_]{3,12}){2,40}[ \t]{0,40}"  # as a passphrase has them
_OVER = r"[.,;:?)\]}|]{0,3}(?:[\s\"'`<>]|\Z)(?![ \t]{0,4}=)"
_NOTHING = r"[ \t]{0,4}(?:\r?\n(?![ \t]{0,24}[\"']?(?:android:)?value)|\Z)"
_SAID = "|".join(
    rf"{mark}(?![\"'`“‘「『\\]|{_LINK}|{_WORDS_IN_A_ROW}{mark})"
    rf"(?=[^{mark}\n]{{0,150}}[^{mark}\s] {{1,8}}[^{mark}\s])[^{mark}\n]{{1,400}}{mark}"
    for mark in "\"'"
)
_TOO_SHORT = rf"(?!{_LINK})[a-z0-9_/.][^\s\"'`<>“”‘’「」『』，。、；;&,\\]{{0,18}}(?=\s|\Z)"
_CALLED = r"(?:[ \t]{1,4}|=)?[\"']?[^\s:\"']{0,80}+[\"']?:[\"']?[^\s\"']{3}"
_HASHED = r"[./a-z0-9]{2}"
_ARMOURED = "(?:[a-z0-9 ]{0,40}private|openvpn static) key"
_CLOSED, _SEALED = "[a-z0-9+/]{5,6}==", "[a-z0-9+/]{5,6}="
_BEHIND = {
    "private-lines:": " [0-9]", "rwrty0iy": "[a-z0-9+/=]{40}", "eyj": "[a-z0-9_=+/-]{10}", ":aa": "[a-z0-9_-]{30}",
    "eyjrijoi": "[a-z0-9+/=_-]{40}", "-us": "[0-9]", ".atlasv1.": "[a-z0-9_=-]{50}", "q~": "[a-z0-9_~.-]{31}",
    "facebook": r"[^\n|]{0,40}?[0-9]{13}", "/api/webhooks/": "[0-9]{15}",
    ".webhook.office.com/": "webhookb2/", "/open-apis/bot/": "v2/hook/", "/webhook/send?key=": "[a-z0-9-]{20}",
    "hooks.zapier.com/": "hooks/catch/[0-9]{4}", "maker.ifttt.com/": "(?:use|trigger)/", "sig=": "[a-z0-9%/+_-]{30}",
    "x-amz-signature=": "[0-9a-f]{64}", "://": r"[^\s/\"'<>]{3,303}@",
    " -u": rf"(?:{_CALLED}|[ \t]{{1,4}}\S{{1,82}}[ \t]{{1,4}}-p)", "--user": _CALLED, "--proxy-user": _CALLED,
    "curl ": r"[^\n]{0,200}?-u[ \t]", "machine": r"\s", "login": r"[\s:]", "mysql": r"(?:dump|admin)?[ \t]",
    "mariadb": r"(?:dump|admin)?[ \t]", ":5432:": r"[^\s:]{1,60}+:", "$apr1$": _HASHED, "$2y$": "[0-9]{2}", "$2b$": "[0-9]{2}",
    "+ast": _CLOSED, "+aba": _CLOSED, "+acr": "[a-z0-9+/]{5}", "+amc": _CLOSED, "apim": _CLOSED, "+asb": _SEALED, "+aeh": _SEALED,
    "+arm": _SEALED, "aiot": _SEALED, "azca": _SEALED, "msh": "[a-z0-9]{15}p1", "1o/w1cdnyilfu=": "", "/apikeys/": "[0-9a-f]{8}-",
    ".tines.com/": "webhook/", "kubeadm": r"[ \t]", "_pf84_": "[0-9a-f]{8}-", "_p0a1_": "[0-9a-f]{8}-", "_pe93_": "[0-9a-f]{8}-",
    "acdb": _CLOSED, "azfu": "[a-z0-9_-]{5,6}==",
    "azse": "[a-z0-9]{5,6}+(?![a-z0-9])", "azdo": "[a-z0-9]{4}(?![a-z0-9])", "jqqj99": "[a-z0-9]{20}",
    "_mmk": "(?![a-z0-9])", ":apa91b": "[a-z0-9_-]{100}", "wandb login": " ",
    "ssws 00": "[a-z0-9_-]{40}", "$2a$": "[0-9]{2}", "$6$": _HASHED, "$5$": _HASHED, "-----begin ": _ARMOURED,
    "---- begin ": _ARMOURED, **dict.fromkeys(BODIES, "[a-z0-9+/]{4}"), "jqqj9d": "[a-z0-9]{20}", "jqqj9h": "[a-z0-9]{20}",
}  # fmt: skip
_BEFORE = {  # and before it
    "q~": "[0-9]", ":aa": "[0-9]", "-us": "[0-9a-f]", "sig=": "[?&;]", "_mmk": "_[a-z0-9]{29}", "eyj": "(?<![a-z0-9_-]{2})",
}  # fmt: skip
_SOME, _MANY = 16, 1000  # so many of a word, and one more in so many characters, are looked at; beyond that in C first
_OVERLONG = 100  # characters of a word, on average, where a vocabulary is none
_BRIEF = 1000  # characters up to which a text is its own vocabulary
_AT_ONCE, _LONGEST = 1 << 20, max(map(len, WORDS))  # characters whose words are taken apart at once, for the sake of memory


def _probe(word: str) -> str:
    """What a vocabulary has of a word that has spaces in it: its longest part."""
    return max(word.split(), key=len)


def _families(words: Iterable[str]) -> dict[str, list[str]]:
    """The words by what they have in common with shorter ones: where there is no `pass`, there is no `password` either."""
    families: dict[str, list[str]] = {}
    for word in sorted(words, key=lambda word: (len(_probe(word)), word)):
        probe = _probe(word)
        families.setdefault(next((known for known in families if known in probe), probe), []).append(word)
    return families


_PLAIN_FAMILIES = _families(word for word in WORDS if word.isascii())
_FOREIGN_FAMILIES = _families(word for word in WORDS if not word.isascii())
_PLAIN = frozenset("".join(word for word in WORDS if word.isascii()))  # their letters
_FOREIGN = frozenset("".join(word for word in WORDS if not word.isascii()))


def by_vocabulary(lower: str) -> Sighted:
    """Where the words stand that the text has among its own."""
    return {word: places for word in _present(lower) if (places := _places(lower, word))}


_plain: set[str] = set()  # words without a telltale, of texts before: a session says the same ones over and over
_KNOWN_WORDS = 50_000


def _present(lower: str) -> list[str]:
    """The telltales that a text may have. Those in other letters than ours are asked for among its words in such letters only."""
    if len(lower) <= _BRIEF:
        return [word for words in _asked(lower, lower).values() for word in words]
    words: set[str] = set()
    for start in range(0, len(lower), _AT_ONCE):
        words.update(lower[start : start + _AT_ONCE + _LONGEST].split())
    words -= _plain
    text = "\n".join(words)
    found = _asked(text, "" if text.isascii() else "\n".join(word for word in words if not word.isascii()))
    if len(_plain) + len(words) > _KNOWN_WORDS:
        _plain.clear()
    _plain.update(words.difference(*(_lines_with(text, probe) for probe in found)))
    return [word for family in found.values() for word in family]


def _lines_with(lines: str, probe: str) -> Iterator[str]:
    """The lines that have a probe in them, each once however often it is there: one may be all of the text."""
    place = lines.find(probe)
    while place >= 0:
        end = lines.find("\n", place)
        yield lines[lines.rfind("\n", 0, place) + 1 : end if end >= 0 else None]
        place = lines.find(probe, end) if end >= 0 else -1


def _asked(plain: str, foreign: str) -> dict[str, list[str]]:
    """The families that a vocabulary has something of, by their probes, and of each the words that it may have. It is asked for
    letters first, and for parts of what is longer than any word: one that is all of the text is a vocabulary that saves nothing.
    """
    asked = {}
    for families, alphabet, vocabulary in ((_PLAIN_FAMILIES, _PLAIN, plain), (_FOREIGN_FAMILIES, _FOREIGN, foreign)):
        letters = {letter for letter in alphabet if letter in vocabulary}
        parts = _parts(vocabulary)
        for probe, family in families.items():
            if letters.issuperset(probe) and (not parts or _solid(probe) in parts) and probe in vocabulary:
                asked[probe] = [word for word in family if letters.issuperset(_probe(word)) and _probe(word) in vocabulary]
    return asked


def _parts(vocabulary: str) -> str:
    """What stands between other characters than letters and digits, once each, where words are that long; else nothing."""
    if len(vocabulary) < _BRIEF or len(vocabulary) < _OVERLONG * vocabulary.count("\n") or not vocabulary.isascii():
        return ""
    return b"\n".join(set(vocabulary.encode().translate(_APART).split())).decode()


@cache
def _solid(probe: str) -> str:
    """The longest part of a probe that has nothing but letters and digits."""
    return max("".join(letter if letter.isalnum() else " " for letter in probe).split(), key=len, default="")


def _places(lower: str, word: str) -> list[int]:
    """Where a word stands; and where it stands close, only where a rule could find something behind it."""
    places: list[int] = []
    for place in every(lower, word):
        places.append(place)
        if stands_close(len(places), len(lower)):
            return [found.start() for found in expression(_with_surroundings(word)).finditer(lower)]
    return places


@cache
def _with_surroundings(word: str) -> str:
    """An expression for a word with what must stand around it. Of one that can begin within itself (`$5$`) only the first letter
    is passed, so that none is passed over.
    """
    before = f"(?<={_BEFORE[word]}{_escaped(word)})" if word in _BEFORE else ""
    behind = _BEHIND.get(word) or (_assigned_to(word) if word in _ASSIGNED else "")
    if any(word.endswith(word[:length]) for length in range(1, len(word))):
        return f"{_escaped(word[0])}(?={_escaped(word[1:])}{behind})"
    return f"{_escaped(word)}{before}(?={behind})"


def _assigned_to(word: str) -> str:
    """What must stand behind a word for a secret, and what must not: a longer word speaks for itself. A word of a script without
    spaces may have its value right behind it.
    """
    hopeless = "|".join((*(_escaped(other[len(word) :]) for other in longer(word)), _hopeless(word)))
    signed = f"(?!{hopeless}){_SIGNED}"
    return rf"(?:[!-~](?<![:=(\[{{\"'`])|{signed})" if word in PASSWORD_WORDS and word[-1] >= UNSPACED else signed


def _hopeless(word: str) -> str:
    """What may stand behind a word where nothing is assigned to it."""
    close = r"[\"'`*\])]?+"
    begins = "|".join(
        f"(?<=[^{_WITHIN}]{f'[a-z0-9_.][{_WITHIN}]{{{before - 1}}}' if before else ''}{_escaped(word)})" for before in range(6)
    )  # not with `-`, as a flag does, and too short for `bearer` or `phrase` to be in it
    a_word = rf"(?={_LETTER}{{1,19}}{_OVER})(?!{_LINK})"
    if word in NAMES:
        return rf"{_NAMED}{close}(?:{_NOTHING}|(?:{_SPACED}|{_EQUALS}){a_word})"
    if word in PASSWORD_WORDS:
        shorter = rf"{_SPACED}(?={_LETTER}{{1,9}}{_OVER})(?!{_LINK})|{_EQUALS}(?!{_LINK})[a-z0-9]{{1,3}}{_OVER}"
        said = "" if "phrase" in word else rf"|(?:{begins}){close}(?:{_SPACED}|{_EQUALS})(?:{_SAID})"
        return rf"{_NAMED}{close}(?:{_NOTHING}|{shorter}){said}"
    plain = rf"(?:{begins})(?![{_WITHIN}]{{0,34}}bearer){_NAMED}"  # behind a bearer a shorter value may be a token
    short = "" if word in ("pass", "bearer") or not word.isascii() else rf"|{plain}{close}{_SPACED}{_TOO_SHORT}"
    return rf"{_NAMED}{close}(?:{_NOTHING}|(?:{_SPACED}|{_EQUALS})(?:{a_word}|{_SAID})){short}"


# ---- words, with Hyperscan ---------------------------------------------------------------------------------------------

_databases: list[Any] = []
_DENSE = 50  # characters to a telltale, on average: where there are less, most are refused, which expressions do in C


def by_hyperscan(lower: str) -> Sighted:
    """All words at the speed of memory. It counts in bytes, so offsets are counted back where characters have several.

    Every telltale is a call of Python, whatever stands behind it: where a text has them by the thousand the scan is broken off,
    and the vocabulary serves. So it does where another thread has its working space, which is for one scan at a time.
    """
    import hyperscan

    try:
        found = _scanned(lower.encode("utf-8", "surrogatepass"))
    except hyperscan.error:
        return by_vocabulary(lower)
    counted = {} if lower.isascii() else _characters(lower.encode("utf-8", "surrogatepass"), {end for _, end in found})
    sighted: Sighted = {}
    for number, end in found:
        sighted.setdefault(WORDS[number], []).append(counted.get(end, end) - len(WORDS[number]))
    return sighted


def _scanned(data: bytes) -> list[tuple[int, int]]:
    """(number of a word, where it ends), in order."""
    import hyperscan

    if not _databases:
        made = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
        sources = [_escaped(word).encode() for word in WORDS]
        made.compile(expressions=sources, ids=list(range(len(WORDS))), elements=len(WORDS), flags=[0] * len(WORDS))
        _databases.append(made)
    found: list[tuple[int, int]] = []
    most = 1000 + len(data) // _DENSE

    def met(number: int, _start: int, end: int, _flags: int, _context: object) -> bool:
        found.append((number, end))
        return len(found) > most  # true: that is enough, and the scan fails

    _databases[0].scan(data, match_event_handler=met)
    return found


def _characters(data: bytes, offsets: Iterable[int]) -> dict[int, int]:
    """Offsets in bytes as offsets in characters, in one pass."""
    found = {}
    at = count = 0
    for offset in sorted(offsets):
        count += len(data[at:offset].decode("utf-8", "surrogatepass"))
        at = offset
        found[offset] = count
    return found
