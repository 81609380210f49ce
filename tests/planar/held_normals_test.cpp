#include "stiction/planar/held_normals.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "stiction/problem.h"

namespace stiction::planar {
namespace {

TEST(HeldNormals, WithoutNormalsNothingChanges) {
  const std::vector<double> w{2, 0.1, 0.2, 0.1, 3, 0.3, 0.2, 0.3, 4};
  const HeldNormals held = hold_normals(w, std::array{0.5, -0.25, 1.0});
  EXPECT_EQ(held.mobility, (Matrix3{{{2, 0.1, 0.2}, {0.1, 3, 0.3}, {0.2, 0.3, 4}}}));
  EXPECT_EQ(held.free_twist.x, 0.5);
  EXPECT_EQ(held.free_twist.y, -0.25);
  EXPECT_EQ(held.free_twist.spin, 1);
}

/// J M⁻¹ Jᵀ of a box in the plane x, z that a floor holds at points below its corners: coordinates (x, z, pitch).
struct Box {
  double mass = 2, inertia = 0.05, height = 0.1;
  std::vector<double> points;  // x of each

  [[nodiscard]] std::vector<std::array<double, 3>> rows() const {
    // at the middle of the floor: the velocity along x, and nothing in y and spin
    std::vector<std::array<double, 3>> rows{{1, 0, -height}, {0, 0, 0}, {0, 0, 0}};
    for (const double x : points) {
      rows.push_back({0, 1, -x});
    }
    return rows;
  }
  [[nodiscard]] std::vector<double> w() const {
    std::vector<double> result;
    for (const auto& a : rows()) {
      for (const auto& b : rows()) {
        result.push_back((a[0] * b[0] + a[1] * b[1]) / mass + a[2] * b[2] / inertia);
      }
    }
    return result;
  }
  [[nodiscard]] std::vector<double> velocity(const std::array<double, 3>& q) const {
    std::vector<double> result;
    for (const auto& a : rows()) {
      result.push_back(a[0] * q[0] + a[1] * q[1] + a[2] * q[2]);
    }
    return result;
  }
};

TEST(HeldNormals, ABoxOnTwoFeetCannotTip) {
  for (const auto& points : {std::vector{-0.2, 0.3}, std::vector{-0.2, -0.2, 0.3, 0.3, 0.1}}) {  // also redundantly
    const Box box{.points = points};
    const HeldNormals held = hold_normals(box.w(), box.velocity({0.7, 0.2, -1.5}));
    EXPECT_NEAR(held.mobility[0][0], 1 / box.mass, 1e-6);  // as a whole, where 1/m + h²/I would tip it
    EXPECT_NEAR(held.free_twist.x, 0.7, 1e-6);
  }
}

TEST(HeldNormals, ABoxOnOneFootRotatesAboutIt) {
  const double x = 0.3;
  const Box box{.points = {x}};
  const HeldNormals held = hold_normals(box.w(), box.velocity({0, 0, 0}));
  // A force along x at the height of the floor turns it by h / (I + m x²)
  EXPECT_NEAR(held.mobility[0][0], 1 / box.mass + box.height * box.height / (box.inertia + box.mass * x * x), 1e-8);
}

TEST(HeldNormals, SizesMustAgree) {
  const std::vector<double> numbers(16);
  EXPECT_THROW(hold_normals(numbers, std::span(numbers).first(2)), InvalidParameter);
  EXPECT_THROW(hold_normals(numbers, std::span(numbers).first(5)), InvalidParameter);
  EXPECT_NO_THROW(hold_normals(numbers, std::span(numbers).first(4)));
}

}  // namespace
}  // namespace stiction::planar
