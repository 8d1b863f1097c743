"""The health check: is what is remembered whole, and is it in order? Pure: what was found + settings → findings.

Two levels. *Integrity*: something cannot be read or believed; then the brief says so, and no complex question is to be answered
from memory until it is mended. *Order*: something wants doing, from a missing tag to a buffer that is too long. Each finding says
what is wrong, where, and the command that mends it. The nine invariants of seed D come first, in its order; then ours.
"""

from __future__ import annotations

import re

from ..documents import sections as s
from ..documents.days import day_of, days_before, entries, is_closed
from ..model import Value, fold
from .archiving import lying_beside
from .freshness import broken_links, freshness
from .homes import MEMORY, homes, items, meaning, settings, subject
from .plan import View
from .tidying import BUFFER, IDLE_DAYS, buffer_lines, idle_since

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..config import Config
    from .plan import There

VERIFIED_DAYS, OPEN_QUESTIONS, DAY_FILES, MEMORY_HARD = 30, 5, 50, 200
UPKEEP = "holdfast upkeep"
ROOM = 100 << 20  # bytes that should be free on the disk
# The five groups of seed D whole, then general words beside them; `tags` in the settings adds to both.
VOCABULARY = {
    "infrastructure": "tailscale tailnet docker synapse matrix coturn qdrant ubuntu systemd ufw fail2ban samba ssh networking "
    "gateway pm2 kubernetes database linux storage server cloud ports services",
    "preferences": "rules style workflow memory habits",
    "projects": "audit skills security review decisions people",
    "procedural": "deepseek puppeteer benchmark troubleshooting tasks checklist backup diagnostics deploy build test",
    "lessons": "postmortem errors fixes anti-patterns friction",
}
_TAGS = re.compile(r"(?i)#[ \t]?tags:(.*)")
_SECRETS = "no secret in a document"
SAVING = "records can be saved"


class Facts(Value):
    """What health knows besides the documents that upkeep reads."""

    damaged: tuple[str, ...] = ()  # records of the journal that cannot be believed
    waiting: tuple[str, ...] = ()  # records that the documents still lack
    torn: tuple[str, ...] = ()  # documents that cannot be read, end in zero bytes or have lost their end
    unbound: tuple[str, ...] = ()  # sessions bound to a topic that has no file
    state_written: str = ""  # when session-state.md was written, where it has a task in it
    secrets: tuple[str, ...] | None = ()  # path:line (kind) of secrets in documents; None: they were not looked for
    index_broken: bool = False
    free: int = ROOM  # bytes on the disk
    sizes: tuple[tuple[str, int], ...] = ()  # (what, bytes)
    records: int = 0
    in_the_way: tuple[str, ...] = ()  # what stands where records go, so that none can be saved
    conflicts: tuple[str, ...] = ()  # merges that nobody has finished, and copies that a sync has made of documents


class Finding(Value):
    """The verdict of one check."""

    check: str
    where: tuple[str, ...] = ()  # what is wrong, thing by thing; none: it is well
    mend: str = ""
    integrity: bool = False

    @property
    def upkeep_mends(self) -> bool:
        """Whether upkeep does what is wanting by itself."""
        return self.mend.startswith(UPKEEP)

    @property
    def ok(self) -> bool:
        """Whether nothing is wanting."""
        return not self.where


