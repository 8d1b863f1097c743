"""What a short reply means: which of the listed ways it picks, and whether it is only a thanks, a goodbye or a yes. Pure.

“2” says nothing to who has lost the list, and “ok thanks, see you tomorrow” neither asks for something nor answers a question.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ..model import beginning
from .hearing import phrases, spoken

_made = lru_cache(maxsize=None)(re.compile)

# What a message is to a question that is open. An ANSWER is also what a request is where a tool of the host had asked for it.
ANSWER, ASKS_BACK, UNRELATED = "answer", "asks back", "unrelated"
_NAME = "named "  # before the label of an item that is called an option, a step or the like
_REPLY = 200  # characters of a reply that may pick; and of what it picks
_NAMED = (
    r"(?:options?|approach|plan|variante?|choice|number|no\.|#|items?|points?|steps?|opci[oó]n|paso|lösung|nummer|punkt|schritt"
    r"|optie|opzione|op[cç][aã]o|opcj[aęi]|wariant|вариант|варіант|пункт|seçenek|الخيار|رقم|विकल्प|pilihan|nomor|cách|số|옵션"
    r"|方案|选项|選項|步骤|步驟|第|案)"
)
_NAMES = (
    "option", "approach", "plan", "variant", "choice", "number", "no.", "item", "point", "step", "opci", "paso", "lösung",
    "nummer", "punkt", "schritt", "optie", "opzion", "opç", "opcj", "wariant", "вариант", "варіант", "seçenek", "الخيار",
    "विकल्प", "pilihan", "nomor", "cách", "옵션", *"方选選步第案",
)  # fmt: skip
_NUMERALS = str.maketrans("一二三四五六①②③④⑤⑥", "123456123456")
_LABELS = tuple("123456789abcdefgh一二三四五六①②③④⑤⑥")
# A line that begins an item: `2. …`, `- **B)** …`, `### Option 2: …`, `方案二：…`, `② …`.
_ITEM = (
    rf"(?im)^[ \t>#*_|-]{{0,8}}(?P<name>{_NAMED}[ \t]{{0,2}})?"
    r"(?:([①-⑥])|([1-9]\d?|[A-H一二三四五六])(?:[.):：、．]|\*\*|[ \t][-–—:|]))[*_ \t]{0,4}(?=\S)"
)
_PLEASE = (
    r"please|pls|plz|plis|thanks|thx|bitte|danke|stp|svp|merci|por ?fa(?:vor)?|gracias|por gentileza|per favore|grazie|graag|"
    r"maar|"
    r"poproszę|proszę|пожалуйста|плиз|будь ласка|lütfen|nhé|đi|aja|saja|dong|wala|wali|karo|va bene"
)
_PICKS = (
    rf"(?:for|then|and|or|but|now|it|is|looks|seems|sounds|with|first|instead|too|und|ist|klingt|zuerst|"
    rf"por|y|primero|et|puis|d'abord|{_PLEASE})\b"
)
# What stands behind a number that is a label, in scripts whose words may begin right there: “2번으로”, “2でお願い”, “2-й”.
_PARTICLES = (
    r"번|로 |으로|가(?!지)|이 좋|은 |는 |番|つ目|で|を|が|に|の|案|号|號|吧|好了|好|可以|就|行|比|更|那|這|这|也|和|或|是|然后|"
    r"然後|的|方案|वाल|-?[йяюе]\b|"
    r"-?(?:ой|ий|ый|ая|ое|ую|га|ше)\b|(?:пожалуйста|плиз|будь ласка|и|или|й|та|або|лучше|кращ\w+|أفضل|و|من فضلك|لو سمحت)\b"
)
# A label alone, behind which stands no thing that it counts: “2 for now”, “B吧”, and not “2 commits” or “2 теста”.
_LABEL = (
    rf"(?i:({_NAMED})[ \t]{{0,2}})?(?<![A-Za-z0-9_.:/$€-])([1-9]\d?|[A-Ha-h])(?![A-Za-z0-9_%°€$'’]|[.:/,-]\d)"
    rf"(?=\s*(?:$|[^\w\s]|{_PICKS}|{_PARTICLES}))"
)
# Who numbers what they say answers that many questions, and picks none of them: “1. yes, 2. left”.
_OWN_LIST = r"(?<![\w.])(?:[1-9]|[A-Ha-h])[.):：][ \t]+(?=[^\s\d])"
_ORDINAL = (
    r"(?i)(?<!\w)(?:"
    r"(first|erste[nrs]?|primer[oa]?|premi[eè]re?|eerste|primeir[oa]|la prima|il primo|pierwsz[aąyeo]\w{0,2}|перв(?:ый|ая|ую|ое)|"
    r"перш(?:ий|а|у|е)|birinci\w*|الأولى?|الاولى?|पहल[ाीे]|pehl[ai]|thứ nhất|đầu tiên|pertama|첫 ?번째|一番目|一つ目|1つ目|1番目)"
    r"|(second|zweite[nrs]?|segund[oa]|deuxième|deuxieme|tweede|second[ao]|drug(?:a|ą|i|ie|ą|iej|iego)|втор(?:ой|ая|ую|ое)|"
    r"друг(?:ий|а|у|е)|ikinci\w*|الثانية?|الثانيه|दूसर[ाीे]|d(?:u|oo)sr[ai]|thứ hai|thứ 2|kedua|두 ?번째|二番目?|二つ目|2つ目|"
    r"2番目)"
    r"|(third|dritte[nrs]?|tercer[oa]?|troisième|troisieme|derde|terceir[oa]|terz[oa]|trzeci[aąe]?|трет(?:ий|ья|ью|ье)|"
    r"трет(?:ій|я|ю|є)|üçüncü\w*|ucuncu\w*|الثالثة?|الثالثه|तीसर[ाीे]|teesr[ai]|thứ ba|thứ 3|ketiga|세 ?번째|三番目?|三つ目|"
    r"3つ目|3番目)"
    r"|(fourth|vierte[nrs]?|cuart[oa]|quatrième|quatrieme|vierde|quart[oa]|czwart[aąye]|четв[её]рт(?:ый|ая|ую|ое)|"
    r"четверт(?:ий|а|у|е)|dördüncü\w*|الرابعة?|चौथ[ाीे]|thứ tư|keempat|네 ?번째|四番目?|四つ目|4つ目|4番目))"
    r"(?=\s*(?:$|[^\w\s]|[가로이으でがを]|(?:one|option|approach|way|choice|variante?|opción|solution|optie|opzione|opção|"
    r"opcja|opcję|"
    rf"wariant|вариант|варіант|seçenek|olan|वाल|좋|{_PLEASE})))"
    r"|(?:第|方案|选|選)(?:(一)|(二)|(三)|(四))"
)

# What has a number of its own, in a host or a forge: “[Image #2]”, “PR #3”. It is no item of the list.
_NUMBERED = (
    r"(?i)\[[a-z][^\[\]\n]{0,40}#\d+[^\[\]\n]{0,40}\]"
    r"|\b(?:prs?|mrs?|pull requests?|merge requests?|issues?|tickets?|bugs?) ?#\d+"
)
_HOW_MANY = frozenset("all alle tutti tutte todos todas tous toutes todo these those other last first top next все".split())  # noqa: SIM905
_COUNTED = ("个", "個", "种", "種", "条", "條", "项", "項", "件", "つ", "개", "가지")  # behind a number: so many of them
_COUNTS = r"(?:ly|ens|ement)?\s*[,:，：、]\s*(?!(?:please|pls|thanks|bitte|danke|por favor|s'il)\b)\w"


def picked(reply: str, said: str) -> str:
    """The items of a list in what was said that a short reply names by their numbers or letters; empty where it names none."""
    if len(reply) > _REPLY or not _may_list(said) or len(_made(_OWN_LIST).findall(reply)) > 1:
        return ""
    if "#" in reply:
        reply = _made(_NUMBERED).sub(" ", reply)
    wanted = [(found[2].upper(), bool(found[1])) for found in _made(_LABEL).finditer(reply) if _is_label(reply, found, said)]
    for found in _made(_ORDINAL).finditer(reply) if not wanted else ():  # “2 first”: before the others
        if _counts_off(reply, found):
            continue
        wanted.append((str(((found.lastindex or 1) - 1) % 4 + 1), False))
    items = _items(said) if wanted else {}
    # “Option 2” is the one that is called so, wherever another list has a number 2.
    meant = (named * _NAME + label if named * _NAME + label in items else label for label, named in wanted)
    shown = [f"{label.removeprefix(_NAME)}: “{items[label]}”" for label in dict.fromkeys(meant) if label in items]
    return "; ".join(shown[:3])


def _is_label(reply: str, label: re.Match[str], said: str) -> bool:
    """Whether a label of a list is meant, and not the number of something that was spoken of: “Commit 2 is irrelevant”."""
    if label[1]:
        return True
    before = reply[: label.start(2)].split()
    called = f"{before[-1]} {label[2]}".casefold() if before and before[-1].isalpha() else ""
    return _stands_alone(reply, label) and not (called and _made(rf"\b{called}\b(?![.)]\s)").search(said.casefold()))


def _stands_alone(reply: str, label: re.Match[str]) -> bool:
    """Whether a label may be meant that no word calls one: “let's do 2”, and not the number of something, “under Heading 2”."""
    if label[2].islower() and len(reply) >= 4:
        return False
    before = reply[: label.start(2)].rpartition("\n")[2].split()
    if (before and before[-1].lower() in _HOW_MANY) or reply[label.end(2) :].lstrip().removeprefix("つ目").startswith(_COUNTED):
        return False
    return not (before[1:] and before[-1].isalpha() and before[-1].istitle())


