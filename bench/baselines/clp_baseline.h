// CLP, an off-the-shelf LP solver, on the programs of `published_lp.h`: oracle and baseline.
#pragma once

#include <memory>
#include <vector>

#include "published_lp.h"

namespace stiction::baselines {

struct ClpAnswer {
  bool solved = false;   // else infeasible
  bool decided = false;  // not where it gave up
  double cost = 0;
  int iterations = 0;
};

/// One program in CLP's memory. Where the project was built without CLP nothing can be made: see `available`.
class Clp {
 public:
  enum class Way { primal, dual };

  static bool available();

  explicit Clp(const LinearProgram& program);
  ~Clp();
  Clp(Clp&&) noexcept;
  Clp& operator=(Clp&&) noexcept;

  /// From the slack basis. The dual method calls many a feasible program infeasible where unknowns have no bounds, as
  /// most of the published program; with six rows it is right.
  ClpAnswer solve(Way way = Way::primal);
  /// New bounds for the same matrix, then on from the last basis.
  ClpAnswer solve_again(const LinearProgram& program, Way way = Way::primal);

  /// The point of the last answer.
  [[nodiscard]] std::vector<double> point() const;

 private:
  struct Model;
  std::unique_ptr<Model> model_;
};

}  // namespace stiction::baselines
