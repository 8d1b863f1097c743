"""Codex: the hooks of Claude Code in nearly every word, payload and reply alike.

What differs (0.169.0): what is put into a context is cut at 10,000 bytes, not characters; a manual compaction is followed by
SessionStart only at the next prompt; what PreCompact prints goes nowhere; PostCompact has no summary, which stands in the rollout
instead; `transcript_path` may be null, and then the rollout is found by the session's id.

Neither payload nor environment says whether anybody is there: `codex exec` and the terminal send the same. The arguments of the
process tell, and where the system does not show them, the rollout's first line does: its `source` is `exec`, `cli`, `vscode`.
"""

from __future__ import annotations

import json

from .claude_code import read, reply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from . import Program

__all__ = ["BOUNDARIES", "HOST", "IN_BYTES", "SAYS_IN_TRANSCRIPT", "SIGN", "STEERS", "is_attended", "read", "reply"]

HOST = "codex"
IN_BYTES = True
SIGN = b"hooks.additional_context"
BOUNDARIES = (b'"compacted"',)
STEERS = False
SAYS_IN_TRANSCRIPT = True


def is_attended(_env: Mapping[str, str], program: Program) -> bool:
    """Return False for `codex exec`. A session that it began may be resumed at the terminal, so the process is asked first."""
    name = program.arguments[0].rpartition("/")[2] if program.arguments else ""
    if name.startswith("codex"):
        return not any(word in ("exec", "e") for word in program.arguments[1:])
    try:
        return bool(json.loads(program.first_line)["payload"].get("source") != "exec")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return True
