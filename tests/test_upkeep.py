"""Upkeep as a user sees it: one plan, shown before it is done, safe to repeat; what it moves, and what it leaves alone."""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import Holdfast
from holdfast.documents import markdown
from holdfast.model import Checkpoint
from upkept import BUFFER, ago, documents, lines_of, past, write


def read(workspace: Path, name: str) -> str:
    data = (workspace / name).read_bytes()
    return (gzip.decompress(data) if name.endswith(".gz") else data).decode("utf-8", "surrogateescape")


def archived(day: str, *, packed: bool = False) -> str:
    return f"memory/archive/{day[:4]}/{day[5:7]}/{day}.md{'.gz' if packed else ''}"


# ---- the plan ----------------------------------------------------------------------------------------------------------


def test_a_dry_run_shows_the_plan_and_changes_nothing(holdfast: Holdfast, workspace: Path) -> None:
    """Every duty has its line with a reason, and not one byte is different afterwards."""
    before = documents(past(workspace))
    answer = holdfast("upkeep", "--dry-run")
    assert answer.code == 0, answer.err
    for kind in ("expire", "rotate", "promote", "close", "archive", "pack"):
        assert f"\n{kind} " in f"\n{answer.out}", kind
    assert "nothing was changed" in answer.out
    assert documents(workspace) == before
    assert not (workspace / ".holdfast").exists()


def test_the_plan_is_data_with_reasons_and_sources(holdfast: Holdfast, workspace: Path) -> None:
    """`--json` gives each change with its kind, reason, files and the digests that it rests on."""
    past(workspace)
    data = json.loads(holdfast("upkeep", "--dry-run", "--json").out)
    assert data["dry_run"] is True
    for change in data["changes"]:
        assert change["kind"]
        assert change["reason"]
        assert all(bool(file["digest"]) != (file["does"] == "new") for file in change["files"])
        assert {file["path"] for file in change["files"]} <= {source["path"] for source in change["sources"]}


def test_the_plan_that_was_shown_is_the_one_that_is_carried_out(holdfast: Holdfast, workspace: Path) -> None:
    """A dry run and the run after it name the same changes."""
    past(workspace)
    shown = json.loads(holdfast("upkeep", "--dry-run", "--json").out)["changes"]
    done = json.loads(holdfast("upkeep", "--json").out)
    assert done["changes"] == shown
    assert done["dropped"] == []


def test_a_second_run_finds_nothing_to_do(holdfast: Holdfast, workspace: Path) -> None:
    """Run twice is run once, to the byte."""
    past(workspace)
    write(workspace, {"memory/semantic/mine.md": "# Mine\n"})
    assert "done " in holdfast("upkeep").out
    before = documents(workspace)
    assert holdfast("upkeep").out.startswith("Nothing to do.\nhealth   wanting, and not upkeep's to mend: tags on line 2; ")
    assert documents(workspace) == before


def test_a_buffer_that_waits_is_said_to_wait(holdfast: Holdfast, workspace: Path) -> None:
    """In the midst of a task it is left alone, and that is no silence; once the task is cleared it is rotated."""
    past(workspace)
    holdfast("task", "mend the lamp")
    answer = holdfast("upkeep", "rotate")
    assert answer.out.startswith("waits    rotate: the buffer has ")
    assert "while “mend the lamp” is under way\nNothing else to do.\n" in answer.out
    assert "under way" in json.loads(holdfast("upkeep", "rotate", "--json").out)["waits"]
    holdfast("task", "none")
    assert holdfast("upkeep", "rotate").out.startswith("rotate ")


def test_a_summary_counts_the_notes_by_type_and_changes_nothing(holdfast: Holdfast, workspace: Path) -> None:
    """Those that have a type, those whose words tell it with the least confidence, and those that nothing tells."""
    day = f"# {ago(1)}\n\n- [PREF] small commits\n- Tomasz is the DBA; ask him before touching the replicas\n- hm\n"
    before = documents(write(workspace, {f"memory/{ago(1)}.md": day}))
    answer = holdfast("upkeep", "classify", "--summary")
    assert "PREF     1\n" in answer.out
    assert re.search(r"PEOPLE   0, 1 more by their words \(confidence 0\.\d\d and above\)\n", answer.out)
    assert "none     1: nothing tells their type\n" in answer.out
    rows = {row["type"]: row for row in json.loads(holdfast("upkeep", "classify", "--summary", "--json").out)}
    assert (rows["PEOPLE"]["told"], rows["PREF"]["typed"], rows[""]["told"]) == (1, 1, 1)
    assert documents(workspace) == before
    assert holdfast("upkeep", "--summary").code == 2


def test_no_line_is_lost(holdfast: Holdfast, workspace: Path) -> None:
    """Every line that was there is there still: in a document, in the archive or in the trash."""
    before = lines_of(past(workspace))
    holdfast("upkeep")
    assert before <= lines_of(workspace)


def test_a_folder_without_memory_stays_empty(holdfast: Holdfast, workspace: Path) -> None:
    """Nothing to do is done without leaving a trace."""
    assert holdfast("upkeep").out.startswith("Nothing to do")
    assert list(workspace.iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [("tidy",), ("archive", "rotate"), ("archive", "--days", "0"), ("archive", "--days", "x"), ("--days", "3"),
     ("--restore", "x"), ("rotate", "--empty"), ("trash", "--restore", "2026")],
    ids=" ".join,
)  # fmt: skip
def test_what_cannot_be_done_as_given_is_refused(words: tuple[str, ...], holdfast: Holdfast, workspace: Path) -> None:
    """Exit 2, a sentence, and nothing changed."""
    before = documents(past(workspace))
    answer = holdfast("upkeep", *words)
    assert answer.code == 2
    assert "Nothing was changed" in answer.err
    assert documents(workspace) == before


def test_a_vanished_memory_is_not_kept_in_order(holdfast: Holdfast, workspace: Path) -> None:
    """An empty `memory/` that once held documents is not mounted, not tidy."""
    holdfast("note", "x")
    (workspace / "memory").rename(workspace / "elsewhere")
    answer = holdfast("upkeep")
    assert answer.code == 2
    assert "missing or empty" in answer.err


