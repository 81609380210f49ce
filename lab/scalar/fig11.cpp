// Fig. 11, and comments on Fig. 10: small displacements under a torque that pushes in one direction alone.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "paper_setup.h"
#include "stiction/sim/line.h"

namespace stiction::lab::scalar_fig11 {
namespace {

constexpr int periods = 4;

/// T = a + a sin(t − π/2): from 0 to 2 a and back in each period.
struct Pushed {
  sim::Trajectory run;
  double first_peak = 0;  // largest position in the first period [rad]
  double slip = 0;        // permanent displacement per period, in the last one [rad]
  double recovered = 0;   // during unloading, in the last period [rad]
  double area = 0;        // ∮ T dx over the last period [J]

  /// The distance by which the next push misses the last turning point: 0 for a closed loop.
  [[nodiscard]] double gap() const { return slip / recovered; }
};

template <class Model>
Pushed pushed(const Model& model, double a, bool quick) {
  const double duration = 2 * std::numbers::pi * periods;
  const std::size_t rows = quick ? 400 : 2000;  // in a period
  Pushed result{
      sim::simulate(model, {.mass = olsson_table2_inertia}, {.force = sim::Sine{a, 1, -std::numbers::pi / 2, a}},
                    {.duration = duration, .output_interval = duration / static_cast<double>(periods * rows)})};
  const auto& x = result.run.position;
  const auto& torque = result.run.load;
  const auto period = static_cast<std::ptrdiff_t>(rows);
  result.first_peak = *std::max_element(x.begin(), x.begin() + period);
  result.slip = x.back() - *(x.end() - 1 - period);
  result.recovered = *std::max_element(x.end() - period, x.end()) - x.back();
  for (std::size_t i = x.size() - rows; i < x.size(); ++i) {
    result.area += (torque[i] + torque[i - 1]) / 2 * (x[i] - x[i - 1]);
  }
  return result;
}

std::vector<double> in_milliradians(std::vector<double> positions) {
  std::transform(positions.begin(), positions.end(), positions.begin(), [](double x) { return 1e3 * x; });
  return positions;
}

}  // namespace

Result run(const Context& context) {
  namespace preset = scalar::preset;
  const auto soft = preset::table2_bliman_sorine_2_soft();
  context.step(0);
  const auto lugre_05 = pushed(preset::olsson_table2(), 0.05, context.quick);
  const auto lugre_10 = pushed(preset::olsson_table2(), 0.10, context.quick);
  const auto lugre_15 = pushed(preset::olsson_table2(), 0.15, context.quick);
  context.step(0.3);
  const auto soft_05 = pushed(soft, 0.05, context.quick);
  const auto soft_10 = pushed(soft, 0.10, context.quick);
  const auto soft_15 = pushed(soft, 0.15, context.quick);
  context.step(0.6);
  const auto plastic_10 = pushed(preset::table2_elasto_plastic(), 0.10, context.quick);
  const auto leuven_10 = pushed(preset::table2_leuven(), 0.10, context.quick);
  const auto gms_10 = pushed(preset::table2_gms(), 0.10, context.quick);

  Result result;
  result.notes =
      "A torque that rises from 0 to 2 a and falls back, four times. LuGre and Bliman-Sorine push on like a "
      "ratchet: each new push leaves the way back on a softer curve and never meets it, so there is no closed "
      "loop. GMS remembers where it turned: its loop closes, with an area, but it does not slip. Elasto-plastic "
      "friction comes back elastically, without area. None of them shows a loop and slip at once. The measured "
      "curves of Fig. 10 are not available as numbers.";
  result.figures = {{"lugre", "LuGre, Table 2 (Fig. 11, right)", "position [mrad]", "friction [N m]", {}},
                    {"bliman_sorine",
                     "Bliman-Sorine 2, adapted to the overall stiffness (Fig. 11, left)",
                     "position [mrad]",
                     "friction [N m]",
                     {}},
                    {"others",
                     "The same with a = b = 0.10 N m: does another model close the loop?",
                     "position [mrad]",
                     "friction [N m]",
                     {}}};
  Table loops{"loops",
              {{"model", std::vector<std::string>{}},
               {"a = b [N m]", std::vector<double>{}},
               {"first peak [rad]", std::vector<double>{}},
               {"slip in a period [rad]", std::vector<double>{}},
               {"recovered [rad]", std::vector<double>{}},
               {"gap [-]", std::vector<double>{}},
               {"area [J]", std::vector<double>{}}},
              true};
  const auto show = [&](const std::vector<std::size_t>& figures, const char* table, const char* model, double a,
                        const Pushed& p) {
    const std::string name = fmt::format("{}_{:.2f}", table, a);
    const std::string label = fmt::format("{}, a = {:.2f}", model, a);
    result.tables.push_back({name,
                             {{"time [s]", p.run.time},
                              {"torque [N m]", p.run.load},
                              {"position [rad]", p.run.position},
                              {"friction [N m]", p.run.friction},
                              {"position [mrad]", in_milliradians(p.run.position)}}});
    for (const std::size_t figure : figures) {
      result.figures[figure].series.push_back({name, 4, 3, label});
    }
    std::get<std::vector<std::string>>(loops.columns[0].values).emplace_back(model);
    const std::array numbers{a, p.first_peak, p.slip, p.recovered, p.gap(), p.area};
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      std::get<std::vector<double>>(loops.columns[i + 1].values).push_back(numbers[i]);
    }
  };
  show({0}, "lugre", "LuGre", 0.05, lugre_05);
  show({2}, "lugre", "LuGre", 0.10, lugre_10);
  show({0}, "lugre", "LuGre", 0.15, lugre_15);
  show({1}, "bliman_sorine_2", "Bliman-Sorine 2", 0.05, soft_05);
  show({1}, "bliman_sorine_2", "Bliman-Sorine 2", 0.10, soft_10);
  show({}, "bliman_sorine_2", "Bliman-Sorine 2", 0.15, soft_15);
  show({2}, "elasto_plastic", "elasto-plastic", 0.10, plastic_10);
  show({2}, "leuven", "Leuven", 0.10, leuven_10);
  show({2}, "gms", "GMS", 0.10, gms_10);
  result.tables.push_back(loops);

