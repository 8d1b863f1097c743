"""Snapshot blocks as agents write them from memory: read for what they mean, and of the hour that they can be of."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest

from conftest import Holdfast
from test_adopting import TODAY, adopted, block, written

SAID = {
    "goal": "ship the new parser, because the old one drops lines", "phase": "debugging", "branch": "feat/gauge",
    "blocked": "the buoy is out of reach", "progress": "60%", "files": [{"path": "/src/gauge.py", "what": "half done"}],
    "decisions": ["one table -- it is faster"], "names": [{"kind": "Env var", "value": "GAUGE_URL"}],
    "blockers": ["no access"], "questions": ["which datum?"], "next_steps": ["run the tests", "read the log"],
}  # fmt: skip
WHOLE = """---

## Task Snapshot -- 00:00

<!-- BIG-MEMORY-SNAPSHOT v1 -->
<!-- timestamp: {day}T00:00:01 -->
<!-- snapshot-id: {day}-01 -->

### [SNAPSHOT] Active Goal
ship the new parser, because the old one drops lines

### [SNAPSHOT] Current State
- Phase: debugging
- Branch: feat/gauge
- Blocked: yes -- the buoy is out of reach
- Progress: 60%

### [SNAPSHOT] Files In Play
- `/src/gauge.py` -- half done

### [SNAPSHOT] Decisions Made
1. one table -- it is faster

### [SNAPSHOT] Code Context
none

### [SNAPSHOT] Key Names & Values
- Env var: `GAUGE_URL`

### [SNAPSHOT] Blockers & Open Questions
- Blocker: no access
- Question: which datum?

### [SNAPSHOT] Next Steps
1. run the tests
2. read the log

<!-- /BIG-MEMORY-SNAPSHOT -->
""".replace("{day}", TODAY)
CHINESE = {
    "Active Goal": "当前目标", "Current State": "当前状态", "Files In Play": "相关文件", "Decisions Made": "已做决定",
    "Code Context": "代码上下文", "Key Names & Values": "关键名称与值",
    "Blockers & Open Questions": "阻碍与待解决问题", "Next Steps": "下一步",
}  # fmt: skip
AS_OTHERS_WRITE_IT: dict[str, tuple[str, Any]] = {
    "to the letter": ("$", ""),
    "headings of level 2": ("### ", "## "),
    "headings of level 4": ("### ", "#### "),
    "headings without the tag": (r"\[SNAPSHOT\] ", ""),
    "headings in bold": (r"### \[SNAPSHOT\] (.*)", r"**\1:**"),
    "headings with a colon": (r"(### .*)", r"\1:"),
    "headings with a number": (r"### \[SNAPSHOT\] ", "### 3. "),
    "headings with a picture": (r"\[SNAPSHOT\] ", "[SNAPSHOT] 🎯 "),
    "other capitals": (r"Active Goal|Files In Play|Next Steps|\[SNAPSHOT\]", lambda found: found[0].lower()),
    "and for &": (" & ", " and "),
    "headings in Chinese": ("|".join(CHINESE), lambda found: CHINESE[found[0]]),
    "names in bold, the colon within": (r"- (Phase|Branch|Blocked|Progress|Blocker|Question):", r"- **\1:**"),
    "names in bold, the colon behind": (r"- (Phase|Branch|Blocked|Progress|Blocker|Question):", r"- **\1**:"),
    "a state without list marks": (r"- (Phase|Branch|Blocked|Progress):", r"\1:"),
    "a phase with a capital": ("debugging", "Debugging"),
    "stars for list marks": (r"(?m)^- ", "* "),
    "blank lines everywhere": ("\n", "\n\n"),
    "no closing marker": ("<!-- /BIG-MEMORY-SNAPSHOT -->\n", ""),
    "no closing marker, and notes below": ("<!-- /BIG-MEMORY-SNAPSHOT -->\n", "\n- [PREF] tea, no coffee\n"),
    "no closing marker, and a heading below": ("<!-- /BIG-MEMORY-SNAPSHOT -->\n", "\n## Later\n1. went home\n"),
}


@pytest.mark.parametrize("name", AS_OTHERS_WRITE_IT)
def test_a_block_is_understood_as_agents_write_it_from_memory(name: str, holdfast: Holdfast, workspace: Path) -> None:
    """Headings, names and marks a little otherwise: all that it says is told."""
    old, new = AS_OTHERS_WRITE_IT[name]
    written(workspace, re.sub(old, new, WHOLE))
    told = json.loads(holdfast("show", "latest", "--json").out)["state"]
    assert {key: told[key] for key in SAID} == SAID
    assert not told["context"]
    assert "ship the new parser" in holdfast("recover").out
    assert "- run the tests" in holdfast("recover").out


WITHOUT_A_PLACE = {
    "sections that we do not know": ("Next Steps", "Prochaines étapes", "Prochaines étapes: 1. run the tests"),
    "a state in prose": (r"- Phase: debugging", "- nearly there", "Current State: nearly there"),
    "a phase that is none of the six": ("debugging", "polishing", "phase: polishing"),
    "no section at all": (r"### \[SNAPSHOT\] ", "", "run the tests"),
}


@pytest.mark.parametrize("name", WITHOUT_A_PLACE)
def test_what_has_no_place_in_a_checkpoint_is_told_all_the_same(name: str, holdfast: Holdfast, workspace: Path) -> None:
    """An agent's own section, or a block of prose: under its name, and never passed over in silence."""
    old, new, said = WITHOUT_A_PLACE[name]
    written(workspace, re.sub(old, new, WHOLE))
    assert said in holdfast("recover").out.partition("Notes of today")[0]


