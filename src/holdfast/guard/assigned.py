"""A word for a secret, and the value that is assigned to it: `DB_PASSWORD=…`, `"apiKey": "…"`, `--token …`, `密码是…`.

The identifier must end with the word (`stripe_api_key`, not `key_file`), whatever its spelling. What is assigned to a password
is one unless it plainly is not; what is assigned to a key or token must look random. Judging it is judging.py's.
"""

from __future__ import annotations

from functools import lru_cache

from .judging import (
    chosen,
    is_base64,
    is_code,
    is_id,
    is_named,
    is_passphrase,
    is_plain_password,
    is_publishable,
    password_like,
    random_like,
    stands_in,
)
from .judging import drawn as is_drawn
from .rules import IS, KEY_WORDS, NAMES, OF, PASSWORD_WORDS, SCHEMES, TO, UNSURE_IS, expression

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

    Span = tuple[int, int, str]  # (start, end, kind)

# From the end of the word on: the rest of the identifier, what closes it, the sign between, a scheme, the opening quote.
_ABOUT = (  # what it is the password of: `(staging)`, `for the admin account`, `von db.local`
    r"(?:[ \t]\([^()\n]{1,30}\)|[ \t](?:de[ \t])?API|[ \t](?:такой|такий|is[ \t]as[ \t]follows)"
    rf"|[ \t](?:{OF})[ \t](?:[^\n.:;=\"'()]|\.(?=\S)){{1,40}}?)?"
)
# Other fields of the object that holds a value, as `terraform output -json` has them: `"sensitive": true, "type": "string",`
_FIELDS = (
    r"(?:[\"'][A-Za-z_]{1,20}[\"'][ \t]{0,2}:[ \t]{0,4}"
    r"(?:true|false|null|[0-9]{1,9}|[\"'][^\"'\n]{0,60}[\"']),\s{0,24}){0,4}"
)
_APART = (  # the name here and the value there: in a manifest, in a block of text, in a variable's default, behind a flag
    r",?(?:[ \t]{0,4}\r?\n)?[ \t]{0,24}[\"']?(?:android:)?[Vv]alue[\"']?[ \t]{0,4}[:=][ \t]{0,4}"
    r"|</key>[ \t]{0,4}\r?\n?[ \t]{0,24}<string>"
    rf"|[ \t]{{0,2}}:[ \t]{{0,2}}\{{\s{{0,24}}{_FIELDS}[\"']?[Vv]alue[\"']?[ \t]{{0,2}}:[ \t]{{0,4}}"
    r"|[ \t]{0,4}[:=][ \t]{0,4}\\\r?\n[ \t]{0,24}"
    r"|(?P<below>):[ \t]{0,4}\r?\n[ \t]{0,24}(?:-[ \t])?(?=[^\s:]{6,80}[ \t]{0,4}(?:\r?\n|\Z))"
    r"|:[ \t]{1,4}[|>][+-]?[ \t]{0,4}\r?\n[ \t]{1,24}"
    r"|[ \t]{1,4}\{[ \t]{0,4}\r?\n(?:[ \t]{0,8}[a-z]{1,20}[ \t]{0,8}=[^\n]{0,80}\n){0,4}"
    r"[ \t]{0,8}(?:default|value)[ \t]{0,8}=[ \t]{0,4}"
    r"|[ \t]{1,4}(?:--body|-b)[ \t=]{1,4}"
)
_SIGN = (
    r"(?P<rest>[A-Za-z0-9_.-]{0,40}+)(?P<close>(?:\\{0,3}[\"'`*\])]){0,4}+)"
    rf"(?:{_APART}"
    rf"|{_ABOUT}[ \t]{{0,8}}(?P<sign>:[ \t]{{0,4}}(?:&(?:'static[ \t])?)?[A-Za-z][A-Za-z0-9_.\[\]|?]{{0,30}}[ \t]{{0,4}}=(?!=)"
    r"|=>|:=|[=!]==?|->|→|：|:\*{1,2}(?=[ \t])|:(?!:)|=(?!:)|(?<=[ \t])\|(?=[ \t])|>)"
    r"[ \t]{0,8}(?:\[[ \t]{0,4}(?=\\?[\"']))?"
    rf"|{_ABOUT}[ \t]{{1,4}}(?P<is>{IS})"
    r"(?:[ \t](?:now|jetzt|nun|ahora|maintenant|agora))?"
    r"(?:[ \t]{1,4}:?[ \t]{0,4}|:[ \t]{0,4})"
    rf"|(?:[ \t]from[ \t]\S{{1,40}})?[ \t]{{1,4}}(?P<to>{TO}):?[ \t]{{1,4}}"
    r"|[ \t]{0,2}(?P<cjk>(?:改|设|設|变|變)(?:置|定)?(?:成|为|為)|就?是|为|為|は|が|는|은|이|คือ)[ \t：:]{0,4}"
    rf"|{_ABOUT}[ \t]{{1,4}}[—–-][ \t]{{1,4}}|(?P<short>(?<=')s|’s)[ \t]{{1,4}}"
    r"|[ \t]{0,2}(?P<call>\()[ \t]{0,4}(?=\\?[\"'])"
    r"|[ \t]{0,4}(?P<pair>,)[ \t]{0,4}(?=\\?[\"'])"
    r"|(?P<wide>[ \t]{2,40})(?=\S{6,400}[ \t]{0,8}(?:\r?\n|\Z))"
    r"|(?P<space>[ \t]{1,4}))"
    r"(?:@(?=\")|[bru](?=[\"']))?(?P<open>(?:\\{0,3}[\"'`“‘「『]{1,3})?)"
    rf"(?P<scheme>(?:{SCHEMES})[ \t=]{{1,4}})?"
    r"(?P<quote>(?:\\{0,3}[\"'`]{1,3})?)"
)
_UNSPACED = "\u2e80"  # from here on are the scripts of China, Japan and Korea
_REST, _LONGEST = 40, max(map(len, (*PASSWORD_WORDS, *KEY_WORDS, *NAMES)))  # characters of `rest`, and of a word
_VALUE = 400  # characters of a value without quotes, at most
# It ends where another is named (`;Server=`, `&x=`, `,ssl=`, `,host:`) and at a line's end as JSON writes it.
# Plain characters come first, in a set of their own: one with others in it takes ten times as long for each of them.
_UNQUOTED = (
    r"(?:[\x00-\x08\x0e-\x1b!#-%(-+\--:=?-\[\]-_a-\x7f]{1,400}+|[^\x00-\x7f\s“”‘’「」『』，。、；]{1,400}+"
    r"|[;&](?![A-Za-z_ -]{1,30}=)|,(?![A-Za-z_.]{3,40}[0-9]{0,3}[:=])|\\(?!r?\\?n)){1,400}+"
)
_CLOSER = {"“": "”", "‘": "’", "「": "」", "『": "』"}
_NAMES_HAVE = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-"
_ENDS = r"(?:[_.-]?(?:value|private|b64|base64|live|prod|production|test|dev|staging|main|base|[0-9]{1,3}|data|raw|plain))*\Z"
_ENDINGS = (
    "value", "private", "b64", "base64", "live", "prod", "production", "test", "dev", "staging", "main", "base", "data", "raw",
    "plain", *"0123456789",
)  # fmt: skip
_GOES_ON = r"(?:s|[_.-]?(?:[0-9]{1,3}|prod|production|dev|test|staging|live|value|b64|base64|main|raw|plain|data))?\Z"

