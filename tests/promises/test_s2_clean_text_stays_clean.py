"""S2: text without secrets stays as it is: at most one false alarm in ten thousand lines.

Real text that every machine has: the standard library's own source, this project's documents, and lines of what transcripts
are full of: commits, ids, hashes, lock files, pictures, test names, in twenty languages.
"""
# ruff: noqa: E501

from __future__ import annotations

import base64
import random
import sysconfig
import uuid
from pathlib import Path

from holdfast.guard.entering import redacted

ROOT = Path(__file__).parent.parent.parent
DICE = random.Random(20261115)
ALLOWED = 1 / 10_000

GREETINGS = [
    "Zugangsdaten liegen im Tresor, das Passwort ist dort hinterlegt", "le mot de passe est dans le coffre", "la contraseña está en la caja fuerte",
    "пароль лежит в сейфе", "密码在保险箱里", "パスワードは金庫の中にあります", "비밀번호는 금고에 있습니다", "a senha está no cofre", "la password è nella cassaforte",
    "het wachtwoord ligt in de kluis", "lösenordet finns i valvet", "hasło jest w sejfie", "heslo je v trezoru", "a jelszó a széfben van",
    "şifre kasada", "كلمة المرور في الخزنة", "הסיסמה בכספת", "mật khẩu ở trong két", "kata sandi ada di brankas", "รหัสผ่านอยู่ในตู้เซฟ",
]  # fmt: skip


def _hex(length: int) -> str:
    return "".join(DICE.choice("0123456789abcdef") for _ in range(length))


def _blob(length: int) -> str:
    return base64.b64encode(DICE.randbytes(length)).decode()


MADE = [
    lambda: f"commit {_hex(40)}",
    lambda: f"index {_hex(7)}..{_hex(7)} 100644",
    lambda: f"session {uuid.UUID(int=DICE.getrandbits(128))} of agent:main:{DICE.randrange(99)}",
    lambda: f'      "integrity": "sha512-{_blob(64)}",',
    lambda: f"requests==2.32.3 --hash=sha256:{_hex(64)}",
    lambda: f"![figure](data:image/png;base64,{_blob(90)})",
    lambda: f"toolu_{_blob(18).replace('+', 'x').replace('/', 'y')} returned {DICE.randrange(9999)} lines",
    lambda: f"--- PASS: TestTokenRefresh_{DICE.randrange(99)}/expired_secret_is_refused (0.0{DICE.randrange(9)}s)",
    lambda: f"image: registry.local/app@sha256:{_hex(64)}",
    lambda: f"tokens: {DICE.randrange(10**6)} in, {DICE.randrange(10**5)} out, cache key v{DICE.randrange(9)}-{_hex(8)}",
    lambda: f"https://example.org/issues/{DICE.randrange(10**5)}#issuecomment-{DICE.randrange(10**9)}",
    lambda: "    password = getpass.getpass(prompt) or settings.DATABASE_PASSWORD",
    lambda: f"msg_{_hex(24)} requestId: req_{_hex(20)}",
    lambda: DICE.choice(GREETINGS),
]


def alarms(texts: list[str], found: object = redacted) -> tuple[int, int, list[str]]:
    """(alarms, lines, what they were)."""
    kinds = [(text, found(text)[1]) for text in texts]  # type: ignore[operator]
    return sum(len(k) for _, k in kinds), sum(text.count("\n") + 1 for text in texts), [f"{k} in {t[:200]!r}" for t, k in kinds if k]


def test_real_text_raises_at_most_one_alarm_in_ten_thousand_lines() -> None:
    """Source and documents, some hundred thousand lines of them."""
    library = Path(sysconfig.get_path("stdlib"))
    files = [*library.glob("*.py"), *library.glob("asyncio/*.py"), *(ROOT / "src").rglob("*.py"), *(ROOT / "docs").rglob("*.md")]
    texts = [path.read_text(errors="surrogateescape") for path in sorted(files)]
    count, lines, what = alarms(texts)
    assert lines > 50_000
    assert count <= lines * ALLOWED, what


def test_what_transcripts_are_full_of_raises_none() -> None:
    """Two thousand lines of each kind of id, hash, blob and sentence about passwords."""
    count, lines, what = alarms([make() for _ in range(2000) for make in MADE])
    assert count <= lines * ALLOWED, what[:10]


def test_control_entropy_alone_raises_an_alarm_on_nearly_every_line() -> None:
    """Control: a rule that takes every long run of letters and digits for a secret is found out."""

    def naive(text: str) -> tuple[str, tuple[str, ...]]:
        return text, tuple("?" for word in text.split() if len(word) > 20 and any(map(str.isdigit, word)))

    count, lines, _ = alarms([make() for _ in range(20) for make in MADE], naive)
    assert count > lines * ALLOWED * 100
