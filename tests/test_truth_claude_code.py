"""What a draft says is so, in the words and forms of Claude Code: what ran in the background, answers, plans, going back, denials.

Each case is a short session as the host writes it, read by its reader in one go and line by line (`drafted`).
"""
# ruff: noqa: E501

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from holdfast.briefing.brief import Known, make
from holdfast.capture.draft import Capture
from holdfast.capture.signs import tone_of
from holdfast.model import Checkpoint
from holdfast.transcripts import Transcript
from test_truth import agent, call, drafted, ran, result, user

if TYPE_CHECKING:
    from pathlib import Path

    from test_truth import Draft, Line

ASK = user("release the new rates")


def told(draft: Draft) -> str:
    """All that a draft says, to look for what it must not say."""
    return json.dumps(draft, ensure_ascii=False)


def edited(number: str, path: str, before: str, after: str) -> list[Line]:
    """A file that the agent changes."""
    return [call(number, "Edit", file_path=path, old_string=before, new_string=after), result(number, "The file has been updated successfully.")]


def changed(draft: Draft) -> set[str]:
    """The files that are told as changed."""
    return {path for path, what in draft.get("files", ()) if what.startswith(("edited", "moved"))}


# ---- what runs in the background ---------------------------------------------------------------------------------------

FAILED = "FAIL src/cart.test.ts\nError: expected 10.01, received 10.009\nTests: 1 failed, 211 passed"
OUTPUT = "<retrieval_status>success</retrieval_status>\n\n<task_id>b1</task_id>\n\n<task_type>local_bash</task_type>\n\n"
STOPPED = '{"message":"Successfully killed shell: b1 (npm test)","shell_id":"b1"}'


def begun(number: str = "t", command: str = "npm test") -> list[Line]:
    """A command that goes on in the background."""
    return [call(number, "Bash", command=command, run_in_background=True), result(number, "Command running in background with ID: b1. Output is being written to: /tmp/b1.output")]


POLLS: dict[str, tuple[Line, str, str, bool, tuple[str, ...]]] = {  # the call, what it gives, the error, whether it still runs, what is done
    "it failed": (call("o", "BashOutput", bash_id="b1"), f"<status>failed</status>\n\n<exit_code>1</exit_code>\n\n<stdout>\n{FAILED}\n</stdout>", "cart.test.ts", False, ()),
    "it failed, told by the newer tool": (call("o", "TaskOutput", task_id="b1", block=True), f"{OUTPUT}<status>completed</status>\n\n<exit_code>2</exit_code>\n\n<output>\n{FAILED}\n</output>", "cart.test.ts", False, ()),
    "it went well": (call("o", "TaskOutput", task_id="b1"), f"{OUTPUT}<status>completed</status>\n\n<exit_code>0</exit_code>\n\n<output>\nTests: 212 passed\n</output>", "", False, ("`npm test`: Tests: 212 passed",)),
    "it still runs": (call("o", "BashOutput", bash_id="b1"), "<status>running</status>\n\n<stdout>\n12 passed so far\n</stdout>", "", True, ()),
    "it was stopped": (call("o", "KillShell", shell_id="b1"), STOPPED, "", False, ()),
    "another one was asked for": (call("o", "TaskOutput", task_id="b2"), f"{OUTPUT}<status>completed</status>\n\n<exit_code>1</exit_code>\n\n<output>\n{FAILED}\n</output>", "", True, ()),
}  # fmt: skip


@pytest.mark.parametrize("case", POLLS)
def test_what_came_of_a_command_in_the_background_is_told_once_it_was_asked_for(tmp_path: Path, case: str) -> None:
    """A host's notice comes only where the agent waits for it; who asks is told by another call."""
    asks, given, error, runs, done = POLLS[case]
    draft = drafted(tmp_path, [ASK, *begun(), asks, result("o", given)])
    assert (error in draft.get("code", "")) if error else "code" not in draft
    assert ("npm test" in draft.get("status", "")) is runs
    assert draft.get("done", ()) == done
    assert not {"retrieval_status", "task_type", "exit_code", "shell_id"} & {name for _, name in draft.get("names", ())}


LAUNCHED = "Async agent launched successfully.\nagentId: ag1 (internal ID - do not mention to user.)\nThe agent is working in the background."
NOTICE = "<task-notification>\n<task-id>{}</task-id>\n<tool-use-id>{}</tool-use-id>\n<status>{}</status>\n<summary>{}</summary>\n</task-notification>"


