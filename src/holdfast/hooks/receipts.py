"""Receipts, read: what hooks did, host by host; what failed and has not been told; what of it a brief says. Pure.

A receipt is one line of JSON that a hook leaves (`.holdfast/receipts.jsonl`; where the workspace refuses it, in the user's state
folder). `failed` says in few and fixed words what went wrong; `gave` is the mark of a brief, `delivery` what became of one;
`told` stands in the receipt of a hook whose brief has said what had failed until then. A host that shows us its requests has
`put`, the parts that were put into a prompt, and `arrived` and `missing` of them in its request; `late` is said of a failure
that could not be told when it happened.
"""

from __future__ import annotations

import json
import re

from ..model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

_PROMPT, _DROPPED = "before_prompt_build", "dropped"  # the second says of the first that it was waited for in vain
_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}")
_EVENTS = frozenset((
    "start", "prompt", "tool", "turn", "end", "before-compaction", "after-compaction", "before_prompt_build", "agent_end",
    "before_compaction", "after_compaction", "before_reset", "session_start", "session_end", "summarize", "dropped",
))  # fmt: skip
# What a hook says went wrong, and why: all that a brief repeats of a receipt.
_FAILURES = (
    "not saved", "saved in the journal, and not in the files", "saved, and not yet in the files", "no brief",
    "the session before could not be read", "the summariser was told nothing", "memory could not be searched",
    "memory could not be opened", "not bound to a topic", "failed", "what the host sent is no JSON object",
    "too late: the host had gone on; what was to be given comes with the next prompt",
    "nothing was injected: no answer in time", "the receipt could not be written there",
)  # fmt: skip
_FAULT, _SETTINGS, _BUSY = "a fault of ours", "the settings cannot be read", "another process holds the lock"
UNKNOWN = "unknown"  # the event of a receipt for one that we do not know


class Put(Value):
    """What was put into a prompt last, and whether it was in the request."""

    parts: tuple[str, ...]
    when: str
    arrived: bool | None = None  # None: not known

    def said(self) -> str:
        """In words."""
        became = {True: "in the request", False: "NOT in the request", None: "not known yet whether it was in the request"}
        return f"last injection: {' and '.join(self.parts)}, {self.when[:16].replace('T', ' ')}, {became[self.arrived]}"


class Seen(Value):
    """What receipts say of one host."""

    host: str = ""
    events: dict[str, tuple[int, str]] = {}  # noqa: RUF012 - frozen: event → (how often, when last)
    failures: tuple[tuple[str, str, str, int], ...] = ()  # (event, why, when last, how often), the newest last
    failing: tuple[str, ...] = ()  # events of which the newest receipt is a failure
    given: int = 0
    arrived: int = 0
    cut: int = 0
    vanished: int = 0
    overtaken: int = 0  # by the next one, before it was known
    unknown: tuple[tuple[str, str], ...] = ()  # (name, when first)
    sessions: frozenset[str] = frozenset()
    put: Put | None = None
    loaded: tuple[str, str, str] | None = None  # (version of our plugin, of the gateway that has loaded it, when)

    @property
    def open(self) -> int:
        """Briefs of which it is not known yet whether they arrived."""
        return max(0, self.given - self.arrived - self.cut - self.vanished - self.overtaken)


def read(lines: Iterable[str]) -> list[dict[str, Any]]:
    """Receipts from their lines; what cannot be read is passed over: it is a log, and may be torn."""
    found = []
    for line in lines:
        try:
            receipt = json.loads(line) if line.startswith("{") else None
        except (ValueError, RecursionError):
            continue
        if isinstance(receipt, dict):
            found.append(receipt)
    return found


def by_host(receipts: Iterable[dict[str, Any]]) -> dict[str, Seen]:
    """What they say, host by host."""
    every: dict[str, list[dict[str, Any]]] = {}
    for receipt in receipts:
        if receipt.get("host"):
            every.setdefault(str(receipt["host"]), []).append(receipt)
    return {host: _seen(host, mine) for host, mine in every.items()}


