"""What a user has said so plainly that it may be kept without anybody having looked at it. Pure.

`extracting.py` offers what a person will read; this is stricter, since nobody will: a false memory is worse than a missed one. Of
the agent's words nothing is taken, of the user's only short messages (a long one was mostly pasted), and of these only sentences
that say themselves that they are meant to last, and that are understood without the rest: an order for the future, a wish about
how to work, what was settled and what, who somebody is, what the team uses, what is due on which day.

What such a sentence looks like is one half, the forms below. The other half is what takes it back: that it is about this place or
this moment, is reported or quoted, belongs to a text that is to be written, is over, or is not settled yet.
"""

from __future__ import annotations

import re

from . import abroad
from .hearing import spoken
from .signs import TYPED, sentences_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from .extracting import Item, Said

# ---- the forms ---------------------------------------------------------------------------------------------------------

_BEGIN = (  # where a clause begins, after what people say first
    r"(?:(?:\A|[;:.!–—-] )(?:(?:and|but|so|also|oh|ok|okay|hey|hi|btw|no|note|remember|thanks)[,:]? )*|, |\b(?:please|i want "
    r"you to) )"
)
# After “always” and “never”: no order, but what happened, and what is no verb.
_NO_ORDER = (
    r"(?!(?:mind|again|been|had|has|was|were|is|are|did|does|got|gets|saw|seen|said|says|thought|knew|wanted|heard|went|came|"
    r"made|"
    r"found|took|told|lost|left|works?|fails?|happens?|seems?|looks?|ends?|returns?|a|an|the|in|on|at|as|so|too|this|that|it|"
    r"there|here|"
    r"up|down|good|nice|great|fun|glad|happy|more|less|about|to|for|with|my|your|our|his|her|their|\w+ed|\w+ing)\b)"
)
_DO = r"(?:use|run|ask|write|prefer|add|avoid|push|commit|merge|test|check|format|lint|quote|cite|reply|answer|respond|pin|sign)"
_NEVER = r"(?:always|never(?: ever)?|don't ever|do not ever)"
_HENCEFORTH = r"(?:from now on|from here on|in (?:the )?future|going forward)"
_ORDER = re.compile(
    rf"(?i){_BEGIN}{_NEVER} {_NO_ORDER}(?:{_DO} \S+|[\w-]+ \S+ \S+)"
    rf"|\b(?:you|we) (?:should|must|have to|need to) {_NEVER} {_NO_ORDER}\w+ \S+"
    rf"|(?:\A|[,;:.!–—-] |\b(?:and|but|so|that|because|here|repo) )we {_NEVER} {_NO_ORDER}\w+ \S+"
    r"|\bi always (?:want|prefer|expect|need|like) \S+ \S+"
    rf"|{_BEGIN}(?:please |{_HENCEFORTH}[,:]? )*(?:don't|do not|stop|use|keep|write|ask|tell|give|make|put|call|"
    rf"answer)\b.{{4,120}}?"
    r"[^\w\s]?,? (?:always|ever|every (?:single )?time)\W*\Z"
    r"|(?:\A|[,;:.!–—-] )(?:whenever|every time|each time) you (?!(?:need|want|feel|like|are|have|can|get|go|wish|think|"
    r"see)\b)\w+ "
    r"[^,]{2,60}, (?:please )?(?:also |always )?(?!(?:it|the|that|this|i|you|we|they|there|he|she|just)\b)\w+"
    rf"|\b{_HENCEFORTH}\b[,:]? (?!(?:it|its|it's|the|this|that|these|those|there|things|everything|line|i (?:expect|think|see|"
    rf"know)|\w+ing)\b)"
    rf"|\b{_HENCEFORTH}\b.{{1,80}}\b(?:must|should|needs?|has to|have to|always|never)\b|\w .{{6,120}}\b{_HENCEFORTH}\W*\Z"
    r"|\b(?:by default|as a rule)\b"
    r"|\bi (?:always |really |strongly |generally |usually |much )?prefer\b|\bi(?:'d| would) rather you\b"
    r"|\b(?:in general|generally),? i(?:'d| would) (?:rather|prefer)\b|\bcall me [A-Z]|\bmy preferred \w+ is\b"
    r"|\A(?:please )?remember(?: that|:|,) (?:i (?:like|want|prefer|need|hate|am|don't|never|always|use)|i'm|my|we|our)\b"
    r"|\b(?:our|my|the) (?:rule|convention|policy|standard|house style|house rule)(?: here)? is\b|\b(?:that's|that is) our "
    r"(?:rule|policy)\b"
    r"|\bit(?:'s| is) (?:a|our) (?:rule|convention|policy) (?:here|that)\b"
    r"|\bwithout asking\b|\bask (?:me )?(?:first|before)\b"
    r"|\A(?:(?:please|oh|ok|okay|and|but|so|also|hey|btw|no)[,:]? )*(?:don't|do not) (?!(?:forget|worry|hesitate|know|think|"
    r"have|mind|get|"
    r"feel|care|let|be|give)\b).{6,}(?: [-–—] |\bbecause\b|\bsince\b)"
)
# In other languages a word for “always” is not yet an order: it stands at the begin of a clause with a verb in the form of one,
# or with “please”. Language: (what lasts, please, verbs); “usa” is an order at the begin only, elsewhere somebody uses something.
_TONGUES = {
    "de": (
        r"immer|stets|nie|niemals|grundsätzlich|künftig|zukünftig|ab jetzt|ab sofort|von jetzt an|in zukunft",
        r"bitte",
        r"nutze?|benutze?|verwende|schreibe?|antworte|frage?|lösche?|pushe?|committe|teste?|mache?|nimm|halte|prüfe|führe|starte|"
        r"erkläre?|zeige?|gib|lass|ändere|sprich",
    ),
    "fr": (
        r"toujours|jamais|désormais|dorénavant|à partir de maintenant",
        r"s'il te plaît|s'il vous plaît|merci de",
        r"utilise[zr]?|écri[st]|écrivez|écrire|répond[sr]e?|répondez|demande[zr]?|modifie[zr]?|supprime[zr]?|ajoute[zr]?|mets|"
        r"mettez|"
        r"garde[zr]?|fais|faites|faire|lance[zr]?|vérifie[zr]?|pousse[zr]?|vide[zr]?|parle[zr]?|donne[zr]?|explique[zr]?",
    ),
    "es": (
        r"siempre|nunca|jamás|a partir de ahora|de ahora en adelante|en adelante",
        r"por favor",
        r"us[ae]s?|utili[zc][ae]s?|escrib[ae]s?|respond[ae]s?|pregunt[ae]s?|pregúntame|borr[ae]s?|elimin[ae]s?|hagas?|haz|pon|"
        r"pongas|"
        r"modifi(?:ca|ques?)|ejecut[ae]s?|cambi[ae]s?|contest[ae]s?|revis[ae]s?",
    ),
    "pt": (
        r"sempre|nunca|jamais|a partir de agora|daqui em diante|de agora em diante",
        r"por favor",
        r"us[ae]|utili[zs][ae]|escrev[ae]|respond[ae]|pergunt[ae]|apagu?[ae]|faça|faz|coloqu?[ae]|modifiqu?[ae]|execut[ae]|"
        r"mud[ae]",
    ),
    "it": (
        r"sempre|mai|d'ora in poi|d'ora in avanti",
        r"per favore",
        r"usa(?:re)?|utilizza(?:re)?|scrivi|scrivere|rispondi|rispondere|chiedi|chiedere|cancella(?:re)?|modifica(?:re)?|fai|"
        r"fare|"
        r"metti|mettere|esegui|eseguire|aggiungi",
    ),
    "nl": (
        r"altijd|nooit|vanaf nu|voortaan",
        r"alsjeblieft|graag",
        r"gebruik|schrijf|antwoord|vraag|verwijder|push|commit|test|maak|doe|zet|houd",
    ),
    "ru": (
        r"всегда|никогда|впредь|отныне",
        r"пожалуйста",
        r"(?:используй|пиши|отвечай|запускай|спрашивай|удаляй|делай|проверяй|меняй|добавляй|коммить|пушь)(?:те)?",
    ),
}


