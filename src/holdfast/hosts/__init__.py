"""Hosts: one adapter each. A payload comes in, a reply goes out; all thought is Memory's.

A hook never fails its host: whatever happens, the exit code is 0 and what is printed is what the host understands.

An adapter is a module with

    HOST                           its name on the command line
    read(payload, event) -> Call   what the host says; `event` is the event that the command line names, or ""
    reply(call, text) -> str       what is printed where there is something to give
    IN_BYTES                       whether the host's limit on what is put into a context counts bytes

and, where the host has such a thing,

    BEGUN_IN      the variable that has the folder in which a session was begun: the payload has the one that the agent is in
    PROCESS       the variable that has the id of the host's process
    SIGN          what the lines have in which its transcript shows what hooks gave (delivery.py); b"": any line may
    BOUNDARIES    what a line that tells of a compaction has, one or the other: where no line has it, none need be looked for
    STEERS        whether what is printed before a compaction reaches the one who writes the summary
    LATE          seconds by which it may date a boundary after the brief that followed it, where that is not two minutes
    WITH_PROMPTS  whether the brief of a session's start comes with its first prompt
    FLEETING      whether what we give is said with each request and kept nowhere, so that a session that is resumed lacks it

    SAYS_IN_TRANSCRIPT   whether the first line of its transcript tells how it was started
    is_attended(env, program) -> bool   False where nobody can answer the agent, as in a script; True where it is not known
"""

from __future__ import annotations

from ..model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType

HOSTS = ("claude-code", "codex", "gemini", "opencode")  # OpenClaw's plugin has a way of its own (hooks/gateway.py)


def adapter_of(host: str) -> ModuleType | None:
    """The adapter of a host; none where we know no such host. It alone is loaded: a hook pays for each module."""
    if host == "claude-code":
        from . import claude_code

        return claude_code
    if host == "codex":
        from . import codex

        return codex
    if host == "gemini":
        from . import gemini

        return gemini
    if host == "opencode":
        from . import opencode

        return opencode
    return None


class Call(Value):
    """What a host's hook says, in one shape for all hosts."""

    # start, prompt, tool, turn, end, before-compaction, after-compaction; `unknown`; or "" for what we know and leave alone
    event: str
    session: str
    transcript: str = ""
    folder: str = ""  # where the host works
    source: str = ""  # startup, resume, clear, compact, fork; of an end: clear, where the user goes on with an empty context
    prompt: str = ""  # what the user has just said
    summary: str = ""  # what the host put in the place of what it dropped
    said: str = ""  # the agent's last words, at the end of a turn
    name: str = ""  # what the host calls it, where that is unknown to us
    seen: Mapping[str, str] = {}  # mark → what became of that brief, where a plugin of ours has seen the request
    trigger: str = ""  # of a compaction: manual, where the user asked for it; auto; or "" where the host does not say
    attended: bool = True  # whether somebody is there who could answer; see `is_attended`
    process: int = 0  # the id of the host's own process; 0 where it is not known


class Program(Value):
    """How the host was started, as far as the system tells."""

    arguments: tuple[str, ...] = ()
    terminal: bool | None = None  # whether its standard input is one; None where that is not known
    first_line: bytes = b""  # of its transcript, where the adapter asks for it
