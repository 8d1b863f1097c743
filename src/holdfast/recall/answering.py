"""Recall: a question → the passages that answer it, the best first.

How a passage is judged, each ingredient measured (docs/decisions/0008-recall.md):

1. Any word counts, by BM25 over stems: rare words much, common ones little, words that every question has (“what”, “did”) not at
   all. Two words that stand side by side in the question and in the passage count once more.
2. What stands next to a passage speaks for it too, but less.
3. So does its file: one that speaks of the thing in many places is likelier meant than one that mentions it once. How often it
   has the words counts as much as its best passages do.
4. Recency and origin are gentle: they decide between equals.
5. Where the vectors package is installed, it gives a second opinion on the best candidates, and brings some of its own: those
   that have other words for the same (`vectors.py`).

Each further passage of the same file must be so much better, and what says the same as a better hit is folded into it. Where no
word is found, words that begin so, and then words that are spelt almost so, are tried. An empty answer says why.
"""

from __future__ import annotations

import os
import re
import sys
import time

from ..model import Value, fold, slug
from ..storage.tree import Tree
from .asking import Broken, Index, Wanted
from .corpus import PLACE
from .hits import Hit, folded, shown
from .index import AT_ONCE, finish_beside, of_sessions, up_to_date
from .questions import Query, exactly, fts, parsed, plainly, slips_allowed, spelt_almost, umlauts
from .wording import unspaced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from ..config import Config
    from .asking import Row

CANDIDATES = 120  # passages that are looked at closely
LEAD = 400  # passages with the rarest words from which on the others only judge
COUNTED = 4000  # passages with a word up to which it is counted file by file: what is everywhere tells no files apart
SMALL = 20_000  # passages up to which all words are looked through for one that is spelt almost so
LONGER = 30  # letters that a word may have more than its beginning: Rechnungsnummernkreise
MOST = 12  # words of a question that are looked for: the rarest
BESIDE = 0.3  # what a neighbour's score adds
AGAIN = 0.7  # what a further passage of the same file is worth
_ORIGINS = {"archive": 0.97, "journal": 0.9, "transcript": 0.9}  # documents are what people keep; the rest are second copies
_RECENT = 0.05, 30.0  # what being new adds at most, and the days after which it adds half
_looked: dict[tuple[str, ...], tuple[str, str]] = {}  # where the package for a second opinion was looked for, and found
_MARKER = r"(?i)[^\w]*BIG-MEMORY-SNAPSHOT\b[^\w]*(?:v1)?[^\w]*"
_TIMESTAMP = r"<!-- timestamp: ([^ ]+)"


class Result(Value):
    """What a search came to."""

    hits: tuple[Hit, ...]
    files: int
    passages: int
    note: str = ""  # why there is nothing, or what to know about what there is
    instead: str = ""  # that the hits are not what was asked for, where they are not: to be read before them


def search(
    workspace: str, query: str, config: Config, now: float, *, limit: int = 10, kind: str = "", topic: str = "", since: str = "",
    transcripts: Sequence[tuple[str, str, str]] = (),
) -> Result:  # fmt: skip
    """The best passages of a workspace for a question. Never fails for the sake of the index.

    `transcripts` are sessions of hosts, as (host, path, session), that are to be searched too.
    """
    wanted = Wanted(kind.upper(), slug(topic).casefold(), since)
    for attempt in ("as it is", "anew", "private"):
        about = {"anew": attempt != "as it is", "private": attempt == "private"}
        index = up_to_date(workspace, config, now, **about, seconds=AT_ONCE)
        index.waiting = Tree(workspace, config).waiting
        try:
            result = answered(index, query, wanted, limit, now)
            break
        except Broken:  # not whole after all, or a disk that gives back other bytes than it was given
            if attempt == "private":
                raise
        finally:
            index.close()
    if index.coming:
        result = result.replaced(note=f"{_still_coming(index, finish_beside(workspace, config, now))} {result.note}".rstrip())
    return _with_sessions(result, transcripts, query, wanted, limit, now) if transcripts else result


