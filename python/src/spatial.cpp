// Static friction of many contacts.
#include "spatial.h"

#include <algorithm>
#include <cmath>

#include "published_lp.h"
#include "stiction/problem.h"
#include "stiction/spatial/static_friction.h"

namespace stiction::python {
namespace {

namespace sp = spatial;

struct Solver {
  sp::StaticFriction solver;
  std::size_t capacity;
  bool set = false;     // contacts and load
  bool judged = false;  // the last verdict's friction is there
  bool solved = false;
  OwnFlag busy = {};
};

struct Problem6 {
  std::vector<sp::Contact> contacts;
  sp::Load load;
};

/// Torques over the length, so that all entries can be compared.
Matrix6 scaled(Matrix6 a, double length) {
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      a[i][j] *= (i < 3 ? 1 : 1 / length) * (j < 3 ? 1 : 1 / length);
    }
  }
  return a;
}
double largest_of(const Matrix6& a) {
  double largest = 0;
  for (const Vector6& row : a) {
    for (const double x : row) {
      largest = std::max(largest, std::abs(x));
    }
  }
  return largest;
}

/// By elimination with the largest pivot: none of them is next to nothing. False for NaN.
bool is_regular(Matrix6 a) {
  const double least = 1e-14 * largest_of(a);
  for (std::size_t k = 0; k < 6; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < 6; ++i) {
      pivot = std::abs(a[i][k]) > std::abs(a[pivot][k]) ? i : pivot;
    }
    std::swap(a[k], a[pivot]);
    if (!(std::abs(a[k][k]) > least)) {
      return false;
    }
    for (std::size_t i = k + 1; i < 6; ++i) {
      const double factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < 6; ++j) {
        a[i][j] -= factor * a[k][j];
      }
    }
  }
  return true;
}

/// Symmetric, and positive by Cholesky's factors. False for NaN.
bool is_positive(const Matrix6& a) {
  const double least = 1e-14 * largest_of(a);
  Matrix6 l{};
  for (std::size_t j = 0; j < 6; ++j) {
    for (std::size_t i = j; i < 6; ++i) {
      double sum = a[i][j];
      for (std::size_t k = 0; k < j; ++k) {
        sum -= l[i][k] * l[j][k];
      }
      if ((i == j && !(sum > least)) || !(std::abs(a[i][j] - a[j][i]) <= 1e8 * least)) {
        return false;
      }
      l[i][j] = i == j ? std::sqrt(sum) : sum / l[j][j];
    }
  }
  return true;
}

template <std::size_t N>
std::array<double, N> row_of(const Table& table, std::size_t i) {
  std::array<double, N> row{};
  std::copy_n(table.data() + N * i, N, row.begin());
  return row;
}
Matrix6 matrix_of(const py::object& given, const char* name) {
  const Table values = table_of(given, name, {6, 6});
  Matrix6 matrix{};
  for (std::size_t i = 0; i < 6; ++i) {
    matrix[i] = row_of<6>(values, i);
  }
  return matrix;
}

