// Many patches at once, soft fingers, and stiffness that stays while a patch sticks.
#include <algorithm>
#include <cmath>

#include "planar.h"
#include "stiction/planar/frozen_stiffness.h"
#include "stiction/planar/reduced.h"
#include "stiction/planar/reduced_batch.h"
#include "stiction/planar/soft_finger.h"
#include "value.h"

namespace stiction::python {
namespace {

using planar::Friction;

using SurfaceTables = std::vector<std::shared_ptr<SurfaceTable>>;

template <class Real>
struct Batch {
  using Items = std::vector<typename planar::BasicReducedBatch<Real>::Item>;
  planar::BasicReducedBatch<Real> batch;
  SurfaceTables surfaces;  // what it was made from, in its present sizes
  Items items;
  OwnFlag busy = {};

  Batch(const SurfaceTables& given, const Items& patches)
      : batch(std::vector<planar::SurfaceTable>(tables_of(given)), patches), surfaces(given), items(patches) {}

 private:
  static std::vector<planar::SurfaceTable> tables_of(const SurfaceTables& given) {
    std::vector<planar::SurfaceTable> tables;
    for (const auto& table : given) {
      tables.push_back(*table);
    }
    return tables;
  }
};
template <class Real>
py::dict parts_of(const Batch<Real>& b) {
  const auto column = [&](auto member) {
    py::array_t<double> values(static_cast<py::ssize_t>(b.items.size()));
    std::transform(b.items.begin(), b.items.end(), values.mutable_data(),
                   [&](const auto& item) { return static_cast<double>(item.*member); });
    return values;
  };
  using Item = typename planar::BasicReducedBatch<Real>::Item;
  const auto same = [&](const Item& item) { return item.friction == b.items.front().friction; };
  py::dict parts;
  parts["surfaces"] = b.surfaces;
  if (!b.items.empty() && std::all_of(b.items.begin(), b.items.end(), same)) {
    parts["friction"] = b.items.front().friction;
  } else {
    py::list all;
    for (const Item& item : b.items) {
      all.append(item.friction);
    }
    parts["friction"] = all;
  }
  parts["torque_radius"] = column(&Item::torque_radius);
  parts["mean_square_radius"] = column(&Item::mean_square_radius);
  parts["surface"] = column(&Item::surface);
  return parts;
}

template <class Real>
std::span<Real> columns_of(const py::handle& given, const char* name, std::size_t n, bool written) {
  const auto array = own_array<Real>(given, name);
  if (array.ndim() != 2 || array.shape(0) != 3 || array.shape(1) != static_cast<py::ssize_t>(n) ||
      (array.flags() & py::array::c_style) == 0 || (written && !array.writeable())) {
    throw py::value_error(std::string(name) + " has shape " + shape_text(array) + ": must be (3, " + std::to_string(n) +
                          "), in rows" + (written ? " and writeable" : ""));
  }
  return {const_cast<Real*>(array.data()), 3 * n};
}

template <class Real>
void bind_batch(py::module_& m, const char* name) {
  using Item = typename planar::BasicReducedBatch<Real>::Item;
  using Array = py::array_t<Real>;
  using Own = std::conditional_t<sizeof(Real) == 4, As<"NDArray[float32]">, As<"NDArray[float64]">>;
  py::class_<Batch<Real>> bound(
      m, name,
      "Many patches with three states each, in columns: states, twists and wrenches are (3, n). States "
      "are a value: `step` returns new ones, or with out=states writes them there and copies "
      "nothing.");
  bind_value(bound, &parts_of<Real>);
  bound
      .def(py::init([](const SurfaceTables& surfaces,
                       const As<"stiction.planar.Friction | Sequence[stiction.planar.Friction]">& friction,
                       const ArrayLike& torque_radius, const ArrayLike& mean_square_radius, const ArrayLike& surface) {
             const auto radii = table_of(torque_radius, "torque_radius", {-1});
             const auto n = static_cast<std::size_t>(radii.shape(0));
             const Argument squares(mean_square_radius, "mean_square_radius", n);
             const Argument which(surface, "surface", n);
             std::vector<Friction> frictions;
             if (py::isinstance<Friction>(friction)) {
               frictions.push_back(py::cast<Friction>(friction));
             } else {
               frictions =
                   cast_argument<std::vector<Friction>>(friction, "friction", "a planar.Friction, or a list of them");
               if (frictions.size() != n) {
                 throw py::value_error(std::to_string(frictions.size()) + " frictions for " + std::to_string(n) +
                                       " patches");
               }
             }
             std::vector<Item> items(n);
             for (std::size_t i = 0; i < n; ++i) {
               const double chosen = which.numbers()[i];
               if (!(chosen >= 0 && chosen < static_cast<double>(surfaces.size()) && chosen == std::floor(chosen))) {
                 throw InvalidParameter(Problem{"surface", chosen, "the index of one of the surfaces"});
               }
               items[i] = {frictions[frictions.size() == 1 ? 0 : i], static_cast<std::size_t>(chosen), radii.data()[i],
                           squares.numbers()[i]};
             }
             return std::make_unique<Batch<Real>>(surfaces, items);
           }),
           py::arg("surfaces"), py::arg("friction"), py::arg("torque_radius"), py::arg("mean_square_radius"),
           py::arg("surface") = 0,
           "surfaces: SurfaceTables; friction: one for all, or a list of n; torque_radius (n,) [m]; "
           "mean_square_radius (n,) [m^2]; surface: which of the tables, (n,) or one for all.")
      .def("__len__", [](const Batch<Real>& b) { return b.batch.size(); })
      .def(
          "states",
          [](const Batch<Real>& b) {
            Array z({std::size_t{3}, b.batch.size()});
            std::fill_n(z.mutable_data(), z.size(), Real(0));
            return z;
          },
          "States at rest without load, (3, n).")
      .def(
          "resize",
          [](Batch<Real>& b, std::size_t patch, double r, double u) {
            if (patch >= b.batch.size()) {
              throw py::index_error("there are " + std::to_string(b.batch.size()) + " patches");
            }
            const InUse guard(b.busy.flag, "this batch is");
            if (!b.batch.resize(patch, r, u)) {
              throw InvalidParameter(*planar::check(planar::PressureMoments{r, u, {}}));
            }
            b.items[patch].torque_radius = r;
            b.items[patch].mean_square_radius = u;
          },
          py::arg("patch"), py::arg("torque_radius"), py::arg("mean_square_radius"),
          "Gives a patch, by its number, another size of the same shape [m], [m^2].")
      .def(
          "step",
          [](Batch<Real>& b, const Own& states, const Own& twists, const Own& forces, double dt, const Own& out,
             const Own& wrench_out) {
            const std::size_t n = b.batch.size();
            const auto now = columns_of<Real>(states, "states", n, false);
            const auto v = columns_of<Real>(twists, "twists", n, false);
            const auto normal_forces = own_array<Real>(forces, "normal_forces");
            if (normal_forces.ndim() != 1 || normal_forces.shape(0) != static_cast<py::ssize_t>(n) ||
                (normal_forces.flags() & py::array::c_style) == 0) {
              throw py::value_error("normal_forces has shape " + shape_text(normal_forces) + ": must be (" +
                                    std::to_string(n) + ",)");
            }
            const std::span<const Real> f(normal_forces.data(), n);
            if (const auto negative = std::find_if(f.begin(), f.end(), [](Real force) { return force < 0; });
                negative != f.end()) {
              throw InvalidParameter(Problem{"normal_forces", static_cast<double>(*negative), non_negative.text});
            }
            checked_dt(dt);
            const auto room = [&](const py::object& given, const char* name) {
              return given.is_none() ? Array({std::size_t{3}, n}) : own_array<Real>(given, name);
            };
            const Array next = room(out, "out");
            const Array wrenches = room(wrench_out, "wrench_out");
            const auto z = columns_of<Real>(next, "out", n, true);
            const auto w = columns_of<Real>(wrenches, "wrench_out", n, true);
            std::memmove(z.data(), now.data(), now.size_bytes());  // out may overlap the states
            {
              const InUse guard(b.busy.flag, "this batch is");
              const py::gil_scoped_release release;
              b.batch.step(z, v, f, static_cast<Real>(dt), w);
            }
            return std::pair(wrenches, next);
          },
          py::arg("states"), py::arg("twists"), py::arg("normal_forces"), py::arg("dt"), py::kw_only(),
          py::arg("out") = py::none(), py::arg("wrench_out") = py::none(),
          "(wrenches, states), both (3, n), after dt [s] at constant twists (3, n) under normal forces (n,) [N]. NaN "
          "shows in its own patch. out and wrench_out: arrays for the results; out may be the states.");
}

void bind_soft_finger(py::module_& m) {
  using planar::SoftFinger;
  const auto of_force = [](double (SoftFinger::*function)(double) const noexcept) {
    return [function](const SoftFinger& finger, double normal_force) {
      return (finger.*function)(checked_non_negative(normal_force, "normal_force"));
    };
  };
  py::class_<SoftFinger> finger(m, "SoftFinger", "A soft finger: p ~ [1 - (rho/a)^k]^(1/k), a = reach f_N^(1/3) [m].");
  bind_value(finger, [](const SoftFinger& f) {
    py::dict parts;
    parts["reach"] = f.reach;
    parts["exponent"] = f.exponent;
    parts["per_newton"] = f.per_newton;
    parts["largest"] = f.largest;
    return parts;
  });
  finger
      .def(py::init([](double reach, double exponent, bool per_newton, double largest) {
             const SoftFinger finger{reach, exponent, per_newton, largest};
             if (const auto problem = planar::check(finger)) {
               throw InvalidParameter(*problem);
             }
             return finger;
           }),
           py::arg("reach"), py::arg("exponent") = 2.0, py::arg("per_newton") = false, py::arg("largest") = infinity,
           "reach [m/N^(1/3)]; exponent k, or k per newton; largest radius [m].")
      .def("radius", of_force(&SoftFinger::radius), py::arg("normal_force"), "[m]")
      .def("power", of_force(&SoftFinger::power), py::arg("normal_force"), "k")
      .def("torque_radius", of_force(&SoftFinger::torque_radius), py::arg("normal_force"), "[m]")
      .def("mean_square_radius", of_force(&SoftFinger::mean_square_radius), py::arg("normal_force"), "[m^2]");
  m.def(
      "soft_finger_pressure",
      [](double radius, double exponent) { return planar::soft_finger_pressure(radius, exponent); }, py::arg("radius"),
      py::arg("exponent"), "The pressure(x, y) of a soft finger, for Patch.function.");

  struct Finger {
    planar::SoftFingerModel finger;
    Friction friction;  // what it was made from
    double max_force;
  };
  py::class_<Finger> model(m, "SoftFingerModel", "A soft finger under a changing load, with three states z (3,).");
  bind_value(model, [](const Finger& f) {
    py::dict parts;
    parts["friction"] = f.friction;
    parts["finger"] = f.finger.finger;
    parts["max_force"] = f.max_force;
    return parts;
  });
  model
      .def(py::init([](const Friction& friction, const SoftFinger& finger, double max_force) {
             return Finger{planar::SoftFingerModel::make(friction, finger, max_force), friction, max_force};
           }),
           py::arg("friction"), py::arg("finger"), py::arg("max_force"), "For loads up to max_force [N].")
      .def(
          "step",
          [](Finger& f, const ArrayLike& z, const ArrayLike& twist, double normal_force, double dt) {
            const auto at = vector_of<3>(z, "z");
            checked_non_negative(normal_force, "normal_force");
            checked_dt(dt);
            planar::press(f.finger.model, f.finger.finger, normal_force);
            const auto next = f.finger.model.step({at[0], at[1], at[2]}, twist_of(twist), normal_force, dt);
            return std::pair(to_array(next.wrench),
                             to_array(std::array{next.state.x, next.state.y, next.state.rotation}));
          },
          py::arg("z"), py::arg("twist"), py::arg("normal_force"), py::arg("dt"),
          "Presses the finger with the normal force [N], then (wrench, state) after dt [s].");

  using Frozen = planar::FrozenStiffness<planar::SurfaceTable>;
  py::class_<Frozen> frozen(
      m, "FrozenStiffness",
      "A patch whose stiffness does not follow the normal force while it sticks. It keeps its state.");
  bind_no_value(frozen, "keep its friction and patch, and make it again");
  frozen
      .def(py::init([](const Friction& friction, const Patch& patch, std::ptrdiff_t cells) {
             return Frozen(planar::Reduced<planar::SurfaceTable>::make(
                 {friction, patch.pressure_moments(), planar::SurfaceTable(patch, count_of(cells, "cells", 1000))}));
           }),
           py::arg("friction"), py::arg("patch"), py::arg("cells") = 24)
      .def(
          "press", [](Frozen& f, double force) { f.press(checked_non_negative(force, "normal_force")); },
          py::arg("normal_force"), "Before each step under another load [N].")
      .def(
          "step",
          [](Frozen& f, const ArrayLike& twist, double dt) {
            return to_array(f.step(twist_of(twist), checked_dt(dt)));
          },
          py::arg("twist"), py::arg("dt"), "The wrench after dt [s] at a constant twist.");
}

}  // namespace

void bind_planar_batches(py::module_& m) {
  bind_batch<double>(m, "ReducedBatch");
  bind_batch<float>(m, "ReducedBatchF");
  bind_soft_finger(m);
}

}  // namespace stiction::python
