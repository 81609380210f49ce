// Static friction of many contacts.
#include "spatial.h"

#include <algorithm>
#include <cmath>

#include "published_lp.h"
#include "stiction/problem.h"
#include "stiction/spatial/static_friction.h"
#include "value.h"

namespace stiction::python {
namespace {

namespace sp = spatial;

struct Problem6 {
  std::vector<sp::Contact> contacts;
  sp::Load load;
};

struct Solver {
  sp::StaticFriction solver;
  std::size_t capacity;
  std::optional<Problem6> problem = {};  // that is set
  bool judged = false;                   // the last verdict's friction is there
  bool solved = false;
  OwnFlag busy = {};
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

constexpr std::array<std::string_view, 3> declared_names{"nothing", "sticks", "slides"};  // in the order of Declared

using DeclaredNames = As<"Sequence[Literal['nothing', 'sticks', 'slides']]">;

/// What may be left out of contacts, by name.
py::dict more_of_contacts(const ArrayLike& dynamic_friction, const ArrayLike& u, const ArrayLike& friction_v,
                          const ArrayLike& torsion, const DeclaredNames& declared, const ArrayLike& key) {
  using namespace py::literals;
  return py::dict("dynamic_friction"_a = dynamic_friction, "u"_a = u, "friction_v"_a = friction_v,
                  "torsion"_a = torsion, "declared"_a = declared, "key"_a = key);
}

Problem6 problem_from(const ArrayLike& arm, const ArrayLike& normal, const ArrayLike& normal_force,
                      const ArrayLike& friction, const ArrayLike& wrench, const ArrayLike& gradient,
                      const ArrayLike& mass, double length, const py::dict& more) {
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
  const auto declared = given("declared")
                            ? cast_argument<std::vector<std::string>>(more["declared"], "declared", "a list of words")
                            : std::vector<std::string>(n, "nothing");
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
    const auto found = std::find(declared_names.begin(), declared_names.end(), declared[i]);
    if (found == declared_names.end()) {
      throw py::value_error("declared: must be 'nothing', 'sticks' or 'slides', not '" + declared[i] + "'");
    }
    contact.declared = static_cast<sp::Declared>(found - declared_names.begin());
  }
  problem.load.wrench = vector_of<6>(wrench, "wrench");
  problem.load.gradient = matrix_of(gradient, "gradient");
  problem.load.mass = matrix_of(mass, "mass");
  problem.load.length = length;
  return problem;
}

using Metric = OneOf<"Literal['stiffness', 'mass']">;

sp::Options options_from(const Metric& chosen, double gap, int max_iterations, int polish, bool warm) {
  const std::string metric = chosen;
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

OneOf<"Literal['holds', 'slips', 'unproven', 'not_finite']"> name_of(sp::VerdictStatus status) {
  constexpr std::array names{"holds", "slips", "unproven", "not_finite"};
  return py::str(names.at(static_cast<std::size_t>(status)));
}
OneOf<"Literal['converged', 'max_iterations', 'still_sliding', 'not_definite', 'not_finite']"> name_of(
    sp::SolutionStatus status) {
  constexpr std::array names{"converged", "max_iterations", "still_sliding", "not_definite", "not_finite"};
  return py::str(names.at(static_cast<std::size_t>(status)));
}

/// The keywords of `set` that set the problem again.
py::dict problem_dict(const Problem6& problem) {
  const std::size_t n = problem.contacts.size();
  const auto column = [&](const auto& value) {
    py::array_t<double> result(static_cast<py::ssize_t>(n));
    std::transform(problem.contacts.begin(), problem.contacts.end(), result.mutable_data(), value);
    return result;
  };
  const auto vectors = [&](Vector3 sp::Contact::*member) {
    py::array_t<double> result({n, std::size_t{3}});
    for (std::size_t i = 0; i < n; ++i) {
      const Vector3& row = problem.contacts[i].*member;
      std::copy(row.begin(), row.end(), result.mutable_data() + 3 * i);
    }
    return result;
  };
  const auto matrix = [](const Matrix6& rows) {
    py::array_t<double> result({6, 6});
    for (std::size_t i = 0; i < 6; ++i) {
      std::copy(rows[i].begin(), rows[i].end(), result.mutable_data() + 6 * i);
    }
    return result;
  };
  py::dict row;
  row["arm"] = vectors(&sp::Contact::arm);
  row["normal"] = vectors(&sp::Contact::normal);
  row["normal_force"] = column([](const sp::Contact& c) { return c.normal_force; });
  row["friction"] = column([](const sp::Contact& c) { return c.friction; });
  row["u"] = vectors(&sp::Contact::u);
  row["torsion"] = column([](const sp::Contact& c) { return c.torsion; });
  row["key"] = column([](const sp::Contact& c) { return static_cast<double>(c.key.value_or(0)); });
  for (const auto& [name, member] : {std::pair{"dynamic_friction", &sp::Contact::dynamic_friction},
                                     std::pair{"friction_v", &sp::Contact::friction_v}}) {
    if (n > 0 && problem.contacts[0].*member) {  // of all contacts, or of none
      row[name] = column([member = member](const sp::Contact& c) { return (c.*member).value_or(0); });
    }
  }
  py::list declared;
  for (const sp::Contact& contact : problem.contacts) {
    declared.append(declared_names[static_cast<std::size_t>(contact.declared)]);
  }
  row["declared"] = declared;
  row["wrench"] = to_array(problem.load.wrench);
  row["gradient"] = matrix(problem.load.gradient);
  row["mass"] = matrix(problem.load.mass);
  row["length"] = problem.load.length;
  return row;
}

void require_set(const Solver& s) {
  if (!s.problem) {
    throw std::runtime_error("no contacts are set: call set first");
  }
}

py::array_t<double> column_of(const py::object& program, std::vector<double> baselines::LinearProgram::*member) {
  return view_of(std::span<const double>(py::cast<const baselines::LinearProgram&>(program).*member), program);
}

void bind_static_friction(py::module_& m) {
  py::class_<sp::Declaration> declaration(m, "Declaration", "Whether contacts do what they were declared to do.");
  bind_plain(declaration, {"right", "contact"});
  declaration.def_readonly("right", &sp::Declaration::right, "Whether all do.")
      .def_readonly("contact", &sp::Declaration::contact, "The first that does something else; None: none by itself.");
  py::class_<sp::Verdict> verdict(m, "Verdict", "Whether friction can hold the load.");
  bind_plain(verdict, {"status", "factor", "factor_limit", "converged", "rank", "iterations", "motion", "mechanism",
                       "declaration"});
  verdict
      .def_property_readonly(
          "status", [](const sp::Verdict& v) { return name_of(v.status); },
          "'holds' or 'slips', by a certificate; 'unproven' where iterations or digits ran out; 'not_finite' where the "
          "free motion is not.")
      .def_property_readonly("holds", &sp::Verdict::holds, "Whether the status is 'holds'.")
      .def_property_readonly("proven", &sp::Verdict::proven, "Whether the status is 'holds' or 'slips'.")
      .def_readonly("converged", &sp::Verdict::converged, "The factor is known to the gap that was asked for.")
      .def_readonly("factor", &sp::Verdict::factor, "Friction holds at least this share of the load ...")
      .def_readonly("factor_limit", &sp::Verdict::factor_limit, "... and at most this.")
      .def_readonly("rank", &sp::Verdict::rank, "Of all friction wrenches: 6 where friction can resist every motion.")
      .def_readonly("iterations", &sp::Verdict::iterations, "Of the solver.")
      .def_property_readonly(
          "motion", [](const sp::Verdict& v) { return to_array(v.motion); },
          "(translation [m], rotation [rad]), (6,), along which no friction resists; 0 at rank 6.")
      .def_property_readonly(
          "mechanism", [](const sp::Verdict& v) { return to_array(v.mechanism); },
          "The virtual motion (6,) that proves factor_limit: what friction can do against it at most, over the load's "
          "work along it.")
      .def_readonly("declaration", &sp::Verdict::declaration, "Whether declared contacts were right.")
      .def_property_readonly("critical_ratio", &sp::Verdict::critical_ratio,
                             "All coefficients times this are just enough.");
  py::class_<sp::Solution> solution(m, "Solution", "The motion that balances the load with the least energy.");
  bind_plain(solution, {"status", "motion", "objective", "gap", "multiplier", "iterations", "declaration"});
  solution
      .def_property_readonly(
          "motion", [](const sp::Solution& s) { return to_array(s.motion); }, "(translation [m], rotation [rad]), (6,)")
      .def_readonly("objective", &sp::Solution::objective, "[J]")
      .def_readonly("gap", &sp::Solution::gap, "The objective is at most this above the least one [J].")
      .def_property_readonly(
          "status", [](const sp::Solution& s) { return name_of(s.status); },
          "'converged'; 'max_iterations' or 'still_sliding' with the best motion found; 'not_definite' or 'not_finite' "
          "without a motion.")
      .def_property_readonly("converged", &sp::Solution::converged, "Whether the status is 'converged'.")
      .def_property_readonly(
          "multiplier", [](const sp::Solution& s) { return to_array(s.multiplier); },
          "y (6,), which proves the gap: no energy is below y.F - y.G y/2 - (friction's largest work along y).")
      .def_readonly("iterations", &sp::Solution::iterations, "Of the solver.")
      .def_readonly("declaration", &sp::Solution::declaration, "Whether declared contacts were right.");

  py::class_<Solver> solver(
      m, "StaticFriction",
      "Static friction of a body with up to `capacity` contacts, with exact cones, or with pyramids of an "
      "even number of sides. A copy or a pickle has the problem that is set, and starts afresh: it remembers no "
      "solution.");
  bind_value(
      solver,
      [](Solver& s) {
        const InUse guard(s.busy.flag, "this solver is");
        py::dict parts;
        parts["capacity"] = s.capacity;
        parts["sides"] = s.solver.params().sides;
        parts["problem"] = s.problem ? py::object(problem_dict(*s.problem)) : py::none();
        return parts;
      },
      [](const py::dict& parts) {
        const py::object made = py::type::of<Solver>()(parts["capacity"], parts["sides"]);
        if (!parts["problem"].is_none()) {
          made.attr("set")(**py::cast<py::dict>(parts["problem"]));
        }
        return made;
      });
  solver
      .def("__repr__",
           [](Solver& s) {
             py::dict made;
             made["capacity"] = s.capacity;
             made["sides"] = s.solver.params().sides;
             const std::string text = call_text("StaticFriction", made);
             return s.problem ? "<" + text + " with " + std::to_string(s.problem->contacts.size()) + " contacts>"
                              : text;
           })
      .def(py::init([](std::ptrdiff_t capacity, int sides) {
             if (capacity < 1 || capacity > 100'000) {
               throw InvalidParameter(Problem{"capacity", static_cast<double>(capacity), "in [1, 100000]"});
             }
             const auto size = static_cast<std::size_t>(capacity);
             return std::make_unique<Solver>(Solver{sp::StaticFriction(size, sides), size});
           }),
           py::arg("capacity"), py::arg("sides") = 0)
      .def_readonly("capacity", &Solver::capacity, "Room for so many contacts.")
      .def(
          "set",
          [](Solver& s, const ArrayLike& arm, const ArrayLike& normal, const ArrayLike& normal_force,
             const ArrayLike& friction, const ArrayLike& wrench, const ArrayLike& gradient, const ArrayLike& mass,
             double length, const ArrayLike& dynamic_friction, const ArrayLike& u, const ArrayLike& friction_v,
             const ArrayLike& torsion, const DeclaredNames& declared, const ArrayLike& key) {
            const Problem6 problem =
                problem_from(arm, normal, normal_force, friction, wrench, gradient, mass, length,
                             more_of_contacts(dynamic_friction, u, friction_v, torsion, declared, key));
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
            s.problem = problem;
            s.judged = false;
            s.solved = false;
          },
          py::arg("arm"), py::arg("normal"), py::arg("normal_force"), py::arg("friction"), py::arg("wrench"),
          py::arg("gradient"), py::arg("mass"), py::arg("length") = 1.0, py::kw_only(),
          py::arg("dynamic_friction") = py::none(), py::arg("u") = py::none(), py::arg("friction_v") = py::none(),
          py::arg("torsion") = py::none(), py::arg("declared") = py::none(), py::arg("key") = py::none(),
          "arm (n, 3) [m] from the centre of mass; unit normals into the body (n, 3); normal_force (n,) [N]; friction "
          "mu "
          "(n,); the load's wrench (6,) and its gradient (6, 6); mass matrix (6, 6); length [m]. Also "
          "dynamic_friction, "
          "u (n, 3), friction_v, torsion [m], declared ('nothing', 'sticks', 'slides') and key (by default 0 to n - "
          "1), by keyword; "
          "None is the same as leaving one out.")
      .def(
          "verdict",
          [](Solver& s, bool exactly, const Metric& metric, double gap, int max_iterations, int polish, bool warm) {
            require_set(s);
            const auto options = options_from(metric, gap, max_iterations, polish, warm);
            const InUse guard(s.busy.flag, "this solver is");
            const py::gil_scoped_release release;
            s.judged = true;
            return s.solver.verdict(options, exactly);
          },
          py::arg("exactly") = false, py::arg("metric") = "stiffness", py::arg("gap") = 1e-9,
          py::arg("max_iterations") = 100, py::arg("polish") = 0, py::arg("warm") = true,
          "Can friction hold the load? exactly: the factor to the gap, else only until that is decided. metric: energy "
          "of the stiffness or of the mass; gap [-]: relative, 1e-12 to 1e-3; polish: iterations after convergence, "
          "for contacts that carry little load; warm: from the last "
          "solution.")
      .def(
          "solve",
          [](Solver& s, const Metric& metric, double gap, int max_iterations, int polish, bool warm) {
            require_set(s);
            const auto options = options_from(metric, gap, max_iterations, polish, warm);
            const InUse guard(s.busy.flag, "this solver is");
            const py::gil_scoped_release release;
            s.solved = true;
            s.judged = false;
            return s.solver.solve(options);
          },
          py::arg("metric") = "stiffness", py::arg("gap") = 1e-9, py::arg("max_iterations") = 100,
          py::arg("polish") = 0, py::arg("warm") = true,
          "The motion that balances the load with the least energy in the metric. gap [-]: relative, 1e-12 to 1e-3; "
          "polish: iterations after convergence, for contacts that carry little load; warm: from the last "
          "solution.")
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
            return std::tuple(friction, torque, slides);
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
            return std::pair(friction, torque);
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
  py::class_<Program> program(m, "LinearProgram",
                              "Least cost.x subject to row_lower <= A x <= row_upper, lower <= x <= upper.");
  bind_fields(program, {"row_lower", "row_upper", "lower", "upper", "cost", "matrix"});
  bind_value(
      program,
      [](const Program& p) {
        py::dict parts;
        parts["bounds"] = py::make_tuple(p.row_lower, p.row_upper, p.lower, p.upper, p.cost);
        parts["entries"] = py::make_tuple(p.start, p.row, p.value);
        return parts;
      },
      [](const py::dict& parts) {
        using Numbers = std::vector<double>;
        auto [row_lower, row_upper, lower, upper, cost] =
            py::cast<std::tuple<Numbers, Numbers, Numbers, Numbers, Numbers>>(parts["bounds"]);
        auto [start, row, value] = py::cast<std::tuple<std::vector<int>, std::vector<int>, Numbers>>(parts["entries"]);
        return Program{row_lower, row_upper, lower, upper, cost, start, row, value};
      });
  program
      .def_property_readonly(
          "row_lower", [](const py::object& p) { return column_of(p, &Program::row_lower); }, "Of A x.")
      .def_property_readonly(
          "row_upper", [](const py::object& p) { return column_of(p, &Program::row_upper); }, "Of A x.")
      .def_property_readonly(
          "lower", [](const py::object& p) { return column_of(p, &Program::lower); }, "Of x.")
      .def_property_readonly(
          "upper", [](const py::object& p) { return column_of(p, &Program::upper); }, "Of x.")
      .def_property_readonly(
          "cost", [](const py::object& p) { return column_of(p, &Program::cost); }, "Of x.")
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
          [](const Program& p, const ArrayLike& x) {
            const Table point = table_of(x, "x", {static_cast<py::ssize_t>(p.columns())});
            const auto off = baselines::violation(p, {point.data(), p.columns()});
            return std::pair(off.absolute, off.relative);
          },
          py::arg("x"), "(absolute, relative): how far x is from being feasible.");
  m.def(
      "linear_program",
      [](const OneOf<"Literal['published', 'six-row']">& chosen, int sides, bool critical_ratio, const ArrayLike& arm,
         const ArrayLike& normal, const ArrayLike& normal_force, const ArrayLike& friction, const ArrayLike& wrench,
         const ArrayLike& gradient, const ArrayLike& mass, double length, const ArrayLike& dynamic_friction,
         const ArrayLike& u, const ArrayLike& friction_v, const ArrayLike& torsion, const DeclaredNames& declared,
         const ArrayLike& key) {
        const Problem6 problem =
            problem_from(arm, normal, normal_force, friction, wrench, gradient, mass, length,
                         more_of_contacts(dynamic_friction, u, friction_v, torsion, declared, key));
        const std::string form = chosen;
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
      py::arg("length") = 1.0, py::kw_only(), py::arg("dynamic_friction") = py::none(), py::arg("u") = py::none(),
      py::arg("friction_v") = py::none(), py::arg("torsion") = py::none(), py::arg("declared") = py::none(),
      py::arg("key") = py::none(), "The LP of static friction, 'published' or 'six-row', for any LP solver.");
}

}  // namespace

void bind_spatial(py::module_& root) {
  auto m = part(root, "spatial", "Many contacts of one body: friction cones, grasps, static friction.");
  bind_cones(m);
  bind_contacts(m);
  bind_static_friction(m);
}

}  // namespace stiction::python
