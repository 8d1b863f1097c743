"""The command line: read the words, call Memory, print. Exit codes are an interface (docs/commands.md).

    0 done · 1 checked and found wanting · 2 the request cannot be carried out as given · 70 a fault of ours · 74 the disk refused

The words are taken apart by hand, from the table below: argparse for twenty commands costs more than saving a record does.
What is not on the path of a hook (views, set-up, demo) is imported where it is used.
"""

from __future__ import annotations

import os
import sys

from .errors import HoldfastError, UserError
from .terminal import BYTE_FOR_BYTE, CleanStream, escape_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, NoReturn

    from .config import Config
    from .memory import Memory
    from .storage.writing import Saved

_HELD = 16 << 20  # bytes of an answer that are held back; no more of it is touched than there is to say
# Bytes of a text on standard input. 50 MB of a binary as a note, by mistake, took 87 seconds, and no brief came in time after it.
_LONGEST = 1_000_000
ANYWHERE = {"workspace": "DIR", "session": "KEY", "json": "", "help": "", "version": ""}


class Words:
    """A command line taken apart."""

    __slots__ = ("command", "flags", "texts")

    def __init__(self, command: str, texts: list[str], flags: dict[str, list[str]]) -> None:
        self.command, self.texts, self.flags = command, texts, flags

    def one(self, flag: str, otherwise: str = "") -> str:
        """The last value of a flag."""
        return self.flags.get(flag, [otherwise])[-1]

    def has(self, flag: str) -> bool:
        """Whether a flag was given."""
        return flag in self.flags

    def number(self, flag: str, otherwise: int, least: int = 0) -> int:
        """A flag's value as a whole number."""
        text = self.one(flag, str(otherwise))
        if not (text.isascii() and text.isdigit() and len(text) < 10) or int(text) < least:
            raise UserError(f"--{flag} takes a whole number from {least}, not {text!r}. Nothing was changed.")
        return int(text)

    def text(self, what: str) -> str:
        """All the words as one text, as they are; `-` alone means standard input."""
        if self.texts == ["-"]:
            data = sys.stdin.buffer.read(_LONGEST + 1)
            if len(data) > _LONGEST:
                what = f"Standard input has more than {_LONGEST:,} bytes, and a text is one thing. Nothing was changed."
                raise UserError(f"{what} Keep it as a file (`holdfast write FILE`), and say where it is.")
            return data.decode("utf-8", "surrogateescape")
        text = " ".join(self.texts)
        if not text.strip():
            raise UserError(f"Say {what}: `holdfast {self.command} TEXT`. Nothing was changed.")
        return text


# ---- the commands ------------------------------------------------------------------------------------------------------
# name: (what it takes, what it is for, its own flags with what they take, "" for a switch)

CHECKPOINT_FLAGS = {
    "topic": "NAME", "goal": "TEXT", "phase": "WORD", "branch": "NAME", "blocked": "BY-WHAT", "progress": "TEXT",
    "status": "TEXT", "task": "TEXT", "exchange": "TEXT", "unanswered": "TEXT", "decision": "TEXT", "in-flight": "TEXT",
    "correction": "TEXT", "file": "'PATH -- what'", "code": "TEXT", "name": "'KIND: VALUE'", "blocker": "TEXT",
    "question": "TEXT", "next": "TEXT", "tone": "TEXT", "history": "TEXT", "done": "TEXT", "trigger": "WORD",
}  # fmt: skip