def answered(index: Index, text: str, wanted: Wanted, limit: int, now: float) -> Result:
    """The best passages of an index for a question."""
    query = parsed(text)
    instead = ""
    unkept = index.unkept if index.files else ""  # of nothing, nothing need be kept
    notes = [f"The index could not be kept ({unkept}); this search made one for itself."] if unkept else []
    if "snapshot" in text.lower() and re.fullmatch(_MARKER, text):
        hits = _snapshots(index, wanted)[:limit]
    else:
        hits = _found(index, query, wanted, limit, now)
        if not hits and query.phrases and (hits := _found(index, query.replaced(phrases=()), wanted, limit, now)):
            instead = f"No passage has {_quotes(query.phrases)} word for word; these have words of the question."
        if not hits and (other := _forgiven(index, query)) and (hits := _found(index, other, wanted, limit, now)):
            instead = f"Nothing has the words as they are written; these have {', '.join(_as_written(other, hits, query))}."
    if not hits:
        notes.append(_why_nothing(index, query, wanted))
    elif shortage := _installed()[1]:
        notes.append(f"Judged by words alone, not by meaning: {shortage}.")
    if troubled := [*index.shut, *(f"{file.path} ({file.trouble})" for file in index.troubled())]:
        more = f", and {len(troubled) - 1} more" if troubled[1:] else ""
        notes.append(f"Not searched: {troubled[0]}{more}.")
    if index.links:
        more = f", and {len(index.links) - 1} more" if index.links[1:] else ""
        notes.append(f"Links are not followed: {index.links[0]}{more}.")
    return Result(tuple(hits), index.files, index.passages, " ".join(notes), instead)


def _still_coming(index: Index, is_read_beside: bool) -> str:
    """That some files were not searched yet, and when they will be."""
    files = f"{index.coming:,} of {index.files + index.coming:,} files"
    when = "are being read beside" if is_read_beside else "are read by the next searches"
    return f"Not searched yet: {files}, the older ones; they {when}. Search again in a moment."


def _with_sessions(
    result: Result, sessions: Sequence[tuple[str, str, str]], text: str, wanted: Wanted, limit: int, now: float
) -> Result:
    """The result with what was said in hosts' sessions; secrets in it are masked, since nobody has looked at it before."""
    from ..guard.entering import redacted

    index, count = of_sessions(sessions)
    try:
        said = answered(index, text, wanted, limit, now)
    finally:
        index.close()
    found = [*result.hits, *(hit.replaced(text=redacted(hit.text)[0]) for hit in said.hits)]
    found.sort(key=lambda hit: -hit.score)
    note = f"Of {len(sessions)} sessions, the newest {count} were searched." if count < len(sessions) else ""
    notes = [result.note if result.hits or not said.hits else "", note]
    return Result(
        tuple(found[:limit]), result.files + said.files, result.passages + said.passages, " ".join(filter(None, notes)),
        result.instead if result.hits else said.instead,
    )  # fmt: skip


# ---- judging -----------------------------------------------------------------------------------------------------------


def _found(index: Index, query: Query, wanted: Wanted, limit: int, now: float) -> list[Hit]:
    """The hits for a question, the best first."""
    asked = [_as_it_stands(index, forms, wanted) for forms in query.words]
    known = sorted((count, words) for words in asked if (count := index.count(words, wanted)))
    if not known:
        return []
    folder = _vectors()
    scores = dict(index.best(_match(index, known[:MOST], query, wanted), wanted, 3 * CANDIDATES if folder else CANDIDATES))
    if not scores:
        return []
    of_passage = {row: score + BESIDE * (scores.get(row - 1, 0) + scores.get(row + 1, 0)) for row, score in scores.items()}
    counted = [index.counted(words, wanted) for count, words in known if count <= COUNTED]
    of_file = _files_judged(of_passage, counted, index)
    if folder:
        of_passage, of_file = _second_opinion(index, query, wanted, of_passage, of_file, folder)
    return _chosen(index, query, _ranked(of_passage, of_file, limit), limit, now)