# ---- archive -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("episodic", [False, True])
def test_old_days_go_to_the_archive_and_older_ones_are_packed(episodic: bool, holdfast: Holdfast, workspace: Path) -> None:
    """30 days and 90 days, wherever the days are kept."""
    past(workspace, episodic=episodic)
    assert holdfast("upkeep", "archive").code == 0
    folder = workspace / ("memory/episodic" if episodic else "memory")
    assert not (folder / f"{ago(40)}.md").exists()
    assert (folder / f"{ago(3)}.md").exists()
    assert "an old walk" in read(workspace, archived(ago(40)))
    assert "long ago" in read(workspace, archived(ago(200), packed=True))
    assert "not packed" in read(workspace, archived(ago(120), packed=True))


def test_what_lasts_is_brought_home_before_its_day_is_archived(holdfast: Holdfast, workspace: Path) -> None:
    """PREF and LESSON go to their homes with the day they come from; the archived day refers to them."""
    past(workspace)
    holdfast("upkeep", "archive")
    memory = read(workspace, "MEMORY.md")
    assert f"- tea, not coffee (from {ago(41)})" in memory
    assert "never on Friday\n  and never at night" in memory
    assert "[PREF] → MEMORY.md: tea, not coffee" in read(workspace, archived(ago(41)))
    assert "- [PREF] in code" in read(workspace, archived(ago(41))), "what stands in a code block is no note"
    assert memory.startswith("# My agent\n\n## [PREF] How I like it\n- short answers\n- tea")
    assert memory.endswith("- keep me, unmarked") or "- keep me, unmarked\n" in memory


def test_a_name_that_is_no_date_is_left_alone(holdfast: Holdfast, workspace: Path) -> None:
    """`2026-13-45.md` and other files of the owner stay where they are, byte for byte; so do days of the future."""
    past(workspace)
    write(workspace, {"memory/2999-01-01.md": "- [PREF] to come\n"})
    holdfast("upkeep")
    assert read(workspace, "memory/2026-13-45.md") == "no date\n"
    assert read(workspace, "memory/notes.md") == "- [PREF] not a day\n"
    assert read(workspace, "memory/2999-01-01.md") == "- [PREF] to come\n"


def test_what_came_to_a_day_after_it_was_archived_joins_it(holdfast: Holdfast, workspace: Path) -> None:
    """Both texts are in the archive, once each; packed or not."""
    past(workspace)
    holdfast("upkeep", "archive")
    for day in (ago(40), ago(200)):
        write(workspace, {f"memory/{day}.md": f"# {day}\n\n- came late to {day}\n"})
    holdfast("upkeep", "archive")
    for day, packed, early in ((ago(40), False, "an old walk"), (ago(200), True, "long ago")):
        text = read(workspace, archived(day, packed=packed))
        assert text.count("came late") == text.count(early) == text.count(f"# {day}") == 1
        assert not (workspace / f"memory/{day}.md").exists()


def test_one_day_in_two_folders_is_one_day_in_the_archive(holdfast: Holdfast, workspace: Path) -> None:
    """In `memory/`, in `memory/episodic/` and in the archive, also where they say the same; each can be brought back."""
    day = ago(100)
    texts = {f"memory/{day}.md": "- one\n", f"memory/episodic/{day}.md": "- one\n", archived(day): "- one\n- two\n"}
    write(workspace, texts)
    assert holdfast("upkeep", "archive").code == 0
    assert list(documents(workspace)) == [archived(day, packed=True)]
    assert sorted(read(workspace, archived(day, packed=True)).split()) == ["-", "-", "one", "two"]
    for thing in json.loads(holdfast("upkeep", "trash", "--json").out):
        assert holdfast("upkeep", "trash", "--restore", thing["id"]).code == 0
    assert {name: read(workspace, name) for name in texts} == texts


def test_blocks_of_one_day_in_two_folders_are_whole_in_the_archive(holdfast: Holdfast, workspace: Path) -> None:
    """A flush has written one beside the tree: no line of the one comes into the other, and none is dropped as said already."""
    one = block(ago(40), "s1", task="the gauge", decisions=("oak",))
    two = block(ago(40), "s2", task="the lamp", decisions=("oak",))
    write(workspace, {f"memory/episodic/{ago(40)}.md": one, f"memory/{ago(40)}.md": two})
    assert holdfast("upkeep").code == 0
    found = [text for _, text in markdown.blocks(read(workspace, archived(ago(40))))]
    assert sorted(found) == sorted(text for day in (one, two) for _, text in markdown.blocks(day))


@pytest.mark.parametrize("day", [40, 200])
def test_an_archived_day_is_still_shown_and_searched(day: int, holdfast: Holdfast, workspace: Path) -> None:
    """`show DAY` and `search` know the archive, packed or not."""
    past(workspace)
    holdfast("upkeep")
    word = {40: "an old walk", 200: "long ago"}[day]
    assert word in holdfast("show", ago(day)).out
    assert archived(ago(day), packed=day == 200) in holdfast("search", word).out


def test_days_says_how_old(holdfast: Holdfast, workspace: Path) -> None:
    """`--days N` for once, the settings for always."""
    write(workspace, {f"memory/{ago(n)}.md": f"# {ago(n)}\n" for n in (5, 15, 25)})
    holdfast("upkeep", "archive", "--days", "10")
    assert [(workspace / "memory" / f"{ago(n)}.md").exists() for n in (5, 15, 25)] == [True, False, False]
    write(workspace, {".holdfast/config.toml": "archiveDays = 3\n"})
    holdfast("upkeep", "archive")
    assert not (workspace / "memory" / f"{ago(5)}.md").exists()


# ---- rotate ------------------------------------------------------------------------------------------------------------


def test_a_long_buffer_goes_into_the_day(holdfast: Holdfast, workspace: Path) -> None:
    """Beyond 80 lines; the head stays, every line is in today's file in its order."""
    past(workspace)
    holdfast("upkeep", "rotate")
    assert read(workspace, "memory/working-buffer.md") == BUFFER
    day = read(workspace, f"memory/{ago(0)}.md")
    assert [line for line in day.split("\n") if " step " in line] == [f"- 2026-11-10 09:0{n % 10} step {n}" for n in range(85)]


def test_a_short_buffer_stays(holdfast: Holdfast, workspace: Path) -> None:
    """80 lines are not too many."""
    text = BUFFER + "- x\n" * 76
    write(workspace, {"memory/working-buffer.md": text})
    assert holdfast("upkeep", "rotate").out.startswith("Nothing to do")
    assert read(workspace, "memory/working-buffer.md") == text


