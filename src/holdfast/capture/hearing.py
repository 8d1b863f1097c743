"""What a prompt asks of memory, told by its words alone. Apart from signs.py, since every prompt pays for it: no expression
is compiled, nothing is looked up, and an ordinary prompt is done with in microseconds.

Two kinds: a person who misses something that was said or done (then the context was lost, whatever the host says, and the brief
is given), and one who refers to something that memory may have (then it is searched, and what is surely meant is given).
"""

from __future__ import annotations

_LOOKED_AT = 2000  # characters of a prompt
_LETTERS = "'_"
_NO_LETTERS = {code: " " for code in range(128) if not chr(code).isalnum() and chr(code) not in _LETTERS}


def phrases(spaced: str, unspaced: str = "") -> tuple[str, ...]:
    """Words and phrases as people write them, in lower case. Those of scripts with spaces have one around them, which `spoken`
    puts between words, whatever stood there; the others are looked for as they are.
    """
    return (*(f" {phrase.strip()} " for phrase in spaced.split(",")), *unspaced.split())


_THE_PAST = phrases(
    "you forgot, did you forget, have you forgotten, you've forgotten, we were working on, what were we doing, "
    "what were we working, what was i doing, what was i working, where were we, where did we leave, remember when, "
    "do you remember, don't you remember, as i told you, i already told you, we already discussed, we talked about, "
    "what did we decide, wo waren wir, was haben wir, du hast vergessen, weißt du noch, où en étions nous, "
    "tu as oublié, te souviens tu, qué estábamos haciendo, te olvidaste, recuerdas cuando, dove eravamo, "
    "hai dimenticato, onde paramos, você esqueceu, на чем мы остановились, ты забыл, помнишь",
    "你忘了 忘记了吗 还记得 刚才在做什么 我们在做什么 之前说过 说到哪 做到哪 忘れた 覚えて どこまで "
    "前に話した 기억나 잊었 어디까지",
)
_REFERRED = phrases(
    "as we decided, as decided, we decided, as agreed, as we agreed, we agreed, as discussed, as we discussed, like last time, "
    "as last time, last time we, same as last time, the same as before, same way as before, like before, as before, "
    "like we did, the way we did, as usual, the usual way, we used last, we always use, our convention for, "
    "i told you about, i mentioned, we settled on, you remember the, "
    "wie besprochen, wie beschlossen, wie vereinbart, wie letztes mal, wie beim letzten mal, wie vorher, wie immer, wie üblich, "
    "comme convenu, comme décidé, comme la dernière fois, comme avant, comme d'habitude, "
    "como acordamos, como decidimos, como la última vez, como antes, como siempre, "
    "come deciso, come concordato, come l'ultima volta, come prima, come al solito, "
    "como combinamos, como da última vez, como de costume, "
    "как решили, как договорились, как в прошлый раз, как раньше, как обычно",
    "像上次 跟上次一样 和上次一样 按之前 像之前 我们决定的 说好的 照旧 老样子 之前定的 前回と同じ 前回のように いつものように "
    "決めたように 決めた通り 지난번처럼 전처럼 정한 대로 결정한 대로 평소처럼",
)
_AGAIN = phrases(
    "what was, what were, which was, what is, what's, where was, how did we, wie war, was war, quel était, cuál era, qual era"
)
_BY_NAME = phrases("remember the, remember our, remember my, remember that, remember how we, recall the, recall our, remind me")


def spoken(text: str) -> str:
    """A text as a row of words in lower case, a space around each."""
    plain = text.lower().replace("’", "'").translate(_NO_LETTERS)
    if not plain.isascii():
        plain = "".join(c if c.isalnum() or c in _LETTERS else " " for c in plain)
    return f" {' '.join(plain.split())} "


def asks_for_the_past(text: str) -> bool:
    """A person who misses something that was said or done before: a sign that the context was lost, whatever the host says."""
    heard = spoken(text[:_LOOKED_AT])
    return any(phrase in heard for phrase in _THE_PAST)


def refers_to_memory(text: str) -> bool:
    """A person who means something from before by its name: “as we decided”, “what was the port again”, “like last time”."""
    heard = spoken(text[:_LOOKED_AT])
    if any(phrase in heard for phrase in (*_REFERRED, *_BY_NAME)):
        return True
    asked = heard.endswith((" again ", " nochmal ", " déjà ", " otra vez "))
    return asked and any(phrase in heard for phrase in _AGAIN)


def without_the_asking(text: str) -> str:
    """The words of a prompt without those that only refer: what is left names the thing."""
    heard = spoken(text[:_LOOKED_AT])
    for phrase in sorted((*_REFERRED, *_BY_NAME, *_AGAIN), key=len, reverse=True):
        heard = heard.replace(phrase, " ")
    return " ".join(word for word in heard.split() if word not in ("again", "nochmal", "déjà"))
