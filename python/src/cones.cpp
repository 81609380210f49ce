// Friction cones, contact frames, grasps.
#include "stiction/spatial/cones.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "spatial.h"
#include "stiction/spatial/friction_polygon.h"
#include "stiction/spatial/mujoco_pyramid.h"
#include "stiction/spatial/pyramid.h"
#include "stiction/spatial/static_dynamic.h"
#include "stiction/spatial/wrench_cone.h"
#include "value.h"

namespace stiction::python {
namespace {

namespace sp = spatial;

// Cones of every kind and dimension behind one set of calls

using OnForce = std::function<double(const double* f)>;
using ToForce = std::function<void(const double* f, double* out)>;

struct Cone {
  py::dict made;  // the keywords that make it
  std::size_t dimension = 3;
  OnForce margin, dual_margin, support;
  std::function<bool(const double* f, double tolerance)> contains;
  ToForce project, project_polar, project_dual;
  std::function<void(const double* f, const double* weights, double* out)> project_weighted;
  std::function<double(const double*direction, double normal)> section_support, friction_support;
  std::vector<std::vector<double>> edges;  // of a pyramid
};

template <class C>
Cone erased(const C& cone, const py::dict& made) {
  using Force = typename C::Force;
  constexpr std::size_t n = std::tuple_size_v<Force>;
  const auto in = [](const double* f) {
    Force force{};
    std::copy_n(f, n, force.begin());
    return force;
  };
  const auto out_of = [](const Force& force, double* out) { std::copy(force.begin(), force.end(), out); };
  Cone result;
  result.made = made;
  result.dimension = n;
  result.margin = [=](const double* f) { return cone.margin(in(f)); };
  result.dual_margin = [=](const double* f) { return cone.dual().margin(in(f)); };
  result.support = [=](const double* d) { return cone.support(in(d)); };
  result.contains = [=](const double* f, double tolerance) { return cone.contains(in(f), tolerance); };
  result.project = [=](const double* f, double* out) { out_of(cone.project(in(f)), out); };
  result.project_polar = [=](const double* f, double* out) { out_of(cone.project_polar(in(f)), out); };
  result.project_dual = [=](const double* f, double* out) { out_of(cone.dual().project(in(f)), out); };
  if constexpr (requires(const Force& f) { cone.project(f, f); }) {
    result.project_weighted = [=](const double* f, const double* w, double* out) {
      out_of(cone.project(in(f), in(w)), out);
    };
  }
  result.section_support = [=](const double* d, double normal) { return cone.section_support(in(d), normal); };
  result.friction_support = [=](const double* d, double normal) { return cone.friction_support(in(d), normal); };
  if constexpr (requires { cone.edge(std::size_t{0}); }) {
    for (std::size_t i = 0; i < cone.edge_count(); ++i) {
      const Force edge = cone.edge(i);
      result.edges.emplace_back(edge.begin(), edge.end());
    }
  }
  return result;
}

/// Forces of a cone's dimension: (n,) or (rows, n), and what comes out.
struct Forces {
  Table table;
  std::size_t rows, n;
  bool many;

