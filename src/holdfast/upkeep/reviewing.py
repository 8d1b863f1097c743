"""The weekly review: what the past seven days decided, learnt and left open, brought to where it lasts. Pure.

Decisions stand in the blocks of the days, which the journal owns, and in lines that people and agents write by hand
(documents/statements.py): they are copied, with the day. Lessons are entries and are moved, with a reference left behind; what a
`Signal:` line says was learnt is copied. What was noted as friction more than once has become a lesson. Questions that the newest
block leaves unanswered, and what the newest day leaves open, stand among the open questions of MEMORY.md, where its owner keeps
such a section, up to five, until nobody asks them any more. At last the day of the review is put where MEMORY.md says how fresh
it is.

What is copied stays where it came from. So it is remembered that it was at home once: deleted there, it is not brought again.
"""

from __future__ import annotations

from ..documents import markdown
from ..documents import sections as s
from ..documents.days import days_before, entries, is_correction
from ..documents.statements import Statements, statements_of
from ..guard.entering import redacted
from ..model import Value, fold
from .deciding import is_decision
from .freshness import broken_links, redate
from .homes import HOMES, MEMORY, PLACES, Fact, known, meaning, settled
from .promoting import Homecoming, may_go
from .tidying import BUFFER, open_elsewhere, set_by_commands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from ..config import Config
    from ..model import Checkpoint
    from .plan import Change, View

WEEK, QUESTIONS = 7, 5
_FRICTION = "#friction:"


def review(view: View, config: Config) -> Iterator[Change]:
    """What of the past week goes to where it lasts."""
    if not view.is_whole(*PLACES):
        return
    since = days_before(view.there.today, WEEK)
    week = [(day, path) for day, path in view.days() if since <= day <= view.there.today]
    decided = _decisions(view, since)
    earlier = {said: fact for said, fact in decided.items() if fact.days[0] < since}
    for facts, what in (
        (earlier, "decided earlier, and said again this week"),
        ({said: fact for said, fact in decided.items() if said not in earlier}, "decided this week"),
    ):
        if settled_now := _settle_facts(view, "DECISION", facts, what):
            yield settled_now
    yield from _lessons(view, config, [(day, path) for day, path in week if day < view.there.today])
    rubbed = _settle_facts(view, "LESSON", _frictions(view, since), "friction that recurs")
    if rubbed:
        yield rubbed
    learnt = _settle_facts(view, "LESSON", _signals(view, week, since), "learnt this week")
    if learnt:
        yield learnt
    asked = _asked(view, week)
    if asked:
        yield asked
    fresh = _freshness(view)
    if fresh:
        yield fresh


def _states(view: View, path: str) -> list[Checkpoint]:
    return [markdown.read_block(block).state for _, block in markdown.blocks(view.text(path) or "")]


def _decisions(view: View, since: str) -> dict[str, Fact]:
    """What was said since a day to be decided, in blocks, by commands and in lines by hand, each with the days that say so.

    Of the blocks the first one counts: a session that lasts for weeks has the decision in all that follow.
    """
    found: dict[str, Fact] = {}
    news: set[str] = set()
    carried = [(day, text, True) for day, path in view.days() for state in _states(view, path) for text in state.decisions]
    told = [(day, what, False) for day, verb, what in set_by_commands(view) if verb == "decide"]
    known_already = _said_elsewhere(view, "decisions")
    by_hand = [(day, text, False) for day, path in view.days() for text in _statements(view, path).decisions]
    whole = {meaning(text) for _, text, _ in by_hand if not text.endswith("…")}
    by_hand = [one for one in by_hand if not (one[1].endswith("…") and _is_said(one[1], whole))]
    told += [one for one in by_hand if not _is_said(one[1], known_already)]
    for day, text, is_carried in sorted((*carried, *told), key=lambda one: one[0]):
        said = meaning(text)
        if day <= view.there.today and is_decision(text):
            before = found.setdefault(said, Fact("DECISION", text, (day,)))
            if not is_carried and day not in before.days:
                found[said] = before.replaced(days=(*before.days, day))
            news |= {said} if day >= since else set()
    return {said: fact for said, fact in found.items() if said in news}


def _frictions(view: View, since: str) -> dict[str, Fact]:
    """What took too long more than once, and again since a day: it need not come back within the same week."""
    found: dict[str, list[tuple[str, str]]] = {}
    for day, path in [*view.days(), (view.there.today, BUFFER)]:
        for entry in entries(view.text(path) or "") if day <= view.there.today else ():
            what = entry.text.partition(_FRICTION)[2].strip()
            if what and not entry.is_reference:
                found.setdefault(meaning(what), []).append((day, what))
    often = {said: seen for said, seen in found.items() if len(seen) > 1 and seen[-1][0] >= since}
    return {said: Fact("LESSON", seen[-1][1], tuple(dict.fromkeys(day for day, _ in seen))) for said, seen in often.items()}


