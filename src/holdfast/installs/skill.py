"""The skill, as it is for one host: what other hosts have and do is left out of it.

`integrations/skill/` has the text for all of them. `{openclaw|…|}` stands there for OpenClaw alone, `{coding|…|}` for the coding
agents, `{claude-code|…|}` and `{codex|…|}` for one of these. The plugin for coding agents ships the text for both of its hosts as
files, in `integrations/claude-code/skills/`; a test compares them with what is rendered here.
"""

from __future__ import annotations

import re

from . import rules, shipped

NAME = "holdfast-memory"
_FOR = re.compile(r"\{([a-z-]+)\|(.*?)\|\}", re.DOTALL)
_KINDS = {
    "openclaw": {"openclaw"},
    "claude-code": {"coding", "claude-code"},
    "plugin": {"coding", "claude-code", "codex"},  # one plugin for both
}


def files(host: str, version: tuple[int, ...] = ()) -> dict[str, str]:
    """Every file of the skill for a host, by its path in the skill's own folder."""
    kinds = _KINDS[host]

    def render(text: str) -> str:
        text = _FOR.sub(lambda found: found[2] if found[1] in kinds else "", text)
        return text.replace("{history}", rules.history(host, version))

    return {name: render(text) for name, text in shipped.files("skill").items()}
