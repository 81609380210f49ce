// The box plots of Fig. 22.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "../lab.h"
#include "stiction/planar/twist.h"

namespace stiction::lab::planar_fixed_velocity {

/// A box of Fig. 22. Its caption puts the whiskers at Q1 − 1.5 IQR and Q3 + 1.5 IQR; they are drawn, and taken here, to
/// the farthest error within.
struct Box {
  double low = 0, first = 0, median = 0, third = 0, high = 0;
  double third_gap = 0;  // by which the third quartile moves if one error more, or less, lies above it
};
inline Box box_of(std::vector<double> errors) {
  std::ranges::sort(errors);
  const auto at = [&](double share) {
    const double quantile = share * static_cast<double>(errors.size() - 1);
    const auto i = std::min(static_cast<std::size_t>(quantile), errors.size() - 2);
    return errors[i] + (quantile - static_cast<double>(i)) * (errors[i + 1] - errors[i]);
  };
  const double first = at(0.25);
  const double third = at(0.75);
  const double reach = 1.5 * (third - first);
  const std::size_t above = 3 * (errors.size() - 1) / 4 + 1;
  const double gap = std::max(errors.at(above) - errors.at(above - 1), errors.at(above + 1) - errors.at(above));
  return {*std::ranges::lower_bound(errors, first - reach),
          first,
          at(0.5),
          third,
          *std::prev(std::ranges::upper_bound(errors, third + reach)),
          gap};
}

struct Boxes {
  Box force, torque;
};
inline Boxes distance(const std::vector<planar::Wrench>& model, const std::vector<planar::Wrench>& truth) {
  std::vector<double> force;
  std::vector<double> torque;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    force.push_back(std::hypot(model[i].x - truth[i].x, model[i].y - truth[i].y));
    torque.push_back(std::abs(model[i].torque - truth[i].torque));
  }
  return {box_of(force), box_of(torque)};
}

/// Fig. 22: errors of the limit surface (the paper's table) left of those of the ellipsoid, for each shape.
class BoxPlots {
 public:
  BoxPlots() {
    boxes_.columns = {{"shape", std::vector<std::string>{}},
                      {"model", std::vector<std::string>{}},
                      {"quantity", std::vector<std::string>{}}};
    for (const char* name : {"lower whisker", "Q1", "median", "Q3", "upper whisker"}) {
      boxes_.columns.push_back({name, std::vector<double>{}});
    }
    for (std::size_t side = 0; side < 2; ++side) {
      drawn_.columns.push_back({fmt::format("place, {}", labels[side]), std::vector<double>{}});
      for (const char* quantity : {"force error [N]", "torque error [N m]"}) {
        for (const char* part : {"lower whisker", "Q1", "median", "Q3", "upper whisker"}) {
          drawn_.columns.push_back({fmt::format("{}, {}: {}", labels[side], quantity, part), std::vector<double>{}});
        }
      }
    }
  }

  /// On the profile: the exact surface, the paper's table, and the ellipsoid.
  void add(const char* shape, const Boxes& exact, const Boxes& authors, const Boxes& ellipsoid) {
    for (const auto& [model, boxes] : {std::pair("exact", exact), {"authors'", authors}, {"ellipsoid", ellipsoid}}) {
      add_row(shape, model, "force [N]", boxes.force);
      add_row(shape, model, "torque [N m]", boxes.torque);
    }
  }

  /// As in the figure: the paper's table and the ellipsoid.
  void add_drawn(const char* shape, const Boxes& authors, const Boxes& ellipsoid) {
    names_.emplace_back(shape);
    std::size_t column = 0;
    const auto put = [&](double value) {
      std::get<std::vector<double>>(drawn_.columns[column++].values).push_back(value);
    };
    const auto place = static_cast<double>(names_.size());
    for (const auto& [shift, boxes] : {std::pair(-0.2, authors), {0.2, ellipsoid}}) {
      put(place + shift);
      for (const Box& box : {boxes.force, boxes.torque}) {
        for (const double value : {box.low, box.first, box.median, box.third, box.high}) {
          put(value);
        }
      }
    }
  }

  void write_to(Result& result) const {
    result.tables.push_back(boxes_);
    result.tables.push_back(drawn_);
    Figure figure{"fig22", "Errors of the reduced models, against the distributed one", "surface", "error", {}};
    figure.x_names = names_;
    figure.panels_in_a_row = 1;
    constexpr std::array panels{"force error [N]", "torque error [N m]"};
    for (std::size_t quantity = 0; quantity < 2; ++quantity) {
      for (std::size_t side = 0; side < 2; ++side) {
        figure.series.push_back(
            {"fig22", 11 * side, 11 * side + 1 + 5 * quantity, labels[side], "box_plots", panels[quantity]});
      }
    }
    result.figures.push_back(figure);
  }

 private:
  static constexpr std::array<const char*, 2> labels{"limit surface", "ellipsoid"};

  void add_row(const char* shape, const char* model, const char* quantity, const Box& box) {
    std::size_t column = 0;
    for (const char* text : {shape, model, quantity}) {
      std::get<std::vector<std::string>>(boxes_.columns[column++].values).emplace_back(text);
    }
    for (const double value : {box.low, box.first, box.median, box.third, box.high}) {
      std::get<std::vector<double>>(boxes_.columns[column++].values).push_back(value);
    }
  }

  Table boxes_{"boxes", {}, true};
  Table drawn_{"fig22", {}};
  std::vector<std::string> names_;
};

}  // namespace stiction::lab::planar_fixed_velocity