COMMANDS: dict[str, tuple[str, str, dict[str, str]]] = {
    "demo": ("", "the whole story in one go, on a throw-away workspace", {}),
    "init": ("[HOST|schedule]", "put Holdfast into a host (openclaw, claude-code, codex, gemini, opencode), or set up a "
             "workspace here; shows what it will write first",
             {"yes": "", "layout": "v4", "project": "", "no-rules": "", "no-switch": "", "full": ""}),
    "uninstall": ("HOST", "take Holdfast out of a host again: the bytes that were there before",
                  {"yes": "", "project": "", "full": "", "purge": ""}),
    "status": ("", "what is known, how old it is, and what to do next", {}),
    "checkpoint": ("[-]", "save the whole working state: from flags, or JSON on stdin with `-`", CHECKPOINT_FLAGS),
    "import": ("[HOST|FILE]...", "checkpoints and day entries from the sessions that are on this machine; safe to repeat",
               {"all": "", "since": "DATE", "dry-run": ""}),
    "sessions": ("", "what the sessions of the last days have left open here, the weightiest and newest first", {}),
    "recover": ("[N]", "the brief, as the agent would get it after a compaction; with N, of a session that `sessions` lists",
                {"back": "N", "max-chars": "N", "host": "HOST"}),
    "tail": (
        "[SESSION|FILE]",
        "the end of a session's transcript, cut so that it never floods a context",
        {"entries": "N", "entry-chars": "N", "max-chars": "N", "full": "ID", "raw": "", "host": "HOST"},
    ),
    "search": ("QUERY", "find it again: any words, \"an exact phrase\", in any language",
               {"limit": "N", "type": "PREF|PROJ|TECH|LESSON|PEOPLE|TEMP", "topic": "NAME", "since": "DAY", "transcripts": ""}),
    "tags": ("[TAG]", "the tags, and the files that have them", {}),
    "show": ("latest|state|ID|TOPIC|DAY", "one thing, whole", {}),
    "task": ("TEXT", "what is being worked on", {}),
    "decide": ("TEXT", "a decision that was made", {}),
    "context": ("KEY VALUE", "something to know, by its name; a later value replaces it", {}),
    "pending": ("TEXT", "something still to be done", {}),
    "done": ("TEXT", "tick the pending action that matches, or record it as done", {}),
    "blocker": ("TEXT", "what stands in the way; `none` when nothing does any more", {}),
    "note": ("TEXT", "a fact for the day's file", {"type": "PREF|PROJ|TECH|LESSON|PEOPLE|TEMP"}),
    "snapshot": ("", "keep the working state as it is", {}),
    "restore": ("[NAME]", "bring a kept working state back; the newest where none is named", {"list": ""}),
    "topic": ("list | read NAME | bind NAME | unbind | rename OLD NEW", "threads of work that outlive sessions", {}),
    "cache": ("set KEY VALUE | get KEY | list | clear", "values for this session only, gone with it", {}),
    "upkeep": ("[archive|rotate|promote|classify|review|trash]", "keep memory in order; nothing is destroyed, it may be repeated",
               {"dry-run": "", "summary": "", "days": "N", "restore": "ID", "empty": ""}),
    "health": ("", "is memory whole and in order? each check with what is wrong, where, and what mends it", {"fix": ""}),
    "doctor": ("", "is it really working? tried in a throw-away workspace, and what hosts' hooks did and missed", {}),
    "pause": ("", "hooks do nothing in this folder: nothing is saved, and nothing is given", {}),
    "resume": ("", "hooks do their work here again", {}),
    "hook": ("HOST [EVENT]", "for hosts: payload on stdin, reply on stdout; never fails the host", {"stay": ""}),
    "extract": ("[FILE]", "what is worth remembering in a text or a transcript (stdin where none is named), without a model",
                {"date": "DAY", "host": "HOST", "prompt": "", "apply": "", "max-chars": "N"}),
    "forget": ("TEXT|ID", "the one true deletion: out of every file for good; `-` reads TEXT from stdin, past the history",
               {"yes": "", "dry-run": "", "allow": ""}),
    "mcp": ("", "for hosts: the tools over MCP, on standard input and output, until the input is closed", {}),
    "redact": ("< FILE", "stdin to stdout without secrets; nothing else is changed", {"check": ""}),
    "write": ("FILE", "crash-safe write of a file in the workspace, from stdin", {}),
}  # fmt: skip


# Commands by the names that the seeds' users know.
ALIASES = {"get": ("show", "state")}
# Who mistypes a command must not be led to what cannot be undone, and what is for hosts is nobody's slip.
_NEVER_SUGGESTED = ("forget", "uninstall", "hook", "mcp")


