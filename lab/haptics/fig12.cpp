// Fig. 12: the smallest force of the coupling that pushes a peg into a hole 1 % too small, against μ.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "../lab.h"
#include "drive.h"
#include "stiction/vector.h"

namespace stiction::lab::haptics_fig12 {
namespace {

using haptics::FrictionMethod;
using haptics::Separation;

constexpr double start_height = 0.046;   // of the peg's centre: it does not touch yet [m]
constexpr double inside_height = 0.040;  // its tip is 5 mm in [m]
constexpr double end_height = 0.015;     // its tip is 3 cm in [m]

struct Insertion {
  std::vector<double> depth, force;  // insertion depth of the peg [m]; the hand's push on it [N]
  double entering = 0;               // the largest force before it is inside, …
  double inside = 0;                 // … and after that [N]
  double normal = 0;                 // the sum of all normal forces inside, mean [N]
  bool inserted = false;
};

/// The hand at a height that may depend on the peg's.
template <class Height>
Insertion insert(FrictionMethod method, Separation rule, double mu, double max_time, const Context& context,
                 double progress, Height&& hand) {
  const haptics::PreparedScene& scene = prepared("peg-and-hole", context.quick);
  haptics::FrictionChoice choice = scene.description().friction;
  choice.method = method;
  choice.separation = rule;
  haptics::Renderer renderer = renderer_with(scene, mu, choice, scene.description().render);
  renderer.reset_pose({.position = {0, 0, start_height}});
  Insertion result;
  const double period = renderer.params().period;
  double cycles = 0;
  for (int k = 0; k * period < max_time && !result.inserted; ++k) {
    if (k % 256 == 0) {
      context.step(progress);
    }
    const haptics::Cycle& cycle = renderer.step({.position = {0, 0, hand(k * period, renderer.body().position[2])}});
    const double height = cycle.body.position[2];
    const double force = -cycle.coupling[2];
    result.depth.push_back(start_height - height);
    result.force.push_back(force);
    result.inserted = height < end_height;
    double& largest = height > inside_height ? result.entering : result.inside;
    largest = std::max(largest, force);
    if (height < inside_height) {
      for (std::size_t i = 0; i < renderer.contact_count(); ++i) {
        result.normal += norm(renderer.contact(i).normal_force);
      }
      ++cycles;
    }
  }
  result.normal /= std::max(1.0, cycles);
  return result;
}

/// Least squares: y = at_zero + slope x, and R² of it.
struct Line {
  double slope = 0, at_zero = 0, r_squared = 0;
};
Line line_through(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<double>(x.size());
  double mean_x = 0;
  double mean_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += x[i] / n;
    mean_y += y[i] / n;
  }
  double xx = 0;
  double xy = 0;
  double yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
    yy += (y[i] - mean_y) * (y[i] - mean_y);
  }
  return {xy / xx, mean_y - xy / xx * mean_x, xy * xy / (xx * yy)};
}

}  // namespace

