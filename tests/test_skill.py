"""The skill and the rules say what is: every command in them is one, every point is made, the template is adopted."""

from __future__ import annotations

import json
import re
import shlex
import time
from pathlib import Path

import pytest

from conftest import Holdfast
from holdfast.capture.extracting import prompt
from holdfast.cli import COMMANDS, taken_apart
from holdfast.config import SETTINGS, Config
from holdfast.documents import markdown
from holdfast.installs import openclaw, rules, shipped, skill
from holdfast.upkeep.homes import HOMES
from holdfast.upkeep.scheduling import schedules

SKILL = skill.files("openclaw")
HOSTS = ("openclaw", "claude-code", "codex", "gemini", "opencode", "pi")
REFERENCES = ("decay", "extraction", "schema", "settings", "template")


def commands_in(text: str) -> list[str]:
    """Every command line of ours in a text, in its order: between backticks, then those in a block for the shell."""
    blocks = [part.replace("\\\n", " ") for part in re.findall(r"```sh\n(.*?)```", text, re.S)]
    prose = re.sub(r"```.*?```", "", text, flags=re.S)
    found = re.findall(r"`(holdfast [^`\n]+)`", prose)
    found += [line for block in blocks for line in block.splitlines() if line.startswith("holdfast ")]
    return list(dict.fromkeys(found))


def one_line(text: str) -> str:
    return " ".join(text.replace("*", "").split())


# ---- the rules ----------------------------------------------------------------------------------------------------------

# Every point of the guide, and the words that make it.
POINTS = (
    ("write before the answer", r"run this before you answer"),
    ("a preference", r"`holdfast context pref "), ("a decision", r"`holdfast decide "),
    ("a deadline", r"`holdfast context deadline "), ("a correction", r"`holdfast decide \"correction: "),
    ("a task", r"`holdfast task "), ("a blocker", r"`holdfast blocker "),
    ("five fields are mandatory", r"Five fields are mandatory"),
    ("the last exchanges", r"1\. `--exchange`, the last three to five exchanges"),
    ("what is unanswered, word for word", r"2\. `--unanswered`.*word for word"),
    ("the task, or what is waited for", r"3\. `--task`.*what you are waiting for"),
    ("decisions in flight", r"4\. `--in-flight`"), ("tone", r"5\. `--tone`"),
    ("banned content", r"Banned: “idle” or “no active task” without the reason; summaries such as"),
    ("the wake-up test", r"The wake-up test: read it back"),
    ("dual write", r"written twice, to `memory/session-state.md` and to the day's file `memory/YYYY-MM-DD.md`"),
    ("layer 1", r"1\. The checkpoint\. `holdfast recover`"), ("layer 2", r"2\. The transcript\. Every message is still on disk"),
    ("layer 3", r"3\. The host's own history\. .* It is no substitute for layer 2"),
    ("search the transcript first", r"Always search it before you answer, even where you think that you need not"),
    ("never “I don't remember”", r"Never say “I don't remember” or “that was lost” before you have searched the transcript"),
    ("the tail method", r"`holdfast tail` reads its end safely: the last 400 entries, at most 2,000 characters of each"),
    ("never raw", r"Never read a transcript raw"),
    ("the duty to disclose", r"Disclose what was cut\..*your first message tells the user how many, and offers to read them"),
    ("freshness", r"of the last hour is to be trusted; read an older one beside today's file"),
)  # fmt: skip


@pytest.mark.parametrize("host", HOSTS)
def test_the_rules_make_every_point_on_every_host(host: str) -> None:
    """And are short enough to be read: sixty lines, and on OpenClaw the schema of the block besides."""
    text = rules.text(host)
    missing = [name for name, words in POINTS if not re.search(words, one_line(text))]
    assert missing == []
    assert "{" not in text
    assert text.count("\n") <= (65 if host == "openclaw" else 60)
    assert max(map(len, text.splitlines())) <= 145


# host, where its transcript is, what of the session the host itself shows
WHERE = (
    ("openclaw", "agents/<agent>/agent/openclaw-agent.sqlite", "The tool `sessions_history`"),
    ("openclaw", "agents/<agent>/sessions/sessions.json", "The tool `sessions_history`"),
    ("claude-code", "~/.claude/projects/", "What the host itself still shows"),
    ("codex", "~/.codex/sessions/", "What the host itself still shows"),
    ("gemini", "~/.gemini/tmp/", "What the host itself still shows"),
    ("opencode", "opencode/opencode.db", "What the host itself still shows"),
    ("pi", "in the host's own files", "What the host itself still shows"),
)


