"""What a text shows by its form: names, files, a person's corrections, a question, commands, errors, choices.

Plain functions over plain text. Nothing in them knows the tools, the language or the project of a session: they go by how
programs, shells and people write. Each errs on the side of saying nothing, since what is said here is put before an agent as
something that it needs.

Rule: every hook that saves pays for this module. An expression is compiled when it is first needed (`_made`), and a text is asked
by a plain `in` before an expression looks through it: nearly all texts have nothing of what is looked for.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from itertools import pairwise

from .hearing import phrases, spoken

_made = lru_cache(maxsize=None)(re.compile)

# ---- names and files ---------------------------------------------------------------------------------------------------

# `c.Hash` is code and `main.c` a file: the ending must be one that files have.
_ENDINGS = (
    "astro bash bat bazel bzl c cc cfg clj cmake cmd conf cpp cs csproj css csv cue cxx dart db diff docx edn elm env erl ex "
    "exs fs gif go gql gradle graphql groovy gz h hcl hpp hs htm html ico ini ipynb java jinja jl jpeg jpg js json json5 "
    "jsonc jsonl jsx kt kts less lock log lua m md mdx mjs mk ml mm mod mp4 nix odt parquet patch pdf php pl plist png prisma "
    "properties proto ps1 py pyi pyx r rake rb rs rst sass sbt scala scss sh sol sql sqlite sum svelte svg swift tar tex tf "
    "tfvars toml ts tsv tsx txt vue wasm webp xlsx xml yaml yml zig zip zsh zst"
)
_PICTURES = ("png", "svg", "gif", "jpg", "jpeg", "ico", "webp")
_ENDS = frozenset(_ENDINGS.split())
_ENDED = r"\.(\w{1,10}+)(?![\w(])"  # and then one of those: to look for each of them takes ten times as long to compile
_BEFORE = r"[\w.@~/-]*\Z"
_APART = bytes(code if chr(code).isalnum() or chr(code) == "_" else 32 for code in range(128)) + b" " * 128
_LONGEST_NAME = 61
_PARTS = r"[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]"
_ID = r"(?:\d.*){4}|\d.*[A-Z].*\d.*[a-z]|_[A-Za-z0-9]{20,}"
_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-"  # the file of a single run
_FOUND_IN = r"([\w./@~+-]*\w\.\w{1,8})[:-]\d+[:-]"  # how searching tools name the place of a line
_FOUND = r"\.\w{1,8}[:-]\d+[:-]"  # what is in every text that has one
_DIFF = ("diff ", "+++ ")
_DIFFERS = r"\+\+\+ (?:b/)?(\S+\.\w{1,8})$"
_nameless: set[bytes] = set()  # words that can be no names, met before: a session says the same words over and over
_MANY_WORDS = 20_000


def mentioned(text: str) -> tuple[set[str], dict[str, str]]:
    """(names, files) in a text; of `rates_test.go`, `rates_test` is no name."""
    files = _files_in(text)
    return names_in(text) - {name.rpartition(".")[0] for name in files}, files


def names_in(text: str) -> set[str]:
    """Identifiers: words of several parts, as programs have them. Ids of single runs are no names: nobody types them again.

    Much of the time of a capture goes by here: words are found among bytes, one a character, and each is looked at once in a
    process, however often it occurs.
    """
    if "\\" in text:  # of an escaped text (`\\tFoo`) the escape belongs to no word
        text = text.replace("\\n", " ").replace("\\r", " ").replace("\\t", " ")
    words = set(text.encode("ascii", "replace").translate(_APART).split()) - _nameless
    telling = {word for word in words if len(word) > 5 and (b"_" in word or not word.islower())}
    if len(_nameless) > _MANY_WORDS:
        _nameless.clear()
    _nameless.update(words - telling)
    return {name for word in telling for name in _names_of(word)}


@lru_cache(maxsize=4096)
def _names_of(run: bytes) -> list[str]:
    """The names in one run of letters, digits and `_`: one or none, and of a very long run several."""
    found, rest = [], run.decode()
    while len(rest := rest.lstrip("0123456789")) > 5:
        word, rest = rest[:_LONGEST_NAME], rest[_LONGEST_NAME:]
        if not (word.islower() and "_" not in word) and _made(_PARTS).search(word) and not _is_id(word):
            found.append(word)
    return found


def _is_id(word: str) -> bool:
    """Whether a word is an id of a single run. One that has no digits, and no `_` with much behind it, is not looked through."""
    return (len(word) > 20 or not word.replace("_", "").isalpha()) and bool(_made(_ID).search(word))


def _files_in(text: str) -> dict[str, str]:
    """Names of files, by their endings; each with the path by which it is called here, as far as its folder."""
    found: dict[str, str] = {}
    # From the endings back: to look for paths from their beginning takes six times as long.
    for ending in _made(_ENDED).finditer(text):
        if ending[1] not in _ENDS:
            continue
        before = text[max(0, ending.start() - 120) : ending.start()].rsplit(None, 1)
        start = _made(_BEFORE).search(before[-1]) if before else None
        folder, _, name = ((start[0] if start else "") + ending[0]).rpartition("/")
        above = folder.rpartition("/")[2]
        if name[0] == "." or ("-" in name and _made(_UUID).search(name)) or _is_no_file(folder, name, ending[1]):
            continue
        if above not in ("", ".", ".."):
            found[name] = f"{above}/{name}"
        else:
            found.setdefault(name, name)
    return found


def _is_no_file(folder: str, name: str, ending: str) -> bool:
    """What only has the looks of a file: a field of a value (`r.r`, `this.diff`, `process.env`), a picture of a web page."""
    if folder:
        return folder.startswith("//") and ending in _PICTURES
    return len(name) == 3 or ending == "env" or name.startswith(("this.", "self."))


def ends(text: str, most: int) -> str:
    """The beginning and the end of a long text, without the words that the cut runs through."""
    if len(text) <= most:
        return text
    first, last = text[: most * 3 // 4], text[-most // 4 :]
    if "PRIVATE KEY" in text:
        last = ""  # the end of a key no longer shows what it is
    return first[: max(first.rfind(" "), first.rfind("\n"))] + "\n" + (last.split(None, 1) or [""])[-1]


def by_place(text: str) -> dict[str, str]:
    """What of an output belongs to which file by what it says itself, line by line, as searches and diffs do."""
    if not (text.startswith(_DIFF) or any(f"\n{head}" in text for head in _DIFF) or _made(_FOUND).search(text)):
        return {}  # nearly all outputs
    found: dict[str, list[str]] = {}
    place = ""
    for line in text.split("\n"):
        there = _made(_FOUND_IN).match(line)
        if there and not _made(_UUID).search(there[1]):
            found.setdefault(there[1], []).append(line[there.end() :])
        elif line.startswith(_DIFF):
            differs = _made(_DIFFERS).match(line)
            place = differs[1] if differs else ""
        elif place:
            found.setdefault(place, []).append(line)
    return {path: "\n".join(lines) for path, lines in found.items()}


# ---- a person's words --------------------------------------------------------------------------------------------------


_COURSE = phrases(
    "don't, dont, do not, never, always, instead, actually, must, mustn't, should, shouldn't, rather, wrong, "
    "not what, stop, only use, prefer, no need, avoid, revert, undo, make sure, be sure, alone, at most, "
    "no more than, nicht, niemals, nie, immer, stattdessen, sondern, kein, keine, keinen, nur, höchstens, mindestens, "
    "beibehalten, achte, nunca, siempre, solo, sólo, no toques, no uses, no cambies, no borres, no hagas, asegúrate, mantén, "
    "jamais, toujours, plutôt, pas, seulement, sempre, não, нельзя, всегда, никогда, только, не, 하지 마",
    "不要 别 不用 必须 应该 不是 改成 总是 而不是 务必 保留 最多 至少 しないで 必ず ではなく だけに のまま 以内 하지마 반드시",
)
_BACK = phrases(  # taking back what was said before
    "never mind, nevermind, scrap that, scrap it, scrap the, on second thought, on second thoughts, on reflection, "
    "changed my mind, change of plan, change of plans, after all, go back to, going back to, back to the old, i was wrong, "
    "my mistake, take that back, "
    "took that back, taking that back, ignore that, ignore what i, ignore my, disregard, cancel that, forget that, forget about, "
    "forget it, forget the, forget what i, let's not, leave it as, leave it at, keep it as, no longer, "
    "doch lieber, lieber doch, doch nicht, doch wieder, vergiss, zurück zu, zurück zum, zurück zur, ich habe mich geirrt, "
    "anders überlegt, finalement, laisse tomber, oublie, oubliez, j'ai changé d'avis, revenons à, en fin de compte, "
    "olvida, olvídalo, olvídate, mejor no, cambié de opinión, he cambiado de opinión, volvamos a, al final, déjalo, "
    "esquece, esqueça, deixa pra lá, mudei de ideia, lascia perdere, ho cambiato idea, laat maar, toch maar, "
    "забудь, передумал, передумала, всё таки, все таки, не надо",
    "算了 改回 换回 換回 收回 当我没说 當我沒說 改主意 还是不要 還是不要 やっぱり 取り消し 취소 됐어",
)
_FORGET = r"(?i)\A\W*(?:(?:no|ok|okay|hm+|actually|sorry|please|wait)\W+){0,2}forget \w"
_RATHER = r"(?:还是|還是)(?:用|按|改|保留|回到|继续|先|换|換|维持).{0,60}(?:吧|好了|算了|[。！!]|$)"
_ASKS_OR = r"[?？]|(?:吗|呢)\W*$"
_DENIED = phrases("no, nope, nah, nein, non, нет")  # at the beginning; and then, for a no alone answers a question:
_CONTRAST = phrases("not, but, isn't, it's, nicht, sondern, aber, pas, mais, sino, pero, не, но")
_DENIED_UNSPACED = ("不对", "不，", "いいえ", "違", "아니")
_AGREED = phrases("yes, yep, yeah, ok, okay, sure, go ahead, do it, sounds good, approve, approved, lgtm, ja, oui, sí, да")
_AGREED_UNSPACED = ("好", "可以", "是的", "はい", "네")
_YES_ALONE = r"\W*\w+(?: \w+)?[,.;!:，。！、–—-]"
_BUT = phrases("but, though, why, aber, warum, mais, pourquoi, pero, но", "但 为什么 けど なぜ")
_PRESSED = phrases(
    "again, still, wrong, why did you, why do you, why are you, already told, frustrating, frustrated, annoying, "
    "annoyed",
    "又 还是不",
)
_PLEASED = phrases("thanks, thank, great, perfect, nice, awesome, danke, merci, gracias", "谢谢 太好了 ありがとう")
_NOT_PLEASED = r" (?:not|no|isn't|aren't|wasn't|don't|doesn't|never|less) (?:\w+ )?(?:great|perfect|nice|awesome|thank|thanks) "
_SPOKEN = r"[\w']+"


@lru_cache(maxsize=8)  # the same words are asked for several things in a row
def _spoken(text: str) -> str:
    """A text as a row of words in lower case, a space around each: what `spoken` gives, for long texts in any letters too."""
    if text.isascii():
        return spoken(text)
    return f" {' '.join(_made(_SPOKEN).findall(text.lower().replace('’', chr(39))))} "


def _says(text: str, phrases: tuple[str, ...]) -> bool:
    spoken = _spoken(text)
    return any(phrase in spoken for phrase in phrases)


@lru_cache(maxsize=512)
def is_correction(text: str) -> bool:
    """A person setting the course: short, in their own words, with a word that forbids, demands or replaces, or a no and
    what it is instead.
    """
    return len(text) < 600 and (_says(text, _COURSE) or _denies(text) or takes_back(text))


@lru_cache(maxsize=512)
def takes_back(text: str) -> bool:
    """A person taking back what they said before, in a few words."""
    if len(text) >= 600:
        return False
    if _says(text, _BACK) or _made(_FORGET).match(text):
        return True
    return ("还是" in text or "還是" in text) and bool(_made(_RATHER).search(text)) and not _made(_ASKS_OR).search(text)


def _denies(text: str) -> bool:
    return (_spoken(text).startswith(_DENIED) and _says(text, _CONTRAST)) or text.lstrip().startswith(_DENIED_UNSPACED)


def is_yes(text: str) -> bool:
    """A short answer that agrees. One that asks does so only with a yes that stands for itself, and no but behind it."""
    if len(text) >= 80 or not (_spoken(text).startswith(_AGREED) or text.startswith(_AGREED_UNSPACED)):
        return False
    asks = "?" in text or "？" in text
    return not asks or bool(_made(_YES_ALONE).match(text) and not _says(text, _BUT))


def tone_of(text: str) -> str:
    """Simple signs of how a person feels, never guessed beyond them; empty where there are none."""
    if len(text) >= 400:
        return ""
    if "!!" in text or _says(text, _PRESSED):
        return "pressing"
    return "pleased" if _says(text, _PLEASED) and not _made(_NOT_PLEASED).search(_spoken(text)) else ""


def question_in(text: str) -> str:
    """The question or proposal that a message ends with, word for word; empty where it ends otherwise.

    In its last paragraph a few sentences may follow one that is put to the user: “Which do you want? I would take the first.”
    """
    if "?" not in text and "？" not in text and "؟" not in text:
        return ""
    paragraphs = [part.strip() for part in re.split(r"\n\s*\n", text.strip()) if part.strip()]
    for number, paragraph in enumerate(reversed(paragraphs[-2:])):
        if re.search(r"[?？؟][\s)\"'”’*_`]*$", paragraph):
            return "\n\n".join(paragraphs[len(paragraphs) - 1 - number :])[:2000]
    last = paragraphs[-1]
    return last[:2000] if len(last) <= _QUESTION and _is_put_to_the_user(last) else ""


_ASKING = r"[^.!?。！？؟\n]*[?？؟]+(?![?？؟\"'”’»」』`])"  # what is quoted is somebody else's
_QUESTION, _FOLLOWS = 800, 240  # characters of a paragraph that asks, and of what may follow the question in it
_TO_YOU = phrases(
    "you, your, you'd, shall i, should i, should we, shall we, may i, can i, want me to, ok with, okay with, "
    "du, dir, dich, dein, deine, ihnen, ihr, soll ich, sollen wir, darf ich, möchten sie, wollen sie, können sie, haben sie, "
    "tu, vous, veux, voulez, dois je, puis je, quieres, prefieres, te parece, quiere, debo, puedo, você, quer, prefere, devo, "
    "vuoi, preferisci, devo, wil je, zal ik, вы, ты, вам, тебе, хотите, хочешь, мне",
    "你 您 要不要 是否 需要我 要我 我可以 可以吗 好吗 行吗 ますか でしょうか ましょうか 할까요 드릴까요 원하",
)
_ANSWERED = (
    r"(?i)\W*(?:yes|no|yep|nope|because|since|it (?:is|was|turns)|that's|ja|nein|weil|denn|oui|non|parce|sí|porque|да|нет)\b"
    r"|\W*(?:是的|不是|因为|因為|对，|没有)"
)
_WENT_ON = (
    r"(?i)\b(?:let me (?!know)|let's (?:see|look|check|find)|i'll (?:check|look|find|see|start by)|i (?:checked|looked|found))\b"
    r"|让我(?!知道)|我来|我先"
)


def _is_put_to_the_user(paragraph: str) -> bool:
    """Whether a question in it is put to the user, and what follows neither answers it nor goes on. A report may ask itself."""
    for asked in _made(_ASKING).finditer(paragraph):
        follows = paragraph[asked.end() :].strip()
        if len(follows) <= _FOLLOWS and _says(asked[0], _TO_YOU):
            return not (_made(_ANSWERED).match(follows) or _made(_WENT_ON).search(follows))
    return False


def is_choice(question: str) -> bool:
    """Whether a question leaves a decision open between several ways."""
    return bool(re.search(r"\b(?:or|oder|ou|o)\b|还是|或者|または|それとも", question))


# ---- commands and what came of them ------------------------------------------------------------------------------------

_HEREDOC = r"<<-?[ \t]*['\"]?(\w+)['\"]?"
_MARK = r"\s*(\w+)"
_QUOTED = r"(?s)(['\"])(.*?)\1"
_HIDDEN = {ord("\n"): " ", ord("|"): "\x01", ord(";"): "\x02", ord("&"): "\x03", ord(">"): "\x04"}  # in quotes they part nothing
_SHOWN = {1: "|", 2: ";", 3: "&", 4: ">"}
_REDIRECTED = r"\s*[12&]?>{1,2}\s*(?:&\d|\S+)"
_IN_PATHS = dict.fromkeys(map(ord, "_./~-"))  # what the name of a command may have besides letters and digits
# Commands that look, move or glue; what they were given is seldom typed again.
_LOOKING = frozenset(
    "cd echo cat ls head tail grep sed git rg wc find done do then fi if for nl export awk sort pwd mkdir test sleep true which "  # noqa: SIM905
    "xargs while printf cut tr uniq rm rmdir mv cp ln touch chmod kill".split()
)
_SEARCHING = frozenset(("rg", "grep", "egrep", "ag"))
_SHOWING = _SEARCHING.union(("cat", "head", "tail", "nl", "sed", "less", "more", "bat", "Get-Content", "type"))
_PATTERN = frozenset(" \t\n*?$(){}[]^|;&<>,\\'\"`=:")  # signs of which a path has none, and a script or a pattern most often one
_COMMIT = r"\bgit\b[^\n;&|]*\bcommit\b"
_SUBJECTS = (
    r"<<-?\s*['\"]?\w+['\"]?\s*\n\s*(\S[^\n]*)",
    r"(?s)\bcommit\b.{0,400}?\s(?:-[A-Za-z]*m|--message)[ =]*(['\"])(?!\$\()(.+?)(?:\n|\1)",
    r"\bcommit\b[^\n;&|]{0,400}?\s(?:-[A-Za-z]*m\s*|--message[ =])([^\s'\"$-][^\s;&|]*)",
)
_PUBLISHED = r"\bgit\s+(?:push|merge|tag|rebase)\b(?!-)|\b(?:pr|mr|release)\s+create\b|\b(?:publish|deploy)\b"
_PUBLISHING = ("git", "create", "publish", "deploy")  # one of these is in every command that does
_PASSED = (
    r"(?im)\d (?:tests? )?passed\b|\btest result: ok\b|\ball tests pass|\b0 fail(?:ed|ures)\b|^ok\s+\S|^PASS\b|\bbuild succe"
)
_PASSING = ("passed", "tests pass", "\npass", "\nok", "0 fail", "result: ok", "build succ")  # the same, in small letters
_ERROR = (
    r"(?i)error|fail|panic|exception|undefined|cannot|can't|could not|unable|not found|no such|denied|refused|expected|fatal"
    r"|invalid|\btrace"
)
_BANNER = (
    r"Exit code|\[\w+\] \$|Chunk ID|Wall time|Process exited|Original token|Output:|Total output|Command exited with code|"
    r"Command aborted|\(no output\)"
)
_FAILS = r"(?im)\b[1-9]\d* (?:tests? )?(?:failed|failures|errors?)\b|^FAIL|^error\b"
_READ = 20_000  # characters of an output, from either end
_LONGEST_ERROR, _ERROR_LINES = 240, 3
# What only announces an error, counts errors or says where it passed: a rule or a title in one, a line that ends in a colon, a
# frame of a trace, the totals, and the complaint of whoever had called the program that failed.
_HEADLINE = (
    r"^([=_*#~-])\1{2,}+.*\1{3,}$|^\W*$|^[^:]*\([^:]*\):$|^[\w ]*:$|^at \S|^File \"|^(?:FAIL|FAILED|FAILURE|ERROR|Error)S?[:!]?$"
    r"|\b\d+ (?:tests? )?(?:failed|failures?|errors?|passed|warnings?|problems?)\b.*(?:\d|\bin\b|generated|emitted|found|$)"
    r"|(?i:\bdue to (?:\d+ )?previous error|\bexit (?:status|code)\b|\bmake(?:\[\d+\])?: \*\*\*|^exited with|\bcompleted with)"
)
_AT_PLACE = r"(?:\S*[/\w])?\w\.\w{1,8}[:(]\d+(?:[:,]\d+)?\)?:? \S"  # main.go:10:2: said of this place
_NAMED = r"(?:\w+[.:]+)*[A-Z]\w*(?:Error|Exception|Failure|Fault|Interrupt|Exit|Iteration|Warning|Timeout|Refused|Denied)"
_LABELLED = r"[\w ./-]{1,60}:\s"
_TELLING = (
    # The error by its name with what it says; the same without a word; a test or a target that failed, by its name.
    (4, rf"(?:^|^E +|^Caused by: |^Uncaught |[\s'\"])(?:\w+ )?{_NAMED}(?: \[\w+\])?: \S"),
    (4, r"(?:^|[\s:\]])(?i:(?:fatal |syntax |internal |build )?error)(?:\[\w+\]| [A-Z]+\d+)?(?: in \S+)?:\s+\S"),
    (4, r"^(?:panic|fatal|FATAL|Fatal)(?: error)?: \S|\bpanicked at\b|^\w[\w -]* fault\b"),
    (3, rf"^(?:E +)?{_NAMED}$"),
    (3, r"^(?:-+ )?(?:FAIL|FAILED|ERROR|not ok|✗|✕|✘|×|●)(?:[: ]|ED )\s*\S*[\w/]"),
    (3, r"^(?:\S*/)?[\w.+-]+: .{0,120}(?i:not found|no such|denied|refused|cannot|can't|unable|invalid|unknown|unrecogni)"),
    (2, _AT_PLACE),
)
# What a host's own tools refuse is no error of the work.
_HOST_REFUSES = (
    "has not been read yet", "String to replace not found", "has been modified since", "InputValidationError",
    "File does not exist", "exceeds maximum", "matches of the string to replace", "user doesn't want", "was rejected",
    "tool_use_error", "verification failed: ", "spawn failed: ", "failed to parse function arguments", "rejected by user",
    "Could not find the exact text", "could not find the string to replace", "oldString not found", "must read file",
    "Could not find oldString", "No changes made to", "multiple matches for oldString",
    "rejected permission", "[Operation Cancelled]", "Tool execution aborted",
)  # fmt: skip


@lru_cache(maxsize=64)
def steps_of(command: str) -> list[str]:
    """The single commands in a shell line that do something: without what is fed to them, and what only filters them."""
    plain = _without_heredocs(command.replace("\\\n", " "))
    if "'" in plain or '"' in plain:
        plain = _made(_QUOTED).sub(lambda found: found[0].translate(_HIDDEN), plain)
    found = []
    for part in plain.replace("&&", "\n").replace("||", "\n").replace(";", "\n").split("\n"):
        first = part.split("|", 1)[0]
        words = (_made(_REDIRECTED).sub("", first) if ">" in first else first).translate(_SHOWN).split()
        if len(words) >= 2 and _is_command(words[0]) and words[0].rpartition("/")[2] not in _LOOKING:
            found.append(" ".join(words)[:160])
    return found


@lru_cache(maxsize=64)
def shown_by(command: str) -> tuple[str, ...]:
    """The files that a command shows: `sed -n '1,80p' a.py`, `nl -ba b.go | head`. Hosts that have no tool for it read so."""
    if _SHOWING.isdisjoint(command.split()) or "<<" in command:
        return ()
    plain = _made(_QUOTED).sub(_bare, command) if "'" in command or '"' in command else command
    found: dict[str, None] = {}
    for part in plain.replace("&&", "\n").replace("||", "\n").replace(";", "\n").split("\n"):
        program, *given = part.split("|", 1)[0].split() or [""]
        if program in _SHOWING and ">" not in part and "-i" not in given:
            files = [word for word in given if word.rpartition(".")[2] in _ENDS and not _PATTERN.intersection(word)]
            if program not in _SEARCHING or len(files) == 1:  # a search through several says itself where each line is
                found.update(dict.fromkeys(files))
    return tuple(found)


def _bare(quoted: re.Match[str]) -> str:
    """A quoted word as it is, a quoted text as nothing: a script or a pattern may have the looks of files in it."""
    return quoted[2] if not _PATTERN.intersection(quoted[2]) else "''"


def _without_heredocs(command: str) -> str:
    """A command without the texts that stand in it between marks. Where a mark comes again is looked up: to look for it behind
    each of ten thousand beginnings took half a minute.
    """
    if "<<" not in command:
        return command
    lines, kept, number = command.split("\n"), [], 0
    ends_in: dict[str, list[int]] = {}
    for place, line in enumerate(lines):
        if word := _made(_MARK).match(line):
            ends_in.setdefault(word[1], []).append(place)
    while number < len(lines):
        for begun in _made(_HEREDOC).finditer(lines[number]):
            places = ends_in.get(begun[1], [])
            after = bisect_right(places, number)
            if after < len(places):
                before, number = lines[number][: begun.start()], places[after]
                lines[number] = before + lines[number].lstrip()[len(begun[1]) :]
                break
        else:
            kept.append(lines[number])
            number += 1
    return "\n".join(kept)


def _is_command(word: str) -> bool:
    """Whether a word can be what a program is called by."""
    letters = word.translate(_IN_PATHS)
    return not letters or letters.isalnum()


def commit_subject(command: str) -> str:
    """The subject of the commit that a command makes; empty where it makes none."""
    if "commit" not in command or not _made(_COMMIT).search(command):
        return ""
    for pattern in _SUBJECTS:
        found = _made(pattern).search(command)
        if found:
            return " ".join(str(found[found.lastindex or 0]).split())
    return ""


def publishes(command: str) -> bool:
    """Whether a command gives the work away: a push, a merge, a release."""
    if not any(word in command for word in _PUBLISHING):
        return False
    return bool(_made(_PUBLISHED).search(_without_heredocs(command)))


def passed_in(text: str) -> str:
    """The line of an output that says that tests or a build went well."""
    text = text[-4000:]
    low = text.lower()
    if not any(word in low for word in _PASSING) and not low.startswith(("ok", "pass")):
        return ""  # nearly all outputs; the expression below would try every place of them
    return next((line for line in text.split("\n") if _made(_PASSED).search(line)), "")


def error_in(text: str) -> str:
    """The lines of an output that say what is wrong, as they were printed: not the banner or the headline above them.

    Of those that tell most, the first and the last ones: compilers say the cause first, programs that fall over say it last.
    """
    parts = (text[:_READ], text[_READ:][-_READ:])
    # No more of a line than is shown: the expressions below go through one again from many of its places.
    lines = [line.strip()[:_LONGEST_ERROR] for part in parts for line in part.split("\n")]
    lines = [line for line in dict.fromkeys(lines) if line and not _made(_BANNER).match(line)]
    weights = {line: weight for line in lines if (weight := _tells(line))}
    if not weights:
        long = [line for line in lines if len(line) > 12]
        return next((line for line in long if not _made(_HEADLINE).search(line)), (long or [""])[0])[:_LONGEST_ERROR]
    most = max(weights.values())
    best = [line for line, weight in weights.items() if weight == most][: None if most > 1 else 1]  # a word alone: the first
    near = [line for line, weight in weights.items() if weight == most - 1]
    shown = {*best[: _ERROR_LINES - 1], best[-1], *near[: max(0, _ERROR_LINES - len(best))]}
    if len(shown) < _ERROR_LINES:  # and what was labelled first: often the place
        shown.update([line for line in weights if _made(_LABELLED).match(line)][:1])
    shown |= {after for line, after in pairwise(lines) if line in shown and line.endswith(":")}
    kept = [line for line in lines if line in shown]
    # One that another repeats says nothing more.
    kept = [line for line in kept if not any(line != other and line.lstrip("E ") in other for other in kept)]
    return "\n".join(line[: _LONGEST_ERROR // len(kept)] for line in kept)


def _tells(line: str) -> int:
    """How much a line says of what is wrong; 0: nothing."""
    if len(line) > 12 and not _made(_ERROR).search(line) and not _made(_AT_PLACE).match(line):
        return 0
    if _made(_HEADLINE).search(line):
        return 0
    weights = (weight for weight, form in _TELLING if _made(form).search(line))
    return max(weights, default=1 if len(line) > 12 and _made(_ERROR).search(line) else 0)


def mends(command: str, failing: str, output: str) -> bool:
    """Whether a command that went well has run what failed before, as a part of it.

    It is known to have gone well where nothing hides its status: each step behind the one before (`&&`), or it is the last one.
    Behind a pipe the output must say it.
    """
    failed, steps = steps_of(failing), steps_of(command)
    if not failed or not set(failed) <= set(steps):
        return False
    plain = _made(_QUOTED).sub("", _without_heredocs(command))
    if "||" in plain or (failed[-1] != steps[-1] and (";" in plain or "\n" in plain.strip())):
        return False
    return "|" not in plain or (bool(passed_in(output)) and not _made(_FAILS).search(output))


def refused_by_host(text: str) -> bool:
    """Whether a failure is the host's own tool refusing, which is no error of the work."""
    head = text[:2000]
    return any(said in head for said in _HOST_REFUSES)


