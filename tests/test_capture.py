"""Capture: what a transcript tells without a model."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from holdfast.capture import signs
from holdfast.capture.draft import Capture
from holdfast.capture.following import Following
from holdfast.capture.naming import by_place, mentioned, names_in
from holdfast.capture.outcomes import as_shown, error_in, passed_in
from holdfast.capture.signs import choices_in, columns, is_correction, question_in
from holdfast.config import Config
from holdfast.guard.entering import redacted
from holdfast.memory import Memory
from holdfast.model import Checkpoint
from holdfast.transcripts import Event, shell
from holdfast.transcripts.calls import called

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SAID = [
    ("please don't amend commits", True),
    ("use tabs instead of spaces", True),
    ("不要改动旧的发票", True),
    ("bitte nicht die alten Dateien anfassen", True),
    ("No, the reduced rate is 7 %, not 6 %.", True),
    ("nope, but the other one", True),
    ("Nein, nicht diese Datei", True),
    ("不，用另一个文件", True),
    ("Forget DuckDB, go back to SQLite after all. The server has no wheels for it.", True),
    ("On second thought keep Go. Delete the Rust file.", True),
    ("Sorry, I was wrong: Redis is fine after all.", True),
    ("never mind", True),
    ("scrap that", True),
    ("Doch lieber mit Tabs.", True),
    ("算了", True),
    ("还是用 SQLite 吧", True),
    ("let's do the second, and make sure it's in the Troy project", True),
    ("Free space, but leave the volume pvc-data-pg-0 alone.", True),
    ("one code per cart at most", True),
    ("Präteritum beibehalten, höchstens 4.000 Wörter", True),
    ("bitte keine neuen Abhängigkeiten", True),
    ("no toques la base de datos", True),
    ("n'utilise pas Redis", True),
    ("não mexa nas faturas antigas", True),
    ("не трогай старые счета", True),
    ("务必保留原来的网址", True),
    ("文体はそのままで、3ページ以内にして", True),
    ("能不能帮我看一下这个错误", False),
    ("am 3. Mai ist die Abgabe", False),
    ("用 SQLite 还是用 DuckDB？", False),
    ("no problem, go on with the next one", False),
    ("is there no other way to see it?", False),
    ("what does this function do?", False),
    ("add a test for the parser", False),
]


@pytest.mark.parametrize(("text", "is_one"), SAID)
def test_corrections_are_known_by_their_words(text: str, is_one: bool) -> None:
    """A short text that forbids, demands or replaces, in the languages people write."""
    assert is_correction(text) is is_one


def test_names_are_words_of_several_parts_and_no_ids() -> None:
    """What programs call things; not the ids of single runs."""
    assert not names_in("#A3BE8C, B48EAD and 3B4252FF; /tmp/tmp.DQJrp18MZ, tmp.MHvwN4BhP")
    digits = {"getV2Store", "toUTF16Map", "isB64URL", "NewHTTP2Client", "MyClass2", "ChecksumCRC32"}
    assert names_in(" ".join(digits)) == digits
    shared = "https://meet.example/rec/share/t7KfmQ-KQsHSbbc4E7h8vwS9tw6mzUCWhH64hQYXEE.VX5t5EWz6M_7UhyRG"
    named = names_in(f'URL = "{shared}" # get_rate; https://docs.example/api/rate_limits/getRates')
    assert named == {"get_rate", "rate_limits", "getRates"}
    assert not names_in("WYqQglTGQ8YbcZHCkZwan")  # a syllable by chance
    assert names_in("HTTPSConnectionPool and setDefaultLspCfgStrtgy") == {"HTTPSConnectionPool", "setDefaultLspCfgStrtgy"}
    assert names_in("shouldCondense, should_condense and MAX_SIZE in plainword toolu_01XNcbYTXQugcGt5UupCeL2J") == {
        "shouldCondense",
        "should_condense",
        "MAX_SIZE",
    }


def test_files_are_told_from_code() -> None:
    """`c.Hash` is code, `main.c` a file; each is known by its name, with the whole path by which it was called."""
    assert mentioned("edit main.c and c.Hash in `src/m/odd.rs`, see v1.2.3, example.com, run.sh() and /x.py.")[1] == {
        "main.c": "main.c",
        "odd.rs": "src/m/odd.rs",
        "x.py": "x.py",
    }
    looks = "r.r, this.result.diff and process.env; https://a.io/img/logo.png, https://a.io/blob/src/tax.py, img/logo.svg"
    assert mentioned(looks)[1] == {"tax.py": "src/tax.py", "logo.svg": "img/logo.svg"}
    others = "/w/.venv/lib/python3.14/site-packages/jwt/api_jwk.py, node_modules/x/index.js and /home/u/go/pkg/mod/a@v1/b.go"
    assert mentioned(others)[1] == {}
    cut = mentioned("Fetching (…)cial_tokens_map.json, …ookUpName and …/src/tax.py: 90%")
    assert cut == (set(), {"tax.py": "src/tax.py"}), "half a name is none"
    assert set(mentioned("+++ b/README.md and app.js/style.css")[1].values()) == {"README.md", "app.js", "style.css"}


PATHS = [
    ("see src/billing/rates.py", "src/billing/rates.py"),
    ("see ./src/billing/rates.py", "src/billing/rates.py"),
    ("see ../src/billing/rates.py", "../src/billing/rates.py"),
    ("see /w/src/billing/rates.py:12", "/w/src/billing/rates.py"),
    ("--- a/src/billing/rates.py", "src/billing/rates.py"),
    ("diff --git a/src/billing/rates.py b/src/billing/rates.py", "src/billing/rates.py"),
    ("see a/src/billing/rates.py", "a/src/billing/rates.py"),
    ("https://a.io/blob/main/billing/rates.py", "billing/rates.py"),
    (f"see {'long/' * 60}billing/rates.py", "billing/rates.py"),
]


@pytest.mark.parametrize(("text", "path"), PATHS)
def test_a_path_is_kept_whole_as_it_was_written(text: str, path: str) -> None:
    """Whoever opens it needs its first part too."""
    assert mentioned(text)[1] == {"rates.py": path}


def test_a_whole_path_is_not_replaced_by_its_end() -> None:
    """`src/billing/rates.py`, and then `rates.py` or `billing/rates.py` for short: the names have the whole path."""
    capture = Capture()
    said = ["look at src/billing/rates.py", "billing/rates.py is fine, and so is rates.py"]
    capture.feed(Event("user", text, time=f"2026-11-15T10:00:0{n}.000Z") for n, text in enumerate(said))
    assert ("File", "src/billing/rates.py") in capture.draft()["names"]


def as_json(**told: Any) -> str:
    return json.dumps(told, indent=2)


ERRORS_IN_JSON = [
    (as_json(status="error", tool="read", error="ENOENT: no such file, access '/w/x'"), "ENOENT: no such file, access '/w/x'"),
    (as_json(ok=False, error={"code": 404, "message": "Not Found"}), "Not Found"),
    (as_json(errors=[{"message": "rate limited"}]), "rate limited"),
    (as_json(status="error", message="zu viele Anfragen"), "zu viele Anfragen"),
    (as_json(content=[{"type": "text", "text": "Traceback:\n  File 'x.py'\nValueError: bad rate"}]), "ValueError: bad rate"),
    ('Exit code 1\n{\n "status": "error",\n "message": "the quota is used up",\n "trace": "aaa', "the quota is used up"),
    (as_json(status="error", code="E_NO_ROOM"), '{"status": "error", "code": "E_NO_ROOM"}'),
    ('building\n{"error": "x"}\nerror: it broke here', "error: it broke here"),
]


@pytest.mark.parametrize(("output", "message"), ERRORS_IN_JSON)
def test_an_error_in_json_is_told_by_its_message(output: str, message: str) -> None:
    """Not by the line of the JSON that has the word in it."""
    assert message in error_in(output)
    assert '"status": "error",' not in error_in(output) or error_in(output) == message


def tool_call(tool: str, path: str, *, failed: str = "", content: str = "") -> list[Event]:
    """A call of a file tool, and what came back."""
    given = {"path": path, **({"content": content} if content else {})}
    result = Event("result", failed or "ok", call=f"{tool} {path}", tool=tool, failed=bool(failed))
    return [called(tool, given, call=f"{tool} {path}"), result]


MISSING = as_json(status="error", tool="read", error="ENOENT: no such file, access 'rates.py'")
MENDING = [
    (tool_call("read", "src/rates.py"), ""),
    (tool_call("write", "src/rates.py", content="RATE = 7"), ""),
    (tool_call("read", "lib/rates.py"), ""),
    (tool_call("read", "src/other.py"), "ENOENT"),
    ([Event("call", call="c", tool="exec", command="ls"), Event("result", "rates.txt", call="c", tool="exec")], "ENOENT"),
]


@pytest.mark.parametrize(("later", "told"), MENDING)
def test_the_error_of_a_tool_goes_when_the_same_goes_well(later: list[Event], told: str) -> None:
    """The file is found, or made; another file, or a command beside it, mends nothing."""
    capture = Capture()
    capture.feed([Event("user", "set the rate in rates.py"), *tool_call("read", "src/rates.py", failed=MISSING)])
    assert "ENOENT: no such file, access 'rates.py'" in capture.draft()["code"]
    capture.feed(later)
    assert told in capture.draft().get("code", "")
    assert bool(told) == ("ENOENT" in capture.draft().get("code", ""))


SHOWN = [
    ("\x1b[1m\x1b[38;5;196mred\x1b[0m and \x1b]8;;https://a.example\x07linked\x1b]8;;\x07", "red and linked"),
    ("10 %\r50 %\r100 %\nnext\r\nlast\r", "100 %\nnext\nlast\r"),
    ("\x1b]never ended\nnext", "never ended\nnext"),
    ("plain [31m text", "plain [31m text"),
]


@pytest.mark.parametrize(("output", "shown"), SHOWN)
def test_an_output_is_read_as_a_terminal_shows_it(output: str, shown: str) -> None:
    """Without colours, links and what was written over; of what is no such thing nothing is lost."""
    assert as_shown(output) == shown


def test_what_fails_names_nothing_of_what_others_have_made() -> None:
    """The frames of a trace and the lines of code below them, up to where one's own begins."""
    trace = (
        'Traceback (most recent call last):\n  File "/w/app.py", line 3, in upload_all\n    send_all(our_token)\n'
        '  File "/opt/lib/python3.14/getpass.py", line 91, in unix_getpass\n    passwd = fallback_getpass(prompt)\n'
        "             ~~~~~~~~~~~~~~~~^^^^^^^^\n    return _raw_input(prompt)\nEOFError: no_more_lines"
    )
    capture = Capture()
    capture.feed([Event("call", call="a", command="python app.py"), Event("result", trace, call="a", failed=True)])
    names = {name for kind, name in capture.draft()["names"] if kind == "Name"}
    assert names == {"upload_all", "send_all", "our_token", "no_more_lines"}


