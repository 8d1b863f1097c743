"""What a draft says of files is so: a file that was deleted or moved is told as that, and who changed it is told as it was.

Each case is a short session as its host writes it, read by its reader.
"""
# ruff: noqa: E501

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from holdfast.transcripts.touching import taken_away_by
from test_truth import ASK, agent, call, drafted, ran, result
from test_truth_codex import COMMIT, FAILED, META, RUNNING, item, said, script, told, tool, waited

if TYPE_CHECKING:
    from pathlib import Path

Line = dict[str, Any]
CODEX_ASK = said("release the new rates")


def edited(path: str = "/w/src/rates.py", number: str = "e") -> list[Line]:
    """A file that the agent has changed."""
    edit = call(number, "Edit", file_path=path, old_string="rate_of = 1", new_string="new_rate = 2")
    return [edit, result(number, "ok")]


def files_of(tmp_path: Path, lines: list[Line], host: str = "claude-code") -> dict[str, str]:
    """What is said of each file, without the names in it."""
    ask = [META, CODEX_ASK] if host == "codex" else [ASK]
    told = drafted(tmp_path, [*ask, *lines], host).get("files", ())
    return {path: "; ".join(part for part in what.split("; ") if not part.startswith(("touches", "has"))) for path, what in told}


# ---- deleted and moved -------------------------------------------------------------------------------------------------

RATES, ONCE = "/w/src/rates.py", "edited 1 time"
SHELL = {
    "deleted": (ran("rm /w/src/rates.py", ""), {RATES: "deleted"}),
    "deleted from where the shell is": (ran("rm -f src/rates.py && ls src", "tax.py"), {RATES: "deleted"}),
    "deleted from another folder": (ran("cd /w/src && rm ./rates.py; ls", ""), {RATES: "deleted"}),
    "deleted with its folder": (ran("rm -rf src/", ""), {RATES: "deleted"}),
    "deleted by git": (ran("git rm -q src/rates.py", ""), {RATES: "deleted"}),
    "deleted by git in another folder": (ran("git -C /w rm src/rates.py", "rm 'src/rates.py'"), {RATES: "deleted"}),
    "no longer kept by git, and still there": (ran("git rm --cached src/rates.py", "rm 'src/rates.py'"), {RATES: ONCE}),
    "a deletion that failed": (ran("rm src/rates.py", "rm: cannot remove 'src/rates.py': Permission denied", failed=True), {RATES: ONCE}),
    "a deletion that failed behind a pipe": (ran("git rm src/rates.py 2>&1 | tail -1", "fatal: pathspec did not match any files"), {RATES: ONCE}),
    "a deletion only where something failed": (ran("make check || rm src/rates.py", "12 passed"), {RATES: ONCE}),
    "what only speaks of it": (ran("echo 'rm src/rates.py'", "rm src/rates.py"), {RATES: ONCE}),
    "what is written about it": (ran("cat > notes.md <<'END'\nrm src/rates.py\nEND", ""), {RATES: ONCE, "notes.md": ONCE}),
    "another file": (ran("rm src/other.py build/out.o", ""), {RATES: ONCE}),
    "another file that git deleted": (ran("git rm src/other.py", ""), {RATES: ONCE, "src/other.py": "deleted"}),
    "what a pattern means": (ran("rm src/*.pyc", ""), {RATES: ONCE}),
    "moved": (ran("mv src/rates.py src/tariffs.py", ""), {"/w/src/tariffs.py": f"{ONCE}; moved from src/rates.py"}),
    "moved by git": (ran("git mv src/rates.py lib/rates.py", ""), {"/w/lib/rates.py": f"{ONCE}; moved from {RATES}"}),
    "moved into a folder": (ran("mkdir -p lib && mv src/rates.py lib/", ""), {"/w/lib/rates.py": f"{ONCE}; moved from {RATES}"}),
    "moved with its folder": (ran("git mv src lib", ""), {"/w/lib/rates.py": f"{ONCE}; moved from {RATES}"}),
    "moved, and moved back": ([*ran("mv src/rates.py old.py", ""), *ran("mv old.py src/rates.py", "")], {RATES: ONCE}),
    "moved, and deleted": ([*ran("mv src/rates.py src/old.py", ""), *ran("rm src/old.py", "")], {"/w/src/old.py": "deleted"}),
    "deleted, and written anew": ([*ran("rm src/rates.py", ""), *edited(number="f")], {RATES: ONCE}),
    "deleted, and fetched again": ([*ran("rm src/rates.py", ""), *ran("git checkout -- src/rates.py", "")], {}),
    "deleted, where a search had found something in it": (
        [*ran("rg -n old_total /w/src", f"{RATES}:3:old_total = sum_of(rate_of)\n{RATES}:4:other_total"), *ran("rm src/rates.py", "")], {RATES: "deleted"}),
    "deleted, and an edit that failed": (
        [*ran("rm src/rates.py", ""), call("f", "Edit", file_path=RATES, old_string="a", new_string="b"), result("f", "File does not exist.", failed=True)], {RATES: "deleted"}),
    "a file that only git knew, moved": (ran("git mv docs/a.md docs/b.md", ""), {RATES: ONCE, "docs/b.md": "moved from docs/a.md"}),
    "a file that nobody knew, moved": (ran("mv /tmp/a.log /tmp/b.log", ""), {RATES: ONCE}),
}  # fmt: skip


