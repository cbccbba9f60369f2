#include "bench/cli/flag_set.h"

#include <CLI/CLI.hpp>

#include "engine/base/catch.h"

namespace hdbench::bench {

TEST_CASE("a word that no flag takes is held against the flags of its command") {
  CLI::App app;
  FlagSet command(app);
  std::string medium;
  bool secret = false;
  command.add_option("--medium", medium);
  command.add_flag("--secret", secret, "").hide();
  CHECK(command.did_you_mean_flag("--meduim") == "; did you mean '--medium'?");
  CHECK(command.did_you_mean_flag("--meduim=dram") == "; did you mean '--medium'?");
  CHECK(command.did_you_mean_flag("--secrt").empty());
  CHECK(command.did_you_mean_flag("medium").empty());
}

TEST_CASE("flags stand below the heading that was begun last, examples at the end") {
  CLI::App app;
  FlagSet command(app);
  std::string word;
  command.group("Media");
  command.add_option("--medium", word);
  command.group("Output");
  command.add_option("--out", word);
  command.footer("What else is to be said.");
  command.examples({"it --medium dram", "it --out file"});
  const std::string help = app.help();
  CHECK(help.find("\nMedia:\n  --medium") < help.find("\nOutput:\n  --out"));
  CHECK(help.find("What else is to be said.\n\nExamples:\n    it --medium dram\n") !=
        std::string::npos);
}

}  // namespace hdbench::bench
