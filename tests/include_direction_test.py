"""Arrows that must be refused, and arrows that must pass."""

import graphlib
import pathlib
import tempfile
import unittest

import include_direction as arrows


class WrongArrows(unittest.TestCase):
    def refused(self, source, target):
        self.assertIsNotNone(arrows.wrong_arrow(source, target), f"{source} -> {target}")

    def test_engine_knows_nobody(self):
        for folder in ("queries", "datagen", "pmem", "bench"):
            self.refused("engine/exec/execute.cc", f"{folder}/x.h")

    def test_nobody_knows_bench(self):
        for folder in ("queries", "datagen", "pmem"):
            self.refused(f"{folder}/x.cc", "bench/x.h")

    def test_siblings_do_not_know_each_other(self):
        self.refused("queries/query.cc", "datagen/spec.h")
        self.refused("datagen/spec.cc", "pmem/media/medium.h")
        self.refused("pmem/media/medium.cc", "queries/query.h")

    def test_pmem_knows_only_the_seams(self):
        self.refused("pmem/media/medium.cc", "engine/column/column.h")
        self.refused("pmem/media/medium_test.cc", "engine/storage/database.h")

    def test_rooms_only_look_down(self):
        self.refused("engine/base/store.h", "engine/column/type.h")
        self.refused("engine/column/column.h", "engine/storage/database.h")
        self.refused("engine/storage/database.cc", "engine/kernel/scan.h")
        self.refused("engine/kernel/scan.h", "engine/operator/plan.h")
        self.refused("engine/operator/gather.cc", "engine/exec/workspace.h")
        self.refused("pmem/base/free_room.cc", "pmem/machine/mount.h")
        self.refused("pmem/memory/cache_state.h", "pmem/media/medium.h")
        self.refused("pmem/emulator/region_table.h", "pmem/memory/mapping_registry.h")
        self.refused("bench/model/query_list.h", "bench/run/table_placement.h")
        self.refused("bench/peers/peer_plan.h", "bench/results/results_reader.h")
        self.refused("bench/results/comparison.cc", "bench/report/views/report_pivot.h")
        self.refused("bench/machine/host.cc", "bench/run/session.h")

    def test_a_room_within_a_room_is_its_own(self):
        self.refused("bench/storage/io_run.cc", "bench/storage/volumes/throttle.h")
        self.refused("bench/storage/volumes/throttle.cc", "bench/storage/io_run.h")
        self.refused("bench/report/views/verdict.cc", "bench/report/answers/answers.h")

    def test_what_tests_share_is_no_part_of_the_program(self):
        self.refused("pmem/machine/mount.cc", "pmem/testing/test_files.h")
        self.refused("bench/machine/host.cc", "pmem/testing/test_files.h")

    def test_only_a_test_knows_what_its_room_is_tested_through(self):
        self.refused("pmem/readahead/read_ahead_buffers.cc", "pmem/media/nvme_store.h")
        self.refused("pmem/emulator/near_cache_test.cc", "pmem/media/nvme_store.h")

    def test_a_path_is_written_from_the_root(self):
        self.refused("engine/column/column.cc", "column.h")
        self.refused("engine/column/column.cc", "../base/store.h")

    def test_an_unknown_room_is_refused(self):
        self.refused("engine/attic/x.cc", "engine/base/store.h")
        self.refused("pmem/medium.cc", "pmem/base/free_room.h")
        self.refused("bench/run/matrix.cc", "bench/report/report_pivot.h")


class RightArrows(unittest.TestCase):
    def allowed(self, source, target):
        self.assertIsNone(arrows.wrong_arrow(source, target), f"{source} -> {target}")

    def test_rooms_know_themselves_and_what_lies_below(self):
        self.allowed("engine/column/column.h", "engine/base/store.h")
        self.allowed("engine/storage/database.h", "engine/column/table.h")
        self.allowed("engine/exec/execute.cc", "engine/kernel/scan.h")
        self.allowed("engine/base/check_test.cc", "engine/base/catch.h")

        self.allowed("pmem/media/medium.h", "pmem/memory/cache_state.h")
        self.allowed("bench/run/session.h", "bench/model/axes.h")
        self.allowed("bench/storage/filesystems/filesystem_image.h", "bench/storage/io_run.h")
        self.allowed("bench/main.cc", "bench/cli/command_line.h")

    def test_tests_know_what_they_share(self):
        self.allowed("pmem/base/free_room_test.cc", "pmem/testing/test_files.h")
        self.allowed("bench/machine/host_test.cc", "pmem/testing/test_files.h")
        self.allowed("pmem/testing/test_machines.h", "pmem/testing/test_files.h")
        self.allowed("pmem/readahead/read_ahead_buffers_test.cc", "pmem/media/nvme_store.h")

    def test_rooms_have_an_order(self):
        for rooms in arrows.ROOMS.values():
            self.assertCountEqual(graphlib.TopologicalSorter(rooms).static_order(), rooms)

    def test_a_librarys_header_in_quotes_is_no_arrow(self):
        self.allowed("engine/kernel/scan.cc", "hwy/highway.h")

    def test_folders_know_engine_and_bench_knows_all(self):
        self.allowed("queries/query.h", "engine/operator/plan.h")
        self.allowed("datagen/gen.cc", "engine/storage/column_writer.h")
        self.allowed("pmem/media/medium.h", "engine/base/store.h")
        for folder in ("queries", "datagen", "pmem", "engine"):
            self.allowed("bench/main.cc", f"{folder}/x/y.h")


class Reading(unittest.TestCase):
    def test_system_headers_are_not_arrows_but_angle_brackets_hide_none(self):
        text = (
            "#include <vector>\n"
            '#include "engine/base/check.h"\n'
            "  #  include <pmem/media/medium.h>\n"
            '// #include "bench/x.h"\n'
        )
        found = arrows.project_includes(text)
        self.assertEqual(found, ["engine/base/check.h", "pmem/media/medium.h"])

    def test_a_wrong_include_in_a_tree_is_named_with_its_file(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name, "engine", "base")
            folder.mkdir(parents=True)
            (folder / "x.h").write_text('#include "bench/run/matrix.h"\n', encoding="utf-8")
            found = list(arrows.complaints(pathlib.Path(name)))
        reason = "engine does not know bench"
        self.assertEqual(found, [f'engine/base/x.h: #include "bench/run/matrix.h": {reason}'])


if __name__ == "__main__":
    unittest.main()
