"""What a user has said so plainly that it may be kept without anybody having looked at it. Pure.

`extracting.py` offers what a person will read; this is stricter, since nobody will: a false memory is worse than a missed one. Of
the agent's words nothing is taken, of the user's only short messages (a long one was mostly pasted), and of these only sentences
that say themselves that they are meant to last, and that are understood without the rest: an order for the future, a wish about
how to work, what was settled and what, who somebody is, what the team uses, what is due on which day.
"""

from __future__ import annotations

import re

from .signs import TYPED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from .extracting import Item, Said

_ORDER = re.compile(
    r"(?i)(?:\A|[,;:.–—-] |\b(?:please|and|but|so|also|oh|ok|okay|hey|btw|note|remember|that you|you|we|i want you to)[,:]? )"
    r"(?:(?:should|must|can|may) )?(?:always|never|don't ever|do not ever) (?!mind\b|again\b|been\b|had\b|was\b|were\b)\w+"
    r"|\b(?:from now on|in (?:the )?future|going forward|by default|as a rule)\b"
    r"|\bi(?:'d| would)? (?:always |really |strongly |generally |much )?prefer\b|\bi(?:'d| would) rather you\b|\bcall me [A-Z]"
    r"|\bwithout asking\b|\bask (?:me )?(?:first|before)\b"
    r"|\A(?:[\w']+,? ){0,3}?(?:don't|do not) .{6,}(?: [-–—] |\bbecause\b|\bsince\b)"
    r"|(?:\A|[,;:] )(?:ab jetzt|ab sofort|in zukunft|künftig|bitte (?:immer|nie)|immer|niemals|désormais|dorénavant|toujours|"
    r"jamais|a partir de (?:ahora|agora)|siempre|nunca|sempre|всегда|никогда|впредь)\b"
    r"|\b(?:ich bevorzuge|je préfère|prefiero|prefiro|я предпочитаю)\b"
    r"|以后|从现在起|一律|永远不要|总是要|不要再|每次都|我(?:更)?(?:喜欢|偏好)|默认用|必ず|今後|常に|항상|앞으로"
)
_SETTLED = re.compile(
    r"(?i)\b(?:we|the team|the board)(?:'ve| have)? (?:just |finally |all )?(?:decided|agreed|settled) "
    r"(?:to|on|that|against|for) (?:\S+ ){2}|\Adecision: (?:\S+ ){2}|(?:我们|团队|大家)(?:已经)?(?:决定|一致同意|定下来)"
)
_LEARNT = re.compile(
    r"(?i)\A(?:\w+,? ){0,2}?(?:lessons?(?: learned)?:|root cause(?: of [^.]{1,60}?)?(?: was| is|:)|we learned that)|教训"
)
_WHO = re.compile(
    r"\A(?:[A-Z]\w+,? )?(?:My|Our|my|our) [\w' -]{2,40}? "
    r"(?:is|works|leads|owns|handles|reviews|maintains|manages|approves|speaks)\b"
    r"|\A[A-ZÀ-Ý]\w+(?: [A-ZÀ-Ý]\w+)? (?:is (?:the|our|in charge|responsible)|works|leads|owns|handles|reviews|maintains|manages|"
    r"approves|reports to)\b|(?:我|我们)的?(?:老板|经理|同事|妻子|丈夫|客户).{0,6}(?:叫|是)"
)
_TEAM = re.compile(r"(?i)\A(?:\w+,? ){0,2}?(?:we|the (?:team|project|company)|our \w+)\b|我们|团队|项目|公司")
_POINTS = re.compile(  # at something that was said before, or is on the screen
    r"(?i)\A\W*(?:(?:and|but|so|yeah|yes|no|ok|okay|well|oh)[,\s]+)*(?:it|that|this|these|those|they|he|she|there|here|which|"
    r"both|the (?:first|second|third|last|other|same|latter|former))\b"
    r"|\b(?:it|them|this|that|these|those|the above|option|one)(?:'s|'re)?"
    r"(?=\W*\Z|[,;.!?]| (?:is|was|are|again|too|instead|now|way|either|one|ones|for|to|in|on|as|with|and|or|so|until|when|if)\b)"
    r"|\boption \w\b|\b(?:above|below)\b|这个|那个|上面|这样"
)
_STORY = re.compile(
    r"(?i)\b(?:yesterday|last (?:night|week|month|year)|this (?:morning|afternoon)|the other day|used to|if you(?:'ve)? ever)\b"
)
_ALSO = re.compile(  # an order for now, beside the one that lasts
    r"(?i)(?:,|\band)(?: then| now| also)? (?:set|add|fix|make|run|do|change|write|create|update|remove|delete|check|commit|push|"
    r"test)\b"
)


_USED = re.compile(
    r"(?i)\b(?:we|team|project|company|our \w+)\b.{0,20}\b(?:us(?:e|es|ing)|switched|moved|migrated|rel(?:y|ies)|runs?|deploys?|"
    r"builds?|hosts?|tracks?|manages?|writes?|tests?)\b|(?:我们|团队|项目|公司).{0,4}(?:用|使用|换成|迁到|部署)"
)
_DUE = re.compile(
    r"(?i)\b(?:due|deadlines?|submit|deliver|no later than|expires?)\b|\b(?:by|before) (?:\d|mon|tue|wed|thu|fri|sat|sun|jan|feb|"
    r"mar|apr|may|jun|jul|aug|sep|oct|nov|dec|tomorrow|next|the end)|截止|到期|交付|[前内]"
)
_ENDS = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n")


def is_worth_a_look(text: str) -> bool:
    """Whether some sentence of a message has the form of something that is taken: so much a hook looks at itself, and to learn
    the words of ten languages only for most of it would take it as long again.
    """
    forms = (_ORDER, _SETTLED, _LEARNT, _WHO, _USED, _DUE)
    return any(form.search(sentence) for sentence in _ENDS.split(text) for form in forms)


def plain(said: Iterable[Said]) -> tuple[Item, ...]:
    """What is to be kept of what a user has said."""
    from .extracting import asks_to_forget, extracted

    mine = [one for one in said if one.who == "user" and (len(one.text) <= TYPED or asks_to_forget(one.text))]
    return tuple(item for item in extracted(mine).items if len(item.text) <= 240 and is_plain(item))


def is_plain(item: Item) -> bool:
    """Whether an item says itself that it lasts, and is understood without the rest."""
    told = re.split(r" [-–—] |[;(]|\bbecause\b|\bsince\b", item.text, maxsplit=1)[0]  # what it says; the reason may point back
    if _POINTS.search(told) or _STORY.search(item.text) or "?" in item.text:
        return False
    if item.kind == "preference":
        return bool(_ORDER.search(item.text)) and not _ALSO.search(item.text)
    if item.kind == "deadline":
        return bool(item.date)
    wanted = {"decision": _SETTLED, "lesson": _LEARNT, "person": _WHO, "tool": _TEAM}[item.kind]
    return bool(wanted.search(item.text))
