"""Do the tests find out what breaks? `python tests/mutants.py [MODULE …] [--each N] [--seed N] [--at-once N]` breaks the code.

A mutant is a module with one small mistake in it: a comparison turned round, a step left out, `or` for `and`, one more or less.
A sample of them is drawn from each module whose faults would lose or leak what people cannot re-create, and the module's tests
run against each: a mutant is found out where one fails, or takes ten times as long as it does. First those that run the line,
the quickest of them before the others; who gets past them meets all the rest. What survives is printed with its line, and what
has become of each goes to stderr. At least nine of ten must not survive.

Texts, annotations and the sizes at the top of a module are left as they are: to change them breaks nothing that is promised.
Some of what survives does the same as before by another way, and counts as survived all the same.
"""

from __future__ import annotations

import ast
import compileall
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import venv
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from pathlib import Path
from queue import Queue
from typing import NamedTuple

from reached import BELOW, SEEN, WANTED

Seen = dict[str, tuple[float, list[str]]]  # test → seconds, and the lines that it runs, as `module:number`

ROOT = Path(__file__).parent.parent
REACH = 0.9
# Of each module: the tests that are asked about it.
MODULES = {
    "storage/disk.py": "test_disk test_forgetting test_without_exchange test_links test_notes test_cli k1_ d4_ d5_ s7_ s8_ u1_ "
    "d3_",
    "storage/store.py": "test_merging test_seed_workspaces test_without_exchange test_notes test_cli test_links k1_ c2_ d3_ d4_ "
    "d5_ d7_ u1_ u2_",
    "storage/journal.py": "test_journal test_notes test_cli test_adopting test_forgetting test_packing k1_ k6_ d1_ d3_ d5_ "
    "c1_ s13_",
    "storage/exchange.py": "test_disk test_merging test_without_exchange test_cli test_forgetting m2_ u1_ d3_ c3_",
    "storage/writing.py": "test_journal test_packing test_adopting test_links test_import test_cli k6_ u2_ c2_ d1_",
    "storage/merging.py": "test_merging test_without_exchange k3_ u1_",
    "guard/redaction.py": "test_redaction test_secrets_told s1_ s2_ s3_ s11_",
    "guard/entering.py": "test_redaction test_secrets_told test_notes test_cli s1_ s2_ s3_ s5_",
    "guard/framing.py": "test_delivery s4_ s5_ s6_",
    "guard/echo.py": "test_conversation test_pasted s6_",
    "guard/assigned.py": "test_redaction test_secrets_told s1_ s2_ s3_ s11_",
    "recall/index.py": "test_search k4_",
    "recall/answering.py": "test_search k4_",
    "memory.py": "test_cli test_notes test_capture test_import test_adopting u2_",
    "documents/markdown.py": "test_markdown test_seed_workspaces test_adopting test_blocks_by_hand test_cli test_notes k3_",
    "capture/following.py": "test_capture test_hooks test_gleaning test_import test_truth",
    "capture/claims.py": "test_hooks test_hooks_gemini test_mcp test_capture",
    "capture/learning.py": "test_capture test_conversation test_pasted test_truth test_truth_files test_truth_claude_code "
    "test_truth_codex test_truth_gemini_opencode",
    "hooks/dispatch.py": "test_hooks test_hook_events test_hooks_gemini test_delivery h1_ h2_ h3_",
    "transcripts/claude_code.py": "test_transcripts test_truth_claude_code test_truth test_capture h3_",
}
COMPARED = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip
RECKONED = {ast.Add: "-", ast.Sub: "+", ast.Mult: "//", ast.BitOr: "&", ast.BitAnd: "|"}


@cache
def _whole(module: str) -> bytes:
    """A module as it was at the beginning: somebody may work on it while this goes on for hours."""
    return (ROOT / "src/holdfast" / module).read_bytes()


class Mutant(NamedTuple):
    """One mistake: the bytes from `start` to `end` of a module give way to others."""

    module: str
    start: int
    end: int
    instead: bytes
    line: int

    def source(self) -> bytes:
        """The module with the mistake in it."""
        whole = _whole(self.module)
        return whole[: self.start] + self.instead + whole[self.end :]

    def told(self) -> str:
        """Where it is, and what has become of what."""
        before = _whole(self.module)[self.start : self.end]
        return f"{self.module}:{self.line}: {before.decode()!r} became {self.instead.decode()!r}"


