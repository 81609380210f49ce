#include "core.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include "stiction/geometry/mesh.h"
#include "stiction/identify/identify.h"
#include "stiction/io/file.h"
#include "stiction/version.h"
#include "value.h"

namespace stiction::python {

py::array numbers_of(const py::handle& given, const char* name) {
  auto array = py::array::ensure(given);
  if (!array) {
    PyErr_Clear();
    reject_type(given, name, "numbers");
  }
  const py::dtype type = array.dtype();
  const bool native = type.byteorder() == '=' || type.byteorder() == '|';
  if (type.kind() == 'f' && native && (type.itemsize() == 4 || type.itemsize() == 8)) {
    return array;
  }
  if (type.kind() == 'i' || type.kind() == 'u' || type.kind() == 'f') {
    return py::array_t<double, py::array::forcecast>(array);
  }
  throw py::type_error(std::string(name) + ": must be float64 or float32 numbers, not " +
                       py::cast<std::string>(py::str(py::object(type))));
}

py::module_ part(py::module_& root, const char* name, const char* doc) {
  py::module_ made = root.def_submodule(name, doc);
  made.attr("__module__") = std::string("stiction.") + name;  // what pybind11 gives to classes and functions
  return made;
}

void reject_type(const py::handle& given, const char* name, const char* allowed) {
  const py::object text = py::module_::import("stiction._calls").attr("describe")(given);
  throw py::type_error(std::string(name) + ": must be " + allowed + ", not " + py::cast<std::string>(text));
}

std::string path_text(const PathLike& path) {
  return py::cast<std::string>(py::module_::import("os").attr("fspath")(path));
}

std::string shape_text(const py::array& array) { return py::cast<std::string>(py::str(array.attr("shape"))); }

namespace {

[[noreturn]] void reject_shape(const char* name, const py::array& array, const std::vector<py::ssize_t>& shape) {
  std::string wanted = "(";
  for (const auto length : shape) {
    wanted += (wanted.size() > 1 ? ", " : "") + (length < 0 ? std::string("n") : std::to_string(length));
  }
  throw py::value_error(std::string(name) + " has shape " + shape_text(array) + ": must be " + wanted +
                        (shape.size() == 1 ? ",)" : ")"));
}

bool has_shape(const py::array& array, const std::vector<py::ssize_t>& shape) {
  if (array.ndim() != static_cast<py::ssize_t>(shape.size())) {
    return false;
  }
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] >= 0 && array.shape(static_cast<py::ssize_t>(i)) != shape[i]) {
      return false;
    }
  }
  return true;
}

}  // namespace

Argument::Argument(const py::handle& given, const char* name, std::size_t n) {
  if (PyFloat_Check(given.ptr()) || PyLong_Check(given.ptr())) {
    value_ = py::cast<double>(given);
    numbers_.data = &value_;
    return;
  }
  py::array array = numbers_of(given, name);
  if (array.ndim() > 0 && !has_shape(array, {static_cast<py::ssize_t>(n)})) {
    reject_shape(name, array, {static_cast<py::ssize_t>(n)});
  }
  numbers_ = {array.data(), array.ndim() > 0 ? array.strides(0) : 0, array.itemsize() == 4};
  array_ = std::move(array);
}

void Argument::require_non_negative(const char* name, std::size_t n) const {
  const std::size_t count = numbers_.stride == 0 ? 1 : n;
  for (std::size_t i = 0; i < count; ++i) {
    checked_non_negative(numbers_[i], name);
  }
}

Result::Result(const py::handle& given, const char* name, std::vector<py::ssize_t> shape, bool single)
    : array_(given.is_none()
                 ? (single ? py::array(py::dtype::of<float>(), shape) : py::array(py::dtype::of<double>(), shape))
                 : py::array()) {
  if (given.is_none()) {
    return;
  }
  if (!py::isinstance<py::array>(given)) {
    throw py::type_error(std::string(name) + ": must be a NumPy array");
  }
  array_ = py::reinterpret_borrow<py::array>(given);
  const py::dtype type = array_.dtype();
  if (type.kind() != 'f' || (type.itemsize() != 4 && type.itemsize() != 8)) {
    throw py::type_error(std::string(name) + ": must be float64 or float32, not " +
                         py::cast<std::string>(py::str(py::object(type))));
  }
  if (!has_shape(array_, shape)) {
    reject_shape(name, array_, shape);
  }
  if (!array_.writeable()) {
    throw py::value_error(std::string(name) + ": is read-only");
  }
}

Room Result::room() const {
  py::array array = array_;
  return {array.mutable_data(), array.strides(0), array.itemsize() == 4};
}

Table table_of(const py::handle& given, const char* name, std::vector<py::ssize_t> shape) {
  const py::array array = numbers_of(given, name);
  if (!has_shape(array, shape)) {
    reject_shape(name, array, shape);
  }
  return Table(array);
}

py::array_t<double> to_array(const std::vector<double>& values) {
  return py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data());
}

