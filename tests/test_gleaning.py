"""What a user has plainly said goes into the day by itself, at a boundary, once; and what is doubtful does not."""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from conftest import Holdfast
from holdfast.capture import gleaning
from holdfast.capture.extracting import Said
from holdfast.capture.lasting import is_worth_a_look, plain
from holdfast.capture.signs import may_last
from holdfast.config import Config
from holdfast.memory import Memory

# What may be kept without anybody having looked, and as what.
KEPT = [
    ("PREF", "Always run the linter before you commit."),
    ("PREF", "oh, please don't amend commits - it messes with the entire workflows"),
    ("PREF", "From now on write commit messages in English, please."),
    ("PREF", "I prefer tabs over spaces in Makefiles."),
    ("PREF", "Never push to main without asking me."),
    ("PREF", "ok, but please always use pnpm in our repositories"),
    ("PREF", "I'd rather you ask me before you delete files."),
    ("PREF", "以后提交信息一律用英文。"),
    ("PREF", "Ab jetzt bitte alle Kommentare auf Deutsch, ich bevorzuge das immer."),
    ("PROJ", "We decided to use Postgres for the billing service."),
    ("PROJ", "We've agreed on one release a month, always on a Tuesday."),
    ("PROJ", "The report is due by 2026-12-04."),
    ("LESSON", "Lesson learned: never restart the queue while a migration is running."),
    ("PEOPLE", "Our manager Mia works in Lisbon and approves every release."),
    ("TECH", "We use Terraform for all of our machines."),
]
# What is not: passing, pointing at something, asked, supposed, told, delicate, secret, an agent's, or asked to be forgotten.
LEFT = [
    "never mind, we'll look at it later.",
    "i like option 3, 2.",
    "Always use that one.",
    "Let's go with the second one.",
    "hm, i selected the theme while you were working and got a crash, that should never happen.",
    "can we change the script so we are always using the latest code?",
    "I love the dark theme!",
    "My favorite was when we hit the buzzer-beater shot to win.",
    "I always wanted to see Lisbon.",
    "We usually watch movies at my place.",
    "Yesterday we decided to go to the lake instead.",
    "I might prefer tabs, maybe.",
    "For now always skip the slow tests.",
    "never round the totals, and set the reduced rate to 7 percent",
    "It turned out to be a total success!",
    "Iron Man is my top pick.",
    "That's why I never give up.",
    "Fix the test, please.",
    "This causes the estimate to always return 0, which inflates the numbers.",
    "We decided on it.",
    "The deadline is close.",
    "Don't tell anyone, but Anna is pregnant and never works late.",
    "Always log in with password: hunter2hunter2 from now on.",
    "From now on call me Bo. Don't remember this.",
]


@pytest.mark.parametrize(("kind", "text"), KEPT)
def test_what_was_plainly_said_to_last_is_kept(kind: str, text: str) -> None:
    """With its type, as it was said; and the cheap looks of the hooks let it through."""
    assert may_last(text)
    assert is_worth_a_look(text)
    assert [(item.type, item.text) for item in plain([Said(text, "user", "", "2026-11-16")])] == [(kind, text.strip())]


@pytest.mark.parametrize("text", LEFT)
def test_what_is_doubtful_is_not_kept(text: str) -> None:
    """A false memory is worse than a missed one."""
    assert plain([Said(text, "user")]) == ()


@pytest.mark.parametrize("text", [text for _, text in KEPT])
def test_an_agents_words_and_pasted_ones_are_not_kept(text: str) -> None:
    """The same sentences, said by an agent, or in the midst of a long message."""
    assert plain([Said(text, "agent")]) == ()
    assert plain([Said(f"{'Log line without end. ' * 40}\n\n{text}", "user")]) == ()


def test_what_is_asked_to_be_forgotten_right_after_is_not_kept() -> None:
    """With the message before it."""
    assert plain([Said("Always use pnpm in our repositories.", "user"), Said("Forget what I just said.", "user")]) == ()


# ---- at a boundary -----------------------------------------------------------------------------------------------------

SAID = "Always run the linter before you commit."
MOMENT = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() - 600))
DAY = time.strftime("%Y-%m-%d", time.localtime(time.time() - 600))


