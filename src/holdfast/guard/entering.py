"""What may enter memory.

What is private is dropped, control characters are removed, and secrets are refused (one-line commands) or replaced by a
placeholder (checkpoints, hooks). So is what somebody asks not to be remembered: refused, or left out (unremembered.py). A
checkpoint is measured against zero tolerance: what falls short is named, and saved all the same.
How it goes out again is framing.py's.

This is the door; what secrets look like is in rules.py, and how they are found in redaction.py. Neither is loaded for a text
that has nothing of a secret about it, so that a command with nothing to check pays nothing.
"""

from __future__ import annotations

from ..errors import NotToBeRemembered, SecretRefused
from ..model import CODE_LINES, MANDATORY, PHASES, one_line, tidy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

_CONTROLS = dict.fromkeys((*range(9), 11, 12, *range(14, 32), *range(127, 160)))
_ASCII = bytes(range(128))
_MANY = 20_000  # characters of which some word is long enough nearly always: to look for it would be a look too many
_SEPARATORS = "\u2028\u2029\ufff9\ufffa\ufffb"
ASIDE = "\U000f0000"  # from here on: planes that nobody has given a look to
_LONG = 16  # a token is at least so many characters without a space between them
# What a secret in shorter words cannot do without: a word for it, a sign of a disguise, or the start of what is private.
_SIGNS = (
    "pass", "pw", "secret", "token", "key", "auth", "cred", "bearer", "appid", "wort", "contras", "senha", "woord", "adgangs",
    "heslo", "parola", "salasana", "lozinka", "geslo", "kata sandi", "clave", "jeton", "chave", "login", "mysql", "mariadb",
    " -u", "-user", "://", ":5432:", "%", "\\", "<", "identified by", "create user", "alter user", "create role",
    "alter role", "redis-cli", "zip -", "cookie:", "mnemonic", "phrase",
    "mdp", "psk", "zugangsdaten", "identifiants", "log in as", "net use", "schtasks", "ldap", "sudo -s", "7z", "openssl enc",
    "xfreerdp", "nickserv", "sqlplus", "oracle:", "smbclient", "rpcclient", "lftp", "http", "convertto", "reg add", "ssh-keygen",
    "put-parameter", "sonar.login", "sessid=", "sessionid=", "connect.sid", "gcloud", "kubeadm", "wrangler", "_pat",
    "rabbitmqctl", "getconnection", "dbi->", "directoryentry", "parool", "nenosiri", "pasahitza", "sqlcmd", "ipmitool",
    "mosquitto_", "bcp ", "plink", "pscp", "psftp", "vmrun", "psexec", "cmdkey", "wmic", "snmp", "wifi:",
)  # fmt: skip

# One of these is in every text that asks not to be remembered (unremembered.py).
_NOT_TO_REMEMBER = (
    "remember", "the record", "the-record", "your memory", "your notes", "merk", "retiens", "retenez",
    "mémorise", "recuerde", "memori", "lembre", "ricorda", "onthoud", "zapamiętuj", "запоминай", "запам",
    "hatırlama", "aklında", "تتذكر", "याद", "yaad", "nhớ", "ingat", "要记", "别记", "用记", "必记", "勿记", "再记",
    "要記", "別記", "用記", "必記", "勿記", "再記", "覚え", "記憶", "オフレコ", "기억하지",
)  # fmt: skip


def harmless(text: str) -> bool:
    """Whether a text cannot have a secret in it: plain words, none of them long, none that speaks of secrets."""
    if not text.isascii() or max(map(len, text.split()), default=0) >= _LONG:
        return False
    if not is_printable(text):
        return False  # what a control character splits is one word again when it is removed
    lower = text.lower()
    return not any(sign in lower for sign in _SIGNS)


def redacted(text: str, key: Callable[[], bytes] | None = None) -> tuple[str, tuple[str, ...]]:
    """The text without what is private and with its secrets replaced, and their kinds. A placeholder is never replaced again.

    `key` gives the workspace's key (Memory.key); it is asked only when there is a secret to replace.
    """
    if len(text) < _MANY and harmless(text):
        return text, ()
    from .redaction import replaced, secrets_in, without_private

    shown = without_private(text)
    private = ("private",) if shown != text else ()
    found = secrets_in(shown)
    if found:
        shown = replaced(shown, found, key() if key else b"")
    return shown, (*private, *(kind for _, _, kind, _ in found))


def may_ask_not_to_remember(text: str) -> bool:
    """Whether a text is worth a look at whether it asks not to be remembered; nearly none is, and that costs little."""
    lower = text.lower()
    return any(hint in lower for hint in _NOT_TO_REMEMBER)


def remembered(given: Mapping[str, Any]) -> tuple[Mapping[str, Any], tuple[str, ...]]:
    """The fields of a checkpoint without what they say is not to be remembered, and a kind where there was any."""
    if not may_ask_not_to_remember("\n".join(_texts_in(dict(given)))):
        return given, ()
    from .unremembered import leave_out_of_fields

    left, found = leave_out_of_fields(given)
    return left, ("not to be remembered",) if found else ()


