"""Secrets: what is found, what is let alone, and what stands in their place. The promises about them are in tests/promises/."""
# ruff: noqa: E501

from __future__ import annotations

import base64
import json
import random
import re
import subprocess
import sys
import threading
import unicodedata
from collections.abc import Callable
from functools import partial
from pathlib import Path
from re import _parser  # type: ignore[attr-defined]

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from conftest import Holdfast
from holdfast.config import Config
from holdfast.guard import assigned, disguise, redaction, telltales
from holdfast.guard import entering as guard
from holdfast.guard.rules import NAMES, PASSWORD_WORDS, SHAPES, TOKENS
from holdfast.memory import Memory
from near_matches import CASES, NESTED, UNITS, text_of, varied
from secret_samples import CONTEXTS, DISGUISES, GENERIC, PROVIDERS, made, put
from vendor_samples import FORMS, IN_A_SENTENCE, SETTINGS, UNMARKED, UNNAMED

SOURCE = Path(__file__).parent.parent / "src"
TOKEN = made(PROVIDERS["github"])
PASSWORD = made("{an 11}7")

# (what somebody writes, with @ for the secret)
ASSIGNED = [
    "password=@", 'password = "@"', "passwd: @", "PGPASSWORD=@ psql", '{"password":"@"}', '{\\"password\\": \\"@\\"}', "--password @",
    "--password=@", "| password | @ |", "<password>@</password>", "password → @", "set_password('@')", '("password", "@")',
    "password: str = '@'", "The password is @.", "her password was @, then", "DB_PASS=@", "redis://:@@cache:6379", "https://me:@@host/x",
    "mysql -u root -p@ shop", "curl --user me:@ https://x", "?user=a&password=@&x=1", "Pwd=@;Server=y", "**Password**: @", "- Passwort: `@`",
    '<add key="Password" value="@" />', "password：@", "口令：@", "mật khẩu: @", "hasło: @", "wachtwoord is @", "password:@",
]  # fmt: skip

CLEAN = [
    "password = os.environ['DB_PASSWORD']", "password: string", "password=password", "password: str", "token = get_token()",
    "api_key = settings.API_KEY", "PASSWORD=${DB_PASSWORD}", "password: <your-password>", "password: ********", "token: xxxxxxxxxxxxxxxx",
    "password is required", "the password was wrong again", "self.password = password", "password_hash = hash(password)",
    "tokens used: 12345678", "max_tokens=4096", "primary_key = 'user_id'", "commit 3f9a1c0d5e7b2a4f6c8d0e1f2a3b4c5d6e7f8091",
    "session 5eb4223e-5008-46e5-be67-c7b8f2732305", "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "sk-your-api-key-goes-here-please", "glpat-your-personal-access-token", "sk-learn is not scikit-learn",
    "hf_requiredCharacteristicTypesForDisplayMetadata", "https://example.org/path?page=2", "postgres://user:password@localhost/db",
    "curl -u $USER:$PASS https://x", "Authorization: Bearer $TOKEN", 'Authorization: "Bearer " + token', "data:image/png;base64,iVBORw0KGgoAAAANSUhEUg",
    '"integrity": "sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17LhbZVGedAJv8XZ1tvj5FvSg=="',
    "keyword: Befaehigung_P2", "the key is under the mat", "public_key = 9Cnzj4p4WGeKLs1Pt8QuKUpRKfFLfRYC9AIKjbJTWit", "csrf_token=abc",
    "50% of 100%25 and \\u2026", "密码已经改了", "пароль нужно сменить", "das Passwort ist falsch", "[redacted:password:3f9a]", "password: [redacted:password:3f9a]",
    "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----", "files that begin with -----BEGIN RSA PRIVATE KEY----- are keys",
]  # fmt: skip


@pytest.mark.parametrize("form", ASSIGNED)
def test_a_password_is_found_however_it_is_assigned(form: str) -> None:
    """Nothing of the password is left, and what stands around it is."""
    text = re.sub(r"@(?=@)|(?<!@)@", lambda _: PASSWORD, form, count=1)
    shown, kinds = guard.redacted(text)
    assert kinds, text
    assert PASSWORD not in shown
    before, _, after = text.partition(PASSWORD)
    assert shown.startswith(before), shown
    assert shown.endswith(after), shown