def _counts_off(reply: str, ordinal: re.Match[str]) -> bool:
    """Whether an ordinal only counts what a person says: “First, the tests. Second, how do I …”, and not “the second, please”."""
    before = reply[: ordinal.start()].rstrip(" \t*_-")
    return bool(_made(_COUNTS).match(reply, ordinal.end())) and (not before or before[-1] in ".!?:;,\n。！？；：，、)")


def _may_list(said: str) -> bool:
    """Whether some lines begin as items do: a question to each request, which must not compile all of the above."""
    heads = (line.lstrip(" \t>#*_|-")[:9].lower() for line in said[-20_000:].split("\n"))
    return sum(head.startswith(_NAMES) or (head.startswith(_LABELS) and not head[1:2].isalpha()) for head in heads) > 1


def _items(said: str) -> dict[str, str]:
    """Label → item, of the last list that has it, where there are several to choose from; of those with a name, by that too."""
    found: dict[str, str] = {}
    marks = list(_made(_ITEM).finditer(said[-20_000:]))
    for mark, after in zip(marks, [*marks[1:], None], strict=False):
        whole = said[-20_000:][mark.end() : after.start() if after else None]
        line = " ".join(whole.split("\n\n", 1)[0].replace("**", "").split())
        label = (mark[2] or mark[3]).upper().translate(_NUMERALS)
        shown = line if len(line) <= _REPLY else beginning(line, _REPLY - 1).rstrip() + "…"
        found |= {label: shown, _NAME + label: shown} if mark["name"] else {label: shown}
    return found if len({label.removeprefix(_NAME) for label in found}) > 1 else {}


