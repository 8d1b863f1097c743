"""What a draft says is so: nothing is called done, passed, agreed, asked or told that was not, as hosts write it down.

A brief is put before an agent as what happened, with “do not redo what is done”. So what it says falsely does more harm than what it
leaves out. Each case is a short session as Claude Code (or Codex) writes it, read by its reader.
"""
# ruff: noqa: E501

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from holdfast.capture.draft import Capture
from holdfast.capture.outcomes import fails_in, went_wrong
from holdfast.capture.signs import is_qualified, orders_in
from holdfast.transcripts import Event, Transcript

if TYPE_CHECKING:
    from pathlib import Path

Line = dict[str, Any]
Draft = dict[str, Any]


def user(content: Any) -> Line:
    """What stands where a person's words do."""
    return {"type": "user", "message": {"role": "user", "content": content}}


def agent(text: str) -> Line:
    """What the agent says."""
    return {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": text}]}}


def call(number: str, tool: str, **given: Any) -> Line:
    """A tool that it calls."""
    block = {"type": "tool_use", "id": number, "name": tool, "input": given}
    return {"type": "assistant", "message": {"role": "assistant", "content": [block]}}


def result(number: str, text: str, *, failed: bool = False) -> Line:
    """What comes back."""
    return user([{"type": "tool_result", "tool_use_id": number, "content": text, "is_error": failed}])


def ran(command: str, output: str, *, failed: bool = False, number: str = "") -> list[Line]:
    """A command and what came of it."""
    number = number or f"run-{abs(hash((command, output)))}"
    return [call(number, "Bash", command=command), result(number, output, failed=failed)]


def drafted(tmp_path: Path, lines: list[Line], host: str = "claude-code") -> Draft:
    """The draft of a session of these lines; the same where it was read in one go and where it was kept after each of them."""
    path, capture, kept, position = tmp_path / "session.jsonl", Capture(), Capture(), None
    path.write_text("")
    for number, line in enumerate(lines):
        about = {"sessionId": "s", "uuid": f"u{number}"} if host == "claude-code" else {}
        with path.open("a") as file:
            entry = {"timestamp": f"2026-11-15T10:{number:02}:00.000Z", **about, **line}
            file.write(json.dumps(entry, separators=(",", ":")) + "\n")  # as hosts write it
        with Transcript(str(path), host=host) as transcript:
            kept.feed(transcript.events(position))
            position = transcript.position
        kept = Capture.from_data(json.loads(json.dumps(kept.as_data())))
    with Transcript(str(path), host=host) as transcript:
        capture.feed(transcript.events())
    assert kept.draft() == capture.draft()
    return capture.draft()


ASK = user("release the new rates")

# ---- done --------------------------------------------------------------------------------------------------------------

DONE = {
    "a push that a pipe hides, rejected": (
        ran("git push origin main 2>&1 | tail -3", " ! [rejected]  main -> main (fetch first)\nerror: failed to push some refs to 'o'"), ()),
    "a commit that a hook refused, behind a pipe": (
        ran("git commit -m 'Round sums' 2>&1 | tail -5", "husky - pre-commit hook exited with code 1 (error)"), ()),
    "a commit of nothing, behind a semicolon": (ran("git commit -m 'Round sums'; git status", "nothing to commit, working tree clean"), ()),
    "a publish that failed, with another command behind it": (ran("npm publish; echo done", "npm ERR! code E403\ndone"), ()),
    "a push behind a pipe that went well": (
        ran("git push origin main 2>&1 | tail -1", "   1f3a..9c2b  main -> main"), ("`git push origin main 2>&1 | tail -1`",)),
    "a commit whose title speaks of errors": (
        ran("git commit -m 'Fix error handling' | tail -2", "[main 9c2b1f3] Fix error handling\n 1 file changed"),
        ("commit “Fix error handling”",)),
    "what only shows what it would do": ([*ran("npm publish --dry-run", "+ rates@2.0.0"), *ran("git push --dry-run origin v3", "ok")], ()),
    "what only looks": (
        [*ran("cat scripts/deploy.sh", "rsync"), *ran("kubectl get deploy -n prod", "rates 3/3"), *ran("git tag -l", "v1"),
         *ran("kubectl -n prod rollout status deploy/rates", "rolled out")], ()),
    "a push with git's own options": (ran("git -C /w push origin main", "ok"), ("`git -C /w push origin main`",)),
    "a commit that was taken back": (
        [*ran("git commit -m 'Use redis'", "[main 1] Use redis"), *ran("git reset --hard HEAD~1", "HEAD is now at 0a1b")],
        ("commit “Use redis”", "`git reset --hard HEAD~1`")),
    "a publish in the background that goes on": (ran("npm publish", "Command running in background with ID: b1"), ()),
    "a publish in the background that failed": (
        [*ran("npm publish", "Command running in background with ID: b1", number="p"),
         user("<task-notification>\n<task-id>b1</task-id>\n<tool-use-id>p</tool-use-id>\n<status>failed</status>\n"
              "<summary>Background command \"publish\" failed with exit code 1</summary>\n</task-notification>")], ()),
    "a publish in the background that ended well": (
        [*ran("npm publish", "Command running in background with ID: b1", number="p"),
         user("<task-notification>\n<task-id>b1</task-id>\n<tool-use-id>p</tool-use-id>\n<status>completed</status>\n"
              "<summary>Background command \"publish\" completed</summary>\n</task-notification>")], ("`npm publish`",)),
    "a push in the person's own shell that was rejected": (
        [user("<bash-input>git push</bash-input>"),
         {**user("<bash-stdout></bash-stdout><bash-stderr>error: failed to push some refs</bash-stderr>"), "parentUuid": "u1"}], ()),
    "tests that passed, and fail since": (
        [*ran("pytest -q", "41 passed in 2s"), *ran("pytest -q", "FAILED tests/a.py::t - AssertionError\n1 failed", failed=True)], ()),
    "tests that passed, and fail since behind a pipe": (
        [*ran("pytest -q | tail -1", "41 passed in 2s"), *ran("pytest -q | tail -1", "1 failed, 40 passed in 2s")], ()),
    "one package of two": (ran("go test ./... 2>&1 | tail -20", "ok  \tacme/cart\t0.21s\nFAIL\tacme/pay\t0.1s"), ()),
    "tests that passed, and print what the word stands in": (ran("make test", "error: as expected\n12 passed"), ("`make test`: 12 passed",)),
    "tests of which none failed": (ran("cargo test", "test result: ok. 5 passed; 0 failed"), ("`cargo test`: test result: ok. 5 passed; 0 failed",)),
}  # fmt: skip


@pytest.mark.parametrize("case", DONE)
def test_done_is_what_went_well_and_still_holds(tmp_path: Path, case: str) -> None:
    """Whether a pipe hid the status, the host let it run on, or it was undone since."""
    lines, done = DONE[case]
    assert drafted(tmp_path, [ASK, *lines, agent("Here is where it stands.")]).get("done", ()) == done


@pytest.mark.parametrize("output", ["\n" * 20_000, "word " * 4000, "a" * 20_000, "- " * 10_000, "exit " * 4000, "9" * 20_000])
def test_looking_for_a_failure_takes_no_time_worth_speaking_of(output: str) -> None:
    """An output of twenty thousand characters of almost an error: a search that went back from each would not end here."""
    assert not went_wrong(output)
    assert not fails_in(output)


def test_an_error_is_current_until_what_runs_in_the_background_has_ended(tmp_path: Path) -> None:
    """To begin a build again is not to have built it."""
    lines = [
        ASK,
        *ran("make build", "main.c:3: error: no such type", failed=True),
        *ran("make build", "Command running in background with ID: 1"),
    ]
    assert "passed since" not in drafted(tmp_path, lines)["code"]


def test_a_look_that_fails_does_not_hide_what_is_failing(tmp_path: Path) -> None:
    """`ls` of a folder that is not there is no news of the tests; alone it is the error that there is."""
    look = ran("ls build/out", "ls: cannot access 'build/out': No such file or directory", failed=True)
    tests = ran("pytest -q", "E   KeyError: 'rate'\n1 failed", failed=True)
    assert "KeyError" in drafted(tmp_path, [ASK, *tests, *look])["code"]
    assert "build/out" in drafted(tmp_path, [ASK, *look])["code"]
    assert "build/out" in drafted(tmp_path, [ASK, *tests, *ran("pytest -q", "3 passed"), *look])["code"]


def test_an_error_in_the_persons_own_shell_is_not_mended_by_failing_again(tmp_path: Path) -> None:
    """No status is kept there: what was printed tells."""
    own = [user("<bash-input>pytest -q</bash-input>"), {**user("<bash-stdout>1 failed in 2s</bash-stdout>"), "parentUuid": "u3"}]
    lines = [ASK, *ran("pytest -q", "E   KeyError: 'rate'\n1 failed", failed=True), *own]
    assert "passed since" not in drafted(tmp_path, lines)["code"]


# ---- what is being worked on -------------------------------------------------------------------------------------------


def test_what_the_user_stopped_is_said_to_be_stopped(tmp_path: Path) -> None:
    """Nor is a command that they refused one of those in use."""
    refused = "The user doesn't want to proceed with this tool use. The tool use was rejected."
    lines = [user("drop the staging database and make it anew"), *ran("dropdb staging", refused, failed=True)]
    lines.append(user([{"type": "text", "text": "[Request interrupted by user for tool use]"}]))
    draft = drafted(tmp_path, lines)
    assert draft["task"].endswith("(the user interrupted this, and has not said how to go on)")
    assert ("Command", "dropdb staging") not in draft.get("names", ())
    draft = drafted(tmp_path, [*lines, user("only rename it, to staging_old")])
    assert "interrupted" not in draft["task"]


def test_codex_says_that_a_turn_was_stopped_too(tmp_path: Path) -> None:
    """By a message of its own in the place of the user's."""
    said = ["clear the bucket of old builds", "<turn_aborted>\n<reason>interrupted</reason>\n</turn_aborted>"]
    about = [{"type": "session_meta", "payload": {"id": "s", "cwd": "/w"}}]
    payloads = [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]} for text in said]
    lines = [*about, *({"type": "response_item", "payload": payload} for payload in payloads)]
    assert "the user interrupted this" in drafted(tmp_path, lines, "codex")["task"]


