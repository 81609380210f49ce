#include "stiction/viz/picture.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "stiction/problem.h"

namespace stiction::viz {
namespace {

using geometry::Mesh;

constexpr std::size_t fine = 2;  // subpixels along each side of a pixel
constexpr double degree = std::numbers::pi / 180;
constexpr std::uint32_t nothing = 0xffffffff;

Vector3 unit(const Vector3& a) noexcept { return scaled(1 / norm(a), a); }
Colour mixed(const Colour& a, const Colour& b, double of_b) noexcept {
  return {a.red + of_b * (b.red - a.red), a.green + of_b * (b.green - a.green), a.blue + of_b * (b.blue - a.blue)};
}
Colour shaded(const Colour& a, double light) noexcept { return {light * a.red, light * a.green, light * a.blue}; }

/// The projection of a point of the scene: x to the right, y down, in subpixels; depth as one over the distance along
/// the view, which is linear across a triangle.
struct Seen {
  double x, y, nearness;
};

class View {
 public:
  View(const Camera& camera, std::size_t width, std::size_t height)
      : eye_(camera.eye),
        forward_(unit(difference(camera.target, camera.eye))),
        right_(unit(cross(forward_, camera.up))),
        down_(cross(forward_, right_)),
        scale_(0.5 * static_cast<double>(height) / std::tan(0.5 * camera.field_of_view * degree)),
        middle_x_(0.5 * static_cast<double>(width)),
        middle_y_(0.5 * static_cast<double>(height)) {}

  /// In the frame of the camera: right, down, forward.
  [[nodiscard]] Vector3 in_camera(const Vector3& p) const noexcept {
    const Vector3 a = difference(p, eye_);
    return {dot(a, right_), dot(a, down_), dot(a, forward_)};
  }
  [[nodiscard]] Seen project(const Vector3& a) const noexcept {
    return {middle_x_ + scale_ * a[0] / a[2], middle_y_ + scale_ * a[1] / a[2], 1 / a[2]};
  }

 private:
  Vector3 eye_, forward_, right_, down_;
  double scale_, middle_x_, middle_y_;
};

/// The nearest surface at each subpixel.
struct Layer {
  std::vector<float> nearness;
  std::vector<std::uint32_t> face;

  explicit Layer(std::size_t pixels) : nearness(pixels, 0), face(pixels, nothing) {}
};

/// A triangle's colour in its light, and its normal in the frame of the camera.
struct Face {
  Colour colour;
  double opacity;
  std::array<float, 3> normal;
};

class Canvas {
 public:
  Canvas(std::size_t width, std::size_t height) : width_(width), height_(height), solid_(width * height) {}

  void add(const PictureBody& body, const View& view, double nearest) {
    const Mesh& mesh = *body.mesh;
    std::vector<Vector3> positions;
    positions.reserve(mesh.vertices.size());
    for (const Vector3& v : mesh.vertices) {
      positions.push_back(view.in_camera(to_world(body.pose, v)));
    }
    const Vector3 light = unit({-0.4, -0.7, -0.8});  // over the left shoulder
    Layer& layer = body.opacity < 1 ? clear_layer(body.layer) : solid_;
    for (const geometry::Triangle& t : mesh.triangles) {
      const std::array<Vector3, 3> corners{positions[t[0]], positions[t[1]], positions[t[2]]};
      const Vector3 area = geometry::area_vector(corners);
      const double size = norm(area);
      if (!(size > 0) || !std::isfinite(size)) {
        continue;
      }
      Vector3 normal = scaled(1 / size, area);
      if (dot(normal, corners[0]) > 0) {  // seen from behind
        normal = negative(normal);
      }
      const double brightness = 0.45 + 0.55 * std::max(0.0, dot(normal, light));
      const auto face = static_cast<std::uint32_t>(faces_.size());
      if (fill_clipped(corners, view, nearest, layer, face)) {
        faces_.push_back(
            {shaded(body.colour, brightness),
             body.opacity,
             {static_cast<float>(normal[0]), static_cast<float>(normal[1]), static_cast<float>(normal[2])}});
      }
    }
  }

