"""What reviews have left at home, remembered by digests: `.holdfast/brought-home`.

A person who deletes at home what a review has copied there does not get it again. The digests are made under the workspace's key;
`holdfast forget` lets them go all the same, as nothing may be left against which a guess could be tried. Derived: without them a
review brings home once more what stands in the days of the week.
"""

from __future__ import annotations

import re

from .plan import keyed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..memory import Memory

NAME = "brought-home"
_KEPT = 4000  # the newest: what is left behind by then has long left the days of a week
_DIGEST = re.compile(rb"(?m)^[0-9a-f]{32}$")


def digests(memory: Memory) -> list[str]:
    """Of what reviews have left at home, the oldest first."""
    try:
        found = memory.home.read_or_none(NAME) or b""
    except OSError:
        return []  # something else stands in its place, and the review goes on without
    return [digest.decode() for digest in _DIGEST.findall(found)]


def remember(memory: Memory, meanings: Iterable[str]) -> None:
    """Keep the digests of these too, durably."""
    key = memory.key()
    kept = [*dict.fromkeys((*digests(memory), *(keyed(said, key) for said in meanings)))][-_KEPT:]
    data = "".join(f"{digest}\n" for digest in kept).encode()
    memory.swap.place(memory.swap.prepare(data), memory.home, NAME, over=True)
    memory.home.sync()
