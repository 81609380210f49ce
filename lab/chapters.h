// The chapters of the report: what the experiments of one group are about.
#pragma once

#include <string_view>

namespace stiction::lab {

struct Chapter {
  std::string_view group;  // the first part of an experiment's id
  const char* title;
  const char* introduction;
};
/// Of an experiment; without a title where its group has none.
Chapter chapter_of(std::string_view experiment) noexcept;

}  // namespace stiction::lab