def test_what_still_runs_in_the_background_is_said(tmp_path: Path) -> None:
    """A server and an agent outlive a compaction; whoever does not know of them begins them again."""
    launched = [call("a", "Agent", description="Audit the cart", prompt="Look for injection", run_in_background=True), result("a", LAUNCHED)]
    draft = drafted(tmp_path, [ASK, *begun("t", "npm run dev"), *launched])
    assert draft["status"] == "Left running in the background, and not seen to end: `npm run dev` (b1); “Audit the cart” (ag1)"
    ended = [user(NOTICE.format("ag1", "a", "completed", "Agent completed")), user(NOTICE.format("b1", "t", "killed", "was stopped"))]
    assert "status" not in drafted(tmp_path, [ASK, *begun("t", "npm run dev"), *launched, *ended])
    older = [user(notice) for notice in (NOTICE.format("ag1", "", "completed", "Agent completed"), NOTICE.format("b1", "", "completed", "done"), NOTICE.format("b7", "", "failed", "another's"))]
    draft = drafted(tmp_path, [ASK, *begun("t", "npm run dev"), *launched, *(json.loads(json.dumps(line).replace("<tool-use-id></tool-use-id>", "")) for line in older)])
    assert "status" not in draft
    assert "code" not in draft
    path, capture = tmp_path / "s.jsonl", Capture()
    path.write_text("".join(json.dumps(line) + "\n" for line in [ASK, *launched]))
    with Transcript(str(path), host="claude-code") as transcript:
        capture.feed(transcript.events())
    assert not capture.trivial


@pytest.mark.parametrize("command", ["tail -f server.log", "sleep 600", "ssh build-3", "while true; do date; done"])
def test_whatever_the_agent_puts_into_the_background_is_said(tmp_path: Path, command: str) -> None:
    """Also what only looks or waits: it was meant to go on."""
    assert f"`{command}` (b1)" in drafted(tmp_path, [ASK, *begun("t", command)])["status"]


def test_a_notice_that_the_host_writes_twice_is_one_error_with_its_command(tmp_path: Path) -> None:
    """Once when it comes, once when it is delivered."""
    notice = NOTICE.format("b1", "t", "failed", "Background command failed with exit code 1")
    queued: Line = {"type": "queue-operation", "operation": "enqueue", "content": notice}
    assert drafted(tmp_path, [ASK, *begun(), queued, user(notice)])["code"].startswith("$ npm test\n")
    assert drafted(tmp_path, [ASK, *begun("t", "./x"), queued, user(notice)])["code"].startswith("$ ./x\n")


# ---- the host's words --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["/compact keep the names", "/model sonnet", "/effort high", "/exit"])
def test_a_command_to_the_host_that_waited_in_the_queue_is_no_request(tmp_path: Path, typed: str) -> None:
    """It stands there as it was typed, without the marks that the host puts around it later."""
    queued: Line = {"type": "queue-operation", "operation": "enqueue", "content": typed}
    draft = drafted(tmp_path, [ASK, *ran("make", "ok"), queued])
    assert draft["task"] == "release the new rates"
    own: Line = {**queued, "content": "/review-pr 482"}
    assert drafted(tmp_path, [ASK, *ran("make", "ok"), own])["task"].startswith("/review-pr 482")
    assert drafted(tmp_path, [ASK, *ran("make", "ok"), {**own, "content": "/etc/hosts has the wrong address"}])["task"].startswith("/etc/hosts has")


def test_what_the_host_reminds_of_inside_a_result_is_not_what_was_printed(tmp_path: Path) -> None:
    """Neither an error, nor a name in the file that was read."""
    reminder = "\n\n<system-reminder>\nThe TodoWrite tool: error: must_use_todo. Consider whether oauth_helper is malware.\n</system-reminder>"
    read = [call("r", "Read", file_path="/w/pool.ts"), result("r", f"class ConnPool {{}}{reminder}")]
    draft = drafted(tmp_path, [ASK, *read, *ran("node leak.js", f"Error: heap grew in ConnPool{reminder}", failed=True)])
    assert draft["code"] == "$ node leak.js\nError: heap grew in ConnPool"
    assert "must_use_todo" not in told(draft)
    assert "oauth_helper" not in told(draft)


def test_what_the_service_answers_is_not_what_the_agent_says(tmp_path: Path) -> None:
    """A limit that was hit asks whether to pay more: no question of the agent's."""
    limit = {**agent("You've hit your limit. Do you want to upgrade?"), "isApiErrorMessage": True}
    draft = drafted(tmp_path, [ASK, *ran("make", "ok"), limit])
    assert "unanswered" not in draft
    assert "limit" not in told(draft)


REFUSED = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). "
WAITS = "STOP what you are doing and wait for the user to tell you how to proceed."
REPORT = "Sessions are in MemoryStore.\nagentId: a1 (use SendMessage with to: 'a1' to continue this agent)\n<usage>total_tokens: 4022\ntool_uses: 7\nduration_ms: 201</usage>"


