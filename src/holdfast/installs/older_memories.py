"""Memory tools that people used in OpenClaw before Holdfast: how each is found, switched off and put back. Pure.

Two memories fight: both save, both inject, and of two tools with one name the host keeps the one that was loaded first. So
`holdfast init openclaw` offers to switch the older one off, in the diff that it shows, and `holdfast doctor` names whatever is
still on beside ours. Nothing of theirs is deleted: a plugin and a skill are disabled in OpenClaw's own settings, a section of
AGENTS.md is moved into a file of ours with a mark in its place, and a scheduled job is paused. `SetAside` remembers what was
changed, so that `holdfast uninstall openclaw` puts it back even where somebody has edited the files since.
"""

from __future__ import annotations

import json
import os
import re
from typing import Any

from ..errors import HoldfastError
from ..model import Value
from ..util import compute_digest
from . import Place, json_text, marked
from .included import Settings

Way = tuple[str, ...]

TOOLS = ("context_snap", "holdfast_recall", "holdfast_checkpoint")  # that our plugin registers
_SNAP_MEMORY = "snap-memory"
_OURS = ("holdfast", "holdfast-memory")
_CARRIED = (
    "contextDir",
    "maxHistoryLines",
    "maxDecisions",
)  # the settings of snap-memory; ours have the same names
_DEFAULTS = {"contextDir": "memory", "maxHistoryLines": 30, "maxDecisions": 20}

# What a skill is called here, and what its SKILL.md says. A skill of another name that merely mentions these is left alone.
_SKILLS = (
    ("Big Memory", re.compile(r"<!-- /?BIG-MEMORY-SNAPSHOT")),
    ("Smart Memory", re.compile(r"session_state\.py|\bscripts/wal\b")),
    ("Memory v4", re.compile(r"archive-old-episodic\.sh")),
)
_SCRIPTS = ("archive-old-episodic.sh", "health-check.sh")
_JOB = re.compile(r"health-check\.sh|archive-old-episodic")

# The headings of the guide's section in AGENTS.md. People paste it as it is shown: with `##`, in bold, or as plain lines.
_GUIDE = (
    re.compile(r"post-compaction recovery\b"),
    re.compile(r"compaction checkpoints?\b.*zero tolerance"),
    re.compile(r"compaction recovery\b.*defense in depth"),
    re.compile(r"jsonl recovery method\b"),
)
_HEADING = re.compile(r"(#{1,6})[ \t]+(.*?)[ \t#]*$|(?:\*\*|<strong>)(.*?)(?:\*\*|</strong>)[:.]?$")
_ASIDE = re.compile(r"<!-- holdfast: set aside ([0-9a-f]{12})[^>]*-->[ \t]*(?:\r?\n)?")
_PLAIN_LEVEL = 7  # of a heading in bold or as a plain line: any heading with `#` ends it


class OlderMemory(Value):
    """One that is still on beside ours."""

    name: str  # as a person would call it
    fight: str  # what two of them do to each other, in a clause
    off: str  # how it is switched off, in a clause
    settings: tuple[tuple[Way, Any], ...] = ()  # in OpenClaw's settings, to switch it off
    carried: tuple[tuple[str, Any], ...] = ()  # its own settings that ours are to have
    job: str = ""  # the id of a job of the host's scheduler
    notes: tuple[str, ...] = ()  # what the user should know or do


def find(place: Place, config: Settings, state: str, workspaces: list[str]) -> list[OlderMemory]:
    """Every plugin, skill and job that is on, in that order. A section in AGENTS.md is found by `find_guide`."""
    plugins = _find_plugins(place, config, state, workspaces)
    return [*plugins, *_find_skills(place, config, state, workspaces), *_find_jobs(place, state)]


# ---- plugins --------------------------------------------------------------------------------------------------------------