def taken_apart(argv: list[str]) -> Words:
    """The command, its texts and its flags. What comes after `--` is text, whatever it looks like."""
    texts: list[str] = []
    flags: dict[str, list[str]] = {}
    command, known = _flags_of(argv)
    words = iter(argv)
    for word in words:
        if word == "--":
            texts += words
        elif word.startswith("-") and word != "-":
            name, equals, value = word[2:].partition("=") if word.startswith("--") else (word, "", "")
            name = {"-h": "help", "-V": "version"}.get(name, name)
            if name not in known:
                raise UserError(
                    f"There is no flag {word.split('=')[0]} here. {_flag_meant(word, known)}"
                    "Text that begins with “-” goes behind “--”: "
                    f"holdfast {command or 'COMMAND'} -- {word}\nNothing was changed. `holdfast help` lists what there is."
                )
            if known[name] and not equals:
                value = next(words, "\0")
                if value == "\0":
                    raise UserError(f"--{name} wants {known[name]} behind it. Nothing was changed.")
            flags.setdefault(name, []).append(value)
        else:
            texts.append(word)
    if command != "hook":  # which had better save somewhere than nowhere
        for name in ("workspace", "session"):
            if not flags.get(name, ["x"])[-1].strip():
                raise UserError(f"--{name} is empty; is a variable not set? It names no {name}. Nothing was changed.")
    named = texts.pop(0) if texts else ""
    if named in ALIASES and not texts:
        named, *texts = ALIASES[named]
    return Words(named, texts, flags)


def _flags_of(argv: list[str]) -> tuple[str, dict[str, str]]:
    """The command, and the flags that it takes: its own and those that stand anywhere."""
    skip = False
    for word in argv:
        if skip:
            skip = False
        elif word in ("--workspace", "--session"):
            skip = True
        elif not word.startswith("-"):
            return word, {**ANYWHERE, **COMMANDS.get(ALIASES.get(word, (word,))[0], ("", "", {}))[2]}
    return "", ANYWHERE


# ---- one-line commands -------------------------------------------------------------------------------------------------


def _said(words: Words, what: str) -> str:
    """The text of a one-line command, through the guard. `none` would clear the list that it is meant for, and
    that is wanted of a task and of what stands in the way alone.
    """
    from .guard.entering import safe
    from .model import tidy

    text = safe(words.text(what))
    if not text.strip():
        raise UserError(f"There is no text to keep in what was given. Say {what}. Nothing was changed.")
    if words.command not in ("task", "note", "blocker") and not tidy(text):
        raise UserError(f"{text.strip()!r} is no text to keep. Say {what}. Nothing was changed.")
    return text


def _task(memory: Memory, session: str, words: Words) -> Saved:
    return memory.change(session, {"task": _said(words, "what the task is")})


def _decide(memory: Memory, session: str, words: Words) -> Saved:
    return memory.change(session, {"decisions": (_said(words, "what was decided"),)})


def _context(memory: Memory, session: str, words: Words) -> Saved:
    from .guard.entering import safe
    from .model import one_line

    if len(words.texts) < 2:
        raise UserError("Say a key and its value: `holdfast context deadline Friday`. Nothing was changed.")
    key, value = words.texts[0], " ".join(words.texts[1:])
    safe(f"{key}: {value}")  # `password hunter2` shows what it is only when key and value stand together
    if not one_line(safe(key)):
        raise UserError(f"{key!r} is no key. Nothing was changed.")
    return memory.change(session, {"context": ((safe(key), safe(value)),)})


def _pending(memory: Memory, session: str, words: Words) -> Saved:
    return memory.change(session, {"pending": ((_said(words, "what is to be done"), False),)})


def _done(memory: Memory, session: str, words: Words) -> Saved:
    return memory.done(session, _said(words, "what is done"))


def _blocker(memory: Memory, session: str, words: Words) -> Saved:
    from .model import tidy

    what = _said(words, "what stands in the way")
    return memory.change(session, {"blockers": (what,) if tidy(what) else ()})


