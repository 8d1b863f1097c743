"""Tell small talk from what a conversation is about, by its words alone. Pure.

“hi”, “brb lunch”, “在吗”, “what time is it?” ask for no work and answer no question. Whoever takes them
for a request loses the task that was under way, and the question that waits.

Rule: a message is small talk only if each of its words is. A message that says yes or no, names a thing
or gives an order is none, however politely it begins.
"""

from __future__ import annotations

import re
from functools import lru_cache

from .hearing import phrases, spoken

_LONGEST = 80  # characters
_compiled = lru_cache(maxsize=None)(re.compile)

# Phrases that are small talk by themselves, in the languages that people write.
_PHRASES = phrases(
    # greetings
    "hi, hii, hey, heya, hello, hello there, howdy, yo, sup, what's up, whats up, wassup, good "
    "morning, good afternoon, "
    "good evening, gm, hallo, moin, servus, guten morgen, guten tag, guten abend, grüß dich, "
    "hej, salut, "
    "bonjour, bonsoir, coucou, hola, buenas, buenos días, buenas tardes, olá, oi, bom dia, boa "
    "tarde, ciao, buongiorno, "
    "buonasera, hoi, goedemorgen, goedemiddag, cześć, dzień dobry, привет, здравствуйте, доброе "
    "утро, добрый день, "
    "добрый вечер, привіт, добрий день, merhaba, selam, günaydın, مرحبا, السلام عليكم, صباح "
    "الخير, नमस्ते, namaste, "
    "chào, chào bạn, xin chào, halo, selamat pagi, selamat siang, "
    # is anybody there
    "are you there, you there, you still there, are you still there, still there, anyone there, "
    "anybody there, u there, "
    "bist du da, bist du noch da, jemand da, tu es là, t'es là, estás ahí, sigues ahí, está aí, "
    "tá aí, ci sei, ben je er, "
    "ben je daar, jesteś tam, jesteś, ты тут, ты здесь, ти тут, orada mısın, "
    # how are you
    "how are you, how are you doing, how's it going, hows it going, how is it going, how do you "
    "do, wie geht's, "
    "wie gehts, wie geht es dir, ça va, comment ça va, cómo estás, qué tal, como vai, tudo bem, "
    "come stai, come va, "
    "hoe gaat het, jak się masz, как дела, як справи, nasılsın, apa kabar, bạn khỏe không, "
    # going away, coming back, asking for a moment
    "brb, be right back, bbl, afk, gtg, g2g, one sec, one second, a sec, one moment, one minute, "
    "just a moment, "
    "just a minute, just a sec, give me a sec, give me a second, give me a minute, give me a "
    "moment, hold on, hang on, "
    "wait a sec, wait a minute, wait a moment, moment mal, einen moment, moment bitte, warte "
    "kurz, bin gleich zurück, "
    "bin gleich wieder da, gleich wieder da, un instant, un moment, une minute, une seconde, je "
    "reviens, un momento, "
    "un segundo, un minuto, ahora vuelvo, ya vuelvo, um momento, um minuto, já volto, un attimo, "
    "torno subito, "
    "momentje, een moment, ben zo terug, chwila, chwilkę, zaraz wracam, минутку, секунду, сейчас "
    "вернусь, "
    "хвилинку, bir dakika, bir saniye, hemen dönerim, لحظة, دقيقة, एक मिनट, ek minute, chờ chút, "
    "đợi chút, "
    "sebentar, bentar, tunggu sebentar, i'm back, im back, i am back, back again, back now, here "
    "again, "
    "i'm here, im here, bin zurück, bin wieder da, wieder da, je suis de retour, de retour, ya "
    "volví, ya estoy, voltei, "
    "sono tornato, sono tornata, ben terug, wróciłem, wróciłam, я вернулся, я вернулась, я тут, "
    "geldim, döndüm, "
    "back in a, back from, need a coffee, going for lunch, going to lunch, off to lunch, "
    "grabbing lunch, gone for lunch, lunch break, "
    "lunch time, lunchtime, mittagspause, mahlzeit, "
    # where were we: who asks this wants to go on with what was there before
    "where were we, where did we stop, where did we leave off, where did we leave it, where we left off, what were we doing, "
    "what were we working on, what were we talking about, wo waren wir, wo sind wir stehen geblieben, worüber haben wir "
    "gesprochen, "
    "où en étions nous, où en était on, on en était où, on en est où, dónde estábamos, en qué estábamos, dónde nos quedamos, "
    "en qué quedamos, onde paramos, dove eravamo, dove eravamo rimasti, waar waren we, waar waren we gebleven, na czym "
    "skończyliśmy, "
    "на чем мы остановились, на чому ми зупинилися, nerede kalmıştık, "
    # laughter and fillers
    "lol, lmao, rofl, haha, hahaha, hahahaha, hehe, xd, jaja, jajaja, kkk, rsrs, mdr, ахах, хаха, "
    # time, day, weather
    "what time is it, what's the time, whats the time, what is the time, what day is it, what "
    "day is today, "
    "what's today's date, what is today's date, what is the date, what's the date, how's the "
    "weather, "
    "how is the weather, what's the weather like, wie spät ist es, wieviel uhr ist es, wie viel "
    "uhr ist es, "
    "welcher tag ist heute, quelle heure est il, il est quelle heure, qué hora es, que horas "
    "são, che ore sono, "
    "hoe laat is het, która godzina, która jest godzina, сколько времени, который час, котра "
    "година, saat kaç, "
    "كم الساعة, mấy giờ rồi, jam berapa",
)
# Words that are small talk where nothing stands beside them: “in the morning” may be an answer.
_ALONE = frozenset(spoken("morning back test testing ping moment na hai").split())
# Words that may stand beside such a phrase and change nothing.
_BESIDE = frozenset(
    spoken(
        "ok okay k so well just now again there all team everyone guys folks please pls sorry oh "
        "ah um hmm hm ha and then for to "
        "the a an my me i i'm im i'll am go going gonna get getting grab grabbing have got need "
        "be in at of it is it's right "
        "quick quickly real lunch dinner breakfast coffee tea food break meeting call phone "
        "toilet bathroom door kids dog "
        "sec secs min mins minute minutes hour moment back later from soon bit claude codex "
        "gemini buddy mate man bro dude friend "
        "mal kurz schnell mittag essen kaffee pause bitte und ich bin muss noch da du je vais "
        "manger déjeuner pause "
        "voy a comer comida café vou almoçar almoço vado pranzo ga eten даже я на обед кофе"
    ).split()
)
_UNSPACED = (
    "在吗", "在嗎", "在么", "在不在", "还在吗", "還在嗎", "有人吗", "有人嗎", "你好", "您好",
    "哈囉", "早上好", "早安", "中午好",
    "下午好", "晚上好", "哈哈", "嘿嘿", "呵呵", "嘻嘻", "等我一下", "等一下", "等等", "等下",
    "稍等", "等会", "等會", "一会儿",
    "去吃个饭", "去吃個飯", "吃个饭", "吃個飯", "去吃饭", "去吃飯", "吃饭", "吃飯", "喝杯咖啡",
    "喝口水", "上个厕所", "上廁所",
    "开个会", "開個會", "去开会", "去開會", "接个电话", "接個電話", "忙一下", "马上回来",
    "馬上回來", "回来了", "回來了", "我回来",
    "我回來", "现在几点了", "現在幾點了", "现在几点", "現在幾點", "几点了", "幾點了", "今天几号",
    "今天幾號", "今天星期几",
    "今天星期幾", "天气怎么样", "天氣怎麼樣", "吃了吗", "吃了嗎", "最近怎么样", "最近怎麼樣",
    "こんにちは", "こんばんは", "おはようございます", "おはよう", "ちょっと待って",
    "少々お待ちください", "いますか", "戻りました",
    "ただいま", "今何時ですか", "今何時", "お昼行ってきます", "元気ですか",
    "안녕하세요", "안녕", "잠시만요", "잠깐만요", "잠시만", "잠깐만", "계세요", "거기 있어",
    "다녀올게요", "다녀왔어요", "지금 몇 시",
    "밥 먹고 올게요", "ㅋㅋ", "ㅎㅎ",
)  # fmt: skip
_BESIDE_UNSPACED = r"(?:[\W我你您先去了啊呀哦噢喔嗯唔吧的呢吗嗎嘛哈个個就再又好ㅋㅎねよー]|ください|요|야|에요|예요)*"
_WHERE_WERE_WE = r"(?:我[们們])?(?:上次|[刚剛]才)?[说說聊讲講做]到哪[里裡儿兒]?"
_SHORT_WHILE = r"\b\d{1,2} ?(?:secs?|seconds?|mins?|minutes?|minuten|minutos|minuti|минут\w*|h|hours?)\b"
# What an agent says to be polite: whoever leaves it unanswered owes nothing.
_OFFERS = phrases(
    "how can i help, how may i help, how can i assist, how may i assist, what can i do for you, "
    "what can i help, "
    "anything else i can help, anything else i can do, is there anything else, what would you "
    "like to do today, "
    "what are we working on, what would you like to work on, what shall we work on, how are you, "
    "what's on your mind, "
    "wie kann ich helfen, wie kann ich dir helfen, wie kann ich ihnen helfen, womit kann ich, "
    "was kann ich für dich tun, "
    "was kann ich für sie tun, comment puis je vous aider, comment puis je t'aider, en quoi puis "
    "je, "
    "en qué puedo ayudar*, cómo puedo ayudar*, como posso ajudar, em que posso ajudar, come "
    "posso aiutar*, "
    "hoe kan ik helpen, hoe kan ik je helpen, w czym mogę pomóc, чем могу помочь, чем я могу "
    "помочь, чим можу допомогти, "
    "nasıl yardımcı olabilirim, كيف يمكنني مساعدتك, मैं आपकी क्या मदद, tôi có thể giúp gì, ada "
    "yang bisa saya bantu",
    "有什么可以帮 有什麼可以幫 能帮您什么 能幫您什麼 我能帮你 我能幫你 需要我做什么 需要我做什麼 "
    "何かお手伝い ご用件 무엇을_도와 도와드릴까",
)
_OFFER = 160  # characters of a paragraph that offers help and asks nothing else


