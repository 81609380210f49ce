// What makes objects values in Python: pickle, copy, == and repr. A class says here what remakes its objects; all else
// is done for every class alike by python/stiction/_values.py.
#pragma once

#include <bit>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <type_traits>

#include "core.h"

namespace stiction::python {

/// `parts(object)` are the keywords of the constructor that make the object again; it is shown by them.
template <class Class, class Parts>
void bind_value(Class& bound, const Parts& parts) {
  bound.def("_parts", parts);
}
/// `remake(parts)` does it, where the constructor cannot.
template <class Class, class Parts, class Remake>
void bind_value(Class& bound, const Parts& parts, const Remake& remake) {
  bound.def("_parts", parts);
  bound.def_static("_remake", remake, py::arg("parts"));
}
/// An object that does not fit into a pickle, and what to do instead.
template <class Class>
void bind_no_value(Class& bound, const char* instead) {
  bound.attr("_instead") = instead;
}
/// The attributes that say all of an object: what == compares and a table shows.
template <class Class>
void bind_fields(Class& bound, std::initializer_list<const char*> names) {
  py::list all;
  for (const char* name : names) {
    all.append(name);
  }
  bound.attr("_fields") = py::tuple(all);
}

// Bytes: of this version on this kind of machine, since another may lay them out differently
// ----------------------------

/// Adds them to the parts.
void put_bytes(py::dict& parts, const void* bytes, std::size_t size);
/// Those of the parts; ValueError unless this version wrote as many.
void take_bytes(const py::dict& parts, void* bytes, std::size_t size);

/// An object that is plain data and is pickled as its bytes.
template <class T, class... Options>
void bind_plain(py::class_<T, Options...>& bound) {
  static_assert(std::is_trivially_copyable_v<T>);
  bind_value(
      bound,
      [](const T& object) {
        py::dict parts;
        put_bytes(parts, &object, sizeof object);
        return parts;
      },
      [](const py::dict& parts) {
        std::array<std::byte, sizeof(T)> bytes{};
        take_bytes(parts, bytes.data(), sizeof bytes);
        return std::bit_cast<T>(bytes);
      });
}
/// The same, with the attributes that say all of it.
template <class T, class... Options>
void bind_plain(py::class_<T, Options...>& bound, std::initializer_list<const char*> names) {
  bind_plain(bound);
  bind_fields(bound, names);
}

}  // namespace stiction::python