@pytest.mark.parametrize("text", CLEAN)
def test_what_only_looks_like_a_secret_is_let_alone(text: str) -> None:
    """A memory with holes in it is not read: stand-ins, code, types, hashes and ids stay."""
    assert guard.redacted(text) == (text, ())


PEM = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmU\nAAAAAAABAAABlwAAAAdzc2gtcn\n-----END OPENSSH PRIVATE KEY-----"


@pytest.mark.parametrize("prefix", [prefix for _, prefixes, _, sure in TOKENS if not sure for prefix in prefixes.split() if len(prefix) < 6])
def test_a_temporary_folder_whose_name_begins_like_a_token_is_let_alone(prefix: str) -> None:
    """One in twelve thousand names that `mkdtemp` makes begins like one (`y0_uou60`), and an error must still name its path."""
    chance = random.Random(prefix)
    for _ in range(40):
        made = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz0123456789_", k=8)) for _ in range(2)]
        path = f"/srv/holdfast-{(prefix + made[0])[:8]}/lab/run-{made[1]}/base/memory"
        assert guard.redacted(path)[0] == path


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"a\n{PEM}\nb", "a\n@\nb"),
        (f"a\n{PEM.rpartition(chr(10))[0]}\n\nwords that follow", "a\n@\n\nwords that follow"),
        (json.dumps({"private_key": PEM}), '{"private_key": "@"}'),
        (f"a {PEM.replace(chr(10), ' ')} b", "a @ b"),
        ("\n".join(f"+{line}" for line in PEM.split("\n")), "+@"),
    ],
    ids=["whole", "without-footer", "json", "one-line", "diff"],
)
def test_a_private_key_goes_whole(text: str, left: str) -> None:
    """From its header to its footer, or to its last line of base64 where the footer is missing."""
    assert re.sub(r"\[redacted:private-key:....\]", "@", guard.redacted(text)[0]) == left


# ---- placeholders ------------------------------------------------------------------------------------------------------


def test_a_placeholder_is_the_same_for_the_same_secret_and_key_and_for_no_other() -> None:
    """In plain text and in every disguise; another workspace's key gives another."""
    marks = {re.findall(r"\[redacted:[^\]]+\]", guard.redacted(f"x {hide(TOKEN)} y", lambda: b"k")[0])[0] for hide in DISGUISES.values()}
    assert len(marks) == 1
    assert re.fullmatch(r"\[redacted:github-token:[0-9a-f]{4}\]", marks.pop())
    other = {guard.redacted(TOKEN, lambda key=key: key)[0] for key in (b"k", b"l", b"m")}
    assert len(other) == 3


@given(st.lists(st.sampled_from([TOKEN, f"password={PASSWORD}", "word", "key:", "token", "=", "<private>", "</private>", "\\u0067", "%67", '"', "[redacted:"])))
@example([f"password={PASSWORD}", "=", "\\u0067"])  # `: 3f9a] =` reads like the type of a variable
def test_what_was_redacted_is_never_redacted_again(parts: list[str]) -> None:
    """A second pass changes nothing: a placeholder is no secret, and no value of a key."""
    once = guard.redacted(" ".join(parts))[0]
    assert guard.redacted(once)[0] == once
    assert TOKEN not in once


@given(st.text())
def test_redacting_is_total_and_changes_nothing_else(text: str) -> None:
    """Any text goes through, and a text without finds comes out as it was."""
    shown, kinds = guard.redacted(text)
    assert kinds or shown == text


# ---- engines -----------------------------------------------------------------------------------------------------------

ENGINES = [telltales.by_vocabulary, telltales.by_hyperscan]
TEXTS = [put(CONTEXTS["lines"], hide(put(words, made(secret)))) for words, secret in GENERIC.values() for hide in DISGUISES.values()]
TEXTS += [put(CONTEXTS["prose"], made(secret)) for secret in PROVIDERS.values()] + ASSIGNED + CLEAN
MORE = [put(CONTEXTS["json"], made(secret)) for secret in FORMS.values()]
MORE += [words.replace("@", made(secret)) for words, secret in SETTINGS.values()]
MORE += [f"{'part-of.a_path/' * 20}_{made(secret)}" for secret in (*PROVIDERS.values(), *FORMS.values())]  # in a run of their own letters


