"""What a draft says of a Codex session is so: what was stopped, refused, gone back on or run by a script is told as what it was.

Each case is a short session as Codex writes it (a rollout), read by its reader.
"""
# ruff: noqa: E501

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.transcripts.code_mode import calls_in
from holdfast.transcripts.codex import Reader
from nasty import tries
from test_truth import QUESTION, drafted

if TYPE_CHECKING:
    from pathlib import Path

    from holdfast.transcripts import Event

Line = dict[str, Any]

META: Line = {"type": "session_meta", "payload": {"id": "s", "cwd": "/w"}}


def item(**payload: Any) -> Line:
    """An item of the conversation."""
    return {"type": "response_item", "payload": payload}


def told(kind: str, **more: Any) -> Line:
    """What the host tells beside it."""
    return {"type": "event_msg", "payload": {"type": kind, **more}}


def said(text: str, *kinds: str, role: str = "user", **more: Any) -> Line:
    """A message; newer files say of which kind its part is."""
    about = {"internal_chat_message_metadata_passthrough": {"content_item_kinds": list(kinds)}} if kinds else {}
    content = [{"type": "output_text" if role == "assistant" else "input_text", "text": text}]
    return item(type="message", role=role, content=content, **about, **more)


def agent(text: str, **more: Any) -> Line:
    """What the agent says."""
    return said(text, role="assistant", **more)


def tool(name: str, output: Any, **given: Any) -> list[Line]:
    """A tool that is called by its name, and what came back."""
    return [
        item(type="function_call", name=name, call_id="f", arguments=json.dumps(given)),
        item(type="function_call_output", call_id="f", output=output),
    ]


def script(
    code: str, output: Any = "", *, head: str = "Script completed\nWall time 0.3 seconds\nOutput:\n", call: str = "x"
) -> list[Line]:
    """A script that calls tools, and what came back."""
    parts = [{"type": "input_text", "text": head}, {"type": "input_text", "text": output}]
    return [
        item(type="custom_tool_call", name="exec", call_id=call, input=code),
        item(type="custom_tool_call_output", call_id=call, output=parts),
    ]


def ended(command: str, code: int, **more: Any) -> Line:
    """What newer files say of each command of a script, as it ends."""
    about = {"type": "CommandExecution", "id": "exec-1", "command": ["/bin/zsh", "-lc", command]}
    return told("item_completed", item={**about, "status": "failed" if code else "completed", "exit_code": code, **more})


def events(*lines: Line) -> list[Event]:
    """What one reader makes of these lines."""
    reader = Reader()
    return [event for line in lines for event in reader.events({"timestamp": "t", **line}) or []]


ASK = said("release the new rates")

# ---- what still runs ---------------------------------------------------------------------------------------------------

STILL_RUNS = "Chunk ID: 1\nWall time: 1.0 seconds\nProcess running with session ID 4\nOriginal token count: 0\nOutput:\n"
WELL = "Chunk ID: 1\nWall time: 1.0 seconds\nProcess exited with code 0\nOriginal token count: 9\nOutput:\n12 passed\n"
LEFT = "Left running in the background, and not seen to end: `{}` (session 4)"


def begun(command: str, output: str = STILL_RUNS, call: str = "b") -> list[Line]:
    """A command, and what came back of it after a moment."""
    return [
        item(type="function_call", name="exec_command", call_id=call, arguments=json.dumps({"cmd": command})),
        item(type="function_call_output", call_id=call, output=output),
    ]


LEFT_RUNNING = {
    "a server": (begun("npm run dev"), LEFT.format("npm run dev")),
    "a commit": (begun("git add a.py && git commit -m 'Round sums'"), LEFT.format("git add a.py && git commit -m 'Round sums'")),
    "it was looked at, and still runs": ([*begun("npm run dev"), *tool("write_stdin", STILL_RUNS, session_id=4)], LEFT.format("npm run dev")),
    "it has ended": ([*begun("npm test"), *tool("write_stdin", WELL, session_id=4)], ""),
    "it is run anew": ([*begun("make gen && npm test"), *begun("npm test", WELL, "c")], ""),
    "it only looks": (begun("rg -n rates ~"), ""),
    "it is gone": ([*begun("npm test"), *tool("write_stdin", "write_stdin failed: Unknown process id 4", session_id=4)], ""),
    "it takes no input": ([*begun("npm run dev"), *tool("write_stdin", "write_stdin failed: stdin is closed for this session", session_id=4)], LEFT.format("npm run dev")),
}  # fmt: skip


