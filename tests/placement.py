"""Where columns lie, from outside: --place, what it refuses, and what results.json says of it.

    placement.py HDBENCH
"""

import json
import pathlib
import sys
import tempfile
import unittest

import program

SCALE = "0.0005"
QUERY = "select last bid, sum asize by col3 from quote"
AXES = ["--attr", "parted", "--mode", "4.0", "-s", "2", "--reps", "1", *program.SMALL_CEILINGS]
EMULATED = ["--emulation", "model"]
DEFAULTS = {"app-direct": "app-direct:optane-100-6dimm",
            "memory-mode": "memory-mode:optane-memory-mode+near=2GiB",
            "cxl": "cxl:cxl-asic-ddr5"}


def profile_of(word):
    return word.split(":")[1].split("+")[0]


class Placement(unittest.TestCase):
    binary = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="hdbench-placement-")
        cls.root = pathlib.Path(cls.folder.name)
        cls.database = cls.root / "db"
        program.generate(cls.binary, cls.database, SCALE)
        cls.queries = cls.root / "one.q"
        cls.queries.write_text(QUERY + "\n", encoding="utf-8")
        topo = program.run(cls.binary, "topo", "--json")
        cls.media = {one["name"]: one for one in json.loads(topo.out)["media"]}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def refused(self, status, named, *arguments):
        """One line that names the thing, and nothing on standard output."""
        done = program.run(self.binary, *arguments)
        self.assertEqual(done.status, status, f"{arguments}: {done.messages}")
        self.assertEqual(len(done.lines), 1, done.messages)
        self.assertIn(named, done.messages, arguments)
        self.assertEqual(done.out, b"", arguments)

    def cells(self, *arguments):
        out = self.root / "results.json"
        done = program.run(self.binary, "run", self.database, "--queries", self.queries, *AXES,
                           *arguments, "--out", out)
        self.assertEqual(done.status, 0, f"{arguments}: {done.messages}")
        report = program.run(self.binary, "report", out, "--format", "markdown")
        self.assertEqual(report.status, 0, report.messages)
        self.table = report.out.decode()
        self.told = done.messages
        return json.loads(out.read_text(encoding="utf-8"))["benchmarks"]

    def test_what_cannot_be_placed_is_refused_in_one_line(self):
        ask = ["query", self.database, QUERY]
        for place, named in [("bid", "expected COLUMN[,COLUMN...]=MEDIUM"),
                             ("bid,=dram", "a column without a name"),
                             ("bid,bid=dram", "bid is placed twice"),
                             ("bid=nosuch", "unknown medium 'nosuch'; known are nvme, dram"),
                             ("nosuch=dram", "no column nosuch in quote; there are time, col1"),
                             ("date=dram", "date is what the partitions are named by")]:
            self.refused(2, named, *ask, "--place", place)
        self.refused(2, "bid is placed twice", *ask, "--place", "bid=dram", "--place", "bid=dram")
        self.refused(2, "leave out --place", *ask, "--place", "bid=dram", "--pmem-keep")
        self.refused(2, "has a cold state", *ask, "--medium", "dram", "--place", "bid=dram",
                     "--cache", "cold")
        self.refused(3, "--place bid: numa:977: no such node", *ask, "--place", "bid=numa:977")
        self.refused(2, "no column nosuch", "run", self.database, "--queries", self.queries,
                     "--place", "nosuch=dram")

    def test_the_smallest_limit_is_the_same_wherever_the_columns_lie(self):
        found = []
        for place in [], ["--place", "bid=dram"]:
            done = program.run(self.binary, "limit", self.database, "--queries", self.queries,
                               "--medium", "nvme", "--format", "json", *place)
            self.assertEqual(done.status, 0, done.messages)
            found.append(json.loads(done.out)["limits"][0]["smallest_limit_mib"])
        self.assertEqual(found[0], found[1])
        self.refused(3, "numa:977: no such node", "limit", self.database, "--place",
                     "bid=numa:977")
        self.refused(2, "no column nosuch", "limit", self.database, "--queries", self.queries,
                     "--place", "nosuch=dram")

    def test_placed_columns_give_the_same_result_in_both_layouts(self):
        whole = self.cells("--medium", "dram", "--layout", "partitioned")[0]
        self.assertIsNone(whole["place"])
        self.assertNotIn("parts", whole["placement_proof"])
        placed = self.cells("--medium", "nvme", "--layout", "partitioned,flat", "--cache", "warm",
                            "--place", "bid,ask=cxl:cxl-fpga", "--place", "col3=dram", *EMULATED)
        self.assertEqual({cell["layout"] for cell in placed}, {"partitioned", "flat"})
        for cell in placed:
            self.assertEqual(cell["checksum"], whole["checksum"], cell["name"])
            self.assertEqual(cell["place"], "bid,ask=cxl:cxl-fpga; col3=dram")
            self.assertIs(cell["emulated"], True)
            self.assertEqual(cell["medium"], "nvme")
            self.assertIn("placed one by one", cell["ceiling_reason"])
            parts = {part["part"]: part for part in cell["placement_proof"]["parts"]}
            self.assertEqual(list(parts), ["all other columns on nvme",
                                           "bid, ask on cxl:cxl-fpga", "col3 on dram"])
            for name, part in parts.items():
                self.assertGreater(part["bytes_total"], 0, name)
                self.assertEqual(part["bytes_where_promised"], part["bytes_total"], name)
            # The device is charged for its column, and the host for the others.
            device, host = cell["emulation"][0]["devices"]
            columns = cell["bytes_read_by_column"]
            self.assertEqual(device["touched_read_bytes"], columns["bid"])
            self.assertEqual(host["device"], "host")
        self.assertIn("bid, ask on cxl:cxl-fpga: emulated (cxl-fpga, model)", self.table)
        self.assertIn("where its bytes lay: ", self.table)

    def test_every_medium_says_where_its_bytes_lay(self):
        media = ["nvme", "dram"]
        if self.media.get("numa:0", {}).get("state") == "real":
            media.append("numa:0")
        for cell in self.cells("--medium", ",".join(media), "--layout", "partitioned",
                               "--cache", "warm", "--result-medium", media[-1]):
            for proof in (cell["placement_proof"], cell["result_placement_proof"]):
                self.assertEqual(proof["bytes_where_promised"], proof["bytes_total"], cell["name"])
            self.assertGreater(cell["placement_proof"]["bytes_total"], 0, cell["name"])

    def absent(self):
        """The media that this machine lacks, each with the word that stands in for it."""
        return {name: word for name, word in DEFAULTS.items()
                if self.media[name]["state"] == "absent"}

    def test_topo_says_which_word_emulates_what_is_absent(self):
        for name, word in [("app-direct", "emulate it as app-direct:optane-100-6dimm"),
                           ("cxl", "emulate it as cxl:cxl-asic-ddr5"),
                           ("memory-mode", "emulate it as memory-mode:near=SIZE")]:
            if self.media[name]["state"] == "absent":
                self.assertIn(word, self.media[name]["reason"])

    def test_a_bare_word_of_what_is_absent_names_its_default_profile_everywhere(self):
        absent = self.absent()
        if not absent:
            self.skipTest("this machine has every medium")
        cells = self.cells("--medium", ",".join(absent), "--layout", "flat", *EMULATED)
        self.assertEqual([cell["medium_word"] for cell in cells], list(absent.values()))
        for cell in cells:
            self.assertIn(f"/medium:{cell['medium_word']}/", cell["name"])
            self.assertIs(cell["emulated"], True)
            self.assertIn(profile_of(cell["medium_word"]), cell["medium_label"])
        for name, word in absent.items():
            self.assertEqual(self.told.count(f"note: {name}: "), 1, self.told)
            self.assertIn(profile_of(word), self.table)

    def test_results_and_placed_columns_name_the_default_profile_too(self):
        if "cxl" not in self.absent():
            self.skipTest("this machine has CXL memory")
        for cell in self.cells("--medium", "dram", "--layout", "flat", "--place", "bid=cxl",
                               "--result-medium", "cxl", *EMULATED):
            self.assertEqual(cell["place"], "bid=cxl:cxl-asic-ddr5")
            self.assertIn("/results:cxl:cxl-asic-ddr5", cell["name"])

    def test_several_placements_of_columns_are_one_run(self):
        places = "none; bid,ask=cxl:cxl-asic-ddr5; all=cxl:cxl-asic-ddr5 & bid=dram"
        cells = self.cells("--medium", "dram", "--layout", "flat", "--place", places, *EMULATED)
        told = [cell["place"] for cell in cells]
        self.assertEqual(sorted({str(place) for place in told}),
                         ["None", "all=cxl:cxl-asic-ddr5; bid=dram", "bid,ask=cxl:cxl-asic-ddr5"])
        self.assertEqual(len({cell["name"] for cell in cells}), len(cells))
        self.assertEqual(len({cell["checksum"] for cell in cells if cell["query"] == 1}), 1)
        self.assertEqual({cell["emulated"] for cell in cells if not cell["place"]}, {False})
        self.refused(2, "a list stands alone", "run", self.database, "--place", "none; bid=cxl",
                     "--place", "ask=cxl")
        self.refused(2, "one is expected here", "query", self.database, QUERY, "--place",
                     "none; bid=cxl:cxl-asic-ddr5")

    def test_one_query_says_what_stands_in(self):
        for name, word in self.absent().items():
            done = program.run(self.binary, "query", self.database, QUERY, "--medium", name,
                               *EMULATED, *program.SMALL_CEILINGS)
            self.assertEqual(done.status, 0, done.messages)
            self.assertTrue(done.messages.startswith(f"note: {name}: no "), done.messages)
            self.assertIn(f" {word}: emulated (", done.messages)

    def test_tmpfs_is_this_machines_memory_and_never_persistent(self):
        if self.media["tmpfs"]["state"] != "real":
            self.skipTest(self.media["tmpfs"]["reason"])
        for cell in self.cells("--medium", "tmpfs", "--layout", "partitioned,flat"):
            self.assertEqual(cell["medium"], "tmpfs")
            self.assertEqual(cell["medium_label"],
                             "real (tmpfs on /dev/shm: this machine's memory)")
            self.assertIs(cell["emulated"], False)
            self.assertIs(cell["placement_proof"]["is_pmem"], False)
        self.assertIn("- tmpfs: real", self.table)

    def test_app_direct_on_a_tmpfs_is_refused_with_the_word_for_it(self):
        if self.media["tmpfs"]["state"] != "real":
            self.skipTest(self.media["tmpfs"]["reason"])
        with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
            ask = ["query", self.database, QUERY, "--pmem-dir", folder, "--medium"]
            self.refused(3, "files there are --medium tmpfs", *ask, "app-direct")
            done = program.run(self.binary, *ask, "tmpfs")
            self.assertEqual(done.status, 0, done.messages)
            self.assertIn(f"tmpfs: real (tmpfs on {folder}: this machine's memory)", done.messages)

    def test_device_dax_that_is_not_there_is_named(self):
        has_no_library = "libpmem" in self.media["tmpfs"].get("reason", "")
        named = "libpmem" if has_no_library else "/dev/dax77.7: no DAX device of that name"
        self.refused(3, named, "query", self.database, QUERY, "--medium", "app-direct",
                     "--pmem-dir", "/dev/dax77.7")

    def test_a_node_that_is_not_there_has_no_profile(self):
        self.refused(3, "numa:977: no such node", "profile", "numa:977")
        self.refused(2, "name a node: numa:0", "profile", "numa:")
        if self.media["cxl"]["state"] == "absent":
            self.refused(3, "cxl is absent here: ", "profile", "cxl")

    def test_a_node_is_measured_and_emulated_from_its_profile(self):
        if self.media.get("numa:0", {}).get("state") != "real":
            self.skipTest("memory cannot be bound to a node here")
        profile = self.root / "node.json"
        done = program.run(self.binary, "profile", "numa:0", "--reps", "1", "-o", profile)
        self.assertEqual(done.status, 0, done.messages)
        told = json.loads(profile.read_text(encoding="utf-8"))
        self.assertEqual(told["kind"], "memory")
        self.assertIn("every page on node 0", told["about"])
        self.assertGreater(told["latency"]["read_random"]["ns"], 0)
        for cell in self.cells("--medium", f"cxl:{profile}", "--layout", "partitioned", *EMULATED):
            self.assertIs(cell["emulated"], True)
            self.assertEqual(cell["profile"], "node")


if __name__ == "__main__":
    Placement.binary = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
