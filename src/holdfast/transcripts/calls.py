"""Tool calls, by their form: hosts name arguments differently, but an edit is always a path with a text before and after."""

from __future__ import annotations

from . import Event
from .words import dict_of, dicts_of, strings, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    _Edits = tuple[tuple[str, str, str], ...]
    _Moves = tuple[tuple[str, str], ...]

_FILE = ("file_path", "filePath", "absolute_path", "notebook_path")  # always a file
_PATH = ("path",)  # a file or a folder: it depends on the tool
_BEFORE = ("old_string", "oldString", "oldText", "old_str")
_AFTER = ("new_string", "newString", "newText", "new_str", "content", "new_source", "file_text")
_EDITED = frozenset((*_BEFORE, *_AFTER))
_SHELL = ("command", "cmd")
_SETTINGS = frozenset(("output_mode", "subagent_type", "mode"))  # how a tool is to go about it, in the tool's own words
_TITLE, _LONGEST_TITLE = ("title", "subject", "description", "name", "summary"), 300
_PATCH = ("input", "patch", "patchText", *_SHELL)
_BEGIN = "*** Begin Patch"
_NAME, _SNAP = "holdfast", "context_snap"
_SAVES = ("checkpoint", _SNAP)  # tools that save, however a host puts our name before theirs
_TO_A_USER = ("user", "followup", "human", "clarif")
_SHELLS = ("bash", "sh", "zsh", "dash", "fish", "ksh", "cmd", "cmd.exe", "powershell", "powershell.exe", "pwsh")


def called(name: str, given: dict[str, Any], *, call: str = "", time: str = "") -> Event:
    """The event of a call: what it runs, changes, reads or plans."""
    path = _first(given, _FILE) or _first(given, _PATH)
    edits, moves = changes_of(name, path, given)
    command = command_of(given)
    if (path and command and not command.split(None, 1)[1:]) or ((edits or moves) and command.startswith("apply_patch")):
        command = ""  # an editor's verb (`view`, `create`) or a patch, not a shell's command
    event = Event(
        "call",
        "\n".join(strings(given if _SETTINGS.isdisjoint(given) else {k: v for k, v in given.items() if k not in _SETTINGS})),
        time=time,
        call=call,
        tool=name,
        command=command,
        edits=edits,
        moves=moves,
        reads=() if edits or moves else _reads(name, given),
        todos=_todos(given),
        asks=asked(name, given),
        handed=_handed(given),
        purpose=title if len(title := _first(given, _TITLE)) <= _LONGEST_TITLE else "",
    )
    event.ours = is_own_tool(name, given)
    if event.ours and name.endswith(_SAVES):
        event.given = given
    return event


def is_own_tool(name: str, given: dict[str, Any]) -> bool:
    """Whether a call is one of ours: by the name that the host gives to tools of our server or plugin, or by whose resource it
    reads.
    """
    return _NAME in name.lower() or name.endswith(_SNAP) or text_of(given.get("server")).lower() == _NAME


def _handed(given: dict[str, Any]) -> str:
    """The task that a call hands to another agent, and which that is. Hosts have one form for it: the kind of the agent."""
    kind = _first(given, ("subagent_type", "agent_type", "agent_name"))
    what = _first(given, ("description", "task_name", "objective", "message", "prompt", "task"))
    return f"{kind}: {' '.join(what.split())[:100]}" if kind and what else ""


def asked(name: str, given: dict[str, Any]) -> str:
    """The questions that a call puts to the user, each with its choices. Hosts have one form for it: a list of `questions`; one
    for whose answer nobody waits is there called its `title`.

    A single `question` may be put to anybody (a search, another agent): then the tool's name must say that a user is asked.
    """
    many = [item for item in dicts_of(given.get("questions")) if _question(item)]
    if not many and isinstance(given.get("question"), str) and any(word in name.lower() for word in _TO_A_USER):
        many = [given]
    found = []
    for item in many:
        options = item["options"] if isinstance(item.get("options"), list) else []
        choices = " / ".join(filter(None, (text_of(dict_of(one).get("label")) or text_of(one) for one in options)))
        found.append(f"{_question(item)}{f' ({choices})' if choices else ''}")
    return "\n".join(text for text in found if text)


def _question(item: dict[str, Any]) -> str:
    return (text_of(item.get("question")) or text_of(item.get("title"))).strip()


def command_of(given: dict[str, Any]) -> str:
    """The shell command as a person would type it."""
    command = given.get("command") or given.get("cmd")
    if isinstance(command, str):
        return command
    return shell_text([part for part in command if isinstance(part, str)]) if isinstance(command, list) else ""


