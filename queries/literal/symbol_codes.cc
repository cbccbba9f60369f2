#include "queries/literal/symbol_codes.h"

#include <unordered_set>

namespace hdbench::queries {

CodeTest codes_where(const Domain* domain, const std::function<bool(std::string_view)>& passes) {
  CodeTest test;
  if (domain == nullptr) return test;
  test.member.resize(domain->size(), 0);
  for (std::size_t code = 0; code < domain->size(); ++code) {
    if (!passes(domain->text(code))) continue;
    test.member[code] = 1;
    test.codes.push_back(code);
  }
  return test;
}

CodeTest codes_in(const Domain* domain, std::span<const std::string_view> texts) {
  const std::unordered_set<std::string_view> wanted(texts.begin(), texts.end());
  return codes_where(domain, [&](std::string_view text) { return wanted.contains(text); });
}

}  // namespace hdbench::queries