# the head of the buffer, what is below it, how many days ago its file was saved; and since how many days it lies idle (0: not)
IDLE: dict[str, tuple[str, str, int, int]] = {
    "without a head": ("# Working Buffer\n\n", "- checking ports\n", 12, 12),
    "saved lately": ("# Working Buffer\n\n", "- checking ports\n", 3, 0),
    "dated lines": ("# Working Buffer\n\n", f"- {ago(20)} 09:00 one\n- {ago(15)} two\n", 0, 15),
    "a line without a date after them": ("# Working Buffer\n\n", f"- {ago(20)} 09:00 one\n- two\n", 2, 0),
    "no date in the head": ("# Working Buffer\nlast_active:\n\n", "- x\n", 9, 9),
    "a head, and a newer line": (f"# B\nlast_active: {ago(30)}\n\n", f"- {ago(2)} two\n", 40, 0),
    "a head": (f"# B\nlast_active: {ago(30)}\n\n", "- x\n", 0, 30),
    "nothing in it": ("# Working Buffer\n", "", 40, 0),
}


@pytest.mark.parametrize("case", IDLE)
def test_a_buffer_that_nobody_touches_grows_stale(case: str, holdfast: Holdfast, workspace: Path) -> None:
    """By its head, by the dates of its lines, else by its file; then it goes into the day. One that says nothing of it too."""
    head, body, saved, since = IDLE[case]
    write(workspace, {"memory/working-buffer.md": head + body, f"memory/{ago(0)}.md": "- today\n"})
    moment = time.mktime(time.strptime(f"{ago(saved)} 12", "%Y-%m-%d %H"))
    os.utime(workspace / "memory/working-buffer.md", (moment, moment))
    plan = holdfast("upkeep", "rotate", "--dry-run").out
    assert (f"the buffer lies idle since {ago(since)}" in plan) is bool(since)
    assert ("WANTING  no orphaned entries in the buffer" in holdfast("health").out) is bool(since)


def test_rotation_waits_while_a_task_is_under_way(holdfast: Holdfast, workspace: Path) -> None:
    """With a task set and worked on within the hour the buffer stays; once it is done, it goes."""
    holdfast("task", "the parser")
    for n in range(90):
        holdfast("decide", f"decision {n}")
    assert "\nrotate " not in f"\n{holdfast('upkeep', '--dry-run').out}"
    holdfast("task", "none")
    assert "\nrotate " in "\n" + holdfast("upkeep", "--dry-run").out


def test_a_rotation_that_a_crash_cut_in_two_is_finished(holdfast: Holdfast, workspace: Path) -> None:
    """The day has the lines already and the buffer still has them: they are not told twice."""
    past(workspace)
    holdfast("upkeep", "rotate")
    buffer = BUFFER + "".join(f"- 2026-11-10 09:0{n % 10} step {n}\n" for n in range(85)) + "- 2026-11-16 12:00 one more\n"
    write(workspace, {"memory/working-buffer.md": buffer})
    holdfast("upkeep", "rotate")
    day = read(workspace, f"memory/{ago(0)}.md")
    assert day.count(" step ") == 85
    assert day.count("one more") == 1


# ---- closing and passing notes -----------------------------------------------------------------------------------------


def test_a_day_that_is_over_is_closed_and_closed_again_after_more(holdfast: Holdfast, workspace: Path) -> None:
    """Four lines; what is added below them gets a fresh block; today stays open."""
    day = f"memory/{ago(1)}.md"
    write(workspace, {day: f"# {ago(1)}\n\n- [LESSON] measure first\n", f"memory/{ago(0)}.md": "- today\n"})
    holdfast("upkeep")
    closure = f"\nUpdated: {ago(1)}\nDecisions: none\nSignal: measure first\nOpen: none\n"
    assert read(workspace, day).endswith(closure)
    assert "Updated:" not in read(workspace, f"memory/{ago(0)}.md")
    write(workspace, {day: read(workspace, day) + "\n- and one more\n"})
    holdfast("upkeep")
    assert read(workspace, day).count("Updated:") == 2
    assert read(workspace, day).endswith(closure)


def block(day: str, session: str = "s1", **said: tuple[str, ...]) -> str:
    """A checkpoint in its day."""
    shown = markdown.show_block(markdown.Block(Checkpoint(**said), f"{day}T10:00:00", f"{day}-01", f"{day}-{session}", session))
    return f"# {day}\n\n---\n\n## Task Snapshot -- 10:00\n\n{shown}"


SET = [(3, "decide: oak, not pine"), (3, "pending: order the oak"), (3, "pending: call the mill"), (3, "done: call the mill"),
       (2, "decide: two doors")]  # fmt: skip


@pytest.mark.parametrize("rotated", [False, True])
def test_what_commands_set_is_in_the_closure_block_of_its_own_day(rotated: bool, holdfast: Holdfast, workspace: Path) -> None:
    """It stands in the buffer, and later in the day that the buffer went into, which is not the day on which it was decided."""
    lines = "".join(f"- {ago(n)} 09:0{i} {what}\n" for i, (n, what) in enumerate(SET))
    place = f"memory/{ago(1)}.md" if rotated else "memory/working-buffer.md"
    write(workspace, {f"memory/{ago(n)}.md": f"# {ago(n)}\n\n- a note\n" for n in (1, 2, 3)})
    write(workspace, {"memory/working-buffer.md": BUFFER})
    write(workspace, {place: read(workspace, place) + ("\n## Working Buffer -- rotated 09:00\n\n" if rotated else "") + lines})
    holdfast("upkeep")
    closure = "\nUpdated: {}\nDecisions: {}\nSignal: none\nOpen: {}\n"
    for n, decided, left in ((3, "oak, not pine", "order the oak"), (2, "two doors", "none"), (1, "none", "none")):
        assert read(workspace, f"memory/{ago(n)}.md").endswith(closure.format(ago(n), decided, left)), n
    assert holdfast("upkeep").out.startswith("Nothing to do")


def test_a_closure_block_tells_what_was_decided_and_learnt_on_its_day(holdfast: Holdfast, workspace: Path) -> None:
    """A session of weeks has all that was ever decided in each of its blocks. What has gone home is told as it was said."""
    write(workspace, {
        f"memory/{ago(3)}.md": block(ago(3), decisions=("oak",), corrections=("no nails",)),
        f"memory/{ago(2)}.md": block(ago(2), decisions=("oak", "two doors"), corrections=("no nails", "no glue")),
        f"memory/{ago(1)}.md": f"# {ago(1)}\n\n- [LESSON] → MEMORY.md: measure first\n",
    })  # fmt: skip
    holdfast("upkeep")
    for n, decided, learnt in ((3, "oak", "no nails"), (2, "two doors", "no glue"), (1, "none", "measure first")):
        closure = f"\nUpdated: {ago(n)}\nDecisions: {decided}\nSignal: {learnt}\nOpen: none\n"
        assert read(workspace, f"memory/{ago(n)}.md").endswith(closure), n


