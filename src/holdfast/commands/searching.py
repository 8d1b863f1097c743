"""The shells of `holdfast search` and `holdfast tags`. Apart from the other commands, whose imports a search does not need."""

from __future__ import annotations

import os
import time

from .. import cli
from ..errors import UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..cli import Words
    from ..memory import Memory
    from ..recall.answering import Result
    from ..recall.hits import Hit

_IN_ROOM = 5  # times as many are looked through in a room, where most may not be shown
SHOWN = 240  # characters of a passage on a terminal
_NAMED = 3  # further files that say the same, by their names
MARKED = 12  # words of a question, and places of each, that are looked for in a long passage to show its best part


def run_search(words: Words, env: Mapping[str, str]) -> int:
    """Find it again."""
    from ..guard.entering import data_without_secrets

    result = found(words, env)
    if not result.hits:
        from .other import tell_of_untrusted

        tell_of_untrusted(cli.workspace_of(words, env), env)
    if words.has("json"):
        from ..recall.answering import as_data

        print(cli.in_json(data_without_secrets(as_data(result))))
    else:
        print(told(result, words.text("what to look for")))
    return 0


def found(words: Words, env: Mapping[str, str]) -> Result:
    """What the words ask for. What is from another session says so; in a room it is not shown."""
    from ..config import read_config
    from ..model import NO_SESSION, is_room
    from ..recall.answering import search

    question = words.text("what to look for")
    kind, since = words.one("type").upper(), words.one("since")
    _checked(kind, since)
    workspace, session = cli.workspace_of(words, env), cli.session_of(words, env)
    limit, room = words.number("limit", 10, 1), is_room(session)
    config = read_config(workspace, env)
    cli.warn_of_settings(config)
    result = search(
        workspace, question, config, time.time(),
        limit=limit * _IN_ROOM if room else limit, kind=kind, topic=words.one("topic"), since=_day(since) if since else "",
        transcripts=_sessions(env) if words.has("transcripts") and not room else (),
    )  # fmt: skip
    if not result.hits or session == NO_SESSION:  # at a terminal no session asks, and none is another one
        return result
    memory = cli.opened(words, env, write=False)
    try:
        return _for_room(result, memory, session, limit) if room else _with_origins(result, memory, session)
    finally:
        memory.close()


def _with_origins(result: Result, memory: Memory, session: str) -> Result:
    """Return a result in which each passage of another session says whose it is."""
    said = [hit.replaced(session=memory.attribution.other_owner_of(hit, session)) for hit in result.hits]
    return result.replaced(hits=tuple(said))


def _for_room(result: Result, memory: Memory, session: str, limit: int) -> Result:
    """Return what a room may read: what was said in it. Of the rest it is told that there is some, and where."""
    own = tuple(hit for hit in result.hits if memory.attribution.is_said_in(hit, session))
    left = len(result.hits) - len(own)
    if not left:
        return result.replaced(hits=own[:limit])
    passages = "1 passage is" if left == 1 else f"{left} passages are"
    note = f"{passages} from the owner's notes or other conversations, and not shown in a group or channel. Ask in a direct chat."
    return result.replaced(hits=own[:limit], instead=result.instead if own else "", note=note)


def _checked(kind: str, since: str) -> None:
    from ..model import TYPES

    if kind and kind not in TYPES:
        raise UserError(f"There is no type {kind}; the types are {', '.join(TYPES)}. Nothing was searched.")
    if since and not _day(since):
        such = "2026-11-15, yesterday, monday, last week, 14d or 2w"
        raise UserError(f"--since takes a day such as {such}, not {since!r}. Nothing was searched.")


_DAYS_AGO = {"today": 0, "今天": 0, "今日": 0, "yesterday": 1, "昨天": 1, "昨日": 1, "前天": 2, "大前天": 3}
_UNITS = {"d": 1, "day": 1, "days": 1, "天": 1, "日": 1, "w": 7, "week": 7, "weeks": 7, "周": 7, "星期": 7, "个星期": 7}
_WEEKDAYS = (("mon", "一"), ("tue", "二"), ("wed", "三"), ("thu", "四"), ("fri", "五"), ("sat", "六"), ("sun", "日天"))
_FULL = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_THIS_WEEK, _LAST_WEEK = ("this week", "本周", "这周", "这个星期"), ("last week", "上周", "上星期", "上个星期")
_THIS_MONTH, _LAST_MONTH = ("this month", "本月", "这个月"), ("last month", "上月", "上个月")