_THANKS = phrases(
    "thanks, thank you, thank u, thx, ty, cheers, danke, danke dir, vielen dank, merci, gracias, obrigado, obrigada, valeu, "
    "grazie, "
    "bedankt, dankjewel, dank je, dzięki, dziękuję, спасибо, спс, благодарю, дякую, teşekkürler, teşekkür ederim, sağol, sağ ol, "
    "eline sağlık, شكرا, مشكور, يعطيك العافية, धन्यवाद, शुक्रिया, shukriya, cảm ơn, cám ơn, terima kasih, makasih, "
    "bye, goodbye, good night, see you, see ya, cya, tschüss, bis morgen, bis später, bis dann, gute nacht, schönen feierabend, "
    "schönen abend, hasta mañana, hasta luego, nos vemos, buenas noches, adiós, à demain, au revoir, à bientôt, bonne soirée, "
    "bonne nuit, até amanhã, até mais, boa noite, bom descanso, tot morgen, fijne avond, a domani, buona serata, buona notte, "
    "do jutra, miłego wieczoru, dobranoc, до завтра, пока, на сегодня всё, на сьогодні все, yarın görüşürüz, görüşürüz, iyi "
    "geceler, "
    "أشوفك بكرة, الى اللقاء, تصبح على خير, कल मिलते हैं, kal milte hain, mai gặp, hẹn gặp lại, sampai besok, sampai jumpa"
)
_BYE = _THANKS[_THANKS.index(" bye ") :]
_UNSPACED = (
    "谢谢", "多谢", "感谢", "辛苦了", "謝謝", "多謝", "感謝", "ありがとうございました", "ありがとうございます", "ありがとう",
    "助かりました", "お疲れ様でした", "お疲れ様です", "감사합니다", "고맙습니다", "고마워요", "고마워", "수고하셨습니다",
    "수고하셨어요", "수고했어",
)  # fmt: skip
_BYE_UNSPACED = (
    "今天先到这里", "今天就到这里", "先到这里", "先到這裡", "再见", "再見", "明天见", "明天見", "晚安", "拜拜", "先这样",
    "先這樣", "また明日",
    "おやすみなさい", "내일 봐요", "내일 봐",
)  # fmt: skip
_AROUND = frozenset(
    spoken(
        "ok okay great nice perfect cool awesome super very much a lot so for now that's that is it all good well done you see "
        "ya "
        "have one day night evening weekend today tomorrow later again then until prima toll gut sehr vielen dank alles klar bis "
        "morgen später dann dir ihnen mega klasse top bien parfait super beaucoup bcp mille muy muchas mil muito mesmo mille "
        "tante "
        "hasta mañana luego crack hoor wielkie bardzo большое огромное дуже çok bhai yaar bahut बहुत जी nhiều nhé banyak ya"
    ).split()
)
_AROUND_UNSPACED = r"[\W好的了啊先今天就到这里這裡呀哦啦你您嗯ねよ]*"