def test_passing_notes_expire_into_the_trash(holdfast: Holdfast, workspace: Path) -> None:
    """TEMP is for its day; the day as it was can be brought back."""
    past(workspace)
    before = read(workspace, f"memory/{ago(1)}.md")
    holdfast("note", "--type", "TEMP", "today's own")
    holdfast("upkeep")
    assert "[TEMP]" not in read(workspace, f"memory/{ago(1)}.md")
    assert "[TEMP] today's own" in read(workspace, f"memory/{ago(0)}.md")
    found = json.loads(holdfast("upkeep", "trash", "--json").out)
    (thing,) = [thing for thing in found if thing["why"].startswith("expire")]
    assert thing["path"] == f"memory/{ago(1)}.md"
    assert holdfast("upkeep", "trash", "--restore", thing["id"]).code == 0
    assert read(workspace, f"memory/{ago(1)}.md") == before


# ---- promote -----------------------------------------------------------------------------------------------------------


def test_what_recurs_goes_home_and_leaves_references(holdfast: Holdfast, workspace: Path) -> None:
    """The same words on two days, whatever case and full stop; the days refer to the home, and nothing else moves."""
    past(workspace)
    holdfast("upkeep", "promote")
    memory = read(workspace, "MEMORY.md")
    assert f"## [PREF] How I like it\n- short answers\n- Small commits. (from {ago(2)}, {ago(1)})\n" in memory
    assert f"## [TECH] Technical\n- port: 8080 (from {ago(3)}, {ago(2)})" in memory
    assert read(workspace, f"memory/{ago(1)}.md") == (
        f"# {ago(1)}\n\n- [PREF] → MEMORY.md: small commits\n- [TEMP] tab {ago(1)}\n- by hand\n"
    )
    assert "- 09:30 [PREF] → MEMORY.md: Small commits.\n" in read(workspace, f"memory/{ago(2)}.md")
    assert "\r\n- [TECH] → MEMORY.md: port: 8080\r\n- [LESSON] measure first\r\n" in read(workspace, f"memory/{ago(3)}.md")


HOMES = [("PREF", "semantic/preferences"), ("PROJ", "semantic/projects"), ("TECH", "semantic/infrastructure"),
         ("LESSON", "procedural/lessons-learned"), ("PEOPLE", "")]  # fmt: skip


@pytest.mark.parametrize(("kind", "home"), HOMES)
def test_each_class_of_fact_has_its_home(kind: str, home: str, holdfast: Holdfast, workspace: Path) -> None:
    """In the layout of seed D: its file where there is one, else its section of MEMORY.md."""
    holdfast("init", "--yes", "--layout", "v4")
    write(workspace, {f"memory/episodic/{ago(n)}.md": f"# {ago(n)}\n\n- [{kind}] the fact\n" for n in (1, 2)})
    holdfast("upkeep", "promote")
    name = f"memory/{home}.md" if home else "MEMORY.md"
    assert f"- the fact (from {ago(2)}, {ago(1)})" in read(workspace, name)
    assert f"[{kind}] → {name}: the fact" in read(workspace, f"memory/episodic/{ago(2)}.md")


def test_memory_keeps_to_its_lines(holdfast: Holdfast, workspace: Path) -> None:
    """Beyond 60 lines a fact goes to its file instead, which is made for it."""
    write(workspace, {"MEMORY.md": "# Full\n" + "- line\n" * 60})
    write(workspace, {f"memory/{ago(n)}.md": "- [PREF] small commits\n" for n in (1, 2)})
    holdfast("upkeep")
    assert read(workspace, "MEMORY.md") == "# Full\n" + "- line\n" * 60
    assert "#tags: preferences\n" in read(workspace, "memory/semantic/preferences.md").split("# Preferences\n")[1]


def test_a_contradicted_fact_is_marked_as_superseded(holdfast: Holdfast, workspace: Path) -> None:
    """The newer value stands, the older one is struck through with its days; a person's own line is not touched."""
    notes = {5: "vim", 4: "vim", 2: "helix", 1: "helix"}
    write(workspace, {f"memory/{ago(n)}.md": f"- [TECH] editor: {what}\n" for n, what in notes.items()})
    write(workspace, {"MEMORY.md": "# M\n\n## [TECH] Tools\n- editor: ed, says its owner\n"})
    answer = holdfast("upkeep", "promote")
    assert "“editor: vim” is superseded by “editor: helix”" in answer.out
    text = read(workspace, "MEMORY.md")
    assert f"- ~~editor: vim~~ (from {ago(5)}, {ago(4)}; superseded {ago(1)})\n- editor: helix (from {ago(2)}, {ago(1)})" in text
    assert "- editor: ed, says its owner\n" in text


def test_a_value_in_the_other_home_is_superseded_too(holdfast: Holdfast, workspace: Path) -> None:
    """MEMORY.md was full when the newer value came, and its file was made: only one of the two stands, whichever came later."""
    memory = "# M\n" + "- line\n" * 60 + f"\n## [TECH] Tools\n- editor: vim (from {ago(60)}, {ago(59)})\n"
    write(workspace, {"MEMORY.md": memory, **{f"memory/{ago(n)}.md": "- [TECH] editor: helix\n" for n in (2, 1)}})
    answer = holdfast("upkeep", "promote")
    assert "“editor: vim” is superseded by “editor: helix”" in answer.out
    assert read(workspace, "MEMORY.md") == memory.replace("editor: vim (", "~~editor: vim~~ (").replace(
        f"{ago(59)})", f"{ago(59)}; superseded {ago(1)})")  # fmt: skip
    file = "memory/semantic/infrastructure.md"
    assert read(workspace, file).endswith(f"\n- editor: helix (from {ago(2)}, {ago(1)})\n")
    write(workspace, {f"memory/{ago(n)}.md": "- [TECH] editor: ed\n" for n in (6, 5)})
    holdfast("upkeep", "promote")
    assert f"- ~~editor: ed~~ (from {ago(6)}, {ago(5)}; superseded {ago(2)})\n" in read(workspace, file)
    assert "one value for each thing" not in [line[9:] for line in holdfast("health").out.split("\n") if "WANTING" in line]
    assert holdfast("upkeep", "promote").out.startswith("Nothing to do")