@pytest.mark.parametrize("case", LEFT_RUNNING)
def test_a_command_that_still_runs_is_told_with_its_session(tmp_path: Path, case: str) -> None:
    """Whoever does not know of it begins it again, or takes a commit under way for one that was never made."""
    lines, left = LEFT_RUNNING[case]
    assert drafted(tmp_path, [META, ASK, *lines], "codex").get("status", "") == left


@pytest.mark.parametrize("session", [4, 5])
@pytest.mark.parametrize("why", ["Unknown process id 4", "stdin is closed for this session; rerun exec_command with tty=true"])
def test_who_looks_at_a_command_that_is_gone_has_found_no_error(tmp_path: Path, session: int, why: str) -> None:
    """The host says so of most commands that have ended meanwhile: how they ended, it does not."""
    draft = drafted(tmp_path, [META, ASK, *begun("npm test"), *tool("write_stdin", f"write_stdin failed: {why}", session_id=session)], "codex")
    assert "code" not in draft
    assert "done" not in draft


# ---- what was not done -------------------------------------------------------------------------------------------------

STOPPED = {
    "in the middle": "Wall time: 4.2 seconds\naborted by user",
    "with its time behind it": "aborted by user after 12.1s",
    "before it began": "exec command rejected by user",
}


@pytest.mark.parametrize("case", STOPPED)
def test_a_command_that_the_user_stopped_is_not_done(tmp_path: Path, case: str) -> None:
    """Whatever stands above the words that say so."""
    lines = [META, ASK, *tool("exec_command", STOPPED[case], cmd="git push origin main")]
    assert "done" not in drafted(tmp_path, lines, "codex")
    assert [event.failed for event in events(*lines) if event.kind == "result"] == [True]


def test_output_that_speaks_of_an_abort_is_no_abort() -> None:
    """Below `Output:` stands what the command printed."""
    output = "Wall time: 1 seconds\nProcess exited with code 0\nOutput:\naborted by user"
    assert [event.failed for event in events(*tool("exec_command", output, cmd="cat log")) if event.kind == "result"] == [False]


def test_a_patch_that_the_user_rejected_changed_nothing() -> None:
    """It comes back without a status."""
    patch = "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** End Patch"
    call = item(type="custom_tool_call", name="apply_patch", call_id="p", input=patch)
    found = events(call, item(type="custom_tool_call_output", call_id="p", output="patch rejected by user"))
    assert [(event.kind, event.call, event.failed) for event in found] == [("call", "p", False), ("result", "p", True)]


# ---- scripts -----------------------------------------------------------------------------------------------------------

COMMIT = "git commit -am 'Round sums'"
ONE = f'const r = await tools.exec_command({{"cmd":"{COMMIT}","workdir":"/w"}});\ntext(r.output);\n'
TWO = f'await tools.exec_command({{cmd:"{COMMIT}"}});\nconst p = await tools.exec_command({{cmd:"git push"}});\ntext(p.output);'
PUBLISH = 'const r = await tools.exec_command({cmd:"npm publish"}); text(r.output);'
POLL = 'text(await tools.write_stdin({session_id:4, chars:""}));'
WHOLE = 'text(await tools.exec_command({cmd:"npm publish"}));'
TESTS = 'const r = await tools.exec_command({cmd:"pytest -q"}); text(r.output);'
FAILED = "Script failed\nWall time 0.3 seconds\nOutput:\n"
RUNNING = "Script running with cell ID 7\nWall time 10.0 seconds\nOutput:\n"
COMMITTED = "commit “Round sums”"


def waited(head: str, output: str, cell: Any = "7") -> list[Line]:
    """The tool by which the agent waits for a script that still runs."""
    parts = [{"type": "input_text", "text": head}, {"type": "input_text", "text": output}]
    return [
        item(type="function_call", name="wait", call_id="w", arguments=json.dumps({"cell_id": cell})),
        item(type="function_call_output", call_id="w", output=parts),
    ]


