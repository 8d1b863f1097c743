"""What reading commands show: status, one thing whole, the list of topics. Text for people, data for `--json`."""

from __future__ import annotations

import re
import time

from ..documents import markdown
from ..errors import NotFound
from ..guard.entering import redacted
from ..model import NO_SESSION, STATE_KINDS, Checkpoint, fold, is_gateway_session, is_room

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..memory import Memory
    from ..model import Record

Shown = tuple[str, dict[str, "Any"]]


def shown(memory: Memory, session: str, thing: str) -> Shown:
    """One thing, whole: the newest checkpoint, the state, a record, a day or a topic. In a room only what is of that room."""
    if is_room(session) and thing not in ("state", *memory.topics.all_for(session)):
        return _shown_in_room(memory, session, thing)
    if thing == "latest":
        return _latest(memory)
    if thing == "state":
        state = memory.state(session)
        return markdown.show_classic(state), {"session": session, **state_data(state)}
    day = _day(memory, thing)
    if day:
        text = memory.days.text(day)
        if not text:
            raise NotFound(f"There is nothing for {day}. `holdfast status` says what there is.")
        return text, {"day": day, "text": text}
    if re.match(r"\d{8}-", thing):
        return _record(memory.journal.find(thing))
    if re.match(r"\d{4}-\d\d-\d\d-\d+$", thing):
        return _by_snapshot_id(memory, thing)
    file = memory.topics.known(thing, session)
    return memory.topics.text(file), {"topic": file, "text": memory.topics.text(file)}


def _shown_in_room(memory: Memory, session: str, thing: str) -> Shown:
    """A checkpoint or another record of a room. Days are of all sessions, and what is private must not be read there."""
    record = memory.latest(session) if thing == "latest" else None
    if re.match(r"\d{8}-", thing):
        record = memory.journal.find(thing)
    if record is None or record.session != session:
        raise NotFound(f"There is no {fold(thing, 60)} of this group or channel. What other sessions have is not shown here.")
    return _record(record)


def _day(memory: Memory, thing: str) -> str:
    ago = {"today": 0, "yesterday": 86400}.get(thing)
    if ago is not None:
        return time.strftime("%Y-%m-%d", time.localtime(memory.clock() - ago))
    return thing if re.match(r"\d{4}-\d\d-\d\d$", thing) else ""


def _latest(memory: Memory) -> Shown:
    from ..briefing.recovery import newest_block

    record, block = memory.latest(), newest_block(memory, "", 0)
    if block is None:
        raise NotFound("There is no checkpoint yet. `holdfast checkpoint` makes one.")
    if record and block.record in ("", record.id) and block.timestamp <= record.time[:19]:
        text, data = _record(record)
        return markdown.block_in(text), data
    return markdown.show_block(block), {"time": block.timestamp, "session": block.session, "state": state_data(block.state)}


def _record(record: Record) -> Shown:
    data: dict[str, Any] = {name: getattr(record, name) for name in record._fields if name != "version"}
    if record.kind == "checkpoint":
        block = markdown.read_block(markdown.block_in(record.body))
        data |= {"snapshot_id": block.snapshot_id, "state": state_data(block.state)}
    return record.body, data


def _by_snapshot_id(memory: Memory, thing: str) -> Shown:
    for _, text in markdown.blocks(memory.days.text(thing[:10])):
        block = markdown.read_block(text)
        if block.snapshot_id == thing:
            return text, {"snapshot_id": thing, "id": block.record, "state": state_data(block.state)}
    raise NotFound(f"There is no snapshot {thing}. `holdfast status` names the newest.")


def state_data(state: Checkpoint) -> dict[str, Any]:
    """A state as JSON would have it."""
    data: dict[str, Any] = {}
    for name in state._fields:
        value = getattr(state, name)
        if name == "files":
            value = [{"path": path, "what": what} for path, what in value]
        elif name == "names":
            value = [{"kind": kind, "value": text} for kind, text in value]
        elif name == "pending":
            value = [{"text": text, "done": ticked} for text, ticked in value]
        elif name == "context":
            value = dict(value)
        data[name] = list(value) if isinstance(value, tuple) else value
    return data


