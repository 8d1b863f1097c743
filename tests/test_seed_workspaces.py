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
from holdfast.documents import markdown, topic_pages
from holdfast.model import Checkpoint
from holdfast.storage.disk import Folder


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