DONE = {
    "a command whose output is shown": (script(ONE, "[main 1] Round sums"), (COMMITTED,)),
    "a script that failed": (script(ONE, "Script error:\nError: no shell", head=FAILED), ()),
    "a command that says that it went wrong": (script(PUBLISH, "npm ERR! code E403"), ()),
    "a command that says nothing": (script(PUBLISH, ""), ()),
    "a status that is shown, other than zero": (script(WHOLE, '{"exit_code":1,"output":"not logged in"}'), ()),
    "a status that is shown in a text": (script(PUBLISH, 'status {"exit_code": 3}'), ()),
    "a status that is shown in words": (script(PUBLISH, "Process exited with code 2\nOutput:\nnot logged in"), ()),
    "a status that is shown, of zero": (script(WHOLE, '{"exit_code":0,"output":"error: none, all is well"}'), ("`npm publish`",)),
    "a command that still runs": (script(WHOLE, '{"session_id":4,"output":"uploading"}'), ()),
    "tests of which one failed": (script(TESTS, "1 failed, 40 passed in 2s"), ()),
    "tests that passed": (script(TESTS, "41 passed in 2s"), ("`pytest -q`: 41 passed in 2s",)),
    "a command that was waited for until it ended": (
        [*script(WHOLE, '{"session_id":4,"output":"uploading"}'), *script(POLL, '{"exit_code":0,"output":"+ rates@2.0.0"}', call="y")], ("`npm publish`",)),
    "a command that was waited for, without a word of its end": (
        [*script(WHOLE, '{"session_id":4,"output":"uploading"}'), *script(POLL, "+ rates@2.0.0", call="y")], ()),
    "a script that shows a banner like a command's": (script(PUBLISH, "Wall time: 1 seconds\nOutput:\nx", head=FAILED), ()),
    "a script that shows the banner of a command": (
        script(PUBLISH, "Chunk ID: a\nWall time: 1 seconds\nProcess exited with code 1\nOutput:\nx"), ()),
    "two commands in one script": (script(TWO, "Everything up-to-date"), ()),
    "two commands, one of them not to be read": (script(f"{ONE} await tools.exec_command({{cmd: next}});", "[main 1] Round sums"), ()),
    "a command that may not have been run": (script(f"if (ready) {{ {ONE} }} else {{ text('later') }}", "later"), ()),
    "a command that was caught": (script(f"try {{ {ONE} }} catch (e) {{ text('no') }}", "no"), ()),
    "a command that nobody waits for": (script(f'tools.exec_command({{cmd:"{COMMIT}"}}); text("begun")', "begun"), ()),
    "a command of which nothing is shown": (script(f'await tools.exec_command({{cmd:"{COMMIT}"}}); text("committed")', "committed"), ()),
    "a command whose result is put away": (script(f'const r = await tools.exec_command({{cmd:"{COMMIT}"}}); text("done")', "done"), ()),
    "a command that is shown at once": (script(f'text((await tools.exec_command({{cmd:"{COMMIT}"}})).output)', "[main 1] x"), (COMMITTED,)),
    "a command whose output alone is taken": (
        script(f'const {{output}} = await tools.exec_command({{cmd:"{COMMIT}"}}); text(output)', "[main 1] x"), (COMMITTED,)),
    "a command whose failure is not shown": (
        script(f'await tools.exec_command({{cmd:"{COMMIT}"}}); text("committed")', "Script error: x", head=FAILED), ()),
    "a script that still runs": (script(ONE, "", head=RUNNING), ()),
    "a script that ended later": (
        [*script(ONE, "", head=RUNNING), *waited("Script completed\nWall time 2.0 seconds\nOutput:\n", "[main 1] Round sums")], (COMMITTED,)),
    "a script that failed later": ([*script(ONE, "", head=RUNNING), *waited(FAILED, "Script error: x", cell=7)], ()),
    "a script that was waited for in vain": ([*script(ONE, "", head=RUNNING), *waited(RUNNING, "")], ()),
    "a script that the user stopped": ([script(ONE)[0], item(type="custom_tool_call_output", call_id="x", output="aborted by user after 3s")], ()),
    "a command whose end is told": ([script(PUBLISH)[0], ended("npm publish", 0), script(PUBLISH, "+ rates@2.0.0")[1]], ("`npm publish`",)),
    "a command whose failure is told": ([script(PUBLISH)[0], ended("npm publish", 1), script(PUBLISH, "rates@2.0.0")[1]], ()),
    "two commands whose ends are told": (
        [script(TWO)[0], ended(COMMIT, 0), ended("git push", 1, aggregated_output="error: failed to push"), script(TWO, "x")[1]], (COMMITTED,)),
    "a command that runs on after its script": (
        [*script('await tools.exec_command({cmd:"ls"})', "a", call="l")[:1], ended("ls", 0), *script(PUBLISH, "uploading")], ()),
    "a command that ends after its script": (
        [*script('await tools.exec_command({cmd:"ls"})', "a", call="l")[:1], ended("ls", 0), *script(PUBLISH, "uploading"), ended("npm publish", 0)],
        ("`npm publish`",)),
}  # fmt: skip


@pytest.mark.parametrize("case", DONE)
def test_of_a_script_done_is_what_is_known_to_have_gone_well(tmp_path: Path, case: str) -> None:
    """Codex runs tools through scripts, which show what they like of what came back."""
    lines, done = DONE[case]
    assert drafted(tmp_path, [META, ASK, *lines, agent("Here is where it stands.")], "codex").get("done", ()) == done


