"""Whether a value looks like a secret: random where keys are random, chosen where passwords are chosen, and no stand-in.

False alarms cost as much as misses: a memory with holes in it is not read. So stand-ins (`xxxx`, `<your-key>`, `${TOKEN}`),
code (`os.environ["X"]`, `get_token()`), types (`password: string`), paths and words are let through.
"""

from __future__ import annotations

from functools import lru_cache

from .rules import PASSWORD_WORDS, expression

# Words that stand where a secret would stand, and say so.
_STAND_INS = frozenset((
    "admin", "always", "any", "apikey", "argon2", "args", "async", "await", "base64", "bcrypt", "body", "bool", "boolean",
    "base64url", "bytes", "change", "change-me", "change_me", "changeme", "char", "class", "config", "configuration", "const",
    "cookie", "cookies", "correct", "data", "def", "default", "different", "disabled", "dummy", "empty", "enabled", "encrypted",
    "enter", "env", "environ", "environment", "example", "expired", "export", "fake", "false", "field", "file", "forgot",
    "function", "generated", "hash", "hashed", "header", "headers", "here", "hidden", "hmac", "import", "incorrect", "input",
    "int", "integer", "invalid", "key", "keychain", "keyring", "kwargs", "let", "literal", "login", "logout", "long",
    "manager", "masked", "missing", "mypassword", "mytoken", "n/a", "never", "nil", "no", "none", "not", "not-a-secret",
    "notasecret", "null", "number", "object", "option", "optional", "options", "params", "pass", "passphrase", "passwd",
    "password", "placeholder", "plain", "plaintext", "policy", "process", "prompt", "protected", "protection", "pwd",
    "random", "redacted", "removed", "request", "required", "reset", "reset_token", "response", "return", "root", "rotation",
    "same", "sample", "scrypt", "secret", "secrets", "self", "set", "settings", "sha256", "short", "stdin", "stored", "str",
    "string", "strong", "system", "tbd", "test", "testing", "tests", "text", "that", "there", "this", "todo", "token", "true",
    "uint8array", "undefined", "unknown", "unset", "update", "user", "username", "utf-8", "utf8", "valid", "value", "values",
    "var", "varchar",
    "variable", "vault", "weak", "what", "which", "wrong", "yes", "your-password", "your_password", "yourpassword",
    "yourtoken",
))  # fmt: skip
# The same as part of a longer value, in lower case. A look for each is a tenth of what one expression for all of them takes.
_STAND_IN_PARTS = (
    "your", "example", "sample", "changeme", "change-me", "change_me", "placeholder", "dummy", "redacted", "replace", "insert",
    "todo", "xxxx", "***", "...", "…", "<", ">", "goes-here", "goes_here", "fake", "1password", "keepass", "bitwarden",
    "lastpass", "base64url",
)  # fmt: skip
_STAND_IN_WORDS = r"\bmy[-_]|[-_]here\b|(?:^|[-_.])test(?:ing|s)?(?:$|[-_.])"
_CALLED = (
    r"\$[{(]|\$[A-Z_][A-Z0-9_]{2,}|\$[a-z_]{3,}(?![A-Za-z0-9])"
    r"|%[({]|\A%|%[A-Za-z_]+%|%[sdifrx](?![A-Za-z0-9])|%[0-9.]{1,4}[dfsxg]"
)
_NAME = (
    r"[A-Za-z_]\w*+(?:(?:\.|->|::|\?\.)[A-Za-z_]\w*+)++\Z"
    r"|[&*@!]?[a-z_]++(?:[A-Z][a-z]++)++\Z|[a-z]++(?:_[a-z]++)++\Z|[A-Z]++(?:_[A-Z]++)++\Z"
)
_ROOTS = ("/", "./", "../", "~/", "http://", "https://", "file:", "s3://", "gs://", "arn:", "op://", "vault://", "ssm://")
_ENDINGS = (
    ".py", ".js", ".ts", ".tsx", ".json", ".yaml", ".yml", ".toml", ".pem", ".key", ".crt", ".txt", ".md", ".sh", ".go", ".rs",
    ".html", ".htm", ".env", ".mp4", ".png", ".jpg", ".svg", ".pdf", ".zip", ".gz", ".csv", ".xml", ".log", ".css", ".conf",
    ".ini",
)  # fmt: skip
# What is no value of anybody's: a number in hex, a fingerprint, fields of a record (`uid:gid:home`), a flag, a tag of
# YAML, what a thing is hashed or encoded with, and the name of a setting that ends as the word itself does.
_NO_VALUE = (
    r"0x[0-9a-f]{1,16}\Z|[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){3,}\Z|[a-z_]+(?::[a-z_]+)+\Z|-[a-z]{2,20}(?:=|\Z)|![a-z]+\Z"
    r"|(?:sha|md|aes|rsa|base|oauth|pbkdf|utf|argon|bcrypt|ed|http|tls|ipv)-?[0-9]{1,4}(?:[^a-z0-9:]|\Z)|&(?:lt|#|quot)"
    r"|val(?:ue)?[0-9](?:\W|\Z)|(?:[a-z0-9]+[._])+(?:password|passwd|passphrase|secret|token|key)\Z"
)
_ALTERNATIVES = r"[A-Za-z]{2,}(?:/[A-Za-z]{2,})+/?\Z"
_TEMPLATE = r"[({\[]\w*[)}\]]|\$\{|\$\("
_ID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\Z|[0-9a-fA-F]{16,}\Z"
_LOWER, _DIGITS, _VOWELS = "abcdefghijklmnopqrstuvwxyz", "0123456789", "aeiouy"
_KINDS = str.maketrans(_LOWER + _LOWER.upper() + _DIGITS, "a" * 26 + "A" * 26 + "0" * 10)
_SOUNDS = str.maketrans(_LOWER, "".join("v" if letter in _VOWELS else "c" for letter in _LOWER))


