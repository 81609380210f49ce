// gnuplot is started without a shell, reads its commands from one file in memory and writes the drawing to another: it
// gets no path, and no text of a user.
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <array>
#include <cctype>
#include <iterator>

#include "../src/disk.h"
#include "lab.h"
#include "stiction/io/file.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX asks for it

namespace stiction::lab {
namespace {

using disk::Descriptor;

/// Runs gnuplot with these files as its input and output; its exit status, or minus an errno if it cannot be run.
int run_gnuplot(int input, int output) {
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
  ::posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::string name = "gnuplot";
  std::string plain = "--default-settings";  // ignores the user's settings
  const std::array<char*, 3> arguments{name.data(), plain.data(), nullptr};
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, name.c_str(), &files, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&files);
  if (error != 0) {
    return -error;
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) {
      return -errno;
    }
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

void draw(const std::filesystem::path& target, const Canvas& canvas, const std::string& script) {
  const bool is_svg = target.extension() == ".svg";
  if (!is_svg && target.extension() != ".png") {
    throw io::InputError(fmt::format("{}: a figure is an .svg or a .png file", target.string()));
  }
  const auto fail = [&](const std::string& reason) {
    throw io::FileError(fmt::format("cannot draw {}: {}", target.string(), reason));
  };
  const std::string commands = fmt::format(
      "set terminal {} size {},{}{} font 'sans-serif,{}' background rgb 'white'\n{}", is_svg ? "svg" : "pngcairo",
      canvas.width, canvas.height, is_svg ? " dynamic" : "", canvas.font_size, script);
  const Descriptor input(::memfd_create("gnuplot commands", MFD_CLOEXEC));
  const Descriptor output(::memfd_create("gnuplot drawing", MFD_CLOEXEC));
  if (input.get() < 0 || output.get() < 0 || !disk::write_all(input.get(), commands) ||
      ::lseek(input.get(), 0, SEEK_SET) != 0) {
    fail(std::strerror(errno));
  }
  const int status = run_gnuplot(input.get(), output.get());
  if (status < 0) {
    fail(fmt::format("gnuplot: {} (is it installed?)", std::strerror(-status)));
  }
  if (status > 0) {
    fail(fmt::format("gnuplot ended with status {}", status));
  }
  std::string drawn;
  if (::lseek(output.get(), 0, SEEK_SET) != 0 || !disk::read_all(output.get(), drawn, disk::max_file_size)) {
    fail(std::strerror(errno));
  }
  if (drawn.find(is_svg ? "</svg>" : "IEND") == std::string::npos) {  // gnuplot does not notice a full disk
    fail("gnuplot left it unfinished (is the disk full?)");
  }
  io::write_text(target, drawn);
}

}  // namespace stiction::lab