def test_what_a_subagent_reports_is_read_as_what_the_agent_says() -> None:
    """All of it: a report is longer than most outputs, and is what the agent goes on from."""
    report = f"{'It is as follows. ' * 300}\nbuild_tool_graph makes the graph.\n{'And so on it goes. ' * 300}"
    capture = Capture()
    asked = [Event("user", "draw the flow"), Event("call", "", call="a", handed="Explore: the graph")]
    capture.feed([*asked, Event("result", report, call="a")])
    assert ("Name", "build_tool_graph") in capture.draft()["names"]
    printed = report.replace("build_tool", "paint_tool")
    capture.feed([Event("call", "", call="b", command="cat x"), Event("result", printed, call="b")])
    assert "paint_tool_graph" not in str(capture.draft()["names"])  # control: of an output only the ends are read


def test_what_was_mentioned_since_the_last_request_comes_first() -> None:
    """It may be about something else than all that came before it; what was in hand before is not forgotten."""
    before = [Event("user", "mend the parser"), Event("agent", "old_parser it is"), Event("result", "old_parser: fine")]
    capture = Capture()
    capture.feed([*before, Event("user", "now draw the flow"), Event("agent", "new_printer it is")])
    assert [name for _, name in capture.draft()["names"]] == ["new_printer", "old_parser"]
    capture.feed([Event("agent", "old_parser, as before")])
    assert [name for _, name in capture.draft()["names"]] == ["old_parser", "new_printer"]


def test_the_question_that_a_message_ends_with_is_kept_word_for_word() -> None:
    """And one that it went on from is none."""
    assert question_in("Done.\n\nShall I round per line, or per invoice?") == "Shall I round per line, or per invoice?"
    assert question_in("Why did it fail? Because of the rate.") == ""
    assert question_in("要我继续吗？") == "要我继续吗？"


QUESTIONS = [
    "Both RabbitMQ and SQS would do. Which of the two do you want? I would go with SQS, because it needs no server.",
    "RabbitMQ 和 SQS 都可以。你想用哪一个？我建议用 SQS，因为不需要服务器。",
    "Which one do you prefer? I would take 2. Let me know.",
    "Soll ich die alten Dateien löschen? Ich würde sie behalten.",
    "Shall I go on? The rest takes an hour.",
]


@pytest.mark.parametrize("text", QUESTIONS)
def test_a_question_that_a_sentence_follows_is_a_question(text: str) -> None:
    """Put to the user, in the last paragraph."""
    assert question_in(f"I have looked at both.\n\n{text}") == text


RHETORICAL = [
    "Why did it fail? Because of the rate.",
    "What does that mean for us? The cache is never cleared, so every request is slow.",
    "Should I use a lock here? Let me look at the callers first.",
    "Do you need the flag? No, the default does the same.",
    "Which way do you want it?\n\nI took the first one, and all tests pass.\n\nThe docs are written as well.",
    "You might ask: do you really need it? " + "The measurements of last week say that it pays off in the long run. " * 6,
    "它为什么失败？因为税率错了。",
    "The open question: “Shall I round per line?”. Decisions: “Half-even.”.",
]


