// Section 7: which contacts hold and which slide? The paper's proposal, a guess by the size of each friction cone.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "../lab.h"
#include "../spatial/scenes.h"

namespace stiction::lab::haptics_cone_size_guess {
namespace {

using spatial::ContactState;
using spatial::Declared;
using spatial::StaticFriction;

constexpr std::size_t contacts = 30;
constexpr spatial::Options exact{.gap = 1e-12, .polish = 4, .warm = false};

double cone_size(const spatial::Contact& c) { return c.friction * c.normal_force; }

/// Which contacts hold, as the program finds them.
std::vector<bool> found_holding(ContactScene scene, StaticFriction& solver) {
  for (spatial::Contact& c : scene.contacts) {
    c.declared = Declared::nothing;
  }
  std::vector<bool> holds;
  if (solver.set(scene.contacts, scene.load)) {
    static_cast<void>(solver.solve(exact));
    for (const spatial::ContactResult& c : solver.contacts()) {
      holds.push_back(c.state == ContactState::sticks);
    }
  }
  return holds;
}

/// Whether the program calls a declaration right.
bool called_right(ContactScene scene, const std::vector<bool>& holds, StaticFriction& solver) {
  for (std::size_t i = 0; i < scene.contacts.size(); ++i) {
    scene.contacts[i].declared = holds[i] ? Declared::sticks : Declared::slides;
  }
  return solver.set(scene.contacts, scene.load) && solver.solve(exact).declaration.right;
}

/// The `count` largest cones.
std::vector<bool> largest_cones(const ContactScene& scene, std::size_t count) {
  std::vector<std::size_t> order(scene.contacts.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, std::greater{}, [&](std::size_t i) { return cone_size(scene.contacts[i]); });
  std::vector<bool> holds(order.size(), false);
  for (std::size_t k = 0; k < std::min(count, order.size()); ++k) {
    holds[order[k]] = true;
  }
  return holds;
}

double share_equal(const std::vector<bool>& a, const std::vector<bool>& b) {
  double equal = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    equal += a[i] == b[i] ? 1 : 0;
  }
  return equal / static_cast<double>(a.size());
}

/// Sums over problems with contacts of both kinds.
struct Tally {
  double problems = 0;
  double pairs = 0, larger = 0;  // one that holds and one that slides; the one that holds has the larger cone
  double holding = 0;            // contacts that hold
  double first_holds = 0;        // problems in which the contact with the largest cone holds
  double by_size = 0, by_last = 0, by_chance = 0;  // shares of contacts guessed right: sums
  double size_right = 0, last_right = 0;           // declarations that are right as a whole
};

void try_one(ContactScene scene, StaticFriction& solver, Random& random, Tally& tally) {
  const std::vector<bool> before = found_holding(scene, solver);
  next_frame(scene, 0.01, random);
  const std::vector<bool> holds = found_holding(scene, solver);
  const auto holding = static_cast<std::size_t>(std::ranges::count(holds, true));
  if (holding == 0 || holding == holds.size() || before.size() != holds.size()) {
    return;
  }
  ++tally.problems;
  tally.holding += static_cast<double>(holding);
  for (std::size_t i = 0; i < holds.size(); ++i) {
    for (std::size_t j = 0; j < holds.size(); ++j) {
      if (holds[i] && !holds[j]) {
        ++tally.pairs;
        tally.larger += cone_size(scene.contacts[i]) > cone_size(scene.contacts[j]) ? 1 : 0;
      }
    }
  }
  // The guess is even told how many hold
  const std::vector<bool> by_size = largest_cones(scene, holding);
  const std::vector<bool> first = largest_cones(scene, 1);
  tally.first_holds += holds[static_cast<std::size_t>(std::ranges::find(first, true) - first.begin())] ? 1 : 0;
  tally.by_size += share_equal(by_size, holds);
  tally.by_last += share_equal(before, holds);
  const double share = static_cast<double>(holding) / static_cast<double>(holds.size());
  tally.by_chance += share * share + (1 - share) * (1 - share);
  tally.size_right += called_right(scene, by_size, solver) ? 1 : 0;
  tally.last_right += called_right(scene, before, solver) ? 1 : 0;
}

}  // namespace