@pytest.mark.parametrize("case", SHELL)
def test_a_file_that_a_shell_took_away_is_not_worked_on(tmp_path: Path, case: str) -> None:
    """It was changed before, and then taken away, or not."""
    lines, told = SHELL[case]
    assert files_of(tmp_path, [*edited(), *lines, agent("Here is where it stands.")]) == told


def test_of_two_files_that_are_called_alike_none_is_said_to_be_gone(tmp_path: Path) -> None:
    """`rm rates.py` says nothing of where; unless one of them stands nearer to the root."""
    lines = [*edited("/w/a/rates.py"), *edited("/w/b/rates.py", "f"), *ran("rm rates.py", "")]
    assert files_of(tmp_path, lines) == {"/w/a/rates.py": ONCE, "/w/b/rates.py": ONCE}
    lines = [*edited("/w/rates.py"), *edited("/w/b/rates.py", "f"), *ran("rm rates.py", "")]
    assert files_of(tmp_path, lines) == {"/w/rates.py": "deleted", "/w/b/rates.py": ONCE}


PATCHES = {
    "deleted": ("*** Delete File: src/rates.py", "Success.", {"src/rates.py": "deleted"}),
    "deleted beside an edit": ("*** Update File: src/tax.py\n@@\n-a\n+b\n*** Delete File: src/rates.py", "Success.", {"src/tax.py": ONCE, "src/rates.py": "deleted"}),
    "moved": ("*** Update File: src/rates.py\n*** Move to: src/tariffs.py", "Success.", {"src/tariffs.py": f"{ONCE}; moved from src/rates.py"}),
    "moved and changed": ("*** Update File: src/rates.py\n*** Move to: src/tariffs.py\n@@\n-a\n+b", "Success.", {"src/tariffs.py": "edited 2 times; moved from src/rates.py"}),
    "rejected": ("*** Delete File: src/rates.py", "patch rejected by user", {"src/rates.py": ONCE}),
    "a move that was rejected": ("*** Update File: src/rates.py\n*** Move to: src/tariffs.py\n@@\n-a\n+b", "patch rejected by user", {"src/rates.py": ONCE}),
}  # fmt: skip


def patch(text: str, output: str, number: str = "p") -> list[Line]:
    """A patch as Codex applies it."""
    whole = f"*** Begin Patch\n{text}\n*** End Patch"
    return [item(type="custom_tool_call", name="apply_patch", call_id=number, input=whole), item(type="custom_tool_call_output", call_id=number, output=output)]


