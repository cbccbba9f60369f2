#include "datagen/spec.h"

#include <limits>

#include "engine/base/catch.h"

namespace hdbench::datagen {

TEST_CASE("a default spec is good") { CHECK(validate(Spec{}).ok()); }

TEST_CASE("profiles are found by their names and an unknown one lists them") {
  for (const auto profile : {Profile::kPaper, Profile::kPaper3y, Profile::kTaq}) {
    CHECK(parse_profile(profile_name(profile)).value() == profile);
  }
  const auto unknown = parse_profile("papers");
  REQUIRE_FALSE(unknown.ok());
  CHECK(unknown.error().kind == ErrorKind::kUsage);
  CHECK(unknown.error().message == "profile papers: unknown; one of paper, paper-3y, taq");
}

TEST_CASE("a scale must be a positive number that fits") {
  for (const double scale : {0.0, -1.0, 101.0, std::numeric_limits<double>::quiet_NaN(),
                             std::numeric_limits<double>::infinity()}) {
    CHECK_FALSE(validate(Spec{.scale = scale}).ok());
  }
  CHECK(validate(Spec{.scale = 1e-9}).ok());
}

TEST_CASE("columns are from 2 to 200") {
  for (const std::uint32_t columns : {0U, 1U, 201U}) {
    CHECK_FALSE(validate(Spec{.columns = columns}).ok());
  }
  CHECK(validate(Spec{.columns = 2}).ok());
  CHECK(validate(Spec{.columns = 200}).ok());
}

TEST_CASE("taq takes no count of columns and is parted by sym, said or not") {
  CHECK(parted_column({}).empty());
  CHECK(parted_column({.parted = "col3"}) == "col3");
  CHECK(parted_column({.profile = Profile::kTaq}) == "sym");
  CHECK(validate(Spec{.profile = Profile::kTaq}).ok());
  CHECK(validate(Spec{.profile = Profile::kTaq, .columns = 12}).error().message ==
        "columns: not for profile taq, whose tables have the columns of TAQ");
  CHECK(validate(Spec{.profile = Profile::kTaq, .parted = "cond"}).error().message ==
        "parted cond: profile taq is always parted by sym");
}

TEST_CASE("only a symbol column that is generated can be parted") {
  CHECK(validate(Spec{.parted = "col3"}).ok());
  CHECK(validate(Spec{.profile = Profile::kTaq, .parted = "sym"}).ok());
  CHECK_FALSE(validate(Spec{.columns = 4, .parted = "col3"}).ok());
  CHECK_FALSE(validate(Spec{.columns = 2, .parted = "col1"}).ok());
  const auto status = validate(Spec{.parted = "bid"});
  REQUIRE_FALSE(status.ok());
  CHECK(status.error().message ==
        "parted bid: not a symbol column of quote with 9 columns; those are: col1 col2 col3");
}

}  // namespace hdbench::datagen