# What makes a key no key: what stands before it, and what the word is part of.
_NO_KEYS = (
    "public", "pub", "primary", "foreign", "cache", "sort", "partition", "object", "map", "dict", "index", "lookup", "row",
    "group", "dedupe", "idempotency", "translation", "i18n", "registry", "hot", "item", "file", "path", "query", "storage",
    "unique", "composite", "shard", "bucket", "column", "field", "metric", "feature", "color", "state", "react", "list",
    "json", "yaml", "config", "publishable", "host", "known", "trace", "span", "author", "sha", "checksum", "commit",
    "integrity", "resource", "parent", "child", "event", "message", "request", "dom", "data", "s3", "sibling", "nav", "tab",
    "menu", "mon", "tur", "don", "metadata",
)  # fmt: skip
_NO_TOKENS = (
    "public", "next", "page", "prev", "start", "end", "continuation", "csrf", "xsrf", "authenticity", "cancel", "cancellation",
    "design", "eos", "bos", "pad", "unk", "mask", "sep", "cls", "stop", "max", "min", "num", "total", "input", "output", "prompt",
    "completion", "special", "sync",
)  # fmt: skip
_AUTH = r"(?:^|[_.-])o?auth(?:orization|_?header)?\Z|authorization\Z|authtoken\Z"
_SHORT_FORM = (
    r"^pass\Z|[_.]pass\Z"
    r"|(?:db|database|user|smtp|e?mail|my(?:sql)?|pg|postgres|redis|ftp|ssh|admin|root|proxy|mongo|ldap|sudo|wifi|login|http|imap"
    r"|store|key|mqtt|rabbitmq|become)-?pass\Z"
)
_CREDENTIALS = ("credential", "credentials", "creds")
_STRONG = (
    "secret", "token", "apikey", "api_key", "api-key", "api.key", "accesskey", "access_key", "privatekey", "private_key", "_pat",
    "license_key", "master_key", "appid", "reporter_id",
)  # fmt: skip
_NO_SERVICES = frozenset((
    "the", "a", "an", "this", "that", "each", "same", "new", "old", "with", "by", "for", "per", "of", "is", "no", "any", "every",
    "one", "and", "or", "as", "to", "in", "on", "its", "their", "my", "our", "your", "first", "last", "second", "use", "gpg",
    "under", "into", "from", "block", "content", "hash", "build", "step", "task", "job", "run", "session", "record", "image",
    "layer", "artifact", "entry", "node", "document", "user", "agent", "fixed", "set", "get", "test", "default", "full",
    "pgp", "ssh", "rsa", "signing",
))  # fmt: skip  # before `key`, these name no service whose key it is
_BEFORE_KEY = frozenset(("api", "access", "private", "secret", "license", "master", "admin", *NAMES))  # `the API key is …`


