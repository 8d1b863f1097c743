"""What searching costs, as ratios in one run, and how it grows with the corpus.

    python bench/search.py            the table of docs/performance.md (part of `make bench`)
    python bench/search.py --growth   10,000 to 1,000,000 passages, with a plot; takes minutes, and some gigabytes of disk
    python bench/search.py --counted  the same builds in instructions, which no other work on the machine changes; needs valgrind,
                                      and takes most of an hour

The corpus is made up: words drawn with the frequencies of natural language (Zipf) from a vocabulary of syllables, the same in
every run. Questions are of mixed rarity, by turns:

    common   five words, as common as those of LoCoMo's questions are in its conversations (quartiles of the share of passages
             that have a word: 0.5, 2 and 10 %; names 70 %)
    mixed    six words that stand in some tens to some hundreds of 10,000 passages
    rare     four words that stand in a few to some tens
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
RANKS = {  # of the words of a question, in order of frequency
    "common": ((5, 12), (60, 90), (300, 420), (300, 420), (1300, 1700)),
    "mixed": ((300, 5000),) * 6,
    "rare": ((800, 8000),) * 4,
}
SIZES = {400: 7, 1_600: 7, 4_000: 5, 16_000: 3, 40_000: 3}  # files, of 25 passages each → builds that are timed
SMALLEST = min(SIZES)
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

    def question(self, kind: str) -> str:
        """A question of a rarity."""
        return " ".join(self.words[self.random.randrange(*between)] for between in RANKS[kind])


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


def bare(passages: list[str], path: Path, clock: Callable[[], float] = time.perf_counter) -> float:
    """A plain FTS5 table of the same texts, nothing else; how long it took."""
    begun = clock()
    db = sqlite3.connect(path, isolation_level=None)
    db.executescript("pragma journal_mode=off; pragma synchronous=off; begin")
    db.execute(f'create virtual table plain using fts5(text, tokenize="{TOKENIZER}")')
    db.executemany("insert into plain values(?)", ((text,) for text in passages))
    db.execute("commit")
    db.close()
    return clock() - begun


def worked() -> float:
    """Seconds of the processor, of this process and of those that have worked for it."""
    import resource

    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def built(workspace: Path) -> tuple[float, float]:
    """The first build of the index: seconds on the clock, and of the processor."""
    from holdfast.config import Config
    from holdfast.recall.index import NAME, up_to_date

    (workspace / ".holdfast" / NAME).unlink(missing_ok=True)
    begun = time.perf_counter(), worked()
    up_to_date(str(workspace), Config(), time.time()).close()
    return time.perf_counter() - begun[0], worked() - begun[1]


def built_apart(workspace: Path) -> tuple[float, float]:
    """The same in a process of its own, as it is for who searches first."""
    import subprocess

    words = [sys.executable, __file__, "--build", str(workspace)]
    wall, processor = subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()
    return float(wall), float(processor)


class Times:
    """Seconds for one kind of question: the bare FTS5 query, ours in a warm process, ours with a look at every file."""

    def __init__(self) -> None:
        self.bare: list[float] = []
        self.warm: list[float] = []
        self.looked: list[float] = []

    def medians(self) -> tuple[float, float, float]:
        """Bare, warm, with a look at the files."""
        return statistics.median(self.bare), statistics.median(self.warm), statistics.median(self.looked)


def asked(workspace: Path, plain: Path, questions: list[str], clock: Callable[[], float]) -> Times:
    """Each question asked of the bare table and of ours, one after the other; the first round warms up."""
    from holdfast.config import Config
    from holdfast.recall import answering as recall
    from holdfast.recall.asking import Wanted
    from holdfast.recall.index import up_to_date

    db = sqlite3.connect(plain)
    times = Times()
    for again in (False, True):
        for question in questions:
            index = up_to_date(str(workspace), Config(), time.time())  # a new one: it remembers what it has counted
            match = " OR ".join(f'"{word}"' for word in question.split())
            moments = [clock()]
            db.execute("select rowid, text from plain where plain match ? order by rank limit 10", (match,)).fetchall()
            moments.append(clock())
            recall.answered(index, question, Wanted(), 10, time.time())
            moments.append(clock())
            index.close()
            moments.append(clock())
            recall.search(str(workspace), question, Config(), time.time())
            moments.append(clock())
            if again:
                times.bare.append(moments[1] - moments[0])
                times.warm.append(moments[2] - moments[1])
                times.looked.append(moments[4] - moments[3])
    db.close()
    return times


def rows(python: str, holdfast: str, medians: Callable[[dict[str, list[str]]], dict[str, float]]) -> list[Row]:
    """The rows of `make bench`."""
    with tempfile.TemporaryDirectory(prefix="holdfast-search-") as folder:
        workspace, language = Path(folder) / "workspace", Language(1)
        passages = list(fill(workspace, FILES, EACH, language))
        (workspace / ".holdfast").mkdir()
        builds = [(built(workspace)[0], bare(passages, Path(folder) / f"plain-{i}.sqlite")) for i in range(3)]
        plain = Path(folder) / "plain-0.sqlite"
        questions = {kind: [language.question(kind) for _ in range(ROUNDS // 3)] for kind in RANKS}
        times = {kind: asked(workspace, plain, each, time.perf_counter) for kind, each in questions.items()}
        search = [holdfast, "--workspace", str(workspace), "search", questions["mixed"][0]]
        nothing = [holdfast, "--workspace", str(workspace), "search", "qqqqzz"]
        cold = medians({"bare": [python, "-I", "-c", "pass"], "search": search, "nothing": nothing})
    ours, theirs = (statistics.median(each) for each in zip(*builds, strict=True))
    for kind, time_ in times.items():
        one, two, three = (1000 * each for each in time_.medians())
        print(f"{kind}: bare query {one:.2f} ms, warm {two:.2f} ms, with a look at files {three:.2f} ms")
    print(
        f"process {1000 * cold['search']:.1f} ms, one that finds nothing {1000 * cold['nothing']:.1f} ms, "
        f"bare interpreter {1000 * cold['bare']:.1f} ms, build {ours:.2f} s, bare insert {theirs:.2f} s"
    )
    size = f"{FILES * EACH:,} passages in {FILES} files"
    all_warm, all_bare = (sum(sum(getattr(time_, which)) for time_ in times.values()) for which in ("warm", "bare"))
    return [
        (f"`holdfast search`, {size} / bare interpreter", cold["search"] / cold["bare"], 4),
        ("searches of mixed rarity in a warm process / the bare FTS5 queries", all_warm / all_bare, 2),
        ("first build of the index / a bare FTS5 insert of the same text", ours / theirs, 2),
    ]


# ---- growth ------------------------------------------------------------------------------------------------------------

COLUMNS = (
    "build s",
    "a small one s",
    "build CPU s",
    "a small one CPU s",
    "bare insert s",
    "index MB",
    "after an edit ms",
    "look ms",
    "question ms",
    "bare FTS5 ms",
    "process ms",
    "nothing found ms",
)


def growth() -> None:
    """Build, edit and question, from 10,000 to 1,000,000 passages, in CPU time: other work on the machine does not count. What a
    person waits for is the build, which two processes share: it is shown by the clock too.

    The machine is slower in one minute than in another all the same, by half, and writes what it was given to keep a while after.
    So the clock starts when the files are on the disk, and each build is made several times with small ones beside it; the plot
    shows the median of the builds as a multiple of the median of those.
    """
    print(f"| passages | files | {' | '.join(COLUMNS)} |")
    print("|---" * (len(COLUMNS) + 2) + "|")
    table = []
    for files in SIZES:
        with tempfile.TemporaryDirectory(prefix="holdfast-growth-") as folder:
            table.append(measured(Path(folder), files))
        print(f"| {files * EACH:,} | {files:,} | {' | '.join(f'{value:,.4g}' for value in table[-1])} |", flush=True)
    print()
    print(plotted(table))


def filled(folder: Path, files: int) -> float:
    """What one row of the table is measured with; how long the bare insert of it took, in seconds of the processor."""
    for name, many in (("small", SMALLEST), ("workspace", files)):
        (folder / name / ".holdfast").mkdir(parents=True)
        passages = list(fill(folder / name, many, EACH, Language(2)))
    return bare(passages, folder / "plain.sqlite", time.process_time)


def measured(folder: Path, files: int) -> list[float]:
    """One row of the table of growth."""
    import subprocess

    from holdfast.config import Config
    from holdfast.recall.index import NAME, up_to_date

    workspace, small, plain, clock = folder / "workspace", folder / "small", folder / "plain.sqlite", time.process_time
    # In a process of its own: one whose memory was once full of all texts is slower at everything, and no user's is.
    filling = [sys.executable, __file__, "--fill", str(folder), str(files)]
    insert = float(subprocess.run(filling, check=True, capture_output=True, text=True).stdout)
    os.sync()
    beside = [built_apart(small) for _ in range(3)]
    builds = []
    for _ in range(SIZES[files]):
        builds.append(built_apart(workspace))
        beside += [built_apart(small) for _ in range(3)]
    ours, theirs = (tuple(map(statistics.median, zip(*each, strict=True))) for each in (builds, beside))
    size = (workspace / ".holdfast" / NAME).stat().st_size / 1e6
    language = Language(2)
    questions = [language.question(kind) for _ in range(6) for kind in RANKS]
    one, two, _ = asked(workspace, plain, questions, clock).medians()
    days = sorted((workspace / "memory").rglob("*.md"))
    edits: list[float] = []
    looks: list[float] = []
    for number in range(8):
        day = days[number * len(days) // 8]
        day.write_text(day.read_text() + f"- one more line {number}\n")
        for kept, later in ((edits, 10), (looks, 20)):
            begun = clock()
            up_to_date(str(workspace), Config(), time.time() + later).close()
            kept.append(clock() - begun)

    def process(question: str) -> float:
        begun = worked()
        words = [sys.executable, "-m", "holdfast", "--workspace", str(workspace), "search", question]
        subprocess.run(words, check=True, capture_output=True)
        return worked() - begun

    cold = statistics.median(process(question) for question in questions[:6])
    nothing = statistics.median(process("qqqqzz") for _ in range(3))
    edit, look = statistics.median(edits), statistics.median(looks)
    seconds = (ours[0], theirs[0], ours[1], theirs[1], insert)
    return [*seconds, size, *(1000 * value for value in (edit, look, two, one, cold, nothing))]


def plotted(table: list[list[float]]) -> str:
    """Each column as a multiple of its first value, on a logarithmic scale; a build as one of the small ones made beside it."""
    from math import log10

    columns = dict(zip(COLUMNS, zip(*table, strict=True), strict=True))
    multiples = {"the corpus": [files / SMALLEST for files in SIZES]}
    for kind, named in (("", "build / small one"), ("CPU ", "… in CPU time")):
        pairs = zip(columns.pop(f"build {kind}s"), columns.pop(f"a small one {kind}s"), strict=True)
        multiples[named] = [big / small for big, small in pairs]
    multiples |= {name: [value / values[0] for value in values] for name, values in columns.items()}
    lines = []
    for name, values in multiples.items():
        for files, times in zip(SIZES, values, strict=True):
            bar = "█" * round(20 * log10(max(times, 1))) or "▏"
            lines.append(f"{name if files == SMALLEST else '':>17}  {files * EACH:>9,}  {bar} {times:.3g} x")
    return "\n".join(lines)


def counted() -> None:
    """The first build and a search, each in instructions of all processes that take part, from 10,000 to 1,000,000 passages."""
    import shutil
    import subprocess

    if not shutil.which("valgrind"):
        sys.exit("valgrind counts the instructions, and is not installed")
    print("| passages | first build | for each passage | times the smallest | a search | times the smallest |")
    print("|---|---|---|---|---|---|")
    first: list[int] = []
    question = Language(2).question("mixed")
    for files in SIZES:
        with tempfile.TemporaryDirectory(prefix="holdfast-counted-") as folder:
            subprocess.run([sys.executable, __file__, "--fill", folder, str(files)], check=True, capture_output=True)
            build = instructions([__file__, "--build", f"{folder}/workspace"])
            search = instructions(["-m", "holdfast", "--workspace", f"{folder}/workspace", "search", question])
        first = first or [build, search]
        passages, times = files * EACH, [one / smallest for one, smallest in zip((build, search), first, strict=True)]
        print(f"| {passages:,} | {build:,} | {build // passages:,} | {times[0]:.1f} | {search:,} | {times[1]:.1f} |", flush=True)


def instructions(words: list[str]) -> int:
    """What Python runs for some words, and the processes that it begins."""
    import re
    import subprocess

    counting = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", sys.executable]
    done = subprocess.run([*counting, *words], check=True, capture_output=True, text=True)
    return sum(map(int, re.findall(r"Collected : (\d+)", done.stderr)))


if __name__ == "__main__":
    if sys.argv[1:] == ["--growth"]:
        growth()
    elif sys.argv[1:] == ["--counted"]:
        counted()
    elif sys.argv[1:2] == ["--build"]:
        print(*built(Path(sys.argv[2])))
    elif sys.argv[1:2] == ["--fill"]:
        print(filled(Path(sys.argv[2]), int(sys.argv[3])))
    else:
        sys.exit("make bench runs this; --growth and --counted measure how the cost grows")
