"""`holdfast init HOST` and `holdfast uninstall HOST`: show each edit as a diff, ask, keep the old bytes, write.

What a host's files are to be is said by its module in `installs/`. Here it is shown, agreed to, and carried out: the originals
are durable before the first file is written (`originals`), and each file takes the place of just what was shown (`foreign`).
Whatever happens in between, a second run finishes, and `uninstall` gives back what was there before the first.
"""

from __future__ import annotations

import errno
import os
import re
import shlex
import shutil
import sys
from contextlib import contextmanager

from ..config import find_workspace, state_folder
from ..errors import NotSaved, UserError, reason
from ..installs import Edit, Place, Plan, Refused, State, Unusable, claude_code, codex, gemini, openclaw, opencode, schedule
from ..installs.foreign import Found, found, missing_folders, replaced, without_folders
from ..installs.originals import Original, keep, kept
from ..model import fold
from ..storage.disk import Folder, Lock
from . import showing
from .setting_up import Wanted, agreed, announced, is_set_up, make, wanted
from .showing import say as _say
from .showing import tilde as _tilde

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any, Protocol, TypeVar

    from ..cli import Words

    Result = TypeVar("Result")

    class Host(Protocol):
        """A host's module."""

        NAME: str

        def install(self, place: Place) -> Plan: ...  # noqa: D102
        def remove(self, place: Place) -> Plan: ...  # noqa: D102
        def state(self, place: Place) -> State: ...  # noqa: D102


HOSTS: dict[str, Host] = {
    "openclaw": openclaw,
    "claude-code": claude_code,
    "codex": codex,
    "gemini": gemini,
    "opencode": opencode,
}


def host_named(words: Words) -> tuple[str, Host]:
    """The host that a command line names."""
    known: dict[str, Host] = {**HOSTS, "schedule": schedule}
    if len(words.texts) != 1 or words.texts[0] not in known:
        named = f"There is no host {words.texts[0]!r} here" if len(words.texts) == 1 else "Name one host"
        raise UserError(f"{named}; the hosts are {', '.join(HOSTS)}, and `schedule` is the weekly review. Nothing was changed.")
    return words.texts[0], known[words.texts[0]]


_ANSWERS = 10  # seconds within which a holdfast says its version


def states(words: Words, env: Mapping[str, str]) -> dict[str, State]:
    """How each host stands; of one whose files cannot be understood, why."""
    place = place_of(words, env)
    found = {}
    for host, module in HOSTS.items():
        try:
            state = _understood(module.state, place)
            missing = tuple(row for row in state.missing if not _was_declined(row[0], host, place, env))
            found[host] = state.replaced(dead=_dead(state.call, place), missing=missing)
        except UserError as error:
            put_in = os.path.exists(os.path.join(state_folder(env), "installs", f"{host}.json"))  # and nothing has taken it out
            found[host] = State(there=True, installed=put_in, said=(str(error),))
    return found


def _was_declined(path: str, host: str, place: Place, env: Mapping[str, str]) -> bool:
    """Whether nothing of ours is missing in a file: rules that `--no-rules` left out, or a host that was set up by hand."""
    rows = _rows(host, place, env)
    return not rows or (os.path.basename(path) == "AGENTS.md" and (path, "") not in rows)


def _rows(host: str, place: Place, env: Mapping[str, str]) -> dict[tuple[str, str], Original]:
    """What is kept of a host's files, only looked at."""
    try:
        with Folder.open(os.path.join(state_folder(env), "installs")) as folder:
            return kept(folder, host, place.home)
    except (OSError, UserError):
        return {}


