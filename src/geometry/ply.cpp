#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "binary.h"
#include "faces.h"
#include "stiction/geometry/mesh_file.h"
#include "text.h"

namespace stiction::geometry {
namespace {

struct Type {
  const char* name;
  const char* other_name;
  std::size_t size;
  bool real;
  double (*load)(std::string_view, std::size_t, std::endian);
};
template <class Number>
double load_double(std::string_view bytes, std::size_t at, std::endian order) {
  return static_cast<double>(load<Number>(bytes, at, order));
}
constexpr std::array<Type, 8> types{{{"char", "int8", 1, false, load_double<std::int8_t>},
                                     {"uchar", "uint8", 1, false, load_double<std::uint8_t>},
                                     {"short", "int16", 2, false, load_double<std::int16_t>},
                                     {"ushort", "uint16", 2, false, load_double<std::uint16_t>},
                                     {"int", "int32", 4, false, load_double<std::int32_t>},
                                     {"uint", "uint32", 4, false, load_double<std::uint32_t>},
                                     {"float", "float32", 4, true, load_double<float>},
                                     {"double", "float64", 8, true, load_double<double>}}};

struct Property {
  std::string name;
  const Type* type = nullptr;
  const Type* count = nullptr;  // of a list
};
struct Element {
  std::string name;
  std::size_t count = 0;
  std::vector<Property> properties;
  /// The minimum size of one element in the file.
  [[nodiscard]] std::size_t min_bytes(bool text) const {
    std::size_t bytes = 0;
    for (const Property& p : properties) {
      bytes += text ? 2 : p.count != nullptr ? p.count->size : p.type->size;
    }
    return text ? std::max<std::size_t>(bytes, 1) - 1 : bytes;  // the last line may have no newline
  }
};
struct PlyHeader {
  std::optional<std::endian> order;  // none: text
  std::vector<Element> elements;
};

const Type* type_of(const Words& words, std::string_view word) {
  const auto* found =
      std::ranges::find_if(types, [&](const Type& t) { return word == t.name || word == t.other_name; });
  if (found == types.end()) {
    words.fail(fmt::format("type '{}': must be char, uchar, short, ushort, int, uint, float or double", shown(word)));
  }
  return found;
}

PlyHeader parse_header(Words& words) {
  if (words.next_in_line() != "ply") {
    words.fail("not a PLY file: must start with 'ply'");
  }
  PlyHeader header;
  bool format = false;
  while (words.next_line()) {
    const std::string_view keyword = words.next_in_line();
    if (keyword == "format") {
      const std::string_view kind = words.next_in_line();
      if (kind == "binary_little_endian" || kind == "binary_big_endian") {
        header.order = kind == "binary_big_endian" ? std::endian::big : std::endian::little;
      } else if (kind != "ascii") {
        words.fail(fmt::format("format '{}': must be ascii, binary_little_endian or binary_big_endian", shown(kind)));
      }
      format = true;
    } else if (keyword == "element") {
      const std::string name(words.next_in_line());
      header.elements.push_back({name, words.number<std::size_t>(words.next_in_line(), "count"), {}});
    } else if (keyword == "property") {
      if (header.elements.empty()) {
        words.fail("a property before the first element");
      }
      Property property;
      std::string_view word = words.next_in_line();
      if (word == "list") {
        word = words.next_in_line();
        property.count = type_of(words, word);
        if (property.count->real) {
          words.fail(fmt::format("type '{}' of a list's length: must be an integer type", shown(word)));
        }
        word = words.next_in_line();
      }
      property.type = type_of(words, word);
      property.name = words.next_in_line();
      header.elements.back().properties.push_back(property);
    } else if (keyword == "end_header") {
      if (!format) {
        words.fail("the header has no 'format'");
      }
      return header;
    } else if (!keyword.empty() && keyword != "comment" && keyword != "obj_info") {
      words.fail(fmt::format("'{}': must be format, comment, element, property or end_header", shown(keyword)));
    }
  }
  words.fail("the header has no end_header");
}

/// The numbers after the header, in sequence.
class Body {
 public:
  Body(Words& words, const PlyHeader& header, const std::string& name)
      : words_(&words), bytes_(words.rest_of_text()), order_(header.order), name_(&name) {}

  double next(const Type& type) {
    if (!order_) {
      const std::string_view word = words_->next();
      if (word.empty()) {
        words_->fail("unexpected end of file");
      }
      return words_->number<double>(word, "number");
    }
    if (bytes_.size() - at_ < type.size) {
      throw MeshError(fmt::format("{}: unexpected end of file", *name_));
    }
    at_ += type.size;
    return type.load(bytes_, at_ - type.size, *order_);
  }
  [[nodiscard]] std::size_t remaining_bytes() const {
    return order_ ? bytes_.size() - at_ : words_->rest_of_text().size();
  }

 private:
  Words* words_;
  std::string_view bytes_;
  std::optional<std::endian> order_;
  const std::string* name_;
  std::size_t at_ = 0;
};

class PlyReader {
 public:
  PlyReader(std::string_view bytes, const std::string& name) : words_(bytes, name), name_(&name) {}

