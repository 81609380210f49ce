// Planar friction parameters and patches, as other bindings take them.
#pragma once

#include <variant>

#include "core.h"
#include "stiction/planar/distributed.h"
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
/// Three or two numbers, of which each must be finite; ValueError.
template <std::size_t N>
std::array<double, N> finite_vector(const py::handle& given, const char* name) {
  const auto v = vector_of<N>(given, name);
  for (const double value : v) {
    if (!finite.holds(value)) {
      throw InvalidParameter(Problem{name, value, finite.text});
    }
  }
  return v;
}
/// The caller's own array of this type, which is not copied; TypeError.
template <class Real>
py::array_t<Real> own_array(const py::handle& given, const char* name) {
  if (!py::isinstance<py::array>(given)) {
    throw py::type_error(std::string(name) + ": must be a NumPy array");
  }
  if (!py::isinstance<py::array_t<Real>>(given)) {
    const auto type = py::str(py::reinterpret_borrow<py::array>(given).dtype());
    throw py::type_error(std::string(name) + " has numbers of type " + py::cast<std::string>(type) + ": must be " +
                         (sizeof(Real) == 4 ? "float32" : "float64"));
  }
  return py::reinterpret_borrow<py::array_t<Real>>(given);
}
inline planar::Twist twist_of(const py::handle& given, const char* name = "twist") {
  return twist_from(vector_of<3>(given, name).data());
}
inline planar::Wrench wrench_of(const py::handle& given, const char* name = "load") {
  return wrench_from(finite_vector<3>(given, name).data());
}
inline planar::Point point_of(const py::handle& given, const char* name) {
  const auto v = finite_vector<2>(given, name);
  return {v[0], v[1]};
}
/// How many there are to be of something; ValueError.
inline std::size_t count_of(std::ptrdiff_t value, const char* name, std::ptrdiff_t most) {
  if (value < 1 || value > most) {
    throw py::value_error(std::string(name) + " = " + std::to_string(value) + ": must be in [1, " +
                          std::to_string(most) + "]");
  }
  return static_cast<std::size_t>(value);
}
inline py::array_t<double> to_array(const planar::Wrench& w) { return to_array(std::array{w.x, w.y, w.torque}); }
inline py::array_t<double> to_array(const planar::Twist& w) { return to_array(std::array{w.x, w.y, w.spin}); }
inline py::array_t<double> to_array(const planar::Point& p) { return to_array(std::array{p.x, p.y}); }

/// A patch that knows the call that made it: "Patch.disc(radius=0.01, …)", or something in angle brackets.
struct Patch : planar::Patch {
  std::string call;
  Patch(planar::Patch patch, std::string text) : planar::Patch(std::move(patch)), call(std::move(text)) {}
};
using PatchPtr = std::shared_ptr<Patch>;

/// A patch of many bristles with the patch that it was made from.
struct Distributed : planar::Distributed {
  PatchPtr patch;
};
/// The limit surface of a patch as a table, with what it was made from.
struct SurfaceTable : planar::SurfaceTable {
  PatchPtr patch;
  std::size_t cells;
};

/// A patch with three states, whatever its limit surface.
using AnyReduced = std::variant<planar::Reduced<planar::SurfaceTable>, planar::Reduced<planar::Ellipsoid>,
                                planar::Reduced<planar::AngleTable>, planar::Reduced<planar::AxisymmetricCurve>>;

struct ReducedModel {
  AnyReduced model;
  PatchPtr patch;  // what it was made from
  std::string surface;
  std::size_t cells = 0;

  template <class F>
  auto visit(const F& f) const {
    return std::visit(f, model);
  }
};

void bind_planar_patches(py::module_& m);
void bind_planar_models(py::module_& m);
void bind_planar_batches(py::module_& m);

}  // namespace stiction::python

template <>
class pybind11::detail::type_caster<stiction::python::PatchPtr>
    : public stiction::python::NotNone<stiction::python::Patch> {};
template <>
class pybind11::detail::type_caster<std::shared_ptr<stiction::python::SurfaceTable>>
    : public stiction::python::NotNone<stiction::python::SurfaceTable> {};