PATCH = "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\\d\n*** End Patch"
SCRIPTS = {
    "JSON": ('await tools.exec_command({"cmd":"ls -l","workdir":"/w"})', [("exec_command", {"cmd": "ls -l", "workdir": "/w"})]),
    "bare keys and three kinds of quotes": (
        "await tools.a({x:'it\\'s', y: \"\\u0041\\x42\\n\", z: `1\n2`,})", [("a", {"x": "it's", "y": "AB\n", "z": "1\n2"})]),
    "numbers, lists and words": ("await tools.a({n: 10_000, m: 0.5, l: ['a', {b: true}], c: null})", [("a", {"n": 10000, "m": 0.5, "l": ["a", {"b": True}], "c": None})]),
    "a patch as a text": (f"text(await tools.apply_patch({json.dumps(PATCH)}))", [("apply_patch", {"input": PATCH})]),
    "a patch by its name": (f"const patch = {json.dumps(PATCH)};\nawait tools.apply_patch(patch);", [("apply_patch", {"input": PATCH})]),
    "a patch as it is": (f"await tools.apply_patch(String.raw`{PATCH}`)", [("apply_patch", {"input": PATCH})]),
    "a patch in lines": (f"const p = {json.dumps(PATCH.split(chr(10)))}.join('\\n');\nawait tools.apply_patch(p)", [("apply_patch", {"input": PATCH})]),
    "texts put together": ("await tools.exec_command({cmd: 'ls ' +\n 'src'})", [("exec_command", {"cmd": "ls src"})]),
    "a name for a key": ("const cmd = 'ls';\nawait tools.exec_command({cmd})", [("exec_command", {"cmd": "ls"})]),
    "nothing given": ("await tools.list_agents()", [("list_agents", {})]),
    "what is only a text or a remark": ("text('tools.a({})'); // tools.b({})\n/* tools.c({}) */ text(/\"tools.d(/.test(x))", []),
    "what is put together as it runs": ("await tools.a({cmd: `ls ${x}`}); await tools.a({cmd: 'ls ' + x}); await tools.a({...x})", []),
    "a name that is given twice": ("{ const c = 'a'; } { const c = 'b'; await tools.a({c}) }", []),
    "a name that changes": ("let c = 'a'; c = 'b'; await tools.a({c})", []),
    "a text that never ends": ("await tools.a({cmd: 'ls", []),
    "what is not called": ("const t = tools.exec_command; tools['a']({})", []),
}  # fmt: skip


@pytest.mark.parametrize("case", SCRIPTS)
def test_a_script_calls_what_can_be_read_in_it(case: str) -> None:
    """Nothing is run: a text that stands there is taken, and what would have to be worked out is passed over."""
    code, calls = SCRIPTS[case]
    assert calls_in(code)[0] == calls


def test_what_a_script_calls_is_told_like_any_other_call(tmp_path: Path) -> None:
    """The edits, the plan and the commands; and no name is learnt from the script itself."""
    code = f"const patch = {json.dumps(PATCH)};\nconst shownResult = await tools.apply_patch(patch);\n"
    code += 'await tools.update_plan({plan:[{step:"round the sums",status:"in_progress"}]});\ntext(shownResult);'
    first, second, back, patched = events(*script(code, "ok"))
    assert (patched.kind, patched.call, patched.failed) == ("result", first.call, False)
    assert (first.tool, first.edits) == ("apply_patch", (("a.py", "x", "y\\d"),))
    assert second.todos == (("round the sums", "in_progress"),)
    assert back.call == ""
    assert "shownResult" not in first.text + second.text
    assert drafted(tmp_path, [META, ASK, *script(code, "ok")], "codex")["pending"] == (("round the sums", False),)


NESTED = "exec-5ab0"  # how Codex calls what a script has called
CHANGES = {
    "/w/src/rates.py": {"type": "add", "content": "RATE = 7\n"},
    "/w/src/name.py": {"type": "update", "unified_diff": "@@ -1 +1 @@\n-NAME = 1\n+TITLE = 1\n", "move_path": "/w/src/title.py"},
    "/w/src/old.py": {"type": "delete", "content": "OLD = 1\n"},
}
LOOP = "for (const what of names) { await tools.exec_command({cmd: `git commit -m '${what}'`}); }"


def test_a_command_that_a_script_puts_together_is_told_by_the_host(tmp_path: Path) -> None:
    """It cannot be read in the script; as it ends, the host says what it was and how it went. One that was read is told once."""
    ends = [ended(COMMIT, 0, id=NESTED), ended("git push", 1, id="exec-6", aggregated_output="error: failed to push some refs")]
    lines = [META, ASK, script(LOOP)[0], *ends, script(LOOP, "x")[1]]
    draft = drafted(tmp_path, lines, "codex")
    assert draft["done"] == (COMMITTED,)
    assert "failed to push" in draft["code"]
    stopped = item(type="custom_tool_call_output", call_id="x", output="aborted by user after 3s")
    found = events(script(PUBLISH)[0], stopped, ended("npm publish", -1, id=NESTED))
    assert [event.kind for event in found] == ["call", "result"]