def findings(there: There, facts: Facts, config: Config) -> list[Finding]:
    """Every check with its verdict."""
    view = View(there)
    by_hand = "edit the file"

    def made(check: str, where: Iterable[str], mend: str, *, integrity: bool = False) -> Finding:
        return Finding(check, tuple(where), mend, integrity)

    found = [
        made("tags on line 2", _untagged(view), "write `#tags: a, b` as the second line"),
        made("tags of the vocabulary", _unknown_tags(view, config), f"{by_hand}, or add the tag to `tags` in the settings"),
        made(f"verified within {VERIFIED_DAYS} days", _unverified(view), "read the file and set `last_verified:` to today"),
        made(f"buffer within {config.bufferLines} lines", _long_buffer(view, config), f"{UPKEEP} rotate"),
        made(f"at most {OPEN_QUESTIONS} open questions", _questions(view), f"settle some, and {by_hand}"),
        made("days that are over are closed", _open_days(view, config), UPKEEP),
        made("links of decisions", broken_links(view), by_hand),
        made(f"at most {DAY_FILES} days outside the archive", _many_days(view), f"{UPKEEP} archive"),
        made("no orphaned entries in the buffer", _orphaned(view), UPKEEP),
        made(SAVING, facts.in_the_way, "move it away, bring the real one back, or make it writable; until then nothing is saved",
             integrity=True),
        made("records can be read", facts.damaged, "the day's file has the second copy: `holdfast show DAY`", integrity=True),
        made("documents can be read", [*_unread(there), *facts.torn], "mend it or move it away; the journal has the second copy",
             integrity=True),
        made("documents have every record", facts.waiting,
             "`holdfast init` puts them in, and shows how many first; after a crash any writing command does"),
        made("no conflict left open", facts.conflicts, f"{by_hand}: bring both sides together, and remove the marks or the copy"),
        made("one home for each fact", _twice(view), f"{UPKEEP} promote, or take one of the two out"),
        made("one value for each thing", _contradictions(view), f"{by_hand}: strike the one that is over"),
        made(f"MEMORY.md within {MEMORY_HARD} lines", _long_memory(view), "move what is not for every session to its file"),
        made("bindings lead to a topic", facts.unbound, "holdfast topic unbind --session KEY, or a checkpoint with --topic"),
        made(_SECRETS, facts.secrets or (),
             "take it out by hand or with `holdfast forget -`, and change the secret: it has been readable"),
        made("session state is of this week", _idle_state(there, facts), "holdfast task none, or a checkpoint"),
        made("days within their time", _late_days(view, config), UPKEEP),
        made("days are in one folder", _strayed_days(view), f"{UPKEEP}: it brings them into the folder of the days"),
        made("every setting can be used", config.wrong, "mend the setting; until then it does not count, and upkeep waits"),
        made("index is whole", ["index.sqlite"] if facts.index_broken else [], "the next search builds it anew"),
        made("room on the disk", [f"{facts.free >> 20} MB free"] if facts.free < ROOM else [], "free some space"),
    ]  # fmt: skip
    return [finding for finding in found if finding.check != _SECRETS or facts.secrets is not None]


# ---- the nine invariants of seed D -------------------------------------------------------------------------------------


def _head(view: View, path: str) -> list[str]:
    return [s.bare(line) for line in s.lines_of(view.text(path) or "")[:8]]


def _untagged(view: View) -> list[str]:
    """Files without tags. By its tags a file is found; MEMORY.md is in every session and need not be."""
    return [path for path in homes(view) if path != MEMORY and not _TAGS.match([*_head(view, path), "", ""][1])]


def _unknown_tags(view: View, config: Config) -> list[str]:
    known = {word for group, words in VOCABULARY.items() for word in (group, *words.split())}
    known |= set(re.split(r"[\s,;]+", config.tags.casefold()))
    found = []
    for path in homes(view):
        line = next(filter(None, map(_TAGS.match, _head(view, path))), None)
        tags = re.split(r"[\s,;]+", line[1].replace("#", " ").strip("[] \t")) if line else []
        found += [f"{path}: {tag}" for tag in tags if tag and tag.casefold() not in known]
    return found


def _unverified(view: View) -> list[str]:
    """Files that do not say when they were verified, or say a day too long ago. MEMORY.md need not say it."""
    oldest = days_before(view.there.today, VERIFIED_DAYS)
    found = []
    for path in homes(view):
        day = freshness(view.text(path) or "")
        if not day and path != MEMORY:
            found.append(f"{path}: no last_verified")
        elif day and day < oldest:
            found.append(f"{path}: {day}")
    return found


def _long_buffer(view: View, config: Config) -> list[str]:
    lines = (view.text(BUFFER) or "").count("\n")
    task = view.there.under_way  # then rotating waits, and whoever is told to rotate should know it
    waits = f"; it waits while “{task}” is under way" if task else ""
    return [f"{BUFFER}: {lines} lines{waits}"] if lines > config.bufferLines else []


def _questions(view: View) -> list[str]:
    section = s.find(s.parse(view.text(MEMORY) or ""), "Open Questions")
    open_ = [c.text for c in s.chunks(section.body) if c.item and not s.is_placeholder(c.text)] if section else []
    return [f"{MEMORY}: {len(open_)} of them"] if len(open_) > OPEN_QUESTIONS else []


