"""Notes without a type get one where their words tell it. Pure.

Only when it is asked for (`upkeep classify`): these are somebody's lines, and a type is an opinion. Only days that are over, and
never `TEMP`: what is passing is thrown away when its day is, and that is not for us to guess.
"""

from __future__ import annotations

from collections import Counter

from ..capture.classifying import classified
from ..documents.days import entries, typed
from ..model import TYPES, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..capture.classifying import Judged
    from ..config import Config
    from .plan import Change, View

SURE = 0.5  # confidence from which on a note gets its type


class Tally(Value):
    """How many notes there are of a type, and how many would get it."""

    type: str  # empty: without one, and nothing tells it
    typed: int
    told: int
    least: float  # confidence of those that would get it


def summary(view: View) -> list[Tally]:
    """The notes of all days that are not archived, by their type; today's count too, and are left as they are."""
    there: Counter[str] = Counter()
    told: dict[str, list[float]] = {}
    for _, path in view.days():
        for entry in entries(view.text(path) or ""):
            judged = classified(entry.text) if not entry.type and not entry.is_reference else None
            if judged is None:
                there[entry.type] += not entry.is_reference
            else:
                told.setdefault(_given(judged), []).append(judged.confidence)
    return [Tally(kind, there[kind], len(sure := told.get(kind, [])), round(min(sure, default=0.0), 2)) for kind in (*TYPES, "")]


def _given(judged: Judged) -> str:
    """The type that a note gets by a judgement; empty where it is left without one."""
    return judged.type if judged.confidence >= SURE and judged.type != "TEMP" else ""


def classify(view: View, _config: Config) -> Iterator[Change]:
    """One change for each day that has notes without a type."""
    for day, path in view.days():
        text = view.text(path) or ""
        if day >= view.there.today:
            continue
        untyped = [(entry, classified(entry.text)) for entry in entries(text) if not entry.type and not entry.is_reference]
        told = {entry.start: kind for entry, judged in untyped if (kind := _given(judged))}
        if told:
            kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(Counter(told.values()).items()))
            left = f"; {len(untyped) - len(told)} left without one" if len(untyped) > len(told) else ""
            yield view.change("classify", f"notes of {day} get their type: {kinds}{left}", {path: typed(text, told)})