def test_a_block_from_the_future_has_not_the_last_word_until_then(holdfast: Holdfast, workspace: Path) -> None:
    """Agents guess the time: what is saved after it counts, adopted in between or not, and no hour is told that has not come."""
    late = block("new").replace(f"{TODAY}T00:00:01", f"{TODAY}T23:59:58")
    for adopt_it in (False, True):
        path = written(workspace, late)
        holdfast(*(("recover",) if adopt_it else ("status",)))
        holdfast("checkpoint", "--goal", "sail home", "--next", "hoist the anchor")
        brief = holdfast("recover").out
        assert "Goal: sail home" in brief
        assert "- hoist the anchor" in brief
        assert "23:59" not in brief
        path.unlink()


@pytest.mark.parametrize("stamp", ["", "<!-- timestamp: YYYY-MM-DDTHH:MM:SS -->\n", "<!-- timestamp: just now -->\n"])
def test_a_block_without_a_time_that_is_found_after_a_checkpoint_is_told(stamp: str, holdfast: Holdfast, workspace: Path) -> None:
    """It stands below the checkpoint in its day; when it was written is said as far as it is known."""
    holdfast("checkpoint", "--goal", "sail home", "--next", "hoist the anchor")
    with (workspace / "memory" / f"{TODAY}.md").open("a") as day:
        day.write("\n" + re.sub(r"<!-- timestamp.*\n", stamp, block("new")))
    brief = holdfast("recover").out
    assert "ship the new parser" in brief
    assert f"snapshot of {TODAY} " in brief


HOURS = [("T10:00:00Z", "18:00:00"), ("T12:00:00.5+02:00", "18:00:00"), ("T18:00:00", "18:00:00"), ("T18:00", "18:00:59")]


@pytest.mark.parametrize(("stamp", "local"), HOURS)
def test_a_block_is_of_the_hour_that_it_means(
    stamp: str, local: str, holdfast: Holdfast, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A time in another zone is told in the local one."""
    written(workspace, block("new", "2026-03-01").replace("T00:00:01", stamp), "2026-03-01")
    with monkeypatch.context() as there:
        there.setenv("TZ", "Asia/Shanghai")
        time.tzset()
        brief = holdfast("recover").out
    time.tzset()
    assert f"snapshot of 2026-03-01 {local[:5]}" in brief
    (record,) = adopted(workspace)
    assert f"<!-- time: 2026-03-01T{local}+08:00 -->" in record


@pytest.mark.parametrize("old", ["$", "<!-- /BIG-MEMORY-SNAPSHOT -->\n"])
def test_status_tells_of_a_block_that_is_only_in_its_day(old: str, holdfast: Holdfast, workspace: Path) -> None:
    """B8: the one that is counted is the newest, closed or not; and nobody is told that nothing is saved."""
    written(workspace, re.sub(old, "", WHOLE))
    said = holdfast("status").out
    assert f"snapshots   1 today; newest: {TODAY} 00:00:01 (" in said
    assert "nothing is saved" not in said
    assert json.loads(holdfast("status", "--json").out)["newest"] == f"{TODAY}T00:00:01"
