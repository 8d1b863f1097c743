"""The rules for an agent, for its AGENTS.md, CLAUDE.md or GEMINI.md: one text, with what differs from host to host."""

from __future__ import annotations

from . import Edit, Place, edit, marked, shipped

# Where the transcript is, and what the host shows of a session by itself. (`transcripts/find.py` looks in the same places.)
_HOSTS = {
    "claude-code": ("`~/.claude/projects/<folder>/<session>.jsonl`", "The host's own history"),
    "codex": ("`~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl`", "The host's own history"),
    "gemini": ("`~/.gemini/tmp/<project>/chats/session-*.jsonl`", "The host's own history"),
    "opencode": ("`~/.local/share/opencode/opencode.db`", "The host's own history"),
    "openclaw": (
        "in\n   `~/.openclaw/agents/<agent>/agent/openclaw-agent.sqlite`; before 2026.8 in the `sessionFile` that\n   "
        "`~/.openclaw/agents/<agent>/sessions/sessions.json` names for your session key",
        "The tool `sessions_history`",
    ),
}
_OTHER = ("in the host's own files", "The host's own history")


def text(host: str) -> str:
    """The section for a host, without the marks around it; a host that is not known gets what holds for all."""
    transcript, history = _HOSTS.get(host, _OTHER)
    more = shipped.text("rules-openclaw.md").replace("{flush}", shipped.text("flush.md").rstrip()) if host == "openclaw" else ""
    whole = shipped.text("rules.md")
    for name, value in {"transcript": transcript, "history": history, "more": more}.items():
        whole = whole.replace(f"{{{name}}}", value)
    return whole.rstrip("\n") + "\n"


def put_in(place: Place, path: str, host: str) -> tuple[Edit, ...]:
    """The edit by which a file for agents has the section, as it is today."""
    why = "the rules for the agent: what to save when, and how to recover"
    return edit(place, path, why, lambda before: marked.with_section(before, text(host)))


def taken_out(place: Place, path: str) -> tuple[Edit, ...]:
    """The edit by which it has none of ours."""
    return edit(place, path, "our section", marked.without_section)