def test_a_value_that_comes_back_in_one_long_run_stands_again(holdfast: Holdfast, workspace: Path) -> None:
    """Three months are archived at once: what was superseded in the second is news in the third."""
    for days, what in ((130, "vim"), (95, "helix"), (60, "vim")):
        write(workspace, {f"memory/{ago(days)}.md": f"- [PREF] editor: {what}\n"})
    holdfast("upkeep")
    lines = [line for line in read(workspace, "MEMORY.md").split("\n") if "editor" in line]
    assert [line.startswith("- ~~") for line in lines] == [True, True, False]
    assert lines[-1] == f"- editor: vim (from {ago(60)})"


def test_an_older_value_does_not_supersede_a_newer_one(holdfast: Holdfast, workspace: Path) -> None:
    """A day that is archived late brings home what was true then."""
    write(workspace, {f"memory/{ago(n)}.md": "- [PREF] editor: helix\n" for n in (1, 2)})
    holdfast("upkeep", "promote")
    write(workspace, {f"memory/{ago(60)}.md": "- [PREF] editor: vim\n"})
    holdfast("upkeep")
    text = read(workspace, "MEMORY.md")
    assert f"- editor: helix (from {ago(2)}, {ago(1)})" in text
    assert f"- ~~editor: vim~~ (from {ago(60)}; superseded {ago(2)})" in text
    write(workspace, {f"memory/{ago(70)}.md": "- [PREF] editor: vim\n"})
    holdfast("upkeep")
    assert read(workspace, "MEMORY.md") == text, "told once is enough"
    write(workspace, {f"memory/{ago(0)}.md": "- [PREF] editor: vim\n", f"memory/{ago(1)}.md": "- [PREF] editor: vim\n"})
    holdfast("upkeep", "promote")
    assert f"- editor: vim (from {ago(1)}, {ago(0)})" in read(workspace, "MEMORY.md"), "and true again when it is said again"


def test_an_older_value_is_told_once_in_one_long_run(holdfast: Holdfast, workspace: Path) -> None:
    """Two months are archived late, and both have what was true then."""
    write(workspace, {f"memory/{ago(n)}.md": "- [PREF] editor: helix\n" for n in (1, 2)})
    holdfast("upkeep", "promote")
    write(workspace, {f"memory/{ago(n)}.md": "- [PREF] editor: vim\n" for n in (130, 95)})
    holdfast("upkeep")
    text = read(workspace, "MEMORY.md")
    assert text.count("editor: vim") == 1
    assert f"- ~~editor: vim~~ (from {ago(130)}; superseded {ago(2)})" in text
    assert f"- editor: helix (from {ago(2)}, {ago(1)})" in text


def test_lines_that_only_begin_alike_do_not_contradict_each_other(holdfast: Holdfast, workspace: Path) -> None:
    """“Remember: …” is no thing that has a value, a lesson is no setting, and what a person “is” may be many things."""
    lines = ["[PREF] remember: tea", "[PREF] remember: no sugar", "[LESSON] deploys: not on Friday", "[LESSON] deploys: in pairs",
             "[PEOPLE] Anna is a designer", "[PEOPLE] Anna is on leave"]  # fmt: skip
    write(workspace, {f"memory/{ago(n)}.md": "".join(f"- {line}\n" for line in lines) for n in (1, 2)})
    holdfast("upkeep")
    assert "~~" not in read(workspace, "MEMORY.md")


def test_a_home_keeps_its_owners_empty_lines(holdfast: Holdfast, workspace: Path) -> None:
    """What is brought home stands below what is there, to the byte."""
    theirs = "# Preferences\n#tags: preferences\n\n- tea\n\nA paragraph.\n\n\n"
    write(workspace, {"memory/semantic/preferences.md": theirs})
    write(workspace, {f"memory/{ago(n)}.md": "- [PREF] small commits\n" for n in (1, 2)})
    holdfast("upkeep")
    assert read(workspace, "memory/semantic/preferences.md") == theirs + f"- small commits (from {ago(2)}, {ago(1)})\n"


def test_a_note_once_on_one_day_stays(holdfast: Holdfast, workspace: Path) -> None:
    """Once is not often; neither is twice on one day, nor an untyped line."""
    write(workspace, {f"memory/{ago(1)}.md": "- [PREF] once\n- [PREF] once\n- plain\n", f"memory/{ago(2)}.md": "- plain\n"})
    assert holdfast("upkeep", "promote").out.startswith("Nothing to do")


def test_a_secret_by_hand_is_not_carried_into_every_session(holdfast: Holdfast, workspace: Path) -> None:
    """What has a secret in it stays in its day, and no answer shows it."""
    key = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA1bC3dE5"
    write(workspace, {f"memory/{ago(n)}.md": f"- [PREF] token {key}\n- [TEMP] {key}\n" for n in (1, 2, 50)})
    answer = holdfast("upkeep")
    trash = "".join(path.read_text() for path in (workspace / ".holdfast/trash").glob("*.why"))
    assert key not in answer.out + answer.err + trash
    assert not (workspace / "MEMORY.md").exists()
    assert read(workspace, f"memory/{ago(1)}.md").count(key) == 1, "and its closure block does not repeat it"


# ---- the trash ---------------------------------------------------------------------------------------------------------


def test_the_trash_lists_brings_back_and_is_emptied_by_its_owner(holdfast: Holdfast, workspace: Path) -> None:
    """A thing comes back byte for byte; what stood in its place goes to the trash in its turn; `--empty` is for good."""
    past(workspace)
    old = read(workspace, f"memory/{ago(40)}.md")
    holdfast("upkeep", "archive")
    (thing,) = [t for t in json.loads(holdfast("upkeep", "trash", "--json").out) if t["path"] == f"memory/{ago(40)}.md"]
    assert thing["id"] in holdfast("upkeep", "trash").out
    write(workspace, {thing["path"]: "something else stands here now\n"})
    assert holdfast("upkeep", "trash", "--restore", thing["id"]).out.startswith(f"restored  {thing['path']}")
    assert read(workspace, f"memory/{ago(40)}.md") == old
    assert b"something else stands here now" in lines_of(workspace)
    assert holdfast("upkeep", "trash", "--empty").out.startswith("emptied")
    assert holdfast("upkeep", "trash").out == "The trash is empty.\n"
    assert list((workspace / ".holdfast/trash").iterdir()) == []