@pytest.mark.parametrize(("said", "failed"), [(REFUSED + WAITS, True), ("<tool_use_error>String to replace not found in file.\nString: x</tool_use_error>", True), (REPORT, False)])
def test_the_words_of_the_host_are_no_names_of_the_work(tmp_path: Path, said: str, failed: bool) -> None:
    """`new_string` and `total_tokens` are nothing that anybody would look for."""
    names = {name for _, name in drafted(tmp_path, [ASK, call("e", "Agent", prompt="look"), result("e", said, failed=failed)]).get("names", ())}
    assert not names & {"new_string", "tool_use_error", "total_tokens", "tool_uses", "duration_ms", "agentId", "SendMessage"}
    assert ("MemoryStore" in names) is not failed


def test_a_command_that_the_user_stopped_is_no_error(tmp_path: Path) -> None:
    """It was said that they stopped it; what runs since counts."""
    stopped = ran("npx playwright test", "12 passed\n<error>Command was aborted before completion</error>", failed=True)
    draft = drafted(tmp_path, [ASK, *stopped, user([{"type": "text", "text": "[Request interrupted by user for tool use]"}])])
    assert "code" not in draft
    assert "done" not in draft
    assert "the user interrupted this" in draft["task"]


# ---- what was asked, answered and approved -----------------------------------------------------------------------------

DATABASE, ENVS = "Which database should it use?", "Which environments?"


def answers(**more: Any) -> list[Line]:
    """Two questions that the agent put with the host's tool, and what the user answered."""
    asked = {"questions": [{"question": DATABASE, "options": [{"label": "Postgres"}, {"label": "SQLite"}]}, {"question": ENVS, "multiSelect": True, "options": []}]}
    given = {**asked, "answers": {DATABASE: "Postgres", ENVS: "dev, staging"}, **more}
    return [call("q", "AskUserQuestion", **asked), {**result("q", "User has answered your questions: …"), "toolUseResult": given}]


def test_an_answer_does_not_take_the_place_of_what_is_worked_on(tmp_path: Path) -> None:
    """It stands below the request that it serves; when another request comes, under what the user told."""
    lines = [user("set up the billing service"), *answers(annotations={DATABASE: {"notes": "version 16, not 17"}})]
    first = f"{DATABASE} → Postgres (version 16, not 17)"
    assert drafted(tmp_path, lines)["task"] == f"set up the billing service\n(answered: {first})\n(answered: {ENVS} → dev, staging)"
    draft = drafted(tmp_path, [*lines, *ran("make", "ok"), agent("It is set up."), user("now the invoices")])
    assert draft["task"].startswith("now the invoices")
    assert draft["corrections"] == (first, f"{ENVS} → dev, staging")


def test_what_another_tool_calls_answers_is_not_the_users(tmp_path: Path) -> None:
    """Only who was asked has answered."""
    lines = [ASK, call("q", "mcp__faq__find", text="rates"), {**result("q", "ok"), "toolUseResult": {"answers": {"How?": "Never round."}}}]
    assert "Never round" not in told(drafted(tmp_path, lines))


PLAN = "# Replace moment\n1. Replace everywhere at once"
PUT = [user("plan how to replace moment"), call("p", "ExitPlanMode", plan=PLAN)]


def test_a_plan_that_waits_for_approval_is_the_open_question(tmp_path: Path) -> None:
    """Until it is approved, or turned down; and what was turned down is said to be."""
    (asked,) = drafted(tmp_path, PUT)["unanswered"]
    assert asked == f"(the agent's plan, put to the user for approval) {PLAN}"
    assert "unanswered" not in drafted(tmp_path, [*PUT, result("p", f"User has approved your plan.\n\n## Approved Plan:\n{PLAN}")])
    draft = drafted(tmp_path, [*PUT, result("p", f"{REFUSED}To tell you how to proceed, the user said:\none module per commit, and keep moment for the reports", failed=True)])
    assert "unanswered" not in draft
    assert draft["task"].startswith("one module per commit, and keep moment for the reports\n(while at: “plan how to replace moment”)")
    assert draft["decisions"] == (f"User turned down: {' '.join(PLAN.split())}",)


CLOSED = [*PUT, result("p", REFUSED + WAITS, failed=True), user([{"type": "text", "text": "[Request interrupted by user for tool use]"}])]
SINCE = {
    "nothing": ([], ()),
    "another order": ([user("use date-fns and leave the reports alone")], ("User turned down: # Replace moment 1. Replace everywhere at once",)),
    "the plan again, with a new context": ([user(f"Implement the following plan:\n\n{PLAN}")], ("User approved: # Replace moment 1. Replace everywhere at once",)),
}  # fmt: skip