_UNSPACED = "\u2e80"  # from here on are the scripts of China, Japan and Korea


_once = lru_cache(maxsize=1024)  # a session names the same values over and over: each is judged once


def is_filler(value: str) -> bool:
    """Whether somebody filled the form of a secret with nothing: `xxxxxxxx`, `********`, `00000000`, `your-token-goes-here`."""
    body = value.replace("-", "").replace("_", "")
    if not body:
        return True
    if max(map(body.count, "xX*#.0")) * 10 >= 6 * len(body):
        return True
    return "****" in value or "..." in value or "…" in value


def _wordy(value: str) -> bool:
    """Words with hyphens between them, such as `your-personal-access-token`; no digit anywhere."""
    parts = value.replace("_", "-").replace(".", "-").split("-")
    return len(parts) > 2 and all((part.isalpha() and len(part) <= 14) or not part for part in parts) and not _jumbled(value)


# Keys that are made to stand in public, in pages and apps: Stripe, Clerk, Paystack and others; Supabase; PostHog.
_PUBLISHABLE = ("pk_live_", "pk_test_", "sb_publishable_", "phc_")


def is_publishable(value: str) -> bool:
    """Whether a key is one that its issuer means to be seen by everybody."""
    return value.startswith(_PUBLISHABLE)


@_once
def looks_like_a_token(prefix: str, tail: str, sure: bool) -> bool:
    """Whether what stands behind a known prefix is a token of its issuer."""
    if is_filler(tail) or _wordy(tail) or (prefix == "sk-" and tail.startswith(("ssh-", "ecdsa-"))):
        return False  # `sk-ssh-ed25519` is a kind of public key
    if not sure and expression(r"[0-9A-F]{40,}\Z").match(prefix + tail):
        return False  # a dump in hex
    if sure or random_like(tail, 16):
        return True
    longest = max(expression(r"[^A-Za-z0-9]").split(tail), key=len)
    # Nobody writes a word of twenty letters behind `sk-`; behind `hf_` and the like there are names of functions.
    return len(longest) >= 20 and (prefix == "sk-" or random_like(longest, 20))


def _turns(value: str) -> tuple[int, int]:
    """How often letters and digits take turns, and how often upper and lower case do; of a value in ASCII.

    Each character becomes its kind, and neighbours are counted: a loop over the characters takes forty times as long.
    """
    kinds = value.translate(_KINDS)
    digits = kinds.count("a0") + kinds.count("A0") + kinds.count("0a") + kinds.count("0A")
    return digits, kinds.count("aA") + kinds.count("Aa")


def _jumbled(value: str) -> bool:
    """Letters that make no words: case that flips at random, or more consonants in a row than any language has."""
    kinds = value.translate(_KINDS)
    letters = kinds.count("a") + kinds.count("A")
    if not letters:
        return False
    if (kinds.count("aA") + kinds.count("Aa")) * 3 >= letters >= 8:
        return True
    return letters >= 12 and value.lower() == value and "cccccc" in value.translate(_SOUNDS)  # `lengths`, `downstream` have five