def test_the_trash_keeps_its_days(holdfast: Holdfast, workspace: Path) -> None:
    """What has lain there for more than 90 days is let go by upkeep, and only that."""
    day = ago(91).replace("-", "")
    for stamp in (day, ago(89).replace("-", "")):
        write(workspace, {f".holdfast/trash/{stamp}-120000-000000-abcdefgh.01234567.x.md": "old\n",
                          f".holdfast/trash/{stamp}-120000-000000-abcdefgh.01234567.why": "because\n"})  # fmt: skip
    (workspace / "memory").mkdir()
    write(workspace, {"memory/notes.md": "x\n"})
    assert "let go for good" in holdfast("upkeep").out
    left = sorted(path.name[:8] for path in (workspace / ".holdfast/trash").iterdir())
    assert left == [ago(89).replace("-", "")] * 2


def test_many_receipts_begin_a_new_file_and_are_still_read(holdfast: Holdfast, workspace: Path) -> None:
    """Beyond a megabyte; the ones before them are in the trash after the next megabyte."""
    line = json.dumps({"time": "2026-11-15T09:00:00", "session": "s", "kept": {"files": [1, 2]}, "dropped": {}}) + "\n"
    for _ in range(2):
        write(workspace, {".holdfast/receipts.jsonl": line * 12_000, "memory/notes.md": "x\n"})
        assert "receipts" in holdfast("upkeep").out
    assert not (workspace / ".holdfast/receipts.jsonl").exists()
    assert read(workspace, ".holdfast/receipts.old.jsonl") == line * 12_000
    assert "kept 1 of 2 files" in holdfast("status").out
    assert "receipts.old.jsonl" in holdfast("upkeep", "trash").out


def test_a_link_out_of_the_workspace_is_not_followed(holdfast: Holdfast, workspace: Path, tmp_path: Path) -> None:
    """A day, a home or the archive that is a link is named or passed over, never written through."""
    outside = tmp_path / "outside"
    write(outside, {f"{ago(50)}.md": "- theirs\n", "MEMORY.md": "# theirs\n"})
    write(workspace, {f"memory/{ago(60)}.md": "- [PREF] ours\n"})
    (workspace / "memory/archive").symlink_to(outside)
    (workspace / "MEMORY.md").symlink_to(outside / "MEMORY.md")
    (workspace / f"memory/{ago(50)}.md").symlink_to(outside / f"{ago(50)}.md")
    before = documents(outside)
    answer = holdfast("upkeep")
    assert documents(outside) == before
    assert answer.code == 0
    assert "left alone  memory/archive: " in answer.out
    assert b"- [PREF] ours" in lines_of(workspace)


@pytest.mark.parametrize("put", [Path.mkdir, os.mkfifo], ids=["folder", "FIFO"])
def test_what_cannot_be_read_is_left_alone_and_named(put: Callable[[Path], None], holdfast: Holdfast, workspace: Path) -> None:
    """Something else in the place of a home: nothing is brought home elsewhere, nothing is archived, and the rest is done."""
    past(workspace)
    (workspace / "MEMORY.md").unlink()
    put(workspace / "MEMORY.md")
    answer = holdfast("upkeep")
    assert "left alone  MEMORY.md: " in answer.out
    assert "rotate " in answer.out
    assert "promote " not in answer.out
    assert (workspace / f"memory/{ago(40)}.md").exists()


# ---- the weekly review -------------------------------------------------------------------------------------------------


def test_the_review_takes_the_week_to_where_it_lasts(holdfast: Holdfast, workspace: Path) -> None:
    """Decisions, lessons, friction that recurs and open questions, each with its days; a second review finds nothing."""
    holdfast("init", "--yes", "--layout", "v4")
    words = ("--task", "x", "--decision", "oak, not pine", "--unanswered", "Round per line?", "--question", "Which bank?")
    holdfast("checkpoint", *words)
    notes = {2: "- [LESSON] measure first\n- #friction: the VPN drops\n", 3: "- [TECH] x\n- #friction: The VPN drops.\n"}
    write(workspace, {f"memory/episodic/{ago(n)}.md": f"# {ago(n)}\n\n{text}" for n, text in notes.items()})
    answer = holdfast("upkeep", "review")
    assert answer.code == 0, answer.err
    assert f"- oak, not pine (from {ago(0)})" in read(workspace, "memory/semantic/decisions.md")
    lessons = read(workspace, "memory/procedural/lessons-learned.md")
    assert f"- measure first (from {ago(2)})" in lessons
    assert f"- the VPN drops (from {ago(3)}, {ago(2)})" in lessons
    assert "[LESSON] → memory/procedural/lessons-learned.md: measure first" in read(workspace, f"memory/episodic/{ago(2)}.md")
    assert read(workspace, "MEMORY.md").endswith(
        f"## Open Questions\n- Round per line? (from {ago(0)})\n- Which bank? (from {ago(0)})\n")  # fmt: skip
    assert "No meaningful changes.\n" in holdfast("upkeep", "review").out


@pytest.mark.parametrize("rotated", [False, True])
def test_the_review_brings_home_what_was_decided_by_commands(rotated: bool, holdfast: Holdfast, workspace: Path) -> None:
    """Who works with `holdfast decide` alone has no checkpoint in any day."""
    place = f"memory/{ago(1)}.md" if rotated else "memory/working-buffer.md"
    lines = f"- {ago(20)} 09:00 decide: elm\n- {ago(3)} 09:00 decide: oak, not pine\n- {ago(2)} 09:01 task: sand it\n"
    write(workspace, {place: ("# x\n\n" if rotated else BUFFER) + lines, f"memory/{ago(0)}.md": "- today\n"})
    holdfast("upkeep", "review")
    assert read(workspace, "memory/semantic/decisions.md").endswith(f"\n\n- oak, not pine (from {ago(3)})\n")
    assert holdfast("upkeep", "review").out.startswith("No meaningful changes.\n")


def test_the_review_dates_a_decision_by_the_day_on_which_it_was_made(holdfast: Holdfast, workspace: Path) -> None:
    """Also in a session of weeks, and two decisions about one thing are no two values of it."""
    first, second = "doors: of oak", "doors: two of them"
    write(workspace, {f"memory/{ago(20)}.md": block(ago(20), decisions=(first,))})
    write(workspace, {f"memory/{ago(2)}.md": block(ago(2), decisions=(first, second))})
    holdfast("upkeep", "review")
    assert read(workspace, "memory/semantic/decisions.md").endswith(f"\n- {first} (from {ago(20)})\n- {second} (from {ago(2)})\n")


