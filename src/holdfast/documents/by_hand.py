"""A snapshot block as others write it: headings of another level, sections by other names, times of another zone.

Our own blocks are read to the letter. An agent that writes one from memory says `## Active Goal`, `**Next steps:**` or
`### 下一步`; what it says so is no less its state, and is often all that there is of it.
"""

from __future__ import annotations

import re
from itertools import takewhile

from ..model import TYPES

NAMES = {
    "Active Goal": ("Goal", "Current Goal", "目标", "当前目标", "活动目标", "主要目标"),
    "Current State": ("State", "状态", "当前状态"),
    "Files In Play": ("Files", "Active Files", "相关文件", "涉及文件", "涉及的文件", "正在处理的文件"),
    "Decisions Made": ("Decisions", "Key Decisions", "决定", "决策", "已做决定", "已做决策", "已做的决定", "关键决策"),
    "Code Context": ("Code", "代码", "代码上下文", "关键代码"),
    "Key Names & Values": ("Key Names", "Names & Values", "Key Values", "关键名称与值", "关键名称和值", "关键名称", "名称与值"),
    "Blockers & Open Questions": ("阻碍与待解决问题", "阻塞与待解决问题", "阻塞与未决问题", "阻塞项与未决问题"),
    "Blockers": ("阻碍", "阻塞", "阻塞项"),
    "Open Questions": ("Questions", "待解决问题", "未决问题"),
    "Next Steps": ("Next Step", "Next Up", "下一步", "后续步骤", "接下来的步骤", "下一步计划"),
    "Session": ("会话",),
    "Task": ("Current Task", "Active Task", "任务", "当前任务"),
    "Last Exchanges": ("Last 3-5 Exchanges", "Recent Exchanges", "最近对话", "最近的对话", "最近3-5条对话"),
    "Unanswered": ("Pending Proposals/Questions", "Pending Proposals & Questions", "待处理的提议/问题", "未回答", "未答复"),
    "Decisions in Flight": ("In Flight", "进行中的决定", "待定决策"),
    "Corrections": ("纠正",),
    "Done": ("Completed", "已完成"),
    "Pending Actions": ("待办事项",),
    "Timeline": ("时间线",),
    "Tone": ("Emotional/Conversational Tone", "Conversational Tone", "语气", "情绪/对话语气", "对话语气"),
    "Status": ("Current Status",),
    "Context": ("Key Context", "上下文", "关键上下文"),
}
_HEADING = re.compile(
    r"[ ]{0,3}(?:#{1,6}[ \t]+(?P<hash>\S.*)|\*\*(?P<bold>[^*]+)\*\*:?[ \t]*$|<strong>(?P<strong>[^<]+)</strong>:?[ \t]*$)"
)
_TIME = re.compile(
    r"(?i)(\d{4}-\d\d-\d\d)[T ]+(\d\d:\d\d)(:\d\d)?(?:[.,]\d+)?[ \t]*(?:(?P<utc>Z|UTC|GMT)|(?P<zone>[+-]\d\d:?\d\d))?"
)
_CLOCK = re.compile(r"#+[ \t].*?\b(\d\d:\d\d)\b")
_OURS = re.compile(r"<!-- holdfast: (\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-")
_NOTE = re.compile(rf"- (?:\d\d:\d\d )?\[(?:{'|'.join(TYPES)})\] ")


def _plain(name: str) -> str:
    """A name by its words alone: without `[SNAPSHOT]`, a number before it, marks, capitals."""
    words = re.findall(r"[^\W_]+", re.sub(r"(?i)\[snapshot\]|^[\W\d]+", " ", name.replace("&", " and ")).casefold())
    return " ".join(words)


_KNOWN = {_plain(said): name for name, others in NAMES.items() for said in (name, *others)}


def section_name(name: str) -> str:
    """The section that is meant by a heading; empty where it is none that we know."""
    return _KNOWN.get(_plain(name), "")


def heading(line: str) -> str | None:
    """The section that a line begins, however it is marked as a heading. Any other heading is a line of somebody's text."""
    found = _HEADING.match(line.rstrip("\r\n"))
    return (section_name(found[found.lastgroup or 0]) if found else "") or None


def moment(told: str) -> str:
    """`YYYY-MM-DDTHH:MM:SS` in local time of what a block says of its time, a minute's end where it says no second; empty where
    that is no time.
    """
    found = _TIME.match(told)
    if found is None:
        return ""
    from datetime import datetime

    zone = "+00:00" if found["utc"] else found["zone"] or ""
    try:
        then = datetime.fromisoformat(f"{found[1]}T{found[2]}{found[3] or ':59'}{zone}")
        return (then.astimezone() if zone else then).strftime("%Y-%m-%dT%H:%M:%S")
    except (ValueError, OverflowError):
        return ""


def moment_of(day_text: str, first: int, told: str, day: str) -> str:
    """The same of the block that begins in a line of a day: by what it says, else by its heading, `## Task Snapshot -- 14:05`.

    Days are only appended to: where it says no time, or a later one than a checkpoint of ours that stands below it, it was
    written the second before that.
    """
    lines = day_text.split("\n")
    above = next((line for line in reversed(lines[: first - 1]) if line.strip()), "")
    clock = _CLOCK.match(above)
    when = moment(told) or (moment(f"{day}T{clock[1]}") if clock else "")
    below = next(filter(None, map(_OURS.match, lines[first:])), None)
    if below is None:
        return when
    ours = moment("{}-{}-{}T{}:{}:{}".format(*below.groups()))
    if "" < when <= ours:
        return when
    return _second_before(ours) if ours else when


def _second_before(when: str) -> str:
    from datetime import datetime, timedelta

    return (datetime.fromisoformat(when) - timedelta(seconds=1)).strftime("%Y-%m-%dT%H:%M:%S")


def without_what_follows(lines: list[str]) -> list[str]:
    """A block that nobody has closed, up to what is surely not of it: another heading of the day, or a note with its type."""
    fenced = False

    def is_of_it(line: str) -> bool:
        nonlocal fenced
        fenced ^= line.startswith("```")
        if fenced:
            return True
        other = line.startswith(("# ", "## ")) and "[snapshot]" not in line.casefold() and heading(line) is None
        return not other and not _NOTE.match(line)

    return list(takewhile(is_of_it, lines))
