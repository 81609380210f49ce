// Figs. 6 and 23 to 25: a disc on a table under loads below break-away, one of which oscillates. LuGre bristles let it
// drift, elasto-plastic ones do not.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "../lab.h"
#include "paper_setup.h"
#include "stiction/sim/planar_body.h"

namespace stiction::lab::planar_drift {
namespace {

using planar::Wrench;

constexpr double period = 1.0 / 3;  // of sin 6πt [s]
constexpr int rows_in_a_period = 100;

enum class Swings { tangential, normal };

/// 1 kg; loads are held over 10 ms, at their value at the start.
sim::PlanarBody disc(Swings swings) {
  sim::PlanarBody body;
  body.mass = 1;
  body.inertia = 0.5 * body.mass * 0.05 * 0.05;
  body.carried = true;
  const auto held = [](double t) { return 0.01 * std::floor(t / 0.01); };
  const auto wave = [](double t) { return std::sin(6 * std::numbers::pi * t); };
  if (swings == Swings::tangential) {
    body.normal_force = [](double) { return 9.81; };
    body.load = [=](double time) {
      const double t = held(time);
      const double torque = t <= 2.8 ? 0 : t < 3 ? 0.03 * (t - 2.8) / 0.2 : 0.03 + 0.01 * wave(t);
      return Wrench{t < 1 ? std::min(t / 0.2, 1.0) : 1 + 0.4 * wave(t), 0, torque};
    };
  } else {
    body.normal_force = [=](double time) {
      const double t = held(time);
      return t <= 1 ? 9.81 : 9.81 + wave(t);
    };
    body.load = [=](double time) {
      const double rise = std::min(held(time) / 0.2, 1.0);
      return Wrench{rise, 0, 0.03 * rise};
    };
  }
  for (int i = 1; i < 500; ++i) {
    body.jumps.push_back(0.01 * i);
  }
  return body;
}

/// The slope of the means over the last five periods.
template <class Of>
double drift(const sim::PlanarRun& run, const Of& of) {
  double slope = 0;
  const std::size_t first = run.rows.size() - 5 * rows_in_a_period;
  for (int j = 0; j < 5; ++j) {
    double mean = 0;
    for (int i = 0; i < rows_in_a_period; ++i) {
      mean += of(run.rows[first + static_cast<std::size_t>(j * rows_in_a_period + i)]) / rows_in_a_period;
    }
    slope += (j - 2) * mean / (10 * period);  // Σ (j − 2)² = 10
  }
  return slope;
}
double x_of(const sim::PlanarRow& row) { return row.state.position.x; }
double angle_of(const sim::PlanarRow& row) { return row.state.angle; }

struct Drift {
  double x, angle;  // [m/s], [rad/s]
};

}  // namespace

Result run(const Context& context) {
  Result result;
  result.notes =
      "A disc of 1 kg. Tangential: a force of 1 N that swings by 0.4 N at 3 Hz, later a torque of 0.03 N m that swings "
      "by 0.01 N m. Normal: both are constant, the normal force of 9.81 N swings by 1 N. Drift is the slope of "
      "one-period means over the last five periods. The paper speaks of a disc of 50 mm radius; the authors' code has "
      "the inertia of that disc on a contact of 25 mm radius. Both contacts are run; published numbers are for 25 mm. "
      "Reduced models here use the authors' table.";
  Table drifts{"drift",
               {{"run", std::vector<std::string>{}},
                {"along x [m/s]", std::vector<double>{}},
                {"angle [rad/s]", std::vector<double>{}}},
               true};
  std::vector<Claim> reproduction;
  int done = 0;
  for (const Swings swings : {Swings::tangential, Swings::normal}) {
    const char* load = swings == Swings::tangential ? "tangential" : "normal";
    for (const int radius : {25, 50}) {  // [mm]
      const std::string set = fmt::format("{}_{}mm", load, radius);
      Table curves{set, {}};
      for (const bool reduced : {false, true}) {
        std::array<Drift, 2> of{};
        for (const bool elasto_plastic : {false, true}) {
          context.step(done++ / 16.0);
          const bool compared = swings == Swings::tangential && radius == 25 && !elasto_plastic;
          const std::size_t cells = context.quick && !compared ? 9 : 21;
          const planar::Patch patch(planar::paper::circle(cells, 2e-3 * radius));
          planar::Friction friction = planar::preset::waltersson_p1();
          friction.elasto_plastic = elasto_plastic;
          const sim::PlanarBody body = disc(swings);
          const sim::PlanarOptions options{.duration = 5,
                                           .interval = period / rows_in_a_period,
                                           .relative_tolerance = context.quick ? 1e-3 : 1e-7,
                                           .absolute_tolerance = context.quick ? 2e-8 : 1e-10,
                                           .max_step = 1e-2};
          const auto run = reduced ? sim::simulate(body, authors_reduced(friction, patch), {}, options)
                                   : sim::simulate(body, planar::Distributed::make({friction, patch}), {}, options);
          const Drift measured{drift(run, x_of), drift(run, angle_of)};
          of.at(elasto_plastic ? 1 : 0) = measured;
          const std::string name = fmt::format("{}, {} mm, {}, {}", load, radius, reduced ? "reduced" : "distributed",
                                               elasto_plastic ? "elasto-plastic" : "LuGre");
          std::get<std::vector<std::string>>(drifts.columns[0].values).push_back(name);
          std::get<std::vector<double>>(drifts.columns[1].values).push_back(measured.x);
          std::get<std::vector<double>>(drifts.columns[2].values).push_back(measured.angle);
          std::vector<double> time;
          std::vector<double> x;
          std::vector<double> angle;
          for (const auto& row : run.rows) {
            time.push_back(row.time);
            x.push_back(row.state.position.x);
            angle.push_back(row.state.angle);
          }
          if (curves.columns.empty()) {
            curves.columns.push_back({"time [s]", time});
          }
          curves.columns.push_back({fmt::format("x {} [m]", name), x});
          curves.columns.push_back({fmt::format("angle {} [rad]", name), angle});
          if (elasto_plastic) {
            result.claims.push_back(at_most(name + ": drift", "Figs. 6, 23 to 25: mitigated; at most 2e-9 m/s", 2e-9,
                                            std::abs(measured.x), "m/s"));
            result.claims.push_back(at_most(name + ": drift of the rim",
                                            "Figs. 6, 23 to 25: mitigated; at most 2e-9 m/s", 2e-9,
                                            1e-3 * radius * std::abs(measured.angle), "m/s"));
          }
        }
        const std::string name = fmt::format("{}, {} mm, {}", load, radius, reduced ? "reduced" : "distributed");
        result.claims.push_back(at_least(name + ": LuGre's drift over the elasto-plastic one",
                                         "Figs. 6, 23 to 25: LuGre drifts", 20, of[0].x / std::abs(of[1].x), "-"));
        result.claims.push_back(at_least(name + ": LuGre's turning over the elasto-plastic one",
                                         "Figs. 6, 23 to 25: LuGre drifts", 20, of[0].angle / std::abs(of[1].angle),
                                         "-"));
        if (swings == Swings::tangential && radius == 25) {
          // The same slope, from the poses in the data
          const Drift expected = reduced ? Drift{1.356e-7, 1.22816e-5} : Drift{1.1053e-7, 1.08497e-5};
          reproduction.push_back(
              within(name + ", LuGre: drift", planar_data, expected.x, of[0].x, 0.01 * expected.x, "m/s"));
          reproduction.push_back(within(name + ", LuGre: turning", planar_data, expected.angle, of[0].angle,
                                        0.01 * expected.angle, "rad/s"));
        }
      }
      result.tables.push_back(curves);
      const auto figure = [&](const char* what, const char* label, std::size_t part) {
        result.figures.push_back({fmt::format("{}_{}", set, what),
                                  fmt::format("The {} load swings, contact of {} mm radius", load, radius),
                                  "time [s]",
                                  label,
                                  {{set, 0, 1 + part, "distributed, LuGre"},
                                   {set, 0, 3 + part, "distributed, elasto-plastic"},
                                   {set, 0, 5 + part, "reduced, LuGre"},
                                   {set, 0, 7 + part, "reduced, elasto-plastic"}}});
      };
      figure("x", "position [m]", 0);
      figure("angle", "angle [rad]", 1);
    }
  }
  result.tables.push_back(drifts);
  // μ_S f_N r, with r of the authors' mask
  const auto torque_share = [](double radius) {
    return 0.03 / (planar::preset::waltersson_p1().static_level * 9.81 *
                   planar::Patch(planar::paper::circle(21, 2 * radius)).torque_radius());
  };
  constexpr const char* sixth = "Section VI-B: about 1/6 of the torque required for slippage";
  result.claims.push_back(
      within("torque over that of slippage, contact of 25 mm radius", sixth, 1.0 / 6, torque_share(0.025), 0.01, "-"));
  result.claims.push_back(
      within("torque over that of slippage, contact of 50 mm radius", sixth, 1.0 / 6, torque_share(0.05), 0.01, "-")
          .as_refuted("the text's 50 mm and its 1/6 do not go together; 25 mm, as in the authors' code, does"));
  result.claims.insert(result.claims.end(), reproduction.begin(), reproduction.end());
  return result;
}

}  // namespace stiction::lab::planar_drift
