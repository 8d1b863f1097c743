"""What a brief tells of people who do not write English: what they forbade, agreed to, chose, took back and asked for.

Tables by language: what must be heard, and beside it what people of that language write every day and that must not be taken for it.
They write as into a terminal: without accents or marks at times, with the English words of the trade.
"""
# ruff: noqa: E501

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import category

import pytest

from holdfast.capture.dates import days_in
from holdfast.capture.extracting import Said, asks_to_forget, extracted
from holdfast.capture.hearing import asks_for_the_past, phrases, refers_to_memory, spoken
from holdfast.capture.lasting import plain
from holdfast.capture.replies import picked
from holdfast.capture.signs import choices_in, is_choice, is_correction, may_last, orders_in, question_in, sentences_in, tone_of
from holdfast.model import beginning
from test_truth import agent, drafted, user

if TYPE_CHECKING:
    from pathlib import Path

ASK = user("fix the login")

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

OTHERS = {  # the same in other words, written before they were tried
    "Chinese": (
        ("先别重构，只修这个bug", "注释一律用英文", "文件名不要带空格", "接口返回格式保持不变", "不许加新的依赖", "等我确认了再提交", "应该用事务包起来", "我要的是列表不是分页", "别加注释", "这个函数名不要改", "统一用单引号", "提交信息必须写英文", "只在本地跑，别上服务器",),
        ("帮我识别一下图片里的文字", "两个分支有什么区别", "这个要不要加索引？", "为什么不能登录", "不知道为什么报错了，看看", "加个删除确认弹窗", "用户说他登不上去", "分别测一下这两个接口", "为什么别的接口都正常", "是不是版本不对", "看下用户反馈的问题", "改成异步的", "日志里没有报错",),
    ),
    "Chinese, traditional": (
        ("不要自己加套件", "檔名維持原樣不要動", "commit 訊息一律用英文",),
        ("幫我看為什麼沒有反應", "新增一個匯出功能", "別的頁面都正常嗎",),
    ),
    "Japanese": (
        ("勝手にライブラリ追加しないでね", "型はanyを使わないこと", "ファイル名はそのままで", "まずテスト書いてから実装して、逆はだめ", "コメントは日本語で統一して", "それじゃなくて上のボタン", "本番では実行しないで", "変数名は変えないでほしい", "必ずレビュー通してからマージして",),
        ("ビルドが通らないので見て", "なぜか値が入らない", "一覧ページを作って", "この処理どうなってる？", "エラーが出なくなりました", "ユーザーが削除できない不具合", "うまく動かないみたい", "検索機能を追加してください", "テストが落ちる原因は？",),
    ),
    "Korean": (
        ("라이브러리 새로 추가하지 말아주세요", "주석은 꼭 영어로 써줘", "그거 말고 위에 있는 버튼", "내가 확인하기 전에는 머지하지 마", "기존 API는 그대로 둬", "운영 서버에서는 실행하지 마세요", "변수명은 바꾸지 말고 로직만 고쳐줘", "반드시 리뷰 받고 머지해",),
        ("빌드가 안 돼서 봐줘", "사용자 목록 페이지 만들어줘", "왜 값이 안 들어가지", "다음 주까지 마이그레이션 계획 짜줘", "삭제 버튼이 안 먹어", "잘 안 되는 것 같아", "검색 기능 추가해 주세요", "테스트가 왜 깨지지?",),
    ),
    "German": (
        ("keine neuen dependencies bitte", "schreib die kommentare auf englisch, nicht auf deutsch", "die api muss abwärtskompatibel bleiben", "commite erst wenn ich ok sage", "nie direkt auf prod deployen", "lass das refactoring weg, nur den bug fixen", "das war falsch, ich wollte den anderen button", "benutz niemals any", "bitte keine kommentare einfügen", "mach das ohne neue lib", "erst fragen dann löschen, nicht einfach so", "commit messages immer auf englisch", "nicht committen!",),
        ("der server antwortet nicht", "die tests sind alle rot, warum?", "ich finde die config nicht", "bau mir eine seite mit allen nutzern", "die mail kommt nie an", "kannst du den fehler reproduzieren?", "der button hat keine funktion", "was passiert wenn kein user eingeloggt ist?", "der container startet nicht mehr", "ich weiß nicht warum das so ist", "die suche findet nichts", "wann läuft der cronjob immer?",),
    ),
    "French": (
        ("pas de nouvelles dépendances stp", "écris les commentaires en anglais, pas en français", "l'api doit rester compatible", "ne commit que quand je te le dis", "jamais de any", "garde le même format", "c'était l'autre bouton que je voulais", "n'ajoute pas de commentaires", "demande toujours avant de supprimer", "messages de commit en anglais uniquement", "touche pas à la prod",),
        ("le serveur répond pas", "les tests sont tous rouges, pourquoi ?", "je trouve pas la config", "fais une page avec tous les utilisateurs", "le bouton fait rien", "le mail n'arrive jamais", "il manque une colonne dans la table", "le container démarre plus", "je ne sais pas pourquoi", "la recherche ne trouve rien", "ça ne marche toujours pas",),
    ),
    "Spanish": (
        ("nada de dependencias nuevas", "escribe los comentarios en inglés, no en español", "no cambies el formato de la api", "no commitees hasta que te diga", "nunca uses any", "era el otro botón, no ese", "no agregues comentarios", "pregunta siempre antes de borrar", "no toques produccion", "deja eso como estaba",),
        ("el servidor no responde", "no encuentro la config", "haz una página con todos los usuarios", "el botón no hace nada", "el mail nunca llega", "los tests están todos en rojo", "no se guarda el formulario", "el contenedor no arranca", "no se por que pasa", "la busqueda no encuentra nada", "siempre me sale este error",),
    ),
    "Portuguese": (
        ("comentários em inglês, não em português", "não muda o formato da api", "só commita quando eu mandar", "nunca usa any", "era o outro botão, não esse", "não adiciona comentários", "pergunta sempre antes de apagar", "não toca na produção", "nada de any",),
        ("o servidor não responde", "não acho a config", "faz uma página com todos os usuários", "o botão não faz nada", "o email nunca chega", "não salva o formulário", "o container não sobe", "não sei por quê", "a busca não acha nada",),
    ),
    "Italian": (
        ("niente nuove dipendenze per favore", "commenti in inglese, non in italiano", "non cambiare il formato dell'api", "committa solo quando te lo dico", "mai usare any", "intendevo l'altro bottone", "non aggiungere commenti", "chiedi sempre prima di cancellare", "non toccare la produzione",),
        ("il server non risponde", "non trovo la config", "fai una pagina con tutti gli utenti", "il bottone non fa niente", "la mail non arriva mai", "non si salva il form", "il container non parte", "non so perché", "la ricerca non trova nulla", "mi dà sempre questo errore",),
    ),
    "Dutch": (
        ("geen nieuwe dependencies aub", "commentaar in het engels, niet in het nederlands", "verander het api formaat niet", "commit pas als ik het zeg", "gebruik nooit any", "ik bedoelde de andere knop", "voeg geen commentaar toe", "vraag altijd eerst voordat je iets verwijdert", "kom niet aan productie",),
        ("de server reageert niet", "ik kan de config niet vinden", "maak een pagina met alle gebruikers", "de knop doet niks", "de mail komt nooit aan", "het formulier wordt niet opgeslagen", "de container start niet", "ik weet niet waarom", "zoeken vindt niets",),
    ),
    "Polish": (
        ("żadnych nowych zależności proszę", "komentarze po angielsku, nie po polsku", "nie zmieniaj formatu api", "commituj dopiero jak powiem", "nigdy nie używaj any", "chodziło mi o drugi przycisk", "nie dodawaj komentarzy", "zawsze pytaj przed usunięciem", "nie tykaj produkcji", "tylko frontend, backendu nie ruszaj",),
        ("serwer nie odpowiada", "nie mogę znaleźć configu", "zrób stronę ze wszystkimi użytkownikami", "przycisk nic nie robi", "mail nigdy nie dochodzi", "formularz się nie zapisuje", "kontener nie wstaje", "nie wiem dlaczego", "wyszukiwarka nic nie znajduje",),
    ),
    "Russian": (
        ("никаких новых зависимостей", "комментарии на английском, не на русском", "не меняй формат апи", "коммить только когда я скажу", "никогда не используй any", "я про другую кнопку", "не надо рефакторить", "не добавляй комментарии", "всегда спрашивай перед удалением", "прод не трогать", "только фронт правь",),
        ("сервер не отвечает", "не могу найти конфиг", "сделай страницу со всеми юзерами", "кнопка ничего не делает", "письмо никогда не приходит", "форма не сохраняется", "у меня не собирается проект", "контейнер не поднимается", "не знаю почему", "поиск ничего не находит", "всегда вылетает эта ошибка", "тесты не прошли",),
    ),
    "Ukrainian": (
        ("ніяких нових залежностей", "не змінюй формат апі", "коміть тільки коли я скажу", "ніколи не використовуй any", "я мав на увазі іншу кнопку", "не додавай коментарі", "завжди питай перед видаленням", "прод не чіпати",),
        ("сервер не відповідає", "не можу знайти конфіг", "зроби сторінку з усіма юзерами", "кнопка нічого не робить", "форма не зберігається", "контейнер не піднімається", "не знаю чому", "пошук нічого не знаходить",),
    ),
    "Turkish": (
        ("yeni bağımlılık ekleme lütfen", "yorumlar ingilizce olsun, türkçe değil", "api formatını değiştirme", "ben demeden commit atma", "asla any kullanma", "diğer butonu kastettim", "yorum ekleme", "silmeden önce her zaman sor", "production'a dokunmayın",),
        ("sunucu cevap vermiyor", "config dosyasını bulamıyorum", "tüm kullanıcıların olduğu bir sayfa yap", "buton bir şey yapmıyor", "mail hiç gelmiyor", "hata ayıklama sayfası ekle", "container ayağa kalkmıyor", "neden bilmiyorum", "arama hiçbir şey bulmuyor", "güncelleme sayfasını yap",),
    ),
    "Arabic": (
        ("لا تضيف مكتبات جديدة", "التعليقات بالانجليزي مو بالعربي", "لا تغير شكل الـ api", "لا تعمل كوميت الا لما اقول لك", "قصدت الزر الثاني", "لا تضيف تعليقات", "دائما اسأل قبل الحذف", "لا تلمس البرودكشن",),
        ("السيرفر لا يستجيب", "ما لقيت ملف الاعدادات", "سوي صفحة فيها كل المستخدمين", "الزر ما يشتغل", "الصفحة لا تفتح", "الكونتينر ما يشتغل", "ما ادري ليش", "البحث لا يجد شيئا",),
    ),
    "Hindi": (
        ("नई dependency मत जोड़ना", "comments अंग्रेज़ी में लिखो, हिंदी में नहीं", "API का format मत बदलो", "जब तक मैं न कहूँ commit मत करना", "मेरा मतलब दूसरे button से था", "comments मत जोड़ो", "delete करने से पहले हमेशा पूछो", "production को मत छेड़ना",),
        ("server जवाब नहीं दे रहा", "config नहीं मिल रही", "सभी users का page बनाओ", "button काम नहीं करता", "form save नहीं हो रहा", "container start नहीं हो रहा", "पता नहीं क्यों", "search कुछ नहीं ढूँढ रहा",),
    ),
    "Hindi in Latin letters": (
        ("comments mat daalo", "delete karne se pehle hamesha poocho",),
        ("container start nahi ho raha", "pata nahi kyu", "search kuch nahi dikha raha",),
    ),
    "Vietnamese": (
        ("đừng thêm thư viện mới", "comment bằng tiếng anh, không phải tiếng việt", "không được đổi format api", "khi nào mình bảo mới commit", "ý mình là nút kia", "đừng thêm comment", "luôn hỏi trước khi xóa", "không được đụng production",),
        ("server không phản hồi", "không tìm thấy file config", "làm trang danh sách user", "nút bấm không có tác dụng", "form không lưu được", "container không lên", "không biết tại sao", "tìm kiếm không ra gì",),
    ),
    "Indonesian": (
        ("jangan nambah library baru", "komentar pakai bahasa inggris, bukan indonesia", "format api jangan diubah", "jangan commit sebelum aku bilang", "maksudku tombol yang satunya", "jangan tambah komentar", "selalu tanya sebelum hapus", "production jangan disentuh",),
        ("server nggak merespon", "config nya nggak ketemu", "bikin halaman semua user", "tombolnya nggak ngapa-ngapain", "form tidak tersimpan", "container nggak mau nyala", "nggak tau kenapa", "pencarian nggak nemu apa-apa",),
    ),
}  # fmt: skip