  /// Combines all layers, from the farthest: opaque bodies, translucent bodies where they are nearer, and their edges
  /// where they are not.
  [[nodiscard]] std::vector<Colour> colours(const Colour& background, bool edges) const {
    std::vector<Colour> result(width_ * height_, background);
    for (std::size_t y = 0; y < height_; ++y) {
      for (std::size_t x = 0; x < width_; ++x) {
        const std::size_t i = y * width_ + x;
        Colour& c = result[i];
        if (solid_.face[i] != nothing) {
          c = shaded(faces_[solid_.face[i]].colour, edges && is_edge(solid_, x, y) ? 0.45 : 1);
        }
        std::array<const Layer*, PictureBody::max_layers> order{};
        std::size_t count = 0;
        for (const auto& [number, layer] : clear_) {
          if (layer.face[i] == nothing) {
            continue;
          }
          std::size_t at = count++;
          for (; at > 0 && order[at - 1]->nearness[i] > layer.nearness[i]; --at) {
            order[at] = order[at - 1];
          }
          order[at] = &layer;
        }
        for (std::size_t k = 0; k < count; ++k) {
          c = behind(*order[k], c, x, y, edges);
        }
      }
    }
    return result;
  }

 private:
  Layer& clear_layer(std::size_t number) { return clear_.try_emplace(number, width_ * height_).first->second; }

  /// A colour seen through a translucent layer.
  [[nodiscard]] Colour behind(const Layer& layer, const Colour& c, std::size_t x, std::size_t y, bool edges) const {
    const std::size_t i = y * width_ + x;
    const Face& face = faces_[layer.face[i]];
    const bool edge = edges && is_edge(layer, x, y);
    if (layer.nearness[i] > solid_.nearness[i]) {
      return mixed(c, shaded(face.colour, edge ? 0.45 : 1), edge ? std::max(face.opacity, 0.8) : face.opacity);
    }
    return edge ? mixed(c, shaded(face.colour, 0.6), 0.5) : c;  // faint lines if it is hidden
  }

  /// Clips at the nearest distance that is drawn, into one or two triangles. Returns whether a pixel was filled.
  bool fill_clipped(const std::array<Vector3, 3>& corners, const View& view, double nearest, Layer& layer,
                    std::uint32_t face) {
    std::array<Seen, 4> polygon{};
    std::size_t count = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const Vector3& a = corners[i];
      const Vector3& b = corners[(i + 1) % 3];
      if (a[2] >= nearest) {
        polygon[count++] = view.project(a);
      }
      if ((a[2] >= nearest) != (b[2] >= nearest)) {
        polygon[count++] = view.project(sum(a, scaled((nearest - a[2]) / (b[2] - a[2]), difference(b, a))));
      }
    }
    bool won = false;
    for (std::size_t i = 2; i < count; ++i) {
      won = fill({polygon[0], polygon[i - 1], polygon[i]}, layer, face) || won;
    }
    return won;
  }