def _as_it_stands(index: Index, forms: tuple[str, ...], wanted: Wanted) -> str:
    """A word with its forms, as the index is asked for it; with umlauts where it is nowhere without."""
    words = " OR ".join(forms)
    others = umlauts(forms[0].strip('"')) if not index.count(words, wanted) else []
    return " OR ".join((words, *map(fts, others)))


def _match(index: Index, known: list[tuple[int, str]], query: Query, wanted: Wanted) -> str:
    """What the index is asked. The rarest words lead to the candidates; where these are enough, the others only judge them.

    FTS5 scores every passage that matches, so that one common word would make a question as dear as the corpus is large.
    """
    # BM25 gives no weight to a word that half of all passages have; looking it up would still be the dearest part.
    known = [(count, words) for count, words in known if count < 0.45 * index.passages] or known[:1]
    lead, enough = [], 0
    for count, words in known:
        if enough < LEAD:
            lead.append(words)
            enough += count
    # BM25 weighs the words of every pair once more. One that stands nowhere adds nothing, and most do: they are left out.
    beside = tuple(pair for pair in query.beside[: 10 * MOST] if index.count(pair, wanted))[: 2 * MOST]
    match = " OR ".join([*(words for _, words in known), *beside])
    if len(lead) < len(known):
        match = f"({' OR '.join(lead)}) AND ({match})"
    for phrase in query.phrases:
        match = f"({match}) AND {exactly(phrase)}"
    return match


def _files_judged(of_passage: Mapping[int, float], counted: Iterable[Mapping[int, int]], index: Index) -> dict[int, float]:
    """How well each file answers, as a share of the best: by its best three passages, and by how often it has the words."""
    from math import log

    best: dict[int, list[float]] = {}
    for row, score in of_passage.items():
        best.setdefault(row >> PLACE, []).append(score)
    top = {number: _of_best_three(scores) if scores[1:] else scores[0] for number, scores in best.items()}
    often = dict.fromkeys(top, 0.0)
    mean = index.passages / max(index.files, 1)
    fair = {number: 0.3 + 0.9 * length / mean for number, length in index.lengths(top).items()}  # or long files would win always
    for counts in counted:
        rarity = 2.2 * log(1 + (index.files - len(counts) + 0.5) / (len(counts) + 0.5))
        for number in top:
            if count := counts.get(number):
                often[number] += rarity * count / (count + fair[number])
    most_top, most_often = max(top.values(), default=1), max(often.values(), default=1) or 1
    return {number: (top[number] / most_top + often[number] / most_often) / 2 for number in top}


def _of_best_three(scores: list[float]) -> float:
    return sum(score / (1 << place) for place, score in enumerate(sorted(scores, reverse=True)[:3]))


def _vectors() -> str:
    """The folder of the package for a second opinion; empty where it is not installed, or cannot be used."""
    folder, shortage = _installed()
    return "" if shortage else folder


def _installed() -> tuple[str, str]:
    """The folder of the package for a second opinion, empty where it is not installed; and why it cannot be used, in words.

    Asked without importing anything of it.
    """
    places = tuple(sys.path)
    if places not in _looked:
        paths = (os.path.join(place, "wordllama", "weights") for place in places)
        folder = next((path for path in paths if os.path.isdir(path)), "")
        shortage = ""
        if folder:
            from .vectors import memory_shortage

            shortage = memory_shortage()
        _looked[places] = folder, shortage
    return _looked[places]


