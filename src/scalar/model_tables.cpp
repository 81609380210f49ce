// The tables of the registered models: here, and here alone, each model is compiled.
#define STICTION_COMPILE_MODEL_TABLES
#include "stiction/scalar/model_table.h"
// After the definition of the tables.
#include "stiction/scalar/registry.h"

namespace stiction::scalar {
namespace {

template <class... M>
constexpr std::array<const ModelTable*, sizeof...(M)> tables_of(ModelList<M...>) noexcept {
  return {&TableOf<M>::value...};
}
constexpr auto tables = tables_of(RegisteredModels{});

}  // namespace

std::span<const ModelTable* const> registered_models() noexcept { return tables; }

const ModelTable* find_model(std::string_view name) noexcept {
  const auto* const found =
      std::find_if(tables.begin(), tables.end(), [&](const ModelTable* table) { return table->info.name == name; });
  return found == tables.end() ? nullptr : *found;
}

}  // namespace stiction::scalar
