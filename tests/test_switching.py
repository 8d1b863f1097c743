"""Coming to Holdfast from another memory of OpenClaw: each is found, switched off in the diff that is shown, and put back.

The workspaces are written here, after what each of the five documents has its users set up.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import Holdfast
from holdfast.installs import json_text, marked, older_memories, openclaw

FIXTURE = Path(__file__).parent / "fixtures" / "snap-memory"
FLUSH_WORDS = {
    "systemPrompt": "Follow the BIG-MEMORY-SNAPSHOT schema exactly.",
    "prompt": "Append a BIG-MEMORY-SNAPSHOT block to memory/YYYY-MM-DD.md. Reply NO_FLUSH if nothing is worth storing.",
}
BIG = "---\nname: big-memory\ndescription: Task snapshots\n---\n\n# Big Memory\n\n<!-- BIG-MEMORY-SNAPSHOT v1 -->\n"
SMART = '---\nname: smart-memory\ndescription: Better memory\n---\n\n# Smart Memory\n\nRun `scripts/wal task "…"`.\n'
FOURTH = "---\nname: openclaw-memory-v4\ndescription: Three tiers\n---\n\nRun scripts/archive-old-episodic.sh 30.\n"
GUIDE = """\
## Post-Compaction Recovery (session-state.md)

We write memory/session-state.md before a compaction.

### Compaction Checkpoints -- ZERO TOLERANCE for Memory Loss

Mandatory fields, every time:

- the last exchanges

### Compaction Recovery -- Defense in Depth

Layer 1: the checkpoint. Layer 2: the JSONL.

### JSONL Recovery Method -- Context-Safe Tail Read

1. Take the last 400 lines.