@pytest.mark.parametrize("text", RHETORICAL)
def test_a_question_that_a_report_asks_itself_is_none(text: str) -> None:
    """Answered at once, not put to the user, followed by much, or not in the last paragraph."""
    assert question_in(text) == ""


def test_the_error_is_the_line_that_says_it() -> None:
    """Not the banner above it."""
    assert (
        error_in("Exit code 1\nrunning the tests now\nrates.py:3: error: undefined name X")
        == "rates.py:3: error: undefined name X"
    )


RULE = "=" * 30
TRACE = 'Traceback (most recent call last):\n  File "a.py", line 12, in <module>\n    run()\n'
ERRORS = [
    (f"{TRACE}KeyError: 'order_id'", ["KeyError: 'order_id'"]),
    (f"{TRACE}app.ConfigError: no region", ["app.ConfigError: no region"]),
    (f"{TRACE}KeyError: 1\n\nDuring handling:\n\n{TRACE}ValueError: bad order", ["KeyError: 1", "ValueError: bad order"]),
    (
        f"{RULE} FAILURES {RULE}\n____ test_y ____\n>   assert f()\nE   AssertionError: assert 1\n\nx.py:8: AssertionError\n"
        f"{RULE} short test summary info {RULE}\nFAILED tests/x.py::test_y - AssertionError: assert 1\n{RULE} 1 failed {RULE}",
        ["FAILED tests/x.py::test_y - AssertionError: assert 1"],
    ),
    (
        "/srv/client.js:132\n      throw err;\n      ^\n\nError: connect ECONNREFUSED 127.0.0.1:5433\n    at f (node:net:1:1) {",
        ["Error: connect ECONNREFUSED 127.0.0.1:5433"],
    ),
    (
        "--- FAIL: TestDays (0.00s)\n    days_test.go:14: got 23, want 24\nFAIL",
        ["--- FAIL: TestDays (0.00s)", "days_test.go:14: got 23, want 24"],
    ),
    (
        "Error: deadline exceeded\n--- FAIL: TestDays (0.00s)\n    days_test.go:14: got 23\nok then\nfatal: no host\nfatal: gone",
        ["--- FAIL: TestDays (0.00s)", "days_test.go:14: got 23"],
    ),
    (
        "hooks.go:15: out: INFO saved\ncopied the rest\nday_test.go:9: got 1\nday_test.go:12: got 2\n--- FAIL: TestDay (1s)",
        ["day_test.go:9: got 1", "day_test.go:12: got 2", "--- FAIL: TestDay (1s)"],
    ),
    (
        f"FAIL: test_days (t.Days)\n----\n{TRACE}AssertionError: 23 != 24\n\nFAIL: test_b (t.B)\n----\n{TRACE}KeyError: 'b'",
        ["FAIL: test_days (t.Days)", "AssertionError: 23 != 24", "KeyError: 'b'"],
    ),
    (
        "[lint:go] ERROR task failed\n[lint:go] cli/auto.go:87:1: New returns Thing (ireturn)\n[lint:go] func New() {",
        ["[lint:go] ERROR task failed", "[lint:go] cli/auto.go:87:1: New returns Thing (ireturn)"],
    ),
    (
        "[lint] ERROR task failed\n[lint] a.go:8:1: no doc\n[lint] b.go:9:1: no doc\n[lint] c.go:7:1: no doc",
        ["[lint] ERROR task failed", "[lint] a.go:8:1: no doc"],
    ),
    (
        "Error Trace: day_test.go:95\nError:  Should be true\nTest:  TestDay\n--- FAIL: TestDay (0.04s)\nFAIL",
        ["Error Trace: day_test.go:95", "Error:  Should be true", "--- FAIL: TestDay (0.04s)"],
    ),
    (
        "web-1  | ready\nweb-1  | src/a.ts:3:4: 'x' is never read\nit did not go well",
        ["web-1  | src/a.ts:3:4: 'x' is never read"],
    ),
    ("panic: assignment to nil map\n\ngoroutine 1 [running]:\nmain.main()\nexit status 2", ["panic: assignment to nil map"]),
    (
        "   Compiling app\nerror[E0382]: borrow of moved value: `cfg`\n  --> src/main.rs:14:20\n"
        "error: could not compile `app` due to 1 previous error",
        ["error[E0382]: borrow of moved value: `cfg`"],
    ),
    (
        "thread 'main' panicked at src/main.rs:4:5:\nindex out of bounds\nnote: run",
        ["thread 'main' panicked at src/main.rs:4:5:", "index out of bounds"],
    ),
    (
        'Exception in thread "main" java.lang.RuntimeException: boot failed\n\tat a.Main.main(Main.java:5)\n'
        "Caused by: java.sql.SQLException: no route",
        ['Exception in thread "main" java.lang.RuntimeException: boot failed', "Caused by: java.sql.SQLException: no route"],
    ),
    ("gcc -c a.c\na.c:10:5: error: expected ';'\nmake: *** [Makefile:4: a.o] Error 1", ["a.c:10:5: error: expected ';'"]),
    ("a.ts(12,5): error TS2322: no string.\n\nFound 1 error in src/a.ts:12", ["a.ts(12,5): error TS2322: no string."]),
    ("Starting up now, please wait\nbash: foo: command not found", ["bash: foo: command not found"]),
    (
        f"/opt/shapes/generic.py:260: FutureWarning: `fold` is deprecated. Use `bend`.\n  fold(\n{TRACE}EOFError: no more lines",
        ["EOFError: no more lines"],
    ),
    ("a.py:3: UserWarning: no cache found, this cannot be fast", ["a.py:3: UserWarning: no cache found, this cannot be fast"]),
    (
        "E501 Line too long (102 > 100)\n   --> a.py:122:13\n121 | for obs in found:\n122 |     error_ids.add(obs)\n    |\n",
        ["E501 Line too long (102 > 100)"],
    ),
    ("E   DeprecationWarning: the old name\n1 failed in 0.1s", ["E   DeprecationWarning: the old name"]),
]  # fmt: skip


@pytest.mark.parametrize(("output", "lines"), ERRORS)
def test_the_error_is_what_is_wrong_and_no_headline(output: str, lines: list[str]) -> None:
    """As it was printed, whoever printed it: not the title above it, a frame of a trace, the totals or the caller's complaint."""
    assert error_in(output).split("\n") == lines


def test_choices_are_sentences() -> None:
    """What the agent says that it has chosen."""
    assert choices_in("I looked at it. I'll use BLAKE2b instead of SHA-256 for the digest. Next.") == [
        "I'll use BLAKE2b instead of SHA-256 for the digest."
    ]


CHOICES = [
    ("We decided to keep rates.py as it is. Fine.", ["We decided to keep rates.py as it is."]),
    ("```\n// I'll use the old one here\n```\nOk.", []),
    ("**The root cause is the missing rate in v1.2.** Next.", ["The root cause is the missing rate in v1.2."]),
    ("Should we use tabs?", []),
    ("I will keep them in Redis with a time to live of one hour, if that suits you.", []),
    ("Unless you object, I'll use the second one for all of them.", []),
    ("如果你同意，我们决定采用新的税率，并且更新所有的发票模板和文档。", []),
    ("我们决定采用新的税率。然后继续处理发票。这样就可以避免重复计算了吧。", ["我们决定采用新的税率。"]),
]