  bool fill(const std::array<Seen, 3>& p, Layer& layer, std::uint32_t face) const {
    const double area = (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[1].y - p[0].y) * (p[2].x - p[0].x);
    if (!(std::abs(area) > 0)) {
      return false;
    }
    const auto [left, right] = std::minmax({p[0].x, p[1].x, p[2].x});
    const auto [top, bottom] = std::minmax({p[0].y, p[1].y, p[2].y});
    const auto first = [](double low) {
      return static_cast<std::ptrdiff_t>(std::ceil(std::clamp(low - 0.5, 0.0, 1e6)));
    };
    const auto last = [](double high, std::size_t size) {
      return static_cast<std::ptrdiff_t>(std::floor(std::clamp(high - 0.5, -1.0, static_cast<double>(size) - 1)));
    };
    const std::ptrdiff_t x0 = first(left);
    const std::ptrdiff_t x1 = last(right, width_);
    const std::ptrdiff_t y0 = first(top);
    const std::ptrdiff_t y1 = last(bottom, height_);
    // Weights of the second and third corner are linear in x and y: w = a + b x + c y
    const double b1 = (p[2].y - p[0].y) / area;
    const double c1 = -(p[2].x - p[0].x) / area;
    const double b2 = -(p[1].y - p[0].y) / area;
    const double c2 = (p[1].x - p[0].x) / area;
    bool won = false;
    for (std::ptrdiff_t y = y0; y <= y1; ++y) {
      const double dy = static_cast<double>(y) + 0.5 - p[0].y;
      for (std::ptrdiff_t x = x0; x <= x1; ++x) {
        const double dx = static_cast<double>(x) + 0.5 - p[0].x;
        const double w1 = b1 * dx + c1 * dy;
        const double w2 = b2 * dx + c2 * dy;
        if (w1 < 0 || w2 < 0 || w1 + w2 > 1) {
          continue;
        }
        const auto nearness = static_cast<float>(p[0].nearness + w1 * (p[1].nearness - p[0].nearness) +
                                                 w2 * (p[2].nearness - p[0].nearness));
        const std::size_t i = static_cast<std::size_t>(y) * width_ + static_cast<std::size_t>(x);
        if (nearness > layer.nearness[i]) {
          layer.nearness[i] = nearness;
          layer.face[i] = face;
          won = true;
        }
      }
    }
    return won;
  }

  /// An outline, where a neighbour is 3 % farther away or empty, or a crease of more than 35°.
  [[nodiscard]] bool is_edge(const Layer& layer, std::size_t x, std::size_t y) const noexcept {
    const std::size_t i = y * width_ + x;
    const auto differs = [&](std::size_t j) {
      if (layer.face[j] == nothing) {
        return true;
      }
      if (layer.face[i] == layer.face[j]) {
        return false;
      }
      if (layer.nearness[i] > 1.03F * layer.nearness[j]) {
        return true;
      }
      const auto& a = faces_[layer.face[i]].normal;
      const auto& b = faces_[layer.face[j]].normal;
      return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] < 0.82F;
    };
    return (x + 1 < width_ && differs(i + 1)) || (y + 1 < height_ && differs(i + width_)) ||
           (x > 0 && differs(i - 1)) || (y > 0 && differs(i - width_));
  }

  std::size_t width_, height_;
  Layer solid_;
  std::map<std::size_t, Layer> clear_;
  std::vector<Face> faces_;
};

struct Point {
  double x, y;
};
/// The subpixels whose centres are in a convex polygon.
void fill_polygon(std::vector<Colour>& pixels, std::size_t width, std::size_t height, std::span<const Point> polygon,
                  const Colour& colour) {
  double left = infinity;
  double right = -infinity;
  double top = infinity;
  double bottom = -infinity;
  double area = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Point& a = polygon[i];
    const Point& b = polygon[(i + 1) % polygon.size()];
    left = std::min(left, a.x);
    right = std::max(right, a.x);
    top = std::min(top, a.y);
    bottom = std::max(bottom, a.y);
    area += a.x * b.y - b.x * a.y;
  }
  const auto first = [](double low) { return static_cast<std::ptrdiff_t>(std::clamp(std::floor(low), 0.0, 1e6)); };
  const auto last = [](double max_coordinate, std::size_t size) {
    return static_cast<std::ptrdiff_t>(std::clamp(std::ceil(max_coordinate), -1.0, static_cast<double>(size) - 1));
  };
  for (std::ptrdiff_t y = first(top); y <= last(bottom, height); ++y) {
    for (std::ptrdiff_t x = first(left); x <= last(right, width); ++x) {
      const double px = static_cast<double>(x) + 0.5;
      const double py = static_cast<double>(y) + 0.5;
      bool inside = true;
      for (std::size_t i = 0; i < polygon.size() && inside; ++i) {
        const Point& a = polygon[i];
        const Point& b = polygon[(i + 1) % polygon.size()];
        inside = ((b.x - a.x) * (py - a.y) - (b.y - a.y) * (px - a.x)) * area >= 0;
      }
      if (inside) {
        pixels[static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x)] = colour;
      }
    }
  }
}

