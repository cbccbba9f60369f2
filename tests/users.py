"""Several users at once: pools of processes over one database, closed and open loops.

    users.py HDBENCH
"""

import json
import os
import pathlib
import signal
import sys

import json_schema
import program

QUICK = ["--attr", "parted", "--mode", "4.0", "--layout", "partitioned", "--cache", "warm", "-s",
         "1", "--reps", "1", *program.SMALL_CEILINGS]
MIX = "/ a desk's day\n3 Q01\n1 Q05\n"


class Users(program.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.database = cls.folder / "db"
        program.succeed(cls.binary, "gen", cls.database, "--scale", "0.001", "--parted", "col3")

    def cells(self, *arguments):
        path = self.folder / "users.json"
        done = self.fine("run", self.database, *QUICK, "--out", path, "--force", *arguments)
        return json.loads(path.read_text())["context"]["users"], done.out.decode()

    def test_each_medium_pool_and_loop_has_a_cell_with_the_same_answers(self):
        mix = self.folder / "mix"
        mix.write_text(MIX)
        cells, said = self.cells("--medium", "nvme,dram,app-direct", "--users", "1,4", "--arrivals",
                                 "30", "--processes", "2", "--seconds", "0.5", "--mix", mix)
        self.assertEqual(len(cells), 9)
        for cell in cells:
            with self.subTest(cell["name"]):
                self.assertIsNone(cell["error"])
                self.assertEqual(cell["mix"], "Q01 3, Q05 1")
                self.assertEqual(set(cell["answers_by_query"]), {"Q01", "Q05"})
                self.assertGreater(cell["answers"], 0)
                parts = cell["queued_ms"] + cell["served_ms"] + cell["checked_ms"]
                self.assertLessEqual(cell["p50"]["ms"], cell["max_ms"])
                self.assertLessEqual(parts, cell["max_ms"])
                if cell["users"]:
                    self.assertAlmostEqual(cell["in_system"], cell["users"], delta=0.01)
        self.assertIn("Little's law", said)
        written = json.loads((self.folder / "users.json").read_text())
        self.assertEqual(json_schema.complaints(json_schema.validator("results"), written), [])

    def test_the_page_and_the_reports_show_them_and_answer_a_goal(self):
        self.cells("--medium", "dram", "--users", "1,4", "--processes", "1,2", "--seconds",
                   "0.5")
        goal = "p50<60s at 2 users"
        for shape, word in (("terminal", "Several users"), ("markdown", "## Several users"),
                            ("html", "chart-users")):
            shown = self.fine("report", self.folder / "users.json", "--goal", goal, "--format",
                              shape, "-o", self.folder / f"page.{shape}", "--force")
            self.assertEqual(shown.messages, "")
            text = (self.folder / f"page.{shape}").read_text()
            self.assertIn(word, text)
            self.assertIn("1 core (1 process of 1 thread)", text)
        self.refused(2, "--goal: 'p98<1ms at 1 users': expected such as", "report",
                     self.folder / "users.json", "--goal", "p98<1ms at 1 users")

    def test_arrivals_above_what_is_borne_are_said_with_the_rate(self):
        cells, said = self.cells("--medium", "dram", "--arrivals", "200000", "--processes", "1",
                                 "--seconds", "0.3")
        self.assertTrue(cells[0]["overrun"])
        self.assertIsNone(cells[0]["p99"])
        self.assertGreater(cells[0]["per_s"], 0)
        self.assertIn("the queue never empties", said)

    def test_a_resumed_run_takes_cells_that_are_there(self):
        arguments = ["--medium", "dram", "--users", "1,2", "--seconds", "0.3"]
        before, _ = self.cells(*arguments)
        path = self.folder / "users.json"
        saved = json.loads(path.read_text())
        saved["context"]["users"][1]["rounds"] = 1  # cut short
        path.write_text(json.dumps(saved))
        after, _ = self.cells(*arguments, "--resume")
        self.assertEqual(after[0], before[0])
        self.assertEqual(after[1]["rounds"], 3)
        self.assertNotEqual(after[1]["per_s"], before[1]["per_s"])
        self.assertEqual([cell["name"] for cell in after], [cell["name"] for cell in before])
        # Other seconds are another question.
        longer, _ = self.cells(*arguments[:-1], "0.4", "--resume")
        self.assertEqual([cell["asked_seconds"] for cell in longer], [0.4, 0.4])
        # So is an error, or another text of a query.
        saved = json.loads(path.read_text())
        saved["context"]["users"][0]["error"] = "every process of the pool has died"
        saved["context"]["users"][1]["mix_texts"] = "0" * 16
        path.write_text(json.dumps(saved))
        anew, _ = self.cells(*arguments[:-1], "0.4", "--resume")
        for at, cell in enumerate(anew):
            self.assertIsNone(cell["error"])
            self.assertEqual(cell["mix_texts"], longer[at]["mix_texts"])
            self.assertNotEqual(cell["per_s"], longer[at]["per_s"])
        # Answers of resumed cells take part in the comparison.
        saved = json.loads(path.read_text())
        saved["context"]["users"][0]["checksums"]["Q01"] = "0" * 16
        path.write_text(json.dumps(saved))
        differs = self.ended(4, "run", self.database, *QUICK, *arguments[:-1], "0.4", "--out", path,
                             "--resume")
        self.assertIn("checksum 0000000000000000, but Q01", differs.messages)
        self.refused(2, "which this command does not run and would lose", "run", self.database,
                     *QUICK, "--medium", "dram", "--out", path, "--resume")

    def test_a_filter_chooses_cells_of_users_too(self):
        cells, _ = self.cells("--medium", "dram", "--users", "1,2", "--seconds", "0.1",
                              "--benchmark_filter=users:2/|Q01")
        self.assertEqual([cell["users"] for cell in cells], [2])

    def begun(self, out, *arguments):
        """A run that has a pool, with the processes of it."""
        running = self.start("run", self.database, *QUICK, "--medium", "dram", "--out", out,
                             "--force", *arguments)
        workers = []

        def has_pool():
            workers[:] = program.children_of(running.pid)
            return len(workers) >= 2 or running.poll() is not None

        self.assertTrue(program.wait_until(has_pool, program.TIMEOUT_SECONDS))
        return running, workers

    def assert_gone(self, workers):
        for worker in workers:
            self.assertFalse(pathlib.Path(f"/proc/{worker}").exists())

    def test_a_worker_that_is_killed_loses_its_query_and_the_rest_goes_on(self):
        path = self.folder / "killed.json"
        running, workers = self.begun(path, "--users", "6", "--processes", "3", "--seconds", "2")
        os.kill(max(workers), signal.SIGKILL)  # a helper of root's is older
        _, said = running.communicate(timeout=program.TIMEOUT_SECONDS)
        self.assertEqual(running.returncode, 0, said)
        if "was ended by" not in said:  # it was killed before it took a query
            cell = json.loads(path.read_text())["context"]["users"][0]
            self.assertIn("could not begin", cell["error"])
            return
        self.assertIn("was ended by signal 9", said)
        cell = json.loads(path.read_text())["context"]["users"][0]
        self.assertEqual(cell["died"], 1)
        self.assertGreater(cell["answers"], 0)
        self.assert_gone(workers)

    def test_ctrl_c_ends_the_pool_and_keeps_what_was_measured(self):
        path = self.folder / "stopped.json"
        running, workers = self.begun(path, "--users", "1,2", "--processes", "2", "--seconds", "60")
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=program.PATIENCE_SECONDS)
        self.assertEqual(running.returncode, 130)
        self.assert_gone(workers)
        self.assertEqual(len(program.cells(path)), 11)

    def test_what_cannot_be_is_refused_with_a_line(self):
        mix = self.folder / "bad-mix"
        mix.write_text("1 Q99\n")
        for says, *arguments in (
                ("--users: '0' is not a number from 1 to 10000", "--users", "0"),
                ("--arrivals: 'x' is not a number", "--arrivals", "x"),
                ("--processes: it is about users", "--processes", "2"),
                ("--peers: they answer one query", "--users", "1", "--peers", "duckdb",
                 "--peers-python", sys.executable),
                ("'Q99' is no query of this run", "--users", "1", "--mix", mix),
                ("bad/no-mix", "--users", "1", "--mix", "bad/no-mix")):
            with self.subTest(says):
                self.refused(2, says, "run", self.database, *QUICK, "--medium", "dram", *arguments)

    def test_what_processes_cannot_share_is_left_out_with_the_reason(self):
        for says, *arguments in (
                ("keeps nobody waiting", "--medium", "app-direct", "--emulation", "model"),
                ("keeps nobody waiting", "--medium", "dram", "--result-medium", "cxl",
                 "--emulation", "model"),
                ("take dram", "--medium", "dram", "--result-medium", "tmpfs"),
                ("take dram", "--medium", "dram", "--on-limit", "spill=tmpfs"),
                ("cannot share one file", "--medium", "dram", "--on-limit", "spill")):
            with self.subTest(says):
                path = self.folder / "left-out.json"
                self.fine("run", self.database, *QUICK, *arguments, "--users", "1", "--seconds",
                          "0.2", "--out", path, "--force")
                context = json.loads(path.read_text())["context"]
                self.assertNotIn("users", context)
                self.assertTrue(any(says in line for line in context["left_out"]),
                                context["left_out"])


    def test_memory_beyond_the_limit_is_each_process_s_own(self):
        path = self.folder / "spilled.json"
        for word in ("dram", "cxl:cxl-asic-ddr5"):
            self.fine("run", self.database, *QUICK, "--medium", "dram", "-w", "1", "--on-limit",
                      f"spill={word}", "--users", "2", "--processes", "2", "--seconds", "0.2",
                      "--out", path, "--force")
            cell, = json.loads(path.read_text())["context"]["users"]
            self.assertEqual((cell["spill"], cell["error"]), (word, None))
            self.assertGreater(cell["answers"], 0)


if __name__ == "__main__":
    program.main()
