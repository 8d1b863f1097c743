"""`holdfast init openclaw`: what each version of OpenClaw knows, what the owner has set, and the way back."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from conftest import Holdfast
from holdfast.documents.markdown import new_state_file
from holdfast.installs import Place, Unusable, json_text, older_memories, openclaw, rules, shipped, skill

STATE = "/home/u/.openclaw"
CONFIG, PLUGIN, AGENTS = f"{STATE}/openclaw.json", f"{STATE}/holdfast/plugin", f"{STATE}/workspace/AGENTS.md"
STUB = {"openclaw.plugin.json": '{"id": "holdfast"}\n', "index.js": "export default {};\n"}

COMMENTED = """\
// my settings
{
  meta: { lastTouchedVersion: '2026.9.6' },
  gateway: { port: 18789, }, // loopback
  /* the agents */
  "agents": {
    "defaults": {
      "model": { "primary": "a/b" } // the good one
    }
  },
  plugins: {
    entries: {
      other: { enabled: true } // somebody's
    },
  },
}
"""


@pytest.fixture(autouse=True)
def _small_plugin(monkeypatch: pytest.MonkeyPatch) -> None:
    """The plugin's own files are not what is tested here."""
    real = shipped.files
    monkeypatch.setattr(shipped, "files", lambda folder: STUB if folder == "openclaw" else real(folder))


def place(files: dict[str, str], **env: str) -> Place:
    """A machine that has these files and nothing else."""

    def listed(folder: str) -> list[str]:
        below = [path.removeprefix(f"{folder}/") for path in files if path.startswith(f"{folder}/")]
        return sorted({name.split("/")[0] for name in below})

    return Place("/home/u", "/home/u/project", "/home/u/memory", "/home/u/.local/bin/holdfast", env, files.get, listed)


def installed(files: dict[str, str], **env: str) -> dict[str, str]:
    """The files after all edits of the plan."""
    plan = openclaw.install(place(files, **env))
    after = dict(files)
    for edit in (*plan.edits, *plan.rules):
        assert edit.before == files.get(edit.path)
        after[edit.path] = edit.after or ""
    return after


def settings(files: dict[str, str], path: str = CONFIG) -> Any:
    return json_text.read(files[path])


def written(config: dict[str, Any], version: str = "2026.9.6") -> dict[str, str]:
    """A machine with an OpenClaw of a version, which has made its workspace."""
    return {CONFIG: json.dumps({"meta": {"lastTouchedVersion": version}, **config}), AGENTS: "# Mine\n"}


# ---- what a version knows -----------------------------------------------------------------------------------------------

BY_THE_PLUGIN = "The plugin has OpenClaw run the weekly review, Mondays at nine"
# version, the permissions that it knows, whether its flush can be told what to write, how the review is scheduled
VERSIONS = (
    ("2026.3.31", {"allowPromptInjection"}, True, "0 9 * * 1 /home/u/.local/bin/holdfast --workspace "),
    ("2026.7.1", {"allowConversationAccess", "allowPromptInjection"}, True, BY_THE_PLUGIN),
    ("2026.9.6", {"allowConversationAccess", "allowPromptInjection"}, False, BY_THE_PLUGIN),
    ("", {"allowConversationAccess", "allowPromptInjection"}, False, BY_THE_PLUGIN),
)


@pytest.mark.parametrize(("version", "permissions", "told", "scheduled"), VERSIONS)
def test_each_version_gets_the_settings_that_it_knows(version: str, permissions: set[str], told: bool, scheduled: str) -> None:
    """A key that it does not know would be a fault in its settings."""
    files = written({}, version)
    found = settings(installed(files))
    entry = found["plugins"]["entries"]["holdfast"]
    assert entry["enabled"] is True
    assert entry["hooks"] == dict.fromkeys(permissions, True)
    itself = {"weeklyReview": True} if scheduled == BY_THE_PLUGIN else {}
    assert entry["config"] == {"command": "/home/u/.local/bin/holdfast", **itself}
    assert found["plugins"]["load"]["paths"] == [PLUGIN]
    flush = found["agents"]["defaults"]["compaction"]["memoryFlush"]
    assert {"enabled": True, "softThresholdTokens": 12000}.items() <= flush.items()
    assert set(flush) - {"enabled", "softThresholdTokens"} == ({"prompt", "systemPrompt"} if told else set())
    plan = openclaw.install(place(files))
    assert any(line.strip().startswith(scheduled) for line in plan.then)
    assert ("restart" in plan.taken_up) is (version != "2026.9.6")
    assert f"/home/u/.local/bin/holdfast --workspace {STATE}/workspace doctor" in plan.then[0]