@pytest.mark.parametrize("status", ["completed", "failed", "declined"])
def test_a_patch_that_a_script_puts_together_is_told_by_the_host(status: str) -> None:
    """And changed nothing where it was not let through; one that was read in the script is told once."""
    change = told("item_completed", item={"type": "FileChange", "id": NESTED, "changes": CHANGES, "status": status, "stdout": "ok"})
    call, back = events(script("await tools.apply_patch(lines.join('\\n'))")[0], change)
    assert call.edits == (("/w/src/rates.py", "", "RATE = 7\n"), ("/w/src/title.py", "NAME = 1", "TITLE = 1"))
    assert call.moves == (("/w/src/name.py", "/w/src/title.py"), ("/w/src/old.py", ""))
    assert (back.call, back.failed) == (call.call, status != "completed")
    read = script(f"await tools.apply_patch({json.dumps(PATCH)})")[0]
    assert [event.kind for event in events(read, change)] == ["call"]


GONE = "*** Begin Patch\n*** Delete File: src/old.py\n*** Update File: src/name.py\n*** Move to: src/title.py\n@@\n-NAME = 1\n+TITLE = 1\n*** End Patch"
MADE = GONE.replace("Delete File: src/old.py", "Add File: src/old.py\n+OLD = 1").replace("*** Move to: src/title.py\n", "")


def test_a_file_that_is_deleted_or_moved_is_said_to_be(tmp_path: Path) -> None:
    """Whatever was changed in it before; where the patch was turned away it is still there, and so is one that is made again."""
    first = [META, ASK, *script(f"text(await tools.apply_patch({json.dumps(MADE)}))", "{}", call="a")]
    lines = [*first, *script(f"text(await tools.apply_patch({json.dumps(GONE)}))", "{}", call="b")]
    files = dict(drafted(tmp_path, lines, "codex")["files"])
    assert {path: what.partition(";")[0] for path, what in files.items()} == {
        "src/title.py": "edited 2 times", "src/old.py": "deleted"}  # fmt: skip
    refused = item(type="custom_tool_call_output", call_id="b", output="patch rejected by user")
    kept = dict(drafted(tmp_path, [*lines[:-1], refused], "codex")["files"])
    assert {path: what.partition(";")[0] for path, what in kept.items()} == {
        "src/old.py": "edited 1 time", "src/name.py": "edited 1 time"}  # fmt: skip
    again = dict(drafted(tmp_path, [*lines, *script(f"text(await tools.apply_patch({json.dumps(MADE)}))", "{}", call="c")], "codex")["files"])
    assert again["src/old.py"].startswith("edited 1 time")


@pytest.mark.parametrize(
    "code",
    [
        "`" * 50_001,
        '"\\' * 50_000,
        "/" * 100_000,
        "tools.a(" * 20_000,
        "{[" * 50_000,
        "tools.a({a:[" * 9_000,
        "${`" * 30_000,
        "'a'+" * 30_000,
    ],
)
def test_reading_a_script_takes_no_time_worth_speaking_of(code: str) -> None:
    """A hundred thousand characters of almost a script, which a reader that went back would not come through."""
    calls_in(code)
    calls_in("await tools.a(" + code)


SIGNS = ".(){}[],:;+=/'\"`\\1²\n"
PIECES = [
    *SIGNS,
    "tools",
    "tools.a({",
    "const a = ",
    "await ",
    "cmd",
    "'ls'",
    "${",
    "\\u",
    "\\x4",
    "//",
    "/*",
    "*/",
    ".join(",
    "String.raw",
]


@tries(200)
@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_any_script_and_anything_that_it_shows_can_be_read(code: str) -> None:
    """Somebody else's file: what cannot be read is passed over."""
    for head in ("Script completed\nOutput:\n", "Script failed\n", "Script running with cell ID 7\n", "Script ", ""):
        found = events(*script(code, code, head=head), *script(f"text(await tools.a({code}))", f"{{{code}", head=head))
        assert all(event.kind in ("call", "result") for event in found)


# ---- what the user did -------------------------------------------------------------------------------------------------

ABORTED = "<turn_aborted>\nThe previous turn was interrupted on purpose.\n</turn_aborted>"
STOPS = {
    "in the place of the host": said(ABORTED, "generic.turn_aborted", role="developer"),
    "in the place of the user": said(ABORTED, "generic.turn_aborted"),
    "by the host's own event": told("turn_aborted", reason="interrupted"),
}