@pytest.mark.parametrize(("text", "found"), CHOICES)
def test_choices_are_whole_sentences_and_no_code(text: str, found: list[str]) -> None:
    """A full stop inside a name ends no sentence, and what code says is nobody's decision."""
    assert choices_in(text) == [sentence for sentence in found if columns(sentence) >= 20]


def ran(number: int, text: str = "", *, failed: bool = False) -> list[Event]:
    """A command, and what came back."""
    command = Event("call", "make test", call=str(number), command="make test")
    return [command, Event("result", text, call=str(number), failed=failed)]


LOOKED = [Event("call", call="l", reads=("/w/rates.py",)), Event("result", "x = 1", call="l")]
CHANGED = [Event("call", call="c", edits=(("/w/rates.py", "a", "b"),)), Event("result", "ok", call="c")]
BROKE = [*ran(1, "Error: no such rate", failed=True), *ran(2, "Error: no such table", failed=True)]
PHASES = {
    "": [],
    "planning": LOOKED,
    "implementing": [*CHANGED, *LOOKED],
    "testing": [*CHANGED, *ran(3, "===== 12 passed in 0.3s =====")],
    "debugging": [*CHANGED, *BROKE],
}


@pytest.mark.parametrize("phase", PHASES)
def test_the_phase_is_what_was_done_last(phase: str) -> None:
    """Looked, changed, tried out, or failed more than once."""
    capture = Capture()
    capture.feed([Event("user", "set the rate"), *PHASES[phase]])
    assert capture.draft().get("phase", "") == phase


SPOKEN = [  # what the user says at 2, after a request at 1 → when it was asked for something last
    ([], "1"),
    ([Event("user", "now write the export", time="2")], "2"),
    ([Event("user", "yes", time="2")], "1"),
    ([Event("user", "go on", time="2")], "1"),
    ([Event("user", "Which rate? → the export", time="2", reply=True)], "1"),  # in a tool of the host
]


@pytest.mark.parametrize(("said", "asked"), SPOKEN)
def test_a_yes_and_an_answer_ask_for_nothing_else(said: list[Event], asked: str) -> None:
    """What was set to be worked on stands until something else is asked for; the user has spoken all the same."""
    capture = Capture()
    capture.feed([Event("user", "set the rate", time="1"), *said])
    assert capture.asked_when(anew=True) == asked
    assert capture.asked_when(anew=False) == ("2" if said else "1")


def test_of_more_files_than_are_kept_those_that_were_changed_stay_and_those_used_last() -> None:
    """However long ago they were changed: what was only read is found again."""
    capture = Capture()
    capture.feed([Event("call", call="0", edits=tuple((f"/w/changed{n}.py", "a", "b") for n in range(300)))])
    capture.feed(Event("call", call=f"1{n}", reads=(f"/w/read{n}.py",)) for n in range(600))
    capture.feed([Event("call", call="2", reads=("/w/read0.py",))])
    kept = Capture.from_data(json.loads(json.dumps(capture.as_data()))).files
    assert [path for path in kept if "changed" in path] == [f"/w/changed{n}.py" for n in range(300)]
    assert {path for path in kept if "read" in path} == {"/w/read0.py", *(f"/w/read{n}.py" for n in range(301, 600))}


def test_names_are_kept_with_their_places() -> None:
    """In the file where they were changed, beside that, where they were read or found; or with the command that printed them."""
    capture = Capture()
    capture.feed(
        [
            Event("call", call="1", edits=(("/w/app/rates.py", "tax_of(old_rate)", "tax_of(new_rate)"),)),
            Event("result", "ok", call="1"),
            Event("call", call="2", reads=("/w/app/model.py",)),
            Event("result", "class InvoiceLine: pass", call="2"),
            Event("call", "rg rate", call="3", command="rg rate app"),
            Event("result", "app/rates.py:12:def round_rate(x)\napp/other.py:3:other_rate = 1", call="3"),
            Event("call", "make all", call="4", command="make all"),
            Event("result", "built wheel_of_rates\nfailing_part.py: 3 errors", call="4"),
            Event("call", "sed -n 1,9p app/tax.py", call="5", command="sed -n 1,9p app/tax.py"),
            Event("result", "class TaxTable: pass", call="5"),
        ]
    )
    draft = capture.draft()
    files = dict(draft["files"])
    assert files["/w/app/rates.py"] == "edited 1 time; touches new_rate, old_rate; has tax_of, round_rate"
    assert files["/w/app/model.py"] == "read; has InvoiceLine"
    assert files["app/tax.py"] == "read; has TaxTable"
    assert files["app/other.py"] == "found by a search; has other_rate"
    assert ("Printed by make all", "wheel_of_rates") in draft["names"]
    assert "failing_part" not in dict(map(reversed, draft["names"]))


@pytest.mark.parametrize(
    ("command", "failed", "what"),
    [("", True, ""), ("", False, "edited 1 time; touches new_rate"), ("sh x", True, "edited 1 time")],
)
def test_an_edit_that_failed_changed_nothing(command: str, failed: bool, what: str) -> None:
    """A brief that says so would have the agent look for what is not there; a shell may have written before it failed."""
    capture = Capture()
    capture.feed([Event("call", call="1", command=command, edits=(("/w/a.py", "", "new_rate"),))])
    capture.feed([Event("result", "Could not find the exact text in a.py", call="1", failed=failed)])
    assert dict(capture.draft().get("files", ())).get("/w/a.py", "").partition(";" if command else "\n")[0] == what


def test_an_error_from_before_the_last_request_says_so() -> None:
    """The request may have settled it; until it is seen to pass, nobody knows."""
    capture = Capture()
    capture.feed([Event("user", "mend the tax"), Event("call", call="1", command="make test")])
    capture.feed([Event("result", "E   AssertionError: expected 0.07", call="1", failed=True)])
    assert capture.draft()["code"] == "$ make test\nE   AssertionError: expected 0.07"
    capture.feed([Event("user", "leave it, and write the docs")])
    assert capture.draft()["code"] == "$ make test (before the last request)\nE   AssertionError: expected 0.07"


def test_a_failure_names_what_is_in_our_hands() -> None:
    """Not the inside of a packed file, nor the frames of somebody else's code above ours."""
    packed = f"/w/node_modules/tsx/a.cjs:3\n{'createLog(safeSet);' * 80}\n"
    trace = "Error: no rate_of\n    at load_rates (/w/app/tax.ts:4)\n    at wrapLoad (node:internal/loader:5)\n"
    capture = Capture()
    capture.feed([Event("call", call="1", command="make test"), Event("result", packed + trace, call="1", failed=True)])
    assert [value for kind, value in capture.draft()["names"] if kind == "Name"] == ["load_rates", "rate_of"]


