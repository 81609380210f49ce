// The experiments.
#include "lab.h"

#include "command_line.h"
#include "core.h"
#include "long_call.h"

namespace stiction::python {
namespace {

const char* name_of(lab::Expect expect) {
  return expect == lab::Expect::reproduced ? "reproduced" : expect == lab::Expect::refuted ? "refuted" : "info";
}

py::dict claim_dict(const lab::Claim& c) {
  py::dict row;
  row["name"] = c.name;
  row["source"] = c.source.where;
  row["published"] = c.published;
  row["measured"] = c.measured;
  row["unit"] = c.unit;
  row["relation"] = c.relation;
  row["tolerance"] = c.tolerance;
  row["holds"] = c.holds;
  row["expect"] = name_of(c.expect);
  row["reason"] = c.reason;
  row["ok"] = c.ok();
  return row;
}

py::dict table_dict(const lab::Table& table) {
  py::dict columns;
  for (const auto& column : table.columns) {
    if (const auto* numbers = std::get_if<std::vector<double>>(&column.values)) {
      columns[column.name.c_str()] = to_array(*numbers);
    } else {
      columns[column.name.c_str()] = std::get<std::vector<std::string>>(column.values);
    }
  }
  return columns;
}

}  // namespace

void bind_lab(py::module_& root) {
  auto m = root.def_submodule("lab", "The published figures and tables, computed.");
  m.def(
      "experiments",
      [] {
        As<"list[stiction.results.ExperimentRow]", py::list> all{py::list()};
        for (const auto& e : lab::experiments()) {
          py::dict row;
          row["id"] = e.id;
          row["title"] = e.title;
          row["source"] = e.source;
          all.append(row);
        }
        return all;
      },
      "All experiments: id, title, source.");
  m.def(
      "reproduce",
      [](const std::string& id, bool quick, const std::function<void(double)>& progress) {
        for (const auto& e : lab::experiments()) {
          if (id != e.id) {
            continue;
          }
          LongCall call(progress);
          lab::Context context;
          context.quick = quick;
          context.cancelled = [stop = call.stop()] { return stop.stop_requested(); };
          context.progress = call.reporter();
          const lab::Result result = call.run([&] { return e.run(context); });
          As<"stiction.results.ReproductionRow", py::dict> answer{py::dict()};
          answer["id"] = e.id;
          answer["title"] = e.title;
          answer["source"] = e.source;
          py::list claims;
          for (const auto& claim : result.claims) {
            claims.append(claim_dict(claim));
          }
          answer["claims"] = claims;
          py::dict tables;
          for (const auto& table : result.tables) {
            tables[table.name.c_str()] = table_dict(table);
          }
          answer["tables"] = tables;
          py::list figures;
          for (const auto& figure : result.figures) {
            py::dict row;
            row["name"] = figure.name;
            row["title"] = figure.title;
            row["x_label"] = figure.x_label;
            row["y_label"] = figure.y_label;
            row["x_log"] = figure.x_log;
            row["y_log"] = figure.y_log;
            py::list series;
            for (const auto& s : figure.series) {
              py::dict one;
              one["table"] = s.table;
              one["x"] = s.x;
              one["y"] = s.y;
              one["label"] = s.label;
              one["style"] = s.style;
              series.append(one);
            }
            row["series"] = series;
            figures.append(row);
          }
          answer["figures"] = figures;
          answer["notes"] = result.notes;
          return answer;
        }
        throw py::value_error("there is no experiment '" + id + "'; experiments() lists them");
      },
      py::arg("id"), py::arg("quick") = false, py::arg("progress") = std::function<void(double)>(),
      "Runs one: claims, tables and figures as plain data.");
  m.def(
      "command_line",
      [](std::vector<std::string> words) {
        std::vector<char*> argv;
        for (std::string& word : words) {
          argv.push_back(word.data());
        }
        argv.push_back(nullptr);
        const py::gil_scoped_release release;
        return cli::command_line(static_cast<int>(words.size()), argv.data());
      },
      py::arg("words"), "The program stiction with these words, of which the first is its name: the exit code.");
}

}  // namespace stiction::python
