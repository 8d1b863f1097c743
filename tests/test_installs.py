"""What `holdfast init gemini` and `init opencode` write, beside what all hosts have in common; and their packages."""

from __future__ import annotations

import json
import subprocess
import tomllib
from pathlib import Path

import pytest

import holdfast as package
from conftest import Holdfast
from holdfast.cli import taken_apart
from holdfast.commands import installing
from holdfast.installs import Place, State, gemini, json_text, opencode, rules

PACKAGES = Path(package.__file__).parent / "integrations"
HOSTS = {"gemini": gemini, "opencode": opencode}
CONFIG = ".config/opencode"
COMMENTED = '{\n  // mine\n  "theme": "light", // so it stays\n  "mcpServers": {"other": {"command": "x"}},\n}\n'
BEFORE = [
    ("gemini", {}),
    ("gemini", {".gemini/settings.json": COMMENTED, ".gemini/GEMINI.md": "# Mine\r\n"}),
    ("gemini", {".gemini/settings.json": '{"hooks": {"AfterAgent": [{"hooks": [{"type": "command", "command": "mine"}]}]}}'}),
    ("opencode", {}),
    ("opencode", {f"{CONFIG}/opencode.jsonc": COMMENTED, f"{CONFIG}/AGENTS.md": "# Mine, without an end of line"}),
    ("opencode", {f"{CONFIG}/opencode.json": '{"mcp": {"other": {"type": "remote", "url": "https://a.example"}}}'}),
]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home, and a project that the command is run in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(installing, "command_of", lambda *_: "'/opt/a b/holdfast'")
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "GEMINI_CLI_HOME"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "home"