@pytest.mark.parametrize("language", COURSE)
def test_what_sets_the_course_is_told_and_what_reports_is_not(language: str) -> None:
    """“Nicht pushen” forbids, “läuft nicht” does not, though both have the same word."""
    told, ordinary = ((*first, *second) for first, second in zip(COURSE[language], OTHERS.get(language, ((), ())), strict=True))
    assert [text for text in told if not is_correction(text)] == []
    assert [text for text in ordinary if is_correction(text)] == []


# ---- what was agreed to, refused and picked ----------------------------------------------------------------------------

REPLIES = {  # language → (a proposal, who agrees, who agrees with a but, who refuses)
    "Chinese": (
        "我可以把会话存储换成 Redis，这样重启后不会丢失登录状态。要我现在改吗？",
        ("行，就这样", "可以，改吧", "好的 弄吧", "嗯嗯，没问题",),
        ("可以，但是先别提交",),
        ("不用了", "算了，先不弄", "不要",),
    ),
    "Chinese, traditional": (
        "我可以把 session 改存到 Redis，這樣重啟後登入狀態不會消失。需要我現在改嗎？",
        ("好啊，就這樣做", "可以，麻煩了", "沒問題",),
        ("可以，但先不要 commit",),
        ("不用", "先不要，之後再說", "算了",),
    ),
    "Japanese": (
        "セッションの保存先をRedisに変更すれば、再起動後もログイン状態が保持されます。変更してもよろしいでしょうか。",
        ("はい、お願いします", "それでいいです", "OKです、進めてください", "うん、いいよ",),
        ("いいけど、まだコミットはしないで",),
        ("いや、それはいい", "いえ、大丈夫です", "やめておきます",),
    ),
    "Korean": (
        "세션 저장소를 Redis로 바꾸면 재시작 후에도 로그인이 유지됩니다. 지금 변경할까요?",
        ("응 그렇게 해줘", "네, 진행해주세요", "ㅇㅇ 고고", "좋아",),
        ("응 근데 커밋은 아직 하지 마",),
        ("아니 괜찮아", "아뇨, 안 해도 돼요", "됐어",),
    ),
    "German": (
        "Ich könnte die Sessions in Redis ablegen, dann bleiben die Logins nach einem Neustart erhalten. Soll ich das so umsetzen?",
        ("ok mach", "jo passt", "ja gerne", "klingt gut, leg los",),
        ("ja aber noch nicht committen",),
        ("nee lass mal", "nein danke", "ne brauchts nicht",),
    ),
    "French": (
        "Je peux stocker les sessions dans Redis pour que les connexions survivent à un redémarrage. Voulez-vous que je le fasse ?",
        ("oui vas-y", "ok ça marche", "d'accord", "ouais parfait",),
        ("oui mais commit pas encore",),
        ("non merci", "non c'est bon laisse", "pas la peine",),
    ),
    "Spanish": (
        "Puedo guardar las sesiones en Redis para que los logins sobrevivan a un reinicio. ¿Quieres que lo haga?",
        ("si dale", "sí, adelante", "vale", "perfecto, hazlo",),
        ("si pero no hagas commit todavia",),
        ("no gracias", "no, déjalo así", "mejor no",),
    ),
    "Portuguese": (
        "Posso guardar as sessões no Redis para que os logins sobrevivam a um restart. Quer que eu faça isso?",
        ("pode ser", "sim, manda ver", "beleza", "isso, pode fazer",),
        ("sim mas não commita ainda",),
        ("não precisa", "não, obrigado", "deixa quieto",),
    ),
    "Italian": (
        "Posso salvare le sessioni su Redis così i login sopravvivono al riavvio. Vuoi che lo faccia?",
        ("sì vai", "ok va bene", "certo, procedi", "perfetto fallo",),
        ("sì ma non committare ancora",),
        ("no grazie", "no lascia stare", "non serve",),
    ),
    "Dutch": (
        "Ik kan de sessies in Redis opslaan zodat logins een herstart overleven. Zal ik dat doen?",
        ("ja doe maar", "is goed", "prima, ga je gang", "ja hoor",),
        ("ja maar nog niet committen",),
        ("nee laat maar", "nee hoeft niet", "nee bedankt",),
    ),
    "Polish": (
        "Mogę zapisywać sesje w Redisie, żeby logowania przetrwały restart. Czy mam to zrobić?",
        ("tak, rób", "ok dawaj", "jasne", "no dobra, może być",),
        ("tak ale jeszcze nie commituj",),
        ("nie, dzięki", "nie trzeba", "nie, zostaw tak",),
    ),
    "Russian": (
        "Могу хранить сессии в Redis, чтобы логины переживали перезапуск. Сделать так?",
        ("да, давай", "ок делай", "ага", "хорошо, поехали",),
        ("да но пока не коммить",),
        ("нет, не надо", "не, спасибо", "не стоит",),
    ),
    "Ukrainian": (
        "Можу зберігати сесії в Redis, щоб логіни переживали перезапуск. Зробити так?",
        ("так, давай", "ок роби", "ага", "добре",),
        ("так але поки не коміть",),
        ("ні, не треба", "ні, дякую", "не варто",),
    ),
    "Turkish": (
        "Oturumları Redis'te saklayabilirim, böylece yeniden başlatmada girişler kaybolmaz. Bunu yapmamı ister misiniz?",
        ("evet yap", "tamam olur", "olur, devam et", "aynen",),
        ("evet ama henüz commit atma",),
        ("hayır gerek yok", "yok kalsın", "boşver",),
    ),
    "Arabic": (
        "يمكنني تخزين الجلسات في Redis حتى لا تضيع بعد إعادة التشغيل. هل تريد أن أفعل ذلك؟",
        ("نعم", "اوكي تمام", "ايوه سويها", "تمام كمل",),
        ("نعم لكن لا تعمل commit",),
        ("لا شكرا", "لا ما يحتاج", "مو لازم",),
    ),
    "Hindi": (
        "मैं sessions को Redis में रख सकता हूँ, ताकि restart के बाद login बना रहे। क्या मैं यह कर दूँ?",
        ("हाँ कर दो", "ठीक है", "हां बिल्कुल", "जी करिए",),
        ("हाँ लेकिन अभी commit मत करना",),
        ("नहीं रहने दो", "नहीं, ज़रूरत नहीं", "छोड़ो",),
    ),
    "Hindi in Latin letters": (
        "I can store sessions in Redis so that logins survive a restart. Should I do that?",
        ("haan kar do", "theek hai", "ha chalega", "sahi hai karo",),
        ("haan lekin commit mat karna abhi",),
        ("nahi rehne do", "nahi zaroorat nahi", "chhodo",),
    ),
    "Vietnamese": (
        "Tôi có thể lưu session vào Redis để đăng nhập không mất khi khởi động lại. Bạn có muốn tôi làm không?",
        ("ừ làm đi", "ok bạn", "được, làm luôn", "đồng ý",),
        ("ừ nhưng đừng commit vội",),
        ("thôi không cần", "không cần đâu", "thôi khỏi",),
    ),
    "Indonesian": (
        "Saya bisa menyimpan session di Redis supaya login tidak hilang saat restart. Mau saya kerjakan?",
        ("ya lanjut", "oke gas", "boleh", "iya silakan",),
        ("iya tapi jangan commit dulu",),
        ("nggak usah", "tidak perlu, makasih", "gak jadi",),
    ),
    "Spanish with English": (
        "Puedo hacer el rollout con un feature flag. ¿Le doy?",
        ("dale", "si plis", "go",),
        ("dale pero sin push",),
        ("nah, dejalo", "no hace falta",),
    ),
}  # fmt: skip