def mutants(module: str) -> Iterator[Mutant]:
    """Every mistake that is tried, one at a time."""
    source = _whole(module)
    begins = [0]
    for line in source.splitlines(keepends=True):
        begins.append(begins[-1] + len(line))

    def at(line: int, column: int) -> int:
        return begins[line - 1] + column

    for node in _running(ast.parse(source)):
        start, end = at(node.lineno, node.col_offset), at(node.end_lineno or 0, node.end_col_offset or 0)
        for first, last, instead in _mistakes(node, start, end, at, source):
            yield Mutant(module, first, last, instead, source.count(b"\n", 0, first) + 1)


def _running(tree: ast.Module) -> Iterator[ast.AST]:
    """What runs: the bodies of functions, without what is there for readers and for the type checker."""
    waiting: list[ast.AST] = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    for function in waiting:
        inner: list[ast.AST] = list(function.body)  # type: ignore[attr-defined]
        while inner:
            node = inner.pop()
            if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.JoinedStr):
                continue
            if hasattr(node, "lineno"):
                yield node
            annotation = getattr(node, "annotation", None)
            inner += [child for child in ast.iter_child_nodes(node) if child is not annotation]


def _mistakes(node: ast.AST, start: int, end: int, at, source: bytes) -> Iterator[tuple[int, int, bytes]]:  # type: ignore[no-untyped-def]
    text = source[start:end]
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in COMPARED:
            yield _between(left, right, at, source, COMPARED[type(op)])
        case ast.BoolOp(op=op, values=[first, second, *_]):
            yield _between(first, second, at, source, "or" if isinstance(op, ast.And) else "and")
        case ast.UnaryOp(op=ast.Not()):
            yield start, end, b"bool(" + text.removeprefix(b"not").lstrip() + b")"
        case ast.BinOp(left=left, op=op, right=right) if type(op) in RECKONED:
            yield _between(left, right, at, source, RECKONED[type(op)])
        case ast.Constant(value=bool(value)):
            yield start, end, str(not value).encode()
        case ast.Constant(value=int(value)):
            yield start, end, str(value + 1).encode()
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield start, end, b"return None"
        case ast.Raise() | ast.Expr(value=ast.Call()) | ast.Expr(value=ast.Yield()):
            yield start, end, b"pass"
        case ast.Break():
            yield start, end, b"continue"
        case ast.Continue():
            yield start, end, b"break"
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test) if not isinstance(test, ast.Compare | ast.UnaryOp):
            first, last = at(test.lineno, test.col_offset), at(test.end_lineno, test.end_col_offset)
            if text and source[first:last] != b"True":
                yield first, last, b"not (" + source[first:last] + b")"


def _between(left: ast.expr, right: ast.expr, at, source: bytes, instead: str) -> tuple[int, int, bytes]:  # type: ignore[no-untyped-def]
    """Another operator between two sides, whose brackets stay."""
    first, last = at(left.end_lineno, left.end_col_offset), at(right.lineno, right.col_offset)
    closing, _, opening = re.split(rb"([^\s()].*[^\s()]|[^\s()])", source[first:last], maxsplit=1, flags=re.DOTALL)
    return first + len(closing), last - len(opening), instead.encode()


