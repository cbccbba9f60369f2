// Prints what `hdbench describe` and `hdbench verify` found, for a screen or as JSON
// (docs/describe.schema.json, docs/verify.schema.json).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "engine/inspect/description.h"
#include "engine/inspect/verify.h"

namespace hdbench::bench {

// Lines of 80 bytes at most, names and numbers cut to fit. One screen: what is more than fits is
// counted; `whole`: all columns, notes and lines of what cannot be read.
std::string description_text(const DatabaseDescription& database, bool whole);

nlohmann::ordered_json description_json(const DatabaseDescription& database);

nlohmann::ordered_json verify_json(const std::string& root, const VerifyReport& report);

}  // namespace hdbench::bench