@pytest.mark.parametrize(("host", "place", "history"), WHERE)
def test_the_rules_say_where_the_transcript_is_and_what_the_hosts_history_lacks(host: str, place: str, history: str) -> None:
    """Each host keeps it elsewhere."""
    assert place in rules.text(host)
    assert f"3. **The host's own history.** {history}" in rules.text(host)


# version of OpenClaw, what its `sessions_history` does after a compaction (seen on 2026.7.1 and 2026.9.6)
HISTORY = (
    ((2026, 9, 6), "has what came before too, but shortened"),
    ((2026, 7, 1), "has what came before too, but shortened"),
    ((2026, 3, 31), "has only what came after."),
    ((), "older versions lack what came before"),
)


@pytest.mark.parametrize(("version", "says"), HISTORY)
def test_rules_and_skill_say_of_the_hosts_history_what_is_true_for_its_version(version: tuple[int, ...], says: str) -> None:
    """That it lacks what was before a compaction was true once."""
    for text in (rules.text("openclaw", version), skill.files("openclaw", version)["SKILL.md"]):
        assert {words for _, words in HISTORY if words in one_line(text)} == {says}


# ---- one host at a time ---------------------------------------------------------------------------------------------------

# words of a host, and the hosts whose skill may have them
WORDS_OF = {
    r"OpenClaw|openclaw\.json|/big-memory|memory_search|context_snap|sessions_history|OPENCLAW_": {"openclaw"},
    r"Claude Code|\.claude\b|init claude-code": {"claude-code", "plugin"},
    r"Codex|\.codex\b": {"plugin"},
    r"MCP server": {"claude-code", "plugin"},
    r"Gemini|opencode": set(),
}


@pytest.mark.parametrize("host", ["openclaw", "claude-code", "plugin"])
def test_the_skill_installed_for_one_host_speaks_of_that_host(host: str) -> None:
    """Of no other, but for the host's name in the head that OpenClaw reads; and no mark of the template is left."""
    text = "\n".join(body.partition("\n---\n")[2] or body for body in skill.files(host).values())
    for words, hosts in WORDS_OF.items():
        assert bool(re.search(words, text)) is (host in hosts), words
    assert not re.search(r"\{[a-z-]+\||\|\}|\{history\}", text)


def test_the_skill_in_the_plugin_is_the_one_that_is_rendered() -> None:
    """The package ships it as files, for hosts that install it by themselves."""
    assert shipped.files("claude-code/skills/holdfast-memory") == skill.files("plugin")


def test_every_command_in_the_rules_runs(holdfast: Holdfast, tmp_path: Path) -> None:
    """As it stands there, on a machine that has a session."""
    said = {"type": "user", "uuid": "u1", "sessionId": "s", "cwd": str(tmp_path), "timestamp": "2026-11-15T10:00:00.000Z"}
    transcript = tmp_path / "home" / ".claude" / "projects" / "x" / "5d0e8a52-1f1f-4c55-9a52-7a1c6f0b0a01.jsonl"
    transcript.parent.mkdir(parents=True)
    transcript.write_text(json.dumps({**said, "message": {"role": "user", "content": "WORDS"}}) + "\n")
    entry = re.search(r"^\[(\S+) ", holdfast("tail").out, re.M)
    assert entry
    lines = commands_in(rules.text("openclaw"))
    assert len(lines) >= 10
    for line in lines:
        answer = holdfast(*shlex.split(line.replace("--full ID", f"--full {entry[1]}"))[1:])
        assert answer.code == 0, f"{line}: {answer.err}"


# ---- the skill ----------------------------------------------------------------------------------------------------------


def frontmatter() -> dict[str, str]:
    found = re.match(r"---\n(.*?)\n---\n", SKILL["SKILL.md"], re.S)
    assert found
    return dict(line.split(": ", 1) for line in found[1].splitlines())


def test_the_frontmatter_is_what_agent_skills_and_clawhub_take() -> None:
    """One line each; and no program is required, since the skill works without ours."""
    head = frontmatter()
    assert head["name"] == "holdfast-memory"
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", head["name"])
    assert 0 < len(head["description"]) <= 160  # what OpenClaw shows; the standard would take 1024
    assert not re.search(r": |[<>]", head["description"])
    assert json.loads(head["metadata"])["openclaw"].get("requires") is None
    assert json.loads(head["metadata"])["openclaw"]["os"] == ["linux", "darwin"]
    assert set(head) == {"name", "description", "license", "metadata"}


