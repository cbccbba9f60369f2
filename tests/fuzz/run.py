"""Runs every fuzz target for its share of a time and prints a line for each.

    run.py PROGRAM TIME [TARGET ...]

PROGRAM is hdbench_fuzz of the preset `fuzz`, TIME as 90s, 30m or 2h: how long all of it takes on
all CPUs together when nothing else runs; a target's share is CPU time. Corpora grow in corpus/
beside PROGRAM's folder; what ends a target is kept in findings/ there and named. Status 1: there is
such a finding.
"""

import os
import pathlib
import queue
import re
import signal
import subprocess
import sys
import threading
import time

SEEDS = pathlib.Path(__file__).resolve().parent / "corpus"
UNITS = {"s": 1, "m": 60, "h": 3600}
TICKS = os.sysconf("SC_CLK_TCK")
LOOK_SECONDS = 1.0
# Longest inputs where 4096 bytes are not enough.
MAX_LEN = {"column": 12288, "database": 12288, "results": 16384, "io_results": 16384,
           "profile": 8192, "forecasts": 8192, "query": 1024}
GUARDS = ["-timeout=10", "-rss_limit_mb=1500", "-print_final_stats=1"]


def seconds_of(text):
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([smh])", text)
    if not match or float(match[1]) == 0:
        sys.exit(f"run.py: time '{text}', expected such as 90s, 30m or 2h")
    return float(match[1]) * UNITS[match[2]]


def last_number(pattern, text):
    found = re.findall(pattern, text)
    return int(found[-1]) if found else 0


def cpu_seconds(pid):
    """What a process and the children that it waited for have used."""
    text = pathlib.Path(f"/proc/{pid}/stat").read_text()
    return sum(map(int, text.rpartition(")")[2].split()[11:15])) / TICKS


class Target:
    def __init__(self, program, name):
        self.name = name
        home = pathlib.Path(program).resolve().parent.parent
        self.corpus = home / "corpus" / name
        self.findings = home / "findings"
        self.log = home / "logs" / f"{name}.log"
        for folder in (self.corpus, self.findings, self.log.parent):
            folder.mkdir(parents=True, exist_ok=True)
        self.command = [str(pathlib.Path(program).resolve()), name, str(self.corpus),
                        str(SEEDS / name), f"-artifact_prefix={self.findings}/{name}-",
                        f"-max_len={MAX_LEN.get(name, 4096)}"] + GUARDS

    def run(self, seconds, cpu):
        """Returns the line to print, and whether there is a finding."""
        begin = time.monotonic()
        with open(self.log, "wb") as log:
            process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=log,
                                       stderr=log,
                                       preexec_fn=lambda: os.sched_setaffinity(0, {cpu}))
            while (ended := os.wait4(process.pid, os.WNOHANG))[0] == 0:
                time.sleep(LOOK_SECONDS)
                if cpu_seconds(process.pid) >= seconds:
                    os.kill(process.pid, signal.SIGUSR1)  # libFuzzer's graceful end
            _, status, used = ended
        process.returncode = os.waitstatus_to_exitcode(status)
        text = self.log.read_text(errors="replace")
        found = re.findall(r"Test unit written to (\S+)", text)
        failed = process.returncode != 0 or bool(found)
        executions = last_number(r"stat::number_of_executed_units:\s+(\d+)", text) or \
            last_number(r"#(\d+)\s", text)
        what = "no finding"
        if failed:
            what = "FINDING " + (" ".join(found) or f"in {self.log}")
        parsed = re.findall(r"\(([\d.]+) %\)", text) if self.name == "query" else []
        seconds = max(1e-3, time.monotonic() - begin)
        coverage = last_number(r"cov: (\d+)", text)
        added = last_number(r"stat::new_units_added:\s+(\d+)", text)
        return (f"{self.name:<10} {executions:>10} executions, {executions / seconds:>7.0f}/s, "
                f"{used.ru_utime + used.ru_stime:>5.0f} CPU s, coverage {coverage}, "
                f"corpus +{added}, " + (f"{parsed[-1]} % parse, " if parsed else "") + what), failed


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    total = seconds_of(sys.argv[2])
    if not os.access(sys.argv[1], os.X_OK):
        sys.exit(f"run.py: {sys.argv[1]}: no such program")
    names = sys.argv[3:] or sorted(path.name for path in SEEDS.iterdir())
    cpus = sorted(os.sched_getaffinity(0))
    waiting = queue.Queue()
    for name in names:
        waiting.put(Target(sys.argv[1], name))
    rounds = -(-len(names) // len(cpus))
    share = total / rounds
    ended, failures = [], []

    def work(cpu):
        while True:
            try:
                target = waiting.get_nowait()
            except queue.Empty:
                return
            line, failed = target.run(share, cpu)
            print(line, flush=True)
            ended.append(target.name)
            failures.extend([target.name] if failed else [])

    threads = [threading.Thread(target=work, args=(cpu,)) for cpu in cpus]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(f"{len(names)} targets, {share:.0f} CPU s each, {len(failures)} with a finding"
          + (": " + ", ".join(failures) if failures else ""))
    return 1 if failures or len(ended) < len(names) else 0


if __name__ == "__main__":
    sys.exit(main())
