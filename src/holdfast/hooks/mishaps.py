"""What went wrong with a hook, in few and fixed words; and where its receipt goes when the workspace does not take it."""

from __future__ import annotations

import json
import os

from ..config import state_folder
from ..errors import BadSetting, reason

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

PAUSED = "nothing: Holdfast is paused here; `holdfast resume` ends that"
ELSEWHERE = "receipts.jsonl"  # in the user's state folder
_LARGEST = 1 << 20  # bytes of it


def why(error: BaseException | None) -> str:
    """Why something failed, in few and fixed words: a brief says them, and paths and names are others' words."""
    cause = error if isinstance(error, OSError) or error is None else error.__cause__
    if isinstance(cause, OSError):
        return reason(OSError(cause.errno, ""))[0]
    return "the settings cannot be read" if isinstance(error, BadSetting) else f"a fault of ours, {type(error).__name__}"


def keep_elsewhere(about: Mapping[str, Any], env: Mapping[str, str], workspace: str, now: float) -> str:
    """A receipt that the workspace does not take goes to the user's state folder; what to say where that refuses too."""
    from ..storage.disk import Folder
    from ..util import format_time

    failed = about.get("failed") or ["the receipt could not be written there"]
    line = json.dumps({"time": format_time(now), **about, "failed": failed, "workspace": workspace}, ensure_ascii=False)
    try:
        with Folder.open(state_folder(env), make=True) as folder:
            found = folder.stat(ELSEWHERE)
            if found and found.st_size > _LARGEST:
                folder.remove(ELSEWHERE)
            folder.append(ELSEWHERE, line.encode("utf-8", "replace") + b"\n")
    except OSError as error:
        return f"{'; '.join(failed)}. No receipt could be written either: {why(error)}. `holdfast doctor` looks into it."
    return ""


def kept_elsewhere(env: Mapping[str, str]) -> list[str]:
    """The receipts that their workspaces did not take, as lines."""
    from ..storage.disk import Folder

    try:
        with Folder.open(state_folder(env)) as folder:
            return (folder.read_or_none(ELSEWHERE) or b"").decode("utf-8", "replace").split("\n")
    except OSError:
        return []


def path_elsewhere(env: Mapping[str, str]) -> str:
    """The file that has them."""
    return os.path.join(state_folder(env), ELSEWHERE)


def change_elsewhere(env: Mapping[str, str], change: Callable[[str], str]) -> None:
    """Replace their text, whole or not at all. A receipt that comes in this very moment may be lost; a log may lose one."""
    from ..storage.disk import Folder

    with Folder.open(state_folder(env)) as folder:
        folder.clear_up()
        old = (folder.read_or_none(ELSEWHERE) or b"").decode("utf-8", "surrogateescape")
        new = change(old)
        if new != old:
            folder.place(folder.prepare(new.encode("utf-8", "surrogateescape")), folder, ELSEWHERE, over=True)
            folder.sync()
