"""What must be there afterwards, kept outside the process under test (as RocksDB and Jepsen do)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass
class Acks:
    """`ok` must be there, whole. `unknown` may be there, whole, or not at all."""

    ok: dict[str, bytes] = field(default_factory=dict)
    unknown: dict[str, bytes] = field(default_factory=dict)

    def lost(self, found: Mapping[str, bytes]) -> list[str]:
        """What was acknowledged and is not there."""
        return sorted(name for name in self.ok if name not in found)

    def torn(self, found: Mapping[str, bytes]) -> list[str]:
        """What is there with other bytes than were given, acknowledged or not."""
        given = {**self.unknown, **self.ok}
        return sorted(name for name in given if name in found and found[name] != given[name])
