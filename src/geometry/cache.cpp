#include "stiction/geometry/cache.h"

#include <fmt/format.h>

#include <bit>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>

#include "../disk.h"
#include "cache_content.h"

namespace stiction::geometry {
namespace {

constexpr std::size_t max_file_bytes = std::size_t{16} << 30U;
constexpr std::uint64_t format_version = 1;  // changes with the layout and with how the content is computed

/// A fast hash: four streams of 8 bytes. For accidents, not for attacks.
class Hash {
 public:
  explicit Hash(std::uint64_t seed) : lanes_{seed, ~seed, seed * multiplier, seed ^ multiplier} {}

  void add(std::string_view bytes) {
    while (bytes.size() >= 32) {
      for (std::size_t i = 0; i < 4; ++i) {
        mix(lanes_[i], word(bytes.data() + 8 * i, 8));
      }
      bytes.remove_prefix(32);
    }
    for (std::size_t i = 0; !bytes.empty(); i = (i + 1) % 4) {
      const std::size_t size = std::min<std::size_t>(bytes.size(), 8);
      mix(lanes_[i], word(bytes.data(), size) + (size << 56U));
      bytes.remove_prefix(size);
    }
  }
  [[nodiscard]] std::uint64_t value() const {
    std::uint64_t result = 0x2545f4914f6cdd1dU;
    for (const std::uint64_t lane : lanes_) {
      mix(result, lane);
    }
    return result ^ (result >> 29U);
  }

 private:
  static constexpr std::uint64_t multiplier = 0x9e3779b97f4a7c15U;
  static std::uint64_t word(const char* bytes, std::size_t size) {
    std::uint64_t w = 0;
    std::memcpy(&w, bytes, size);
    return w;
  }
  static void mix(std::uint64_t& lane, std::uint64_t w) { lane = std::rotl((lane ^ w) * multiplier, 29); }

  std::array<std::uint64_t, 4> lanes_;
};

template <class Plain>
std::string_view bytes_of(const std::vector<Plain>& list) {
  static_assert(std::is_trivially_copyable_v<Plain>);
  return {reinterpret_cast<const char*>(list.data()), list.size() * sizeof(Plain)};  // NOLINT: bytes of plain data
}
template <class Plain>
std::string_view bytes_of(const Plain& value) {
  static_assert(std::is_trivially_copyable_v<Plain>);
  return {reinterpret_cast<const char*>(&value), sizeof(Plain)};  // NOLINT: bytes of plain data
}

struct Key {
  std::uint64_t high, low;
  friend bool operator==(const Key&, const Key&) = default;
};

/// The start of a file, written as it is in memory: on a machine with another byte order `version` does not match.
struct Header {
  std::array<char, 8> magic{'s', 't', 'i', 'c', 't', 'i', 'o', 'n'};
  std::uint64_t version = format_version;
  Key key{};
  std::uint64_t bytes = 0;     // number of bytes that follow
  std::uint64_t checksum = 0;  // of them
};

Key key_of(const Mesh& mesh, std::string_view kind, const std::vector<double>& params) {
  const auto half = [&](std::uint64_t seed) {
    Hash hash(seed);
    hash.add(kind);
    hash.add(bytes_of(params));
    const std::array<std::uint64_t, 2> sizes{mesh.vertices.size(), mesh.triangles.size()};
    hash.add(bytes_of(sizes));
    hash.add(bytes_of(mesh.vertices));
    hash.add(bytes_of(mesh.triangles));
    return hash.value();
  };
  return {half(format_version), half(~format_version)};
}

/// Writes the parts of a value in sequence, each list after its length.
class Writer {
 public:
  template <class Plain>
  void operator()(const Plain& value) {
    pieces_.push_back(bytes_of(value));
  }
  template <class Plain>
  void operator()(const std::vector<Plain>& list) {
    lengths_.push_back(std::make_unique<std::uint64_t>(list.size()));
    pieces_.push_back(bytes_of(*lengths_.back()));
    pieces_.push_back(bytes_of(list));
  }
  [[nodiscard]] const std::vector<std::string_view>& pieces() const { return pieces_; }

 private:
  std::vector<std::string_view> pieces_;
  std::vector<std::unique_ptr<std::uint64_t>> lengths_;
};

/// Reads them again.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  template <class Plain>
  void operator()(Plain& value) {
    take(&value, sizeof(Plain));
  }
  template <class Plain>
  void operator()(std::vector<Plain>& list) {
    std::uint64_t length = 0;
    (*this)(length);
    if (length > bytes_.size() / sizeof(Plain)) {
      throw MeshError("a list is longer than the file");
    }
    list.resize(length);
    take(list.data(), length * sizeof(Plain));
  }
  [[nodiscard]] bool at_end() const { return bytes_.empty(); }

