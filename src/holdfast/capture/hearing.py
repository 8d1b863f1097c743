"""What a prompt asks of memory, told by its words alone. Apart from signs.py, since every prompt pays for it: no expression
is compiled, nothing is looked up, and an ordinary prompt is done with in microseconds.

Two kinds: a person who misses something that was said or done (then the context was lost, whatever the host says, and the brief
is given), and one who refers to something that memory may have (then it is searched, and what is surely meant is given).
"""

from __future__ import annotations

_LOOKED_AT = 2000  # characters of a prompt
_LETTERS = "'_"
_AS_TYPED = (  # letters as they are typed in haste, or on another keyboard
    "aàáâãäåāăą", "cçćč", "dď", "eèéêëēėęě", "gğģ", "iíìîïīįı", "lł", "nñńň", "oòóôõöøőō", "rř", "sśšşș", "tťţț", "uùúûüūůű",
    "yýÿ", "zžźż", "её", "гґ", "اأإآٱ", "يى", "هة", "'’ʼ`´",
)  # fmt: skip


class _Letters(dict[int, str | None]):
    """Letter → as it is compared, learnt as they are met: what is none is a space, and what only stands upon one is gone."""

    def __missing__(self, code: int) -> str | None:
        letter: str | None = chr(code)
        if 0x300 <= code <= 0x36F or 0x64B <= code <= 0x65F or code in (0x640, 0x670, 0x200C, 0x200D):
            letter = None  # accents by themselves, Arabic vowels, joiners
        elif 0xFF01 <= code <= 0xFF5E:
            letter = self[code - 0xFEE0]  # the wide letters and digits of Japanese keyboards
        elif not (chr(code).isalnum() or chr(code) in _LETTERS or _is_vowel(code)):
            letter = " "
        self[code] = letter.lower() if letter else letter
        return self[code]


def _is_vowel(code: int) -> bool:
    """A sign of an Indic or South-East Asian script that is part of its word, and no letter to Python."""
    return 0x900 <= code <= 0x109F and code not in (0x964, 0x965)


_UNACCENTED = {ord(letter): row[0] for row in _AS_TYPED for letter in row[1:]} | {0xDF: "ss", 0xE6: "ae", 0x153: "oe"}
_letters = _Letters(_UNACCENTED)


def spoken(text: str) -> str:
    """A text as a row of words in lower case, without accents, a space around each."""
    return f" {' '.join(text.lower().translate(_letters).split())} "


def unaccented(form: str) -> str:
    """An expression that looks through what `spoken` gives, so that it may be written as people write."""
    return form.translate(_UNACCENTED)


def phrases(spaced: str, unspaced: str = "") -> tuple[str, ...]:
    """Words and phrases as people write them, in lower case. Those of scripts with spaces have one around them, which `spoken`
    puts between words, whatever stood there, but for `deploy*`, which is any word that begins so. The others are looked for as
    they are; a `_` in them is a space.
    """
    found = spoken(spaced.replace(",", " _ ").replace("*", "__")).strip().split(" _ ")
    return (*(f" {phrase} ".replace("__ ", "") for phrase in found if phrase), *unspaced.replace("_", "\0").split()) if (
        "_" not in unspaced
    ) else (*phrases(spaced), *(word.replace("_", " ") for word in unspaced.split()))


