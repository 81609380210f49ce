// CLP, an off-the-shelf LP solver, on the programs of `published_lp.h`: oracle and baseline.
#pragma once

#include <memory>
#include <vector>

#include "published_lp.h"

namespace stiction::baselines {

struct ClpAnswer {
  bool solved = false;   // otherwise infeasible
  bool decided = false;  // false if CLP gave up
  double cost = 0;
  int iterations = 0;
};

/// A program loaded into CLP. In a build without CLP the constructor throws: see `available`.
class Clp {
 public:
  enum class Method { primal, dual };

  static bool available();

  explicit Clp(const LinearProgram& program);
  ~Clp();
  Clp(Clp&&) noexcept;
  Clp& operator=(Clp&&) noexcept;

  /// Starts from the slack basis. The dual method reports many feasible programs as infeasible if unknowns have no
  /// bounds, as do most of the published program; with six rows it is correct.
  ClpAnswer solve(Method method = Method::primal);
  /// Solves with new bounds for the same matrix, starting from the last basis.
  ClpAnswer solve_again(const LinearProgram& program, Method method = Method::primal);

  /// The solution of the last call.
  [[nodiscard]] std::vector<double> point() const;

 private:
  struct Model;
  std::unique_ptr<Model> model_;
};

}  // namespace stiction::baselines
