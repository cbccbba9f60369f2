#include "datagen/domain_list.h"

#include "datagen/paper_symbols.h"
#include "datagen/taq_values.h"
#include "datagen/tickers.h"

namespace hdbench::datagen {

std::vector<std::string> domain_list(Profile profile) {
  if (profile == Profile::kTaq) {
    auto symbols = ticker_symbols();
    symbols.insert(symbols.end(), kTradeConditions.begin(), kTradeConditions.end());
    return symbols;
  }
  const auto symbols = paper_symbols();
  return {symbols.begin(), symbols.end()};
}

}  // namespace hdbench::datagen