# Telltales that stand close, where engines pass over most of them, each with secrets behind them.
CLOSE = [f"{text_of(case, 700)}{joint}{TOKEN} password: Xy7-kk29q" for case in CASES[::2] for joint in (" ", "_")]
CLOSE += [f"{text_of(case, 30_000)} {TOKEN}" for case in CASES[::40]]  # so many that a scan with Hyperscan is broken off


def found_by_trying(text: str) -> list[tuple[int, int, str, str]]:
    """The secrets of a text as the rules find them where every telltale is tried wherever it stands."""

    def tokens(said: str) -> tuple[list[tuple[int, int, str]], list[tuple[int, int, str]]]:
        known, issued = [], []
        for run in re.finditer(r"[A-Za-z0-9_.,$|:=!*+/%~\\^\[\]-]+", said):
            places = {place for prefix in telltales.PREFIXES for place in telltales.every(run[0], prefix)}
            behind = said[run.start() : run.end() + 1]
            known += [(run.start() + start, run.start() + end, kind) for start, end, kind in redaction._begun(behind, places)]
            issued += [(run.start() + start, run.start() + end, kind) for start, end, kind in redaction._issued(run[0])]
        return known, issued

    def words(lower: str) -> dict[str, list[int]]:
        return {word: list(telltales.every(lower, word)) for word in telltales.WORDS}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(redaction, "_tokens", tokens)
        return redaction.secrets_in(text, words)


MIXED = st.lists(
    st.tuples(
        st.sampled_from([*UNITS.values(), *(made(secret) for secret in PROVIDERS.values())]),
        st.sampled_from(["", " ", "=", ": ", '"', "-", "/", "\n", "a1b2c3d4", "some-long-name", "\u200b", "%41", "\\u0041", "é", "是 "]),
    ),
    min_size=1,
    max_size=40,
)


@settings(max_examples=300, deadline=None)
@given(MIXED, st.sampled_from([1, 1, 4, 20]))
def test_what_stands_close_to_other_telltales_is_found_as_if_each_were_tried(parts: list[tuple[str, str]], times: int) -> None:
    """Neither runs that are known, nor words that are refused before a rule is asked, nor a vocabulary make a difference."""
    text = "".join(map("".join, parts)) * times
    assert redaction.secrets_in(text) == found_by_trying(text)


BEFORE = st.sampled_from(["", " ", "\n", "x", "db_", "--", "my-", "bearer_", "pass_phrase_", '"', "{", "é"])
BEHIND = st.lists(
    st.sampled_from([
        *("", " ", "  ", "\t", "\n", "\r\n", "=", ":", " : ", " = ", ": ", '"', "'", "`", "(", ")", ",", ";", ".", "-", "_", "|", "’s ", "'s "),
        *("is", "for", "to", "value", "Value", "bearer", "Token", "API", "für", "是", "phrase", "str", "null", "hunter", "wort", "word"),
        *("été", "密码", "a", "ab1", "a1b2", "hunter2", "Xy7-kk29q", "q8Zk2LmX81pQwE7rT4yB", "a_long_name", "jumbledXqZkTr", "\\", "{", "<"),
        *("on ", "from x to ", "คือ", "b'", "là ", "        ", "otter lantern copper sleigh", "otter-lantern-copper", "hunter42x"),
    ]),
    max_size=9,
).map("".join)  # fmt: skip


@settings(max_examples=2000, deadline=None)
@given(st.sampled_from(sorted(telltales._ASSIGNED)), BEFORE, BEHIND, st.booleans())
@example("lozinka", "", "  forfor", False)  # and this: a word in a column is no value either
@example("_pat", " ", "bearer a1b2", False)  # found by chance, once: `_patbearer` is a bearer
def test_where_an_expression_refuses_a_word_the_rule_has_nothing_to_say(word: str, before: str, behind: str, loud: bool) -> None:
    """Not even how far a value went: what stands behind is looked at as if the word were not there."""
    text = f"{before}{word.upper() if loud else word}{behind}"
    lower = telltales.lowered(text)
    place = len(before)
    if not lower.startswith(word, place) or any(lower.startswith(other, place) for other in telltales.longer(word)):
        return  # another word is the one that speaks
    if re.compile(telltales._with_surroundings(word)).match(lower, place) is None:
        end = place + len(word)
        rule = assigned.named if word in NAMES else partial(assigned.assigned, password=word in PASSWORD_WORDS)
        assert rule(text, place, end) == (None, end)


