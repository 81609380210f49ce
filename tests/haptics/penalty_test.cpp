// Springs of contacts: their gradients against finite differences, and their stiffness where they are many.
#include "stiction/haptics/penalty.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <vector>

#include "haptics/random_pose.h"
#include "stiction/geometry/shapes.h"
#include "stiction/haptics/coupling.h"

namespace stiction::haptics {
namespace {

using geometry::DistanceField;
using geometry::PointShell;
using test::Random;

/// The springs of all contacts at a pose; nothing where the contacts are not these.
struct Springs {
  ContactFinder finder;
  Vector3 centre;
  double stiffness;

  std::optional<SpringWrench> at(const Pose& pose, Slope slope, std::vector<std::uint32_t>* contacts) {
    SpringWrench sum;
    std::vector<std::uint32_t> found;
    for (const Touch& touch : finder.find(pose)) {
      found.push_back(touch.point);
      add_spring(sum, touch, difference(touch.position, to_world(pose, centre)), stiffness, slope);
    }
    add_rotation(sum, finder.shell_moves());
    std::ranges::sort(found);
    if (contacts->empty()) {
      *contacts = found;
    }
    return found == *contacts ? std::optional(sum) : std::nullopt;
  }

  /// Whether a contact is deeper than the band, or so near to the side of a cell that a small step may leave it.
  bool not_smooth(const Pose& pose, double step) {
    const auto& data = finder.field().data();
    for (const Touch& touch : finder.find(pose)) {
      const Vector3& p = finder.shell().points()[touch.point].position;
      const Vector3 in_field = finder.shell_moves() ? to_world(pose, p) : to_body(pose, p);
      if (!finder.field().at(in_field).exact || touch.depth > data.band - 4 * step) {
        return true;
      }
      for (std::size_t i = 0; i < 3; ++i) {
        const double u = (in_field[i] - data.origin[i]) / data.spacing;
        if (std::abs(u - std::round(u)) * data.spacing < 4 * step) {
          return true;
        }
      }
    }
    return false;
  }
};

Pose nudged(const Pose& pose, const Vector3& centre, std::size_t axis, double by) {
  Vector6 d{};
  d[axis] = by;
  return moved(pose, centre, {d[0], d[1], d[2]}, {d[3], d[4], d[5]});
}

/// The largest error of the gradient by blocks, each as a share of that block's largest entry.
double block_error(const Matrix6& a, const Matrix6& b) {
  double worst = 0;
  for (const std::size_t row : {0U, 3U}) {
    for (const std::size_t column : {0U, 3U}) {
      double size = 0;
      double error = 0;
      for (std::size_t i = row; i < row + 3; ++i) {
        for (std::size_t j = column; j < column + 3; ++j) {
          size = std::max(size, std::abs(b[i][j]));
          error = std::max(error, std::abs(a[i][j] - b[i][j]));
        }
      }
      worst = std::max(worst, size > 0 ? error / size : error);
    }
  }
  return worst;
}

struct Errors {
  double exact = 0, printed = 0;
  int poses = 0;
};

/// Δ = (Δx, Δω) about the centre, as the renderer moves the body.
Errors compare(const DistanceField& field, const PointShell& shell, bool shell_moves, Random& random,
               const std::function<Pose()>& draw, int poses) {
  Errors errors;
  const Vector3 centre = test::random_vector(random, 0.02);
  Springs springs{ContactFinder(field, shell, shell_moves, shell.points().size()), centre, 900};
  const double step = 2e-7;  // [m], [rad]
  for (int tries = 0; errors.poses < poses && tries < 2000 * poses; ++tries) {
    const Pose pose = draw();
    std::vector<std::uint32_t> contacts;
    const auto exact = springs.at(pose, Slope::exact, &contacts);
    if (contacts.size() < 2 || springs.not_smooth(pose, step)) {
      continue;
    }
    Matrix6 differences{};
    bool same = true;
    for (std::size_t j = 0; j < 6 && same; ++j) {
      const auto ahead = springs.at(nudged(pose, centre, j, step), Slope::exact, &contacts);
      const auto behind = springs.at(nudged(pose, centre, j, -step), Slope::exact, &contacts);
      same = ahead && behind;
      for (std::size_t i = 0; i < 6 && same; ++i) {
        differences[i][j] = (ahead->wrench[i] - behind->wrench[i]) / (2 * step);
      }
    }
    if (!same) {
      continue;
    }
    ++errors.poses;
    errors.exact = std::max(errors.exact, block_error(exact->gradient, differences));
    errors.printed =
        std::max(errors.printed, block_error(springs.at(pose, Slope::as_published, &contacts)->gradient, differences));
  }
  return errors;
}

class Gradients : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Penalty, Gradients, testing::Bool(),
                         [](const auto& way) { return way.param ? "ShellMoves" : "FieldMoves"; });

const PointShell& block_shell() {
  static const PointShell shell = PointShell::make(geometry::rounded_box({0.05, 0.04, 0.03}, 0.006), {400, 4, 1});
  return shell;
}

TEST_P(Gradients, AreThoseOfFiniteDifferencesInABall) {
  const DistanceField field = DistanceField::of_function([](const Vector3& p) { return norm(p) - 0.05; },
                                                         {{-0.05, -0.05, -0.05}, {0.05, 0.05, 0.05}}, {64, 4});
  Random random(31);
  const auto draw = [&] {
    Pose pose = test::random_pose(random, 0);
    pose.position = scaled(random.between(0.06, 0.08), test::random_direction(random));
    return pose;
  };
  const Errors errors = compare(field, block_shell(), GetParam(), random, draw, 60);
  EXPECT_EQ(errors.poses, 60);
  EXPECT_LT(errors.exact, 1e-6);
  EXPECT_GT(errors.printed, 1e-3);  // the normals are not those of the ball: the printed slope cannot be right
  RecordProperty("printed", std::to_string(errors.printed));
  std::printf("ball: exact %.1e, printed %.2f of the block's largest\n", errors.exact, errors.printed);
}

TEST_P(Gradients, AreThoseOfFiniteDifferencesInABlock) {
  const DistanceField field = DistanceField::make(geometry::box({0.1, 0.08, 0.06}), {64, 4});
  Random random(32);
  const auto draw = [&] {
    Pose pose = test::random_pose(random, 0);
    pose.position = {random.between(-0.05, 0.05), random.between(-0.05, 0.05), random.between(0.03, 0.05)};
    return pose;
  };
  const Errors errors = compare(field, block_shell(), GetParam(), random, draw, 60);
  EXPECT_EQ(errors.poses, 60);
  EXPECT_LT(errors.exact, 1e-6);
  EXPECT_GT(errors.printed, 1e-3);
  std::printf("block: exact %.1e, printed %.2f of the block's largest\n", errors.exact, errors.printed);
}

TEST_P(Gradients, AreThoseOfFiniteDifferencesInAHalfSpace) {
  const Vector3 up = scaled(1 / std::sqrt(14.0), Vector3{1, 2, 3});
  const DistanceField field = DistanceField::of_function([&](const Vector3& p) { return dot(up, p); },
                                                         {{-0.1, -0.1, -0.1}, {0.1, 0.1, 0.1}}, {64, 4});
  Random random(33);
  const auto draw = [&] {
    Pose pose = test::random_pose(random, 0.02);
    return GetParam() ? pose : inverse(pose);
  };
  const Errors errors = compare(field, block_shell(), GetParam(), random, draw, 60);
  EXPECT_EQ(errors.poses, 60);
  EXPECT_LT(errors.exact, 1e-6);
  std::printf("half space: exact %.1e, printed %.2f of the block's largest\n", errors.exact, errors.printed);
}

/// Where the normal of the shell is the gradient of the field, both slopes agree: the flat side of a box on a plane.
TEST(Penalty, PrintedSlopeIsExactOnFlatContact) {
  const DistanceField plane =
      DistanceField::of_function([](const Vector3& p) { return p[2]; }, {{-0.1, -0.1, -0.1}, {0.1, 0.1, 0}}, {64, 4});
  const PointShell shell = PointShell::make(geometry::box({0.05, 0.04, 0.03}, 4), {300, 4, 1});
  std::vector<std::uint32_t> contacts;
  Springs springs{ContactFinder(plane, shell, true, 300), {}, 1000};
  const Pose pose{{0, 0, 0.0149}, identity_rotation};
  SpringWrench printed, exact;
  for (const Touch& touch : springs.finder.find(pose)) {
    if (touch.push[2] > 0.999) {
      add_spring(printed, touch, difference(touch.position, pose.position), 1000, Slope::as_published);
      add_spring(exact, touch, difference(touch.position, pose.position), 1000, Slope::exact);
      contacts.push_back(touch.point);
    }
  }
  ASSERT_GT(contacts.size(), 20U);
  EXPECT_LT(block_error(printed.gradient, exact.gradient), 1e-5);  // the field has 32-bit numbers
  // n springs of k: stiffness n k along the normal, force n k d
  const auto n = static_cast<double>(contacts.size());
  EXPECT_NEAR(printed.gradient[2][2], -1000 * n, 1e-9 * 1000 * n);
  EXPECT_NEAR(printed.wrench[2], 1000 * n * 1e-4, 1e-3 * 0.1 * n);
}

/// The force of a contact pushes the moving body out: up from the floor under it, whoever has the shell.
TEST(Penalty, PushesTheMovingBodyOut) {
  const DistanceField field = DistanceField::make(geometry::box({0.1, 0.1, 0.1}), {48, 3});
  const PointShell shell = PointShell::make(geometry::box({0.1, 0.1, 0.1}, 4), {600, 4, 1});
  for (const bool shell_moves : {true, false}) {
    ContactFinder finder(field, shell, shell_moves, 600);
    const Pose above{{0.01, 0.02, 0.0995}, identity_rotation};  // on top of the fixed one, 0.5 mm deep
    SpringWrench sum;
    for (const Touch& touch : finder.find(above)) {
      add_spring(sum, touch, difference(touch.position, above.position), 1000, Slope::exact);
    }
    EXPECT_GT(sum.wrench[2], 1);
    EXPECT_LT(sum.gradient[2][2], -1e3);  // lifting it makes less of it
  }
}

StiffnessAdaptation adapted(double most, const std::vector<Vector3>& normals) {
  StiffnessAdaptation adaptation(most, 1);
  adaptation.begin();
  for (const Vector3& n : normals) {
    adaptation.count(n);
  }
  adaptation.end();
  return adaptation;
}
double stiffness_along(const StiffnessAdaptation& adaptation, const std::vector<Vector3>& normals, const Vector3& way) {
  double sum = 0;
  for (const Vector3& n : normals) {
    sum += adaptation.factor(n) * dot(n, way) * dot(n, way);
  }
  return sum;
}

TEST(StiffnessAdaptation, ParallelContactsNeverExceedTheirMost) {
  Random random(34);
  for (const double most : {1.0, 4.0, 10.0}) {
    for (const std::size_t count : {1U, 2U, 9U, 10U, 11U, 100U, 1000U}) {
      const Vector3 way = test::random_direction(random);
      std::vector<Vector3> normals(count, way);
      for (std::size_t i = 0; i < count / 2; ++i) {
        normals[i] = negative(way);  // a gap that holds from both sides is as stiff
      }
      const double sum = stiffness_along(adapted(most, normals), normals, way);
      EXPECT_NEAR(sum, std::min(most, static_cast<double>(count)), 1e-9) << count;
    }
  }
}

TEST(StiffnessAdaptation, PerpendicularContactsDoNotShare) {
  std::vector<Vector3> normals(100, Vector3{0, 0, 1});
  normals.insert(normals.end(), 8, Vector3{1, 0, 0});
  const StiffnessAdaptation adaptation = adapted(10, normals);
  EXPECT_DOUBLE_EQ(adaptation.factor({1, 0, 0}), 1);
  EXPECT_NEAR(adaptation.factor({0, 0, 1}), 0.1, 1e-15);
  EXPECT_NEAR(stiffness_along(adaptation, normals, {0, 0, 1}), 10, 1e-12);
  EXPECT_NEAR(stiffness_along(adaptation, normals, {1, 0, 0}), 8, 1e-12);
}

/// However normals are spread, no direction is much stiffer than n₀ springs. Measured: 1.0 for a cone of normals, up to
/// 1.4 for a fan.
TEST(StiffnessAdaptation, SpreadNormalsStayNearTheirMost) {
  Random random(35);
  double worst = 0;
  for (int i = 0; i < 2000; ++i) {
    std::vector<Vector3> normals;
    const Vector3 about = test::random_direction(random);
    const double spread = random.between(0, 3);
    const auto count = 1 + random.bits() % 200;
    for (std::size_t k = 0; k < count; ++k) {
      const Vector3 n = sum(about, test::random_vector(random, spread));
      normals.push_back(scaled(1 / norm(n), n));
    }
    const StiffnessAdaptation adaptation = adapted(10, normals);
    for (int k = 0; k < 20; ++k) {
      worst = std::max(worst, stiffness_along(adaptation, normals, test::random_direction(random)) / 10);
    }
    worst = std::max(worst, stiffness_along(adaptation, normals, about) / 10);
  }
  EXPECT_LT(worst, 2);
  std::printf("stiffest direction: %.3f n0 k_max\n", worst);
}

/// New contacts are shared at once, however many; where contacts leave, the others become stiffer with the lag.
TEST(StiffnessAdaptation, FallsAtOnceAndRisesWithItsLag) {
  StiffnessAdaptation adaptation(10, 0.25);
  const Vector3 up{0, 0, 1};
  double lagged = 0;
  for (int cycle = 0; cycle < 100; ++cycle) {
    const int count = cycle < 50 ? 100 : 20;
    adaptation.begin();
    for (int k = 0; k < count; ++k) {
      adaptation.count(up);
    }
    adaptation.end();
    lagged += 0.25 * (count - lagged);
    EXPECT_NEAR(adaptation.factor(up), 10 / std::max<double>(count, lagged), 1e-12);
    EXPECT_LE(count * adaptation.factor(up), 10 * (1 + 1e-12));
  }
  EXPECT_NEAR(adaptation.factor(up), 0.5, 1e-5);
}

}  // namespace
}  // namespace stiction::haptics
