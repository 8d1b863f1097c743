"""How many secrets the guard finds, and how often it cries wolf: the figures of docs/security.md.

    python bench/secrets.py [--alarms] [--missed]

Real data are read where they lie beside the repository, in ../shared/data, and nothing of them is kept here; without them
there are the corpora of tests/. `--alarms` and `--missed` show what is behind the two figures. Speed is `make bench`.
"""

from __future__ import annotations

import gzip
import json
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent.parent
sys.path.insert(0, str(HERE / "tests"))

from holdfast.guard.entering import redacted  # noqa: E402
from holdfast.guard.redaction import secrets_in  # noqa: E402
from secret_samples import made  # type: ignore[import-not-found]  # noqa: E402
from vendor_samples import FORMS, IN_A_SENTENCE, SETTINGS  # type: ignore[import-not-found]  # noqa: E402

DATA = HERE.parent / "shared" / "data"


def main(flags: list[str]) -> int:
    """The figures, one a line."""
    print("| measured | |\n|---|---|")
    for what, found, of, missed in recalls():
        print(f"| {what} | {found:,} of {of:,} found ({found / of:.3f}) |")
        if "--missed" in flags:
            print("\n".join(f"    {line[:200]!r}" for line in missed))
    for what, alarms, lines in false_alarms():
        print(f"| {what}, {lines:,} lines | {len(alarms):,} alarms |")
        if "--alarms" in flags:
            print("\n".join(f"    {alarm}" for alarm in alarms))
    return 0


def recalls() -> Iterator[tuple[str, int, int, list[str]]]:
    """(corpus, secrets found, secrets in it, the texts in which one was missed)."""
    path = DATA / "secrets" / "gitleaks.jsonl.gz"
    if path.exists():
        with gzip.open(path, "rt") as file:
            texts = [one["text"] for one in map(json.loads, file) if one["label"]]
        missed = [text for text in texts if not redacted(text)[1]]
        yield "test strings of gitleaks", len(texts) - len(missed), len(texts), missed
    else:
        print(f"| test strings of gitleaks | not measured: no {path.name} beside the repository |")
    forms = [(IN_A_SENTENCE, made(template)) for template in FORMS.values()]
    settings = [(words, made(template)) for words, template in SETTINGS.values()]
    for what, samples in (("further providers' keys in a sentence", forms), ("further providers' settings", settings)):
        missed = [words.replace("@", key) for words, key in samples if key in redacted(words.replace("@", key))[0]]
        yield what, len(samples) - len(missed), len(samples), missed


def false_alarms() -> Iterator[tuple[str, list[str], int]]:
    """(corpus, what was taken for a secret, lines of it)."""
    transcripts = sorted((DATA / "transcripts").rglob("*.gz"))
    if transcripts:
        lines = {line for path in transcripts for text in said_in(path) for line in text.split("\n")}
        yield "distinct lines of real agent transcripts", alarms_in(sorted(lines)), len(lines)
    locomo = sorted((DATA / "locomo").glob("*.json"))
    if locomo:
        lines = {line for path in locomo for text in texts_of(json.loads(path.read_text())) for line in text.split("\n")}
        yield "distinct lines of long conversations", alarms_in(sorted(lines)), len(lines)
    library = Path(sysconfig.get_path("stdlib"))
    files = [*library.rglob("*.py"), *(HERE / "src").rglob("*.py"), *HERE.glob("*.md"), *(HERE / "docs").rglob("*.md")]
    kept = [path for path in files if "site-packages" not in path.parts and "test" not in path.parts]
    texts = [path.read_text(errors="surrogateescape") for path in kept]
    yield "source and documents", [one for text in texts for one in alarms_in([text])], sum(text.count("\n") for text in texts)


def said_in(path: Path) -> Iterator[str]:
    """Every text of a transcript, as it was before JSON."""
    with gzip.open(path, "rt", errors="surrogateescape") as file:
        for line in file:
            try:
                yield from texts_of(json.loads(line))
            except ValueError:
                yield line


def texts_of(value: object) -> Iterator[str]:
    """Every text in a value made of JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from texts_of(item)


def alarms_in(texts: list[str]) -> list[str]:
    """What is taken for a secret in texts that have none, with what stands around it; a megabyte at once, for speed."""
    found: list[str] = []
    piece: list[str] = []
    for number, text in enumerate(texts):
        piece.append(text)
        if sum(map(len, piece[-50:])) > 1_000_000 or len(piece) >= 20_000 or number == len(texts) - 1:
            whole = "\n".join(piece)
            found += [f"{kind}: {whole[max(0, a - 60) : b + 20]!r}" for a, b, kind, _ in secrets_in(whole)]
            piece = []
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
