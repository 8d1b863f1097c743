"""How people set the course of a work in the languages that they write it in: what always does, what does unless it only says
how things are, and what does by its form.

English says “don't” to forbid and “doesn't work” to report. In most languages the same word does both (“nicht”, “pas”, “не”),
and a report of a bug is no order. So there are three lists, and signs.py asks them in turn:

    COURSE   words that demand, forbid or replace wherever they stand
    UNLESS   words that do so unless what is said of how things are has them: (words, what is taken out of the text before)
    FORMS    languages that have a form for it, such as the Spanish subjunctive behind “no”: (what is in every text that has it,
             the form)

Rule: all expressions look through what `hearing.spoken` gives: lower case, no accents, no marks, one space around each word. Each
is compiled only for a text that has one of its words.
"""

from __future__ import annotations

from .hearing import phrases

COURSE = (
    "don't, dont, do not, never, always, instead, actually, must, mustn't, should, shouldn't, rather, wrong, "
    "not what, stop, only use, prefer, no need, avoid, revert, undo, make sure, be sure, alone, at most, "
    "no more than, without touching, without changing, without breaking, without using, without adding, without modifying, "
    "without removing, without deleting, without renaming, without asking, "
    # German
    "niemals, statt, stattdessen, anstatt, anstelle, sondern, höchstens, mindestens, beibehalten, achte, bitte nicht, bitte "
    "kein, "
    "bitte keine, bitte keinen, bitte nur, auf keinen fall, unter keinen umständen, bloß nicht, so nicht, nicht so, nicht "
    "was ich, "
    "stimmt nicht, nicht richtig, finger weg, in ruhe, ich meinte, ich meine, gemeint war, vor jedem, nach jedem, bei jedem, "
    "ausschließlich, lass die finger, bevor ich, erst wenn ich, ohne rückfrage, ohne zu fragen, "
    "das war falsch, ich wollte den, ich wollte die, ich wollte das, "
    # French
    "que je voulais, je voulais que, je voulais le, je voulais la, garde, gardez, que quand je, quand je te le dis, "
    "plutôt, au lieu de, à la place de, surtout pas, il faut, faut pas, sans toucher, sans changer, sans modifier, sans "
    "casser, "
    "sans utiliser, sans demander, je parlais de, je parlais du, je voulais dire, pas ça, pas comme ça, pas ce que j'ai, "
    "pas ce que je, sans push, sans commit, évite, "
    "interdit, uniquement, n'oublie pas, "
    # Spanish
    "en vez de, en lugar de, sin tocar, sin cambiar, sin modificar, sin romper, sin usar, sin borrar, sin preguntar, sin "
    "push, sin commit, sin merge, asegúrate, "
    "mantén, me refería, quise decir, quería decir, como está, como están, como estaba, como estaban, ni se te ocurra, no se "
    "te ocurra, evita, "
    "únicamente, "
    "no debes, no quiero que, hay que, tiene que, tienen que, "
    "era el otro, era la otra, hasta que te, hasta que yo, cuando te diga, cuando yo diga, "
    # Portuguese
    "era o outro, era a outra, quando eu mandar, quando eu disser, quando eu falar, mantém, "
    "em vez de, ao invés de, sem tocar, sem mexer, sem alterar, sem mudar, sem usar, sem perguntar, sem push, sem commit, "
    "quis dizer, tava falando, "
    "estava falando, deixa quieto, deixa quieta, quietas, quietos, não é pra, não é para, e não, apenas, somente, nem pense, "
    # Italian
    "invece di, al posto di, senza toccare, senza modificare, senza cambiare, senza usare, senza chiedere, senza push, "
    "senza commit, intendevo, "
    "volevo dire, lascia stare, non devi, soltanto, e non, "
    "mantieni, quando te lo dico, "
    # Dutch
    "in plaats van, ik bedoelde, ik bedoel, met rust, blijf van, blijf af, afblijven, zonder te vragen, zonder push, zonder "
    "commit, liever, mag niet, "
    "mag niks, mag geen, mag je niet, "
    # Polish
    "zamiast, a nie, chodziło mi, miałem na myśli, miałam na myśli, w spokoju, bez pytania, bez commit*, bez push*, nie "
    "wolno, wyłącznie, koniecznie, "
    "zostaw, raczej, "
    "dopiero jak, dopiero gdy, dopiero kiedy, "
    # Russian and Ukrainian
    "только когда я, тільки коли я, лише коли я, оставь, залиш, "
    "нельзя, вместо, а не, имел в виду, имела в виду, я про, без спроса, без коммит*, без пуш*, без коміт*, пока я не, ни в "
    "коем случае, обязательно, "
    "не хочу, должен, должна, должно, должны, замість, мав на увазі, мала на увазі, не можна, поки я не, без дозволу, "
    "ні в якому разі, обов'язково, не хочу щоб, "
    # Turkish
    "yerine, asla, sakın, kastettim, demek istedim, sormadan, haberim olmadan, lazım, zorunda, dokunmadan, değiştirmeden, "
    "olduğu gibi, aynı kalsın, "
    # Arabic
    "ممنوع, بدل, بدلا من, عوضا عن, وليس, قصدت, اقصد, قصدي, كما هي, كما هو, زي ما هو, زي ما هي, بدون ما, يجب, ابدا, اياك, "
    # Hindi, in both scripts
    "मत, न करें, ना करें, न करना, न करो, की जगह, के बजाय, की बजाय, मेरा मतलब, बिना पूछे, बिना बताए, ज़रूर, चाहिए, "
    "mat karo, mat karna, mat kar, mat kijiye, mat chhed*, mat ched*, mat hata*, mat badal*, mat lagana, mat likh*, mat use, "
    "mat chhu*, bina pooche, bina puche, bina bataye, mera matlab, ki jagah, ke bajaye, "
    # Vietnamese
    "đừng, không được, cấm, tuyệt đối, thay vì, thay cho, ý mình là, ý tôi là, ý em là, ý anh là, giữ nguyên, nhất định "
    "phải, "
    "luôn luôn, phải luôn, "
    # Indonesian
    "jangan, dilarang, tidak boleh, gak boleh, ga boleh, nggak boleh, ngga boleh, gausah, ga usah, gak usah, nggak usah, "
    "tidak usah, daripada, alih alih, ketimbang, maksudku, maksud saya, maksudnya, biarkan, tanpa izin, tanpa nanya, tanpa "
    "tanya, "
    "tanpa mengubah, harus"
)
COURSE_UNSPACED = (
    "不用 必须 必須 一律 统一用 統一用 保持 我要的是 我想要的是 だめ ダメ 統一して 总是 總是 而不是 务必 務必 保留 最多 至少 "
    "不准 不许 不許 禁止 请勿 請勿 切勿 千万 千萬 绝对不 絕對不 "
    "我说的是 我說的是 我是说 我是說 我指的是 前先 前要先 前都要 "
    "ないで しないこと しないよう 必ず 絶対 ではなく じゃなく でなく 代わりに だけに だけで のまま 以内 勝手に 以外は 禁止 "
    "なしで やめて "
    "하지마 반드시 절대 말고 아니라 대신 금지 그대로 원래대로 꼭_ 지_말"
)