def _dead(call: tuple[str, ...], place: Place) -> str:
    """Why what a host is told to start does not; empty where it does, or is this Holdfast, or is found by the host's own PATH."""
    import subprocess

    if not call or not os.path.isabs(call[0]) or list(call) == shlex.split(place.command):
        return ""
    what = f"it starts {shlex.join(call)}, and that"
    try:
        done = subprocess.run(
            [*call, "--version"], env=place.env, stdin=subprocess.DEVNULL, capture_output=True, timeout=_ANSWERS, check=False
        )
    except subprocess.TimeoutExpired:
        return f"{what} did not answer within {_ANSWERS} seconds"
    except OSError as error:
        if error.errno != errno.ENOENT:
            return f"{what} cannot be started ({error.strerror})"
        return f"{what} has lost its Python" if os.path.exists(call[0]) else f"{what} is gone"
    why = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
    return f"{what} fails ({fold(why, 200) or f'exit {done.returncode}'})" if done.returncode else ""


# ---- init HOST ----------------------------------------------------------------------------------------------------------


def install(words: Words, env: Mapping[str, str]) -> int:
    """Show what would be written into a host, ask once, write it."""
    if words.has("layout"):
        raise UserError("--layout is for a workspace: `holdfast init --layout v4`. Nothing was changed.")
    host, module = host_named(words)
    place = place_of(words, env)
    _refuse_sudo(place)
    plan, state = _understood(module.install, place), _understood(module.state, place)
    rules = plan.rules if place.rules else ()
    edits = [_as_known(edit, host, place, env) for edit in (*plan.edits, *rules)]
    memories = [wanted(folder, env) for folder in plan.workspaces if not is_set_up(folder, env)]
    if not edits and not memories:
        _say(f"nothing to do: {module.NAME} has all of it")
    else:
        unused = f"{module.NAME} has not been used here so far. This would be made for it:"
        head = f"This would change for {module.NAME}:" if state.there else unused
        new = plan if not state.installed else plan.replaced(hooks=())  # they are there already
        summary = [head, *_summary(host, new, edits, memories, place, env)]
        whole, asks = words.has("full"), not words.has("yes")
        showing.show(edits, place, whole=whole, page=asks, summary=summary)
        if asks and not agreed(_question(edits, memories)):
            _say(f"nothing was changed{_ways_to_choose(plan, rules, edits, whole=whole)}")
            return 2
        _carried_out(host, edits, place, env)
        for memory in memories:
            make(memory, env)
            _say(f"ready    {_tilde(memory.workspace, place)}")
        refused = _refusal(plan, edits, place)
        if refused:
            _say(refused)
            _say(f"`holdfast uninstall {host}` gives the old bytes back.")
            return 1
    for line in (*plan.then, *_hints(host, place)):
        _say(line)
    works = "`holdfast doctor` says whether it works; " if host in HOSTS else ""
    _say(f"{works}`holdfast uninstall {host}` gives the old bytes back.")
    return 0


def _as_known(edit: Edit, host: str, place: Place, env: Mapping[str, str]) -> Edit:
    """The edit; one of a file of ours that somebody has changed since is shown as a diff, so that they see what goes."""
    if not edit.ours or edit.before is None:
        return edit
    row = _rows(host, place, env).get((edit.path, place.folder if place.project else ""))
    return edit if row and row.is_as_left(edit.before) else edit.replaced(ours=False)


def _summary(
    host: str, plan: Plan, edits: list[Edit], memories: list[Wanted], place: Place, env: Mapping[str, str]
) -> list[str]:
    """What will change, on one screen: the user's own files, then what is ours, then the way back."""
    ours = [edit for edit in edits if edit.ours]
    rules = {edit.path for edit in plan.rules}
    own = [edit for edit in edits if not edit.ours]
    calls = f"{len(plan.hooks)} occasions on which `holdfast` is called: {', '.join(plan.hooks)}"
    rows = [
        ("settings", [showing.describe(edit, place) for edit in own if edit.path not in rules]),
        ("rules", [showing.describe(edit, place) for edit in own if edit.path in rules]),
        ("switched off", [line.replace(f"{place.home}/", "~/") for line in plan.older]),
        ("hooks", [calls] if plan.hooks else []),
        ("our files", showing.list_ours(ours, place)),
        ("memory", [line for memory in memories for line in _announced(memory, place, env)]),
        ("undo", [f"`holdfast uninstall {host}` gives every file its old bytes back"]),
    ]
    return showing.summarise(rows)