@pytest.mark.parametrize("language", REPLIES)
def test_who_agrees_has_agreed_and_who_refuses_has_not(tmp_path: Path, language: str) -> None:
    """A refusal is told as the answer that it is: who has lost it would put the same proposal again."""
    proposal, agreeing, with_a_but, refusing = REPLIES[language]
    for reply in (*agreeing, *with_a_but, *refusing):
        decided = drafted(tmp_path, [ASK, agent(proposal), user(reply)]).get("decisions", ("",))[0]
        assert decided.startswith(f"User agreed (“{reply}”)" if reply in agreeing else f"User answered (“{reply}”)"), reply


ENGLISH = [
    "there are no dependencies in here", "it shows no changes", "we have no updates yet", "a non-software problem", "tell me about the solo mode",
    "show me the pages", "what was the password again", "set up nix for the build", "on the 3rd of Mai the page fails",
]  # fmt: skip


@pytest.mark.parametrize("text", ENGLISH)
def test_what_is_an_order_elsewhere_is_none_in_english(text: str) -> None:
    """The words of twenty languages are heard at once."""
    assert not is_correction(text)


NOT_ANSWERED = [
    ("Soll ich das so umsetzen?", "der login geht nicht mehr"),
    ("¿Quieres que lo haga?", "no funciona el login, mira los logs"),
    ("Сделать так?", "не работает кнопка"),
    ("Czy mam to zrobić?", "nie działa logowanie"),
    ("要我现在改吗？", "不知道为什么登录报错"),
    ("지금 변경할까요?", "아니면 JWT로 할까"),
    ("Shall I do that?", "a"),
    ("Shall I do that?", "ha"),
]


@pytest.mark.parametrize(("proposal", "reply"), NOT_ANSWERED)
def test_what_speaks_of_something_else_answers_nothing(tmp_path: Path, proposal: str, reply: str) -> None:
    """In many languages the word for no is the one for not."""
    assert "decisions" not in drafted(tmp_path, [ASK, agent(proposal), user(reply)])


PICKS = {  # language → (a list, who picks its second item, who counts something)
    "Chinese": (
        "有三种做法：\n\n1. 用 Redis 存会话\n2. 用 JWT，不存服务端\n3. 继续用内存，加定时持久化\n\n你想用哪一种？",
        ("第二个吧", "选2", "方案二",),
        ("再加2个测试",),
    ),
    "Chinese, traditional": (
        "有三種做法：\n\n1. 用 Redis\n2. 用 JWT\n3. 維持現狀\n\n你想選哪一種？",
        ("第二個好了", "2 好了",),
        ("幫我再加3個測試",),
    ),
    "Japanese": (
        "方法は3つあります。\n\n1. Redisを使う\n2. JWTを使う\n3. 現状維持\n\nどれにしますか？",
        ("2番でお願いします", "二つ目で",),
        ("テストを2つ追加して",),
    ),
    "Korean": (
        "방법은 세 가지입니다.\n\n1. Redis 사용\n2. JWT 사용\n3. 현재 상태 유지\n\n어떤 걸로 할까요?",
        ("2번으로 해줘", "두 번째가 좋겠어",),
        ("테스트 2개 더 추가해줘",),
    ),
    "German": (
        "Es gibt drei Wege:\n\n1. Redis für die Sessions\n2. JWT ohne Serverzustand\n3. Alles lassen wie es ist\n\nWelchen möchtest du?",
        ("lieber die zweite", "variante 2", "nummer 2 bitte",),
        ("schreib noch 2 tests dazu",),
    ),
    "French": (
        "Il y a trois options :\n\n1. Redis pour les sessions\n2. JWT sans état serveur\n3. Ne rien changer\n\nLaquelle préférez-vous ?",
        ("la deuxième", "la 2 stp",),
        ("ajoute 2 tests",),
    ),
    "Spanish": (
        "Hay tres opciones:\n\n1. Redis para las sesiones\n2. JWT sin estado\n3. Dejarlo como está\n\n¿Cuál prefieres?",
        ("la segunda", "la 2 porfa",),
        ("agrega 2 tests mas",),
    ),
    "Portuguese": (
        "Há três opções:\n\n1. Redis para as sessões\n2. JWT sem estado\n3. Deixar como está\n\nQual você prefere?",
        ("a segunda", "a 2 por favor",),
        ("adiciona 2 testes",),
    ),
    "Italian": (
        "Ci sono tre opzioni:\n\n1. Redis per le sessioni\n2. JWT senza stato\n3. Lasciare tutto com'è\n\nQuale preferisci?",
        ("la seconda", "la 2 grazie",),
        ("aggiungi 2 test",),
    ),
    "Dutch": (
        "Er zijn drie opties:\n\n1. Redis voor de sessies\n2. JWT zonder state\n3. Laten zoals het is\n\nWelke wil je?",
        ("doe de tweede maar", "optie 2",),
        ("schrijf nog 2 tests",),
    ),
    "Polish": (
        "Są trzy opcje:\n\n1. Redis na sesje\n2. JWT bez stanu\n3. Zostawić jak jest\n\nKtórą wybierasz?",
        ("druga", "opcja 2", "drugą poproszę",),
        ("dopisz 2 testy",),
    ),
    "Russian": (
        "Есть три варианта:\n\n1. Redis для сессий\n2. JWT без состояния\n3. Оставить как есть\n\nКакой выбираете?",
        ("второй", "давай вариант 2", "лучше второй вариант",),
        ("добавь 2 теста",),
    ),
    "Ukrainian": (
        "Є три варіанти:\n\n1. Redis для сесій\n2. JWT без стану\n3. Залишити як є\n\nЯкий обираєте?",
        ("другий", "варіант 2",),
        ("додай 2 тести",),
    ),
    "Turkish": (
        "Üç seçenek var:\n\n1. Oturumlar için Redis\n2. Durumsuz JWT\n3. Olduğu gibi bırakmak\n\nHangisini istersin?",
        ("ikincisi", "2. seçenek",),
        ("2 test daha ekle",),
    ),
    "Arabic": (
        "هناك ثلاثة خيارات:\n\n1. Redis للجلسات\n2. JWT بدون حالة\n3. ترك كل شيء كما هو\n\nأيها تفضل؟",
        ("الثاني", "الخيار 2",),
        ("أضف 2 تست",),
    ),
    "Hindi": (
        "तीन तरीके हैं:\n\n1. sessions के लिए Redis\n2. बिना state के JWT\n3. जैसा है वैसा रहने दें\n\nआप कौन सा चाहेंगे?",
        ("दूसरा वाला", "2 वाला",),
        ("2 टेस्ट और लिखो",),
    ),
    "Hindi in Latin letters": (
        "There are three options:\n\n1. Redis for sessions\n2. Stateless JWT\n3. Leave it as it is\n\nWhich one do you want?",
        ("dusra wala", "option 2 karo",),
        ("2 tests aur likho",),
    ),
    "Vietnamese": (
        "Có ba cách:\n\n1. Dùng Redis cho session\n2. Dùng JWT\n3. Giữ nguyên\n\nBạn chọn cách nào?",
        ("cách 2", "cái thứ hai",),
        ("viết thêm 2 test",),
    ),
    "Indonesian": (
        "Ada tiga pilihan:\n\n1. Redis untuk session\n2. JWT tanpa state\n3. Biarkan seperti sekarang\n\nMau yang mana?",
        ("yang kedua", "nomor 2 aja",),
        ("tambah 2 test lagi",),
    ),
    "Spanish with English": (
        "Opciones:\n\n1. Feature flag\n2. Canary\n3. Big bang\n\n¿Cuál?",
        ("la segunda plis", "option 2",),
        ("mete 2 logs mas",),
    ),
}  # fmt: skip


@pytest.mark.parametrize("language", PICKS)
def test_what_is_picked_out_of_a_list_is_told_and_what_is_counted_is_not(tmp_path: Path, language: str) -> None:
    """“Второй” and “2番で” pick, “добавь 2 теста” does not."""
    listed, picking, counting = PICKS[language]
    for reply in (*picking, *counting):
        decided = drafted(tmp_path, [ASK, agent(listed), user(reply)]).get("decisions", ("",))[0]
        assert decided.startswith(f"User picked (“{reply}”): 2: ") is (reply in picking), reply


