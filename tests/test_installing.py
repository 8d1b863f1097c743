"""`holdfast init HOST` and `uninstall HOST`: what is shown is what is written, and the way back leads to the same bytes."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import shlex
import struct
import subprocess
import sys
import termios
import threading
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import Holdfast
from holdfast import __version__
from holdfast.cli import COMMANDS, taken_apart
from holdfast.commands import installing
from holdfast.installs import claude_code, codex, foreign, hook_lists, json_text, marked, rules
from lab import racers
from promises.every_door import prepared
from promises.host_files import BEFORE, COMMENTED, LONG, SECRET, TOML, applied, laid_out, seen

CASES = [(host, name) for host, cases in BEFORE.items() for name in cases]
SETTINGS = {"claude-code": ".claude/settings.json", "codex": ".codex/hooks.json"}
RULES = {"claude-code": ".claude/CLAUDE.md", "codex": ".codex/AGENTS.md"}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home, and a project that the command is run in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(installing, "command_of", lambda *_: "/opt/bin/holdfast")
    return tmp_path / "home"


@pytest.mark.parametrize(("host", "name"), CASES)
def test_what_is_shown_is_what_is_written_and_the_way_back_leads_to_the_same_bytes(
    holdfast: Holdfast, home: Path, host: str, name: str
) -> None:
    """Whatever was there before; a second time there is nothing to do."""
    files = BEFORE[host][name]
    laid_out(home, files)
    before = seen(home)
    answer = holdfast("init", host, "--yes", "--full")
    assert answer.code == 0, answer.err
    hidden = {path: text.replace(SECRET, "¤") for path, text in files.items()}
    told = applied(hidden, re.sub(r"\[redacted:[a-z0-9-]+:[0-9a-f]{4}\]", "¤", answer.out))
    for path, text in told.items():
        is_so = (home / path).read_bytes().decode("utf-8", "surrogateescape").replace(SECRET, "¤")
        assert is_so.splitlines() == text.splitlines(), path
    ours = {".local", ".holdfast"}  # the kept originals, and the memory of a workspace
    assert sum(path.is_file() for path in home.rglob("*") if not ours & set(path.parts)) == len(told)
    installed = seen(home)
    again = holdfast("init", host, "--yes")
    assert (again.code, again.out.split(":")[0]) == (0, "nothing to do")
    assert seen(home) == installed
    assert holdfast("uninstall", host, "--yes").code == 0
    assert seen(home) == before
    assert not list((home / ".local/state/holdfast/installs").glob("*.json"))
    assert holdfast("uninstall", host, "--yes").out.startswith("nothing to do")


@pytest.mark.parametrize("host", SETTINGS)
def test_no_secret_in_the_settings_is_shown(holdfast: Holdfast, home: Path, host: str) -> None:
    """Not in the diff, and not on the way back; what is kept of it is for the owner alone."""
    laid_out(home, {SETTINGS[host]: COMMENTED})
    for words in (("init", host), ("init", host, "--yes"), ("uninstall", host), ("uninstall", host, "--yes")):
        answer = holdfast(*words)
        assert SECRET not in answer.out + answer.err
        for path in (home / ".local").rglob("*.json"):
            assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("host", SETTINGS)
def test_settings_in_one_long_line_are_shown_in_pieces(holdfast: Holdfast, home: Path, host: str) -> None:
    """What changes can be read, what does not is left out, and no secret shows because what names it stands in another piece."""
    tools = ", ".join(f'"/srv/{n}": {{"allowed": [], "seen": true}}' for n in range(200))
    laid_out(home, {SETTINGS[host]: LONG[:-1] + f', "more": {{{tools}}}}}'})
    told = holdfast("init", host)
    shown = [line for line in told.out.splitlines() if line[:1] in ("-", "+", " ") and "↩" in line]
    assert '+"hooks": {↩' in shown
    assert max(map(len, shown)) < 160
    assert len(shown) < 60
    assert SECRET not in told.out + holdfast("uninstall", host, "--yes").out


@pytest.mark.parametrize("host", SETTINGS)
def test_other_peoples_hooks_are_kept(holdfast: Holdfast, home: Path, host: str) -> None:
    """In their place and with their comments; ours come after them, one for each event."""
    laid_out(home, {SETTINGS[host]: COMMENTED})
    holdfast("init", host, "--yes")
    text = (home / SETTINGS[host]).read_text()
    hooks = json_text.read(text)["hooks"]
    assert hooks["Stop"][0] == {"hooks": [{"type": "command", "command": "mine"}]}
    assert hooks["Stop"][1]["hooks"] == [{"type": "command", "command": f"/opt/bin/holdfast hook {host}", "timeout": 10}]
    assert len(hooks) == len(hook_lists.ours_in(text, host)) == 6
    assert "// mine\n" in text
    assert "// that was hooks\n" in text


@pytest.mark.parametrize("host", SETTINGS)
def test_a_command_that_has_moved_is_changed_in_its_place(
    holdfast: Holdfast, home: Path, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Just those lines; and the first original is what is given back."""
    laid_out(home, {SETTINGS[host]: COMMENTED})
    before = seen(home)
    holdfast("init", host, "--yes")
    monkeypatch.setattr(installing, "command_of", lambda *_: "'/home/a b/holdfast'")
    answer = holdfast("init", host, "--yes")
    changed = [line for line in answer.out.splitlines() if re.match(r"[-+][^-+]", line)]
    assert len(changed) == 14  # six hooks and the server, out and in
    assert all("/opt/bin/holdfast" in line or "/home/a b/holdfast" in line for line in changed)
    assert holdfast("init", host, "--yes").out.startswith("nothing to do")
    command = json_text.read((home / SETTINGS[host]).read_text())["hooks"]["Stop"][1]["hooks"][0]["command"]
    assert shlex.split(command) == ["/home/a b/holdfast", "hook", host]
    assert holdfast("uninstall", host, "--yes").code == 0
    assert seen(home) == before


