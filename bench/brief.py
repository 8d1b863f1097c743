"""How much of a session a brief brings back: the benchmarks that lie beside the repository, run on this checkout.

They read real public sessions, of which nothing is kept here: without ../shared this says so and stops.

  .venv/bin/python bench/brief.py [--budget 9000]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

SHARED = Path(__file__).resolve().parents[2] / "shared"
TALKS = SHARED / "data" / "conversations" / "realmem_visible.json"
SESSIONS = SHARED / "data" / "transcripts"


def main() -> int:
    """Run each benchmark in turn, and print what it prints."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--budget", default="9000", help="characters of a brief")
    budget = ["--budget", arguments.parse_args().budget]
    if not TALKS.exists():
        print(f"{TALKS} is not there: nothing to measure with.")
        return 1
    talk, work = SHARED / "bench" / "conversation.py", SHARED / "bench" / "continuity.py"
    runs = [
        [talk, "run", TALKS, "--system", "openclaw", *budget],
        [talk, "run", TALKS, "--system", "claude-code", *budget],
        [talk, "run", TALKS, "--system", "tail", *budget],
        [talk, "isolation", TALKS],
        *([work, SESSIONS / host, "--system", "hook", "--host", host, *budget] for host in ("claude-code", "codex")),
    ]
    env = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    for run in runs:
        print(f"\n== {' '.join(str(word) for word in run[1:] if word is not TALKS)}", flush=True)
        subprocess.run([sys.executable, *map(str, run)], env=env, check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