_DE = (
    "geht|gehen|ging|lauft|laufen|lief|liefen|funktioniert|funktionieren|klappt|klappen|ist|sind|war|waren|wird|werden|"
    "wurde|wurden|"
    "hat|haben|hatte|kann|konnte|startet|ladt|kompiliert|baut|reagiert|erscheint|kommt|findet|zeigt|passiert|tut|gibt|steht|"
    "fehlt|"
    r"antwortet|arbeitet|speichert|liefert|schickt|sendet|offnet|verbindet|meldet|erkennt|\w+iert|"
    "verstehe|versteh|weiss|sehe|seh|finde|kapier|kapiere|checke|bin|scheint|stimmt|bleibt|schlagt|bekomme|krieg|kriege"
)
_NL = (
    "werkt|werken|doet|is|zijn|was|waren|wordt|worden|heeft|hebben|kan|kunnen|lukt|slaagt|slagen|start|laadt|laden|"
    "compileert|draait|"
    r"reageert|antwoordt|opent|sluit|stuurt|vindt|toont|verschijnt|\w+eert|"
    "bouwt|weet|snap|begrijp|zie|vind|gaat|staat|komt|krijg|krijgt|lijkt|blijft|faalt"
)
_FR = (
    "marche|marchent|fonctionne|fonctionnent|passe|passent|compile|compilent|charge|chargent|s'affiche|s'affichent|affiche|"
    "repond|"
    "trouve|comprends|comprend|sais|sait|vois|voit|arrive|arrivent|existe|existent|demarre|demarrent|tourne|tournent|est|"
    "c'est|n'est|"
    "sont|etait|n'etait|a|n'a|ai|j'ai|n'ai|ont|n'ont|n'existe|n'arrive|suis|peux|peut|connais|reconnait|s'ouvre|s'execute|"
    "build|"
    "se|pourquoi|y"
)
_PT = (
    "funciona|funcionam|funcionou|passa|passam|passou|compila|compilam|carrega|carregam|aparece|aparecem|abre|abriu|roda|"
    "rodam|rodou|"
    "responde|entendi|entendo|sei|vejo|vi|consigo|consegue|consegui|acho|achei|encontra|encontrei|encontrado|encontrada|tem|"
    "tinha|ha|"
    "existe|existem|esta|estava|e|foi|era|deu|da certo|salva|salvou|atualiza|atualizou|conecta|conectou|bate|batem|chega|"
    "chegou|veio|"
    "inicia|sobe|subiu|acontece|reconhece|sobrou|lembro"
)
# What is said with a verb that tells how things are, and what cannot be or was not found, is no order.
UNLESS = (
    (
        phrases("muss, müssen, darf nicht, dürfen nicht"),
        r" (?:man|ich|er|es|sie|wir|user|nutzer) (?:\w+ )?(?:muss|mussen) | (?:muss|mussen) (?:man|ich|wir) ",
    ),
    (phrases("doit, doivent, ne doit"), r" (?:on|il|elle|qui) doit | (?:ils|elles|qui) doivent "),
    (phrases("debe, deben, deve, devono, devem"), r" (?:que|si|se|quien|chi|quem) (?:debe|deben|deve|devono|devem) "),
    (phrases("moet, moeten"), r" (?:ik|je|men|hij|we) (?:moet|moeten) | (?:moet|moeten) (?:ik|je|men|hij|we) "),
    (phrases("musi, muszą, powinien, powinna, powinno, powinny, повинен, повинна, повинно, повинні"), r" (?:kto|co|хто|що) \S+ "),
    (
        phrases("nicht, kein, keine, keinen, nur, immer, nichts, ohne"),
        rf" (?:{_DE}) (?:\w+ ){{0,4}}?(?:nicht|keine?n?|nur|immer|nichts|ohne) "
        rf"| (?:nicht|keine?n?|nichts) (?:\w+ ){{0,3}}?(?:{_DE}|gefunden|moglich|vorhanden|definiert|erreichbar|klar|sicher) "
        r"| immer (?:noch|wieder) | nicht (?:mehr|nur) ",
    ),
    (
        phrases("pas, jamais, toujours, seulement"),
        rf" (?:{_FR}) (?:\w+ ){{0,2}}?(?:pas|jamais|seulement) "
        r"| (?:est|c'est|sont|etait|a|ont|reste|restent|echoue|echouent|plante|marche|fonctionne) (?:\w+ )?toujours "
        r"| pas (?:mal|grave|sur|sure|clair|trouve|trouvee|defini|definie|disponible|possible|du tout|encore (?:fini|pret)) "
        r"| toujours (?:pas|rouge|en|le meme|la meme|vert) | pas(?= (?:gisteren|vandaag|sinds)) ",
    ),
    (phrases("não"), rf" nao (?:me |se |te |o |a |os |as )?(?:{_PT}) | nao (?:so|apenas) | por que nao "
        r"| [oa]s? \S+ nao (?!(?:mex\w+|toc\w+|toqu\w+|alter\w+|mud\w+|apag\w+|commit\w*|remov\w+|delet\w+|us\w+) )\S+ "),
    (
        phrases("niet, geen, nooit, niks, alleen, altijd"),
        rf" (?:{_NL}) (?:\w+ ){{0,4}}?(?:niet|geen|nooit|niks|alleen|altijd) "
        rf"| niet (?:\w+ ){{0,3}}?(?:{_NL}|gevonden|mogelijk|beschikbaar|meer) | nog altijd ",
    ),
    (
        phrases("solo, siempre, nunca, sempre"),
        r" (?:carga|carica|carrega|funciona|funziona|aparece|appare|succede|ocurre|pasa|falla|va|sale) (?:\w+ )?(?:solo|"
        r"siempre|sempre|mai|nunca) "
        r"| (?:solo|siempre|sempre|nunca|mai) (?:me |se |si |mi )?(?:carga|carica|funciona|funziona|aparece|appare|succede|"
        r"ocurre|pasa|falla|sale|va|"
        r"era|es|e|fue|foi|ha|hanno|he|hay|habia|estaba|tem|teve|vi|visto|vista) "
        r"| (?:the|an?|in|my) solo "
        r"| (?:el|la|los|las|o|a|os|as|il|lo|gli|le|i|un|una|um|uma|mi|meu|minha|este|ese|questo|esse|essa) \S+ (?:nunca|"
        r"siempre|sempre) "
        r"| (?:esta|es|sigue|son|fue|era|da|e|sono|resta|rimane|continua|foi|fica|ha|hanno|como|come) (?:sempre|siempre|mai|"
        r"nunca|solo) ",
    ),
    (
        phrases("только, всегда, тільки, лише, завжди"),
        r" (?:\w+(?:ет|ит|ют|ят|тся|ться|ся|є|ить|ють|ує|ло|ла|ли|л|в|но)|видно) (?:только|всегда|никогда|тильки|тільки|"
        r"лише|завжди|ніколи) "
        r"| (?:только|всегда|никогда|тільки|лише|завжди|ніколи) (?:не )?\w+(?:ет|ит|ют|ят|тся|ться|є|ють|ло|ла|ли|л|ен|на) "
        r"| (?:только|тільки) (?:что|що|в|на|у|под) | не только | не тільки ",
    ),
    (
        phrases("zawsze, tylko"),
        r" (?:dziala|dzialaja|laduje sie|pojawia sie|wystepuje|jest|sa|byl|byla|bylo|mam|pada) (?:\w+ )?(?:tylko|zawsze|"
        r"nigdy) "
        r"| (?:zawsze|nigdy|tylko) (?:nie )?(?:dziala\w*|byl\w*|jest|mial\w*|w|na|widzial\w*|pada|pokazuje) | nie tylko ",
    ),
    (
        phrases("değil, her zaman, sadece, hiçbir zaman"),
        r" (?:sorun|onemli|belli|mumkun|hazir|kolay|dogru mu|gerekli|var|net|emin|acik|uygun) degil | degil mi "
        r"| (?:sadece|her zaman) (?:\S+ )*\S+(?:yor|yordu|mis|dir) ",
    ),
    (phrases("دائما, فقط"), r" (?:يعمل|تعمل|يظهر|تظهر|يفشل|تفشل|هل|كان|كانت|يحدث|تحدث) (?:\w+ ){0,2}(?:دائما|فقط) |"
                            r" دائما (?:ي|ت)\w+ "),
    (phrases("hamesha, kabhi bhi"), r" (?:hamesha|kabhi bhi) (?:\S+ )*(?:hai|hain|tha|the|thi|raha|rahi|hota|aata) "),
    (("항상",), r"항상 (?:\S+ )*\S*(?:나요|네|돼|된다|실패|느려|이래|뜨|나온)\S* "),
    (phrases("हमेशा, सिर्फ, केवल"), r" (?:हमेशा|सिर्फ|केवल) (?:\S+ )*(?:है|हैं|था|थे|थी|रहा|रही|होता|आता) "),
    (phrases("bukan, selalu, hanya"), r" (?:bukan cuma|bukan hanya) | (?:selalu|hanya) (?:gagal|error|merah|muncul|lambat|"
                                      r"salah|jalan|bisa|terjadi|ada|tampil) "),
    (phrases("không phải, luôn, chỉ"), r" (?:co )?phai không | không phải là lỗi | (?:chỉ|luôn) (?:có|bị|là|hiện|load|thấy|"
                                       r"lỗi|fail|đỏ|chậm|xảy|mới|còn) | \S+ luôn(?= $| (?:nhe|nhé|đi|nha|a) )"),
)

