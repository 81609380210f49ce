#include <fmt/format.h>

#include <algorithm>

#include "haptics/paper_scenes.h"
#include "lab.h"
#include "self_description.h"
#include "stiction/identify/identify.h"
#include "stiction/scalar/model_table.h"
#include "stiction/scalar/registry.h"

namespace stiction::cli {
namespace {

/// Between single quotes, for bash and zsh.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return result + "'";
}

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

/// Every command with those below it.
std::vector<const CLI::App*> tree(const CLI::App& app) {
  std::vector<const CLI::App*> all{&app};
  for (const CLI::App* command : commands_of(app)) {
    const auto below = tree(*command);
    all.insert(all.end(), below.begin(), below.end());
  }
  return all;
}

/// The words after the program's name: "mesh repair", empty for the program itself.
std::string path_of(const CLI::App& app) {
  const std::string name = full_name(app);
  const auto space = name.find(' ');
  return space == std::string::npos ? "" : name.substr(space + 1);
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) {
    names.push_back("-" + name);
  }
  for (const std::string& name : option.get_lnames()) {
    names.push_back("--" + name);
  }
  return names;
}

const char* bash_action(Candidates::Path path) {
  switch (path) {
    case Candidates::Path::file:
      return "file";
    case Candidates::Path::folder:
      return "directory";
    default:
      return "";
  }
}

std::string bash(const CLI::App& app) {
  std::vector<std::string> known;  // commands, as patterns
  std::string values;              // cases: what follows an option
  std::string positional_cases;    // cases: what else a command takes
  for (const CLI::App* command : tree(app)) {
    const std::string path = path_of(*command);
    std::vector<std::string> words;
    std::vector<std::string> options;
    Candidates::Path kind = Candidates::Path::none;
    for (const CLI::App* below : commands_of(*command)) {
      known.push_back(quoted(path + " " + below->get_name()));
      words.push_back(below->get_name());
    }
    for (const CLI::Option* option : options_of(*command)) {
      std::vector<std::string> patterns;
      for (const std::string& name : names_of(*option)) {
        options.push_back(name);
        patterns.push_back(quoted(fmt::format("{} {}", path, name)));
      }
      if (!is_flag(*option)) {
        const Candidates value = candidates(*option);
        values += fmt::format("    {}) words={} kind={} ;;\n", fmt::join(patterns, " | "), quoted(joined(value.words)),
                              bash_action(value.path));
      }
    }
    for (const CLI::Option* positional : positionals_of(*command)) {
      const Candidates value = candidates(*positional);
      words.insert(words.end(), value.words.begin(), value.words.end());
      kind = value.path == Candidates::Path::none ? kind : value.path;
    }
    positional_cases += fmt::format("        {}) words={} kind={} options={} ;;\n", quoted(path), quoted(joined(words)),
                                    bash_action(kind), quoted(joined(options)));
  }
  return fmt::format(R"(# Completion of stiction for bash, written by `stiction completion bash`.
_stiction() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}}
  local command= words= kind= options= i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case "$command ${{COMP_WORDS[i]}}" in
      {}) command="${{command:+$command }}${{COMP_WORDS[i]}}" ;;
    esac
  done
  case "$command $previous" in
{}    *)
      case $command in
{}      esac
      if [[ $current == -* ]]; then
        words=$options kind=
      fi
      ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  if [[ -n $kind ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t -O ${{#COMPREPLY[@]}} COMPREPLY < <(compgen -A $kind -- "$current")
  fi
}}
complete -F _stiction stiction
)",
                     fmt::join(known, " | "), values, positional_cases);
}

/// For the texts of zsh's _arguments and _describe, where these characters have a meaning.
std::string zsh_text(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') {
      result += '\\';
    }
    result += c;
  }
  return result;
}

/// "message:action" of _arguments.
std::string zsh_value(const CLI::Option& argument) {
  const Candidates value = candidates(argument);
  std::string words;
  if (!value.words.empty()) {
    words = fmt::format("({})", joined(value.words));
  }
  std::string path;
  if (value.path != Candidates::Path::none) {
    path = value.path == Candidates::Path::file ? "_files" : "_files -/";
  }
  std::string action = words.empty() ? path : words;
  if (!words.empty() && !path.empty()) {
    action = fmt::format(R"(_alternative "names\:name\:{}" "files\:file\:{}")", words, path);
  }
  return fmt::format("{}:{}", zsh_text(argument.get_single_name()), action);
}

std::string zsh_function(const CLI::App& app) {
  std::string name = full_name(app);
  std::replace(name.begin(), name.end(), ' ', '_');
  return "_" + name;
}