def test_a_fork_is_on_its_own_branch_and_not_on_its_parents(tmp_path: Path) -> None:
    """Codex copies the parent's lines, its header too, below the header of the fork."""
    metas = [{"id": name, "cwd": "/w", "git": {"branch": branch}} for name, branch in (("fork", "rewrite"), ("parent", "main"))]
    said = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "review the last commit"}]}
    lines = [*({"type": "session_meta", "payload": meta} for meta in metas), {"type": "response_item", "payload": said}]
    assert drafted(tmp_path, lines, "codex")["branch"] == "rewrite"


PLAN = "# Split the table\n\n1. Add `users_v2`, and never lock `users`.\n2. Copy in batches."


@pytest.mark.parametrize("shown", [True, False])
def test_a_plan_that_was_approved_is_what_is_worked_on(tmp_path: Path, shown: bool) -> None:
    """The order to wait for it stands as it was told; that the wait is over is said, and the plan's words are not the user's orders."""
    said = (
        f"User has approved your plan. You can now start coding.\n\n## Approved Plan:\n{PLAN}"
        if shown
        else "User has approved your plan."
    )
    order = "plan how to split the users table, and don't touch any code until I have approved it"
    lines = [user(order), call("p", "ExitPlanMode", plan=PLAN), result("p", said)]
    draft = drafted(
        tmp_path, [*lines, call("e", "Edit", file_path="/w/a.sql", old_string="a", new_string="b"), result("e", "ok")]
    )
    assert draft["task"].startswith("(approved the agent's plan)")
    assert draft["corrections"] == (order,)
    assert ("never lock" in draft["task"]) is shown
    assert "unanswered" not in draft


