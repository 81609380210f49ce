#include "stiction/geometry/cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "io/temp_folder.h"
#include "stiction/geometry/shapes.h"
#include "support/random.h"

namespace stiction::geometry {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

const FieldParams small_field{32, 2};
const ShellParams small_shell{100, 3, 1};

class CacheTest : public ::testing::Test {
 protected:
  Cached<PointShell> shell() { return cached_point_shell(mesh_, small_shell, cache_); }
  Cached<DistanceField> field() { return cached_distance_field(mesh_, small_field, cache_); }
  [[nodiscard]] std::string bytes(const std::filesystem::path& file) const {
    return folder_.read("cache/" + file.filename().string());
  }
  void write(const std::filesystem::path& file, const std::string& bytes) const {
    folder_.write("cache/" + file.filename().string(), bytes);
  }

  test::TempFolder folder_;
  Mesh mesh_ = sphere(1, 1);
  std::vector<std::string> notices_;
  Cache cache_{folder_ / "cache", [this](const std::string& line) { notices_.push_back(line); }};
};

void expect_same(const DistanceField& a, const DistanceField& b) {
  EXPECT_EQ(a.data().near, b.data().near);
  EXPECT_EQ(a.data().far, b.data().far);
  EXPECT_EQ(a.data().index, b.data().index);
  EXPECT_EQ(a.data().origin, b.data().origin);
  EXPECT_EQ(a.data().spacing, b.data().spacing);
  EXPECT_EQ(a.data().solid.low, b.data().solid.low);
  EXPECT_EQ(a.data().blocks, b.data().blocks);
}

TEST_F(CacheTest, TheSecondTimeItIsReadAndTheSame) {
  const auto made = field();
  EXPECT_FALSE(made.from_cache);
  const auto read = field();
  EXPECT_TRUE(read.from_cache);
  EXPECT_EQ(read.file, made.file);
  expect_same(made.thing, read.thing);
  const auto shell = cached_point_shell(mesh_, small_shell, cache_);
  const auto again = cached_point_shell(mesh_, small_shell, cache_);
  EXPECT_FALSE(shell.from_cache);
  EXPECT_TRUE(again.from_cache);
  ASSERT_EQ(again.thing.points().size(), 100U);
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_EQ(again.thing.points()[i].position, shell.thing.points()[i].position);
    EXPECT_EQ(again.thing.points()[i].normal, shell.thing.points()[i].normal);
    EXPECT_EQ(again.thing.level_of(i), shell.thing.level_of(i));
  }
  EXPECT_EQ(again.thing.nodes().size(), shell.thing.nodes().size());
  EXPECT_TRUE(notices_.empty());
}

TEST_F(CacheTest, AnythingElseIsAnotherFile) {
  const auto made = field();
  mesh_.vertices[3][1] = std::nextafter(mesh_.vertices[3][1], 2);
  EXPECT_FALSE(field().from_cache);
  mesh_ = sphere(1, 1);
  EXPECT_TRUE(field().from_cache);
  std::swap(mesh_.triangles[0], mesh_.triangles[1]);
  EXPECT_FALSE(field().from_cache);
  EXPECT_FALSE(cached_distance_field(mesh_, {33, 2}, cache_).from_cache);
  EXPECT_FALSE(cached_distance_field(mesh_, {32, 1}, cache_).from_cache);
  EXPECT_FALSE(cached_point_shell(mesh_, {100, 3, 1}, cache_).from_cache);
  EXPECT_FALSE(cached_point_shell(mesh_, {100, 3, 2}, cache_).from_cache);
  EXPECT_FALSE(cached_point_shell(mesh_, {100, 4, 1}, cache_).from_cache);
  EXPECT_FALSE(cached_point_shell(mesh_, {101, 3, 1}, cache_).from_cache);
}

