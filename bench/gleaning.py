"""What is kept of what users say, without anybody looking: precision and recall on tests/data/said.tsv.

python bench/gleaning.py                    the table of docs/notes.md
python bench/gleaning.py --wrong PART       the messages of a part of which the wrong thing, or nothing, or too much is kept
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from holdfast.capture.extracting import Said
from holdfast.capture.lasting import is_worth_a_look, plain
from holdfast.capture.signs import may_last

SAID = Path(__file__).parent.parent / "tests" / "data" / "said.tsv"
Message = tuple[str, str, str, str]  # part, what ought to be kept of it, language, text


def messages(path: Path = SAID) -> list[Message]:
    r"""The labelled messages; `\n` in one is a line's end."""
    rows = [line.split("\t") for line in path.read_text().split("\n") if line and not line.startswith("#")]
    return [(part, kind, language, text.replace("\\n", "\n")) for part, kind, language, text in rows]


def kept(text: str) -> list[str]:
    """The types of what is kept of a message, all the way: past both looks of the hooks, then as gleaning reads it."""
    if not (may_last(text) and is_worth_a_look(text)):
        return []
    return [item.type for item in plain([Said(text, "user", "", "2026-11-16")])]


def counts(rows: Sequence[Message]) -> tuple[int, int, int, int]:
    """How many messages have something to keep; of how many something was kept; rightly; and with the right type."""
    taken = [(kind, kept(text)) for _, kind, _, text in rows]
    wanted = sum(kind != "-" for kind, _ in taken)
    right = sum(kind != "-" and bool(types) for kind, types in taken)
    return wanted, sum(bool(types) for _, types in taken), right, sum(kind in types for kind, types in taken)


def row(name: str, rows: Sequence[Message]) -> str:
    """One line of the table."""
    wanted, taken, right, typed = counts(rows)
    precision = f"{right / taken:.2f}" if taken else "–"
    recall = f"{right / wanted:.2f}" if wanted else "–"
    return f"| {name} | {len(rows)} | {wanted} | {taken} | {right} | {typed} | **{precision}** | {recall} |"


def main(argv: list[str]) -> None:
    """Print the table, or what is wrong."""
    rows = messages()
    if argv[:1] == ["--wrong"]:
        for part, kind, language, text in rows:
            types = kept(text)
            if part == argv[1] and types != [kind] and (types or kind != "-"):
                print(f"{kind:6} {language}  kept: {', '.join(types) or 'nothing':8}  {text!r}")
        return
    print("| | messages | to keep | kept | rightly | right type too | precision | recall |\n|---|---|---|---|---|---|---|---|")
    groups = {f"part {part}": [r for r in rows if r[0] == part] for part in dict.fromkeys(r[0] for r in rows)}
    for name, tongues in {"English": ("en",), "Chinese": ("zh",)}.items():
        groups[name] = [r for r in rows if r[2] in tongues]
    groups |= {"other languages": [r for r in rows if r[2] not in ("en", "zh")], "all": rows}
    for name, group in groups.items():
        print(row(name, group))


if __name__ == "__main__":
    main(sys.argv[1:])