@pytest.mark.parametrize("said", ["", "(no output)\n\nCommand exited with code 1", "apply_patch verification failed: no lines"])
def test_a_search_that_finds_nothing_is_no_error(said: str) -> None:
    """It ends with a status and not a word of its own; the error before it stays what it was. So with a host's own refusal."""
    capture = Capture()
    capture.feed(
        [
            Event("call", call="1", command="make test"),
            Event("result", "E   AssertionError: expected 0.07", call="1", failed=True),
            Event("call", call="2", command="rg nothing"),
            Event("result", said, call="2", failed=True),
        ]
    )
    assert capture.draft()["code"] == "$ make test\nE   AssertionError: expected 0.07"


def session() -> list[Event]:
    """A session that works, is corrected, fails, mends it, commits, and asks."""
    return [
        Event("user", "set the reduced rate to 5 percent in rates.py", time="2026-11-15T10:00:00Z", branch="tax"),
        Event(
            "call",
            "x",
            call="1",
            tool="Edit",
            edits=(("/w/rates.py", "REDUCED_RATE = 0.19", "REDUCED_RATE = 0.05\nFULL_RATE = 1"),),
        ),
        Event("result", "ok", call="1"),
        Event("user", "the reduced rate is 7 percent, not 5, and never touch old_invoices", time="2026-11-15T10:05:00Z"),
        Event("call", "pytest -q tests", call="2", tool="Bash", command="pytest -q tests"),
        Event("result", "Exit code 1\nE   AssertionError: expected 0.07", call="2", failed=True),
        Event("call", "pytest -q tests", call="3", tool="Bash", command="pytest -q tests"),
        Event("result", "14 passed in 0.3s", call="3"),
        Event("call", "git commit -m 'Reduced rate is 7 percent'", call="4", command="git commit -m 'Reduced rate is 7 percent'"),
        Event("result", "[tax 4f1c2ab] Reduced rate is 7 percent", call="4"),
        Event("call", "todo", call="5", todos=(("write the docs", "pending"), ("set the rate", "completed"))),
        Event("agent", "The rate is set and committed.\n\nShall I round per line or per invoice?", time="2026-11-15T10:09:00Z"),
    ]


def test_a_session_is_told_by_its_transcript() -> None:
    """Request, correction, files with the names that changed in them, evidence of what is done, to-do items, the question."""
    capture = Capture()
    capture.feed(session())
    draft = Checkpoint(**capture.draft())
    assert draft.task == "the reduced rate is 7 percent, not 5, and never touch old_invoices"
    assert draft.goal == "set the reduced rate to 5 percent in rates.py"
    assert draft.corrections == ("the reduced rate is 7 percent, not 5, and never touch old_invoices",)
    assert draft.unanswered == ("Shall I round per line or per invoice?",)
    assert draft.files[0][0] == "/w/rates.py"
    assert "FULL_RATE" in draft.files[0][1]
    assert draft.done == ("`pytest -q tests`: 14 passed in 0.3s", "commit “Reduced rate is 7 percent”")
    assert draft.pending == (("write the docs", False), ("set the rate", True))
    assert draft.progress == "1 of 2 to-do items done"
    assert (draft.branch, draft.code) == ("tax", "E   AssertionError: expected 0.07 (passed since)")
    assert ("Command", "pytest -q tests") in draft.names


def test_going_on_from_what_was_kept_is_the_same_as_reading_it_all() -> None:
    """At every place where a hook may have stopped reading."""
    events = session()
    whole = Capture()
    whole.feed(events)
    for cut in range(len(events) + 1):
        first = Capture()
        first.feed(events[:cut])
        second = Capture.from_data(json.loads(json.dumps(first.as_data())))
        second.feed(events[cut:])
        assert second.draft() == whole.draft(), cut


def test_question_and_answer_is_trivial_and_work_is_not() -> None:
    """B10: no edit, no command, no correction, no open question: nothing that a snapshot would be for."""
    talk = Capture()
    talk.feed(
        [
            Event("user", "what is a monad"),
            Event("agent", "A monoid in the category of endofunctors. That is all there is to it."),
        ]
    )
    assert talk.trivial
    for event in session():
        if event.kind == "call" and (event.command or event.edits):
            work = Capture()
            work.feed([event])
            assert not work.trivial


@pytest.mark.parametrize("data", [{}, {"count": "x"}, {"names": []}, {"unknown": 1, "requests": [["t", "x", "", False]]}])
def test_what_was_kept_by_another_version_does_no_harm(data: dict[str, object]) -> None:
    """A field that is missing, new or of another kind begins empty."""
    capture = Capture.from_data(data)
    capture.feed(session())
    assert capture.draft()["branch"] == "tax"


ROUGH = [
    "getUserName, load_config and plain words; HTTPServer2 9lives_of_cats",
    "x" * 70 + "FooBar" + "y_z" * 40,
    "1234567890abcdefGhi 007_agent_file __init_subclass__ _private_thing",
    r"escaped\nFooBarBaz\tother_name\rthirdName and \\nFourthName",
    "größeWert naïve_value 中文fooBar_baz中文 caf\u00e9_au_laitTime \ud800lonely_Half",
    "id_0123456789abcdefghijklm a1b2c3d4E5f6 AKIAIOSFODNN7EXAMPLE req_8Zk2Jx9 v1_2_3_4_names",
    "ALLCAPS ALL_CAPS camelCase PascalCase kebab-caseName dotted.nameHere path/to/fileName.py",
    "a_b ab_cd abc_de abcd_ef " + "Ab" * 30 + "C " + "Ab" * 31 + "_tail_name",
]


@pytest.mark.parametrize("text", ROUGH)
def test_names_are_what_an_expression_finds_too(text: str) -> None:
    """Words are taken apart among bytes and remembered; the plain expression for them finds the same, at first and again."""
    words = set(re.findall(r"(?a)(?<![A-Za-z_])[A-Za-z_]\w{5,60}(?!\w)", re.sub(r"\\[nrt]", " ", text)))
    parts, an_id = r"[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]", r"(?:\d.*){4}|\d.*[A-Z].*\d.*[a-z]|_[A-Za-z0-9]{20,}"
    named = {w for w in words if not (w.islower() and "_" not in w) and re.search(parts, w) and not re.search(an_id, w)}
    assert names_in(text) == named == names_in(text)


def test_every_ending_of_a_file_is_known_and_no_other() -> None:
    """`a.py` is a file, `a.python` and `a.py(` are none, however the name before it ends."""
    for ending in shell._ENDINGS.split():
        found = mentioned(f"see src/some.{ending}, or some.{ending}qz and other.{ending}(1)")[1]
        assert found == {f"some.{ending}": f"src/some.{ending}"}


PASSED = [
    ("collected\n3 passed in 0.1s", "3 passed in 0.1s"),
    ("12 tests passed", "12 tests passed"),
    ("x\ntest result: ok. 4 passed; 0 failed", "test result: ok. 4 passed; 0 failed"),
    ("So ALL TESTS PASS now", "So ALL TESTS PASS now"),
    ("9 run, 0 failures", "9 run, 0 failures"),
    ("ok  \texample.com/rates\t0.2s", "ok  \texample.com/rates\t0.2s"),
    ("?\nok  \texample.com/rates\t0.2s", "ok  \texample.com/rates\t0.2s"),
    ("PASS", "PASS"),
    ("=== RUN\nPASS\nmore", "PASS"),
    ("Build succeeded.", "Build succeeded."),
    ("def f():\n    pass\n\ndef passed(x):\n    pass", ""),
    ("okay then\nok", ""),
    ("10 failed, 2 errors", ""),
]


