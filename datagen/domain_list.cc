#include "datagen/domain_list.h"

#include "datagen/paper_symbols.h"
#include "datagen/tickers.h"

namespace hdbench::datagen {

std::vector<std::string> domain_list(Profile profile) {
  if (profile == Profile::kTaq) return ticker_symbols();
  const auto symbols = paper_symbols();
  return {symbols.begin(), symbols.end()};
}

}  // namespace hdbench::datagen