def laid_out(home: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_bytes(text.encode())


def seen(home: Path) -> dict[str, bytes]:
    """Every file of the hosts."""
    files = [path for path in home.rglob("*") if path.is_file() and ".local" not in path.parts]
    return {str(path.relative_to(home)): path.read_bytes() for path in files}


def state_of(host: str, home: Path) -> State:
    env = {"HOME": str(home), "PATH": "/usr/bin"}
    return HOSTS[host].state(installing.place_of(taken_apart(["init", host]), env))


@pytest.mark.parametrize(("host", "files"), BEFORE)
def test_the_way_back_leads_to_the_same_bytes(holdfast: Holdfast, home: Path, host: str, files: dict[str, str]) -> None:
    """Whatever was there before; a second time there is nothing to do, and the state says how it stands."""
    laid_out(home, files)
    before = seen(home)
    assert state_of(host, home).installed is False
    assert holdfast("init", host, "--yes").code == 0
    state = state_of(host, home)
    assert (state.there, state.installed, state.current, state.said) == (True, True, True, ())
    written = seen(home)
    assert holdfast("init", host, "--yes").out.startswith("nothing to do")
    assert seen(home) == written
    assert holdfast("uninstall", host, "--yes").code == 0
    assert seen(home) == before


OTHERS = (("gemini", ".gemini/commands/holdfast.toml"), ("opencode", f"{CONFIG}/plugins/holdfast.js"))


VARIABLES = (
    ("claude-code", "CLAUDE_CONFIG_DIR"),
    ("codex", "CODEX_HOME"),
    ("gemini", "GEMINI_CLI_HOME"),
    ("opencode", "XDG_CONFIG_HOME"),
)


@pytest.mark.parametrize(("host", "variable"), VARIABLES)
@pytest.mark.parametrize("how", ["{}/", "{}//", "{}/../elsewhere", "elsewhere"])
def test_a_folder_is_the_same_however_the_environment_spells_it(
    holdfast: Holdfast, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str, variable: str, how: str
) -> None:
    """With a slash at its end, or from where one stands: what was put in is found again, and taken out at once, from anywhere."""
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.setenv(variable, how.format(tmp_path / "elsewhere"))
    assert holdfast("init", host, "--yes").code == 0
    monkeypatch.setenv(variable, str(tmp_path / "elsewhere"))
    assert holdfast("init", host, "--yes").out.startswith("nothing to do")
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    answer = holdfast("uninstall", host, "--yes")
    assert answer.code == 0, answer.err
    assert list((tmp_path / "elsewhere").iterdir()) == []


@pytest.mark.parametrize(("host", "path"), OTHERS)
def test_a_file_in_our_files_place_that_is_somebody_elses_stays(holdfast: Holdfast, home: Path, host: str, path: str) -> None:
    """It is said, and nothing of it is changed: not by `init`, nor by `uninstall`, though nothing was ever put in."""
    laid_out(home, {path: "my own\n"})
    assert holdfast("uninstall", host, "--yes").out.startswith("nothing to do")
    assert state_of(host, home).installed is False
    assert f"{path} is somebody else's and stays as it is" in holdfast("init", host, "--yes").out
    (home / path).write_text("my own, and more\n")
    holdfast("uninstall", host, "--yes")
    assert seen(home) == {path: b"my own, and more\n"}


@pytest.mark.parametrize(("host", "path"), OTHERS)
def test_a_file_of_ours_that_was_edited_goes_too(holdfast: Holdfast, home: Path, host: str, path: str) -> None:
    """It is known by its first line, in every version."""
    holdfast("init", host, "--yes")
    (home / path).write_text((home / path).read_text() + "\n")
    holdfast("uninstall", host, "--yes")
    assert seen(home) == {}


@pytest.mark.parametrize(("host", "files"), BEFORE)
def test_of_a_file_that_was_edited_since_only_our_parts_go(
    holdfast: Holdfast, home: Path, host: str, files: dict[str, str]
) -> None:
    """What a person has put in stays, and all that was there."""
    laid_out(home, files)
    holdfast("init", host, "--yes")
    path = next(home / name for name in seen(home) if name.endswith((".json", ".jsonc")))
    path.write_text(json_text.put(path.read_text(), ("mine",), "later"))
    holdfast("uninstall", host, "--yes")
    was = json_text.read(files.get(str(path.relative_to(home)), "{}"))
    left = json_text.read(path.read_text())
    left.pop("$schema", None)
    assert left == {**was, "mine": "later"}


def test_gemini_is_told_in_milliseconds_and_with_the_whole_path(holdfast: Holdfast, home: Path) -> None:
    """Someone else's hook stays before ours; a command with a space in it is quoted for the shell, and not for the server."""
    laid_out(home, BEFORE[2][1])
    holdfast("init", "gemini", "--yes")
    settings = json.loads((home / ".gemini/settings.json").read_text())
    assert [group["hooks"][0]["command"] for group in settings["hooks"]["AfterAgent"]] == [
        "mine",
        "exec 3<&0; '/opt/a b/holdfast' hook gemini <&3 & trap 'kill $!' TERM; wait $! || exit 0",
    ]
    assert {group[-1]["hooks"][0]["timeout"] for group in settings["hooks"].values()} == {5000, 10000}
    assert settings["mcpServers"]["holdfast"] == {"command": "/opt/a b/holdfast", "args": ["mcp"]}


NAMED = [("[]", "GEMINI.md"), ('"AGENTS.md"', "AGENTS.md"), ('["AGENTS.md", "GEMINI.md"]', "GEMINI.md"), ("7", "GEMINI.md")]


@pytest.mark.parametrize(("named", "file"), NAMED)
def test_gemini_gets_its_rules_where_it_reads_them(holdfast: Holdfast, home: Path, named: str, file: str) -> None:
    """The settings may name another file."""
    laid_out(home, {".gemini/settings.json": f'{{"context": {{"fileName": {named}}}}}'})
    holdfast("init", "gemini", "--yes")
    assert sorted(name for name in seen(home) if name.endswith(".md")) == [f".gemini/{file}"]


def test_the_extension_is_enough(holdfast: Holdfast, home: Path) -> None:
    """Each hook would run twice."""
    laid_out(home, {".gemini/extensions/holdfast/gemini-extension.json": "{}"})
    answer = holdfast("init", "gemini", "--yes")
    assert answer.out.startswith("nothing to do")
    assert "The extension holdfast is installed" in answer.out


OFF = [('{"enabled": false}', "no hook runs"), ('{"disabled": ["holdfast"]}', "our hooks do not run"), ("7", "")]


@pytest.mark.parametrize(("config", "said"), OFF)
def test_the_state_says_what_keeps_gemini_from_it(holdfast: Holdfast, home: Path, config: str, said: str) -> None:
    """Settings by which the user has turned hooks off."""
    laid_out(home, {".gemini/settings.json": f'{{"hooksConfig": {config}}}'})
    holdfast("init", "gemini", "--yes")
    assert said in " ".join(state_of("gemini", home).said)


def test_opencode_is_not_taken_away_from_claudes_rules(holdfast: Holdfast, home: Path) -> None:
    """With an AGENTS.md of its own it would read that in their place."""
    laid_out(home, {".claude/CLAUDE.md": "# Mine\n"})
    answer = holdfast("init", "opencode", "--yes")
    assert f"{CONFIG}/AGENTS.md" not in seen(home)
    assert "`holdfast init claude-code` puts them there" in answer.out


def test_opencode_calls_the_command_by_its_path(holdfast: Holdfast, home: Path) -> None:
    """In the plugin as a list of words; what the user has set on the server stays."""
    entry = '{"mcp": {"holdfast": {"type": "local", "command": ["old"], "enabled": false}}}'
    laid_out(home, {f"{CONFIG}/opencode.json": entry})
    holdfast("init", "opencode", "--yes")
    assert 'const COMMAND = ["/opt/a b/holdfast"]\n' in (home / CONFIG / "plugins/holdfast.js").read_text()
    server = json.loads((home / CONFIG / "opencode.json").read_text())["mcp"]["holdfast"]
    assert server == {"type": "local", "command": ["/opt/a b/holdfast", "mcp"], "enabled": False}
    assert "not enabled" in " ".join(state_of("opencode", home).said)


@pytest.mark.parametrize(("variable", "host"), [("XDG_CONFIG_HOME", "opencode"), ("GEMINI_CLI_HOME", "gemini")])
def test_a_home_of_its_own_is_honoured(
    holdfast: Holdfast, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str, host: str
) -> None:
    """Nothing is written where the host does not look."""
    monkeypatch.setenv(variable, str(tmp_path / "elsewhere"))
    holdfast("init", host, "--yes")
    assert not seen(home)
    assert seen(tmp_path / "elsewhere")


@pytest.mark.parametrize("host", HOSTS)
def test_nothing_is_written_into_a_project(holdfast: Holdfast, home: Path, tmp_path: Path, host: str) -> None:
    """It would go to everybody who has the repository."""
    before = seen(tmp_path)
    answer = holdfast("init", host, "--yes", "--project")
    assert (answer.code, "without --project" in answer.err) == (2, True)
    assert seen(tmp_path) == before


def test_the_packages_say_what_init_writes() -> None:
    """With the plain name of the command: the same hooks, rules and version."""
    hooks = json.loads((PACKAGES / "gemini/hooks/hooks.json").read_text())["hooks"]
    handlers = {event: group["hooks"][0] for event, (group,) in hooks.items()}
    assert {event: handler["timeout"] for event, handler in handlers.items()} == gemini.EVENTS
    (command,) = {handler["command"] for handler in handlers.values()}
    assert command == "exec 3<&0; holdfast hook gemini <&3 & trap 'kill $!' TERM; wait $! || exit 0"
    about = json.loads((PACKAGES / "gemini/gemini-extension.json").read_text())
    assert about["version"] == package.__version__
    assert (PACKAGES / "gemini" / about["contextFileName"]).read_text() == rules.text("gemini") + "\n"
    assert "{{args}}" in tomllib.loads((PACKAGES / "gemini/commands/holdfast.toml").read_text())["prompt"]
    plugin = (PACKAGES / "opencode/holdfast.js").read_text()
    assert plugin.count('const COMMAND = ["holdfast"]\n') == 1
    assert plugin.count("\n") < 160


@pytest.mark.parametrize("shell", ["sh", "bash"])
@pytest.mark.parametrize(("program", "printed"), [("cat", '{"a": 1}'), ("echo no; exit 3", "no\n"), ("", "")])
def test_what_gemini_runs_hands_on_the_payload_and_always_says_0(tmp_path: Path, shell: str, program: str, printed: str) -> None:
    """In whatever shell; also where the program is gone."""
    script = tmp_path / "holdfast"
    if program:
        script.write_text(f"#!/bin/sh\n{program}\n")
        script.chmod(0o755)
    about = {"home": "/h", "folder": "/w", "workspace": "/m", "command": str(script), "env": {}}
    place = Place(**about, read=lambda _: None, listed=lambda _: [])
    (edit, *_) = gemini.install(place).edits
    command = json.loads(edit.after or "")["hooks"]["AfterAgent"][0]["hooks"][0]["command"]
    done = subprocess.run([shell, "-c", command], input='{"a": 1}', capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, printed)