@pytest.mark.parametrize(("output", "line"), PASSED)
def test_a_run_that_went_well_is_known_by_the_line_that_says_so(output: str, line: str) -> None:
    """Each way in which tools say it, at the beginning of an output and within it; the word in a program is none."""
    assert passed_in(output) == line


PLACES = [
    ("src/a.py:12:def fooBar", {"src/a.py": "def fooBar"}),
    ("none\nsrc/a.py-3-fooBar\nlib/b.ts:9:x", {"src/a.py": "fooBar", "lib/b.ts": "x"}),
    ("diff --git a/x.py b/x.py\n+++ b/x.py\n+fooBar", {"x.py": "+fooBar"}),
    ("$ git diff\ndiff --git a/x.py b/x.py\n+++ b/x.py\n+fooBar", {"x.py": "+fooBar"}),
    ("+++ x.go\n a", {"x.go": " a"}),
    ("at 12:30:05 a.b and c.d", {}),
    ("def fooBar():\n    return a.py", {}),
]


@pytest.mark.parametrize(("output", "places"), PLACES)
def test_the_lines_of_a_search_or_a_diff_belong_to_its_files(output: str, places: dict[str, str]) -> None:
    """By what the output says itself; one that says nothing of the kind has no places."""
    assert by_place(output) == places


@pytest.mark.parametrize("phrase", signs._CHOICE)
def test_each_phrase_for_a_choice_is_heard(phrase: str) -> None:
    """No phrase is passed over by the quick look at the words."""
    said = f"After some thought,{phrase}the second of the two ways"
    assert choices_in(f"Well. {said}. Done.") == [f"{said}."] if phrase.isascii() else choices_in(said)


@pytest.mark.parametrize("mark", ["?", "？", "؟"])
def test_a_question_is_known_in_any_script(mark: str) -> None:
    """Whatever its question mark looks like."""
    assert question_in(f"Done.\n\nGo on{mark}") == f"Go on{mark}"


KEY = "ghp_" + "x7Kq2mNv9RtL4pWz8BcY3dFh6JsG1aUe5oTi"


@pytest.fixture
def following(tmp_path: Path) -> Iterator[Following]:
    """A transcript that is about to be read, in a workspace of its own."""
    memory = Memory(str(tmp_path), Config(), write=True)
    yield Following(memory, "s", str(tmp_path / "s.jsonl"), "claude-code")
    memory.close()


ASKED = f"Shall I put the token {KEY} into the settings?"
READERS: dict[str, list[dict[str, Any]]] = {  # hosts whose readers remember a question until it is answered
    "gemini": [
        {"sessionId": "s", "projectHash": "p", "kind": "main"},
        {"id": "u", "type": "user", "content": [{"text": "write the settings"}]},
        {"id": "m", "type": "gemini", "content": "", "toolCalls": [
            {"id": "q", "name": "ask_user", "args": {"questions": [{"question": ASKED}]}}]},
    ],
    "codex": [
        {"type": "session_meta", "payload": {"id": "s", "cwd": "/w"}},
        {"type": "response_item", "payload": {"type": "message", "role": "user", "content": [
            {"type": "input_text", "text": "write the settings"}]}},
        {"type": "response_item", "payload": {"type": "function_call", "name": "request_user_input", "call_id": "q",
                                              "arguments": json.dumps({"questions": [{"id": "a", "question": ASKED}]})}},
    ],
}  # fmt: skip


@pytest.mark.parametrize("host", READERS)
def test_what_a_reader_remembers_is_looked_through_for_secrets_too(tmp_path: Path, host: str) -> None:
    """A question waits for its answer, and is on the disk until then; what is no secret in it is still there."""
    path, workspace = tmp_path / "session.jsonl", tmp_path / "w"
    path.write_text("".join(json.dumps(line) + "\n" for line in READERS[host]))
    memory = Memory(str(workspace), Config(), write=True)
    memory.capture("s", str(path), host=host)
    memory.close()
    written = "".join(file.read_text() for file in workspace.rglob("*") if file.is_file() and file.name != "key")
    assert KEY not in written
    assert "Shall I put the token" in next((workspace / ".holdfast" / "cursors").glob("s-*.json")).read_text().split("capture")[0]


def tool_use(number: str, name: str, **given: Any) -> dict[str, Any]:
    """A call, as Claude Code writes it."""
    content = [{"type": "tool_use", "id": number, "name": name, "input": given}]
    return {"type": "assistant", "message": {"role": "assistant", "content": content}}


def came_back(number: str, text: str) -> dict[str, Any]:
    """What it gave back."""
    content = [{"type": "tool_result", "tool_use_id": number, "content": text}]
    return {"type": "user", "message": {"role": "user", "content": content}}


NOTICE = "<task-notification><task-id>b1</task-id><status>completed</status><result>{}</result></task-notification>"
LAUNCHED = "Async agent launched successfully.\nagentId: b1"
HANDED = {"subagent_type": f"kind {KEY}", "description": f"with {KEY}", "prompt": f"take {KEY}"}
FIELDS: dict[str, list[dict[str, Any]]] = {
    "what is handed to another agent": [tool_use("a", "Agent", **HANDED)],
    "what it came to": [tool_use("a", "Agent", **HANDED), came_back("a", f"It has {KEY} in it.\nagentId: a1b2 (to go on)")],
    "an agent in the background": [tool_use("a", "Agent", **HANDED), came_back("a", LAUNCHED)],
    "and its end": [tool_use("a", "Agent", **HANDED), came_back("a", LAUNCHED),
                    {"type": "queue-operation", "operation": "enqueue", "content": NOTICE.format(f"found {KEY}")}],
    "a command in the background": [tool_use("a", "Bash", command=f"serve --token {KEY}", description=f"with {KEY}"),
                                    came_back("a", f"Command running in background with ID: {KEY}")],
    "a service": [tool_use("a", "mcp__tracker__create_issue", title=f"Lost {KEY}"), came_back("a", f"made {KEY}")],
    "to-do items": [tool_use("a", "TodoWrite", todos=[{"content": f"renew {KEY}", "status": "pending"}]), came_back("a", "ok"),
                    tool_use("b", "TaskCreate", subject=f"renew {KEY}"), came_back("b", f"Task #1 created: {KEY}")],
    "a plan": [tool_use("a", "ExitPlanMode", plan=f"# Plan\nPut {KEY} into the settings")],
    "files": [tool_use("a", "Write", file_path=f"/w/{KEY}.py", content="x = 1"), came_back("a", "ok"),
              tool_use("b", "Bash", command=f"git mv {KEY}.py b-{KEY}.py && rm c-{KEY}.py"), came_back("b", "")],
}  # fmt: skip


