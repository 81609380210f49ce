// Contacts and load of static friction, from and to Python.
#include <algorithm>
#include <cmath>

#include "spatial.h"
#include "stiction/problem.h"

namespace stiction::python {
namespace {

namespace sp = spatial;

/// Torques over the length, so that all entries can be compared.
Matrix6 scaled(Matrix6 a, double length) {
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      a[i][j] *= (i < 3 ? 1 : 1 / length) * (j < 3 ? 1 : 1 / length);
    }
  }
  return a;
}
double largest_of(const Matrix6& a) {
  double largest = 0;
  for (const Vector6& row : a) {
    for (const double x : row) {
      largest = std::max(largest, std::abs(x));
    }
  }
  return largest;
}

/// By elimination with the largest pivot: none of them is next to nothing. False for NaN.
bool is_regular(Matrix6 a) {
  const double least = 1e-14 * largest_of(a);
  for (std::size_t k = 0; k < 6; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < 6; ++i) {
      pivot = std::abs(a[i][k]) > std::abs(a[pivot][k]) ? i : pivot;
    }
    std::swap(a[k], a[pivot]);
    if (!(std::abs(a[k][k]) > least)) {
      return false;
    }
    for (std::size_t i = k + 1; i < 6; ++i) {
      const double factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < 6; ++j) {
        a[i][j] -= factor * a[k][j];
      }
    }
  }
  return true;
}

/// Symmetric, and positive by Cholesky's factors. False for NaN.
bool is_positive(const Matrix6& a) {
  const double least = 1e-14 * largest_of(a);
  Matrix6 l{};
  for (std::size_t j = 0; j < 6; ++j) {
    for (std::size_t i = j; i < 6; ++i) {
      double sum = a[i][j];
      for (std::size_t k = 0; k < j; ++k) {
        sum -= l[i][k] * l[j][k];
      }
      if ((i == j && !(sum > least)) || !(std::abs(a[i][j] - a[j][i]) <= 1e8 * least)) {
        return false;
      }
      l[i][j] = i == j ? std::sqrt(sum) : sum / l[j][j];
    }
  }
  return true;
}

template <std::size_t N>
std::array<double, N> row_of(const Table& table, std::size_t i) {
  std::array<double, N> row{};
  std::copy_n(table.data() + N * i, N, row.begin());
  return row;
}
Matrix6 matrix_of(const py::object& given, const char* name) {
  const Table values = table_of(given, name, {6, 6});
  Matrix6 matrix{};
  for (std::size_t i = 0; i < 6; ++i) {
    matrix[i] = row_of<6>(values, i);
  }
  return matrix;
}

constexpr std::array<std::string_view, 3> declared_names{"nothing", "sticks", "slides"};  // in the order of Declared

}  // namespace

/// What may be left out of contacts, by name.
py::dict more_of_contacts(const ArrayLike& dynamic_friction, const ArrayLike& u, const ArrayLike& friction_v,
                          const ArrayLike& torsion, const DeclaredNames& declared, const ArrayLike& key) {
  using namespace py::literals;
  return py::dict("dynamic_friction"_a = dynamic_friction, "u"_a = u, "friction_v"_a = friction_v,
                  "torsion"_a = torsion, "declared"_a = declared, "key"_a = key);
}

