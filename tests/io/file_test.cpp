#include "stiction/io/file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

#include "io/temp_folder.h"

namespace stiction::io {
namespace {

using test::message_of;
using test::TempFolder;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// While it lives, no file can grow beyond so many bytes: as on a full disk.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : old_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &old_limit_);
    const rlimit limit{bytes, old_limit_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &old_limit_);
    std::signal(SIGXFSZ, old_handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit old_limit_{};
  void (*old_handler_)(int);
};

TEST(WriteText, WritesEveryByteAndLeavesNothingElse) {
  const TempFolder folder;
  const std::string text("line\r\n\0\xff no end", 15);
  write_text(folder / "a.txt", text);
  EXPECT_EQ(folder.read("a.txt"), text);
  EXPECT_EQ(read_text(folder / "a.txt"), text);
  EXPECT_THAT(folder.content(), ElementsAre("a.txt"));
}

TEST(WriteText, ReplacesALongerFileWhole) {
  const TempFolder folder;
  folder.write("a.txt", std::string(100000, 'x'));
  write_text(folder / "a.txt", "new");
  EXPECT_EQ(folder.read("a.txt"), "new");
  write_text(folder / "a.txt", "");
  EXPECT_EQ(folder.read("a.txt"), "");
  EXPECT_THAT(folder.content(), ElementsAre("a.txt"));
}

TEST(WriteText, KeepsTheOldFileAndNoHalfOneWhenTheDiskIsFull) {
  const TempFolder folder;
  folder.write("a.txt", "earlier result");
  std::string message;
  {
    const FullDisk full(1000);
    message = message_of<FileError>([&] { write_text(folder / "a.txt", std::string(5000, 'x')); });
  }
  EXPECT_EQ(message, "cannot write " + (folder / "a.txt").string() + ": File too large");
  EXPECT_EQ(folder.read("a.txt"), "earlier result");
  EXPECT_THAT(folder.content(), ElementsAre("a.txt"));
}

TEST(WriteText, KeepsTheOldFileWhenNoDraftCanBeMade) {
  const TempFolder folder;
  folder.write("a.txt", "earlier result");
  std::filesystem::create_directory(folder / "a.txt.part");
  EXPECT_EQ(message_of<FileError>([&] { write_text(folder / "a.txt", "new"); }),
            "cannot write " + (folder / "a.txt").string() + ": Is a directory");
  EXPECT_EQ(folder.read("a.txt"), "earlier result");
}

TEST(WriteText, LeavesNothingBehindWhereAFolderHasTheName) {
  const TempFolder folder;
  std::filesystem::create_directory(folder / "a.txt");
  EXPECT_THROW(write_text(folder / "a.txt", "new"), FileError);
  EXPECT_THAT(folder.content(), ElementsAre("a.txt"));
  EXPECT_TRUE(std::filesystem::is_directory(folder / "a.txt"));
}

TEST(WriteText, NamesTheFileWhoseFolderIsMissing) {
  const TempFolder folder;
  EXPECT_EQ(message_of<FileError>([&] { write_text(folder / "none/a.txt", "new"); }),
            "cannot write " + (folder / "none/a.txt").string() + ": No such file or directory");
  EXPECT_THAT(folder.content(), IsEmpty());
}

TEST(ReadText, NamesWhatCannotBeRead) {
  const TempFolder folder;
  EXPECT_EQ(message_of<InputError>([&] { read_text(folder / "none"); }),
            "cannot read " + (folder / "none").string() + ": No such file or directory");
  EXPECT_EQ(message_of<InputError>([&] { read_text(folder.path()); }),
            "cannot read " + folder.path().string() + ": it is a folder, a file is wanted");
}

TEST(MakeFolder, CreatesParentsAndAcceptsWhatIsThere) {
  const TempFolder folder;
  make_folder(folder / "a/b/c");
  make_folder(folder / "a/b/c");
  EXPECT_TRUE(std::filesystem::is_directory(folder / "a/b/c"));
}

TEST(MakeFolder, FailsWhereAFileIsInTheWay) {
  const TempFolder folder;
  folder.write("a", "text");
  for (const char* name : {"a", "a/b"}) {
    EXPECT_EQ(message_of<FileError>([&] { make_folder(folder / name); }),
              "cannot create folder " + (folder / name).string() + ": Not a directory");
  }
  EXPECT_EQ(folder.read("a"), "text");
}

}  // namespace
}  // namespace stiction::io
