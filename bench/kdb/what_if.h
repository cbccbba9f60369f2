// A table without data, to bind a query to whose memory is only counted.
#pragma once

#include <memory>
#include <string_view>

#include "engine/base/result.h"
#include "engine/column/table.h"

namespace hdbench::bench {

// Of a schema's text: `time:n,sym:s,price:f,size:j`, types by q's letters as `meta` shows them; p,
// s, u or g behind a type is the column's attribute (`sym:s:p`). A table of partitions has its
// partition field first. Symbols are those of the query's text, so that none is unknown. Errors:
// kUsage naming the flag and the item.
Result<std::shared_ptr<const Table>> what_if_table(std::string_view flag, std::string_view schema,
                                                   bool is_partitioned,
                                                   std::string_view query_text);

}  // namespace hdbench::bench
