"""OpenClaw's plugin at work, proved by what it left: that it is loaded, which of its hooks the host has fired, and whether what
was put into the last prompt was in the request. Part of `holdfast doctor`. Pure.

OpenClaw drops hooks that it does not allow, with a line in its log alone: what the others tell shows that some are missing. A
session that only had commands since the plugin was loaded looks the same, so that the settings have to say it too.
"""

from __future__ import annotations

from .. import __version__
from ..hosts.openclaw import ALLOWED, HOOKS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..hooks.receipts import Seen

_ACCESS = "plugins.entries.holdfast.hooks.allowConversationAccess"


def proved(seen: Seen, settings: tuple[str, ...]) -> tuple[str, list[str]]:
    """What is wrong, in a sentence, or nothing; and what is known, a line each. Settings: what is wrong with them."""
    said = [_loaded(seen)]
    missing = [name for name in HOOKS if name not in seen.events]
    if missing:
        said.append(f"not fired here yet: {', '.join(f'{name} ({HOOKS[name]})' for name in missing)}")
    if seen.put:
        said.append(seen.put.said())
    if _unheard(seen):
        if any(_ACCESS in line for line in settings):
            return f"the host drops the hooks that bring memory back and save turns: set {_ACCESS} to true", said
        said.append(f"no prompt was heard of since then, though a session was: after a turn it would be; {_ACCESS} must be true")
    if seen.put and seen.put.arrived is False:
        return "what was put into the last prompt was not in its request", said
    return "", said


def _loaded(seen: Seen) -> str:
    if not seen.loaded:
        return "loaded: not known; the plugin says so when the gateway starts"
    plugin, gateway, when = seen.loaded
    older = "" if plugin == __version__ else f"; this is Holdfast {__version__}: restart the gateway"
    return f"loaded: plugin {plugin} by OpenClaw {gateway}, {when[:16].replace('T', ' ')}{older}"


def _unheard(seen: Seen) -> bool:
    """Whether sessions were heard of since the plugin was loaded, and never a prompt or a turn of theirs."""
    since = seen.loaded[2] if seen.loaded else ""
    heard = [name for name, (_, when) in seen.events.items() if name in HOOKS and name != "gateway_start" and when >= since]
    return bool(heard) and not set(heard) & set(ALLOWED)
