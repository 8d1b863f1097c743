"""Documents ⇄ nouns: the formats of docs/format.md, read as their owner left them and changed only where they are ours.

Each function takes the text of a document and gives the new text; none touches the disk or the clock. A document that does
not exist yet is the empty text.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ..model import EMPTY, PHASES, TYPES, Checkpoint, Value, fold
from . import sections as s
from .codecs import (
    Asked,
    Codec,
    Context,
    Items,
    Names,
    Prose,
    Traits,
    action_pair,
    action_text,
    file_pair,
    file_text,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

# ---- the working state: memory/session-state.md and SESSION-STATE.md ---------------------------------------------------

_PENDING = Items("pending", text=action_text, value=action_pair)
_CONTEXT = Context("context")
_FILES = Items("files", text=file_text, value=file_pair)
_NAMES = Names("names")

# The sections of seed E come first and are always there; ours stand between them and the recovery path, where filled.
TEMPLATE: tuple[tuple[str, Codec], ...] = (
    ("Current Task", Prose("task")),
    ("Last 3-5 Exchanges", Items("exchanges")),
    ("Pending Proposals/Questions", Items("unanswered")),
    ("Decisions in Flight", Items("in_flight")),
    ("Emotional/Conversational Tone", Prose("tone")),
    ("Timeline", Items("timeline")),
    ("Key Context", _CONTEXT),
)
FURTHER: tuple[tuple[str, Codec], ...] = (
    ("Recent Decisions", Items("decisions")),
    ("Pending Actions", _PENDING),
    ("Blockers", Items("blockers")),
    ("Corrections", Items("corrections")),
    ("Goal", Prose("goal")),
    ("Status", Prose("status")),
    ("Current State", Traits()),
    ("Done", Items("done")),
    ("Files In Play", _FILES),
    ("Names & Values", _NAMES),
    ("Open Questions", Items("questions")),
    ("Next Steps", Items("next_steps", "1.")),
    ("Code Context", Prose("code")),
)
STATE = dict(TEMPLATE + FURTHER)
# Seed C's file, kept up to date where it exists; its users also write the headings in Chinese.
CLASSIC = ("Current Task", "Key Context", "Recent Decisions", "Pending Actions", "Blockers")
ALIASES = {
    "当前任务": "Current Task",
    "关键上下文": "Key Context",
    "近期决策": "Recent Decisions",
    "待办事项": "Pending Actions",
    "阻塞项": "Blockers",
    "Active Task": "Current Task",
}

_ABOUT = (
    "This file is a pre-compaction snapshot -- a point-in-time capture of your working state, written automatically just "
    "before compaction fires, at the end of a turn, and whenever something of it is set."
)
_HOW_TO = (
    "Start here after a compaction, a reset or a crash. If it was written within the last hour and names your session, take "
    "it as it stands; if it is older, read it beside today's file in this folder."
)
_RECOVERY = (
    "1. Read this file.",
    "2. Read today's file in this folder, and yesterday's.",
    "3. Read the end of the session's transcript before saying that something is not known.",
    "4. Carry on from here.",
)
# What stands in our files where nobody has said anything: whoever looks for something does not look for these.
UNSAID = frozenset((*s.PLACEHOLDERS, *Traits().show(EMPTY), _ABOUT, _HOW_TO, *_RECOVERY))
_STAMP = re.compile(r"(\*\*|<strong>)(Written at|Trigger|Session):(\*\*|</strong>)(.*)", re.I)
_RECORD_LINE = re.compile(r"<!-- holdfast: (\S+) -->\s*$")
_HEAD = 60  # lines of a session-state file in which its stamps are looked for


def _codec(name: str) -> Codec | None:
    return STATE.get(ALIASES.get(name, name)) or next((c for n, c in STATE.items() if n.casefold() == name.casefold()), None)


def read_change(text: str) -> dict[str, Any]:
    """The fields that a text in state sections gives, those of empty sections included."""
    found: dict[str, Any] = {}
    for section in s.parse(text)[1:]:
        codec = _codec(section.name)
        if codec:
            found.update((k, v) for k, v in codec.read(section.body).items() if not found.get(k))
    return found


def show_change(change: Mapping[str, Any]) -> str:
    """A change as state sections: only what it names."""
    state = EMPTY.replaced(**change)
    parts = []
    for name, codec in STATE.items():
        if any(field in change for field in codec.fields):
            parts.append("\n".join([f"## {name}", *codec.show(state)]) + "\n")
    return "\n".join(parts)


@lru_cache(maxsize=4)
def read_state(text: str) -> Checkpoint:
    """The working state that a document tells; asked three times on the way of one record."""
    return Checkpoint(**read_change(text))


def stamps(text: str) -> dict[str, str]:
    """`written at`, `trigger`, `session` and `record` of a session-state file, as far as it says them."""
    found: dict[str, str] = {}
    for line in _head(s.lines_of(text)):
        stamp = _STAMP.match(s.bare(line))
        if stamp and stamp[4].strip():
            found.setdefault(stamp[2].casefold(), stamp[4].strip())
        record = _RECORD_LINE.match(line)
        if record:
            found.setdefault("record", record[1])
    if "record" in found:
        return found
    # What stands in brackets in a file that we have not written yet is the template's hint, not a value.
    return {key: value for key, value in found.items() if not (value.startswith("[") and value.endswith("]"))}


def _head(lines: list[str]) -> list[str]:
    """The lines above the first section. Only these are stamps: further down, `**Session:** x` is somebody's own line."""
    for number, line in enumerate(map(s.bare, lines[:_HEAD])):
        if s.heading(line) is not None and not _STAMP.match(line):
            return lines[:number]
    return lines[:_HEAD]


