// report.html: one file, nothing fetched, every figure beside its claims.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "chapters.h"
#include "lab.h"
#include "stiction/io/file.h"
#include "stiction/version.h"

namespace stiction::lab {
namespace {

constexpr const char* style = R"(
body { font: 15px/1.5 sans-serif; color: #222; max-width: 1180px; margin: 2em auto; padding: 0 1em; }
h1 { border-bottom: 3px solid #1f77b4; } h2 { margin-top: 2.2em; border-bottom: 1px solid #ccc; }
.figures { display: flex; flex-wrap: wrap; gap: 1em; } .figures figure { margin: 0; flex: 1 1 520px; max-width: 760px; }
.figures svg, .figures img { width: 100%; height: auto; } figcaption { color: #555; font-size: 13px; }
table { border-collapse: collapse; font-size: 13px; margin: 1em 0; } th { text-align: left; background: #f2f5f8; }
td, th { border: 1px solid #ddd; padding: 3px 8px; } td.n { text-align: right; font-variant-numeric: tabular-nums; }
.good { color: #0a7d2c; font-weight: bold; } .bad { color: #b00020; font-weight: bold; } .info { color: #666; }
.meta { color: #555; font-size: 13px; } .scroll { max-height: 420px; overflow: auto; }
)";

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string verdict(const Claim& claim) {
  if (claim.expect == Expect::info) {
    return "<span class=info>for information</span>";
  }
  const char* word = claim.expect == Expect::refuted ? (claim.ok() ? "refuted, as explained" : "not refuted")
                                                     : (claim.ok() ? "reproduced" : "NOT reproduced");
  return fmt::format("<span class={}>{}</span>", claim.ok() ? "good" : "bad", word);
}

std::string claims_table(const std::vector<Claim>& claims) {
  std::string html =
      "<table><tr><th>claim<th>source<th>published<th>measured<th>unit<th>relation<th>verdict<th>why</tr>\n";
  for (const Claim& c : claims) {
    fmt::format_to(std::back_inserter(html),
                   "<tr><td>{}<td>{}<td class=n>{:.6g}<td class=n>{:.6g}<td>{}<td>{}{}<td>{}<td>{}</tr>\n",
                   escaped(c.name), escaped(c.source), c.published, c.measured, escaped(c.unit), c.relation,
                   c.tolerance > 0 ? fmt::format(" ± {:.2g}", c.tolerance) : "", verdict(c), escaped(c.reason));
  }
  return html + "</table>\n";
}

std::string data_table(const Table& table) {
  std::string html = fmt::format("<h3>{}</h3><div class=scroll><table><tr>", escaped(table.name));
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
  return html + "</table></div>\n";
}

/// The drawing without its XML prologue, so that it can stand inside a page.
std::string inline_svg(const std::filesystem::path& file) {
  const std::string text = io::read_text(file);
  const auto start = text.find("<svg");
  return start == std::string::npos ? "" : text.substr(start);
}

/// Three bytes as four letters.
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

}  // namespace

void write_report(std::span<const Finished> finished, const std::filesystem::path& folder) {
  std::size_t judged = 0;
  std::size_t good = 0;
  double seconds = 0;
  for (const Finished& one : finished) {
    seconds += one.seconds;
    for (const Claim& claim : one.result.claims) {
      judged += claim.expect != Expect::info ? 1 : 0;
      good += claim.expect != Expect::info && claim.ok() ? 1 : 0;
    }
  }
  std::string html = fmt::format(
      "<!doctype html><html lang=en><head><meta charset=utf-8><title>Stiction "
      "report</title><style>{}</style></head><body>\n"
      "<h1>Stiction report</h1><p class=meta>stiction {} · {} experiments · {} of {} judged claims as expected · "
      "{:.1f} s</p>\n",
      style, STICTION_VERSION, finished.size(), good, judged, seconds);
  std::string_view group;
  for (const Finished& one : finished) {
    if (const Chapter chapter = chapter_of(one.experiment->id); chapter.group != group) {
      group = chapter.group;
      fmt::format_to(std::back_inserter(html), "<h1 id=\"{}\">{}</h1><p>{}</p>\n", escaped(std::string(group)),
                     escaped(chapter.title), escaped(chapter.introduction));
    }
    const std::filesystem::path source = folder / one.experiment->id;
    fmt::format_to(std::back_inserter(html),
                   "<h2 id=\"{0}\">{1}</h2><p class=meta>{0} · {2} · {3:.2f} s</p>\n<p>{4}</p>\n", one.experiment->id,
                   escaped(one.experiment->title), escaped(one.experiment->source), one.seconds,
                   escaped(one.result.notes));
    html += "<div class=figures>\n";
    for (const Picture& picture : one.result.pictures) {
      html +=
          fmt::format("<figure><img src=\"data:image/png;base64,{}\" alt=\"{}\"><figcaption>{}</figcaption></figure>\n",
                      base64(picture.png), escaped(picture.title), escaped(picture.title));
    }
    for (const Figure& figure : one.result.figures) {
      html += fmt::format("<figure>{}<figcaption>{}</figcaption></figure>\n",
                          inline_svg(source / (figure.name + ".svg")), escaped(figure.title));
    }
    html += "</div>\n" + claims_table(one.result.claims);
    for (const Table& table : one.result.tables) {
      html += table.shown ? data_table(table) : "";
    }
  }
  io::write_text(folder / "report.html", html + "</body></html>\n");
}

}  // namespace stiction::lab