Result run(const Context& context) {
  const double speed = context.quick ? 0.04 : 0.02;  // [m/s]
  const std::vector<double> coefficients{0, 0.1, 0.2, 0.4, 0.6, 0.8, 1};
  struct Way {
    FrictionMethod method;
    Separation rule;
    const char* name;
  };
  constexpr std::array<Way, 4> ways{{{FrictionMethod::cone, Separation::none, "cones"},
                                     {FrictionMethod::cone, Separation::pulled, "cones, rule for pulled contacts"},
                                     {FrictionMethod::cone, Separation::as_published, "cones, rule as published"},
                                     {FrictionMethod::switched, Separation::none, "switched, pyramids of 4 sides"}}};
  Result result;
  result.notes =
      "The hand pushes the peg down slowly. What counts is the largest force of the coupling from where the tip is 5 "
      "mm "
      "in: a force less than that leaves it stuck. (Over the edge the peg has to be squeezed, which takes about 1 N "
      "more "
      "or less whatever μ is.) All contacts slide straight down then, so the force must be μ times the sum of all "
      "normal "
      "forces, and with cones it is. The paper's pyramids of 4 sides are around the cones, and here the peg slides "
      "along their corners: √2 times as much. And the rule of section 4.1 takes friction away from contacts that only "
      "seem to leave: without friction the peg would tilt by a hair, half of its contacts outwards. As printed it "
      "takes "
      "half of the friction; where the hand must pull the contact off as well, within 87° of its normal, it "
      "takes none.";
  std::vector<std::vector<double>> forces(ways.size());
  std::vector<Line> lines;
  double normal = 0;
  double entering = 0;
  double done = 0;
  for (std::size_t w = 0; w < ways.size(); ++w) {
    for (const double mu : coefficients) {
      const Insertion peg = insert(ways.at(w).method, ways.at(w).rule, mu, 10, context, done,
                                   [&](double time, double) { return start_height - speed * time; });
      done += 0.9 / static_cast<double>(ways.size() * coefficients.size());
      forces[w].push_back(peg.inside);
      normal = w == 0 ? peg.normal : normal;
      entering = w == 0 && mu == 0 ? peg.entering : entering;
      if (w == 0 && (mu == 0 || mu == 0.4 || mu == 1)) {
        result.tables.push_back(
            {fmt::format("insertion_{:g}", mu), {{"depth [m]", peg.depth}, {"force [N]", peg.force}}});
      }
    }
    lines.push_back(line_through(coefficients, forces[w]));
  }
  Table table{"min_force", {{"μ [-]", coefficients}}, true};
  Figure figure{"fig12", "Least force that pushes the peg in", "friction coefficient", "force [N]", {}};
  for (std::size_t w = 0; w < ways.size(); ++w) {
    table.columns.push_back({fmt::format("{} [N]", ways.at(w).name), forces[w]});
    figure.series.push_back({"min_force", 0, w + 1, ways.at(w).name, "linespoints"});
  }
  result.tables.push_back(table);
  result.figures = {
      figure,
      {"insertion",
       "Force on the way in, cones",
       "way of the peg [m]",
       "force [N]",
       {{"insertion_0", 0, 1, "μ = 0"}, {"insertion_0.4", 0, 1, "μ = 0.4"}, {"insertion_1", 0, 1, "μ = 1"}}}};
  for (std::size_t w = 0; w < ways.size(); ++w) {
    result.claims.push_back(at_least(fmt::format("{}: R² of a straight line", ways.at(w).name),
                                     printed("Section 5.3 and Fig. 12: linear"), 0.99, lines[w].r_squared, "-"));
  }
  result.claims.push_back(within("cones: slope over the sum of the normal forces", from_theory("Coulomb: 1"), 1,
                                 lines[0].slope / normal, 0.03, "-"));
  result.claims.push_back(at_most("cones: force with μ = 0 over that with μ = 1",
                                  requirement("Fig. 12, caption: very small"), 0.05,
                                  forces[0].front() / forces[0].back(), "-"));
  result.claims.push_back(within("switched, pyramids of 4 sides: slope over the sum of the normal forces",
                                 from_theory("around the cone: up to √2"), std::numbers::sqrt2, lines[3].slope / normal,
                                 0.05, "-"));
  result.claims.push_back(within("rule as published: slope over the sum of the normal forces",
                                 printed("Fig. 12, caption: confirms the friction cone"), 1, lines[2].slope / normal,
                                 0.1, "-")
                              .as_refuted("half of the contacts are taken for leaving and have no friction"));
  result.claims.push_back(within("rule for pulled contacts: slope over the sum of the normal forces",
                                 from_theory("Coulomb: 1"), 1, lines[1].slope / normal, 0.1, "-")
                              .as_info("normals that are not quite across the axis must not seem to be pulled"));
  result.claims.push_back(at_most("cones, μ = 0: force over the edge of the hole",
                                  requirement("Fig. 12, caption: very small"), 2, entering, "N")
                              .as_info("the peg's edge must be squeezed in"));
  // A hand that pushes with constant force: 3 % more than the smallest one, and 3 % less
  const double mu = 0.6;
  const double stiffness = haptics::RenderParams{}.coupling_stiffness;
  const double min_force = lines[0].at_zero + lines[0].slope * mu;
  const auto pushed_by = [&](double force) {
    // It is first pushed over the edge
    return insert(FrictionMethod::cone, Separation::none, mu, 2, context, 0.95, [&](double, double height) {
      return height - (height > inside_height ? 2 * min_force : force) / stiffness;
    });
  };
  const Insertion more = pushed_by(1.03 * min_force);
  const Insertion less = pushed_by(0.97 * min_force);
  result.claims.push_back(at_least("μ = 0.6, a force 3 % above the line: way of the peg",
                                   requirement("the least force: above it the peg goes in"), start_height - end_height,
                                   more.depth.back(), "m"));
  result.claims.push_back(at_most("μ = 0.6, a force 3 % below the line: way of the peg",
                                  requirement("the least force: below it the peg does not go in"),
                                  start_height - end_height - 0.02, less.depth.back(), "m"));
  return result;
}

}  // namespace stiction::lab::haptics_fig12
