"""The one true deletion: a text taken out of every file that this memory has, and kept out from then on.

Everything else in Holdfast keeps what it takes away. Here that would be the fault, so:

Rule 1: the fingerprint is durable before the first file is touched. From then on nothing that enters, is merged or goes into the
        trash brings the text back; and whoever is killed half-way runs the same command again.
Rule 2: a file is replaced whole, in one step, or not at all. The text becomes a placeholder, which is no structure in markdown,
        JSON or TOML; not another byte is changed.
Rule 3: a document is exchanged as for a record (exchange.py): what a person saves meanwhile is law, and the text goes out of that
        too. What is displaced is let go, and not kept.
Rule 4: what could not be done is named, never passed over.
"""

from __future__ import annotations

import errno
import os
import re
from contextlib import contextmanager

from ..errors import UserError, not_saved, reason
from ..model import Value, slug
from ..storage import journal, packing
from ..storage.exchange import Document, decoded, encoded
from ..util import make_id
from . import undoing
from .forgotten import NAME, SHORTEST, folded, line_for, placeholder_for, replaced, spans_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from ..memory import Memory
    from ..storage.disk import Folder

PATIENCE = 10.0  # seconds for the lock: a person waits, and it is worth waiting for
OTHERS = 60.0  # seconds for those who opened memory before the text was forgotten: a hook takes two, an import longer
_AT_IT = "a process that began before this is still writing here; when it has ended, run this again"
_PASSES = 3  # another process may be writing what it had read before
_OURS = ("key", "lock", "has-documents", NAME)  # no text in them
_NO_FILE = (errno.ELOOP, errno.EINVAL)  # a link, which may lead out of the workspace, or a pipe
_NOT_TEXT = "it is not text; take it out with the program that made it, or remove the file"
_EXCHANGED = "a document is still being brought up to date, or is open in an editor; close it and run this again"


class Place(Value):
    """A file that has the text, and the lines on which it begins there."""

    path: str
    lines: tuple[int, ...] = ()


class Left(Value):
    """A file that has the text still, or may have it, and why."""

    path: str
    why: str
    refused: bool = False  # by the disk


class Erased(Value):
    """What was found, and what could not be taken out."""

    places: tuple[Place, ...] = ()
    left: tuple[Left, ...] = ()

    @property
    def count(self) -> int:
        """On how many lines the text stood, a name or a packed file counting as one."""
        return sum(max(1, len(place.lines)) for place in self.places)


