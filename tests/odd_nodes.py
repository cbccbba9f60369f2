"""hdbench topo on machines with odd NUMA nodes: trees bound over the kernel's own, in a mount
namespace of the program's own.

    odd_nodes.py HDBENCH

Needs root; where there is no mount namespace the tests are skipped with the reason.
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import program

NODES = "/sys/devices/system/node"
# Binds each pair of a tree and a place, then runs the rest.
BIND = """while [ "$1" != -- ]; do mount --bind "$1" "$2" || exit 99; shift 2; done
shift
exec "$@" """
GIB = 1 << 20  # of meminfo's kB


def no_namespace():
    """Why the tests are skipped; empty: they run."""
    if not shutil.which("unshare"):
        return "no unshare here"
    done = subprocess.run(["unshare", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"],
                          capture_output=True, timeout=60, check=False, text=True)
    return f"no mount namespace here: {done.stderr.strip()}" if done.returncode else ""


@unittest.skipIf(no_namespace(), no_namespace())
class OddNodes(unittest.TestCase):
    binary = None

    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="hdbench-nodes-")
        self.addCleanup(place.cleanup)
        self.tree = pathlib.Path(place.name) / "node"
        self.tree.mkdir()

    def node(self, number, cpus, gibibytes):
        folder = self.tree / f"node{number}"
        folder.mkdir()
        (folder / "cpulist").write_text(f"{cpus}\n", encoding="utf-8")
        (folder / "distance").write_text("10 20\n", encoding="utf-8")
        if gibibytes is not None:
            figures = "".join(f"Node {number} {name}: {gibibytes * GIB} kB\n"
                              for name in ("MemTotal", "MemFree"))
            (folder / "meminfo").write_text(figures, encoding="utf-8")

    def told(self, online, more=()):
        """topo's JSON on this tree; `more`: further pairs of a path and where it is bound."""
        (self.tree / "online").write_text(f"{online}\n", encoding="utf-8")
        done = subprocess.run(
            ["unshare", "--mount", "sh", "-c", BIND, "sh", self.tree, NODES, *more, "--",
             self.binary, "topo", "--json"],
            capture_output=True, timeout=program.TIMEOUT_SECONDS, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    @staticmethod
    def media(told):
        return {medium["name"]: (medium["state"], medium["reason"]) for medium in told["media"]}

    def test_ordinary_memory_without_cpus_is_no_cxl(self):
        self.node(0, "", 12)
        self.node(2, "0-1", 0)
        told = self.told("0,2")
        self.assertEqual([node["number"] for node in told["nodes"]], [0, 2])
        self.assertEqual(told["nodes"][1]["unusable"], "a node without memory")
        media = self.media(told)
        self.assertEqual(media["cxl"][0], "absent")
        # By its tier where this kernel shows tiers, else as nothing tells of CXL.
        self.assertRegex(media["cxl"][1], "^node0 is not (told to be )?CXL")
        self.assertEqual(media["numa:0"][0], "real")
        self.assertRegex(media["numa:0"][1], "no CPUs: not (told to be )?CXL")
        self.assertNotIn("numa:2", media)
        self.assertIn(" on 1 node", media["dram"][1])

    def test_nodes_are_those_that_are_there(self):
        self.node(0, "0", 16)
        self.node(8, "1", 16)
        for gpu in range(252, 256):
            self.node(gpu, "", 16)
        told = self.told("0,8,252-255")
        self.assertEqual([node["number"] for node in told["nodes"]], [0, 8, 252, 253, 254, 255])
        media = self.media(told)
        self.assertEqual(media["cxl"][0], "absent")
        self.assertNotIn("256 nodes", json.dumps(told))
        # The kernel's own word: this process has node 0, whatever the tree shows.
        self.assertEqual(media["numa:0"][0], "real")
        self.assertEqual(media["numa:255"][0], "absent")
        self.assertIn("not allowed to this process (Mems_allowed_list: ", media["numa:255"][1])

    def test_an_offline_node_and_one_that_tells_nothing(self):
        self.node(0, "0-1", 16)
        self.node(1, "", 16)
        self.node(2, "", None)
        media = self.media(self.told("0,2"))
        self.assertEqual(media["numa:0"][0], "real")
        self.assertEqual(media["numa:1"], ("absent", "offline"))
        self.assertEqual(media["numa:2"], ("absent", "its meminfo cannot be read"))
        self.assertEqual(media["dram"][0], "real")

    def test_no_node_at_all(self):
        told = self.told("")
        self.assertEqual(told["nodes"], [])
        self.assertEqual(self.media(told)["numa"][0], "absent")

    def test_a_query_runs_on_the_memory_of_such_a_machine(self):
        self.node(0, "", 12)
        self.node(2, "0-1", 0)
        (self.tree / "online").write_text("0,2\n", encoding="utf-8")
        database = self.tree.parent / "db"
        program.generate(self.binary, database, 0.0005)
        query = ["query", database, "select count i from quote", "--format", "csv"]
        plain = program.run(self.binary, *query)
        for medium, expected in (("dram", ""), ("numa:0", ""), ("cxl", "emulated by the profile")):
            done = subprocess.run(
                ["unshare", "--mount", "sh", "-c", BIND, "sh", self.tree, NODES, "--",
                 self.binary, *query, "--medium", medium],
                capture_output=True, timeout=program.TIMEOUT_SECONDS, check=False)
            self.assertEqual((done.returncode, done.stdout), (0, plain.out), done.stderr)
            self.assertIn(expected, done.stderr.decode())


def main():
    OddNodes.binary = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()


if __name__ == "__main__":
    main()