def test_what_an_expression_takes_for_letters_are_letters() -> None:
    """In the eyes of the rule as well."""
    letters = [chr(code) for code in range(0x10000) if re.fullmatch(telltales._LETTER, chr(code))]
    assert "".join(letters).isalpha()
    assert len(letters) > 30_000


@pytest.mark.parametrize("source", [source for _, _, _, source in SHAPES if re.search(redaction._GAP, source)])
def test_what_is_asked_for_behind_a_gap_is_within_reach_of_the_telltale(source: str) -> None:
    """Else a secret far from its telltale would be passed over where telltales stand close."""
    wanted = source[re.search(redaction._GAP, source).end() :]  # type: ignore[union-attr]
    assert _parser.parse(source).getwidth()[1] + _parser.parse(wanted).getwidth()[1] <= redaction._REACH


@pytest.mark.parametrize("said", ["the 密码Xy7-kk29q。", "root password's Xy7-kk29q", "비번_tm8VlUgduNIxJ\\n", 'password"value": "Xy7-kk29q"'])
def test_a_password_is_found_among_a_thousand_words_for_one(said: str) -> None:
    """As it is where it stands alone: that one comes after another is no reason to look less closely."""
    alone = [found[3] for found in redaction.secrets_in(said)]
    assert alone
    for row in ("password token key secret ", "密码 비번 ", "password ", "key-"):
        assert alone[0] in [found[3] for found in redaction.secrets_in(f"{row * 200}\n{said}\n{row * 200}")]


@pytest.mark.parametrize("case", [case for case in CASES if case != NESTED][::7])
def test_near_matches_that_are_all_different_hide_nothing(case: str) -> None:
    """Neither before nor behind a secret."""
    text = f"{varied(case, 3_000)} {TOKEN} password: Xy7-kk29q\n{varied(case, 500)}"
    assert redaction.secrets_in(text) == found_by_trying(text)


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.__name__)
def test_every_engine_finds_the_same_where_telltales_stand_close(engine: object) -> None:
    """What an engine passes over, the rules would refuse."""
    if engine is telltales.by_hyperscan:
        pytest.importorskip("hyperscan", reason="the extra `fast` is not installed")
    for text in CLOSE:
        assert redaction.secrets_in(text, engine) == found_by_trying(text)  # type: ignore[arg-type]


def test_a_scan_gives_way_where_telltales_stand_close() -> None:
    """And hands over as few places as the other engine does."""
    pytest.importorskip("hyperscan", reason="the extra `fast` is not installed")
    text = "pat-keys:// " * 5_000
    assert telltales.by_hyperscan(text) == telltales.by_vocabulary(text)


ROWS = ["sk-" * 150, "some-long-words-of-a-name_" * 30, "GHP_ghp_" * 80, "ghp_" * 45 + "wordsome-", "ghp_a-" * 25 + "a1-"]


@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("search", [found_by_trying, redaction.secrets_in], ids=lambda search: search.__name__)
def test_a_token_behind_a_row_of_words_is_found(row: str, search: Callable[[str], list[tuple[int, int, str, str]]]) -> None:
    """However many prefixes are among them: they are passed over, not taken for what hides it."""
    text = f"see {row}{TOKEN} there"
    found = search(text)
    assert [one for one in found if one[0] <= text.index(TOKEN) and one[1] == text.index(TOKEN) + len(TOKEN)]


CHOSEN, DRAWN = "vT7!kQ9xzB2m", made("{an 36}")  # by a person, and by a machine
WAYS = """
- name: DB_PASSWORD~  value: P|        - name: API_TOKEN~          value: "K"|{"name": "DB_PASSWORD", "value": "P"}
{"key": "STRIPE_KEY", "value": "K"}|<add key="ApiKey" value="K" />|<property name="password" value="P"/>|db_password: >-~  P~
variable "db_password" {~  type = string~  default = "P"~}|gh secret set DEPLOY_TOKEN --body "K"|define('REDIS_PASS', 'P');
CREATE USER app IDENTIFIED BY 'P';|create user app with password 'P';|ALTER ROLE app ENCRYPTED PASSWORD 'P';|requirepass P
redis-cli -h cache -a P ping|sshpass -p 'P' ssh me@host|htpasswd -nb bob P|htpasswd -b .htpasswd bob P|openssl rsa -in k -passin pass:P
zip -P P out.zip a|docker login -u bob -p P|az login --service-principal -u x -p P --tenant y|vault login K|vault login -method=token K
The password for the admin account is P|the password of db.local was P|DB_PASSWORD=+P|password: @P|DB_PASSWORD=PVmE%BTq9P|salasana: P
**Password:** P|- **Password:** `P`|pw=P|user: bob, pass: P|Password (staging): P|password for admin: P|password is now P|set the root password to P
Das Passwort für die Datenbank ist P|la contraseña de staging es P|密码改成 P|密码设置为：P|账号 admin 密码 P|пароль от базы: P|mongosh -u bob -p P
openssl enc -aes256 -pass pass:P|https://K@github.com/x/y.git|Server=x;Password=vK8$mQ9P;|JWT_SECRET=hunter22P|oauth:T
Cookie: theme=dark; session=K; path=/|Set-Cookie: sessionid=K; HttpOnly|the token is s.K.|mnemonic: "W"|My seed phrase is W
""".replace("\n", "|").strip("|").split("|")  # fmt: skip
SEED = "abandon ability able about above absent absorb abstract absurd abuse access accident"