def test_items_may_be_numbered_as_people_do_elsewhere() -> None:
    """“方案一” and “②” are labels too."""
    assert picked("方案二", "方案一：用 Redis\n方案二：用 JWT") == "2: “用 JWT”"
    assert picked("2で", "① Redisを使う\n② JWTを使う") == "2: “JWTを使う”"


# ---- what the agent said -----------------------------------------------------------------------------------------------

SAID = {  # language → (what the agent has decided, what it leaves to the user, questions, what asks nothing any more)
    "Chinese": (
        ("我决定使用 SQLite 而不是 Redis，因为不需要额外的服务。", "根本原因是连接池没有释放连接。",),
        ("如果你同意，我会采用 SQLite 来存会话。",),
        ("迁移脚本写好了。\n\n要不要现在就在测试库上跑一遍？", "两个接口都改完了。需要我顺便把文档也更新吗？",),
        ("改完了，三个测试都通过。为什么之前会失败？因为时区没有设置。",),
    ),
    "Chinese, traditional": (
        ("我決定採用 SQLite 而不是 Redis，因為不需要另外的服務。", "根本原因是連線池沒有釋放連線。",),
        ("如果您同意，我會採用 SQLite。",),
        ("遷移腳本寫好了。要現在在測試環境跑一次嗎？", "兩個接口都改好了。\n\n是否需要一併更新文件？",),
        ("改好了，測試都通過。",),
    ),
    "Japanese": (
        ("追加のサービスが不要なので、RedisではなくSQLiteを使うことにしました。", "根本原因はコネクションプールが解放されていないことでした。",),
        ("よろしければSQLiteを採用します。",),
        ("マイグレーションを書きました。ステージングで実行してもよいでしょうか。", "両方のAPIを修正しました。\n\nドキュメントも更新しますか",),
        ("修正しました。テストは3件とも通っています。",),
    ),
    "Korean": (
        ("추가 서비스가 필요 없기 때문에 Redis 대신 SQLite를 사용하기로 했습니다.", "근본 원인은 커넥션 풀이 반환되지 않는 것이었습니다.",),
        ("괜찮으시면 SQLite를 사용하기로 하겠습니다.",),
        ("마이그레이션 스크립트를 작성했습니다. 스테이징에서 실행해 볼까요", "두 API 모두 수정했습니다.\n\n문서도 업데이트할까요?",),
        ("수정했습니다. 테스트 3개 모두 통과했습니다.",),
    ),
    "German": (
        ("Ich habe mich für SQLite statt Redis entschieden, weil kein weiterer Dienst nötig ist.", "Die Ursache ist, dass der Pool seine Verbindungen nie freigibt.",),
        ("Wenn du einverstanden bist, nehme ich SQLite statt Redis.",),
        ("Das Migrationsskript steht. Soll ich es gleich auf Staging laufen lassen?", "Beide Endpunkte sind umgestellt.\n\nMöchtest du, dass ich die Doku auch anpasse?",),
        ("Fertig, alle drei Tests sind grün. Warum war das rot? Weil die Zeitzone fehlte.",),
    ),
    "French": (
        ("J'ai choisi SQLite plutôt que Redis, car aucun service supplémentaire n'est nécessaire.", "La cause est que le pool ne libère jamais ses connexions.",),
        ("Si vous êtes d'accord, je vais utiliser SQLite.",),
        ("Le script de migration est prêt. Dois-je le lancer sur la préprod ?", "Les deux endpoints sont migrés.\n\nTu veux que je mette aussi la doc à jour ?",),
        ("C'est fait, les trois tests passent.",),
    ),
    "Spanish": (
        ("He decidido usar SQLite en lugar de Redis porque no hace falta otro servicio.", "La causa raíz es que el pool nunca libera las conexiones.",),
        ("Si te parece bien, voy a usar SQLite en lugar de Redis.",),
        ("El script de migración está listo. ¿Lo ejecuto ya en staging?", "Los dos endpoints están migrados.\n\n¿Quieres que actualice también la documentación?",),
        ("Listo, pasan los tres tests.",),
    ),
    "Portuguese": (
        ("Decidi usar SQLite em vez de Redis porque não precisa de outro serviço.", "A causa raiz é que o pool nunca libera as conexões.",),
        ("Se você concordar, vou usar SQLite em vez de Redis.",),
        ("O script de migração está pronto. Devo rodar em staging?", "Os dois endpoints foram migrados.\n\nVocê quer que eu atualize a documentação também?",),
        ("Pronto, os três testes passam.",),
    ),
    "Italian": (
        ("Ho deciso di usare SQLite invece di Redis perché non serve un altro servizio.", "La causa è che il pool non rilascia mai le connessioni.",),
        ("Se sei d'accordo, userò SQLite invece di Redis.",),
        ("Lo script di migrazione è pronto. Lo eseguo subito in staging?", "I due endpoint sono migrati.\n\nVuoi che aggiorni anche la documentazione?",),
        ("Fatto, passano tutti e tre i test.",),
    ),
    "Dutch": (
        ("Ik heb gekozen voor SQLite in plaats van Redis, omdat er dan geen extra dienst nodig is.", "De oorzaak is dat de pool zijn verbindingen nooit vrijgeeft.",),
        ("Als je het goed vindt, gebruik ik SQLite in plaats van Redis.",),
        ("Het migratiescript is klaar. Zal ik het op staging draaien?", "Beide endpoints zijn om.\n\nWil je dat ik de docs ook bijwerk?",),
        ("Klaar, alle drie de tests slagen.",),
    ),
    "Polish": (
        ("Zdecydowałem się na SQLite zamiast Redisa, bo nie potrzeba dodatkowej usługi.", "Przyczyną jest to, że pula nigdy nie zwalnia połączeń.",),
        ("Jeśli się zgadzasz, użyję SQLite zamiast Redisa.",),
        ("Skrypt migracji gotowy. Czy uruchomić go na stagingu?", "Oba endpointy zmienione.\n\nChcesz, żebym zaktualizował też dokumentację?",),
        ("Gotowe, wszystkie trzy testy przechodzą.",),
    ),
    "Russian": (
        ("Я решил использовать SQLite вместо Redis, потому что не нужен отдельный сервис.", "Причина в том, что пул не освобождает соединения.",),
        ("Если вы согласны, я возьму SQLite вместо Redis.",),
        ("Скрипт миграции готов. Запустить его на стейджинге?", "Оба эндпоинта переведены.\n\nХочешь, обновлю и документацию?",),
        ("Готово, все три теста проходят.",),
    ),
    "Ukrainian": (
        ("Я вирішив використати SQLite замість Redis, бо не потрібен окремий сервіс.", "Причина в тому, що пул не звільняє з'єднання.",),
        ("Якщо ви згодні, я візьму SQLite замість Redis.",),
        ("Скрипт міграції готовий. Запустити його на стейджингу?", "Обидва ендпоінти переведені.\n\nХочеш, оновлю і документацію?",),
        ("Готово, всі три тести проходять.",),
    ),
    "Turkish": (
        ("Ek bir servis gerekmediği için Redis yerine SQLite kullanmaya karar verdim.", "Sorunun nedeni, havuzun bağlantıları hiç bırakmaması.",),
        ("Onaylarsanız Redis yerine SQLite kullanmaya karar vereceğim.",),
        ("Migration scripti hazır. Staging'de çalıştırayım mı?", "İki endpoint de taşındı.\n\nDokümantasyonu da güncellememi ister misin",),
        ("Tamamlandı, üç test de geçiyor.",),
    ),
    "Arabic": (
        ("قررت استخدام SQLite بدلاً من Redis لأنه لا يحتاج إلى خدمة إضافية.", "السبب هو أن المجمع لا يحرر الاتصالات.",),
        ("إذا كنت موافقاً، سأستخدم SQLite بدلاً من Redis.",),
        ("سكربت الترحيل جاهز. هل أشغله على staging؟", "تم تعديل الواجهتين.\n\nهل تريد تحديث التوثيق أيضا؟",),
        ("تم، الاختبارات الثلاثة ناجحة.",),
    ),
    "Hindi": (
        ("मैंने Redis की जगह SQLite इस्तेमाल करने का फैसला किया, क्योंकि अलग service नहीं चाहिए।", "मूल कारण यह है कि pool connections छोड़ता ही नहीं।",),
        ("अगर आप सहमत हों तो मैं SQLite इस्तेमाल करने का फैसला करूँगा।",),
        ("Migration script तैयार है। क्या इसे staging पर चला दूँ?", "दोनों endpoints बदल दिए।\n\nक्या documentation भी update कर दूँ",),
        ("हो गया, तीनों टेस्ट पास हैं।",),
    ),
    "Hindi in Latin letters": (
        ("I decided to use SQLite instead of Redis because no extra service is needed.",),
        ("If you agree, I'll use SQLite.",),
        ("The migration script is ready. Kya main isse staging pe chala du?", "Both endpoints are migrated.\n\nShould I update the docs too?",),
        ("Ho gaya, teeno tests pass hain.",),
    ),
    "Vietnamese": (
        ("Tôi quyết định dùng SQLite thay vì Redis vì không cần thêm dịch vụ.", "Nguyên nhân là pool không bao giờ giải phóng kết nối.",),
        ("Nếu bạn đồng ý, tôi sẽ dùng SQLite thay vì Redis.",),
        ("Script migration xong rồi. Tôi chạy trên staging nhé?", "Hai endpoint đã chuyển xong.\n\nBạn có muốn tôi cập nhật tài liệu luôn không?",),
        ("Xong, cả ba test đều pass.",),
    ),
    "Indonesian": (
        ("Saya memutuskan memakai SQLite daripada Redis karena tidak perlu layanan tambahan.", "Penyebabnya adalah pool tidak pernah melepas koneksi.",),
        ("Kalau Anda setuju, saya akan memakai SQLite.",),
        ("Skrip migrasi sudah siap. Apakah saya jalankan di staging?", "Kedua endpoint sudah dipindah.\n\nMau sekalian saya perbarui dokumentasinya?",),
        ("Selesai, ketiga test lolos.",),
    ),
    "Spanish with English": (
        ("Voy a usar un feature flag en lugar de un canary porque es más simple.",),
        ("Si quieres, voy a usar un canary.",),
        ("Ya quedó el PR. ¿Hago merge?",),
        ("Listo, ya está en staging.",),
    ),
}  # fmt: skip


