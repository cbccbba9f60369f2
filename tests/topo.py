"""hdbench topo from outside: text and JSON, on this machine, on made-up ones, and with less rights.

    topo.py HDBENCH
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import program

FIELDS = ["format", "host", "nodes", "weighted_interleave", "pmem", "dax", "dax_mounts",
          "cxl", "paths", "media"]
MEDIA = ["nvme", "dram", "tmpfs", "app-direct", "memory-mode", "cxl"]
NOBODY = 65534


class Topo(unittest.TestCase):
    binary = None

    def setUp(self):
        self.place = tempfile.TemporaryDirectory(prefix="hdbench-topo-")
        self.addCleanup(self.place.cleanup)
        self.root = pathlib.Path(self.place.name)

    def fine(self, *arguments):
        done = program.run(self.binary, "topo", *arguments)
        self.assertEqual(done.status, 0, f"{arguments}: {done.messages}")
        self.assertEqual(done.messages, "", arguments)
        return done.out.decode()

    def as_json(self, *arguments):
        return json.loads(self.fine("--json", *arguments))

    def check_whole(self, told):
        """Every field is there, and each medium has a state and a reason."""
        self.assertEqual(list(told), FIELDS)
        self.assertEqual(told["format"], "hdbench-topo-1")
        self.assertEqual([medium["name"] for medium in told["media"]][:len(MEDIA)], MEDIA)
        for medium in told["media"]:
            self.assertIn(medium["state"], ("real", "emulated", "absent"))
            self.assertTrue(medium["reason"], medium)

    def states(self, told):
        return {medium["name"]: medium["state"] for medium in told["media"]}

    def write(self, name, text):
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text + "\n", encoding="utf-8")

    def made_up(self):
        return ["--sysfs", self.root / "sys", "--procfs", self.root / "proc"]

    def test_the_emulators_error_is_the_documents_table(self):
        told = self.fine().split("the emulator's error")[1].splitlines()[2:]
        page = pathlib.Path(__file__).parent.parent / "docs" / "emulator-accuracy.md"
        table = page.read_text(encoding="utf-8").split("## In short")[1].split("## 1.")[0]
        rows = [line.strip("| ").split(" | ") for line in table.splitlines()
                if line.startswith("|")][2:]
        self.assertGreater(len(rows), 4)
        self.assertEqual([" ".join(line.split()) for line in told],
                         [" ".join(" ".join(row).split()) for row in rows])

    def test_this_machine(self):
        told = self.as_json()
        self.check_whole(told)
        self.assertEqual(self.states(told)["dram"], "real")
        self.assertEqual([path["why"] for path in told["paths"]],
                         ["current directory", "temporary directory"])
        text = self.fine()
        for medium in told["media"]:
            self.assertIn(f"\n{medium['name']} ", text)

    def test_paths(self):
        told = self.as_json("/", self.root)
        self.assertEqual([path["path"] for path in told["paths"]], ["/", str(self.root)])
        self.assertEqual(told["paths"][0]["mount"]["directory"], "/")

    def test_a_path_that_is_not_there(self):
        done = program.run(self.binary, "topo", "/", self.root / "absent")
        self.assertEqual(done.status, 3, done.messages)
        self.assertEqual(done.lines, [f"hdbench: {self.root}/absent: No such file or directory"])

    def test_a_machine_that_shows_nothing(self):
        told = self.as_json(*self.made_up())
        self.check_whole(told)
        self.assertEqual(told["nodes"], [])
        self.assertEqual(told["cxl"]["bus"], False)
        self.assertIsNone(told["paths"][0]["mount"])
        self.assertEqual(self.states(told)["cxl"], "absent")
        self.assertIn("none shown in /sys/devices/system/node", self.fine(*self.made_up()))

    def test_a_node_without_cpus_behind_a_cache(self):
        node = "sys/devices/system/node/node1"
        self.write("sys/devices/system/node/node0/cpulist", "0-1")
        self.write("sys/devices/system/node/node0/meminfo", "Node 0 MemTotal: 4194304 kB")
        self.write(f"{node}/cpulist", "")
        self.write(f"{node}/meminfo", "Node 1 MemTotal: 1048576 kB")
        self.write(f"{node}/access0/initiators/read_latency", "270")
        self.write(f"{node}/memory_side_cache/index1/size", "134217728")
        self.write(f"{node}/memory_side_cache/index1/line_size", "64")
        told = self.as_json(*self.made_up())
        self.check_whole(told)
        states = self.states(told)
        for name in ("memory-mode", "numa:0", "numa:1"):
            self.assertEqual(states[name], "real", name)
        self.assertEqual(states["cxl"], "absent")
        self.write("sys/devices/virtual/memory_tiering/memory_tier4/nodelist", "0")
        self.write("sys/devices/virtual/memory_tiering/memory_tier22/nodelist", "1")
        self.assertEqual(self.states(self.as_json(*self.made_up()))["cxl"], "real")
        self.assertEqual(told["nodes"][1]["access"][0]["read_ns"], 270)
        self.assertEqual(told["nodes"][1]["memory_side_caches"][0]["bytes"], 134217728)

    def test_limits_of_a_control_group(self):
        self.assertEqual(self.as_json(*self.made_up())["host"]["control_group"],
                         {"memory_bytes": None, "available_bytes": None, "cpus": None,
                          "cpuset": ""})
        self.write("proc/self/cgroup", "0::/box")
        self.write("sys/fs/cgroup/box/memory.max", "2147483648")
        self.write("sys/fs/cgroup/box/memory.current", "1073741824")
        self.write("sys/fs/cgroup/box/cpu.max", "150000 100000")
        self.write("sys/fs/cgroup/box/cpuset.cpus.effective", "0-1")
        told = self.as_json(*self.made_up())
        self.check_whole(told)
        self.assertEqual(told["host"]["control_group"],
                         {"memory_bytes": 2147483648, "available_bytes": 1073741824, "cpus": 1.5,
                          "cpuset": "0-1"})
        self.assertIn("control group: 2.0 GiB of memory (1.0 GiB left), the time of 1.5 CPUs, "
                      "CPUs 0-1\n", self.fine(*self.made_up()))

    def test_as_nobody(self):
        if os.geteuid() != 0:
            self.skipTest("the other tests already run without rights")
        program_copy = self.root / "hdbench"
        shutil.copy(self.binary, program_copy)
        self.root.chmod(0o755)
        try:
            done = subprocess.run([program_copy, "topo", "--json"], user=NOBODY, group=NOBODY,
                                  extra_groups=[], cwd="/", capture_output=True, timeout=60,
                                  check=False)
        except (PermissionError, subprocess.SubprocessError) as refused:
            self.skipTest(f"no other user here: {refused}")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, b"")
        told = json.loads(done.stdout)
        self.check_whole(told)
        self.assertEqual(self.states(told)["dram"], "real")

    def test_without_sysfs_in_a_mount_namespace(self):
        hide = ["unshare", "--mount", "sh", "-c", "mount -t tmpfs none /sys && exec \"$@\"", "sh"]
        if not shutil.which("unshare") or subprocess.run(
                [*hide, "true"], capture_output=True, timeout=60, check=False).returncode != 0:
            self.skipTest("no mount namespace here")
        done = subprocess.run([*hide, self.binary, "topo", "--json"], capture_output=True,
                              timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        told = json.loads(done.stdout)
        self.check_whole(told)
        self.assertEqual(told["nodes"], [])


def main():
    Topo.binary = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()


if __name__ == "__main__":
    main()