def _in(lasts: str, please: str, verbs: str) -> re.Pattern[str]:
    """An order that lasts, in one language: “use it always”, “always use it”, “please always”."""
    begin = rf"(?:\A|[,;:.!] )(?:(?:{please}),? )?"
    return re.compile(
        rf"{begin}(?:no |ne |n'|non |não |не )?(?:{verbs})\b(?:-\w+)?(?! ich\b).{{0,60}}?\b(?:{lasts})\b"
        rf"|{begin}(?:{lasts})[,:]? (?:(?:no|non|não|не|{please}) )?(?:{verbs})\b(?! ich\b)"
        rf"|{begin}(?:{lasts})[,:]? (?:{please})\b|(?:\A|[,;:.!] )(?:{please}),? (?:{lasts})\b",
        re.I,
    )


_FOREIGN = tuple(_in(*words) for words in _TONGUES.values())
_FOREIGN_WISH = re.compile(
    r"(?i)\b(?:ich bevorzuge|je préfère|prefiero|prefiro|preferisco|ik geef de voorkeur aan|я предпочитаю)\b|\bbei uns gilt\b"
    r"|\A(?:immer|nie|niemals|grundsätzlich|künftig|ab sofort|ab jetzt)\b.{4,120}\w(?:en|ern|eln)[.!]?\Z"
    r"|以后|从现在(?:起|开始)|一律|永远不要|总是要|不要再|每次.{1,12}(?:都|先|前)(?:要|必须|得)|务必|我(?:更)?(?:喜欢|偏好)|"
    r"我习惯|默认用"
    r"|(?:请)?记住[,，:：]?我|(?:今後|常に|必ず|いつも).*(?:ください|して|こと)|(?:항상|앞으로).*(?:세요|해줘|주세요)"
)
_WORK = (  # what a team decides to do with what it makes
    r"use|adopt|drop|support|switch|migrate|move|keep|rename|replace|deprecate|remove|host|build|write|rewrite|license|release|"
    r"ship|"
    r"publish|freeze|standardi[sz]e|pin|store|run|deploy|split|merge|port|sell|stay|stick|go with|stop supporting|require|target"
)
_SETTLED = re.compile(
    r"(?i)\b(?:we|the team|the board)(?:'ve| have)? (?:just |finally |all )?(?:decided|agreed) "
    rf"(?:to (?:{_WORK})\b|not to (?:{_WORK})\b|(?:on|that|against|for) \S+ \S+)"
    r"|\b(?:we|the team|the board)(?:'ve| have)? (?:just |finally |all )?settled on \S+ \S+"
    r"|\b(?:we|the team|the board)(?:'ve| have) (?:chosen|picked|opted for) \S+ (?:over|for|as|instead)\b"
    r"|\bwe (?:chose|picked) \S+ (?:over|for|as|instead of) \S+|\bwe(?:'re| are) going with \S+ (?:for|as|instead of|over) "
    r"|\A(?:decision|decided|it's decided|it is decided): (?:\S+ ){2}"
    r"|\bwir haben (?:uns )?[^.]{0,100}\b(?:entschieden|beschlossen)\b|\b(?:nous avons|on a) (?:décidé|choisi)\b"
    r"|\bhemos (?:decidido|elegido|acordado)\b|\babbiamo (?:deciso|scelto)\b|\bwe hebben [^.]{0,80}\b(?:besloten|gekozen)\b|"
    r"\bмы решили\b"
    r"|(?:我们|团队|大家)(?:已经)?(?:决定|一致同意|定下来|确定|选定)"
)
_LEARNT = re.compile(
    r"(?i)\A(?:\w+,? ){0,2}?(?:lessons?(?: learned)?:|takeaways?\b[^:]{0,40}:|we learned (?:the hard way )?that)"
    r"|\A(?:gelernt|lektion|leçon(?: apprise)?|lección(?: aprendida)?|lição|lezione) ?:|教训|教訓"
    r"|\broot cause\b.{0,200}\b(?:must|always|never)\b"
)
_WHO = re.compile(
    r"\A(?:[A-Z]\w+,? )?(?:My|Our|my|our) [\w' -]{2,40}? "
    r"(?:is|works|leads|owns|handles|reviews|maintains|manages|approves|speaks)\b"
    r"|\A[A-ZÀ-Ý]\w+(?: [A-ZÀ-Ý]\w+)? (?:is (?:the|our|in charge|responsible)|works|leads|owns|handles|reviews|maintains|manages|"
    r"approves|reports to)\b"
    r"|\A(?:Mein|Meine|Unser|Unsere) [\w ]{2,40}? (?:heißt|ist) (?:(?:Frau|Herr|Dr\.) )?[A-ZÄÖÜ]\w+"
    r"|(?:我|我们)的?(?:老板|(?:产品|项目)?经理|同事|妻子|丈夫|客户|导师|老师|主管|会计|设计师|负责人).{0,6}(?:叫|是)"
)
_NAMED = re.compile(r"(?<=\w )[A-ZÀ-Ý][\w'-]+|[\u4e00-\u9fff]")  # a name that is not just the first word
_TEAM = re.compile(r"(?i)\A(?:\w+,? ){0,2}?(?:we|the (?:team|project|company)|our \w+)\b|我们|团队|项目|公司")