Problem6 problem_from(const py::object& arm, const py::object& normal, const py::object& normal_force,
                      const py::object& friction, const py::object& wrench, const py::object& gradient,
                      const py::object& mass, double length, const py::kwargs& more) {
  check_keywords(more, {"dynamic_friction", "u", "friction_v", "torsion", "declared", "key"}, {}, "a contact");
  if (!sp::Load::lengths.holds(length)) {
    throw InvalidParameter(Problem{"length", length, sp::Load::lengths.text});
  }
  const Table arms = table_of(arm, "arm", {-1, 3});
  const auto n = static_cast<std::size_t>(arms.shape(0));
  const Table normals = table_of(normal, "normal", {arms.shape(0), 3});
  const auto given = [&](const char* name) { return more.contains(name) && !more[name].is_none(); };
  std::map<std::string, std::unique_ptr<Argument>> columns;
  columns["normal_force"] = std::make_unique<Argument>(normal_force, "normal_force", n);
  columns["friction"] = std::make_unique<Argument>(friction, "friction", n);
  for (const char* name : {"dynamic_friction", "friction_v", "torsion", "key"}) {
    if (given(name)) {
      columns[name] = std::make_unique<Argument>(more[name], name, n);
    }
  }
  const std::optional<Table> tangents =
      given("u") ? std::optional(table_of(more["u"], "u", {arms.shape(0), 3})) : std::nullopt;
  const auto declared =
      given("declared") ? py::cast<std::vector<std::string>>(more["declared"]) : std::vector<std::string>(n, "nothing");
  if (declared.size() != n) {
    throw py::value_error("declared has " + std::to_string(declared.size()) + " entries: must be " + std::to_string(n));
  }
  Problem6 problem;
  problem.contacts.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    sp::Contact& contact = problem.contacts[i];
    const auto value = [&](const char* name) {
      const auto found = columns.find(name);
      return found == columns.end() ? std::nullopt : std::optional(found->second->numbers()[i]);
    };
    contact.arm = row_of<3>(arms, i);
    contact.normal = row_of<3>(normals, i);
    contact.normal_force = value("normal_force").value_or(0);
    contact.friction = value("friction").value_or(0);
    contact.dynamic_friction = value("dynamic_friction");
    contact.friction_v = value("friction_v");
    contact.torsion = value("torsion").value_or(0);
    if (tangents) {
      contact.u = row_of<3>(*tangents, i);
    }
    const double key = value("key").value_or(static_cast<double>(i));
    if (!(std::abs(key) < 9e15) || key != std::trunc(key)) {
      throw py::value_error("key: must be whole numbers");
    }
    contact.key = static_cast<std::int64_t>(key);
    if (declared[i] != "nothing" && declared[i] != "sticks" && declared[i] != "slides") {
      throw py::value_error("declared: must be 'nothing', 'sticks' or 'slides', not '" + declared[i] + "'");
    }
    contact.declared = declared[i] == "sticks"   ? sp::Declared::sticks
                       : declared[i] == "slides" ? sp::Declared::slides
                                                 : sp::Declared::nothing;
  }
  problem.load.wrench = vector_of<6>(wrench, "wrench");
  problem.load.gradient = matrix_of(gradient, "gradient");
  problem.load.mass = matrix_of(mass, "mass");
  problem.load.length = length;
  return problem;
}

sp::Options options_from(const std::string& metric, double gap, int max_iterations, int polish, bool warm) {
  if (metric != "stiffness" && metric != "mass") {
    throw py::value_error("metric: must be 'stiffness' or 'mass', not '" + metric + "'");
  }
  if (!(gap > 0) || max_iterations < 1 || max_iterations > 1'000'000 || polish < 0 || polish > 1'000'000) {
    throw py::value_error("gap must be > 0, max_iterations in [1, 1e6], polish in [0, 1e6]");
  }
  return {metric == "mass" ? sp::Metric::mass : sp::Metric::stiffness, gap, max_iterations, polish, warm};
}

/// Forces (n, 3) and torques (n,).
std::pair<py::array_t<double>, py::array_t<double>> friction_arrays(std::span<const sp::ContactResult> results) {
  py::array_t<double> friction({results.size(), std::size_t{3}});
  py::array_t<double> torque(static_cast<py::ssize_t>(results.size()));
  for (std::size_t i = 0; i < results.size(); ++i) {
    std::copy(results[i].friction.begin(), results[i].friction.end(), friction.mutable_data() + 3 * i);
    torque.mutable_data()[i] = results[i].torque;
  }
  return {friction, torque};
}

