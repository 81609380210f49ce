// The contacts found by the tree and by coherence are those that a look at every point finds.
#include "stiction/haptics/contact_finder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "haptics/random_pose.h"
#include "stiction/geometry/shapes.h"
#include "stiction/problem.h"

namespace stiction::haptics {
namespace {

using geometry::DistanceField;
using geometry::Mesh;
using geometry::PointShell;
using test::Random;

/// Two parts of about 10 cm.
struct Parts {
  DistanceField field;
  PointShell shell;
};
Parts peg_and_block() {
  return {DistanceField::make(geometry::block_with_hole({0.1, 0.1, 0.06}, 0.02), {64, 3}),
          PointShell::make(geometry::cylinder(0.0198, 0.12, 48, 8), {1500, 6, 1})};
}
Parts sheets() {  // thinner than a cell here and there
  const Mesh sheet = geometry::box({0.12, 0.08, 0.002}, 4);
  return {DistanceField::make(geometry::joined(sheet, geometry::rotated(sheet, geometry::rotation({1, 0, 0}, 1.2))),
                              {48, 2}),
          PointShell::make(geometry::rounded_box({0.05, 0.04, 0.03}, 0.005), {800, 5, 2})};
}

std::vector<std::uint32_t> by_brute_force(const Parts& parts, const Pose& shell_in_field, double margin = 0) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < parts.shell.points().size(); ++i) {
    if (parts.field.value(to_world(shell_in_field, parts.shell.points()[i].position)) < margin) {
      found.push_back(i);
    }
  }
  return found;
}

std::vector<std::uint32_t> sorted_points(std::span<const Touch> touches) {
  std::vector<std::uint32_t> points;
  for (const Touch& touch : touches) {
    points.push_back(touch.point);
  }
  std::ranges::sort(points);
  return points;
}

void expect_all(ContactFinder& finder, const Parts& parts, const Pose& moving, std::size_t& with_contact,
                double margin = 0) {
  const auto touches = finder.find(moving);
  const Pose shell_in_field = finder.shell_moves() ? moving : inverse(moving);
  const auto expected = by_brute_force(parts, shell_in_field, margin);
  ASSERT_EQ(sorted_points(touches), expected);
  EXPECT_EQ(finder.touching(), expected.size());
  EXPECT_FALSE(finder.thinned());
  with_contact += expected.empty() ? 0 : 1;
  for (const Touch& touch : touches) {
    const auto& point = parts.shell.points()[touch.point];
    const auto sample = parts.field.at(to_world(shell_in_field, point.position));
    EXPECT_DOUBLE_EQ(touch.depth, -sample.value);
    EXPECT_NEAR(norm(touch.push), 1, 1e-12);
    const Vector3 place = finder.shell_moves() ? to_world(moving, point.position) : point.position;
    EXPECT_LT(norm(difference(touch.position, place)), 1e-15);
  }
}

class BothWays : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(ContactFinder, BothWays, testing::Bool(),
                         [](const auto& way) { return way.param ? "ShellMoves" : "FieldMoves"; });

/// Jumps: nothing is known of the last pose, and what is believed to be known must not hurt.
TEST_P(BothWays, FindsWhatBruteForceFindsAtRandomPoses) {
  Random random(21);
  for (const Parts& parts : {peg_and_block(), sheets()}) {
    ContactFinder finder(parts.field, parts.shell, GetParam(), parts.shell.points().size());
    std::size_t with_contact = 0;
    for (int i = 0; i < 1500; ++i) {
      expect_all(finder, parts, test::random_pose(random, 0.1), with_contact);
      if (HasFatalFailure()) {
        return;
      }
    }
    EXPECT_GT(with_contact, 300U);
    EXPECT_LT(with_contact, 1400U);
  }
}