def topic_list(memory: Memory, session: str = "") -> Shown:
    """Every topic that a session may read, with the sessions that are bound to it."""
    bound: dict[str, list[str]] = {}
    for one, bound_to in memory.topics.bindings().items():
        if one == session or not is_room(session):
            bound.setdefault(bound_to, []).append(one)
    topics = memory.topics.all_for(session)
    lines = []
    for file, topic in topics.items():
        who = ", ".join(bound.get(file, [])) or "no session"
        title = "" if topic.name in ("", file) else f" ({topic.name})"
        lines.append(f"{file}{title}  updated {topic.updated or 'never'}  bound to {who}")
        lines.append(f"  {fold(topic.status, 100) or 'no status yet'}")
    for file, sessions in bound.items():
        if file not in topics:
            lines.append(f"{file}  not written yet  bound to {', '.join(sessions)}")
    data = {
        file: {"name": topic.name, "updated": topic.updated, "status": topic.status, "sessions": bound.get(file, [])}
        for file, topic in topics.items()
    }
    return "\n".join(lines) or "no topics yet; `holdfast checkpoint --topic NAME` makes one", data


def newest_session(memory: Memory) -> str:
    """The session in which something was set or saved last: what a person who names none wants to see. Else that of nobody."""
    found = (record.session for record in memory.journal.records() if record.kind in STATE_KINDS and memory.stands(record))
    return next(found, NO_SESSION)


def _set_for_project(memory: Memory, session: str) -> str:
    """The task that was set at a terminal, for the project and no session in particular; empty where this is that state."""
    return "" if session == NO_SESSION else memory.state(NO_SESSION).task


def status(memory: Memory, session: str) -> Shown:
    """What is known, how old it is, whether the state has moved on since, and what to do next."""
    today = time.strftime("%Y-%m-%d", time.localtime(memory.clock()))
    snapshots = len(markdown.blocks(memory.days.text(today)))
    record = memory.latest(session)
    state = memory.state(session)
    # What was written by hand sets nothing, so that the state is not what it was moved on from.
    own = (one for one in memory.journal.records(kind="checkpoint", session=session) if one.origin != "hand")
    saved = record if record is None or record.origin != "hand" else next(own, None)
    last = markdown.read_block(markdown.block_in(saved.body)).state if saved else Checkpoint()
    waiting = len(memory.journal.unapplied())
    written = _only_by_hand(memory, session)
    data: dict[str, Any] = {
        "workspace": memory.workspace,
        "session": session,
        "topic": memory.topics.bindings().get(session, ""),
        "task": state.task,
        "snapshots_today": snapshots,
        "newest": written or (record.time if record else ""),
        "newest_id": record.id if record and not written else "",
        "state_has_moved_on": last != state,
        "records_waiting_for_documents": waiting,
        "next": _advice(record or memory.latest(), state, last != state, memory, written),
    }
    project = _set_for_project(memory, session)
    data |= {"project_task": project} if project else {}
    elsewhere = None if record or is_gateway_session(session) else memory.latest()
    age = _aged(record, memory.clock()) if record else "none of this session" if elsewhere else "none"
    if written:
        moment = written.replace("-", "").replace(":", "").replace("T", "-")
        age = f"{written.replace('T', ' ')} ({_ago(moment, memory.clock())}), written by hand"
    lines = [
        f"workspace   {memory.workspace}",
        f"session     {session}, topic {data['topic'] or 'none'}",
        f"working on  {fold(state.task, 100) or 'nothing is set'}",
        *([f"project     {fold(project, 100)} (set without a session)"] if project else []),
        f"snapshots   {snapshots} today; newest: {age}",
        f"since then  {'the state has moved on' if data['state_has_moved_on'] else 'nothing has changed'}",
    ]
    if elsewhere:
        data["newest_elsewhere"] = elsewhere.id
        lines.append(f"elsewhere   {_aged(elsewhere, memory.clock())}, in session {elsewhere.session}")
    if memory.paused_since:
        data["paused"] = memory.paused_since
        since = memory.paused_since[:16].replace("T", " ")
        lines.append(f"paused      since {since}: hooks do nothing here; `holdfast resume` ends that")
    if memory.config.wrong:
        data["wrong_settings"] = [redacted(sentence)[0] for sentence in memory.config.wrong]
        lines += [f"settings    {sentence}" for sentence in data["wrong_settings"]]
    if waiting:
        told = f"{waiting} record{' is' if waiting == 1 else 's are'}"
        lines.append(f"behind      {told} in the journal and not yet in the files; any writing command catches up")
    for troubles, about in (_damage(memory), _two_sides(memory, session)):
        lines += troubles
        data |= about
    loss = _last_loss(memory, session if is_gateway_session(session) else "")
    if loss:
        data["last_compaction"] = loss
        lines += _loss_lines(loss)
    return "\n".join([*lines, f"next        {data['next']}"]), data