def _day(since: str) -> str:
    """The day from which on; empty where none is meant. A weekday is the last that there was, a week begins on its Monday."""
    text, now = " ".join(since.casefold().split()), time.localtime()
    if text in _THIS_MONTH or text in _LAST_MONTH:
        return _noon(now.tm_year, now.tm_mon - (text in _LAST_MONTH), 1)
    ago = _ago(text, now.tm_wday)
    if ago is not None:
        return _noon(now.tm_year, now.tm_mon, now.tm_mday - min(ago, int(time.time() // 86400)))
    try:
        return time.strftime("%Y-%m-%d", time.strptime(since, "%Y-%m-%d"))
    except ValueError:
        return ""


def _ago(text: str, today: int) -> int | None:
    """How many days ago it was, on such a day of the week; None where it cannot be told."""
    if text in _DAYS_AGO:
        return _DAYS_AGO[text]
    if text in _THIS_WEEK or text in _LAST_WEEK:
        return today + 7 * (text in _LAST_WEEK)
    for number, (short, digits) in enumerate(_WEEKDAYS):
        chinese = text[:-1] in ("周", "星期", "礼拜") and text[-1:] in digits
        if text in (short, _FULL[number]) or chinese:
            return (today - number) % 7
    text = text.removesuffix(" ago").removesuffix("前")
    digits = text[: len(text) - len(text.lstrip("0123456789"))]
    unit = _UNITS.get(text[len(digits) :].strip())
    return int(digits) * unit if unit and 0 < len(digits) < 6 else None


def _noon(year: int, month: int, day: int) -> str:
    """A day that may be counted from another, below 1 too; at noon, which no change of the clocks moves to another day."""
    return time.strftime("%Y-%m-%d", time.localtime(time.mktime((year, month, day, 12, 0, 0, 0, 0, -1))))


def told(result: Result, question: str = "", most: int = SHOWN) -> str:
    """A result in words: one hit after another, so many characters of each, and what is to be known besides."""
    from ..guard.entering import printable, without_secrets
    from ..recall.questions import parsed, plainly

    result = result.replaced(hits=tuple(hit.replaced(text=without_secrets(hit.text)) for hit in result.hits))
    asked = [word.casefold() for word in plainly(parsed(question))]
    lines = [*([result.instead] if result.instead else []), *(_shown(hit, asked, most) for hit in result.hits)]
    if result.note:
        lines.append(result.note)
    return printable(without_secrets("\n\n".join(lines)))


def _shown(hit: Hit, asked: list[str], most: int) -> str:
    where = f"{hit.path}:{hit.start_line}" + (f"-{hit.end_line}" if hit.end_line != hit.start_line else "")
    session = f"from session {hit.session}" if hit.session else ""
    about = [text for text in (hit.date, hit.heading, f"[{hit.type}]" if hit.type else "", session) if text]
    also = f"\n  also in {_name_some(hit.also)}" if hit.also else ""
    since = "\n  as it was saved then; its document has been changed since, and says it no more" if hit.changed_since else ""
    text = _in_sight(" ".join(hit.text.split()), asked, most)
    return f"{where}  {hit.score:.2f}  {' · '.join(about)}".rstrip() + f"\n  {text}{since}{also}"


def _name_some(paths: tuple[str, ...]) -> str:
    """The first of several files, documents before records: every turn saves a record that says the same. `--json` has all."""
    names = sorted(paths, key=lambda path: path.startswith(".holdfast/"))
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def _in_sight(text: str, asked: list[str], most: int) -> str:
    """A text cut to a length: to the part that has the most of the words that were asked for, with some words before it."""
    if len(text) <= most:
        return text
    low = text.casefold()
    words = [word[: max(4, len(word) - 2)] for word in asked[:MARKED]]
    starts = dict.fromkeys([0, *(_before(text, at, most) for word in words for at in _places(low, word))])
    start = max(sorted(starts), key=lambda start: sum(word in low[start : start + most] for word in words))
    return ("…" if start else "") + text[start : start + most] + ("…" if start + most < len(text) else "")


def _before(text: str, at: int, most: int) -> int:
    """Where to begin so that a place is in sight."""
    start = 0 if at < most * 3 // 4 else text.rfind(" ", 0, at - most // 4) + 1
    return min(start, len(text) - most)


def _places(text: str, word: str) -> Iterator[int]:
    """The first places of a word."""
    at = -1
    for _ in range(MARKED):
        at = text.find(word, at + 1)
        if at < 0:
            return
        yield at


def run_tags(words: Words, env: Mapping[str, str]) -> int:
    """The tags, and the files that have them."""
    from ..config import read_config
    from ..recall.index import up_to_date

    workspace = cli.workspace_of(words, env)
    index = up_to_date(workspace, read_config(workspace, env), time.time())
    try:
        files = {document.path: document.tags for document in index.tagged()}
    finally:
        index.close()
    tags: dict[str, list[str]] = {}
    for path, names in files.items():
        for name in names:
            tags.setdefault(name, []).append(path)
    wanted = [text.lstrip("#") for text in words.texts]
    sought = {name.casefold() for name in wanted}
    tags = {name: tags[name] for name in sorted(tags) if not sought or name.casefold() in sought}
    if words.has("json"):
        print(cli.in_json({"tags": tags}))
        return 0
    from ..guard.entering import printable

    if tags:
        print(printable("\n".join(f"{name}  {', '.join(paths)}" for name, paths in tags.items())))
    else:
        advice = "A line `#tags: a, b` below a document's title gives it some."
        print(f"No file has the tag {' '.join(wanted)}." if wanted else f"No file has tags. {advice}")
    return 0


def _sessions(env: Mapping[str, str]) -> tuple[tuple[str, str, str], ...]:
    """(host, path, session) of every session that the hosts on this machine have kept, the newest first."""
    from ..transcripts import HOSTS
    from ..transcripts.find import sessions

    home = env.get("HOME") or os.path.expanduser("~")
    every = [item for host in HOSTS for item in sessions(host, env, home)]
    every.sort(key=lambda item: -item.modified)
    return tuple((item.host, item.path, item.session) for item in every)
