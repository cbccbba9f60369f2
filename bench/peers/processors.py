"""An engine's threads, each on a processor of its own: some kernels leave two that woke together on
one processor for seconds, though the other is idle."""

import os
import pathlib

TASKS = pathlib.Path("/proc/self/task")
ALL = sorted(os.sched_getaffinity(0))


def used_ns():
    """Processor time of each of this process's threads so far."""
    used = {}
    for task in TASKS.iterdir():
        try:
            used[int(task.name)] = int((task / "schedstat").read_text().split()[0])
        except OSError:
            continue  # ended meanwhile, or a kernel without the figure
    return used


def spread(before, threads):
    """Pins the threads that worked most since `before`, as many as the engine may use, and sets all
    others free."""
    worked = {task: now - before.get(task, 0) for task, now in used_ns().items()}
    busiest = sorted(worked, key=worked.get, reverse=True)
    for i, task in enumerate(busiest):
        pinned = i < threads and len(ALL) > 1
        try:
            os.sched_setaffinity(task, {ALL[i % len(ALL)]} if pinned else ALL)
        except OSError:
            continue
