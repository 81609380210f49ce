// report.html: a single self-contained file. A summary, then chapters with every figure above its claims. Its style and
// script are report.css and report.js.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <iterator>

#include "chapters.h"
#include "lab.h"
#include "plot.h"
#include "stiction/io/file.h"
#include "stiction/version.h"
#include "tally.h"

namespace stiction::lab {
namespace {

constexpr const char* style =
#include "report.css.inc"
    ;
constexpr const char* script =
#include "report.js.inc"
    ;

/// The CSS class of an outcome.
const char* class_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::refuted:
      return "refuted";
    case Outcome::unexpected:
      return "bad";
    case Outcome::info:
      return "info";
    default:
      return "good";
  }
}

std::string verdict(const Claim& claim) {
  const Outcome outcome = outcome_of(claim);
  return fmt::format("<span class={}>{}</span>", class_of(outcome), name_of(outcome));
}

/// The CSS class of the overall outcome.
const char* colour_of(const Tally& tally) {
  for (const Outcome outcome : {Outcome::unexpected, Outcome::refuted}) {
    if (tally.count(outcome) > 0) {
      return class_of(outcome);
    }
  }
  return tally.judged() > 0 ? "good" : "info";
}

std::string claims_table(const std::vector<Claim>& claims) {
  std::string html =
      "<div class=scroll><table "
      "class=claims><tr><th>claim<th>source<th>evidence<th>published<th>measured<th>unit<th>relation<th>outcome<th>why"
      "</tr>\n";
  for (const Claim& c : claims) {
    fmt::format_to(std::back_inserter(html),
                   "<tr><td>{}<td>{}<td>{}<td class=n>{:.6g}<td class=n>{:.6g}<td>{}<td>{}{}<td>{}<td>{}</tr>\n",
                   escaped(c.name), escaped(c.source.where), name_of(c.source.evidence), c.published, c.measured,
                   escaped(c.unit), c.relation, c.tolerance > 0 ? fmt::format(" ± {:.2g}", c.tolerance) : "",
                   verdict(c), escaped(c.reason));
  }
  return html + "</table></div>\n";
}

std::string data_table(const Table& table) {
  std::string html = fmt::format("<details class=data><summary><h3>{}</h3></summary><div class=scroll><table><tr>",
                                 escaped(table.name));
  std::size_t rows = 0;
  for (const Column& column : table.columns) {
    html += "<th>" + escaped(column.name);
    rows = std::visit([](const auto& values) { return values.size(); }, column.values);
  }
  html += "</tr>\n";
  for (std::size_t row = 0; row < rows; ++row) {
    html += "<tr>";
    for (const Column& column : table.columns) {
      std::visit(
          [&](const auto& values) {
            if constexpr (std::is_same_v<std::decay_t<decltype(values[0])>, double>) {
              html += fmt::format("<td class=n>{:.4g}", values[row]);
            } else {
              html += "<td>" + escaped(values[row]);
            }
          },
          column.values);
    }
    html += "</tr>\n";
  }
  return html + "</table></div></details>\n";
}

/// Base64: three bytes as four letters.
std::string base64(std::string_view bytes) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      three = three << 8U | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += k <= count ? letters[three >> (18 - 6 * k) & 63U] : '=';
    }
  }
  return text;
}

/// The name of a file as a part of a link.
std::string link_text(std::string_view name) {
  std::string result;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || std::string_view("-_./").find(c) != std::string_view::npos) {
      result += c;
    } else {
      fmt::format_to(std::back_inserter(result), "%{:02X}", byte);
    }
  }
  return result;
}

/// Links to the drawing and to the numbers in it.
std::string files_of(const Figure& figure, const std::string& id) {
  const std::string folder = link_text(id) + "/";
  std::string html = fmt::format("<a href=\"{}{}.svg\">SVG</a>", folder, link_text(figure.name));
  std::vector<std::string_view> named;
  for (const Series& series : figure.series) {
    if (std::ranges::find(named, series.table) == named.end()) {
      named.push_back(series.table);
    }
  }
  constexpr std::size_t max_shown = 4;
  for (std::size_t i = 0; i < std::min(max_shown, named.size()); ++i) {
    fmt::format_to(std::back_inserter(html), " · <a href=\"{}{}.csv\">{}</a>", folder, link_text(named[i]),
                   named.size() == 1 ? "CSV" : escaped(named[i]) + ".csv");
  }
  return html + (named.size() > max_shown ? fmt::format(" · <a href=\"{}\">…</a>", folder) : "");
}

