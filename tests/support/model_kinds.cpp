#include "support/model_kinds.h"

#include "support/models.h"
#include "support/states.h"

namespace stiction::test {
namespace {

using scalar::AnyModel;
using scalar::AnyState;

template <class M>
ModelKind kind_of() {
  ModelKind kind{};
  kind.table = &scalar::TableOf<M>::value;
  kind.drawn = [](const Draw& draw) { return AnyModel(M::make(drawn_params<M>(draw))); };
  kind.mirrored_model = [](const AnyModel& model) { return AnyModel(mirrored_model(*model.as<M>())); };
  kind.mirrored = [](const AnyState& state) { return AnyState(*state.table(), mirrored<M>(state.as<M>())); };
  kind.state_limits = [](const AnyModel& model) {
    const auto limits = state_limits(*model.as<M>());
    return std::vector<double>(limits.begin(), limits.end());
  };
  kind.breakaway_force = [](const AnyModel& model, [[maybe_unused]] double direction) -> std::optional<double> {
    if constexpr (requires(const M& m) { m.breakaway_force(direction); }) {
      return model.as<M>()->breakaway_force(direction);
    } else {
      return std::nullopt;
    }
  };
  kind.dissipativity_margin = [](const AnyModel& model, [[maybe_unused]] double velocity) -> std::optional<double> {
    if constexpr (requires(const M& m) { m.dissipativity_margin(velocity); }) {
      return model.as<M>()->dissipativity_margin(velocity);
    } else {
      return std::nullopt;
    }
  };
  return kind;
}

}  // namespace

double share_of_limits(const ModelKind& kind, const AnyModel& model, const AnyState& state) {
  const auto limits = kind.state_limits(model);
  const auto values = AnyModel::pack(state);
  double largest = 0;
  for (std::size_t i = 0; i < model.states_in_use(); ++i) {
    const double share = std::abs(values[i]) / limits[i];
    largest = share <= largest ? largest : share;  // NaN shows
  }
  return largest;
}

double size_of_force(const AnyModel& model, const AnyState& state, double velocity) {
  const double force = model.force(state, velocity);
  double size = std::abs(force) + std::abs(model.force(model.advance(model.initial(), velocity, 0), velocity));
  for (std::size_t i = 0; i < model.states_in_use(); ++i) {
    auto values = AnyModel::pack(state);
    values[i] += model.typical()[i];
    size += std::abs(model.force(AnyModel::unpack(values, state), velocity) - force);
  }
  return size;
}

const std::vector<ModelKind>& model_kinds() {
  static const std::vector<ModelKind> kinds = []<class... M>(scalar::ModelList<M...>) {
    return std::vector<ModelKind>{kind_of<M>()...};
  }(scalar::RegisteredModels{});
  return kinds;
}

const ModelKind& kind_named(std::string_view name) {
  for (const ModelKind& kind : model_kinds()) {
    if (kind.name() == name) {
      return kind;
    }
  }
  throw std::invalid_argument("no model " + std::string(name));
}

}  // namespace stiction::test