# ---- decisions ---------------------------------------------------------------------------------------------------------

_WHO = ("i'll", "i will", "i'm going to", "i am going to", "we'll", "we will", "we're going to", "we should", "i should")
_DOES = ("use", "go with", "keep", "switch", "stick", "drop", "replace")
_CHOICE = (
    *(f" {who} {does} " for who in _WHO for does in _DOES),
    *phrases(
        "decided to, decided on, decided that, decided against, i chose, we chose, i picked, going with, opted for, settled on, "
        "root cause is, root cause was, right fix is, best fix is, simplest fix is, right approach is, best approach is, "
        "simplest approach is, right way is, best way is",
        "决定 采用 选择了 方針 採用 することにし",
    ),
)
# A sentence that leaves it to the user is a proposal, and no decision until they agree.
_LEFT_TO_YOU = (
    r"(?i)\b(?:if|unless|once|when|as soon as|provided|assuming) (?:\S+ ){0,4}?(?:you|your)\b"
    r"|\bwith your (?:ok|okay|approval|permission|blessing)\b|\b(?:your call|up to you|let me know|would you|do you)\b"
    r"|\b(?:wenn (?:\S+ ){0,3}?(?:du|dir|dich|ihnen|sie|ihr)|falls (?:du|sie))\b"
    r"|\bsi (?:\S+ ){0,3}?(?:vous|tu|te|le parece|quieres|quiere|você|vuoi)\b"
    r"|(?:如果|要是|只要|除非)[你您]|[你您](?:同意|觉得)|可以吗|好吗|よければ|괜찮"
)
_CHOICE_WORDS = frozenset(max(phrase.split(), key=len) for phrase in _CHOICE if phrase[0] == " ")  # one word of each phrase
_FENCED = r"(?sm)^```.*?^```"
_BOLD = r"\*\*|(?<!\w)__|__(?!\w)"
_BETWEEN = r"(?<=[.!?])\s+|(?<=[。！？])|\n"
_MARKS = r"^[\s>#*+\-\d.)]+(?=\S)"


