#include "stiction/sim/cvode.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>
#include <exception>
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
  std::exception_ptr thrown = nullptr;  // by the problem's functions: must not propagate through C code

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

  /// Calls f; an exception is stored for `step`, and the solver is told to stop.
  template <class F>
  int guarded(const F& f) noexcept {
    try {
      return f();
    } catch (...) {
      thrown = std::current_exception();
      return -1;
    }
  }
};

namespace {

constexpr std::size_t max_small = 32;  // states: for more, separate vector operations are worthwhile

bool is_finite(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) {
    sum += std::abs(value);
  }
  return std::isfinite(sum);
}

/// A linear solver that passes Newton systems on to the problem's own solver.
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
    return m.guarded([&] {
      m.problem.newton(time, m.values(y), gamma, m.values(x));
      return 0;
    });
  };
  solver->ops->free = [](SUNLinearSolver self) {
    SUNLinSolFreeEmpty(self);
    return 0;
  };
  return solver;
}

/// Messages for CVODE's codes.
const char* reason(int flag) {
  switch (flag) {
    case CV_TOO_MUCH_ACC:
      return "the tolerance is finer than rounding allows";
    case CV_ERR_FAILURE:
      return "the error test failed repeatedly";
    case CV_CONV_FAILURE:
      return "Newton's iteration did not converge";
    case CV_LSETUP_FAIL:
    case CV_LSOLVE_FAIL:
      return "Newton's linear system could not be solved";
    case CV_RHSFUNC_FAIL:
    case CV_FIRST_RHSFUNC_ERR:
    case CV_REPTD_RHSFUNC_ERR:
    case CV_UNREC_RHSFUNC_ERR:
      return "the rates are not finite";
    case CV_TOO_CLOSE:
      return "the time span is too short";
    case CV_MEM_FAIL:
      return "out of memory";
    default:
      return "the request is not supported";
  }
}

void check_flag(int flag) {
  if (flag < 0) {
    throw SolverFailure(reason(flag));
  }
}

/// Suppresses CVODE's messages: failures are thrown.
void silence(int, const char*, const char*, char*, void*) {}

}  // namespace