def _announced(memory: Wanted, place: Place, env: Mapping[str, str]) -> list[str]:
    """What setting up a workspace would do, its folder first."""
    lines = [line.strip() for line in announced(memory, env)[1:-1]]
    new = [line[2:] for line in lines if line.startswith("+ ")]
    rest = [line for line in lines if not line.startswith("+ ")]
    parts = [*([f"makes {' and '.join(new)}"] if new else []), *rest]
    return [f"{_tilde(memory.workspace, place)}: {'; '.join(parts)}"]


def _question(edits: list[Edit], memories: list[Wanted]) -> str:
    """The one question, with what a yes means."""
    own, ours = sum(not edit.ours for edit in edits), sum(edit.ours for edit in edits)
    parts = [f"{own} file{'s' if own > 1 else ''} of yours"] if own else []
    parts += [f"{ours} of ours"] if ours else []
    parts += [f"{len(memories)} workspace{'s' if len(memories) > 1 else ''}"] if memories else []
    return f"Write all this ({', '.join(parts)})?"


def _ways_to_choose(plan: Plan, rules: tuple[Edit, ...], edits: list[Edit], *, whole: bool) -> str:
    """What else can be chosen, where the answer was no."""
    ways = ["--no-rules leaves the rules out"] if rules else []
    ways += ["--no-switch leaves the other memory on"] if plan.older else []
    ways += ["--full shows our own files whole"] if any(edit.ours for edit in edits) and not whole else []
    return f"; {', '.join(ways)}" if ways else ""


_VALIDATED_WITHIN = 120  # seconds; it takes five


