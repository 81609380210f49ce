// The pyramid of coefficients, against MuJoCo's own functions and its own rows.
#include "stiction/spatial/mujoco_pyramid.h"

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <cstring>
#include <memory>
#include <string>

#include "cone_properties.h"
#include "mujoco_rows.h"
#include "stiction/spatial/pyramid.h"
#include "support/bits.h"

namespace stiction::spatial::mujoco_pyramid_test {
namespace {

using namespace test;
using stiction::test::same_bits;

constexpr int many = 5'000;

template <std::size_t N>
MujocoPyramid<N> any_pyramid() {
  MujocoPyramid<N> pyramid;
  for (double& mu : pyramid.mu) {
    mu = *log_between(1e-3, 1e3);
  }
  return pyramid;
}

template <class Dimension>
class MujocoPyramidOf : public ::testing::Test {};
template <std::size_t N>
using Size = std::integral_constant<std::size_t, N>;
using Sizes = ::testing::Types<Size<1>, Size<3>, Size<4>, Size<6>>;
TYPED_TEST_SUITE(MujocoPyramidOf, Sizes);

TYPED_TEST(MujocoPyramidOf, ObeysTheLawsOfCones) {
  holds_for(many, [] { obeys_the_laws_of_cones(any_pyramid<TypeParam::value>(), 0); });
}

TYPED_TEST(MujocoPyramidOf, EncodesAndDecodesAsMujocoToTheLastBit) {
  constexpr std::size_t n = TypeParam::value;
  holds_for(many, [] {
    const auto pyramid = any_pyramid<n>();
    const auto f = any_force<n>();
    typename MujocoPyramid<n>::Coefficients theirs{};
    mju_encodePyramid(theirs.data(), f.data(), pyramid.mu.data(), static_cast<int>(n));
    const auto ours = pyramid.encode(f);
    if constexpr (n == 1) {
      theirs = ours;  // their encoding has no case for it, and writes nothing
    }
    for (std::size_t i = 0; i < ours.size(); ++i) {
      RC_ASSERT(same_bits(ours[i], theirs[i]));
    }
    Vector<double, n> back{};
    mju_decodePyramid(back.data(), theirs.data(), pyramid.mu.data(), static_cast<int>(n));
    const auto decoded = pyramid.decode(ours);
    for (std::size_t i = 0; i < n; ++i) {
      RC_ASSERT(same_bits(decoded[i], back[i]));
    }
  });
}

TYPED_TEST(MujocoPyramidOf, ForcesWithinTheEvenSharesComeBack) {
  constexpr std::size_t n = TypeParam::value;
  holds_for(many, [] {
    const auto pyramid = any_pyramid<n>();
    Vector<double, n> f{*log_between(1e-3, 1e3)};
    for (std::size_t i = 1; i < n; ++i) {
      f[i] = pyramid.mu[i - 1] * f[0] / static_cast<double>(n - 1) * *between(-1, 1);
    }
    RC_ASSERT(pyramid.contains(f, 1e-14 * norm(f)));
    for (const double x : pyramid.encode(f)) {
      RC_ASSERT(x >= 0);
    }
    const auto back = pyramid.decode(pyramid.encode(f));
    RC_ASSERT(std::abs(back[0] - f[0]) <= 1e-15 * f[0]);
    for (std::size_t i = 1; i < n; ++i) {
      RC_ASSERT(std::abs(back[i] - f[i]) <= 1e-15 * pyramid.mu[i - 1] * f[0]);
    }
  });
}

TYPED_TEST(MujocoPyramidOf, ExactCoefficientsGiveBackEveryForceAndTellWhetherItIsInside) {
  constexpr std::size_t n = TypeParam::value;
  holds_for(many, [] {
    const auto pyramid = any_pyramid<n>();
    const auto f = any_force<n>();
    const auto lambda = pyramid.encode_exactly(f);
    double size = 0;
    double least = infinity;
    for (const double x : lambda) {
      size += std::abs(x);
      least = std::min(least, x);
    }
    const auto back = pyramid.decode(lambda);
    RC_ASSERT(std::abs(back[0] - f[0]) <= 2e-15 * size);
    for (std::size_t i = 1; i < n; ++i) {
      RC_ASSERT(std::abs(back[i] - f[i]) <= 2e-15 * pyramid.mu[i - 1] * size);
    }
    RC_ASSERT((least >= 0) == pyramid.contains(f));
    // Any coefficients ≥ 0 give a force of the pyramid, and of the elliptic cone around it.
    typename MujocoPyramid<n>::Coefficients some{};
    for (double& x : some) {
      x = *between(0, 1);
    }
    const auto g = pyramid.decode(some);
    RC_ASSERT(pyramid.contains(g, 1e-14 * norm(g)));
    RC_ASSERT(EllipticCone<n>{pyramid.mu}.contains(g, 1e-14 * norm(g)));
  });
}

TEST(MujocoPyramid, IsTheInscribedPyramidOfFourSides) {
  holds_for(many, [] {
    const double mu = *log_between(1e-3, 1e3);
    const auto f = any_force<3>();
    const auto p = to_z_normal(MujocoPyramid<3>{{mu, mu}}.project(to_x_normal(f)));
    RC_ASSERT(distance(p, Pyramid<>::make({mu, 4, Fit::inscribed}).project(f)) <= 1e-13 * norm(f));
  });
}

TEST(MujocoPyramid, ShowsNanAndRefusesBadCoefficients) {
  shows_nan(MujocoPyramid<1>{});
  shows_nan(MujocoPyramid<3>{{0.5, 0.8}});
  shows_nan(MujocoPyramid<6>{{0.5, 0.8, 0.01, 0.02, 0.03}});
  EXPECT_THROW(MujocoPyramid<3>::make({{0.5, 0}}), InvalidParameter);
  EXPECT_THROW(MujocoPyramid<3>::make({{0.5, infinity}}), InvalidParameter);
}

/// Rows of constraints that MuJoCo makes for one contact.
int rows_of_one_contact(int condim, const std::string& cone) {
  const std::string dimension = std::to_string(condim);
  const std::string xml = "<mujoco><option cone=\"" + cone +
                          "\"/><worldbody><geom type=\"plane\" size=\"1 1 1\" condim=\"" + dimension +
                          "\"/><body pos=\"0 0 0.0999\"><freejoint/><geom type=\"sphere\" size=\"0.1\" condim=\"" +
                          dimension + "\"/></body></worldbody></mujoco>";
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  if (mj_makeEmptyFileVFS(files.get(), "model.xml", static_cast<int>(xml.size())) != 0) {
    return -1;
  }
  std::memcpy(files->filedata[0], xml.data(), xml.size());
  std::array<char, 500> error{};
  mjModel* model = mj_loadXML("model.xml", files.get(), error.data(), static_cast<int>(error.size()));
  if (model == nullptr) {
    ADD_FAILURE() << error.data();
    mj_deleteVFS(files.get());
    return -1;
  }
  mjData* data = mj_makeData(model);
  mj_forward(model, data);
  const int rows = data->ncon == 1 ? data->nefc : -1;
  mj_deleteData(data);
  mj_deleteModel(model);
  mj_deleteVFS(files.get());
  return rows;
}

TEST(MujocoPyramid, TakesAsManyNumbersAsMujocoHasRows) {
  EXPECT_EQ(rows_of_one_contact(1, "elliptic"), std::tuple_size_v<EllipticCone<1>::Force>);
  EXPECT_EQ(rows_of_one_contact(3, "elliptic"), std::tuple_size_v<EllipticCone<3>::Force>);
  EXPECT_EQ(rows_of_one_contact(4, "elliptic"), std::tuple_size_v<EllipticCone<4>::Force>);
  EXPECT_EQ(rows_of_one_contact(6, "elliptic"), std::tuple_size_v<EllipticCone<6>::Force>);
  EXPECT_EQ(rows_of_one_contact(1, "pyramidal"), MujocoPyramid<1>::coefficients);
  EXPECT_EQ(rows_of_one_contact(3, "pyramidal"), MujocoPyramid<3>::coefficients);
  EXPECT_EQ(rows_of_one_contact(4, "pyramidal"), MujocoPyramid<4>::coefficients);
  EXPECT_EQ(rows_of_one_contact(6, "pyramidal"), MujocoPyramid<6>::coefficients);
  static_assert(MujocoPyramid<1>::coefficients == 1 && MujocoPyramid<3>::coefficients == 4 &&
                MujocoPyramid<4>::coefficients == 6 && MujocoPyramid<6>::coefficients == 10);
}

// The experiments show these where they are built without MuJoCo.
TEST(MujocoPyramid, StoredRowsAreMujocosOwn) {
  for (const auto& [condim, elliptic, pyramidal] : baselines::stored_mujoco_rows) {
    EXPECT_EQ(rows_of_one_contact(condim, "elliptic"), elliptic);
    EXPECT_EQ(rows_of_one_contact(condim, "pyramidal"), pyramidal);
  }
}

}  // namespace
}  // namespace stiction::spatial::mujoco_pyramid_test
