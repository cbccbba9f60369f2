"""hdbench topo from outside: text and JSON, on this machine, on made-up ones, and with less rights.

    topo.py HDBENCH
"""

import json
import os
import pathlib
import shutil
import unittest

import program

FIELDS = ["format", "host", "nodes", "weighted_interleave", "pmem", "dax", "dax_mounts",
          "cxl", "paths", "media", "setup"]
MEDIA = ["nvme", "dram", "tmpfs", "app-direct", "memory-mode", "cxl"]
NODE = "sys/devices/system/node/node1"
GROUP = "sys/fs/cgroup/box"
# A node without CPUs behind a cache, and a control group.
MADE_UP = {
    "sys/devices/system/node/node0/cpulist": "0-1",
    "sys/devices/system/node/node0/meminfo": "Node 0 MemTotal: 4194304 kB",
    f"{NODE}/cpulist": "",
    f"{NODE}/meminfo": "Node 1 MemTotal: 1048576 kB",
    f"{NODE}/access0/initiators/read_latency": "270",
    f"{NODE}/memory_side_cache/index1/size": "134217728",
    f"{NODE}/memory_side_cache/index1/line_size": "64",
    "proc/self/cgroup": "0::/box",
    f"{GROUP}/memory.max": "2147483648",
    f"{GROUP}/memory.current": "1073741824",
    f"{GROUP}/cpu.max": "150000 100000",
    f"{GROUP}/cpuset.cpus.effective": "0-1",
}


class Topo(program.Case):
    def told(self, *arguments, **options):
        """Its JSON: every field is there, and each medium has a state and a reason."""
        done = self.fine("topo", "--json", *arguments, **options)
        self.assertEqual(done.messages, "", arguments)
        told = json.loads(done.out)
        self.assertEqual(list(told), FIELDS)
        self.assertEqual(told["format"], "hdbench-topo-1")
        self.assertEqual([medium["name"] for medium in told["media"]][:len(MEDIA)], MEDIA)
        for medium in told["media"]:
            self.assertIn(medium["state"], ("real", "emulated", "absent"))
            self.assertTrue(medium["reason"], medium)
        return told, {medium["name"]: medium["state"] for medium in told["media"]}

    def test_this_machine(self):
        told, states = self.told()
        self.assertEqual(states["dram"], "real")
        self.assertEqual([path["why"] for path in told["paths"]],
                         ["current directory", "temporary directory"])
        done = self.fine("topo")
        self.assertEqual(done.messages, "")
        text = done.out.decode()
        for medium in states:
            self.assertIn(f"\n{medium} ", text)
        # The emulator's error is the document's table.
        told = text.split("the emulator's error")[1].splitlines()[2:]
        page = pathlib.Path(__file__).parent.parent / "docs" / "emulator-accuracy.md"
        table = page.read_text(encoding="utf-8").split("## In short")[1].split("## 1.")[0]
        rows = [line.strip("| ").split(" | ") for line in table.splitlines()
                if line.startswith("|")][2:]
        self.assertGreater(len(rows), 4)
        self.assertEqual([" ".join(line.split()) for line in told],
                         [" ".join(" ".join(row).split()) for row in rows])

    def test_paths(self):
        told, _ = self.told("/", self.folder)
        self.assertEqual([path["path"] for path in told["paths"]], ["/", str(self.folder)])
        self.assertEqual(told["paths"][0]["mount"]["directory"], "/")
        self.refused(3, f"hdbench: {self.folder}/absent: No such file or directory", "topo", "/",
                     self.folder / "absent")

    def test_what_devices_are_wanted_as(self):
        place = self.folder / "wanted/sys"
        device = place / "devices/platform/hmem.0/dax0.0"
        for name, text in (("size", "1073741824"), ("target_node", "1"), ("align", "2097152")):
            device.mkdir(parents=True, exist_ok=True)
            (device / name).write_text(f"{text}\n")
        for link, to in ((place / "bus/dax/devices/dax0.0", device),
                         (device / "driver", place / "bus/dax/drivers/device_dax")):
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(to)
        paths = ["--sysfs", place, "--procfs", self.folder / "wanted/proc"]
        for more in ([], ["--want", "system-ram"]):
            step, = self.told(*paths, *more)[0]["setup"]
            self.assertEqual(step["commands"],
                             ["daxctl reconfigure-device --mode=system-ram dax0.0"])
            self.assertIn(f"    {step['commands'][0]}\n",
                          self.fine("topo", *paths, *more).out.decode())
        for more in (["--want", "devdax"], ["--pmem-dir", "/dev/dax0.0"]):
            self.assertEqual(self.told(*paths, *more)[0]["setup"], [])
        self.refused(2, "--want: unknown value 'ram'", "topo", "--want", "ram")

    def test_a_made_up_machine(self):
        paths = ["--sysfs", self.folder / "sys", "--procfs", self.folder / "proc"]
        told, states = self.told(*paths)
        self.assertEqual((told["nodes"], told["cxl"]["bus"], states["cxl"]), ([], False, "absent"))
        self.assertIsNone(told["paths"][0]["mount"])
        self.assertEqual(told["host"]["control_group"],
                         {"memory_bytes": None, "available_bytes": None, "cpus": None,
                          "cpuset": ""})
        for name, text in MADE_UP.items():
            file = self.folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text + "\n", encoding="utf-8")
        told, states = self.told(*paths)
        self.assertEqual([states[name] for name in ("memory-mode", "numa:0", "numa:1", "cxl")],
                         ["real", "real", "real", "absent"])
        node = told["nodes"][1]
        self.assertEqual(node["access"][0]["read_ns"], 270)
        self.assertEqual(node["memory_side_caches"][0]["bytes"], 134217728)
        self.assertEqual(told["host"]["control_group"],
                         {"memory_bytes": 2147483648, "available_bytes": 1073741824, "cpus": 1.5,
                          "cpuset": "0-1"})
        self.assertIn("control group: 2.0 GiB of memory (1.0 GiB left), the time of 1.5 CPUs, "
                      "CPUs 0-1\n", self.fine("topo", *paths).out.decode())

    @unittest.skipUnless(os.geteuid() == 0, "the other tests already run without rights")
    def test_as_nobody(self):
        self.folder.chmod(0o755)
        self.binary = shutil.copy(self.binary, self.folder / "hdbench")
        _, states = self.told(user=program.NOBODY, group=program.NOBODY, extra_groups=[], cwd="/")
        self.assertEqual(states["dram"], "real")

    @unittest.skipIf(program.why_not_mount(), program.why_not_mount())
    def test_without_sysfs_in_a_mount_namespace(self):
        told, _ = self.told(before=["unshare", "--mount", "sh", "-c",
                                    'mount -t tmpfs none /sys && exec "$@"', "sh"])
        self.assertEqual(told["nodes"], [])


if __name__ == "__main__":
    program.main()
