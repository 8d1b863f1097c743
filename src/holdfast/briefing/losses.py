"""What a host's own summary has kept of a working state, and what it dropped: the loss receipt.

A summary is written by a model for a model, and nobody checks it. Here it is held against the checkpoint that was taken just
before: which files, commands, numbers, decisions and corrections can still be found in it. Files, commands and numbers are
found to the letter; a sentence counts as kept when most of its words are there.
"""

from __future__ import annotations

import re

from ..model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ..model import Checkpoint

_WORD = re.compile(r"\w{4,}|[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3]{2}")
_NUMBER = re.compile(r"(?<![\w.])\d[\d.,:]*\d%?(?!\w)|(?<![\w.])\d+%")
_MOST = 0.6  # of the words of a sentence


class Loss(Value):
    """One kind of thing: how many there were, and those that the summary does not have."""

    kind: str
    total: int = 0
    dropped: tuple[str, ...] = ()

    @property
    def kept(self) -> int:
        """How many the summary still has."""
        return self.total - len(self.dropped)


def losses(state: Checkpoint, summary: str) -> list[Loss]:
    """What the summary kept and dropped, by kind; kinds of which there was nothing are left out."""
    low = " ".join(summary.split()).casefold()
    words = set(_WORD.findall(low))
    said = [state.task, *state.corrections, *state.decisions, *state.unanswered]

    def sentence(text: str) -> bool:
        wanted = set(_WORD.findall(text.casefold()))
        return len(wanted & words) >= _MOST * len(wanted)

    found = [
        _of("files", (path for path, _ in state.files), lambda path: path.rsplit("/", 1)[-1].casefold() in low),
        _of("commands", _commands(state), lambda command: command.casefold() in low),
        _of("numbers", (number for text in said for number in _NUMBER.findall(text)), lambda number: number in low),
        _of("decisions", state.decisions, sentence),
        _of("corrections", state.corrections, sentence),
        _of("names", [value for kind, value in state.names if kind == "Name"][:60], lambda name: name.casefold() in low),
    ]
    return [loss for loss in found if loss.total]


def _of(kind: str, things: Iterable[str], is_kept: Callable[[str], bool]) -> Loss:
    every = list(dict.fromkeys(things))
    return Loss(kind, len(every), tuple(thing for thing in every if not is_kept(thing)))


def _commands(state: Checkpoint) -> list[str]:
    """Commands by their first three words: what follows changes from use to use."""
    return [" ".join(value.split()[:3]) for kind, value in state.names if kind == "Command"]


def in_words(found: Iterable[Loss]) -> str:
    """“7 of 21 files, 2 of 9 commands”."""
    return ", ".join(f"{loss.kept} of {loss.total} {loss.kind}" for loss in found)
