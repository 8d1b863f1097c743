"""`holdfast upkeep` and `holdfast health`: look, show, apply, say."""

from __future__ import annotations

import sys

from .. import cli
from ..errors import HoldfastError, UserError, reason
from ..guard.entering import printable, redacted
from ..model import Value, fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Mapping
    from typing import Any

    from ..cli import Words
    from ..memory import Memory
    from ..upkeep.applying import Outcome
    from ..upkeep.health import Finding
    from ..upkeep.plan import Change, There

DUTIES = ("archive", "rotate", "promote", "classify", "review", "trash")
_SHOWN = 6  # files of one change that are named at the terminal; --json names them all


def run_upkeep(words: Words, env: Mapping[str, str]) -> int:
    """Put the workspace in order, or show what that would be."""
    duty = (words.texts or [""])[0]
    if len(words.texts) > 1 or duty not in ("", *DUTIES):
        raise UserError(f"upkeep takes one of {', '.join(DUTIES)}, or nothing for all of it. Nothing was changed.")
    if (words.has("restore") or words.has("empty")) and duty != "trash":
        raise UserError("--restore and --empty belong to `holdfast upkeep trash`. Nothing was changed.")
    if words.has("days") and duty != "archive":
        raise UserError("--days belongs to `holdfast upkeep archive`. Nothing was changed.")
    if words.has("summary") and duty != "classify":
        raise UserError("--summary belongs to `holdfast upkeep classify`. Nothing was changed.")
    days = words.number("days", 0, 1) if words.has("days") else 0
    if duty == "trash":
        return _trash(words, env)
    if words.has("summary"):
        return _summed_up(words, env)
    from ..upkeep.planning import EVERY

    planned = _planned(words, env, {duty} if duty else EVERY, days)
    _warned(planned.wanting)
    outcome, said = None, ""
    if planned.changes and not words.has("dry-run"):
        memory = cli.opened(words, env, write=True)
        try:
            outcome = _applied(memory, planned.changes)
            said = _committed(memory, planned.there, outcome, env)
            if duty == "review" and not said and any(change.edits for change in outcome.done):
                said = _offer_commits(memory, env)
        finally:
            memory.close()
    _shown(words, planned, outcome, said)
    if duty == "review" and not words.has("json"):
        left = [finding for finding in examined(words, env)[0] if not finding.ok]
        print("\n".join([*_verdicts(left), _counted(left)]))
    return 0


def _warned(wanting: list[Finding]) -> None:
    """Before facts are moved to where they last: whether what is remembered is whole. What is not is said, and left."""
    failed = [finding for finding in wanting if finding.integrity]
    if failed:
        print("\n".join([*_verdicts(failed), "What rests on these is left as it is; the rest goes on."]), file=sys.stderr)


def _counted(wanting: list[Finding]) -> str:
    return f"health   {len(wanting)} check{'s' * (len(wanting) > 1)} wanting" if wanting else "health   all is well"


class Planned(Value):
    """What upkeep would do, and why it would not do more."""

    changes: list[Change]
    there: There
    waits: str  # what is left for later, in words
    wanting: list[Finding]  # of the health check that comes before facts are moved; without it none


def _planned(words: Words, env: Mapping[str, str], duties: Container[str], days: int = 0) -> Planned:
    """The plan, from what is there now; a workspace that is not there yet is not made for it.

    D9: health comes before promote and review, whoever asked for them, and judges what the plan was made from.
    """
    from ..upkeep.examining import checked
    from ..upkeep.plan import View
    from ..upkeep.planning import plan
    from ..upkeep.surveying import survey
    from ..upkeep.tidying import deferred
    from .other import reading

    memory = reading(words, env)
    try:
        if memory.home.stat("has-documents") and memory.store.vanished():
            raise UserError("memory/ is missing or empty: moved away, or not mounted. Nothing was changed. Bring it back.")
        memory.config.refuse_wrong()  # upkeep moves things by its settings, and a default may not be what was meant
        there = survey(memory)
        wanting = []
        if "promote" in duties or "review" in duties:
            wanting = [finding for finding in checked(memory, there, secrets=False)[0] if not finding.ok]
        waits = _clean(deferred(View(there), memory.config)) if "rotate" in duties or "review" in duties else ""
        return Planned(plan(there, memory.config, duties, days=days), there, waits, wanting)
    finally:
        memory.close()