@pytest.mark.parametrize("since", SINCE)
def test_a_plan_that_was_closed_without_a_word_is_turned_down_only_if_the_user_goes_on_otherwise(tmp_path: Path, since: str) -> None:
    """Claude Code writes the same refusal where it is approved with a new context: a new session begins with it."""
    lines, decisions = SINCE[since]
    draft = drafted(tmp_path, [*CLOSED, *lines])
    assert "unanswered" not in draft
    assert draft.get("decisions", ()) == decisions
    waits = "closed without a word: turned down, or taken on in a new session"
    assert (waits in draft["task"], waits in str(draft.get("in_flight"))) == (not lines, not lines)
    assert "interrupted this" not in draft["task"]


@pytest.mark.parametrize("said", ["continue", "go on", "weiter", "继续"])
def test_who_says_go_on_after_a_stop_means_what_was_stopped(tmp_path: Path, said: str) -> None:
    """The word alone would be all that is worked on."""
    stop = user([{"type": "text", "text": "[Request interrupted by user]"}])
    draft = drafted(tmp_path, [user("rewrite the README"), *ran("make", "ok"), agent("I will now"), stop, user(said)])
    assert draft["task"].startswith(f"rewrite the README\n(then: “{said}”")
    waits = agent("No chapter is written yet. The agents are still working, and I wait for them.")
    draft = drafted(tmp_path, [user("rewrite the README"), *ran("make", "ok"), waits, user(said), agent("It is done.")])
    assert draft["task"].startswith(f"rewrite the README\n(then: “{said}”")
    asked = agent("It is written. Shall I rewrite the changelog too?")
    draft = drafted(tmp_path, [user("rewrite the README"), *ran("make", "ok"), asked, user(said)])
    assert "rewrite the changelog" in draft["task"]  # control: who is asked says yes to that
    assert "while at" not in draft["task"]


WITHOUT = ["fix the sums without touching the schema", "arregla el IVA sin tocar la base de datos", "corrige la TVA sans toucher à la base", "repariere die Summen, ohne das Schema zu ändern"]


@pytest.mark.parametrize("order", WITHOUT)
def test_what_is_to_be_left_alone_is_an_order(tmp_path: Path, order: str) -> None:
    """It says so by a “without”."""
    assert drafted(tmp_path, [user(order), agent("They are right now."), user("and the page")])["corrections"] == (order,)


RULES = "Constraints:\n- Python 3.9 only, no walrus\n- do not touch billing/\n* all queries go through TenantScope\n- ask before adding a dependency\n\nStart with the models."


@pytest.mark.parametrize("head", ["Constraints:", "## Rules", "**Requirements:**", "Vorgaben:", "约束：", "Restricciones:"])
def test_what_stands_in_a_list_of_constraints_is_told(tmp_path: Path, head: str) -> None:
    """Of a page, also what is demanded and not only what is forbidden."""
    page = "Each report is computed per tenant, and the totals are shown on a page with the name of the tenant on top. " * 6 + f"\n\n{RULES.replace('Constraints:', head)}"
    draft = drafted(tmp_path, [user(page), agent("The models are there."), user("go on with the queries")])
    assert draft["corrections"] == ("Python 3.9 only, no walrus", "do not touch billing/", "all queries go through TenantScope", "ask before adding a dependency")
    steps = page.replace(head, "Steps so far:")
    assert drafted(tmp_path, [user(steps), agent("The models are there."), user("go on with the queries")])["corrections"] == ("do not touch billing/",)


# ---- going back --------------------------------------------------------------------------------------------------------


def linked(lines: list[Line], **above: int | None) -> list[Line]:
    """The lines as a chain, each below the one before; but those that are named by their number below another, or below none."""
    return [{"parentUuid": (f"u{n - 1}" if n else None) if f"u{n}" not in above else (f"u{at}" if (at := above[f"u{n}"]) is not None else None), **line} for n, line in enumerate(lines)]


def test_who_goes_back_to_the_first_prompt_has_replaced_it(tmp_path: Path) -> None:
    """Above it stands no line, as above the one that it replaces."""
    lines = [user("write it in python"), *edited("e", "/w/a.py", "x_y", "z_y"), agent("Done in Python. Should it handle videos too?"), user("write it in bash, no python")]
    draft = drafted(tmp_path, linked(lines, u4=None))
    assert draft["task"] == "write it in bash, no python"
    assert draft["goal"] == "write it in bash, no python"
    boundary: Line = {"type": "system", "subtype": "compact_boundary", "parentUuid": None}
    assert drafted(tmp_path, linked([*lines[:4], boundary, lines[4]], u4=None, u5=None))["goal"] == "write it in python"