"""
OWN = "## Post-Compaction Recovery\n\nAsk me.\n\n"
AGENTS = "# AGENTS.md\n\n## Startup\n\nRead SOUL.md.\n\n{guide}## Red lines\n\n- be kind\n"
JOB = {
    "id": "job-1", "name": "weekly-memory-review", "enabled": True,
    "payload": {"kind": "agentTurn", "message": "Weekly review: run scripts/health-check.sh, then archive."},
}  # fmt: skip


class Claw:
    """The home of somebody who has OpenClaw, and what is in it."""

    def __init__(self, home: Path) -> None:
        self.home, self.state = home, home / ".openclaw"
        self.workspace, self.path = self.state / "workspace", self.state / "openclaw.json"
        self.agents = self.workspace / "AGENTS.md"
        self.workspace.mkdir(parents=True)
        self.agents.write_text(AGENTS.format(guide=""))
        self.configure({})

    def configure(self, settings: dict[str, Any], version: str = "2026.9.6") -> None:
        """Write its settings."""
        self.path.write_text(
            json.dumps({"meta": {"lastTouchedVersion": version}, **settings}, indent=2)
        )

    def settings(self, *way: str) -> Any:
        """What they say at a path."""
        value = json_text.read(self.path.read_text())
        for name in way:
            value = value.get(name) if isinstance(value, dict) else None
        return value

    def skill(self, name: str, text: str, folder: str = "workspace/skills") -> None:
        """Put a skill into one of the folders that OpenClaw looks in."""
        path = self.state / folder / name / "SKILL.md"
        path.parent.mkdir(parents=True)
        path.write_text(text)

    def schedule(self, *jobs: dict[str, Any]) -> None:
        """Put jobs into the database of its scheduler."""
        (self.state / "state").mkdir()
        with sqlite3.connect(self.state / "state" / "openclaw.sqlite") as database:
            database.execute("CREATE TABLE cron_jobs (job_id TEXT, job_json TEXT)")
            database.executemany(
                "INSERT INTO cron_jobs VALUES (?, ?)",
                [(job["id"], json.dumps(job)) for job in jobs],
            )

    def files(self) -> dict[str, bytes]:
        """Every file but those of the memory itself."""
        found = {
            str(path.relative_to(self.state)): path
            for path in self.state.rglob("*")
            if path.is_file()
        }
        return {name: path.read_bytes() for name, path in found.items() if ".holdfast" not in name}


@pytest.fixture
def claw(tmp_path: Path) -> Claw:
    """OpenClaw 2026.9.6 with one workspace."""
    return Claw(tmp_path / "home")


def put_snap_memory(claw: Claw) -> None:
    config = {"contextDir": "./memory/topics", "maxHistoryLines": 12, "maxDecisions": 20}
    claw.configure(
        {
            "plugins": {
                "load": {"paths": [str(FIXTURE)]},
                "entries": {"snap-memory": {"enabled": True, "config": config}},
            }
        }
    )


def put_copied_snap_memory(claw: Claw) -> None:
    shutil.copytree(FIXTURE, claw.state / "extensions" / "snap-memory")


def put_renamed_plugin(claw: Claw) -> None:
    folder = claw.state / "extensions" / "mine"
    shutil.copytree(FIXTURE, folder)
    manifest = json.loads((folder / "openclaw.plugin.json").read_text())
    (folder / "openclaw.plugin.json").write_text(json.dumps({**manifest, "id": "my-topics"}))


# who is there before us; the line of the summary; the setting by which it is off
FOUND: dict[str, tuple[Callable[[Claw], object], str, tuple[str, ...]]] = {
    "A, linked": (put_snap_memory, "the plugin snap-memory", ("plugins", "entries", "snap-memory", "enabled")),
    "A, copied": (put_copied_snap_memory, "the plugin snap-memory", ("plugins", "entries", "snap-memory", "enabled")),
    "A, renamed": (put_renamed_plugin, "the plugin my-topics", ("plugins", "entries", "my-topics", "enabled")),
    "B": (lambda c: c.skill("big-memory", BIG), "the skill big-memory", ("skills", "entries", "big-memory", "enabled")),
    "B, for all agents": (
        lambda c: c.skill("bm", BIG, "skills"), "the skill big-memory", ("skills", "entries", "big-memory", "enabled"),
    ),
    "C": (lambda c: c.skill("smart-memory", SMART), "the skill smart-memory", ("skills", "entries", "smart-memory", "enabled")),
    "D, skill": (
        lambda c: c.skill("v4", FOURTH), "the skill openclaw-memory-v4", ("skills", "entries", "openclaw-memory-v4", "enabled"),
    ),
    "D, job": (lambda c: c.schedule(JOB), "the scheduled job weekly-memory-review", ()),
    "E": (
        lambda c: c.agents.write_text(AGENTS.format(guide=GUIDE)),
        "the older rules for checkpoints in ~/.openclaw/workspace/AGENTS.md",
        (),
    ),
}  # fmt: skip


@pytest.mark.parametrize("seed", FOUND)
def test_each_older_memory_is_found_switched_off_and_put_back(
    holdfast: Holdfast, claw: Claw, seed: str
) -> None:
    """Said in the summary, off after it, nothing of it deleted; a second time there is nothing to do; and back to the byte."""
    prepare, said, way = FOUND[seed]
    prepare(claw)
    before = claw.files()
    answer = holdfast("init", "openclaw", "--yes")
    assert answer.code == 0, answer.err
    summary = " ".join(answer.out.partition("\n\n")[0].split())
    assert f"switched off {said}" in summary
    assert not way or claw.settings(*way) is False
    assert {name for name in before if name not in ("openclaw.json", "workspace/AGENTS.md")} <= set(
        claw.files()
    )
    assert holdfast("init", "openclaw", "--yes").out.startswith("nothing to do")
    assert holdfast("uninstall", "openclaw", "--yes").code == 0
    assert claw.files() == before


@pytest.mark.parametrize("seed", FOUND)
def test_what_was_switched_off_is_put_back_where_the_files_were_edited_since(
    holdfast: Holdfast, claw: Claw, seed: str
) -> None:
    """OpenClaw writes its settings anew, people write into AGENTS.md: all of theirs stays, and the older memory is on again."""
    FOUND[seed][0](claw)
    before, agents = json_text.read(claw.path.read_text()), claw.agents.read_text()
    holdfast("init", "openclaw", "--yes")
    claw.path.write_text(
        json.dumps({**json_text.read(claw.path.read_text()), "ui": {"seamColor": "#fff"}})
    )
    claw.agents.write_text(claw.agents.read_text() + "\nMore of mine.\n")
    answer = holdfast("uninstall", "openclaw", "--yes")
    assert claw.agents.read_text() == agents + "\nMore of mine.\n"
    after = json_text.read(claw.path.read_text())
    assert after.pop("ui") == {"seamColor": "#fff"}
    del after["agents"]  # room for a checkpoint, which the owner may rely on by now
    assert after == before
    assert ("openclaw cron enable job-1" in answer.out) is (seed == "D, job")


@pytest.mark.parametrize("seed", FOUND)
def test_whoever_keeps_the_older_memory_keeps_it_and_doctor_says_that_two_fight(
    holdfast: Holdfast, claw: Claw, seed: str
) -> None:
    """`--no-switch` leaves it alone. doctor is not well then, and is well as soon as it is off."""
    prepare, said, way = FOUND[seed]
    prepare(claw)
    holdfast("init", "openclaw", "--yes", "--no-switch")
    assert not way or claw.settings(*way) is not False
    answer = holdfast("doctor")
    assert answer.code == 1
    (line,) = [line for line in answer.out.splitlines() if "two memories fight" in line]
    assert line.startswith("WANTING  OpenClaw")
    assert said.replace("in ~/", f"in {claw.home}/") in line
    assert "holdfast init openclaw" in line
    assert "two memories" not in holdfast("doctor", "--json").err
    holdfast("init", "openclaw", "--yes")
    assert "two memories fight" not in holdfast("doctor").out


def put_disabled(claw: Claw) -> None:
    claw.skill("big-memory", BIG)
    off = {"enabled": False}
    claw.configure(
        {
            "plugins": {"load": {"paths": [str(FIXTURE)]}, "entries": {"snap-memory": off}},
            "skills": {"entries": {"big-memory": off}},
        }
    )


def put_denied(claw: Claw) -> None:
    claw.configure({"plugins": {"load": {"paths": [str(FIXTURE)]}, "deny": ["snap-memory"]}})


INNOCENT: dict[str, Callable[[Claw], object]] = {
    "nothing": lambda claw: None,
    "all of them off already": put_disabled,
    "denied": put_denied,
    "a skill that tells of the format": lambda claw: claw.skill("notes", BIG.replace("name: big-memory", "name: release-notes")),
    "a memory of another kind": lambda claw: claw.skill("memory-palace", "---\nname: memory-palace\n---\nRead MEMORY.md.\n"),
    "one heading of the owner's": lambda claw: claw.agents.write_text(AGENTS.format(guide=OWN)),
    "the guide in a code block": lambda claw: claw.agents.write_text(AGENTS.format(guide=f"```\n{GUIDE}```\n\n")),
    "jobs of others": lambda claw: claw.schedule(
        {"id": "1", "name": "news", "enabled": True, "payload": {"message": "Tell me the news"}}, {**JOB, "enabled": False},
        {**JOB, "id": "2", "name": "holdfast-review-0a1b2c3d"},
    ),
    "a path that is no folder": lambda claw: claw.configure({"plugins": {"load": {"paths": [str(claw.path), "/gone", 7]}}}),
    "a database that is none": lambda claw: [
        (claw.state / "state").mkdir(), (claw.state / "state" / "openclaw.sqlite").write_text("no"),
    ],
}  # fmt: skip


@pytest.mark.parametrize("case", INNOCENT)
def test_what_is_no_memory_or_is_off_is_left_alone(
    holdfast: Holdfast, claw: Claw, case: str
) -> None:
    """Nothing is said of it, and doctor finds no fight."""
    INNOCENT[case](claw)
    answer = holdfast("init", "openclaw", "--yes")
    assert answer.code == 0, answer.err
    assert "switched off" not in answer.out
    assert "two memories fight" not in holdfast("doctor").out


# ---- what carries over ----------------------------------------------------------------------------------------------------

# snap-memory's settings, ours before; ours after, and what is said besides
CARRIED = (
    ({"contextDir": "./memory", "maxHistoryLines": 30, "maxDecisions": 20}, {}, {}, ""),
    (
        {"maxHistoryLines": 12, "maxDecisions": 5},
        {},
        {"maxHistoryLines": 12, "maxDecisions": 5},
        "",
    ),
    (
        {"maxHistoryLines": 12, "maxDecisions": 5},
        {"maxDecisions": 9},
        {"maxHistoryLines": 12, "maxDecisions": 9},
        "",
    ),
    (
        {"contextDir": "memory/topics/"},
        {},
        {"contextDir": "memory/topics"},
        'contextDir = "memory/topics"',
    ),
    ({"contextDir": "{workspace}/notes"}, {}, {"contextDir": "notes"}, 'contextDir = "notes"'),
    ({"contextDir": "/srv/topics"}, {}, {}, "is outside of the workspace"),
    (
        {"maxHistoryLines": "many", "maxDecisions": 0, "contextDir": "../up"},
        {},
        {},
        "is outside of the workspace",
    ),
)


@pytest.mark.parametrize(("theirs", "ours", "after", "says"), CARRIED)
def test_the_settings_of_snap_memory_carry_over(
    holdfast: Holdfast,
    claw: Claw,
    theirs: dict[str, Any],
    ours: dict[str, Any],
    after: dict[str, Any],
    says: str,
) -> None:
    """By the same names; what is the default anyway is not written, what is ours already stays, what cannot be is said."""
    theirs = {
        name: str(value).format(workspace=claw.workspace) if name == "contextDir" else value
        for name, value in theirs.items()
    }
    entries = {"snap-memory": {"enabled": True, "config": theirs}, "holdfast": {"config": ours}}
    claw.configure({"plugins": {"load": {"paths": [str(FIXTURE)]}, "entries": entries}})
    out = holdfast("init", "openclaw", "--yes").out
    found = claw.settings("plugins", "entries", "holdfast", "config")
    assert {
        name: value for name, value in found.items() if name not in ("command", "weeklyReview")
    } == after
    assert says in out


# ---- the flush of Big Memory ----------------------------------------------------------------------------------------------

# version, whether the words stay, what of the summary says so
FLUSHES = (
    ("2026.9.6", FLUSH_WORDS, False, "the rules in AGENTS.md tell the flush turn the same"),
    ("2026.8.1", FLUSH_WORDS, False, "the rules in AGENTS.md tell the flush turn the same"),
    (
        "2026.9.6",
        {"prompt": "Write down the lamps."},
        False,
        "what is still wanted of your own words belongs into AGENTS.md",
    ),
    ("2026.7.1", FLUSH_WORDS, True, ""),
    ("2026.3.31", {"prompt": "Write down the lamps."}, True, ""),
)


@pytest.mark.parametrize(("version", "words", "stay", "says"), FLUSHES)
def test_words_to_the_flush_go_where_the_version_refuses_them(
    holdfast: Holdfast, claw: Claw, version: str, words: dict[str, str], stay: bool, says: str
) -> None:
    """With them OpenClaw would refuse all of its settings; the owner's larger threshold stays in any case."""
    flush = {"enabled": True, "softThresholdTokens": 40000, **words}
    claw.configure({"agents": {"defaults": {"compaction": {"memoryFlush": flush}}}}, version)
    before = claw.path.read_bytes()
    out = " ".join(holdfast("init", "openclaw", "--yes").out.split())
    found = claw.settings("agents", "defaults", "compaction", "memoryFlush")
    assert found["softThresholdTokens"] == 40000
    assert {name: found.get(name) for name in words} == (words if stay else dict.fromkeys(words))
    assert says in out
    assert "refuses all of its settings" in out or stay
    holdfast("uninstall", "openclaw", "--yes")
    assert claw.path.read_bytes() == before


