"""What is shown of the passages that were found, the best first: what says the same is one hit, in the document that a person
reads; and what the journal alone still says stands below all documents, and says so.
"""

from __future__ import annotations

from ..model import Value
from .questions import words_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from .asking import Document, Index, Row

    Found = list[tuple[Row, Document, float]]  # passages with their scores

_SPARE = 2  # hits more than were asked for, since some may turn out to be one
_ALIKE = 0.9  # share of common words from which two passages say the same
_LASTS = {"journal": 0, "state": 1, "buffer": 1}  # where something stands that stands elsewhere too; documents come before these
_DAY_FROM = len(".holdfast/journal/")
_PASSING = ("SESSION-STATE.md", "memory/session-state.md", "memory/working-buffer.md")


class Hit(Value):
    """One passage that answers."""

    path: str  # relative to the workspace
    start_line: int
    end_line: int
    text: str
    score: float  # from 0 to about 1, to compare hits of one search with
    heading: str = ""
    date: str = ""
    origin: str = ""
    type: str = ""
    also: tuple[str, ...] = ()  # where the same stands once more
    session: str = ""  # the session that it is from, where that is another than the one that asks
    changed_since: bool = False  # as it was saved then; the documents are there and say it no more


def shown(index: Index, found: Found, limit: int) -> list[Hit]:
    """The hits of passages that come in the order of their scores."""
    hits = folded(found, limit + _SPARE)
    if not any(hit.origin == "journal" or _reference(hit.text) for hit in hits[:limit]):
        return hits[:limit]
    kept = [row.text for row, document, _ in found if document.origin != "journal"]
    places = _Places(index)
    hits = _edits_first(places, hits, kept)
    if hits[0].changed_since and kept:  # few were asked for, and none of these stands in a document
        hits = _edits_first(places, folded(found, len(found)), kept)
    return hits[:limit]


# ---- what says the same ------------------------------------------------------------------------------------------------


def _hit(row: Row, document: Document, score: float) -> Hit:
    return Hit(document.path, row.first, row.last, row.text, round(score, 4), row.heading, row.date, document.origin, row.kind)


def folded(found: Found, limit: int, alike: float = _ALIKE) -> list[Hit]:
    """Hits without those that say the same as a better one; that one says where else it stands."""
    kept: list[tuple[Hit, set[str]]] = []
    for row, document, score in found:
        words = words_in(_said(row.text) if alike < 1 else row.text)
        for number, (better, other) in enumerate(kept):
            if _say_the_same(words, other, alike):
                kept[number] = _with(better, _hit(row, document, score), alike), other
                break
        else:
            if len(kept) == limit:
                break
            kept.append((_hit(row, document, score), words))
    return [hit for hit, _ in kept]


def _with(better: Hit, other: Hit, alike: float = _ALIKE) -> Hit:
    """A hit and one that says the same. Whoever searches wants the document that a person reads, not its copy in the journal, and
    not what passes: the buffer and the state; least of all a line that only refers to another.
    """
    if _lasts(better) < _lasts(other) and alike < 1:
        return other.replaced(score=better.score, type=other.type or better.type, also=(better.path, *better.also))
    return better if other.path in (better.path, *better.also) else better.replaced(also=(*better.also, other.path))


def _lasts(hit: Hit) -> int:
    return -1 if _reference(hit.text) else _LASTS.get(hit.origin, 2)


def _say_the_same(words: set[str], other: set[str], alike: float) -> bool:
    """Whether so large a share of all words of two passages is common to both. Mostly their numbers tell that it cannot be."""
    fewer, more = sorted((len(words), len(other)))
    if fewer < alike * more:
        return False
    common = len(words & other)
    return common >= alike * (fewer + more - common)


# ---- what the journal alone still says ---------------------------------------------------------------------------------


def _edits_first(places: _Places, hits: list[Hit], documents: list[str]) -> list[Hit]:
    """A person's edit is law: what was saved once and no document says any more is marked, and stands below all documents.

    Where the day's document is gone altogether, the journal is the second copy of what was lost, and counts as it did. So where
    it could not be searched, and where it has yet to take the record on (a full disk, a busy writer): nobody has changed it. What
    a document does say is shown there, and what a day only refers to in its home.
    """
    known = _bare("\n".join(documents)) + (places.of(_PASSING) or "")

    def is_gone(hit: Hit, said: str) -> bool:
        there = [whole for whole in map(places.of, _days_of(hit)) if whole is not None]
        return bool(there) and said not in known and not any(said in whole for whole in there) and not places.may_come(hit)

    def settled(hit: Hit) -> Hit:
        reference = _reference(hit.text)
        if not reference and hit.origin != "journal":
            return hit
        found = (_at_home(hits, *reference) or places.home(*reference)) if reference else places.document(hit)
        if found:
            return _with(hit, found)
        return hit if reference else hit.replaced(changed_since=is_gone(hit, _bare(_said(hit.text))))

    once: dict[tuple[str, int], Hit] = {}
    for hit in map(settled, hits):
        same = once.setdefault((hit.path, hit.start_line), hit)
        once[hit.path, hit.start_line] = same.replaced(also=tuple(dict.fromkeys((*same.also, *hit.also))))
    least = min((hit.score for hit in once.values() if not hit.changed_since), default=1.0)
    lowered = [hit.replaced(score=min(hit.score, least)) if hit.changed_since else hit for hit in once.values()]
    return sorted(lowered, key=lambda hit: hit.changed_since)


