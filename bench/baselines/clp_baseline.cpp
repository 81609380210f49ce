#include "clp_baseline.h"

#include <stdexcept>

#ifdef STICTION_HAS_CLP
#include <ClpSimplex.hpp>
#endif

namespace stiction::baselines {

#ifdef STICTION_HAS_CLP

struct Clp::Model {
  ClpSimplex simplex;

  void run(Method method) {
    if (method == Method::primal) {
      simplex.primal();
    } else {
      simplex.dual();
    }
  }
  [[nodiscard]] ClpAnswer answer() const {
    // 0: optimal, 1: infeasible, 2: unbounded; others: CLP gave up
    const int status = simplex.problemStatus();
    return {status == 0, status <= 1, simplex.objectiveValue(), simplex.numberIterations()};
  }
};

bool Clp::available() { return true; }

Clp::Clp(const LinearProgram& p) : model_(std::make_unique<Model>()) {
  ClpSimplex& s = model_->simplex;
  s.setLogLevel(0);
  s.scaling(0);  // programs are well scaled; CLP is faster without scaling
  s.loadProblem(static_cast<int>(p.columns()), static_cast<int>(p.rows()), p.start.data(), p.row.data(), p.value.data(),
                p.lower.data(), p.upper.data(), p.cost.data(), p.row_lower.data(), p.row_upper.data());
}

ClpAnswer Clp::solve(Method method) {
  ClpSimplex& s = model_->simplex;
  s.allSlackBasis(true);
  model_->run(method);
  return model_->answer();
}

ClpAnswer Clp::solve_again(const LinearProgram& p, Method method) {
  ClpSimplex& s = model_->simplex;
  s.chgRowLower(p.row_lower.data());
  s.chgRowUpper(p.row_upper.data());
  s.chgColumnLower(p.lower.data());
  s.chgColumnUpper(p.upper.data());
  model_->run(method);
  return model_->answer();
}

std::vector<double> Clp::point() const {
  const ClpSimplex& s = model_->simplex;
  return {s.primalColumnSolution(), s.primalColumnSolution() + s.numberColumns()};
}

#else

struct Clp::Model {};
bool Clp::available() { return false; }
Clp::Clp(const LinearProgram& /*program*/) { throw std::logic_error("built without CLP"); }
ClpAnswer Clp::solve(Method /*method*/) { return {}; }
ClpAnswer Clp::solve_again(const LinearProgram& /*program*/, Method /*method*/) { return {}; }
std::vector<double> Clp::point() const { return {}; }

#endif

Clp::~Clp() = default;
Clp::Clp(Clp&&) noexcept = default;
Clp& Clp::operator=(Clp&&) noexcept = default;

}  // namespace stiction::baselines
