"""Codex: the hooks of Claude Code in nearly every word, payload and reply alike.

What differs (0.169.0): what is put into a context is cut at 10,000 bytes, not characters; a manual compaction is followed by
SessionStart only at the next prompt; what PreCompact prints goes nowhere; PostCompact has no summary, which stands in the rollout
instead; `transcript_path` may be null, and then the rollout is found by the session's id.

Neither payload nor environment says whether anybody is there: `codex exec` and the terminal send the same. The arguments of the
process tell, and where the system does not show them, the rollout's first line does: its `source` is `exec`, `cli`, `vscode`.
"""

from __future__ import annotations

import json
import os

from .claude_code import read, reply
from .processes import read_arguments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from . import Call

__all__ = ["BOUNDARIES", "HOST", "IN_BYTES", "SIGN", "STEERS", "is_attended", "read", "reply"]

HOST = "codex"
IN_BYTES = True
SIGN = b"hooks.additional_context"
BOUNDARIES = (b'"compacted"',)
STEERS = False
_FIRST_LINE = 1 << 20  # bytes: it has the instructions to the model in it


def is_attended(call: Call, _env: Mapping[str, str]) -> bool:
    """Return False for `codex exec`. A session that it began may be resumed at the terminal, so the process is asked first."""
    arguments = read_arguments(call.process)
    if arguments and os.path.basename(arguments[0]).startswith("codex"):
        return not any(word in ("exec", "e") for word in arguments[1:])
    return _read_source(call.transcript) != "exec"


def _read_source(path: str) -> str:
    """Return by which of its programs Codex began a session; empty where the rollout does not say."""
    try:
        with open(path, "rb") as file:
            payload = json.loads(file.readline(_FIRST_LINE))["payload"]
        return str(payload.get("source", ""))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return ""
