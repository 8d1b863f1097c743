"""Claude Code: hooks of settings.json, JSON on stdin, JSON or nothing on stdout.

Ground truth (2.1.326): every payload has `session_id`, `transcript_path`, `cwd`, `hook_event_name`; SessionStart has `source`,
SessionEnd `reason`, UserPromptSubmit `prompt`, Stop `last_assistant_message`, PostCompact `compact_summary`; `agent_id` is there
only inside a subagent. `cwd` is the folder that the agent has gone to since, CLAUDE_PROJECT_DIR the one in which the session was
begun. PreCompact takes no additionalContext: plain prose on its stdout goes to the summariser, and so would JSON, as it is. What
PostCompact prints may stay in the context, so nothing there. SessionStart(compact) comes before the next model call: the place
to give the brief.

PreCompact has `trigger` (manual, auto), SessionStart(compact) has none. The hook's own environment says whether anybody is there:
CLAUDE_CODE_SESSION_ATTENDED is 1 at the terminal and 0 with `-p`, where CLAUDE_CODE_ENTRYPOINT is `sdk-cli` and not `cli`.
"""

from __future__ import annotations

from . import Call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from . import Program

HOST = "claude-code"
IN_BYTES = False  # the host's limit on what is put into a context counts characters
BEGUN_IN = "CLAUDE_PROJECT_DIR"
PROCESS = "CLAUDE_PID"
SIGN = b"hook_additional_context"
BOUNDARIES = (b"compact_boundary",)
STEERS = True
_EVENTS = {
    "SessionStart": "start",
    "Stop": "turn",
    "StopFailure": "turn",
    "SessionEnd": "turn",
    "PreCompact": "before-compaction",
    "PostCompact": "after-compaction",
    "UserPromptSubmit": "prompt",
}
_LEFT = ("clear", "prompt_input_exit", "logout")  # what `-p` ends with (`other`) is no end: the next prompt resumes it
_SOURCES = ("", "startup", "resume", "clear", "compact", "fork")
# What the host has besides, as far as we know it; and Codex's own two. None of it is for us.
_OTHERS = frozenset(
    """PreToolUse PostToolUse PostToolUseFailure PostToolBatch Notification UserPromptExpansion SubagentStart SubagentStop
    PreModelSwitch PostModelSwitch PermissionRequest PermissionDenied Setup TeammateIdle TaskCreated TaskCompleted Elicitation
    ElicitationResult ConfigChange WorktreeCreate WorktreeRemove InstructionsLoaded CwdChanged FileChanged DirectoryAdded
    MessageDisplay PreModelRequest Interrupt""".split()  # noqa: SIM905
)


def read(payload: Mapping[str, Any], event: str) -> Call:
    """The payload of a hook. Subagents are left alone; what we do not know is said to be unknown, never guessed."""
    name, source = event or _text(payload, "hook_event_name"), _text(payload, "source")
    meant, odd = _EVENTS.get(name, "unknown"), name or "(no event is named)"
    if meant == "start" and source not in _SOURCES:
        meant, odd = "unknown", f"{name} ({source})"
    elif name == "SessionEnd" and payload.get("reason") in _LEFT:
        meant, source = "end", _text(payload, "reason")
    return Call(
        "" if payload.get("agent_id") or name in _OTHERS else meant,
        _text(payload, "session_id") or "default",
        _text(payload, "transcript_path"),
        _text(payload, "cwd"),
        source,
        _text(payload, "prompt"),
        _text(payload, "compact_summary"),
        _text(payload, "last_assistant_message") if meant == "turn" else "",
        odd if meant == "unknown" else "",
        trigger=_text(payload, "trigger"),
    )


def is_attended(env: Mapping[str, str], _program: Program) -> bool:
    """Return whether somebody is at the terminal. Versions that do not say so are known by how they were started."""
    attended = env.get("CLAUDE_CODE_SESSION_ATTENDED", "")
    return attended != "0" and (attended == "1" or not env.get("CLAUDE_CODE_ENTRYPOINT", "").startswith("sdk-"))


def _text(payload: Mapping[str, Any], name: str) -> str:
    value = payload.get(name)
    return value if isinstance(value, str) else "" if value is None else str(value)


def reply(call: Call, text: str) -> str:
    """What is given, as the host takes it."""
    import json

    if call.event == "before-compaction":
        return text
    name = {"start": "SessionStart", "prompt": "UserPromptSubmit"}.get(call.event)
    if not name or not text:
        return ""
    return json.dumps({"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}}, ensure_ascii=False)