# ---- the guide's section ----------------------------------------------------------------------------------------------------

BOLD = re.sub(r"(?m)^#+ (.*)$", r"**\1**", GUIDE)
PLAIN = re.sub(r"(?m)^#+ ", "", GUIDE)
STRONG = re.sub(r"(?m)^#+ (.*)$", r"<strong>\1</strong>", GUIDE)
FLAT = re.sub(r"(?m)^#+ ", "## ", GUIDE)
DASHES = GUIDE.replace(" -- ", " — ")


@pytest.mark.parametrize(
    "guide", [GUIDE, BOLD, PLAIN, STRONG, FLAT, DASHES, GUIDE.replace("\n", "\r\n")]
)
def test_the_guide_is_found_however_it_was_pasted(guide: str) -> None:
    """As headings of any depth, in bold or as plain lines; the sections around it stay, and it comes back to the byte."""
    for text in (AGENTS.format(guide=guide), f"{guide}# Mine\n", f"# Mine\n\nwords\n\n{guide}"):
        after, aside = older_memories.set_guide_aside(text)
        assert "ZERO TOLERANCE" not in after
        assert "400 lines" not in after
        assert ("be kind" in after) is ("be kind" in text)
        assert after.count("holdfast: set aside") == len(aside) == 1
        assert older_memories.put_guide_back(after, aside) == text
        with_ours = marked.with_section(after, "our rules\n")
        assert older_memories.put_guide_back(marked.without_section(with_ours), aside).startswith(
            text
        )