class Secret:
    """A text that is to be forgotten, in every form in which a file may have it."""

    def __init__(self, text: str, key: bytes) -> None:
        import json

        self.placeholder, self.lines_kept = placeholder_for(text, key), [line_for(text, key)]
        plain = (text.strip(), folded(text))
        # Topics and files are named by it as a slug, which is another text; one word alone is the same.
        self.slug = name if "-" in (name := slug(text)) and name not in plain else ""
        self.lines_kept += [line_for(self.slug, key)] if self.slug else []
        self.forms = {*plain, *(journal.quoted(form) for form in plain)}
        self.forms |= {json.dumps(form, ensure_ascii=ascii)[1:-1] for form in plain for ascii in (True, False)}

    def out_of(self, text: str, name: str) -> str:
        """A file's text without it."""
        if name.endswith(".jsonl"):
            text = "\n".join(map(self._out_of_json, text.split("\n")))
        elif name.endswith(".json"):
            text = self._out_of_json(text)
        else:
            text = self._replaced(text)
        return text

    def _replaced(self, text: str, *, json: bool = False) -> str:
        text = replaced(text, spans_of(text, self.forms, json=json), self.placeholder)
        if self.slug and self.slug in text:
            text = re.sub(self._as_slug(), slug(self.placeholder), text)
        return text

    def _as_slug(self) -> str:
        """Where it stands in a name: alone, or between other words of it."""
        return rf"(?<![^\W_]){re.escape(self.slug)}(?![^\W_])"

    def _out_of_json(self, text: str) -> str:
        """JSON stays JSON: digits that are a number are no text, and are let alone."""
        import json

        new = self._replaced(text, json=True)
        try:
            said = json.loads(text) if new != text else None
        except ValueError:
            return new
        if new == text or _is_json(new):
            return new
        strings = self._in_strings(said)
        return text if strings == said else json.dumps(strings, ensure_ascii=False)

    def _in_strings(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._replaced(value)
        if isinstance(value, list):
            return [self._in_strings(item) for item in value]
        if isinstance(value, dict):
            return {self._in_strings(name): self._in_strings(item) for name, item in value.items()}
        return value

    def lines(self, text: str) -> tuple[int, ...]:
        """The lines of a text on which it begins."""
        spans = spans_of(text, self.forms, json=True)
        if self.slug and self.slug in text:
            spans = sorted([*spans, *(found.span() for found in re.finditer(self._as_slug(), text))])
        return tuple(dict.fromkeys(1 + text.count("\n", 0, start) for start, _ in spans))


def _is_json(text: str) -> bool:
    import json

    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def checked(text: str) -> str:
    """A text that can be forgotten, folded; refused where it would take half of the memory with it."""
    plain = folded(text)
    if len(plain) < SHORTEST or not any(letter.isalnum() for letter in plain):
        raise UserError(
            f"That is too short to forget: fewer than {SHORTEST} characters stand in half of all words.\n"
            "Nothing was changed. Give more of the text around it."
        )
    if plain in folded(_skeleton()) or any(plain in word for word in _words()):
        raise UserError(
            "Holdfast's own files are built of these words, and without them no file could be read.\n"
            "Nothing was changed. Give more of the text around it."
        )
    return plain


def _skeleton() -> str:
    """What our own files say before anybody has said anything."""
    from ..documents import markdown, topic_pages
    from ..model import Checkpoint, Record

    nothing = "20260101-000000-000000-00000000"
    values: dict[str, Any] = {"files": (("0", "0"),), "names": (("0", "0"),), "context": (("0", "0"),), "pending": (("0", True),)}
    full = Checkpoint(**{name: values.get(name, "0") for name in Checkpoint._fields})
    record = Record(nothing, "checkpoint", "0", "0", "", "0", host="0", origin="transcript", trigger="0", after=nothing)
    topic = topic_pages.write_topic("", topic_pages.TopicChange("0", "0", "0", "0", ("0",), ("0",)))[0]
    shown = [markdown.show_block(markdown.Block(state, "0", "0", nothing, "0", "0", "0")) for state in (Checkpoint(), full)]
    blocks = [markdown.snapshot_lines(block, "0") for block in shown]
    states = [markdown.write_state("", state, {"session": "0", "record": nothing}) for state in (Checkpoint(), full)]
    others = (markdown.show_classic(full), topic, markdown.buffer_with("", "0", "0"))
    return "\n".join([journal.render(record), *blocks, *states, *others])


def _words() -> list[str]:
    """What stands behind the names in our headers, each alone: whose a record is and what it does is told by these."""
    from ..model import KINDS, NO_SESSION, ORIGINS, TOPIC_ACTIONS, TRIGGERS, Checkpoint
    from ..storage.store import verbs

    return [NO_SESSION, *KINDS, *ORIGINS, *TRIGGERS, *TOPIC_ACTIONS, *verbs(Checkpoint._fields)]


# ---- every file --------------------------------------------------------------------------------------------------------


def found(memory: Memory, secret: Secret) -> Erased:
    """Every place of this memory that has the text. Nothing is changed."""
    return _gone_through(memory, secret, "")


def _gone_through(memory: Memory, secret: Secret, mark: str) -> Erased:
    """Look into every file; with a mark, by which its exchanges are known, take the text out of it."""
    places: list[Place] = []
    left: list[Left] = []
    for folder, path, name in memory.store.files():
        if path == ".holdfast/pending" or (path == ".holdfast" and (name in _OURS or name.startswith("index.sqlite"))):
            continue
        file = _File(folder, path, name)
        try:
            if not path:
                _agreed(memory, name)
            why = file.look(secret)
            if file.has_it:
                places.append(Place(file.where, file.lines))
                why = why or (file.clean(memory, secret, mark) if mark else "")
            if why:
                left.append(Left(file.where, why))
        except FileNotFoundError:
            pass  # it has gone meanwhile, and the text with it
        except OSError as error:
            left.append(Left(file.where, reason(error)[0], refused=error.errno not in _NO_FILE))
    return Erased(tuple(places), tuple(left))


def _agreed(memory: Memory, name: str) -> None:
    """Raise what is to be said of a link that nobody has agreed to: where it leads, and not only that it is one. Also why
    a folder of ours cannot be opened: nobody may think that nothing is in it.
    """
    if name in ("memory", ".holdfast", memory.config.contextDir.replace(os.sep, "/")):
        memory.store.folder(name, make=False)
    else:
        memory.store.place("", name)


class _File:
    """One file of this memory."""

    def __init__(self, folder: Folder, path: str, name: str) -> None:
        self.folder, self.path, self.name = folder, path, name
        self._linked = path == "MEMORY.md"  # to somewhere else, by its owner
        self.where = path if self._linked else f"{path}/{name}".lstrip("/")
        self.has_it, self._in_it, self._new = False, False, ""
        self.lines: tuple[int, ...] = ()

    def look(self, secret: Secret) -> str:
        """Whether it has the text; and what is in the way of writing it again, in words."""
        text, why = _text(self.folder.read(self.name), self.name)
        if self.path.startswith(".holdfast/journal"):
            self._new = _without(text, lambda part: secret.out_of(part, self.name))
        else:
            self._new = secret.out_of(text, self.name)
        self._in_it = self._new != text
        self.has_it = self._in_it or self._renamed(secret) != self.name
        self.lines = secret.lines(text) if self._in_it else ()
        if self.path.endswith((".holdfast/swap", "memory/.holdfast-swap")) or self.name.startswith("tmp-"):
            why = _EXCHANGED
        return why if self.has_it or why not in (_EXCHANGED, _NOT_TEXT) else ""

    def _renamed(self, secret: Secret) -> str:
        return self.name if self._linked else secret.out_of(self.name, "")  # the link would lead nowhere

    def clean(self, memory: Memory, secret: Secret, mark: str) -> str:
        """Write it again without the text, in the way that is due to it; what was in the way, in words."""
        why = ""
        if self._in_it:
            why = self._exchanged(memory, secret, mark) if self._is_document() else self._replaced(memory)
        if not why and self._renamed(secret) != self.name:
            self.folder.move(self.name, self.folder, self._renamed(secret))
            self.folder.sync()
        return why

    def _is_document(self) -> bool:
        """Whether a person may have it open: then it is exchanged, and what is saved in it meanwhile is law."""
        ours = self.path.startswith(".holdfast") and self.path != ".holdfast/sessions" and self.name != "config.toml"
        return not ours and not self.name.endswith((".gz", ".zst"))

    def _exchanged(self, memory: Memory, secret: Secret, mark: str) -> str:
        # Of the two session-state files the younger speaks: neither may become it by this.
        dated = self.name.casefold() == "session-state.md"
        document = Document("forgotten", self.folder, self.name, lambda text: secret.out_of(text, self.name), dated)
        return "" if memory.store.take_out(document, mark) else _EXCHANGED

    def _replaced(self, memory: Memory) -> str:
        data = _packed(self._new, self.name)
        if data is None:
            return "it could not be packed again: the zstandard package is not installed"
        swap = memory.store.swap_for(self.folder)
        swap.place(swap.prepare(data, self.folder.stat(self.name)), self.folder, self.name, over=True)
        self.folder.sync()
        return ""


def _without(text: str, change: Callable[[str], str]) -> str:
    """A file of the journal, put through a change: a record, or all those of a day that is packed. What is torn stays so."""
    records = packing.unpacked(encoded(text))
    if not records:
        return journal.rewritten(text, change)
    if encoded(text) != packing.packed(records):
        return change(text)
    return decoded(packing.rewritten(encoded(text), lambda record: journal.rewritten(record, change)))


def _text(data: bytes, name: str) -> tuple[str, str]:
    """A file's text, unpacked where it is packed, and why it cannot be written again."""
    if name.endswith(".gz"):
        import gzip
        import zlib

        try:
            return decoded(gzip.decompress(data)), ""
        except (OSError, EOFError, zlib.error):
            return decoded(data), "it could not be unpacked"
    if name.endswith(".zst"):
        from io import BytesIO

        from ..transcripts.packed import MISSING, SPOILT, read, stream

        unpacked = stream(BytesIO(data))
        whole = read(unpacked, -1) if unpacked else None
        return (decoded(whole), "") if whole is not None else (decoded(data), SPOILT if unpacked else MISSING)
    return decoded(data), _NOT_TEXT if b"\0" in data.rstrip(b"\0") else ""


def _packed(text: str, name: str) -> bytes | None:
    """A file's bytes, packed as it was; None where that cannot be done here."""
    if name.endswith(".gz"):
        import gzip

        return gzip.compress(encoded(text), mtime=0)
    if name.endswith(".zst"):
        from ..transcripts.packed import packed

        return packed(encoded(text))
    return encoded(text)


# ---- taking it out -----------------------------------------------------------------------------------------------------


def erase(memory: Memory, secret: Secret) -> Erased:
    """Take the text out of every file, and keep it out."""
    with _alone(memory):
        for line in secret.lines_kept:
            remember(memory, line)
    # Who opened memory before that may still write the text; who opens it from now on does not.
    gone = memory.gate is None or memory.gate.wait_for_others(OTHERS)
    with _alone(memory):
        first = erased = _gone_through(memory, secret, make_id(memory.clock(), ""))
        for _ in range(_PASSES):
            known = {one.path for one in erased.left}
            again = _gone_through(memory, secret, make_id(memory.clock(), ""))
            erased = erased.replaced(left=again.left)
            if all(place.path in known for place in again.places):
                break
        drop_derived(memory)
        others = () if gone else (Left(".holdfast", _AT_IT),)
        return first.replaced(left=(*erased.left, *others))


@contextmanager
def _alone(memory: Memory) -> Iterator[None]:
    """Under the lock, with the documents up to date and nothing left of those that died."""
    memory.catch_up()
    if memory.lock is None or not memory.lock.take_next(PATIENCE):
        raise UserError("Another process is writing here. Nothing was changed; run it again.")
    try:
        memory.store.sweep(float("inf"))  # what was displaced lately too, which waits where nobody can tell who has it open
        yield
    except OSError as error:
        raise not_saved(error, str(error.filename or memory.home.path), "What is to be forgotten") from error
    finally:
        memory.lock.release()


def drop_derived(memory: Memory) -> None:
    """What is derived goes whole: SQLite keeps the bytes of what is deleted from it, and against the fingerprints of briefs
    (`given`) and the digests of what reviews have brought home a guess could be tried. They are made anew as they are needed.
    """
    memory.home.clear_up()
    for name in memory.home.names():
        if name.startswith("index.sqlite") or name in ("given", "brought-home") or _is_unfinished_index(memory, name):
            memory.home.remove(name)
    memory.home.sync()


def _is_unfinished_index(memory: Memory, name: str) -> bool:
    """Whether a file is an index that somebody is making right now, from what was there before; its maker then gives it up."""
    if not name.startswith("tmp-"):
        return False
    try:
        with memory.home.file(name) as file:
            return file.read(16) == b"SQLite format 3\0"
    except OSError:
        return False


def places_of(memory: Memory, record_id: str) -> Erased:
    """The record's own file, and the documents that it has put something into."""
    record = memory.journal.read(record_id)
    day = f".holdfast/journal/{record_id[:4]}-{record_id[4:6]}-{record_id[6:8]}"
    loose = memory.store.text_or_empty(day, f"{record_id}.md")
    places = [Place(f"{day}/{record_id}.md" if loose else f"{day}.md")]
    for document in undoing.documents(memory, record) if record else ():
        path = _path_of(memory, document)
        places += [Place(path)] if Place(path) not in places else []
    snapshot = undoing.snapshot_file(memory, record) if record else ""
    return Erased((*places, *([Place(f"memory/session-snapshots/{snapshot}")] if snapshot else ())))


def _path_of(memory: Memory, document: Document) -> str:
    """A document's path as it is called in the workspace, also where `memory/` is linked elsewhere."""
    path, linked = document.folder.at(document.name), memory.root.link("memory")
    if linked and path.startswith(linked + os.sep):
        path = memory.root.at("memory") + path.removeprefix(linked)
    return os.path.relpath(path, memory.workspace)


def erase_record(memory: Memory, record_id: str) -> Erased:
    """Take a record away, and what it put into documents; it goes last, so that whoever is killed can do it again."""
    with _alone(memory):
        places = places_of(memory, record_id)
        remember(memory, f"record {record_id}")
        record = memory.journal.read(record_id)
        left: list[Left] = []
        for document in list(undoing.documents(memory, record)) if record else ():
            if not memory.store.take_out(document, make_id(memory.clock(), "")):
                left.append(Left(_path_of(memory, document), _EXCHANGED))
        snapshot = undoing.snapshot_file(memory, record) if record else ""
        if snapshot:
            folder = memory.store.folder("memory/session-snapshots")
            folder.remove(snapshot)
            folder.sync()
        memory.journal.remove(record_id)
        drop_derived(memory)
        return places.replaced(left=tuple(left))


def allow(memory: Memory, secret: Secret) -> bool:
    """Let a text in again that was forgotten; what was taken out does not come back. Returns whether it was forgotten."""
    with _alone(memory):
        known = [remember(memory, line, no_more=True) for line in secret.lines_kept]
        return any(known)


def remember(memory: Memory, line: str, *, no_more: bool = False) -> bool:
    """Keep a line of what is forgotten, durably; or let it go. Returns whether it was there before."""
    key = memory.key()
    if memory.home.stat("key") is None or not memory.home.read("key").startswith(key):
        raise UserError(f"The workspace's key could not be kept ({memory.home.at('key')}). Nothing was changed; look into it.")
    lines = decoded(memory.home.read_or_none(NAME) or b"").split("\n")
    if (line in lines) is not no_more:
        return line in lines
    kept = sorted({*filter(None, lines), line} - ({line} if no_more else set()))
    memory.swap.place(memory.swap.prepare(encoded("".join(f"{one}\n" for one in kept))), memory.home, NAME, over=True)
    memory.home.sync()
    return no_more
