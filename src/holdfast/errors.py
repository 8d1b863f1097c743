"""What can go wrong, split by whose fault it is.

    HoldfastError
    ├─ UserError         the request cannot be carried out as given; exit 2
    │  ├─ NotFound       no such record, topic, day, snapshot or cache key
    │  ├─ SecretRefused  a one-line command was given a secret; the message never repeats it
    │  └─ BadSetting     config.toml or a flag says something that cannot be
    └─ StorageError      the disk refused; exit 74
       ├─ NotSaved       nothing was acknowledged; everything saved before is intact
       └─ BehindJournal  the record is safe in the journal; a document could not be brought up to date

Every message says what happened, to which thing, what is intact and what to do. Expected outcomes (a busy lock, a
checkpoint that falls short) are values, not exceptions.
"""

from __future__ import annotations


class HoldfastError(Exception):
    """Something we can explain; shown without a traceback."""

    exit_code = 2


class UserError(HoldfastError):
    """The request cannot be carried out as given."""


class NotFound(UserError):
    """The thing that was named is not there."""


class SecretRefused(UserError):
    """A text with a secret in it was to be written by a one-line command."""


class NotToBeRemembered(UserError):
    """A one-line command was to write a text that says itself that it is not to be remembered."""


class BadSetting(UserError):
    """A setting has a value that cannot be used."""


class StorageError(HoldfastError):
    """The disk refused."""

    exit_code = 74


class NotSaved(StorageError):
    """The record did not become durable, so it was not acknowledged."""


class BehindJournal(StorageError):
    """The record is durable; a document still has to catch up with it."""


class LinkedElsewhere(OSError):
    """`memory/` or `MEMORY.md` is a link to a place that its owner has not agreed to. It goes the way of what a disk refuses."""

    def __init__(self, path: str, target: str, workspace: str) -> None:
        import errno

        shown = "".join(c if c.isprintable() else "?" for c in target)  # whoever made the link chose these characters
        super().__init__(errno.ELOOP, f"it is a link to {shown}, which nobody has agreed to", path)
        self.remedy = f"Run `holdfast init` in {workspace}, which shows where it leads and asks"


_REASONS = {
    "ENOSPC": ("the disk is full", "Free some space"),
    "EDQUOT": ("your disk quota is used up", "Free some space"),
    "EROFS": ("the file system is read-only", "Make it writable"),
    "EACCES": ("permission was denied", "Give yourself write permission"),
    "EPERM": ("the operation is not permitted", "Check owner and attributes"),
    "EIO": ("the disk reported an input/output error", "Check the disk"),
    "EMFILE": ("too many files are open", "Close some, or raise `ulimit -n`"),
    "ENFILE": ("too many files are open on this machine", "Close some"),
    "EISDIR": ("there is a folder where a file should be", "Move the folder away"),
    "ENOTDIR": ("there is a file where a folder should be", "Move the file away"),
    "ELOOP": ("it is a symbolic link, which is not followed", "Put the real file there"),
    "EFBIG": ("the file would become larger than allowed", "Raise the limit"),
    "ENAMETOOLONG": ("the name is too long", "Choose a shorter one"),
    "ENOENT": ("it is not there", "Bring it back"),
    "EBUSY": ("another program is saving it", "Let it finish"),
    "EXDEV": ("it lies on another file system", "Keep the folder on one file system"),
}
REASONS = frozenset(why for why, _ in _REASONS.values())


def reason(error: OSError) -> tuple[str, str]:
    """What the system said, in words, and what to do about it."""
    import errno

    if isinstance(error, LinkedElsewhere):
        return str(error.strerror), error.remedy
    code = errno.errorcode.get(error.errno or 0, "")
    return _REASONS.get(code, (error.strerror or "the system refused", "Look into it"))


def not_saved(error: OSError, path: str, what: str) -> NotSaved:
    """The message for a write that was not acknowledged."""
    why, remedy = reason(error)
    return NotSaved(
        f"{what} was not saved: {why} ({path}).\nEverything saved before is intact. {remedy} and run the command again."
    )
