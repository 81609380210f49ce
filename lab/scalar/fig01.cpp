// Fig. 1: friction against displacement, from rest through break-away, under a torque that rises slowly.
#include <algorithm>
#include <string>

#include "paper_setup.h"
#include "stiction/sim/line.h"

namespace stiction::lab::scalar_fig01 {
namespace {

constexpr double rise = 0.05;         // of the torque [N m/s]
constexpr double shown_until = 0.03;  // [rad]

struct Curve {
  Table table;
  double peak = 0;                // of the friction without its viscous part [N m]
  double peak_position = 0;       // [rad]
  double stiffness = 0;           // at the start [N m/rad]
  double sliding = 0;             // without the viscous part, at the end [N m]
  double breakaway_torque = 0;    // applied when the shaft turns at 0.1 rad/s [N m]
  double breakaway_position = 0;  // [rad]
};

template <class Model>
Curve pulled(const char* name, const Model& model, double viscous, bool quick) {
  constexpr double duration = 9;
  const auto run =
      sim::simulate(model, {.mass = olsson_table2_inertia}, {.force = sim::Ramp{0, rise * duration, 0, duration}},
                    {.duration = duration, .output_interval = quick ? 1e-3 : 2e-4});
  std::vector<double> friction(run.friction);
  for (std::size_t i = 0; i < friction.size(); ++i) {
    friction[i] -= viscous * run.velocity[i];
  }
  const auto first_beyond = [](const std::vector<double>& values, double level) {
    return static_cast<std::size_t>(std::find_if(values.begin(), values.end(), [&](double v) { return v > level; }) -
                                    values.begin());
  };
  const auto peak = static_cast<std::size_t>(std::max_element(friction.begin(), friction.end()) - friction.begin());
  // 10 to 20 µrad: after the inertial transient and long before the curve flattens.
  const std::size_t a = first_beyond(run.position, 1e-5);
  const std::size_t b = first_beyond(run.position, 2e-5);
  const std::size_t breakaway_index = first_beyond(run.velocity, 0.1);
  const double share =
      (0.1 - run.velocity[breakaway_index - 1]) / (run.velocity[breakaway_index] - run.velocity[breakaway_index - 1]);
  const auto between = [&](const std::vector<double>& values) {
    return values[breakaway_index - 1] + share * (values[breakaway_index] - values[breakaway_index - 1]);
  };
  const auto shown = static_cast<std::ptrdiff_t>(first_beyond(run.position, shown_until));
  return {{name,
           {{"position [rad]", std::vector(run.position.begin(), run.position.begin() + shown)},
            {"friction without viscous part [N m]", std::vector(friction.begin(), friction.begin() + shown)},
            {"torque [N m]", std::vector(run.load.begin(), run.load.begin() + shown)}}},
          friction[peak],
          run.position[peak],
          (friction[b] - friction[a]) / (run.position[b] - run.position[a]),
          friction.back(),
          between(run.load),
          between(run.position)};
}

}  // namespace

Result run(const Context& context) {
  namespace preset = scalar::preset;
  const auto bs2 = preset::table2_bliman_sorine_2();
  const double stiffness = preset::olsson_table2().stiffness;
  const double viscous = bs2.params().viscous;
  context.step(0);
  const Curve lugre = pulled("lugre", preset::olsson_table2(), viscous, context.quick);
  context.step(0.2);
  const Curve plastic = pulled("elasto_plastic", preset::table2_elasto_plastic(), viscous, context.quick);
  context.step(0.4);
  const Curve dahl = pulled("dahl", preset::table2_dahl(), 0, context.quick);
  const Curve bliman_sorine = pulled("bliman_sorine_2", bs2, viscous, context.quick);
  context.step(0.7);
  const Curve gms = pulled("gms", preset::table2_gms(), viscous, context.quick);

  Result result;
  result.notes =
      "The servo of Table 2 under a torque that rises at 0.05 N m/s. Friction starts as a spring, peaks after a "
      "few milliradians, and falls to its sliding level. All sets share the stiffness 260 N m/rad and the sliding "
      "friction 0.28 N m; Dahl's model has no peak. Rabinowicz's measured curve has no numbers on its axes.";
  result.figures = {{"fig01",
                     "Friction against displacement, from rest",
                     "position [rad]",
                     "friction without viscous part [N m]",
                     {}}};
  for (const auto& [curve, label] : {std::pair{&lugre, "LuGre"},
                                     {&plastic, "elasto-plastic"},
                                     {&dahl, "Dahl"},
                                     {&bliman_sorine, "Bliman-Sorine 2"},
                                     {&gms, "GMS"}}) {
    result.tables.push_back(curve->table);
    result.figures[0].series.push_back({curve->table.name, 0, 1, label});
    result.claims.push_back(within(std::string(label) + ": stiffness at the start over σ₀",
                                   from_theory("spring-like before sliding; k₀ = σ₀"), 1, curve->stiffness / stiffness,
                                   0.03, "-"));
    result.claims.push_back(within(std::string(label) + ": friction after sliding for long",
                                   from_theory("F_C of Table 2"), 0.28, curve->sliding, 1e-4, "N m"));
  }
  // s_p = η ε/(1 − η) ln(f₁/(η f₂)); the peak from zero states is halfway between F_C and F_S.
  const std::vector<Claim> peaks = {
      within("LuGre: peak", independent_runge_kutta, 0.309302753, lugre.peak, 1e-5, "N m"),
      within("LuGre: displacement at the peak", independent_runge_kutta, 0.003714109, lugre.peak_position, 2e-5, "rad"),
      within("LuGre: displacement when it turns at 0.1 rad/s", independent, 0.00471562761, lugre.breakaway_position,
             2e-6, "rad"),
      within("elasto-plastic: peak", independent_runge_kutta, 0.314401480, plastic.peak, 1e-5, "N m"),
      within("elasto-plastic: displacement at the peak", independent_runge_kutta, 0.002006419, plastic.peak_position,
             2e-5, "rad"),
      within("GMS: peak", independent_runge_kutta, 0.3281837, gms.peak, 1e-5, "N m"),
      within("GMS: displacement at the peak", independent_runge_kutta, 0.0050489, gms.peak_position, 2e-5, "rad"),
      within("Bliman-Sorine 2: peak from zero states", from_theory("closed form, (F_C + F_S)/2"), 0.305,
             bliman_sorine.peak, 1e-5, "N m"),
      within("Bliman-Sorine 2: displacement at the peak", from_theory("closed form, η ε/(1 − η) ln(f₁/(η f₂))"),
             bs2.peak_distance(), bliman_sorine.peak_position, 4e-5, "rad"),
      at_most("Dahl: peak over sliding friction", printed("Section 4: does not capture stiction"), 1, dahl.peak / 0.28,
              "-", 1e-6),
      within("LuGre: torque that sets it off over the peak",
             printed("Section 2: the break-away force is given by the peak"), 1, lugre.breakaway_torque / lugre.peak,
             0.01, "-"),
  };
  result.claims.insert(result.claims.end(), peaks.begin(), peaks.end());
  return result;
}

}  // namespace stiction::lab::scalar_fig01