@pytest.mark.parametrize("name", sorted(SKILL))
def test_links_in_the_skill_lead_somewhere(name: str) -> None:
    """To a file of the skill, or to a heading of the same file."""
    headings = {re.sub(r"[^\w -]", "", line).lower().replace(" ", "-") for line in re.findall(r"^#+ (.*)$", SKILL[name], re.M)}
    for target in re.findall(r"\]\(([^)]+)\)", SKILL[name]):
        beside = "/".join([*name.split("/")[:-1], target])
        assert target[1:] in headings if target.startswith("#") else beside in SKILL, target


@pytest.mark.parametrize(("name", "line"), [(name, line) for name, text in SKILL.items() for line in commands_in(text)])
def test_every_command_in_the_skill_is_one(name: str, line: str) -> None:
    """With flags that it takes."""
    words = taken_apart(shlex.split(line)[1:])
    assert words.command in COMMANDS
    wanted = COMMANDS[words.command][0]
    for sub in words.texts[:1]:
        assert words.command != "upkeep" or sub in wanted


def test_the_references_are_all_there_and_all_named() -> None:
    """The template, the settings, the extraction prompt, the schema, the rules of decay."""
    assert set(SKILL) == {"SKILL.md", *(f"references/{name}.md" for name in REFERENCES)}
    assert all(f"(references/{name}.md)" in SKILL["SKILL.md"] for name in REFERENCES)


# What the seeds have the skill say, and the words that say it.
SAYS = (
    *(f"“{word}”" for word in ("compact", "memory flush", "store durable memories", "Auto-compaction complete", "save snapshot")),
    *(f"“{word}”" for word in ("you forgot", "we were working on", "remember when", "what was I doing", "checkpoint", "存一下")),
    "“nearing compaction”", "/holdfast save", "/holdfast recall", "/holdfast status", "/big-memory save", "“big-memory save”",
    "a decision that touches several files", "code that the user will come back to", "a root cause is found",
    "a correction that follows a recovery", "before you switch to another task", "a one-line question and its answer",
    "`holdfast context pref", "`holdfast decide \"CHOICE", "`holdfast context deadline", "`holdfast decide \"correction: X",
    "`holdfast task", "`holdfast blocker", "Five fields are mandatory", "Banned", "The wake-up test",
    "Does this match where we left off? Anything to update before I continue?", "`holdfast recover --back 1`",
    "`holdfast search BIG-MEMORY-SNAPSHOT`", "`memory_search`", "`memory_get`", "ask for a reminder", "promise a snapshot",
    "Memory integrity check failed", "#friction:", "last 400 lines", "2,000 characters", "40,000", "[...TRUNCATED]",
)  # fmt: skip


def test_the_skill_says_when_to_save_and_how_to_recover() -> None:
    """Every occasion, every table, and the way without us."""
    text = one_line(SKILL["SKILL.md"])
    assert [words for words in SAYS if words not in text] == []


# ---- the references -----------------------------------------------------------------------------------------------------


def test_the_rules_of_decay_are_the_settings_defaults() -> None:
    """Each number in the table is the one that upkeep goes by."""
    rows = re.findall(r"^\| .*? \| .*?(\d+) (?:lines|days).*? \| `(\w+)` \|$", SKILL["references/decay.md"], re.M)
    assert {name for _, name in rows} == {"bufferLines", "promoteDays", "archiveDays", "compressDays", "trashDays"}
    assert set(re.findall(r"`([a-z]+[A-Z]\w+)`", SKILL["references/decay.md"])) <= set(SETTINGS)
    for number, name in rows:
        assert int(number) == getattr(Config, name), name
    assert f"aim at {Config.memoryLines} lines" in SKILL["references/decay.md"]


def test_the_homes_in_the_schema_are_where_upkeep_brings_things() -> None:
    """One home for each type."""
    rows = dict(re.findall(r"^\| `([A-Z]+)` \| .* \| `(memory/\S+)` \|$", SKILL["references/schema.md"], re.M))
    assert rows == {kind: home[0] for kind, home in HOMES.items() if kind in rows}
    assert set(rows) == {"PREF", "PROJ", "TECH", "LESSON", "PEOPLE"}