@pytest.mark.parametrize("way", WAYS)
def test_a_secret_is_found_where_people_write_it(way: str) -> None:
    """In manifests, settings, SQL, commands, headers and sentences."""
    written = way.replace("s.K", f"s.{DRAWN[-24:]}").replace("9P", f"9{CHOSEN}").replace("22P", "22vkQ9xzB2m")
    written = written.replace("oauth:T", f"oauth:{made('{low 18}')}{DRAWN[-12:].lower()}").replace("~", "\n")
    written = re.sub(r"(?<!-)\b[PKW]\b", lambda found: {"P": CHOSEN, "K": DRAWN, "W": SEED}[found[0]], written)
    shown = guard.redacted(f"a line before\n{written}\nand after")[0]
    assert [secret for secret in (CHOSEN, DRAWN, SEED, "BTq9") if secret[-8:] in shown] == []
    assert "[redacted:" in shown
    assert shown.startswith("a line before\n")
    assert shown.endswith("\nand after")


@pytest.mark.parametrize(
    "text",
    [
        "ssh login -p 2222 to the host, docker login --password-stdin < file",
        "The seed phrase is a list of twelve words that you must never show to anybody else at all",
        "CREATE USER app; ALTER ROLE app NOLOGIN; the column password is not null",
        "- name: DB_PASSWORD~  valueFrom:~    secretKeyRef:~      name: db",
        "- name: LOG_LEVEL~  value: debug9-of-all",
        "The password for staging is stored in the vault, the key for the cache is computed at start",
        "Cookie: theme=dark; lang=de",
        "variable \"db_password\" {~  type = string~}",
        "password: |~",
        "zip -r -9 out.zip src && unzip -p out.zip | head",
        "run pass:fail 3:4, then first_pass('stage2.log')",
        "密码：至少8位，口令：6位数字，パスワード: 12文字以上 密码：见1Password",
        "add a password to v2, set the password to expire in 90 days, the password for v2.1 is optional",
        "--- PASS: TestGetSessionByID2And3 (0.04s)~tests pass: 12 of 14, pw=width*2",
        "password=$DB_PASSWORD password=${PW1} PASSWORD=$1 password=%s1 password: $user",
        "docker run -u 1000 -p 8080:80 img; ssh -u bob -p 2222 host",
        "JWT_SECRET=dev~TOKEN=test1~max_tokens=4096",
    ],
)
def test_what_only_looks_like_one_of_these_ways_stays(text: str) -> None:
    """A port, a reference, a column, a sentence."""
    text = text.replace("~", "\n")
    assert guard.redacted(text) == (text, ())


DROPBOX = made(PROVIDERS["dropbox"])
HIDING = {
    "many short values in a long one": (f'secret = "{"key=ab1c " * 12}password=Xy7-kk29q "', "Xy7-kk29q"),
    "a token that ends where it begins": (f"see {TOKEN}-{DROPBOX} there", DROPBOX),
    "a folder before it": (f"look into build/docs/{TOKEN} there", TOKEN),
}


@pytest.mark.parametrize("what", HIDING)
def test_what_stands_before_a_secret_does_not_hide_it(what: str) -> None:
    """Neither other values, nor another token, nor a path."""
    text, secret = HIDING[what]
    assert secret[-9:] not in guard.redacted(text)[0]