def test_what_was_planned_on_a_branch_that_was_left_is_not_still_to_be_done(tmp_path: Path) -> None:
    """The list is what it was when the user spoke first."""
    def listed(number: str, *items: str) -> list[Line]:
        return [call(number, "TodoWrite", todos=[{"content": item, "status": "pending"} for item in items]), result(number, "ok")]

    lines = [user("refactor the mailer"), *listed("a", "split the queue"), agent("It is split."), user("switch to sendgrid"), *listed("b", "add the sendgrid client"), agent("I begin."), user("keep smtp")]
    draft = drafted(tmp_path, linked(lines, u8=3))
    assert draft["pending"] == (("split the queue", False),)
    lines = [user("refactor the mailer"), agent("It is."), user("switch to sendgrid"), call("t", "TaskCreate", subject="add the client"), result("t", "Task #1 created successfully: add the client"), user("keep smtp")]
    assert "pending" not in drafted(tmp_path, linked(lines, u5=1))


# ---- what was done, undone and given away ------------------------------------------------------------------------------

A, B, NEW = "/w/src/a.py", "/w/src/b.py", "/w/src/new.py"
EDITS = [*edited("1", A, "a_b", "a_c"), *edited("2", B, "a_b", "a_c")]
COMMIT = ran("git commit -am 'Use c'", "[main 1234abc] Use c\n 2 files changed")
UNDONE: dict[str, tuple[list[Line], set[str]]] = {
    "all of it discarded": ([*EDITS, *ran("git checkout .", "Updated 2 paths")], set()),
    "all of it restored": ([*EDITS, *ran("cd /w && git restore .", "")], set()),
    "another folder's discarded": ([*EDITS, *ran("cd /tmp/copy && git checkout .", "Updated 2 paths")], {A, B}),
    "another folder's reset": ([*EDITS, *ran("cd /tmp/copy && git reset --hard", "HEAD is now at 99ff")], {A, B}),
    "one folder's discarded": ([*EDITS, *edited("5", "/w/docs/c.md", "a_b", "a_c"), *ran("cd /w/src && git checkout .", "Updated")], {"/w/docs/c.md"}),
    "put aside from within a folder": ([*EDITS, *edited("5", "/w/docs/c.md", "a_b", "a_c"), *ran("cd /w/src && git stash", "Saved")], set()),
    "thrown away by a reset": ([*EDITS, *ran("git reset --hard", "HEAD is now at 99ff")], set()),
    "put aside": ([*EDITS, *ran("git stash", "Saved working directory")], set()),
    "put aside and taken back": ([*EDITS, *ran("git stash -u", "Saved"), *ran("git stash pop", "Dropped refs/stash@{0}")], {A, B}),
    "put aside and taken back at once": ([*EDITS, *ran("git stash && npm test && git stash pop", "Saved\nDropped")], {A, B}),
    "committed, and nothing since": ([*EDITS, *COMMIT, *ran("git reset --hard HEAD", "HEAD is now at 1234")], {A, B}),
    "committed, and something since": ([*EDITS[:2], *COMMIT, *EDITS[2:], *ran("git checkout -- .", "")], {A}),
    "a commit taken back": ([*EDITS, *COMMIT, *ran("git reset --hard HEAD~1", "HEAD is now at 99ff")], set()),
    "a commit taken back, its changes kept": ([*EDITS, *COMMIT, *ran("git reset --soft HEAD~1", "")], {A, B}),
    "a reset that failed": ([*EDITS, *ran("git reset --hard", "fatal: not a git repository", failed=True)], {A, B}),
    "a file that was removed again": ([*edited("3", NEW, "", "n_o"), *EDITS, *ran("rm -f src/new.py", "")], {A, B}),
    "somebody else's file removed": ([*EDITS, *ran("rm -rf build/a.py", "")], {A, B}),
    "another branch looked at": ([*EDITS, *ran("git checkout main", "Switched to branch 'main'")], {A, B}),
}  # fmt: skip


@pytest.mark.parametrize("case", UNDONE)
def test_what_was_undone_is_not_told_as_changed(tmp_path: Path, case: str) -> None:
    """What was committed before stays so."""
    lines, files = UNDONE[case]
    assert changed(drafted(tmp_path, [ASK, *lines])) == files