def transcript(folder: Path, *texts: str) -> Path:
    """A session of Claude Code in which the user says these things."""
    path = folder / "s1.jsonl"
    with path.open("a") as file:
        for text in texts:
            for role, said in (("user", text), ("assistant", "I always do that. We decided to use Redis for the cache.")):
                content = said if role == "user" else [{"type": "text", "text": said}]
                entry = {"type": role, "timestamp": MOMENT, "message": {"role": role, "content": content}}
                file.write(json.dumps({**entry, "sessionId": "s1", "cwd": str(folder), "uuid": str(time.monotonic_ns())}) + "\n")
    return path


def hook(event: str, folder: Path, path: Path, *, program: str = "", **more: str) -> None:
    """The hook as the host calls it: in a process of its own, which answers at once; with a program's own faults before it."""
    payload = {"session_id": "s1", "transcript_path": str(path), "cwd": str(folder), **more}
    run = ["-c", f"{program}\nimport sys\nfrom holdfast.cli import program\nprogram()"] if program else ["-m", "holdfast"]
    argv = [sys.executable, *run, "--workspace", str(folder / "workspace"), "hook", "claude-code", event]
    done = subprocess.run(argv, input=json.dumps(payload), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def notes(folder: Path) -> list[str]:
    """The typed notes of the day."""
    path = folder / "workspace/memory" / f"{DAY}.md"
    return re.findall(r"(?m)^- (\[[A-Z]+\] .*)$", path.read_text()) if path.exists() else []


def receipts(folder: Path) -> list[str]:
    """What was saved by itself."""
    path = folder / "workspace/.holdfast/receipts.jsonl"
    found = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    return [entry["did"] for entry in found if entry["event"] == "extract"]


def settled(folder: Path, number: int) -> list[str]:
    """The notes, once so many receipts are there."""
    until = time.monotonic() + 60
    while len(receipts(folder)) < number and time.monotonic() < until:
        time.sleep(0.02)
    assert len(receipts(folder)) == number
    return notes(folder)


@pytest.mark.parametrize("event", ["PreCompact", "SessionEnd"])
def test_at_a_boundary_it_goes_into_the_day_once(event: str, tmp_path: Path) -> None:
    """Heard by the hooks of turns, saved by that of the boundary, in the day on which it was said; not again by the next."""
    path = transcript(tmp_path, "mend the rates in rates.py", SAID)
    hook("Stop", tmp_path, path)
    assert notes(tmp_path) == []
    hook(event, tmp_path, path, reason="clear")
    assert settled(tmp_path, 1) == [f"[PREF] {SAID}"]
    transcript(tmp_path, "and now the tests", SAID, "We use Terraform for all of our machines.")
    hook(event, tmp_path, path, reason="clear")
    assert settled(tmp_path, 2) == [f"[PREF] {SAID}", "[TECH] We use Terraform for all of our machines."]
    hook(event, tmp_path, path, reason="clear")
    for cursor in (tmp_path / "workspace/.holdfast/cursors").glob("*.json"):
        cursor.unlink()
    hook(event, tmp_path, path, reason="clear")  # its cursor was lost: all of it is heard once more
    time.sleep(0.5)
    assert settled(tmp_path, 2) == [f"[PREF] {SAID}", "[TECH] We use Terraform for all of our machines."]


@pytest.mark.parametrize("taken_back", ["Forget what I just said.", "Actually, don't remember that.", "忘掉刚才的话。"])
def test_what_is_taken_back_in_the_next_message_is_not_kept_at_the_boundary(taken_back: str, tmp_path: Path) -> None:
    """The hooks hear that too, though it says nothing that lasts."""
    hook("PreCompact", tmp_path, transcript(tmp_path, "We use Terraform for all of our machines.", SAID, taken_back))
    assert settled(tmp_path, 1) == ["[TECH] We use Terraform for all of our machines."]


@pytest.mark.parametrize(
    ("event", "setting"),
    [("UserPromptSubmit", ""), ("Stop", ""), ("SessionStart", ""), ("PreCompact", 'autoExtract = "never"\n')],
)
def test_never_in_a_prompt_nor_where_it_is_turned_off(event: str, setting: str, tmp_path: Path) -> None:
    """Nothing is saved by itself."""
    if setting:
        (tmp_path / "workspace/.holdfast").mkdir(parents=True)
        (tmp_path / "workspace/.holdfast/config.toml").write_text(setting)
    hook(event, tmp_path, transcript(tmp_path, "mend the rates in rates.py", SAID), prompt=SAID, source="startup")
    time.sleep(0.5)
    assert settled(tmp_path, 0) == []


def gleaned(memory: Memory, *texts: str) -> int:
    return len(gleaning.gleaned(memory, "s1", "claude-code", [(text, MOMENT) for text in texts]))


@pytest.mark.parametrize(
    "there",
    [{f"memory/{DAY}.md": f"# {DAY}\n\n- [PREF] always run the linter, before you commit!\n"},
     {"MEMORY.md": f"# Mine\n\n## [PREF] Preferences\n- {SAID} (from 2026-11-01)\n"},
     {"memory/semantic/preferences.md": f"# Preferences\n\n- {SAID}\n"}],
)  # fmt: skip
def test_what_the_day_or_a_home_has_is_not_saved_again(there: dict[str, str], tmp_path: Path) -> None:
    """However it is written there."""
    for name, text in there.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    with contextlib.closing(Memory(str(tmp_path), Config(), write=True)) as memory:
        assert gleaned(memory, SAID) == 0
        assert gleaned(memory, "Never push to main without asking me.") == 1


def test_what_a_person_has_deleted_or_had_forgotten_does_not_come_back(holdfast: Holdfast, workspace: Path) -> None:
    """The journal knows the one, the list of what was forgotten the other."""
    with contextlib.closing(Memory(str(workspace), Config(), write=True)) as memory:
        assert gleaned(memory, SAID) == 1
        (workspace / f"memory/{DAY}.md").write_text(f"# {DAY}\n\nnothing\n")
        assert gleaned(memory, SAID) == 0
        assert gleaned(memory, "Never push to main without asking me.") == 1
    assert holdfast("forget", "--yes", "push to main without asking").code == 0
    with contextlib.closing(Memory(str(workspace), Config(), write=True)) as memory:
        gleaned(memory, "Never push to main without asking me.")
    assert "push to main without asking" not in (workspace / f"memory/{DAY}.md").read_text()


@pytest.mark.parametrize("struck", ["before it has looked", "between two notes", "before the file goes"])
def test_what_a_killed_process_has_not_saved_the_next_boundary_saves(struck: str, tmp_path: Path) -> None:
    """Of any session; and what it had saved is not saved twice."""
    path = transcript(tmp_path, "mend the rates in rates.py", SAID, "We use Terraform for all of our machines.")
    killer = {
        "before it has looked": "gleaning.gleaned = die",
        "between two notes": "Memory.note = lambda *a, note=Memory.note, n=[], **k: (n and die(), n.append(1), note(*a, **k))[2]",
        "before the file goes": "Folder.remove = lambda f, n, go=Folder.remove: f.path.endswith('heard') and die() or go(f, n)",
    }[struck]
    hook("PreCompact", tmp_path, path, program=f"""
import os, signal
from holdfast.capture import gleaning
from holdfast.memory import Memory
from holdfast.storage.disk import Folder
die = lambda *_: (open({str(tmp_path / "died")!r}, "w"), os.kill(os.getpid(), signal.SIGKILL))
{killer}""")  # fmt: skip
    until = time.monotonic() + 60
    while not (tmp_path / "died").exists() and time.monotonic() < until:
        time.sleep(0.02)
    left = list((tmp_path / "workspace/.holdfast/heard").glob("*.json"))
    assert len(left) == 1
    assert receipts(tmp_path) == []
    (tmp_path / "other").mkdir()
    other = transcript(tmp_path / "other", "what is the time?")
    hook("SessionEnd", tmp_path, other, session_id="s2", reason="clear")
    while left[0].exists() and time.monotonic() < until:
        time.sleep(0.02)
    assert not left[0].exists()
    assert sorted(notes(tmp_path)) == [f"[PREF] {SAID}", "[TECH] We use Terraform for all of our machines."]


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"session": "s1"}', b"\xff", b'{"session":"s","host":"h","heard":[1]}'])
def test_a_damaged_file_of_what_was_heard_is_let_go_and_told(damage: bytes, tmp_path: Path) -> None:
    """It is in nobody's way, and the receipt says where else to look."""
    place = tmp_path / "workspace/.holdfast/heard"
    place.mkdir(parents=True)
    (place / "0123456789abcdef.json").write_bytes(damage)
    hook("PreCompact", tmp_path, transcript(tmp_path, "mend the rates in rates.py", SAID))
    assert settled(tmp_path, 2) == [f"[PREF] {SAID}"]
    assert any("could not be read; `holdfast extract`" in said for said in receipts(tmp_path))
    assert list(place.iterdir()) == []