def is_torn(text: str) -> bool:
    """Whether a session-state file is lost or has lost its end: the recovery path, which each one that we wrote has last."""
    found = s.parse(text)
    if "record" in stamps(text):
        return s.find(found, "Recovery Path") is None
    return not any(_codec(section.name) for section in found[1:])


def read_torn(text: str, known: Checkpoint) -> Checkpoint:
    """The working state that a torn document tells, with what is known otherwise in place of the sections it has lost."""
    *whole, last = s.parse(text)
    found = read_change(s.join(whole))
    codec = _codec(last.name)
    # The last section may have lost its end too (or have half of the next heading's `##`). It has not where it says something
    # else than the beginning of what is known.
    left = "".join(last.body).replace("\r\n", "\n").lstrip("\n").rstrip("# \n")
    if codec and not "\n".join(codec.show(known)).startswith(left):
        found.update((k, v) for k, v in codec.read(last.body).items() if not found.get(k))
    return known.replaced(**found)


def new_state_file(title: str = "# Session State") -> str:
    """An empty session-state file after the template of seed E."""
    head = f"{title}\n\n{_ABOUT}\n\n**Written at:** \n**Trigger:** \n**Session:** \n\n## How to use this file\n{_HOW_TO}\n"
    return head + "".join(f"\n## {name}\nnone\n" for name, _ in TEMPLATE) + "\n## Recovery Path\n" + "\n".join(_RECOVERY) + "\n"


def write_state(text: str, state: Checkpoint, stamp: Mapping[str, str]) -> str:
    """The session-state file brought up to a state: our sections rewritten, everything else left alone."""
    mark, text = s.marked(text)
    text = text if text.strip() else new_state_file()
    return mark + _restamped(_with_path(_refilled(text, state, STATE, [name for name, _ in TEMPLATE])), stamp)


def _with_path(text: str) -> str:
    """The recovery path belongs to each session-state file: where it is missing, the file has lost its end."""
    end = s.line_end(text)
    found = s.parse(s.closed(text))
    if s.find(found, "Recovery Path") is None:
        _insert(found, s.Section("", f"## Recovery Path{end}", [line + end for line in (*_RECOVERY, "")]), end)
    return s.like(text, s.join(found))