def _summed_up(words: Words, env: Mapping[str, str]) -> int:
    """How many notes have which type, and how many would get it; nothing is changed."""
    from ..upkeep.plan import View
    from ..upkeep.surveying import survey
    from ..upkeep.tagging import summary
    from .other import _printed, reading

    memory = reading(words, env)
    try:
        found = summary(View(survey(memory)))
    finally:
        memory.close()
    lines = []
    for tally in found:
        more = f", {tally.told} more by their words (confidence {tally.least:.2f} and above)" if tally.type and tally.told else ""
        lines.append(f"{tally.type:<8} {tally.typed}{more}" if tally.type else f"none     {tally.told}: nothing tells their type")
    lines.append("Nothing was changed. `holdfast upkeep classify` gives those of past days their type.")
    return _printed("\n".join(lines), [tally.__dict__ for tally in found], words)


def _applied(memory: Memory, changes: list[Change]) -> Outcome:
    from ..upkeep.applying import apply
    from . import progress

    done = [0]

    def told(number: int) -> None:
        done[0] = number
        progress.show(number, len(changes), f"{number} of {len(changes)} changes")

    try:
        return apply(memory, changes, told)
    except OSError as error:
        raise _refused(error, done[0], len(changes)) from error
    finally:
        progress.clear()


def _committed(memory: Memory, there: There, outcome: Outcome, env: Mapping[str, str]) -> str:
    """One commit for what was done, where the settings ask for it; what came of that, in words."""
    if memory.config.gitCommit == "never":
        return ""
    from ..upkeep.committing import committed

    return committed(memory, there, outcome.done, env)


def _offer_commits(memory: Memory, env: Mapping[str, str]) -> str:
    """How a review is committed, in a git repository whose owner has said nothing about it; else empty."""
    from ..storage.ignoring import is_in_repository

    chosen = memory.store.text_or_empty(".holdfast", "config.toml") + env.get("HOLDFAST_SETTINGS", "")
    if "gitCommit" in chosen or not is_in_repository(memory.workspace):
        return ""
    return (
        'not committed: `gitCommit = "after-upkeep"` in .holdfast/config.toml has each upkeep committed, '
        '`"never"` ends this line'
    )


def _refused(error: OSError, done: int, total: int) -> HoldfastError:
    """The message for a disk that refused in the midst of a plan."""
    from ..errors import NotSaved

    why, remedy = reason(error)
    return NotSaved(
        f"Upkeep stopped after {done} of {total} changes: {why} ({error.filename or 'the workspace'}).\n"
        f"Everything saved before is intact, and what was done stands. {remedy} and run the command again."
    )


# ---- what is said ------------------------------------------------------------------------------------------------------


def _shown(words: Words, planned: Planned, outcome: Outcome | None, said: str) -> None:
    changes, unread, waits = planned.changes, planned.there.unread, planned.waits
    done = list(outcome.done) if outcome else []
    dropped = list(outcome.dropped) if outcome else []
    if words.has("json"):
        data = {
            "dry_run": words.has("dry-run"),
            "changes": [as_data(change) for change in (done if outcome else changes)],
            "dropped": [{**as_data(change), "why": why} for change, why in dropped],
            "left_alone": [{"path": path, "why": why} for path, why in unread],
            "wanting": [finding.check for finding in planned.wanting],
            **{name: text for name, text in (("git", said), ("waits", waits)) if text},
        }
        print(cli.in_json(data, indent=2))
        return
    if changes and words.texts == ["review"] and all(change.kind == "fresh" for change in changes):
        print("No meaningful changes.")  # but for the day of the review
    for change in done if outcome else changes:
        print("\n".join(_lines(change)))
    for change, why in dropped:
        print(f"dropped  {change.kind}: {why}; the next run looks at it again")
    for path, why in unread:
        print(f"left alone  {path}: {why}")
    if waits:
        print(f"waits    {waits}")
    if not changes:
        print(_nothing(words, planned))
    elif outcome is None:
        print(f"planned  {_number(changes)}; nothing was changed. `{_carried_out_by(words)}` makes it so.")
    else:
        left = f", {len(dropped)} dropped" if dropped else ""
        print(f"done     {_number(done)}{left}. What was replaced is in the trash: `holdfast upkeep trash`.")
    if said:
        print(f"git      {said}")
    if by_hand := _by_hand(planned.wanting) if words.texts != ["review"] else "":  # a review has its verdicts at the end
        print(f"health   wanting, and not upkeep's to mend: {by_hand}. `holdfast health` says where.")


