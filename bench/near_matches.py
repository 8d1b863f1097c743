"""What the guard takes for texts of nothing but near-matches, for each rule its own: ms of processor time a megabyte.

    python bench/near_matches.py [HOW MANY TO SHOW] [--varied]

Reach (S11): 2 s for 10 MB of all near-matches together. That the time grows with the text and no faster
is counted, not timed, by tests/promises/test_s11_rules_are_linear.py. Two readings:

    whole   the whole guard on the near-match; the 2 s for 10 MB are judged by it
    own     the same, less what the same engine takes for as many bytes of ordinary words; the 50 ms are judged by it

Lower case, the search for all telltales, disguises and what is private are paid by every text whatever is in it, and would be
counted again for each rule. What a near-match takes beyond that is what its rule does to the time, wherever it is spent: in the
search, in the rule, or on places that the search hands over in vain.

`--varied` takes near-matches of which no two are alike: other words, letters and digits behind each telltale. What a guard
remembers of one helps it with the next only where they are the same, and nobody who means it says the same thing over and over.

The floor is measured right before each near-match, since the machine has other work to do as well: the best of five of each.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from near_matches import CASES, NESTED, text_of, varied  # type: ignore[import-not-found]

LENGTH = 50_000
REACH = 50  # ms a megabyte for one rule
ENGINES = {"the base install": "by_vocabulary", "the extra `fast`": "by_hyperscan"}
ORDINARY = """
    the of and a to in is was that for it with as his on be at by this had not are but from or have an they which one you were all
    her she there would their we him been has when who will no more if out so said what up its about into than them can only other
    time new some could these two may first then do any like my now over such our man me even most made after also did many before
    must through back years where much your way well down should because each just those people how too little state good very
    make world still see own men work long here get both between life being under never day same another know while last might
""".split()  # noqa: SIM905


def main(shown: int, text_for: Callable[[str, int], str], cases: Iterable[str]) -> int:
    """A table of the dearest for each engine, and how all of them do."""
    from holdfast.guard import telltales

    for what, name in ENGINES.items():
        engine = getattr(telltales, name)
        try:
            engine("")
        except ImportError:
            print(f"\n{what}: not installed")
            continue
        telltales._chosen[:], telltales._searched[0] = [engine], telltales.LONG_IN_ALL
        taken = sorted(((*readings(text_for(case, LENGTH)), case) for case in cases), reverse=True)
        print(f"\n| {what}: own | whole, ms a MB | near-match |\n|---|---|---|")
        for own, whole, case in taken[:shown]:
            print(f"| {own:,.0f} | {whole:,.0f} | {case} |")
        print(f"\n{len(taken)} near-matches")
        for reading, times in (("own", [own for own, _, _ in taken]), ("whole", [whole for _, whole, _ in taken])):
            within = ", ".join(f"{sum(each <= reach for each in times)} within {reach} ms a MB" for reach in (REACH, 200))
            print(f"{reading}: {within}; median {statistics.median(times):.0f}, most {max(times):,.0f}")
        floor = statistics.median(whole - own for own, whole, _ in taken)
        mean = statistics.mean(whole for _, whole, _ in taken)
        print(f"ordinary words: {floor:.0f} ms a MB; 10 MB of all near-matches: {mean / 100:.2f} s")
    return 0


def readings(text: str) -> tuple[float, float]:
    """(the rule's own time, the whole guard's) for a megabyte of a near-match."""
    floor = milliseconds(ordinary(len(text.encode())))
    whole = milliseconds(text)
    return whole - floor, whole


def ordinary(length: int) -> str:
    """So many bytes of words without a telltale; the path at the start is long enough that they are searched at all."""
    dice = random.Random(7)  # noqa: S311
    return f"see/notes/of/the/day {' '.join(dice.choices(ORDINARY, k=length // 3))}"[:length]


def milliseconds(text: str) -> float:
    """Processor time for a megabyte of a text. What is kept from text to text is driven out by another one first."""
    from holdfast.guard.entering import redacted

    best = 1e9
    for number in range(5):
        for other in ("token one", "token two"):
            redacted(f"{other} of {number}, and 100 % of it")
        begun = time.process_time()
        redacted(text)
        best = min(best, time.process_time() - begun)
    return best * 1e9 / len(text.encode())


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    if "--varied" in sys.argv:
        sys.exit(main((numbers or [20])[0], varied, [case for case in CASES if case != NESTED]))
    sys.exit(main((numbers or [20])[0], text_of, CASES))