def _identifier(text: str, start: int, end: int, rest: str) -> tuple[str, int]:
    """The identifier that the word is part of, in one spelling, and where it begins."""
    before = text[max(0, start - _REST) : start]
    begin = start - len(before) + len(before.rstrip(_NAMES_HAVE))
    name = _spelt(text[begin:end] + rest)
    if name == "key" and text[begin - 1 : begin] == " ":
        above = text[max(0, begin - 20) : begin - 1].lower().rpartition(" ")[2].rpartition("\n")[2]
        named = above in _BEFORE_KEY or (above.isalpha() and above.isascii() and above not in _NO_SERVICES)
        name = f"{'api' if above in NAMES else above}_key" if named else name
    elif name == "key" and text[begin - 1 : begin] in ("?", "&"):
        name = "url_key"
    return name, begin


@lru_cache(maxsize=1024)
def _spelt(name: str) -> str:
    """A name in one spelling, without what says which of several it is; once, since a session has the same names throughout."""
    if name.lower() != name:
        name = expression(r"(?<=[a-z0-9])(?=[A-Z])").sub("_", name).lower()
    name = name.rstrip("_.-")
    return expression(_ENDS).sub("", name, count=1) if name.endswith(_ENDINGS) else name


def _harmless(name: str) -> bool:
    """Whether the name is of a key or token that is none: `cache_key`, `next_page_token`."""
    one = name.removesuffix("s")
    for word, before in (("key", _NO_KEYS), ("token", _NO_TOKENS)):
        if one.endswith(word):
            named = one.removesuffix(word)
            apart = named.rstrip("_.-")  # `prodpad_token` is of a service, `pad_token` is not
            return named.endswith(before) if apart == named else expression(r"[_.-]").split(apart)[-1] in before
    return False


def _value(text: str, at: int, quote: str) -> tuple[int, int]:
    """Where the value begins and ends; without its quotes, and without the stop that ends a sentence."""
    if quote:
        mark = quote.lstrip("\\")[:1]
        closer = _CLOSER.get(mark, mark)
        line = text.find("\n", at, at + 2000)
        end = text.find(quote.replace(mark, closer), at, line if line >= 0 else at + 2000)
        if end >= 0:
            return at, end
    found = expression(_UNQUOTED).match(text, at, at + _VALUE + 32)  # with the name behind `&` that would end it
    if found is None:
        return at, at
    end = min(found.end(), at + _VALUE)
    while end > at and text[end - 1] in ".,;:!?)]}|\\" and not (text[end - 1] == "!" and text[end - 2].isalnum()):
        end -= 1
    return at, end


