"""A shell's command, by its form: the texts that are fed to it, the steps that it takes, the files that it shows and writes.

No shell is asked, and nothing is expanded: what is written is taken for what is meant.

Rule: every hook that saves pays for this module. An expression is compiled when it is first needed (`_made`), and a command is
asked by a plain `in` before an expression looks through it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache

_made = lru_cache(maxsize=None)(re.compile)

# `c.Hash` is code and `main.c` a file: the ending must be one that files have.
_ENDINGS = (
    "astro bash bat bazel bzl c cc cfg clj cmake cmd conf cpp cs csproj css csv cue cxx dart db diff docx edn elm env erl ex "
    "exs fs gif go gql gradle graphql groovy gz h hcl hpp hs htm html ico ini ipynb java jinja jl jpeg jpg js json json5 "
    "jsonc jsonl jsx kt kts less lock log lua m md mdx mjs mk ml mm mod mp4 nix odt parquet patch pdf php pl plist png prisma "
    "properties proto ps1 py pyi pyx r rake rb rs rst sass sbt scala scss sh sol sql sqlite sum svelte svg swift tar tex tf "
    "tfvars toml ts tsv tsx txt vue wasm webp xlsx xml yaml yml zig zip zsh zst"
)
FILE_ENDINGS = frozenset(_ENDINGS.split())

# ---- texts that are fed to a command -----------------------------------------------------------------------------------

_FED = r"(?<!<)<<-?([ \t]*)\\?['\"]?([A-Za-z_][\w.-]*)['\"]?"
_WORD = r"\s*([A-Za-z_][\w.-]*)"
_AROUND = 400  # characters of a line on either side of the sign for a text
_STEP = 160  # characters of a single command; one that is longer ends at a word


class Fed:
    """A text that is fed to a command: what stands before and behind the sign for it (`cat > p <<END`), and what it says."""

    __slots__ = ("before", "behind", "said")

    def __init__(self, line: str, start: int, end: int, said: str) -> None:
        self.before, self.behind, self.said = line[max(0, start - _AROUND) : start], line[end : end + _AROUND], said


@lru_cache(maxsize=64)
def fed(command: str) -> tuple[str, tuple[Fed, ...]]:
    """A command without the texts that are fed to it, and these texts.

    What stands in one of them begins no other. One whose mark never comes again goes on to the end, as a shell has it; `1 << n`
    begins none.
    """
    if "<<" not in command:
        return command, ()
    lines = command.split("\n")
    ends = _ends(lines)
    kept: list[str] = []
    found: list[Fed] = []
    number = 0
    while number < len(lines):
        line, number, at, rests = lines[number], number + 1, 0, ""
        for sign in _made(_FED).finditer(line):
            end = _end(ends, sign[2], number)
            if end is None and sign[1]:
                continue
            found.append(Fed(line, *sign.span(), "\n".join(lines[number:end])))
            kept.append(line[at : sign.start()])
            at = sign.end()
            number = len(lines) if end is None else end + 1
            if end is None:
                break
            rests += lines[end].lstrip()[len(sign[2]) :]  # `EOF && make`: no shell would have it so, but it is meant
        kept.append(f"{line[at:]}{rests}\n")
    return "".join(kept)[:-1], tuple(found)


def _ends(lines: list[str]) -> tuple[dict[str, list[int]], ...]:
    """Where each mark comes again: as a shell wants it; alone on its line; at the beginning of one. Looked up, since to look for
    it behind each of ten thousand beginnings took half a minute.
    """
    found: tuple[dict[str, list[int]], ...] = ({}, {}, {})
    for number, line in enumerate(lines):
        word = _made(_WORD).match(line)
        for known, mark in zip(found, (line.lstrip("\t"), line.strip(), word[1] if word else ""), strict=True):
            known.setdefault(mark, []).append(number)
    return found


def _end(ends: tuple[dict[str, list[int]], ...], mark: str, number: int) -> int | None:
    """The line, from one on, that ends a text with this mark."""
    for places in (known.get(mark, []) for known in ends):
        after = bisect_left(places, number)
        if after < len(places):
            return places[after]
    return None


def written_by(command: str) -> tuple[tuple[str, str, str], ...]:
    """The files that a command writes out of its own text, as edits: `cat > p <<'END' …`, `tee p <<END …`."""
    texts = [(_target(_command(text.before, -1), _command(text.behind, 0)), text.said) for text in fed(command)[1]]
    return tuple((path, "", said) for path, said in texts if path)


def _command(line: str, which: int) -> str:
    """The last or the first of several commands in a line."""
    return line.replace("&&", ";").replace("|", ";").split(";")[which]


def _target(before: str, after: str) -> str:
    """The file into which `cat` or `tee` writes, told by what stands before and behind the mark of its text."""
    words = before.split()
    program = next((word for word in words if word in ("cat", "tee")), "")
    if program == "tee":
        given = words[words.index("tee") + 1 :] + after.split()
    else:
        given = f"{before} {after}".replace(">>", ">").partition(">")[2].split() if program else []
    path = next((word for word in (word.strip("'\"") for word in given) if word and word[0] not in "-&>"), "")
    return "" if "$" in path else path


# ---- what it does ------------------------------------------------------------------------------------------------------

QUOTED = r"(?s)(['\"])(.*?)\1"
_HIDDEN = {ord("\n"): " ", ord("|"): "\x01", ord(";"): "\x02", ord("&"): "\x03", ord(">"): "\x04"}  # in quotes they part nothing
_SHOWN = {1: "|", 2: ";", 3: "&", 4: ">"}
REDIRECTED = r"\s*[12&]?>{1,2}\s*(?:&\d|\S+)"
_IN_PATHS = dict.fromkeys(map(ord, "_./~-"))  # what the name of a command may have besides letters and digits
# Commands that look, move or glue; what they were given is seldom typed again.
_LOOKING = frozenset(
    "cd echo cat ls head tail grep sed git rg wc find done do then fi if for nl export awk sort pwd mkdir test sleep true which "  # noqa: SIM905
    "xargs while printf cut tr uniq rm rmdir mv cp ln touch chmod kill".split()
)
_HOLDFAST = "holdfast"
_SHELLS = frozenset(("sh", "bash", "zsh", "dash", "ksh", "fish"))
_SILENT = frozenset("cd echo export set true false sleep source . : done fi esac for while if exit mkdir pushd popd".split())  # noqa: SIM905
_STARTING = frozenset(
    "sudo doas env time exec command nohup nice timeout stdbuf xargs eval uv uvx pipx poetry pdm hatch rye run tool do then "  # noqa: SIM905
    "else !".split()
)
_OPENED = dict.fromkeys(map(ord, "(){}$`"), " ")  # what a step may be put in
_SEARCHING = frozenset(("rg", "grep", "egrep", "ag"))
_SHOWING = _SEARCHING.union(("cat", "head", "tail", "nl", "sed", "less", "more", "bat", "Get-Content", "type"))
_PATTERN = frozenset(" \t\n*?$(){}[]^|;&<>,\\'\"`=:")  # signs of which a path has none, and a script or a pattern most often one
_COMMIT = r"\bgit\b[^\n;&|]*\bcommit\b"
_SUBJECTS = (
    r"(?s)\bcommit\b.{0,400}?\s(?:-[A-Za-z]*m|--message)[ =]*(['\"])(?!\$\()(.+?)(?:\n|\1)",
    r"\bcommit\b[^\n;&|]{0,400}?\s(?:-[A-Za-z]*m\s*|--message[ =])([^\s'\"$-][^\s;&|]*)",
)
_FILED = r"\bcommit\b[^\n;&|]{0,400}?\s(?:-[A-Za-z]*F\s*|--file[ =])['\"]?([^\s'\";&|]+)"
# What gives the work away shows by its verb: as a word of its own, also of a target (`deploy:prod`), but not as what is given to
# an option (`-k deploy`); as the name of what is run; and behind what hosting services call their things.
_PUBLISHED = (
    r"\b(?:pr|mr|issue|release)\s+(?:create|edit|merge|close|reopen|comment|review|ready|delete|upload)\b"
    r"|(?<!\s-\w)(?<!\s--)\s(?!(?:test|lint|check|dry)[\w-]*:)(?:[\w-]+:)?(?:publish|deploy|push|apply)(?::[\w.-]+)?(?=\s|$)"
    r"|^\s*(?:[\w-]+\s+)?(?:\S*/)?(?:publish|deploy)(?:[-_]\w+)*(?:\.\w{1,3})?(?=\s|$)"
)
_GIT = r"git(?:\s+-\S+(?:\s+[^\s-]\S*)?){0,9}?\s+"  # its own options may stand before its verb
_MOVED = (  # what takes a commit back has happened as well
    rf"(?:^|\s){_GIT}"
    r"(?:(?:push|merge|rebase|revert)\b(?!-)|stash\b(?!\s+(?:list|show)\b)|tag\s+(?!-l\b|--list\b)\S|reset\b.{0,200}(?:--hard|--soft|--keep|[~^]))"
)
_LEAVES_ALL = (  # or only looks
    r"\s(?:--dry-run|--abort|--help|--no-commit)\b|\bpush\s(?:.{0,200}\s)?-n\b"
    r"|^\s*\S+\s+(?:\S+\s+){0,3}?(?:get|describe|list|show|status|logs?|history)\b"
)
_ACTS = rf"(?:^|[\s;&|(]){_GIT}(?:commit|push|pull|merge|rebase|revert|cherry-pick|am|clone|fetch)\b"
# One of these is in every command that does.
_PUBLISHING = ("git", "publish", "deploy", "push", "apply", "pr ", "mr ", "issue ", "release ")


@lru_cache(maxsize=64)
def steps_of(command: str) -> list[str]:
    """The single commands in a shell line that do something: without what is fed to them, and what only filters them."""
    plain = fed(command.replace("\\\n", " "))[0]
    if "'" in plain or '"' in plain:
        plain = _made(QUOTED).sub(lambda found: found[0].translate(_HIDDEN), plain)
    found = []
    for part in apart(plain):
        first = part.split("|", 1)[0]
        words = (_made(REDIRECTED).sub("", first) if ">" in first else first).translate(_SHOWN).split()
        if len(words) >= 2 and _is_command(words[0]) and words[0].rpartition("/")[2] not in _LOOKING:
            step = " ".join(words)
            found.append(step if len(step) <= _STEP else f"{step[:_STEP].rpartition(' ')[0] or step[:_STEP]} …")
    return found


@lru_cache(maxsize=64)
def shown_by(command: str) -> tuple[str, ...]:
    """The files that a command shows: `sed -n '1,80p' a.py`, `nl -ba b.go | head`. Hosts that have no tool for it read so."""
    if _SHOWING.isdisjoint(command.split()) or "<<" in command:
        return ()
    plain = _made(QUOTED).sub(_bare, command) if "'" in command or '"' in command else command
    found: dict[str, None] = {}
    for part in apart(plain):
        program, *given = part.split("|", 1)[0].split() or [""]
        if program in _SHOWING and ">" not in part and "-i" not in given:
            files = [word for word in given if _is_file(word)]
            if program not in _SEARCHING or len(files) == 1:  # a search through several says itself where each line is
                found.update(dict.fromkeys(files))
    return tuple(found)


def _is_file(word: str) -> bool:
    """Whether a word has the ending of a file: `cmd` and `env` are folders and words, whatever files end in."""
    _, dot, ending = word.rpartition(".")
    return bool(dot) and ending in FILE_ENDINGS and not _PATTERN.intersection(word)


def _bare(quoted: re.Match[str]) -> str:
    """A quoted word as it is, a quoted text as nothing: a script or a pattern may have the looks of files in it."""
    return quoted[2] if not _PATTERN.intersection(quoted[2]) else "''"


def bare(command: str) -> str:
    """A command without the texts that are fed to it, and without what is quoted."""
    return str(_made(QUOTED).sub("", fed(command)[0]))


def _is_command(word: str) -> bool:
    """Whether a word can be what a program is called by."""
    letters = word.translate(_IN_PATHS)
    return not letters or letters.isalnum()


def commit_subject(command: str) -> str:
    """The subject of the commit that a command makes; empty where it makes none."""
    plain, texts = fed(command)
    if "commit" not in plain or not _made(_COMMIT).search(plain):
        return ""
    told = "\n".join(text.said for text in texts if "commit" in _command(text.before, -1))
    if not told and texts and (filed := _made(_FILED).search(plain)):
        told = next((said for path, _, said in written_by(command) if path == filed[1]), "")
    if told.strip():
        return " ".join(told.strip().partition("\n")[0].split())
    for pattern in _SUBJECTS:
        found = _made(pattern).search(plain)
        if found:
            return " ".join(str(found[found.lastindex or 0]).split())
    return ""


def published_by(command: str) -> str:
    """The step of a command that gives the work away, or takes it back: a push, a merge, a release, a revert; else empty."""
    if not any(word in command for word in _PUBLISHING):
        return ""
    steps = apart(bare(command).replace("|", "\n"))
    aside = [step for step in steps if "stash" in step]
    if len(aside) > 1:  # put aside and taken up again in one go: as if nothing had been
        steps = [step for step in steps if step not in aside]
    return next((" ".join(step.split()) for step in steps if _is_published(step)), "")


def acts(command: str) -> bool:
    """Whether a command has git do something: who only looks through git's eyes does not."""
    return "git" in command and bool(_made(_ACTS).search(bare(command)))


