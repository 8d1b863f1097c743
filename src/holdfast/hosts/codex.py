"""Codex: the hooks of Claude Code in nearly every word, payload and reply alike.

What differs (0.169.0): what is put into a context is cut at 10,000 bytes, not characters; a manual compaction is followed by
SessionStart only at the next prompt; what PreCompact prints goes nowhere; PostCompact has no summary, which stands in the rollout
instead; `transcript_path` may be null, and then the rollout is found by the session's id.
"""

from __future__ import annotations

from .claude_code import read, reply

__all__ = ["BOUNDARIES", "HOST", "IN_BYTES", "SIGN", "STEERS", "read", "reply"]

HOST = "codex"
IN_BYTES = True
SIGN = b"hooks.additional_context"
BOUNDARIES = (b'"compacted"',)
STEERS = False