def test_what_an_editor_shows_is_not_what_the_user_said(tmp_path: Path) -> None:
    """Nor does it stand between a question and its answer."""
    shown = {"type": "text", "text": "<ide_selection>The user selected: You must never commit to main.</ide_selection>"}
    asked = agent("Two ways:\n1. a table in memory\n2. redis with a TTL\n\nWhich one shall I build?")
    draft = drafted(tmp_path, [ASK, asked, user([shown, {"type": "text", "text": "2"}])])
    assert "redis with a TTL" in draft["task"]
    assert "corrections" not in draft
    assert not any("never commit" in line for line in draft["exchanges"])


def test_words_that_were_taken_back_before_they_were_sent_were_not_said(tmp_path: Path) -> None:
    """Claude Code queues what is typed while it works; whoever presses the arrow has it back in the input."""
    queued: Line = {"type": "queue-operation", "operation": "enqueue", "content": "and delete the release branches"}
    begun = [ASK, *ran("make build", "ok")]
    assert drafted(tmp_path, [*begun, queued])["task"].startswith("and delete")
    assert drafted(tmp_path, [*begun, queued, {**queued, "operation": "popAll"}])["task"] == "release the new rates"


NOTE = "Your list is empty. Do not mention this to the user, they know."
OF_THE_HOST: dict[str, Line] = {
    "a note that is marked behind an empty result": {**user(NOTE), "toolUseResult": None, "isMeta": True},
    "a task that has ended": {**user("The review has ended: never merge it."), "origin": {"kind": "task-notification"}},
    "another agent": {**user("Always rebase before you push."), "origin": {"kind": "peer"}, "promptSource": "typed"},
    "the host itself, when it goes on": {**user("Your limit has been reset. Do not stop."), "promptSource": "system"},
    "a companion of the turn": {**user("You must answer in a few words."), "turnCompanion": True},
    "nothing, in its words": user("(no content)"),
    "its answer to a slip": user("Unknown command: /relaese. Did you mean /release?"),
    "a note into a running turn": {"type": "attachment", "attachment": {"type": "task_reminder", "content": "Do not stop."}},
    "another agent, into a running turn": {
        "type": "attachment", "attachment": {"type": "queued_command", "prompt": "Never stop.", "origin": {"kind": "peer"}}
    },
}  # fmt: skip


@pytest.mark.parametrize("case", OF_THE_HOST)
def test_what_the_host_says_in_the_users_place_is_not_the_users(case: str, tmp_path: Path) -> None:
    """Not even where a version writes the mark of it behind the copy of a result, or says only who has sent it."""
    draft = drafted(tmp_path, [ASK, *ran("make build", "ok"), OF_THE_HOST[case], agent("I am going on with the rates.")])
    assert draft["task"] == "release the new rates"
    assert "corrections" not in draft


def steered(text: Any) -> Line:
    """What was typed while the agent worked, as it is delivered into the running turn."""
    return {"type": "attachment", "attachment": {"type": "queued_command", "prompt": text, "commandMode": "prompt"}}


def test_what_is_said_into_a_running_turn_is_said_once(tmp_path: Path) -> None:
    """Some versions write it when it is queued and when it is delivered, some only then."""
    words, begun = "and do not touch the release branches", [ASK, *ran("make build", "ok")]
    queued: Line = {"type": "queue-operation", "operation": "enqueue", "content": words}
    work = [*ran("make test", "12 passed"), agent("Both are done, and the branches are as they were.")]
    for lines in ([steered(words)], [steered([{"type": "text", "text": words}])], [queued, steered(words)], [queued]):
        draft = drafted(tmp_path, [*begun, *lines, *work])
        assert draft["task"].startswith(words)
        assert draft["corrections"] == (words,)
    between = drafted(tmp_path, [*begun, queued, agent("Shall I tag it as well?"), steered(words)])
    assert between["unanswered"] == ("Shall I tag it as well?",)  # it was asked after those words


@pytest.mark.parametrize(("kind", "run"), [("user-rejected", False), ("permission-rule", False), ("cancelled", False), ("", True)])
def test_a_call_that_the_host_says_was_denied_was_not_run(kind: str, run: bool, tmp_path: Path) -> None:
    """Whatever the words are in which it says so: it is neither an error of the work nor a command that was run."""
    denied = [call("d", "Bash", command="make publish"), result("d", "publishing is not for this folder", failed=True)]
    denied[1] |= {"toolUseResult": "Error: publishing is not for this folder", "toolDenialKind": kind}
    draft = drafted(tmp_path, [ASK, *denied, agent("It was not allowed, so nothing is published.")])
    assert ("code" in draft) is run
    assert ("make publish" in str(draft.get("names"))) is run


def test_words_that_were_typed_again_at_once_stand_instead(tmp_path: Path) -> None:
    """Below the first ones nothing stands yet; where the lines are a tree, both in the same place."""
    lines = [{**ASK, "uuid": "a", "parentUuid": "0"}, {**agent("They are out."), "uuid": "b", "parentUuid": "a"}]
    slip = {**user("there are to profiles here, so it must be the wrong one"), "uuid": "c", "parentUuid": "b"}
    meant = {**user("there are two profiles here, so it must be the wrong one"), "uuid": "d", "parentUuid": "b"}
    draft = drafted(tmp_path, [*lines, slip, meant, {**agent("I look at the profiles."), "uuid": "e", "parentUuid": "d"}])
    assert draft["task"].startswith("there are two")
    assert "there are to profiles" not in str(draft)
    added = {**meant, "parentUuid": "c"}
    assert "there are to profiles" in str(drafted(tmp_path, [*lines, slip, added]))


@pytest.mark.parametrize(("told", "branch"), [("main", "main"), ("HEAD", None)])
def test_where_there_is_no_branch_none_is_told(told: str, branch: str | None, tmp_path: Path) -> None:
    """Hosts write HEAD outside of git, and where none is checked out."""
    assert drafted(tmp_path, [{**ASK, "gitBranch": "old"}, {**agent("I begin."), "gitBranch": told}]).get("branch") == branch


