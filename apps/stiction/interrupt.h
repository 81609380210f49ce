// Ctrl-C: asks the work in hand to stop where it can; a second one ends the program at once.
#pragma once

namespace stiction::cli {

void catch_interrupts();
bool interrupted() noexcept;

}  // namespace stiction::cli
