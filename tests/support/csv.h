// Reference results stored with the tests: a `#` line with the parameters, a header, then rows of numbers.
#pragma once

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "data_folder.h"

namespace stiction::test {

using Column = std::vector<double>;
using Columns = std::map<std::string, Column>;

inline Columns read_reference(const std::string& name) {
  std::ifstream in(data_folder() + "/" + name + ".csv");
  std::string line;
  if (!std::getline(in, line) || !std::getline(in, line)) {
    throw std::runtime_error("no reference " + name);
  }
  std::vector<std::string> names;
  std::stringstream header(line);
  for (std::string field; std::getline(header, field, ',');) {
    names.push_back(field);
  }
  Columns columns;
  while (std::getline(in, line)) {
    std::stringstream row(line);
    std::string field;
    for (const auto& column : names) {
      std::getline(row, field, ',');
      columns[column].push_back(std::stod(field));
    }
  }
  return columns;
}

/// The largest difference between two columns as a share of the range of the second; infinite for other lengths.
inline double deviation(const Column& computed, const Column& expected) {
  if (computed.size() != expected.size() || expected.empty()) {
    return INFINITY;
  }
  double largest = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double difference = std::abs(computed[i] - expected[i]);
    largest = difference <= largest ? largest : difference;  // NaN stays
  }
  const auto [low, high] = std::minmax_element(expected.begin(), expected.end());
  return largest / (*high - *low);
}

}  // namespace stiction::test