# ---- what days say by hand ---------------------------------------------------------------------------------------------


def _statements(view: View, path: str) -> Statements:
    return statements_of(view.text(path) or "")


def _said_elsewhere(view: View, what: str) -> set[str]:
    """Meanings of the decisions or signals that blocks, commands and notes say, and of what is at home. A closure block that
    upkeep wrote repeats these.
    """
    texts = [said for _, verb, said in set_by_commands(view) if verb == "decide" and what == "decisions"]
    for _, path in view.days():
        for state in _states(view, path):
            texts += state.decisions if what == "decisions" else state.corrections
        if what == "signals":
            noted = [entry for entry in entries(view.text(path) or "") if entry.type == "LESSON"]
            texts += [entry.text.partition(": ")[2] if entry.is_reference else entry.text for entry in noted]
            texts += [entry.summary for entry in noted]
    return {meaning(fold(text).rstrip("…")) for text in texts} | set(known(view))


def _is_said(text: str, said: Collection[str]) -> bool:
    """Whether a text, or the whole of one that was cut off, is among meanings."""
    sought = meaning(text.rstrip("…"))
    return sought in said or (text.endswith("…") and any(one.startswith(sought) for one in said))


def _signals(view: View, week: list[tuple[str, str]], since: str) -> dict[str, Fact]:
    """What the days of a week say that they have learnt, and the corrections among the decisions, each by its first day."""
    said = _said_elsewhere(view, "signals")
    found: dict[str, Fact] = {}
    told = [(day, text) for day, verb, text in set_by_commands(view) if verb == "decide"]
    told += [(day, text) for day, path in week for state in _states(view, path) for text in state.decisions]
    for day, text in sorted(told, key=lambda one: one[0]):
        if is_correction(text) and since <= day <= view.there.today:
            found.setdefault(meaning(text), Fact("LESSON", text, (day,)))
    for day, path in week:
        for text in _statements(view, path).signals:
            if not _is_said(text, said):
                found.setdefault(meaning(text), Fact("LESSON", text, (day,)))
    return found


class OpenPoints(Value):
    """What days say by hand that is still open."""

    newest: str  # the newest day that says anything of it
    since: dict[str, str]  # each point, and the first of the days in a row that have it
    over: set[str]  # meanings of what was open once, and is not any more
    said: set[str]  # meanings of all that the newest of these days says is open


def _open_points(view: View) -> OpenPoints:
    """What the newest `Open:` line says, and what earlier ones said that it does not."""
    elsewhere = open_elsewhere(view)
    newest, since, over, said = "", dict[str, str](), set[str](), set[str]()
    for day, path in view.days():
        left = _statements(view, path).open
        if left is not None and day <= view.there.today:
            first = {meaning(one): begun for one, begun in since.items()}
            over |= set(first)
            whole = [next((old for old in since if _is_said(one, [meaning(old)])), one) for one in left]
            points = [one for one in whole if not _is_said(one, elsewhere)]
            newest, since = day, {one: first.get(meaning(one), day) for one in points}
            over -= {meaning(one) for one in points}
            said = {meaning(one) for one in whole}
    return OpenPoints(newest, since, over, said)


def _freshness(view: View) -> Change | None:
    """The day of the review, where MEMORY.md says how fresh it is; not where its links lead nowhere."""
    text = view.text(MEMORY) or ""
    if broken_links(view):
        return None
    fresh = redate(text, view.there.today)
    return view.change("fresh", f"{MEMORY} was looked through", {MEMORY: fresh}) if fresh != text else None


# ---- bringing it home --------------------------------------------------------------------------------------------------


def _settle_facts(view: View, kind: str, facts: dict[str, Fact], what: str) -> Change | None:
    """Facts that are not at home yet, in the file of their kind."""
    at_home = known(view)
    new = [fact for said, fact in facts.items() if said not in at_home and _is_news(view, said, fact.text)]
    if not new:
        return None
    home = HOMES[kind][0]
    done = settled({path: view.text(path) for path in (MEMORY, home)}, home, new, view.there.today)
    reason = "; ".join([f"{what}: {fold('; '.join(fact.text for fact in new), 160)} → {home}", *done.said])
    there = [said for said, fact in facts.items() if said in at_home or fact in new]
    return view.change("review", reason, done.texts, at_home=there)


def _is_news(view: View, said: str, text: str) -> bool:
    """Whether a text may go home, and no review has brought it there before."""
    return not view.was_at_home(said) and redacted(text)[0] == text