def _refusal(plan: Plan, edits: list[Edit], place: Place) -> str:
    """Say how the host takes it up, by its own word on its settings; returns what it says against them, or nothing."""
    import subprocess

    if not plan.taken_up or not edits:
        return ""
    program = shutil.which(plan.check[0], path=place.env.get("PATH", os.defpath)) if plan.check else None
    asked = " ".join(plan.check)
    try:
        done = program and subprocess.run(
            [program, *plan.check[1:]], env=place.env, stdin=subprocess.DEVNULL, capture_output=True,
            timeout=_VALIDATED_WITHIN, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        done = None
    if done and done.returncode:
        said = (done.stdout + done.stderr).decode("utf-8", "replace").strip()
        return f"REFUSED  `{asked}` does not accept the settings, so that nothing of this works yet:\n{fold_lines(said)}"
    if done:
        _say(f"accepted by `{asked}`")
        _say(plan.taken_up)
    else:
        _say(f"{plan.taken_up} (Whether it accepts its settings is not known here: `{asked}` says.)")
    return ""


def fold_lines(text: str) -> str:
    """The first lines of what a program said, without secrets."""
    from ..guard.entering import redacted

    return "\n".join(f"  {fold(line, 300)}" for line in redacted(text)[0].splitlines()[:12] if line.strip())


def _refuse_sudo(place: Place) -> None:
    """In the home of the one who called sudo, what root makes would be closed to them, their host's own settings among it."""
    caller = place.env.get("SUDO_UID", "")
    if caller != str(os.geteuid()) and os.path.isdir(place.home) and caller == str(os.stat(place.home).st_uid):
        raise UserError(
            f"This runs as root, and {place.home} is yours: you could not read what it makes there. Nothing was changed. "
            "Run it again without sudo."
        )


def _carried_out(host: str, edits: list[Edit], place: Place, env: Mapping[str, str]) -> None:
    """Keep the originals, then write."""
    if not edits:
        return
    scope = place.folder if place.project else ""
    with Records(env) as records:
        originals = records.kept(host, place)
        looked = {edit.path: _looked(edit.path, place) for edit in edits}
        for edit in edits:
            was = looked[edit.path]
            mode = was.about.st_mode & 0o7777 if was.about else 0
            folders = tuple(missing_folders(was.target))
            new = Original(edit.path, scope, edit.before, mode, (), folders)
            known = originals.get((edit.path, scope), new)
            originals[edit.path, scope] = known.then(edit.before, edit.after or "")
        records.keep(host, originals.values(), place, _UNTOUCHED)
        changed = _written(edits, looked, records, place)
        _say(f"kept     what was there before: {_tilde(records.folder.at(f'{host}.json'), place)}")
    _refuse(changed, "run the command again")


def _written(edits: Iterable[Edit], looked: Mapping[str, Found], records: Records, place: Place) -> list[str]:
    """Write each file; those that have changed since they were shown are left alone, and named."""
    changed = []
    for edit in edits:
        was = looked[edit.path]
        after = None if edit.after is None else edit.after.encode("utf-8", "surrogateescape")
        try:
            as_shown = _text(was) == edit.before and replaced(was, after, records.swap)
        except OSError as error:
            raise _not_written(edit, after, error, place) from error
        if as_shown:
            _say(f"{'written' if after is not None else 'removed'}  {_tilde(edit.path, place)}")
        else:
            changed.append(_tilde(edit.path, place))
    return changed


def _not_written(edit: Edit, after: bytes | None, error: OSError, place: Place) -> NotSaved:
    """What became of a file at which the disk refused, by a look at it: as it was, or written and not confirmed."""
    why, remedy = reason(error)
    try:
        done = found(edit.path).data == after
    except OSError:
        done = False
    name = _tilde(edit.path, place)
    what = f"{name} was not written: {why}. It is as it was"
    what = f"{name} is written, but the disk did not confirm it: {why}" if done else what
    return NotSaved(
        f"{what}; what was to come after it is as it was. {remedy}, and run the command again; what is written already stays."
    )


def _refuse(changed: list[str], remedy: str) -> None:
    if changed:
        raise UserError(f"{', '.join(changed)} has changed since it was shown, and nothing was written there; {remedy}.")


def _hints(host: str, place: Place) -> list[str]:
    """What would take the command away under the host, or keeps its agent from it."""
    hints = []
    if re.search(r"/(?:\.cache|cache|tmp)/", place.command):
        hints.append(f"{place.command} lies in a folder that may be cleared: install it with pipx or uv, and run this again.")
    # The hooks have its whole path; rules, skill and `/holdfast` have the name, and OpenClaw's rules say both.
    if host in HOSTS and host != "openclaw" and not shutil.which("holdfast", path=place.env.get("PATH", os.defpath)):
        folder = os.path.dirname(shlex.split(place.command)[0])
        hints.append(f"The hooks work, but no shell here finds `holdfast` as agents call it: put {folder} on your PATH.")
    return hints


# ---- uninstall HOST -----------------------------------------------------------------------------------------------------


def run_uninstall(words: Words, env: Mapping[str, str]) -> int:
    """Show what would be taken out of a host, ask, give the old bytes back."""
    host, module = host_named(words)
    place = place_of(words, env)
    scope = place.folder if place.project else ""
    with Records(env) as records:
        originals = records.kept(host, place)
        plan = _understood(module.remove, place)
        parts = {edit.path: edit for edit in (*plan.edits, *plan.rules)}
        ours = {row.path: row for row in originals.values() if row.scope == scope}
        edits = [edit for path in (*ours, *(p for p in parts if p not in ours)) for edit in _back(path, ours, parts, place)]
        if edits:
            showing.show(edits, place, whole=words.has("full"), page=not words.has("yes"))
        if edits and not words.has("yes") and not agreed("Take it out?"):
            _say("nothing was changed")
            return 2
        looked = {edit.path: _looked(edit.path, place) for edit in edits}
        changed = _written(edits, looked, records, place)
        back = "Your files are as they were before all the same."
        for row in ours.values():
            with _said_why(f"A folder that was made for {_tilde(row.path, place)} could not be taken away", back):
                without_folders(list(row.folders))
        left = [row for row in originals.values() if row.scope != scope or _tilde(row.path, place) in changed]
        records.keep(host, left, place, back)
    _refuse(changed, "run the command again")
    if not edits:
        _say(f"nothing to do: {module.NAME} has nothing of ours")
    for folder in sorted({row.scope for row in left if row.scope}):
        _say(f"It is installed in {_tilde(folder, place)} still: `holdfast uninstall {host} --project` there takes it out.")
    for line in plan.then:
        _say(line)
    if words.has("purge"):
        from .purging import purge

        return 0 if purge(place, env, is_agreed=words.has("yes")) else 2
    if os.path.isdir(os.path.join(place.workspace, ".holdfast")):
        _say(f"Memory stays where it is: {_tilde(place.workspace, place)} (`--purge` deletes it)")
    others = os.path.join(state_folder(env), "projects")
    if os.path.isdir(others) and os.path.dirname(place.workspace) != others:
        _say(f"That of other projects is in {_tilde(others, place)}")
    return 0


def _back(path: str, ours: Mapping[str, Original], parts: Mapping[str, Edit], place: Place) -> list[Edit]:
    """How a file becomes again what it was: by its old bytes while it is as we left it, else without our parts alone."""
    row, now = ours.get(path), place.read(path)
    if now is None or (row and row.before == now):
        return []
    if row and row.is_as_left(now):
        return [Edit(path, now, row.before, "as it was before", ours=row.before is None and path in parts and parts[path].ours)]
    if path not in parts:
        return []
    edit = parts[path]
    if row is None:
        return [edit.replaced(why=f"{edit.why} (what it was before is not known)")]
    empty = edit.after is not None and edit.after.strip() in ("", "{}")
    why = f"somebody has changed it since; only our parts go: {edit.why}"
    return [edit.replaced(why=why, after=None if empty and row.before is None else edit.after)]


# ---- what both have -----------------------------------------------------------------------------------------------------


_UNTOUCHED = "Nothing was changed: it is kept before the first of your files is written."


@contextmanager
def _said_why(what: str, intact: str) -> Iterator[None]:
    """A disk that refuses becomes a sentence: what could not be done, why, what is intact, what to do."""
    try:
        yield
    except OSError as error:
        why, remedy = reason(error)
        raise NotSaved(f"{what}: {why}. {intact} {remedy}, and run the command again.") from error


class Records:
    """The folder of the originals, for one command at a time."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self.path = os.path.join(state_folder(env), "installs")
        with _said_why(f"{self.path}, where your files as they were are kept, cannot be used", "Nothing was changed."):
            self.folder = Folder.open(self.path, make=True)
            self.swap = self.folder.child("swap", make=True)
            self.lock = Lock(self.folder)

    def __enter__(self) -> Records:
        with _said_why(f"{self.path}, where your files as they were are kept, cannot be used", "Nothing was changed."):
            if not self.lock.take(2.0):
                self.__exit__()
                told = "Another `holdfast init` or `uninstall` is under way. Nothing was changed; run this again after it."
                raise UserError(told)
            self.folder.clear_up()
            self.swap.clear_up()
        return self

    def kept(self, host: str, place: Place) -> dict[tuple[str, str], Original]:
        """What a host's files were before."""
        with _said_why(f"{self.folder.at(f'{host}.json')} cannot be read", "Nothing was changed."):
            return kept(self.folder, host, place.home)

    def keep(self, host: str, originals: Iterable[Original], place: Place, intact: str) -> None:
        """Keep what they were, durably."""
        with _said_why(f"{self.folder.at(f'{host}.json')} could not be written", intact):
            keep(self.folder, host, originals, place.home)

    def __exit__(self, *_: object) -> None:
        self.lock.close()
        self.swap.close()
        self.folder.close()


def place_of(words: Words, env: Mapping[str, str]) -> Place:
    """Where things are on this machine, and how to look at them."""
    from importlib.util import find_spec

    folder = os.getcwd()
    place = Place(
        home=(env.get("HOME") or os.path.expanduser("~")).rstrip("/"),
        folder=folder,
        workspace=find_workspace(words.one("workspace"), env, folder),
        command=command_of(sys.argv[0], sys.executable, env.get("PATH", "")),
        env=env,
        read=lambda path: _text(_looked(path, place)),
        listed=_listed,
        project=words.has("project"),
        server=find_spec("mcp") is not None,
        rules=not words.has("no-rules"),
        switch=not words.has("no-switch"),
        jobs=_jobs,
    )
    return place


def _listed(path: str) -> list[str]:
    try:
        return sorted(os.listdir(path))
    except OSError:
        return []


def _jobs(state: str) -> list[dict[str, Any]]:
    """The jobs of OpenClaw's scheduler: in its database since 2026.7, in a file before. What cannot be read is none."""
    import json

    from ..transcripts import Tally
    from ..transcripts.databases import Database, text

    path, found = os.path.join(state, "state", "openclaw.sqlite"), []
    try:
        if os.path.exists(path):
            database = Database(path, Tally())
            rows = [text(row[0]) for row in database.rows("SELECT job_json FROM cron_jobs")]
            database.close()
            found = [json.loads(row) for row in rows]
        else:
            with open(os.path.join(state, "cron", "jobs.json"), encoding="utf-8") as file:
                found = json.load(file)["jobs"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        pass
    return [job for job in found if isinstance(job, dict)] if isinstance(found, list) else []


_OF_THE_DISK = (errno.EIO, errno.EMFILE, errno.ENFILE, errno.ESTALE)  # and not of what somebody has set or put there


def _looked(path: str, place: Place) -> Found:
    """A file as it is. What a project brings may not lead out of it."""
    try:
        was = found(path)
    except OSError as error:
        why, remedy = reason(error)
        why = str(error.strerror) if "link" in str(error.strerror) else why
        told = f"{_tilde(path, place)} cannot be read: {why}. Nothing was changed. {remedy}, and run the command again."
        raise (NotSaved if error.errno in _OF_THE_DISK else UserError)(told) from error
    root = os.path.realpath(place.folder)
    if place.project and path.startswith(place.folder + "/") and not was.target.startswith(root.rstrip("/") + "/"):
        raise UserError(f"{_tilde(path, place)} leads out of the project, to {was.target}. Nothing was changed.")
    return was


def _text(was: Found) -> str | None:
    return None if was.data is None else was.data.decode("utf-8", "surrogateescape")


def command_of(called: str, python: str, path: str) -> str:
    """The holdfast that runs, as a shell takes it: by the link on PATH that pipx and uv keep across upgrades, if any."""
    import shlex

    beside = os.path.join(os.path.dirname(python), "holdfast")
    own = [os.path.abspath(called)] if os.path.basename(called) == "holdfast" and os.sep in called else []
    own = [script for script in (*own, beside) if os.access(script, os.X_OK) and os.path.isfile(script)]
    if not own:
        return f"{shlex.quote(python)} -m holdfast"
    real = {os.path.realpath(script) for script in own}
    for folder in path.split(os.pathsep):
        linked = os.path.join(folder, "holdfast")
        if os.path.isabs(folder) and os.path.realpath(linked) in real and os.access(linked, os.X_OK):
            return shlex.quote(linked)
    return shlex.quote(own[0])


def _understood(ask: Callable[[Place], Result], place: Place) -> Result:
    """What a host's module says; where it cannot read a file, a sentence that names it."""
    try:
        return ask(place)
    except Refused as error:
        raise UserError(f"{error} Nothing was changed.") from error
    except Unusable as error:
        raise UserError(
            f"{_tilde(error.path, place)} cannot be used as it is: {error.why}. Nothing was changed. Mend it, and run it again."
        ) from error