/// Steps from a micrometre to a centimetre, through contact and out of it.
TEST_P(BothWays, FindsWhatBruteForceFindsAlongWalks) {
  Random random(22);
  for (const Parts& parts : {peg_and_block(), sheets()}) {
    ContactFinder finder(parts.field, parts.shell, GetParam(), parts.shell.points().size());
    std::size_t with_contact = 0;
    std::size_t looks = 0;
    for (int walk = 0; walk < 20; ++walk) {
      Pose pose = test::random_pose(random, 0.1);
      const double step = random.log_between(1e-6, 1e-2);
      Vector3 by = test::random_vector(random, step);
      Vector3 turn = test::random_vector(random, step / 0.05);
      for (int i = 0; i < 200; ++i) {
        if (i % 20 == 19) {
          by = test::random_vector(random, step);
          turn = test::random_vector(random, step / 0.05);
        }
        if (norm(pose.position) > 0.12) {  // back to the middle
          by = scaled(-step / norm(pose.position), pose.position);
        }
        pose = moved(pose, {0.01, 0.02, 0}, by, i % 7 == 0 ? Vector3{} : turn);
        expect_all(finder, parts, pose, with_contact);
        if (HasFatalFailure()) {
          return;
        }
        looks += finder.field_queries();
      }
    }
    EXPECT_GT(with_contact, 500U);
    EXPECT_LT(with_contact, 3900U);
    EXPECT_LT(looks, 20 * 200 * parts.shell.points().size() / 2);  // fewer than brute force: coherence was at work
  }
}

/// Points that are near count as well: jumps, and walks of steps from a micrometre to a millimetre.
TEST_P(BothWays, FindsWhatBruteForceFindsWithAMargin) {
  Random random(25);
  for (const Parts& parts : {peg_and_block(), sheets()}) {
    for (const double share : {0.01, 0.25, 0.5}) {
      const double margin = share * parts.field.band();
      ContactFinder finder(parts.field, parts.shell, GetParam(), parts.shell.points().size(), margin);
      std::size_t with_contact = 0;
      std::size_t looks = 0;
      std::size_t gaps = 0;
      for (int walk = 0; walk < 100; ++walk) {
        Pose pose = test::random_pose(random, 0.1);
        const double step = random.log_between(1e-6, 1e-3);
        for (int i = 0; i < 30; ++i) {
          pose =
              moved(pose, {0.01, 0.02, 0}, test::random_vector(random, step), test::random_vector(random, step / 0.05));
          expect_all(finder, parts, pose, with_contact, margin);
          if (HasFatalFailure()) {
            return;
          }
          looks += finder.field_queries();
          gaps += static_cast<std::size_t>(
              std::ranges::count_if(finder.find(pose), [](const Touch& touch) { return touch.depth <= 0; }));
        }
      }
      EXPECT_GT(with_contact, 500U);
      EXPECT_LT(with_contact, 2900U);
      EXPECT_GT(gaps, 500U);
      EXPECT_LT(looks, 3000 * parts.shell.points().size() / 2);
    }
  }
}

/// The ends of a long peg swing far while its middle rests.
TEST_P(BothWays, FindsWhatBruteForceFindsWhileTurning) {
  Random random(24);
  const Parts parts{DistanceField::make(geometry::moved(geometry::box({0.02, 0.02, 0.02}), {0.05, 0, 0}), {64, 3}),
                    PointShell::make(geometry::cylinder(0.002, 0.12, 16, 40), {1000, 6, 1})};
  ContactFinder finder(parts.field, parts.shell, GetParam(), 1000);
  std::size_t with_contact = 0;
  for (int swing = 0; swing < 10; ++swing) {
    Pose pose = test::random_pose(random, 0);
    const Vector3 turn = scaled(random.log_between(0.002, 0.02), test::random_direction(random));
    for (int i = 0; i < 400; ++i) {
      pose = moved(pose, {}, {}, turn);
      expect_all(finder, parts, pose, with_contact);
      if (HasFatalFailure()) {
        return;
      }
    }
  }
  EXPECT_GT(with_contact, 100U);
}

TEST_P(BothWays, RestingOnceMoreLooksOnlyAtWhatTouches) {
  const Parts parts = peg_and_block();
  ContactFinder finder(parts.field, parts.shell, GetParam(), 2000);
  const Pose pose{{0.0005, 0, 0.02}, identity_rotation};
  finder.find(pose);
  const std::size_t at_first = finder.field_queries();
  const std::size_t touching = finder.find(pose).size();
  EXPECT_GT(touching, 50U);
  EXPECT_LT(finder.field_queries(), at_first);
}

