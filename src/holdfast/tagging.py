"""Notes without a type get one where their words tell it. Pure.

Only when it is asked for (`upkeep classify`): these are somebody's lines, and a type is an opinion. Only days that are over, and
never `TEMP`: what is passing is thrown away when its day is, and that is not for us to guess.
"""

from __future__ import annotations

from collections import Counter

from .classifying import classified
from .days import entries, typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .config import Config
    from .plan import Change, View

SURE = 0.5  # confidence from which on a note gets its type


def classify(view: View, _config: Config) -> Iterator[Change]:
    """One change for each day that has notes without a type."""
    for day, path in view.days():
        text = view.text(path) or ""
        if day >= view.there.today:
            continue
        untyped = [(entry, classified(entry.text)) for entry in entries(text) if not entry.type and not entry.is_reference]
        sure = [(entry, judged.type) for entry, judged in untyped if judged.confidence >= SURE]
        told = {entry.start: kind for entry, kind in sure if kind not in ("", "TEMP")}
        if told:
            kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(Counter(told.values()).items()))
            left = f"; {len(untyped) - len(told)} left without one" if len(untyped) > len(told) else ""
            yield view.change("classify", f"notes of {day} get their type: {kinds}{left}", {path: typed(text, told)})