def write_classic(text: str, state: Checkpoint) -> str:
    """Seed C's SESSION-STATE.md brought up to a state."""
    mark, text = s.marked(text)
    return mark + _refilled(text, state, {name: STATE[name] for name in CLASSIC}, list(CLASSIC))


def show_classic(state: Checkpoint) -> str:
    """What `show state` prints: the sections of seed C, then the others that are filled."""
    parts = [f"## {name}\n" + "\n".join(STATE[name].show(state)) + "\n" for name in CLASSIC]
    for name, codec in STATE.items():
        if name not in CLASSIC and any(getattr(state, field) for field in codec.fields):
            parts.append(f"## {name}\n" + "\n".join(codec.show(state)) + "\n")
    return "# Session State\n\n" + "\n".join(parts)


def _refilled(text: str, state: Checkpoint, wanted: Mapping[str, Codec], always: list[str]) -> str:
    end = s.line_end(text)
    found, told = s.parse(s.closed(text)), read_state(text)
    for name, codec in wanted.items():
        section = s.find(found, name, ALIASES)
        if section:
            start, stop = s.content(section.body)
            if any(getattr(told, field) != getattr(state, field) for field in codec.fields):
                s.refill(section, codec.revise(section.body[start:stop], state), end)
        elif name in always or any(getattr(state, field) for field in codec.fields):
            _insert(found, s.Section(name, f"## {name}{end}", [line + end for line in [*codec.show(state), ""]]), end)
    return s.like(text, s.join(found))


def _insert(found: list[s.Section], new: s.Section, end: str) -> None:
    """A section that was missing: before the recovery path where there is one, else at the end."""
    path = s.find(found, "Recovery Path")
    at = found.index(path) if path else len(found)
    before = found[at - 1]
    lines = before.body or [before.head]
    if lines[-1].strip():
        before.body.append(end)
    found.insert(at, new)
    if not path:
        new.body.pop()


def _restamped(text: str, stamp: Mapping[str, str]) -> str:
    """Written at, trigger, session and record id in the lines that are there for them, or below the title."""
    lines, end, left = s.lines_of(text), s.line_end(text), dict(stamp)
    last = 0
    for i, line in enumerate(_head(lines)):
        found = _STAMP.match(s.unended(line))
        key = "record" if _RECORD_LINE.match(line) else found[2].casefold() if found else ""
        if key in left:
            value = left.pop(key)
            shown = f"<!-- holdfast: {value} -->" if not found else f"{found[1]}{found[2]}:{found[3]} {value}"
            lines[i] = shown + line[len(s.unended(line)) :]
        if key:
            last = i + 1
    names = {"written at": "Written at", "trigger": "Trigger", "session": "Session"}
    new = [f"**{names[key]}:** {value}{end}" for key, value in left.items() if key in names]
    if "record" in left:
        new.append(f"<!-- holdfast: {left['record']} -->{end}")
    if not last and new:
        last = _below_title(lines)
        new = [end, *new] if last else [*new, end]
    return "".join([*lines[:last], *new, *lines[last:]])


def _below_title(lines: list[str]) -> int:
    """The place below front matter and title, where a session-state file has its stamps; 0 where it has neither."""
    head = [s.unended(line) for line in _head(lines)[: _HEAD - 8]]
    front = next((i + 1 for i, line in enumerate(head) if i and line in ("---", "...")), 0) if head[:1] == ["---"] else 0
    return next((i + 1 for i, line in enumerate(head) if i >= front and line.startswith("# ")), front)


# ---- the snapshot block of seed B --------------------------------------------------------------------------------------