def _second_opinion(
    index: Index, query: Query, wanted: Wanted, of_passage: dict[int, float], of_file: dict[int, float], folder: str
) -> tuple[dict[int, float], dict[int, float]]:
    """The merits of passages and files, with what their meaning adds, and with those that have none of the question's words."""
    from math import log

    from .vectors import WEIGHT, table

    vectors = table(folder)
    if vectors is None:
        return of_passage, of_file
    words = plainly(query)
    others = _few([(index.count(fts(word), wanted), fts(word)) for word in vectors.near(words)])
    meant = [row for row, _ in index.best(" OR ".join(others), wanted, 3 * CANDIDATES)] if others else []
    weights = {}
    for forms, word in zip(query.words, words, strict=True):
        count = index.count(" OR ".join(forms), wanted)
        weights[word] = log(1 + (index.passages - count + 0.5) / (count + 0.5))
    rows = {row + beside for row in (*of_passage, *meant) for beside in (-1, 0, 1)}
    near = vectors.judged(weights, {row.id: row.text for row in index.rows(rows).values()})
    best: dict[int, float] = {}
    for row, merit in near.items():
        best[row >> PLACE] = max(merit, best.get(row >> PLACE, 0.0))
    of_passage = {row: of_passage.get(row, 0.001 + 0.01 * near[row]) for row in (*of_passage, *meant)}
    most = max(of_file.values(), default=1)
    return of_passage, {
        number: (of_file.get(number, 0) / most + WEIGHT * merit) / (1 + 2 * WEIGHT) for number, merit in best.items()
    }


def _few(counted: list[tuple[int, str]]) -> list[str]:
    """The rarest words, as many as lead to no more passages than can be looked at at once."""
    few, room = [], COUNTED
    for count, word in sorted(counted):
        if 0 < count <= room:
            few.append(word)
            room -= count
    return few


def _ranked(of_passage: Mapping[int, float], of_file: Mapping[int, float], limit: int) -> list[tuple[float, int]]:
    """Files by their merit, in each its best passages, the best first."""
    of_one: dict[int, list[int]] = {}
    for number in sorted(of_passage, key=of_passage.__getitem__, reverse=True):
        of_one.setdefault(number >> PLACE, []).append(number)
    ranked = []
    for file, numbers in of_one.items():
        unit = of_file[file] / of_passage[numbers[0]]
        ranked += [(unit * of_passage[n] * AGAIN**again, n) for again, n in enumerate(numbers[: limit + 2])]
    ranked.sort(reverse=True)
    return ranked