@pytest.mark.parametrize("case", FIELDS)
def test_a_secret_is_kept_in_no_field_of_anything(tmp_path: Path, case: str) -> None:
    """Neither in what is saved nor in what is remembered until the next turn."""
    path, workspace = tmp_path / "session.jsonl", tmp_path / "w"
    asked = {"type": "user", "message": {"role": "user", "content": "write the settings, and never tell anybody"}}
    lines = [{"timestamp": "2026-11-15T10:00:00.000Z", "sessionId": "s", **line} for line in (asked, *FIELDS[case])]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    memory = Memory(str(workspace), Config(), write=True)
    memory.capture("s", str(path), host="claude-code")
    memory.close()
    written = {str(file): file.read_text() for file in workspace.rglob("*") if file.is_file() and file.name != "key"}
    assert [file for file, text in written.items() if KEY in text] == []
    assert any("[redacted:" in text for text in written.values())


BESIDE: dict[str, list[dict[str, Any]]] = {
    "tasks": [tool_use("a", "TaskCreate", subject="read"), came_back("a", "Task #1 created successfully: read"),
              tool_use("b", "TaskCreate", subject="write"), came_back("b", "Task #2 created successfully: write"),
              tool_use("c", "TaskUpdate", taskId="2", status="completed"), came_back("c", "Updated task #2 status")],
    "to-do items": [tool_use("a", "TodoWrite", todos=[{"content": text, "status": how} for text, how in
                    (("read", "completed"), ("write", "pending"))]), came_back("a", "ok")],
    "files": [tool_use("a", "Read", file_path="/w/read.py"), came_back("a", "x = 1"),
              tool_use("b", "Edit", file_path="/w/edited.py", old_string="x = ONE", new_string="x = TWO"), came_back("b", "ok"),
              tool_use("c", "mcp__filesystem__move_file", source="/w/edited.py", destination="/w/new.py"), came_back("c", "ok")],
    "a command": [tool_use("a", "Bash", command="make check", description="look"), came_back("a", "2 passed")],
    "another agent": [tool_use("a", "Agent", subagent_type="finder", description="find", prompt="find it"),
                      came_back("a", "It is in lib.\nagentId: a1b2 (to go on)")],
    "a plan": [tool_use("a", "ExitPlanMode", plan="# Plan\nFirst read, then write")],
    "a question": [tool_use("a", "AskUserQuestion", questions=[{"question": "Which rate?", "options": [{"label": "7"}]}])],
}  # fmt: skip


@pytest.mark.parametrize("case", BESIDE)
def test_what_stands_beside_a_secret_is_told_as_without_it(tmp_path: Path, case: str) -> None:
    """A secret is taken out of the text that it is in; all that was looked at with it is put back where it was."""
    told = []
    for number, word in enumerate(("nothing", KEY)):
        path = tmp_path / f"{number}.jsonl"
        asked = {"type": "user", "message": {"role": "user", "content": "write the settings, and never tell anybody"}}
        said = {"type": "assistant", "message": {"role": "assistant", "content": f"There is {word} in it."}}
        lines = [{"timestamp": "2026-11-15T10:00:00.000Z", "sessionId": "s", **line} for line in (asked, said, *BESIDE[case])]
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        with closing(Memory(str(tmp_path / f"w{number}"), Config(), write=True)) as memory:
            memory.capture("s", str(path), host="claude-code")
            told.append(re.sub(r"There is \S+ in it", "…", repr(memory.state("s"))))
    assert told[0] == told[1]
    assert "never tell anybody" in told[0]


def test_what_a_session_was_told_before_a_reset_stands_beside_its_next_transcript(tmp_path: Path) -> None:
    """A host that keeps the session's key and begins another file has not taken back what the user said in the first."""
    said = [("2026-11-15T10:00:00.000Z", "never touch the mill"), ("2099-11-15T10:00:00.000Z", "mend the lamp")]
    with closing(Memory(str(tmp_path / "w"), Config(), write=True)) as memory:
        for number, (time, text) in enumerate(said):
            path = tmp_path / f"{number}.jsonl"
            line = {"timestamp": time, "sessionId": "s", "type": "user", "message": {"role": "user", "content": text}}
            path.write_text(json.dumps(line) + "\n")
            memory.capture("s", str(path), host="claude-code")
        assert "never touch the mill" in memory.state("s").corrections
        assert memory.state("s").task == "mend the lamp"


@pytest.mark.parametrize("cursor", ["as it is", "without what was told", "gone"])
def test_what_another_version_has_told_is_the_transcripts_still(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cursor: str
) -> None:
    """A field is the transcript's while it is what was told last, in whatever words: an update makes nobody its owner. What an
    agent has set is the agent's. A cursor that does not say what was told, an older version's or a lost one, makes no difference.
    """
    path = tmp_path / "session.jsonl"
    said = [{"type": "user", "message": {"role": "user", "content": text}} for text in ("never touch the mill", "mend the lamp")]
    moments = ("2026-11-15T10:00:00.000Z", "2099-11-15T10:00:00.000Z")
    lines = [json.dumps({"timestamp": time, "sessionId": "s", **line}) + "\n" for time, line in zip(moments, said, strict=True)]
    worded = {"goal": "as it was worded then", "code": "$ grind\nthe error of then", "files": (("/w/mill.py", "ground twice"),)}
    draft = Capture.draft
    with closing(Memory(str(tmp_path / "w"), Config(), write=True)) as memory:
        with monkeypatch.context() as earlier:
            earlier.setattr(Capture, "draft", lambda self: {**draft(self), **worded})
            path.write_text(lines[0])
            memory.change("s", {"status": "the mill is closed"})
            memory.capture("s", str(path), host="claude-code")
        assert memory.state("s").goal == "as it was worded then"
        (kept,) = (tmp_path / "w" / ".holdfast" / "cursors").glob("s-*.json")
        if cursor == "gone":
            kept.unlink()
        elif cursor != "as it is":
            kept.write_text(json.dumps({name: value for name, value in json.loads(kept.read_text()).items() if name != "last"}))
        path.write_text("".join(lines))
        memory.capture("s", str(path), host="claude-code")
        state, newest = memory.state("s"), memory.latest("s")
        assert (state.goal, state.code, state.files, state.task[:13]) == ("never touch the mill", "", (), "mend the lamp")
        assert state.status == "the mill is closed"
        assert newest
        assert "from the transcript; set by others: status" in newest.body


AMONG = [
    ["plain words, and more of them"],
    ["an arrow → here", "größer"],
    ["plain", "an arrow →"] * 40,
    ["long " * 5000, "→ long " * 5000] * 4,
    ["", "", "x"],
]


