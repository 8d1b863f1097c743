"""`holdfast forget TEXT|ID`: show every place, ask, take it out for good. Nothing that is printed repeats the text.

What the hosts have in their own transcripts, and what stands in files of the workspace that are not memory, is only named: those
are not ours to change.
"""

from __future__ import annotations

import os
import re
import sys

from .. import cli
from ..documents import markdown
from ..errors import HoldfastError, NotFound, UserError, reason
from ..forgetting.erasing import Erased, Left, Place, Secret, allow, checked, erase, erase_record, found, places_of
from ..hooks.mishaps import ELSEWHERE, change_elsewhere, kept_elsewhere, path_elsewhere
from ..storage.cache import Cache
from ..storage.journal import ID

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ..cli import Words
    from ..memory import Memory

ROOM = 256 << 20  # bytes of files that are not ours that are looked through, the newest first
_NOT_MEMORY = frozenset(("node_modules", "__pycache__", "venv", "target", "build", "dist"))
_BLOCK = re.compile(r"\d{4}-\d\d-\d\d-\d{1,6}\Z")
_LINES = 12  # line numbers that are shown of one file
_FOR_GOOD = "No copy is kept: this cannot be undone."


def run_forget(words: Words, env: Mapping[str, str]) -> int:
    """Carry out the command."""
    given = words.text("what to forget")
    if words.has("allow"):
        return _allowed(words, env, given)
    reading = cli.opened(words, env, write=False)
    try:
        record = _named(reading, given.strip())
        told = _of_record(reading, record) if record else _of_text(reading, env, given)
    finally:
        reading.close()
    if words.has("dry-run"):
        return told.printed(words)
    if not words.has("json"):
        told.announce()
    if not words.has("yes") and not _agreed():
        print("nothing was changed")
        return 2
    memory = cli.opened(words, env, write=True)
    try:
        if record:
            told.places = told.places.replaced(left=erase_record(memory, record).left)
        else:
            told.secret = secret = Secret(checked(given), memory.key())
            left = (*erase(memory, secret).left, *_out_of_caches(env, secret), *_out_of_receipts(env, secret))
            told.places = told.places.replaced(left=left)
        told.done = True
        memory.receipt(event="forget", did=f"forgot {told.what} in {_counted(told.places)}")
    finally:
        memory.close()
    return told.printed(words)


def _named(memory: Memory, given: str) -> str:
    """The id of the record that is meant, by its own, its block's or its snapshot's name; empty where a text is."""
    if ID.match(given):
        if not (memory.journal.has(given) or memory.is_forgotten(given)):
            raise NotFound(f"There is no record {given}. Nothing was changed. `holdfast show` and `search` name records.")
        return given
    if _BLOCK.match(given):
        named = f"<!-- snapshot-id: {given} -->"
        return next((record.id for record in memory.journal.records(kind="checkpoint") if named in record.body), "")
    name = given.removesuffix(".md") + ".md"
    if name not in memory.snapshots():
        return ""
    record = markdown.stamps(memory.store.text_or_empty("memory/session-snapshots", name)).get("record", "")
    return record if ID.match(record) and memory.journal.has(record) else ""


def _of_text(memory: Memory, env: Mapping[str, str], text: str) -> Told:
    secret = Secret(checked(text), memory.key())
    erased = found(memory, secret)
    cached = [Place(os.path.join(cache.path, cache.name)) for cache in Cache.every(env) if _without(cache, secret)]
    lines = secret.lines("\n".join(kept_elsewhere(env)))
    cached += [Place(path_elsewhere(env), lines)] if lines else []
    places = erased.replaced(places=(*erased.places, *cached))
    return Told("a text", places, secret, *_others(memory, env, secret))


def _of_record(memory: Memory, record: str) -> Told:
    return Told(f"the record {record}", places_of(memory, record))


def _agreed() -> bool:
    """Whether whoever is there says yes."""
    if not sys.stdin.isatty():
        raise UserError("There is nobody to ask. Nothing was changed; `--yes` says yes, `--dry-run` only shows the places.")
    sys.stdout.flush()
    try:
        return input("Forget it for good? [y/N] ").strip().casefold() in ("y", "yes")
    except EOFError:
        return False


def _allowed(words: Words, env: Mapping[str, str], text: str) -> int:
    """Let a text in again that was forgotten. What was taken out does not come back by it."""
    memory = cli.opened(words, env, write=True)
    try:
        there = allow(memory, Secret(checked(text), memory.key()))
    finally:
        memory.close()
    print("allowed again; what was taken out does not come back" if there else "it was not forgotten here; nothing was changed")
    return 0


# ---- where else it is --------------------------------------------------------------------------------------------------


def _without(cache: Cache, secret: Secret) -> bool:
    values = cache.all()
    return {secret.out_of(key, ""): secret.out_of(value, "") for key, value in values.items()} != values


def _out_of_caches(env: Mapping[str, str], secret: Secret) -> Iterator[Left]:
    for cache in Cache.every(env):
        if not _without(cache, secret):
            continue
        try:
            cache.change(lambda values: {secret.out_of(key, ""): secret.out_of(value, "") for key, value in values.items()})
        except HoldfastError as error:
            yield Left(os.path.join(cache.path, cache.name), str(error).split("\n", maxsplit=1)[0], refused=error.exit_code == 74)


