"""Secrets as they were planted in notes, commands and output of tools, kind by kind, each beside what only looks like it."""

from __future__ import annotations

import pytest

from holdfast.guard import entering as guard
from secret_samples import made

UUID = "{hex 8}-{hex 4}-{hex 4}-{hex 4}-{hex 12}"
PASSWORDS = ["vT7!kQ9xzB2m", "Sommer2024!", "hunter42x"]
SID, TOKEN = made("AC{hex 32}"), made("{hex 32}", "second")

# kind → texts in which `§` is a password that somebody chose
PASSWORD_FORMS: dict[str, list[str]] = {
    "an argument of a database client": [
        "mysql -u root -p'§' shop",
        'mysql -uroot -p"§" shop',
        "mariadb -h db -p'§'",
        "mariadb-dump -u root -p'§' shop > x.sql",
        "mysqladmin -p§ ping",
        "sqlcmd -S db -U sa -P § -Q x",
        "mosquitto_pub -h x -u bob -P '§' -t a",
        "plink -ssh bob@db -pw §",
        "cmdkey /add:db /user:bob /pass:§",
        "zip -e -P § a.zip b",
    ],
    "said to be used": [
        "use password §",
        "please use the password §.",
        "log in with password '§' for now",
        "set the password to §",
        "I changed the password from old to §",
    ],
    "a user and a password": [
        "user admin, password §",
        "user: admin / pass: §",
        "User: admin | Pass: §",
        "login: admin, pass: §",
        "user admin / pw §",
    ],
    "a name with a hyphen": [
        "db-pass: §",
        '"db-pass": "§"',
        "smtp-pass: §",
        "redis-pass: '§'",
        "admin-pass=§",
    ],
    "output of terraform": [
        '{\n  "db_password": {\n    "sensitive": true,\n    "type": "string",\n    "value": "§"\n  }\n}',
        '{"db_password":{"sensitive":true,"type":"string","value":"§"}}',
        '"outputs": {\n  "db_password": {\n    "value": "§",\n    "type": "string"\n  }',
        'output "db_password" {\n  value = "§"\n}',
    ],
    "a table of vault": [
        "====== Data ======\nKey         Value\n---         -----\npassword    §\nusername    app",
        "lease_id           database/creds/x\npassword           §\nusername           v-root",
    ],
    "a Wi-Fi code": [
        "WIFI:S:Home;T:WPA;P:§;;",
        "WIFI:P:§;S:Home;T:WPA2;H:true;;",
        "WIFI:S:My Home\\;5G;T:WPA;P:§;;",
    ],
    "is, in twelve languages and more": [
        "hasło to §",
        "hasło brzmi §",
        "twoje hasło to: §",
        "şifre budur: §",
        "mật khẩu là §",
        "mật khẩu là: §",
        "كلمة المرور هي §",
        "كلمة السر هي: §",
        "הסיסמה היא §",
        "รหัสผ่านคือ §",
        "รหัสผ่านคือ§",
        "ο κωδικός είναι §",
        "ο κωδικός πρόσβασης είναι §",
        "parola este §",
        "parola e §",
        "salasana on §",
        "adgangskoden er §",
        "passordet er §",
        "passord er §",
        "пароль це §",
        "пароль такий: §",
        "kata sandi adalah §",
        "лозинка је §",
        "паролата е §",
        "la contrasenya és §",
        "parool on §",
    ],
}


@pytest.mark.parametrize("kind", PASSWORD_FORMS)
def test_a_planted_password_is_found(kind: str) -> None:
    """Whatever stands before and behind it, and none of that is touched."""
    for form in PASSWORD_FORMS[kind]:
        for password in PASSWORDS:
            shown = guard.redacted(f"hi,\n{form.replace('§', password)}\nthanks")[0]
            assert password[-5:] not in shown, shown
            assert shown.startswith("hi,\n")
            assert shown.endswith("\nthanks")


PASSPHRASES = [
    "the password is correct-horse-battery",
    "the password is correct horse battery staple",
    "passphrase: correct horse battery staple",
    "my passphrase is purple monkey dishwasher",
    "set the passphrase to otter lantern copper sleigh",
    "password: `correct horse battery`",
    'the password is "purple monkey dishwasher"',
    "use the password otter-lantern-copper",
    "password = correct-horse-battery",
    "das Passwort lautet blauer tisch sieben lampen",
    "la contraseña es caballo-bateria-grapa",
]


@pytest.mark.parametrize("text", PASSPHRASES)
def test_a_passphrase_of_plain_words_is_found(text: str) -> None:
    """With spaces or hyphens between them, to its last word."""
    shown, kinds = guard.redacted(f"hi,\n{text}\nthanks")
    assert kinds == ("password",)
    assert not any(word in shown for word in ("battery", "dishwasher", "copper", "lampen", "grapa"))


# words → the form of a key that stands at `@`
KEY_FORMS: dict[str, str] = {
    f"client = Client('{SID}', '@')": "{hex 32}",
    f'Twilio::REST::Client.new("{SID}", "@")': "{hex 32}",
    "require('twilio')(accountSid, '@')": "{hex 32}",
    "Key      Value\n---      -----\ntoken    @\nttl    1h": "hvs.{an 24}",
    "ipstack = '@'": "{hex 32}",
    "calendarific: @": "{hex 40}",
    'MAILERLITE_API = "@"': "{low 32}",
    "weatherstack.init('@')": "{hex 32}",
    "Authorization: Key @": UUID,
    "SecretID:     @": UUID,
    "Unseal Key 1: @": "{b64 43}=",
    "CC_TEST_REPORTER_ID=@": "{hex 64}",
    "AWS_SESSION_TOKEN=@": "IQoJb3JpZ2luX2Vj{b64 700}",
    "secret_key = b'@'": "{an 16}",
    "root:@:19000:0:99999:7:::": "$y$j9T${an 22}${an 43}",
    "hash @ end": "pbkdf2_sha256$260000${an 22}${b64 43}=",
    "https://chat.local/hooks/@": "{low 26}",
    "cloudflared service install @": "eyJhIjoi{b64 150}",
}