# ---- what takes it back ------------------------------------------------------------------------------------------------

_POINTS = re.compile(  # at something that was said before, or is on the screen
    r"(?i)\A\W*(?:(?:and|but|so|yeah|yes|no|ok|okay|well|oh)[,\s]+)*(?:it|that|this|these|those|they|he|she|there|here|which|"
    r"both|the (?:first|second|third|last|other|same|latter|former))\b(?! is (?:a|our) (?:rule|convention|policy)\b|'s a rule\b)"
    r"|\b(?:it|them|this|that|these|those|the above|option|one)(?:'s|'re)?"
    r"(?=\W*\Z|[,;.!?]| (?:is|was|are|again|too|instead|now|way|either|one|ones|for|to|in|on|as|with|and|or|so|until|when|if)\b)"
    r"|\boption \w\b|\b(?:above|below)\b"
    r"|\b(?:prefer|préfère|prefiero|prefiro|preferisco|bevorzuge|предпочитаю) (?:\w+ )?(?:this|that|these|those|(?:the|your|la|"
    r"le|il|die|das|den|o|a) "
    r"(?:first|second|third|last|other|old|new|former|latter|previous|original|current|\w+ (?:version|option|one)\b|"
    r"première?|premier|deuxième|seconde?|autre|primera|segunda|primeira|prima|erste[nrs]?|zweite[nrs]?|andere[nrs]?))"
    r"|\bprefiero (?:la|el) (?:primer|segund|otr|últim)\w*|\bprefer (?:if|not)\b|这个|那个|上面|这样|第[一二三四]个|前者|后者|"
    r"這個|那個|這樣|第[一二三四]個|後者"
)
_HERE = re.compile(  # true of this place or this moment only
    r"(?i)(?<!from )\bnow\b(?! on)|\b(?:today|tonight|tomorrow|until|till|here(?! (?:is|that|we|every))|this (?:time|pr|mr|"
    r"once|week|sprint|month|"
    r"morning|branch|file|function|class|method|test|script|line|page|paragraph|one|step|ticket|task|release|demo|commit|loop|"
    r"module|"
    r"change|version)|just (?:this )?once|for (?:the )?demo)\b"
    r"|\b(?:diesmal|heute|morgen|erst ?mal|hier|vorerst|cette fois|aujourd'hui|d'abord|ici|esta vez|hoy|aquí|desta vez|hoje|"
    r"aqui|questa "
    r"volta|oggi|qui|deze keer|vandaag|hier|на этот раз|сегодня|здесь)\b|这次|今天|这里|先(?!跑|检查|檢查|备份|備份|问|問|给|"
    r"給|确认|確認)|今回|"
    r"ここ|이번"
)
_STORY = re.compile(
    r"(?i)\b(?:yesterday|last (?:night|week|month|year)|this (?:morning|afternoon)|the other day|used to|if you(?:'ve)? ever|"
    r"any ?more|"
    r"no longer|old rule|that's over|i'll|i will|we'll|gestern|hier soir|ayer|ontem|ieri|вчера)\b|昨天|以前"
)
_REPORTED = re.compile(  # somebody else's word, or a text's
    r"(?i)\b(?:he|she|they|you|it|docs?|documentation|readme|error|manual|guide|spec|prompt|user|boss|who|people|everyone|"
    r"everybody|nobody|customers?|somebody|someone)(?:'ve|'s)? (?:\w+ )?(?:says?|said|tells?|told|claims?|claimed|thinks?|"
    r"thought|decided)\b"
    r"|[\"“„«「『][^\"”“»」』]{8,}[\"”“»」』]"
)
_UNSETTLED = re.compile(
    r"(?i)\b(?:not|haven't|hasn't|didn't|never|nobody|noch nicht|nicht|pas(?: encore)?|n'avons|todavía no|aún no|não|non|nog "
    r"niet|не)\b"
    r".{0,20}\b(?:decided?|agreed?|settled|entschieden|beschlossen|décidé|choisi|decidido|elegido|deciso|besloten|решили)\b"
    r"|\b(?:might|may|could|should|let's|if|whether|when|before) (?:\w+ )?(?:we )?(?:\w+ )?(?:decided?|agreed?|settled?)\b"
    r"|(?:还没|没有?|尚未|假设|如果).{0,6}(?:决定|确定|定下来|选定)"
)
_A_TEXT = re.compile(  # a message that asks for a text, or brings one: what stands in it is not said, but written
    r"(?i)\A\W*(?:please |can you |could you |now |ok |okay |bitte |por favor |peux-tu )*(?:translate|summari[sz]e|rewrite|"
    r"rephrase|paraphrase|"
    r"proofread|draft|compose|imagine|pretend|suppose|assume|say that|role-?play|improve (?:this|my) (?:text|prompt|sentence)|"
    r"write (?:me )?(?:a|an|the|some|another) (?!(?:test|tests|script|function|class|migration|query)\b)\w+|"
    r"übersetze?|fasse|formuliere|schreib(?:e)? (?:eine?n?|mir eine?n?)|stell dir vor|traduis|traduire|résume|imagine|rédige|"
    r"traduce|resume|redacta|imagina|traduza|resuma|traduci|riassumi|scrivi un[ao']?|vertaal|переведи|представь)\b"
    r"|\b(?:my|the|our) (?:character|hero|heroine|protagonist|narrator|story|novel|essay|poem|persona)\b|\bin the story\b"
    r"|\b(?:here is|here's|below is) (?:the|a|my|our|their) [\w ]{0,40}(?:guide|prompt|text|rules?|document|letter|article|"
    r"mail|e-?mail)\b"
    r"|\b(?:prompt|text|title|thesis|slogan|lyrics) (?:is|says|reads|below)\b|(?:翻译|假设|想象|改写|润色|写一[篇个封])|翻訳|번역"
)
_ALSO = re.compile(  # an order for now, beside the one that lasts
    r"(?i)(?:,|\band)(?: then| now| also| please)? (?:set|add|fix|make|run|do|change|write|create|update|remove|delete|check|"
    r"commit|push|"
    r"test)\b(?! (?:the )?\w+ (?:before|after|first|too|as well)\b)"
    r"|\bbitte (?:anpassen|ändern|beheben|fixen|korrigieren|reparieren)\b|修一?下|修复|改一?下"
)


