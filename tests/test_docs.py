"""The documents say what the program does: commands, flags, settings, promises and words are compared with the code."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from conftest import Holdfast
from holdfast.cli import ANYWHERE, COMMANDS, taken_apart
from holdfast.commands.helping import EXAMPLES, FLAGS, GROUPS
from holdfast.config import SETTINGS, Config
from holdfast.errors import HoldfastError
from holdfast.model import KINDS

ROOT = Path(__file__).parent.parent
CONTENTS = ROOT / "docs" / "README.md"
DOCS = {path.name: path.read_text() for path in [*(ROOT / "docs").glob("*.md"), ROOT / "CHANGELOG.md"] if path != CONTENTS}
DOCS["README.md"] = (ROOT / "README.md").read_text()


def documented_lines() -> list[str]:
    """Every `holdfast …` line in README and docs that is meant to be typed."""
    found = [line.removeprefix("$ ") for text in DOCS.values() for line in re.findall(r"^\$ holdfast [^\n]*", text, re.M)]
    found += [line for text in DOCS.values() for line in re.findall(r"`(holdfast [^`\n]+)`", text)]
    return sorted(set(found))


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_documented_with_its_flags(command: str) -> None:
    """docs/commands.md has each command, and each of its flags."""
    text = DOCS["commands.md"]
    assert f"`holdfast {command}" in text
    for flag in COMMANDS[command][2]:
        assert f"--{flag}" in text, f"{command} --{flag}"


@pytest.mark.parametrize("line", documented_lines())
def test_every_documented_command_line_is_understood(line: str) -> None:
    """What a reader copies from the documents is a command with flags that exist."""
    try:
        words = taken_apart(shlex.split(line, comments=True)[1:])
    except HoldfastError as error:
        pytest.fail(f"{line}: {error}")
    assert words.command in COMMANDS or words.command == "help" or words.flags, line


def test_the_flags_in_the_table_are_the_real_ones() -> None:
    """No flag is documented that does not exist."""
    real = {flag for _, _, flags in COMMANDS.values() for flag in flags} | set(ANYWHERE)
    written = set(re.findall(r"`[^`]*?--([a-z][a-z-]*)", DOCS["commands.md"]))
    assert written <= real


def test_every_setting_is_documented_with_its_default() -> None:
    """docs/format.md has the settings table that the code has."""
    rows = dict(re.findall(r"^\| `(\w+)` \| `([^`]+)` \|", DOCS["format.md"], re.M))
    assert rows == {name: f'"{v}"' if isinstance(v := getattr(Config, name), str) else str(v) for name in SETTINGS}


def test_every_promise_has_a_test_and_every_test_a_promise() -> None:
    """docs/promises.md and tests/promises/ are the same list, and every promise has its control."""
    written = set(re.findall(r"`(test_[a-z0-9_]+\.py)`", DOCS["promises.md"]))
    files = {path.name: path.read_text() for path in (ROOT / "tests" / "promises").glob("test_*.py")}
    assert written == set(files)
    for name, text in files.items():
        assert re.search(r"def test_\w*control|\"\"\"(?:The )?control\b|^# Control", text, re.I | re.M), f"{name} has no control"


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_record_is_documented(kind: str) -> None:
    """docs/format.md names each kind."""
    assert f"`{kind}`" in DOCS["format.md"]


def test_links_between_documents_lead_somewhere() -> None:
    """No link in README or docs is broken."""
    for folder in (ROOT, ROOT / "docs"):
        for path in folder.glob("*.md"):
            for target in re.findall(r"\]\(([^)#:]+)\)", path.read_text()):
                assert (path.parent / target).exists(), f"{path.name}: {target}"


def test_the_table_of_contents_has_every_document() -> None:
    """docs/README.md leads to each of them."""
    listed = set(re.findall(r"\]\(([a-z-]+\.md)\)", CONTENTS.read_text()))
    assert listed == {path.name for path in CONTENTS.parent.glob("*.md")} - {"README.md"}


def test_the_readme_example_is_true(holdfast: Holdfast) -> None:
    """The six lines of the first screen, run as they stand, bring back what they say."""
    shown = re.search(r"```console\n(.*?)```", DOCS["README.md"], re.S)
    assert shown
    for line in re.findall(r"^\$ holdfast (.*)$", shown[1], re.M):
        answer = holdfast(*shlex.split(line, comments=True))
        assert answer.code == 0
    promised = shown[1].partition("$ holdfast recover\n")[2].splitlines()
    assert len(promised) == 5
    lines = answer.out.splitlines()
    assert [line for line in lines if line in promised] == promised


def test_help_and_documents_agree_on_what_a_command_takes(holdfast: Holdfast) -> None:
    """`holdfast help` is made from the same table."""
    for command, (takes, what, _) in COMMANDS.items():
        assert what in holdfast("help", command).out
        assert takes in holdfast("help", command).out


def test_help_has_every_command_once_and_words_for_every_flag() -> None:
    """A flag that nobody explains is one that nobody uses; a line to copy is one that is understood."""
    assert sorted(name for group in GROUPS.values() for name in group) == sorted(COMMANDS)
    assert {name: set(words) for name, words in FLAGS.items()} == {name: set(row[2]) for name, row in COMMANDS.items() if row[2]}
    for command, line in EXAMPLES.items():
        assert taken_apart(shlex.split(line.partition("| ")[2] or line.partition(" <")[0])[1:]).command == command


# What a user of the seeds has typed, or has had an agent call.
SEED_COMMANDS = (
    "context_snap(checkpoint,", "context_snap(list)", "context_snap(read,", "plugins install", "/big-memory save",
    "/big-memory recall", "/big-memory status", "`/big-memory`", 'memory_search("BIG-MEMORY-SNAPSHOT")', "memoryFlush",
    "`task`", "`decide`", "`context`", "`pending`", "`done`", "`blocker`", "wal get", "wal snapshot", "wal restore",
    "session_cache.py", "classify_memory.py", "memory_decay.py", "--promote-only", "memory_health.sh", "tail read",
    "extract_memories.sh --auto", "extraction_prompt.md", "archive-old-episodic.sh", "atomic-write.sh", "health-check.sh",
    "grep -rl", "weekly review", "session-state.md", "sessions.json", "softThresholdTokens",
)  # fmt: skip


@pytest.mark.parametrize("command", SEED_COMMANDS)
def test_every_command_of_the_seeds_has_its_row(command: str) -> None:
    """With one of ours beside it."""
    rows = re.findall(r"^\| [A-E] \| (.+) \| (.+) \|$", DOCS["seeds.md"], re.M)
    ours = [ours for its, ours in rows if command in its]
    assert ours, command
    assert any("`holdfast" in one or "/holdfast" in one or "the same names" in one for one in ours)


def test_every_promise_of_the_seeds_names_a_test_that_is_there() -> None:
    """A row of docs/seeds.md is only as good as the test that it names."""
    named = re.findall(r"`([\w/]+\.py)::(test_\w+)` \|", DOCS["seeds.md"])
    tests = Path(__file__).parent
    missing = [f"{file}::{name}" for file, name in named if f"def {name}(" not in (tests / file).read_text()]
    assert len(named) > 90
    assert missing == []