def test_a_push_that_went_well_at_last_mends_the_one_that_failed(tmp_path: Path) -> None:
    """It may have failed as the end of a longer command, whose beginning is not done again; a push of something else mends nothing."""
    failed = ran("git add a.py && git commit -qm 'Round sums' && git push 2>&1", "fatal: repository 'x' not found", failed=True)
    assert drafted(tmp_path, [ASK, *failed])["code"].endswith("not found")
    assert drafted(tmp_path, [ASK, *failed, *ran("git push", "main -> main")])["code"].endswith("(passed since)")
    assert drafted(tmp_path, [ASK, *failed, *ran("git push origin v2", "v2 -> v2")])["code"].endswith("not found")
    assert drafted(tmp_path, [ASK, *failed, *ran("git push | tail -1", "error: failed to push")])["code"].count("passed since") == 0


def test_the_number_of_a_port_counts_no_failures(tmp_path: Path) -> None:
    """A program that tries one address after the other says so, and goes on."""
    tried = "* Host localhost:8111 was resolved.\n* connect to ::1 port 8111 failed: Connection refused\n* Connected to 127.0.0.1\n200"
    assert "code" not in drafted(tmp_path, [ASK, *ran("curl -v -X DELETE http://localhost:8111/rates | head -20", tried)])


def test_a_script_that_falls_over_is_an_error_while_something_else_fails(tmp_path: Path) -> None:
    """Who only looks for something has not found another error; who feeds a program has."""
    lines = [ASK, *ran("make lint all", "rates.py:3: error: unused name", failed=True)]
    script = "cd /w && python3 <<'EOF'\nprint(f'{None:>5}')\nEOF"
    assert "TypeError: no such format" in drafted(tmp_path, [*lines, *ran(script, "TypeError: no such format", failed=True)])["code"]
    assert "unused name" in drafted(tmp_path, [*lines, *ran("grep -c rate x.py", "grep: x.py: No such file", failed=True)])["code"]


def test_an_error_that_nobody_came_back_to_is_no_last_error(tmp_path: Path) -> None:
    """The user has gone on to other things since, and so has the agent."""
    broke = ran("make lint all", "Exit code 2\nsome_list_of_files.txt", failed=True)
    assert "some_list_of_files.txt (exit code 2)" in drafted(tmp_path, [ASK, *broke])["code"]
    capture = Capture()
    capture.feed([Event("call", command="make lint all", call="1"), Event("result", "error: no rates", call="1", failed=True)])
    capture.feed([Event("agent", "Looking.")] * 300)
    assert "no rates" in capture.draft()["code"]
    capture.feed([Event("user", "leave it, and write the notes")])
    assert "code" not in capture.draft()


def test_of_a_long_command_the_step_that_gave_the_work_away_is_told(tmp_path: Path) -> None:
    """The beginning of it, which finds room, says nothing of that."""
    command = "git -C /home/kim/projects/rates remote add origin https://example.org/kim/rates.git && git -C /home/kim/projects/rates push -u origin main"
    assert drafted(tmp_path, [ASK, *ran(command, "branch 'main' set up")])["done"] == ("`git -C /home/kim/projects/rates push -u origin main`",)


def notified(number: str, status: str, summary: str) -> Line:
    """What the host says when something that went on in the background has ended."""
    told = f"<task-notification>\n<tool-use-id>{number}</tool-use-id>\n<status>{status}</status>\n<summary>{summary}</summary>\n</task-notification>"
    return {"type": "queue-operation", "operation": "enqueue", "content": told}


def test_what_ended_behind_a_subagent_is_no_error_of_this_agent(tmp_path: Path) -> None:
    """The host tells the agent of it all the same; of its own it is, in the words that were written."""
    failed = notified("own", "failed", "Background command &quot;make lint &amp;&amp; make test&quot; failed with exit code 2")
    begun = [call("own", "Bash", command="make lint && make test"), result("own", "Command running in background with ID: b1")]
    work = [ASK, *ran("make build", "ok"), *begun]
    assert 'command "make lint && make test" failed' in drafted(tmp_path, [*work, failed])["code"]
    assert "code" not in drafted(tmp_path, [*work, notified("of a subagent", "failed", "make test failed with exit code 144")])
    agents = [call("a1", "Agent", prompt="review it"), result("a1", "Async agent launched successfully.\nagentId: a1b2")]
    assert "lost its way" in drafted(tmp_path, [*work, *agents, notified("a1", "failed", "Agent “review” failed: lost its way")])["code"]


NOTE = "<note>A task-notification fires each time this agent stops; the same task-id may notify more than once.</note>\n"


@pytest.mark.parametrize("between", ["", NOTE, NOTE + "<hint>read it</hint>\n"], ids=["nothing", "a note", "more"])
def test_of_an_agent_in_the_background_its_report_is_told_whatever_stands_before_it(between: str, tmp_path: Path) -> None:
    """The host has put a note there since; then all that was told was that the agent had finished."""
    begun = [call("a1", "Agent", description="look", prompt="review it", subagent_type="general-purpose"), result("a1", "Async agent launched successfully.\nagentId: a1b2")]
    ended = notified("a1", "completed", "Agent “look” finished")
    ended["content"] = ended["content"].replace("</task-notification>", f"{between}<result>Both sums are rounded.</result>\n</task-notification>")
    assert drafted(tmp_path, [ASK, *begun, ended])["exchanges"][-1] == "Subagent (general-purpose: look): Both sums are rounded."


@pytest.mark.parametrize("cost", ["\nagentId: a1b2c3 (use SendMessage with to: 'a1b2c3' to go on)\n<usage>total_tokens: 20153\ntool_uses: 3\nduration_ms: 65912</usage>", "\nagentId: a1b2c3 (for resuming)"])
def test_what_a_subagent_cost_is_no_part_of_its_report(cost: str, tmp_path: Path) -> None:
    """The host writes below each report how to go on with it; a session with many had those names among the ones in use."""
    report = "The fault is in `round_rate`, which drops the last digit."
    draft = drafted(tmp_path, [ASK, call("a", "Agent", prompt="find it"), result("a", report + cost), agent("I mend it now.")])
    assert [name for kind, name in draft["names"] if kind == "Name"] == ["round_rate"]


