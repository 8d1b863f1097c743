"""S10: what is remembered selects no file, command, tool, address or setting: nothing in the house could carry it out.

The source is read, not run: there is no call that makes code, a shell or a template of a text. Programs are started nowhere, so
that no text can become an argument of one.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent.parent / "src" / "holdfast"
SINKS = {
    "eval", "exec", "compile", "__import__", "os.system", "os.popen", "os.execv", "os.execve", "os.execvp", "os.spawnv",
    "os.posix_spawn", "pickle.loads", "pickle.load", "marshal.loads", "shelve.open", "yaml.load", "string.Template",
    "importlib.import_module", "runpy.run_path", "webbrowser.open", "urllib.request.urlopen", "socket.socket", "ctypes.CDLL",
}  # fmt: skip
MODULES = ("subprocess", "pickle", "marshal", "shelve", "webbrowser", "http", "urllib.request", "socket", "ftplib", "smtplib")
ALLOWED = {("disk.py", "ctypes.CDLL")}  # renameat2, by a number of our own: no text has a part in it


def sinks(source: str, name: str) -> list[str]:
    """Calls and imports by which a text could come to power."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in SINKS and (name, ast.unparse(node.func)) not in ALLOWED:
            found.append(f"{name}:{node.lineno} {ast.unparse(node.func)}")
        if isinstance(node, ast.Import):
            found += [f"{name}:{node.lineno} import {alias.name}" for alias in node.names if alias.name.startswith(MODULES)]
        if isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").startswith(MODULES):
            found.append(f"{name}:{node.lineno} from {node.module}")
    return found


def test_nothing_in_the_house_can_carry_out_what_is_remembered() -> None:
    """No code, shell, program, address or foreign object is ever made of a text."""
    paths = sorted(SOURCE.rglob("*.py"))
    assert len(paths) > 40
    assert [sink for path in paths for sink in sinks(path.read_text(), path.name)] == []


LINES = ["eval(text)", "import subprocess", "from urllib.request import urlopen", "os.system(note)", "import pickle"]


@pytest.mark.parametrize("line", LINES)
def test_control_a_sink_is_found_out(line: str) -> None:
    """The same look at a line that gives a text power."""
    assert sinks(line, "x.py")
