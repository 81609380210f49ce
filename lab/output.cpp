// Files of one experiment: tables, figures and result.json.
#include <fmt/format.h>

#include <chrono>
#include <iterator>
#include <nlohmann/json.hpp>

#include "lab.h"
#include "plot.h"
#include "stiction/io/file.h"
#include "stiction/version.h"
#include "tally.h"

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

/// A text as a cell of a CSV file (RFC 4180): in quotes if it contains a comma, a quote or a line break.
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

nlohmann::json json_of(const Finished& finished) {
  nlohmann::json claims = nlohmann::json::array();
  for (const Claim& c : finished.result.claims) {
    claims.push_back({{"name", c.name},
                      {"source", c.source.where},
                      {"evidence", name_of(c.source.evidence)},
                      {"published", c.published},
                      {"measured", c.measured},
                      {"unit", c.unit},
                      {"relation", c.relation},
                      {"tolerance", c.tolerance},
                      {"holds", c.holds},
                      {"expect", name_of(c.expect)},
                      {"outcome", name_of(outcome_of(c))},
                      {"reason", c.reason}});
  }
  nlohmann::json figures = nlohmann::json::array();
  for (const Figure& figure : finished.result.figures) {
    figures.push_back({{"file", figure.name + ".svg"}, {"title", figure.title}});
  }
  for (const Picture& picture : finished.result.pictures) {
    figures.push_back({{"file", picture.name + ".png"}, {"title", picture.title}});
  }
  return {{"id", finished.experiment->id},
          {"title", finished.experiment->title},
          {"source", finished.experiment->source},
          {"version", STICTION_VERSION},
          {"seconds", finished.seconds},
          {"notes", finished.result.notes},
          {"figures", figures},
          {"claims", claims}};
}

}  // namespace

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
    draw(figure, result.tables, folder);
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
