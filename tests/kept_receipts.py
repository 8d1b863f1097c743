"""What hooks said that they did."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

BESIDE = ("extract", "upkeep")  # written by processes that hooks begin and nobody waits for: they may come in anywhere between


def by_hooks(path: Path) -> list[dict[str, Any]]:
    """The receipts of a file that hooks themselves have written, the oldest first; none where there is no file."""
    found = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    return [one for one in found if one["event"] not in BESIDE]