def amends(command: str) -> bool:
    """Whether a command makes the last commit anew."""
    return "--amend" in command and "--amend" in bare(command)


def goes_on(command: str) -> bool:
    """Whether a command is left running in the background: `npm publish > log 2>&1 &`."""
    return command.rstrip().endswith("&") and not command.rstrip().endswith("&&")


def apart(command: str) -> list[str]:
    """The commands of a line, one by one; what is piped on stays with what it comes from."""
    return command.replace("&&", "\n").replace("||", "\n").replace(";", "\n").split("\n")


@lru_cache(maxsize=64)
def runs_holdfast(command: str) -> str:
    """How much of what a command prints is ours: `all` of it, `part` of it, or nothing, which is empty.

    What is piped on is still ours, whatever filters it; a step that prints nothing of its own (`cd`) does not count.
    """
    if _HOLDFAST not in command:
        return ""
    plain = fed(command.replace("\\\n", " "))[0]
    inside = [quoted[2] for quoted in _made(QUOTED).finditer(plain) if _HOLDFAST in quoted[2]]
    plain = _made(QUOTED).sub(lambda found: found[0].translate(_HIDDEN), plain)
    substituted = (step for text in (*inside, plain) for step in text.replace("`", "$(").split("$(")[1:])
    ours, others = any(runs_holdfast(step.partition(")")[0]) for step in substituted), False
    for part in apart(plain):
        steps = [step.split() for step in part.translate(_OPENED).split("|")]
        wrapped = bool(steps[0]) and steps[0][0].rpartition("/")[2] in _SHELLS and any(map(runs_holdfast, inside))
        if wrapped or any(map(_calls_holdfast, steps)):
            ours = True
        elif steps[0] and steps[0][0] not in _SILENT:
            others = True
    return ("part" if others else "all") if ours else ""


def _calls_holdfast(words: list[str]) -> bool:
    """Whether the program of a step is ours, behind what only starts it (`uv run`, `python -m`, `env A=1`, `timeout 9`)."""
    option = False
    for word in words:
        program = word.rpartition("/")[2]
        if program in (_HOLDFAST, f"{_HOLDFAST}.exe"):
            return True
        starts = program in _STARTING or program.startswith("python") or "=" in word or word[0] == "-" or word.isdecimal()
        if not starts and not option:
            return False
        option = word[0] == "-" and word != "-m"
    return False


def _is_published(step: str) -> bool:
    program = (step.split(None, 1) or [""])[0].rpartition("/")[2]
    by_git = "git" in step.split()
    if not by_git and program in _LOOKING:
        return False  # `cat scripts/deploy.sh`
    return bool(_made(_MOVED if by_git else _PUBLISHED).search(step)) and not _made(_LEAVES_ALL).search(step)
