#include "stiction/io/file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

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

/// Runs in a process of its own, without the rights of root; its exit status.
template <class Work>
int status_of_child(const Work& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    const bool plain = ::geteuid() != 0 || ::setuid(65534) == 0;
    ::_exit(plain ? work() : 99);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(WriteText, KeepsTheOldFileWhereTheFolderIsReadOnly) {
  const TempFolder folder;
  folder.write("a.txt", "earlier result");
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0555));
  EXPECT_EQ(status_of_child([&] {
              const std::string message = message_of<FileError>([&] { write_text(folder / "a.txt", "new"); });
              return message == "cannot write " + (folder / "a.txt").string() + ": Permission denied" ? 0 : 1;
            }),
            0);
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
  EXPECT_EQ(folder.read("a.txt"), "earlier result");
  EXPECT_THAT(folder.content(), ElementsAre("a.txt"));
}

TEST(WriteText, WritersAtTheSameTimeDoNotDisturbEachOther) {
  const TempFolder folder;
  constexpr int writers = 24;
  constexpr std::size_t size = 200'000;
  folder.write("a.txt", std::string(size, 'a'));
  std::vector<pid_t> children;
  for (int i = 0; i < writers; ++i) {
    children.push_back(::fork());
    if (children.back() == 0) {
      try {
        for (int k = 0; k < 10; ++k) {
          write_text(folder / "a.txt", std::string(size, static_cast<char>('a' + i)));
        }
      } catch (const std::exception&) {
        ::_exit(1);
      }
      ::_exit(0);
    }
  }
  for (std::size_t running = children.size(); running > 0;) {
    const std::string seen = folder.read("a.txt");
    ASSERT_EQ(seen.size(), size);
    ASSERT_EQ(seen, std::string(size, seen[0]));
    int status = 0;
    while (running > 0 && ::waitpid(-1, &status, WNOHANG) > 0) {
      EXPECT_EQ(status, 0) << "a writer failed";
      --running;
    }
  }
  EXPECT_THAT(folder.content(), ElementsAre("a.txt"));
}

TEST(WriteText, AKilledWriterLeavesTheOldFileOrTheNewOne) {
  const TempFolder folder;
  constexpr std::size_t size = 1'000'000;
  folder.write("a.txt", std::string(size, '0'));
  for (int i = 0; i < 40; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      for (char c = '0';; c = c == '9' ? '0' : static_cast<char>(c + 1)) {
        write_text(folder / "a.txt", std::string(size, c));
      }
    }
    std::this_thread::sleep_for(std::chrono::microseconds(300 * (i + 1)));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    const std::string seen = folder.read("a.txt");
    ASSERT_EQ(seen.size(), size);
    ASSERT_EQ(seen, std::string(size, seen[0]));
  }
  for (const std::string& name : folder.content()) {  // hidden, and never mistaken for a result
    EXPECT_TRUE(name == "a.txt" || (name.starts_with(".stiction-") && name.ends_with(".part"))) << name;
  }
}

