// first_figure FOLDER: draws stick-slip into the folder and prints the path. `make demo` shows it while the rest is
// compiled.
#include <fmt/format.h>

#include "lab.h"

namespace stiction::lab::scalar_stick_slip {
Result run(const Context& context);
}

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: first_figure FOLDER\n");
    return 2;
  }
  namespace lab = stiction::lab;
  try {
    const lab::Context context{.quick = true};
    lab::write(lab::scalar_stick_slip::run(context), argv[1], context);
    fmt::print("first figure: {}/force.svg (stick-slip with LuGre friction); the rest is being built\n", argv[1]);
    return 0;
  } catch (const std::exception& e) {
    fmt::print(stderr, "first_figure: {}\n", e.what());
    return 1;
  }
}
