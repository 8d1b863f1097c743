"""What a brief tells of people who do not write English: what they forbade, agreed to, chose, took back and asked for.

Tables by language: what must be heard, and beside it what people of that language write every day and that must not be taken for it.
They write as into a terminal: without accents or marks at times, with the English words of the trade.
"""
# ruff: noqa: E501

from __future__ import annotations

import pytest

from holdfast.capture.hearing import phrases, spoken
from holdfast.capture.signs import is_correction

# ---- words -------------------------------------------------------------------------------------------------------------

WORDS = [
    ("Weißt du noch?", "weisst du noch"),
    ("où étions-nous", "ou etions nous"),
    ("İPTAL et", "iptal et"),
    ("नहीं, मत करो।", "नहीं मत करो"),
    ("لا تَلمِس أبداً", "لا تلمس ابدا"),
    ("пам’ятаєш ещё", "пам'ятаєш еще"),
    ("２番でＯＫ", "2番でok"),
    ("cafe\u0301", "cafe"),
    ("трогай", "трогай"),
]


@pytest.mark.parametrize(("text", "heard"), WORDS)
def test_words_are_compared_as_they_are_typed_in_haste(text: str, heard: str) -> None:
    """Accents and marks are left out by many, and the vowels of Indic scripts belong to their words."""
    assert spoken(text) == f" {heard} "


def test_a_phrase_may_have_a_space_in_a_script_that_is_looked_through_as_it_stands() -> None:
    """`지_마` was taken for two words once, and every Korean sentence with one of them for an order."""
    assert phrases("déjà vu, коммит*", "지_마 别") == (" deja vu ", " коммит", "지 마", "别")


# ---- what sets the course ----------------------------------------------------------------------------------------------