def _seen(host: str, receipts: list[dict[str, Any]]) -> Seen:
    events: dict[str, tuple[int, str]] = {}
    failures: dict[tuple[str, str], tuple[str, int]] = {}
    newest: dict[str, bool] = {}
    unknown: dict[str, str] = {}
    deliveries: dict[str, int] = {}
    for receipt in receipts:
        event, when = str(receipt.get("event", "")), str(receipt.get("time", ""))
        if event == UNKNOWN and receipt.get("name"):
            unknown.setdefault(str(receipt["name"]), when)
            continue
        events[event] = (events.get(event, (0, ""))[0] + 1, when)
        if not receipt.get("late"):
            newest[_PROMPT if event == _DROPPED else event] = "failed" in receipt
        for why in _failed(receipt):
            failures[event, why] = (when, failures.pop((event, why), ("", 0))[1] + 1)
        verdict = str((receipt.get("delivery") or {}).get("is", "")) if isinstance(receipt.get("delivery"), dict) else ""
        # A line that says that nothing was found is no brief, and nobody looks for it.
        for name in (verdict, "given" if receipt.get("gave") not in (None, "", "a line") else ""):
            deliveries[name] = deliveries.get(name, 0) + 1
    return Seen(
        host=host,
        events=events,
        failures=tuple((event, why, *told) for (event, why), told in failures.items()),
        failing=tuple(event for event, bad in newest.items() if bad),
        unknown=tuple(unknown.items()),
        sessions=frozenset(str(receipt.get("session", "")) for receipt in receipts if not receipt.get("plugin")),
        put=_put(receipts),
        loaded=_loaded(receipts),
        **{name: deliveries.get(name, 0) for name in ("given", "arrived", "cut", "vanished", "overtaken")},
    )


def _put(receipts: list[dict[str, Any]]) -> Put | None:
    """What was put into a prompt last. A turn that is still under way takes nothing from the one before it, which is over."""
    found: list[tuple[str, Put]] = []
    for receipt in receipts:
        session = str(receipt.get("session", ""))
        put, arrived, missing = (receipt.get(name) for name in ("put", "arrived", "missing"))
        if isinstance(put, list) and put:
            found.append((session, Put(tuple(map(str, put)), str(receipt.get("time", "")))))
        elif (arrived or missing) and found and found[-1][0] == session:
            found[-1] = (session, found[-1][1].replaced(arrived=not missing))
        del found[:-2]
    known = [one for _, one in found if one.arrived is not None]
    return known[-1] if known else found[-1][1] if found else None


def _loaded(receipts: list[dict[str, Any]]) -> tuple[str, str, str] | None:
    """The newest word of a plugin that it was loaded."""
    for receipt in reversed(receipts):
        if receipt.get("plugin"):
            return str(receipt["plugin"]), str(receipt.get("gateway", "")), str(receipt.get("time", ""))
    return None


def _failed(receipt: dict[str, Any]) -> list[str]:
    failed = receipt.get("failed")
    return [str(why)[:200] for why in failed] if isinstance(failed, list) else []


def untold(lines: list[str], elsewhere: list[str], workspace: str) -> list[tuple[str, str, str]]:
    """(when, event, why) of what failed since a brief told of failures last, the newest first.

    Elsewhere: lines of the user's state folder, where a workspace that refuses to be written leaves its receipts.
    """
    found, since = [], ""
    for line in reversed(lines):
        if '"told"' not in line and '"failed"' not in line:
            continue
        for receipt in read([line]):
            if receipt.get("told"):
                since = str(receipt.get("time", ""))
            else:
                found += [(str(receipt.get("time", "")), str(receipt.get("event", "")), why) for why in _failed(receipt)]
        if since:
            break
    for receipt in read(line for line in elsewhere if '"failed"' in line):
        when = str(receipt.get("time", ""))
        if receipt.get("workspace") == workspace and when > since:
            found += [(when, str(receipt.get("event", "")), why) for why in _failed(receipt)]
    return sorted(found, reverse=True)


def in_a_line(failures: list[tuple[str, str, str]]) -> str:
    """What a brief says of failures, in one line; empty where there were none."""
    if not failures:
        return ""
    when, event, why = failures[0]
    times = f"{len(failures)} hooks of Holdfast failed, the last" if len(failures) > 1 else "A hook of Holdfast failed"
    moment = f" at {when[:16].replace('T', ' ')}" if _MOMENT.match(when) else ""
    about = ": ".join(filter(None, (event if event in _EVENTS else "", fixed_words(why))))
    return f"{times}{moment}{f' ({about})' if about else ''}. `holdfast doctor` says more; tell the user."


def fixed_words(why: str) -> str:
    """As much of a reason as a hook of ours can have written; empty where it can have written none of it.

    Receipts are a file, which anybody may have written, and a brief says the reason outside its frame.
    """
    from ..errors import REASONS

    what = next((what for what in _FAILURES if why == what or why.startswith(f"{what}: ")), "")
    cause = why[len(what) + 2 :] if what else ""
    if cause.startswith(_FAULT):
        cause = _FAULT
    known = cause in (_FAULT, _SETTINGS, _BUSY) or cause in REASONS
    return f"{what}: {cause}" if what and known else what