@pytest.mark.parametrize("language", SAID)
def test_decisions_and_questions_of_the_agent_are_known(language: str) -> None:
    """A Chinese sentence is half as long, and a Japanese question needs no mark."""
    decided, left, asked, closed = SAID[language]
    assert [text for text in decided if choices_in(text) != [text]] == []
    assert [text for text in left if choices_in(text)] == []
    assert [text for text in asked if not question_in(text).endswith(text.split("\n\n")[-1])] == []
    assert [text for text in closed if question_in(text)] == []


EITHER = [
    ("¿Uso Redis o JWT?", True),
    ("Vuoi Redis o JWT?", True),
    ("Zal ik Redis of JWT nemen?", True),
    ("Взять Redis или JWT?", True),
    ("Redis mi yoksa JWT mi?", True),
    ("Redis को चुनूँ या JWT?", True),
    ("Redis 아니면 JWT?", True),
    ("要用 Redis 還是 JWT？", True),
    ("Quer que eu rode o script?", False),
    ("Czy chcesz test o nazwie cart?", False),
    ("Do you want a copy of it?", False),
]


@pytest.mark.parametrize(("question", "is_one"), EITHER)
def test_a_choice_between_two_ways_is_one_in_its_own_language(question: str, is_one: bool) -> None:
    """“O” is “or” in Spanish, and “the” in Portuguese."""
    assert is_choice(question) is is_one


# ---- how they part -----------------------------------------------------------------------------------------------------

TONES = {  # language → (goodbyes, pressing, pleased, neither)
    "Chinese": (
        ("谢谢，今天先到这里",),
        ("怎么又错了！我都说了两遍了",),
        ("太棒了，谢谢",),
        ("登录接口报500了，看一下日志", "把 README 里的安装步骤补全", "这个页面特别慢，查一下是不是缓存的问题", "跑一下测试看看结果",),
    ),
    "Chinese, traditional": (
        ("謝謝，先這樣",),
        ("怎麼又壞了！講過很多次了",),
        ("太好了，謝謝",),
        ("登入頁面壞掉了，幫我看一下 log", "把 README 補完整", "這支 API 特別慢，查一下是不是沒有 index", "跑一下測試",),
    ),
    "Japanese": (
        ("ありがとうございます、また明日",),
        ("また同じエラーじゃん！何回言えばいいの",),
        ("完璧です、ありがとう",),
        ("ログイン画面で500エラーが出てます。ログ見てもらえますか", "READMEのインストール手順を追記して", "このAPI遅いので原因調べて", "テスト流して結果教えて",),
    ),
    "Korean": (
        ("고마워 내일 봐",),
        ("왜 또 안 돼! 몇 번을 말해",),
        ("완벽해 고마워",),
        ("로그인 페이지에서 500 에러 나는데 로그 좀 봐줘", "README 설치 방법 보완해줘", "이 API 너무 느린데 원인 좀 찾아줘", "테스트 돌려보고 결과 알려줘",),
    ),
    "German": (
        ("danke, bis morgen",),
        ("schon wieder falsch! das hab ich dir doch schon gesagt",),
        ("mega, danke",),
        ("der login geht nicht mehr, schau mal in die logs", "ergänze die installationsschritte im readme", "warum läuft der test nicht durch?", "bau einen csv export ein",),
    ),
    "French": (
        ("merci, à demain",),
        ("encore faux ! je te l'ai déjà dit",),
        ("génial merci",),
        ("le login marche pas, regarde les logs", "complète les étapes d'installation dans le readme", "pourquoi le test passe pas ?", "ajoute un export csv",),
    ),
    "Spanish": (
        ("gracias, hasta mañana",),
        ("otra vez mal! ya te lo dije",),
        ("genial, gracias",),
        ("el login no funciona, mira los logs", "completa los pasos de instalacion en el readme", "por que no pasa el test?", "agrega un export a csv",),
    ),
    "Portuguese": (
        ("valeu, até amanhã",),
        ("de novo errado! eu já falei isso",),
        ("show, valeu",),
        ("o login não funciona, olha os logs", "completa os passos de instalação no readme", "por que o teste não passa?", "adiciona um export csv",),
    ),
    "Italian": (
        ("grazie, a domani",),
        ("ancora sbagliato! te l'ho già detto",),
        ("ottimo, grazie",),
        ("il login non funziona, guarda i log", "completa i passi di installazione nel readme", "perché il test non passa?", "aggiungi un export csv",),
    ),
    "Dutch": (
        ("bedankt, tot morgen",),
        ("alweer fout! dat had ik al gezegd",),
        ("top, bedankt",),
        ("de login werkt niet, kijk even in de logs", "vul de installatiestappen in de readme aan", "waarom slaagt de test niet?", "voeg een csv export toe",),
    ),
    "Polish": (
        ("dzięki, do jutra",),
        ("znowu źle! już to mówiłem",),
        ("super, dzięki",),
        ("logowanie nie działa, sprawdź logi", "uzupełnij kroki instalacji w readme", "dlaczego test nie przechodzi?", "dodaj eksport do csv",),
    ),
    "Russian": (
        ("спасибо, до завтра",),
        ("опять не то! я же говорил уже",),
        ("супер, спасибо",),
        ("логин не работает, глянь логи", "допиши шаги установки в readme", "почему тест не проходит?", "добавь экспорт в csv",),
    ),
    "Ukrainian": (
        ("дякую, до завтра",),
        ("знову не те! я ж казав уже",),
        ("супер, дякую",),
        ("логін не працює, глянь логи", "допиши кроки встановлення в readme", "чому тест не проходить?", "додай експорт в csv",),
    ),
    "Turkish": (
        ("teşekkürler, yarın görüşürüz",),
        ("yine yanlış! kaç kere söyledim",),
        ("süper, teşekkürler",),
        ("login çalışmıyor, loglara bak", "readme'deki kurulum adımlarını tamamla", "test neden geçmiyor?", "csv export ekle",),
    ),
    "Arabic": (
        ("شكرا، أشوفك بكرة",),
        ("غلط مرة ثانية! قلت لك من قبل",),
        ("ممتاز شكرا",),
        ("تسجيل الدخول لا يعمل، شوف اللوجات", "كمل خطوات التثبيت في README", "ليش التست ما ينجح؟", "أضف تصدير csv",),
    ),
    "Hindi": (
        ("धन्यवाद, कल मिलते हैं",),
        ("फिर से गलत! कितनी बार बताऊँ",),
        ("बहुत बढ़िया, धन्यवाद",),
        ("लॉगिन काम नहीं कर रहा, लॉग देखो", "README में install के steps पूरे करो", "यह टेस्ट पास क्यों नहीं हो रहा?", "csv export जोड़ दो",),
    ),
    "Hindi in Latin letters": (
        ("shukriya, kal milte hain",),
        ("phir se galat! kitni baar bolu",),
        ("mast, thanks",),
        ("login kaam nahi kar raha, logs check karo", "readme me install steps likh do", "test pass kyu nahi ho raha?", "csv export add kar do",),
    ),
    "Vietnamese": (
        ("cảm ơn, mai gặp",),
        ("lại sai nữa rồi! nói mấy lần rồi",),
        ("tuyệt vời, cảm ơn",),
        ("đăng nhập không chạy, xem log giúp", "bổ sung các bước cài đặt vào readme", "sao test không pass?", "thêm export csv",),
    ),
    "Indonesian": (
        ("makasih, sampai besok",),
        ("salah lagi! udah dibilang berkali-kali",),
        ("mantap, makasih",),
        ("login nggak jalan, cek log dong", "lengkapi langkah instalasi di readme", "kenapa test gagal?", "tambahin export csv",),
    ),
    "Spanish with English": (
        ("thx, nos vemos mañana",),
        ("otra vez lo mismo!! ya te dije",),
        ("buenísimo gracias",),
        ("el deploy está failing, check los logs porfa", "haz un refactor del user service", "el build no compila en el ci",),
    ),
}  # fmt: skip


@pytest.mark.parametrize("language", TONES)
def test_a_goodbye_answers_nothing_and_the_tone_is_told(tmp_path: Path, language: str) -> None:
    """What waits for an answer still does after “bis morgen”."""
    goodbyes, pressing, pleased, neither = TONES[language]
    for goodbye in goodbyes:
        draft = drafted(tmp_path, [ASK, agent("Shall I go on?"), user(goodbye)])
        assert (draft["unanswered"], f"“{goodbye}”" in draft["task"]) == (("Shall I go on?",), True)
    assert {tone_of(text) for text in pressing} == {"pressing"}
    assert {tone_of(text) for text in pleased} == {"pleased"}
    assert {tone_of(text) for text in neither} == {""}