COURSE = {  # language → (what sets the course, what only asks or tells)
    "Chinese": (
        ("不要改测试文件", "别动 migrations 目录", "不对，端口是8081不是8080", "以后提交前先跑 lint", "用 pnpm，别用 npm", "只改 src/auth 下面的代码，其它的不要碰", "千万别 push 到 main", "我说的是订单表，不是用户表", "算了，刚才说的缓存那个不做了", "还是用回原来的 axios 吧", "可以，但是先别提交",),
        ("登录接口报500了，看一下日志", "把 README 里的安装步骤补全", "这个页面特别慢，查一下是不是缓存的问题", "跑一下测试看看结果", "日志级别在哪里设置的", "加一个导出CSV的功能，按类别分组", "为什么这个函数返回 null", "看一下这个报错", "这个按钮的颜色改成蓝色", "以后的事以后再说？", "用户忘记密码的流程有问题", "加一个记住我的勾选框", "忘记密码邮件发不出去", "把记录存到数据库", "之前的版本打个 tag", "再加2个测试",),
    ),
    "Chinese, traditional": (
        ("不要動測試檔", "別改 migrations", "不對，port 是 3001 不是 3000", "之後 commit 前都要先跑 lint", "請用 pnpm，不要用 npm", "絕對不要 push 到 main", "應該要用 UTC，不是本地時間", "算了，快取那個不用做了", "還是改回原本的寫法吧", "可以，但先不要 commit",),
        ("登入頁面壞掉了，幫我看一下 log", "把 README 補完整", "這支 API 特別慢，查一下是不是沒有 index", "跑一下測試", "幫我解釋這段 code 在做什麼", "級別設定寫在哪個檔案", "幫我看一下這個 error", "按鈕顏色改成藍色", "以後的事以後再說嗎？", "忘記密碼的頁面要重做", "加上記住我的 checkbox", "忘記密碼的信寄不出去", "把記錄存到資料庫", "上一版打個 tag", "幫我再加3個測試",),
    ),
    "Japanese": (
        ("テストは変更しないでください", "絶対にmainにpushしないで", "いや、8080じゃなくて8081です", "npmじゃなくてpnpm使って", "コミット前に必ずlint実行して", "migrationsには触らないで", "違います、ordersテーブルの方です", "src/auth以外はいじらないでほしい", "やっぱりキャッシュはなしで", "さっきのは忘れてください、元に戻して", "いいけど、まだコミットはしないで",),
        ("ログイン画面で500エラーが出てます。ログ見てもらえますか", "READMEのインストール手順を追記して", "このAPI遅いので原因調べて", "テスト流して結果教えて", "この関数なんでnull返すの", "CSVエクスポート機能を追加したい", "動かないんだけど", "このエラー見て", "ボタンの色を青にして", "いつもこうなるの？", "パスワードを忘れた方へのリンクを直して", "ログイン状態を覚えておくチェックボックスを追加", "忘れたパスワードのメールが届かない", "スクロール位置をどこまで読んだか保存したい", "単語を覚えるアプリの画面を作って", "テストを2つ追加して",),
    ),
    "Korean": (
        ("테스트 파일은 수정하지 마", "main에 절대 push하지 마세요", "아니 8080 말고 8081이야", "npm 말고 pnpm 써줘", "커밋하기 전에 항상 lint 돌려", "migrations는 건드리지 말아줘", "유저 테이블이 아니라 주문 테이블이야", "src/auth만 고쳐줘 다른 건 손대지 말고", "아 캐시는 그냥 취소해줘", "역시 원래대로 돌려줘", "응 근데 커밋은 아직 하지 마",),
        ("로그인 페이지에서 500 에러 나는데 로그 좀 봐줘", "README 설치 방법 보완해줘", "이 API 너무 느린데 원인 좀 찾아줘", "테스트 돌려보고 결과 알려줘", "금요일까지 마무리해야 하는 작업 목록 정리해줘", "이 함수 왜 null 리턴하지", "하지만 빌드가 안 돼", "이 에러 좀 봐줘", "버튼 색을 파란색으로 바꿔줘", "항상 이래?", "비밀번호 찾기 페이지 고쳐줘", "자동 로그인 기억하기 체크박스 추가", "어디까지 스크롤했는지 저장해줘", "기록을 DB에 저장해", "비밀번호를 잊은 사용자에게 메일 보내기", "테스트 2개 더 추가해줘",),
    ),
    "German": (
        ("bitte die tests nicht anfassen", "nein, nicht 8080 sondern 8081", "auf keinen fall auf main pushen", "nimm pnpm statt npm", "vor jedem commit erst lint laufen lassen", "lass die migrations in ruhe", "ich meinte die bestelltabelle, nicht die usertabelle", "bitte nix committen bevor ich drüber geschaut hab", "finger weg von der prod db", "vergiss das mit dem cache", "ach doch lieber wieder axios", "ja aber noch nicht committen",),
        ("der login geht nicht mehr, schau mal in die logs", "ergänze die installationsschritte im readme", "warum läuft der test nicht durch?", "bau einen csv export ein", "die seite lädt nur sehr langsam, woran liegt das", "ich verstehe nicht was die funktion macht, erklär mal", "im log steht: datei nicht gefunden", "schau dir mal den fehler an", "mach den button blau", "der build ist immer noch rot", "der passwort vergessen link geht nicht", "bau eine angemeldet bleiben checkbox ein", "ich hab vergessen zu committen, mach das bitte", "was haben wir an offenen todos im code?", "schreib eine erinnerungsmail für user", "schreib noch 2 tests dazu",),
    ),
    "French": (
        ("touche pas aux tests", "non, pas 8080 mais 8081", "ne push surtout pas sur main", "utilise pnpm plutot que npm", "lance toujours le lint avant de commit", "laisse les migrations tranquilles", "je parlais de la table commandes, pas users", "faut pas modifier le schema", "sans toucher à l'api publique stp", "laisse tomber le cache", "finalement on garde axios", "oui mais commit pas encore",),
        ("le login marche pas, regarde les logs", "complète les étapes d'installation dans le readme", "pourquoi le test passe pas ?", "ajoute un export csv", "je comprends pas ce que fait cette fonction, explique", "la page s'affiche pas sur mobile", "il n'y a pas de cache sur cette route je crois, vérifie", "regarde cette erreur", "mets le bouton en bleu", "le build est toujours rouge", "le lien mot de passe oublié ne marche pas", "ajoute une case se souvenir de moi", "j'ai oublié de commit, fais-le", "on fait quoi pour les erreurs 404 ?", "envoie un mail de rappel aux users", "ajoute 2 tests",),
    ),
    "Spanish": (
        ("no toques los tests", "no, el puerto es 8081 no 8080", "nunca hagas push a main", "usa pnpm en vez de npm", "corre siempre el lint antes de commitear", "deja las migraciones como estan", "me referia a la tabla de pedidos, no a la de usuarios", "no modificar el schema", "que no se te ocurra borrar la db", "olvida lo del cache", "mejor volvamos a axios", "si pero no hagas commit todavia",),
        ("el login no funciona, mira los logs", "completa los pasos de instalacion en el readme", "por que no pasa el test?", "agrega un export a csv", "no entiendo que hace esta funcion, explicame", "la pagina solo carga en chrome, por que?", "no hay tests para el carrito, escribe unos", "mira este error", "pon el boton azul", "el build sigue en rojo", "el link de olvidé mi contraseña no funciona", "agrega un checkbox de recordarme", "olvide hacer commit, hazlo tu", "manda un recordatorio por mail", "que hacemos con los errores 404?", "agrega 2 tests mas",),
    ),
    "Portuguese": (
        ("não mexe nos testes", "não, a porta é 8081 e não 8080", "nunca dá push na main", "usa pnpm em vez de npm", "roda sempre o lint antes de commitar", "deixa as migrations quietas", "eu tava falando da tabela de pedidos, não da de usuários", "nao altera o schema", "não é pra apagar nada no banco", "esquece o cache", "melhor voltar pro axios", "sim mas não commita ainda",),
        ("o login não funciona, olha os logs", "completa os passos de instalação no readme", "por que o teste não passa?", "adiciona um export csv", "não entendi o que essa função faz, explica", "a página só carrega no chrome, por quê?", "não tem teste pro carrinho, escreve uns", "olha esse erro", "deixa o botão azul", "o build continua vermelho", "o link esqueci minha senha não funciona", "adiciona um checkbox lembrar de mim", "esqueci de commitar, faz isso", "manda um lembrete por email", "o que fazer com os erros 404?", "adiciona 2 testes",),
    ),
    "Italian": (
        ("non toccare i test", "no, la porta è 8081 non 8080", "mai fare push su main", "usa pnpm invece di npm", "fai sempre girare il lint prima di committare", "lascia stare le migrations", "intendevo la tabella ordini, non quella utenti", "non modificare lo schema", "non devi cancellare niente dal db", "lascia perdere la cache", "alla fine torniamo ad axios", "sì ma non committare ancora",),
        ("il login non funziona, guarda i log", "completa i passi di installazione nel readme", "perché il test non passa?", "aggiungi un export csv", "non capisco cosa fa questa funzione, spiegami", "la pagina si carica solo su chrome, perche?", "guarda questo errore", "metti il bottone blu", "la build è sempre rossa", "il link password dimenticata non funziona", "aggiungi una checkbox ricordami", "ho dimenticato di committare, fallo tu", "manda un promemoria via mail", "cosa facciamo con gli errori 404?", "aggiungi 2 test",),
    ),
    "Dutch": (
        ("blijf van de tests af", "nee, niet 8080 maar 8081", "nooit naar main pushen", "gebruik pnpm in plaats van npm", "draai altijd eerst lint voor je commit", "laat de migrations met rust", "ik bedoelde de ordertabel, niet de usertabel", "pas het schema niet aan", "je mag niks verwijderen uit de db", "laat die cache maar zitten", "toch maar weer axios", "ja maar nog niet committen",),
        ("de login werkt niet, kijk even in de logs", "vul de installatiestappen in de readme aan", "waarom slaagt de test niet?", "voeg een csv export toe", "ik snap niet wat deze functie doet, leg uit", "de pagina laadt alleen in chrome, hoe kan dat", "kijk even naar deze fout", "maak de knop blauw", "de build is nog altijd rood", "de wachtwoord vergeten link werkt niet", "voeg een onthoud mij checkbox toe", "ik ben vergeten te committen, doe jij dat even", "stuur een herinnering per mail", "wat doen we met 404 fouten?", "schrijf nog 2 tests",),
    ),
    "Polish": (
        ("nie ruszaj testów", "nie, port to 8081 a nie 8080", "nigdy nie pushuj na main", "użyj pnpm zamiast npm", "zawsze odpalaj lint przed commitem", "zostaw migracje w spokoju", "chodziło mi o tabelę zamówień, nie użytkowników", "nie zmieniaj schematu", "nie rob commita bez pytania", "zapomnij o tym cache", "jednak wróćmy do axiosa", "tak ale jeszcze nie commituj",),
        ("logowanie nie działa, sprawdź logi", "uzupełnij kroki instalacji w readme", "dlaczego test nie przechodzi?", "dodaj eksport do csv", "nie rozumiem co robi ta funkcja, wytłumacz", "strona ładuje się tylko w chrome, czemu?", "nie ma testów dla koszyka, napisz jakieś", "zobacz ten błąd", "zrób niebieski przycisk", "build zawsze był czerwony?", "link zapomniałem hasła nie działa", "dodaj checkbox zapamiętaj mnie", "zapomniałem zrobić commit, zrób to", "wyślij przypomnienie mailem", "co robić z błędami 404?", "dopisz 2 testy",),
    ),
    "Russian": (
        ("не трогай тесты", "нет, порт 8081 а не 8080", "никогда не пушь в main", "используй pnpm вместо npm", "всегда гоняй линтер перед коммитом", "миграции не меняй", "я имел в виду таблицу заказов, а не юзеров", "ничего не удаляй из базы", "без коммитов пока я не посмотрю", "забудь про кэш", "давай всё-таки вернёмся к axios", "да но пока не коммить",),
        ("логин не работает, глянь логи", "допиши шаги установки в readme", "почему тест не проходит?", "добавь экспорт в csv", "не понимаю что делает эта функция, объясни", "страница грузится только в хроме, почему?", "в базе не найден пользователь, разберись", "посмотри на эту ошибку", "сделай кнопку синей", "билд всегда был красный?", "ссылка забыли пароль не работает", "добавь галочку запомнить меня", "я забыл закоммитить, сделай", "отправь напоминание на почту", "что делать с ошибками 404?", "добавь 2 теста",),
    ),
    "Ukrainian": (
        ("не чіпай тести", "ні, порт 8081 а не 8080", "ніколи не пуш в main", "використовуй pnpm замість npm", "завжди ганяй лінтер перед комітом", "міграції не змінюй", "я мав на увазі таблицю замовлень, а не юзерів", "нічого не видаляй з бази", "забудь про кеш", "давай все-таки повернемось до axios", "так але поки не коміть",),
        ("логін не працює, глянь логи", "допиши кроки встановлення в readme", "чому тест не проходить?", "додай експорт в csv", "не розумію що робить ця функція, поясни", "сторінка вантажиться тільки в хромі, чому?", "подивись на цю помилку", "зроби кнопку синьою", "білд завжди був червоний?", "посилання забули пароль не працює", "додай галочку запам'ятати мене", "я забув закомітити, зроби", "надішли нагадування на пошту", "що робити з помилками 404?", "додай 2 тести",),
    ),
    "Turkish": (
        ("testlere dokunma", "hayır, port 8080 değil 8081", "asla main'e push yapma", "npm yerine pnpm kullan", "commit atmadan önce her zaman lint çalıştır", "migration'ları değiştirme", "sipariş tablosunu kastettim, kullanıcıyı değil", "bana sormadan commit atma lütfen", "veritabanından hiçbir şey silme", "cache işini boşver", "vazgeçtim, axios'a geri dönelim", "evet ama henüz commit atma",),
        ("login çalışmıyor, loglara bak", "readme'deki kurulum adımlarını tamamla", "test neden geçmiyor?", "csv export ekle", "bu fonksiyon ne yapıyor anlamadım, açıkla", "sayfa sadece chrome'da açılıyor, neden?", "şu hataya bak", "butonu mavi yap", "build hep mi kırmızıydı?", "şifremi unuttum linki çalışmıyor", "beni hatırla checkboxı ekle", "commit atmayı unuttum, sen at", "mail ile hatırlatma gönder", "404 hatalarını ne yapıyoruz?", "2 test daha ekle",),
    ),
    "Arabic": (
        ("لا تلمس التستات", "لا، البورت 8081 مو 8080", "لا تعمل push على main أبدا", "استخدم pnpm بدل npm", "دائما شغل lint قبل الكوميت", "اترك المايجريشنز كما هي", "قصدت جدول الطلبات وليس المستخدمين", "ما تحذف شي من الداتابيس", "ممنوع تعديل السكيما", "انس موضوع الكاش", "خلاص غيرت رأيي، نرجع لـ axios", "نعم لكن لا تعمل commit",),
        ("تسجيل الدخول لا يعمل، شوف اللوجات", "كمل خطوات التثبيت في README", "ليش التست ما ينجح؟", "أضف تصدير csv", "ما فهمت هذي الدالة وش تسوي، اشرح لي", "الصفحة بطيئة جدا", "شوف هذا الخطأ", "خلي الزر أزرق", "هل البلد دائما احمر؟", "رابط نسيت كلمة المرور لا يعمل", "أضف خيار تذكرني", "نسيت أعمل commit، سوه انت", "ارسل تذكير بالايميل", "وش نسوي مع أخطاء 404؟", "أضف 2 تست",),
    ),
    "Hindi": (
        ("टेस्ट फाइलें मत बदलो", "नहीं, port 8081 है 8080 नहीं", "main पर कभी push मत करना", "npm की जगह pnpm इस्तेमाल करो", "commit से पहले हमेशा lint चलाओ", "migrations को हाथ मत लगाना", "मेरा मतलब orders table से था, users से नहीं", "बिना पूछे कुछ delete न करें", "cache वाला छोड़ दो", "रहने दो, वापस axios ही करो", "हाँ लेकिन अभी commit मत करना",),
        ("लॉगिन काम नहीं कर रहा, लॉग देखो", "README में install के steps पूरे करो", "यह टेस्ट पास क्यों नहीं हो रहा?", "csv export जोड़ दो", "समझ नहीं आया यह function क्या करता है, समझाओ", "पेज बहुत धीमा है", "यह error देखो", "button नीला कर दो", "क्या build हमेशा लाल था?", "पासवर्ड भूल गए वाला link काम नहीं करता", "मुझे याद रखें checkbox जोड़ो", "मैं commit करना भूल गया, कर दो", "email से reminder भेजो", "404 errors का क्या करें?", "2 टेस्ट और लिखो",),
    ),
    "Hindi in Latin letters": (
        ("tests mat chhedo", "nahi bhai, port 8081 hai 8080 nahi", "main pe push mat karna kabhi bhi", "npm nahi pnpm use karo", "commit se pehle hamesha lint chalao", "migrations ko touch mat karo", "mera matlab orders table tha, users nahi", "bina pooche kuch delete mat karna", "cache wala chhod do", "rehne do, wapas axios hi karo", "haan lekin commit mat karna abhi",),
        ("login kaam nahi kar raha, logs check karo", "readme me install steps likh do", "test pass kyu nahi ho raha?", "csv export add kar do", "samajh nahi aaya ye function kya karta hai", "page bahut slow hai yaar", "ye error dekho", "button blue kar do", "kya build hamesha red tha?", "password bhool gaye wala link kaam nahi karta", "remember me checkbox add karo", "main commit karna bhool gaya, kar do", "email se reminder bhejo", "404 errors ka kya kare?", "2 tests aur likho",),
    ),
    "Vietnamese": (
        ("đừng sửa test", "không, port là 8081 chứ không phải 8080", "tuyệt đối không push lên main", "dùng pnpm thay vì npm", "luôn chạy lint trước khi commit", "đừng đụng vào migrations", "ý mình là bảng orders, không phải users", "chưa hỏi thì không được xóa gì trong db", "cấm sửa schema", "bỏ vụ cache đi", "thôi quay lại axios", "ừ nhưng đừng commit vội",),
        ("đăng nhập không chạy, xem log giúp", "bổ sung các bước cài đặt vào readme", "sao test không pass?", "thêm export csv", "không hiểu hàm này làm gì, giải thích giúp", "trang load chậm quá", "xem lỗi này", "đổi nút thành màu xanh", "build luôn đỏ à?", "link quên mật khẩu không chạy", "thêm checkbox nhớ tài khoản", "mình quên commit, làm giúp", "gửi mail nhắc nhở", "xử lý lỗi 404 thế nào?", "viết thêm 2 test",),
    ),
    "Indonesian": (
        ("jangan ubah test", "bukan 8080 tapi 8081", "jangan pernah push ke main", "pakai pnpm, bukan npm", "selalu jalanin lint sebelum commit", "migrations jangan disentuh", "maksudku tabel order, bukan user", "tidak boleh hapus apa pun dari db", "gausah commit dulu", "lupakan soal cache", "gak jadi, balik ke axios aja", "iya tapi jangan commit dulu",),
        ("login nggak jalan, cek log dong", "lengkapi langkah instalasi di readme", "kenapa test gagal?", "tambahin export csv", "gue nggak ngerti fungsi ini ngapain, jelasin", "halamannya lambat banget", "cek error ini", "ubah tombol jadi biru", "build selalu merah ya?", "link lupa password nggak jalan", "tambah checkbox ingat saya", "aku lupa commit, tolong commit", "kirim email pengingat", "error 404 diapain ya?", "tambah 2 test lagi",),
    ),
    "Spanish with English": (
        ("no hagas merge todavia", "don't touch el schema, solo el handler", "no, el branch es release no main", "olvídate del flag", "never mind lo del canary", "dale pero sin push",),
        ("el deploy está failing, check los logs porfa", "haz un refactor del user service", "el build no compila en el ci", "haz un commit", "arregla el forgot password flow", "mete 2 logs mas",),
    ),
}  # fmt: skip


@pytest.mark.parametrize("language", COURSE)
def test_what_sets_the_course_is_told_and_what_reports_is_not(language: str) -> None:
    """“Nicht pushen” forbids, “läuft nicht” does not, though both have the same word."""
    told, ordinary = COURSE[language]
    assert [text for text in told if not is_correction(text)] == []
    assert [text for text in ordinary if is_correction(text)] == []
