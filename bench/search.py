"""What searching costs, as ratios in one run, and how it grows with the corpus.

    python bench/search.py            the table of docs/performance.md (part of `make bench`)
    python bench/search.py --growth   10,000 to 1,000,000 passages; takes minutes, and some gigabytes of disk

The corpus is made up: words drawn with the frequencies of natural language (Zipf) from a vocabulary of syllables, the same in
every run. A question has five words, as common as those of LoCoMo's questions are in its conversations (quartiles of the share of
passages that have a word: 0.5, 2 and 10 %; names 70 %).
"""

from __future__ import annotations

import os
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

Row = tuple[str, float | None, float]
FILES, EACH = 400, 25
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "60"))
TOKENIZER = "porter unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'"


class Language:
    """A made-up language whose words come as often as those of a real one do."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311
        syllables = [c + v + e for c in "bcdfghjklmnprstvwz" for v in "aeiou" for e in ("", "n", "r", "s", "l")]
        lengths = self.random.choices((2, 3, 4), (2, 2, 1), k=60_000)
        self.words = sorted({"".join(self.random.choices(syllables, k=length)) for length in lengths})
        self.random.shuffle(self.words)
        self.weights = [0.0]
        for rank in range(1, len(self.words) + 1):
            self.weights.append(self.weights[-1] + 1 / (rank + 2.7))
        self.weights.pop(0)

    def passage(self) -> str:
        """About 540 characters, the mean length of a chunk of technical text."""
        return " ".join(self.random.choices(self.words, cum_weights=self.weights, k=self.random.randint(40, 110)))

    def question(self) -> str:
        """Five words that stand in about 50, 10, 2, 2 and 0.5 % of the passages."""
        ranks = ((5, 12), (60, 90), (300, 420), (300, 420), (1300, 1700))
        return " ".join(self.words[self.random.randrange(*between)] for between in ranks)


def fill(workspace: Path, files: int, each: int, language: Language) -> Iterator[str]:
    """A workspace of so many days with so many passages each; gives the passages."""
    memory = workspace / "memory"
    memory.mkdir(parents=True, exist_ok=True)
    for number in range(files):
        passages = [language.passage() for _ in range(each)]
        day = time.strftime("%Y-%m-%d", time.gmtime(1_600_000_000 + number % 1800 * 86400))
        folder = memory if files < 2000 else memory / f"{number // 1000:04}"
        folder.mkdir(exist_ok=True)
        path = folder / f"{day}-{number:05}.md"
        path.write_text(f"# {day}\n\n## {language.words[number % 500]}\n\n" + "\n".join(f"- {text}" for text in passages) + "\n")
        os.utime(path, (1_700_000_000, 1_700_000_000))
        yield from passages


def bare(passages: list[str], path: Path) -> float:
    """A plain FTS5 table of the same texts, nothing else; how long it took."""
    begun = time.perf_counter()
    db = sqlite3.connect(path, isolation_level=None)
    db.executescript("pragma journal_mode=off; pragma synchronous=off; begin")
    db.execute(f'create virtual table plain using fts5(text, tokenize="{TOKENIZER}")')
    db.executemany("insert into plain values(?)", ((text,) for text in passages))
    db.execute("commit")
    db.close()
    return time.perf_counter() - begun


def built(workspace: Path) -> float:
    """The first build of the index."""
    from holdfast.config import Config
    from holdfast.index import NAME, up_to_date

    (workspace / ".holdfast" / NAME).unlink(missing_ok=True)
    begun = time.perf_counter()
    up_to_date(str(workspace), Config(), time.time()).close()
    return time.perf_counter() - begun


def asked(workspace: Path, plain: Path, questions: list[str]) -> tuple[float, float, float]:
    """Medians of (the bare FTS5 query, ours in a warm process, ours with the look at every file), question by question."""
    from holdfast import recall
    from holdfast.config import Config
    from holdfast.index import Wanted, up_to_date

    db = sqlite3.connect(plain)
    index = up_to_date(str(workspace), Config(), time.time())
    times: tuple[list[float], list[float], list[float]] = ([], [], [])
    for question in questions * 2:
        match = " OR ".join(f'"{word}"' for word in question.split())
        moments = [time.perf_counter()]
        db.execute("select rowid, text from plain where plain match ? order by rank limit 10", (match,)).fetchall()
        moments.append(time.perf_counter())
        recall.answered(index, question, Wanted(), 10, time.time())
        moments.append(time.perf_counter())
        recall.search(str(workspace), question, Config(), time.time())
        moments.append(time.perf_counter())
        for kind in range(3):
            times[kind].append(moments[kind + 1] - moments[kind])
    index.close()
    db.close()
    one, two, three = (statistics.median(values[len(questions) :]) for values in times)
    return one, two, three


def rows(python: str, holdfast: str, medians: Callable[[dict[str, list[str]]], dict[str, float]]) -> list[Row]:
    """The rows of `make bench`."""
    with tempfile.TemporaryDirectory(prefix="holdfast-search-") as folder:
        workspace, language = Path(folder) / "workspace", Language(1)
        passages = list(fill(workspace, FILES, EACH, language))
        (workspace / ".holdfast").mkdir()
        builds = [(built(workspace), bare(passages, Path(folder) / f"plain-{i}.sqlite")) for i in range(3)]
        questions = [language.question() for _ in range(ROUNDS)]
        plain, warm, looked = asked(workspace, Path(folder) / "plain-0.sqlite", questions)
        search = [holdfast, "--workspace", str(workspace), "search", questions[0]]
        cold = medians({"bare": [python, "-I", "-c", "pass"], "search": search})
    ours, theirs = (statistics.median(times) for times in zip(*builds, strict=True))
    print(
        f"process {1000 * cold['search']:.1f} ms, warm {1000 * warm:.2f} ms, with a look at files {1000 * looked:.2f} ms, "
        f"bare query {1000 * plain:.2f} ms, build {ours:.2f} s, bare insert {theirs:.2f} s"
    )
    size = f"{FILES * EACH:,} passages in {FILES} files"
    return [
        (f"`holdfast search`, {size} / bare interpreter", cold["search"] / cold["bare"], 4),
        ("a search in a warm process / the bare FTS5 query", warm / plain, 2),
        ("first build of the index / a bare FTS5 insert of the same text", ours / theirs, 2),
    ]


def growth() -> None:
    """Build, size, question and update, from 10,000 to 1,000,000 passages."""
    from holdfast.config import Config
    from holdfast.index import NAME, up_to_date

    print("| passages | files | build s | index MB | question ms | with a look at the files ms | bare FTS5 ms | one edit ms |")
    print("|---|---|---|---|---|---|---|---|")
    for files in (400, 1_600, 4_000, 16_000, 40_000):
        with tempfile.TemporaryDirectory(prefix="holdfast-growth-") as folder:
            workspace, language = Path(folder) / "workspace", Language(2)
            (workspace / ".holdfast").mkdir(parents=True)
            plain = Path(folder) / "plain.sqlite"
            bare(list(fill(workspace, files, EACH, language)), plain)
            build = built(workspace)
            size = (workspace / ".holdfast" / NAME).stat().st_size / 1e6
            bare_ms, warm, looked = (1000 * t for t in asked(workspace, plain, [language.question() for _ in range(12)]))
            (workspace / "MEMORY.md").write_text("# Memory\n\n- one more line\n")
            begun = time.perf_counter()
            up_to_date(str(workspace), Config(), time.time()).close()
            edit = 1000 * (time.perf_counter() - begun)
            times = f"{warm:.1f} | {looked:.1f} | {bare_ms:.1f} | {edit:.0f}"
            print(f"| {files * EACH:,} | {files:,} | {build:.2f} | {size:.1f} | {times} |", flush=True)


if __name__ == "__main__":
    if sys.argv[1:] == ["--growth"]:
        growth()
    else:
        sys.exit("make bench runs this; --growth measures how the cost grows")
