// `--place COL[,COL...]=MEDIUM`: which columns lie on another medium than --medium says.
#pragma once

#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/column/table.h"
#include "pmem/media/placed_medium.h"

namespace hdbench {

// The values of the flag, in order. Errors: kUsage: no `=`, an empty or a repeated column, a word
// that is no medium's.
Result<std::vector<ColumnPlace>> parse_places(const std::vector<std::string>& values);

// The places that to_text() gave this text of; none of a text that it did not.
std::vector<ColumnPlace> places_of_text(const std::string& text);

// Errors: kUsage: a column that none of the tables has (those there are, are named), or the one
// that partitions are named by, which lies in no file.
Status check_places(const std::vector<ColumnPlace>& places,
                    const std::vector<const Table*>& tables);

}  // namespace hdbench
