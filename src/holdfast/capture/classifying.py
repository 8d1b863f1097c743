"""What a note is: its type, how sure that is, which words said so, and the sentence that says it all.

Rule 1: words are whole words: “he” is not in “the”. Scripts without spaces are looked through as they stand.
Rule 2: every word counts once, for the longest cue that it belongs to: “right now” is not also “now”.
Rule 3: what was not said counts nothing: of “no errors” there is no error.
Rule 4: a note is never taken for TEMP on a hint. What is TEMP goes to the trash with its session, and everything else stays.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ..model import TYPES, Value, fold
from .cues import GIVEN, HEADS, SPACED, UNSPACED
from .naming import mentioned
from .signs import sentences_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Weights = tuple[tuple[str, float], ...]  # (type, weight), of one cue
    Cue = tuple[str, str, float]  # (the words, type, weight)

SUMMARY = 120  # characters
_LOOKED_AT = 4000  # characters of a note: what it is shows long before
_LONGEST = 8  # characters of a cue in scripts without spaces
_SUBJECT_AT_MOST = 3.5  # however many machines a note names
_SURE_OF_TEMP = 2.0  # weight beneath which nothing is thrown away
_STANDS_BEHIND = 1.0  # weight of an imagined rival: one weak word alone makes nobody sure


class Judged(Value):
    """A note's type (empty where nothing tells it), how sure that is from 0 to 1, its gist, and the words that decided."""

    type: str
    confidence: float
    summary: str
    because: tuple[str, ...] = ()
    weight: float = 0.0  # of those words together


def classified(text: str) -> Judged:
    """Judge a note by its words."""
    cues = list(cues_in(text[:_LOOKED_AT]))
    scores = dict.fromkeys(TYPES, 0.0)
    for _, kind, weight in cues:
        scores[kind] += weight
    scores["TECH"] = min(scores["TECH"], _SUBJECT_AT_MOST)
    if scores["TEMP"] < _SURE_OF_TEMP:
        scores["TEMP"] = 0.0
    best = max(TYPES, key=lambda kind: scores[kind])
    if not scores[best]:
        return Judged("", 0.0, summary_of(text))
    confidence = scores[best] / (sum(scores.values()) + _STANDS_BEHIND)
    decided = sorted(((weight, said) for said, kind, weight in cues if kind == best), key=lambda pair: -pair[0])
    because = tuple(dict.fromkeys(said for _, said in decided))
    return Judged(best, round(confidence, 2), summary_of(text, best), because, scores[best])


def summary_of(text: str, kind: str = "", limit: int = SUMMARY) -> str:
    """The sentence that says it: the one with the most weight for its type, the first where none has any."""
    text = text[:_LOOKED_AT]
    sentences = sentences_in(text)
    if not sentences or len(fold(text)) <= limit:
        return fold(text, limit)

    def weight(sentence: str) -> float:
        return sum(weight for _, of, weight in cues_in(sentence) if of == kind)

    return fold(max(sentences[:40], key=weight) if kind else sentences[0], limit)


# ---- cues --------------------------------------------------------------------------------------------------------------

# Words of scripts with spaces; an apostrophe ends a word but in English contractions (l'erreur is “l” and “erreur”).
_UNSPACED = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_WORD = re.compile(rf"[^\W{_UNSPACED}]+(?:[-/][^\W\d{_UNSPACED}]+)*(?:'(?:t|s|re|ll|ve|d|m)\b)?")
_CAPITAL = re.compile(r"\b[A-ZÄÖÜ][a-zäöüßşé]+")
_RUN = re.compile(rf"[{_UNSPACED}]+")
_NOT = frozenset("no not without zero 0 isn't wasn't aren't never kein keine ohne sans sin без".split())  # noqa: SIM905
_NOT_UNSPACED = ("没有", "沒有", "不是", "没", "无")
_DENIABLE = frozenset(("LESSON", "TEMP"))  # “no errors”, “not temporary”; but “no emojis” is a wish


def cues_in(text: str) -> Iterator[Cue]:
    """Every cue of a text: (the words, type, weight)."""
    found = words_in(text)
    yield from found
    yield from _forms_in(text, {(said, kind) for said, kind, _ in found})


