// Planar friction parameters and patches, as other bindings take them.
#pragma once

#include <variant>

#include "core.h"
#include "stiction/planar/friction.h"
#include "stiction/planar/patch.h"
#include "stiction/planar/reduced.h"

namespace stiction::python {

inline planar::Twist twist_from(const double* v) noexcept { return {v[0], v[1], v[2]}; }
inline planar::Wrench wrench_from(const double* v) noexcept { return {v[0], v[1], v[2]}; }
inline void put(const planar::Wrench& w, double* out) noexcept {
  out[0] = w.x;
  out[1] = w.y;
  out[2] = w.torque;
}
inline void put(const planar::Twist& w, double* out) noexcept {
  out[0] = w.x;
  out[1] = w.y;
  out[2] = w.spin;
}
inline planar::Twist twist_of(const py::handle& given, const char* name = "twist") {
  return twist_from(vector_of<3>(given, name).data());
}
inline planar::Wrench wrench_of(const py::handle& given, const char* name = "load") {
  return wrench_from(vector_of<3>(given, name).data());
}
inline planar::Point point_of(const py::handle& given, const char* name) {
  const auto v = vector_of<2>(given, name);
  return {v[0], v[1]};
}
inline py::array_t<double> to_array(const planar::Wrench& w) { return to_array(std::array{w.x, w.y, w.torque}); }
inline py::array_t<double> to_array(const planar::Twist& w) { return to_array(std::array{w.x, w.y, w.spin}); }
inline py::array_t<double> to_array(const planar::Point& p) { return to_array(std::array{p.x, p.y}); }

/// A patch with three states, whatever its limit surface.
using AnyReduced = std::variant<planar::Reduced<planar::SurfaceTable>, planar::Reduced<planar::Ellipsoid>,
                                planar::Reduced<planar::AngleTable>, planar::Reduced<planar::AxisymmetricCurve>>;

struct ReducedModel {
  AnyReduced model;

  template <class F>
  auto visit(const F& f) const {
    return std::visit(f, model);
  }
};

void bind_planar_patches(py::module_& m);
void bind_planar_models(py::module_& m);

}  // namespace stiction::python
