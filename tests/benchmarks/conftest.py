"""Makes the benchmarks' modules importable, which are scripts beside each other."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))
