// The program `stiction`, for its executable and for the command that the Python package installs.
#pragma once

namespace stiction::cli {

/// Runs the command that the arguments name, and returns the exit code. `argv[0]` is the program, `argv[argc]` is null.
int command_line(int argc, char** argv);

}  // namespace stiction::cli