@pytest.mark.parametrize("case", PATCHES)
@pytest.mark.parametrize("shell", [False, True])
def test_a_file_that_a_patch_took_away_is_not_worked_on(tmp_path: Path, case: str, shell: bool) -> None:
    """Older versions give the patch to a shell."""
    text, output, told = PATCHES[case]
    first = patch("*** Update File: src/rates.py\n@@\n-x\n+y", "Success. Updated", "o")
    lines = patch(text, output)
    if shell:
        arguments = json.dumps({"command": ["apply_patch", f"*** Begin Patch\n{text}\n*** End Patch"]})
        lines = [item(type="function_call", name="shell", call_id="p", arguments=arguments), item(type="function_call_output", call_id="p", output=output)]
    assert files_of(tmp_path, [*first, *lines], "codex") == told


TOOLS: dict[str, tuple[str, dict[str, str], dict[str, str]]] = {
    "a tool that deletes": ("mcp__files__delete_file", {"path": RATES}, {RATES: "deleted"}),
    "a tool that moves": ("mcp__filesystem__move_file", {"source": RATES, "destination": "/w/lib/rates.py"}, {"/w/lib/rates.py": f"{ONCE}; moved from {RATES}"}),
    "a tool that reads": ("mcp__files__read_file", {"path": RATES}, {RATES: ONCE}),
}  # fmt: skip


@pytest.mark.parametrize("case", TOOLS)
def test_a_file_that_a_tool_took_away_is_not_worked_on(tmp_path: Path, case: str) -> None:
    """By its name: such tools come from anywhere."""
    name, given, told = TOOLS[case]
    assert files_of(tmp_path, [*edited(), call("d", name, **given), result("d", "ok")]) == told


@pytest.mark.parametrize("command", ["rm " * 10_000, "mv 'a", "rm " + "../" * 10_000, "git mv", "mv x", "git -C", "rm -- -x", "mv " + "a " * 5000])
def test_a_command_of_any_form_can_be_looked_at(command: str) -> None:
    """Nothing is raised, and nothing takes long."""
    assert isinstance(taken_away_by(command), list)


# ---- several patches in one script -------------------------------------------------------------------------------------


def hunk(path: str, what: str = "Update") -> str:
    """A patch of one file."""
    return f"*** Begin Patch\n*** {what} File: {path}\n@@\n-x\n+y\n*** End Patch"


def patches(*paths: str, around: str = "{}") -> str:
    """A script that applies a patch to each file."""
    return around.format("".join(f"await tools.apply_patch({json.dumps(hunk(path))});\n" for path in paths))


def applied(path: str, *, well: bool = True) -> Line:
    """What the host tells beside a script as one of its patches ends."""
    return told("patch_apply_end", call_id="exec-1", success=well, changes={f"/w/{path}": {"type": "update"}})


THREE = patches("a.py", "b.py", "c.py")
ERROR = "Script error:\nError: apply_patch verification failed: Failed to find expected lines in /w/b.py:\nx"
AT_ONCE = f"await Promise.all([{', '.join(f'tools.apply_patch({json.dumps(hunk(path))})' for path in ('a.py', 'b.py', 'c.py'))}]);"
SCRIPTED = {
    "a script that went well": (script(THREE, "ok"), ("a.py", "b.py", "c.py")),
    "a script that failed at the second": (script(THREE, ERROR, head=FAILED), ("a.py",)),
    "a script that made them all at once, and failed at the second": (script(AT_ONCE, ERROR, head=FAILED), ("a.py", "c.py")),
    "a script that failed at one of them, nobody knows which": (script(THREE, "Script error:\nError: apply_patch verification failed: invalid hunk at line 2", head=FAILED), ()),
    "a script that failed at something else": (script(THREE + "text(r.shown)", "Script error:\nReferenceError: r is not defined", head=FAILED), ("a.py", "b.py", "c.py")),
    "a script of which the host tells what was applied": ([script(THREE)[0], applied("a.py"), applied("b.py", well=False), script(THREE, "Script error:\nError: no", head=FAILED)[1]], ("a.py",)),
    "a script that was waited for, and failed at the second": ([*script(THREE, "", head=RUNNING), *waited(FAILED, ERROR)], ("a.py",)),
    "a script that was stopped": ([script(THREE)[0], item(type="custom_tool_call_output", call_id="x", output="aborted by user after 3s")], ()),
    "a script that takes a file away": (script(patches("a.py") + f"await tools.apply_patch({json.dumps(hunk('a.py', 'Delete'))})", "ok"), ()),
}  # fmt: skip


