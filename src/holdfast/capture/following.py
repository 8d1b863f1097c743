"""Following a transcript: read on from where it was read last, and keep what was learnt.

`.holdfast/cursors/<session>.json` holds the position, what capture had learnt by then, and what it told the working state last,
in the words of the version that told it. It is derived. Without it the transcript is read from the start, and what was told of it
before is known from the journal: up to that moment it is read as it was then, so that a field which the transcript had filled is
still the transcript's to change.
"""

from __future__ import annotations

import json
import os

from ..errors import reason
from ..guard.entering import clean, redacted
from ..model import BACKGROUND, EARLIER, NO_SESSION, REPLACED, STATE_KINDS, TASK_SET, TEXTS, Checkpoint, slug
from ..util import compute_digest
from .claims import RECORDS, Claims, claimed, topic_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from ..guard.echo import Given
    from ..memory import Memory
    from ..model import Record
    from ..transcripts import Event
    from .draft import Capture
    from .told import Told


WAITING = ".holdfast/heard"  # what was heard and is not gleaned yet, one file a boundary


class Following:
    """A session's transcript, as far as it has been read. `inside` is its key in a database that holds many."""

    capture: Capture  # with all that it has learnt, once it has been read on

    def __init__(
        self,
        memory: Memory,
        session: str,
        path: str,
        host: str,
        *,
        inside: str = "",
        told: Told | None = None,
        messages: list[Any] | None = None,
    ) -> None:
        self.memory, self.session, self.path, self.host = memory, session, path, host
        self.inside, self.told = inside or session, told
        self.messages = messages  # the conversation as the host handed it over, in the place of a file
        written = path.partition(".jsonl.reset.")  # what a reset has put aside is still the same file
        mark = compute_digest(f"{session}\0{written[0] + written[1][:6]}".encode("utf-8", "surrogateescape"))[:8]
        self.name = f"{slug(session)[:60]}-{mark}.json"
        self._take_up(self._kept())

    def _take_up(self, kept: dict[str, Any]) -> None:
        """Stand where a cursor says."""
        self.kept = kept
        self.grown = kept.get("position") is not None  # some of it was told before
        self.was_saved = self.grown and bool(kept.get("saved"))  # all that was read of it then
        self.owes_block = bool(kept.get("owes_block"))  # saved at the end of a turn only: no day tells of it yet
        self.heard = self._heard()  # (text, time) of what the user said that may be worth a note, until the next boundary
        self.began = self.ended = ""  # of what is new
        self._is_dated = True  # whether the host says when the last of it was
        self._given: Given | None = None  # what may come back of our briefs; looked up when there is something to compare
        self._undated = False
        self._last_said = str(kept.get("last_said", ""))  # the agent's last words, while nobody has answered: their digest
        self._last_words: str | None = None  # and the words themselves, as long as nobody has asked for it
        self._ahead = str(kept.get("ahead", ""))  # the same of words that a hook told before the host had written them
        self._in_memory = False  # whether a checkpoint was worth it before
        self._told_of = self._is_new = False  # whether memory has something of it, and whether what is read goes beyond that
        # What the user has said last is not to be remembered: all of it; or the digests of the words of some sentences.
        self._is_off_record = kept.get("off_record") is True
        self._off_record_words = _lists_in(kept.get("off_record_words"))
        self.reasons: list[str] = []
        self.unreadable = 0  # things in it that are there and that we cannot read
        self._harmless: set[str] = set()  # texts in which no secret was found
        were_set = kept.get("set")
        self._set: dict[str, Any] = were_set if isinstance(were_set, dict) else {}  # field → what others have set it to, and when
        self._claims = Claims(kept.get("claims"), nobodys=self.session == NO_SESSION)
        self._claimed: dict[str, Record] = {}  # field → the record that was claimed for it
        self.draft: dict[str, Any] = {}  # what capture makes of all of it, once it has been read on
        self._settled: Checkpoint | None = None

    def _kept(self) -> dict[str, Any]:
        try:
            found = json.loads(self.memory.store.text_or_empty(".holdfast/cursors", self.name) or "{}")
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}

    def _heard(self) -> list[tuple[str, str]]:
        try:
            return [(str(text), str(time)) for text, time in self.kept.get("heard", ())]
        except (TypeError, ValueError):
            return []  # damaged: it is only derived

    def hand_over(self) -> bool:
        """Put what was heard since the last boundary where gleaning finds it; whether anything waits there, also of before.

        It is in its file before the cursor lets go of it, and gleaning takes the file away when all of it is saved. So whoever
        is killed in between, the next boundary of any session goes on with it.
        """
        heard, self.heard = self.heard, []
        try:
            if heard:
                name = compute_digest(f"{self.name}\0{heard}".encode("utf-8", "surrogateescape"))[:16]
                told = {"session": self.session, "host": self.host, "heard": heard}
                self._put(WAITING, f"{name}.json", told)
                self._place({**self._kept(), "heard": []})
        except OSError:
            pass  # the cursor has it still, and the next boundary comes
        return bool(waiting(self.memory))

    def at_its_end(self) -> bool:
        """Whether all of it was read and saved: then there is no need to look at it, or to learn how."""
        if not self.kept.get("saved") or self.messages is not None or self.path.endswith((".db", ".sqlite")):
            return False
        return self.path.endswith(".zst") or self.kept.get("seen") == self._seen()  # what is packed is written once

    def hears(self, said: str) -> bool:
        """Whether a hook tells last words of the agent that were not read yet. Claude Code writes them some 50 ms later."""
        return bool(said.strip()) and self._digest(said) != self._said_last()

    def _said_last(self) -> str:
        """The digest of the agent's last words. Of all that it has said, only these are ever asked for."""
        if self._last_words is not None:
            self._last_said, self._last_words = self._digest(self._last_words), None
        return self._last_said

    def _digest(self, said: str) -> str:
        return compute_digest(" ".join(said.split()).encode("utf-8", "surrogatepass"), self.memory.key())[:16]

    def _seen(self) -> list[int]:
        try:
            found = os.stat(self.path)
        except OSError:
            return []
        return [found.st_size, found.st_mtime_ns]

    def read_on(self, said: str = "") -> bool:
        """Take in what is new, and the agent's last words where a hook tells them; whether something has not been saved.

        Where what was learnt has not the shape that we know, another version has kept it: then all of it is read anew.
        """
        try:
            return self._read_on(said)
        except (AttributeError, LookupError, TypeError, ValueError):
            if self.kept.keys() <= _STILL_TRUE:
                raise  # nothing of what was learnt is in it
            self._take_up({name: self.kept[name] for name in _STILL_TRUE.intersection(self.kept)})
            return self._read_on(said)

    def _read_on(self, said: str) -> bool:
        from ..transcripts import Transcript
        from .draft import Capture

        start = self.kept.get("position")
        self.capture = Capture.from_data(self.kept.get("capture", {}), self._washed, self._news)
        self.last = Checkpoint(**self.kept["last"]) if self.kept.get("last") else self._as_told(self.capture.draft())
        self._in_memory = bool(self.kept.get("in_memory")) or not self.capture.trivial
        self.seen = self._seen()  # before the reading: what is written while we read is new the next time
        with Transcript(self.path, host=self.host, session=self.inside, messages=self.messages) as transcript:
            events = self._rememberable(self._clean_words(self._once(self._in_time(transcript.events(start)))))
            later: list[Event] = []
            record = self.told_before() if start is None else None
            self._told_of, self._is_new = bool(record), start is not None
            self._in_memory = self._in_memory or bool(record)
            if record:
                self.capture.feed(self._until(events, moment_of(record), later))
                self._claims.made.clear()  # the record has taken them up; what was deleted since must not come back by them
                self.last, self.grown, self._is_new = self._as_told(self.capture.draft()), True, True
            before = self.capture.count
            # Whether it is new cannot be told: better said twice.
            self._undated = bool(record) and not later and not self._is_dated
            self.capture.feed(self._dated(iter(later)))
            self.capture.feed(self._dated(events))
            self.position, self.reasons, self.unreadable = transcript.position, list(transcript.reasons), transcript.unreadable
        if self.capture.count and self.hears(said):
            self._last_words, self._ahead = said, self._digest(said)
            self.capture.feed(self._rememberable(self._clean_words([_event("agent", said.strip())])))
        self.draft, self._settled = self.capture.draft(), None
        return self.capture.count > before or self._undated or not self.kept.get("saved", True)

    def _in_time(self, events: Iterator[Event]) -> Iterator[Event]:
        """The events for which there is time. Who sets a time keeps no cursor: the rest is for whoever has more of it."""
        if self.memory.reading_until == float("inf"):
            yield from events
            return
        from time import monotonic

        for event in events:
            yield event
            if monotonic() > self.memory.reading_until:
                return

    def _once(self, events: Iterator[Event]) -> Iterator[Event]:
        """The events, without the words that a hook has told before the host wrote them."""
        for event in events:
            if event.kind == "agent":
                self._last_words = event.text
                told, self._ahead = bool(self._ahead) and self._said_last() == self._ahead, ""
                if told:
                    continue
            elif event.kind == "user":
                self._last_said, self._last_words, self._ahead = "", None, ""
            yield event

    def told_before(self) -> Record | None:
        """The newest record that came from this transcript. A session that has no document of its own has none: its journal
        need not be gone through, which in a workspace of ten thousand records takes seconds.
        """
        if self.told is None and not self.memory.store.has_document(self.session):
            return None
        from .told import Told

        self.told = self.told or Told(self.memory)
        return self.told.record(self.session)

    def _as_told(self, draft: dict[str, Any]) -> Checkpoint:
        """What the working state was told last, where the cursor does not say it. Where nothing of the transcript is older than
        that, it was told by another one, which the host has put aside at a reset: it stands, and is not this one's to change.
        """
        if not self.capture.count:
            return Checkpoint(**draft)
        from .told import as_told

        return as_told(self.memory, self.session, Checkpoint(**draft))

    def _until(self, events: Iterator[Event], moment: float, later: list[Event]) -> Iterator[Event]:
        """The events up to a moment; the first one after it is put aside."""
        from ..transcripts.heads import seconds

        for event in events:
            self._is_dated = bool(event.time)
            if seconds(event.time) > moment:
                later.append(event)
                return
            self._claims.look(event)
            yield event

    def _rememberable(self, events: Iterable[Event]) -> Iterator[Event]:
        """The events without what the user asks not to remember, and without what the agent says to that."""
        from ..guard.entering import may_ask_not_to_remember

        for event in events:
            if event.kind == "agent" and not event.by and (self._is_off_record or self._off_record_words):
                event.text = "" if self._is_off_record else self._without_echo(event.text)
                if not event.text.strip():
                    continue
            elif event.kind in ("user", "unsaid") and not event.by:
                was_off_record = self._is_off_record
                if event.kind == "user":
                    self._is_off_record, self._off_record_words = False, []
                if may_ask_not_to_remember(event.text):
                    yield from self._leave_out(event, was_off_record=was_off_record)
                    continue
            yield event

    def _leave_out(self, event: Event, *, was_off_record: bool) -> Iterator[Event]:
        """A user's message without what it asks not to remember. Before it, where it is about the message before, a word to
        drop that one too; not where that one was dropped already.
        """
        from ..guard.unremembered import leave_out, words_of
        from .learning import LEFT_OUT

        left = leave_out(event.text)
        if left.asked and event.kind == "user":
            if left.before and not was_off_record:
                yield _event(LEFT_OUT, "", event.time)
            self._is_off_record = not left.text
            words = filter(None, map(words_of, left.dropped if left.text else ()))
            self._off_record_words = [sorted(map(self._digest, each)) for each in words]
        event.text = left.text
        yield event

    def _without_echo(self, text: str) -> str:
        """What the agent says, without the sentences that repeat what is not to be remembered."""
        from ..guard.unremembered import sentences_of, words_of

        def repeats(sentence: str) -> bool:
            said = set(map(self._digest, words_of(sentence)))
            shared = [(len(said.intersection(words)), len(words)) for words in self._off_record_words]
            return any(2 * both >= all_of_it and both >= min(2, all_of_it) for both, all_of_it in shared)

        return "".join(sentence for sentence in sentences_of(text) if not repeats(sentence))

    def _dated(self, events: Iterator[Event]) -> Iterator[Event]:
        from .learning import LEFT_OUT
        from .signs import HEARD, may_last

        for event in events:
            self.began, self.ended = self.began or event.time, event.time or self.ended
            self._claims.look(event)
            if event.kind == LEFT_OUT:
                when, text = self.capture.said_last()
                self.heard = [one for one in self.heard if one[1] <= (when or one[1]) and one[0].strip() != text]
            if event.kind == "user" and may_last(event.text):
                self.heard = [*self.heard, (self._news(event.text, event.time, "typed"), event.time)][-HEARD:]
            yield event

    def _news(self, text: str, time: str, how: str = "said") -> str:
        """A text without what it echoes of our briefs.

        A brief holds what memory has: so what is read beyond that may echo any. What is read again, or is a copy of another
        session (a fork), may be what the brief was made of, and is no echo where it is older.
        """
        from ..guard.echo import Given

        if self._given is None:
            self._given = Given(self.memory.giving.fingerprints(), "" if self._told_of or self._is_new else self.session)
        if not self._given:
            return text
        from ..transcripts.heads import seconds

        moment = float("inf") if self._is_new else seconds(time) or (0.0 if self._told_of else float("inf"))
        return self._given.news(text, moment, how)

    # Capture sees no secret: what is shortened, or taken apart into names, no longer shows that it was one. Texts are looked at
    # by the dozen, since most have none; and those that capture passes over are not looked at.

    def _washed(self, texts: list[str]) -> list[str]:
        """Texts without secrets and what is private; the same list where there are none."""
        together = "\n\n".join(texts)
        if self.memory.without_forgotten(together) != together:
            texts = self.memory.without_forgotten(texts)
        clean = texts
        for piece in self._pieces(texts):
            if not redacted("\n\n".join(texts[number] for number in piece))[1]:
                self._harmless.update(texts[number] for number in piece)
                continue
            clean = list(texts) if clean is texts else clean
            for number in piece:
                clean[number] = redacted(texts[number], self.memory.key)[0]
        return clean

    def _pieces(self, texts: list[str]) -> Iterator[list[int]]:
        """The numbers of the texts that are looked at together, in pieces. Those that are all ASCII apart from the others: a
        single arrow makes the search through all that it stands among slower. And each once: paths and commands come again.
        """
        if len(self._harmless) > _REMEMBERED:
            self._harmless.clear()
        waiting: dict[bool, list[int]] = {True: [], False: []}
        size = {True: 0, False: 0}
        for number, text in enumerate(texts):
            if text and text not in self._harmless:
                plain = text.isascii()
                waiting[plain].append(number)
                size[plain] += len(text)
                if size[plain] > _PIECE:
                    yield waiting[plain]
                    waiting[plain], size[plain] = [], 0
        yield from filter(None, waiting.values())

    def _clean_words(self, events: Iterable[Event]) -> Iterator[Event]:
        """The events with what was said, run and planned washed; what came back and was edited is left to capture."""
        from .naming import ends

        waiting: list[Event] = []
        size = 0
        for event in events:
            event.text = ends(event.text, _LONGEST)
            waiting.append(event)
            size += len(event.text) + len(event.command) + sum(len(before) + len(after) for _, before, after in event.edits)
            if len(waiting) == _TOGETHER or size > _LONGEST:
                yield from self._all_clean(waiting)
                waiting, size = [], 0
        yield from self._all_clean(waiting)

    def _all_clean(self, events: list[Event]) -> list[Event]:
        displaced = False
        for event in reversed(events):
            if event.kind == "summary" and displaced:
                event.text = ""  # nothing of it is kept, and it is among the longest texts of a session
            displaced = displaced or event.kind in _DISPLACING
        texts = [text for event in events for text in _words_of(event)]
        clean = self._washed(texts)
        if clean is not texts:
            left = iter(clean)
            for event in events:
                _put_words(event, left)
        return events

    @property
    def claimed_topic(self) -> str:
        """The topic that the agent has saved under in this session without naming the session."""
        return topic_of(self._claims)

    @property
    def trivial(self) -> bool:
        """Whether it is not worth a checkpoint; what an agent has saved in it is. Nor is it trivial where memory has something of
        it: a question that was answered since would wait there for ever.
        """
        return self.capture.trivial and not self._claims.made and not self._in_memory

    def is_unsaved(self) -> bool:
        """Whether something was said and none of it was worth a checkpoint so far. From now on it is: somebody asks for one."""
        if not self.trivial or not (self.requests or self.capture.thanks):
            return False
        self._in_memory = True
        return True

    @property
    def says_the_same(self) -> bool:
        """Whether what is new has changed nothing: the host's own summary, an echo, the end of an interrupted call.

        What a hook has read and not saved (a prompt only looks) is not the same as what memory has.
        """
        saved = self.kept.get("saved", True) and not self._undated and not self._claims.made
        return self.grown and bool(saved) and self._told() == self.last

    def _told(self) -> Checkpoint:
        """The draft as a state, settled once: it is asked for twice on the way of a record."""
        if self._settled is None:
            self._settled = Checkpoint(**self.draft)
        return self._settled

    @property
    def boundaries(self) -> list[str]:
        """When the context was lost, as far as was read."""
        return list(self._learnt().get("boundaries", ()))

    @property
    def requests(self) -> list[Any]:
        """What was asked, as far as was read."""
        return list(self._learnt().get("requests", ()))

    @property
    def summary(self) -> str:
        """What the host put in the place of what it dropped, where nothing has come after it yet."""
        return str(self._learnt().get("summary", ""))

    def _learnt(self) -> dict[str, Any]:
        """What capture knows, whether or not it had to be woken for it."""
        if "capture" in self.__dict__:
            return self.capture.__dict__
        kept = self.kept.get("capture")
        return kept if isinstance(kept, dict) else {}

    def state(self, known: Checkpoint) -> tuple[Checkpoint, list[str]]:
        """The working state with what the transcript tells beneath it, and the fields that an agent or a person has set: what
        they set stays and wins.

        A field is the transcript's where it is empty, or still what the transcript said last time. In a list that others have
        added to, theirs comes first. What is of a moment is theirs until the user asks for something else: who said an hour ago
        which question waited has said nothing of now. A task that was set stands until another is set; while a later request is
        being worked on, it is told below that. What was told and is gone, somebody has taken out: it stays away.
        """
        draft = self._told()
        known, self._claimed = claimed(self.memory, self.session, self._claims, known, self.last)
        set_task = dict(known.context).get(TASK_SET, "")  # which made way for a request
        known = known.replaced(context=tuple(pair for pair in known.context if pair[0] not in (BACKGROUND, TASK_SET)))
        change: dict[str, Any] = {}
        others: list[str] = []
        below: tuple[tuple[str, str], ...] = ()  # what is told as context
        before_now, self._set = self._set, {}
        stood = self.was_saved and bool(self.kept.get("in_memory")) and not self._told_of and not known.empty
        quiet = draft.exchanges == self.last.exchanges  # nobody has said anything since
        for name in draft._fields:
            theirs, before, told = getattr(known, name), getattr(self.last, name), getattr(draft, name)
            if name == "task" and set_task and theirs and theirs == before:
                theirs = change[name] = set_task
            # Of what was cut to a length, another part is left once something in it is forgotten: it is the transcript's still.
            cut = name in (*TEXTS, *REPLACED) and told and "[forgotten:" in str(theirs)
            if stood and not theirs and told == before and (quiet or name not in _OF_A_MOMENT):
                continue
            if theirs == before or cut or (not theirs and name in (*TEXTS, *REPLACED)):
                change[name] = told
            elif name in TEXTS or name in REPLACED:
                self._set[name] = self._when_set(name, theirs, before_now.get(name))
                older = self._is_older(name)
                is_set_task = name == "task" and not self._was_read(theirs)
                makes_way = self._is_redirected() if is_set_task else older and name in _OF_A_MOMENT
                if makes_way and (told or name == "unanswered"):
                    change[name] = told
                    if is_set_task:
                        below = ((TASK_SET, theirs),)
                    else:
                        del self._set[name]
                else:
                    others.append(f"{name} {EARLIER}" if older else name)
            else:
                own = tuple(item for item in theirs if item not in before)
                gone = [item for item in before if item not in theirs] if stood else []
                change[name] = (*own, *(item for item in told if item not in own and item not in gone))
                others += [name] if own else []
        if draft.status and "status" not in change:  # they have said how things stand, and not what goes on beside that
            below = (*below, (BACKGROUND, draft.status))
        if below:
            change["context"] = (*change.get("context", known.context), *below)
        open_still = () if "unanswered" not in change else known.unanswered
        if len(open_still) > 1 and open_still != self.last.unanswered:  # one may be answered, and the others not
            asked = (f"(asked {EARLIER.strip('()')}) {question}" for question in open_still if question not in draft.unanswered)
            change["questions"] = (*known.questions, *asked)
        return known.replaced(**change), others

    def _when_set(self, name: str, theirs: Any, known: Any) -> list[Any]:
        """[the mark of what others have set, and when they did]: as a record tells that is newer than what was known, or as it
        was known. What stands in none is a person's edit, and of now.
        """
        from itertools import islice

        from ..storage.store import after

        mark = self._digest(repr(theirs))
        if name in self._claimed:
            return [mark, moment_of(self._claimed[name])]
        same = isinstance(known, list) and len(known) == 2 and known[0] == mark and type(known[1]) in (int, float)
        before = float(known[1]) if same else 0.0
        journal = self.memory.journal
        for record in filter(None, map(journal.read, islice(journal.newest_first(), RECORDS))):
            if same and moment_of(record) <= before:
                break
            sets = record.session == self.session and record.kind in STATE_KINDS and record.origin != "transcript"
            if sets and getattr(after(Checkpoint(), record), name) == theirs:
                return [mark, moment_of(record)]
        return [mark, before if same else self.memory.clock()]

    def _is_older(self, name: str) -> bool:
        """Whether the user has spoken since others set a field; for the task: has asked for something."""
        from ..transcripts.heads import seconds

        return float(self._set[name][1]) < seconds(self.capture.asked_when(anew=name == "task"))

    def _was_read(self, task: str) -> bool:
        """Whether a task was read in a transcript of this session, and nobody has set it: the newest record that has it tells."""
        from itertools import islice

        from ..documents.markdown import block_in, read_block
        from ..storage.store import after

        journal = self.memory.journal
        for record in filter(None, map(journal.read, islice(journal.newest_first(), RECORDS))):
            states = record.session == self.session and record.kind in STATE_KINDS
            if states and after(Checkpoint(), record).task == task:
                set_then = read_block(block_in(record.body), whole=False).source.partition(": ")[2].split(", ")
                return record.origin == "transcript" and not {"task", f"task {EARLIER}"} & set(set_then)
        return False

    def _is_redirected(self) -> bool:
        """Whether the work has gone on to a request of the user that is newer than the task which was set."""
        from ..transcripts.heads import seconds

        return float(self._set["task"][1]) < seconds(self.capture.redirected_when())

    def keep_if_possible(self, *, owes_block: bool) -> None:
        """Remember it; the checkpoint is saved, and without the position the transcript is read from the start again."""
        self.owes_block = owes_block
        try:
            self.keep()
        except OSError as error:
            self.reasons.append(f"how far it was read could not be kept: {reason(error)[0]}")

    def keep(self, *, saved: bool = True) -> None:
        """Remember how far it was read, what it came to, and whether that was saved."""
        self.memory.attribution.attribute(self._claims.blocks, self.session)
        # A reader may remember texts, such as a question until it is answered: nobody has looked through these yet.
        position = clean({"position": self.position}, self.memory.key)[0]["position"]
        learnt = {"position": position, "seen": self.seen, "saved": saved, "owes_block": self.owes_block}
        claims = clean({"claims": self._claims.as_data(taken_up=saved)}, self.memory.key)[0]["claims"]
        learnt |= {"set": self._set, "claims": claims, "in_memory": self._in_memory or (saved and not self.trivial)}
        learnt |= {"last_said": self._said_last(), "ahead": self._ahead, "heard": self.heard, "capture": self.capture.as_data()}
        learnt |= {"off_record": self._is_off_record, "off_record_words": self._off_record_words}
        learnt["last"] = self.draft  # what the working state is compared with the next time: as it was, and not made anew
        self._place(learnt)

    def _place(self, learnt: dict[str, Any]) -> None:
        self._put(".holdfast/cursors", self.name, learnt)

    def _put(self, place: str, name: str, data: dict[str, Any]) -> None:
        """Keep some data, without what was forgotten: in a reader's position there are texts of the transcript too."""
        folder, swap = self.memory.store.folder(place), self.memory.swap
        text = json.dumps(self.memory.without_forgotten(data), ensure_ascii=False)
        swap.place(swap.prepare(text.encode("utf-8", "surrogateescape")), folder, name, over=True)


