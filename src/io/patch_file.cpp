#include "stiction/io/patch_file.h"

#include <fmt/format.h>

#include "grey_image.h"
#include "patch_section.h"
#include "stiction/io/csv.h"
#include "stiction/io/file.h"
#include "stiction/planar/shapes.h"

namespace stiction::io {
namespace {

using planar::Patch;
using planar::Point;
using planar::PressureGrid;

constexpr Range cell_counts{1, 1000, true, true, "a whole number from 1 to 1000"};

std::size_t count(TomlSection& section, const std::string& key, std::int64_t fallback) {
  return static_cast<std::size_t>(section.count(key, cell_counts, fallback));
}

/// loops = [[[x, y], …], …]
std::vector<std::vector<Point>> read_loops(TomlSection& section) {
  const std::string allowed = "a list of loops, each a list of at least three points [x, y]";
  std::vector<std::vector<Point>> loops;
  const toml::node& node = section.required_node("loops", allowed);
  const toml::array* list = node.as_array();
  if (list == nullptr || list->empty()) {
    section.reject("loops", allowed);
  }
  for (const toml::node& entry : *list) {
    std::vector<Point> loop;
    const toml::array* points = entry.as_array();
    if (points == nullptr || points->size() < 3) {
      section.reject(entry, "loops", allowed);
    }
    for (const toml::node& point : *points) {
      const toml::array* pair = point.as_array();
      const auto number = [&](std::size_t i) {
        const auto value = (*pair)[i].value<double>();
        if (!value || !finite.holds(*value)) {
          section.reject(point, "loops", allowed);
        }
        return *value;
      };
      if (pair == nullptr || pair->size() != 2) {
        section.reject(point, "loops", allowed);
      }
      loop.push_back({number(0), number(1)});
    }
    loops.push_back(std::move(loop));
  }
  return loops;
}

/// The first row of the file is the top.
PressureGrid read_grid(TomlSection& section, const std::filesystem::path& folder) {
  const std::filesystem::path named = section.text("file");
  const std::filesystem::path file = named.is_absolute() ? named : folder / named;
  const auto rows = file.extension() == ".png" ? read_grey_png(file) : read_matrix(file);
  const std::size_t columns = rows.front().size();
  PressureGrid grid{columns, rows.size(), {}, 0, 0, {}};
  const double width = section.number("width", planar::patch_sizes);
  const double height = section.number("height", planar::patch_sizes);
  grid.corner = {-width / 2, -height / 2};
  grid.width = width / static_cast<double>(columns);
  grid.height = height / static_cast<double>(rows.size());
  for (const auto& row : rows) {
    for (const double pressure : row) {
      if (!non_negative.holds(pressure)) {
        section.reject("file", fmt::format("pressures >= 0, not {:g}", pressure));
      }
      grid.pressure.push_back(pressure);
    }
  }
  return grid;
}

PressureGrid paper_mask(TomlSection& section, const std::string& shape) {
  const std::size_t cells = count(section, "cells", 21);
  const double side = section.number("side", planar::patch_sizes, 0.02);
  constexpr std::array<std::pair<const char*, PressureGrid (*)(std::size_t, double)>, 7> masks{
      {{"paper-square", planar::paper::square},
       {"paper-circle", planar::paper::circle},
       {"paper-line", planar::paper::line},
       {"paper-gradient-line", planar::paper::gradient_line},
       {"paper-gradient-line-x", planar::paper::gradient_line_x},
       {"paper-non-convex-1", planar::paper::non_convex_1},
       {"paper-non-convex-2", planar::paper::non_convex_2}}};
  for (const auto& [name, mask] : masks) {
    if (shape == name) {
      return mask(cells, side);
    }
  }
  section.reject("shape", "a known mask");
}

PressureGrid read_shape(TomlSection& section, const std::filesystem::path& folder) {
  const std::string shape = section.choice(
      "shape", {"rectangle", "disc", "soft-finger", "polygon", "grid", "paper-square", "paper-circle", "paper-line",
                "paper-gradient-line", "paper-gradient-line-x", "paper-non-convex-1", "paper-non-convex-2"});
  if (shape == "grid") {
    return read_grid(section, folder);
  }
  if (shape.starts_with("paper-")) {
    return paper_mask(section, shape);
  }
  if (shape == "rectangle") {
    const double width = section.number("width", planar::patch_sizes);
    const double height = section.number("height", planar::patch_sizes);
    const std::size_t cells = count(section, "cells", 21);
    return {cells,
            cells,
            {-width / 2, -height / 2},
            width / static_cast<double>(cells),
            height / static_cast<double>(cells),
            std::vector<double>(cells * cells, 1)};
  }
  const std::size_t cells = count(section, "cells", 41);
  if (shape == "polygon") {
    return planar::polygon_grid(read_loops(section), cells, cells);
  }
  const double radius = section.number("radius", planar::patch_sizes);
  const Point high{radius, radius};
  const Point low{-radius, -radius};
  if (shape == "disc") {
    const double square_radius = radius * radius;
    return planar::pressure_grid(
        [square_radius](double x, double y) { return x * x + y * y <= square_radius ? 1.0 : 0.0; }, low, high, cells,
        cells, 16);
  }
  const double exponent = section.number("exponent", planar::soft_finger_exponents, 2);
  return planar::pressure_grid(planar::soft_finger_pressure(radius, exponent), low, high, cells, cells, 8);
}

}  // namespace

Patch read_patch(TomlSection section, const std::filesystem::path& folder) {
  try {
    PressureGrid grid = read_shape(section, folder);
    if (section.has("at")) {
      const auto at = section.numbers("at");
      if (at.size() != 2) {
        section.reject("at", "two numbers [x, y]");
      }
      grid.corner = grid.corner + Point{at[0], at[1]};
    }
    section.finish();
    return Patch(grid);
  } catch (const InvalidParameter& problem) {
    section.fail(fmt::format("patch: {}", problem.what()));
  }
}

Patch parse_patch_file(std::string_view text, const std::string& name, const std::filesystem::path& folder) {
  const toml::table table = parse_toml(text, name);
  return read_patch(TomlSection(table, "", name).section("patch"), folder);
}

Patch read_patch_file(const std::filesystem::path& path) {
  return parse_patch_file(read_text(path), path.string(), path.parent_path());
}

}  // namespace stiction::io