@pytest.mark.parametrize("between", ["\x1b[0m", "\x00", "\x1b[", "\x07\x07"])
def test_a_secret_among_many_controls_is_replaced_and_nothing_else(between: str) -> None:
    """They are taken out at once, and where each of them stood is known all the same."""
    split = between.join(TOKEN[at : at + 5] for at in range(0, len(TOKEN), 5))
    around = f"{between}word" * 60
    shown, kinds = guard.redacted(f"{around} {split} {around}")
    assert kinds == ("github-token",)
    assert shown.startswith(f"{around} [redacted:github-token:")
    assert shown.endswith(f"] {around}")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("secret_key = {}", "token"),
        ("token_prod_2: {}", "token"),
        ("Authorization: Bearer {}", "authorization"),
        ("bearer_of_ours={}", "bearer-token"),
        ("password_prod='{}'", "password"),
        ("key_file = {}", None),
        ("password_hash = {}", None),
    ],
)
def test_how_a_name_may_go_on_behind_its_word(text: str, kind: str | None) -> None:
    """Also where it stands close, and most places are refused before a rule is asked."""
    text = text.format("q8Zk2LmX81pQwE7rT4yB")
    close = f"{text}\n{'key: token. secret password bearer authorization ' * 40}"
    for said in (text, close):
        assert [found[2] for found in redaction.secrets_in(said)] == ([kind] if kind else [])


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.__name__)
def test_every_engine_finds_the_same(engine: object) -> None:
    """What is a secret does not depend on what is installed."""
    if engine is telltales.by_hyperscan:
        pytest.importorskip("hyperscan", reason="the extra `fast` is not installed")
    for text in [*TEXTS, *MORE, "\n".join(TEXTS)]:
        assert redaction.secrets_in(text, engine) == found_by_trying(text)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", sorted(FORMS.keys() - UNMARKED))