@lru_cache(maxsize=64)
def is_small_talk(text: str, question: str = "") -> bool:
    """Return whether a person's message asks for nothing and answers nothing.

    A word that the open question has may well be its answer: “test” says much after “test or live?”.
    """
    text = text.strip()
    if not text or len(text) > _LONGEST:
        return False
    if question and not text.endswith(("?", "？")) and _names_what_is_asked(text, question):
        return False
    rest = _compiled(_WHERE_WERE_WE).sub("", text)
    for phrase in sorted(_UNSPACED, key=len, reverse=True):
        rest = rest.replace(phrase, "")
    if rest != text:
        return bool(_compiled(_BESIDE_UNSPACED).fullmatch(rest)) or _is_spoken_small_talk(rest)
    return _is_spoken_small_talk(text)


def _names_what_is_asked(text: str, question: str) -> bool:
    asked = spoken(question).split()
    return any(len(word) > 3 and word in asked for word in spoken(text).split())


def _is_spoken_small_talk(text: str) -> bool:
    words = spoken(_compiled(_SHORT_WHILE).sub(" ", text.lower()))
    if len(words.split()) == 1 and words.strip() in _ALONE:
        return True
    rest = words
    for phrase in _longest_first():
        while phrase in rest:
            rest = rest.replace(phrase, "  ")
    return rest != words and _BESIDE.issuperset(rest.split())


@lru_cache(maxsize=1)
def _longest_first() -> tuple[str, ...]:
    return tuple(sorted(_PHRASES, key=len, reverse=True))


def is_offer_of_help(question: str) -> bool:
    """Return whether a question of an agent only offers help, as at the start of a talk."""
    if len(question) > _OFFER:
        return False
    words = spoken(question)
    return any(phrase in words for phrase in _OFFERS)
