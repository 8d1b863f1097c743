"""What is meant to last, in the languages for which lasting.py has no grammar: wishes, what was settled and learnt, what is due,
and what is not to be remembered. All but the heads of lessons look through what `hearing.spoken` gives.

A wish that points at something (“I prefer the second one”) is about that, and no wish for always; what is only supposed, or true
of today alone, is nothing to keep.
"""

from __future__ import annotations

import re

from .hearing import unaccented


def _of(*forms: str) -> re.Pattern[str]:
    return re.compile(unaccented("|".join(forms)))


_THAT = r"(?:to|ten|ta|tamt\S*|drug\S+|pierwsz\S+|цей|це|друг\S+|перш\S+|yang|ini|itu|cái|cách|đó|này)"
WISH = _of(
    r"(?:\A|[ ])(?:od teraz|od tej pory|відтепер|надалі|теперь всегда|bundan sonra|bundan böyle|من الان فصاعدا|من الحين|अब से|"
    r"आगे से|ab se|aage se|"
    r"từ giờ|từ nay|từ bây giờ|mulai sekarang|ke depannya) \S+ \S+",
    r"\A (?:ich mag lieber|ik heb liever) (?!het |den |de |die |das |den |dat )\S+ \S+",
    rf"\A (?:wolę|я надаю перевагу) (?!{_THAT} )\S+ \S+",
    r"\A (?!(?:bunu|şunu|onu|ikinci\S*|birinci\S*) )(?:\S+ ){1,6}tercih eder(?:im|iz) $",
    r"\A (?:انا )?افضل ال\S+ \S+",
    r"\A मुझे (?!(?:यह|ये|वो|वह|दूसर\S*|पहल\S*) )(?:\S+ ){1,6}पसंद हैं? ",
    r"\A mujhe (?!(?:ye|yeh|wo|woh|dusra|pehla) )(?:\S+ ){1,6}pasand hai",
    rf"\A (?:mình|tôi|em|anh) (?:thích|muốn luôn) (?!{_THAT} )\S+ \S+",
    rf"\A (?:aku|saya|gue|gw) lebih suka (?!{_THAT} )\S+ \S+",
    r"(?:我們|我)?(?:以後|今後|往後)[^ ]{0,6}(?:都|一律|要|請|就)",
    r"我(?:比較|更)?(?:喜歡|偏好|習慣)(?!這|那|第|前者|後者)",
    r"\A (?!.*(?:これ|それ|この|その|番目|つ目))\S.*(?:が好きです|が好き|の方が好み\S*) \Z",
    r"(?!.*(?:이거|그거|번째)).*(?:을|를) 선호(?:해|합니다|해요)",
)
SETTLED = _of(
    r"(?<!nie)(?<!ще не)(?<!не)(?<!ما)(?<!لم)(?<!chưa)(?<!belum) (?:zdecydowaliśmy|postanowiliśmy|ustaliliśmy że|ми вирішили|"
    r"decidimos (?:usar|que|no|não|ir|migrar|mantener|manter|quedarnos)|قررنا|اتفقنا على|kami memutuskan|kita memutuskan|"
    r"tim memutuskan|"
    r"kami sepakat|kita sepakat|(?:chúng tôi|chúng ta|team|bọn mình) (?:đã )?quyết định) \S+",
    r" karar verdik ",
    r" हमने (?:\S+ ){1,8}(?:फैसला|फ़ैसला|तय) किया| humne (?:\S+ ){0,8}?(?:decide|tay|faisla) kiya ",
    r"我們(?:已經)?(?:決定|確定|選定)|(?:することにしました|することに決めました|に決定しました|にすることにした)",
    r"(?:우리는|우리|팀은|팀에서) .*(?:기로 (?:결정)?했|결정했)",
)
LESSON = re.compile(
    r"(?i)\A\W*(?:geleerd|les|lekcja|nauczka|wniosek|урок|вывод|висновок|ders|çıkarılan ders|درس|الدرس|सबक|सीख|sabak|bài học|"
    r"pelajaran|"
    r"교훈|教訓|教训)\s*[:：]\s*\S"
)
# Only where one of these stands right before the day, or anywhere in the sentence, is it one by which something is due.
JUST_BEFORE = re.compile(
    r"(?i)(?<!\w)(?:до|do|dnia|até|ate|entro(?: il)?|avant(?: le)?|bis(?: zum)?|antes del?|para el|voor|uiterlijk|قبل|"
    r"trước(?: ngày)?|sebelum|"
    r"paling lambat|не позднее|не пізніше)\s\Z"
)
DUE = re.compile(
    r"(?i)(?<!\w)(?:fällig|faellig|abgabe|abgabetermin|échéance|echeance|à rendre|a rendre|entrega|prazo|plazo|consegna|"
    r"scadenza|oplevering|"
    r"inleveren|termin oddania|termin to|дедлайн|срок|сдать|сдача|здати|здача|teslim|son tarih|التسليم|الموعد النهائي|"
    r"hạn(?: nộp| chót)?|"
    r"tenggat\w*|डेडलाइन|अंतिम तारीख)(?!\w)|納品|締切|납품|제출|要交|提交期限"
)
DUE_AFTER = re.compile(r"\A\s*(?:तक|tak\b|'?[ae]? kadar|'?y?[ae] kadar|까지|までに|まで)")
FORGET = _of(
    r" (?:não|nao) (?:guarda|guarde|salva|anota|memoriza) (?:isso|isto|essa|esse) ",
    r" non (?:salvar(?:lo|la)|ricordar(?:lo|la)|memorizzar(?:lo|la)|(?:salvare|ricordare|memorizzare) (?:questo|questa)) ",
    r" onthoud (?:dit|dat) niet | niet onthouden | merk dir das nicht | bitte nicht abspeichern ",
    r" nie (?:zapamiętuj|zapisuj) (?:sobie )?tego | не (?:запам'ятовуй|зберігай|сохраняй|запоминай) (?:це|цього|это|этого) ",
    r" (?:bunu|şunu) (?:kaydetme|hatırlama|not alma|aklında tutma) ",
    r" لا (?:تحفظ|تتذكر|تسجل|تخزن) (?:هذا|هذه|هذي|ذلك|الكلام) ",
    r" (?:इसे|यह|ये) (?:याद|सेव|नोट) मत (?:रख\S*|कर\S*) | (?:isko|ise|ye|yeh) (?:yaad|save|note) mat (?:rakh\S*|kar\S*) ",
    r" đừng (?:lưu|ghi|nhớ|ghi nhớ) (?:lại )?(?:cái |điều |chuyện )?(?:này|đó) | jangan (?:simpan|ingat|catat|disimpan|"
    r"dicatat) (?:ini|itu) ",
    r"(?:不要|別|不用)(?:記住|記錄|記下|保存|存)|(?:저장|기록)하지 마",
)
GUESS = _of(
    r" (?:misschien|waarschijnlijk|chyba|być może|prawdopodobnie|мабуть|можливо|може|наверно|belki|galiba|sanırım|ربما|يمكن|"
    r"शायद|shayad|có lẽ|"
    r"chắc là|mungkin|kayaknya) |也許|或許|好像|似乎|估計|不確定"
)
MOMENT = _of(
    r" (?:voorlopig|na razie|пока что|поки що|şimdilik|مؤقتا|अभी के लिए|filhal|tạm thời|sementara|per ora|per adesso) |暫時|"
    r"臨時|今天先|這次先"
)
HERE = _of(
    r" (?:tym razem|dzisiaj|dziś|tutaj|цього разу|сьогодні|тут|bu sefer|bugün|burada|هذه المرة|اليوم|هنا|इस बार|आज|यहाँ|"
    r"is baar|aaj|lần này|"
    r"hôm nay|ở đây|kali ini|hari ini|di sini) |這次|這裡|今天"
)