def _out_of_receipts(env: Mapping[str, str], secret: Secret) -> Iterator[Left]:
    """Receipts that a workspace did not take stand in the user's state folder, and quote what went wrong."""
    if secret.lines("\n".join(kept_elsewhere(env))):
        try:
            change_elsewhere(env, lambda text: secret.out_of(text, ELSEWHERE))
        except OSError as error:
            yield Left(path_elsewhere(env), "; ".join(reason(error)), refused=True)


def _others(memory: Memory, env: Mapping[str, str], secret: Secret) -> tuple[list[str], list[str], bool]:
    """(transcripts that have the text, files of the workspace that do and are not memory, whether all were looked at)."""
    from ..transcripts import HOSTS
    from ..transcripts.find import sessions

    home = env.get("HOME") or os.path.expanduser("~")
    every = sorted((one for host in HOSTS for one in sessions(host, env, home)), key=lambda one: -one.modified)
    room = [ROOM]
    paths = _holding(dict.fromkeys(one.path for one in every), secret, room)
    beside = _holding(_beside(memory), secret, room)
    return paths, [os.path.relpath(path, memory.workspace) for path in beside], room[0] > 0


def _holding(paths: Iterable[str], secret: Secret, room: list[int]) -> list[str]:
    """Those of some files that have the text in their bytes."""
    forms = [form.encode("utf-8", "surrogateescape") for form in secret.forms]
    held = []
    for path in paths:
        try:
            size = os.stat(path).st_size
            if room[0] <= 0 or not os.path.isfile(path):
                continue
            room[0] -= size
            if room[0] > 0:
                with open(path, "rb") as file:
                    data = file.read()
                held += [path] if any(form in data for form in forms) else []
        except (OSError, ValueError):
            continue
    return held


def _beside(memory: Memory) -> Iterator[str]:
    """The files of the workspace that are no memory: an agent's own, or a project's."""
    ours = {"memory", memory.config.contextDir.split(os.sep)[0], *_NOT_MEMORY}
    for folder, names, files in os.walk(memory.workspace):
        top = folder == memory.workspace
        names[:] = sorted(name for name in names if not name.startswith(".") and name not in (ours if top else _NOT_MEMORY))
        own = ("MEMORY.md", "SESSION-STATE.md") if top else ()
        yield from (os.path.join(folder, name) for name in sorted(files) if name not in own)


# ---- saying it ---------------------------------------------------------------------------------------------------------


class Told:
    """What was found, said without the text."""

    def __init__(
        self,
        what: str,
        places: Erased,
        secret: Secret | None = None,
        transcripts: Iterable[str] = (),
        beside: Iterable[str] = (),
        whole: bool = True,
    ) -> None:
        self.what, self.places, self.secret, self.whole, self.done = what, places, secret, whole, False
        self.transcripts, self.beside = list(transcripts), list(beside)

    def announce(self) -> None:
        """The places, and what becomes of them."""
        for place in self.places.places:
            print(self._shown(place.path) + _in_words(place.lines))
        if self.secret is None:
            print(f"{_counted(self.places)}: the record and what it put there are taken out, and nothing else. {_FOR_GOOD}")
        elif self.places.places:
            become = f"each becomes a placeholder such as {self.secret.placeholder}"
            print(f"{_counted(self.places)}; {become}, and the text is kept out from now on. {_FOR_GOOD}")
        else:
            print("It is nowhere in this memory. Once forgotten, it is kept out all the same.")

    def _shown(self, path: str) -> str:
        """A path without the text, which may stand in a name."""
        return self.secret.out_of(path, "") if self.secret else path

    def printed(self, words: Words) -> int:
        """What was done, or would be; the exit code says whether something is left."""
        if words.has("json"):
            self._print_data()
        elif self.done:
            print(f"forgot  {_counted(self.places)}" + (f"  {self.secret.placeholder}" if self.secret else ""))
        else:
            self.announce()
        for line in [] if words.has("json") else self._aside():
            print(line, file=sys.stderr)
        left = self.places.left
        return 74 if any(one.refused for one in left) else int(bool(left))

    def _aside(self) -> Iterator[str]:
        """What is left, and what is not ours to change."""
        yield from (f"left: {self._shown(one.path)}: {one.why}" for one in self.places.left)
        for path in self.transcripts:
            yield f"note: the host's own transcript, which we only read, has it still: {self._shown(path)}"
        for path in self.beside:
            yield f"note: a file that is not memory, and so yours to change, has it still: {self._shown(path)}"
        if not self.whole:
            yield "note: of transcripts and other files, only the newest 256 MB were looked through"

    def _print_data(self) -> None:
        data = {
            "forgotten": self.done,
            "placeholder": self.secret.placeholder if self.secret else "",
            "places": [{"path": self._shown(place.path), "lines": list(place.lines)} for place in self.places.places],
            "left": [{"path": self._shown(one.path), "why": one.why} for one in self.places.left],
            "transcripts": [self._shown(path) for path in self.transcripts],
            "other_files": [self._shown(path) for path in self.beside],
            "all_looked_through": self.whole,
        }
        print(cli.in_json(data, indent=2))


def _in_words(lines: tuple[int, ...]) -> str:
    shown = (":" if lines else "") + ",".join(map(str, lines[:_LINES]))
    return shown + (f" and {len(lines) - _LINES} more" if len(lines) > _LINES else "")


def _counted(erased: Erased) -> str:
    files = len(erased.places)
    return f"{erased.count} place{'' if erased.count == 1 else 's'} in {files} file{'' if files == 1 else 's'}"
