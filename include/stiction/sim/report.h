// How a run went: what every simulation tells beside its rows.
#pragma once

#include <string>
#include <utility>

#include "stiction/problem.h"

namespace stiction::sim {

/// An InvalidParameter with a line of its own, where a number alone does not say what is wrong: at which time, or how
/// many.
class InvalidInput : public InvalidParameter {
 public:
  InvalidInput(const Problem& problem, std::string line) : InvalidParameter(problem), line_(std::move(line)) {}
  [[nodiscard]] const char* what() const noexcept override { return line_.c_str(); }

 private:
  std::string line_;
};

struct RunReport {
  bool diverged = false;     // a value was no longer finite: the rows end before it
  bool interrupted = false;  // `stop` was requested: the rows end where it was noticed
  long steps = 0;            // taken by the solver
  std::string solver = {};   // what finished the run: the name of a method
  std::string note = {};     // why that is another one than was asked for, or what to mind; empty: nothing
};

}  // namespace stiction::sim
