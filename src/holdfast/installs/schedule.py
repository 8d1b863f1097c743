"""The weekly review on a schedule: a timer among the user's own units of systemd; and the other ways, each with its line.

A crontab is the user's own list and no file that we could show as it will be, and OpenClaw keeps its jobs in its own store: their
lines are said, and are the user's to put in.
"""

from __future__ import annotations

import shlex

from ..upkeep.scheduling import Schedule, schedules
from . import Edit, Place, Plan, Refused, State

NAME = "the weekly review"


def install(place: Place) -> Plan:
    """The two units; starting them is the user's."""
    units, *others = _ways(place)
    if not place.listed("/run/systemd/system"):
        raise Refused("\n".join(["There is no systemd here.", *_lines(place, others), "It is yours to put in."]))
    edits = []
    for path, text in _files(place, units):
        before = place.read(path)
        if before != text:
            edits.append(Edit(path, before, text, f"{NAME} of {place.workspace}, Mondays at 9:00"))
    begin = f"Begin it: systemctl --user daemon-reload && {units.line}"
    return Plan(tuple(edits), (), (begin, "Or, in its place:", *_lines(place, others)))


def _lines(place: Place, others: list[Schedule]) -> list[str]:
    """The ways besides systemd that there are here, each with its line."""
    crontab, openclaw = others
    lines = ["`crontab -e` opens your crontab, and this line does it there:", f"    {crontab.line}"]
    if place.listed(f"{place.home}/.openclaw"):
        lines += ["OpenClaw does it after this, run once (2026.7 and later; no model is started):", f"    {openclaw.line}"]
    return lines


def remove(place: Place) -> Plan:
    """The units of this workspace."""
    units = _ways(place)[0]
    found = [(path, place.read(path)) for path, _ in _files(place, units)]
    edits = [Edit(path, before, None, "ours altogether", ours=True) for path, before in found if before is not None]
    return Plan(tuple(edits), (), (f"Stop it: systemctl --user disable --now {units.mark}.timer",) if edits else ())


def state(place: Place) -> State:
    """Whether the units are there."""
    units = _ways(place)[0]
    found = [place.read(path) for path, _ in _files(place, units)]
    as_ours = [text for _, text in units.files] == found
    return State(there=bool(place.listed("/run/systemd/system")), installed=all(found), current=as_ours)


def _ways(place: Place) -> tuple[Schedule, Schedule, Schedule]:
    """By systemd, by a crontab, by OpenClaw."""
    command, *more = shlex.split(place.command)
    try:
        found = {one.by: one for one in schedules(command, place.workspace)} if not more else {}
    except ValueError:
        found = {}
    if not found:
        raise Refused(f"No schedule can name {place.command} and {place.workspace}: install Holdfast with pipx or uv.")
    return found["systemd"], found["crontab"], found["openclaw"]


def _files(place: Place, units: Schedule) -> list[tuple[str, str]]:
    folder = place.named_by("XDG_CONFIG_HOME") or f"{place.home}/.config"
    return [(f"{folder}/{path.removeprefix('.config/')}", text) for path, text in units.files]
