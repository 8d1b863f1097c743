r"""Finding secrets in a text, and putting placeholders in their place. What secrets look like is in rules.py.

    text ─▶ places where a telltale stands ─▶ the rules of that telltale, there alone ─▶ spans ─▶ placeholders
      └──▶ the same text undone (invisible characters, NFKC, JSON, percent, base64), with a map back ─▶ more spans

Rule 1: an expression is tried only where its telltale stands, never searched for through the text, and every repeat in it is
        bounded; a run that was rejected is not tried again from a later place in it. So the time grows with the length of the
        text and no faster, whatever is in it.
Rule 2: engines only find telltales (telltales.py); what is a secret is decided here, by the same code for all of them.
Rule 3: nothing is compiled before its telltale was seen.
Rule 4: a placeholder is never taken for a secret, and never for a value.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from functools import lru_cache
from itertools import repeat

from ..util import compute_digest
from . import private_keys
from .assigned import assigned, heard_from, named
from .disguise import decoded, views
from .judging import chosen, drawn, is_filler, is_publishable, looks_like_a_token, password_like, random_like
from .rules import (
    ALPHABETS,
    ARMOUR,
    BODIES,
    FORMS,
    KEY_WORDS,
    LINE,
    NAMES,
    PASSWORD_WORDS,
    PLAIN,
    SHAPES,
    TOKENS,
    expression,
)
from .telltales import ESCAPED, LONG_RUN, ROW, beginnings, engine_for, every, few_prefixes, longer, lowered, runs, stands_close

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator

    from .telltales import Engine, Sighted

    Span = tuple[int, int, str]  # (start, end, kind)
    Found = tuple[int, int, str, str]  # (start, end, kind, the secret as it is undisguised)

_PASSWORD, _KEY, _NAME = range(3)  # groups of words
_KEY_BLOCK, _KEY_BODY = len(SHAPES), len(SHAPES) + 1  # a private key in its armour, or without: no shapes
_HEAD = 4  # characters by which the rules of a place are looked up
_tokens_by_two: dict[str, list[tuple[str, str, int, bool]]] = {}  # the first two characters → (prefix, kind, least, sure)
_shapes_of: dict[str, list[int]] = {}  # telltale → numbers of its shapes
_group_of: dict[str, int] = {}  # word for a secret → which group it is of


def _fill_tables() -> None:
    for kind, prefixes, least, sure in TOKENS:
        for prefix in prefixes.split():
            _tokens_by_two.setdefault(prefix[:2], []).append((prefix, kind, least, sure))
    for number, (_, telltales, _, _) in enumerate(SHAPES):
        for telltale in telltales:
            _shapes_of.setdefault(telltale.lower(), []).append(number)
    for number, telltales in ((_KEY_BLOCK, ARMOUR), (_KEY_BODY, BODIES)):
        for telltale in telltales:
            _shapes_of.setdefault(telltale, []).append(number)
    for group, words in ((_NAME, NAMES), (_KEY, KEY_WORDS), (_PASSWORD, PASSWORD_WORDS)):
        _group_of.update(dict.fromkeys(words, group))


_fill_tables()
_LONGEST_PREFIX = max(len(prefix) for rules in _tokens_by_two.values() for prefix, *_ in rules)


@lru_cache(maxsize=4096)
def _token_rules(head: str) -> tuple[tuple[str, str, str, bool], ...]:
    """(prefix, kind, expression, sure) of the tokens that may begin so; the longest prefix knows best, and comes first."""
    rules = [
        (prefix, kind, FORMS.get(kind) or f"{ALPHABETS.get(kind, PLAIN)}{{{least},512}}+", sure)
        for prefix, kind, least, sure in _tokens_by_two.get(head[:2], ())
        if head.startswith(prefix[:_HEAD])
    ]
    return tuple(sorted(rules, key=lambda rule: -len(rule[0])))


# ---- the rules, at their places ----------------------------------------------------------------------------------------


def _may_begin(text: str, place: int, prefix: str) -> bool:
    r"""Whether a token may begin here: not in the midst of a word, but behind `\n` as JSON writes it; and one whose prefix base64
    has by chance, four letters, not in the midst of that, but in the path of a URL.
    """
    before, earlier = text[place - 1 : place], text[max(0, place - 2) : max(0, place - 1)]
    if before.isalnum():
        return not before.isascii() or (before in ESCAPED and earlier == "\\")
    if before and before in "+/" and len(prefix) < 5 and prefix.isalnum() and earlier.isalnum() and earlier not in ESCAPED:
        return before == "/" and "://" in text[max(0, place - 200) : place]
    return True


def _tokens(text: str) -> tuple[list[Span], list[Span]]:
    """Tokens by their prefixes, and those of issuers that no table knows."""
    known: list[Span] = []
    issued: list[Span] = []
    for start, end in runs(text):
        judge = _judged_before if end - start <= LONG_RUN else _judged
        for begin, stop, kind, by_prefix in judge(text[start : end + 1], end - start):
            (known if by_prefix else issued).append((start + begin, start + stop, kind))
    return known, issued


def _judged(run: str, length: int) -> list[tuple[int, int, str, bool]]:
    """The tokens of one run, and whether a prefix told them. It is given with the character behind it: all that decides about
    them stands there.
    """
    begun, issued = _in_a_row(run, length), _issued(run[:length])
    if begun is None:
        begun = _begun(run, beginnings(run[:length]))
    return [*((*span, True) for span in begun), *((*span, False) for span in issued)] if begun or issued else []


_judged_before = lru_cache(maxsize=4096)(_judged)  # sessions name the same paths over and over


def _begun(text: str, places: Iterable[int]) -> list[Span]:
    """Tokens that begin at some places."""
    found: list[Span] = []
    passed: dict[str, int] = {}
    reached = 0
    for place in sorted(set(places)):
        if place < reached - _LONGEST_PREFIX:  # one that begins where another ends is a token of its own: `ghp_…-sk-…`
            continue
        token = _token_at(text, place, passed)
        if token:
            found.append(token)
            reached = token[1]
    return found


def _token_at(text: str, place: int, passed: dict[str, int]) -> Span | None:
    """The token that begins at a place. `passed` remembers how far a kind has been tried in vain."""
    for prefix, kind, source, sure in _token_rules(text[place : place + _HEAD]):
        if place < passed.get(kind, 0) or not text.startswith(prefix, place):
            continue
        if not _may_begin(text, place, prefix) or is_publishable(text[max(0, place - 3) : place] + prefix):
            continue  # `pk_live_…` is meant to be seen
        match = expression(source).match(text, place + len(prefix))
        if match is None:
            continue
        if looks_like_a_token(prefix, match[0][:_JUDGED], sure) and (sure or not _in_a_sum(text, place)):
            end = match.end()
            if kind not in FORMS:
                rest = expression(f"{ALPHABETS.get(kind, PLAIN)}*+").match(text, end)
                end = _without_stop(text, place, rest.end() if rest else end)
            return place, end, kind
        passed[kind] = min(match.end(), match.start() + _JUDGED)  # what was not judged may have another one in it
    return None


def _in_a_row(run: str, length: int) -> list[Span] | None:
    """Tokens of a run that goes on for pages and has few prefixes, as often as it may have them; nothing where there is no such
    row. What was tried in vain is passed over at once, not prefix by prefix.
    """
    prefixes = few_prefixes(run[:length]) if length >= ROW else None
    if prefixes is None:
        return None
    found: list[Span] = []
    passed: dict[str, int] = {}
    reached, last = 0, -1
    upcoming = sorted((place, number) for number, (_, search) in enumerate(prefixes) if (place := _next(search, run, 0)) >= 0)
    while upcoming:
        place, number = upcoming.pop(0)
        kind, search = prefixes[number]
        if place > last and place >= reached - _LONGEST_PREFIX:
            token = _token_at(run, place, passed)
            if token:
                found.append(token)
                reached = token[1]
        last = place
        following = _next(search, run, max(place + 1, passed.get(kind, 0), reached - _LONGEST_PREFIX))
        if following >= 0:
            insort(upcoming, (following, number))
    return found


def _next(search: Callable[[str, int], re.Match[str] | None], run: str, at: int) -> int:
    found = search(run, at)
    return found.start() if found else -1


_JUDGED = 160  # characters of a token that tell what it is


def _in_a_sum(run: str, place: int) -> bool:
    """Whether a sum stands here that its letters make look like a token: `sha256=r8_Drq…`, as lists of files have it."""
    return expression(r"sha(?:1|256|384|512)[=-][A-Za-z0-9+/_-]{0,90}\Z").search(run, max(0, place - 100), place) is not None


def _without_stop(text: str, start: int, end: int) -> int:
    """Where a token ends that stands at the end of a sentence."""
    while end > start and text[end - 1] in ".,":
        end -= 1
    return end


_LETTERS = bytes(1 if chr(byte).isascii() and chr(byte).isalnum() else 0 for byte in range(256))
_DRAWN = bytes([1]) * 32
_ISSUER = r"(?<![A-Za-z0-9_.+/-])(?!sha\d)[a-z][a-z0-9]{1,11}(?:[_-][a-z0-9]{1,10}){0,2}[_-](?<!id[_-])\Z"


def _is_issued(value: str) -> bool:
    """Whether a machine drew a value as issuers of tokens do: from capitals, small letters and digits, or from the latter two
    where it is longer. Ids that are made so are shorter, and hashes have no letter behind `f`.
    """
    if drawn(value):
        return True
    return len(value) >= 40 and value.islower() and max(value) > "f" and random_like(value, 40) and len(set(value)) >= 16


def _issued(run: str) -> list[Span]:
    """Tokens of issuers that no table knows: a short name in small letters, `_` or `-`, and 32 letters and digits or more."""
    if len(run) < len(_DRAWN) + 3:
        return []
    marks = run.encode().translate(_LETTERS)
    found: list[Span] = []
    start = marks.find(_DRAWN)
    while start >= 0:
        end = marks.find(0, start)
        end = len(run) if end < 0 else end
        if run[start - 1 : start] in ("_", "-") and end - start <= 512 and _is_issued(run[start:end]):
            issuer = expression(_ISSUER).search(run[max(0, start - 40) : start])
            if issuer and not is_publishable(issuer[0]) and not _in_a_sum(run, start - len(issuer[0])):
                found.append((start - len(issuer[0]), end, "token"))
        start = marks.find(_DRAWN, end)
    return found


_CHOSEN = {
    "url-password", "basic-auth", "netrc-password", "mysql-password", "pgpass", "sql-password", "login-password",
    "command-password", "piped-password", "call-password", "wifi-password",
}  # by a person: need not look random  # fmt: skip


def _shape(match: re.Match[str], kind: str) -> Span | None:
    """The secret that a shape has found, if it is none that says so itself."""
    group = 1 if match.re.groups else 0
    if kind == "told-password":
        return (*match.span(group), "password") if chosen(match[group]) else None
    if not password_like(match[group], quoted=True) if kind in _CHOSEN else is_filler(match[group]):
        return None
    if kind in ("url-token", "url-key", "call-key") and not random_like(match[group], 20):
        return None
    return match.start(group), match.end(group), kind


def _begins(text: str, places: list[int], back: int) -> Iterable[int]:
    """Where a shape would begin whose telltale stands at some places."""
    if not back:
        return places
    if 0 < back < LINE:
        return [max(0, place - back) for place in places]
    return [_line_begins(text, place) if back == LINE else _word_begins(text, place, -back) for place in places]


def _line_begins(text: str, place: int) -> int:
    start = max(0, place - LINE)
    return max(start, text.rfind("\n", start, place) + 1)


def _word_begins(text: str, place: int, most: int) -> int:
    start = place
    while start > 0 and place - start < most and text[start - 1].isalnum():
        start -= 1
    return start + (text[start : start + 1] in ESCAPED and text[start - 1 : start] == "\\")


_GAP = r"\[\^\\n[^\]]*\]\{[0-9]+,[0-9]+\}\?"  # in a shape's expression: so much of the line, as little as will do
_REACH = 1000  # characters from a telltale to what is asked for behind a gap, at most


def _near(text: str, source: str, places: list[int]) -> list[int]:
    """Of places that stand close those that have near them what the expression wants behind its gap. To go through a line from
    each of a thousand telltales, in vain each time, is what costs most about such shapes.
    """
    gap = expression(_GAP).search(source)
    if gap is None:
        return places
    ends = [found.end() for found in expression(source[gap.end() :]).finditer(text)]
    if not ends:
        return []
    ends.append(len(text) + 2 * _REACH)
    return [place for place in places if ends[bisect_left(ends, place - _REACH)] <= place + _REACH]


def _shapes(text: str, sighted: Sighted) -> list[Span]:
    """The secrets of all shapes, by where their telltales stand; at one place in the order of the table."""
    by_number: dict[int, list[int]] = {}
    for telltale, places in sighted.items():
        for number in _shapes_of.get(telltale, ()):
            by_number[number] = sorted({*by_number[number], *places}) if number in by_number else places
    found: list[tuple[int, int, Span]] = []
    for number, places in by_number.items():
        keys = {_KEY_BLOCK: private_keys.in_armour, _KEY_BODY: private_keys.without_armour}.get(number)
        spans = keys(text, places) if keys else _of_shape(text, number, places)
        found += [(place, number, span) for place, span in spans]
    return [span for _, _, span in sorted(found)]


def _of_shape(text: str, number: int, places: list[int]) -> Iterator[tuple[int, Span]]:
    """(where its telltale stands, the secret) of one shape. A telltale within the secret that it began is no other one."""
    kind, _, back, source = SHAPES[number]
    if stands_close(len(places), len(text)):
        places = _near(text, source, places)
    reached = 0
    for place, match in zip(places, map(expression(source).match, repeat(text), _begins(text, places, back)), strict=True):
        if match and place >= reached:
            span = _shape(match, kind)
            if span:
                yield place, span
                reached = span[1]


def _words(text: str, lower: str, sighted: Sighted) -> list[Span]:
    """What is assigned to words for secrets; the longest word at a place speaks for those that are its beginning."""
    spoken: dict[int, str] = {}
    for word in sorted(sighted, key=len):
        if word in _group_of:
            spoken.update(dict.fromkeys(sighted[word], word))
    found: list[Span] = []
    begun = reached = again = 0  # a value is looked into again for words in it, but not for each of a thousand
    deaf = 0  # up to here an identifier goes on for too long to be the name of anything
    for place in sorted(spoken):
        if place >= reached:
            begun, again = place, 0
        elif again > _OFTEN * (reached - begun):
            continue
        if place < deaf:
            continue
        word = spoken[place]
        for other in longer(word):  # an engine may have passed over it, where it stands close
            if lower.startswith(other, place):
                word = other
        group = _group_of[word]
        end = place + len(word)
        span, stop = named(text, place, end) if group == _NAME else assigned(text, place, end, password=group == _PASSWORD)
        again += stop - end if place < reached else 0
        if stop == end:
            deaf = heard_from(text, end)
        reached = max(reached, stop)
        if span:
            found.append(span)
    return found


_OFTEN = 8  # times that the characters of a value are gone through again, in all


def plain_spans(text: str, engine: Engine | None = None) -> list[Span]:
    """Where secrets stand in a text as it is, undisguised; better known kinds first."""
    lower = lowered(text)
    sighted = (engine or engine_for(len(text)))(lower)
    known, issued = _tokens(text)
    return known + _shapes(text, sighted) + _words(text, lower, sighted) + issued


# ---- all of a text -----------------------------------------------------------------------------------------------------

PLACEHOLDER = "[redacted:"
_PLACEHOLDER = r"\[redacted:[a-z0-9-]{1,40}:[0-9a-f]{4}\]"


def secrets_in(text: str, engine: Engine | None = None) -> list[Found]:
    """Every secret of a text, plain or disguised, in order and apart from each other."""
    found: list[Found] = [(start, end, kind, text[start:end]) for start, end, kind in plain_spans(text, engine)]
    for view in views(text):
        for start, end, kind in plain_spans(view.text, engine):
            found.append((*view.original(start, end), kind, view.text[start:end]))
    hidden = list(decoded(text))
    # All at once first, since most say nothing secret: to search each of a thousand short ones costs a hundred times as much.
    if len(hidden) < 2 or plain_spans("\n\n".join(said for _, _, said in hidden), engine):
        for begin, stop, said in hidden:
            found += [(begin, stop, kind, said[start:end]) for start, end, kind in plain_spans(said, engine)[:1]]
    return _apart(text, found)


def _apart(text: str, found: list[Found]) -> list[Found]:
    """Overlapping finds are one secret, of the kind that was found first; what begins in a placeholder is none."""
    if PLACEHOLDER in text:
        inside = {at for mark in expression(_PLACEHOLDER).finditer(text) for at in range(*mark.span())}
        found = [one for one in found if one[0] not in inside]
    apart: list[Found] = []
    for one in sorted(found, key=lambda one: one[0]):  # a stable sort: where two begin together, the better known one leads
        if not apart or one[0] >= apart[-1][1]:
            apart.append(one)
        elif one[1] > apart[-1][1]:
            start, end, kind, secret = apart[-1]
            apart[-1] = (start, one[1], kind, secret if one[1] - one[0] < end - start else one[3])
    return apart


def placeholder(kind: str, secret: str, key: bytes) -> str:
    """What stands in a secret's place: its kind, and sixteen bits of a keyed digest, by which the same secret is known again."""
    return f"{PLACEHOLDER}{kind}:{compute_digest(secret.encode('utf-8', 'surrogatepass'), key)[:4]}]"


