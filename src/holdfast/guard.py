"""What may enter memory, and how it goes out again.

In: control characters are removed, and secrets are refused (one-line commands) or replaced by a placeholder (checkpoints). A
checkpoint is measured against zero tolerance: what falls short is named, and saved all the same.
Out: memory is reference and never an instruction; `framed` puts it between marks that nothing inside can forge.

The rules here are the formats that agents meet daily. Their expressions are compiled only when a text has one of their
telltale words in it, so that a command with nothing to check pays nothing.
"""

from __future__ import annotations

from .errors import SecretRefused
from .journal import digest
from .model import MANDATORY, PHASES, one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Mapping
    from typing import Any

# (kind, telltale words in lower case, expression; group 1 is the secret where there is one)
_RULES: tuple[tuple[str, tuple[str, ...], str], ...] = (
    (
        "private-key",
        ("private key",),
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|(?=\n[^A-Za-z0-9+/=\s])|\Z)",
    ),
    ("aws-access-key", ("akia", "asia"), r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
    ("anthropic-key", ("sk-ant-",), r"\bsk-ant-[A-Za-z0-9_-]{20,}"),
    ("openai-key", ("sk-",), r"\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,}"),
    ("github-token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), r"\bgh[pousr]_[A-Za-z0-9]{20,}"),
    ("github-token-fine", ("github_pat_",), r"\bgithub_pat_[A-Za-z0-9_]{20,}"),
    ("clawhub-token", ("clh_",), r"\bclh_[A-Za-z0-9_-]{16,}"),
    ("gitlab-token", ("glpat-",), r"\bglpat-[A-Za-z0-9_-]{20,}"),
    ("slack-token", ("xox",), r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}"),
    ("google-key", ("aiza",), r"\bAIza[A-Za-z0-9_-]{35}"),
    ("huggingface-token", ("hf_",), r"\bhf_[A-Za-z0-9]{20,}"),
    ("npm-token", ("npm_",), r"\bnpm_[A-Za-z0-9]{30,}"),
    ("stripe-key", ("_live_", "_test_"), r"\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}"),
    ("jwt", ("eyj",), r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"),
    ("bearer-token", ("bearer",), r"(?i:\bbearer)[ \t]+([A-Za-z0-9._~+/-]{20,}=*)"),
    ("database-url", ("://",), r"\b[a-z][a-z0-9+]{2,20}://[^\s:/@]{0,80}:([^\s/@]{3,200})@"),
    (
        "password",
        ("passw", "passp", "pwd", "secret", "密码"),
        r"(?i:\b(?:password|passwd|passphrase|pwd|client_secret)|密码)(?:\s+is\s+|\s*[=:：]\s*)[\"']?([^\s\"'\[{<$]{6,200})",
    ),
)
_CONTROLS = dict.fromkeys((*range(9), 11, 12, *range(14, 32), *range(127, 160)))
_compiled: dict[str, re.Pattern[str]] = {}


def _rules_for(text: str) -> list[tuple[str, re.Pattern[str]]]:
    lower = text.casefold()
    found = []
    for kind, words, expression in _RULES:
        if any(word in lower for word in words):
            if kind not in _compiled:
                import re

                _compiled[kind] = re.compile(expression)
            found.append((kind, _compiled[kind]))
    return found


def redacted(text: str) -> tuple[str, tuple[str, ...]]:
    """The text with its secrets replaced, and their kinds. A placeholder is never taken for a secret again."""
    kinds: list[str] = []
    for kind, rule in _rules_for(text):
        def mask(found: re.Match[str], kind: str = kind) -> str:
            secret = found[1] if found.re.groups and found[1] else found[0]
            if secret.startswith("[redacted:"):
                return found[0]
            kinds.append(kind)
            mark = f"[redacted:{kind}:{digest(secret.encode('utf-8', 'surrogateescape'))[:4]}]"
            return found[0].replace(secret, mark)

        text = rule.sub(mask, text)
    return text, tuple(kinds)


def safe(text: str) -> str:
    """A text for a one-line command: refused if there is a secret in it."""
    kinds = redacted(text)[1]
    if kinds:
        raise SecretRefused(
            f"Not saved: the text has what looks like a secret in it ({', '.join(sorted(set(kinds)))}).\n"
            "Nothing was written. Say where the secret is kept instead of what it is, and run the command again."
        )
    return printable(text)


def printable(text: str) -> str:
    """Without control characters, but with newlines and tabs, and in a form that can be written.

    Bytes that are not UTF-8 arrive as U+DC80…U+DCFF and are kept. Any other lone surrogate is half a character that somebody
    cut in two (JSON allows it, no encoding does); it becomes the sign for that.
    """
    if text.isprintable():
        return text
    text = text.replace("\r\n", "\n").replace("\r", "\n").translate(_CONTROLS)
    try:
        text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return "".join("\ufffd" if "\ud800" <= c <= "\udfff" and not "\udc80" <= c <= "\udcff" else c for c in text)
    return text


def clean(change: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """A checkpoint's fields with secrets redacted and control characters removed, and the kinds of what was redacted."""
    texts: list[str] = []
    _gather(change, texts)
    together = "\n".join(texts)
    if together.replace("\n", " ").replace("\t", " ").isprintable() and not redacted(together)[1]:
        return dict(change), ()  # nearly always; to look at thousands of texts one by one takes ten times as long
    kinds: list[str] = []

    def washed(value: Any) -> Any:
        if isinstance(value, str):
            text, found = redacted(printable(value))
            kinds.extend(found)
            return text
        if isinstance(value, (list, tuple)):
            return tuple(washed(item) for item in value)
        if isinstance(value, dict):
            return {washed(key): washed(item) for key, item in value.items()}
        return value

    return {name: washed(value) for name, value in change.items()}, tuple(kinds)


def _gather(value: Any, texts: list[str]) -> None:
    """All texts in a value, keys of mappings too."""
    if isinstance(value, str):
        texts.append(value)
    elif isinstance(value, (list, tuple)):
        for item in value:
            _gather(item, texts)
    elif isinstance(value, dict) or hasattr(value, "items"):
        for key, item in value.items():
            texts.append(key)
            _gather(item, texts)


# ---- zero tolerance ----------------------------------------------------------------------------------------------------

_IDLE = ("idle", "nothing", "no active task", "no task", "no current task", "waiting", "n/a", "空闲", "无")
_VAGUE = (
    r"(?i)^(?:we |i |user )?(?:discuss(?:ed|ing)?|talked about|worked on|chatted about|did|continued)\b"
    r".{0,60}\b(?:stuff|things|etc|misc|topics|issues|work)\b\W*$"
)


def shortfall(given: Mapping[str, Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(mandatory fields that are missing, sentences about what could not be resumed from). `none` is an answer."""
    missing = tuple(name for name in MANDATORY if name not in given)
    vague: list[str] = []
    task = one_line(given.get("task", ""))
    if task.casefold().rstrip(".!。") in _IDLE:
        vague.append(f"task: “{task}” does not say what is being waited for")
    phase = one_line(given.get("phase", ""))
    if phase and phase not in PHASES:
        vague.append(f"phase: “{phase}” is not one of {', '.join(PHASES)}; it was kept under context")
    for name in ("task", "goal", "status", "exchanges", "in_flight", "next_steps"):
        values = given.get(name, ())
        for text in (values,) if isinstance(values, str) else values:
            if _is_vague(one_line(text)):
                vague.append(f"{name}: “{one_line(text)}” names a topic; say what was said, decided or found")
    return missing, tuple(vague)


def _is_vague(text: str) -> bool:
    import re

    return bool(re.match(_VAGUE, text)) or text in ("讨论了一些事情", "讨论了仪表盘相关", "讨论了仪表盘相关事宜")


# ---- going out ---------------------------------------------------------------------------------------------------------


def framed(text: str, key: bytes = b"") -> str:
    """Memory between two marks that nothing inside can forge: they are made of the text itself, under the workspace's key.

    Whoever wrote a line of it, knowing all but the key, cannot write the line that ends it.
    """
    text = printable(text)
    mark = digest(key + text.encode("utf-8", "surrogateescape"))[:10]
    return f"--- memory {mark} ---\n{text}\n--- end {mark} ---\n"
