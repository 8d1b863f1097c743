"""A workspace as each of the five seed systems leaves it is read as it is, and continued in its own format.

Each workspace is written by hand here. For each: what it says is adopted, the commands go on with it, and where we only
append, every byte that was there is still there. Then the places where the seeds themselves break.
"""

from __future__ import annotations

import json
import os
import re
import time
from pathlib import Path

import pytest

from conftest import Holdfast
from holdfast.capture.extracting import Said, extracted
from holdfast.cli import main
from holdfast.documents import markdown, topic_pages
from holdfast.documents.days import entries
from holdfast.model import Checkpoint
from holdfast.storage.disk import Folder
from upkept import ago, documents


def put(workspace: Path, files: dict[str, str]) -> dict[str, bytes]:
    """The files of a workspace; returns what was written."""
    for name, text in files.items():
        path = workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return {name: (workspace / name).read_bytes() for name in files}


def today() -> str:
    return time.strftime("%Y-%m-%d")


# ---- A: topics and the session map -------------------------------------------------------------------------------------

TOPIC_A = """# harbour-crane

## Meta
- **created**: 2026-02-01
- **updated**: 2026-02-03
- **session**: agent:main:matrix:room:77

## Current Status
(no status yet)

## Key Decisions
(none yet)

## History
- 2026-02-01: Context created
- 2026-02-03: Auto-saved before compaction (112 messages)

## Contacts
Ask Ines.   She knows the winch.
"""
MAP_A = '{\n  "agent:main:matrix:room:77": "harbour-crane",\n  "agent:main:irc:4": "tide-tables"\n}\n'
STATUS_A = """# tide-tables

## Meta
- **created**: 2026-01-05

## Current Status
Fetching works.

## Key Decisions
- 2026-01-05: use UTC
"""


@pytest.fixture
def seed_a(workspace: Path) -> dict[str, bytes]:
    return put(
        workspace,
        {
            "memory/context-harbour-crane.md": TOPIC_A,
            "memory/context-tide-tables.md": STATUS_A,
            "memory/context-session-map.json": MAP_A,
        },
    )


@pytest.mark.usefixtures("seed_a")
def test_a_topics_are_listed_with_their_sessions_and_a_placeholder_is_no_status(holdfast: Holdfast) -> None:
    """“(no status yet)” and “(none yet)” are nothing, wherever a topic is shown."""
    told = json.loads(holdfast("topic", "list", "--json").out)
    assert told["harbour-crane"]["sessions"] == ["agent:main:matrix:room:77"]
    assert told["harbour-crane"]["status"] == ""
    assert told["tide-tables"]["status"] == "Fetching works."
    assert "(no status yet)" not in holdfast("topic", "list").out
    topic = topic_pages.read_topic(TOPIC_A)
    assert (topic.status, topic.decisions) == ("", ())


@pytest.mark.usefixtures("seed_a")
def test_a_bound_session_recovers_its_topic(holdfast: Holdfast) -> None:
    """The map that the seed wrote binds the session."""
    assert "She knows the winch." in holdfast("recover", "--session", "agent:main:matrix:room:77").out


@pytest.mark.usefixtures("seed_a")
def test_a_checkpoint_continues_the_topic_in_its_own_format(holdfast: Holdfast, workspace: Path) -> None:
    """Status is overwritten, decisions and history are appended, meta is dated, other sections stay to the byte."""
    words = ("--status", "Winch turns.", "--decision", "steel rope", "--history", "first lift")
    assert holdfast("checkpoint", *words, "--session", "agent:main:matrix:room:77").code == 0
    text = (workspace / "memory/context-harbour-crane.md").read_text()
    expected = TOPIC_A.replace("updated**: 2026-02-03", f"updated**: {today()}").replace("(no status yet)", "Winch turns.")
    expected = expected.replace("(none yet)", f"- {today()}: steel rope")
    assert text == expected.replace("(112 messages)\n", f"(112 messages)\n- {today()}: first lift\n")
    assert (workspace / "memory/context-session-map.json").read_text() == MAP_A


@pytest.mark.usefixtures("seed_a")
def test_a_new_binding_keeps_the_others(holdfast: Holdfast, workspace: Path) -> None:
    """The map gets one pair more, in the seed's own form."""
    assert holdfast("topic", "bind", "tide-tables", "--session", "new one").code == 0
    text = (workspace / "memory/context-session-map.json").read_text()
    assert text == MAP_A.replace('"tide-tables"\n', '"tide-tables",\n  "new one": "tide-tables"\n')


# ---- B: snapshot blocks written by hand --------------------------------------------------------------------------------


def block_b(goal: str, stamp: str, number: int) -> str:
    return f"""---

## Task Snapshot -- {stamp[11:16]}

<!-- BIG-MEMORY-SNAPSHOT v1 -->
<!-- timestamp: {stamp} -->
<!-- snapshot-id: {stamp[:10]}-{number:02d} -->

### [SNAPSHOT] Active Goal
{goal}

### [SNAPSHOT] Current State
- Phase: debugging
- Branch: fix/gauge
- Blocked: yes -- no access to the buoy
- Progress: about half

### [SNAPSHOT] Files In Play
- `/srv/gauge/read.py` -- the parser; `parse_level()`

### [SNAPSHOT] Decisions Made
1. Keep metres -- the harbour master asked for it

### [SNAPSHOT] Code Context
```python
def parse_level(line: str) -> float: ...
```

### [SNAPSHOT] Key Names & Values
- Env var: `GAUGE_URL`

### [SNAPSHOT] Blockers & Open Questions
- Blocker: no access to the buoy
- Question: which datum?

### [SNAPSHOT] Next Steps
1. Write the test for negative levels

<!-- /BIG-MEMORY-SNAPSHOT -->
"""


DAY_B = "# Log\n\nTalked to the harbour master.\n\n{}\n{}"


@pytest.fixture
def seed_b(workspace: Path) -> str:
    """A day with two blocks of the seed; the newer one stands above."""
    newer, older = block_b("Mend the gauge.", f"{today()}T00:00:02", 2), block_b("Find the gauge.", f"{today()}T00:00:01", 1)
    text = DAY_B.format(newer, older)
    put(workspace, {f"memory/{today()}.md": text})
    return text


@pytest.mark.usefixtures("seed_b")
def test_b_the_newest_block_is_recovered_though_none_has_our_id(holdfast: Holdfast) -> None:
    """By timestamp, not by place; every section is understood."""
    said = holdfast("recover").out
    told = json.loads(holdfast("show", "latest", "--json").out)["state"]
    assert "Mend the gauge." in said
    assert "Does this match where we left off?" in said
    assert (told["phase"], told["branch"], told["blocked"]) == ("debugging", "fix/gauge", "no access to the buoy")
    assert told["files"] == [{"path": "/srv/gauge/read.py", "what": "the parser; `parse_level()`"}]
    assert told["names"] == [{"kind": "Env var", "value": "GAUGE_URL"}]
    assert (told["questions"], told["next_steps"]) == (["which datum?"], ["Write the test for negative levels"])
    assert "Find the gauge." in holdfast("recover", "--back", "1").out
    assert json.loads(holdfast("status", "--json").out)["snapshots_today"] == 2