@lru_cache(maxsize=64)
def is_courtesy(text: str) -> bool:
    """Whether a message is a thanks or a goodbye and nothing else."""
    if len(text) > 80 or "?" in text or "？" in text:
        return False
    rest = text
    for word in (*_UNSPACED, *_BYE_UNSPACED):
        rest = rest.replace(word, "")
    if rest != text:
        return bool(_made(_AROUND_UNSPACED).fullmatch(rest))
    words = spoken(text)
    if not any(phrase in words for phrase in _THANKS):
        return False
    for phrase in _THANKS:
        words = words.replace(phrase, "  ")
    return _AROUND.issuperset(words.split())


_GREETS = frozenset(
    spoken(
        "hi hii hey heya hello howdy yo hallo moin servus hej salut bonjour coucou hola buenas buenos días tardes olá oi ciao "
        "buongiorno hoi cześć привет здравствуйте привіт merhaba selam مرحبا नमस्ते namaste chào halo there all team again good "
        "morning afternoon evening guten tag abend claude codex gemini"
    ).split()
)
_GREETS_UNSPACED = ("你好", "您好", "哈囉", "こんにちは", "おはようございます", "안녕하세요", "안녕")


_HOUSEKEEPING = frozenset(
    """add-dir agents big-memory bug clear commands compact compress config context cost copy directory diff doctor editor
    effort exit export fast feedback fork help holdfast hooks ide login logout mcp memory model models new permissions plugin
    privacy quit rename reset restart restore resume rewind session settings stats status statusline stop tasks terminal-setup
    theme think tools undo usage verbose vim whoami""".split()  # noqa: SIM905
)


def is_step(text: str) -> bool:
    """Return whether a message is only a step on the way: a yes, a no, thanks, or a command to the host itself."""
    text = text.strip()
    if text.startswith("/"):
        return text[1:].casefold() in _HOUSEKEEPING
    return not asks_something(text) or is_bare_refusal(text)


