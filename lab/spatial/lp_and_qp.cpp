// Fig. 5: the linear program as published, the quadratic program, and this library on the same frames, with 98
// contacts.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "../lab.h"
#include "clp_baseline.h"
#include "plain_qp.h"
#include "published_lp.h"
#include "scenes.h"

namespace stiction::lab::spatial_lp_and_qp {
namespace {

using spatial::Metric;
using spatial::StaticFriction;

constexpr std::size_t contacts = 98;
constexpr int sides = 4;  // of the paper's cube in a corner

template <class Work>
double microseconds(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}
double mean_of(const std::vector<double>& values) { return mean(values); }

/// Over all frames.
struct Totals {
  double differ = 0;      // verdicts of CLP and of the solver
  double theorem = 0;     // static frames in which the QP moves the body, and sliding ones in which it does not
  double difference = 0;  // of the two QPs
  double holds = 0;
};

void judge(const Table& table, const Totals& all, bool with_clp, Result& result) {
  result.tables.push_back(table);
  Claim same = at_most("verdicts that differ between the LP (CLP, both forms) and here",
                       from_program("eqs. 32 to 37 by CLP"), 0, all.differ, "-");
  result.claims.push_back(with_clp ? same : same.as_info("built without CLP"));
  result.claims.push_back(at_most("verdicts that the motion of the QP does not bear out",
                                  printed("theorem: feasible if and only if static"), 0, all.theorem, "-"));
  result.claims.push_back(
      at_most("energies of the QP, slow reference and here: largest difference over that without "
              "friction",
              from_program("eqs. 28 to 31 by accelerated projected gradients"), 0, all.difference, "-", 2e-7));
  result.claims.push_back(
      within("share of frames that friction holds", requirement("loads are made so"), 0.5,
             all.holds / static_cast<double>(std::get<std::vector<double>>(table.columns[0].values).size()), 0, "-"));
  constexpr const char* machine = "times depend on the machine";
  const auto time = [&](std::size_t k) { return mean_of(std::get<std::vector<double>>(table.columns[k].values)); };
  result.claims.push_back(
      at_most("verdict here, mean", printed("caption of Fig. 5: 0.85 ms for the LP"), 850, time(4), "us")
          .as_info(machine));
  result.claims.push_back(
      at_most("motion here, mean", printed("caption of Fig. 5: 5.15 ms for the QP"), 5150, time(5), "us")
          .as_info(machine));
  result.claims.push_back(
      at_most("motion with exact cones, mean", printed("caption of Fig. 5: 5.15 ms for the QP"), 5150, time(7), "us")
          .as_info(machine));
  result.claims.push_back(at_least("the published LP by CLP over the verdict here",
                                   printed("Fig. 5: the LP was the fast one"), 1, time(1) / time(4), "-")
                              .as_info(machine));
  Figure figure{"fig5",
                "98 contacts: time of each frame",
                "frame",
                "time [us]",
                {{"fig5", 0, 3, "QP, projected gradients"},
                 {"fig5", 0, 5, "motion, here"},
                 {"fig5", 0, 4, "verdict, here"},
                 {"fig5", 0, 7, "motion, exact cones"},
                 {"fig5", 0, 6, "verdict, exact cones"}}};
  if (with_clp) {
    figure.series.push_back({"fig5", 0, 1, "LP as published, CLP"});
    figure.series.push_back({"fig5", 0, 2, "LP of six rows, CLP"});
  }
  figure.y_log = true;
  result.figures.push_back(figure);
}

}  // namespace

Result run(const Context& context) {
  const std::size_t frames = context.quick ? 12 : 120;
  const bool with_clp = baselines::Clp::available();
  Result result;
  result.notes = fmt::format(
      "A cube in a corner with 98 contacts, a hand whose load wanders about what friction just holds, pyramids of four "
      "sides, mass metric, as in the paper. LP: eqs. 32 to 37 as published by CLP, cold, and with six rows. QP: eqs. "
      "28 "
      "to "
      "31 by accelerated projected gradients, a slow reference. Here: verdict and motion of this library for the same "
      "pyramids, and with exact cones. {}",
      with_clp ? "" : "This program was built without CLP: its columns are 0.");
  StaticFriction solver(contacts, sides);
  StaticFriction exact(contacts);
  Random random(5);
  ContactScene scene = contact_scene(Family::cube_in_corner, contacts, random);
  Table table{"fig5",
              {{"frame", std::vector<double>{}},
               {"LP as published, CLP [us]", std::vector<double>{}},
               {"LP of six rows, CLP [us]", std::vector<double>{}},
               {"QP, projected gradients [us]", std::vector<double>{}},
               {"verdict, here [us]", std::vector<double>{}},
               {"motion, here [us]", std::vector<double>{}},
               {"verdict, exact cones [us]", std::vector<double>{}},
               {"motion, exact cones [us]", std::vector<double>{}}}};
  Totals all;
  const spatial::Options as_published{.metric = Metric::mass, .warm = false};
  for (std::size_t frame = 0; frame < frames; ++frame) {
    context.step(static_cast<double>(frame) / static_cast<double>(frames));
    next_frame(scene, 0.03, random);
    // From 0.8 to 1.2 of what friction holds, and never within 1 % of it
    load_to_ratio(scene, frame % 2 == 0 ? 0.99 - 0.19 * random.uniform() : 1.01 + 0.19 * random.uniform(), solver);
    std::array<double, 8> row{static_cast<double>(frame)};
    spatial::Verdict verdict;
    spatial::Solution motion;
    row[4] = microseconds(
        [&] { verdict = solver.set(scene.contacts, scene.load) ? solver.verdict(as_published) : verdict; });
    row[5] =
        microseconds([&] { motion = solver.set(scene.contacts, scene.load) ? solver.solve(as_published) : motion; });
    spatial::Verdict of_cones;
    spatial::Solution motion_of_cones;
    row[6] = microseconds(
        [&] { of_cones = exact.set(scene.contacts, scene.load) ? exact.verdict(as_published) : of_cones; });
    row[7] = microseconds(
        [&] { motion_of_cones = exact.set(scene.contacts, scene.load) ? exact.solve(as_published) : motion_of_cones; });
    baselines::PlainSolution plain;
    row[3] = microseconds([&] {
      plain = baselines::plain_qp<double>(scene.contacts, scene.load,
                                          {.sides = sides, .metric = Metric::mass, .gap = 1e-7});
    });
    if (with_clp) {
      const auto scaled = baselines::in_own_units(scene.contacts, scene.load);
      bool feasible = false;
      row[1] = microseconds([&] {
        feasible = baselines::Clp(baselines::published_lp(scaled.contacts, scaled.load, sides)).solve().solved;
      });
      all.differ += feasible == verdict.holds() ? 0 : 1;
      row[2] = microseconds([&] {
        feasible = baselines::Clp(baselines::six_row_lp(scaled.contacts, scaled.load, sides)).solve().solved;
      });
      all.differ += feasible == verdict.holds() ? 0 : 1;
    }
    all.holds += verdict.holds() ? 1 : 0;
    // Full rank: static is the same as no motion at all
    const bool moves = plain.objective - plain.gap > 0;
    all.theorem += moves == verdict.holds() ? 1 : 0;
    all.difference = std::max(all.difference, std::abs(plain.objective - motion.objective) / plain.without_friction);
    for (std::size_t k = 0; k < row.size(); ++k) {
      std::get<std::vector<double>>(table.columns[k].values).push_back(row.at(k));
    }
  }
  judge(table, all, with_clp, result);
  return result;
}

}  // namespace stiction::lab::spatial_lp_and_qp
