// One model to be fitted, type-erased: the fit itself is the same code for all.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "families.h"
#include "follow.h"
#include "stiction/scalar/any_model.h"

namespace stiction::identify {

struct Engine {
  bool elastic = false;  // has a stiffness: presliding is identifiable
  std::function<std::vector<Slot>(const Guess&)> slots;
  std::function<scalar::AnyModel(std::span<const double> p, double exponent)> make;
  /// Why the model with these numbers is invalid; empty if it is valid.
  std::function<std::optional<stiction::Problem>(std::span<const double> p, double exponent)> check;
  std::function<double(std::span<const double> p, double exponent, double velocity)> steady_force;
  std::size_t steady_numbers = 4;  // parameters on which the steady friction depends
  bool differentiable = false;
  double cost = 1;  // of a step, relative to LuGre's
  /// Fills position and torque at each sample, and the sensitivity if requested. Returns the number of steps.
  std::function<std::size_t(std::span<const double> p, double exponent, double mass, const Track&, const Unknowns&,
                            std::span<double> position, std::span<double> torque, Sensitivity*)>
      simulate;
};

template <class Model>
Engine engine_of() {
  using F = Family<Model>;
  Engine engine;
  engine.elastic = Model::order > 0;
  engine.slots = F::slots;
  engine.make = [](std::span<const double> p, double exponent) { return scalar::AnyModel(F::make(p, exponent)); };
  engine.check = [](std::span<const double> p, double exponent) { return Model::check(F::make(p, exponent).params()); };
  engine.steady_numbers = F::steady_numbers;
  engine.steady_force = [](std::span<const double> p, double exponent, double velocity) {
    const Model model = F::make(p, exponent);
    return model.force(model.advance(model.advance({}, velocity, 0), velocity, 1e9), velocity);
  };
  engine.differentiable = Differentiable<Model>;
  engine.cost = F::cost;
  engine.simulate = [](std::span<const double> p, double exponent, double mass, const Track& track,
                       const Unknowns& start, std::span<double> position, std::span<double> torque,
                       Sensitivity* sensitivity) {
    const Plant<Model> plant{F::make(p, exponent), mass};
    if constexpr (Differentiable<Model>) {
      if (sensitivity != nullptr) {
        std::vector<Model> nudged;
        for (std::size_t i = 0; i < p.size(); ++i) {
          std::vector<double> q(p.begin(), p.end());
          q[i] += nudge * sensitivity->slope[static_cast<Eigen::Index>(i)];
          nudged.push_back(F::make(q, exponent));
        }
        return Follower<Model, true>(plant, track, start, nudged, sensitivity).run(position, torque);
      }
    }
    return Follower<Model, false>(plant, track, start).run(position, torque);
  };
  return engine;
}

/// The engine of a model by its name; throws BadData for one that cannot be identified.
Engine find_engine(const std::string& model);

}  // namespace stiction::identify