def waiting(memory: Memory) -> list[str]:
    """The files of what was heard that nobody has finished gleaning."""
    try:
        return memory.store.folder(WAITING, make=False).names()
    except OSError:
        return []


def _lists_in(kept: Any) -> list[list[str]]:
    """Lists of words, as a cursor has them; none where it is damaged."""
    lists = kept if isinstance(kept, list) else []
    return [[str(word) for word in each] for each in lists if isinstance(each, list) and each]


def _event(kind: str, text: str, time: str = "") -> Event:
    from ..transcripts import Event

    return Event(kind, text, time=time)


_STILL_TRUE = frozenset(("heard", "owes_block", "set"))  # in a cursor that cannot be gone on with
_TOGETHER, _LONGEST = 60, 100_000  # events, and characters of them: a message may have any size, what is held at once may not
_PIECE = 40_000  # characters that are looked through for secrets together: where one has any, its texts are taken one by one
_REMEMBERED = 2000  # texts without a secret that are known again
_SPOKEN = ("user", "unsaid", "agent", "summary", "begun", "arranged", "aim")
_DISPLACING = ("user", "agent", "call", "result")  # after which the host's summary is of no use any more


_OF_A_MOMENT = ("task", "exchanges", "unanswered", "phase", "progress", "branch", "tone")


