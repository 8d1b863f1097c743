"""The plan of the house, as a test: which module may know which, and who alone may touch what."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "holdfast"
MODULES = sorted(path.stem for path in SOURCE.glob("*.py") if not path.stem.startswith("__"))

# Each module with all that it may import of ours. Data flows one way: nothing below a shell knows a shell.
MAY_IMPORT: dict[str, set[str]] = {
    "errors": set(),
    "model": set(),
    "sections": {"model"},
    "markdown": {"model", "sections"},
    "bindings": {"model"},
    "disk": set(),
    "processes": {"disk"},
    "packing": set(),
    "journal": {"disk", "errors", "model", "packing"},
    "rules": set(),
    "judging": {"rules"},
    "assigned": {"judging", "rules"},
    "disguise": {"guard", "rules"},
    "forgotten": {"disguise", "journal"},
    "telltales": {"disguise", "rules"},
    "redaction": {"assigned", "disguise", "journal", "judging", "rules", "telltales"},
    "framing": {"guard", "journal"},
    "guard": {"errors", "model", "redaction"},
    "brief": {"echo", "framing", "markdown", "model"},
    "config": {"disk", "errors", "journal", "model"},
    "links": {"config", "disk", "errors"},
    "tree": {"config", "disk", "errors", "links"},
    "merging": {"bindings", "sections"},
    "exchange": {"disk", "journal", "merging", "model"},
    "store": {"bindings", "config", "disk", "errors", "exchange", "journal", "links", "markdown", "model", "sections"},
    "recovery": {"brief", "framing", "hearing", "markdown", "memory", "model", "questions", "recall"},
    "writing": {"config", "disk", "errors", "exchange", "forgotten", "journal", "model", "store", "topics"},
    "memory": {"brief", "delivery", "echo", "errors", "following", "guard", "journal", "markdown", "model", "recall", "recovery"}
    | {"sections", "surveying", "writing"},
    "undoing": {"exchange", "markdown", "memory", "model", "sections", "store"},
    "erasing": {"disk", "errors", "exchange", "forgotten", "journal", "markdown", "memory", "model", "packing", "undoing"},
    "topics": {"bindings", "config", "errors", "journal", "markdown", "model", "store"},
    "offered": {"model"},
    "cache": {"disk", "errors", "journal", "model"},
    "delivery": {"journal", "model"},
    "hearing": set(),
    "receipts": {"model"},
    "signs": {"hearing"},
    "summarising": {"framing", "model"},
    "echo": {"signs"},
    "capture": {"echo", "signs"},
    "cues": set(),
    "classifying": {"cues", "model", "signs"},
    "dates": set(),
    "extracting": {"classifying", "cues", "dates", "guard", "model", "signs"},
    "lasting": {"extracting", "signs"},
    "gleaning": {"config", "days", "disk", "errors", "extracting", "guard", "homes", "journal", "lasting", "markdown", "memory"}
    | {"model", "processes", "writing"},
    "losses": {"model"},
    "tail": {"errors", "guard"},
    "wording": set(),
    "passages": set(),
    "questions": {"model", "wording"},
    "corpus": {"journal", "model", "packing", "passages", "wording"},
    "index": {"config", "corpus", "disk", "errors", "journal", "model", "passages", "tree", "wording"},
    "vectors": {"questions"},
    "recall": {"config", "guard", "index", "model", "questions", "vectors", "wording"},
    "following": {"capture", "echo", "errors", "guard", "journal", "memory", "model", "signs"},
    "whereabouts": {"config", "model"},
    "missed": {"adopting", "following", "guard", "memory", "model", "whereabouts", "writing"},
    "plan": {"days", "journal", "model"},
    "days": {"guard", "markdown", "model", "sections"},
    "homes": {"days", "model", "plan", "sections"},
    "promoting": {"config", "days", "guard", "homes", "model", "plan"},
    "archiving": {"config", "days", "homes", "merging", "plan", "promoting"},
    "tidying": {"config", "days", "markdown", "model", "plan", "sections"},
    "reviewing": {"config", "days", "guard", "homes", "markdown", "model", "plan", "promoting", "sections", "tidying"},
    "tagging": {"classifying", "config", "days", "model", "plan"},
    "scheduling": {"journal", "model"},
    "upkeep": {"archiving", "config", "plan", "promoting", "reviewing", "tagging", "tidying"},
    "trash": {"disk", "errors", "memory", "model"},
    "surveying": {"archiving", "days", "disk", "errors", "exchange", "journal", "markdown", "memory", "model", "plan"}
    | {"tidying", "trash"},
    "committing": {"applying", "config", "exchange", "guard", "memory", "merging", "model", "plan"},
    "unasked": {"applying", "committing", "config", "errors", "guard", "memory", "processes", "surveying", "upkeep"},
    "health": {"config", "days", "homes", "model", "plan", "sections", "tidying"},
    "examining": {"bindings", "health", "index", "markdown", "memory", "plan", "redaction"},
    "applying": {"disk", "errors", "exchange", "guard", "journal", "memory", "model", "packing", "plan", "surveying"}
    | {"trash", "writing"},
    "foreign": {"disk", "model"},
    "arrivals": {"delivery"},
    "mishaps": {"config", "disk", "errors", "journal"},
    "originals": {"disk", "errors", "journal", "model"},
    "adopting": {"guard", "journal", "markdown", "memory", "model", "recovery", "writing"},
}
SHELLS = {"called", "cli", "commands", "demo", "doctor", "forgetting", "gateway", "hooks", "importing"}
SHELLS |= {"installing", "keeping", "mcp", "occasions", "recovering", "remembering", "residing", "resources"}
SHELLS |= {"searching", "setting_up", "tools", "views"}
PURE = {"archiving", "assigned", "bindings", "brief", "capture", "classifying", "cues", "dates", "days"}
PURE |= {"delivery", "disguise", "echo", "errors", "extracting", "forgotten", "framing", "guard", "health"}
PURE |= {"hearing", "homes", "judging", "lasting", "losses", "markdown", "merging", "model", "offered", "packing"}
PURE |= {"passages", "plan", "promoting", "questions", "receipts", "redaction", "reviewing", "rules", "scheduling"}
PURE |= {"sections", "signs", "summarising", "tagging", "telltales", "tidying", "upkeep", "wording"}


def imports(module: str) -> set[str]:
    """The modules of ours that a module imports, wherever in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse((SOURCE / f"{module}.py").read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            found |= {node.module} if node.module else {alias.name for alias in node.names}
    return found & set(MODULES)


def calls(module: str) -> set[str]:
    """Dotted names that a module calls, such as `os.rename`, and `open`."""
    found: set[str] = set()
    for node in ast.walk(ast.parse((SOURCE / f"{module}.py").read_text())):
        if isinstance(node, ast.Call):
            found.add(ast.unparse(node.func))
    return found


def test_every_module_has_its_place_in_the_plan() -> None:
    """A new module is put into the plan here, or it does not land."""
    assert set(MODULES) == set(MAY_IMPORT) | SHELLS


@pytest.mark.parametrize("module", sorted(MAY_IMPORT))
def test_imports_go_one_way(module: str) -> None:
    """A module knows only what the plan lets it know."""
    assert imports(module) <= MAY_IMPORT[module]


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


@pytest.mark.parametrize("module", [m for m in MODULES if m != "disk"])
def test_only_disk_writes_files(module: str) -> None:
    """One write protocol, in one module: nobody else creates, replaces or removes a file."""
    # /dev/null, in the place of a reader that went away, or of a host's pipes
    allowed = {"os.open"} if module in ("cli", "processes") else set()
    assert not calls(module) & set(WRITING) - allowed
    for node in ast.walk(ast.parse((SOURCE / f"{module}.py").read_text())):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "open":
            mode = ast.literal_eval(node.args[1]) if len(node.args) > 1 else "r"
            assert set(mode) <= set("rbt"), f"{module} opens a file for writing"


@pytest.mark.parametrize("module", sorted(PURE))
def test_logic_has_no_io_and_no_clock(module: str) -> None:
    """The interior is pure: the same input gives the same output."""
    forbidden = {"time.time", "time.monotonic", "open", "print", "input", "os.getenv", "os.stat"}
    assert not calls(module) & forbidden
    assert not {"os", "time", "sys", "subprocess", "socket"} & plain_imports(module)


def plain_imports(module: str) -> set[str]:
    """What a module imports of others."""
    tree = ast.parse((SOURCE / f"{module}.py").read_text())
    found = {alias.name.split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    return found | {str(n.module).split(".")[0] for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and not n.level}


@pytest.mark.parametrize("module", [m for m in MODULES if m not in SHELLS | {"memory"}])
def test_only_the_shells_read_the_clock_and_the_streams(module: str) -> None:
    """`now` is an argument everywhere below Memory, so that any moment can be tested."""
    assert not calls(module) & {"time.time", "sys.stdin.read", "input", "print"}


@pytest.mark.parametrize("module", MODULES)
def test_nothing_is_evaluated_and_nothing_leaves_the_machine(module: str) -> None:
    """No eval, no exec, no network: memory has no power."""
    assert not calls(module) & {"eval", "exec", "compile", "__import__"}
    assert not {"socket", "http", "urllib", "ssl", "pickle"} & plain_imports(module)


@pytest.mark.parametrize("module", MODULES)
def test_broad_excepts_stay_out(module: str) -> None:
    """An error is caught by its name, or not at all; BaseException only to clean up and raise again."""
    for node in ast.walk(ast.parse((SOURCE / f"{module}.py").read_text())):
        if isinstance(node, ast.ExceptHandler):
            name = ast.unparse(node.type) if node.type else ""
            # Three places alone: a hook must not fail its host for a fault of ours, and says in its receipt what it was (so do
            # OpenClaw's, in the gateway); a server must not end for one, and says in its answer what it was.
            assert name not in ("", "Exception") or (module in ("hooks", "gateway", "mcp") and name), f"{module}:{node.lineno}"
            if name == "BaseException":
                assert isinstance(node.body[-1], ast.Raise)


@pytest.mark.parametrize("module", MODULES)
def test_only_the_server_knows_its_sdk(module: str) -> None:
    """Loading it takes as long as twenty hooks, so that nothing but `holdfast mcp` may lead there."""
    if module != "mcp":
        assert not {"mcp", "mcp_types", "anyio", "asyncio", "pydantic"} & plain_imports(module)
        assert "mcp" not in imports(module) or module == "commands"


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
        "holdfast.views",
        "holdfast.commands",
        "holdfast.brief",
        "holdfast.recovery",
        "holdfast.redaction",
        "holdfast.rules",
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
    """No function is longer than 60 lines, no module longer than 600."""
    for module in MODULES:
        text = (SOURCE / f"{module}.py").read_text()
        assert text.count("\n") <= 600, module
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                assert (node.end_lineno or 0) - node.lineno < 60, f"{module}.{node.name}"