def test_a_list_that_is_done_says_so_as_long_as_it_is_of_this_work(tmp_path: Path) -> None:
    """What was handed to subagents is seen nowhere else."""
    made = [line for n in "12" for line in (call(f"t{n}", "TaskCreate", subject=f"Step {n} of the rates"), result(f"t{n}", f"Task #{n} created"))]
    ticked = [line for n in "12" for line in (call(f"d{n}", "TaskUpdate", taskId=n, status="completed"), result(f"d{n}", "Updated"))]
    draft = drafted(tmp_path, [ASK, *made, *ticked])
    assert draft["progress"] == "all 2 to-do items done, the last: Step 2 of the rates"
    assert "pending" not in draft
    assert drafted(tmp_path, [ASK, *made, *ticked[:2]])["progress"] == "1 of 2 to-do items done"
    capture = Capture()
    capture.feed([Event("user", "go on"), Event("call", todos=(("a", "completed"), ("b", "completed"))), *[Event("agent", "Next.")] * 300])
    assert "progress" not in capture.draft()


@pytest.mark.parametrize(("said", "told"), [
    ("/should-we-ship the new rates", False), ("/never-again", False), ("/ship don't tag it", True),
    ("/etc/hosts must never be edited", True)])  # fmt: skip
def test_the_name_of_a_command_sets_no_course(said: str, told: bool, tmp_path: Path) -> None:
    """What stands behind it does."""
    assert drafted(tmp_path, [user(said), agent("I look at it."), ASK]).get("corrections", ()) == ((said,) if told else ())


def test_nothing_in_the_hosts_words_is_not_what_the_agent_said(tmp_path: Path) -> None:
    """Where an answer is empty, Claude Code writes that it is."""
    asked = agent("Shall I delete the old rates?")
    for nothing in ("(no content)", "No response requested."):
        assert drafted(tmp_path, [ASK, asked, agent(nothing)])["unanswered"] == ("Shall I delete the old rates?",)


def test_a_session_that_only_reads_is_worth_a_snapshot(tmp_path: Path) -> None:
    """A review has read forty files, and changed none; a question that took a look or two leaves nothing (B10)."""
    path = tmp_path / "s.jsonl"
    for looks, trivial in ((2, True), (8, False)):
        reads = [line for i in range(looks) for line in (call(f"r{i}", "Read", file_path=f"/w/{i}.py"), result(f"r{i}", "x = 1"))]
        path.write_text(
            "".join(json.dumps(line) + "\n" for line in [user("what does the exporter do?"), *reads, agent("It exports.")])
        )
        capture = Capture()
        with Transcript(str(path), host="claude-code") as transcript:
            capture.feed(transcript.events())
        assert capture.trivial is trivial


# ---- what is open ------------------------------------------------------------------------------------------------------

QUESTION = "The migration takes ten minutes. Should I run it now or wait for the night?"
NOTICE = "<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n<summary>lint completed</summary>\n</task-notification>"


def test_a_question_is_open_until_the_user_speaks(tmp_path: Path) -> None:
    """The host may wake the agent in between, and what that says to the host takes nothing back."""
    woken = [ASK, agent(QUESTION), user(NOTICE), agent("The lint run has finished without a finding."), *ran("ls -l", "a")]
    assert drafted(tmp_path, woken)["unanswered"] == (QUESTION,)
    assert "unanswered" not in drafted(tmp_path, [*woken, user("wait for the night")])
    assert "unanswered" not in drafted(tmp_path, [ASK, agent(QUESTION), agent("I ran it."), *ran("ls -l", "a")])


def test_who_wants_to_talk_about_a_question_has_not_answered_it(tmp_path: Path) -> None:
    """And what the host says in their place is not what they asked for."""
    said = "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\n"
    said += "The user wants to clarify these questions.\nThis means they may have additional information."
    asked = {"question": "Keep the alias?", "options": [{"label": "Keep"}, {"label": "Remove"}]}
    draft = drafted(tmp_path, [ASK, call("q", "AskUserQuestion", questions=[asked]), result("q", said, failed=True)])
    assert draft["task"] == "release the new rates"
    assert draft["unanswered"] == ("Keep the alias? (Keep / Remove)",)


TASKS = {
    "numbers that go on from before": ((("a", "Task #7 created successfully: rates", False), ("b", "Task #8 created successfully: tests", False)), "7"),
    "one that was not made": (
        (("x", "InputValidationError: subject is missing", True), ("a", "Task #1 created successfully: rates", False),
         ("b", "Task #2 created successfully: tests", False)), "1"),
    "a host that says no number": ((("a", "ok", False), ("b", "ok", False)), "1"),
}  # fmt: skip


@pytest.mark.parametrize("case", TASKS)
def test_a_to_do_item_has_the_number_that_the_host_gave_it(tmp_path: Path, case: str) -> None:
    """So that what is ticked is what was done."""
    made, first = TASKS[case]
    names = {"a": "rates", "b": "tests", "x": "never made"}
    lines = [ASK]
    for number, said, failed in made:
        lines += [call(number, "TaskCreate", subject=names[number], description="d"), result(number, said, failed=failed)]
    lines.append(call("u", "TaskUpdate", taskId=first, status="completed"))
    assert drafted(tmp_path, lines)["pending"] == (("rates", True), ("tests", False))


# ---- what was told and agreed ------------------------------------------------------------------------------------------

YES = [
    ("yes, go ahead", False),
    ("ok", False),
    ("好的", False),
    ("ok wait, don't purge anything before the backup has run", True),
    ("yes, but only the table of last year", True),
    ("好像不太安全，先不动", True),
    ("да нет, кэш оставь", True),
    ("ja, aber erst nach dem Backup", True),
]


@pytest.mark.parametrize(("text", "qualified"), YES)
def test_a_yes_with_a_no_in_it_is_not_told_as_agreement(tmp_path: Path, text: str, qualified: bool) -> None:
    """What they said stands beside the question, and the reader judges."""
    assert is_qualified(text) is qualified
    (told,) = drafted(tmp_path, [ASK, agent("Shall I purge the old archives now?"), user(text)])["decisions"]
    how = f"answered (“{text}”)" if qualified else f"agreed (“{text}”) to"
    assert told == f"User {how}: Shall I purge the old archives now?"


