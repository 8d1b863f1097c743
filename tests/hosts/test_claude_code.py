"""Claude Code itself: a session in a folder that nobody set up is compacted, goes on, and has its past again.

The host is the real program, taken from npm into a folder of the user's cache; only the model is ours. Without npm, or without
the network, this says so and is passed over.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hosts.model import ANSWER, Model
from hosts.programs import installed
from hosts.screen import ENTER, Screen
from kept_receipts import by_hooks

VERSION, OLDER = "2.1.326", "2.1.325"
BRIEF, NOTE = "# Where we left off (Holdfast)", "# Open in this project (Holdfast)"
GO_ON, QUESTION = "Until then do not stop to ask.", "Does this match where we left off?"
MINE = '{\n  "cleanupPeriodDays": 99\n}\n'
PLUGIN = Path(__file__).parents[2] / "src/holdfast/integrations/claude-code"
PACKAGE = "@anthropic-ai/claude-code-linux-x64"


@pytest.fixture(scope="session")
def program() -> Path:
    """The program, fetched once."""
    return installed(f"{PACKAGE}@{VERSION}") / "claude"


class Host:
    """Claude Code in a home of its own, with what `holdfast init` has put there."""

    def __init__(self, program: Path, folder: Path, model: Model) -> None:
        self.program, self.model = program, model
        self.home, self.project = folder / "of the host", folder / "project"
        self.settings = self.home / ".claude" / "settings.json"
        self.settings.parent.mkdir(parents=True)
        self.settings.write_text(MINE)
        self.project.mkdir()
        self.session = ""
        self.more: list[str] = []  # arguments besides
        self.env: dict[str, str] = {}  # and of the environment

    def holdfast(self, *words: str) -> str:
        """A command of ours, in the same home."""
        argv, env = [sys.executable, "-m", "holdfast", *words], {"PATH": os.environ["PATH"], "HOME": str(self.home)}
        return subprocess.run(argv, cwd=self.project, env=env, capture_output=True, text=True, check=True).stdout

    def says(self, prompt: str) -> str:
        """One prompt in the same session. Returns every request that the model got for it."""
        before = len(self.model.requests)
        done = self.run("-p", prompt, "--allowedTools", "Bash", "--output-format", "json", *self._session(), *self.more)
        told = json.loads(done)
        assert not told["is_error"], done
        self.session, self.answer = told["session_id"], told["result"]
        return json.dumps(self.model.requests[before:], ensure_ascii=False)

    def _session(self) -> list[str]:
        return ["--resume", self.session] if self.session else []

    @property
    def around(self) -> dict[str, str]:
        """The environment of the program."""
        return {
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "HOME": str(self.home), "IS_SANDBOX": "1",
            "ANTHROPIC_BASE_URL": self.model.url, "ANTHROPIC_API_KEY": "none", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1", "DISABLE_TELEMETRY": "1", "DISABLE_ERROR_REPORTING": "1",
            "CLAUDE_CODE_MCP_STARTUP_WAIT_MS": "60000",  # with `-p` it asks the model at once, and a slow server is left out
            "HOLDFAST_HOOK_SECONDS": "9",  # the machine of a test may be busy
            **self.env,
        }  # fmt: skip

    def run(self, *words: str) -> str:
        """The program itself."""
        done = subprocess.run(
            [str(self.program), *words], cwd=self.project, env=self.around, stdin=subprocess.DEVNULL, capture_output=True,
            text=True, timeout=180, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def receipts(self) -> list[dict[str, str]]:
        """What our hooks did."""
        (path,) = self.home.rglob("receipts.jsonl")
        return by_hooks(path)


@pytest.fixture
def bare(program: Path, tmp_path: Path) -> Iterator[Host]:
    """A host with a model, and without us."""
    model = Model()
    yield Host(program, tmp_path, model)
    model.close()


@pytest.fixture
def host(bare: Host) -> Host:
    """A host with us in it."""
    bare.holdfast("init", "claude-code", "--yes")
    return bare


def test_a_session_that_is_compacted_carries_on(host: Host) -> None:
    """The brief is in the next request to the model; the project has no file of ours; nothing failed."""
    host.says("set the reduced rate to 7 percent, and never touch the old invoices\nRUN: echo REDUCED_RATE=0.07 > rates.txt")
    assert BRIEF not in host.says("is it set?")
    host.says("/compact")
    asked = host.says("go on")
    assert "worked on the billing service" in asked  # all that the host's own summary kept
    for fact in (BRIEF, "never touch the old invoices", "Shall I round per line or per invoice?", GO_ON):
        assert fact in asked
    assert QUESTION not in asked[asked.index(BRIEF) :]  # with `-p` nobody is there to answer
    assert asked.count(BRIEF) == 1
    assert sorted(path.name for path in host.project.iterdir()) == ["rates.txt"]
    did = [(receipt["event"], receipt["did"]) for receipt in host.receipts()]
    assert [event for event, _ in did if "fail" in _ or "not saved" in _] == []
    saved = [event for event, what in did if what.startswith("saved")]
    assert saved.count("before-compaction") == 1
    assert saved[0] == "turn"  # and nothing would be lost had no hook told of the compaction
    (day,) = host.home.rglob("memory/20*.md")
    assert day.read_text().count("[SNAPSHOT] Session") == 1
    assert any(event == "after-compaction" and "the host's summary kept" in what for event, what in did)


def test_what_the_agent_sets_by_a_command_is_of_its_session(host: Host) -> None:
    """Also from a repository within the project, into which it has gone.

    Claude Code writes its transcript some tenths of a second behind; a model that answers takes longer than ours here.
    """
    host.says("round it\nRUN: sleep 2 && git init -q nested && cd nested && holdfast decide 'round per line, not per invoice'")
    host.says("/compact")
    asked = host.says("go on")
    assert "Decisions (as set):\\n- round per line, not per invoice" in asked[asked.index(BRIEF) :]
    assert len(list(host.home.rglob("receipts.jsonl"))) == 1


def test_an_upgrade_of_claude_code_loses_nothing_and_wants_nothing_done_again(host: Host) -> None:
    """Begun under an older one: the session goes on under the newer, is compacted, and has its past."""
    newer, host.program = host.program, installed(f"{PACKAGE}@{OLDER}") / "claude"
    host.says("set the reduced rate to 7 percent, and never touch the old invoices\nRUN: echo REDUCED_RATE=0.07 > rates.txt")
    assert "saved" in [receipt["did"].split(" ")[0] for receipt in host.receipts()]
    host.program = newer
    host.says("is it set?")
    host.says("/compact")
    asked = host.says("go on")
    assert asked.count(BRIEF) == 1
    assert "never touch the old invoices" in asked
    assert [receipt["did"] for receipt in host.receipts() if "failed" in receipt] == []
    assert "nothing to do" in host.holdfast("init", "claude-code", "--yes")


@contextmanager
def at_the_terminal(host: Host, *words: str) -> Iterator[Screen]:
    """The program as a person has it who has been here before, with us in it, and waiting for what is typed."""
    project = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
    known = {"hasCompletedOnboarding": True, "customApiKeyResponses": {"approved": ["none"]}}
    (host.home / ".claude.json").write_text(json.dumps({**known, "projects": {str(host.project): project}}))
    host.holdfast("init", "claude-code", "--yes")
    with Screen([str(host.program), *words], host.project, host.around) as terminal:
        terminal.wait("❯")
        terminal.rest()
        yield terminal


def test_at_the_terminal_a_person_compacts_clears_and_leaves(bare: Host) -> None:
    """After `/compact` the brief, which has the agent ask; after `/clear` a note, which has it do nothing; and the brief once it
    is asked for. The session that worked is saved as it is left; the one that only asked for the past has nothing to save.
    """
    with at_the_terminal(bare, "--allowedTools", "Bash") as terminal:

        def says(prompt: str) -> str:
            return json.dumps(terminal.says(prompt, bare.model.requests, ANSWER.split("\n")[-1])[-1])

        def does(command: str, shown: str) -> None:
            at = len(terminal.words)
            terminal.type(command)
            terminal.wait(shown, at)
            terminal.rest()

        assert BRIEF not in says("never touch the old invoices RUN: echo REDUCED_RATE=0.07 > rates.txt")
        does("/compact", "Compacted (ctrl+o")
        asked = says("go on")
        assert (asked.count(BRIEF), QUESTION in asked, GO_ON in asked) == (1, True, False)
        does("/clear", "running SessionEnd hook")
        asked = says("hello")
        assert (asked.count(BRIEF), asked.count(NOTE), QUESTION in asked) == (0, 1, False)
        asked = says("where were we?")
        assert (asked.count(BRIEF), "never touch the old invoices" in asked[asked.index(BRIEF) :]) == (1, True)
        terminal.type("/exit")
        terminal.process.wait(30)
    did = bare.receipts()
    assert [receipt["did"] for receipt in did if "failed" in receipt] == []
    assert [receipt["did"].split(" ")[0] for receipt in did if receipt["event"] == "end"] == ["saved", "nothing"]
    assert [receipt["delivery"]["is"] for receipt in did if "delivery" in receipt] == ["arrived"] * 3  # type: ignore[index]


def test_a_session_that_is_killed_in_a_turn_is_told_to_the_next_one(host: Host) -> None:
    """At once and whole; the one after that has the note, in which it stands first, before a session of a few words."""
    words = [str(host.program), "-p", "never touch the old invoices\nRUN: timeout 40 tail -f /dev/null", "--allowedTools", "Bash"]
    killed = subprocess.Popen(
        words, cwd=host.project, env=host.around, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    for _ in range(600):
        if list(host.home.rglob("*.turn")) and host.model.requests:
            break
        time.sleep(0.1)
    time.sleep(2)  # until it has written down that the model called the tool
    os.killpg(killed.pid, signal.SIGKILL)
    killed.wait()
    asked = host.says("hello")
    assert "cut off in the midst of a turn" in asked[asked.index(BRIEF) :].partition("--- memory")[0]
    assert "never touch the old invoices" in asked[asked.index(BRIEF) :]
    host.session = ""
    host.says("change the title\nRUN: echo title > README.md")
    host.session = ""
    asked = host.says("hello")
    assert BRIEF not in asked
    assert "never touch the old invoices" in asked[asked.index(NOTE) :].partition("1. ")[2].partition("2. ")[0]


def test_a_plan_that_is_approved_with_a_new_context_is_not_told_as_turned_down(bare: Host) -> None:
    """The host refuses the agent's call, ends the session, and begins another one with the plan."""
    bare.settings.write_text('{"showClearContextOnPlanAccept": true}')
    bare.env["HOLDFAST_SETTINGS"] = '{"briefOnStart": "full", "briefOnClear": "full"}'  # what it says of the plan
    with at_the_terminal(bare, "--permission-mode", "plan") as terminal:
        terminal.says("plan how to set the reduced rate", bare.model.requests, ANSWER.split("\n")[-1])
        (plan,) = set(re.findall(r"/[^\"\\]*?/\.claude/plans/[\w-]+\.md", json.dumps(bare.model.requests[-1])))
        Path(plan).parent.mkdir(exist_ok=True)
        Path(plan).write_text("# Rates\n\nSet the reduced rate to 7 percent, and round per line.\n")
        at = len(terminal.words)
        terminal.type("CALL: ExitPlanMode {}")
        terminal.wait("Yes, clear context", at)
        before = len(bare.model.requests)
        terminal.type("", ENTER)
        terminal.rest()
    every = [json.dumps(request, ensure_ascii=False) for request in bare.model.requests[before:]]
    asked = next(request for request in every if "Implement the following plan:" in request and BRIEF in request)
    brief = asked[asked.index(BRIEF) :]
    # The host may have written the refusal by then, or not yet: then the plan still waits for an answer.
    told = ("closed without a word: turned down, or taken on in a new session", "put to the user for approval")
    assert any(words in brief for words in told)
    assert "round per line" in brief
    assert "User turned down" not in brief


