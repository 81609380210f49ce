// Dynamic friction of patches: many bristles, and three states.
#include <algorithm>
#include <cmath>
#include <variant>

#include "planar.h"
#include "stiction/planar/distributed.h"
#include "stiction/planar/reduced.h"
#include "value.h"

namespace stiction::python {
namespace {

using planar::Friction;

Friction friction_from(const py::kwargs& given) {
  // "static" is the name in files; Python reads static_level, as the field is called in C++
  py::kwargs named = given.attr("copy")();
  if (named.contains("static_level")) {
    named["static"] = named.attr("pop")("static_level");
  }
  auto friction = params_from<Friction>(named, "Friction", {"elasto_plastic"}, planar::friction_fields);
  friction.elasto_plastic = !named.contains("elasto_plastic") || py::cast<bool>(named["elasto_plastic"]);
  if (const auto problem = planar::check(friction)) {
    throw InvalidParameter(*problem);
  }
  return friction;
}

void bind_friction(py::module_& m) {
  py::class_<Friction> bound(
      m, "Friction",
      ("Friction of a patch per newton of normal force (Waltersson and Karayiannidis, Table I). "
       "By keyword:\n" +
       describe_fields(planar::friction_fields) + "    elasto_plastic: else LuGre, which creeps; default True\n")
          .c_str());
  bound.def(py::init(&friction_from));
  py::list rows;
  for (const py::handle row : table_of_fields(planar::friction_fields)) {
    if (py::cast<std::string>(row["name"]) == "static") {
      row["name"] = "static_level";
    }
    rows.append(row);
  }
  py::dict last;
  last["name"] = "elasto_plastic";
  last["unit"] = "-";
  last["range"] = "True or False";
  last["default"] = true;
  last["meaning"] = "else LuGre, which creeps";
  rows.append(last);
  bound.attr("fields") = py::tuple(rows);
  for (const auto& field : planar::friction_fields) {
    const std::string name = std::string(field.name) == "static" ? "static_level" : field.name;
    const std::string doc = std::string(field.meaning) + " [" + field.unit + "]; " + field.range.text + ".";
    bound.def_property_readonly(
        name.c_str(), [member = field.member](const Friction& f) { return f.*member; }, doc.c_str());
  }
  bound.def_readonly("elasto_plastic", &Friction::elasto_plastic, "Else LuGre, which creeps.")
      .def_static("waltersson_p0", &planar::preset::waltersson_p0, "The paper's set without Stribeck effect.")
      .def_static("waltersson_p1", &planar::preset::waltersson_p1, "The paper's set with it.");
  bind_value(bound, [](const Friction& f) {
    py::dict parts;
    for (const auto& field : planar::friction_fields) {
      parts[std::string(field.name) == "static" ? "static_level" : field.name] = f.*field.member;
    }
    parts["elasto_plastic"] = f.elasto_plastic;
    return parts;
  });
}

// Many bristles -----------------------------------------------------------------------------------------------------

/// Bristles as given, (2, points).
Table bristles_of(const ArrayLike& z, const Distributed& model) {
  return table_of(z, "z", {2, static_cast<py::ssize_t>(model.size())});
}
std::span<const double> span_of(const Table& z) { return {z.data(), static_cast<std::size_t>(z.size())}; }

/// Bristles to be moved on: a copy of z, in the caller's array `out` where there is one.
struct Next {
  py::array_t<double> array;