def test_b_a_checkpoint_is_appended_below_and_takes_the_next_number(holdfast: Holdfast, workspace: Path, seed_b: str) -> None:
    """Every byte of the day is still there; the third snapshot of the day is the third."""
    assert holdfast("checkpoint", "--goal", "Calibrate.").code == 0
    text = (workspace / f"memory/{today()}.md").read_text()
    assert text.startswith(seed_b)
    assert f"<!-- snapshot-id: {today()}-03 -->" in text
    assert "Calibrate." in holdfast("recover").out


def test_b_a_block_written_by_hand_after_ours_is_the_newest(holdfast: Holdfast, workspace: Path) -> None:
    """An agent that cannot run us writes the block itself; the next recovery takes it."""
    assert holdfast("checkpoint", "--goal", "Ours.").code == 0
    later = time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(time.time() + 5))
    with (workspace / f"memory/{today()}.md").open("a") as day:
        day.write("\n" + block_b("By hand.", later, 2))
    assert "By hand." in holdfast("show", "latest").out


# ---- C: SESSION-STATE.md, snapshots, a tagged day ----------------------------------------------------------------------

STATE_C = """# SESSION-STATE

_My own remark._

## Current Task
Repaint the lighthouse

## Key Context
- deadline: 1 March
- paint: lead-free

## Recent Decisions
- white over red

## Pending Actions
- [ ] order the brushes
- [x] ask the parish

## Blockers
[None]

## Scratch
weather: fair
"""
EMPTY_C = """# Session State

## Current Task
[None]

## Key Context
[None yet]

## Recent Decisions
[None yet]

## Pending Actions
- [ ] None

## Blockers
[None]
"""
CHINESE_C = """# 会话状态

## 当前任务
修灯塔

## 关键上下文
- 期限: 三月

## 近期决策
- 用白色

## 待办事项
- [ ] 买刷子

## 阻塞项
[None]
"""


def state_of(holdfast: Holdfast) -> dict[str, object]:
    found: dict[str, object] = json.loads(holdfast("show", "state", "--json").out)
    return found


def test_c_the_state_is_adopted_and_kept_up_to_date(holdfast: Holdfast, workspace: Path) -> None:
    """What it says is the state; what changes is changed there, and nothing else."""
    put(workspace, {"SESSION-STATE.md": STATE_C})
    told = state_of(holdfast)
    assert (told["task"], told["context"]) == ("Repaint the lighthouse", {"deadline": "1 March", "paint": "lead-free"})
    assert told["pending"] == [{"text": "order the brushes", "done": False}, {"text": "ask the parish", "done": True}]
    assert told["blockers"] == []
    for words in ("decide", "two coats"), ("context", "deadline", "2 March"), ("done", "brushes"), ("blocker", "rain"):
        assert holdfast(*words).code == 0
    assert holdfast("task", "Sand it").code == 0
    text = (workspace / "SESSION-STATE.md").read_text()
    expected = STATE_C.replace("- white over red\n", "- white over red\n- two coats\n").replace("1 March", "2 March")
    expected = expected.replace("- [ ] order", "- [x] order").replace("[None]", "- rain")
    assert text == expected.replace("Repaint the lighthouse", "Sand it")
    assert state_of(holdfast)["decisions"] == ["white over red", "two coats"]


def test_c_an_empty_template_says_nothing(holdfast: Holdfast, workspace: Path) -> None:
    """Placeholders are no task, no context, no action, and the first command fills in what it is about."""
    put(workspace, {"SESSION-STATE.md": EMPTY_C})
    assert not any(value for key, value in state_of(holdfast).items() if key != "session")
    assert holdfast("pending", "buy rope").code == 0
    assert (workspace / "SESSION-STATE.md").read_text() == EMPTY_C.replace("- [ ] None", "- [ ] buy rope")


def test_c_the_template_that_init_puts_beside_it_does_not_silence_it(holdfast: Holdfast, workspace: Path) -> None:
    """`init openclaw` writes an empty session-state.md, which is younger: what the owner wrote is the state."""
    put(workspace, {"SESSION-STATE.md": STATE_C, "memory/session-state.md": markdown.write_state("", Checkpoint(), {})})
    os.utime(workspace / "SESSION-STATE.md", (1_772_000_000, 1_772_000_000))
    assert state_of(holdfast)["task"] == "Repaint the lighthouse"
    assert holdfast("decide", "two coats").code == 0
    text = (workspace / "SESSION-STATE.md").read_text()
    assert text == STATE_C.replace("- white over red\n", "- white over red\n- two coats\n")


@pytest.mark.parametrize("template", ["", markdown.write_state("", Checkpoint(), {})], ids=["no template", "a template"])
def test_c_a_room_that_speaks_first_takes_nothing_from_it(holdfast: Holdfast, workspace: Path, template: str) -> None:
    """SESSION-STATE.md is the owner's: a group writes nothing there, and what stood there is told in the owner's briefs."""
    room, private = "agent:main:discord:group:7", "agent:main:main"
    put(workspace, {"SESSION-STATE.md": STATE_C, "memory/session-state.md": template})
    os.utime(workspace / "SESSION-STATE.md", (1_772_000_000, 1_772_000_000))
    assert holdfast("task", "plan the garden day", "--session", room).code == 0
    assert (workspace / "SESSION-STATE.md").read_text() == STATE_C
    assert "lighthouse" not in holdfast("recover", "--session", room).out
    assert holdfast("task", "order paint", "--session", private).code == 0
    brief = holdfast("recover", "--session", private).out
    assert "Repaint the lighthouse" in brief
    assert "garden day" not in brief


def test_c_chinese_headings_are_read_and_kept(holdfast: Holdfast, workspace: Path) -> None:
    """The same file with its headings in Chinese."""
    put(workspace, {"SESSION-STATE.md": CHINESE_C})
    told = state_of(holdfast)
    assert (told["task"], told["context"], told["decisions"]) == ("修灯塔", {"期限": "三月"}, ["用白色"])
    assert holdfast("decide", "两层").code == 0
    assert (workspace / "SESSION-STATE.md").read_text() == CHINESE_C.replace("- 用白色\n", "- 用白色\n- 两层\n")


def test_c_a_change_by_its_owner_is_taken_over(holdfast: Holdfast, workspace: Path) -> None:
    """Whoever edits SESSION-STATE.md after us is believed, and what they take out stays out."""
    put(workspace, {"SESSION-STATE.md": STATE_C})
    assert holdfast("decide", "two coats").code == 0
    path = workspace / "SESSION-STATE.md"
    path.write_text(path.read_text().replace("Repaint the lighthouse", "Rest").replace("- white over red\n", ""))
    assert holdfast("note", "x").code == 0
    assert (state_of(holdfast)["task"], state_of(holdfast)["decisions"]) == ("Rest", ["two coats"])
    assert holdfast("decide", "third").code == 0
    assert "white over red" not in path.read_text()


MEANWHILE: dict[str, tuple[tuple[str, ...], str]] = {  # what is saved by a command, and what is there of it
    "a change": (("decide", "two coats"), "two coats"),
    "a checkpoint": (("checkpoint", "--decision", "two coats"), "two coats"),
}