def test_the_flush_is_told_the_whole_schema() -> None:
    """Also where the user did not want the rules in AGENTS.md."""
    prompt = settings(installed(written({}, "2026.7.1")))["agents"]["defaults"]["compaction"]["memoryFlush"]["prompt"]
    assert "<!-- BIG-MEMORY-SNAPSHOT v1 -->" in prompt
    assert "Blockers & Open Questions" in prompt
    assert "memory/YYYY-MM-DD.md" in prompt
    assert "NO_REPLY" in prompt


_PREFIX, _BIN = "/n/lib/node_modules/openclaw/package.json", "/p/node_modules/openclaw/package.json"
# files besides, PATH, what the settings say, what is found
KNOWN = (
    ({}, "", "2026.7.1-2", (2026, 7, 1)),
    ({"/n/bin/openclaw": "", _PREFIX: '{"version": "2026.9.6"}'}, "/x:/n/bin", None, (2026, 9, 6)),
    ({"/p/node_modules/.bin/openclaw": "", _BIN: '{"version": "2026.9.6"}'}, "/p/node_modules/.bin", "2026.7.1", (2026, 9, 6)),
    ({"/n/bin/openclaw": "", _PREFIX: '{"version": "2026.3.31"}'}, "/n/bin", "2026.9.6", (2026, 9, 6)),
    ({"/n/bin/openclaw": ""}, "/n/bin", None, ()),
    ({_PREFIX: '{"version": "2026.9.6"}'}, "/n/bin", None, ()),
    ({"/n/bin/openclaw": "", _PREFIX: "{"}, "/n/bin:relative", 7, ()),
)


@pytest.mark.parametrize(("more", "path", "touched", "version"), KNOWN)
def test_the_version_is_found_without_running_anything(
    more: dict[str, str], path: str, touched: Any, version: openclaw.Version
) -> None:
    """By the package beside the program on PATH and by the settings; of two the newer one counts."""
    files = {CONFIG: json.dumps({"meta": {"lastTouchedVersion": touched}}), **more}
    here = place(files, PATH=path)
    assert openclaw.version_of(here, openclaw.Settings(here, CONFIG)) == version


# ---- where things are ---------------------------------------------------------------------------------------------------

PLACES = (
    ({}, STATE, CONFIG),
    ({"OPENCLAW_STATE_DIR": "/srv/claw"}, "/srv/claw", "/srv/claw/openclaw.json"),
    ({"OPENCLAW_STATE_DIR": "~/claw/"}, "/home/u/claw", "/home/u/claw/openclaw.json"),
    ({"OPENCLAW_CONFIG_PATH": "/etc/claw.json5"}, STATE, "/etc/claw.json5"),
    ({"OPENCLAW_PROFILE": "work"}, "/home/u/.openclaw-work", "/home/u/.openclaw-work/openclaw.json"),
    ({"OPENCLAW_HOME": "/srv"}, "/srv/.openclaw", "/srv/.openclaw/openclaw.json"),
)


@pytest.mark.parametrize(("env", "state", "config"), PLACES)
def test_openclaws_own_variables_are_honoured(env: dict[str, str], state: str, config: str) -> None:
    """State and settings are where it would look for them."""
    assert (openclaw.state_folder(place({}, **env)), openclaw.config_path(place({}, **env))) == (state, config)


