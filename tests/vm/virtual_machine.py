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
        with tempfile.TemporaryDirectory(dir=cls.folder) as folder:
            guest = machine.Machine(folder, cls.kernel, cls.root, "nodes")
            flags = (devices.nodes(MEMORY_MIB)
                     + devices.nvdimm("far", guest.image("far", 512), 512, node=1)
                     + devices.nvdimm("near", guest.image("near", 256), 256)
                     + devices.virtio_pmem("virtio", guest.image("virtio", 128), 128))
            cls.steps = guest.boot(flags, ["virtio_pmem", "nvdimm_fsdax", "generate",
                                           "nvdimm_devdax", "device_dax", "nvdimm_system_ram",
                                           "topo", "app_direct", "placed", "far_node"])

    def test_the_nvdimm_is_real_app_direct(self):
        self.step("nvdimm_fsdax")
        self.check_topo("app-direct", "real", "/mnt/pmem0 (ext4 on /dev/pmem0)")

    def test_the_eleven_on_app_direct_give_what_they_give_on_dram(self):
        self.step("generate")
        self.check_cells("app_direct", ["dram", "app-direct"])

    def test_the_eleven_on_device_dax_give_what_they_give_on_dram(self):
        self.step("nvdimm_devdax")
        self.check_cells("device_dax", ["dram", "app-direct"])

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

    def test_the_memory_side_cache_is_memory_mode(self):
        self.check_topo("memory-mode", "real", "node0", "128 MiB with 64-byte lines")

    def test_the_nvdimm_that_became_memory_is_a_node_without_cpus(self):
        self.step("nvdimm_system_ram")
        # Not CXL: the same memory behind the memory bus. It has a medium of its own.
        self.check_topo("cxl", "absent", "--medium numa:1")

    def test_the_eleven_on_the_node_without_cpus_give_what_they_give_on_dram(self):
        step = self.step("far_node")
        if "#left-out " in step.text:
            self.skipTest(step.text.partition("#left-out ")[2].strip())
        self.check_cells("far_node", ["dram", "numa:1"])

    def test_topo_as_json_is_json(self):
        step = self.step("topo")
        if not step.json:
            self.skipTest("hdbench topo knows no --json")
        self.assertTrue(json.loads(step.json))


class TwoSockets(OnRealMemory):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory(dir=cls.folder) as folder:
            guest = machine.Machine(folder, cls.kernel, cls.root, "sockets")
            cls.steps = guest.boot(devices.two_sockets(MEMORY_MIB), ["generate", "two_nodes"])

    def test_the_eleven_give_the_same_on_local_remote_and_interleaved_memory(self):
        self.check_cells("two_nodes", ["dram", "numa:0", "numa:1"])

    def test_dram_is_interleaved_over_both_nodes_and_numa_is_on_one(self):
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
        with tempfile.TemporaryDirectory(dir=cls.folder) as folder:
            guest = machine.Machine(folder, cls.kernel, cls.root, "cxl")
            flags = devices.cxl(MEMORY_MIB, guest.image("data", 256), guest.image("labels", 1))
            cls.steps = guest.boot(flags, ["cxl_fsdax", "topo", "generate", "app_direct"])

    def test_the_persistent_cxl_device_is_real_app_direct(self):
        self.step("cxl_fsdax")
        self.check_topo("app-direct", "real", "/mnt/pmem0 (ext4 on /dev/pmem0)")

    def test_the_eleven_on_it_give_what_they_give_on_dram(self):
        self.check_cells("app_direct", ["dram", "app-direct"])


class PowerCut(OnRealMemory):
    """The machine is killed while a changed database is loaded over an older kept image."""

    SECONDS_AFTER_THE_POOL_APPEARED = (0.0, 0.1, 0.3)

    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory(dir=cls.folder)
        cls.addClassCleanup(holder.cleanup)
        cls.guest = machine.Machine(holder.name, cls.kernel, cls.root, "cut")
        cls.image = cls.guest.image("nvdimm", 512)
        cls.flags = devices.plain(MEMORY_MIB) + devices.nvdimm("nvdimm", cls.image, 512)
        cls.before = pathlib.Path(holder.name, "before.img")
        cls.steps = cls.guest.boot(cls.flags, ["nvdimm_fsdax", "two_databases", "keep",
                                               "keep_again", "turn_to_new"])
        shutil.copy(cls.image, cls.before)

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
