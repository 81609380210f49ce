// Files of one experiment: tables, figures drawn by gnuplot, and result.json.
#include <fmt/format.h>
#include <sys/wait.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <iterator>
#include <nlohmann/json.hpp>

#include "lab.h"
#include "stiction/io/file.h"
#include "stiction/version.h"

namespace stiction::lab {
namespace {

const char* name_of(Expect expect) {
  switch (expect) {
    case Expect::reproduced:
      return "reproduced";
    case Expect::refuted:
      return "refuted";
    default:
      return "info";
  }
}

/// A text as a cell of a CSV file (RFC 4180): in quotes where it holds a comma, a quote or a line break.
std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) {
    return text;
  }
  std::string result = "\"";
  for (const char c : text) {
    result.append(c == '"' ? 2 : 1, c);
  }
  result += '"';
  return result;
}

std::string csv_of(const Table& table) {
  std::string text;
  std::size_t rows = 0;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    text += i == 0 ? "" : ",";
    text += csv_cell(table.columns[i].name);
    rows = std::visit([](const auto& values) { return values.size(); }, table.columns[i].values);
  }
  text += '\n';
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      std::visit(
          [&](const auto& values) {
            if constexpr (std::is_same_v<std::decay_t<decltype(values[0])>, double>) {
              fmt::format_to(std::back_inserter(text), "{}{:.12g}", i == 0 ? "" : ",", values[row]);
            } else {
              fmt::format_to(std::back_inserter(text), "{}{}", i == 0 ? "" : ",", csv_cell(values[row]));
            }
          },
          table.columns[i].values);
    }
    text += '\n';
  }
  return text;
}

/// A text in single quotes as gnuplot reads it.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    result += c == '\'' ? std::string("''") : std::string(1, c);
  }
  return result + "'";
}

std::string plot_of(const Series& s, const std::filesystem::path& folder, const char* colour) {
  const char* marks = s.style == "lines" || s.style == "steps" ? "" : "pt 7 ps 0.4 ";
  return fmt::format("{} using {}:{} skip 1 with {} lw 2 {}lc rgb '{}' title {}",
                     quoted((folder / (s.table + ".csv")).string()), s.x + 1, s.y + 1, s.style, marks, colour,
                     quoted(s.label));
}

/// Rows of panels; 0 for one figure.
std::size_t panel_rows(const Figure& figure) {
  const std::size_t columns = figure.panels_in_a_row;
  return columns == 0 ? 0 : (figure.series.size() + columns - 1) / columns;
}

std::string gnuplot_script(const Figure& figure, const std::filesystem::path& folder) {
  const std::size_t columns = figure.panels_in_a_row;
  std::string script = fmt::format(
      "set datafile separator ','\nset key outside right noenhanced\nset grid lc rgb '#dddddd'\n"
      "set title {} noenhanced\nset xlabel {} noenhanced\nset ylabel {} noenhanced\nset border lc rgb '#555555'\n",
      quoted(figure.title), quoted(figure.x_label), quoted(figure.y_label));
  script += figure.x_log ? "set logscale x\nset format x '10^{%L}'\n" : "";
  script += figure.y_log ? "set logscale y\nset format y '10^{%L}'\n" : "";
  constexpr std::array colours{"#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#8c564b", "#17becf", "#7f7f7f"};
  if (columns > 0) {
    script += fmt::format("unset key\nset multiplot layout {},{} title {} noenhanced\n", panel_rows(figure), columns,
                          quoted(figure.title));
    for (const Series& series : figure.series) {
      script +=
          fmt::format("set title {} noenhanced\nplot {}\n", quoted(series.label), plot_of(series, folder, colours[0]));
    }
    return script + "unset multiplot\n";
  }
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    script += i == 0 ? "plot " : ", ";
    script += plot_of(figure.series[i], folder, colours[i % colours.size()]);
  }
  return script + "\n";
}

void draw(const Figure& figure, const std::filesystem::path& folder) {
  const std::size_t columns = figure.panels_in_a_row;
  const Canvas canvas = columns == 0 ? Canvas{} : Canvas{210 * columns, 40 + 170 * panel_rows(figure), 9};
  draw(folder / (figure.name + ".svg"), canvas, gnuplot_script(figure, folder));
}