def _chosen(index: Index, query: Query, ranked: list[tuple[float, int]], limit: int, now: float) -> list[Hit]:
    """The hits: with what recency and origin add, what says the same folded together."""
    ranked = ranked if query.phrases else ranked[: limit + limit // 2 + 5]
    rows = index.rows([number for _, number in ranked])
    documents = index.documents({number >> PLACE for _, number in ranked})
    today = _days(*time.localtime(now)[:3])
    judged = []
    for merit, number in ranked:
        row, document = rows[number], documents[number >> PLACE]
        if all(phrase.casefold() in _flat(row) for phrase in query.phrases):
            score = merit * _ORIGINS.get(document.origin, 1.0) * _freshness(row.date, today)
            judged.append((-round(score, 4), _backwards(row.date), document.path, row.first, row, document))
    judged.sort(key=lambda found: found[:4])
    return shown(index, [(row, document, -score) for score, *_, row, document in judged], limit)


def _flat(row: Row) -> str:
    return " ".join(f"{row.heading} {row.text}".casefold().split())


def _freshness(date: str, today: float) -> float:
    """A factor a little above 1 for what is new."""
    most, half = _RECENT
    age = today - _days(int(date[:4]), int(date[5:7]), int(date[8:10]))
    return 1 + most * float(2 ** (-max(age, 0) / half))


def _days(year: int, month: int, day: int) -> float:
    """Days since the year 0, as nearly as a gentle factor needs them."""
    return year * 365.25 + month * 30.4 + day


def _backwards(date: str) -> int:
    """A key under which later dates come first."""
    return -int(date[:10].replace("-", ""))


# ---- nothing found -----------------------------------------------------------------------------------------------------


def _forgiven(index: Index, query: Query) -> Query | None:
    """The question with words that begin so, or are spelt almost so; None where there are none."""
    words: list[tuple[str, ...]] = []
    for word in plainly(query):
        if len(word) < 3 or unspaced(word):
            continue
        near = index.terms(word, len(word), len(word) + LONGER)[:20]
        if near := near or _misspelt(index, word):
            words.append(tuple(fts(_with_stem(index, term)) for term in near))
    return Query(tuple(words[:MOST])) if words else None


def _as_written(query: Query, hits: Iterable[Hit], asked: Query) -> list[str]:
    """The stems of a question as the words that the hits have in their place; its own words, nearly, where there is none."""
    text = " ".join(f"{hit.heading} {hit.text}" for hit in hits)
    stems = [form.strip('" *') for forms in query.words for form in forms]
    begun = [f"{re.escape(stem[:-1])}[iy]" if stem.endswith("i") else re.escape(stem) for stem in stems]  # deploy has deploi
    found = [re.search(rf"(?i)\b{beginning}\w*", text) for beginning in begun]
    words = list(dict.fromkeys(word[0].lower() for word in found if word))
    return words or [f"words like {' '.join(plainly(asked)[:MOST])}"]


def _with_stem(index: Index, stem: str) -> str:
    """A word that has this stem. Some are not their own: asked for `databas`, SQLite would look for `databa`."""
    return stem if index.count(fts(stem), Wanted()) else f"{stem}e"


def _misspelt(index: Index, word: str) -> list[str]:
    """Words of the index that are spelt almost so, looked for where they are likeliest.

    SQLite has no list of its words, and reading them all is reading the index. Few slips are in the first two letters, and fewer
    in both; these are forgiven in a small corpus.
    """
    slips = slips_allowed(word)
    lengths = max(len(word) - slips - 3, 1), len(word) + slips
    for beginnings in ((word[:2],), dict.fromkeys(word[:2]), ("",) * (index.passages <= SMALL)):
        if near := spelt_almost(word, [term for beginning in beginnings for term in index.terms(beginning, *lengths)]):
            return near
    return []


def _quotes(phrases: Iterable[str]) -> str:
    return " and ".join(f"“{phrase}”" for phrase in phrases)


def _why_nothing(index: Index, query: Query, wanted: Wanted) -> str:
    """Why there is no hit, and what to do."""
    there = f"{index.passages} passages in {index.files} files"
    if not index.passages and index.shut:
        return "Nothing of this memory could be searched; what it has is not known."
    if not index.passages:
        return "There is nothing to search yet: no text in MEMORY.md, memory/ or the journal. Begin with `holdfast note TEXT`."
    if not query.words:
        return f"The question has no word in it to look for ({there})."
    given = (("type", wanted.kind), ("topic", wanted.topic), ("since", wanted.since))
    limits = " ".join(f"--{flag} {value}" for flag, value in given if value)
    if limits and any(index.counted(" OR ".join(words), Wanted()) for words in query.words):
        return f"There are passages with these words, but none within {limits} ({there})."
    words = plainly(query)
    listed = ", ".join(fold(word, 60) for word in words[:MOST]) + (", …" if words[MOST:] else "")
    return f"No passage has any of these words: {listed} ({there}). Try another word for it."


# ---- snapshots ---------------------------------------------------------------------------------------------------------


def _snapshots(index: Index, wanted: Wanted) -> list[Hit]:
    """The blocks of checkpoints, the newest first: what seed B's users ask for with its marker."""
    best = index.best('"BIG-MEMORY-SNAPSHOT"', wanted.replaced(kind="SNAPSHOT"), 1 << 30)
    found = index.rows([number for number, _ in best])
    documents = index.documents({row >> PLACE for row in found})

    def moment(row: Row) -> str:
        stamp = re.search(_TIMESTAMP, row.text)
        return stamp[1] if stamp else row.date

    rows = sorted(found.values(), key=lambda row: (documents[row.id >> PLACE].origin != "journal", row.id))
    rows.sort(key=moment, reverse=True)
    return folded([(row, documents[row.id >> PLACE], 1.0) for row in rows], len(rows), 1.0)


def as_data(result: Result) -> dict[str, Any]:
    """A result for JSON."""
    rows = [{**hit.__dict__, "also": list(hit.also)} for hit in result.hits]
    for row in rows:
        if not row["session"]:
            del row["session"]
    note = " ".join(filter(None, (result.instead, result.note)))
    return {"results": rows, "searched": {"files": result.files, "passages": result.passages}, "note": note}