def test_the_summariser_is_told_what_to_keep_and_the_brief_is_known_to_have_arrived(host: Host) -> None:
    """The paragraph is in the request for the summary; the next hook finds the brief's mark in the transcript, once."""
    host.says("set the reduced rate to 7 percent, and never touch the old invoices\nRUN: echo REDUCED_RATE=0.07 > rates.txt")
    asked = host.says("/compact")
    assert "keep the following exactly as written here" in asked
    assert "The user's constraints: “set the reduced rate to 7 percent, and never touch the old invoices" in asked
    host.says("go on")
    host.says("and on")
    told = [receipt["delivery"]["is"] for receipt in host.receipts() if "delivery" in receipt]  # type: ignore[index]
    assert told == ["arrived"]
    assert sum("gave" in receipt for receipt in host.receipts()) == 1


def test_a_brief_that_the_host_cuts_is_known_to_be_cut(host: Host) -> None:
    """Beyond 10,000 characters the host puts it into a file and 2 KB of it into the context."""
    host.env["HOLDFAST_BRIEF_MAX_CHARS"] = "30000"
    host.says("never touch the old invoices\nRUN: true")
    notes = "".join(f"- the customer number {n} is billed in {n % 12 + 1} parts, each on the first\n" for n in range(400))
    command = [sys.executable, "-m", "holdfast", "write", "MEMORY.md"]
    env = {"PATH": os.environ["PATH"], "HOME": str(host.home)}
    subprocess.run(command, cwd=host.project, env=env, input=notes.encode(), check=True, capture_output=True)
    host.says("/compact")
    host.says("go on")
    told = [receipt["delivery"]["is"] for receipt in host.receipts() if "delivery" in receipt]  # type: ignore[index]
    assert told == ["cut"], [receipt["did"] for receipt in host.receipts()]