def test_our_own_section_is_not_taken_for_the_guides() -> None:
    """Ours speaks of zero tolerance too; and what stands behind it is the owner's."""
    ours = marked.with_section("# Mine\n", GUIDE)
    assert older_memories.find_guide(ours) == []
    assert older_memories.find_guide(f"{ours}\n{GUIDE}") == [
        (len(ours) + 1, len(ours) + 1 + len(GUIDE))
    ]


def test_without_rules_the_guide_stays_too(holdfast: Holdfast, claw: Claw) -> None:
    """Whoever wants no rules of ours keeps those that they have."""
    claw.agents.write_text(AGENTS.format(guide=GUIDE))
    holdfast("init", "openclaw", "--yes", "--no-rules")
    assert claw.agents.read_text() == AGENTS.format(guide=GUIDE)
    assert "two memories fight" not in holdfast("doctor").out


def test_a_job_that_no_plugin_can_reach_is_named_with_the_command_that_ends_it(
    holdfast: Holdfast, claw: Claw
) -> None:
    """Before 2026.7, where jobs are in a file."""
    claw.configure({}, "2026.3.31")
    (claw.state / "cron").mkdir()
    (claw.state / "cron" / "jobs.json").write_text(json.dumps({"version": 1, "jobs": [JOB]}))
    out = holdfast("init", "openclaw", "--yes").out
    assert "openclaw cron disable job-1" in out
    assert claw.settings("plugins", "entries", "holdfast", "config", "pausedJobs") is None