_ES_NO_ORDER = (
    "es|mas|tests|hay|has|pues|tienes|puedes|sabes|ves|eres|entiendes|quieres|estas|vas|les|las|los|dias|horas|errores|"
    "datos|cambios|"
    "veces|logs|files|issues|bugs|ms|results|changes|does|is|its|this|yes|was|less|has|bytes|types|uses (?:of|in|for)"
)
# “No dependencies here” is English, and only says so.
_ENGLISH = (
    r".* (?:the|there|there's|is|are|isn't|has|have|had|of|for|with|and|we|you|it|its|it's|to|be|was|were|get|add|when|if|this|"
    r"that|or|but|so|"
    r"in|on|at|by|from|any|what|why|shows?|see|found|yet|here) "
)
FORBIDDING = (
    (
        (" no ",),
        rf"\A(?!{_ENGLISH}).* no (?:me |lo |la |los |las |le |les |te |se )*(?!(?:{_ES_NO_ORDER}) )\w{{3,}}[ea]s "
        r"| no (?:toque|use|haga|cambie|borre|modifique|elimine|agregue|ponga|suba|ejecute|mande|quite|cree) "
        r"| no (?:tocar|usar|hacer|cambiar|borrar|modificar|eliminar|agregar|poner|subir|ejecutar|mandar|quitar|crear|"
        r"commitear|pushear|mergear|"
        r"escribir|instalar|romper|editar|mover|renombrar|reescribir)(?:l[oae]s?|me)? ",
    ),
    (  # and not in that, not for those
        (" no ", " non ", " nie ", " не "),
        r"\A (?:no (?:en|el|la|los|las|ese|esa|eso|este|esta|con|para|\d+)|non (?:in|il|la|lo|quell\w+|quest\w+|con|su|\d+)"
        r"|nie (?:po|na|w|ten|ta|to|\d+)|не (?:на|в|по|про|тот|та|эт\w+|ту|той|цей|ця|\d+)) ",
    ),
    (
        (" niente ", " nada de ", " zadn", " никак", " ніяк"),
        r"\A (?:niente (?!di )|nada de |zadn\w+ |никак(?:их|ого|ой) |ніяк(?:их|ого|ої) )\S+",
    ),
    ((" mat ",), r" mat (?:kar|use|\w+(?:o|na|iye|iyega)) "),
    ((" नहीं ", " nahi ", " nahin "), r" (?:में|से|पर|को|me|mein|se|pe|ko) (?:नहीं|nahi|nahin) $"),
    ((" non ",), r" non (?!(?:essere|avere|potere|sapere|\w*ware) )\w{2,}(?:[aei]re|rre|[aei]r(?:l[oaie]|mi|ci|ne)) "),
    ((" tranquille",), r" laiss\w* (?:\S+ ){1,4}tranquilles? "),
    ((" mai ",), r" mai (?:\w+ )?\w+[aei]re "),
    (
        (" nie ",),
        r" nie (?:\w+ ){1,5}?\w+(?:en|ern|eln) | (?:push|mach|nimm|committ|losch|nutz|verwend|schreib|benutz|"
        r"lass)e? (?:\w+ ){0,4}?nie "
        r"|"
        r" nie \w{2,}(?:aj|uj|ij|yj)(?:cie|my)? | nie (?:rob|robcie|pisz|bierz|idz|waz sie|tykaj|chce|commituj|ruszac|"
        r"zmieniac|usuwac|pushowac|"
        r"commitowac|dotykac|uzywac|kasowac) | nigdy nie \w{2,}j ",
    ),
    (
        (" не ",),
        r" не \w{2,}(?:ай|яй|уй|юй)(?:те|ся|тесь)? | не (?:\w{2,}(?<![лкгх])и(?:те)?|\w*(?:пуш|пушь|пуши|комить|коміть|"
        r"коммить|комміть|мерж|мержи|лезь|лізь|"
        r"ставь|правь|трожь|деплой|забудь|вздумай|смей|сотри|удали)) (?!\w*[ео]м )"
        r"| не (?:трогать|менять|удалять|пушить|коммитить|мержить|использовать|добавлять|создавать|запускать|править|ломать|"
        r"делать|писать|лезть) "
        r"| не (?:чіпати|змінювати|видаляти|пушити|комітити|використовувати|додавати|створювати|запускати|правити|робити) "
        r"| не (?:так|то|тот|та|те|туда|этот|это|эту|здесь|сюда|там|там|цей|це|ту|той) ",
    ),
    (
        ("ma ", "me ", "yin ", "yiniz "),
        r"(?:dokun|yap|sil|degistir|at|kullan|ekle|pushla|push'la|commitle|elle|boz|kaldir|cikar|gonder|yaz|olustur|"
        r"calistir|guncelle|"
        r"karistir|birak|kur|kapat|tasi|mergele|ugras|oyna|et)m[ae](?:yin|yiniz|sana|sin)? (?:(?:lutfen|sakin|artik|"
        r"simdilik|henuz) )?$",
    ),
    (("لا ت", "ما ت", "لا ن"), r"\A (?:(?:من فضلك|لو سمحت|رجاء|ارجوك|بليز|بس|لكن|ولكن|نعم|اوك|اوكي|لا|طيب|تمام|الحين|رجاءا|"
                               r"و) )*(?:و?لا|ما) ت\w+ "),
    ((" مو ", " مش "), r" (?:مو|مش) (?:\d|[a-z]|بال|هذا|هذي)"),
    ((" nahi ", " nahin ", " नहीं "), r" \S+ (?:nahi|nahin|नहीं) \S+ (?:use|istemal|इस्तेमाल) "),
    (("지",), r"지 ?(?:마|말)(?:세요|요|시|라|고|아|줘|자|구|도록)?(?: |$)"),
    (("만 ",), r"만 (?:고쳐|수정|바꿔|써|사용|변경|건드|해줘|남겨)"),
    (
        ("别", "別"),
        r"(?<![特级級類类识識區区分个個性差告派辨鉴鑑送道离離甄])[别別](?![的人名扭致墅处處様])",
    ),
    (("不要",), r"(?<!要)不要"),
    (("不能", "不得"), r"不(?:能|得)(?:改|动|動|碰|删|刪|用|提交|加|有|超过|超過|使用|修改)"),
    (("に",), r"には?触らない|にはさわらない"),
)
DEMANDING = (
    (("不是",), r"(?<!是)不是(?!很|太|吗|嗎|吧)"),
    (("应该", "應該"), r"(?:应该|應該)(?!是|可以|能|会|會|不会|没)"),
    (("等我",), r"等我\S{0,10}再"),
    (("こと ",), r"(?:[るうすくむぐつぶぬ]|ない)こと $"),
    (("只",), r"只(?:改|用|动|動|准|許|许|能|要|做|跑|看|修|提交|保留|允许|允許)"),
    (("以后", "以後", "今后", "往后", "之后", "之後"), r"(?:以后|以後|今后|往后|之后|之後)[^ ]{0,20}(?: \S+){0,3}?(?:都|先|"
        r"要|用|不|一律|必)"),
    (("だけ",), r"だけ(?:変更|直|修正|使|変え|にして|やって|見て)"),
)
FORMS = (*FORBIDDING, *DEMANDING)
BACK = (  # taking back what was said before
    "never mind, nevermind, scrap that, scrap it, scrap the, on second thought, on second thoughts, on reflection, "
    "changed my mind, change of plan, change of plans, after all, go back to, going back to, back to the old, i was wrong, "
    "my mistake, take that back, "
    "took that back, taking that back, ignore that, ignore what i, ignore my, disregard, cancel that, forget that, forget "
    "about, "
    "forget it, forget the, forget what i, let's not, leave it as, leave it at, keep it as, no longer, "
    "doch lieber, lieber doch, doch nicht, doch wieder, zurück zu, zurück zum, zurück zur, ich habe mich geirrt, "
    "anders überlegt, lass gut sein, finalement, laisse tomber, j'ai changé d'avis, revenons à, en fin de compte, on "
    "revient à, "
    "olvídalo, olvídate, mejor no, cambié de opinión, he cambiado de opinión, volvamos a, al final no, al final mejor, "
    "al final usa, al final usemos, al final usamos, al final vamos, déjalo, deixa pra lá, mudei de ideia, melhor voltar, "
    "lascia perdere, ho cambiato idea, torniamo a, torniamo ad, laat maar, toch maar, maar zitten, toch weer, "
    "передумал, передумала, всё таки, все таки, не надо, как было, передумав, не треба, все ж таки, повернемось до, як було, "
    "jednak, wróćmy do, zmieniłem zdanie, zmieniłam zdanie, daj spokój, "
    "boşver, boş ver, vazgeçtim, geri dönelim, غيرت رايي, نرجع ل, "
    "छोड़ दो, रहने दो, जाने दो, chhod do, chod do, rehne do, jaane do, "
    "bỏ vụ, thôi quay lại, quay lại dùng, đổi ý, gak jadi, ga jadi, nggak jadi, tidak jadi, batal aja, batal saja, balik ke"
)
BACK_UNSPACED = (
    "算了 改回 换回 換回 用回 收回 当我没说 當我沒說 改主意 还是不要 還是不要 やっぱり やっぱ 取り消して 忘れてください "
    "元に戻して "
    "취소해 취소하자 원래대로 되돌려 관두자"
)
# To forget is an order where a sentence begins so; within one, somebody forgets something: a password, mostly.
FORGET = (
    r"\A (?:(?:no|ok|okay|hm+|actually|sorry|please|wait|ach|nein|nee|bitte|dann|non|bon|mejor|nao|nie|dobra|нет|ладно|ні|"
    r"добре|thoi|thôi|"
    r"udah|خلاص) ){0,2}(?:(?:forget|vergiss|vergesst|oublie|oubliez|olvida|esquece|esqueca|dimentica|vergeet|zapomnij|"
    r"забудь|забудьте|"
    r"unut|انس|انسي|bhool jao|भूल जाओ|quên|bỏ|lupakan) \S|됐어|됐습니다)"
)