/// A shaft and a head, with the same width everywhere in the picture.
void draw_arrow(std::vector<Colour>& pixels, std::size_t width, std::size_t height, const Seen& from, const Seen& to,
                double shaft, const Colour& colour) {
  const double dx = to.x - from.x;
  const double dy = to.y - from.y;
  const double length = std::hypot(dx, dy);
  if (!(length > 0.5) || !std::isfinite(length)) {
    return;
  }
  const double ux = dx / length;
  const double uy = dy / length;
  const double head = std::min(4 * shaft, length);
  const Point neck{to.x - head * ux, to.y - head * uy};
  const auto beside = [&](const Point& p, double by) { return Point{p.x - by * uy, p.y + by * ux}; };
  const Point begin{from.x, from.y};
  const std::array<Point, 4> rod{beside(begin, 0.5 * shaft), beside(neck, 0.5 * shaft), beside(neck, -0.5 * shaft),
                                 beside(begin, -0.5 * shaft)};
  const std::array<Point, 3> tip{beside(neck, 0.4 * head), Point{to.x, to.y}, beside(neck, -0.4 * head)};
  fill_polygon(pixels, width, height, rod, colour);
  fill_polygon(pixels, width, height, tip, colour);
}

Image shrunk(const std::vector<Colour>& pixels, std::size_t width, std::size_t height) {
  Image image{width, height, {}};
  image.rgb.reserve(3 * width * height);
  const auto byte = [](double c) {  // NaN is 0
    return static_cast<std::uint8_t>(std::lround((c > 0 ? std::min(c, 1.0) : 0) * 255));
  };
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      Colour mean;
      for (std::size_t k = 0; k < fine * fine; ++k) {
        const Colour& c = pixels[(fine * y + k / fine) * fine * width + fine * x + k % fine];
        mean = {mean.red + c.red, mean.green + c.green, mean.blue + c.blue};
      }
      mean = shaded(mean, 1.0 / (fine * fine));
      image.rgb.insert(image.rgb.end(), {byte(mean.red), byte(mean.green), byte(mean.blue)});
    }
  }
  return image;
}

void check(std::span<const PictureBody> bodies, std::span<const PictureArrow> arrows, const Camera& camera,
           const PictureOptions& options) {
  for (const PictureBody& body : bodies) {
    if (body.mesh == nullptr) {
      throw InvalidParameter({"mesh", 0, "a valid pointer"});
    }
    geometry::require_valid(*body.mesh);
    if (!is_pose(body.pose)) {
      throw InvalidParameter({"pose", body.pose.position[0], "a pose within 1e9 m"});
    }
    if (!(body.opacity >= 0 && body.opacity <= 1)) {
      throw InvalidParameter({"opacity", body.opacity, "0 to 1"});
    }
    if (body.layer >= PictureBody::max_layers) {
      throw InvalidParameter({"layer", static_cast<double>(body.layer), "0 to 3"});
    }
  }
  if (!non_negative.holds(options.arrow_width)) {
    throw InvalidParameter({"arrow_width", options.arrow_width, non_negative.text});
  }
  for (const PictureArrow& arrow : arrows) {
    if (!non_negative.holds(arrow.width)) {
      throw InvalidParameter({"width", arrow.width, non_negative.text});
    }
  }
  constexpr double max_side = 8000;
  for (const std::size_t side : {options.width, options.height}) {
    if (side < 1 || static_cast<double>(side) > max_side) {
      throw InvalidParameter({"picture size", static_cast<double>(side), "1 to 8000 pixels"});
    }
  }
  if (!(camera.field_of_view > 0 && camera.field_of_view < 180)) {
    throw InvalidParameter({"field_of_view", camera.field_of_view, "> 0 and < 180"});
  }
  const Vector3 forward = difference(camera.target, camera.eye);
  const double across = norm(cross(forward, camera.up));
  if (!(across > 1e-9 * norm(forward) * norm(camera.up)) || !std::isfinite(across)) {
    throw InvalidParameter({"camera", across, "not looking along its up vector, nor at its own position"});
  }
}

}  // namespace