@pytest.mark.parametrize("others", AMONG)
@pytest.mark.parametrize("secret", [f"token {KEY} in it", f"→ token {KEY} in it"])
def test_a_secret_is_taken_out_of_its_text_wherever_that_stands(following: Following, others: list[str], secret: str) -> None:
    """Texts are looked at in pieces: at each place among short and long ones, ASCII or not, met before or not."""
    for place in {0, len(others) // 2, len(others)}:
        texts = [*others[:place], secret, *others[place:], secret]
        for _ in range(2):
            washed = following._washed(texts)
            assert not any(KEY in text for text in washed)
            assert [text for text in washed if "[redacted:" not in text] == others
    assert following._washed(others) is others


def test_a_text_is_looked_through_for_secrets_once(following: Following, monkeypatch: pytest.MonkeyPatch) -> None:
    """The paths and commands of a session come again and again; what was found clean is known again, a secret never is."""
    looked: list[str] = []

    def noted(text: str, *key: Any) -> tuple[str, tuple[str, ...]]:
        looked.append(text)
        return redacted(text, *key)

    monkeypatch.setattr("holdfast.capture.following.redacted", noted)
    texts = ["src/some_module/file.py", f"export TOKEN={KEY}"]
    following._washed(texts[:1])
    following._washed(texts[:1])
    assert looked == texts[:1]
    assert KEY not in "".join(following._washed(texts) + following._washed(texts))
    assert sum(KEY in text for text in looked) == 4  # twice each: in its piece, and alone


SUMMARIES = [
    ([Event("summary", "what was before")], "what was before"),
    ([Event("summary", f"the token is {KEY}")], "the token is [redacted:"),
    ([Event("summary", "what was before"), Event("compaction")], "what was before"),
    ([Event("summary", "what was before"), Event("user", "go on")], ""),
    ([Event("summary", "first"), Event("user", "go on"), Event("summary", "second")], "second"),
]


@pytest.mark.parametrize(("events", "kept"), SUMMARIES)
def test_the_hosts_summary_is_kept_until_something_comes_after_it(following: Following, events: list[Event], kept: str) -> None:
    """The last one, washed."""
    capture = Capture(following._washed)
    capture.feed(following._clean_words(Event(event.kind, event.text) for event in events))
    assert capture.summary.startswith(kept) if kept else not capture.summary


WORDS = "The parser reads all three forms now, and every test of it is green."
TOLD = [
    ([WORDS], 1),  # a hook has told them, and the host writes them down
    ([" ".join(WORDS.split()) + "\n"], 1),
    ([WORDS, WORDS], 2),  # and once more, which is said twice
    (["Another thing was said first, at some length."], 2),
]


@pytest.mark.parametrize(("written", "answers"), TOLD)
def test_last_words_that_a_hook_has_told_count_once(tmp_path: Path, written: list[str], answers: int) -> None:
    """The host writes them some milliseconds after its hook has told them: they are known again by their digest."""
    path = tmp_path / "s.jsonl"

    def line(kind: str, text: str) -> str:
        content: Any = text if kind == "user" else [{"type": "text", "text": text}]
        return json.dumps({"type": kind, "sessionId": "s", "uuid": "u", "message": {"content": content}}) + "\n"

    path.write_text(line("user", "please mend the parser, always with a test"))
    kept: dict[str, Any] = {}
    for said, more in ((WORDS, written), ("", [])):
        memory = Memory(str(tmp_path / "w"), Config(), write=True)
        following = Following(memory, "s", str(path), "claude-code")
        following.read_on(said)
        following.keep()
        kept = following._kept()
        memory.close()
        with path.open("a") as file:
            file.write("".join(line("assistant", text) for text in more))
    assert len(kept["capture"]["answers"]) == answers
    assert not kept["ahead"]


def test_a_row_of_anything_stalls_no_hook() -> None:
    """Expressions that go through a text again from each of its places take minutes for one of these; all take seconds."""
    units = ["(", "=", "1 ", "a:", "a.b", "/a", "Aa", "a", "'", "- ", "error ", "A.b:1 ", "git commit ", "? "]
    units += ["<<E", "<<E\n", "<< E\n", "E\n", "\r", "\x1b]", "\x1b[1"]
    code = f"""
from holdfast.capture.outcomes import as_shown, error_in
from holdfast.capture.signs import question_in
from holdfast.transcripts.shell import commit_subject, steps_of
for unit in {units!r}:
    for look in (as_shown, error_in, commit_subject, question_in, steps_of):
        look("\\r\\x1bgit commit " + unit * (40_000 // len(unit)) + " error?")
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


# ---- what a capture saves ----------------------------------------------------------------------------------------------

WORK = [
    {"type": "user", "message": {"role": "user", "content": "mend the lamp in the hall, and never use glue"}},
    tool_use("a", "Edit", file_path="/w/lamp.py", old_string="x = ONE", new_string="x = TWO"),
    came_back("a", "ok"),
]
TALK = [
    {"type": "user", "message": {"role": "user", "content": "what is two and two?"}},
    {"type": "assistant", "message": {"role": "assistant", "content": "Four."}},
]
OCCASIONS = {  # by its trigger: how many blocks the day gets, and what the history of the topic says
    "pre-compaction": (1, "Auto-saved before compaction"),
    "session-end": (1, "Auto-saved at the end of the session"),
    "turn-end": (0, ""),
}


def _transcript(path: Path, lines: list[dict[str, Any]]) -> str:
    lines = [{"timestamp": "2026-11-15T10:00:00.000Z", "sessionId": "s", **line} for line in lines]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(path)


def _day(workspace: Path) -> str:
    return "".join(path.read_text() for path in (workspace / "memory").glob("2*.md"))


@pytest.mark.parametrize("topic", ["", "lamp"])
@pytest.mark.parametrize("trigger", OCCASIONS)
def test_a_capture_saves_what_its_occasion_calls_for(tmp_path: Path, trigger: str, topic: str) -> None:
    """A block with its moment in the day and a line in the history of the topic that is bound; at the end of a turn neither, and
    then the next occasion owes the block, also where nothing was said since. Once it is there, it is not told again.
    """
    workspace, path = tmp_path / "w", _transcript(tmp_path / "session.jsonl", WORK)
    blocks, history = OCCASIONS[trigger]
    with closing(Memory(str(workspace), Config(), write=True)) as memory:
        if topic:
            memory.bind("s", topic)
        assert memory.capture("s", path, host="claude-code", trigger=trigger)
        moments = re.findall(r"<!-- timestamp: (.*) -->", _day(workspace))
        assert len(moments) == blocks
        assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", moment) for moment in moments)
        page = workspace / "memory/context-lamp.md"
        assert page.exists() is bool(topic and history)
        assert not page.exists() or page.read_text().count(history) == 1
        assert bool(memory.capture("s", path, host="claude-code")) is (trigger == "turn-end")
        assert memory.capture("s", path, host="claude-code") is None
        assert _day(workspace).count("<!-- timestamp: ") == 1


@pytest.mark.parametrize("trigger", OCCASIONS)
def test_a_question_and_its_answer_are_not_saved(tmp_path: Path, trigger: str) -> None:
    """Nothing was done in it: no block and no record, whatever the occasion."""
    workspace, path = tmp_path / "w", _transcript(tmp_path / "session.jsonl", TALK)
    with closing(Memory(str(workspace), Config(), write=True)) as memory:
        assert memory.capture("s", path, host="claude-code", trigger=trigger) is None
        assert list(memory.journal.records()) == []
    assert _day(workspace) == ""
