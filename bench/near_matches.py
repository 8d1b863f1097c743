"""What the guard takes for texts of nothing but near-matches, for each rule its own: ms of processor time a megabyte.

    python bench/near_matches.py [HOW MANY TO SHOW]

Reach (S11): 50 ms a megabyte for each, and 2 s for 10 MB of all of them together. That the time grows with the text and no
faster is counted, not timed, by tests/promises/test_s11_rules_are_linear.py. The best of three, since the machine has other
work to do as well.
"""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from near_matches import CASES, text_of  # type: ignore[import-not-found]

LENGTH = 50_000
ENGINES = {"the base install": "by_expression", "the extra `fast`": "by_hyperscan"}


def main(shown: int) -> int:
    """A table of the dearest for each engine, and how all of them do."""
    from holdfast.guard import telltales

    for what, name in ENGINES.items():
        engine = getattr(telltales, name)
        try:
            engine("", "")
        except ImportError:
            print(f"\n{what}: not installed")
            continue
        telltales._chosen[:], telltales._searched[0] = [engine], telltales.LONG
        taken = sorted(((milliseconds(case), case) for case in CASES), reverse=True)
        times = [each for each, _ in taken]
        print(f"\n| {what}: ms a MB | near-match |\n|---|---|")
        for each, case in taken[:shown]:
            print(f"| {each:,.0f} | {case} |")
        within = sum(each <= 50 for each in times)
        print(
            f"\n{len(times)} near-matches: {within} within 50 ms a MB, {sum(each <= 200 for each in times)} within 200; median "
            f"{statistics.median(times):.0f}, most {times[0]:,.0f}; 10 MB of all of them {statistics.mean(times) / 100:.1f} s"
        )
    return 0


def milliseconds(case: str) -> float:
    """Processor time for a megabyte of a near-match. What is kept from text to text is driven out by another one first."""
    from holdfast.guard.entering import redacted

    text, best = text_of(case, LENGTH), 1e9
    for number in range(3):
        for other in ("token one", "token two"):
            redacted(f"{other} of {number}, and 100 % of it")
        begun = time.process_time()
        redacted(text)
        best = min(best, time.process_time() - begun)
    return best * 1e9 / len(text.encode())


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 20))
