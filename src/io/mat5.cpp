// MATLAB's level 5, as its maker describes it ("MAT-File Format"): elements of a type, a size and data,
// each padded to 8 bytes; matrices and structures are elements of elements.
#define ZLIB_CONST  // what is read is not written
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>

#include "mat_vectors.h"
#include "stiction/io/file.h"

namespace stiction::io {
namespace {

constexpr std::size_t max_inflated = std::size_t{1} << 31;  // bytes of one compressed variable

enum Type : std::uint32_t { matrix = 14, compressed = 15 };
enum Class : std::uint32_t { structure = 2, first_numeric = 6, last_numeric = 15 };

[[noreturn]] void complain(const std::string& file) {
  throw InputError(fmt::format("{}: is damaged, or not a .mat file of level 5", file));
}

/// A number in the file's byte order.
template <class T>
T number_at(std::string_view bytes, std::size_t at, bool swapped) {
  std::array<char, sizeof(T)> raw{};
  std::memcpy(raw.data(), bytes.data() + at, sizeof(T));
  if (swapped) {
    std::reverse(raw.begin(), raw.end());
  }
  return std::bit_cast<T>(raw);
}

struct Element {
  std::uint32_t type = 0;
  std::string_view data;
};

/// Elements one after the other.
class Elements {
 public:
  Elements(std::string_view bytes, bool swapped, const std::string& file)
      : bytes_(bytes), swapped_(swapped), file_(file) {}

  [[nodiscard]] bool empty() const { return bytes_.size() < 8; }

  Element next() {
    if (empty()) {
      complain(file_);
    }
    const auto first = number_at<std::uint32_t>(bytes_, 0, swapped_);
    if (first > 0xffff) {  // at most 4 bytes of data stand in the tag itself
      const std::size_t size = first >> 16U;
      const Element element{first & 0xffffU, bytes_.substr(4, std::min<std::size_t>(size, 4))};
      bytes_.remove_prefix(8);
      return element;
    }
    const std::size_t size = number_at<std::uint32_t>(bytes_, 4, swapped_);
    if (size > bytes_.size() - 8) {
      complain(file_);
    }
    const Element element{first, bytes_.substr(8, size)};
    const std::size_t padded = first == compressed ? size : (size + 7) / 8 * 8;
    bytes_.remove_prefix(std::min(bytes_.size(), 8 + padded));
    return element;
  }

 private:
  std::string_view bytes_;
  bool swapped_;
  const std::string& file_;
};

std::string inflated(std::string_view data, const std::string& file) {
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) {
    throw InputError(fmt::format("{}: cannot be decompressed", file));
  }
  std::string result;
  std::array<char, 65536> chunk{};
  stream.next_in = static_cast<const Bytef*>(static_cast<const void*>(data.data()));
  stream.avail_in = static_cast<uInt>(data.size());
  int status = Z_OK;
  while (status == Z_OK && result.size() < max_inflated) {
    stream.next_out = static_cast<Bytef*>(static_cast<void*>(chunk.data()));
    stream.avail_out = chunk.size();
    status = inflate(&stream, Z_NO_FLUSH);
    result.append(chunk.data(), chunk.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  if (status != Z_STREAM_END) {
    complain(file);
  }
  return result;
}

template <class T>
void append(std::string_view data, bool swapped, std::vector<double>& values) {
  for (std::size_t at = 0; at + sizeof(T) <= data.size(); at += sizeof(T)) {
    const auto value = static_cast<double>(number_at<T>(data, at, swapped));
    values.push_back(std::isfinite(value) ? value : std::numeric_limits<double>::quiet_NaN());
  }
}

/// The numbers of an element; MATLAB stores them in the smallest type that holds them.
std::vector<double> numbers(const Element& element, bool swapped) {
  std::vector<double> values;
  switch (element.type) {
    case 1:
      append<std::int8_t>(element.data, swapped, values);
      break;
    case 2:
      append<std::uint8_t>(element.data, swapped, values);
      break;
    case 3:
      append<std::int16_t>(element.data, swapped, values);
      break;
    case 4:
      append<std::uint16_t>(element.data, swapped, values);
      break;
    case 5:
      append<std::int32_t>(element.data, swapped, values);
      break;
    case 6:
      append<std::uint32_t>(element.data, swapped, values);
      break;
    case 7:
      append<float>(element.data, swapped, values);
      break;
    case 9:
      append<double>(element.data, swapped, values);
      break;
    case 12:
      append<std::int64_t>(element.data, swapped, values);
      break;
    case 13:
      append<std::uint64_t>(element.data, swapped, values);
      break;
    default:
      break;
  }
  return values;
}

class Reader {
 public:
  Reader(const std::string& file, bool swapped) : file_(file), swapped_(swapped) {}

  void read(std::string_view bytes) {
    for (Elements elements(bytes, swapped_, file_); !elements.empty();) {
      const Element element = elements.next();
      if (element.type == compressed) {
        const std::string text = inflated(element.data, file_);
        const Element inner = Elements(text, swapped_, file_).next();
        read_variable(inner, "", 0);
      } else {
        read_variable(element, "", 0);
      }
    }
  }
  MatVectors found;

 private:
  /// A variable, or a field, which has its name from the structure.
  void read_variable(const Element& element, const std::string& field, int depth) {
    if (element.type != matrix || element.data.empty()) {
      return;  // an empty field has no data at all
    }
    Elements parts(element.data, swapped_, file_);
    const Element flags = parts.next();
    const std::vector<double> sizes = numbers(parts.next(), swapped_);
    std::string name(parts.next().data);
    name = one_line(field.empty() ? name : field);
    if (flags.data.size() < 8 || sizes.size() < 2) {
      complain(file_);
    }
    const auto kind = number_at<std::uint32_t>(flags.data, 0, swapped_);
    const bool complex = (kind & 0x0800U) != 0;
    const bool plane = sizes.size() == 2 && sizes[0] >= 1 && sizes[1] >= 1;
    if ((kind & 0xffU) == structure && plane && sizes[0] * sizes[1] == 1 && depth < max_mat_depth) {
      read_fields(parts, depth == 0 ? "" : name + "_", depth);
    } else if ((kind & 0xffU) >= first_numeric && (kind & 0xffU) <= last_numeric && plane && !complex) {
      const std::vector<double> values = numbers(parts.next(), swapped_);
      if (static_cast<double>(values.size()) != sizes[0] * sizes[1]) {
        complain(file_);
      }
      found.add(name, static_cast<std::size_t>(sizes[0]), static_cast<std::size_t>(sizes[1]), values);
    } else {
      found.others.push_back(name);
    }
  }

  void read_fields(Elements& parts, const std::string& prefix, int depth) {
    const std::vector<double> length = numbers(parts.next(), swapped_);
    const std::string_view names = parts.next().data;
    if (length.size() != 1 || !(length[0] >= 1 && length[0] <= 1024)) {
      complain(file_);
    }
    const auto size = static_cast<std::size_t>(length[0]);
    for (std::size_t at = 0; at + size <= names.size() && !parts.empty(); at += size) {
      const std::string_view name = names.substr(at, size);
      read_variable(parts.next(), prefix + std::string(name.substr(0, name.find('\0'))), depth + 1);
    }
  }

  const std::string& file_;
  bool swapped_;
};

}  // namespace

MatVectors read_mat5(std::string_view bytes, const std::string& file) {
  const bool little = bytes.substr(126, 2) == "IM";
  Reader reader(file, little != (std::endian::native == std::endian::little));
  reader.read(bytes.substr(128));
  return std::move(reader.found);
}

}  // namespace stiction::io
