"""S10: what is remembered selects no file, command, tool, address or setting: nothing in the house could carry it out.

The source is read, not run: there is no call that makes code, a shell or a template of a text. Git is started in one place, with
words that are all written there, so that no text can become an argument of it; besides, only another Holdfast, as the user's own
settings of a host name it, and this one again. And every item of a brief says where it comes from and how old it is.
"""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

from conftest import Holdfast
from holdfast.briefing import recovery

SOURCE = Path(__file__).parent.parent.parent / "src" / "holdfast"
SINKS = {
    "eval", "exec", "compile", "__import__", "os.system", "os.popen", "os.execv", "os.execve", "os.execvp", "os.spawnv",
    "os.posix_spawn", "pickle.loads", "pickle.load", "marshal.load", "marshal.loads", "shelve.open", "yaml.load",
    "string.Template", "importlib.import_module", "runpy.run_path", "webbrowser.open", "urllib.request.urlopen", "socket.socket",
    "ctypes.CDLL", "import_module",
}  # fmt: skip
MODULES = ("subprocess", "pickle", "marshal", "shelve", "webbrowser", "http", "urllib.request", "socket", "ftplib", "smtplib")
ALLOWED = {
    ("disk.py", "ctypes.CDLL"),  # renameat2, by a number of our own: no text has a part in it
    ("processes.py", "marshal"),  # plain values, from a copy of the same process, by a pipe that nobody else has an end of
    ("processes.py", "marshal.loads"),
    ("index.py", "marshal"),  # only to make bytes, of which a digest is taken: what reads them is a sink still
    # What a host starts by its owner's settings, asked by doctor for its version; and the host, asked whether it accepts them.
    ("installing.py", "subprocess"),
    ("showing.py", "subprocess"),  # the pager that the user's own environment names, for what `init` shows
    ("files.py", "import_module"),  # a reader of ours, by its name in a table of ours
    ("server.py", "import_module"),  # the modules of our own package, as they are listed on the disk
    ("cli.py", "os.execv"),  # this very command again, in UTF-8: what was given on the command line, and nothing that was read
    ("committing.py", "subprocess"),  # git, as `words_that_are_not_ours` looks at it (docs/decisions/0016)
}


def sinks(source: str, name: str) -> list[str]:
    """Calls and imports by which a text could come to power."""
    found = []
    for node in ast.walk(ast.parse(source)):
        called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
        named = called == "import_module" and isinstance(node.args[0], ast.Constant)  # in the source, as by any import
        if called in SINKS and (name, called) not in ALLOWED and not named:
            found.append(f"{name}:{node.lineno} {called}")
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names if (name, alias.name) not in ALLOWED]
            found += [f"{name}:{node.lineno} import {module}" for module in names if module.startswith(MODULES)]
        if isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").startswith(MODULES):
            found.append(f"{name}:{node.lineno} from {node.module}")
    return found


def test_nothing_in_the_house_can_carry_out_what_is_remembered() -> None:
    """No code, shell, program, address or foreign object is ever made of a text."""
    paths = sorted(SOURCE.rglob("*.py"))
    assert len(paths) > 40
    assert [sink for path in paths for sink in sinks(path.read_text(), path.name)] == []


LINES = [
    "import_module(note)", "eval(text)", "import subprocess",
    "from urllib.request import urlopen", "os.system(note)", "import pickle",
]  # fmt: skip


@pytest.mark.parametrize("line", LINES)
def test_control_a_sink_is_found_out(line: str) -> None:
    """The same look at a line that gives a text power."""
    assert sinks(line, "x.py")


# ---- the one program ---------------------------------------------------------------------------------------------------

RUN = "subprocess.run(argv, cwd=self.workspace, env=self.env, input=given, capture_output=True, timeout=SECONDS, check=False)"
ARGV = "argv = [self.program, *_SAFE, *words]"
NAMES = ("subprocess.run", "subprocess.TimeoutExpired")


def words_that_are_not_ours(source: str) -> list[str]:
    """Whatever in a module that starts git is not fixed: another call, another program, a word that is no literal."""
    found = []
    for node in ast.walk(ast.parse(source)):
        text = ast.unparse(node) if isinstance(node, (ast.Attribute, ast.Call, ast.Assign)) else ""
        if isinstance(node, ast.Attribute) and text.startswith("subprocess.") and text not in NAMES:
            found.append(text)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "subprocess.run" and text != RUN:
            found.append(text)
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "argv" and text != ARGV:
            found.append(text)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "self._git":
            found += [ast.unparse(word) for word in node.args if not isinstance(word, ast.Constant)]
            found += [str(more.arg) for more in node.keywords if more.arg != "given"]
    return found


def test_the_one_program_gets_no_word_that_is_not_written_in_the_source() -> None:
    """Git is called with literals; what is remembered goes through its standard input, and there is no shell."""
    source = (SOURCE / "upkeep" / "committing.py").read_text()
    assert source.count("subprocess.run(") == source.count("def _git(") == 1
    assert source.count("self._git(") >= 10
    assert words_that_are_not_ours(source) == []


