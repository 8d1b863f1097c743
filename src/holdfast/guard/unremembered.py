"""What somebody asks not to be remembered: “do not remember this: …”, “off the record”, 不要记住.

The rule is narrow. It knows the words for remembering, as an order: at the beginning of a clause, and in no quotes. “Don't log
this”, “don't commit this” and “remember not to …” are work. “I don't remember” and “the form must not remember it” are no orders.

A request is about its own sentence. One that says nothing else is about the sentence before it; alone in a message it is about
the message before, which whoever calls has to drop.
"""

from __future__ import annotations

import re

from ..model import Value
from .entering import may_ask_not_to_remember

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

# Where an order may begin, and what may stand before it. Behind a quotation mark it is only quoted.
_BEGIN = (
    r"(?:\A|(?<=[,;:(\[–—،])|(?<=[,;:)\]–—-] )|(?<=[，；：、（。]))[\s>*•-]*"
    r"(?:(?:please|pls|and|but|so|just|also|oh|ok|okay|actually|now|hey|well|bitte|und|aber|et|mais|"
    r"s'il te pla[iî]t|pero|por favor|mas|ma|per favore|maar|alsjeblieft|ale|proszę|но|пожалуйста|"
    r"але|будь ласка|ama|lütfen|tapi|tolong|nhưng|xin)[, ]+)*"
)
_STOP = r"(?=\s*(?:\Z|[.,:;!?…)\]–—-]|please\b|pls\b|ok\b|okay\b|though\b|either\b|at all\b|and\b|but\b|because\b|since\b))"
_THIS = r"(?:this|that|it|these|those|any of (?:this|that|it|these|those)|anything of (?:this|that))"
_WHOLE = r"(?:this|that|any of this|anything (?:in|from|of) this) (?:whole )?(?:message|conversation|chat|talk)"
_SAID = r"what i(?:'ve| have)?(?: just)? (?:said|told you|wrote)"
_NOT = (
    r"(?:do not|don't|dont|never|no need to|"
    r"you (?:need not|needn't|don't (?:need|have) to|must not|mustn't|should not|shouldn't))"
)
_FORMS = (
    rf"{_BEGIN}{_NOT} (?:ever )?remember (?:{_WHOLE}|(?:{_THIS}|{_SAID}){_STOP}|the following\b)",
    rf"{_BEGIN}{_NOT} remember\s*:",
    rf"{_BEGIN}(?:do not|(?<=please )don't) remember (?:that|my)\b",
    rf"{_BEGIN}{_NOT} (?:save|store|keep|put|write) {_THIS} (?:in|into|to) your (?:memory|notes)\b",
    rf"{_BEGIN}(?:keep|leave) {_THIS} out of your (?:memory|notes)\b",
    rf"{_BEGIN}(?:(?:this|that|it|all of this)(?:'s| is| stays| was)? )?(?:strictly |completely )?"
    rf"off[ -]the[ -]record{_STOP}",
    r"\b(?:this|that|it|you) off[ -]the[ -]record(?=\s*[.!]?\Z)",
    rf"{_BEGIN}(?:(?:das|dies|dieses) )?(?:bitte )?nicht merken{_STOP}",
    rf"{_BEGIN}merk(?:e|en sie)? (?:dir|euch|sich) (?:das|dies|es|folgendes)(?: bitte)? nicht{_STOP}",
    rf"{_BEGIN}ne (?:retiens|retenez|mémorise|mémorisez) pas(?: (?:ça|ca|cela|ceci)\b| ce que\b|{_STOP})",
    rf"{_BEGIN}no (?:lo |la )?(?:recuerdes|recuerde|memorices|memorice)(?: esto| eso)?{_STOP}",
    rf"{_BEGIN}n[ãa]o (?:te |se )?(?:lembres?|memorizes?|memoriza)(?: d?isto| d?isso)?{_STOP}",
    rf"{_BEGIN}non (?:ricordar(?:e|lo|la)|memorizzar(?:e|lo|la))(?: questo| questa| ciò)?{_STOP}",
    rf"{_BEGIN}(?:onthoud (?:dit|dat) niet|(?:dit |dat )?niet onthouden){_STOP}",
    rf"{_BEGIN}nie zapamiętuj(?:cie)?(?: sobie)?(?: tego)?{_STOP}",
    rf"{_BEGIN}не (?:запоминай|запоминайте|запам['’ʼ]ятовуй|запам['’ʼ]ятовуйте)(?: это| этого| це| цього)?{_STOP}",
    rf"{_BEGIN}(?:bunu|şunu) (?:hatırlama|aklında tutma){_STOP}",
    r"لا تتذكر (?:هذا|هذه|ذلك)",
    r"(?:इसे|यह|ये) याद मत रख|\b(?:isko|ise|yeh?) yaad mat rakh",
    rf"{_BEGIN}đừng (?:ghi )?nhớ (?:cái |điều |chuyện )?(?:này|đó){_STOP}",
    rf"{_BEGIN}jangan (?:di)?ingat(?: ini| itu)?{_STOP}",
    r"(?<![“「『\"'`])(?:不要|别|別|不用|不必|请勿|請勿)再?[记記](?:住|得|下来|下來|下)?"
    r"(?=\s*(?:[这這那它我刚剛吧了啊哦喔哈，。！；：～、,.!;:~]|\Z))",
    r"(?<![“「『\"'`])(?:覚え|記憶し)ないで(?=ください|下さい|くれ|ね|よ|おいて|[。、！!：:]|\Z)|オフレコ(?=で|だ|です|[。、：:]|\Z)",
    r"(?<![“「『\"'`])기억하지\s*(?:마|말)",
)
_REQUEST = re.compile("|".join(_FORMS))
_ALL_OF_IT = re.compile(rf"\b{_NOT} (?:ever )?remember (?:any|anything|{_WHOLE})\b|这些|這些|以上|所有")
_SAID_BEFORE = re.compile(rf"\b{_SAID}\b|刚才|剛才")
_FORWARD = re.compile(r"off[ -]the[ -]record|オフレコ|following")
# Sentences end here. “Dr. Kim” is one, and so is a line that was wrapped: the next one goes on with a small letter.
_SHORT = ("Dr", "Mr", "Ms", "Mrs", "St", "Prof", "Fr", "Hr", "No", "Nr", "vs", r"e\.g", r"i\.e", "[A-Za-z]")
_ABBREVIATED = "".join(rf"(?<!\b{word}\.)" for word in _SHORT)
_BETWEEN = re.compile(rf"((?<=[.!?؟।…]){_ABBREVIATED}\s+|(?<=[。！？])|\n(?![a-zà-ÿа-я])\s*)")
_GOES_ON = re.compile(  # about somebody who was named before
    r"(?i)\W*(?:he|she|they|his|her|their|him|them|er|sie|il|elle|ella|lui|lei|ele|ela|он|она|они|він|вона)\b|\W*[他她]"
)
_STATES = re.compile(  # no order and no question
    r"(?i)\W*(?:i|i'm|i've|my|we|we're|our|he|she|they|his|her|their|there|ich|mein\w*|wir|je|j'|mon|ma|"
    r"mi|yo|eu|minha|meu|io|mio|mia)\b"
    r"|\W*(?-i:[A-ZÀ-Ý])[\w'-]+ (?:(?-i:[A-ZÀ-Ý])[\w'-]+ )?"
    r"(?:is|are|was|were|has|had|will|wants|works|lives|told|said|ist|hat|est|a|es)\b"
    r"|\W*(?:我|他|她|私|彼)"
)
_FILLING = frozenset(
    "please pls just actually oh ok okay and but so also then again by the way now yet for me though "  # noqa: SIM905
    "anyway thanks thank you sorry of course either this that it is at all bitte danke das dies es und "
    "aber merci ça cela s'il te plaît gracias por favor esto eso isso это 这个 這個 这 這 那个 那個 那 这件事 "
    "这一点 请 請 哦 啊 吧 了 ください 下さい ね これは それは 이건 이거 이걸 그건 그거".split()
)
_WORD = re.compile(r"[^\W_]+(?:'\w+)*")