@pytest.mark.parametrize("case", SCRIPTED)
def test_of_several_patches_in_a_script_those_count_that_were_applied(tmp_path: Path, case: str) -> None:
    """A script ends at the first that fails; what stands behind it was never tried."""
    lines, changed = SCRIPTED[case]
    assert tuple(path for path, what in files_of(tmp_path, lines, "codex").items() if what.startswith("edited")) == changed[::-1]


# ---- a subagent that was forked ----------------------------------------------------------------------------------------

PARENT, CHILD = "019d7d08-46c9-7f73-affe-4e6ca9852d56", "019d7e36-577c-7d90-9f1c-a447ba2254b4"
BEFORE, OWN = "019d7d08-f1d2-78a1-ae52-df8e21f9b394", "019d7e36-57aa-7373-b23c-bcf62344db6f"


def meta(number: str, **more: Any) -> Line:
    """The head of a file."""
    return {"type": "session_meta", "payload": {"id": number, "cwd": "/w", **more}}


def turn(number: str | None) -> list[Line]:
    """How a turn begins."""
    about = {"turn_id": number} if number else {}
    return [told("task_started", **about), {"type": "turn_context", "payload": {"cwd": "/w", **about}}]


def plan(*steps: str) -> list[Line]:
    """A plan that the agent keeps."""
    arguments = json.dumps({"plan": [{"step": step, "status": "pending"} for step in steps]})
    return [item(type="function_call", name="update_plan", call_id="q", arguments=arguments), item(type="function_call_output", call_id="q", output="Plan updated")]


SPAWNED = {"source": {"subagent": {"thread_spawn": {"parent_thread_id": PARENT, "depth": 1}}}, "forked_from_id": PARENT}
PARENTS = [
    meta(PARENT), *turn(BEFORE), said("release the new rates, and never touch the tax tables"), *plan("round the sums", "tag the release"),
    *patch("*** Update File: src/rates.py\n@@\n-old_rate\n+new_rate", "Success."), *tool("exec_command", "[main 1] Round sums", cmd=COMMIT), said("Shall I tag it now?", role="assistant"),
    item(type="function_call", name="spawn_agent", call_id="a", arguments="{}"),
]  # fmt: skip
NEWLY = item(type="function_call_output", call_id="a", output="You are the newly spawned agent. The prior conversation history was forked from your parent agent.")
FORKS = {
    "by the ids of turns": [meta(CHILD, **SPAWNED), *PARENTS, *turn(OWN)],
    "by what the host tells the agent": [meta("s", **SPAWNED), *PARENTS[3:], NEWLY, *turn(None)],
    "marked in another way": [meta(CHILD, forked_from_id=PARENT, thread_source="subagent"), *PARENTS, *turn(OWN)],
}  # fmt: skip
REVIEW = said("Review the rounding in src/rates.py.")
OF_PARENT = ["before the fork: release the new rates, and never touch the tax tables", "planned before the fork: round the sums", "planned before the fork: tag the release"]


