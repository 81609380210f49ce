"""Standard files that are closed, full or gone: an exit code and no abort, and nothing printed ends in a result."""

import os
import subprocess

import work
from work import STICTION, TIMEOUT, content


class ClosedDescriptors(work.TestCase):
    def run_without(self, closed, arguments, full=()):
        """Runs with some of the descriptors 0 to 2 closed and others leading to a full device."""
        def prepare():
            device = os.open("/dev/full", os.O_WRONLY)
            for descriptor in full:
                os.dup2(device, descriptor)
            os.close(device)
            for descriptor in closed:
                os.close(descriptor)

        return subprocess.run([STICTION, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=TIMEOUT, cwd=self.folder, preexec_fn=prepare)

    def combinations(self):
        for mask in range(8):
            for full in range(0, 8, 2):
                if mask & full == 0:
                    yield [d for d in range(3) if mask >> d & 1], [d for d in range(3) if full >> d & 1]

    def test_of_a_good_run(self):
        arguments = self.commands()["simulate"]
        expected = subprocess.run([STICTION, *map(str, arguments)], cwd=self.folder, stdout=subprocess.DEVNULL, check=True)
        self.assertEqual(expected.returncode, 0)
        whole = content(self.folder / "out")
        for closed, full in self.combinations():
            with self.subTest(closed=closed, full=full):
                process = self.run_without(closed, arguments, full)
                lost = 1 in closed or 1 in full  # results that reach nobody are no success
                self.assertEqual(process.returncode, 2 if lost else 0, process.stderr)
                self.assertEqual(content(self.folder / "out"), whole)
                if lost and 2 not in closed and 2 not in full:
                    self.assert_one_line(process, 2, "cannot write" if 1 in full else "Bad file descriptor")

    def test_of_a_bad_run(self):
        for arguments in [["simulate", "bad.toml"], ["simulate", "none.toml"], ["nonsense"], ["--nonsense"],
                          ["simulate"], ["mesh"]]:
            for closed, full in self.combinations():
                with self.subTest(arguments=arguments, closed=closed, full=full):
                    process = self.run_without(closed, arguments, full)
                    self.assertEqual(process.returncode, 2, process.stderr)

    def test_of_every_command(self):
        (self.folder / "out").mkdir()
        for name, arguments in self.commands().items():
            for closed in [[1], [2], [0, 1, 2]]:
                with self.subTest(name, closed=closed):
                    self.assertEqual(self.run_without(closed, arguments).returncode, 2 if 1 in closed else 0)
                    self.assert_whole(self.folder / "out")

    def test_notices_are_lost_and_nothing_else(self):
        (self.folder / "file").write_text("no folder")
        arguments = ["shell", "cube.obj", "--points", 50, "--cache", "file/cache"]  # "not kept for the next time: …"
        for closed, full in [([2], []), ([], [2])]:
            self.assertEqual(self.run_without(closed, arguments, full).returncode, 0)

    def test_a_reader_that_goes_away_is_no_abort(self):
        read, write = os.pipe()
        os.close(read)
        process = subprocess.run([STICTION, "models", "--json"], stdout=write, stderr=subprocess.PIPE, timeout=TIMEOUT)
        os.close(write)
        self.assertIn(process.returncode, (-13, 2))  # SIGPIPE, as other programs of a pipeline
        process = subprocess.run([STICTION, "models", "--json"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                 timeout=TIMEOUT)
        self.assertEqual(process.returncode, 0)


if __name__ == "__main__":
    work.main()