def test_the_prompt_in_the_skill_is_the_one_that_extract_prints() -> None:
    """Word for word."""
    printed = prompt("[the text]", "a text or what was said in a session")
    assert f"```text\n{printed.rstrip()}\n```" in SKILL["references/extraction.md"]


def test_the_settings_in_the_skill_are_those_that_init_writes() -> None:
    """Keys and numbers."""
    text = SKILL["references/settings.md"]
    flush = [(*openclaw._FLUSH, name) for name in ("enabled", "softThresholdTokens", "prompt")]
    for way in (openclaw._PATHS, openclaw._REVIEW, (*openclaw._ENTRY, "enabled"), *flush):
        assert f"`{'.'.join(way)}`" in text
    for permission in openclaw._permissions(()):
        assert f"`{'.'.join((*openclaw._ENTRY, 'hooks', permission))}`" in text
    assert f"`{openclaw.SOFT_THRESHOLD}` at least; `{openclaw.LARGE_WINDOW}`" in text
    (line,) = [one.line for one in schedules("/abs/holdfast", "/abs/workspace") if one.by == "openclaw"]
    assert re.sub(r"holdfast-review-\w+", "holdfast-review", line) in text


# ---- by hand ------------------------------------------------------------------------------------------------------------


def filled(template: str, day: str) -> str:
    """The template as an agent fills it in."""
    values = {"[planning, implementing, debugging, testing, reviewing or deploying]": "testing", "[no, or: yes -- by what]": "no"}
    for hint, value in values.items():
        template = template.replace(hint, value)
    template = template.replace("YYYY-MM-DDTHH:MM:SS", f"{day}T00:00:01").replace("YYYY-MM-DD-NN", f"{day}-01")
    return re.sub(r"\[(?!SNAPSHOT\])([^\]\n]+)\]", lambda hint: f"FILLED {hint[1][:30]}", template)


def test_a_block_written_by_hand_after_the_template_is_adopted(holdfast: Holdfast, workspace: Path) -> None:
    """Where neither plugin nor command was there; every field of it comes back."""
    block, state = re.findall(r"```markdown\n(.*?)```", SKILL["references/template.md"], re.S)
    day = time.strftime("%Y-%m-%d")
    (workspace / "memory").mkdir(parents=True)
    path = workspace / "memory" / f"{day}.md"
    path.write_text(f"# {day}\n\n{filled(block, day)}")
    before = path.read_bytes()
    brief = holdfast("recover").out
    assert path.read_bytes() == before
    (record,) = (workspace / ".holdfast" / "journal").rglob("*.md")
    assert markdown.block_in(record.read_text()).count("FILLED") == before.count(b"FILLED")
    for words in ("FILLED one sentence", "testing", "FILLED what you asked or proposed", "FILLED the next thing to do"):
        assert words in brief
    (ours,) = markdown.blocks(path.read_text())
    empty = [name for name, value in markdown.read_block(ours[1]).state.__dict__.items() if not value]
    assert set(empty) <= {"blocked", "corrections", "done", "pending", "timeline", "status", "context"}
    assert markdown.read_state(filled(state, day)).task.startswith("FILLED")


def test_a_block_written_after_the_words_to_the_flush_is_adopted(holdfast: Holdfast, workspace: Path) -> None:
    """They name every section that a block has, each as it is read."""
    words = shipped.text("flush.md")
    listed = re.search(r"nothing: (.*); at\s+the end", one_line(re.sub(r" \([^)]*\)", "", words)))
    assert listed
    names = listed[1].split(", ")
    assert names == [name for name, _ in markdown.EIGHT] + [name for name, _ in markdown.OURS if name in markdown._ALWAYS]
    lines = [re.sub("Y{4}-MM-DD", day := time.strftime("%Y-%m-%d"), line) for line in re.findall(r"`(<!-- .*? -->)`", words)]
    lines = [line.replace("THH:MM:SS", "T00:00:01").replace("-NN", "-01") for line in lines]
    body = "".join(f"### [SNAPSHOT] {name}\nthe words of {name}\n\n" for name in names)
    block = "\n".join(["---", "", "## Task Snapshot -- 00:00", "", *lines[:-1], "", body + lines[-1], ""])
    (workspace / "memory").mkdir(parents=True)
    (workspace / "memory" / f"{day}.md").write_text(block)
    assert "the words of Active Goal" in holdfast("recover").out
    assert len(list((workspace / ".holdfast" / "journal").rglob("*.md"))) == 1