@pytest.mark.parametrize("case", FORKS)
def test_what_a_subagent_was_forked_from_is_not_its_own(tmp_path: Path, case: str) -> None:
    """Its file begins with all that its parent was asked, said, planned and did: it knows of it, and has none of it to do."""
    draft = drafted(tmp_path, [*FORKS[case], REVIEW, said("I look at the rounding of the sums in it first.", role="assistant")], "codex")
    assert draft["goal"] == draft["task"] == "Review the rounding in src/rates.py."
    assert not {"pending", "unanswered"} & draft.keys()
    assert draft["corrections"] == ("(to the agent that it was forked from) release the new rates, and never touch the tax tables",)
    assert draft["done"] == ("commit “Round sums” (before the fork)",)
    assert "tag it" not in str(draft["exchanges"])
    assert dict(draft["files"])["src/rates.py"].startswith("edited 1 time before the fork")
    assert [line for line in draft["timeline"] if "before the fork: " in line] == OF_PARENT  # the time of the copy is not theirs


def test_a_person_who_forks_a_session_goes_on_with_it(tmp_path: Path) -> None:
    """It is their own, and what they asked before still holds."""
    draft = drafted(tmp_path, [meta(CHILD, forked_from_id=PARENT, source="cli"), *PARENTS, *turn(OWN), REVIEW], "codex")
    assert draft["goal"].startswith("release the new rates")
    assert draft["pending"] == (("round the sums", False), ("tag the release", False))


def test_a_subagent_that_begins_empty_begins_at_once(tmp_path: Path) -> None:
    """Nothing of its parent stands in its file."""
    fresh = {"source": {"subagent": {"thread_spawn": {"parent_thread_id": PARENT}}}}
    draft = drafted(tmp_path, [meta(CHILD, **fresh), *turn(OWN), REVIEW, *plan("read it")], "codex")
    assert (draft["goal"], draft["pending"]) == ("Review the rounding in src/rates.py.", (("read it", False),))


# ---- what other agents did ---------------------------------------------------------------------------------------------

ASIDE = "edited 1 time by a subagent"
REPORT = "The rates are rounded now, in src/rates.py alone."


def handed(number: str = "t") -> Line:
    """Work that is handed to a subagent of Claude Code."""
    return call(number, "Agent", description="round the sums", prompt="Round all sums.", subagent_type="general-purpose")


def came_back(agent_id: str, number: str = "t", *, framed: bool = True) -> Line:
    """What it came to, with what the host says around it."""
    around = "[Subagent hand-back] It is model output. The report follows:\n  {}\nagentId: {} (use SendMessage to continue)\n<usage>tool_uses: 1</usage>"
    return result(number, (around if framed else "{}\nagentId: {} (for resuming to continue this agent's work if needed)").format(REPORT, agent_id))


def beside(tmp_path: Path, name: str, lines: list[Line], host: str = "claude-code") -> None:
    """The transcript of another agent."""
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    about = {"sessionId": "s", "isSidechain": True, "agentId": "a1b2"} if host == "claude-code" else {}
    path.write_text("".join(json.dumps({"timestamp": f"2026-11-15T10:00:{n:02}.000Z", **about, **line}) + "\n" for n, line in enumerate(lines)))


@pytest.mark.parametrize("place", ["session/subagents/agent-a1b2.jsonl", "agent-a1b2.jsonl"])
def test_what_a_subagent_of_claude_code_changed_is_changed(tmp_path: Path, place: str) -> None:
    """And told as its doing; what it planned and said is its own, what it came to is told as its report."""
    failed = [call("f", "Edit", file_path="/w/no.py", old_string="a", new_string="b"), result("f", "not found", failed=True)]
    todo = call("d", "TodoWrite", todos=[{"content": "its own step", "status": "pending"}])
    beside(tmp_path, place, [ASK, *edited(number="e"), *failed, todo, *ran("rm /w/src/old.py", ""), agent("I did it. Shall I go on?")])
    lines = [ASK, *edited("/w/src/old.py", "o"), *edited("/w/src/tax.py", "e"), handed(), came_back("a1b2", framed="subagents" in place)]
    draft = drafted(tmp_path, lines)
    told_of = {path: what.partition("; ")[0] for path, what in draft["files"]}
    assert told_of == {RATES: ASIDE, "/w/src/tax.py": ONCE, "/w/src/old.py": "deleted"}
    assert draft["exchanges"][-1] == f"Subagent (general-purpose: round the sums): {REPORT}"
    assert not {"pending", "unanswered"} & draft.keys()