def asks_something(text: str) -> bool:
    """Whether a request says what it wants: a greeting does not, nor a yes to what came before, nor a command's bare name."""
    text = text.strip()
    if len(text) > 60:
        return True
    greets = _GREETS.issuperset(spoken(text).split()) or text.strip(" !！,，。.~") in _GREETS_UNSPACED
    bare = text.startswith("/") and " " not in text and "\n" not in text
    return not (greets or bare or agrees(text, "") or is_courtesy(text))


# What agrees by itself, in the languages that people write.
_YES = frozenset(
    spoken(
        "yes yep yeah yup ok okay okey sure correct right exactly indeed good great perfect fine continue proceed lgtm "
        "approved approve "
        "agreed absolutely definitely totally alright go "
        "ja jo jep jup joa jawohl genau stimmt passt richtig gut gerne gern klar einverstanden perfekt weiter mach machen "
        "sí si correcto exacto adelante vale claro dale perfecto bueno oui ouais ouaip exact d'accord parfait ça vas "
        "sim certo beleza blz pode isso claro bora fechado sì certo perfetto procedi bene vai goed prima akkoord doe "
        "tak jasne dobra dobrze dawaj ok pewnie да ага угу ок окей давай хорошо конечно верно продолжай согласен согласна "
        "поехали делай "
        "так добре звісно давай гаразд роби згоден evet olur tamam aynen peki tabii tabi yap devam "
        "نعم ايوه ايوا اي تمام اوكي اوك ماشي موافق اكيد طيب كمل हाँ हां जी ठीक बिल्कुल सही करो haan han theek thik sahi "
        "bilkul chalega "
        "ừ ừm được đồng vâng dạ ya iya boleh oke sip siap silakan setuju lanjut gas"
    ).split()
)
_CONFIRMS = _YES.union(
    spoken(
        "matches match please on ahead carry keep going that's that it is this looks look does all do so still and thanks thank "
        "you bitte weitermachen danke continua sigue c'est ça y"
    ).split()
)
_CONFIRMS_UNSPACED = (
    r"(?:\W|是的|是|对的|对|對的|對|好的|好|没错|沒錯|没问题|沒問題|可以|继续|繼續|吧|请|請|嗯|はい|ええ|うん|そうです|"
    r"合っています|続けてください|続けて"
    r"|お願いします|네|넵|응|맞아요|맞아|계속|해주세요|해줘)+"
)


def is_confirmation(text: str) -> bool:
    """Whether a reply says yes, go on, and nothing else."""
    if len(text) > 80 or "?" in text:
        return False
    words = spoken(text).split()
    return (bool(words) and _CONFIRMS.issuperset(words)) or bool(_made(_CONFIRMS_UNSPACED).fullmatch(text))


