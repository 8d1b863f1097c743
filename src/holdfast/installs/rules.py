"""The rules that an agent is given in the user's own file for agents, once the user has agreed."""

from __future__ import annotations


def text(host: str) -> str:  # noqa: ARG001 - each host may have words of its own
    """The section, in Markdown."""
    return """\
## Memory (Holdfast)

Your context may be compacted or cleared at any time. `holdfast` keeps what must survive it.

- Save before you answer: `holdfast decide "…"` for a decision, `holdfast decide "correction: X not Y"` for a correction,
  `holdfast context KEY VALUE` for a preference or a deadline, `holdfast task "…"`, `holdfast pending "…"`,
  `holdfast blocker "…"`.
- At a milestone, and when the user says “checkpoint” or “save snapshot”: `holdfast checkpoint` with exchange, unanswered, task,
  in-flight and tone; exact names, numbers and words, never “various changes”.
- After a compaction, or when you miss what you should know: `holdfast recover`, then `holdfast search "…"`. Never say that you do
  not remember before that. Say that the context was compacted, and ask whether the state that you restored is right."""
