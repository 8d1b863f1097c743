"""The nouns: what a working state, a note and a record are, valid once made.

A `Checkpoint` is the whole working state at one moment. Every change to it, from one `holdfast task` to a full checkpoint,
is a mapping of field names to new values (a *change*), and `Checkpoint.after(change)` is the one place that says what each
field does with it: a task is replaced, a decision is added, a context key is overwritten, a pending action is ticked.

Why no dataclasses: importing them costs as much as starting the interpreter, and these nouns are on the path of every hook
(docs/decisions/0003-lean-hot-path.md). `Value` gives the same for forty lines.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, Self, dataclass_transform
else:

    def dataclass_transform(**_kw):  # noqa: D103
        return lambda cls: cls


@dataclass_transform(frozen_default=True)
class Value:
    """A frozen value: its fields are the annotations of its class, defaults included."""

    _fields: tuple[str, ...] = ()

    def __init_subclass__(cls) -> None:
        cls._fields = tuple(cls.__annotations__)

    def __init__(self, *args: Any, **given: Any) -> None:
        if len(args) == len(self._fields) and not given:  # as upkeep makes them, by the hundred thousand
            self.__dict__.update(zip(self._fields, args, strict=True))
            self._settle(self.__dict__)
            return
        values = dict(zip(self._fields, args, strict=False))
        values.update(given)
        for name in self._fields:
            if name not in values:
                values[name] = getattr(type(self), name)
        if len(values) != len(self._fields) or len(args) > len(self._fields):
            raise TypeError(f"{type(self).__name__} has the fields {', '.join(self._fields)}")
        self.__dict__.update(values)
        self._settle(self.__dict__)

    def _settle(self, values: dict[str, Any]) -> None:
        """Bring the fields into their one valid form; a subclass says how."""

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen; use replaced({name}=…)")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash(tuple(self.__dict__[name] for name in self._fields))

    def __repr__(self) -> str:
        shown = ", ".join(f"{k}={v!r}" for k, v in self.__dict__.items() if v not in ("", ()))
        return f"{type(self).__name__}({shown})"

    def replaced(self, **given: Any) -> Self:
        """The same value with some fields changed."""
        return type(self)(**{**self.__dict__, **given})


# ---- texts -------------------------------------------------------------------------------------------------------------

PHASES = ("planning", "implementing", "debugging", "testing", "reviewing", "deploying")
TYPES = ("PREF", "PROJ", "TECH", "LESSON", "PEOPLE", "TEMP")
ANSWERED = "(answered: "  # what stands before an answer in a task, below the request that it serves
BACKGROUND = "Going on meanwhile"  # what goes on beside the talk, as context, where somebody else has said how things stand
TASK_SET = "Task as set"  # what somebody has set as the task, as context, while a later request is being worked on
FORKED = "before the fork"  # of what was asked of the agent from which this one was forked, and of what that one did
EARLIER = "(before the last request)"  # behind a field in the list of those that others have set: when that was


# How people write “there is nothing here” in the languages that we read. Only words that say nothing else: not `no`.
_NONE_WORDS = """none|keine|keiner|keines|nichts|aucun|aucune|rien|néant|ninguno|ninguna|nada|nessuno|nessuna|
    niente|nulla|nenhum|nenhuma|geen|niets|brak|нет|ничего|отсутствует|отсутствуют|немає|нема|нічого|відсутні|yok|
    لا يوجد|لا شيء|कोई नहीं|कुछ नहीं|không có|tidak ada|nihil|无|無|没有|沒有|暂无|暫無|暂时没有|暫時沒有|目前没有|目前沒有|
    暂时无|目前无|无内容|なし|無し|特になし|該当なし|ありません|없음|해당 없음|없습니다"""
_NONE = frozenset(word.strip().casefold() for word in _NONE_WORDS.split("|"))
_LONGEST_NONE = 24  # characters


def is_none(text: str) -> bool:
    """Whether a text only says that there is nothing: `none`, `无`, `keine`."""
    return len(text) <= _LONGEST_NONE and text.strip(" \t.。").casefold() in _NONE


def tidy(text: object) -> str:
    """A text as it is kept: any content, plain line ends, no blank lines around it. `none` (in any language) is empty."""
    clean = str(text)
    if "\n" in clean or "\r" in clean:
        lines = clean.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        while lines and not lines[0].strip():
            lines.pop(0)
        while lines and not lines[-1].strip():
            lines.pop()
        clean = "\n".join(lines)
    clean = clean.rstrip()
    return "" if is_none(clean) else clean


# JSON can spell half of a pair (`\ud83d`, an emoji cut in two), which no file can hold. U+DC80 to U+DCFF are something else:
# bytes that are no UTF-8, kept as they are.
LONE = "[\ud800-\udc7f\udd00-\udfff]"


def encodable(text: str) -> str:
    """The text with a replacement character for what no file can hold."""
    try:
        text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return re.sub(LONE, "\ufffd", text)
    return text


def one_line(text: object) -> str:
    """A text folded to a single line, for names, keys and paths."""
    folded = " ".join(str(text).split())
    return "" if folded.casefold() == "none" else folded


def fold(text: str, limit: int = 0) -> str:
    """A text on one line, shortened where a limit is given."""
    line = one_line(tidy(text)) or text.strip()
    return line if not limit or len(line) <= limit else beginning(line, limit - 1).rstrip() + "…"


def beginning(text: str, length: int) -> str:
    """The first so many characters of a text, or a few less: no letter loses its vowel or accent, and no joined sign its half."""
    if not text.isascii():
        from unicodedata import category

        least = max(length - 16, 0)
        while least < length < len(text) and (category(text[length])[0] == "M" or "\u200d" in text[length - 1 : length + 1]):
            length -= 1
    return text[:length]


def _texts(values: object) -> tuple[str, ...]:
    """A list field: tidy, without empties and repetitions; one text alone is a list of one."""
    if isinstance(values, str):
        values = (values,)
    found: dict[str, None] = {}
    for value in values:  # type: ignore[attr-defined]
        text = tidy(value).strip()
        if text:
            found[text] = None
    return tuple(found)


def _pairs(values: object) -> tuple[tuple[str, str], ...]:
    """A list of (name, value): the last value of a name stands, at the place of the first."""
    found: dict[str, str] = {}
    for name, value in values:  # type: ignore[attr-defined]
        if one_line(name):
            found[one_line(name)] = tidy(value).strip()
    return tuple(found.items())


def _actions(values: object) -> tuple[tuple[str, bool], ...]:
    """Pending actions: (text, ticked)."""
    found: dict[str, bool] = {}
    for text, ticked in values:  # type: ignore[attr-defined]
        if tidy(text).strip():
            found[tidy(text).strip()] = bool(ticked)
    return tuple(found.items())


def _bounded(actions: tuple[tuple[str, bool], ...]) -> tuple[tuple[str, bool], ...]:
    """Actions without the oldest of the ticked ones, as far as there are too many; what was ticked last is seen in any case."""
    ticked = [action for action in actions if action[1]]
    room = max(TICKED, ACTIONS - (len(actions) - len(ticked)))
    still_open = [action for action in actions if not action[1]]
    gone = {*ticked[: max(0, len(ticked) - room)], *still_open[: max(0, len(still_open) - OPEN)]}
    return tuple(action for action in actions if action not in gone)


def _names(values: object) -> tuple[tuple[str, str], ...]:
    """Names and values (kind, value): one kind may have several values."""
    found = {(one_line(kind) or "Name", tidy(value).strip()): None for kind, value in values}  # type: ignore[attr-defined]
    return tuple(pair for pair in found if pair[1])


PRINTED_BY = "Printed by "  # in the kind of a name: and by which command


def is_collected(kind: str) -> bool:
    """Whether names of this kind come by the dozen, from a transcript: nobody has chosen them one by one."""
    return kind in ("File", "Name") or kind.startswith(PRINTED_BY)


# ---- whether the work is blocked ---------------------------------------------------------------------------------------

_NOT_BLOCKED = frozenset((
    "no", "not blocked", "unblocked", "false", "n/a", "nein", "non", "nee", "nie", "não", "nao", "ні", "hayır", "لا",
    "नहीं", "không", "tidak", "否", "不", "不是", "没", "未阻塞", "无阻塞", "没有阻塞", "不阻塞", "未受阻",
    "いいえ", "ブロックなし", "아니요", "아니오",
))  # fmt: skip
_IS_BLOCKED = frozenset((
    "yes", "true", "blocked", "ja", "oui", "sí", "si", "sì", "sim", "tak", "да", "так", "evet", "نعم", "हाँ", "có", "ya",
    "是", "有", "阻塞", "已阻塞", "はい", "예", "네",
))  # fmt: skip
# Kept as a text: `re` compiles it at first use, and most states have nothing of it.
_BEHIND_A_VERDICT = r"\s*(?:-{2,}|[–—]+|\s-(?=\s|$)|[,;:，；：])\s*"


def _settle_blocked(text: str) -> str:
    """By what the work is blocked, of what somebody wrote: empty for `no`, whatever stands behind it (`no -- `, `no — none`);
    `yes` where nobody said by what.
    """
    said_yes = False
    while text:
        verdict, *rest = re.split(_BEHIND_A_VERDICT, text, maxsplit=1)
        plain = verdict.strip(" .。!").casefold()
        if plain in _NOT_BLOCKED or is_none(verdict):
            text = ""
        elif plain not in _IS_BLOCKED:
            return text
        else:
            said_yes, text = True, rest[0].strip() if rest else ""
    return "yes" if said_yes else ""


# ---- the checkpoint ----------------------------------------------------------------------------------------------------

TEXTS = ("goal", "status", "phase", "branch", "blocked", "progress", "task", "code", "tone")
REPLACED = ("exchanges", "unanswered", "in_flight", "questions", "next_steps")
ADDED = ("decisions", "corrections", "done", "blockers", "timeline")
PAIRED = ("files", "context")
LISTS = (*REPLACED, *ADDED, *PAIRED, "names", "pending")
MANDATORY = ("exchanges", "unanswered", "task", "in_flight", "tone")

# A list that is only ever added to would make each checkpoint longer than the last; older entries stay in the journal,
# the day and the topic, where nothing is ever dropped.
KEPT = {"decisions": 50, "corrections": 50, "done": 50, "timeline": 50, "names": 400, "files": 100}
# Of pending actions the ticked ones make room, the oldest first. One that is still open is no history: it stays, up to a number
# that is no list of anybody's any more, and the command that goes beyond it says so.
ACTIONS, TICKED, OPEN = 100, 20, 400
CODE_LINES = 50


def settled(name: str, values: object) -> tuple[Any, ...]:
    """The items of a list field in their one valid form."""
    if name in PAIRED:
        return _pairs(values)
    if name == "pending":
        return _actions(values)
    return _names(values) if name == "names" else _texts(values)


class Checkpoint(Value):
    """The working state at one moment, complete in itself."""

    goal: str = ""
    status: str = ""
    phase: str = ""
    branch: str = ""
    blocked: str = ""  # empty: not blocked; otherwise by what ("yes" where nobody said)
    progress: str = ""
    task: str = ""
    exchanges: tuple[str, ...] = ()
    unanswered: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    in_flight: tuple[str, ...] = ()
    corrections: tuple[str, ...] = ()
    files: tuple[tuple[str, str], ...] = ()  # (path, what is happening there)
    done: tuple[str, ...] = ()
    code: str = ""
    names: tuple[tuple[str, str], ...] = ()  # (kind, exact value)
    blockers: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()
    pending: tuple[tuple[str, bool], ...] = ()  # (action, ticked)
    timeline: tuple[str, ...] = ()
    tone: str = ""
    context: tuple[tuple[str, str], ...] = ()  # (key, value)

    def _settle(self, values: dict[str, Any]) -> None:
        for name in TEXTS:
            values[name] = tidy(values[name])
        for name in ("branch", "progress", "phase", "blocked"):
            values[name] = one_line(values[name])
        for name in LISTS:
            values[name] = settled(name, values[name])
        values["code"] = tidy("\n".join(values["code"].split("\n")[:CODE_LINES]))
        if values["branch"].casefold() == "n/a":
            values["branch"] = ""
        values["blocked"] = _settle_blocked(values["blocked"])
        if values["phase"] not in PHASES:
            values["phase"] = ""

    def after(self, change: Mapping[str, Any]) -> Checkpoint:
        """The state once a change has been made to it. A list that is given empty is cleared; what is not named stays."""
        new: dict[str, Any] = dict(self.__dict__)
        for name, value in change.items():
            if name in TEXTS or name in REPLACED or not value:
                new[name] = value
            else:
                new[name] = settled(name, (*new[name], *value))
            if name == "pending":
                new[name] = _bounded(new[name])
            if name in KEPT:
                new[name] = tuple(new[name])[-KEPT[name] :]
        if "task" in change and TASK_SET not in dict(change.get("context", ())):  # it was set to something else before
            new["context"] = tuple(pair for pair in new["context"] if pair[0] != TASK_SET)
        return Checkpoint(**new)

    def union(self, other: Checkpoint) -> Checkpoint:
        """Both states in one: lists joined, the other's texts where it has any. For records written without each other."""
        change = {name: getattr(other, name) for name in self._fields if getattr(other, name)}
        for name in REPLACED:
            change[name] = _texts((*getattr(self, name), *getattr(other, name)))
        return self.after(change)

    def rebased(self, before: Checkpoint, now: Checkpoint) -> Checkpoint:
        """What changed from an earlier state to this one, made to the state as it is now."""
        new: dict[str, Any] = {}
        for name in self._fields:
            mine, was, there = getattr(self, name), getattr(before, name), getattr(now, name)
            if mine == was:
                new[name] = there
            elif name in TEXTS or name in REPLACED:
                new[name] = mine
            else:
                stayed = (item for item in there if item in mine or item not in was)
                new[name] = (*stayed, *(item for item in mine if item not in was and item not in there))
        return Checkpoint(**new)

    @property
    def empty(self) -> bool:
        """Nothing is known at all."""
        return self == EMPTY