def test_keys_of_further_providers_are_found_in_a_sentence(name: str) -> None:
    """Whole, whatever else the sentence says."""
    key = made(FORMS[name])
    shown, kinds = guard.redacted(IN_A_SENTENCE.replace("@", key))
    assert kinds
    assert [key[at : at + 10] for at in range(len(key) // 2, len(key) - 9) if key[at : at + 10] in shown] == []


@pytest.mark.parametrize("name", sorted(SETTINGS.keys() - UNNAMED))
def test_keys_of_further_providers_are_found_where_their_documentation_puts_them(name: str) -> None:
    """In a variable, a header, a flag or a command."""
    words, template = SETTINGS[name]
    assert made(template) not in guard.redacted(words.replace("@", made(template)))[0]


@pytest.mark.parametrize("name", sorted(UNMARKED))
def test_what_has_no_mark_is_found_behind_a_word_for_it(name: str) -> None:
    """And is not looked for elsewhere: an id looks no different."""
    assert made(FORMS[name]) not in guard.redacted(f"ACME_API_KEY={made(FORMS[name])}")[0]


DRAWN = made("{an 36}")
ISSUED = {
    f"use acme_{DRAWN} there": True,
    f"use acme-{DRAWN} there": True,
    f"(acme_live_{DRAWN})": True,
    f"export ACME=acme_{DRAWN}": True,
    f"https://acme.local/acme_{DRAWN}": False,  # a path is full of ids
    f"use {DRAWN} there": False,
    f"use Acme_{DRAWN} there": False,
    f"use toolu_01{DRAWN[:22]} there": False,
    f"chatcmpl-{DRAWN[:29]}": False,
    f"sha512-{DRAWN}{DRAWN}==": False,
    f"file_id_{DRAWN}": False,
    "resp_" + made("{hex 48}"): False,
    "cache-" + made("{hex 64}"): False,
    "icon_ThisIsAVeryLongNameOfAThingInCamelCase2And3More": False,
    "icon_" + "Ab1" * 14: False,
}


@pytest.mark.parametrize("text", ISSUED)
def test_a_token_of_an_issuer_that_nobody_told_us_of_is_known_by_how_it_is_drawn(text: str) -> None:
    """A name in small letters, and letters of all kinds drawn at random: longer than ids are, and with capitals, unlike hashes."""
    assert bool(redaction.secrets_in(text)) == ISSUED[text]


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_that_is_called_harmless_has_no_secret(text: str) -> None:
    """The test that spares one-line commands the rules never spares them a secret."""
    assert not (guard.harmless(text) and redaction.secrets_in(text))


def test_a_text_with_nothing_to_check_loads_and_compiles_nothing() -> None:
    """Not even the modules; and one with a path or a link in it compiles no rule that it does not need."""
    program = (
        "import sys; from holdfast.guard.entering import redacted; redacted('fix the parser of dates');"
        "assert 'holdfast.guard.rules' not in sys.modules; redacted('see src/holdfast/markdown.py for it');"
        "from holdfast.guard.rules import _made; assert not _made, list(_made)"
    )
    subprocess.run([sys.executable, "-c", program], check=True, env={"PYTHONPATH": str(SOURCE)})


def test_every_character_that_looks_like_ascii_or_like_nothing_is_undone() -> None:
    """All code points: in the midst of a token they hide it from nobody."""
    for code in range(0x80, 0x110000):
        letter = chr(code)
        if 0xD800 <= code < 0xE000:
            continue
        said = unicodedata.normalize("NFKC", letter)
        if disguise.is_left_out(letter) or (len(said) == 1 and said.isascii() and (said.isalnum() or said == "_")):
            views = list(disguise.views(f"a{letter}b"))
            assert [view.text for view in views] == [f"a{'' if disguise.is_left_out(letter) else said}b"], hex(code)


# ---- at the doors ------------------------------------------------------------------------------------------------------


def test_redact_changes_nothing_but_secrets(holdfast: Holdfast) -> None:
    """Bytes that are no text, line ends and control characters come out as they went in."""
    text = f"a\r\n\x00\udcff {TOKEN}\t\x1b[0m\n\n"
    answer = holdfast("redact", stdin=text.encode("utf-8", "surrogateescape"))
    assert answer.code == 0
    assert re.sub(r"\[redacted:github-token:....\]", TOKEN, answer.out) == text
    assert holdfast("redact", stdin=text.encode("utf-8", "surrogateescape")).out == answer.out


def test_redact_says_where_and_never_what(holdfast: Holdfast) -> None:
    """`--check` and `--json` name kind and place; the exit code of a check is for scripts."""
    text = f"one\ntwo {TOKEN}\n<private>x</private>"
    found = json.loads(holdfast("redact", "--json", stdin=text.encode("utf-8", "surrogateescape")).out)
    assert [(place["kind"], place["line"]) for place in found] == [("github-token", 2), ("private", 3)]
    assert text[found[0]["start"] : found[0]["end"]] == TOKEN
    checked = holdfast("redact", "--check", stdin=text.encode("utf-8", "surrogateescape"))
    assert (checked.code, checked.out) == (1, "line 2: github-token\nline 3: private\n")
    assert holdfast("redact", "--check", stdin=b"nothing here").code == 0
    assert holdfast("redact", "text").code == 2


@pytest.mark.parametrize("given_", [{"context": {"db password": PASSWORD}}, {"names": [{"kind": "PASSWORD", "value": PASSWORD}]}, {"api_key": made("{an 32}")}])
def test_a_key_and_its_value_are_read_together(holdfast: Holdfast, workspace: Path, given_: dict[str, object]) -> None:
    """`password` and `hunter2` show what they are only side by side, also where a checkpoint has them apart."""
    secret = re.findall(r"[A-Za-z0-9]{12,}", json.dumps(given_))[-1]
    answer = holdfast("checkpoint", "-", stdin=(json.dumps({"task": "t", **given_})).encode())
    assert answer.code == 0
    assert "redacted: " in answer.err
    assert secret.encode() not in b"".join(path.read_bytes() for path in workspace.rglob("*") if path.is_file())


WASHED: list[tuple[object, object]] = [  # a field as it is given, and as it is kept; `…` stands for a placeholder
    ({"db password": PASSWORD}, {"db password": "…"}),
    ({"db password": PASSWORD, "host": "kite"}, {"db password": "…", "host": "kite"}),
    ({"tries": 3, "db": {"password": PASSWORD}}, {"tries": 3, "db": {"password": "…"}}),
    ({"seen": [PASSWORD, "kite"], "password": PASSWORD}, {"seen": (PASSWORD, "kite"), "password": "…"}),
    ([("db password", PASSWORD), ("host", "kite")], (("db password", "…"), ("host", "kite"))),
    ([f"password: {PASSWORD}", 3, None], ("password: …", 3, None)),
]


@pytest.mark.parametrize(("value", "kept"), WASHED)
def test_every_text_of_a_value_is_looked_at_with_its_name(value: object, kept: object) -> None:
    """However deep it stands and in whatever it is held; what is no secret stays what it was."""

    def shown(found: object) -> object:
        if isinstance(found, dict):
            return {name: shown(one) for name, one in found.items()}
        if isinstance(found, tuple):
            return tuple(map(shown, found))
        return re.sub(r"\[redacted:password:[0-9a-f]{4}\]", "…", found) if isinstance(found, str) else found

    change, kinds = guard.clean({"context": value})
    assert set(kinds) == {"password"}
    assert shown(change["context"]) == kept


AMONG = {  # a command that says nothing, and one with a password
    "schtasks": ("schtasks /query", f"schtasks /create /tn backup /rp {PASSWORD}"),
    "xfreerdp": ("xfreerdp /v:kite", f"xfreerdp /v:kite /u:kim /p:{PASSWORD}"),
    "redis-cli": ("redis-cli ping", f"redis-cli -h kite -a {PASSWORD}"),
    "smbclient": ("smbclient -L kite", f"smbclient -L kite -U kim%{PASSWORD}"),
}


@pytest.mark.parametrize("place", [0, 150, 299])
@pytest.mark.parametrize("command", AMONG)
def test_a_password_is_found_among_hundreds_of_commands_that_have_none(command: str, place: int) -> None:
    """A log of the same command over and over: where most have none near, the one that has it is still looked at."""
    harmless, telling = AMONG[command]
    lines = [harmless] * 300
    lines[place] = telling
    text = "\n".join(lines)
    assert redaction.stands_close(300, len(text)), "it is not looked at by the quick way"
    assert PASSWORD not in guard.redacted(text)[0]


def test_what_is_private_is_dropped_by_one_line_commands(holdfast: Holdfast) -> None:
    """It is not refused: the rest is what was meant to be kept."""
    assert holdfast("task", "ship it <PRIVATE>to Kim, who is ill</private> on Friday").code == 0
    shown = holdfast("show", "state").out
    assert "ship it  on Friday" in shown or "ship it on Friday" in shown
    assert "Kim" not in shown


def test_two_processes_that_make_the_key_at_once_have_one(tmp_path: Path) -> None:
    """The one that comes second keeps the key that is there: it would make the other's placeholders strangers."""
    one, two = (Memory(str(tmp_path), Config(), write=True) for _ in range(2))
    key = one.key()
    made_late = two.swap.prepare(b"another key of the right length.")
    with pytest.raises(FileExistsError):
        two.swap.place(made_late, two.home, "key")
    assert two.key() == key == (tmp_path / ".holdfast" / "key").read_bytes()
    assert (tmp_path / ".holdfast" / "key").stat().st_mode & 0o777 == 0o600
    one.close()
    two.close()


def test_a_key_that_cannot_be_read_stops_no_checkpoint(holdfast: Holdfast, workspace: Path) -> None:
    """A folder in its place: the record is saved, and the secret is not."""
    (workspace / ".holdfast" / "key").mkdir(parents=True)
    answer = holdfast("checkpoint", "--task", f"use {TOKEN}")
    assert answer.code == 0
    assert "redacted: github-token" in answer.err
def test_threads_that_look_at_once_find_the_same() -> None:
    """Hyperscan's working space serves one at a time; whoever does not get it uses the expressions."""
    pytest.importorskip("hyperscan", reason="hyperscan is an extra, and it is not installed here")
    text = f"{'plain words and more of them → ' * 2000} {TOKEN}"
    found: list[int] = []

    def look() -> None:
        found.extend(len(redaction.secrets_in(text, telltales.by_hyperscan)) for _ in range(20))

    threads = [threading.Thread(target=look) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [1] * 120


@pytest.mark.parametrize("place", [0, 7, 29])
def test_of_many_texts_in_base64_the_one_with_a_secret_is_found(place: int) -> None:
    """They are searched together first; what is found then is taken out of its own run, and no other is touched."""
    said = [f"the lamp number {number} is lit at night" for number in range(30)]
    said[place] = f"the token is {made('ghp_{an 36}')} for now"
    runs = [base64.b64encode(text.encode()).decode() for text in said]
    shown = guard.redacted("\n".join(runs))[0].split("\n")
    assert [run for run in range(30) if shown[run] != runs[run]] == [place]