  Next(const ArrayLike& z, const Distributed& model, const Floats& out)
      : array(out.is_none() ? py::array_t<double>({std::size_t{2}, model.size()}) : own_array<double>(out, "out")) {
    const Table now = bristles_of(z, model);
    if (array.ndim() != 2 || array.shape(0) != 2 || array.shape(1) != now.shape(1) || !array.writeable() ||
        (array.flags() & py::array::c_style) == 0) {
      throw py::value_error("out has shape " + shape_text(array) + ": must be (2, " + std::to_string(model.size()) +
                            "), in rows and writeable");
    }
    std::memmove(array.mutable_data(), now.data(), model.state_size() * sizeof(double));  // out may overlap z
  }
  std::span<double> span() { return {array.mutable_data(), static_cast<std::size_t>(array.size())}; }
};

void bind_distributed(py::module_& m) {
  py::class_<Distributed> bound(
      m, "Distributed",
      "A patch of many bristles. A state z is an array (2, points) [m] and a value: calls return a "
      "new one. With out=z they write it there instead, to save the copy.");
  bind_value(
      bound,
      [](const Distributed& d) {
        py::dict parts;
        parts["friction"] = d.params().friction;
        parts["patch"] = d.patch;
        parts["shares"] = to_array(std::vector<double>(d.shares().begin(), d.shares().end()));
        return parts;
      },
      [](const py::dict& parts) {
        const auto patch = py::cast<PatchPtr>(parts["patch"]);
        Distributed made{planar::Distributed::make({py::cast<Friction>(parts["friction"]), *patch}), patch};
        if (!made.set_shares(py::cast<std::vector<double>>(parts["shares"]))) {
          throw py::value_error("the shares are not those of the patch");
        }
        return made;
      });
  bound
      .def("__repr__",
           [](const py::object& self) {
             const auto& d = py::cast<const Distributed&>(self);
             py::dict parts;
             parts["friction"] = d.params().friction;
             parts["patch"] = d.patch;
             const auto& given = d.patch->points().share;
             const bool own = !std::equal(given.begin(), given.end(), d.shares().begin(), d.shares().end());
             return own ? "<Distributed of " + std::to_string(d.size()) + " points with shares of their own>"
                        : call_text("Distributed", parts);
           })
      .def(py::init([](const Friction& friction, const PatchPtr& patch) {
             return Distributed{planar::Distributed::make({friction, *patch}), patch};
           }),
           py::arg("friction"), py::arg("patch"))
      .def("__len__", [](const Distributed& d) { return d.size(); })
      .def_property_readonly(
          "friction", [](const Distributed& d) { return d.params().friction; }, "As it was given.")
      .def_property_readonly(
          "shares", [](const py::object& self) { return view_of(py::cast<const Distributed&>(self).shares(), self); },
          "Of the normal force, of sum 1, a view.")
      .def(
          "with_shares",
          [](const Distributed& d, const ArrayLike& shares) {
            const Table values = table_of(shares, "shares", {static_cast<py::ssize_t>(d.size())});
            Distributed other = d;
            double sum = 0;
            for (std::size_t i = 0; i < d.size(); ++i) {
              checked_non_negative(values.data()[i], "shares");
              sum += values.data()[i];
            }
            if (!other.set_shares({values.data(), d.size()})) {
              throw InvalidParameter(Problem{"shares (their sum)", sum, "1 within 1e-6"});
            }
            return other;
          },
          py::arg("shares"), "Another distribution of the normal force over the same points, of sum 1.")
      .def(
          "state",
          [](const Distributed& d) {
            py::array_t<double> z({std::size_t{2}, d.size()});
            std::fill_n(z.mutable_data(), z.size(), 0.0);
            return z;
          },
          "Bristles that are not bent.")
      .def(
          "wrench",
          [](const Distributed& d, const ArrayLike& z, const ArrayLike& twist, double normal_force) {
            const Table bristles = bristles_of(z, d);
            checked_non_negative(normal_force, "normal_force");
            return to_array(d.wrench(span_of(bristles), twist_of(twist), normal_force));
          },
          py::arg("z"), py::arg("twist"), py::arg("normal_force"), "(3,) [N, N, N m]")
      .def(
          "rate",
          [](const Distributed& d, const ArrayLike& z, const ArrayLike& twist, double normal_force) {
            const Table bristles = bristles_of(z, d);
            checked_non_negative(normal_force, "normal_force");
            py::array_t<double> rates({std::size_t{2}, d.size()});
            const auto wrench =
                d.rate(span_of(bristles), twist_of(twist), normal_force, {rates.mutable_data(), d.state_size()});
            return std::pair(rates, to_array(wrench));
          },
          py::arg("z"), py::arg("twist"), py::arg("normal_force"), "(dz/dt, wrench), for ODE solvers.")
      .def(
          "advance",
          [](const Distributed& d, const ArrayLike& z, const ArrayLike& twist, double dt,
             const As<"NDArray[float64]">& out) {
            const auto v = twist_of(twist);
            checked_dt(dt);
            Next next(z, d, out);
            const auto bristles = next.span();
            {
              const py::gil_scoped_release release;
              d.advance(bristles, v, dt);
            }
            return next.array;
          },
          py::arg("z"), py::arg("twist"), py::arg("dt"), py::kw_only(), py::arg("out") = py::none(),
          "The state after dt [s] at a constant twist.")
      .def(
          "step",
          [](const Distributed& d, const ArrayLike& z, const ArrayLike& twist, double normal_force, double dt,
             const As<"NDArray[float64]">& out) {
            const auto v = twist_of(twist);
            checked_non_negative(normal_force, "normal_force");
            checked_dt(dt);
            Next next(z, d, out);
            const auto bristles = next.span();
            planar::Wrench wrench;
            {
              const py::gil_scoped_release release;
              wrench = d.step(bristles, v, normal_force, dt);
            }
            return std::pair(to_array(wrench), next.array);
          },
          py::arg("z"), py::arg("twist"), py::arg("normal_force"), py::arg("dt"), py::kw_only(),
          py::arg("out") = py::none(), "(wrench, state) after dt [s] at a constant twist.")
      .def(
          "run",
          [](const Distributed& d, const ArrayLike& z, const ArrayLike& twists, const ArrayLike& normal_force,
             double dt, const As<"NDArray[float64]">& out) {
            const Table v = table_of(twists, "twists", {-1, 3});
            const auto n = static_cast<std::size_t>(v.shape(0));
            const Argument force(normal_force, "normal_force", n);
            force.require_non_negative("normal_force", n);
            checked_dt(dt);
            Next next(z, d, out);
            const auto bristles = next.span();
            const auto wrenches = map_rows<3, 3>(v, "twists", [&](std::size_t i, const double* twist, double* wrench) {
              put(d.step(bristles, twist_from(twist), force.numbers()[i], dt), wrench);
            });
            return std::pair(wrenches, next.array);
          },
          py::arg("z"), py::arg("twists"), py::arg("normal_force"), py::arg("dt"), py::kw_only(),
          py::arg("out") = py::none(), "`step` for each row of twists (n, 3) in turn: (wrenches (n, 3), state).")
      .def(
          "euler_step",
          [](const Distributed& d, const ArrayLike& z, const ArrayLike& twist, double normal_force, double dt,
             bool bounded, const As<"NDArray[float64]">& out) {
            const auto v = twist_of(twist);
            checked_non_negative(normal_force, "normal_force");
            checked_dt(dt);
            Next next(z, d, out);
            const auto wrench = d.euler_step(next.span(), v, normal_force, dt, bounded);
            return std::pair(to_array(wrench), next.array);
          },
          py::arg("z"), py::arg("twist"), py::arg("normal_force"), py::arg("dt"), py::arg("bounded") = false,
          py::kw_only(), py::arg("out") = py::none(), "The authors' explicit step, to reproduce their numbers.");
}

// Three states ------------------------------------------------------------------------------------------------------

template <class Model>
typename Model::State state_from(const double* z) noexcept {
  return {z[0], z[1], z[2]};
}
template <class State>
void put_state(const State& z, double* out) noexcept {
  out[0] = z.x;
  out[1] = z.y;
  out[2] = z.rotation;
}

/// State, twist and normal force for one patch, (3,), (3,) and a number, or for n of them.
struct Rows {
  Table z, twist;
  std::size_t n;
  bool many;
  Argument normal_force;

