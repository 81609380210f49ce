// Pictures: what is in front, what shines through, where the arrows are.
#include "stiction/viz/picture.h"

#include <gtest/gtest.h>
#include <png.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "haptics/random_pose.h"
#include "stiction/geometry/shapes.h"
#include "stiction/problem.h"

namespace stiction::viz {
namespace {

using geometry::Mesh;
using haptics::identity_rotation;
using haptics::rotate;
using haptics::rotation_by;
using Pixel = std::array<std::uint8_t, 3>;

constexpr Colour red{1, 0, 0}, green{0, 1, 0}, blue{0, 0, 1};

/// From the front, so that x is to the right and z up; at the middle of the scene the picture is 0.2 m high.
Camera front() {
  Camera camera;
  camera.eye = {0, -1, 0};
  camera.field_of_view = 2 * std::atan(0.1) * 180 / std::numbers::pi;
  return camera;
}
PictureOptions small() { return {.width = 200, .height = 100, .background = {0, 0, 0}, .edges = false}; }

std::size_t count(const Image& image, const auto& is) {
  std::size_t pixels = 0;
  for (std::size_t y = 0; y < image.height; ++y) {
    for (std::size_t x = 0; x < image.width; ++x) {
      pixels += is(image.at(x, y)) ? 1 : 0;
    }
  }
  return pixels;
}
bool reddish(const Pixel& p) { return p[0] > 60 && p[1] < 20 && p[2] < 20; }
bool greenish(const Pixel& p) { return p[1] > 60 && p[0] < 20 && p[2] < 20; }

/// A plate across the view, 0.04 m to each side, at a depth.
Mesh plate(double depth) { return geometry::moved(geometry::box({0.08, 0.001, 0.08}), {0, depth, 0}); }

TEST(Picture, SizeOfAPlateIsThatOfPerspective) {
  for (const double depth : {0.0, 0.5, -0.4}) {
    const Mesh mesh = plate(depth);
    const PictureBody body{&mesh, {}, red};
    const Image image = draw(std::span(&body, 1), {}, front(), small());
    // 100 pixels are 0.2 m at a distance of 1 m
    const double side = 0.08 / 0.2 * 100 / (1 + depth - 0.0005);
    double area = 0;  // pixels at the rim count by what is covered
    for (std::size_t i = 0; i < image.rgb.size(); i += 3) {
      area += static_cast<double>(image.rgb[i]) / image.at(100, 50)[0];
    }
    EXPECT_NEAR(std::sqrt(area), side, 0.6) << depth;
  }
}

TEST(Picture, TriangleIsHalfASquare) {
  Mesh mesh;
  mesh.vertices = {{-0.04, 0, -0.04}, {0.04, 0, -0.04}, {-0.04, 0, 0.04}};
  mesh.triangles = {{0, 1, 2}};
  const PictureBody body{&mesh, {}, red};
  const Image image = draw(std::span(&body, 1), {}, front(), small());
  EXPECT_NEAR(static_cast<double>(count(image, reddish)), 0.5 * 40 * 40, 30);
  EXPECT_TRUE(reddish(image.at(85, 65)));
  EXPECT_EQ(image.at(115, 35), Pixel{});
}

TEST(Picture, RightIsRightAndUpIsUp) {
  const Mesh mesh = geometry::box({0.02, 0.02, 0.02});
  const PictureBody body{&mesh, {{0.1, 0, 0.05}, identity_rotation}, green};
  const Image image = draw(std::span(&body, 1), {}, front(), small());
  EXPECT_TRUE(greenish(image.at(150, 25)));
  EXPECT_EQ(image.at(50, 25), (Pixel{}));
  EXPECT_EQ(image.at(150, 75), (Pixel{}));
}

TEST(Picture, NearerHidesFartherInAnyOrder) {
  const Mesh near = plate(-0.1);
  const Mesh far = plate(0.1);
  std::array bodies{PictureBody{&near, {}, red}, PictureBody{&far, {}, green}};
  for (int order = 0; order < 2; ++order) {
    const Image image = draw(bodies, {}, front(), small());
    EXPECT_TRUE(reddish(image.at(100, 50)));
    EXPECT_EQ(count(image, greenish), 0U);
    std::swap(bodies[0], bodies[1]);
  }
  // Two plates that cross: each is in front on its side
  std::array crossed{PictureBody{&near, {{0, 0.1, 0}, rotation_by({0, 0, 0.5})}, red},
                     PictureBody{&near, {{0, 0.1, 0}, rotation_by({0, 0, -0.5})}, green}};
  // about the z axis through the plate's own place
  for (PictureBody& body : crossed) {
    body.pose.position = difference({0, 0, 0}, rotate(body.pose.rotation, {0, -0.1, 0}));
  }
  const Image image = draw(crossed, {}, front(), small());
  EXPECT_TRUE(reddish(image.at(90, 50)));
  EXPECT_TRUE(greenish(image.at(110, 50)));
}

TEST(Picture, WhatIsBehindShinesThrough) {
  const Mesh near = plate(-0.1);
  const Mesh far = plate(0.1);
  const auto mixed_at_middle = [&](double opacity, bool swapped) {
    std::array bodies{PictureBody{&near, {}, red, opacity}, PictureBody{&far, {}, green}};
    if (swapped) {
      std::swap(bodies[0], bodies[1]);
    }
    return draw(bodies, {}, front(), small()).at(100, 50);
  };
  const Pixel full_red = mixed_at_middle(1, false);
  const Pixel full_green = mixed_at_middle(0, false);
  EXPECT_GT(full_red[0], 100);
  EXPECT_GT(full_green[1], 100);
  for (const double opacity : {0.25, 0.5, 0.75}) {
    for (const bool swapped : {false, true}) {
      const Pixel pixel = mixed_at_middle(opacity, swapped);
      EXPECT_NEAR(pixel[0], opacity * full_red[0], 1.5);
      EXPECT_NEAR(pixel[1], (1 - opacity) * full_green[1], 1.5);
    }
  }
  // Behind something solid it is not seen
  std::array bodies{PictureBody{&far, {}, red, 0.5}, PictureBody{&near, {}, green}};
  EXPECT_TRUE(greenish(draw(bodies, {}, front(), small()).at(100, 50)));
  // but for its edges: four sides of 36 pixels
  PictureOptions with_edges = small();
  with_edges.edges = true;
  const Image image = draw(bodies, {}, front(), with_edges);
  EXPECT_TRUE(greenish(image.at(100, 50)));
  const std::size_t lines = count(image, [](const Pixel& p) { return p[0] > 30; });
  EXPECT_GT(lines, 120U);
  EXPECT_LT(lines, 320U);
}

TEST(Picture, ArrowsAreOnTopAndAsLongAsTheyShould) {
  const Mesh mesh = plate(-0.1);
  const PictureBody body{&mesh, {}, {0, 0, 0.3}};
  const PictureArrow right{{-0.05, 0.1, 0}, {0.05, 0.1, 0}, red};  // behind the plate
  PictureOptions options = small();
  options.arrow_width = 3;
  const Image image = draw(std::span(&body, 1), std::span(&right, 1), front(), options);
  std::size_t first = image.width, last = 0;
  for (std::size_t x = 0; x < image.width; ++x) {
    if (reddish(image.at(x, 50))) {
      first = std::min(first, x);
      last = std::max(last, x);
    }
  }
  EXPECT_NEAR(static_cast<double>(last - first), 0.1 / 0.2 * 100 / 1.1, 3);
  EXPECT_NEAR(static_cast<double>(count(image, reddish)), 3 * 45 + 12 * 9.6 / 2 - 36, 40);
}

TEST(Picture, ForcesAreRedAndOrange) {
  const std::array forces{ShownForce{{0, 0, 0}, {0, 0, 2}, {1, 0, 0}}, ShownForce{{0, 0, 0.01}, {0, 0, 1}, {}}};
  const auto arrows = force_arrows(forces, 0.3);
  ASSERT_EQ(arrows.size(), 3U);
  EXPECT_NEAR(arrows[0].to[2], 0.1, 1e-15);  // the largest: a third of the size
  EXPECT_NEAR(arrows[1].to[2], 0.06, 1e-15);
  EXPECT_NEAR(arrows[2].to[0], 0.05, 1e-15);
  EXPECT_EQ(arrows[0].colour.green, normal_force_colour.green);
  EXPECT_EQ(arrows[2].colour.green, friction_colour.green);
  EXPECT_NEAR(force_arrows(forces, 0.3, 0.01)[0].to[2], 0.02, 1e-15);
  EXPECT_TRUE(force_arrows({}, 0.3).empty());
}

TEST(Picture, TranslucentBodiesOfSeveralLayersShineThroughEachOther) {
  const Mesh near = plate(-0.1);
  const Mesh far = plate(0.1);
  for (const bool swapped : {false, true}) {
    std::array bodies{PictureBody{.mesh = &near, .colour = red, .opacity = 0.5, .layer = 2},
                      PictureBody{.mesh = &far, .colour = green, .opacity = 0.5}};
    if (swapped) {
      std::swap(bodies[0], bodies[1]);
    }
    const Pixel both = draw(bodies, {}, front(), small()).at(100, 50);
    EXPECT_GT(both[0], 60);
    EXPECT_NEAR(both[1], 0.5 * both[0], 2);  // half of the light of the far one is left
    bodies[0].layer = bodies[1].layer = 1;
    EXPECT_EQ(draw(bodies, {}, front(), small()).at(100, 50)[1], 0) << "only the nearest of a layer is seen";
  }
  PictureBody wrong{.mesh = &near, .layer = PictureBody::max_layers};
  EXPECT_THROW(draw(std::span(&wrong, 1), {}, front(), small()), InvalidParameter);
}

TEST(Picture, TotalForceStartsAtTheCentreOfPressureAndLeavesTheNormalByTheAngleOfFriction) {
  const std::array forces{ShownForce{{0, 0, 0}, {0, 0, 3}, {1, 0, 0}}, ShownForce{{0.04, 0, 0}, {0, 0, 1}, {1, 0, 0}}};
  const auto arrows = total_force_arrows(forces, 0.2);
  ASSERT_EQ(arrows.size(), 2U);
  const PictureArrow& normal = arrows[0];
  const PictureArrow& total = arrows[1];
  EXPECT_NEAR(total.from[0], 0.01, 1e-15);
  EXPECT_EQ(total.from, normal.from);
  EXPECT_NEAR(norm(difference(total.to, total.from)), 0.2, 1e-15);
  EXPECT_NEAR((total.to[0] - total.from[0]) / (total.to[2] - total.from[2]), 2.0 / 4, 1e-12);
  EXPECT_NEAR(normal.to[0], normal.from[0], 1e-15);
  EXPECT_NEAR(normal.to[2], total.to[2], 1e-15);
  EXPECT_GT(total.width, normal.width);
  EXPECT_EQ(total.colour.red, normal_force_colour.red);
  EXPECT_TRUE(total_force_arrows({}, 0.2).empty());
  const ShownForce none{};
  EXPECT_TRUE(total_force_arrows(std::span(&none, 1), 0.2).empty());
}

/// Parts of triangles behind the eye are cut off, not turned inside out.
TEST(Picture, TrianglesThroughTheEyeAreCut) {
  const Mesh floor = geometry::moved(geometry::box({10, 10, 0.001}), {0, 0, -0.05});
  const PictureBody body{&floor, {}, red};
  const Image image = draw(std::span(&body, 1), {}, front(), small());
  std::size_t above = 0, below = 0;
  for (std::size_t y = 0; y < image.height; ++y) {
    for (std::size_t x = 0; x < image.width; ++x) {
      (y < 48 ? above : below) += reddish(image.at(x, y)) ? 1 : 0;
    }
  }
  EXPECT_EQ(above, 0U);  // the sky over the horizon
  // Its far side, 6 m away and 5 cm down, is 0.05/6 · 500 = 4 pixels below the middle
  EXPECT_NEAR(static_cast<double>(below), 46 * 200, 200);
}

TEST(Picture, EdgesAreDarker) {
  const Mesh cube = geometry::box({0.1, 0.1, 0.1});
  const PictureBody body{&cube, {{}, rotation_by({0.5, 0.2, 0.6})}, {1, 1, 1}};
  PictureOptions options = small();
  const Image plain = draw(std::span(&body, 1), {}, front(), options);
  options.edges = true;
  const Image with_edges = draw(std::span(&body, 1), {}, front(), options);
  std::size_t darker = 0;
  for (std::size_t i = 0; i < plain.rgb.size(); i += 3) {
    EXPECT_LE(with_edges.rgb[i], plain.rgb[i]);
    darker += with_edges.rgb[i] + 30 < plain.rgb[i] ? 1 : 0;
  }
  EXPECT_GT(darker, 250U);  // nine edges of some 40 pixels
  EXPECT_LT(darker, 1500U);
}

TEST(Picture, WholeBoxIsInThePicture) {
  test::Random random(81);
  for (int i = 0; i < 30; ++i) {
    const Mesh mesh =
        geometry::moved(geometry::box({random.between(0.1, 3), random.between(0.1, 3), random.between(0.1, 3)}),
                        test::random_vector(random, 5));
    const PictureBody body{&mesh, {}, red};
    PictureOptions options{.width = 90, .height = 120, .background = {0, 0, 0}, .edges = false};
    const Vector3 way = i == 0 ? Vector3{0, 0, 1} : i == 1 ? Vector3{0, 0, -2} : test::random_direction(random);
    const Image image = draw(std::span(&body, 1), {}, camera_around(geometry::bounds(mesh), way, 0.75), options);
    EXPECT_GT(count(image, reddish), 300U);
    for (std::size_t k = 0; k < 120; ++k) {
      EXPECT_EQ(image.at(0, k), Pixel{});
      EXPECT_EQ(image.at(89, k), Pixel{});
      EXPECT_EQ(image.at(k % 90, 0), Pixel{});
      EXPECT_EQ(image.at(k % 90, 119), Pixel{});
    }
  }
}

TEST(Picture, PngComesBack) {
  const Mesh mesh = geometry::sphere(0.05, 3);
  const PictureBody body{&mesh, {}, {0.3, 0.6, 0.9}};
  const Image image = draw(std::span(&body, 1), {}, front(), small());
  const std::string bytes = to_png(image);
  EXPECT_EQ(bytes, to_png(draw(std::span(&body, 1), {}, front(), small())));  // the same bytes again
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  ASSERT_NE(png_image_begin_read_from_memory(&header, bytes.data(), bytes.size()), 0);
  header.format = PNG_FORMAT_RGB;
  EXPECT_EQ(header.width, 200U);
  EXPECT_EQ(header.height, 100U);
  std::vector<std::uint8_t> back(PNG_IMAGE_SIZE(header));
  ASSERT_NE(png_image_finish_read(&header, nullptr, back.data(), 0, nullptr), 0);
  EXPECT_EQ(back, image.rgb);
}

TEST(Picture, RefusesWhatCannotBe) {
  PictureOptions options = small();
  options.width = 0;
  EXPECT_THROW(draw({}, {}, front(), options), InvalidParameter);
  options.width = 100000;
  EXPECT_THROW(draw({}, {}, front(), options), InvalidParameter);
  Camera camera = front();
  camera.up = {0, 1, 0};
  EXPECT_THROW(draw({}, {}, camera, small()), InvalidParameter);
  camera = front();
  camera.eye = camera.target;
  EXPECT_THROW(draw({}, {}, camera, small()), InvalidParameter);
  camera.eye = {NAN, 0, 0};
  EXPECT_THROW(draw({}, {}, camera, small()), InvalidParameter);
  camera = front();
  camera.field_of_view = 180;
  EXPECT_THROW(draw({}, {}, camera, small()), InvalidParameter);
  camera = front();
  const auto draw_body = [&](const PictureBody& body) { return draw(std::span(&body, 1), {}, camera, small()); };
  const Mesh good = geometry::box({0.1, 0.1, 0.1});
  EXPECT_EQ(draw_body({&good, {}, red}).rgb.size(), 60000U);
  for (const double number : {static_cast<double>(NAN), static_cast<double>(INFINITY), 1e300}) {
    Mesh bad = good;
    bad.vertices[1][2] = number;
    EXPECT_THROW(draw_body({&bad, {}, red}), geometry::MeshError);
    EXPECT_THROW(draw_body({&good, {{0, number, 0}, identity_rotation}, red}), InvalidParameter);
    EXPECT_THROW(draw_body({&good, {}, red, number}), InvalidParameter);
  }
  EXPECT_THROW(camera_around({{0, 0, 0}, {1, 1, 1}}, {NAN, 0, 0}), InvalidParameter);
  EXPECT_THROW(camera_around({{0, 0, 0}, {1, 1, 1}}, {INFINITY, 0, 0}), InvalidParameter);
  Mesh bad = good;
  bad.triangles[5][1] = 8;
  EXPECT_THROW(draw_body({&bad, {}, red}), geometry::MeshError);
  EXPECT_THROW(draw_body({}), InvalidParameter);
  EXPECT_THROW(camera_around({{0, 0, 0}, {1, NAN, 1}}, {1, 0, 0}), InvalidParameter);
  EXPECT_THROW(camera_around({{0, 0, 0}, {1, 1, 1}}, {1, 0, 0}, 0), InvalidParameter);
  EXPECT_THROW(to_png({10, 10, std::vector<std::uint8_t>(299)}), InvalidParameter);
  EXPECT_THROW(to_png({0, 0, {}}), InvalidParameter);
}

}  // namespace
}  // namespace stiction::viz
