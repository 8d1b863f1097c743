"""M3: upkeep keeps to its owner's settings, and can be run twice.

Workspaces and settings are grown at random. After one run nothing that the settings protect has moved (a day within
`archiveDays`, a buffer within `bufferLines` that was touched this week, a `MEMORY.md` beyond `memoryLines`, an archived day
within `compressDays`), no line is lost, and a second run finds nothing to do, to the byte. The control ignores the settings, and
is found out.
"""

from __future__ import annotations

import contextlib
import random
from pathlib import Path

import pytest

from holdfast.config import Config
from holdfast.memory import Memory
from holdfast.upkeep.applying import apply
from holdfast.upkeep.plan import Change
from holdfast.upkeep.planning import plan
from holdfast.upkeep.surveying import survey
from holdfast.upkeep.tidying import IDLE_DAYS
from upkept import BUFFER, ago, documents, lines_of, write

SEEDS = range(60)
FACTS = ["small commits", "Small commits!", "editor: vim", "editor: helix", "tea", "never on Friday", "the port is now 80", ""]
LINES = ["- by hand", "## A heading", "", "```", "- [PREF] in code", "text", "  indented", "- 09:15 plain", "Updated: 2026-01-01"]


def grown(workspace: Path, chance: random.Random) -> Config:
    """A workspace and its settings."""
    ages = chance.sample(range(300), 12)
    for age in [0, *ages]:
        kinds = ["PREF", "TECH", "LESSON", "PROJ", "PEOPLE", "TEMP"]
        lines = [f"- [{chance.choice(kinds)}] {chance.choice(FACTS)}" for _ in range(chance.randint(0, 5))]
        lines += chance.sample(LINES, chance.randint(0, 6))
        chance.shuffle(lines)
        end = chance.choice(["\n", "\n", "\r\n"])
        text = end.join([f"# {ago(age)}", "", *lines]) + chance.choice(["", end])
        write(workspace, {f"memory/{ago(age)}.md": chance.choice(["", "", "\ufeff"]) + text})
    if chance.random() < 0.7:
        write(workspace, {"MEMORY.md": "# Mine\n" + "- a line\n" * chance.choice([0, 5, 70])})
    if chance.random() < 0.5:
        write(workspace, {"memory/semantic/preferences.md": "# Preferences\n#tags: preferences\n\n- tea\n"})
    head = BUFFER.replace(ago(2), ago(chance.choice([0, IDLE_DAYS, IDLE_DAYS + 1])))
    write(workspace, {"memory/working-buffer.md": head + "- step\n" * chance.choice([0, 10, 100])})
    number = chance.randint
    return Config(archiveDays=number(1, 200), compressDays=number(1, 250), bufferLines=number(5, 120),
                  memoryLines=number(1, 90), promoteDays=number(1, 5), trashDays=number(1, 100))  # fmt: skip


def kept(workspace: Path, config: Config) -> list[Change]:
    """One run."""
    with contextlib.closing(Memory(str(workspace), config, write=True)) as memory:
        outcome = apply(memory, plan(survey(memory), config))
    assert not outcome.dropped
    return list(outcome.done)


def judged(workspace: Path, seed: int, ignored: Config | None = None) -> None:
    """Within the settings, nothing lost, and the second run finds nothing."""
    chance = random.Random(seed)
    config = grown(workspace, chance)
    before, known = documents(workspace), lines_of(workspace)
    kept(workspace, ignored or config)
    now = documents(workspace)
    assert not known - lines_of(workspace)
    for name in before:
        day = name.removeprefix("memory/").removesuffix(".md")
        if day[:2] == "20":
            assert (name in now) == (day >= ago(config.archiveDays)), f"{name} with archiveDays = {config.archiveDays}"
    buffer = before["memory/working-buffer.md"].decode()
    idle = "- step" in buffer and f"last_active: {ago(IDLE_DAYS + 1)}" in buffer
    rotated = idle or buffer.count("\n") > config.bufferLines
    assert (now["memory/working-buffer.md"].decode() != buffer) == rotated
    if before.get("MEMORY.md", b"").count(b"\n") > config.memoryLines:
        assert now["MEMORY.md"] == before["MEMORY.md"]
    for name in now:
        if name.startswith("memory/archive/"):
            assert name.endswith(".gz") == (Path(name).name[:10] < ago(config.compressDays))
    assert kept(workspace, ignored or config) == []
    assert documents(workspace) == now


@pytest.mark.parametrize("seed", SEEDS)
def test_the_settings_are_kept_and_a_second_run_changes_nothing(seed: int, tmp_path: Path) -> None:
    """Whatever the settings say and whatever the workspace is like."""
    judged(tmp_path / "workspace", seed)


def test_control_upkeep_that_ignores_the_settings_is_found_out(tmp_path: Path) -> None:
    """The same look at a run with the defaults instead of the owner's settings."""
    found = 0
    for seed in SEEDS:
        try:
            judged(tmp_path / str(seed), seed, Config())
        except AssertionError:
            found += 1
    assert found > len(SEEDS) * 0.8