Result run(const Context& context) {
  const int tries = context.quick ? 150 : 1500;
  constexpr std::array ratios{1.02, 1.05, 1.1, 1.2, 1.5, 2.0};
  StaticFriction solver(contacts);
  Tally all;
  std::array<std::vector<double>, 7> rows;
  for (std::size_t r = 0; r < ratios.size(); ++r) {
    Tally tally;
    for (int k = 0; k < tries; ++k) {
      context.step((static_cast<double>(r) + static_cast<double>(k) / tries) / ratios.size());
      Random random(static_cast<std::uint64_t>(k) + 1000 * r + 7);
      const Family family = k % 2 == 0 ? Family::cube_in_corner : Family::peg_in_hole;
      ContactScene scene = contact_scene(family, contacts, random);
      load_to_ratio(scene, ratios.at(r), solver);
      try_one(scene, solver, random, tally);
    }
    const double n = std::max(1.0, tally.problems);
    const std::array<double, 7> row{
        ratios.at(r),      tally.problems,    tally.holding / n / contacts, tally.larger / std::max(1.0, tally.pairs),
        tally.by_size / n, tally.by_last / n, tally.by_chance / n};
    for (std::size_t c = 0; c < row.size(); ++c) {
      rows.at(c).push_back(row.at(c));
    }
    for (double Tally::*number :
         {&Tally::problems, &Tally::pairs, &Tally::larger, &Tally::holding, &Tally::first_holds, &Tally::by_size,
          &Tally::by_last, &Tally::by_chance, &Tally::size_right, &Tally::last_right}) {
      all.*number += tally.*number;
    }
  }
  Result result;
  result.notes = fmt::format(
      "Where some contacts hold and others slide, the paper's program must be told which, or guess, maybe by the size "
      "μ N of each friction cone. Here the quadratic program with exact cones finds it, for {} contacts of a cube in a "
      "corner and a peg in a hole, with loads of 1.02 to 2 times what friction holds. Then it is guessed, even knowing "
      "how many hold: those with the largest cones. That is better than chance, but barely: which contacts hold is "
      "decided more by where the body turns than by how large their cones are. The states of the last cycle, 1 % of "
      "the load and of the contacts before, are the better guess. A declaration is right as a whole only if each "
      "contact does as declared.",
      contacts);
  result.tables.push_back({"guesses",
                           {{"load over what friction holds [-]", rows[0]},
                            {"problems with both kinds [-]", rows[1]},
                            {"contacts that hold [-]", rows[2]},
                            {"larger cone at the one that holds [-]", rows[3]},
                            {"guessed right by size [-]", rows[4]},
                            {"guessed right as in the last cycle [-]", rows[5]},
                            {"guessed right by chance [-]", rows[6]}},
                           true});
  result.figures = {{"guesses",
                     "Contacts that hold or slide, guessed right",
                     "load over what friction holds",
                     "share of contacts",
                     {{"guesses", 0, 4, "by the size of the cone, number known", "linespoints"},
                      {"guesses", 0, 5, "as in the last cycle", "linespoints"},
                      {"guesses", 0, 6, "by chance, number known", "linespoints"},
                      {"guesses", 0, 3, "of two, the one that holds has the larger cone", "linespoints"}}}};
  const double n = std::max(1.0, all.problems);
  result.claims = {
      at_least("problems in which some contacts hold and some slide", requirement("enough to judge by"), 30,
               all.problems, "-"),
      at_least("of a contact that holds and one that slides, the first has the larger cone: share of pairs",
               printed("Section 7: the size of the cone tells which are likely static"), 0.5,
               all.larger / std::max(1.0, all.pairs), "-"),
      at_least("guessed right by the size of the cone less by chance: share of contacts",
               printed("Section 7: a guess by the size of the cone"), 0, (all.by_size - all.by_chance) / n, "-"),
      at_least("the contact with the largest cone holds: share of problems less that of contacts that hold",
               printed("Section 7: a guess by the size of the cone"), 0, (all.first_holds - all.holding / contacts) / n,
               "-"),
      at_least("the whole declaration guessed right by the size of the cone: share of problems",
               requirement("what the program needs"), 0.5, all.size_right / n, "-")
          .as_info("the paper does not say how good the guess is"),
      at_least("the whole declaration guessed right as in the last cycle: share of problems",
               requirement("contacts change little in a millisecond"), 0.5, all.last_right / n, "-"),
      at_least("guessed right as in the last cycle less by the size of the cone: share of contacts",
               requirement("memory beats size"), 0, (all.by_last - all.by_size) / n, "-"),
  };
  return result;
}

}  // namespace stiction::lab::haptics_cone_size_guess
