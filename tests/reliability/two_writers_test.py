"""Many processes that write the same files at once: each succeeds, and what is read meanwhile is whole."""

import subprocess

import work
from work import STICTION, TIMEOUT, content


class TwoWriters(work.TestCase):
    def test_into_one_folder_all_succeed(self):
        for name, count in {"simulate": 60, "limit-surface": 16, "reproduce": 8}.items():
            arguments = self.commands()[name]
            processes = [subprocess.Popen([STICTION, *map(str, arguments)], cwd=self.folder, stdout=subprocess.DEVNULL,
                                          stderr=subprocess.PIPE, text=True) for _ in range(count)]
            while any(process.poll() is None for process in processes):
                if (self.folder / "out").exists():
                    self.assert_whole(self.folder / "out")
            for process in processes:
                self.assertEqual((process.communicate(timeout=TIMEOUT)[1], process.returncode), ("", 0), name)
            self.assert_whole(self.folder / "out")
            self.assertEqual([file for file in content(self.folder / "out") if ".part" in file], [])


if __name__ == "__main__":
    work.main()
