// The registered models as values, for tests that run over all of them and are compiled once:
//   class Suite : public test::EveryModel {};
//   INSTANTIATE_TEST_SUITE_P(Models, Suite, test::models_that([](const test::ModelKind& kind) { … }), test::name_of);
// Inside a test, `kind` is the model's.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/scalar/any_model.h"

namespace stiction::test {

struct Interval;
using Draw = std::function<double(const Interval&)>;

/// What a model's table does not tell.
struct ModelKind {
  const scalar::ModelTable* table;
  scalar::AnyModel (*drawn)(const Draw& draw);  // with valid parameters
  scalar::AnyModel (*mirrored_model)(const scalar::AnyModel& model);
  scalar::AnyState (*mirrored)(const scalar::AnyState& state);
  std::vector<double> (*state_limits)(const scalar::AnyModel& model);
  std::optional<double> (*breakaway_force)(const scalar::AnyModel& model, double direction);
  std::optional<double> (*dissipativity_margin)(const scalar::AnyModel& model, double velocity);

  [[nodiscard]] std::string_view name() const { return table->info.name; }
  /// How many of a test's cases a model that takes long to step gets.
  [[nodiscard]] int affordable(int cases) const { return name() == "journal-bearing" ? cases / 50 : cases; }
  /// Whether a body that moves the other way meets the same friction. The squeeze force of a film that covers half of
  /// the bearing, 2 ε ε'/q², pushes along the motion of one direction, also in the other.
  [[nodiscard]] bool is_odd() const { return name() != "journal-bearing"; }
};

/// The largest share of its limit that a state takes, among all of a model.
double share_of_limits(const ModelKind& kind, const scalar::AnyModel& model, const scalar::AnyState& state);
/// The size of a force with all its terms, which rounding errors are measured with.
double size_of_force(const scalar::AnyModel& model, const scalar::AnyState& state, double velocity);
/// Whether no contact has switched between two states.
inline bool same_mode(const scalar::AnyState& a, const scalar::AnyState& b) {
  return scalar::AnyModel::modes(a) == scalar::AnyModel::modes(b);
}

const std::vector<ModelKind>& model_kinds();
const ModelKind& kind_named(std::string_view name);

/// The models for which a predicate holds, for INSTANTIATE_TEST_SUITE_P.
template <class Predicate>
auto models_that(Predicate&& holds) {
  std::vector<const ModelKind*> chosen;
  for (const ModelKind& kind : model_kinds()) {
    if (holds(kind)) {
      chosen.push_back(&kind);
    }
  }
  return testing::ValuesIn(chosen);
}
inline auto every_model() {
  return models_that([](const ModelKind&) { return true; });
}
inline auto models_named(const std::vector<std::string_view>& names) {
  return models_that(
      [&](const ModelKind& kind) { return std::find(names.begin(), names.end(), kind.name()) != names.end(); });
}
/// Without '-', which would split the filter by which one test is run.
inline std::string name_of(const testing::TestParamInfo<const ModelKind*>& info) {
  std::string name(info.param->name());
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

class EveryModel : public testing::TestWithParam<const ModelKind*> {
 public:
  const ModelKind& kind = *GetParam();
};

}  // namespace stiction::test