def _words_of(event: Event) -> Iterator[str]:
    """What was said, run, asked or planned in an event, and the paths that it names."""
    yield event.text if event.kind in _SPOKEN else ""
    yield event.command
    yield event.asks
    yield event.purpose
    yield event.handed
    for text, _ in event.todos or ():
        yield text
    yield event.task[1] if event.task else ""
    yield from (path for path, _, _ in event.edits)
    for path, new in event.moves:
        yield path
        yield new
    yield from event.reads


def _put_words(event: Event, clean: Iterator[str]) -> None:
    """The same texts put back in the same order."""
    said = next(clean)
    event.text = said if event.kind in _SPOKEN else event.text
    event.command, event.asks, event.purpose, event.handed = next(clean), next(clean), next(clean), next(clean)
    if event.todos is not None:
        event.todos = tuple((next(clean), state) for _, state in event.todos)
    subject = next(clean)
    event.task = (event.task[0], subject, event.task[2]) if event.task else None
    event.edits = tuple((next(clean), before, after) for _, before, after in event.edits)
    event.moves = tuple((next(clean), next(clean)) for _ in event.moves)
    event.reads = tuple(next(clean) for _ in event.reads)


def moment_of(record: Record) -> float:
    """When a record was made, to the microsecond: its time has the offset, its id the rest."""
    from ..transcripts.heads import seconds

    digits = record.time[:19].replace("-", "").replace(":", "").replace("T", "-")
    return seconds(record.time) + (int(record.id[16:22]) / 1e6 if record.id.startswith(digits) else 0.999999) + 5e-7
