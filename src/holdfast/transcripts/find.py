"""Where hosts keep their transcripts on a machine, and the transcript of a given session.

The environment and the home folder are arguments: nothing here looks at the machine by itself.

Claude Code  `$CLAUDE_CONFIG_DIR` or `~/.claude`: `projects/<slug>/<session>.jsonl`; subagents in folders below, or as `agent-*`
Codex        `$CODEX_HOME` or `~/.codex`: `sessions/YYYY/MM/DD/rollout-<time>-<thread>.jsonl`, and `archived_sessions/`;
             `…-<thread>_<part>.jsonl` goes on from an older file of the same session (inherited.py)
Gemini CLI   `$GEMINI_CLI_HOME` or `~`: `.gemini/tmp/<project>/chats/session-<minute>-<id8>.jsonl`, the whole id in its first line
opencode     `$XDG_DATA_HOME` or `~/.local/share`: `opencode/opencode.db`
OpenClaw     `$OPENCLAW_STATE_DIR` or `~/.openclaw`: `agents/<id>/agent/openclaw-agent.sqlite`; before 2026.8
             `agents/<id>/sessions/`: `sessions.json` (key → session), `<session>.jsonl`, archives `<session>.jsonl.reset.<time>`
pi           `$PI_CODING_AGENT_DIR` or `~/.pi/agent`: `sessions/<slug>/<time>_<session>.jsonl`
"""

from __future__ import annotations

import os
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from . import Tally

_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_ARCHIVE = re.compile(r"(.+)\.jsonl\.(?:reset|deleted)\..+")
_DATABASE = "openclaw-agent.sqlite"
_FOLDER = re.compile(rb'"cwd"\s*:\s*("[^"\\]*(?:\\.[^"\\]*)*")')
_HEAD = 64 * 1024  # how much of a file is looked at for the folder or the id of its session


class Found:
    """A transcript: what to open it with, and when it was last written (seconds since 1970)."""

    __slots__ = ("archived", "host", "key", "modified", "path", "session")

    def __init__(self, host: str, path: str, session: str, modified: float, *, key: str = "", archived: bool = False) -> None:
        self.host, self.path, self.session, self.modified = host, path, session, modified
        self.key, self.archived = key, archived  # OpenClaw's session key; put aside by a reset

    def __repr__(self) -> str:
        return f"Found({self.host}, {self.session}, {self.path})"


def folder(host: str, environ: Mapping[str, str], home: str) -> str:
    """The folder under which a host keeps its transcripts; empty for a host that we do not know."""
    own = environ.get
    places = {
        "claude-code": (own("CLAUDE_CONFIG_DIR") or os.path.join(home, ".claude"), "projects"),
        "codex": (own("CODEX_HOME") or os.path.join(home, ".codex"), "sessions"),
        "gemini": (own("GEMINI_CLI_HOME") or home, ".gemini", "tmp"),
        "opencode": (own("XDG_DATA_HOME") or os.path.join(home, ".local", "share"), "opencode"),
        "openclaw": (own("OPENCLAW_STATE_DIR") or os.path.join(home, ".openclaw"), "agents"),
        "pi": (own("PI_CODING_AGENT_DIR") or os.path.join(home, ".pi", "agent"), "sessions"),
    }
    return os.path.join(*places[host]) if host in places else ""


def sessions(host: str, environ: Mapping[str, str], home: str, beside: str = "", tally: Tally | None = None) -> list[Found]:
    """All sessions of a host that people had with it, the one written last first; the tally tells what could not be listed.

    Beside a transcript: those in its folder alone, where the host keeps together what was had in one place.
    """
    from . import Tally

    root = folder(host, environ, home)
    if beside and host == "claude-code":
        return sorted(_claude_code_folder(os.path.dirname(beside)), key=lambda item: -item.modified)
    ways = {
        "claude-code": _claude_code,
        "codex": _codex,
        "gemini": _gemini,
        "opencode": _opencode,
        "openclaw": _openclaw,
        "pi": _pi,
    }
    found = list(ways[host](root, tally or Tally())) if host in ways else []
    return sorted(found, key=lambda item: -item.modified)