# agents, the AGENTS.md that are there, those that get the rules
WORKSPACES = (
    ({}, [f"{STATE}/workspace"], [f"{STATE}/workspace"]),
    ({"defaults": {"workspace": "~/claw"}}, ["/home/u/claw", f"{STATE}/workspace"], ["/home/u/claw"]),
    ({"list": [{"id": "main", "workspace": "/a"}]}, ["/a", f"{STATE}/workspace"], ["/a"]),
    ({"entries": {"a": {"workspace": "/a"}, "b": {"workspace": "/b"}}}, ["/a", "/b", f"{STATE}/workspace"], ["/a", "/b"]),
    ({"entries": {"a": {"workspace": "/a"}, "b": {}}}, ["/a", f"{STATE}/workspace-b"], ["/a", f"{STATE}/workspace-b"]),
    ({"defaults": {"workspace": "/w"}, "entries": {"a": {}, "b": {}}}, ["/w/a", "/w/b", "/x"], ["/w/a", "/w/b"]),
    ({"entries": {"main": {}, "b": None}}, [f"{STATE}/workspace"], [f"{STATE}/workspace"]),
    ({}, [], []),
)


@pytest.mark.parametrize(("folder", "day"), [("", "memory/"), ("episodic/", "memory/episodic/")])
def test_the_rules_name_the_folder_that_days_are_kept_in(folder: str, day: str) -> None:
    """Where seed D's tree is found, a checkpoint goes there; the flush, which may write nowhere else, into `memory/`."""
    there = f"{STATE}/workspace/memory/{folder}2026-11-01.md"
    (edit,) = openclaw.install(place({CONFIG: "{}", AGENTS: "# Mine\n", there: "x"})).rules
    assert f"the day's file `{day}YYYY-MM-DD.md`; either one" in str(edit.after)
    assert "There, append a block to `memory/YYYY-MM-DD.md`" in str(edit.after)
    assert ("upkeep brings it into `memory/episodic/`" in str(edit.after)) is bool(folder)


@pytest.mark.parametrize(("agents", "there", "get"), WORKSPACES)
def test_the_rules_go_to_every_workspace_that_openclaw_has_made(agents: dict[str, Any], there: list[str], get: list[str]) -> None:
    """And to no other: an AGENTS.md of ours would keep OpenClaw from making its own."""
    files = {CONFIG: json.dumps({"agents": agents}), **{f"{folder}/AGENTS.md": "# Mine\n" for folder in there}}
    plan = openclaw.install(place(files))
    assert [edit.path for edit in plan.rules] == [f"{folder}/AGENTS.md" for folder in get]
    assert list(plan.workspaces) == get
    for edit in plan.rules:
        assert str(edit.after).startswith("# Mine\n\n<!-- holdfast: begin")
        assert rules.text("openclaw") in str(edit.after)  # of an unknown version
    assert any("is not there yet" in line for line in plan.then) is (not get)


# ---- what is there already ----------------------------------------------------------------------------------------------


def test_comments_and_order_of_the_settings_stay() -> None:
    """Every line is still there, in its order; only a comma may have come behind a value."""
    after = installed({CONFIG: COMMENTED})[CONFIG]
    lines = iter(after.splitlines())
    for line in COMMENTED.splitlines():
        bare = line.replace(",", "")
        assert any(candidate.replace(",", "") == bare for candidate in lines), line
    assert json_text.read(after)["plugins"]["entries"]["other"] == {"enabled": True}


# what the owner has set, what is said of it
OWNERS = (
    ({"agents": {"defaults": {"compaction": {"memoryFlush": {"softThresholdTokens": 50000}}}}}, ""),
    ({"agents": {"defaults": {"compaction": {"memoryFlush": {"enabled": False}}}}}, "memoryFlush.enabled is false"),
    ({"agents": {"defaults": {"compaction": {"memoryFlush": {"prompt": "my own words"}}}}}, "memoryFlush.prompt is your own"),
    ({"plugins": {"enabled": False}}, "plugins.enabled is false"),
    ({"plugins": {"deny": ["holdfast"]}}, "plugins.deny names holdfast"),
    ({"plugins": {"slots": {"memory": "memory-core"}}}, ""),
    ({"plugins": {"entries": {"holdfast": {"config": {"maxDecisions": 5}}}}}, ""),
)


def leaves(value: Any, way: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], Any]]:
    if isinstance(value, dict):
        return [leaf for name, item in value.items() for leaf in leaves(item, (*way, name))]
    return [(way, value)]


@pytest.mark.parametrize(("owned", "says"), OWNERS)
def test_what_the_owner_has_set_stays_and_is_said_where_it_is_in_the_way(owned: dict[str, Any], says: str) -> None:
    """Nothing is lowered, nothing that was switched off is switched on."""
    files = written(owned, "2026.7.1")
    after = dict(leaves(settings(installed(files))))
    for way, value in leaves(owned):
        assert after[way] == value, way
    assert not says or any(says in line for line in openclaw.install(place(files)).then)