def _note(memory: Memory, session: str, words: Words) -> Saved:
    from .model import TYPES, Note

    kind = words.one("type").upper()
    if kind and kind not in TYPES:
        raise UserError(f"There is no type {kind}; the types are {', '.join(TYPES)}. Nothing was changed.")
    text = _said(words, "what to remember") + _name_branch(memory, words)
    return memory.note(session, Note(text, kind), host=words.one("host", "cli"))


_MAIN_BRANCHES = ("", "main", "master")  # what is true there is true of the project


def _name_branch(memory: Memory, words: Words) -> str:
    """Return on which branch a note is made, where that is not the main one: it may be true there alone."""
    from .projects import find_branch

    branch = find_branch(memory.workspace)
    if not branch and not words.has("workspace"):  # memory is in the user's state folder, and the project is here
        branch = find_branch(os.getcwd())
    return "" if branch in _MAIN_BRANCHES else f" (on branch {branch})"


def _snapshot(memory: Memory, session: str, _words: Words) -> Saved:
    return memory.snapshot(session)


ONE_LINE: dict[str, Callable[[Memory, str, Words], Saved]] = {
    "task": _task,
    "decide": _decide,
    "context": _context,
    "pending": _pending,
    "done": _done,
    "blocker": _blocker,
    "note": _note,
    "snapshot": _snapshot,
}


def in_json(data: object, indent: int | None = None) -> str:
    """An answer for programs. It is UTF-8 whatever bytes memory has: a strict reader would else take none of it."""
    import json

    return escape_json(json.dumps(data, ensure_ascii=False, indent=indent).encode("utf-8", "replace").decode())


def acknowledged(saved: Saved, words: Words) -> int:
    """One line on stdout says that it is saved; what is to be known besides goes to stderr."""
    if words.has("json"):
        print(in_json({key: value for key, value in saved.__dict__.items() if value}))
    else:
        print(f"saved  {saved.id}  {words.command}" + (f"  {saved.said}" if saved.said else ""))
    if saved.missing:
        asked = [f"{name.replace('_', ' ')} (--{name.replace('_', '-').removesuffix('s')})" for name in saved.missing]
        print(f"missing: {', '.join(asked)}", file=sys.stderr)
    for sentence in saved.vague:
        print(f"vague: {sentence}", file=sys.stderr)
    if saved.redacted:
        print(f"redacted: {', '.join(sorted(set(saved.redacted)))}", file=sys.stderr)
    if saved.waiting:
        print(f"note: {saved.waiting}", file=sys.stderr)
    return 0


# ---- main --------------------------------------------------------------------------------------------------------------


def here() -> str:
    """The folder that we stand in."""
    try:
        return os.getcwd()
    except OSError as error:
        raise UserError("The folder that you are in is gone. Nothing was changed. Go to another one, and try again.") from error


_OF_A_FOLDER = ("init", "uninstall", "import", "doctor", "write")  # whoever says these means the folder that they are in


_OF_NO_HOST = ("init", "uninstall", "import", "mcp")  # these mean the folder that they are run in, whatever it is


def workspace_of(words: Words, env: Mapping[str, str]) -> str:
    """The workspace that this command line means; for an agent that of its session, wherever it has gone since.

    Who stands in the home folder or at the root is in no project. There OpenClaw's workspace is meant, where OpenClaw is on this
    machine, unless the agent of another host asks.
    """
    from .config import find_workspace, is_no_project, own_session

    session, host = own_session(env)
    folder = folder_of(words, env)
    is_named = words.one("workspace") or env.get("HOLDFAST_WORKSPACE") or env.get("OPENCLAW_WORKSPACE")
    if not is_named and host in ("", "openclaw") and words.command not in _OF_NO_HOST and is_no_project(env, folder):
        if session and not host:  # an agent whose host has hooks of its own (opencode)
            return find_workspace("", env, folder)
        from .config import text_of
        from .installs.openclaw import default_workspace

        found = default_workspace(env, text_of)
        if os.path.isdir(found):
            return found
    return find_workspace(words.one("workspace"), env, folder)


