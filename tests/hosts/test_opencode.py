"""opencode itself: a session in a folder that nobody set up is compacted, goes on, and has its past again.

The host is the real program, with a model of ours on loopback, in a home of its own into which `holdfast init opencode` has
written. It serves many sessions from one process, each test in a folder of its own; one test has it answer a single prompt.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hosts.chat_model import MUCH, Model
from hosts.gateway import until
from hosts.programs import installed
from kept_receipts import by_hooks

PACKAGE, OLDER = "opencode-ai@1.18.33", "opencode-ai@1.18.26"
BRIEF, NOTE = "# Where we left off (Holdfast)", "# Open in this project (Holdfast)"
GO_ON, QUESTION = "Until then do not stop to ask.", "Does this match where we left off?"
ASKED = "set the reduced rate to 7 percent, and never touch the old invoices\nRUN: echo REDUCED_RATE=0.07 | tee rates.txt"


class Host:
    """opencode in a home of its own."""

    def __init__(self, folder: Path, model: Model) -> None:
        self.model, self.home, self.package = model, folder / "of the host", PACKAGE
        self.settings = self.home / ".config" / "opencode" / "opencode.json"
        self.settings.parent.mkdir(parents=True)
        self.own = json.dumps({"$schema": "https://opencode.ai/config.json", **model.settings()}, indent=2) + "\n"
        self.settings.write_text(self.own)
        off = ("AUTOUPDATE", "MODELS_FETCH", "LSP_DOWNLOAD")
        self.env = {"PATH": os.environ["PATH"], "HOME": str(self.home), **{f"OPENCODE_DISABLE_{name}": "1" for name in off}}
        self.env["TMPDIR"] = str(self.home)  # each of its processes leaves a library of 5 MB behind
        self.plugin = self.settings.parent / "plugins" / "holdfast.js"
        self.process: subprocess.Popen[str] | None = None

    @property
    def program(self) -> str:
        """The program itself, without the script that chooses it."""
        return str(installed(self.package).parent / "opencode-linux-x64" / "bin" / "opencode")

    def holdfast(self, *words: str, cwd: Path | None = None) -> str:
        """A command of ours, as the user of this home gives it."""
        argv = [sys.executable, "-m", "holdfast", *words]
        return subprocess.run(argv, cwd=cwd or self.home, env=self.env, check=True, capture_output=True, text=True).stdout

    def start(self) -> None:
        """Serve, on loopback."""
        self.process = subprocess.Popen(
            [self.program, "serve", "--hostname", "127.0.0.1", "--port", "0"], cwd=self.home, env=self.env,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        assert self.process.stdout
        late = threading.Timer(90, self.process.kill)
        late.start()
        for line in self.process.stdout:
            if found := re.search(r"listening on (http\S+)", line):
                self.url = found[1]
                break
        late.cancel()
        self.reader = threading.Thread(target=self.process.stdout.read, daemon=True)  # so that it never waits for one
        self.reader.start()

    def stop(self) -> None:
        """End it, as a user who closes the window."""
        if self.process and self.process.stdout:
            self.process.terminate()
            self.process.wait(20)
            self.reader.join(20)
            self.process.stdout.close()
            self.process = None

    def post(self, path: str, folder: Path, data: dict[str, Any]) -> Any:
        """Ask the server for something in a folder."""
        asked = urllib.request.Request(
            f"{self.url}{path}?directory={urllib.parse.quote(str(folder))}",
            json.dumps(data).encode(),
            {"content-type": "application/json"},
        )
        with urllib.request.urlopen(asked, timeout=120) as answer:
            return json.loads(answer.read() or b"null")

    def receipts(self, folder: Path) -> list[dict[str, Any]]:
        """What our hooks did for a folder."""
        (path,) = self.home.rglob(f"projects/{folder.name}-*/.holdfast/receipts.jsonl")
        return by_hooks(path)

    def deliveries(self, folder: Path, count: int) -> list[str]:
        """What became of briefs, as soon as so many are known: a turn is told of after its answer."""
        for _ in range(200):
            found = [receipt["delivery"]["is"] for receipt in self.receipts(folder) if "delivery" in receipt]
            if len(found) >= count:
                break
            time.sleep(0.1)
        return found


class Session:
    """One session in a folder."""

    def __init__(self, host: Host, folder: Path, parent: str = "") -> None:
        self.host, self.folder = host, folder
        folder.mkdir(exist_ok=True)
        self.id = host.post("/session", folder, {"parentID": parent} if parent else {})["id"]

    def says(self, prompt: str) -> list[dict[str, Any]]:
        """One prompt; what the model was asked for it."""
        before = len(self.host.model.requests)
        parts = [{"type": "text", "text": prompt}]
        answer = self.host.post(f"/session/{self.id}/message", self.folder, {"parts": parts})
        assert "The rate is set." in json.dumps(answer["parts"])
        return self.host.model.requests[before:]

    def undoes(self, prompt: str) -> None:
        """Say something, and take it back, as /undo does."""
        parts = [{"type": "text", "text": prompt}]
        answer = self.host.post(f"/session/{self.id}/message", self.folder, {"parts": parts})
        self.host.post(f"/session/{self.id}/revert", self.folder, {"messageID": answer["info"]["parentID"]})

    def compacts(self) -> None:
        """As /compact does."""
        self.host.post(f"/session/{self.id}/summarize", self.folder, {"providerID": "ours", "modelID": "one"})


def texts(asked: dict[str, Any]) -> str:
    """All that a request says."""
    return json.dumps(asked["messages"], ensure_ascii=False)


def given(asked: dict[str, Any], what: str = BRIEF) -> list[tuple[str, str]]:
    """(role, text) of our briefs in a request."""
    return [(message["role"], message["content"]) for message in asked["messages"] if what in json.dumps(message["content"])]


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """A host with a model, into which Holdfast is installed."""
    model = Model()
    found = Host(tmp_path_factory.mktemp("opencode"), model)
    found.holdfast("init", "opencode", "--yes")
    try:
        found.start()
        yield found
    finally:
        found.stop()
        model.close()


def test_a_session_that_is_compacted_carries_on(host: Host, tmp_path: Path) -> None:
    """Within the turn, by itself; and with the next prompt, as the user asked for it. The summariser is told what to keep."""
    session = Session(host, tmp_path / "carries-on")
    session.says(ASKED)
    host.model.used = MUCH
    before_it, after_it = session.says("is it set?\nRUN: cat rates.txt")
    assert given(before_it) == []
    ((role, brief),) = given(after_it)
    assert role == "system"
    for fact in ("never touch the old invoices", "REDUCED_RATE"):
        assert fact in brief
    assert (GO_ON in brief, QUESTION in brief) == (True, False)  # in the midst of a turn
    session.compacts()
    ((_, again),) = given(session.says("go on")[-1])
    assert "never touch the old invoices" in again
    assert (GO_ON in again, QUESTION in again) == (False, True)  # the user has asked for it, and is next
    assert [BRIEF in texts(asked) for asked in (*host.model.titles, *host.model.summaries)] == [False] * 3
    told = "keep the following exactly as written here"
    assert all(told in texts(asked) and "REDUCED_RATE" in texts(asked).partition(told)[2] for asked in host.model.summaries)
    did = host.receipts(session.folder)
    assert [receipt["did"] for receipt in did if "failed" in receipt] == []
    assert any("the host's summary kept" in receipt["did"] for receipt in did)
    assert sorted(path.name for path in session.folder.iterdir()) == ["rates.txt"]


def test_what_was_undone_is_not_worked_on_and_what_was_said_then_is(host: Host, tmp_path: Path) -> None:
    """Every turn was told by hooks as it was: the undone one too, before it was undone."""
    session = Session(host, tmp_path / "undone")
    session.says(ASKED)
    session.undoes("drop the table of old customers, and always with force\nRUN: echo DROPPED_TABLE=1")
    session.says("print the rates once more, and never round them\nRUN: echo ROUNDING_OF_RATES=none")
    session.compacts()
    ((_, brief),) = given(session.says("go on")[-1])
    for said in ("never touch the old invoices", "print the rates once more, and never round them"):
        assert said in brief
    assert "drop the table" not in brief
    assert [receipt["did"] for receipt in host.receipts(session.folder) if "failed" in receipt] == []


def test_an_upgrade_of_opencode_loses_nothing_and_wants_nothing_done_again(tmp_path: Path) -> None:
    """Begun under an older one: the session goes on under the newer, is compacted, and has its past."""
    model = Model()
    host = Host(tmp_path, model)
    host.holdfast("init", "opencode", "--yes")
    try:
        host.package = OLDER
        host.start()
        session = Session(host, tmp_path / "goes-on")
        session.says(ASKED)
        host.stop()
        host.package = PACKAGE
        host.start()
        session.says("is it set?")
        session.compacts()
        ((_, brief),) = given(session.says("go on")[-1])
        assert "never touch the old invoices" in brief
        assert [receipt["did"] for receipt in host.receipts(session.folder) if "failed" in receipt] == []
        assert "nothing to do" in host.holdfast("init", "opencode", "--yes")
    finally:
        host.stop()
        model.close()


def test_ten_turns_and_two_resumes_grow_by_nothing_of_ours(host: Host, tmp_path: Path) -> None:
    """One brief in each request, byte by byte the same while the host runs: the caches of models hold."""
    folder = tmp_path / "ten-turns"
    session = Session(host, folder)
    session.says(ASKED)
    session.compacts()
    counts, briefs = [], []
    for turns in (range(4), range(4, 7), range(7, 10)):
        found = [given(session.says(f"now part {number} of the work")[-1]) for number in turns]
        counts += [len(brief) for brief in found]
        briefs.append({brief[0] for brief in found})
        host.stop()
        host.start()
    assert counts == [1] * 10
    assert [len(found) for found in briefs] == [1, 1, 1]
    sizes = [len(text) for found in briefs for _, text in found]
    assert max(sizes) < 4000


def test_a_new_session_is_told_where_the_last_one_left_off(host: Host, tmp_path: Path) -> None:
    """In a note, from its first request on; a subagent is left alone, and a user who asks for the past gets the brief at once."""
    folder = tmp_path / "new-session"
    Session(host, folder).says(ASKED)
    session = Session(host, folder)
    first, second = session.says("hello")[-1], session.says("and now?")[-1]
    assert given(first, NOTE) == given(second, NOTE)
    assert "never touch the old invoices" in given(first, NOTE)[0][1]
    assert given(first) == []
    asked = session.says("you forgot what I told you about the invoices")[-1]
    assert [role for role, _ in given(asked)] == ["user"]
    aside = Session(host, folder, parent=session.id).says("look around")[-1]
    assert given(aside) + given(aside, NOTE) == []


OTHER = """export const Other = async () => ({
  "experimental.chat.system.transform": async (_, { system }) => {
    for (const [at, part] of system.entries()) system[at] = part.split("# Where we left off")[0]
    system.push = () => system.length  // whichever of the two plugins comes first
  },
})
"""


def test_a_brief_that_does_not_reach_the_request_is_known_and_comes_another_way(host: Host, tmp_path: Path) -> None:
    """Another plugin takes it out of the system prompt: it stands beside the next prompt instead, and that one has arrived."""
    session = Session(host, tmp_path / "delivery")
    session.says(ASKED)
    session.compacts()
    assert given(session.says("go on")[-1])
    assert host.deliveries(session.folder, 1) == ["arrived"]
    other = host.plugin.with_name("other.js")
    other.write_text(OTHER)
    host.stop()
    host.start()
    try:
        assert given(session.says("go on")[-1]) == []
        assert host.deliveries(session.folder, 2) == ["arrived", "vanished"]
        assert [role for role, _ in given(session.says("and on")[-1])] == ["user"]
        assert host.deliveries(session.folder, 3) == ["arrived", "vanished", "arrived"]
    finally:
        other.unlink()
        host.stop()
        host.start()
    told = json.loads(host.holdfast("doctor", "--json", cwd=session.folder))["hosts"]["opencode"]
    assert (told["given"], told["arrived"], told["vanished"], told["not_known_yet"]) == (3, 2, 1, 0)


def test_a_session_that_no_hook_saw_is_captured(host: Host, tmp_path: Path) -> None:
    """It was had before `init`, in a folder that nobody set up: the next one has a note of it."""
    host.stop()
    host.holdfast("uninstall", "opencode", "--yes")
    host.start()
    Session(host, tmp_path / "unseen").says(ASKED)
    host.stop()
    host.holdfast("init", "opencode", "--yes")
    host.start()
    ((_, note),) = given(Session(host, tmp_path / "unseen").says("hello")[-1], NOTE)
    for fact in ("never touch the old invoices", "Shall I round per line or per invoice?"):
        assert fact in note
    assert any("of the session before" in receipt["did"] for receipt in host.receipts(tmp_path / "unseen"))


def test_the_real_client_uses_the_tools(host: Host, tmp_path: Path) -> None:
    """The model calls `note`, and the note is in memory; its answer goes back to the model."""
    session = Session(host, tmp_path / "tools")
    call = 'CALL: holdfast_note {"text": "the ledger is closed on the third working day"}'
    first, second = session.says(f"remember this\n{call}")
    tools = {tool["function"]["name"] for tool in first["tools"]}
    assert {f"holdfast_{name}" for name in ("recover", "checkpoint", "note", "search", "show", "status")} <= tools
    assert "saved" in texts(second)
    assert "third working day" in host.holdfast("search", "ledger closed", cwd=session.folder)


def test_a_single_prompt_is_saved_before_the_host_ends(host: Host, tmp_path: Path) -> None:
    """`opencode run`: the process is over in the moment in which the turn is."""
    folder = tmp_path / "single"
    folder.mkdir()
    done = subprocess.run(
        [host.program, "run", ASKED], cwd=folder, env=host.env,
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "never touch the old invoices" in host.holdfast("recover", cwd=folder)

    def saved() -> bool:
        return [receipt["event"] for receipt in host.receipts(folder) if "saved" in receipt["did"]] == ["turn", "end"]

    assert until(saved)  # on a busy machine the host is let go before the receipt is written


FAULTS: dict[str, str] = {
    "it fails": "#!/bin/sh\necho garbled\necho garbled >&2\nexit 3\n",
    "it hangs": "#!/bin/sh\nexec sleep 60\n",
    "it is killed": "#!/bin/sh\necho garbled\nkill -9 $$\n",
    "it is gone": "",
}


@pytest.fixture
def changed(host: Host) -> Iterator[Callable[[Path], None]]:
    """Have the plugin call another program; afterwards all is as it was."""
    before = host.plugin.read_text()

    def change(program: Path) -> None:
        host.stop()
        host.plugin.write_text(re.sub(r"const COMMAND = .*", f"const COMMAND = [{json.dumps(str(program))}]", before))
        host.start()

    yield change
    host.stop()
    host.plugin.write_text(before)
    host.start()


def test_a_broken_holdfast_changes_nothing_for_the_host(host: Host, tmp_path: Path, changed: Callable[[Path], None]) -> None:
    """Whatever it does, the answer is there, the compaction too, and no request has a word of it."""
    broken = tmp_path / "broken"
    changed(broken)
    for number, (fault, program) in enumerate(FAULTS.items()):
        broken.unlink(missing_ok=True)
        if program:
            broken.write_text(program)
            broken.chmod(0o755)
        session = Session(host, tmp_path / f"fault-{number}")
        asked = session.says(ASKED)
        session.compacts()
        asked += session.says("go on")
        assert (session.folder / "rates.txt").read_text() == "REDUCED_RATE=0.07\n", fault
        assert not any("garbled" in texts(request) or BRIEF in texts(request) for request in asked), fault


def test_uninstall_gives_the_bytes_back_though_the_host_has_run(host: Host, tmp_path: Path) -> None:
    """The settings byte for byte; of what we made nothing is left, and the host goes on without us."""
    Session(host, tmp_path / "uninstalled").says("hello")
    host.stop()
    host.holdfast("uninstall", "opencode", "--yes")
    try:
        assert host.settings.read_text() == host.own
        left = [path.name for path in host.settings.parent.iterdir()]
        assert not {"plugins", "AGENTS.md"} & set(left)
    finally:
        host.holdfast("init", "opencode", "--yes")
        host.start()


def test_what_the_agent_sets_by_a_command_is_of_its_session(host: Host, tmp_path: Path) -> None:
    """The plugin tells a command which session it runs in."""
    session = Session(host, tmp_path / "sets")
    session.says(f"round it\nRUN: {Path(sys.executable).parent}/holdfast decide 'round per line, not per invoice'")
    session.compacts()
    ((_, brief),) = given(session.says("go on")[-1])
    assert "Decisions (as set):\n- round per line, not per invoice" in brief