# What an agent says that it has chosen, or found to be the cause.
CHOICE = (
    "decided to, decided on, decided that, decided against, i chose, we chose, i picked, going with, opted for, settled on, "
    "root cause is, root cause was, right fix is, best fix is, simplest fix is, right approach is, best approach is, "
    "simplest approach is, right way is, best way is, "
    "entschieden, entscheide mich, ich verwende, ich nehme, ich bleibe bei, ich setze auf, ursache ist, ursache war, ursache "
    "liegt, "
    "j'ai choisi, j'ai opté, j'opte pour, j'ai décidé, je vais utiliser, je vais garder, la cause est, la cause était, "
    "cause racine, he decidido, decidí, he optado, opté por, he elegido, elegí, voy a usar, voy a mantener, la causa es, la "
    "causa era, "
    "causa raíz, decidi usar, decidi manter, decidi que, optei por, escolhi, vou usar, vou manter, a causa é, causa raiz, "
    "ho deciso, ho scelto, ho optato, userò, utilizzerò, la causa è, la causa era, "
    "heb gekozen, heb besloten, ik kies voor, ik gebruik, oorzaak is, oorzaak was, "
    "zdecydowałem, zdecydowałam, wybrałem, wybrałam, użyję, przyczyną jest, przyczyną było, przyczyna to, "
    "я решил, я решила, я выбрал, я выбрала, буду использовать, остановился на, остановилась на, причина в, причина была, "
    "причиной было, причиной стал*, я вирішив, я вирішила, я обрав, я обрала, використаю, причина в тому, причиною, "
    "karar verdim, tercih ettim, seçtim, kullanacağım, nedeni, sebebi, kök neden, "
    "قررت, اخترت, سأستخدم, سأعتمد, السبب هو, سبب المشكلة, السبب الجذري, "
    "फैसला किया, मैंने चुना, इस्तेमाल करूँगा, मूल कारण, "
    "tôi quyết định, đã quyết định, tôi chọn, đã chọn, tôi sẽ dùng, nguyên nhân là, nguyên nhân gốc, "
    "saya memutuskan, saya memilih, akan memakai, akan menggunakan, penyebabnya, akar masalah"
)
CHOICE_UNSPACED = (
    "决定 采用 选择了 选用 根本原因 決定 採用 選擇了 選用 方針 することにし ことにしま 原因は 原因でした 하기로_했 "
    "하기로_결정 선택했 원인은 원인이었"
)
# A sentence that leaves it to the user is a proposal, and no decision until they agree.
LEFT_TO_YOU = (
    r" (?:if|unless|once|when|as soon as|provided|assuming) (?:\S+ ){0,4}?(?:you|your|you'd|you're) "
    r"| with your (?:ok|okay|approval|permission|blessing) | (?:your call|up to you|let me know|would you|do you) "
    r"| wenn (?:\S+ ){0,3}?(?:du|dir|dich|ihnen|sie|ihr) | falls (?:du|sie) "
    r"| si (?:\S+ ){0,3}?(?:vous|tu|te|le parece|quieres|quiere|prefieres|estas|voce|vuoi) "
    r"| se (?:\S+ ){0,2}?(?:voce|quiser|concordar|preferir|vuoi|sei|preferisci|ti|va bene) | als (?:je|jij|u|jullie) "
    r"| (?:jesli|jezeli) (?:\S+ ){0,2}?(?:chcesz|sie|pozwolisz|wolisz) | если (?:\S+ ){0,2}?(?:вы|ты|вас|тебя|хотите|хочешь|"
    r"соглас\S+) "
    r"| якщо (?:\S+ ){0,2}?(?:ви|ти|вас|хочеш|хочете|згод\S+) |(?: onaylarsan| istersen| isterseniz| uygunsa|"
    r" izin verirsen)\S* "
    r"| (?:اذا|لو|ان) (?:كنت|اردت|تحب|تريد|وافقت|شئت|سمحت)| (?:अगर|यदि) (?:आप|तुम)| agar aap | nếu (?:bạn|anh|chị) "
    r"| (?:jika|kalau|bila) (?:anda|kamu|setuju|mau|boleh) "
    r"|(?:如果|要是|只要|除非)[你您]|[你您](?:同意|觉得|覺得)|可以吗|可以嗎|好吗|好嗎|よければ|よろしければ|ご希望|괜찮|"
    r"원하시|동의하시"
)