def _find_plugins(
    place: Place, config: Settings, state: str, workspaces: list[str]
) -> list[OlderMemory]:
    """The plugins that are on and have a tool of the same name as one of ours: snap-memory, by name or by its tool."""
    entries = _object(config.get(("plugins", "entries")))
    rivals = {name: "context_snap" for name in entries if name == _SNAP_MEMORY}
    for folder in _plugin_folders(place, config, state, workspaces):
        manifest = _read_json(place, os.path.join(folder, "openclaw.plugin.json"))
        tools = _object(manifest.get("contracts")).get("tools")
        shared = [tool for tool in TOOLS if isinstance(tools, list) and tool in tools]
        name = str(manifest.get("id") or "")
        if name == _SNAP_MEMORY or (name and shared):
            rivals[name] = shared[0] if shared else "context_snap"
    return [
        _plugin(name, tool, config, workspaces)
        for name, tool in rivals.items()
        if _is_on(name, config)
    ]


def _plugin(name: str, tool: str, config: Settings, workspaces: list[str]) -> OlderMemory:
    way = ("plugins", "entries", name)
    carried, notes = _carried(_object(config.get((*way, "config"))), config, workspaces)
    return OlderMemory(
        f"the plugin {name}",
        f"OpenClaw keeps one tool {tool}, that of {name} (its log says “plugin tool name conflict”), and the topic is in "
        "every prompt twice",
        f"{'.'.join(way)}.enabled: false",
        settings=(((*way, "enabled"), False),),
        carried=carried,
        notes=notes,
    )


def _is_on(name: str, config: Settings) -> bool:
    """Whether the host would load a plugin."""
    if name in _OURS or config.get(("plugins", "enabled")) is False:
        return False
    allowed, denied = config.get(("plugins", "allow")), config.get(("plugins", "deny"))
    if (isinstance(allowed, list) and allowed and name not in allowed) or (
        isinstance(denied, list) and name in denied
    ):
        return False
    return config.get(("plugins", "entries", name, "enabled")) is not False


def _plugin_folders(place: Place, config: Settings, state: str, workspaces: list[str]) -> list[str]:
    """The folders that OpenClaw loads plugins from."""
    named = config.get(("plugins", "load", "paths"))
    paths = [path for path in named if isinstance(path, str)] if isinstance(named, list) else []
    paths = [
        os.path.normpath(os.path.join(place.folder, _from_home(place, path))) for path in paths
    ]
    for parent in (
        os.path.join(state, "extensions"),
        *(os.path.join(one, ".openclaw", "extensions") for one in workspaces),
    ):
        paths += [os.path.join(parent, name) for name in place.listed(parent)]
    return paths


def _carried(
    theirs: dict[str, Any], config: Settings, workspaces: list[str]
) -> tuple[tuple[tuple[str, Any], ...], tuple[str, ...]]:
    """The settings of snap-memory that ours are to have, where ours say nothing else; and what cannot be carried over."""
    ours = _object(config.get(("plugins", "entries", "holdfast", "config")))
    found: list[tuple[str, Any]] = []
    notes: list[str] = []
    for name in _CARRIED:
        value = theirs.get(name)
        if value is None or name in ours:
            continue
        if name == "contextDir":
            value = _inside(str(value), workspaces)
            if not value:
                where = f"contextDir of snap-memory, {theirs[name]}, is outside of the workspace"
                notes.append(f"{where}: move the topics in it to memory/ in the workspace.")
                continue
        elif type(value) is not int or value < 1:
            continue
        if value != _DEFAULTS[name]:
            found.append((name, value))
    if any(name == "contextDir" for name, _ in found):
        line = f'contextDir = "{dict(found)["contextDir"]}"'
        notes.append(
            f"For `holdfast` in your own terminal, put {line} into .holdfast/config.toml of the workspace too."
        )
    return tuple(found), tuple(notes)


def _inside(folder: str, workspaces: list[str]) -> str:
    """A folder as it is named from its workspace; empty where it is in none of them."""
    if not os.path.isabs(folder):
        path = os.path.normpath(folder)
        return "" if path.startswith("..") or path == "." else path
    for workspace in workspaces:
        path = os.path.relpath(folder, workspace)
        if not path.startswith("..") and path != ".":
            return path
    return ""


