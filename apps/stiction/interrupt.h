// Ctrl-C: requests the running work to stop; a second one ends the program immediately.
#pragma once

namespace stiction::cli {

void catch_interrupts();
bool interrupted() noexcept;

}  // namespace stiction::cli