COURSE = ["No modifiques la tabla", "Non toccare il file di prova", "古い表には触らないでね", "旧接口禁止改动", "raak de oude tabel niet aan"]


@pytest.mark.parametrize("order", COURSE)
def test_an_order_is_one_in_the_languages_people_write(tmp_path: Path, order: str) -> None:
    """It stands under what the user told, word for word."""
    assert drafted(tmp_path, [ASK, user(order), agent("Understood."), user("go on")])["corrections"] == (order,)


SPEC = (
    "Build the import of supplier lists. " + "It reads a sheet, checks each row and tells which rows are wrong, in a table. " * 7
    + "Do not touch the /invoices endpoint, others depend on it. " + "At the end there is a page with the totals of each supplier. " * 2
)  # fmt: skip


def test_a_constraint_stands_however_short_or_long_the_message_is(tmp_path: Path) -> None:
    """“don't push” is an order; and one in the midst of a page does not go with the page."""
    then = [agent("Understood."), user("start with the reader of sheets"), agent("It reads them."), user("now the table")]
    assert drafted(tmp_path, [ASK, user("don't push"), *then])["corrections"] == ("don't push",)
    assert len(SPEC) > 600
    assert drafted(tmp_path, [user(SPEC), *then])["corrections"] == ("Do not touch the /invoices endpoint, others depend on it.",)
    quoted = SPEC.replace("Do not touch", "\n> Do not touch")
    assert "corrections" not in drafted(tmp_path, [user(quoted), *then])
    assert orders_in("never " * 200) == []  # a page without a sentence


ORDERS = [
    ("Please don't rename the columns.", True),
    ("And never delete a row.", True),
    ("Bitte keine Migration ohne Backup.", True),
    ("不要改动旧的接口。", True),
    ("古い接続には触れないでください。", True),
    ("Не трогай старые счета.", True),
    ("The log is never written.", False),
    ("Session data is not condensed.", False),
    ("Don't know why it fails.", False),
    ("It never returns.", False),
]


@pytest.mark.parametrize(("sentence", "is_order"), ORDERS)
def test_of_a_page_what_forbids_is_told_and_not_what_describes(sentence: str, is_order: bool) -> None:
    """A report of a fault says how things are; an order says what not to do."""
    page = "This is how the import works today, and how it should work. " * 11 + f"\n{sentence}\nThat is all."
    assert bool(orders_in(page)) is is_order


# ---- commits, pushes and what came of them -----------------------------------------------------------------------------

MADE = "[main 1a2b3c4] Bump to 2.1\n 1 file changed"
CHAINS = {
    "the push behind it failed": ("git add -A && git commit -m 'Bump to 2.1' && git push", f"{MADE}\nfatal: Authentication failed", True, ("commit “Bump to 2.1”",)),
    "the tests behind it failed": ("git commit -m 'Bump to 2.1' && pytest", f"{MADE}\n1 failed", True, ("commit “Bump to 2.1”",)),
    "it was pushed as well": ("git commit -m 'Bump to 2.1' && git push", MADE, False, ("commit “Bump to 2.1”", "`git push`")),
    "two of them": ("git commit -m 'a b' && git commit -am 'c d'", "[main 1a2b3c4] a b\n[main 1a2b3c5] c d", False, ("commit “a b”", "commit “c d”")),
    "a message from a file": ("git commit -F /tmp/m", MADE, False, ("commit “Bump to 2.1”",)),
    "a commit picked from elsewhere": ("git cherry-pick 1a2b3c4", MADE, False, ("commit “Bump to 2.1”",)),
    "nothing was printed": ("git commit -qm 'Bump to 2.1'", "", False, ("commit “Bump to 2.1”",)),
    "somebody's notes": ("cat git-notes.txt", MADE, False, ()),
    "left in the background": ("nohup npm publish > /tmp/p.log 2>&1 &", "[1] 4711", False, ()),
}  # fmt: skip


@pytest.mark.parametrize("case", CHAINS)
def test_a_commit_is_done_when_git_says_so_whatever_stands_behind_it(tmp_path: Path, case: str) -> None:
    """And what was given away besides is told as well: neither may be done twice."""
    command, printed, failed, done = CHAINS[case]
    assert drafted(tmp_path, [ASK, *ran(command, printed, failed=failed)]).get("done", ()) == done


def test_what_was_amended_is_no_commit_of_its_own_any_more(tmp_path: Path) -> None:
    """One commit, by the title that it has now."""
    lines = [ASK, *ran("git commit -m 'Add rates'", "[main 1] Add rates"), *ran("git commit --amend -m 'Add all rates'", "[main 2] Add all rates")]
    assert drafted(tmp_path, lines)["done"] == ("commit “Add all rates”",)


def test_the_branch_is_the_one_that_was_switched_to(tmp_path: Path) -> None:
    """Codex tells the branch of the beginning with every message."""
    about = {"id": "s", "cwd": "/w", "git": {"branch": "main"}}
    said = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "prepare the release"}]}
    switch = {"type": "function_call", "name": "exec_command", "call_id": "c", "arguments": json.dumps({"cmd": "git checkout -b release/2.1"})}
    printed = "Wall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nSwitched to a new branch 'release/2.1'"
    items = [said, switch, {"type": "function_call_output", "call_id": "c", "output": printed}, {**said, "role": "assistant"}]
    lines = [{"type": "session_meta", "payload": about}, *({"type": "response_item", "payload": item} for item in items)]
    assert drafted(tmp_path, lines, "codex")["branch"] == "release/2.1"
    read = {**switch, "arguments": json.dumps({"cmd": "cat git-notes.md"})}  # what somebody wrote of it is no switch
    lines = [{"type": "session_meta", "payload": about}, *({"type": "response_item", "payload": item} for item in (said, read, items[2]))]
    assert drafted(tmp_path, lines, "codex")["branch"] == "main"


REVERTED = [
    ("git checkout -- src/rates.py", "Updated 1 path from the index", False, False),
    ("cd /w && git restore src/rates.py", "", False, False),
    ("git restore --staged src/rates.py", "", False, True),
    ("git checkout -- src/other.py", "", False, True),
    ("git checkout -- src/rates.py", "error: pathspec did not match", True, True),
    ("git checkout main", "Already on 'main'", False, True),
]


