"""What a text shows by its form: names, files, a person's corrections, a question, commands, errors, choices.

Plain functions over plain text. Nothing in them knows the tools, the language or the project of a session: they go by how
programs, shells and people write. Each errs on the side of saying nothing, since what is said here is put before an agent as
something that it needs.
"""

from __future__ import annotations

import re

# ---- names and files ---------------------------------------------------------------------------------------------------

# Without a folder before it, `c.Hash` is code and `main.c` a file: the ending must be one that files have.
_ENDING = (
    r"(?:[chmr]|cc|cpp|cs|css|csv|cfg|conf|db|diff|env|ex|exs|go|gradle|hpp|hs|html?|ini|ipynb|java|jsx?|json[lc5]?|kts?|lock|log|lua|"
    r"md|mdx|mjs|ml|nix|php|pl|png|proto|ps1|py|pyi|rb|rs|rst|sass|scala|scss|sh|sql|sqlite|svelte|svg|swift|tex|tf|toml|tsx?|txt|vue|"
    r"xml|ya?ml|zig)"
)
_ENDED = re.compile(rf"\.{_ENDING}$")
_WORD = re.compile(r"[A-Za-z_]\w{5,60}", re.A)
_ESCAPE = re.compile(r"\\[nrt]")  # of an escaped text (`\\tFoo`) the escape belongs to no word
_PARTS = re.compile(r"[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]")
_ID = re.compile(r"(?:\d.*){4}|\d.*[A-Z].*\d.*[a-z]|_[A-Za-z0-9]{20,}")
_PATH = re.compile(r"(?<![\w/.@-])(?:~?/)?(?:[\w.@-]+/)*[\w@-][\w.@-]*\.(?:[a-z][a-z0-9]{0,7}|[A-Z])\b(?!\()")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-")  # the file of a single run
_FOUND_IN = re.compile(r"([\w./@~+-]*\w\.\w{1,8})[:-]\d+[:-]")  # how searching tools name the place of a line
_DIFFERS = re.compile(r"\+\+\+ (?:b/)?(\S+\.\w{1,8})$")


def mentioned(text: str) -> tuple[set[str], dict[str, str]]:
    """(names, files) in a text; of `rates_test.go`, `rates_test` is no name.

    Nearly all the time of a capture goes by here: words are found by the plainest expression that does it, and looked at once
    each, however often they occur.
    """
    if "\\" in text:
        text = _ESCAPE.sub(" ", text)
    files = _files_in(text)
    words = set(_WORD.findall(text))
    names = {word for word in words if not (word.islower() and "_" not in word) and _PARTS.search(word) and not _ID.search(word)}
    return names - {name.rpartition(".")[0] for name in files}, files


def names_in(text: str) -> set[str]:
    """Identifiers: words of several parts, as programs have them. Ids of single runs are no names: nobody types them again."""
    return mentioned(text)[0]


def _files_in(text: str) -> dict[str, str]:
    """Names of files, with an ending; each with the path by which it is called here, as far as its folder."""
    found: dict[str, str] = {}
    for path in _PATH.findall(" ".join([word for word in text.split() if "." in word[:-1]])):
        if ("/" in path or _ENDED.search(path)) and not _UUID.search(path):
            parts = path.rsplit("/", 2)
            name = parts[-1]
            if len(parts) > 1 or name not in found:
                found[name] = "/".join(part for part in parts[-2:] if part not in ("", ".", ".."))
    return found