def test_a_list_of_allowed_plugins_is_added_to_and_never_begun() -> None:
    """Begun, it would shut out every other plugin."""
    assert settings(installed(written({"plugins": {"allow": ["x"]}})))["plugins"]["allow"] == ["x", "holdfast"]
    assert settings(installed(written({"plugins": {"allow": []}})))["plugins"]["allow"] == []
    assert "allow" not in settings(installed(written({})))["plugins"]


def test_a_lower_threshold_is_raised() -> None:
    """To the 12,000 tokens that a checkpoint needs."""
    low = {"agents": {"defaults": {"compaction": {"memoryFlush": {"softThresholdTokens": 4000}}}}}
    assert settings(installed(written(low)))["agents"]["defaults"]["compaction"]["memoryFlush"]["softThresholdTokens"] == 12000


def test_a_second_time_there_is_nothing_to_do() -> None:
    """And an upgrade, or a command that has moved, shows as just that."""
    for version in ("2026.3.31", "2026.7.1", "2026.9.6"):
        after = installed(written({}, version))
        plan = openclaw.install(place(after))
        assert (plan.edits, plan.rules, plan.then) == ((), (), ())
    older = {**after, f"{PLUGIN}/index.js": "old\n"}
    assert [edit.path for edit in openclaw.install(place(older)).edits] == [f"{PLUGIN}/index.js"]
    moved = openclaw.install(place(after).replaced(command="/opt/holdfast")).edits
    assert [edit.path for edit in moved] == [CONFIG]
    assert str(moved[0].after).replace("/opt/holdfast", "/home/u/.local/bin/holdfast") == moved[0].before


def test_what_init_writes_is_what_the_plugin_takes() -> None:
    """Its id, its settings, and the tools that rules and skill name."""
    manifest = json.loads(shipped.text("openclaw/openclaw.plugin.json"))
    entry = settings(installed(written({})))["plugins"]["entries"][manifest["id"]]
    assert set(entry["config"]) <= set(manifest["configSchema"]["properties"])
    for tool in manifest["contracts"]["tools"]:
        assert f"`{tool}`" in rules.text("openclaw")
        assert f"`{tool}`" in skill.files("openclaw")["SKILL.md"]
    assert manifest["contracts"]["tools"] == list(older_memories.TOOLS)


def test_the_slash_command_is_the_plugins() -> None:
    """The skill has another name: of two `/holdfast` nobody could tell which is meant."""
    ours = installed(written({}))[f"{STATE}/skills/holdfast-memory/SKILL.md"]
    assert ours == skill.files("openclaw", (2026, 9, 6))["SKILL.md"]
    assert "\nname: holdfast-memory\n" in ours


def test_the_settings_are_written_behind_what_they_name() -> None:
    """A gateway that runs takes them up at once: the plugin must be there by then, and the way back too."""
    paths = [edit.path for edit in openclaw.install(place(written({"plugins": {"entries": {"snap-memory": {}}}}))).edits]
    assert paths[-1] == CONFIG
    assert {f"{PLUGIN}/index.js", f"{STATE}/holdfast/set-aside.json"} <= set(paths[:-1])


def test_a_command_of_several_words_is_given_as_a_list() -> None:
    """The plugin starts no shell that would take it apart."""
    files = written({})
    plan = openclaw.install(place(files).replaced(command="'/my python/bin/python' -m holdfast"))
    (config,) = [str(edit.after) for edit in plan.edits if edit.path == CONFIG]
    entry = json_text.read(config)["plugins"]["entries"]["holdfast"]
    assert entry["config"]["command"] == ["/my python/bin/python", "-m", "holdfast"]


def test_an_owner_who_wants_no_review_has_none() -> None:
    """`weeklyReview: false` stays, and nothing is said of one."""
    files = written({"plugins": {"entries": {"holdfast": {"config": {"weeklyReview": False}}}}})
    entry = settings(installed(files))["plugins"]["entries"]["holdfast"]
    assert entry["config"]["weeklyReview"] is False
    assert "review" not in "\n".join(openclaw.install(place(files)).then)


