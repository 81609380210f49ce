#include "stiction/sim/cvode.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "vector_operations.h"

namespace stiction::sim {

struct Cvode::Memory {
  OdeProblem problem;
  std::size_t size = 0;
  SUNContext context = nullptr;
  N_Vector y = nullptr;
  N_Vector scratch = nullptr;
  SUNMatrix jacobian = nullptr;
  SUNLinearSolver linear = nullptr;
  void* cvode = nullptr;
  double time = 0;
  long steps = 0;

  ~Memory() {
    CVodeFree(&cvode);
    SUNLinSolFree(linear);
    if (jacobian != nullptr) {
      SUNMatDestroy(jacobian);
    }
    N_VDestroy(scratch);
    N_VDestroy(y);
    SUNContext_Free(&context);
  }

  [[nodiscard]] std::span<double> values(N_Vector v) const { return {N_VGetArrayPointer(v), size}; }
};

namespace {

/// A linear solver that hands the problem's own Newton system to the problem.
SUNLinearSolver own_solver(Cvode::Memory& memory) {
  SUNLinearSolver solver = SUNLinSolNewEmpty(memory.context);
  solver->content = &memory;
  solver->ops->gettype = [](SUNLinearSolver) { return SUNLINEARSOLVER_MATRIX_EMBEDDED; };
  solver->ops->solve = [](SUNLinearSolver self, SUNMatrix, N_Vector x, N_Vector b, realtype) {
    auto& m = *static_cast<Cvode::Memory*>(self->content);
    double time = 0;
    double gamma = 0;
    N_Vector y = nullptr;
    CVodeGetCurrentTime(m.cvode, &time);
    CVodeGetCurrentGamma(m.cvode, &gamma);
    CVodeGetCurrentState(m.cvode, &y);
    N_VScale(1, b, x);
    m.problem.newton(time, m.values(y), gamma, m.values(x));
    return 0;
  };
  solver->ops->free = [](SUNLinearSolver self) {
    SUNLinSolFreeEmpty(self);
    return 0;
  };
  return solver;
}

void require(int flag, const char* call) {
  if (flag < 0) {
    char* name = CVodeGetReturnFlagName(flag);
    const std::string text = name == nullptr ? "" : name;
    std::free(name);  // NOLINT(cppcoreguidelines-no-malloc): SUNDIALS hands over memory from malloc
    throw SolverFailure(std::string(call) + " failed: " + text);
  }
}

}  // namespace

Cvode::Cvode(OdeProblem problem, double time, std::vector<double> start) : memory_(std::make_unique<Memory>()) {
  Memory& m = *memory_;
  m.problem = std::move(problem);
  m.size = start.size();
  m.time = time;
  require(SUNContext_Create(nullptr, &m.context), "SUNContext_Create");
  const auto n = static_cast<sunindextype>(m.size);
  m.y = N_VNew_Serial(n, m.context);
  if (constexpr std::size_t many = 32; m.size > many) {
    use_vector_operations(m.y);
  }
  m.scratch = N_VClone(m.y);
  std::copy(start.begin(), start.end(), m.values(m.y).begin());
  m.cvode = CVodeCreate(CV_BDF, m.context);

  const auto rate = [](realtype t, N_Vector y, N_Vector dydt, void* data) {
    const auto& self = *static_cast<Memory*>(data);
    self.problem.rate(t, self.values(y), self.values(dydt));
    return 0;
  };
  const auto guards = [](realtype t, N_Vector y, realtype* out, void* data) {
    const auto& self = *static_cast<Memory*>(data);
    self.problem.guards(t, self.values(y), {out, self.problem.guard_count});
    return 0;
  };
  // Forward differences, stepped away from zero by a millionth of each state's size. CVODE's own increments shrink with
  // a velocity that dies out, until they are rounding noise and Newton's iteration no longer converges.
  const auto jacobian = [](realtype t, N_Vector y, N_Vector dydt, SUNMatrix result, void* data, N_Vector,
                           N_Vector moved, N_Vector) {
    const auto& self = *static_cast<Memory*>(data);
    const auto values = self.values(y);
    const auto rate_now = self.values(dydt);
    const auto rate_moved = self.values(moved);
    for (std::size_t j = 0; j < self.size; ++j) {
      const double kept = values[j];
      const double increment = std::copysign(std::max(1e-6 * self.problem.scale[j], 1e-8 * std::abs(kept)), kept);
      values[j] = kept + increment;
      self.problem.rate(t, values, rate_moved);
      const double taken = values[j] - kept;  // what the sum has kept of the increment
      values[j] = kept;
      for (std::size_t i = 0; i < self.size; ++i) {
        SM_COLUMN_D(result, j)[i] = (rate_moved[i] - rate_now[i]) / taken;
      }
    }
    return 0;
  };
  require(CVodeInit(m.cvode, rate, time, m.y), "CVodeInit");
  require(CVodeSetUserData(m.cvode, memory_.get()), "CVodeSetUserData");
  require(CVodeSetErrFile(m.cvode, nullptr), "CVodeSetErrFile");  // failures are thrown, not printed
  require(CVodeSetNoInactiveRootWarn(m.cvode), "CVodeSetNoInactiveRootWarn");
  std::transform(m.problem.scale.begin(), m.problem.scale.end(), m.values(m.scratch).begin(), [&](double size) {
    const double given = m.problem.absolute_tolerance;
    return (given > 0 ? given : 1e-3 * m.problem.relative_tolerance) * size;
  });
  require(CVodeSVtolerances(m.cvode, m.problem.relative_tolerance, m.scratch), "CVodeSVtolerances");
  if (m.problem.newton) {
    m.linear = own_solver(m);
    require(CVodeSetLinearSolver(m.cvode, m.linear, nullptr), "CVodeSetLinearSolver");
  } else {
    m.jacobian = SUNDenseMatrix(n, n, m.context);
    m.linear = SUNLinSol_Dense(m.y, m.jacobian, m.context);
    require(CVodeSetLinearSolver(m.cvode, m.linear, m.jacobian), "CVodeSetLinearSolver");
    require(CVodeSetJacFn(m.cvode, jacobian), "CVodeSetJacFn");
  }
  require(CVodeSetMaxStep(m.cvode, m.problem.max_step < 1e300 ? m.problem.max_step : 0), "CVodeSetMaxStep");
  if (m.problem.guard_count > 0) {
    require(CVodeRootInit(m.cvode, static_cast<int>(m.problem.guard_count), guards), "CVodeRootInit");
    std::vector<int> falling(m.problem.guard_count, -1);
    require(CVodeSetRootDirection(m.cvode, falling.data()), "CVodeSetRootDirection");
  }
}

Cvode::~Cvode() = default;
Cvode::Cvode(Cvode&&) noexcept = default;
Cvode& Cvode::operator=(Cvode&&) noexcept = default;

int Cvode::step(double end) {
  Memory& m = *memory_;
  require(CVodeSetStopTime(m.cvode, end), "CVodeSetStopTime");
  const int flag = CVode(m.cvode, end, m.y, &m.time, CV_ONE_STEP);
  require(flag, "CVode");
  ++m.steps;
  if (flag == CV_ROOT_RETURN) {
    std::vector<int> found(m.problem.guard_count);
    require(CVodeGetRootInfo(m.cvode, found.data()), "CVodeGetRootInfo");
    return static_cast<int>(std::find_if(found.begin(), found.end(), [](int f) { return f != 0; }) - found.begin());
  }
  return -1;
}

void Cvode::interpolate(double time, std::span<double> y) const {
  require(CVodeGetDky(memory_->cvode, time, 0, memory_->scratch), "CVodeGetDky");
  const auto values = memory_->values(memory_->scratch);
  std::copy(values.begin(), values.end(), y.begin());
}

void Cvode::restart(double time, std::span<const double> y) {
  Memory& m = *memory_;
  std::copy(y.begin(), y.end(), m.values(m.y).begin());
  m.time = time;
  require(CVodeReInit(m.cvode, time, m.y), "CVodeReInit");
}

double Cvode::time() const noexcept { return memory_->time; }
std::span<const double> Cvode::y() const noexcept { return memory_->values(memory_->y); }
long Cvode::steps_taken() const noexcept { return memory_->steps; }

}  // namespace stiction::sim