TEST(WriteText, RemovesTheDraftsOfKilledWriters) {
  const TempFolder folder;
  const auto drafts = [&] {
    std::vector<std::string> names = folder.content();
    std::erase(names, "a.txt");
    return names;
  };
  for (int attempt = 0; attempt < 500 && drafts().empty(); ++attempt) {
    const pid_t child = ::fork();
    if (child == 0) {
      for (;;) {
        write_text(folder / "a.txt", std::string(1'000'000, 'x'));
      }
    }
    std::this_thread::sleep_for(std::chrono::microseconds(1000 + 37 * attempt));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
  ASSERT_FALSE(drafts().empty()) << "no writer was killed in the middle";
  write_text(folder / "b.txt", "new");
  std::filesystem::remove(folder / "b.txt");
  EXPECT_THAT(drafts(), IsEmpty());
}

TEST(WriteText, LeavesAloneWhatIsNotTheDraftOfADeadWriter) {
  const TempFolder folder;
  const std::string live = ".stiction-00000000000000aa.part";
  const std::string link = ".stiction-00000000000000bb.part";
  const std::string pipe = ".stiction-00000000000000cc.part";
  folder.write(live, "half");
  folder.write("victim", "untouched");
  std::filesystem::create_symlink(folder / "victim", folder / link);
  ASSERT_EQ(::mkfifo((folder / pipe).c_str(), 0600), 0);
  for (const char* other :
       {".stiction-1.part", ".stiction-00000000000000AA.part", ".stiction-0000000000000000.part.txt", "x.part"}) {
    folder.write(other, "mine");
  }
  const int held = ::open((folder / live).c_str(), O_RDONLY);
  ASSERT_EQ(::flock(held, LOCK_EX), 0);
  const std::vector<std::string> before = folder.content();
  write_text(folder / "a.txt", "new");
  std::vector<std::string> after = folder.content();
  std::erase(after, "a.txt");
  EXPECT_EQ(after, before);
  EXPECT_EQ(folder.read("victim"), "untouched");
  ::close(held);
  write_text(folder / "a.txt", "new");
  EXPECT_FALSE(std::filesystem::exists(folder / live));
}

TEST(WriteText, DoesNotFollowALink) {
  const TempFolder folder;
  folder.write("victim", "untouched");
  for (const char* planted : {"a.txt", "a.txt.part"}) {
    std::filesystem::create_symlink(folder / "victim", folder / planted);
  }
  write_text(folder / "a.txt", "new");
  EXPECT_EQ(folder.read("victim"), "untouched");
  EXPECT_EQ(folder.read("a.txt"), "new");
  EXPECT_FALSE(std::filesystem::is_symlink(folder / "a.txt"));
}

TEST(WriteText, DoesNotReplaceAPipe) {
  const TempFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(message_of<FileError>([&] { write_text(folder / "pipe", "new"); }),
            "cannot write " + (folder / "pipe").string() + ": it is not a regular file");
  EXPECT_TRUE(std::filesystem::is_fifo(folder / "pipe"));
}

TEST(WriteText, TakesNamesAsLongAsTheSystemDoes) {
  const TempFolder folder;
  const std::string longest(255, 'n');
  write_text(folder / longest, "new");
  EXPECT_EQ(folder.read(longest), "new");
  EXPECT_THROW(write_text(folder / (longest + "n"), "new"), FileError);
  EXPECT_THROW(write_text(folder / std::string("a\0b", 3), "new"), FileError);
  EXPECT_THAT(folder.content(), ElementsAre(longest));
}

TEST(WriteText, KeepsPermissionsAndHeedsTheUmask) {
  const TempFolder folder;
  const auto permissions = [&](const char* name) {
    return static_cast<unsigned>(std::filesystem::status(folder / name).permissions());
  };
  const mode_t before = ::umask(027);
  write_text(folder / "new.txt", "new");
  folder.write("private.txt", "old");
  std::filesystem::permissions(folder / "private.txt", std::filesystem::perms(0600));
  write_text(folder / "private.txt", "new");
  ::umask(before);
  EXPECT_EQ(permissions("new.txt"), 0640U);
  EXPECT_EQ(permissions("private.txt"), 0600U);
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
            "cannot read " + folder.path().string() + ": it is a folder, not a file");
}

TEST(ReadText, ReadsRegularFilesAlone) {
  const TempFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  for (const std::string& endless : {(folder / "pipe").string(), std::string("/dev/zero")}) {
    EXPECT_EQ(message_of<InputError>([&] { read_text(endless); }),
              "cannot read " + endless + ": it is not a regular file");
  }
}

TEST(ReadText, RefusesAFileThatIsTooLarge) {
  const TempFolder folder;
  folder.write("large", "");
  std::filesystem::resize_file(folder / "large", std::uintmax_t{1} << 40U);  // takes no room on the disk
  EXPECT_EQ(message_of<InputError>([&] { read_text(folder / "large"); }),
            "cannot read " + (folder / "large").string() + ": it has 1099511627776 bytes: must be at most 4294967296");
}

TEST(ReadText, RefusesANameThatTheSystemWouldCutShort) {
  const TempFolder folder;
  folder.write("a", "text");
  EXPECT_THROW(read_text(folder / std::string("a\0b", 3)), InputError);
}

TEST(ReadText, ReadsWhatHasNoSizeBeforehand) {
  EXPECT_NE(read_text("/proc/self/status").find("Pid:"), std::string::npos);
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
