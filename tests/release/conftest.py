"""Makes the modules of the check of a release importable, which are scripts beside each other."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "tools" / "release"))
