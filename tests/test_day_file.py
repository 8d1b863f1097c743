"""A day is for people: one digest a session, snapshots at boundaries, and nothing in a snapshot said twice."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from conftest import Holdfast
from holdfast.documents import markdown
from holdfast.model import Checkpoint
from sessions import Machine, Turn
from test_handoff import Project

WORK = (
    Turn("build the ledger export as CSV, and never use pandas", "/w/export.py", "ledger export", "Shall I quote all cells?"),
    Turn("yes, and always run the linter first", "/w/quoting.py", "quoting", "Shall I add a header row?"),
)


@pytest.fixture
def project(tmp_path: Path, workspace: Path, holdfast: Holdfast) -> Project:
    """A folder in which agents work."""
    workspace.mkdir()
    return Project(Machine(tmp_path / "home"), workspace, holdfast)


def day(project: Project) -> str:
    """Every day that there is."""
    return "".join(path.read_text() for path in sorted((project.workspace / "memory").glob("2*.md")))


def test_a_session_leaves_one_digest_and_a_snapshot_at_each_boundary(project: Project) -> None:
    """However many turns it had, and however often its host says that it ended."""
    session = project.had("claude-code", *WORK)
    for _ in range(5):
        project.fire("claude-code", "Stop", session)
    project.fire("claude-code", "PreCompact", session, trigger="auto")
    for _ in range(2):
        project.fire("claude-code", "SessionEnd", session, reason="prompt_input_exit")
    digests = re.findall(r"(?m)^- [\d:–]+ Claude Code, session \S+\n(?:  - .*\n)+", day(project))
    assert len(digests) == 1
    for line in ("- asked: build the ledger export", "- done: commit “quoting”", "- open: Shall I add a header row?"):
        assert line in digests[0]
    assert day(project).count("<!-- BIG-MEMORY-SNAPSHOT v1 -->") == 1


def test_a_digest_is_for_people_and_in_no_brief(project: Project) -> None:
    """A brief tells of its own session, and a start of what others have left open."""
    session = project.had("claude-code", *WORK)
    project.fire("claude-code", "SessionEnd", session, reason="prompt_input_exit")
    assert "- asked: build" in day(project)
    assert "asked: build" not in project.run("recover", "--session", session).out


def test_a_snapshot_in_a_day_says_nothing_twice_and_the_journal_has_all_of_it(project: Project) -> None:
    """The goal is no correction, the question in flight stands once, and the timeline leaves out what stands above."""
    session = project.had("claude-code", *WORK)
    project.fire("claude-code", "PreCompact", session, trigger="auto")
    text = day(project)
    for section in ("Active Goal", "Current State", "Files In Play", "Decisions Made", "Code Context", "Key Names & Values",
                    "Blockers & Open Questions", "Next Steps"):  # fmt: skip
        assert f"### [SNAPSHOT] {section}\n" in text
    ((_, block),) = markdown.blocks(text)
    shown = markdown.read_block(block).state
    assert not set(shown.corrections) & {shown.goal, shown.task}
    assert not set(shown.in_flight) & set(shown.unanswered)
    assert not [line for line in shown.timeline if line.partition(" User: ")[2] in (shown.goal, *shown.corrections)]
    whole = project.run("show", "state", "--json", "--session", session).out
    assert whole.count("never use pandas") > text.count("never use pandas")


STATE = Checkpoint(
    goal="build it", task="add a row\n(then: “ok”)", exchanges=("User: add a row", "Assistant: Which one?"),
    unanswered=("Which one?",), in_flight=("Which one?",), corrections=("build it", "never use pandas"),
    timeline=("2026-11-18 10:00 User: build it", "2026-11-18 10:01 User: lint it", "2026-11-18 10:02 commit “x”"),
)  # fmt: skip


def test_what_stands_nowhere_else_stays() -> None:
    """Control: only repeats are left out."""
    block = markdown.show_block(markdown.Block(STATE, "2026-11-18T10:05:00", "2026-11-18-01", "r", "s", "", "agent"))
    shown = markdown.read_block(markdown.drop_repeats(block)).state
    assert shown.corrections == ("never use pandas",)
    assert shown.timeline == ("2026-11-18 10:01 User: lint it", "2026-11-18 10:02 commit “x”")
    assert shown.in_flight == ()
    for field in ("goal", "task", "exchanges", "unanswered"):
        assert getattr(shown, field) == getattr(STATE, field)