def heard_from(text: str, end: int) -> int:
    """From where on a word may have a value, if the one that ends here has no sign behind it: where an identifier goes on for
    longer than `rest` may, no word in it has one before its last part.
    """
    if (text[end + _REST : end + _REST + 1] or " ") not in _NAMES_HAVE:
        return end
    goes_on = expression(r"[A-Za-z0-9_.-]*+").match(text, end)
    return (goes_on.end() if goes_on else end) - _REST - _LONGEST


def assigned(text: str, start: int, end: int, *, password: bool) -> tuple[Span | None, int]:
    """The secret that is assigned to the word at `text[start:end]`, if there is one; and how far the value went in any case."""
    if password and text[end - 1] >= _UNSPACED and "!" <= text[end : end + 1] <= "~" and text[end] not in ":=([{\"'`":
        at, stop = _value(text, end, "")  # written without spaces
        return ((at, stop, "password") if chosen(text[at : min(stop, at + _JUDGED)]) else None), stop
    sign = expression(_SIGN).match(text, end)
    if sign is None or (sign["open"] and sign["quote"]):
        return None, end  # `"Bearer " + token`: the quote ends the text, and what follows is code
    quote = sign["quote"] or sign["open"]
    if _holds_nothing(text, sign, start, quote):
        return None, end
    if password and not quote:
        stop = _passphrase_end(text, start, end, sign)
        if stop:
            return (sign.end(), stop, "password"), stop
    at, stop = _value(text, sign.end(), quote)
    value = text[at : min(stop, at + _JUDGED)]
    if _hopeless(text, (start, end), sign, value, password=password):
        return None, end
    if sign["wide"]:
        found = _in_a_column(text, (start, end), sign, (at, stop), password=password)
        return found, stop if found else end
    plain = password and (is_plain_password(value) or ("-" in value and is_passphrase(value, 3)))
    if plain and _is_directed(text, start, sign) and (quote or _ends_clause(text, stop)):
        return (at, stop, "password"), stop
    doubtful = sign["to"] or sign["short"] or sign["below"] is not None or text[start:end].lower() in ("pw", "mdp")
    doubtful = doubtful or sign["is"] in UNSURE_IS
    if doubtful and (sign["rest"] or not (random_like(value, 8) or chosen(value))):
        return None, stop  # `add a password to v2`: what a thing is set to must look like one; and two letters are no proof
    word = text[start:end].lower()
    named = password or (word == "pass" and expression(r"(?i:user|login|account)").search(text, max(0, start - 40), start))
    told = bool(named) and bool(sign["space"]) and not sign["rest"] and chosen(value)
    loosely = sign["space"] and not sign["scheme"] and not told and (password or not _speaks_for_itself(value))
    if loosely and not _may_be_loose(text, start, end) and (text[start:end].isascii() or not random_like(value, 8)):
        return None, stop
    name, begin = _identifier(text, start, end, sign["rest"])
    loose = bool(sign["space"]) and not told and not sign["scheme"] and "bearer" not in name and name.isascii()
    if loose and not _flagged(text, begin, start) and (password or not name.endswith(_STRONG) or not _speaks_for_itself(value)):
        return None, stop  # `token count`, `secret santa`: without a sign between them the value must speak for itself
    if (stands_in(value) and not is_base64(value)) or text[stop : stop + 1] == "(" or text.startswith("->", stop - 1):
        return None, stop
    if value.lower() in name or value.lower() == name.replace("_", "") or text.startswith("[redacted:", max(0, begin - 10)):
        return None, stop  # `[redacted:password:3f9a] = …` names no password
    if password:
        known = _password(text, sign, (begin, at, stop), name, bool(quote))
        return ((at, stop, "password") if known else None), stop
    if not quote and is_named(value) and text[stop : stop + 2].lstrip(" ")[:1] in tuple(",;)|<>=?") and not sign["scheme"]:
        return None, stop  # a type, a variable: `key: LampBoundWindowKey;`
    kind = _key(value, sign, name, bool(quote)) or _set_by_hand(text, (begin, at, stop), sign, name)
    if kind and stop - at == _VALUE:  # the tokens of a session at AWS are longer than any other value
        longer = expression(r"[A-Za-z0-9+/=_-]{0,8000}+").match(text, stop)
        stop = longer.end() if longer else stop
    return ((at, stop, kind) if kind else None), stop


