"""`python -m holdfast` is the same as `holdfast`."""

from .cli import main

raise SystemExit(main())
