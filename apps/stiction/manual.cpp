#include <fmt/format.h>

#include <algorithm>

#include "self_description.h"
#include "stiction/io/file.h"
#include "stiction/version.h"

namespace stiction::cli {
namespace {

/// Escapes text for roff.
std::string roff(const std::string& text) {
  std::string result;
  bool at_start = true;
  for (const char c : text) {
    if (at_start && (c == '.' || c == '\'')) {
      result += "\\&";
    }
    result += c == '\\' ? std::string("\\e") : c == '-' ? std::string("\\-") : std::string(1, c);
    at_start = c == '\n';
  }
  return result;
}

std::string page_name(const CLI::App& app) {
  std::string name = full_name(app);
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string synopsis(const CLI::App& command) {
  std::string text = "[\\fIOPTIONS\\fR]";
  for (const CLI::Option* positional : positionals_of(command)) {
    const std::string name = fmt::format("\\fI{}\\fR{}", roff(positional->get_name(true)),
                                         positional->get_items_expected_max() > 1 ? "..." : "");
    text += positional->get_required() ? " " + name : " [" + name + "]";
  }
  return text + (commands_of(command).empty() ? "" : " [\\fICOMMAND\\fR]");
}

/// One entry of a list: heading and description.
std::string entry(const std::string& heading, const std::string& text) {
  return fmt::format(".TP\n{}\n{}\n", heading, roff(text));
}

std::string option_entry(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) {
    names.push_back("\\fB" + roff("-" + name) + "\\fR");
  }
  for (const std::string& name : option.get_lnames()) {
    names.push_back("\\fB" + roff("--" + name) + "\\fR");
  }
  std::string heading = fmt::format("{}", fmt::join(names, ", "));
  if (!is_flag(option)) {
    heading += " \\fI" + roff(option.get_type_name()) + "\\fR";
  }
  std::string text = option.get_description();
  if (!option.get_default_str().empty()) {
    text += fmt::format(" [{}]", option.get_default_str());
  }
  return entry(heading, text);
}

/// The lines of a footer "Examples:\n  stiction …".
std::string examples(const CLI::App& command) {
  std::string text = command.get_footer();
  constexpr std::string_view title = "Examples:\n";
  if (!text.starts_with(title)) {
    return {};
  }
  return fmt::format(".SH EXAMPLES\n.nf\n{}\n.fi\n", roff(text.substr(title.size())));
}

}  // namespace

std::string manual_page(const CLI::App& app, const CLI::App& command) {
  std::string title = page_name(command);
  std::string text = fmt::format(
      ".\\\" Written by `stiction manual` from the help of the command line.\n.TH \"{}\" 1 \"\" \"stiction {}\" "
      "\"Stiction\"\n"
      ".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n.B {}\n{}\n.SH DESCRIPTION\n{}\n",
      roff(CLI::detail::to_lower(title)), STICTION_VERSION, roff(title), roff(command.get_description()),
      roff(full_name(command)), synopsis(command), roff(command.get_description()));
  std::string commands;
  for (const CLI::App* below : commands_of(command)) {
    commands += entry(fmt::format("\\fB{}\\fR", roff(below->get_name())), below->get_description());
  }
  std::string arguments;
  for (const CLI::Option* positional : positionals_of(command)) {
    arguments += entry(fmt::format("\\fI{}\\fR", roff(positional->get_name(true))), positional->get_description());
  }
  std::string options;
  for (const CLI::Option* option : options_of(command)) {
    options += option_entry(*option);
  }
  for (const auto& [heading, content] :
       {std::pair{"COMMANDS", commands}, {"ARGUMENTS", arguments}, {"OPTIONS", options}}) {
    if (!content.empty()) {
      text += fmt::format(".SH {}\n{}", heading, content);
    }
  }
  text += examples(command);
  std::string codes = app.get_footer();
  codes.erase(0, codes.find(": ") + 2);  // "Exit codes: "
  text += fmt::format(".SH EXIT STATUS\n{}\n.SH SEE ALSO\n", roff(codes));
  std::vector<std::string> others;
  if (command.get_parent() != nullptr) {
    others.push_back(page_name(*command.get_parent()));
  }
  for (const CLI::App* below : commands_of(command)) {
    others.push_back(page_name(*below));
  }
  for (std::size_t i = 0; i < others.size(); ++i) {
    text += fmt::format(".BR {} (1){}\n", roff(others[i]), i + 1 < others.size() ? "," : "");
  }
  return text;
}

void write_self_description(const CLI::App& app, const std::filesystem::path& share) {
  const auto write = [&](const std::filesystem::path& file, const std::string& text) {
    std::filesystem::create_directories((share / file).parent_path());
    io::write_text(share / file, text);
  };
  write("bash-completion/completions/stiction", completion(app, "bash"));
  write("zsh/site-functions/_stiction", completion(app, "zsh"));
  write("fish/vendor_completions.d/stiction.fish", completion(app, "fish"));
  const auto write_pages = [&](const auto& self, const CLI::App& command) -> void {
    write(std::filesystem::path("man/man1") / (page_name(command) + ".1"), manual_page(app, command));
    for (const CLI::App* below : commands_of(command)) {
      self(self, *below);
    }
  };
  write_pages(write_pages, app);
}

}  // namespace stiction::cli