@pytest.mark.parametrize("case", STOPS)
def test_what_the_user_stopped_is_said_to_be_stopped(tmp_path: Path, case: str) -> None:
    """Newer files say it as developer, by the kind, and a second time beside the conversation."""
    assert "the user interrupted this" in drafted(tmp_path, [META, ASK, STOPS[case]], "codex")["task"]
    assert "interrupted" not in drafted(tmp_path, [META, ASK, STOPS[case], said("go on")], "codex")["task"]


@pytest.mark.parametrize("reason", ["replaced", "review_ended", None])
def test_a_turn_that_ended_for_another_reason_was_not_stopped_by_the_user(tmp_path: Path, reason: Any) -> None:
    """One that another turn took the place of goes on in that."""
    assert drafted(tmp_path, [META, ASK, told("turn_aborted", reason=reason)], "codex")["task"] == "release the new rates"


def test_who_goes_back_has_not_said_what_came_after(tmp_path: Path) -> None:
    """Codex tells by how many of the user's messages."""
    lines = [
        META,
        ASK,
        agent("Shall I begin?"),
        said("drop the old table"),
        agent("Dropped."),
        said("and never make it anew"),
        agent("No."),
    ]
    assert drafted(tmp_path, lines, "codex")["corrections"] == ("and never make it anew",)
    draft = drafted(tmp_path, [*lines, told("thread_rolled_back", num_turns=2)], "codex")
    assert (draft["task"], draft.get("corrections", ())) == ("release the new rates", ())
    twice = [*lines, told("thread_rolled_back", num_turns=1), told("thread_rolled_back", num_turns=1)]
    assert drafted(tmp_path, twice, "codex")["task"] == "release the new rates"


@pytest.mark.parametrize("turns", [None, 0, -1, "2", True, 1.5, [2]])
def test_who_goes_back_by_no_number_has_not_gone_back(turns: Any) -> None:
    """Half a line is better than a guess."""
    assert [event.kind for event in events(ASK, told("thread_rolled_back", num_turns=turns))] == ["user"]


def test_only_the_last_messages_can_be_gone_back_on() -> None:
    """The memory is bounded, and who goes back further goes back to its beginning."""
    reader = Reader()
    for number in range(200):
        reader.events({"timestamp": f"t{number:03}", **said(f"do {number}")})
    [event] = reader.events({"timestamp": "u", **told("thread_rolled_back", num_turns=180)}) or []
    assert (event.kind, event.instead) == ("rewound", "t150")
    assert events(told("thread_rolled_back", num_turns=1)) == []


# ---- what is open ------------------------------------------------------------------------------------------------------

ROOT = "/root"  # so Codex calls the agent that the user talks to, on every machine; those that it begins stand below it
NOTICE = '<subagent_notification>\n{"agent_path":"019d7d09","status":{"completed":"no finding"}}\n</subagent_notification>'
WAKES = {
    "a notice": said(NOTICE),
    "a notice with its kind": said(NOTICE, "multi_agent.subagent_notification"),
    "a notice of the host's": said(NOTICE, "multi_agent.subagent_notification", role="developer"),
    "a message of another agent": item(type="agent_message", author=f"{ROOT}/lint", recipient=ROOT, content=[{"type": "input_text", "text": "done"}]),
    "words of another agent": agent("No finding.", author=f"{ROOT}/lint", recipient=ROOT),
}  # fmt: skip


@pytest.mark.parametrize("case", WAKES)
def test_a_question_is_open_until_the_user_speaks(tmp_path: Path, case: str) -> None:
    """Another agent may let it go on in between, and what it says to that takes nothing back."""
    lines = [META, ASK, agent(QUESTION), WAKES[case], agent("The lint run has finished without a finding.")]
    assert drafted(tmp_path, lines, "codex")["unanswered"] == (QUESTION,)
    assert "unanswered" not in drafted(tmp_path, [*lines, said("wait for the night")], "codex")


@pytest.mark.parametrize("kept", ["<environment_context>\n<cwd>/w</cwd>", "# AGENTS.md instructions for /w"])
def test_what_comes_with_a_turn_wakes_nobody(kept: str) -> None:
    """Behind it stand the user's words."""
    assert events(said(kept)) == []


CHOICE = {
    "id": "db",
    "header": "Store",
    "question": "Where shall the rates be kept?",
    "options": [{"label": "Redis"}, {"label": "SQL"}],
}