def without_secrets(text: str, key: Callable[[], bytes] | None = None) -> str:
    """A text on its way out, with its secrets replaced: what a person wrote by hand came through no door of ours.

    What is private stays. Its end may be cut off here, and then all that stands behind it would go too.
    """
    if len(text) < _MANY and harmless(text):
        return text
    from .redaction import replaced, secrets_in

    found = secrets_in(text)
    return replaced(text, found, key() if key else b"") if found else text


def data_without_secrets(value: Any, key: Callable[[], bytes] | None = None) -> Any:
    """Data on its way out, with the secrets of every text in it replaced; a value is read with its name."""
    if isinstance(value, str):
        return without_secrets(value, key)
    if isinstance(value, dict):
        return {name: _value_without_secrets(name, item, key) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [data_without_secrets(item, key) for item in value]
    return value


def _value_without_secrets(name: Any, value: Any, key: Callable[[], bytes] | None) -> Any:
    before = f"{name}: "
    if not isinstance(name, str) or not isinstance(value, str) or harmless(name):
        return data_without_secrets(value, key)
    together = without_secrets(before + value, key)
    return together[len(before) :] if together.startswith(before) else without_secrets(value, key)


def redacted_beside(name: str, text: str, key: Callable[[], bytes] | None = None) -> tuple[str, tuple[str, ...]]:
    """A value as `redacted` gives it, read with its name: `password` and `hunter2` show what they are only when they stand
    together.
    """
    together, found = redacted(f"{name}: {text}", key)
    return (together[len(name) + 2 :], found) if found and together.startswith(f"{name}: ") else redacted(text, key)


def safe(text: str) -> str:
    """A text for a one-line command, without what is private: refused if there is a secret in it, or if it says that it is not
    to be remembered.

    The first line of a private key is refused too. Where it stands alone it is no secret, but the key is what was meant.
    """
    shown, found = redacted(text)
    kinds = set(found) - {"private"}
    if "BEGIN" in text:
        from .private_keys import KIND, has_header

        kinds |= {KIND} if has_header(text) else set()
    if kinds:
        raise SecretRefused(
            f"Not saved: the text has what looks like a secret in it ({', '.join(sorted(kinds))}).\n"
            "Nothing was written. Say where the secret is kept instead of what it is, and run the command again."
        )
    if may_ask_not_to_remember(shown):
        from .unremembered import asks_not_to_remember

        if asks_not_to_remember(shown):
            raise NotToBeRemembered(
                "Not saved: the text says that it is not to be remembered. Nothing was written.\n"
                "To keep it all the same, run the command again without those words."
            )
    return printable(shown)


def is_printable(text: str) -> bool:
    """Whether a text has nothing but what can be seen, and spaces between; by `replace`, since `translate` takes forty times as
    long where a text is not all ASCII.
    """
    return text.isprintable() or text.replace("\n", " ").replace("\t", " ").replace("\r", " ").isprintable()


def printable(text: str) -> str:
    """Without control characters, but with newlines and tabs, and in a form that can be written.

    Bytes that are not UTF-8 arrive as U+DC80…U+DCFF and are kept. Any other lone surrogate is half a character that somebody
    cut in two (JSON allows it, no encoding does); it becomes the sign for that.
    """
    if "\r" not in text and is_printable(text):
        return text
    text = text.replace("\r\n", "\n").replace("\r", "\n").translate(_CONTROLS)
    try:
        text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return "".join("\ufffd" if "\ud800" <= c <= "\udfff" and not "\udc80" <= c <= "\udcff" else c for c in text)
    return text


def foreign_letters(text: str) -> set[str]:
    """The characters of a text that are not ASCII; by way of its bytes, which takes a fifth of the time."""
    if text.isascii():
        return set()
    return set(text.encode("utf-8", "surrogatepass").translate(None, _ASCII).decode("utf-8", "surrogatepass"))


def is_invisible(letter: str) -> bool:
    """Whether a character takes no place: zero width, direction, variation, tags, soft hyphen, fillers, and the signs by which
    shorthand and music are set. That is what Unicode says is drawn as nothing (Default_Ignorable_Code_Point), and controls.
    """
    code = ord(letter)
    return (
        0x80 <= code < 0xA0
        or code in (0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFEFF, 0xFFA0)
        or 0x180B <= code <= 0x180F
        or 0x200B <= code <= 0x200F
        or 0x202A <= code <= 0x202E
        or 0x2060 <= code <= 0x206F
        or 0xFE00 <= code <= 0xFE0F
        or 0xFFF0 <= code <= 0xFFF8
        or 0x1BCA0 <= code <= 0x1BCA3
        or 0x1D173 <= code <= 0x1D17A
        or 0xE0000 <= code <= 0xE0FFF
    )


def is_left_out(letter: str) -> bool:
    """Whether a character does not go out into a context (framing.py): what is invisible, the separators and notes that no font
    draws, and the planes that nobody has given a look to. A secret that one of them breaks in two would be whole again there.
    """
    return is_invisible(letter) or letter in _SEPARATORS or letter >= ASIDE


def clean(change: Mapping[str, Any], key: Callable[[], bytes] | None = None) -> tuple[dict[str, Any], tuple[str, ...]]:
    """A checkpoint's fields with secrets redacted and control characters removed, and the kinds of what was redacted."""
    kinds: list[str] = []
    together = "\n\n".join(_texts_in(dict(change)))
    suspect = bool(redacted(together)[1])  # all at once: most have none
    if not suspect and is_printable(together):
        return dict(change), ()  # nearly always; to look at thousands of texts one by one takes ten times as long

    def washed(value: Any) -> Any:
        if isinstance(value, str):
            text, found = redacted(value, key) if suspect else (value, ())
            kinds.extend(found)
            return printable(text)
        if isinstance(value, (list, tuple)):
            if suspect and _is_pair(value):
                return pair(*value)
            return tuple(washed(item) for item in value)
        if isinstance(value, dict):
            items = value.items()
            return dict(pair(*item) if suspect and _is_pair(item) else (washed(item[0]), washed(item[1])) for item in items)
        return value

    def pair(name: str, text: str) -> tuple[str, str]:
        name = washed(name)
        text, found = redacted_beside(name, text, key)
        kinds.extend(found)
        return name, printable(text)

    return {name: washed(value) for name, value in change.items()}, tuple(kinds)


def _is_pair(value: Any) -> bool:
    return len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], str)