Camera camera_around(const geometry::Box& box, const Vector3& direction, double aspect) {
  if (!geometry::is_box(box)) {
    throw InvalidParameter({"box", box.longest_side(), "finite"});
  }
  const double length = norm(direction);
  if (!finite.holds(length)) {
    throw InvalidParameter({"direction", length, finite.text});
  }
  if (!positive.holds(aspect)) {
    throw InvalidParameter({"aspect", aspect, positive.text});
  }
  Camera camera;
  camera.target = box.middle();
  const double radius = 1.05 * std::max(0.5 * norm(box.size()), 1e-9);  // with a margin
  const double half_up = 0.5 * camera.field_of_view * degree;
  const double half_across = std::atan(aspect * std::tan(half_up));
  const Vector3 unit_direction = length > 0 ? scaled(1 / length, direction) : Vector3{0, -1, 0};
  camera.eye = sum(camera.target, scaled(radius / std::sin(std::min(half_up, half_across)), unit_direction));
  if (std::abs(unit_direction[2]) > 0.999) {  // from above or below: y is up
    camera.up = {0, 1, 0};
  }
  return camera;
}

std::vector<PictureArrow> force_arrows(std::span<const ShownForce> forces, double size, double metres_per_newton) {
  double strongest = 0;
  for (const ShownForce& force : forces) {
    strongest = std::max({strongest, norm(force.normal_force), norm(force.friction)});
  }
  const double scale = metres_per_newton > 0 ? metres_per_newton : strongest > 0 ? size / (3 * strongest) : 0;
  std::vector<PictureArrow> arrows;
  for (const ShownForce& force : forces) {
    arrows.push_back({force.position, sum(force.position, scaled(scale, force.normal_force)), normal_force_colour});
  }
  for (const ShownForce& force : forces) {  // on top of those
    if (norm(force.friction) > 0) {
      arrows.push_back({force.position, sum(force.position, scaled(scale, force.friction)), friction_colour});
    }
  }
  return arrows;
}

std::vector<PictureArrow> total_force_arrows(std::span<const ShownForce> forces, double size) {
  Vector3 normal{};
  Vector3 total{};
  Vector3 weighted{};
  double weight = 0;
  for (const ShownForce& force : forces) {
    const double share = norm(force.normal_force);
    normal = sum(normal, force.normal_force);
    total = sum(total, sum(force.normal_force, force.friction));
    weighted = sum(weighted, scaled(share, force.position));
    weight += share;
  }
  const double longest = std::max(norm(normal), norm(total));
  if (!(weight > 0) || !(longest > 0)) {
    return {};
  }
  constexpr Colour grey{0.25, 0.25, 0.25};
  constexpr double thin = 1.4;
  constexpr double thick = 2.4;
  const Vector3 from = scaled(1 / weight, weighted);
  return {{from, sum(from, scaled(size / longest, normal)), grey, thin},
          {from, sum(from, scaled(size / longest, total)), normal_force_colour, thick}};
}

Image draw(std::span<const PictureBody> bodies, std::span<const PictureArrow> arrows, const Camera& camera,
           const PictureOptions& options) {
  check(bodies, arrows, camera, options);
  const std::size_t width = fine * options.width;
  const std::size_t height = fine * options.height;
  const View view(camera, width, height);
  const double nearest = 1e-3 * norm(difference(camera.target, camera.eye));
  Canvas canvas(width, height);
  for (const PictureBody& body : bodies) {
    canvas.add(body, view, nearest);
  }
  std::vector<Colour> pixels = canvas.colours(options.background, options.edges);
  for (const PictureArrow& arrow : arrows) {
    const Vector3 from = view.in_camera(arrow.from);
    const Vector3 to = view.in_camera(arrow.to);
    if (from[2] > nearest && to[2] > nearest) {
      draw_arrow(pixels, width, height, view.project(from), view.project(to), fine * options.arrow_width * arrow.width,
                 arrow.colour);
    }
  }
  return shrunk(pixels, options.width, options.height);
}

}  // namespace stiction::viz