Problem6 problem_from(const ArrayLike& arm, const ArrayLike& normal, const ArrayLike& normal_force,
                      const ArrayLike& friction, const ArrayLike& wrench, const ArrayLike& gradient,
                      const ArrayLike& mass, double length, const py::dict& more) {
  if (!sp::Load::lengths.holds(length)) {
    throw InvalidParameter(Problem{"length", length, sp::Load::lengths.text});
  }
  const Table arms = table_of(arm, "arm", {-1, 3});
  const auto n = static_cast<std::size_t>(arms.shape(0));
  const Table normals = table_of(normal, "normal", {arms.shape(0), 3});
  const auto given = [&](const char* name) { return more.contains(name) && !more[name].is_none(); };
  std::map<std::string, std::unique_ptr<Argument>> columns;
  columns["normal_force"] = std::make_unique<Argument>(normal_force, "normal_force", n);
  columns["friction"] = std::make_unique<Argument>(friction, "friction", n);
  for (const char* name : {"dynamic_friction", "friction_v", "torsion", "key"}) {
    if (given(name)) {
      columns[name] = std::make_unique<Argument>(more[name], name, n);
    }
  }
  const std::optional<Table> tangents =
      given("u") ? std::optional(table_of(more["u"], "u", {arms.shape(0), 3})) : std::nullopt;
  const auto declared = given("declared")
                            ? cast_argument<std::vector<std::string>>(more["declared"], "declared", "a list of words")
                            : std::vector<std::string>(n, "nothing");
  if (declared.size() != n) {
    throw py::value_error("declared has " + std::to_string(declared.size()) + " entries: must be " + std::to_string(n));
  }
  Problem6 problem;
  problem.contacts.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    sp::Contact& contact = problem.contacts[i];
    const auto value = [&](const char* name) {
      const auto found = columns.find(name);
      return found == columns.end() ? std::nullopt : std::optional(found->second->numbers()[i]);
    };
    contact.arm = row_of<3>(arms, i);
    contact.normal = row_of<3>(normals, i);
    contact.normal_force = value("normal_force").value_or(0);
    contact.friction = value("friction").value_or(0);
    contact.dynamic_friction = value("dynamic_friction");
    contact.friction_v = value("friction_v");
    contact.torsion = value("torsion").value_or(0);
    if (tangents) {
      contact.u = row_of<3>(*tangents, i);
    }
    const double key = value("key").value_or(static_cast<double>(i));
    if (!(std::abs(key) < 9e15) || key != std::trunc(key)) {
      throw py::value_error("key: must be whole numbers");
    }
    contact.key = static_cast<std::int64_t>(key);
    const auto found = std::find(declared_names.begin(), declared_names.end(), declared[i]);
    if (found == declared_names.end()) {
      throw py::value_error("declared: must be 'nothing', 'sticks' or 'slides', not '" + declared[i] + "'");
    }
    contact.declared = static_cast<sp::Declared>(found - declared_names.begin());
  }
  problem.load.wrench = vector_of<6>(wrench, "wrench");
  problem.load.gradient = matrix_of(gradient, "gradient");
  problem.load.mass = matrix_of(mass, "mass");
  problem.load.length = length;
  return problem;
}

void require_solvable(const sp::Load& load) {
  if (!is_regular(scaled(load.gradient, load.length))) {
    throw py::value_error("gradient: must be a regular matrix");
  }
  if (!is_positive(scaled(load.mass, load.length))) {
    throw py::value_error("mass: must be symmetric and positive definite");
  }
}

/// The keywords of `set` that set the problem again.
py::dict problem_dict(const Problem6& problem) {
  const std::size_t n = problem.contacts.size();
  const auto column = [&](const auto& value) {
    py::array_t<double> result(static_cast<py::ssize_t>(n));
    std::transform(problem.contacts.begin(), problem.contacts.end(), result.mutable_data(), value);
    return result;
  };
  const auto vectors = [&](Vector3 sp::Contact::*member) {
    py::array_t<double> result({n, std::size_t{3}});
    for (std::size_t i = 0; i < n; ++i) {
      const Vector3& row = problem.contacts[i].*member;
      std::copy(row.begin(), row.end(), result.mutable_data() + 3 * i);
    }
    return result;
  };
  const auto matrix = [](const Matrix6& rows) {
    py::array_t<double> result({6, 6});
    for (std::size_t i = 0; i < 6; ++i) {
      std::copy(rows[i].begin(), rows[i].end(), result.mutable_data() + 6 * i);
    }
    return result;
  };
  py::dict row;
  row["arm"] = vectors(&sp::Contact::arm);
  row["normal"] = vectors(&sp::Contact::normal);
  row["normal_force"] = column([](const sp::Contact& c) { return c.normal_force; });
  row["friction"] = column([](const sp::Contact& c) { return c.friction; });
  row["u"] = vectors(&sp::Contact::u);
  row["torsion"] = column([](const sp::Contact& c) { return c.torsion; });
  row["key"] = column([](const sp::Contact& c) { return static_cast<double>(c.key.value_or(0)); });
  for (const auto& [name, member] : {std::pair{"dynamic_friction", &sp::Contact::dynamic_friction},
                                     std::pair{"friction_v", &sp::Contact::friction_v}}) {
    if (n > 0 && problem.contacts[0].*member) {  // of all contacts, or of none
      row[name] = column([member = member](const sp::Contact& c) { return (c.*member).value_or(0); });
    }
  }
  py::list declared;
  for (const sp::Contact& contact : problem.contacts) {
    declared.append(declared_names[static_cast<std::size_t>(contact.declared)]);
  }
  row["declared"] = declared;
  row["wrench"] = to_array(problem.load.wrench);
  row["gradient"] = matrix(problem.load.gradient);
  row["mass"] = matrix(problem.load.mass);
  row["length"] = problem.load.length;
  return row;
}

}  // namespace stiction::python