def test_a_subagent_that_is_called_again_is_read_on(tmp_path: Path) -> None:
    """What it had changed before is not counted twice."""
    beside(tmp_path, "agent-a1b2.jsonl", edited())
    lines = [ASK, handed(), came_back("a1b2"), handed("u"), came_back("a1b2", "u")]
    assert dict(drafted(tmp_path, lines)["files"])[RATES].startswith(f"{ASIDE};")


@pytest.mark.parametrize("name", ["../../etc/passwd", "a1b2", "x" * 200, "session"])
def test_a_subagent_of_which_nothing_is_there_changes_nothing(tmp_path: Path, name: str) -> None:
    """Neither is a file looked for outside of the place where such files are."""
    assert "files" not in drafted(tmp_path, [ASK, handed(), came_back(name)])


def test_lines_of_a_subagent_among_those_of_the_session_tell_what_it_changed(tmp_path: Path) -> None:
    """As older versions write them."""
    lines = [{**line, "isSidechain": True} for line in [*edited(), *edited("/w/no.py", "f")]]
    lines[-1] = {**result("f", "not found", failed=True), "isSidechain": True}
    assert files_of(tmp_path, [handed(), *lines, result("t", REPORT)]) == {RATES: ASIDE}


SPAWN = [
    item(type="function_call", name="spawn_agent", call_id="s", arguments=json.dumps({"agent_type": "worker", "message": "round the sums"})),
    item(type="function_call_output", call_id="s", output=json.dumps({"agent_id": CHILD, "nickname": "Bacon"})),
]
WAITED = [
    item(type="function_call", name="wait_agent", call_id="v", arguments=json.dumps({"ids": [CHILD]})),
    item(type="function_call_output", call_id="v", output=json.dumps({"status": {CHILD: {"completed": REPORT}}, "timed_out": False})),
]
NOTE = said(f"<subagent_notification>\n{json.dumps({'agent_id': CHILD, 'status': {'completed': REPORT}})}\n</subagent_notification>")


@pytest.mark.parametrize("back", [WAITED, [NOTE], [*WAITED, NOTE]])
def test_what_a_subagent_of_codex_changed_is_changed(tmp_path: Path, back: list[Line]) -> None:
    """Its file lies in the folder of its day, and may begin with what its parent did."""
    day = tmp_path / "sessions" / "2026" / "04" / "10"
    day.mkdir(parents=True)
    own = [*turn(OWN), said("round the sums"), *patch("*** Update File: src/sums.py\n@@\n-a\n+new_sum", "Success.", "w")]
    beside(tmp_path, f"sessions/2026/04/11/rollout-2026-04-11T20-23-03-{CHILD}.jsonl", [meta(CHILD, **SPAWNED), *PARENTS, *own], "codex")
    draft = drafted(day, [meta(PARENT), CODEX_ASK, *SPAWN, *back], "codex")
    assert {path: what.partition("; ")[0] for path, what in draft["files"]} == {"src/sums.py": ASIDE}
    assert [text for text in draft["exchanges"] if text.startswith("Subagent")] == [f"Subagent (worker: round the sums): {REPORT}"]


IN_A_SHELL = "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: src/sums.py\n@@\n-a\n+new_sum\n*** End Patch\nEOF"
BANNERS = "Wall time: 0.0000 seconds\nOutput:\nExit code: {}\nWall time: 0 seconds\nOutput:\n{}"
NOT_APPLIED = {
    "by a tool that there is not": (patch("*** Update File: src/sums.py\n@@\n-a\n+new_sum", "unsupported custom tool call: apply_patch"), {}),
    "in a shell, and not applied": (tool("exec_command", BANNERS.format(1, "Failed to write src/sums.py"), cmd=IN_A_SHELL), {}),
    "in a shell": (tool("exec_command", BANNERS.format(0, "Success. Updated the following files:\nM src/sums.py"), cmd=IN_A_SHELL), {"src/sums.py": ONCE}),
}  # fmt: skip