Cvode::Cvode(OdeProblem problem, double time, std::vector<double> start) : memory_(std::make_unique<Memory>()) {
  Memory& m = *memory_;
  m.problem = std::move(problem);
  m.size = start.size();
  m.time = time;
  check_flag(SUNContext_Create(nullptr, &m.context));
  const auto n = static_cast<sunindextype>(m.size);
  m.y = N_VNew_Serial(n, m.context);
  if (m.size > max_small) {
    use_vector_operations(m.y);
  }
  m.scratch = N_VClone(m.y);
  std::copy(start.begin(), start.end(), m.values(m.y).begin());
  m.cvode = CVodeCreate(CV_BDF, m.context);
  check_flag(CVodeSetErrHandlerFn(m.cvode, silence, nullptr));

  const auto rate = [](realtype t, N_Vector y, N_Vector dydt, void* data) {
    auto& self = *static_cast<Memory*>(data);
    return self.guarded([&] {
      self.problem.rate(t, self.values(y), self.values(dydt));
      return self.size > max_small || is_finite(self.values(dydt)) ? 0 : 1;  // 1: try a shorter step
    });
  };
  const auto guards = [](realtype t, N_Vector y, realtype* out, void* data) {
    auto& self = *static_cast<Memory*>(data);
    return self.guarded([&] {
      self.problem.guards(t, self.values(y), {out, self.problem.guard_count});
      return 0;
    });
  };
  // Forward differences, stepped away from zero by a millionth of each state's size. CVODE's own increments shrink with
  // a decaying velocity, until they are rounding noise and Newton's iteration no longer converges.
  const auto jacobian = [](realtype t, N_Vector y, N_Vector dydt, SUNMatrix result, void* data, N_Vector,
                           N_Vector moved, N_Vector) {
    auto& self = *static_cast<Memory*>(data);
    const auto values = self.values(y);
    const auto rate_now = self.values(dydt);
    const auto rate_moved = self.values(moved);
    return self.guarded([&] {
      for (std::size_t j = 0; j < self.size; ++j) {
        const double kept = values[j];
        const double increment = std::copysign(std::max(1e-6 * self.problem.scale[j], 1e-8 * std::abs(kept)), kept);
        values[j] = kept + increment;
        self.problem.rate(t, values, rate_moved);
        const double increment_used = values[j] - kept;  // the increment after rounding
        values[j] = kept;
        for (std::size_t i = 0; i < self.size; ++i) {
          SM_COLUMN_D(result, j)[i] = (rate_moved[i] - rate_now[i]) / increment_used;
        }
      }
      return 0;
    });
  };
  check_flag(CVodeInit(m.cvode, rate, time, m.y));
  check_flag(CVodeSetUserData(m.cvode, memory_.get()));
  check_flag(CVodeSetNoInactiveRootWarn(m.cvode));
  check_flag(CVodeSetMaxOrd(m.cvode, m.problem.max_order));
  std::transform(m.problem.scale.begin(), m.problem.scale.end(), m.values(m.scratch).begin(), [&](double size) {
    const double given = m.problem.absolute_tolerance;
    return (given > 0 ? given : 1e-3 * m.problem.relative_tolerance) * size;
  });
  check_flag(CVodeSVtolerances(m.cvode, m.problem.relative_tolerance, m.scratch));
  if (m.problem.newton) {
    m.linear = own_solver(m);
    check_flag(CVodeSetLinearSolver(m.cvode, m.linear, nullptr));
  } else {
    m.jacobian = SUNDenseMatrix(n, n, m.context);
    m.linear = SUNLinSol_Dense(m.y, m.jacobian, m.context);
    check_flag(CVodeSetLinearSolver(m.cvode, m.linear, m.jacobian));
    check_flag(CVodeSetJacFn(m.cvode, jacobian));
  }
  check_flag(CVodeSetMaxStep(m.cvode, m.problem.max_step < 1e300 ? m.problem.max_step : 0));
  if (m.problem.guard_count > 0) {
    check_flag(CVodeRootInit(m.cvode, static_cast<int>(m.problem.guard_count), guards));
    std::vector<int> falling(m.problem.guard_count, -1);
    check_flag(CVodeSetRootDirection(m.cvode, falling.data()));
  }
}

Cvode::~Cvode() = default;
Cvode::Cvode(Cvode&&) noexcept = default;
Cvode& Cvode::operator=(Cvode&&) noexcept = default;

std::optional<int> Cvode::step(double end) {
  Memory& m = *memory_;
  check_flag(CVodeSetStopTime(m.cvode, end));
  const int flag = CVode(m.cvode, end, m.y, &m.time, CV_ONE_STEP);
  if (m.thrown != nullptr) {
    std::rethrow_exception(std::exchange(m.thrown, nullptr));
  }
  check_flag(flag);
  ++m.steps;
  if (flag == CV_ROOT_RETURN) {
    std::vector<int> found(m.problem.guard_count);
    check_flag(CVodeGetRootInfo(m.cvode, found.data()));
    const auto first = std::find_if(found.begin(), found.end(), [](int f) { return f != 0; });
    return static_cast<int>(first - found.begin());
  }
  return std::nullopt;
}

void Cvode::interpolate(double time, std::span<double> y) const {
  check_flag(CVodeGetDky(memory_->cvode, time, 0, memory_->scratch));
  const auto values = memory_->values(memory_->scratch);
  std::copy(values.begin(), values.end(), y.begin());
}

void Cvode::restart(double time, std::span<const double> y) {
  Memory& m = *memory_;
  std::copy(y.begin(), y.end(), m.values(m.y).begin());
  m.time = time;
  check_flag(CVodeReInit(m.cvode, time, m.y));
}

double Cvode::time() const noexcept { return memory_->time; }
std::span<const double> Cvode::y() const noexcept { return memory_->values(memory_->y); }
long Cvode::steps_taken() const noexcept { return memory_->steps; }

}  // namespace stiction::sim