def folder_of(words: Words, env: Mapping[str, str]) -> str:
    """The folder that this command line is about: where an agent's session was begun, else where we stand."""
    from .config import own_session

    session, host = own_session(env)
    here_meant = words.one("workspace") or words.command in _OF_A_FOLDER
    if host == "claude-code" and not here_meant and words.one("session", session) == session:
        from .capture.whereabouts import begun_in

        return begun_in(session, host, env) or here()
    return here()


def opened(words: Words, env: Mapping[str, str], *, write: bool) -> Memory:
    """The memory that this command line means."""
    from .config import read_config, remember_workspace
    from .memory import Memory

    workspace = workspace_of(words, env)
    if not write and os.path.isfile(workspace):  # a writing command is told so by the disk; a reading one would find nothing
        raise UserError(f"{workspace} is a file, and a workspace is a folder. Nothing was changed. Name another one.")
    if write and not words.one("workspace"):
        remember_workspace(workspace, env, folder_of(words, env))
    return Memory(workspace, read_config(workspace, env), write=write)


def warn_of_settings(config: Config) -> None:
    """Say on stderr which settings cannot be used; what was asked for is done all the same."""
    if config.wrong:
        from .guard.entering import redacted

        for sentence in config.wrong:
            print(f"note: {redacted(sentence)[0]}", file=sys.stderr)


def session_of(words: Words, env: Mapping[str, str]) -> str:
    """The session that this command line means."""
    from .config import own_session
    from .model import session_key

    return session_key(words.one("session") or own_session(env)[0] or "default")


_NEAR = 0.7  # how much alike a slip and what was meant must be: below it they share some letters by chance


def _flag_meant(word: str, known: dict[str, str]) -> str:
    """A sentence that asks for the flag that may have been meant; empty where none is near."""
    from difflib import get_close_matches

    near = get_close_matches(word.partition("=")[0], [f"--{name}" for name in known], 1, _NEAR)
    return f"Did you mean {near[0]}? " if near else ""


def unknown(command: str) -> str:
    """That there is no such command, and which one may have been meant."""
    from difflib import get_close_matches

    if command in ALIASES:
        return f"{command} takes no words: it is `holdfast {' '.join(ALIASES[command])}`."
    near = get_close_matches(command, [name for name in COMMANDS if name not in _NEVER_SUGGESTED], 1, _NEAR)
    return f"There is no command {command}." + (f" Did you mean `holdfast {near[0]}`?" if near else "")


def run(words: Words, env: Mapping[str, str]) -> int:
    """Carry out one command; and where memory begins with it in a folder that somebody has named, say so."""
    new, bereft = _not_there_yet(words, env) if words.command not in ("hook", "mcp", "init") else ("", "")
    if new and _needs_memory(words) and not words.has("help"):
        raise UserError(
            f"There is no folder {new}. Nothing was changed. Name one that is there; `holdfast init --workspace` makes it."
        )
    code = _carried_out(words, env)
    if bereft or (new and os.path.isdir(new)):  # or else a slip of the pen looks like a memory lost
        from .guard.entering import printable, redacted

        said = "memory begins there" if new else "`holdfast init` made one there, and what its journal had is gone with it"
        what = "no folder" if new else "no .holdfast/ in"
        print(f"note: there was {what} {printable(redacted(new or bereft)[0])}; {said}", file=sys.stderr)
    return code


# What makes no sense without memory. The others may begin it, and say so.
_NEEDS_MEMORY = (
    "status", "recover", "search", "tags", "show", "health", "sessions", "restore", "snapshot", "done", "forget", "upkeep",
    "pause", "resume",
)  # fmt: skip


def _needs_memory(words: Words) -> bool:
    """Return whether a command reads or changes what is there already."""
    return words.command in _NEEDS_MEMORY or (words.command == "topic" and words.texts[:1] != ["bind"])