# ---- an AGENTS.md that is too long --------------------------------------------------------------------------------------------


def shown_of(text: str, most: int = 20_000) -> str:
    """What OpenClaw shows an agent of an AGENTS.md: its beginning and its end. Its digest of the middle counts for nothing."""
    text = text.rstrip()
    return text if len(text) <= most else text[: int(most * 0.45)] + text[-int(most * 0.15) :]


# characters of the owner's own, before and behind what is there of ours; settings
LONG = (
    (30_000, {}),
    (17_000, {}),
    (8_000, {"agents": {"defaults": {"bootstrapMaxChars": 12_000}}}),
)


@pytest.mark.parametrize(("length", "settings"), LONG)
def test_in_a_long_agents_md_our_section_stands_where_it_is_kept(
    holdfast: Holdfast, claw: Claw, length: int, settings: dict[str, Any]
) -> None:
    """OpenClaw cuts the middle: ours goes below the title, that is said, and taking it out gives the bytes back."""
    claw.configure(settings)
    most = claw.settings("agents", "defaults", "bootstrapMaxChars") or 20_000
    claw.agents.write_text(
        "# Mine\n\n" + "- a rule of mine, which is as long as this\n" * (length // 43)
    )
    before = claw.agents.read_bytes()
    out = " ".join(holdfast("init", "openclaw", "--yes").out.split())
    section = marked.SECTION.search(claw.agents.read_text())
    assert section
    assert section[0].strip() in shown_of(claw.agents.read_text(), most)
    assert "OpenClaw shows an agent" in out
    assert holdfast("init", "openclaw", "--yes").out.startswith("nothing to do")
    holdfast("uninstall", "openclaw", "--yes")
    assert claw.agents.read_bytes() == before


def test_doctor_warns_when_an_agents_md_has_grown_too_long(holdfast: Holdfast, claw: Claw) -> None:
    """Our section was at the end; now it is in the part that is cut. `init` moves it, and nothing of the owner's changes."""
    holdfast("init", "openclaw", "--yes")
    text = claw.agents.read_text()
    claw.agents.write_text("# Mine\n\n" + "- words\n" * 2000 + text + "- more\n" * 1000)
    answer = holdfast("doctor")
    assert answer.code == 1
    assert "it cuts the middle, our rules with it" in answer.out
    holdfast("init", "openclaw", "--yes")
    assert "it cuts the middle" not in holdfast("doctor").out
    assert (
        marked.without_section(claw.agents.read_text())
        == "# Mine\n\n" + "- words\n" * 2000 + AGENTS.format(guide="") + "- more\n" * 1000
    )


# ---- what doctor reads back ---------------------------------------------------------------------------------------------------


def drop_threshold(claw: Claw) -> None:
    claw.path.write_text(
        json_text.drop(claw.path.read_text(), (*openclaw._FLUSH, "softThresholdTokens"))
    )


def lower_threshold(claw: Claw) -> None:
    claw.path.write_text(
        json_text.put(claw.path.read_text(), (*openclaw._FLUSH, "softThresholdTokens"), 4000)
    )


GONE: dict[str, tuple[Callable[[Claw], object], str]] = {
    "template": (
        lambda claw: (claw.workspace / "memory/session-state.md").unlink(),
        "missing: the template ",
    ),
    "rules": (lambda claw: claw.agents.write_text("# Mine\n"), "missing: the rules are gone from "),
    "threshold": (drop_threshold, "missing: softThresholdTokens is not set"),
    "a lower threshold": (lower_threshold, "missing: softThresholdTokens is 4000"),
}


def test_doctor_reads_back_template_rules_and_threshold(holdfast: Holdfast, claw: Claw) -> None:
    """Each is named with its place."""
    holdfast("init", "openclaw", "--yes")
    answer = holdfast("doctor")
    assert answer.code == 0, answer.out
    (line,) = [line for line in answer.out.splitlines() if "in place:" in line]
    for words in (
        "softThresholdTokens 12000",
        f"template {claw.workspace}/memory/session-state.md",
        f"rules {claw.agents}",
    ):
        assert words in line


@pytest.mark.parametrize("used", [False, True])
@pytest.mark.parametrize("what", GONE)
def test_doctor_says_which_of_them_is_missing(
    holdfast: Holdfast, claw: Claw, workspace: Path, what: str, used: bool
) -> None:
    """Before a hook was seen, and where all hooks work. And `init` puts it back."""
    holdfast("init", "openclaw", "--yes")
    if used:
        (workspace / ".holdfast").mkdir(parents=True)
        seen = {
            "time": "2026-11-15T14:00:00Z",
            "host": "openclaw",
            "event": "agent_end",
            "session": "s",
            "did": "x",
        }
        (workspace / ".holdfast" / "receipts.jsonl").write_text(json.dumps(seen) + "\n")
    GONE[what][0](claw)
    answer = holdfast("doctor")
    assert answer.code == 1
    (line,) = [line for line in answer.out.splitlines() if "missing:" in line]
    assert GONE[what][1] in line
    holdfast("init", "openclaw", "--yes")
    assert holdfast("doctor").code == 0


def test_a_template_that_was_there_before_us_is_missed_too(holdfast: Holdfast, claw: Claw) -> None:
    """The guide's users have one; init left it as it was."""
    state = claw.workspace / "memory" / "session-state.md"
    state.parent.mkdir()
    state.write_text("# Session State\n")
    holdfast("init", "openclaw", "--yes")
    state.unlink()
    assert "missing: the template" in holdfast("doctor").out


def test_what_the_user_left_out_is_not_missing(holdfast: Holdfast, claw: Claw) -> None:
    """`--no-rules`, and an owner who wants no flush."""
    claw.configure({"agents": {"defaults": {"compaction": {"memoryFlush": {"enabled": False}}}}})
    holdfast("init", "openclaw", "--yes", "--no-rules")
    answer = holdfast("doctor")
    assert answer.code == 0, answer.out
    assert "missing:" not in answer.out


# ---- the host's own word on its settings ---------------------------------------------------------------------------------------


# what `openclaw config validate` does, init's exit code, what it says and what it does not
TAKEN_UP = "OpenClaw takes this up by itself within seconds"
VERDICTS = (
    ("exit 0", 0, "accepted by `openclaw config validate`", ""),
    (
        'echo "agents.defaults: Unrecognized key: \\"x\\""; exit 1',
        1,
        'Unrecognized key: "x"',
        TAKEN_UP,
    ),
    ("", 0, "`openclaw config validate` says.", "accepted by"),
)


@pytest.mark.parametrize(("script", "code", "says", "never"), VERDICTS)
def test_init_never_says_that_settings_are_taken_up_which_openclaw_refuses(
    holdfast: Holdfast,
    claw: Claw,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    script: str,
    code: int,
    says: str,
    never: str,
) -> None:
    """Its own program is asked; where there is none, that is said."""
    programs = tmp_path / "bin"
    programs.mkdir()
    if script:
        (programs / "openclaw").write_text(f"#!/bin/sh\n{script}\n")
        (programs / "openclaw").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    answer = holdfast("init", "openclaw", "--yes")
    assert answer.code == code, answer.out
    assert says in answer.out
    assert not never or never not in answer.out
    assert "holdfast uninstall openclaw" in answer.out
    assert os.path.exists(claw.state / "holdfast" / "plugin" / "index.js")
