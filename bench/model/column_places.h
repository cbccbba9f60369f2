// `--place COL[,COL...]=MEDIUM`: which columns lie on another medium than --medium says; `all` is
// every column. A column may be one table's, and of its newest partitions alone
// (pmem/media/column_choice.h): `quote.bid@last20`, `all@last20`. Of a run it may be a list: `none;
// bid,ask=cxl; all=cxl & col3=dram`.
#pragma once

#include <string>
#include <vector>

#include "bench/base/layers.h"
#include "engine/base/result.h"
#include "engine/column/table.h"
#include "pmem/media/placed_medium.h"

namespace hdbench::bench {

// The values of the flag, in order. Errors: kUsage: no `=`, an empty or a repeated column, a word
// that is no medium's.
Result<std::vector<ColumnPlace>> parse_places(const std::vector<std::string>& values);

// The values of the flag by placement: one of them all, or, where a value has `;`, one each of its
// parts; `none` places nothing, `&` joins places. Errors: kUsage: such a list beside another value,
// or the same placement twice.
Result<std::vector<std::vector<std::string>>> place_lists(const std::vector<std::string>& values);

// The word for every column, unless a table has a column of this name.
constexpr const char* kAllColumns = "all";

// The places, with the tables' columns for `all`. Requires: check_places().
std::vector<ColumnPlace> with_named_columns(std::vector<ColumnPlace> places,
                                            const std::vector<const Table*>& tables);

// The places that to_text() gave this text of; none of a text that it did not.
std::vector<ColumnPlace> places_of_text(const std::string& text);

// Errors: kUsage: a column that none of the tables has (those there are, are named), or the one
// that partitions are named by, which lies in no file.
Status check_places(const std::vector<ColumnPlace>& places,
                    const std::vector<const Table*>& tables);

}  // namespace hdbench::bench