py::array_t<double> to_array(std::vector<double>&& values) {
  auto kept = std::make_unique<std::vector<double>>(std::move(values));
  const py::capsule owner(kept.get(), [](void* all) { delete static_cast<std::vector<double>*>(all); });
  const auto& numbers = *kept.release();
  return py::array_t<double>(static_cast<py::ssize_t>(numbers.size()), numbers.data(), owner);
}

double checked_non_negative(double value, const char* name) {
  if (!(value >= 0) || !std::isfinite(value)) {
    throw InvalidParameter(Problem{name, value, non_negative.text});
  }
  return value;
}
double checked_dt(double dt) { return checked_non_negative(dt, "dt"); }

void check_keywords(const py::kwargs& given, const std::vector<std::string>& known,
                    const std::vector<std::string>& required_names, const std::string& what) {
  const auto list = [](const std::vector<std::string>& names) {
    std::string text;
    for (const auto& name : names) {
      text += (text.empty() ? "" : ", ") + name;
    }
    return text;
  };
  for (const auto& [key, value] : given) {
    const auto name = py::cast<std::string>(key);
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw py::type_error(what + " has no parameter '" + name + "'; it has " + list(known));
    }
  }
  std::vector<std::string> missing;
  for (const auto& name : required_names) {
    if (!given.contains(name)) {
      missing.push_back(name);
    }
  }
  if (!missing.empty()) {
    throw py::type_error(what + " needs " + list(missing));
  }
}

std::string call_text(const std::string& name, const py::dict& parts) {
  return py::cast<std::string>(py::module_::import("stiction._values").attr("call")(name, parts));
}

void put_bytes(py::dict& parts, const void* bytes, std::size_t size) {
  parts["version"] = STICTION_VERSION;
  parts["bytes"] = py::bytes(static_cast<const char*>(bytes), size);
}
void take_bytes(const py::dict& parts, void* bytes, std::size_t size) {
  if (const auto version = py::cast<std::string>(parts["version"]); version != STICTION_VERSION) {
    throw py::value_error("it was written by version " + version + ": must be " STICTION_VERSION);
  }
  const auto found = py::cast<std::string>(parts["bytes"]);
  if (found.size() != size) {
    throw py::value_error("it has " + std::to_string(found.size()) + " bytes: must be " + std::to_string(size));
  }
  if (size > 0) {
    std::memcpy(bytes, found.data(), size);
  }
}

InUse::InUse(Flag& flag, const char* what) : flag_(flag) {
  if (flag_.test_and_set(std::memory_order_acquire)) {
    throw std::runtime_error(std::string(what) + " in use by another thread: give each thread its own");
  }
}

namespace {

// Errors of calls that fit no signature
// ---------------------------------------------------------------------------------

struct Explained {
  py::object function;
  std::string label;
};
/// By the record that pybind11 hands to each call; never destroyed, as functions may outlive it.
std::unordered_map<PyObject*, Explained>& explained_functions() {
  static auto* const all = new std::unordered_map<PyObject*, Explained>;  // NOLINT: as it says
  return *all;
}
/// pybind11's function of all functions: that of versions before 3.1, or the one that they have since.
template <class Call>
Call dispatcher = nullptr;

/// Puts pybind11's error, which shows every signature and every value, into words. Other errors stay.
void put_into_words(PyObject* record, PyObject* args, PyObject* kwargs) {
  py::error_already_set error;  // takes what is set
  const std::string text = py::str(error.value());
  const auto found = explained_functions().find(record);
  if (found == explained_functions().end() ||
      !text.starts_with(py::cast<std::string>(found->second.function.attr("__name__")) + "(): incompatible ")) {
    error.restore();
    return;
  }
  try {
    const auto& [function, label] = found->second;
    const py::object named = kwargs == nullptr ? py::none() : py::reinterpret_borrow<py::object>(kwargs);
    const py::object message = py::module_::import("stiction._calls")
                                   .attr("message")(label, function.attr("__name__"), function.attr("__doc__"),
                                                    py::reinterpret_borrow<py::object>(args), named);
    PyErr_SetObject(PyExc_TypeError, message.ptr());
  } catch (const py::error_already_set&) {
    error.restore();
  }
}
bool failed(const PyObject* result) { return result == nullptr && PyErr_ExceptionMatches(PyExc_TypeError) != 0; }

PyObject* call_explained(PyObject* record, PyObject* args, PyObject* kwargs) {
  PyObject* const result = dispatcher<PyCFunctionWithKeywords>(record, args, kwargs);
  if (failed(result)) {
    put_into_words(record, args, kwargs);
  }
  return result;
}
PyObject* call_fast_explained(PyObject* record, PyObject* const* values, Py_ssize_t count, PyObject* names) {
  PyObject* const result = dispatcher<_PyCFunctionFastWithKeywords>(record, values, count, names);
  if (failed(result)) {
    py::error_already_set error;  // while Python's objects are made
    py::tuple args(PyVectorcall_NARGS(static_cast<std::size_t>(count)));
    for (std::size_t i = 0; i < args.size(); ++i) {
      args[i] = py::handle(values[i]);
    }
    py::dict kwargs;
    if (names != nullptr) {
      for (const py::handle name : py::reinterpret_borrow<py::tuple>(names)) {
        kwargs[name] = py::handle(values[args.size() + kwargs.size()]);
      }
    }
    error.restore();
    put_into_words(record, args.ptr(), kwargs.ptr());
  }
  return result;
}

/// Puts `explained` in front of pybind11's dispatcher, where a function goes through it.
template <class Call>
bool put_in_front(PyMethodDef& method, Call explained) {
  const auto present = reinterpret_cast<Call>(reinterpret_cast<void (*)()>(method.ml_meth));
  dispatcher<Call> = dispatcher<Call> == nullptr ? present : dispatcher<Call>;
  if (present != dispatcher<Call>) {
    return false;
  }
  method.ml_meth = reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(explained));
  return true;
}
void explain_errors(const py::object& function, const std::string& label) {
  PyMethodDef& method = *reinterpret_cast<PyCFunctionObject*>(function.ptr())->m_ml;
  if (method.ml_flags == (METH_VARARGS | METH_KEYWORDS)    ? put_in_front(method, &call_explained)
      : method.ml_flags == (METH_FASTCALL | METH_KEYWORDS) ? put_in_front(method, &call_fast_explained)
                                                           : false) {
    explained_functions()[PyCFunction_GET_SELF(function.ptr())] = {function, label};
  }
}

