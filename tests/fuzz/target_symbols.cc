// A symbol list: as `sym` and as a table's `.d`.
#include "engine/storage/symbol_list.h"
#include "tests/fuzz/fuzz_input.h"

namespace hdbench::fuzz {

void run_symbols(Bytes input) {
  const std::filesystem::path root = scratch() / "symbols";
  const std::vector<std::byte> exact(input.begin(), input.end());
  const auto names = parse_symbol_list(exact, "fuzz");
  write_file(root / "sym", input);
  Domains domains(root);
  const auto domain = domains.get("sym", "fuzz");
  if (names.ok()) require(domain.ok(), "a list that parses is a domain");
  if (domain.ok()) {
    const Domain& symbols = **domain;
    require(symbols.ranks().size() == symbols.size(), "every symbol has a rank");
    for (const std::string_view text : symbols.symbols()) {
      const auto code = symbols.find(text);
      require(code && symbols.text(*code) == text, "a symbol is found");
      if (symbols.size() > 64) break;
    }
  }
  const auto columns = read_column_names(root / "sym");
  if (!columns.ok()) return;
  for (const std::string& name : *columns) require(is_plain_name(name), "a plain name");
}

}  // namespace hdbench::fuzz
