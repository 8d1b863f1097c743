"""What hosts' files may be before us, and what a reader of a diff would expect of them: what U3 and its neighbours look at."""

from __future__ import annotations

import re
from pathlib import Path

SECRET = "sk-ant-api03-" + "Qz7" * 31 + "-AA"
COMMENTED = """\
// my settings
{
\t"env": {"ANTHROPIC_API_KEY": "SECRET"},
\t"hooks": {
\t\t"Stop": [
\t\t\t{"hooks": [{"type": "command", "command": "mine"}]}  // mine
\t\t],
\t},  // that was hooks
}
""".replace("SECRET", SECRET)
TOML = 'model = "gpt"  # the good one\n\n[mcp_servers.other]\ncommand = "other"\nargs = ["[mcp_servers.holdfast]"]\n'

# A host's settings as programs write them: all in one line, with a comma and a bracket where they are only words.
LONG = (
    '{"numStartups": 1, "projects": {"/home/a, {b": {"history": ["why, [so]?", "it said \\"no\\", {and} left"], "tools": []}}, '
    '"env": {"ANTHROPIC_API_KEY": "SECRET", "args": ["--api-key", "SECRET"]}, "theme": "dark", "last": true}'
).replace("SECRET", SECRET)

# what a host's files may be before us: host → name → path in the home → text
BEFORE: dict[str, dict[str, dict[str, str]]] = {
    "claude-code": {
        "nothing": {},
        "used, no settings": {".claude/projects/x": "", ".claude.json": '{"numStartups": 1}\n'},
        "comments and other hooks": {".claude/settings.json": COMMENTED, ".claude/CLAUDE.md": "# Mine\n\n- be brief\n"},
        "carriage returns": {".claude/settings.json": '{\r\n  "model": "opus"\r\n}\r\n', ".claude/CLAUDE.md": "# Mine\r\n"},
        "no line end": {".claude/settings.json": '{"model": "opus"}', ".claude/CLAUDE.md": "# Mine"},
        "empty": {".claude/settings.json": "", ".claude/CLAUDE.md": "", ".claude.json": ""},
        "no UTF-8": {".claude/CLAUDE.md": "# Fran\udce7ais\n"},
        "other servers": {".claude.json": '{"mcpServers": {"x": {"command": "x"}}, "projects": {}}'},
        "all in one line": {".claude.json": LONG, ".claude/settings.json": LONG + "\n"},
        "a command of that name": {".claude/commands/holdfast.md": "my own\n", ".claude/settings.json": "{}\n"},
    },
    "codex": {
        "nothing": {},
        "used, no settings": {".codex/auth.json": "{}"},
        "settings": {".codex/config.toml": TOML, ".codex/AGENTS.md": "# Mine\n", ".codex/hooks.json": '{"hooks": {}}\n'},
        "no line end": {".codex/config.toml": 'model = "x"', ".codex/AGENTS.md": "# Mine"},
        "carriage returns": {".codex/config.toml": 'model = "x"\r\n'},
        "other hooks": {".codex/hooks.json": COMMENTED.replace("Stop", "SessionStart")},
        "all in one line": {".codex/hooks.json": LONG},
        "empty": {".codex/config.toml": "", ".codex/hooks.json": "", ".codex/AGENTS.md": ""},
    },
    "gemini": {
        "nothing": {},
        "used, no settings": {".gemini/projects.json": "{}"},
        "other hooks": {".gemini/settings.json": COMMENTED.replace("Stop", "AfterAgent"), ".gemini/GEMINI.md": "# Mine\n"},
        "no line end": {".gemini/settings.json": '{"ui": {}}', ".gemini/GEMINI.md": "# Mine"},
        "all in one line": {".gemini/settings.json": LONG},
        "another file of rules": {".gemini/settings.json": '{"context": {"fileName": ["AGENTS.md"]}}\n'},
        "empty": {".gemini/settings.json": "", ".gemini/GEMINI.md": ""},
    },
    "opencode": {
        "nothing": {},
        "used, no settings": {".config/opencode/package.json": "{}"},
        "comments": {".config/opencode/opencode.jsonc": '{\n  // mine\n  "mcp": {},\n}', ".config/opencode/AGENTS.md": "# Mine"},
        "plain": {".config/opencode/opencode.json": '{"theme": "x"}'},
        "all in one line": {".config/opencode/opencode.json": LONG},
        "by CLAUDE.md": {".claude/CLAUDE.md": "# Mine\n"},
    },
    "openclaw": {
        "settings": {".openclaw/openclaw.json": COMMENTED, ".openclaw/workspace/AGENTS.md": "# Mine\n"},
        "no workspace yet": {".openclaw/openclaw.json": "{}"},
        "carriage returns": {".openclaw/openclaw.json": "{\r\n  gateway: {}\r\n}", ".openclaw/workspace/AGENTS.md": "# Mine\r\n"},
        "in several files": {
            ".openclaw/openclaw.json": "{plugins: {$include: './p.json5'}}",
            ".openclaw/p.json5": "{ // mine\n}\n",
            ".openclaw/workspace/AGENTS.md": "# Mine",
            ".openclaw/workspace/memory/session-state.md": "mine",
        },
    },
}


def laid_out(home: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "surrogateescape"))


def seen(home: Path) -> dict[str, tuple[int, bytes]]:
    """Everything in the home but our own folders, with those of a memory: mode and bytes; folders and links too."""
    return {
        str(path.relative_to(home)): (path.lstat().st_mode, path.read_bytes() if path.is_file() else b"")
        for path in sorted(home.rglob("*"))
        if not {".local", ".holdfast"} & set(path.relative_to(home).parts)
    }


def applied(before: dict[str, str], shown: str) -> dict[str, str]:
    """The files that a reader of the diffs would expect: by path, line by line."""
    after = dict(before)
    for block in re.split(r"(?m)^(?=--- )", shown)[1:]:
        old, new = (re.search(rf"(?m)^{sign} (.*)$", block) for sign in (r"---", r"\+\+\+"))
        assert old
        assert new
        name = (new[1] if new[1] != "/dev/null" else old[1]).removeprefix("~/")
        if "↩\n" in block:
            after[name] = put_together(before.get(name, ""), block)
            continue
        lines = before.get(name, "").splitlines()
        shift = 0
        for start, body in re.findall(r"(?m)^@@ -(\d+)[^\n]*@@\n((?:[-+ ][^\n]*\n?)*)", block):
            at = max(0, int(start) - 1) + shift
            for line in body.splitlines():
                if line[0] == "+":
                    lines.insert(at, line[1:])
                    at, shift = at + 1, shift + 1
                else:
                    assert lines[at] == line[1:], name
                    if line[0] == "-":
                        del lines[at]
                        shift -= 1
                    else:
                        at += 1
        after[name] = "\n".join(lines)
        if new[1] == "/dev/null":
            del after[name]
    return after


def put_together(text: str, block: str) -> str:
    """A text whose long lines are shown in pieces, with each hunk's old words, found just once, in the place of its new ones."""
    for body in re.findall(r"(?m)^@@[^\n]*@@\n((?:[-+ ][^\n]*\n?)*)", block):
        old, new = (
            "".join(line[1:] + "\n" for line in body.splitlines() if line[0] in signs).replace("↩\n", "").removesuffix("\n")
            for signs in (" -", " +")
        )
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text