def test_the_answer_to_a_question_is_what_the_user_said(tmp_path: Path) -> None:
    """With the note that they put beside the choice."""
    answers = {"answers": {"db": {"answers": ["Redis", "user_note: never keep rates longer than one day"]}}}
    lines = [META, ASK, *tool("request_user_input", json.dumps(answers), questions=[CHOICE])]
    draft = drafted(tmp_path, lines, "codex")
    assert draft["task"].endswith("(answered: Where shall the rates be kept? → Redis, never keep rates longer than one day)")
    assert "unanswered" not in draft


def test_the_answer_to_a_question_of_a_script_is_one_too(tmp_path: Path) -> None:
    """It stands in what the script shows."""
    code = f"const r = await tools.request_user_input({json.dumps({'questions': [CHOICE]})}); text(r);"
    lines = [META, ASK, *script(code, json.dumps({"answers": {"db": {"answers": ["SQL"]}}}))]
    assert drafted(tmp_path, lines, "codex")["task"].endswith("(answered: Where shall the rates be kept? → SQL)")


NOT_ANSWERED = [
    "request_user_input was cancelled before receiving a response",
    '{"answers":{}}',
    '{"answers":{"db":{"answers":[]}}}',
]


@pytest.mark.parametrize("output", NOT_ANSWERED)
def test_a_question_that_nobody_answered_stays_open(tmp_path: Path, output: str) -> None:
    """Whoever turned it away has said nothing."""
    draft = drafted(tmp_path, [META, ASK, *tool("request_user_input", output, questions=[CHOICE])], "codex")
    assert draft["unanswered"] == ("Where shall the rates be kept? (Redis / SQL)",)
    assert draft["task"] == "release the new rates"
    assert "code" not in draft  # and it is no error


ASIDE = [{"title": "Shall the old invoices be rounded too?", "options": ["yes", "no"]}, {"title": "Which currency?"}]
PUT_ASIDE = tool("request_user_input_async", '{"accepted":true}', questions=ASIDE)
MEANWHILE = {
    "at once": [],
    "and works on": [*script(ONE, "x"), agent("The rates are read. I write them down now.")],
    "and is done": [agent("All of it is done but for the old invoices.")],
    "and asks something else": [agent("Shall I read them first?"), *script(ONE, "x"), agent(QUESTION)],
}


@pytest.mark.parametrize("case", MEANWHILE)
def test_a_question_for_whose_answer_nobody_waits_is_open_until_the_user_speaks(tmp_path: Path, case: str) -> None:
    """The agent goes on with its work, and the answer comes as the user's next words."""
    lines = [META, ASK, *PUT_ASIDE, *MEANWHILE[case]]
    waiting = "Shall the old invoices be rounded too? (yes / no)\nWhich currency?"
    more = f"\n{QUESTION}" if "else" in case else ""
    assert drafted(tmp_path, lines, "codex")["unanswered"] == (waiting + more,)
    assert "unanswered" not in drafted(tmp_path, [*lines, said("no, and in euro", "user.text")], "codex")


def replied(question: str, answer: str) -> Line:
    """What Codex writes when a person answers such a question where it is shown."""
    given = json.dumps([{"answer": answer, "question": question, "questionItemId": '["request_user_input_async","f",0]'}])
    return said(f"<send_user_message_question_reply>\n{given}\n</send_user_message_question_reply>", "user.text")


def test_an_answer_that_is_given_where_the_question_is_shown_leaves_the_others_open(tmp_path: Path) -> None:
    """It comes in the host's own form, and is told as what was answered to what."""
    lines = [META, ASK, *PUT_ASIDE, *script(ONE, "x"), replied(ASIDE[0]["title"], "no"), agent("The old ones stay as they are.")]
    draft = drafted(tmp_path, lines, "codex")
    assert draft["unanswered"] == ("Which currency?",)
    assert draft["task"] == "release the new rates\n(answered: Shall the old invoices be rounded too? → no)"
    assert "send_user_message" not in str(draft)
    draft = drafted(tmp_path, [*lines, replied("Which currency?", "euro"), agent("Euro it is.")], "codex")
    assert "unanswered" not in draft
    assert "Which currency? → euro" in draft["task"]


@pytest.mark.parametrize("text", ["<send_user_message_question_reply>\n[{]\n</send_user_message_question_reply>", "<send_user_message_question_reply> is what I see"])
def test_what_only_looks_like_such_an_answer_are_words(tmp_path: Path, text: str) -> None:
    """Of a person's words nothing is dropped."""
    assert drafted(tmp_path, [META, ASK, said(text, "user.text")], "codex")["task"].startswith(text[:34])