OPENING, CLOSING = "<!-- BIG-MEMORY-SNAPSHOT v1 -->", "<!-- /BIG-MEMORY-SNAPSHOT -->"
EIGHT: tuple[tuple[str, Codec], ...] = (
    ("Active Goal", Prose("goal")),
    ("Current State", Traits()),
    ("Files In Play", _FILES),
    ("Decisions Made", Items("decisions", "1.")),
    ("Code Context", Prose("code")),
    ("Key Names & Values", _NAMES),
    ("Blockers & Open Questions", Asked()),
    ("Next Steps", Items("next_steps", "1.")),
)
OURS: tuple[tuple[str, Codec], ...] = (
    ("Task", Prose("task")),
    ("Last Exchanges", Items("exchanges")),
    ("Unanswered", Items("unanswered")),
    ("Decisions in Flight", Items("in_flight")),
    ("Corrections", Items("corrections")),
    ("Done", Items("done")),
    ("Pending Actions", _PENDING),
    ("Timeline", Items("timeline")),
    ("Tone", Prose("tone")),
    ("Status", Prose("status")),
    ("Context", _CONTEXT),
)
_BLOCK_CODECS = dict(EIGHT + OURS)
_BLOCK_CODECS |= {"Blockers": Items("blockers"), "Open Questions": Items("questions")}  # as others write them, apart
_ALWAYS = ("Task", "Last Exchanges", "Unanswered", "Decisions in Flight", "Tone")
# Kept as texts: `re` compiles them at first use, and a one-line command never uses them.
_COMMENT = r"<!--[ \t]*(timestamp|snapshot-id|holdfast):(.*)-->\s*$"
_SESSION = r"[-*+] (.*), topic (.+?), trigger (.*)"


class Block(Value):
    """A snapshot block with what its comments say about it."""

    state: Checkpoint
    timestamp: str = ""
    snapshot_id: str = ""
    record: str = ""
    session: str = ""
    topic: str = ""
    trigger: str = ""
    source: str = ""  # `the transcript`, and behind a colon the fields that the agent or a person had set; empty: all were set


def show_block(block: Block) -> str:
    """A snapshot block, from its opening to its closing marker."""
    parts = [f"{OPENING}\n<!-- timestamp: {block.timestamp} -->\n<!-- snapshot-id: {block.snapshot_id} -->\n"]
    parts[0] += f"<!-- holdfast: {block.record} -->\n"
    for name, codec in EIGHT:
        parts.append("\n".join([f"### [SNAPSHOT] {name}", *codec.show(block.state)]) + "\n")
    parts.append(f"### [SNAPSHOT] Session\n- {block.session}, topic {block.topic or 'none'}, trigger {block.trigger}\n")
    parts[-1] += f"- from {block.source}\n" if block.source else ""
    for name, codec in OURS:
        if name in _ALWAYS or any(getattr(block.state, field) for field in codec.fields):
            parts.append("\n".join([f"### [SNAPSHOT] {name}", *codec.show(block.state)]) + "\n")
    return "\n".join(parts) + f"\n{CLOSING}\n"


def drop_repeats(text: str) -> str:
    """Return a block of ours as a day shows it: what stands in one section is not said again in another.

    The journal has the block whole. Here corrections leave out the goal and the task, the timeline leaves out what was asked
    there or in the last exchanges, and what is in flight leaves out the unanswered question.
    """
    block = read_block(text)
    state = block.state
    above = {fold(said) for said in (state.goal, state.task.partition("\n(")[0])}
    corrections = tuple(said for said in state.corrections if fold(said) not in above)
    above.update(map(fold, (*corrections, *(said.removeprefix("User: ") for said in state.exchanges))))
    timeline = tuple(line for line in state.timeline if fold(line.partition(" User: ")[2] or line) not in above)
    in_flight = tuple(said for said in state.in_flight if said not in state.unanswered)
    if (corrections, timeline, in_flight) == (state.corrections, state.timeline, state.in_flight):
        return text
    return show_block(block.replaced(state=state.replaced(corrections=corrections, timeline=timeline, in_flight=in_flight)))