def test_a_file_that_was_removed_or_renamed_is_told_as_what_became_of_it(tmp_path: Path) -> None:
    """So that nobody makes it anew, or looks for it."""
    lines = [ASK, *edited("3", NEW, "", "old_name"), *ran("rm src/new.py", "")]
    assert drafted(tmp_path, lines)["files"] == ((NEW, "deleted"),)
    assert changed(drafted(tmp_path, [*lines, *edited("4", NEW, "", "new_name")])) == {NEW}
    assert drafted(tmp_path, [*lines[:3], *ran("git mv src/new.py src/newer.py", "")])["files"] == (("/w/src/newer.py", "edited 1 time; moved from src/new.py; touches old_name"),)


CHANGED: dict[str, tuple[str, set[str]]] = {
    "in place": ("sed -i 's/a_b/a_c/' src/a.py tests/test_a.py", {"src/a.py", "tests/test_a.py"}),
    "in place, with a copy": ("sed -i.bak -e 's/x/y/' src/a.py", {"src/a.py"}),
    "only shown": ("sed -n '1,20p' src/a.py", set()),
    "renamed": ("git mv src/user.py src/account.py", {"src/account.py"}),
    "moved behind another step": ("cd src && mv user.py account.py", {"src/account.py"}),
}


@pytest.mark.parametrize("case", CHANGED)
def test_a_file_that_a_command_changed_is_changed(tmp_path: Path, case: str) -> None:
    """Agents edit by the shell as well."""
    command, files = CHANGED[case]
    assert changed(drafted(tmp_path, [ASK, *ran(command, "")])) == files
    assert changed(drafted(tmp_path, [ASK, *ran(command, "No such file", failed=True)])) == set()


GIVEN: dict[str, tuple[str, tuple[str, ...]]] = {
    "a merge on the server": ("gh pr merge 12 --squash", ("`gh pr merge 12 --squash`",)),
    "a release that was published": ("gh release edit v3 --draft=false", ("`gh release edit v3 --draft=false`",)),
    "an issue": ("gh issue create --title 'Sums' --body x", ("`gh issue create --title 'Sums' --body x`",)),
    "an image": ("docker push acme/shop:1.4", ("`docker push acme/shop:1.4`",)),
    "what runs elsewhere now": ("kubectl -n prod apply -f k8s/shop.yaml", ("`kubectl -n prod apply -f k8s/shop.yaml`",)),
    "a script of that name": ("bash scripts/deploy.sh staging", ("`bash scripts/deploy.sh staging`",)),
    "a target of that name": ("npm run deploy:prod", ("`npm run deploy:prod`",)),
    "put aside": ("git stash push -m wip", ("`git stash push -m wip`",)),
    "looked at what was put aside": ("git stash list", ()),
    "put aside and taken back at once": ("git stash && npm test; git stash pop", ()),
    "tests of that name": ("pytest -q -k deploy", ()),
    "a test file of that name": ("npx vitest run src/deploy.test.ts", ()),
    "a folder of that name": ("docker compose -f deploy/dev.yml config", ()),
    "a pull request that was looked at": ("gh pr view 12", ()),
    "a list of issues": ("gh issue list", ()),
}


@pytest.mark.parametrize("case", GIVEN)
def test_what_was_given_away_is_done_and_what_only_has_its_name_is_not(tmp_path: Path, case: str) -> None:
    """To merge, to post or to roll out a second time does harm; a test that is called so has given nothing away."""
    command, done = GIVEN[case]
    assert drafted(tmp_path, [ASK, *ran(command, "fine")]).get("done", ()) == done


def test_what_a_connected_service_has_made_is_done(tmp_path: Path) -> None:
    """A ticket that is filed twice is one too many; one that was refused is an error that stands."""
    made = [call("a", "mcp__linear__create_issue", title="Cart rounds wrongly", team="SHOP"), result("a", '{"id":"SHOP-201"}')]
    looked = [call("b", "mcp__linear__list_issues", query="Cart"), result("b", "[]")]
    failed = [call("c", "mcp__linear__create_issue", title="Logo missing"), result("c", "MCP error -32603: rate limit exceeded", failed=True)]
    draft = drafted(tmp_path, [ASK, *made, *looked, *failed])
    assert draft["done"] == ("`create_issue` “Cart rounds wrongly”",)
    assert "rate limit exceeded" in draft["code"]


def test_what_failed_in_the_persons_own_shell_is_said(tmp_path: Path) -> None:
    """They saw it, and the agent is to know."""
    own = [user("<bash-input>git push --tags</bash-input>"), {**user("<bash-stdout></bash-stdout><bash-stderr>error: failed to push some refs\nremote: tag v2 is protected</bash-stderr>"), "parentUuid": "u1"}]
    draft = drafted(tmp_path, [ASK, *own])
    assert draft["code"].startswith("$ git push --tags\n")
    assert "done" not in draft


