"""Hosts: one adapter each. A payload comes in, a reply goes out; all thought is Memory's.

A hook never fails its host: whatever happens, the exit code is 0 and what is printed is what the host understands.
"""

from __future__ import annotations

from ..model import Value


class Call(Value):
    """What a host's hook says, in one shape for all hosts."""

    event: str  # start, prompt, tool, turn, end, before-compaction, after-compaction, or "": it means nothing to us
    session: str
    transcript: str = ""
    folder: str = ""  # where the host works
    source: str = ""  # startup, resume, clear, compact
    prompt: str = ""  # what the user has just said
    summary: str = ""  # what the host put in the place of what it dropped
