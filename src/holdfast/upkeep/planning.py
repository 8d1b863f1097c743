"""Upkeep: what is there + settings + today → the plan. Pure; `keeping.py` reads, shows and applies.

The duties run in an order in which none makes work for one before it, so that a second run finds nothing to do. Old days are
archived first: most of a large first run is theirs, and what is on its way to the archive is not rewritten by others before.
What they bring home may stand in days that stay, so promotion comes after them. A day is closed before anything is brought
home from it, by promotion or by the review: its closure block says what stood in it.
"""

from __future__ import annotations

from .archiving import archive, gather
from .plan import View
from .promoting import promote
from .reviewing import review
from .tagging import classify
from .tidying import close, expire, outlived, pack, rotate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator

    from ..config import Config
    from .plan import Change, There

DUTIES: tuple[tuple[str, Callable[[View, Config], Iterator[Change]]], ...] = (
    ("archive", archive),
    ("gather", gather),
    ("expire", expire),
    ("rotate", rotate),
    ("close", close),
    ("promote", promote),
    ("journal", pack),
    ("trash", outlived),
)


EVERY = frozenset(name for name, _ in DUTIES)
WITHOUT_JUDGEMENT = EVERY - {"promote"}  # what `health --fix` does


def plan(there: There, config: Config, duties: Container[str] = EVERY, *, days: int = 0) -> list[Change]:
    """The changes that put a workspace in order; of some duties where they are named. Days: another age for the archive.

    To give notes a type is done alone and by name, never among the rest.
    """
    view = View(there)
    if "classify" in duties:
        return list(classify(view, config))
    if "review" in duties:
        first = [*gather(view, config), *close(view, config), *review(view, config)]
        return [*first, *(change for _, made in DUTIES for change in made(view, config))]
    config = config.replaced(archiveDays=days) if days else config
    return [change for name, made in DUTIES if name in duties for change in made(view, config)]