def test_a_user_who_asks_for_the_past_gets_it(host: Host) -> None:
    """In the same request as the question; an ordinary prompt gets nothing."""
    host.says("never touch the old invoices\nRUN: true")
    host.says("/compact")
    before = host.says("go on")
    after = host.says("you forgot what I told you about the invoices")
    assert after.count(BRIEF) == before.count(BRIEF) + 1


def test_the_tools_of_the_mcp_server_reach_the_model(host: Host) -> None:
    """It probes `server/discover` first and then begins as before; whatever it begins with, the tools are in the request."""
    asked = host.says("hello")
    for tool in ("recover", "checkpoint", "context_snap", "note", "search", "show", "status"):
        assert f"mcp__holdfast__{tool}" in asked


def test_the_tools_are_called_by_the_model(host: Host) -> None:
    """A tool writes, another one reads it back; what it answers goes back to the model."""
    host.more = ["--allowedTools", "mcp__holdfast__note", "mcp__holdfast__search"]
    saved = host.says('CALL: mcp__holdfast__note {"text": "the heron stands at the pond"}').split('"tool_result"')[-1]
    assert "is_error" not in saved
    assert '\\"id\\"' in saved  # the host hands on the data, and not the text beside them
    asked = host.says('CALL: mcp__holdfast__search {"query": "heron pond"}')
    assert "the heron stands at the pond" in asked.split('"tool_result"')[-1]
    (day,) = host.home.rglob("memory/20*.md")
    assert "the heron stands at the pond" in day.read_text()


