"""Words, for the index and for those who ask it: what has to be indexed besides a text so that its parts are found. Pure.

SQLite's tokeniser takes a run of Chinese for one word and `shouldCondense` for another, so that nobody who asks for a part of
either would find it. `parts` gives what has to be indexed besides the text itself:

    一起去公园跑步      every two neighbouring characters, and the last alone: 一起 起去 去公 公园 园跑 跑步 步
    shouldCondense   its words, in their order: should Condense; `HTTPServer` → HTTP Server, `v1.2.3` → v 1.2.3
    我们用Redis做缓存    the rest of what is written in one piece: Redis

Scripts that are written without spaces (Chinese, Japanese, Thai, Lao, Khmer, Burmese) and Korean, whose particles cling to
their words, are cut in this way; everything else is left to the tokeniser. Expressions are compiled when a text first needs
them: a plain question in English needs hardly any, and compiling them all would cost a third of an interpreter start.
"""

from __future__ import annotations

import re

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
_WORD = re.compile(r"\w+")
_RUN = f"[{_UNSPACED}]+"
_WIDE = "[\uff01-\uff9f\uffe0-\uffee]"  # full-width letters, half-width katakana
_EASTERN = f"[{_UNSPACED}\uff01-\uff9f\uffe0-\uffee]"
_JOINT = r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=[0-9])|(?<=[0-9])(?=[A-Za-z])"
# What makes a word one of several, in a text whose letters are all a or A and whose digits are all 0. Each expression begins with
# the rarer byte itself, so that the engine runs over everything else, which is nearly all, as fast as the machine can.
_SHAPE = bytes.maketrans(b"bcdefghijklmnopqrstuvwxyzBCDEFGHIJKLMNOPQRSTUVWXYZ123456789", b"a" * 25 + b"A" * 25 + b"0" * 9)
_HUMP = rb"A(?:(?<=aA)|(?<=AA)(?=aa))"  # shouldCondense, HTTPServer; not TVs
_NUMBERED = rb"0(?:(?<=[aA]0)|(?=[aA]))"


def parts(text: str) -> str:
    """What the index has to hold besides the text, so that parts of it are found."""
    found: list[str] = []
    if _joined(text):
        words = [word for word in text.split() if not (word.isalpha() and (word.islower() or word.istitle()))]
        found += [re.sub(_JOINT, " ", word) for word in words if _joined(word)]
    if not text.isascii() and re.search(_EASTERN, text):
        plain = unwidened(text)
        found += [pair for run in re.findall(_RUN, plain) for pair in pairs(run)]
        found += [piece for word in plain.split() if not word.isascii() for piece in _beside_runs(word)]
        if plain is not text:
            found.append(plain)
    return " ".join(found)


def _beside_runs(word: str) -> list[str]:
    """What stands beside a run of such a script without a space, and the parts of it: to the tokeniser both are one word."""
    rest = re.sub(_RUN, " ", word)
    pieces = rest.split() if rest != word else []
    return [*pieces, *(re.sub(_JOINT, " ", piece) for piece in pieces if _joined(piece))]


def _joined(text: str) -> bool:
    """Whether a word in it is made of several, by its letters and digits. Every passage of a first build is asked."""
    shape = text.encode("utf-8", "replace").translate(_SHAPE)
    return bool((b"A" in shape and re.search(_HUMP, shape)) or (b"0" in shape and re.search(_NUMBERED, shape)))


def unwidened(text: str) -> str:
    """Full-width letters as letters, half-width katakana as katakana; the same object where there are none."""
    if text.isascii() or not re.search(_WIDE, text):
        return text
    import unicodedata

    return unicodedata.normalize("NFKC", text)


def pairs(run: str) -> list[str]:
    """Every two neighbouring characters, and the last alone: so that one character is found as the beginning of a pair."""
    return [run[i : i + 2] for i in range(len(run))]


def unspaced(text: str) -> list[str]:
    """The runs of scripts that are written without spaces."""
    return [] if text.isascii() else re.findall(_RUN, text)


def without_runs(text: str) -> str:
    """The rest of the text."""
    return text if text.isascii() else re.sub(_RUN, " ", text)


def spelt(text: str) -> list[str]:
    """The words of a text as the tokeniser has them: a mark is a part of its word, such as a vowel in Hindi."""
    # Marks are there, and some signs; that of an emoji, further up, is none of ours.
    odd = () if text.isascii() else {letter for letter in text if "\u0300" <= letter < "\u2000" and not letter.isalnum()}
    if not odd:
        return _WORD.findall(text)
    from unicodedata import category

    marks = {letter for letter in odd if category(letter)[0] == "M"}
    return "".join(sign if sign.isalnum() or sign == "_" or sign in marks else " " for sign in text).split()


def words_of(name: str) -> str:
    """An identifier as its words: `shouldCondense`, `should_condense` and `should-condense` are all “should condense”."""
    return (name if name.islower() and name.isalpha() else re.sub(_JOINT, " ", name)).replace("_", " ").replace("-", " ")
