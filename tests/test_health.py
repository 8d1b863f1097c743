"""The health check as a user sees it: every check has its verdict, what is wrong is said with where and what mends it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import Holdfast
from upkept import BUFFER, ago, documents, past, write

WELL = {
    "MEMORY.md": "# Agent Memory\n#tags: memory\nlast_verified: {today}\n\n## [PREF] Preferences\n- short answers\n\n"
    "## Active Decisions\n- [oak](semantic/decisions.md#oak-not-pine)\n\n## Open Questions\n- one?\n",
    "memory/semantic/decisions.md": "# Decisions\n#tags: decisions\nlast_verified: {today}\n\n## Oak, not pine\nBecause.\n",
    "memory/{yesterday}.md": "# {yesterday}\n\n- [LESSON] x\n\nUpdated: {yesterday}\nDecisions: none\nSignal: x\nOpen: none\n",
    "memory/{today}.md": "# {today}\n\n- [PREF] tea\n",
    "memory/working-buffer.md": "# Working Buffer\ncreated: {today}T09:00:00\nlast_active: {today}T09:00:00\n\n- a step\n",
}


def well(workspace: Path) -> Path:
    """A workspace in which nothing is wanting."""
    for name, text in WELL.items():
        days = {"today": ago(0), "yesterday": ago(1)}
        write(workspace, {name.format(**days): text.format(**days)})
    return workspace


def health(holdfast: Holdfast, *words: str) -> tuple[int, dict[str, Any], dict[str, dict[str, Any]]]:
    answer = holdfast("health", "--json", *words)
    data = json.loads(answer.out)
    return answer.code, data, {check["check"]: check for check in data["checks"] if not check["ok"]}


@pytest.mark.parametrize("name", ["MEMORY.md", "memory/procedural/lessons-learned.md", "memory/semantic/decisions.md"])
def test_lessons_and_decisions_about_one_thing_are_no_two_values_of_it(name: str, holdfast: Holdfast, workspace: Path) -> None:
    """“deploys: not on Friday” and “deploys: in pairs” are both learnt; to strike one would be bad advice."""
    head = f"# X\n#tags: lessons\nlast_verified: {ago(0)}\n\n"
    memory = "## [LESSON] Lessons\n" if name == "MEMORY.md" else ""
    path = well(workspace) / name
    path.parent.mkdir(parents=True, exist_ok=True)
    before = path.read_text() if path.exists() else head
    path.write_text(f"{before}\n{memory}- deploys: not on Friday\n- deploys: in pairs\n")
    assert health(holdfast)[2] == {}


def test_a_workspace_in_order_is_well(holdfast: Holdfast, workspace: Path) -> None:
    """Exit 0, every check ok, and nothing is written."""
    before = documents(well(workspace))
    code, data, wrong = health(holdfast)
    assert (code, data["ok"], wrong) == (0, True, {})
    assert len(data["checks"]) > 18
    assert documents(workspace) == before
    assert not (workspace / ".holdfast").exists()


def replaced(name: str, old: str, new: str) -> Callable[[Path], None]:
    def spoil(workspace: Path) -> None:
        path = workspace / name
        path.write_text(path.read_text().replace(old, new))

    return spoil


def added(name: str, text: str) -> Callable[[Path], None]:
    def spoil(workspace: Path) -> None:
        path = workspace / name.format(today=ago(0), yesterday=ago(1), lately=ago(5))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text((path.read_text() if path.exists() else "") + text)

    return spoil


def many_days(workspace: Path) -> None:
    write(workspace, {".holdfast/config.toml": "archiveDays = 90\n"})
    write(workspace, {f"memory/{ago(n)}.md": "# x\n\nUpdated: x\nDecisions: x\nSignal: x\nOpen: x\n" for n in range(2, 53)})


def late_days(workspace: Path) -> None:
    write(workspace, {f"memory/{ago(n)}.md": "- x\n" for n in (31, 35, 60)})


def in_its_place(name: str) -> Callable[[Path], None]:
    """A folder where a document should be."""

    def spoil(workspace: Path) -> None:
        (workspace / name).unlink(missing_ok=True)
        (workspace / name).mkdir()

    return spoil


def file_for_folder(name: str) -> Callable[[Path], None]:
    """A file where a folder of the journal should be."""

    def spoil(workspace: Path) -> None:
        path = workspace / name.format(today=ago(0))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")

    return spoil


def link_for_folder(workspace: Path) -> None:
    (workspace / ".holdfast").mkdir()
    (workspace / ".holdfast/journal").symlink_to(workspace / "memory")


def in_utf16(name: str) -> Callable[[Path], None]:
    """Saved by an editor that takes UTF-16 for text."""

    def spoil(workspace: Path) -> None:
        (workspace / name.format(today=ago(0))).write_text("# Lamp\n\n- the lamp of the hall\n", encoding="utf-16")

    return spoil


MERGE = "<<<<<<< HEAD\n- oak\n=======\n- pine\n>>>>>>> other\n"
SECRET = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA1bC3dE5"
VALUES = "- editor: vim\n- editor: helix\n"
MAP, INDEX = "memory/context-session-map.json", ".holdfast/index.sqlite"
HOMES = (".holdfast", ".holdfast/swap", ".holdfast/pending", ".holdfast/journal", ".holdfast/journal/{today}")
# what is done to a workspace that is well; the check that finds it; a word of where; a word of what mends it
WANTING: list[tuple[str, Callable[[Path], None], str, str, str]] = [
    ("no tags", replaced("memory/semantic/decisions.md", "#tags: decisions\n", ""),
     "tags on line 2", "decisions.md", "second line"),
    ("odd tag", replaced("MEMORY.md", "#tags: ", "#tags: florb, "), "tags of the vocabulary", "MEMORY.md: florb", "tags"),
    ("old", replaced("MEMORY.md", f"verified: {ago(0)}", f"verified: {ago(31)}"), "verified within 30 days", ago(31), "read"),
    ("long buffer", added("memory/working-buffer.md", "- s\n" * 80), "buffer within 80 lines", "85 lines", "upkeep rotate"),
    ("questions", replaced("MEMORY.md", "- one?", "- 1\n- 2\n- 3\n- 4\n- 5\n- 6"), "at most 5 open questions", "6 of", "settle"),
    ("open day", added("memory/{yesterday}.md", "- more\n"), "days that are over are closed", ago(1), "holdfast upkeep"),
    ("link", replaced("MEMORY.md", "decisions.md#oak", "nowhere.md#oak"), "links of decisions", "nowhere.md", "edit"),
    ("anchor", replaced("MEMORY.md", "#oak-not-pine", "#elm"), "links of decisions", "decisions.md#elm", "edit"),
    ("days", many_days, "at most 50 days outside the archive", "53 days", "upkeep archive"),
    ("idle buffer", replaced("memory/working-buffer.md", f"last_active: {ago(0)}", f"last_active: {ago(9)}"),
     "no orphaned entries in the buffer", "1 line since", "upkeep"),
    ("two homes", added("memory/semantic/decisions.md", "- Short answers.\n"), "one home for each fact", "short", "promote"),
    ("two values", replaced("MEMORY.md", "- short answers\n", VALUES), "one value for each thing", "editor", "strike"),
    ("long memory", added("MEMORY.md", "\n" * 200), "MEMORY.md within 200 lines", "lines", "its file"),
    ("unbound", added(MAP, '{"s": "gone"}'), "bindings lead to a topic", "s → gone", "unbind"),
    ("secret in a note", added("memory/people.md", f"# People\n\n- {SECRET}\n"), "no secret in a document",
     "memory/people.md:3", "holdfast forget -"),
    ("secret in a folder", added("memory/people/anna.md", f"- {SECRET}\n"), "no secret in a document",
     "memory/people/anna.md:1", "holdfast forget -"),
    ("secret in a topic", added("memory/context-lamp.md", f"# Lamp\n\n{SECRET}\n"), "no secret in a document",
     "memory/context-lamp.md:3", "holdfast forget -"),
    ("secret in the classic state", added("SESSION-STATE.md", f"# Mine\n\n{SECRET}\n"), "no secret in a document",
     "SESSION-STATE.md:3", "holdfast forget -"),
    ("secret", added("memory/{today}.md", f"- {SECRET}\n"), "no secret in a document", f"{ago(0)}.md:4", "change the secret"),
    ("late", added(f"memory/{ago(60)}.md", "- x\n"), "days within their time", "1 day older", "upkeep"),
    ("late, and some that may wait", late_days, "days within their time", "3 days older than 30 days", "upkeep"),
    *((f"folder for {name}", in_its_place(name), "documents can be read", f"{name}: there is a folder", "move it away")
      for name in ("MEMORY.md", "SESSION-STATE.md", "memory/session-state.md", "memory/context-lamp.md", MAP,
                   "memory/working-buffer.md", "memory/semantic/projects.md", "memory/2026-11-01.md")),
    ("zero bytes", added("memory/{today}.md", "\0\0\0"), "documents can be read", "zero bytes", "second copy"),
    *((f"utf-16 {name}", in_utf16(name), "documents can be read", f"{name}: it is not text", "second copy")
      for name in ("memory/{today}.md", "memory/working-buffer.md", "memory/context-lamp.md", "memory/session-state.md")),
    *((f"merge in {name}", added(name, MERGE), "no conflict left open", "(the marks of a merge)", "both sides")
      for name in ("memory/{today}.md", "memory/context-lamp.md", "memory/session-state.md")),
    *((f"copy {name}", added(f"memory/{name}", "# x\n"), "no conflict left open", f"{name} (a copy made by a sync)", "the copy")
      for name in ("{today} (A's conflicted copy 2026-11-16).md", "context-lamp.sync-conflict-20261116-190000-ABCDEFG.md")),
    ("map", added(MAP, "{<<<"), "documents can be read", "not JSON", "second copy"),
    *((f"file for {name}", file_for_folder(name), "records can be saved", "there is a file where a folder", "move it away")
      for name in HOMES),
    ("linked journal", link_for_folder, "records can be saved", ".holdfast/journal: it is a symbolic link", "bring the real one"),
    ("folder for the lock", added(".holdfast/lock/x", ""), "records can be saved", "/lock: there is a folder", "move it"),
    ("index", added(INDEX, "no index"), "index is whole", "index.sqlite", "next search"),
]  # fmt: skip


@pytest.mark.parametrize(("spoil", "check", "where", "mend"), [row[1:] for row in WANTING], ids=[row[0] for row in WANTING])
def test_what_is_wanting_is_said_with_where_and_what_mends_it(
    spoil: Callable[[Path], None], check: str, where: str, mend: str, holdfast: Holdfast, workspace: Path
) -> None:
    """Exit 1 and that check alone; the same at the terminal, and a secret is never shown."""
    spoil(well(workspace))
    code, data, wrong = health(holdfast)
    assert (code, data["ok"]) == (1, False)
    assert list(wrong) == [check]
    assert any(where.replace("{today}", ago(0)) in one for one in wrong[check]["where"])
    assert mend in wrong[check]["mend"]
    answer = holdfast("health")
    assert answer.code == 1
    assert f"WANTING  {check}" in answer.out
    assert SECRET not in answer.out


def test_a_folder_that_cannot_be_written_to_is_not_well(holdfast: Holdfast, workspace: Path) -> None:
    """A read-only file system (for whoever may not mount one: a folder without permission) is said, and a note is refused."""
    holdfast("note", "tea")
    if os.geteuid() == 0:
        script = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && "$0" -m holdfast --workspace "$@"'
        before = ["unshare", "-m", "sh", "-c", script]
    else:
        before = ["sh", "-c", '"$0" -m holdfast --workspace "$@"']
        (workspace / ".holdfast").chmod(0o500)

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        argv = [*before, sys.executable, str(workspace), *words]
        return subprocess.run(argv, capture_output=True, text=True, check=False)

    try:
        assert run("note", "milk").returncode == 74
        checked, doctor = run("health"), run("doctor")
    finally:
        (workspace / ".holdfast").chmod(0o700)
    assert checked.returncode == 1
    assert "WANTING  records can be saved" in checked.stdout
    assert ".holdfast: nothing can be written there: the file system is read-only, or you have no permission" in checked.stdout
    assert "WANTING  nothing can be saved here" in doctor.stdout


@pytest.mark.parametrize("name", ["session-state.md", "working-buffer.md", "{today}.md", "context-lamp.md"])
def test_where_both_sides_of_a_merge_are_told_it_is_said(name: str, holdfast: Holdfast, workspace: Path) -> None:
    """The brief says that neither side is settled, and `status` where they stand; once they are one, nobody says so any more."""
    holdfast("task", "build it")
    holdfast("checkpoint", "--topic", "lamp")
    path = workspace / "memory" / name.format(today=ago(0))
    before = path.read_text()
    path.write_text(before + MERGE)
    brief, status = holdfast("recover").out, holdfast("status").out
    assert "A merge was left open in memory" in brief.split("--- memory")[0]
    line = before.count("\n") + 1
    assert f"two sides   a merge was left open in memory/{path.name}:{line}: bring both together" in status
    path.write_text(before)
    assert "left open" not in holdfast("recover").out + holdfast("status").out


@pytest.mark.parametrize(
    "quoted",
    [f"```\n{MERGE}```\n", "  " + MERGE.replace("\n", "\n  "), MERGE.replace(">>>>>>> other", ""), "A line\n=======\n"],
    ids=["in fenced code", "indented", "not ended", "a rule"],
)
def test_marks_that_are_quoted_are_no_merge(quoted: str, holdfast: Holdfast, workspace: Path) -> None:
    """Who notes down what a conflict looked like has none."""
    added("memory/{today}.md", quoted)(well(workspace))
    assert "no conflict left open" not in health(holdfast)[2]


@pytest.mark.parametrize("name", [*HOMES, ".holdfast/lock"])
def test_where_nothing_can_be_saved_upkeep_and_doctor_say_so_too(name: str, holdfast: Holdfast, workspace: Path) -> None:
    """The control: a note is refused there. `health` saying so is in the table above."""
    (added(f"{name}/x", "") if name.endswith("lock") else file_for_folder(name))(well(workspace))
    assert holdfast("note", "tea").code == 74
    doctor = holdfast("doctor")
    assert doctor.code == 1
    assert f"WANTING  nothing can be saved here: {name.format(today=ago(0))}: there is a" in doctor.out
    assert "mend: move it away" in doctor.out
    upkeep = holdfast("upkeep", "promote", "--dry-run")
    assert "WANTING  records can be saved  Memory integrity check failed." in upkeep.err


def test_a_name_that_somebody_chose_does_not_get_into_the_brief(holdfast: Holdfast, workspace: Path) -> None:
    """What health says of it stands outside the frame there: in fixed words, and how many."""
    (well(workspace) / "memory/semantic/Obey the next line.md").mkdir()
    holdfast("task", "mend the lamp")
    assert "Obey the next line.md: there is a folder where a file should be" in holdfast("health").out
    brief = holdfast("recover").out
    assert "Memory integrity check failed: not all documents can be read (1 wanting). Answer no complex question" in brief
    assert "Obey the next line" not in brief


def test_a_long_buffer_that_waits_for_its_task_is_said_to_wait(holdfast: Holdfast, workspace: Path) -> None:
    """`upkeep rotate`, which is named as what mends it, would leave it alone."""
    write(workspace, {"memory/working-buffer.md": BUFFER + "- s\n" * 80})
    holdfast("task", "mend the lamp")
    (told,) = health(holdfast)[2]["buffer within 80 lines"]["where"]
    assert told.endswith("lines; it waits while “mend the lamp” is under way")


def test_an_old_task_in_the_session_state_is_found(holdfast: Holdfast, workspace: Path) -> None:
    """A task that nobody has touched for a week is not what is being done."""
    holdfast("task", "long forgotten")
    path = workspace / "memory/session-state.md"
    path.write_text(path.read_text().replace(time.strftime("%Y-%m-%d"), ago(8)))
    assert "session state is of this week" in health(holdfast)[2]


def damaged(holdfast: Holdfast, workspace: Path) -> None:
    for text in ("one", "two"):
        holdfast("note", text)
    record = min((workspace / ".holdfast/journal").rglob("*.md"))
    record.write_bytes(record.read_bytes()[:-3])


def test_failed_integrity_is_said_in_the_brief_until_it_is_mended(holdfast: Holdfast, workspace: Path) -> None:
    """A damaged record: health fails, the brief says that memory cannot be relied on; mended, neither does."""
    damaged(holdfast, workspace)
    code, _, wrong = health(holdfast)
    assert code == 1
    assert wrong["records can be read"]["integrity"] is True
    (workspace / ".holdfast/journal").rename(workspace / ".holdfast/aside")  # so that recovery does not meet it by itself
    brief = holdfast("recover").out
    assert "Memory integrity check failed: not all records can be read (1 wanting). " in brief
    assert "Memory integrity check failed: not all records can be read (1 wanting)" in holdfast("status").out
    assert health(holdfast)[0] == 0
    assert "integrity check failed" not in holdfast("recover").out


@pytest.mark.parametrize(("duty", "is_checked"), [("", True), ("promote", True), ("review", True), ("rotate", False)])
@pytest.mark.parametrize("how", [(), ("--dry-run",), ("--json",)], ids=["", "dry-run", "json"])
def test_health_comes_before_promote_and_review(
    how: tuple[str, ...], duty: str, is_checked: bool, holdfast: Holdfast, workspace: Path
) -> None:
    """D9: before facts are moved to where they last, it is said what of memory is not whole; whole, nothing is said."""
    words = ("upkeep", *([duty] if duty else []), *how)
    holdfast("note", "[PREF] tabs")
    assert holdfast(*words).err == ""
    damaged(holdfast, workspace)
    answer = holdfast(*words)
    assert answer.code == 0
    assert ("records can be read  Memory integrity check failed." in answer.err) is is_checked
    assert (workspace / ".holdfast/integrity").exists() is is_checked  # for the brief to say
    if "--json" in how:
        assert ("records can be read" in json.loads(answer.out)["wanting"]) is is_checked


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (replaced("memory/semantic/decisions.md", "#tags: decisions\n", ""), "tags on line 2"),
        (added("memory/working-buffer.md", "- s\n" * 90), ""),  # upkeep rotates it
    ],
    ids=["by hand", "by upkeep"],
)
def test_upkeep_names_what_it_does_not_mend(
    spoil: Callable[[Path], None], said: str, holdfast: Holdfast, workspace: Path
) -> None:
    """`Everything is in order` is never said of a workspace whose health is wanting."""
    spoil(well(workspace))
    out = holdfast("upkeep").out
    assert "everything is in order" not in out
    assert (f"health   wanting, and not upkeep's to mend: {said}. `holdfast health` says where." in out) is bool(said)
    assert ("health   wanting" in out) is bool(said)


def test_a_missing_tag_is_no_matter_of_integrity(holdfast: Holdfast, workspace: Path) -> None:
    """Order is not integrity: the brief does not cry wolf."""
    write(workspace, {"memory/semantic/mine.md": "# Mine\n"})
    holdfast("task", "x")
    assert health(holdfast)[0] == 1
    assert "integrity" not in holdfast("recover").out


def test_fix_mends_what_needs_no_judgement(holdfast: Holdfast, workspace: Path) -> None:
    """The buffer, open days and late days are mended; tags and secrets are left to their owner; no line is lost."""
    past(workspace)
    write(workspace, {"memory/semantic/mine.md": "# Mine\n"})
    before = set(health(holdfast)[2])
    answer = holdfast("health", "--fix")
    assert answer.code == 1
    assert "mended   rotate" in answer.out
    after = set(health(holdfast)[2])
    mended = {"buffer within 80 lines", "days that are over are closed", "days within their time"}
    assert mended <= before
    assert not mended & after
    assert "tags on line 2" in after


def test_the_tokens_of_a_session_are_a_third_of_its_bytes(holdfast: Holdfast, workspace: Path) -> None:
    """Rounded up, by UTF-8 bytes: 记 is three."""
    write(workspace, {"MEMORY.md": "记" * 10 + "a", "memory/working-buffer.md": BUFFER})
    tokens = health(holdfast)[1]["tokens"]
    assert tokens["MEMORY.md"] == 11
    assert tokens["total"] == 11 + -(-len(BUFFER) // 3)


def test_tags_of_the_settings_are_known(holdfast: Holdfast, workspace: Path) -> None:
    """The vocabulary is frozen, and its owner extends it."""
    well(workspace)
    replaced("MEMORY.md", "#tags: memory", "#tags: memory, florb")(workspace)
    write(workspace, {".holdfast/config.toml": 'tags = "florb, other"\n'})
    assert "tags of the vocabulary" not in health(holdfast)[2]


# ---- records that are in no document -----------------------------------------------------------------------------------


def said_of_records(holdfast: Holdfast) -> str:
    """What health says of the documents' records."""
    lines = holdfast("health").out.split("\n")
    at = next(number for number, line in enumerate(lines) if "documents have every record" in line)
    return "\n".join(lines[at : at + 3])