_THE_PAST = phrases(
    "you forgot, did you forget, have you forgotten, you've forgotten, we were working on, what were we doing, "
    "what were we working, what was i doing, what was i working, where were we, where did we leave, where did we stop, "
    "what were we talking, remember when, "
    "do you remember, don't you remember, as i told you, i already told you, we already discussed, we talked about, "
    "what did we decide, "
    "wo waren wir, was haben wir gemacht, was haben wir gerade, was haben wir zuletzt, was haben wir gestern, was haben wir "
    "besprochen, "
    "was haben wir beschlossen, was haben wir bisher, was hatten wir, du hast vergessen, weißt du noch, erinnerst du dich, "
    "hatte ich dir doch, "
    "hab ich dir doch, habe ich dir doch, woran haben wir, "
    "où en étions nous, où en était on, où on en était, on en était où, on en est où, tu as oublié, t'as oublié, te souviens "
    "tu, tu te souviens, "
    "tu te rappelles, qu'est ce qu'on faisait, on faisait quoi, je te l'ai déjà dit, je t'ai déjà dit, "
    "qué estábamos haciendo, en qué estábamos, dónde estábamos, dónde nos quedamos, en qué quedamos, te olvidaste, te has "
    "olvidado, "
    "se te olvidó, olvidaste, qué hacíamos, recuerdas cuando, te acuerdas, ya te lo dije, ya te lo había dicho, ya te dije, "
    "dove eravamo, hai dimenticato, ti sei dimenticat*, ti ricordi, cosa stavamo facendo, te l'avevo già detto, te l'ho già "
    "detto, "
    "onde paramos, onde a gente parou, você esqueceu, vc esqueceu, já esqueceu, lembra o que, você lembra, lembra do, lembra "
    "da, lembra que, lembra "
    "daquel*, o que a gente tava, o que a gente estava, "
    "o que estávamos, eu já te falei, já te falei, eu já te disse, "
    "waar waren we, waar waren wij, weet je nog, weet u nog, ben je vergeten, je bent vergeten, had ik je al gezegd, heb ik je "
    "al, "
    "na czym skończyliśmy, na czym stanęliśmy, zapomniałeś, zapomniałaś, pamiętasz, co my robiliśmy, co robiliśmy, już ci "
    "mówił*, "
    "на чем мы остановились, где мы остановились, ты забыл, ты забыла, помнишь, что мы делали, я тебе уже говорил*, "
    "тебе уже говорил*, тебе уже сказал*, "
    "на чому ми зупинились, на чому ми зупинилися, ти забув, ти забула, пам'ятаєш, що ми робили, тобі вже казав, тобі вже "
    "казала, "
    "nerede kalmıştık, nerede kaldık, unuttun mu, unuttun yine, hatırlıyor musun, hatırlıyo musun, ne yapıyorduk, "
    "sana söylemiştim, daha önce söylemiştim, sana daha önce, "
    "وين وقفنا, اين توقفنا, فين وقفنا, هل نسيت, انت نسيت, نسيت اللي, نسيت ما قلت, تتذكر, هل تذكر, فاكر, وش كنا نسوي, "
    "ماذا كنا نفعل, كنا بنعمل ايه, قلت لك من قبل, سبق وقلت, "
    "हम कहाँ थे, हम कहां थे, हम क्या कर रहे थे, भूल गए क्या, तुम भूल गए, आप भूल गए, याद है, पहले ही बताया, पहले ही कहा, "
    "hum kahan the, hum kya kar rahe the, bhool gaye kya, tum bhool gaye, aap bhool gaye, yaad hai, pehle hi bola, "
    "pehle hi bataya, mình đang làm gì, mình đang làm đến đâu, đang làm tới đâu, bạn quên, bạn có nhớ, bạn còn nhớ, "
    "mình nói rồi mà, tôi đã nói rồi, kita sampai mana, tadi kita lagi, kita lagi ngapain, kamu lupa, anda lupa, kamu ingat, "
    "masih ingat, kan udah aku bilang, kan sudah saya bilang, udah gue bilang",
    "你忘了 你忘記 是不是忘了 怎么忘了 又忘了 忘记了吗 忘記了嗎 不记得了 不記得了 还记得 還記得 刚才在做什么 我们在做什么 "
    "我們在做什麼 我们刚刚 "
    "我們剛剛 我们之前在 我們之前在 我們本來在 我们本来在 之前说过 之前說過 说到哪 說到哪 聊到哪 讲到哪 講到哪 做到哪 做到哪裡 "
    "忘れた_ 忘れたの 忘れちゃった 忘れました 忘れてない 覚えてる 覚えてます 覚えていま 覚えてない どこまでやった どこまで進 "
    "どこまで話 "
    "何してたん 何をしてた 何やってた 前に話した 前に言った さっき言った 기억나 기억하니 기억하냐 잊었어 잊었니 잊어버렸 "
    "까먹었 어디까지_했 어디까지_하 "
    "뭐_하고_있었 뭐_하던 전에_말했 아까_말했 말했잖아",
)
# The verb may stand far from whom it is said of: “hast du das schon wieder vergessen”.
_FAR = (
    phrases("hast du, vergessen"), phrases("tu as, oublié"), phrases("t'as, oublié"), phrases("ты, забыл"), phrases("ти, забув"),
    phrases("heb je, vergeten"), phrases("ben je, vergeten"), phrases("nhớ, không"),
    phrases("ingat, nggak"), phrases("ingat, gak"),
)  # fmt: skip
_APART = 40  # characters between the two
# Who forgets his password has lost nothing of ours.
_NOT_PAST = (
    "비밀번호를 잊", "パスワードを忘れ", "忘れたパス", "忘れた方", "忘記密碼", "忘记密码", "पासवर्ड भूल", " password bhool",
)  # fmt: skip
_REFERRED = phrases(
    "as we decided, as decided, we decided, as agreed, as we agreed, we agreed, as discussed, as we discussed, like last time, "
    "as last time, last time we, same as last time, the same as before, same way as before, like before, as before, "
    "like we did, the way we did, as usual, the usual way, we used last, we always use, our convention for, "
    "i told you about, i mentioned, we settled on, you remember the, did we decide, did we agree, did we settle, did we choose, "
    "wie besprochen, wie beschlossen, wie vereinbart, wie letztes mal, wie beim letzten mal, wie vorher, wie immer, wie üblich, "
    "hatten wir beschlossen, hatten wir vereinbart, hatten wir entschieden, hatten wir festgelegt, hatten wir besprochen, "
    "hatten wir gesagt, haben wir beschlossen, haben wir vereinbart, haben wir entschieden, haben wir festgelegt, "
    "wir beschlossen hatten, wir beschlossen haben, wir vereinbart hatten, wir vereinbart haben, wir besprochen hatten, "
    "comme convenu, comme décidé, comme la dernière fois, comme avant, comme d'habitude, "
    "avions nous décidé, avons nous décidé, avions nous convenu, avions nous choisi, on avait décidé, on avait dit, "
    "on avait choisi, quel était, quelle était, comment s'appelait, "
    "como acordamos, como decidimos, como la última vez, como antes, como siempre, "
    "habíamos decidido, habíamos acordado, habíamos quedado, cuál era, cual era, cuáles eran, cómo se llamaba, "
    "come deciso, come concordato, come l'ultima volta, come prima, come al solito, "
    "avevamo deciso, avevamo concordato, avevamo scelto, qual era, quali erano, come si chiamava, "
    "como combinamos, como da última vez, como de costume, tínhamos decidido, tínhamos combinado, quais eram, como se chamava, "
    "как решили, как договорились, как в прошлый раз, как раньше, как обычно, мы решили, мы договорились, мы выбрали, "
    "какой был, какая была, какое было, как назывался, как называлась, как звали, "
    "zoals afgesproken, zoals besproken, zoals de vorige keer, net als vorige keer, net als eerst, zoals altijd, hadden we "
    "besloten, "
    "hadden we afgesproken, wat was de, wat was het, hoe heette, "
    "jak ustaliliśmy, jak umówiliśmy, jak ostatnio, jak poprzednio, jak zwykle, ustaliliśmy, jaki to był, jaka to była, jakie "
    "to było, "
    "jak się nazywał*, "
    "як домовились, як домовилися, як вирішили, як минулого разу, як раніше, як завжди, ми вирішили, який був, яка була, яке "
    "було, "
    "як називався, як називалась, "
    "konuştuğumuz gibi, kararlaştırdığımız gibi, geçen seferki gibi, her zamanki gibi, önceki gibi, neydi, hangisiydi, "
    "زي ما اتفقنا, كما اتفقنا, مثل ما اتفقنا, مثل المرة الماضية, زي المرة اللي فاتت, كالعادة, كم كان, ما كان اسم, وش كان, "
    "जैसा तय हुआ, जैसे तय हुआ, पिछली बार की तरह, पहले की तरह, हमने तय किया, क्या था, क्या थी, "
    "jaisa decide hua, jaisa tay hua, pichli baar ki tarah, pehle jaisa, kya tha, kya thi, "
    "như đã thống nhất, như đã bàn, như lần trước, như cũ, như mọi khi, là bao nhiêu ấy, ấy nhỉ, hồi nãy là, "
    "sesuai kesepakatan, seperti yang disepakati, kayak kemarin, seperti kemarin, seperti biasa, seperti sebelumnya, "
    "berapa ya tadi, apa ya tadi, tadi berapa, tadi apa, "
    "정한 대로, 결정한 대로",
    "像上次 跟上次一样 和上次一样 按之前 像之前 我们决定的 说好的 照旧 老样子 之前定的 之前我们决定 我们之前决定 之前决定 "
    "照之前 照說好的 說好的 跟上次一樣 和上次一樣 像之前 我們決定的 之前我們決定 我們之前決定 之前決定 "
    "之前我们选 我们之前选 之前我们定 我们之前定 之前约定 之前商量 上次决定 当时决定 前回と同じ 前回のように いつものように "
    "決めたように 決めた通り いつも通り この前と同じ 前と同じ 지난번처럼 전처럼 평소처럼 저번처럼 하던_대로 정했던_대로",
)
# A question about something that was known once: it ends so, and asks so. In some languages the verb's ending alone says it.
_AGAIN = phrases("again, nochmal, noch mal, nochmals, noch gleich, doch gleich, déjà, otra vez, mesmo, ook alweer, ook weer")
_ASKED = phrases(
    "what was, what were, which was, what is, what's, what are, where was, where is, when was, when is, who was, who is, "
    "how did we, how do we, which one was, "
    "wie war, was war, wer war, wann war, wo war, wie hieß, wie hiess, wie heißt, wie lautete, wie lautet, was ist, wer ist, "
    "wann ist, wo ist, quel est, quelle est, c'était quoi, c'est quoi, qui était, quand était, où était, comment s'appelle, "
    "wat was, wat is, wie was, wanneer was, waar was, "
    "cuál es, cómo se llama, cuándo era, quién era, qual é, quando é, quando era, quem era, como é"
)
_SAID_AGAIN = ("来着", "來著", "來着", "っけ", "였지", "이었지", "었지", "였더라", "었더라", "했더라", "했었지", "기로 했지")
_BY_NAME = phrases("remember the, remember our, remember my, remember that, remember how we, recall the, recall our, remind me")
# What asks, or only holds a sentence together: it names nothing. English has its own list, where a question is taken apart.
_SMALL = frozenset(
    """der die das den dem des ein eine einen einem für von vom im am welche welcher welches welchen wie was wer wann wo wir
    le la les l' un une du de des quel quelle quels quelles el los las del una cuál cual qué cómo cuándo quién dónde para
    il lo gli della dello di da do dos das o os as um uma quale qual quali quais come quando chi dove quem onde nous on
    какой какая какое какие что кто где когда там de het een van voor wat wie waar welke to jaki jaka jakie co kto gdzie
    який яка яке що хто де коли ne neydi hangi kim كم كان ما من وين क्या था कौन कहाँ kya tha kaun kahan là gì nào apa berapa siapa
    mana ya nya""".split()  # noqa: SIM905
)
_ASKING = ("是多少", "是什么", "是哪个", "是哪里", "是谁", "叫什么", "在哪里", "在哪", "用哪个", "选哪个", "多少", "什么", "哪个",
           "何だ", "何でした", "だった", "どれ", "どの", "뭐", "무엇", "어떤")  # fmt: skip