@pytest.mark.parametrize(("command", "printed", "failed", "changed"), REVERTED)
def test_a_file_that_was_given_its_old_text_again_is_not_changed(tmp_path: Path, command: str, printed: str, failed: bool, changed: bool) -> None:
    """Unless it is changed once more after that."""
    edit = call("e", "Edit", file_path="/w/src/rates.py", old_string="rate_of = 1", new_string="new_rate = 2")
    lines = [ASK, edit, result("e", "ok"), *ran(command, printed, failed=failed)]
    assert any(path == "/w/src/rates.py" and what.startswith("edited") for path, what in drafted(tmp_path, lines).get("files", ())) is changed
    again = [{**edit, "message": {**edit["message"], "content": [{**edit["message"]["content"][0], "id": "f"}]}}, result("f", "ok")]
    assert any(what.startswith("edited") for _, what in drafted(tmp_path, [*lines, *again])["files"])


# ---- the last error ----------------------------------------------------------------------------------------------------

PYTEST, KEY_ERROR = "pytest -q 2>&1 | tail -5", "E   KeyError: 'rate'\n1 failed"
ERRORS: dict[str, tuple[list[list[Line]], str, bool]] = {  # what was run, what the last error has in it, whether it passed since
    "the same again, with a hidden status": ([ran(PYTEST, KEY_ERROR, failed=True), ran(PYTEST, "1 failed, 40 passed", number="b")], "KeyError", False),
    "the same again, and well": ([ran(PYTEST, KEY_ERROR, failed=True), ran(PYTEST, "41 passed", number="b")], "KeyError", True),
    "a status that was hidden at once": ([ran("npm test 2>&1 | tail -20", "FAIL src/rates.test.ts\nTests: 2 failed, 40 passed")], "rates.test.ts", False),
    "tests that fail behind a pipe after another error": ([ran("cargo build", "error: no rate", failed=True), ran("npm test | tail", "FAIL rates.test.ts\n2 failed")], "rates.test.ts", False),
    "and those that pass behind it again": ([ran("cargo build", "error: no rate", failed=True), ran("npm test | tail", "FAIL rates.test.ts\n2 failed"), ran("npm test | tail", "40 passed", number="b")], "no rate", False),
    "a push that failed after a build": ([ran("cargo build", "error: no rate", failed=True), ran("git push", "fatal: Authentication failed for origin", failed=True)], "Authentication", False),
    "a test that names itself first": ([ran("go test ./... 2>&1 | tail -20", "--- FAIL: TestDays\n a_test.go:4: got 1\n a_test.go:9: got 2\nFAIL")], "TestDays", False),
    "a push whose status is hidden": ([ran("git push; git status", "fatal: Authentication failed for origin\nOn branch main")], "Authentication", False),
    "a step given other things": ([ran("gofmt -w a.go b.go && go test ./tax", "a.go:3: error: no rate", failed=True), ran("gofmt -w a.go && go test ./tax", "ok  tax 0.1s")], "no rate", True),
    "another step": ([ran("make lint && make test", "lint: error: unused rate", failed=True), ran("make test", "41 passed")], "unused rate", False),
    "a commit that a hook refused": ([ran("git commit -m 'Add x'", "hook: error: no ticket named", failed=True), ran("git commit --no-verify -m 'Add x'", "[main 1] Add x")], "no ticket", True),
    "a file that was looked for": ([ran("pytest -q", KEY_ERROR, failed=True), [call("r", "Read", file_path="/w/no.py"), result("r", "File not found: /w/no.py", failed=True)]], "KeyError", False),
    "a merge with conflicts that was committed": ([ran("git merge rates", "CONFLICT (content): x\nAutomatic merge failed; fix conflicts", failed=True), ran("git add -A && git commit --no-edit", "[main 3fa91bc] Merge branch 'rates'")], "Automatic merge failed", True),
    "a rebase that went on": ([ran("git pull --rebase", "error: could not apply 3fa91bc", failed=True), ran("git rebase --continue", "Successfully rebased and updated refs/heads/main.")], "could not apply", True),
    "a merge with conflicts beside which something else ran": ([ran("git merge rates", "CONFLICT (content): x\nAutomatic merge failed; fix conflicts", failed=True), ran("git add -A && git status", "On branch main")], "Automatic merge failed", False),
    "an error in colours": ([ran("cargo build", "\x1b[1m\x1b[31merror[E0382]\x1b[0m: borrow of moved value\n\x1b[2K\rBuilding 1/9\rBuilding 9/9", failed=True)], "error[E0382]: borrow of moved value", False),
    "a build that says so behind a pipe": ([ran("npm run build", "error: no rate here", failed=True), ran("npm run build 2>&1 | tail -5", "✓ built in 3.2s")], "no rate", True),
}  # fmt: skip


@pytest.mark.parametrize("case", ERRORS)
def test_the_last_error_is_the_last_and_stands_unless_it_was_mended(tmp_path: Path, case: str) -> None:
    """An error that was not mended must not be told as mended, and one that came later not be hidden by it."""
    runs, has, passed = ERRORS[case]
    code = drafted(tmp_path, [ASK, *(line for run in runs for line in run)]).get("code", "")
    assert has in code
    assert code.endswith("(passed since)") is passed
    assert "\x1b" not in code
    assert "[31m" not in code


def test_what_fails_behind_a_pipe_does_not_take_the_mending_of_another_error_for_its_own(tmp_path: Path) -> None:
    """The build passes, the tests still fail."""
    build = ran("cargo build", "error: no rate", failed=True)
    lines = [ASK, *build, *ran("npm test | tail", "FAIL rates.test.ts\n2 failed"), *ran("cargo build", "Finished", number="b")]
    assert drafted(tmp_path, lines)["code"] == "error: no rate (passed since)\n$ npm test | tail\nFAIL rates.test.ts"
    lines += ran("make check", "200 passed")  # which may have had those in it
    assert "$ npm test | tail (other runs have passed since)\nFAIL" in drafted(tmp_path, lines)["code"]


