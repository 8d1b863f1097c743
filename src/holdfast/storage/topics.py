"""Topics, as they are on disk: which there are, what they are called, and which session is bound to which."""

from __future__ import annotations

from ..documents import bindings
from ..errors import NotFound, UserError
from ..model import is_room, slug
from ..util import compute_digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..config import Config
    from ..documents.topic_pages import Topic
    from .store import Store


class Topics:
    """The topics of one workspace."""

    def __init__(self, store: Store, config: Config) -> None:
        self.store, self.config = store, config

    def bindings(self) -> dict[str, str]:
        """Session → topic."""
        return bindings.read_bindings(self.store.text_or_empty(self.config.contextDir, "context-session-map.json"))

    def bound_to(self, session: str) -> str:
        """The file of the topic that a session is bound to; empty where it is bound to none."""
        name = self.bindings().get(session, "")
        return name if self.text(name) else slug(name)

    def file_for(self, name: str, session: str = "") -> str:
        """The safe name of a topic's file. A hash is added where another topic already has that file under another name, and
        where a session may not share it: what is private must not be read in a room by way of a topic.
        """
        file = self._plain_file_for(name)
        if not session or not self.text(file) or self.is_open_to(file, session):
            return file
        own = compute_digest(f"{session}\0{name}".encode("utf-8", "surrogateescape"))[:4]
        return f"{slug(name)}-{own}"

    def is_open_to(self, file: str, session: str) -> bool:
        """Return whether a session may go on with a topic: a room only with its own, others with any that no room has."""
        bound = {other for other, topic in self.bindings().items() if topic == file}
        if session in bound:
            return True
        if not is_room(session):
            return not any(map(is_room, bound))
        sessions = {record.session for record in self.store.journal.records() if record.topic == file}
        return sessions == {session}

    def _plain_file_for(self, name: str) -> str:
        short = slug(name)
        if not short:
            raise UserError(f"“{name}” has no letter or digit to make a file name of. Nothing was changed; choose another name.")
        if name != short and "/" not in name and self.text(name):
            return name  # seed A named its files after the topic as it is
        title = self.title(short)
        if title and title != name and slug(title) == short:
            return f"{short}-{compute_digest(name.encode('utf-8', 'surrogateescape'))[:4]}"
        return short

    def title(self, file: str) -> str:
        """What a topic calls itself; its file's name where it does not say."""
        from ..documents.topic_pages import read_topic

        text = self.text(file)
        return read_topic(text).name or file if text else ""

    def decisions(self, file: str) -> tuple[str, ...]:
        """What was decided in a topic."""
        from ..documents.topic_pages import read_topic

        return read_topic(self.text(file)).decisions

    def all(self) -> dict[str, Topic]:
        """Every topic by the name of its file."""
        from ..documents.topic_pages import read_topic

        try:
            names = self.store.topics(make=False).names()
        except OSError as error:
            self.store.pass_over(error)
            return {}
        files = [n[8:-3] for n in names if n.startswith("context-") and n.endswith(".md")]
        return {name: read_topic(self.text(name)) for name in files}

    def all_for(self, session: str) -> dict[str, Topic]:
        """Every topic that a session may read when it asks: a room only its own."""
        topics = self.all()
        return {file: topic for file, topic in topics.items() if not is_room(session) or self.is_open_to(file, session)}

    def text(self, file: str) -> str:
        """A topic file, whole; a name that is no plain file name has none."""
        if "/" in file or "\0" in file:
            return ""
        return self.store.text_or_empty(self.config.contextDir, f"context-{file}.md")

    def read(self, name: str, session: str = "") -> tuple[str, str]:
        """(the file of a topic, its text), by its title or file name; of one that is only bound, that nothing is written yet."""
        told = not is_room(session)  # who else has bound it is nothing for a room
        bound = [one for one, topic in self.bindings().items() if slug(topic) == slug(name) and (told or one == session)]
        if bound and slug(name) and slug(name) not in self.all() and not self.text(name):
            return slug(name), f"# {name}\n\nNothing is written here yet. Bound to: {', '.join(bound)}"
        file = self.known(name, session)
        return file, self.text(file)

    def known(self, name: str, session: str = "") -> str:
        """The file of a topic that exists, by its title or by its file name. A room knows only its own."""
        topics = self.all_for(session)
        for file, topic in topics.items():
            if topic.name == name:
                return file
        if slug(name) in topics:
            return slug(name)
        there = ", ".join(topics) or "none yet"
        raise NotFound(f"There is no topic {name}. Topics: {there}. Nothing was changed.")
