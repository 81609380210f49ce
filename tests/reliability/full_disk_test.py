"""A disk without room, for files and for what is printed: one line, exit code 2, and the files of before."""

import os
import resource
import shutil
import signal
import subprocess

import work
from work import STICTION, TIMEOUT, content, run


class FullDisk(work.TestCase):
    def disk(self, size):
        """A folder with room for `size` bytes, or None where this user cannot have one."""
        folder = self.folder / "disk"
        folder.mkdir()
        if os.geteuid() != 0 or shutil.which("mount") is None or subprocess.run(
                ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], capture_output=True).returncode != 0:
            return None
        self.addCleanup(subprocess.run, ["umount", "-l", folder], check=True)
        return folder

    def check(self, good, limited):
        """`good` and `limited` run a command with and without room, in the folder with its results."""
        for name, arguments in self.commands().items():
            with self.subTest(name):
                shutil.rmtree(self.folder / "out", ignore_errors=True)
                (self.folder / "out").mkdir()
                self.assertEqual(good(arguments).returncode, 0)
                before = content(self.folder / "out")
                self.assert_one_line(limited(arguments), 2, "cannot ")
                self.assertEqual(content(self.folder / "out"), before)

    def test_files_that_cannot_grow(self):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))

        self.check(lambda arguments: run(*arguments, cwd=self.folder),
                   lambda arguments: run(*arguments, cwd=self.folder, preexec_fn=limit))

    def test_a_disk_that_fills_up(self):
        disk = self.disk("4m")
        if disk is None:
            self.skipTest("only root can mount a small disk")
        for name in ["case.toml", "patch.toml", "cube.obj"]:
            shutil.copy(self.folder / name, disk)
        self.folder = disk

        def limited(arguments):
            filler = disk / "filler"
            with open(filler, "wb", buffering=0) as file:
                try:
                    while True:
                        file.write(b"x" * 4096)
                except OSError:
                    pass
            try:
                return run(*arguments, cwd=disk)
            finally:
                filler.unlink()

        self.check(lambda arguments: run(*arguments, cwd=disk), limited)

    def test_results_that_cannot_be_printed(self):
        for name, arguments in {**self.commands(), "models": ["models"], "list": ["list", "--json"],
                                "help": ["--help"]}.items():
            (self.folder / "out").mkdir(exist_ok=True)
            with self.subTest(name), open("/dev/full", "w") as full:
                process = subprocess.run([STICTION, *map(str, arguments)], stdout=full, stderr=subprocess.PIPE,
                                         text=True, timeout=TIMEOUT, cwd=self.folder)
                self.assert_one_line(process, 2, "No space left on device")
        self.assert_whole(self.folder / "out")


if __name__ == "__main__":
    work.main()