# ---- who has said what -------------------------------------------------------------------------------------------------

NO_YES = ["ok skip it", "ok, run the backup script instead", "yes later", "ok let me think about it", "okay i'll do it myself", "sure, once the backup is there", "ok cancel", "ok, leave it", "好的，我自己来", "好，换成 sqlite 吧", "可以晚点再说", "ja ich mach das selbst", "да я сам сделаю", "ok, i hope i haven't broken you by compacting"]


@pytest.mark.parametrize("text", NO_YES)
def test_a_yes_with_words_of_its_own_is_told_as_an_answer(tmp_path: Path, text: str) -> None:
    """“ok skip it” agrees to nothing; what was asked and what was said stand side by side."""
    decided = drafted(tmp_path, [ASK, agent("Shall I delete the old archive now?"), user(text)]).get("decisions", ())
    assert not any("agreed" in what for what in decided)


AGREED = ["yes", "ok, go ahead", "yes please, delete the old archive", "sounds good, do it", "lgtm", "go for it", "ja, mach das", "好的，开始吧", "да, давай", "yes, delete it now"]


@pytest.mark.parametrize("text", AGREED)
def test_a_plain_yes_is_told_as_agreement(tmp_path: Path, text: str) -> None:
    """Also where it repeats what was proposed; but of two ways it agrees to neither."""
    asked = "Shall I delete the old archive now?"
    (told,) = drafted(tmp_path, [ASK, agent(asked), user(text)])["decisions"]
    assert told == f"User agreed (“{text}”) to: {asked}"
    (told,) = drafted(tmp_path, [ASK, agent("Shall I delete the old archive now or keep it?"), user(text)])["decisions"]
    assert "agreed" not in told


def test_what_the_user_runs_in_between_answers_no_question(tmp_path: Path) -> None:
    """A look at the log is no word about the migration."""
    own = [user("<bash-input>git log -1</bash-input>"), {**user("<bash-stdout>1a2b Add rates</bash-stdout>"), "parentUuid": "u3"}]
    assert drafted(tmp_path, [ASK, agent(QUESTION), *own])["unanswered"] == (QUESTION,)


def test_who_says_something_else_after_a_stop_is_not_on_the_way_of_what_was_stopped(tmp_path: Path) -> None:
    """“only list them” is not said while at deleting them."""
    stop = user([{"type": "text", "text": "[Request interrupted by user for tool use]"}])
    lines = [user("delete all merged branches"), *ran("git branch --merged", "a\nb"), call("d", "Bash", command="git branch -d a"), stop, user("only list them")]
    assert drafted(tmp_path, lines)["task"] == "only list them"


def test_an_order_right_behind_another_is_added_to_it(tmp_path: Path) -> None:
    """Nothing has come of the first yet; once something has, the second stands for itself."""
    first, second = user("fix the footer color"), user("and the header font too")
    assert drafted(tmp_path, [ASK, agent("Released."), first, second])["task"].endswith("(while at: “fix the footer color”)")
    assert "while at" not in drafted(tmp_path, [ASK, agent("Released."), first, agent("The footer is blue now."), second])["task"]


TODO = [{"content": "rates", "status": "completed"}, {"content": "redis", "status": "cancelled"}, {"content": "tests", "status": "pending"}]


def test_a_to_do_item_that_was_cancelled_is_not_still_to_be_done(tmp_path: Path) -> None:
    """Nor does a list count that the host has not accepted."""
    lines = [ASK, call("t", "TodoWrite", todos=TODO), result("t", "ok")]
    assert drafted(tmp_path, lines)["pending"] == (("rates", True), ("tests", False))
    lines += [call("x", "TodoWrite", todos=[{"content": "rates", "status": "in_progress"}]), result("x", "Only one task may be in progress", failed=True)]
    assert drafted(tmp_path, lines)["pending"] == (("rates", True), ("tests", False))


@pytest.mark.parametrize("order", ["修复导出乱码", "给首页加搜索框", "use blue", "12px font"])
def test_a_short_order_is_told_among_what_came_before(tmp_path: Path, order: str) -> None:
    """Six letters of Chinese are a whole order."""
    after = [line for number in range(4) for line in (agent("It is done, and it looks as it should look."), user(f"and now the page number {number}"))]
    assert any(order in line for line in drafted(tmp_path, [ASK, user(order), *after])["timeline"])


# ---- files that are not there ------------------------------------------------------------------------------------------


def tracked(name: str, backup: str | None, *, update: bool = False) -> Line:
    """What Claude Code notes of the files that it has changed, with each prompt."""
    known = {name: {"backupFileName": backup, "version": 2, "realParentDir": "/w/src"}}
    return {"type": "file-history-snapshot", "snapshot": {"trackedFileBackups": known}, "isSnapshotUpdate": update}


WROTE = [ASK, call("w", "Write", file_path="/w/src/store.py", content="x = 1\n"), result("w", "File created successfully")]
AGAIN = [call("v", "Write", file_path="/w/src/store.py", content="x = 2\n"), result("v", "File created successfully")]
STANDS = {
    "a file that is there": ([tracked("src/store.py", "f9@v2")], "edited 1 time"),
    "one that a rewind took back, or a shell": ([tracked("src/store.py", None)], "deleted"),
    "one that is written again": ([tracked("src/store.py", None), *AGAIN], "edited 1 time"),
    "what it was before it was written": ([tracked("src/store.py", None, update=True)], "edited 1 time"),
    "another file": ([tracked("src/old.py", None)], "edited 1 time"),
    "nothing that is known": ([{"type": "file-history-snapshot", "snapshot": [], "isSnapshotUpdate": False}], "edited 1 time"),
}


@pytest.mark.parametrize("case", STANDS)
def test_a_file_that_is_not_there_when_the_user_speaks_is_said_to_be_gone(tmp_path: Path, case: str) -> None:
    """Who goes back may take the files back too, and the host does not say which; it says which of them have no text to keep."""
    lines, what = STANDS[case]
    ((path, told),) = drafted(tmp_path, [*WROTE, *lines, user("go on")])["files"]  # and of no other file anything
    assert (path, told.partition(";")[0]) == ("/w/src/store.py", what)
