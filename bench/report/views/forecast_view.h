// What the report says of advice and predictions: sentences and tables of plain text, the same for
// a page, a terminal, Markdown and CSV.
#pragma once

#include <string>
#include <vector>

#include "bench/base/layers.h"
#include "bench/report/views/view_table.h"
#include "bench/results/forecasts.h"
#include "pmem/emulator/device_profile.h"

namespace hdbench::bench {

// What `hdbench report` shows beside results of runs.
struct Forecasts {
  std::vector<Advice> advice;
  std::vector<Prediction> predictions;
  std::vector<DeviceProfile> profiles;

  bool empty() const { return advice.empty() && predictions.empty() && profiles.empty(); }
  // The profiles given, those of the tiers and media that are not among them by name, and the
  // predictions' own memory. missing: a line for each that cannot be loaded.
  std::vector<DeviceProfile> all_profiles(std::vector<std::string>& missing) const;
};

// The places of the tiers, from the dearest for a GB to the cheapest.
std::vector<std::size_t> tiers_by_price(const Advice& advice);

// "0.6643", "15.61", "12,346": money in a currency of the reader's.
std::string price_text(double price);

// What it recommends, in one sentence. Tiers without bytes are left out.
std::string advice_sentence(const Advice& advice);
// What was asked, and of what.
std::string advice_question(const Advice& advice);
// "--medium nvme:nvme-p5510 --place ...".
std::string advice_flags(const Advice& advice);

// The tables have tiers in the order of tiers_by_price().
ViewTable placement_table(const Advice& advice);
ViewTable advised_queries_table(const Advice& advice);
ViewTable frontier_table(const Advice& advice);
ViewTable tiers_table(const Advice& advice);

// "cxl-cz122", "dram": the profile, or the medium where there is none.
std::string short_medium(const std::string& medium);

// What is predicted, for what size, of what recording; the slowest and the fastest medium.
std::string prediction_sentence(const Prediction& prediction);
// What was asked besides; the machine with its memory, and the axes.
std::string prediction_question(const Prediction& prediction);

ViewTable predicted_times_table(const Prediction& prediction);
ViewTable predicted_parts_table(const Prediction& prediction);

}  // namespace hdbench::bench