def _texts_in(value: Any) -> Iterator[str]:
    """Every text of a change, with a name and its value side by side."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.items():
            yield from _texts_in(item)
    elif isinstance(value, (list, tuple)):
        if _is_pair(value):
            yield f"{value[0]}: {value[1]}"
        for item in value:
            yield from _texts_in(item)


# ---- zero tolerance ----------------------------------------------------------------------------------------------------

_IDLE = (
    "idle", "currently idle", "nothing", "nothing right now", "no active task", "no task", "no current task", "waiting", "n/a",
    "空闲", "无", "无任务", "无当前任务", "没有任务", "没有当前任务", "暂无任务", "当前无任务", "待机", "等待", "等待中",
)  # fmt: skip
_VAGUE = (
    r"(?i)^(?:we |i |user |user: |me: )?(?:discuss(?:ed|ing)?|talked about|worked on|chatted about|did|continued)\b"
    r".{0,60}\b(?:stuff|things|etc|misc|topics|issues|work)\b\W*$"
    # only what it was about: up to five words, and nothing that was said, named or counted
    r"|^(?:we |i |user |user: |me: )?(?:discussed|talked about|chatted about|spoke about|went over)(?: [a-z]+){1,5}\W*$"
    r"|^(?:用户|我们|我|user|me)?[:： ]*(?:讨论|聊|谈|谈论|商量)(?:了|过)[^，,。:：；;“\"\d]{1,20}[。.]?$"
)
_GOES_ON = r"(?i)(?:continue|carry on|go on|keep going)(?: (?:working|work|the work|as before))?\W*$|继续(?:工作|做)?\W*$"
_RETOLD = r"(?i)(?:i |me: )?asked (?:about|if|whether)\b[^?？]*$|(?:我)?问了[^?？]*$"


def shortfall(given: Mapping[str, Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(mandatory fields that are missing, sentences about what could not be resumed from, or was cut). `none` is an answer."""
    missing = tuple(name for name in MANDATORY if name not in given)
    vague: list[str] = []
    task = one_line(given.get("task", ""))
    if task.casefold().rstrip(".!。") in _IDLE:
        vague.append(f"task: “{task}” does not say what is being waited for")
    phase = one_line(given.get("phase", ""))
    if phase and phase not in PHASES:
        vague.append(f"phase: “{phase}” is not one of {', '.join(PHASES)}; it was kept under context")
    lines = tidy(given.get("code", "")).count("\n") + 1
    if lines > CODE_LINES:
        vague.append(f"code: only the first {CODE_LINES} of {lines} lines were kept")
    for name in ("task", "goal", "status", "exchanges", "in_flight", "next_steps"):
        values = given.get(name, ())
        for text in (values,) if isinstance(values, str) else values:
            if _is_vague(one_line(text)):
                vague.append(f"{name}: “{one_line(text)}” names a topic; say what was said, decided or found")
    vague += [f"next_steps: “{text}” cannot be begun; say with what" for text in _those(given, "next_steps", _GOES_ON)]
    vague += [f"unanswered: “{text}” is told; give it word for word" for text in _those(given, "unanswered", _RETOLD)]
    return missing, tuple(vague)


def _those(given: Mapping[str, Any], name: str, form: str) -> list[str]:
    """The items of a list that have a form."""
    import re

    values = given.get(name, ())
    return [text for text in map(one_line, (values,) if isinstance(values, str) else values) if re.match(form, text)]


def _is_vague(text: str) -> bool:
    import re

    return bool(re.match(_VAGUE, text))
