"""Hosts for tests of MPI jobs, on one machine: network namespaces joined by a bridge.

Each host has its own address, host name and, where asked for, its own CPU and a limited link. The
machine's files, network and names stay as they are: bridge, hosts' names and /etc/hosts are seen in
namespaces of the job alone, whose first process ends when this one does, however that happens; the
kernel then ends all others in them. Needs root and Linux's ip, tc, nsenter and unshare.
"""

import json
import os
import pathlib
import shlex
import shutil
import subprocess
import tempfile

import program

NETWORK = "10.77.0"
TOOLS = ("ip", "tc", "nsenter", "unshare", "taskset", "mpirun")
# HOST COMMAND, as Open MPI's launcher calls ssh; the command is text for a shell.
AGENT = """#!/bin/sh
host=$1
shift
cpus=$(cat "/run/cpus/$host")
exec nsenter --net="/run/netns/$host" --uts="/run/uts/$host" taskset -c "$cpus" sh -c "$*"
"""
BEGIN = """set -e
mount -t tmpfs hosts /run
mkdir /run/netns /run/uts /run/cpus
mount --bind "$1/hosts" /etc/hosts
ip link add switch type bridge
ip link set switch up
"""
HOST = """ip netns add {name}
touch /run/uts/{name}
unshare --uts=/run/uts/{name} hostname {name}
echo {cpus} > /run/cpus/{name}
ip link add to-{name} type veth peer name eth0 netns {name}
ip link set to-{name} master switch up
ip -n {name} link set lo up
ip -n {name} link set eth0 up
ip -n {name} address add {address}/24 dev eth0
{limit}
"""
# Processes whose parents ended are this one's children: that it ignores their end removes them.
END = """echo ready
trap '' CHLD
exec cat
"""


def limit_of_link(name, rate, delay):
    """What limits all that a host sends; a delay is added one way."""
    if not rate and not delay:
        return ""
    words = f"tbf rate {rate} burst 256k latency 100ms"
    if delay:
        words = f"netem delay {delay} limit 100000" + (f" rate {rate}" if rate else "")
    return f"tc -n {name} qdisc add dev eth0 root {words}"


class Hosts:
    """Hosts host-a, host-b, ...: `with Hosts(2) as hosts`.

    pinned: each has one CPU, in turn; rate and delay: of links, as tc writes them (1gbit, 1ms).
    Raises RuntimeError with the tool's message where they cannot be made.
    """

    def __init__(self, count, pinned=False, rate="", delay=""):
        self.names = [f"host-{chr(ord('a') + i)}" for i in range(count)]
        cpus = sorted(os.sched_getaffinity(0))
        addresses = [f"{NETWORK}.{i + 1}" for i in range(count)]
        self.script = BEGIN + "".join(
            HOST.format(name=name, address=addresses[i], limit=limit_of_link(name, rate, delay),
                        cpus=cpus[i % len(cpus)] if pinned else ",".join(map(str, cpus)))
            for i, name in enumerate(self.names)) + END
        self.lines = "127.0.0.1 localhost\n" + "".join(
            f"{address} {name}\n" for address, name in zip(addresses, self.names))

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="hdbtest-")
        try:
            folder = pathlib.Path(self.folder.name)
            (folder / "hosts").write_text(self.lines)
            self.agent = folder / "agent"
            self.agent.write_text(AGENT)
            self.agent.chmod(0o755)
            # In a session of its own: Ctrl-C ends it with this process, not before.
            self.first = subprocess.Popen(
                ["unshare", "--net", "--mount", "--pid", "--fork", "--mount-proc", "sh", "-c",
                 self.script, "hosts", folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, text=True, start_new_session=True)
            if self.first.stdout.readline() != "ready\n":
                raise RuntimeError(" ".join(self.first.communicate()[1].split()))
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if hasattr(self, "first"):
            with self.first:  # closes its standard input, which ends it
                pass
        self.folder.cleanup()

    def on(self, name, *command):
        """The command that runs this one on a host."""
        process = self.first.pid
        return ["nsenter", "--mount", "--net", "--target", process,
                f"--pid=/proc/{process}/ns/pid_for_children", self.agent, name,
                shlex.join(str(word) for word in command)]

    def launch(self, *command):
        """The command that runs this one, which calls mpirun, on the first host."""
        return self.on(self.names[0], "env", "OMPI_ALLOW_RUN_AS_ROOT=1",
                       "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", f"OMPI_MCA_plm_rsh_agent={self.agent}",
                       f"OMPI_MCA_orte_tmpdir_base={self.folder.name}", *command)

    def mpirun(self, *command):
        """The command that runs this one as a job with a rank on each host, from the first."""
        return self.launch("mpirun", "--host", ",".join(self.names), "--bind-to", "none", *command)

    def processes(self, name):
        """{process: its command's name} of those that run on a host."""
        network = os.stat(f"/proc/{self.first.pid}/root/run/netns/{name}").st_ino
        found = {}
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if (folder / "ns" / "net").stat().st_ino == network:
                    found[int(folder.name)] = (folder / "comm").read_text().strip()
            except OSError:  # it has ended
                continue
        return found

    def sent_bytes(self, name):
        """All that a host has sent to others so far, headers included."""
        done = program.run(*self.on(name, "ip", "-json", "-stats", "link", "show", "eth0"))
        return json.loads(done.out)[0]["stats64"]["tx"]["bytes"]


def why_not(**limits):
    """Why such hosts (their links' limits) cannot be made here; empty: they can."""
    missing = [tool for tool in TOOLS if not shutil.which(tool)]
    if os.geteuid() != 0 or missing:
        return f"no {', '.join(missing)} here" if missing else "not root"
    try:
        with Hosts(1, **limits):
            return ""
    except RuntimeError as error:
        return f"no network namespaces here with {limits or 'unlimited links'}: {error}"
