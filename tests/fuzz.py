"""Long fuzzing of everything that reads: `python tests/fuzz.py SECONDS` splits the time over the targets.

Each target takes any text, calls one reader and checks its invariant. A finding is a traceback and an exit code other than
0; the input that led to it is printed. The same targets are tried for a moment by tests/promises/test_k2_parsers_are_total.py
with hypothesis; this program needs atheris, which steers by coverage.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable

if sys.argv[1:2] == ["--target"]:  # instrumented before anything else imports it; the rest of the world is of no interest
    import atheris  # type: ignore[import-untyped, unused-ignore]

    with atheris.instrument_imports(include=["holdfast"]):
        import holdfast.briefing.recovery
        import holdfast.commands.other
        import holdfast.guard.framing
        import holdfast.guard.redaction  # noqa: F401

from holdfast.briefing.attribution import without_blocks
from holdfast.cli import taken_apart
from holdfast.commands.other import understood
from holdfast.documents import bindings, markdown, sections, topic_pages
from holdfast.errors import HoldfastError
from holdfast.guard.echo import Given, entry
from holdfast.guard.entering import is_invisible, redacted
from holdfast.guard.framing import disarmed, framed, visible
from holdfast.model import Checkpoint
from holdfast.storage import journal
from holdfast.transcripts.words import without_ours

STAMP = {"written at": "2026-11-15T10:00:00", "trigger": "agent", "session": "s", "record": "20261115-100000-000000-aaaaaaaa"}


def _sections(text: str) -> None:
    for name_of in (sections.heading, sections.snapshot_heading):
        assert sections.join(sections.parse(text, name_of)) == text
    assert "".join(sections.lines_of(text)) == text


def _chunks(text: str) -> None:
    body = sections.lines_of(text)
    assert sorted(line for chunk in sections.chunks(body) for line in chunk.lines) == sorted(body)


def _state(text: str) -> None:
    state = markdown.read_state(text)
    assert Checkpoint(**state.__dict__) == state, "a state that was read is not in its one valid form"
    assert markdown.read_state(markdown.write_state("", state, STAMP)) == state


def _stamps(text: str) -> None:
    assert set(markdown.stamps(text)) <= {"written at", "trigger", "session", "record"}
    markdown.read_torn(text, markdown.read_state(text))
    markdown.is_torn(text)


def _block(text: str) -> None:
    block = markdown.read_block(text)
    assert markdown.read_block(markdown.show_block(block)).state == block.state
    markdown.block_in(text)


def _blocks(text: str) -> None:
    lines = sections.lines_of(text)
    for number, block in markdown.blocks(text):
        assert "".join(lines[number - 1 :]).startswith(block.split("\n", 1)[0])
    without_blocks(text)


def _topic(text: str) -> None:
    topic_pages.read_topic(text)
    change = topic_pages.TopicChange("t", "2026-11-15", "s", "status", ("d",), ("h",))
    again = topic_pages.read_topic(topic_pages.write_topic(text, change)[0])
    assert again.updated == "2026-11-15"


def _note(text: str) -> None:
    kind, note = markdown.read_note(text)
    assert isinstance(kind + note, str)


def _bindings(text: str) -> None:
    found = bindings.read_bindings(text)
    result = bindings.write_bindings(text, {"session": "topic"}).encode("utf-8", "surrogateescape")
    assert bindings.read_bindings(result.decode("utf-8", "surrogateescape"))["session"] == "topic"
    assert all(isinstance(topic, str) for topic in found.values())


def _record(text: str) -> None:
    found = journal.parse(text)
    assert found is None or journal.parse(journal.render(found)) == found


def _words(text: str) -> None:
    try:
        taken_apart(text.split("\n")).number("back", 0)
    except HoldfastError:
        pass


def _json(text: str) -> None:
    try:
        told = json.loads(text)
        found = understood(told)[0] if isinstance(told, dict) else {}
    except (HoldfastError, ValueError, RecursionError):  # the last two are json's own answer, made a sentence by the caller
        return
    Checkpoint().after(found)


def _redacted(text: str) -> None:
    shown, kinds = redacted(text)
    assert kinds or shown == text


KEY = b"a key that nobody has guessed"
# What hosts and models keep for themselves, told in another way than framing.py tells it.
RESERVED = ("<system-reminder", "</system-reminder", "<|", "[inst]", "[/inst]", "<<sys", "<</sys", "<s>", "</s>")
RESERVED += ("<hook_context", "</hook_context", "<private", "</private", "<function_calls", "<invoke", "<thinking")
SPEAKERS = ("human", "assistant", "system", "user", "developer")
JOINERS = "\u200c\u200d\ufe0e\ufe0f\U000e007f"  # which scripts, emoji and three flags need


def _frame(text: str) -> None:
    """Any memory, framed: it cannot end the frame, nor begin another, nor speak as the host, the user or the model."""
    shown = framed(text, KEY)
    first, _, rest = shown.partition("\n")
    inside, _, last = rest.removesuffix("\n").rpartition("\n")
    mark = first.removeprefix("--- memory ").removesuffix(" ---")
    assert (first, last) == (f"--- memory {mark} ---", f"--- end {mark} ---")
    assert len(mark) == 10
    assert mark.isalnum()
    for line in inside.splitlines():  # at whatever some program takes for the end of a line
        words = line.strip().lower()
        assert not words.lstrip("> |*").startswith(("--- memory ", "--- end ")), "a mark that is not ours"
        assert not any(words.startswith((f"{who}:", f"{who} :")) for who in SPEAKERS), "somebody speaks"
    assert not [word for word in RESERVED if word in inside.lower()]
    assert not [c for c in inside if is_invisible(c) and c not in JOINERS and not "\U000e0061" <= c <= "\U000e007a"]
    assert len(disarmed(visible(text))) == len(visible(text))
    assert disarmed(inside) == inside
    assert without_ours(f"before\n{shown}behind") == "before\nbehind", "our own reader takes it out, and not a word more"


def _echo(text: str) -> None:
    """Any text, given: nothing of it comes back that is long enough to be known, and what was not given stays."""
    given = Given(entry(text, 1.0, "s"))
    new = "Nothing of this line was ever given to anybody at all"
    assert new in given.news(f"{new}\n\n{text}")
    assert given.news(new, how="typed") == new
    Given(text.encode("utf-8", "surrogateescape"), "s").news(text, 1.0)


TARGETS: dict[str, Callable[[str], None]] = {
    "sections": _sections,
    "chunks": _chunks,
    "state": _state,
    "stamps": _stamps,
    "block": _block,
    "blocks": _blocks,
    "topic": _topic,
    "note": _note,
    "bindings": _bindings,
    "record": _record,
    "words": _words,
    "json": _json,
    "redacted": _redacted,
    "frame": _frame,
    "echo": _echo,
}
WORDS = (
    "## Current Task", "## Key Context", "## Names & Values", "## Current State", "### [SNAPSHOT] ", "<!-- ", " -->", "- [ ] ",
    "<strong>", "</strong>", "**", "none", "\\\\", "1. ", "holdfast: ", "timestamp: ", "BIG-MEMORY-SNAPSHOT v1", "- Phase: ",
    "topic", "history", "files", "path", "--back", "--", "holdfast-record: 1", "\\xef\\xbb\\xbf", "\\x0d\\x0a", "\\xed\\xb2\\x80",
    "--- memory ", "--- end ", " ---", "<system-reminder>", "</", "<|", "[INST]", "<<SYS", "Human:", "Assistant :", "```", "~~~",
    "\\xe2\\x80\\xa8", "\\xe2\\x80\\x8d", "\\xc2\\x85", "\\xc2\\xa0", "# Where we left off (Holdfast)",
)  # fmt: skip


def fuzz(target: str, seconds: int) -> None:
    """One target in this process, until the time is over or something is found."""
    check = TARGETS[target]

    def one(data: bytes) -> None:
        check(data.decode("utf-8", "surrogateescape"))

    # The dictionary goes through a pipe: no file is left behind.
    reading, writing = os.pipe()
    os.write(writing, "\n".join('"' + word.replace('"', '\\"') + '"' for word in WORDS).encode())
    os.close(writing)
    options = [f"-max_total_time={seconds}", "-timeout=20", "-max_len=4096", "-print_final_stats=1", f"-dict=/dev/fd/{reading}"]
    atheris.Setup([sys.argv[0], *options], one)
    atheris.Fuzz()


def main(seconds: int) -> int:
    """Each target in a process of its own, one after the other."""
    try:
        import atheris  # noqa: F401
    except ImportError:
        print("fuzz: atheris is not installed; `make fuzz` installs it")
        return 2
    share = max(1, seconds // len(TARGETS))
    found = 0
    for name in TARGETS:
        command = [sys.executable, os.path.abspath(__file__), "--target", name, str(share)]
        with tempfile.TemporaryDirectory() as folder:  # libFuzzer leaves what it found where it runs; it is printed as well
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, cwd=folder)
        runs = next((line.split()[-1] for line in done.stderr.splitlines() if "number_of_executed_units" in line), "?")
        print(f"{name:<10} {runs:>9} runs in {share} s  {'ok' if done.returncode == 0 else 'FOUND'}", flush=True)
        if done.returncode:
            found += 1
            print(done.stdout[-2000:] + done.stderr[-4000:], flush=True)
    return 1 if found else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--target"]:
        fuzz(sys.argv[2], int(sys.argv[3]))
    else:
        sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else 60))
