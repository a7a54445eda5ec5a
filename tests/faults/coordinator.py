"""A coordinator as a process of its own: ``python -m faults.coordinator FILE STORE OPTIONS``.

It says "begun" when it has imported everything, then a line of JSON for each cell once that is kept: dataset, method,
fit, status, and the bytes of memory that it has; at the end "ended" and its seconds of wall and processor. It stops
after so many cells as the option "most" says.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time

from covey.study import read_study, run_study
from covey.study.process import resident_bytes
from waiting import PATIENCE


def main(file: str, store: str, options: str) -> None:
    study = read_study(file, trust=["faults"])
    settings = json.loads(options)
    if (limit := settings.pop("file_size", None)) is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    most = settings.pop("most", None)
    n_told = 0
    print("begun", flush=True)
    began = time.perf_counter()

    def tell(progress):
        nonlocal n_told
        labels = progress.latest.labels
        place = labels["dataset"], labels["method"], labels["fit"]
        print(json.dumps([*place, progress.latest.status, resident_bytes(os.getpid())]), flush=True)
        n_told += 1
        if n_told == most:
            time.sleep(10 * PATIENCE)

    run_study(study, store, progress=tell, **settings)
    print(json.dumps(["ended", time.perf_counter() - began, time.process_time()]), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