_ENDS = (". ", "! ", "? ", "; ", "\n", "。", "！", "？", "；")


def asks_for_the_past(text: str) -> bool:
    """A person who misses something that was said or done before: a sign that the context was lost, whatever the host says."""
    heard = spoken(text[:_LOOKED_AT])
    if not any(phrase in heard for phrase in _THE_PAST):
        return any(0 < heard.find(last, heard.find(first)) - heard.find(first) < _APART for first, last in _FAR if first in heard)
    return not any(phrase in heard for phrase in _NOT_PAST)


def refers_to_memory(text: str) -> bool:
    """A person who means something from before by its name: “as we decided”, “what was the port again”, “like last time”."""
    heard = spoken(text[:_LOOKED_AT])
    if any(phrase in heard for phrase in (*_REFERRED, *_BY_NAME)):
        return True
    return asks_again(text)


def asks_again(text: str) -> bool:
    """A question for something that was known once, told by its last sentence: “when was the deadline again?”, and not “what is
    wrong? run it again”.
    """
    text = text[:_LOOKED_AT].rstrip(" \t\r\n?!.？！。")
    last = spoken(text[max(text.rfind(end) + len(end) for end in _ENDS if end in text) if any(map(text.count, _ENDS)) else 0 :])
    return last.rstrip().endswith(_SAID_AGAIN) or (last.endswith(_AGAIN) and any(phrase in last for phrase in _ASKED))


def without_the_asking(text: str) -> str:
    """The words of a prompt without those that only refer: what is left names the thing."""
    heard = spoken(text[:_LOOKED_AT])
    for phrase in sorted((*_REFERRED, *_BY_NAME, *_ASKED, *_AGAIN, *_SAID_AGAIN, *_ASKING), key=len, reverse=True):
        heard = heard.replace(phrase, " ")
    return " ".join(word for word in heard.split() if word not in _SMALL)