_WORDS_IN_A_ROW = r"(?:[a-z]{3,12}[ \t]){2,11}[a-z]{3,12}(?=[.!]?[ \t]{0,4}(?:\r?\n|\Z))"
_DIRECTS = (
    r"(?i)(?:\b(?:use|using|with|try|enter|type|set|new|temp|temporary|default|initial)[ \t]{1,2}"
    r"(?:(?:the|this|that|my|a)[ \t]{1,2})?"
    r"|\b(?:user|username|login|account|benutzer|usuario|usuário|utente)[ \t:]{1,3}\S{1,40}[ \t]{0,2}"
    r"(?:,|/|and|und|y|e|-)?[ \t]{1,2})\Z"
)


def _passphrase_end(text: str, start: int, end: int, sign: re.Match[str]) -> int:
    """Where a passphrase of plain words ends that somebody has told, without quotes and to the end of its line; else 0."""
    if sign["rest"] or not (sign["is"] or sign["to"] or sign["sign"] in (":", "=", "：")):
        return 0
    words = expression(_WORDS_IN_A_ROW).match(text, sign.end())
    least = 3 if text[start:end].lower() == "passphrase" else 4
    return words.end() if words and is_passphrase(words[0], least) else 0


def _is_directed(text: str, start: int, sign: re.Match[str]) -> bool:
    """Whether somebody says what to log in with: `use password …`, `user admin, password …`."""
    if not (sign["space"] or sign["is"]) or sign["rest"] or sign["scheme"]:
        return False
    return expression(_DIRECTS).search(text, max(0, start - 60), start) is not None


def _ends_clause(text: str, stop: int) -> bool:
    return expression(r"[ \t]{0,2}(?:[\"'`.,;!?)]|\r?\n|\Z)").match(text, stop) is not None


def _in_a_column(
    text: str, word: tuple[int, int], sign: re.Match[str], place: tuple[int, int], *, password: bool
) -> Span | None:
    """The secret in a table that has names on the left and values on the right, as `vault kv get` shows them."""
    at, stop = place
    value = text[at : min(stop, at + _JUDGED)]
    name, begin = _identifier(text, *word, sign["rest"])
    if text[max(0, begin - 24) : begin].rpartition("\n")[2].strip(" \t") or stands_in(value) or is_code(value):
        return None
    if password:
        known = len(sign["rest"]) < 2 and (chosen(value) or is_plain_password(value))
        return (at, stop, "password") if known else None
    known = name.endswith(_STRONG) and not _harmless(name) and _speaks_for_itself(value)
    return (at, stop, "token") if known else None


def _hopeless(text: str, word: tuple[int, int], sign: re.Match[str], value: str, *, password: bool) -> bool:
    """Whether a value is none at first sight. Where words stand close an expression refuses most of these (telltales._hopeless),
    and no more than these: what is refused here counts as if no value were there.
    """
    if len(value) < 4:
        return True
    spaced = bool(sign["space"]) and not sign["open"] and not sign["quote"]
    if value.isalpha() and len(value) < (20 if not password else 10 if spaced else 0):
        return True
    if " " in value:
        return not (password and _may_be_a_phrase(text, word, sign, value))
    if password or not spaced or sign["scheme"] or len(value) >= 20:
        return False
    start, end = word
    if text[start:end].lower() == "pass" or not text[start:end].isascii():
        return False
    if not _may_be_loose(text, start, end):
        return True
    name, begin = _identifier(text, start, end, sign["rest"])
    return not _flagged(text, begin, start) and "bearer" not in name


def _flagged(text: str, begin: int, start: int) -> bool:
    """Whether a name is a flag's: `--token`."""
    return text[begin:start].startswith("-") or (begin > 0 and text[begin - 1] == "-")