def transcript(host: str, session: str, environ: Mapping[str, str], home: str) -> Found | None:
    """The transcript of a session, by its id or key, or by OpenClaw's mark `sqlite:<agent>:<session>:<path>`; "" means the last.

    Of a session that goes on and has archives, the one that goes on.
    """
    if session.startswith("sqlite:"):
        session = session.split(":")[2] if session.count(":") >= 3 else ""
        if not session:
            return None
    if host == "claude-code" and session:
        return _by_name(folder(host, environ, home), session)
    every = sessions(host, environ, home)
    fitting = [item for item in every if not session or session in (item.session, item.key)]
    return min(fitting, key=lambda item: item.archived, default=None)


def of_file(path: str, host: str) -> Found:
    """The session in a file that somebody names: known by the file's name, as its host gives it."""
    name = os.path.basename(path)
    put_aside = _ARCHIVE.fullmatch(name)
    session = put_aside[1] if put_aside else name.removesuffix(".zst").removesuffix(".jsonl")
    if host == "codex" and (number := _ID.search(name)):
        session = number[0]
    elif host == "gemini":
        session = _first_id(path) or session.removeprefix("session-")
    elif host == "pi":
        session = session.rsplit("_", 1)[-1]
    return Found(host, os.path.abspath(path), session, _modified(path), archived=bool(put_aside))


def _by_name(root: str, session: str) -> Found | None:
    """Claude Code's file of a session, without listing all others: a machine holds thousands."""
    if not re.fullmatch(r"[\w-]+", session):
        return None
    for slug, _ in _listed(root):
        path = os.path.join(slug, f"{session}.jsonl")
        if os.path.isfile(path):
            return Found("claude-code", path, session, _modified(path))
    return None


def _listed(path: str) -> Iterator[tuple[str, str]]:
    """(path, name) of what is in a folder, by name; nothing where it cannot be listed."""
    try:
        names = sorted(os.listdir(path))
    except OSError:
        return
    for name in names:
        yield os.path.join(path, name), name


