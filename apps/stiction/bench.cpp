#include <fmt/format.h>

#include "benchmarks.h"
#include "commands.h"

namespace stiction::cli {

int bench(const std::string& group, bool json) {
  const bench::Benchmarks benchmarks = bench::run_benchmarks(group);
  if (json) {
    fmt::print("{}\n", bench::to_json(benchmarks));
  } else {
    bench::print(benchmarks);
  }
  return exit_good;
}

}  // namespace stiction::cli