class LeftOut(Value):
    """A text without what it asks not to remember."""

    text: str
    asked: bool = False  # whether it asks for anything of the kind
    before: bool = False  # whether the message before it is meant
    dropped: tuple[str, ...] = ()  # the sentences that were left out; nobody keeps them


def asks_not_to_remember(text: str) -> bool:
    """Return whether a text asks not to be remembered."""
    return may_ask_not_to_remember(text) and any(map(_asks, _BETWEEN.split(text)[::2]))


def leave_out(text: str) -> LeftOut:
    """Leave out of a message what it asks not to remember, and the request itself."""
    if not may_ask_not_to_remember(text):
        return LeftOut(text)
    parts = _BETWEEN.split(text)
    sentences = parts[::2]
    requests = [at for at, sentence in enumerate(sentences) if _asks(sentence)]
    if not requests:
        return LeftOut(text)
    gone: set[int] = set()
    before = False
    for at in requests:
        meant, is_before = _find_meant(sentences, parts[1::2], at)
        gone |= {at, *meant}
        before = before or is_before
    kept = [sentence + "".join(parts[2 * at + 1 : 2 * at + 2]) for at, sentence in enumerate(sentences) if at not in gone]
    dropped = tuple(_REQUEST.sub(" ", _plain(sentences[at])) for at in sorted(gone))
    return LeftOut("".join(kept).strip(), True, before, dropped)


