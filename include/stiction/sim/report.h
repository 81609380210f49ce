// Status of a run, which every simulation reports in addition to its rows.
#pragma once

#include <string>
#include <utility>

#include "stiction/export.h"
#include "stiction/problem.h"

namespace stiction::sim {

/// The solver failed: too many steps, or repeated failures of the error test. The message explains why.
class STICTION_EXPORT SolverFailure : public Error {
 public:
  using Error::Error;
};

/// An InvalidParameter with its own message, if the value alone does not say what is wrong: at which time, or how many.
class STICTION_EXPORT InvalidInput : public InvalidParameter {
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
  std::string solver = {};   // name of the method that finished the run
  std::string note = {};     // why that is not the requested one, or a warning; empty: none
};

}  // namespace stiction::sim
