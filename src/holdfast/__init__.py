"""Holdfast: the memory that lets a long-running AI agent survive compaction, reset and crash."""

from __future__ import annotations

__version__ = "0.1.0"
__all__ = ["Memory", "__version__"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .memory import Memory


def __getattr__(name: str) -> object:
    # Imported where used: `import holdfast` must cost nothing on the path of a hook.
    if name == "Memory":
        from .memory import Memory

        return Memory
    raise AttributeError(f"module 'holdfast' has no attribute {name!r}")
