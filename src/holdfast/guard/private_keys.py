r"""Private keys: in their armour to its footer, and bodies that have lost it.

A body stands without its armour where it is the value of a variable or a column of a database, or where a tool has cut off the
first line. What base64 makes of the first bytes of a key tells it: the lengths, version and algorithm that each begins with
(RFC 8017, 5915, 5958, and OpenSSH's `openssh-key-v1`). A public key and a certificate begin otherwise.
"""

from __future__ import annotations

from .rules import expression

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Span = tuple[int, int, str]  # (start, end, kind)

KIND = "private-key"
_NUMBERED = r"[ \t]{0,8}(?:[0-9]{1,6}(?:[→\t|:]|[ \t]{2})|#|//|\*|--)[ \t]{0,8}"  # as a tool shows a line, or commented out
_HEADER = r"-{4,5} ?BEGIN (?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1) ?-{4,5}"
_BEGIN = (
    rf"{_HEADER}((?:(?<=\n){_NUMBERED}|\\{{1,2}}r|\\{{1,2}}n|<br ?/?>|[ \t\r\n'\"+,>|]){{0,40}}+)([A-Za-z0-9+/=]{{4,200}}+)"
)
_END = r"-{4,5} ?END (?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1) ?-{4,5}"
_LINE_END = rf"(?:\\{{1,2}}r)?(?:\\{{1,2}}n|(?:<br ?/?>|['\",+]{{0,3}})[ \t]{{0,8}}\r?\n(?:{_NUMBERED})?)"
_ENDS = r"(?=[ \t]{0,8}(?:[\r\n]|\Z|[\"'\\-]))"
_KEY_LINES = (
    rf"(?:[A-Za-z-]{{1,30}}: [^\n\\]{{0,200}}{_LINE_END}){{0,9}}+(?:{_LINE_END})?"
    rf"(?:[ \t>+|'\"]{{0,8}}[A-Za-z0-9+/=]{{1,20000}}{_LINE_END}){{0,400}}+"
    rf"(?:[ \t>+|'\"]{{0,8}}[A-Za-z0-9+/=]{{1,20000}}{_ENDS})?"
)
_HEAD = (
    r"(?:(?<![A-Za-z0-9+/])|(?<=\\[nrt]))(?:"
    r"MII[A-Za-z0-9+/]{2}[AQgw]IBA(?:AK[BC]|DANBgkqhkiG9w0BAQEFAASC)"  # RSA, in a form of its own and in that of all keys
    r"|MH[Qc]CAQEEI|MIGkAgEBBD|MIHcAgEBBE|MI[A-Za-z0-9+/]{2}AgEAMB[AM]GByqGSM49"  # elliptic curves, the same
    r"|M[CE][A-Za-z0-9+/]CAQAwBQYDK2V"  # Ed25519 and the like
    r"|M[A-Za-z0-9+/]{6,7}(?:BgkqhkiG9w0BBQ|GCSqGSIb3DQEFD)"  # any of them, under a password
    r"|b3BlbnNzaC1rZXktdjEA)[A-Za-z0-9+/]{20}"
)
_BEFORE_IT, _AND_BEHIND = 8, 80  # characters of a head on either side of where its telltale begins, at most
# Lines of a body are as long as each other but for the last, which would be a word if it had letters alone.
_BODY = (
    rf"[A-Za-z0-9+/]{{1,20000}}+={{0,2}}(?:{_LINE_END}[ \t>+|'\"]{{0,8}}[A-Za-z0-9+/]{{40,20000}}+={{0,2}}){{0,400}}+"
    rf"(?:{_LINE_END}[ \t>+|'\"]{{0,8}}(?=[A-Za-z0-9+/]{{0,76}}[0-9+/=])[A-Za-z0-9+/]{{1,76}}={{0,2}}{_ENDS})?"
)


def has_header(text: str) -> bool:
    """Whether the first line of a private key stands in a text, with or without its body."""
    return "BEGIN" in text and expression(_HEADER).search(text) is not None


def in_armour(text: str, places: list[int]) -> Iterator[tuple[int, Span]]:
    """(where its header stands, the whole of it) of private keys in armour."""
    footer = [0, 0]
    reached = 0
    for place in places:
        span = _key_block(text, place, footer) if place >= reached else None
        if span:
            yield place, span
            reached = span[1]


def _key_block(text: str, place: int, footer: list[int]) -> Span | None:
    """A private key in its armour, to its footer; without one to its last line of base64. `footer` remembers the next one."""
    begin = expression(_BEGIN).match(text, place)
    if begin is None or ("\n" not in begin[1] and "n" not in begin[1] and len(begin[2]) < 20):
        return None
    body = begin.start(2)
    if footer[0] < body:  # looked for once, however many keys lack theirs
        found = expression(_END).search(text, body)
        footer[:] = found.span() if found else (len(text) + 1, len(text) + 1)
    lines = expression(_KEY_LINES).match(text, body)
    end = max(begin.end(), lines.end() if lines else 0)
    if footer[0] <= min(end + 200, len(text)):
        return place, footer[1], KIND
    return place, place + len(text[place:end].rstrip()), KIND


def without_armour(text: str, places: list[int]) -> Iterator[tuple[int, Span]]:
    """(where its telltale stands, the whole of it) of bodies of private keys, line by line."""
    reached = 0
    for place in places:
        head = expression(_HEAD).search(text, max(0, place - _BEFORE_IT), place + _AND_BEHIND) if place >= reached else None
        body = expression(_BODY).match(text, head.start()) if head and head.start() <= place else None
        if body:
            yield place, (body.start(), body.end(), KIND)
            reached = body.end()