def test_what_rubs_again_a_week_later_rubs_more_than_once(holdfast: Holdfast, workspace: Path) -> None:
    """The two need not be of one week; what came back long ago and not since is not told again."""
    for n, what in ((9, "VPN"), (2, "VPN"), (20, "printer"), (19, "printer"), (1, "lamp")):
        write(workspace, {f"memory/{ago(n)}.md": f"# {ago(n)}\n\n- #friction: the {what} fails\n"})
    holdfast("upkeep", "review")
    lessons = read(workspace, "memory/procedural/lessons-learned.md")
    assert lessons.endswith(f"\n\n- the VPN fails (from {ago(9)}, {ago(2)})\n")


def test_a_question_leaves_the_open_ones_when_its_session_has_the_answer(holdfast: Holdfast, workspace: Path) -> None:
    """Otherwise MEMORY.md asks for ever. What its owner wrote there stays, and so does what a session was left with."""
    questions = "# M\n#tags: memory\n\n## Open Questions\n- mine?\n"
    write(workspace, {"MEMORY.md": questions, f"memory/{ago(3)}.md": block(ago(3), unanswered=("Round per line?",))})
    holdfast("upkeep", "review")
    assert read(workspace, "MEMORY.md") == f"{questions}- Round per line? (from {ago(3)})\n"
    write(workspace, {f"memory/{ago(2)}.md": block(ago(2), "s2", task="something else")})
    assert "no longer open" not in holdfast("upkeep", "review").out
    write(workspace, {f"memory/{ago(1)}.md": block(ago(1), unanswered=("Which bank?",))})
    assert "no longer open: Round per line?" in holdfast("upkeep", "review").out
    assert read(workspace, "MEMORY.md") == f"{questions}- Which bank? (from {ago(1)})\n"
    assert holdfast("upkeep", "review").out.startswith("No meaningful changes.\n")


ASKED = "which disk for backups?"
REPEATED: dict[str, tuple[Callable[[str], str], Callable[[str], str]]] = {  # first said as, then as
    "in a block, then": (lambda day: closed(day, ASKED), lambda day: block(day, unanswered=(ASKED,))),
    "by a command, then": (lambda day: closed(day, ASKED), lambda day: f"# x\n\n- {day} 09:00 pending: {ASKED}\n"),
    "by hand, then": (lambda day: block(day, unanswered=(ASKED,)), lambda day: block(day) + closed(day, ASKED)),
    "with more words": (lambda day: closed(day, ASKED), lambda day: closed(day, "still open: which disk for backups at all?")),
}


def closed(day: str, left: str) -> str:
    """A day that was closed by hand."""
    return f"# {day}\n\n- a walk\n\nUpdated: {day}\nDecisions: none\nSignal: none\nOpen: {left}\n"


@pytest.mark.parametrize("case", REPEATED)
def test_a_question_that_is_asked_again_is_still_open(case: str, holdfast: Holdfast, workspace: Path) -> None:
    """Wherever it is said again, nobody has answered it: it stays, once, and is not said to be over."""
    first, again = REPEATED[case]
    write(workspace, {"MEMORY.md": "# M\n\n## Open Questions\n", f"memory/{ago(4)}.md": first(ago(4))})
    holdfast("upkeep", "review")
    write(workspace, {f"memory/{ago(2)}.md": again(ago(2))})
    out = holdfast("upkeep", "review").out
    assert "no longer open" not in out
    assert read(workspace, "MEMORY.md").endswith(f"## Open Questions\n- {ASKED} (from {ago(4)})\n")


@pytest.mark.parametrize("words", [(), ("review",)])
def test_a_closure_block_says_what_was_said_on_its_day_also_of_what_goes_home(
    words: tuple[str, ...], holdfast: Holdfast, workspace: Path
) -> None:
    """A decision that is promoted in the same run, and a lesson with its words instead of its heading alone."""
    decided = "- [PROJ] decided: the backups go to the second disk, and every Sunday to the one in the cellar\n"
    learnt = "\n## [LESSON] Backups\nrsync without -x copied the mounted camera; it took all night.\n"
    write(workspace, {f"memory/{ago(n)}.md": f"# {ago(n)}\n\n{decided}{learnt if n == 1 else ''}" for n in (1, 2, 3)})
    holdfast("upkeep", *words)
    day = read(workspace, f"memory/{ago(1)}.md")
    assert "\n- [PROJ] → " in day
    assert "\nDecisions: the backups go to the second disk, and every Sunday to the one in the cellar\n" in day
    assert "\nSignal: Backups – rsync without -x copied the mounted camera, it took all night.\n" in day
    holdfast("upkeep", "review")
    every = "\n".join(text.decode() for text in documents(workspace).values())
    for said in ("the second disk", "copied the mounted camera"):
        assert len(re.findall(rf"(?m)^- (?!\[).*{said}.* \(from ", every)) == 1, said
    assert holdfast("upkeep", "review").out.startswith("No meaningful changes.\n")


def test_what_was_decided_before_this_week_is_not_said_to_be_decided_this_week(holdfast: Holdfast, workspace: Path) -> None:
    """Said again, it comes home with both its days; a session of weeks only carries it along, and it has one."""
    write(workspace, {f"memory/{ago(n)}.md": "# x\n\n- decided: oak, not pine\n" for n in (20, 2)})
    write(workspace, {f"memory/{ago(19)}.md": block(ago(19), decisions=("two doors",))})
    write(workspace, {f"memory/{ago(3)}.md": block(ago(3), decisions=("two doors", "brass hinges"))})
    said = holdfast("upkeep", "review").out
    assert "decided this week: brass hinges →" in said
    assert "decided earlier, and said again this week: oak, not pine; two doors →" in said
    assert read(workspace, "memory/semantic/decisions.md").endswith(
        f"\n- oak, not pine (from {ago(20)}, {ago(2)})\n- two doors (from {ago(19)})\n- brass hinges (from {ago(3)})\n"
    )


def test_a_review_of_a_quiet_week_says_so(holdfast: Holdfast, workspace: Path) -> None:
    """“No meaningful changes.”, and nothing is written."""
    write(workspace, {f"memory/{ago(0)}.md": "- just today\n"})
    before = documents(workspace)
    assert holdfast("upkeep", "review").out.startswith("No meaningful changes.\n")
    assert documents(workspace) == before