def test_what_the_model_saves_by_a_tool_is_in_its_next_brief(host: Host) -> None:
    """No host tells a server which session calls: the transcript does."""
    host.more = ["--allowedTools", "mcp__holdfast__checkpoint"]
    host.says('CALL: mcp__holdfast__checkpoint {"decisions": ["round per line, not per invoice"], "next_steps": ["add tests"]}')
    host.says("/compact")
    asked = host.says("go on")
    brief = asked[asked.index(BRIEF) :]
    for part in ("Decisions (as set):\\n- round per line, not per invoice", "Next up (as set):\\n- add tests"):
        assert part in brief


def test_a_session_that_no_hook_saw_is_captured(bare: Host) -> None:
    """It was had before `init`, in a folder that nobody set up: the next one has a note of it, and what it said is in memory."""
    bare.says("never touch the old invoices\nRUN: echo REDUCED_RATE=0.07 > rates.txt")
    bare.holdfast("init", "claude-code", "--yes")
    bare.session = ""
    asked = bare.says("hello")
    for fact in ("never touch the old invoices", "Shall I round per line or per invoice?"):
        assert fact in asked[asked.index(NOTE) :]
    assert BRIEF not in asked
    assert "of the session before" in bare.receipts()[0]["did"]


def test_the_rules_the_command_and_the_skill_reach_the_model(host: Host) -> None:
    """And a project's own AGENTS.md still does."""
    (host.project / "AGENTS.md").write_text("Speak of the heron.\n")
    asked = host.says("hello")
    for text in ("Memory that survives compaction (Holdfast)", "holdfast-memory", "Speak of the heron."):
        assert text in asked
    assert "holdfast recover" in host.says("/holdfast recall")


