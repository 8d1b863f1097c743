"""What Holdfast brings along for hosts: the files of `integrations/`, as they are in this version."""

from __future__ import annotations

import os

_HERE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "integrations")


def text(name: str) -> str:
    """One file, by its path below `integrations/`."""
    with open(os.path.join(_HERE, *name.split("/")), encoding="utf-8", newline="") as file:
        return file.read()


def files(folder: str) -> dict[str, str]:
    """Every file below a folder of `integrations/`, by its path there."""
    found: list[str] = []
    top = os.path.join(_HERE, *folder.split("/"))
    for path, folders, names in os.walk(top):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__")))
        found += [os.path.relpath(os.path.join(path, name), top).replace(os.sep, "/") for name in names if name[0] != "."]
    return {name: text(f"{folder}/{name}") for name in sorted(found)}