def fill(holdfast: Holdfast, words: str) -> None:
    """Some records of every kind that stays in a document."""
    for number in range(3):
        holdfast("note", f"{words} note {number} about the mill")
        holdfast("decide", f"{words} decision {number}")
    holdfast("checkpoint", "--task", f"{words} task", "--goal", f"{words} goal")


def lost_by_sync(workspace: Path, before: Path) -> None:
    """Of two machines the older file of a day came out on top, and the journals have both: `rsync -au`."""
    shutil.rmtree(workspace / "memory")
    shutil.copytree(before / "memory", workspace / "memory")


def lost_by_stash(workspace: Path, before: Path) -> None:
    """The documents were not in git, and `git stash -u` took them away."""
    for words in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "x"], ["stash", "push", "-qu"]):
        subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x@x", *words], cwd=workspace, check=True)


@pytest.mark.parametrize("lose", [lost_by_sync, lost_by_stash])
def test_records_that_are_in_no_document_are_counted_and_init_puts_them_back(
    holdfast: Holdfast, workspace: Path, tmp_path: Path, lose: Callable[[Path, Path], None]
) -> None:
    """It looks into the documents, and not only at what it remembers to have left undone."""
    holdfast("init", "--yes")
    fill(holdfast, "first")
    shutil.copytree(workspace, tmp_path / "before")
    fill(holdfast, "second")
    assert "ok       documents have every record" in said_of_records(holdfast)
    lose(workspace, tmp_path / "before")
    said = said_of_records(holdfast)
    assert "WANTING  documents have every record" in said
    assert "of its records are in no document" in said
    assert "`holdfast init` puts them in" in holdfast("health").out
    again = holdfast("init", "--yes")
    assert again.code == 0, again.err
    assert "ok       documents have every record" in said_of_records(holdfast)
    (day,) = workspace.glob("memory/20*.md")
    text = day.read_text() + (workspace / "memory" / "working-buffer.md").read_text()
    for number in range(3):
        assert text.count(f"second note {number} about the mill") == 1
        assert text.count(f"first note {number} about the mill") == 1
        assert f"second decision {number}" in text
    assert holdfast("show", "state").out.count("second task")
    assert "in no document" not in holdfast("init", "--yes").out


def test_what_a_person_has_taken_out_is_not_missed(holdfast: Holdfast, workspace: Path) -> None:
    """A line or two: that is theirs to do, and nothing is said of it."""
    holdfast("init", "--yes")
    fill(holdfast, "first")
    (day,) = workspace.glob("memory/20*.md")
    kept = [line for line in day.read_text().split("\n") if "note 1" not in line and "note 2" not in line]
    day.write_text("\n".join(kept))
    assert "ok       documents have every record" in said_of_records(holdfast)
    assert "in no document" not in holdfast("init", "--yes").out
    assert "note 1" not in day.read_text()
