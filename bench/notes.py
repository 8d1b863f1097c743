"""How well notes are classified: F1 of each type on each part of tests/data/notes.tsv, beside lists of keywords.

python bench/notes.py                    the table of docs/notes.md
python bench/notes.py --against FILE     beside the list in FILE too: a Python file with `TYPE_KEYWORDS = {type: [word]}`, as
seed C's own classify_memory.py has one; it is read, not run
python bench/notes.py --wrong PART       the notes of a part that are judged wrongly, with the words that decided
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from holdfast.capture.classifying import classified
from holdfast.model import TYPES

NOTES = Path(__file__).parent.parent / "tests" / "data" / "notes.tsv"
SEED = Path(__file__).parents[2] / "shared" / "seeds" / "002_03f28a3bec732f04.txt"
Labelled = tuple[str, str, str, str]  # part, type, language, text


def notes(path: Path = NOTES) -> list[Labelled]:
    """The labelled notes."""
    rows = [line.split("\t") for line in path.read_text().split("\n") if line and not line.startswith("#")]
    return [(part, kind, language, text) for part, kind, language, text in rows]


def f1(pairs: Sequence[tuple[str, str]]) -> dict[str, float]:
    """(what it is, what it was taken for) → F1 of each type."""
    found = {}
    for kind in TYPES:
        right = sum(is_ == taken == kind for is_, taken in pairs)
        all_ = sum(is_ == kind for is_, _ in pairs) + sum(taken == kind for _, taken in pairs)
        found[kind] = 2 * right / all_ if all_ else 0.0
    return found


def macro(scores: Mapping[str, float]) -> float:
    """The mean over the types, each counting the same."""
    return sum(scores.values()) / len(TYPES)


# ---- what it is compared with ------------------------------------------------------------------------------------------


def by_keywords(lists: Mapping[str, Sequence[str]]) -> Callable[[str], str]:
    """The seed's way: the type with the most of its words anywhere in the text, the first of those that have as many."""

    def judge(text: str) -> str:
        lower = text.lower()
        scores = {kind: sum(word in lower for word in words) for kind, words in lists.items()}
        best = max(scores, key=lambda kind: scores[kind])
        return best if scores[best] else ""

    return judge


def seed_lists(path: Path = SEED) -> dict[str, list[str]]:
    """What seed C's document says that each type is, in English and in Chinese, word by word; empty where it is not here."""
    if not path.exists():
        return {}
    english, _, chinese = path.read_text().partition("Memory Types")[2].partition("内存类型")
    said = re.findall(r"(?:\[PREF\]|INLINECODE\d+) — ([^\n]+?)(?= - INLINECODE|\n| - \n)", english)[: len(TYPES)]
    lists = {kind: re.split(r"[,\s]+", words) for kind, words in zip(TYPES, said, strict=True)}
    for kind, words in re.findall(r"^[- ]*\[([A-Z]+)\] — (.+)$", chinese, re.M):
        lists[kind] += re.split(r"[、,，]", words)
    return {kind: [word.strip().lower().removesuffix("s") for word in words] for kind, words in lists.items()}


def lists_in(path: Path) -> dict[str, list[str]]:
    """`TYPE_KEYWORDS` of a Python file."""
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "TYPE_KEYWORDS":
            found: dict[str, list[str]] = ast.literal_eval(node.value)
            return found
    sys.exit(f"{path} has no TYPE_KEYWORDS")


# ---- the table ---------------------------------------------------------------------------------------------------------


def row(name: str, rows: Sequence[Labelled], judge: Callable[[str], str]) -> str:
    """One line of the table."""
    scores = f1([(kind, judge(text)) for _, kind, _, text in rows])
    return f"| {name} | {len(rows)} | " + " | ".join(f"{scores[kind]:.2f}" for kind in TYPES) + f" | **{macro(scores):.2f}** |"


def main(argv: list[str]) -> None:
    """Print the table, or what is wrong."""
    rows = notes()
    if argv[:1] == ["--wrong"]:
        for part, kind, _, text in rows:
            judged = classified(text)
            if part == argv[1] and judged.type != kind:
                print(f"{kind} → {judged.type or 'none'} {judged.confidence:.2f}  {text}  {', '.join(judged.because)}")
        return
    print(f"| | notes | {' | '.join(TYPES)} | macro |\n|---|---|{'---|' * len(TYPES)}---|")
    groups = {f"part {part}": [r for r in rows if r[0] == part] for part in dict.fromkeys(r[0] for r in rows)}
    groups |= {"English": [r for r in rows if r[2] == "en"], "Chinese": [r for r in rows if r[2] == "zh"]}
    groups |= {"other languages": [r for r in rows if r[2] not in ("en", "zh")], "all": rows}
    for name, group in groups.items():
        print(row(name, group, lambda text: classified(text).type))
    if lists := seed_lists():
        print(row("all, by the words of seed C's types", rows, by_keywords(lists)))
    else:
        print("\nThe seed's document is not here: nothing to compare with.")
    if argv[:1] == ["--against"]:
        print(row(f"all, by the list of {Path(argv[1]).name}", rows, by_keywords(lists_in(Path(argv[1])))))


if __name__ == "__main__":
    main(sys.argv[1:])
