#include "bench/profiles/profile_list.h"

#include <nlohmann/json.hpp>

#include "bench/base/layers.h"
#include "engine/base/catch.h"
#include "pmem/emulator/device_profile.h"

namespace hdbench::bench {

TEST_CASE("every profile stands in the list, in lines that fit") {
  const auto text = profiles_text(80);
  REQUIRE(text.ok());
  for (const std::string& name : profile_names()) CHECK(text->find(name) != std::string::npos);
  for (std::size_t at = 0; at < text->size();) {
    const std::size_t end = text->find('\n', at);
    CHECK(end - at <= 80);
    at = end + 1;
  }
  CHECK(text->find("cxl-asic-ddr5        cxl               17.7      214   [S/D]") !=
        std::string::npos);
  CHECK(text->find("cxl-dram-cache-nand  cxl               27/5    505/-   [S]") !=
        std::string::npos);
}

TEST_CASE("the list as JSON has figures as numbers") {
  const auto json = nlohmann::json::parse(*profiles_json());
  CHECK(json.size() == profile_names().size());
  for (const auto& one : json) {
    INFO(one.dump());
    CHECK(one.at("gb_s").at(0).get<double>() > 0);
    CHECK_FALSE(one.at("source").get<std::string>().empty());
  }
}

}  // namespace hdbench::bench