def _two_sides(memory: Memory, session: str) -> tuple[list[str], dict[str, Any]]:
    """Where git has left a merge open, as lines and as data."""
    from ..briefing.recovery import left_open

    found = list(left_open(memory, memory.topics.bound_to(session)))
    told = f"two sides   a merge was left open in {', '.join(found)}: bring both together, and remove the marks"
    return ([told], {"left_open": found}) if found else ([], {})


def _damage(memory: Memory) -> tuple[list[str], dict[str, Any]]:
    """What is damaged, as lines and as data: records that were met just now, or else what the last check found."""
    damaged = sorted(memory.journal.damaged)
    if damaged:
        return [f"damaged     Memory integrity check failed: {len(damaged)} records cannot be read"], {"damaged": damaged}
    from ..briefing.recovery import last_verdict

    failed = last_verdict(memory)
    if not failed:
        return [], {}
    told = "; ".join(failed)
    return [f"damaged     Memory integrity check failed: {told}; `holdfast health` says what it is"], {"failed": failed}


def _last_loss(memory: Memory, session: str) -> dict[str, Any]:
    """The newest receipt, of one session or of any, that says what a host's summary kept and dropped; empty where none does."""
    import json

    for line in reversed(memory.receipts()):
        if '"kept"' in line:
            try:
                found = json.loads(line)
                if isinstance(found, dict) and isinstance(found.get("kept"), dict) and session in ("", found.get("session")):
                    return {name: found.get(name) for name in ("time", "session", "kept", "dropped")}
            except (ValueError, RecursionError):
                continue
    return {}


def _loss_lines(loss: dict[str, Any]) -> list[str]:
    """“The host's summary kept 3 of 11 files”, and some of what it dropped."""
    counts = [(kind, kept) for kind, kept in loss["kept"].items() if isinstance(kept, list) and len(kept) == 2]
    kept = ", ".join(f"{has} of {total} {kind}" for kind, (has, total) in counts)
    when = f"compacted   {str(loss['time'])[:16].replace('T', ' ')}"
    if not counts:
        return [f"{when}; nothing was saved that the host's summary could have dropped"]
    lines = [f"{when}; the host's summary kept {kept}"]
    for kind, things in (loss["dropped"] or {}).items():
        if things and kind != "names":
            shown = "; ".join(fold(str(thing), 60) for thing in things[:3])
            lines.append(f"            dropped {kind}: {shown}{'; …' if len(things) > 3 else ''}")
    if any(has != total for _, (has, total) in counts):
        lines.append("            what it dropped is in the snapshot: `holdfast recover`")
    return lines


def _only_by_hand(memory: Memory, session: str) -> str:
    """When the newest snapshot was taken, where that is a block by hand that the journal does not have yet; else empty."""
    from ..briefing.recovery import newest_block

    block = newest_block(memory, session, 0, whole=False)
    return block.timestamp[:19] if block and not block.record else ""


def _advice(record: Record | None, state: Checkpoint, moved: bool, memory: Memory, written: str) -> str:
    if record is None and state.empty and written:
        return "after a compaction: `holdfast recover`, which takes up what was written by hand"
    if record is None and state.empty and next(memory.journal.newest_first(), ""):
        return "what was noted is saved; of the work nothing is set yet: `holdfast task TEXT`, or `holdfast checkpoint`"
    if record is None and state.empty:
        return "nothing is saved yet: `holdfast task TEXT`, or `holdfast checkpoint`"
    if moved and not state.empty:  # else there is nothing that a checkpoint could save
        return "save a snapshot: `holdfast checkpoint`"
    return "all is saved; after a compaction: `holdfast recover`"


def _aged(record: Record, now: float) -> str:
    return f"{record.time[:19].replace('T', ' ')} ({_ago(record.id, now)}), {record.id}"


def _ago(record_id: str, now: float) -> str:
    try:
        seconds = now - time.mktime(time.strptime(record_id[:15], "%Y%m%d-%H%M%S"))
    except (ValueError, OverflowError):
        return "at an odd time"
    for name, size in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds >= size:
            number = int(seconds // size)
            return f"{number} {name}{'s' if number > 1 else ''} ago"
    return "just now"
