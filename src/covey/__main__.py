"""``python -m covey`` is the same as ``covey``."""

from __future__ import annotations

from covey.cli.app import main

if __name__ == "__main__":
    main()
