// The command line described for others, from the same structures as its help: completion of shells, manual pages.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

namespace stiction::cli {

/// Possible values of an argument, as far as they are known.
struct Candidates {
  std::vector<std::string> words;
  enum class Path { none, file, folder } path = Path::none;
};
Candidates candidates(const CLI::Option& argument);

/// Commands in the order of the help, without hidden ones.
std::vector<const CLI::App*> commands_of(const CLI::App& app);
std::vector<const CLI::Option*> options_of(const CLI::App& app);
std::vector<const CLI::Option*> positionals_of(const CLI::App& app);
/// A flag takes no value.
bool is_flag(const CLI::Option& option);
/// Words from the program's name on: "stiction mesh repair".
std::string full_name(const CLI::App& app);

/// A script for `shell`: bash, zsh or fish.
std::string completion(const CLI::App& app, const std::string& shell);
/// The page of a command in section 1, as roff.
std::string manual_page(const CLI::App& app, const CLI::App& command);
/// All manual pages and completions, in folders as they are below /usr/share.
void write_self_description(const CLI::App& app, const std::filesystem::path& share);

}  // namespace stiction::cli