def shell_text(words: list[str]) -> str:
    """A list of words as one command: `["bash", "-lc", X]` is X."""
    if len(words) > 2 and words[0].rsplit("/", 1)[-1] in _SHELLS and words[1][:1] in ("-", "/"):
        return words[2]
    if all(word.replace("_", "").replace("-", "").replace("/", "").replace(".", "").isalnum() for word in words):
        return " ".join(words)
    from shlex import join

    return join(words)


def changes_of(name: str, path: str, given: dict[str, Any]) -> tuple[_Edits, _Moves]:
    """What a call changes: (path, before, after) for each place; (path, new path or nothing) for each file that it takes away."""
    if path and isinstance(given.get("edits"), list):
        return tuple((path, _first(part, _BEFORE), _first(part, _AFTER)) for part in dicts_of(given["edits"])), ()
    if path and not _EDITED.isdisjoint(given):
        return ((path, _first(given, _BEFORE), _first(given, _AFTER)),), ()
    for key in _PATCH:
        if key not in given:
            continue
        for text in (given[key],) if isinstance(given[key], str) else strings(given[key]):
            if _BEGIN in text:
                return patched(text)
            if key in _SHELL and "<<" in text and "<<" in text.replace("$(cat <<", ""):  # the text of a commit is no file
                from .shell import written_by

                return written_by(text), ()
    return (), _taken_away(name, path, given)


def _taken_away(name: str, path: str, given: dict[str, Any]) -> _Moves:
    """The file that a tool deletes or moves: only its name says that it does."""
    if "ile" not in name:
        return ()
    plain = name.lower().replace("_", "").replace("-", "")
    if path and plain.endswith(("deletefile", "removefile")):
        return ((path, ""),)
    source, target = _first(given, ("source", "old_path", "oldPath")), _first(given, ("destination", "new_path", "newPath"))
    return ((source, target),) if source and target and plain.endswith(("movefile", "renamefile")) else ()


def patched(text: str) -> tuple[_Edits, _Moves]:
    """A patch in the form `*** Begin Patch … *** Update File: p … *** End Patch`: its files, and those that it takes away."""
    found: list[tuple[str, list[str], list[str]]] = []
    moves: list[tuple[str, str]] = []
    for line in text.split("\n"):
        if line.startswith("*** "):
            word, _, rest = line[4:].partition(": ")
            if word == "Delete File" and rest.strip():
                moves.append((rest.strip(), ""))
            elif word in ("Add File", "Update File") and rest.strip():
                found.append((rest.strip(), [], []))
            elif word == "Move to" and found and rest.strip():
                moves.append((found[-1][0], rest.strip()))
                found[-1] = (rest.strip(), *found[-1][1:])
            elif word == "End Patch":
                break
        elif found and line[:1] in ("-", "+", " "):
            _, before, after = found[-1]
            for side in {"-": (before,), "+": (after,)}.get(line[0], (before, after)):  # what stands around it is on both
                side.append(line[1:])
    moved = {new for _, new in moves}
    edits = tuple((path, "\n".join(before), "\n".join(after)) for path, before, after in found)
    return tuple(edit for edit in edits if edit[0] not in moved or edit[1] or edit[2]), tuple(moves)


def changed(changes: dict[str, Any]) -> tuple[_Edits, _Moves]:
    """The same of changes that a host tells by path: added, deleted, or changed by a diff."""
    edits: list[tuple[str, str, str]] = []
    moves: list[tuple[str, str]] = []
    for path, change in changes.items():
        told = dict_of(change)
        deleted, to = told.get("type") == "delete", text_of(told.get("move_path"))
        lines = text_of(told.get("unified_diff")).split("\n")
        before, after = ("\n".join(line[1:] for line in lines if line[:1] == sign) for sign in "-+")
        if deleted or to not in ("", path):
            moves.append((path, "" if deleted else to))
        if not deleted:
            edits.append((to or path, before, text_of(told.get("content")) or after))
    return tuple(edits), tuple(moves)


def _reads(name: str, given: dict[str, Any]) -> tuple[str, ...]:
    path = _first(given, _FILE)
    if path:
        return (path,)
    low = name.lower()
    if "read" not in low and "view" not in low:
        return ()
    many = given.get("paths") or given.get("include")
    return (_first(given, _PATH),) if _first(given, _PATH) else tuple(strings(many)) if isinstance(many, list) else ()


def _todos(given: dict[str, Any]) -> tuple[tuple[str, str], ...] | None:
    items = given.get("todos") if isinstance(given.get("todos"), list) else given.get("plan")
    if not isinstance(items, list) or not all(isinstance(item, dict) and "status" in item for item in items):
        return None
    return tuple((_first(item, ("content", "step", "description", "text")), text_of(item.get("status"))) for item in items)


def _first(given: dict[str, Any], keys: Iterable[str]) -> str:
    for key in keys:
        value = given.get(key)
        if isinstance(value, str) and value:
            return value
    return ""