def _holds_nothing(text: str, sign: re.Match[str], start: int, quote: str) -> bool:
    """Whether nothing is assigned, whatever stands there: an empty text, one of several names in quotes (`"a" | "b"`), the next
    argument behind a path (`'/etc/passwd', 'utf8'`), and what a name is compared with that has no quotes.
    """
    if quote in ('""', "''", "``") and text[sign.end() : sign.end() + 1] in ("", ",", ";", ")", "]", "}", "\n", "\r", " "):
        return True
    if sign["sign"] == "|" and sign["close"].strip("*") and quote:
        return "`" not in quote
    if sign["sign"] in ("==", "!=", "===", "!==") and not quote:
        return True
    return (bool(sign["pair"]) and text[start - 1 : start] == "/") or (bool(quote) and text[sign.end() : sign.end() + 1] == " ")


def _set_by_hand(text: str, place: tuple[int, int, int], sign: re.Match[str], name: str) -> str:
    """A key that a person has thought up, where nothing else can be meant: `JWT_SECRET=hunter22x`, alone on its line."""
    begin, at, stop = place
    if sign["sign"] != "=" or text[stop : stop + 1] not in ("", "\n", "\r"):
        return ""
    value = text[at : min(stop, at + _JUDGED)]
    before = text[max(0, begin - 60) : begin].rpartition("\n")[2].strip()
    alone = before in ("", "export", "ENV", "ARG", "-")
    if not alone or not text[begin:at].rstrip("=").isupper() or not name.endswith(_STRONG):
        return ""
    mixed = len(value) >= 8 and value.isalnum() and not value.isalpha() and not value.isdigit()
    return "token" if mixed and password_like(value, quoted=False) else ""


def _speaks_for_itself(value: str) -> bool:
    return len(value) >= 20 and (is_id(value) or random_like(value, 20))


def _may_be_loose(text: str, start: int, end: int) -> bool:
    """Whether a space may be all that stands between name and value, whatever the value is: behind a flag and a bearer. A look
    at the letters, before the name is taken apart: most words for secrets stand in sentences.
    """
    around = text[max(0, start - _REST - 1) : end + _REST]
    return "-" in around or "earer" in around or "EARER" in around


def _may_be_a_phrase(text: str, word: tuple[int, int], sign: re.Match[str], value: str) -> bool:
    """Whether a value with spaces may be a password: most are labels and sentences (`"Enter your password"`), and to tell that
    costs little.
    """
    start, end = word
    if " " not in value.strip() or is_passphrase(value.strip(), 3):
        return True
    if "phrase" not in text[max(0, start - _REST) : end + _REST].lower() or "pass" in value.lower():
        return False
    return "phrase" in _identifier(text, start, end, sign["rest"])[0]


_JUDGED = 160  # characters of a value that tell what it is


def _password(text: str, sign: re.Match[str], place: tuple[int, int, int], name: str, quoted: bool) -> bool:
    """Whether it is a password. `f(password=password)` and `password: hashed` are code and prose."""
    begin, at, stop = place
    value = text[at : min(stop, at + _JUDGED)]
    if name.isascii() and len(sign["rest"]) > 1 and expression(_GOES_ON).match(sign["rest"].lower()) is None:
        return False  # `password_hash`, `passwordField`
    if not value.isascii() and any(word in value.lower() for word in PASSWORD_WORDS):
        return False  # the same in another language
    # A word of letters alone counts where the line says nothing else, or in a language that we do not take apart.
    line = text[max(0, begin - 60) : begin].rpartition("\n")[2].strip(" \t\"'-*+>`#|")
    alone = line in ("", "export", "set", "env", "let", "const", "var") or line[-1] in "?&;"
    alone = alone and text[stop : stop + 1] in ("", "\n", "\r", "&", ";", " ")
    bare = sign["sign"] == "=" and alone and text[sign.end() - 1] == "="
    quoted = quoted or (bare and value.isalpha() and text[begin : sign.start()].isupper())  # a shell has no variables without `$`
    bare = bare or (not name.isascii() and max(name) > "\u024f" and value.isascii())
    if sign["is"] or sign["space"]:
        bare = False
    if sign["pair"] or sign["sign"] in ("==", "!=", "===", "!=="):
        quoted = bare = False  # compared or listed, not assigned: a word alone is no password there
    return password_like(value, quoted=quoted, bare=bare, words=3 if sign["is"] or alone else 4)