EMPTY = Checkpoint()


def match_action(state: Checkpoint, text: str) -> str | None:
    """The pending action that `done TEXT` means: the same text, else the only open one that contains it."""
    alike = actions_with(state, text)
    return alike[0] if len(alike) == 1 else None


def actions_with(state: Checkpoint, text: str) -> list[str]:
    """The open pending actions that a text may mean: the one that is the same, else all that contain it."""
    wanted = tidy(text).strip().casefold()
    still_open = [action for action, ticked in state.pending if not ticked]
    same = [action for action in still_open if action.casefold() == wanted]
    return same[:1] or [action for action in still_open if wanted in action.casefold()]


def crowded_out(state: Checkpoint, change: Mapping[str, Any]) -> list[str]:
    """The open actions for which there is no room any more after a change."""
    if not change.get("pending"):
        return []
    stayed = {action for action, _ in state.after({"pending": change["pending"]}).pending}
    named = [(action, False) for action, ticked in _actions(change["pending"]) if not ticked]
    return [action for action, ticked in dict.fromkeys((*state.pending, *named)) if not ticked and action not in stayed]


# ---- records -----------------------------------------------------------------------------------------------------------

KINDS = ("state", "note", "checkpoint", "topic", "snapshot", "restore")
STATE_KINDS = ("state", "checkpoint", "restore")  # records that set fields of the working state