def _carried_out_by(words: Words) -> str:
    days = ["--days", words.one("days")] if words.has("days") else []
    return " ".join(["holdfast upkeep", *words.texts, *days])


def _nothing(words: Words, planned: Planned) -> str:
    if planned.there.unread or planned.waits:
        return "Nothing to do with what can be read." if planned.there.unread else "Nothing else to do."
    if words.texts == ["review"]:
        return "No meaningful changes."
    return "Nothing to do." if planned.wanting else "Nothing to do: everything is in order."


def _by_hand(wanting: list[Finding]) -> str:
    """What is wanting and stays so: upkeep does not mend it, and it has not been said as a matter of integrity."""
    return "; ".join(finding.check for finding in wanting if not finding.integrity and not finding.upkeep_mends)


def _number(changes: list[Change]) -> str:
    return f"{len(changes)} change{'' if len(changes) == 1 else 's'}"


def as_data(change: Change) -> dict[str, Any]:
    """A change as JSON has it."""
    edits = [
        {"path": edit.path, "does": _does(edit.before, edit.after), "digest": edit.before} for edit in change.edits
    ]
    sources = [{"path": path, "digest": mark} for path, mark in change.expected().items()]
    more = {name: list(getattr(change, name)) for name in ("let_go", "packs") if getattr(change, name)}
    return {"kind": change.kind, "reason": _clean(change.reason), "files": edits, "sources": sources, **more}


def _does(before: str, after: str | None) -> str:
    return "trash" if after is None else "change" if before else "new"


def _lines(change: Change) -> list[str]:
    marks = {"trash": "→ trash", "change": "changed", "new": "new"}
    lines = [f"{change.kind:<8} {_clean(fold(change.reason, 300))}"]
    lines += [f"         {marks[_does(edit.before, edit.after)]:<8} {edit.path}" for edit in change.edits[:_SHOWN]]
    more = len(change.edits) - _SHOWN
    return lines + ([f"         … and {more} files more (--json names them)"] if more > 0 else [])


# ---- the trash ---------------------------------------------------------------------------------------------------------


def _trash(words: Words, env: Mapping[str, str]) -> int:
    """List the trash, bring one thing back, or empty it."""
    from ..upkeep import trash
    from .other import _printed, reading

    if words.has("restore") or words.has("empty"):
        return _emptied_or_restored(words, env)
    memory = reading(words, env)
    try:
        found = trash.things(memory)
    finally:
        memory.close()
    lines = [_clean(f"{t.id}  {t.day}  {t.size:>8}  {t.path or t.name}  ({fold(t.why, 120)})") for t in found]
    what = f"{len(found)} in the trash, for {memory.config.trashDays} days; `holdfast upkeep trash --restore ID` brings one back"
    return _printed("\n".join([*lines, what]) if found else "The trash is empty.", [thing.__dict__ for thing in found], words)