def test_where_openclaw_would_start_a_model_each_workspace_has_a_line_for_the_crontab() -> None:
    """By a name of its own; and a command that no scheduler takes as a path is given as it is."""
    two = {"a": {"workspace": "/a b"}, "b": {"workspace": "/b"}}
    files = {**written({"agents": {"entries": two}}, "2026.3.31"), "/a b/AGENTS.md": "", "/b/AGENTS.md": ""}
    lines = [line for line in openclaw.install(place(files)).then if "upkeep review" in line]
    assert len({line.rpartition("# ")[2] for line in lines}) == 2
    assert shlex.split(lines[0])[6:8] == ["--workspace", "/a b"]
    odd = openclaw.install(place(files).replaced(command="/py -m holdfast")).then
    assert "  /py -m holdfast --workspace '/a b' upkeep review" in odd


def test_a_session_state_that_is_there_is_left_alone() -> None:
    """Where there is none, the template is put there."""
    path = f"{STATE}/workspace/memory/session-state.md"
    assert installed(written({}))[path] == new_state_file()
    assert installed({**written({}), path: "mine"})[path] == "mine"


# ---- settings in several files ------------------------------------------------------------------------------------------


def test_a_part_that_is_included_is_changed_in_its_own_file() -> None:
    """And the file that includes it stays as it is."""
    files = {
        CONFIG: '{plugins: {$include: "./parts/plugins.json5"}, agents: {defaults: {$include: "./defaults.json5"}}}',
        f"{STATE}/parts/plugins.json5": "{ // mine\n  entries: {$include: './entries.json5'},\n}\n",
        f"{STATE}/parts/entries.json5": "{}",
        f"{STATE}/defaults.json5": '{"workspace": "/a"}',
        "/a/AGENTS.md": "",
    }
    after = installed(files)
    assert after[CONFIG] == files[CONFIG]
    assert settings(after, f"{STATE}/parts/plugins.json5")["load"] == {"paths": [PLUGIN]}
    assert settings(after, f"{STATE}/parts/entries.json5")["holdfast"]["enabled"] is True
    assert settings(after, f"{STATE}/defaults.json5")["compaction"]["memoryFlush"]["softThresholdTokens"] == 12000
    assert "holdfast: begin" in after["/a/AGENTS.md"]
    assert openclaw.install(place(after)).edits == ()
    back = {edit.path: edit.after for edit in openclaw.remove(place(after)).edits}
    assert CONFIG not in back
    assert json_text.read(str(back[f"{STATE}/parts/entries.json5"])) == {}
    assert "load" not in json_text.read(str(back[f"{STATE}/parts/plugins.json5"]))


ELSEWHERE = (
    ('{plugins: {$include: ["./a.json", "./b.json"]}}', "several files"),
    ('{plugins: {$include: "./a.json", enabled: true}}', "several files"),
    ('{$include: ["./a.json"]}', "`all of it`"),
    ('{plugins: {$include: "../a.json"}}', "outside of its own folder"),
    ('{plugins: {$include: "./gone.json"}}', "not there"),
    ('{plugins: {$include: "./a.json"}}', "outside of its own folder"),  # a.json includes itself
    ("{plugins: [1]}", "an object was expected"),
    ("{plugins: ", "line 1"),
)


@pytest.mark.parametrize(("config", "why"), ELSEWHERE)
def test_where_it_cannot_be_told_whose_a_part_is_nothing_is_guessed(config: str, why: str) -> None:
    """It is said in words, to `init` as to `doctor`."""
    files = {CONFIG: config, f"{STATE}/a.json": '{$include: "./a.json"}', f"{STATE}/b.json": "{}"}
    with pytest.raises(Unusable, match=re.escape(why)):
        openclaw.install(place(files))
    said = openclaw.state(place(files))
    assert (said.there, said.installed) == (True, False)
    assert why in said.said[0]