TURN_END = "turn-end"  # trigger of what keeps the state current between boundaries: no day tells of it
PAUSE_MARK = "paused"  # the file in `.holdfast/` while hooks do nothing (`holdfast pause`): since when
MCP, NO_SESSION = "mcp", "default"  # the host of what a tool saved; the session where nobody has named one
LEFT = "session-left"  # trigger at the end of a session that nobody goes on from: dated by what was said in it last
AFTERWARDS = ("import", "missed-hook", LEFT)  # triggers of what was brought in from the past, dated by when it happened
TRIGGERS = ("agent", "hand", "user", "extract", "pre-compaction", "session-end", TURN_END, *AFTERWARDS)  # and what an agent says
ORIGINS = ("agent", "hand", "transcript")
TOPIC_ACTIONS = ("bind", "unbind", "rename", "log")


HOST_NAMES = {  # as people call them
    "claude-code": "Claude Code", "codex": "Codex", "gemini": "Gemini CLI", "opencode": "opencode", "openclaw": "OpenClaw",
}  # fmt: skip


class Record(Value):
    """What the journal holds: one thing that was acknowledged, in words, with a header that says where it came from."""

    id: str
    kind: str
    session: str
    time: str  # wall clock, ISO with offset
    body: str
    topic: str = ""
    host: str = "cli"
    origin: str = "agent"
    trigger: str = "agent"
    after: str = ""  # the newest id that the documents had when it was composed
    version: int = 1

    @property
    def ends_a_turn(self) -> bool:
        """Saved at the end of a turn, so that whatever comes next loses at most the turn under way. The next one replaces it."""
        return self.origin == "transcript" and self.trigger == TURN_END

    @property
    def binds(self) -> bool:
        """Whether its session is bound to its topic. A tool that was called without a session speaks for none in particular."""
        return (self.host, self.session) != (MCP, NO_SESSION)

    @property
    def is_past(self) -> bool:
        """Brought in from a transcript afterwards. The trigger alone does not say so: that is whatever word an agent gave."""
        return self.origin == "transcript" and self.trigger in AFTERWARDS