# ---- skills ---------------------------------------------------------------------------------------------------------------


def _find_skills(
    place: Place, config: Settings, state: str, workspaces: list[str]
) -> list[OlderMemory]:
    """The skills that have the agent do by hand what the hooks do."""
    extra = config.get(("skills", "load", "extraDirs"))
    folders = [
        os.path.join(one, name) for one in workspaces for name in ("skills", ".agents/skills")
    ]
    folders += [os.path.join(place.home, ".agents", "skills"), os.path.join(state, "skills")]
    folders += (
        [_from_home(place, path) for path in extra if isinstance(path, str)]
        if isinstance(extra, list)
        else []
    )
    found: dict[str, OlderMemory] = {}
    for folder in folders:
        for name in place.listed(folder):
            text = _read(place, os.path.join(folder, name, "SKILL.md"))
            older = _skill(text, name) if text else None
            if older and config.get(older.settings[0][0]) is not False:
                found.setdefault(older.name, older)
    return list(found.values())


def _skill(text: str, folder: str) -> OlderMemory | None:
    head = re.match(r"---\r?\n(.*?)\r?\n---", text, re.DOTALL)
    about = head[1] if head else ""
    named = re.search(r"^name:[ \t]*[\"']?([^\"'\r\n]+?)[\"']?[ \t]*$", about, re.MULTILINE)
    name = named[1] if named else folder
    keyed = re.search(r"skillKey[\"']?\s*:\s*[\"']?([\w.-]+)", about)
    title = next((title for title, says in _SKILLS if says.search(text)), "")
    if name in _OURS or not title or "memory" not in name.casefold():
        return None
    way = ("skills", "entries", keyed[1] if keyed else name, "enabled")
    return OlderMemory(
        f"the skill {name}",
        "it has the agent write by hand what the hooks save, so that snapshots and notes are made twice",
        f"{'.'.join(way)}: false",
        settings=((way, False),),
    )


# ---- jobs and scripts -----------------------------------------------------------------------------------------------------


def _find_jobs(place: Place, state: str) -> list[OlderMemory]:
    """The jobs of OpenClaw's scheduler that run the scripts of Memory v4."""
    found = []
    for job in place.jobs(state):
        payload = json.dumps(job.get("payload") or {}, ensure_ascii=False)
        name, key = str(job.get("name") or ""), str(job.get("id") or "")
        if (
            job.get("enabled") is False
            or not key
            or name.startswith("holdfast-review-")
            or not _JOB.search(payload)
        ):
            continue
        found.append(
            OlderMemory(
                f"the scheduled job {name or key}",
                "it runs the weekly review by a model, and Holdfast reviews the same files without one",
                f"paused by the plugin; openclaw cron enable {key} has it back",
                job=key,
            )
        )
    return found


def find_scripts(place: Place, workspaces: list[str]) -> list[str]:
    """The folders that have the scripts of Memory v4. Nothing runs them by itself, so that they are only named."""
    folders = [
        os.path.join(one, name) for one in workspaces for name in ("memory/scripts", "scripts")
    ]
    return [folder for folder in folders if set(_SCRIPTS) <= set(place.listed(folder))]


# ---- the guide's section in AGENTS.md ---------------------------------------------------------------------------------------


def find_guide(text: str) -> list[tuple[int, int]]:
    """Where the guide's sections stand in an AGENTS.md, from and to, in its order; one heading alone may be the owner's own."""
    found: list[tuple[int, int]] = []
    headings, level = 0, 0  # level: of the section that we are in; 0 where we are in none
    for start, end, depth, is_guide in _headings(text):
        if is_guide:
            headings += 1
            found, level = (
                ([*found[:-1], (found[-1][0], end)] if level else [*found, (start, end)]),
                depth,
            )
        elif level and depth <= level:
            level = 0
        elif level:
            found[-1] = (found[-1][0], end)
    return found if headings > 1 else []


