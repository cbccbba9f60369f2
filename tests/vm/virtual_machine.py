"""hdbench on memory that few machines have, in a virtual machine: real App Direct on an NVDIMM and
on a CXL device, a node without CPUs, a memory-side cache, and a device that only looks persistent.

    virtual_machine.py HDBENCH QUERIES FOLDER [unittest's arguments]

The folder keeps the kernel between runs. Exit status 77: the virtual machine cannot be had here.
"""

import json
import pathlib
import shutil
import sys
import tempfile
import unittest

import devices
import machine

MEMORY_MIB = 1024


def media_of(topo):
    """{medium: "here  why"} of what `hdbench topo` prints: other lines are empty or indented."""
    lines = topo.partition("\nmedium ")[2].splitlines()[1:]
    return {word: rest for word, _, rest in (line.partition(" ") for line in lines)
            if word and rest.strip()}


class OnRealMemory(unittest.TestCase):
    """One boot a class; each test looks at steps of it."""

    @classmethod
    def boot(cls, name, flags_of, steps):
        """`flags_of`: the devices' flags, of a machine; what it leaves goes with the class."""
        holder = tempfile.TemporaryDirectory(dir=cls.folder)
        cls.addClassCleanup(holder.cleanup)
        cls.guest = machine.Machine(holder.name, cls.kernel, cls.root, name)
        cls.flags = flags_of(cls.guest)
        cls.steps = cls.guest.boot(cls.flags, steps)

    def step(self, name):
        step = self.steps[name]
        self.assertEqual(step.status, 0, f"{name}:\n{step.text}")
        return step

    def check_cells(self, name, media):
        """Every query ran on every medium, for real, and its result is the same everywhere."""
        cells = json.loads(self.step(name).json)["benchmarks"]
        checksums = {}
        for cell in cells:
            self.assertIs(cell["emulated"], False, cell["name"])
            self.assertFalse(cell.get("error"), cell["name"])
            checksums.setdefault(cell["query"], {}).setdefault(cell["medium"], set()).add(
                cell["checksum"])
        self.assertEqual(len(checksums), 11)
        for query, by_medium in checksums.items():
            self.assertEqual(set(by_medium), set(media), query)
            self.assertEqual(len(set.union(*by_medium.values())), 1, (query, by_medium))
        print(f"{name}: {len(cells)} cells on {', '.join(media)}: 11 queries, 11 checksums")

    def check_topo(self, medium, *parts):
        line = media_of(self.step("topo").text)[medium]
        print(f"topo: {medium}: {line}")
        for part in parts:
            self.assertIn(part, line)


class Nodes(OnRealMemory):
    @classmethod
    def setUpClass(cls):
        cls.boot("nodes", lambda guest: (
            devices.nodes(MEMORY_MIB)
            + devices.nvdimm("far", guest.image("far", 512), 512, node=1)
            + devices.nvdimm("near", guest.image("near", 256), 256)
            + devices.virtio_pmem("virtio", guest.image("virtio", 128), 128)),
                 ["virtio_pmem", "nvdimm_fsdax", "generate", "nvdimm_devdax", "device_dax",
                  "nvdimm_system_ram", "topo", "app_direct", "placed", "far_node"])

    def test_media_are_what_they_are(self):
        # Not CXL: the same memory behind the memory bus. It has a medium of its own.
        for step, *expected in (
                ("nvdimm_fsdax", "app-direct", "real", "/mnt/pmem0 (ext4 on /dev/pmem0)"),
                ("topo", "memory-mode", "real", "node0", "128 MiB with 64-byte lines"),
                ("nvdimm_system_ram", "cxl", "absent", "--medium numa:1")):
            with self.subTest(step):
                self.step(step)
                self.check_topo(*expected)
        self.assertTrue(json.loads(self.step("topo").json))

    def test_the_eleven_give_on_each_medium_what_they_give_on_dram(self):
        for step, cells, medium in (("generate", "app_direct", "app-direct"),
                                    ("nvdimm_devdax", "device_dax", "app-direct"),
                                    ("far_node", "far_node", "numa:1")):
            with self.subTest(cells):
                text = self.step(step).text
                if step == "far_node" and "#left-out " in text:
                    self.skipTest(text.partition("#left-out ")[2].strip())
                self.check_cells(cells, ["dram", medium])

    def test_columns_placed_in_persistent_memory_are_proved_to_lie_there(self):
        self.check_cells("placed", ["dram"])
        for cell in json.loads(self.step("placed").json)["benchmarks"]:
            part = cell["placement_proof"]["parts"][1]
            self.assertEqual(part["part"], "bid, ask on app-direct")
            self.assertIn("MAP_SYNC", part["how"])
            self.assertEqual(part["bytes_where_promised"], part["bytes_total"])

    def test_virtio_pmem_is_not_called_persistent_memory(self):
        line = media_of(self.step("virtio_pmem").text)["app-direct"]
        print(f"topo: app-direct on virtio-pmem: {line}")
        self.assertIn("absent", line)
        self.assertIn("without MAP_SYNC", line)