def read_block(text: str, *, whole: bool = True) -> Block:
    """A snapshot block, whoever wrote it. Not whole: only what is said about it."""
    found = s.parse(text, s.snapshot_heading)
    if not any(_meant(section.name) for section in found[1:]):
        from .by_hand import heading

        found = s.parse(text, heading)
    meta: dict[str, str] = {}
    for line in found[0].body:
        comment = re.match(_COMMENT, s.bare(line).strip())
        if comment:
            meta.setdefault(comment[1], comment[2].strip())
    about = ("", "", "", "")
    for section in found[1:]:
        if _meant(section.name) == "Session":
            session = next((m for m in (re.match(_SESSION, s.bare(line)) for line in section.body) if m), None)
            source = next((s.bare(line)[7:].rstrip() for line in section.body if line.startswith("- from the transcript")), "")
            about = (session[1], "" if session[2] == "none" else session[2], session[3].rstrip(), source) if session else about
            alone = [line.strip(" -*`\r\n") for line in section.body if line.strip() and not line.startswith("<!--")]
            if session is None and len(alone) == 1 and " " not in alone[0]:
                about = (alone[0], "", "", "")  # by hand: the name and nothing else
    state = Checkpoint(**_fields(found)) if whole else EMPTY
    return Block(state, meta.get("timestamp", ""), meta.get("snapshot-id", ""), meta.get("holdfast", ""), *about)


def _meant(name: str) -> str:
    """The section of a block that a heading means, to the letter or in somebody's own words; empty where we know none."""
    if name in _BLOCK_CODECS or name == "Session":
        return name
    from .by_hand import section_name

    return section_name(name)


def _fields(found: list[s.Section]) -> dict[str, Any]:
    """What the sections of a block say. What has no place among the fields is context, under the name that it stands under; a
    block without any section that we know is one text.
    """
    fields: dict[str, Any] = {}
    more: list[tuple[str, str]] = []
    for section in found[1:]:
        body, name = [line for line in section.body if not _closes(line)], _meant(section.name)
        codec = _BLOCK_CODECS.get(name)
        if codec:
            told = codec.read(body)
            more += [(section.name, "; ".join(codec.passed_over(body)))] if isinstance(codec, Traits) else []
            more += [("phase", told["phase"])] if told.get("phase") and told["phase"] not in PHASES else []
            fields.update((k, v) for k, v in told.items() if not fields.get(k))
        elif not name:
            more.append((section.name, _text(body)))
    if not found[1:]:
        said = (line for line in found[0].body if re.search(r"\w", line))  # torn, it may be cut off in a comment, or end in zeros
        fields["status"] = _text([line for line in said if not re.match(r"\s*(<!--|```)", line)])
    more = [(key, text) for key, text in more if text and not s.is_placeholder(text)]
    return {**fields, "context": (*fields.get("context", ()), *more)} if more else fields


def _text(body: list[str]) -> str:
    start, stop = s.content(body)
    return "\n".join(s.unended(line) for line in body[start:stop])


# At the very beginning of a line: what stands indented is an item's text, and would cut its own block in two.
def _opens(line: str) -> bool:
    return "BIG-MEMORY-SNAPSHOT" in line and bool(re.match(r"<!--[ \t]*BIG-MEMORY-SNAPSHOT\b.*-->\s*$", line))


def _closes(line: str) -> bool:
    return "BIG-MEMORY-SNAPSHOT" in line and bool(re.match(r"<!--[ \t]*/[ \t]*BIG-MEMORY-SNAPSHOT\b.*-->\s*$", line))


def block_in(body: str) -> str:
    """The snapshot block in a checkpoint's body: what stands above it may speak of the marker, indented or escaped."""
    at = 0 if body.startswith(OPENING) else body.find("\n" + OPENING) + 1
    return body[at:] if at or body.startswith(OPENING) else ""