FAULTS = ["self._git('show', path)", "self._git(*more)", "subprocess.run(argv, shell=True)", "subprocess.Popen", "argv = [x]"]


@pytest.mark.parametrize("line", FAULTS)
def test_control_a_word_of_memory_in_a_command_is_found_out(line: str) -> None:
    """The same look at a line that hands a text to a program."""
    assert words_that_are_not_ours(line)


# ---- and every item says where it comes from, and how old it is ---------------------------------------------------------

# field → what an agent sets, and the heading under which the brief has it
SET: dict[str, tuple[object, str]] = {
    "task": ("carry over the rates", "Working on"),
    "goal": ("rates per country", "Goal"),
    "status": ("half way", "Status"),
    "decisions": (["integers of cents"], "Decisions"),
    "next_steps": (["round per line"], "Next up"),
    "tone": ("hurried", "Tone"),
    "blockers": (["no test data"], "Blockers"),
    "questions": (["which countries"], "Open questions"),
    "done": (["migrated"], "Done"),
    "in_flight": (["cents or floats"], "In flight, not decided yet"),
    "corrections": (["never touch old ones"], "Told by the user"),
    "unanswered": (["Which countries are first?"], "Unanswered, word for word"),
    "context": ({"host": "db1"}, "Context"),
    "exchanges": (["User: go on with the tables"], "Last exchanges"),
    "code": ("def rate(): return 7", "Code to remember"),
}
SAID = [
    {"type": "user", "message": {"role": "user", "content": "never round the totals, and set the reduced rate to 7 percent"}},
    {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "Edit", "input": {
        "file_path": "/w/rates.py", "old_string": "REDUCED_RATE = 0.05", "new_string": "REDUCED_RATE = 0.07"}}]}},
]  # fmt: skip


def brief_of(holdfast: Holdfast, tmp_path: Path, given: dict[str, object], *, first: bool) -> str:
    """What an agent set before or after its transcript was read, in the brief."""
    transcript = tmp_path / "session.jsonl"
    transcript.write_text("".join(json.dumps(line) + "\n" for line in SAID))
    call = json.dumps({"session_id": "s", "transcript_path": str(transcript), "cwd": str(tmp_path)})
    agent = ("checkpoint", "-", "--session", "s") if first else ("context", "host", "db1", "--session", "s")
    steps: list[tuple[tuple[str, ...], str]] = [(agent, json.dumps(given)), (("hook", "claude-code", "PreCompact"), call)]
    for argv, stdin in steps if first else reversed(steps):
        assert holdfast(*argv, stdin=stdin.encode()).code == 0
    return holdfast("recover", "--session", "s").out


@pytest.mark.parametrize("field", SET)
def test_what_somebody_has_set_is_told_from_what_was_read(holdfast: Holdfast, tmp_path: Path, field: str) -> None:
    """Under a heading that says so, whatever the field; what was read stands under the moment up to which it was read."""
    value, heading = SET[field]
    shown = brief_of(holdfast, tmp_path, {field: value}, first=True)
    assert re.search(r"Restored from the transcript as of \d{4}-\d\d-\d\d \d\d:\d\d,", shown)
    assert f"\n{heading} (as set):" in shown
    assert shown.count(" (as set):") == 1


def test_what_was_set_after_the_transcript_was_read_is_told_too(holdfast: Holdfast, tmp_path: Path) -> None:
    """The journal says what came since."""
    assert "\nContext (as set):" in brief_of(holdfast, tmp_path, {}, first=False)


def test_what_an_agent_saved_by_itself_is_called_its_own(holdfast: Holdfast) -> None:
    """Where no transcript was read, nothing is marked: all of it is the agent's."""
    assert holdfast("checkpoint", "--task", "carry over the rates").code == 0
    shown = holdfast("recover").out
    assert re.search(r"Restored from the agent's snapshot of \d{4}-\d\d-\d\d \d\d:\d\d,", shown)
    assert "as set" not in shown


def test_notes_are_dated(holdfast: Holdfast, workspace: Path) -> None:
    """MEMORY.md by when it was saved, days by their date."""
    holdfast("note", "the rates were carried over")
    (workspace / "MEMORY.md").write_text("# Memory\n\n- cents are integers\n")
    shown = holdfast("recover").out
    assert re.search(r"\nMEMORY\.md, saved \d{4}-\d\d-\d\d \d\d:\d\d:", shown)
    assert re.search(r"\nNotes of today, \d{4}-\d\d-\d\d:", shown)


def test_control_a_brief_that_forgets_where_it_comes_from_is_found_out(
    holdfast: Holdfast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same brief made by code that marks nothing."""
    monkeypatch.setattr(recovery, "_set_by_others", lambda *_: ())
    assert "(as set)" not in brief_of(holdfast, tmp_path, {"goal": "rates per country"}, first=True)
