"""The plan of the house, as a test: which module may know which, and who alone may touch what."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "holdfast"
PATHS = {path.relative_to(SOURCE).with_suffix("").as_posix().replace("/", "."): path for path in sorted(SOURCE.rglob("*.py"))}
MODULES = [module for module in PATHS if module not in ("__init__", "__main__")]

# Each room (a folder, or a module beside them) with all the rooms that its code may load. What each is for is in its docstring.
MAY_LOAD: dict[str, set[str]] = {
    "util": set(),
    "errors": set(),
    "model": set(),
    "terminal": set(),
    "transcripts": set(),
    "hosts": {"model", "transcripts"},
    "guard": {"capture", "errors", "model", "storage"},
    "documents": {"guard", "model"},
    "projects": {"model", "storage"},
    "config": {"errors", "model", "projects", "storage"},
    "storage": {"config", "documents", "errors", "forgetting", "model", "transcripts"},
    "recall": {"documents", "errors", "guard", "model", "storage", "transcripts"},
    "capture": {"briefing", "config", "documents", "errors", "guard", "memory", "model", "storage", "transcripts", "upkeep"},
    "briefing": {"capture", "documents", "guard", "model", "recall", "storage"},
    "upkeep": {"capture", "config", "documents", "errors", "guard", "memory", "model", "recall", "storage"},
    "forgetting": {"documents", "errors", "guard", "model", "storage", "transcripts"},
    "memory": {"briefing", "capture", "documents", "errors", "guard", "model", "recall", "storage"},
    "installs": {"documents", "errors", "model", "storage", "upkeep"},
}
SHELLS = {"cli", "commands", "hooks", "mcp"}  # they may load everything, and only they may load one another
PURE = {
    "errors",
    "model",
    "terminal",
    "documents",
    *(f"guard.{name}" for name in ("assigned", "disguise", "echo", "entering", "framing", "judging", "redaction", "rules")),
    *("guard.telltales", "guard.unremembered"),
    *(f"capture.{name}" for name in ("classifying", "cues", "dates", "draft", "extracting", "hearing", "lasting", "signs")),
    "capture.pasted",
    *(f"briefing.{name}" for name in ("brief", "delivery", "losses", "summarising")),
    *(f"recall.{name}" for name in ("passages", "questions", "wording")),
    *(f"upkeep.{name}" for name in ("archiving", "health", "homes", "plan", "planning", "promoting", "reviewing", "scheduling")),
    *("upkeep.deciding", "upkeep.freshness", "upkeep.tagging", "upkeep.tidying"),
    *("storage.merging", "storage.packing", "forgetting.forgotten", "hooks.receipts", "mcp.offered"),
    *(f"hosts.{name}" for name in ("claude_code", "codex", "gemini", "opencode")),
}
TREES = {module: ast.parse(path.read_text()) for module, path in PATHS.items()}


def room(module: str) -> str:
    """The room that a module stands in."""
    return module.partition(".")[0]


def among(module: str, chosen: set[str]) -> bool:
    """Whether a module, or the whole room that it stands in, is one of those chosen."""
    return module in chosen or room(module) in chosen


def imports(module: str) -> dict[str, set[str]]:
    """The modules of ours that a module imports, by when: as it is loaded, later when it gets that far, or for types alone."""
    found: dict[str, set[str]] = {"loaded": set(), "later": set(), "types": set()}
    here = PATHS[module].relative_to(SOURCE).parent.parts

    def look(node: ast.AST, when: str) -> None:
        for inner in ast.iter_child_nodes(node):
            if isinstance(inner, ast.ImportFrom) and inner.level:
                base = ".".join([*here[: len(here) + 1 - inner.level], *filter(None, [inner.module])])
                for alias in inner.names:
                    named = (f"{base}.{alias.name}".lstrip("."), base, f"{base}.__init__".lstrip("."))
                    found[when].add(next(name for name in named if name in PATHS))
            elif isinstance(inner, ast.If) and ast.unparse(inner.test) == "TYPE_CHECKING":
                look(inner, "types")
            else:
                look(inner, "later" if isinstance(inner, ast.FunctionDef) and when == "loaded" else when)

    look(TREES[module], "loaded")
    return found


def calls(module: str) -> set[str]:
    """Dotted names that a module calls, such as `os.rename`, and `open`."""
    return {ast.unparse(node.func) for node in ast.walk(TREES[module]) if isinstance(node, ast.Call)}


def test_every_room_has_its_place_in_the_plan() -> None:
    """A new room is put into the plan here, or it does not land; and its docstring names every module that stands in it."""
    rooms = {room(module) for module in MODULES}
    assert rooms == set(MAY_LOAD) | SHELLS
    for inside in rooms - set(PATHS) - {"hosts", "installs", "transcripts"}:  # those have one module a host
        text = ast.get_docstring(TREES[f"{inside}.__init__"]) or ""
        there = {module.partition(".")[2] for module in MODULES if room(module) == inside} - {"__init__"}
        assert set(re.findall(r"\b(\w+)\.py\b", text)) & there == there, inside


@pytest.mark.parametrize("module", MODULES)
def test_rooms_know_only_what_the_plan_lets_them_know(module: str) -> None:
    """Data flows one way: nothing below a shell knows a shell, not even by a type but for the words of a command."""
    found = imports(module)
    known = {room(other) for other in found["loaded"] | found["later"]} - {room(module), "__init__"}
    if room(module) not in SHELLS:
        assert known <= MAY_LOAD[room(module)] | {"util"}
        assert not {room(other) for other in found["types"]} & SHELLS


def test_no_module_is_loaded_in_a_circle() -> None:
    """What a module loads does not load it in turn, however far round: each can be read before those that use it."""
    loads = {module: imports(module)["loaded"] for module in PATHS}
    done: set[str] = set()
    while ready := {module for module in loads if module not in done and loads[module] <= done}:
        done |= ready
    assert set(loads) - done == set()


WRITING = (
    "os.open",
    "os.write",
    "os.rename",
    "os.replace",
    "os.unlink",
    "os.remove",
    "os.mkdir",
    "os.makedirs",
    "os.link",
    "os.symlink",
    "os.fsync",
    "os.ftruncate",
    "os.chmod",
    "shutil.move",
    "shutil.copy",
)


@pytest.mark.parametrize("module", [m for m in MODULES if m != "storage.disk"])
def test_only_disk_writes_files(module: str) -> None:
    """One write protocol, in one module: nobody else creates, replaces or removes a file."""
    # /dev/null, in the place of a reader that went away, or of a host's pipes; a transcript, for reading alone
    allowed = {"os.open"} if module in ("cli", "storage.processes", "transcripts.files") else set()
    assert not calls(module) & set(WRITING) - allowed
    for node in ast.walk(TREES[module]):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "open":
            mode = ast.literal_eval(node.args[1]) if len(node.args) > 1 else "r"
            assert set(mode) <= set("rbt"), f"{module} opens a file for writing"


@pytest.mark.parametrize("module", [module for module in MODULES if among(module, PURE)])
def test_logic_has_no_io_and_no_clock(module: str) -> None:
    """The interior is pure: the same input gives the same output."""
    forbidden = {"time.time", "time.monotonic", "open", "print", "input", "os.getenv", "os.stat"}
    assert not calls(module) & forbidden
    assert not {"os", "time", "sys", "subprocess", "socket"} & plain_imports(module)


def plain_imports(module: str) -> set[str]:
    """What a module imports of others, `urllib.parse` and `urllib` both."""
    tree = TREES[module]
    found = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    found |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and not node.level}
    return found | {name.partition(".")[0] for name in found}


@pytest.mark.parametrize("module", [m for m in MODULES if not among(m, SHELLS | {"memory"})])
def test_only_the_shells_read_the_clock_and_the_streams(module: str) -> None:
    """`now` is an argument everywhere below Memory, so that any moment can be tested."""
    assert not calls(module) & {"time.time", "sys.stdin.read", "input", "print"}


@pytest.mark.parametrize("module", MODULES)
def test_nothing_is_evaluated_and_nothing_leaves_the_machine(module: str) -> None:
    """No eval, no exec, no network: memory has no power."""
    assert not calls(module) & {"eval", "exec", "compile", "__import__"}
    assert not {"socket", "http", "urllib.request", "ssl", "pickle"} & plain_imports(module)


@pytest.mark.parametrize("module", MODULES)
def test_broad_excepts_stay_out(module: str) -> None:
    """An error is caught by its name, or not at all; BaseException only to clean up and raise again."""
    for node in ast.walk(TREES[module]):
        if isinstance(node, ast.ExceptHandler):
            name = ast.unparse(node.type) if node.type else ""
            # Four places alone: a hook must not fail its host for a fault of ours, and says in its receipt what it was (so do
            # OpenClaw's, in the gateway); a server must not end for one, and says in its answer what it was; the
            # program must not make a verdict of one (exit 1: found wanting), and says where it was.
            allowed = name and module in ("hooks.dispatch", "hooks.gateway", "mcp.server", "cli")
            assert name not in ("", "Exception") or allowed, f"{module}:{node.lineno}"
            if name == "BaseException":
                assert isinstance(node.body[-1], ast.Raise)


@pytest.mark.parametrize("module", MODULES)
def test_only_the_server_knows_its_sdk(module: str) -> None:
    """Loading it takes as long as twenty hooks, so that nothing but `holdfast mcp` may lead there."""
    if module != "mcp.server":
        assert not {"mcp", "mcp_types", "anyio", "asyncio", "pydantic"} & plain_imports(module)
        known = imports(module)
        assert "mcp.server" not in known["loaded"]
        assert "mcp.server" not in known["later"] or module == "commands.other"


def test_the_hot_path_imports_next_to_nothing(tmp_path: Path) -> None:
    """`holdfast task` loads none of the modules that cost more than they give there."""
    heavy = (
        "dataclasses",
        "typing",
        "inspect",
        "argparse",
        "pathlib",
        "json",
        "hashlib",
        "logging",
        "subprocess",
        "tempfile",
        "shutil",
        "tomllib",
        "datetime",
        "random",
        "difflib",
        "holdfast.commands.views",
        "holdfast.commands.other",
        "holdfast.briefing.brief",
        "holdfast.briefing.recovery",
        "holdfast.guard.redaction",
        "holdfast.guard.rules",
    )
    program = (
        "import sys; from holdfast.cli import main; code = main(sys.argv[1:]);"
        f"print([m for m in {heavy!r} if m in sys.modules]); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", program, "--workspace", str(tmp_path), "task", "x"],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(SOURCE.parent)},
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_the_public_names_are_the_declared_ones() -> None:
    """Nothing leaks into the package's interface by accident."""
    import holdfast

    assert sorted(holdfast.__all__) == ["Memory", "__version__"]
    assert all(getattr(holdfast, name) for name in holdfast.__all__)


def test_functions_fit_on_a_screen() -> None:
    """No function is longer than 60 lines."""
    for module in MODULES:
        for node in ast.walk(TREES[module]):
            if isinstance(node, ast.FunctionDef):
                assert (node.end_lineno or 0) - node.lineno < 60, f"{module}.{node.name}"