# ---- what a prompt asks of memory --------------------------------------------------------------------------------------

HEARD = {  # language → (who misses something, who means something from before, who only speaks of forgetting)
    "Chinese": (
        ("你是不是忘了我刚才说的", "我们刚刚做到哪一步了", "还记得昨天那个 bug 吗", "我们之前在做什么", "你怎么又不记得了",),
        ("端口是多少来着", "按之前说好的来",),
        ("用户忘记密码的流程有问题", "加一个记住我的勾选框", "忘记密码邮件发不出去", "把记录存到数据库", "之前的版本打个 tag",),
    ),
    "Chinese, traditional": (
        ("你忘記我剛剛說的了嗎", "我們剛剛做到哪裡了", "還記得昨天那個 bug 嗎", "我們本來在做什麼", "你怎麼又忘了",),
        ("port 是多少來著", "照之前說好的做",),
        ("忘記密碼的頁面要重做", "加上記住我的 checkbox", "忘記密碼的信寄不出去", "把記錄存到資料庫", "上一版打個 tag",),
    ),
    "Japanese": (
        ("さっきの話忘れた？", "どこまでやったっけ", "昨日のバグ覚えてる？", "何してたんだっけ", "前に言ったよね",),
        ("ポートいくつだっけ", "前回と同じでお願い",),
        ("パスワードを忘れた方へのリンクを直して", "ログイン状態を覚えておくチェックボックスを追加", "忘れたパスワードのメールが届かない", "スクロール位置をどこまで読んだか保存したい", "単語を覚えるアプリの画面を作って",),
    ),
    "Korean": (
        ("아까 말한 거 잊었어?", "우리 어디까지 했지", "어제 그 버그 기억나?", "우리 뭐 하고 있었지", "내가 전에 말했잖아",),
        ("포트가 몇 번이었지", "지난번처럼 해줘",),
        ("비밀번호 찾기 페이지 고쳐줘", "자동 로그인 기억하기 체크박스 추가", "어디까지 스크롤했는지 저장해줘", "기록을 DB에 저장해", "비밀번호를 잊은 사용자에게 메일 보내기",),
    ),
    "German": (
        ("hast du das schon wieder vergessen?", "wo waren wir stehen geblieben", "weisst du noch was wir gestern gemacht haben", "was haben wir gerade gemacht", "das hatte ich dir doch schon gesagt",),
        ("wie war der port nochmal?", "mach es wie besprochen",),
        ("der passwort vergessen link geht nicht", "bau eine angemeldet bleiben checkbox ein", "ich hab vergessen zu committen, mach das bitte", "was haben wir an offenen todos im code?", "schreib eine erinnerungsmail für user",),
    ),
    "French": (
        ("t'as oublié ce que j'ai dit ?", "on en était où", "tu te souviens du bug d'hier ?", "qu'est-ce qu'on faisait déjà", "je te l'ai déjà dit",),
        ("c'était quoi le port déjà ?", "fais comme convenu",),
        ("le lien mot de passe oublié ne marche pas", "ajoute une case se souvenir de moi", "j'ai oublié de commit, fais-le", "on fait quoi pour les erreurs 404 ?", "envoie un mail de rappel aux users",),
    ),
    "Spanish": (
        ("te olvidaste de lo que dije?", "en que estabamos", "te acuerdas del bug de ayer?", "que estabamos haciendo", "ya te lo habia dicho",),
        ("cual era el puerto?", "hazlo como acordamos",),
        ("el link de olvidé mi contraseña no funciona", "agrega un checkbox de recordarme", "olvide hacer commit, hazlo tu", "manda un recordatorio por mail", "que hacemos con los errores 404?",),
    ),
    "Portuguese": (
        ("você esqueceu o que eu falei?", "onde a gente parou", "lembra do bug de ontem?", "o que a gente tava fazendo", "eu já te falei isso",),
        ("qual era a porta mesmo?", "faz como combinamos",),
        ("o link esqueci minha senha não funciona", "adiciona um checkbox lembrar de mim", "esqueci de commitar, faz isso", "manda um lembrete por email", "o que fazer com os erros 404?",),
    ),
    "Italian": (
        ("ti sei dimenticato cosa ho detto?", "dove eravamo rimasti", "ti ricordi il bug di ieri?", "cosa stavamo facendo", "te l'avevo già detto",),
        ("qual era la porta?", "fai come concordato",),
        ("il link password dimenticata non funziona", "aggiungi una checkbox ricordami", "ho dimenticato di committare, fallo tu", "manda un promemoria via mail", "cosa facciamo con gli errori 404?",),
    ),
    "Dutch": (
        ("ben je vergeten wat ik zei?", "waar waren we gebleven", "weet je nog die bug van gisteren?", "waar waren we mee bezig", "dat had ik je al gezegd",),
        ("wat was de poort ook alweer?", "doe het zoals afgesproken",),
        ("de wachtwoord vergeten link werkt niet", "voeg een onthoud mij checkbox toe", "ik ben vergeten te committen, doe jij dat even", "stuur een herinnering per mail", "wat doen we met 404 fouten?",),
    ),
    "Polish": (
        ("zapomniałeś co mówiłem?", "na czym skończyliśmy", "pamiętasz ten bug z wczoraj?", "co my robiliśmy", "już ci mówiłem",),
        ("jaki to był port?", "zrób tak jak ustaliliśmy",),
        ("link zapomniałem hasła nie działa", "dodaj checkbox zapamiętaj mnie", "zapomniałem zrobić commit, zrób to", "wyślij przypomnienie mailem", "co robić z błędami 404?",),
    ),
    "Russian": (
        ("ты забыл что я говорил?", "на чём мы остановились", "помнишь вчерашний баг?", "что мы делали", "я же тебе уже говорил",),
        ("какой был порт?", "сделай как договорились",),
        ("ссылка забыли пароль не работает", "добавь галочку запомнить меня", "я забыл закоммитить, сделай", "отправь напоминание на почту", "что делать с ошибками 404?",),
    ),
    "Ukrainian": (
        ("ти забув що я казав?", "на чому ми зупинились", "пам'ятаєш вчорашній баг?", "що ми робили", "я ж тобі вже казав",),
        ("який був порт?", "зроби як домовились",),
        ("посилання забули пароль не працює", "додай галочку запам'ятати мене", "я забув закомітити, зроби", "надішли нагадування на пошту", "що робити з помилками 404?",),
    ),
    "Turkish": (
        ("dediğimi unuttun mu?", "nerede kalmıştık", "dünkü bugı hatırlıyor musun?", "ne yapıyorduk", "sana daha önce söylemiştim",),
        ("port neydi?", "konuştuğumuz gibi yap",),
        ("şifremi unuttum linki çalışmıyor", "beni hatırla checkboxı ekle", "commit atmayı unuttum, sen at", "mail ile hatırlatma gönder", "404 hatalarını ne yapıyoruz?",),
    ),
    "Arabic": (
        ("نسيت اللي قلته؟", "وين وقفنا", "تتذكر الخطأ حق أمس؟", "وش كنا نسوي", "قلت لك من قبل",),
        ("كم كان البورت؟", "سويها زي ما اتفقنا",),
        ("رابط نسيت كلمة المرور لا يعمل", "أضف خيار تذكرني", "نسيت أعمل commit، سوه انت", "ارسل تذكير بالايميل", "وش نسوي مع أخطاء 404؟",),
    ),
    "Hindi": (
        ("भूल गए क्या मैंने क्या कहा था?", "हम कहाँ थे", "कल वाला bug याद है?", "हम क्या कर रहे थे", "मैंने पहले ही बताया था",),
        ("port क्या था?", "जैसा तय हुआ था वैसा करो",),
        ("पासवर्ड भूल गए वाला link काम नहीं करता", "मुझे याद रखें checkbox जोड़ो", "मैं commit करना भूल गया, कर दो", "email से reminder भेजो", "404 errors का क्या करें?",),
    ),
    "Hindi in Latin letters": (
        ("bhool gaye kya maine kya bola tha?", "hum kahan the", "kal wala bug yaad hai?", "hum kya kar rahe the", "maine pehle hi bola tha",),
        ("port kya tha?", "jaisa decide hua tha waisa karo",),
        ("password bhool gaye wala link kaam nahi karta", "remember me checkbox add karo", "main commit karna bhool gaya, kar do", "email se reminder bhejo", "404 errors ka kya kare?",),
    ),
    "Vietnamese": (
        ("bạn quên mình nói gì rồi à?", "mình đang làm đến đâu rồi", "nhớ cái bug hôm qua không?", "nãy mình đang làm gì", "mình nói rồi mà",),
        ("port là bao nhiêu ấy nhỉ?", "làm như đã thống nhất",),
        ("link quên mật khẩu không chạy", "thêm checkbox nhớ tài khoản", "mình quên commit, làm giúp", "gửi mail nhắc nhở", "xử lý lỗi 404 thế nào?",),
    ),
    "Indonesian": (
        ("kamu lupa yang aku bilang?", "kita sampai mana tadi", "ingat bug kemarin nggak?", "tadi kita lagi ngapain", "kan udah aku bilang",),
        ("port nya berapa ya tadi?", "kerjain sesuai kesepakatan",),
        ("link lupa password nggak jalan", "tambah checkbox ingat saya", "aku lupa commit, tolong commit", "kirim email pengingat", "error 404 diapain ya?",),
    ),
    "Spanish with English": (
        ("te acuerdas del approach que usamos ayer?",),
        ("cual era el branch?",),
        ("arregla el forgot password flow",),
    ),
}  # fmt: skip