std::string article(const Finished& one, const std::filesystem::path& folder) {
  const std::string id = one.experiment->id;
  std::string html = fmt::format("<article id=\"{}\"><h2>{}</h2><p class=meta>{} · {} · {:.2f} s</p>\n<p>{}</p>\n",
                                 escaped(id), escaped(one.experiment->title), escaped(id),
                                 escaped(one.experiment->source), one.seconds, escaped(one.result.notes));
  html += "<div class=figures>\n";
  for (const Picture& picture : one.result.pictures) {
    html += fmt::format(
        "<figure><img loading=lazy src=\"data:image/png;base64,{}\" alt=\"{}\"><figcaption>{}</figcaption></figure>\n",
        base64(picture.png), escaped(picture.title), escaped(picture.title));
  }
  for (const Figure& figure : one.result.figures) {
    html += fmt::format("<figure>{}<figcaption>{} · {}</figcaption></figure>\n",
                        plot_for_page(figure, one.result.tables, folder / id / (figure.name + ".svg")),
                        escaped(figure.title), files_of(figure, id));
  }
  html += "</div>\n";
  if (!one.result.claims.empty()) {
    const Tally tally = tally_of({&one, 1});
    html += fmt::format("<details{}><summary>{} claims: {}</summary>{}</details>\n",
                        tally.count(Outcome::unexpected) > 0 ? " open" : "", one.result.claims.size(), tally.text(),
                        claims_table(one.result.claims));
  }
  for (const Table& table : one.result.tables) {
    html += table.shown ? data_table(table) : "";
  }
  return html + "</article>\n";
}

/// Consecutive experiments of one group.
struct Part {
  Chapter chapter;
  std::span<const Finished> finished;
  Tally tally;
};

std::vector<Part> parts_of(std::span<const Finished> finished) {
  std::vector<Part> parts;
  for (std::size_t start = 0; start < finished.size();) {
    Part part{chapter_of(finished[start].experiment->id), {}, {}};
    std::size_t end = start;
    while (end < finished.size() && chapter_of(finished[end].experiment->id).group == part.chapter.group) {
      part.tally.add(finished[end++]);
    }
    part.finished = finished.subspan(start, end - start);
    parts.push_back(part);
    start = end;
  }
  return parts;
}

std::string title_of(const Chapter& chapter) {
  return escaped(*chapter.title != '\0' ? std::string_view(chapter.title) : chapter.group);
}

std::string contents(std::span<const Part> parts) {
  std::string html =
      "<nav aria-label=Contents><button id=theme type=button title=\"Light or dark\" aria-label=\"Light or "
      "dark\">◐</button>"
      "<a class=name href=\"#summary\">Stiction report</a><input id=search type=search placeholder=\"Search "
      "(press /)\" aria-label=\"Search the experiments\"><p class=found></p><button id=menu "
      "type=button>Contents</button><div class=chapters>\n";
  for (const Part& part : parts) {
    fmt::format_to(std::back_inserter(html), "<details open><summary><a href=\"#{}\">{}</a></summary><ul>",
                   escaped(part.chapter.group), title_of(part.chapter));
    for (const Finished& one : part.finished) {
      fmt::format_to(std::back_inserter(html), "<li><a class={} href=\"#{}\">{}</a></li>\n",
                     colour_of(tally_of({&one, 1})), escaped(one.experiment->id), escaped(one.experiment->title));
    }
    html += "</ul></details>\n";
  }
  return html + "</div></nav>\n";
}

/// " N", or nothing if a number has no unit.
std::string unit_of(const Claim& claim) {
  return claim.unit.empty() || claim.unit == "-" ? "" : fmt::format(" {}", escaped(claim.unit));
}