@pytest.mark.parametrize("host", SETTINGS)
def test_a_file_that_was_edited_since_loses_our_parts_alone(holdfast: Holdfast, home: Path, host: str) -> None:
    """Before or after an upgrade; files that we made go where nothing else is in them."""
    laid_out(home, {SETTINGS[host]: COMMENTED})
    holdfast("init", host, "--yes")
    settings, rules = home / SETTINGS[host], home / RULES[host]
    settings.write_text(settings.read_text().replace('"mine"', '"mine, later"', 1))
    rules.write_text("# Mine\n\n" + rules.read_text())
    answer = holdfast("uninstall", host, "--yes")
    assert answer.out.count("somebody has changed it since; only our parts go") == 2
    left = (home / SETTINGS[host]).read_text()
    assert json_text.read(left) == json_text.read(COMMENTED.replace('"mine"', '"mine, later"'))
    assert (home / RULES[host]).read_text() == "# Mine\n"
    kept = [path for path in seen(home) if path.endswith((".json", ".toml", ".md"))]
    assert sorted(kept) == sorted([SETTINGS[host], RULES[host]])


@pytest.mark.parametrize("host", SETTINGS)
def test_an_edit_made_before_an_upgrade_is_not_given_up_for_the_original(
    holdfast: Holdfast, home: Path, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is as the second `init` left it, and yet has a person's edit in it."""
    laid_out(home, {SETTINGS[host]: COMMENTED})
    holdfast("init", host, "--yes")
    path = home / SETTINGS[host]
    path.write_text(path.read_text().replace('"mine"', '"mine, later"', 1))
    monkeypatch.setattr(installing, "command_of", lambda *_: "/elsewhere/holdfast")
    holdfast("init", host, "--yes")
    holdfast("uninstall", host, "--yes")
    assert "mine, later" in path.read_text()
    assert "holdfast" not in path.read_text()


@pytest.mark.parametrize("host", SETTINGS)
def test_a_link_is_written_through(holdfast: Holdfast, home: Path, host: str) -> None:
    """To the file that it leads to, which keeps its mode; the link stays, and the diff says where it leads."""
    laid_out(home, {"dotfiles/settings": COMMENTED})
    real = home / "dotfiles/settings"
    real.chmod(0o640)
    link = home / SETTINGS[host]
    link.parent.mkdir()
    link.symlink_to("../dotfiles/settings")
    before = seen(home)
    assert "(a link to ~/dotfiles/settings)" in holdfast("init", host, "--yes").out
    assert link.is_symlink()
    assert f"holdfast hook {host}" in real.read_text()
    assert real.stat().st_mode & 0o777 == 0o640
    assert [path.name for path in (home / "dotfiles").iterdir()] == ["settings"]
    holdfast("uninstall", host, "--yes")
    assert seen(home) == before


# what is wrong with a file, and what is said of it
WRONG: dict[str, tuple[Callable[[Path], object], str]] = {
    "no JSON": (lambda path: path.write_text('{\n  "a" 1\n}'), "line 2"),
    "hooks is a list": (lambda path: path.write_text('{"hooks": []}'), "an object was expected"),
    "an event is no list": (lambda path: path.write_text('{"hooks": {"Stop": {}}}'), "a list was expected"),
    "a folder": (lambda path: path.mkdir(), "there is a folder where a file should be"),
    "a link to nowhere": (lambda path: path.symlink_to("gone"), "nothing is there"),
    "a FIFO": (os.mkfifo, "not a regular file"),
}


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("host", SETTINGS)
def test_a_file_that_cannot_be_used_stops_all_of_it(holdfast: Holdfast, home: Path, host: str, wrong: str) -> None:
    """With a sentence that names it; nothing is changed."""
    path = home / SETTINGS[host]
    path.parent.mkdir()
    WRONG[wrong][0](path)
    answer = holdfast("init", host, "--yes")
    assert answer.code == 2
    assert f"~/{SETTINGS[host]}" in answer.err
    assert WRONG[wrong][1] in answer.err
    assert "Nothing was changed" in answer.err
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_toml_that_is_none_or_has_our_server_in_a_way_of_its_own_is_left_alone(holdfast: Holdfast, home: Path) -> None:
    """`mcp_servers` may be written inline, where nothing can be added from outside."""
    for text, said in (("a = \n", "line 1"), ("mcp_servers = {a = {command = 'x'}}\n", "by hand")):
        laid_out(home, {".codex/config.toml": text})
        answer = holdfast("init", "codex", "--yes")
        assert answer.code == 2
        assert said in answer.err
        assert [path.name for path in (home / ".codex").iterdir()] == ["config.toml"]


def test_what_codex_writes_around_our_section_stays(holdfast: Holdfast, home: Path) -> None:
    """Trust noted behind it, an environment put into it: the first stays, the second goes with it."""
    laid_out(home, {".codex/config.toml": TOML})
    holdfast("init", "codex", "--yes")
    path = home / ".codex/config.toml"
    assert tomllib.loads(path.read_text())["mcp_servers"]["holdfast"] == {"command": "/opt/bin/holdfast", "args": ["mcp"]}
    path.write_text(path.read_text() + '\n[mcp_servers.holdfast.env]\nX = "1"\n\n[projects."/p"]\ntrust_level = "trusted"\n')
    holdfast("uninstall", "codex", "--yes")
    assert path.read_text() == TOML + '\n[projects."/p"]\ntrust_level = "trusted"\n'


BESIDE = (
    ("", "\n# Playwright, for the tests of the shop\n[mcp_servers.playwright]\ncommand = 'npx'\n"),
    ("", "\n# nothing below this line\n"),
    ("a = 1\r\n", "\r\n# mine\r\n[x]\r\nb = 2\r\n"),
    ("[mcp_servers]\n", "\n# mine\n"),
)


@pytest.mark.parametrize(("before", "added"), BESIDE)
def test_comments_that_stand_behind_our_section_stay(holdfast: Holdfast, home: Path, before: str, added: str) -> None:
    """A comment is of what comes after it; only the empty line between may go with ours."""
    laid_out(home, {".codex/config.toml": before})
    holdfast("init", "codex", "--yes")
    path = home / ".codex/config.toml"
    path.write_bytes(path.read_bytes() + added.encode())
    answer = holdfast("uninstall", "codex", "--yes")
    assert answer.code == 0, answer.err
    left = path.read_bytes().decode()
    assert [line for line in left.splitlines() if line] == [line for line in (before + added).splitlines() if line]


def test_codex_says_which_hooks_are_not_trusted(holdfast: Holdfast, home: Path) -> None:
    """By what Codex itself has noted; `init` explains the step each time, until it is done."""
    assert "trust them there" in holdfast("init", "codex", "--yes").out
    place = placed(home)
    assert "Not trusted yet: SessionStart, UserPromptSubmit, Stop" in "".join(codex.state(place).said)
    rows = "".join(
        f'\n[hooks.state."{home}/.codex/hooks.json:{name}:0:0"]\ntrusted_hash = "sha256:0"\n'
        for name in ("session_start", "user_prompt_submit", "stop", "pre_compact", "post_compact", "session_end")
    )
    config = home / ".codex/config.toml"
    config.write_text(config.read_text() + rows)
    assert codex.state(place).said == ()
    assert "trust" not in holdfast("init", "codex", "--yes").out


def placed(home: Path) -> installing.Place:
    return installing.place_of(taken_apart(["init", "codex"]), {"HOME": str(home), "PATH": ""})


@pytest.mark.parametrize("host", SETTINGS)
def test_a_file_that_cannot_be_written_is_as_it_was(
    holdfast: Holdfast, home: Path, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What comes before it is written; a second run finishes, and the way back is open."""
    laid_out(home, {RULES[host]: "# Mine\n"})
    before = seen(home)
    real = foreign.replaced

    def refusing(was: foreign.Found, data: bytes | None, swap: foreign.Folder) -> bool:
        if was.path.endswith(RULES[host]):
            raise PermissionError(13, "Permission denied", was.path)
        return real(was, data, swap)

    monkeypatch.setattr(installing, "replaced", refusing)
    answer = holdfast("init", host, "--yes")
    assert answer.code == 74
    assert "permission was denied" in answer.err
    assert (home / RULES[host]).read_text() == "# Mine\n"
    assert (home / SETTINGS[host]).exists()
    monkeypatch.setattr(installing, "replaced", real)
    assert holdfast("init", host, "--yes").code == 0
    holdfast("uninstall", host, "--yes")
    assert seen(home) == before


# ---- between the diff and the yes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["init", "uninstall"])
@pytest.mark.parametrize("host", SETTINGS)
def test_what_changes_between_the_diff_and_the_yes_is_left_alone(
    holdfast: Holdfast, home: Path, host: str, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of that file is written, and it is said; the next run shows it as it is."""
    laid_out(home, {SETTINGS[host]: COMMENTED})
    path = home / SETTINGS[host]
    if command == "uninstall":
        holdfast("init", host, "--yes")

    def edited_while_asked(_question: str) -> bool:
        path.write_text(path.read_text().replace("my settings", "my new settings"))
        return True

    monkeypatch.setattr(installing, "agreed", edited_while_asked)
    answer = holdfast(command, host)
    assert answer.code == 2
    assert f"~/{SETTINGS[host]} has changed since it was shown, and nothing was written there" in answer.err
    assert "my new settings" in path.read_text()
    assert (f"holdfast hook {host}" in path.read_text()) == (command == "uninstall")
    assert holdfast(command, host, "--yes").code == 0
    assert "my new settings" in path.read_text()
    holdfast("uninstall", host, "--yes")
    assert json_text.read(path.read_text()) == json_text.read(COMMENTED)


@pytest.mark.parametrize("data", [b'{"ours": 1}', None], ids=["init", "uninstall"])
@pytest.mark.parametrize("how", ["by rename", "in place"])
def test_an_edit_in_the_last_moment_stays(how: str, data: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the last look, before the names change: what comes out is not what was shown, or somebody waits to save it."""
    path, theirs = tmp_path / "settings.json", '{"a": 1}'
    path.write_text("{}")
    was = foreign.found(str(path))
    saving = threading.Thread(target=path.write_text, args=(theirs,))
    step = "exchange" if data else "move"
    real, calls = getattr(foreign.Folder, step), []

    def late(*given: Any) -> object:
        if not calls and how == "in place":
            saving.start()
            racers.wait_until(lambda: racers.is_waited_for(path.stat()))
        elif not calls:
            (tmp_path / "beside").write_text(theirs)
            (tmp_path / "beside").rename(path)
        calls.append(given)
        return real(*given)

    monkeypatch.setattr(foreign.Folder, step, late)
    with foreign.Folder.open(str(tmp_path)) as folder, folder.child("swap", make=True) as swap:
        assert not foreign.replaced(was, data, swap)
        assert swap.names() == []
    if how == "in place":
        saving.join(30)
    assert path.read_text() == theirs
    assert len(calls) == 2


# ---- asking -------------------------------------------------------------------------------------------------------------


def test_without_anybody_to_ask_nothing_is_written(holdfast: Holdfast, home: Path) -> None:
    """The diff is shown all the same."""
    answer = holdfast("init", "claude-code")
    assert answer.code == 2
    assert "There is nobody to ask" in answer.err
    assert "+++ ~/.claude/settings.json" in answer.out
    assert "Claude Code has not been used here so far" in answer.out
    assert seen(home) == {}


# what the user answers, which files are there then, and the exit code
ANSWERS = (
    (b"y\n", {"settings.json", "CLAUDE.md"}, 0),
    (b"n\n", set(), 2),
    (b"\x04", set(), 2),
)


@pytest.mark.parametrize(("answers", "files", "code"), ANSWERS)
def test_there_is_one_question(tmp_path: Path, answers: bytes, files: set[str], code: int) -> None:
    """At a terminal, for settings and rules together; whoever wants to choose is told by which flags."""
    env, _ = prepared(tmp_path)
    ours, theirs = pty.openpty()
    os.write(ours, answers)
    argv = [sys.executable, "-m", "holdfast", "init", "claude-code"]
    project = tmp_path / "project"
    done = subprocess.run(argv, env=env, cwd=project, stdin=theirs, capture_output=True, text=True, timeout=60, check=False)
    os.close(ours)
    os.close(theirs)
    assert done.returncode == code, done.stderr
    assert done.stdout.count("[y/N]") == 1
    assert ("nothing was changed; --no-rules leaves the rules out" in done.stdout) is bool(code)
    there = {path.name for path in (tmp_path / "of the user/.claude").iterdir()}
    assert there & {"settings.json", "CLAUDE.md"} == files
    assert {path.name for path in project.iterdir()} == {"answer.json", "talk.txt"}


# ---- what is shown, and how ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", installing.HOSTS)
def test_the_summary_comes_first_and_our_own_files_are_listed_with_their_sizes(holdfast: Holdfast, home: Path, host: str) -> None:
    """On one screen: the user's own files, the hooks, the way back. Then diffs of the user's files alone."""
    laid_out(home, {".openclaw/openclaw.json": "{}", ".openclaw/workspace/AGENTS.md": "# Mine\n"})
    out = holdfast("init", host).out
    summary, _, rest = out.partition("\n\n")
    assert len(summary.splitlines()) <= 22
    assert "hooks" in summary
    assert f"undo `holdfast uninstall {host}` gives every file its old bytes back" in " ".join(summary.split())
    in_diffs = set(re.findall(r"(?m)^\+\+\+ (~/.*)$", rest))
    listed = set(re.findall(r"(?m)^\+ (~/.*)  [\d.]+ (?:bytes|kB)$", rest))
    assert in_diffs
    assert all(name in summary for name in in_diffs)
    assert not [name for name in in_diffs if "skills/" in name or (name.endswith((".js", ".toml")) and host != "codex")]
    assert bool(listed) is (host != "codex")
    assert len(rest.splitlines()) < 230
    whole = holdfast("init", host, "--full").out
    assert set(re.findall(r"(?m)^\+\+\+ (~/.*)$", whole)) == in_diffs | listed


@pytest.mark.parametrize("host", SETTINGS)
def test_every_hook_is_named_in_the_summary(holdfast: Holdfast, home: Path, host: str) -> None:
    """They are what a newcomer looks for, and would scroll away in a diff."""
    summary = holdfast("init", host).out.partition("\n\n")[0]
    assert [event for event in claude_code.EVENTS if event not in summary] == []
    holdfast("init", host, "--yes", "--no-rules")
    assert "  hooks " not in holdfast("init", host).out  # there already: only the rules would be new


def test_a_file_of_ours_that_somebody_has_changed_is_shown_as_a_diff(holdfast: Holdfast, home: Path) -> None:
    """What they wrote would go: they see it."""
    holdfast("init", "claude-code", "--yes")
    skill, command = home / ".claude/skills/holdfast-memory/SKILL.md", home / ".claude/commands/holdfast.md"
    skill.write_text(skill.read_text() + "\nmy own words\n")
    out = holdfast("init", "claude-code").out
    assert "-my own words" in out
    assert str(command).replace(str(home), "~") not in out


def at_terminal(tmp_path: Path, answer: bytes, **more: str) -> str:
    """What `init claude-code` shows at a terminal of 24 lines, where its output is the terminal too."""
    env, _ = prepared(tmp_path)
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    argv = [sys.executable, "-m", "holdfast", "init", "claude-code"]
    env = {**env, "TERM": "xterm", **more}
    os.write(ours, answer)
    with subprocess.Popen(argv, env=env, cwd=tmp_path / "project", stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        seen = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            seen += piece
        process.wait(60)
    os.close(ours)
    return seen.decode().replace("\r\n", "\n")


def test_at_a_terminal_the_diff_is_in_colour_and_goes_through_the_pager(tmp_path: Path) -> None:
    """The pager opens with the summary, the question comes behind it; NO_COLOR and a pager of `cat` are heeded."""
    pager = tmp_path / "pager"
    pager.write_text(f'#!/bin/sh\ncat > "{tmp_path}/paged"\n')
    pager.chmod(0o755)
    (plain := tmp_path / "plain").mkdir()
    seen = at_terminal(tmp_path / "a", b"n\n", PAGER=str(pager))
    paged = (tmp_path / "paged").read_text()
    assert "\033[32m+" in paged
    assert "+++ ~/.claude/settings.json" in paged
    assert paged.startswith("This would change for Claude Code:\n  settings ")
    assert paged.index("  hooks  ") < paged.index("  undo  ") < paged.index("+++ ")
    assert "+++ ~/.claude/settings.json" not in seen
    assert "Write all this (3 files of yours, 7 of ours)? [y/N]" in seen
    seen = at_terminal(plain, b"n\n", PAGER="cat", NO_COLOR="1")
    assert "+++ ~/.claude/settings.json" in seen
    assert "\033" not in seen


@pytest.mark.parametrize("pager", ["/gone/pager", "false", "'"])
def test_where_the_pager_fails_the_diff_is_printed(tmp_path: Path, pager: str) -> None:
    """Nobody is asked about what they could not see."""
    assert "+++ ~/.claude/settings.json" in at_terminal(tmp_path, b"n\n", PAGER=pager)


def test_rules_can_be_left_out(holdfast: Holdfast, home: Path) -> None:
    """And then there is nothing to do for them."""
    holdfast("init", "claude-code", "--yes", "--no-rules")
    assert not (home / ".claude/CLAUDE.md").exists()
    assert holdfast("init", "claude-code", "--yes", "--no-rules").out.startswith("nothing to do")


WORDS = (
    ("init", "emacs"),
    ("init", "claude-code", "codex"),
    ("init", "claude-code", "--layout", "v4"),
    ("init", "--project"),
    ("init", "codex", "--project", "--yes"),
    ("uninstall",),
    ("uninstall", "emacs"),
)


@pytest.mark.parametrize("words", WORDS, ids=" ".join)
def test_what_makes_no_sense_is_said_and_changes_nothing(holdfast: Holdfast, home: Path, words: tuple[str, ...]) -> None:
    """With what there is instead."""
    answer = holdfast(*words)
    assert answer.code == 2
    assert "Nothing was changed" in answer.err
    assert [path for path in home.rglob("*") if path.is_file() and path.name != "lock"] == []


SECTION = marked.with_section("", "old rules\n")
HAND_EDITED = (
    ("the end mark gone, own words behind", f"a\n\n{SECTION.replace(marked.END, '')}own words\n", "own words\n"),
    ("no empty line before it", f"a\n{SECTION}b\n", "a\nb\n"),
    ("no empty line before it, CRLF", f"a\r\n{SECTION}b\r\n", "a\r\nb\r\n"),
    ("words behind the end mark", f"a\n\n{SECTION.rstrip()} and mine\n", "a\nand mine\n"),
    ("twice, own words between", f"{SECTION}own words\n{SECTION}b\n", "own words\nb\n"),
)


@pytest.mark.parametrize(("text", "stays"), [case[1:] for case in HAND_EDITED], ids=[case[0] for case in HAND_EDITED])
def test_a_section_that_was_edited_by_hand_takes_no_words_of_others_along(text: str, stays: str) -> None:
    """Neither on the way out, nor when `init` has put in another one in between."""
    assert stays in marked.without_section(text)
    assert stays.split("\n", maxsplit=1)[0] in marked.with_section(text, "new rules\n")
    assert stays in marked.without_section(marked.with_section(text, "new rules\n"))


# ---- for one project ----------------------------------------------------------------------------------------------------


def test_for_one_project_only_what_is_kept_from_the_repository_is_written(
    holdfast: Holdfast, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And it is taken out by itself, while the user's own stays."""
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    assert holdfast("init", "claude-code", "--yes").code == 0
    everywhere = seen(home)
    assert holdfast("init", "claude-code", "--project", "--yes").code == 0
    names = {str(path.relative_to(project)) for path in project.rglob("*") if path.is_file()}
    assert names == {".claude/settings.local.json", "CLAUDE.local.md"}
    assert json.loads((home / ".claude.json").read_text())["projects"][str(project)]["mcpServers"]["holdfast"]
    assert holdfast("uninstall", "claude-code", "--project", "--yes").code == 0
    assert list(project.iterdir()) == []
    assert {**seen(home), ".claude.json": 0} == {**everywhere, ".claude.json": 0}
    assert json.loads((home / ".claude.json").read_text()).keys() == {"mcpServers"}


SCOPES = ((), ("--project",))


@pytest.mark.parametrize("out", SCOPES)
@pytest.mark.parametrize("first", SCOPES)
def test_in_the_file_that_they_share_the_users_own_and_the_projects_go_one_by_one(
    holdfast: Holdfast, home: Path, tmp_path: Path, first: tuple[str, ...], out: tuple[str, ...]
) -> None:
    """`.claude.json` has both servers: whichever came first, taking out one leaves the other."""
    laid_out(home, {".claude.json": '{"mine": 1}\n'})
    for scope in (first, *(scope for scope in SCOPES if scope != first)):
        assert holdfast("init", "claude-code", *scope, "--yes").code == 0
    assert holdfast("uninstall", "claude-code", *out, "--yes").code == 0
    left = json.loads((home / ".claude.json").read_text())
    everywhere, here = left.get("mcpServers"), left.get("projects", {}).get(str(tmp_path), {}).get("mcpServers")
    assert [bool(everywhere), bool(here)] == [bool(out), not out]
    answer = holdfast("uninstall", "claude-code", *({(): SCOPES[1]}.get(out, ())), "--yes")
    assert "before is not known" not in answer.out
    assert json.loads((home / ".claude.json").read_text()) == {"mine": 1}


def test_a_project_that_leads_out_of_itself_is_refused(
    holdfast: Holdfast, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A clone may bring `.claude` as a link to somebody's home."""
    project = tmp_path / "clone"
    project.mkdir()
    (project / ".claude").symlink_to(home)
    monkeypatch.chdir(project)
    answer = holdfast("init", "claude-code", "--project", "--yes")
    assert answer.code == 2
    assert "leads out of the project" in answer.err
    assert seen(home) == {}


def test_what_was_left_of_others_is_told(holdfast: Holdfast, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever uninstalls for all is told of the projects that have their own."""
    holdfast("init", "claude-code", "--yes")
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    holdfast("init", "claude-code", "--project", "--yes")
    told = holdfast("uninstall", "claude-code", "--yes").out
    assert f"It is installed in {project} still" in told


# ---- Claude Code's own ---------------------------------------------------------------------------------------------------


def test_a_folder_named_by_the_environment_is_taken(holdfast: Holdfast, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of it goes there."""
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home / "elsewhere"))
    holdfast("init", "claude-code", "--yes")
    names = {str(path.relative_to(home / "elsewhere")) for path in (home / "elsewhere").rglob("*") if path.is_file()}
    assert {name for name in names if "references/" not in name} == {
        "settings.json", ".claude.json", "CLAUDE.md", "commands/holdfast.md", "skills/holdfast-memory/SKILL.md"
    }  # fmt: skip
    assert not (home / ".claude").exists()


def test_a_file_in_our_files_place_that_is_somebody_elses_stays(holdfast: Holdfast, home: Path) -> None:
    """It is said, and nothing of it is changed, neither then nor on the way back."""
    laid_out(home, {".claude/commands/holdfast.md": "my own\n"})
    assert "commands/holdfast.md is somebody else's and stays as it is" in holdfast("init", "claude-code", "--yes").out
    holdfast("uninstall", "claude-code", "--yes")
    assert (home / ".claude/commands/holdfast.md").read_text() == "my own\n"


PLUGGED = {
    "claude-code": {".claude/settings.json": '{"enabledPlugins": {"holdfast@holdfast": true}}'},
    "codex": {".codex/config.toml": '[plugins."holdfast@holdfast"]\nenabled = true\n'},
}


@pytest.mark.parametrize("host", PLUGGED)
def test_where_the_plugin_is_enabled_no_hook_is_put_in_twice(holdfast: Holdfast, home: Path, host: str) -> None:
    """The rules are offered all the same."""
    laid_out(home, PLUGGED[host])
    answer = holdfast("init", host, "--yes")
    assert "holdfast@holdfast is enabled" in answer.out
    written = {str(path.relative_to(home)) for path in home.rglob("*") if path.is_file() and ".local" not in path.parts}
    assert written == {*PLUGGED[host], RULES[host]}
    assert "hook" not in "".join((home / name).read_text() for name in PLUGGED[host])


@pytest.mark.parametrize(("text", "said"), [("\ufeff{}\n", "byte order mark"), (" \n", ""), ("\ufeff", ""), ("", "")])
@pytest.mark.parametrize("host", SETTINGS)
def test_nobody_is_told_of_comments_that_are_not_there(holdfast: Holdfast, home: Path, host: str, text: str, said: str) -> None:
    """A file with nothing in it is written anew, and what stands before a bracket is named as what it is."""
    laid_out(home, {SETTINGS[host]: text})
    lines = holdfast("init", host, "--yes").out.splitlines()
    told = [line for line in lines if "whole file" in line and str(home / SETTINGS[host]) in line]
    assert [said in line for line in told] == [True][: len(said)]


@pytest.mark.parametrize("host", SETTINGS)
def test_a_file_that_the_host_will_pass_over_is_named(holdfast: Holdfast, home: Path, host: str) -> None:
    """Both read plain JSON alone, and say nothing when they cannot."""
    laid_out(home, {SETTINGS[host]: COMMENTED})
    said = f"while {home / SETTINGS[host]} has comments or trailing commas, it passes over the whole file"
    assert said in holdfast("init", host, "--yes").out
    assert said in holdfast("init", host, "--yes").out
    (home / SETTINGS[host]).write_text("{}")
    assert said not in holdfast("init", host, "--yes").out


def test_without_the_sdk_the_server_is_left_out_and_it_is_said(
    holdfast: Holdfast, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With what to install."""
    real = installing.place_of
    monkeypatch.setattr(installing, "place_of", lambda words, env: real(words, env).replaced(server=False))
    for host in SETTINGS:
        assert "pip install 'holdfast[mcp]'" in holdfast("init", host, "--yes").out
    assert not (home / ".claude.json").exists()
    assert not (home / ".codex/config.toml").exists()


# ---- the command --------------------------------------------------------------------------------------------------------


def test_the_command_is_the_link_that_outlives_an_upgrade(tmp_path: Path) -> None:
    """Pipx and uv link it into a folder on PATH; without one it is the script itself, without a script the module."""
    tool, local, other = tmp_path / "tool 1/bin", tmp_path / "local bin", tmp_path / "other"
    for folder in (tool, local, other):
        folder.mkdir(parents=True)
    python = str(tool / "python")
    path = f"{other}:{local}"
    assert installing.command_of("holdfast", python, path) == f"'{python}' -m holdfast"
    for script in (tool / "holdfast", other / "holdfast"):
        script.write_text("#!/bin/sh\n")
        script.chmod(0o755)
    assert installing.command_of("holdfast", python, path) == f"'{tool}/holdfast'"
    (local / "holdfast").symlink_to(tool / "holdfast")
    assert installing.command_of(str(tool / "holdfast"), python, path) == f"'{local}/holdfast'"
    assert installing.command_of("/usr/lib/python3/holdfast/__main__.py", python, path) == f"'{local}/holdfast'"


OURS = (
    ("holdfast hook claude-code", True),
    ("/opt/bin/holdfast hook claude-code", True),
    ("'/home/a b/holdfast' hook claude-code", True),
    ('"/home/a b/holdfast"  hook  claude-code', True),
    ("/usr/bin/python3 -m holdfast hook claude-code", True),
    ("holdfast hook claude-codex", False),
    ("holdfast hook codex", False),
    ("holdfast task x", False),
    ("mine", False),
)


@pytest.mark.parametrize(("command", "ours"), OURS)
def test_our_hook_is_known_by_its_command(command: str, ours: bool) -> None:
    """Whatever path it had."""
    assert hook_lists.is_ours({"type": "command", "command": command}, "claude-code") == ours


def test_a_handler_of_ours_among_others_in_a_group_is_taken_out_alone() -> None:
    """The group stays, with the others and its matcher."""
    other, ours = {"type": "command", "command": "mine"}, {"type": "command", "command": "holdfast hook claude-code"}
    text = json.dumps({"hooks": {"Stop": [{"matcher": "", "hooks": [ours, other, ours]}], "SubagentStop": [{"hooks": [ours]}]}})
    left = json_text.read(hook_lists.without_hooks(text, "claude-code"))
    assert left == {"hooks": {"Stop": [{"matcher": "", "hooks": [other]}]}}
    wanted = {"Stop": {**ours, "timeout": 10}}
    once = json_text.read(hook_lists.with_hooks(text, "claude-code", wanted))
    assert once == {"hooks": {"Stop": [{"matcher": "", "hooks": [{**ours, "timeout": 10}, other]}]}}


# ---- the package --------------------------------------------------------------------------------------------------------

PACKAGE = Path(installing.__file__).parents[1] / "integrations/claude-code"


def test_the_package_says_what_this_version_does() -> None:
    """The same version, the same events; by the plain name of the command, which both hosts find on PATH."""
    assert json.loads((PACKAGE / ".claude-plugin/plugin.json").read_text())["version"] == __version__
    hooks = json.loads((PACKAGE / "hooks/hooks.json").read_text())["hooks"]
    assert set(hooks) == set(claude_code.EVENTS) == set(codex.EVENTS)
    for event, ((handler,),) in ((event, [group["hooks"] for group in groups]) for event, groups in hooks.items()):
        assert handler["timeout"] == codex.EVENTS[event]
        for env, host in (({}, "claude-code"), ({"PLUGIN_ROOT": "/p"}, "codex")):
            script = handler["command"].replace("holdfast", "echo", 1)
            done = subprocess.run(["/bin/sh", "-c", script], env=env, capture_output=True, text=True, check=True)
            assert done.stdout == f"hook {host}\n"
    assert json.loads((PACKAGE / ".mcp.json").read_text())["mcpServers"]["holdfast"] == {"command": "holdfast", "args": ["mcp"]}
    market = json.loads((PACKAGE.parents[3] / ".claude-plugin/marketplace.json").read_text())
    assert (PACKAGE.parents[3] / market["plugins"][0]["source"]).samefile(PACKAGE)


@pytest.mark.parametrize("text", [*(path.read_text() for path in PACKAGE.rglob("*.md")), rules.text("claude-code")])
def test_every_command_that_an_agent_is_taught_is_one(text: str) -> None:
    """In the skill, the command and the rules."""
    text = text.replace("\\\n", " ")  # a line that goes on
    lines = [*re.findall(r"`(holdfast [^`]+)`", text), *re.findall(r"(?m)^    (holdfast .+)", text)]
    assert lines
    for line in lines:
        assert taken_apart(shlex.split(line)[1:]).command in COMMANDS, line


@pytest.mark.parametrize("host", SETTINGS)
def test_root_by_sudo_in_somebodys_home_is_sent_back(
    holdfast: Holdfast, home: Path, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    """What root makes there would be closed to the one whose home it is: their host could not read its own settings."""
    home.mkdir(exist_ok=True)
    monkeypatch.setenv("SUDO_UID", str(home.stat().st_uid))
    monkeypatch.setattr(os, "geteuid", lambda: home.stat().st_uid + 1)
    answer = holdfast("init", host, "--yes")
    assert answer.code == 2
    assert "without sudo" in answer.err
    assert "Nothing was changed" in answer.err
    assert list(home.iterdir()) == []
    monkeypatch.setenv("SUDO_UID", str(home.stat().st_uid + 2))  # a home of root's own
    assert holdfast("init", host, "--yes").code == 0


def test_a_damaged_record_of_what_was_there_is_said(holdfast: Holdfast, home: Path) -> None:
    """Nothing is changed; without it our parts go alone."""
    laid_out(home, {".claude/settings.json": COMMENTED})
    holdfast("init", "claude-code", "--yes")
    installed = seen(home)
    record = home / ".local/state/holdfast/installs/claude-code.json"
    record.write_text("{")
    answer = holdfast("uninstall", "claude-code", "--yes")
    assert answer.code == 2
    assert "Move it away" in answer.err
    assert seen(home) == installed
    record.unlink()
    answer = holdfast("uninstall", "claude-code", "--yes")
    assert "what it was before is not known" in answer.out
    assert json_text.read((home / ".claude/settings.json").read_text()) == json_text.read(COMMENTED)
    assert not (home / ".claude/commands/holdfast.md").exists()


def test_a_second_installer_waits_for_the_first(holdfast: Holdfast, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And says so where it takes too long."""
    monkeypatch.setattr(installing.Lock, "take", lambda *_: False)
    answer = holdfast("init", "claude-code", "--yes")
    assert answer.code == 2
    assert "under way" in answer.err
    assert not (home / ".claude").exists()


# ---- the weekly review ----


def test_the_weekly_review_is_two_units_that_come_and_go(tmp_path: Path) -> None:
    """Where systemd runs: written, current, and taken out; elsewhere the line for the crontab is said, and nothing is written."""
    from holdfast.installs import Place, Refused, schedule

    files: dict[str, str] = {}
    folders = {"/run/systemd/system": ["private"]}
    place = Place(
        home="/home/a b", folder="/w", workspace="/home/a b/100%", command="/usr/bin/holdfast", env={}, read=files.get,
        listed=lambda path: folders.get(path, []),
    )  # fmt: skip
    plan = schedule.install(place)
    assert [edit.path.rpartition(".")[2] for edit in plan.edits] == ["service", "timer"]
    assert all(edit.path.startswith("/home/a b/.config/systemd/user/holdfast-review-") for edit in plan.edits)
    assert "systemctl --user" in plan.then[0]
    assert not schedule.state(place).installed
    files.update({edit.path: edit.after or "" for edit in plan.edits})
    assert schedule.install(place).edits == ()
    assert schedule.state(place) == schedule.State(there=True, installed=True, current=True)
    gone = schedule.remove(place)
    assert {edit.path: edit.after for edit in gone.edits} == dict.fromkeys(files)
    ways = ["systemctl --user enable --now ", "    0 9 * * 1 ", "    openclaw cron add --name "]
    for there, offered in (([], ways[:2]), ([".openclaw"], ways)):  # OpenClaw's where that is installed
        folders["/home/a b/.openclaw"] = there
        assert [way for way in ways if any(way in line for line in schedule.install(place).then)] == offered
    folders.clear()
    with pytest.raises(Refused, match=r"crontab.*\n    0 9 \* \* 1 /usr/bin/holdfast --workspace '/home/a b/100"):
        schedule.install(place)


@pytest.mark.parametrize("host", ["claude-code", "codex", "gemini", "opencode"])
@pytest.mark.parametrize("found", [True, False])
def test_who_has_holdfast_where_no_shell_finds_it_is_told(
    holdfast: Holdfast, home: Path, host: str, found: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rules, skill and command have agents run `holdfast` by its name, and one that was called by its path is not found so."""
    folder = tmp_path / "bin"
    folder.mkdir()
    if found:
        (folder / "holdfast").write_text("#!/bin/sh\n")
        (folder / "holdfast").chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    said = holdfast("init", host, "--yes").out
    assert ("no shell here finds `holdfast` as agents call it: put /opt/bin on your PATH" in said) is not found