def _at_home(hits: Iterable[Hit], path: str, beginning: str) -> Hit | None:
    """The hit that a reference means; None where it is none of them."""
    begun = _bare(beginning)
    return next((hit for hit in hits if hit.path == path and _bare(_said(hit.text)).startswith(begun)), None)


class _Places:
    """Where in the documents something stands; each file is read once."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._read: dict[tuple[str, ...], str | None] = {}
        self._unsure: tuple[frozenset[str], set[str]] | None = None

    def of(self, paths: tuple[str, ...]) -> str | None:
        """What some files say, in one piece without spaces; None where none of them is there."""
        if paths not in self._read:
            text = self._index.text_of(paths)
            self._read[paths] = None if text is None else _bare(text)
        return self._read[paths]

    def may_come(self, hit: Hit) -> bool:
        """Whether a record still waits for its document, or that could not be searched."""
        if self._unsure is None:
            self._unsure = self._index.waiting(), {document.path for document in self._index.troubled()}
        waiting, troubled = self._unsure
        return hit.path.rpartition("/")[2].removesuffix(".md") in waiting or any(map(troubled.intersection, _days_of(hit)))

    def document(self, hit: Hit) -> Hit | None:
        """A hit of the journal as it stands in the document of its day, or in the home that the day names for it."""
        own = _said(hit.text)
        said = _bare(own)
        for paths in _days_of(hit):
            # Nearly always it stands there as it was saved: only where it does not, the whole day is looked through.
            if found := self._passage(paths, own, said):
                return found
            whole = self.of(paths) or ""
            if said in whole:
                return self._passage(paths, "", said)
            if "→" in whole:
                for row, _ in self._index.passages_of(paths, "→"):
                    reference = _reference(row.text)
                    if reference and said.startswith(_bare(reference[1])):
                        return self.home(*reference)
        return None

    def _passage(self, paths: tuple[str, ...], having: str, said: str) -> Hit | None:
        found = self._index.passages_of(paths, having)
        return next((_hit(*at, 1.0) for at in found if _bare(_said(at[0].text)) == said), None)

    def home(self, path: str, beginning: str) -> Hit | None:
        """The passage that a reference means; None where it is not at home."""
        return _at_home((_hit(*at, 1.0) for at in self._index.passages_of((path,))), path, beginning)


def _days_of(hit: Hit) -> list[tuple[str, ...]]:
    """The places of the documents of a record: its day is its id's; a clock that was set to another zone may have put it into
    the document of the next.
    """
    return [_homes(day) for day in {hit.path[_DAY_FROM : _DAY_FROM + 10], hit.date}]


def _reference(text: str) -> tuple[str, str] | None:
    """(the home, the beginning of what stands there), where a passage only says where the fact has its home."""
    before, _, after = text.partition("→ ") if "→ " in text[:40] else ("", "", "")
    path, _, beginning = after.partition(": ")
    kind = before.strip(" -*+[]:0123456789")  # a list, the time and the type may stand before it
    is_one = path.endswith(".md") and " " not in path and (not kind or kind.isupper())
    return (path, beginning.removesuffix("…")) if is_one and beginning else None


def _said(text: str) -> str:
    """What a note says: without what a list, or upkeep, puts before it, and without the days that a home puts behind it.

    Nearly every search asks it, and to compile an expression would take longer than all of its answers.
    """
    marker, *rest = text.split(None, 1) or ("",)
    said = rest[0] if rest and (marker in ("-", "*", "+") or (marker[-1:] in ".)" and marker[:-1].isdecimal())) else text
    if said[:1] == "[":
        kind, _, rest_of_it = said[1:20].partition("] ")
        said = said[len(kind) + 3 :].lstrip() if rest_of_it and kind.isupper() else said
    before, _, days = said.rpartition(" (from ") if said[-1:] == ")" else ("", "", "-")
    return before if before and not days[:-1].strip("0123456789, -") else said


def _homes(day: str) -> tuple[str, ...]:
    """Where a day's document may lie, in the archive too."""
    folders = ("archive", f"archive/{day[:7]}", f"archive/{day[:4]}/{day[5:7]}")
    archived = [f"memory/{folder}/{day}.md{packed}" for folder in folders for packed in ("", ".gz", ".zst")]
    return (f"memory/{day}.md", f"memory/episodic/{day}.md", *archived)


def _bare(text: str) -> str:
    return "".join(text.casefold().split())