def replaced(text: str, found: Iterable[Found], key: bytes) -> str:
    """The text with placeholders where the secrets stood; not another character is changed."""
    parts = []
    at = 0
    for start, end, kind, secret in found:
        parts += [text[at:start], placeholder(kind, secret, key)]
        at = end
    return "".join([*parts, text[at:]])


# ---- what is private ---------------------------------------------------------------------------------------------------

_TAG = r"(?i)<\s{0,20}(/?)\s{0,20}private\b[^<>]{0,200}>"
_NESTED = 8  # tags within tags that are taken apart; who builds more of them gets all of it taken for private, to the end
_BEFORE = 42  # characters between the `<` of a tag and its name, at most


def without_private(text: str) -> str:
    """Without `<private>…</private>`: in any case, nested, spaced or disguised; unclosed it reaches to the end."""
    if "private" not in lowered(text) and not any("private" in lowered(view.text) for view in views(text)):
        return text
    for _ in range(_NESTED):
        spans = _private(text)
        if not spans:
            return text
        parts = []
        at = 0
        for start, end in spans:
            parts.append(text[at:start])
            at = end
        text = "".join([*parts, text[at:]])  # and once more: what was taken out may have stood in the midst of another tag
    spans = _private(text)
    return text[: spans[0][0]] if spans else text