def test_the_review_says_what_health_finds_wanting(holdfast: Holdfast, workspace: Path) -> None:
    """What upkeep cannot mend is named after it."""
    write(workspace, {"memory/semantic/mine.md": "# Mine\n"})
    assert "WANTING  tags on line 2" in holdfast("upkeep", "review").out


@pytest.mark.parametrize("words", [(), ("classify",), ("review",), ("promote",), ("archive", "--days", "10")])
def test_a_plan_that_is_shown_names_the_command_that_carries_it_out(
    holdfast: Holdfast, workspace: Path, words: tuple[str, ...]
) -> None:
    """With its duty and its flags; carried out by these words, there is nothing left to plan."""
    past(workspace)
    write(workspace, {f"memory/{ago(20)}.md": f"# {ago(20)}\n\n- I prefer tabs over spaces\n"})
    shown = holdfast("upkeep", *words, "--dry-run").out
    said = re.search(r"nothing was changed\. `holdfast (.*)` makes it so\.", shown)
    assert said
    assert said[1].split() == ["upkeep", *words]
    assert holdfast(*said[1].split()).code == 0
    assert "planned" not in holdfast("upkeep", *words, "--dry-run").out


def test_what_a_restored_file_displaces_says_so_in_the_trash(holdfast: Holdfast, workspace: Path) -> None:
    """The reason is that something was brought back, and not a command that nobody gave."""
    for text in (b"one\n", b"two\n"):
        holdfast("write", "plan.md", stdin=text)
    (first,) = json.loads(holdfast("upkeep", "trash", "--json").out)
    assert first["why"] == "replaced by `holdfast write`"
    holdfast("upkeep", "trash", "--restore", first["id"])
    (second,) = json.loads(holdfast("upkeep", "trash", "--json").out)
    assert (second["path"], second["why"]) == ("plan.md", "replaced by what was brought back from the trash")


def test_what_rubs_is_one_lesson_with_its_tag_and_without(holdfast: Holdfast, workspace: Path) -> None:
    """A note that is tagged as friction and gets its type is no second lesson beside the one that a review has made of it."""
    notes = {n: f"# {ago(n)}\n\n- #friction: lesson learned: the flaky test fails on Mondays\n" for n in (1, 2, 3)}
    write(workspace, {f"memory/{day}.md": text for n, text in notes.items() for day in [ago(n)]})
    for words in (("review",), ("classify",), ("promote",)):
        assert holdfast("upkeep", *words).code == 0
    assert read(workspace, "memory/procedural/lessons-learned.md").count("flaky test") == 1
    assert "[LESSON] → memory/procedural/lessons-learned.md" in read(workspace, f"memory/{ago(2)}.md")


# ---- types -------------------------------------------------------------------------------------------------------------

UNTYPED = [
    ("- I prefer tabs over spaces\n", "- [PREF] I prefer tabs over spaces\n"),
    ("- 09:30 Lesson learned: never deploy on a Friday\n", "- 09:30 [LESSON] Lesson learned: never deploy on a Friday\n"),
    ("* 我更喜欢简短的回答\n", "* [PREF] 我更喜欢简短的回答\n"),
    ("- [TECH] port: 8080\n", "- [TECH] port: 8080\n"),
    ("- hm\n", "- hm\n"),
    ("I prefer tabs, said outside of a list\n", "I prefer tabs, said outside of a list\n"),
    ("```\n- I prefer tabs over spaces\n```\n", "```\n- I prefer tabs over spaces\n```\n"),
    ("- Lesson learned: measure first\r\n", "- [LESSON] Lesson learned: measure first\r\n"),
]


@pytest.mark.parametrize(("before", "after"), UNTYPED)
def test_notes_without_a_type_get_one_where_their_words_tell_it(
    before: str, after: str, holdfast: Holdfast, workspace: Path
) -> None:
    """In days that are over, and nowhere else; nothing but the type is added, and a second run finds nothing."""
    end = "\r\n" if "\r" in before else "\n"
    head = f"# {ago(2)}{end}{end}"
    write(workspace, {f"memory/{ago(2)}.md": head + before, f"memory/{ago(0)}.md": head + before})
    assert holdfast("upkeep", "classify").code == 0
    assert (workspace / f"memory/{ago(2)}.md").read_bytes().decode() == head + after
    assert (workspace / f"memory/{ago(0)}.md").read_bytes().decode() == head + before
    assert "Nothing to do" in holdfast("upkeep", "classify").out


def test_types_are_given_by_name_alone(holdfast: Holdfast, workspace: Path) -> None:
    """A type is an opinion about somebody's line: plain upkeep gives none, and a dry run only says which it would be."""
    write(workspace, {f"memory/{ago(2)}.md": f"# {ago(2)}\n\n- I prefer tabs over spaces\n"})
    shown = holdfast("upkeep", "classify", "--dry-run").out
    assert "get their type: 1 PREF" in shown
    holdfast("upkeep")
    assert "[PREF]" not in read(workspace, f"memory/{ago(2)}.md")


def test_a_long_upkeep_says_at_a_terminal_how_far_it_is(tmp_path: Path) -> None:
    """A bar that grows to its end and is taken away; where nobody looks on, there is none. Forty days are two months at least."""
    days = {f"memory/{ago(n)}.md": f"# {ago(n)}\n\n- [TEMP] a tab {n}\n" for n in range(40, 80)}
    argv = [sys.executable, "-m", "holdfast", "--workspace", str(write(tmp_path, days)), "upkeep"]
    host, terminal = os.openpty()
    done = subprocess.run(argv, stderr=terminal, stdout=subprocess.PIPE, check=True)
    os.close(terminal)
    told = b""
    with contextlib.suppress(OSError):  # so the end of a terminal is told; what was written to it may come in pieces
        while part := os.read(host, 100_000):
            told += part
    os.close(host)
    shown = told.decode()
    steps = re.findall(r"\r\x1b\[K\[(#*)\.*\] (\d+) of (\d+) changes", shown)
    assert [int(number) for _, number, _ in steps] == list(range(1, int(steps[0][2]) + 1))
    assert (len(steps[0][0]) < 24, len(steps[-1][0])) == (True, 24)
    assert shown.endswith("\r\x1b[K")
    assert b"#" not in done.stdout