def ends(text: str, most: int) -> str:
    """The beginning and the end of a long text, without the words that the cut runs through."""
    if len(text) <= most:
        return text
    first, last = text[: most * 3 // 4], text[-most // 4 :]
    return first[: max(first.rfind(" "), first.rfind("\n"))] + "\n" + last.split(None, 1)[-1]


def by_place(text: str) -> dict[str, str]:
    """What of an output belongs to which file by what it says itself, line by line, as searches and diffs do."""
    found: dict[str, list[str]] = {}
    place = ""
    for line in text.split("\n"):
        there = _FOUND_IN.match(line)
        if there and not _UUID.search(there[1]):
            found.setdefault(there[1], []).append(line[there.end() :])
        elif line.startswith(("diff ", "+++ ")):
            differs = _DIFFERS.match(line)
            place = differs[1] if differs else ""
        elif place:
            found.setdefault(place, []).append(line)
    return {path: "\n".join(lines) for path, lines in found.items()}


# ---- a person's words --------------------------------------------------------------------------------------------------

_CORRECTION = re.compile(
    r"\b(?:don'?t|do not|never|always|instead|actually|must(?:n'?t)?|should(?:n'?t)?|rather|wrong|not what|stop|only use|prefer|"
    r"no need|avoid|revert|undo|nicht|niemals|nie|immer|stattdessen|sondern|nunca|siempre|jamais|toujours|plutôt|ne pas|sempre)\b"
    r"|不要|别|不用|必须|应该|不是|改成|总是|而不是|しないで|必ず|ではなく|하지 ?마|반드시|нельзя|всегда|никогда",
    re.I,
)
_YES = re.compile(
    r"(?:yes|yep|yeah|ok(?:ay)?|sure|go ahead|do it|sounds good|approved?|lgtm|ja|oui|sí|да|好|可以|是的|はい|네)\b[\s.!,]*",
    re.I,
)
_PRESSED = re.compile(r"!!|\b(?:again|still|wrong|why (?:did|do|is|are) you|already told|frustrat\w*|annoy\w*)\b|又|还是不", re.I)
_PLEASED = re.compile(r"\b(?:thanks?|thank you|great|perfect|nice|awesome|danke|merci|gracias)\b|谢谢|太好了|ありがとう", re.I)


def is_correction(text: str) -> bool:
    """A person setting the course: short, in their own words, with a word that forbids, demands or replaces."""
    return len(text) < 600 and bool(_CORRECTION.search(text))


def is_yes(text: str) -> bool:
    """A short answer that agrees."""
    return len(text) < 80 and bool(_YES.match(text))


def tone_of(text: str) -> str:
    """Simple signs of how a person feels, never guessed beyond them; empty where there are none."""
    if len(text) >= 400:
        return ""
    return "pressing" if _PRESSED.search(text) else "pleased" if _PLEASED.search(text) else ""


def question_in(text: str) -> str:
    """The question or proposal that a message ends with, word for word; empty where it ends otherwise."""
    paragraphs = [part.strip() for part in re.split(r"\n\s*\n", text.strip()) if part.strip()]
    for number, paragraph in enumerate(reversed(paragraphs[-2:])):
        if re.search(r"[?？؟][\s)\"'”’*_`]*$", paragraph):
            return "\n\n".join(paragraphs[len(paragraphs) - 1 - number :])[:2000]
    return ""


def is_choice(question: str) -> bool:
    """Whether a question leaves a decision open between several ways."""
    return bool(re.search(r"\b(?:or|oder|ou|o)\b|还是|或者|または|それとも", question))


# ---- commands and what came of them ------------------------------------------------------------------------------------

_HEREDOC = re.compile(r"<<-?\s*['\"]?(\w+)['\"]?.*?^\s*\1\b", re.S | re.M)
_QUOTED = re.compile(r"(['\"])(.*?)\1", re.S)
_HIDDEN = {ord("\n"): " ", ord("|"): "\x01", ord(";"): "\x02", ord("&"): "\x03", ord(">"): "\x04"}  # in quotes they part nothing
_SHOWN = {1: "|", 2: ";", 3: "&", 4: ">"}
_REDIRECTED = re.compile(r"\s*[12&]?>{1,2}\s*(?:&\d|\S+)")
# Commands that look, move or glue; what they were given is seldom typed again.
_LOOKING = frozenset(
    "cd echo cat ls head tail grep sed git rg wc find done do then fi if for nl export awk sort pwd mkdir test sleep true which "  # noqa: SIM905
    "xargs while printf cut tr uniq rm rmdir mv cp ln touch chmod kill".split()
)
_COMMIT = re.compile(r"\bgit\b[^\n;&|]*\bcommit\b")
_SUBJECTS = (
    re.compile(r"<<-?\s*['\"]?\w+['\"]?\s*\n\s*(\S[^\n]*)"),
    re.compile(r"(?:-m|--message)[ =]?(['\"])(?!\$\()(.+?)(?:\n|\1)", re.S),
)
_PUBLISHED = re.compile(r"\bgit\s+(?:push|merge|tag|rebase)\b(?!-)|\b(?:pr|mr|release)\s+create\b|\b(?:publish|deploy)\b")
_PASSED = re.compile(
    r"\d (?:tests? )?passed\b|\btest result: ok\b|\ball tests pass|\b0 fail(?:ed|ures)\b|^ok\s+\S|^PASS\b|\bbuild succe",
    re.I | re.M,
)
_ERROR = re.compile(r"error|fail|panic|exception|undefined|cannot|not found|denied|refused|expected|fatal|invalid|trace", re.I)
_BANNER = re.compile(r"Exit code|\[\w+\] \$|Chunk ID|Wall time|Process exited|Original token|Output:|Total output")
# What a host's own tools refuse is no error of the work.
_HOST_GUARD = re.compile(
    r"has not been read yet|String to replace not found|has been modified since|InputValidationError|File does not exist|"
    r"exceeds maximum|Found \d+ matches|user doesn't want|was rejected|tool_use_error"
)


def steps_of(command: str) -> list[str]:
    """The single commands in a shell line that do something: without what is fed to them, and what only filters them."""
    plain = _HEREDOC.sub("", command.replace("\\\n", " "))
    plain = _QUOTED.sub(lambda found: found[0].translate(_HIDDEN), plain)
    found = []
    for part in re.split(r"&&|\|\||;|\n", plain):
        words = _REDIRECTED.sub("", part.split("|", 1)[0]).translate(_SHOWN).split()
        if len(words) >= 2 and re.fullmatch(r"[\w./~-]+", words[0]) and words[0] not in _LOOKING:
            found.append(" ".join(words)[:160])
    return found


def commit_subject(command: str) -> str:
    """The subject of the commit that a command makes; empty where it makes none."""
    if not _COMMIT.search(command):
        return ""
    for pattern in _SUBJECTS:
        found = pattern.search(command)
        if found:
            return " ".join(str(found[found.lastindex or 0]).split())
    return ""


def publishes(command: str) -> bool:
    """Whether a command gives the work away: a push, a merge, a release."""
    return bool(_PUBLISHED.search(_HEREDOC.sub("", command)))


def passed_in(text: str) -> str:
    """The line of an output that says that tests or a build went well."""
    text = text[-4000:]
    found = _PASSED.search(text)
    return text[text.rfind("\n", 0, found.start()) + 1 :].split("\n", 1)[0] if found else ""


def error_in(text: str) -> str:
    """The first line of an output that looks like the error, not the banner above it."""
    lines = [line.strip() for line in text.split("\n") if len(line.strip()) > 12 and not _BANNER.match(line.strip())]
    return next((line for line in lines if _ERROR.search(line)), lines[0] if lines else "")[:400]


def refused_by_host(text: str) -> bool:
    """Whether a failure is the host's own tool refusing, which is no error of the work."""
    return bool(_HOST_GUARD.search(text[:2000]))


# ---- decisions ---------------------------------------------------------------------------------------------------------

_CHOICE = re.compile(
    r"\b(?:I|[Ww]e)(?:['’](?:ll|m going to|re going to|ve)| will| am going to| are going to| should| have)? "
    r"(?:also |now |just |therefore |then )?(?:use|go with|keep|switch|stick|drop|replace|decided?|chose|choose|picked|settled)\b"
    r"|\b(?:decided (?:to|on|that|against)|going with|opted for|settled on|root cause (?:is|was|of)|"
    r"the (?:right|best|simplest|cleanest|proper) (?:fix|approach|way|solution|choice) is)\b"
    r"|决定|采用|选择了|方針|採用|することにし",
)
_FENCED = re.compile(r"^```.*?^```", re.S | re.M)
_BETWEEN = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n")
_BOLD = re.compile(r"\*\*|(?<!\w)__|__(?!\w)")
_MARKS = re.compile(r"^[\s>#*+\-\d.)]+(?=\S)")


def choices_in(text: str) -> list[str]:
    """Sentences in which the agent says what it has chosen, or what it found to be the cause; not what code says."""
    found = []
    for sentence in _BETWEEN.split(_BOLD.sub("", _FENCED.sub("", text))):
        if _CHOICE.search(sentence):
            told = " ".join(_MARKS.sub("", sentence).split())
            if 20 <= len(told) <= 300 and not told.endswith((":", "?", "？")):
                found.append(told)
    return found[:3]