def _headings(text: str) -> list[tuple[int, int, int, bool]]:
    """(start, end of what is below it, depth, whether it is the guide's) of each heading outside of our own section."""
    ours = [found.span() for found in marked.SECTION.finditer(text)]
    lines: list[tuple[int, int, bool]] = []
    at, fenced = 0, False
    for line in text.splitlines(keepends=True):
        start, at = at, at + len(line)
        bare = line.strip()
        fenced = fenced != bare.startswith("```")
        inside = [span for span in ours if span[0] <= start < span[1]]
        if inside or bare.startswith("<!-- holdfast:"):
            lines += (
                [(start, 0, False)] if not lines or lines[-1][1] else []
            )  # ends whatever stands before it
            continue
        heading = _HEADING.match(bare) if not fenced else None
        words = (
            re.sub(r"[*_`]|</?strong>", "", (heading[2] or heading[3] or "") if heading else bare)
            .strip()
            .casefold()
        )
        is_guide = not fenced and len(bare) < 100 and any(one.match(words) for one in _GUIDE)
        if heading and heading[1]:
            lines.append((start, len(heading[1]), is_guide))
        elif is_guide:
            lines.append((start, _PLAIN_LEVEL, True))
    ends = [*(start for start, _, _ in lines[1:]), len(text)]
    return [
        (start, end, depth, is_guide)
        for (start, depth, is_guide), end in zip(lines, ends, strict=False)
    ]


def set_guide_aside(text: str) -> tuple[str, dict[str, str]]:
    """The text with a mark in the place of each of the guide's sections, and what stood there, by mark."""
    aside: dict[str, str] = {}
    for start, end in reversed(find_guide(text)):
        body = text[start:end]
        name = compute_digest(body.encode("utf-8", "surrogateescape"))[:12]
        line_end = "\r\n" if "\r\n" in body else "\n"
        mark = f"<!-- holdfast: set aside {name} (`holdfast uninstall openclaw` puts it back) -->{line_end}"
        aside[name] = body
        text = text[:start] + mark + text[end:]
    return text, aside


def put_guide_back(text: str, aside: dict[str, str]) -> str:
    """The text with what was set aside in the place of its marks."""
    return _ASIDE.sub(lambda found: aside.get(found[1], found[0]), text)


# ---- what was switched off --------------------------------------------------------------------------------------------------


class SetAside(Value):
    """What `init` has switched off, as the file `set-aside.json` in OpenClaw's state folder has it."""

    settings: tuple[
        tuple[Way, Any, Any], ...
    ] = ()  # (way, before, after); before is None where there was nothing
    sections: tuple[tuple[str, str], ...] = ()  # (mark, text)
    jobs: tuple[str, ...] = ()

    def as_text(self) -> str:
        """The file's text; empty where nothing was switched off."""
        if self == SetAside():
            return ""
        data = {
            "settings": [
                {"way": list(way), "before": before, "after": after}
                for way, before, after in self.settings
            ],
            "sections": dict(self.sections),
            "jobs": list(self.jobs),
        }
        return json.dumps(data, indent=1) + "\n"


def read_set_aside(text: str | None) -> SetAside:
    """What the file says; nothing where there is none, or where it is damaged."""
    try:
        data = json.loads(text or "{}")
        settings = tuple(
            (tuple(map(str, row["way"])), row["before"], row["after"])
            for row in data.get("settings", [])
        )
        sections = tuple((str(name), str(body)) for name, body in data.get("sections", {}).items())
        return SetAside(settings, sections, tuple(map(str, data.get("jobs", []))))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return SetAside()


# ---- reading ---------------------------------------------------------------------------------------------------------------


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _from_home(place: Place, path: str) -> str:
    return place.home + path[1:] if path == "~" or path.startswith("~/") else path


def _read(place: Place, path: str) -> str | None:
    """A file of somebody else's that is only looked at; one that cannot be read is not there."""
    try:
        return place.read(path)
    except HoldfastError:
        return None


def _read_json(place: Place, path: str) -> dict[str, Any]:
    try:
        return _object(json_text.read(_read(place, path) or ""))
    except ValueError:
        return {}