def _emptied_or_restored(words: Words, env: Mapping[str, str]) -> int:
    from ..storage.writing import PATIENCE
    from ..upkeep import trash
    from .other import _printed

    memory = cli.opened(words, env, write=True)
    try:
        if memory.lock is None or not memory.lock.take(PATIENCE):
            raise UserError("Another process is writing here. Nothing was changed; try again.")
        if words.has("restore"):
            thing = trash.restore(memory, words.one("restore"))
            return _printed(f"restored  {thing.path}  ({fold(thing.why, 120)})", thing.__dict__, words)
        gone = trash.empty(memory, {thing.id for thing in trash.things(memory)})
        return _printed(f"emptied  {len(gone)} let go for good", {"let_go": [thing.id for thing in gone]}, words)
    finally:
        memory.close()


# ---- health ------------------------------------------------------------------------------------------------------------


def run_health(words: Words, env: Mapping[str, str]) -> int:
    """Every check with its verdict; exit 1 where something is wanting."""
    if words.has("fix"):
        _mended(words, env)
    found, numbers = examined(words, env)
    wrong = [finding for finding in found if not finding.ok]
    if words.has("json"):
        checks = [{**finding.__dict__, "ok": finding.ok, "where": [_clean(one) for one in finding.where]} for finding in found]
        print(cli.in_json({"ok": not wrong, "checks": checks, **numbers}, indent=2))
    else:
        print("\n".join([*_verdicts(found), *_figures(numbers)]))
        print(f"well     {len(found)} checks" if not wrong else f"wanting  {len(wrong)} of {len(found)} checks")
    return int(bool(wrong))


def _mended(words: Words, env: Mapping[str, str]) -> None:
    """What needs no judgement: the documents catch up, the buffer is rotated, days are closed and archived, the trash aged."""
    from ..upkeep.planning import WITHOUT_JUDGEMENT

    planned = _planned(words, env, WITHOUT_JUDGEMENT)
    memory = cli.opened(words, env, write=True)
    try:
        memory.catch_up()
        outcome = _applied(memory, planned.changes)
        said = _committed(memory, planned.there, outcome, env)
    finally:
        memory.close()
    if not words.has("json"):
        for change in outcome.done:
            print(f"mended   {change.kind}: {_clean(fold(change.reason, 200))}")
        if said:
            print(f"git      {said}")


def examined(words: Words, env: Mapping[str, str]) -> tuple[list[Finding], dict[str, Any]]:
    """What every check has found, and the figures."""
    from ..upkeep.examining import checked, loaded
    from ..upkeep.health import figures
    from ..upkeep.surveying import survey
    from .other import reading

    memory = reading(words, env)
    try:
        there = survey(memory)
        found, facts = checked(memory, there)
        return found, figures(there, facts, loaded(memory, there))
    finally:
        memory.close()


def _clean(text: str) -> str:
    return printable(redacted(text)[0])


def _verdicts(found: list[Finding]) -> list[str]:
    lines = []
    for finding in found:
        if finding.ok:
            lines.append(f"ok       {finding.check}")
            continue
        level = "  Memory integrity check failed." if finding.integrity else ""
        lines.append(f"WANTING  {finding.check}{level}")
        lines += [f"           {_clean(fold(one, 200))}" for one in finding.where[:_SHOWN]]
        if len(finding.where) > _SHOWN:
            lines.append(f"           … and {len(finding.where) - _SHOWN} more")
        lines.append(f"           mend: {finding.mend}")
    return lines


def _figures(numbers: dict[str, Any]) -> list[str]:
    notes = ", ".join(f"{count} {kind}" for kind, count in sorted(numbers["notes"].items())) or "none"
    sizes = ", ".join(f"{name} {size / 1024:.0f} KB" for name, size in numbers["sizes"].items() if size)
    tokens = ", ".join(f"{name} {count}" for name, count in numbers["tokens"].items() if name != "total")
    return [
        f"holds    {numbers['days']} days, {numbers['archived']} archived, {numbers['records']} records; notes: {notes}",
        f"sizes    {sizes or 'nothing yet'}",
        f"tokens   about {numbers['tokens']['total']} at the start of a session: {tokens or 'nothing'}",
    ]
