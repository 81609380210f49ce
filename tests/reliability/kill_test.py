"""SIGKILL at any moment: every file is the old one, the new one or not there, and the next run is as if nothing was."""

import random
import signal
import subprocess
import time

import work
from work import STICTION, run


class Kill(work.TestCase):
    def duration(self, arguments):
        start = time.monotonic()
        self.assertEqual(run(*arguments, cwd=self.folder).returncode, 0)
        return time.monotonic() - start

    def kill_at(self, delay, arguments):
        process = subprocess.Popen([STICTION, *map(str, arguments)], cwd=self.folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.wait()

    def test_leaves_no_half_file(self):
        (self.folder / "case.toml").write_text(work.SCENARIO.format(interval=2e-6))  # 100 000 rows: writing takes long
        delays = random.Random(1)
        for name, times in {"simulate": 25, "limit-surface": 10, "shell": 10, "reproduce": 15}.items():
            arguments = self.commands()[name]
            (self.folder / "out").mkdir(exist_ok=True)
            seconds = self.duration(arguments)
            before = set(work.content(self.folder / "out"))
            for _ in range(times):
                self.kill_at(delays.uniform(0, 1.1) * seconds, arguments)
                self.assert_whole(self.folder / "out")
                self.assertLessEqual(before, set(work.content(self.folder / "out")))  # what was there is still there
            self.duration(arguments)
            self.assert_whole(self.folder / "out")
            self.assertEqual([path.name for path in (self.folder / "out").rglob("*.part")], [])  # drafts of the killed are gone


if __name__ == "__main__":
    work.main()
