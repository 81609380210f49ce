"""The command that the package installs is the program of the command line."""

import os
import subprocess
import sys


def both(*arguments, cwd=None):
    """What `python -m stiction` and the executable do with the same arguments."""
    return [subprocess.run([*program, *arguments], capture_output=True, text=True, cwd=cwd, stdin=subprocess.DEVNULL)
            for program in ([sys.executable, "-B", "-m", "stiction"], [os.environ["STICTION_CLI"]])]


def test_prints_the_same():
    for arguments in ([], ["--help"], ["models", "lugre"], ["list", "--json"], ["completion", "bash"]):
        ours, executable = both(*arguments)
        assert ours.returncode == executable.returncode == 0, arguments
        assert ours.stdout == executable.stdout != "", arguments


def test_bad_input_is_one_line_and_exit_code_2():
    for arguments in (["modles"], ["models", "no-such-model"], ["simulate", "missing.toml"]):
        ours, executable = both(*arguments)
        assert ours.returncode == executable.returncode == 2, arguments
        assert ours.stderr == executable.stderr and ours.stderr.count("\n") == 1, arguments


def test_writes_the_same_files(tmp_path):
    both("reproduce", "scalar/fig03", "--quick", "--out", "out", cwd=tmp_path)[0].check_returncode()
    assert (tmp_path / "out/scalar/fig03/result.json").stat().st_size > 0


def test_interrupt_ends_it():
    import signal
    import time

    process = subprocess.Popen([sys.executable, "-B", "-m", "stiction", "bench"], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, start_new_session=True)
    time.sleep(2)
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=30) != 0