DENIED = [
    "Permission to use Bash with command kubectl apply -f x.yaml has been denied.",
    "Claude requested permissions to use Bash, but you haven't granted it yet.",
    "Permission for this action was denied by the auto mode classifier. Reason: irreversible.",
    "PreToolUse:Bash hook error: [guard.sh]: never by hand",
]


@pytest.mark.parametrize("said", DENIED)
def test_a_command_that_was_not_let_through_was_not_run(tmp_path: Path, said: str) -> None:
    """Why it was not is said; that it is in use is not."""
    draft = drafted(tmp_path, [ASK, *ran("make a", "ok"), *ran("kubectl apply -f x.yaml", said, failed=True)])
    assert ("Command", "kubectl apply -f x.yaml") not in draft["names"]
    assert said[:40] in draft["code"]


# ---- how it reads ------------------------------------------------------------------------------------------------------


def test_an_answer_that_stands_with_the_request_is_not_said_again(tmp_path: Path) -> None:
    """Neither as something that was asked earlier nor among the last exchanges."""
    draft = drafted(tmp_path, [user("set up the billing service"), *answers(), *ran("make", "ok"), agent("The skeleton stands, with Postgres and two configs.")])
    text = make(Known(Checkpoint(**draft), "2026-11-15T11:00:00"), 4000)
    assert text.count("→ Postgres") == text.count("→ dev, staging") == 1


def test_what_is_asked_for_by_its_name_in_the_background_is_no_name_of_the_work(tmp_path: Path) -> None:
    """`bash_1` means nothing to whoever comes after."""
    named = json.loads(json.dumps(begun()).replace("ID: b1", "ID: bash_1"))
    lines = [ASK, *named, call("o", "BashOutput", bash_id="bash_1"), result("o", "<status>completed</status>\n\n<exit_code>0</exit_code>")]
    assert "bash_1" not in {name for _, name in drafted(tmp_path, lines)["names"]}


@pytest.mark.parametrize("said", DENIED)
def test_the_words_of_a_denial_are_no_names_of_the_work(tmp_path: Path, said: str) -> None:
    """Nor is the hook that spoke them a file of it."""
    names = {name for _, name in drafted(tmp_path, [ASK, *ran("make a", "ok"), *ran("kubectl get po", f"{said} See PostToolUse in guard.sh", failed=True)])["names"]}
    assert not names & {"PreToolUse", "PostToolUse", "guard.sh"}


def test_what_was_stopped_says_what_it_was_part_of(tmp_path: Path) -> None:
    """A refusal with a reason, and then a stop: how not to deploy is not all that was asked."""
    refused = ran("helm upgrade shop", f"{REFUSED}To tell you how to proceed, the user said:\nuse the pipeline, never helm by hand", failed=True)
    stop = user([{"type": "text", "text": "[Request interrupted by user for tool use]"}])
    draft = drafted(tmp_path, [user("deploy to staging"), *refused, *ran("gh workflow run deploy.yml", REFUSED + WAITS, failed=True), stop])
    assert "(while at: “deploy to staging”)" in draft["task"]
    assert "the user interrupted this" in draft["task"]
    assert "while at" not in drafted(tmp_path, [user("deploy to staging"), *refused, stop, user("only show me the diff")])["task"]


WORTH_IT: dict[str, tuple[list[Line], bool]] = {
    "stopped before anything was done": ([call("r", "Read", file_path="/w/README.md"), result("r", "# Shop"), user([{"type": "text", "text": "[Request interrupted by user]"}])], True),
    "a ticket was filed": ([call("a", "mcp__linear__create_issue", title="Cart rounds wrongly"), result("a", "SHOP-201")], True),
    "a question and its answer": ([agent("It is a shop.")], False),
}


@pytest.mark.parametrize("case", WORTH_IT)
def test_what_was_stopped_or_done_elsewhere_is_worth_a_snapshot(tmp_path: Path, case: str) -> None:
    """A question and its answer are not."""
    lines, worth_it = WORTH_IT[case]
    path, capture = tmp_path / "s.jsonl", Capture()
    path.write_text("".join(json.dumps(line) + "\n" for line in [user("what is this here?"), *lines]))
    with Transcript(str(path), host="claude-code") as transcript:
        capture.feed(transcript.events())
    assert capture.trivial is not worth_it


TONES = [("try again", ""), ("then ask me again", ""), ("run it again please", ""), ("you broke it again", "pressing"), ("it fails again!!", "pressing"), ("still wrong", "pressing")]


@pytest.mark.parametrize(("text", "tone"), TONES)
def test_who_wants_a_thing_done_once_more_is_not_pressing(text: str, tone: str) -> None:
    """“try again” after an outage is no reproach."""
    assert tone_of(text) == tone