def _not_there_yet(words: Words, env: Mapping[str, str]) -> tuple[str, str]:
    """The workspace that somebody has named, where it is not there; and one that is found and has lost its `.holdfast/`."""
    try:
        if words.one("workspace"):
            named = workspace_of(words, env)
            return ("" if os.path.lexists(named) else named), ""
        if env.get("HOLDFAST_WORKSPACE") or env.get("OPENCLAW_WORKSPACE"):
            return "", ""
        from .config import bereft_folder

        return "", bereft_folder(env, here())
    except UserError:  # a command that needs no folder works in one that is gone
        return "", ""


def _carried_out(words: Words, env: Mapping[str, str]) -> int:
    if words.has("version"):
        from . import __version__

        print(f"holdfast {__version__}")
        return 0
    if words.has("help") or words.command in ("", "help"):
        from .commands.helping import help_text

        print(help_text(words.texts[0] if words.command == "help" and words.texts else words.command), end="")
        return 0
    if words.command not in COMMANDS:
        raise UserError(f"{unknown(words.command)} Nothing was changed. `holdfast help` lists the commands.")
    if words.texts and not COMMANDS[words.command][0]:  # a name for a snapshot, say: it would be lost without a word
        name, what = words.command, COMMANDS[words.command][1]
        raise UserError(f"{name} takes no words: {what}. Nothing was changed. `holdfast help {name}` shows its flags.")
    if words.command in ONE_LINE:
        memory = opened(words, env, write=True)
        warn_of_settings(memory.config)
        try:
            return acknowledged(ONE_LINE[words.command](memory, session_of(words, env), words), words)
        finally:
            memory.close()
    if words.command == "hook" and words.has("stay"):
        from .hooks.residing import stayed

        return stayed(words, env)
    if words.command == "hook":
        from .hooks.dispatch import replied

        return replied(words, env)
    if words.command in ("search", "tags"):
        from .commands import searching as commands
    elif words.command == "forget":
        from .commands import forget as commands  # type: ignore[no-redef]
    elif words.command == "uninstall":
        from .commands import installing as commands  # type: ignore[no-redef]
    elif words.command in ("upkeep", "health"):
        from .commands import keeping as commands  # type: ignore[no-redef]
    elif words.command == "doctor":
        from .commands import doctor as commands  # type: ignore[no-redef]
    else:
        from .commands import other as commands  # type: ignore[no-redef]

    found: Any = getattr(commands, f"run_{words.command}")
    return int(found(words, env))


def _told() -> bool:
    """Whether the answer has left, or nobody waits for it any more. Where it cannot (standard output on a full disk), nobody may
    think that nothing was done.
    """
    try:
        sys.stdout.flush()
        return True
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # or Python would complain once more while closing it
        if isinstance(error, BrokenPipeError):
            return True  # the reader went away, as `head` does; what was found is what was found
        from .errors import reason

        print(f"holdfast: Done, but the answer could not be written to standard output: {reason(error)[0]}.", file=sys.stderr)
        print("Nothing is lost; do not repeat the command.", file=sys.stderr)
        return False


def _have_streams() -> None:
    """Standard input, output and error, each of them there, and the output held back until the command is done.

    Whoever started us may have closed one (`>&-`): then nothing comes and nobody listens, and a file of ours must not get its
    number. And who stops reading in the middle (`| head`) must not stop the command there: what was half said is then all done.
    Nor must a standard error that takes nothing (a log on a full disk): what is done is said by the answer and the exit code.
    """
    import io  # Python has it loaded already

    class Unheeded(io.FileIO):
        def write(self, data: Any) -> int:
            try:
                return super().write(data)
            except OSError:
                return len(data)

    def stream(fd: int, room: int, *, by_lines: bool) -> io.TextIOWrapper:
        raw = (Unheeded if fd == 2 else io.FileIO)(fd, "w" if fd else "r", closefd=False)
        return io.TextIOWrapper(io.BufferedWriter(raw, room) if fd else io.BufferedReader(raw), "utf-8", line_buffering=by_lines)

    for fd, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # it gets the lowest number that is free: this one
            setattr(sys, name, stream(fd, 8192, by_lines=True))
    sys.stdout = stream(sys.stdout.fileno(), _HELD, by_lines=bool(sys.stdout.line_buffering))
    sys.stderr = stream(sys.stderr.fileno(), 8192, by_lines=True)