def step_back(newest_first: Iterable[Record], back: int) -> Record | None:
    """The newest of some checkpoints, or the one `back` steps before it. A turn's end is no step, unless it is the newest; and
    then it is one with the checkpoint before it, as long as the same is being worked on.
    """
    newest = None
    may_be_one = False  # whether the next checkpoint may be one with the newest
    for record in newest_first:
        if newest is None:
            newest, may_be_one = record, record.ends_a_turn
        elif record.ends_a_turn:
            continue
        elif may_be_one and _task_in(record) == _task_in(newest):
            may_be_one = False
            continue
        else:
            may_be_one = False
            back -= 1
        if not back:
            return record
    return None


def _task_in(record: Record) -> str:
    """The task in the snapshot block of a checkpoint."""
    return record.body.partition("\n### [SNAPSHOT] Task\n")[2].partition("\n\n### ")[0]


class Note(Value):
    """One remembered fact or occurrence."""

    text: str
    type: str = ""

    def _settle(self, values: dict[str, Any]) -> None:
        values["text"] = tidy(values["text"]).strip() or str(values["text"]).strip()


# ---- names that become file names --------------------------------------------------------------------------------------

SESSION_MAX = 300
SLUG_CHARACTERS, SLUG_BYTES = 80, 120


def session_key(name: object) -> str:
    """A session's name as the host gave it, on one line; of one that is too long the beginning, and a digest of it all, so that
    no two are taken for one.
    """
    key = "".join(c for c in one_line(name) if c.isprintable())
    if len(key) <= SESSION_MAX:
        return key or "default"
    from hashlib import blake2b

    return f"{key[: SESSION_MAX - 9]}-{blake2b(key.encode('utf-8', 'surrogateescape'), digest_size=4).hexdigest()}"


