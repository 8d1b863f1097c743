"""`holdfast doctor`: is it really working? The command as a user gives it, on machines on which something is wanting."""

from __future__ import annotations

import json
import os
import shlex
import shutil
from pathlib import Path

import pytest

from conftest import Answer, Holdfast
from holdfast import __version__
from holdfast.commands import installing
from holdfast.hooks.receipts import Seen, by_host, in_a_line, read, untold
from holdfast.hosts.openclaw import HOOKS
from holdfast.installs import json_text
from holdfast.memory import Memory
from sessions import STORY, claude_code

TIME = "2026-11-15T14:0{}:00+00:00"


def receipt(minute: int, event: str = "turn", **more: object) -> str:
    """A receipt as a hook leaves it."""
    return json.dumps({"time": TIME.format(minute), "host": "claude-code", "event": event, "session": "s1", "did": "x", **more})


def leave(workspace: Path, *lines: str) -> None:
    """Receipts in a workspace."""
    (workspace / ".holdfast").mkdir(parents=True, exist_ok=True)
    (workspace / ".holdfast" / "receipts.jsonl").write_text("".join(f"{line}\n" for line in lines))


def had_a_session(folder: Path, number: int) -> None:
    """A session of Claude Code that was had in a folder."""
    slug = Path(os.environ["HOME"]) / ".claude" / "projects" / "".join(c if c.isalnum() else "-" for c in str(folder))
    slug.mkdir(parents=True, exist_ok=True)
    session = f"0a1b2c3d-0000-4000-8000-{number:012d}"
    lines = claude_code(session, str(folder), STORY, "2026-11-15T09:00:00")
    (slug / f"{session}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


def lines_of(answer: Answer, mark: str) -> list[str]:
    """The lines that say something."""
    return [line for line in answer.out.splitlines() if mark in line]


def test_on_a_machine_where_nothing_was_used_all_is_well(
    holdfast: Holdfast, workspace: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The trial leaves nothing behind, and no workspace is made for the asking."""
    import tempfile

    (tmp_path / "of its own").mkdir()  # what others do in /tmp meanwhile is not its doing
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "of its own"))
    answer = holdfast("doctor")
    assert (answer.code, answer.err) == (0, "")
    assert "all of it came back" in answer.out
    hosts = ["Claude Code", "Codex", "Gemini CLI", "opencode", "OpenClaw"]
    assert [line.split(":")[0] for line in lines_of(answer, "not used here")] == [f"ok       {host}" for host in hosts]
    assert answer.out.endswith("well     it works\n")
    assert not workspace.exists()
    assert list((tmp_path / "of its own").iterdir()) == []


def test_sessions_that_no_hook_has_seen_are_found_out(
    holdfast: Holdfast, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With how many, since when, and what to do; sessions of other folders do not count."""
    workspace.mkdir()
    monkeypatch.chdir(workspace)
    had_a_session(workspace, 1)
    had_a_session(workspace, 2)
    had_a_session(workspace.parent / "elsewhere", 3)
    answer = holdfast("doctor")
    assert answer.code == 1
    (line,) = lines_of(answer, "WANTING")
    assert "Claude Code had 2 sessions here since 20" in line
    assert "and no hook was seen: run `holdfast init claude-code`" in line


def test_hooks_that_have_stopped_coming_are_found_out(
    holdfast: Holdfast, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They were seen once; a session since then was seen by none."""
    workspace.mkdir()
    monkeypatch.chdir(workspace)
    leave(workspace, json.dumps({**json.loads(receipt(1)), "time": "2026-01-15T14:00:00+00:00"}))
    had_a_session(workspace, 1)
    answer = holdfast("doctor")
    assert answer.code == 1
    assert "no hook was seen in its last 1 session here" in answer.out


def test_what_hooks_did_is_counted(holdfast: Holdfast, workspace: Path) -> None:
    """Events with their last time, the way of briefs, failures of one kind together, unknown events."""
    leave(
        workspace,
        receipt(1, failed=["not saved: the disk is full"]), receipt(2, failed=["not saved: the disk is full"]), receipt(3),
        receipt(3, "start", gave="aa"), receipt(4, "turn", delivery={"mark": "aa", "is": "arrived"}),
        receipt(4, "start", gave="bb"), receipt(5, "turn", delivery={"mark": "bb", "is": "cut"}),
        receipt(5, "start", gave="cc"), receipt(5, "prompt", gave="dd", delivery={"mark": "cc", "is": "overtaken"}),
        receipt(5, "prompt", gave="a line"), receipt(6, "unknown", name="PreThinking"), "{torn", "", "[]",
    )  # fmt: skip
    answer = holdfast("doctor")
    assert answer.code == 0, answer.out
    for said in (
        "hooks: prompt 2 (last 2026-11-15 14:05), start 3 (last 2026-11-15 14:05), turn 5 (last 2026-11-15 14:05)",
        "briefs: 4 given, 1 arrived, 1 cut, 0 vanished, 1 not known yet, 1 overtaken by the next before it was known",
        "set briefMaxChars lower",
        "failed: turn: not saved: the disk is full (2026-11-15 14:02, 2 times)",
        "an event that this Holdfast does not know: PreThinking (first 2026-11-15 14:06)",
    ):
        assert len(lines_of(answer, said)) == 1, said
    data = json.loads(holdfast("doctor", "--json").out)
    assert data["ok"] is True
    assert data["hosts"]["claude-code"]["vanished"] == 0
    assert data["hosts"]["claude-code"]["not_known_yet"] == 1


# what OpenClaw's plugin left, the exit, and what doctor says of it; a control for each thing that is proved
LOADED = {"event": "gateway_start", "session": "", "plugin": __version__, "gateway": "2026.9.6"}
PROMPT, TURN = {"event": "before_prompt_build", "put": ["topic"]}, {"event": "agent_end", "arrived": ["topic"]}
MISSING = {"event": "agent_end", "missing": ["topic"]}
PROOFS: dict[str, tuple[list[dict[str, object]], int, str]] = {
    "loaded": ([LOADED, PROMPT, TURN], 0, f"loaded: plugin {__version__} by OpenClaw 2026.9.6, 2026-11-15 14:00"),
    "an older one": ([{**LOADED, "plugin": "0.0.1"}, PROMPT], 0, f"this is Holdfast {__version__}: restart the gateway"),
    "not heard of": ([PROMPT, TURN], 0, "loaded: not known"),
    "each hook": ([LOADED, *({"event": name} for name in HOOKS)], 0, "before_reset 1 (last 2026-11-15 14:07)"),
    "not all hooks": ([LOADED, PROMPT], 0, "not fired here yet: session_start (when a session begins), agent_end (after "),
    "in the request": ([LOADED, PROMPT, TURN], 0, "last injection: topic, 2026-11-15 14:01, in the request"),
    "under way": ([LOADED, PROMPT], 0, "not known yet whether it was in the request"),
    "not in it": ([LOADED, PROMPT, MISSING], 1, "NOT in the request"),
    "not a prompt since": ([PROMPT, TURN, LOADED, {"event": "before_reset"}], 0, "no prompt was heard of since then"),
    "no session since": ([PROMPT, TURN, LOADED], 0, "hooks are seen, in 1 session so far"),
}


@pytest.mark.parametrize("case", PROOFS)
def test_the_plugin_of_openclaw_is_proved_by_what_it_left(holdfast: Holdfast, workspace: Path, case: str) -> None:
    """Loaded, each hook seen or what fires it, the last injection in the request; the exit says whether something is wanting."""
    left, code, said = PROOFS[case]
    leave(workspace, *(receipt(at, **{"host": "openclaw", "event": "x", **one}) for at, one in enumerate(left)))
    answer = holdfast("doctor")
    assert answer.code == code, answer.out
    assert len(lines_of(answer, said)) == 1, answer.out
    assert ("not fired here yet" in answer.out) is (case != "each hook")
    assert ("no prompt was heard of" in answer.out) is (case == "not a prompt since")


def test_hooks_that_openclaw_drops_are_found_out(holdfast: Holdfast, workspace: Path) -> None:
    """A session is heard of and no prompt, and the settings lack the permission: wanting. With it, nothing is."""
    state = Path(os.environ["HOME"]) / ".openclaw"
    state.mkdir(parents=True)
    for permission, code in ((False, 1), (True, 0)):
        entry = {"enabled": True, "hooks": {"allowConversationAccess": permission}}
        (state / "openclaw.json").write_text(json.dumps({"plugins": {"entries": {"holdfast": entry}}}))
        left = [{"host": "openclaw", **LOADED}, {"host": "openclaw", "event": "session_start"}]
        leave(workspace, *(receipt(at, **{"event": "x", **one}) for at, one in enumerate(left)))
        answer = holdfast("doctor")
        assert answer.code == code, answer.out
        wanted = "the host drops the hooks that bring memory back and save turns: set plugins.entries.holdfast.hooks."
        assert len(lines_of(answer, wanted)) == code, answer.out


def test_damage_of_memory_is_wanting_and_disorder_is_not(holdfast: Holdfast, workspace: Path) -> None:
    """One line either way; `holdfast health` says all of it."""
    holdfast("task", "mend the lamp")
    (workspace / "memory" / "working-buffer.md").write_text("# Working Buffer\n" + "- a line\n" * 200)
    answer = holdfast("doctor")
    assert answer.code == 0
    assert "checks want doing: `holdfast health`" in answer.out
    (record,) = (workspace / ".holdfast" / "journal").rglob("*.md")
    record.write_bytes(b"\0" * 200)
    answer = holdfast("doctor")
    assert answer.code == 1
    assert "memory here is not whole" in answer.out


@pytest.mark.parametrize("broken", ["recover", "capture"])
def test_a_holdfast_that_does_not_work_is_found_out(holdfast: Holdfast, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    """The trial runs the code of the hooks: what is broken there is seen here."""
    monkeypatch.setattr(Memory, broken, lambda *_a, **_k: "" if broken == "recover" else None)
    answer = holdfast("doctor")
    assert answer.code == 1
    assert "not in the brief" in lines_of(answer, "WANTING")[0]


def test_a_trial_that_cannot_be_made_is_said(holdfast: Holdfast, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No room for temporary files."""
    import tempfile

    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(gone))
    shutil.rmtree(gone)
    answer = holdfast("doctor")
    assert answer.code == 1
    assert "could not be made" in lines_of(answer, "WANTING")[0]


@pytest.mark.parametrize("command", ["doctor", "demo"])
def test_nothing_is_started_beside_a_throw_away_workspace(
    holdfast: Holdfast, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """A process that outlives the folder would make it again, and it would stay."""
    started: list[str] = []
    monkeypatch.setattr("holdfast.capture.gleaning.detached", lambda: bool(started.append("notes")))
    monkeypatch.setattr("holdfast.upkeep.unasked.detached", lambda: bool(started.append("upkeep")))
    assert holdfast(command).code == 0
    assert not started


def test_a_workspace_that_takes_nothing_is_wanting(holdfast: Holdfast, workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It does not say “it works” where no record could be saved; a workspace that is still to be made is no fault."""
    holdfast("task", "x")
    with monkeypatch.context() as refusing:  # root may write anywhere: only the kernel's answer can be had here
        refusing.setattr(os, "access", lambda *_: False)
        answer = holdfast("doctor")
    assert answer.code == 1
    assert lines_of(answer, "WANTING") == [f"WANTING  nothing can be saved here: {workspace}/.holdfast cannot be written to"]
    full = os.statvfs(workspace)
    with monkeypatch.context() as refusing:
        refusing.setattr(os, "statvfs", lambda _: os.statvfs_result((*full[:4], 0, *full[5:])))
        assert "is full" in lines_of(holdfast("doctor"), "WANTING")[0]
    assert holdfast("doctor").code == 0


def test_a_workspace_that_cannot_be_made_is_wanting(holdfast: Holdfast, workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where root has made the state folder: the first record would be refused, and the hook's receipt with it."""
    parent, kernel = next(folder for folder in workspace.parents if folder.is_dir()), os.access
    monkeypatch.setattr(os, "access", lambda path, mode: path != str(parent) and kernel(path, mode))
    answer = holdfast("doctor")
    assert answer.code == 1
    assert lines_of(answer, "WANTING") == [f"WANTING  nothing can be saved here: {parent} cannot be written to"]


def test_doctor_takes_no_words(holdfast: Holdfast) -> None:
    """And says so."""
    answer = holdfast("doctor", "please")
    assert answer.code == 2
    assert "Nothing was changed" in answer.err


# ---- receipts, read ----------------------------------------------------------------------------------------------------

FAILED = receipt(1, failed=["not saved: the disk is full"])
TOLD = receipt(2, "start", told=True, gave="aa")
ELSEWHERE = receipt(3, "turn", failed=["memory could not be opened: it is not there"], workspace="/w")
ROWS: list[tuple[list[str], list[str], int]] = [
    ([], [], 0),
    ([FAILED], [], 1),
    ([FAILED, receipt(2, failed=["a", "b"])], [], 3),
    ([FAILED, TOLD], [], 0),
    ([FAILED, TOLD, receipt(3, failed=["a"])], [], 1),
    ([FAILED, TOLD], [ELSEWHERE], 1),
    ([FAILED, TOLD], [ELSEWHERE.replace("14:03", "14:01")], 0),
    ([], [ELSEWHERE.replace('"/w"', '"/other"')], 0),
    ([FAILED, "{torn", "null", receipt(2, failed="no list"), '{"failed": 3}'], ["{torn"], 1),
]


@pytest.mark.parametrize(("lines", "elsewhere", "count"), ROWS)
def test_what_failed_is_untold_until_a_brief_has_told_it(lines: list[str], elsewhere: list[str], count: int) -> None:
    """Here and where a workspace's receipts went that it refused."""
    found = untold(lines, elsewhere, "/w")
    assert len(found) == count
    said = in_a_line(found)
    assert said.count("\n") == 0
    assert bool(said) == bool(count)


def test_receipts_of_no_host_are_nobodys() -> None:
    """Upkeep leaves some; and whatever is no receipt is passed over."""
    assert by_host(read(['{"event": "upkeep"}', "x", '{"host": 3, "delivery": "x", "failed": {}}'])) == {
        "3": Seen(host="3", events={"": (1, "")}, failing=("",), sessions=frozenset([""]))
    }


# ---- what is installed ----

PUT_IN = (
    ("claude-code", "settings.json", '"timeout": 10', '"timeout": 9', "not as this Holdfast would write it"),
    ("claude-code", "settings.json", '"hooks"', '"disableAllHooks": true, "hooks"', "disableAllHooks"),
    ("gemini", "settings.json", '"hooks"', '"hooksConfig": {"enabled": false}, "hooks"', "hooksConfig.enabled is false"),
)


@pytest.mark.parametrize(("host", "file", "words", "others", "said"), PUT_IN)
def test_what_keeps_an_installed_host_from_working_is_said(
    holdfast: Holdfast, host: str, file: str, words: str, others: str, said: str
) -> None:
    """Installed it is well; changed since, the line says what is wrong."""
    assert holdfast("init", host, "--yes").code == 0
    assert len(lines_of(holdfast("doctor"), "installed, and not used here so far")) == 1
    path = Path(os.environ["HOME"]) / f".{host.partition('-')[0]}" / file
    path.write_text(path.read_text().replace(words, others, 1))
    answer = holdfast("doctor")
    assert len(lines_of(answer, said)) == 1
    path.write_text("{")
    answer = holdfast("doctor")
    assert len(lines_of(answer, "cannot be used as it is")) == 1
    assert [line[:7] for line in lines_of(answer, "installed, and not used here so far")] == ["WANTING"]
    assert "Traceback" not in answer.err


def test_hooks_of_codex_that_are_not_trusted_are_found_out(holdfast: Holdfast) -> None:
    """It runs none of them, and says nothing of it."""
    holdfast("init", "codex", "--yes")
    answer = holdfast("doctor")
    assert answer.code == 1
    assert len(lines_of(answer, "WANTING  Codex: installed")) == 1
    assert len(lines_of(answer, "Not trusted yet")) == 1


def started_by(folder: Path, script: str) -> str:
    """A `holdfast` in a folder with a blank in its name; an empty script is one that is gone."""
    command = folder / "another one" / "holdfast"
    if script:
        command.parent.mkdir()
        command.write_text(script)
        command.chmod(0o755)
    return str(command)


ANOTHER = (
    ("", "and that is gone"),
    ("#!/opt/python3.9/bin/python3\n", "and that has lost its Python"),
    ("#!/bin/sh\necho Traceback >&2; echo \"No module named 'holdfast'\" >&2; exit 1\n", "fails (No module named 'holdfast')"),
    ("#!/bin/sh\necho holdfast 0.1.0\n", ""),
)
CLAW = {".openclaw/openclaw.json": "{}", ".openclaw/workspace/AGENTS.md": "# Mine\n"}


@pytest.mark.parametrize(("script", "said"), ANOTHER)
@pytest.mark.parametrize("host", ["claude-code", "codex", "gemini", "opencode", "openclaw"])
def test_a_host_that_starts_a_holdfast_which_is_dead_is_found_out(
    holdfast: Holdfast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str, script: str, said: str
) -> None:
    """The one that put itself in was deleted, moved, or lost its Python since; another one is asked, and its `init` mends it."""
    for name, text in CLAW.items():
        (Path(os.environ["HOME"]) / name).parent.mkdir(parents=True, exist_ok=True)
        (Path(os.environ["HOME"]) / name).write_text(text)
    command = started_by(tmp_path, script)
    monkeypatch.setattr(installing, "command_of", lambda *_: shlex.quote(command))
    assert holdfast("init", host, "--yes").code == 0
    monkeypatch.setattr(installing, "command_of", lambda *_: "/opt/new/holdfast")
    answer = holdfast("doctor")
    told = lines_of(answer, f"it starts '{command}'")
    assert [line[:7] for line in told] == ["WANTING"][: len(said)]
    assert all(said in line and f"run `holdfast init {host}`" in line for line in told)
    assert holdfast("init", host, "--yes").code == 0
    assert lines_of(holdfast("doctor"), "it starts") == []


DAMAGED = (
    ("holdfast/plugin/openclaw.plugin.json", None, "WANTING", "the plugin is not in"),
    ("openclaw.json", ("plugins", "load"), "WANTING", "plugins.load.paths does not name it"),
    ("holdfast/plugin/index.js", None, "ok     ", "not as this Holdfast would write it: run `holdfast init openclaw`"),
)


@pytest.mark.parametrize(("file", "key", "verdict", "said"), DAMAGED)
def test_a_plugin_of_openclaw_that_has_lost_something_is_not_taken_for_none(
    holdfast: Holdfast, file: str, key: tuple[str, ...] | None, verdict: str, said: str
) -> None:
    """Before it is used: what keeps it from being loaded is wanting, what is only not of this version is said."""
    for name, text in CLAW.items():
        (Path(os.environ["HOME"]) / name).parent.mkdir(parents=True, exist_ok=True)
        (Path(os.environ["HOME"]) / name).write_text(text)
    holdfast("init", "openclaw", "--yes")
    path = Path(os.environ["HOME"]) / ".openclaw" / file
    path.write_text(json_text.drop(path.read_text(), key)) if key else path.unlink()
    answer = holdfast("doctor")
    assert [line[:7] for line in lines_of(answer, "OpenClaw: installed, and not used here")] == [verdict]
    assert len(lines_of(answer, said)) == 1
    holdfast("init", "openclaw", "--yes")
    assert lines_of(holdfast("doctor"), said) == []


def test_a_dead_holdfast_is_found_out_though_its_hooks_were_seen(
    holdfast: Holdfast, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was once heard of it does not say that it lives."""
    leave(workspace, receipt(1))
    monkeypatch.setattr(installing, "command_of", lambda *_: "/opt/gone/bin/python3 -m holdfast")
    holdfast("init", "claude-code", "--yes")
    monkeypatch.setattr(installing, "command_of", lambda *_: "/opt/new/holdfast")
    answer = holdfast("doctor")
    assert answer.code == 1
    assert len(lines_of(answer, "WANTING  Claude Code: it starts /opt/gone/bin/python3 -m holdfast, and that is gone")) == 1
    assert len(lines_of(answer, "hooks: turn 1")) == 1