def choices_in(text: str) -> list[str]:
    """Sentences in which the agent says what it has chosen, or what it found to be the cause; not what code says."""
    if (text.isascii() and _CHOICE_WORDS.isdisjoint(_spoken(text).split())) or not _says(text, _CHOICE):
        return []
    found = []
    for told in sentences_in(text):
        if 20 <= len(told) <= 300 and not told.endswith((":", "?", "？")) and _says(told, _CHOICE) and not _is_left_to_you(told):
            found.append(told)
    return found[:3]


def _is_left_to_you(sentence: str) -> bool:
    return bool(_made(_LEFT_TO_YOU).search(sentence))


def proposal_in(text: str) -> str:
    """The last choice in a text that is left to the user; empty where there is none."""
    if not _says(text, _CHOICE):
        return ""
    left = [told for told in sentences_in(text) if len(told) <= 300 and _says(told, _CHOICE) and _is_left_to_you(told)]
    return left[-1] if left else ""


def sentences_in(text: str) -> list[str]:
    """The sentences of a text, each on one line, without the marks of lists and quotations, and without code in fences."""
    parts = _made(_BETWEEN).split(_made(_BOLD).sub("", _made(_FENCED).sub("", text)))
    return [told for told in (" ".join(_made(_MARKS).sub("", part).split()) for part in parts) if told]


