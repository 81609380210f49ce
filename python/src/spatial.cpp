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

struct Solver {
  sp::StaticFriction solver;
  std::size_t capacity;
  std::optional<Problem6> problem = {};  // that is set
  bool judged = false;                   // the last verdict's friction is there
  bool solved = false;
  OwnFlag busy = {};
};

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
            require_solvable(problem.load);
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