def test_what_we_put_into_a_context_does_not_grow(host: Host) -> None:
    """Ten turns, each of which resumes the session: the one brief after the compaction, and no second one."""
    host.more = ["--strict-mcp-config"]  # no server: it would be started for each of them
    host.says("never touch the old invoices\nRUN: true")
    host.says("/compact")
    for number in range(10):
        before = len(host.model.requests)
        host.says(f"step {number}")
        assert json.dumps(host.model.requests[before:][-1]).count(BRIEF) == 1


BROKEN = {
    "fails": "exit 3",
    "is gone": "",
    "prints what nobody understands": "echo '{]'; exit 0",
    "never answers": "sleep 600",
}


@pytest.mark.parametrize("how", BROKEN)
def test_a_command_that_does_not_work_changes_nothing_for_the_host(bare: Host, how: str) -> None:
    """The answer is the one that there would be without us, before and after a compaction."""
    script = bare.home / "holdfast"
    bare.holdfast("init", "claude-code", "--yes", "--no-rules")
    bare.settings.write_text(re.sub(r'"[^"]*holdfast hook', f'"\'{script}\' hook', bare.settings.read_text()))
    if BROKEN[how]:
        script.write_text(f"#!/bin/sh\n{BROKEN[how]}\n")
        script.chmod(0o755)
    if how == "never answers":  # shorter, so that nobody waits for six times ten seconds
        bare.settings.write_text(re.sub(r'("timeout": )\d+', r"\g<1>1", bare.settings.read_text()))
    bare.says("hello")
    bare.says("/compact")
    bare.says("go on")
    assert bare.answer == ANSWER


def test_the_plugin_does_the_same_by_its_plain_name(bare: Host) -> None:
    """Nothing in the settings; the command is the one on PATH. And it is a valid plugin."""
    assert "Validation passed" in bare.run("plugin", "validate", str(PLUGIN))
    bare.more = ["--plugin-dir", str(PLUGIN)]
    asked = bare.says("never touch the old invoices\nRUN: true")
    for name in ("holdfast:holdfast-memory", "mcp__plugin_holdfast_holdfast__recover"):
        assert name in asked
    bare.says("/compact")
    asked = bare.says("go on")
    assert asked.count(BRIEF) == 1
    assert "never touch the old invoices" in asked
    assert "holdfast recover" in bare.says("/holdfast:holdfast recall")


def test_the_plugin_is_installed_from_its_marketplace_and_init_knows_it(bare: Host) -> None:
    """The repository is the marketplace."""
    bare.settings.write_text("{}")
    bare.run("plugin", "marketplace", "add", str(PLUGIN.parents[3]))
    bare.run("plugin", "install", "holdfast@holdfast")
    assert "The plugin holdfast@holdfast is enabled" in bare.holdfast("init", "claude-code", "--yes", "--no-rules")
    assert "holdfast:holdfast-memory" in bare.says("hello")


