"""A bar on a terminal that says how far long work has come; elsewhere nothing."""

from __future__ import annotations

import os
import sys

from ..terminal import clean_text, raw_stream

_BAR = 24  # characters


def show(done: int, whole: int, said: str) -> None:
    """So much of the whole is done; the line takes the place of the one before."""
    if sys.stderr.isatty():
        full = _BAR * done // max(whole, 1)
        line = f"[{'#' * full}{'.' * (_BAR - full)}] {said}"
        line = clean_text(line)[: _columns()]
        print(f"\r\x1b[K{line}", end="", file=raw_stream(sys.stderr), flush=True)


def clear() -> None:
    """Take the bar away."""
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=raw_stream(sys.stderr), flush=True)


def _columns() -> int:
    try:
        return (os.get_terminal_size(2).columns or 80) - 1
    except OSError:
        return 79
