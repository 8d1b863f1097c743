"""Do the tests find out what breaks? `python tests/mutants.py [MODULE …] [--each N] [--seed N]` breaks the code, again and again.

A mutant is a module with one small mistake in it: a comparison turned round, a step left out, `or` for `and`, one more or less.
A sample of them is drawn from each module whose faults would lose or leak what people cannot re-create, and the module's tests
run against each: a mutant is found out where one fails, or where they take ten times as long as they do. First those that are
quick; who gets past them meets all the others. What survives is printed with its line. At least nine of ten must not.

Texts, annotations and the sizes at the top of a module are left as they are: to change them breaks nothing that is promised.
Some of what survives does the same as before by another way, and counts as survived all the same.
"""

from __future__ import annotations

import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
AT_ONCE = 2
REACH = 0.9
# Of each module: the tests that are quick, and all that are asked about it.
MODULES = {
    "storage/disk.py": ("test_without_exchange test_links test_notes", "test_cli k1_ d4_ d5_ s7_ s8_ u1_ d3_"),
    "storage/store.py": ("test_without_exchange test_notes", "test_cli test_links k1_ c2_ d3_ d4_ d5_ d7_ u1_ u2_"),
    "storage/journal.py": ("test_without_exchange test_notes", "test_cli k1_ k6_ d3_ d5_ c1_ s13_"),
    "storage/exchange.py": ("test_without_exchange", "test_cli u1_ d3_ c3_"),
    "guard/redaction.py": ("s3_", "test_redaction s2_ s1_ test_secrets_told s11_"),
    "guard/assigned.py": ("s3_", "test_redaction s2_ s1_ test_secrets_told s11_"),
    "recall/index.py": ("k4_", "test_search"),
}
COMPARED = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip
RECKONED = {ast.Add: "-", ast.Sub: "+", ast.Mult: "//", ast.BitOr: "&", ast.BitAnd: "|"}


class Mutant(NamedTuple):
    """One mistake: the bytes from `start` to `end` of a module give way to others."""

    module: str
    start: int
    end: int
    instead: bytes
    line: int

    def source(self) -> bytes:
        """The module with the mistake in it."""
        whole = (ROOT / "src/holdfast" / self.module).read_bytes()
        return whole[: self.start] + self.instead + whole[self.end :]

    def told(self) -> str:
        """Where it is, and what has become of what."""
        before = (ROOT / "src/holdfast" / self.module).read_bytes()[self.start : self.end]
        return f"{self.module}:{self.line}: {before.decode()!r} became {self.instead.decode()!r}"


def mutants(module: str) -> Iterator[Mutant]:
    """Every mistake that is tried, one at a time."""
    source = (ROOT / "src/holdfast" / module).read_bytes()
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
            yield at(left.end_lineno, left.end_col_offset), at(right.lineno, right.col_offset), f" {COMPARED[type(op)]} ".encode()
        case ast.BoolOp(op=op, values=[first, second, *_]):
            other = b" or " if isinstance(op, ast.And) else b" and "
            yield at(first.end_lineno, first.end_col_offset), at(second.lineno, second.col_offset), other
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield start, end, b"bool(" + source[at(operand.lineno, operand.col_offset) : end] + b")"
        case ast.BinOp(left=left, op=op, right=right) if type(op) in RECKONED:
            yield at(left.end_lineno, left.end_col_offset), at(right.lineno, right.col_offset), f" {RECKONED[type(op)]} ".encode()
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


class Bench:
    """A copy of the project in which modules are broken and mended again."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="holdfast-mutants-"))
        shutil.copytree(ROOT, self.folder / "it", ignore=shutil.ignore_patterns(".venv", ".git", "__pycache__", ".*_cache"))

    def passes(self, tests: str, patience: float) -> bool:
        """Whether these tests find nothing."""
        every = sorted(path for path in (self.folder / "it/tests").rglob("test_*.py") if "hosts" not in path.parts)
        wanted = [str(path) for name in tests.split() for path in every if path.name.startswith((f"{name}.", f"test_{name}"))]
        command = [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", "--no-header", *wanted]
        env = {**os.environ, "PYTHONPATH": str(self.folder / "it/src"), "PYTHONDONTWRITEBYTECODE": "1"}
        try:
            done = subprocess.run(command, cwd=self.folder / "it", env=env, check=False, capture_output=True, timeout=patience)
            return done.returncode == 0
        except subprocess.TimeoutExpired:
            return False

    def survives(self, mutant: Mutant, patience: dict[str, float]) -> bool:
        """Whether nobody finds out."""
        broken = self.folder / "it/src/holdfast" / mutant.module
        whole = broken.read_bytes()
        broken.write_bytes(mutant.source())
        try:
            return all(self.passes(tests, patience[tests]) for tests in MODULES[mutant.module])
        finally:
            broken.write_bytes(whole)


def main(modules: list[str], each: int, seed: int) -> int:
    """A line for each module; 1 where too many survive."""
    benches: Queue[Bench] = Queue()
    for _ in range(AT_ONCE):
        benches.put(Bench())
    low = False
    for module in modules:
        every = [mutant for mutant in mutants(module) if _compiles(mutant)]
        drawn = random.Random(seed).sample(every, min(each, len(every)))  # the same ones each time
        patience = {tests: 60 + 10 * _taken(benches, tests) for tests in MODULES[module]}

        def tried(mutant: Mutant, patience: dict[str, float] = patience) -> bool:
            bench = benches.get()
            try:
                return bench.survives(mutant, patience)
            finally:
                benches.put(bench)

        with ThreadPoolExecutor(AT_ONCE) as pool:
            survived = [mutant for mutant, alive in zip(drawn, pool.map(tried, drawn), strict=True) if alive]
        share = 1 - len(survived) / len(drawn)
        low = low or share < REACH
        print(f"{module}: {share:.2f} of {len(drawn)} found out (there are {len(every)})", flush=True)
        for mutant in survived:
            print(f"  {mutant.told()}", flush=True)
    while not benches.empty():
        shutil.rmtree(benches.get().folder)
    return int(low)


def _compiles(mutant: Mutant) -> bool:
    try:
        return bool(compile(mutant.source(), mutant.module, "exec"))
    except SyntaxError:
        return False


def _taken(benches: Queue[Bench], tests: str) -> float:
    """How long tests take on whole code; they must pass there."""
    bench, begun = benches.get(), time.monotonic()
    if not bench.passes(tests, 3600):
        sys.exit(f"These fail before anything is broken: {tests}")
    benches.put(bench)
    return time.monotonic() - begun


if __name__ == "__main__":
    words = sys.argv[1:]
    numbers = {flag: int(words.pop(words.index(flag) + 1)) for flag in ("--each", "--seed") if flag in words}
    named = [word for word in words if not word.startswith("--")]
    sys.exit(main(named or list(MODULES), numbers.get("--each", 40), numbers.get("--seed", 7)))