nlohmann::json json_of(const Finished& finished) {
  nlohmann::json claims = nlohmann::json::array();
  for (const Claim& c : finished.result.claims) {
    claims.push_back({{"name", c.name},
                      {"source", c.source},
                      {"published", c.published},
                      {"measured", c.measured},
                      {"unit", c.unit},
                      {"relation", c.relation},
                      {"tolerance", c.tolerance},
                      {"holds", c.holds},
                      {"expect", name_of(c.expect)},
                      {"reason", c.reason}});
  }
  return {{"id", finished.experiment->id},
          {"title", finished.experiment->title},
          {"source", finished.experiment->source},
          {"version", STICTION_VERSION},
          {"seconds", finished.seconds},
          {"notes", finished.result.notes},
          {"claims", claims}};
}

}  // namespace

void draw(const std::filesystem::path& target, const Canvas& canvas, const std::string& script) {
  const bool is_svg = target.extension() == ".svg";
  if (!is_svg && target.extension() != ".png") {
    throw io::InputError(fmt::format("{}: a figure is an .svg or a .png file", target.string()));
  }
  const std::filesystem::path draft = target.string() + ".gnuplot";
  const std::string commands =
      fmt::format("set terminal {} size {},{}{} font 'sans-serif,{}' background rgb 'white'\nset output {}\n{}",
                  is_svg ? "svg" : "pngcairo", canvas.width, canvas.height, is_svg ? " dynamic" : "", canvas.font_size,
                  quoted(draft.string()), script);
  auto* const old_handler = std::signal(SIGPIPE, SIG_IGN);  // a gnuplot that is not there is an error, not our end
  std::FILE* pipe = ::popen("exec gnuplot >/dev/null 2>&1", "w");
  const bool sent = pipe != nullptr && std::fwrite(commands.data(), 1, commands.size(), pipe) == commands.size();
  const int status = pipe == nullptr ? -1 : ::pclose(pipe);
  std::signal(SIGPIPE, old_handler);

  std::error_code no_draft;
  const std::string drawn = std::filesystem::exists(draft, no_draft) ? io::read_text(draft) : "";
  std::filesystem::remove(draft, no_draft);
  if (!sent || status != 0) {
    throw io::FileError(fmt::format("cannot draw {}: gnuplot ended with status {} (is it installed?)", target.string(),
                                    WIFEXITED(status) ? WEXITSTATUS(status) : status));
  }
  if (drawn.find(is_svg ? "</svg>" : "IEND") == std::string::npos) {  // gnuplot does not notice a full disk
    throw io::FileError(fmt::format("cannot draw {}: gnuplot left it unfinished (is the disk full?)", target.string()));
  }
  io::write_text(target, drawn);
}

std::string to_json(const Finished& finished) { return json_of(finished).dump(2) + "\n"; }

std::string to_json(std::span<const Finished> finished) {
  nlohmann::json all = nlohmann::json::array();
  for (const Finished& one : finished) {
    all.push_back(json_of(one));
  }
  return all.dump(2) + "\n";
}

void write(const Result& result, const std::filesystem::path& folder, const Context& context) {
  io::make_folder(folder);
  for (const Table& table : result.tables) {
    io::write_text(folder / (table.name + ".csv"), csv_of(table));
  }
  for (const Picture& picture : result.pictures) {
    io::write_text(folder / (picture.name + ".png"), picture.png);
  }
  for (const Figure& figure : result.figures) {
    context.step(1);
    draw(figure, folder);
  }
}

Finished run_and_write(const Experiment& experiment, const Context& context, const std::filesystem::path& folder) {
  const auto start = std::chrono::steady_clock::now();
  Finished finished{&experiment, experiment.run(context), 0};
  finished.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  const std::filesystem::path target = folder / experiment.id;
  write(finished.result, target, context);
  io::write_text(target / "result.json", to_json(finished));
  return finished;
}

}  // namespace stiction::lab