@pytest.mark.parametrize("case", NOT_APPLIED)
def test_a_patch_that_codex_did_not_apply_changed_nothing(tmp_path: Path, case: str) -> None:
    """One that stands in the place of a command has a banner of its own below the command's, which alone says how it went."""
    lines, changed = NOT_APPLIED[case]
    draft = drafted(tmp_path, [meta(PARENT), CODEX_ASK, *lines], "codex")
    assert {path: what.partition("; ")[0] for path, what in draft.get("files", ()) if what.startswith("edited")} == changed
    assert "Exit code" not in str(draft)


def activity(kind: str, number: str) -> Line:
    """What newer files tell of an agent that is known by its path."""
    item = {"type": "SubAgentActivity", "id": number, "kind": kind, "agent_thread_id": CHILD, "agent_path": "/root/sums"}
    return told("item_completed", item=item)


def letter(text: str, kind: str = "FINAL_ANSWER") -> Line:
    """What such an agent sends."""
    head = f"Message Type: {kind}\nTask name: /root\nSender: /root/sums\nPayload:\n"
    return item(type="agent_message", author="/root/sums", recipient="/root", content=[{"type": "input_text", "text": head + text}])


BY_PATH = [
    item(type="function_call", name="spawn_agent", namespace="collaboration", call_id="s", arguments=json.dumps({"task_name": "sums", "message": "gAAAAAB"})),
    activity("started", "s"),
    item(type="function_call_output", call_id="s", output=json.dumps({"task_name": "/root/sums"})),
]  # fmt: skip
ENDED = activity("completed", "subagent-completed-1")
TOLD_BY_PATH = {
    "it has ended": ([ENDED], []),
    "its answer has come": ([ENDED, letter(REPORT)], [REPORT]),
    "its answer has come twice": ([letter(REPORT), ENDED, letter(REPORT)], [REPORT]),
    "it has asked something": ([letter("which rates?", "MESSAGE"), ENDED], []),
}


@pytest.mark.parametrize("case", TOLD_BY_PATH)
def test_what_a_subagent_did_that_is_known_by_its_path_is_told_too(tmp_path: Path, case: str) -> None:
    """The newest models of Codex name their agents; by which id the file of one is known, the host tells beside it."""
    back, reports = TOLD_BY_PATH[case]
    own = [*turn(OWN), *patch("*** Update File: src/sums.py\n@@\n-a\n+new_sum", "Success.", "w")]
    beside(tmp_path, f"rollout-2026-04-11T20-23-03-{CHILD}.jsonl", [meta(CHILD, **SPAWNED), *PARENTS, *own], "codex")
    draft = drafted(tmp_path, [meta(PARENT), CODEX_ASK, *BY_PATH, *back], "codex")
    assert {path: what.partition("; ")[0] for path, what in draft["files"]} == {"src/sums.py": ASIDE}
    assert [text for text in draft["exchanges"] if text.startswith("Subagent")] == [f"Subagent (subagent: sums): {text}" for text in reports]


@pytest.mark.parametrize("status", ["pending_init", {"errored": "x"}, {"running": None}, [], {CHILD: 3}])
def test_an_agent_that_has_not_come_to_its_end_has_reported_nothing(tmp_path: Path, status: Any) -> None:
    """Who waits in vain is told so in the same form."""
    back = [WAITED[0], item(type="function_call_output", call_id="v", output=json.dumps({"status": {CHILD: status}, "timed_out": True}))]
    assert not [text for text in drafted(tmp_path, [META, CODEX_ASK, *SPAWN, *back], "codex")["exchanges"] if text.startswith("Subagent")]
