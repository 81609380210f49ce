// gnuplot is started without a shell, reads its commands from one file in memory and writes the drawing to another: it
// is told no path, and no text of a user reaches it but as a quoted label.
#include "gnuplot.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>

#include "../src/disk.h"
#include "stiction/io/file.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX asks for it

namespace stiction::lab {
namespace {

using disk::Descriptor;

/// A column of a table, or FileError: a figure of what is not there cannot be drawn.
const std::vector<double>& numbers_of(const std::vector<Table>& tables, const std::string& name, std::size_t column,
                                      const std::filesystem::path& target) {
  const auto table = std::ranges::find(tables, name, &Table::name);
  const auto* numbers = table != tables.end() && column < table->columns.size()
                            ? std::get_if<std::vector<double>>(&table->columns[column].values)
                            : nullptr;
  if (numbers == nullptr) {
    throw io::FileError(fmt::format("cannot draw {}: there is no table '{}' with numbers in column {}", target.string(),
                                    name, column + 1));
  }
  return *numbers;
}

/// The rows of each series, as `$data0`, `$data1` …
std::string data_of(const Figure& figure, const std::vector<Table>& tables, const std::filesystem::path& target) {
  std::string script;
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    const Series& s = figure.series[i];
    const auto& x = numbers_of(tables, s.table, s.x, target);
    const auto& y = numbers_of(tables, s.table, s.y, target);
    script += fmt::format("$data{} << EOD\n", i);
    for (std::size_t row = 0; row < std::min(x.size(), y.size()); ++row) {
      fmt::format_to(std::back_inserter(script), "{:.12g} {:.12g}\n", x[row], y[row]);
    }
    script += "EOD\n";
  }
  return script;
}

std::string plot_of(const Series& s, std::size_t number, const char* colour, const std::filesystem::path& target) {
  constexpr std::array styles{"lines", "points", "linespoints", "steps", "boxes"};
  if (std::ranges::find(styles, s.style) == styles.end()) {
    throw io::FileError(fmt::format("cannot draw {}: there is no style '{}'", target.string(), s.style));
  }
  const char* marks = s.style == "lines" || s.style == "steps" ? "" : "pt 7 ps 0.4 ";
  return fmt::format("$data{} using 1:2 with {} lw 2 {}lc rgb '{}' title {}", number, s.style, marks, colour,
                     quoted_for_gnuplot(s.label));
}

/// Rows of panels; 0 for one figure.
std::size_t panel_rows(const Figure& figure) {
  const std::size_t columns = figure.panels_in_a_row;
  return columns == 0 ? 0 : (figure.series.size() + columns - 1) / columns;
}

std::string gnuplot_script(const Figure& figure, const std::vector<Table>& tables,
                           const std::filesystem::path& target) {
  const std::size_t columns = figure.panels_in_a_row;
  std::string script = data_of(figure, tables, target);
  fmt::format_to(
      std::back_inserter(script),
      "set key outside right noenhanced\nset grid lc rgb '#dddddd'\n"
      "set title {} noenhanced\nset xlabel {} noenhanced\nset ylabel {} noenhanced\nset border lc rgb '#555555'\n",
      quoted_for_gnuplot(figure.title), quoted_for_gnuplot(figure.x_label), quoted_for_gnuplot(figure.y_label));
  script += figure.x_log ? "set logscale x\nset format x '10^{%L}'\n" : "";
  script += figure.y_log ? "set logscale y\nset format y '10^{%L}'\n" : "";
  constexpr std::array colours{"#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#8c564b", "#17becf", "#7f7f7f"};
  if (columns > 0) {
    script += fmt::format("unset key\nset multiplot layout {},{} title {} noenhanced\n", panel_rows(figure), columns,
                          quoted_for_gnuplot(figure.title));
    for (std::size_t i = 0; i < figure.series.size(); ++i) {
      script += fmt::format("set title {} noenhanced\nplot {}\n", quoted_for_gnuplot(figure.series[i].label),
                            plot_of(figure.series[i], i, colours[0], target));
    }
    return script + "unset multiplot\n";
  }
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    script += i == 0 ? "plot " : ", ";
    script += plot_of(figure.series[i], i, colours[i % colours.size()], target);
  }
  return script + "\n";
}

/// Runs gnuplot with these files as its input and output; its exit status, or minus an errno where it cannot be run.
int run_gnuplot(int input, int output) {
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
  ::posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::string name = "gnuplot";
  std::string plain = "--default-settings";  // whatever the user's own file of settings says
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

std::string quoted_for_gnuplot(std::string_view text) {
  // Whatever could end the text or start something else stands there as a number: '' in single quotes would do in the
  // middle of a text, but not at its start.
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      result += ' ';
    } else if (std::isalnum(byte) != 0 || c == ' ' || byte >= 0x80) {
      result += c;
    } else {
      fmt::format_to(std::back_inserter(result), "\\{:03o}", byte);
    }
  }
  return result + "\"";
}

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

void draw(const Figure& figure, const std::vector<Table>& tables, const std::filesystem::path& folder) {
  const std::filesystem::path target = folder / (figure.name + ".svg");
  const std::size_t columns = figure.panels_in_a_row;
  const Canvas canvas = columns == 0 ? Canvas{} : Canvas{210 * columns, 40 + 170 * panel_rows(figure), 9};
  draw(target, canvas, gnuplot_script(figure, tables, target));
}

}  // namespace stiction::lab
