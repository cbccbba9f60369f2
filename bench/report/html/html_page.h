// The report as one HTML file: needs no network and is smaller than kPageBytesMax.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bench/report/views/forecast_view.h"
#include "bench/report/views/report_pivot.h"
#include "bench/storage/io_results.h"

namespace hdbench::bench {

constexpr std::size_t kPageBytesMax = 3'000'000;

// Runs with so many cells that the page would be larger are shown in less detail, which it says:
// fewer thread counts in charts and tables. The figures that the answers rest on are always whole.
// io: storage primitives' results, which have a section of their own.
std::string html_page(const ReportPivot& pivot, const std::vector<SavedIo>& io = {});

// Storage primitives alone.
std::string io_page(const std::vector<SavedIo>& io);

// Advice, predictions and device profiles, with the curves of all devices that they name. Requires:
// there is one.
std::string forecast_page(const Forecasts& forecasts);

}  // namespace hdbench::bench