  Mesh read() {
    const PlyHeader header = parse_header(words_);
    words_.next_line();
    Body body(words_, header, *name_);
    bool has_vertices = false;
    for (const Element& element : header.elements) {
      if (element.properties.empty()) {
        continue;
      }
      // The header is not trusted: the file's size is checked before memory is allocated.
      const std::size_t min_bytes = std::max<std::size_t>(element.min_bytes(!header.order), 1);
      if (element.count > body.remaining_bytes() / min_bytes + 1) {
        throw MeshError(
            fmt::format("{}: the header promises {} of element '{}', the {} bytes that follow cannot hold them", *name_,
                        element.count, shown(element.name), body.remaining_bytes()));
      }
      if (element.name == "vertex") {
        if (has_vertices) {
          throw MeshError(fmt::format("{}: element 'vertex' is given twice", *name_));
        }
        has_vertices = true;
        read_vertices(element, body);
      } else if (element.name == "face") {
        read_faces(element, body);
      } else {
        for (std::size_t i = 0; i < element.count; ++i) {
          skip(element.properties, body);
        }
      }
    }
    if (faces_.empty()) {
      throw MeshError(fmt::format("{}: no faces", *name_));
    }
    require_finite(mesh_.vertices, *name_);
    mesh_.triangles = faces_.triangles(mesh_.vertices, *name_);  // faces may stand before vertices
    return std::move(mesh_);
  }

 private:
  static std::size_t list_length(const Property& property, Body& body, const std::string& name) {
    const double count = body.next(*property.count);
    if (!(count >= 0 && count <= static_cast<double>(body.remaining_bytes()) && count == std::floor(count))) {
      throw MeshError(fmt::format("{}: a list of {} numbers: must be a whole number, and no more than the file holds",
                                  name, count));
    }
    return static_cast<std::size_t>(count);
  }
  void skip(const Property& property, Body& body) const {
    const std::size_t count = property.count != nullptr ? list_length(property, body, *name_) : 1;
    for (std::size_t i = 0; i < count; ++i) {
      body.next(*property.type);
    }
  }
  void skip(const std::vector<Property>& properties, Body& body) const {
    for (const Property& property : properties) {
      skip(property, body);
    }
  }

  void read_vertices(const Element& element, Body& body) {
    std::array<std::size_t, 3> place{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::string property_name(1, "xyz"[axis]);
      const auto found = std::ranges::find_if(
          element.properties, [&](const Property& p) { return p.name == property_name && p.count == nullptr; });
      if (found == element.properties.end()) {
        throw MeshError(fmt::format("{}: vertices have no property '{}'", *name_, property_name));
      }
      place[axis] = static_cast<std::size_t>(found - element.properties.begin());
    }
    mesh_.vertices.reserve(element.count);
    for (std::size_t i = 0; i < element.count; ++i) {
      Vector3 vertex{};
      for (std::size_t k = 0; k < element.properties.size(); ++k) {
        auto* const axis = std::ranges::find(place, k);
        if (axis == place.end()) {
          skip(element.properties[k], body);
        } else {
          vertex[static_cast<std::size_t>(axis - place.begin())] = body.next(*element.properties[k].type);
        }
      }
      mesh_.vertices.push_back(vertex);
    }
  }

  void read_faces(const Element& element, Body& body) {
    const auto is_corners = [](const Property& p) {
      return p.count != nullptr && (p.name == "vertex_indices" || p.name == "vertex_index");
    };
    if (std::ranges::none_of(element.properties, is_corners)) {
      throw MeshError(fmt::format("{}: faces have no list 'vertex_indices'", *name_));
    }
    for (std::size_t i = 0; i < element.count; ++i) {
      for (const Property& property : element.properties) {
        if (is_corners(property)) {
          read_polygon(property, body, i);
        } else {
          skip(property, body);
        }
      }
    }
  }

  void read_polygon(const Property& property, Body& body, std::size_t face) {
    const std::size_t count = list_length(property, body, *name_);
    if (count < 3) {
      throw MeshError(fmt::format("{}: face {} has {} corners: must be 3 or more", *name_, face, count));
    }
    for (std::size_t k = 0; k < count; ++k) {
      const double index = body.next(*property.type);
      if (!(index >= 0 && index <= max_index && index == std::floor(index))) {
        throw MeshError(
            fmt::format("{}: face {} uses vertex {:g}: must be a whole number from 0", *name_, face, index));
      }
      faces_.add_corner(static_cast<std::uint32_t>(index));
    }
    faces_.end_face();
  }

  Words words_;
  const std::string* name_;
  Mesh mesh_;
  Faces faces_;
};

}  // namespace

Mesh parse_ply(std::string_view bytes, const std::string& name) { return PlyReader(bytes, name).read(); }

std::string to_ply(const Mesh& mesh) {
  std::string bytes = fmt::format(
      "ply\nformat binary_little_endian 1.0\nelement vertex {}\nproperty float x\nproperty float y\nproperty float z\n"
      "element face {}\nproperty list uchar uint vertex_indices\nend_header\n",
      mesh.vertices.size(), mesh.triangles.size());
  bytes.reserve(bytes.size() + 12 * mesh.vertices.size() + 13 * mesh.triangles.size());
  for (const Vector3& vertex : mesh.vertices) {
    for (const double x : vertex) {
      store(bytes, static_cast<float>(x));
    }
  }
  for (const Triangle& triangle : mesh.triangles) {
    store(bytes, std::uint8_t{3});
    for (const std::uint32_t index : triangle) {
      store(bytes, index);
    }
  }
  return bytes;
}

}  // namespace stiction::geometry