def _open_days(view: View, config: Config) -> list[str]:
    oldest = days_before(view.there.today, config.archiveDays)
    beside = lying_beside(view)  # a check of their own names them
    days = [one for one in view.days() if one not in beside]
    over = [(path, view.text(path) or "") for day, path in days if oldest <= day < view.there.today]
    return [path for path, text in over if text.strip() and not is_closed(text)]


def _many_days(view: View) -> list[str]:
    return [f"{view.there.days}: {len(view.days())} days"] if len(view.days()) > DAY_FILES else []


def _orphaned(view: View) -> list[str]:
    """Lines in a buffer that nobody has touched for a week: work that was begun and neither finished nor put away."""
    since = idle_since(view)
    lines = len(buffer_lines(view.text(BUFFER) or "")[1])
    return [f"{BUFFER}: {_count(lines, 'line')} since {since}"] if since else []


# ---- ours --------------------------------------------------------------------------------------------------------------


def _unread(there: There) -> list[str]:
    return [f"{path}: {why}" for path, why in there.unread]


def _facts(view: View) -> Iterable[tuple[str, str]]:
    for path in homes(view):
        for item in items(view.text(path) or ""):
            yield path, item


def _twice(view: View) -> list[str]:
    """The same fact in two homes, or twice in one."""
    seen: dict[str, list[str]] = {}
    for path, item in _facts(view):
        seen.setdefault(meaning(item), []).append(path)
    return [f"“{fold(said, 60)}”: {', '.join(paths)}" for said, paths in seen.items() if len(paths) > 1 and len(said.split()) > 1]


def _contradictions(view: View) -> list[str]:
    seen: dict[str, dict[str, str]] = {}
    for path in homes(view):
        for item in items(settings(path, view.text(path) or "")):
            about, says = subject(item)
            if about:
                seen.setdefault(about, {}).setdefault(says, f"{fold(says, 40)} ({path})")
    return [f"{about}: {', '.join(said.values())}" for about, said in seen.items() if len(said) > 1]


def _long_memory(view: View) -> list[str]:
    lines = (view.text(MEMORY) or "").count("\n")
    return [f"{MEMORY}: {lines} lines"] if lines > MEMORY_HARD else []


def _idle_state(there: There, facts: Facts) -> list[str]:
    day = facts.state_written[:10]
    idle = day_of(day) and day < days_before(there.today, IDLE_DAYS)
    return [f"memory/session-state.md: a task since {day}"] if idle else []


def _late_days(view: View, config: Config) -> list[str]:
    """Days that should be in the archive; a few may wait for the next run, a week of them tells that upkeep does not run."""
    oldest = days_before(view.there.today, config.archiveDays)
    late = [day for day, _ in view.days() if day < oldest]
    waits_long = late and late[0] < days_before(view.there.today, config.archiveDays + IDLE_DAYS)
    return [f"{view.there.days}: {_count(len(late), 'day')} older than {config.archiveDays} days"] if waits_long else []


def _strayed_days(view: View) -> list[str]:
    """Days that are over and lie in `memory/`, where the others are in `memory/episodic/`: OpenClaw's flush writes there."""
    beside = [path for day, path in lying_beside(view) if day < view.there.today]
    return [f"{path}: the days are in {view.there.days}" for path in beside]


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


# ---- figures -----------------------------------------------------------------------------------------------------------


def tokens(text: str) -> int:
    """An estimate of the tokens of a text: a third of its bytes, rounded up."""
    return -(-len(text.encode("utf-8", "surrogateescape")) // 3)


def figures(there: There, facts: Facts, loaded: dict[str, str]) -> dict[str, object]:
    """Counts, sizes and what is loaded each session."""
    view = View(there)
    noted = [entry for _, path in view.days() for entry in entries(view.text(path) or "")]
    by_type: dict[str, int] = {}
    for entry in noted:
        by_type[entry.type or "untyped"] = by_type.get(entry.type or "untyped", 0) + 1
    archived = {*view.below("memory/archive"), *there.packed}
    estimate = {name: tokens(text) for name, text in loaded.items() if text}
    return {
        "days": len(view.days()),
        "archived": len(archived),
        "records": facts.records,
        "notes": by_type,
        "sizes": dict(facts.sizes),
        "tokens": {**estimate, "total": sum(estimate.values())},
    }