def leave_out_of_fields(given: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    """The fields of a checkpoint without what is not to be remembered, and whether there was any. A field or an item of which
    nothing is left is not given at all: an empty one would clear what is there.
    """
    found = {name: _leave_out_of(value) for name, value in given.items()}
    left = {name: value for name, value in found.items() if value or not given[name]}
    return left, any(left.get(name) != value for name, value in given.items())


def _leave_out_of(value: Any) -> Any:
    if isinstance(value, str):
        return leave_out(value).text
    if isinstance(value, (list, tuple)):
        items = [(item, _leave_out_of(item)) for item in value]
        return type(value)(left for item, left in items if left or not item)
    return value


def words_of(text: str) -> set[str]:
    """Return the words by which a sentence is known again when somebody repeats it; of Chinese or Japanese, pairs of letters."""
    found: set[str] = set()
    for word in _WORD.findall(_plain(text)):
        if word[0] >= "\u2e80":
            found.update(word[at : at + 2] for at in range(len(word) - 1))
        elif len(word) > 2 and word not in _FILLING:
            found.add(word)
    return found


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a text, each with what stands between it and the next."""
    parts = _BETWEEN.split(text)
    return ["".join(parts[at : at + 2]) for at in range(0, len(parts), 2)]


def _plain(text: str) -> str:
    return text.casefold().replace("’", "'").strip()


def _asks(sentence: str) -> bool:
    return bool(_REQUEST.search(_plain(sentence)))


def _find_meant(sentences: list[str], between: list[str], at: int) -> tuple[list[int], bool]:
    """(the sentences that a request is about besides its own, whether it is about the message before)."""
    request = _plain(sentences[at])
    earlier = [number for number in range(at) if sentences[number].strip()]
    later = [number for number in range(at + 1, len(sentences)) if sentences[number].strip()]
    if _ALL_OF_IT.search(request):
        return [*earlier, *later], not earlier and not later
    if _SAID_BEFORE.search(request):
        return earlier, not earlier
    if _says_more(request):
        return _take_while_going_on(sentences, later), False
    if request.endswith((":", "：")):
        ends = next((number for number in range(at + 1, len(between)) if "\n\n" in between[number]), len(sentences) - 1)
        return [number for number in later if number <= ends], not later and not earlier
    if earlier:
        first = len(earlier) - 1
        while first and _GOES_ON.match(sentences[earlier[first]]):
            first -= 1
        return earlier[first:], False
    if later and (_FORWARD.search(request) or _STATES.match(sentences[later[0]])):
        return [later[0], *_take_while_going_on(sentences, later[1:])], False
    return [], True


def _take_while_going_on(sentences: list[str], numbers: list[int]) -> list[int]:
    """Return those of the sentences, from the first on, that go on about somebody who was named before."""
    stop = next((place for place, number in enumerate(numbers) if not _GOES_ON.match(sentences[number])), len(numbers))
    return numbers[:stop]


def _says_more(request: str) -> bool:
    """Return whether a sentence has words beside its request."""
    return any(word not in _FILLING for word in _WORD.findall(_REQUEST.sub(" ", request)))