def words_in(text: str) -> list[Cue]:
    """The cues that are words, without those that show by their form: a fifth of the work, for whoever only wants a hint."""
    lower = text.lower().replace("’", "'")
    unspaced = _tables()[3]
    found = list(_spoken(_WORD.findall(lower)))
    for run in _RUN.findall(lower):
        found += _written(run, unspaced)
    return found


@lru_cache(maxsize=1)
def _tables() -> tuple[dict[str, Weights], dict[str, int], dict[str, Weights], dict[str, Weights]]:
    """The cues as they are looked up: phrases, their first words with the length of the longest, beginnings, unspaced ones."""
    spaced: dict[str, Weights] = {}
    begins: dict[str, Weights] = {}
    unspaced: dict[str, Weights] = {}
    for kind, weights in SPACED.items():
        for weight, phrases in weights.items():
            for phrase in (" ".join(_WORD.findall(part.strip()) + ["*"] * part.endswith("*")) for part in phrases.split(",")):
                table, key = (begins, phrase[:-2]) if phrase.endswith(" *") else (spaced, phrase)
                table[key] = (*table.get(key, ()), (kind, weight))
    for kind, weights in UNSPACED.items():
        for weight, phrases in weights.items():
            for phrase in phrases.split():
                unspaced[phrase] = (*unspaced.get(phrase, ()), (kind, weight))
    longest: dict[str, int] = {}
    for phrase in spaced:
        first, length = phrase.partition(" ")[0], phrase.count(" ") + 1
        longest[first] = max(longest.get(first, 0), length)
    return spaced, longest, begins, unspaced


def _spoken(words: list[str]) -> Iterator[Cue]:
    """The cues in a row of words, the longest at each place."""
    spaced, longest, begins, _ = _tables()
    at = 0
    while at < len(words):
        length = longest.get(words[at], 0)
        while length and (at + length > len(words) or " ".join(words[at : at + length]) not in spaced):
            length -= 1
        said = " ".join(words[at : at + (length or 1)])
        found = spaced[said] if length else _beginning(said, begins)
        yield from _counted(said, found, denied=at > 0 and words[at - 1] in _NOT)
        at += length or 1


def _beginning(word: str, begins: dict[str, Weights]) -> Weights:
    return next((begins[word[:n]] for n in range(min(len(word), 20), 2, -1) if word[:n] in begins), ())


def _written(run: str, unspaced: dict[str, Weights]) -> Iterator[Cue]:
    """The cues in a run of a script without spaces, the longest at each place."""
    at = 0
    while at < len(run):
        length = next((n for n in range(_LONGEST, 0, -1) if at + n <= len(run) and run[at : at + n] in unspaced), 0)
        if length:
            yield from _counted(run[at : at + length], unspaced[run[at : at + length]], denied=run[:at].endswith(_NOT_UNSPACED))
        at += length or 1


def _counted(said: str, found: Weights, *, denied: bool) -> Iterator[Cue]:
    for kind, weight in found:
        if weight and not (denied and kind in _DENIABLE):
            yield said, kind, weight


# ---- forms -------------------------------------------------------------------------------------------------------------

