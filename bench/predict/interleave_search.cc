#include "bench/predict/interleave_search.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "pmem/machine/topology.h"
#include "pmem/media/emulated_medium.h"
#include "pmem/media/media_list.h"
#include "pmem/media/memory_medium.h"

namespace hdbench::bench {
namespace {

// Weights of more pages in a turn say nothing that these do not, within a few thousandths.
constexpr int kTurnMost = 40;
constexpr int kWeightMost = 255;
constexpr int kNarrowings = 14;  // of the search: a thousandth of the whole
constexpr double kAsGood = 1.001;

double local_share_of(const InterleaveRatio& ratio) {
  return static_cast<double>(ratio.local) / (ratio.local + ratio.far);
}

}  // namespace

InterleaveRatio least_interleave(const std::function<double(double)>& ms_at) {
  // Golden section: the least lies between the two ends.
  const double golden = (std::sqrt(5.0) - 1) / 2;
  double low = 0, high = 1;
  double left = high - golden * (high - low), right = low + golden * (high - low);
  double left_ms = ms_at(left), right_ms = ms_at(right);
  for (int step = 0; step < kNarrowings; ++step) {
    if (left_ms < right_ms) {
      high = right;
      right = left;
      right_ms = left_ms;
      left = high - golden * (high - low);
      left_ms = ms_at(left);
    } else {
      low = left;
      left = right;
      left_ms = right_ms;
      right = low + golden * (high - low);
      right_ms = ms_at(right);
    }
  }
  // The nearest of each length of turn, so that the smallest that is as good can be taken.
  const double middle = (low + high) / 2;
  InterleaveRatio best{1, 1};
  double best_ms = ms_at(local_share_of(best));
  const auto try_ratio = [&](const InterleaveRatio& ratio) {
    const double ms = ms_at(local_share_of(ratio));
    if (ms * kAsGood >= best_ms) return;
    best = ratio;
    best_ms = ms;
  };
  for (int turn = 3; turn <= kTurnMost; ++turn) {
    for (const double rounded : {std::floor(middle * turn), std::ceil(middle * turn)}) {
      const int local = std::clamp(static_cast<int>(rounded), 1, turn - 1);
      if (std::gcd(local, turn) != 1) continue;
      try_ratio({local, turn - local});
    }
  }
  // One page of many: what the kernel can weigh at most.
  const double apart = std::max(1e-3, std::min(middle, 1 - middle));
  const int many = std::clamp(static_cast<int>(std::lround((1 - apart) / apart)), 1, kWeightMost);
  for (const int weight : {many, std::min(kWeightMost, many + many / 8), kWeightMost}) {
    try_ratio(middle > 0.5 ? InterleaveRatio{weight, 1} : InterleaveRatio{1, weight});
  }
  return best;
}

Result<std::string> with_best_interleave(Session& session, const std::vector<ListedQuery>& queries,
                                         const Setting& setting, MediumSpec word) {
  constexpr std::size_t kRecorded = 3;
  word.options["interleave"] = "1:1";
  std::vector<std::string> emulated;
  if (is_emulated(word)) emulated.push_back(to_text(word));
  HDB_ASSIGN(const auto recordings,
             QueryRecordings::make(session, queries, setting, emulated, kRecorded));
  if (emulated.empty()) {
    MediumSpec far = word;
    far.options.clear();
    HDB_ASSIGN(const NodeChoice nodes, choose_present_nodes(far, read_machine()));
    HDB_ASSIGN(
        const HostMemory memory,
        measure_host_memory(session.pools(), session.options().ceiling_bytes, bound_memory(nodes)));
    EmulatedDeviceSetup setup;
    setup.profile = memory.profile;
    setup.interleave = {1, 1};
    HDB_TRY(recordings->add_device(std::move(setup)));
  }
  HDB_ASSIGN(const std::vector<RecordedQuery> recorded, recordings->record(queries, {}));
  std::vector<std::size_t> places(recordings->places().size(), recordings->devices().front());
  places[kNoColumn] = kHostDevice;
  const InterleaveRatio ratio = least_interleave([&](double local_share) {
    double ms = 0;
    for (const RecordedQuery& query : recorded)
      ms += recordings->middle_ms(query, places, {}, local_share);
    return ms;
  });
  word.options["interleave"] = std::to_string(ratio.local) + ":" + std::to_string(ratio.far);
  return to_text(word);
}

}  // namespace hdbench::bench