# ---- what may be worth a note ------------------------------------------------------------------------------------------

TYPED, HEARD = 800, 60  # characters of a message beyond which it may well be pasted; messages that are kept for the next boundary
_HINTS = (  # one of these is in everything that lasting.py takes, or that takes it back; to look for them costs a hook nothing
    "always", "never", "from now on", "future", "going forward", "by default", "as a rule", "prefer", "don't",
    "do not", "decided", "agreed", "settled", "decision", "deadline", "due", " by ", "we use", "team use",
    "project use", "we've", "we have", "our ", "my ", " is ", "call me", "ask me", "ask first", "without asking",
    "rather you", "lesson", "learned", "root cause", "works", "leads", "owns", "handles", "reviews", "maintains",
    "manages", "approves", "reports to", "immer", "nie", "ab jetzt", "ab sofort", "künftig", "zukunft", "bevorzug",
    "toujours", "jamais", "désormais", "dorénavant", "préfèr", "siempre", "nunca", "prefier", "a partir de", "sempre",
    "prefir", "всегда", "никогда", "впредь", "предпочита", "以后", "一律", "从现在", "永远", "总是", "不要再", "每次",
    "偏好", "喜欢", "默认", "决定", "一致同意", "定下来", "截止", "到期", "我们", "团队", "项目", "公司", "教训",
    "老板", "经理", "同事", "必ず", "今後", "常に", "항상", "앞으로",
    "forget", "off the record", "no need to", "nicht merken", "nicht speichern", "retiens", "recuerdes", "guardes", "lembre",
    "запоминай", "不要记", "别记", "不用记", "忘掉", "覚えないで", "記録しないで", "기억하지",
    "remember", " ever", "every time", "each time", "whenever", "convention", "policy", "rule", "house style", "chosen",
    "picked", "we chose", "going with", "takeaway", "in general", "stets", "grundsätzlich", "von jetzt an", "bei uns gilt",
    "entschieden", "beschlossen", "gelernt", "lektion", "heißt", "à partir de", "décidé", "choisi", "leçon", "jamás",
    "adelante", "hemos", "lecci", "diante", "d'ora in", "preferisco", "abbiamo", "lezione", "lição", "altijd", "nooit",
    "vanaf nu", "voortaan", "hebben", "отныне", "решили", "记住", "务必", "习惯", "确定", "选定", "导师", "主管",
    "いつも", "教訓",
)  # fmt: skip


def may_last(text: str) -> bool:
    """Whether a user's message is worth a look at the next boundary: it is short, and has a word of what lasts."""
    if len(text) > TYPED:
        return False
    lower = text.lower()
    return any(hint in lower for hint in _HINTS)
