"""What recurs goes home: the same fact on several days becomes one item in its home, and a reference in each of the days. Pure.

A note of a day that stands at home already is a recurrence too, and becomes a reference. That also finishes what a crash left
half done. Today's notes count and are not touched: the day is still being written. A fact that contradicts one at home (the same
key with another value) supersedes it where it is newer; the old one is struck through, with the day. What has a secret in it
stays where it is: a home is read into every session.
"""

from __future__ import annotations

from ..documents.days import Entry, entries, without
from ..guard.entering import redacted
from ..model import fold
from .homes import HOMES, MEMORY, PLACES, Fact, home_for, known, meaning, reference, settled, superseded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..config import Config
    from .plan import Change, View


class Homecoming:
    """Facts on their way home from the days."""

    def __init__(self, view: View, config: Config, before: Homecoming | None = None) -> None:
        self.view, self.config = view, config
        self.at_home: dict[str, str] = before.at_home if before else known(view)
        self.over: dict[str, tuple[str, str]] = before.over if before else superseded(view)
        self.coming: dict[str, dict[str, Fact]] = {}

    def take(self, day: str, text: str, leaving: list[Entry], passing: tuple[Entry, ...] = ()) -> str:
        """Take entries out of a day; returns the day with references in their place, and without the passing ones."""
        instead = {}
        for entry in leaving:
            home = self.bring(Fact(entry.type, entry.text, (day,)))
            instead[entry.start] = entry.line(reference(home, entry.summary))
        return without(text, sorted((*leaving, *passing), key=lambda entry: entry.start), instead)

    def bring(self, fact: Fact) -> str:
        """Bring one fact home, where it is not there already; returns its home."""
        said = meaning(fact.text)
        home = self.at_home.get(said)
        over, since = self.over.get(said, ("", ""))
        if home is None and fact.days[-1] < since:
            return over  # it was true then, and stands there as superseded
        if home is None:
            lines = 3 + sum(len(facts) for facts in self.coming.values())
            home = self.at_home[said] = home_for(self.view, fact.type, self.config.memoryLines, lines)
            self.coming.setdefault(home, {})[said] = fact
        elif said in self.coming.get(home, {}):
            before = self.coming[home][said]
            self.coming[home][said] = before.replaced(days=tuple(sorted({*before.days, *fact.days})))
        return home

    def edits(self) -> tuple[dict[str, str | None], list[str]]:
        """The homes with what came to them, and what is to be said of it."""
        edits: dict[str, str | None] = {}
        said: list[str] = []
        for home, facts in self.coming.items():
            found = sorted(facts.values(), key=lambda fact: fact.days[-1])
            places = {MEMORY, home, *(HOMES[fact.type][0] for fact in found)}
            texts = {path: edits.get(path) or self.view.text(path) for path in places}
            done = settled(texts, home, found, self.view.there.today)
            edits.update(done.texts)
            said += [f"{fold('; '.join(fact.text for fact in found), 120)} → {home}", *done.said]
            for gone in done.over:
                self.at_home.pop(gone, None)  # should it be said again, it is news
            self.over.update(done.over)
        return edits, said


def promote(view: View, config: Config) -> Iterator[Change]:
    """Notes that stand on several days, or at home already; one change for each class of fact."""
    if not view.is_whole(*PLACES):
        return  # a fact might be at home where we cannot look
    for _ in range(2):  # what the last class has brought home may stand in a day under the first
        often = recurring(view, config)
        changes = [_promoted(view, config, kind, often) for kind in HOMES if any(of == kind for of, _ in often)]
        yield from filter(None, changes)
        if not any(changes):
            break


def recurring(view: View, config: Config) -> set[tuple[str, str]]:
    """(type, meaning) of the entries that stand on several days, or at home already."""
    seen: dict[tuple[str, str], set[str]] = {}
    for day, path in view.days():
        for entry in entries(view.text(path) or ""):
            if entry.type in HOMES and not entry.is_reference:
                seen.setdefault((entry.type, meaning(entry.text)), set()).add(day)
    at_home = known(view)
    return {one for one, on in seen.items() if len(on) >= config.promoteDays or one[1] in at_home}


def may_go(entry: Entry) -> bool:
    """Whether an entry is a fact that has a home to go to."""
    return entry.type in HOMES and bool(entry.text) and not entry.is_reference and redacted(entry.text)[0] == entry.text


def _promoted(view: View, config: Config, kind: str, often: set[tuple[str, str]]) -> Change | None:
    coming = Homecoming(view, config)
    edits: dict[str, str | None] = {}
    sources = []
    for day, path in view.days():
        text = view.text(path) or ""
        noted = entries(text) if f"[{kind}]" in text else ()
        found = [entry for entry in noted if entry.type == kind and (kind, meaning(entry.text)) in often and may_go(entry)]
        if found and day < view.there.today:
            edits[path] = coming.take(day, text, found)
        elif found:
            sources.append(path)
            for entry in found:
                coming.bring(Fact(entry.type, entry.text, (day,)))
    homes, said = coming.edits()
    if not edits and not homes:
        return None
    often_enough = f"{kind} on {config.promoteDays} days or more: " + "; ".join(said)
    reason = often_enough if said else f"{kind} notes that are at home already"
    return view.change("promote", reason, {**homes, **edits}, sources)