def _at_once(workspace: str, number: int) -> None:
    with contextlib.closing(Memory(workspace, Config(), write=True)) as memory:
        if number % 2:
            gleaned(memory, SAID, "Never push to main without asking me.")
        else:
            from holdfast.capture.extracting import understood

            texts = (SAID, "Never push to main without asking me.")
            found, _ = understood([{"kind": "preference", "text": text} for text in texts])
            list(gleaning.saved_once(memory, "s1", [(item, None) for item in found]))


def test_processes_that_have_extracted_the_same_save_it_once(tmp_path: Path) -> None:
    """By themselves and by `extract --apply`, eight at once."""
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_at_once, args=(str(tmp_path), number)) for number in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
        assert worker.exitcode == 0
    with contextlib.closing(Memory(str(tmp_path), Config(), write=False)) as memory:
        assert len(list(memory.journal.records(kind="note"))) == 2


def test_control_without_the_lock_it_is_saved_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two that look before either has saved: what the lock keeps apart."""
    item = plain([Said(SAID, "user")])[0]
    monkeypatch.setattr(gleaning, "known", lambda _memory: set())
    with contextlib.closing(Memory(str(tmp_path), Config(), write=True)) as memory:
        for _ in range(2):
            list(gleaning.saved_once(memory, "s1", [(item, None)]))
        assert len(list(memory.journal.records(kind="note"))) == 2


def test_a_lock_that_cannot_be_had_is_explained(holdfast: Holdfast, workspace: Path, tmp_path: Path) -> None:
    """A folder in its place: nothing is saved, and the answer says what is intact and what to do."""
    (workspace / ".holdfast/extract.lock").mkdir(parents=True)
    (tmp_path / "answer.json").write_text(json.dumps([{"kind": "preference", "text": SAID}]))
    answer = holdfast("extract", "--apply", str(tmp_path / "answer.json"))
    assert answer.code == 74
    assert "What was extracted was not saved" in answer.err
    assert "Everything saved before is intact" in answer.err
    (workspace / ".holdfast/extract.lock").rmdir()
    assert holdfast("extract", "--apply", str(tmp_path / "answer.json")).code == 0


def test_an_echo_of_the_brief_is_not_kept(tmp_path: Path) -> None:
    """What a person pastes from what we gave is ours, and not news."""
    workspace = tmp_path / "workspace"
    with contextlib.closing(Memory(str(workspace), Config(), write=True)) as memory:
        memory.checkpoint("s0", {"corrections": ("Always keep the generated tables of the tax module in their own folder",)})
        brief = memory.recover("s0")
        memory.giving.remember(brief, "s1")
    path = transcript(tmp_path, "mend the rates in rates.py", brief[:700])
    hook("PreCompact", tmp_path, path)
    time.sleep(0.5)
    assert settled(tmp_path, 0) == []


# ---- how good it is ----------------------------------------------------------------------------------------------------

MESSAGES = [line.split("\t") for line in (Path(__file__).parent / "data/said.tsv").read_text().splitlines() if line[:1] != "#"]


@pytest.mark.parametrize(("part", "precision", "recall"), [("1", 0.95, 0.7), ("2", 0.9, 0.6)])
def test_of_our_own_messages_hardly_any_is_kept_wrongly(part: str, precision: float, recall: float) -> None:
    """What `python bench/gleaning.py` prints: the second part is of messages that no rule was made by."""
    wanted = kept = right = 0
    for of, kind, _, text in MESSAGES:
        if of == part:
            is_kept = may_last(text) and bool(plain([Said(text.replace("\\n", "\n"), "user", "", "2026-11-16")]))
            wanted, kept, right = wanted + (kind != "-"), kept + is_kept, right + (is_kept and kind != "-")
    assert right / kept >= precision, (right, kept)
    assert right / wanted >= recall, (right, wanted)