ODD = (0, "x", [], [1], {"x": 1}, None, True)
WAYS = """
    plugins plugins.load plugins.load.paths plugins.allow plugins.deny plugins.entries plugins.entries.holdfast
    plugins.entries.holdfast.hooks agents agents.list agents.entries agents.defaults agents.defaults.workspace meta
    meta.lastTouchedVersion agents.defaults.compaction.memoryFlush agents.defaults.compaction.memoryFlush.softThresholdTokens
    agents.defaults.compaction.memoryFlush.prompt agents.defaults.bootstrapMaxChars skills skills.entries
    skills.entries.big-memory skills.load.extraDirs plugins.entries.snap-memory plugins.entries.snap-memory.enabled
    plugins.entries.snap-memory.config
    plugins.entries.snap-memory.config.contextDir plugins.entries.holdfast.config.pausedJobs
"""


@pytest.mark.parametrize("way", WAYS.split())
def test_whatever_stands_in_the_settings_the_answer_is_a_plan_or_a_sentence(way: str) -> None:
    """What is no object where one belongs cannot be put right by us, and is named; no answer is any other exception."""
    for value in ODD:
        skill = {f"{STATE}/skills/big-memory/SKILL.md": "---\nname: big-memory\n---\n<!-- BIG-MEMORY-SNAPSHOT v1 -->\n"}
        here = place({CONFIG: json_text.put("{}", tuple(way.split(".")), value), AGENTS: "# Mine\n", **skill})
        for ask in (openclaw.install, openclaw.remove):
            with contextlib.suppress(Unusable):
                assert all(edit.before != edit.after for edit in ask(here).edits)
        assert openclaw.state(here).there


# ---- how it stands ------------------------------------------------------------------------------------------------------


def dropped(files: dict[str, str], *way: str) -> dict[str, str]:
    return {**files, CONFIG: json_text.drop(files[CONFIG], way)}


def test_doctor_is_told_what_is_wanting() -> None:
    """Each thing without which the plugin would not be loaded, or would be loaded without power."""
    good = installed(written({}))
    fine = openclaw.state(place(good))
    assert (fine.there, fine.installed, fine.current, fine.said) == (True, True, True, ())
    entry = ("plugins", "entries", "holdfast")
    wrong = (
        ({name: text for name, text in good.items() if not name.startswith(PLUGIN)}, "the plugin is not in"),
        (dropped(good, "plugins", "load"), "plugins.load.paths does not name it"),
        (dropped(good, *entry, "enabled"), "is not enabled"),
        (dropped(good, *entry, "hooks", "allowConversationAccess"), "hooks.allowConversationAccess is not true"),
        ({**good, CONFIG: json_text.put(good[CONFIG], ("plugins", "enabled"), value=False)}, "plugins.enabled is false"),
    )
    for files, says in wrong:
        said = openclaw.state(place(files))
        assert not said.installed, says
        assert any(says in line for line in said.said), said.said
    older = openclaw.state(place({**good, f"{PLUGIN}/index.js": "old\n"}))
    assert (older.installed, older.current, older.said) == (True, False, ())
    assert openclaw.state(place(written({}))).replaced(said=()) == openclaw.State(there=True, installed=False, current=False)
    assert openclaw.state(place({})).there is False


# ---- the command itself -------------------------------------------------------------------------------------------------


@pytest.fixture
def claw(tmp_path: Path) -> Path:
    """The home of a user who has OpenClaw."""
    state = tmp_path / "home" / ".openclaw"
    (state / "workspace").mkdir(parents=True)
    (state / "openclaw.json").write_text(COMMENTED)
    (state / "openclaw.json").chmod(0o600)
    (state / "workspace" / "AGENTS.md").write_bytes(b"# Mine\r\n\r\nBe kind.")
    return state


