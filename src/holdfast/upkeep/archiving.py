"""Days past their time go to `memory/archive/YYYY/MM/`, and later they are packed; still searched, still shown. Pure.

What lasts does not go with them: PREF and LESSON entries, and those that recur, are brought home first, and the archived day has
a reference in their place; passing notes expire on the way. One change is one month of days, so that a home is written once a
month of the past and not once a day. A name that is no date (`2026-13-45.md`, `notes.md`) is left alone, and so is a day of the
future.

Where days are kept in `memory/episodic/`, some programs still write into `memory/`: OpenClaw's memory flush may write nowhere
else. What lies there of a day that is over is gathered into the day.
"""

from __future__ import annotations

import re

from ..documents import markdown
from ..documents import sections as s
from ..documents.days import day_of, days_before, entries
from ..storage.merging import united
from .homes import PLACES, meaning
from .promoting import Homecoming, may_go, recurring

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..config import Config
    from .plan import Change, View

ARCHIVE = "memory/archive"
LASTING = ("PREF", "LESSON")
IN_ARCHIVE = re.compile(rf"{ARCHIVE}/\d{{4}}(?:/|-)\d\d/(\d{{4}}-\d\d-\d\d)\.md(\.gz)?$")


def archive(view: View, config: Config) -> Iterator[Change]:
    """Every day older than so many days, month by month; then what has lain in the archive long enough is packed."""
    age = config.archiveDays
    if not view.is_whole(ARCHIVE, *PLACES):
        return  # what lasts could not be brought home, or what the archive has of a day not be known
    oldest = days_before(view.there.today, age)
    packed = days_before(view.there.today, config.compressDays)
    months: dict[str, list[str]] = {}
    for day, path in view.days():
        if day < oldest:
            months.setdefault(day[:7], []).append(path)
    often = recurring(view, config) if months else set()
    coming = None
    for month, paths in months.items():
        coming = Homecoming(view, config, coming)
        yield _month(view, coming, often, paths, packed, f"{month}: {_days(len(paths))} older than {_days(age)}")
    yield from _pack(view, packed, config.compressDays)


def _target(day: str) -> str:
    return f"{ARCHIVE}/{day[:4]}/{day[5:7]}/{day}.md"


def _month(view: View, coming: Homecoming, often: set[tuple[str, str]], paths: list[str], packed: str, reason: str) -> Change:
    new: dict[str, str | None] = {}
    gone: dict[str, str | None] = {}
    for path in paths:
        day, text = path.rsplit("/", 1)[-1][:10], view.text(path) or ""
        noted = [entry for entry in entries(text) if entry.type]
        passing = tuple(entry for entry in noted if entry.type == "TEMP")
        wanted = [entry for entry in noted if entry.type in LASTING or (entry.type, meaning(entry.text)) in often]
        lasting = [entry for entry in wanted if may_go(entry)]
        _put(view, _target(day), coming.take(day, text, lasting, passing), day < packed, new, gone)
        gone[path] = None
    homes, said = coming.edits()
    return view.change("archive", "; ".join([reason, *said]), {**homes, **new, **gone})


def _put(view: View, plain: str, text: str, pack: bool, new: dict[str, str | None], gone: dict[str, str | None]) -> None:
    """A text into the archive, together with what is there of that day: after a crash, or when more came to it later."""
    target, other = (plain + ".gz", plain) if pack else (plain, plain + ".gz")
    for path in (target, other):
        before = new.get(path, view.text(path))  # new: the same day stands in two folders
        if before is not None:
            text = _join_days(before, text)
    if view.text(target) != text:
        new[target] = text
    if view.text(other) is not None:
        gone[other] = None


def lying_beside(view: View) -> list[tuple[str, str]]:
    """(day, path) of the days in `memory/`, where days are kept in `memory/episodic/`."""
    return [(day, path) for day, path in view.days() if path.rpartition("/")[0] != view.there.days]


def gather(view: View, _config: Config) -> Iterator[Change]:
    """Days that are over and lie in `memory/` where days are kept in `memory/episodic/`, each into its day."""
    for day, path in lying_beside(view):
        target = f"{view.there.days}/{day}.md"
        if day >= view.there.today or not view.is_whole(target):
            continue
        text, before = view.text(path) or "", view.text(target)
        joined = _join_days(before, text) if before is not None else text
        new = {target: joined} if joined != before else {}
        yield view.change("gather", f"{path} lies beside the days, which are in {view.there.days}", {**new, path: None}, [target])


def _join_days(text: str, other: str) -> str:
    """The text of a day out of two files of it. Where it has blocks, the other follows whole: no line may come into a block."""
    if not markdown.blocks(text) and not markdown.blocks(other):
        return united(text, other)
    lines = s.lines_of(other)
    same_title = lines and lines[0].startswith("# ") and lines[0].strip() == text.partition("\n")[0].strip()
    below = "".join(lines[1:] if same_title else lines)
    if below.strip() in text:
        return text
    return other if text.strip() in other else f"{s.closed(text)}{s.line_end(text)}{below.lstrip(chr(10))}"


def _pack(view: View, packed: str, age: int) -> Iterator[Change]:
    """Archived days that are older still, packed, month by month."""
    months: dict[str, list[str]] = {}
    for path in view.below(ARCHIVE):
        found = IN_ARCHIVE.match(path)
        if found and not found[2] and day_of(found[1]) and found[1] < packed:
            months.setdefault(found[1][:7], []).append(path)
    for month, paths in sorted(months.items()):
        new: dict[str, str | None] = {}
        gone: dict[str, str | None] = {}
        for path in paths:
            _put(view, path, view.text(path) or "", True, new, gone)
        yield view.change("pack", f"{month}: {_days(len(paths))} in the archive, older than {_days(age)}", {**new, **gone})


def _days(number: int) -> str:
    return f"{number} day" if number == 1 else f"{number} days"