  const auto at_last_peak = [](const Pushed& p) { return p.run.position[(p.run.position.size() - 1) / 8 * 7]; };
  const auto share = [](const Pushed& p, double a) { return p.area / (2 * a * p.recovered); };
  constexpr const char* no_loop = "Section 5: no hysteresis loop with slip";
  constexpr const char* question = "this project: does another model do better?";
  // Quasi-static LuGre, z from 0 to 2a/σ₀ and back:  slip = −(F_S/σ₀) ln(1 − (2a/F_S)²)
  const double slip = -0.33 / 260 * std::log(1 - std::pow(0.10 / 0.33, 2));
  result.claims = {
      within("LuGre, a = 0.05: position at the last peak of the torque", independent, 0.000824998790193,
             at_last_peak(lugre_05), 1e-8, "rad"),
      within("LuGre, a = 0.05: position after four periods", independent, 0.000489042741071,
             lugre_05.run.position.back(), 1e-9, "rad"),
      within("LuGre, a = 0.15: position at the last peak of the torque", independent, 0.00987384801224,
             at_last_peak(lugre_15), 1e-7, "rad"),
      within("LuGre, a = 0.15: position after four periods", independent, 0.00905316484348,
             lugre_15.run.position.back(), 1e-8, "rad"),
      within("Bliman-Sorine 2, a = 0.05: position at the last peak of the torque", independent, 0.0030603571076,
             at_last_peak(soft_05), 1e-7, "rad"),
      within("Bliman-Sorine 2, a = 0.05: position after four periods", independent, 0.00186539311026,
             soft_05.run.position.back(), 1e-8, "rad"),
      within("LuGre, a = 0.05: slip in a period over its closed form", "quasi-static, −(F_S/σ₀) ln(1 − (2a/F_S)²)", 1,
             lugre_05.slip / slip, 1e-3, "-"),
      at_least("LuGre, a = 0.05: gap of the loop over its width", no_loop, 0.1, lugre_05.gap(), "-"),
      at_least("LuGre, a = 0.15: gap of the loop over its width", no_loop, 0.1, lugre_15.gap(), "-"),
      at_least("Bliman-Sorine 2, a = 0.05: gap of the loop over its width", no_loop, 0.1, soft_05.gap(), "-"),
      at_least("first peak of Bliman-Sorine 2 over LuGre's, a = 0.05",
               "Section 5: LuGre underestimates the displacements", 3, soft_05.first_peak / lugre_05.first_peak, "-"),
      at_most("Bliman-Sorine 2, a = 0.15: first peak", "Fig. 11, left: the axis ends here", 0.015, soft_15.first_peak,
              "rad"),
      at_most("LuGre, a = 0.15: first peak", "Fig. 11, right: the axis ends here", 1.6e-3, lugre_15.first_peak, "rad")
          .as_refuted("the figure was not drawn with Table 2: its stiffness and break-away give −(F_S/σ₀) ln(1 − "
                      "0.3/F_S) = 3.0e-3 rad"),
      at_most("GMS, a = 0.10: gap of the loop over its width", question, 0, std::abs(gms_10.gap()), "-", 1e-6),
      at_least("GMS, a = 0.10: area of the loop over its frame", question, 0.05, share(gms_10, 0.10), "-"),
      at_most("elasto-plastic, a = 0.10: gap of the loop over its width", question, 0, std::abs(plastic_10.gap()), "-",
              1e-3),
      at_most("elasto-plastic, a = 0.10: area of the loop over its frame", question, 0, share(plastic_10, 0.10), "-",
              0.01),
      at_least("Leuven, a = 0.10: gap of the loop over its width", question, 0.1, leuven_10.gap(), "-"),
  };
  return result;
}

}  // namespace stiction::lab::scalar_fig11
