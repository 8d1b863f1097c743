"""The rules for an agent, for its AGENTS.md, CLAUDE.md or GEMINI.md: one text, with what differs from host to host."""

from __future__ import annotations

from . import Edit, Place, edit, marked, shipped

# Where the transcript is. (`transcripts/find.py` looks in the same places.)
_TRANSCRIPTS = {
    "claude-code": "`~/.claude/projects/<folder>/<session>.jsonl`",
    "codex": "`~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl`",
    "gemini": "`~/.gemini/tmp/<project>/chats/session-*.jsonl`",
    "opencode": "`~/.local/share/opencode/opencode.db`",
    "openclaw": "in\n   `~/.openclaw/agents/<agent>/agent/openclaw-agent.sqlite`; before 2026.8 in the `sessionFile` that\n   "
    "`~/.openclaw/agents/<agent>/sessions/sessions.json` names for your session key",
}
_OTHER = "in the host's own files"
_DAY, _DAY_EPISODIC = "`memory/YYYY-MM-DD.md`", "`memory/episodic/YYYY-MM-DD.md`"
_DAY_EITHER = f"{_DAY} (in `memory/episodic/` where that\nfolder is there)"
_BESIDE = "\nA flush may write nowhere else. Holdfast reads it there, and upkeep brings it into `memory/episodic/` later."
_HISTORY_IS_WHOLE = (2026, 7)  # OpenClaw: seen on 2026.7.1 and 2026.9.6; a guide of early 2026 says the opposite of its time


def history(host: str, version: tuple[int, ...] = ()) -> str:
    """What the host itself shows of a session after a compaction, in a sentence; for OpenClaw by its version."""
    if host != "openclaw":
        return "What the host itself still shows begins after the compaction."
    if not version:
        return "The tool `sessions_history` shortens, and older versions lack what came before."
    if version >= _HISTORY_IS_WHOLE:
        return "The tool `sessions_history` has what came before too, but shortened."
    return "The tool `sessions_history` has only what came after."


def text(host: str, version: tuple[int, ...] = (), *, episodic: bool = False) -> str:
    """The section for a host, without the marks around it; a host that is not known gets what holds for all.

    Episodic: whether OpenClaw's workspace has its days in `memory/episodic/`. Its flush may write into `memory/` alone, wherever
    they are. The section of another host is for more than one workspace.
    """
    more = shipped.text("rules-openclaw.md").replace("{flush}", shipped.text("flush.md").rstrip()) if host == "openclaw" else ""
    whole = shipped.text("rules.md")
    values = {
        "transcript": _TRANSCRIPTS.get(host, _OTHER),
        "history": history(host, version),
        "more": more,
        "day": _DAY_EITHER if host != "openclaw" else _DAY_EPISODIC if episodic else _DAY,
        "beside": _BESIDE if episodic else "",
    }
    for name, value in values.items():
        whole = whole.replace(f"{{{name}}}", value)
    return whole.rstrip("\n") + "\n"


def put_in(place: Place, path: str, host: str) -> tuple[Edit, ...]:
    """The edit by which a file for agents has the section, as it is today."""
    why = "the rules for the agent: what to save when, and how to recover"
    return edit(place, path, why, lambda before: marked.with_section(before, text(host)))


def taken_out(place: Place, path: str) -> tuple[Edit, ...]:
    """The edit by which it has none of ours."""
    return edit(place, path, "our section", marked.without_section)