# OpenClaw names its sessions `agent:<agent>:<rest>`; what many people read has a word for it and its id in the rest. Other kinds
# of its keys (`hook:<id>`, and what it wrote before it had agents) have a colon too. Coding agents give ids without one.
_AGENT = re.compile(r"agent:[^:]+:")
_ROOM = re.compile(r"(?:^|:)(?:group|supergroup|channel|room|guild|space|forum):")
_PEER = re.compile(r"(?:^|:)(?:direct|dm):")


def is_gateway_session(session: str) -> bool:
    """Return whether a session is one of OpenClaw's, which serves many people and places from one workspace."""
    return ":" in session


def is_room(session: str) -> bool:
    """Return whether several people read a session: a group or a channel. What is private must not be told there."""
    return _ROOM.search(_AGENT.sub("", session, count=1)) is not None


def is_owners_session(session: str) -> bool:
    """Return whether a session is surely the owner's: at a terminal, of a coding agent, or an agent's own. A direct chat that
    is kept apart by its peer may be with somebody else.
    """
    return not is_room(session) and _PEER.search(session) is None


def _composed(name: str) -> str:
    """One form for names that look the same; most are plain, and those cost no import."""
    if name.isascii():
        return name
    import unicodedata

    return unicodedata.normalize("NFC", name)


def _is_mark(character: str) -> bool:
    """Combining marks are not alphanumeric, but without them words of Indic scripts and Thai fall apart."""
    if character.isascii():
        return False
    import unicodedata

    return unicodedata.category(character)[0] == "M"


def slug(name: str) -> str:
    """A name made safe as a file name: letters and digits of every script stay, all else becomes `-`.

    `/`, `..`, NUL, control and bidirectional characters are all "else", so no name can leave its folder.
    """
    kept = [c if c.isalnum() or c == "_" or _is_mark(c) else "-" for c in _composed(name)]
    out = "-".join(part for part in "".join(kept).split("-") if part)[:SLUG_CHARACTERS]
    while len(out.encode("utf-8", "surrogateescape")) > SLUG_BYTES:
        out = out[:-1]
    return out.strip("-")