class TwoSockets(OnRealMemory):
    @classmethod
    def setUpClass(cls):
        cls.boot("sockets", lambda guest: devices.two_sockets(MEMORY_MIB),
                 ["generate", "two_nodes"])

    def test_dram_is_interleaved_over_both_nodes_numa_is_on_one_and_results_are_the_same(self):
        self.check_cells("two_nodes", ["dram", "numa:0", "numa:1"])
        cells = json.loads(self.step("two_nodes").json)["benchmarks"]
        pages = {cell["medium"]: cell["placement_proof"]["pages_by_node"] for cell in cells}
        print(f"two_nodes: pages by node: {pages}")
        self.assertEqual(set(pages["numa:0"]), {"0"})
        self.assertEqual(set(pages["numa:1"]), {"1"})
        counts = sorted(pages["dram"].values())
        self.assertEqual(len(counts), 2)
        self.assertGreater(3 * counts[0], sum(counts))


class Cxl(OnRealMemory):
    @classmethod
    def setUpClass(cls):
        cls.boot("cxl", lambda guest: devices.cxl(MEMORY_MIB, guest.image("data", 256),
                                                  guest.image("labels", 1)),
                 ["cxl_fsdax", "topo", "generate", "app_direct"])

    def test_the_persistent_cxl_device_is_real_app_direct_with_the_results_of_dram(self):
        self.step("cxl_fsdax")
        self.check_topo("app-direct", "real", "/mnt/pmem0 (ext4 on /dev/pmem0)")
        self.check_cells("app_direct", ["dram", "app-direct"])


class PowerCut(OnRealMemory):
    """The machine is killed while a changed database is loaded over an older kept image."""

    SECONDS_AFTER_THE_POOL_APPEARED = (0.0, 0.1, 0.3)

    @classmethod
    def setUpClass(cls):
        cls.boot("cut", lambda guest: devices.plain(MEMORY_MIB) + devices.nvdimm(
            "nvdimm", guest.image("nvdimm", 512), 512),
                 ["nvdimm_fsdax", "two_databases", "keep", "keep_again", "turn_to_new"])
        cls.image = cls.guest.image("nvdimm", 512)
        cls.before = shutil.copy(cls.image, cls.image.with_name("before.img"))

    def kept(self, name):
        """What the program said about the pool; its results are dram's."""
        self.check_cells(name, ["dram", "app-direct"])
        text = self.steps[name].text
        notes = [line for line in text.splitlines() if line.startswith("app-direct: ")
                 and ".pool (generation " in line]
        self.assertEqual(len(notes), 1, text[:2000])
        print(f"{name}: {notes[0]}")
        return notes[0]

    def test_a_second_run_uses_the_image_of_the_first(self):
        self.step("turn_to_new")
        self.assertIn(" loaded ", self.kept("keep"))
        self.assertIn(" reused ", self.kept("keep_again"))

    def test_a_load_that_is_killed_leaves_the_whole_old_image_or_the_whole_new_one(self):
        outcomes = []
        for seconds in self.SECONDS_AFTER_THE_POOL_APPEARED:
            shutil.copy(self.before, self.image)
            cut = self.guest.boot(self.flags, ["mount_nvdimm", "load_until_killed"],
                                  cut=("#loading", seconds))["load_until_killed"]
            self.assertIsNone(cut.status, cut.text)
            self.steps = self.guest.boot(
                self.flags, ["mount_nvdimm", "pools", "turn_to_old", "keep_old", "turn_to_new",
                             "keep_new", "keep_again"])
            print(self.step("pools").text.strip())
            old = self.kept("keep_old")
            if " reused " in old:
                self.assertIn("(generation 1,", old)
                outcomes.append("old, cut short" if "was cut short" in old else "old")
            else:
                # Only a whole new one is newer than the old.
                self.assertIn("has changed since generation 2", old)
                outcomes.append("new")
            self.assertIn(" redone ", self.kept("keep_new"))
            self.assertIn(" reused ", self.kept("keep_again"))
        print(f"killed {len(outcomes)} times: {outcomes}")
        self.assertIn("old, cut short", outcomes, "no cut fell into the load")


def main():
    binary, queries, folder = map(pathlib.Path, sys.argv[1:4])
    folder.mkdir(parents=True, exist_ok=True)
    try:
        machine.require_tools()
        OnRealMemory.kernel = machine.unpacked_kernel(folder)
    except machine.Absent as absent:
        print(f"skipped: the virtual machine: {absent}")
        return 77
    OnRealMemory.folder = folder
    OnRealMemory.root = machine.make_root(folder, OnRealMemory.kernel, binary, queries)
    tests = unittest.main(argv=[sys.argv[0], *sys.argv[4:]], exit=False)
    return 0 if tests.result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