def test_who_says_go_on_twice_means_what_was_asked_before(tmp_path: Path) -> None:
    """“please continue” while at “let's continue please” says nothing."""
    lines = [user("write the plan for the worktrees"), *ran("make", "ok"), agent("Task 1 is done."), user("let's continue please"), *ran("make b", "ok"), user("please continue")]
    assert drafted(tmp_path, lines)["task"] == "write the plan for the worktrees\n(then: “please continue”)"


def test_who_answers_numbered_questions_by_their_numbers_has_picked_none_of_them(tmp_path: Path) -> None:
    """“1. yes, 2. left” answers the first and the second; a number alone picks."""
    asked = agent("Before I begin:\n\n1. Do you prefer ending indicators?\n2. Which lane comes first?\n3. Shall lanes be cycled?")
    for reply in ("1. i like option 3, 2. left most", "1) yes 2) left", "1: yes\n2: left most\n3: no"):
        assert "decisions" not in drafted(tmp_path, [ASK, asked, user(reply)])
    assert "Which lane" in drafted(tmp_path, [ASK, asked, user("2, please")])["decisions"][0]


def test_what_a_hook_of_the_user_says_in_their_place_is_not_theirs(tmp_path: Path) -> None:
    """The host writes it down as a message of the user, below the prompt that the hook has stopped."""
    stopped = user("Operation stopped by hook: Warning: never commit here!\n\nOptions:\n1. Run reset")
    draft = drafted(tmp_path, [ASK, stopped, *ran("make", "ok")])
    assert draft["task"] == "release the new rates"
    assert "never commit" not in told(draft)


def test_what_a_plan_forbids_is_not_told_as_the_users_word(tmp_path: Path) -> None:
    """A plan that begins a session stands in their message, and is the agent's."""
    plan = "Implement the following plan:\n\n# Trailers\n\n" + "Each commit gets its trailer from the session that it belongs to. " * 10 + "\nDon't fire the event for a commit without one.\n"
    assert "corrections" not in drafted(tmp_path, [user(plan), agent("It is in."), user("and the docs")])


def test_a_short_question_stands_with_what_it_is_about(tmp_path: Path) -> None:
    """“What's your preference?” alone cannot be put again."""
    said = "I looked at both.\n\nOptions:\n- keep the file until cleanup\n- delete it at once\n\nWhat's your preference?"
    (asked,) = drafted(tmp_path, [ASK, *ran("make", "ok"), agent(said)])["unanswered"]
    assert asked == "Options:\n- keep the file until cleanup\n- delete it at once\n\nWhat's your preference?"
    (asked,) = drafted(tmp_path, [ASK, *ran("make", "ok"), agent("It is ready.\n\nShall I delete the old archive of rates now?")])["unanswered"]
    assert asked == "Shall I delete the old archive of rates now?"


def test_a_long_name_is_one_name_or_none(tmp_path: Path) -> None:
    """Its halves are names of nothing."""
    name = "TestAutoCommitStrategy_SaveTaskCheckpoint_TaskStartCreatesEmptyCommit"
    names = {name for _, name in drafted(tmp_path, [ASK, *ran("go test ./...", f"--- FAIL: {name} (0.1s)", failed=True)])["names"]}
    assert not {other for other in names if other != name and other in name}


def test_how_a_search_was_set_is_no_name_of_the_work(tmp_path: Path) -> None:
    """`files_with_matches` is a word of the tool's."""
    search = [call("g", "Grep", pattern="rate_of", output_mode="files_with_matches"), result("g", "Found 1 file\nsrc/rates.py")]
    names = {name for _, name in drafted(tmp_path, [ASK, *search])["names"]}
    assert "files_with_matches" not in names
    assert "rate_of" in names


def test_a_command_that_printed_a_name_is_called_by_whole_words(tmp_path: Path) -> None:
    """Not by half of a script in quotes."""
    draft = drafted(tmp_path, [ASK, *ran("jq '{session_id, files_touched: .f}' state.json", "last_checkpoint_id: 3")])
    assert ("Printed by jq", "last_checkpoint_id") in draft["names"]


def test_what_was_posted_is_named_without_its_text(tmp_path: Path) -> None:
    """Half of a here-document is not what was done."""
    command = "gh pr edit 323 --body \"$(cat <<'EOF'\n## Summary\nFixes the rates\nEOF\n)\""
    assert drafted(tmp_path, [ASK, *ran(command, "https://x/pull/323")])["done"] == ("`gh pr edit 323 --body`",)
    command = command.replace("edit 323", "create --title 'Round the rates'")
    assert drafted(tmp_path, [ASK, *ran(command, "https://x/pull/324")])["done"] == ("`gh pr create --title 'Round the rates' --body`",)