# And what is said beside it.
_AGREES = _CONFIRMS.union(
    spoken(
        "start begin sounds works for me let's lets of course ship now with the plan a i we to cool nice das es los leg klingt "
        "wir wir's bon allez mandar lütfen graag so gut ruhig nur zu tu hazlo así porfa favor marche va bien fais le ser manda "
        "ver fazer faz isso com certeza fallo fai "
        "così maar hoor is ga je gang rób może być śmiało делай так можно отлично нормально роби можна чудово et olsun "
        "सही है कर दो दीजिए करिए करो जी kar do karo hai kardo do ha haa bhai yaar làm đi luôn bạn nhé ý đúng rồi silahkan aja "
        "saja "
        "kerjakan "
        "سويها اعملها نفذ ابدا حسنا على بركة الله تفضل plis pls"
    ).split()
)
_AGREES_UNSPACED = (
    r"(?i)(?:\W|ok|okay|go|yes|的|是|对|對|好|没错|沒錯|没问题|沒問題|可以|继续|繼續|开始|開始|同意|就这样|就這樣|这样|這樣|行|"
    r"嗯|吧|请|請|做|执行|執行|改|弄|搞|来|來|啊|呀|啦"
    r"|那|就|麻烦|麻煩|了|你|はい|ええ|うん|了解|です|いいよ|いいね|それでいいです|それで|お願いします|お願い|進めてください|"
    r"進めて|やってください"
    r"|ね|よ|ぜひ|네|넵|넹|예|응|웅|ㅇㅇ|ㅇㅋ|ㄱㄱ|고고|좋아요|좋아|좋습니다|그래요|그래|그렇게|진행해주세요|진행해줘|진행|"
    r"해주세요|해줘|해|부탁해요|부탁해|부탁드립니다)+"
)
# A yes that has a no in it.
_FINE = (
    r"(?i)no problem|kein problem|pas de (?:souci|problème|probleme)|sin problemas?|sem problemas?|nessun problema|geen probleem|"
    r"nie ma sprawy|no dobra|без проблем|нет проблем|sorun (?:yok|değil)|مافي مشكلة|لا مشكلة|không sao|(?:tidak|gak|"
    r"nggak) masalah|doe maar|"
    r"ga maar|没问题|沒問題|問題ありません|問題ないです|문제 ?없어요?"
)
_THUMBS = ("👍", "👌", "✅", "🆗")


def agrees(text: str, to: str) -> bool:
    """Whether a reply says yes to something and nothing else: each of its words is one of agreement, or one of the proposal's,
    and one of them says yes by itself, where there is a proposal.
    """
    if len(text) > 80 or "?" in text or "？" in text or "؟" in text:
        return False
    text = without_fine(text)
    words = set(spoken(text).split())
    if not words:
        return any(thumb in text for thumb in _THUMBS)
    if (words <= _AGREES and not to) or (words & _YES and words <= _AGREES.union(spoken(to).split())):
        return True
    return bool(_made(_AGREES_UNSPACED).fullmatch(text))


def without_fine(text: str) -> str:
    """A text in which a yes that has a no in it is one without."""
    return _made(_FINE).sub("ok", text) if len(text) <= 80 else text


_REFUSED = phrases(
    "nope, nah, no thanks, no thank you, no need, not now, leave it, nein, nee, ne danke, ne lass, ne brauch*, lass mal, "
    "nicht nötig, brauchts nicht, non merci, non c'est bon, pas la peine, pas besoin, no gracias, mejor no, no hace falta, "
    "déjalo, "
    "não precisa, não obrigad*, deixa quieto, deixa pra lá, no grazie, no lascia, lascia stare, non serve, laat maar, hoeft "
    "niet, "
    "niet nodig, nie dzięki, nie trzeba, nie zostaw, нет, не надо, не нужно, не стоит, не спасибо, ні, не треба, не варто, "
    "hayır, "
    "gerek yok, boşver, yok kalsın, kalsın, لا شكرا, لا ما يحتاج, مو لازم, مش لازم, ما يحتاج, रहने दो, छोड़ो, नहीं रहने, "
    "ज़रूरत नहीं, nahi rehne, nahi zaroorat, rehne do, chhodo, chodo, không cần, thôi, khỏi, tidak perlu, nggak usah, gak usah, "
    "ga usah, gausah, tidak usah, gak jadi, ga jadi, nggak jadi"
)
_REFUSED_UNSPACED = (
    "不用", "不要", "不必", "不了", "算了", "先不", "先别", "先別", "暂时不", "暫時不", "いいえ", "いえ", "いや", "結構です",
    "大丈夫です", "やめて",
    "아니", "아뇨", "됐어", "괜찮", "안 해도", "필요 없",
)  # fmt: skip
_NO_ALONE = r"(?i)\W*(?:no|nö|non|não|nao|ne|nie|не|لا|नहीं|nahi|nahin|không|tidak|nggak|gak|不)\s*(?:[,.;:!،，。！–—-]|\Z)"


