// Fig. 5: the linear and the quadratic program of the same cycles of the paper's scene, with 98 contacts each.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <memory>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

#include "../lab.h"
#include "clp_baseline.h"
#include "drive.h"
#include "plain_qp.h"
#include "published_lp.h"
#include "stiction/vector.h"

namespace stiction::lab::haptics_fig05 {
namespace {

using spatial::Metric;
using spatial::StaticFriction;

constexpr std::size_t wanted = 98;  // contacts
constexpr int sides = 4;

/// The problem of a cycle.
struct Problem {
  std::vector<spatial::Contact> contacts;
  spatial::Load load;
  double search = 0;  // time for contacts and springs [ms]
};

/// The paper's program, keeping the problems with as many contacts as wanted.
class Recording final : public haptics::FrictionStep {
 public:
  Recording(std::size_t max_contacts, std::vector<Problem>& problems)
      : program_(haptics::make_switched_friction(max_contacts, sides)), problems_(problems) {}

  haptics::FrictionMotion step(const haptics::Situation& situation,
                               std::span<spatial::ContactResult> forces) noexcept override {
    if (situation.contacts.size() == wanted) {
      problems_.push_back({{situation.contacts.begin(), situation.contacts.end()}, *situation.load, 0});
    }
    return program_->step(situation, forces);
  }
  void reset() noexcept override { program_->reset(); }