_USED = re.compile(
    r"(?i)\b(?:we|team|project|company|our \w+)\b.{0,20}\b(?:us(?:e|es|ing)|switched|moved|migrated|rel(?:y|ies)|runs?|deploys?|"
    r"builds?|hosts?|tracks?|manages?|writes?|tests?)\b|(?:我们|团队|项目|公司).{0,4}(?:用|使用|换成|迁到|部署)"
)
_DUE = re.compile(
    r"(?i)\b(?:due|deadlines?|submit|deliver|no later than|expires?)\b|\b(?:by|before) (?:\d|mon|tue|wed|thu|fri|sat|sun|jan|feb|"
    r"mar|apr|may|jun|jul|aug|sep|oct|nov|dec|tomorrow|next|the end)|截止|到期|交付|[前内]"
)
_ENDS = re.compile(r"(?<=[.!?؟।])\s+|(?<=[。！？])|\n")


def is_worth_a_look(text: str) -> bool:
    """Whether some sentence of a message has the form of something that is taken. Most have none."""
    forms = (_ORDER, _FOREIGN_WISH, *_FOREIGN, _SETTLED, _LEARNT, _WHO, _USED, _DUE, abroad.LESSON, abroad.DUE, abroad.DUE_AFTER)
    told = _ENDS.split(text)
    return any(form.search(sentence) for sentence in told for form in forms) or any(
        form.search(spoken(sentence)) for sentence in told for form in (abroad.WISH, abroad.SETTLED)
    )