def refuses(text: str) -> bool:
    """A short answer that begins with a no. In many languages that word is “not” as well, and answers only by itself."""
    if len(text) >= 80 or any(mark in text for mark in "?？؟"):
        return False
    text = without_fine(text)
    if text.startswith(_REFUSED_UNSPACED) and not text.startswith("아니면"):
        return True
    return spoken(text).startswith(_REFUSED) or bool(_made(_NO_ALONE).match(text))


def is_no_alone(text: str) -> bool:
    """Whether a reply in a script without spaces is a no, and nothing else."""
    return text.strip(" 了吧啊呀的、，。！!.") in _REFUSED_UNSPACED


_BARE_NO = frozenset(
    spoken(
        "no nope nah not now yet thanks thank you need leave it for that's ok okay please don't do so nein nee ne danke nicht "
        "jetzt nötig lass mal non merci pas la peine maintenant no gracias ahora não nao obrigado obrigada agora grazie nie "
        "dzięki нет не надо спасибо hayır gerek yok لا شكرا नहीं không cần tidak usah perlu"
    ).split()
)


def is_bare_refusal(text: str) -> bool:
    """Return whether a reply says no and nothing else: “no, not now”, and not “no, use tabs”."""
    if len(text) > 40 or not refuses(text):
        return False
    words = spoken(text).split()
    return _BARE_NO.issuperset(words) or is_no_alone(text) or (len(words) == 1 and len(text) <= 5)


def is_goodbye(text: str) -> bool:
    """Whether a courtesy ends the talk: it answers no question."""
    return any(phrase in spoken(text) for phrase in _BYE) or any(word in text for word in _BYE_UNSPACED)


_SHORT_REPLY = 60  # characters: a message so short that asks nothing is an answer, whatever its words are
_HOLDS_TOGETHER = frozenset(
    """about after again also another because been before being could does doing done each even every from give going have
    having here into just keep know like look made make many more most much need only other over please really same shall
    should show some something such sure take tell than that their them then there these they thing things think this those
    through time very want well were what when where which while will with would your yours""".split()  # noqa: SIM905
)


def judge_reply(text: str, question: str) -> str:
    """Judge what a message is to an open question: its ANSWER, a question that ASKS_BACK, or UNRELATED.

    A yes, a no, a choice, a short statement and whatever shares a word with the question may answer it. A short question,
    or one that shares a word with it, asks back; a long message that shares none is about something else.
    """
    if agrees(text, question) or refuses(text) or _begins_with_verdict(text):
        return ANSWER
    shares = shares_words(text, question)
    if text.rstrip(" )\"'”’）」*_`").endswith(("?", "？", "؟")):
        return ASKS_BACK if shares or len(text) <= _SHORT_REPLY else UNRELATED
    return ANSWER if shares or len(text) <= _SHORT_REPLY else UNRELATED


def _begins_with_verdict(text: str) -> bool:
    """Return whether a message begins with a word that says yes or no by itself."""
    words = spoken(text[:80]).split()
    return bool(words) and (words[0] in _YES or words[0] in ("no", "not", "non", "nein", "nope", "não", "нет", "لا"))


def picks_option(text: str, question: str) -> bool:
    """Return whether a reply only repeats one of the ways between which a question asks: “brass” of “brass or steel?”."""
    from .signs import is_choice

    words = spoken(text).split()
    return bool(words) and is_choice(question) and set(words) <= set(spoken(question).split()) | _AROUND_A_PICK


_AROUND_A_PICK = frozenset(
    "the a one please take use i prefer let's lets go with die den das bitte nimm le la el lo".split()  # noqa: SIM905
)


def shares_words(text: str, other: str) -> bool:
    """Return whether two texts share a word that names something; in scripts without spaces, two letters in a row."""
    return not _naming_words(text).isdisjoint(_naming_words(other))


def _naming_words(text: str) -> set[str]:
    found: set[str] = set()
    for word in spoken(text[:4000]).split():
        if word[0] >= "\u2e80":
            found.update(word[at : at + 2] for at in range(len(word) - 1))
        elif (len(word) > 3 and word not in _HOLDS_TOGETHER) or word[0].isdigit():
            found.add(word[: 4 if len(word) <= 6 else 6])  # “flat” and “flats” are one
    return found
