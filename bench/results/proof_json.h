// Reads and writes a placement's proof in results.json.
#pragma once

#include <nlohmann/json.hpp>

#include "pmem/memory/placement_proof.h"

namespace hdbench {

nlohmann::ordered_json to_json(const PlacementProof& proof);

// The inverse. Throws nlohmann::json::exception, for what is missing or of another type.
PlacementProof placement_proof_of(const nlohmann::ordered_json& json);

}  // namespace hdbench