@pytest.mark.parametrize("language", HEARD)
def test_who_misses_something_is_heard_and_who_forgot_his_password_is_not(language: str) -> None:
    """The brief is given to the one, memory is searched for the other, and “forgot password” is the name of a page."""
    missing, meaning, ordinary = HEARD[language]
    assert [text for text in missing if not asks_for_the_past(text)] == []
    assert [text for text in meaning if not (refers_to_memory(text) or asks_for_the_past(text))] == []
    assert [text for text in ordinary if asks_for_the_past(text) or refers_to_memory(text)] == []


# ---- what is worth a note ----------------------------------------------------------------------------------------------

KEPT = {  # language → (preferences, decisions, deadlines on 20 November 2026, lessons, what is not to be remembered, nothing)
    "Chinese": (
        ("以后回答都用中文，简短一点", "我更喜欢函数式写法",),
        ("我们决定用 PostgreSQL，不用 MySQL",),
        ("周五之前要交付这个版本",),
        ("教训：上线前一定要先备份数据库",),
        ("这个密码别记下来，只是测试用的",),
        ("看一下这个报错", "这个按钮的颜色改成蓝色", "以后的事以后再说？", "登录接口报500了，看一下日志", "把 README 里的安装步骤补全", "这个页面特别慢，查一下是不是缓存的问题", "跑一下测试看看结果",),
    ),
    "Chinese, traditional": (
        ("以後都用繁體中文回答", "我比較喜歡用 functional 的寫法",),
        ("我們決定用 PostgreSQL 不用 MySQL",),
        ("11月20日前要交這個版本",),
        ("教訓：上線前一定要先備份資料庫",),
        ("這個不要記下來，只是測試用",),
        ("幫我看一下這個 error", "按鈕顏色改成藍色", "以後的事以後再說嗎？", "登入頁面壞掉了，幫我看一下 log", "把 README 補完整", "這支 API 特別慢，查一下是不是沒有 index", "跑一下測試",),
    ),
    "Japanese": (
        ("今後は日本語で短く回答してください", "関数型の書き方が好きです",),
        ("DBはPostgreSQLにすることにしました",),
        ("11月20日までに納品です",),
        ("教訓：リリース前に必ずDBをバックアップする",),
        ("これは記録しないで、テスト用なので",),
        ("このエラー見て", "ボタンの色を青にして", "いつもこうなるの？", "ログイン画面で500エラーが出てます。ログ見てもらえますか", "READMEのインストール手順を追記して", "このAPI遅いので原因調べて", "テスト流して結果教えて",),
    ),
    "Korean": (
        ("앞으로 한국어로 짧게 답변해줘", "나는 함수형 스타일을 선호해",),
        ("우리는 PostgreSQL을 쓰기로 결정했어",),
        ("11월 20일까지 납품해야 해",),
        ("교훈: 배포 전에 항상 DB 백업할 것",),
        ("이건 기억하지 마, 테스트용이야",),
        ("이 에러 좀 봐줘", "버튼 색을 파란색으로 바꿔줘", "항상 이래?", "로그인 페이지에서 500 에러 나는데 로그 좀 봐줘", "README 설치 방법 보완해줘", "이 API 너무 느린데 원인 좀 찾아줘", "테스트 돌려보고 결과 알려줘",),
    ),
    "German": (
        ("antworte ab jetzt immer auf deutsch und kurz", "ich mag lieber kleine commits",),
        ("wir haben uns für postgres entschieden, nicht mysql",),
        ("die abgabe ist am 20. november fällig",),
        ("gelernt: vor jedem release erst die db sichern",),
        ("das bitte nicht merken, ist nur zum testen",),
        ("schau dir mal den fehler an", "mach den button blau", "der build ist immer noch rot", "der login geht nicht mehr, schau mal in die logs", "ergänze die installationsschritte im readme", "warum läuft der test nicht durch?", "bau einen csv export ein",),
    ),
    "French": (
        ("à partir de maintenant réponds toujours en français", "je préfère les petits commits",),
        ("on a décidé de partir sur postgres et pas mysql",),
        ("la livraison est à rendre avant le 20 novembre",),
        ("leçon apprise : toujours sauvegarder la base avant une release",),
        ("ne retiens pas ça, c'est juste pour tester",),
        ("regarde cette erreur", "mets le bouton en bleu", "le build est toujours rouge", "le login marche pas, regarde les logs", "complète les étapes d'installation dans le readme", "pourquoi le test passe pas ?", "ajoute un export csv",),
    ),
    "Spanish": (
        ("a partir de ahora responde siempre en español", "prefiero commits chicos",),
        ("decidimos usar postgres y no mysql",),
        ("la entrega es antes del 20 de noviembre",),
        ("lección aprendida: siempre respaldar la base antes de un release",),
        ("no guardes esto, es solo una prueba",),
        ("mira este error", "pon el boton azul", "el build sigue en rojo", "el login no funciona, mira los logs", "completa los pasos de instalacion en el readme", "por que no pasa el test?", "agrega un export a csv",),
    ),
    "Portuguese": (
        ("a partir de agora responde sempre em português", "prefiro commits pequenos",),
        ("decidimos usar postgres e não mysql",),
        ("a entrega é até 20 de novembro",),
        ("lição: sempre fazer backup do banco antes do release",),
        ("não guarda isso, é só teste",),
        ("olha esse erro", "deixa o botão azul", "o build continua vermelho", "o login não funciona, olha os logs", "completa os passos de instalação no readme", "por que o teste não passa?", "adiciona um export csv",),
    ),
    "Italian": (
        ("d'ora in poi rispondi sempre in italiano", "preferisco commit piccoli",),
        ("abbiamo deciso di usare postgres e non mysql",),
        ("la consegna è entro il 20 novembre",),
        ("lezione: fare sempre il backup del db prima di un rilascio",),
        ("non salvarlo, è solo una prova",),
        ("guarda questo errore", "metti il bottone blu", "la build è sempre rossa", "il login non funziona, guarda i log", "completa i passi di installazione nel readme", "perché il test non passa?", "aggiungi un export csv",),
    ),
    "Dutch": (
        ("antwoord voortaan altijd in het nederlands", "ik heb liever kleine commits",),
        ("we hebben besloten om postgres te gebruiken",),
        ("de oplevering is voor 20 november",),
        ("geleerd: altijd eerst een backup maken voor een release",),
        ("onthoud dit niet, is alleen om te testen",),
        ("kijk even naar deze fout", "maak de knop blauw", "de build is nog altijd rood", "de login werkt niet, kijk even in de logs", "vul de installatiestappen in de readme aan", "waarom slaagt de test niet?", "voeg een csv export toe",),
    ),
    "Polish": (
        ("od teraz zawsze odpowiadaj po polsku", "wolę małe commity",),
        ("zdecydowaliśmy się na postgresa, nie mysql",),
        ("termin oddania to 20 listopada",),
        ("lekcja: zawsze rób backup bazy przed release",),
        ("nie zapamiętuj tego, to tylko test",),
        ("zobacz ten błąd", "zrób niebieski przycisk", "build zawsze był czerwony?", "logowanie nie działa, sprawdź logi", "uzupełnij kroki instalacji w readme", "dlaczego test nie przechodzi?", "dodaj eksport do csv",),
    ),
    "Russian": (
        ("отвечай теперь всегда на русском и кратко", "я предпочитаю маленькие коммиты",),
        ("мы решили использовать postgres, а не mysql",),
        ("сдать нужно до 20 ноября",),
        ("урок: всегда делать бэкап базы перед релизом",),
        ("не запоминай это, просто тест",),
        ("посмотри на эту ошибку", "сделай кнопку синей", "билд всегда был красный?", "логин не работает, глянь логи", "допиши шаги установки в readme", "почему тест не проходит?", "добавь экспорт в csv",),
    ),
    "Ukrainian": (
        ("відтепер завжди відповідай українською", "я надаю перевагу маленьким комітам",),
        ("ми вирішили використовувати postgres, а не mysql",),
        ("здати треба до 20 листопада",),
        ("урок: завжди робити бекап бази перед релізом",),
        ("не запам'ятовуй це, просто тест",),
        ("подивись на цю помилку", "зроби кнопку синьою", "білд завжди був червоний?", "логін не працює, глянь логи", "допиши кроки встановлення в readme", "чому тест не проходить?", "додай експорт в csv",),
    ),
    "Turkish": (
        ("bundan sonra her zaman türkçe cevap ver", "küçük commitleri tercih ederim",),
        ("postgres kullanmaya karar verdik, mysql değil",),
        ("teslim tarihi 20 Kasım",),
        ("ders: release öncesi her zaman db yedeği al",),
        ("bunu kaydetme, sadece test",),
        ("şu hataya bak", "butonu mavi yap", "build hep mi kırmızıydı?", "login çalışmıyor, loglara bak", "readme'deki kurulum adımlarını tamamla", "test neden geçmiyor?", "csv export ekle",),
    ),
    "Arabic": (
        ("من الآن فصاعدا جاوب دائما بالعربي", "أفضل الكوميتات الصغيرة",),
        ("قررنا نستخدم postgres وليس mysql",),
        ("التسليم قبل 20 نوفمبر",),
        ("درس: دائما خذ نسخة احتياطية قبل الإصدار",),
        ("لا تحفظ هذا، مجرد تجربة",),
        ("شوف هذا الخطأ", "خلي الزر أزرق", "هل البلد دائما احمر؟", "تسجيل الدخول لا يعمل، شوف اللوجات", "كمل خطوات التثبيت في README", "ليش التست ما ينجح؟", "أضف تصدير csv",),
    ),
    "Hindi": (
        ("अब से हमेशा हिंदी में जवाब देना", "मुझे छोटे commits पसंद हैं",),
        ("हमने postgres इस्तेमाल करने का फैसला किया है",),
        ("20 नवंबर तक delivery देनी है",),
        ("सबक: release से पहले हमेशा db backup लो",),
        ("इसे याद मत रखना, सिर्फ test है",),
        ("यह error देखो", "button नीला कर दो", "क्या build हमेशा लाल था?", "लॉगिन काम नहीं कर रहा, लॉग देखो", "README में install के steps पूरे करो", "यह टेस्ट पास क्यों नहीं हो रहा?", "csv export जोड़ दो",),
    ),
    "Hindi in Latin letters": (
        ("ab se hamesha hindi me jawab do", "mujhe chhote commits pasand hai",),
        ("humne decide kiya hai ki postgres use karenge",),
        ("delivery is due by 20 November, bhai",),
        ("lesson: release se pehle hamesha backup lo",),
        ("isko yaad mat rakhna, sirf test hai",),
        ("ye error dekho", "button blue kar do", "kya build hamesha red tha?", "login kaam nahi kar raha, logs check karo", "readme me install steps likh do", "test pass kyu nahi ho raha?", "csv export add kar do",),
    ),
    "Vietnamese": (
        ("từ giờ luôn trả lời bằng tiếng việt", "mình thích commit nhỏ",),
        ("chúng tôi quyết định dùng postgres, không dùng mysql",),
        ("hạn nộp là ngày 20 tháng 11",),
        ("bài học: luôn backup db trước khi release",),
        ("đừng lưu cái này, chỉ để test",),
        ("xem lỗi này", "đổi nút thành màu xanh", "build luôn đỏ à?", "đăng nhập không chạy, xem log giúp", "bổ sung các bước cài đặt vào readme", "sao test không pass?", "thêm export csv",),
    ),
    "Indonesian": (
        ("mulai sekarang selalu jawab pakai bahasa indonesia", "aku lebih suka commit kecil",),
        ("kami memutuskan pakai postgres, bukan mysql",),
        ("tenggatnya 20 November",),
        ("pelajaran: selalu backup db sebelum rilis",),
        ("jangan simpan ini, cuma tes",),
        ("cek error ini", "ubah tombol jadi biru", "build selalu merah ya?", "login nggak jalan, cek log dong", "lengkapi langkah instalasi di readme", "kenapa test gagal?", "tambahin export csv",),
    ),
}  # fmt: skip
TUESDAY = "2026-11-17"


