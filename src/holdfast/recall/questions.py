"""A question, taken apart into what the index is asked for. Pure.

Any text is a question: what is no word is left out, and what stands in quotes must stand in the answer just so. Words that every
question has (“what”, “did”, “about”; “wer”, “quand”, “где”) say nothing and are left out too, unless there are no others. English
words come with the forms that no stemmer knows (`bought` for `buy`) and with what they are called for short (`cert`). The index
has English stems; a word of another language that bends its words comes with its beginning, as `базы` does with `баз…`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from ..model import Value
from .wording import pairs, spelt, unspaced, unwidened, without_runs, words_of

STOP = frozenset(
    """a an the of to in on at for and or but if so is are was were am be been being do does did done have has had having what
    which who whom whose when where why how with by from as it its this that these those i me my mine you your yours he him his
    she her hers they them their theirs we us our ours not no nor about into than then there here would could should can will
    shall may might must s t d ll re ve m many much kind type sort some any during after before also get got other another such
    like because while said say says tell told thing things""".split()  # noqa: SIM905
)
# The same of other languages. Those of the second kind are English words or names too: left out beside one of the first only.
ABROAD = frozenset(
    """der das dem und ist sind wer wann wie wo warum ein eine einen einem einer nicht wir ihr sich für von vom zum zur bei auf
    nach über auch oder aber wenn dass kein keine welche welcher welches welchem wird werden wurde haben hatte ich
    le les du une sont qui que quoi quand où pourquoi dans avec cette ces elle nous vous ils quel quelle quels quelles à
    qué quién cuándo dónde cómo cuál por está están donde cuando porque gli della nel nella perché sono è
    uma não são quem onde het een waar wanneer waarom voor niet zijn wordt
    и в во не на что кто когда где почему как это по из за от до с со у к о об для или но а же ли бы мы вы он она они его её их
    какой какая какие каком при был была были है हैं का की के में से पर को और क्या कौन कहाँ कब क्यों कैसे यह वह था थी थे नहीं
    من في على إلى عن ما ماذا متى أين لماذا كيف هل هو هي هذا هذه التي الذي لا""".split()  # noqa: SIM905
)
_ABROAD_TOO = frozenset(
    """die den des war hat man es sie am an als so im um mit aus la l d c n j qu de est pas sur pour par ce il son ou t me au aux
    et el los las uno del para sin se su sus lo al y e en con un una como che chi dove di per non o os as dos das da do na no em
    com op van met wat hoe is on""".split()  # noqa: SIM905
)
_ENDINGS = """ями ами иями иях ого его ому ему ыми ими ях ах ям ам ов ев ей ой ый ий ая яя ое ее ые ие ую юю ом ем ою ею ть ет ит
    ут ют ат ят ла ли ло а я о е ы и у ю ь й""".split()  # noqa: SIM905
_FORMS = """
    begin began begun;bear bore born;bite bit bitten;blow blew blown;break broke broken;bring brought;build built;buy bought;
    catch caught;child children;choose chose chosen;come came;deal dealt;dig dug;draw drew drawn;drink drank drunk;
    drive drove driven;eat ate eaten;
    fall fell fallen;feed fed;feel felt;fight fought;find found;fly flew flown;foot feet;forget forgot forgotten;
    freeze froze frozen;give gave given;go went gone;grow grew grown;hang hung;hear heard;hide hid hidden;hold held;keep kept;
    know knew known;lead led;leave left;lend lent;life lives;lose lost;make made;man men;mean meant;meet met;mouse mice;pay paid;
    person people;ride rode ridden;rise rose risen;run ran;see saw seen;seek sought;sell sold;send sent;shake shook shaken;
    shine shone;shoot shot;show shown;sing sang sung;sink sank sunk;sit sat;sleep slept;speak spoke spoken;spend spent;
    stand stood;steal stole stolen;strike struck;swear swore sworn;swim swam swum;take took taken;teach taught;tear tore torn;
    think thought;throw threw thrown;tooth teeth;understand understood;wake woke woken;wear wore worn;wife wives;win won;
    woman women;write wrote written;
    administrator admin;authentication auth;certificate cert;configuration config;database db;dependency deps;dependencies deps;
    directory dir;documentation docs;environment env;kubernetes k8s;message msg;parameter param;performance perf;
    postgres postgresql pg;production prod;repository repo;specification spec;vulnerability vuln"""
_SPELT_OUT = str.maketrans({"ß": "ss", "ä": "ae", "ö": "oe", "ü": "ue"})
LONGEST = 100_000  # characters of a question that are read
_SPACED = bytes(ord(chr(byte).lower()) if chr(byte).isalnum() or byte == 95 else 32 for byte in range(128)) + bytes(128)
_IN_MAY = r"(?i)\b(?:\d{1,4}(?:st|nd|rd|th)?(?: of)?,? may|may,? \d)"  # the month, not the verb
_QUOTES = frozenset('"“„«「『')
_QUOTED = r'"([^"]+)"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»|「([^」]+)」|『([^』]+)』'


class Query(Value):
    """A question, taken apart. Its words are FTS5 strings, quoted; each comes with its other forms."""

    words: tuple[tuple[str, ...], ...]
    beside: tuple[str, ...] = ()  # what counts once more: words side by side or close, identifiers whole
    phrases: tuple[str, ...] = ()  # what must stand there exactly
    text: str = ""


@lru_cache(maxsize=1)
def parsed(text: str) -> Query:
    """A question, taken apart; kept for whoever shows what was found for it."""
    plain = unwidened(text[:LONGEST].encode("utf-8", "replace").decode())
    phrases = [next(filter(None, found)) for found in re.findall(_QUOTED, plain)] if _QUOTES & set(plain) else []
    said: list[str] = []  # in order; "" between what does not stand side by side
    beside: list[str] = []
    for name in without_runs(plain).split():
        pieces = spelt(words_of(name).lower())
        said += pieces
        if len(pieces) > 1 and pieces[1:] != ["s"]:
            beside.append(" ".join(pieces))
            if pieces != spelt(name.lower()):
                beside.append("".join(pieces))  # should_condense is in the index as shouldCondense, one word
    for run in unspaced(plain):
        found = pairs(run)
        said += ["", *(found[:-1] or found)]
    stop = STOP - {"may"} if "may" in said and re.search(_IN_MAY, plain) else STOP
    abroad = len(ABROAD.intersection(said))
    if abroad and abroad >= len(STOP.intersection(said) - _ABROAD_TOO):
        stop = stop | ABROAD | _ABROAD_TOO
    beside += [f"{one} {next_}" for one, next_ in pairwise(said) if one and next_ and not {one, next_} & stop]
    words = [word for word in dict.fromkeys(said) if word and word not in stop] or [word for word in dict.fromkeys(said) if word]
    forms = _forms()
    close = [f"NEAR({fts(one)} {fts(next_)}, 3)" for one, next_ in pairwise(words) if len(one) > 1 and len(next_) > 1]
    return Query(
        tuple((*map(fts, (word, *forms.get(word, ()))), *_bent(word, len(stop) > len(STOP))) for word in words),
        (*(fts(text) for text in dict.fromkeys(beside)), *close),
        tuple(" ".join(phrase.split()) for phrase in phrases if spelt(phrase)),
        plain,
    )


def fts(word: str) -> str:
    """A word for the index; a single character of a script without spaces is the beginning of a pair."""
    return f'"{word}" *' if len(word) == 1 and unspaced(word) else f'"{word}"'


def _bent(word: str, abroad: bool) -> list[str]:
    """A word of another language with other endings, for the index: as its beginning. Endings are cut off where they are known,
    in a question in such a language or in a word with a letter that English has not; with `ß` and `ü` also as `ss` and `ue`.
    """
    if len(word) < 4 or (word.isascii() and not abroad) or unspaced(word):
        return []
    if "\u0400" <= word[0] < "\u0500":
        stems = [word.removesuffix(ending) for ending in _ENDINGS if word.endswith(ending) and len(word) - len(ending) > 2]
        return [f'"{min(stems, key=len, default=word)}" *']
    if not word.isalpha() or word[0] > "\u024f" or len(word) < 5:
        return []
    stem = word.rstrip("nsr").rstrip("aeo") if len(word) > 5 else word.rstrip("ns")
    forms = [f'"{stem}" *'] if len(stem) > 3 else []
    plain = word.translate(_SPELT_OUT)
    return forms if plain == word else [*forms, fts(plain)]


def umlauts(word: str) -> list[str]:
    """A word as it may stand where it was asked for without umlauts: `Hoessl` for Hößl, `Strasse` for Straße."""
    if not word.isascii():
        return []
    plain = word.replace("ae", "a").replace("oe", "o").replace("ue", "u")  # the index has ö as o
    return [form for form in dict.fromkeys((plain, word.replace("ss", "ß"), plain.replace("ss", "ß"))) if form != word]


def exactly(phrase: str) -> str:
    """A phrase for the index: its words side by side. Whether case, endings and signs agree is seen in the text itself."""
    runs = [" ".join(pairs(run)[:-1] or pairs(run)) for run in unspaced(phrase)]
    words = " ".join(spelt(without_runs(phrase).replace("_", " ")))
    return " AND ".join(fts(text) for text in (words, *runs) if text)


def plainly(query: Query) -> list[str]:
    """The words of a question as they were written."""
    return [forms[0].strip('" *') for forms in query.words]


def words_in(text: str) -> set[str]:
    """The words of a passage, to compare it with another. By way of bytes where it is ASCII: that takes a fifth of the time."""
    if text.isascii():
        return set(text.encode().translate(_SPACED).decode().split())
    return set(spelt(text.casefold()))


def _forms(table: dict[str, list[str]] = {}) -> dict[str, list[str]]:  # noqa: B006 - made once, at the first question
    if not table:
        for line in _FORMS.split(";"):
            for word in line.split():
                table[word] = [other for other in line.split() if other != word]
    return table


# ---- spelt almost so ---------------------------------------------------------------------------------------------------


_MOST_LETTERS = 64  # of a word that may be misspelt
_SHORT_ENDING = 3  # letters that may be cut off a stem, whatever they are
_LONG_ENDING = r"\w*(?:ings?|ingly|ed|ly|ate|ions?|ers?|ments?|ness|[ai]ble|it(?:y|ies)|ive|al|i[sz]e)"  # of a stem, not a word


def slips_allowed(word: str) -> int:
    """How many slips are forgiven in a word: in a short one, a second makes it another word."""
    return 1 if len(word) < 8 else 2


def spelt_almost(word: str, terms: list[str]) -> list[str]:
    """The terms of an index that the fewest slips turn into this word. Terms are stems: an ending that is cut off is no slip,
    and a letter more or less before it is one.
    """
    if len(word) > _MOST_LETTERS:
        return []
    most = slips_allowed(word)
    letters, heads = set(word), [set(word[:length]) for length in range(len(word) + 1)]
    found = []
    for term in terms:
        # A slip brings one letter at most that the word has not, and takes one at most away: nearly no term needs a closer look.
        other = set(term)
        if len(other - letters) <= most and len(heads[min(len(term) - 1, len(word))] - other) <= most:
            slips = distance(word, term, most)
            for length in range(len(term) - 1, min(len(term) + 2, len(word))) if len(term) >= 5 else ():
                if len(word) - length > _SHORT_ENDING and not re.fullmatch(_LONG_ENDING, word[length:]):
                    continue  # another word: “pufferfish” is no “buffer” with an ending
                cut = distance(word[:length], term, most)
                slips = min(slips, cut) if cut <= slips_allowed(term) else slips
            found.append((slips, term))
    least = min(found, default=(most + 1, ""))[0]
    return sorted(term for slips, term in found if slips == least <= most)[:5]


def distance(one: str, other: str, most: int) -> int:
    """Letters changed, added, left out or swapped with their neighbour; beyond `most` it is not counted further."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    last: list[int] = []
    row = list(range(len(other) + 1))
    for i, x in enumerate(one, 1):
        before, last, row = last, row, [i]
        for j, y in enumerate(other, 1):
            cost = min(last[j] + 1, row[-1] + 1, last[j - 1] + (x != y))
            if i > 1 and j > 1 and x == other[j - 2] and one[i - 2] == y:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return row[-1]