class Live:
    """The program while it runs on: what comes by itself comes only then."""

    def __init__(self, host: Host) -> None:
        streams = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"]
        self._host = host
        self._program = subprocess.Popen(
            [str(host.program), "-p", *streams, "--permission-mode", "bypassPermissions"], cwd=host.project, env=host.around,
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip

    def says(self, words: str, answered: str = "") -> str:
        """One prompt. Returns the request in which the model has what was waited for, or these words."""
        assert self._program.stdin
        before = len(self._host.model.requests)
        self._program.stdin.write(json.dumps({"type": "user", "message": {"role": "user", "content": words}}) + "\n")
        self._program.stdin.flush()
        return self.asked(answered or words[:20], before)

    def asked(self, what: str, since: int) -> str:
        """The first request to the model since then that has something in it."""
        for _ in range(1500):
            for request in self._host.model.requests[since:]:
                if what in (said := json.dumps(request["messages"], ensure_ascii=False)):
                    return said
            time.sleep(0.1)
        raise AssertionError(f"The model was not asked {what!r}.")

    def calls(self, tool: str, answered: str, **given: object) -> str:
        """A tool that the model calls, and the request with what came back."""
        return self.says(f"go on CALL: {tool} {json.dumps(given)}", answered)

    def end(self) -> None:
        """It would wait for what is to come."""
        with self._program:
            self._program.terminate()


SWEEP = """export const meta = { name: 'sweep', description: 'Sweep the docs in batches', phases: [{ title: 'Sweep' }] }
await agent('CALL: Write {"file_path": "%s/one.md", "content": "the first_page"}', { label: 'one', phase: 'Sweep' })
return { pages: 42 }
"""


def test_what_goes_on_and_comes_by_itself_is_known_after_a_compaction(host: Host) -> None:
    """A workflow and what it came to, a wake-up, a job by the clock; and a prompt of that job, which the host puts into its queue
    like a person's words, is not taken for theirs. It comes within two minutes.
    """
    live = Live(host)
    try:
        live.calls("ToolSearch", "tool_reference", query="select:CronCreate,Monitor", max_results=5)
        live.calls("Workflow", "Workflow launched", script=SWEEP % host.project)
        live.asked("Dynamic workflow", 0)
        later = {"delaySeconds": 3000, "reason": "waiting for the CI run", "prompt": "/loop watch CI", "noop": False}
        live.calls("ScheduleWakeup", "Next wakeup", **later)
        live.calls("CronCreate", "Scheduled recurring", cron="* * * * *", prompt="check the nightly build", recurring=True)
        so_far = len(host.model.requests)
        live.says("never touch the invoices of last year")
        live.asked('"text": "check the nightly build"', so_far)
        live.says("/compact", "detailed summary of the conversation")
        brief = live.says("go on with it", BRIEF).rpartition(BRIEF)[2].partition("--- end")[0]
    finally:
        live.end()
    assert "“check the nightly build”, Every minute (job " in brief
    assert "“waiting for the CI run”, at " in brief
    assert "not seen to end" not in brief
    assert "one.md`: edited 1 time by a subagent" in brief
    assert "never touch the invoices of last year" in brief
    assert not re.search(r"\d\d:\d\d check the nightly build", brief)


def test_the_aim_that_the_user_has_set_is_known_after_a_compaction(host: Host) -> None:
    """Until it is reached or cleared: as the host itself says it."""
    host.says("/goal all the tests of billing pass")
    host.says("/compact")
    assert "stop only when this holds: “all the tests of billing pass”" in host.says("go on").partition(BRIEF)[2]
    host.says("/goal clear")
    host.says("/compact")
    assert "all the tests of billing pass”" not in host.says("and now?").rpartition(BRIEF)[2].partition("Earlier:")[0]


def test_uninstall_gives_the_bytes_back_though_the_host_has_run(host: Host) -> None:
    """What the host itself writes loses our parts alone."""
    host.says("hello")
    host.holdfast("uninstall", "claude-code", "--yes")
    assert host.settings.read_text() == MINE
    assert not [path for path in host.settings.parent.rglob("*") if "holdfast" in path.name]
    assert "holdfast" not in json.loads((host.home / ".claude.json").read_text()).get("mcpServers", {})
    before, host.session = len(host.receipts()), ""  # a new one: the old one's history names the tools that it had
    assert "mcp__holdfast" not in host.says("hello again")
    assert len(host.receipts()) == before
