#include "engine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "stiction/identify/identify.h"

namespace stiction::identify {
namespace {

struct Named {
  const char* name;
  Engine (*engine)();
};
constexpr std::array engines{
    Named{scalar::LuGre::info.name, engine_of<scalar::LuGre>},
    Named{scalar::ElastoPlastic::info.name, engine_of<scalar::ElastoPlastic>},
    Named{scalar::Dahl::info.name, engine_of<scalar::Dahl>},
    Named{scalar::Gms::info.name, engine_of<scalar::Gms>},
    Named{scalar::Stribeck::info.name, engine_of<scalar::Stribeck>},
    Named{scalar::AsymmetricStribeck::info.name, engine_of<scalar::AsymmetricStribeck>},
};

}  // namespace

const std::vector<std::string>& identifiable() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Named& named : engines) {
      list.emplace_back(named.name);
    }
    return list;
  }();
  return names;
}

Engine find_engine(const std::string& model) {
  for (const Named& named : engines) {
    if (model == named.name) {
      return named.engine();
    }
  }
  throw BadData(fmt::format("model = '{}': cannot be identified; must be one of {}, or auto", model,
                            fmt::join(identifiable(), ", ")));
}

}  // namespace stiction::identify
