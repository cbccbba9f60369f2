"""What this process holds, and what the machine has left."""

import pathlib


def fields(path):
    """Bytes by name, of a file of lines such as `RssAnon:  17 kB`."""
    try:
        lines = [line.split() for line in pathlib.Path(path).read_text().splitlines()]
    except OSError:
        return {}
    return {line[0].rstrip(":"): int(line[1]) * 1024 for line in lines if line[2:] == ["kB"]}


def now():
    """Memory of its own, and of files that it has mapped: pages that all processes share."""
    status, machine = fields("/proc/self/status"), fields("/proc/meminfo")
    answer = {
        "held_bytes": status.get("RssAnon", 0) + status.get("RssShmem", 0),
        "mapped_bytes": status.get("RssFile", 0),
    }
    if "MemAvailable" in machine:
        answer["available_bytes"] = machine["MemAvailable"]
    return answer
