// Columns, matrices and poses in CSV. What is accepted has columns of one length; written, it is read again.
#include "stiction/io/csv.h"

#include "fuzz/support.h"
#include "stiction/io/file.h"

using stiction::fuzz::accepted;
using stiction::io::InputError;

FUZZ_TARGET(csv)(std::span<const std::uint8_t> input) {
  const auto file = stiction::fuzz::file_in_memory(stiction::fuzz::Bytes(input).rest());
  std::string written;
  accepted<InputError>([&] {
    const auto csv = stiction::io::read_csv(file);
    FUZZ_REQUIRE(!csv.names.empty() && csv.names.size() == csv.columns.size());
    for (std::size_t i = 0; i < csv.names.size(); ++i) {
      FUZZ_REQUIRE(csv.columns[i].size() == csv.columns[0].size() && stiction::fuzz::all_finite(csv.columns[i]));
      FUZZ_REQUIRE(&csv.column(csv.names[i]) == &csv.columns[i]);
    }
    written = stiction::io::to_csv(csv.names, csv.columns);
  });
  accepted<InputError>([&] { (void)stiction::io::read_csv(file, stiction::io::Missing::nan); });
  accepted<InputError>([&] {
    const auto rows = stiction::io::read_matrix(file);
    for (const auto& row : rows) {
      FUZZ_REQUIRE(row.size() == rows.front().size() && stiction::fuzz::all_finite(row));
    }
  });
  // A first name that begins with '#' is a comment, and a byte-order mark before it is none of it.
  if (!written.empty() && written.front() != '#' && !written.starts_with("\xEF\xBB\xBF")) {
    const auto again = stiction::io::read_csv(stiction::fuzz::file_in_memory(written));
    FUZZ_REQUIRE(stiction::io::to_csv(again.names, again.columns) == written);
  }
}
