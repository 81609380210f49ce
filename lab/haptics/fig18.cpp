// Fig. 18: a hand puts a starter into an engine. On one path, with springs of one stiffness, friction keeps it out and
// frictional springs let it in. And on which share of random paths is that so?
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "../control/statistics.h"
#include "../lab.h"
#include "drive.h"
#include "haptic_baselines.h"
#include "stiction/haptics/trajectory.h"
#include "stiction/vector.h"

namespace stiction::lab::haptics_fig18 {
namespace {

using baselines::Method;
using baselines::with_method;
using haptics::Pose;

constexpr double friction = 0.8;
constexpr double soft_spring = 0.05;  // of the contacts' stiffness: near the limit of the explicit form in Fig. 16
constexpr double waiting = 0.3;       // after the hand has arrived [s]
constexpr double in_place = 0.99;     // share of the path that counts as inserted: within 1 mm of the end
constexpr double kept_out = 0.9;      // share of the path that counts as kept out: more than 9 mm remain

/// x, y and angle of the two intermediate poses of a path [m], [rad].
using Detour = std::array<double, 6>;

/// From outside, the nose in front of its hole, in at a slant, upright in its final pose. `pace` 1: 2.5 s.
haptics::Trajectory path_by(double pace, const Detour& d) {
  const auto turned = [](double x, double y, double angle) {
    return Pose{{x, y, 0}, haptics::rotation_by({0, 0, angle})};
  };
  return haptics::Trajectory({{0, turned(-0.1, -0.1, 0.4)},
                              {0.5 * pace, turned(d[0], d[1], d[2])},
                              {1.2 * pace, turned(d[3], d[4], d[5])},
                              {2.5 * pace, turned(-0.005, 0.03, 0)}});
}
constexpr Detour chosen{-0.08, -0.02, 0.4, -0.033, -0.01, 0.14};

/// The chosen path, changed by up to 5 mm and 0.05 rad in each of the two poses.
Detour neighbour(Random& random) {
  Detour detour = chosen;
  for (std::size_t k = 0; k < detour.size(); ++k) {
    detour.at(k) += (k % 3 == 2 ? 0.05 : 0.005) * (2 * random.uniform() - 1);
  }
  return detour;
}
/// Any path of this kind: the nose anywhere before its hole, at any slant, then anywhere on the way in.
Detour any_path(Random& random) {
  constexpr Detour low{-0.11, -0.05, 0.1, -0.06, -0.03, 0};
  constexpr Detour high{-0.06, 0.01, 0.6, -0.01, 0.03, 0.4};
  Detour detour{};
  for (std::size_t k = 0; k < detour.size(); ++k) {
    detour.at(k) = low.at(k) + (high.at(k) - low.at(k)) * random.uniform();
  }
  return detour;
}

struct Way {
  const char* name;
  Method method;
  double friction;
  double spring = 1;    // stiffness over that of the contacts
  double coupling = 1;  // stiffness over the default
};

struct Insertion {
  std::vector<double> time, left;   // distance of the starter from its place [m]
  double share = 0;                 // of the path from in front of the hole that it has covered at the end
  double force = 0, max_force = 0;  // of the coupling: at the end, and largest [N]
  double cost = 0;                  // of friction in a cycle with contacts, median [μs]
  double contacts = 0;              // maximum in a cycle
  [[nodiscard]] bool inserted() const { return share >= in_place; }
};

haptics::Renderer renderer_of(const haptics::PreparedScene& scene, const Way& way) {
  const auto choice = with_method(scene.description().friction, way.method, way.spring);
  haptics::RenderParams params = scene.description().render;
  params.coupling_stiffness *= way.coupling;
  params.coupling_rotational_stiffness *= way.coupling;
  return renderer_with(scene, way.friction, choice, params);
}

constexpr std::array<Way, 15> ways{{
    {"cones", Method::cone, 0},
    {"staggered projections", Method::staggered, 0},
    {"Gauss–Seidel", Method::gauss_seidel, 0},
    {"springs", Method::springs, 0, soft_spring},
    {"cones", Method::cone, friction},
    {"staggered projections", Method::staggered, friction},
    {"Gauss–Seidel", Method::gauss_seidel, friction},
    {"springs", Method::springs, friction, soft_spring},
    {"springs", Method::springs, 1000, soft_spring},
    {"cones, coupling twice as stiff", Method::cone, friction, 1, 2},
    {"cones", Method::cone, 1000},
    {"switched", Method::switched, friction},
    {"springs, a tenth as stiff as contacts", Method::springs, 1000, 0.1},
    {"springs, a third as stiff as contacts", Method::springs, 1000, 0.3},
    {"springs, as stiff as contacts", Method::springs, 1000, 1},
}};
constexpr std::size_t frictionless = 0, cones_mu = 4, springs_1000_mu = 8, stiff_springs = 14;  // of these

Insertion insert(haptics::Renderer& renderer, const haptics::Trajectory& path, const Context& context,
                 double progress) {
  renderer.reset_pose(path.poses().front().pose);
  const Pose& target = path.poses().back().pose;
  const std::vector<Moment> moments = drive(renderer, [&](double time) { return path.at(time); }, path.end() + waiting,
                                            context, {progress, progress, false});
  const auto distance = [&](const Pose& pose) { return norm(difference(pose.position, target.position)); };
  const auto force = [](const Moment& m) { return norm(linear(m.cycle.coupling)); };
  Insertion result;
  std::vector<Moment> touching;
  for (const Moment& m : moments) {
    result.time.push_back(m.time);
    result.left.push_back(distance(m.cycle.body));
    result.max_force = std::max(result.max_force, force(m));
    result.contacts = std::max(result.contacts, static_cast<double>(m.cycle.contacts));
    if (m.cycle.contacts > 0) {
      touching.push_back(m);
    }
  }
  result.share = 1 - result.left.back() / distance(path.poses()[1].pose);
  result.force = force(moments.back());
  result.cost = touching.empty() ? 0 : quantile(touching, 0.5, [](const Moment& m) { return m.cycle.microseconds[2]; });
  return result;
}

/// Numbers of paths by what comes of them.
struct Paths {
  double all = 0;
  double lead_in = 0;  // without friction. Of these:
  double out = 0;      // cones with μ = 0.8 keep it out
  double in = 0;       // springs with μ = 1000 let it in
  double both = 0;     // both: the outcome of Fig. 18
  double reverse = 0;  // cones with μ = 0.8 let it in, springs with μ = 1000 do not
  double stiff = 0;    // springs as stiff as the contacts let it in, with μ = 1000
};

template <class Draw>
Paths tried(int count, double pace, Draw&& draw, const haptics::PreparedScene& scene, const Context& context,
            double from, double to) {
  Paths paths;
  Random random(18);
  for (int i = 0; i < count; ++i) {
    const haptics::Trajectory path = path_by(pace, draw(random));
    const auto goes_in = [&](std::size_t way) {
      haptics::Renderer renderer = renderer_of(scene, ways.at(way));
      return insert(renderer, path, context, from + (to - from) * i / count).inserted();
    };
    ++paths.all;
    if (!goes_in(frictionless)) {
      continue;
    }
    const bool out = !goes_in(cones_mu);
    const bool in = goes_in(springs_1000_mu);
    ++paths.lead_in;
    paths.out += out ? 1 : 0;
    paths.in += in ? 1 : 0;
    paths.both += out && in ? 1 : 0;
    paths.reverse += !out && !in ? 1 : 0;
    paths.stiff += goes_in(stiff_springs) ? 1 : 0;
  }
  return paths;
}

/// Largest coefficient found with which cones let it in, and least with which they do not.
std::array<double, 2> threshold(const haptics::PreparedScene& scene, const haptics::Trajectory& path,
                                const Context& context) {
  double insertable = 0;
  double not_insertable = friction;
  while (not_insertable - insertable > (context.quick ? 0.06 : 0.01)) {
    const double middle = 0.5 * (insertable + not_insertable);
    haptics::Renderer renderer = renderer_of(scene, {"", Method::cone, middle});
    (insert(renderer, path, context, 0.5).inserted() ? insertable : not_insertable) = middle;
  }
  return {insertable, not_insertable};
}

std::string notes(const Paths& near, const Paths& any) {
  return fmt::format(
      "One outcome on one path, with springs of one stiffness; all three were sought for showing it. The hand leads a "
      "starter from outside into its pocket: its nose must go into a hole at a slant and its back past a lip. It "
      "touches, and must slide to get in. Without friction it does. With μ = {:g} the nose stays on the rim of its "
      "hole and the back on the lip, in the same place with three methods that know nothing of each other. (That ends "
      "where the contacts give way: with a coupling four times as stiff, 70 N and more press it in by 7 mm, and "
      "through.) Springs let it in, with less force, whatever μ is: as they stretch the starter moves on, contacts "
      "part, and new ones are tied further in. That hangs on how stiff they are, which the paper does not say. Springs "
      "as stiff as the contacts were tried first, on more than 800 random paths: where they let it in at μ = 1000, "
      "cones at μ = 0.8 did so too, and on this path they hold it. So the stiffness was chosen after that: {:g} of the "
      "contacts', near what the explicit form bears with a cube on a floor (Fig. 16); a tenth does as well, a third "
      "does not. The path was sought among some 300 random ones. How special is it? Of {:g} neighbours, up to 5 mm and "
      "0.05 rad from it, {:g} show the same. Of {:g} random paths through the same stages, {:g} lead in without "
      "friction; of these, cones keep it out on {:g}, springs let it in on {:g}, and {:g} show both, as in Fig. 18; "
      "{:g} show the reverse. Springs as stiff as the contacts let it in on {:g} of them. The share of the way is "
      "counted from where the nose is before the hole; from {:g} on it is in.",
      friction, soft_spring, near.all, near.both, any.all, any.lead_in, any.out, any.in, any.both, any.reverse,
      any.stiff, in_place);
}

void add_verdicts(Result& result, const std::array<Insertion, ways.size()>& runs) {
  Table table{"verdicts",
              {{"method", std::vector<std::string>{}},
               {"verdict", std::vector<std::string>{}},
               {"μ [-]", std::vector<double>{}},
               {"share of the way [-]", std::vector<double>{}},
               {"force in the end [N]", std::vector<double>{}},
               {"largest force [N]", std::vector<double>{}},
               {"most contacts [-]", std::vector<double>{}},
               {"friction in a cycle, median [us]", std::vector<double>{}}},
              true};
  for (std::size_t w = 0; w < ways.size(); ++w) {
    const Insertion& run = runs.at(w);
    std::get<std::vector<std::string>>(table.columns[0].values).emplace_back(ways.at(w).name);
    std::get<std::vector<std::string>>(table.columns[1].values).emplace_back(run.inserted() ? "in" : "out");
    const std::array<double, 6> row{ways.at(w).friction, run.share, run.force, run.max_force, run.contacts, run.cost};
    for (std::size_t k = 0; k < row.size(); ++k) {
      std::get<std::vector<double>>(table.columns[k + 2].values).push_back(row.at(k));
    }
  }
  result.tables.push_back(table);
}

void add_path_claims(Result& result, const Paths& near, const Paths& any) {
  const std::string outcome = "cones keep it out at μ = 0.8 and springs let it in at μ = 1000";
  const auto share = [](double part, double all) { return all > 0 ? part / all : 0; };
  result.tables.push_back({"paths",
                           {{"paths", std::vector<std::string>{"neighbours of the chosen one", "random"}},
                            {"all [-]", std::vector<double>{near.all, any.all}},
                            {"lead in at μ = 0 [-]", std::vector<double>{near.lead_in, any.lead_in}},
                            {"kept out by cones, μ = 0.8 [-]", std::vector<double>{near.out, any.out}},
                            {"let in by springs, μ = 1000 [-]", std::vector<double>{near.in, any.in}},
                            {"both [-]", std::vector<double>{near.both, any.both}},
                            {"the reverse [-]", std::vector<double>{near.reverse, any.reverse}},
                            {"let in by springs as stiff as contacts [-]", std::vector<double>{near.stiff, any.stiff}}},
                           true});
  const char* engine = "another engine than the paper's, whose path is not printed";
  result.claims.push_back(within("paths beside it: share that leads in with μ = 0",
                                 requirement("a path that can be taken"), 1, share(near.lead_in, near.all), 0, "-"));
  result.claims.push_back(at_least("paths beside it: share on which " + outcome,
                                   requirement("the outcome does not hang on a hair"), 0.8, share(near.both, near.all),
                                   "-"));
  result.claims.push_back(at_least("random paths: share that leads in with μ = 0", requirement("how many can be taken"),
                                   0, share(any.lead_in, any.all), "-")
                              .as_info("paths of our own"));
  result.claims.push_back(within("random paths that lead in: share on which cones keep it out at μ = 0.8",
                                 printed("Section 5.6: it cannot be inserted"), 1, share(any.out, any.lead_in), 0, "-")
                              .as_info(engine));
  result.claims.push_back(within("random paths that lead in: share on which springs let it in at μ = 1000",
                                 printed("Section 5.6: spurious insertion"), 1, share(any.in, any.lead_in), 0, "-")
                              .as_info(engine));
  result.claims.push_back(within("random paths that lead in: share on which springs as stiff as contacts let it in",
                                 printed("Section 5.6: spurious insertion"), 1, share(any.stiff, any.lead_in), 0, "-")
                              .as_info("the paper does not say how stiff they are"));
  result.claims.push_back(within("random paths that lead in: share on which " + outcome, printed("Fig. 18"), 1,
                                 share(any.both, any.lead_in), 0, "-")
                              .as_info(engine));
  result.claims.push_back(at_least("random paths that tell the two apart: share on which " + outcome,
                                   printed("Section 5.6: springs permit what friction prevents, not the reverse"), 0.5,
                                   share(any.both, any.both + any.reverse), "-"));
}

void add_claims(Result& result, const std::array<Insertion, ways.size()>& runs, const std::array<double, 2>& limits) {
  const auto& [cones_0, staggered_0, seidel_0, springs_0, cones, staggered, seidel, springs, springs_1000, pressed,
               cones_1000, switched, tenth, third, stiff] = runs;
  const auto goes_in = [](const std::string& name, const Source& source, const Insertion& run) {
    return at_least("chosen path, " + name + ": share of the way", source, in_place, run.share, "-");
  };
  const auto stays_out = [](const std::string& name, const Source& source, const Insertion& run) {
    return at_most("chosen path, " + name + ": share of the way", source, kept_out, run.share, "-");
  };
  const auto apart = [](const Insertion& a, const Insertion& b) { return std::abs(a.left.back() - b.left.back()); };
  const Source can = requirement("without friction it goes in");
  const Source cannot = printed(
      "Section 5.6: at μ = 0.8 it cannot be inserted, nor with the methods of Kaufman and "
      "Duriez");
  const Source spurious = printed("Section 5.6: springs permit a spurious insertion at μ = 0.8, and up to 1000");
  const char* stiffness = "the paper does not say how stiff they are";
  const char* machine = "depends on the machine";
  result.claims = {
      goes_in("μ = 0, cones", can, cones_0),
      goes_in("μ = 0, staggered projections", can, staggered_0),
      goes_in("μ = 0, Gauss–Seidel", can, seidel_0),
      goes_in("μ = 0, springs", can, springs_0),
      stays_out("μ = 0.8, cones", cannot, cones),
      stays_out("μ = 0.8, staggered projections", cannot, staggered),
      stays_out("μ = 0.8, Gauss–Seidel", cannot, seidel),
      at_most("μ = 0.8, staggered projections: stops so far from where cones stop", from_program("the same law"), 1e-3,
              apart(staggered, cones), "m"),
      at_most("μ = 0.8, Gauss–Seidel: stops so far from where cones stop", from_program("the same law"), 1e-3,
              apart(seidel, cones), "m"),
      stays_out("μ = 0.8, cones, coupling twice as stiff", cannot, pressed),
      at_least("μ = 0.8, cones, coupling twice as stiff: largest force",
               requirement("section 5.6: very large forces; twice what the coupling of the other runs gives"), 40,
               pressed.max_force, "N"),
      stays_out("μ = 1000, cones", requirement("more friction than μ = 0.8"), cones_1000),
      goes_in("μ = 0.8, springs", spurious, springs),
      goes_in("μ = 1000, springs", spurious, springs_1000),
      at_most("μ = 0.8, springs: largest force over that with cones", printed("Section 5.6: smaller forces"), 1,
              springs.max_force / cones.max_force, "-"),
      at_most("μ = 1000, springs: largest force over that with cones at μ = 0.8",
              printed("Fig. 18, caption: a smaller force"), 1, springs_1000.max_force / cones.max_force, "-"),
      at_most("cones: least friction found that keeps it out", printed("Fig. 18: 0.8 does"), friction, limits[1], "-"),
      at_least("cones: largest friction found with which it goes in", requirement("not said in the paper"), 0,
               limits[0], "-")
          .as_info("depends on the hand's path"),
      stays_out("μ = 0.8, switched", cannot, switched)
          .as_refuted(
              "the paper's program as published: where friction cannot hold all of the load there is none in that "
              "cycle, and the starter slips on. So it is on this path; the paper's own is not printed"),
      goes_in("μ = 1000, springs a tenth as stiff as contacts", spurious, tenth).as_info(stiffness),
      goes_in("μ = 1000, springs a third as stiff as contacts", spurious, third).as_info(stiffness),
      goes_in("μ = 1000, springs as stiff as contacts", spurious, stiff).as_info(stiffness),
      within("μ = 0.8, cones: force in the end", requirement("not said in the paper"), 0, cones.force, 0, "N")
          .as_info("what the hand feels"),
      within("μ = 0.8: cost of staggered projections over cones", printed("Fig. 15: about 50"), 50,
             staggered.cost / cones.cost, 50, "-")
          .as_info(machine),
      within("μ = 0.8: cost of Gauss–Seidel over cones", printed("Fig. 15: about 50"), 50, seidel.cost / cones.cost, 50,
             "-")
          .as_info(machine),
      within("μ = 0.8: cost of cones over springs", printed("Section 5.6: about 6"), 6, cones.cost / springs.cost, 6,
             "-")
          .as_info(machine),
  };
}

}  // namespace

Result run(const Context& context) {
  const haptics::PreparedScene& scene = prepared("engine-bay", context.quick);
  const double pace = context.quick ? 0.5 : 1;
  const haptics::Trajectory path = path_by(pace, chosen);
  Result result;
  Figure figure{"fig18",
                "A hand puts a starter into an engine, on the chosen path",
                "time [s]",
                "distance from its place [m]",
                {}};
  std::array<Insertion, ways.size()> runs;
  for (std::size_t w = 0; w < ways.size(); ++w) {
    haptics::Renderer renderer = renderer_of(scene, ways.at(w));
    runs.at(w) = insert(renderer, path, context, 0.5 * static_cast<double>(w) / ways.size());
    if (w == frictionless || (w >= 4 && w <= 8) || w == 11) {
      const std::string table = fmt::format("way_{}", w);
      result.tables.push_back({table, {{"time [s]", runs.at(w).time}, {"left [m]", runs.at(w).left}}});
      figure.series.push_back({table, 0, 1, fmt::format("{}, μ = {:g}", ways.at(w).name, ways.at(w).friction)});
    }
    if (w == cones_mu || w == springs_1000_mu) {
      renderer.step(path.poses().back().pose);  // once more, for the forces of contacts that hold
      result.pictures.push_back(
          picture(w == cones_mu ? "kept_out" : "let_in",
                  fmt::format("{}, μ = {:g}, the hand in its last pose (thin)", ways.at(w).name, ways.at(w).friction),
                  scene, renderer, &path.poses().back().pose, {.direction = Vector3{0.35, -1, 0.5}}));
    }
  }
  result.figures.push_back(figure);
  const std::array<double, 2> limits = threshold(scene, path, context);
  const Paths near = tried(context.quick ? 3 : 20, pace, neighbour, scene, context, 0.5, 0.6);
  const Paths any = tried(context.quick ? 12 : 200, context.quick ? 0.3 : 1, any_path, scene, context, 0.6, 1);
  add_verdicts(result, runs);
  add_claims(result, runs, limits);
  add_path_claims(result, near, any);
  result.notes = notes(near, any);
  return result;
}

}  // namespace stiction::lab::haptics_fig18