@pytest.mark.parametrize("words", KEY_FORMS)
def test_a_planted_key_is_found(words: str) -> None:
    """By what stands before it, whole."""
    for number in range(5):
        key = made(KEY_FORMS[words], str(number))
        assert key[-10:] not in guard.redacted(f"so:\n{words.replace('@', key)}\nend")[0]


# Prefix, alphabet and length as their issuers have them.
ISSUED = {
    "amazon-login": "amzn1.oa2-cs.v1.{hex 64}",
    "amazon-session": "Atza|{url 200}",
    "jdcloud": "JDC_{up 28}",
    "coreweave": "CW-SECRET-{an 43}",
    "oculus": "OC|{num 16}|{hex 32}",
    "sindri": "sindri_{url 32}_{url 4}",
    "ntfy": "tk_{low 29}",
    "imagekit": "private_{b64 27}=",
    "coingecko": "CG-{an 24}",
    "covalent": "cqt_{an 28}",
    "mercadopago": "APP_USR-{num 16}-{num 6}-{hex 32}-{num 9}",
    "fleetbase": "flb_live_{an 20}",
    "ubidots": "BBFF-{an 30}",
    "finage": "API_KEY{up 32}",
    "mailsac": "k_{an 40}",
    "dfuse": "web_{hex 32}",
    "uploadthing": "eyJhcGlLZXkiOiJza19saXZl{b64 80}",
    "hubspot": "pat-ap1-" + UUID,
    "predibase": "pb_{url 22}",
    "valyu": "val_{hex 64}",
    "lambda": "secret_{low 40}.{an 32}",
    "scrapegraph": "sgai-" + UUID,
    "kernel": "sk_" + UUID + ".{b64 43}",
    "featherless": "rc_{hex 64}",
    "neptune": "eyJhcGlfYWRkcmVzcyI6{b64 100}==",
    "segmind": "SG_{hex 16}",
    "tripo": "tsk_{url 43}",
    "targon": "sn4_{low 28}",
    "chutes": "cpk_{hex 32}.{hex 32}.{an 32}",
    "nobody": "acme_{low 48}",
    "ebay": "v^1.1#i^1#p^3#r^1#I^3#f^0#t^{b64 120}==",
}


@pytest.mark.parametrize("issuer", ISSUED)
def test_a_token_is_known_by_its_form_alone(issuer: str) -> None:
    """In a sentence that says nothing about it."""
    for number in range(5):
        token = made(ISSUED[issuer], str(number))
        assert (
            token[-8:]
            not in guard.redacted(f"Yesterday we used {token} for the deployment, and it worked.")[
                0
            ]
        )


LOOK_ALIKES = [
    # what a client's arguments, tables and codes are without a secret
    "mysql -u root -p shop",
    "mysql --port=3306 --protocol=tcp shop",
    "sqlcmd -S db -P",
    "Client('/var/run/docker.sock', 'unix')",
    "Key         Value\n---         -----\npassword    string\nusername    required",
    "password     The password of the account",
    '{"db_password":{"sensitive":true,"type":"string","value":"<sensitive>"}}',
    "WIFI:S:Guest;T:nopass;;",
    "zip -r a.zip src",
    # sentences about passwords
    "the password is stored in the vault",
    "the password is case-sensitive",
    "the password is base64-encoded",
    "the password is not-yet-set",
    "the password is company-wide-shared",
    "password: must have eight letters",
    "passphrase: leave empty for none",
    "the password is wrong, please check again",
    "use password authentication",
    "use the password manager",
    "with password hashing",
    "use password sha256 there",
    "the password on staging2 works",
    "user management, password reset",
    "first-pass: 3 warnings",
    "het wachtwoord is vergeten",
    "salasana on vaihdettu",
    "parola este expirată",
    "hasło jest wymagane",
    "mật khẩu là bắt buộc",
    "passordet er utløpt",
    "ο κωδικός είναι λάθος",
    "รหัสผ่านคือสิ่งสำคัญ",
    "הסיסמה היא חובה",
    "كلمة المرور هي مطلوبة",
    # keys that are made to be seen, and names of services with something else behind them
    "STRIPE_KEY=" + made("pk_live_{an 24}"),
    "const stripe = Stripe('" + made("pk_test_{an 99}") + "')",
    "NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY=" + made("pk_test_{an 44}"),
    "posthog.init('" + made("phc_{an 43}") + "')",
    "SUPABASE_KEY=" + made("sb_publishable_{url 31}"),
    "mailgun: https://api.mailgun.net/v3",
    "cloudflare_zone_id = '" + TOKEN + "'",
    "netlify: deployed site lamp-brightness-2024",
    "heroku: release v123 of lamp",
    "digitalocean_region = 'fra1'",
]


@pytest.mark.parametrize("text", LOOK_ALIKES)
def test_what_only_looks_like_one_stays(text: str) -> None:
    """Commands, tables, sentences and keys that are public."""
    for said in (text, f"hi,\n{text}\nthanks"):
        assert guard.redacted(said) == (said, ())