_NAME = r"[A-ZÄÖÜÉ][a-zäöüßéèáíóúñçãõ]+"
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_ORDERS = (  # verbs by which people say what is to be done
    "add|allow|answer|ask|avoid|batch|call|check|choose|cite|convert|copy|count|describe|escape|explain|export|fill|filter|"
    "format|generate|give|group|hand|hide|import|include|keep|lead|leave|limit|link|list|make|mark|measure|mention|merge|move|"
    "name|pick|pin|plan|print|provide|put|quote|read|recommend|reply|respond|return|round|run|save|say|send|separate|set|"
    "show|skip|sort|speak|spell|split|start|stick|summarise|summarize|tag|take|talk|tell|test|title|translate|treat|try|use|"
    "validate|verify|wait|wrap|write"
)
_PAST = (
    r"was|were|had|did|didn't|made|gave|took|cost|led|broke|came|got|went|lost|meant|hid|kept|left|let|sent|put|cut|hit|found|thought|"
    r"bought|brought|taught|caught|fell|felt|held|stood|spent|built|burnt|froze|hung|wrote|told|ran|began|became|\w{3,}ed"
)
_DOES = (  # what somebody does, and a machine does not
    "approves|coaches|commutes|cooks|decides|drives|edits|founded|grew|handles|introduced|joined|knows|leads|left|lives|"
    "looks after|maintains|manages|married|mentors|moved|owns|paints|plays|reports|retired|reviews|schedules|signs|sings|"
    "speaks [A-Z]|studied|studies|supervises|teaches|wrote|works (?:as|at|for|from|in|half|part)|"
    "is (?:on|the|our|my|a|an|from|in|allergic|responsible)|"
    "from (?:the )?(?:legal|finance|sales|marketing|support|procurement|accounting|HR|QA|IT)"
)
_NOBODY = "The|This|That|It|We|They|He|She|User|What|Which|Who|Everything|Nobody"
_NO_MACHINE = "PREF|PROJ|TECH|TEMP|TODO|MVP|CEO|CTO|HR|USA|EUR|USD|ETA|FAQ|PR"
_SURNAMES = (
    "赵钱孙李周吴郑王冯陈张刘黄杨林何高马罗梁宋唐许韩曹邓萧曾程蔡彭潘袁于董余苏叶吕魏蒋田杜丁沈姜范江傅钟卢汪戴崔任陆廖"
    "姚方金邱夏谭韦贾邹石熊孟秦阎薛侯雷白龙段郝孔邵史毛常万顾赖武康贺严尹"
)
_AT_IT = "sitting|standing|using|running|reading|watching|trying|testing|looking|compiling|waiting|debugging|checking"
_SELF = "I|me|my|I'm|I've|want|please"
_RISKY = (
    r"\w*[A-Z]{2,}\w*|float|branch|server|prod|data|regex|commit|deploy|migrations?|dates|money|production|staging|tables?|"
    r"generated"
)
_FORMS: tuple[tuple[str, float, str], ...] = (
    # an order at the beginning; nothing of a kind; only so; when to do it; this and not that; one thing over another
    ("PREF", 1.5, rf"\A\W*(?:please |only |just )?(?i:{_ORDERS})\b(?!ing)(?! (?:is|are|was|were)\b)"),
    ("PREF", 2.0, r"\A\W*[Nn]o [\w-]+(?: [\w-]+)? (?:in|for|after|before|on|with|at)\b"),
    ("PREF", 1.5, r"\b(?:metric|units|rooms?|seats?|words?|English|German|sentences?|links?) only\b|\bonly\W*\Z"),
    ("PREF", 1.0, r"\b[Ii]f (?:I|you|a task|in doubt|unsure)\b|\b[Ww]hen(?:ever)? (?:I|you're|you|in doubt|unsure)\b"),
    ("PREF", 1.0, r"[,;:] (?:not|never|no) (?!sent|done|finished|yet)[\w/ -]{1,20}\W*\Z"),
    ("PREF", 1.5, r"\b[a-z]+s? over [a-z]+s?\b(?! (?:the|a|an)\b)(?=.{0,200}(?:when|under|for|if|,))"),
    ("PREF", 2.0, r"别(?:用|再|显示|自动|写|加|发|说|给)|能[^\s，。]{1,4}就|(?:^|[，。])不(?:要|用|加|写)"),
    # how far it is; by when; what we are doing, what it will get
    ("PROJ", 1.0, r"\b\d{1,3}(?:%| percent) (?:of it )?(?:is |are )?(?:done|merged|complete|finished)"),
    ("PROJ", 1.5, r"\b\d[\d,]{2,} of \d[\d,]+\b|\bup to (?:section|chapter|part|page) \d|\b\d+/\d+ \w+"),
    ("PROJ", 1.0, rf"\b(?:by|on|before|until|in|for|from) (?:the \d|week \d|(?:\d+ |early |mid |late )?(?:{_MONTHS})\b)"),
    ("PROJ", 1.5, r"\b[Ww]e(?:'re| are) (?!not\b)\w+ing\b|\b(?:will|gets?|adds?) (?:a|an|be|the|its|two|multi)\b"),
    ("PROJ", 1.5, r"第[一二三四五六七八九十\d]+(?:章|季|期|阶段|版|部分)|(?<!百)分之[一二三四五]"),
    ("PROJ", 1.5, r"[一二三四五六七八九]成(?!功|本|员|立|为|绩)"),
    # addresses, versions, paths, code, sizes, links, acronyms, models
    ("TECH", 2.0, r"\b\d{1,3}(?:\.\d{1,3}){3}\b|\blocalhost\b|[a-z]:\d{2,5}\b(?!\d)|\w\.local\b"),
    ("TECH", 1.0, r"(?<![\w.])v?\d+\.\d+(?:\.\d+)*(?![\w.%€$])"),
    ("TECH", 1.5, r"(?:^|[\s`(])(?:~|\.{0,2})/[\w.*-]+(?:/[\w.*-]*)*"),
    ("TECH", 1.5, r"`[^`\n]+`|\b[A-Za-z_]+\(\)|\b[A-Z][A-Z0-9_]{2,}=\S|\^\[|(?<=\s)--?[a-z][\w-]+"),
    ("TECH", 1.0, r"\b\d+(?:[.,]\d+)? ?(?:[GMKk]i?B|[gmk]b|ms|[kMG]?Hz|[kM]?bit(?:/s)?|[kmµn]m|dpi|fps|V|W|mA)\b|\b\d+G\b"),
    ("TECH", 1.0, r"https?://|\b\w+\.(?:com|org|net|io|dev|internal)\b"),
    ("TECH", 1.0, rf"\b(?!(?:{_NO_MACHINE})\b)(?:[A-Z]{{3,6}}\b|[A-Z]+\d+[A-Z\d]*|[a-z]+\d+[a-z]*\b)"),
    ("TECH", 1.0, r"\b[A-Za-z]{2,}[ -]?\d{3,5}\b"),
    # what doing it came to; what happened and what follows; what it was and was not; what it cost; never, where it is risky
    ("LESSON", 2.0, rf"\A\W*[A-Z][a-z]+ing\b[^.;:!?]{{3,80}}?\b(?:would|{_PAST})\b"),
    ("LESSON", 1.5, rf"\b(?:{_PAST})\b[^.;:!?]{{0,120}}[.;,!?] (?:so |then |now |always )?(?i:{_ORDERS})\b"),
    ("LESSON", 1.5, r"\b(?:froze|broke|failed|crashed|stopped|died|vanished|disappeared) (?:because|since|when|after|due)\b"),
    ("LESSON", 2.0, r"\b(?:wasn't|weren't|was not) (?:the )?\w+ but\b|\bmade (?:it|things|everything|\w+) worse\b"),
    ("LESSON", 2.0, r"\b(?:cost|lost|wasted) (?:us |me )?(?:a|an|two|three|\d+) (?:whole )?(?:days?|hours?|weeks?)\b"),
    ("LESSON", 1.5, rf"\b(?:[Nn]ever|[Dd]on't|[Dd]o not)\b(?!.{{0,200}}\b(?:{_SELF})\b)(?=.{{0,200}}\b(?:{_RISKY})\b)"),
    ("LESSON", 1.5, r"(?:因为|是|由于)[^，。]{0,8}太[冷热慢快晚早多少大小急短长]"),
    ("LESSON", 2.0, r"[了住过][，,。；].{0,10}(?:要|应该|必须|下次|以后|先)"),
    # titles, what people do, two names, handles, who does what, Chinese names
    ("PEOPLE", 2.5, rf"\b(?:Mr|Mrs|Ms|Dr|Prof|Frau|Herr|Mme|Sra?|Dra)\.? {_NAME}"),
    ("PEOPLE", 2.0, rf"\b(?!(?:{_NOBODY})\b){_NAME} (?:{_DOES})\b"),
    ("PEOPLE", 1.0, rf"(?<=[\w:,] ){_NAME} {_NAME}\b(?! [A-Z])|\A{_NAME} {_NAME} (?:is|leads|works|from)\b"),
    ("PEOPLE", 1.5, r"(?<!\S)@\w+|\b[\w.-]{1,60}@[\w-]+\.\w+"),
    ("PEOPLE", 2.0, r"\b[A-ZÄÖÜ]\w+ \([\w -]{1,30}\)(?:, | and | & )[A-ZÄÖÜ]|[\u4e00-\u9fff]{2,4}（[\u4e00-\u9fff]{2,4}）、"),
    ("PEOPLE", 2.0, r"[小老阿][\u4e00-\u9fff](?=[在是休负对的把有要接做审管说会去来])"),
    ("PEOPLE", 2.0, rf"[{_SURNAMES}][\u4e00-\u9fff]{{0,2}}(?:工|总|姐|哥|先生|女士|教授|律师|老师|医生|经理)|姓[{_SURNAMES}]"),
    ("PEOPLE", 2.0, r"向[^，。]{1,6}汇报|带[^，。]{1,6}(?:团队|组)|问[\u4e00-\u9fff]{2,5}(?:[，。]|\Z)|在[^，。]{2,6}读[书大研]"),
    ("PEOPLE", 1.0, rf"(?:是|叫|由|和)[{_SURNAMES}][\u4e00-\u9fff]{{1,2}}(?:[，。、]|\Z)"),
    # so far by now; for so long; in the midst of it
    ("TEMP", 2.0, r"\b(?:is|are|at) (?:at )?\d[\d,.]* ?(?:%|percent|and)|\bframe \d+|[在到]百分之|百分之\S{1,8}了"),
    ("TEMP", 2.0, r"\b(?:[Ss]tep|[Pp]art|[Ff]ile|[Tt]est|[Rr]ound) \d+ (?:of|/) ?\d+|第 ?\d+ ?(?:帧|张|个)"),
    ("TEMP", 2.0, r"(?:做|改|跑)[完到][一二三四五\d两]\w?步|[一二三四五六\d]点前"),
    ("TEMP", 2.0, r"\b(?:in|for) (?:a|an|one|two|ten|half an|\d+) (?:more )?(?:min(?:ute)?s?|hours?)\b"),
    ("TEMP", 2.0, r"\buntil (?:\d|noon|she|he|they|(?:the )?\w+ (?:is|are|arrives|finishes)\b)"),
    ("TEMP", 1.5, rf"\A\W*(?:(?i:{_AT_IT})|Stuck|Left)\b"),
    ("TEMP", 1.0, r"\b(?:is|are) (?:still |now )?(?!missing|using|building|replacing|planning)\w{3,}ing\b"),
    ("TEMP", 1.5, r"等[^，。]{1,12}再|[到回]家?再|(?:我|他|她)在[^，。]{0,6}(?:上|室|里|外面|开车|开会)"),
)  # fmt: skip
_HEAD = re.compile(r"\W{0,4}([^\W\d_][\w '’/-]{0,40})[:：](?!//)")


@lru_cache(maxsize=1)
def _forms() -> list[tuple[str, float, re.Pattern[str]]]:
    return [(kind, weight, re.compile(look, re.M)) for kind, weight, look in _FORMS]


def _forms_in(text: str, counted: set[tuple[str, str]]) -> Iterator[Cue]:
    """What shows by its form: each form once, with the words that it was seen in; no word twice for the same type."""
    for kind, weight, look in _forms():
        seen = look.search(text)
        if seen and (seen[0].strip().lower(), kind) not in counted:
            yield seen[0].strip(), kind, weight
    if head := _HEAD.match(text):
        words = f" {head[1].lower()} "
        for kind in (kind for kind, labels in HEADS.items() if any(f" {label} " in words for label in labels)):
            yield f"{head[1]}:", kind, 2.5
    names, files = mentioned(text)
    for name in sorted([*names, *files])[:2]:
        if (name.lower(), "TECH") not in counted:
            yield name, "TECH", 1.0
    for name in [word for word in _CAPITAL.findall(text) if word in GIVEN][:2]:
        yield name, "PEOPLE", 0.8
