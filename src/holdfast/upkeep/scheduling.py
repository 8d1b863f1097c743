"""The weekly review on a schedule, Mondays at 9:00: the texts that a crontab, systemd and OpenClaw take. Pure.

How it is offered: `holdfast init` names `holdfast init schedule`, which shows the units as a diff and asks, and says the lines of
the other ways; `holdfast init openclaw` says OpenClaw's. Nothing is started by us: a crontab is the user's own list (`crontab -e`
takes the line), units are files below `~/.config/systemd/user/` which the user enables by the command that is shown, and OpenClaw
is told by one command. `mark` is in every text and is the same for the same workspace: by it a schedule is known again.

A path may have anything in it but control characters (init refuses those): spaces, quotes, `%`, which cron takes for the end of
the line and systemd for a specifier, `$`, and bytes that are no UTF-8.
"""

from __future__ import annotations

import re
import shlex

from ..model import Value
from ..util import compute_digest

CRON, CALENDAR = "0 9 * * 1", "Mon *-*-* 09:00:00"
# The program of a unit may have no odd letters in its name, its words any: an odd one is the word of a shell that becomes it.
_PLAIN, _THROUGH_SH = re.compile(r"[A-Za-z0-9_/.+-]+"), '/bin/sh -c "exec \\"$$0\\" \\"$$@\\""'
_SERVICE = """\
# {mark}: made by `holdfast init`
[Unit]
Description=Weekly review of the memory in {place}

[Service]
Type=oneshot
Nice=10
ExecStart={argv}
"""
_TIMER = """\
# {mark}: made by `holdfast init`
[Unit]
Description=Weekly review of the memory in {place}

[Timer]
OnCalendar={calendar}
Persistent=true

[Install]
WantedBy=timers.target
"""


class Schedule(Value):
    """One way to have the review by itself."""

    by: str  # crontab, systemd or openclaw
    files: tuple[tuple[str, str], ...]  # (path below the user's home, text) of what is to be written
    line: str  # what the user adds to the crontab, or runs
    mark: str


def schedules(command: str, workspace: str) -> tuple[Schedule, ...]:
    """Every way, for a command at its absolute path and a workspace; ValueError where no such line can be written."""
    for path in (command, workspace):
        if not path.startswith("/") or any(ord(letter) < 32 or ord(letter) == 127 for letter in path):
            raise ValueError(f"{path!r} is no absolute path that fits on a line")
    mark = mark_of(workspace)
    return (_crontab(command, workspace, mark), _systemd(command, workspace, mark), _openclaw(command, workspace, mark))


def mark_of(workspace: str) -> str:
    """The name of a workspace's review, wherever it is scheduled."""
    return f"holdfast-review-{compute_digest(workspace.encode('utf-8', 'surrogateescape'))[:8]}"


def _shell(command: str, workspace: str) -> str:
    """The review as a shell takes it, on one line."""
    return f"{shlex.quote(command)} --workspace {shlex.quote(workspace)} upkeep review"


def _crontab(command: str, workspace: str, mark: str) -> Schedule:
    """What goes wrong is mailed by cron; what was done is in the documents. Some crons end a line at `%` and some do not, with
    the backslash meant for the first kept by the others: so there is none in it.
    """
    line = _shell(command, workspace).replace("%", "'\"$(printf '\\045')\"'")
    return Schedule("crontab", (), f"{CRON} {line} >/dev/null # {mark}", mark)


def _systemd(command: str, workspace: str, mark: str) -> Schedule:
    program = command if _PLAIN.fullmatch(command) else f"{_THROUGH_SH} {_word(command)}"
    argv = f"{program} --workspace {_word(workspace)} upkeep review"
    place = _bare(workspace)
    folder = ".config/systemd/user"
    files = (
        (f"{folder}/{mark}.service", _SERVICE.format(mark=mark, place=place, argv=argv)),
        (f"{folder}/{mark}.timer", _TIMER.format(mark=mark, place=place, calendar=CALENDAR)),
    )
    return Schedule("systemd", files, f"systemctl --user enable --now {mark}.timer", mark)


def _word(path: str) -> str:
    """A path as one word of an ExecStart line."""
    text = path.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{_utf8(text)}"'


def _bare(path: str) -> str:
    """A path in a description: what a person reads, on one line."""
    return _utf8(path.replace("%", "%%")).removesuffix("\\")  # at the end of a line it would take in the next one


def _utf8(text: str) -> str:
    """Bytes that are no UTF-8 as escapes: a unit is UTF-8."""
    return re.sub("[\udc80-\udcff]", lambda found: f"\\x{ord(found[0]) - 0xDC00:02x}", text)


def _openclaw(command: str, workspace: str, mark: str) -> Schedule:
    """A command job: no model is asked, and nothing is sent to anybody."""
    words = ["openclaw", "cron", "add", "--name", mark, "--cron", CRON, "--command", _shell(command, workspace), "--no-deliver"]
    return Schedule("openclaw", (), shlex.join(words), mark)