@_once
def random_like(value: str, least: int = 10) -> bool:
    """Whether a machine drew these characters. Words with a number in them, versions and dates are not enough."""
    length = len(value)
    if length < least or not value.isascii() or len(set(value)) < 6:
        return False
    if "0" not in value.translate(_KINDS):
        return length >= 20 and _jumbled(value)
    if value.isdigit():
        return False
    digits, cases = _turns(value)
    if digits >= max(2, length // 8):
        return True
    return length >= 16 and digits >= 1 and (cases * 4 >= length or _jumbled(value))


def drawn(value: str) -> bool:
    """Whether a machine drew a value from capitals, small letters and digits alike, as issuers of tokens do."""
    digits, cases = _turns(value)
    return digits * 8 >= len(value) and cases * 8 >= len(value) and not is_filler(value) and len(set(value)) >= 16


def is_id(value: str) -> bool:
    """A UUID or a hash: an id far more often than a secret."""
    return expression(_ID).match(value) is not None


@_once
def is_base64(value: str) -> bool:
    """Random bytes in base64, such as keys for ciphers: they may begin like a path or a sum, and are neither."""
    return expression(r"[A-Za-z0-9+/]{38,}={0,2}\Z").match(value) is not None and _turns(value)[0] >= 4 and random_like(value, 38)


@_once
def stands_in(value: str) -> bool:
    """Whether a value says of itself that it is none: a stand-in, code, a path."""
    lower = value.lower()
    plain = lower.strip("\"'`.,;:()[]{} ")
    return (
        not plain
        or plain in _STAND_INS
        or plain in PASSWORD_WORDS
        or value.startswith(("[redacted:", "<", "$", "{", "%(", "[", "(", "\\", "#{", "**", "/", "|", "--", "=", "->"))
        or (value.startswith(("@", "+")) and not random_like(value[1:], 8))
        or is_filler(value)
        or any(part in lower for part in _STAND_IN_PARTS)
        or expression(_NO_VALUE).match(lower) is not None
        or (("my" in lower or "here" in lower or "test" in lower) and expression(_STAND_IN_WORDS).search(lower) is not None)
    )


_NOT_CHOSEN = (
    r"[A-Z][A-Z0-9]{0,9}-[0-9]+\Z|[vV]?[0-9]+(?:[.x][0-9x]+)+|.*[/=<>|,;]|.*:[0-9]|[a-z0-9]+(?:[_.-][a-z0-9]+)*[_.-]?\Z(?<![0-9]{3})"
    r"|#?[0-9]+[A-Za-z]{0,4}\Z|[A-Za-z_.]+[#*+%^-][0-9.]+\Z|[a-z0-9.-]+@[a-z0-9-]+\.[a-z]{2,}|@[A-Za-z]|#[0-9]"
)


@_once
def is_named(value: str) -> bool:
    """Whether a value is the name of something in a program: words in camel case, `LampBoundWindowKey`."""
    if not value.isalnum() or not value.isascii() or value.lower() == value:
        return False
    words = expression(r"[A-Z][a-z]{2,}|[a-z]{3,}").findall(value)
    return len(words) > 1 and sum(map(len, words)) * 5 >= 4 * len(value)


@_once
def chosen(value: str) -> bool:
    """Whether a word can only be a password, where little says so: letters with digits and signs among them, and neither a name,
    a version, a ticket nor a file.
    """
    if not 6 <= len(value) <= 100 or not value.isascii() or stands_in(value) or is_code(value) or is_id(value) or is_named(value):
        return False
    if not any(map(str.isdigit, value)) or expression(r"[A-Za-z]").search(value) is None or expression(_NOT_CHOSEN).match(value):
        return False
    return expression(r"[!@#$%^&*?+~]").search(value) is not None or random_like(value, 8) or _by_hand(value)


def _by_hand(value: str) -> bool:
    """A word with a number behind it: `nimda4321`."""
    return expression(r"[A-Za-z]{4,20}[0-9]{3,6}\Z").match(value) is not None


def _is_path(value: str) -> bool:
    lower = value.lower()
    return lower.startswith(_ROOTS) or lower.endswith(_ENDINGS) or (lower[1:3] == ":\\" and "a" <= lower[0] <= "z")


@_once
def is_code(value: str) -> bool:
    """Whether a value is an expression, a name in a program or a path rather than a text."""
    if "(" in value or "{" in value or "[" in value or _is_path(value):
        return True
    if ("$" in value or "%" in value) and expression(_CALLED).search(value):
        return True
    return expression(_NAME).match(value) is not None


def _among_others(value: str) -> bool:
    """Whether a text that is written without spaces has a password in it: `至少8位` says how long one must be."""
    longest = max(expression(r"[^!-~]+").split(value), key=len)
    return len(longest) >= 6 and any(map(str.isdigit, longest)) and any(map(str.isalpha, longest))


_JOINING = frozenset((
    "and", "the", "for", "not", "only", "with", "from", "based", "out", "end", "per", "but", "are", "was", "has", "one", "two",
))  # fmt: skip


# Words of sentences, and words that sentences about passwords have: no passphrase is made of them.
_OF_SENTENCES = _JOINING.union((
    "all", "already", "also", "always", "any", "asked", "been", "being", "both", "can", "cannot",
    "could", "did", "does", "each", "every", "few", "had", "have", "here", "how", "into", "its",
    "just", "like", "may", "more", "most", "must", "never", "now", "once", "our", "over", "please",
    "same", "shall", "should", "since", "some", "still", "such", "than", "that", "their", "them",
    "then", "there", "these", "they", "this", "those", "through", "too", "under", "until", "very",
    "via", "what", "when", "where", "which", "while", "who", "why", "will", "within", "without",
    "would", "yet", "you", "your", "yours", "account", "admin", "auth", "backend", "change",
    "character", "characters", "check", "client", "code", "config", "data", "database", "default",
    "different", "empty", "enough", "enter", "env", "error", "expired", "field", "file", "form",
    "hash", "hidden", "input", "invalid", "key", "length", "letters", "log", "login", "longer",
    "manager", "minimum", "missing", "mode", "none", "null", "number", "numbers", "old", "optional",
    "page", "password", "passphrase", "plain", "policy", "prod", "production", "prompt",
    "protected", "public", "required", "reset", "root", "safe", "secret", "secure", "sensitive",
    "server", "service", "session", "setting", "settings", "shared", "shorter", "string", "strong",
    "system", "text", "token", "true", "type", "update", "user", "username", "valid", "value",
    "variable", "vault", "weak", "wrong", "das", "dem", "den", "der", "die", "ein", "eine", "für",
    "ist", "kann", "mit", "muss", "nicht", "noch", "oder", "sie", "und", "von", "wird", "wurde",
    "zum", "zur", "aux", "avec", "dans", "des", "est", "les", "nous", "par", "pas", "pour", "que",
    "qui", "sur", "une", "vous", "con", "del", "las", "los", "más", "para", "por", "sin", "una",
    "che", "nel", "non", "per", "het", "een", "van", "voor", "niet", "com", "dos", "nas", "não",
    "uma",
))  # fmt: skip
_OF_PREDICATES = ("ed", "ing", "ly", "able", "ible", "less", "wide", "only", "proof", "tion", "ment", "ness")


def is_passphrase(value: str, least: int) -> bool:
    """Whether plain words make a passphrase: so many at least, none of which belongs to a sentence."""
    words = expression(r"[ \t-]+").split(value)
    if len(words) < least or not 3 <= min(map(len, words)) <= max(map(len, words)) <= 12 or len(words[0]) < 4:
        return False
    if len(set(words)) < len(words) or not all(word.isalpha() and word.islower() for word in words):
        return False
    return _OF_SENTENCES.isdisjoint(words) and not any(word.endswith(_OF_PREDICATES) for word in words)


def is_plain_password(value: str) -> bool:
    """Whether small letters with digits among them may be a password, where somebody says that here comes one."""
    if not 6 <= len(value) <= 40 or not value.isalnum() or not value.isascii() or stands_in(value) or is_id(value):
        return False
    letters = expression(r"[a-zA-Z]").search(value) is not None
    return letters and sum(map(str.isdigit, value)) >= 2 and expression(_NOT_PLAIN).match(value) is None


_NOT_PLAIN = (
    r"[vV]?[0-9]+[a-z]{0,4}\Z|[a-zA-Z]{1,3}[0-9]+\Z"
    r"|(?i:sha|md|aes|rsa|utf|base|oauth|bcrypt|argon|pbkdf|python|node|php|java)[0-9]"
)


def _phrase(value: str, least: int) -> bool:
    """Words with hyphens between them, none of which joins the others: from four on nobody else would write them so."""
    words = value.split("-")
    if len(words) > 3:
        return value.lower() == value and min(map(len, words)) > 2 and _JOINING.isdisjoint(words)
    return is_passphrase(value, least)


@_once
def password_like(value: str, *, quoted: bool, bare: bool = False, words: int = 4) -> bool:
    """Whether somebody chose this as a password. `bare`: a word of letters alone counts as well;
    `words`: so many with hyphens between them do.
    """
    if is_base64(value):
        return True
    if len(value) < 4 or stands_in(value) or len(set(value)) < 3:
        return False
    letters_only = value.isalpha()
    flips = letters_only and value.isascii() and len(value) >= 8 and _turns(value)[1] * 2 >= len(value)
    if not quoted and is_code(value) and not flips:
        return False  # `hashedPassword` is a name, `aPpLeTrEe` is none
    if quoted and (_is_path(value) or expression(_TEMPLATE).search(value)):
        return False
    if not quoted and expression(_ALTERNATIVES).match(value):
        return False  # `token/password: generate/set a new one`
    if max(value) >= _UNSPACED:
        return _among_others(value)
    if len(value) < 6:
        return any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    if letters_only and value.isascii():
        return quoted or bare or flips or (len(value) >= 10 and _jumbled(value))  # `SecretStr` is a type
    if not value.isascii():
        return any(map(str.isdigit, value)) or quoted
    if value.replace("-", "").replace("_", "").isalpha():
        return quoted or bare or _phrase(value, words)
    if value.replace(".", "").replace(",", "").isdigit():
        return quoted or bare
    return True