def blocks(text: str) -> list[tuple[int, str]]:
    """The snapshot blocks of a day, each with its first line's number. One that is never closed ends before the
    next, before another heading of the day, and before a note with its type.
    """
    found: list[tuple[int, str]] = []
    lines = s.lines_of(text)
    start = None
    for i, line in enumerate([*lines, None]):
        if start is not None and (line is None or _opens(line) or line.startswith("## Task Snapshot")):
            from .by_hand import without_what_follows

            found.append((start + 1, "".join(without_what_follows(lines[start:i])).rstrip().removesuffix("---")))
            start = None
        if line is None:
            break
        if start is not None and _closes(line):
            found.append((start + 1, "".join(lines[start : i + 1])))
            start = None
        elif _opens(line):
            start = i
    return found


def block_key(block: str) -> str:
    """What a block that was written by hand is known by: its lines."""
    return "block\0" + "\n".join(line.rstrip() for line in block.strip().splitlines())


# ---- the day -----------------------------------------------------------------------------------------------------------


NOTES = "## Notes"  # stands above notes that would else stand below a heading with a type


def day_with(text: str, day: str, below: str, *, tight: bool = False) -> str:
    """A day with something appended: days are only ever added to. Tight: directly below the last line of a list."""
    end = s.line_end(text)
    text = s.closed(text) if text.strip("\ufeff \r\n\t") else f"{text}# {day}{end}{end}"
    lines = text.rstrip("\r\n").rsplit("\n", 1)[-1]
    listed = tight and lines.startswith(("- ", "  "))
    if tight and _ends_below_a_type(text):
        listed, below = False, f"{NOTES}\n\n{below}"
    gap = "" if listed or text.endswith((end + end, "\n\n")) else end
    return text + gap + below.replace("\n", end)


def _ends_below_a_type(text: str) -> bool:
    """Whether the last heading of a day has a type, as `## [LESSON] …`: what is appended would be of that type too."""
    at = text.rfind("\n#") + 1
    line = text[at:].partition("\n")[0]
    return "[" in line and bool(re.match(rf"#+[ \t]+[^\[]{{0,20}}\[(?:{'|'.join(TYPES)})\]", line))


def note_lines(text: str, kind: str) -> str:
    """A note as the day has it."""
    return "\n".join(s.item_lines(f"[{kind}] {text}" if kind else text)) + "\n"


def read_note(body: str) -> tuple[str, str]:
    """(type, text) of a note as the journal has it."""
    text = next((chunk.text for chunk in s.chunks(s.lines_of(body)) if chunk.item), body.strip())
    found = re.match(r"\[([A-Z]+)\] ", text)
    return (found[1], text[found.end() :]) if found else ("", text)


def snapshot_lines(block: str, clock: str) -> str:
    """A snapshot block with the rule and the heading that stand above it in a day."""
    return f"---\n\n## Task Snapshot -- {clock}\n\n{block}"


def next_snapshot_id(text: str, day: str) -> str:
    """The next free `YYYY-MM-DD-NN` of a day."""
    taken = [int(n) for n in re.findall(rf"<!-- snapshot-id: {re.escape(day)}-(\d{{1,6}}) -->", text)]
    return f"{day}-{max(taken, default=0) + 1:02d}"


# ---- the working buffer ------------------------------------------------------------------------------------------------


def buffer_with(text: str, now: str, line: str) -> str:
    """The working buffer with a dated line more."""
    mark, text = s.marked(text)
    if not text.strip():
        text = f"# Working Buffer\ncreated: {now}\nlast_active: {now}\n\n"
    end = s.line_end(text)
    text = re.sub(r"(?m)^last_active:[^\r\n]*", lambda _: f"last_active: {now}", s.closed(text), count=1)
    return mark + text + "".join(part + end for part in s.item_lines(f"{now[:16].replace('T', ' ')} {line}"))