  Forces(const py::object& given, const char* name, std::size_t dimension)
      : table(numbers_of(given, name)),
        rows(table.ndim() == 2 ? static_cast<std::size_t>(table.shape(0)) : 1),
        n(dimension),
        many(table.ndim() == 2) {
    const auto length = static_cast<py::ssize_t>(dimension);
    table_of(table, name, many ? std::vector<py::ssize_t>{-1, length} : std::vector<py::ssize_t>{length});
  }
  template <class F>
  [[nodiscard]] FloatOrArray numbers(const F& f) const {
    if (!many) {
      return py::object(py::float_(f(table.data())));
    }
    py::array_t<double> result(static_cast<py::ssize_t>(rows));
    double* const out = result.mutable_data();
    {
      const py::gil_scoped_release release;
      for (std::size_t i = 0; i < rows; ++i) {
        out[i] = f(table.data() + i * n);
      }
    }
    return py::object(std::move(result));
  }
  template <class F>
  [[nodiscard]] py::array_t<double> forces(const F& f) const {
    py::array_t<double> result(many ? std::vector<std::size_t>{rows, n} : std::vector<std::size_t>{n});
    double* const out = result.mutable_data();
    {
      const py::gil_scoped_release release;
      for (std::size_t i = 0; i < rows; ++i) {
        f(table.data() + i * n, out + i * n);
      }
    }
    return result;
  }
};

template <std::size_t N>
Vector<double, N> coefficients(const std::vector<double>& mu) {
  Vector<double, N> result{};
  std::copy(mu.begin(), mu.end(), result.begin());
  return result;
}

/// The cone of the dimension that the number of coefficients asks for.
template <template <std::size_t, class> class C>
Cone of_dimension(const std::vector<double>& mu) {
  py::dict made;
  made["mu"] = mu;
  switch (mu.size()) {
    case 0:
      return erased(C<1, double>::make({}), made);
    case 2:
      return erased(C<3, double>::make({coefficients<2>(mu)}), made);
    case 3:
      return erased(C<4, double>::make({coefficients<3>(mu)}), made);
    case 5:
      return erased(C<6, double>::make({coefficients<5>(mu)}), made);
    default:
      throw InvalidParameter(Problem{"mu", static_cast<double>(mu.size()), "0, 2, 3 or 5 numbers", true});
  }
}

struct CircularCone : Cone {
  double mu;
};
struct BoxCone : Cone {};
struct EllipticCone : Cone {};
struct Pyramid : Cone {};
struct MujocoPyramid : Cone {};

}  // namespace

void bind_cones(py::module_& m) {
  using namespace py::literals;
  py::class_<Cone> cone(
      m, "Cone",
      "A friction cone. Forces are (dimension,) or rows of them; of circular and box cones and pyramids "
      "(x, y, normal), of elliptic and MuJoCo's (normal, tangential ...).");
  bind_value(cone, [](const Cone& c) { return c.made; });
  cone.def_readonly("dimension", &Cone::dimension, "Of its forces: 1, 3, 4 or 6.")
      .def(
          "margin", [](const Cone& c, const ArrayLike& f) { return Forces(f, "f", c.dimension).numbers(c.margin); },
          py::arg("f"), "Distance to the boundary [N]: positive inside, negative outside.")
      .def(
          "contains", [](const Cone& c, const ArrayLike& f, double tolerance) -> As<"bool | NDArray[bool]"> {
            const Forces forces(f, "f", c.dimension);
            const auto inside = forces.numbers([&](const double* x) { return c.contains(x, tolerance) ? 1.0 : 0.0; });
            return forces.many ? py::object(inside.attr("astype")("bool"))
                               : py::object(py::bool_(py::cast<double>(inside) != 0));
          },
          py::arg("f"), py::arg("tolerance") = 0.0, "Within a distance [N] of a force of the cone.")
      .def(
          "project",
          [](const Cone& c, const ArrayLike& f, const ArrayLike& weights) {
            const Forces forces(f, "f", c.dimension);
            if (weights.is_none()) {
              return forces.forces(c.project);
            }
            const Table w = table_of(weights, "weights", {static_cast<py::ssize_t>(c.dimension)});
            for (std::size_t i = 0; i < c.dimension; ++i) {
              if (!positive.holds(w.data()[i])) {
                throw InvalidParameter(Problem{"weights", w.data()[i], positive.text});
              }
            }
            if (!c.project_weighted) {
              throw py::type_error("this cone has no projection with weights");
            }
            return forces.forces([&](const double* x, double* out) { c.project_weighted(x, w.data(), out); });
          },
          py::arg("f"), py::arg("weights") = py::none(), "The nearest force of the cone.")
      .def(
          "project_polar",
          [](const Cone& c, const ArrayLike& f) { return Forces(f, "f", c.dimension).forces(c.project_polar); },
          py::arg("f"), "The nearest vector of the polar cone.")
      .def(
          "project_dual",
          [](const Cone& c, const ArrayLike& f) { return Forces(f, "f", c.dimension).forces(c.project_dual); },
          py::arg("f"), "The nearest vector of the dual cone.")
      .def(
          "dual_margin",
          [](const Cone& c, const ArrayLike& f) { return Forces(f, "f", c.dimension).numbers(c.dual_margin); },
          py::arg("f"), "The same of the dual cone.")
      .def(
          "support",
          [](const Cone& c, const ArrayLike& d) { return Forces(d, "direction", c.dimension).numbers(c.support); },
          py::arg("direction"), "sup d.f over the cone: 0 or inf.")
      .def(
          "section_support",
          [](const Cone& c, const ArrayLike& d, double normal) {
            return Forces(d, "direction", c.dimension).numbers([&](const double* x) {
              return c.section_support(x, normal);
            });
          },
          py::arg("direction"), py::arg("normal"), "sup d.f over forces with a normal part up to `normal` [N].")
      .def(
          "friction_support",
          [](const Cone& c, const ArrayLike& d, double normal) {
            return Forces(d, "direction", c.dimension).numbers([&](const double* x) {
              return c.friction_support(x, normal);
            });
          },
          py::arg("direction"), py::arg("normal"), "sup d.f over the friction under a normal force [N].")
      .def_property_readonly(
          "edges",
          [](const Cone& c) {
            py::array_t<double> result({c.edges.size(), c.dimension});
            for (std::size_t i = 0; i < c.edges.size(); ++i) {
              std::copy(c.edges[i].begin(), c.edges[i].end(), result.mutable_data() + i * c.dimension);
            }
            return result;
          },
          "Of a pyramid, (edges, dimension); none for round cones.");
  py::class_<CircularCone, Cone>(m, "CircularCone", "sqrt(f_x^2 + f_y^2) <= mu f_z")
      .def(py::init([](double mu) {
             return CircularCone{erased(sp::CircularCone<double>::make({mu}), py::dict("mu"_a = mu)), mu};
           }),
           py::arg("mu"))
      .def_readonly("mu", &CircularCone::mu, "Coefficient of friction [-].")
      .def_property_readonly(
          "half_angle", [](const CircularCone& c) { return std::atan(c.mu); }, "[rad]")
      .def(
          "ray", [](const CircularCone& c, double phi) { return to_array(sp::CircularCone<double>{c.mu}.ray(phi)); },
          py::arg("phi"), "(mu cos phi, mu sin phi, 1)");
  py::class_<BoxCone, Cone>(m, "BoxCone", "|f_x| <= mu_x f_z, |f_y| <= mu_y f_z")
      .def(py::init([](double x, double y) {
             return BoxCone{erased(sp::BoxCone<double>::make({x, y}), py::dict("mu_x"_a = x, "mu_y"_a = y))};
           }),
           py::arg("mu_x"), py::arg("mu_y"));
  py::class_<EllipticCone, Cone>(m, "EllipticCone", "f_1^2 >= sum (f_(i+1)/mu_i)^2, the normal force first.")
      .def(py::init([](const std::vector<double>& mu) { return EllipticCone{of_dimension<sp::EllipticCone>(mu)}; }),
           py::arg("mu"), "2 coefficients [-], 3 with torsion [m], 5 with rolling [m].");
  py::class_<Pyramid, Cone>(m, "Pyramid", "A pyramid of n sides inside or around the circular cone.")
      .def(py::init([](double mu, std::ptrdiff_t sides, bool inscribed) {
             return Pyramid{
                 erased(sp::Pyramid<double>::make({mu, static_cast<std::size_t>(std::max<std::ptrdiff_t>(sides, 0)),
                                                   inscribed ? sp::Fit::inscribed : sp::Fit::circumscribed}),
                        py::dict("mu"_a = mu, "sides"_a = sides, "inscribed"_a = inscribed))};
           }),
           py::arg("mu"), py::arg("sides") = 4, py::arg("inscribed") = true);
  py::class_<MujocoPyramid, Cone>(m, "MujocoPyramid", "MuJoCo's pyramid: sum |f_(i+1)|/mu_i <= f_1.")
      .def(py::init([](const std::vector<double>& mu) { return MujocoPyramid{of_dimension<sp::MujocoPyramid>(mu)}; }),
           py::arg("mu"), "2 coefficients [-], 3 with torsion [m], 5 with rolling [m].");
}

void bind_contacts(py::module_& m) {
  m.def(
      "frame",
      [](const ArrayLike& normal, bool x_normal) {
        const auto n = vector_of<3>(normal, "normal");
        const auto frame = x_normal ? sp::Frame<double>::x_normal(n) : sp::Frame<double>::z_normal(n);
        py::array_t<double> axes({3, 3});
        std::copy(frame.x.begin(), frame.x.end(), axes.mutable_data());
        std::copy(frame.y.begin(), frame.y.end(), axes.mutable_data() + 3);
        std::copy(frame.z.begin(), frame.z.end(), axes.mutable_data() + 6);
        return axes;
      },
      py::arg("normal"), py::arg("x_normal") = false,
      "A right-handed contact frame (3, 3), its unit axes in rows, z along the normal, or x as in MuJoCo.");
  using Pair = sp::StaticDynamic<double>;
  py::class_<Pair> pair(m, "StaticDynamic", "Two coefficients: mu_s at rest, mu_d while sliding.");
  bind_value(pair, [](const Pair& p) {
    py::dict parts;
    parts["mu_s"] = p.mu_s;
    parts["mu_d"] = p.mu_d;
    return parts;
  });
  pair.def(py::init([](double s, double d) {
             return Pair::make({s, d});
           }),
           py::arg("mu_s"), py::arg("mu_d"))
      .def_readonly("mu_s", &Pair::mu_s, "At rest [-].")
      .def_readonly("mu_d", &Pair::mu_d, "While sliding [-].")
      .def("coefficient", &Pair::coefficient, py::arg("slip_speed"), py::arg("rest_speed") = 0.0,
           "mu_d above the rest speed [m/s], mu_s at and below it.")
      .def(
          "sliding_friction",
          [](const Pair& pair, const ArrayLike& velocity, double normal_force) {
            return to_array(pair.sliding_friction(vector_of<2>(velocity, "velocity"), normal_force));
          },
          py::arg("velocity"), py::arg("normal_force"), "On the body that slides, (2,) [N].");
  using Polygon = sp::FrictionPolygon<double>;
  py::class_<Polygon> polygon(m, "FrictionPolygon", "The friction polygon as a sum of forces along its corners.");
  bind_value(polygon, [](const Polygon& p) {
    py::dict parts;
    parts["sides"] = p.sides();
    return parts;
  });
  polygon
      .def(py::init([](std::ptrdiff_t sides) {
             if (sides < 3) {
               throw InvalidParameter(Problem{"sides", static_cast<double>(sides), "at least 3"});
             }
             return Polygon(static_cast<std::size_t>(sides));
           }),
           py::arg("sides"))
      .def_property_readonly("sides", &Polygon::sides, "How many.")
      .def_property_readonly("scale", &Polygon::scale, "Distance of its corners, for mu N = 1.")
      .def(
          "corner", [](const Polygon& p, std::size_t i) { return to_array(p.corner(i)); }, py::arg("i"),
          "Number i, (2,), for mu N = 1.")
      .def(
          "needed", [](const Polygon& p, const ArrayLike& f) { return p.needed(vector_of<2>(f, "friction")); },
          py::arg("friction"), "The least mu N whose polygon holds it [N].")
      .def(
          "decompose",
          [](const Polygon& p, const ArrayLike& f) {
            const auto share = p.decompose(vector_of<2>(f, "friction"));
            return std::tuple(share.corner, share.here, share.next);
          },
          py::arg("friction"), "(corner i, b_i, b_(i+1)), both b >= 0.")
      .def(
          "compose",
          [](const Polygon& p, const ArrayLike& b) {
            const Table shares = table_of(b, "b", {static_cast<py::ssize_t>(p.sides())});
            return to_array(p.compose(std::span<const double>(shares.data(), p.sides())));
          },
          py::arg("b"), "The sum of b_i times the corners.");

  m.def(
      "wrench_generators",
      [](const ArrayLike& points, const ArrayLike& normals, const ArrayLike& mu, const ArrayLike& torsion,
         const ArrayLike& centre, double length, std::ptrdiff_t sides) {
        const Table p = table_of(points, "points", {-1, 3});
        const auto n = static_cast<std::size_t>(p.shape(0));
        const Table normal = table_of(normals, "normals", {p.shape(0), 3});
        const Argument friction(mu, "mu", n);
        const Argument turning(torsion, "torsion", n);
        if (!positive.holds(length)) {
          throw InvalidParameter(Problem{"length", length, positive.text});
        }
        if (sides < 3 || sides > 64) {
          throw InvalidParameter(Problem{"sides", static_cast<double>(sides), "from 3 to 64"});
        }
        std::vector<sp::GraspContact<double>> contacts;
        std::size_t count = 0;
        for (std::size_t i = 0; i < n; ++i) {
          const double* const at = p.data() + 3 * i;
          const double* const along = normal.data() + 3 * i;
          contacts.push_back(sp::GraspContact<double>::make(
              {{at[0], at[1], at[2]}, {along[0], along[1], along[2]}, friction.numbers()[i], turning.numbers()[i]}));
          count += sp::generator_count(contacts.back(), static_cast<std::size_t>(sides));
        }
        std::vector<Vector<double, 6>> generators(count);
        const auto about = centre.is_none() ? Vector<double, 3>{} : vector_of<3>(centre, "centre");
        sp::wrench_generators<double>(contacts, about, length, static_cast<std::size_t>(sides), generators);
        py::array_t<double> result({count, std::size_t{6}});
        for (std::size_t i = 0; i < count; ++i) {
          std::copy(generators[i].begin(), generators[i].end(), result.mutable_data() + 6 * i);
        }
        return result;
      },
      py::arg("points"), py::arg("normals"), py::arg("mu"), py::arg("torsion") = 0.0, py::arg("centre") = py::none(),
      py::arg("length") = 1.0, py::arg("sides") = 8,
      "Wrenches (k, 6), force and torque/length, whose positive combinations are what contacts at points (n, 3) [m] "
      "with "
      "normals into the body (n, 3) can exert; torsion [m] makes soft fingers.");
  using Closure = sp::ForceClosure<double>;
  py::class_<Closure> closure(m, "ForceClosure", "Whether every load can be resisted, with a proof.");
  bind_plain(closure, {"closed", "margin", "direction", "rank", "rounds", "converged"});
  closure.def_readonly("closed", &Closure::closed, "Whether every load can be resisted.")
      .def_readonly("margin", &Closure::margin, "Closed: the hull holds a ball of this radius. Else <= 0.")
      .def_property_readonly(
          "direction", [](const Closure& c) { return to_array(c.direction); },
          "If not closed: no generator pushes against it, (6,).")
      .def_readonly("rank", &Closure::rank, "Of the generators: 6 where they span all loads.")
      .def_readonly("rounds", &Closure::rounds, "Of the search.")
      .def_readonly("converged", &Closure::converged, "Whether the margin is exact to rounding.");
  m.def(
      "force_closure",
      [](const ArrayLike& generators) {
        const Table g = table_of(generators, "generators", {-1, 6});
        std::vector<Vector<double, 6>> rows(static_cast<std::size_t>(g.shape(0)));
        for (std::size_t i = 0; i < rows.size(); ++i) {
          std::copy_n(g.data() + 6 * i, 6, rows[i].begin());
        }
        if (rows.empty()) {
          throw py::value_error("generators: at least one is needed");
        }
        const py::gil_scoped_release release;
        return sp::force_closure<double>(rows);
      },
      py::arg("generators"), "Of wrenches (k, 6).");
}

}  // namespace stiction::python