def kinds(text: str) -> list[tuple[str, str]]:
    """(kind, date) of what is found in a user's message."""
    return [(item.kind, item.date) for item in extracted([Said(text, "user", "", TUESDAY)]).items]


@pytest.mark.parametrize("language", KEPT)
def test_what_is_worth_a_note_is_found_and_what_is_not_is_left(language: str) -> None:
    """And what is found is looked at when the next boundary comes: a message without a hint would not be."""
    preferences, decisions, deadlines, lessons, not_to_be_kept, nothing = KEPT[language]
    for kind, texts in (("preference", preferences), ("decision", decisions), ("lesson", lessons)):
        assert {text: kinds(text) for text in texts} == {text: [(kind, "")] for text in texts}
    assert {text: kinds(text) for text in deadlines} == {text: [("deadline", "2026-11-20")] for text in deadlines}
    assert [text for text in (*preferences, *decisions, *deadlines, *lessons) if not may_last(text)] == []
    assert [text for text in not_to_be_kept if not asks_to_forget(text)] == []
    assert {text: kinds(text) for text in nothing} == {text: [] for text in nothing}


NOT_KEPT = [
    "wolę drugą opcję",
    "aku lebih suka yang kedua",
    "मुझे यह पसंद है",
    "mình thích cái này hơn",
    "bunu tercih ederim",
    "أفضل طريقة هي استخدام Redis",
    "我比較喜歡這個",
    "jeszcze nie zdecydowaliśmy, co dalej",
    "ще не вирішили, що далі",
    "kami belum memutuskan soal database",
    "chúng tôi chưa quyết định dùng gì",
    "لم نقرر بعد أي قاعدة بيانات",
    "na razie odpowiadaj po polsku",
    "dzisiaj odpowiadaj zawsze po polsku",
    "chyba wolę małe commity",
    "termin ist egal, schau dir den fehler an",
]


@pytest.mark.parametrize("text", NOT_KEPT)
def test_what_points_passes_or_is_not_settled_is_nothing_to_remember(text: str) -> None:
    """A preference for the second option is no preference for ever."""
    assert not plain([Said(text, "user", "", TUESDAY)])


NOT_FORGOTTEN = ["nie zapisuj pliku na dysk", "jangan simpan file di disk", "onthoud dat altijd", "buton tıklanınca kaydetme hatası var"]


@pytest.mark.parametrize("text", NOT_FORGOTTEN)
def test_what_is_said_of_files_is_no_wish_to_be_forgotten(text: str) -> None:
    """“Don't save the file” is about the program."""
    assert not asks_to_forget(text)


DAYS = [
    ("bis 20. November 2026", "2026-11-20"),
    ("avant le 3 août", "2027-08-03"),
    ("antes del 1 de diciembre de 2026", "2026-12-01"),
    ("до 5 марта", "2027-03-05"),
    ("hạn 20 tháng 12", "2026-12-20"),
    ("bis 24.12.2026", "2026-12-24"),
    ("bis freitag", "2026-11-20"),
    ("金曜までに", "2026-11-20"),
    ("금요일까지", "2026-11-20"),
    ("do piątku", "2026-11-20"),
    ("11월 30일까지", "2026-11-30"),
    ("python 3.11.4", ""),
    ("20 марток", ""),
    ("31 februari", ""),
]


@pytest.mark.parametrize(("text", "day"), DAYS)
def test_days_are_read_as_they_are_named_elsewhere(text: str, day: str) -> None:
    """With the months and weekdays of their language."""
    assert [found for *_, found in days_in(text, TUESDAY)] == ([day] if day else [])


def test_a_sentence_keeps_the_number_that_it_begins_with() -> None:
    """“11月20日” lost its month once, as if it were the mark of a list, and a German day was the end of a sentence."""
    assert sentences_in("11月20日までに納品です") == ["11月20日までに納品です"]
    assert sentences_in("3 tests fail. The rest is fine.") == ["3 tests fail.", "The rest is fine."]
    assert sentences_in("Abgabe ist am 20. November. Danach Urlaub.") == ["Abgabe ist am 20. November.", "Danach Urlaub."]
    assert sentences_in("2. fix it\n- --force is forbidden\n> so\n") == ["fix it", "--force is forbidden", "so"]
    assert sentences_in("यह ठीक है। अब टेस्ट चलाओ।") == ["यह ठीक है।", "अब टेस्ट चलाओ।"]


# ---- long and short ----------------------------------------------------------------------------------------------------

LONG = {  # language → (what a long message forbids, what stands beside it)
    "Chinese": ("千万别动生产库的数据。", "这个页面特别慢，先看一下日志再说。"),
    "Japanese": ("本番のDBは絶対に変更しないでください。", "ログイン画面で500エラーが出ています。"),
    "Korean": ("운영 DB는 절대 건드리지 마세요.", "금요일까지 마무리하면 됩니다."),
    "Polish": ("Nie ruszaj bazy produkcyjnej.", "Logowanie nie działa od wczoraj."),
    "Spanish": ("No toques la base de producción.", "El login no funciona desde ayer."),
    "Italian": ("Non toccare il database di produzione.", "Il login non funziona da ieri."),
    "Russian": ("Прод базу не трогай.", "Логин не работает со вчерашнего дня."),
    "Turkish": ("Canlı veritabanına dokunma.", "Login dünden beri çalışmıyor."),
    "Hindi": ("Production DB को हाथ मत लगाना।", "कल से login काम नहीं कर रहा।"),
    "Vietnamese": ("Đừng đụng vào database production.", "Đăng nhập không chạy từ hôm qua."),
    "Indonesian": ("Jangan sentuh database produksi.", "Login nggak jalan sejak kemarin."),
}  # fmt: skip


@pytest.mark.parametrize("language", LONG)
def test_of_a_long_message_what_it_forbids_is_told(language: str) -> None:
    """Sentence by sentence, in the form that the language has for it."""
    forbids, beside = LONG[language]
    around = [f"{beside} ({number})" for number in range(40)]
    assert orders_in("\n".join([*around[:20], forbids, *around[20:]])) == [forbids]


def test_a_short_order_of_few_letters_is_told_and_a_short_no_is_not(tmp_path: Path) -> None:
    """“别提交” is all that it takes to say “don't commit”."""
    lines = [ASK, user("别提交"), agent("好的。"), user("不用"), agent("好的。"), user("不要改"), agent("好的。"), user("run it")]
    assert drafted(tmp_path, lines)["corrections"] == ("别提交", "不要改")


def test_a_cut_leaves_no_letter_without_its_vowel() -> None:
    """Nor half of a sign that is joined of several."""
    text = "क्योंकि " * 30
    assert all(category(text[len(beginning(text, at))])[0] != "M" for at in range(1, 200))
    assert beginning("ok 👩\u200d💻 done", 4) == "ok " == beginning("ok 👩\u200d💻 done", 5)
    assert beginning("abc\u0301", 3) == "ab"
    assert len(beginning("a" + "\u0301" * 100, 50)) >= 30
