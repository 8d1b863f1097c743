"""What `holdfast init HOST` writes into a host, and `holdfast uninstall HOST` takes out again: one module a host. Pure.

A host's module looks at what is there and says how each file is to be. Nothing is written here: `installing.py` shows the plan
as a diff, asks, keeps the old bytes, and writes; so also for taking out. Each module has

    NAME                     how people call it
    install(place) → Plan    empty where all of it is there already, and is as this Holdfast would write it
    remove(place)  → Plan    our parts alone, for a file that somebody has edited since; else the kept bytes go back
    state(place)   → State   what `holdfast doctor` says of it

Every file is given as its whole text, with `surrogateescape` for what is no UTF-8. Of files that are not ours no byte changes
but for our parts (`json_text`, `marked`).
"""

from __future__ import annotations

import os

from ..model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any


class Place(Value):
    """Where things are, and how to look at them."""

    home: str  # the user's home folder
    folder: str  # the project that the command was run in
    workspace: str  # the folder of the memory that is meant there
    command: str  # holdfast itself, absolutely, as a shell takes it; `shlex.split` for a list of words
    env: Mapping[str, str]
    read: Callable[[str], str | None]  # the text of a file; None where there is none
    listed: Callable[[str], list[str]]  # the names in a folder; none where there is none
    project: bool = False  # for this project alone
    server: bool = True  # whether `holdfast mcp` can run here
    rules: bool = True  # whether files for agents are to be written
    switch: bool = True  # whether other memories are to be switched off
    jobs: Callable[[str], list[dict[str, Any]]] = lambda _state: []  # of OpenClaw's scheduler, by its state folder

    def named_by(self, variable: str) -> str:
        """The folder that a variable of the environment names, in one spelling, so that it is known again; empty where none."""
        named = self.env.get(variable)
        return os.path.normpath(os.path.join(self.folder, named)) if named else ""


class Edit(Value):
    """One file as it is to be."""

    path: str  # absolute
    before: str | None  # None: it is not there
    after: str | None  # None: it is to be gone
    why: str  # in a few words, said above its diff
    ours: bool = False  # a file that is ours altogether: listed with its size, shown whole only where that is asked for


class Unusable(Exception):
    """A file in which our parts cannot be put, or from which they cannot be taken."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(why)
        self.path, self.why = path, why


class Refused(Exception):
    """What was asked for cannot be had in this host; the sentence says why, and what can."""


def edit(place: Place, path: str, why: str, change: Callable[[str], str | None]) -> tuple[Edit, ...]:
    """The edit by which a file becomes what `change` makes of its text ("" where it is not there); none where it is so."""
    before = place.read(path)
    try:
        after = change(before or "")
    except ValueError as error:
        raise Unusable(path, str(error)) from error
    return () if after == before or (before is None and not after) else (Edit(path, before, after, why),)


def own(
    place: Place, path: str, text: str, what: str, is_ours: Callable[[str], bool]
) -> tuple[tuple[Edit, ...], tuple[str, ...]]:
    """The edit by which a file that is ours altogether is there; of one that is somebody else's, the sentence that says so."""
    before = place.read(path)
    if before is not None and not is_ours(before):
        return (), (f"{path} is somebody else's and stays as it is; without it there is not {what}.",)
    return ((Edit(path, before, text, what, ours=True),) if before != text else ()), ()


def settings(place: Place, path: str) -> dict[str, Any]:
    """What a file of settings says; nothing where there is none."""
    from .json_text import read

    try:
        found = read(place.read(path) or "")
    except ValueError as error:
        raise Unusable(path, str(error)) from error
    return found if isinstance(found, dict) else {}


def passed_over(place: Place, path: str, host: str) -> tuple[str, ...]:
    """A sentence where a file has comments or trailing commas, and the host reads plain JSON alone: it takes none of it."""
    import json

    text = place.read(path) or ""
    bare = text.strip("\ufeff \t\r\n")  # where nothing else is there, all of it is written anew
    try:
        json.loads(bare or "{}")
    except (ValueError, RecursionError):
        return (f"{host} reads plain JSON alone: while {path} has comments or trailing commas, it passes over the whole file.",)
    if bare and text.startswith("\ufeff"):
        return (f"{path} begins with a byte order mark, and {host} may pass over the whole file: save it without.",)
    return ()


class Plan(Value):
    """What is to be written, and what the user should know or do then."""

    edits: tuple[Edit, ...] = ()
    rules: tuple[Edit, ...] = ()  # instructions in the user's own files for agents: agreed to on their own
    then: tuple[str, ...] = ()
    hooks: tuple[str, ...] = ()  # the occasions on which the host will call us, for the summary
    older: tuple[str, ...] = ()  # other memories that are switched off by it, a line each
    taken_up: str = ""  # how the host takes it up; said only where the host does not refuse its settings
    check: tuple[str, ...] = ()  # the host's own command that says whether it accepts its settings
    workspaces: tuple[str, ...] = ()  # folders that the host's agents work in: each is set up as by `holdfast init` there


class State(Value):
    """How a host stands."""

    there: bool  # the host itself has been used on this machine
    installed: bool
    current: bool = True  # as this Holdfast would write it
    said: tuple[str, ...] = ()  # what is to be known, a line each
    call: tuple[str, ...] = ()  # the words by which the host starts holdfast; none where that is not known
    dead: str = ""  # why these do not start it
    fights: tuple[str, ...] = ()  # other memories that are on beside ours, a sentence each
    missing: tuple[tuple[str, str], ...] = ()  # (file, sentence) of what was put in and is gone, or has no effect
    in_place: tuple[str, ...] = ()  # what was read back and is there