def _modified(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0


def _claude_code(root: str, _tally: Tally) -> Iterator[Found]:
    for slug, _ in _listed(root):
        yield from _claude_code_folder(slug)


def _claude_code_folder(slug: str) -> Iterator[Found]:
    for path, name in _listed(slug):
        if name.endswith(".jsonl") and not name.startswith("agent-"):
            yield Found("claude-code", path, name[:-6], _modified(path))


def _codex(root: str, _tally: Tally) -> Iterator[Found]:
    files = list(_codex_files(root))
    newest: dict[str, Found] = {}  # of sessions in which somebody has gone back: the file that goes on from those before it
    for found in files:
        if len(_ID.findall(os.path.basename(found.path))) > 1 and _time_in(found) > _time_in(newest.get(found.session)):
            newest[found.session] = found
    yield from (found for found in files if newest.get(found.session, found) is found)


def _time_in(found: Found | None) -> str:
    return os.path.basename(found.path) if found else ""


def _codex_files(root: str) -> Iterator[Found]:
    for place, archived in ((root, False), (os.path.join(os.path.dirname(root), "archived_sessions"), True)):
        for base, _, names in os.walk(place):
            for name in names:
                number = _ID.search(name)
                if name.startswith("rollout-") and name.endswith((".jsonl", ".jsonl.zst")) and number:
                    path = os.path.join(base, name)
                    yield Found("codex", path, number[0], _modified(path), archived=archived)


def _gemini(root: str, _tally: Tally) -> Iterator[Found]:
    for project, _ in _listed(root):
        for path, name in _listed(os.path.join(project, "chats")):
            if name.startswith("session-") and name.endswith(".jsonl"):
                yield Found("gemini", path, _first_id(path) or name[8:-6], _modified(path))


def _first_id(path: str) -> str:
    from . import Tally
    from .files import objects

    about = objects(_head_of(path).partition(b"\n")[0], Tally())
    return str(about[0].get("sessionId") or "") if about else ""


def _pi(root: str, _tally: Tally) -> Iterator[Found]:
    for slug, _ in _listed(root):
        for path, name in _listed(slug):
            if name.endswith(".jsonl"):
                yield Found("pi", path, name[:-6].rsplit("_", 1)[-1], _modified(path))


def _opencode(root: str, tally: Tally) -> Iterator[Found]:
    path = os.path.join(root, "opencode.db")
    for number, moment in _rows(path, tally, "SELECT id, time_updated FROM session WHERE parent_id IS NULL"):
        yield Found("opencode", path, number, moment)


def _openclaw(root: str, tally: Tally) -> Iterator[Found]:
    from .openclaw import ASIDE

    for agent, _ in _listed(root):
        database = os.path.join(agent, "agent", _DATABASE)
        query = "SELECT current_session_id, updated_at, session_key FROM session_nodes"
        seen = set()
        for number, moment, key in _rows(database, tally, query):
            seen.add(number)
            if not ASIDE.search(key):
                yield Found("openclaw", database, number, moment, key=key)
        for found in _openclaw_files(os.path.join(agent, "sessions")):
            if found.session not in seen and not ASIDE.search(found.key):
                yield found


def _openclaw_files(place: str) -> Iterator[Found]:
    keys = _keys(os.path.join(place, "sessions.json"))
    for path, name in _listed(place):
        put_aside = _ARCHIVE.fullmatch(name)
        if put_aside or (name.endswith(".jsonl") and not name.endswith(".trajectory.jsonl")):
            number = put_aside[1] if put_aside else name[:-6]
            yield Found("openclaw", path, number, _modified(path), key=keys.get(number, ""), archived=bool(put_aside))


def _keys(path: str) -> dict[str, str]:
    """Session → key, from OpenClaw's `sessions.json`."""
    from json import load

    if not os.path.isfile(path):
        return {}
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            entries = load(file)
    except (OSError, ValueError, RecursionError):
        return {}
    found = {}
    for key, entry in entries.items() if isinstance(entries, dict) else ():
        number = entry.get("sessionId") if isinstance(entry, dict) else None
        if isinstance(number, str):
            found[number] = key
    return found


def _rows(path: str, tally: Tally, query: str, *values: str) -> list[Any]:
    """Rows of a host's database with their texts decoded and the second column in seconds; none where there is none."""
    if not os.path.isfile(path):
        return []
    from .databases import Database, text

    database = Database(path, tally)
    try:
        found = database.rows(query, *values)
    finally:
        database.close()
    return [(text(row[0]), row[1] / 1000 if isinstance(row[1], (int, float)) else 0.0, *map(text, row[2:])) for row in found]


def folder_of(found: Found) -> str:
    """The folder that a session was begun in, as its host wrote it down; empty where it did not."""
    from . import Tally

    if found.host == "opencode":
        rows = _rows(found.path, Tally(), "SELECT directory, 0 FROM session WHERE id = ?", found.session)
        return rows[0][0] if rows else ""
    if found.path.endswith(_DATABASE):
        query = "SELECT substr(event_json, 1, 65536), 0 FROM transcript_events WHERE session_id = ? ORDER BY seq LIMIT 1"
        rows = _rows(found.path, Tally(), query, found.session)
        return _named_in(rows[0][0].encode("utf-8", "replace")) if rows else ""
    if found.host == "gemini":
        mark = os.path.join(os.path.dirname(os.path.dirname(found.path)), ".project_root")
        return _head_of(mark).decode("utf-8", "replace").strip()
    return _named_in(_head_of(found.path))


def _head_of(path: str) -> bytes:
    """The beginning of a file; of anything else nothing, for opening a FIFO would wait for ever."""
    if not os.path.isfile(path):
        return b""
    try:
        with open(path, "rb") as file:
            return file.read(_HEAD)
    except OSError:
        return b""


def _named_in(head: bytes) -> str:
    """The first working folder in the beginning of a transcript."""
    from json import loads

    named = _FOLDER.search(head)
    try:
        return str(loads(named[1])) if named else ""
    except ValueError:
        return ""