// Objects that __new__ made and no __init__ filled
// ---------------------------------------------------------------------------------

/// Where pybind11 meets such an object as an argument it takes memory for it and uses that as it is. It asks the class
/// for the memory if the class has a way of its own, and nothing else asks: so that is where the call is refused.
void* refuse_unfilled(std::size_t /*size*/) {
  throw py::type_error("an object without content, made by __new__ alone: call the class instead");
}
void refuse_unfilled_objects() {
  for (const auto& [type, infos] : py::detail::get_internals().registered_types_py) {
    if (std::string_view(type->tp_name).starts_with("stiction.")) {  // other extensions register theirs there too
      for (py::detail::type_info* const info : infos) {
        info->operator_new = refuse_unfilled;
      }
    }
  }
}

/// 0 to 5 in arrays made in each of the ways in which functions make theirs; for the check at import.
py::list probe_arrays() {
  constexpr std::array<double, 6> numbers{0, 1, 2, 3, 4, 5};
  py::list made;
  for (const bool single : {false, true}) {
    const Result result(py::none(), "probe", {6}, single);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      result.room().put(i, numbers[i]);
    }
    made.append(result.array());
  }
  made.append(to_array(numbers));
  py::array_t<double> counted(static_cast<py::ssize_t>(numbers.size()));
  py::array_t<double> shaped(std::vector<std::size_t>{numbers.size()});
  for (py::array_t<double>* const array : {&counted, &shaped}) {
    std::copy(numbers.begin(), numbers.end(), array->mutable_data());
    made.append(*array);
  }
  return made;
}

/// An array as functions see it.
std::vector<double> read_probe(const py::handle& given, std::size_t n) {
  const Argument argument(given, "probe", n);
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) {
    values[i] = argument.numbers()[i];
  }
  return values;
}

}  // namespace
}  // namespace stiction::python

PYBIND11_MODULE(_core, root) {
  namespace py = pybind11;
  root.doc() = "Stiction's library, as the modules of the package use it.";
  root.attr("__version__") = STICTION_VERSION;
  py::register_exception_translator([](std::exception_ptr error) {
    try {
      if (error) {
        std::rethrow_exception(error);
      }
    } catch (const py::cast_error&) {  // e.g. what a pressure function returned
      PyErr_SetString(PyExc_TypeError, "a value of another type was expected");
    } catch (const stiction::InvalidParameter& e) {
      PyErr_SetString(PyExc_ValueError, e.what());
    } catch (const stiction::io::InputError& e) {
      PyErr_SetString(PyExc_ValueError, e.what());
    } catch (const stiction::identify::BadData& e) {
      PyErr_SetString(PyExc_ValueError, e.what());
    } catch (const stiction::geometry::MeshError& e) {
      PyErr_SetString(PyExc_ValueError, e.what());
    } catch (const stiction::io::FileError& e) {
      PyErr_SetString(PyExc_OSError, e.what());
    }
  });
  root.attr("__pybind11__") = PYBIND11_TOSTRING(PYBIND11_VERSION_MAJOR) "." PYBIND11_TOSTRING(PYBIND11_VERSION_MINOR);
  root.def("probe_arrays", &stiction::python::probe_arrays);
  root.def("read_probe", &stiction::python::read_probe);
  root.def("explain_errors", &stiction::python::explain_errors);
  stiction::python::bind_scalar(root);
  stiction::python::bind_planar(root);
  stiction::python::bind_spatial(root);
  stiction::python::bind_control(root);
  stiction::python::bind_coupled(root);
  stiction::python::bind_geometry(root);
  stiction::python::bind_haptics(root);
  stiction::python::bind_sim(root);
  stiction::python::bind_identify(root);
  stiction::python::bind_lab(root);
  stiction::python::refuse_unfilled_objects();
}