OF_THE_HOST = [
    item(type="additional_tools", role="developer", tools=[{"type": "namespace", "name": "functions"}]),
    {"type": "retained_context", "payload": {"type": "verified_answer", "questions": [{"question": "Where?", "answer": "Redis"}]}},
    {"type": "inter_agent_communication_metadata", "payload": {"trigger_turn": False}},
    {"type": "token_usage_record", "payload": {"usage": {"input_tokens": 100}}},
    {"type": "dynamic_tools_updated", "payload": {"tools": [{"name": "open_page"}]}},
    {"type": "security_risk_score", "payload": {"score": 0.1}},
    *(item(type=kind) for kind in ("configuration_update", "compaction_trigger", "context_compaction")),
]


@pytest.mark.parametrize("line", OF_THE_HOST, ids=lambda line: str(line["type"]))
def test_what_the_host_notes_for_itself_is_known_and_says_nothing(line: Line) -> None:
    """The answer that it retains stands in the conversation as well."""
    assert Reader().events({"timestamp": "t", **line}) == []


def test_a_command_is_not_kept_between_two_readings() -> None:
    """It is known again by a number: what a reader remembers is written down."""
    reader = Reader()
    reader.events(script("await tools.exec_command({cmd:'login horse'})")[0])
    assert "horse" not in json.dumps(reader.state)


# ---- who said it -------------------------------------------------------------------------------------------------------

TYPED = [
    "<image> elements on the start page need lazy loading, and never touch the logo",
    "<subagent> tags in the docs must be renamed",
    "<skill> is the tag that the page must show",
]


@pytest.mark.parametrize(
    "text", [*TYPED, "<turn_aborted> must be handled in the importer", "<permissions> of the bucket are wrong"]
)
def test_words_that_begin_like_a_tag_are_the_users_where_the_host_says_so(text: str) -> None:
    """The kind of a part is told in newer files."""
    assert [(event.kind, event.text) for event in events(said(text, "user.text"))] == [("user", text)]


@pytest.mark.parametrize("text", TYPED)
def test_words_that_begin_with_a_tag_of_nobodys_are_the_users(text: str) -> None:
    """A host's tag has its own name, or stands on a line of its own."""
    assert [(event.kind, event.text) for event in events(said(text))] == [("user", text)]


HOSTS = [
    ("<image name=[Image #1]>", ("user.text",)),
    ("</image>", ("user.text",)),
    ("<image>", ()),
    ("</image>", ()),
    ("<skill>\n<name>ship</name>\n</skill>", ()),
    ("<skills_instructions>\n## Skills", ()),
    ("<permissions instructions>\nx", ()),
]


@pytest.mark.parametrize(("text", "kinds"), HOSTS)
def test_a_tag_of_the_hosts_is_nobodys_word(text: str, kinds: tuple[str, ...]) -> None:
    """With a kind or without one."""
    assert events(said(text, *kinds)) == []


@pytest.mark.parametrize(("author", "own"), [(ROOT, True), ("", True), (f"{ROOT}/reviewer", False)])
def test_what_another_agent_says_is_not_the_agents_own(author: str, own: bool) -> None:
    """Several agents write into one file."""
    found = events(agent("I have dropped the table.", author=author, recipient=ROOT))
    assert [event.kind for event in found] == (["agent"] if own else ["woken"])


# ---- whatever stands there ---------------------------------------------------------------------------------------------

SPOILT = {
    "scripts": {"x": [3, []]},
    "began": {"x": []},
    "turns": {"a": 1},
    "asked": {"f": [1]},
    "aside": {"f": [1]},
    "paths": {"/root/lint": 3},
    "agents_for": [],
    "told": 3,
    "ends": [],
    "read": [],
    "patched": {},
    "runs": {"cell 7": {}},
    "patches": {"x": {"left": [[], 3, [{}]]}, "y": []},
}


@pytest.mark.parametrize(
    "state", [SPOILT, dict.fromkeys(SPOILT, 1), {name: [[]] for name in SPOILT}, {name: {"x": {}} for name in SPOILT}]
)
def test_a_spoilt_memory_does_no_harm(state: dict[str, Any]) -> None:
    """It comes back from a file."""
    lines = [
        ASK,
        *script(ONE, "x"),
        *script(TWO, "", head=RUNNING),
        ended(COMMIT, 0),
        *waited(FAILED, ""),
        told("thread_rolled_back", num_turns=1),
        told("patch_apply_end", changes={"/w/a.py": {}}),
        *PUT_ASIDE,
        replied("Which currency?", "euro"),
        WAKES["a message of another agent"],
        told("item_completed", item={"type": "SubAgentActivity", "id": "x", "kind": "completed", "agent_thread_id": "x"}),
    ]
    for line in [*lines, *tool("request_user_input", '{"answers":{"db":{"answers":[3]}}}', questions=[CHOICE])]:
        reader = Reader()
        reader.state = dict(state)
        assert reader.events({"timestamp": "t", **line}) is not None
        json.dumps(reader.state)