/// The published number, the computed one, and why they differ.
std::string differing(const Finished& one, const Claim& c) {
  return fmt::format(
      "<div class=refutation><p><b>{}</b></p><p class=meta><a href=\"#{}\">{}</a> · {}</p><p>Published: {}"
      "{:.4g}{}. Computed: {:.4g}{}.</p><p>{}</p></div>\n",
      escaped(c.name), escaped(one.experiment->id), escaped(one.experiment->title), escaped(c.source.where),
      c.relation == "within" ? "" : fmt::format("{} ", escaped(c.relation)), c.published, unit_of(c), c.measured,
      unit_of(c), escaped(c.reason));
}

std::string list_of(std::span<const Finished> finished, const char* title, bool (*wanted)(const Claim&)) {
  std::string html;
  for (const Finished& one : finished) {
    for (const Claim& claim : one.result.claims) {
      html += wanted(claim) ? differing(one, claim) : "";
    }
  }
  return html.empty() ? "" : fmt::format("<h2>{}</h2>\n{}", title, html);
}

std::string summary(std::span<const Finished> finished, std::span<const Part> parts) {
  const Tally all = tally_of(finished);
  double seconds = 0;
  for (const Finished& one : finished) {
    seconds += one.seconds;
  }
  std::string html = fmt::format(
      "<section id=summary><h1>Stiction report</h1><p class=meta>stiction {} · {} experiments · {} of {} judged claims "
      "as expected · {:.1f} s</p>\n<p>Every experiment computes a published figure or table anew and compares numbers "
      "taken from its curves with what was published.</p>\n<div class=tiles>",
      STICTION_VERSION, finished.size(), all.as_expected(), all.judged(), seconds);
  struct Tile {
    Outcome outcome;
    const char* text;
  };
  for (const auto& [outcome, text] :
       {Tile{Outcome::reproduced, "numbers and statements of the papers reproduced"},
        Tile{Outcome::confirmed, "results confirmed by independent programs or theory"},
        Tile{Outcome::met, "goals of this project met"},
        Tile{Outcome::refuted, "published statements refuted, as explained below"},
        Tile{Outcome::unexpected, "not as expected"}, Tile{Outcome::info, "for information, such as timings"}}) {
    const bool all_is_well = outcome == Outcome::unexpected && all.count(outcome) == 0;
    html += fmt::format("<div class={}><b>{}</b><span>{}</span></div>", all_is_well ? "good" : class_of(outcome),
                        all.count(outcome), text);
  }
  html += fmt::format("</div>\n<p>{}.</p>\n", all.text());
  html += "<div class=scroll><table><tr><th>chapter<th>experiments<th>claims</tr>\n";
  for (const Part& part : parts) {
    html += fmt::format("<tr><td><a href=\"#{}\">{}</a><td class=n>{}<td>{}</tr>\n", escaped(part.chapter.group),
                        title_of(part.chapter), part.finished.size(), part.tally.text());
  }
  html += "</table></div>\n";
  html += list_of(finished, "Not as expected", [](const Claim& c) { return !c.ok(); });
  html += list_of(finished, "Refuted, and why", [](const Claim& c) { return c.expect == Expect::refuted && c.ok(); });
  return html + "</section>\n";
}

}  // namespace

void write_report(std::span<const Finished> finished, const std::filesystem::path& folder) {
  const std::vector<Part> parts = parts_of(finished);
  std::string html = fmt::format(
      "<!doctype html><html lang=en><head><meta charset=utf-8><meta name=viewport "
      "content=\"width=device-width, initial-scale=1\"><title>Stiction report</title><style>{}</style></head><body>\n",
      style);
  html += contents(parts) + "<main>\n" + summary(finished, parts);
  for (const Part& part : parts) {
    html += fmt::format("<section class=chapter id=\"{}\"><h1>{}</h1><p>{}</p>\n", escaped(part.chapter.group),
                        title_of(part.chapter), escaped(part.chapter.introduction));
    for (const Finished& one : part.finished) {
      html += article(one, folder);
    }
    html += "</section>\n";
  }
  html += fmt::format("</main><script>{}</script></body></html>\n", script);
  io::write_text(folder / "report.html", html);
}

}  // namespace stiction::lab
