"""What a short reply means: which of the listed ways it picks, and whether it is only a thanks, a goodbye or a yes. Pure.

“2” says nothing to who has lost the list, and “ok thanks, see you tomorrow” neither asks for something nor answers a question.
"""

from __future__ import annotations

import re
from functools import lru_cache

from .hearing import phrases, spoken

_made = lru_cache(maxsize=None)(re.compile)

_REPLY = 200  # characters of a reply that may pick; and of what it picks
_NAMED = (
    r"(?:options?|approach|plan|variante?|choice|number|no\.|#|items?|points?|steps?|opci[oó]n|paso|lösung|nummer|punkt|schritt"
    r"|方案|选项|選項|步骤|第|案)"
)
_NAMES = (
    "option", "approach", "plan", "variant", "choice", "number", "no.", "item", "point", "step", "opci", "paso", "lösung",
    "nummer", "punkt", "schritt", *"方选選步第案",
)  # fmt: skip
_LABELS = tuple("123456789abcdefgh")
# A line that begins an item: `2. …`, `- **B)** …`, `### Option 2: …`.
_ITEM = rf"(?im)^[ \t>#*_|-]{{0,8}}(?:{_NAMED}[ \t]{{0,2}})?([1-9]\d?|[A-H])(?:[.):：、．]|\*\*|[ \t][-–—:|])[*_ \t]{{0,4}}(?=\S)"
_PICKS = (
    r"(?:for|please|pls|then|and|or|but|now|it|is|looks|seems|sounds|with|first|instead|too|bitte|und|ist|klingt|zuerst|"
    r"por|y|primero|et|puis|d'abord)\b"
)
# A label alone, behind which stands no thing that it counts: “2 for now”, “B吧”, and not “2 commits”.
_LABEL = (
    rf"(?i:({_NAMED})[ \t]{{0,2}})?(?<![A-Za-z0-9_.:/$€-])([1-9]\d?|[A-Ha-h])(?![A-Za-z0-9_%°€$'’]|[.:/,-]\d)"
    rf"(?=\s*(?:$|[^\w\s]|{_PICKS}|[^\x00-\u024f]))"
)
# Who numbers what they say answers that many questions, and picks none of them: “1. yes, 2. left”.
_OWN_LIST = r"(?<![\w.])(?:[1-9]|[A-Ha-h])[.):：][ \t]+(?=[^\s\d])"
_ORDINAL = (
    r"(?i)\b(?:(first|erste[nrs]?|primer[oa]?|premi[eè]re?)|(second|zweite[nrs]?|segund[oa]|deuxième)"
    r"|(third|dritte[nrs]?|tercer[oa]?|troisième)|(fourth|vierte[nrs]?|cuart[oa]|quatrième))"
    r"(?=\s*(?:$|[^\w\s]|(?:one|option|approach|way|choice|variante?|opción|solution|bitte|please)\b))"
    r"|第(?:(一)|(二)|(三)|(四))"
)

# What has a number of its own, in a host or a forge: “[Image #2]”, “PR #3”. It is no item of the list.
_NUMBERED = (
    r"(?i)\[[a-z][^\[\]\n]{0,40}#\d+[^\[\]\n]{0,40}\]"
    r"|\b(?:prs?|mrs?|pull requests?|merge requests?|issues?|tickets?|bugs?) ?#\d+"
)
_HOW_MANY = frozenset("all alle tutti tutte todos todas tous toutes todo these those other last first top next все".split())  # noqa: SIM905
_COUNTED = tuple("个個种種条條项項件つ개가")  # behind a number: so many of them
_COUNTS = r"(?:ly|ens|ement)?\s*[,:，：、]\s*(?!(?:please|pls|thanks|bitte|danke|por favor|s'il)\b)\w"


def picked(reply: str, said: str) -> str:
    """The items of a list in what was said that a short reply names by their numbers or letters; empty where it names none."""
    if len(reply) > _REPLY or not _may_list(said) or len(_made(_OWN_LIST).findall(reply)) > 1:
        return ""
    if "#" in reply:
        reply = _made(_NUMBERED).sub(" ", reply)
    wanted = [found[2].upper() for found in _made(_LABEL).finditer(reply) if found[1] or _stands_alone(reply, found)]
    for found in _made(_ORDINAL).finditer(reply) if not wanted else ():  # “2 first”: before the others
        if _counts_off(reply, found):
            continue
        wanted.append(str((found.lastindex or 1) - (4 if (found.lastindex or 1) > 4 else 0)))
    items = _items(said) if wanted else {}
    shown = [f"{label}: “{items[label]}”" for label in dict.fromkeys(wanted) if label in items]
    return "; ".join(shown[:3])


def _stands_alone(reply: str, label: re.Match[str]) -> bool:
    """Whether a label may be meant that no word calls one: “let's do 2”, and not the number of something, “under Heading 2”."""
    if label[2].islower() and len(reply) >= 4:
        return False
    before = reply[: label.start(2)].rpartition("\n")[2].split()
    if (before and before[-1].lower() in _HOW_MANY) or reply[label.end(2) :].lstrip()[:1] in _COUNTED:
        return False
    return not (before[1:] and before[-1].isalpha() and before[-1].istitle())