TEST_F(CacheTest, EveryDamageIsNoticedAndRepaired) {
  const auto made = shell();
  const std::string good = bytes(made.file);
  test::Random random(1);
  std::vector<std::string> damaged{"",
                                   "x",
                                   good.substr(0, 20),
                                   good.substr(0, good.size() / 2),
                                   good.substr(0, good.size() - 1),
                                   good + "x",
                                   std::string(good.size(), '\0')};
  for (std::size_t at = 0; at < 56; ++at) {  // the header, byte by byte: magic, version, key, size, checksum
    damaged.push_back(good);
    damaged.back()[at] = static_cast<char>(damaged.back()[at] ^ 1);
  }
  for (int i = 0; i < 40; ++i) {  // one bit anywhere
    damaged.push_back(good);
    const auto at = static_cast<std::size_t>(random.unit() * static_cast<double>(good.size()));
    damaged.back()[at] = static_cast<char>(damaged.back()[at] ^ (1U << (random.bits() % 8)));
  }
  for (const std::string& bad : damaged) {
    write(made.file, bad);
    notices_.clear();
    const auto again = shell();
    EXPECT_FALSE(again.from_cache);
    ASSERT_EQ(notices_.size(), 1U);
    EXPECT_THAT(notices_[0], testing::ContainsRegex("^rebuilding .*\\.shell: it"));
    EXPECT_EQ(notices_[0].find('\n'), std::string::npos);
    EXPECT_EQ(again.thing.points()[7].position, made.thing.points()[7].position);
    ASSERT_EQ(bytes(made.file), good);
  }
  EXPECT_TRUE(shell().from_cache);
}

TEST_F(CacheTest, AnotherVersionIsMadeAgain) {
  const auto made = field();
  std::string old = bytes(made.file);
  ++old[8];
  write(made.file, old);
  EXPECT_FALSE(field().from_cache);
  ASSERT_EQ(notices_.size(), 1U);
  EXPECT_THAT(notices_[0], EndsWith("it was written by another version"));
}

TEST_F(CacheTest, AFileOfAnotherMeshIsNotUsed) {
  const auto made = field();
  const auto other = cached_distance_field(sphere(2, 1), small_field, cache_);
  write(made.file, bytes(other.file));
  EXPECT_FALSE(field().from_cache);
  EXPECT_THAT(notices_.at(0), EndsWith("it is for another mesh"));
}

/// A writer that is killed at any moment leaves no file with the final name, or a whole one.
TEST_F(CacheTest, AKilledWriterLeavesNothingThatIsUsed) {
  const auto good = PointShell::make(mesh_, small_shell);
  test::Random random(2);
  for (int i = 0; i < 30; ++i) {
    std::filesystem::remove_all(cache_.folder);
    const pid_t child = ::fork();
    if (child == 0) {
      for (;;) {  // writes again and again until it is killed
        std::filesystem::remove_all(cache_.folder);
        shell();
      }
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(3 + static_cast<int>(20 * random.unit())));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    notices_.clear();
    const auto after = shell();
    EXPECT_TRUE(notices_.empty());
    EXPECT_EQ(after.thing.points()[7].position, good.points()[7].position);
    EXPECT_TRUE(shell().from_cache);
  }
}

TEST_F(CacheTest, DraftsOfTheDeadGoWithTheNextWriter) {
  std::filesystem::create_directories(cache_.folder);
  for (const char* name : {".stiction-0123456789abcdef.part", "mine.part"}) {
    folder_.write(std::string("cache/") + name, "half");
  }
  field();
  EXPECT_FALSE(std::filesystem::exists(cache_.folder / ".stiction-0123456789abcdef.part"));
  EXPECT_TRUE(std::filesystem::exists(cache_.folder / "mine.part"));
}

TEST_F(CacheTest, WithoutAFolderThatCanBeWrittenTheWorkIsDoneAllTheSame) {
  folder_.write("file", "not a folder");
  cache_.folder = folder_ / "file/cache";
  const auto made = field();
  EXPECT_FALSE(made.from_cache);
  EXPECT_TRUE(made.file.empty());
  ASSERT_EQ(notices_.size(), 1U);
  EXPECT_THAT(notices_[0], HasSubstr("not cached: "));
  cache_.folder.clear();
  EXPECT_TRUE(field().file.empty());
  EXPECT_EQ(notices_.size(), 1U);
}

TEST_F(CacheTest, TheFolderIsThatOfTheUser) {
  const char* own = std::getenv("XDG_CACHE_HOME");
  const std::string before = own != nullptr ? own : "";
  ::setenv("XDG_CACHE_HOME", "/somewhere/else", 1);
  EXPECT_EQ(default_cache_folder(), "/somewhere/else/stiction");
  ::setenv("XDG_CACHE_HOME", "relative", 1);
  ::setenv("HOME", "/home/someone", 1);
  EXPECT_EQ(default_cache_folder(), "/home/someone/.cache/stiction");
  ::unsetenv("HOME");
  EXPECT_EQ(default_cache_folder(), "");
  own != nullptr ? ::setenv("XDG_CACHE_HOME", before.c_str(), 1) : ::unsetenv("XDG_CACHE_HOME");
}

}  // namespace
}  // namespace stiction::geometry