 private:
  std::unique_ptr<haptics::FrictionStep> program_;
  std::vector<Problem>& problems_;
};

/// A cube pressed on its edges into the corner, in a pose with 98 contacts, and a hand that moves left and right, first
/// within what friction holds and then beyond it.
const haptics::Pose pressed{{0.04545, 0.04545, 0.04545}, haptics::rotation_by({0.145, -0.145, 0})};
constexpr double friction_of_cube = 0.5;
haptics::Pose hand_at(double time) {
  constexpr Vector3 left{std::numbers::sqrt2 / 2, -std::numbers::sqrt2 / 2, 0};
  const double swing = 0.001 * (1 + 2 * time) * std::sin(4 * std::numbers::pi * time);
  return {sum(pressed.position, scaled(swing, left)), pressed.rotation};
}

/// Evenly chosen cycles with 98 contacts: some in which friction holds and some in which it does not.
std::vector<Problem> recorded(std::size_t count, double duration, const Context& context) {
  const haptics::PreparedScene& scene = prepared("cube-and-corner", context.quick);
  const haptics::RenderParams& params = scene.description().render;
  std::vector<Problem> all;
  haptics::Renderer renderer = renderer_with(
      scene, friction_of_cube, std::make_unique<Recording>(static_cast<std::size_t>(params.max_contacts), all),
      scene.description().friction.separation, params);
  renderer.reset_pose(settled(scene, {.position = {0.06, 0.06, 0.06}}, pressed, context));
  all.clear();
  std::array<std::vector<Problem>, 2> kinds;  // slides, held
  const auto after = [&](const Moment& m) {
    if (m.cycle.contacts == wanted && !all.empty()) {
      all.back().search = (m.cycle.microseconds[0] + m.cycle.microseconds[1]) / 1000;
      kinds.at(m.cycle.phase == haptics::Phase::held ? 1 : 0).push_back(std::move(all.back()));
      all.clear();
    }
  };
  drive(renderer, hand_at, duration, context, {.to = 0.5, .forces = false, .after = after});
  std::vector<Problem> chosen;
  for (std::vector<Problem>& kind : kinds) {
    const std::size_t some = std::min(count / 2, kind.size());
    for (std::size_t k = 0; k < some; ++k) {
      chosen.push_back(std::move(kind[k * kind.size() / some]));
    }
  }
  return chosen;
}

template <class Work>
double milliseconds(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

struct Answers {
  std::array<double, 6> times{};  // search, LP by CLP as published, LP with six rows, verdict, motion, with cones [ms]
  bool held = false, proven = false;
  double differ = 0;      // verdicts of CLP that are others
  double theorem = 0;     // 1 where the QP moves a body that the LP holds, or the reverse
  double energies = 0;    // of the QP here and by the reference: difference over that without friction
  double not_solved = 0;  // 1 if the reference did not reach its gap
};
Answers answers_of(const Problem& problem, StaticFriction& pyramids, StaticFriction& cones) {
  constexpr spatial::Options published{.metric = Metric::mass, .warm = false};
  Answers answers;
  answers.times[0] = problem.search;
  spatial::Verdict verdict;
  spatial::Solution motion;
  answers.times[3] = milliseconds(
      [&] { verdict = pyramids.set(problem.contacts, problem.load) ? pyramids.verdict(published) : verdict; });
  answers.times[4] =
      milliseconds([&] { motion = pyramids.set(problem.contacts, problem.load) ? pyramids.solve(published) : motion; });
  answers.times[5] = milliseconds(
      [&] { static_cast<void>(cones.set(problem.contacts, problem.load) ? cones.solve() : spatial::Solution{}); });
  answers.held = verdict.holds();
  answers.proven = verdict.proven();
  if (baselines::Clp::available()) {
    const auto scaled = baselines::in_own_units(problem.contacts, problem.load);
    bool feasible = false;
    answers.times[1] = milliseconds([&] {
      feasible = baselines::Clp(baselines::published_lp(scaled.contacts, scaled.load, sides)).solve().solved;
    });
    answers.differ += feasible == verdict.holds() ? 0 : 1;
    answers.times[2] = milliseconds(
        [&] { feasible = baselines::Clp(baselines::six_row_lp(scaled.contacts, scaled.load, sides)).solve().solved; });
    answers.differ += feasible == verdict.holds() ? 0 : 1;
  }
  const auto plain = baselines::plain_qp<double>(problem.contacts, problem.load,
                                                 {.sides = sides, .metric = Metric::mass, .gap = 1e-7});
  const bool moves = plain.objective - plain.gap > 0;
  answers.theorem = moves == verdict.holds() ? 1 : 0;
  answers.energies = std::abs(plain.objective - motion.objective) / plain.without_friction;
  answers.not_solved = plain.converged ? 0 : 1;
  return answers;
}

/// Sums over all cycles, and the largest difference of energies.
struct Sums {
  double cycles = 0, held = 0, proven = 0, differ = 0, theorem = 0, not_solved = 0, energies = 0;

  void add(const Answers& answers) {
    ++cycles;
    held += answers.held ? 1 : 0;
    proven += answers.proven ? 1 : 0;
    differ += answers.differ;
    theorem += answers.theorem;
    not_solved += answers.not_solved;
    energies = std::max(energies, answers.energies);
  }
};

Figure figure_of_times() {
  Figure figure{"fig05",
                "98 contacts in the paper's scene: time of each program",
                "frame",
                "time [ms]",
                {{"fig05", 0, 1, "contacts", "lines", "contacts"},
                 {"fig05", 0, 6, "QP: motion, here", "lines", "time [ms]"},
                 {"fig05", 0, 5, "LP: verdict, here", "lines", "time [ms]"},
                 {"fig05", 0, 2, "contact search and springs", "lines", "time [ms]"}}};
  if (baselines::Clp::available()) {
    figure.series.push_back({"fig05", 0, 3, "LP as published, CLP", "lines", "time [ms]"});
    figure.series.push_back({"fig05", 0, 4, "LP of six rows, CLP", "lines", "time [ms]"});
  }
  figure.panels_in_a_row = 1;
  figure.y_log = true;
  return figure;
}

void add_claims(Result& result, const Table& table, const Sums& sums) {
  const bool with_clp = baselines::Clp::available();
  const auto median = [&](std::size_t k) {  // without the moments in which another had the core
    auto times = std::get<std::vector<double>>(table.columns[k].values);
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::ranges::nth_element(times, middle);
    return times.empty() ? 0.0 : *middle;
  };
  const char* machine = "depends on the machine";
  Claim same = at_most("verdicts that differ between CLP, both forms, and here",
                       from_program("CLP on eqs. 32 to 37 of the same cycles"), 0, sums.differ, "-");
  result.claims = {
      at_least("cycles with exactly 98 contacts", requirement("Fig. 5: 98 in every frame; enough frames"), 12,
               sums.cycles, "-"),
      within("verdicts here that are proven", requirement("each with its certificate"), sums.cycles, sums.proven, 0,
             "-"),
      with_clp ? same : same.as_info("built without CLP"),
      at_most("cycles in which the QP and the LP disagree on whether the cube moves",
              printed("Section 4, theorem: feasible if and only if static"), 0, sums.theorem, "-"),
      at_most("cycles in which the reference of the QP did not reach its gap", requirement("a bound on its error"), 0,
              sums.not_solved, "-"),
      at_most("energy of the QP, reference and here: largest difference over that without friction",
              from_program("projected gradients on eqs. 28 to 31"), 0, sums.energies, "-", 2e-7),
      within("LP: verdict here, median", printed("Fig. 5, caption: 0.85 ms"), 0.85, median(5), 0.85, "ms")
          .as_info(machine),
      within("QP: motion here, median", printed("Fig. 5, caption: 5.15 ms"), 5.15, median(6), 5.15, "ms")
          .as_info(machine),
      within("LP as published by CLP, median", printed("Fig. 5, caption: 0.85 ms"), 0.85, median(3), 0.85, "ms")
          .as_info(with_clp ? machine : "built without CLP"),
      within("QP over LP, here", printed("Fig. 5, caption: 6.1"), 6.1, median(6) / median(5), 3, "-")
          .as_info("depends on the solvers: here both pass through six unknowns"),
      at_most("whole cycle: search, springs and QP here, median", printed("Abstract: haptic rates"), 1,
              median(2) + median(6), "ms")
          .as_info(machine),
  };
}

}  // namespace

Result run(const Context& context) {
  const bool with_clp = baselines::Clp::available();
  const std::vector<Problem> problems = recorded(context.quick ? 12 : 120, context.quick ? 4 : 20, context);
  StaticFriction pyramids(wanted, sides);
  StaticFriction cones(wanted);
  Table table{"fig05",
              {{"frame", std::vector<double>{}},
               {"contacts [-]", std::vector<double>{}},
               {"contact search and springs [ms]", std::vector<double>{}},
               {"LP as published, CLP [ms]", std::vector<double>{}},
               {"LP of six rows, CLP [ms]", std::vector<double>{}},
               {"LP: verdict, here [ms]", std::vector<double>{}},
               {"QP: motion, here [ms]", std::vector<double>{}},
               {"QP: motion, exact cones [ms]", std::vector<double>{}}}};
  Sums sums;
  for (std::size_t k = 0; k < problems.size(); ++k) {
    context.step(0.5 + 0.5 * static_cast<double>(k) / static_cast<double>(problems.size()));
    const Answers answers = answers_of(problems[k], pyramids, cones);
    sums.add(answers);
    std::array<double, 8> row{static_cast<double>(k), static_cast<double>(problems[k].contacts.size())};
    std::ranges::copy(answers.times, row.begin() + 2);
    for (std::size_t c = 0; c < row.size(); ++c) {
      std::get<std::vector<double>>(table.columns[c].values).push_back(row.at(c));
    }
  }
  Result result;
  result.notes = fmt::format(
      "Cycles of the cube in its corner (256³ cells, 7772 points) in which exactly 98 contacts touch, under a hand "
      "that presses it on its edges and moves left and right. Each is given to the paper's linear program, by CLP as "
      "published and with six rows, and by this library's verdict; and to its quadratic program, by this library, with "
      "the paper's pyramids and with exact cones. In the paper the quadratic program took 6.1 times as long. Friction "
      "held the cube in {:g} of {} cycles.{}",
      sums.held, problems.size(), with_clp ? "" : " This program was built without CLP: its columns are 0.");
  result.figures = {figure_of_times()};
  add_claims(result, table, sums);
  result.tables.push_back(std::move(table));
  return result;
}

}  // namespace stiction::lab::haptics_fig05
