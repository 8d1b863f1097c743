"""The weekly review on a schedule: a timer among the user's own units of systemd; where there is none, a line for the crontab."""

from __future__ import annotations

import shlex

from ..upkeep.scheduling import Schedule, schedules
from . import Edit, Place, Plan, Refused, State

NAME = "the weekly review"


def install(place: Place) -> Plan:
    """The two units; starting them is the user's."""
    units, crontab = _ways(place)
    if not place.listed("/run/systemd/system"):
        how = "There is no systemd here. `crontab -e` opens your crontab, and this line does it there:"
        raise Refused(f"{how}\n    {crontab.line}\nIt is yours to put in.")
    edits = []
    for path, text in _files(place, units):
        before = place.read(path)
        if before != text:
            edits.append(Edit(path, before, text, f"{NAME} of {place.workspace}, Mondays at 9:00"))
    return Plan(tuple(edits), (), (f"Begin it: systemctl --user daemon-reload && {units.line}",))


def remove(place: Place) -> Plan:
    """The units of this workspace."""
    units, _ = _ways(place)
    found = [(path, place.read(path)) for path, _ in _files(place, units)]
    edits = [Edit(path, before, None, "ours altogether") for path, before in found if before is not None]
    return Plan(tuple(edits), (), (f"Stop it: systemctl --user disable --now {units.mark}.timer",) if edits else ())


def state(place: Place) -> State:
    """Whether the units are there."""
    units, _ = _ways(place)
    found = [place.read(path) for path, _ in _files(place, units)]
    as_ours = [text for _, text in units.files] == found
    return State(there=bool(place.listed("/run/systemd/system")), installed=all(found), current=as_ours)


def _ways(place: Place) -> tuple[Schedule, Schedule]:
    """By systemd, and by a crontab."""
    command, *more = shlex.split(place.command)
    try:
        found = {one.by: one for one in schedules(command, place.workspace)} if not more else {}
    except ValueError:
        found = {}
    if not found:
        raise Refused(f"No schedule can name {place.command} and {place.workspace}: install Holdfast with pipx or uv.")
    return found["systemd"], found["crontab"]


def _files(place: Place, units: Schedule) -> list[tuple[str, str]]:
    folder = place.env.get("XDG_CONFIG_HOME") or f"{place.home}/.config"
    return [(f"{folder}/{path.removeprefix('.config/')}", text) for path, text in units.files]
