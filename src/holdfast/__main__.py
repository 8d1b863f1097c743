"""`python -m holdfast` is the same as `holdfast`."""

from .cli import program

program()
