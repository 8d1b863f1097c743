"""What a text shows by its form: a person's corrections, a question, a yes, choices. What it names is naming.py's.

Plain functions over plain text. Nothing in them knows the tools, the language or the project of a session: they go by how
programs, shells and people write. Each errs on the side of saying nothing, since what is said here is put before an agent as
something that it needs.

Rule: every hook that saves pays for this module. An expression is compiled when it is first needed (`_made`), and a text is asked
by a plain `in` before an expression looks through it: nearly all texts have nothing of what is looked for.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from .hearing import phrases, spoken, unaccented
from .replies import without_fine
from .tongues import (
    BACK,
    BACK_UNSPACED,
    CHOICE,
    CHOICE_UNSPACED,
    COURSE,
    COURSE_UNSPACED,
    FORBIDDING,
    FORGET,
    FORMS,
    LEFT_TO_YOU,
    UNLESS,
)

_made = lru_cache(maxsize=None)(re.compile)


@cache
def _looking(form: str) -> re.Pattern[str]:
    """An expression that looks through spoken words, which have no accents."""
    return re.compile(unaccented(form))


_COURSE = phrases(COURSE, COURSE_UNSPACED)
_BACK = phrases(BACK, BACK_UNSPACED)
_RATHER = r"(?:还是|還是)(?:用|按|改|保留|回到|继续|先|换|換|维持).{0,60}(?:吧|好了|算了|[。！!]|$)"
_ASKS_OR = r"[?？]|(?:吗|呢)\W*$"
# At the beginning; and then what it is instead, for a no alone answers a question.
_DENIED = phrases("nope, nah, nein, nee, нет, ні, hayır, не а")
# In many languages “no” is “not” as well: where it answers, a mark stands behind it, or behind whom it is said to.
_NO_ALONE = r"(?i)\W*(?:no|non|não|nao|nie|не|لا|नहीं|nahi|nahin|không|bukan|tidak|nein|ne)(?: \w+)?\s*[,.;:!،–—-]"
_CONTRAST = phrases(
    "not, but, isn't, it's, nicht, sondern, aber, pas, mais, sino, pero, no, ma, non, mas, não, não é, maar, niet, ale, "
    "nie, не, но, але, "
    "değil, ama, मगर, लेकिन, नहीं, lekin, nahi, nahin, chứ, mà, tapi, bukan, مو, مش, ليس, وليس, بل"
)
_DENIED_UNSPACED = ("不对", "不對", "不，", "不是，", "いいえ", "違", "아니")
_CLAUSES = r"[^.!?,;:…。！？，；：、؟،؛।\n]+[.!?…。！？؟।]*"
_WHY = phrases(
    "why, how, what, warum, wieso, weshalb, pourquoi, comment, por que, porque no, perche, come mai, waarom, hoe, dlaczego, "
    "czemu, "
    "почему, зачем, чому, навіщо, neden, niye, niçin, ليش, ليه, لماذا, क्यों, kyu, kyun, kyo, tại sao, sao, vì sao, kenapa, "
    "mengapa"
)
_WHY_UNSPACED = ("为什么", "為什麼", "为啥", "怎么", "怎麼", "なんで", "なぜ", "どうして", "왜")
_AGREED = phrases(
    "yes, yep, yeah, ok, okay, sure, go ahead, go for it, do it, please do, let's do, of course, absolutely, definitely, "
    "sounds good, approve, approved, lgtm, ja, jo, jep, jup, gerne, klar, oui, ouais, d'accord, sí, sì, si, vale, dale, "
    "adelante, sim, "
    "beleza, certo, va bene, prima, is goed, tak, jasne, dobra, да, ага, угу, ок, окей, конечно, добре, так, evet, olur, "
    "tamam, aynen, "
    "نعم, ايوه, ايوا, تمام, اوكي, اوك, ماشي, موافق, हाँ, हां, जी, ठीक है, haan, theek hai, thik hai, ừ, đồng ý, vâng, iya, "
    "boleh, oke"
)
_AGREED_UNSPACED = (
    "好", "可以", "是的", "行，", "行吧", "嗯", "对，", "對，", "はい", "うん", "いいけど", "いいよ", "いいですが",
    "네", "응", "넵",
)  # fmt: skip
_YES_ALONE = r"\W*\w+(?: \w+)?[,.;!:，。！、–—-]"
_BUT = phrases(
    "but, though, why, aber, warum, mais, pourquoi, pero, mas, ma, maar, ale, но, але, ama, لكن, بس, लेकिन, lekin, nhưng, tapi",
    "但 为什么 為什麼 けど なぜ 근데 하지만",
)
_PRESSED = phrases(
    "again, still, wrong, why did you, why do you, why are you, already told, frustrating, frustrated, annoying, annoyed, "
    "schon wieder, doch schon gesagt, encore faux, je te l'ai déjà, combien de fois, otra vez mal, ya te dije, ya te lo dije, "
    "cuántas veces, de novo errado, já falei, quantas vezes, ancora sbagliato, te l'ho già, quante volte, alweer, al gezegd, "
    "znowu, już mówił*, ile razy, опять, я же говорил*, сколько раз, знову, я ж казав, скільки разів, yine yanlış, kaç kere, "
    "kaç kez, "
    "مرة ثانية, قلت لك, كم مرة, फिर से गलत, कितनी बार, phir se galat, kitni baar, lại sai, mấy lần, salah lagi, udah dibilang, "
    "berkali kali",
    "又错 又錯 又不 又报 又報 又出 又坏 又壞 怎么又 怎麼又 多少遍 两遍 还是不 還是不 また同じ 何回言 何度言 왜_또 또_안 몇_번을",
)
_PLEASED = phrases(
    "thanks, thank, great, perfect, nice, awesome, danke, merci, génial, parfait, gracias, buenísimo, obrigado, obrigada, valeu, "
    "grazie, ottimo, perfetto, bedankt, dankjewel, dzięki, dziękuję, спасибо, отлично, дякую, чудово, teşekkürler, harika, "
    "شكرا, ممتاز, "
    "धन्यवाद, शुक्रिया, बढ़िया, shukriya, cảm ơn, cám ơn, tuyệt vời, makasih, terima kasih, mantap",
    "谢谢 太好了 太棒 謝謝 感謝 ありがとう 完璧 素晴らしい 고마워 고맙 감사합니다 완벽해",
)
_NOT_PLEASED = r" (?:not|no|isn't|aren't|wasn't|don't|doesn't|never|less) (?:\w+ )?(?:great|perfect|nice|awesome|thank|thanks) "
_ONCE_MORE = r"\b(?:try|ask|run|check|look|test|read|start|build|send|show|tell|do)(?: (?:it|that|this|them|me|us|all))? again\b"
_BY_COMMAND = r"\A/[\w:-]+(?:\s+|\Z)"  # the name of a command, which nobody has put into words: `/should-we-ship`


_spoken = lru_cache(maxsize=8)(spoken)  # the same words are asked for several things in a row


def _says(text: str, phrases: tuple[str, ...]) -> bool:
    spoken = _spoken(text)
    return any(phrase in spoken for phrase in phrases)


def columns(text: str) -> int:
    """The length of a text; a letter of a script without spaces says about as much as two of ours."""
    return len(text) if text.isascii() else len(text) + sum(letter >= "\u2e80" for letter in text[:600])


@lru_cache(maxsize=512)
def is_correction(text: str) -> bool:
    """A person setting the course: short, in their own words, with a word that forbids, demands or replaces, or a no and
    what it is instead.
    """
    if text.startswith("/"):
        text = _made(_BY_COMMAND).sub("", text)
    return columns(text) < 600 and (_says(text, _COURSE) or _denies(text) or takes_back(text) or _forbids(text))


def _forbids(text: str) -> bool:
    """Whether some clause forbids or demands, and does not only say how things are, or ask."""
    said = _spoken(text)
    unless = [(words, so_it_is) for words, so_it_is in UNLESS if any(word in said for word in words)]
    forms = [form for hints, form in FORMS if any(hint in said for hint in hints)]
    for clause in _made(_CLAUSES).findall(text) if unless or forms else ():
        if clause[-1] in "?？؟" or any(word in f" {clause} " for word in _WHY_UNSPACED):
            continue
        row = spoken(clause)
        if any(row.startswith(why) for why in _WHY):
            continue
        if any(_looking(form).search(row) for form in forms):
            return True
        for words, so_it_is in unless:
            left = _looking(so_it_is).sub(" ", row)
            if any(word in left for word in words):
                return True
    return False


@lru_cache(maxsize=512)
def takes_back(text: str) -> bool:
    """A person taking back what they said before, in a few words."""
    if columns(text) >= 600:
        return False
    if _says(text, _BACK) or _looking(FORGET).match(_spoken(text)):
        return True
    return ("还是" in text or "還是" in text) and bool(_made(_RATHER).search(text)) and not _made(_ASKS_OR).search(text)


# What forbids stands at the beginning of a sentence, or it only says how things are: “the log is never written”.
_FORBIDS = (
    r"(?i)(?:(?:please|also|and|but|so|or|then|important|note|bitte|und|aber|por favor|et|пожалуйста|请|請)[\s,:!，：]*){0,2}"
    r"(?:(?:don['’]?t|do not)\b(?! (?:know|think|see|understand|have|remember|worry)\b)"
    r"|(?:never|avoid|you must not|you may not|niemals|nie|keine?n?|auf keinen fall|nunca|jamais|não|никогда|нельзя|не)\b"
    r"|no (?:toques|uses|cambies|borres|hagas|modifiques)\b|ne \w+[\w ]{0,20} pas\b|不要|别|別|禁止|勿|切勿|不得|不能|不准)"
    r"|.{0,200}(?:ないでください|しないで|しないこと|禁止です|하지 ?마)"
)


_FORBIDDEN = phrases(
    "auf keinen fall, unter keinen umständen, finger weg, surtout pas, ni se te ocurra, nem pense, ни в коем случае, ні в "
    "якому разі, "
    "нельзя, не можна, nie wolno, asla, sakın, ممنوع, मत, đừng, không được, cấm, tuyệt đối không, jangan, dilarang, tidak boleh",
    "千万别 千萬別 不准 不许 不許 请勿 請勿 しないで 禁止 절대",
)
# What stands in a list below such a heading is an order, whether it forbids or demands.
_RULES = (
    r"(?i)\W*(?:(?:hard|key|important|some|the|my|our|wichtige) )?"
    r"(?:constraints?|rules?|requirements?|restrictions?|conditions?|guidelines?"
    r"|vorgaben|regeln|bedingungen|anforderungen|einschränkungen|contraintes|règles|exigences|restricciones|reglas|requisitos"
    r"|restrições|regras|vincoli|regole|requisiti|ограничения|правила|требования|约束|約束|规则|規則|要求|限制|制約|ルール|条件"
    r"|zasady|wymagania|ограничения|обмеження|вимоги|kurallar|kısıtlamalar|gereksinimler|القواعد|الشروط|नियम|शर्तें|quy tắc|"
    r"yêu cầu|"
    r"aturan|syarat|batasan|regels|eisen|voorwaarden|注意事項|注意事项|規定|规定|주의사항|요구사항|제약|규칙)\W*"
)
_LISTED = r"\s*(?:[-*•–]|\d{1,2}[.)])\s+\S"
_ORDERS = 8


@lru_cache(maxsize=64)
def orders_in(text: str) -> list[str]:
    """What a long message forbids, sentence by sentence, and what it lists as its rules; not what is quoted in it. Of a short one
    all is shown.
    """
    if columns(text) < 600:
        return []
    own = [line for line in text.split("\n") if not line.lstrip().startswith((">", "|"))]
    rules = {told for line in _listed_rules(own) for told in sentences_in(line)}
    told = [told for told in sentences_in("\n".join(own)) if told in rules or _made(_FORBIDS).match(told) or _is_forbidden(told)]
    return [told for told in dict.fromkeys(told) if columns(told) >= 8 and len(told) <= 300][:_ORDERS]


def _is_forbidden(sentence: str) -> bool:
    """Whether a sentence forbids by the form that its language has for it."""
    row = spoken(sentence)
    if sentence.endswith(("?", "？", "؟")) or row.startswith(_WHY) or any(why in row for why in _WHY_UNSPACED):
        return False
    if _says(sentence, _FORBIDDEN):
        return True
    return any(_looking(form).search(row) for hints, form in FORBIDDING if any(hint in row for hint in hints))


def _listed_rules(lines: list[str]) -> list[str]:
    """The items of lists that stand below a heading such as “Constraints:”."""
    found: list[str] = []
    inside = False
    for line in lines:
        is_item = bool(_made(_LISTED).match(line))
        if inside and is_item:
            found.append(line)
        elif line.strip():
            inside = not is_item and len(line) < 40 and bool(_made(_RULES).fullmatch(line))
    return found


def _denies(text: str) -> bool:
    """A no, and behind it what it is instead; in some scripts a no that does not stand alone."""
    said = _spoken(text)
    begins = said.startswith(_DENIED) or _made(_NO_ALONE).match(text)
    return (bool(begins) and any(phrase in said[said.find(" ", 1) :] for phrase in _CONTRAST)) or text.lstrip().startswith(
        _DENIED_UNSPACED
    )


def is_yes(text: str) -> bool:
    """A short answer that agrees. One that asks does so only with a yes that stands for itself, and no but behind it."""
    if len(text) >= 80 or not (_spoken(text).startswith(_AGREED) or text.startswith(_AGREED_UNSPACED)):
        return False
    asks = "?" in text or "？" in text
    return not asks or bool(_made(_YES_ALONE).match(text) and not _says(text, _BUT))


_YET = phrases(
    "but, not, no, don't, do not, never, wait, hold, stop, except, only, nicht, kein, keine, warte, aber, erst, nur, pas, mais, "
    "attends, pero, espera, sin, não, mas, espere, sem, ma, non, aspetta, maar, niet, wacht, ale, nie, czekaj, не, нет, но, "
    "подожди, "
    "ні, але, зачекай, ama, değil, önce, bekle, لكن, بس, لا, मगर, लेकिन, मत, नहीं, पहले, lekin, mat, pehle, nhưng, đừng, chưa, "
    "tapi, jangan",
    "不 别 別 没 沒 先 但 待 ない けど 지_마 말고 근데 하지만",
)


def is_qualified(text: str) -> bool:
    """Whether a yes goes on to refuse, delay or except something."""
    return _says(without_fine(text), _YET)


def tone_of(text: str) -> str:
    """Simple signs of how a person feels, never guessed beyond them; empty where there are none."""
    if len(text) >= 400:
        return ""
    if "!!" in text or (_says(text, _PRESSED) and _says(_made(_ONCE_MORE).sub(" ", _spoken(text)), _PRESSED)):
        return "pressing"
    return "pleased" if _says(text, _PLEASED) and not _made(_NOT_PLEASED).search(_spoken(text)) else ""


def question_in(text: str) -> str:
    """The question or proposal that a message ends with, word for word; empty where it ends otherwise.

    In its last paragraph a few sentences may follow one that is put to the user: “Which do you want? I would take the first.”
    """
    if "?" not in text and "？" not in text and "؟" not in text and not _asks_unmarked(text):
        return ""
    paragraphs = [part.strip() for part in re.split(r"\n\s*\n", text.strip()) if part.strip()]
    for number, paragraph in enumerate(reversed(paragraphs[-2:])):
        if re.search(r"[?？؟][\s)\"'”’）」*_`]*$", paragraph) or (not number and _asks_unmarked(paragraph)):
            first = len(paragraphs) - 1 - number
            # “What do you think?” means nothing without what stands above it.
            above = len(paragraphs[first - 1]) if first and len(paragraph) < _SHORT_QUESTION else 0
            about = _SHORT_QUESTION <= above <= _QUESTION
            return "\n\n".join(paragraphs[first - 1 if about else first :])[:2000]
    last = paragraphs[-1]
    return last[:2000] if len(last) <= _QUESTION and _is_put_to_the_user(last) else ""


# Some languages ask by the ending of the verb, or a word in front, and a mark is not needed then.
_UNMARKED = (
    r"(?:(?:です|ます|ません|ました|でしょう|ましょう)か|[吗嗎]|(?:까|나|가|래)요|[습합입됩]니까)[\s.。)）*_`]*\Z"
    r"|\bm[iıuü](?:y[iı]m|y[iı]z|s[iı]n(?:[iı]z)?)?[\s.*_`]*\Z"
    r"|(?:\A|[.!。।\n]\s*)(?:czy|чи|apakah|هل|क्या|kya) [^.!?。।\n]*[.।]?\s*\Z"
)
_END_ASKS, _BEGIN_ASKS = ("か", "吗", "嗎", "요", "까", " m"), ("czy ", "чи ", "apakah ", "هل ", "क्या ", "kya ")


def _asks_unmarked(text: str) -> bool:
    end = text[-200:].rstrip().lower()
    may = any(hint in end[-12:] for hint in _END_ASKS) or any(hint in end for hint in _BEGIN_ASKS)
    return may and bool(_made(_UNMARKED).search(end))


_ASKING = r"[^.!?。！？؟\n]*[?？؟]+(?![?？؟\"'”’»」』`])"  # what is quoted is somebody else's
_SHORT_QUESTION = 30  # characters
_QUESTION, _FOLLOWS = 800, 240  # characters of a paragraph that asks, and of what may follow the question in it
_TO_YOU = phrases(
    "you, your, you'd, shall i, should i, should we, shall we, may i, can i, want me to, ok with, okay with, "
    "du, dir, dich, dein, deine, ihnen, ihr, soll ich, sollen wir, darf ich, möchten sie, wollen sie, können sie, haben sie, "
    "tu, vous, veux, voulez, dois je, puis je, quieres, prefieres, te parece, quiere, debo, puedo, você, quer, prefere, devo, "
    "vuoi, preferisci, wil je, zal ik, moet ik, chcesz, wolisz, mam, вы, ты, вам, тебе, хотите, хочешь, мне, ви, ти, хочеш, "
    "хочете, "
    "мені, ister misin, ister misiniz, istersin, istersiniz, yapayım mı, تريد, تفضل, تحب, आप, मैं, aap, main, bạn, anda, kamu, "
    "mau saya",
    "你 您 要不要 是否 需要我 要我 我可以 可以吗 好吗 行吗 ますか でしょうか ましょうか 할까요 드릴까요 원하 까요",
)
_ANSWERED = (
    r"(?i)\W*(?:yes|no|yep|nope|because|since|it (?:is|was|turns)|that's|ja|nein|weil|denn|oui|non|parce|sí|porque|да|нет)\b"
    r"|\W*(?:是的|不是|因为|因為|对，|没有)"
)
_WENT_ON = (
    r"(?i)\b(?:let me (?!know)|let's (?:see|look|check|find)|i'll (?:check|look|find|see|start by)|i (?:checked|looked|found))\b"
    r"|让我(?!知道)|我来|我先"
)


def _is_put_to_the_user(paragraph: str) -> bool:
    """Whether a question in it is put to the user, and what follows neither answers it nor goes on. A report may ask itself."""
    for asked in _made(_ASKING).finditer(paragraph):
        follows = paragraph[asked.end() :].strip()
        if len(follows) <= _FOLLOWS and _says(asked[0], _TO_YOU):
            return not (_made(_ANSWERED).match(follows) or _made(_WENT_ON).search(follows))
    return False


_QUESTION_WORDS = phrases(
    "what, what's, whats, who, who's, whose, where, where's, when, why, how, how's, which, is, "
    "are, was, were, does, do, did, can, "
    "could, was ist, was sind, wer, wo, wann, warum, wieso, wie, welche*, ist, sind, kann, que, "
    "qu'est, qui, où, quand, pourquoi, "
    "comment, combien, est ce, qué, quién, dónde, cuándo, por qué, cómo, cuánto*, cuál, chi, "
    "dove, quando, perché, come, quanto, "
    "quale, quem, onde, por que, como, quanto*, qual, wie, wat, waar, wanneer, waarom, hoe, co, "
    "kto, gdzie, kiedy, dlaczego, jak, "
    "ile, что, кто, где, когда, почему, как, сколько, що, хто, де, коли, чому, як, скільки, ne, "
    "kim, nerede, nasıl, neden, kaç, "
    "ما, من, اين, متى, لماذا, كيف, كم, क्या, कौन, कहाँ, कब, क्यों, कैसे, gì, ai, apa, siapa, di "
    "mana, kapan, mengapa, bagaimana"
)
_QUESTION_UNSPACED = (
    "什么", "什麼", "谁", "誰", "哪", "几", "幾", "多少", "怎么", "怎麼", "为何", "如何", "吗", "嗎", "呢", "何", "무엇", "어디",
)  # fmt: skip


def begins_as_question(text: str) -> bool:
    """Return whether a message is a question: by its mark, by its first word, or by a word that asks."""
    bare = text.rstrip(" )\"'”’）」")
    if bare.endswith(("?", "？", "؟")) or _asks_unmarked(bare):
        return True
    return spoken(bare).startswith(_QUESTION_WORDS) or any(word in bare for word in _QUESTION_UNSPACED)


def is_choice(question: str) -> bool:
    """Whether a question leaves a decision open between several ways."""
    return bool(_made(_EITHER).search(question))


# “o” is “or” in Spanish and Italian, “the” in Portuguese and “about” in Polish; “of” is “or” in Dutch alone.
_EITHER = (
    r"(?i)\b(?:or|oder|ou|lub|albo|или|либо|або|veya|yoksa|ya da|atau|oppure|hoặc|أو|أم)\b|(?<!\S)या(?!\S)|(?<=\w )(?:czy|чи)\b"
    r"|¿[^?]*\b[ou]\b|\b(?:vuoi|preferisci|devo|il|gli|della)\b[^?]*\bo\b|\b(?:zal ik|wil je|moet ik|welke)\b[^?]*\bof\b"
    r"|还是|還是|或者|或是|または|それとも|아니면|또는|혹은"
)


# ---- decisions ---------------------------------------------------------------------------------------------------------

_WHO = ("i'll", "i will", "i'm going to", "i am going to", "we'll", "we will", "we're going to", "we should", "i should")
_DOES = ("use", "go with", "keep", "switch", "stick", "drop", "replace")
_CHOICE = (
    *(f" {who} {does} " for who in _WHO for does in _DOES),
    *phrases(CHOICE, CHOICE_UNSPACED),
)
_CHOICE_WORDS = frozenset(max(phrase.split(), key=len) for phrase in _CHOICE if phrase[0] == " ")  # one word of each phrase
_FENCED = r"(?sm)^```.*?^```"
_BOLD = r"\*\*|(?<!\w)__|__(?!\w)"
# A number with a full stop begins an item of a list, or a German day: “am 20. November”.
_BETWEEN = (
    r"(?m)(?<=[.!?؟।])(?<!^\d\.)(?<!^\d\d\.)"
    r"(?!(?<=\d\.)\s+(?:[a-zäöü]|Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez))\s+|(?<=[。！？])|\n"
)
_MARKS = r"^(?:\s*(?:>+|[#*+•–-]+(?=\s)|\d{1,3}[.)](?=\s)))+\s*(?=\S)"


def choices_in(text: str) -> list[str]:
    """Sentences in which the agent says what it has chosen, or what it found to be the cause; not what code says."""
    if (text.isascii() and _CHOICE_WORDS.isdisjoint(_spoken(text).split())) or not _says(text, _CHOICE):
        return []
    found = []
    for told in sentences_in(text):
        long = columns(told) >= 20 and len(told) <= 300
        if long and not told.endswith((":", "：", "?", "？", "؟")) and _says(told, _CHOICE) and not _is_left_to_you(told):
            found.append(told)
    return found[:3]


def _is_left_to_you(sentence: str) -> bool:
    return bool(_looking(LEFT_TO_YOU).search(_spoken(sentence)))


def proposal_in(text: str) -> str:
    """The last choice in a text that is left to the user; empty where there is none."""
    if not _says(text, _CHOICE):
        return ""
    left = [told for told in sentences_in(text) if len(told) <= 300 and _says(told, _CHOICE) and _is_left_to_you(told)]
    return left[-1] if left else ""


def sentences_in(text: str) -> list[str]:
    """The sentences of a text, each on one line, without the marks of lists and quotations, and without code in fences."""
    parts = _made(_BETWEEN).split(_made(_BOLD).sub("", _made(_FENCED).sub("", text)))
    return [told for told in (" ".join(_made(_MARKS).sub("", part).split()) for part in parts) if told]


# ---- what may be worth a note ------------------------------------------------------------------------------------------

TYPED, HEARD = 800, 60  # characters of a message beyond which it may well be pasted; messages that are kept for the next boundary
_HINTS = (  # one of these is in everything that lasting.py takes, or that takes it back; to look for them costs a hook nothing
    "always", "never", "from now on", "future", "going forward", "by default", "as a rule", "prefer", "don't",
    "do not", "decided", "agreed", "settled", "decision", "deadline", "due", " by ", "we use", "team use",
    "project use", "we've", "we have", "our ", "my ", " is ", "call me", "ask me", "ask first", "without asking",
    "rather you", "lesson", "learned", "root cause", "works", "leads", "owns", "handles", "reviews", "maintains",
    "manages", "approves", "reports to", "immer", "nie", "ab jetzt", "ab sofort", "künftig", "zukunft", "bevorzug",
    "toujours", "jamais", "désormais", "dorénavant", "préfèr", "siempre", "nunca", "prefier", "a partir de", "sempre",
    "prefir", "всегда", "никогда", "впредь", "предпочита", "以后", "一律", "从现在", "永远", "总是", "不要再", "每次",
    "偏好", "喜欢", "默认", "决定", "一致同意", "定下来", "截止", "到期", "我们", "团队", "项目", "公司", "教训",
    "老板", "经理", "同事", "必ず", "今後", "常に", "항상", "앞으로",
    "forget", "off the record", "no need to", "nicht merken", "nicht speichern", "retiens", "recuerdes", "guardes", "lembre",
    "запоминай", "不要记", "别记", "不用记", "忘掉", "覚えないで", "記録しないで", "기억하지",
    "remember", " ever", "every time", "each time", "whenever", "convention", "policy", "rule", "house style", "chosen",
    "picked", "we chose", "going with", "takeaway", "in general", "stets", "grundsätzlich", "von jetzt an", "bei uns gilt",
    "entschieden", "beschlossen", "gelernt", "lektion", "heißt", "à partir de", "décidé", "choisi", "leçon", "jamás",
    "adelante", "hemos", "lecci", "diante", "d'ora in", "preferisco", "abbiamo", "lezione", "lição", "altijd", "nooit",
    "vanaf nu", "voortaan", "hebben", "отныне", "решили", "记住", "务必", "习惯", "确定", "选定", "导师", "主管",
    "いつも", "教訓",
    "以後", "今後", "一律", "決定", "我們", "團隊", "喜歡", "習慣", "截止", "交付", "之前", "日前", "要交", "別記", "要記",
    "ことにしま",
    "ことにした", "に決", "が好き", "までに", "納品", "締切", "선호", "기로", "결정", "까지", "교훈", "기록하지", "저장하지",
    "lieber", "fällig", "abgabe", "bis ", "avant", "rendre", "échéance", "decidimos", "antes de", "entrega", "plazo", "prazo",
    "até ",
    "entro", "consegna", "scadenza", "salvarlo", "não guard", "nao guard", "liever", "geleerd", "voor ", "oplevering", "onthoud",
    "od teraz",
    "od tej pory", "wolę", "zdecydowali", "postanowili", "ustaliliśmy", "termin", "lekcja", "nauczka", "wniosek", "zapamiętuj",
    "zapisuj",
    "zawsze", "nigdy", "урок", "вывод", "висновок", "до ", "срок", "відтепер", "надалі", "завжди", "ніколи", "перевагу",
    "вирішили",
    "запам'ятовуй", "bundan", "tercih", "karar verdik", "teslim", "ders:", "her zaman", "asla", "kaydetme", "من الان", "من الآن",
    "دائما",
    "أفضل", "افضل", "قررنا", "اتفقنا", "التسليم", "قبل", "درس", "لا تحفظ", "अब से", "हमेशा", "पसंद", "हमने", "तक", "सबक",
    "याद मत",
    "ab se", "hamesha", "pasand", "humne", "sabak", "yaad mat", "từ giờ", "từ nay", "luôn", "thích", "quyết định", "hạn",
    "bài học",
    "đừng", "mulai sekarang", "selalu", "lebih suka", "memutuskan", "sepakat", "tenggat", "pelajaran", "jangan",
)  # fmt: skip


def may_last(text: str) -> bool:
    """Whether a user's message is worth a look at the next boundary: it is short, and has a word of what lasts."""
    if len(text) > TYPED:
        return False
    lower = text.lower()
    return any(hint in lower for hint in _HINTS)