def _drawn_in_parts(value: str) -> bool:
    """Whether a value with dots in it is no name in a program: one of its parts was drawn at random."""
    if "." not in value or not value.replace(".", "").isalnum():
        return False
    return any(is_id(part) or _is_drawn_part(part) for part in value.split("."))


def _is_drawn_part(part: str) -> bool:
    return (len(part) >= 20 and is_drawn(part)) or (len(part) >= 16 and random_like(part, 16) and not is_named(part))


def _key(value: str, sign: re.Match[str], name: str, quoted: bool) -> str:
    """What kind of key or token the value is; empty where it is none."""
    if _harmless(name) or is_publishable(value):
        return ""
    drawn = quoted and len(value) >= 32 and len(set(value)) >= 20 and not any(mark in value for mark in ("${", "{{", "()", "=>"))
    drawn = drawn or _drawn_in_parts(value)
    if is_code(value) and not is_base64(value) and not drawn and not (sign["scheme"] and random_like(value, 20)):
        return ""  # `Bearer session.token` is code, `Basic na1.rJX…` has a dot in it
    if name.endswith("pass"):
        dashed = name.endswith("-pass") and sign["sign"] == "="
        short = (expression(_SHORT_FORM).search(name) or dashed) and not sign["call"]
        if sign.string[sign.start() - 6 : sign.start() - 4] == "::":
            return ""  # `Test2::Event::Pass` is a class
        told = sign["sign"] == ":" and any(map(str.isdigit, value)) and (random_like(value, 8) or chosen(value))
        told = told and sign.string[sign.start() - 4 : sign.start()] != "PASS"  # as tests print it
        told = told or bool((sign["is"] or sign["space"]) and chosen(value))
        plain = sign["sign"] == "=" or told or (sign["close"] and not sign["pair"])
        known = short and (name != "pass" or plain)
        return "password" if known and password_like(value, quoted=quoted and not sign["pair"]) else ""
    if name.endswith("clave") and chosen(value):
        return "password"
    if name.endswith(("authorization", "auth")):
        known = expression(_AUTH).search(name) and len(value) >= 8
        return "authorization" if known and (sign["scheme"] or random_like(value, 8) or is_id(value)) else ""
    if "bearer" in name:
        return "bearer-token" if len(value) >= 16 and random_like(value, 16) else ""
    strong = name.endswith(_STRONG)
    if sign["pair"] and not strong and len(value) < 16:
        return ""
    if not strong and not name.endswith(("key", "keys", "tokens", *_CREDENTIALS)) and name.isascii():
        return "token" if name.endswith("secret_id") and is_id(value) else ""
    if value.isdigit():
        return "token" if strong and len(value) >= 15 else ""
    if is_id(value):
        known = strong or name.endswith(_CREDENTIALS) or (name.endswith("key") and name not in ("key", "_key"))
        return "token" if known and len(set(value)) > 5 else ""
    return "token" if random_like(value, 10 if strong else 12) else ""


_OF_A_SERVICE = (
    r"(?i)(?:[_.-]?(?:api|access|auth|admin|license|personal|live|prod|production|staging|dev|test|[0-9]{1,2})){1,2}\Z"
)
_MADE_WITH = r"(?i)[_.:]{0,2}(?:client|api|sdk|new|init|initialize|configure|connect|setup)?\Z"


def named(text: str, start: int, end: int) -> tuple[Span | None, int]:
    """A service's name as the key itself, with something random assigned to it: `sourcegraph: …`; and how far the value went."""
    sign = expression(_SIGN).match(text, end)
    if sign is None or not (sign["sign"] or sign["call"]) or text[start - 1 : start].isalnum():
        return None, end
    form = _MADE_WITH if sign["call"] else _OF_A_SERVICE
    if sign["rest"] and expression(form).match(sign["rest"]) is None:
        return None, end
    at, stop = _value(text, sign.end(), sign["quote"] or sign["open"])
    value = text[at : min(stop, at + _JUDGED)]
    if len(value) < 16 or (value.isalpha() and len(value) < 20):
        return None, end
    if (stands_in(value) or is_code(value) or is_named(value)) and not _drawn_in_parts(value):
        return None, stop
    if is_publishable(value) or not (random_like(value, 16) or is_id(value)):
        return None, stop
    return (at, stop, "token"), stop