def _in_utf8() -> None:
    """Begin again in Python's UTF-8 mode where the locale has another encoding (latin-1, GBK), with the same bytes.

    Hosts and agents speak UTF-8 whatever the locale is: read as latin-1 their texts are garbled for good, and a topic that the
    encoding does not have could not even be named on the disk.
    """
    if sys.getfilesystemencoding() != "utf-8" and not sys.flags.utf8_mode and sys.executable:
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])  # noqa: S606 - ourselves


def program() -> NoReturn:
    """The process `holdfast`: it answers, and is gone.

    Without taking the interpreter apart piece by piece first, which is a tenth of what a hook takes: what was acknowledged is on
    the disk, what was said has left, and the system takes back the rest. No command leaves a thread or a handler behind.
    """
    _in_utf8()
    _have_streams()
    try:
        code = main()
    except Exception as error:  # 1, which Python would make of it, is an answer: found wanting
        print(f"holdfast: {_fault(error)}", file=sys.stderr)
        code = 0 if _flags_of(sys.argv[1:])[0] == "hook" else 70
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()  # what was said before a command gave up; the answer of one that did not has left
        except (OSError, ValueError):
            pass
    os._exit(code)


def _fault(error: Exception) -> str:
    """What to say where a command gave up for no reason that we foresaw."""
    intact = "What was acknowledged is saved, and everything saved before is intact."
    if isinstance(error, MemoryError):
        return f"There is too little memory to go on. {intact}"
    if isinstance(error, ImportError):
        return f"A part of the program could not be loaded: {error}. {intact}"
    at = error.__traceback__
    while at and at.tb_next:
        at = at.tb_next
    where = f" in {os.path.basename(at.tb_frame.f_code.co_filename)}, line {at.tb_lineno}" if at else ""
    return f"A fault of Holdfast ({type(error).__name__}{where}). {intact} Please report it with what you ran."


def main(argv: list[str] | None = None) -> int:
    """One command line, answered. A hook's exit code is 0, come what may: any other would fail the host that called it."""
    words = sys.argv[1:] if argv is None else argv
    streams = sys.stdout, sys.stderr
    _clean_streams(words)
    try:
        code = _answered(words)
    finally:
        sys.stdout, sys.stderr = streams
    return 0 if _flags_of(words)[0] == "hook" else code


def _clean_streams(argv: list[str]) -> None:
    """Let nothing that is printed steer a terminal (terminal.py). What is byte for byte stays so, but on a terminal."""
    flags = argv[: argv.index("--")] if "--" in argv else argv
    command = _flags_of(argv)[0]
    exact = command in BYTE_FOR_BYTE or "--raw" in flags or (command == "cache" and "get" in argv)
    if not exact or sys.stdout.isatty():
        sys.stdout = CleanStream(sys.stdout)
    sys.stderr = CleanStream(sys.stderr)


def _answered(argv: list[str]) -> int:
    """Whatever happens, the answer is a sentence and an exit code, never a traceback."""
    # Held back until `_told`, also under PYTHONUNBUFFERED: what is done is done before anything is said about it.
    sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape", write_through=False)  # type: ignore[union-attr]
    sys.stderr.reconfigure(encoding="utf-8", errors="surrogateescape")  # type: ignore[union-attr]
    try:
        code = run(taken_apart(argv), os.environ)
        return code if _told() else 74
    except HoldfastError as error:
        from .guard.entering import redacted

        # Messages quote what they were given, and what they were given may be a secret.
        print(f"holdfast: {redacted(str(error))[0]}", file=sys.stderr)
        return error.exit_code
    except BrokenPipeError:
        # The reader of our output went away, as `head` does. Python would complain once more while closing it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    except KeyboardInterrupt:
        print("holdfast: interrupted; what was acknowledged is saved", file=sys.stderr)
        return 130
    except OSError as error:
        from .errors import not_saved

        print(f"holdfast: {not_saved(error, str(error.filename or 'the workspace'), 'What you gave')}", file=sys.stderr)
        return 74