TEST_P(BothWays, PoseThatIsNoNumberTouchesNothingAndIsForgotten) {
  Random random(23);
  const Parts parts = peg_and_block();
  ContactFinder finder(parts.field, parts.shell, GetParam(), 2000);
  std::size_t with_contact = 0;
  for (int i = 0; i < 200; ++i) {
    Pose pose = test::random_pose(random, 0.08);
    expect_all(finder, parts, pose, with_contact);
    Pose bad = pose;
    (i % 3 == 0 ? bad.position[1] : bad.rotation[1][2]) = i % 2 == 0 ? NAN : INFINITY;
    EXPECT_TRUE(finder.find(bad).empty());
    expect_all(finder, parts, moved(pose, {}, test::random_vector(random, 1e-3), {}), with_contact);
  }
  EXPECT_GT(with_contact, 100U);
}

/// Once far away, a slow approach must still be seen: what has been travelled is then a large number, and a step a
/// small one.
TEST_P(BothWays, SlowApproachAfterAJumpIsSeen) {
  const Parts parts = peg_and_block();
  for (const double far : {1e3, 1e6, 1e10, 1e100, 1e300}) {
    ContactFinder finder(parts.field, parts.shell, GetParam(), 2000);
    finder.find({{far, 0, 0}, identity_rotation});
    std::size_t with_contact = 0;
    for (int i = 0; i < 2000; ++i) {  // from above, 0.5 µm a cycle
      expect_all(finder, parts, {{0, 0.01, 0.0905 - i * 5e-7}, identity_rotation}, with_contact);
      if (HasFatalFailure()) {
        FAIL() << "after " << far << " m, step " << i;
      }
    }
    EXPECT_GT(with_contact, 500U);
    EXPECT_LT(with_contact, 1900U);
  }
}

TEST_P(BothWays, TooManyLeaveOutTheFinestLevels) {
  const Parts parts = peg_and_block();
  const Pose pose{{0.03, 0, 0}, identity_rotation};  // deep in the block
  const auto all = by_brute_force(parts, GetParam() ? pose : inverse(pose));
  ASSERT_GT(all.size(), 300U);
  const auto up_to = [&](std::size_t level) {
    return static_cast<std::size_t>(
        std::ranges::count_if(all, [&](std::uint32_t i) { return parts.shell.level_of(i) <= level; }));
  };
  for (const std::size_t most :
       {std::size_t{1}, std::size_t{5}, std::size_t{40}, up_to(2), all.size() / 2, all.size() - 1}) {
    ContactFinder finder(parts.field, parts.shell, GetParam(), most);
    const auto some = sorted_points(finder.find(pose));
    EXPECT_EQ(finder.touching(), all.size());
    EXPECT_TRUE(finder.thinned());
    EXPECT_LE(some.size(), most);
    EXPECT_GT(some.size(), 0U);
    EXPECT_TRUE(std::ranges::includes(all, some));
    // All of the levels that fit, and some of the next one, at least half of what would fit
    std::size_t level = 0;
    while (up_to(level) <= most) {
      ++level;
    }
    const std::size_t whole = level == 0 ? 0 : up_to(level - 1);
    EXPECT_EQ(std::ranges::count_if(some, [&](std::uint32_t i) { return parts.shell.level_of(i) < level; }),
              static_cast<std::ptrdiff_t>(whole));
    EXPECT_TRUE(std::ranges::none_of(some, [&](std::uint32_t i) { return parts.shell.level_of(i) > level; }));
    EXPECT_GE(some.size() - whole, (most - whole) / 2);
    // The same choice in the next cycle
    EXPECT_EQ(sorted_points(finder.find(moved(pose, {}, {1e-9, 0, 0}, {}))), some);
  }
  ContactFinder enough(parts.field, parts.shell, GetParam(), all.size());
  EXPECT_EQ(sorted_points(enough.find(pose)), all);
  EXPECT_FALSE(enough.thinned());
}

TEST(ContactFinder, RefusesNoContacts) {
  const Parts parts = sheets();
  EXPECT_THROW(ContactFinder(parts.field, parts.shell, true, 0), InvalidParameter);
  for (const double margin : {-1e-9, 0.51 * parts.field.band(), std::nan("")}) {
    EXPECT_THROW(ContactFinder(parts.field, parts.shell, true, 10, margin), InvalidParameter);
  }
}

}  // namespace
}  // namespace stiction::haptics
