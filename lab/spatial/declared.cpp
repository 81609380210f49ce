// Contacts whose state the user declares: a right declaration changes nothing, a wrong one is found.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "../lab.h"
#include "scenes.h"
#include "stiction/vector.h"

namespace stiction::lab::spatial_declared {
namespace {

using spatial::ContactState;
using spatial::Declared;
using spatial::StaticFriction;

double share_of(double part, double all) { return all > 0 ? part / all : 0; }

struct Tally {
  double problems = 0, right = 0;    // declared as found
  double wrong = 0, wrong_seen = 0;  // declared otherwise
  double farthest = 0;               // of the motions, over their size
  std::vector<double> sliding;       // share of the contacts, for each problem
};

/// One problem, its contacts declared as found, then one of them otherwise. Friction that falls once a contact slides
/// can leave it the choice, so that the second is only asked of friction that does not.
void try_one(ContactScene scene, bool falls, StaticFriction& solver, Random& random, Tally& tally) {
  for (auto& c : scene.contacts) {
    c.dynamic_friction = falls ? std::optional(0.8 * c.friction) : std::nullopt;
  }
  const spatial::Options exact{.gap = 1e-12, .polish = 4, .warm = false};
  if (!solver.set(scene.contacts, scene.load)) {
    return;
  }
  const spatial::Solution found = solver.solve(exact);
  const std::vector<spatial::ContactResult> states(solver.contacts().begin(), solver.contacts().end());
  double sliding = 0;
  std::vector<std::size_t> clear;  // those that clearly slide or hold
  for (std::size_t i = 0; i < scene.contacts.size(); ++i) {
    auto& c = scene.contacts[i];
    const bool slides = states[i].state == ContactState::slides;
    sliding += slides ? 1 : 0;
    c.declared = slides ? Declared::slides : Declared::sticks;
    const double used = norm(states[i].friction) / (c.friction * c.normal_force);
    if (slides || used < 0.9) {
      clear.push_back(i);
    }
  }
  tally.sliding.push_back(share_of(sliding, static_cast<double>(scene.contacts.size())));
  if (!solver.set(scene.contacts, scene.load)) {
    return;
  }
  const spatial::Solution declared = solver.solve(exact);
  ++tally.problems;
  tally.right += declared.declaration.right ? 1 : 0;
  const auto length = [](const Vector6& m) { return std::hypot(m[0], m[1], m[2]); };
  const double difference = std::hypot(declared.motion[0] - found.motion[0], declared.motion[1] - found.motion[1],
                                       declared.motion[2] - found.motion[2]);
  tally.farthest = std::max(tally.farthest, difference / length(found.motion));
  if (falls || clear.empty()) {
    return;
  }
  auto& wrong_contact =
      scene.contacts[clear[static_cast<std::size_t>(random.uniform() * static_cast<double>(clear.size()))]];
  wrong_contact.declared = wrong_contact.declared == Declared::slides ? Declared::sticks : Declared::slides;
  if (solver.set(scene.contacts, scene.load)) {
    ++tally.wrong;
    tally.wrong_seen += solver.solve(exact).declaration.right ? 0 : 1;
  }
}

}  // namespace

Result run(const Context& context) {
  const int problems = context.quick ? 20 : 200;
  constexpr std::size_t contacts = 30;
  Result result;
  result.notes =
      "The paper leaves it to the user to say which contacts hold and which slide (its section 7). Here the solver "
      "finds the states of 30 contacts, whose friction falls by a fifth once they slide; then it is told them, and "
      "then "
      "it is told one of them wrongly: a contact that slides, or that uses less than nine tenths of its friction. "
      "Loads from 1 to 3 times what friction holds.";
  Table table{"sliding",
              {{"load over what friction holds [-]", std::vector<double>{}},
               {"cube in a corner [-]", std::vector<double>{}},
               {"peg in a hole [-]", std::vector<double>{}}},
              true};
  StaticFriction solver(contacts);
  Tally all;
  double mixed = 0;
  constexpr std::array ratios{1.05, 1.2, 1.5, 2.0, 3.0};
  for (std::size_t r = 0; r < ratios.size(); ++r) {
    std::get<std::vector<double>>(table.columns[0].values).push_back(ratios.at(r));
    for (std::size_t f = 0; f < 2; ++f) {
      Tally tally;
      for (int k = 0; k < problems; ++k) {
        context.step((static_cast<double>(2 * r + f) + static_cast<double>(k) / problems) / (2 * ratios.size()));
        Random random(static_cast<std::uint64_t>(k) + 1000 * r + 1);
        ContactScene scene = contact_scene(f == 0 ? Family::cube_in_corner : Family::peg_in_hole, contacts, random);
        load_to_ratio(scene, ratios.at(r), solver);
        try_one(scene, true, solver, random, tally);
        try_one(scene, false, solver, random, tally);
      }
      double mean = 0;
      for (const double share : tally.sliding) {
        mean += share / static_cast<double>(tally.sliding.size());
        mixed += share > 0 && share < 1 ? 1 : 0;
      }
      std::get<std::vector<double>>(table.columns[1 + f].values).push_back(mean);
      all.problems += tally.problems;
      all.right += tally.right;
      all.wrong += tally.wrong;
      all.wrong_seen += tally.wrong_seen;
      all.farthest = std::max(all.farthest, tally.farthest);
    }
  }
  result.tables.push_back(table);
  result.claims.push_back(at_least("problems in which some contacts hold while others slide",
                                   requirement("enough to judge by"), 0.2, share_of(mixed, all.problems), "-"));
  result.claims.push_back(at_least("declared as found: share that is called right",
                                   requirement("all but contacts on the border"), 0.999,
                                   share_of(all.right, all.problems), "-"));
  result.claims.push_back(at_most("declared as found: motion, off that without a word", from_theory("the same problem"),
                                  0, all.farthest, "-", 1e-4));
  result.claims.push_back(within("one contact declared otherwise: share that is found out",
                                 requirement("what is not so is found"), 1, share_of(all.wrong_seen, all.wrong), 0,
                                 "-"));
  result.figures.push_back(
      {"sliding",
       "Contacts that slide, of 30",
       "load over what friction holds",
       "share of contacts",
       {{"sliding", 0, 1, "cube in a corner", "linespoints"}, {"sliding", 0, 2, "peg in a hole", "linespoints"}}});
  return result;
}

}  // namespace stiction::lab::spatial_declared
