#include "bench/results/proof_json.h"

#include <optional>
#include <string>

#include "bench/base/json_value.h"

namespace hdbench {
namespace {

template <typename T>
std::optional<T> optional_of(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional<T>(json.get<T>());
}

std::string text_of(const Json& json) {
  return json.is_null() ? std::string() : json.get<std::string>();
}

}  // namespace

Json to_json(const PlacementProof& proof) {
  Json nodes = Json::object();
  for (const auto& [node, pages] : proof.pages.by_node) nodes[std::to_string(node)] = pages;
  Json json;
  json["claim"] = text_or_null(proof.claim);
  json["how"] = text_or_null(proof.how);
  json["bytes_total"] = proof.bytes_total;
  json["bytes_where_promised"] = proof.bytes_where_promised;
  json["bytes_resident"] = or_null(proof.bytes_resident);
  json["is_pmem"] = or_null(proof.is_pmem);
  json["pages_total"] = proof.pages.pages_total;
  json["pages_looked_at"] = proof.pages.pages_looked_at;
  json["pages_absent"] = proof.pages.pages_absent;
  json["pages_by_node"] = std::move(nodes);
  json["unknown"] = text_or_null(proof.unknown);
  for (const PlacementProof& part : proof.parts) {
    Json one{{"part", part.part}};
    one.update(to_json(part));
    json["parts"].push_back(std::move(one));
  }
  return json;
}

PlacementProof placement_proof_of(const Json& json) {
  PlacementProof proof;
  proof.claim = text_of(json.at("claim"));
  proof.how = text_of(json.at("how"));
  proof.bytes_total = json.at("bytes_total").get<std::uint64_t>();
  proof.bytes_where_promised = json.at("bytes_where_promised").get<std::uint64_t>();
  proof.bytes_resident = optional_of<std::uint64_t>(json.at("bytes_resident"));
  proof.is_pmem = optional_of<bool>(json.at("is_pmem"));
  proof.pages.pages_total = json.at("pages_total").get<std::uint64_t>();
  proof.pages.pages_looked_at = json.at("pages_looked_at").get<std::uint64_t>();
  proof.pages.pages_absent = json.at("pages_absent").get<std::uint64_t>();
  for (const auto& [node, pages] : json.at("pages_by_node").items()) {
    proof.pages.by_node.emplace(std::stoi(node), pages.get<std::uint64_t>());
  }
  proof.unknown = text_of(json.at("unknown"));
  if (!json.contains("parts")) return proof;
  for (const Json& one : json.at("parts")) {
    PlacementProof part = placement_proof_of(one);
    part.part = one.at("part").get<std::string>();
    proof.parts.push_back(std::move(part));
  }
  return proof;
}

}  // namespace hdbench