class Bench:
    """A copy of the project in which modules are broken and mended again."""

    def __init__(self, modules: list[str]) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="holdfast-mutants-"))
        shutil.copytree(ROOT, self.folder / "it", ignore=shutil.ignore_patterns(".venv", ".git", "__pycache__", ".*_cache"))
        # Without it each command that a test starts would compile the whole package: that is most of the time.
        compileall.compile_dir(self.folder / "it/src", quiet=1)
        self.python = self._interpreter(modules)

    def _interpreter(self, modules: list[str]) -> Path:
        """One that knows no other Holdfast: a test that gives a command a bare environment ran the code that is installed."""
        home, source = self.folder / "it/.venv", str(self.folder / "it/src")
        venv.EnvBuilder(symlinks=True).create(home)
        packages = Path(sysconfig.get_path("purelib", "venv", {"base": str(home)}))
        (packages / "it.pth").write_text(f"{source}\n{sysconfig.get_path('purelib')}\n")
        source, told = f"{source}/holdfast/", str(self.folder / "seen.told")
        below = BELOW.format(source=source, modules={source + module for module in modules}, told=told)
        (packages / "sitecustomize.py").write_text(below)
        if Path(sys.prefix, "vectors").exists():
            (home / "vectors").symlink_to(Path(sys.prefix, "vectors"))
        return home / "bin/python"

    def ran(self, tests: str, **asked: str) -> subprocess.CompletedProcess[bytes]:
        """Tests, until one of them fails."""
        every = sorted(path for path in (self.folder / "it/tests").rglob("test_*.py") if "hosts" not in path.parts)
        wanted = [str(path) for path in every if path.name.startswith(tuple(_names(tests)))]
        options = ["-x", "-rfE", "--tb=no", "--no-header", "-p", "no:cacheprovider", "-p", "reached"]
        path = f"{self.folder / 'it/src'}{os.pathsep}{self.folder / 'it/tests'}"
        env = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", **asked}
        with subprocess.Popen(
            [self.python, "-m", "pytest", *options, f"--basetemp={self.folder / 'tmp'}", *wanted],
            cwd=self.folder / "it", env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
        ) as process:  # fmt: skip
            out = process.communicate()[0]
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # what a test that hung had started
        return subprocess.CompletedProcess([], process.returncode, out)

    def seen(self, tests: str) -> Seen:
        """How long each test takes on whole code, and which lines it runs; all must pass there."""
        file, told = self.folder / "seen", self.folder / "seen.told"
        told.mkdir()
        done = self.ran(tests, **{SEEN: str(file)})
        shutil.rmtree(told)
        if done.returncode:
            sys.exit(f"These fail before anything is broken:\n{done.stdout.decode()}")
        return json.loads(file.read_text())  # type: ignore[no-any-return]

    def found_by(self, mutant: Mutant, seen: Seen) -> str:
        """The test that finds it out; empty where none does."""
        reach = sorted((taken, name) for name, (taken, lines) in seen.items() if f"{mutant.module}:{mutant.line}" in lines)
        patience = {name: 60 + 10 * taken for name, (taken, _) in seen.items()}
        wanted = self.folder / "wanted.json"
        wanted.write_text(json.dumps({"first": [name for _, name in reach], "patience": patience}))
        broken = self.folder / "it/src/holdfast" / mutant.module
        whole, times = broken.read_bytes(), broken.stat()
        broken.write_bytes(mutant.source())
        try:
            done = self.ran(MODULES[mutant.module], **{WANTED: str(wanted)})
        finally:
            broken.write_bytes(whole)
            os.utime(broken, ns=(times.st_atime_ns, times.st_mtime_ns))  # what was compiled of it is good again
        failed = re.search(rb"(?m)^(?:FAILED|ERROR) (\S+)", done.stdout)
        return "" if not done.returncode else failed[1].decode() if failed else f"exit code {done.returncode}"


def main(modules: list[str], each: int, seed: int, at_once: int) -> int:
    """A line for each module; 1 where too many survive."""
    benches: Queue[Bench] = Queue()
    for _ in range(at_once):
        benches.put(Bench(modules))
    bench = benches.get()
    seen = bench.seen(" ".join({name: None for module in modules for name in MODULES[module].split()}))
    benches.put(bench)
    low = False
    for module in modules:
        every = [mutant for mutant in mutants(module) if _compiles(mutant)]
        drawn = random.Random(seed).sample(every, min(each, len(every)))  # the same ones each time

        def tried(mutant: Mutant) -> bool:
            bench = benches.get()
            try:
                found = bench.found_by(mutant, seen)
            finally:
                benches.put(bench)
            print(f"  {mutant.told()}: {f'found by {found}' if found else 'SURVIVED'}", file=sys.stderr, flush=True)
            return not found

        with ThreadPoolExecutor(at_once) as pool:
            survived = [mutant for mutant, alive in zip(drawn, pool.map(tried, drawn), strict=True) if alive]
        share = 1 - len(survived) / len(drawn)
        low = low or share < REACH
        print(f"{module}: {share:.2f} of {len(drawn)} found out (there are {len(every)})", flush=True)
        for mutant in survived:
            print(f"  {mutant.told()}", flush=True)
    while not benches.empty():
        shutil.rmtree(benches.get().folder)
    return int(low)


def _names(tests: str) -> Iterator[str]:
    """How the files of these tests begin: `test_cli` is one file, `k1_` that of a promise."""
    for name in tests.split():
        yield f"test_{name}" if name.endswith("_") else f"{name}."


def _compiles(mutant: Mutant) -> bool:
    try:
        return bool(compile(mutant.source(), mutant.module, "exec"))
    except SyntaxError:
        return False


if __name__ == "__main__":
    words = sys.argv[1:]
    numbers = {flag: int(words.pop(words.index(flag) + 1)) for flag in ("--each", "--seed", "--at-once") if flag in words}
    named = [word for word in words if not word.startswith("--")]
    sys.exit(main(named or list(MODULES), numbers.get("--each", 40), numbers.get("--seed", 7), numbers.get("--at-once", 2)))