def _tags(text: str) -> Iterator[re.Match[str]]:
    """Tags around what is private, by the word in them: to look at every `<` of a program takes thirty times as long. Where there
    are many of them it does not; but in other letters than ours there is an `i` that the expression takes for ours.
    """
    if text.isascii() and stands_close(text.count("private"), len(text)):
        yield from expression(_TAG).finditer(text)
        return
    for place in every(lowered(text), "private"):
        opened = text.rfind("<", max(0, place - _BEFORE), place)
        tag = expression(_TAG).match(text, opened) if opened >= 0 else None
        if tag:
            yield tag


def _private(text: str) -> list[tuple[int, int]]:
    tags = [(*tag.span(), tag[1]) for tag in _tags(text)]
    for view in views(text):
        tags += [(*view.original(*tag.span()), tag[1]) for tag in _tags(view.text)]
    spans: list[tuple[int, int]] = []
    depth = begun = 0
    for start, end, closes in sorted(set(tags)):
        if not closes:
            begun = start if not depth else begun
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                spans.append((begun, end))
    return [*spans, (begun, len(text))] if depth else spans


def places(text: str) -> list[tuple[str, int, int, int]]:
    """(kind, line, start, end) of all that would be taken out, in characters from the start of the text; never the value."""
    private = _private(text)
    found = [("private", start, end) for start, end in private]
    starts = [start for start, _ in private]
    for start, end, kind, _ in secrets_in(text):
        before = bisect_right(starts, start)
        if not before or start >= private[before - 1][1]:
            found.append((kind, start, end))
    said = []
    line, at = 1, 0
    for kind, start, end in sorted(found, key=lambda one: one[1]):
        line, at = line + text.count("\n", at, start), start
        said.append((kind, line, start, end))
    return said