 private:
  void take(void* to, std::size_t size) {
    if (size > bytes_.size()) {
      throw MeshError("it is too short");
    }
    if (size > 0) {
      std::memcpy(to, bytes_.data(), size);
    }
    bytes_.remove_prefix(size);
  }
  std::string_view bytes_;
};

template <class Data, class Visitor>
void visit_field(Data& data, Visitor& visit) {
  visit(data.origin);
  visit(data.spacing);
  visit(data.band);
  visit(data.solid);
  visit(data.blocks);
  visit(data.index);
  visit(data.near);
  visit(data.far);
}
template <class Data, class Visitor>
void visit_shell(Data& data, Visitor& visit) {
  visit(data.points);
  visit(data.level);
  visit(data.nodes);
  visit(data.spacing);
}

/// The content of a file as plain data.
template <class Data, class Visit>
Data parsed(std::string_view content, const Visit& visit) {
  Reader reader(content);
  Data data;
  visit(data, reader);
  if (!reader.at_end()) {
    throw MeshError("it is too long");
  }
  return data;
}

std::uint64_t checksum_of(std::string_view bytes) {
  Hash hash(1);
  hash.add(bytes);
  return hash.value();
}

/// The file's content after its header; throws if it cannot be used.
std::string_view checked_content(std::string_view bytes, const Key& key) {
  Header header;
  if (bytes.size() < sizeof(Header)) {
    throw MeshError("it is too short");
  }
  std::memcpy(&header, bytes.data(), sizeof(Header));
  bytes.remove_prefix(sizeof(Header));
  if (header.magic != Header{}.magic || header.version != format_version) {
    throw MeshError("it was written by another version");
  }
  if (!(header.key == key)) {
    throw MeshError("it is for another mesh");
  }
  if (header.bytes != bytes.size()) {
    throw MeshError(fmt::format("it has {} bytes of {}", bytes.size(), header.bytes));
  }
  if (header.checksum != checksum_of(bytes)) {
    throw MeshError("its checksum is wrong");
  }
  return bytes;
}

/// Returns a value from the cache, or makes it and stores it there. Problems with the cache only cause a notice.
template <class Value, class Data, class Visit, class Make>
Cached<Value> cached(const Cache& cache, const char* kind, const Key& key, Visit visit, Make make) {
  if (cache.folder.empty()) {
    return {make(), {}, false};
  }
  const auto notice = [&](const std::string& line) {
    if (cache.notice) {
      cache.notice(line);
    }
  };
  const std::filesystem::path file = cache.folder / fmt::format("{:016x}{:016x}.{}", key.high, key.low, kind);
  std::error_code error;
  if (std::filesystem::exists(file, error)) {
    try {
      const std::string bytes = disk::read<MeshError>(file, max_file_bytes);
      return {Value(parsed<Data>(checked_content(bytes, key), visit)), file, true};
    } catch (const std::exception& problem) {
      notice(fmt::format("rebuilding {}: {}", file.string(), problem.what()));
    }
  }
  Value value = make();
  try {
    std::filesystem::create_directories(cache.folder);
    Writer writer;
    visit(value.data(), writer);
    std::string content;
    for (const std::string_view piece : writer.pieces()) {
      content += piece;
    }
    Header header;
    header.key = key;
    header.bytes = content.size();
    header.checksum = checksum_of(content);
    const std::array<std::string_view, 2> pieces{bytes_of(header), content};
    disk::write<MeshError>(file, pieces);
  } catch (const std::exception& problem) {
    notice(fmt::format("not cached: {}", problem.what()));
    return {std::move(value), {}, false};
  }
  return {std::move(value), file, false};
}

}  // namespace

FieldData parse_field_content(std::string_view content) {
  return parsed<FieldData>(content, [](auto& data, auto& visit) { visit_field(data, visit); });
}
ShellData parse_shell_content(std::string_view content) {
  return parsed<ShellData>(content, [](auto& data, auto& visit) { visit_shell(data, visit); });
}

std::filesystem::path default_cache_folder() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): the environment is never changed
  const auto variable = [](const char* name) {
    return std::filesystem::path(std::getenv(name) != nullptr ? std::getenv(name) : "");
  };
  const auto own = variable("XDG_CACHE_HOME");
  const auto home = variable("HOME");
  return own.is_absolute() ? own / "stiction" : home.is_absolute() ? home / ".cache" / "stiction" : "";
}

Cached<DistanceField> cached_distance_field(const Mesh& mesh, const FieldParams& params, const Cache& cache,
                                            const Progress& progress) {
  return cached<DistanceField, FieldData>(
      cache, "sdf", key_of(mesh, "sdf", {params.resolution, params.band}),
      [](auto& data, auto& visit) { visit_field(data, visit); },
      [&] { return DistanceField::make(mesh, params, progress); });
}

Cached<PointShell> cached_point_shell(const Mesh& mesh, const ShellParams& params, const Cache& cache,
                                      const Progress& progress) {
  return cached<PointShell, ShellData>(
      cache, "shell",
      key_of(
          mesh, "shell",
          {static_cast<double>(params.points), static_cast<double>(params.levels), std::bit_cast<double>(params.seed)}),
      [](auto& data, auto& visit) { visit_shell(data, visit); },
      [&] { return PointShell::make(mesh, params, progress); });
}

}  // namespace stiction::geometry
