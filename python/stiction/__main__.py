"""The command line, as ``stiction`` or ``python -m stiction``."""

import sys

from ._core import lab


def main() -> int:
    """Runs the command that the program's arguments name, and returns the exit code."""
    return lab.command_line(["stiction", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