const char* name_of(sp::VerdictStatus status) {
  constexpr std::array names{"holds", "slips", "unproven", "not_finite"};
  return names.at(static_cast<std::size_t>(status));
}
const char* name_of(sp::SolutionStatus status) {
  constexpr std::array names{"converged", "max_iterations", "still_sliding", "not_definite", "not_finite"};
  return names.at(static_cast<std::size_t>(status));
}

void require_set(const Solver& s) {
  if (!s.set) {
    throw std::runtime_error("no contacts are set: call set first");
  }
}

void bind_static_friction(py::module_& m) {
  py::class_<sp::Declaration>(m, "Declaration", "Whether contacts do what they were declared to do.")
      .def_readonly("right", &sp::Declaration::right)
      .def_readonly("contact", &sp::Declaration::contact, "The first that does something else; None: none by itself.");
  py::class_<sp::Verdict>(m, "Verdict", "Whether friction can hold the load.")
      .def_property_readonly(
          "status", [](const sp::Verdict& v) { return name_of(v.status); },
          "'holds' or 'slips', by a certificate; 'unproven' where iterations or digits ran out; 'not_finite' where the "
          "free motion is not.")
      .def_property_readonly("holds", &sp::Verdict::holds)
      .def_property_readonly("proven", &sp::Verdict::proven, "Whether the status is 'holds' or 'slips'.")
      .def_readonly("converged", &sp::Verdict::converged, "The factor is known to the gap that was asked for.")
      .def_readonly("factor", &sp::Verdict::factor, "Friction holds at least this share of the load ...")
      .def_readonly("factor_limit", &sp::Verdict::factor_limit, "... and at most this.")
      .def_readonly("rank", &sp::Verdict::rank)
      .def_readonly("iterations", &sp::Verdict::iterations)
      .def_property_readonly(
          "motion", [](const sp::Verdict& v) { return to_array(v.motion); }, "(6,)")
      .def_property_readonly(
          "mechanism", [](const sp::Verdict& v) { return to_array(v.mechanism); },
          "The virtual motion (6,) that proves factor_limit: what friction can do against it at most, over the load's "
          "work along it.")
      .def_readonly("declaration", &sp::Verdict::declaration)
      .def_property_readonly("critical_ratio", &sp::Verdict::critical_ratio,
                             "All coefficients times this are just enough.");
  py::class_<sp::Solution>(m, "Solution", "The motion that balances the load with the least energy.")
      .def_property_readonly(
          "motion", [](const sp::Solution& s) { return to_array(s.motion); }, "(translation [m], rotation [rad]), (6,)")
      .def_readonly("objective", &sp::Solution::objective, "[J]")
      .def_readonly("gap", &sp::Solution::gap, "The objective is at most this above the least one [J].")
      .def_property_readonly(
          "status", [](const sp::Solution& s) { return name_of(s.status); },
          "'converged'; 'max_iterations' or 'still_sliding' with the best motion found; 'not_definite' or 'not_finite' "
          "without a motion.")
      .def_property_readonly("converged", &sp::Solution::converged)
      .def_property_readonly(
          "multiplier", [](const sp::Solution& s) { return to_array(s.multiplier); },
          "y (6,), which proves the gap: no energy is below y.F - y.G y/2 - (friction's largest work along y).")
      .def_readonly("iterations", &sp::Solution::iterations)
      .def_readonly("declaration", &sp::Solution::declaration);

  py::class_<Solver>(
      m, "StaticFriction",
      "Static friction of a body with up to `capacity` contacts, with exact cones, or with pyramids of an "
      "even number of sides.")
      .def(py::init([](std::ptrdiff_t capacity, int sides) {
             if (capacity < 1 || capacity > 100'000) {
               throw InvalidParameter(Problem{"capacity", static_cast<double>(capacity), "in [1, 100000]"});
             }
             const auto size = static_cast<std::size_t>(capacity);
             return std::make_unique<Solver>(Solver{sp::StaticFriction(size, sides), size});
           }),
           py::arg("capacity"), py::arg("sides") = 0)
      .def_readonly("capacity", &Solver::capacity)
      .def(
          "set",
          [](Solver& s, const py::object& arm, const py::object& normal, const py::object& normal_force,
             const py::object& friction, const py::object& wrench, const py::object& gradient, const py::object& mass,
             double length, const py::kwargs& more) {
            const Problem6 problem =
                problem_from(arm, normal, normal_force, friction, wrench, gradient, mass, length, more);
            if (problem.contacts.size() > s.capacity) {
              throw py::value_error(std::to_string(problem.contacts.size()) + " contacts: there is room for " +
                                    std::to_string(s.capacity));
            }
            const InUse guard(s.busy.flag, "this solver is");
            if (const auto wrong = sp::StaticFriction::check(problem.contacts, problem.load)) {
              throw InvalidParameter(*wrong);
            }
            if (!is_regular(scaled(problem.load.gradient, length))) {
              throw py::value_error("gradient: must be a regular matrix");
            }
            if (!is_positive(scaled(problem.load.mass, length))) {
              throw py::value_error("mass: must be symmetric and positive definite");
            }
            if (!s.solver.set(problem.contacts, problem.load)) {
              throw py::value_error("contacts and load must be below 1e150 in sum");
            }
            s.set = true;
            s.judged = false;
            s.solved = false;
          },
          py::arg("arm"), py::arg("normal"), py::arg("normal_force"), py::arg("friction"), py::arg("wrench"),
          py::arg("gradient"), py::arg("mass"), py::arg("length") = 1.0,
          "arm (n, 3) [m] from the centre of mass; unit normals into the body (n, 3); normal_force (n,) [N]; friction "
          "mu "
          "(n,); the load's wrench (6,) and its gradient (6, 6); mass matrix (6, 6); length [m]. Also "
          "dynamic_friction, "
          "u (n, 3), friction_v, torsion [m], declared ('nothing', 'sticks', 'slides') and key (by default 0 to n - "
          "1), by keyword; "
          "None is the same as leaving one out.")
      .def(
          "verdict",
          [](Solver& s, bool exactly, const std::string& metric, double gap, int max_iterations, int polish,
             bool warm) {
            require_set(s);
            const auto options = options_from(metric, gap, max_iterations, polish, warm);
            const InUse guard(s.busy.flag, "this solver is");
            const py::gil_scoped_release release;
            s.judged = true;
            return s.solver.verdict(options, exactly);
          },
          py::arg("exactly") = false, py::arg("metric") = "stiffness", py::arg("gap") = 1e-9,
          py::arg("max_iterations") = 100, py::arg("polish") = 0, py::arg("warm") = true)
      .def(
          "solve",
          [](Solver& s, const std::string& metric, double gap, int max_iterations, int polish, bool warm) {
            require_set(s);
            const auto options = options_from(metric, gap, max_iterations, polish, warm);
            const InUse guard(s.busy.flag, "this solver is");
            const py::gil_scoped_release release;
            s.solved = true;
            s.judged = false;
            return s.solver.solve(options);
          },
          py::arg("metric") = "stiffness", py::arg("gap") = 1e-9, py::arg("max_iterations") = 100,
          py::arg("polish") = 0, py::arg("warm") = true)
      .def_property_readonly(
          "contacts",
          [](Solver& s) {
            const InUse guard(s.busy.flag, "this solver is");
            if (!s.solved) {
              throw std::runtime_error("there is no solution yet: call solve first");
            }
            const auto results = s.solver.contacts();
            auto [friction, torque] = friction_arrays(results);
            py::array_t<bool> slides(static_cast<py::ssize_t>(results.size()));
            for (std::size_t i = 0; i < results.size(); ++i) {
              slides.mutable_data()[i] = results[i].state == sp::ContactState::slides;
            }
            return py::make_tuple(friction, torque, slides);
          },
          "Of the last solution: (friction (n, 3) [N], torque about the normal (n,) [N m], slides (n,)).")
      .def_property_readonly(
          "verdict_friction",
          [](Solver& s) {
            const InUse guard(s.busy.flag, "this solver is");
            const auto results = s.solver.verdict_friction();
            if (!s.judged) {
              throw std::runtime_error("there is no verdict since the last set or solve: call verdict first");
            }
            auto [friction, torque] = friction_arrays(results);
            return py::make_tuple(friction, torque);
          },
          "What proves the last verdict's factor: (friction (n, 3) [N], torque about the normal (n,) [N m]) that "
          "balances so many times the load.")
      .def(
          "forget",
          [](Solver& s) {
            const InUse guard(s.busy.flag, "this solver is");
            s.solver.forget();
          },
          "The next solution does not start from the last one.");

  using Program = baselines::LinearProgram;
  py::class_<Program>(m, "LinearProgram", "Least cost.x subject to row_lower <= A x <= row_upper, lower <= x <= upper.")
      .def_property_readonly("row_lower", [](const Program& p) { return to_array(p.row_lower); })
      .def_property_readonly("row_upper", [](const Program& p) { return to_array(p.row_upper); })
      .def_property_readonly("lower", [](const Program& p) { return to_array(p.lower); })
      .def_property_readonly("upper", [](const Program& p) { return to_array(p.upper); })
      .def_property_readonly("cost", [](const Program& p) { return to_array(p.cost); })
      .def_property_readonly(
          "matrix",
          [](const Program& p) {
            py::array_t<double> a({p.rows(), p.columns()});
            std::fill_n(a.mutable_data(), a.size(), 0.0);
            for (std::size_t j = 0; j < p.columns(); ++j) {
              for (int k = p.start[j]; k < p.start[j + 1]; ++k) {
                const auto entry = static_cast<std::size_t>(k);
                a.mutable_data()[static_cast<std::size_t>(p.row[entry]) * p.columns() + j] = p.value[entry];
              }
            }
            return a;
          },
          "A, dense.")
      .def(
          "violation",
          [](const Program& p, const py::object& x) {
            const Table point = table_of(x, "x", {static_cast<py::ssize_t>(p.columns())});
            const auto off = baselines::violation(p, {point.data(), p.columns()});
            return py::make_tuple(off.absolute, off.relative);
          },
          py::arg("x"), "(absolute, relative): how far x is from being feasible.");
  m.def(
      "linear_program",
      [](const std::string& form, int sides, bool critical_ratio, const py::object& arm, const py::object& normal,
         const py::object& normal_force, const py::object& friction, const py::object& wrench,
         const py::object& gradient, const py::object& mass, double length, const py::kwargs& more) {
        const Problem6 problem =
            problem_from(arm, normal, normal_force, friction, wrench, gradient, mass, length, more);
        const auto ask = critical_ratio ? baselines::Ask::critical_ratio : baselines::Ask::whether_it_holds;
        if (form == "published") {
          return baselines::published_lp(problem.contacts, problem.load, sides, ask);
        }
        if (form == "six-row") {
          return baselines::six_row_lp(problem.contacts, problem.load, sides, ask);
        }
        throw py::value_error("form: must be 'published' or 'six-row', not '" + form + "'");
      },
      py::arg("form"), py::arg("sides"), py::arg("critical_ratio"), py::arg("arm"), py::arg("normal"),
      py::arg("normal_force"), py::arg("friction"), py::arg("wrench"), py::arg("gradient"), py::arg("mass"),
      py::arg("length") = 1.0, "The LP of static friction, 'published' or 'six-row', for any LP solver.");
}

}  // namespace

void bind_spatial(py::module_& root) {
  auto m = root.def_submodule("spatial", "Many contacts of one body: friction cones, grasps, static friction.");
  bind_cones(m);
  bind_contacts(m);
  bind_static_friction(m);
}

}  // namespace stiction::python