def tree(folder: Path) -> dict[str, bytes]:
    ours = (".holdfast/", "trusted")
    files = {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
    return {name: data for name, data in files.items() if not any(part in name for part in ours)}


def test_uninstall_gives_back_the_same_bytes(holdfast: Holdfast, claw: Path) -> None:
    """Whatever was written: no file, no folder, no line end of it is left in OpenClaw's."""
    before, folders = tree(claw), {path for path in claw.rglob("*") if path.is_dir()}
    assert holdfast("init", "openclaw", "--yes").code == 0
    assert tree(claw) != before
    assert b"\r\n<!-- holdfast: begin" in (claw / "workspace" / "AGENTS.md").read_bytes()
    assert (claw / "openclaw.json").stat().st_mode & 0o777 == 0o600
    assert "nothing to do" in holdfast("init", "openclaw", "--yes").out
    assert holdfast("uninstall", "openclaw", "--yes").code == 0
    assert tree(claw) == before
    left = {path for path in claw.rglob("*") if path.is_dir()} - folders
    assert {path for path in left if ".holdfast" not in path.parts and path.name != "memory"} == set()


def test_what_was_edited_since_loses_our_parts_alone(holdfast: Holdfast, claw: Path) -> None:
    """OpenClaw writes its settings anew whenever it likes, without comments, and people write into AGENTS.md."""
    holdfast("init", "openclaw", "--yes")
    config = json_text.read((claw / "openclaw.json").read_text())
    config["gateway"]["port"] = 1
    (claw / "openclaw.json").write_text(json.dumps(config, indent=2))
    agents = claw / "workspace" / "AGENTS.md"
    agents.write_bytes(agents.read_bytes() + b"\r\nMore of mine.\r\n")
    (claw / "workspace" / "memory" / "session-state.md").write_text("used since")
    assert holdfast("uninstall", "openclaw", "--yes").code == 0
    after = json.loads((claw / "openclaw.json").read_text())
    assert after["gateway"]["port"] == 1
    assert after["plugins"] == {"entries": {"other": {"enabled": True}}}
    assert agents.read_bytes() == b"# Mine\r\n\r\nBe kind.\r\n\r\nMore of mine.\r\n"
    assert (claw / "workspace" / "memory" / "session-state.md").read_text() == "used since"
    assert not (claw / "skills").exists()
    assert not (claw / "holdfast").exists()


def test_our_files_go_too_where_openclaws_settings_have_gone(holdfast: Holdfast, claw: Path) -> None:
    """Whoever removes OpenClaw first can still be rid of us."""
    holdfast("init", "openclaw", "--yes")
    (claw / "openclaw.json").unlink()
    assert holdfast("uninstall", "openclaw", "--yes").code == 0
    assert not (claw / "openclaw.json").exists()
    assert not (claw / "holdfast").exists()
    assert not (claw / "skills").exists()
    assert (claw / "workspace" / "AGENTS.md").read_bytes() == b"# Mine\r\n\r\nBe kind."


def test_commands_in_the_workspace_are_of_its_memory(holdfast: Holdfast, claw: Path) -> None:
    """An agent that runs `holdfast` where it works writes where the plugin writes, and not into a folder of the user's state."""
    from holdfast.config import find_workspace

    workspace = str(claw / "workspace")
    assert find_workspace("", os.environ, workspace) != workspace
    answer = holdfast("init", "openclaw", "--yes")
    assert "workspace: makes .holdfast/ and " in " ".join(answer.out.split())
    assert "and it is trusted" in answer.out
    assert find_workspace("", os.environ, workspace) == workspace


def test_the_words_for_what_cannot_be_done(holdfast: Holdfast, claw: Path) -> None:
    """No settings, or settings that are no JSON: exit 2, what to do, nothing changed."""
    (claw / "openclaw.json").write_text("{ oops")
    answer = holdfast("init", "openclaw", "--yes")
    assert (answer.code, answer.out) == (2, "")
    assert "line 1" in answer.err
    assert "Nothing was changed" in answer.err
    (claw / "openclaw.json").unlink()
    answer = holdfast("init", "openclaw", "--yes")
    assert answer.code == 2
    assert "openclaw onboard" in answer.err
    assert sorted(path.name for path in claw.iterdir()) == ["workspace"]


def test_there_is_no_openclaw_for_one_project(holdfast: Holdfast, claw: Path) -> None:
    """It is said, and nothing is written that would be for all of them."""
    before = tree(claw)
    for command in ("init", "uninstall"):
        answer = holdfast(command, "openclaw", "--project", "--yes")
        assert answer.code == 2
        assert "leave out --project" in answer.err
    assert tree(claw) == before


def test_without_rules_agents_md_stays_as_it_is(holdfast: Holdfast, claw: Path) -> None:
    """The rest is written all the same."""
    holdfast("init", "openclaw", "--yes", "--no-rules")
    assert (claw / "workspace" / "AGENTS.md").read_bytes() == b"# Mine\r\n\r\nBe kind."
    assert (claw / "skills" / "holdfast-memory" / "SKILL.md").exists()