def form_of(sentence: str) -> str:
    """What a sentence plainly is: a lesson, a decision or a preference; empty where it is none, or is taken back."""
    row = spoken(sentence)
    if _is_taken_back(sentence) or _HERE.search(_told(sentence)) or _UNSETTLED.search(sentence) or abroad.HERE.search(row):
        return ""
    if _LEARNT.search(sentence) or abroad.LESSON.match(sentence):
        return "lesson"
    if _SETTLED.search(sentence) or abroad.SETTLED.search(row):
        return "decision"
    orders = any(form.search(sentence) for form in (_ORDER, _FOREIGN_WISH, *_FOREIGN)) or abroad.WISH.search(row)
    return "preference" if orders and not _ALSO.search(sentence) else ""


def _told(sentence: str) -> str:
    """What a sentence says, without its reason, which may point back."""
    return re.split(r" [-–—] |[;(]|\bbecause\b|\bsince\b", sentence, maxsplit=1)[0]


def _is_taken_back(sentence: str) -> bool:
    """Whether it points at something, tells a story, is somebody else's word, or asks."""
    return bool(
        _POINTS.search(_told(sentence)) or _STORY.search(sentence) or _REPORTED.search(sentence) or re.search("[?？¿؟]", sentence)
    )


def plain(said: Iterable[Said]) -> tuple[Item, ...]:
    """What is to be kept of what a user has said."""
    from .extracting import asks_to_forget, extracted

    mine = []
    for one in said:
        if one.who == "user" and _is_own_word(one.text):
            mine.append(one)
        elif one.who == "user" and asks_to_forget(one.text):  # nothing of it is kept, but it may be about the message before
            mine.append(one.replaced(text=" ".join(filter(asks_to_forget, sentences_in(one.text)))))
    return tuple(item for item in extracted(mine).items if len(item.text) <= 240 and is_plain(item))


def _is_own_word(text: str) -> bool:
    """Whether a message is what its sender means: a long one is mostly pasted, and a text to be written is a text."""
    return len(text) <= TYPED and not _A_TEXT.search(text)


def is_plain(item: Item) -> bool:
    """Whether an item says itself that it lasts, and is understood without the rest."""
    if item.kind in ("preference", "decision", "lesson"):
        return form_of(item.text) == item.kind
    if _is_taken_back(item.text):
        return False
    if item.kind == "deadline":
        return bool(item.date)
    if item.kind == "person":
        return bool(_WHO.search(item.text) and _NAMED.search(item.text))
    return bool(_TEAM.search(item.text)) and not _HERE.search(_told(item.text))