def _counts_off(reply: str, ordinal: re.Match[str]) -> bool:
    """Whether an ordinal only counts what a person says: “First, the tests. Second, how do I …”, and not “the second, please”."""
    before = reply[: ordinal.start()].rstrip(" \t*_-")
    return bool(_made(_COUNTS).match(reply, ordinal.end())) and (not before or before[-1] in ".!?:;,\n。！？；：，、)")


def _may_list(said: str) -> bool:
    """Whether some lines begin as items do: a question to each request, which must not compile all of the above."""
    heads = (line.lstrip(" \t>#*_|-")[:9].lower() for line in said[-20_000:].split("\n"))
    return sum(head.startswith(_NAMES) or (head.startswith(_LABELS) and not head[1:2].isalpha()) for head in heads) > 1


def _items(said: str) -> dict[str, str]:
    """Label → item, of the last list that has it, where there are several to choose from."""
    found: dict[str, str] = {}
    marks = list(_made(_ITEM).finditer(said[-20_000:]))
    for mark, after in zip(marks, [*marks[1:], None], strict=False):
        whole = said[-20_000:][mark.end() : after.start() if after else None]
        line = " ".join(whole.split("\n\n", 1)[0].replace("**", "").split())
        found[mark[1].upper()] = line if len(line) <= _REPLY else line[: _REPLY - 1].rstrip() + "…"
    return found if len(found) > 1 else {}


_THANKS = phrases(
    "thanks, thank you, thank u, thx, ty, cheers, danke, merci, gracias, obrigado, obrigada, grazie, bedankt, спасибо, "
    "bye, goodbye, good night, see you, see ya, cya, tschüss, bis morgen, bis später, bis dann, gute nacht, hasta mañana, "
    "hasta luego, adiós, à demain, au revoir, à bientôt, até amanhã, tot morgen, a domani, до завтра, пока"
)
_BYE = _THANKS[_THANKS.index(" bye ") :]
_UNSPACED = ("谢谢", "多谢", "謝謝", "ありがとうございます", "ありがとう", "감사합니다")
_BYE_UNSPACED = ("再见", "明天见", "晚安", "また明日")
_AROUND = frozenset(
    "ok okay great nice perfect cool awesome super very much a lot so for now that's that is it all good well done you see ya "  # noqa: SIM905
    "have one day night evening weekend today tomorrow later again then until prima toll gut sehr vielen dank alles klar bis "
    "morgen später dann bien parfait beaucoup muy muchas mil muito mille hasta mañana luego большое".split()
)
_AROUND_UNSPACED = r"[\W好的了啊先今天就到这里]*"


@lru_cache(maxsize=64)
def is_courtesy(text: str) -> bool:
    """Whether a message is a thanks or a goodbye and nothing else."""
    if len(text) > 80 or "?" in text:
        return False
    rest = text
    for word in (*_UNSPACED, *_BYE_UNSPACED):
        rest = rest.replace(word, "")
    if rest != text:
        return bool(_made(_AROUND_UNSPACED).fullmatch(rest))
    words = spoken(text)
    if not any(phrase in words for phrase in _THANKS):
        return False
    for phrase in _THANKS:
        words = words.replace(phrase, "  ")
    return _AROUND.issuperset(words.split())


_CONFIRMS = frozenset(
    "yes yep yeah yup ok okay sure correct right exactly indeed matches match good great perfect fine please continue proceed go "  # noqa: SIM905
    "on ahead carry keep going that's that it is this looks look does all do so still and thanks thank you ja genau stimmt passt "
    "richtig bitte weiter mach weitermachen gut danke sí si correcto exacto continúa sigue adelante oui exact continue c'est ça "
    "vas y sim certo continua да верно продолжай".split()
)
_CONFIRMS_UNSPACED = (
    r"(?:\W|是的|是|对的|对|好的|好|没错|没问题|可以|继续|吧|请|はい|そうです|合っています|続けてください|続けて|お願いします"
    r"|네|맞아요|계속)+"
)


def is_confirmation(text: str) -> bool:
    """Whether a reply says yes, go on, and nothing else."""
    if len(text) > 80 or "?" in text:
        return False
    return _CONFIRMS.issuperset(spoken(text).split()) or bool(_made(_CONFIRMS_UNSPACED).fullmatch(text))


_AGREES = _CONFIRMS.union(
    "start begin lgtm approved approve agreed sounds works for me let's lets of course absolutely definitely totally ship now "  # noqa: SIM905
    "with the plan a i we to cool nice alright klar machen das es los leg klingt einverstanden d'accord parfait vale claro dale "
    "beleza pode давай хорошо конечно".split()
)
_AGREES_UNSPACED = (
    r"(?:\W|的|是|对|好|没错|没问题|可以|继续|开始|同意|就这样|行|嗯|吧|请|做|执行|はい|お願いします|進めてください|네|좋아요|진행)+"
)


def agrees(text: str, to: str) -> bool:
    """Whether a reply says yes to something and nothing else: each of its words is one of agreement, or one of the proposal's."""
    if len(text) > 80 or "?" in text:
        return False
    words = set(spoken(text).split())
    return words <= _AGREES or words <= _AGREES.union(spoken(to).split()) or bool(_made(_AGREES_UNSPACED).fullmatch(text))


def is_goodbye(text: str) -> bool:
    """Whether a courtesy ends the talk: it answers no question."""
    return any(phrase in spoken(text) for phrase in _BYE) or any(word in text for word in _BYE_UNSPACED)