@pytest.mark.parametrize("case", MEANWHILE)
def test_c_a_change_by_its_owner_while_a_record_comes_to_the_documents_is_kept(
    holdfast: Holdfast, workspace: Path, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    """Saved after we had looked at it and before its turn: what they put in stands, what they took out stays out, ours comes."""
    words, ours = MEANWHILE[case]
    put(workspace, {"SESSION-STATE.md": STATE_C})
    assert holdfast("blocker", "rain").code == 0
    path, real, saved = workspace / "SESSION-STATE.md", Folder.exchange, list[str]()

    def exchange(self: Folder, temporary: str, target: Folder, name: str) -> bool:
        if name == "session-state.md" and not saved:
            saved.append(path.read_text())
            path.write_text(saved[0].replace("- white over red\n", "- by hand\n").replace("weather: fair", "weather: foul"))
        return real(self, temporary, target, name)

    monkeypatch.setattr(Folder, "exchange", exchange)
    assert holdfast(*words).code == 0
    assert saved
    text = path.read_text()
    assert [text.count(line) for line in ("- by hand\n", f"- {ours}\n", "- white over red\n", "weather: foul\n")] == [1, 1, 0, 1]
    assert state_of(holdfast)["decisions"] == ["by hand", ours]


def test_c_a_restore_speaks_of_the_trash_only_where_something_goes_there(holdfast: Holdfast, workspace: Path) -> None:
    """A state that was written before we were there, snapped and brought back as it was: nothing was edited, and none is said."""
    workspace.mkdir(exist_ok=True)
    state = workspace / "SESSION-STATE.md"
    state.write_text("# Mine\n\n## Current Task\nBuild it\n\n## Key Context\n- deadline: Friday\n")
    trash = workspace / ".holdfast" / "trash"
    holdfast("snapshot")
    assert "trash" not in holdfast("restore").out
    assert not trash.exists() or not list(trash.iterdir())
    state.write_text(state.read_text().replace("Build it", "Build that"))
    assert "written by hand and in no record, so it is in the trash" in holdfast("restore").out
    assert [path for path in trash.iterdir() if b"Build that" in path.read_bytes()]


def test_c_its_snapshots_are_listed_and_restored(holdfast: Holdfast, workspace: Path) -> None:
    """A snapshot that the seed made comes back as the state."""
    there = put(workspace, {"memory/session-snapshots/session-20260301-101500.md": STATE_C, "SESSION-STATE.md": EMPTY_C})
    assert "session-20260301-101500.md" in holdfast("restore", "--list").out
    assert holdfast("restore", "20260301-101500").code == 0
    assert state_of(holdfast)["task"] == "Repaint the lighthouse"
    assert "Repaint the lighthouse" in (workspace / "SESSION-STATE.md").read_text()
    name = "memory/session-snapshots/session-20260301-101500.md"
    assert (workspace / name).read_bytes() == there[name]


def test_c_a_tagged_day_is_appended_to(holdfast: Holdfast, workspace: Path) -> None:
    """A note goes below the seed's own lines, in the same form."""
    day = f"# Daily Notes {today()}\n\n- [PREF] tea, not coffee\n- [LESSON] measure twice\n"
    put(workspace, {f"memory/{today()}.md": day})
    assert holdfast("note", "--type", "TECH", "port 8080").code == 0
    assert (workspace / f"memory/{today()}.md").read_text() == day + "- [TECH] port 8080\n"
    assert "tea, not coffee" in holdfast("recover").out


KEYS_C = """# Session State

## Current Task
Ship the newsletter

## Key Context
- **deadline**: 2026-11-27
- **owner:** Marta
- repo: /srv/newsletter

## Recent Decisions
[None yet]

## Pending Actions
- [ ] None

## Blockers
[None]
"""


def test_c_a_key_in_bold_is_that_key_and_stays_in_bold(holdfast: Holdfast, workspace: Path) -> None:
    """`- **deadline**: X` is the deadline; with another value it is written as its owner writes it."""
    put(workspace, {"SESSION-STATE.md": KEYS_C})
    context = {"deadline": "2026-11-27", "owner": "Marta", "repo": "/srv/newsletter"}
    assert state_of(holdfast)["context"] == context
    assert holdfast("context", "deadline", "2026-12-01").code == 0
    assert state_of(holdfast)["context"] == {**context, "deadline": "2026-12-01"}
    assert (workspace / "SESSION-STATE.md").read_text() == KEYS_C.replace("2026-11-27", "2026-12-01")
    assert holdfast("context", "**odd**", "kept").code == 0  # a key that has the stars itself
    assert state_of(holdfast)["context"]["**odd**"] == "kept"


HEADED = {  # a day of seed C: (type, what the entry says) of each
    "text": ("## [LESSON] Not on a Friday\nIt took hours.\n", [("LESSON", "Not on a Friday – It took hours.")]),
    "list": ("## [PREF] Reports\n- one page\n- no charts\n", [("PREF", "Reports – one page"), ("PREF", "Reports – no charts")]),
    "a lesson in points": ("## [LESSON] Pool\n- Cause: 5\n- Fix: 20\n", [("LESSON", "Pool\n- Cause: 5\n- Fix: 20")]),
    "a title that says nothing": ("## [LESSON] Lessons learned\n- a\n- b\n", [("LESSON", "a"), ("LESSON", "b")]),
    "Chinese": ("## [PROJ] 黄金三章\n- 上线了\n", [("PROJ", "黄金三章 – 上线了")]),
    "alone": ("## [PEOPLE] Marta runs the print shop\n", [("PEOPLE", "Marta runs the print shop")]),
    "deeper, with an hour": ("### 14:30 [TECH] Host\nstage2\n", [("TECH", "Host – stage2")]),
    "bold": ("## **[LESSON]** Slow down\n", [("LESSON", "Slow down")]),
    "a type of its own below": ("## [PROJ] X\n- a\n- [LESSON] b\n", [("PROJ", "X – a"), ("LESSON", "b")]),
    "code": ("## [LESSON] Batches\n```\n- [PREF] x\n```\n", [("LESSON", "Batches\n```\n- [PREF] x\n```")]),
    "code in an untyped section": ("## Log\n```\n## [PREF] x\n```\n", []),
    "ended by another heading": ("## [LESSON] A\nb\n\n## Log\n- c\n", [("LESSON", "A – b"), ("", "c")]),
    "ended by a rule": ("## [LESSON] A\nb\n\n---\n- c\n", [("LESSON", "A – b"), ("", "c")]),
    "ended by the closure": ("## [LESSON] A\n\nUpdated: x\nDecisions: y\nSignal: z\nOpen: none\n", [("LESSON", "A")]),
    "lines with a type": ("[PREF] tea\n[TECH] port 80\n", [("PREF", "tea"), ("TECH", "port 80")]),
    "a reference": ("## [LESSON] → MEMORY.md: A\n", [("LESSON", "→ MEMORY.md: A")]),
}  # fmt: skip


@pytest.mark.parametrize("name", HEADED)
def test_c_a_heading_types_what_stands_below_it(name: str) -> None:
    """Whatever the form in which a day gives the type, and only as far as the heading speaks."""
    text, expected = HEADED[name]
    assert [(entry.type, entry.text) for entry in entries(f"# 2026-03-31\n\n{text}")] == expected


OLD_C = """# Notes

## [LESSON] The mail limit
The provider cuts off after 500 an hour.

```python
send(batch)
```

## [PREF] Reports
- one page, no charts

## [PROJ] newsletter
- staging is up

## [TEMP] open tabs
- the log
"""


def test_c_nothing_that_lasts_is_archived_before_it_was_brought_home(holdfast: Holdfast, workspace: Path) -> None:
    """PREF and LESSON below headings are at home whole, code too; the archived day says where; the rest goes with it."""
    put(workspace, {f"memory/{ago(40)}.md": OLD_C, "MEMORY.md": "# Mine\n\n## [LESSON] Lessons\n- back up first\n"})
    notes = json.loads(holdfast("health", "--json").out)["notes"]
    assert notes == {"LESSON": 1, "PREF": 1, "PROJ": 1, "TEMP": 1}
    assert holdfast("upkeep", "archive").code == 0
    lesson = (
        f"- back up first\n- The mail limit – The provider cuts off after 500 an hour.\n\n"
        f"  ```python\n  send(batch)\n  ```\n  (from {ago(40)})\n"
    )
    assert lesson in (workspace / "MEMORY.md").read_text()
    assert f"- Reports – one page, no charts (from {ago(40)})\n" in (workspace / "MEMORY.md").read_text()
    day = ago(40)
    assert (workspace / f"memory/archive/{day[:4]}/{day[5:7]}/{day}.md").read_text() == (
        "# Notes\n\n## [LESSON] → MEMORY.md: The mail limit\n\n## [PREF] Reports\n"
        "- [PREF] → MEMORY.md: Reports – one page, no charts\n\n## [PROJ] newsletter\n- staging is up\n"
    )
    before = documents(workspace)
    assert holdfast("upkeep", "archive").out.startswith("Nothing to do")
    assert documents(workspace) == before


def test_c_what_recurs_below_headings_is_promoted(holdfast: Holdfast, workspace: Path) -> None:
    """Twice the same wish below the same heading: one item at home, and a reference in each day."""
    day = "# x\n\n## [PREF] Reports\n- one page, no charts\n"
    put(workspace, {f"memory/{ago(n)}.md": day for n in (2, 4)})
    assert holdfast("upkeep", "promote").code == 0
    assert f"- Reports – one page, no charts (from {ago(4)}, {ago(2)})\n" in (workspace / "MEMORY.md").read_text()
    assert "- [PREF] → MEMORY.md: Reports" in (workspace / f"memory/{ago(2)}.md").read_text()


def test_c_a_note_below_a_heading_with_a_type_is_not_of_that_type(holdfast: Holdfast, workspace: Path) -> None:
    """It gets a heading of its own, once; what the day had is still there to the byte."""
    day = f"# {today()}\n\n## [LESSON] Never on a Friday\nIt took hours.\n"
    put(workspace, {f"memory/{today()}.md": day})
    for text in ("the lamp is out", "the bell too"):
        assert holdfast("note", text).code == 0
    assert (workspace / f"memory/{today()}.md").read_text() == f"{day}\n## Notes\n\n- the lamp is out\n- the bell too\n"
    assert json.loads(holdfast("health", "--json").out)["notes"] == {"LESSON": 1, "untyped": 2}


FORGETTING = {
    "the sentence before": (
        "I prefer tea over coffee. Anna Keller is our accountant. Do not remember this. We use Postgres for the ledger.",
        ["I prefer tea over coffee.", "We use Postgres for the ledger."],
    ),
    "and what it goes on from": (
        "I always want tabs. My sister Eva is a nurse. She lives in Rome. Please don't save that. We use Postgres.",
        ["I always want tabs.", "We use Postgres."],
    ),
    "its own sentence": ("I prefer dark themes, but don't remember this. We use Postgres.", ["We use Postgres."]),
    "what follows": ("Off the record. I hate reports by Bob Miller. He is our manager. We use Postgres.", ["We use Postgres."]),
    "all of it": ("Don't remember any of this. I prefer tea. We use Postgres.", []),
    "Chinese": ("以后都用深色主题。我的老板是王伟。不要记住这个。我们用 Postgres。", ["以后都用深色主题。", "我们用 Postgres。"]),
}


@pytest.mark.parametrize("name", FORGETTING)
def test_c_do_not_remember_this_is_about_a_sentence(name: str) -> None:
    """The rest of the paragraph is remembered; “any of this” means all of it."""
    text, kept = FORGETTING[name]
    for who in ("user", ""):
        found = extracted([Said(text, who)])
        assert [item.text for item in found.items if item.text in kept] == kept
        assert not [item.text for item in found.items if item.text not in kept]


def test_c_do_not_remember_this_in_a_wrapped_paragraph(holdfast: Holdfast) -> None:
    """As `holdfast extract` reads a file: lines are wrapped wherever they are."""
    text = "I prefer tea over coffee. Anna Keller is our\naccountant. Do not remember this. We use Postgres for the\nledger.\n"
    found = json.loads(holdfast("extract", "--json", stdin=text.encode()).out)
    assert [item["text"] for item in found["memories"]] == ["I prefer tea over coffee.", "We use Postgres for the ledger."]


@pytest.mark.parametrize("header", ["-----BEGIN PRIVATE KEY-----", "my key: -----BEGIN OPENSSH PRIVATE KEY-----"])
@pytest.mark.parametrize("words", [("note",), ("task",), ("decide",), ("context", "key"), ("cache", "set", "key")], ids=" ".join)
def test_c_the_first_line_of_a_private_key_is_refused(
    header: str, words: tuple[str, ...], holdfast: Holdfast, workspace: Path
) -> None:
    """The key is what was meant, though its body did not come along."""
    answer = holdfast(*words, "--", header)
    assert (answer.code, "private-key" in answer.err) == (2, True)
    assert not any("BEGIN" in path.read_text(errors="replace") for path in workspace.rglob("*") if path.is_file())
    assert holdfast(*words, "--", "-----BEGIN PUBLIC KEY-----").code == 0


def test_c_get_shows_the_state_and_nothing_leads_to_forget(holdfast: Holdfast) -> None:
    """`wal get` is in its users' fingers. No slip of the pen is answered with a command that cannot be undone."""
    assert holdfast("task", "Paint the buoy").code == 0
    assert holdfast("get").out == holdfast("show", "state").out
    assert json.loads(holdfast("get", "--json").out)["task"] == "Paint the buoy"
    for slip in ("forge", "forgett", "fget", "unistall", "uninstal"):
        answer = holdfast(slip)
        assert answer.code == 2
        assert "forget`" not in answer.err
        assert "uninstall`" not in answer.err
    assert "`holdfast show state`" in holdfast("get", "deadline").err


@pytest.mark.parametrize("here", ["~", "/"])
@pytest.mark.parametrize("settings", ["", '{agents: {defaults: {workspace: "~/own"}}} // mine', "{ broken"])
def test_c_in_no_project_openclaws_workspace_is_meant(
    here: str, settings: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the home folder and the root; by its settings where they say so. Not for other hosts' agents, nor in a project."""
    home = tmp_path / "home"
    project = home / "project"
    for folder in (home / ".openclaw/workspace", home / "own", project):
        folder.mkdir(parents=True)
    if settings:
        (home / ".openclaw/openclaw.json").write_text(settings)
    monkeypatch.chdir(home if here == "~" else "/")
    assert main(["task", "Paint the buoy"]) == 0
    used = home / "own" if "own" in settings else home / ".openclaw/workspace"
    assert "Paint the buoy" in (used / "memory/session-state.md").read_text()
    monkeypatch.setenv("CODEX_THREAD_ID", "t1")
    assert main(["task", "Another host"]) == 0
    monkeypatch.delenv("CODEX_THREAD_ID")
    monkeypatch.chdir(project)
    assert main(["task", "In a project"]) == 0
    assert "Paint the buoy" in (used / "memory/session-state.md").read_text()


def test_c_without_openclaw_no_workspace_of_its_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then the home folder has a memory of its own, as ever."""
    monkeypatch.chdir(tmp_path / "home")
    assert main(["task", "Paint the buoy"]) == 0
    assert not (tmp_path / "home/.openclaw").exists()
    assert len(list((tmp_path / "home/.local/state/holdfast/projects").iterdir())) == 1


# ---- D: tiers and tags -------------------------------------------------------------------------------------------------

FILES_D = {
    "MEMORY.md": "# Agent Memory\n#tags: pref, proj\nlast_verified: 2026-01-01\n\n## [PREF] Style\n- short sentences\n",
    "memory/semantic/projects.md": "# Projects\n#tags: proj\nlast_verified: 2026-01-01\n\nThe lighthouse.\n",
    "memory/procedural/lessons-learned.md": "# Lessons\n#tags: lesson\n\nMeasure twice.\n",
    "memory/working-buffer.md": (
        "# Working Buffer\ncreated: 2026-01-01T08:00:00\nlast_active: 2026-01-01T09:00:00\n\n- 08:10 halfway up\n"
    ),
}


def test_d_days_in_episodic_are_used_and_the_tiers_stay(holdfast: Holdfast, workspace: Path) -> None:
    """Notes and snapshots go where the days are; curated files are read and not touched; the buffer is continued."""
    day = f"# {today()}\n#tags: work\n\nClimbed the tower.\n\nUpdated: {today()}\nDecisions: none\nSignal: windy\nOpen: none\n"
    there = put(workspace, {**FILES_D, f"memory/episodic/{today()}.md": day})
    said = holdfast("recover").out
    for known in ("short sentences", "Climbed the tower.", "halfway up"):
        assert known in said
    assert holdfast("note", "the lamp is out").code == 0
    assert holdfast("checkpoint", "--goal", "Relight.").code == 0
    assert holdfast("task", "fetch a lamp").code == 0
    text = (workspace / f"memory/episodic/{today()}.md").read_text()
    assert text.startswith(day)
    assert "- the lamp is out\n" in text
    assert "Relight." in text
    assert not (workspace / f"memory/{today()}.md").exists()
    for name in ("MEMORY.md", "memory/semantic/projects.md", "memory/procedural/lessons-learned.md"):
        assert (workspace / name).read_bytes() == there[name]
    buffer = (workspace / "memory/working-buffer.md").read_text()
    assert buffer.startswith("# Working Buffer\ncreated: 2026-01-01T08:00:00\nlast_active: " + today())
    assert re.search(r"\n- 08:10 halfway up\n- \S+ \S+ task: fetch a lamp\n$", buffer)


SEED_TAGS = {  # file: the tags of its group, all of them
    "semantic/infrastructure.md": "tailscale, tailnet, docker, synapse, matrix, coturn, qdrant, ubuntu, systemd, ufw, fail2ban, "
    "samba, ssh, networking, gateway, pm2",
    "semantic/preferences.md": "rules, style, workflow, memory, habits",
    "semantic/projects.md": "audit, skills, security, review",
    "semantic/decisions.md": "audit, review",
    "procedural/lessons-learned.md": "postmortem, errors, fixes, anti-patterns",
    "procedural/nightly.md": "deepseek, puppeteer, benchmark, troubleshooting, tasks, checklist, backup, diagnostics",
}
MEMORY_D = f"""# MEMORY
last_verified: {ago(10)}

## Active Decisions
- the old port → semantic/decisions.md#qdrant-on-6333

## Open Questions
- move Synapse to the new disk?
"""


def closure(days: int, decisions: str, signal: str, left: str) -> str:
    return f"\nUpdated: {ago(days)}\nDecisions: {decisions}\nSignal: {signal}\nOpen: {left}\n"


def seed_d(workspace: Path) -> Path:
    """A workspace as Memory v4 leaves it: its tree, its tags, a week of days that were closed by hand."""
    head = f"last_verified: {ago(12)}\n\n"
    files = {f"memory/{name}": f"# {name}\n#tags: {tags}\n{head}" for name, tags in SEED_TAGS.items()}
    files["memory/semantic/decisions.md"] += "## Qdrant on 6333\nEvery script has it.\n"
    files["memory/procedural/lessons-learned.md"] += "- ufw reload drops the tailnet\n"
    days = {
        5: "- 09:10 moved coturn behind the gateway\n- decided: coturn listens on 3478 only\n- #friction: coturn logs nothing\n"
        + closure(5, "moved coturn behind the gateway; closed port 5349 (udp; tcp)", "pm2 restarts lose the environment",
                  "renew the certificate; which disk for backups?"),
        2: "- renewed it\n" + closure(2, "certificates renew by a timer", "none", "which disk for backups?"),
        1: "- quiet\n" + closure(1, "none", "n/a", "which disk for backups?"),
    }  # fmt: skip
    files |= {f"memory/episodic/{ago(n)}.md": f"# {ago(n)}\n\n{text}" for n, text in days.items()}
    files |= {
        "MEMORY.md": MEMORY_D,
        f"memory/episodic/{today()}.md": f"# {today()}\n\n- looking at coturn\n",
        "memory/working-buffer.md": "# Working Buffer\n\n- checking ports #friction: coturn logs nothing\n",
        "memory/archive/2026/01/2026-01-05.md": "# 2026-01-05\n\n- first day\n",
        "memory/scripts/health-check.sh": "#!/bin/bash\nexit 0\n",
    }
    put(workspace, files)
    return workspace


def test_d_a_workspace_with_the_seeds_own_tags_and_files_is_well(holdfast: Holdfast, workspace: Path) -> None:
    """All five groups of its vocabulary, MEMORY.md without tags, days closed by hand."""
    answer = holdfast("health", "--json") if seed_d(workspace) else None
    assert answer
    assert [check["check"] for check in json.loads(answer.out)["checks"] if not check["ok"]] == []
    assert answer.code == 0


def test_d_the_review_reads_what_days_say_by_hand(holdfast: Holdfast, workspace: Path) -> None:
    """Decisions, signals and what is open go where they last, each with its day; the review of a quiet week follows."""
    seed_d(workspace)
    assert holdfast("upkeep", "review").code == 0
    decisions = (workspace / "memory/semantic/decisions.md").read_text()
    assert decisions.endswith(
        "## Qdrant on 6333\nEvery script has it.\n\n## From the days\n"
        f"- moved coturn behind the gateway (from {ago(5)})\n- closed port 5349 (udp; tcp) (from {ago(5)})\n"
        f"- coturn listens on 3478 only (from {ago(5)})\n- certificates renew by a timer (from {ago(2)})\n"
    )
    lessons = (workspace / "memory/procedural/lessons-learned.md").read_text()
    assert lessons.endswith(
        f"- ufw reload drops the tailnet\n- coturn logs nothing (from {ago(5)}, {today()})\n"
        f"- pm2 restarts lose the environment (from {ago(5)})\n"
    )
    memory = MEMORY_D.replace(ago(10), today()) + f"- which disk for backups? (from {ago(5)})\n"
    assert (workspace / "MEMORY.md").read_text() == memory
    before = documents(workspace)
    assert holdfast("upkeep", "review").out == "No meaningful changes.\nhealth   all is well\n"
    assert documents(workspace) == before
    with (workspace / f"memory/episodic/{today()}.md").open("a") as day:
        day.write(closure(0, "none", "none", "none"))
    assert "no longer open: which disk for backups?" in holdfast("upkeep", "review").out
    assert (workspace / "MEMORY.md").read_text() == MEMORY_D.replace(ago(10), today())


def test_d_what_a_flush_writes_beside_the_tree_is_memory_too(holdfast: Holdfast, workspace: Path) -> None:
    """OpenClaw's flush may write `memory/DATE.md` alone: it is adopted, told, shown and found; upkeep brings it into its day."""
    seed_d(workspace)
    flushed = block_b("Move coturn to the new host.", f"{today()}T00:00:05", 1)
    put(workspace, {f"memory/{today()}.md": f"# {today()}\n\n- the printer is on 10.0.0.9\n\n{flushed}"})
    brief = holdfast("recover").out
    for said in ("Move coturn to the new host.", "the printer is on 10.0.0.9", "looking at coturn"):
        assert said in brief
    assert "10.0.0.9" in holdfast("show", "today").out
    assert f"memory/{today()}.md" in holdfast("search", "printer").out
    assert holdfast("note", "x").code == 0
    assert any("Move coturn" in path.read_text() for path in (workspace / ".holdfast/journal").rglob("*.md"))
    assert (workspace / f"memory/episodic/{today()}.md").read_text().endswith("- x\n")


BESIDE: dict[str, str] = {  # what episodic/ has of the day already
    "nothing": "",
    "notes": f"# {ago(3)}\n\n- renewed it\n",
    "a block": f"# {ago(3)}\n\n- renewed it\n\n" + block_b("Another thing.", f"{ago(3)}T09:00:00", 1),
}


@pytest.mark.parametrize("case", BESIDE)
def test_d_a_day_beside_the_tree_is_named_and_brought_into_it(case: str, holdfast: Holdfast, workspace: Path) -> None:
    """Health says where it lies and what mends that; then every line is in the day, blocks whole, and nothing is there twice."""
    seed_d(workspace)
    day, there = ago(3), BESIDE[case]
    flushed = block_b("Move coturn.", f"{day}T08:00:00", 1)
    put(workspace, {f"memory/{day}.md": f"# {day}\n\n- by the flush\n\n{flushed}"})
    if there:
        put(workspace, {f"memory/episodic/{day}.md": there})
    checks = {one["check"]: one for one in json.loads(holdfast("health", "--json").out)["checks"] if not one["ok"]}
    assert checks["days are in one folder"]["where"] == [f"memory/{day}.md: the days are in memory/episodic"]
    assert checks["days are in one folder"]["mend"].startswith("holdfast upkeep")
    assert f"memory/{day}.md" not in str(checks.get("days that are over are closed"))
    assert holdfast("upkeep").code == 0
    assert not (workspace / f"memory/{day}.md").exists()
    text = (workspace / f"memory/episodic/{day}.md").read_text()
    assert flushed.strip() in text
    assert "- by the flush\n" in text
    assert there.strip() in text
    assert text.count(f"# {day}\n") == 1
    assert holdfast("upkeep").out.startswith("Nothing to do")


TAGGED: list[tuple[tuple[str, ...], str, list[str]]] = [  # what is saved, of which session, and the files that are named
    (("--task", "restart docker behind the gateway"), "s1", ["semantic/infrastructure.md"]),
    (("--task", "x", "--next", "write the postmortem of the backup"), "s1",
     ["procedural/lessons-learned.md", "procedural/nightly.md"]),
    (("--task", "an audit and a review of docker, the backup and the errors"), "s1",
     ["semantic/decisions.md", "semantic/projects.md", "procedural/lessons-learned.md"]),
    (("--task", "dockerise the reviewers"), "s1", []),
    (("--task", "restart docker behind the gateway"), "agent:main:discord:group:7", []),
]  # fmt: skip


@pytest.mark.parametrize(("words", "session", "named"), TAGGED)
def test_d_a_file_whose_tags_name_the_work_is_named_in_the_brief(
    words: tuple[str, ...], session: str, named: list[str], holdfast: Holdfast, workspace: Path
) -> None:
    """With its path and its tags, three at most, the best first; what stands in it stays there, and a room is told of none."""
    seed_d(workspace)
    assert holdfast("checkpoint", *words, "--session", session).code == 0
    brief = holdfast("recover", "--session", session).out
    assert re.findall(r"(?m)^- memory/(\S+) \(tags: ", brief) == named
    assert ("tags: tailscale, tailnet, docker" in brief) is (named == ["semantic/infrastructure.md"])


@pytest.mark.parametrize(
    ("said", "decided"),
    [
        ("- decided: oak, not pine", "oak, not pine"),
        ("- 14:02 [PROJ] Decision: oak, not pine", "oak, not pine"),
        ("- We decided to use oak", "We decided to use oak"),
        ("- 决定：用橡木", "用橡木"),
        ("**Decisions**: oak, not pine", "oak, not pine"),
        ("## Decisions\n- oak, not pine", "oak, not pine"),
        ("Decisions:\n- oak,\n  not pine\nOpen: none", "oak, not pine"),
        ("## [PROJ] Boat\n- decided: oak", "Boat – oak"),
        ("- nobody has decided: it is open", ""),
        ("```\nDecisions: in code\n```", ""),
        ("Decisions: n/a", ""),
    ],
)
def test_d_decisions_by_hand_in_any_form(said: str, decided: str, holdfast: Holdfast, workspace: Path) -> None:
    """As people and agents write them; and what is none is none."""
    put(workspace, {f"memory/{ago(1)}.md": f"# x\n\n{said}\n"})
    assert holdfast("upkeep", "review").code == 0
    path = workspace / "memory/semantic/decisions.md"
    items = re.findall(r"(?m)^- (.*) \(from .*\)$", path.read_text()) if path.exists() else []
    assert items == ([decided] if decided else [])


@pytest.mark.parametrize(
    ("said", "is_decision"),
    [
        ("use SQLite", True),
        ("User picked (“2”): keep both tables", True),
        ("User agreed (“yes”) to: I will keep them in Redis.", True),
        ("User answered (“yes, but only for the EU”): Shall I round per line?", True),
        ("User answered (“go on please”): Shall I round per line or per invoice?", False),
        ("User answered (“yes”): Shall I round per line or per invoice?", False),
        ("User agreed (“go on please”) to: Shall I continue with the next file?", False),
        ("User agreed (“ok”) to: 要继续吗？", False),
    ],
)
def test_d_only_decisions_are_brought_to_the_decisions(said: str, is_decision: bool, holdfast: Holdfast, workspace: Path) -> None:
    """What an agent's session has among its decisions may be a mere reply; in a file that is read for years it is noise."""
    assert holdfast("checkpoint", "--goal", "g", "--decision", said).code == 0
    assert holdfast("upkeep", "review").code == 0
    path = workspace / "memory/semantic/decisions.md"
    assert (said in path.read_text() if path.exists() else False) is is_decision


def test_d_what_somebody_left_open_stays_open_in_days_that_upkeep_closes(holdfast: Holdfast, workspace: Path) -> None:
    """`Open: none` of upkeep's would answer a question that nobody has answered. A person's does."""
    long = "which of the three disks in the cupboard shall the photos of the last ten summers go to?"
    put(workspace, {"MEMORY.md": "# M\n\n## Open Questions\n- mine?\n"})
    put(workspace, {f"memory/{ago(4)}.md": "# x\n" + closure(4, "none", "none", f"which disk?; {long}")})
    put(workspace, {f"memory/{ago(n)}.md": "# x\n\n- a walk\n" for n in (3, 2)})
    for words in (("upkeep",), ("upkeep", "review"), ("upkeep", "review")):
        assert holdfast(*words).code == 0
    assert f"Open: which disk?; {long[:60]}" in (workspace / f"memory/{ago(2)}.md").read_text()
    questions = f"- mine?\n- which disk? (from {ago(4)})\n- {long} (from {ago(4)})\n"
    assert (workspace / "MEMORY.md").read_text().endswith(questions)
    put(workspace, {f"memory/{ago(1)}.md": "# x\n" + closure(1, "disk 2", "none", "none")})
    assert holdfast("upkeep", "review").code == 0
    assert (workspace / "MEMORY.md").read_text().endswith("- mine?\n")


def test_d_a_correction_is_a_lesson(holdfast: Holdfast, workspace: Path) -> None:
    """`decide "correction: …"`, as seed C teaches it, in the closure block as in the review; nothing is told twice."""
    day = f"# {ago(1)}\n\n- {ago(1)} 09:00 decide: correction: Freunde, not Friends\n- {ago(1)} 09:01 decide: send on Monday\n"
    put(workspace, {f"memory/{ago(1)}.md": day})
    assert holdfast("upkeep", "review").code == 0
    home = workspace / "memory/procedural/lessons-learned.md"
    assert home.read_text().endswith(f"\n- correction: Freunde, not Friends (from {ago(1)})\n")
    assert "Friends" not in (workspace / "memory/semantic/decisions.md").read_text()
    closed = (workspace / f"memory/{ago(1)}.md").read_text()
    assert "Decisions: send on Monday\nSignal: correction: Freunde, not Friends\nOpen: none\n" in closed
    assert holdfast("upkeep", "review").out.startswith("No meaningful changes.\n")


@pytest.mark.parametrize(
    "line", ["last_verified: {}", "**Last updated:** {}", "_Last reviewed {}_", "<!-- last_verified: {} -->", "Freshness: {}"]
)
def test_d_the_review_says_in_memory_that_it_was_there(line: str, holdfast: Holdfast, workspace: Path) -> None:
    """Whatever the form of the line, its date alone is changed; a fact with a date is a fact; broken links keep it from that."""
    text = "# MEMORY\n{}\n\n## Who\n- Updated {day}: moved to Bonn\n"
    put(workspace, {"MEMORY.md": text.format(line.format(ago(20)), day=ago(20)), f"memory/{today()}.md": "# x\n"})
    assert holdfast("upkeep", "review").out.startswith("No meaningful changes.\nfresh ")
    assert (workspace / "MEMORY.md").read_text() == text.format(line.format(today()), day=ago(20))
    broken = text.format(line.format(ago(20)), day=ago(20)) + "\n## Active Decisions\n- [x](semantic/none.md)\n"
    put(workspace, {"MEMORY.md": broken})
    assert holdfast("upkeep", "review").code == 0
    assert (workspace / "MEMORY.md").read_text() == broken


def test_d_write_takes_an_absolute_path_inside_the_workspace(holdfast: Holdfast, workspace: Path, tmp_path: Path) -> None:
    """As the seed's script does; S7 tries the names that lead out."""
    workspace.mkdir()
    (tmp_path / "alias").symlink_to(workspace)
    path = workspace / "memory/semantic/x.md"
    assert holdfast("write", str(path), stdin=b"kept\n").code == 0
    assert path.read_text() == "kept\n"
    (workspace / "out").symlink_to(tmp_path)
    for name in ("/../x.md", "/out/x.md", "x/x.md", "/.holdfast/x", "/"):
        assert holdfast("write", f"{workspace}{name}", stdin=b"lost\n").code != 0, name
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["alias", "home", "workspace"]


# ---- E: session-state.md with <strong> headings ------------------------------------------------------------------------

STATE_E = """# Session State

<strong>Written at:</strong> 2026-03-01 10:00

<strong>Trigger:</strong> before compaction

<strong>How to use this file</strong>

My own words on that.

<strong>Current Task</strong>

Wiring the fog horn.

<strong>Last 3-5 Exchanges</strong>

User asked for a softer tone.

I proposed 220 Hz.

<strong>Pending Proposals/Questions</strong>

"Shall I order the relay?"

<strong>Decisions in Flight</strong>

- relay or contactor

<strong>Emotional/Conversational Tone</strong>

Patient.

<strong>Key Context</strong>

- file: /srv/horn.c

<strong>Recovery Path</strong>

1. Read this.
"""
BLANK_E = """# Session State

<strong>Written at:</strong> [timestamp]

<strong>Current Task</strong>

[What you're actively working on. If idle, say so.]

<strong>Decisions in Flight</strong>

[Things being discussed but not yet decided.]
"""


def test_e_the_state_is_adopted_under_its_own_headings(holdfast: Holdfast, workspace: Path) -> None:
    """Paragraphs are items where a list is meant; the headings stay as they are; stamps go where its stamps are."""
    put(workspace, {"memory/session-state.md": STATE_E})
    told = state_of(holdfast)
    assert (told["task"], told["tone"]) == ("Wiring the fog horn.", "Patient.")
    assert told["exchanges"] == ["User asked for a softer tone.", "I proposed 220 Hz."]
    assert (told["unanswered"], told["in_flight"]) == (['"Shall I order the relay?"'], ["relay or contactor"])
    assert "Shall I order the relay?" in holdfast("recover").out
    saved = holdfast("task", "Testing the fog horn.").id
    text = (workspace / "memory/session-state.md").read_text()
    assert "\n<strong>Current Task</strong>\n\nTesting the fog horn.\n" in text
    assert "My own words on that.\n" in text
    assert f"<!-- holdfast: {saved} -->" in text
    assert text.count("Current Task") == 1
    assert "## Current Task" not in text
    assert text.endswith("1. Read this.\n")
    assert state_of(holdfast)["exchanges"] == told["exchanges"]


AGES = {
    "an hour of its own, long ago": ("2026-03-01 14:30", "of 2026-03-01 14:30", True),
    "with a zone, long ago": ("2026-03-01T14:30:00+00:00", "of 2026-03-01 ", True),
    "just now": (time.strftime("%Y-%m-%d %H:%M"), time.strftime("of %Y-%m-%d %H:%M"), False),
    "no hour": ("[timestamp]", "Restored from your notes", False),
}


@pytest.mark.parametrize("name", AGES)
def test_e_a_state_says_how_old_it_is(name: str, holdfast: Holdfast, workspace: Path) -> None:
    """Where there is no snapshot the file's own stamp counts: what is months old is not told as of now."""
    written, said, old = AGES[name]
    stamped = re.sub(r"(<strong>Written at:</strong>).*", rf"\1 {written}", STATE_E)
    put(workspace, {"memory/session-state.md": stamped})
    opening = holdfast("recover").out.partition("--- memory")[0]
    assert said in opening
    assert ("That is some time ago" in opening) == old
    assert "snapshot of" not in opening


def test_c_a_state_says_when_it_was_saved(holdfast: Holdfast, workspace: Path) -> None:
    """Seed C's file has no stamp; its own age counts."""
    put(workspace, {"SESSION-STATE.md": "# State\n\n## Current Task\nPaint the buoy.\n"})
    os.utime(workspace / "SESSION-STATE.md", (1_772_000_000, 1_772_000_000))  # 2026-02-25
    opening = holdfast("recover").out.partition("--- memory")[0]
    assert "Restored from the session state of 2026-02-25 " in opening
    assert "That is some time ago" in opening


def test_e_a_template_that_nobody_filled_in_says_nothing(holdfast: Holdfast, workspace: Path) -> None:
    """What stands in brackets tells a writer what to write; it is no task."""
    put(workspace, {"memory/session-state.md": BLANK_E})
    assert not any(value for key, value in state_of(holdfast).items() if key != "session")
    assert holdfast("task", "Begin.").code == 0
    assert state_of(holdfast)["task"] == "Begin."
    assert state_of(holdfast)["in_flight"] == []


# ---- where the seeds themselves break ----------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["3 bugs left", "C:\\new", "\\1 and \\g<0>", "100% {done} $HOME `x` (a|b)*", "## not a heading"])
def test_any_text_is_only_text(text: str, holdfast: Holdfast, workspace: Path) -> None:
    """In one seed a digit at the start crashed and a backslash was corrupted: the text was used as a pattern."""
    put(workspace, {"SESSION-STATE.md": EMPTY_C})
    for command in ("task", "decide", "pending", "blocker"):
        assert holdfast(command, text).code == 0
    told = state_of(holdfast)
    assert (told["task"], told["decisions"], told["blockers"]) == (text, [text], [text])
    assert told["pending"] == [{"text": text, "done": False}]
    assert markdown.read_state((workspace / "SESSION-STATE.md").read_text()).task == text


def test_context_given_twice_stays_in_key_context(holdfast: Holdfast, workspace: Path) -> None:
    """In one seed the second value landed among the decisions."""
    put(workspace, {"SESSION-STATE.md": EMPTY_C})
    for value in ("Monday", "Tuesday"):
        assert holdfast("context", "deadline", value).code == 0
    assert holdfast("context", "owner", "Ines").code == 0
    text = (workspace / "SESSION-STATE.md").read_text()
    assert text == EMPTY_C.replace("## Key Context\n[None yet]\n", "## Key Context\n- deadline: Tuesday\n- owner: Ines\n")


@pytest.mark.parametrize("name", ["../../outside", "a/b", "..", "/etc/x", "a\\..\\b", "~/x", ".hidden", "a\u202eb", "x" * 400])
def test_a_topic_never_leaves_its_folder(name: str, holdfast: Holdfast, workspace: Path, tmp_path: Path) -> None:
    """In one seed a topic with a slash did."""
    answer = holdfast("checkpoint", "--topic", name, "--status", "here")
    outside = [p for p in tmp_path.rglob("*") if p.is_file() and not p.is_relative_to(workspace) and "home" not in p.parts]
    assert not outside
    if answer.code == 0:
        files = [path.name for path in workspace.rglob("context-*.md")]
        assert len(files) == 1
        assert (workspace / "memory" / files[0]).is_file()
        assert "here" in holdfast("topic", "read", name).out
    else:
        assert answer.code == 2
        assert not list(workspace.rglob("context-*"))


def test_a_topic_in_the_map_that_names_another_folder_is_not_followed(
    holdfast: Holdfast, workspace: Path, tmp_path: Path
) -> None:
    """What another program put into the map cannot lead out of it either, nor can a name that no file can have."""
    for topic in ("../../x", "a/../../../x", "a\0b", "\ud83d", ""):
        (workspace / "memory").mkdir(parents=True, exist_ok=True)
        (workspace / "memory/context-session-map.json").write_text(json.dumps({"default": topic}))
        (workspace / "memory/context-a").mkdir(exist_ok=True)
        for words in (["recover"], ["topic", "list"], ["status"], ["checkpoint", "--goal", "x"]):
            assert holdfast(*words).code in (0, 74), (topic, words)
        assert not list(tmp_path.glob("x*")) + list(workspace.glob("x*"))


def test_a_day_that_never_was_raises_nothing(holdfast: Holdfast, workspace: Path) -> None:
    """`2026-13-45.md` is somebody's file with an odd name."""
    there = put(workspace, {"memory/2026-13-45.md": "# odd\n\nkept\n"})
    for words in ("recover",), ("status",), ("show", "latest"), ("note", "x"), ("checkpoint", "--goal", "g"):
        assert holdfast(*words).code in (0, 2), words
    assert "kept" in holdfast("show", "2026-13-45").out
    assert (workspace / "memory/2026-13-45.md").read_bytes() == there["memory/2026-13-45.md"]


def test_a_placeholder_never_becomes_a_status(holdfast: Holdfast, workspace: Path) -> None:
    """In one seed “(no status yet)” came back as what the status is."""
    put(workspace, {"memory/context-t.md": TOPIC_A.replace("harbour-crane", "t")})
    assert holdfast("checkpoint", "--topic", "t", "--history", "touched").code == 0
    assert "no status yet" not in json.dumps(json.loads(holdfast("topic", "list", "--json").out))
    assert topic_pages.read_topic((workspace / "memory/context-t.md").read_text()).status == ""
    assert Checkpoint(**markdown.read_change("## Status\n(no status yet)\n")).status == ""
