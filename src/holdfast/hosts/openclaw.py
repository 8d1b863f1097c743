"""OpenClaw: what its plugin (integrations/openclaw/index.js) says, one object for each hook, tool call and slash command.

Ground truth (2026.9.6): `before_prompt_build`, `agent_end` and the compaction hooks know session key, agent and workspace;
`session_start` and `session_end` know no workspace, the compaction hooks of 2026.7 know the key alone. `trigger` is there only
inside a run. Until 2026.3 `/new` from a channel fires no `before_reset`, and its `session_end` has no reason: that another
session follows it (`resumedFrom`) tells of it. A session's transcript is in the agent's database; until 2026.7 it is a file,
which `/new` puts aside under another name while the hooks are still running. `sessionFile` is a path there, and since then a mark
(`sqlite:<agent>:<session>:…`).
The host's own memory flush is a run with the trigger `memory`. Until 2026.7 it has the key of the session that it flushes; since
then a key of its own (`…:internal-session-effects:…`), no `agent_end`, and the trace of the turn that it follows or precedes, by
which the plugin knows the session; until then it calls it `flush:<trace>`.
"""

from __future__ import annotations

import os

from ..model import Value
from ..transcripts.openclaw import ASIDE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

HOST = "openclaw"
# The plugin's hooks that leave a receipt, each with when the host fires it. `ALLOWED` need `allowConversationAccess`.
HOOKS = {
    "gateway_start": "when the gateway starts or loads the plugin anew",
    "session_start": "when a session begins",
    "before_prompt_build": "with each prompt",
    "agent_end": "after each turn",
    "before_compaction": "at the first compaction",
    "after_compaction": "at the first compaction",
    "before_reset": "at the first /new or /reset",
    "session_end": "at the first /new or /reset",
}
ALLOWED = ("before_prompt_build", "agent_end")
_ALONE = ("heartbeat", "cron", "memory")  # runs that nobody has with a person; what is said in them is no memory of ours


class Said(Value):
    """What the plugin says, every field optional: hosts of three years send it."""

    event: str  # the host's own name of a hook; or tool, command, summarize, dropped, wake; "" for what is left alone
    session: str = ""
    transcript: str = ""
    folder: str = ""  # the agent's workspace
    prompt: str = ""
    reason: str = ""
    before: int = 0  # messages before a compaction, and after it
    after: int = 0
    success: bool = True
    delivered: str = ""  # the mark of the brief that was in the run's request
    hands_over: bool = False  # whether the plugin has the conversation itself, and sends it when it is asked to
    messages: list[Any] | None = None  # that conversation
    tool: str = ""
    given: Mapping[str, Any] = {}
    words: str = ""  # behind a slash command
    arrived: tuple[str, ...] = ()  # parts of what was put into the prompt (topic, brief) that were in the run's request,
    missing: tuple[str, ...] = ()  # and that were not, as the plugin saw it
    late: bool = False  # told when somebody answered again
    sees_flushes: bool = False  # whether the plugin tells of the host's own memory flushes
    follows: bool = False  # a session that begins in place of another of the same key: a reset, whoever made it
    attended: bool = True  # False for a message of another session: no person has written it
    mid_turn: bool = False  # the host goes on with a turn whose context was too long


def read(said: Mapping[str, Any], env: Mapping[str, str]) -> Said:
    """What was said, in one shape. Runs and sessions that are left alone have no event."""
    session = _text(said, "sessionKey") or _text(said, "sessionId") or "default"
    messages, given = said.get("messages"), said.get("given")
    return Said(
        "" if _is_left_alone(said, session) else _text(said, "event"),
        session,
        _transcript(said, env),
        _text(said, "workspace"),
        _without_envelope(_text(said, "prompt")),
        _text(said, "reason"),
        _count(said, "before"),
        _count(said, "after"),
        said.get("success") is not False,
        _text(said, "delivered"),
        said.get("handsOver") is True,
        messages if isinstance(messages, list) else None,
        _text(said, "tool"),
        given if isinstance(given, dict) else {},
        _text(said, "words"),
        _parts(said, "arrived"),
        _parts(said, "missing"),
        said.get("late") is True,
        said.get("seesFlushes") is True,
        bool(_text(said, "resumedFrom")),
        said.get("provenance") != "inter_session",
        said.get("trigger") == "overflow",
    )


def workspace(said: Said, named: str, env: Mapping[str, str]) -> str:
    """The folder whose memory is meant: one that was named, else the agent's, else the one that the host begins with."""
    given = named or env.get("HOLDFAST_WORKSPACE") or env.get("OPENCLAW_WORKSPACE") or said.folder
    home = env.get("HOME") or os.path.expanduser("~")
    return os.path.abspath(os.path.expanduser(given)) if given else os.path.join(home, ".openclaw", "workspace")


def ends_heartbeat(said: Mapping[str, Any]) -> bool:
    """Whether a heartbeat's run is over."""
    return said.get("trigger") == "heartbeat" and _text(said, "event") == "agent_end"


def _is_left_alone(said: Mapping[str, Any], session: str) -> bool:
    from fnmatch import fnmatchcase

    inside = said.get("trigger") in _ALONE or said.get("provenance") == "internal_system" or ASIDE.search(session)
    others = said.get("ignoreSessions")
    return bool(inside) or any(fnmatchcase(session, str(each)) for each in (others if isinstance(others, list) else ()))


def _without_envelope(prompt: str) -> str:
    """The user's words. Until 2026.3 the host puts who sent them, and when, before them."""
    if "(untrusted" not in prompt:
        return prompt
    from ..transcripts.openclaw_texts import words

    return words(prompt, enveloped=True)


def _transcript(said: Mapping[str, Any], env: Mapping[str, str]) -> str:
    """The file or the database that has the session; empty where there is neither."""
    home = env.get("HOME") or os.path.expanduser("~")
    agents = os.path.join(env.get("OPENCLAW_STATE_DIR") or os.path.join(home, ".openclaw"), "agents")
    agent = os.path.join(agents, os.path.basename(_text(said, "agentId")) or "main")
    database = os.path.join(agent, "agent", "openclaw-agent.sqlite")
    if os.path.isfile(database):
        return database
    named, number = _text(said, "sessionFile"), os.path.basename(_text(said, "sessionId"))
    for path in (named, os.path.join(agent, "sessions", f"{number}.jsonl") if number else ""):
        if path and not path.startswith("sqlite:"):
            found = path if os.path.isfile(path) else _put_aside(path)
            if found:
                return found
    return ""


def _put_aside(path: str) -> str:
    """The newest name under which a reset has put a transcript."""
    folder, name = os.path.split(path)
    try:
        found = [other for other in os.listdir(folder) if other.startswith(f"{name}.reset.")]
    except (OSError, ValueError):
        return ""
    return os.path.join(folder, max(found)) if found else ""


def _text(said: Mapping[str, Any], name: str) -> str:
    value = said.get(name)
    return value if isinstance(value, str) else ""


def _parts(said: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = said.get(name)
    return tuple(part for part in ("topic", "brief") if part in value) if isinstance(value, list) else ()


def _count(said: Mapping[str, Any], name: str) -> int:
    value = said.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