std::string zsh(const CLI::App& app) {
  std::string functions;
  for (const CLI::App* command : tree(app)) {
    std::string arguments;
    for (const CLI::Option* option : options_of(*command)) {
      for (const std::string& name : names_of(*option)) {
        arguments += fmt::format(
            " \\\n    {}",
            quoted(fmt::format("{}{}[{}]{}", option->get_items_expected_max() > 1 ? "*" : "", name,
                               zsh_text(option->get_description()), is_flag(*option) ? "" : ":" + zsh_value(*option))));
      }
    }
    const auto below = commands_of(*command);
    if (below.empty()) {
      int position = 0;
      for (const CLI::Option* positional : positionals_of(*command)) {
        const bool many = positional->get_items_expected_max() > 1;
        arguments += fmt::format(" \\\n    {}",
                                 quoted((many ? "*" : std::to_string(++position)) + ":" + zsh_value(*positional)));
      }
      functions += fmt::format("{}() {{\n  _arguments -s{}\n}}\n\n", zsh_function(*command), arguments);
      continue;
    }
    std::string names;
    std::string calls;
    for (const CLI::App* next : below) {
      names += fmt::format("\n        {}", quoted(zsh_text(next->get_name()) + ":" + next->get_description()));
      calls += fmt::format("\n        {}) {} ;;", next->get_name(), zsh_function(*next));
    }
    std::string others;  // what may stand in the place of a command
    for (const CLI::Option* positional : positionals_of(*command)) {
      const Candidates value = candidates(*positional);
      if (!value.words.empty()) {
        others += fmt::format("\n      compadd {}", joined(value.words));
      }
      if (value.path != Candidates::Path::none) {
        others += "\n      _files";
      }
    }
    functions += fmt::format(R"({}() {{
  local state line
  local -a commands
  typeset -A opt_args
  _arguments -C{} \
    '1: :->command' '*:: :->arguments'
  case $state in
    command)
      commands=({}
      )
      _describe command commands{}
      ;;
    arguments)
      case $words[1] in{}
      esac
      ;;
  esac
}}

)",
                             zsh_function(*command), arguments, names, others, calls);
  }
  return fmt::format(R"(#compdef stiction
# Completion of stiction for zsh, written by `stiction completion zsh`.
{}# Loaded by name from a folder of functions, or read with `source`.
if [[ $funcstack[1] == _stiction ]]; then
  _stiction "$@"
else
  compdef _stiction stiction
fi
)",
                     functions);
}

std::string fish_quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') {
      result += '\\';
    }
    result += c;
  }
  return result + "'";
}

std::string fish_value(const CLI::Option& argument) {
  const Candidates value = candidates(argument);
  std::string text;
  if (!value.words.empty()) {
    text += " -a " + fish_quoted(joined(value.words));
  }
  if (value.path == Candidates::Path::file) {
    text += " -F";
  } else if (value.path == Candidates::Path::folder) {
    text += " -a '(__fish_complete_directories)'";
  }
  return text;
}

/// -r: a value follows; -x: and it is not any file.
std::string fish_option_value(const CLI::Option& option) {
  return (candidates(option).path == Candidates::Path::file ? " -r" : " -x") + fish_value(option);
}

std::string fish(const CLI::App& app) {
  std::string lines;
  for (const CLI::App* command : tree(app)) {
    const std::string path = path_of(*command);
    const std::string prefix =
        fmt::format("complete -c stiction -n {}", fish_quoted("__stiction_command_is " + fish_quoted(path)));
    for (const CLI::App* below : commands_of(*command)) {
      lines += fmt::format("{} -a {} -d {}\n", prefix, below->get_name(), fish_quoted(below->get_description()));
    }
    for (const CLI::Option* option : options_of(*command)) {
      lines += prefix;
      for (const std::string& name : option->get_snames()) {
        lines += " -s " + name;
      }
      for (const std::string& name : option->get_lnames()) {
        lines += " -l " + name;
      }
      lines += fmt::format(" -d {}{}\n", fish_quoted(option->get_description()),
                           is_flag(*option) ? "" : fish_option_value(*option));
    }
    for (const CLI::Option* positional : positionals_of(*command)) {
      if (const std::string value = fish_value(*positional); !value.empty()) {
        lines += prefix + value + "\n";
      }
    }
  }
  std::vector<std::string> known;
  for (const CLI::App* command : tree(app)) {
    if (const std::string path = path_of(*command); !path.empty()) {
      known.push_back(fish_quoted(path));
    }
  }
  return fmt::format(R"(# Completion of stiction for fish, written by `stiction completion fish`.
function __stiction_command_is
  set -l command
  for word in (commandline -opc)[2..-1]
    if contains -- (string join -- ' ' $command $word) {}
      set -a command $word
    end
  end
  test "$command" = "$argv[1]"
end
complete -c stiction -f
{})",
                     fmt::join(known, " "), lines);
}

}  // namespace

Candidates candidates(const CLI::Option& argument) {
  Candidates result;
  const std::string& name = argument.get_single_name();
  const std::string& text = argument.get_description();
  const std::string type = argument.get_type_name();  // "TEXT:{planar,spatial}" where one of a set is allowed
  if (const auto open = type.find('{'); open != std::string::npos) {
    result.words = CLI::detail::split(type.substr(open + 1, type.find('}') - open - 1), ',');
  } else if (name == "NAME") {
    for (const scalar::ModelTable* model : scalar::registered_models()) {
      result.words.emplace_back(model->info.name);
    }
  } else if (name == "ID") {
    for (const lab::Experiment& experiment : lab::experiments()) {
      result.words.emplace_back(experiment.id);
    }
  } else if (name == "model") {
    result.words = identify::identifiable();
    result.words.emplace_back("auto");
  } else {
    if (name == "SCENE") {
      for (const auto& [scene, unused] : lab::scene_catalogue().scenes) {
        result.words.push_back(scene);
      }
    }
    if (text.starts_with("Folder")) {
      result.path = Candidates::Path::folder;
    } else if (argument.get_positional() || text.find("FILE.") != std::string::npos) {
      result.path = Candidates::Path::file;
    }
  }
  return result;
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

std::vector<const CLI::Option*> options_of(const CLI::App& app) {
  return app.get_options(
      [](const CLI::Option* option) { return !option->get_positional() && !option->get_group().empty(); });
}

std::vector<const CLI::Option*> positionals_of(const CLI::App& app) {
  return app.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

bool is_flag(const CLI::Option& option) { return option.get_items_expected_max() == 0; }

std::string full_name(const CLI::App& app) {
  return app.get_parent() == nullptr ? app.get_name() : full_name(*app.get_parent()) + " " + app.get_name();
}

std::string completion(const CLI::App& app, const std::string& shell) {
  return shell == "bash" ? bash(app) : shell == "zsh" ? zsh(app) : fish(app);
}

}  // namespace stiction::cli