  Rows(const ArrayLike& states, const ArrayLike& twists, const ArrayLike& force)
      : z(numbers_of(states, "z")),
        twist(numbers_of(twists, "twist")),
        n(z.ndim() == 2 ? static_cast<std::size_t>(z.shape(0)) : 1),
        many(z.ndim() == 2),
        normal_force(force, "normal_force", n) {
    const std::vector<py::ssize_t> shape =
        many ? std::vector<py::ssize_t>{static_cast<py::ssize_t>(n), 3} : std::vector<py::ssize_t>{3};
    table_of(z, "z", shape);
    table_of(twist, "twist", shape);
    normal_force.require_non_negative("normal_force", n);
  }
  [[nodiscard]] py::array_t<double> result() const {
    return py::array_t<double>(many ? std::vector<std::size_t>{n, 3} : std::vector<std::size_t>{3});
  }
};

using SurfaceName = OneOf<"Literal['table', 'ellipsoid', 'angles', 'axisymmetric']">;

ReducedModel make_reduced(const Friction& friction, const PatchPtr& patch, const SurfaceName& chosen,
                          std::optional<std::ptrdiff_t> cells) {
  const std::string surface = chosen;
  const auto count = [&](std::ptrdiff_t fallback) { return count_of(cells.value_or(fallback), "cells", 1000); };
  const auto make = [&]<class Surface>(const Surface& table, std::size_t used) {
    return ReducedModel{planar::Reduced<Surface>::make({friction, patch->pressure_moments(), table}), patch, surface,
                        used};
  };
  if (surface == "table") {
    return make(planar::SurfaceTable(*patch, count(24)), count(24));
  }
  if (surface == "ellipsoid") {
    return make(planar::Ellipsoid{}, count(1));
  }
  if (surface == "angles") {
    return make(planar::AngleTable(*patch, count(20)), count(20));
  }
  if (surface == "axisymmetric") {
    return make(planar::AxisymmetricCurve(*patch, count(64)), count(64));
  }
  throw py::value_error("there is no surface '" + surface + "'; there are table, ellipsoid, angles, axisymmetric");
}
ReducedModel resized(ReducedModel model, double torque_radius, double mean_square_radius) {
  if (const auto problem = planar::check(planar::PressureMoments{torque_radius, mean_square_radius, {}})) {
    throw InvalidParameter(*problem);
  }
  std::visit([&](auto& x) { x.resize(torque_radius, mean_square_radius); }, model.model);
  return model;
}
py::dict made_of(const ReducedModel& r) {
  py::dict parts;
  parts["friction"] = r.visit([](const auto& x) { return x.params().friction; });
  parts["patch"] = r.patch;
  parts["surface"] = r.surface;
  parts["cells"] = r.cells;
  return parts;
}

void bind_reduced(py::module_& m) {
  py::class_<ReducedModel> bound(
      m, "Reduced",
      "A patch with three states z (3,): x, y [m] and rotation [m^2]; or n patches of the same model, "
      "(n, 3). A state is a value: calls return a new one. NaN in a state or a twist shows in its "
      "row.");
  bind_value(
      bound,
      [](const ReducedModel& r) {
        py::dict parts = made_of(r);
        r.visit([&](const auto& x) {
          parts["size"] = py::make_tuple(x.params().pressure.torque_radius, x.params().pressure.mean_square_radius);
        });
        return parts;
      },
      [](const py::dict& parts) {
        const auto size = py::cast<std::array<double, 2>>(parts["size"]);
        return resized(make_reduced(py::cast<Friction>(parts["friction"]), py::cast<PatchPtr>(parts["patch"]),
                                    py::cast<py::str>(parts["surface"]), py::cast<std::ptrdiff_t>(parts["cells"])),
                       size[0], size[1]);
      });
  bound
      .def("__repr__",
           [](const ReducedModel& r) {
             const std::string made = call_text("Reduced", made_of(r));
             return r.visit([&](const auto& x) {
               const auto& now = x.params().pressure;
               const bool same = now.torque_radius == r.patch->torque_radius() &&
                                 now.mean_square_radius == r.patch->mean_square_radius();
               return same ? py::str(made)
                           : py::str("{}.resized({!r}, {!r})").format(made, now.torque_radius, now.mean_square_radius);
             });
           })
      .def(py::init(&make_reduced), py::arg("friction"), py::arg("patch"), py::arg("surface") = "table",
           py::arg("cells") = py::none(),
           "surface: 'table', 'ellipsoid' (no table), 'angles' (the paper's) or 'axisymmetric' (discs).")
      .def_property_readonly(
          "friction", [](const ReducedModel& r) { return r.visit([](const auto& x) { return x.params().friction; }); },
          "As it was given.")
      .def_property_readonly(
          "torque_radius",
          [](const ReducedModel& r) {
            return r.visit([](const auto& x) { return x.params().pressure.torque_radius; });
          },
          "[m]")
      .def_property_readonly(
          "mean_square_radius",
          [](const ReducedModel& r) {
            return r.visit([](const auto& x) { return x.params().pressure.mean_square_radius; });
          },
          "[m^2]")
      .def("resized", &resized, py::arg("torque_radius"), py::arg("mean_square_radius"),
           "The same shape in another size [m], [m^2].")
      .def(
          "surface",
          [](const ReducedModel& r, const ArrayLike& v) {
            return r.visit([&](const auto& x) {
              return map_rows<3, 3>(v, "v", [&](std::size_t, const double* in, double* out) {
                const auto h = x.params().surface({in[0], in[1], in[2]});
                std::copy(h.begin(), h.end(), out);
              });
            });
          },
          py::arg("v"), "h: (f_x, f_y, torque/r) for mu f_N = 1 of a motion (v_x, v_y, r spin), one or many.")
      .def(
          "state",
          [](const ReducedModel&) {
            return to_array(std::array{0.0, 0.0, 0.0});
          },
          "The state at rest without load, (3,).")
      .def(
          "rate",
          [](const ReducedModel& r, const ArrayLike& z, const ArrayLike& twist) {
            const Rows rows(z, twist, py::float_(1.0));
            auto result = rows.result();
            double* const out = result.mutable_data();
            r.visit([&]<class M>(const M& x) {
              const py::gil_scoped_release release;
              for (std::size_t i = 0; i < rows.n; ++i) {
                put_state(x.rate(state_from<M>(rows.z.data() + 3 * i), twist_from(rows.twist.data() + 3 * i)),
                          out + 3 * i);
              }
            });
            return result;
          },
          py::arg("z"), py::arg("twist"), "dz/dt, for ODE solvers.")
      .def(
          "wrench",
          [](const ReducedModel& r, const ArrayLike& z, const ArrayLike& twist, const ArrayLike& normal_force) {
            const Rows rows(z, twist, normal_force);
            auto result = rows.result();
            double* const out = result.mutable_data();
            r.visit([&]<class M>(const M& x) {
              const py::gil_scoped_release release;
              for (std::size_t i = 0; i < rows.n; ++i) {
                put(x.wrench(state_from<M>(rows.z.data() + 3 * i), twist_from(rows.twist.data() + 3 * i),
                             rows.normal_force.numbers()[i]),
                    out + 3 * i);
              }
            });
            return result;
          },
          py::arg("z"), py::arg("twist"), py::arg("normal_force"), "(f_x, f_y, torque) [N, N, N m]")
      .def(
          "advance",
          [](const ReducedModel& r, const ArrayLike& z, const ArrayLike& twist, double dt) {
            const Rows rows(z, twist, py::float_(1.0));
            checked_dt(dt);
            auto result = rows.result();
            double* const out = result.mutable_data();
            r.visit([&]<class M>(const M& x) {
              const py::gil_scoped_release release;
              for (std::size_t i = 0; i < rows.n; ++i) {
                put_state(x.advance(state_from<M>(rows.z.data() + 3 * i), twist_from(rows.twist.data() + 3 * i), dt),
                          out + 3 * i);
              }
            });
            return result;
          },
          py::arg("z"), py::arg("twist"), py::arg("dt"), "The state after dt [s] at a constant twist.")
      .def(
          "step",
          [](const ReducedModel& r, const ArrayLike& z, const ArrayLike& twist, const ArrayLike& normal_force,
             double dt) {
            const Rows rows(z, twist, normal_force);
            checked_dt(dt);
            auto wrench = rows.result();
            auto state = rows.result();
            double* const out_wrench = wrench.mutable_data();
            double* const out_state = state.mutable_data();
            r.visit([&]<class M>(const M& x) {
              const py::gil_scoped_release release;
              for (std::size_t i = 0; i < rows.n; ++i) {
                const auto next = x.step(state_from<M>(rows.z.data() + 3 * i), twist_from(rows.twist.data() + 3 * i),
                                         rows.normal_force.numbers()[i], dt);
                put(next.wrench, out_wrench + 3 * i);
                put_state(next.state, out_state + 3 * i);
              }
            });
            return std::pair(wrench, state);
          },
          py::arg("z"), py::arg("twist"), py::arg("normal_force"), py::arg("dt"), "(wrench, state) after dt [s].")
      .def(
          "euler_step",
          [](const ReducedModel& r, const ArrayLike& z, const ArrayLike& twist, double normal_force, double dt,
             bool bounded) {
            const Rows rows(z, twist, py::float_(normal_force));
            checked_dt(dt);
            auto wrench = rows.result();
            auto state = rows.result();
            r.visit([&]<class M>(const M& x) {
              for (std::size_t i = 0; i < rows.n; ++i) {
                const auto next = x.euler_step(state_from<M>(rows.z.data() + 3 * i),
                                               twist_from(rows.twist.data() + 3 * i), normal_force, dt, bounded);
                put(next.wrench, wrench.mutable_data() + 3 * i);
                put_state(next.state, state.mutable_data() + 3 * i);
              }
            });
            return std::pair(wrench, state);
          },
          py::arg("z"), py::arg("twist"), py::arg("normal_force"), py::arg("dt"), py::arg("bounded") = false,
          "The authors' explicit step, to reproduce their numbers.");

  py::class_<SurfaceTable, std::shared_ptr<SurfaceTable>> table(
      m, "SurfaceTable", "The limit surface of a patch as a table, which batches of patches share.");
  bind_value(table, [](const SurfaceTable& s) {
    py::dict parts;
    parts["patch"] = s.patch;
    parts["cells"] = s.cells;
    return parts;
  });
  table
      .def(py::init([](const PatchPtr& patch, std::ptrdiff_t cells) {
             const std::size_t n = count_of(cells, "cells", 1000);
             return SurfaceTable{planar::SurfaceTable(*patch, n), patch, n};
           }),
           py::arg("patch"), py::arg("cells") = 24)
      .def_readonly("cells", &SurfaceTable::cells, "Along each side of its faces.")
      .def(
          "__call__",
          [](const SurfaceTable& table, const ArrayLike& v) {
            return map_rows<3, 3>(v, "v", [&](std::size_t, const double* in, double* out) {
              const auto h = table({in[0], in[1], in[2]});
              std::copy(h.begin(), h.end(), out);
            });
          },
          py::arg("v"), "(f_x, f_y, torque/r) for mu f_N = 1 of a motion (v_x, v_y, r spin), one or many.")
      .def(
          "gradient",
          [](const SurfaceTable& table, const ArrayLike& v) {
            const auto at = vector_of<3>(v, "v");
            const auto rows = table.gradient(at);
            py::array_t<double> result({3, 3});
            for (std::size_t i = 0; i < 3; ++i) {
              std::copy(rows[i].begin(), rows[i].end(), result.mutable_data() + 3 * i);
            }
            return result;
          },
          py::arg("v"), "dh_i/dv_j (3, 3)");
}

}  // namespace

void bind_planar_models(py::module_& m) {
  bind_friction(m);
  bind_distributed(m);
  bind_reduced(m);
}

}  // namespace stiction::python