def _lessons(view: View, config: Config, week: list[tuple[str, str]]) -> Iterator[Change]:
    """The lessons of the days that are over, brought home."""
    coming = Homecoming(view, config)
    edits: dict[str, str | None] = {}
    for day, path in week:
        text = view.text(path) or ""
        found = [entry for entry in entries(text) if entry.type == "LESSON" and may_go(entry)]
        if found:
            edits[path] = coming.take(day, text, found)
    homes, said = coming.edits()
    if edits:
        yield view.change("review", "learnt this week: " + "; ".join(said or ["at home already"]), {**homes, **edits})


def _asked(view: View, week: list[tuple[str, str]]) -> Change | None:
    """What is unanswered, with its day, among the open questions; none beyond five, and none where MEMORY.md has no such section.
    What a review has put there goes again once nobody asks it any more.
    """
    text = view.text(MEMORY) or ""
    sections = s.parse(s.closed(text))
    section = s.find(sections, "Open Questions")
    states = [(day, state) for day, path in week for state in _states(view, path)]
    by_hand = _open_points(view)
    if section is None or not (states or by_hand.newest):
        return None
    start, stop = s.content(section.body)
    chunks = s.chunks([line for line in section.body[start:stop] if not s.is_placeholder(line)])
    asked = _still_asked(view)
    no_more = {one for one, day in _asked_no_more(view).items() if by_hand.newest < day or one not in by_hand.said}
    over = {one for one in no_more | by_hand.over if not _is_asked_again(one, asked | by_hand.said - no_more)}
    gone = [c for c in chunks if c.item and meaning(c.text) in over and view.was_at_home(_question(c.text))]
    kept = [chunk for chunk in chunks if chunk not in gone]
    there = [chunk.text for chunk in kept if chunk.item]
    told = {meaning(one) for one in there}
    open_ = {fold(text): day for day, state in states[-1:] for text in (*state.unanswered, *state.questions)}
    if by_hand.newest >= days_before(view.there.today, WEEK):
        open_ |= {fold(text): day for text, day in by_hand.since.items()}
    new = [one for one in open_ if not _is_asked_again(meaning(one), told) and _is_news(view, _question(one), one)]
    new = new[: max(0, QUESTIONS - len(there))]
    if not new and not gone:
        return None
    end = s.line_end(text)
    body = [line for chunk in kept for line in chunk.lines] + [f"- {one} (from {open_[one]}){end}" for one in new]
    s.refill(section, body, end)
    changed = s.like(text, s.join(sections))
    while changed.endswith(end + end) and not text.endswith(end + end):
        changed = changed.removesuffix(end)
    said = [f"left open this week: {fold('; '.join(new), 160)} → {MEMORY}"] if new else []
    said += [f"no longer open: {fold('; '.join(chunk.text for chunk in gone), 160)}"] if gone else []
    return view.change("review", "; ".join(said), {MEMORY: changed}, at_home=map(_question, [*new, *there]))


def _asked_no_more(view: View) -> dict[str, str]:
    """What a session has asked and, by the newest of its blocks, asks no more, with the day of that block. One that was left
    with its question still asks.
    """
    askers: dict[str, set[str]] = {}
    newest: dict[str, tuple[str, set[str]]] = {}
    for day, session, state in _blocks(view):
        newest[session] = day, _questions_of(state)
        for one in newest[session][1]:
            askers.setdefault(one, set()).add(session)
    still = set().union(*(questions for _, questions in newest.values()))
    return {one: max(newest[session][0] for session in by) for one, by in askers.items() if one not in still}


def _still_asked(view: View) -> set[str]:
    """Meanings of what the newest block of each session asks or has to do, and of what commands have put down to be done."""
    newest = {session: state for _, session, state in _blocks(view)}
    found = set().union(*map(_questions_of, newest.values()))
    found |= {meaning(fold(text)) for state in newest.values() for text, done in state.pending if not done}
    ticked = {meaning(text) for _, verb, text in set_by_commands(view) if verb == "done"}
    put_down = {meaning(text) for _, verb, text in set_by_commands(view) if verb == "pending"}
    return found | put_down - ticked


def _blocks(view: View) -> Iterator[tuple[str, str, Checkpoint]]:
    """(day, session, state) of every block, in the order of the days."""
    for day, path in view.days():
        for _, text in markdown.blocks(view.text(path) or ""):
            block = markdown.read_block(text)
            yield day, block.session, block.state


def _questions_of(state: Checkpoint) -> set[str]:
    return {meaning(fold(one)) for one in (*state.unanswered, *state.questions)}


def _is_asked_again(said: str, asked: Collection[str]) -> bool:
    """Whether one of the questions is this one, or has all its words or no others: “still open: which disk?”."""
    words = set(said.split())
    for one in asked:
        others = set(one.split())
        if one == said or (min(len(words), len(others)) > 1 and (words <= others or others <= words)):
            return True
    return False


def _question(text: str) -> str:
    """What a question says, told apart from a decision in the same words."""
    return f"? {meaning(text)}"
